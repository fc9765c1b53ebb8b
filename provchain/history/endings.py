"""How each command of one call ended, from the one flag that the call has."""

from __future__ import annotations

from collections.abc import Sequence

from provchain.events import CommandRun
from provchain.history.calls import RUNS, Call
from provchain.inspection.status import Ending, reconcile_status
from provchain.model import Status

__all__ = ["Endings"]


class Endings:
    """Shares out the flag of a call among its commands.

    Args:
        event: The call.
        calls: Its commands.
    """

    def __init__(self, event: CommandRun, calls: Sequence[Call]) -> None:
        self.event = event
        self.calls = calls
        runs = [i for i, call in enumerate(calls) if call.effect.kind in RUNS]
        # The flag is that of the last command; in a chain of && the last program is the likely one to have failed.
        self.decider = len(calls) - 1
        if event.is_error and runs and all(call.command.connector == "&&" for call in calls[runs[-1] + 1 :]):
            self.decider = runs[-1]
        self.never_started = bool(event.is_error) and not event.timed_out and _cd_failed(event.output or "")

    def started(self, position: int) -> bool:
        """Whether the command was started at all, as far as the flag tells."""
        if self.never_started and self.calls[position].effect.kind in RUNS:
            return False
        failed = bool(self.event.is_error) and position > self.decider
        return not (failed and self.calls[position].command.connector == "&&")

    def decides(self, position: int) -> bool:
        """Whether the call's flag and exit code are this command's."""
        return position == self.decider and not self.calls[position].effect.hides_status

    def owns_output(self, position: int) -> bool:
        """Whether the call's output is this command's, as far as can be told: the last program of the call has it."""
        runs = [i for i, call in enumerate(self.calls) if call.effect.kind in RUNS]
        return bool(runs) and position == runs[-1]

    def ending(self, position: int, text: str, text_from: str = "output") -> Ending:
        """Reconcile the status of one command."""
        event, call = self.event, self.calls[position]
        later = self.calls[position + 1 :]
        background = call.command.background or event.background
        chained = all(other.command.connector in ("&&", "|", "|&") for other in later)
        hidden = call.effect.hides_status or (position != self.decider and (bool(event.is_error) or not chained))
        if position < self.decider and event.is_error and chained and not call.effect.hides_status:
            return Ending(Status.COMPLETED, "the command after it was reached")
        if call.command.guarded and not call.effect.hides_status:
            hidden = True
        if call.effect.kind in ("copy", "move", "look") and not event.is_error:
            return Ending(Status.COMPLETED, "tool flag")
        return reconcile_status(
            is_error=event.is_error,
            exit_code=event.exit_code,
            timed_out=event.timed_out and position == self.decider,
            answered=event.output is not None or event.is_error is not None or event.timed_out,
            background=background,
            hidden=hidden or background,
            driver=call.effect.kind == "script",
            text=text,
            text_from=text_from,
        )


def _cd_failed(output: str) -> bool:
    first = output.strip().split("\n", 1)[0]
    return ": cd: " in first or first.startswith("cd: ")
