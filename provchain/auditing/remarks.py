"""What agents and manuscripts say of the work: kept as testimony, tied to the step that their words name, never counted."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from provchain.events import Event, Message
from provchain.inspection.remarks import FoundRemark, find_remarks
from provchain.model import Claim, Place, Remark, RemarkKind, Study

__all__ = ["Unfinished", "gather_remarks", "tells_of_an_end"]

_ENDS = (RemarkKind.HELP_ASKED, RemarkKind.GIVEN_UP, RemarkKind.NOT_COMPLETED)
# Words that name no step, and mean what ran: a survey that was not done either says nothing of an experiment.
_OF_THE_WORK = re.compile(
    r"\b(?:experiments?|executions?|runs?|training|scripts?|seeds?|folds?|jobs?|process(?:es)?|evaluations?|benchmarks?"
    r"|repetitions?|trials?)\b",
    re.IGNORECASE,
)
_MOST = 2_000  # remarks of one study that are kept


def gather_remarks(
    study: Study, traces: Sequence[tuple[str, Sequence[Event]]], manuscripts: Mapping[str, str]
) -> list[Remark]:
    """Find the remarks of a study in the words of its agents and manuscripts.

    Args:
        study: Its steps and executions.
        traces: For each trace, its recorder's name and its events.
        manuscripts: Text of each manuscript by path.

    Returns:
        The remarks, in the order of the traces and then of the manuscripts.
    """
    found: list[Remark] = []
    for recorder, events in traces:
        for event in events:
            if isinstance(event, Message) and event.speaker == "agent":
                for number, remark in enumerate(find_remarks(event.text), start=1):
                    identifier = f"remark:{event.at}:{number}"
                    found.append(_remark(study, identifier, remark, event.at, event.speaker, recorder))
    for path, text in manuscripts.items():
        for remark in find_remarks(text):
            at = Place(path, str(remark.line))
            identifier = f"remark:{at}:{remark.kind.value}:{len(found)}"
            found.append(_remark(study, identifier, remark, at, "manuscript", "manuscript"))
    return found[:_MOST]


def _remark(study: Study, identifier: str, found: FoundRemark, at: Place, speaker: str, recorder: str) -> Remark:
    return Remark(identifier, found.kind, found.text, at, speaker, next(_about(study, found.names), ""), recorder)


def _about(study: Study, names: Sequence[str]) -> Iterator[str]:
    """The steps and executions that the words name."""
    executions = {execution.id for execution in study.executions}
    for name in names:
        if name in executions:
            yield name
        for step in study.steps:
            words = {step.id, step.label, *(posixpath.basename(script) for script in step.scripts[:1])}
            if name in words or posixpath.basename(name) in words:
                yield step.id


def tells_of_an_end(study: Study) -> bool:
    """Whether anybody says that the work was given up, could not be completed, or waits for a person."""
    return any(remark.kind in _ENDS for remark in study.remarks)


class Unfinished:
    """What manuscripts say did not finish, by the section in which they say it.

    Args:
        study: Its remarks.
        manuscripts: Text of each manuscript by path.

    Example:
        >>> from provchain.model import ClaimKind
        >>> remark = Remark("r", RemarkKind.NOT_COMPLETED, "The run did not finish.", Place("p.md", "2"), "manuscript")
        >>> claim = Claim("c", ClaimKind.NUMBER, "p.md", 3, 1, "0.91", "")
        >>> said = Unfinished(Study("s", remarks=[remark]), {"p.md": "# R\\nThe run did not finish.\\n0.91\\n# S"})
        >>> said.near(claim)
        frozenset({''})
    """

    def __init__(self, study: Study, manuscripts: Mapping[str, str]) -> None:
        own = [r for r in study.remarks if r.kind is RemarkKind.NOT_COMPLETED and r.at.path in manuscripts]
        self._sections = {path: _sections(manuscripts[path]) for path in {remark.at.path for remark in own}}
        self._said: dict[tuple[str, int], set[str]] = {}
        for remark in own:
            if remark.about or _OF_THE_WORK.search(remark.text):
                section = self._section(remark.at.path, int(remark.at.locator))
                self._said.setdefault((remark.at.path, section), set()).add(remark.about)

    def _section(self, path: str, line: int) -> int:
        sections = self._sections.get(path, [])
        return sections[min(line, len(sections)) - 1] if sections else 0

    def near(self, claim: Claim) -> frozenset[str]:
        """Ids of the steps and executions that did not finish, as a claim's own section says; an empty id if it names none."""
        return frozenset(self._said.get((claim.path, self._section(claim.path, claim.line)), ()))


def _sections(text: str) -> list[int]:
    """For each line of a text, how many headings stand above it or in it."""
    return list(accumulate(line.startswith("#") for line in text.split("\n")))
