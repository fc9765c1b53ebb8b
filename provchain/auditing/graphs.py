"""A report as a graph: what each claim rests on, and the study with its verdicts in a store."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from provchain.auditing.closure import Closure
from provchain.model import Judgement, Study

if TYPE_CHECKING:
    from prov.model import ProvDocument
    from pyoxigraph import Quad

__all__ = ["Judged", "report_document", "report_quads", "store_report", "support_edges"]


class Judged(Protocol):
    """A study with its verdicts: a `Report`, which itself builds on this module."""

    @property
    def study(self) -> Study:
        """All records."""

    @property
    def judgements(self) -> Mapping[str, Judgement]:
        """The verdict of each claim, by claim id."""


def support_edges(report: Judged) -> list[tuple[str, str]]:
    """For each claim, every record on its chains.

    Args:
        report: The report.

    Returns:
        Pairs of a claim's id and the id of an artifact or activity that it rests on, each once.
    """
    closure = Closure(report.study)
    values = {value.id: value.artifact for value in report.study.values}
    edges: dict[tuple[str, str], None] = {}
    for link in report.study.links:
        for operand in link.operands:
            for record in closure.ancestry(values.get(operand, operand)):
                edges.setdefault((link.claim, record))
    return list(edges)


def report_quads(report: Judged) -> list[Quad]:
    """The study as PROV quads, with its verdicts and what each claim rests on.

    Args:
        report: The report.

    Returns:
        The quads, one named graph for each recorder.
    """
    from provchain.graph.mapping import study_to_quads  # noqa: PLC0415 - the RDF engine is loaded when it is needed

    return list(study_to_quads(report.study, report.judgements.values(), support_edges(report)))


def report_document(report: Judged, *, flat: bool = False) -> ProvDocument:
    """The study as a PROV document, with its verdicts and what each claim rests on.

    Args:
        report: The report.
        flat: Leave out the bundles of the recorders.

    Returns:
        The whole chain at its top level, and a bundle for each recorder.
    """
    from provchain.graph.interchange import to_document  # noqa: PLC0415

    return to_document(report.study, report.judgements.values(), support_edges(report), flat=flat)


def store_report(report: Judged, where: Path) -> None:
    """Add a study with its verdicts to a store in a directory.

    Args:
        report: The report.
        where: The directory, made if it is not there.

    Raises:
        StoreError: It cannot be written.
    """
    from provchain.graph.store import QuadStore  # noqa: PLC0415

    with QuadStore.open(where) as store:
        store.add(report_quads(report))
