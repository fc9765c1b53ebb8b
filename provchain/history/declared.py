"""What study files declare beside what ran: the plan and its steps, deviations, and words about how the work went."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from provchain.events.logged import (
    DeviationRecorded,
    Ended,
    ExecutionEnded,
    HelpAsked,
    LogCut,
    Logged,
    OtherLogged,
    PlanDeclared,
    RecorderDeclared,
    StepDeclared,
    StudyDeclared,
    WorkGivenUp,
)
from provchain.history.logged import StudyReplay, recorder_id
from provchain.model import (
    Deviation,
    Execution,
    Place,
    Plan,
    Recorder,
    Remark,
    RemarkKind,
    Status,
    Step,
)

__all__ = [
    "UNKNOWN_EVENT",
    "declared_deviations",
    "declared_plan",
    "declared_recorders",
    "declared_remarks",
]

UNKNOWN_EVENT = "unknown-event"
"""What the id of a remark ends with that keeps an event which this version does not know."""

_ORIGIN = "declaration"


def declared_plan(replays: Sequence[StudyReplay]) -> tuple[tuple[Plan, ...], tuple[Step, ...]]:
    """Collect the plans and steps that are declared."""
    plans: dict[str, Plan] = {}
    steps: dict[str, Step] = {}
    for replay in replays:
        for event in replay.session.events:
            recorder = replay.recorder_of(event) if isinstance(event, Logged) else ""
            if isinstance(event, PlanDeclared):
                at = Place(replay.session.relative(event.path), "") if event.path else event.at
                title = event.title or event.plan
                plans[event.plan] = Plan(event.plan, title, at, event.simulation, recorder, event.extra)
            elif isinstance(event, StepDeclared):
                plan = event.plan or next(iter(plans), "plan")
                scripts = tuple(replay.session.relative(path) for path in event.scripts)
                label = event.label or event.step
                steps[event.step] = Step(event.step, plan, label, scripts, _ORIGIN, event.at, recorder, event.extra)
    return tuple(plans.values()), tuple(steps.values())


def declared_recorders(replays: Sequence[StudyReplay]) -> list[Recorder]:
    """The recorders that study files declare."""
    return [
        Recorder(recorder_id(replay.recorder, event.id), replay.recorders[event.id], event.at.path)
        for replay in replays
        for event in replay.session.events
        if isinstance(event, RecorderDeclared)
    ]


def declared_deviations(replays: Sequence[StudyReplay], executions: Sequence[Execution]) -> list[Deviation]:
    """The deviations that the study records itself, each with the executions that it concerns."""
    return [
        Deviation(
            id=f"deviation:{event.at}",
            about=event.about,
            message=event.message,
            at=(event.at,),
            executions=_concerned(replay, event, executions),
            recorded=True,
            recorder=replay.recorder_of(event),
            extra=event.extra,
        )
        for replay in replays
        for event in replay.session.events
        if isinstance(event, DeviationRecorded)
    ]


def _concerned(replay: StudyReplay, event: DeviationRecorded, executions: Sequence[Execution]) -> tuple[str, ...]:
    """The executions that are named, or those of the step that is named; all of the study where neither is."""
    named = {f"{replay.prefix}{name}" for name in event.executions}
    if named:
        return tuple(e.id for e in executions if e.id in named)
    if event.step is not None:
        return tuple(e.id for e in executions if e.step == event.step)
    return tuple(e.id for e in executions)


def declared_remarks(replays: Sequence[StudyReplay]) -> list[Remark]:
    """What is said of the work and counts for nothing: help asked, work given up, testimony of what an observer recorded."""
    return [remark for replay in replays for remark in _remarks(replay)]


def _remarks(replay: StudyReplay) -> Iterator[Remark]:
    unheard = set(map(id, replay.unheard))
    for event in replay.session.events:
        if not isinstance(event, Logged):
            continue
        found: tuple[RemarkKind, str, str] | None = None
        if isinstance(event, HelpAsked):
            about = event.step or (f"{replay.prefix}{event.execution}" if event.execution else "")
            found = RemarkKind.HELP_ASKED, event.question, about
        elif isinstance(event, WorkGivenUp):
            found = RemarkKind.GIVEN_UP, event.reason, event.step or ""
        elif id(event) in unheard:
            found = _unheard(replay, event)
        elif isinstance(event, OtherLogged):
            found = RemarkKind.OTHER, event.name, ""
        elif isinstance(event, LogCut):
            found = RemarkKind.OTHER, f"the log ends within a line: {event.text}", ""
        elif isinstance(event, StudyDeclared) and event.extra:
            found = RemarkKind.OTHER, "more in the header", ""
        if found is not None:
            kind, text, about = found
            speaker = "recorder" if replay.is_observer(event) else "agent"
            name = UNKNOWN_EVENT if isinstance(event, OtherLogged) else kind.value
            identifier = f"remark:{event.at}:{name}"
            recorder = replay.recorder_of(event)
            yield Remark(identifier, kind, text, event.at, speaker, about, recorder, event.extra)


def _unheard(replay: StudyReplay, event: Logged) -> tuple[RemarkKind, str, str]:
    """What testimony says of an execution that an observer recorded."""
    about = f"{replay.prefix}{getattr(event, 'execution', '')}"
    if isinstance(event, Ended):
        done = isinstance(event, ExecutionEnded) and (event.exit_code == 0 or event.status is Status.COMPLETED)
        kind = RemarkKind.COMPLETED if done else RemarkKind.NOT_COMPLETED
        how = "it completed" if done else "it did not complete"
        output = event.output
        return kind, f"{how}{': ' + output.strip()[-200:] if output and output.strip() else ''}", about
    known = {
        name: str(getattr(event, name))
        for name in ("path", "name", "value", "sha256")
        if getattr(event, name, None) is not None
    }
    return RemarkKind.OTHER, f"{event.__struct_config__.tag} {json.dumps(known)}", about
