"""The sentences that an author wrote: code, quotations, link targets and what is told of other work are not among them.

A rough reading of Markdown, by paragraphs and lines, that takes plain text as well. Each step is one pass over the text.

Spec: https://spec.commonmark.org/0.31.2/ (fenced and indented code, block quotes, comments)
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from msgspec import Struct

from provchain.papers._markup import Inline, read_inline
from provchain.papers._sentences import split_sentences

__all__ = ["CODE", "SCRIPT", "SCRIPT_NAME", "Sentence", "read_sentences"]

Span = tuple[int, int]

SCRIPT, CODE = "\ue000", "\ue001"
"""What stands in the place of each character of a script's name, and of code, mathematics or quoted words."""

SCRIPT_NAME = re.compile(r"(?<![\w./-])[\w./-]{1,160}\.(?:py|sh|ipynb|jl|R|r|pl|cpp|js|ts|m)(?![\w/-]|\.\w)")

_LONGEST_UNIT = 50_000  # characters; what is longer is no paragraph that somebody wrote, and is read as far as that
_LONGEST = 2000  # characters; what is longer is no sentence that somebody wrote, and is looked at in pieces
_GAP = re.compile(r"\n(?:[ \t]*+\n)+")
_FENCE = re.compile(r"^[ >\t]{0,20}(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]{1,4})?(`{3,}|~{3,})([^\n]*)", re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]++([^\n]*)", re.MULTILINE)
_OTHER_WORK = re.compile(
    r"\W*(?:[0-9.]{1,8}\W{1,4})?(?:(?:background and )?related works?|(?:related works? and )?background|prior works?"
    r"|previous works?|literature(?: review)?|references|bibliography|acknowledge?ments)\W*",
    re.IGNORECASE,
)
_LIST_ITEM = r"[ \t]*+(?:[-*+•]|[0-9]{1,4}[.)])[ \t]"
_LIST_IN = re.compile(rf"^{_LIST_ITEM}", re.MULTILINE)
_STARTS = re.compile(  # lines that begin or end something within a paragraph
    rf"^(?:(?P<rule>[ \t]{{0,3}}(?:[-=_*][ \t]{{0,4}}){{3,200}}$)"
    rf"|(?P<quoted>[ \t]{{0,8}}(?:[-*+][ \t])?[ \t]{{0,3}}>[^\n]*)"
    rf"|(?P<alone>(?:[ \t]{{0,3}}#{{1,6}}[ \t]|[ \t]*+\|)[^\n]*)|(?P<item>{_LIST_ITEM}))",
    re.MULTILINE,
)
_WORDS_QUOTED = re.compile(r"\"([^\"\n]{1,400})\"|“([^“”\n]{1,400})”|``((?:[^'`\n]|'(?!')){1,400})''")
_ERROR_NAME = re.compile(r"[\w.]{1,60}(?:Error|Exception)")
_WORD = re.compile(r"\S+")


class Sentence(Struct):
    """One sentence, the words of its author alone.

    Attributes:
        view: What the patterns see: one space between words, code and quoted words replaced by marks.
        shown: What a reader sees, of the same length, code and quoted words as they are.
        codes: Spans of inline code in both.
        starts: Offsets of the words in ``view``, ascending.
        places: Offsets of the same words in the text.
    """

    view: str
    shown: str
    codes: list[Span]
    starts: list[int]
    places: list[int]

    def place_of(self, offset: int) -> int:
        """Translate an offset in the view into the offset in the text where that word begins."""
        return self.places[max(0, bisect_right(self.starts, offset) - 1)]


def read_sentences(text: str, stems: tuple[str, ...]) -> Iterator[Sentence]:
    """Yield the sentences of an author that hold one of some stems.

    Args:
        text: A manuscript or a message, in Markdown or plain.
        stems: Parts of words, in lower case; a line of thought without any of them is passed over unread.

    Yields:
        Sentences in order; a heading, a row of a table and an item of a list count as one at least.

    Example:
        >>> [s.shown for s in read_sentences("# R\\n\\nIt `failed`.\\n\\n```\\nfailed\\n```", ("fail",))]
        ['It failed .']
    """
    lowered = text.lower()
    if not any(stem in lowered for stem in stems):
        return
    clean = _blank_code(_blank_comments(text.replace("\r", " ").replace("\0", " ").replace("’", "'")))
    skipped = _other_work(clean)
    for start, end in _units(clean):
        unit = clean[start : min(end, start + _LONGEST_UNIT)]
        lowered = unit.lower()
        if not any(stem in lowered for stem in stems) or _lies_in(start, skipped):
            continue
        inline = read_inline(unit)
        view = _hide(unit, inline)
        for first, last in split_sentences(inline.text, unit):
            for piece in _pieces(view, first, last):
                yield _sentence(view, inline, piece, start)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _blank_comments(text: str) -> str:
    """Blank HTML comments; one that is never closed is none."""
    pieces: list[str] = []
    position = 0
    while (start := text.find("<!--", position)) >= 0 and (close := text.find("-->", start + 4)) >= 0:
        pieces += [text[position:start], _blank(text[start : close + 3])]
        position = close + 3
    return "".join([*pieces, text[position:]]) if pieces else text


def _blank_code(text: str) -> str:
    """Blank fenced code with its fences; a fence that is never closed runs to the end."""
    pieces: list[str] = []
    position = 0
    opened: tuple[int, str] | None = None
    for fence in _FENCE.finditer(text):
        mark, rest = fence.group(1), fence.group(2)
        if opened is None:
            if mark[0] == "~" or "`" not in rest:
                opened = fence.start(), mark
        elif mark.startswith(opened[1]) and not rest.strip():
            pieces += [text[position : opened[0]], _blank(text[opened[0] : fence.end()])]
            position = fence.end()
            opened = None
    if opened is not None:
        pieces += [text[position : opened[0]], _blank(text[opened[0] :])]
        position = len(text)
    return "".join([*pieces, text[position:]]) if pieces else text


def _other_work(text: str) -> list[Span]:
    """Find the sections that tell of other work: each from its heading to the next one that is no part of it."""
    spans: list[Span] = []
    opened: tuple[int, int] | None = None
    for heading in _HEADING.finditer(text):
        level = len(heading.group(1))
        if opened is not None and level <= opened[1]:
            spans.append((opened[0], heading.start()))
            opened = None
        if opened is None and _OTHER_WORK.fullmatch(heading.group(2)[:100]):
            opened = heading.start(), level
    if opened is not None:
        spans.append((opened[0], len(text)))
    return spans


def _lies_in(offset: int, spans: list[Span]) -> bool:
    index = bisect_right(spans, offset, key=lambda span: span[0]) - 1
    return index >= 0 and offset < spans[index][1]


def _units(text: str) -> Iterator[Span]:
    """Yield what belongs together: a heading, a row, an item of a list, or the lines of a paragraph."""
    start, in_list = 0, False
    gaps = [found.span() for found in _GAP.finditer(text)]
    for end, after in [*gaps, (len(text), len(text))]:
        indented = text.startswith(("    ", "\t"), start)
        has_items = _LIST_IN.search(text, start, end) is not None
        if not indented or in_list:  # else it is indented code
            yield from _units_of_paragraph(text, start, end)
            in_list = has_items or (in_list and text.startswith((" ", "\t"), start))
        start = after


def _units_of_paragraph(text: str, start: int, end: int) -> Iterator[Span]:
    opened = start
    for found in _STARTS.finditer(text, start, end):
        if opened < found.start():
            yield opened, found.start()
        if found.lastgroup == "item":
            opened = found.start()
        elif found.lastgroup == "alone":
            yield found.span()
            opened = found.end()
        else:  # quoted words, or a line that only divides
            opened = found.end()
    if opened < end:
        yield opened, end


def _hide(unit: str, inline: Inline) -> str:
    """Replace code, mathematics and quoted words by marks, so that they can be subjects and say nothing."""
    view = list(inline.text)
    for start, end in inline.codes:
        code = unit[start:end].strip()
        if SCRIPT_NAME.search(code):
            view[start:end] = SCRIPT * (end - start)
        elif not _ERROR_NAME.fullmatch(code):
            view[start:end] = CODE * (end - start)
    for start, end in (*inline.maths, *inline.displays):
        view[start:end] = CODE * (end - start)
    text = "".join(view)
    text = SCRIPT_NAME.sub(lambda found: SCRIPT * len(found.group()), text)
    return _WORDS_QUOTED.sub(lambda found: _hide_quoted(found.group()), text)


def _hide_quoted(words: str) -> str:
    """Hide words that somebody else said; one or two in quotation marks are the author's own."""
    return words if words.count(" ") < 2 else CODE * len(words)


def _pieces(view: str, start: int, end: int) -> Iterator[Span]:
    while end - start > _LONGEST:
        space = view.rfind(" ", start + _LONGEST // 2, start + _LONGEST)
        cut = space if space > start else start + _LONGEST
        yield start, cut
        start = cut
    yield start, end


def _sentence(view: str, inline: Inline, span: Span, offset: int) -> Sentence:
    """Put the words of a sentence on one line, and remember where each of them stood."""
    words = [found.span() for found in _WORD.finditer(view, *span)]
    starts: list[int] = []
    length = 0
    for start, end in words:
        starts.append(length)
        length += end - start + 1
    codes = []
    first_code = bisect_left(inline.codes, (span[0], 0))
    for start, end in inline.codes[first_code : bisect_left(inline.codes, (span[1], 0))]:
        if words:
            first = max(0, bisect_right(words, (start, len(view))) - 1)
            moved = starts[first] + max(0, start - words[first][0])
            codes.append((moved, moved + end - start))
    return Sentence(
        view=" ".join(view[start:end] for start, end in words),
        shown=" ".join(inline.text[start:end] for start, end in words),
        codes=codes,
        starts=starts,
        places=[offset + start for start, _ in words],
    )
