"""The outcome for a manuscript and for a study: the only place where one is decided.

Decided on measured results only: cells of result tables, figures, and numbers in sections that report results.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from provchain.model import Action, Claim, ClaimKind, ClaimRole, Judgement, Outcome, StudyOutcome, Verdict

__all__ = ["action_for", "decide_outcome", "is_measured", "worst"]

# From worst to best. A study takes the worst outcome of its manuscripts.
_RANK = (
    StudyOutcome.UNSUPPORTED,
    StudyOutcome.MIXED,
    StudyOutcome.UNDETERMINED,
    StudyOutcome.INCOMPLETE,
    StudyOutcome.SUPPORTED_WITH_DEVIATIONS,
    StudyOutcome.SUPPORTED,
)
_ACTIONS = {
    StudyOutcome.UNDETERMINED: Action.REVIEW,
    StudyOutcome.UNSUPPORTED: Action.REJECT,
    StudyOutcome.INCOMPLETE: Action.REPORT_INCOMPLETE,
    StudyOutcome.MIXED: Action.REVIEW,
    StudyOutcome.SUPPORTED_WITH_DEVIATIONS: Action.ACCEPT,
    StudyOutcome.SUPPORTED: Action.ACCEPT,
}
# A whole table that fails in one of these ways is enough to reject: nothing in it came out of a completed execution.
_TABLE_FAILS = {Verdict.AUTHORED, Verdict.SYNTHETIC, Verdict.NOT_COMPLETED, Verdict.STALE, Verdict.NO_SOURCE}


def action_for(outcome: StudyOutcome) -> Action:
    """Say what the reader should do.

    Example:
        >>> action_for(StudyOutcome.UNSUPPORTED).value
        'reject'
    """
    return _ACTIONS[outcome]


def worst(outcomes: Sequence[StudyOutcome]) -> StudyOutcome:
    """The worst of several outcomes; nothing to judge is undetermined.

    Example:
        >>> worst([StudyOutcome.SUPPORTED, StudyOutcome.MIXED]).value
        'mixed'
    """
    return min(outcomes, key=_RANK.index, default=StudyOutcome.UNDETERMINED)


def is_measured(claim: Claim) -> bool:
    """Whether a claim counts for the outcome."""
    return claim.measured and claim.role is ClaimRole.RESULT and claim.kind is not ClaimKind.STATEMENT


def decide_outcome(
    claims: Sequence[Claim],
    judgements: Mapping[str, Judgement],
    *,
    undone_step: bool = False,
    reports_incomplete: bool = False,
    undisclosed_deviation: bool = False,
) -> StudyOutcome:
    """Decide the outcome for one manuscript.

    Args:
        claims: Its claims.
        judgements: Their verdicts by claim id.
        undone_step: A planned step never completed.
        reports_incomplete: The manuscript says so.
        undisclosed_deviation: A deviation that it does not disclose lies on a chain of its claims.

    Returns:
        The first outcome of the table in docs/reference/verdicts.md that applies.
    """
    measured = [(c, judgements[c.id]) for c in claims if is_measured(c) and c.id in judgements]
    if not measured:
        if undone_step and reports_incomplete:
            return StudyOutcome.INCOMPLETE
        return StudyOutcome.UNDETERMINED
    decided = [(c, j) for c, j in measured if j.outcome in (Outcome.PASSED, Outcome.FAILED)]
    failed = [(c, j) for c, j in decided if j.outcome is Outcome.FAILED]
    stands_in = any(j.verdict in (Verdict.OFF_PLAN, Verdict.SUPPORTED_WITH_DEVIATION) for _, j in measured)
    if undone_step and reports_incomplete and not failed and not stands_in:
        return StudyOutcome.INCOMPLETE  # what it reports is no result of the step
    off_plan = [
        j for _, j in measured if j.verdict is Verdict.OFF_PLAN
    ]  # known well: what is open is what to make of it
    if (len(decided) + len(off_plan)) * 2 < len(measured):
        return StudyOutcome.UNDETERMINED
    if len(failed) * 2 > len(decided) or _has_failed_table(measured):
        return StudyOutcome.UNSUPPORTED
    if failed or undisclosed_deviation or off_plan:
        return StudyOutcome.MIXED
    if any(j.verdict is Verdict.SUPPORTED_WITH_DEVIATION for _, j in decided):
        return StudyOutcome.SUPPORTED_WITH_DEVIATIONS
    return StudyOutcome.SUPPORTED


def _has_failed_table(measured: Sequence[tuple[Claim, Judgement]]) -> bool:
    """Whether every decided cell of one table fails, where at least half of its cells could be decided."""
    tables: defaultdict[tuple[str, int], list[Judgement]] = defaultdict(list)
    for claim, judgement in measured:
        if claim.table is not None:
            tables[claim.path, claim.table].append(judgement)
    for judgements in tables.values():
        decided = [j.verdict for j in judgements if j.outcome in (Outcome.PASSED, Outcome.FAILED)]
        if decided and len(decided) * 2 >= len(judgements) and _TABLE_FAILS.issuperset(decided):
            return True
    return False
