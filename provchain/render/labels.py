"""Foreign text made safe to show: visible, short and wrapped, whatever a file or an agent put into it.

Names, commands and quotes come from audited files and are hostile until cleaned here. Cleaning makes them harmless for
every output at once (a terminal, XML, a layout program); each output then only adds its own quoting.
"""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from functools import lru_cache

__all__ = ["display_width", "shorten", "shorten_middle", "visible", "wrap"]

_KEEP = (
    2000  # characters of each end that are looked at: nothing longer is ever shown, so cleaning stays linear and small
)
_MARKS = 3  # combining marks kept on one letter: real scripts need no more, stacks of them cover the lines around
_PLAIN = re.compile(r"[ -~]*\Z")  # printable ASCII needs no cleaning
_BREAKS_AFTER = ("/\\", "_-,:;=&?", ".")  # a long word is cut after one of these, the first best, rather than anywhere


def _is_bidi(char: str) -> bool:
    """Whether a character turns the order of the text around it."""
    return "\u202a" <= char <= "\u202e" or "\u2066" <= char <= "\u2069" or char in "\u200e\u200f\u061c"


@lru_cache(maxsize=4096)
def _shown(char: str) -> str:
    category = unicodedata.category(char)
    if char in "\t\n\r\v\f" or category in ("Zl", "Zp", "Zs"):
        return " "
    if category in ("Cc", "Cs") or _is_bidi(char) or (ord(char) & 0xFFFE) == 0xFFFE or "\ufdd0" <= char <= "\ufdef":
        return f"<U+{ord(char):04X}>"
    return (
        "" if category == "Cf" else char
    )  # joiners, soft hyphens, tags: they show nothing, so they may hide something


def visible(text: object, *, keep_lines: bool = False) -> str:
    """Make a foreign text harmless to show: one line, no control characters, no turning of the writing direction.

    Control characters, lone surrogates, noncharacters and direction marks become visible as ``<U+001B>``; invisible
    format characters go; white space becomes a space. Only the two ends of an endless text are kept.

    Args:
        text: Anything; what is no string is written as one.
        keep_lines: Keep line ends (as ``\\n``).

    Returns:
        The text, safe for XML, a terminal and a file.

    Example:
        >>> visible("a\\x1b[31mb\\u202ec\\nd")
        'a<U+001B>[31mb<U+202E>c d'
    """
    whole = text if isinstance(text, str) else str(text)
    if len(whole) > 2 * _KEEP:
        whole = f"{whole[:_KEEP]}…{whole[-_KEEP:]}"
    if _PLAIN.match(whole):
        return whole
    if keep_lines:
        return "\n".join(_clean(line) for line in re.split(r"\r\n|\r|\n", whole))
    return _clean(re.sub(r"\s*[\r\n]\s*", " ", whole))


def _clean(line: str) -> str:
    shown: list[str] = []
    marks = 0
    for char in line:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= _MARKS:
            shown.append(_shown(char))
    return "".join(shown)


@lru_cache(maxsize=4096)
def _cell(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def display_width(text: str) -> int:
    """Count the columns that a text fills: two for a wide character, none for a combining mark.

    Example:
        >>> display_width("a中")
        3
    """
    return len(text) if text.isascii() else sum(map(_cell, text))


def _head(text: str, width: int) -> str:
    """The longest beginning of a text that fills at most ``width`` columns."""
    if text.isascii():
        return text[:width]
    filled = 0
    for index, char in enumerate(text):
        filled += _cell(char)
        if filled > width:
            return text[:index]
    return text


def shorten(text: str, width: int) -> str:
    """Cut a text at its end so that it fills at most ``width`` columns, with an ellipsis where something is missing.

    Example:
        >>> shorten("no execution on record", 12)
        'no executio…'
    """
    return text if display_width(text) <= width else _head(text, max(width - 1, 0)).rstrip() + "…"


def shorten_middle(text: str, width: int) -> str:
    """Cut a text in its middle, as suits a path: both its start and its file name stay.

    Example:
        >>> shorten_middle("results/tables/ablation/metrics.json", 24)
        'results/t…n/metrics.json'
    """
    if display_width(text) <= width:
        return text
    room = max(width - 1, 0)
    name = re.split(r"[/\\]", text)[-1]
    tail = min(max(display_width(name) + 2, (room + 1) // 2), room * 2 // 3)
    end = _head(text[::-1], tail)[::-1]
    return f"{_head(text, room - display_width(end))}…{end}"


def wrap(text: str, width: int, lines: int) -> list[str]:
    """Break a text into at most ``lines`` lines of at most ``width`` columns, the last one with an ellipsis if cut.

    Lines break at spaces, and inside a longer word after one of ``/_-.,:;=&?`` where there is one.

    Example:
        >>> wrap("python experiments/run_all.py --seed 1", 22, 3)
        ['python experiments/', 'run_all.py --seed 1']
    """
    words = deque(text.split(" "))
    done: list[str] = []
    line = ""
    while words:
        word = words.popleft()
        joined = f"{line} {word}" if line else word
        if display_width(joined) <= width:
            line = joined
            continue
        if not line or display_width(word) > width or display_width(line) < width // 2:
            head = _part(word, max(width - display_width(line) - 1, 0) if line else width, anywhere=not line)
            line = f"{line} {head}" if line and head else line or head
            word = word[len(head) :]
        if word:
            words.appendleft(word)
        done.append(line)
        line = ""
        if len(done) == lines:
            return [*done[:-1], shorten(done[-1] + "…", width)] if any(words) else done
    return [*done, line] if line or not done else done


def _part(word: str, room: int, *, anywhere: bool) -> str:
    """The beginning of a long word that fits, cut after a character that parts words, or anywhere; else nothing."""
    head = _head(word, room)
    for marks in _BREAKS_AFTER:
        cut = max(head.rfind(char) for char in marks) + 1
        if cut > max(room, 0) // 3:
            return head[:cut]
    return (head or word[:1]) if anywhere else ""
