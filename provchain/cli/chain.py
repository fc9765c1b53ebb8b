"""`provchain chain`: draw what one claim rests on, with the link that breaks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from provchain.cli.studies import audit_study

__all__ = ["chain_command"]


def chain_command(
    claim: Annotated[str, typer.Argument(metavar="CLAIM", help="The claim's id, or its place: path:line[:column].")],
    path: Annotated[Path, typer.Argument(metavar="PATH", help="Directory of the run.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Draw into this file: .svg, .png or .dot.")
    ] = None,
    width: Annotated[
        float,
        typer.Option("--width", metavar="MM", min=40, max=1000, help="Width that the figure must not exceed, in mm."),
    ] = 84.0,
    paper: Annotated[
        list[Path] | None, typer.Option("--paper", metavar="FILE", help="The manuscript, if it is not in the run.")
    ] = None,
) -> None:
    """Draw one claim's chain: everything it rests on, and the first link that does not hold.

    Prints the chain as a tree, or draws it into a file with -o.
    """
    report = audit_study(path, paper)
    chain = report.chain(claim)
    if output is None:
        from rich.console import Console  # noqa: PLC0415

        from provchain.render.terminal import print_chain  # noqa: PLC0415

        print_chain(chain, Console())
        return
    from provchain.cli.files import write_file  # noqa: PLC0415
    from provchain.render.figure import chain_dot, chain_png, chain_svg  # noqa: PLC0415

    kinds: dict[str, Callable[..., str | bytes]] = {".svg": chain_svg, ".png": chain_png, ".dot": chain_dot}
    draw = kinds.get(output.suffix.lower())
    if draw is None:
        raise typer.BadParameter(f"cannot draw into {output.name!r}: use {', '.join(kinds)}", param_hint="--output")
    drawn = draw(chain, width_mm=width)
    write_file(output, drawn if isinstance(drawn, bytes) else drawn.encode("utf-8"))
    typer.echo(f"wrote {output}", err=True)
