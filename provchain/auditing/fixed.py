"""Which values that claims rest on are fixed by the script that wrote them, whatever happens.

A number that is put in the place of an error counts only where something shows that the error was caught: the words that the
script prints then, or so many digits that no computation would come to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from provchain.auditing.closure import original
from provchain.history import Invented
from provchain.inspection.fixed_values import FixedValue, fixed_values
from provchain.linking.words import split_words
from provchain.model import Artifact, Execution, Finding, Kind, Link, Place, Role, Severity, Strength, Study, Value

__all__ = ["fixed_findings", "mark_fixed"]

_INVENTED = "random numbers and literals alone make it up"
_AGGREGATES = frozenset(["mean", "std", "median", "minimum", "maximum", "final", "best", "last"])
_TELLING = 3  # significant digits that a computation hardly comes to by chance


def mark_fixed(
    study: Study, links: Iterable[Link], values: dict[str, Value], texts: Mapping[str, str], invented: Invented
) -> None:
    """Mark the operands that are fixed by the script that wrote them.

    Args:
        study: The study.
        links: The links whose operands are looked at.
        values: The operands that are values, by id; marked ones are replaced.
        texts: What artifacts hold.
        invented: What scripts made up inside files that hold real values too.
    """
    scripts = _Scripts(study, texts)
    for operand in sorted({operand for link in links for operand in link.operands}):
        value = values.get(operand)
        if value is None or value.artifact not in scripts.artifacts or value.typed_in:
            continue
        source = original(scripts.artifacts[value.artifact], scripts.artifacts)
        if place := _invented_at(value, invented.get(source.id, {})):
            values[operand] = msgspec.structs.replace(value, fixed_in=place, fixed_by=_INVENTED)
            continue
        for path, fixed in scripts.behind(scripts.artifacts[value.artifact]):
            if _is_it(value, fixed, scripts):
                place = f"{path}:{fixed.line}"
                values[operand] = msgspec.structs.replace(value, fixed_in=place, fixed_by=fixed.what)
                break


def fixed_findings(values: Sequence[Value]) -> Iterator[Finding]:
    """Tell of each place that fixes values on which claims rest.

    Args:
        values: The values that claims rest on.

    Yields:
        The findings ``fixed-result``.
    """
    by_place: dict[tuple[str, str], list[Value]] = {}
    for value in values:
        if value.fixed_in:
            by_place.setdefault((value.fixed_in, value.fixed_by), []).append(value)
    for (place, how), fixed in by_place.items():
        shown = f"{fixed[0].path}:{fixed[0].selector.partition(';')[0]}"
        more = f" and {len(fixed) - 1} more" if len(fixed) > 1 else ""
        message = f"{how}: what comes out is no result ({shown}{more})"
        yield Finding("fixed-result", Severity.ERROR, Strength.STRONG, message, (Place(*place.rsplit(":", 1)),))


class _Scripts:
    """What the scripts behind each artifact fix, each script read once."""

    def __init__(self, study: Study, texts: Mapping[str, str]) -> None:
        self.artifacts: dict[str, Artifact] = {artifact.id: artifact for artifact in study.artifacts}
        self._executions: dict[str, Execution] = {execution.id: execution for execution in study.executions}
        self._texts = texts
        self._fixed: dict[str, list[tuple[str, FixedValue]]] = {}
        self._read: dict[str, list[FixedValue]] = {}
        self._said: dict[str, str] = {}

    def execution_of(self, artifact: Artifact) -> Execution | None:
        return self._executions.get(original(artifact, self.artifacts).writer or "")

    def behind(self, artifact: Artifact) -> list[tuple[str, FixedValue]]:
        execution = self.execution_of(artifact)
        if execution is None:
            return []
        if execution.id not in self._fixed:
            code = [u.artifact for u in execution.used if u.role is Role.CODE and u.artifact in self._texts]
            scripts = [
                self.artifacts[i] for i in code if i in self.artifacts and self.artifacts[i].path.endswith(".py")
            ]
            self._fixed[execution.id] = [(a.path, fixed) for a in scripts for fixed in self._values_of(a.id)]
        return self._fixed[execution.id]

    def _values_of(self, identifier: str) -> list[FixedValue]:
        if identifier not in self._read:
            self._read[identifier] = fixed_values(self._texts[identifier])
        return self._read[identifier]

    def said(self, execution: Execution) -> str:
        """What an execution printed and logged, as far as known."""
        if execution.id not in self._said:
            kinds = (Kind.STREAM, Kind.LOG)
            shown = (self._texts.get(i, "") for i in execution.generated if self.artifacts[i].kind in kinds)
            self._said[execution.id] = "\n".join(shown)
        return self._said[execution.id]


def _is_it(value: Value, fixed: FixedValue, scripts: _Scripts) -> bool:
    if not value.labels or not _is_named(value.labels, fixed.names):
        return False
    if fixed.number is None:
        return True
    if value.number != fixed.number:
        return False
    execution = scripts.execution_of(scripts.artifacts[value.artifact])
    said = scripts.said(execution) if execution is not None else ""
    if fixed.said and said:
        return fixed.said in said
    return len(fixed.number.normalize().as_tuple().digits) >= _TELLING


def _invented_at(value: Value, names: Mapping[str, str]) -> str:
    """Where the entry in which a value stands was made up, or empty: by its name, or that of what it is a mean of."""
    if not names:
        return ""
    labels = [label for label in value.labels if not label.isdigit()]
    for name, place in names.items():
        words = split_words(name)
        if words and any(label == name or _is_of(split_words(label), words) for label in labels):
            return place
    return ""


def _is_of(label: Sequence[str], name: Sequence[str]) -> bool:
    """Whether a label is a name with the word of an aggregate: ``accuracy_mean``."""
    rest = list(label)
    for word in name:
        if word not in rest:
            return False
        rest.remove(word)
    return all(word in _AGGREGATES for word in rest)


def _is_named(labels: Sequence[str], names: frozenset[str]) -> bool:
    last = next((label for label in reversed(labels) if not label.isdigit()), "")
    if last.lower() in names:
        return True
    words = split_words(last)
    return bool(words) and any(words == split_words(name) for name in names)
