"""Which modules the record shows to be missing when a Python program starts.

A module is missing once a Python program said so (``No module named 'x'``), until something may have installed it or another
interpreter may have taken over. Wherever that is not clear, nothing is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from provchain.events import CommandRun
from provchain.history.calls import Call, Session
from provchain.history.snapshots import Snapshot

__all__ = ["missing_modules"]

_SAID = re.compile(r"No module named ['\"]?([A-Za-z_][\w.]*)")
_INSTALLS = re.compile(
    r"\b(?:pip[\d.]*|uv|conda|mamba|micromamba|poetry|pdm|rye|pixi|pipenv|apt|apt-get|easy_install|setup\.py)\b['\", ]"
    r"[^\n;&|]*\b(?:install|add|sync|create|update|upgrade|develop)\b|\beasy_install\b"
)
_SWITCHES = re.compile(
    r"\bactivate\b|\bdeactivate\b|\bexport +(?:PATH|PYTHONPATH|CONDA_\w+|VIRTUAL_ENV)=|\bmodule +load\b"
    r"|\bvenv\b|\bvirtualenv\b"
)
_INSTALLED = re.compile(r"^Successfully installed (.+)$", re.MULTILINE)
_SATISFIED = re.compile(r"^Requirement already satisfied", re.MULTILINE)
_VERSION = re.compile(r"-\d[^-]*$")
_NAMED_ELSE = {  # modules whose distribution has another name
    "sklearn": "scikitlearn",
    "skimage": "scikitimage",
    "cv2": "opencv",
    "PIL": "pillow",
    "bs4": "beautifulsoup",
    "fitz": "pymupdf",
    "mpl_toolkits": "matplotlib",
    "pkg_resources": "setuptools",
}
_RUNNERS = frozenset(
    {"conda", "mamba", "micromamba", "uv", "poetry", "pipenv", "pdm", "rye", "hatch", "pixi", "docker"}
)


def missing_modules(session: Session, snapshots: Mapping[str, Snapshot]) -> dict[str, frozenset[str]]:
    """Say for each execution of a trace which modules are missing where it runs.

    Args:
        session: The trace.
        snapshots: What each execution ran, by its id.

    Returns:
        The names of the modules, by id of the execution; executions for which nothing is known to be missing are left out.
    """
    ran: dict[int, list[tuple[str, Snapshot]]] = {}
    for identifier, snapshot in snapshots.items():
        ran.setdefault(id(snapshot.call.run), []).append((identifier, snapshot))
    record = _Record()
    found = {}
    for index in sorted(session.calls):
        for event in {id(call.run): call.run for call in session.calls[index]}.values():
            own = ran.get(id(event), [])
            texts = {s.sources[m] for _, s in own for m in s.footprint.modules if m in s.sources}
            record.note(event, session.calls[index], texts)
            for identifier, snapshot in own:
                if missing := record.of(snapshot.call):
                    found[identifier] = missing
    return found


class _Record:
    """What is missing, for each interpreter, as the record goes on."""

    def __init__(self) -> None:
        self._by_interpreter: dict[tuple[str, ...], frozenset[str]] = {}

    def of(self, call: Call) -> frozenset[str]:
        """The modules that are missing where a command runs Python itself."""
        if call.effect.kind != "python":
            return frozenset()
        return self._by_interpreter.get(_interpreter(call), frozenset())

    def note(self, event: CommandRun, calls: Sequence[Call], texts: Iterable[str]) -> None:
        """Follow one call of the record.

        Args:
            event: The call.
            calls: Its commands.
            texts: The scripts that it runs: what they install counts as well.
        """
        if _SWITCHES.search(event.command):
            self._by_interpreter.clear()
        elif _INSTALLS.search(event.command):
            self._installed(event)
        elif any(_INSTALLS.search(text) for text in texts):
            self._by_interpreter.clear()
        else:
            self._said(event, calls)

    def _said(self, event: CommandRun, calls: Sequence[Call]) -> None:
        """Note what Python programs said; where several interpreters speak, nobody knows which one did."""
        spoken = {_interpreter(call) for call in calls if call.effect.kind in ("python", "script", "program")}
        names = frozenset(match.rstrip(".") for match in _SAID.findall(event.output or ""))
        if not names or len(spoken) != 1 or any(call.effect.kind in ("script", "program") for call in calls):
            return
        interpreter = spoken.pop()
        self._by_interpreter[interpreter] = self._by_interpreter.get(interpreter, frozenset()) | names

    def _installed(self, event: CommandRun) -> None:
        """Take away what was installed: what the installer lists, everything where it lists nothing."""
        output = event.output or ""
        listed = [word for line in _INSTALLED.findall(output) for word in line.split()]
        failed = event.is_error is True or event.exit_code not in (None, 0)
        if not listed and event.output is not None and (failed or _SATISFIED.search(output)) and not event.background:
            return
        if not listed or event.truncated or event.background:
            self._by_interpreter.clear()
            return
        here = [_plain(_VERSION.sub("", word)) for word in listed]
        for interpreter, names in self._by_interpreter.items():
            self._by_interpreter[interpreter] = frozenset(name for name in names if not _is_among(name, here))


def _interpreter(call: Call) -> tuple[str, ...]:
    """What tells one installation of Python from another: how it is called."""
    argv, inner = call.command.argv, call.effect.argv
    before = argv[: len(argv) - len(inner)]
    return (*(before if _RUNNERS.intersection(before) else ()), *inner[:1])


def _is_among(name: str, distributions: Sequence[str]) -> bool:
    """Whether a module can belong to one of some distributions: their names are close."""
    module = name.partition(".")[0]
    sought = _plain(_NAMED_ELSE.get(module, module))
    return any(sought in one or one in sought for one in distributions)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
