"""What was done otherwise than planned or reported.

Another set-up than the plan's, a script in the place of a step, a value that a rerun replaced.

A deviation is recorded (the study's own record says so), disclosed (a manuscript says so), or neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from provchain.auditing._deviations.differences import Difference, find_differences
from provchain.auditing._deviations.ran import what_was_run
from provchain.auditing._deviations.told import Told, sentences_of, told_of
from provchain.auditing.planned_numbers import proposals_of
from provchain.history import History
from provchain.model import (
    Deviation,
    Execution,
    Finding,
    Judgement,
    Kind,
    Outcome,
    RemarkKind,
    Severity,
    Status,
    Strength,
    Study,
    Value,
)

__all__ = [
    "deviation_findings",
    "is_planned",
    "planned_deviations",
    "recorded_deviations",
    "substitute_deviations",
    "superseded_claims",
]

_OURS = "provchain"
_MOST = 60  # deviations of one study
_MOST_PLACES = 8
_MOST_SAID = 5
_PLANNED = "deviation:planned:"  # how the ids of those begin that a plan was compared for
_THINGS = {"data": "data set", "model": "model", "metric": "measure", "baseline": "baseline"}


def recorded_deviations(study: Study, *, disclosed: bool) -> list[Deviation]:
    """The deviations that the study's own record names.

    Args:
        study: The study.
        disclosed: Whether one of its manuscripts says that something was changed.

    Returns:
        The same deviations, each with whether a reader was told.
    """
    return [msgspec.structs.replace(deviation, disclosed=disclosed) for deviation in study.deviations]


def substitute_deviations(study: Study, *, disclosed: bool) -> list[Deviation]:
    """The substitutes of a study as deviations in the step.

    Args:
        study: The study.
        disclosed: Whether one of its manuscripts says that something was changed.

    Returns:
        One deviation for each completed substitute that left something.
    """
    return [
        Deviation(
            id=f"deviation:{execution.id}",
            about="step",
            message=f"{execution.script} ran in the place of a planned step that had failed",
            at=(execution.at,),
            executions=(execution.id,),
            disclosed=disclosed,
        )
        for execution in study.executions
        if execution.substitute and execution.status is Status.COMPLETED and execution.script and execution.generated
    ]


def superseded_claims(study: Study, judgements: Mapping[str, Judgement]) -> dict[str, Execution]:
    """Claims that hold by an execution of which the same command was completed again later, with another value.

    Args:
        study: The study.
        judgements: The verdicts by claim id.

    Returns:
        For each such claim id the later execution.
    """
    order = {execution.id: index for index, execution in enumerate(study.executions)}
    by_id = {execution.id: execution for execution in study.executions}
    again: dict[tuple[str, str], list[Execution]] = {}
    for execution in study.executions:
        if execution.step is not None and execution.status is Status.COMPLETED:
            again.setdefault((execution.step, execution.command), []).append(execution)
    found: dict[str, Execution] = {}
    for claim, judgement in judgements.items():
        writers = {e.execution for e in judgement.evidence if e.execution in by_id}
        if judgement.outcome is not Outcome.PASSED or not writers:
            continue
        last = max((by_id[writer] for writer in writers if writer), key=lambda e: order[e.id])
        later = [e for e in again.get((last.step or "", last.command), ()) if order[e.id] > order[last.id]]
        if later:
            found[claim] = later[-1]
    return found


# --------------------------------------------------------------------------------------- planned against what ran


def planned_deviations(history: History, settings: Sequence[Value], manuscripts: Mapping[str, str]) -> list[Deviation]:
    """Where the data, models, measures, baselines, seeds and numbers that ran are not those of the plan.

    They concern the study as a whole, and stand on the chain of no claim: no verdict rests on them.

    Args:
        history: What became of the study.
        settings: The values of the configurations and command lines of what ran.
        manuscripts: Path of each manuscript to its text.

    Returns:
        The deviations, each with who was told.

    Spec: docs/reference/verdicts.md, "Deviations from the plan".
    """
    study = history.study
    proposals = {path: text for path, text in proposals_of(study.artifacts, history.texts).items() if text}
    if not history.recorded or not proposals or not manuscripts:
        return []
    differences = find_differences(proposals, what_was_run(history), settings)[:_MOST]
    if not differences:
        return []
    said, own_words = sentences_of(manuscripts), sentences_of(_own_words(history, manuscripts), of_changes=True)
    entries = [deviation for deviation in study.deviations if deviation.recorded]
    return [
        _deviation(number, one, told_of(one, said, own_words), entries) for number, one in enumerate(differences, 1)
    ]


def _deviation(number: int, difference: Difference, told: Told, entries: Sequence[Deviation]) -> Deviation:
    noted = any(entry.about == difference.about for entry in entries)
    claimed = f"; {told.claimed} speaks of it as used" if told.claimed and not told.disclosed else ""
    return Deviation(
        id=f"{_PLANNED}{number}",
        about=difference.about,
        message=_message(difference) + claimed,
        at=(*difference.plan_at[:_MOST_PLACES], *difference.ran_at),
        recorded=bool(told.recorded) or noted,
        disclosed=bool(told.disclosed),
        recorder=_OURS,
        planned=difference.planned,
        ran=difference.ran,
    )


def _message(difference: Difference) -> str:
    about, planned, ran = difference.about, difference.planned, difference.ran
    if about == "participants":
        return "a study with people is planned, and nothing that ran has any"
    if about in _THINGS:
        thing, verb = _THINGS[about], "loads" if about == "data" else "uses"
        if not planned:
            return f"the code loads the {thing} {ran}, and the plan names others"
        instead = f"; its code loads {ran}" if ran else ""
        return f"the planned {thing} {planned}: nothing that ran {verb} it{instead}"
    if difference.thing in ("batch size", "learning rate"):
        return f"a {difference.thing} of {planned} is planned, and {ran} was set"
    if about == "seeds":
        return f"{planned} seeds are planned, and {ran} {'was' if ran == '1' else 'were'} used"
    return f"{planned} {difference.thing} are planned, and {ran} {'was' if ran == '1' else 'were'} set"


def is_planned(deviation: Deviation) -> bool:
    """Whether a deviation was found by comparing a plan with what ran, and not told by the study."""
    return deviation.id.startswith(_PLANNED)


def _own_words(history: History, manuscripts: Mapping[str, str]) -> dict[str, str]:
    """What the run itself says of how it went: its logs, its output, its notes, and what its agent said it simplified."""
    found: dict[str, str] = {}
    for artifact in history.study.artifacts:
        if artifact.kind in (Kind.LOG, Kind.STREAM) and artifact.path not in manuscripts:
            found[artifact.id] = history.texts.get(artifact.id, "")
    for remark in history.study.remarks:
        if remark.kind is RemarkKind.SIMPLIFIED and remark.speaker != "manuscript":
            found[str(remark.at)] = remark.text
    return found


def deviation_findings(deviations: Sequence[Deviation]) -> Iterator[Finding]:
    """The deviations from a plan that nobody was told of, and those that only the run's own record tells.

    Args:
        deviations: The deviations of a study.

    Returns:
        One finding for each kind of thing: ``undisclosed-deviation`` for what is neither recorded nor disclosed,
        ``recorded-deviation`` for what is recorded.
    """
    ours = [one for one in deviations if is_planned(one)]
    for about in dict.fromkeys(one.about for one in ours):
        own = [one for one in ours if one.about == about]
        hidden = [one for one in own if not one.recorded and not one.disclosed]
        if hidden:
            said = "; ".join(one.message for one in hidden[:_MOST_SAID])
            more = f"; and {len(hidden) - _MOST_SAID} more" if len(hidden) > _MOST_SAID else ""
            message = f"{said}{more}. No manuscript tells"
            places = tuple(dict.fromkeys(place for one in hidden for place in one.at))[:_MOST_PLACES]
            yield Finding("undisclosed-deviation", Severity.WARNING, Strength.HINT, message, places)
        for one in own:
            if one.recorded:
                told = "and a manuscript says so" if one.disclosed else "and no manuscript says so"
                message = f"the run's own record tells of a deviation in {about}, {told}: {one.message}"
                yield Finding("recorded-deviation", Severity.NOTE, Strength.HINT, message, one.at[:_MOST_PLACES])
