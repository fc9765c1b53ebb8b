"""What manuscripts and result files say against themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from provchain.inspection.confusion import Denied, denied_by_counts
from provchain.inspection.unfilled import unfilled_places
from provchain.linking.granularity import impossible_shares
from provchain.linking.patterns import table_patterns
from provchain.model import Artifact, Claim, ClaimKind, Finding, Kind, Place, Severity, Strength, Value

__all__ = ["consistency_findings", "mark_denied"]

_MOST = 10  # findings of one rule


def mark_denied(pools: Iterable[Sequence[Value]], values: dict[str, Value]) -> list[Denied]:
    """Mark the operands that the counts beside them in their own file deny.

    Args:
        pools: The values of the study.
        values: The operands that are values, by id; marked ones are replaced.

    Returns:
        All that is denied.
    """
    denied = [found for pool in pools for found in denied_by_counts(pool)]
    for found in denied:
        if found.value.id in values:
            values[found.value.id] = msgspec.structs.replace(values[found.value.id], denied_by=found.why)
    return denied


def consistency_findings(
    claims: Sequence[Claim],
    papers: Mapping[str, str],
    artifacts: Sequence[Artifact],
    denied: Sequence[Denied],
    values: Sequence[Value] = (),
) -> list[Finding]:
    """Find what manuscripts and result files say against themselves.

    Args:
        claims: All claims.
        papers: Path of each manuscript to its text.
        artifacts: The artifacts of the study.
        denied: The metrics that the counts beside them deny.
        values: What executions left.

    Returns:
        The findings ``counts-deny-metric``, ``no-multiple-of-count``,
        ``unfilled-result``, ``constant-offset``, ``artefact``, ``empty-figure`` and
        ``same-figure-twice``.
    """
    found: list[Finding] = []
    for one in denied[:_MOST]:
        message = f"{one.value.lexical} is no {one.value.labels[-1] if one.value.labels else 'value'}: {one.why}"
        place = Place(one.value.path, one.value.selector)
        found.append(Finding("counts-deny-metric", Severity.ERROR, Strength.PROOF, message, (place,)))
    for share, count in impossible_shares(values)[:_MOST]:
        message = f"{share.lexical} is no multiple of 1/{count.lexical}, the count beside it: is it a mean of several?"
        place = Place(share.path, share.selector)
        found.append(Finding("no-multiple-of-count", Severity.NOTE, Strength.HINT, message, (place,)))
    for path, text in papers.items():
        for open_place in unfilled_places(text)[:_MOST]:
            what = "a result was not filled in" if open_place.what == "placeholder" else "a table of results holds none"
            message = f"{what}: {open_place.text}"
            place = Place(path, str(open_place.line))
            found.append(Finding("unfilled-result", Severity.WARNING, Strength.STRONG, message, (place,)))
    for pattern in table_patterns(claims)[: 3 * _MOST]:
        places = tuple(dict.fromkeys(Place(claim.path, str(claim.line)) for claim in pattern.claims[:5]))
        if pattern.kind == "offset":
            message = f"{pattern.what}: measured values hardly differ by a constant"
            found.append(Finding("constant-offset", Severity.WARNING, Strength.STRONG, message, places))
        else:
            message = f"{pattern.what}: is this an artefact?"
            found.append(Finding("artefact", Severity.NOTE, Strength.HINT, message, places))
    return [*found, *_figures(claims, artifacts)]


def _figures(claims: Sequence[Claim], artifacts: Sequence[Artifact]) -> Iterator[Finding]:
    shown: dict[str, dict[str, Place]] = {}
    on_disk = {artifact.path: artifact for artifact in artifacts if artifact.on_disk and artifact.kind is Kind.FIGURE}
    for claim in claims:
        if claim.kind is not ClaimKind.FIGURE:
            continue
        name = claim.written.rpartition("/")[2]
        folder = claim.path.rpartition("/")[0]
        near = [a for path, a in on_disk.items() if path.rpartition("/")[2] == name]
        near.sort(key=lambda a: (not a.path.startswith(folder), a.path.count("/"), a.path))
        if not near:
            continue
        place = Place(claim.path, str(claim.line))
        if near[0].size == 0:
            message = f"{near[0].path} is empty"
            yield Finding("empty-figure", Severity.ERROR, Strength.PROOF, message, (place, Place(near[0].path)))
        elif near[0].sha256:
            shown.setdefault(f"{claim.path}\0{near[0].sha256}", {}).setdefault(name, place)
    for names in shown.values():
        if len(names) > 1:
            message = f"{' and '.join(sorted(names)[:3])} are the same picture under other names"
            yield Finding("same-figure-twice", Severity.WARNING, Strength.PROOF, message, tuple(names.values())[:5])
