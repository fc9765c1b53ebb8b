"""The blocks of a Markdown text with the exact place of every line: headings, prose, tables, HTML.

Block structure comes from markdown-it; its inline parser is switched off, because it forgets positions. Places are
offsets into the text as given: what is handed to the parser has been blanked character by character, never shortened.

Spec: https://spec.commonmark.org/0.31.2/, https://github.github.com/gfm/#tables-extension-
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec import Struct, field

from provchain.papers._sections import is_section_name

__all__ = ["Block", "Document", "read_document"]

Span = tuple[int, int]


class Block(Struct):
    """One heading, paragraph, table or piece of HTML.

    Attributes:
        kind: ``"heading"``, ``"prose"``, ``"html"`` or ``"table"``.
        lines: Offsets of the content of each line, without quote and list markers.
        section: The headings above it, outermost first; for a heading with itself.
        columns: Of a table, the number of its columns.
        in_list: It stands in a list item.
    """

    kind: str
    lines: list[Span]
    section: tuple[str, ...]
    columns: int = 0
    in_list: bool = False


class Document(Struct):
    """A text cut into blocks.

    Attributes:
        text: As given.
        clean: The same text and length, with comments, front matter and carriage returns blanked.
        displays: Spans of display mathematics.
        blocks: In order.
        references: Lower-case labels and targets of link reference definitions.
    """

    text: str
    clean: str
    displays: list[Span]
    blocks: list[Block] = field(default_factory=list)
    references: dict[str, str] = field(default_factory=dict)


_FENCE = re.compile(r"^[ >\t]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?(`{3,}|~{3,})", re.MULTILINE)
_FRONT_MATTER = re.compile(r"\A---[ ]*\n(?:[^\n]{0,2000}\n){0,60}?(?:---|\.\.\.)[ ]*(?=\n|\Z)")
_DISPLAY_MARK = re.compile(r"\\\\|\\\$|\$\$|\\\[|\\\]")
_LONGEST_DISPLAY = 4000  # characters; two marks farther apart are no pair
_CLOSES = {"$$": "$$", "\\[": "\\]"}
_NOT_LINE_END = re.compile(r"[^\n]")
_VISIBLE = re.compile(r"[^\s>]")
_PIPE = re.compile(r"(?<!\\)\|")
_MARKER = re.compile(r"(?:[-+*]|[0-9]{1,9}[.)])")
_BOLD_LINE = re.compile(r"(\*\*|__)([^*\n]{1,100})\1[ \t]*:?")
_NUMBERED = re.compile(r"([0-9]{1,2}(?:\.[0-9]{1,2}){0,3})\.?[ \t]+([A-Z(][^\n]{0,90})")
_CAPTION_START = re.compile(r"\W*(?:Table|Figure|Fig\.|Tab\.|Algorithm|Listing)\b", re.IGNORECASE)
_ATX = re.compile(r"#{1,6}[ \t]*")
_PLAIN_LEVEL, _BOLD_LEVEL = 10, 30  # below every real heading, and below those written as plain lines
_FEW_HEADINGS = 3  # a text with fewer real headings may write its headings as plain lines


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"])


def read_document(text: str) -> Document:
    """Cut a Markdown text into its blocks.

    Args:
        text: The manuscript; a byte order mark, carriage returns and control characters may stand in it.

    Returns:
        Its blocks, each line with its offsets in ``text``.
    """
    clean = text.replace("\r", " ").replace("\0", " ")
    if clean.startswith("\ufeff"):
        clean = " " + clean[1:]
    clean = _FRONT_MATTER.sub(lambda found: _blank(found.group()), clean)
    clean = _blank_comments(clean)
    displays, parsed = _find_displays(clean)
    environment: dict[str, object] = {}
    tokens = _parser().parse(parsed, environment)
    document = Document(text, clean, displays)
    references = environment.get("references")
    if isinstance(references, dict):
        document.references = {str(name).lower(): str(entry.get("href", "")) for name, entry in references.items()}
    document.blocks = list(_Walker(clean, tokens).walk())
    return document


def _blank(text: str) -> str:
    """Replace everything but line ends with spaces."""
    return _NOT_LINE_END.sub(" ", text)


def _blank_comments(text: str) -> str:
    """Blank HTML comments; one that is never closed is none."""
    pieces: list[str] = []
    position = 0
    while (start := text.find("<!--", position)) >= 0 and (close := text.find("-->", start + 4)) >= 0:
        pieces += [text[position:start], _blank(text[start : close + 3])]
        position = close + 3
    return "".join([*pieces, text[position:]]) if pieces else text


def _find_fences(text: str) -> list[Span]:
    """Find fenced code, roughly: enough to leave the dollar signs in it alone."""
    fences: list[Span] = []
    opened: tuple[int, str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence.start(), fence.group(1)
        elif fence.group(1).startswith(opened[1]):
            fences.append((opened[0], fence.end()))
            opened = None
    if opened is not None:
        fences.append((opened[0], len(text)))
    return fences


def _find_displays(text: str) -> tuple[list[Span], str]:
    """Find display mathematics outside code, and hide it from the block parser (``=`` would make a heading of it)."""
    if "$$" not in text and "\\[" not in text:
        return [], text
    fences = _find_fences(text)
    displays: list[Span] = []
    pieces: list[str] = []
    position = at = 0
    opened, closes = -1, ""
    for mark in _DISPLAY_MARK.finditer(text):
        while at < len(fences) and fences[at][1] <= mark.start():
            at += 1
        if at < len(fences) and fences[at][0] <= mark.start():
            opened = -1
            continue
        name = mark.group()
        if opened >= 0 and name == closes and mark.end() - opened <= _LONGEST_DISPLAY:
            displays.append((opened, mark.end()))
            pieces += [text[position:opened], _VISIBLE.sub("x", text[opened : mark.end()])]
            position, opened = mark.end(), -1
        elif name in _CLOSES and (opened < 0 or name == closes or mark.end() - opened > _LONGEST_DISPLAY):
            opened, closes = mark.start(), _CLOSES[name]
    return displays, "".join([*pieces, text[position:]])


class _Walker:
    """Walks the block tokens once, with the containers and headings that are open."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self._text = text
        self._tokens = tokens
        self._starts = [0, *(found.end() for found in re.finditer("\n", text)), len(text) + 1]
        self._containers: list[tuple[str, int, str]] = []  # quote or item, its first line, the number of the item
        self._sections: list[tuple[int, str]] = []
        self._plain_headings = sum(token.type == "heading_open" for token in tokens) < _FEW_HEADINGS

    def walk(self) -> Iterator[Block]:
        """Yield the blocks in order."""
        heading = 0
        table: Token | None = None
        columns = 0
        for token in self._tokens:
            kind = token.type
            if kind == "inline" and token.map is not None:
                if table is not None:
                    columns += token.map[0] == (table.map or [0])[0]
                elif heading:
                    yield self._heading(token, heading)
                else:
                    yield from self._prose(token.map[0], token.map[1])
            elif kind in ("blockquote_open", "list_item_open"):
                self._containers.append((kind[:5], (token.map or [0])[0], token.info))
            elif kind in ("blockquote_close", "list_item_close"):
                self._containers.pop()
            elif kind == "heading_open":
                heading = int(token.tag[1:])
            elif kind == "heading_close":
                heading = 0
            elif kind == "table_open":
                table, columns = token, 0
            elif kind == "table_close" and table is not None and table.map is not None:
                yield from self._table(table.map[0], table.map[1], columns)
                table = None
            elif kind == "html_block" and token.map is not None:
                yield Block("html", self._spans(token.map[0], token.map[1]), self._section())

    def _section(self) -> tuple[str, ...]:
        return tuple(title for _, title in self._sections)

    def _enter(self, level: int, title: str) -> None:
        while self._sections and self._sections[-1][0] >= level:
            self._sections.pop()
        self._sections.append((level, _clean_title(title)))

    def _spans(self, first: int, behind: int) -> list[Span]:
        """Give the offsets of lines without the markers of the containers they stand in."""
        return [self._span(line) for line in range(first, min(behind, len(self._starts) - 1))]

    def _span(self, line: int) -> Span:
        text, position, end = self._text, self._starts[line], self._starts[line + 1] - 1
        for kind, first, _ in self._containers:
            position = _skip_space(text, position, end)
            if kind == "block":
                if text[position : position + 1] != ">":
                    break
                position += 1
            elif line == first and (marker := _MARKER.match(text, position, end)) is not None:
                position = marker.end()
        return _skip_space(text, position, end), end

    def _heading(self, token: Token, level: int) -> Block:
        first, behind = token.map or [0, 0]
        spans = self._spans(first, behind)
        start, end = spans[0]
        if (hashes := _ATX.match(self._text, start, end)) is not None:
            spans = [(hashes.end(), end)]
        elif len(spans) > 1:
            spans = spans[:-1]  # the underline
        self._enter(level, " ".join(self._text[start:end] for start, end in spans))
        return Block("heading", spans, self._section())

    def _prose(self, first: int, behind: int) -> Iterator[Block]:
        """Yield a paragraph, cut at lines that are headings in all but syntax."""
        pending: list[Span] = []
        in_list = any(kind == "list_" for kind, _, _ in self._containers)
        number = next(
            (f"{info}. " for kind, line, info in self._containers if kind == "list_" and line == first and info), ""
        )
        spans = self._spans(first, behind)
        for index, (start, end) in enumerate(spans):
            line = self._text[start:end].strip() if end - start <= 400 else ""
            level = self._plain_level(line, number if index == 0 else "", in_list=in_list, alone=len(spans) == 1)
            if level is None:
                pending.append((start, end))
                continue
            if pending:
                yield Block("prose", pending, self._section(), in_list=in_list)
                pending = []
            self._enter(level, (number if index == 0 else "") + line)
            yield Block("heading", [(start, end)], self._section())
        if pending:
            yield Block("prose", pending, self._section(), in_list=in_list)

    def _plain_level(self, line: str, number: str, *, in_list: bool, alone: bool) -> int | None:
        """Give the level of a heading that is written as a bold or plain line, or ``None`` if it is none."""
        if not line or len(line) > 110 or _CAPTION_START.match(line):
            return None
        if (bold := _BOLD_LINE.fullmatch(line)) is not None and (not in_list or number):
            title = bold.group(2)
            numbered = _NUMBERED.match(number + title)
            if numbered:
                return (
                    _PLAIN_LEVEL + numbered.group(1).count(".")
                    if not number or alone or is_section_name(title)
                    else None
                )
            return None if in_list else _PLAIN_LEVEL + 1 if is_section_name(title) else _BOLD_LEVEL
        if not self._plain_headings or line[-1] in ".;,:":
            return None
        if (numbered := _NUMBERED.fullmatch(number + line)) is not None and len(line.split()) <= 12:
            depth = numbered.group(1).count(".")
            return _PLAIN_LEVEL + depth if depth or is_section_name(numbered.group(2)) else None
        return _PLAIN_LEVEL if is_section_name(line) and not in_list else None

    def _table(self, first: int, behind: int, columns: int) -> Iterator[Block]:
        """Yield a table; lines without a bar that the grammar draws into it are prose (a caption under it)."""
        spans = self._spans(first, behind)
        last = len(spans)
        while last > 2 and columns > 1 and _PIPE.search(self._text, *spans[last - 1]) is None:
            last -= 1
        yield Block("table", spans[:last], self._section(), columns=columns)
        if last < len(spans):
            yield from self._prose(first + last, behind)


def _skip_space(text: str, position: int, end: int) -> int:
    while position < end and text[position] in " \t":
        position += 1
    return position


def _clean_title(title: str) -> str:
    """Take markup off a heading, for a reader."""
    plain = re.sub(r"\[([^\[\]]{0,200})\]\([^()\s]{0,300}\)", r"\1", title[:300])
    return " ".join(re.sub(r"[*`]|(?<!\w)_|_(?!\w)|[ \t]+#+[ \t]*$", "", plain).split()).strip(": ")
