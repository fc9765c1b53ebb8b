"""What the events of a study file say of each other: nothing ends that never began, and no name stands for nothing."""

from __future__ import annotations

from collections.abc import Sequence

from provchain.errors import Problem
from provchain.events.logged import (
    ExecutionStarted,
    Logged,
    PlanDeclared,
    StepDeclared,
)

__all__ = ["order_problems"]


def order_problems(path: str, events: Sequence[Logged]) -> list[Problem]:
    """Name every event that refers to something that the file has not declared before.

    Args:
        path: The file.
        events: Its events in order.

    Returns:
        The problems.
    """
    found: list[Problem] = []
    plans: set[str] = set()
    steps: set[str] = set()
    executions: set[str] = set()

    def expect(event: Logged, field: str, known: set[str], what: str, wanted: object) -> None:
        if wanted and wanted not in known:
            expected = f"the id of {what} that stands before it"
            found.append(Problem(path, f"{_where(event)}.{field}", expected, str(wanted)[:80]))

    for event in events:
        for field, known, what in (
            ("plan", plans, "a plan"),
            ("step", steps, "a step"),
            ("in_place_of", steps, "a step"),
            ("execution", executions, "an execution"),
        ):
            own = (PlanDeclared, "plan"), (StepDeclared, "step"), (ExecutionStarted, "execution")
            if not any(isinstance(event, kind) and field == name for kind, name in own):
                expect(event, field, known, what, getattr(event, field, None))
        for execution in getattr(event, "executions", ()):
            expect(event, "executions", executions, "an execution", execution)
        for kind, known, name in (
            (PlanDeclared, plans, "plan"),
            (StepDeclared, steps, "step"),
            (ExecutionStarted, executions, "execution"),
        ):
            if isinstance(event, kind):
                identifier = getattr(event, name)
                if not identifier or identifier in known:
                    expected = f"an id that no other {name} of this file has"
                    found.append(Problem(path, f"{_where(event)}.{name}", expected, identifier[:80] or "an empty one"))
                known.add(identifier)
    return found


def _where(event: Logged) -> str:
    locator = event.at.locator
    return locator if locator.startswith("/") else f"line {locator}"
