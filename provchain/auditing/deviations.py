"""What was done otherwise than planned: so far, another script in the place of a planned step."""

from __future__ import annotations

from provchain.model import Deviation, Status, Study

__all__ = ["substitute_deviations"]


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
