"""Where the numbers that claims may rest on are looked for: in files that executions left, and in their output.

Three pools. *Found*: artifacts whose writer is an execution, or unknown. *Typed*: artifacts that the agent wrote itself,
never evidence, but they tell where a number comes from. *Settings*: configurations. Manuscripts, proposals and files from
outside the study are in none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from provchain.auditing.closure import Closure
from provchain.inspection.settings import script_settings
from provchain.inspection.values import read_values
from provchain.linking import find_links
from provchain.model import (
    Artifact,
    Claim,
    ClaimKind,
    ClaimRole,
    Kind,
    Link,
    Relation,
    Role,
    Status,
    Study,
    Tier,
    Value,
    Verdict,
)

__all__ = ["Evidence", "gather_evidence", "link_claims"]

_SEARCHED = (Kind.RESULT, Kind.LOG, Kind.DATA, Kind.STREAM, Kind.OTHER, Kind.DOCUMENT)
_SUFFIXES = (".json", ".jsonl", ".csv", ".tsv", ".txt", ".log", ".out", ".err", ".md", ".yaml", ".yml")


class Evidence(Struct):
    """The pools of one study.

    Attributes:
        found: Values that executions left.
        typed: Values that the agent typed.
        settings: Values of configurations, in files and in the scripts that completed executions ran.
        figures: Paths of figures and the ids of their artifacts.
    """

    found: list[Value]
    typed: list[Value]
    settings: list[Value]
    figures: dict[str, str]


def gather_evidence(study: Study, texts: Mapping[str, str], manuscripts: Iterable[str], closure: Closure) -> Evidence:
    """Read the numbers of all artifacts that may hold evidence.

    Args:
        study: The study.
        texts: What its artifacts hold.
        manuscripts: Paths of the manuscripts, which are evidence for none.
        closure: The standing of artifacts.

    Returns:
        The pools.
    """
    evidence = Evidence([], [], [], {})
    papers = set(manuscripts)
    current = _last_states(study)
    seen: set[str] = set()
    done = [e for e in study.executions if e.status is Status.COMPLETED and not e.made_up]
    ran = {usage.artifact for execution in done for usage in execution.used if usage.role is Role.CODE}
    for artifact in study.artifacts:
        if artifact.id in ran and artifact.path.endswith(".py"):
            evidence.settings.extend(script_settings(artifact.id, artifact.path, texts.get(artifact.id, "")))
    for artifact in sorted(current, key=lambda a: (not a.on_disk, a.path.count("/"), a.path)):
        if artifact.kind is Kind.FIGURE:
            if artifact.on_disk:
                evidence.figures[artifact.path] = artifact.id
            continue
        text = texts.get(artifact.id)
        if text is None or artifact.path in papers or (artifact.sha256 is not None and artifact.sha256 in seen):
            continue
        if artifact.kind is Kind.CONFIG:
            evidence.settings.extend(read_values(artifact.id, artifact.path, text))
            continue
        if artifact.external or not _is_searched(artifact, closure):
            continue
        if artifact.sha256 is not None:
            seen.add(artifact.sha256)
        values = read_values(artifact.id, artifact.path, text)
        typed = closure.standing(artifact.id).verdict is Verdict.AUTHORED
        (evidence.typed if typed else evidence.found).extend(values)
    return evidence


def _last_states(study: Study) -> list[Artifact]:
    """The last state of each path; every output stream."""
    last: dict[str, Artifact] = {}
    for artifact in study.artifacts:
        last[artifact.path] = artifact
    return list(last.values())


def _is_searched(artifact: Artifact, closure: Closure) -> bool:
    if artifact.kind is Kind.STREAM:
        execution = closure.executions.get(artifact.writer or "")
        return execution is not None and (execution.script is not None or execution.status is Status.COMPLETED)
    return artifact.kind in _SEARCHED and artifact.path.lower().endswith(_SUFFIXES)


def link_claims(study: Study, claims: Sequence[Claim], evidence: Evidence) -> tuple[list[Link], list[Link]]:
    """Link claims to the pools, and to their own manuscript where an execution wrote it.

    Args:
        study: The study.
        claims: All claims.
        evidence: The pools.

    Returns:
        Links to evidence, and for claims that have none links to typed bytes.
    """
    results = [claim for claim in claims if claim.role is ClaimRole.RESULT and claim.kind is not ClaimKind.STATEMENT]
    settings = [claim for claim in claims if claim.role is ClaimRole.SETTING]
    links = find_links(results, evidence.found, figures=evidence.figures)
    links += find_links(settings, evidence.settings, figures={})
    linked = {link.claim for link in links if link.agrees}
    rest = [c for c in results if c.id not in linked and c.kind is ClaimKind.NUMBER]
    typed = [link for link in find_links(rest, evidence.typed, figures={}) if link.agrees]
    return links + _manuscript_links(study, claims), typed


def _manuscript_links(study: Study, claims: Sequence[Claim]) -> list[Link]:
    """An execution that wrote the manuscript is what its claims rest on."""
    executions = {execution.id for execution in study.executions if not execution.is_copy}
    by_id = {artifact.id: artifact for artifact in study.artifacts}
    written: dict[str, Artifact] = {}
    for artifact in study.artifacts:
        # Once somebody has edited it, a manuscript is words like any other: its numbers need a source elsewhere.
        if artifact.on_disk and not artifact.altered and _original_writer(artifact, by_id) in executions:
            written[artifact.path] = artifact
    return [
        Link(
            id=f"manuscript:{claim.id}",
            claim=claim.id,
            operands=(written[claim.path].id,),
            relation=Relation.QUOTED,
            tier=Tier.MANUSCRIPT,
            rule="manuscript written by an execution",
        )
        for claim in claims
        if claim.path in written and claim.role in (ClaimRole.RESULT, ClaimRole.SETTING)
    ]


def _original_writer(artifact: Artifact, by_id: Mapping[str, Artifact]) -> str | None:
    """The writer of the artifact whose bytes a copy carries."""
    seen = set()
    while artifact.copy_of is not None and artifact.copy_of in by_id and artifact.id not in seen:
        seen.add(artifact.id)
        artifact = by_id[artifact.copy_of]
    return artifact.writer
