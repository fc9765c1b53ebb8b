"""Accuracies that no whole number of right answers gives: the GRIM test, for results that say of how many they are.

Of 40 items an accuracy can be 0.925 or 0.950, never 0.93412. Means over folds or classes are none of this, so what is found
is a question, not an answer.

Source: N. J. L. Brown, J. A. J. Heathers, The GRIM Test, Social Psychological and Personality Science 8 (2017).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

from provchain.linking.words import split_words
from provchain.model import Value

__all__ = ["impossible_shares"]

_SHARES = frozenset(["acc", "accuracy"])
_COUNTS = frozenset(["n", "total", "test", "sample", "support", "example", "item", "number", "size", "count"])
_MOST_ITEMS = 5_000
_LEAST_DIGITS = 4  # decimal places: fewer are a multiple of nearly anything
_AVERAGED = frozenset(
    ["mean", "std", "macro", "weighted", "balanced", "fold", "cv", "average", "validation", "training"]
)


def impossible_shares(values: Sequence[Value]) -> list[tuple[Value, Value]]:
    """Find accuracies that are no multiple of one through the only count beside them.

    Args:
        values: The values of one study.

    Returns:
        Each such accuracy with the count, of JSON objects that hold one of each.

    Example:
        >>> record = [Value("a", "m", "m.json", "/svm/accuracy", "0.93412", Decimal("0.93412"), ("svm", "accuracy")),
        ...           Value("n", "m", "m.json", "/svm/n_test", "40", Decimal(40), ("svm", "n_test"))]
        >>> [(share.lexical, count.lexical) for share, count in impossible_shares(record)]
        [('0.93412', '40')]
    """
    records: dict[tuple[str, str], list[Value]] = defaultdict(list)
    for value in values:
        if value.selector.startswith("/"):
            records[value.artifact, value.selector.rpartition("/")[0]].append(value)
    found = []
    for record in records.values():
        counts = [value for value in record if _is_count(value)]
        if len(counts) == 1:
            found += [
                (value, counts[0]) for value in record if _is_share(value) and not _fits(value.number, counts[0].number)
            ]
    return found


def _own_words(value: Value) -> frozenset[str]:
    return frozenset(split_words(value.labels[-1])) if value.labels else frozenset()


def _is_count(value: Value) -> bool:
    words = _own_words(value)
    whole = value.number == value.number.to_integral_value() and 2 <= value.number <= _MOST_ITEMS
    return whole and bool(words) and words <= _COUNTS and not words <= {"test", "number", "size"}


def _is_share(value: Value) -> bool:
    words = frozenset(word for label in value.labels for word in split_words(label))
    places = -int(value.number.as_tuple().exponent)
    return (
        bool(_own_words(value) & _SHARES) and not words & _AVERAGED and 0 < value.number < 1 and places >= _LEAST_DIGITS
    )


def _fits(share: Decimal, count: Decimal) -> bool:
    places = min(-int(share.as_tuple().exponent), 12)
    right = (share * count).to_integral_value()
    return any(abs((right + off) / count - share) <= Decimal(1).scaleb(-places) for off in (-1, 0, 1))
