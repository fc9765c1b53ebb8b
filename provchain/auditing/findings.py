"""Facts about a study that a reader should know beside the verdicts, each from one rule, with its places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from provchain.auditing.deviations import deviation_findings, is_planned
from provchain.auditing.evidence import original_writer
from provchain.auditing.fixed import fixed_findings
from provchain.history import UNKNOWN_EVENT, History
from provchain.model import Execution, Finding, Kind, Place, RecorderKind, RemarkKind, Severity, Status, Strength

__all__ = ["study_findings"]

_BAD = (Status.FAILED, Status.ABORTED)
_MOST_REMARKS = 5
_SHOWN = 200  # characters of hostile text that a finding shows


def study_findings(
    history: History,
    disclosed: Sequence[str] = (),
    superseded: Mapping[str, Execution] | None = None,
    declared: Sequence[Finding] = (),
) -> list[Finding]:
    """Establish the findings of a study.

    Args:
        history: What became of it.
        disclosed: Where its manuscripts say that something was done otherwise than planned.
        superseded: Claims whose value a later execution of the same command replaced, with that execution.
        declared: What is wrong with the declarations of claims.

    Returns:
        The findings, errors first.
    """
    found = [
        *_undone_steps(history, disclosed),
        *_made_up(history),
        *_substitutes(history),
        *_hidden_causes(history.study.executions),
        *_caught_errors(history.study.executions),
        *_typed_records(history),
        *_altered(history),
        *_superseded(history, superseded or {}),
        *_typed_values(history),
        *fixed_findings(history.study.values),
        *_gap(history),
        *declared,
        *_waivers(history),
        *_recorded_deviations(history),
        *deviation_findings(history.study.deviations),
        *_contradicted_testimony(history),
        *_unknown_events(history),
        *_typed_traces(history),
        *_contradicted_status(history.study.executions),
        *_ways_out(history),
        *_told_simplifications(history, disclosed),
    ]
    order = list(Severity)
    return sorted(found, key=lambda finding: order.index(finding.severity))


def _undone_steps(history: History, disclosed: Sequence[str]) -> Iterator[Finding]:
    if not history.recorded:
        return  # where no record is, nothing says that something was not run
    by_step: dict[str | None, list[Execution]] = {}
    for execution in history.study.executions:
        by_step.setdefault(execution.step, []).append(execution)
    for step in history.study.steps:
        if step.id not in history.undone:
            continue
        own = by_step.get(step.id, [])
        attempts = [e for e in own if e.status in _BAD]
        if any(e.status is Status.COMPLETED and e.made_up for e in own):
            message, severity = (
                f"the planned step {step.label} completed only with values that it made up",
                Severity.ERROR,
            )
            attempts = [e for e in own if e.made_up]
        elif attempts:
            error = f" ({attempts[-1].error})" if attempts[-1].error else ""
            message = f"the planned step {step.label} was tried {_times(len(attempts))} and never completed{error}"
            severity = Severity.ERROR
            if disclosed:
                message += f"; that something was changed stands in {disclosed[0]}"
                severity = Severity.WARNING
        else:
            what = "was never run to its end" if own else "was never run"
            message, severity = f"the planned step {step.label} {what}", Severity.WARNING
        yield Finding(
            "planned-step-not-completed", severity, Strength.PROOF, message, (step.at, *(e.at for e in attempts))
        )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _made_up(history: History) -> Iterator[Finding]:
    for execution in history.study.executions:
        if execution.made_up:
            what = execution.script or "the inline code"
            message = (
                f"{what} writes results from literals, formulas and random numbers alone: "
                "nothing was read, trained, run or answered. If the study is a simulation, let its plan say so: "
                "simulation = true in plan-declared, or a heading of the proposal"
            )
            yield Finding("made-up-values", Severity.ERROR, Strength.STRONG, message, (execution.at, Place(what)))


def _substitutes(history: History) -> Iterator[Finding]:
    for execution in history.study.executions:
        if execution.substitute and execution.script is not None and execution.generated:
            message = f"{execution.script} was written after a planned step had failed and ran in its place"
            yield Finding("substitute", Severity.WARNING, Strength.STRONG, message, (execution.at,))


def _hidden_causes(executions: Sequence[Execution]) -> Iterator[Finding]:
    for execution in executions:
        if execution.status in _BAD and execution.script is None and not execution.is_copy:
            continue
        if execution.status in _BAD and execution.error is None and not execution.is_copy:
            message = f"{execution.script} failed and its cause stands nowhere on record"
            yield Finding("cause-not-recorded", Severity.NOTE, Strength.STRONG, message, (execution.at,))


def _caught_errors(executions: Sequence[Execution]) -> Iterator[Finding]:
    for execution in executions:
        if execution.status is Status.COMPLETED and execution.error is not None and not execution.is_copy:
            message = f"{execution.script or execution.command[:80]} completed, but caught an error: {execution.error}"
            yield Finding("caught-error", Severity.WARNING, Strength.STRONG, message, (execution.at,))


def _typed_records(history: History) -> Iterator[Finding]:
    authorings = {authoring.id: authoring for authoring in history.study.authorings}
    by_id = {artifact.id: artifact for artifact in history.study.artifacts}
    for artifact in history.study.artifacts:
        if not artifact.on_disk or artifact.kind not in (Kind.LOG, Kind.RESULT):
            continue
        authoring = authorings.get(original_writer(artifact, by_id) or "")
        if authoring is not None:
            message = f"{artifact.path} looks like the record of an execution, but the agent typed it"
            yield Finding(
                "typed-record", Severity.WARNING, Strength.PROOF, message, (authoring.at, Place(artifact.path))
            )


def _altered(history: History) -> Iterator[Finding]:
    executions = {execution.id: execution for execution in history.study.executions}
    for artifact in history.study.artifacts:
        execution = executions.get(artifact.writer or "")
        if artifact.altered and artifact.on_disk and execution is not None:
            message = f"{artifact.path} is not what {execution.script or 'its execution'} left"
            yield Finding(
                "altered-artifact", Severity.ERROR, Strength.PROOF, message, (Place(artifact.path), execution.at)
            )


def _superseded(history: History, superseded: Mapping[str, Execution]) -> Iterator[Finding]:
    claims = [claim for claim in history.study.claims if claim.id in superseded]
    for later in {execution.id: execution for execution in superseded.values()}.values():
        own = [claim for claim in claims if superseded[claim.id].id == later.id]
        message = (
            f"{_claims(len(own))} by an execution of {later.script} that was completed again later with other values"
        )
        places = (later.at, *(Place(claim.path, str(claim.line)) for claim in own[:5]))
        yield Finding("superseded-value", Severity.WARNING, Strength.STRONG, message, places)


def _claims(count: int) -> str:
    return "1 claim holds" if count == 1 else f"{count} claims hold"


def _typed_values(history: History) -> Iterator[Finding]:
    places = dict.fromkeys(value.typed_in for value in history.study.values if value.typed_in)
    if places:
        shown = [Place(*place.rsplit(":", 1)) for place in places]
        message = f"numbers that claims rest on stand as text in the scripts that wrote them ({shown[0]}): typed, not measured"
        yield Finding("made-up-values", Severity.ERROR, Strength.PROOF, message, tuple(shown[:5]))


def _gap(history: History) -> Iterator[Finding]:
    narrated = [source for source in history.study.sources if source.recorder is RecorderKind.TESTIMONY]
    if narrated and not history.recorded:
        places = tuple(Place(source.path) for source in narrated)
        message = f"{history.gap}; the files can contradict what the manuscripts say, and nothing can support it"
        yield Finding("no-command-record", Severity.WARNING, Strength.PROOF, message, places)
    elif history.gap:
        yield Finding("record-gap", Severity.NOTE, Strength.PROOF, history.gap)


def _waivers(history: History) -> Iterator[Finding]:
    claims = {claim.id: claim for claim in history.study.claims}
    for waiver in history.study.waivers:
        claim = claims[waiver.claim]
        message = f"{claim.written} is waived by {waiver.by}: {waiver.reason}"
        severity = Severity.NOTE
        if not waiver.counts:
            message += "; the agent wrote this itself, so it does not count"
            severity = Severity.ERROR
        yield Finding("waiver", severity, Strength.PROOF, message, (Place(claim.path, str(claim.line)), waiver.at))


def _recorded_deviations(history: History) -> Iterator[Finding]:
    for deviation in history.study.deviations:
        if deviation.recorded and not is_planned(deviation):
            told = "and the manuscript says so" if deviation.disclosed else "and no manuscript says so"
            message = f"the study records a deviation in {deviation.about}, {told}: {deviation.message}"
            severity = Severity.NOTE if deviation.disclosed else Severity.WARNING
            yield Finding("recorded-deviation", severity, Strength.PROOF, message, deviation.at)


def _contradicted_testimony(history: History) -> Iterator[Finding]:
    """Words that something completed which an observer saw fail; of the work as a whole the last such words count."""
    executions = {execution.id: execution for execution in history.study.executions}
    steps = {step.id: step for step in history.study.steps}
    undone = history.undone if history.recorded else frozenset()  # without a record nothing says that it was not run
    first_undone = next((step for step in history.study.steps if step.id in undone), None)
    general: Finding | None = None
    for remark in history.study.remarks:
        if remark.kind is not RemarkKind.COMPLETED:
            continue
        execution, step = executions.get(remark.about), steps.get(remark.about)
        strength = Strength.STRONG
        if execution is not None and execution.status in _BAD:
            what, place = f"execution {execution.id} {execution.status.value}", execution.at
        elif step is not None and step.id in undone:
            what, place = f"the planned step {step.label} never completed", step.at
        elif not remark.about and first_undone is not None:
            what, place = f"the planned step {first_undone.label} never completed", first_undone.at
            strength = Strength.HINT
        else:
            continue
        message = f"{remark.speaker} says: “{_short(remark.text)}”, but {what}"
        finding = Finding("contradicted-testimony", Severity.WARNING, strength, message, (remark.at, place))
        if strength is Strength.HINT:
            general = finding
        else:
            yield finding
    if general is not None:
        yield general


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


def _unknown_events(history: History) -> Iterator[Finding]:
    unknown = [remark for remark in history.study.remarks if remark.id.endswith(f":{UNKNOWN_EVENT}")]
    names = sorted({remark.text for remark in unknown})
    if names:
        message = f"events that this version does not know were kept and not used: {', '.join(names)[:_SHOWN]}"
        yield Finding("unknown-events", Severity.NOTE, Strength.PROOF, message, tuple(r.at for r in unknown[:5]))


def _typed_traces(history: History) -> Iterator[Finding]:
    """A log of executions that the agent wrote itself is its own word."""
    authorings = {authoring.id: authoring for authoring in history.study.authorings}
    traces = {source.path for source in history.study.sources}
    for artifact in history.study.artifacts:
        authoring = authorings.get(artifact.writer or "")
        if artifact.path in traces and artifact.on_disk and authoring is not None:
            message = (
                f"{artifact.path} says what was executed, but the agent typed it: it is testimony and supports nothing"
            )
            yield Finding("typed-record", Severity.ERROR, Strength.PROOF, message, (authoring.at, Place(artifact.path)))


def _contradicted_status(executions: Sequence[Execution]) -> Iterator[Finding]:
    for execution in executions:
        if execution.status is Status.CONTRADICTED:
            message = f"execution {execution.id}: {execution.status_source}; it supports nothing until that is resolved"
            yield Finding("contradicted-status", Severity.ERROR, Strength.PROOF, message, (execution.at,))


def _ways_out(history: History) -> Iterator[Finding]:
    """That a person was asked, or work given up, is what an honest study does with a failure."""
    said = {RemarkKind.HELP_ASKED: "a person was asked", RemarkKind.GIVEN_UP: "work was given up"}
    shown = [r for r in history.study.remarks if r.kind in said and r.speaker != "manuscript"]
    for remark in shown[:_MOST_REMARKS]:
        about = f" ({remark.about})" if remark.about else ""
        message = f"{said[remark.kind]}{about}: “{_short(remark.text)}”"
        yield Finding(remark.kind.value, Severity.NOTE, Strength.PROOF, message, (remark.at,))


def _told_simplifications(history: History, disclosed: Sequence[str]) -> Iterator[Finding]:
    """What an agent says on the way to have simplified, and no manuscript tells: words that change no verdict."""
    said = [r for r in history.study.remarks if r.kind is RemarkKind.SIMPLIFIED and r.speaker == "agent"]
    for remark in said[:_MOST_REMARKS] if not disclosed else ():
        message = f"the agent says, and no manuscript does: “{_short(remark.text)}”"
        yield Finding("told-simplification", Severity.WARNING, Strength.HINT, message, (remark.at,))
