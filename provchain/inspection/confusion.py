"""Metrics that do not follow from the counts they stand beside: a precision that its own confusion matrix denies.

A result file that holds true and false positives holds precision, recall and accuracy twice. Where a number is none of what the
counts come to, by class, as macro, weighted or micro average, it was not computed from them.

Spec: https://doi.org/10.1016/j.patrec.2005.10.010 (Fawcett 2006, the definitions).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from msgspec import Struct

from provchain.model import Value

__all__ = ["Denied", "denied_by_counts"]

_COUNTS = {
    "tp": ("tp", "true_positive", "true_positives", "truepositives"),
    "fp": ("fp", "false_positive", "false_positives", "falsepositives"),
    "fn": ("fn", "false_negative", "false_negatives", "falsenegatives"),
    "tn": ("tn", "true_negative", "true_negatives", "truenegatives"),
}
_MATRIX = ("confusion_matrix", "confusion", "cm", "conf_matrix", "confusionmatrix")
_METRICS = {
    "precision": ("precision", "ppv"),
    "recall": ("recall", "sensitivity", "tpr", "true_positive_rate"),
    "f1": ("f1", "f1_score", "f1score", "f_score"),
    "accuracy": ("accuracy", "acc"),
    "specificity": ("specificity", "tnr", "true_negative_rate"),
    "false positive rate": ("fpr", "false_positive_rate"),
    "false negative rate": ("fnr", "false_negative_rate"),
}
_TOTALS = ("num_samples", "n_samples", "total", "n", "n_test", "num_test", "test_size", "support", "num_examples")
_SHARES = (
    (
        "correct",
        ("correct", "num_correct", "n_correct", "correct_samples", "passed", "num_passed"),
        ("accuracy", "acc", "pass_rate"),
    ),
)
_SLACK = Decimal("0.0005")
_LEAST = 5  # counted things: of fewer nothing is said
_MOST = 10_000


class Denied(Struct, frozen=True):
    """A number that the counts beside it deny.

    Attributes:
        value: The number.
        why: What the counts come to.
    """

    value: Value
    why: str


def denied_by_counts(values: Iterable[Value]) -> list[Denied]:
    """Find the metrics of result files that the counts in the same object deny.

    Args:
        values: The values of the files, with JSON Pointers as selectors; others are passed over.

    Returns:
        The metrics, in the order of the values.

    Example:
        >>> given = {"tp": 55, "fp": 10, "fn": 5, "tn": 142, "precision": "0.8524", "recall": "0.9167"}
        >>> values = [Value(k, "m#1", "m.json", f"/{k}", str(v), Decimal(v), (k,)) for k, v in given.items()]
        >>> [(found.value.labels[-1], found.why) for found in denied_by_counts(values)]
        [('precision', '55 true and 10 false positives, 5 false and 142 true negatives give a precision of 0.8462')]
    """
    objects: dict[tuple[str, str], dict[str, Value]] = defaultdict(dict)
    matrices: dict[tuple[str, str], dict[tuple[int, int], Decimal]] = defaultdict(dict)
    for value in values:
        if not value.selector.startswith("/") or ";" in value.selector:
            continue
        parent, _, key = value.selector.rpartition("/")
        objects[value.artifact, parent].setdefault(_plain(key), value)
        place = parent.rpartition("/")
        holder = place[0].rpartition("/")
        if key.isdigit() and place[2].isdigit() and _plain(holder[2]) in _MATRIX:
            matrices[value.artifact, holder[0]][int(place[2]), int(key)] = value.number
    found: list[Denied] = []
    for (artifact, parent), entries in list(objects.items())[:_MOST]:
        counts = _counts_of(entries)
        matrix = _square(matrices.get((artifact, parent), {})) or _of_counts(counts)
        if matrix is not None:
            found += _denied(entries, matrix, _shown(matrix, counts))
        found += _denied_shares(entries)
    return found


def _plain(key: str) -> str:
    return key.lower().replace("-", "_").replace(" ", "_")


def _counts_of(entries: Mapping[str, Value]) -> dict[str, Decimal]:
    found: dict[str, Decimal] = {}
    for name, spellings in _COUNTS.items():
        value = next((entries[s] for s in spellings if s in entries), None)
        if value is not None and value.number >= 0 and value.number == value.number.to_integral_value():
            found[name] = value.number
    return found


def _of_counts(counts: Mapping[str, Decimal]) -> list[list[Decimal]] | None:
    if len(counts) != len(_COUNTS) or sum(counts.values()) < _LEAST:
        return None
    return [[counts["tn"], counts["fp"]], [counts["fn"], counts["tp"]]]


def _square(cells: Mapping[tuple[int, int], Decimal]) -> list[list[Decimal]] | None:
    size = max((row for row, _ in cells), default=-1) + 1
    if size < 2 or len(cells) != size * size or any(v < 0 or v != v.to_integral_value() for v in cells.values()):
        return None
    if sum(cells.values()) < _LEAST:
        return None
    return [[cells[row, column] for column in range(size)] for row in range(size)]


def _shown(matrix: Sequence[Sequence[Decimal]], counts: Mapping[str, Decimal]) -> str:
    if len(counts) == len(_COUNTS):
        return f"{counts['tp']} true and {counts['fp']} false positives, {counts['fn']} false and {counts['tn']} true negatives"
    return f"its confusion matrix of {sum(map(sum, matrix))}"


def _denied(entries: Mapping[str, Value], matrix: Sequence[Sequence[Decimal]], shown: str) -> Iterator[Denied]:
    for metric, spellings in _METRICS.items():
        for spelling in spellings:
            value = entries.get(spelling)
            if value is None:
                continue
            possible = list(_possible(metric, matrix))
            if possible and not any(_fits(value, result) for result in possible):
                yield Denied(value, f"{shown} give a {metric} of {_round(possible[0])}")
    for spelling in _TOTALS:
        value = entries.get(spelling)
        total = sum(map(sum, matrix), Decimal(0))
        if (
            spelling in ("total", "num_samples", "n_samples", "num_examples")
            and value is not None
            and value.number != total
        ):
            yield Denied(value, f"{shown} are {total}")


def _denied_shares(entries: Mapping[str, Value]) -> Iterator[Denied]:
    """``correct`` of ``total`` is the accuracy."""
    total = next((entries[s] for s in _TOTALS if s in entries), None)
    for _, parts, shares in _SHARES:
        part = next((entries[s] for s in parts if s in entries), None)
        for share in (entries[s] for s in shares if s in entries):
            if part is None or total is None or total.number < _LEAST or not 0 <= part.number <= total.number:
                continue
            result = part.number / total.number
            if not _fits(share, result):
                yield Denied(share, f"{part.lexical} of {total.lexical} is {_round(result)}")


def _possible(metric: str, matrix: Sequence[Sequence[Decimal]]) -> Iterator[Decimal]:
    """Everything that a metric can be of a confusion matrix: of the positive class first, then averages, then the others."""
    size = len(matrix)
    turned = [list(column) for column in zip(*matrix, strict=True)]  # rows may be what was predicted
    for table in (matrix, turned):
        total = sum(map(sum, table), Decimal(0))
        by_class = [_of_class(metric, table, index) for index in range(size)]
        if metric == "accuracy":
            yield sum((table[i][i] for i in range(size)), Decimal(0)) / total
            continue
        known = [result for result in by_class if result is not None]
        if size == 2:
            yield from reversed(known)
        elif known:
            yield from known
        if len(known) == size:
            yield sum(known, Decimal(0)) / size
            weights = [sum(row, Decimal(0)) for row in table]
            yield sum((w * r for w, r in zip(weights, known, strict=True)), Decimal(0)) / total
        yield sum((table[i][i] for i in range(size)), Decimal(0)) / total  # micro


def _of_class(metric: str, table: Sequence[Sequence[Decimal]], index: int) -> Decimal | None:
    tp = table[index][index]
    fn = sum(table[index], Decimal(0)) - tp
    fp = sum((row[index] for row in table), Decimal(0)) - tp
    tn = sum(map(sum, table), Decimal(0)) - tp - fn - fp
    numerator, denominator = {
        "precision": (tp, tp + fp),
        "recall": (tp, tp + fn),
        "f1": (2 * tp, 2 * tp + fp + fn),
        "specificity": (tn, tn + fp),
        "false positive rate": (fp, fp + tn),
        "false negative rate": (fn, fn + tp),
        "accuracy": (tp + tn, tp + tn + fp + fn),
    }[metric]
    return numerator / denominator if denominator else None


def _fits(value: Value, result: Decimal) -> bool:
    exponent = value.number.as_tuple().exponent
    half = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0) / 2
    slack = max(half, _SLACK)
    return any(abs(value.number - scaled) <= slack * scale for scale, scaled in ((1, result), (100, 100 * result)))


def _round(result: Decimal) -> str:
    return str(result.quantize(Decimal("0.0001")))
