"""What an execution ran, kept for inspection: its scripts as they stood then, and what they do to files."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from provchain.history.calls import Call
from provchain.history.programs import Footprint

__all__ = ["Snapshot"]


class Snapshot(Struct, frozen=True):
    """What an execution ran, as it stood then.

    Attributes:
        sources: Texts of the scripts by path.
        footprint: What its scripts do to files.
        call: The command.
        sinks: For each artifact it left, the places in its scripts that wrote it.
        unseen: Files that its scripts name as input and that nothing on record had written by then.
    """

    sources: Mapping[str, str]
    footprint: Footprint
    call: Call
    sinks: dict[str, tuple[tuple[str, int], ...]]
    unseen: list[str]
