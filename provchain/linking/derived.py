"""Numbers that follow from others of the manuscript: shares, differences, changes, ratios (rule 5.6).

Two numbers of a run give a third one by chance far too often, so no pair is searched for. A number is computed only from
operands that the manuscript names, in its sentence or by the labels of one of its tables, and only if each of them has a link
that agrees. Where they are named and nothing fits, nothing is said: the words may mean another pair. Only a change that is
written right behind its two operands (``from 46.0 to 20.0 (-77 %)``) and comes out in no way at all is linked as opposing.

The written operands decide. A result that comes out only with the values behind them (a percentage of what was not yet
rounded) counts as well, because they are what the operands were linked to; that it merely lies within their rounding does not.

Spec: docs/reference/matching.md, 5.6.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import chain, product
from typing import NamedTuple

from msgspec import structs

from provchain.linking.label_operands import named_against_base, named_by_labels
from provchain.linking.mean_lines import is_mean_of, means_of_lines
from provchain.linking.named_operands import (
    Beside,
    Named,
    columns_beside,
    mentions_of,
    named_before,
    named_in_sentence,
)
from provchain.linking.operations import OPERATIONS, Interval, Operation, Result, compute, fit
from provchain.linking.words import names_rate, split_words
from provchain.linking.written import MAX_LINKS, PRINTED_TOO, Written, make_link, read_written
from provchain.linking.wrong_changes import what_it_would_be
from provchain.model import Claim, ClaimKind, ClaimRole, Link, Relation, Tier, Value

__all__ = ["derived_links"]

RULE = "5.6 derived"
_LEAST_ROWS = 2  # of a column of changes that have to come out in one way, where nothing says which way it is
_NO_RATES = frozenset(
    ["reduction", "improvement", "ratio", "error", "percent", "percentage", "share", "rate", "map", "match"]
)
_LEAST_SHARE = 0.6  # of its rows
_TIERS = list(Tier)

_UP = re.compile(
    r"\b(?:increas\w*|higher|rises?|rose|more|larger|greater|grew|grows?|jump\w*|longer)\b|\+", re.IGNORECASE
)
_DOWN = re.compile(
    r"\b(?:decreas\w*|reduc\w*|lower\w*|drop\w*|fell|falls?|less|fewer|smaller|declin\w*|shr[aiu]nks?|shorter|cheaper"
    r"|sav(?:es?|ed|ings?))\b",
    re.IGNORECASE,
)
_SIGNS = {"+": 1, "-": -1, "−": -1, "–": -1}
_RELATIVE = re.compile(r"\brelative(?:ly)?\b(?!\s+to\b)", re.IGNORECASE)
_POINTS = re.compile(r"\b(?:points?|pts?|pp|absolute(?:ly)?)\b", re.IGNORECASE)
_POINTS_BEHIND = re.compile(r"\s*-?(?:percentage |absolute )?points?\b", re.IGNORECASE)
_FACTOR = re.compile(r"^\s*(?:×|x\b|times\b|-?\s?fold\b)", re.IGNORECASE)
_INVERTED = re.compile(
    r"\b(?:faster|speed-?ups?|reduc\w*|less|fewer|smaller|lower|shorter|cheaper|sav\w*)\b", re.IGNORECASE
)


class _Reading(NamedTuple):
    """One way in which a number can follow from two operands, the second of which it is compared with."""

    operation: Operation
    swapped: bool = False
    negated: bool = False


class _Answer(NamedTuple):
    """A reading that comes out."""

    reading: _Reading
    points: bool
    exact: bool


def derived_links(claims: Sequence[Claim], links: Iterable[Link], values: Mapping[str, Value]) -> list[Link]:
    """Link claims to what they follow from, where the manuscript names their operands and those are linked.

    Args:
        claims: All claims of the manuscripts, of every role: a number between two others keeps them apart.
        links: The links that were found; those that do not agree, and those to a claim's own manuscript, count for nothing.
        values: The operands of the links that are values, by their ids.

    Returns:
        Links for claims of results that have no agreeing link, in the order of the claims; those that do not agree say what
        the change would be. The tier is that of the weakest
        operand. Several links of one claim are alternatives, because its operands have several.

    Example:
        >>> text = "Accuracy rose from 0.71 to 0.85 (+19.7 %)."
        >>> places = {"0.71": 20, "0.85": 28, "+19.7 %": 34}
        >>> claims = [Claim(w, ClaimKind.NUMBER, "p.md", 1, at, w, text) for w, at in places.items()]
        >>> links = [
        ...     Link(w, w, (f"m.json#1!/{w}",), Relation.QUOTED, Tier.LABELS, "5.7 table") for w in ("0.71", "0.85")
        ... ]
        >>> [(link.operands, link.note) for link in derived_links(claims, links, {})]
        [(('m.json#1!/0.85', 'm.json#1!/0.71'), 'relative change of 0.85 against 0.71')]
    """
    return _Derivation(claims, links, values).run()


class _Derivation:
    """The claims of a study with what they are linked to."""

    def __init__(self, claims: Sequence[Claim], links: Iterable[Link], values: Mapping[str, Value]) -> None:
        self._claims = claims
        self._values = values
        agreeing: dict[str, list[Link]] = {}
        for link in links:
            if link.agrees and link.operands and link.tier is not Tier.MANUSCRIPT:
                agreeing.setdefault(link.claim, []).append(link)
        self._linked = {claim: _strongest(found) for claim, found in agreeing.items()}
        self._written: dict[str, Written | None] = {}
        self._found: dict[str, list[Link]] = {}

    def run(self) -> list[Link]:
        """Make the links."""
        sentences = list(mentions_of(self._claims))
        for text, mentions in sentences:
            for named in named_in_sentence(text, mentions):
                self._try(named)
        labels = (named_by_labels(self._claims, sentences), named_against_base(self._claims, sentences))
        for named in chain(named_before(sentences), *labels):
            self._try(named)
        for beside in columns_beside(self._claims):
            self._column(beside)
        for claim, others in means_of_lines(self._claims):
            self._mean(claim, others)
        return [link for claim in self._claims for link in self._found.get(claim.id, ())]

    def _is_open(self, claim: Claim) -> bool:
        return claim.role is ClaimRole.RESULT and claim.id not in self._linked and claim.id not in self._found

    def _read(self, claim: Claim) -> Written | None:
        if claim.id not in self._written:
            self._written[claim.id] = read_written(claim) if claim.kind is ClaimKind.NUMBER else None
        return self._written[claim.id]

    def _operands(self, left: Claim, right: Claim) -> tuple[Written, Written] | None:
        """The operands, if both are linked and can be compared."""
        if left.id not in self._linked or right.id not in self._linked:
            return None
        a, b = self._read(left), self._read(right)
        if a is None or b is None or a.number.unit != b.number.unit or a.number.modifier or b.number.modifier:
            return None
        return a, b

    # ------------------------------------------------------------------------------------------------- sentences

    def _try(self, named: Named) -> None:
        written, operands = self._read(named.claim), self._operands(named.left, named.right)
        if written is None or operands is None or not self._is_open(named.claim):
            return
        written = _in_points(written, named.around)
        readings = _shares(written, operands) if named.share else _changes(written, operands, named.around)
        if named.strict and _direction(named.around) == 0:
            return
        for reading in readings:
            answer = self._answer(written, operands, reading, around=named.around)
            if answer is not None:
                self._link(written, operands, answer)
                return
        if named.explicit:
            new, old = (operand.number for operand in operands)
            sign = _SIGNS.get(written.number.written[:1]) or _direction(named.around)
            if note := what_it_would_be(written.number, new, old, sign):
                self._add(written, operands, note, agrees=False)

    def _answer(
        self, written: Written, operands: tuple[Written, Written], reading: _Reading, *, around: str | None
    ) -> _Answer | None:
        """Whether a number comes out: of the operands as written, or of the values behind them."""
        behind = [self._value_of(operand) for operand in operands]
        numbers = [tuple(operand.number.value for operand in operands)]
        if behind[0] is not None and behind[1] is not None:
            numbers.append((behind[0], behind[1]))
        percent = [_is_percent(operand) for operand in operands]
        for index, pair in enumerate(numbers):
            given = [Interval.of(value, percent=own) for value, own in zip(pair, percent, strict=True)]
            for result in compute(reading.operation, given[::-1] if reading.swapped else given):
                low, high = (-result.high, -result.low) if reading.negated else (result.low, result.high)
                fitting = fit(written.number, result._replace(low=low, high=high), percent=written.percent)
                if fitting is None or (fitting.unsigned and around is None):
                    continue
                if around is None or _is_directed(result, around):
                    points = reading.operation.name == "difference" and (written.percent or written.number.unit == "pp")
                    return _Answer(reading, points, index == 0)
        return None

    def _value_of(self, operand: Written) -> Decimal | None:
        """The value behind an operand, as it would be written."""
        link = self._linked[operand.claim.id][0]
        value = self._values.get(link.operands[0])
        if value is None or link.relation not in (Relation.QUOTED, Relation.ROUNDED):
            return None
        scaled = value.number * link.scale
        # A link may rest on a weaker kind of agreement; what is computed here has to be what is written.
        return scaled if operand.number.contains(scaled) else None

    # ---------------------------------------------------------------------------------------------------- tables

    def _column(self, beside: Beside) -> None:
        """Link a column of changes, in the one way in which most of its rows come out."""
        rows: list[tuple[Written, tuple[Written, Written]]] = []
        for claim, left, right in beside.cells:
            written, operands = self._read(claim), self._operands(left, right)
            if written is not None and operands is not None and self._is_open(claim):
                bare = not (written.number.unit or written.percent)
                if bare and (_POINTS.search(beside.label) or all(one.number.percent for one in operands)):
                    written = Written(claim, structs.replace(written.number, unit="pp"))
                rows.append((written, operands))
        if not rows:
            return
        best: list[tuple[Written, tuple[Written, Written], _Answer]] = []
        for reading in _readings_of_column(rows[0][0], beside):
            found = []
            for written, operands in rows:
                if reading not in _possible(written, operands, reading):
                    continue
                answer = self._answer(written, operands, reading, around=None)
                if answer is not None:
                    found.append((written, operands, answer))
            if len(found) > len(best):
                best = found
        telling = sum(written.number.value != 0 for written, _, _ in best)
        enough = telling >= _LEAST_ROWS or (beside.base_known and len(rows) == telling == 1)
        if enough and len(best) >= _LEAST_SHARE * len(rows):
            for written, operands, answer in best:
                self._link(written, operands, answer)

    def _mean(self, claim: Claim, others: Sequence[Claim]) -> None:
        """Link a cell of a mean row or column to all that it is the mean of."""
        written, operands = self._read(claim), [one for other in others if (one := self._read(other)) is not None]
        linked = len(operands) == len(others) and all(other.id in self._linked for other in others)
        if written is None or not linked or not self._is_open(claim):
            return
        mean = is_mean_of(written, operands, [self._value_of(operand) for operand in operands])
        if mean is not None:
            self._add(written, operands, f"mean of {len(operands)} cells{'' if mean else ', computed before rounding'}")

    # ----------------------------------------------------------------------------------------------------- links

    def _link(self, written: Written, operands: tuple[Written, Written], answer: _Answer) -> None:
        reading = answer.reading
        names = [operand.claim.written for operand in operands]
        note = reading.operation.describe(names[::-1] if reading.swapped else names)
        note += " in points" if answer.points else ""
        note += "" if answer.exact else ", computed before rounding"
        self._add(written, operands, note)

    def _add(self, written: Written, operands: Sequence[Written], note: str, *, agrees: bool = True) -> None:
        """Link to all that the operands are linked to."""
        links: dict[tuple[str, ...], Link] = {}
        for pair in _combined([self._linked[operand.claim.id] for operand in operands]):
            ids = tuple(dict.fromkeys(one for link in pair for one in link.operands))
            tier = max((link.tier for link in pair), key=_TIERS.index)
            made = make_link(written.claim, (), tier, RULE, note=note, agrees=agrees, operands=ids)
            links.setdefault(ids, _as_derived(made))
        self._found[written.claim.id] = list(links.values())[:MAX_LINKS]


def _as_derived(link: Link) -> Link:
    return structs.replace(link, relation=Relation.DERIVED)


def _strongest(links: Sequence[Link]) -> list[Link]:
    """Of a claim's links those of the strongest tier, without the logs that print again what a file holds."""
    top = min(_TIERS.index(link.tier) for link in links)
    kept = [link for link in links if _TIERS.index(link.tier) == top]
    return [link for link in kept if link.note != PRINTED_TOO] or kept


def _combined(alternatives: Sequence[Sequence[Link]]) -> list[tuple[Link, ...]]:
    """All combinations of the operands' links; of too many some, in which each of them stands."""
    count = 1
    for links in alternatives:
        count *= len(links)
    if count <= MAX_LINKS:
        return list(product(*alternatives))
    return [tuple(links[at % len(links)] for links in alternatives) for at in range(max(map(len, alternatives)))]


# ----------------------------------------------------------------------------------------------------- readings


def _is_rate(text: str) -> bool:
    """Whether a text names what lies between 0 and 1, and not only that something changed."""
    return names_rate(frozenset(split_words(text)) - _NO_RATES)


def _is_percent(written: Written) -> bool:
    """Whether a number is a percentage: it says so, or stands in a column of a rate and is too large for a fraction."""
    return written.percent or (
        written.claim.table is not None and abs(written.number.value) > 1 and _is_rate(_said_of(written.claim))
    )


def _in_points(written: Written, around: str) -> Written:
    """The number with its unit, where ``points`` stands right behind it."""
    if written.number.unit or written.number.percent or not _POINTS_BEHIND.match(around.partition(" | ")[2]):
        return written
    return Written(written.claim, structs.replace(written.number, unit="pp"))


def _shares(written: Written, operands: tuple[Written, Written]) -> list[_Reading]:
    part, whole = (operand.number for operand in operands)
    counts = part.exact and whole.exact and 0 <= part.value <= whole.value and whole.value > 0
    # A share of counts is written in percent, or with enough digits to be one.
    is_share = written.number.percent or (written.number.decimals >= 2 and 0 <= written.number.value <= 1)
    return [_Reading(OPERATIONS["percent"])] if counts and is_share and not written.number.unit else []


def _changes(written: Written, operands: tuple[Written, Written], around: str) -> list[_Reading]:
    """The ways in which a number in a sentence can follow from two others, by its unit and the words at it."""
    number = written.number
    behind = around.partition(" | ")[2]
    if number.unit == "x" or (not number.percent and _FACTOR.match(behind)):
        if number.significant < 2:
            return []  # "2x" is anything from 1.5 to 2.5
        return [_Reading(OPERATIONS["ratio"], swapped=_INVERTED.search(around) is not None)]
    readings = []
    in_percent = number.percent or number.unit == "pp"
    points = number.unit == "pp" or _POINTS.search(around) is not None
    if in_percent and not points:
        readings.append(_Reading(OPERATIONS["relative-change"]))
    if not _RELATIVE.search(around) and _has_difference(written, operands, in_percent=in_percent):
        readings.append(_Reading(OPERATIONS["difference"]))
    return readings


def _has_difference(written: Written, operands: tuple[Written, Written], *, in_percent: bool) -> bool:
    """Whether a number can be the difference of two others: in their unit, or in points of what is a rate."""
    if not in_percent:
        return written.number.unit == operands[0].number.unit and not any(o.number.percent for o in operands)
    if all(map(_is_percent, operands)):
        return True
    fractions = all(abs(operand.number.value) <= 1 for operand in operands)
    said = (*operands, written) if written.claim.table is None else operands
    return fractions and all(_is_rate(_said_of(one.claim)) for one in said)


def _said_of(claim: Claim) -> str:
    return f"{claim.header or ''} {claim.row or ''}" if claim.table is not None else claim.text


def _direction(around: str) -> int:
    """Which way a change goes, by the words at it: 1 for up, -1 for down, 0 where they do not say."""
    return (_UP.search(around) is not None) - (_DOWN.search(around) is not None)


def _is_directed(result: Result, around: str) -> bool:
    """Whether a change goes the way that the words at it say."""
    said = _direction(around) if result.signed else 0
    return said == 0 or (result.low >= 0 if said > 0 else result.high <= 0)


def _readings_of_column(first: Written, beside: Beside) -> list[_Reading]:
    """The ways in which a column of changes can follow from the two beside it, the likeliest first."""
    readings = []
    for swapped in (False,) if beside.base_known else (False, True):
        for name in ("relative-change", "difference"):
            readings += [_Reading(OPERATIONS[name], swapped, negated) for negated in (False, True)]
    readings += [_Reading(OPERATIONS["ratio"]), _Reading(OPERATIONS["ratio"], swapped=True)]
    relative, points = _RELATIVE.search(beside.label), _POINTS.search(beside.label)
    excluded = "relative-change" if points or not first.percent else "difference" if relative else ""
    return [reading for reading in readings if reading.operation.name != excluded]


def _possible(written: Written, operands: tuple[Written, Written], reading: _Reading) -> list[_Reading]:
    """The reading, if the unit of a cell allows it."""
    name, number = reading.operation.name, written.number
    if name == "ratio":
        speed = re.search(r"\bspeed-?up", written.claim.header or written.claim.row or "", re.IGNORECASE)
        return [reading] if (number.unit == "x" or (speed and not written.percent)) and number.significant >= 2 else []
    if number.unit == "x":
        return []
    if name == "relative-change":
        return [reading] if written.percent else []
    return [reading] if _column_difference(written, operands) else []


def _column_difference(written: Written, operands: tuple[Written, Written]) -> bool:
    in_percent = written.percent or written.number.unit == "pp"
    return _has_difference(written, operands, in_percent=in_percent)
