"""What agents and manuscripts say of the work: kept as testimony, tied to the step that their words name, never counted."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from provchain.events import Event, Message
from provchain.inspection.remarks import FoundRemark, find_remarks
from provchain.model import Claim, Place, Remark, RemarkKind, Study

__all__ = ["gather_remarks", "tells_of_an_end", "unfinished_near"]

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


def unfinished_near(study: Study, claim: Claim, text: str) -> frozenset[str]:
    """What the manuscript says did not finish, in the section in which a claim stands.

    Args:
        study: Its remarks.
        claim: The claim.
        text: The manuscript.

    Returns:
        Ids of steps and executions; an empty id where the words name none.
    """
    own = [r for r in study.remarks if r.kind is RemarkKind.NOT_COMPLETED and r.at.path == claim.path]
    if not own:
        return frozenset()
    lines = text.split("\n")
    near = [remark for remark in own if _same_section(lines, int(remark.at.locator), claim.line)]
    return frozenset(remark.about for remark in near if remark.about or _OF_THE_WORK.search(remark.text))


def _same_section(lines: Sequence[str], one: int, other: int) -> bool:
    """Whether no heading stands between two lines, both 1-based."""
    first, last = sorted((one, other))
    return not any(line.startswith("#") for line in lines[first:last])
