"""What several commands share: audit a run with progress shown, and put a report into a store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from provchain.auditing.audit import audit
from provchain.auditing.closure import Closure
from provchain.auditing.report import Report
from provchain.errors import StoreError

if TYPE_CHECKING:
    from provchain.graph.store import Store

__all__ = ["audit_study", "open_or_build", "store_report", "support_edges"]


def audit_study(path: Path, papers: Sequence[Path] | None = None) -> Report:
    """Audit a run and show on a terminal what is being done."""
    from rich.console import Console  # noqa: PLC0415

    from provchain.render.terminal import progress  # noqa: PLC0415

    with progress(Console(stderr=True)) as step:
        return audit(path, papers or None, progress=step)


def support_edges(report: Report) -> list[tuple[str, str]]:
    """For each claim, every record on its chains: ``(claim id, record id)``."""
    closure = Closure(report.study)
    values = {value.id: value.artifact for value in report.study.values}
    edges: dict[tuple[str, str], None] = {}
    for link in report.study.links:
        for operand in link.operands:
            for record in closure.ancestry(values.get(operand, operand)):
                edges.setdefault((link.claim, record))
    return list(edges)


def store_report(report: Report, where: Path) -> None:
    """Add a study with its verdicts to a store in a directory."""
    from provchain.graph.mapping import study_to_quads  # noqa: PLC0415
    from provchain.graph.store import Store  # noqa: PLC0415

    with Store.open(where) as store:
        store.add(study_to_quads(report.study, report.judgements.values(), support_edges(report)))


def open_or_build(paths: Sequence[Path], where: Path | None, *, must_exist: bool = False) -> Store:
    """Open the store that is named, or build one in memory from runs.

    Args:
        paths: Runs to audit and add to a store in memory.
        where: The directory of a store.
        must_exist: The store is only read: a directory that is none is an error, not a new store.
    """
    from provchain.graph.mapping import study_to_quads  # noqa: PLC0415
    from provchain.graph.store import Store  # noqa: PLC0415

    if where is not None and must_exist and not where.is_dir():
        raise StoreError(f"{where}: no such store", hint="provchain import PATH --store DIR makes one")
    if where is not None and not paths:
        return Store.open(where)
    store = Store.open(None)
    if where is not None:
        with Store.open(where) as opened:
            store.add(opened.quads())
    for path in paths:
        report = audit_study(path)
        store.add(study_to_quads(report.study, report.judgements.values(), support_edges(report)))
    return store
