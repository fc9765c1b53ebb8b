"""Rows and columns that are called a mean and are the mean of the others of their table: ``| Average | 0.84 |``.

Only a label that says nothing else names such a line; what it is a mean of are all other lines that report results, and each of
these cells has to be linked. Of cells that a mean cannot be taken of (changes, counts, other units) none is computed.

Spec: docs/reference/matching.md, 5.6.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal

from provchain.linking.named_operands import Cells, tables_of
from provchain.linking.written import Written
from provchain.model import Claim

__all__ = ["is_mean_of", "means_of_lines"]

_MEAN = re.compile(
    r"\W*(?:(?:overall|macro|grand)[ -])?(?:mean|average|avg\.?)(?: over all| overall)?\W*", re.IGNORECASE
)
_OTHER = re.compile(
    r"\b(?:std|s\.?d|deviation|total|sum|median|min|max|best|worst|rank|improvement|change|delta|diff(?:erence)?|gain|drop"
    r"|relative|p[- ]?values?|mean|average|avg)\b|Δ|±",
    re.IGNORECASE,
)
_LEAST = 2


def means_of_lines(claims: Iterable[Claim]) -> Iterator[tuple[Claim, tuple[Claim, ...]]]:
    """Find the cells of mean rows and mean columns.

    Args:
        claims: All claims.

    Yields:
        Each such cell with the cells that it is a mean of.
    """
    for cells in tables_of(claims).values():
        yield from _lines(cells, 0, lambda claim: claim.row or "")
        yield from _lines(cells, 1, lambda claim: claim.header or "")


def _lines(cells: Cells, axis: int, label: Callable[[Claim], str]) -> Iterator[tuple[Claim, tuple[Claim, ...]]]:
    called = {place[axis]: label(claim) for place, claim in cells.items()}
    means = [line for line, name in called.items() if _MEAN.fullmatch(name)]
    others = [line for line, name in called.items() if line not in means]
    if len(means) != 1 or len(others) < _LEAST or any(_OTHER.search(called[line]) for line in others):
        return
    for place, claim in cells.items():
        if place[axis] == means[0]:
            own = [cells.get((line, place[1]) if axis == 0 else (place[0], line)) for line in others]
            if all(one is not None for one in own):
                yield claim, tuple(one for one in own if one is not None)


def is_mean_of(written: Written, operands: list[Written], behind: list[Decimal | None]) -> bool | None:
    """Whether a number is the mean of others: as they are written, or by the values behind them.

    Args:
        written: The number.
        operands: What it may be the mean of.
        behind: The values behind these, as they would be written, where known.

    Returns:
        ``True`` if the written numbers give it, ``False`` if only the values behind do, ``None`` if neither.
    """
    same = {(one.number.unit, one.number.percent) for one in (written, *operands)}
    if (
        len(same) != 1
        or written.number.exact
        or written.number.modifier
        or any(one.number.modifier for one in operands)
    ):
        return None
    if written.number.contains(sum((one.number.value for one in operands), Decimal(0)) / len(operands)):
        return True
    known = [value for value in behind if value is not None]
    if len(known) == len(operands) and written.number.contains(sum(known, Decimal(0)) / len(known)):
        return False
    return None
