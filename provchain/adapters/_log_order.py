"""What logged events say of each other, whatever adapter gave them: nothing ends that never began, no name stands for nothing.

History builds on this: an execution that is read of has been started, and who attests an event is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from provchain.errors import Problem
from provchain.events.logged import (
    ExecutionStarted,
    LogCut,
    Logged,
    PlanDeclared,
    RecorderDeclared,
    StepDeclared,
    StudyDeclared,
)

__all__ = ["order_problems", "recorder_problems"]

_SHA256 = re.compile(r"\s*(?:sha256:)?[0-9a-f]{64}\s*", re.IGNORECASE)
_OWN_IDS = ((PlanDeclared, "plan"), (StepDeclared, "step"), (ExecutionStarted, "execution"))


def order_problems(path: str, events: Sequence[Logged]) -> list[Problem]:
    """Name every event that refers to something that the source has not declared before, and every digest that is none.

    Args:
        path: The source.
        events: Its events in order.

    Returns:
        The problems.

    Example:
        >>> from provchain.events.logged import ExecutionEnded
        >>> from provchain.model import Place
        >>> print(order_problems("a.log", [ExecutionEnded(at=Place("a.log", "7"), execution="e1")])[0])
        a.log: line 7.execution: expected the id of an execution that stands before it, found e1
    """
    found: list[Problem] = []
    plans: set[str] = set()
    steps: set[str] = set()
    executions: set[str] = set()
    known_ids = {"plan": plans, "step": steps, "execution": executions}

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
            if not any(isinstance(event, kind) and field == name for kind, name in _OWN_IDS):
                expect(event, field, known, what, getattr(event, field, None))
        for execution in getattr(event, "executions", ()):
            expect(event, "executions", executions, "an execution", execution)
        for kind, name in _OWN_IDS:
            if isinstance(event, kind):
                identifier = getattr(event, name)
                if not identifier or identifier in known_ids[name]:
                    expected = f"an id that no other {name} of this file has"
                    found.append(Problem(path, f"{_where(event)}.{name}", expected, identifier[:80] or "an empty one"))
                known_ids[name].add(identifier)
        found += _digest_problems(path, event)
    return found


def _digest_problems(path: str, event: Logged) -> Iterator[Problem]:
    """A digest that is no SHA-256 would agree with no file, and make every file look changed."""
    digest = getattr(event, "sha256", None)
    if digest and not _SHA256.fullmatch(digest):
        expected = "a SHA-256 digest: 64 hexadecimal digits"
        yield Problem(path, f"{_where(event)}.sha256", expected, ascii(digest[:80])[1:-1] or "an empty one")


def recorder_problems(path: str, events: Sequence[Logged]) -> list[Problem]:
    """Name every event that no recorder attests which the source has declared before it.

    Args:
        path: The source.
        events: Its events in order.

    Returns:
        The problems.
    """
    found: list[Problem] = []
    declared: set[str] = set()
    for event in events:
        if isinstance(event, RecorderDeclared):
            declared.add(event.id)
        elif isinstance(event, StudyDeclared | LogCut):
            continue
        elif not declared:
            found.append(Problem(path, _where(event), "a recorder-declared event before it: who attests it", ""))
            break
        elif event.recorder and event.recorder not in declared:
            expected = f"one of its recorders ({', '.join(sorted(declared))})"
            found.append(Problem(path, f"{_where(event)}.recorder", expected, event.recorder[:80]))
    return found


def _where(event: Logged) -> str:
    locator = event.at.locator
    return locator if locator.startswith("/") else f"line {locator}"
