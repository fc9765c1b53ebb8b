"""Changes in prose that no two cells under the named measure come to: ``20-35 % higher accuracy`` over a table where
nothing differs by more than 4 %.

Nothing is searched for here that could support a claim: of all pairs of a table one gives a number by chance (rule 5.6). The
other way round the search is sound. Where the manuscript names a measure that heads columns of its own tables, and no two
rows of any of these columns differ by what is written, in no way in which people count a change, then the sentence does not
follow from the cells it rests on.

Spec: docs/reference/matching.md, 5.6.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from operator import attrgetter
from typing import NamedTuple

from msgspec import structs

from provchain.linking.named_operands import Mention, mentions_of
from provchain.linking.units import split_unit, without_unit
from provchain.linking.words import names_rate, split_words
from provchain.linking.written import Written, make_link, read_written
from provchain.model import Claim, ClaimKind, ClaimRole, Link, Relation, Tier

__all__ = ["impossible_changes"]

RULE = "5.6 no two cells"
_ROW, _HEADER = attrgetter("row"), attrgetter("header")
_MORE_WORDS = r"higher|greater|more|larger|longer|increas\w+|gains?|rise|rose|grew|growth|boost\w*|slower|overhead"
_LESS_WORDS = r"lower|less|fewer|smaller|shorter|reduc\w+|decreas\w+|drop\w*|sav\w+|decline\w*|cut\w*|loss"
_EITHER_WORDS = r"better|worse|improv\w+|faster|speed-?ups?|outperform\w*|chang\w+|difference|margin"
_MORE = re.compile(rf"\b(?:{_MORE_WORDS})\b", re.IGNORECASE)
_LESS = re.compile(rf"\b(?:{_LESS_WORDS})\b", re.IGNORECASE)
_CHANGE_AFTER = re.compile(
    rf"\s*(?:(?:absolute|relative|average|mean|overall)\s+)?(?:(?!(?:and|or|but|while)\b)[\w-]+\s+){{0,2}}?"
    rf"(?:{_MORE_WORDS}|{_LESS_WORDS}|{_EITHER_WORDS})\b",
    re.IGNORECASE,
)
_CHANGE_BEFORE = re.compile(
    rf"\b(?:{_MORE_WORDS}|{_LESS_WORDS}|{_EITHER_WORDS})\b(?:\s+(?!to\b|at\b|from\b)[\w'’-]+){{0,5}}?"
    r"\s+(?:by|of)\s+(?:(?:about|around|roughly|nearly|approximately|over|some|an?|up to)\s+){0,2}[~≈]?\s*$",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\s*%?\s*(?:-|–|—|to)\s*~?")
_FACTOR = re.compile(r"\s*(?:×|x\b|times\b|-?fold\b)", re.IGNORECASE)
_CLAUSE = re.compile(r"[;:]|\.\s|,\s*(?:while|whereas|but|with|and|which)\b|\b(?:while|whereas)\b", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"\b(?:prior|previous(?:ly)?|earlier|existing|literature|reported (?:in|by)|original paper|expected?|should|would|could"
    r"|may|might|will|aim\w*|target\w*|hypothes\w+|goal|theoretical\w*|up to)\b|\[\d",
    re.IGNORECASE,
)
# Words of a measure that a sentence leaves out.
_GENERIC = frozenset(
    ["usage", "score", "consumption", "level", "mean", "total", "overall", "rate", "value", "percent", "metric"]
)
_LEAST_DIGITS = 2
_SLACK = 0.15  # of the number itself: what people round a change to
_LEAST_ROWS = 2
_MOST_ROWS = 200


class _Change(NamedTuple):
    """A change as written, over one number or a range of two."""

    claims: tuple[Claim, ...]
    low: float
    high: float
    factor: bool
    named: frozenset[str]
    direction: int
    sentence: frozenset[str]


class _Column(NamedTuple):
    """A measure of a table: the words of its label, and its cells by the words of their row."""

    words: frozenset[str]
    label: str
    cells: tuple[tuple[frozenset[str], Written], ...]


def impossible_changes(claims: Sequence[Claim], links: Iterable[Link]) -> list[Link]:
    """Oppose the changes in prose that no two cells of the measure they name come to.

    Args:
        claims: All claims of the manuscripts.
        links: What was found so far. A claim that agrees with something is passed over; a link that opposes one rests on what
            the two cells rest on that come nearest.

    Returns:
        Links that do not agree.

    Example:
        >>> cells = [Claim(w, ClaimKind.NUMBER, "p.md", at, 9, w, "", row=row, header="Accuracy", table=1, cell=(at, 2))
        ...          for at, (row, w) in enumerate((("Ours", "0.543"), ("Baseline", "0.524")), start=1)]
        >>> text = "Ours reaches a 30% higher accuracy than the baseline."
        >>> claim = Claim("c", ClaimKind.NUMBER, "p.md", 9, 16, "30%", text)
        >>> [(link.claim, link.note) for link in impossible_changes([*cells, claim], [])]
        [('c', "no two cells under 'Accuracy' differ by 30%: the nearest, 0.543 and 0.524, by 3.63%")]
    """
    rests_on: dict[str, tuple[str, ...]] = {}
    agreed: set[str] = set()
    for link in links:
        rests_on.setdefault(link.claim, link.operands)
        if link.agrees and link.tier is not Tier.MANUSCRIPT:
            agreed.add(link.claim)
    columns: dict[str, list[_Column]] = {}
    for path, column in _columns_of(claims):
        columns.setdefault(path, []).append(column)
    found: list[Link] = []
    for text, mentions in mentions_of(claims):
        for change in _changes_in(text, mentions):
            if any(claim.id in agreed or claim.role is not ClaimRole.RESULT for claim in change.claims):
                continue
            wrong = _why_not(change, columns.get(change.claims[0].path, ()))
            if wrong is not None:
                note, cells = wrong
                operands = tuple(dict.fromkeys(one for cell in cells for one in rests_on.get(cell.claim.id, ())))
                found += [_opposing(claim, operands, note) for claim in change.claims]
    return found


def _opposing(claim: Claim, operands: tuple[str, ...], note: str) -> Link:
    made = make_link(claim, (), Tier.LABELS, RULE, note=note, agrees=False, operands=operands or (claim.id,))
    return structs.replace(made, operands=operands, relation=Relation.DERIVED)


# ------------------------------------------------------------------------------------------------------- tables


def _columns_of(claims: Sequence[Claim]) -> Iterator[tuple[str, _Column]]:
    """The columns of all tables of results, and their rows where these are the measures."""
    tables: dict[tuple[str, int], list[Claim]] = {}
    for claim in claims:
        if claim.table is not None and claim.kind is ClaimKind.NUMBER and claim.role is ClaimRole.RESULT:
            tables.setdefault((claim.path, claim.table), []).append(claim)
    for (path, _), cells in tables.items():
        for label, other in ((_HEADER, _ROW), (_ROW, _HEADER)):
            lines: dict[str, list[Claim]] = {}
            for claim in cells:
                lines.setdefault(label(claim) or "", []).append(claim)
            for name, line in lines.items():
                words = frozenset(split_words(without_unit(name)))
                if label is _ROW and not (names_rate(words) or split_unit(name)[1]):
                    continue  # most rows are methods: their cells are of many measures
                numbers = [
                    (frozenset(split_words(other(one) or "")), written)
                    for one in line
                    if (written := read_written(one))
                ]
                if words and _LEAST_ROWS <= len(numbers) <= _MOST_ROWS:
                    yield path, _Column(words, name, tuple(numbers))


# -------------------------------------------------------------------------------------------------------- prose


def _changes_in(text: str, mentions: Sequence[Mention]) -> Iterator[_Change]:
    at, sentence = 0, frozenset(split_words(text))
    while at < len(mentions):
        first = mentions[at]
        last = first
        if at + 1 < len(mentions):
            following = mentions[at + 1]
            if _RANGE.fullmatch(text[first.number.end : following.number.start]):
                last = following
        at += 2 if last is not first else 1
        start, end = first.number.start, last.number.end
        before, after = text[max(0, start - 120) : start], text[end : end + 80]
        factor = _FACTOR.match(after) or last.number.unit == "x"
        claims = tuple(mention.claim for mention in dict.fromkeys((first, last)) if mention.claim is not None)
        numbers = (first.number, last.number)
        if not claims or not (last.number.percent or factor) or any(n.modifier not in ("", "~") for n in numbers):
            continue
        behind = after[factor.end() :] if isinstance(factor, re.Match) else after
        said = _CHANGE_BEFORE.search(before) or _CHANGE_AFTER.match(behind)
        if said is None or (last is first and first.number.significant < _LEAST_DIGITS):
            continue
        low, high = sorted(abs(float(n.value)) for n in numbers)
        if _ELSEWHERE.search(_clause(text, start, end)) is None and _MOVED.search(before) is None:
            named = frozenset(split_words(f"{_PHRASE_START.split(before)[-1]} {_PHRASE_END.split(behind)[0]}"))
            yield _Change(claims, low, high, bool(factor), named, _direction(said.group()), sentence)


_PHRASE_START = re.compile(r"[,;:.()]|\d|\b(?:and|while|with|that|which)\b")
_PHRASE_END = re.compile(
    r"[,;:()]|\.\s|\d|\b(?:and|while|with|that|which|compared|than|over|versus|vs|across|relative)\b"
)
_MOVED = re.compile(r"\b(?:from|to|at)\s+(?:about\s+)?[~≈]?\s*$", re.IGNORECASE)


def _clause(text: str, start: int, end: int) -> str:
    begins = max((found.end() for found in _CLAUSE.finditer(text, 0, start)), default=0)
    ends = _CLAUSE.search(text, end)
    return text[begins : ends.start() if ends else len(text)]


def _direction(words: str) -> int:
    more, less = _MORE.search(words), _LESS.search(words)
    return (more is not None) - (less is not None)


# --------------------------------------------------------------------------------------------------- comparing


def _why_not(change: _Change, columns: Sequence[_Column]) -> tuple[str, tuple[Written, Written]] | None:
    """Why the change cannot be, with the two cells that come nearest; ``None`` where it can."""
    measured = [column for column in columns if (column.words - _GENERIC) and column.words - _GENERIC <= change.named]
    low, high = change.low * (1 - _SLACK), change.high * (1 + _SLACK)
    nearest: tuple[float, float, Written, Written, str] | None = None
    for column in measured:
        for one, other in _compared(column, change.sentence):
            for reading in _readings(float(one.number.value), float(other.number.value), change):
                if low <= reading <= high:
                    return None
                off = max(low - reading, reading - high)
                if nearest is None or off < nearest[0]:
                    nearest = (off, reading, one, other, column.label)
    if nearest is None:
        return None
    _, reading, one, other, label = nearest
    written = "-".join(claim.written for claim in change.claims)
    pair = f"{one.claim.written} and {other.claim.written}"
    unit = "x" if change.factor else "%"
    times = " times" if change.factor and written[-1:].isdigit() else ""
    note = f"no two cells under {label!r} differ by {written}{times}: the nearest, {pair}, by {reading:.3g}{unit}"
    return note, (one, other)


def _compared(column: _Column, sentence: frozenset[str]) -> Iterator[tuple[Written, Written]]:
    """The pairs that a sentence may compare: of the rows that it names with each other, or with all where it names one."""
    shared = frozenset.intersection(*(row for row, _ in column.cells))
    named = [bool(row - shared) and row - shared <= sentence for row, _ in column.cells]
    enough = min(sum(named), 2)
    for (i, (_, one)), (j, (_, other)) in combinations(enumerate(column.cells), 2):
        if named[i] + named[j] >= enough:
            yield one, other


def _readings(one: float, other: float, change: _Change) -> Iterator[float]:
    """Everything that somebody may call the change between two numbers, of the kind that is written."""
    small, large = sorted((abs(one), abs(other)))
    if change.factor:
        if small:
            yield large / small
            yield large / small - 1
        return
    if small and change.direction >= 0:
        yield 100 * (large - small) / small
    if large and change.direction <= 0:
        yield 100 * (large - small) / large
    yield large - small  # points
    if large <= 1:
        yield 100 * (large - small)
        if small < 1 and change.direction <= 0:  # of an accuracy the error
            yield 100 * (large - small) / (1 - small)
