"""PROV statements, between records, quads and PROV documents.

A statement is an element (entity, activity, agent) or a relation of PROV-DM, with attributes. It knows neither an RDF
engine nor `prov`: both are written from it, and both are read into it, so there is one mapping and not three.

Spec: https://www.w3.org/TR/prov-dm/
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from provchain.terms import PROV

__all__ = [
    "RELATIONS",
    "Attribute",
    "Element",
    "Iri",
    "Node",
    "Relation",
    "RelationType",
    "Statement",
    "Typed",
    "Value",
]


class Iri(str):
    """A value that names something, as against a text."""

    __slots__ = ()


class Typed(NamedTuple):
    """A literal that is neither text, whole number nor boolean.

    Attributes:
        lexical: As written.
        datatype: The IRI of its datatype; empty where it has a language.
        language: A language tag, or empty.
    """

    lexical: str
    datatype: str
    language: str = ""


Value: TypeAlias = Iri | str | int | Typed
Attribute: TypeAlias = tuple[str, Value]


class Node(NamedTuple):
    """A node that PROV-DM has no word for (a selector, a test result): written to RDF, left out of PROV documents.

    What it says must stand in flat ``pc:`` attributes of its owner too.
    """

    property: str
    id: str
    types: tuple[str, ...]
    attributes: tuple[Attribute, ...]


class Element(Struct, frozen=True):
    """An entity, activity or agent.

    Attributes:
        kind: ``"entity"``, ``"activity"`` or ``"agent"``.
        id: Its IRI.
        types: IRIs of its classes beside PROV's own.
        attributes: Property IRI and value, flat.
        nodes: What only RDF can hold.
    """

    kind: str
    id: str
    types: tuple[str, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    nodes: tuple[Node, ...] = ()


class Relation(Struct, frozen=True):
    """A relation of PROV-DM.

    Attributes:
        kind: A key of `RELATIONS`.
        subject: IRI of what depends, or ``None`` where the source does not say.
        object: IRI of what it depends on, or ``None`` where the source does not say.
        attributes: What is said about the relation itself (role, plan, time, activity), in the terms of PROV-O.
        id: IRI of the relation itself, where it has one.
        types: IRIs of its classes beside PROV's own.
        plain: Whether the plain edge is all there is to say, so that no qualified one is written.
    """

    kind: str
    subject: str | None
    object: str | None
    attributes: tuple[Attribute, ...] = ()
    id: str | None = None
    types: tuple[str, ...] = ()
    plain: bool = False


Statement: TypeAlias = Element | Relation


class RelationType(NamedTuple):
    """How PROV-O writes one relation: the plain property, and the qualified one with its class and its far end."""

    plain: str
    qualified: str = ""
    type: str = ""
    end: str = ""


def _relation_types(rows: Iterable[tuple[str, ...]]) -> dict[str, RelationType]:
    return {row[0].rpartition("#")[2]: RelationType(*row) for row in rows}


RELATIONS: dict[str, RelationType] = _relation_types(
    (
        (PROV.used, PROV.qualifiedUsage, PROV.Usage, PROV.entity),
        (PROV.wasGeneratedBy, PROV.qualifiedGeneration, PROV.Generation, PROV.activity),
        (PROV.wasDerivedFrom, PROV.qualifiedDerivation, PROV.Derivation, PROV.entity),
        (PROV.wasRevisionOf, PROV.qualifiedRevision, PROV.Revision, PROV.entity),
        (PROV.wasQuotedFrom, PROV.qualifiedQuotation, PROV.Quotation, PROV.entity),
        (PROV.hadPrimarySource, PROV.qualifiedPrimarySource, PROV.PrimarySource, PROV.entity),
        (PROV.wasAttributedTo, PROV.qualifiedAttribution, PROV.Attribution, PROV.agent),
        (PROV.wasAssociatedWith, PROV.qualifiedAssociation, PROV.Association, PROV.agent),
        (PROV.actedOnBehalfOf, PROV.qualifiedDelegation, PROV.Delegation, PROV.agent),
        (PROV.wasInformedBy, PROV.qualifiedCommunication, PROV.Communication, PROV.activity),
        (PROV.wasStartedBy, PROV.qualifiedStart, PROV.Start, PROV.entity),
        (PROV.wasEndedBy, PROV.qualifiedEnd, PROV.End, PROV.entity),
        (PROV.wasInvalidatedBy, PROV.qualifiedInvalidation, PROV.Invalidation, PROV.activity),
        (PROV.wasInfluencedBy, PROV.qualifiedInfluence, PROV.Influence, PROV.influencer),
        (PROV.specializationOf,),
        (PROV.alternateOf,),
        (PROV.hadMember,),
        (PROV.mentionOf,),
    )
)
"""The relations of PROV-DM by the local name of their plain property."""
