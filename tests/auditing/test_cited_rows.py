"""A row that cites other work is the study's own where the study's own files hold its labels."""

from __future__ import annotations

from decimal import Decimal

import pytest

from provchain.auditing.evidence import Evidence
from provchain.auditing.links import with_own_rows
from provchain.model import ClaimRole, Study, Value
from provchain.papers import read_claims

RESULT, CITED = ClaimRole.RESULT, ClaimRole.CITED
MEASURED = {
    "Aare": ("65.42", "46.146"),
    "Emme": ("19.89", "14.656"),
    "Simme": ("30.69", "21.183"),
}


def values(typed: str = "") -> list[Value]:
    found = []
    for row, (station, numbers) in enumerate(MEASURED.items(), 2):
        for column, (name, written) in enumerate(zip(("peak flow", "mean flow"), numbers, strict=True), 2):
            place = f"cell={row},{column}"
            found.append(
                Value(
                    f"out/peaks.csv#1!{place}",
                    "out/peaks.csv#1",
                    "out/peaks.csv",
                    place,
                    written,
                    Decimal(written),
                    (station, name),
                    typed_in="report.py:3" if station == typed else "",
                )
            )
    return found


def roles(*rows: str, section: str = "Results", found: list[Value] | None = None) -> dict[str, tuple[ClaimRole, bool]]:
    table = "".join(f"| {row} |\n" for row in rows)
    text = f"# Discharge\n\n## {section}\n\n| station | peak flow | mean flow |\n|---|---|---|\n{table}"
    evidence = Evidence(values() if found is None else found, [], [], [], {})
    claims = with_own_rows(Study("s"), read_claims("paper.md", text), evidence, {})
    return {claim.written: (claim.role, claim.measured) for claim in claims if claim.cell}


OWN = ("Aare | 65.42 | 46.146", "Emme | 19.89 | 14.656")


def test_what_the_files_hold_is_a_result() -> None:
    found = roles(*OWN, "Simme (Kunz et al., 2014) | 30.69 | 21.183")
    assert found["30.69"] == found["21.183"] == (RESULT, True)


def test_one_falsified_cell_does_not_hide_behind_a_citation() -> None:
    found = roles(*OWN, "Simme [4] | 39.96 | 21.183")
    assert found["39.96"] == (RESULT, True)


def test_a_row_that_differs_throughout_contradicts_too() -> None:
    assert roles(*OWN, "Simme [4] | 39.96 | 29.41")["39.96"] == (RESULT, True)


@pytest.mark.parametrize(
    "rows",
    [
        (*OWN, "Reuss [4] | 88.31 | 57.214"),  # no file knows it
        (*OWN, "Simme | 30.69 | 21.183", "Simme [4] | 31.82 | 22.407"),  # the file's value is that of the row above
        (*OWN, "Simme as reported in [4] | 39.96 | 29.41"),
    ],
)
def test_other_work_stays_cited(rows: tuple[str, ...]) -> None:
    (last,) = {role for written, role in roles(*rows).items() if f" {written}" in rows[-1] and "." in written}
    assert last == (CITED, False)


def test_what_was_typed_into_the_script_makes_no_row_its_own() -> None:
    found = roles(*OWN, "Simme [4] | 30.69 | 21.183", found=values(typed="Simme"))
    assert found["30.69"] == found["21.183"] == (CITED, False)


def test_an_own_row_counts_only_where_results_count() -> None:
    found = roles(*OWN, "Simme [4] | 30.69 | 21.183", section="Future work")
    assert found["30.69"] == (RESULT, False)


def test_without_a_cited_row_nothing_changes() -> None:
    claims = read_claims("paper.md", "| a | b |\n|---|---|\n| x | 0.123 |\n")
    assert with_own_rows(Study("s"), claims, Evidence([], [], [], [], {}), {}) == claims
