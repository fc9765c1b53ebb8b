"""What the author declares: on what a claim rests, and what somebody takes the responsibility for.

A declared link is the strongest there is, and is checked like any other. A waiver leaves the verdict as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from provchain.auditing.closure import Closure
from provchain.auditing.links import Linked, mark_typed
from provchain.auditing.literals import Literals
from provchain.events.logged import ClaimDeclared, ClaimWaived, Logged
from provchain.inspection.values import read_values
from provchain.linking.declared import declared_links, match_claim
from provchain.model import (
    ClaimKind,
    ClaimRole,
    Finding,
    Link,
    Place,
    RecorderKind,
    Severity,
    Strength,
    Study,
    Tier,
    Value,
    Waiver,
)

__all__ = ["apply_waivers", "link_declared"]


def link_declared(
    study: Study, declarations: Sequence[Logged], linked: Linked, texts: Mapping[str, str], closure: Closure
) -> list[Finding]:
    """Add the links that are declared.

    Args:
        study: The study with its claims.
        declarations: What is declared.
        linked: The links found so far; the declared ones and their values are added.
        texts: What artifacts hold.
        closure: The standing of artifacts.

    Returns:
        A finding for everything that is declared and is not there.
    """
    declared = [event for event in declarations if isinstance(event, ClaimDeclared)]
    if not declared:
        return []
    values: dict[str, list[Value]] = {}
    paths = {artifact.id: artifact.path for artifact in study.artifacts}

    def values_of(artifact: str) -> list[Value]:
        if artifact not in values:
            values[artifact] = read_values(artifact, paths[artifact], texts.get(artifact, ""))
        return values[artifact]

    found = declared_links(study.claims, declared, study.artifacts, values_of, study.executions)
    linked.values.update(found.values)
    links = [_grounded(study, link, linked, closure) for link in found.links]
    linked.links += links
    mark_typed(study, links, linked.values, Literals(study, texts))
    return [_problem(place, message) for place, message in found.problems]


def _grounded(study: Study, link: Link, linked: Linked, closure: Closure) -> Link:
    """A declared link as far as it can be one: a result needs an execution behind it, a figure also its own file."""
    claim = next(claim for claim in study.claims if claim.id == link.claim)
    if not link.operands or not link.agrees:
        return link
    if claim.kind is ClaimKind.FIGURE:
        own = next(
            (one.operands for one in linked.links if one.claim == claim.id and one.tier is not Tier.DECLARED), ()
        )
        link = msgspec.structs.replace(link, operands=tuple(dict.fromkeys((*own, *link.operands))))
    if claim.role is not ClaimRole.RESULT:
        return link
    artifacts = [linked.values[o].artifact if o in linked.values else o for o in link.operands]
    behind = {node for artifact in artifacts for node in closure.ancestry(artifact)}
    if behind & (closure.executions.keys() | closure.authorings.keys()) or any(
        not closure.standing(artifact).holds for artifact in artifacts
    ):
        return link
    paths = ", ".join(dict.fromkeys(closure.artifacts[artifact].path for artifact in artifacts))
    return msgspec.structs.replace(
        link, operands=(), note=f"it is declared to rest on {paths}, behind which no execution stands"
    )


def apply_waivers(study: Study, declarations: Sequence[Logged], touched: Collection[str] = ()) -> list[Finding]:
    """Attach the waivers to their claims; one that the agent wrote itself does not count.

    Args:
        study: The study; its waivers are set.
        declarations: What is declared.
        touched: Paths that anything on record wrote: a waiver there is the agent's.

    Returns:
        A finding for every waiver whose claim is not there.
    """
    findings = []
    for event in declarations:
        if not isinstance(event, ClaimWaived):
            continue
        claims = match_claim(event, study.claims)
        if len(claims) != 1:
            what = "no claim stands there" if not claims else f"{len(claims)} claims fit: give its line and column"
            findings.append(_problem(event.at, f"a waiver of {event.written or event.line}: {what}"))
        counts = event.at.path not in touched and not _is_testimony(study, event)
        study.waivers += [
            Waiver(claim.id, event.reason, event.by, event.at, counts) for claim in claims if len(claims) == 1
        ]
    return findings


def _is_testimony(study: Study, event: Logged) -> bool:
    """Whether a study file says itself that the word is its agent's."""
    own = [recorder for recorder in study.recorders if recorder.path == event.at.path and "/" in recorder.id]
    said = [r for r in own if r.id.endswith(f"/{event.recorder}")] if event.recorder else own[:1]
    return any(recorder.kind is RecorderKind.TESTIMONY for recorder in said)


def _problem(place: Place, message: str) -> Finding:
    return Finding("declaration-not-found", Severity.ERROR, Strength.PROOF, message, (place,))
