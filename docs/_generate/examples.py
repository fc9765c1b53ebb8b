"""An extension for the reader of docstrings: a section `Example:` is one of examples, as doctest runs it, and no remark."""

from __future__ import annotations

import re
from typing import Any

import griffe

__all__ = ["Examples"]

_HEADING = re.compile(r"^(\s*)Example:\s*$", re.MULTILINE)


class Examples(griffe.Extension):
    """Name the section as the reader of docstrings expects it."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring that was read, not the code."""
        if obj.docstring is not None:
            obj.docstring.value = _HEADING.sub(r"\1Examples:", obj.docstring.value)
