"""PROV documents in and out: PROV-JSON, PROV-N, PROV-JSONLD, Turtle, TriG, N-Quads.

A document holds the flattened chain at its top level and what each recorder attests in a bundle. What PROV-JSON cannot
nest stands in flat ``pc:`` attributes. A document becomes quads directly, never through `prov`'s RDF writer, which
drops the plain edge of every relation that says more than its two ends. `prov` is imported on use: it costs 0.1 s, and
neither an audit nor ``provchain --version`` needs it.

Spec: https://openprovenance.org/prov-json/, https://www.w3.org/TR/prov-n/, https://www.w3.org/TR/trig/
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pyoxigraph as ox

from provchain.errors import SourceError, UnknownFormatError
from provchain.graph._reading import read_quads
from provchain.graph.iris import parse_iri
from provchain.graph.mapping import study_to_statements
from provchain.graph.quads import QuadWriter, sorted_quads
from provchain.graph.statements import Element
from provchain.model import Judgement, Study
from provchain.terms import PREFIXES, PROV

if TYPE_CHECKING:
    from prov.model import ProvDocument
    from typing_extensions import TypeIs

    Graph: TypeAlias = ProvDocument | Iterable[ox.Quad]

__all__ = [
    "SUFFIXES",
    "document_to_quads",
    "quads_to_document",
    "read_provjson",
    "to_document",
    "write",
    "write_provjson",
]

_RDF = {".nq": ox.RdfFormat.N_QUADS, ".trig": ox.RdfFormat.TRIG, ".ttl": ox.RdfFormat.TURTLE}
_PROV = {".json": "json", ".jsonld": "jsonld", ".provn": "provn", ".provx": "xml"}
SUFFIXES: tuple[str, ...] = (*_PROV, *_RDF)
"""The file suffixes that `write` knows."""


def to_document(
    study: Study,
    judgements: Iterable[Judgement] = (),
    support: Iterable[tuple[str, str]] = (),
    *,
    flat: bool = False,
) -> ProvDocument:
    """Make a PROV document of a study: the whole chain at its top level, and a bundle for each recorder.

    Args:
        study: The records.
        judgements: The verdicts, if it was audited.
        support: For each claim the ids of all activities on its chain, as pairs.
        flat: Leave the bundles out.

    Example:
        >>> [bundle.identifier.localpart for bundle in to_document(Study("s")).bundles]
        ['graph/provchain']
    """
    from provchain.graph._documents import build_document  # noqa: PLC0415 - see the top of this file

    graphs = study_to_statements(study, judgements, support)
    return build_document({graph: said for graph, said in graphs.items()}, study.id, flat=flat)  # noqa: C416 - mypy


def document_to_quads(document: ProvDocument, graph: str | None = None) -> list[ox.Quad]:
    """Map a PROV document to quads with both the plain and the qualified edges, each bundle a named graph.

    Args:
        document: From any producer. The top level of one of ours repeats its bundles, and is told by them alone: a
            second audit then replaces all that the first one said.
        graph: IRI of a graph for its top level; ``None`` is the default graph.

    Example:
        >>> from prov.model import ProvDocument
        >>> document = ProvDocument()
        >>> _ = document.add_namespace("ex", "http://example.org/")
        >>> _ = document.usage("ex:run", "ex:data", time="2026-11-30T17:07:00Z")
        >>> sum("prov#used>" in str(quad) for quad in document_to_quads(document))
        1
    """
    from provchain.graph._documents import read_records  # noqa: PLC0415 - see the top of this file

    writer = QuadWriter()
    top = list(writer.write(read_records(document.get_records()), graph))
    bundled: list[ox.Quad] = []
    ours: set[ox.Triple] = set()
    for bundle in document.bundles:
        if bundle.identifier is None:
            continue
        iri = bundle.identifier.uri
        top += writer.write([Element("entity", iri, (PROV.Bundle,))], graph)
        quads = list(writer.write(read_records(bundle.get_records()), iri))
        bundled += quads
        if (name := parse_iri(iri)) is not None and name.kind == "graph":
            ours.update(quad.triple for quad in quads)
    return list(dict.fromkeys([*(quad for quad in top if quad.triple not in ours), *bundled]))


def quads_to_document(quads: Iterable[ox.Quad], *, flat: bool = False) -> ProvDocument:
    """Make a PROV document of quads, the reverse of `document_to_quads`.

    Args:
        quads: Of a store, say. What PROV-DM has no word for (nested nodes) is left out.
        flat: Leave the bundles out.

    Example:
        >>> from provchain.graph.mapping import study_to_quads
        >>> quads_to_document(study_to_quads(Study("s"))) == to_document(Study("s"))
        True
    """
    from provchain.graph._documents import build_document  # noqa: PLC0415 - see the top of this file

    return build_document(read_quads(quads), flat=flat)


def read_provjson(path: str | Path) -> ProvDocument:
    """Read a PROV-JSON file of any producer.

    Args:
        path: The file. A byte order mark is accepted, and so are some dialects that lose nothing.

    Raises:
        MalformedSourceError: It is no PROV-JSON, or reading it would lose something; all problems at once.
        SourceError: The file cannot be read.
    """
    from provchain.graph._provjson import load  # noqa: PLC0415 - see the top of this file

    return load(Path(path))


def write_provjson(document: ProvDocument, path: str | Path) -> None:
    """Write a document as PROV-JSON.

    Args:
        document: What to write.
        path: The file.

    Raises:
        SourceError: The file cannot be written.
    """
    _save(Path(path), _prov(document, "json"))


def write(graph: Graph, path: str | Path) -> None:
    """Write a document or quads in the format that the suffix names, the same bytes for the same graph.

    Args:
        graph: A PROV document, or quads. Turtle has no named graphs, so it gets the union of all of them.
        path: The file: ``.json`` (PROV-JSON), ``.jsonld``, ``.provn``, ``.provx``, ``.ttl``, ``.trig`` or ``.nq``.

    Raises:
        UnknownFormatError: The suffix is none of these.
        MissingExtraError: PROV-XML needs lxml.
        SourceError: The file cannot be written.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix in _RDF:
        _save(target, _rdf(document_to_quads(graph) if _is_document(graph) else graph, _RDF[suffix]))
    elif suffix in _PROV:
        _save(target, _prov(graph if _is_document(graph) else quads_to_document(graph), _PROV[suffix]))
    else:
        message = f"{target} has no suffix that names a PROV format"
        raise UnknownFormatError(message, path=str(path), hint=f"use {', '.join(SUFFIXES)}")


def _is_document(graph: Graph) -> TypeIs[ProvDocument]:
    return hasattr(graph, "get_records")  # no isinstance: that would import prov to write quads


def _rdf(quads: Iterable[ox.Quad], form: ox.RdfFormat) -> bytes:
    if form.supports_datasets:
        return ox.serialize(sorted_quads(quads), format=form, prefixes=dict(PREFIXES)) or b""
    union = sorted_quads(ox.Quad(quad.subject, quad.predicate, quad.object) for quad in quads)
    return ox.serialize([quad.triple for quad in union], format=form, prefixes=dict(PREFIXES)) or b""


def _prov(document: ProvDocument, form: str) -> bytes:
    from provchain.graph._documents import serialize_document  # noqa: PLC0415 - see the top of this file

    return serialize_document(document, form).encode("utf-8", "backslashreplace")


def _save(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} could not be written: {error}", path=str(path)) from error
