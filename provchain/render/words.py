"""What verdicts, outcomes and actions are called for a reader: the same words in every output."""

from __future__ import annotations

from provchain.model import Action, Outcome, StudyOutcome, Verdict

__all__ = ["ACTION_WORDS", "ASCII_SYMBOLS", "OUTCOME_WORDS", "STUDY_WORDS", "SYMBOLS", "VERDICT_WORDS"]

VERDICT_WORDS: dict[str, str] = {
    Verdict.NOT_A_RESULT: "reports no result",
    Verdict.CITED: "cited from other work",
    Verdict.ILLUSTRATIVE: "labelled as an example",
    Verdict.CONFIGURED: "a setting, equal to the one used",
    Verdict.STALE: "the file changed after its execution",
    Verdict.CONTRADICTED: "the record says something else",
    Verdict.AMBIGUOUS: "cannot be told",
    Verdict.SUPPORTED: "rests on a completed execution",
    Verdict.SUPPORTED_WITH_DEVIATION: "rests on a completed execution that deviates from the plan",
    Verdict.AUTHORED: "typed, not left by an execution",
    Verdict.SYNTHETIC: "the values were made up by a program",
    Verdict.PARTIAL: "from an execution that did not finish",
    Verdict.NOT_COMPLETED: "its execution did not complete",
    Verdict.OFF_PLAN: "from a substitute for the planned step",
    Verdict.UNRECORDED: "the record that would hold it is missing",
    Verdict.NO_SOURCE: "nothing on record produced it",
}

OUTCOME_WORDS: dict[str, str] = {
    Outcome.PASSED: "SUPPORTED",
    Outcome.FAILED: "NOT SUPPORTED",
    Outcome.CANT_TELL: "UNDECIDED",
    Outcome.INAPPLICABLE: "NO RESULT",
    Outcome.UNTESTED: "NOT TESTED",
}

SYMBOLS: dict[str, str] = {
    Outcome.PASSED: "✓",
    Outcome.FAILED: "✗",
    Outcome.CANT_TELL: "?",
    Outcome.INAPPLICABLE: "-",
    Outcome.UNTESTED: "○",
}

ASCII_SYMBOLS: dict[str, str] = {
    Outcome.PASSED: "+",
    Outcome.FAILED: "x",
    Outcome.CANT_TELL: "?",
    Outcome.INAPPLICABLE: "-",
    Outcome.UNTESTED: "o",
}

STUDY_WORDS: dict[str, str] = {
    StudyOutcome.UNDETERMINED: "too little could be decided",
    StudyOutcome.UNSUPPORTED: "its results do not descend from completed executions",
    StudyOutcome.INCOMPLETE: "a planned step never completed, and the study says so",
    StudyOutcome.MIXED: "some of its results hold, some do not",
    StudyOutcome.SUPPORTED_WITH_DEVIATIONS: "its results hold, with deviations from the plan",
    StudyOutcome.SUPPORTED: "its results descend from completed executions",
}

ACTION_WORDS: dict[str, str] = {
    Action.ACCEPT: "accept",
    Action.REVIEW: "review before relying on it",
    Action.REJECT: "reject, do not rely on these results",
    Action.REPORT_INCOMPLETE: "report the study as incomplete",
}
