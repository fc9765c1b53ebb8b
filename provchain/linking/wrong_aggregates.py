"""Cells that are not the mean that their column gives everywhere else: ``0.7206`` where three seeds come to ``0.7906``.

A cell is said to be wrong only where nothing else can be meant: the rest of its column, or its own row's deviation, was
computed from repetitions of the same file under the same name; its labels name one such group in full; and its number is no
aggregate of it, in no unit, nor one of its values.

Spec: docs/reference/matching.md, 5.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from msgspec import structs

from provchain.linking.aggregates import RULE, Aggregate, aggregates_behind, group_named, results_of, shown
from provchain.linking.counts import Counts
from provchain.linking.pool import Pool
from provchain.linking.repeats import Repeats
from provchain.linking.units import CONVERSIONS
from provchain.linking.words import split_words
from provchain.linking.written import Written, make_link
from provchain.model import Link, Relation, Tier

__all__ = ["oppose_aggregates"]

_KINDS = ("mean", "median", "highest", "lowest", "deviation")
_ROUNDING = Decimal("1.5")  # units of the last digit that may be rounding
_LEAST_DIGITS = 3  # significant ones: shorter numbers may be rounded by hand
_SCALES = (Decimal(1), Decimal(100), Decimal("0.01"))


class _Told(NamedTuple):
    """What the column or the row of a cell says about how its numbers were made."""

    kind: str
    scale: int


def oppose_aggregates(
    cells: Sequence[Written], found: Mapping[str, Sequence[Link]], pool: Pool, counts: Counts
) -> dict[str, list[Link]]:
    """Find the cells that are not the aggregate that they have to be.

    Args:
        cells: The numbers of all tables; those of sentences are passed over.
        found: The links by the claim's id.
        pool: The values.
        counts: How many repetitions the manuscripts speak of.

    Returns:
        An opposing link for each, by the claim's id.
    """
    tables: dict[tuple[str, int], list[Written]] = {}
    for cell in cells:
        if cell.claim.table is not None and cell.claim.cell is not None:
            tables.setdefault((cell.claim.path, cell.claim.table), []).append(cell)
    opposing: dict[str, list[Link]] = {}
    for table in tables.values():
        fits = {
            cell.claim.id: fit
            for cell in table
            if any(link.agrees and link.relation is Relation.AGGREGATED for link in found.get(cell.claim.id, ()))
            for fit in aggregates_behind(cell, pool, counts)[:1]
        }
        for cell in table if fits else ():
            if not found.get(cell.claim.id) and (link := _opposing(cell, table, fits, pool, counts)) is not None:
                opposing[cell.claim.id] = [link]
    return opposing


def _opposing(
    cell: Written, table: Sequence[Written], fits: Mapping[str, Aggregate], pool: Pool, counts: Counts
) -> Link | None:
    if cell.number.exact or cell.number.significant < _LEAST_DIGITS:
        return None
    group, kinds = group_named(cell, pool, counts)
    if group is None or cell.unit not in ("", "%", pool.slot_of[group.values[0].id].unit):
        return None
    told = _told_by_column(cell, table, fits, group, kinds) or _told_by_row(cell, table, fits, group, kinds)
    if told is None or _may_be_of(cell, group):
        return None
    result = dict(_all_of(group))[told.kind] * told.scale
    if result * cell.number.value <= 0 or not Decimal("0.1") < result / cell.number.value < 10:
        return None  # rather of another unit
    note = f"the {told.kind} of {len(group.values)} {group.name}s is {shown(result, cell.number.last_place)}"
    ids = tuple(value.id for value in group.values)
    link = make_link(cell.claim, (), Tier.LABELS, RULE, note=note, agrees=False, operands=ids)
    return structs.replace(link, relation=Relation.AGGREGATED, scale=told.scale)


def _told_by_column(
    cell: Written, table: Sequence[Written], fits: Mapping[str, Aggregate], group: Repeats, kinds: frozenset[str]
) -> _Told | None:
    """Two other cells of the column, or half of them where its labels say it too, are one kind of aggregate."""
    column = [one for one in table if one is not cell and _column_of(one) == _column_of(cell)]
    own = [(one, fits[one.claim.id]) for one in column if one.claim.id in fits]
    told = {_Told(fit.kind.partition(" and ")[0], fit.scale) for _, fit in own}
    measure = _measure(cell, group)
    if len(told) != 1 or not all(_measure(one, fit.group) == measure for one, fit in own):
        return None
    (only,) = told
    said = only.kind.rpartition(" ")[2] in kinds
    enough = (len(own) >= 2 and (said or not kinds)) or (said and 2 * len(own) >= len(column))
    return only if enough else None


def _told_by_row(
    cell: Written, table: Sequence[Written], fits: Mapping[str, Aggregate], group: Repeats, kinds: frozenset[str]
) -> _Told | None:
    """The deviation of the same repetitions stands in the same row, beside what is called or has to be their mean."""
    if kinds != {"mean"}:
        return None
    for one in table:
        fit = fits.get(one.claim.id)
        if fit is None or _row_of(one) != _row_of(cell) or not fit.kind.endswith("deviation"):
            continue
        if fit.group.numbers == group.numbers:
            return _Told("mean", fit.scale)
    return None


def _column_of(cell: Written) -> tuple[int, str]:
    return (cell.claim.cell or (0, 0))[1], cell.claim.header or ""


def _row_of(cell: Written) -> tuple[int, str]:
    return (cell.claim.cell or (0, 0))[0], cell.claim.row or ""


def _measure(cell: Written, group: Repeats) -> tuple[str, frozenset[str], int]:
    """In which file repetitions stand, what they are called besides the row's own name, and how many there are."""
    return group.values[0].path, group.leaf - frozenset(split_words(cell.claim.row or "")), len(group.values)


def _may_be_of(cell: Written, group: Repeats) -> bool:
    """Whether the number is any aggregate of the repetitions or one of them, give or take rounding, in any unit."""
    slack = _ROUNDING * Decimal(1).scaleb(cell.number.last_place)
    numbers = [*(result for _, result in _all_of(group)), *group.numbers]
    return any(
        abs(number * factor - cell.number.value) <= slack
        for number in numbers
        for scale in (*_SCALES, *map(Decimal, CONVERSIONS))
        for factor in (scale, 1 / scale)
    )


def _all_of(group: Repeats) -> Iterator[tuple[str, Decimal]]:
    numbers = group.numbers
    for kind in _KINDS:
        yield from results_of(kind, numbers)
    for name, deviation in results_of("deviation", numbers):
        yield f"variance ({name})", deviation * deviation
        yield f"standard error ({name})", deviation / Decimal(len(numbers)).sqrt()
    yield "sum", sum(numbers, Decimal(0))
