"""Numbers inside artifacts: what a paper's claims can be compared with.

::

    .json                 JSON Pointer                     /svm/accuracy
    .jsonl, .ndjson       line and pointer                 line=3/loss
    .csv, .tsv            record and field, header is 1    cell=2,3
    everything else       line, and number on the line     line=45   line=7;2

The second number of ``0.91 ± 0.02`` stands in the same cell or string and is marked with ``;2``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from provchain.inspection.json_values import is_json_lines, read_json_lines, read_json_values
from provchain.inspection.line_values import read_line_values
from provchain.inspection.table_values import read_table_values
from provchain.model import Value

__all__ = ["MAX_TEXT", "MAX_VALUES", "read_values"]

MAX_VALUES = 200_000
"""Values read of one artifact; what comes after them is not searched."""
MAX_TEXT = 20_000_000
"""Characters read of one artifact."""

# Programs and drawings hold numbers that nobody measured.
_NO_DATA_WORDS = """
.py .pyi .ipynb .r .jl .m .c .cc .cpp .cu .h .hpp .java .js .ts .rs .go .sh .bash .zsh .ps1 .bat .svg .html .htm
.xml .css .bib .tex .sty .cls .lock .diff .patch
"""
_NO_DATA = frozenset(_NO_DATA_WORDS.split())


def read_values(artifact_id: str, path: str, text: str) -> list[Value]:
    """Read the numbers of an artifact, each with its place, its spelling and the words that name it.

    Args:
        artifact_id: The artifact's id.
        path: Its path; the suffix says how it is read. Without a telling suffix, a text that is JSON is read as JSON.
        text: Its text. It is never evaluated, and a broken document is read line by line.

    Returns:
        The values in the order of the file; none for programs and drawings.

    Example:
        >>> read_values("m.json#1", "m.json", '{"svm": {"accuracy": 0.910}}')[0].lexical
        '0.910'
    """
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    dot = name.rfind(".")
    suffix = name[dot:] if dot > 0 else ""
    if suffix in _NO_DATA or not text:
        return []
    return list(islice(_choose(artifact_id, path, text[:MAX_TEXT], suffix), MAX_VALUES))


def _choose(artifact_id: str, path: str, text: str, suffix: str) -> Iterator[Value]:
    found: Iterator[Value] | None = None
    if suffix in (".jsonl", ".ndjson"):
        return read_json_lines(artifact_id, path, text)
    if suffix in (".csv", ".tsv"):
        found = read_table_values(artifact_id, path, text)
    elif suffix not in (".md", ".markdown", ".rst") and text.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
        found = read_json_values(artifact_id, path, text.removeprefix("\ufeff"))
        if found is None and is_json_lines(text):  # under the name of one document
            return read_json_lines(artifact_id, path, text.removeprefix("\ufeff"))
    return found if found is not None else read_line_values(artifact_id, path, text)
