"""What every part of the mapping needs: the IRIs of one study, attributes that are there, times that are times."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TypeVar

from provchain.graph.iris import make_iri, study_iri
from provchain.graph.statements import Attribute, Iri, Typed, Value
from provchain.model import Study
from provchain.terms import XSD

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?")
_WIDEST_OFFSET = timedelta(hours=14)  # what xsd:dateTime allows
_LABEL_LENGTH = 120
_Record = TypeVar("_Record")


class Names:
    """The IRIs of one study, each made once, and the facts that several records are mapped by."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.base = study_iri(study.id) + ":"
        self.artifacts = {artifact.id: artifact for artifact in reversed(study.artifacts)}  # of equal ids the first
        self.values = {value.id: value for value in reversed(study.values)}
        self.steps = {step.id for step in study.steps}
        self.executions = {execution.id for execution in study.executions}
        self.written_by: dict[str, list[str]] = {}
        for artifact in self.artifacts.values():
            if artifact.writer is not None:
                self.written_by.setdefault(artifact.writer, []).append(artifact.id)
        self._made: dict[tuple[str, str], Iri] = {}

    def __call__(self, kind: str, id: str) -> Iri:  # noqa: A002 - the glossary's word
        """Name one thing of the study."""
        iri = self._made.get((kind, id))
        if iri is None:
            iri = self._made[kind, id] = Iri(make_iri(self.study.id, kind, id))
        return iri

    def graph(self, recorder: str) -> Iri:
        """Name the graph of one recorder."""
        return self("graph", recorder)

    def original(self, artifact: str) -> str | None:
        """Find what an artifact is a byte copy of, if that has a record."""
        found = self.artifacts.get(artifact)
        original = None if found is None else found.copy_of
        return original if original in self.artifacts and original != artifact else None

    def operand(self, id: str) -> Iri:  # noqa: A002 - the glossary's word
        """Name the value, or else the artifact, that a link rests on."""
        return self("value" if id in self.values else "artifact", id)

    def concerned(self, id: str) -> Iri | None:  # noqa: A002 - the glossary's word
        """Find the step, or else the execution, that words are about, if it has a record."""
        kind = "step" if id in self.steps else "execution" if id in self.executions else None
        return None if kind is None else self(kind, id)


def given(*attributes: tuple[str, Value | None]) -> tuple[Attribute, ...]:
    """Keep what is known: no attribute says "none", "no" or an empty text; 0 is known."""
    return tuple(
        (name, value) for name, value in attributes if value is not None and value is not False and value != ""
    )


def label(text: str) -> str:
    """Cut a text to what a drawing can show."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= _LABEL_LENGTH else line[: _LABEL_LENGTH - 1] + "…"


def first_of_each(records: Iterable[_Record], key: str = "id") -> list[_Record]:
    """Drop records whose id was there before: two activities under one IRI would be a third one that nobody saw."""
    seen: dict[str, _Record] = {}
    for record in records:
        seen.setdefault(getattr(record, key), record)
    return list(seen.values())


def time_of(text: str | None) -> Typed | None:
    """Read a time, or ``None`` where the text is no `xsd:dateTime` (a bare date, second 60): no time is made up."""
    if text is None or not _TIME.fullmatch(text):
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    offset = time.utcoffset()
    if offset is not None and abs(offset) > _WIDEST_OFFSET:
        return None
    return Typed(canonical_time(time), XSD.dateTime)


def canonical_time(time: datetime) -> str:
    """Write a time as every engine gives it back: UTC as ``Z``, no zeros at the end of a fraction.

    Example:
        >>> canonical_time(datetime.fromisoformat("2026-01-02T03:04:05.500000+00:00"))
        '2026-01-02T03:04:05.5Z'
    """
    text = time.isoformat()
    head, point, rest = text.partition(".")
    if point:
        digits = rest[:6].rstrip("0")
        text = f"{head}.{digits}{rest[6:]}" if digits else head + rest[6:]
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text
