"""What becomes of sentences that compare: they rest on the cells of the tables that they compare.

A sentence that its cells deny is contradicted by them. One that follows from them holds as they hold: it gets their verdict.
All others stay with a reader.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import msgspec

from provchain.auditing.case import MAX_EVIDENCE
from provchain.linking.comparatives import Compared, compare_statements
from provchain.model import Break, Claim, Evidence, Judgement, Link, Outcome, Relation, Tier, Verdict

__all__ = ["judge_statements"]

_RULE = "5.10 comparative"
_ORDER = {verdict: index for index, verdict in enumerate(Verdict)}
# What a cell may be without saying anything for or against a comparison that it is part of.
_NEUTRAL = (Verdict.CITED, Verdict.NOT_A_RESULT, Verdict.CONFIGURED)


def judge_statements(
    judgements: Mapping[str, Judgement], claims: Sequence[Claim], links: Sequence[Link], papers: Mapping[str, str]
) -> tuple[dict[str, Judgement], list[Link]]:
    """Decide the statements that the tables of their manuscripts decide.

    Args:
        judgements: The verdicts by claim id.
        claims: All claims.
        links: The links of all claims.
        papers: Path of each manuscript to its text.

    Returns:
        The verdicts, those of statements decided where they were left to a reader, and a link for each of these.

    Spec: docs/reference/matching.md, 5.10; docs/reference/verdicts.md, "One claim".
    """
    decided = dict(judgements)
    made: list[Link] = []
    by_id = {link.id: link for link in links}
    for compared in compare_statements(claims, papers):
        if judgements[compared.claim].verdict is not Verdict.AMBIGUOUS or judgements[compared.claim].links:
            continue
        cells = [judgements[cell] for cell in compared.cells]
        operands = tuple(
            dict.fromkeys(o for cell in cells for link in cell.links[:1] if link in by_id for o in by_id[link].operands)
        )
        judgement = _denied(compared, cells, claims) if not compared.follows else _held(compared, cells)
        if judgement is None:
            continue
        if operands:
            link = _link(compared, operands)
            made.append(link)
            judgement = msgspec.structs.replace(judgement, links=(link.id,))
        decided[compared.claim] = judgement
    return decided, made


def _denied(compared: Compared, cells: Sequence[Judgement], claims: Sequence[Claim]) -> Judgement | None:
    if any(cell.verdict is Verdict.CONTRADICTED for cell in cells):
        return None  # the cell is what is wrong, and the sentence may be right
    first = next(claim for claim in claims if claim.id == compared.cells[0])
    why = f"it does not follow from the table: {compared.why}"
    broken = Break(Verdict.CONTRADICTED.value, f"{first.path}:{first.line}", why)
    return Judgement(compared.claim, Verdict.CONTRADICTED, _evidence(cells), broken)


def _held(compared: Compared, cells: Sequence[Judgement]) -> Judgement | None:
    """The verdict of the cells: the worst of those that fail, else what is open, else what holds."""
    note = f"it follows from the table: {compared.why}"
    telling = [cell for cell in cells if cell.verdict not in _NEUTRAL]
    if not telling or any(cell.verdict is Verdict.CONTRADICTED for cell in cells):
        return None
    failed = [cell for cell in telling if cell.outcome is Outcome.FAILED]
    if failed:
        worst = min(failed, key=lambda cell: _ORDER[cell.verdict])
        return msgspec.structs.replace(
            worst, claim=compared.claim, evidence=_evidence([worst, *cells]), note=note, links=()
        )
    opened = [cell for cell in telling if cell.outcome is not Outcome.PASSED]
    if opened:
        first = opened[0]
        return msgspec.structs.replace(
            first, claim=compared.claim, evidence=_evidence(cells), note=f"{note}; its cells are open", links=()
        )
    verdict = max((cell.verdict for cell in telling), key=_ORDER.__getitem__)  # with a deviation, if any cell has one
    return Judgement(compared.claim, verdict, _evidence(cells), note=note)


def _evidence(cells: Sequence[Judgement]) -> tuple[Evidence, ...]:
    rows = dict.fromkeys(row for cell in cells for row in cell.evidence)
    return tuple(rows)[:MAX_EVIDENCE]


def _link(compared: Compared, operands: tuple[str, ...]) -> Link:
    digest = hashlib.sha256(
        "\x1f".join((compared.claim, _RULE, *operands)).encode("utf-8", "surrogatepass")
    ).hexdigest()
    return Link(
        digest[:16],
        compared.claim,
        operands,
        Relation.DERIVED,
        Tier.LABELS,
        _RULE,
        agrees=compared.follows,
        note=compared.why,
    )
