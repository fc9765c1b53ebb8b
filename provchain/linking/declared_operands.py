"""What the operands of a declared operation stand for: a number, all numbers of a list, or what these come to.

``{ operation = "mean", artifact = "results.json", selector = "/ours/rmse" }`` is one operand, the mean of a list; so the
change between two means can be declared without writing either down.

Spec: docs/reference/matching.md, "Declared links"; schemas/claims.schema.json.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from provchain.linking.declared_places import MissingPlaceError, Places
from provchain.linking.operations import OPERATIONS, Interval, Operation, Result, Unit, compute
from provchain.model import Operand, Value

__all__ = ["GIVE_OPERATION", "Item", "computed_of", "cut", "items_of", "known_operation", "rounded_of"]

GIVE_OPERATION = 'or give an operation, as in operation = "mean"'
"""What to do where a selector names many numbers."""
_PRECISE = 3  # significant digits from which on a number in a file counts as rounded, and not as what it is
_NARROW = Decimal("0.1")  # width of a result, as a share of it, up to which rounded operands say something
_MOST_OPERANDS = 10_000


class Item(NamedTuple):
    """One operand of an operation.

    Attributes:
        values: The values that it stands for, or is computed from.
        lexical: It in words: the number as it stands there, or what it comes to.
        exact: What it stands for, one for each way of computing it.
        rounded: The same, if its values were themselves rounded.
    """

    values: tuple[Value, ...]
    lexical: str
    exact: tuple[Interval, ...]
    rounded: tuple[Interval, ...]


def known_operation(name: str) -> Operation:
    """The operation of a name.

    Raises:
        MissingPlaceError: There is none; the message names the one that was meant.
    """
    operation = OPERATIONS.get(name)
    if operation is None:
        close = difflib.get_close_matches(name, OPERATIONS, n=1)
        meant = f"; there is {close[0]!r}" if close else f"; known: {', '.join(OPERATIONS)}"
        raise MissingPlaceError(f"no operation {cut(name)!r}{meant}")
    return operation


def items_of(operation: Operation, operands: Sequence[Operand], places: Places, manuscript: str) -> list[Item]:
    """What the operands of an operation stand for.

    Args:
        operation: The operation.
        operands: Its operands. One that names a list stands for each of its numbers, if the operation takes many.
        places: The places of the study.
        manuscript: The manuscript of the claim.

    Returns:
        The items, as many as the operation needs.

    Raises:
        MissingPlaceError: A place is not there, or holds not what the operation needs.
    """
    items: list[Item] = []
    for operand in operands:
        if operand.operation:
            items.append(_computed_item(operand, places, manuscript))
        else:
            items += map(_plain_item, _values_of(operation, operand, places, manuscript))
    if operation.most is not None and len(items) != operation.most:
        raise MissingPlaceError(f"{operation.name} needs {operation.most} operands, not {len(items)}")
    count = sum(len(item.values) for item in items)
    if count > _MOST_OPERANDS:
        raise MissingPlaceError(f"{operation.name} of {count} numbers: more than {_MOST_OPERANDS} are not read")
    return items


def computed_of(operation: Operation, items: Sequence[Item]) -> tuple[Result, ...]:
    """What an operation comes to, in each way in which it and its operands can be computed."""
    return tuple(
        dict.fromkeys(one for given in _ways([item.exact for item in items]) for one in compute(operation, given))
    )


def rounded_of(operation: Operation, items: Sequence[Item]) -> tuple[Result, ...]:
    """What it comes to where its operands were themselves rounded, if that still says something."""
    found = []
    for given in _ways([item.rounded for item in items]):
        for result in compute(operation, given):
            least = min(abs(result.low), abs(result.high))
            if result.low * result.high > 0 and result.high - result.low <= _NARROW * least:
                found.append(result)
    return tuple(dict.fromkeys(found))


def _ways(items: Sequence[Sequence[Interval]]) -> Iterator[list[Interval]]:
    """All operands computed in the first way, then all of them in the second, if any has one."""
    for way in range(max(map(len, items), default=0)):
        yield [item[min(way, len(item) - 1)] for item in items]


def _plain_item(value: Value) -> Item:
    return Item((value,), cut(value.lexical), (_interval(value),), (_rounded(value),))


def _computed_item(operand: Operand, places: Places, manuscript: str) -> Item:
    """One operand that is computed from others."""
    operation = known_operation(operand.operation)
    if operation.most is not None:
        raise MissingPlaceError(f"an operand is a mean or the like of several numbers, and no {operation.name}")
    if any(inner.operation or inner.operands for inner in operand.operands):
        raise MissingPlaceError("the operands of an operand are places: they have no operation of their own")
    parts = operand.operands or (Operand(operand.artifact, operand.selector, operand.execution),)
    values = tuple(value for part in parts for value in _values_of(operation, part, places, manuscript))
    if len(values) > _MOST_OPERANDS:
        raise MissingPlaceError(f"{operation.name} of {len(values)} numbers: more than {_MOST_OPERANDS} are not read")
    results = compute(operation, list(map(_interval, values)))
    if not results:
        raise MissingPlaceError(f"{operation.name} is not defined for what stands there")
    lexical = f"{operation.describe([value.lexical for value in values])} ({float(results[0].low):.6g})"
    rounded = compute(operation, list(map(_rounded, values)))
    return Item(values, lexical, tuple(map(_as_operand, results)), tuple(map(_as_operand, rounded)))


def _as_operand(result: Result) -> Interval:
    return Interval(result.low, result.high, result.unit in (Unit.PERCENT, Unit.POINTS))


def _values_of(operation: Operation, operand: Operand, places: Places, manuscript: str) -> Sequence[Value]:
    """The numbers that a place stands for: one, or for a mean and its like all that its selector names."""
    if operand.execution or not operand.selector:
        raise MissingPlaceError(f"{operation.name} needs a file and a selector for each operand")
    found = places.numbers(operand, manuscript)
    if found.named and found.values[0].selector == operand.selector:
        return found.values[:1]
    if operation.most is None or len(found.values) == 1:
        return found.values
    first = found.values[0].selector
    raise MissingPlaceError(
        f"{found.place} holds {len(found.values)} numbers: name one of them, as in {first!r}, {GIVE_OPERATION}"
    )


def _interval(value: Value) -> Interval:
    return Interval.of(value.number, percent=value.percent)


def _rounded(value: Value) -> Interval:
    digits, exponent = len(value.number.as_tuple().digits), value.number.as_tuple().exponent
    half = Decimal(0)
    if isinstance(exponent, int) and exponent < 0 and digits >= _PRECISE:
        half = Decimal(5).scaleb(exponent - 1)
    return Interval(value.number - half, value.number + half, value.percent)


def cut(text: str) -> str:
    """Shorten what is quoted in a note."""
    return text if len(text) <= 40 else f"{text[:39]}…"
