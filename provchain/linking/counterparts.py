"""The other number of a pair: in ``lower complexity (6 vs. 8)`` the sentence names what 6 is of, and 8 is of its rival.

Only next to a number that is linked, and only among the places of the same measure in the same file.

Spec: docs/reference/matching.md, 5.8.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from provchain.linking.pool import Pool, Slot
from provchain.linking.written import MAX_LINKS, Written, make_link
from provchain.model import Link, Tier

__all__ = ["link_counterparts"]

RULE = "5.8 counterpart"
_VERSUS = re.compile(r"\s*%?\s*(?:vs\.?|versus|against|compared (?:to|with)|as opposed to)\s+", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s+(?:about\s+)?$", re.IGNORECASE)
_TO = re.compile(r"\s*%?\s+to\s+(?:about\s+)?", re.IGNORECASE)
_MOST_RIVALS = 40
_FEW = 3  # rivals that may all have the number


def link_counterparts(
    numbers: Sequence[Written], found: Mapping[str, Sequence[Link]], pool: Pool
) -> dict[str, list[Link]]:
    """Link the numbers that stand behind ``vs.`` and the like, and whose own words name nothing.

    Args:
        numbers: The numbers of the manuscripts, in the order in which they stand there.
        found: The links so far, by claim.
        pool: The values.

    Returns:
        The new links, by claim.
    """
    links: dict[str, list[Link]] = {}
    sentences: dict[tuple[str, int, str], list[Written]] = {}
    for written in numbers:
        if written.claim.table is None and written.claim.start >= 0:
            sentences.setdefault((written.claim.path, written.claim.line, written.claim.text), []).append(written)
    for together in sentences.values():
        together.sort(key=lambda one: one.claim.start)
        for first, second in pairwise(together):
            text, end = first.claim.text, first.claim.start + len(first.claim.written)
            moved = _FROM.search(text[: first.claim.start]) and _TO.fullmatch(text[end : second.claim.start])
            if moved or _VERSUS.fullmatch(text[end : second.claim.start]):
                for named, other in ((first, second), (second, first)):
                    links.update(_of_pair(named, other, found, pool))
    return links


def _of_pair(named: Written, other: Written, found: Mapping[str, Sequence[Link]], pool: Pool) -> dict[str, list[Link]]:
    """The links of one number of a pair, where the other one has some."""
    own = [link for link in found.get(named.claim.id, ()) if link.agrees and len(link.operands) == 1]
    if not own or found.get(other.claim.id) or other.number.modifier:
        return {}
    rivals = {link.id: link for one in own for link in _rivals(other, one, pool)}
    return {other.claim.id: list(rivals.values())[:MAX_LINKS]} if rivals else {}


def _rivals(written: Written, of: Link, pool: Pool) -> list[Link]:
    slot = pool.slot_of.get(of.operands[0])
    if slot is None or not slot.leaf:
        return []
    rivals = [other for other in pool.slots if _is_rival(other, slot)]
    agreeing = [hits[-1] for other in rivals if (hits := [h for h in written.matches(other.values) if h.exact])]
    if len(rivals) > _MOST_RIVALS or len(agreeing) > max(_FEW, len(rivals) // 2):
        return []
    return [make_link(written.claim, (hit,), Tier.LABELS, RULE) for hit in agreeing]


def _is_rival(other: Slot, slot: Slot) -> bool:
    """Whether a place is of the same measure in the same file, and differs by what it is of and by nothing else."""
    if other is slot or (other.artifact, other.leaf) != (slot.artifact, slot.leaf):
        return False
    theirs, ours = other.values[0].labels, slot.values[0].labels
    return len(theirs) == len(ours) and sum(a != b for a, b in zip(theirs, ours, strict=True)) == 1
