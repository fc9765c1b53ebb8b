"""Foreign text as rich text: cleaned, cut, never read as markup, and only with letters that the terminal can show."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.text import Text

from provchain.render.labels import shorten, shorten_middle, visible
from provchain.render.words import ASCII_SYMBOLS, SYMBOLS

__all__ = ["OUTCOME_STYLES", "foreign", "has_unicode", "path_text", "plain_box", "ruled", "symbol"]

OUTCOME_STYLES: dict[str, str] = {
    "passed": "green",
    "failed": "bold red",
    "cantTell": "yellow",
    "inapplicable": "dim",
    "untested": "magenta",
}

# What we write ourselves beyond ASCII, for terminals that cannot show it.
_SPELLED = str.maketrans({"…": "...", "·": "-", "—": "-", "–": "-", "→": "->", "×": "x"})


def has_unicode(console: Console) -> bool:
    """Whether the console can show more than its own small set of letters."""
    return console.encoding.lower().replace("-", "").startswith("utf")


def foreign(text: object, console: Console, *, style: str = "", most: int | None = None) -> Text:
    """Make any text printable: no control character, no markup, nothing that the encoding lacks.

    Args:
        text: Anything.
        console: Where it will be printed.
        style: A rich style for all of it.
        most: Cut at so many columns.

    Returns:
        One line of text.

    Example:
        >>> foreign("[red]x[/red]\\x1b[2J", Console()).plain
        '[red]x[/red]<U+001B>[2J'
    """
    shown = visible(text)
    if most is not None:
        shown = shorten(shown, most)
    return Text(_encodable(shown, console), style=style)


def path_text(path: object, console: Console, most: int, *, style: str = "") -> Text:
    """Make a path printable, cut in its middle at so many columns."""
    return Text(_encodable(shorten_middle(visible(path), most), console), style=style)


def _encodable(shown: str, console: Console) -> str:
    if has_unicode(console) or shown.isascii():
        return shown
    try:
        shown.encode(console.encoding)
    except LookupError:
        return shown.translate(_SPELLED).encode("ascii", "backslashreplace").decode("ascii")
    except UnicodeEncodeError:
        spelled = shown.translate(_SPELLED)
        return spelled.encode(console.encoding, "backslashreplace").decode(console.encoding)
    return shown


def symbol(outcome: str, console: Console) -> str:
    """The sign of an outcome, as the terminal can show it."""
    return (SYMBOLS if has_unicode(console) else ASCII_SYMBOLS).get(outcome, "?")


def plain_box(console: Console) -> box.Box:
    """Lines of a table that the terminal can show."""
    return box.SIMPLE_HEAD if has_unicode(console) else box.ASCII2


def ruled(title: str, console: Console) -> Text:
    """A heading with a line after it."""
    line = "─" if has_unicode(console) else "-"
    shown = _encodable(shorten_middle(visible(title), max(console.width - 4, 8)), console)
    return Text(f"{shown} ", style="bold").append(line * max(console.width - Text(shown).cell_len - 1, 0), style="dim")
