"""Plays the events of study files: what a recorder says outright stands, and only what it leaves open is worked out.

An execution is what its recorder says it is: one activity, whatever its command is made of. Files that it is said to have read
and written are taken as said; what its scripts read and write beyond that is found as for any trace. What the command itself
types, edits or carries is not what it ran: a file that it is logged to have written that way is authored, or a copy.

Testimony is played last and puts nothing in the place of what an observer recorded. What it says of an observed execution is
kept as remarks, and an execution that only testimony knows stays testimony's.
"""

from __future__ import annotations

import json

import msgspec
from msgspec import field

from provchain.events import Event
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
    RecorderDeclared,
    ValueLogged,
)
from provchain.history.calls import RUNS
from provchain.history.logged_endings import logged_ending, reconciled
from provchain.history.own_words import own_words
from provchain.history.programs import Footprint
from provchain.history.replay import Replay
from provchain.history.running import Running
from provchain.history.snapshots import Snapshot
from provchain.history.world import MADE_INSIDE, match_paths
from provchain.inspection.effects import match_effect
from provchain.kinds import kind_of
from provchain.model import Artifact, Execution, Kind, RecorderKind, Role, Status, Usage

__all__ = ["StudyReplay", "recorder_id"]

_RECORD = "record"  # how a usage or a writer is known that a recorder logged
_OF_AN_EXECUTION = (InputRead, OutputWritten, ValueLogged, *ENDS)


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
        distrusted: Traces that something on record wrote: who wrote a log is who speaks in it.
        recorders: Kind of each recorder that the trace declares.
        unheard: Events of testimony about what an observer recorded.
    """

    distrusted: frozenset[str] = frozenset()
    recorders: dict[str, RecorderKind] = field(default_factory=dict)
    unheard: list[Logged] = field(default_factory=list)
    _reserved: set[str] = field(default_factory=set)
    _places: dict[str, int] = field(default_factory=dict)
    _running: dict[str, Running] = field(default_factory=dict)
    _own: dict[str, list[Logged]] = field(default_factory=dict)
    _typed: dict[str, Artifact] = field(default_factory=dict)
    _first: str = ""
    _testifying: bool = False

    def play(self) -> None:
        """Play what observers recorded."""
        events = [event for event in self.session.events if isinstance(event, Logged)]
        for event in events:
            if isinstance(event, RecorderDeclared):
                self._first = self._first or event.id
                distrusted = event.at.path in self.distrusted
                self.recorders[event.id] = RecorderKind.TESTIMONY if distrusted else event.kind
        observed = {e.execution: self.is_observer(e) for e in events if isinstance(e, ExecutionStarted)}
        self._reserved |= {f"{self.prefix}{execution}" for execution in observed}
        for event in events:
            if isinstance(event, _OF_AN_EXECUTION):
                if observed[event.execution] and not self.is_observer(event):
                    self.unheard.append(event)
                else:
                    self._own.setdefault(event.execution, []).append(event)
                    if isinstance(event, OutputWritten):
                        made = self.declared if observed[event.execution] else self.world.told
                        made.add(self.session.relative(event.path))
        if events:
            self._take_scripts()
        Replay.play(self)
        self._close()

    def play_testimony(self) -> None:
        """Play what only testimony says, once all traces are played: it writes where nothing that is observed stands."""
        self._testifying = True
        for path in list(self.world.paths()):
            artifact = self.world.current(path)
            if artifact is not None and artifact.writer is not None:
                self.declared.add(path)
        for index, event in enumerate(self.session.events):
            if isinstance(event, Logged):
                self.play_other(index, event)
        self._close()

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
        """Play a logged event, each in the pass of those who attest it; what testimony admits to have typed, at once."""
        if isinstance(event, FileAuthored) and not self._testifying:
            self._authored(index, event)
        elif isinstance(event, ExecutionStarted) and self.is_observer(event) != self._testifying:
            self._start(index, event)
        elif isinstance(event, _OF_AN_EXECUTION):
            running = self._running.get(event.execution)
            heard = self.is_observer(event) or (running is not None and not running.observed)
            if running is None or running.observed == self._testifying or not heard:
                return
            if isinstance(event, InputRead):
                self._read(running, event)
            elif isinstance(event, OutputWritten):
                self._written(running, event)
            elif isinstance(event, Ended) and not running.finished:
                self._finish(running)

    # ------------------------------------------------------------------------------------------------ recorders

    def recorder_of(self, event: Logged) -> str:
        """Id of the recorder that attests an event."""
        return recorder_id(self.recorder, event.recorder or self._first)

    def is_observer(self, event: Logged) -> bool:
        """Whether an observer attests an event."""
        return self.recorders.get(event.recorder or self._first) is RecorderKind.OBSERVER

    # ------------------------------------------------------------------------------------------------ authoring

    def _authored(self, index: int, event: FileAuthored) -> None:
        path = self.session.relative(event.path)
        before = self.world.found(path)
        text = event.text if event.text is not None else self._kept(index, event, path)
        self.author(
            event.at.locator,
            event.at,
            event.tool,
            path,
            text,
            used=before.id if before else None,
            sha256=_digest(event.sha256),
            extra=event.extra,
        )
        left = self.world.current(path)
        if left is not None and event.text is None and event.sha256 is None:
            self.world.unseen.add(left.id)
        self._note_typed(path)

    def _note_typed(self, path: str) -> None:
        artifact = self.world.current(path)
        if artifact is not None and artifact.sha256 is not None and artifact.size != 0:
            self._typed.setdefault(artifact.sha256, artifact)

    def _kept(self, index: int, event: FileAuthored, path: str) -> str | None:
        """What an authoring left, from the disk: its bytes if their digest says so, or if nothing wrote the file later."""
        file = self.world.disk.get(path)
        if file is None:
            return None
        if event.sha256 is not None:
            return file.text if _digest(event.sha256) == file.sha256 else None
        later = (e for e in self.session.events[index + 1 :] if isinstance(e, FileAuthored | OutputWritten))
        return None if any(self.session.relative(e.path) == path for e in later) else file.text

    def _author_inside(self, running: Running, path: str, sha256: str | None) -> bool:
        """A file that the command typed or edited itself: an authoring, whoever logged the command."""
        at = running.started.at
        if path in running.typed:
            text, append = running.typed[path]
            before = self.world.text(path) if append and path not in running.done else ""
            known = None if text is None or before is None else before + text
            self.author(at.locator, at, "heredoc", path, known, sha256=sha256)
        elif path in running.edits or (running.edits_unknown and not running.trails):
            earlier = self.world.found(path)
            used = earlier.id if earlier else None
            self.author(at.locator, at, "in-place edit", path, None, used=used, sha256=sha256)
        elif running.types_only(path):
            self.author(at.locator, at, "shell", path, None, sha256=sha256)
        else:
            return False
        self._note_typed(path)
        running.done.add(path)
        return True

    # ---------------------------------------------------------------------------------------------------- files

    def _read(self, running: Running, event: InputRead) -> None:
        path, digest = self.session.relative(event.path), _digest(event.sha256)
        artifact = self.world.found(path)
        if artifact is not None and artifact.writer == running.id:
            return  # what it wrote itself
        known = artifact.sha256 if artifact is not None else None
        if artifact is None or (digest is not None and known is not None and known != digest):
            if path in running.writes:
                return  # logged out of order: its own output, or a file for a moment
            # It was there, and nothing on record had left it: data from outside, or a state that nobody recorded.
            given = event.role is Role.DATA or kind_of(path) not in MADE_INSIDE
            outside = artifact is None or self._foresaw(artifact)
            artifact = self.world.write(
                path,
                writer=None,
                external=outside and given and path not in self.world.told,
                recorder=running.recorder,
                sha256=digest,
            )
        running.used.setdefault(artifact.id, Usage(artifact.id, event.role or _role(artifact), _RECORD))

    def _foresaw(self, artifact: Artifact) -> bool:
        """Whether the disk was taken for what came from outside, and something on record changed the file only later."""
        file = self.world.disk.get(artifact.path)
        later = self.declared | self.session.typed
        return artifact.external and file is not None and artifact.sha256 == file.sha256 and artifact.path in later

    def _written(self, running: Running, event: OutputWritten) -> None:
        path, digest = self.session.relative(event.path), _digest(event.sha256)
        before = self.world.current(path)
        if self._testifying and path in self.declared and path not in running.left:
            return
        if self._author_inside(running, path, digest):
            return
        unchanged = before is not None and digest is not None and before.sha256 == digest
        if (
            unchanged
            and before is not None
            and before.writer is not None
            and running.ending.status is not Status.COMPLETED
        ):
            return  # it left the bytes that stood there
        original = running.carried.get(path) or self._typed.get(digest or "")
        if original is not None and not (digest and original.sha256 and original.sha256 != digest):
            running.done.add(path)
            running.used.setdefault(original.id, Usage(original.id, Role.DATA, _RECORD))
        else:
            original = None
        if before is not None and not running.overwrites(path) and running.names(path):
            running.used.setdefault(before.id, Usage(before.id, Role.DATA))  # a program that rewrites what it is given
        if original is None and running.cannot_write(path):
            self.world.write(path, writer=None, text=event.text, recorder=running.recorder, sha256=digest)
            return
        artifact = self.world.write(
            path,
            writer=running.id,
            known_from=_RECORD,
            text=event.text,
            recorder=running.recorder,
            copy_of=original.id if original is not None and running.observed else None,
            sha256=digest,
        )
        if event.size is not None:
            artifact = msgspec.structs.replace(artifact, size=event.size)
            self.world.replace(artifact)
        running.left[path] = artifact
        running.generated.append(artifact.id)
        self.universe.add(path)

    # --------------------------------------------------------------------------------------------- executions

    def _start(self, index: int, event: ExecutionStarted) -> None:
        """Take everything that the file says of an execution, and the scripts and files as they stand at its start."""
        calls = self.session.calls.get(index, [])
        own = self._own.get(event.execution, [])
        stream_to = next((call.effect.stream_to for call in calls if call.effect.stream_to), None)
        log = self.shown_later(index, stream_to) if stream_to else None
        ends = [(e, logged_ending(e, calls, log)) for e in own if isinstance(e, Ended)]
        running = Running(
            started=event,
            id=f"{self.prefix}{event.execution}",
            recorder=self.recorder_of(event),
            observed=self.is_observer(event),
            calls=calls,
            ending=reconciled(ends),
            sources=self.world.sources(),
            ends=ends,
            values=[e for e in own if isinstance(e, ValueLogged)],
            writes={self.session.relative(e.path) for e in own if isinstance(e, OutputWritten)},
        )
        running.read_command()
        for call in calls:
            if call.effect.kind == "edit":
                running.edits.update(dict.fromkeys(self.edited(call)))
        for call in calls:
            for pattern, target in call.effect.copies:
                for source, destination in self.carries(call, pattern, target):
                    original = self.world.found(source)
                    if original is not None and destination != source:
                        running.carried[destination] = original
            if call.effect.kind in RUNS or call.effect.writes or call.effect.appends:
                running.trails.append((call, self.footprint_of(call, running.sources)))
        self._running[event.execution] = running
        self._places[running.id] = len(self.activities)
        self.logged[running.id] = running.left
        self.mark_started()
        self._take_inputs(running)

    def _take_inputs(self, running: Running) -> None:
        """What the command and its scripts are seen to read, as it stands at the start."""
        unseen: list[str] = []
        for call, trail in running.trails:
            for usage in self.inputs(call, trail, running.output, unseen):
                running.used.setdefault(usage.artifact, usage)
        if running.trails:
            snapshot = Snapshot(running.sources, _joined(running), running.trails[0][0], {}, unseen)
            self.snapshots[running.id] = snapshot

    def _finish(self, running: Running) -> None:
        """Work out what the recorder left open, at the moment at which the execution ended."""
        running.finished = True
        for path in (*running.typed, *running.edits):
            if path not in running.done and path not in running.writes:
                self._author_inside(running, path, None)
        for call in running.calls:
            if call.effect.kind in ("copy", "move"):
                used, carried = self.carry(call, running.id)
                running.generated.extend(carried)
                for usage in used:
                    running.used.setdefault(usage.artifact, usage)
            for pattern in call.effect.removed if call.effect.kind == "remove" else ():
                for path in match_paths(pattern.rstrip("/"), list(self.world.paths())):
                    self.world.remove(path)
        for call, trail in running.trails:
            speaks, snapshot = call.effect.kind in ("python", "script"), self.snapshots[running.id]
            running.generated += self.outputs(
                running.id, call, trail, running.output, running.ending, snapshot, speaks=speaks
            )
        if running.values:
            self._stream(running, "/values.jsonl", "".join(map(_line, running.values)))
        text = own_words(running.output, running.calls, self.world, running.id) if running.runs else ""
        if text.strip():
            self._stream(running, "", text)

    def _stream(self, running: Running, name: str, text: str) -> None:
        """What an execution answered is an artifact too."""
        stream = self.world.write(
            f"{running.started.at.path}@{running.started.execution}{name}",
            writer=running.id,
            known_from=_RECORD,
            text=text,
            recorder=running.recorder,
        )
        self.world.replace(msgspec.structs.replace(stream, kind=Kind.STREAM))
        running.generated.append(stream.id)

    def _close(self) -> None:
        """Make the executions of this pass, each at the place of its start."""
        made = [running for running in self._running.values() if running.observed != self._testifying]
        for running in made:
            if not running.finished:
                self._finish(running)
            self._attach_sinks(running)
        for shift, running in enumerate(sorted(made, key=lambda one: self._places[one.id])):
            self.activities.insert(self._places[running.id] + shift, self._execution(running))

    def _attach_sinks(self, running: Running) -> None:
        """Tie what was logged as written to the places in the scripts that write it, also what was logged late."""
        snapshot = self.snapshots.get(running.id)
        for effect in snapshot.footprint.writes if snapshot is not None else ():
            for path, artifact in running.left.items():
                if snapshot is not None and match_effect(effect.pattern, path):
                    place = (effect.path, effect.line)
                    known = snapshot.sinks.get(artifact.id, ())
                    snapshot.sinks[artifact.id] = known if place in known else (*known, place)

    def _execution(self, running: Running) -> Execution:
        started, ending = running.started, running.ending
        own = [event for event, _ in running.ends if self.recorder_of(event) == running.recorder]
        code = next((e.exit_code for e, _ in running.ends if isinstance(e, ExecutionEnded | ExecutionFailed)), None)
        extra = " ".join(filter(None, (started.extra, *(event.extra for event, _ in running.ends))))
        scripts = [trail.script for _, trail in running.trails if trail.script]
        return Execution(
            id=running.id,
            command=started.command,
            at=started.at,
            status=ending.status,
            status_source=ending.source,
            cwd=self.session.relative(started.cwd),
            exit_code=code,
            error=ending.error or ending.caught,
            started=started.time,
            ended=own[0].time if own else None,
            script=self.session.relative(started.script, started.cwd) if started.script else next(iter(scripts), None),
            step=started.step,
            substitute=started.in_place_of is not None,
            is_copy=running.is_copy,
            used=tuple(usage for usage in running.used.values() if usage.artifact not in running.generated),
            generated=tuple(running.generated),
            recorder=running.recorder,
            extra=extra,
        )


def _joined(running: Running) -> Footprint:
    """The footprint of all commands of an execution together."""
    trails = [trail for _, trail in running.trails]
    rest = {
        name: tuple(item for trail in trails for item in getattr(trail, name))
        for name in Footprint.__struct_fields__
        if name != "script"
    }
    return Footprint(script=next((trail.script for trail in trails if trail.script), None), **rest)


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
