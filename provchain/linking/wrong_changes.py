"""Changes that a manuscript states with both operands, and that come out in no way at all: ``from 46.0 to 20.0 (-77 %)``.

This is the one place where a number is said to be wrong because of other numbers, so it is said only where nothing else can
be meant: not another base, not points, not a ratio, not what is left to the whole, each by more than rounding can explain.

Spec: docs/reference/matching.md, 5.6.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from provchain.linking.operations import OPERATIONS, Interval, compute
from provchain.numbers import Number

__all__ = ["what_it_would_be"]

_ONE, _HUNDRED = Decimal(1), Decimal(100)
_LEAST_DIGITS = 2  # of the change: "(-50 %)" is what people say of a half
_ROUNDING = Decimal(3)  # half-widths of the change that count as rounding
_NEAR = Decimal("0.1")  # of the change itself: a mean of changes is near the change of means, and another number


def what_it_would_be(number: Number, new: Number, old: Number, direction: int) -> str:
    """Say what a change comes to, if it is not the one that is written.

    Args:
        number: The change as written, a percentage or points.
        new: What it changed to.
        old: What it changed from.
        direction: What its sign or the words at it say: 1 for more, -1 for less, 0 for neither.

    Returns:
        Words for a note, or nothing where the change may be what is written.

    Example:
        >>> from provchain.numbers import read_number as read
        >>> what_it_would_be(read("-77.7 %"), read("1280.2"), read("10393.0"), -1)
        'the relative change of 1280.2 against 10393.0 is -87.7 %, not -77.7 %'
        >>> what_it_would_be(read("-87.7 %"), read("1280.2"), read("10393.0"), -1)
        ''
    """
    if (
        not (number.percent or number.unit == "pp")
        or number.significant < _LEAST_DIGITS
        or number.uncertainty is not None
    ):
        return ""
    after, before = Interval(new.low, new.high), Interval(old.low, old.high)
    if after.low <= 0 or before.low <= 0 or not (after.high.is_finite() and before.high.is_finite()):
        return ""
    went = (after.low > before.high) - (after.high < before.low)
    if went == 0 or went != direction:
        return ""
    magnitude = abs(number.value)
    slack = max(_ROUNDING * number.half_width, _NEAR * magnitude)
    if any(low - slack <= magnitude <= high + slack for low, high in _readings(after, before)):
        return ""
    name = "difference" if number.unit == "pp" else "relative-change"
    result = compute(OPERATIONS[name], [Interval.of(new.value), Interval.of(old.value)])[0].low
    fractions = new.value <= 1 and old.value <= 1 and not new.percent
    shown = result * _HUNDRED if name == "relative-change" or fractions else result
    places = Decimal(1).scaleb(min(number.last_place, 0))
    unit = " points" if number.unit == "pp" else " %"
    what = OPERATIONS[name].describe([new.written, old.written])
    return f"the {what} is {shown.quantize(places):+f}{unit}, not {number.written}"


def _readings(after: Interval, before: Interval) -> Iterator[tuple[Decimal, Decimal]]:
    """Everything that somebody may call the change from one number to another in percent, without its sign."""
    yield from _changes(after, before)
    for low, high, *_ in compute(OPERATIONS["difference"], [after, before]):
        yield from (_unsigned(low, high), _unsigned(low * _HUNDRED, high * _HUNDRED))
    for whole in (_ONE, _HUNDRED):  # of an accuracy the error, of a loss what it is short of
        if after.high <= whole and before.high <= whole:
            yield from _changes(
                Interval(whole - after.high, whole - after.low), Interval(whole - before.high, whole - before.low)
            )


def _changes(after: Interval, before: Interval) -> Iterator[tuple[Decimal, Decimal]]:
    for pair in ((after, before), (before, after)):
        for name in ("relative-change", "ratio"):
            for low, high, *_ in compute(OPERATIONS[name], pair):
                yield _unsigned(low * _HUNDRED, high * _HUNDRED)


def _unsigned(low: Decimal, high: Decimal) -> tuple[Decimal, Decimal]:
    if low <= 0 <= high:
        return Decimal(0), max(-low, high)
    return (low, high) if low > 0 else (-high, -low)
