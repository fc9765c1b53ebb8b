"""What is printed: right at two widths, with and without colour and Unicode, and never more than text."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from provchain.model import Chain
from provchain.render.terminal import print_chain, print_report, print_rows, progress

Make = Callable[[str], Chain]
Golden = Callable[[str, str], None]


def printed(show: Callable[[Console], None], width: int = 80, *, colour: bool = False, encoding: str = "utf-8") -> str:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, errors="strict")
    console = Console(
        file=file,
        width=width,
        force_terminal=colour,
        color_system="truecolor" if colour else None,
        legacy_windows=False,
        _environ={},
    )
    show(console)
    file.flush()
    return raw.getvalue().decode(encoding)


@pytest.mark.parametrize("width", [80, 120])
def test_report_is_as_accepted(report: dict[str, Any], golden: Golden, width: int) -> None:
    text = printed(lambda console: print_report(report, console), width)
    golden(f"report-{width}.txt", text)
    assert max(map(len, text.splitlines())) <= width


def test_report_without_unicode_is_as_accepted(report: dict[str, Any], golden: Golden) -> None:
    text = printed(lambda console: print_report(report, console), encoding="ascii")
    golden("report-80-ascii.txt", text)
    assert text.isascii()


def test_chain_is_as_accepted(named_chain: tuple[str, Chain], golden: Golden) -> None:
    name, chain = named_chain
    text = printed(lambda console: print_chain(chain, console))
    golden(f"chain-{name}.txt", text)
    assert printed(lambda console: print_chain(chain, console), encoding="ascii").isascii()


def test_the_broken_link_is_marked(make_chain: Make) -> None:
    assert "✗ BREAK: the execution failed" in printed(lambda console: print_chain(make_chain("failed"), console))
    assert "x BREAK: the execution failed" in printed(
        lambda console: print_chain(make_chain("failed"), console), encoding="ascii"
    )
    assert "BREAK" not in printed(lambda console: print_chain(make_chain("holds"), console))


def test_answer_comes_first_and_in_words(report: dict[str, Any]) -> None:
    lines = printed(lambda console: print_report(report, console), 200).splitlines()
    assert lines[1].startswith("UNSUPPORTED: ")
    assert lines[2] == "Action: reject, do not rely on these results"
    assert lines[3].startswith("Why: 44 of 51 decided results fail (40 synthetic, 3 no-source, 1 authored)")
    assert lines[3].endswith("planned, but never completed: run_experiment.py.")


def test_cells_that_break_at_the_same_place_are_folded(report: dict[str, Any]) -> None:
    folded = printed(lambda console: print_report(report, console), 200)
    assert "38 more cells of table 3 break at the same place" in folded
    assert folded.count("✗ synthetic") == 2
    everything = printed(lambda console: print_report(report, console, everything=True), 200)
    assert everything.count("✗ synthetic") == 40


def test_coverage_says_what_was_not_checked(report: dict[str, Any]) -> None:
    text = printed(lambda console: print_report(report, console))
    assert "Not checked:\n  - figures: only their files are matched" in text


def test_foreign_text_is_neither_markup_nor_escape(report: dict[str, Any], make_chain: Make) -> None:
    plain = printed(lambda console: print_report(report, console))
    assert "[bold]x[/bold]" in plain
    assert "\x1b" not in plain
    coloured = printed(lambda console: print_report(report, console), colour=True)
    assert "\x1b[2J" not in coloured
    hostile = printed(lambda console: print_chain(make_chain("hostile"), console), colour=True)
    assert "\x1b[31mevil" not in hostile
    assert "\u202e" not in hostile
    assert "[red]x[/red]" in printed(lambda console: print_chain(make_chain("hostile"), console), 2000)


def test_colour_says_nothing_that_text_does_not(report: dict[str, Any]) -> None:
    import re

    coloured = printed(lambda console: print_report(report, console), colour=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == printed(lambda console: print_report(report, console))


def test_a_report_that_says_nearly_nothing_can_be_printed() -> None:
    text = printed(lambda console: print_report({"outcome": "undetermined", "action": "review"}, console))
    assert "UNDETERMINED" in text
    assert "no claim of a result was found" in text


def test_long_reports_stay_short(report: dict[str, Any]) -> None:
    report["claims"] = [claim | {"line": claim["line"] + 100 * n} for n in range(50) for claim in report["claims"]]
    assert len(printed(lambda console: print_report(report, console)).splitlines()) < 150


def test_rows_are_a_table_where_it_fits_and_blocks_where_not() -> None:
    rows = [["results/results.md", 38, None, "[red]\x1b[2J"]]
    table = printed(lambda console: print_rows(["path", "line", "note", "text"], rows, console), 80)
    assert "[red]<U+001B>[2J" in table
    assert "1 row" in table
    blocks = printed(lambda console: print_rows(["path", "line", "note", "text"], rows, console), 40)
    assert "path: results/results.md" in blocks
    assert printed(lambda console: print_rows(["a"], [], console)) == "no rows\n"


@pytest.mark.parametrize("width", [80, 120])
def test_names_are_not_broken_where_they_fit(width: int) -> None:
    rows = [
        [
            f"claim/3370a887024{n}",
            "supported",
            f"results/a long path of results {n}.md",
            n,
            "it says something else " * 3,
        ]
        for n in range(3)
    ]
    table = printed(lambda console: print_rows(["claim", "verdict", "path", "line", "why"], rows, console), width)
    assert all(f"claim/3370a887024{n}" in table for n in range(3))
    assert table.count("supported") == 3
    assert max(map(len, table.splitlines())) <= width


def test_a_reason_is_written_again_only_where_it_differs(report: dict[str, Any]) -> None:
    claims = [claim for claim in report["claims"] if claim["verdict"] == "no-source"]
    assert len(claims) == 3
    for width in (80, 120):
        report["claims"] = claims
        assert printed(lambda console: print_report(report, console), width).count("gives") == 1
        other = {**claims[2], "break": {**claims[2]["break"], "why": "its row leads to 541.0"}}
        report["claims"] = [*claims[:2], other]
        text = printed(lambda console: print_report(report, console), width)
        assert text.count("gives") == 1
        assert text.count("541.0") == 1


def test_a_note_is_written_again_only_where_it_differs(report: dict[str, Any]) -> None:
    one = next(claim for claim in report["claims"] if claim["verdict"] == "ambiguous")
    report["claims"] = [
        {**one, "line": 80 + n, "note": note} for n, note in enumerate(["too short", "too short", "other"])
    ]
    text = printed(lambda console: print_report(report, console))
    assert (text.count("too short"), text.count("other")) == (1, 1)


def test_what_is_not_counted_is_named_and_listed_on_demand(report: dict[str, Any]) -> None:
    setting = {"verdict": "unrecorded", "outcome": "untested", "measured": False, "evidence": [], "break": None}
    note = "a setting; no configuration on record names it"
    report["claims"] += [
        {**setting, "path": "results/results.md", "line": 90 + n, "column": 3, "written": f"{n}e-4", "note": note}
        for n in range(4)
    ]
    short = printed(lambda console: print_report(report, console), 120)
    assert "4 settings without a configuration on record" in short
    assert "3e-4" not in short
    full = printed(lambda console: print_report(report, console, everything=True), 120)
    assert all(f"{90 + n}:3" in full and f"{n}e-4" in full for n in range(4))
    assert full.count(note) == 4
    report["claims"] = report["claims"][-1:]
    assert "1 setting without" in printed(lambda console: print_report(report, console))


@pytest.mark.parametrize("width", [80, 120])
def test_the_name_of_a_figure_keeps_its_ending(report: dict[str, Any], width: int) -> None:
    figure = {**report["claims"][0], "kind": "figure", "written": "comparisons_of_all.png", "line": 1}
    report["claims"] = [figure]
    text = printed(lambda console: print_report(report, console), width)
    assert any(line.startswith("1:19") and ".png " in line for line in text.splitlines())


def test_progress_is_silent_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    out = io.StringIO()
    with progress(Console(file=out)) as step:
        step("reading")
    assert out.getvalue() == ""
    assert capsys.readouterr().err == ""


def test_progress_is_shown_on_a_terminal() -> None:
    out = io.StringIO()
    with progress(Console(file=out, stderr=True, force_terminal=True, width=40, _environ={})) as step:
        step("reading [red]\x1b[2J")
    assert "\x1b[2J" not in out.getvalue()
    assert "reading [red]<U+001B>" in out.getvalue()


def test_the_package_imports_nothing_heavy() -> None:
    code = "import sys, provchain.render; print(sorted({'rich', 'pydot', 'msgspec', 'typer'} & set(sys.modules)))"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=7),
    st.integers(60, 140),
)
def test_a_table_loses_no_character_of_a_cell(lengths: list[int], width: int) -> None:
    """However narrow the terminal, what a cell says is folded and never cut."""
    cells = [
        "".join(chr(ord("a") + (number + at) % 26) for at in range(length)) for number, length in enumerate(lengths)
    ]
    names = [f"c{number}" for number in range(len(cells))]
    shown = printed(lambda console: print_rows(names, [cells], console), width)
    assert sum(map(str.isalpha, shown)) >= sum(map(len, cells))
    body = [line for line in shown.splitlines() if not line.startswith("─")]
    assert all(len(line) <= width for line in body)
