"""A Codex log cut into its blocks: a stamped head line, and the lines up to the next one.

What stands between two heads is text that a command printed or an agent typed, and it can look like a head. So a head counts
only where its stamp neither runs backwards nor leaps ahead of those that follow it, an ``exec`` line only where the quotes of
its command are closed, an answer only where it repeats the command of a call that waits for one, and none inside a patch. In a
log that counts its tokens after each answer and message, no other head can stand right behind one.

Source: the ``exec`` event printer of Codex CLI 0.2 to 0.6, as its recorded runs show it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

__all__ = ["Block", "blocks"]

_HEAD = re.compile(r"\[(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d:?\d\d)?\] (.+)")
_OTHERS = re.compile(
    r"(?P<tokens>tokens used: ?[\d,]+)|(?P<thinking>thinking)|(?P<codex>codex)|(?P<person>User instructions:|user)"
    r"|(?P<banner>OpenAI Codex .*)|(?P<error>ERROR: .*)|(?P<tool>tool .+)"
    r"|(?P<patch>apply_patch auto_approved=(?:true|false):)"
    r"|(?P<patched>apply_patch\(auto_approved=(?:true|false)\) (?:succeeded|exited -?\d{1,10}) in [\d.]+\w*:)"
)
_ANSWER = re.compile(r" (?:succeeded|exited (-?\d{1,10})) in (?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h) ?){1,3}:")
_SPAWN_ERROR = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z +ERROR (codex_core::exec: .*)")
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_PATCHED = re.compile(r"apply_patch\(auto_approved=(?:true|false)\) (?:succeeded|exited -?\d+) in .*:")
_KNOWN = re.compile(r"exec |tokens used|thinking$|codex$|apply_patch|ERROR: |.* (?:succeeded|exited -?\d+) in ")
_ANSWERED = re.compile(r" (?:succeeded|exited -?\d+) in [\d.]+\w+:")
_CLOSED = frozenset(
    ["answer", "patched", "codex"]
)  # what is followed by the count of tokens, in a log that counts them
_ENOUGH = 5  # answers that show whether a log counts
_MOST_WAITING = 100
_DIRECTORY = " in /"
_QUOTES = re.compile(r"""\\.|['"]""", re.DOTALL)


@dataclass(slots=True)
class Block:
    """A head of the log, and what follows it.

    Attributes:
        line: The 1-based line of the head.
        kind: ``exec``, ``answer``, ``patch``, ``patched``, ``codex``, ``thinking``, ``person``, or another head's word.
        time: Its stamp: ISO 8601, in UTC where the log names no zone.
        head: Its words, without the stamp; of an ``exec`` block the command alone, as the log quotes it.
        body: The lines after it.
        directory: Of an ``exec`` block, where the command ran.
        code: Of an ``answer``, the exit code.
        call: Of an ``answer``, the block of its call.
        refused: Of an ``exec`` block, why the program could not be started.
    """

    line: int
    kind: str
    time: str
    head: str
    body: list[str] = field(default_factory=list)
    directory: str = ""
    code: int | None = None
    call: Block | None = None
    refused: str = ""


def blocks(text: str) -> Iterator[Block]:
    """Cut a log into its blocks.

    Args:
        text: The whole log.

    Yields:
        Its blocks in order. Lines before the first head belong to none.

    Example:
        >>> log = "[2025-07-29T15:39:01] exec ls a in /w\\n[2025-07-29T15:39:02] ls a succeeded in 9ms:\\nb"
        >>> [(b.kind, b.head, b.directory, b.code, b.body) for b in blocks(log)]
        [('exec', 'ls a', '/w', None, []), ('answer', 'ls a succeeded in 9ms:', '', 0, ['b'])]
    """
    lines = _COLOURS.sub("", text).split("\n")
    reader = _Reader(lines)
    position = 0
    current: Block | None = None
    while position < len(lines):
        block, after = reader.head(position)
        if block is None:
            if (spawn := _SPAWN_ERROR.match(lines[position])) is not None:
                reader.spawn_error = spawn[1].strip()
            elif current is not None:
                current.body.append(lines[position].removesuffix("\r"))
            position += 1
            continue
        if current is not None:
            yield current
        current, position = block, after
    if current is not None:
        yield current


@dataclass(slots=True)
class _Reader:
    """Reads heads; remembers the last stamp, and which calls wait for an answer."""

    lines: Sequence[str]
    last: str = ""
    waiting: list[Block] = field(default_factory=list)
    spawn_error: str = ""
    kind: str = ""
    strict: bool = False
    heads: dict[int, re.Match[str]] = field(default_factory=dict)
    stamps: list[tuple[int, str]] = field(default_factory=list)
    last_patched: int = -1

    def __post_init__(self) -> None:
        """Find all lines that look like heads, and what they show of the log."""
        self.heads = {
            at: found for at, line in enumerate(self.lines) if (found := _HEAD.fullmatch(line.removesuffix("\r")))
        }
        self.stamps = [(at, found[1]) for at, found in self.heads.items() if _KNOWN.match(found[3])]
        self.last_patched = max((at for at, found in self.heads.items() if _PATCHED.fullmatch(found[3])), default=-1)
        counted = sum(found[3].startswith("tokens used") for found in self.heads.values())
        answered = sum(_ANSWERED.search(found[3]) is not None for found in self.heads.values())
        self.strict = answered >= _ENOUGH and counted >= 0.8 * answered

    def _is_text(self, position: int, found: re.Match[str]) -> bool:
        """Whether a line that looks like a head cannot be one where it stands."""
        stamp = found[1]
        if self.kind == "patch" and position <= self.last_patched:
            return _PATCHED.fullmatch(found[3]) is None
        leaps = bool(self.last) and stamp[:10] > self.last[:10] and _days(self.last, stamp) > 1
        if leaps and any(at > position and self.last <= later < stamp for at, later in self.stamps):
            return True
        return self.strict and self.kind in _CLOSED and not found[3].startswith(("tokens used", "ERROR"))

    def head(self, position: int) -> tuple[Block | None, int]:
        """Read the head at a line.

        Returns:
            The block, and the line after its head; ``None`` where the line is text.
        """
        found = self.heads.get(position)
        if found is None or found[1] < self.last or self._is_text(position, found):
            return None, position
        time, rest = found[1] + (found[2] or "Z"), found[3]
        block, after = self._answer(position, time, rest)
        if block is None and rest.startswith("exec "):
            block, after = self._exec(position, time, rest.removeprefix("exec "))
        if block is None and (other := _OTHERS.fullmatch(rest)) is not None:
            kind = str(other.lastgroup)
            block, after = Block(position + 1, kind, time, rest), position + 1
            if kind in ("patched", "tokens"):
                self.spawn_error = "" if kind == "tokens" else self.spawn_error
        if block is not None:
            self.last, self.kind = found[1], block.kind
        return block, after

    def _exec(self, position: int, time: str, rest: str) -> tuple[Block | None, int]:
        """A command, over as many lines as its quotes stay open, then ``in`` and its directory."""
        quote, command = "", []
        for at in range(position, len(self.lines)):
            line = rest if at == position else self.lines[at]
            cut = line.rfind(_DIRECTORY)
            if cut >= 0 and not _open_quote(quote, line[:cut]) and not _open_quote("", line[cut:]):
                command.append(line[:cut])
                directory = line[cut + len(_DIRECTORY) - 1 :].removesuffix("\r")
                block = Block(position + 1, "exec", time, "\n".join(command), directory=directory)
                block.refused, self.spawn_error = self.spawn_error, ""
                self.waiting = [*self.waiting[-_MOST_WAITING:], block]
                return block, at + 1
            quote = _open_quote(quote, line + "\n")
            if not quote:
                return None, position  # words that are no call: a call ends with its directory
            command.append(line)
        return None, position

    def _answer(self, position: int, time: str, rest: str) -> tuple[Block | None, int]:
        """The answer to a call that waits for one: it repeats the command, line for line."""
        for call in reversed(self.waiting):  # of two calls with one command, the older one may never have been answered
            lines = call.head.split("\n")
            if not (rest == lines[0] if len(lines) > 1 else rest.startswith(lines[0])):
                continue
            last = position + len(lines) - 1
            here = [rest, *self.lines[position + 1 : last + 1]]
            if len(here) != len(lines) or here[:-1] != lines[:-1] or not here[-1].startswith(lines[-1]):
                continue
            ending = _ANSWER.fullmatch(here[-1][len(lines[-1]) :].removesuffix("\r"))
            if ending is not None:
                self.waiting.remove(call)
                call.refused = ""
                code = int(ending[1]) if ending[1] else 0
                return Block(position + 1, "answer", time, "\n".join(here), code=code, call=call), last + 1
        return None, position


def _days(earlier: str, later: str) -> float:
    """How many days lie between two stamps; many, if one of them is no time."""
    try:
        return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds() / 86_400
    except ValueError:
        return 1e9


def _open_quote(quote: str, text: str) -> str:
    """Which quote is open after a text, by the rules of a POSIX shell."""
    for mark in _QUOTES.finditer(text):
        found = mark[0]
        if found[0] == "\\":
            if quote == "'" and found[1:] == "'":
                quote = ""  # inside single quotes a backslash is a plain character
        elif not quote:
            quote = found
        elif quote == found:
            quote = ""
    return quote
