"""Numbers in logs, printed output and other texts, each at its line.

A line is read without the stamp, logger name and level that logging puts before it. The labels of a number are,
outermost first, the headings above it, the words that open its line, and the words right before it; in a printed
table its row and its column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from provchain.inspection.cells import is_counter, make_value, read_quantity
from provchain.model import Value

__all__ = ["read_line_values"]

_MAX_LABEL = 80
_MAX_HEADING = 100
_PIECE = 20_000  # characters read of one line between carriage returns: longer ones are data dumps

_STAMP = re.compile(
    r"[ \t]*+\[?(?:\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d++)?+)?+(?:Z|[+-]\d\d:?\d\d)?+)?+"
    r"|\d{1,2}/\d{1,2}/\d{2,4} \d\d:\d\d:\d\d(?:[.,]\d++)?+|\d\d:\d\d:\d\d(?:[.,]\d++)?+"
    r"|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d)\]?(?:[ \t]*+[-|:](?=[ \t]))?+[ \t]?+"
)
_LEVELS = r"\[?(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL|NOTICE|TRACE)\]?"
_NAME = r"(?:\[?[\w.]{1,60}+\]?[ \t]*+[-|:]?[ \t]++)?"
_PLACE = r"(?:[ \t]*+[\w.<>]{1,60}+:[\w.<>]{1,60}+:\d++[ \t]++-[ \t])?+"
_LEVEL_AFTER_STAMP = re.compile(rf"[ \t]*+{_NAME}{_LEVELS}(?:[ \t]*+[-|:][ \t]?+|[ \t]|$){_PLACE}")
_LEVEL_ALONE = re.compile(rf"[ \t]*+(?:{_LEVELS}(?::[\w.]{{1,60}}+:|[ \t]*+[-|:][ \t]?+)|\[{_LEVELS}\][ \t])")
_PROGRESS = re.compile(r"\d{1,3}%\|[^|\n]{0,200}\|[^\[\n]{0,60}(?:\[[^\]\n]{0,80}\])?")

# One token after the other, so that every character is read once: what is no number is consumed as a whole.
_TOKEN = re.compile(
    r"(?P<skip>https?://\S++|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d++)?+)?+)?+"
    r"|\d{1,2}:\d\d(?::\d\d(?:[.,]\d++)?+)?+(?!\d)"
    r"|\d++(?:\.\d++){2,}+\w*+|[A-Za-z_](?:\w|[.@/\\-](?=[A-Za-z_0-9]))*+|[./\\~]++[A-Za-z_](?:\w|[./\\-](?=\w))*+)"
    r"|(?P<number>[-+\u2212]?(?:\d++(?:,\d{3}(?!\d))*+(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?\d++)?+)(?P<percent>[ ]?%)?+"
    r"(?![A-Za-z_\d])|(?P<measure>[-+\u2212]?\d++(?:\.\d++)?+)(?:ms|s|x|k|K|M|B|G|GB|MB|KB|GiB|MiB|min|h|m)(?![A-Za-z_\d])"
    r"|(?P<junk>\w++)"
)
_GAP = re.compile(r"[,;|{}\[\]()<>\t]|\s[-–—]+\s|\s/\s|:(?=\s|$)|=(?==)")
_SEPARATORS = "\u00b1 \t\"'`*_#=:~-–—.,;|()[]{}<>+/>$\\"
_RULE = " \t-=#*_~+|─━═:>."
_WIDE = re.compile(r"\t|[ ]{2,}")


class _Found(NamedTuple):
    """A number on a line, before it has its selector."""

    lexical: str
    labels: tuple[str, ...]
    percent: bool


def read_line_values(artifact_id: str, path: str, text: str) -> Iterator[Value]:
    """Read every number of a log, a stream or another text.

    Lines are counted by line feeds only. A number that is the only one on its line stands at ``line=N``; of several
    the I-th stands at ``line=N;I``. Stamps, clocks, dates, versions, links and digits inside words are no numbers.

    Args:
        artifact_id: The artifact's id.
        path: Its path.
        text: Its text.

    Returns:
        The values in the order of the file.

    Example:
        >>> [(v.selector, v.labels) for v in read_line_values("a", "a", "Epoch 2/9 - val_loss: 0.340")][-1]
        ('line=1;3', ('Epoch 2', 'val_loss'))
    """
    reader = _LineReader()
    for number, line in enumerate(text.split("\n"), start=1):
        found = reader.read(line)
        alone = len(found) == 1
        for index, item in enumerate(found, start=1):
            selector = f"line={number}" if alone else f"line={number};{index}"
            value = make_value(artifact_id, path, selector, item.lexical, item.labels, percent=item.percent)
            if value is not None:
                yield value


class _LineReader:
    """Reads line after line and remembers the headings above."""

    def __init__(self) -> None:
        self.section = ""
        self.headings: list[list[object]] = []  # [indent, text, whether something deeper came after]
        self.columns: list[str] = []
        self.piped = False

    def read(self, line: str) -> list[_Found]:
        found: list[_Found] = []
        for piece in line.split("\r") if "\r" in line else (line,):
            if piece and not piece.isspace():
                found += self._read_piece(piece[:_PIECE])
        return found

    def _read_piece(self, piece: str) -> list[_Found]:
        body = _strip_prefix(piece)
        if "%|" in body:
            body = _PROGRESS.sub(" ", body)
        if body.count("|") >= 2:
            return self._read_piped(body)
        if self.piped:
            self.columns, self.piped = [], False
        indent = len(body) - len(body.lstrip())
        if any("0" <= letter <= "9" for letter in body):
            found = self._read_row(body) if self.columns else None
            if found is None:
                found = self._read_words(body, indent)
            if found:
                if body.rstrip().endswith(":") or all(_counts(item.labels) for item in found):
                    self._remember(body, indent)  # "Epoch 3/10", "Fold 2:": a heading that counts
                return found
        self._remember(body, indent)
        return []

    # ------------------------------------------------------------------------------------------------ headings

    def _remember(self, body: str, indent: int) -> None:
        """Keep a line without numbers as heading of what follows, or as the header of a printed table."""
        stripped = body.strip()
        text = stripped.strip(_RULE + "\"'{[,").strip()
        if not text:
            return
        fields = _WIDE.split(stripped)
        self.columns = fields if len(fields) >= 2 else []
        if len(text) > _MAX_HEADING or not any(map(str.isalpha, text)):
            return
        if stripped[:2] in ("--", "==", "##", "# ", "**", "++") and not stripped.startswith("--" + text[:1]):
            self.section, self.headings = text, []
            return
        while self.headings and int(str(self.headings[-1][0])) >= indent:
            self.headings.pop()
        self.headings.append([indent, text, False])

    def _context(self, indent: int) -> tuple[str, ...]:
        """The headings that a line of that indent stands under."""
        while self.headings:
            top = self.headings[-1]
            level = int(str(top[0]))
            if level < indent:
                top[2] = True
                break
            if level == indent and not top[2]:
                break
            self.headings.pop()
        names = [str(entry[1]) for entry in self.headings[-3:]]
        return (self.section, *names) if self.section else tuple(names)

    # -------------------------------------------------------------------------------------------- plain lines

    def _read_words(self, body: str, indent: int) -> list[_Found]:
        context = self._context(indent)
        found: list[_Found] = []
        opening: tuple[str, ...] = ()
        leaf, spelled, last_end = "", "", 0
        for token in _TOKEN.finditer(body):
            lexical = token["number"] or token["measure"]
            if not lexical:
                continue
            gap = body[last_end : token.start()][-2 * _MAX_LABEL :]
            last_end = token.end()
            words = [part for part in (_clean(chunk) for chunk in _GAP.split(gap)) if part]
            words = [part for part in words[:-1] if "=" not in part] + words[-1:]  # other settings name nothing here
            if not words:
                spread = "\u00b1" in gap or "+/-" in gap
                labels = (
                    (*context, *opening, leaf, "std") if spread else (*context, *opening, *((leaf,) if leaf else ()))
                )
                if leaf and gap.strip() in ("/", "of"):
                    outer = opening[:-1] if opening and opening[-1].startswith(f"{leaf} ") else opening
                    labels = (*context, *outer, f"{leaf} of")
                found.append(_Found(lexical, labels, bool(token["percent"])))
                continue
            leaf, before = _split_key(words[-1], gap)
            if not found:
                opening = (*words[:-1], *((before,) if before else ()))
            elif is_counter(spelled):
                opening = (*opening, *words[:-1], *((before,) if before else ()))
            elif before:
                leaf = f"{before} {leaf}"
            after = _words_after(body, last_end)
            labels = (*context, *opening, f"{leaf} {after}" if after else leaf)
            found.append(_Found(lexical, labels, bool(token["percent"])))
            spelled = leaf.rsplit(" ", 1)[-1]
            if is_counter(spelled):
                opening = (*opening, f"{leaf} {lexical}")
        return found

    # ------------------------------------------------------------------------------------------ printed tables

    def _read_piped(self, body: str) -> list[_Found]:
        cells = [cell.strip().strip("*` ") for cell in body.strip().strip("|").split("|")]
        if not any(cell.strip("-:+= ") for cell in cells):
            return []
        quantities = [read_quantity(cell) for cell in cells]
        if not any(quantities) or (not self.piped and 2 * sum(q is not None for q in quantities) < len(cells)):
            self.columns, self.piped = cells, True
            if not any(quantities):
                return []
        names = tuple(cell[:_MAX_LABEL] for cell, q in zip(cells, quantities, strict=True) if q is None and cell)
        context = (self.section,) if self.section else ()
        found: list[_Found] = []
        for index, quantity in enumerate(quantities):
            if quantity is None:
                continue
            title = (self.columns[index],) if len(self.columns) == len(cells) and self.columns[index] else ()
            labels = (*context, *names[:4], *title)
            found.append(_Found(quantity.lexical, labels, quantity.percent))
            if quantity.spread:
                found.append(_Found(quantity.spread, (*labels, "std"), quantity.percent))
        return found

    def _read_row(self, body: str) -> list[_Found] | None:
        """Read a row under a header whose columns are set apart by wide gaps (pandas, tabulate, scikit-learn)."""
        fields = _WIDE.split(body.strip())
        quantities = [read_quantity(field) for field in fields]
        run = 0
        for quantity, field in zip(reversed(quantities), reversed(fields), strict=True):
            if quantity is None and field.lower() != "nan":
                break
            run += 1
        width = len(self.columns)
        if not run or len(fields) not in (width, width + 1):
            self.columns = []
            return None
        names = tuple(field[:_MAX_LABEL] for field in fields[: len(fields) - run] if any(map(str.isalpha, field)))
        context = self._context(len(body))
        found: list[_Found] = []
        for index in range(max(len(fields) - min(run, width), 0), len(fields)):
            quantity = quantities[index]
            if quantity is not None:
                labels = (*context[:1], *names[:4], self.columns[index - len(fields)])
                found.append(_Found(quantity.lexical, labels, quantity.percent))
        return found


def _strip_prefix(line: str) -> str:
    """Take stamp, logger name and level off a line, and keep the indent of its message."""
    stamp = _STAMP.match(line)
    if stamp is not None:
        start = stamp.end()
        level = _LEVEL_AFTER_STAMP.match(line, start)
        return line[level.end() :] if level is not None else line[start:]
    level = _LEVEL_ALONE.match(line)
    return line[level.end() :] if level is not None else line


def _counts(labels: tuple[str, ...]) -> bool:
    name = labels[-1].removesuffix(" of") if labels else ""
    return is_counter(name.rpartition(" ")[2])


def _clean(words: str) -> str:
    return words.strip().strip(_SEPARATORS).strip()[-_MAX_LABEL:]


def _split_key(words: str, gap: str) -> tuple[str, str]:
    """Split ``Baseline acc`` of ``Baseline acc=0.85``: the key is the last word, the rest opens the line."""
    glued = gap.rstrip(" \"'")
    if glued.endswith("=") and not glued.endswith(" =") and " " in words:
        before, _, key = words.rpartition(" ")
        return key, before
    return words, ""


def _words_after(body: str, end: int) -> str:
    """The words that follow a number and name what it counts: ``Loaded 100 samples from disk``."""
    if end >= len(body) or body[end] != " " or not body[end + 1 : end + 2].isalpha():
        return ""
    words: list[str] = []
    for word in body[end + 1 : end + 1 + _MAX_LABEL].split(" ")[:4]:
        if not word or any("0" <= letter <= "9" for letter in word) or word[-1] in ":=":
            break
        words.append(word.strip(_SEPARATORS))
        if word[-1] in ",;.)|":
            break
    return " ".join(words)
