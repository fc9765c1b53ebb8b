"""Statements as records of `prov`, and back.

Only `interchange` may import this, and only on use: `prov` costs 0.1 s, and an audit does not need it.

Spec: https://www.w3.org/TR/prov-dm/, https://openprovenance.org/prov-json/
"""

from __future__ import annotations

import datetime
import math
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from io import StringIO
from typing import Any, NamedTuple, cast

from prov import Error
from prov.identifier import Identifier, Namespace, QualifiedName
from prov.model import Literal, ProvBundle, ProvDocument, ProvRecord
from prov.serializers import Serializer
from prov.serializers.provjson import ProvJSONSerializer

from provchain.errors import InvalidGraphError, MissingExtraError
from provchain.graph._names import canonical_time
from provchain.graph.iris import parse_iri, study_iri
from provchain.graph.statements import Attribute, Element, Iri, Relation, Statement, Typed, Value
from provchain.terms import PC, PREFIXES, PROV, RDF, RDFS, XSD

_STUDY_PREFIX = "study"
# The plainest names last: a name is split where its local part begins.
_SPLIT = re.compile(r"(.*[#/:])([^#/:]+)", re.DOTALL)


class _Form(NamedTuple):
    """How PROV-DM writes one relation: its record type, its two ends, and its other formal attributes."""

    record: str
    subject: str
    object: str
    others: dict[str, str]
    subtype: str = ""


_DERIVATION = ("generatedEntity", "usedEntity")
_HOW_DERIVED = {PROV.hadActivity: "activity", PROV.hadGeneration: "generation", PROV.hadUsage: "usage"}
_TIMED = {PROV.atTime: "time"}
_FORMS = {
    "used": _Form("Usage", "activity", "entity", _TIMED),
    "wasGeneratedBy": _Form("Generation", "entity", "activity", _TIMED),
    "wasDerivedFrom": _Form("Derivation", *_DERIVATION, _HOW_DERIVED),
    "wasRevisionOf": _Form("Derivation", *_DERIVATION, _HOW_DERIVED, PROV.Revision),
    "wasQuotedFrom": _Form("Derivation", *_DERIVATION, _HOW_DERIVED, PROV.Quotation),
    "hadPrimarySource": _Form("Derivation", *_DERIVATION, _HOW_DERIVED, PROV.PrimarySource),
    "wasAttributedTo": _Form("Attribution", "entity", "agent", {}),
    "wasAssociatedWith": _Form("Association", "activity", "agent", {PROV.hadPlan: "plan"}),
    "actedOnBehalfOf": _Form("Delegation", "delegate", "responsible", {PROV.hadActivity: "activity"}),
    "wasInformedBy": _Form("Communication", "informed", "informant", {}),
    "wasStartedBy": _Form("Start", "activity", "trigger", {PROV.hadActivity: "starter", **_TIMED}),
    "wasEndedBy": _Form("End", "activity", "trigger", {PROV.hadActivity: "ender", **_TIMED}),
    "wasInvalidatedBy": _Form("Invalidation", "entity", "activity", _TIMED),
    "wasInfluencedBy": _Form("Influence", "influencee", "influencer", {}),
    "specializationOf": _Form("Specialization", "specificEntity", "generalEntity", {}),
    "alternateOf": _Form("Alternate", "alternate1", "alternate2", {}),
    "hadMember": _Form("Membership", "collection", "entity", {}),
    "mentionOf": _Form("Mention", "specificEntity", "generalEntity", {PROV.asInBundle: "bundle"}),
}
_KINDS = {form.record: kind for kind, form in _FORMS.items() if not form.subtype}
_SUBTYPES = {form.subtype: kind for kind, form in _FORMS.items() if form.subtype}
_ELEMENTS = {"entity": "Entity", "activity": "Activity", "agent": "Agent"}
_TIMES = {PROV.startedAtTime: "startTime", PROV.endedAtTime: "endTime"}
# PROV-O and PROV-DM name these differently
_NAMES = {RDFS.label: "label", PROV.atLocation: "location", PROV.hadRole: "role", RDF.type: "type"}
_DM_NAMES = {PROV.base + name: iri for iri, name in _NAMES.items()}


# ------------------------------------------------------------------------------------------------ statements → prov


def build_document(
    graphs: Mapping[str | None, Iterable[Statement]], study: str | None = None, *, flat: bool = False
) -> ProvDocument:
    """Make a document of statements: all of them at its top level, and a bundle for each named graph.

    Args:
        graphs: IRI of the graph to its statements; ``None`` is the default graph.
        study: Id of the study whose names get a prefix of their own.
        flat: Leave the bundles out.
    """
    document = ProvDocument()
    writer = DocumentWriter(document, study)
    for statements in graphs.values():
        writer.write(statements, document)
    for graph, statements in graphs.items():
        if graph is not None and not flat:
            writer.write(statements, document.bundle(writer.name(graph)))
    return document


class DocumentWriter:
    """Write statements into a `prov` document, its namespaces first."""

    def __init__(self, document: ProvDocument, study: str | None = None) -> None:

        self._names: dict[str, QualifiedName] = {}
        self._spaces = {}
        bases = {prefix: base for prefix, base in PREFIXES.items() if prefix not in ("prov", "xsd")}
        if study is not None:
            bases[_STUDY_PREFIX] = study_iri(study) + ":"
        for prefix, base in bases.items():
            self._spaces[base] = document.add_namespace(Namespace(prefix, base))
        for prefix in ("prov", "xsd"):
            self._spaces[PREFIXES[prefix]] = Namespace(prefix, PREFIXES[prefix])
        self._document = document

    def write(self, statements: Iterable[Statement], bundle: ProvBundle) -> None:
        """Add statements to a bundle, or to the document itself."""
        for statement in statements:
            if isinstance(statement, Element):
                self._element(statement, bundle)
            else:
                self._relation(statement, bundle)

    def name(self, iri: str) -> QualifiedName:
        """Make the qualified name of an IRI."""
        found = self._names.get(iri)
        if found is None:
            found = self._names[iri] = self._split(iri)
        return found

    def _split(self, iri: str) -> QualifiedName:

        for base, space in self._spaces.items():
            if iri.startswith(base) and len(iri) > len(base):
                return space[iri[len(base) :]]
        ours = parse_iri(iri)
        if ours is not None:
            base, prefix = study_iri(ours.study) + ":", _STUDY_PREFIX
        else:
            split = _SPLIT.fullmatch(iri)
            base, prefix = (split[1] if split else iri), "ns"
        space = self._spaces[base] = self._document.add_namespace(Namespace(self._free(prefix), base))
        return space[iri[len(base) :]]

    def _free(self, prefix: str) -> str:
        taken = {space.prefix for space in self._spaces.values()}
        return next(name for name in (prefix, *(f"{prefix}{i}" for i in range(1, len(taken) + 2))) if name not in taken)

    def _element(self, element: Element, bundle: ProvBundle) -> None:
        formal = {
            self.name(PROV.base + _TIMES[name]): _plain(value)
            for name, value in element.attributes
            if name in _TIMES and element.kind == "activity"
        }
        others = [
            (self._attribute(name), self._value(value)) for name, value in element.attributes if name not in _TIMES
        ]
        types = [(self.name(PROV.base + "type"), self.name(kind)) for kind in element.types]
        kind = self.name(PROV.base + _ELEMENTS[element.kind])
        bundle.new_record(kind, self.name(element.id), formal, types + others)

    def _relation(self, relation: Relation, bundle: ProvBundle) -> None:
        form = _FORMS[relation.kind]
        formal: dict[QualifiedName, Any] = {}
        for end, iri in ((form.subject, relation.subject), (form.object, relation.object)):
            if iri is not None:
                formal[self.name(PROV.base + end)] = self.name(iri)
        others = [(self.name(PROV.base + "type"), self.name(kind)) for kind in (*relation.types, form.subtype) if kind]
        for name, value in relation.attributes:
            if name in form.others:
                # the first counts: PROV-DM allows one
                formal.setdefault(self.name(PROV.base + form.others[name]), self._value(value))
            else:
                others.append((self._attribute(name), self._value(value)))
        kind = self.name(PROV.base + form.record)
        bundle.new_record(kind, self.name(relation.id) if relation.id else None, formal, others)

    def _attribute(self, iri: str) -> QualifiedName:
        return self.name(PROV.base + _NAMES[iri] if iri in _NAMES else iri)

    def _value(self, value: Value) -> Any:

        if isinstance(value, Iri):
            return self.name(value)
        if not isinstance(value, Typed):
            return value
        if value.language:
            return Literal(value.lexical, langtag=value.language)
        return Literal(value.lexical, self.name(value.datatype)) if value.datatype else value.lexical


def _plain(value: Value) -> Any:
    return value.lexical if isinstance(value, Typed) else value


def serialize_document(document: ProvDocument, form: str) -> str:
    """Write a document as ``"json"``, ``"jsonld"``, ``"provn"`` or ``"xml"``.

    Each serializer is called by itself: `prov`'s registry would import rdflib to list it.

    Raises:
        MissingExtraError: PROV-XML needs lxml.
        InvalidGraphError: The format cannot hold what the document says.
    """
    text = StringIO()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PROV-N warns of names that it must percent-encode
            if form == "provn":
                return document.get_provn()
            _serializer(form)(document).serialize(text)
    except (Error, ValueError, TypeError, RecursionError) as error:
        raise InvalidGraphError(f"PROV-{form.upper()} cannot hold this document: {error}") from error
    return text.getvalue()


def _serializer(form: str) -> type[Serializer]:
    if form == "json":
        return ProvJSONSerializer
    try:
        module = import_module(f"prov.serializers.prov{form}")
    except ModuleNotFoundError as error:
        raise MissingExtraError(form) from error
    return cast("type[Serializer]", getattr(module, f"Prov{form.upper()}Serializer"))


# ------------------------------------------------------------------------------------------------ prov → statements


def read_records(records: Iterable[ProvRecord]) -> Iterator[Statement]:
    """Read the records of a document or bundle as statements.

    A revision, quotation or primary source is a derivation too, by PROV-O, and is stated as both; not so an overwritten
    state of ours, which says of itself that nothing was carried over.
    """
    for record in records:
        kind = record.get_type().localpart
        if kind in _KINDS:
            yield from _read_relation(record, _KINDS[kind])
        elif record.identifier is not None:
            yield _read_element(record, kind.lower())


def _read_element(record: ProvRecord, kind: str) -> Element:
    types, attributes = _read_attributes(record, {name: iri for iri, name in _TIMES.items()})
    element_kind = kind if kind in _ELEMENTS else "entity"  # a bundle record is an entity
    return Element(element_kind, str(record.identifier.uri) if record.identifier else "", types, attributes)


def _read_relation(record: ProvRecord, kind: str) -> Iterator[Statement]:
    form = _FORMS[kind]
    ends = {name.localpart: value for name, value in record.formal_attributes if value is not None}
    subject, target = (_uri(ends.get(end)) for end in (form.subject, form.object))
    formal = {name: iri for iri, name in form.others.items()}
    types, attributes = _read_attributes(record, formal, skip=(form.subject, form.object))
    iri = record.identifier.uri if record.identifier else None
    if kind == "mentionOf":
        if subject is not None:
            yield Element("entity", subject, (), attributes)
        attributes = ()
    subtypes = [_SUBTYPES[type_] for type_ in types if type_ in _SUBTYPES] if kind == "wasDerivedFrom" else []
    rest = tuple(type_ for type_ in types if type_ not in _SUBTYPES) if subtypes else types
    if not subtypes or (PC.overwrites, True) not in attributes:
        nothing_more = not (attributes or rest or iri)
        plain = kind == "wasDerivedFrom" and nothing_more
        # one id names one node: it goes to the more telling of the two
        yield Relation(kind, subject, target, attributes, None if subtypes else iri, rest, plain)
    for subtype in subtypes:
        yield Relation(subtype, subject, target, attributes, iri, rest)


def _read_attributes(
    record: ProvRecord, formal: dict[str, str], skip: tuple[str, ...] = ()
) -> tuple[tuple[str, ...], tuple[Attribute, ...]]:
    types: list[str] = []
    attributes: list[Attribute] = []
    formal_names = {name for name, _ in record.formal_attributes}
    for name, value in record.attributes:
        if name in formal_names:
            if name.localpart in formal:
                attributes.append((formal[name.localpart], _read_value(value)))
            elif name.localpart not in skip:  # an end that this relation should not have: kept as it is
                attributes.append((name.uri, _read_value(value)))
            continue
        iri = _DM_NAMES.get(name.uri, name.uri)
        read = _read_value(value)
        if iri == RDF.type and isinstance(read, Iri):
            types.append(read)
        else:
            attributes.append((iri, read))
    return tuple(types), tuple(attributes)


def _uri(value: Any) -> Iri | None:
    return None if value is None else Iri(getattr(value, "uri", value))


def _read_value(value: Any) -> Value:

    if isinstance(value, QualifiedName):
        return Iri(value.uri)
    if isinstance(value, Identifier):
        return Typed(value.uri, XSD.anyURI)
    if isinstance(value, Literal):
        return Typed(
            value.value, value.datatype.uri if value.datatype and not value.langtag else "", value.langtag or ""
        )
    if isinstance(value, float):
        return Typed(_double(value), XSD.double)
    if isinstance(value, datetime.datetime):
        return Typed(canonical_time(value), XSD.dateTime)
    return value if isinstance(value, str | int) else str(value)


def _double(value: float) -> str:
    if math.isfinite(value):
        return repr(value)
    return "NaN" if math.isnan(value) else "INF" if value > 0 else "-INF"
