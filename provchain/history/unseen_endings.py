"""How processes ended whose end nobody saw: left in the background, or followed by others in one call."""

from __future__ import annotations

from collections.abc import Collection

from provchain.history.calls import Call
from provchain.history.programs import Footprint
from provchain.inspection.status import Ending, last_error
from provchain.kinds import kind_of
from provchain.model import Kind, Status

__all__ = ["settled_ending"]

_RESULTS = (Kind.RESULT, Kind.DATA, Kind.FIGURE, Kind.MANUSCRIPT, Kind.CHECKPOINT)
_SENT_AWAY = ("2>", "&>")


def settled_ending(ending: Ending, call: Call, trail: Footprint, log: str, disk: Collection[str]) -> Ending:
    """Take a process for completed whose end is not on record, where everything that it does is there.

    Args:
        ending: How it ended as far as its call says.
        call: Its call.
        trail: What its scripts do to files.
        log: What it printed, as far as known.
        disk: The paths that lie in the study.

    Returns:
        The same ending, or that it completed, with the reason.
    """
    if ending.status is Status.RUNNING:
        kept = call.effect.stream_to in disk and bool(log.strip()) and last_error(log) is None
        if kept and _left_all(trail, disk):
            return Ending(Status.COMPLETED, "its log ends without an error and all files that it writes are there")
    elif ending.hidden and not any(way in call.command.text for way in _SENT_AWAY) and _left_all(trail, disk):
        # A program that fails says so, unless what it says is sent away.
        return Ending(Status.COMPLETED, "it printed no error and all files that it writes are there")
    return ending


def _left_all(trail: Footprint, disk: Collection[str]) -> bool:
    """Whether all files of results that scripts write by name lie there."""
    named = {effect.pattern for effect in trail.writes if "*" not in effect.pattern and effect.mode == "write"}
    results = {path for path in named if kind_of(path) in _RESULTS}
    return bool(results) and results.issubset(disk)
