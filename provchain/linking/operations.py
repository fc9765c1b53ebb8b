"""How a number follows from others: the named operations, computed over intervals.

A number that was written stands for an interval (rule 5.2), so what follows from it is an interval too: every value that the
operands can stand for gives a result that lies in it. A value of a result file is an interval without width. What a result is
(a fraction, a percentage, points, a factor) goes with it, because the same change can be written as ``0.125``, as ``12.5 %``
and, as a difference, in points.

Spec: docs/reference/matching.md, 5.2, 5.3, 5.6.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

from provchain.numbers import Number

__all__ = ["OPERATIONS", "Fit", "Interval", "Operation", "Result", "Unit", "compute", "fit"]

# Both ends are rounded outwards, so that no result is lost; signals never raise.
_DIGITS = 60
_DOWN = Context(prec=_DIGITS, rounding=ROUND_FLOOR, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
_UP = Context(prec=_DIGITS, rounding=ROUND_CEILING, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
_ZERO, _ONE, _TWO, _HUNDRED = Decimal(0), Decimal(1), Decimal(2), Decimal(100)


class Interval(NamedTuple):
    """The values that an operand can stand for.

    Attributes:
        low: The lowest.
        high: The highest.
        percent: It is written as a percentage.

    Example:
        >>> Interval.of(Decimal("0.80")).width
        Decimal('0.00')
    """

    low: Decimal
    high: Decimal
    percent: bool = False

    @classmethod
    def of(cls, value: Decimal, *, percent: bool = False) -> Interval:
        """The interval of one value."""
        return cls(value, value, percent)

    @property
    def width(self) -> Decimal:
        """How far apart its ends are."""
        return _UP.subtract(self.high, self.low)

    @property
    def is_fraction(self) -> bool:
        """Whether it can be a part of a whole that is not written as a percentage."""
        return not self.percent and self.low >= -1 and self.high <= 1


class Unit(StrEnum):
    """What the result of an operation is."""

    SAME = "same"  # what the operands are
    FRACTION = "fraction"
    PERCENT = "percent"
    POINTS = "points"
    FACTOR = "factor"
    COUNT = "count"


class Result(NamedTuple):
    """What an operation comes to.

    Attributes:
        low: The lowest value.
        high: The highest value.
        unit: What it is.
        how: Which of several ways of computing it this is (``"sample"``), or empty.
        signed: Its sign says which way it goes, and may be written in words instead (``"fell by 3 %"``).
        fractions: It is in the unit of its operands, and they are fractions.
    """

    low: Decimal
    high: Decimal
    unit: Unit
    how: str = ""
    signed: bool = False
    fractions: bool = False


class Fit(NamedTuple):
    """How a result stands behind a written number.

    Attributes:
        scale: What the result was multiplied with: 100 for a fraction written in percent.
        unsigned: The result is negative, and its sign is not written: words have to say so.
    """

    scale: Decimal
    unsigned: bool = False


_Computed = Sequence[tuple[Decimal, Decimal, str]]


class Operation(Struct, frozen=True):
    """One way in which a number follows from others.

    Attributes:
        name: What declarations call it.
        words: What it is, with its operands (``"relative change of {0} against {1}"``), or without (``"mean"``).
        formula: In signs.
        most: How many operands it has, if it has two; else ``None`` for any number of them.
        unit: What it comes to.
        run: Computes it.
    """

    name: str
    words: str
    formula: str
    most: int | None
    unit: Unit
    run: Callable[[Sequence[Interval]], _Computed]

    def describe(self, operands: Sequence[str], how: str = "") -> str:
        """Say in words what was computed.

        Example:
            >>> OPERATIONS["relative-change"].describe(["0.90", "0.80"]), OPERATIONS["std"].describe(["1", "2"], "sample")
            ('relative change of 0.90 against 0.80', 'sample standard deviation of 2 values')
        """
        if self.most == 2 and len(operands) == 2:
            return self.words.format(*operands)
        count = f"{len(operands)} value{'s' * (len(operands) != 1)}"
        return f"{how} {self.words} of {count}".strip()


# ---------------------------------------------------------------------------------------------------- computing


def _difference(given: Sequence[Interval]) -> _Computed:
    left, right = given
    return [(_DOWN.subtract(left.low, right.high), _UP.subtract(left.high, right.low), "")]


def _ratio(given: Sequence[Interval]) -> _Computed:
    left, right = given
    if right.low <= 0 <= right.high:
        return []
    corners = [(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    return [(min(_DOWN.divide(a, b) for a, b in corners), max(_UP.divide(a, b) for a, b in corners), "")]


def _relative_change(given: Sequence[Interval]) -> _Computed:
    # (a-b)/b as a/b - 1, which names each operand once: its interval is no wider than it has to be.
    return [(_DOWN.subtract(low, _ONE), _UP.subtract(high, _ONE), "") for low, high, _ in _ratio(given)]


def _percent(given: Sequence[Interval]) -> _Computed:
    return [(_DOWN.multiply(low, _HUNDRED), _UP.multiply(high, _HUNDRED), "") for low, high, _ in _ratio(given)]


def _total(values: Sequence[Decimal], context: Context) -> Decimal:
    total = _ZERO
    for value in values:
        total = context.add(total, value)
    return total


def _sum(given: Sequence[Interval]) -> _Computed:
    return [(_total([x.low for x in given], _DOWN), _total([x.high for x in given], _UP), "")]


def _mean(given: Sequence[Interval]) -> _Computed:
    count = Decimal(len(given))
    return [(_DOWN.divide(low, count), _UP.divide(high, count), "") for low, high, _ in _sum(given)]


def _median(given: Sequence[Interval]) -> _Computed:
    half, odd = divmod(len(given), 2)
    ends = []
    for values, context in ((sorted(x.low for x in given), _DOWN), (sorted(x.high for x in given), _UP)):
        below = values[half] if odd else values[half - 1]
        ends.append(below if odd else context.divide(context.add(below, values[half]), _TWO))
    return [(ends[0], ends[1], "")]


def _min(given: Sequence[Interval]) -> _Computed:
    return [(min(x.low for x in given), min(x.high for x in given), "")]


def _max(given: Sequence[Interval]) -> _Computed:
    return [(max(x.low for x in given), max(x.high for x in given), "")]


def _count(given: Sequence[Interval]) -> _Computed:
    return [(Decimal(len(given)), Decimal(len(given)), "")]


def _std(given: Sequence[Interval]) -> _Computed:
    """The deviation of the middles, give or take the deviation of what they may be off by: it is a seminorm."""
    count = len(given)
    middles = [_DOWN.divide(_DOWN.add(x.low, x.high), _TWO) for x in given]
    mean = _DOWN.divide(_total(middles, _DOWN), Decimal(count))
    squares = _total([_UP.multiply(d, d) for d in (_UP.subtract(middle, mean) for middle in middles)], _UP)
    off = _total([_UP.multiply(half, half) for half in (_UP.divide(x.width, _TWO) for x in given)], _UP)
    found = []
    for how, divisor in (("sample", count - 1), ("population", count)):
        if divisor:
            middle = _UP.sqrt(_UP.divide(squares, Decimal(divisor)))
            reach = _UP.sqrt(_UP.divide(off, Decimal(divisor)))
            # The roots and the mean were rounded, of every value that the operands can stand for.
            slack = _UP.add(reach, _UP.add(abs(middle), reach).scaleb(10 - _DIGITS, _UP))
            found.append((max(_ZERO, _DOWN.subtract(middle, slack)), _UP.add(middle, slack), how))
    return found


_PAIRS = (
    Operation("difference", "difference of {0} and {1}", "a - b", 2, Unit.SAME, _difference),
    Operation(
        "relative-change", "relative change of {0} against {1}", "(a - b) / b", 2, Unit.FRACTION, _relative_change
    ),
    Operation("ratio", "ratio of {0} to {1}", "a / b", 2, Unit.FACTOR, _ratio),
    Operation("percent", "share of {0} in {1}", "100 * a / b", 2, Unit.PERCENT, _percent),
)
_MANY = (
    Operation("sum", "sum", "a + b + ...", None, Unit.SAME, _sum),
    Operation("mean", "mean", "(a + b + ...) / n", None, Unit.SAME, _mean),
    Operation("median", "median", "the middle one", None, Unit.SAME, _median),
    Operation("min", "least", "the least", None, Unit.SAME, _min),
    Operation("max", "largest", "the largest", None, Unit.SAME, _max),
    Operation("count", "number", "n", None, Unit.COUNT, _count),
    Operation("std", "standard deviation", "of a sample or of a population", None, Unit.SAME, _std),
)
OPERATIONS: dict[str, Operation] = {operation.name: operation for operation in (*_PAIRS, *_MANY)}
"""The operations by the names that declarations use."""


def compute(operation: Operation, operands: Sequence[Interval]) -> tuple[Result, ...]:
    """Compute an operation.

    Args:
        operation: The operation.
        operands: Its operands, finite. Where some are percentages and others fractions, all are taken as fractions.

    Returns:
        What it comes to, in each way in which it can be computed; nothing where it is not defined (a division by what may
        be zero, the sample deviation of one value, no operand at all).

    Example:
        >>> operands = [Interval.of(Decimal("0.90")), Interval.of(Decimal("0.80"))]
        >>> compute(OPERATIONS["relative-change"], operands)[0].low
        Decimal('0.125')
    """
    if not operands or (operation.most is not None and len(operands) != operation.most):
        return ()
    if not all(end.is_finite() for operand in operands for end in operand[:2]):
        return ()
    percent = all(operand.percent for operand in operands)
    if not percent and any(operand.percent for operand in operands):
        if all(operand.percent or operand.is_fraction for operand in operands):
            operands = [_as_fraction(operand) if operand.percent else operand for operand in operands]
        else:
            percent = True  # 85.0 beside 71 %: the sign was left out
    unit = operation.unit
    if unit is Unit.SAME and percent:
        unit = Unit.POINTS if operation.name == "difference" else Unit.PERCENT
    signed = operation.name in ("difference", "relative-change")
    fractions = all(operand.is_fraction for operand in operands)
    return tuple(
        Result(low, high, unit, how, signed, fractions and unit is Unit.SAME)
        for low, high, how in operation.run(operands)
        if low.is_finite() and high.is_finite()
    )


def _as_fraction(operand: Interval) -> Interval:
    return Interval(_DOWN.divide(operand.low, _HUNDRED), _UP.divide(operand.high, _HUNDRED))


# ---------------------------------------------------------------------------------------------------- comparing


def fit(number: Number, result: Result, *, percent: bool = False) -> Fit | None:
    """Decide whether a result could have been written as a number.

    Args:
        number: The number as written.
        result: The result.
        percent: The labels of the number say that it is a percentage.

    Returns:
        How it fits, or ``None``. A fraction fits what is written in percent only times 100, and the other way round.

    Example:
        >>> from provchain.numbers import read_number
        >>> change = Result(Decimal("0.1971"), Decimal("0.1972"), Unit.FRACTION, signed=True)
        >>> fit(read_number("19.7 %"), change), fit(read_number("0.197"), change), fit(read_number("+0.2 %"), change)
        (Fit(scale=Decimal('100'), unsigned=False), Fit(scale=Decimal('1'), unsigned=False), None)
    """
    in_percent = percent or number.percent or number.unit == "pp"
    for scale in _scales(result, in_percent=in_percent, in_points=number.unit == "pp"):
        low, high = _DOWN.multiply(result.low, scale), _UP.multiply(result.high, scale)
        if low <= number.high and high >= number.low:
            return Fit(scale)
        if result.signed and high < 0 and number.written[:1].isdigit() and -high <= number.high and -low >= number.low:
            return Fit(scale, unsigned=True)
    return None


def _scales(result: Result, *, in_percent: bool, in_points: bool) -> tuple[Decimal, ...]:
    """What a result may be multiplied with to be written so."""
    hundredth = Decimal("0.01")
    unit = result.unit
    if unit is Unit.COUNT:
        return () if in_percent else (_ONE,)
    if unit is Unit.FRACTION:
        # A relative change is no number of points.
        return () if in_points else (_HUNDRED,) if in_percent else (_ONE,)
    if unit is Unit.FACTOR:
        return () if in_points else (_HUNDRED,) if in_percent else (_ONE,)
    if unit in (Unit.PERCENT, Unit.POINTS):
        return (_ONE,) if in_percent else (_ONE, hundredth)
    return (_HUNDRED,) if in_percent and result.fractions else (_ONE,)
