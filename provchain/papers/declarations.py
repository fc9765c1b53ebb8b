"""``claims.toml``, beside a manuscript: what its author says its claims rest on, and which of them a person answers for.

::

    format = "provchain-claims/1"

    [[claim]]
    paper = "results.md"
    written = "0.9290"
    links = [{ artifact = "results/metrics.json", selector = "/svm/accuracy" }]

    [[waiver]]
    written = "0.77"
    reason = "reproduced by hand from the authors' notebook"
    by = "R. Viewer"

The file is written by hand, so a name that is not known is an error, not something to be passed over: a link that was lost
to a typing error would be missed by nobody.

Spec: schemas/claims.schema.json, docs/how-to/declare-links.md, https://toml.io/en/v1.0.0
"""

from __future__ import annotations

import codecs
import difflib
import posixpath
import re
import tomllib
from collections.abc import Iterable, Mapping

from provchain.errors import MalformedSourceError, Problem
from provchain.events.logged import ClaimDeclared, ClaimWaived, DeclaredLink, Logged
from provchain.model import Operand, Place

__all__ = [
    "FILE_NAME",
    "FORMAT",
    "OPERAND_OPERATIONS",
    "OPERATION_NAMES",
    "decode_declarations",
    "is_declarations",
    "read_declarations",
    "read_toml",
    "shown",
]

FILE_NAME = "claims.toml"
FORMAT = "provchain-claims/1"
OPERATION_NAMES = (
    "difference", "relative-change", "ratio", "percent", "sum", "mean", "median", "min", "max", "count", "std",
)  # fmt: skip
"""What a declaration can call an operation; `provchain.linking.operations` computes them."""
OPERAND_OPERATIONS = ("sum", "mean", "median", "min", "max", "std")
"""Those that an operand of another operation can be."""

_TOP = ("format", "claim", "waiver")
_ABOUT = ("paper", "written", "line", "column", "id")
_CLAIM = (*_ABOUT, "links")
_WAIVER = (*_ABOUT, "reason", "by")
_LINK = ("artifact", "selector", "execution", "operation", "operands")
_PLACE = ("artifact", "selector", "execution")
_OPERAND = (*_PLACE, "operation", "operands")
_MOST_PROBLEMS = 1_000
_SAVE_AS = "save the file as UTF-8"
_DRIVE = re.compile(r"[A-Za-z]:")
_AT_LINE = re.compile(r"\(at (?:line (?P<line>\d+), column \d+|end of document)\)$")
_SELECTOR = re.compile(r"/.*|(?:cell=[0-9]+,[0-9]+|line=[0-9]+)(?:;[0-9]+)?|line=[0-9]+/.*", re.DOTALL)

_Table = Mapping[str, object]


def is_declarations(path: str) -> bool:
    """Say whether a file is one of declarations, by its name alone.

    Example:
        >>> is_declarations("paper/claims.toml"), is_declarations("paper/claims.toml.bak")
        (True, False)
    """
    return posixpath.basename(path.replace("\\", "/")) == FILE_NAME


def decode_declarations(path: str, data: bytes) -> str:
    """Decode a file of declarations: UTF-8, as TOML demands, or nothing. A declaration that is misread would link elsewhere.

    Args:
        path: The file, for the error.
        data: Its bytes.

    Returns:
        Its text.

    Raises:
        MalformedSourceError: It is in another encoding; the problem names the line.

    Example:
        >>> decode_declarations("claims.toml", b'format = "provchain-claims/1"')
        'format = "provchain-claims/1"'
    """
    expected = "UTF-8 text"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise MalformedSourceError([Problem(path, "line 1", expected, "UTF-16")], hint=_SAVE_AS)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        where = f"line {data.count(10, 0, error.start) + 1}"
        found = f"the byte 0x{data[error.start]:02x}"
        raise MalformedSourceError([Problem(path, where, expected, found)], hint=_SAVE_AS) from error
    if "\0" in text:
        where = f"line {text.count(chr(10), 0, text.index(chr(0))) + 1}"
        raise MalformedSourceError([Problem(path, where, expected, "a NUL character")], hint=_SAVE_AS)
    return text


def read_declarations(path: str, text: str) -> list[Logged]:
    """Read a file of declarations.

    Args:
        path: The file, relative to the audited directory. Paths in it are relative to its folder.
        text: Its text.

    Returns:
        The claims that it declares, then its waivers, each in the order of the file. Their paths are relative to the
        audited directory.

    Raises:
        MalformedSourceError: It is no TOML, or not what the format says; all problems at once.

    Example:
        >>> text = '''
        ... format = "provchain-claims/1"
        ... [[claim]]
        ... written = "0.9290"
        ... links = [{ artifact = "../run/metrics.json", selector = "/svm/accuracy" }]
        ... '''
        >>> [(str(event.at), event.links[0].artifact) for event in read_declarations("paper/claims.toml", text)]
        [('paper/claims.toml:claim[1]', 'run/metrics.json')]
    """
    return _Reader(path).read(read_toml(path, text, hint='texts stand in quotes: written = "0.9290"'))


def read_toml(path: str, text: str, *, hint: str = "") -> dict[str, object]:
    """Read a file of TOML that somebody wrote by hand.

    Args:
        path: The file, for the error.
        text: Its text.
        hint: What helps who wrote it.

    Returns:
        What it holds.

    Raises:
        MalformedSourceError: It is no TOML; the problem names the line.

    Example:
        >>> read_toml("claims.toml", 'format = "provchain-claims/1"')
        {'format': 'provchain-claims/1'}
    """
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise _no_toml(path, error, hint) from error


def _no_toml(path: str, error: Exception, hint: str) -> MalformedSourceError:
    if isinstance(error, RecursionError):
        return MalformedSourceError([Problem(path, "", "TOML of a reasonable depth")])
    message = str(error)
    if "integer string conversion" in message:
        return MalformedSourceError(
            [Problem(path, "", "TOML with numbers of a reasonable size", "one of thousands of digits")]
        )
    found = _AT_LINE.search(message)
    where = f"line {found['line']}" if found is not None and found["line"] else ""
    expected = f"valid TOML ({message[: found.start()].strip() if found is not None else message[:200]})"
    return MalformedSourceError([Problem(path, where, expected)], hint=hint)


class _Reader:
    """Checks a document as a whole and remembers everything that is wrong with it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._folder = posixpath.dirname(path.replace("\\", "/"))
        self._problems: list[Problem] = []
        self._hints: list[str] = []

    def read(self, document: _Table) -> list[Logged]:
        version = document.get("format")
        if version != FORMAT:
            found = shown(version) if "format" in document else "nothing"
            self._wrong("format", f'"{FORMAT}"', found)
            if isinstance(version, str) and version.startswith("provchain-claims/"):
                self._hints.append(f"this version of provchain reads {FORMAT}")
        self._known(document, _TOP, "")
        events: list[Logged] = []
        for number, table in self._tables(document, "claim"):
            if table is not None:
                events.append(self._claim(table, f"claim[{number}]"))
        for number, table in self._tables(document, "waiver"):
            if table is not None:
                events.append(self._waiver(table, f"waiver[{number}]"))
        if self._problems:
            raise MalformedSourceError(
                self._problems[:_MOST_PROBLEMS], hint="; ".join([*dict.fromkeys(self._hints)][:5])
            )
        return events

    # ------------------------------------------------------------------------------------------------- entries

    def _claim(self, table: _Table, where: str) -> ClaimDeclared:
        self._known(table, _CLAIM, where)
        self._singles_out(table, where)
        return ClaimDeclared(
            at=Place(self._path, where),
            paper=self._file(table, "paper", where),
            written=self._text(table, "written", where) or None,
            line=self._count(table, "line", where),
            column=self._count(table, "column", where),
            id=self._text(table, "id", where),
            links=tuple(self._link(link, place) for link, place in self._list_of_tables(table, "links", where)),
        )

    def _waiver(self, table: _Table, where: str) -> ClaimWaived:
        self._known(table, _WAIVER, where)
        self._singles_out(table, where)
        return ClaimWaived(
            at=Place(self._path, where),
            paper=self._file(table, "paper", where),
            written=self._text(table, "written", where) or None,
            line=self._count(table, "line", where),
            column=self._count(table, "column", where),
            id=self._text(table, "id", where),
            reason=self._text(table, "reason", where, needed=True),
            by=self._text(table, "by", where, needed=True),
        )

    def _singles_out(self, table: _Table, where: str) -> None:
        if not any(key in table for key in ("written", "line", "id")):
            self._wrong(where, "which claim it is about: written, line or id")

    def _link(self, table: _Table, where: str) -> DeclaredLink:
        self._known(table, _LINK, where)
        ways = [key for key in ("artifact", "execution", "operands") if key in table]
        if len(ways) != 1:
            self._wrong(where, "one of artifact, execution, operands", " and ".join(ways) or "none of them")
        if "selector" in table and "artifact" not in table and "operands" not in table:
            self._wrong(f"{where}.selector", "an artifact to which it belongs")
        if "operation" in table and "operands" not in table and not ("artifact" in table and "selector" in table):
            expected = "what it is computed from: operands = [{ ... }, { ... }], or artifact and selector of a list"
            self._wrong(f"{where}.operation", expected)
        operation = self._operation(table, where, OPERATION_NAMES)
        operands: tuple[Operand, ...] = ()
        if "operands" in table:
            if "selector" in table:
                self._wrong(f"{where}.selector", "the selector inside of its operand")
            found = self._list_of_tables(table, "operands", where)
            operands = tuple(self._operand(operand, place, computed=bool(operation)) for operand, place in found)
        return DeclaredLink(
            artifact=self._file(table, "artifact", where),
            selector=self._selector(table, where),
            execution=self._text(table, "execution", where),
            operands=operands,
            operation=operation,
        )

    def _operation(self, table: _Table, where: str, names: tuple[str, ...]) -> str:
        operation = self._text(table, "operation", where)
        if operation and operation not in names:
            self._wrong(f"{where}.operation", f"one of {', '.join(names)}", shown(operation))
            self._suggest(operation, names)
        return operation

    def _operand(self, table: _Table, where: str, *, computed: bool, inner: bool = False) -> Operand:
        """Read an operand: a place; or, in an operation, what is itself computed from a place or from several."""
        self._known(table, _PLACE if inner else _OPERAND, where)
        several = not inner and "operands" in table
        ways = [key for key in ("artifact", "execution", *(("operands",) if several else ())) if key in table]
        if len(ways) != 1:
            self._wrong(where, "either artifact or execution", " and ".join(ways) or "none of them")
        if "selector" in table and "artifact" not in table:
            self._wrong(f"{where}.selector", "an artifact to which it belongs")
        if computed and not several and not ("artifact" in table and "selector" in table):
            self._wrong(where, "artifact and selector: an operation needs the number itself")
        operation = ""
        operands: tuple[Operand, ...] = ()
        if not inner:
            operation = self._operation(table, where, OPERAND_OPERATIONS)
            if several and not operation:
                self._wrong(where, 'an operation of its operands, as in operation = "mean"')
            if operation and not computed:
                self._wrong(where, 'an operation of the link that it is an operand of: operation = "relative-change"')
        if several:
            found = self._list_of_tables(table, "operands", where)
            operands = tuple(self._operand(each, place, computed=True, inner=True) for each, place in found)
        return Operand(
            artifact=self._file(table, "artifact", where),
            selector=self._selector(table, where),
            execution=self._text(table, "execution", where),
            operation=operation,
            operands=operands,
        )

    # -------------------------------------------------------------------------------------------------- values

    def _wrong(self, where: str, expected: str, found: str = "") -> None:
        self._problems.append(Problem(self._path, where, expected, found))

    def _suggest(self, name: str, known: Iterable[str]) -> None:
        close = difflib.get_close_matches(name[:80], list(known), n=1)
        if close:
            self._hints.append(f"did you mean {close[0]!r} instead of {name[:80]!r}?")

    def _known(self, table: _Table, known: tuple[str, ...], where: str) -> None:
        for key in table:
            if key not in known:
                self._wrong(where, f"only {', '.join(known)}", shown(key))
                self._suggest(key, known)

    def _tables(self, document: _Table, key: str) -> list[tuple[int, _Table | None]]:
        entries = document.get(key, [])
        if not isinstance(entries, list):
            self._wrong(key, f"entries that begin with [[{key}]]", shown(entries))
            return []
        found: list[tuple[int, _Table | None]] = []
        for number, entry in enumerate(entries, start=1):
            if not isinstance(entry, dict):
                self._wrong(f"{key}[{number}]", "a table", shown(entry))
            found.append((number, entry if isinstance(entry, dict) else None))
        return found

    def _list_of_tables(self, table: _Table, key: str, where: str) -> list[tuple[_Table, str]]:
        entries = table.get(key)
        if not isinstance(entries, list) or not entries:
            found = shown(entries) if key in table else "nothing"
            self._wrong(f"{where}.{key}", 'a list of at least one: [{ artifact = "...", selector = "..." }]', found)
            return []
        tables: list[tuple[_Table, str]] = []
        for number, entry in enumerate(entries, start=1):
            place = f"{where}.{key}[{number}]"
            if isinstance(entry, dict):
                tables.append((entry, place))
            else:
                self._wrong(place, 'a table: { artifact = "...", selector = "..." }', shown(entry))
        return tables

    def _text(self, table: _Table, key: str, where: str, *, needed: bool = False) -> str:
        if key not in table:
            if needed:
                self._wrong(f"{where}.{key}", "a text", "nothing")
            return ""
        value = table[key]
        if not isinstance(value, str):
            self._wrong(f"{where}.{key}", "a text in quotes", shown(value))
            return ""
        if not value.strip():
            self._wrong(f"{where}.{key}", "a text that is not empty", shown(value))
            return ""
        return value

    def _count(self, table: _Table, key: str, where: str) -> int | None:
        value = table.get(key)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            self._wrong(f"{where}.{key}", "a number that counts from 1", shown(value))
            return None
        return value

    def _selector(self, table: _Table, where: str) -> str:
        selector = self._text(table, "selector", where)
        if selector and not _SELECTOR.fullmatch(selector):
            expected = "a JSON Pointer (/svm/accuracy), cell=R,C or line=N"
            self._wrong(f"{where}.selector", expected, shown(selector))
            return ""
        return selector

    def _file(self, table: _Table, key: str, where: str) -> str:
        """Read a path and make it relative to the audited directory."""
        written = self._text(table, key, where).replace("\\", "/")
        if not written:
            return ""
        if written.startswith("/") or _DRIVE.match(written):
            expected = f"a path relative to the folder of {FILE_NAME}"
            self._wrong(f"{where}.{key}", expected, shown(written))
            return ""
        path = posixpath.normpath(posixpath.join(self._folder, written))
        if path == ".." or path.startswith("../"):
            self._wrong(f"{where}.{key}", "a file inside the audited directory", shown(written))
            return ""
        if path == "." or written.endswith("/") or "\0" in path:
            self._wrong(f"{where}.{key}", "a file", shown(written))
            return ""
        return path


def shown(value: object) -> str:
    """Show a value in an error: one line, printable, short.

    Example:
        >>> shown("svm\\n"), shown([1, 2])
        ("'svm\\\\n'", 'a list of 2')
    """
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else f"a list of {len(value)}"
    text = ascii(value[:120] if isinstance(value, str) else value)
    return text if len(text) <= 60 else f"{text[:57]}..."
