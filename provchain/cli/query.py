"""`provchain query` and `provchain queries`: questions about claims, asked of a store or of runs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeGuard

import typer

from provchain.cli.studies import open_or_build
from provchain.plaintext import printable

if TYPE_CHECKING:
    from provchain.queries import Query

__all__ = ["queries_command", "query_command"]


_Folders = Annotated[
    list[Path] | None,
    typer.Option(
        "--queries", metavar="DIR", help="A folder of queries of your own, beside those of PROVCHAIN_QUERIES."
    ),
]


class RowFormat(StrEnum):
    """How rows are printed."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


def query_command(
    name: Annotated[
        str, typer.Argument(metavar="NAME|FILE.rq", help="A query of the catalogue, or a file of your own.")
    ],
    paths: Annotated[list[Path] | None, typer.Argument(metavar="[PATH...]", help="Runs to ask, audited first.")] = None,
    store: Annotated[Path | None, typer.Option("--store", metavar="DIR", help="A store to ask.")] = None,
    param: Annotated[list[str] | None, typer.Option("--param", metavar="K=V", help="A parameter of the query.")] = None,
    output_format: Annotated[RowFormat, typer.Option("--format", help="How to print the rows.")] = RowFormat.TABLE,
    folders: _Folders = None,
) -> None:
    """Ask a question: a query of the catalogue by name, or a file of your own."""
    from provchain.queries import load_query, run_query  # noqa: PLC0415

    if not paths and store is None:
        raise typer.BadParameter("name a run to ask, or a store with --store")
    query = load_query(name, folders or ())
    values = {}
    for pair in param or []:
        key, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair!r} is not of the form name=value", param_hint="--param")
        values[key.lstrip("?")] = value
    with open_or_build(paths or [], store) as opened:
        rows = run_query(opened, query, **values)
    if output_format is RowFormat.TABLE:
        from rich.console import Console  # noqa: PLC0415

        from provchain.render.terminal import print_rows  # noqa: PLC0415

        print_rows(*_of_one_study(rows.columns, _short_names(rows)), Console())
    elif output_format is RowFormat.CSV:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(rows.columns)
        writer.writerows([_csv_cell(cell) for cell in row] for row in rows)
        typer.echo(text.getvalue(), nl=False)
    else:
        typer.echo(json.dumps(rows.to_dicts(), indent=1, default=str))


def _csv_cell(cell: object) -> object:
    """A cell as RDF writes it, without characters that would steer a terminal (JSON keeps those, escaped)."""
    if isinstance(cell, bool):
        return str(cell).lower()
    return printable(cell) if isinstance(cell, str) else cell


def _short_names(rows: Iterable[Iterable[object]]) -> list[list[object]]:
    """The rows without what all names of one study begin with; CSV and JSON keep whole names."""
    table = [list(row) for row in rows]
    starts = {":".join(cell.split(":", 3)[:3]) + ":" for row in table for cell in row if _is_name(cell)}
    if len(starts) != 1:
        return table
    start = starts.pop()
    return [[str(cell).removeprefix(start) if _is_name(cell) else cell for cell in row] for row in table]


def _of_one_study(columns: Sequence[str], rows: list[list[object]]) -> tuple[Sequence[str], list[list[object]]]:
    """The table without its column of studies, where there is only one: that is the one that was asked."""
    if "study" not in columns or len(columns) == 1 or len({row[columns.index("study")] for row in rows}) > 1:
        return columns, rows
    at = columns.index("study")
    return [*columns[:at], *columns[at + 1 :]], [[*row[:at], *row[at + 1 :]] for row in rows]


def _is_name(cell: object) -> TypeGuard[str]:
    return isinstance(cell, str) and cell.startswith("urn:provchain:") and cell.count(":") >= 3


def queries_command(folders: _Folders = None) -> None:
    """List the questions that can be asked, each with its name, parameters and columns; your own come last."""
    from provchain.queries import list_queries, query_folders  # noqa: PLC0415

    for query in list_queries():
        _print_query(query)
    for folder in query_folders(folders or ()):
        typer.echo(printable(f"\nYour own, in {folder}:\n"))
        for query in list_queries(folder):
            _print_query(query)


def _print_query(query: Query) -> None:
    lines = [query.question or "(its file states no question)", f"  provchain query {query.name} ..."]
    for parameter in query.params:
        need = "optional" if parameter.optional else "needed"
        lines.append(f"  --param {parameter.name}=...  ({need}) {parameter.help}")
    if query.columns:
        lines.append(f"  columns: {', '.join(column.name for column in query.columns)}")
    typer.echo(printable("\n".join(lines)))
