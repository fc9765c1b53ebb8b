"""What several commands share: audit a run with progress shown, and have a store to ask."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from provchain.auditing.audit import audit
from provchain.auditing.graphs import report_quads
from provchain.auditing.report import Report
from provchain.errors import StoreError

if TYPE_CHECKING:
    from provchain.graph.store import QuadStore

__all__ = ["audit_study", "open_or_build"]


def audit_study(
    path: Path, papers: Sequence[Path] | None = None, policy: str | None = None, decoy: Path | None = None
) -> Report:
    """Audit a run and show on a terminal what is being done."""
    from rich.console import Console  # noqa: PLC0415

    from provchain.render.terminal import progress  # noqa: PLC0415

    with progress(Console(stderr=True)) as step:
        return audit(path, papers or None, policy, decoy=decoy, progress=step)


def open_or_build(paths: Sequence[Path], where: Path | None) -> QuadStore:
    """Open the store that is named, or build one in memory from runs.

    Args:
        paths: Runs to audit and add to a store in memory.
        where: The directory of a store.
    """
    from provchain.graph.store import QuadStore  # noqa: PLC0415

    if where is not None and not where.is_dir():  # it is only read here: a mistyped name is no new store
        raise StoreError(f"{where}: no such store", hint="provchain import PATH --store DIR makes one")
    if where is not None and not paths:
        return QuadStore.open(where)
    store = QuadStore.open(None)
    if where is not None:
        with QuadStore.open(where) as opened:
            store.add(opened.quads())
    for path in paths:
        store.add(report_quads(audit_study(path)))
    return store
