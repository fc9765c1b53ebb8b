"""The main job, from a directory to a report: read, reconstruct, link, judge.

Data flows one way through the rooms: adapters → history → papers → linking → closure → verdict → outcome.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from provchain.auditing.bare import BareNumbers, RoundedNumbers, is_weak
from provchain.auditing.case import Case
from provchain.auditing.chance import chance_match, read_decoy
from provchain.auditing.changed_scripts import changed_script_findings
from provchain.auditing.clocks import clock_findings
from provchain.auditing.closure import Closure
from provchain.auditing.companions import with_companions
from provchain.auditing.consistency import consistency_findings, mark_denied
from provchain.auditing.declarations import apply_waivers, link_declared
from provchain.auditing.derived import Quantities
from provchain.auditing.deviations import (
    planned_deviations,
    recorded_deviations,
    substitute_deviations,
    superseded_claims,
)
from provchain.auditing.evidence import Evidence, gather_evidence
from provchain.auditing.findings import study_findings
from provchain.auditing.gaps import RecordGap
from provchain.auditing.graphs import store_report
from provchain.auditing.leads import with_leads
from provchain.auditing.links import Linked, link_changes, link_claims, with_own_rows
from provchain.auditing.outcome import (
    Circumstances,
    action_for,
    decide_outcome,
    findings_against,
    is_measured,
    reasons_against,
    worst,
    worst_action,
)
from provchain.auditing.planned_numbers import PlannedNumbers, proposals_of, what_ran
from provchain.auditing.planned_words import planned_findings
from provchain.auditing.policy import Policy
from provchain.auditing.policy_files import ChosenPolicy, choose_policy
from provchain.auditing.reading import Reading, read_study, study_title
from provchain.auditing.remarks import Unfinished, gather_remarks, tells_of_an_end
from provchain.auditing.report import PaperOutcome, Report
from provchain.auditing.script_lines import ScriptLines
from provchain.auditing.selection import selection_findings
from provchain.auditing.statements import judge_statements
from provchain.auditing.verdict import decide
from provchain.history import History, reconstruct
from provchain.inspection.remarks import discloses_change, reports_incomplete
from provchain.model import Claim, Finding, Judgement, Link, Study, StudyOutcome, Verdict
from provchain.numbers import find_numbers
from provchain.papers import read_claims
from provchain.version import __version__

__all__ = ["audit"]

_NOT_CHECKED = (
    "statements in words that no table of the manuscript decides",
    "means and other aggregates whose repetitions the record does not name as such",
    "derived numbers whose operands the manuscript does not name",
    "whether a completed and matched result is also correct",
)
Step = Callable[[str], None]


class _Words(Struct, frozen=True):
    """Where manuscripts say of themselves that something was changed, or did not complete: ``path:line`` by path."""

    disclosed: Mapping[str, str]
    incomplete: Mapping[str, str]


def _lines_of(find: Callable[[str], int | None], texts: Mapping[str, str]) -> dict[str, str]:
    return {path: f"{path}:{line}" for path, text in texts.items() if (line := find(text)) is not None}


def audit(
    path: str | os.PathLike[str],
    papers: Sequence[str | os.PathLike[str]] | None = None,
    policy: str | os.PathLike[str] | Policy | None = None,
    store: str | os.PathLike[str] | None = None,
    *,
    decoy: str | os.PathLike[str] | None = None,
    progress: Step | None = None,
) -> Report:
    """Say for each claim of a study's manuscripts whether it descends from a completed execution.

    Args:
        path: The directory of a run, or a trace file inside one.
        papers: Manuscripts to audit, instead of all that the directory holds.
        policy: What draws the lines: ``"strict"``, ``"default"``, ``"lenient"``, the path of a TOML file, or a `Policy`.
        store: Directory of a store to which the study is added with its verdicts.
        decoy: Directory of another study's run, whose values the manuscripts' numbers are matched with as a control; by
            default the control is the study itself with other digits.
        progress: Called with a few words before each stage.

    Returns:
        The report.

    Raises:
        SourceError: Something could not be read.
        UnknownPolicyError: There is no such policy.
        StoreError: The store could not be written.

    Example:
        >>> import provchain
        >>> report = provchain.audit("examples/repaired")
        >>> report.action.value
        'accept'
    """
    chosen = choose_policy(policy)
    step = progress or (lambda _words: None)
    step("reading")
    reading = read_study(Path(path), papers)
    step("replaying what ran")
    history = reconstruct(reading.sources, reading.traces, reading.files, title="")
    study, texts = history.study, reading.manuscripts
    study.title = study_title(study, Path(path))
    step("reading manuscripts")
    words = _read_manuscripts(study, reading)
    step("linking claims to values")
    closure = Closure(study)
    evidence = gather_evidence(study, history.texts, reading.papers, closure)
    linked, problems = _link(history, reading, evidence, closure)
    step("judging")
    judgements = _judge(history, linked, evidence, closure, texts, words, chosen)
    judgements = _beyond_single_claims(history, judgements, linked, texts, problems)
    report = _report(history, judgements, linked, words, [*texts], problems, chosen)
    step("matching a decoy")
    pool = (evidence.found,) if decoy is None else (read_decoy(Path(decoy)), Path(decoy).resolve().name)
    report.chance = chance_match(study.claims, *pool)
    if store is not None:
        step("storing")
        store_report(report, Path(store))
    return report


def _read_manuscripts(study: Study, reading: Reading) -> _Words:
    """Read what the manuscripts claim, and what they say of the work itself."""
    texts = reading.manuscripts
    study.claims = [claim for name, text in texts.items() for claim in read_claims(name, text)]
    study.remarks += gather_remarks(study, reading.traces, texts)
    words = _Words(_lines_of(discloses_change, texts), _lines_of(reports_incomplete, texts))
    told = bool(words.disclosed)
    study.deviations = [*recorded_deviations(study, disclosed=told), *substitute_deviations(study, disclosed=told)]
    return words


def _beyond_single_claims(
    history: History,
    judgements: Mapping[str, Judgement],
    linked: Linked,
    texts: Mapping[str, str],
    problems: list[Finding],
) -> dict[str, Judgement]:
    """Decide what rests on other claims, and find what a manuscript leaves out or takes from its plan."""
    decided, links = judge_statements(judgements, history.study.claims, linked.links, texts)
    linked.links += links
    problems += selection_findings(history, decided, linked)
    problems += planned_findings(history, decided, texts)
    problems += changed_script_findings(history, decided, linked)
    return decided


def _link(history: History, reading: Reading, evidence: Evidence, closure: Closure) -> tuple[Linked, list[Finding]]:
    """Find what the claims rest on; what is declared comes before what is derived from it."""
    study = history.study
    study.deviations += planned_deviations(history, evidence.settings, reading.manuscripts)
    study.claims = with_own_rows(study, study.claims, evidence, history.texts)
    linked = link_claims(history, evidence, closure)
    problems = link_declared(study, reading.declarations, linked, history.texts, closure)
    problems += [*apply_waivers(study, reading.declarations, history.touched), *reading.problems]
    link_changes(study.claims, linked)
    denied = mark_denied((evidence.found, evidence.typed), linked.values)
    problems += clock_findings(study, history.texts, reading.manuscripts)
    problems += consistency_findings(study.claims, reading.manuscripts, study.artifacts, denied, evidence.found)
    return linked, problems


def _judge(
    history: History,
    linked: Linked,
    evidence: Evidence,
    closure: Closure,
    texts: Mapping[str, str],
    words: _Words,
    chosen: ChosenPolicy,
) -> dict[str, Judgement]:
    claims = history.study.claims
    by_claim: dict[str, list[Link]] = {}
    for link in linked.links:
        by_claim.setdefault(link.claim, []).append(link)
    typed_by_claim: dict[str, list[Link]] = {}
    for link in linked.typed:
        typed_by_claim.setdefault(link.claim, []).append(link)
    bare = BareNumbers((value.number, f"{value.path}:{value.selector}") for value in evidence.found)
    bare_typed = BareNumbers((value.number, f"{value.path}:{value.selector}") for value in evidence.typed)
    retold = BareNumbers((n.value, f"{c.path}:{c.line}") for c in claims for n in find_numbers(c.written)[:1])
    rounded = RoundedNumbers(evidence.found)
    quantities = Quantities(evidence.found)
    unfinished = Unfinished(history.study, texts)
    gap, scripts = RecordGap(history), ScriptLines(history.study, history.texts)
    planned = PlannedNumbers(proposals_of(history.study.artifacts, history.texts), lambda: what_ran(history))
    judgements = {}
    for claim in claims:
        judgements[claim.id] = decide(
            Case(
                claim=claim,
                links=by_claim.get(claim.id, ()),
                typed=typed_by_claim.get(claim.id, ()),
                values=linked.values,
                closure=closure,
                deviations=history.study.deviations,
                record_gap=gap.of(claim),
                planned_at=planned.place_of(claim) if history.recorded else "",
                seen_at=bare.places(claim),
                rounds_at=rounded.places(claim) if is_weak(claim) else (),
                rounds_somewhere=claim.id not in by_claim and rounded.stands_somewhere(claim),
                typed_at=bare_typed.places(claim),
                retold_in=tuple(p for p in retold.places(claim) if not p.startswith(f"{claim.path}:")),
                too_weak=is_weak(claim),
                averaged=quantities.may_be_mean(claim),
                disclosed=words.disclosed.get(claim.path, ""),
                says_incomplete=claim.path in words.incomplete,
                unfinished=unfinished.near(claim),
                scripts=scripts,
                undone_steps=history.undone,
                told_partial_is_open=chosen.policy.counts.told_partial == "open",
            )
        )
    led = with_leads(judgements, claims, evidence.found)
    return with_companions(led, claims, evidence.found, linked, closure)


def _report(
    history: History,
    judgements: Mapping[str, Judgement],
    linked: Linked,
    words: _Words,
    manuscripts: Sequence[str],
    problems: Sequence[Finding],
    chosen: ChosenPolicy,
) -> Report:
    study = history.study
    # What no verdict rests on is no link of the study: a weaker tier, a second showing, an unfinished attempt.
    deciding = {identifier for judgement in judgements.values() for identifier in judgement.links}
    study.links = [link for link in (*linked.links, *linked.typed) if link.id in deciding]
    used = dict.fromkeys(operand for link in study.links for operand in link.operands)
    study.values = [linked.values[operand] for operand in used if operand in linked.values]
    superseded = superseded_claims(study, judgements)
    study.findings = study_findings(history, list(words.disclosed.values()), superseded, problems)
    waived = {waiver.claim for waiver in study.waivers if waiver.counts}
    policy, asked = chosen.policy, findings_against(study.findings, chosen.policy)
    papers = []
    for path in manuscripts:
        own = [claim for claim in study.claims if claim.path == path]
        circumstances = Circumstances(
            undone_step=bool(history.undone),
            reports_incomplete=path in words.incomplete,
            undisclosed_deviation=path not in words.disclosed and _deviates(own, judgements, waived),
            superseded=sum(claim.id in superseded for claim in own if claim.id not in waived),
            waived=waived,
        )
        outcome = decide_outcome(own, judgements, policy, circumstances)
        against = (*reasons_against(own, judgements, policy, circumstances), *asked)
        papers.append(PaperOutcome(path, outcome, action_for(outcome, policy, asked=bool(against)), against))
    # A manuscript that reports no measured result says nothing of the study, unless none does.
    reporting = {claim.path for claim in study.claims if is_measured(claim)}
    deciding_papers = [p for p in papers if p.path in reporting] or papers
    outcome = worst([p.outcome for p in deciding_papers])
    action = worst_action([p.action for p in deciding_papers] or [action_for(outcome, policy)])
    if not reporting and history.undone and tells_of_an_end(study):
        outcome = StudyOutcome.INCOMPLETE  # nothing is claimed, and the study says itself that it came to no result
        action = action_for(outcome, policy)
    not_checked = list(_NOT_CHECKED) + ([history.gap] if history.gap else [])
    tool = f"provchain {__version__}"
    return Report(study, judgements, outcome, action, papers, policy.name, not_checked, tool, chosen.sha256)


def _deviates(claims: Sequence[Claim], judgements: Mapping[str, Judgement], waived: Collection[str]) -> bool:
    deviating = (c for c in claims if judgements[c.id].verdict is Verdict.SUPPORTED_WITH_DEVIATION)
    return any(claim.id not in waived for claim in deviating)
