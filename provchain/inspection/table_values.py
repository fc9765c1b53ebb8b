"""Numbers in CSV and TSV files, each at its cell.

Spec: https://www.rfc-editor.org/rfc/rfc4180, https://www.rfc-editor.org/rfc/rfc7111 (cell fragments, with the rows of
the file)
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from provchain.inspection.cells import is_counter, make_value, read_quantity
from provchain.model import Value

__all__ = ["read_table_values"]

_MAX_LABEL = 60
_MAX_ROW_LABELS = 4
_MOST_NUMBERED = 40  # rows that a column of numbers names: more are a series
_NUMBER_LABEL = re.compile(r"\d{1,5}")
_WORD = re.compile(r"[^\W\d_][\w .()/@-]*")


def read_table_values(artifact_id: str, path: str, text: str) -> Iterator[Value] | None:
    """Read every number of a delimited table.

    ``cell=R,C`` counts the records of the file and their fields, both 1-based; a header row is row 1. The labels of a
    number are the text cells of its row, then its column's header. In a table without texts, numbers in the first column
    name its rows (``window 5``).

    Args:
        artifact_id: The artifact's id.
        path: Its path; ``.tsv`` is tab-separated.
        text: Its text.

    Returns:
        The values in the order of the file, or ``None`` if it is no readable table.
    """
    delimiter = _delimiter(path, text[:4096])
    try:
        rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter))
    except csv.Error:
        return None
    return _read_rows(artifact_id, path, rows)


def _delimiter(path: str, head: str) -> str:
    first = next((line for line in head.splitlines() if line.strip()), "")
    preferred = "\t" if path.lower().endswith(".tsv") else ","
    if preferred in first:
        return preferred
    return max(("\t", ";", ","), key=first.count) if any(mark in first for mark in "\t;,") else preferred


def _read_rows(artifact: str, path: str, rows: list[list[str]]) -> Iterator[Value]:
    start = next((index for index, row in enumerate(rows) if any(cell.strip() for cell in row)), len(rows))
    header: list[str] = []
    if start < len(rows) and _is_header(rows[start]):
        header = [cell.strip() for cell in rows[start]]
        start += 1
    numbered = _is_numbered(header, rows[start:])
    for index in range(start, len(rows)):
        row = rows[index]
        names = _row_labels(row, header)
        if numbered and row:
            names = (f"{header[0]} {row[0].strip()}", *names)
        for column, cell in enumerate(row):
            quantity = read_quantity(cell)
            if quantity is None:
                continue
            title = (header[column],) if column < len(header) and header[column] else ()
            selector = f"cell={index + 1},{column + 1}"
            labels = (*names, *title)
            value = make_value(artifact, path, selector, quantity.lexical, labels, percent=quantity.percent)
            if value is not None:
                yield value
            if quantity.spread:
                value = make_value(
                    artifact, path, f"{selector};2", quantity.spread, (*labels, "std"), percent=quantity.percent
                )
                if value is not None:
                    yield value


def _is_header(row: list[str]) -> bool:
    """A header names columns: most of its cells are no numbers."""
    filled = [cell for cell in row if cell.strip()]
    return 2 * sum(read_quantity(cell) is not None for cell in filled) < len(filled)


def _is_numbered(header: list[str], rows: list[list[str]]) -> bool:
    """Whether the first column names the rows by numbers: the sizes of a window, the k of a method, years.

    Distinct whole numbers under a word, in a short table whose other columns are numbers throughout. The columns of a
    series (0, 1, 2, ...) count and name nothing, unless they are few.
    """
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if (
        len(header) < 2
        or not 2 <= len(rows) <= _MOST_NUMBERED
        or not _WORD.fullmatch(header[0])
        or is_counter(header[0])
    ):
        return False
    first = [row[0].strip() for row in rows]
    if len(set(first)) < len(rows) or not all(map(_NUMBER_LABEL.fullmatch, first)):
        return False
    numbers = list(map(int, first))
    if (
        len(rows) > _MAX_ROW_LABELS * 3
        and numbers == list(range(numbers[0], numbers[0] + len(rows)))
        and numbers[0] < 2
    ):
        return False
    return all(not cell.strip() or read_quantity(cell) is not None for row in rows for cell in row[1:])


def _row_labels(row: list[str], header: list[str]) -> tuple[str, ...]:
    names: list[str] = []
    for column, cell in enumerate(row):
        text = cell.strip()
        if not text or len(text) > _MAX_LABEL or len(names) == _MAX_ROW_LABELS:
            continue
        title = header[column] if column < len(header) else ""
        if read_quantity(text) is None:
            if any(map(str.isalpha, text)) and text.lower() not in ("true", "false", "nan", "none", "null", "inf"):
                names.append(text)
        elif is_counter(title) and "." not in text:
            names.append(f"{title} {text}")
    return tuple(names)
