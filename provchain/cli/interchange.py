"""`provchain export` and `provchain import`: PROV out of studies and stores, and into stores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
    from provchain.graph.interchange import SUFFIXES, quads_to_document, write  # noqa: PLC0415

    if output.suffix.lower() not in SUFFIXES:
        raise typer.BadParameter(
            f"{output.name!r} names no PROV format: use {', '.join(SUFFIXES)}", param_hint="--output"
        )
    if not paths and store is None:
        raise typer.BadParameter("name a run to export, or a store with --store")
    as_document = output.suffix.lower() in (".json", ".provn", ".provx")
    if store is None and as_document and paths is not None and len(paths) == 1:
        write(audit_study(paths[0]).document(flat=flat), output)
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
    from provchain.store import Store, is_prov_file  # noqa: PLC0415

    for path in paths:
        study = path if is_prov_file(path) else audit_study(path)
        with Store.open(store) as opened:  # not held while another run is audited
            opened.add(study)
        typer.echo(f"added {path}", err=True)
