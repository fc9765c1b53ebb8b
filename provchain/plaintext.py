"""Foreign text on one line of plain text: what `print` shows of names, quotes and commands that nobody checked."""

from __future__ import annotations

__all__ = ["one_line"]


def one_line(text: str, most: int = 200) -> str:
    """Make a foreign text one short line that cannot steer a terminal.

    Args:
        text: Anything.
        most: How many characters it may have; the rest is cut and marked.

    Returns:
        The text with each stretch of white space as one space, and U+FFFD for each character that prints nothing
        (control and format characters, lone surrogates).

    Example:
        >>> one_line("loss\\x1b[31m\\n 0.5") == "loss\\ufffd[31m 0.5"
        True
        >>> one_line("a long sentence", most=8)
        'a long …'
    """
    shown = text[: 4 * most + 1]  # nothing longer is shown, so an endless text costs nothing
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in " ".join(shown.split()))
    return shown if len(shown) <= most else shown[: most - 1] + "…"
