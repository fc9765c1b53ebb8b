"""Tables of a manuscript as grids: what is compared on one side, in which measure on the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

from provchain.errors import NotANumberError
from provchain.linking.directions import Direction, direction_of
from provchain.linking.words import initials, split_words
from provchain.model import Claim, ClaimKind, ClaimRole
from provchain.numbers import Number, read_number

__all__ = ["Grid", "Place", "Side", "read_grids"]

_MOST_LABELS = 40  # on one side: a longer table is a list of items, and no comparison of a few things
_MOST_CELLS = 600
_MOST_TABLES = 60  # of one manuscript
_ROLES = (ClaimRole.RESULT, ClaimRole.CITED)
# Rows and columns that sum up or compare others are no things compared.
_SUMMING_WORDS = """
mean median std total overall improvement delta gain difference change variance p relative rank best ratio
"""
_SUMMING = frozenset(_SUMMING_WORDS.split())

Place = tuple[str, ...]


class Side:
    """A table with the things compared on one of its sides.

    Attributes:
        kind: ``"row"`` or ``"column"``.
        names: The labels of what is compared, in the order of the table.
        places: The other labels, one place for each combination of them.
        cells: The claim and the number for what is compared at a place.
        about: The words of the caption and of the headings above.
    """

    def __init__(
        self, kind: str, cells: dict[tuple[str, Place], tuple[Claim, Number]], caption: str, section: Sequence[str]
    ) -> None:
        self.kind = kind
        self.cells = cells
        self.names = tuple(
            name for name in dict.fromkeys(name for name, _ in cells) if not _SUMMING & set(split_words(name))
        )
        self.places = tuple(dict.fromkeys(place for _, place in cells))
        self.about = frozenset(split_words(" ".join((caption, *section))))
        self._caption = caption
        self._measured = any(self.names_measure(place) for place in self.places)

    def words(self, label: str) -> frozenset[str]:
        """The words of one label, without the unit it may have."""
        return _words(label)

    def all_words(self, place: Place) -> frozenset[str]:
        """The words of all labels of a place, and the initials that may stand for one."""
        return frozenset(word for part in place for word in (*_words(part), *_initials(part)))

    def direction(self, place: Place) -> Direction:
        """Which way is better at a place: by its labels, else by the caption."""
        found = [known for part in place if (known := direction_of(part)).better or known.cost or known.speed]
        if len(found) == 1:
            return found[0]
        if found:
            return found[0] if len(set(found)) == 1 else Direction(0, any(known.cost for known in found))
        if self._measured or any(_SUMMING & _words(part) for part in place):
            return Direction()  # the others say what is measured there, so the caption does not say it of this one
        return direction_of(self._caption)

    def names_measure(self, place: Place) -> bool:
        """Whether a place says itself what is measured there."""
        return any(direction_of(part).named for part in place)

    def is_constant(self, place: Place) -> bool:
        """Whether a place shows the same for all that is compared: then it is no measure of them."""
        return len({number.value for (_, where), (_, number) in self.cells.items() if where == place}) == 1

    def order(self, mine: str, theirs: str, place: Place, sign: int) -> int | None:
        """Say whether the first is above the second: 1, below: -1, the same within rounding: 0, or not known."""
        one, two = self.cells.get((mine, place)), self.cells.get((theirs, place))
        if one is None or two is None or one[1].percent != two[1].percent or one[1].unit != two[1].unit:
            return None
        if one[1].modifier or two[1].modifier:
            return None
        if one[1].low >= two[1].high:
            return sign if one[1].value > two[1].value else 0
        if two[1].low >= one[1].high:
            return -sign if two[1].value > one[1].value else 0
        return 0

    @staticmethod
    def number_of(cell: Claim) -> Number:
        """The number of a cell."""
        return read_number(cell.written)


class Grid:
    """One table of a manuscript.

    Attributes:
        section: The headings above it.
        sides: The ways in which it can be looked at.
    """

    def __init__(self, cells: Sequence[tuple[Claim, Number]]) -> None:
        first = cells[0][0]
        self.section = first.section
        caption = first.caption or ""
        found: list[Side] = []
        parts = [(tuple((claim.row or "").split(" / ")), claim.header or "") for claim, _ in cells]
        depth = max(len(row) for row, _ in parts)
        ways = [("row", at) for at in range(depth)] if len({len(row) for row, _ in parts}) == 1 else [("row", -1)]
        for kind, at in (*ways, ("column", 0)):
            keyed: dict[tuple[str, Place], tuple[Claim, Number]] = {}
            for (row, header), cell in zip(parts, cells, strict=True):
                whole = " / ".join(row)
                name = header if kind == "column" else row[at] if at >= 0 else whole
                rest = (
                    (whole,) if kind == "column" else (*(p for i, p in enumerate(row) if i != at and at >= 0), header)
                )
                if (name, rest) in keyed:
                    keyed.clear()
                    break
                keyed[name, rest] = cell
            side = Side(kind, keyed, caption, first.section)
            if 2 <= len(side.names) <= _MOST_LABELS and len(side.places) <= _MOST_LABELS:
                found.append(side)
        self.sides = tuple(found)


def read_grids(claims: Iterable[Claim]) -> dict[str, list[Grid]]:
    """Put the cells of result tables together.

    Args:
        claims: All claims of all manuscripts.

    Returns:
        The tables of each manuscript that has both labels for its cells.
    """
    tables: dict[tuple[str, int], dict[tuple[int, int], list[Claim]]] = defaultdict(lambda: defaultdict(list))
    for claim in claims:
        if claim.kind is ClaimKind.NUMBER and claim.table is not None and claim.cell is not None:
            tables[claim.path, claim.table][claim.cell].append(claim)
    found: dict[str, list[Grid]] = defaultdict(list)
    for (path, _), cells in tables.items():
        single = [
            own[0] for own in cells.values() if len(own) == 1 and own[0].row and own[0].header and own[0].role in _ROLES
        ]
        numbers = [(claim, number) for claim in single if (number := _number(claim)) is not None]
        if 2 <= len(numbers) <= _MOST_CELLS and len(found[path]) < _MOST_TABLES:
            found[path].append(Grid(numbers))
    return {path: grids for path, grids in found.items() if grids}


def _number(claim: Claim) -> Number | None:
    try:
        return read_number(claim.written)
    except NotANumberError:
        return None


@lru_cache(maxsize=4096)
def _words(label: str) -> frozenset[str]:
    return frozenset(split_words(label.partition(" (")[0] or label)) | frozenset()


@lru_cache(maxsize=4096)
def _initials(label: str) -> tuple[str, ...]:
    short = initials(split_words(label))
    return (short,) if len(short) >= 2 else ()
