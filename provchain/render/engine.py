"""Running a layout program: DOT text in, bytes out, nothing left on the disk.

The program is graphviz-pure, which comes as a dependency, so that no system Graphviz is needed; a system ``dot`` is
used only when it is asked for.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from importlib import metadata
from pathlib import Path

from provchain.errors import ProvchainError

__all__ = ["draw"]

_TIME_LIMIT_S = 60  # a slice has at most some thirty things and takes 0.02 s


def draw(dot: str, form: str, *, engine: str = "graphviz-pure", dpi: int | None = None) -> bytes:
    """Lay out a graph and draw it.

    Args:
        dot: The graph.
        form: ``"svg"`` or ``"png"``.
        engine: ``"graphviz-pure"``, or ``"dot"`` for the Graphviz of the system.
        dpi: Pixels an inch, for ``"png"``.

    Returns:
        The drawing.

    Raises:
        ProvchainError: The program is not there, or could not draw the graph.

    Example:
        >>> draw("digraph { a -> b }", "png")[1:4]
        b'PNG'
    """
    command = [_program(engine), f"-T{form}", "-q", *([f"-Gdpi={dpi}"] if dpi else [])]
    try:
        done = subprocess.run(  # noqa: S603 -- the program is ours, the arguments are fixed, the graph goes by stdin
            command, input=dot.encode(), capture_output=True, timeout=_TIME_LIMIT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ProvchainError(f"{engine} could not draw the chain: {error}", hint=_HINTS.get(engine, "")) from error
    if done.returncode or not done.stdout:
        reason = done.stderr.decode(errors="replace").strip().splitlines()
        raise ProvchainError(f"{engine} could not draw the chain: {reason[-1] if reason else 'no output'}")
    return done.stdout


_HINTS = {
    "graphviz-pure": 'pip install "graphviz-pure>=0.2.2"',
    "dot": "install Graphviz, or leave the engine to graphviz-pure",
}


@cache
def _program(engine: str) -> str:
    if engine not in _HINTS:
        raise ProvchainError(
            f"no layout engine {engine!r}", hint="graphviz-pure, or dot for the Graphviz of the system"
        )
    found = (_installed() if engine == "graphviz-pure" else None) or shutil.which(engine)
    if found is None:
        raise ProvchainError(f"the layout program {engine} is not installed", hint=_HINTS[engine])
    return found


def _installed() -> str | None:
    """The program of the installed package: an environment that is not activated has its scripts not on the PATH."""
    try:
        files = metadata.files("graphviz-pure") or []
    except metadata.PackageNotFoundError:
        files = []
    places = [Path(str(file.locate())) for file in files if file.stem == "graphviz-pure"]
    places.append(Path(sys.executable).parent / "graphviz-pure")
    return next((str(place.resolve()) for place in places if place.is_file() and os.access(place, os.X_OK)), None)
