"""Put all sources of a study together: replay the traces over the files, read the plan, inspect what was written."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from provchain.events import CommandRun, Event, FileOnDisk
from provchain.events.logged import ENDS, ExecutionStarted, LogCut, Logged, RecorderDeclared, StudyDeclared
from provchain.history.calls import Session, read_session
from provchain.history.copying import copy_sources
from provchain.history.declared import (
    declared_deviations,
    declared_plan,
    declared_recorders,
    declared_remarks,
)
from provchain.history.logged import StudyReplay, recorder_id
from provchain.history.missing import missing_modules
from provchain.history.origins import Invented, inspect_writings
from provchain.history.snapshots import Snapshot
from provchain.history.steps import read_plan
from provchain.history.world import World
from provchain.inspection.effects import match_effect
from provchain.model import (
    Artifact,
    Authoring,
    Execution,
    Kind,
    Place,
    Recorder,
    RecorderKind,
    Role,
    Source,
    Status,
    Study,
    Usage,
)

__all__ = ["History", "reconstruct"]

_HOLDS_NUMBERS = (
    ".json",
    ".jsonl",
    ".csv",
    ".tsv",
    ".txt",
    ".log",
    ".out",
    ".npz",
    ".npy",
    ".pkl",
    ".parquet",
    ".yaml",
)


class History(Struct):
    """What became of a study, before anyone asks what its papers claim.

    Attributes:
        study: Its records, without values, claims and links.
        texts: What artifacts hold, by artifact id, where it is known.
        undone: Ids of planned steps that no execution completed.
        gap: Why the record may not hold everything that ran, or empty.
        recorded: Whether any record of executions exists that is more than testimony.
        touched: Paths that anything on record is seen to have written.
        unseen: Ids of artifacts whose text is known from the disk alone, where it may have changed since.
        invented: What scripts made up inside files that hold real values too.
    """

    study: Study
    texts: Mapping[str, str]
    undone: frozenset[str]
    gap: str
    recorded: bool
    touched: frozenset[str] = frozenset()
    unseen: frozenset[str] = frozenset()
    invented: Invented = {}


def reconstruct(
    sources: Sequence[Source],
    traces: Sequence[tuple[str, Sequence[Event]]],
    files: Sequence[FileOnDisk],
    *,
    title: str = "",
) -> History:
    """Reconstruct the history of a study.

    Args:
        sources: What was read, for the report.
        traces: For each trace, its recorder's name and its events in order.
        files: What lies in the audited directory.
        title: A title, where the caller knows one.

    Returns:
        The study's records, the texts of its artifacts, and what the record leaves open.
    """
    replays, world = _replay(traces, files)
    world.settle()
    _forget_unseen_leavings(replays, world)
    snapshots = {identifier: snapshot for replay in replays for identifier, snapshot in replay.snapshots.items()}
    activities = [_with_unseen_inputs(a, snapshots, world) for replay in replays for a in replay.activities]
    recorders = [*_recorders(sources, traces), *declared_recorders(replays)]
    testimony = {recorder.id for recorder in recorders if recorder.kind is RecorderKind.TESTIMONY}
    scripts = {**world.sources(), **_last_scripts(world)}
    modules = {identifier: snapshot.footprint.modules for identifier, snapshot in snapshots.items()}
    reading = read_plan(activities, files, world.texts, scripts, modules, declared_plan(replays), testimony)
    activities = [reading.executions.get(a.id, a) if isinstance(a, Execution) else a for a in activities]
    activities, artifacts, invented = inspect_writings(
        activities, world.artifacts, snapshots, _missing(replays), world.texts, simulation=reading.plans[0].simulation
    )
    executions = [a for a in activities if isinstance(a, Execution)]
    study = Study(
        id=_identity(files),
        title=title or _title(traces) or reading.plans[0].title,
        sources=list(sources),
        recorders=recorders,
        plans=list(reading.plans),
        steps=list(reading.steps),
        executions=executions,
        authorings=[a for a in activities if isinstance(a, Authoring)],
        artifacts=list(artifacts.values()),
        deviations=declared_deviations(replays, executions),
        remarks=declared_remarks(replays),
    )
    undone = _undone(study, testimony)
    watched = _observed(traces, replays, _narrated(sources))
    gap = _gap(study, world, watched, {path for replay in replays for path in replay.session.mentioned})
    return History(
        study, world.texts, undone, gap, bool(watched), _touched(study, replays), frozenset(world.unseen), invented
    )


def _undone(study: Study, testimony: Collection[str]) -> frozenset[str]:
    """Ids of planned steps that no observed execution completed with values of its own."""
    observed = [e for e in study.executions if e.planned and e.recorder not in testimony]
    done = {e.step for e in observed if e.status is Status.COMPLETED and not e.made_up}
    return frozenset(step.id for step in study.steps if step.id not in done)


def _touched(study: Study, replays: Sequence[StudyReplay]) -> frozenset[str]:
    written = {artifact.path for artifact in study.artifacts if artifact.writer is not None}
    return frozenset(written.union(*(replay.session.touched for replay in replays)))


def _missing(replays: Iterable[StudyReplay]) -> dict[str, frozenset[str]]:
    """The modules that are missing where executions run, by their id."""
    found = (missing_modules(replay.session, replay.snapshots) for replay in replays)
    return {identifier: names for one in found for identifier, names in one.items()}


def _replay(
    traces: Sequence[tuple[str, Sequence[Event]]], files: Sequence[FileOnDisk]
) -> tuple[list[StudyReplay], World]:
    """Play the traces one after the other, then what only testimony says.

    A log that something on record wrote is the word of whoever wrote it. That shows only when the traces are played, so they
    are played again, with that log as testimony, until no other one is found.
    """
    sessions = [read_session(events, files) for _, events in traces]
    paths = {_path_of(events) for _, events in traces} - {""}
    distrusted = frozenset(path for session in sessions for path in paths if session.types(path))
    while True:
        world = World(files)
        replays: list[StudyReplay] = []
        for number, ((recorder, events), session) in enumerate(zip(traces, sessions, strict=True), start=1):
            if _path_of(events) in distrusted and not any(isinstance(e, RecorderDeclared) for e in events):
                continue  # a trace of another program, which the agent wrote: none of what it shows was seen
            universe = {file.path for file in files} | session.mentioned
            _add_copy_sources(universe, session.calls.values())
            replay = StudyReplay(
                session=session,
                world=world,
                recorder=recorder,
                universe=universe,
                prefix=_prefix(number, sessions),
                distrusted=distrusted,
            )
            replays.append(replay)
        for replay in replays:
            replay.play()
        for replay in replays:
            replay.play_testimony()
        found = distrusted | {path for path in paths if _is_written(path, replays, world)}
        if found == distrusted:
            return replays, world
        distrusted = found


def _path_of(events: Sequence[Event]) -> str:
    """The file that a trace was read from."""
    places = (getattr(event, "at", None) for event in events)
    return next((place.path for place in places if isinstance(place, Place)), "")


def _prefix(number: int, sessions: Sequence[Session]) -> str:
    """What the ids of one trace's activities begin with, so that none is that of another trace."""
    if number == 1:
        return ""
    given = [e.execution for session in sessions for e in session.events if isinstance(e, ExecutionStarted)]
    prefix = f"{number}:"
    while any(name.startswith(prefix) for name in given):
        prefix += ":"
    return prefix


def _is_written(path: str, replays: Sequence[StudyReplay], world: World) -> bool:
    """Whether something on record wrote a trace: another trace's activity, or the agent in this one.

    A recorder may list its own log among the files that changed while something ran: that alone says nothing.
    """
    writers = {a.writer for a in world.artifacts.values() if a.path == path and a.writer is not None}
    for replay in replays:
        for activity in replay.activities:
            if activity.id not in writers or activity.recorder in _testimony_of(replay):
                continue
            own = activity.at.path == path
            if not own or isinstance(activity, Authoring) or posixpath.basename(path) in activity.command:
                return True
            snapshot = replay.snapshots.get(activity.id)
            if snapshot is not None and any(match_effect(e.pattern, path) for e in snapshot.footprint.writes):
                return True
    return False


def _testimony_of(replay: StudyReplay) -> set[str]:
    return {
        recorder_id(replay.recorder, name) for name, kind in replay.recorders.items() if kind is RecorderKind.TESTIMONY
    }


def _forget_unseen_leavings(replays: Sequence[StudyReplay], world: World) -> None:
    """Take back what an unfinished execution was only supposed to have left, where another one wrote it later.

    Its script names the file, but nothing shows that it came so far, and the file that is there is the later one's.
    """
    used = {usage.artifact for r in replays for a in r.activities if isinstance(a, Execution) for usage in a.used}
    used |= {artifact.copy_of for artifact in world.artifacts.values() if artifact.copy_of}
    for replay in replays:
        for index, activity in enumerate(replay.activities):
            if not isinstance(activity, Execution) or activity.status is Status.COMPLETED:
                continue
            dropped = {
                i
                for i in activity.generated
                if world.artifacts[i].known_from == "script"
                and world.is_superseded(i)
                and i not in used | world.texts.keys()
            }
            if dropped:
                kept = tuple(i for i in activity.generated if i not in dropped)
                replay.activities[index] = msgspec.structs.replace(activity, generated=kept)
                for identifier in dropped:
                    world.forget(identifier)


def _with_unseen_inputs(
    activity: Execution | Authoring, snapshots: Mapping[str, Snapshot], world: World
) -> Execution | Authoring:
    """Count as input the files that nothing on record ever wrote: where they come from is not known."""
    snapshot = snapshots.get(activity.id)
    if not isinstance(activity, Execution) or snapshot is None or not snapshot.unseen:
        return activity
    found = [artifact for path in dict.fromkeys(snapshot.unseen) if (artifact := world.current(path)) is not None]
    more = tuple(
        Usage(a.id, Role.DATA, "script")
        for a in found
        if a.writer is None and not a.external and a.kind is not Kind.LOG
    )
    return msgspec.structs.replace(activity, used=(*activity.used, *more))


def _add_copy_sources(universe: set[str], calls: Iterable[Sequence[object]]) -> None:
    """Name the files that must have been there for a copy to leave what is known at its target; last copies first."""
    copies = [pair for group in calls for call in group for pair in call.effect.copies]  # type: ignore[attr-defined]
    for pattern, target in reversed(copies):
        universe |= copy_sources(pattern, target, universe)


def _last_scripts(world: World) -> dict[str, str]:
    """The last known text of every script, also of those that were removed or are not among the files."""
    return {
        artifact.path: world.texts[artifact.id]
        for artifact in world.artifacts.values()
        if artifact.id in world.texts and artifact.path.endswith((".py", ".sh", ".bash"))
    }


def _identity(files: Sequence[FileOnDisk]) -> str:
    """A name for a study that is the same wherever its files lie."""
    state = hashlib.sha256()
    for file in sorted(files, key=lambda f: f.path):
        state.update(f"{file.path}\0{file.sha256}\n".encode("utf-8", "surrogatepass"))
    return f"study-{state.hexdigest()[:16]}"


def _recorders(sources: Sequence[Source], traces: Sequence[tuple[str, Sequence[Event]]]) -> list[Recorder]:
    paths = {source.adapter: source.path for source in sources}
    kinds = {source.path: source.recorder for source in sources}
    named = [Recorder("run-folder", RecorderKind.OBSERVER, "")]
    named += [
        Recorder(name, kinds.get(_path_of(events), RecorderKind.OBSERVER), paths.get(name, ""))
        for name, events in traces
    ]
    named += [Recorder("manuscript", RecorderKind.TESTIMONY), Recorder("provchain", RecorderKind.OBSERVER)]
    return list(dict.fromkeys(named))


def _title(traces: Sequence[tuple[str, Sequence[Event]]]) -> str:
    """The title that a study file gives its study."""
    return next((e.title for _, events in traces for e in events if isinstance(e, StudyDeclared) and e.title), "")


def _narrated(sources: Sequence[Source]) -> list[str]:
    """The traces in which an agent tells what it did, and nobody who saw it."""
    return [source.path for source in sources if source.recorder is RecorderKind.TESTIMONY]


def _no_record(narrated: Sequence[str]) -> str:
    if not narrated:
        return "no record of executions was found, only files"
    return (
        f"no command, output, time or status is on record: {', '.join(narrated[:3])} holds only the agent's own words"
    )


def _gap(study: Study, world: World, traces: Sequence[tuple[str, Sequence[Event]]], seen: set[str]) -> str:
    """Why a value may have existed that the record does not hold.

    A file that only a script's text names may never have been: it counts only if the trace shows it. What testimony says of its
    own gaps is no gap.
    """
    if not traces:
        return _no_record(_narrated(study.sources))
    testimony = {recorder.id for recorder in study.recorders if recorder.kind is RecorderKind.TESTIMONY}
    done = [e for e in study.executions if e.status is Status.COMPLETED and not e.is_copy and not e.made_up]
    executions = {e.id: e for e in done if e.recorder not in testimony}
    cut: set[tuple[str, str]] = set()
    logged: set[tuple[str, str]] = set()
    for _, events in traces:
        ended = {e.execution for e in events if isinstance(e, ENDS) and e.output_cut}
        for event in events:
            if isinstance(event, LogCut):
                return f"the log {event.at.path} ends within line {event.at.locator}: what came after is not known"
            if isinstance(event, CommandRun) and event.truncated:
                cut.add((event.at.path, event.at.locator))
            elif isinstance(event, ExecutionStarted):
                logged.add((event.at.path, event.at.locator))
                if event.execution in ended:
                    cut.add((event.at.path, event.at.locator))
    for execution in executions.values():
        place = (execution.at.path, execution.at.locator)
        if place in cut and (execution.script is not None or place in logged):
            what = execution.script or execution.command[:80]
            return f"the output of {what} at {execution.at} is cut off in the record"
    standing = {world.current(path).id for path in list(world.paths()) if world.current(path)}  # type: ignore[union-attr]
    left = [a for a in study.artifacts if a.writer in executions and a.id in standing]
    kept = {artifact.copy_of for artifact in world.artifacts.values() if artifact.on_disk}
    shown = [a for a in left if a.id not in kept and (a.known_from != "script" or a.path in seen)]
    missing = [artifact for artifact in shown if _is_missing(artifact, world)]
    if missing:
        names = ", ".join(sorted({posixpath.basename(a.path) for a in missing})[:3])
        return f"files that completed executions left are not in the directory ({names})"
    return ""


def _observed(
    traces: Sequence[tuple[str, Sequence[Event]]], replays: Sequence[StudyReplay], narrated: Collection[str]
) -> list[tuple[str, Sequence[Event]]]:
    """The traces, without the events that only testimony attests, and without a log of nothing else.

    Of a trace that is testimony as a whole, which is narrated, nothing was observed.
    """
    by_path = {_path_of(replay.session.events): replay for replay in replays}
    found: list[tuple[str, Sequence[Event]]] = []
    for name, events in traces:
        path = _path_of(events)
        if path in narrated:
            continue
        replay = by_path.get(path)
        if replay is None or not replay.recorders:
            found.append((name, events))
        elif RecorderKind.OBSERVER in replay.recorders.values():
            found.append((name, [e for e in events if not isinstance(e, Logged) or replay.is_observer(e)]))
    return found or list(traces[:0])


def _is_missing(artifact: Artifact, world: World) -> bool:
    return (
        not artifact.on_disk
        and artifact.kind is not Kind.STREAM
        and artifact.copy_of is None
        and artifact.id not in world.texts
        and artifact.path.lower().endswith(_HOLDS_NUMBERS)
    )
