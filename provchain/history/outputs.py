"""Which files an output says were written or read: `Saved metrics to results/metrics.json`.

Knows text and the set of paths that exist; a path counts only if it is one of them and its line says what was done.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection

__all__ = ["files_named"]

_PATH = re.compile(r"[\w./@+=-]*[\w@+=-]\.\w{1,12}\b")
_WRITTEN = re.compile(
    r"\b(?:sav(?:e|ed|ing)|wr(?:ite|iting|itten|ote)|generat\w+|creat\w+|export\w*|stor(?:e|ed|ing)|dump\w*|plott?\w*|output\w*|produc\w+)\b",
    re.IGNORECASE,
)
_READ = re.compile(r"\b(?:load\w*|read(?:ing)?|pars\w+|import\w*|open(?:ed|ing)?)\b", re.IGNORECASE)
_MAX_LINE = 2_000
_MAX_LINES = 20_000


def files_named(output: str, known: Collection[str], resolve: Callable[[str], str]) -> tuple[list[str], list[str]]:
    """Find the files that an output says it wrote, and those it says it read.

    Args:
        output: What a process printed.
        known: Paths of the study that exist or are named as files.
        resolve: Turns a path as printed into a path of the study.

    Returns:
        The written and the read paths, each once, in the order of the output.

    Example:
        >>> files_named("Saved to out/a.json\\nloaded b.csv", {"out/a.json", "b.csv"}, str)
        (['out/a.json'], ['b.csv'])
    """
    written: dict[str, None] = {}
    read: dict[str, None] = {}
    for line in output.split("\n")[:_MAX_LINES]:
        if len(line) > _MAX_LINE or "." not in line:
            continue
        says_written, says_read = bool(_WRITTEN.search(line)), bool(_READ.search(line))
        if not says_written and not says_read:
            continue
        for match in _PATH.finditer(line):
            path = resolve(posixpath.normpath(match.group()))
            if path in known:
                (written if says_written else read).setdefault(path)
    return list(written), list(read)
