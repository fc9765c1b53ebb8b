"""A claim's number, read once, and how a value can stand behind it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from provchain.errors import NotANumberError
from provchain.linking.units import split_unit
from provchain.linking.words import names_percent, names_rate, split_words
from provchain.model import Claim, Link, Relation, Tier, Value
from provchain.numbers import Match, Number, find_numbers, match_number, read_number

__all__ = ["MAX_LINKS", "PRINTED_TOO", "Hit", "Written", "clause_of", "links_of_hits", "make_link", "read_written"]

MAX_LINKS = 8
"""Alternatives of one claim."""
PRINTED_TOO = "printed in a log too"
"""Note of a link to a log, where a data file holds the number as well: the file is the better evidence."""
_HUNDRED = Decimal(100)


class Hit(NamedTuple):
    """A value that agrees with a claim's number."""

    value: Value
    kind: str
    scale: int

    @property
    def exact(self) -> bool:
        """It agrees by the rules of rounding, not by a weaker kind."""
        return self.kind in ("verbatim", "rounded")


class Written:
    """The number of a claim.

    Attributes:
        claim: The claim.
        number: Its number.
        low: Lower end of the interval it stands for.
        high: Upper end.
        bare: Its significant digits without zeros at the end.
        asked: The words that say what it is: the labels of a cell, the clause of a sentence.
        unit: The unit that its column names, or empty.
        telling: How much an agreement says: 1 for four significant digits, near 0 for small integers.
    """

    __slots__ = (
        "_matches",
        "_reach",
        "asked",
        "bare",
        "claim",
        "high",
        "low",
        "number",
        "percent",
        "rate",
        "telling",
        "unit",
    )

    def __init__(self, claim: Claim, number: Number) -> None:
        self.claim = claim
        self.number = number
        self.low = float(number.low)
        self.high = float(number.high)
        header = f"{claim.header or ''} {claim.row or ''}"
        self.percent = number.percent or names_percent(header)
        self.rate = names_rate(frozenset(split_words(header if claim.table is not None else claim.text)))
        self.asked = frozenset(split_words(header if claim.table is not None else clause_of(claim)))
        self.unit = split_unit(claim.header or "")[1] if claim.table is not None else ""
        self.bare = _bare(number)
        self.telling = _telling(number)
        self._reach = 0.0 if number.exact else 1.51 * float(Decimal(1).scaleb(number.last_place))
        self._matches: dict[tuple[Decimal, bool], Match | None] = {}

    def windows(self) -> list[tuple[float, float]]:
        """The intervals of values that can stand behind the number, the weaker kinds and scales included."""
        slack = self._reach + 1e-12 * max(abs(self.low), abs(self.high))
        plain = (self.low - slack, self.high + slack)
        return [plain, (plain[0] / 100, plain[1] / 100)] if self.percent or self.rate else [plain]

    def exact_windows(self) -> list[tuple[float, float]]:
        """The intervals of values that round to the number."""
        plain = (self.low, self.high)
        return [plain, (plain[0] / 100, plain[1] / 100)] if self.percent or self.rate else [plain]

    def match(self, value: Value) -> Hit | None:
        """Whether a value can stand behind the number, and how."""
        measure = float(value.number)
        for low, high in self.windows():
            if low <= measure <= high:
                break
        else:
            return None
        allowed = self.percent or value.percent or (self.rate and 0 <= value.number <= 1)
        key = (value.number, allowed)
        if key not in self._matches:
            self._matches[key] = match_number(self.number, value.number, percent_allowed=allowed)
        found = self._matches[key]
        return Hit(value, found.kind, found.scale) if found is not None else None

    def matches(self, values: Iterable[Value]) -> list[Hit]:
        """The values among some that agree."""
        return [hit for hit in map(self.match, values) if hit is not None]


_DIGIT = re.compile(r"\d[\d.,]*")
_JOINED = re.compile(r"[\s%)~≈$]*(?:to|and|or|vs\.?|versus|±|-|–|→)?[\s(~≈$]*")
_LISTED = re.compile(r"%?\s+[A-Za-z][\w-]*(?:\s[\w-]+)?\s*(?:,|,?\s*and)\s+(?:an?\s+)?")
_MEASURE_BEHIND = re.compile(r"%?\s+(?!(?:and|or|for|on|in|with|to|at|of|by|vs)\b)[A-Za-z]")
_CLAUSE_END = re.compile(r"[,;.()]|\b(?:and|while|compared|versus|vs|but|for)\b|\d")


def clause_of(claim: Claim) -> str:
    """The words between the number before and the number itself, and those that follow it at once."""
    text = claim.text[:4000]
    start = claim.start
    if start < 0:
        return text
    end = start + len(claim.written)
    before, joined = 0, start
    for found in reversed(list(_DIGIT.finditer(text, max(0, start - 200), start))):
        if not _JOINED.fullmatch(text, found.end(), joined):
            before = found.end()
            break
        joined = found.start()  # of "from 20% to 13%" and "(6 vs. 8)" the second is of what the first is
    if before and _LISTED.fullmatch(text, before, start) and _MEASURE_BEHIND.match(text, end):
        joined = before = start  # of "0.74 accuracy and 0.75 F1" each number has its measure behind it
    after = _CLAUSE_END.search(text, end + 1)
    return text[max(before, joined - 120) : start] + " " + text[end : after.start() if after else end + 40][:40]


def _bare(number: Number) -> int:
    return len("".join(map(str, number.value.as_tuple().digits)).strip("0"))


def _telling(number: Number) -> float:
    value = abs(number.value)
    if value in (0, 1, _HUNDRED):
        return 0.15
    if number.exact and value < _HUNDRED:
        return 0.25
    # Round numbers are settings, counts and bounds more often than measurements: half of their zeros count.
    return {0: 0.25, 1: 0.25, 2: 0.5, 3: 0.8}.get((number.significant + _bare(number) + 1) // 2, 1.0)


def read_written(claim: Claim) -> Written | None:
    """Read a claim's number; ``None`` where it holds none."""
    try:
        number = read_number(claim.written)
    except NotANumberError:
        return None
    if claim.table is None:
        # What stands before a number ("about", "<") belongs to it, but not to what is quoted of it.
        for other in _numbers_of(claim.text):
            if other.written == number.written and other.value == number.value:
                number = other
                break
    return Written(claim, number) if number.modifier in ("", "~") else None


@lru_cache(maxsize=4096)
def _numbers_of(text: str) -> tuple[Number, ...]:
    return tuple(find_numbers(text[:4000]))


def make_link(
    claim: Claim,
    hits: tuple[Hit, ...],
    tier: Tier,
    rule: str,
    *,
    note: str = "",
    agrees: bool = True,
    operands: tuple[str, ...] = (),
) -> Link:
    """Make the link from a claim to the values that stand behind it."""
    ids = operands or tuple(hit.value.id for hit in hits)
    first = hits[0] if hits else None
    quoted = first is None or (first.kind == "verbatim" and first.scale == 1)
    notes = [note] if note else []
    if first is not None and not first.exact and agrees:
        notes.insert(0, "off by one in the last digit" if first.kind == "last digit" else first.kind)
    if first is not None and first.scale != 1:
        notes.append(f"times {first.scale}")
    digest = hashlib.sha256("\x1f".join((claim.id, rule, *ids)).encode("utf-8", "surrogatepass")).hexdigest()
    return Link(
        id=digest[:16],
        claim=claim.id,
        operands=ids,
        relation=Relation.QUOTED if quoted else Relation.ROUNDED,
        tier=tier,
        rule=rule,
        scale=first.scale if first is not None else 1,
        agrees=agrees,
        note="; ".join(notes),
    )


def links_of_hits(written: Written, found: Iterable[tuple[bool, Hit]], rule: str, tier: Tier) -> list[Link]:
    """Make the alternative links of one claim: data files first, then logs that print the same number again."""
    ordered = sorted(found, key=lambda item: not item[0])
    links: dict[str, Link] = {}
    for data, hit in ordered:
        second = ordered[0][0] and not data
        link = make_link(written.claim, (hit,), tier, rule, note=PRINTED_TOO if second else "")
        links.setdefault(link.id, link)
        if len(links) == MAX_LINKS:
            break
    return list(links.values())
