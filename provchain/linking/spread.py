"""``m ± s``: one claim that needs two values, or many (rules 5.4 and 5.5 of docs/reference/matching.md).

A mean and its spread stand beside each other in what a run wrote. Where they do, both must agree; where only the mean
stands, the link says so; where one seed's value stands, it is no mean, whatever its digits. What the run wrote down for
each seed and nowhere together is computed, and counts only if mean and spread both come out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal

from msgspec import structs

from provchain.linking.pool import Pool, Slot
from provchain.linking.words import split_words
from provchain.linking.written import Written, make_link
from provchain.model import Link, Relation, Tier

__all__ = ["link_aggregate", "with_spreads"]

RULE = "5.5 aggregate"
_REPEATS = re.compile(r"(?<![A-Za-z])(seed|fold|run|trial|repeat|rep|replicate|repetition)s?[ _=-]{0,2}\d+", re.I)
_OTHER_SPREADS = frozenset(["ci", "error", "sem", "se", "interval", "iqr", "range", "variance", "bound"])
_USUAL_REPEATS = (2, 3, 4, 5, 10)
_MOST_REPEATS = 50


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
        if _rounds_to(value.number * link.scale, spread):
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


def _rounds_to(value: Decimal, written: Decimal) -> bool:
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
    return any(_rounds_to(there * factor, written) or _rounds_to(there / factor, written) for factor in factors)


def _is_repetition(slot: Slot) -> bool:
    """It is what one seed, fold or run came to, or one of a list: no mean of them."""
    if "mean" in slot.words:
        return False
    value = slot.values[0]
    return not slot.single or any(_REPEATS.search(text) for text in (value.path, *value.labels))


def link_aggregate(written: Written, pool: Pool) -> list[Link]:
    """Link ``m ± s`` of a table to the repetitions that it is mean and deviation of.

    The places must be what the row and the column say in full, and differ by nothing but the number of a seed, fold or
    run; both numbers must come out. Anything less is found by chance.
    """
    claim, spread = written.claim, written.number.uncertainty
    if spread is None or claim.table is None:
        return []
    rows, columns = pool.coverage_of(claim.row or ""), pool.coverage_of(claim.header or "")
    groups: dict[tuple[str, ...], list[Slot]] = {}
    for index in sorted(rows.keys() & columns.keys()):
        if min(rows[index][0], columns[index][0]) > 0.99:
            slot = pool.slots[index]
            value = slot.values[0]
            key = tuple(_REPEATS.sub(r"\1", text) for text in (value.path, *value.labels))
            if any(_REPEATS.search(text) for text in (value.path, *value.labels)):
                groups.setdefault(key, []).append(slot)
    links = []
    for slots in groups.values():
        if 2 <= len(slots) <= _MOST_REPEATS and all(slot.single for slot in slots):
            links += _aggregate(written, spread, slots)
    return links if len(links) == 1 else []


def _aggregate(written: Written, spread: Decimal, slots: Sequence[Slot]) -> list[Link]:
    values = [slot.values[0] for slot in slots]
    count = len(values)
    mean = sum((value.number for value in values), Decimal(0)) / count
    squares = sum(((value.number - mean) ** 2 for value in values), Decimal(0))
    for name, divisor in (("sample", count - 1), ("population", count)):
        deviation = (squares / divisor).sqrt()
        for scale in (1, 100) if written.percent or written.rate else (1,):
            if written.number.contains(mean, scale=scale) and _rounds_to(deviation * scale, spread) and squares:
                note = f"mean and {name} deviation of {count}"
                ids = tuple(value.id for value in values)
                link = make_link(written.claim, (), Tier.LABELS, RULE, note=note, operands=ids)
                return [structs.replace(link, relation=Relation.AGGREGATED, scale=scale)]
    return []
