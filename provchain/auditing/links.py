"""Which claims rest on which values: the pools are searched in the order of what they prove.

Executions' output first; then manuscripts that executions wrote, for other manuscripts; then a claim's own manuscript, if an
execution wrote it; typed bytes last, only to say where a number comes from. Numbers that were typed into a script as text
are marked, wherever they were found.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal

import msgspec
from msgspec import Struct

from provchain.auditing.closure import Closure
from provchain.auditing.evidence import Evidence, original_writer
from provchain.auditing.fixed import mark_fixed
from provchain.auditing.literals import Literals
from provchain.history import History
from provchain.linking import find_links, link_settings
from provchain.linking.derived import derived_links
from provchain.linking.impossible_changes import impossible_changes
from provchain.model import (
    Artifact,
    Claim,
    ClaimKind,
    ClaimRole,
    Kind,
    Link,
    Relation,
    Study,
    Tier,
    Value,
    Verdict,
)
from provchain.papers import as_result, is_cited_row, without_citations

__all__ = ["Linked", "link_changes", "link_claims", "mark_typed", "with_own_rows"]

# A place found by a cell's column alone, or by a bare value: it gives way to a typed place that fits row and column.
_LOOSE_RULES = ("5.7 cell labels", "5.9 lone")
_TABLE_RULE = "5.7 table"


class Linked(Struct):
    """What links were found.

    Attributes:
        links: Links to evidence, of every tier.
        typed: For claims without evidence, links to typed bytes.
        values: All operands that are values, by id.
    """

    links: list[Link]
    typed: list[Link]
    values: dict[str, Value]


def with_own_rows(study: Study, claims: Sequence[Claim], evidence: Evidence, texts: Mapping[str, str]) -> list[Claim]:
    """Take the rows that cite other work, but whose labels the study's own files hold, for the results that they are.

    A citation in the label of a row says whose number it is, or only what a method or a place is called after. Where an
    execution left a value under the labels of a cell, and the cell agrees with it or contradicts it, the row is the
    study's own. A value that another row of the table already agrees with is that row's, and one that was typed into the
    script that printed it is no measurement.

    Args:
        study: The study.
        claims: All claims.
        evidence: The pools.
        texts: What artifacts hold.

    Returns:
        All claims, in their order.
    """
    tables = {(claim.path, claim.table) for claim in claims if is_cited_row(claim)}
    if not tables:
        return list(claims)
    tried = [
        as_result(claim)
        for claim in _called_plainly(claims)
        if (claim.path, claim.table) in tables and (claim.role is ClaimRole.RESULT or is_cited_row(claim))
    ]
    cited = {claim.id: claim for claim in claims if is_cited_row(claim)}
    links = [link for link in find_links(tried, evidence.found, figures={}) if link.rule == _TABLE_RULE]
    values = {value.id: value for value in evidence.found}
    mark_typed(study, links, values, Literals(study, texts))
    taken = {operand for link in links if link.agrees and link.claim not in cited for operand in link.operands}
    own = {
        _row_of(cited[link.claim])
        for link in links
        if link.claim in cited and not any(operand in taken or values[operand].typed_in for operand in link.operands)
    }
    return [as_result(claim) if is_cited_row(claim) and _row_of(claim) in own else claim for claim in claims]


def _called_plainly(claims: Sequence[Claim]) -> list[Claim]:
    """Take citations off the labels of rows, where no two rows of a table are then called the same."""
    rows: dict[tuple[str, int | None], dict[str, str]] = defaultdict(dict)
    for claim in claims:
        if claim.row is not None:
            rows[claim.path, claim.table].setdefault(claim.row, without_citations(claim.row))
    plain: dict[tuple[str, int | None, str | None], str] = {}
    for (path, table), labels in rows.items():
        called = Counter(labels.values())
        plain |= {(path, table, row): label for row, label in labels.items() if label and called[label] == 1}
    return [
        msgspec.structs.replace(claim, row=plain.get((claim.path, claim.table, claim.row), claim.row))
        if claim.row is not None
        else claim
        for claim in claims
    ]


def _row_of(claim: Claim) -> tuple[str, int | None, int]:
    return claim.path, claim.table, claim.cell[0] if claim.cell else 0


def link_claims(history: History, evidence: Evidence, closure: Closure) -> Linked:
    """Link the claims of a study.

    Args:
        history: The study with its claims, what its artifacts hold, and what was made up inside them.
        evidence: The pools.
        closure: The standing of artifacts.

    Returns:
        The links and the values they rest on.
    """
    study, claims, texts = history.study, history.study.claims, history.texts
    results = _called_plainly(claims)
    results = [claim for claim in results if claim.role is ClaimRole.RESULT and claim.kind is not ClaimKind.STATEMENT]
    numbers = [claim for claim in results if claim.kind is ClaimKind.NUMBER]
    settings = [claim for claim in claims if claim.role is ClaimRole.SETTING]
    papers = _papers(study, texts)
    typed = [link for link in find_links(numbers, evidence.typed, figures={}, papers=papers) if link.agrees]
    links = _without_loose(find_links(results, evidence.found, figures=evidence.figures, papers=papers), typed)
    agreed = {link.claim for link in links if link.agrees}
    links += _retold(study, [claim for claim in numbers if claim.id not in agreed], evidence)
    agreed = {link.claim for link in links if link.agrees}
    links += link_settings(settings, evidence.settings)
    typed += _told_settings(settings, links, evidence)
    pools = (evidence.found, evidence.retold, evidence.typed, evidence.settings)
    values = {value.id: value for pool in pools for value in pool}
    literals = Literals(study, texts)
    own, quoted = _own_manuscript(study, claims, closure, literals)
    values.update(quoted)
    mark_typed(study, links, values, literals)
    mark_fixed(study, links, values, texts, history.invented)
    return Linked(links + own, [link for link in typed if link.claim not in agreed], values)


def _told_settings(settings: Sequence[Claim], links: list[Link], evidence: Evidence) -> list[Link]:
    """Link settings that no configuration names to the results that tell them; what the agent typed is given back."""
    for values in (evidence.found, evidence.typed):
        linked = {link.claim for link in links}
        told = link_settings([claim for claim in settings if claim.id not in linked], values, results=True)
        if values is evidence.typed:
            return told
        links += told
    return []


def link_changes(claims: Sequence[Claim], linked: Linked) -> None:
    """Link what follows from other numbers of a manuscript to what these rest on, and oppose what cannot follow.

    Args:
        claims: All claims.
        linked: Their links, to which these are added: to typed bytes where an operand is typed.
    """
    linked.links += derived_links(claims, linked.links, linked.values)
    agreed = {link.claim for link in linked.links if link.agrees and link.tier is not Tier.MANUSCRIPT}
    derived = derived_links(claims, [*linked.links, *linked.typed], linked.values)
    linked.typed += [link for link in derived if link.agrees and link.claim not in agreed]
    linked.links += impossible_changes(claims, [*linked.links, *linked.typed])


def _papers(study: Study, texts: Mapping[str, str]) -> dict[str, str]:
    manuscripts = [artifact for artifact in study.artifacts if artifact.on_disk and artifact.kind is Kind.MANUSCRIPT]
    return {artifact.path: texts[artifact.id] for artifact in manuscripts if artifact.id in texts}


def _without_loose(links: Sequence[Link], typed: Sequence[Link]) -> list[Link]:
    """Drop what was found loosely where a typed table holds the number under both of its labels."""
    tabled = {link.claim for link in typed if link.rule == _TABLE_RULE}
    return [link for link in links if not (link.claim in tabled and link.rule in _LOOSE_RULES)]


def _retold(study: Study, claims: Sequence[Claim], evidence: Evidence) -> list[Link]:
    """Link claims to what executions wrote into other manuscripts; the same bytes are the same manuscript."""
    digests = {artifact.path: artifact.sha256 for artifact in study.artifacts if artifact.on_disk}
    by_id = {artifact.id: artifact for artifact in study.artifacts}
    by_paper: dict[str, list[Claim]] = {}
    for claim in claims:
        by_paper.setdefault(claim.path, []).append(claim)

    def is_same(value: Value, path: str) -> bool:
        artifact = by_id[value.artifact]
        return artifact.on_disk and (artifact.path == path or artifact.sha256 == digests.get(path, ""))

    links: list[Link] = []
    for path, own in by_paper.items():
        others = [value for value in evidence.retold if not is_same(value, path)]
        links += [link for link in find_links(own, others, figures={}) if link.agrees]
    return links


def _own_manuscript(
    study: Study, claims: Sequence[Claim], closure: Closure, literals: Literals
) -> tuple[list[Link], dict[str, Value]]:
    """Link claims to their own manuscript, where an execution wrote it and nobody has edited it since."""
    executions = {execution.id for execution in study.executions if not execution.is_copy}
    by_id = {artifact.id: artifact for artifact in study.artifacts}
    written: dict[str, Artifact] = {}
    for artifact in study.artifacts:
        if not artifact.on_disk or artifact.altered or original_writer(artifact, by_id) not in executions:
            continue
        if closure.standing(artifact.id).verdict is not Verdict.AUTHORED:
            written[artifact.path] = artifact
    links: list[Link] = []
    quoted: dict[str, Value] = {}
    for claim in claims:
        manuscript = written.get(claim.path)
        if manuscript is None or claim.role not in (ClaimRole.RESULT, ClaimRole.SETTING):
            continue
        operand = manuscript.id
        if claim.kind is ClaimKind.NUMBER and (
            place := literals.place(manuscript, claim.line, claim.written, claim.column)
        ):
            value = _typed_number(claim, manuscript, place)
            quoted[value.id] = value
            operand = value.id
        links.append(_own_link(claim, operand))
    return links, quoted


def _typed_number(claim: Claim, manuscript: Artifact, place: str) -> Value:
    selector = f"line={claim.line}"
    identifier = f"{manuscript.id}!{selector};c{claim.column}"
    return Value(identifier, manuscript.id, manuscript.path, selector, claim.written, Decimal(0), typed_in=place)


def _own_link(claim: Claim, operand: str) -> Link:
    rule = "manuscript written by an execution"
    return Link(f"manuscript:{claim.id}", claim.id, (operand,), Relation.QUOTED, Tier.MANUSCRIPT, rule)


def mark_typed(study: Study, links: Sequence[Link], values: dict[str, Value], literals: Literals) -> None:
    """Mark the operands that stand as text in the script that wrote them.

    Args:
        study: The study.
        links: The links whose operands are looked at.
        values: The operands that are values, by id; marked ones are replaced.
        literals: The texts of the scripts.
    """
    by_id = {artifact.id: artifact for artifact in study.artifacts}
    for operand in {operand for link in links for operand in link.operands}:
        value = values.get(operand)
        if value is None or value.artifact not in by_id:
            continue
        if not value.selector.startswith("line="):
            artifact = by_id[value.artifact]
            if place := literals.command_place(artifact, value.lexical) or literals.constant_place(artifact, value):
                values[operand] = msgspec.structs.replace(value, typed_in=place)
            continue
        line = value.selector.removeprefix("line=").partition(";")[0].partition("/")[0]
        if line.isdigit() and (
            place := literals.place(by_id[value.artifact], int(line), value.lexical)
            or literals.constant_place(by_id[value.artifact], value)
        ):
            values[operand] = msgspec.structs.replace(value, typed_in=place)
