"""Put all sources of a study together: replay the traces over the files, read the plan, inspect what was written."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from provchain.events import CommandRun, Event, FileOnDisk
from provchain.events.logged import ENDS, ExecutionStarted, LogCut, StudyDeclared
from provchain.history.calls import read_session
from provchain.history.copying import copy_sources
from provchain.history.declared import (
    declared_deviations,
    declared_plan,
    declared_recorders,
    declared_remarks,
)
from provchain.history.logged import StudyReplay
from provchain.history.origins import inspect_writings
from provchain.history.replay import Snapshot
from provchain.history.steps import read_plan
from provchain.history.world import World
from provchain.model import (
    Artifact,
    Authoring,
    Execution,
    Kind,
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
        recorded: Whether any record of executions exists at all.
    """

    study: Study
    texts: Mapping[str, str]
    undone: frozenset[str]
    gap: str
    recorded: bool


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
    world = World(files)
    replays = _replay(traces, files, world)
    world.settle()
    _forget_unseen_leavings(replays, world)
    snapshots = {identifier: snapshot for replay in replays for identifier, snapshot in replay.snapshots.items()}
    activities = [_with_unseen_inputs(a, snapshots, world) for replay in replays for a in replay.activities]
    recorders = [*_recorders(sources, traces), *declared_recorders(replays)]
    testimony = {recorder.id for recorder in recorders if recorder.kind is RecorderKind.TESTIMONY}
    reading = read_plan(
        activities,
        files,
        world.texts,
        {**world.sources(), **_last_scripts(world)},
        {identifier: snapshot.footprint.modules for identifier, snapshot in snapshots.items()},
        declared_plan(replays),
        testimony,
    )
    activities = [reading.executions.get(a.id, a) if isinstance(a, Execution) else a for a in activities]
    activities, artifacts = inspect_writings(
        activities, world.artifacts, snapshots, simulation=reading.plans[0].simulation
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
    observed = [e for e in executions if e.planned and e.recorder not in testimony]
    done = {e.step for e in observed if e.status is Status.COMPLETED and not e.made_up}
    undone = frozenset(step.id for step in study.steps if step.id not in done)
    seen = {path for replay in replays for path in replay.session.mentioned}
    return History(study, world.texts, undone, _gap(study, world, traces, seen), bool(traces))


def _replay(
    traces: Sequence[tuple[str, Sequence[Event]]], files: Sequence[FileOnDisk], world: World
) -> list[StudyReplay]:
    """Play the traces one after the other; what any of them shows the agent to have typed is known to all."""
    replays: list[StudyReplay] = []
    sessions = [read_session(events, files) for _, events in traces]
    typed = {path for session in sessions for path in session.typed}
    for (recorder, _), session in zip(traces, sessions, strict=True):
        universe = {file.path for file in files} | session.mentioned
        _add_copy_sources(universe, session.calls.values())
        prefix = f"{len(replays) + 1}:" if replays else ""
        replay = StudyReplay(
            session=session, world=world, recorder=recorder, universe=universe, prefix=prefix, typed=typed
        )
        replay.play()
        replays.append(replay)
    return replays


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
        state.update(f"{file.path}\0{file.sha256}\n".encode("utf-8", "surrogateescape"))
    return f"study-{state.hexdigest()[:16]}"


def _recorders(sources: Sequence[Source], traces: Sequence[tuple[str, Sequence[Event]]]) -> list[Recorder]:
    paths = {source.adapter: source.path for source in sources}
    named = [Recorder("run-folder", RecorderKind.OBSERVER, "")]
    named += [Recorder(name, RecorderKind.OBSERVER, paths.get(name, "")) for name, _ in traces]
    named += [Recorder("manuscript", RecorderKind.TESTIMONY), Recorder("provchain", RecorderKind.OBSERVER)]
    return list(dict.fromkeys(named))


def _title(traces: Sequence[tuple[str, Sequence[Event]]]) -> str:
    """The title that a study file gives its study."""
    return next((e.title for _, events in traces for e in events if isinstance(e, StudyDeclared) and e.title), "")


def _gap(study: Study, world: World, traces: Sequence[tuple[str, Sequence[Event]]], seen: set[str]) -> str:
    """Why a value may have existed that the record does not hold.

    A file that only a script's text names may never have been: it counts only if the trace shows it.
    """
    if not traces:
        return "no record of executions was found, only files"
    executions = {e.id: e for e in study.executions if e.status is Status.COMPLETED and not e.is_copy and not e.made_up}
    for _, events in traces:
        for event in events:
            if isinstance(event, LogCut):
                return f"the log {event.at.path} ends within line {event.at.locator}: what came after is not known"
    cut = {e.at.locator for _, events in traces for e in events if isinstance(e, CommandRun) and e.truncated}
    ended = {e.execution for _, events in traces for e in events if isinstance(e, ENDS) and e.output_cut}
    started = [e for _, events in traces for e in events if isinstance(e, ExecutionStarted)]
    logged = {e.execution for e in started}
    cut |= {e.at.locator for e in started if e.execution in ended}
    for execution in executions.values():
        if execution.at.locator in cut and (execution.script is not None or execution.id in logged):
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


def _is_missing(artifact: Artifact, world: World) -> bool:
    return (
        not artifact.on_disk
        and artifact.kind is not Kind.STREAM
        and artifact.copy_of is None
        and artifact.id not in world.texts
        and artifact.path.lower().endswith(_HOLDS_NUMBERS)
    )
