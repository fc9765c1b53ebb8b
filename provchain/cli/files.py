"""Writing a file that the user named, with a clear error where that cannot be done."""

from __future__ import annotations

from pathlib import Path

from provchain.errors import SourceError

__all__ = ["write_file"]


def write_file(path: Path, data: bytes) -> None:
    """Write bytes to a file.

    Raises:
        SourceError: The file cannot be written.
    """
    try:
        path.write_bytes(data)
    except OSError as error:
        hint = "check that the folder exists and can be written to"
        raise SourceError(f"{path}: cannot be written: {error.strerror}", path=str(path), hint=hint) from error
