"""Path texts with unknown pieces: joined, normalised, shown as patterns, matched against files.

Inside the evaluation an unknown piece of a text is one private character, ``WILD``; it becomes ``*`` only where a
pattern is shown, so that a literal ``*`` of a script (a glob) and an unknown piece read alike.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence

__all__ = ["HOME", "WILD", "blur_texts", "literal_weight", "match_effect", "normalise", "resolve", "show"]

WILD = "\x00"
HOME = "/\x01/\x02/\x03/\x04"  # stands for the study root where its place on the original machine is not known
_PRIVATE = str.maketrans({WILD: "*", "\x01": "*", "\x02": "*", "\x03": "*", "\x04": "*"})


def show(text: str) -> str:
    """Write a text with ``*`` for each run of unknown pieces."""
    shown = text.translate(_PRIVATE)
    while "**" in shown:
        shown = shown.replace("**", "*")
    return shown


def normalise(text: str) -> str:
    """Drop ``.``, ``..`` and doubled slashes; the parent of an unknown folder stays unknown."""
    parts: list[str] = []
    rooted = text.startswith("/")
    for part in text.split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            parts.append(part)
        elif parts and parts[-1] == WILD:
            continue
        elif parts and parts[-1] != "..":
            parts.pop()
        elif not rooted:
            parts.append("..")
    joined = "/".join(parts)
    return f"/{joined}" if rooted else joined or "."


def resolve(text: str, cwd: str, home: str) -> str:
    """Turn the text that a script hands to a call into a pattern relative to the study.

    Args:
        text: The path as evaluated.
        cwd: The absolute working directory.
        home: The absolute study root, or ``HOME``.

    Returns:
        The pattern: relative below the study root, absolute elsewhere, ``*`` for each unknown piece.

    Example:
        >>> resolve("../results/x.json", "/r/code", "/r"), resolve(WILD + "/x.json", "/r/code", "/r")
        ('results/x.json', '*/x.json')
    """
    if text.startswith((WILD, "~")):
        return show(normalise(text))
    path = normalise(posixpath.join(cwd, text))
    if path == home:
        return "."
    if path.startswith(home + "/"):
        return show(path[len(home) + 1 :])
    if path.startswith("/\x01"):  # above a study root of unknown place
        here, there = home.split("/"), path.split("/")
        same = next(
            (i for i, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there))
        )
        return show("/".join([".."] * (len(here) - same) + there[same:]))
    return show(path)


def blur_texts(texts: Sequence[str]) -> str:
    """Cover several texts by one: what they begin and end with, and an unknown piece between.

    Example:
        >>> show(blur_texts(["fig_1.png", "fig_20.png"]))
        'fig_*.png'
    """
    shortest = min(texts, key=len)
    if all(text == shortest for text in texts):
        return shortest
    head = _same_start(texts)
    tail = _same_start([text[::-1] for text in texts])[::-1]
    tail = tail[max(len(head) + len(tail) - len(shortest), 0) :]
    return f"{head}{WILD}{tail}"


def _same_start(texts: Sequence[str]) -> str:
    """What all texts begin with, character by character: that of the least and the greatest."""
    low, high = min(texts), max(texts)
    return low[: next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))]


def literal_weight(pattern: str) -> int:
    """Count the literal characters of a pattern's last piece: 0 means that it names nothing.

    Args:
        pattern: A pattern of an effect.

    Returns:
        How many characters of the base name are known.

    Example:
        >>> literal_weight("results/fig_*.png"), literal_weight("*"), literal_weight("*/*")
        (8, 0, 0)
    """
    return len(pattern.rstrip("/").rpartition("/")[2].replace("*", ""))


def match_effect(pattern: str, path: str) -> bool:
    """Say whether a path can be what a pattern stands for.

    A ``*`` that is a whole piece, or stands in the first piece, can be a path of several pieces; any other ``*`` stays
    within its piece. A leading ``*/`` can also be nothing.

    Args:
        pattern: A pattern of an effect.
        path: A path in the same terms (relative to the study root, or absolute).

    Returns:
        Whether they match as a whole.

    Example:
        >>> match_effect("results/*_loss.png", "results/gnn_loss.png"), match_effect("*/a.json", "out/x/a.json")
        (True, True)
        >>> match_effect("results/*.png", "results/figures/a.png"), match_effect("*/a.json", "a.json")
        (False, True)
    """
    if "*" not in pattern:
        return pattern == path
    while "**" in pattern:
        pattern = pattern.replace("**", "*")
    while pattern.startswith("*/"):
        if _matches(pattern, path):
            return True
        pattern = pattern[2:]
    return _matches(pattern, path) if "*" in pattern else pattern == path


def _matches(pattern: str, path: str) -> bool:
    """Whether a path is one reading of a pattern with at least one ``*``."""
    head = pattern[: pattern.index("*")]
    tail = pattern[pattern.rindex("*") + 1 :]
    if len(head) + len(tail) > len(path) or not path.startswith(head) or not path.endswith(tail):
        return False
    return len(path) in _ends(pattern, path)


def _ends(pattern: str, path: str) -> set[int]:
    """All positions of ``path`` at which a reading of the whole pattern can end (one pass, no backtracking)."""
    at = {0}
    chunks = pattern.split("*")
    before = 0
    for number, chunk in enumerate(chunks):
        if number:
            star = before
            whole = (star == 0 or pattern[star - 1] == "/") and pattern[star + 1 : star + 2] in ("", "/")
            first = "/" not in pattern[:star]
            at = _star(at, path, any_depth=whole or first, least=1 if whole else 0)
            before = star + 1
        at = {p + len(chunk) for p in at if path.startswith(chunk, p)}
        if not at:
            return at
        before += len(chunk)
    return at


def _star(starts: Iterable[int], path: str, *, any_depth: bool, least: int) -> set[int]:
    """Positions that a ``*`` can reach."""
    if any_depth:
        return set(range(min(starts) + least, len(path) + 1))
    reached: set[int] = set()
    for start in starts:
        end = path.find("/", start)
        reached.update(range(start + least, (len(path) if end < 0 else end) + 1))
    return reached
