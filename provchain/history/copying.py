"""Which files a copy carries where, forwards and backwards.

A copy's target may lie in the audited directory while its source does not: then the source must have been there all the
same, and can be named. Knows only paths.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from provchain.history.world import in_folder, match_paths

__all__ = ["copied_paths", "copy_sources"]


def copied_paths(
    pattern: str, target: str, sources: Iterable[str], known: Iterable[str], *, recursive: bool
) -> list[tuple[str, str]]:
    """Which file goes where when a pattern is copied to a target.

    Args:
        pattern: The source as written, ``*`` for any, ``dir/**`` for a folder.
        target: The destination; a folder if it ends in a slash or is known as one.
        sources: Files that may be copied.
        known: All paths of the study, to tell a folder from a file.
        recursive: Folders are copied too.

    Returns:
        Pairs of source and destination.

    Example:
        >>> copied_paths("a/*.json", "out/", ["a/x.json", "a/y.txt"], [], recursive=False)
        [('a/x.json', 'out/x.json')]
    """
    sources = sorted(sources)  # in whatever order the caller has them: a report is the same bytes each time
    folder = target.rstrip("/")
    is_folder = target.endswith("/") or target in ("", ".") or any(in_folder(path, folder) for path in known)
    base = pattern.rstrip("/").removesuffix("/**").removesuffix("/.")
    pairs = [
        (source, posixpath.join(folder, posixpath.basename(source)) if is_folder else folder)
        for source in match_paths(base, sources)
    ]
    if pairs and not recursive:
        return pairs
    taken = {source for source, _ in pairs}
    depth = len(base.split("/"))
    contents = pattern.endswith(("/.", "/"))
    for source in sources:
        parts = source.split("/")
        if source in taken or len(parts) <= depth or not match_paths(base, ["/".join(parts[:depth])]):
            continue
        tail = parts[depth:] if contents or not is_folder else parts[depth - 1 :]
        pairs.append((source, posixpath.join(folder, *tail)))
    return pairs


def copy_sources(pattern: str, target: str, known: Iterable[str]) -> set[str]:
    """The files that must have been there, for a copy to have left the files that are known at its target.

    Example:
        >>> sorted(copy_sources("a/*.png", "out/", ["out/x.png", "out/y.txt"]))
        ['a/x.png']
    """
    base = pattern.rstrip("/").removesuffix("/**").removesuffix("/.")
    folder = target.rstrip("/")
    parent, name = posixpath.split(base)
    found = set()
    for path in known:
        if path == folder and "*" not in base:
            found.add(base)
        elif in_folder(path, folder):
            tail = path[len(folder) + 1 :] if folder else path
            first = tail.partition("/")[0]
            if match_paths(name, [first]):
                found.add(posixpath.join(parent, tail))
            elif pattern.endswith(("/**", "/.")) and "*" not in base:
                found.add(posixpath.join(base, tail))
    return {path for path in found if not any(char in path for char in "*?")}
