"""Claims of a Markdown manuscript: every number, figure and comparison, with its exact place and what it is for.

Reads text, never files; evaluates nothing. Each claim stands at a line (counted by line feeds) and a column (in
characters, 1-based) of the text as given, and ``lines[line - 1][column - 1:]`` begins with its ``written``.

Spec: docs/reference/matching.md, 5.1 and 5.8; https://spec.commonmark.org/0.31.2/
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePosixPath

from provchain.model import Claim, ClaimKind, ClaimRole
from provchain.numbers import Number, find_numbers
from provchain.papers import _wording as words
from provchain.papers._blocks import Block, Document, read_document
from provchain.papers._markup import Image, Inline, read_inline
from provchain.papers._roles import (
    PART_OF_NAME,
    Sentence,
    is_statement,
    labels_following,
    labels_itself,
    labels_section,
    named_number,
    reports_metric,
    role_in_sentence,
    tells_what_ran,
)
from provchain.papers._sections import SectionKind, kind_of_section
from provchain.papers._sentences import quote, quote_with_place, split_sentences
from provchain.papers._tables import Table, read_table, read_table_numbers

__all__ = ["read_markdown"]

_CAPTION = re.compile(r"\W*(?:Table|Tab\.)\s?[0-9A-Z]{1,4}\b", re.IGNORECASE)
_FIGURE_CAPTION = re.compile(r"\W*(?:Figure|Fig\.?)(?:\s?[0-9]{1,3}[a-z]?)?\s?[:.–-]", re.IGNORECASE)
_HEADING_NUMBER = re.compile(r"\W*[0-9]{1,3}(?:\.[0-9]{1,3})*[.):]?\s")
_VALUE_IN_CODE = re.compile(
    r"\s*(?:[A-Za-z_][\w.\- ]{0,40}\s?(?:=|:)\s?)?[<>~≈±+-]?\s?[0-9][0-9.,eE%±+\- ]{0,30}[a-zA-Z%]{0,4}\s*"
)
_KEY_IN_CODE = re.compile(r"[\w'\")] ?[=:] ?-?$")
_VALUE_IN_MATH = re.compile(
    r"\s*(?:[A-Za-z\\_{}^@',.|() ]{0,60}(?:=|<|>|\\approx|\\sim|\\leq?|\\geq?|≈|~|≤"
    r"|≥)){0,3}\s*\\?[~≈<>+±-]?\s?[0-9.,]{1,20}"
    r"(?:(?:\\[!,;]|\s){0,4}(?:\\times|\\cdot|×|\\pm|±)(?:\\[!,;]|\s){0,4}[0-9.]{0,12})?(?:\^\{?-?[0-9]{1,3}\}?)?"
    r"\s?(?:\\?%|[kKMBxs]|\\times)?\s*"
)
# Sections in which a number is no outcome of this study, even in a file that is named after its results.
_UNMEASURED = {
    SectionKind.SETUP,
    SectionKind.METHOD,
    SectionKind.BACKGROUND,
    SectionKind.INTRODUCTION,
    SectionKind.FUTURE,
    SectionKind.EXPECTED,
    SectionKind.PLANNED,
    SectionKind.REFERENCES,
}
# ... unless its sentence says that a measure came to it.
_REPORTED_IN = {
    SectionKind.SETUP,
    SectionKind.METHOD,
    SectionKind.FUTURE,
    SectionKind.PLANNED,
    SectionKind.UNKNOWN,
}


def read_markdown(path: str, text: str) -> list[Claim]:
    """Read the claims of a Markdown manuscript.

    Args:
        path: The manuscript, relative to the audited directory.
        text: Its text.

    Returns:
        Its claims in the order of their places; no two of one kind at one place.

    Example:
        >>> claim = read_markdown("results.md", "| Model | mAP |\\n|---|---|\\n| GNN | **0.7279** |")[0]
        >>> claim.written, claim.line, claim.column, claim.row, claim.header, claim.measured
        ('0.7279', 3, 11, 'GNN', 'mAP', True)
    """
    return _Reader(path, read_document(text)).read()


class _Reader:
    """Turns the blocks of one document into claims."""

    def __init__(self, path: str, document: Document) -> None:
        self._path = path
        self._document = document
        self._text = document.text
        self._line_starts = [0, *(found.end() for found in re.finditer("\n", document.text))]
        self._named_results = "result" in PurePosixPath(path).stem.lower()
        self._claims: list[Claim] = []
        self._places: set[tuple[int, ClaimKind]] = set()
        self._occurrences: Counter[tuple[str, str, str]] = Counter()
        self._tables = 0
        self._read_tables: dict[int, Table] = {
            index: read_table(document, block) for index, block in enumerate(document.blocks) if block.kind == "table"
        }
        self._named = _named_numbers(self._read_tables.values())

    def read(self) -> list[Claim]:
        """Read all blocks in order."""
        for index, block in enumerate(self._document.blocks):
            if not block.lines:
                continue
            if block.kind == "table":
                self._read_table(index, block)
            else:
                self._read_prose(index, block)
        self._claims.sort(key=lambda claim: (claim.line, claim.column, claim.kind))
        return self._claims

    # ------------------------------------------------------------------------------------------------- tables

    def _read_table(self, index: int, block: Block) -> None:
        self._tables += 1
        table = self._read_tables[index]
        kind = kind_of_section(block.section)
        caption = self._caption_of_table(index, block)
        label = labels_itself(caption) or labels_following(self._sentence_before(index, block.lines[0][0]))
        for found in read_table_numbers(table, kind, caption, block.section, label):
            measured = found.role is ClaimRole.RESULT and kind not in (SectionKind.FUTURE, SectionKind.INTRODUCTION)
            self._add(
                ClaimKind.NUMBER,
                (found.start, found.end),
                quote_with_place(self._document.clean, found.line, found.start),
                (found.role, found.why),
                block.section,
                measured=measured,
                row=found.row,
                header=found.header,
                caption=caption or None,
                table=self._tables,
                cell=found.cell,
            )
        for cell in (cell for cells in (table.header, *(cells for _, cells in table.rows)) for cell in cells):
            for image in cell.inline.images:
                self._add_image(image, cell.start, block.section, caption)

    def _caption_of_table(self, index: int, block: Block) -> str:
        """Find what introduces a table: ``Table N:`` beside it, else the sentence before it, else its heading."""
        blocks = self._document.blocks
        before = blocks[index - 1] if index else None
        after = blocks[index + 1] if index + 1 < len(blocks) else None
        if before is not None and before.kind != "table":
            for start, end in before.lines[-4:]:
                if _CAPTION.match(self._document.clean, start, end):
                    return self._collapse(start, before.lines[-1][1])
        # What stands between two tables and begins with "Table 2" introduces the second of them.
        between = index + 2 < len(blocks) and blocks[index + 2].kind == "table"
        if (
            after is not None
            and after.kind != "table"
            and not between
            and _CAPTION.match(self._document.clean, *after.lines[0])
        ):
            return self._collapse(after.lines[0][0], after.lines[-1][1])
        if before is not None and before.kind == "prose" and before.section == block.section:
            start, end = before.lines[0][0], before.lines[-1][1]
            spans = split_sentences(self._document.clean[max(start, end - 2000) : end])
            if spans:
                return self._collapse(max(start, end - 2000) + spans[-1][0], end)
        return block.section[-1] if block.section else ""

    def _sentence_before(self, index: int, position: int) -> str:
        """Give the sentence that leads up to a place in a block, past a caption, with what it refers back to."""
        clean, blocks = self._document.clean, self._document.blocks
        section, start = blocks[index].section, blocks[index].lines[0][0]
        while not clean[start:position].strip() and index:
            index -= 1
            before = blocks[index]
            if before.kind != "prose" or before.section != section:
                return ""
            start, position = before.lines[0][0], before.lines[-1][1]
            if _CAPTION.match(clean, start, position):
                position = start
        start = max(start, position - 2000)
        spans = [(start + first, start + last) for first, last in split_sentences(clean[start:position])]
        if len(spans) > 1 and _CAPTION.match(clean, *spans[-1]):
            position = spans.pop()[0]
        refers = len(spans) > 1 and words.REFERS_BACK.match(clean[slice(*spans[-1])]) is not None
        return self._collapse(spans[-2 if refers else -1][0], position) if spans else ""

    def _collapse(self, start: int, end: int) -> str:
        """Give a piece of text for a reader: markup blanked, spaces collapsed, capped."""
        return " ".join(read_inline(self._document.clean[start : min(end, start + 1000)]).text.split())[:300]

    # -------------------------------------------------------------------------------------------------- prose

    def _read_prose(self, index: int, block: Block) -> None:
        base, source = self._assemble(block)
        inline = read_inline(source, self._displays_in(base, base + len(source)))
        kind = kind_of_section(block.section)
        headed = labels_section(block.section)
        for image in inline.images:
            caption = self._caption_of_figure(index, block, base + image.span[1])
            self._add_image(image, base, block.section, caption, self._sentence_before(index, base + image.span[0]))
        numbers = find_numbers(inline.text)
        is_heading = block.kind == "heading"
        counts = self._is_measured(kind) and not is_heading
        tells = kind in _REPORTED_IN and not is_heading
        at = 0
        for span in [(0, len(source))] if is_heading else split_sentences(inline.text, source):
            first = at
            while at < len(numbers) and numbers[at].start < span[1]:
                at += 1
            if at == first and not counts and not tells:
                continue
            sentence = Sentence.read(inline.text[span[0] : span[1]], kind)
            sentence.label = sentence.label or headed
            results = 0
            for number in (found for found in numbers[first:at] if found.shape != PART_OF_NAME):
                judged = self._role(number, sentence, inline, is_heading=is_heading)
                results += judged[0] is ClaimRole.RESULT
                self._add(
                    ClaimKind.NUMBER,
                    (base + number.start, base + number.end),
                    quote_with_place(source, span, number.start),
                    judged,
                    block.section,
                    measured=judged[0] is ClaimRole.RESULT
                    and (counts or (kind in _REPORTED_IN and not is_heading and reports_metric(number, inline.text))),
                )
            if not results and (
                (counts and is_statement(sentence))
                or (tells and tells_what_ran(sentence, explaining=self._named_results))
            ):
                line_end = source.find("\n", *span)
                end = len(source[: line_end if line_end >= 0 else span[1]].rstrip())
                text = quote(source, span, span[0])
                place = (base + span[0], base + end)
                self._add(ClaimKind.STATEMENT, place, (text, -1), (ClaimRole.RESULT, ""), block.section)

    def _assemble(self, block: Block) -> tuple[int, str]:
        """Join the lines of a block so that every offset stays, with the markers between them blanked."""
        clean = self._document.clean
        base = position = block.lines[0][0]
        pieces: list[str] = []
        for start, end in block.lines:
            if start > position:
                pieces += ["\n", " " * (start - position - 1)]
            pieces.append(clean[start:end])
            position = end
        return base, "".join(pieces)

    def _displays_in(self, start: int, end: int) -> list[tuple[int, int]]:
        """Give the spans of display mathematics inside a piece of text, as offsets into it."""
        displays = self._document.displays
        at = bisect_left(displays, (start, start))
        if at and displays[at - 1][1] > start:
            at -= 1
        found: list[tuple[int, int]] = []
        while at < len(displays) and displays[at][0] < end:
            found.append((max(displays[at][0], start) - start, min(displays[at][1], end) - start))
            at += 1
        return found

    def _role(self, number: Number, sentence: Sentence, inline: Inline, *, is_heading: bool) -> tuple[ClaimRole, str]:
        """Decide the role of a number in prose: first by the markup it stands in, then by its words."""
        if is_heading and (numbering := _HEADING_NUMBER.match(inline.text)) and number.end <= numbering.end():
            return ClaimRole.NOT_A_RESULT, "the number of a heading"
        if number.shape == "number":
            if _within(inline.displays, number.start) is not None:
                return ClaimRole.NOT_A_RESULT, "part of a formula"
            code = _within(inline.codes, number.start)
            if code is not None and not _is_value_in_code(inline.text, code, number.start):
                return ClaimRole.NOT_A_RESULT, "part of inline code"
            maths = _within(inline.maths, number.start)
            if maths is not None and not _VALUE_IN_MATH.fullmatch(inline.text[maths[0] : maths[1]][:200]):
                return ClaimRole.NOT_A_RESULT, "part of a formula"
        judged = role_in_sentence(number, sentence, inline.text)
        if judged[0] is ClaimRole.RESULT and self._named and named_number(number, inline.text) in self._named:
            return ClaimRole.SETTING, "names a column or row of a table"
        return judged

    def _is_measured(self, kind: SectionKind) -> bool:
        """Whether results in such a section of this manuscript count for the outcome of the study."""
        return kind is SectionKind.RESULTS or (self._named_results and kind not in _UNMEASURED)

    # ------------------------------------------------------------------------------------------------ figures

    def _caption_of_figure(self, index: int, block: Block, end: int) -> str:
        """Find the line under a figure that begins with ``Figure N:``."""
        clean, blocks = self._document.clean, self._document.blocks
        lines = [span for span in block.lines if span[0] >= end]
        if index + 1 < len(blocks):
            lines += blocks[index + 1].lines[:1]
        for start, stop in lines[:3]:
            if _FIGURE_CAPTION.match(clean, start, stop):
                return self._collapse(start, stop)
        return ""

    def _add_image(
        self, image: Image, base: int, section: tuple[str, ...], caption: str, introduction: str = ""
    ) -> None:
        clean = self._document.clean
        start, end = base + image.target[0], base + image.target[1]
        if image.reference:  # the target stands where the reference is defined
            target = self._document.references.get(image.reference, "")
            definition = re.search(
                rf"^[ >]{{0,8}}\[{re.escape(image.reference)}\]:[ \t]*", clean, re.MULTILINE | re.IGNORECASE
            )
            if not target or definition is None or not clean.startswith(target, definition.end()):
                return
            start, end = definition.end(), definition.end() + len(target)
        if start >= end:
            return
        kind = kind_of_section(section)
        label = labels_itself(caption) or labels_itself(image.alt) or labels_section(section)
        if not label and words.NAMES_TABLE.search(introduction) is None:
            label = labels_following(introduction)
        if not label and kind is SectionKind.EXPECTED:
            label = "its section holds expectations"
        role = ClaimRole.ILLUSTRATIVE if label else ClaimRole.RESULT
        written = self._text[start : min(end, start + 40)]
        external = "://" in written or written.startswith(("data:", "//"))
        self._add(
            ClaimKind.FIGURE,
            (start, end),
            (quote(clean, (base + image.span[0], base + image.span[1]), base + image.span[0]), -1),
            (role, label),
            section,
            measured=not label and not external and (kind not in _UNMEASURED or kind is SectionKind.SETUP),
            caption=caption or " ".join(image.alt.split())[:300] or None,
        )

    # ------------------------------------------------------------------------------------------------- claims

    def _add(
        self,
        kind: ClaimKind,
        place: tuple[int, int],
        quoted: tuple[str, int],
        judged: tuple[ClaimRole, str],
        section: tuple[str, ...],
        *,
        measured: bool = False,
        row: str | None = None,
        header: str | None = None,
        caption: str | None = None,
        table: int | None = None,
        cell: tuple[int, int] | None = None,
    ) -> None:
        """Add a claim, unless one of its kind stands at its place already."""
        (start, end), (text, offset) = place, quoted
        if (start, kind) in self._places:
            return
        self._places.add((start, kind))
        written = self._text[start:end]
        line = bisect_right(self._line_starts, start)
        key = (kind.value, text, written)
        self._occurrences[key] += 1
        identity = "\0".join((self._path, *key, str(self._occurrences[key])))
        self._claims.append(
            Claim(
                id=hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:12],
                kind=kind,
                path=self._path,
                line=line,
                column=start - self._line_starts[line - 1] + 1,
                written=written,
                text=text,
                role=judged[0],
                why=judged[1],
                section=section,
                row=row,
                header=header,
                caption=caption,
                table=table,
                cell=cell,
                measured=measured,
                offset=offset,
            )
        )


def _named_numbers(tables: Iterable[Table]) -> set[tuple[str, str] | None]:
    """The numbers that stand behind a word in the headers and row labels of tables: ``noise 0.3``, ``k=5``."""
    found: set[tuple[str, str] | None] = set()
    for table in tables:
        for cell in (*table.header, *(cells[0] for _, cells in table.rows if cells)):
            found.update(named_number(number, cell.inline.text) for number in cell.numbers)
    return found - {None}


def _within(spans: list[tuple[int, int]], position: int) -> tuple[int, int] | None:
    """Give the span that holds a place."""
    at = bisect_right(spans, (position, 1 << 62))
    return spans[at - 1] if at and spans[at - 1][0] <= position < spans[at - 1][1] else None


def _is_value_in_code(text: str, code: tuple[int, int], position: int) -> bool:
    """Whether a number in inline code is clearly a value: alone, or behind a key (``lr=0.1``, ``{'a': 0.4}``)."""
    before = text[max(code[0], position - 40) : position]
    return (
        _KEY_IN_CODE.search(before) is not None or _VALUE_IN_CODE.fullmatch(text[code[0] : code[1]][:120]) is not None
    )
