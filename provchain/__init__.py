"""provchain: does each claim of a paper descend from an execution that completed, and if not, where does the chain break?

The names below are the promise; everything else may change. They are imported when they are first used, so that
`provchain --version` and small scripts start at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from provchain.errors import ProvchainError
from provchain.version import __version__

if TYPE_CHECKING:
    from provchain.auditing.audit import audit
    from provchain.auditing.report import Report

__all__ = ["ProvchainError", "Report", "__version__", "audit"]

_LAZY = {"Report": "provchain.auditing.report", "audit": "provchain.auditing.audit"}


def __getattr__(name: str) -> Any:
    """Import a promised name when it is first used."""
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Show only the promise."""
    return __all__
