"""Inline markup of Markdown, blanked in place: what remains is the text a reader sees, at the offsets it really has.

Links keep their words and lose their targets, code and mathematics are remembered by their spans, images are taken out
whole. One pass for each kind of markup, each linear.

Spec: https://spec.commonmark.org/0.31.2/#inlines
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict

from msgspec import Struct, field

__all__ = ["Image", "Inline", "read_inline"]

Span = tuple[int, int]


class Image(Struct, frozen=True):
    """A picture: where its whole markup and its target stand."""

    span: Span
    target: Span
    alt: str
    reference: str = ""


class Inline(Struct):
    """Text with its markup blanked.

    Attributes:
        text: As long as what was given.
        codes: Spans of inline code, without the backticks.
        maths: Spans of inline mathematics, without the dollar signs.
        displays: Spans of display mathematics.
        images: In order.
    """

    text: str
    codes: list[Span] = field(default_factory=list)
    maths: list[Span] = field(default_factory=list)
    displays: list[Span] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)


_SPECIAL = re.compile(r"[*_`$\[\]<&\\~!]")
_TICKS = re.compile(r"\\`|`+")
_MATH = re.compile(
    r"(?<![\\$])\$(?![\s$])((?:[^$\\\n]|\\[^\n]|\n(?!\s*\n)){1,600}?)(?<![\s\\])\$(?![0-9$])"
    r"|\\\(((?:[^\\]|\\(?!\))){1,600})\\\)"
)
_BRACKET = re.compile(r"\\.|!?\[|\]")
_TARGET = re.compile(
    r"\([ \t]*(?:<([^<>\n]{0,1000})>|([^\s()<>]*+(?:\([^\s()]{0,200}\)[^\s()]{0,500}){0,5}))"
    r"(?:\s{1,4}(?:\"[^\"]{0,500}\"|'[^']{0,500}'|\([^()]{0,500}\)))?[ \t]*\)"
)
_LOOSE_TARGET = re.compile(r"\(([^()\n]{1,300}\.(?:png|jpe?g|svg|pdf|gif|webp|eps))[ \t]*\)", re.IGNORECASE)
_REFERENCE = re.compile(r"\[([^\[\]\n]{0,200})\]")
_TAG = re.compile(r"<(?:[A-Za-z/!?][^<>]{0,600})>")
_SOURCE = re.compile(
    r"\bsrc\s{0,3}=\s{0,3}(?:\"([^\"<>]{1,500})\"|'([^'<>]{1,500})'|([^\s\"'<>]{1,500}))", re.IGNORECASE
)
_ALT = re.compile(r"\balt\s{0,3}=\s{0,3}[\"']([^\"'<>]{0,300})", re.IGNORECASE)
_RAISED = re.compile(r"<su[pb]>[^<>\n]{0,80}</su[pb]>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:[A-Za-z]{2,10}|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});")
_READ_AS_THEY_ARE = {"&plusmn;", "&pm;", "&minus;", "&lt;", "&gt;", "&le;", "&ge;", "&asymp;", "&sim;", "&#177;"}
_EMPHASIS = re.compile(r"\\.|\*+|~~|(?<![^\W_])_+|_+(?![^\W_])")
_NOT_LINE_END = re.compile(r"[^\n]")


def read_inline(source: str, displays: list[Span] | None = None) -> Inline:
    r"""Blank the inline markup of a piece of Markdown.

    Args:
        source: A paragraph, a heading or a table cell.
        displays: Spans of display mathematics in it, found before.

    Returns:
        The text, of the same length, and what was taken out of it.

    Example:
        >>> read_inline("**0.91** in [Table 2](t.md#2)").text
        '  0.91   in  Table 2         '
    """
    if _SPECIAL.search(source) is None:
        return Inline(source)
    inline = Inline(source, displays=displays or [])
    shown = list(source)  # what remains visible
    hidden = list(source)  # the same with code and mathematics hidden from the other rules
    for start, end in inline.displays:
        hidden[start:end] = "x" * (end - start)
    if "`" in source:
        _take_code(source, inline, shown, hidden)
    if "$" in source or "\\(" in source:
        for found in _MATH.finditer("".join(hidden)):
            group = 1 if found.group(1) is not None else 2
            inline.maths.append(found.span(group))
            hidden[found.start() : found.end()] = "x" * (found.end() - found.start())
    if "[" in source:
        _take_links(inline, shown, hidden)
    if "<" in source:
        _take_tags(inline, shown, hidden)
    view = "".join(hidden)
    if "&" in source:
        for found in _ENTITY.finditer(view):
            if found.group() not in _READ_AS_THEY_ARE:
                _blank(shown, found.start(), found.end())
    for found in _EMPHASIS.finditer(view):
        if found.group()[0] != "\\":
            _blank(shown, found.start(), found.end())
    inline.text = "".join(shown)
    inline.images.sort(key=lambda image: image.span)
    return inline


def _blank(characters: list[str], start: int, end: int) -> None:
    """Replace a span with spaces, line ends kept, so that every offset stays."""
    characters[start:end] = _NOT_LINE_END.sub(" ", "".join(characters[start:end]))


def _take_code(source: str, inline: Inline, shown: list[str], hidden: list[str]) -> None:
    """Find code spans: a run of backticks is closed by the next run of the same length."""
    runs = [found.span() for found in _TICKS.finditer(source) if found.group()[0] == "`"]
    starts: dict[int, list[int]] = defaultdict(list)
    for start, end in runs:
        starts[end - start].append(start)
    position = 0
    for start, end in runs:
        same = starts[end - start]
        after = bisect_right(same, start)
        if start < position or after >= len(same):
            continue
        close = same[after]
        position = close + (end - start)
        inline.codes.append((end, close))
        _blank(shown, start, end)
        _blank(shown, close, position)
        hidden[start:position] = "x" * (position - start)


def _take_links(inline: Inline, shown: list[str], hidden: list[str]) -> None:
    """Blank the targets of links, and take images out whole."""
    view = "".join(hidden)
    opened: list[tuple[int, bool]] = []
    for found in _BRACKET.finditer(view):
        mark = found.group()
        if mark[0] == "\\":
            continue
        if mark != "]":
            opened.append((found.start(), mark[0] == "!"))
            continue
        if not opened:
            continue
        start, is_image = opened.pop()
        inner = view[start + 1 + is_image : found.start()] if found.start() - start < 600 else ""
        target = _TARGET.match(view, found.end()) or (_LOOSE_TARGET.match(view, found.end()) if is_image else None)
        reference = _REFERENCE.match(view, found.end()) if target is None else None
        if target is not None:
            end = target.end()
            if is_image:
                inline.images.append(Image((start, end), target.span(target.lastindex or 0), inner))
        elif reference is not None and not _is_citation(view, start, reference):
            end = reference.end()
            if is_image:
                label = reference.group(1) or inner
                inline.images.append(Image((start, end), (0, 0), inner, label.lower()))
        elif inner.startswith("^"):  # the mark of a footnote
            end = found.end()
        else:
            continue
        whole = is_image or inner.startswith("^")
        for first, last in ((start, end),) if whole else ((start, start + 1), (found.start(), end)):
            _blank(shown, first, last)
            hidden[first:last] = " " * (last - first)


def _is_citation(view: str, start: int, reference: re.Match[str]) -> bool:
    """Whether two brackets in a row are two citations (``[1][2]``) and no link."""
    return reference.group(1)[:1].isdigit() and view[start + 1 : start + 2].isdigit()


def _take_tags(inline: Inline, shown: list[str], hidden: list[str]) -> None:
    """Blank HTML tags, with what is raised or lowered unless it is the power of a ten."""
    view = "".join(hidden)
    for found in _RAISED.finditer(view):
        is_power = view[max(0, found.start() - 2) : found.start()] == "10"
        if not is_power:
            _blank(shown, found.start(), found.end())
        hidden[found.start() : found.end()] = ("x" if is_power else " ") * (found.end() - found.start())
    for found in _TAG.finditer("".join(hidden)):
        if found.group()[1:4].lower() == "img" and (source := _SOURCE.search(found.group())) is not None:
            group = source.lastindex or 0
            start, end = source.span(group)
            alt = _ALT.search(found.group())
            offset = found.start()
            inline.images.append(Image(found.span(), (offset + start, offset + end), alt.group(1) if alt else ""))
        _blank(shown, found.start(), found.end())
        hidden[found.start() : found.end()] = " " * (found.end() - found.start())
