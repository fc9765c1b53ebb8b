"""Tables whose numbers hang together in a way that measurements do not: one column is another plus a constant, rows are equal.

Neither is proof. Percentages and their complements, ranks and differences hang together by definition; methods that are one and
the same give the same numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations

from msgspec import Struct

from provchain.linking.written import read_written
from provchain.model import Claim, ClaimKind, ClaimRole

__all__ = ["Pattern", "table_patterns"]

_LEAST_CELLS = 4
_LEAST_DIGITS = 3
_MOST_LINES = 60
_PLAIN = (Decimal(0), Decimal("0.5"), Decimal(1), Decimal(50), Decimal(100))


class Pattern(Struct, frozen=True):
    """Something that measurements hardly show.

    Attributes:
        kind: ``"offset"``, ``"equal rows"`` or ``"plain values"``.
        claims: The cells.
        what: In words.
    """

    kind: str
    claims: tuple[Claim, ...]
    what: str


def table_patterns(claims: Sequence[Claim]) -> list[Pattern]:
    """Look at the result tables of manuscripts.

    Args:
        claims: All claims.

    Returns:
        What was found, table by table.

    Example:
        >>> numbers = (("0.8478", "0.6478"), ("0.8149", "0.6149"), ("0.8208", "0.6208"), ("0.7236", "0.5236"))
        >>> cells = [
        ...     Claim(f"{r}{c}", ClaimKind.NUMBER, "p.md", 5, 9, w, "", row=f"m{r}", header=f"h{c}", table=1, cell=(r, c))
        ...     for r, pair in enumerate(numbers)
        ...     for c, w in enumerate(pair)
        ... ]
        >>> [found.what for found in table_patterns(cells)]
        ["in 4 rows 'h1' is 'h0' - 0.2000"]
    """
    tables: dict[tuple[str, int], dict[tuple[int, int], Claim]] = {}
    for claim in claims:
        if claim.table is not None and claim.cell is not None and _is_result(claim):
            tables.setdefault((claim.path, claim.table), {}).setdefault(claim.cell, claim)
    return [pattern for cells in tables.values() for pattern in _of_table(cells)]


def _is_result(claim: Claim) -> bool:
    return claim.kind is ClaimKind.NUMBER and claim.role is ClaimRole.RESULT


def _of_table(cells: dict[tuple[int, int], Claim]) -> Iterator[Pattern]:
    numbers = {place: written.number for place, claim in cells.items() if (written := read_written(claim)) is not None}
    columns: dict[int, dict[int, Decimal]] = defaultdict(dict)
    rows: dict[int, dict[int, Decimal]] = defaultdict(dict)
    for (row, column), number in numbers.items():
        columns[column][row] = number.value
        rows[row][column] = number.value
    if len(columns) > _MOST_LINES or len(rows) > _MOST_LINES:
        return
    telling = {
        place for place, number in numbers.items() if number.significant >= _LEAST_DIGITS and number.decimals >= 2
    }
    header = {column: cells[place].header or "" for place in cells for column in [place[1]]}
    label = {row: cells[place].row or "" for place in cells for row in [place[0]]}
    for lines, names, what in ((columns, header, "rows"), (rows, label, "columns")):
        offsets: dict[int, list[tuple[int, int, Decimal, tuple[Claim, ...]]]] = defaultdict(list)
        for left, right in combinations(sorted(lines), 2):
            shared = [i for i in lines[left] if i in lines[right]]
            places = [((i, left), (i, right)) if what == "rows" else ((left, i), (right, i)) for i in shared]
            kept = [(a, b) for a, b in places if a in telling and b in telling]
            differences = {numbers[b].value - numbers[a].value for a, b in kept}
            distinct = len({numbers[a].value for a, _ in kept})
            if (
                len(kept) >= _LEAST_CELLS
                and distinct >= _LEAST_CELLS - 1
                and len(differences) == 1
                and any(differences)
            ):
                offsets[left].append((right, len(kept), differences.pop(), tuple(cells[b] for _, b in kept)))
        if offsets:  # of several that hang together one is enough to tell
            left, found = max(offsets.items(), key=lambda item: (len(item[1]), -item[0]))
            said = [
                f"{names[right]!r} is {names[left]!r} {'+' if by > 0 else '-'} {abs(by)}"
                for right, _, by, _ in found[:4]
            ]
            claims = tuple(claim for _, _, _, own in found for claim in own)
            yield Pattern("offset", claims, f"in {found[0][1]} {what} {', '.join(said)}")
    yield from _equal_rows(rows, label, cells)


def _equal_rows(
    rows: dict[int, dict[int, Decimal]], label: dict[int, str], cells: dict[tuple[int, int], Claim]
) -> Iterator[Pattern]:
    for first, second in combinations(sorted(rows), 2):
        same = rows[first] == rows[second] and len(rows[first]) >= _LEAST_CELLS - 1
        if same and label[first] != label[second] and any(value not in _PLAIN for value in rows[first].values()):
            words = f"{label[first]!r} and {label[second]!r} have the same {len(rows[first])} numbers"
            yield Pattern("equal rows", tuple(cells[second, column] for column in rows[second]), words)
    for row in sorted(rows):
        values = rows[row]
        if len(values) >= _LEAST_CELLS - 1 and len(set(values.values())) == 1 and next(iter(values.values())) in _PLAIN:
            only = next(iter(values.values()))
            words = f"all {len(values)} numbers of {label[row]!r} are {only}"
            yield Pattern("plain values", tuple(cells[row, column] for column in values), words)
