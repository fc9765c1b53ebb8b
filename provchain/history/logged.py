"""Plays the events of study files: what a recorder says outright stands, and only what it leaves open is worked out.

An execution is what its recorder says it is: one activity, whatever its command is made of. Files that it is said to have read
and written are taken as said; what its scripts read and write beyond that is found as for any trace. Testimony never adds to
what an observer recorded: it is kept as remarks, and an execution that only testimony knows stays testimony's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import msgspec
from msgspec import Struct, field

from provchain.events import Event
from provchain.events.logged import (
    Ended,
    ExecutionEnded,
    ExecutionFailed,
    ExecutionKilled,
    ExecutionStarted,
    ExecutionTimedOut,
    FileAuthored,
    InputRead,
    Logged,
    OutputWritten,
    RecorderDeclared,
    ValueLogged,
)
from provchain.history.calls import RUNS, Call
from provchain.history.endings import Endings
from provchain.history.programs import Footprint
from provchain.history.replay import Replay, Snapshot
from provchain.inspection.status import Ending, reconcile_status
from provchain.kinds import kind_of
from provchain.model import Artifact, Execution, Kind, RecorderKind, Role, Status, Usage

__all__ = ["StudyReplay", "recorder_id"]

_RECORD = "record"  # how a usage or a writer is known that a recorder logged


class _Open(Struct):
    """An execution under way, as far as the file has told."""

    started: ExecutionStarted
    index: int
    recorder: str
    used: dict[str, Usage] = field(default_factory=dict)
    left: dict[str, Artifact] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)
    values: list[ValueLogged] = field(default_factory=list)
    ends: list[tuple[Ended, Ending]] = field(default_factory=list)
    script: str | None = None
    is_copy: bool = False


def recorder_id(trace: str, name: str) -> str:
    """Name a recorder of a study file: by its trace too, so that no file can speak in another recorder's name.

    Example:
        >>> recorder_id("provchain-json", "harness")
        'provchain-json/harness'
    """
    return f"{trace}/{name}" if name else trace


class StudyReplay(Replay):
    """The replay of a trace that may hold logged events.

    Attributes:
        recorders: Kind of each recorder that the trace declares.
        typed: Paths that any trace of the study shows the agent to have typed.
        unheard: Events of testimony about what an observer recorded, and values that only testimony gives.
    """

    recorders: dict[str, RecorderKind] = field(default_factory=dict)
    unheard: list[Logged] = field(default_factory=list)
    typed: set[str] = field(default_factory=set)
    _reserved: set[str] = field(default_factory=set)
    _places: dict[str, int] = field(default_factory=dict)
    _open: dict[str, _Open] = field(default_factory=dict)
    _first: str = ""

    def play(self) -> None:
        """Play all events; executions stand in the order of their start."""
        events = [event for event in self.session.events if isinstance(event, Logged)]
        for event in events:
            if isinstance(event, RecorderDeclared):
                self._first = self._first or event.id
                mine = event.at.path in self.typed  # who typed the log is who speaks in it
                self.recorders[event.id] = RecorderKind.TESTIMONY if mine else event.kind
        for event in events:
            if isinstance(event, OutputWritten) and self.is_observer(event):
                self.declared.add(self.session.relative(event.path))
            elif isinstance(event, ExecutionStarted):
                self._reserved.add(f"{self.prefix}{event.execution}")
        if events:
            self._take_scripts()
        Replay.play(self)
        if self._open:
            self._close_all()

    def _take_scripts(self) -> None:
        """Scripts that no event wrote were there from the start: few recorders log who wrote the code."""
        written = self.declared | self.session.typed
        for path, file in self.world.disk.items():
            if file.kind is Kind.SCRIPT and path not in written:
                self.world.found(path)

    def next_id(self, locator: str) -> str:
        """Name the next activity of a call; no name that a recorder gave is given again."""
        while (identifier := Replay.next_id(self, locator)) in self._reserved:
            pass
        return identifier

    def play_other(self, index: int, event: Event) -> None:
        """Play a logged event."""
        if isinstance(event, ExecutionStarted):
            self._open[event.execution] = _Open(event, index, self.recorder_of(event))
            self._places[f"{self.prefix}{event.execution}"] = len(self.activities)
        elif isinstance(event, FileAuthored):
            path = self.session.relative(event.path)
            before = self.world.found(path)
            self.author(
                event.at.locator,
                event.at,
                event.tool,
                path,
                event.text if event.text is not None else self._kept(index, event, path),
                used=before.id if before else None,
                sha256=_digest(event.sha256),
                extra=event.extra,
            )
        elif isinstance(event, InputRead | OutputWritten | ValueLogged | Ended):
            running = self._open[event.execution]
            if self.is_observer(event) or not self.is_observer(running.started):
                self._play_own(running, event)
            else:
                self.unheard.append(event)

    def _kept(self, index: int, event: FileAuthored, path: str) -> str | None:
        """What an authoring left, from the disk: its bytes if their digest says so, or if nothing wrote the file later."""
        file = self.world.disk.get(path)
        if file is None:
            return None
        if event.sha256 is not None:
            return file.text if _digest(event.sha256) == file.sha256 else None
        later = (e for e in self.session.events[index + 1 :] if isinstance(e, FileAuthored | OutputWritten))
        return None if any(self.session.relative(e.path) == path for e in later) else file.text

    def _play_own(self, running: _Open, event: InputRead | OutputWritten | ValueLogged | Ended) -> None:
        if isinstance(event, InputRead):
            self._read(running, event)
        elif isinstance(event, OutputWritten):
            self._written(running, event)
        elif isinstance(event, ValueLogged):
            running.values.append(event)
        else:
            first = not running.ends
            running.ends.append((event, self._ending(running, event)))
            if first:
                self._finish(running)

    # ------------------------------------------------------------------------------------------------ recorders

    def recorder_of(self, event: Logged) -> str:
        """Id of the recorder that attests an event."""
        return recorder_id(self.recorder, event.recorder or self._first)

    def is_observer(self, event: Logged) -> bool:
        """Whether an observer attests an event."""
        return self.recorders.get(event.recorder or self._first) is RecorderKind.OBSERVER

    # ---------------------------------------------------------------------------------------------------- files

    def _read(self, running: _Open, event: InputRead) -> None:
        path, digest = self.session.relative(event.path), _digest(event.sha256)
        artifact = self.world.found(path)
        known = artifact.sha256 if artifact is not None else None
        if artifact is None or (digest is not None and known is not None and known != digest):
            # It was there, and nothing on record had left it: data from outside, or a state that nobody recorded.
            outside = artifact is None and kind_of(path) not in (Kind.RESULT, Kind.LOG, Kind.FIGURE, Kind.MANUSCRIPT)
            artifact = self.world.write(path, writer=None, external=outside, recorder=running.recorder, sha256=digest)
        role = event.role or _role(artifact)
        running.used.setdefault(artifact.id, Usage(artifact.id, role, _RECORD))

    def _written(self, running: _Open, event: OutputWritten) -> None:
        path = self.session.relative(event.path)
        digest = _digest(event.sha256)
        artifact = self.world.write(
            path,
            writer=self._id(running),
            known_from=_RECORD,
            text=event.text,
            recorder=running.recorder,
            sha256=digest,
        )
        if event.size is not None:
            artifact = msgspec.structs.replace(artifact, size=event.size)
            self.world.replace(artifact)
        running.left[path] = artifact
        running.found.append(artifact.id)
        self.universe.add(path)

    # --------------------------------------------------------------------------------------------- executions

    def _id(self, running: _Open) -> str:
        return f"{self.prefix}{running.started.execution}"

    def _calls(self, running: _Open) -> list[Call]:
        return self.session.calls.get(running.index, [])

    def _ending(self, running: _Open, event: Ended) -> Ending:
        """How an execution ended, as one event says."""
        if isinstance(event, ExecutionTimedOut):
            limit = f" of {event.limit.normalize():f} s" if event.limit is not None and event.limit.is_finite() else ""
            return Ending(Status.ABORTED, "time-out", f"stopped at its time limit{limit}")
        if isinstance(event, ExecutionKilled):
            why = " ".join(filter(None, (event.signal, event.reason)))
            return Ending(Status.ABORTED, "killed", f"killed{': ' + why if why else ''}")
        if isinstance(event, ExecutionFailed):
            ending = reconcile_status(is_error=True, exit_code=event.exit_code, text=event.output or "")
            status = ending.status if ending.status is not Status.COMPLETED else Status.FAILED
            return Ending(status, "recorded failure", event.error or ending.error)
        text = event.output or ""
        if event.exit_code is not None:
            return self._by_exit_code(running, event, text)
        if event.status in (Status.COMPLETED, Status.FAILED):
            ending = reconcile_status(is_error=event.status is Status.FAILED, text=text)
            source = ending.source if ending.source != "tool flag" else "recorded status"
            return Ending(ending.status, source, ending.error or event.error, ending.caught)
        source = "recorded status" if event.status is not None else "neither exit code nor status is recorded"
        return Ending(event.status or Status.UNKNOWN, source, event.error)

    def _by_exit_code(self, running: _Open, event: ExecutionEnded, text: str) -> Ending:
        """The exit code is that of the last command: one before it may have failed unseen (`train.py | tee log`)."""
        calls = self._calls(running)
        runs = [position for position, call in enumerate(calls) if call.effect.kind in RUNS]
        if not runs or event.exit_code != 0:
            ending = reconcile_status(is_error=None, exit_code=event.exit_code, text=text)
        else:
            run = msgspec.structs.replace(calls[0].run, exit_code=event.exit_code, output=text)
            endings = Endings(run, calls)
            all_of_them = [endings.ending(position, text) for position in runs]
            ending = next((one for one in all_of_them if one.status is not Status.COMPLETED), all_of_them[-1])
        error = event.error if ending.status is not Status.COMPLETED and event.error else ending.error
        return Ending(ending.status, ending.source, error, ending.caught)

    def _finish(self, running: _Open) -> None:
        """Work out what the recorder left open, at the moment at which the execution ended."""
        self.mark_started()
        ending = running.ends[0][1]
        identifier, sources = self._id(running), self.world.sources()
        text = next((e.output for e, _ in running.ends if e.output), "")
        self.logged[identifier] = running.left
        calls = self._calls(running)
        for call in calls:
            self._typed_inside(running, call)
            if call.effect.kind in ("copy", "move"):
                used, carried = self.carry(call, identifier)
                running.found.extend(carried)
                for usage in used:
                    running.used.setdefault(usage.artifact, usage)
            elif call.effect.kind in RUNS or call.effect.writes or call.effect.appends:
                self._run_inside(running, call, sources, text, ending)
        running.is_copy = bool(calls) and all(call.effect.kind in ("copy", "move", "setup") for call in calls)
        if text.strip():
            self._stream(running, "", text)
        if running.values:
            self._stream(running, "/values.jsonl", "".join(map(_line, running.values)))

    def _run_inside(self, running: _Open, call: Call, sources: Mapping[str, str], text: str, ending: Ending) -> None:
        identifier = self._id(running)
        trail = self.footprint_of(call, sources)
        running.script = running.script or trail.script
        known = self.snapshots.get(identifier)
        snapshot = Snapshot(
            sources, _joined(known, trail), call, known.sinks if known else {}, known.unseen if known else []
        )
        for usage in self.inputs(call, trail, text, snapshot.unseen):
            if usage.artifact not in running.found:
                running.used.setdefault(usage.artifact, usage)
        speaks = call.effect.kind in ("python", "script")
        running.found += self.outputs(identifier, call, trail, text, ending, snapshot, speaks=speaks)
        self.snapshots[identifier] = snapshot

    def _typed_inside(self, running: _Open, call: Call) -> None:
        """A heredoc or an `echo` inside the command: typed by the agent, whoever logged the command."""
        for path, text, append in call.effect.authored:
            before = self.world.text(path) if append and path not in running.left else ""
            if not path or (append and before is None):
                continue
            at = running.started.at
            self.author(at.locator, at, "heredoc", path, None if call.effect.approximate else (before or "") + text)
            claimed = running.left.pop(path, None)
            if claimed is not None:  # what the recorder saw being written is what was typed
                running.found.remove(claimed.id)
                self.world.forget(claimed.id)

    def _stream(self, running: _Open, name: str, text: str) -> None:
        """What an execution answered is an artifact too."""
        stream = self.world.write(
            f"{running.started.at.path}@{running.started.execution}{name}",
            writer=self._id(running),
            known_from=_RECORD,
            text=text,
            recorder=running.recorder,
        )
        self.world.replace(msgspec.structs.replace(stream, kind=Kind.STREAM))
        running.found.append(stream.id)

    def _close_all(self) -> None:
        """Make the executions, each at the place of its start."""
        for running in self._open.values():
            if not running.ends and running.values:
                self._stream(running, "/values.jsonl", "".join(map(_line, running.values)))
        made = {self._id(running): self._execution(running) for running in self._open.values()}
        placed = sorted(made.items(), key=lambda item: self._places[item[0]])
        for shift, (identifier, execution) in enumerate(placed):
            self.activities.insert(self._places[identifier] + shift, execution)

    def _execution(self, running: _Open) -> Execution:
        started, ending = running.started, _reconciled(running)
        own = [event for event, _ in running.ends if self.recorder_of(event) == running.recorder]
        code = next((e.exit_code for e, _ in running.ends if isinstance(e, ExecutionEnded | ExecutionFailed)), None)
        extra = " ".join(filter(None, (started.extra, *(event.extra for event, _ in running.ends))))
        script = started.script and self.session.relative(started.script, started.cwd)
        return Execution(
            id=self._id(running),
            command=started.command,
            at=started.at,
            status=ending.status,
            status_source=ending.source,
            cwd=self.session.relative(started.cwd),
            exit_code=code,
            error=ending.error or ending.caught,
            started=started.time,
            ended=own[0].time if own else None,
            script=script or running.script,
            step=started.step,
            substitute=started.in_place_of is not None,
            is_copy=running.is_copy,
            used=tuple(running.used.values()),
            generated=tuple(running.found),
            recorder=running.recorder,
            extra=extra,
        )


def _reconciled(running: _Open) -> Ending:
    """One end out of all that are recorded; records that contradict each other leave none standing."""
    if not running.ends:
        return Ending(Status.RUNNING, "no end on record")
    endings = [ending for _, ending in running.ends]
    if len({ending.status for ending in endings}) == 1:
        return endings[0]
    told = ", ".join(f"{ending.status.value} at {event.at}" for event, ending in running.ends)
    error = next((ending.error for ending in endings if ending.error), None)
    return Ending(Status.CONTRADICTED, f"its records contradict each other ({told})", error)


def _joined(known: Snapshot | None, trail: Footprint) -> Footprint:
    """The footprint of all commands of an execution together."""
    if known is None:
        return trail
    one = known.footprint
    return Footprint(
        script=one.script or trail.script,
        **{
            name: (*getattr(one, name), *getattr(trail, name))
            for name in Footprint.__struct_fields__
            if name != "script"
        },
    )


def _role(artifact: Artifact) -> Role:
    roles = {Kind.SCRIPT: Role.CODE, Kind.CONFIG: Role.CONFIG, Kind.LOG: Role.LOG, Kind.CHECKPOINT: Role.CHECKPOINT}
    return roles.get(artifact.kind, Role.DATA)


def _digest(text: str | None) -> str | None:
    """A digest as everything else here writes it."""
    return text.strip().lower().removeprefix("sha256:") or None if text is not None else None


def _line(event: ValueLogged) -> str:
    """One line of JSON that keeps the digits of the number."""
    labels = {key: value for key, value in event.labels.items() if key != event.name}
    named = json.dumps(labels)[1:-1]
    return "{" + (f"{named}, " if named else "") + f"{json.dumps(event.name)}: {event.value}" + "}\n"
