"""Sentences that compare: what follows from a table, what it denies, and above all what it leaves open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provchain.linking.comparatives import compare_statements
from provchain.linking.comparisons import read_comparisons
from provchain.linking.directions import direction_of
from provchain.papers import read_claims

BIRDS = """\
# Wings: telling gulls apart

## Results

| Method | Accuracy | Log loss | Latency (ms) |
|---|---|---|---|
| Wings (ours) | 0.84 | 0.41 | 9.1 |
| Wings w/o songs | 0.86 | 0.40 | 8.0 |
| Nearest centroid | 0.71 | 0.62 | 1.2 |
| Forest | 0.80 | 0.55 | 4.0 |
| Ridge baseline | 0.80 | 0.57 | 1.0 |
| Oracle | 0.99 | 0.02 | 0.1 |
"""
SITES = """\
# Gulls

## Results

Accuracy on two sites:

| Method | Texel | Sylt |
|---|---|---|
| Forest | 81.2 | 74.0 |
| Ridge | 79.9 | 77.3 |
"""
TURNED = """\
# Gulls

## Results

| Metric | Forest | Ridge |
|---|---|---|
| F1 | 0.81 | 0.77 |
| RMSE | 1.9 | 1.4 |
| Diversity | 0.3 | 0.5 |
"""


def said(sentence: str, paper: str = BIRDS) -> bool | None:
    """What the tables of a manuscript say of a sentence that stands below them."""
    text = f"{paper}\n{sentence}\n"
    found = compare_statements(read_claims("results.md", text), {"results.md": text})
    assert len(found) <= 1
    return found[0].follows if found else None


@pytest.mark.parametrize(
    ("sentence", "paper"),
    [
        ("Forest outperforms the nearest centroid.", BIRDS),
        ("Forest achieves a higher accuracy than the nearest centroid method.", BIRDS),
        ("Forest has a lower log loss than the ridge baseline.", BIRDS),
        ("Wings outperforms all baselines on accuracy.", BIRDS),
        ("Our method outperforms Forest and the nearest centroid in terms of accuracy and log loss.", BIRDS),
        ("Nearest centroid is faster than Forest.", BIRDS),
        ("Nearest centroid did not outperform Forest.", BIRDS),
        ("Nearest centroid achieves the lowest accuracy.", BIRDS),
        ("Overall, the results show that Forest performs better than the nearest centroid on accuracy.", BIRDS),
        ("Compared to the nearest centroid, Forest has higher accuracy.", BIRDS),
        ("On Texel, Forest outperforms Ridge.", SITES),
        ("Ridge achieves a higher accuracy than Forest on Sylt.", SITES),
        ("Forest achieves a higher F1 than Ridge.", TURNED),
        ("Ridge has a lower RMSE than Forest, indicating that it is smooth.", TURNED),
    ],
)
def test_what_follows(sentence: str, paper: str) -> None:
    assert said(sentence, paper) is True


@pytest.mark.parametrize(
    ("sentence", "paper"),
    [
        ("The nearest centroid outperforms Forest.", BIRDS),
        ("Forest has a higher log loss than the nearest centroid.", BIRDS),
        ("Forest achieves the highest accuracy.", BIRDS),
        ("Forest is faster than the nearest centroid.", BIRDS),
        ("Forest did not outperform the nearest centroid.", BIRDS),
        ("The nearest centroid has a higher accuracy than all other methods except Forest.", BIRDS),
        (
            "The nearest centroid maintains competitive F1 compared to Forest.",
            BIRDS.replace("Accuracy", "F1").replace("0.71", "0.31"),
        ),
        ("On Sylt, Forest outperforms Ridge.", SITES),
        ("Forest consistently outperforms Ridge on both sites.", SITES),
        ("Ridge achieves a higher F1 than Forest.", TURNED),
        ("Forest was promising. It has a lower RMSE than Ridge.", TURNED),
    ],
)
def test_what_the_cells_deny(sentence: str, paper: str) -> None:
    assert said(sentence, paper) is False


@pytest.mark.parametrize(
    ("sentence", "paper"),
    [
        # an ablation of one's own, an oracle and equal figures are no rivals that a claim loses to
        ("Wings achieves the highest accuracy.", BIRDS),
        ("Forest outperforms the ridge baseline on accuracy.", BIRDS),
        ("Forest is better than the ridge baseline in accuracy.", BIRDS),
        # conditions, hedges and measures that the table does not show
        ("The nearest centroid outperforms Forest in the early epochs.", BIRDS),
        ("The nearest centroid often outperforms Forest.", BIRDS),
        ("The nearest centroid outperforms Forest on small gulls.", BIRDS),
        ("The nearest centroid shows faster convergence than Forest.", BIRDS),
        ("The nearest centroid has a better trade-off than Forest.", BIRDS),
        ("The nearest centroid has a higher recall than Forest.", BIRDS),
        ("The nearest centroid is more robust than Forest.", BIRDS),
        ("One of the variants outperforms Forest.", BIRDS),
        ("The nearest centroid outperforms Forest on this metric.", BIRDS),
        # what is good for the one and bad for the other, or of no known direction
        ("Forest outperforms Ridge.", SITES),
        ("Forest outperforms Ridge.", TURNED),
        ("Forest has better diversity than Ridge.", TURNED),
        # things that no label names, or that several may be
        ("The kNN model outperforms Forest.", BIRDS),
        ("The nearest centroid outperforms the tree baseline.", BIRDS),
        ("Existing work outperforms Forest.", BIRDS),
    ],
)
def test_what_stays_open(sentence: str, paper: str) -> None:
    assert said(sentence, paper) is None


def test_a_sentence_with_a_part_that_is_not_read_can_be_denied_and_never_follows() -> None:
    assert said("Forest has a higher F1 than Ridge, but it needs more care.", TURNED) is None
    assert said("Ridge has a higher F1 than Forest, but it needs more care.", TURNED) is False


def test_a_measure_of_the_main_clause_is_what_is_compared() -> None:
    assert said("The nearest centroid achieves a low latency, outperforming Forest.") is None
    assert said("Forest achieves a low latency, outperforming the nearest centroid.") is False
    assert said("Forest shows promise, underperforming the nearest centroid on accuracy.") is False


TWO = """\
# Gulls

We propose Wings, a way to tell gulls apart.

## Texel

| Method | F1 |
|---|---|
| Wings | 0.81 |
| Ridge | 0.77 |

## Sylt

| Method | F1 |
|---|---|
| Wings | 0.83 |
| Ridge | 0.79 |
"""


def test_what_is_said_of_all_data_is_looked_up_in_all_tables() -> None:
    sentence = "\n## Results\n\nOur approach outperforms Ridge on both datasets."
    assert said(sentence, TWO) is True
    assert said(sentence, TWO.replace("0.83", "0.73")) is None
    assert said(sentence, TWO.replace("0.83", "0.73").replace("0.81", "0.71")) is False
    assert said(sentence, TWO.partition("## Sylt")[0]) is None


def test_tables_that_disagree_decide_nothing() -> None:
    second = SITES.replace("## Results", "## More").replace("81.2", "61.2").replace("74.0", "84.0")
    both = f"{SITES}\n{second.partition('# Gulls')[2]}"
    assert said("\n## Conclusion\n\nOn Texel, Forest outperforms Ridge.", both) is None


def test_a_significant_difference_has_to_be_one() -> None:
    assert said("Ridge has a slightly lower RMSE than Forest.", TURNED.replace("1.4", "0.2")) is None
    near = TURNED.replace("0.81", "0.775")
    assert said("Forest has a significantly higher F1 than Ridge.", near) is None
    assert said("Forest has a significantly higher F1 than Ridge.", TURNED.replace("0.77", "0.40")) is True


@given(
    st.integers(100, 999),
    st.integers(100, 999),
    st.sampled_from([("F1", 1), ("RMSE", -1), ("Loss ↓", -1), ("Depth ↑", 1)]),
)
def test_better_than_turns_round_with_its_sides(one: int, two: int, measure: tuple[str, int]) -> None:
    """What is better than another is never worse, whatever the numbers; equal numbers decide nothing."""
    name, way = measure
    paper = f"# T\n\n## Results\n\n| Method | {name} |\n|---|---|\n| Forest | 0.{one} |\n| Ridge | 0.{two} |\n"
    expected = None if one == two else (one > two) == (way > 0)
    assert said("Forest outperforms Ridge.", paper) is expected
    assert said("Ridge outperforms Forest.", paper) is (None if expected is None else not expected)
    assert said("Ridge did not outperform Forest.", paper) is (one == two or expected)


@given(
    st.text(alphabet="abcdefgh ,;()—–-*`'", max_size=300), st.sampled_from(["outperforms", "higher than", "the best"])
)
def test_any_sentence_is_read(words: str, key: str) -> None:
    reading = read_comparisons(f"{words} {key} {words}")
    assert all(comparison.sign in (-1, 1) for comparison in reading.comparisons)


@pytest.mark.parametrize(
    ("label", "better"),
    [
        ("Top-1 accuracy (%)", 1),
        ("Perplexity", -1),
        ("mAP", 1),
        ("False Positive Rate", -1),
        ("Error reduction", 1),
        ("Depth ↓", -1),
        ("Colour (higher is better)", 1),
        ("Std", 0),
        ("Accuracy and loss", 0),
        ("Accuracy drop", 0),
        ("Learning rate", 0),
    ],
)
def test_which_way_is_better(label: str, better: int) -> None:
    assert direction_of(label).better == better
