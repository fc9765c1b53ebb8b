"""Numbers that follow from others: they stand in no file, and what they follow from is not searched for (yet).

Decided by the words right at the number, so that an honest difference is not called a number without a source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache

from provchain.linking.aggregates import NAMED_QUANTITY
from provchain.linking.words import split_words
from provchain.model import Claim, ClaimKind, Value

__all__ = ["Quantities", "is_derived"]

# A share, a difference or a ratio, said right at the number.
_DERIVED_BEFORE = re.compile(
    r"\b(?:improv\w*|increas\w*|decreas\w*|reduc\w*|gains?|drop\w*|fell|rose|outperform\w*|difference|gap|margin|by|averag\w+|share"
    r"|proportion)\b\W+(?:(?:of|by|about|roughly|nearly|over|only|an?|the|is|was|~)\W+){0,3}$",
    re.IGNORECASE,
)
_DERIVED_AFTER = re.compile(
    r"^\s*(?:relative |absolute |average |mean )?(?:improvement|increase|decrease|reduction|gain|drop|faster|slower|higher"
    r"|lower|better|worse|more|less|fewer|larger|smaller|points|of (?:the|all|its|our|cases|\w+ed)\b)",
    re.IGNORECASE,
)
_DERIVED_HEADER = re.compile(
    r"\b(?:improvement|change|delta|diff(?:erence)?|gain|speed-?up|reduction|increase|drops?|decline|degradation)\b|Δ"
    r"|%\s*(?:change|diff)|(?:^|\|)\W*relative\W*(?:\||$)",
    re.IGNORECASE,
)
# A sentence or a caption has to say over what: "the mean affinity" is the name of a quantity, as is "mean absolute error".
_MEAN = rf"(?<![\w-])(?:means?|averag(?:e[ds]?|ing)|avg\.?)(?![\w-]){NAMED_QUANTITY}"
_MEAN_HEADER = re.compile(_MEAN, re.IGNORECASE)
_MEAN_OVER = re.compile(
    rf"{_MEAN}[^.;]{{0,60}}(?:\b(?:over|across|of (?:the |all )?(?:\w+ ){{0,2}}(?:seeds?|folds?|runs?|trials?|repetitions?)"
    rf"|(?:standard )?deviations?|std)\b|±|\+/-)|\bon average\b",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"(?:[<>≤≥]=?|\b(?:below|under|above|exceed\w*|less than|more than|fewer than|at least|at most|up to|within))\s*$",
    re.IGNORECASE,
)
_RATIO = re.compile(r"^\s*(?:×|x\b|times\b|-?fold\b|percentage points|points\b|pp\b)", re.IGNORECASE)
_FACTOR = re.compile(r"\d\s?(?:×|x)$")
_LISTED = re.compile(r"(?:[-+−]?\d[\d.]{0,9}\s?%(?:,\s?(?:and |or )?|\s(?:and|or)\s)(?:by )?){1,8}$")
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
    if claim.written[:1] in "<>≤≥" or _BOUND.search(claim.text[: max(claim.start, 0)]):
        return True
    if claim.table is not None:
        return _DERIVED_HEADER.search(f"{claim.header or ''} | {claim.row or ''}") is not None
    start = max(claim.start, 0)
    before, after = claim.text[max(start - 80, 0) : start], claim.text[start + len(claim.written) :][:60]
    if claim.written.endswith("%"):
        before = _LISTED.sub("", before)  # "by 43 %, 51 % and 63 %": what the first of a list is, the others are
    if _FACTOR.search(claim.written) or _RATIO.match(after) or _DERIVED_AFTER.match(after) or _SHARE.search(before):
        return True
    return _DERIVED_BEFORE.search(before) is not None and not before.rstrip(" ~≈").endswith((" to", " at", " from"))


class Quantities:
    """The quantities that stand on record several times, so that a mean of them may have been computed and written nowhere.

    A mean of what stands nowhere has no source; a mean of what stands in many places may be one of them all, of some, or of
    none, and is left to a reader.

    Args:
        values: The values on record.

    Example:
        >>> from decimal import Decimal
        >>> rows = [Value(f"v{n}", "a", "m.csv", f"cell={n},2", f"0.{n}", Decimal(n) / 10, ("rmse",)) for n in (7, 8)]
        >>> claim = Claim("c", ClaimKind.NUMBER, "p.md", 1, 1, "0.75", "", header="RMSE", caption="Mean over 2 seeds", table=1)
        >>> Quantities(rows).may_be_mean(claim), Quantities(rows[:1]).may_be_mean(claim)
        (True, False)
    """

    def __init__(self, values: Iterable[Value]) -> None:
        numbers: dict[frozenset[str], Decimal] = {}
        self._by_word: dict[str, set[frozenset[str]]] = {}
        for value in values:
            name = next((label for label in reversed(value.labels) if not label.isdigit()), "")
            if _MEAN_HEADER.search(" ".join(value.labels)):
                continue  # a mean that was written down: nothing has to be made of it
            words = _words_of(name)
            if words and numbers.setdefault(words, value.number) != value.number:
                self._by_word.setdefault(min(words), set()).add(words)

    def may_be_mean(self, claim: Claim) -> bool:
        """Whether a number is called a mean, and what it is a mean of stands on record several times."""
        if claim.kind is not ClaimKind.NUMBER or not _says_mean(claim):
            return False
        labels = (
            (claim.header or "", claim.row or "", claim.caption or "") if claim.table is not None else (claim.text,)
        )
        words = _words_of(" ".join((*labels, *claim.section[-1:])))
        return any(name <= words for word in words for name in self._by_word.get(word, ()))


def _says_mean(claim: Claim) -> bool:
    if claim.table is None:
        return _MEAN_OVER.search(claim.text) is not None
    if _MEAN_HEADER.search(f"{claim.header or ''} | {claim.row or ''}"):
        return True
    return any(_MEAN_OVER.search(text) for text in (claim.caption or "", *claim.section[-1:]))


@lru_cache(maxsize=4096)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(split_words(text))
