"""What result files and manuscripts say against themselves, and honest ones that only look alike."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provchain.inspection.confusion import denied_by_counts
from provchain.inspection.unfilled import unfilled_places
from provchain.inspection.values import read_values
from provchain.linking.granularity import impossible_shares
from provchain.linking.patterns import table_patterns
from provchain.model import Value
from provchain.papers import read_claims


def denied(document: object) -> dict[str, str]:
    values = read_values("m#1", "m.json", json.dumps(document))
    return {found.value.labels[-1]: found.why for found in denied_by_counts(values)}


COUNTS = {"true_positives": 55, "false_positives": 10, "false_negatives": 5, "true_negatives": 142}


def test_a_precision_that_its_own_counts_deny() -> None:
    found = denied({"metrics": {**COUNTS, "precision": 0.8524, "recall": 0.9167}})
    assert found == {
        "precision": "55 true and 10 false positives, 5 false and 142 true negatives give a precision of 0.8462"
    }


def test_a_confusion_matrix_that_denies_its_accuracy() -> None:
    assert denied({"confusion_matrix": [[40, 10], [5, 45]], "accuracy": 0.91}).keys() == {"accuracy"}
    assert denied({"confusion_matrix": [[40, 10], [5, 45]], "accuracy": 0.85}) == {}
    assert denied({"confusion_matrix": [[40, 10], [5, 45]], "accuracy": 85.0}) == {}


def test_counts_that_do_not_sum_to_their_total() -> None:
    assert denied({**COUNTS, "total": 200}).keys() == {"total"}
    assert denied({**COUNTS, "total": 212}) == {}


def test_so_many_of_so_many_is_the_accuracy() -> None:
    assert denied({"correct": 47, "total": 60, "accuracy": 0.81}).keys() == {"accuracy"}
    assert denied({"correct": 47, "total": 60, "accuracy": 0.783}) == {}


MATRICES = st.lists(st.lists(st.integers(1, 60), min_size=3, max_size=3), min_size=3, max_size=3)


@given(
    MATRICES, st.sampled_from(["macro", "weighted", "micro", "class"]), st.sampled_from(["precision", "recall", "f1"])
)
def test_no_average_that_a_matrix_gives_is_denied(matrix: list[list[int]], average: str, metric: str) -> None:
    """Nobody knows from a number alone how it was averaged."""
    total = sum(map(sum, matrix))
    results = []
    for k in range(3):
        tp, row, column = matrix[k][k], sum(matrix[k]), sum(line[k] for line in matrix)
        results.append({"precision": tp / column, "recall": tp / row, "f1": 2 * tp / (row + column)}[metric])
    weights = [sum(line) / total for line in matrix]
    value = {
        "macro": sum(results) / 3,
        "weighted": sum(w * r for w, r in zip(weights, results, strict=True)),
        "micro": sum(matrix[k][k] for k in range(3)) / total,
        "class": results[1],
    }[average]
    assert denied({"confusion_matrix": matrix, metric: round(value, 4)}) == {}


@pytest.mark.parametrize(
    "document",
    [
        {"tp": 1, "fp": 0, "fn": 1, "tn": 1, "precision": 0.2},  # too few to say anything
        {"tp": 55, "fp": 10, "precision": 0.2},  # not all counts
        {"train": COUNTS, "precision": 0.2},  # of something else
        {"confusion_matrix": [[0.8, 0.2], [0.1, 0.9]], "accuracy": 0.2},  # no counts
    ],
)
def test_what_counts_do_not_decide(document: object) -> None:
    assert denied(document) == {}


@pytest.mark.parametrize(
    "line",
    [
        "Accuracy improves by X% over the baseline.",
        "It reaches XX.X% here.",
        "The F1 is 0.XX on test.",
        "We observe [insert result here] on CIFAR.",
        "Accuracy: <value>",
        "Latency: TBD",
        "The loss fell to {final_loss:.4f}.",
        "Accuracy: {{ accuracy }}",
    ],
)
def test_what_was_not_filled_in(line: str) -> None:
    assert [found.line for found in unfilled_places(f"# Results\n\n{line}\n")] == [3]


@pytest.mark.parametrize(
    "line",
    [
        "Let $X$ be the input and $x%$ its share.",
        "A random x% of the labels is flipped.",
        "`print(f'{loss:.4f}')` shows the loss.",
        "See [results](results.md) and [1].",
        "The X axis is time; XX chromosomes.",
        "| A | B |\n|---|---|\n| svm | N/A |\n| mlp | - |",
        "| A | F1 |\n|---|---|\n| svm | 0.91 |\n| mlp | nan |\n| knn | 0.85 |",
    ],
)
def test_what_only_looks_unfilled(line: str) -> None:
    assert unfilled_places(f"# Results\n\n{line}\n") == []


def test_a_table_of_nothing() -> None:
    (found,) = unfilled_places("# R\n\n| A | F1 | MAE |\n|---|---|---|\n| svm | nan | 0.91 |\n| mlp | NaN | inf |\n")
    assert (found.line, found.what, found.text) == (3, "nan table", "3 of 4 values are none")


def patterns(rows: list[tuple[str, ...]]) -> list[str]:
    head = "| Model | " + " | ".join(f"M{n}" for n in range(1, len(rows[0]))) + " |\n"
    rule = "|---" * len(rows[0]) + "|\n"
    body = "".join("| " + " | ".join(row) + " |\n" for row in rows)
    return [found.what for found in table_patterns(read_claims("r.md", f"# Study\n\n## Results\n\n{head}{rule}{body}"))]


def test_a_column_that_is_another_plus_a_constant() -> None:
    rows = [
        ("svm", "0.8478", "0.6478"),
        ("mlp", "0.8149", "0.6149"),
        ("knn", "0.8208", "0.6208"),
        ("gp", "0.7236", "0.5236"),
    ]
    assert patterns(rows) == ["in 4 rows 'M2' is 'M1' - 0.2000"]
    assert patterns([*rows[:3], ("gp", "0.7236", "0.5237")]) == []


def test_constants_of_few_digits_or_few_cells_are_nothing() -> None:
    assert patterns([("a", "0.8", "0.6"), ("b", "0.7", "0.5"), ("c", "0.9", "0.7"), ("d", "0.6", "0.4")]) == []
    assert patterns([("a", "0.812", "0.612"), ("b", "0.734", "0.534"), ("c", "0.911", "0.711")]) == []


def test_methods_with_the_same_numbers_are_a_question() -> None:
    (found,) = patterns(
        [("svm", "0.912", "0.884", "0.871"), ("mlp", "0.912", "0.884", "0.871"), ("knn", "0.9", "0.8", "0.7")]
    )
    assert found == "'svm' and 'mlp' have the same 3 numbers"


def test_an_accuracy_is_a_multiple_of_one_through_its_count() -> None:
    def record(share: str, *names: str) -> list[Value]:
        labels = (*names, "accuracy")
        return [
            Value("a", "m", "m.json", "/r/accuracy", share, Decimal(share), labels),
            Value("n", "m", "m.json", "/r/n_test", "40", Decimal(40), (*names, "n_test")),
        ]

    assert [share.lexical for share, _ in impossible_shares(record("0.93412", "svm"))] == ["0.93412"]
    assert impossible_shares(record("0.9250", "svm")) == []
    assert impossible_shares(record("0.93412", "svm", "cv")) == []
