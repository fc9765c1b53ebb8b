"""Numbers that follow from others: they stand in no file, and what they follow from is not searched for (yet).

Decided by the words right at the number, so that an honest difference is not called a number without a source.
"""

from __future__ import annotations

import re

from provchain.model import Claim, ClaimKind

__all__ = ["is_derived"]

# A share, a difference or a ratio, said right at the number.
_DERIVED_BEFORE = re.compile(
    r"\b(?:improv\w*|increas\w*|decreas\w*|reduc\w*|gains?|drop\w*|fell|rose|outperform\w*|difference|gap|margin|by|averag\w+|share"
    r"|proportion)\b\W+(?:(?:of|by|from|about|roughly|nearly|over|only|an?|the|is|was|~)\W+){0,3}$",
    re.IGNORECASE,
)
_DERIVED_AFTER = re.compile(
    r"^\s*(?:relative |absolute |average |mean )?(?:improvement|increase|decrease|reduction|gain|drop|faster|slower|higher"
    r"|lower|better|worse|more|less|fewer|larger|smaller|points|of (?:the|all|its|our|cases|\w+ed)\b)",
    re.IGNORECASE,
)
_DERIVED_HEADER = re.compile(
    r"\b(?:improvement|change|delta|diff(?:erence)?|gain|speed-?up|reduction|increase)\b|Δ|%\s*(?:change|diff)",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"(?:[<>≤≥]=?|\b(?:below|under|above|exceed\w*|less than|more than|fewer than|at least|at most|up to|within))\s*$",
    re.IGNORECASE,
)
_RATIO = re.compile(r"^\s*(?:×|x\b|times\b|-?fold\b|percentage points|points\b|pp\b)", re.IGNORECASE)
_SHARE = re.compile(r"\d[^%]{0,60}\($")  # 10 messages (31.3%)


def is_derived(claim: Claim) -> bool:
    """Whether a number reads as derived from others: a share, a difference, a ratio, a mean, a bound.

    What such a number follows from stands in no file, and the operands are not searched for: so it can be called neither
    supported nor without a source.

    Example:
        >>> text = "The moderator sent 10 messages (31.3%)."
        >>> is_derived(Claim("c", ClaimKind.NUMBER, "p.md", 1, 33, "31.3%", text))
        True
    """
    if claim.kind is not ClaimKind.NUMBER:
        return False
    if claim.written[:1] in "<>≤≥" or _BOUND.search(claim.text[: max(claim.text.find(claim.written), 0)]):
        return True
    if claim.table is not None:
        return _DERIVED_HEADER.search(f"{claim.header or ''} | {claim.row or ''}") is not None
    start = max(claim.text.find(claim.written), 0)
    before, after = claim.text[max(start - 80, 0) : start], claim.text[start + len(claim.written) :][:60]
    if _RATIO.match(after) or _DERIVED_AFTER.match(after) or _SHARE.search(before):
        return True
    return _DERIVED_BEFORE.search(before) is not None and not before.rstrip().endswith((" to", " at"))
