"""Where sentences of prose begin and end. Format-neutral; every place is an offset into the text as given."""

from __future__ import annotations

import re

__all__ = ["quote", "quote_with_place", "split_sentences"]

Span = tuple[int, int]

_QUOTE = 300  # characters of a quote: enough to find it again, short enough to print
_END = re.compile(
    r"[.!?][\"')\]”’*_$]{0,3}\s+|\n(?=[ \t]{0,8}(?:[•◦▪–*+-][ \t]|\W{0,3}(?:Table|Figure|Fig\.|Tab\.)[ \t]?[0-9]))"
    r"|\n[ \t]*\n|  \n|\\\n"
)
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|al|vs|figs?|secs?|eqs?|eqn|tabs?|approx|resp|cf|dr|no|nos|ca|std|avg|refs?|ch|vol|pp?|w\.r\.t"
    r"|a\.k\.a"
    r"|mr|ms|prof|st|viz|incl)$",
    re.IGNORECASE,
)


def split_sentences(text: str, source: str | None = None) -> list[Span]:
    """Split prose into sentences.

    Args:
        text: Prose with its markup blanked.
        source: The same before blanking: two spaces at the end of a line are a break only where they really stand.

    Returns:
        Spans without surrounding space, in order.

    Example:
        >>> text = "A rose by 0.5 vs. B. Then it fell."
        >>> [text[start:end] for start, end in split_sentences(text)]
        ['A rose by 0.5 vs. B.', 'Then it fell.']
    """
    source = text if source is None else source
    spans: list[Span] = []
    start = 0
    for found in _END.finditer(text):
        mark = found.group()
        if mark[0] in ".!?":
            following = text[found.end() : found.end() + 1]
            if following.islower() or (
                mark[0] == "." and _ABBREVIATION.search(text[max(0, found.start() - 12) : found.start()])
            ):
                continue
        elif mark[0] == " " and source[found.start() : found.end()] != mark:
            continue
        _append(spans, text, start, found.end())
        start = found.end()
    _append(spans, text, start, len(text))
    return spans


def _append(spans: list[Span], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append((start, end))


def quote(text: str, span: Span, at: int) -> str:
    """Quote a sentence or a row, collapsed; of a long one the part around a place.

    Args:
        text: The text that holds it.
        span: The sentence or row.
        at: The place that the quote must show.
    """
    return quote_with_place(text, span, at)[0]


def quote_with_place(text: str, span: Span, at: int) -> tuple[str, int]:
    """Quote a sentence or a row, and say where in the quote a place of the text is.

    Args:
        text: The text that holds it.
        span: The sentence or row.
        at: The place that the quote must show.

    Example:
        >>> quote_with_place("A. b  0.5 and 0.5", (3, 17), 14)
        ('b 0.5 and 0.5', 10)
    """
    start, end = span
    if end - start <= 8 * _QUOTE:
        whole = " ".join(text[start:end].split())
        if len(whole) <= _QUOTE:
            return whole, _collapsed_length(text[start:at])
    first, last = max(start, at - _QUOTE // 2), min(end, at + _QUOTE // 2)
    while first > start and not text[first - 1].isspace() and at - first < _QUOTE // 2 + 30:
        first -= 1
    part = " ".join(text[first:last].split())
    before = "… " if first > start else ""
    return f"{before}{part}{' …' if last < end else ''}", len(before) + _collapsed_length(text[first:at])


def _collapsed_length(before: str) -> int:
    """How many characters a text takes before what follows it, white space collapsed."""
    collapsed = " ".join(before.split())
    return len(collapsed) + (bool(collapsed) and before[-1:].isspace())
