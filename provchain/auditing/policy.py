"""A policy: where the lines run between the outcomes of a manuscript, and what follows from each outcome.

The classes hold the parameters with the values of the policy ``default``, which are those of docs/reference/verdicts.md.
`provchain.auditing.policy_files` reads policies from TOML.

What is sound is no parameter. No policy makes a claim hold that does not: an execution that did not complete supports nothing,
testimony never counts, a result that fails always costs ``accept``, and where nothing could be decided nothing is accepted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct, field, structs

from provchain.model import Finding, Severity, Strength, StudyOutcome

__all__ = [
    "FORMAT",
    "Policy",
    "PolicyActions",
    "PolicyCounts",
    "PolicyFindings",
    "PolicyLines",
    "PolicyResults",
    "parameters",
]

FORMAT = "provchain-policy/1"

Share = Annotated[float, Meta(ge=0, le=1)]
Undecided = Literal["left-out", "open", "review", "fails"]
TableVerdict = Literal[
    "stale", "contradicted", "authored", "synthetic", "partial", "not-completed", "no-source",
    "ambiguous", "off-plan", "unrecorded",
]  # fmt: skip


class PolicyResults(Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True):
    """Which measured results decide. One that is left out here still costs ``accept`` if it fails.

    Attributes:
        tables: Cells of result tables.
        figures: Figures.
        prose: Numbers in sections that report results.
    """

    tables: bool = True
    figures: bool = True
    prose: bool = True


class PolicyLines(Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True):
    """The lines between the outcomes of a manuscript, as shares from 0 to 1.

    Attributes:
        known_to_accept: Where fewer of the results than this share are known, the manuscript is ``undetermined``.
        known_to_reject: Where fewer of the results than this share are known, no failure makes it ``unsupported``, but
            a table that files contradict.
        failing_to_reject: Where more of the decided results than this share fail, it is ``unsupported``.
        failing_table_rejects: Whether one result table that fails as a whole, or that files contradict, makes it
            ``unsupported``.
        known_of_table: A table fails as a whole only if at least this share of its cells is decided.
        table_verdicts: A table fails as a whole if each of its decided cells fails with one of these verdicts. ``ambiguous``,
            ``off-plan`` and ``unrecorded`` matter only where ``counts`` has them fail.
    """

    known_to_accept: Share = 0.5
    known_to_reject: Share = 0.5
    failing_to_reject: Share = 0.5
    failing_table_rejects: bool = True
    known_of_table: Share = 0.5
    table_verdicts: tuple[TableVerdict, ...] = ("stale", "authored", "synthetic", "not-completed", "no-source")


class PolicyCounts(Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True):
    """How results count that neither plainly hold nor plainly fail.

    ``left-out``: not at all. ``open``: as a result of which it is not known whether it holds. ``review``: the same, and one of
    them is enough to ask for a review. ``fails``: as one that fails. ``holds``: as one that holds.

    Attributes:
        ambiguous: Results whose verdict is ``ambiguous``.
        unrecorded: Results whose verdict is ``unrecorded``, also those that only testimony attests.
        off_plan: Results whose verdict is ``off-plan``; ``holds`` counts them as supported with a deviation.
        undisclosed_deviation: Claims that are ``supported-with-deviation`` in a manuscript that discloses no change.
        superseded: Claims that hold by a value which a later completed run of the same command replaced.
        told_partial: Values of an unfinished execution that the manuscript tells as such: ``open`` makes them ``ambiguous``,
            ``fails`` gives them the verdict that they would have untold, ``partial`` or ``not-completed``.
        illustrative: Numbers and figures among the results that are labelled as made up or as examples.
        waived: Results that a person answers for, if the waiver counts; ``review`` leaves them out and asks for a review if one
            of them does not hold, ``counted`` counts them as if there were no waiver.
    """

    ambiguous: Undecided = "open"
    unrecorded: Undecided = "open"
    off_plan: Literal["holds", "review", "fails"] = "review"
    undisclosed_deviation: Literal["holds", "review"] = "review"
    superseded: Literal["holds", "review"] = "review"
    told_partial: Literal["open", "fails"] = "open"
    illustrative: Literal["left-out", "review"] = "left-out"
    waived: Literal["left-out", "review", "counted"] = "left-out"


class PolicyFindings(Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True):
    """Which findings turn ``accept`` into ``review``.

    Attributes:
        review_from: Findings of this severity and of greater ones ask for a review.
        hints: Whether findings of the strength ``hint``, which only words suggest, count as well.
    """

    review_from: Literal["never", "error", "warning", "note"] = "never"
    hints: bool = False

    def ask_of(self, finding: Finding) -> bool:
        """Whether a finding asks for a review.

        Example:
            >>> finding = Finding("substitute", Severity.WARNING, Strength.STRONG, "it ran in the place of another")
            >>> PolicyFindings().ask_of(finding), PolicyFindings(review_from="warning").ask_of(finding)
            (False, True)
        """
        if self.review_from == "never" or (finding.strength is Strength.HINT and not self.hints):
            return False
        order = list(Severity)
        return order.index(finding.severity) <= order.index(Severity(self.review_from))


class PolicyActions(Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True):
    """What a reader should do after each outcome. Only what is supported can be accepted.

    Attributes:
        supported: All that is decided holds.
        supported_with_deviations: It holds, with deviations from the plan.
        incomplete: A planned step never completed, and the study says so.
        mixed: Some results fail, or something asks for a review.
        undetermined: Too little could be decided.
        unsupported: Too many results fail, or a whole table does.
    """

    supported: Literal["accept", "review"] = "accept"
    supported_with_deviations: Literal["accept", "review", "reject"] = "accept"
    incomplete: Literal["report-incomplete", "review", "reject"] = "report-incomplete"
    mixed: Literal["review", "reject"] = "review"
    undetermined: Literal["review", "reject"] = "review"
    unsupported: Literal["review", "reject"] = "reject"

    def after(self, outcome: StudyOutcome) -> str:
        """Say what follows from an outcome.

        Example:
            >>> PolicyActions().after(StudyOutcome.SUPPORTED_WITH_DEVIATIONS)
            'accept'
        """
        action: str = getattr(self, outcome.value.replace("-", "_"))
        return action


class Policy(Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True):
    """Where the lines run between the outcomes, and what follows from each.

    Attributes:
        name: What a report calls it. A policy of one's own has a name of its own.
        summary: What it is for, in a sentence.
        results: Which measured results decide.
        lines: The lines between the outcomes of a manuscript.
        counts: How results count that neither plainly hold nor plainly fail.
        findings: Which findings turn ``accept`` into ``review``.
        actions: What a reader should do after each outcome.

    Example:
        >>> import provchain
        >>> from provchain.auditing.policy import PolicyFindings
        >>> careful = provchain.Policy(name="careful", findings=PolicyFindings(review_from="warning"))
        >>> report = provchain.audit("examples/repaired", policy=careful)
        >>> report.policy, report.action.value
        ('careful', 'accept')
    """

    name: str
    summary: str = ""
    results: PolicyResults = field(default_factory=PolicyResults)
    lines: PolicyLines = field(default_factory=PolicyLines)
    counts: PolicyCounts = field(default_factory=PolicyCounts)
    findings: PolicyFindings = field(default_factory=PolicyFindings)
    actions: PolicyActions = field(default_factory=PolicyActions)

    def to_toml(self) -> str:
        """Write the policy as a file, with every parameter.

        Example:
            >>> Policy(name="ours").to_toml().splitlines()[:5]
            ['format = "provchain-policy/1"', 'name = "ours"', '', '[results]', 'tables = true']
        """
        lines = [f'format = "{FORMAT}"', f"name = {_toml(self.name)}"]
        lines += [f"summary = {_toml(self.summary)}"] if self.summary else []
        section = ""
        for table, key, value in parameters(self):
            lines += [] if table == section else ["", f"[{table}]"]
            section = table
            lines.append(f"{key} = {_toml(value)}")
        return "\n".join(lines) + "\n"


def parameters(policy: Policy) -> Iterator[tuple[str, str, object]]:
    """List the parameters of a policy.

    Args:
        policy: The policy.

    Yields:
        The table that a parameter stands in, its key there, and its value.

    Example:
        >>> next(parameters(Policy(name="ours")))
        ('results', 'tables', True)
    """
    for section in structs.fields(policy):
        held = getattr(policy, section.name)
        if isinstance(held, Struct):
            for one in structs.fields(held):
                yield section.encode_name, one.encode_name, getattr(held, one.name)


def _toml(value: object) -> str:
    """Write a value; a text of printable characters is the same in TOML as in JSON."""
    return json.dumps(value, ensure_ascii=False)
