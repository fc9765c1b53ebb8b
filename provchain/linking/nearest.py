"""Where the labels of a cell lead, for a reader who asks why its number was not found.

This decides nothing: a table may have been made from another file. It only names the one place that a row and a column
single out, with what stands there.
"""

from __future__ import annotations

from collections.abc import Sequence

from provchain.linking.pool import Pool, Slot
from provchain.linking.written import read_written
from provchain.model import Claim, ClaimKind, Value

__all__ = ["places_of_labels"]

_IN_FULL = 0.99  # share of a label that a place knows


def places_of_labels(claims: Sequence[Claim], values: Sequence[Value]) -> dict[str, Value]:
    """Find for cells of tables the one place that both of their labels lead to.

    Args:
        claims: The claims; those that stand in no table are passed over.
        values: The values of the study.

    Returns:
        For each claim id the value there, where one place fits both labels in full and no other one does.

    Example:
        >>> from decimal import Decimal
        >>> cell = Claim("c1", ClaimKind.NUMBER, "p.md", 5, 3, "514.0", "", table=1, row="merge sort", header="comparisons")
        >>> there = Value("m.json#1!/merge/comparisons", "m.json#1", "m.json", "/merge sort/comparisons", "541.0",
        ...               Decimal("541.0"), ("merge sort", "comparisons"))
        >>> places_of_labels([cell], [there])["c1"].lexical
        '541.0'
    """
    pool: Pool | None = None
    found: dict[str, Value] = {}
    for claim in claims:
        if claim.kind is not ClaimKind.NUMBER or claim.table is None or not claim.row or not claim.header:
            continue
        written = read_written(claim)
        if written is None:
            continue
        pool = pool or Pool(values)
        rows, columns = pool.coverage_of(claim.row), pool.coverage_of(claim.header)
        fitting = [
            slot
            for index in rows.keys() & columns.keys()
            if min(rows[index][0], columns[index][0]) > _IN_FULL and (slot := pool.slots[index]).can_mean(written.asked)
        ]
        if (value := _only(fitting)) is not None:
            found[claim.id] = value
    return found


def _only(slots: Sequence[Slot]) -> Value | None:
    """The value of the one place; a file before the log that prints it again."""
    files = [slot for slot in slots if slot.data] or list(slots)
    if len({number for slot in files for number in slot.numbers}) != 1:
        return None
    return min(files, key=lambda slot: slot.index).values[0]
