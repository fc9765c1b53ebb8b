"""What a patch given as text does to files: unified diffs, and the format of ``apply_patch``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ["Patched", "read_patch"]

_SECTION = re.compile(r"\*\*\* (Add File|Update File|Delete File|Move to): (.+)")
_HEADER = re.compile(r"(?:---|\+\+\+) ([^\t\n]+)")
_NOWHERE = "/dev/null"


@dataclass(slots=True)
class Patched:
    """The files of a patch, as written in it.

    Attributes:
        changed: Files that it changes.
        added: Files that it makes, with their text.
        removed: Files that it deletes.
    """

    changed: list[str] = field(default_factory=list)
    added: dict[str, str] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)


def read_patch(text: str, strip: int | None = 1) -> Patched:
    """Read which files a patch changes, makes and deletes.

    Args:
        text: The patch: a unified diff, or the format of ``apply_patch``.
        strip: How many leading folders its names lose (``patch -p1``); ``None`` for all of them, as plain ``patch`` does.

    Returns:
        The files; none where the text is no patch.

    Example:
        >>> read_patch("*** Begin Patch\\n*** Add File: r.json\\n+0.9\\n*** Update File: a.py\\n*** End Patch")
        Patched(changed=['a.py'], added={'r.json': '0.9\\n'}, removed=[])
        >>> read_patch("--- a/r.md\\n+++ b/r.md\\n@@ -1 +1 @@\\n-0.8\\n+0.9\\n").changed
        ['r.md']
    """
    lines = text.split("\n")
    if any(_SECTION.fullmatch(line.rstrip()) for line in lines):
        return _sections(lines)
    return _unified(lines, strip)


def _sections(lines: Iterable[str]) -> Patched:
    found = Patched()
    current: str | None = None
    for line in lines:
        header = _SECTION.fullmatch(line.rstrip())
        if header is None:
            if line.startswith("*** "):
                current = None
            elif current is not None and line.startswith("+"):
                found.added[current] += line[1:] + "\n"
            continue
        what, path = header[1], header[2].strip()
        current = path if what == "Add File" else None
        if what == "Add File":
            found.added[path] = ""
        elif what == "Delete File":
            found.removed.append(path)
        elif what == "Update File":
            found.changed.append(path)
        elif found.changed:  # moved: the file of the section before goes away under its old name
            found.removed.append(found.changed[-1])
            found.changed[-1] = path
    return found


def _unified(lines: list[str], strip: int | None) -> Patched:
    found = Patched()
    current: str | None = None
    for position, line in enumerate(lines):
        following = lines[position + 1] if position + 1 < len(lines) else ""
        if line.startswith("--- ") and following.startswith("+++ "):
            current = None
            continue
        if line.startswith("+++ ") and position and lines[position - 1].startswith("--- "):
            old, new = _name(lines[position - 1], strip), _name(line, strip)
            if old is None and new is not None:
                current = new
                found.added.setdefault(new, "")
            elif new is None and old is not None:
                found.removed.append(old)
            elif new is not None:
                found.changed.append(new)
        elif current is not None and line.startswith("+"):
            found.added[current] += line[1:] + "\n"
        elif line.startswith("diff "):
            current = None
    return found


def _name(line: str, strip: int | None) -> str | None:
    header = _HEADER.match(line)
    name = header[1].strip().strip('"') if header else ""
    if not name or name == _NOWHERE:
        return None
    parts = name.split("/")
    return parts[-1] if strip is None else "/".join(parts[min(strip, len(parts) - 1) :])
