"""What was done otherwise than planned or reported: a script in the place of a step, a value that a rerun replaced."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from provchain.model import Deviation, Execution, Judgement, Outcome, Status, Study

__all__ = ["recorded_deviations", "substitute_deviations", "superseded_claims"]


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
