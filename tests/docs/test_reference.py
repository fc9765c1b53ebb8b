"""The generated pages say what the code says."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

import provchain

DOCS = Path(__file__).resolve().parents[2] / "docs"


def load_pages() -> dict[str, Callable[[], str]]:
    """Load the program as Python runs it: it finds the modules that lie beside it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOCS / "_generate")
        found: dict[str, Callable[[], str]] = runpy.run_path(str(DOCS / "_generate" / "reference.py"))["PAGES"]
    return found


PAGES = load_pages()


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_generated_page_is_fresh(name: str) -> None:
    """`make docs-reference` would write what lies there already."""
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "stale: run `make docs-reference`"


def test_no_table_has_a_cell_too_many() -> None:
    """A bar in a text does not break a table apart."""
    for name, text in PAGES.items():
        widths = {}
        for number, line in enumerate(text().splitlines()):
            if line.startswith("|"):
                widths[number] = line.count("|")
                assert widths[number] == widths.get(number - 1, widths[number]), f"{name}: {line}"


def test_every_verdict_has_an_example() -> None:
    """The page with examples misses none."""
    shown = PAGES["explanation/verdicts-by-example.md"]()
    assert [verdict.value for verdict in provchain.Verdict if f"| `{verdict.value}` |" not in shown] == []
