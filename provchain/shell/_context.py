"""Where a command stands: the groups around it, their streams, and whether it must run."""

from __future__ import annotations

from dataclasses import dataclass

from provchain.shell._syntax import Redirect

__all__ = ["Context", "Streams"]


@dataclass(slots=True)
class Streams:
    """The redirects of a group; what the first command creates, the next ones append to."""

    redirects: list[Redirect]
    stdin: tuple[str, bool] | None = None
    reader: int | None = None

    def appended(self) -> None:
        """Note that a command has opened them."""
        self.redirects = [Redirect(one.fd, ">>", one.target) if one.op == ">" else one for one in self.redirects]


@dataclass(frozen=True, slots=True)
class Context:
    """Where a command stands."""

    guarded: bool = False
    visible: bool = True
    background: bool = False
    substituted: bool = False
    unrolled: bool = False
    both: bool = False  # its errors go into the pipe too (``|&``)
    depth: int = 0
    streams: tuple[Streams, ...] = ()
    pipeline: int = 0
    position: int = 0
    last: bool = True
