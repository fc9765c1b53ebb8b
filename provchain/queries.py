"""Questions about claims, kept as ``.rq`` files: their headers, their parameters and their rows.

A query file starts with a comment that says what it asks, what it needs and what it gives. The header drives the typing
of the rows, the listing of the command line and the documentation. This module holds no SPARQL; the texts are in
``queries/``.

::

    # question: Which claims have a broken chain?
    # params:   ?paper string (optional) — only claims of this manuscript
    # columns:  claim IRI | paper string | line integer | at string?
    # order:    paper, line

A type is ``IRI``, ``string``, ``integer``, ``decimal``, ``boolean`` or, for a parameter, ``claim`` (an id or an IRI,
which must be in the store); ``?`` after it says that a row can go without.
"""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, TypeAlias, cast, overload

from msgspec import Struct
from pyoxigraph import Literal, NamedNode

from provchain.errors import MissingParameterError, QueryError, UnknownClaimError, UnknownQueryError
from provchain.graph.iris import clean_iri, clean_text, parse_iri
from provchain.graph.store import Binding, Store, Term
from provchain.resources import list_resources, read_resource
from provchain.terms import PC, XSD

__all__ = ["Cell", "Column", "Parameter", "Query", "Rows", "list_queries", "load_query", "run_query"]

Cell: TypeAlias = str | int | bool | Decimal | None

_FIELD = re.compile(r"#\s*(question|params|columns|order)\s*:\s*(.*)", re.IGNORECASE)
_PARAMETER = re.compile(r"\?(\w+)\s+(\S+)(\s+\(optional\))?(?:\s+[—–-]+\s+(.*))?")
_COLUMN = re.compile(r"(\w+)\s+(\S+?)(\?)?")
_INTEGERS = frozenset((XSD.integer, XSD.int, XSD.long))
_SUFFIX = ".rq"


class Parameter(Struct, frozen=True):
    """Something a query wants to be told.

    Attributes:
        name: The variable, without its question mark.
        type: ``"IRI"``, ``"string"``, ``"integer"``, ``"boolean"``, ``"decimal"`` or ``"claim"``.
        optional: Whether it can be left out.
        help: What it is for.
    """

    name: str
    type: str
    optional: bool = False
    help: str = ""


class Column(Struct, frozen=True):
    """One column of the rows.

    Attributes:
        name: The variable, without its question mark.
        type: What its cells are.
        optional: Whether a row can go without.
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
    """

    name: str
    text: str
    question: str = ""
    params: tuple[Parameter, ...] = ()
    columns: tuple[Column, ...] = ()
    order: str = ""


class Rows(Sequence[Any]):
    """The answer to a query: named tuples, one for each solution.

    Attributes:
        columns: Names of the columns.
    """

    def __init__(self, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        self.columns = tuple(columns)
        # rename: a stranger's column can be called "class" or "_1"
        row = cast("Any", namedtuple)("Row", self.columns, rename=True)
        self._rows: list[Any] = [row(*cells) for cells in rows]

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        """Give one row, or a list of them."""
        return self._rows[index]

    def __len__(self) -> int:
        """Count the rows."""
        return len(self._rows)

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the rows."""
        return iter(self._rows)


def list_queries() -> list[Query]:
    """List the queries that ship with provchain, by name.

    Example:
        >>> "claims" in [query.name for query in list_queries()]
        True
    """
    return [load_query(name.removesuffix(_SUFFIX)) for name in list_resources("queries") if name.endswith(_SUFFIX)]


def load_query(name: str | Path) -> Query:
    """Load a query by the name it ships under, or from a file of the user.

    Args:
        name: ``"broken-claims"``, or a path that ends in ``.rq``.

    Raises:
        UnknownQueryError: There is no such query; the hint lists those that exist.
        QueryError: The file cannot be read.

    Example:
        >>> [parameter.name for parameter in load_query("broken-claims").params]
        ['paper']
    """
    text = str(name)
    if text.endswith(_SUFFIX) or isinstance(name, Path):
        return parse_query(Path(text).stem, _read_file(Path(text)))
    try:
        return parse_query(text, read_resource("queries", text + _SUFFIX))
    except FileNotFoundError as error:
        known = ", ".join(file.removesuffix(_SUFFIX) for file in list_resources("queries") if file.endswith(_SUFFIX))
        raise UnknownQueryError(
            f"no query is called {text!r}", hint=f"queries: {known}; or a file {_SUFFIX}"
        ) from error


def _read_file(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise UnknownQueryError(f"there is no file {path}", hint="provchain queries lists those that ship") from error
    except (OSError, ValueError) as error:  # ValueError: not UTF-8, or a NUL in the path
        raise QueryError(f"{path} could not be read: {error}") from error


def parse_query(name: str, text: str) -> Query:
    """Read a query's header; a stranger's query needs none.

    Example:
        >>> parse_query("x", "# columns: claim IRI | at string?\\nSELECT ?claim ?at {}").columns[1]
        Column(name='at', type='string', optional=True)
    """
    fields: dict[str, str] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        if found := _FIELD.fullmatch(line.strip()):
            fields.setdefault(found[1].lower(), found[2].strip())
    params = (_PARAMETER.fullmatch(part.strip()) for part in _parts(fields.get("params", "none")))
    columns = (_COLUMN.fullmatch(part.strip()) for part in _parts(fields.get("columns", "")))
    return Query(
        name=name,
        text=text,
        question=fields.get("question", ""),
        params=tuple(Parameter(p[1], p[2], bool(p[3]), p[4] or "") for p in params if p),
        columns=tuple(Column(c[1], c[2], bool(c[3])) for c in columns if c),
        order=fields.get("order", ""),
    )


def _parts(field: str) -> list[str]:
    return [] if field in ("", "none") else field.split("|")


def run_query(store: Store, name: str | Path | Query, /, **params: object) -> Rows:
    """Ask a query of a store.

    Args:
        store: Where to ask.
        name: A query, its name, or a file of the user.
        **params: Values for its parameters, bound and never pasted into the text; ``None`` leaves one out.

    Returns:
        Its rows, typed by the header.

    Raises:
        UnknownQueryError: There is no such query.
        MissingParameterError: A parameter that it needs was not given.
        UnknownClaimError: No claim of the store has the id or IRI that was given.
        QueryError: It takes no such parameter, or cannot be run.

    Example:
        >>> with Store.open() as store:
        ...     len(run_query(store, "claims"))
        0
    """
    query = name if isinstance(name, Query) else load_query(name)
    answer = store.query(query.text, _bindings(store, query, params))
    types = {column.name: column.type for column in query.columns}
    readers = [types.get(variable, "") for variable in answer.variables]
    rows = [[_cell(term, type_) for term, type_ in zip(row, readers, strict=True)] for row in answer.rows]
    return Rows(answer.variables, rows)


def _bindings(store: Store, query: Query, params: Mapping[str, object]) -> dict[str, Binding]:
    known = {parameter.name: parameter for parameter in query.params}
    bound: dict[str, Binding] = {}
    for name, value in params.items():
        if value is None:
            continue
        if name not in known and query.columns:
            takes = ", ".join(known) or "no parameter"
            raise QueryError(f"the query {query.name} takes no parameter {name!r}", hint=f"it takes {takes}")
        bound[name] = _bind(store, known.get(name, Parameter(name, "string")), value)
    for parameter in query.params:
        if not parameter.optional and parameter.name not in bound:
            hint = f"--param {parameter.name}=...: {parameter.help}"
            raise MissingParameterError(f"the query {query.name} needs {parameter.name!r}", hint=hint)
    return bound


def _bind(store: Store, parameter: Parameter, value: object) -> Binding:
    if isinstance(value, NamedNode | Literal):
        return value
    text = str(value)
    if parameter.type == "claim":
        return _find_claim(store, text)
    if parameter.type == "IRI":
        return NamedNode(clean_iri(text))
    if parameter.type in ("integer", "boolean", "decimal"):
        text = text.lower() if parameter.type == "boolean" else text
        return Literal(clean_text(text), datatype=NamedNode(XSD.base + parameter.type))
    return Literal(clean_text(text))


def _find_claim(store: Store, wanted: str) -> NamedNode:
    """Find a claim by its id or IRI: engines differ on a path that starts at a node that is not there."""
    claims = sorted(set(store.instances(PC.Claim)))
    if wanted in claims:
        return NamedNode(wanted)
    same_id = [iri for iri in claims if (name := parse_iri(iri)) is not None and name.id == wanted]
    if len(same_id) == 1:
        return NamedNode(same_id[0])
    if same_id:
        raise UnknownClaimError(f"several studies have a claim {wanted!r}", hint=f"name one by its IRI: {same_id[0]}")
    raise UnknownClaimError(f"no claim is called {wanted!r}", hint="provchain query claims lists them")


def _cell(term: Term | None, type_: str) -> Cell:
    if term is None:
        return None
    if not isinstance(term, Literal):
        return term.value if isinstance(term, NamedNode) else str(term)
    datatype, text = term.datatype.value, term.value
    try:
        if type_ == "string":
            return text
        if type_ == "boolean" or datatype == XSD.boolean:
            return text in ("true", "1")
        if type_ == "integer" or datatype in _INTEGERS:
            return int(text)
        if type_ == "decimal" or datatype in (XSD.decimal, XSD.double):
            return Decimal(text)
    except (ValueError, InvalidOperation):  # the graph says it is a number; the text is not
        return text
    return text
