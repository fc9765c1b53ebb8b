"""The header of a query file: what it asks, what it needs, what it gives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from provchain.errors import QueryError

__all__ = ["Column", "Parameter", "Query", "parse_query"]

_LINE = re.compile(r"\r\n|\n|\r")  # what ends a comment in SPARQL
_FIELD = re.compile(r"#\s*(question|params|columns|order)\s*:\s*(.*)", re.IGNORECASE)
_PARAMETER = re.compile(r"\?(\w+)\s+(\w+)(\s+\(optional\))?(?:\s+[—–-]+\s+(.*))?")
_COLUMN = re.compile(r"\??(\w+)\s+(\w+)(\?)?")
_CELL_TYPES = ("IRI", "string", "integer", "decimal", "boolean")
_PARAMETER_TYPES = (*_CELL_TYPES, "claim", "record")
_PARAMETER_FORM = "?name type, then (optional) and — help, if any; several are parted by |"
_COLUMN_FORM = "name type, with ? after the type if a row can go without; several are parted by |"


class Parameter(Struct, frozen=True):
    """Something a query wants to be told.

    Attributes:
        name: The variable, without its question mark.
        type: ``"IRI"``, ``"string"``, ``"integer"``, ``"boolean"``, ``"decimal"``, ``"claim"`` or ``"record"``.
        optional: Whether it can be left out.
        help: What it is for.

    Example:
        >>> parse_query("x", "# params: ?paper string (optional) — one manuscript").params[0].help
        'one manuscript'
    """

    name: str
    type: str
    optional: bool = False
    help: str = ""


class Column(Struct, frozen=True):
    """One column of the rows.

    Attributes:
        name: The variable, without its question mark.
        type: What its cells are: ``"IRI"``, ``"string"``, ``"integer"``, ``"decimal"``, ``"boolean"``; empty where no
            header says it.
        optional: Whether a row can go without.

    Example:
        >>> parse_query("x", "# columns: claim IRI | at string?").columns[1]
        Column(name='at', type='string', optional=True)
    """

    name: str
    type: str = "string"
    optional: bool = False


class Query(Struct, frozen=True):
    """One question, ready to be asked.

    Attributes:
        name: The file's name without its suffix.
        text: The SPARQL, header included.
        question: What it asks, in words.
        params: What it needs.
        columns: What it gives.
        order: How the rows are sorted, in words.

    Example:
        >>> parse_query("mine", "# question: What is there?\\nSELECT ?s { ?s ?p ?o }").question
        'What is there?'
    """

    name: str
    text: str
    question: str = ""
    params: tuple[Parameter, ...] = ()
    columns: tuple[Column, ...] = ()
    order: str = ""


def parse_query(name: str, text: str, where: str = "") -> Query:
    """Read a query's header; a stranger's query needs none.

    Args:
        name: What the query is called.
        text: The whole file.
        where: How errors name the file; its name if empty.

    Raises:
        QueryError: The header declares something in another form than it must have; the message names the line.

    Example:
        >>> parse_query("x", "# columns: claim IRI | at string?\\nSELECT ?claim ?at {}").columns[0]
        Column(name='claim', type='IRI', optional=False)
        >>> parse_query("x", "# columns: claim URL")
        Traceback (most recent call last):
        provchain.errors.QueryError: x, line 1: 'URL' is no type of a column
    """
    fields: dict[str, tuple[str, str]] = {}
    for number, line in enumerate(_LINE.split(text), start=1):
        if not line.startswith("#"):
            break
        if found := _FIELD.fullmatch(line.strip()):
            field, place = found[1].lower(), f"{where or name}, line {number}"
            if field in fields:
                raise QueryError(f"{place}: the header says {field!r} a second time", hint="say each once")
            fields[field] = (found[2].strip(), place)
    nothing = ("", "")
    return Query(
        name=name,
        text=text,
        question=fields.get("question", nothing)[0],
        params=tuple(_params(*fields.get("params", nothing))),
        columns=tuple(_columns(*fields.get("columns", nothing))),
        order=fields.get("order", nothing)[0],
    )


def _params(field: str, place: str) -> Iterator[Parameter]:
    for found in _read(field, place, _PARAMETER, "parameter", _PARAMETER_FORM, _PARAMETER_TYPES):
        yield Parameter(found[1], found[2], bool(found[3]), found[4] or "")


def _columns(field: str, place: str) -> Iterator[Column]:
    for found in _read(field, place, _COLUMN, "column", _COLUMN_FORM, _CELL_TYPES):
        yield Column(found[1], found[2], bool(found[3]))


def _read(
    field: str, place: str, form: re.Pattern[str], what: str, expected: str, types: tuple[str, ...]
) -> Iterator[re.Match[str]]:
    """Read the parts of one field, and say of the first wrong one what should have stood there."""
    seen: set[str] = set()
    for part in [] if field.lower() in ("", "none") else field.split("|"):
        found = form.fullmatch(part.strip())
        if found is None:
            raise QueryError(f"{place}: {part.strip()!r} declares no {what}", hint=f"write {expected}")
        if found[2] not in types:
            raise QueryError(f"{place}: {found[2]!r} is no type of a {what}", hint=f"types: {', '.join(types)}")
        if found[1] in seen:
            raise QueryError(f"{place}: the {what} {found[1]!r} is declared twice", hint="declare each once")
        seen.add(found[1])
        yield found
