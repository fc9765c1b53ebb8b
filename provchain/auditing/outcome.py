"""The outcome for a manuscript and for a study: the only place where one is decided.

Decided on measured results only: cells of result tables, figures, and numbers in sections that report results. Where the lines
between the outcomes run is what a policy says (`provchain.auditing.policy`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from provchain.auditing.policy import Policy, PolicyCounts, PolicyLines, PolicyResults
from provchain.model import (
    Action,
    Claim,
    ClaimKind,
    ClaimRole,
    Finding,
    Judgement,
    Outcome,
    Severity,
    StudyOutcome,
    Verdict,
)
from provchain.papers import stands_among_results

__all__ = [
    "Circumstances",
    "action_for",
    "decide_outcome",
    "findings_against",
    "is_measured",
    "reasons_against",
    "worst",
    "worst_action",
]

# From worst to best. A study takes the worst outcome of its manuscripts.
_RANK = (
    StudyOutcome.UNSUPPORTED,
    StudyOutcome.MIXED,
    StudyOutcome.UNDETERMINED,
    StudyOutcome.INCOMPLETE,
    StudyOutcome.SUPPORTED_WITH_DEVIATIONS,
    StudyOutcome.SUPPORTED,
)
_ACTION_RANK = (Action.REJECT, Action.REVIEW, Action.REPORT_INCOMPLETE, Action.ACCEPT)
_DEFAULT = Policy(name="default")
_LEAST_DENIED = 4  # cells that files contradict before a table is denied as a whole


class Circumstances(Struct, frozen=True):
    """What beside the verdicts decides the outcome of a manuscript.

    Attributes:
        undone_step: A planned step never completed.
        reports_incomplete: The manuscript says so.
        undisclosed_deviation: A deviation that it does not disclose lies on a chain of its claims.
        superseded: How many of its claims hold by a value that a later execution replaced.
        waived: Ids of the claims that a person answers for.
    """

    undone_step: bool = False
    reports_incomplete: bool = False
    undisclosed_deviation: bool = False
    superseded: int = 0
    waived: Collection[str] = ()


_PLAIN = Circumstances()


class _Result(Struct, frozen=True):
    """A measured result as a policy counts it."""

    claim: Claim
    verdict: Verdict
    outcome: Outcome  # passed or failed where it is decided
    known: bool  # also where only what to make of it is open


def action_for(outcome: StudyOutcome, policy: Policy = _DEFAULT, *, asked: bool = False) -> Action:
    """Say what the reader should do.

    Args:
        outcome: The outcome.
        policy: What draws the lines.
        asked: Something asks for a review, so that nothing is accepted unseen.

    Example:
        >>> action_for(StudyOutcome.UNSUPPORTED).value, action_for(StudyOutcome.SUPPORTED, asked=True).value
        ('reject', 'review')
    """
    action = Action(policy.actions.after(outcome))
    return Action.REVIEW if action is Action.ACCEPT and asked else action


def worst(outcomes: Sequence[StudyOutcome]) -> StudyOutcome:
    """The worst of several outcomes; nothing to judge is undetermined.

    Example:
        >>> worst([StudyOutcome.SUPPORTED, StudyOutcome.MIXED]).value
        'mixed'
    """
    return min(outcomes, key=_RANK.index, default=StudyOutcome.UNDETERMINED)


def worst_action(actions: Sequence[Action]) -> Action:
    """The least accepting of several actions; of none a review.

    Example:
        >>> worst_action([Action.ACCEPT, Action.REVIEW]).value
        'review'
    """
    return min(actions, key=_ACTION_RANK.index, default=Action.REVIEW)


def is_measured(claim: Claim) -> bool:
    """Whether a claim counts for the outcome."""
    return claim.measured and claim.role is ClaimRole.RESULT and claim.kind is not ClaimKind.STATEMENT


def decide_outcome(
    claims: Sequence[Claim],
    judgements: Mapping[str, Judgement],
    policy: Policy = _DEFAULT,
    circumstances: Circumstances = _PLAIN,
) -> StudyOutcome:
    """Decide the outcome for one manuscript.

    Args:
        claims: Its claims.
        judgements: Their verdicts by claim id.
        policy: What draws the lines.
        circumstances: What beside the verdicts decides.

    Returns:
        The first outcome of the table in docs/reference/verdicts.md that applies.
    """
    results = _results(claims, judgements, policy, circumstances.waived)
    ended = circumstances.undone_step and circumstances.reports_incomplete
    if not results:
        return StudyOutcome.INCOMPLETE if ended else StudyOutcome.UNDETERMINED
    failed = [result for result in results if result.outcome is Outcome.FAILED]
    stands_in = any(r.verdict in (Verdict.OFF_PLAN, Verdict.SUPPORTED_WITH_DEVIATION) for r in results)
    if ended and not failed and not stands_in:
        return StudyOutcome.INCOMPLETE  # what it reports is no result of the step
    counted = [result for result in results if _decides(result.claim, policy.results)]
    known = sum(result.known for result in counted)
    if known >= _of(policy.lines.known_to_reject, len(counted)) and _is_rejected(counted, policy.lines):
        return StudyOutcome.UNSUPPORTED
    if not known or known < _of(policy.lines.known_to_accept, len(counted)):
        denied = policy.lines.failing_table_rejects and _has_denied_table(counted)
        return StudyOutcome.UNSUPPORTED if denied else StudyOutcome.UNDETERMINED
    off_plan = policy.counts.off_plan == "review" and any(r.verdict is Verdict.OFF_PLAN for r in results)
    if failed or off_plan or reasons_against(claims, judgements, policy, circumstances):
        return StudyOutcome.MIXED
    deviates = (Verdict.SUPPORTED_WITH_DEVIATION, Verdict.OFF_PLAN)
    if any(result.verdict in deviates for result in counted if result.outcome is Outcome.PASSED):
        return StudyOutcome.SUPPORTED_WITH_DEVIATIONS
    return StudyOutcome.SUPPORTED


def reasons_against(
    claims: Sequence[Claim],
    judgements: Mapping[str, Judgement],
    policy: Policy = _DEFAULT,
    circumstances: Circumstances = _PLAIN,
) -> list[str]:
    """Say what speaks against accepting one manuscript, beside its results that fail or are off-plan.

    Args:
        claims: Its claims.
        judgements: Their verdicts by claim id.
        policy: What draws the lines.
        circumstances: What beside the verdicts decides.

    Returns:
        Each in a few words; empty if nothing does.
    """
    counts, waived = policy.counts, circumstances.waived
    reasons = []
    if counts.superseded == "review" and (number := circumstances.superseded):
        reasons.append(f"a later execution replaced the value of {_count(number, 'claim')}")
    if counts.undisclosed_deviation == "review" and circumstances.undisclosed_deviation:
        reasons.append("a deviation that the manuscript does not disclose")
    own = [claim for claim in claims if claim.id in judgements]
    results = [claim for claim in own if is_measured(claim) and (claim.id not in waived or counts.waived == "counted")]
    for verdict in (Verdict.AMBIGUOUS, Verdict.UNRECORDED, Verdict.OFF_PLAN):
        told = _told(verdict, counts)
        number = sum(judgements[claim.id].verdict is verdict for claim in results)
        if number and (told == "fails" or (told == "review" and verdict is not Verdict.OFF_PLAN)):
            fails = "" if told == "review" else f", which count{'s' if number == 1 else ''} as failing"
            reasons.append(f"{_count(number, f'{verdict.value} result')}{fails}")
    labelled = [c for c in own if c.role is ClaimRole.ILLUSTRATIVE and c.id not in waived and stands_among_results(c)]
    if counts.illustrative == "review" and labelled:
        reasons.append(f"{_count(len(labelled), 'claim')} among the results labelled as made up or as an example")
    answered = [c for c in own if is_measured(c) and c.id in waived]
    open_ = [c for c in answered if judgements[c.id].outcome is not Outcome.PASSED]
    if counts.waived == "review" and open_:
        reasons.append(f"{_count(len(open_), 'waived result')} that the record does not support")
    return reasons


def findings_against(findings: Sequence[Finding], policy: Policy) -> list[str]:
    """Say how many findings of which severity ask for a review under a policy.

    Example:
        >>> from provchain.auditing.policy import PolicyFindings
        >>> from provchain.model import Strength
        >>> finding = Finding("substitute", Severity.WARNING, Strength.STRONG, "it ran in the place of another")
        >>> findings_against([finding], Policy(name="careful", findings=PolicyFindings(review_from="warning")))
        ['1 finding of severity warning']
    """
    asking = [finding for finding in findings if policy.findings.ask_of(finding)]
    numbers = ((severity, sum(one.severity is severity for one in asking)) for severity in Severity)
    return [f"{_count(number, 'finding')} of severity {severity.value}" for severity, number in numbers if number]


def _results(
    claims: Sequence[Claim], judgements: Mapping[str, Judgement], policy: Policy, waived: Collection[str]
) -> list[_Result]:
    """The measured results of a manuscript, without those that the policy leaves out."""
    found = []
    for claim in claims:
        if not is_measured(claim) or claim.id not in judgements:
            continue
        if claim.id in waived and policy.counts.waived != "counted":
            continue
        verdict = judgements[claim.id].verdict
        told = _told(verdict, policy.counts)
        if told == "left-out":
            continue
        outcome = {"fails": Outcome.FAILED, "holds": Outcome.PASSED}.get(told, verdict.outcome)
        # Of what is off-plan it is known what happened: what is open is what to make of it.
        known = outcome in (Outcome.PASSED, Outcome.FAILED) or verdict is Verdict.OFF_PLAN
        found.append(_Result(claim, verdict, outcome, known))
    return found


def _told(verdict: Verdict, counts: PolicyCounts) -> str:
    """How a policy counts a verdict that neither passed nor failed; nothing else is its to say."""
    if verdict is Verdict.AMBIGUOUS:
        return counts.ambiguous
    if verdict is Verdict.UNRECORDED:
        return counts.unrecorded
    return counts.off_plan if verdict is Verdict.OFF_PLAN else ""


def _decides(claim: Claim, results: PolicyResults) -> bool:
    if claim.kind is ClaimKind.FIGURE:
        return results.figures
    return results.tables if claim.table is not None else results.prose


def _of(share: float, number: int) -> Fraction:
    """A share of a number, as it is written: 0.8 of 5 is 4."""
    return Fraction(str(share)) * number


def _is_rejected(counted: Sequence[_Result], lines: PolicyLines) -> bool:
    decided = [result.outcome for result in counted if result.outcome in (Outcome.PASSED, Outcome.FAILED)]
    if decided.count(Outcome.FAILED) > _of(lines.failing_to_reject, len(decided)):
        return True
    return lines.failing_table_rejects and _has_failed_table(counted, lines)


def _has_denied_table(counted: Sequence[_Result]) -> bool:
    """Whether files contradict most of one table, and no cell of it holds: to say so needs no record of executions."""
    for cells in _tables(counted):
        denied = sum(cell.verdict is Verdict.CONTRADICTED for cell in cells)
        holds = any(cell.outcome is Outcome.PASSED for cell in cells)
        if denied >= _LEAST_DENIED and denied * 2 > len(cells) and not holds:
            return True
    return False


def _has_failed_table(counted: Sequence[_Result], lines: PolicyLines) -> bool:
    """Whether every decided cell of one table fails, where enough of its cells could be decided."""
    for cells in _tables(counted):
        decided = [cell for cell in cells if cell.outcome in (Outcome.PASSED, Outcome.FAILED)]
        fails = all(cell.outcome is Outcome.FAILED and cell.verdict in lines.table_verdicts for cell in decided)
        if decided and fails and len(decided) >= _of(lines.known_of_table, len(cells)):
            return True
    return False


def _tables(counted: Sequence[_Result]) -> list[list[_Result]]:
    tables: defaultdict[tuple[str, int], list[_Result]] = defaultdict(list)
    for result in counted:
        if result.claim.table is not None:
            tables[result.claim.path, result.claim.table].append(result)
    return list(tables.values())


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
