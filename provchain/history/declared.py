"""What study files declare beside what ran: the plan and its steps, deviations, and words about how the work went."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from provchain.events.logged import (
    DeviationRecorded,
    Ended,
    ExecutionEnded,
    ExecutionStarted,
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
    """Collect the plans and steps that are declared; of several under one id the first one stands.

    A plan is a forecast. What observers declare comes first. Testimony is heard only where no observer declares a plan, only of
    what it said before anything ran, and never that made-up values were planned. Nobody plans a simulation after the fact.
    """
    plans: dict[str, Plan] = {}
    steps: dict[str, Step] = {}
    for observed in (True, False):
        if not observed and (plans or steps):
            break
        for replay in replays:
            ran = ended = False
            for event in replay.session.events:
                ran = ran or isinstance(event, ExecutionStarted)
                ended = ended or isinstance(event, Ended)
                if not isinstance(event, Logged) or replay.is_observer(event) != observed or (ran and not observed):
                    continue
                if isinstance(event, PlanDeclared):
                    planned = event.simulation and observed and not ended
                    plans.setdefault(event.plan, _plan(replay, event, simulation=planned))
                elif isinstance(event, StepDeclared):
                    steps.setdefault(event.step, _step(replay, event, next(iter(plans), "plan")))
    return tuple(plans.values()), tuple(steps.values())


def _plan(replay: StudyReplay, event: PlanDeclared, *, simulation: bool) -> Plan:
    at = Place(replay.session.relative(event.path), "") if event.path else event.at
    return Plan(event.plan, event.title or event.plan, at, simulation, replay.recorder_of(event), event.extra)


def _step(replay: StudyReplay, event: StepDeclared, plan: str) -> Step:
    scripts = tuple(replay.session.relative(path) for path in event.scripts)
    label, recorder = event.label or event.step, replay.recorder_of(event)
    return Step(event.step, event.plan or plan, label, scripts, _ORIGIN, event.at, recorder, event.extra)


def declared_recorders(replays: Sequence[StudyReplay]) -> list[Recorder]:
    """The recorders that study files declare."""
    return [
        Recorder(recorder_id(replay.recorder, event.id), replay.recorders[event.id], event.at.path)
        for replay in replays
        for event in replay.session.events
        if isinstance(event, RecorderDeclared)
    ]


def declared_deviations(replays: Sequence[StudyReplay], executions: Sequence[Execution]) -> list[Deviation]:
    """The deviations that observers recorded, each with the executions that it concerns; testimony's are remarks."""
    everything = tuple(e.id for e in executions)
    of_step: dict[str | None, tuple[str, ...]] = {}
    for execution in executions:
        of_step[execution.step] = (*of_step.get(execution.step, ()), execution.id)
    known = set(everything)
    found = []
    for replay in replays:
        for event in replay.session.events:
            if not isinstance(event, DeviationRecorded) or not replay.is_observer(event):
                continue
            concerned = everything  # neither an execution nor a step is named: it is about the study
            if event.executions:
                named = (f"{replay.prefix}{name}" for name in event.executions)
                concerned = tuple(name for name in dict.fromkeys(named) if name in known)
            elif event.step is not None:
                concerned = of_step.get(event.step, ())
            deviation = Deviation(
                id=f"deviation:{event.at}",
                about=event.about,
                message=event.message,
                at=(event.at,),
                executions=concerned,
                recorded=True,
                recorder=replay.recorder_of(event),
                extra=event.extra,
            )
            found.append(deviation)
    return found


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
        elif isinstance(event, DeviationRecorded) and not replay.is_observer(event):
            found = RemarkKind.SIMPLIFIED, event.message, event.step or ""
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
