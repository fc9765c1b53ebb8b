"""A logged execution under way: what its recorder says of it in the whole file, and what its own command does to files.

Recorders buffer: a file can be logged as written after the end of its execution. So all events of an execution are known from
its start, and what its command types, edits and carries is known before any of it is logged as its output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from provchain.events.logged import Ended, ExecutionStarted, ValueLogged
from provchain.history.calls import Call
from provchain.history.programs import Footprint
from provchain.inspection.effects import match_effect
from provchain.inspection.status import Ending
from provchain.model import Artifact, Usage

__all__ = ["Running"]

_STAYS = ("look", "setup", "copy", "move", "edit", "remove", "author")


class Running(Struct):
    """One execution.

    Attributes:
        started: Its start.
        id: Its id in the study.
        recorder: Id of the recorder that attests it.
        observed: Whether that is an observer.
        calls: The commands that its command is made of.
        trails: What the scripts of those that run something do to files, as the scripts stood at its start.
        sources: The scripts, as they stood at its start.
        ends: All events of its end, with what each says.
        ending: How it ended.
        values: The numbers that it reported.
        writes: Paths that it is logged to have written, at any time.
        typed: What its command types into files: path to ``(text, append)``, the text ``None`` where it is not exactly known.
        edits: Files that its command edits in place.
        edits_unknown: It edits files that its words do not name.
        carried: What its command copies or moves: destination to the original.
        used: What it read, by artifact.
        left: What it is logged to have left, by path.
        generated: Ids of all that it left.
        done: Paths of `typed`, `edits` and `carried` that have been dealt with.
    """

    started: ExecutionStarted
    id: str
    recorder: str
    observed: bool
    calls: Sequence[Call]
    ending: Ending
    trails: list[tuple[Call, Footprint]] = field(default_factory=list)
    sources: Mapping[str, str] = field(default_factory=dict)
    ends: list[tuple[Ended, Ending]] = field(default_factory=list)
    values: list[ValueLogged] = field(default_factory=list)
    writes: set[str] = field(default_factory=set)
    typed: dict[str, tuple[str | None, bool]] = field(default_factory=dict)
    edits: dict[str, None] = field(default_factory=dict)
    edits_unknown: bool = False
    carried: dict[str, Artifact] = field(default_factory=dict)
    used: dict[str, Usage] = field(default_factory=dict)
    left: dict[str, Artifact] = field(default_factory=dict)
    generated: list[str] = field(default_factory=list)
    done: set[str] = field(default_factory=set)
    finished: bool = False

    def read_command(self) -> None:
        """Note what the words of the command type and edit."""
        for call in self.calls:
            for path, text, append in call.effect.authored:
                known = None if call.effect.approximate else text
                before = self.typed.get(path)
                if before is None or not append:
                    self.typed[path] = (known, append)
                else:
                    both = None if before[0] is None or known is None else before[0] + known
                    self.typed[path] = (both, before[1])
            if call.effect.kind == "edit":
                named = (*call.effect.writes, *call.effect.reads)
                self.edits.update(dict.fromkeys(path for path in named if not set(path) & set("*?")))
                self.edits_unknown = self.edits_unknown or call.effect.edits_unknown

    @property
    def output(self) -> str:
        """What it printed, as far as recorded."""
        return next((event.output for event, _ in self.ends if event.output), "")

    @property
    def is_copy(self) -> bool:
        """Whether it only carried files elsewhere."""
        kinds = {call.effect.kind for call in self.calls} - {"setup"}
        return bool(kinds) and kinds <= {"copy", "move"}

    @property
    def runs(self) -> bool:
        """Whether it runs a program of which its output can be an answer; what is no command of a shell does."""
        return not self.calls or any(call.effect.kind not in _STAYS for call in self.calls)

    def types_only(self, path: str) -> bool:
        """Whether its command puts into a file what nothing on record gives it: `tee notes.md`, fed by hand."""
        if self.runs or path in self.carried or any(call.effect.reads or call.effect.shown for call in self.calls):
            return False
        fed = (call for call in self.calls if call.effect.argv[:1] == ("tee",))
        return any(path in call.effect.writes for call in self.calls) or any(
            path.endswith(word.lstrip("./"))
            for call in fed
            for word in call.effect.argv[1:]
            if not word.startswith("-")
        )

    def cannot_write(self, path: str) -> bool:
        """Whether its command only shows things: what changed while it ran was changed by something else."""
        kinds = {call.effect.kind for call in self.calls}
        redirected = any(path in (*call.effect.writes, *call.effect.appends) for call in self.calls)
        return kinds == {"look"} and not redirected

    def overwrites(self, path: str) -> bool:
        """Whether its command or its scripts are seen to write a file anew, whatever stood there."""
        if any(path in call.effect.writes for call in self.calls if call.effect.kind != "edit"):
            return True
        return any(
            effect.mode == "write" and match_effect(effect.pattern, path)
            for _, trail in self.trails
            for effect in trail.writes
        )

    def names(self, path: str) -> bool:
        """Whether its command names a file as something that it reads."""
        return any(path in call.effect.reads or path in call.effect.shown for call in self.calls)
