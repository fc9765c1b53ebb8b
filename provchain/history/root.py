"""Where the study lay on the machine that it was made on.

A trace names files as `/home/someone/work/study/results/a.json`; on the disk they lie in the audited directory. The two are
joined by the endings that they share. Knows only path strings.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Sequence

__all__ = ["find_root", "paths_in", "relative_to_root"]

_ABSOLUTE = re.compile(r"(?<![\w./:*~-])(/(?:[^\s'\"`<>|;&()\[\]{}*?,:$\\]+/)+[^\s'\"`<>|;&()\[\]{}*?,:$\\]*)")
_MAX_TEXT = 200_000


def paths_in(text: str) -> list[str]:
    """Find the absolute paths that a command or an output names.

    Example:
        >>> paths_in("saved to /home/u/study/results/a.json.")
        ['/home/u/study/results/a.json']
    """
    return [match.group(1).rstrip(".,;:") for match in _ABSOLUTE.finditer(text[:_MAX_TEXT])]


def find_root(absolute: Iterable[str], on_disk: Iterable[str]) -> str:
    """Find the directory of the original machine that the audited directory is a copy of.

    Every absolute path votes for the prefix that is left when a path of the audited directory is taken off its end; longer
    endings vote more, since a bare `config.py` may lie anywhere. Where no file can vote, the folders do.

    Args:
        absolute: Absolute paths that the trace names.
        on_disk: Paths of the files in the audited directory, relative to it.

    Returns:
        The root without a trailing slash, or an empty string if no path fits.

    Example:
        >>> find_root(["/home/u/s/code/a.py", "/home/u/s/results/b.md"], ["code/a.py", "results/b.md"])
        '/home/u/s'
    """
    known = set(on_disk)
    absolute = list(absolute)
    folders = {parent for path in known for parent in _parents(path)}
    votes: Counter[str] = Counter()
    for path in set(absolute):
        parts = path.strip("/").split("/")
        for depth in range(1, min(len(parts), 12)):
            ending = "/".join(parts[-depth:])
            if ending in known or ending in folders:
                votes["/" + "/".join(parts[:-depth])] += depth * depth
    if not votes:
        return _common_folder(absolute, folders)
    # Of equally good roots the one with most paths below it, then the longest, which says most.
    return max(votes, key=lambda root: (votes[root], sum(p.startswith(root + "/") for p in absolute), len(root)))


def _common_folder(absolute: Sequence[str], folders: set[str]) -> str:
    """Where no path lies in the directory: the deepest folder that most of them share, or one above it if it does lie there."""
    parents = [posixpath.dirname(path) for path in absolute if path.startswith("/")]
    shares = Counter(folder for parent in parents for folder in (parent, *_parents(parent)) if folder.count("/") > 1)
    common = max((f for f, count in shares.items() if count * 100 >= len(parents) * 85), key=len, default="")
    while common and posixpath.basename(common) in folders:
        common = posixpath.dirname(common)
    return common


def _parents(path: str) -> Iterable[str]:
    while (path := posixpath.dirname(path)) not in ("", "/"):
        yield path


def relative_to_root(path: str, root: str, cwd: str = "") -> str:
    """Write a path of the trace as a path of the study.

    Args:
        path: Absolute or relative, as the trace has it.
        root: The study's directory on the original machine.
        cwd: Working directory, relative to the root or absolute.

    Returns:
        The path relative to the root, with ``..`` resolved; absolute if it lies outside.

    Example:
        >>> relative_to_root("../results/a.json", "/home/u/s", "code")
        'results/a.json'
        >>> relative_to_root("/tmp/x", "/home/u/s")
        '/tmp/x'
    """
    if path.startswith("~"):
        return path
    base = cwd if cwd.startswith("/") else posixpath.join(root or "/", cwd)
    full = posixpath.normpath(posixpath.join(base, path))
    if full.startswith("//"):
        full = full[1:]
    prefix = root or ""
    if full == prefix or full == "/" == (prefix or "/"):
        return ""
    if full.startswith(prefix + "/"):
        return full[len(prefix) + 1 :]
    return full
