"""The directory of a run: every file below it, with its digest, its kind and, for texts, its content.

Links are followed to files and folders inside the directory and never out of it; devices, sockets and pipes are not
opened.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from provchain.adapters import SKIPPED_FOLDERS
from provchain.errors import SourceError
from provchain.events import Event, FileOnDisk
from provchain.kinds import is_binary_name, kind_of
from provchain.model import RecorderKind

__all__ = ["RunFolder"]

_TEXT_LIMIT = 8_000_000  # bytes of a file that is worth searching
_CHUNK = 1 << 20
_HEAD = 4_096
_DEEPEST = 60  # folders inside each other
_MOST_REPLACED = 0.1  # share of characters that are no UTF-8 in what still counts as text


@dataclass(slots=True)
class _Scan:
    """What a walk has found, and what it could not read."""

    root: str
    files: list[tuple[str, str]] = field(default_factory=list)  # (path relative to the directory, path to open)
    unreadable: list[str] = field(default_factory=list)


class RunFolder:
    """Read the files that lie in a directory; whoever scans the disk observes it.

    Example:
        >>> RunFolder().name
        'run-folder'
    """

    name = "run-folder"
    recorder = RecorderKind.OBSERVER

    def recognises(self, source: Path) -> bool:
        """Say whether a path is a directory."""
        return source.is_dir()

    def read(self, source: Path, *, root: Path) -> Iterator[Event]:
        """Read every file below a directory, sorted by path.

        Args:
            source: The directory.
            root: The audited directory.

        Yields:
            One event a file.

        Raises:
            SourceError: It is no directory, or files cannot be read: all of them at once.
        """
        if not source.is_dir():
            raise SourceError(f"{source}: not a directory", path=str(source), hint="give the directory of a run")
        scan = _Scan(os.path.realpath(source))
        _walk(scan, os.fspath(source))
        prefix = source.relative_to(root).as_posix() if source.is_relative_to(root) else source.as_posix()
        prefix = "" if prefix == "." else f"{prefix}/"
        events: list[FileOnDisk] = []
        for relative, path in sorted(scan.files):
            try:
                events.append(_file(prefix + relative, path))
            except OSError as error:
                scan.unreadable.append(f"{relative}: {error.strerror or error}")
        if scan.unreadable:
            count = len(scan.unreadable)
            raise SourceError(
                "\n".join([f"{source}: {count} of its files or folders cannot be read:", *sorted(scan.unreadable)]),
                path=str(source),
                where=sorted(scan.unreadable)[0].partition(":")[0],
                hint="make them readable, or take them out of the directory",
            )
        yield from events


def _walk(scan: _Scan, directory: str) -> None:
    """Collect the files below a directory; a linked folder is entered once, and not from inside another one."""
    todo: list[tuple[str, str, int, bool]] = [(directory, "", 0, False)]
    entered = {scan.root}
    while todo:
        folder, relative, depth, linked = todo.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            scan.unreadable.append(f"{relative or '.'}: {error.strerror or error}")
            continue
        for entry in entries:
            name = f"{relative}/{entry.name}" if relative else entry.name
            try:
                link = entry.is_symlink()
                if link and not _stays_inside(scan.root, entry.path):
                    continue
                mode = entry.stat().st_mode
            except OSError:
                continue  # a link to nothing, or to itself
            if stat.S_ISREG(mode):
                scan.files.append((_printable(name), entry.path))
            elif stat.S_ISDIR(mode) and entry.name not in SKIPPED_FOLDERS and depth < _DEEPEST:
                real = os.path.realpath(entry.path)
                if link and (linked or real in entered or f"{scan.root}{os.sep}".startswith(f"{real}{os.sep}")):
                    continue
                if link:
                    entered.add(real)
                todo.append((entry.path, name, depth + 1, linked or link))


def _stays_inside(root: str, path: str) -> bool:
    real = os.path.realpath(path)
    return real == root or real.startswith(root.rstrip(os.sep) + os.sep)


def _printable(name: str) -> str:
    """Give a name that can be written everywhere: bytes that are no UTF-8 are replaced."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace").replace(os.sep, "/")


def _file(relative: str, path: str) -> FileOnDisk:
    digest = hashlib.sha256()
    kept: list[bytes] = []
    size = 0
    with Path(path).open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
            if size <= _TEXT_LIMIT or not kept:
                kept.append(chunk)
    data = b"".join(kept)
    text = None if size > _TEXT_LIMIT or is_binary_name(relative) else _decode(data)
    return FileOnDisk(relative, digest.hexdigest(), size, kind_of(relative, data[:_HEAD]), text)


def _decode(data: bytes) -> str | None:
    """Decode a text file; ``None`` for what is none."""
    if b"\0" in data:
        return None
    text = data.decode("utf-8", "replace")
    return text if text.count("\N{REPLACEMENT CHARACTER}") <= _MOST_REPLACED * len(text) else None
