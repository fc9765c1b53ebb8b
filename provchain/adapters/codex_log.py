"""Codex CLI logs (``codex_log.log``): what ``codex exec`` printed, a stamped line for each thing that happened.

The log shows a command and its directory, then how it ended and at most twenty lines of one stream: the output of a command
that succeeded, the errors of one that failed. Patches are shown whole. Stamps are in UTC.

Recognised by content: the banner, or a stamped line of one of its kinds.

Source: the ``exec`` event printer of Codex CLI 0.2 to 0.6, as its recorded runs show it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from provchain.adapters._codex_blocks import Block, blocks
from provchain.adapters._json_source import decode_text, read_bytes
from provchain.errors import MalformedSourceError, Problem
from provchain.events import CommandRun, Event, FileEdited, FileMoved, FileRemoved, FileWritten, Message
from provchain.model import Place, RecorderKind

__all__ = ["CodexLog"]

_HEAD = 65_536
_NAME = re.compile(r"codex[\w.-]*(?:output|trace|log)[\w.-]*\.(?:log|txt)|codex\.log", re.IGNORECASE)
_STAMP = rb"(?:\x1b\[[0-9;]*m)*\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[^\]\n]{0,16}\](?:\x1b\[[0-9;]*m)* (?:\x1b\[[0-9;]*m)*"
_BANNER = re.compile(_STAMP + rb"OpenAI Codex ", re.MULTILINE)
_CALLS = re.compile(rb"^" + _STAMP + rb"(?:exec .{1,2000} in /|apply_patch auto_approved=)", re.MULTILINE)
_SHELLS = ("bash", "sh", "zsh", "dash")
_SHOWN = 20  # lines of output that the log shows; there is no mark where it stops
_TIMED_OUT = 124
_FILE = re.compile(r"([AMD]) (/.+?)(?: -> (/.+))?")
_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@.*")
_SPEAKERS = {"codex": "agent", "thinking": "agent", "person": "person"}


class CodexLog:
    """Read a log of ``codex exec``; the harness observed how each command ended.

    Example:
        >>> CodexLog().name
        'codex-log'
    """

    name = "codex-log"
    recorder = RecorderKind.OBSERVER

    def recognises(self, source: Path) -> bool:
        """Say whether a file is a log of this program.

        Args:
            source: Any path.

        Returns:
            Whether to read it. An empty file that has the usual name is ours too, to say so.
        """
        if source.suffix.lower() not in (".log", ".txt", "") or not source.is_file():
            return False
        named = _NAME.fullmatch(source.name) is not None
        try:
            with source.open("rb") as stream:
                head = stream.read(_HEAD)
        except OSError:
            return named
        if not head.strip():
            return named
        return _BANNER.match(head.lstrip(b"\xef\xbb\xbf \t\r\n")) is not None or (
            named and _CALLS.search(head) is not None
        )

    def read(self, source: Path, *, root: Path) -> Iterator[Event]:
        """Read the events of a log in its order.

        Args:
            source: The log.
            root: The audited directory.

        Yields:
            Commands with their times, files written and edited by patches, and the words of agent and person.

        Raises:
            SourceError: It cannot be read.
            MalformedSourceError: No line of it is one of such a log.
        """
        found = list(blocks(decode_text(read_bytes(source))))
        if not found:
            problem = Problem(
                str(source), "1", "a line that begins with a stamp, such as [2025-07-29T15:39:01] exec", "none"
            )
            raise MalformedSourceError([problem], hint="this is not a log as codex exec prints it; was it cut?")
        path = source.relative_to(root).as_posix() if source.is_relative_to(root) else source.as_posix()
        answers = {id(block.call): block for block in found if block.call is not None}
        for number, block in enumerate(found):
            at = Place(path, str(block.line))
            if block.kind == "exec":
                yield _command(at, block, answers.get(id(block)))
            elif block.kind == "patch":
                yield from _patch(at, block, found[number + 1] if number + 1 < len(found) else None)
            elif block.kind in _SPEAKERS and (text := _text(block.body)).strip():
                yield Message(at, _SPEAKERS[block.kind], text)


def _text(lines: Sequence[str]) -> str:
    return "\n".join(lines).strip("\n")


def _command(at: Place, call: Block, answer: Block | None) -> CommandRun:
    command = _as_given(call.head)
    if answer is None:
        return CommandRun(
            at, command, call.refused or None, refused=bool(call.refused), cwd=call.directory, started=call.time
        )
    shown = answer.body
    while shown and not shown[-1]:
        shown = shown[:-1]
    return CommandRun(
        at,
        command,
        "\n".join(shown),
        is_error=answer.code != 0,
        exit_code=answer.code,
        timed_out=answer.code == _TIMED_OUT,
        truncated=len(answer.body) >= _SHOWN,
        cwd=call.directory,
        started=call.time,
        ended=answer.time,
    )


def _as_given(quoted: str) -> str:
    """The text that the shell was given: ``bash -lc 'cd a && ls'`` runs ``cd a && ls``."""
    try:
        words = shlex.split(quoted)
    except ValueError:
        return quoted
    if len(words) == 3 and words[0].rsplit("/", 1)[-1] in _SHELLS and re.fullmatch(r"-[a-z]*c", words[1]):
        return words[2]
    return quoted


def _patch(at: Place, block: Block, answer: Block | None) -> Iterator[Event]:
    """What a patch did, where the tool says that it was applied; the answer lists the files."""
    if (
        answer is None
        or answer.kind != "patched"
        or not answer.head.split(") ")[1].startswith(("succeeded", "exited 0"))
    ):
        return
    listed = [line for line in answer.body if _FILE.fullmatch(line)]
    for head, body in _files(block.body, listed):
        what, path, target = head.groups()
        if what == "A":
            yield FileWritten(at, "apply_patch", path, "".join(f"{line}\n" for line in body))
        elif what == "D":
            yield FileRemoved(at, "apply_patch", path)
        else:
            edits, places = _edits(body)
            if edits:
                yield FileEdited(at, "apply_patch", path, edits, places)
            if target is not None:
                yield FileMoved(at, "apply_patch", path, target)


def _files(body: Sequence[str], listed: Sequence[str]) -> list[tuple[re.Match[str], list[str]]]:
    """Split a patch at the heads of its files, which the answer lists: other lines that look like one are text."""
    expected = list(listed)
    found: list[tuple[re.Match[str], list[str]]] = []
    for line in body:
        head = _FILE.fullmatch(line)
        if head is not None and (not found or _takes(expected, head)):
            if not found:
                _takes(expected, head)
            found.append((head, []))
        elif found:
            found[-1][1].append(line)
    return found


def _takes(expected: list[str], head: re.Match[str]) -> bool:
    """Strike a file off the answer's list; a moved file is listed by its new name."""
    for path in (head[2], head[3]):
        line = f"{head[1]} {path}"
        if path is not None and line in expected:
            expected.remove(line)
            return True
    return False


def _edits(diff: Sequence[str]) -> tuple[tuple[tuple[str, str, bool], ...], tuple[int, ...]]:
    """The hunks of a unified diff as replacements, and the line of each in the text that the hunks before it left."""
    edits: list[tuple[str, str, bool]] = []
    places: list[int] = []
    old: list[str] = []
    new: list[str] = []

    def close() -> None:
        if places and len(edits) < len(places):
            edits.append(("\n".join(old), "\n".join(new), False))
        old.clear()
        new.clear()

    for line in diff:
        if (hunk := _HUNK.fullmatch(line)) is not None:
            close()
            places.append(int(hunk[3]) + (1 if hunk[4] == "0" else 0))
        elif line.startswith("\\") or not places:
            continue
        else:
            if not line.startswith("+"):
                old.append(line[1:])
            if not line.startswith("-"):
                new.append(line[1:])
    close()
    return tuple(edits), tuple(places)
