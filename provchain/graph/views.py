"""The graph in the words of other libraries: quads as an `rdflib.Dataset`, foreign terms as ours.

A view is a copy: what a reader does to it never reaches the store. `rdflib` is imported on use, since an audit does not
need it.

Spec: https://www.w3.org/TR/rdf11-concepts/#section-dataset
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING

import pyoxigraph as ox

from provchain.graph.iris import clean_iri, clean_text
from provchain.terms import PREFIXES, XSD

if TYPE_CHECKING:
    from prov.model import ProvDocument
    from rdflib import BNode, Dataset, Graph, Literal, URIRef
    from typing_extensions import TypeIs

__all__ = ["is_document", "quads_to_dataset", "to_term"]


def quads_to_dataset(quads: Iterable[ox.Quad]) -> Dataset:
    """Copy quads into a dataset of rdflib, each named graph under its own IRI.

    Args:
        quads: Of a store or a study. What RDF 1.1 cannot hold (a triple as a term) is left out.

    Returns:
        A dataset in memory. Its default graph is the union of all graphs, as every query here sees them; what stands in
        no named graph is in `Dataset.default_graph`. Literals keep their lexical form ("0.910" stays that).

    Example:
        >>> quad = ox.Quad(ox.NamedNode("urn:x"), ox.NamedNode("urn:p"), ox.Literal("0.910"), ox.NamedNode("urn:g"))
        >>> dataset = quads_to_dataset([quad])
        >>> [str(value) for value in dataset.objects()]
        ['0.910']
        >>> [str(graph.identifier) for graph in dataset.graphs() if len(graph)]
        ['urn:g']
    """
    from rdflib import Dataset, URIRef  # noqa: PLC0415 - see the top of this file

    dataset = Dataset(default_union=True)
    for prefix, base in PREFIXES.items():
        dataset.bind(prefix, base)
    graphs: dict[object, Graph] = {}
    with _quiet():
        for quad in quads:
            if isinstance(quad.subject, ox.Triple) or isinstance(quad.object, ox.Triple):
                continue
            name = quad.graph_name
            graph = graphs.get(name)
            if graph is None:
                home = dataset.default_graph if isinstance(name, ox.DefaultGraph) else dataset.graph(_resource(name))
                graph = graphs[name] = home
            graph.add((_resource(quad.subject), URIRef(quad.predicate.value), _object(quad.object)))
    return dataset


def to_term(value: object) -> ox.NamedNode | ox.Literal:
    """Make a term of a Python value, or of a term of rdflib, so that it can be bound to a variable.

    Args:
        value: A text, number, truth value, or a term of rdflib or pyoxigraph; anything else becomes its text.

    Returns:
        A valid term, whatever the text holds.

    Example:
        >>> from rdflib import URIRef
        >>> to_term(URIRef("urn:x"))
        <NamedNode value=urn:x>
        >>> to_term(18).datatype.value
        'http://www.w3.org/2001/XMLSchema#integer'
    """
    from rdflib import Literal, URIRef  # noqa: PLC0415 - see the top of this file

    if isinstance(value, ox.NamedNode | ox.Literal):
        return value
    if isinstance(value, URIRef):
        return ox.NamedNode(clean_iri(str(value)))
    if isinstance(value, Literal):
        if value.language:
            return ox.Literal(clean_text(str(value)), language=value.language)
        kind = None if value.datatype is None else ox.NamedNode(clean_iri(str(value.datatype)))
        return ox.Literal(clean_text(str(value)), datatype=kind)
    if isinstance(value, bool | float):
        return ox.Literal(value)
    if isinstance(value, int | Decimal):
        if isinstance(value, Decimal) and not value.is_finite():  # xsd:decimal has no word for these
            return ox.Literal(str(value))
        kind = ox.NamedNode(XSD.integer if isinstance(value, int) else XSD.decimal)
        return ox.Literal(str(value) if isinstance(value, int) else f"{value:f}", datatype=kind)
    return ox.Literal(clean_text(str(value)))


def is_document(thing: object) -> TypeIs[ProvDocument]:
    """Tell whether something is a document of `prov`.

    Args:
        thing: Anything.

    Example:
        >>> is_document("prov.json")
        False
    """
    from prov.model import ProvDocument  # noqa: PLC0415 - it costs 0.1 s

    return isinstance(thing, ProvDocument)


def _resource(node: ox.NamedNode | ox.BlankNode) -> URIRef | BNode:
    from rdflib import BNode, URIRef  # noqa: PLC0415

    return URIRef(node.value) if isinstance(node, ox.NamedNode) else BNode(node.value)


def _object(term: ox.NamedNode | ox.BlankNode | ox.Literal) -> URIRef | BNode | Literal:
    if not isinstance(term, ox.Literal):
        return _resource(term)
    from rdflib import Literal, URIRef  # noqa: PLC0415

    if not term.language:  # rdflib takes "a" and "a"^^xsd:string for two; the plain one is what its users write
        kind = None if term.datatype.value == XSD.string else URIRef(term.datatype.value)
        return Literal(term.value, datatype=kind, normalize=False)
    try:
        return Literal(term.value, lang=term.language)
    except ValueError:  # rdflib knows fewer language tags: the words still count
        return Literal(term.value)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep rdflib from logging every literal that is not what its datatype says: data, not a fault of the program."""
    logger = logging.getLogger("rdflib.term")
    silence = logging.Filter("no logger is called so")
    logger.addFilter(silence)
    try:
        yield
    finally:
        logger.removeFilter(silence)
