"""The main job, from a directory to a report: read, reconstruct, link, judge.

Data flows one way through the rooms: adapters → history → papers → linking → closure → verdict → outcome.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from provchain.adapters import Adapter, adapter_for, find_sources
from provchain.auditing.bare import BareNumbers, is_weak
from provchain.auditing.closure import Closure
from provchain.auditing.deviations import substitute_deviations, superseded_claims
from provchain.auditing.evidence import Evidence, gather_evidence
from provchain.auditing.findings import study_findings
from provchain.auditing.graphs import store_report
from provchain.auditing.links import Linked, link_claims
from provchain.auditing.outcome import action_for, decide_outcome, is_measured, worst
from provchain.auditing.report import PaperOutcome, Report
from provchain.auditing.verdict import Case, decide
from provchain.errors import ProvchainError, SourceError, UnknownFormatError
from provchain.events import Event, FileOnDisk
from provchain.history import History, reconstruct
from provchain.inspection.disclosure import discloses_change, reports_incomplete
from provchain.model import Judgement, Kind, Link, Source, Verdict
from provchain.numbers import find_numbers
from provchain.papers import is_manuscript, read_claims
from provchain.version import __version__

__all__ = ["audit"]

_NOT_CHECKED = (
    "statements in words without a number",
    "aggregates and derived values (means over seeds, differences, ratios, percentages of other cells)",
    "whether a completed and matched result is also correct",
)
_POLICY = "default"
Step = Callable[[str], None]


def audit(
    path: str | os.PathLike[str],
    papers: Sequence[str | os.PathLike[str]] | None = None,
    policy: str | None = None,
    store: str | os.PathLike[str] | None = None,
    *,
    progress: Step | None = None,
) -> Report:
    """Say for each claim of a study's manuscripts whether it descends from a completed execution.

    Args:
        path: The directory of a run, or a trace file inside one.
        papers: Manuscripts to audit, instead of all that the directory holds.
        policy: Name of the policy that draws the lines; there is one so far, ``"default"``.
        store: Directory of a store to which the study is added with its verdicts.
        progress: Called with a few words before each stage.

    Returns:
        The report.

    Raises:
        SourceError: Something could not be read.
        ProvchainError: There is no such policy.
        StoreError: The store could not be written.

    Example:
        >>> import provchain
        >>> report = provchain.audit("examples/repaired")  # doctest: +SKIP
        >>> report.action.value  # doctest: +SKIP
        'accept'
    """
    if policy not in (None, _POLICY):
        raise ProvchainError(f"no policy {policy!r}", hint=f"known policies: {_POLICY}")
    step = progress or (lambda _words: None)
    directory = Path(path)
    step("reading")
    sources, traces, files = _read(directory)
    step("replaying what ran")
    history = reconstruct(sources, traces, files, title="")
    step("reading manuscripts")
    chosen, texts = _manuscripts(directory, files, papers)
    claims = [claim for name in chosen for claim in read_claims(name, texts[name])]
    history.study.claims = claims
    told = any(discloses_change(text) is not None for text in texts.values())
    history.study.deviations = substitute_deviations(history.study, disclosed=told)
    step("linking claims to values")
    closure = Closure(history.study)
    evidence = gather_evidence(history.study, history.texts, _all_manuscripts(files, chosen), closure)
    linked = link_claims(history.study, claims, evidence, history.texts, closure)
    step("judging")
    judgements = _judge(history, linked, evidence, closure, texts)
    report = _report(history, judgements, linked, {path: texts[path] for path in chosen})
    if store is not None:
        step("storing")
        store_report(report, Path(store))
    return report


def _read(directory: Path) -> tuple[list[Source], list[tuple[str, list[Event]]], list[FileOnDisk]]:
    if not directory.exists():
        raise SourceError(
            f"{directory}: no such file or directory", path=str(directory), hint="name the directory of a run"
        )
    root = directory if directory.is_dir() else directory.parent
    if not directory.is_dir() and adapter_for(directory).name == "run-folder":
        raise UnknownFormatError(
            f"{directory}: no trace that is known", path=str(directory), hint="name the run's directory"
        )
    files: list[FileOnDisk] = []
    traces: list[tuple[str, list[Event]]] = []
    sources: list[Source] = []
    digests: dict[str, str] = {}
    for adapter, source in _one_run(root, find_sources(root)):
        events = list(adapter.read(source, root=root))
        if source == root:
            files = [event for event in events if isinstance(event, FileOnDisk)]
            digests = {file.path: file.sha256 for file in files}
            state = hashlib.sha256(
                "".join(f"{f.path}\0{f.sha256}\n" for f in files).encode("utf-8", "replace")
            ).hexdigest()
            sources.append(Source(".", adapter.name, adapter.recorder, state))
        else:
            relative = source.relative_to(root).as_posix()
            name = adapter.name if not traces else f"{adapter.name}-{len(traces) + 1}"
            traces.append((name, events))
            sha = digests.get(relative) or hashlib.sha256(source.read_bytes()).hexdigest()
            sources.append(Source(relative, adapter.name, adapter.recorder, sha))
    return sources, traces, files


def _one_run(root: Path, found: Sequence[tuple[Adapter, Path]]) -> list[tuple[Adapter, Path]]:
    """The sources of one run: traces that lie in different folders are different runs.

    Raises:
        SourceError: The directory holds several runs.
    """
    folders = {source.parent for _, source in found if source != root}
    nearest = min(folders, key=lambda folder: len(folder.parts), default=root)
    if len(folders) > 1 and nearest != root:
        names = ", ".join(sorted(folder.relative_to(root).as_posix() for folder in folders)[:4])
        raise SourceError(f"{root} holds several runs ({names})", path=str(root), hint="audit them one by one")
    return [(adapter, source) for adapter, source in found if source == root or source.parent == nearest]


def _all_manuscripts(files: Sequence[FileOnDisk], chosen: Sequence[str]) -> set[str]:
    return {file.path for file in files if file.kind is Kind.MANUSCRIPT} | set(chosen)


def _manuscripts(
    directory: Path, files: Sequence[FileOnDisk], papers: Sequence[str | os.PathLike[str]] | None
) -> tuple[list[str], dict[str, str]]:
    """Choose the manuscripts: those named, else all that the directory holds, identical bytes once."""
    root = directory if directory.is_dir() else directory.parent
    by_path = {file.path: file for file in files}
    if papers is None:
        seen: set[str] = set()
        chosen = []
        for file in sorted(files, key=lambda f: (f.path.count("/"), f.path)):
            if is_manuscript(file.path) and file.sha256 not in seen:
                seen.add(file.sha256)
                chosen.append(file.path)
        return sorted(chosen), {name: _text_of(root / name, by_path[name]) for name in chosen}
    texts: dict[str, str] = {}
    for paper in papers:
        name, text = _named_manuscript(root, Path(paper), by_path)
        texts[name] = text
    return list(texts), texts


def _named_manuscript(root: Path, paper: Path, by_path: Mapping[str, FileOnDisk]) -> tuple[str, str]:
    for candidate in (paper, root / paper):
        if candidate.is_file():
            resolved = candidate.resolve()
            base = root.resolve()
            name = resolved.relative_to(base).as_posix() if resolved.is_relative_to(base) else candidate.as_posix()
            return name, _text_of(candidate, by_path.get(name))
    raise SourceError(
        f"{paper}: no such manuscript", path=str(paper), hint="--paper takes a path, relative to here or to the run"
    )


def _text_of(path: Path, file: FileOnDisk | None) -> str:
    """The text of a manuscript, whatever its bytes: what is no text in it is replaced, and every other place stays."""
    if file is not None and file.text is not None:
        return file.text
    try:
        return path.read_bytes().decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
    except OSError as error:
        raise SourceError(f"{path}: cannot be read: {error.strerror}", path=str(path)) from error


def _judge(
    history: History, linked: Linked, evidence: Evidence, closure: Closure, texts: Mapping[str, str]
) -> dict[str, Judgement]:
    claims = history.study.claims
    incomplete = {path: reports_incomplete(text) is not None for path, text in texts.items()}
    by_claim: dict[str, list[Link]] = {}
    for link in linked.links:
        by_claim.setdefault(link.claim, []).append(link)
    typed_by_claim: dict[str, list[Link]] = {}
    for link in linked.typed:
        typed_by_claim.setdefault(link.claim, []).append(link)
    disclosed = {path: f"{path}:{line}" for path, text in texts.items() if (line := discloses_change(text)) is not None}
    bare = BareNumbers((value.number, f"{value.path}:{value.selector}") for value in evidence.found)
    bare_typed = BareNumbers((value.number, f"{value.path}:{value.selector}") for value in evidence.typed)
    retold = BareNumbers((n.value, f"{c.path}:{c.line}") for c in claims for n in find_numbers(c.written)[:1])
    judgements = {}
    for claim in claims:
        judgements[claim.id] = decide(
            Case(
                claim=claim,
                links=by_claim.get(claim.id, ()),
                typed=typed_by_claim.get(claim.id, ()),
                values=linked.values,
                closure=closure,
                deviations=history.study.deviations,
                record_gap=history.gap,
                seen_at=bare.places(claim),
                typed_at=bare_typed.places(claim),
                retold_in=tuple(p for p in retold.places(claim) if not p.startswith(f"{claim.path}:")),
                too_weak=is_weak(claim),
                disclosed=disclosed.get(claim.path, ""),
                says_incomplete=incomplete[claim.path],
                undone_steps=history.undone,
            )
        )
    return judgements


def _report(history: History, judgements: Mapping[str, Judgement], linked: Linked, texts: Mapping[str, str]) -> Report:
    study = history.study
    # What no verdict rests on is no link of the study: a weaker tier, a second showing, an unfinished attempt.
    deciding = {identifier for judgement in judgements.values() for identifier in judgement.links}
    study.links = [link for link in (*linked.links, *linked.typed) if link.id in deciding]
    used = dict.fromkeys(operand for link in study.links for operand in link.operands)
    study.values = [linked.values[operand] for operand in used if operand in linked.values]
    disclosed = {path: f"{path}:{line}" for path, text in texts.items() if (line := discloses_change(text)) is not None}
    superseded = superseded_claims(study, judgements)
    study.findings = study_findings(history, list(disclosed.values()), superseded)
    papers = []
    for path in texts:
        own = [claim for claim in study.claims if claim.path == path]
        outcome = decide_outcome(
            own,
            judgements,
            undone_step=bool(history.undone),
            reports_incomplete=reports_incomplete(texts[path]) is not None,
            undisclosed_deviation=any(
                c.id in superseded
                or (judgements[c.id].verdict is Verdict.SUPPORTED_WITH_DEVIATION and path not in disclosed)
                for c in own
            ),
        )
        papers.append(PaperOutcome(path, outcome, action_for(outcome)))
    # A manuscript that reports no measured result says nothing of the study, unless none does.
    reporting = {claim.path for claim in study.claims if is_measured(claim)}
    outcome = worst([p.outcome for p in papers if p.path in reporting] or [p.outcome for p in papers])
    not_checked = list(_NOT_CHECKED) + ([history.gap] if history.gap else [])
    return Report(
        study, judgements, outcome, action_for(outcome), papers, _POLICY, not_checked, f"provchain {__version__}"
    )
