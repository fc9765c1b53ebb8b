"""Find the schemas, queries and policies that ship with provchain, wherever it is installed.

In a wheel they lie inside the package (hatchling puts them there); in a checkout and in an editable install they lie
beside it. The package is asked first, then the checkout. An editable install also leaves a stale copy in
``site-packages``; the package's own folder is the checkout then, so that copy is never read.
"""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["list_resources", "read_resource"]

_PACKAGE = Path(__file__).resolve().parent
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")  # one path segment: a name from outside can never leave the folder


def _roots() -> tuple[Path, ...]:
    checkout = _PACKAGE.parent
    # Without the check an installed provchain would look into a stranger's site-packages/queries.
    return (_PACKAGE, checkout) if (checkout / "pyproject.toml").is_file() else (_PACKAGE,)


def read_resource(kind: str, name: str) -> str:
    """Read a schema, query or policy that ships with provchain.

    Args:
        kind: The folder: ``"schemas"``, ``"queries"`` or ``"policies"``.
        name: The file name.

    Returns:
        Its text.

    Raises:
        FileNotFoundError: There is no such file.

    Example:
        >>> read_resource("queries", "claims.rq").startswith("# question:")
        True
    """
    if _NAME.fullmatch(kind) and _NAME.fullmatch(name):
        for root in _roots():
            if (found := root / kind / name).is_file():
                return found.read_text(encoding="utf-8")
    raise FileNotFoundError(f"{kind}/{name}")


def list_resources(kind: str) -> list[str]:
    """List the file names of one kind, sorted.

    Args:
        kind: The folder: ``"schemas"``, ``"queries"`` or ``"policies"``.

    Example:
        >>> "claims.rq" in list_resources("queries")
        True
    """
    if not _NAME.fullmatch(kind):
        return []
    folders = (root / kind for root in _roots())
    files = (file for folder in folders if folder.is_dir() for file in folder.iterdir() if file.is_file())
    return sorted({file.name for file in files if file.suffix != ".py"})  # a module of ours can lie beside them
