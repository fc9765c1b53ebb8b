"""Claims that share a fate, and the answer in one sentence: what every short form of a report needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from provchain.render.words import STUDY_WORDS

__all__ = [
    "Group",
    "group_claims",
    "group_executions",
    "headline_reason",
    "is_result",
    "is_waived",
    "outcome_words",
    "uncounted_kind",
]

_OUTCOME_ORDER = {"failed": 0, "cantTell": 1, "untested": 2, "passed": 3}
_SHOWN = 2  # claims of one group that are written out


@dataclass
class Group:
    """Claims of one manuscript with the same verdict that break, or hold, at the same place.

    Attributes:
        verdict: Their verdict.
        outcome: Its EARL outcome.
        broken: Whether a place is known at which they break.
        claims: In the order of the manuscript.
    """

    verdict: str
    outcome: str
    broken: bool
    claims: list[Mapping[str, Any]] = field(default_factory=list)

    @property
    def shown(self) -> int:
        """How many of them are written out: all if only one more would be hidden."""
        return len(self.claims) if len(self.claims) <= _SHOWN + 1 else _SHOWN

    @property
    def same(self) -> str:
        """What the others share with those that are written out."""
        if self.broken:
            return "break at the same place"
        return "rest on the same execution" if self.outcome == "passed" else "have the same verdict"

    def noun(self, number: int) -> str:
        """What the others are: cells of one table, or just claims."""
        tables = {claim.get("table") for claim in self.claims[self.shown :]}
        table = next(iter(tables)) if len(tables) == 1 else None
        kind = "cell" if table is not None else "claim"
        return f"{kind}{'' if number == 1 else 's'}" + (f" of table {table}" if table is not None else "")

    def where(self) -> str:
        """The lines of the others."""
        lines = sorted({line for claim in self.claims[self.shown :] if isinstance(line := claim.get("line"), int)})
        if not lines:
            return ""
        return f"(line {lines[0]})" if len(lines) == 1 else f"(lines {lines[0]} to {lines[-1]})"


def is_result(claim: Mapping[str, Any]) -> bool:
    """Whether a claim of a report counts among the results."""
    if claim.get("outcome") == "inapplicable" or claim.get("verdict") == "configured":
        return False
    return bool(claim.get("measured", True))


def group_claims(claims: Sequence[Mapping[str, Any]]) -> tuple[list[Group], list[Mapping[str, Any]]]:
    """Put claims of one manuscript together that share a fate, results first and what fails before what holds.

    Args:
        claims: Claims of a report.

    Returns:
        The groups of results, and the claims that are no results (settings, citations, years ...).
    """
    groups: dict[tuple[object, ...], Group] = {}
    others: list[Mapping[str, Any]] = []
    for claim in sorted(claims, key=_place):
        verdict, outcome = str(claim.get("verdict", "")), str(claim.get("outcome", ""))
        if not is_result(claim):
            others.append(claim)
            continue
        broken = claim.get("break") or {}
        evidence = claim.get("evidence") or [{}]
        fate = (
            (broken.get("link"), broken.get("at"))
            if broken
            else (evidence[0].get("execution"), evidence[0].get("path"))
        )
        waived = is_waived(claim)
        group = groups.setdefault((verdict, bool(broken), waived, *fate), Group(verdict, outcome, bool(broken)))
        group.claims.append(claim)
    ordered = sorted(groups.values(), key=lambda group: (_OUTCOME_ORDER.get(group.outcome, 9), _place(group.claims[0])))
    return ordered, others


def uncounted_kind(claim: Mapping[str, Any]) -> str:
    """Say what a claim is that is not counted as a result: in the words of a reader, not of another verdict's meaning.

    Example:
        >>> uncounted_kind({"verdict": "unrecorded", "note": "a setting; no configuration on record names it"})
        'settings without a configuration on record'
    """
    verdict = str(claim.get("verdict", ""))
    if verdict == "unrecorded" and str(claim.get("note") or "").startswith("a setting"):
        return "settings without a configuration on record"
    return verdict


def _place(claim: Mapping[str, Any]) -> tuple[int, int]:
    line, column = claim.get("line"), claim.get("column")
    return (line if isinstance(line, int) else 0, column if isinstance(column, int) else 0)


def group_executions(report: Mapping[str, Any], *, everything: bool = False) -> list[list[Mapping[str, Any]]]:
    """Choose the executions that a reader should know, tries of the same thing together, in their order.

    Those are the ones that a claim rests on or breaks at, those of planned steps, those that left something, and those
    that did not end well. A look at a folder is none of them.

    Args:
        report: A report.
        everything: Take all, each on its own.

    Returns:
        Groups of like executions.
    """
    executions = report.get("executions") or []
    if everything:
        return [[each] for each in executions]
    cited: set[str] = set()
    for claim in report.get("claims") or []:
        cited.update(str(operand.get("execution")) for operand in claim.get("evidence") or [])
        cited.add(str((claim.get("break") or {}).get("at", "")))
    groups: dict[tuple[object, ...], list[Mapping[str, Any]]] = {}
    rank: dict[tuple[object, ...], int] = {}
    for execution in executions:
        status, step = execution.get("status"), execution.get("step")
        key: tuple[object, ...]
        if str(execution.get("id")) in cited:
            key, weight = ("cited", execution.get("id")), 0
        elif execution.get("planned") or step:
            key, weight = ("step", step, status, execution.get("error")), 1
        elif execution.get("generated"):
            key, weight = ("left", execution.get("id")), 2
        elif status in ("failed", "aborted", "running", "contradicted"):
            key, weight = ("ended", status, execution.get("error") or execution.get("id")), 3
        else:
            continue
        groups.setdefault(key, []).append(execution)
        rank[key] = weight
    return [groups[key] for key in sorted(groups, key=lambda each: rank[each])]


def headline_reason(report: Mapping[str, Any]) -> str:
    """Say in one sentence why the study has its outcome.

    Args:
        report: A report.

    Returns:
        One sentence, not cleaned: it quotes the names of planned steps.
    """
    claims = [each for each in report.get("claims") or [] if is_result(each)]
    parts = [_fates(claims), *_unplanned(claims), *_waived(claims), *_against(report)]
    if never := _never_completed(report):
        names = ", ".join(never[:2]) + (f" and {len(never) - 2} more" if len(never) > 2 else "")
        parts.insert(
            0 if report.get("outcome") == "incomplete" else len(parts), f"planned, but never completed: {names}"
        )
    return "; ".join(parts) + "."


def _fates(claims: Sequence[Mapping[str, Any]]) -> str:
    """What became of the results, waived ones aside."""
    if not claims:
        return "no claim of a result was found"
    counted = [each for each in claims if not is_waived(each)]
    outcomes = Counter(str(each.get("outcome", "")) for each in counted)
    decided = outcomes["passed"] + outcomes["failed"]
    if not decided:
        return f"none of {_count(len(counted), 'result')} could be decided"
    if outcomes["failed"]:
        failing = Counter(str(each.get("verdict", "")) for each in counted if each.get("outcome") == "failed")
        how = ", ".join(f"{number} {verdict}" for verdict, number in failing.most_common())
        fail = "fails" if outcomes["failed"] == 1 else "fail"
        text = f"{outcomes['failed']} of {_count(decided, 'decided result')} {fail} ({how})"
    else:
        text = "its one decided result holds" if decided == 1 else f"all {decided} decided results hold"
    undecided = len(counted) - decided
    return f"{text}, {undecided} could not be decided" if undecided else text


def _unplanned(claims: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    count = sum(each.get("verdict") == "off-plan" for each in claims)
    if count:
        comes = "comes" if count == 1 else "come"
        yield f"{_count(count, 'result')} {comes} from a substitute for a planned step, and the manuscript does not say so"


def _waived(claims: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    waived = [each for each in claims if is_waived(each)]
    if waived:
        names = ", ".join(dict.fromkeys(str(each["waiver"].get("by", "")) for each in waived))
        yield f"{_count(len(waived), 'result')} waived by {names}"


def _against(report: Mapping[str, Any]) -> Iterator[str]:
    """What else speaks against accepting it under the policy, of all manuscripts, each once."""
    reasons = dict.fromkeys(str(said) for paper in report.get("papers") or [] for said in paper.get("against") or [])
    if reasons:
        yield f"against it: {', '.join(reasons)}"


def outcome_words(report: Mapping[str, Any]) -> str:
    """Say what the outcome of a study means.

    Args:
        report: A report.

    Example:
        >>> outcome_words({"outcome": "mixed", "claims": [{"outcome": "passed", "verdict": "supported"}]})
        'no decided result fails, but something speaks against it'
    """
    outcome = str(report.get("outcome", ""))
    claims = [each for each in report.get("claims") or [] if is_result(each) and not is_waived(each)]
    if outcome == "mixed" and claims and not any(each.get("outcome") == "failed" for each in claims):
        return "no decided result fails, but something speaks against it"
    return STUDY_WORDS.get(outcome, "no such outcome is known")


def is_waived(claim: Mapping[str, Any]) -> bool:
    """Whether somebody took the responsibility for a claim of a report, so that it decides nothing."""
    waiver = claim.get("waiver")
    return isinstance(waiver, Mapping) and bool(waiver.get("counts"))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _never_completed(report: Mapping[str, Any]) -> list[str]:
    completed: dict[str, bool] = {}
    for execution in report.get("executions") or []:
        step = execution.get("step")
        if step and execution.get("planned"):
            completed[str(step)] = completed.get(str(step), False) or execution.get("status") == "completed"
    return [step for step, done in completed.items() if not done]
