"""Which lines of a script say what a claim reports, by the labels of the claim."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from provchain.inspection.named_expressions import named_expressions
from provchain.linking.figures import figure_title
from provchain.linking.words import split_words
from provchain.model import Claim, ClaimKind, Study
from provchain.numbers import find_numbers

__all__ = ["ScriptLines"]

_MOST_LINES = 3
_NOTHING_SAID = frozenset(
    ["figure", "plot", "curve", "comparison", "chart", "result", "value", "png", "pdf", "svg", "jpg"]
)
_EVERYWHERE = frozenset(map(Decimal, (0, 1, 2)))


class ScriptLines:
    """Finds the lines of scripts that give a name to what claims report.

    Args:
        study: The study.
        texts: What its artifacts hold.
    """

    def __init__(self, study: Study, texts: Mapping[str, str]) -> None:
        self._texts = {a.path: texts[a.id] for a in study.artifacts if a.path.endswith(".py") and a.id in texts}
        self._read: dict[str, list[_Line]] = {}

    def of(self, script: str, claim: Claim) -> tuple[int, ...]:
        """The lines, the best first; none where the script does not name it.

        Args:
            script: Path of the script.
            claim: The claim: a cell by its row and column, a figure by its name, a sentence by a literal of its number.
        """
        if script not in self._read:
            self._read[script] = [
                _Line(_words(one.labels), one.line, _words((*one.labels, *one.names)), one.numbers)
                for one in named_expressions(self._texts.get(script, ""))
            ]
        lines = self._read[script]
        if claim.kind is ClaimKind.FIGURE:
            found = _of_figure(claim, lines)
        elif claim.table is not None:
            found = _of_cell(claim, lines)
        else:
            found = _of_literal(claim, lines)
        return tuple(dict.fromkeys(found))[:_MOST_LINES]


class _Line(NamedTuple):
    """A line that names something: the words of its name, all words of the names in it, and the numbers in it."""

    words: frozenset[str]
    line: int
    around: frozenset[str]
    numbers: tuple[str, ...]


def _words(labels: Sequence[str]) -> frozenset[str]:
    return frozenset(word for label in labels for word in split_words(label))


def _of_figure(claim: Claim, lines: Sequence[_Line]) -> list[int]:
    """Lines whose whole name is among the words for the figure: those of its file first, then those of its title."""
    name = frozenset(split_words(posixpath.basename(claim.written))) - _NOTHING_SAID
    title = name | frozenset(split_words(figure_title(claim))) - _NOTHING_SAID
    for asked in (name, title):
        fitting = [
            (len(one.words - asked), one.line)
            for one in lines
            if (said := one.words - _NOTHING_SAID) and said <= asked and (asked is name or len(said) > 1)
        ]
        if fitting:
            return [line for _, line in sorted(fitting)]
    return []


def _of_cell(claim: Claim, lines: Sequence[_Line]) -> list[int]:
    """Lines that name row and column in full; else the only ones that name the row and most of the column."""
    rows, columns = frozenset(split_words(claim.row or "")), frozenset(split_words(claim.header or ""))
    if not rows or not columns:
        return []
    fitting = [(len(one.words - rows - columns), one.line) for one in lines if rows | columns <= one.words]
    if fitting:
        return [line for _, line in sorted(fitting)]
    shared = [(len(one.words & columns), one.line) for one in lines if rows <= one.words and one.words & columns]
    best = max((count for count, _ in shared), default=0)
    nearest = [line for count, line in shared if count == best]
    return nearest if 2 * best >= len(columns) and len(nearest) <= 1 else []


def _of_literal(claim: Claim, lines: Sequence[_Line]) -> list[int]:
    """Lines in which the number itself stands, or the share that its percentage is, beside a word of the sentence."""
    numbers = find_numbers(claim.written)[:1]
    if not numbers or numbers[0].value in _EVERYWHERE:
        return []
    shares = {numbers[0].value, numbers[0].value / 100} if numbers[0].percent else {numbers[0].value}
    asked = frozenset(split_words(claim.text)) - _NOTHING_SAID
    fitting = [
        (-len(one.around & asked), one.line)
        for one in lines
        if one.around & asked and any(Decimal(number) in shares for number in one.numbers)
    ]
    return [line for _, line in sorted(fitting)]
