"""``m ± s``: one claim that needs two values (rule 5.4 of docs/reference/matching.md).

A mean and its spread stand beside each other in what a run wrote. Where they do, both must agree; where only the mean
stands, the link says so; where one seed's value stands, it is no mean, whatever its digits. What the run wrote down for
each seed and nowhere together is computed (see ``aggregates``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal

from msgspec import structs

from provchain.linking.pool import Pool, Slot
from provchain.linking.words import split_words
from provchain.linking.written import Written
from provchain.model import Link

__all__ = ["rounds_to", "with_spreads"]

_REPEATS = re.compile(r"(?<![A-Za-z])(seed|fold|run|trial|repeat|rep|replicate|repetition)s?[ _=-]{0,2}\d+", re.I)
_OTHER_SPREADS = frozenset(["ci", "error", "sem", "se", "interval", "iqr", "range", "variance", "bound"])
_USUAL_REPEATS = (2, 3, 4, 5, 10)


def with_spreads(links: Sequence[Link], written: Written, pool: Pool) -> list[Link]:
    """Hold the spread of ``m ± s`` against the places where its mean was found.

    Args:
        links: The links of its mean.
        written: The number.
        pool: The values.

    Returns:
        Those where mean and spread agree, else those whose place gives another spread, as opposing links, else those
        that know no spread, with a note. One of several repetitions carries none of them.
    """
    judged = [_with_spread(link, written, pool) for link in links]
    found = [link for link in judged if link is not None]
    whole = [link for link in found if link.agrees and len(link.operands) > 1]
    opposed = [link for link in found if not link.agrees]
    return [link for link in found if link.agrees] if whole else opposed or found


def _with_spread(link: Link, written: Written, pool: Pool) -> Link | None:
    spread = written.number.uncertainty
    if spread is None or not link.agrees or len(link.operands) != 1 or link.operands[0] not in pool.slot_of:
        return link
    mean = pool.slot_of[link.operands[0]]
    others = [value for slot in pool.spreads_of(mean) for value in slot.values]
    for value in others:
        if rounds_to(value.number * link.scale, spread):
            return structs.replace(link, operands=(*link.operands, value.id))
    numbers = {value.number for value in others}
    if len(numbers) == 1:
        there = others[0]
        if not _is_other_measure(written) and not _is_other_divisor(there.number * link.scale, spread):
            note = f"its spread stands there as {there.lexical}, not {spread}"
            return structs.replace(link, operands=(*link.operands, there.id), agrees=False, note=note)
        return structs.replace(link, note=_joined(link.note, f"its spread stands there as {there.lexical}"))
    if not others and _is_repetition(mean):
        return None
    return structs.replace(link, note=_joined(link.note, f"nothing near it says {spread}"))


def _joined(note: str, more: str) -> str:
    return f"{note}; {more}" if note else more


def rounds_to(value: Decimal, written: Decimal) -> bool:
    """Whether a number rounds to another, by the digits that this one is written with."""
    exponent = written.as_tuple().exponent
    half = Decimal(5).scaleb(exponent - 1) if isinstance(exponent, int) else Decimal(0)
    return abs(value - written) <= half


def _is_other_measure(written: Written) -> bool:
    """The manuscript calls the spread something else than a deviation: an interval, a standard error."""
    claim = written.claim
    words = split_words(" ".join((claim.header or "", claim.caption or "", claim.text if claim.table is None else "")))
    return not _OTHER_SPREADS.isdisjoint(words)


def _is_other_divisor(there: Decimal, written: Decimal) -> bool:
    """One is the sample and the other the population deviation of a usual number of repetitions."""
    factors = [Decimal(math.sqrt(n / (n - 1))) for n in _USUAL_REPEATS]
    return any(rounds_to(there * factor, written) or rounds_to(there / factor, written) for factor in factors)


def _is_repetition(slot: Slot) -> bool:
    """It is what one seed, fold or run came to, or one of a list: no mean of them."""
    if "mean" in slot.words:
        return False
    value = slot.values[0]
    return not slot.single or any(_REPEATS.search(text) for text in (value.path, *value.labels))
