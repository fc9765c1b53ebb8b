"""Everything that the verdict for one claim rests on, and whether its links hold."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from provchain.auditing.closure import Closure, Standing
from provchain.auditing.script_lines import ScriptLines
from provchain.model import Artifact, Claim, Deviation, Link, Relation, Tier, Value, Verdict

__all__ = ["MAX_EVIDENCE", "ORDER", "Case"]

MAX_EVIDENCE = 8
"""Places that the report shows for one claim."""

# A broken chain is as bad as its worst link; of several, the one that `Verdict` names first decides.
ORDER = {verdict: index for index, verdict in enumerate(Verdict)}
# A unit of an execution that is finished while the whole is not: its value stands, and is no result of the whole.
_UNIT = re.compile(
    r"\b(?:seed|fold|split|run|trial|repeat|repetition|item|task|problem|example|client|subject)s?[ _-]?\d",
    re.IGNORECASE,
)


class Case(Struct):
    """Everything that the verdict for one claim rests on.

    Attributes:
        claim: The claim.
        links: Its links, of every tier.
        typed: Links to places in bytes that the agent typed: never evidence, but they tell where a number comes from.
        values: The operands' values by id.
        closure: The standing of artifacts.
        deviations: Those of the study.
        record_gap: Why the record may not hold what the claim rests on, or empty if it is whole.
        seen_at: Places at which the bare number stands in the evidence, without labels that single it out.
        rounds_at: Places of what its sentence names whose value rounds to it, where it is too short to be one of them for sure.
        rounds_somewhere: Some value on record would be written so, whatever it is of.
        typed_at: The same in bytes that the agent typed.
        retold_in: Other manuscripts in which the number stands.
        too_weak: The number is too short to be searched for by value.
        averaged: It is called a mean of what stands on record several times.
        planned_at: Where the proposal has this number of the same thing, or empty.
        disclosed: Where the manuscript says that what was done differs from what was planned, or empty.
        says_incomplete: The manuscript says that an experiment did not finish.
        unfinished: Ids of the executions and steps of which it says so in the claim's own section; empty for the whole work.
        scripts: Finds the lines of scripts that name what a claim reports.
        undone_steps: Ids of planned steps that no execution completed.
        told_partial_is_open: A value of an unfinished execution that the manuscript tells as such is left to a reader.
    """

    claim: Claim
    links: Sequence[Link]
    typed: Sequence[Link]
    values: dict[str, Value]
    closure: Closure
    deviations: Sequence[Deviation] = ()
    record_gap: str = ""
    seen_at: tuple[str, ...] = ()
    rounds_at: tuple[str, ...] = ()
    rounds_somewhere: bool = False
    typed_at: tuple[str, ...] = ()
    retold_in: tuple[str, ...] = ()
    too_weak: bool = False
    averaged: bool = False
    planned_at: str = ""
    disclosed: str = ""
    says_incomplete: bool = False
    unfinished: frozenset[str] = frozenset()
    scripts: ScriptLines | None = None
    undone_steps: frozenset[str] = frozenset()
    told_partial_is_open: bool = True

    def told_of(self, execution: str) -> bool:
        """Whether the manuscript says of an execution, where the claim stands, that it did not finish."""
        record = self.closure.executions.get(execution)
        return bool({"", execution, record.step if record is not None else ""} & self.unfinished)

    def artifact(self, operand: str) -> Artifact:
        """The artifact that an operand is, or in which it stands."""
        value = self.values.get(operand)
        return self.closure.artifacts[value.artifact if value is not None else operand]

    def _standing(self, operand: str, *, repeated: bool = False) -> Standing:
        value = self.values.get(operand)
        artifact = self.artifact(operand)
        if value is not None and value.denied_by:
            place = f"{value.path}:{value.selector}"
            return Standing(
                Verdict.CONTRADICTED, value.id, place, f"{place} is denied by its own file: {value.denied_by}"
            )
        if value is not None and value.typed_in:
            why = f"{value.lexical} stands as text in {value.typed_in}: it was typed into the script that wrote {artifact.path}"
            return Standing(Verdict.AUTHORED, value.id, value.typed_in, why)
        if value is not None and value.fixed_in:
            why = f"{value.lexical} of {artifact.path} is no result of {value.fixed_in}: {value.fixed_by}"
            return Standing(Verdict.SYNTHETIC, value.id, value.fixed_in, why)
        standing = self.closure.standing(artifact.id)
        is_unit = value is not None and (repeated or _UNIT.search(" ".join(value.labels)))
        if standing.verdict is Verdict.NOT_COMPLETED and value is not None and is_unit:
            why = (
                f"{standing.why}; {value.lexical} is of one unit that it had finished ({' / '.join(value.labels)[:60]})"
            )
            return msgspec.structs.replace(standing, verdict=Verdict.PARTIAL, why=why)
        return standing

    def is_made_up(self, link: Link) -> bool:
        """Whether a link rests on a value that the script which wrote it made up, among others that are real."""
        return any(value.fixed_in for o in link.operands if (value := self.values.get(o)) is not None)

    def standing(self, link: Link) -> Standing:
        """Whether all operands of a link hold; if not, the break whose verdict `Verdict` names first."""
        if not link.operands:  # declared, and what is named is not there
            return Standing(Verdict.NO_SOURCE, link.id, self.claim.path, link.note or "it rests on nothing")
        repeated = link.relation is Relation.AGGREGATED and link.tier is not Tier.DECLARED
        standings = (self._standing(operand, repeated=repeated) for operand in link.operands)
        broken = [s for s in standings if s.verdict is not None]
        return min(broken, key=lambda s: ORDER[s.verdict or Verdict.NO_SOURCE]) if broken else Standing()
