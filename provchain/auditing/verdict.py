"""The verdict for one claim: the only place where one is decided.

Follows the list of docs/reference/verdicts.md from the top: the first entry that applies is the verdict. Everything it needs
comes in: the claim's links, the standing of what they point at, and what the record can hold at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from provchain.auditing.case import MAX_EVIDENCE, ORDER, Case
from provchain.auditing.closure import Closure, Standing, original
from provchain.auditing.derived import is_derived
from provchain.linking import PRINTED_TOO
from provchain.model import (
    Artifact,
    Break,
    Claim,
    ClaimKind,
    ClaimRole,
    Evidence,
    Judgement,
    Kind,
    Link,
    Relation,
    Status,
    Tier,
    Verdict,
)

__all__ = ["decide"]

_TIERS = {Tier.DECLARED: 0, Tier.LABELS: 1, Tier.LONE: 2, Tier.MANUSCRIPT: 3}
_INAPPLICABLE = {
    ClaimRole.NOT_A_RESULT: Verdict.NOT_A_RESULT,
    ClaimRole.CITED: Verdict.CITED,
    ClaimRole.ILLUSTRATIVE: Verdict.ILLUSTRATIVE,
}
_ABOUT_AN_ENDING = re.compile(
    r"\b(?:failed|fails|timed out|time-?out|crash(?:ed|es)?|aborted|killed"
    r"|did not (?:finish|complete)|could not be completed|was stopped)\b",
    re.IGNORECASE,
)
_PARTIAL_WORDS = re.compile(
    r"\b(?:partial|incomplete|unfinished|not finished|did not finish|only \w+ of \w+ \w+ (?:finished|completed)"
    r"|before (?:the |it |its )?(?:\w+ ){0,2}(?:crash\w*|fail\w*|stop\w*|abort\w*|kill\w*|time-?out))",
    re.IGNORECASE,
)
# What an ending has for a number: how long it took, how far it came, what it answered.
_OF_AN_ENDING = re.compile(
    r"^\W{0,3}(?:s|sec(?:ond)?s?|ms|min(?:ute)?s?|h|hours?|days?|epochs?|steps?|iterations?|batch(?:es)?|rounds?|trials?"
    r"|[kmgt]i?b|bytes?|%\s+of the (?:run|data|epochs|steps))\b",
    re.IGNORECASE,
)
_BEFORE_AN_ENDING = re.compile(
    r"\b(?:epoch|step|iteration|batch|round|trial|line|exit (?:code|status)|code|status|signal|limit(?: of)?)\W{0,3}$",
    re.IGNORECASE,
)


def decide(case: Case) -> Judgement:
    """Decide the verdict for one claim.

    Args:
        case: The claim with everything that its verdict rests on.

    Returns:
        The verdict, its evidence and its break.

    Spec: docs/reference/verdicts.md, "One claim", from the top.
    """
    claim = case.claim
    if (verdict := _INAPPLICABLE.get(claim.role)) is not None:
        return Judgement(claim.id, verdict, note=claim.why)
    own = next((link for link in case.links if link.tier is Tier.MANUSCRIPT), None)
    found = [link for link in case.links if link.tier is not Tier.MANUSCRIPT]
    if claim.role is ClaimRole.SETTING and not any(link.tier is Tier.DECLARED for link in found):
        return _setting(case, found, own)
    top = min((_TIERS[link.tier] for link in found), default=None)
    agreeing = [link for link in found if _TIERS[link.tier] == top and link.agrees]
    opposing = [link for link in found if _TIERS[link.tier] == top and not link.agrees]
    standing = case.standing(own) if own is not None else None
    if any(link.tier is Tier.DECLARED for link in found):
        return _by_links(case, agreeing) if agreeing else _contradicted(case, opposing)
    if claim.kind is ClaimKind.STATEMENT:
        return _statement(case, own, standing)
    if own is not None and standing is not None:
        return _in_written_manuscript(case, own, standing, agreeing, opposing)
    if agreeing:
        return _by_links(case, agreeing)
    if opposing:
        return _contradicted(case, opposing)
    return _without_link(case)


def _setting(case: Case, found: Sequence[Link], own: Link | None) -> Judgement:
    agreeing = [link for link in found if link.agrees]
    if agreeing:
        # A configuration is what was used, whoever wrote it; what a result tells of itself is worth what the result is.
        standings = [case.standing(link) for link in agreeing]
        told = not any(_is_configuration(case, link) or case.is_made_up(link) for link in agreeing)
        if told and not any(standing.holds for standing in standings):
            return _broken(case, min(standings, key=lambda s: ORDER[s.verdict or Verdict.NO_SOURCE]), agreeing)
        return _answer(case, Verdict.CONFIGURED, agreeing)
    if found:
        return _contradicted(case, found)
    if own is not None:
        # What an execution writes of its settings is its word for them; as plain text in the script it is no more than that.
        standing = case.standing(own)
        if standing.verdict is not Verdict.AUTHORED:
            return _broken(case, standing, [own]) if standing.verdict is not None else _supported(case, [own])
    if case.typed:
        return _without_link(case)
    if case.planned_at:
        return _only_planned(case)
    return Judgement(case.claim.id, Verdict.UNRECORDED, note="a setting; no configuration on record names it")


def _only_planned(case: Case) -> Judgement:
    what = f"it stands in the plan ({case.planned_at}), and no code, configuration, result or output has it of the same thing"
    return Judgement(case.claim.id, Verdict.NO_SOURCE, broken=Break(Verdict.NO_SOURCE.value, case.planned_at, what))


def _is_configuration(case: Case, link: Link) -> bool:
    kinds = (Kind.CONFIG, Kind.SCRIPT, Kind.OTHER)
    return any(case.artifact(operand).kind in kinds for operand in link.operands)


def _statement(case: Case, own: Link | None, standing: Standing | None) -> Judgement:
    if own is not None and standing is not None and standing.verdict is not None:
        return _broken(case, standing, [own])
    return Judgement(case.claim.id, Verdict.AMBIGUOUS, note="a statement in words without a number: left to a reader")


def _in_written_manuscript(
    case: Case, own: Link, standing: Standing, agreeing: Sequence[Link], opposing: Sequence[Link]
) -> Judgement:
    """An execution wrote the manuscript: the claim's chain runs through that execution; found values are further evidence.

    Where its own cells deny what it says, it is contradicted, whoever wrote it. What another file says denies it only where
    the manuscript's own numbers were made up: else it may be of another execution.
    """
    denying = [link for link in opposing if link.relation is Relation.DERIVED or standing.verdict is Verdict.SYNTHETIC]
    if denying and not agreeing:
        return _contradicted(case, denying)
    holding = [link for link in agreeing if case.standing(link).holds]
    if standing.verdict is None and agreeing and not holding and all(map(case.is_made_up, agreeing)):
        return _broken(case, case.standing(agreeing[0]), [*agreeing, own])
    if standing.verdict is None:
        return _supported(case, [*holding, own])
    if holding and standing.verdict is not Verdict.SYNTHETIC:
        return _supported(case, holding)
    same = [link for link in agreeing if case.standing(link).verdict is standing.verdict]
    return _broken(case, standing, [*same, own])


def _by_links(case: Case, links: Sequence[Link]) -> Judgement:
    # A log that repeats what a data file holds is a second showing of it, not a second source: shown, and not counted.
    own = [link for link in links if link.note != PRINTED_TOO] or list(links)
    judgement = _by_sources(case, own)
    again = [link for link in links if link not in own]
    if not again or judgement.verdict not in (Verdict.SUPPORTED, Verdict.SUPPORTED_WITH_DEVIATION, Verdict.SYNTHETIC):
        return judgement
    shown = (*judgement.evidence, *(e for e in _evidence(case, again) if e not in judgement.evidence))
    return msgspec.structs.replace(judgement, evidence=shown[:MAX_EVIDENCE])


def _by_sources(case: Case, links: Sequence[Link]) -> Judgement:
    standings = [case.standing(link) for link in links]
    holding = [link for link, standing in zip(links, standings, strict=True) if standing.holds]
    if holding and any(case.is_made_up(link) for link in links):
        # The same execution may have printed what it made up: the print is no second source.
        fabricators = {_writer(case, o) for link in links if case.is_made_up(link) for o in link.operands}
        holding = [link for link in holding if not fabricators.issuperset(_writer(case, o) for o in link.operands)]
    broken = [standing for standing in standings if not standing.holds]
    if not broken:
        return _supported(case, links)
    if holding and (links[0].tier is Tier.DECLARED or _are_retries(case, holding, broken)):
        return _supported(case, holding)
    if holding:
        note = "the places that fit get different verdicts, and nothing tells them apart"
        return _answer(case, Verdict.AMBIGUOUS, links, note=note)
    if _is_about_an_ending(case, links):
        note = "the claim is about the execution itself, and its record says so"
        return _answer(case, Verdict.SUPPORTED, links, note=note)
    worst = min(broken, key=lambda s: ORDER[s.verdict or Verdict.NO_SOURCE])
    if case.told_partial_is_open and case.says_incomplete and _shown_as_partial(case, worst):
        note = f"from an unfinished execution, and the manuscript says that it did not finish: {worst.why}"
        return _answer(case, Verdict.AMBIGUOUS, links, note=note)
    return _broken(case, worst, links)


def _shown_as_partial(case: Case, standing: Standing) -> bool:
    """Whether a value of an unfinished execution is told as such: by the words it stands under, or of that execution."""
    if standing.verdict not in (Verdict.PARTIAL, Verdict.NOT_COMPLETED):
        return False
    claim = case.claim
    words = " ".join((claim.text if claim.table is None else "", claim.caption or "", *claim.section[-1:]))
    if _PARTIAL_WORDS.search(words):
        return True
    return standing.verdict is Verdict.PARTIAL and case.told_of(standing.node)


def _are_retries(case: Case, holding: Sequence[Link], broken: Sequence[Standing]) -> bool:
    """Whether all that breaks are unfinished attempts at a step that a holding operand's execution completed."""
    executions = case.closure.executions
    done = {executions[w].step for link in holding for o in link.operands if (w := _writer(case, o)) in executions}
    attempts = [executions.get(s.node) for s in broken if s.verdict in (Verdict.NOT_COMPLETED, Verdict.PARTIAL)]
    return len(attempts) == len(broken) and all(
        a is not None and a.step is not None and a.step in done for a in attempts
    )


def _writer(case: Case, operand: str) -> str:
    """Id of the activity that left the bytes of an operand, copies followed back."""
    return original(case.artifact(operand), case.closure.artifacts).writer or ""


def _tells_of_an_ending(claim: Claim) -> bool:
    """Whether a number says how long something took, how far it came or what it answered, in a sentence on its failure."""
    if claim.table is not None or not _ABOUT_AN_ENDING.search(claim.text):
        return False
    start = max(claim.start, 0)
    before, after = claim.text[:start], claim.text[start + len(claim.written) :]
    return bool(_OF_AN_ENDING.match(after) or _BEFORE_AN_ENDING.search(before))


def _is_about_an_ending(case: Case, links: Sequence[Link]) -> bool:
    """Whether the sentence reports how an execution ended and quotes that execution's own record."""
    if not _tells_of_an_ending(case.claim):
        return False
    writers = [case.closure.executions.get(case.artifact(o).writer or "") for link in links for o in link.operands]
    return all(writer is not None and writer.status in (Status.FAILED, Status.ABORTED) for writer in writers)


def _supported(case: Case, links: Sequence[Link]) -> Judgement:
    on_chain = {
        node for link in links for operand in link.operands for node in case.closure.ancestry(case.artifact(operand).id)
    }
    substitutes = [
        execution
        for execution in case.closure.executions.values()
        if execution.id in on_chain and execution.substitute and not execution.is_copy
    ]
    if substitutes and case.undone_steps and not case.disclosed:
        first = substitutes[0]
        what = first.script or first.command
        why = f"{what} stands in for a planned step that never completed, and the manuscript does not say so"
        broken = Break(Verdict.OFF_PLAN.value, first.id, why)
        return _answer(case, Verdict.OFF_PLAN, links, broken)
    deviating = [d for d in case.deviations if on_chain.intersection(d.executions)]
    if substitutes or any(d.recorded or d.disclosed for d in deviating):
        said = f", as the manuscript says ({case.disclosed})" if case.disclosed else ""
        note = ("; ".join(d.message for d in deviating) or "a substitute for a planned step") + said
        return _answer(case, Verdict.SUPPORTED_WITH_DEVIATION, links, note=note)
    return _answer(case, Verdict.SUPPORTED, links)


def _broken(case: Case, standing: Standing, links: Sequence[Link]) -> Judgement:
    verdict = standing.verdict or Verdict.NO_SOURCE
    judgement = _answer(case, verdict, links, Break(verdict.value, standing.at, standing.why))
    execution = case.closure.executions.get(standing.node)
    if verdict is Verdict.SYNTHETIC and execution is not None and execution.script is not None:
        # What made the value up is the script itself: a reader should open it.
        lines = case.scripts.of(execution.script, case.claim) if case.scripts is not None else ()
        places = [f"line={line}" for line in lines] or [""]
        relation, tier = Relation.DERIVED.value, links[0].tier.value
        made = [Evidence(execution.script, place, "", relation, tier, execution.id) for place in places]
        shown = (*judgement.evidence[: MAX_EVIDENCE - len(made)], *made)
        return msgspec.structs.replace(judgement, evidence=shown)
    return judgement


def _contradicted(case: Case, opposing: Sequence[Link]) -> Judgement:
    evidence = _evidence(case, opposing)
    first = evidence[0] if evidence else Evidence(case.claim.path, "", "", "", "", None)
    place = f"{first.path}:{first.selector}" if first.selector else first.path
    says = f"which says {first.value}, not {case.claim.written}"
    of_setting = case.claim.role is ClaimRole.SETTING
    why = (
        f"the setting of this name stands at {place}, {says}"
        if of_setting
        else f"its labels single out {place}, {says}"
    )
    if opposing[0].tier is Tier.DECLARED:
        why = (
            opposing[0].note or f"it is declared to rest on {place}, which says {first.value}, not {case.claim.written}"
        )
    elif opposing[0].relation is Relation.DERIVED:  # its operands hold, and what is computed from them does not
        place, why = case.claim.path, opposing[0].note
    elif opposing[0].relation is Relation.AGGREGATED:
        why = f"{opposing[0].note}, not {case.claim.written}"
    return _answer(case, Verdict.CONTRADICTED, opposing, Break(Verdict.CONTRADICTED.value, place, why))


def _without_link(case: Case) -> Judgement:
    claim = case.claim
    if case.typed:
        standing = case.standing(case.typed[0])
        evidence = _evidence(case, case.typed)
        why = standing.why or f"{evidence[0].path} was typed by the agent; no execution produced it"
        at = standing.at or evidence[0].path
        if standing.verdict is Verdict.CONTRADICTED:
            return _broken(case, standing, case.typed)
        return _answer(case, Verdict.AUTHORED, case.typed, Break(Verdict.AUTHORED.value, at, why))
    if _tells_of_an_ending(claim):
        note = "it tells how an execution ended, and nothing on record says so or denies it"
        return Judgement(claim.id, Verdict.AMBIGUOUS, note=note)
    if case.planned_at and not case.seen_at:
        return _only_planned(case)
    if case.averaged:
        note = "it is called a mean; what it would be a mean of stands on record several times, and how is not clear"
        return Judgement(claim.id, Verdict.AMBIGUOUS, note=note)
    if is_derived(claim):
        note = (
            "it reads as derived from other numbers (a share, a difference, a bound), which is not checked: "
            "claims.toml can say what it follows from"
        )
        return Judgement(claim.id, Verdict.AMBIGUOUS, note=note)
    if case.record_gap:
        broken = Break(Verdict.UNRECORDED.value, claim.path, case.record_gap)
        seen = not case.too_weak and claim.kind is ClaimKind.NUMBER and case.seen_at
        note = f"the number stands at {', '.join(case.seen_at[:3])}, but its words do not lead there" if seen else ""
        return Judgement(claim.id, Verdict.UNRECORDED, broken=broken, note=note)
    if case.too_weak and case.rounds_at and not case.seen_at:
        note = f"too short to be matched by value alone; {', '.join(case.rounds_at[:3])} would be written so"
        return Judgement(claim.id, Verdict.AMBIGUOUS, note=note)
    if case.too_weak and (case.seen_at or claim.written.replace(",", "").isdigit()):
        # A count may have been counted from anything; a short decimal that stands nowhere at all has no source.
        also = f"; it also stands at {', '.join(case.seen_at[:3])}" if case.seen_at else ""
        note = f"too short to be matched by value alone{also}"
        return Judgement(claim.id, Verdict.AMBIGUOUS, note=note)
    if case.seen_at and claim.table is None and claim.kind is ClaimKind.NUMBER:
        note = f"the number stands at {', '.join(case.seen_at[:3])}, but its words do not lead there"
        return Judgement(claim.id, Verdict.AMBIGUOUS, note=note)
    if claim.kind is ClaimKind.FIGURE:
        what = "no file of the study is this figure"
    elif case.seen_at:
        what = f"no place that its row and column lead to holds this value; the number stands at {case.seen_at[0]}"
    elif case.typed_at and not case.too_weak:
        what = f"no execution on record left this value; it stands in what the agent typed ({case.typed_at[0]})"
    elif case.retold_in and not case.too_weak:
        what = (
            f"no result, log or output holds this value; it stands in {case.retold_in[0]}, evidence for none but itself"
        )
    elif case.rounds_somewhere:
        what = "no result, log or output on record holds this value where its words lead"
    else:
        what = "no result, log or output on record holds this value"
    return Judgement(claim.id, Verdict.NO_SOURCE, broken=Break(Verdict.NO_SOURCE.value, claim.path, what))


def _answer(
    case: Case, verdict: Verdict, links: Sequence[Link], broken: Break | None = None, note: str = ""
) -> Judgement:
    """A verdict that rests on links."""
    ids = tuple(link.id for link in links)
    if not note and links[0].relation in (Relation.AGGREGATED, Relation.DERIVED):
        note = links[0].note  # what was computed of the operands
    return Judgement(case.claim.id, verdict, _evidence(case, links), broken, note, ids)


def _evidence(case: Case, links: Sequence[Link]) -> tuple[Evidence, ...]:
    """The operands of links; behind a figure, which shows no value that could be matched, also what it was drawn from."""
    rows: dict[tuple[str, str], Evidence] = {}
    for link in links:
        for operand in link.operands:
            artifact = case.artifact(operand)
            value = case.values.get(operand)
            # Which number of its line it is helps to find it, and is no part of the selector.
            selector, lexical = (value.selector.partition(";")[0], value.lexical) if value is not None else ("", "")
            path = value.path if value is not None else artifact.path
            writer = _writer(case, operand) or None
            evidence = Evidence(path, selector, lexical, link.relation.value, link.tier.value, writer)
            rows.setdefault((path, selector), evidence)
    if case.claim.kind is ClaimKind.FIGURE:
        figures = [
            (link, case.artifact(o).id) for link in links for o in link.operands if link.tier is not Tier.MANUSCRIPT
        ]
        for link, drawn in figures:
            for artifact in _drawn_from(case.closure, drawn):
                evidence = Evidence(artifact.path, "", "", Relation.DERIVED.value, link.tier.value, artifact.writer)
                rows.setdefault((artifact.path, ""), evidence)
    return tuple(rows.values())[:MAX_EVIDENCE]


def _drawn_from(closure: Closure, figure: str) -> list[Artifact]:
    """The data that the execution which drew a figure had read, copies of the figure followed back."""
    artifact = original(closure.artifacts[figure], closure.artifacts)
    return [closure.artifacts[identifier] for identifier in closure.inputs(artifact.id)]
