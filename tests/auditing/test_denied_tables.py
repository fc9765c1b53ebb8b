"""A result table that files contradict decides, also where too little else is known to weigh."""

from __future__ import annotations

import msgspec
import pytest

from provchain.auditing.outcome import decide_outcome
from provchain.auditing.policy import Policy
from provchain.model import Claim, ClaimKind, Judgement, StudyOutcome, Verdict

DENIED, GAP, GOOD, OPEN = Verdict.CONTRADICTED, Verdict.UNRECORDED, Verdict.SUPPORTED, Verdict.AMBIGUOUS
PROSE = [(GAP, None)] * 20


def outcome(results: list[tuple[Verdict, int | None]], *, table_rejects: bool = True) -> StudyOutcome:
    claims, judgements = [], {}
    for number, (verdict, table) in enumerate(results):
        name = f"c{number}"
        claims.append(Claim(name, ClaimKind.NUMBER, "paper.md", number, 1, "0.8", "0.8", table=table, measured=True))
        judgements[name] = Judgement(name, verdict)
    default = Policy(name="default")
    lines = msgspec.structs.replace(default.lines, failing_table_rejects=table_rejects)
    return decide_outcome(claims, judgements, msgspec.structs.replace(default, lines=lines))


@pytest.mark.parametrize("table", [[DENIED] * 4, [DENIED] * 5 + [GAP] * 4, [DENIED] * 5 + [OPEN]])
def test_most_of_a_table(table: list[Verdict]) -> None:
    assert outcome([*((one, 1) for one in table), *PROSE]) is StudyOutcome.UNSUPPORTED
    assert outcome([*((one, 1) for one in table), *PROSE], table_rejects=False) is StudyOutcome.UNDETERMINED


@pytest.mark.parametrize(
    "table",
    [
        [DENIED] * 3,  # too few cells to say that it is the table
        [DENIED] * 4 + [GAP] * 4,
        [DENIED] * 6 + [GOOD],  # what holds came from somewhere
        [GAP] * 9,
    ],
)
def test_less_than_that(table: list[Verdict]) -> None:
    assert outcome([*((one, 1) for one in table), *PROSE]) is StudyOutcome.UNDETERMINED


def test_cells_of_several_tables_make_none() -> None:
    scattered = [(DENIED, 1), (DENIED, 2), (DENIED, 3), (DENIED, 4)]
    assert outcome([*scattered, *PROSE]) is StudyOutcome.UNDETERMINED


def test_where_enough_is_known_the_results_are_weighed() -> None:
    assert outcome([*[(DENIED, 1)] * 4, *[(GOOD, None)] * 9]) is StudyOutcome.MIXED
