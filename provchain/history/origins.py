"""Whether what an execution wrote rests on anything real, decided per file it left.

Joins what inspection says of each writing place in a script with the files that were written there. Files that inline code
(`python -c`) wrote from literals alone were typed by the agent: they become authorings.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence

import msgspec

from provchain.history.snapshots import Snapshot
from provchain.inspection.handlers import handlers_that_ran
from provchain.inspection.made_up import Sink, ValueOrigins, value_origins
from provchain.model import Artifact, Authoring, Execution, Kind, Role, Status

__all__ = ["Invented", "inspect_writings"]

Invented = dict[str, dict[str, str]]
"""By artifact id: the names of entries that hold random numbers and literals alone, each with its place in a script."""

# With one of these upstream, what was written is an answer of the world and not the input put in another form.
_BEYOND_READING = {"trained", "run", "answered"}
_REAL = _BEYOND_READING | {"read", "measured"}
_SPOKEN = (Kind.STREAM, Kind.LOG)
# What an execution may have read of others, to compute means of it or to put it in another form.
_CARRIED = (Kind.RESULT, Kind.DATA)
_CONFIGS = (".yaml", ".yml", ".json")
_MAX_CONFIG = 20_000  # characters: a longer file holds data, not settings
_NUMBERS = (Kind.RESULT, Kind.MANUSCRIPT, Kind.DATA)
_INSPECTED = (Kind.RESULT, Kind.LOG, Kind.FIGURE, Kind.MANUSCRIPT, Kind.DATA, Kind.OTHER, Kind.STREAM, Kind.DOCUMENT)


def inspect_writings(
    activities: Sequence[Execution | Authoring],
    artifacts: Mapping[str, Artifact],
    snapshots: Mapping[str, Snapshot],
    missing: Mapping[str, frozenset[str]],
    texts: Mapping[str, str],
    *,
    simulation: bool,
) -> tuple[list[Execution | Authoring], dict[str, Artifact], Invented]:
    """Mark what was made up, and turn files typed through inline code into authorings.

    Args:
        activities: In the order of the record.
        artifacts: By id.
        snapshots: What each execution ran, by its id.
        missing: Modules that the record shows to be missing where an execution runs, by its id.
        texts: What artifacts hold, by id, where it is known.
        simulation: The plan is a simulation: what its own steps make up is their planned outcome.

    Returns:
        The activities and artifacts, corrected, and what was made up inside artifacts that hold real values too.
    """
    corrected: list[Execution | Authoring] = []
    taken = {activity.id for activity in activities}
    after = dict(artifacts)
    needed = _needed(activities, artifacts)
    known: dict[object, ValueOrigins] = {}
    invented: Invented = {}
    for activity in activities:
        snapshot = snapshots.get(activity.id)
        if not isinstance(activity, Execution) or snapshot is None or activity.status is not Status.COMPLETED:
            corrected.append(activity)
            continue
        if needed.isdisjoint(activity.generated):
            corrected.append(activity)  # all that it left was overwritten unread: nothing can rest on it
            continue
        shown = _shown(activity, snapshot, missing.get(activity.id, frozenset()), artifacts, texts)
        origins = _origins(snapshot, shown, known)
        answers = _answers(origins, _ungrounded if _reads_typed_only(activity, after, snapshot) else _grounded)
        planned = simulation and activity.planned
        made_up = {i for i in activity.generated if not planned and _is_made_up(after[i], snapshot, origins, answers)}
        for identifier in made_up:
            after[identifier] = msgspec.structs.replace(after[identifier], made_up=True)
        if not planned:
            _note_invented(activity, after, snapshot, origins, invented)
        execution = _settle_roles(activity, after, origins)
        if made_up and any(program.inline is not None for program in snapshot.footprint.programs):
            corrected.extend(_typed_inline(execution, made_up, after, taken))
            continue
        corrected.append(msgspec.structs.replace(execution, made_up=_is_made_up_throughout(execution, made_up, after)))
    return _without_data_sets(corrected, after), after, invented


def _without_data_sets(
    activities: Sequence[Execution | Authoring], artifacts: dict[str, Artifact]
) -> list[Execution | Authoring]:
    """Take files that a model was trained on, or that were put to a program, for the data sets that they are.

    A script that draws a data set makes nothing up as long as all that it left is used so; ``artifacts`` is corrected too.
    """
    material = {
        artifacts[usage.artifact].copy_of or usage.artifact
        for a in activities
        if isinstance(a, Execution) and not a.made_up
        for usage in a.used
        if usage.role is Role.CONFIG and artifacts[usage.artifact].made_up
    }
    settled: list[Execution | Authoring] = []
    for activity in activities:
        if isinstance(activity, Execution) and activity.made_up:
            drawn = {i for i in activity.generated if artifacts[i].made_up and artifacts[i].kind is not Kind.STREAM}
            if drawn and drawn <= material:
                for identifier in activity.generated:
                    artifacts[identifier] = msgspec.structs.replace(artifacts[identifier], made_up=False)
                settled.append(msgspec.structs.replace(activity, made_up=False))
                continue
        settled.append(activity)
    return settled


def _note_invented(
    execution: Execution,
    artifacts: Mapping[str, Artifact],
    snapshot: Snapshot,
    origins: Sequence[ValueOrigins],
    invented: Invented,
) -> None:
    """Note the entries that an execution made up, and those that it only carries on from what others made up."""
    sinks = [sink for found in origins for sink in found.sinks]
    read = [a for u in execution.used if (a := artifacts.get(u.artifact)) is not None and a.kind in _CARRIED]
    inherited = [invented.get(a.copy_of or a.id, {}) for a in read]
    common = set.intersection(*map(set, inherited)) if inherited else set()
    for identifier in execution.generated:
        artifact = artifacts[identifier]
        places = set(snapshot.sinks.get(identifier, ()))
        here = [sink for sink in sinks if (sink.path, sink.line) in places]
        if artifact.made_up or artifact.copy_of is not None or not here:
            continue
        names = {name: f"{origin.path}:{origin.line}" for sink in here for name, origin in sink.invented}
        if not {origin.kind for sink in here for origin in sink.origins} & _BEYOND_READING:
            names |= {name: inherited[0][name] for name in common if name not in names}
        if names:
            invented[identifier] = names


def _needed(activities: Sequence[Execution | Authoring], artifacts: Mapping[str, Artifact]) -> set[str]:
    """The artifacts that anything can rest on: the last state of each path, and what was read or copied before."""
    last = {artifact.path: artifact for artifact in artifacts.values()}
    # A file that only a script's text names, and that nothing shows, holds nothing that could be evidence.
    needed = {artifact.id for artifact in last.values() if artifact.on_disk or artifact.known_from != "script"}
    needed.update(artifact.copy_of for artifact in artifacts.values() if artifact.copy_of is not None)
    needed.update(usage.artifact for a in activities if isinstance(a, Execution) for usage in a.used)
    return needed


def _is_made_up_throughout(execution: Execution, made_up: set[str], artifacts: Mapping[str, Artifact]) -> bool:
    """Whether all numbers that an execution left are made up; where it left none, all its figures and logs."""
    for kinds in (_NUMBERS, _INSPECTED):
        files = [i for i in execution.generated if artifacts[i].kind in kinds and artifacts[i].kind is not Kind.STREAM]
        if files:
            return made_up.issuperset(files)
    return False


class _Shown(msgspec.Struct, frozen=True):
    """What the record shows of one execution, beside its command.

    Attributes:
        missing: Modules that cannot be imported.
        caught: Path and line of the handlers of errors that ran.
        configs: The configuration files that it read, by their path from its directory, with what they held.
    """

    missing: frozenset[str]
    caught: frozenset[tuple[str, int]]
    configs: tuple[tuple[str, str], ...]


def _shown(
    execution: Execution,
    snapshot: Snapshot,
    missing: frozenset[str],
    artifacts: Mapping[str, Artifact],
    texts: Mapping[str, str],
) -> _Shown:
    said = "\n".join(texts.get(i, "") for i in execution.generated if artifacts[i].kind in _SPOKEN)
    caught = handlers_that_ran(snapshot.sources, snapshot.footprint.modules, said)
    configs = []
    for usage in (
        execution.used if snapshot.call.effect.kind == "python" else ()
    ):  # a shell script may change the directory
        path = artifacts[usage.artifact].path if usage.artifact in artifacts else ""
        if path.endswith(_CONFIGS) and 0 < len(texts.get(usage.artifact, "")) < _MAX_CONFIG:
            configs.append((posixpath.relpath(path, execution.cwd or "."), texts[usage.artifact]))
    return _Shown(missing, caught, tuple(sorted(configs)))


def _origins(
    snapshot: Snapshot,
    shown: _Shown,
    known: dict[object, ValueOrigins],
) -> list[ValueOrigins]:
    """Inspect the programs of an execution; the same program over the same sources is inspected once."""
    found = []
    for program in snapshot.footprint.programs:
        if program.inline is None and program.script not in snapshot.sources:
            continue
        key = (program, shown, id(snapshot.sources))  # the snapshots keep their sources alive
        if key not in known:
            known[key] = value_origins(
                snapshot.sources,
                program.script,
                inline=program.inline,
                argv=program.argv,
                environment=dict(program.environment),
                missing=shown.missing,
                caught=shown.caught,
                configs=dict(shown.configs),
            )
        found.append(known[key])
    return found


def _answers(
    origins: Sequence[ValueOrigins], say: Callable[[Sink, ValueOrigins], bool | None]
) -> dict[tuple[str, int], set[bool | None]]:
    """What inspection says of each writing place."""
    answers: dict[tuple[str, int], set[bool | None]] = {}
    for found in origins:
        for sink in found.sinks:
            answers.setdefault((sink.path, sink.line), set()).add(say(sink, found))
    return answers


def _is_made_up(
    artifact: Artifact,
    snapshot: Snapshot,
    origins: Sequence[ValueOrigins],
    answers: Mapping[tuple[str, int], set[bool | None]],
) -> bool:
    """Whether all that was written to a file is known to rest on nothing real; what cannot be known is not."""
    typed = {(e.path, e.line) for e in snapshot.footprint.typed if not e.how.endswith("and more")}
    places = snapshot.sinks.get(artifact.id, ())
    if places and artifact.kind in _INSPECTED and artifact.copy_of is None and typed.issuperset(places):
        return True  # text of a shell script, put into a file
    if not origins or artifact.kind not in _INSPECTED or artifact.copy_of is not None:
        return False
    said = [answer for place in snapshot.sinks.get(artifact.id, ()) for answer in answers.get(place, ())]
    if said:
        return all(answer is False for answer in said)
    return all(found.made_up is True for found in origins)


def _ungrounded(sink: Sink, found: ValueOrigins) -> bool | None:
    """What a place wrote that only read what the agent had typed: with random numbers added that is no observation."""
    kinds = {origin.kind for origin in sink.origins}
    return False if kinds & _REAL == {"read"} and "random" in kinds else _grounded(sink, found)


def _reads_typed_only(execution: Execution, artifacts: Mapping[str, Artifact], snapshot: Snapshot) -> bool:
    """Whether all that an execution read was typed, and nothing came from outside."""
    read = [u.artifact for u in execution.used if u.role is not Role.CODE]
    return bool(read) and not snapshot.footprint.external and all(_typed(artifacts, identifier) for identifier in read)


def _grounded(sink: Sink, found: ValueOrigins) -> bool | None:
    """Whether anything real is upstream of what a place wrote; how long making numbers up took does not ground them."""
    real = {origin.kind for origin in sink.origins} & _REAL
    return False if sink.grounded and real == {"measured"} and found.made_up else sink.grounded


def _settle_roles(
    execution: Execution, artifacts: Mapping[str, Artifact], origins: Sequence[ValueOrigins]
) -> Execution:
    """Typed or drawn input is data where the output is that input in another form; material put to a model is not."""
    kinds = {origin.kind for found in origins for sink in found.sinks for origin in sink.origins}
    if not kinds & _BEYOND_READING:
        return execution
    used = tuple(
        msgspec.structs.replace(usage, role=Role.CONFIG)
        if usage.role is Role.DATA and (_typed(artifacts, usage.artifact) or artifacts[usage.artifact].made_up)
        else usage
        for usage in execution.used
    )
    return msgspec.structs.replace(execution, used=used)


def _typed(artifacts: Mapping[str, Artifact], identifier: str) -> bool:
    artifact = artifacts.get(identifier)
    return (
        artifact is not None
        and artifact.known_from == "tool"
        and artifact.writer is not None
        and artifact.kind is not Kind.STREAM
    )


def _typed_inline(
    execution: Execution, made_up: set[str], artifacts: dict[str, Artifact], taken: set[str]
) -> list[Execution | Authoring]:
    """Split inline code that wrote literals into the process that ran and the authorings that it was."""
    activities: list[Execution | Authoring] = []
    kept = []
    for identifier in execution.generated:
        artifact = artifacts[identifier]
        if identifier not in made_up or artifact.kind is Kind.STREAM:
            kept.append(identifier)
            continue
        number = len(activities) + 1
        while f"{execution.id}.{number}" in taken:
            number += 1
        taken.add(f"{execution.id}.{number}")
        authoring = Authoring(
            id=f"{execution.id}.{number}",
            tool="inline code",
            path=artifact.path,
            at=execution.at,
            generated=identifier,
            recorder=execution.recorder,
        )
        artifacts[identifier] = msgspec.structs.replace(artifact, writer=authoring.id, made_up=False)
        activities.append(authoring)
    return [msgspec.structs.replace(execution, generated=tuple(kept)), *activities]
