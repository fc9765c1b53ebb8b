"""The places that a declaration names: a file and a selector in it, a whole file, or what an execution left."""

from __future__ import annotations

import difflib
import posixpath
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from provchain.model import Artifact, Execution, Operand, Value

__all__ = ["Found", "MissingPlaceError", "Places", "named"]

_MOST_SELECTORS = 2_000  # compared with one that is not there, to find the one that was meant
_MOST_HINTS = (
    20  # of these comparisons in one study: they are slow, and who mistypes a hundred paths looks for one cause
)
_LONGEST_HINTED = 300  # characters


class MissingPlaceError(Exception):
    """A declared place that is not there, or does not hold what it should. Never leaves the linking."""


class Found(NamedTuple):
    """The numbers at a place.

    Attributes:
        values: The numbers.
        named: The place singles them out; else they are all that is below it, and one of them has to be found.
        place: The place in words.
    """

    values: Sequence[Value]
    named: bool
    place: str


class Places:
    """The artifacts, values and executions of a study, by what a declaration calls them.

    Args:
        artifacts: The artifacts.
        values_of: Gives the values of an artifact by its id.
        executions: The executions.
    """

    def __init__(
        self,
        artifacts: Iterable[Artifact],
        values_of: Callable[[str], Sequence[Value]],
        executions: Iterable[Execution],
    ) -> None:
        self._by_id: dict[str, Artifact] = {}
        self._last: dict[str, Artifact] = {}
        for artifact in artifacts:
            self._by_id[artifact.id] = artifact
            known = self._last.get(artifact.path)
            if known is None or artifact.ordinal >= known.ordinal:
                self._last[artifact.path] = artifact
        self._by_name: dict[str, list[str]] = {}
        for known_path in self._last:
            self._by_name.setdefault(posixpath.basename(known_path), []).append(known_path)
        self._hints: dict[str, str] = {}
        self._executions = {execution.id: execution for execution in executions}
        self._read = values_of
        self._values: dict[str, Sequence[Value]] = {}

    def artifact(self, path: str, manuscript: str) -> Artifact:
        """The last state of a path, or the artifact of that id; never the claim's own manuscript, nor a copy of it."""
        found = self._last.get(path) or self._by_id.get(path)
        if found is None:
            raise MissingPlaceError(f"the study has no file {path!r}{self._meant(path)}")
        if self._is_own(found, manuscript):
            raise MissingPlaceError("a manuscript is no evidence for itself: name what an execution left")
        return found

    def _meant(self, path: str) -> str:
        """The file that was meant: of the same name in another folder, else one of a similar path."""
        if path not in self._hints:
            name = posixpath.basename(path)
            same = self._by_name.get(name, [])
            asked = len(self._hints) < _MOST_HINTS and len(path) <= _LONGEST_HINTED
            close = same[:1] or (difflib.get_close_matches(path, self._near(name), n=1) if asked else [])
            self._hints[path] = f"; there is {close[0]!r}" if close else ""
        return self._hints[path]

    def _near(self, name: str) -> list[str]:
        """Some paths to compare with: those whose names are about as long first, since there may be very many."""
        return sorted(self._last, key=lambda path: abs(len(posixpath.basename(path)) - len(name)))[:_MOST_SELECTORS]

    def _is_own(self, artifact: Artifact, manuscript: str) -> bool:
        own = self._last.get(manuscript)
        same = own is not None and own.sha256 is not None and artifact.sha256 == own.sha256
        return artifact.path == manuscript or same

    def generated(self, identifier: str, manuscript: str) -> list[Artifact]:
        """What an execution left, without the claim's own manuscript."""
        execution = self._executions.get(identifier)
        if execution is None:
            hint = self._hints.get(f"\0{identifier}")
            if hint is None:
                asked = len(self._hints) < _MOST_HINTS and len(identifier) <= _LONGEST_HINTED
                known = list(self._executions)[:_MOST_SELECTORS]
                close = difflib.get_close_matches(identifier, known, n=3) if asked else []
                hint = f"; there is {', '.join(map(repr, close))}" if close else ""
                self._hints[f"\0{identifier}"] = hint
            raise MissingPlaceError(f"no execution {identifier!r} is on record{hint}")
        left = [self._by_id[one] for one in execution.generated if one in self._by_id]
        left = [artifact for artifact in left if not self._is_own(artifact, manuscript)]
        if not left:
            raise MissingPlaceError(f"execution {identifier!r} left nothing on record")
        return left

    def values(self, artifact: Artifact) -> Sequence[Value]:
        """The numbers of an artifact."""
        if artifact.id not in self._values:
            self._values[artifact.id] = self._read(artifact.id)
        return self._values[artifact.id]

    def numbers(self, operand: Operand, manuscript: str) -> Found:
        """The numbers at a place, for a claim of a manuscript."""
        if operand.execution:
            values = [
                value for artifact in self.generated(operand.execution, manuscript) for value in self.values(artifact)
            ]
            return Found(values, False, f"what execution {operand.execution!r} left")
        artifact = self.artifact(operand.artifact, manuscript)
        values = list(self.values(artifact))
        if not values:
            raise MissingPlaceError(f"no number can be read in {operand.artifact!r}: name a file that holds it as text")
        if not operand.selector:
            return Found(values, False, repr(operand.artifact))
        place = f"{operand.artifact}:{operand.selector}"
        if singled := named(values, operand.selector):
            return Found(singled, True, place)
        below = [value for value in values if value.selector.startswith(operand.selector.rstrip("/") + "/")]
        if below and operand.selector.startswith(("/", "line=")):
            return Found(below, False, place)
        selectors = dict.fromkeys(value.selector for value in values[:_MOST_SELECTORS])
        asked = len(self._hints) < _MOST_HINTS and len(operand.selector) <= _LONGEST_HINTED
        close = difflib.get_close_matches(operand.selector, selectors, n=1) if asked else []
        hint = f"; there is {close[0]!r}" if close else ""
        self._hints[f"{operand.artifact}\0{operand.selector}"] = hint
        raise MissingPlaceError(f"{operand.artifact!r} holds no number at {operand.selector!r}{hint}")


def named(values: Iterable[Value], selector: str) -> list[Value]:
    """The numbers at a selector: itself first, then those that share its line, cell or string."""
    exact, beside = [], []
    for value in values:
        if value.selector == selector:
            exact.append(value)
        elif value.selector.startswith(f"{selector};"):
            beside.append(value)
    return exact + beside
