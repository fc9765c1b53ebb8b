"""Every simple command of every call of a trace, parsed once: the list that replay plays through.

Works out where the study lay on the original machine, in which directory each command ran, and when a file that took the
output of a command was read back later.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from provchain.events import (
    CommandRun,
    Event,
    FileEdited,
    FileMoved,
    FileOnDisk,
    FileRead,
    FileRemoved,
    FileWritten,
)
from provchain.events.logged import (
    ENDS,
    Ended,
    ExecutionEnded,
    ExecutionFailed,
    ExecutionStarted,
    FileAuthored,
    InputRead,
    Logged,
    OutputWritten,
    StudyDeclared,
)
from provchain.history.directories import Directories
from provchain.history.root import find_root, paths_in, relative_to_root
from provchain.inspection.commands import CommandEffect, command_effect
from provchain.inspection.environment import Environment, environments
from provchain.shell import Command, parse_command_line

__all__ = ["RUNS", "Call", "Session", "read_session", "relative_effect"]

RUNS = ("python", "script", "program")
_ANYWHERE = "/study"  # where a study lay whose recorder names relative paths only


_NAMING = (FileWritten, FileEdited, FileRead, FileMoved, FileRemoved, InputRead, OutputWritten, FileAuthored)
_CD = re.compile(r"\bcd\s+[\"']?(/[^\s\"';&|]+)")


class Call(Struct, frozen=True):
    """One simple command of a call.

    Attributes:
        run: The call it is part of.
        command: The command, its directory absolute on the original machine.
        effect: What it does to files, its paths relative to the study.
        cwd: Its directory, relative to the study.
        environment: The variables that its call sets for it.
    """

    run: CommandRun
    command: Command
    effect: CommandEffect
    cwd: str
    environment: Environment = ()

    @property
    def typing_tool(self) -> str:
        """What an agent typed a file with."""
        if self.command.stdin_text is not None:
            return "heredoc"
        return self.effect.argv[0] if self.effect.argv else "echo"


class Session(Struct):
    """A trace, parsed.

    Attributes:
        root: The study's directory on the original machine.
        events: The trace's events.
        calls: For each event that is a command, its simple commands.
        mentioned: Paths of the study that the trace names as files.
        readings: ``(event index, path, text, complete)`` of each time that a file was shown.
    """

    root: str
    events: Sequence[Event]
    calls: dict[int, list[Call]]
    mentioned: set[str]
    readings: list[tuple[int, str, str, bool]]

    def relative(self, path: str, cwd: str = "") -> str:
        """Write a path of the trace as a path of the study."""
        return relative_to_root(path, self.root, cwd)

    @property
    def typed(self) -> set[str]:
        """Paths that the agent is on record to have typed."""
        written = {self.relative(e.path) for e in self.events if isinstance(e, FileWritten | FileEdited | FileAuthored)}
        effects = [call.effect for group in self.calls.values() for call in group]
        written |= {path for effect in effects for path, _, _ in effect.authored}
        return written | {path for effect in effects if effect.kind == "edit" for path in effect.writes}

    def types(self, path: str) -> bool:
        """Whether the agent is on record to have typed a file, under any root: by its own path, or by an absolute one."""
        name = posixpath.basename(path)
        return any(
            typed == path or (typed.startswith("/") and posixpath.basename(typed) == name) for typed in self.typed
        )

    @property
    def touched(self) -> set[str]:
        """Paths that commands on record write, edit, copy to or remove by their words."""
        calls = [call.effect for group in self.calls.values() for call in group]
        found = {path for effect in calls for path in (*effect.writes, *effect.appends, *effect.removed)}
        return found | {target for effect in calls for _, target in effect.copies} | self.typed


def read_session(events: Sequence[Event], files: Iterable[FileOnDisk]) -> Session:
    """Parse the commands of a trace.

    Args:
        events: The trace's events in order.
        files: What lies in the audited directory.

    Returns:
        The parsed trace.
    """
    on_disk = {file.path for file in files}
    root = _root(events, on_disk)
    session = Session(root=root, events=events, calls={}, mentioned=set(), readings=[])
    written = {relative_to_root(event.path, root) for event in events if isinstance(event, FileWritten)}
    directories = Directories(root, on_disk | written)
    ends: dict[str, list[Ended]] = {}
    for event in events:
        if isinstance(event, ENDS):
            ends.setdefault(event.execution, []).append(event)
    for index, event in enumerate(events):
        if isinstance(event, CommandRun) and not event.refused:
            line = directories.parse(event)
            session.calls[index] = _calls(session, event, line.commands)
            _note_looks(session, index, event)
        elif isinstance(event, ExecutionStarted):
            session.calls[index] = _logged_calls(session, event, ends.get(event.execution, ()))
        elif isinstance(event, FileWritten | FileEdited | InputRead | OutputWritten | FileAuthored):
            session.mentioned.add(session.relative(event.path))
        elif isinstance(event, FileMoved):
            session.mentioned.update((session.relative(event.path), session.relative(event.target)))
        elif isinstance(event, FileRead):
            path = session.relative(event.path)
            session.mentioned.add(path)
            session.readings.append((index, path, event.text, event.complete))
    return session


def _root(events: Sequence[Event], on_disk: set[str]) -> str:
    """The study's directory on the original machine: as a recorder says it, else as the paths tell."""
    said = next((event.root for event in events if isinstance(event, StudyDeclared) and event.root), "")
    if said.startswith("/"):
        return posixpath.normpath(said)
    found = find_root(_absolute_paths(events), on_disk)
    if not found and any(isinstance(event, Logged) for event in events):
        return _ANYWHERE
    return found


def _run_of(started: ExecutionStarted, ends: Sequence[Ended], root: str) -> CommandRun:
    """The command of a logged execution, with what its end says."""
    own = [e for e in ends if e.recorder == started.recorder] or ends
    output = next((e.output for e in own if e.output is not None), None)
    code = next((e.exit_code for e in own if isinstance(e, ExecutionEnded | ExecutionFailed)), None)
    return CommandRun(
        at=started.at,
        command=started.command,
        output=output if output is not None or not own else "",
        exit_code=code,
        truncated=any(e.output_cut for e in own),
        cwd=posixpath.normpath(posixpath.join(root, started.cwd)),
        started=started.time,
        ended=own[0].time if own else None,
    )


def _logged_calls(session: Session, started: ExecutionStarted, ends: Sequence[Ended]) -> list[Call]:
    """The simple commands of a logged execution; where its command is none of a shell, the script that it is said to run."""
    run = _run_of(started, ends, session.root)
    commands = parse_command_line(run.command, run.cwd or "").commands
    calls = _calls(session, run, commands)
    if started.script and not any(call.effect.script for call in calls):
        program = "bash" if started.script.endswith((".sh", ".bash")) else "python"
        line = parse_command_line(
            f'{program} {shlex.quote(started.script)} "$@"', run.cwd or ""
        )  # whatever its arguments
        calls = [call for call in calls if call.effect.kind not in RUNS]
        calls += _calls(session, run, line.commands)
    return calls


def _absolute_paths(events: Sequence[Event]) -> Iterable[str]:
    for event in events:
        if isinstance(event, _NAMING):
            yield event.path
        elif isinstance(event, CommandRun):
            folders = {match.group(1) for match in _CD.finditer(event.command)}
            yield from (f"{path}/." if path in folders else path for path in paths_in(event.command))
            if event.cwd:
                yield event.cwd + "/."


def _calls(session: Session, run: CommandRun, commands: Sequence[Command]) -> list[Call]:
    calls = []
    for command, environment in zip(commands, environments(commands), strict=True):
        effect = relative_effect(command_effect(command), session.root)
        calls.append(Call(run, command, effect, session.relative(command.cwd), environment))
    return calls


def relative_effect(effect: CommandEffect, root: str) -> CommandEffect:
    """Write the paths of an effect as paths of the study; a slash at the end, which says "a folder", is kept."""

    def rel(path: str) -> str:
        return relative_to_root(path, root) + ("/" if path.endswith("/") else "")

    return msgspec.structs.replace(
        effect,
        script=rel(effect.script) if effect.script else effect.script,
        reads=tuple(map(rel, effect.reads)),
        writes=tuple(map(rel, effect.writes)),
        appends=tuple(map(rel, effect.appends)),
        copies=tuple((rel(source), rel(target)) for source, target in effect.copies),
        authored=tuple((rel(path), text, append) for path, text, append in effect.authored),
        removed=tuple(map(rel, effect.removed)),
        shown=tuple(map(rel, effect.shown)),
        stream_to=rel(effect.stream_to) if effect.stream_to else effect.stream_to,
    )


def _note_looks(session: Session, index: int, event: CommandRun) -> None:
    """Note the files that a command listed or showed."""
    output = event.output or ""
    calls = session.calls[index]
    looks = [call for call in calls if call.effect.kind == "look"]
    for path in paths_in(output):
        relative = session.relative(path)
        if not relative.startswith("/") and "." in posixpath.basename(relative):
            session.mentioned.add(relative)
    for call in looks:
        words = [word for word in call.effect.argv[1:] if not word.startswith("-")]
        program = posixpath.basename(call.effect.argv[0]) if call.effect.argv else ""
        if program == "ls":
            folder = session.relative(words[0], call.command.cwd) if words else call.cwd
            session.mentioned.update(_listed(output, folder))
        elif program in ("cat", "head", "tail", "less", "more") and len(words) >= 1:
            path = session.relative(words[-1], call.command.cwd)
            alone = len(calls) == 1 or all(other.effect.kind == "setup" for other in calls if other is not call)
            session.mentioned.add(path)
            if alone and not event.is_error:
                session.readings.append((index, path, output, program == "cat" and not event.truncated))


def _listed(output: str, folder: str) -> Iterable[str]:
    """The files that the output of `ls` names, long or short form, as paths of the study."""
    here = folder
    for line in output.split("\n")[:2000]:
        if line.endswith(":") and "/" in line:
            here = folder if line[:-1].endswith(folder) else posixpath.join(folder, posixpath.basename(line[:-1]))
            continue
        words = line.split()
        if not words or (line.startswith(("total ", "d")) and len(words) != 1):
            continue
        name = words[-1]
        if len(words) in (1, 9) and "." in name.strip(".") and "/" not in name:
            yield posixpath.join(here, name)
