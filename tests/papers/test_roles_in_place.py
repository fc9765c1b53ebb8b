"""Roles that hang on more than the section: what was varied, what a sentence reports, what names a column."""

from __future__ import annotations

import pytest

from provchain.model import Claim, ClaimRole
from provchain.papers import read_claims

RESULT, SETTING, ILLUSTRATIVE = ClaimRole.RESULT, ClaimRole.SETTING, ClaimRole.ILLUSTRATIVE


def read(text: str) -> dict[str, Claim]:
    return {claim.written: claim for claim in read_claims("paper.md", text)}


def table(header: str, *rows: str) -> str:
    return f"## Results\n\n| {header} |\n|{'---|' * (header.count('|') + 1)}\n" + "".join(
        f"| {row} |\n" for row in rows
    )


class TestFirstColumn:
    @pytest.mark.parametrize(
        "text",
        [
            table("Accuracy | Macro F1", "0.9312 | 0.9287"),
            table("Latency (ms) | Method | F1", "10 | a | 0.5", "20 | b | 0.6"),
            table("Accuracy | F1", "0.71 | 0.72", "0.81 | 0.82", "0.91 | 0.92"),
            table("Mean quality | Spread", "0.9312 | 0.021", "0.8127 | 0.034"),
        ],
    )
    def test_measures_are_results(self, text: str) -> None:
        claims = [claim for claim in read(text).values() if claim.cell is not None]
        assert {claim.role for claim in claims} == {RESULT}
        assert all(claim.measured for claim in claims)

    @pytest.mark.parametrize(
        ("text", "varied"),
        [
            (table("k | Accuracy", "1 | 0.9312", "5 | 0.9287"), {"1", "5"}),
            (table("Noise | Accuracy", "0.3 | 0.93", "0.6 | 0.81"), {"0.3", "0.6"}),
            (table("Strength | F1", "0.125 | 0.93", "0.375 | 0.81", "0.625 | 0.71"), {"0.125", "0.375", "0.625"}),
            (table("Epochs | Accuracy", "10 | 0.9312"), {"10"}),
        ],
    )
    def test_what_was_varied_is_none(self, text: str, varied: set[str]) -> None:
        assert {written for written, claim in read(text).items() if claim.role is SETTING} == varied


class TestReportingSentences:
    @pytest.mark.parametrize("heading", ["Baseline Methods", "Implementation", "Method", "Limitations", "Datasets"])
    @pytest.mark.parametrize(
        "sentence",
        [
            "The tuned centroid reaches an accuracy of 0.9127 on the test set.",
            "It obtained 0.9127 accuracy.",
            "On noise the accuracy drops to 0.9127, which may matter in practice.",
            "While this may change, the model scored an F1 of 0.9127.",
        ],
    )
    def test_are_results_wherever_they_stand(self, heading: str, sentence: str) -> None:
        claim = read(f"# Report\n\n## {heading}\n\n{sentence}\n")["0.9127"]
        assert (claim.role, claim.measured) == (RESULT, True)

    @pytest.mark.parametrize(
        ("heading", "sentence"),
        [
            ("Implementation", "Training stops when it reaches an accuracy of 0.9127."),
            ("Implementation", "We train until the model achieves an accuracy of 0.9127."),
            ("Implementation", "The dropout is 0.9127."),
            ("Method", "Each step yields a weight of 0.9127."),
            ("Limitations", "Future models may reach an accuracy of 0.9127."),
            ("Limitations", "An accuracy of 0.9127 could be reached with more data."),
            ("Limitations", "We plan to extend the data, to reach an accuracy of 0.9127."),
            ("Related Work", "The tuned centroid reaches an accuracy of 0.9127."),
            ("Baseline Methods", "The centroid of [12] reaches an accuracy of 0.9127."),
        ],
    )
    def test_conditions_plans_and_other_work_are_not(self, heading: str, sentence: str) -> None:
        claim = read(f"# Report\n\n## {heading}\n\n{sentence}\n")["0.9127"]
        assert claim.role is not RESULT
        assert not claim.measured


class TestLists:
    @pytest.mark.parametrize("text", ["k={1, 5, 10}", "k ∈ {1, 5, 10}", "k = [1, 5, 10]", r"$k \in \{1, 5, 10\}$"])
    def test_all_values_of_a_setting(self, text: str) -> None:
        claims = read(f"## Results\n\nFigure 1: Precision for {text} across models.\n")
        assert {claims[written].role for written in ["1", "5", "10"]} <= {SETTING, ClaimRole.NOT_A_RESULT}
        assert text.endswith("$") or {claims[written].role for written in ["1", "5", "10"]} == {SETTING}

    def test_values_of_a_measure_are_results(self) -> None:
        claims = read("## Results\n\nOver three seeds we saw accuracy = {0.91, 0.92, 0.95} in order.\n")
        assert {claims[written].role for written in ("0.91", "0.92", "0.95")} == {RESULT}


class TestNumbersThatNameColumns:
    TEXT = table("Method | Accuracy (noise 0.3) | Accuracy (noise 0.6) | Gain at k=5", "knn | 0.81 | 0.72 | 0.3")

    def test_are_settings_in_sentences(self) -> None:
        text = f"{self.TEXT}\nAt noise 0.3 it falls by 7.27 points, at noise of 0.6 by 9.09, and at k=5 by 0.62.\n"
        found = {c.written: c.role for c in read_claims("paper.md", text) if c.table is None}
        assert found == {
            "0.3": SETTING, "7.27": RESULT, "0.6": SETTING, "9.09": RESULT, "5": SETTING, "0.62": RESULT,
        }  # fmt: skip

    def test_another_number_or_word_is_a_result(self) -> None:
        text = f"{self.TEXT}\nAt noise 0.4 it gains 0.3 and the gap is 0.6.\n"
        found = {c.written: c.role for c in read_claims("paper.md", text) if c.table is None}
        assert found == {"0.4": RESULT, "0.3": RESULT, "0.6": RESULT}

    def test_a_measure_names_no_column(self) -> None:
        text = table("Accuracy 0.9 and more | n", "knn | 4") + "\nIt has an accuracy of 0.9.\n"
        assert [c.role for c in read_claims("paper.md", text) if c.table is None] == [RESULT]


class TestMeasuredColumns:
    @pytest.mark.parametrize(
        "text",
        [
            "# Results\n\nWe ran five folds per setting with the default configuration of each model.\n\n"
            "| Lake | Tree | Ridge |\n|---|---|---|\n| A | 0.973 | 0.961 |\n",
            "# A pipeline for two lakes\n\n| Lake | Tree | Ridge |\n|---|---|---|\n| A | 0.973 | 0.961 |\n",
            "# A pipeline\n\n| Arm | Median depth | SD | Bias |\n|---|---|---|---|\n| A | 0.961 | 0.973 | 0.1 |\n",
            "# Setup\n\n| Arm | Rate | Mean depth | SD |\n|---|---|---|---|\n| A | 0.1 | 0.961 | 0.973 |\n",
        ],
    )
    def test_a_table_of_measurements_is_no_table_of_settings(self, text: str) -> None:
        found = read(text)
        assert {found["0.973"].role, found["0.961"].role} == {RESULT}

    @pytest.mark.parametrize(
        "text",
        [
            "# Results\n\nDefault configuration of each model:\n\n"
            "| Model | Learning rate | Ridge |\n|---|---|---|\n| A | 0.973 | 0.961 |\n",
            "# Method\n\n| Model | Depth | Width |\n|---|---|---|\n| A | 12 | 64 |\n",
            "# Results\n\nConfiguration:\n\n| Loss | Weight | Decay |\n|---|---|---|\n| A | 0.5 | 0.9 |\n",
        ],
    )
    def test_a_table_of_settings_stays_one(self, text: str) -> None:
        assert {claim.role for claim in read(text).values() if claim.cell is not None} == {SETTING}


def test_keys_that_tell_the_rows_apart_belong_to_their_labels() -> None:
    claims = read(table("Lake | k | Tree | Ridge", "A | 2 | 0.911 | 0.922", "A | 5 | 0.933 | 0.944"))
    assert (claims["0.911"].row, claims["0.944"].row) == ("A / k 2", "A / k 5")
    assert claims["5"].role is SETTING
    claims = read(table("Lake | k | Model | F1", "A | 2 | tree | 0.911", "A | 2 | ridge | 0.922"))
    assert (claims["0.911"].row, claims["0.922"].row) == ("A / k 2 / tree", "A / k 2 / ridge")


def test_keys_of_rows_that_are_called_differently_stay_out_of_their_labels() -> None:
    claims = read(table("Lake | k | Tree | Ridge", "A | 2 | 0.911 | 0.922", "B | 2 | 0.933 | 0.944"))
    assert (claims["0.911"].row, claims["0.944"].row) == ("A", "B")


@pytest.mark.parametrize(
    ("sentence", "written", "role"),
    [
        ("We use n = 800 rows and d = 48 columns.", "48", SETTING),
        ("The ridge strength 0.02 was kept.", "0.02", SETTING),
        ("The gradient tolerance is 1e-4.", "1e-4", SETTING),
        ("A slip probability of 0.1 makes it harder.", "0.1", SETTING),
        ("The effect is large (d = 0.84).", "0.84", RESULT),
        ("The tree is right on 33 test samples.", "33", RESULT),
        ("The ridge is wrong on 12 images.", "12", RESULT),
        ("The survival probability rose to 0.83.", "0.83", RESULT),
        ("The expected 97.5% accuracy of the proposal was not reached.", "97.5%", ILLUSTRATIVE),
        ("The 97.5% that the proposal expected of the tree was not reached.", "97.5%", ILLUSTRATIVE),
        ("We did not reach the planned accuracy of 97.5%.", "97.5%", ILLUSTRATIVE),
        ("The expected 97.5% was reached.", "97.5%", RESULT),
        ("The expected gain was not reached; the tree gets 97.5%.", "97.5%", RESULT),
        ("The expected 99% was not reached, but 97.5% was.", "97.5%", RESULT),
        ("The tree gets 97.5%, as the proposal expected, and was not met by others.", "97.5%", RESULT),
    ],
)
def test_what_is_set_and_what_comes_out(sentence: str, written: str, role: ClaimRole) -> None:
    assert read(f"# Results\n\n{sentence}\n")[written].role is role
