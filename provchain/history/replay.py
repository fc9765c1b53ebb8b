"""Plays a trace through, event by event, and works out what each activity read and left.

For each command: what its words say, what its output says, what the text of the scripts it ran says (as they stood at that
moment), and which files there are at all. An execution that did not complete is credited only with what something shows it
left. What cannot be known stays unknown.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct, field

from provchain.events import CommandRun, Event, FileEdited, FileMoved, FileRead, FileRemoved, FileWritten
from provchain.history.calls import RUNS, Call, Session
from provchain.history.copying import copied_paths, copy_sources
from provchain.history.editing import edited_text
from provchain.history.endings import Endings
from provchain.history.outputs import files_named
from provchain.history.own_words import own_words
from provchain.history.programs import Footprint, as_far_as_asked, asked_for, footprint, rewritten_in_place
from provchain.history.snapshots import Snapshot
from provchain.history.unseen_endings import settled_ending
from provchain.history.world import World, match_paths
from provchain.inspection.commands import substituted
from provchain.inspection.effects import FileEffect, literal_weight, match_effect
from provchain.inspection.rewriting import rewritten
from provchain.inspection.status import Ending, failed_at_start
from provchain.kinds import kind_of
from provchain.model import Artifact, Authoring, Execution, Kind, Place, Role, Status, Usage

__all__ = ["Replay"]


class Replay(Struct):
    """The activities of a trace and the files they left.

    Attributes:
        session: The parsed trace.
        world: The files as they stand at the end of what has been played.
        recorder: Name of the recorder that attests what the trace holds.
        universe: Paths of the study that exist at the end or are named as files.
        prefix: What the ids of activities begin with, where a study has several traces.
        folders: Folders that were made, each with a slash at the end.
        activities: Executions and authorings in the order of the trace.
        snapshots: By id of the execution.
        logged: By id of an execution and path, what a recorder says that it left.
        declared: Paths of which a recorder says who wrote them: nothing is worked out for these.
    """

    session: Session
    world: World
    recorder: str
    universe: set[str]
    prefix: str = ""
    folders: set[str] = field(default_factory=set)
    activities: list[Execution | Authoring] = field(default_factory=list)
    snapshots: dict[str, Snapshot] = field(default_factory=dict)
    logged: dict[str, dict[str, Artifact]] = field(default_factory=dict)
    declared: set[str] = field(default_factory=set)
    _numbers: dict[str, int] = field(default_factory=dict)
    _footprints: dict[tuple[object, ...], tuple[Mapping[str, str], Footprint]] = field(default_factory=dict)
    _asked: tuple[Mapping[str, str], frozenset[str]] | None = None
    _started: bool = False

    def play(self) -> None:
        """Play all events."""
        shown: dict[int, list[tuple[str, str, bool]]] = {}
        for at, path, text, complete in self.session.readings:
            shown.setdefault(at, []).append((path, text, complete))
        for index, event in enumerate(self.session.events):
            if isinstance(event, CommandRun):
                self._play_call(index, event)
                for path, text, complete in shown.get(index, ()):
                    self._observe(path, text, complete=complete)
            elif isinstance(event, FileWritten):
                self.author(event.at.locator, event.at, event.tool, self.session.relative(event.path), event.text)
            elif isinstance(event, FileEdited):
                self._edit(event)
            elif isinstance(event, FileMoved):
                self._move(event)
            elif isinstance(event, FileRemoved):
                self._remove(self.session.relative(event.path))
            elif isinstance(event, FileRead):
                self._observe(self.session.relative(event.path), event.text, complete=event.complete)
            else:
                self.play_other(index, event)

    def play_other(self, index: int, event: Event) -> None:
        """Play an event of another family; the words of agent and person change no file."""

    # ------------------------------------------------------------------------------------------------ authoring

    def mark_started(self) -> None:
        """Something ran: from now on a file that is shown may have been left by it."""
        self._started = True

    def next_id(self, locator: str) -> str:
        """Name the next activity of a call."""
        self._numbers[locator] = self._numbers.get(locator, 0) + 1
        return f"{self.prefix}{locator}.{self._numbers[locator]}"

    def author(
        self,
        locator: str,
        at: Place,
        tool: str,
        path: str,
        text: str | None,
        *,
        used: str | None = None,
        sha256: str | None = None,
        extra: str = "",
    ) -> None:
        """The agent wrote a file itself."""
        identifier = self.next_id(locator)
        artifact = self.world.write(
            path, writer=identifier, known_from="tool", text=text, recorder=self.recorder, sha256=sha256
        )
        self.universe.add(path)
        self.activities.append(
            Authoring(
                id=identifier,
                tool=tool,
                path=path,
                at=at,
                generated=artifact.id,
                used=used,
                recorder=self.recorder,
                extra=extra,
            )
        )

    def _edit(self, event: FileEdited) -> None:
        path = self.session.relative(event.path)
        before = self.world.found(path)
        text = edited_text(self.world.text(path), event)
        self.author(event.at.locator, event.at, event.tool, path, text, used=before.id if before else None)

    def _move(self, event: FileMoved) -> None:
        path, target = self.session.relative(event.path), self.session.relative(event.target)
        original = self.world.found(path)
        if original is not None and path != target:
            identifier = self.next_id(event.at.locator)
            moved = self.world.write(target, writer=identifier, recorder=self.recorder, copy_of=original.id)
            move = f"{event.tool} {event.path} -> {event.target}"
            done = Execution(
                identifier,
                move,
                event.at,
                Status.COMPLETED,
                "the tool's answer",
                is_copy=True,
                used=(Usage(original.id, Role.DATA),),
                generated=(moved.id,),
                recorder=self.recorder,
            )
            self.activities.append(done)
            self.universe.add(target)
        self._remove(path)

    def _observe(self, path: str, text: str, *, complete: bool) -> None:
        """A file was read back: it was there, and a whole reading tells what an execution had left."""
        artifact = self.world.found(path) if not self._started else self.world.current(path)
        if artifact is None or not complete or artifact.id in self.world.texts:
            return
        if all(len(line) < 1900 for line in text.split("\n")):  # longer lines are cut by the tool
            self.world.learn(artifact.id, text)

    # ------------------------------------------------------------------------------------------------- commands

    def _play_call(self, index: int, event: CommandRun) -> None:
        if event.refused:
            return
        calls = self.session.calls.get(index, [])
        endings = Endings(event, calls)
        for position, call in enumerate(calls):
            if not endings.started(position):
                continue
            kind = call.effect.kind
            if call.effect.argv[:1] == ("mkdir",):
                made = [
                    self.session.relative(w, call.command.cwd) for w in call.effect.argv[1:] if not w.startswith("-")
                ]
                self.folders.update(f"{path}/" for path in made)
            for path, text, append in call.effect.authored:
                if not path:
                    continue
                if not text and call.effect.argv[:1] == ("touch",) and self.world.found(path) is not None:
                    continue  # nothing was typed: the file was there
                before = self.world.text(path) if append else ""
                unknown = call.effect.approximate or (
                    append and before is None and self.world.current(path) is not None
                )
                whole = None if unknown else (before or "") + text
                self.author(event.at.locator, event.at, call.typing_tool, path, whole)
            if kind == "edit":
                for path in self.edited(call):
                    before_edit = self.world.found(path)
                    if before_edit is not None:
                        left = self._edited_text(index, path, call)
                        self.author(event.at.locator, event.at, "in-place edit", path, left, used=before_edit.id)
                for pattern in call.effect.removed:
                    self._remove(pattern.rstrip("/"))
            elif kind in ("copy", "move"):
                self._copy(call, endings.ending(position, event.output or ""))
            elif kind == "remove":
                for pattern in call.effect.removed:
                    for path in match_paths(pattern.rstrip("/"), list(self.world.paths())) or [pattern.rstrip("/")]:
                        self._remove(path)
            elif kind in RUNS or ((call.effect.writes or call.effect.appends) and kind == "look"):
                self._run(index, position, call, endings)

    def _run(self, index: int, position: int, call: Call, endings: Endings) -> None:
        event = call.run
        text, text_from = event.output or "", "output"
        if call.effect.stream_to is not None and (shown := self.shown_later(index, call.effect.stream_to)) is not None:
            text, text_from = f"{text}\n{shown}" if text.strip() not in ("", "Error") else shown, call.effect.stream_to
        ending = endings.ending(position, text, text_from)
        sources = self.world.sources()
        trail = self.footprint_of(call, sources)
        ending = settled_ending(ending, call, trail, text, self.world.disk.keys())
        identifier = self.next_id(event.at.locator)
        self.mark_started()
        for effect in trail.copies:
            if effect.source is not None:
                self.universe |= copy_sources(effect.source, effect.pattern.removesuffix("*"), self.universe)
        snapshot = Snapshot(sources, trail, call, {}, [])
        used = self.inputs(call, trail, text, snapshot.unseen)
        generated = self.outputs(
            identifier, call, trail, text, ending, snapshot, speaks=self._speaks_for_itself(index, call)
        )
        owns = endings.owns_output(position) and call.effect.kind != "look"
        said = own_words(event.output or "", self.session.calls.get(index, []), self.world, identifier) if owns else ""
        if said.strip() not in ("", "Error"):
            stream = self.world.write(
                f"{event.at.path}@{identifier}",
                writer=identifier,
                known_from="tool",
                text=said,
                recorder=self.recorder,
            )
            self.world.replace(msgspec.structs.replace(stream, kind=Kind.STREAM))
            generated.append(stream.id)
        self.snapshots[identifier] = snapshot
        self.activities.append(
            Execution(
                id=identifier,
                command=call.command.text,
                at=event.at,
                status=ending.status,
                status_source=ending.source,
                cwd=call.cwd,
                exit_code=event.exit_code if endings.decides(position) else None,
                error=ending.error or ending.caught,
                started=event.started,
                ended=event.ended,
                script=trail.script,
                used=tuple(used),
                generated=tuple(generated),
                recorder=self.recorder,
            )
        )

    def footprint_of(self, call: Call, sources: Mapping[str, str]) -> Footprint:
        """What a command's scripts do; the same command over the same scripts does the same."""
        if self._asked is None or self._asked[0] is not sources:
            self._asked = (sources, asked_for(sources))
        call = as_far_as_asked(call, self._asked[1])
        effect = call.effect
        how = (effect.kind, effect.argv[:1], effect.script, effect.module, effect.inline, effect.script_argv)
        what = (*how, call.cwd, call.environment)
        if what not in self._footprints or self._footprints[what][0] is not sources:
            self._footprints[what] = (sources, footprint(call, sources, self.session.root))
        return self._footprints[what][1]

    def shown_later(self, index: int, path: str) -> str | None:
        """What a file held after an event: as it was shown before anything wrote it again, else as it lies on the disk."""
        for at, shown, text, _complete in self.session.readings:
            if at <= index:
                continue
            if shown == path and not self._written_between(index, at, path):
                return text
        last = len(self.session.events)
        file = self.world.disk.get(path)
        if file is not None and file.text is not None and not self._written_between(index, last, path):
            return file.text
        return None

    def _written_between(self, start: int, end: int, path: str) -> bool:
        for later in range(start + 1, end):
            event = self.session.events[later]
            if isinstance(event, FileWritten | FileEdited) and self.session.relative(event.path) == path:
                return True
            for call in self.session.calls.get(later, []):
                if path in call.effect.writes or any(path == authored for authored, _, _ in call.effect.authored):
                    return True
        return False

    # ---------------------------------------------------------------------------------------------------- files

    def inputs(self, call: Call, trail: Footprint, output: str, unseen: list[str]) -> list[Usage]:
        """What a command read: its words say it, its output, the text of its scripts."""
        uses: dict[str, Usage] = {}
        written = {effect.pattern for effect in trail.writes} - rewritten_in_place(trail)

        def use(path: str, role: Role, known_from: str) -> None:
            artifact = self.world.found(path)
            if artifact is None and path in self.world.disk:
                unseen.append(path)
            if artifact is not None:
                if role is Role.DATA and artifact.kind is Kind.CONFIG:
                    role = Role.CONFIG
                if role.carries and artifact.kind is Kind.LOG:
                    role = Role.LOG
                uses.setdefault(artifact.id, Usage(artifact.id, role, known_from))

        for path in trail.modules:
            use(path, Role.CODE, "command" if path == trail.script else "import")
        for path in call.effect.reads:
            use(path, Role.DATA, "command")
        for path in files_named(output, self.universe, lambda p: self.session.relative(p, call.cwd))[1]:
            if path not in written:
                use(path, Role.DATA, "output")
        for effect in trail.reads:
            if literal_weight(effect.pattern) == 0 or effect.pattern in written:
                continue
            here = set(self.world.paths()) | self.world.disk.keys() if "*" in effect.pattern else {effect.pattern}
            for path in sorted(path for path in here if match_effect(effect.pattern, path)):
                if path not in written and not path.endswith(".py"):
                    use(path, effect.role or Role.DATA, "script")
        return list(uses.values())

    def outputs(
        self,
        identifier: str,
        call: Call,
        trail: Footprint,
        output: str,
        ending: Ending,
        snapshot: Snapshot,
        *,
        speaks: bool,
    ) -> list[str]:
        """Put what an execution left into the world, the surest knowledge first; what a recorder logs stands there already."""
        completed = ending.status is Status.COMPLETED
        left: dict[str, Artifact] = dict(self.logged.get(identifier, {}))
        known_before = set(left)

        def leave(path: str, known_from: str, text: str | None = None) -> None:
            if path in left or path in self.declared or not path or path == "/dev/null":
                return
            left[path] = self.world.write(
                path, writer=identifier, known_from=known_from, text=text, recorder=self.recorder
            )
            self.universe.add(path)

        for path in call.effect.writes:
            leave(path, "command")
        for path in call.effect.appends:
            if completed or self.world.current(path) is None:
                leave(path, "command")
        named = files_named(output, self.universe, lambda p: self.session.relative(p, call.cwd))[0] if speaks else []
        scripts = set(trail.modules)
        for path in named:
            if path not in scripts:
                leave(path, "output")
        if completed or not failed_at_start(output):
            for effect in trail.writes:
                for path in self._targets(effect):
                    mended = self._rewritten(call, path)
                    likely = completed or (mended is not None and ending.status is Status.UNKNOWN)
                    if likely or (self.world.current(path) is None and path in self.world.disk):
                        if effect.mode == "append" and not completed and self.world.current(path) is not None:
                            continue  # it keeps its state although something may have been added to it
                        leave(path, "script", mended)
        for effect in trail.writes:
            known = [effect.pattern] if "*" not in effect.pattern else list(left)
            for path in known:
                if path in left and match_effect(effect.pattern, path):
                    artifact = left[path].id
                    snapshot.sinks[artifact] = (*snapshot.sinks.get(artifact, ()), (effect.path, effect.line))
        for effect in trail.copies if completed else ():
            self._copy_inside(identifier, effect, left)
        return [artifact.id for path, artifact in left.items() if path not in known_before]

    def _remove(self, path: str) -> None:
        self.world.remove(path)
        self.folders = {folder for folder in self.folders if not folder.startswith(f"{path}/")}

    def _speaks_for_itself(self, index: int, call: Call) -> bool:
        """Whether an output that names files can be this program's own: a script's, with nothing shown beside it."""
        others = self.session.calls.get(index, [])
        return call.effect.kind in ("python", "script") and not any(other.effect.kind == "look" for other in others)

    def _targets(self, effect: FileEffect) -> list[str]:
        if literal_weight(effect.pattern) == 0:
            return []
        if "*" in effect.pattern:
            return sorted(path for path in self.universe if match_effect(effect.pattern, path))
        return [effect.pattern]

    def _copy_inside(self, identifier: str, effect: FileEffect, left: dict[str, Artifact]) -> None:
        """A script copied files itself, or started a command that did."""
        if effect.source is None or "*" in effect.pattern.removesuffix("/*"):
            return
        target = effect.pattern.removesuffix("*")
        here = {*self.world.paths(), *self.world.disk}
        for source, destination in copied_paths(
            effect.source, target, here, self.universe | self.folders, recursive=True
        ):
            original = self.world.found(source)
            if original is None or destination in left or destination == source or destination not in self.universe:
                continue
            left[destination] = self.world.write(
                destination, writer=identifier, known_from="script", recorder=self.recorder, copy_of=original.id
            )
            self.universe.add(destination)

    def _copy(self, call: Call, ending: Ending) -> None:
        """`cp`, `mv`, `rsync`: the files that were there are there again, under the other name."""
        identifier = self.next_id(call.run.at.locator)
        used, generated = self.carry(call, identifier)
        self.activities.append(
            Execution(
                id=identifier,
                command=call.command.text,
                at=call.run.at,
                status=ending.status,
                status_source=ending.source,
                cwd=call.cwd,
                error=ending.error,
                is_copy=True,
                used=tuple(used),
                generated=tuple(generated),
                recorder=self.recorder,
            )
        )

    def edited(self, call: Call) -> list[str]:
        """The files that a command edits in place; patterns stand for what is there."""
        here = list(dict.fromkeys((*self.world.paths(), *self.world.disk)))
        patterns = dict.fromkeys((*call.effect.writes, *call.effect.reads))
        return list(dict.fromkeys(path for pattern in patterns for path in match_paths(pattern, here)))

    def _edited_text(self, index: int, path: str, call: Call) -> str | None:
        """What an edit left: the script that lies on the disk, if nothing wrote it later, else what its words make of it."""
        file = self.world.disk.get(path)
        if file and file.kind is Kind.SCRIPT and not self._written_between(index, len(self.session.events), path):
            return file.text
        before = self.world.text(path)
        return substituted(call.effect.argv, before) if before is not None and kind_of(path) is Kind.SCRIPT else None

    def _rewritten(self, call: Call, path: str) -> str | None:
        """What a program on the command line leaves of a script that it mends."""
        before, program = self.world.text(path), call.effect.inline
        if before is None or program is None or call.effect.kind != "python" or kind_of(path) is not Kind.SCRIPT:
            return None
        return rewritten(program, before, lambda named: self.session.relative(named, call.cwd) == path)

    def carries(self, call: Call, pattern: str, target: str) -> list[tuple[str, str]]:
        """Which file goes where when a command copies or moves a pattern to a target, as things stand now."""
        here = set(self.world.paths()) | self.world.disk.keys()
        folders = {path for path in self.world.paths() if not path.startswith("/")} | self.folders
        argv = call.effect.argv
        recursive = any(w.startswith("-") and set(w) & set("raR") for w in argv[1:]) or argv[:1] == ("rsync",)
        return copied_paths(pattern, target, here, folders, recursive=recursive)

    def carry(self, call: Call, identifier: str) -> tuple[list[Usage], list[str]]:
        """Put the files that a command copied or moved where it carried them."""
        used: dict[Usage, None] = {}
        generated: list[str] = []
        for pattern, target in call.effect.copies:
            for source, destination in self.carries(call, pattern, target):
                original = self.world.found(source)
                if original is None or destination == source or destination in self.declared:
                    continue
                copy = self.world.write(
                    destination, writer=identifier, known_from="command", recorder=self.recorder, copy_of=original.id
                )
                self.universe.add(destination)
                used.setdefault(Usage(original.id, Role.DATA))
                generated.append(copy.id)
                if call.effect.kind == "move":
                    self._remove(source)
            if call.effect.kind == "move":
                self._remove(pattern.rstrip("/"))
        return list(used), generated
