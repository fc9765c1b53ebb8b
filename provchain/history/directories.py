"""In which directory each call of a session ran.

A session keeps its directory from call to call, but not every tool keeps it after a failure, and no trace says where it
began. So the directory is followed, and where the relative paths of a call do not exist there, the directories before it
and those above the study are tried.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection

from provchain.events import CommandRun
from provchain.history.root import relative_to_root
from provchain.shell import CommandLine, parse_command_line

__all__ = ["Directories"]

_CODE = (".py", ".sh", ".bash", ".R", ".jl")


class Directories:
    """The working directory of a session.

    Args:
        root: The study's directory on the original machine.
        paths: Files of the study that are known by any source.
    """

    def __init__(self, root: str, paths: Collection[str]) -> None:
        self.root = root
        self.known = set(paths)
        self.known.update(folder for path in paths for folder in _folders(path))
        self.current = root
        self.before = [root, *_above(root)]

    def parse(self, event: CommandRun) -> CommandLine:
        """Parse a call's command in the directory where it ran, and go on from where it left the session.

        Args:
            event: The call.

        Returns:
            Its simple commands, their directories absolute on the original machine.
        """
        if event.cwd is not None:
            return parse_command_line(event.command, event.cwd)
        line = parse_command_line(event.command, self.current)
        misses = self._misses(line)
        if misses:
            for other in dict.fromkeys(self.before):
                tried = parse_command_line(event.command, other)
                if (fewer := self._misses(tried)) < misses:
                    line, misses = tried, fewer
        if not event.is_error and line.cwd != self.current:
            self.before.insert(0, self.current)
            self.current = line.cwd
        elif event.is_error and line.cwd not in (self.current, *self.before[:1]):
            self.before.insert(0, line.cwd)  # the folder may have been changed before the rest failed
        return line

    def _misses(self, line: CommandLine) -> int:
        """How many of the relative folders and scripts that a command line names do not exist where it would run."""
        count = 0
        for command in line.commands:
            words = command.argv[1:]
            if not command.argv:
                continue
            if command.argv[0] == "cd":
                names = (
                    [command.cwd and posixpath.join(command.cwd, words[0])] if words and _is_relative(words[0]) else []
                )
            else:
                names = [posixpath.join(command.cwd, w) for w in words if _is_relative(w) and w.endswith(_CODE)]
            count += sum(relative_to_root(name, self.root) not in self.known | {""} for name in names)
        return count


def _is_relative(word: str) -> bool:
    return not word.startswith(("/", "-", "~", "$")) and not any(char in word for char in "*?{}\n ")


def _folders(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: i + 1]) for i in range(len(parts))]


def _above(root: str) -> list[str]:
    found = []
    while root.count("/") > 1:
        root = posixpath.dirname(root)
        found.append(root)
    return found
