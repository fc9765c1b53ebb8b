"""Tables of a Markdown manuscript: cells with their places, what labels them, and what their numbers are for.

Spec: https://github.github.com/gfm/#tables-extension-
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from provchain.model import ClaimRole
from provchain.numbers import Number, find_numbers
from provchain.papers._blocks import Block, Document
from provchain.papers._markup import Inline, read_inline
from provchain.papers._roles import (
    CITING_ROW,
    PART_OF_NAME,
    Judged,
    cites,
    is_own,
    is_setting_name,
    labels_column,
    labels_section,
    role_of_shape,
)
from provchain.papers._sections import SectionKind

__all__ = ["Cell", "Table", "TableNumber", "read_table", "read_table_numbers"]


class Cell(Struct):
    """One cell: where its content stands, and what it says.

    Attributes:
        start: Offset of its content in the text.
        inline: Its content with markup blanked.
        label: The same, collapsed.
        numbers: The numbers in it, with offsets into its content.
    """

    start: int
    inline: Inline
    label: str
    numbers: list[Number]

    @property
    def is_value(self) -> bool:
        """Whether it holds a number of its own, and not only digits of a name."""
        return any(number.shape == "number" for number in self.numbers)

    @property
    def is_bare(self) -> bool:
        """Whether it holds a number and no word."""
        return self.is_value and _WORD.search(self.label) is None


class Table(Struct):
    """A table with its labels.

    Attributes:
        line: The span of its first row in the text.
        header: The cells of that row.
        rows: The spans of its body rows in the text, with their cells.
    """

    line: tuple[int, int]
    header: list[Cell]
    rows: list[tuple[tuple[int, int], list[Cell]]]


class TableNumber(Struct, frozen=True):
    """A number of a table with its role.

    Attributes:
        number: The number, with offsets into the whole text.
        line: Span of its row.
        row: The label of its row.
        header: The label of its column.
        cell: 1-based place in the body; ``None`` in the header.
        role: What it is for.
        why: The rule that says so.
    """

    start: int
    end: int
    line: tuple[int, int]
    row: str | None
    header: str | None
    cell: tuple[int, int] | None
    role: ClaimRole
    why: str


_BAR = re.compile(r"(?:\\.|[^|\\])*+")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_WORD = re.compile(r"[^\W\d_]{3,}")
# "Six replications per setting" is said of what was varied, not of a table of settings.
_SETTINGS_CAPTION = re.compile(
    r"\b(?:hyper-?parameters?|(?<!per )(?<!each )(?<!every )(?<!all )(?<!both )(?<!across )settings?"
    r"|configurations?|set-?up|parameters used|training parameters)\b",
    re.IGNORECASE,
)
_RESULTS_CAPTION = re.compile(
    r"\b(?:results?|performance|accuracy|scores?|comparison|across|impact|effect|ablation|sensitivity)\b", re.I
)
_KEY_HEADER = re.compile(
    r"(?:hyper-?)?parameters?(?: name)?|settings?|options?|configurations?|config(?:uration)? (?:key|item)|arguments?",
    re.IGNORECASE,
)
_INDEX_HEADER = re.compile(
    r"#|no\.?|nr\.?|id|index|idx|ref(?:erence)?s?|citation|years?|dates?|time ?stamps?|section|page", re.IGNORECASE
)
_VARIED_HEADER = re.compile(
    r"(?:learning rates?|lr|batch(?: |_)?sizes?|epochs?|(?:random )?seeds?|temperatures?|drop-?out|weight decay|k|n"
    r"|top-?k"
    r"|(?:hidden |embedding |latent )?(?:dim|dims|dimensions?|size)|lambda|alpha|beta|gamma|tau|[λαβγτ]|thresholds?"
    r"|folds?|runs?|trials?"
    r"|steps?|iterations?|rounds?|layers?|heads?|budgets?|weights?|samples|shots?|window(?: size)?"
    r"|context(?: length)?|sequence length)",
    re.IGNORECASE,
)
# A column of such a name is measured, even in a table that stands among the settings.
_METRIC_HEADER = re.compile(
    r"\b(?:accuracy|acc\.?|precision|recall|f1|bleu|rouge|auc|auroc|loss|error rate|scores?|latency|throughput"
    r"|run-?time"
    r"|map|mse|mae|rmse|perplexity|reward|success rate|pass rate|speed-?up)\b",
    re.IGNORECASE,
)
# So is what a statistic is given of; whoever sets a parameter gives no deviation or interval of it.
_STATISTIC_HEADER = re.compile(
    r"\b(?:mean|median|avg\.?|average|std\.?|stdev|s\.?d\.?|s\.?e\.?m?|standard (?:deviation|error)|variance|bias"
    r"|ci|confidence interval|(?:[0-9]{1,2}(?:st|nd|rd|th) )?(?:percentile|quantile)|iqr|p[- ]values?)\b",
    re.IGNORECASE,
)
_MARKED_ROW = re.compile(r"[†‡]|\\dag(?:ger)?\b|\\cite", re.IGNORECASE)
_REPORTED_ROW = re.compile(r"\b(?:as )?reported (?:by|in)\b|\(reported\)|\bfrom \[[0-9]", re.IGNORECASE)
# "We measured all three stations ourselves": then a citation in a row says what it is called after.
_OWN_ROWS = re.compile(
    r"\b(?:we|our)\b[^.;]{0,60}\b(?:all|every|each|both)\b[^.;]{0,60}\b(?:ourselves|again|anew)\b"
    r"|\bwe (?:have )?(?:re-?ran|re-?run|reproduced|re-?implemented|re-?measured|re-?trained|re-?evaluated)"
    r" (?:all|every|each|both)\b"
    r"|\b(?:all|every|each|both)\b[^.;]{0,60}\b(?:re-?run|reproduced|re-?implemented|re-?measured|re-?trained|measured"
    r"|obtained|re-?evaluated|run) by (?:us|ourselves)\b"
    r"|\ball (?:[\w-]+ ){0,3}(?:numbers|values|results|rows|figures|measurements) are (?:our own|ours)\b",
    re.IGNORECASE,
)


def read_table(document: Document, block: Block) -> Table:
    """Read the cells of a table with their places; cells beyond the header's columns are not shown, so not read."""
    header = _cells(document, block.lines[0], block.columns)
    rows = [(span, _cells(document, span, block.columns)) for span in block.lines[2:]]
    return Table(block.lines[0], header, rows)


def _cells(document: Document, span: tuple[int, int], columns: int) -> list[Cell]:
    text, (position, end) = document.clean, span
    while end > position and text[end - 1] in " \t":
        end -= 1
    if text.startswith("|", position, end):
        position += 1
    cells: list[Cell] = []
    while position <= end and len(cells) < columns:
        found = _BAR.match(text, position, end)
        stop = found.end() if found else end
        if position == end and cells:
            break  # the closing bar
        start, last = position, stop
        while start < last and text[start] in " \t\u00a0":
            start += 1
        while last > start and text[last - 1] in " \t\u00a0":
            last -= 1
        inline = read_inline(text[start:last])
        cells.append(Cell(start, inline, " ".join(inline.text.split())[:200], _numbers_of(inline.text)))
        position = max(stop, position) + 1
    return cells


def _numbers_of(text: str) -> list[Number]:
    """The numbers of a cell; digits that are part of a name are none."""
    return [number for number in find_numbers(text) if number.shape != PART_OF_NAME]


def read_table_numbers(
    table: Table, kind: SectionKind, caption: str, section: tuple[str, ...], label: str = ""
) -> Iterator[TableNumber]:
    """Give every number of a table its labels and its role.

    Args:
        table: The table.
        kind: What its section does.
        caption: The sentence or line that introduces it.
        section: The headings above it.
        label: What says that its numbers are made up, or empty.
    """
    headers = [cell.label for cell in table.header]
    whole = _role_of_table(table, kind, caption, section, label)
    bare = _first_column_is_bare(table)
    varied = bare and _is_varied(table)
    ours = _OWN_ROWS.search(caption) is not None
    heading = (ClaimRole.NOT_A_RESULT, "part of a column heading")
    for cell in table.header:
        for number in cell.numbers:
            yield TableNumber(
                cell.start + number.start, cell.start + number.end, table.line, None, cell.label, None, *heading
            )
    labels = _row_labels(table, headers)
    statistics = _holds_statistics(table)
    for index, ((span, cells), (label_here, labelled)) in enumerate(zip(table.rows, labels, strict=True), 1):
        named = None if bare and not varied else label_here  # what was measured names no row
        own = None if ours else _role_of_row(named, cells)
        row = _Row(named, 0 if bare else labelled, varied, whole, own, len(headers), statistics)
        for column, (cell, header) in enumerate(zip(cells, headers, strict=False)):
            for number in cell.numbers:
                place = (index, column + 1)
                role = role_of_shape(number) or _role_of_cell(row, cell, header, column)
                start, end = cell.start + number.start, cell.start + number.end
                yield TableNumber(start, end, span, named, header or None, place, *role)


class _Row(Struct, frozen=True):
    """What holds for all cells of a row: its label, how many cells make it, the roles of its table and its own.

    ``statistics`` says that its table holds columns of statistics.
    """

    label: str | None
    labelled: int
    varied: bool
    whole: Judged | None
    own: Judged | None
    columns: int
    statistics: bool


def _role_of_table(
    table: Table, kind: SectionKind, caption: str, section: tuple[str, ...], label: str
) -> Judged | None:
    """Give the role that all cells of a table have, if its place or its labels say so."""
    label = label or labels_section(section)
    if label or kind is SectionKind.EXPECTED:
        return ClaimRole.ILLUSTRATIVE, label or "its section holds expectations"
    if kind is SectionKind.PLANNED and not _holds_decimals(table):
        return ClaimRole.ILLUSTRATIVE, "its section holds plans"
    if kind is SectionKind.BACKGROUND:
        return ClaimRole.CITED, "stands in a section on other work"
    if kind is SectionKind.REFERENCES:
        return ClaimRole.NOT_A_RESULT, "bibliography"
    measured = _looks_measured(table)
    if kind is SectionKind.SETUP or (kind is SectionKind.METHOD and not measured):
        return ClaimRole.SETTING, f"stands in a {kind.value} section"
    if table.header and _KEY_HEADER.fullmatch(table.header[0].label) and len(table.header) <= 3:
        return ClaimRole.SETTING, "a table of settings"
    named = (caption, section[-1] if section else "")
    if not measured and any(_SETTINGS_CAPTION.search(name) and not _RESULTS_CAPTION.search(name) for name in named):
        return ClaimRole.SETTING, "a table of settings"
    keys = [cells[0].label for _, cells in table.rows if cells]
    if len(table.header) == 2 and keys and 5 * sum(map(is_setting_name, keys)) >= 3 * len(keys):
        return ClaimRole.SETTING, "a table of settings"
    return None


def _looks_measured(table: Table) -> bool:
    """Whether what stands in a table was hardly set: most of its numbers have three digits, and no label names a setting.

    A word like "configuration" in the sentence before it says then how it was measured.
    """
    labels = [*(cell.label for cell in table.header), *(cells[0].label for _, cells in table.rows if cells)]
    numbers = [number for _, cells in table.rows for cell in cells[1:] for number in cell.numbers]
    fine = sum(number.decimals >= 2 and number.significant >= 3 for number in numbers)
    return len(table.header) > 2 and 2 * fine > len(numbers) and not any(map(is_setting_name, labels))


def _holds_decimals(table: Table) -> bool:
    """Whether a table holds numbers with decimals: nobody plans 0.9871."""
    return any(number.decimals for _, cells in table.rows for cell in cells for number in cell.numbers)


def _first_column_is_bare(table: Table) -> bool:
    """Whether the first column holds only bare numbers."""
    first = [cells[0] for _, cells in table.rows if cells and _LETTER_OR_DIGIT.search(cells[0].label)]
    return len(table.header) > 1 and bool(first) and all(cell.is_bare for cell in first)


def _is_varied(table: Table) -> bool:
    """Whether a first column of bare numbers is what was varied, and not the first of the measures.

    What was varied does not bear the name of a measure, and is chosen: round, or in order.
    """
    header = table.header[0].label
    if _VARIED_HEADER.fullmatch(header):
        return True
    if _METRIC_HEADER.search(header):
        return False
    first = [cells[0].numbers[0] for _, cells in table.rows if cells and cells[0].numbers]
    values = [number.value for number in first]
    steps = [after - before for before, after in pairwise(values)]
    ordered = len(steps) >= 2 and (all(step > 0 for step in steps) or all(step < 0 for step in steps))
    return ordered or all(number.decimals == 0 or _is_round(number) for number in first)


def _is_round(number: Number) -> bool:
    return len("".join(map(str, number.value.as_tuple().digits)).strip("0")) <= 2


def _holds_statistics(table: Table) -> bool:
    """Whether at least two columns of decimals are called after statistics."""
    columns = {
        column
        for _, cells in table.rows
        for column, (cell, head) in enumerate(zip(cells, table.header, strict=False))
        if any(number.decimals for number in cell.numbers) and _STATISTIC_HEADER.search(head.label)
    }
    return len(columns) >= 2


def _row_labels(table: Table, headers: list[str]) -> list[tuple[str | None, int]]:
    """The label of each row; where they do not tell the rows apart, with the keys that stand behind it (``k 5``)."""
    found: list[tuple[str | None, int]] = []
    for keys in (None, headers):
        found, named = [], None
        for _, cells in table.rows:
            named, count = _row_label(cells, named, keys)
            found.append((named, count))
        if len({label for label, _ in found}) == len(found):
            break
    return found


def _row_label(cells: list[Cell], before: str | None, headers: list[str] | None) -> tuple[str | None, int]:
    """Join the leading text cells of a row; an empty first cell continues the row before.

    Args:
        cells: The cells of the row.
        before: The label of the row before.
        headers: Those of the columns, where numbers under the name of what was varied join the label.

    Returns:
        The label, and how many leading cells it is made of.
    """
    parts: list[str] = []
    count = 0
    for index, cell in enumerate(cells):
        if index and headers and cell.is_bare and _VARIED_HEADER.fullmatch("".join(headers[index : index + 1])):
            parts.append(f"{headers[index]} {cell.label}")
            continue
        if index and (cell.is_value or not cell.label or not _WORD.search(cell.label)):
            break
        if index == 0 and not cell.label and before:
            parts.append(before.split(" / ")[0])
        elif cell.label:
            parts.append(cell.label)
        count = index + 1
    if count == len(cells):  # a row of words: only its first cell names it
        count, parts = min(1, len(cells)), parts[:1]
    return (" / ".join(parts)[:200] or None), count


def _role_of_row(label: str | None, cells: list[Cell]) -> Judged | None:
    """Give the role of a row that stands for somebody else's result; a row that says it is the authors' own does not."""
    source = cells[-1].label if len(cells) > 2 and not cells[-1].is_value else ""
    if is_own(f"{label or ''} {source}"):
        return None
    if label and _REPORTED_ROW.search(label):
        return ClaimRole.CITED, "its row repeats what others reported"
    cited = cites(label or "") or _MARKED_ROW.search(label or "") is not None or cites(source)
    return (ClaimRole.CITED, CITING_ROW) if cited else None


def _role_of_cell(row: _Row, cell: Cell, header: str, column: int) -> Judged:
    """Decide the role of a number in a body cell; the first rule that applies."""
    key = column > 0 and cell.is_bare and _VARIED_HEADER.fullmatch(header) is not None
    if column < row.labelled and not key:
        in_settings = row.whole is not None and row.whole[0] is ClaimRole.SETTING and cell.is_bare
        return row.whole if in_settings and row.whole else (ClaimRole.NOT_A_RESULT, "part of a row label")
    if _INDEX_HEADER.fullmatch(header):
        return ClaimRole.NOT_A_RESULT, "an index or a date"
    if row.own is not None and not is_own(header):
        return row.own
    if (labelled := labels_column(header)) and not (row.whole is not None and row.whole[0] is ClaimRole.SETTING):
        return ClaimRole.ILLUSTRATIVE, labelled
    if row.whole is not None:
        measured = _METRIC_HEADER.search(header) or (row.statistics and _STATISTIC_HEADER.search(header))
        in_settings = row.whole[0] is ClaimRole.SETTING and row.columns > 2
        return (ClaimRole.RESULT, "") if in_settings and measured else row.whole
    if column == 0 and row.varied:
        return ClaimRole.SETTING, "what was varied"
    if _VARIED_HEADER.fullmatch(header):
        return ClaimRole.SETTING, "its column is a setting"
    if row.columns == 2 and row.label is not None and is_setting_name(row.label):
        return ClaimRole.SETTING, "its row is a setting"
    return ClaimRole.RESULT, ""
