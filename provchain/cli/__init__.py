"""The command line: one small file per command, imported when it is used.

Exit codes: 0 the action is `accept`; 1 any other action; 2 usage; 3 something could not be read or written.
"""

from __future__ import annotations

import gc
import sys
import warnings

from provchain.version import __version__

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line, and turn what provchain could not look at into one clear message."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        # Asked often, by scripts: answered before anything is imported.
        sys.stdout.write(f"provchain {__version__}\n")
        return
    from provchain.cli.application import run  # noqa: PLC0415

    warnings.simplefilter("ignore")  # a library's advice to programmers is no message for who runs a command
    # One command lives for seconds and builds trees: collecting garbage often costs a tenth of its time and frees nothing.
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    sys.exit(run(sys.argv[1:]))


def __getattr__(name: str) -> object:
    """Build the application when it is first asked for."""
    if name == "app":
        from provchain.cli.application import app  # noqa: PLC0415

        return app
    raise AttributeError(name)
