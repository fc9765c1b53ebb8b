"""How a logged execution ended, from all that its recorders say of its end."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from provchain.events.logged import Ended, ExecutionEnded, ExecutionFailed, ExecutionKilled, ExecutionTimedOut
from provchain.history.calls import RUNS, Call
from provchain.history.endings import Endings
from provchain.inspection.status import Ending, reconcile_status
from provchain.model import Status

__all__ = ["logged_ending", "reconciled"]

_EXITS_AT_ONCE = re.compile(r"^\s*set\s+-\w*e|^#!.*\s-\w*e|\b(?:ba|z|da)?sh\s+-\w*e\w*\s", re.MULTILINE)


def logged_ending(event: Ended, calls: Sequence[Call], log: str | None) -> Ending:
    """How an execution ended, as one event says.

    Args:
        event: The event.
        calls: The commands that its command is made of; none where it is no command of a shell.
        log: What stands in the file that took its output, where it is known.

    Returns:
        Its status and what decided it.
    """
    text = "\n".join(filter(None, (event.output, log)))
    if isinstance(event, ExecutionTimedOut):
        limit = f" of {event.limit:f} s" if event.limit is not None and event.limit.is_finite() else ""
        return Ending(Status.ABORTED, "time-out", f"stopped at its time limit{limit if len(limit) < 40 else ''}")
    if isinstance(event, ExecutionKilled):
        why = " ".join(filter(None, (event.signal, event.reason)))
        return Ending(Status.ABORTED, "killed", f"killed{': ' + why if why else ''}")
    if isinstance(event, ExecutionFailed):
        ending = reconcile_status(is_error=True, exit_code=event.exit_code, text=text)
        status = ending.status if ending.status is not Status.COMPLETED else Status.FAILED
        return Ending(status, "recorded failure", event.error or ending.error)
    if event.exit_code is not None:
        ending = _by_exit_code(event, calls, text)
        if event.status in (Status.COMPLETED, Status.FAILED) and (event.exit_code == 0) != (
            event.status is Status.COMPLETED
        ):
            told = f"exit code {event.exit_code}, but status {event.status.value}"
            return Ending(Status.CONTRADICTED, f"its record contradicts itself ({told})", event.error)
        return ending
    if event.status in (Status.COMPLETED, Status.FAILED):
        ending = reconcile_status(is_error=event.status is Status.FAILED, text=text)
        source = ending.source if ending.source != "tool flag" else "recorded status"
        return Ending(ending.status, source, ending.error or event.error, ending.caught)
    source = "recorded status" if event.status is not None else "neither exit code nor status is recorded"
    return Ending(event.status or Status.UNKNOWN, source, event.error)


def _by_exit_code(event: ExecutionEnded, calls: Sequence[Call], text: str) -> Ending:
    """The exit code is that of the last command: one before it may have failed unseen (`train.py | tee log`)."""
    runs = [position for position, call in enumerate(calls) if call.effect.kind in RUNS]
    whole = reconcile_status(is_error=None, exit_code=event.exit_code, text=text)
    if not runs or event.exit_code != 0 or not _is_shell(calls):
        ending = whole
    else:
        run = msgspec.structs.replace(calls[0].run, exit_code=event.exit_code, output=text)
        endings = Endings(run, calls)
        found = [(position, endings.ending(position, text)) for position in runs]
        if not text.strip():
            found = [(p, _unheard(p, ending, calls, whole)) for p, ending in found]
        ending = next((one for _, one in found if one.status is not Status.COMPLETED), found[-1][1])
    error = event.error if ending.status is not Status.COMPLETED and event.error else ending.error
    return Ending(ending.status, ending.source, error, ending.caught)


def _is_shell(calls: Sequence[Call]) -> bool:
    """Whether a command runs programs that are known as such: `Trainer(cfg).fit(data)` is a call of another kind."""
    return any(call.effect.kind in ("python", "script") for call in calls)


def _unheard(position: int, ending: Ending, calls: Sequence[Call], whole: Ending) -> Ending:
    """The ending of a command of which nothing is heard: the exit code is its own if the shell passes it on.

    That an output is not recorded is no sign; where another process decides the code, and nothing is heard, it is unknown.
    """
    if ending.status is not Status.UNKNOWN:
        return ending
    call = calls[position]
    # A loop runs one script again and again: what it did at last is heard.
    later = [other.effect for other in calls[position + 1 :] if other.effect.kind != "setup"]
    last = all(effect.kind == call.effect.kind and effect.script == call.effect.script for effect in later)
    piped = call.effect.hides_status and any(other.command.connector in ("|", "|&") for other in calls)
    exits = _EXITS_AT_ONCE.search(call.run.command) is not None
    return whole if not piped and (last or exits) else ending


def reconciled(ends: Sequence[tuple[Ended, Ending]]) -> Ending:
    """One end out of all that are recorded; records that contradict each other leave none standing.

    Args:
        ends: The events, each with what it says.

    Example:
        >>> reconciled([]).status.value
        'running'
    """
    if not ends:
        return Ending(Status.RUNNING, "no end on record")
    endings = [ending for _, ending in ends]
    if len({ending.status for ending in endings}) == 1:
        return endings[0]
    told = ", ".join(f"{ending.status.value} at {event.at}" for event, ending in ends)
    error = next((ending.error for ending in endings if ending.error), None)
    return Ending(Status.CONTRADICTED, f"its records contradict each other ({told})", error)
