"""What stands in a file after an agent edited it with a tool, as far as the text before is known."""

from __future__ import annotations

from provchain.events import FileEdited

__all__ = ["edited_text"]


def edited_text(text: str | None, event: FileEdited) -> str | None:
    """Apply an edit.

    Args:
        text: What stood there before, or ``None`` if it is not known.
        event: The edit.

    Returns:
        What stands there now, or ``None`` where that cannot be told.

    Example:
        >>> from provchain.model import Place
        >>> edit = FileEdited(Place("log", "7"), "apply_patch", "a.py", (("x", "y", False),), (3,))
        >>> edited_text("x\\nb\\nx\\n", edit)
        'x\\nb\\ny\\n'
    """
    for number, (old, new, everywhere) in enumerate(event.edits):
        at = event.lines[number] if number < len(event.lines) else None
        if text is not None and at is not None and (put := _put_at(text, old, new, at)) is not None:
            text = put
        elif text is None or (old and old not in text):
            text = None if old or at is not None else new
        else:
            text = text.replace(old, new) if everywhere else text.replace(old, new, 1)
    return text


def _put_at(text: str, old: str, new: str, line: int) -> str | None:
    """Replace whole lines, if they stand where the edit says."""
    lines = text.split("\n")
    gone = old.split("\n") if old else []
    start = line - 1
    if start < 0 or start > len(lines) or lines[start : start + len(gone)] != gone:
        return None
    return "\n".join([*lines[:start], *(new.split("\n") if new else []), *lines[start + len(gone) :]])
