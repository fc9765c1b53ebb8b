"""What a manuscript leaves out, and what it said too early: results of further executions, numbers older than their execution.

Neither changes a verdict. A study may run a thing more than once for good reasons; a reader should know that it did.
"""

from __future__ import annotations

import re
import shlex
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from provchain.auditing.bare import is_weak
from provchain.auditing.closure import original
from provchain.auditing.links import Linked
from provchain.errors import NotANumberError
from provchain.history import History
from provchain.linking.directions import direction_of
from provchain.model import (
    Artifact,
    Claim,
    ClaimKind,
    ClaimRole,
    Execution,
    Finding,
    Judgement,
    Kind,
    Outcome,
    Place,
    Role,
    Severity,
    Status,
    Strength,
    Value,
)
from provchain.numbers import Number, read_number

__all__ = ["selection_findings"]

_MOST_PLACES = 5
_APART = Decimal("0.01")  # of the larger: two runs that agree so far say the same
_LEAST_KEYS = 2  # that another execution must answer otherwise
_LEAST_NUMBERS = 2  # that must be older than their execution: one may be chance
_TRIAL = re.compile(r"\b(?:quick|smoke|debug|dry|demo|tiny|toy|sanity|fast|mini|trial|test)\b", re.IGNORECASE)
_SEED = re.compile(r"seed|fold|run[-_]?id|trial|repeat", re.IGNORECASE)


def selection_findings(history: History, judgements: Mapping[str, Judgement], linked: Linked) -> list[Finding]:
    """Find completed executions whose differing results no manuscript shows, and numbers older than their execution.

    Args:
        history: What became of the study.
        judgements: The verdicts by claim id.
        linked: The links and all values of the study.

    Returns:
        The findings ``left-out-results`` and ``written-before-results``.

    Spec: docs/reference/verdicts.md, "Findings".
    """
    return [*_left_out(history, judgements, linked), *_written_before(history, judgements, linked)]


# ----------------------------------------------------------------------------------------------------- left out


class _Shown:
    """The numbers that manuscripts show, to ask whether a value is one of them."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        spans = []
        for claim in claims:
            number = _number(claim)
            if number is not None:
                spans.append((float(number.low), float(number.high)))
        spans.sort()
        self._lows = [low for low, _ in spans]
        self._spans = spans
        self._widest = max((high - low for low, high in spans), default=0.0)

    def holds(self, value: Decimal) -> bool:
        """Whether a value, or its percentage, rounds to a number that is shown."""
        return any(self._near(float(value) * scale) for scale in (1, 100, 0.01))

    def _near(self, value: float) -> bool:
        first = bisect_left(self._lows, value - self._widest - 1e-9)
        last = bisect_right(self._lows, value + 1e-12)
        return any(low - 1e-12 <= value <= high + 1e-12 for low, high in self._spans[first:last])


def _left_out(history: History, judgements: Mapping[str, Judgement], linked: Linked) -> Iterator[Finding]:
    """Another completed execution of the same step answered the same questions otherwise, and no manuscript says so."""
    study = history.study
    by_id = {artifact.id: artifact for artifact in study.artifacts}
    executions = {execution.id: execution for execution in study.executions}
    rests = _operands(judgements, linked)
    used = {writer for operand in rests if (writer := _writer(linked.values[operand], by_id)) in executions}
    asked: dict[tuple[str, ...], list[tuple[Value, Execution]]] = {}
    for operand in rests:
        value = linked.values[operand]
        reported = executions.get(_writer(value, by_id))
        if reported is not None and value.labels and not direction_of(" ".join(value.labels)).cost:
            asked.setdefault(value.labels, []).append((value, reported))
    if not asked or len(executions) < 2:
        return
    shown = _Shown(study.claims)
    order = {execution.id: at for at, execution in enumerate(study.executions)}
    others: dict[str, dict[tuple[str, ...], list[Value]]] = {}
    for value in linked.values.values():
        if value.labels in asked and (writer_id := _writer(value, by_id)) in executions and writer_id not in used:
            others.setdefault(writer_id, {}).setdefault(value.labels, []).append(value)
    for execution in study.executions:
        found = _answered_otherwise(execution, others.get(execution.id, {}), asked, shown)
        again = found and execution.command == found[0][2].command and order[execution.id] > order[found[0][2].id]
        if found and not again:  # the same command again, later: that its values were replaced is told elsewhere
            yield _left_out_finding(execution, found, study.executions)


def _operands(judgements: Mapping[str, Judgement], linked: Linked) -> list[str]:
    """The values that measured claims rest on which hold, in the order of the claims."""
    links = {link.id: link for link in linked.links}
    passed = (judgement for judgement in judgements.values() if judgement.outcome is Outcome.PASSED)
    kept = (links[identifier] for judgement in passed for identifier in judgement.links if identifier in links)
    return list(dict.fromkeys(operand for link in kept for operand in link.operands if operand in linked.values))


def _writer(value: Value, by_id: Mapping[str, Artifact]) -> str:
    artifact = by_id.get(value.artifact)
    return (original(artifact, by_id).writer or "") if artifact is not None else ""


def _answered_otherwise(
    execution: Execution,
    own: Mapping[tuple[str, ...], Sequence[Value]],
    asked: Mapping[tuple[str, ...], Sequence[tuple[Value, Execution]]],
    shown: _Shown,
) -> list[tuple[Value, Value, Execution]]:
    """The values of an execution that differ from those the claims rest on, with these and their execution."""
    if (
        execution.status is not Status.COMPLETED
        or execution.is_copy
        or execution.made_up
        or execution.error is not None
    ):
        return []
    found: list[tuple[Value, Value, Execution]] = []
    for labels, values in own.items():
        if len({value.number for value in values}) != 1:
            continue  # the same words at several places: which one is meant is not said
        mine = values[0]
        for theirs, reported in asked[labels]:
            if not _is_same_work(execution, reported) or shown.holds(mine.number):
                continue
            if abs(mine.number - theirs.number) > _APART * max(abs(mine.number), abs(theirs.number)):
                found.append((mine, theirs, reported))
                break
    return found if len(found) >= _LEAST_KEYS else []


def _is_same_work(execution: Execution, reported: Execution) -> bool:
    """Whether two executions carry out the same thing, and the one is no trial of the other."""
    if reported.made_up or reported.is_copy:
        return False
    same = execution.step is not None and execution.step == reported.step
    if not same and not (execution.script is not None and execution.script == reported.script):
        return False
    more, less = _flags(execution.command), _flags(reported.command)
    if _TRIAL.search(" ".join(flag for flag in more if flag not in less)) is not None:
        return False
    return not any(_is_smaller(value, less.get(flag, "")) for flag, value in more.items() if not _SEED.search(flag))


def _flags(command: str) -> dict[str, str]:
    """The flags of a command with their values."""
    try:
        words = shlex.split(command, comments=False)
    except ValueError:
        words = command.split()
    found: dict[str, str] = {}
    for at, word in enumerate(words):
        if word.startswith("--"):
            name, _, value = word.partition("=")
            following = words[at + 1] if at + 1 < len(words) and not words[at + 1].startswith("-") else ""
            found[name] = value or following
    return found


def _is_smaller(one: str, other: str) -> bool:
    return one.isdigit() and other.isdigit() and len(one) < 12 and len(other) < 12 and int(one) < int(other)


def _left_out_finding(
    execution: Execution, found: Sequence[tuple[Value, Value, Execution]], executions: Sequence[Execution]
) -> Finding:
    mine, theirs, reported = found[0]
    order = [each.id for each in executions]
    code = [{usage.artifact for usage in each.used if usage.role is Role.CODE} for each in (execution, reported)]
    same_code, same_command = code[0] == code[1], execution.command == reported.command
    flags = (_flags(execution.command), _flags(reported.command))
    varied = {name for name in {**flags[0], **flags[1]} if flags[0].get(name) != flags[1].get(name)}
    only_seed = bool(varied) and all(_SEED.search(name) for name in varied)
    when = "earlier" if order.index(execution.id) < order.index(reported.id) else "later"
    larger = any(
        _is_smaller(flags[1].get(name, ""), flags[0].get(name, "")) for name in varied if not _SEED.search(name)
    )
    how = "with the same command" if same_command else "on a larger scale" if larger else "with other arguments"
    changed = " and before its code was changed" if when == "earlier" else " and with changed code"
    message = (
        f"{execution.script or 'the same step'} also completed {when} ({execution.id}), {how}{'' if same_code else changed}, "
        f"and gave other values that no manuscript shows: {' / '.join(mine.labels)[:80]} is {mine.lexical} there, and "
        f"{theirs.lexical} in {reported.id} ({len(found)} such values)"
    )
    alike = larger or (same_code and (same_command or only_seed))
    strength = Strength.STRONG if alike else Strength.HINT
    where = (Place(value.path, value.selector.partition(";")[0]) for value, _, _ in found[:_MOST_PLACES])
    places = tuple(dict.fromkeys((execution.at, *where)))
    return Finding("left-out-results", Severity.WARNING, strength, message, places)


# ----------------------------------------------------------------------------------------------- written before


def _written_before(history: History, judgements: Mapping[str, Judgement], linked: Linked) -> Iterator[Finding]:
    """Numbers that stood in a typed manuscript before any execution had left them, and that one left afterwards."""
    study = history.study
    if history.gap or not history.recorded or len({e.at.path for e in study.executions}) != 1:
        return  # the order of what happened, or what was to be seen, is not known in full
    order = {artifact.id: at for at, artifact in enumerate(study.artifacts)}
    links = {link.id: link for link in linked.links}
    typed = {authoring.id: authoring for authoring in study.authorings}
    by_id = {artifact.id: artifact for artifact in study.artifacts}
    early: dict[str, list[tuple[Claim, Artifact, str]]] = {}
    for claim in study.claims:
        judgement = judgements[claim.id]
        if (
            not claim.measured
            or claim.role is not ClaimRole.RESULT
            or claim.kind is not ClaimKind.NUMBER
            or is_weak(claim)
        ):
            continue
        operands = [o for link in judgement.links if link in links for o in links[link].operands if o in linked.values]
        if not operands or judgement.outcome is not Outcome.PASSED:
            continue
        places = {order.get(linked.values[o].artifact, -1): o for o in operands}
        state = _first_state(claim, study.artifacts, typed, history)
        if (
            state is None
            or min(places) <= order[state.id]
            or _seen_before(claim, order[state.id], order, history, linked)
        ):
            continue
        writer = by_id[linked.values[places[min(places)]].artifact].writer or ""
        early.setdefault(claim.path, []).append((claim, state, writer))
    executions = {execution.id: execution for execution in study.executions}
    for path, found in early.items():
        if len({claim.written for claim, _, _ in found}) < _LEAST_NUMBERS:
            continue
        first, state, writer = found[0]
        authoring = typed[state.writer or ""]
        execution = executions.get(writer)
        what = (execution.script or execution.command[:80]) if execution is not None else "it"
        message = (
            f"{len(found)} numbers of {path} were typed before the execution that left them had completed: "
            f"{first.written} stood there ({authoring.id}) before {what} ({writer}) left it"
        )
        lines = (Place(path, str(claim.line)) for claim, _, _ in found[:_MOST_PLACES])
        later = (execution.at,) if execution is not None else ()
        yield Finding(
            "written-before-results", Severity.WARNING, Strength.STRONG, message, (authoring.at, *later, *lines)
        )


def _first_state(
    claim: Claim, artifacts: Sequence[Artifact], typed: Mapping[str, object], history: History
) -> Artifact | None:
    """The first typed state of a manuscript that holds a claim's number; ``None`` where an execution wrote one of them."""
    states = [artifact for artifact in artifacts if artifact.path == claim.path and artifact.writer is not None]
    if any(state.writer not in typed for state in states):
        return None
    pattern = re.compile(rf"(?<![\d.]){re.escape(claim.written)}(?!\d)")
    known = (state for state in states if state.id not in history.unseen)
    return next((state for state in known if pattern.search(history.texts.get(state.id, ""))), None)


def _seen_before(claim: Claim, at: int, order: Mapping[str, int], history: History, linked: Linked) -> bool:
    """Whether anything that was there before a state of the manuscript shows a claim's number, in values or in its digits."""
    number = _number(claim)
    if number is None:
        return True
    low, high = number.low, number.high
    for value in linked.values.values():
        if order.get(value.artifact, -1) < at and any(low <= value.number * scale <= high for scale in (1, 100)):
            return True
    digits = re.sub(r"[^\d.]", "", claim.written)[:-1].rstrip(".")
    earlier = (a for a in history.study.artifacts[:at] if a.kind is not Kind.MANUSCRIPT and a.path != claim.path)
    return any(digits in history.texts.get(artifact.id, "") for artifact in earlier)


def _number(claim: Claim) -> Number | None:
    if claim.kind is not ClaimKind.NUMBER:
        return None
    try:
        return read_number(claim.written)
    except NotANumberError:
        return None
