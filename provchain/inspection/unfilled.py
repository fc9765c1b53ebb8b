"""Places of a manuscript where a result was to be filled in and was not: ``XX.X %``, ``[insert result]``, tables of ``nan``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

__all__ = ["Unfilled", "unfilled_places"]

_MOST = 50
_MOST_LINE = 4_000
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_CODE = re.compile(r"`[^`\n]*`|\$[^$\n]*\$|<!--.*?-->|\[[^\]\n]*\]\([^)\n]*\)")
_PLACEHOLDER = re.compile(
    r"(?<![\w.])(?:[XY]{1,3}\.[XY]{1,3}|[XY]{2,3}|[X])\s?(?:%|percent\b|points?\b)"
    r"|(?<![\w.])(?:XX\.X{1,2}|X\.X{2,3}|0\.XX{1,3})(?![\w.])"
    r"|\[(?:insert|fill in|to be (?:filled|added|inserted)|add (?:result|value|number|figure))[^\]\[\n]{0,60}\]"
    r"|\[(?:results?|values?|numbers?|TBD|TODO)(?::[^\]\[\n]{0,60})?\]"
    r"|<(?:insert|value|result|number)(?:[ _][^>\n]{0,40})?>"
    r"|\{\{[^}\n]{1,60}\}\}"
    r"|(?<!\w)TB[DA](?!\w)",
    re.IGNORECASE,
)
_FORMAT = re.compile(r"\{(?:[a-z_]\w*)(?:\[[^\]]*\]|\.\w+)*(?::[.\d]*[fdge%])\}")
_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*")
_NAN = re.compile(r"[*_`\s]*[+-]?(?:nan|inf|none|null|undefined)(?:\s?%|\s?±\s?nan)?[*_`\s]*", re.IGNORECASE)
_NUMBER = re.compile(r"[*_`\s~<>≈]*[+-]?\d")


class Unfilled(Struct, frozen=True):
    """A place that was not filled in.

    Attributes:
        line: 1-based.
        what: ``"placeholder"`` or ``"nan table"``.
        text: What stands there.
    """

    line: int
    what: str
    text: str


def unfilled_places(text: str) -> list[Unfilled]:
    """Find what a manuscript leaves open.

    Args:
        text: The manuscript, in Markdown.

    Returns:
        The places in order, at most fifty. Code and mathematics are passed over.

    Example:
        >>> [(found.line, found.text) for found in unfilled_places("It reaches XX.X% here.\\nLet X be 5 in x% of cases.\\n")]
        [(1, 'XX.X%')]
    """
    found: list[Unfilled] = []
    fenced = False
    table: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if _FENCE.match(line):
            fenced = not fenced
        if fenced:
            continue
        if line.count("|") >= 2:
            table.append((number, line[:_MOST_LINE]))
        else:
            found += _nan_table(table)
            table = []
        plain = _CODE.sub(" ", line[:_MOST_LINE])
        for pattern in (_PLACEHOLDER, _FORMAT):
            for match in pattern.finditer(plain):
                if _is_open(match[0]):
                    found.append(Unfilled(number, "placeholder", match[0]))
        if len(found) >= _MOST:
            break
    found += _nan_table(table)
    return found[:_MOST]


def _is_open(text: str) -> bool:
    """A lower-case x is a variable."""
    letters = [char for char in text if char in "xXyY"]
    return not (letters and text.strip("xXyY. %") == "" and not any(map(str.isupper, letters)))


def _nan_table(rows: list[tuple[int, str]]) -> Iterator[Unfilled]:
    """A table of which half of the cells that should hold numbers hold none."""
    body = [(line, row) for line, row in rows[1:] if not _RULE.fullmatch(row)]
    cells = [cell.strip() for _, row in body for cell in row.strip().strip("|").split("|")[1:]]
    empty = sum(_NAN.fullmatch(cell) is not None for cell in cells)
    numbers = sum(_NUMBER.match(cell) is not None for cell in cells)
    if empty >= 2 and empty >= numbers:
        yield Unfilled(rows[0][0], "nan table", f"{empty} of {empty + numbers} values are none")
