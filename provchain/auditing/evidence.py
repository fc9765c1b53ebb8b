"""Where the numbers that claims may rest on are looked for: in files that executions left, and in their output.

Four pools. *Found*: artifacts whose writer is an execution, or unknown. *Retold*: manuscripts that an execution wrote, which
are its output and so evidence for other manuscripts. *Typed*: artifacts that the agent wrote itself, never evidence, but they
tell where a number comes from. *Settings*: configurations, in files and in code. Typed manuscripts, proposals and files from
outside the study are in none. A state that was overwritten counts as long as an execution left it and its text is known.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from provchain.auditing.closure import Closure, original
from provchain.inspection.settings import argument_settings, script_settings
from provchain.inspection.values import read_values
from provchain.model import (
    Artifact,
    Execution,
    Kind,
    Role,
    Status,
    Study,
    Value,
    Verdict,
)

__all__ = ["Evidence", "gather_evidence", "original_writer"]

_SEARCHED = (Kind.RESULT, Kind.LOG, Kind.DATA, Kind.STREAM, Kind.OTHER, Kind.DOCUMENT)
_LONGEST_COMMAND = 20_000  # characters; what is longer types a program
_SUFFIXES = (".json", ".jsonl", ".csv", ".tsv", ".txt", ".log", ".out", ".err", ".md", ".yaml", ".yml")


class Evidence(Struct):
    """The pools of one study.

    Attributes:
        found: Values that executions left.
        retold: Values in manuscripts that executions wrote: evidence for other manuscripts, never for themselves.
        typed: Values that the agent typed.
        settings: Values of configurations, in files and in the scripts that completed executions ran.
        figures: Paths of figures and the ids of their artifacts.
    """

    found: list[Value]
    retold: list[Value]
    typed: list[Value]
    settings: list[Value]
    figures: dict[str, str]


def gather_evidence(study: Study, texts: Mapping[str, str], manuscripts: Iterable[str], closure: Closure) -> Evidence:
    """Read the numbers of all artifacts that may hold evidence.

    Args:
        study: The study.
        texts: What its artifacts hold.
        manuscripts: Paths of the manuscripts, which are evidence for none.
        closure: The standing of artifacts.

    Returns:
        The pools.
    """
    evidence = Evidence([], [], [], [], {})
    papers = set(manuscripts)
    by_id = {artifact.id: artifact for artifact in study.artifacts}
    executions = {execution.id for execution in study.executions if not execution.is_copy}
    done = [e for e in study.executions if e.status is Status.COMPLETED and not e.made_up]
    ran = {usage.artifact for execution in done for usage in execution.used if usage.role is Role.CODE}
    seen: set[str] = set()
    arguments = _arguments(done, study.artifacts)
    evidence.settings.extend(value for given in arguments.values() for values in given for value in values)
    overridden = {
        script: frozenset.intersection(*(frozenset(map(_option, values)) for values in given))
        for script, given in arguments.items()
    }

    def order(artifact: Artifact) -> tuple[bool, bool, bool, int, str]:
        # Of files with the same bytes one is read: one that an execution left rather than one that was typed or failed.
        holds = closure.standing(artifact.id).holds
        shown_again = artifact.kind is Kind.LOG
        return not artifact.on_disk, not holds, shown_again, artifact.path.count("/"), artifact.path

    for artifact in sorted(_states(study, texts, executions), key=order):
        text = texts.get(artifact.id)
        written = original_writer(artifact, by_id) in executions
        if artifact.kind is Kind.FIGURE and artifact.on_disk:
            evidence.figures[artifact.path] = artifact.id
        if text is None or (artifact.sha256 is not None and artifact.sha256 in seen):
            continue
        if artifact.kind is Kind.CONFIG:
            evidence.settings.extend(read_values(artifact.id, artifact.path, text))
        elif artifact.id in ran and artifact.path.endswith(".py"):
            given = overridden.get(artifact.path, frozenset())
            settings = script_settings(artifact.id, artifact.path, text)
            evidence.settings.extend(value for value in settings if _option(value) not in given)
        elif artifact.path in papers or artifact.kind is Kind.MANUSCRIPT:
            if written and not artifact.altered and closure.standing(artifact.id).verdict is not Verdict.AUTHORED:
                evidence.retold.extend(read_values(artifact.id, artifact.path, text))
        elif not artifact.external and _is_searched(artifact, closure):
            typed = closure.standing(artifact.id).verdict is Verdict.AUTHORED
            (evidence.typed if typed else evidence.found).extend(read_values(artifact.id, artifact.path, text))
        else:
            continue
        if artifact.sha256 is not None:
            seen.add(artifact.sha256)
    return evidence


def _arguments(done: Sequence[Execution], artifacts: Sequence[Artifact]) -> dict[str, list[list[Value]]]:
    """For each script the settings that the command lines of its completed executions gave it, one list for each.

    A command line stands in the record, beside what came back; where nothing did, it is told of the script that it ran.
    """
    by_id = {artifact.id: artifact for artifact in artifacts}
    found: dict[str, list[list[Value]]] = {}
    for execution in done:
        if execution.script is None or len(execution.command) > _LONGEST_COMMAND:
            continue
        try:
            words = shlex.split(execution.command)
        except ValueError:
            continue
        streams = (by_id[i] for i in execution.generated if i in by_id and by_id[i].kind is Kind.STREAM)
        scripts = (by_id[u.artifact] for u in execution.used if u.role is Role.CODE and u.artifact in by_id)
        here = next(streams, None) or next((one for one in scripts if one.path == execution.script), None)
        if here is not None:
            place = execution.at
            selector = f"/{place.locator}" if place.path.lower().endswith(".json") else f"line={place.locator}"
            values = argument_settings(here.id, place.path, selector, words[1:])
            found.setdefault(execution.script, []).append(values)
    return found


def _option(value: Value) -> str:
    """The name of a setting as an option's: ``batch-size`` and ``batch_size`` are one."""
    return value.labels[-1].replace("-", "_") if value.labels else ""


def _states(study: Study, texts: Mapping[str, str], executions: set[str]) -> list[Artifact]:
    """The last state of each path, the states before it that an execution left with known text, and scripts that ran."""
    last = {artifact.path: artifact.id for artifact in study.artifacts}
    kept = set(last.values()) | {u.artifact for e in study.executions for u in e.used if u.role is Role.CODE}
    return [a for a in study.artifacts if a.id in kept or (a.writer in executions and a.id in texts)]


def _is_searched(artifact: Artifact, closure: Closure) -> bool:
    if artifact.kind is Kind.STREAM:
        execution = closure.executions.get(artifact.writer or "")
        return execution is not None and (execution.script is not None or execution.status is Status.COMPLETED)
    return artifact.kind in _SEARCHED and artifact.path.lower().endswith(_SUFFIXES)


def original_writer(artifact: Artifact, by_id: Mapping[str, Artifact]) -> str | None:
    """The writer of the artifact whose bytes a copy carries.

    Args:
        artifact: The artifact.
        by_id: All artifacts.

    Returns:
        Id of the activity that left the original, or ``None`` if none is on record.
    """
    return original(artifact, by_id).writer
