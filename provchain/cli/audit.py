"""`provchain audit`: the main job."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from provchain.auditing.graphs import store_report
from provchain.cli.studies import audit_study
from provchain.model import Action

__all__ = ["audit_command"]


class Format(StrEnum):
    """How the report is printed."""

    TEXT = "text"
    JSON = "json"


def audit_command(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Directory of a run, or its trace file.")],
    paper: Annotated[
        list[Path] | None, typer.Option("--paper", metavar="FILE", help="Audit this manuscript instead of all of them.")
    ] = None,
    output_format: Annotated[Format, typer.Option("--format", help="How to print the report.")] = Format.TEXT,
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy", metavar="NAME|FILE", help="Draw the lines so: strict, default, lenient or a TOML file."
        ),
    ] = None,
    decoy: Annotated[
        Path | None,
        typer.Option(
            "--decoy",
            metavar="DIR",
            help="Match the numbers with this other run as a control, not with the run itself.",
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Write out every claim and execution.")] = False,
    store: Annotated[
        Path | None, typer.Option("--store", metavar="DIR", help="Also add the study to a store in this directory.")
    ] = None,
) -> None:
    """Say for each claim of a run's manuscripts whether it descends from a completed execution.

    Exit code 0 if the action is accept, 1 for any other, 2 for wrong usage, 3 if something could not be read.
    """
    if output_format is Format.JSON and len(paths) > 1:
        raise typer.BadParameter("--format json prints one report: name one PATH")
    reports = [audit_study(path, paper, policy, decoy) for path in paths]
    if store is not None:
        for report in reports:
            store_report(report, store)
    for report in reports:
        if output_format is Format.JSON:
            typer.echo(report.to_json(), nl=False)
        else:
            from rich.console import Console  # noqa: PLC0415

            from provchain.render.terminal import print_report  # noqa: PLC0415

            print_report(report.to_dict(), Console(), everything=everything)
    raise typer.Exit(0 if all(report.action is Action.ACCEPT for report in reports) else 1)
