"""Artifacts, values, claims and links as PROV statements."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from provchain.graph._activities import Signed, outputs_of
from provchain.graph._names import Names, first_of_each, given, label
from provchain.graph.statements import Element, Iri, Node, Relation, Statement, Typed
from provchain.model import Artifact, Claim, Link, Tier, Value
from provchain.terms import DCTERMS, OA, PC, PROV, RDF, RDFS, SCHEMA, WFRUN, XSD

RANKS = {Tier.DECLARED: 0, Tier.LABELS: 1, Tier.LONE: 2, Tier.MANUSCRIPT: 3}
"""The tiers from the strongest to the weakest: a query compares numbers, not words."""

_SCHEMES = (  # how a selector is to be read, by its first characters
    ("cell=", Iri("http://tools.ietf.org/rfc/rfc7111")),
    ("page=", Iri("http://tools.ietf.org/rfc/rfc3778")),
    ("line=", Iri(PC.lineFragment)),  # RFC 5147 counts lines from 0, we from 1
    ("", Iri("http://tools.ietf.org/rfc/rfc6901")),
)
_EXACT_DIGITS = 18  # what a decimal of Oxigraph holds; beyond it a double says as much
_LARGEST_EXPONENT = 300  # of a double, with room to spare


def artifact_statements(names: Names) -> Iterator[Signed]:
    """State the artifacts: their paths, writers, revisions, copies and equal digests."""
    paths: set[str] = set()
    same: dict[str, str] = {}
    generations = _generations(names)
    for artifact in first_of_each(names.study.artifacts):
        iri, by = names("artifact", artifact.id), artifact.recorder
        if artifact.path not in paths:
            paths.add(artifact.path)
            yield by, path_statement(names, artifact.path)
        yield by, _artifact(names, artifact)
        yield by, Relation("specializationOf", iri, names("path", artifact.path))
        yield from _writing(names, artifact, generations.pop(artifact.id, None))
        if artifact.revision_of not in (None, artifact.id):
            yield (
                by,
                Relation("wasRevisionOf", iri, names("artifact", str(artifact.revision_of)), ((PC.overwrites, True),)),
            )
        if artifact.sha256:
            twin = same.setdefault(artifact.sha256, artifact.id)
            if twin not in (artifact.id, names.original(artifact.id)):
                yield by, Relation("alternateOf", iri, names("artifact", twin))
    for output, (kind, activity) in generations.items():  # an activity left something that has no record of its own
        yield "provchain", Relation("wasGeneratedBy", names("artifact", output), names(kind, activity))


def path_statement(names: Names, path: str) -> Element:
    """State a path, which all states of one file specialise."""
    about = given((RDFS.label, label(path)), (PC.path, path))
    return Element("entity", names("path", path), (PC.Path, PROV.Location), about)


def _generations(names: Names) -> dict[str, tuple[str, str]]:
    """Find the one writer of each artifact: (kind of the activity, its id)."""
    study, found = names.study, dict[str, tuple[str, str]]()
    # Should both claim one output, the authoring has it: the answer that supports nothing is the sound one.
    for kind, activities in (("authoring", study.authorings), ("execution", study.executions)):
        for activity in activities:
            generated = activity.generated
            outputs = (generated,) if isinstance(generated, str) else generated
            for output in outputs_of(names, activity.id, outputs):
                found.setdefault(output, (kind, activity.id))
    return found


def _artifact(names: Names, artifact: Artifact) -> Element:
    about = given(
        (PC.id, artifact.id),
        (RDFS.label, label(artifact.id)),
        (PC.path, artifact.path),
        (PROV.atLocation, names("path", artifact.path)),
        (PC.kind, artifact.kind.value),
        (WFRUN.sha256, artifact.sha256),
        (PC.external, artifact.external),
        (PC.altered, artifact.altered),
        (PC.madeUp, artifact.made_up),
        (PC.onDisk, artifact.on_disk),
        (PC.ordinal, artifact.ordinal),
        (PC.size, artifact.size),
    )
    return Element("entity", names("artifact", artifact.id), (PC.Artifact,), about)


def _writing(names: Names, artifact: Artifact, writer: tuple[str, str] | None) -> Iterator[Signed]:
    iri = names("artifact", artifact.id)
    if artifact.writer is not None and writer is None:  # the writer has no record: it supports nothing, and shows
        writer = ("execution", artifact.writer)
    activity = None if writer is None else names(*writer)
    if activity is not None:
        how = given((PC.knownFrom, artifact.known_from))
        yield artifact.recorder, Relation("wasGeneratedBy", iri, activity, how)
    source = names.original(artifact.id)
    if source is not None:
        original, how = names("artifact", source), given((PROV.hadActivity, activity))
        yield artifact.recorder, Relation("wasDerivedFrom", iri, original, how, plain=not how)
        yield artifact.recorder, Relation("wasQuotedFrom", iri, original, how)
        yield artifact.recorder, Relation("alternateOf", iri, original)


def value_statements(names: Names, wanted: set[str] | None) -> Iterator[Signed]:
    """State the values, each derived from its artifact.

    Args:
        names: The study.
        wanted: Ids of those to state, or ``None`` for all.
    """
    for value in first_of_each(names.study.values):
        if wanted is None or value.id in wanted:
            for statement in _value(names, value):
                yield value.recorder, statement


def _value(names: Names, value: Value) -> Iterator[Statement]:
    iri, artifact = names("value", value.id), names("artifact", value.artifact)
    about = given(
        (PC.id, value.id),
        (RDFS.label, label(" / ".join(value.labels))),
        (PC.path, value.path),
        (PC.selector, value.selector),
        (PC.lexical, value.lexical),
        (PROV.value, _number(value.number)),
        (PC.percent, value.percent),
        (PC.madeUp, True if value.typed_in or value.fixed_in else None),
        (PC.typedIn, value.typed_in or None),
        (PC.fixedIn, value.fixed_in or None),
        (OA.hasSource, artifact),
    )
    scheme = next(scheme for start, scheme in _SCHEMES if value.selector.startswith(start))
    place = given((RDF.value, value.selector), (DCTERMS.conformsTo, scheme))
    selector = Node(OA.hasSelector, names("selector", value.id), (OA.FragmentSelector,), place)
    yield Element("entity", iri, (PC.Value,), about, (selector,))
    yield Relation("wasDerivedFrom", iri, artifact, types=(PC.Extraction,))


def _number(number: Decimal) -> Typed | None:
    """Type a number; the way it is written is in ``pc:lexical``, since engines write typed literals their own way."""
    if not number.is_finite():
        return None  # it equals nothing, not even itself
    if -_EXACT_DIGITS <= number.adjusted() < _EXACT_DIGITS:
        text = format(number, "f")
        return Typed(text.rstrip("0").rstrip(".") if "." in text else text, XSD.decimal)
    return (
        Typed(repr(float(number)), XSD.double) if -_LARGEST_EXPONENT < number.adjusted() < _LARGEST_EXPONENT else None
    )


def claim_statements(names: Names) -> Iterator[Signed]:
    """State the claims and where they stand."""
    paths = {artifact.path for artifact in names.study.artifacts}
    for claim in first_of_each(names.study.claims):
        if claim.path not in paths:
            paths.add(claim.path)
            yield claim.recorder, path_statement(names, claim.path)
        yield claim.recorder, _claim(names, claim)


def _claim(names: Names, claim: Claim) -> Element:
    about = given(
        (PC.id, claim.id),
        (RDFS.label, label(claim.written)),
        (PC.kind, claim.kind.value),
        (PC.path, claim.path),
        (PC.line, claim.line),
        (PC.column, claim.column),
        (PC.written, claim.written),
        (PC.text, claim.text),
        (PC.role, claim.role.value),
        (PC.why, claim.why),
        (PC.section, " > ".join(claim.section)),
        (PC.row, claim.row),
        (PC.header, claim.header),
        (PC.caption, claim.caption),
        (PC.measured, claim.measured),
        (OA.hasSource, names("path", claim.path)),
    )
    quote, place = names("quote", claim.id), names("place", claim.id)
    where = given((PC.line, claim.line), (PC.column, claim.column))
    nodes = (
        Node(OA.hasSelector, quote, (OA.TextQuoteSelector,), ((OA.exact, claim.text),)),
        Node(OA.hasSelector, place, (PC.LineColumnSelector,), where),
    )
    return Element("entity", names("claim", claim.id), (PC.Claim, SCHEMA.Claim), about, nodes)


def link_statements(names: Names) -> Iterator[Signed]:
    """State the links, and for each accepted one the plain derivations of its claim."""
    derived: set[tuple[str, str]] = set()
    for link in first_of_each(names.study.links):
        yield link.recorder, _link(names, link)
        for operand in link.operands if link.agrees else ():
            if (link.claim, operand) not in derived:
                derived.add((link.claim, operand))
                claim, rests_on = names("claim", link.claim), names.operand(operand)
                yield link.recorder, Relation("wasDerivedFrom", claim, rests_on, plain=True)


def _link(names: Names, link: Link) -> Element:
    about = given(
        (PC.id, link.id),
        (PC.claim, names("claim", link.claim)),
        *((PC.operand, names.operand(operand)) for operand in dict.fromkeys(link.operands)),
        (PC.relation, link.relation.value),
        (PC.tier, link.tier.value),
        (PC.rule, link.rule),
        (PC.scale, link.scale),
        (PC.rank, RANKS[link.tier]),
        (PC.note, link.note),
    )
    about += ((PC.agrees, link.agrees),)
    return Element("entity", names("link", link.id), (PC.Link,), about)
