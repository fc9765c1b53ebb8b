"""The application: which commands there are, and how errors become exit codes."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from provchain.cli import audit, chain, interchange, query
from provchain.errors import ProvchainError, QueryError, UnknownClaimError, UnknownPolicyError
from provchain.plaintext import printable
from provchain.version import __version__

__all__ = ["app", "run"]

USAGE, UNREADABLE = 2, 3

app = typer.Typer(
    name="provchain",
    help="Does each claim of a paper descend from an execution that completed, and if not, where does the chain break?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"provchain {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", "-V", help="Print the version and stop.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Does each claim of a paper descend from an execution that completed, and if not, where does the chain break?"""


app.command("audit")(audit.audit_command)
app.command("chain")(chain.chain_command)
app.command("export")(interchange.export_command)
app.command("import")(interchange.import_command)
app.command("query")(query.query_command)
app.command("queries")(query.queries_command)


def run(arguments: list[str]) -> int:
    """Run one command.

    Args:
        arguments: The words after ``provchain``.

    Returns:
        The exit code.
    """
    try:
        app(args=arguments, prog_name="provchain")
    except SystemExit as ending:  # how the library ends every command, good or bad
        return ending.code if isinstance(ending.code, int) else USAGE
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except ProvchainError as error:
        _show(error)
        return USAGE if isinstance(error, UnknownClaimError | UnknownPolicyError | QueryError) else UNREADABLE
    return 0


def _show(error: ProvchainError) -> None:
    """Print an error without letting foreign text steer the terminal."""
    text = f"provchain: {error}" + (f"\nhint: {error.hint}" if error.hint else "")
    sys.stderr.write(printable(text).encode("utf-8", "replace").decode() + "\n")
