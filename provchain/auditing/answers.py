"""What a report says of one claim and of one manuscript, as a reader asks for it."""

from __future__ import annotations

from msgspec import Struct

from provchain.auditing.outcome import is_measured
from provchain.model import Action, Break, Claim, Evidence, Judgement, Outcome, StudyOutcome, Verdict

__all__ = ["JudgedClaim", "PaperOutcome"]


class PaperOutcome(Struct, frozen=True):
    """The outcome of one manuscript.

    Attributes:
        path: The manuscript.
        outcome: Its outcome.
        action: What its reader should do.
        against: What speaks against accepting it, beside results that fail or are off-plan, in words.

    Example:
        >>> print(PaperOutcome("results.md", StudyOutcome.MIXED, Action.REVIEW))
        results.md: mixed (review)
    """

    path: str
    outcome: StudyOutcome
    action: Action
    against: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Write the answer as one line."""
        return f"{self.path}: {self.outcome.value} ({self.action.value})"


class JudgedClaim(Struct, frozen=True):
    """A claim together with the verdict on it.

    Attributes:
        claim: The claim.
        judgement: Its verdict and what decided it.

    Example:
        >>> from provchain import audit
        >>> answer = audit("examples/substituted").claim("results/results.md:18:9")
        >>> print(answer)
        results/results.md:18:9 "0.9290": synthetic
        >>> answer.written, answer.outcome.value, answer.broken.at
        ('0.9290', 'failed', '21.1')
    """

    claim: Claim
    judgement: Judgement

    def __str__(self) -> str:
        """Write the claim and its verdict."""
        return f"{self.claim}: {self.verdict.value}"

    def __repr__(self) -> str:
        """Write the same, short enough for a list of them."""
        return f"<JudgedClaim {self}>"

    @property
    def id(self) -> str:
        """The claim's id."""
        return self.claim.id

    @property
    def path(self) -> str:
        """The manuscript."""
        return self.claim.path

    @property
    def line(self) -> int:
        """Its line, 1-based."""
        return self.claim.line

    @property
    def column(self) -> int:
        """Where it starts in its line, 1-based."""
        return self.claim.column

    @property
    def written(self) -> str:
        """What stands there."""
        return self.claim.written

    @property
    def text(self) -> str:
        """The sentence or table row around it."""
        return self.claim.text

    @property
    def measured(self) -> bool:
        """Whether it counts for the outcome of the study."""
        return is_measured(self.claim)

    @property
    def verdict(self) -> Verdict:
        """The answer."""
        return self.judgement.verdict

    @property
    def outcome(self) -> Outcome:
        """The EARL outcome of the verdict."""
        return self.judgement.outcome

    @property
    def broken(self) -> Break | None:
        """Where its chain breaks first, or ``None``."""
        return self.judgement.broken

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The operands that it rests on."""
        return self.judgement.evidence

    @property
    def note(self) -> str:
        """What a reader should know."""
        return self.judgement.note
