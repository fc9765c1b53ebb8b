"""Foreign text as plain text: what a terminal may show of names, quotes and commands that nobody checked."""

from __future__ import annotations

__all__ = ["one_line", "printable"]


def printable(text: str, keep: str = "\n\t") -> str:
    """Replace every character that prints nothing, so that a foreign text cannot steer a terminal.

    Args:
        text: Anything.
        keep: Characters that stay although they print nothing.

    Returns:
        The text with U+FFFD for control and format characters and lone surrogates.

    Example:
        >>> printable("loss\\x1b[31m\\n") == "loss\\ufffd[31m\\n"
        True
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in keep else "\N{REPLACEMENT CHARACTER}" for char in text)


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
    shown = printable(" ".join(shown.split()), keep="")
    return shown if len(shown) <= most else shown[: most - 1] + "…"
