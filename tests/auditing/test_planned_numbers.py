"""Numbers that stand in the plan: those that code was given were used, and are not only planned."""

from __future__ import annotations

import pytest

from provchain.auditing.planned_numbers import PlannedNumbers
from provchain.model import Claim, ClaimKind

PLAN = {"proposal.md": "We draw 2000 feathers and expect a recall of 91.4%."}


def claim(text: str, written: str) -> Claim:
    return Claim("c", ClaimKind.NUMBER, "p.md", 1, 1, written, text, offset=text.index(written))


@pytest.mark.parametrize("code", ["draw(2000, seed=1)", "n = 2_000", "sizes = [500, 2000]"])
def test_a_count_that_code_was_given_is_not_only_planned(code: str) -> None:
    asked = claim("We draw 2000 feathers.", "2000")
    assert PlannedNumbers(PLAN).place_of(asked) == "proposal.md:1"
    assert PlannedNumbers(PLAN, lambda: code).place_of(asked) == ""


@pytest.mark.parametrize("code", ["draw(20000)", "draw(12000)", "x = 2000.5", "loss 2000", "draw(200)"])
def test_another_number_is_not_that(code: str) -> None:
    assert PlannedNumbers(PLAN, lambda: code).place_of(claim("We draw 2000 feathers.", "2000")) == "proposal.md:1"


def test_an_expected_result_is_only_planned_whatever_code_says() -> None:
    asked = claim("The recall is 91.4%.", "91.4%")
    assert PlannedNumbers(PLAN, lambda: "recall = (91.4)").place_of(asked) == "proposal.md:1"
