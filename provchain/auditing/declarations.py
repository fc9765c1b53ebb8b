"""What the author declares: on what a claim rests, and what somebody takes the responsibility for.

A declared link is the strongest there is, and is checked like any other. A waiver leaves the verdict as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from provchain.auditing.evidence import original_writer
from provchain.auditing.links import Linked, mark_typed
from provchain.auditing.literals import Literals
from provchain.events.logged import ClaimDeclared, ClaimWaived, Logged
from provchain.inspection.values import read_values
from provchain.linking.declared import declared_links, match_claim
from provchain.model import Finding, Place, RecorderKind, Severity, Strength, Study, Value, Waiver

__all__ = ["apply_waivers", "link_declared"]


def link_declared(
    study: Study, declarations: Sequence[Logged], linked: Linked, texts: Mapping[str, str]
) -> list[Finding]:
    """Add the links that are declared.

    Args:
        study: The study with its claims.
        declarations: What is declared.
        linked: The links found so far; the declared ones and their values are added.
        texts: What artifacts hold.

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
    linked.links += found.links
    linked.values.update(found.values)
    mark_typed(study, found.links, linked.values, Literals(study, texts))
    return [_problem(place, message) for place, message in found.problems]


def apply_waivers(study: Study, declarations: Sequence[Logged]) -> list[Finding]:
    """Attach the waivers to their claims; one that the agent wrote itself does not count.

    Args:
        study: The study; its waivers are set.
        declarations: What is declared.

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
        counts = not _is_typed(study, event.at.path) and not _is_testimony(study, event)
        study.waivers += [
            Waiver(claim.id, event.reason, event.by, event.at, counts) for claim in claims if len(claims) == 1
        ]
    return findings


def _is_typed(study: Study, path: str) -> bool:
    """Whether the record shows that the agent left a file, by typing it or by what it ran."""
    by_id = {artifact.id: artifact for artifact in study.artifacts}
    return any(a.path == path and original_writer(a, by_id) is not None for a in study.artifacts)


def _is_testimony(study: Study, event: Logged) -> bool:
    """Whether a study file says itself that the word is its agent's."""
    own = [recorder for recorder in study.recorders if recorder.path == event.at.path and "/" in recorder.id]
    said = [r for r in own if r.id.endswith(f"/{event.recorder}")] if event.recorder else own[:1]
    return any(recorder.kind is RecorderKind.TESTIMONY for recorder in said)


def _problem(place: Place, message: str) -> Finding:
    return Finding("declaration-not-found", Severity.ERROR, Strength.PROOF, message, (place,))
