"""What words say of how the work went: that help was asked, something given up, not completed, repaired, simplified, made up.

The words of a manuscript, and those of an agent between its calls, are testimony. They never support a result; they tell
whether a reader was told, and whether what was said agrees with what is on record. Found by wording alone, in English, so
that a remark is a hint to its place and no proof; what is denied, supposed, planned, asked or told of others is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct

from provchain.inspection._remarks.guards import counts, find_status
from provchain.inspection._remarks.prose import SCRIPT_NAME, Sentence, read_sentences
from provchain.inspection._remarks.wording import PATTERNS, STEMS
from provchain.model import RemarkKind

__all__ = ["FoundRemark", "discloses_change", "find_remarks", "reports_incomplete"]

_LONGEST = 400  # characters of a sentence that are kept
_MOST_NAMES = 20
_MOST_REMARKS = 1000  # of one text
_MOST_TEXT = 500_000  # characters of sentences that the patterns are tried on: the whole of a book has as many
_UNFINISHED = (RemarkKind.NOT_COMPLETED, RemarkKind.GIVEN_UP)
_STATUSES = (RemarkKind.NOT_COMPLETED, RemarkKind.COMPLETED)
_NAMED = re.compile(
    r"\b(?:steps?|stages?|phases?|experiments?|exp|runs?|jobs?|tasks?|seeds?|folds?|trials?)[ _-]#?"
    r"(?:[0-9]{1,6}[a-z]?(?:\.[0-9]{1,4}){0,3}|(?-i:[A-Z]))(?![\w'-])",
    re.IGNORECASE,
)
_EXECUTION = re.compile(
    r"\b(?:executions?|calls?|activit(?:y|ies)) #?([0-9]{1,6}(?:\.[0-9]{1,4}){1,3})(?![\w.]?[0-9])", re.IGNORECASE
)


class FoundRemark(Struct, frozen=True):
    """A sentence that says how the work went.

    Attributes:
        kind: What it says.
        line: 1-based, counted by ``\\n``: where the words that say so begin.
        text: The sentence, without markup, at most 400 characters of it.
        names: What it names that may be a step or an execution, as written: scripts, words in code style, "step 3",
            the id of an execution.
    """

    kind: RemarkKind
    line: int
    text: str
    names: tuple[str, ...] = ()


def find_remarks(text: str) -> list[FoundRemark]:
    """Find what a text says of how the work went.

    Args:
        text: A manuscript or a message, in Markdown or plain. Code, quotations and sections on other work are passed over.

    Returns:
        Remarks in the order of their sentences, the first thousand; one sentence can make remarks of several kinds, one of
        each. What is longer than any book is read as far as a book goes.

    Example:
        >>> text = "# Results\\n\\nThe run of `train.py` crashed after 7.8 s.\\nNo results are reported for it."
        >>> [(remark.kind.value, remark.line, remark.names) for remark in find_remarks(text)]
        [('not-completed', 3, ('train.py',)), ('not-completed', 4, ())]
    """
    return list(islice(_find(text, tuple(PATTERNS)), _MOST_REMARKS))


def discloses_change(text: str) -> int | None:
    """The first line in which a manuscript says that it did something otherwise than planned.

    Args:
        text: The manuscript.

    Returns:
        The line, 1-based, or ``None``.

    Example:
        >>> discloses_change("# R\\nWe used simplified models due to time constraints.")
        2
    """
    return next((remark.line for remark in _find(text, (RemarkKind.SIMPLIFIED,))), None)


def reports_incomplete(text: str) -> int | None:
    """The first line in which a manuscript says that an experiment could not be completed, or was given up.

    Args:
        text: The manuscript.

    Returns:
        The line, 1-based, or ``None``.

    Example:
        >>> reports_incomplete("The experiment could not be completed.")
        1
    """
    return next((remark.line for remark in _find(text, _UNFINISHED)), None)


def _find(text: str, kinds: Sequence[RemarkKind]) -> Iterator[FoundRemark]:
    line, counted, tried = 1, 0, 0
    stems = tuple(stem for kind in kinds for stem in STEMS[kind])
    for sentence in read_sentences(text, stems):
        tried += len(sentence.view)
        if tried > _MOST_TEXT:
            return
        lowered = sentence.view.lower()
        for kind in kinds:
            if not any(stem in lowered for stem in STEMS[kind]):
                continue
            offset = _find_kind(kind, sentence.view)
            if offset is None:
                continue
            place = sentence.place_of(offset)
            line, counted = line + _lines_between(text, counted, place), place
            yield FoundRemark(kind, line, _shorten(sentence.shown, offset), _names(sentence))


def _lines_between(text: str, start: int, end: int) -> int:
    """Count the lines from one place to another, which may lie before it."""
    return text.count("\n", start, end) if end >= start else -text.count("\n", end, start)


def _find_kind(kind: RemarkKind, view: str) -> int | None:
    """Find where a sentence makes a remark of a kind: the first match of any pattern that counts."""
    for pattern in PATTERNS[kind]:
        for match in pattern.finditer(view):
            if counts(kind, view, match):
                return match.start()
    return find_status(kind, view) if kind in _STATUSES else None


def _shorten(sentence: str, offset: int) -> str:
    if len(sentence) > _LONGEST:
        start = max(0, min(offset - _LONGEST // 4, len(sentence) - _LONGEST + 2))
        sentence = ("… " if start else "") + sentence[start:]
        sentence = sentence if len(sentence) <= _LONGEST else sentence[: _LONGEST - 2] + " …"
    return " ".join(sentence.split())


def _names(sentence: Sentence) -> tuple[str, ...]:
    """Collect what a sentence names, in the order in which it stands there."""
    found = [(match.start(), match.group()) for match in SCRIPT_NAME.finditer(sentence.shown)]
    found += [(match.start(), match.group()) for match in _NAMED.finditer(sentence.view)]
    found += [(match.start(1), match.group(1)) for match in _EXECUTION.finditer(sentence.view)]
    for start, end in sentence.codes:
        code = sentence.shown[start:end].strip()
        if 1 < len(code) <= 80 and not any(c.isspace() for c in code):
            found.append((start, code))
    return tuple(dict.fromkeys(name for _, name in sorted(found)))[:_MOST_NAMES]
