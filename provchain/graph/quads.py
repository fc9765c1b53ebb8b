"""Statements as quads: always the plain edge, and the qualified one wherever there is more to say.

A query on plain edges must never see a chain break that is not there, and a query on roles or plans must find them. So
no caller can write one without the other. Nodes without a name get one made of what they say: writing twice gives the
same quads, and two graphs in one store never share a node by accident.

Spec: https://www.w3.org/TR/prov-o/#qualified-terms
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad

from provchain.graph.iris import clean_iri, clean_text
from provchain.graph.statements import RELATIONS, Element, Iri, Relation, Statement, Typed, Value
from provchain.terms import PROV, RDF, XSD

__all__ = ["MADE_UP_NAME", "QuadWriter", "sorted_quads"]

MADE_UP_NAME = "urn:provchain:qualified/"
"""What the IRI of a qualified node starts with, where the relation has no id of its own."""

_ELEMENTS = {"entity": PROV.Entity, "activity": PROV.Activity, "agent": PROV.Agent}
_INTEGER = NamedNode(XSD.integer)
_TRUE = Literal("true", datatype=NamedNode(XSD.boolean))
_FALSE = Literal("false", datatype=NamedNode(XSD.boolean))


class QuadWriter:
    """Turn statements into quads, keeping the terms it has made.

    Example:
        >>> edge = Relation("used", "urn:x:run", "urn:x:data")
        >>> [quad.predicate.value.rpartition("#")[2] for quad in QuadWriter().write([edge])]
        ['used', 'qualifiedUsage', 'type', 'entity']
    """

    def __init__(self) -> None:
        self._nodes: dict[str, NamedNode] = {}

    def write(self, statements: Iterable[Statement], graph: str | None = None) -> Iterator[Quad]:
        """Yield the quads of statements, in their order; a quad can come twice.

        Args:
            statements: What to write.
            graph: IRI of the named graph, or ``None`` for the default graph.
        """
        name = DefaultGraph() if graph is None else self.node(graph)
        for statement in statements:
            if isinstance(statement, Element):
                yield from self._element(statement, name)
            else:
                yield from self._relation(statement, name)

    def node(self, iri: str) -> NamedNode:
        """Make the node of an IRI, valid whatever it holds."""
        node = self._nodes.get(iri)
        if node is None:
            node = self._nodes[iri] = _node(iri)
        return node

    def term(self, value: Value) -> NamedNode | Literal:
        """Make the term of a value, valid whatever it holds."""
        if isinstance(value, Iri):
            return self.node(value)
        if isinstance(value, str):
            return Literal(clean_text(value))
        if isinstance(value, bool):
            return _TRUE if value else _FALSE
        if isinstance(value, int):
            return Literal(str(value), datatype=_INTEGER)
        return self._typed(value)

    def _typed(self, value: Typed) -> Literal:
        text = clean_text(value.lexical)
        if not value.language:
            return Literal(text, datatype=self.node(value.datatype)) if value.datatype else Literal(text)
        try:
            return Literal(text, language=value.language.replace("_", "-"))
        except ValueError:  # no language of this world: the words still count
            return Literal(text)

    def _element(self, element: Element, graph: NamedNode | DefaultGraph) -> Iterator[Quad]:
        node, rdf_type = self.node, self.node(RDF.type)
        subject = node(element.id)
        yield Quad(subject, rdf_type, node(_ELEMENTS[element.kind]), graph)
        for kind in element.types:
            yield Quad(subject, rdf_type, node(kind), graph)
        for name, value in element.attributes:
            yield Quad(subject, node(name), self.term(value), graph)
        for part in element.nodes:
            inner = node(part.id)
            yield Quad(subject, node(part.property), inner, graph)
            for kind in part.types:
                yield Quad(inner, rdf_type, node(kind), graph)
            for name, value in part.attributes:
                yield Quad(inner, node(name), self.term(value), graph)

    def _relation(self, relation: Relation, graph: NamedNode | DefaultGraph) -> Iterator[Quad]:
        node, form = self.node, RELATIONS[relation.kind]
        subject = None if relation.subject is None else node(relation.subject)
        far = None if relation.object is None else node(relation.object)
        if subject is not None and far is not None:
            yield Quad(subject, node(form.plain), far, graph)
        if relation.plain or not form.qualified or subject is None:
            return
        rdf_type, inner = node(RDF.type), node(relation.id or _name(relation))
        yield Quad(subject, node(form.qualified), inner, graph)
        yield Quad(inner, rdf_type, node(form.type), graph)
        if far is not None:
            yield Quad(inner, node(form.end), far, graph)
        for kind in relation.types:
            yield Quad(inner, rdf_type, node(kind), graph)
        for name, value in relation.attributes:
            yield Quad(inner, node(name), self.term(value), graph)


def _node(iri: str) -> NamedNode:
    for name in (iri, clean_iri(iri)):
        try:
            return NamedNode(name)
        except ValueError:  # a UnicodeEncodeError is one
            continue
    return NamedNode(clean_iri(iri.replace(":", "%3A")))  # characters fit, their order does not ("http://x:y")


def _name(relation: Relation) -> str:
    """Name a relation by what it says."""
    about = sorted((name, type(value).__name__, str(value)) for name, value in relation.attributes)
    said = repr((relation.kind, relation.subject, relation.object, relation.types, about))
    return MADE_UP_NAME + blake2b(said.encode("utf-8", "backslashreplace"), digest_size=16).hexdigest()


def sorted_quads(quads: Iterable[Quad]) -> list[Quad]:
    """Sort quads by graph, subject, predicate and object, each once: the same bytes for the same graph.

    Example:
        >>> a, b = (Quad(NamedNode("urn:x"), NamedNode("urn:p"), Literal(text)) for text in "ab")
        >>> sorted_quads([b, a, b]) == [a, b]
        True
    """
    return sorted(set(quads), key=lambda q: (str(q.graph_name), str(q.subject), str(q.predicate), str(q.object)))
