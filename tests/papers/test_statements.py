"""Statements in words: what ran and what did not, how often, and what is said to be behind a result."""

from __future__ import annotations

import pytest

from provchain.model import ClaimKind
from provchain.papers import read_claims


def statements(section: str, sentence: str, path: str = "results.md") -> list[str]:
    text = f"# A study\n\n## {section}\n\n{sentence}\n"
    return [claim.written for claim in read_claims(path, text) if claim.kind is ClaimKind.STATEMENT]


@pytest.mark.parametrize(
    "sentence",
    [
        "The second method was planned but not executed.",
        "The kiln could not be tested for want of clay.",
        "The baseline was run successfully.",
        "All glazes were tested successfully.",
        "It failed on all of the test cases.",
        "A fit was found in a single repair iteration.",
        "The net was trained for three epochs.",
        "This is expected, as the clay is dry.",
        "The gap is likely due to the small kiln.",
        "The tool may not have found the right cracks.",
        "The loss might have been dominated by one class.",
    ],
)
def test_among_results(sentence: str) -> None:
    assert statements("Results", sentence) == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "The kiln stands in the yard.",
        "Both glazes are shown in the figure.",
        "If a glaze is not tested, it is left out.",
        "It will be trained for three epochs.",
        "Each glaze should be fired in one run.",
        "The kiln is able to hold two pots.",
        "This is a kiln, which may hold pots.",
        "Successfully executed lines are counted.",
    ],
)
def test_what_is_none(sentence: str) -> None:
    assert statements("Results", sentence) == []


@pytest.mark.parametrize("section", ["Setup", "Methods", "Limitations", "Planned experiments", "Glazes"])
def test_what_ran_is_reported_wherever_it_stands(section: str) -> None:
    said = "The second glaze was not evaluated."
    assert statements(section, said, "paper.md") == [said]
    assert statements(section, "The net was trained for one epoch.", "paper.md") == [
        "The net was trained for one epoch."
    ]


def test_causes_are_claims_only_among_results() -> None:
    said = "This is expected, as the clay is dry."
    assert statements("Methods", said, "paper.md") == []
    assert statements("Baselines", said, "results.md") == [said]


@pytest.mark.parametrize("section", ["Related work", "Introduction", "References", "Expected results"])
def test_nothing_of_this_study_stands_there(section: str) -> None:
    assert statements(section, "The second glaze was not evaluated.", "paper.md") == []


def test_a_heading_is_no_statement() -> None:
    text = "# Results\n\n## Planned but not executed\n\nNothing.\n"
    assert [claim.kind for claim in read_claims("results.md", text)] == []
