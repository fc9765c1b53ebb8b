"""What counts as telling the reader that something was done otherwise than planned."""

from __future__ import annotations

import pytest

from provchain.inspection.remarks import discloses_change, reports_incomplete


@pytest.mark.parametrize(
    "text",
    [
        "In our simplified experimental setting, the baseline did better.",
        "We used simplified models.",
        "Results come from a small-scale setup.",
        "Due to computational constraints, we trained two networks.",
        "Instead of the planned benchmark we used generated data.",
        "We only evaluated on 20 items.",
    ],
)
def test_what_was_changed_is_said(text: str) -> None:
    assert discloses_change(f"# Results\n\n{text}") == 3


@pytest.mark.parametrize(
    "text",
    [
        "Simplified spurious correlations in our synthetic dataset may differ from real ones.",
        "The method reduces training time and computational cost.",
        "Prior work used a smaller network.",
        "This simplifies deployment.",
    ],
)
def test_other_uses_of_the_words_tell_nothing(text: str) -> None:
    assert discloses_change(text) is None


def test_an_unfinished_experiment_is_reported() -> None:
    assert reports_incomplete("One.\nThe training run timed out and no results were obtained.") == 2
    assert reports_incomplete("The baseline failed to generalise.") is None
