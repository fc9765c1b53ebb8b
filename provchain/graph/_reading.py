"""Quads as statements: what was written as plain and qualified edges becomes one relation again.

Spec: https://www.w3.org/TR/prov-o/#qualified-terms
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import pyoxigraph as ox

from provchain.graph.quads import MADE_UP_NAME
from provchain.graph.statements import RELATIONS, Attribute, Element, Iri, Relation, Statement, Typed, Value
from provchain.terms import PROV, RDF, XSD

Edge: TypeAlias = tuple[str, str, str]  # kind, subject, object
Said: TypeAlias = dict[str, list[Value]]  # what one subject says: property to values

_ELEMENTS = {PROV.Entity: "entity", PROV.Activity: "activity", PROV.Agent: "agent"}
_PLAIN = {form.plain: kind for kind, form in RELATIONS.items()}
_QUALIFIED = {form.qualified: kind for kind, form in RELATIONS.items() if form.qualified}
_EDGES = _PLAIN.keys() | _QUALIFIED.keys()
_INTEGERS = frozenset((XSD.integer, XSD.int, XSD.long))


def read_quads(quads: Iterable[ox.Quad]) -> dict[str | None, list[Statement]]:
    """Sort quads into statements, graph by graph; the default graph is ``None``."""
    graphs: dict[str | None, dict[str, Said]] = {}
    for quad in quads:
        name = None if isinstance(quad.graph_name, ox.DefaultGraph) else _id(quad.graph_name)
        subject = quad.subject
        if isinstance(subject, ox.NamedNode | ox.BlankNode) and not isinstance(quad.object, ox.Triple):
            said = graphs.setdefault(name, {}).setdefault(_id(subject), {})
            said.setdefault(quad.predicate.value, []).append(_value(quad.object))
    return {name: list(_Graph(subjects).statements()) for name, subjects in graphs.items()}


class _Graph:
    """The subjects of one graph, read as elements and relations."""

    def __init__(self, subjects: dict[str, Said]) -> None:
        self._subjects = subjects
        self._elements = {
            subject for subject, said in subjects.items() if any(kind in _ELEMENTS for kind in said.get(RDF.type, ()))
        }

    def statements(self) -> Iterator[Statement]:
        for subject, said in self._subjects.items():
            yield from self._element(subject, said)
            yield from self._relations(subject, said)

    def _element(self, subject: str, said: Said) -> Iterator[Element]:
        types = [value for value in said.get(RDF.type, ()) if isinstance(value, Iri)]
        kinds = [_ELEMENTS[value] for value in types if value in _ELEMENTS]
        attributes = tuple(self._attributes(said))
        if not kinds:
            return
        rest = tuple(value for value in types if value not in _ELEMENTS)
        yield Element(kinds[0], subject, rest, attributes)
        for kind in kinds[1:]:  # an agent that is an entity too: its attributes are said once
            yield Element(kind, subject)

    def _attributes(self, said: Said) -> Iterator[Attribute]:
        for name, values in said.items():
            if name != RDF.type and name not in _PLAIN and name not in _QUALIFIED:
                yield from ((name, value) for value in values if not self._is_nested(value))

    def _is_nested(self, value: Value) -> bool:
        """Tell whether a value is a node of its own that PROV-DM has no word for."""
        if not isinstance(value, Iri):
            return False
        if value.startswith("_:"):
            return True
        said = self._subjects.get(value, {})
        return value not in self._elements and not said.keys() <= _EDGES

    def _relations(self, subject: str, said: Said) -> Iterator[Relation]:
        qualified: set[tuple[str, str]] = set()
        for name in said.keys() & _QUALIFIED.keys():
            for node in said[name]:
                if isinstance(node, Iri) and node in self._subjects:
                    relation = self._qualified(_QUALIFIED[name], subject, node)
                    qualified.add((relation.kind, relation.object or ""))
                    yield relation
        for name in said.keys() & _PLAIN.keys():
            kind = _PLAIN[name]
            for target in said[name]:
                if isinstance(target, Iri) and (kind, str(target)) not in qualified:
                    yield Relation(kind, subject, target, plain=True)

    def _qualified(self, kind: str, subject: str, node: str) -> Relation:
        said, form = self._subjects[node], RELATIONS[kind]
        ends = [value for value in said.get(form.end, ()) if isinstance(value, Iri)]
        own = {form.type}
        types = tuple(value for value in said.get(RDF.type, ()) if isinstance(value, Iri) and value not in own)
        about = tuple((name, value) for name, value in self._attributes(said) if name != form.end)
        iri = None if node.startswith((MADE_UP_NAME, "_:")) else node
        return Relation(kind, subject, ends[0] if ends else None, about, iri, types)


def _id(node: ox.NamedNode | ox.BlankNode) -> str:
    return node.value if isinstance(node, ox.NamedNode) else f"_:{node.value}"


def _value(term: ox.NamedNode | ox.BlankNode | ox.Literal) -> Value:
    if not isinstance(term, ox.Literal):
        return Iri(_id(term))
    datatype, text = term.datatype.value, term.value
    if term.language:
        return Typed(text, "", term.language)
    if datatype == XSD.string:
        return text
    if datatype == XSD.boolean and text in ("true", "false"):
        return text == "true"
    if datatype in _INTEGERS and text.lstrip("-").isdecimal() and len(text) < 40:
        return int(text)
    return Typed(text, datatype)
