"""What a person sees in a terminal: reports, chains, rows and progress.

Everything foreign is cleaned and printed as plain text, never as markup, so that no file can colour, move or clear the
screen. Symbols carry the meaning; colour only repeats it. What the terminal's encoding lacks is written as an escape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from provchain.render.labels import visible
from provchain.render.terminal_chain import print_chain
from provchain.render.terminal_report import print_report
from provchain.render.terminal_text import foreign, plain_box, ruled

__all__ = ["print_chain", "print_report", "print_rows", "progress"]

_NARROWEST = 12  # columns a cell needs to be readable: with less, rows are written as blocks
_LONGEST_CELL = 2000
_NAME = 24  # characters of a name or a number that is not broken
_GAP = 3  # columns between two of a table
_LEAST = 7  # columns that every cell keeps


def print_rows(columns: Sequence[str], rows: Iterable[Sequence[object]], console: Console) -> None:
    """Print the answer to a query: a table, or one block a row where the terminal is too narrow for its columns.

    Args:
        columns: The names of the columns.
        rows: The rows; ``None`` is an empty cell.
        console: Where to print.

    Example:
        >>> import io
        >>> console = Console(file=io.StringIO(), width=40)
        >>> print_rows(["claim", "line"], [["0.7279", 38]], console)
        >>> "0.7279" in console.file.getvalue()
        True
    """
    cells = [["" if cell is None else cell for cell in row] for row in rows]
    if not cells:
        console.print(foreign("no rows", console, style="dim"))
        return
    if console.width // max(len(columns), 1) < _NARROWEST:
        _print_blocks(columns, cells, console)
        return
    table = Table(box=plain_box(console), pad_edge=False, show_edge=False, header_style="bold")
    for name, width in zip(columns, _widths([columns, *cells], console.width), strict=True):
        table.add_column(foreign(name, console), overflow="fold", width=width)
    for row in cells:
        table.add_row(*(foreign(cell, console, most=_LONGEST_CELL) for cell in row))
    console.print(table)
    console.print(foreign(f"{len(cells)} row{'' if len(cells) == 1 else 's'}", console, style="dim"))


def _widths(cells: Sequence[Sequence[object]], width: int) -> list[int]:
    """How wide each column is: names and numbers, which cannot be read or copied when they are broken, get what they need.

    What the row is about comes first, then the narrowest; every other column keeps room for some letters.
    """
    texts = [[visible(cell) for cell in column] for column in zip(*cells, strict=False)]
    longest = [max(map(cell_len, column)) for column in texts]
    widths = [min(each, _LEAST) for each in longest]
    left = width - sum(widths) - (len(widths) - 1) * _GAP
    names = [
        number for number, column in enumerate(texts) if longest[number] <= _NAME and not any(map(_has_space, column))
    ]
    for number in sorted(names, key=lambda number: (number > 0, longest[number])):
        if longest[number] - widths[number] <= left:
            left -= longest[number] - widths[number]
            widths[number] = longest[number]
    for number in sorted(range(len(widths)), key=lambda number: longest[number] - widths[number]):
        others = sum(longest[other] > widths[other] for other in range(len(widths)))
        more = min(longest[number] - widths[number], left // others if others else 0)
        widths[number] += more
        left -= more
    return widths


def _has_space(text: str) -> bool:
    return any(map(str.isspace, text))


def _print_blocks(columns: Sequence[str], rows: Sequence[Sequence[object]], console: Console) -> None:
    for number, row in enumerate(rows, 1):
        console.print(ruled(f"row {number}", console))
        for name, cell in zip(columns, row, strict=False):
            line = foreign(f"{name}: ", console, style="bold")
            line.append_text(foreign(cell, console, most=_LONGEST_CELL))
            console.print(line, overflow="fold")


@contextmanager
def progress(console: Console) -> Iterator[Callable[[str], None]]:
    """Show what is being done, on stderr and only where a person looks at it.

    Args:
        console: The console of the output; progress goes to stderr whatever it writes to.

    Yields:
        A function that names the step that begins.

    Example:
        >>> import io
        >>> with progress(Console(file=io.StringIO(), stderr=True)) as step:
        ...     step("reading the trace")
    """
    errors = console if console.stderr else Console(stderr=True, no_color=console.no_color)
    if not errors.is_terminal or errors.is_dumb_terminal:
        yield lambda _: None
        return
    spinner = "dots" if errors.encoding.lower().startswith("utf") else "line"
    with errors.status(foreign("starting", errors), spinner=spinner) as status:
        yield lambda description: status.update(foreign(description, errors, most=max(errors.width - 4, 10)))
