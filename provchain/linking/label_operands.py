"""Operands that a sentence names by the labels of a table: two rows under one column, or one row against the table's baseline.

Only where the labels single out one pair of cells in one table of the manuscript, and no other pair can be meant.

Spec: docs/reference/matching.md, 5.6.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from provchain.linking.named_operands import (
    BASE,
    COMPARED,
    CUE_AFTER,
    CUE_BEFORE,
    MARKUP,
    NOUNS,
    VERBS,
    Cells,
    Mention,
    Named,
    has_letter,
    phrases_in,
    tables_of,
)
from provchain.linking.units import without_unit
from provchain.linking.words import split_words
from provchain.model import Claim
from provchain.numbers import Number

__all__ = ["named_against_base", "named_by_labels"]

_COMPARING = re.compile(
    rf"\b(?:{COMPARED}|outperform(?:s|ed|ing)?|beat(?:s|ing)?|surpass(?:es|ed|ing)?|exceed(?:s|ed|ing)?)(?!\w)",
    re.IGNORECASE,
)


def named_by_labels(claims: Sequence[Claim], sentences: Iterable[tuple[str, Sequence[Mention]]]) -> Iterator[Named]:
    """Find the claims of sentences that compare two rows (or columns) of one table under one of its columns (or rows).

    Args:
        claims: All claims.
        sentences: The sentences with their numbers.

    Yields:
        A claim with its operands, where one table of its manuscript is meant and no other can be.
    """
    by_paper: dict[str, list[_Labels]] = {}
    for (path, _), cells in tables_of(claims).items():
        by_paper.setdefault(path, []).append(_Labels(cells))
    for text, mentions in sentences:
        asked = [mention for mention in mentions if mention.claim is not None and _has_cue(text, mention.number)]
        compared = list(_COMPARING.finditer(text))
        cut = compared[0].span() if len(asked) == len(compared) == 1 else (0, 0)
        times = [(one, of.end()) for one in mentions if one.claim and (of := _TIMES_THAT.match(text, one.number.end))]
        if len(times) == 1:  # "The error of A is 1.9x that of B"
            asked, cut = [times[0][0]], (times[0][0].number.start, times[0][1])
        if cut == (0, 0) or asked[0].claim is None:
            continue
        left, right = text[: cut[0]], text[cut[1] :]
        if not split_words(left):  # "Compared to the baseline, ours ..."
            right, _, left = right.partition(",")
        found = [pair for labels in by_paper.get(asked[0].claim.path, ()) if (pair := labels.named(left, right))]
        if len(found) == 1:
            number = asked[0].number
            around = f"{text[max(0, number.start - 60) : number.start]} | {text[number.end : number.end + 40]}"
            yield Named(asked[0].claim, *found[0], False, around)


def named_against_base(claims: Sequence[Claim], sentences: Iterable[tuple[str, Sequence[Mention]]]) -> Iterator[Named]:
    """Find the claims of sentences that say what one row gained, where the table has one row that others are compared with.

    ``X improved accuracy by 12 % and reduced errors by 19 %`` names one row and, for each number, one column; what X is
    compared with is the row of the table that is called its baseline, if there is one.

    Args:
        claims: All claims.
        sentences: The sentences with their numbers.

    Yields:
        A claim with its operands, where one table of its manuscript is meant and no other can be.
    """
    by_paper: dict[str, list[_Labels]] = {}
    for (path, _), cells in tables_of(claims).items():
        by_paper.setdefault(path, []).append(_Labels(cells))
    for text, mentions in sentences:
        if _COMPARING.search(text):
            continue
        for at, mention in enumerate(mentions):
            claim, number = mention.claim, mention.number
            if claim is None or not (_has_cue(text, number) or _LOSS.match(text, number.end)):
                continue
            before = text[mentions[at - 1].number.end if at else 0 : number.start]
            behind = _CLAUSE_END.split(text[number.end : number.end + 60])[0]
            pairs = [
                pair
                for labels in by_paper.get(claim.path, ())
                if (pair := labels.against_base(text, f"{before} | {behind}")) is not None
            ]
            if len(pairs) == 1:
                yield Named(claim, *pairs[0], False, f"{before[-60:]} | {behind}")


_TIMES_THAT = re.compile(r"\s*(?:×|x\b|times)?\s*(?<![0-9.]\s)(?:that|those) of\b", re.IGNORECASE)
_LOSS = re.compile(rf"\s*(?:[\w-]+\s+){{0,2}}(?:{NOUNS}|loss(?:es)?|degradation)\b", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[,;.()]|\b(?:and|while|but)\b|\d")


def _has_cue(text: str, number: Number) -> bool:
    before, after = text[max(0, number.start - 120) : number.start], text[number.end : number.end + 80]
    return bool(
        CUE_AFTER.match(MARKUP.sub("", after)) or CUE_BEFORE.search(MARKUP.sub("", before)) or _BY.search(before)
    )


_BY = re.compile(rf"\b(?:{VERBS}|beats?)\b[^.;,]{{0,60}}\bby\s+(?:about\s+|~)?$", re.IGNORECASE)


class _Labels:
    """The labels of one table, as phrases that a sentence can name."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._rows = _unique({place[0]: claim.row or "" for place, claim in cells.items()})
        self._columns = _unique({place[1]: claim.header or "" for place, claim in cells.items()})

    def named(self, left: str, right: str) -> tuple[Claim, Claim] | None:
        """The two cells that a sentence compares, given what stands before and behind the comparing word."""
        phrases = {
            (axis, index): words for axis, labels in enumerate((self._rows, self._columns)) for index, words in labels
        }
        sides = (phrases_in(split_words(left), phrases), phrases_in(split_words(right), phrases))
        for axis in (0, 1):
            compared = [[index for kind, index in side if kind == axis] for side in sides]
            under = {index for side in sides for kind, index in side if kind != axis}
            if [len(side) for side in compared] == [1, 1] and len(under) == 1:
                (a,), (b,), (other,) = compared[0], compared[1], under
                places = [(index, other) if axis == 0 else (other, index) for index in (a, b)]
                if a != b and places[0] in self._cells and places[1] in self._cells:
                    return self._cells[places[0]], self._cells[places[1]]
        return None

    def against_base(self, sentence: str, clause: str) -> tuple[Claim, Claim] | None:
        """The cell that a sentence names with the one of the table's baseline, under what its clause names."""
        for axis, (things, measures) in enumerate(((self._rows, self._columns), (self._columns, self._rows))):
            bases = [index for index, words in things if not BASE.isdisjoint(words)]
            named = {index for _, index in phrases_in(split_words(sentence), {(0, i): words for i, words in things})}
            under = {index for _, index in phrases_in(split_words(clause), {(0, i): words for i, words in measures})}
            if len(bases) == 1 and len(named - set(bases)) == 1 and len(under) == 1:
                (subject,), (measure,), base = named - set(bases), under, bases[0]
                places = [(index, measure) if axis == 0 else (measure, index) for index in (subject, base)]
                if all(place in self._cells for place in places):
                    return self._cells[places[0]], self._cells[places[1]]
        return None


def _unique(labels: dict[int, str]) -> list[tuple[int, tuple[str, ...]]]:
    """The labels that say something and stand once."""
    words = {index: split_words(without_unit(label)) for index, label in labels.items()}
    said = Counter(words.values())
    return [(index, own) for index, own in words.items() if has_letter(own) and said[own] == 1]
