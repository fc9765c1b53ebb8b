"""The answer to a query: rows of a dataclass that is made from the query's header."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import make_dataclass
from decimal import Decimal
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, overload

from provchain.errors import MissingExtraError
from provchain.plaintext import one_line
from provchain.queries._header import Column

if TYPE_CHECKING:
    import pandas
    import pyarrow

__all__ = ["Cell", "Row", "Rows", "row_type"]

Cell: TypeAlias = str | int | bool | Decimal | None

_TYPES: dict[str, type] = {"IRI": str, "string": str, "integer": int, "decimal": Decimal, "boolean": bool}
_PANDAS = {str: "string", int: "Int64", bool: "boolean"}  # all of them can be missing
_SHOWN_IN_TEXT, _SHOWN_IN_HTML = 10, 60
_WIDEST = 40
_LARGEST = 2**63  # what a column of 64-bit integers cannot hold any more
# Oxigraph's own decimals have 18 digits after the point, and 20 before it.
_ARROW_DIGITS = (38, 18)


class Row:
    """One solution of a query; a dataclass of its own for each query, made from the header.

    Its fields are the query's columns, in their order. It can be iterated over and unpacked like a tuple.

    Example:
        >>> row = row_type("claims", (Column("claim", "IRI"), Column("line", "integer", True)))("urn:c", 3)
        >>> row
        ClaimsRow(claim='urn:c', line=3)
        >>> claim, line = row
        >>> line
        3
    """

    __slots__ = ()
    made_from: ClassVar[tuple[str, tuple[Column, ...]]]
    __match_args__: ClassVar[tuple[str, ...]]

    def __iter__(self) -> Iterator[Any]:
        return (getattr(self, name) for name in self.__match_args__)

    def __reduce__(self) -> tuple[Any, ...]:  # a class made at run time is found by what it was made from
        return _make_row, (*self.made_from, tuple(self))


def _make_row(name: str, columns: tuple[Column, ...], cells: tuple[Cell, ...]) -> Any:
    return row_type(name, columns)(*cells)


@lru_cache(maxsize=256)
def row_type(name: str, columns: tuple[Column, ...]) -> type[Any]:
    """Make the dataclass of a query's rows; the same one for the same header.

    Args:
        name: The query's name: ``"broken-claims"`` becomes ``BrokenClaimsRow``.
        columns: Its columns. A name that Python cannot use is changed: ``class`` to ``class_``, ``1`` to ``_1``.

    Example:
        >>> row_type("broken-claims", (Column("claim", "IRI"), Column("at", "string", True))).__annotations__
        {'claim': <class 'str'>, 'at': str | None}
    """
    fields: dict[str, Any] = {}
    for column in columns:
        type_: Any = _TYPES.get(column.type, Cell)
        fields[_field(column.name, fields)] = type_ | None if column.optional else type_
    words = re.findall(r"[^\W_]+", name)
    title = "".join(word[:1].upper() + word[1:] for word in words) + "Row"
    return make_dataclass(
        title if title.isidentifier() else f"Query{title}",
        list(fields.items()),
        bases=(Row,),
        namespace={"made_from": (name, columns), "__doc__": f"One row of the query {name}."},
        frozen=True,
        slots=True,
    )


def _field(name: str, taken: Collection[str]) -> str:
    """Make a column's name one that a dataclass can have."""
    # Python reads names in this form, and SPARQL allows characters that Python does not
    plain = unicodedata.normalize("NFKC", name)
    field = "".join(char if f"_{char}".isidentifier() else "_" for char in plain)
    if not field.isidentifier():
        field = f"_{field}"
    if keyword.iskeyword(field) or hasattr(Row, field) or field in Row.__annotations__ or field.startswith("__"):
        field = f"{field.strip('_') or 'column'}_"
    while field in taken:
        field += "_"
    return field


class Rows(Sequence[Any]):
    """The answer to a query: a sequence of rows, one for each solution.

    Attributes:
        name: The query's name.
        columns: Names of the columns, as the query calls them.
        row_type: The dataclass of each row, made from the query's header.

    Example:
        >>> rows = Rows("mine", [Column("claim", "IRI"), Column("line", "integer")], [["urn:c", 3]])
        >>> rows[0].line
        3
        >>> rows.to_dicts()
        [{'claim': 'urn:c', 'line': 3}]
        >>> rows
        mine: 1 row
        claim | line
        urn:c | 3
    """

    def __init__(self, name: str, columns: Sequence[Column], cells: Iterable[Sequence[Cell]]) -> None:
        self.name = name
        self.columns = tuple(column.name for column in columns)
        self.row_type = row_type(name, tuple(columns))
        self._columns = tuple(columns)
        self._rows: list[Any] = [self.row_type(*row) for row in cells]

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Rows: ...
    def __getitem__(self, index: int | slice) -> Any:
        """Give one row, or some of them as rows again."""
        if isinstance(index, slice):
            return Rows(self.name, self._columns, map(tuple, self._rows[index]))
        return self._rows[index]

    def __len__(self) -> int:
        """Count the rows."""
        return len(self._rows)

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the rows."""
        return iter(self._rows)

    def to_dicts(self) -> list[dict[str, Cell]]:
        """Give each row as a dict by the names of the columns, for JSON and templates.

        Example:
            >>> Rows("mine", [Column("class")], [["a"]]).to_dicts()
            [{'class': 'a'}]
        """
        return [dict(zip(self.columns, row, strict=True)) for row in self._rows]

    def to_pandas(self) -> pandas.DataFrame:
        """Give the rows as a table of pandas.

        Returns:
            A data frame whose columns are ``string``, ``Int64`` or ``boolean``, which can all hold missing cells; and
            ``object`` for decimals, for columns without a header, and where a cell is not what the header says.

        Raises:
            MissingExtraError: pandas is not installed.

        Example:
            >>> frame = Rows("mine", [Column("line", "integer")], [[3], [4]]).to_pandas()
            >>> int(frame["line"].sum())
            7
        """
        try:
            import pandas  # noqa: PLC0415 - an optional extra
        except ImportError as error:
            raise MissingExtraError("pandas") from error
        series = {
            name: pandas.Series(cells, dtype=_PANDAS.get(kind, "object") if _are(cells, kind) else "object")
            for name, kind, cells in self._by_column()
        }
        return pandas.DataFrame(series, columns=list(self.columns))

    def to_arrow(self) -> pyarrow.Table:
        """Give the rows as a table of Apache Arrow.

        Returns:
            A table of strings, 64-bit integers, booleans and decimals; where a cell is not what the header says, or does
            not fit, its column holds texts.

        Raises:
            MissingExtraError: pyarrow is not installed.

        Example:
            >>> table = Rows("mine", [Column("line", "integer")], [[3], [4]]).to_arrow()
            >>> table.schema.field("line").type
            DataType(int64)
        """
        try:
            import pyarrow  # noqa: PLC0415 - an optional extra
        except ImportError as error:
            raise MissingExtraError("arrow") from error
        types = {int: pyarrow.int64(), bool: pyarrow.bool_(), Decimal: pyarrow.decimal128(*_ARROW_DIGITS)}
        arrays = []
        for _, kind, cells in self._by_column():
            type_ = types.get(kind, pyarrow.string()) if _are(cells, kind) else pyarrow.string()
            try:
                arrays.append(pyarrow.array(_texts(cells) if type_ == pyarrow.string() else cells, type=type_))
            except pyarrow.ArrowInvalid:  # more digits than Arrow's decimals have
                arrays.append(pyarrow.array(_texts(cells), type=pyarrow.string()))
        return pyarrow.Table.from_arrays(arrays, names=list(self.columns))

    def _by_column(self) -> Iterator[tuple[str, type, list[Cell]]]:
        """Turn the rows into columns: the name, the type of its cells, the cells."""
        columns = zip(*self._rows, strict=True) if self._rows else ((),) * len(self.columns)
        for column, cells in zip(self._columns, columns, strict=True):
            yield column.name, _TYPES.get(column.type, object), list(cells)

    def __repr__(self) -> str:
        """Show the first rows as a table, without characters that would steer a terminal."""
        count = f"{self.name}: {len(self)} row{'' if len(self) == 1 else 's'}"
        table = [
            [one_line(name, most=_WIDEST) for name in self.columns],
            *([_shown(cell) for cell in row] for row in self._rows[:_SHOWN_IN_TEXT]),
        ]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = (" | ".join(map(str.ljust, row, widths)).rstrip() for row in table)
        more = [f"... and {len(self) - _SHOWN_IN_TEXT} more"] if len(self) > _SHOWN_IN_TEXT else []
        return "\n".join([one_line(count), *lines, *more])

    def _repr_html_(self) -> str:
        """Show the first rows as a table in a notebook; every cell is foreign text, and escaped."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(_text(cell))}</td>" for cell in row) + "</tr>"
            for row in self._rows[:_SHOWN_IN_HTML]
        )
        left = len(self) - _SHOWN_IN_HTML
        more = f"<p>... and {left} more</p>" if left > 0 else ""
        caption = f"<caption>{escape(self.name)}: {len(self)}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _are(cells: Iterable[Cell], kind: type) -> bool:
    """Whether all cells that are there are of one type, and fit into a column of it."""
    if kind is int:
        return all(cell is None or (type(cell) is int and -_LARGEST <= cell < _LARGEST) for cell in cells)
    return all(cell is None or type(cell) is kind for cell in cells)


def _texts(cells: Iterable[Cell]) -> list[str | None]:
    return [None if cell is None else _text(cell) for cell in cells]


def _text(cell: Cell) -> str:
    """Write a cell as RDF does."""
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def _shown(cell: Cell) -> str:
    text = _text(cell)
    if text.startswith("urn:provchain:") and len(text) > _WIDEST:
        text = "…" + text[1 - _WIDEST :]  # the names of one study begin alike: their ends tell them apart
    return one_line(text, most=_WIDEST)
