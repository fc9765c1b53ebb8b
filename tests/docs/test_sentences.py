"""The sentences that the page on declared links says are understood are understood."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from provchain.linking.derived import derived_links
from provchain.model import Link, Relation, Tier
from provchain.papers import read_claims

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "declare-links.md"
TABLE = "| Model | Accuracy |\n|---|---|\n| SVM | 0.80 |\n| Random forest | 0.90 |\n\n"
SECTION = PAGE.read_text(encoding="utf-8").partition("## Sentences that need no declaration")[2].partition("\n## ")[0]
ROWS = re.findall(r"^\| (.*\*\*.+\*\*.*) \| (.+) \|$", SECTION, re.MULTILINE)


def test_there_are_sentences() -> None:
    """The table is found, so that the tests below say something."""
    assert len(ROWS) > 15


@pytest.mark.parametrize(("sentence", "computed"), ROWS, ids=[sentence for sentence, _ in ROWS])
def test_a_sentence_is_computed_as_the_page_says(sentence: str, computed: str) -> None:
    """Where every other number is found, the one in bold follows from them."""
    bold = re.search(r"\*\*(.+?)\*\*", sentence)
    assert bold is not None
    text = f"# Study\n\n## Results\n\n{TABLE if 'forest' in sentence else ''}{sentence.replace('**', '')}"
    claims = read_claims("results.md", text)
    found = [
        Link(one.id, one.id, (f"m.json#1!/{one.id}",), Relation.QUOTED, Tier.LABELS, "5.7 table")
        for one in claims
        if one.written != bold[1]
    ]
    written = {one.id: one.written for one in claims}
    derived = derived_links(claims, found, {})
    assert [(written[link.claim], link.note) for link in derived] == [(bold[1], computed)]
