"""The events: what an adapter reads from one source, uninterpreted.

A command was run and this came back, a file was written with this text, this file lies on the disk. Two families: here what
the traces of agents hold, from which `provchain.history` has to work out what ran and what it left; in
`provchain.events.logged` what a recorder says outright, as in a study file.

Spec: https://www.w3.org/TR/prov-dm/ (activity, usage, generation).
"""

from __future__ import annotations

from msgspec import Struct

from provchain.model import Kind, Place

__all__ = [
    "CommandRun",
    "Event",
    "FileEdited",
    "FileMoved",
    "FileOnDisk",
    "FileRead",
    "FileRemoved",
    "FileWritten",
    "Message",
]


class Event(Struct, frozen=True, tag_field="event"):
    """Something a source says happened, uninterpreted. Events of one source come in the order of its own clock."""


class CommandRun(Event, frozen=True):
    """A shell command was started and this came back.

    Attributes:
        at: The place of the call. Several activities can share it.
        command: The whole command text, as given to the shell.
        output: What came back: both streams as far as recorded, or ``None`` if no result is recorded at all.
        is_error: The tool's own flag; ``None`` if the format gave none.
        exit_code: If recorded.
        refused: The tool did not start the command at all (permission, an interrupt before the start).
        timed_out: The tool stopped it at a time limit.
        truncated: A mark says that part of the output was cut.
        background: It was started and left running.
        cwd: The working directory if the source names it; else it follows from the commands before.
        started: ISO 8601, if recorded.
        ended: ISO 8601, if recorded.
    """

    at: Place
    command: str
    output: str | None = None
    is_error: bool | None = None
    exit_code: int | None = None
    refused: bool = False
    timed_out: bool = False
    truncated: bool = False
    background: bool = False
    cwd: str | None = None
    started: str | None = None
    ended: str | None = None


class FileWritten(Event, frozen=True):
    """An agent wrote a whole file itself (the tool succeeded).

    Attributes:
        at: The place of the call.
        tool: The tool's name, as the trace has it.
        path: The path as the trace has it, often absolute on the original machine.
        text: The bytes it wrote, decoded.
    """

    at: Place
    tool: str
    path: str
    text: str


class FileEdited(Event, frozen=True):
    """An agent replaced text inside a file (the tool succeeded).

    Attributes:
        at: The place of the call.
        tool: The tool's name.
        path: The path as the trace has it.
        edits: ``(old, new, replace all)`` in order.
        lines: For edits of whole lines, the 1-based line at which each begins in the text that the edits before it left;
            empty where the source does not say.
    """

    at: Place
    tool: str
    path: str
    edits: tuple[tuple[str, str, bool], ...]
    lines: tuple[int, ...] = ()


class FileRemoved(Event, frozen=True):
    """An agent deleted a file with a tool (the tool succeeded).

    Attributes:
        at: The place of the call.
        tool: The tool's name.
        path: The path as the trace has it.
    """

    at: Place
    tool: str
    path: str


class FileMoved(Event, frozen=True):
    """An agent gave a file another path with a tool (the tool succeeded).

    Attributes:
        at: The place of the call.
        tool: The tool's name.
        path: The path that it had.
        target: The path that it has now.
    """

    at: Place
    tool: str
    path: str
    target: str


class FileRead(Event, frozen=True):
    """A file was read back by a tool, and this is what stood there.

    Attributes:
        at: The place of the call.
        path: The path as the trace has it.
        text: What was shown, without the line numbers that the tool added.
        complete: Whether the whole file was shown.
    """

    at: Place
    path: str
    text: str
    complete: bool = True


class Message(Event, frozen=True):
    """Words of an agent or a person: testimony.

    Attributes:
        at: The place.
        speaker: ``"agent"`` or ``"person"``.
        text: The words.
    """

    at: Place
    speaker: str
    text: str


class FileOnDisk(Event, frozen=True):
    """A file lies in the audited directory.

    Attributes:
        path: Relative to the audited directory.
        sha256: Lower-case hex digest.
        size: In bytes.
        kind: What it is, from its name and first bytes.
        text: Its content, where it is text of a size worth searching; else ``None``.
    """

    path: str
    sha256: str
    size: int
    kind: Kind
    text: str | None = None
