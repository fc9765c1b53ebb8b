"""`provchain export` and `provchain import`: PROV out of studies and stores, and into stores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from provchain.auditing.graphs import store_report, support_edges
from provchain.cli.studies import audit_study, open_or_build

__all__ = ["export_command", "import_command"]


def export_command(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="Where to write; the suffix names the format.")
    ],
    paths: Annotated[list[Path] | None, typer.Argument(metavar="[PATH...]", help="Runs to export.")] = None,
    store: Annotated[Path | None, typer.Option("--store", metavar="DIR", help="A store to export.")] = None,
    flat: Annotated[bool, typer.Option("--flat", help="Leave out the bundles of the recorders.")] = False,
) -> None:
    """Write the provenance of runs, or of a store, as W3C PROV.

    The suffix names the format: .json (PROV-JSON), .provn (PROV-N), .provx (PROV-XML, needs the extra "xml"), .jsonld,
    .trig, .nq, .ttl.
    """
    from provchain.graph.interchange import SUFFIXES, quads_to_document, to_document, write  # noqa: PLC0415

    if output.suffix.lower() not in SUFFIXES:
        raise typer.BadParameter(
            f"{output.name!r} names no PROV format: use {', '.join(SUFFIXES)}", param_hint="--output"
        )
    if not paths and store is None:
        raise typer.BadParameter("name a run to export, or a store with --store")
    as_document = output.suffix.lower() in (".json", ".provn", ".provx")
    if store is None and as_document and paths is not None and len(paths) == 1:
        report = audit_study(paths[0])
        write(to_document(report.study, report.judgements.values(), support_edges(report), flat=flat), output)
    else:
        with open_or_build(paths or [], store) as opened:
            quads = opened.quads()
            write(quads_to_document(quads, flat=flat) if as_document else quads, output)
    typer.echo(f"wrote {output}", err=True)


def import_command(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Directories of runs, or PROV-JSON files.")],
    store: Annotated[Path, typer.Option("--store", metavar="DIR", help="The store to add them to.")],
) -> None:
    """Add runs (audited first) or PROV-JSON documents to a store."""
    from provchain.graph.interchange import document_to_quads, read_provjson  # noqa: PLC0415
    from provchain.graph.store import Store  # noqa: PLC0415

    for path in paths:
        if path.is_file() and path.suffix.lower() == ".json" and not _is_trace(path):
            quads = document_to_quads(read_provjson(path))
            with Store.open(store) as opened:
                opened.add(quads)
        else:
            store_report(audit_study(path), store)
        typer.echo(f"added {path}", err=True)


def _is_trace(path: Path) -> bool:
    """Whether a JSON file is the trace of a run rather than a PROV document."""
    from provchain.adapters import adapter_for  # noqa: PLC0415
    from provchain.errors import UnknownFormatError  # noqa: PLC0415

    try:
        return adapter_for(path).name != "run-folder"
    except UnknownFormatError:
        return False
