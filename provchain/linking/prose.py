"""Single numbers: in sentences, and in tables too small to be decided as a whole (rules 5.8 and 5.9).

A number alone proves nothing: integers and short decimals occur in every run. It links by *words and value*: the sentence shares
words with the names of a place, and so few values share as many that one of them would hardly agree by chance. Without shared words
only a number that is surprising by itself links, and only as ``Tier.LONE``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import structs

from provchain.linking.pool import Pool, Slot
from provchain.linking.words import split_words
from provchain.linking.written import Hit, Written, make_link
from provchain.model import Claim, Link, Relation, Tier

__all__ = ["Restated", "link_alone", "link_by_words", "link_restated", "link_setting"]

_BUDGET = 0.05  # expected chance matches
_MAX_LINKS = 8
_NEAR = 0.75  # share of the best score that still counts as the same evidence


class Restated(NamedTuple):
    """A table cell of a manuscript and what it was linked to."""

    cell: Written
    row: frozenset[str]
    header: frozenset[str]
    links: tuple[Link, ...]


def _near_text(claim: Claim) -> str:
    if claim.table is not None:
        return f"{claim.row or ''} {claim.header or ''}"
    return claim.text


def _far_text(claim: Claim) -> str:
    return " ".join((*claim.section, claim.caption or ""))


def _order(scored: tuple[float, Slot, Hit]) -> tuple[float, int, bool, int]:
    score, slot, hit = scored
    return (-round(score, 6), not slot.data, not slot.single, slot.index)


# ------------------------------------------------------------------------------------------------ words and value


def link_by_words(written: Written, pool: Pool, *, rule: str = "5.8 prose labels") -> list[Link]:
    """Link a number by the words around it and its value."""
    agreeing = _agreeing(written, pool)
    if not agreeing:
        return []
    near = pool.coverage_of(_near_text(written.claim))
    far = pool.coverage_of(_far_text(written.claim))
    scored: list[tuple[float, Slot, Hit]] = []
    for slot, hits in agreeing.items():
        score = _evidence(pool, slot, near.get(slot.index), far.get(slot.index))
        if score > 0:
            scored.append((score, slot, hits[-1]))
    if not scored:
        return []
    scored.sort(key=_order)
    best = scored[0][0]
    if not _surprising(written, pool, near, far, best):
        return []
    return _alternatives(written, scored, rule)


def _agreeing(written: Written, pool: Pool) -> dict[Slot, list[Hit]]:
    """The slots with a value that agrees by the rules of rounding."""
    found: dict[Slot, list[Hit]] = {}
    seen: set[str] = set()
    for low, high in written.windows():
        for value in pool.values_between(low, high):
            if value.id in seen:
                continue
            seen.add(value.id)
            hit = written.match(value)
            if hit is not None and hit.exact:
                found.setdefault(pool.slot_of[value.id], []).append(hit)
    return found


def _evidence(
    pool: Pool, slot: Slot, near: tuple[float, frozenset[str]] | None, far: tuple[float, frozenset[str]] | None
) -> float:
    """How much the words say for a slot; 0 where they do not even name what was measured."""
    if near is None:
        return 0.0
    words = near[1]
    rare = sum(map(pool.rarity, words))
    leaf = slot.leaf
    total = sum(map(pool.rarity, leaf))
    known = sum(map(pool.rarity, leaf & words)) / total if total else 0.0
    if known < 0.4 and not (far is not None and leaf & far[1]):
        return 0.0
    more = sum(map(pool.rarity, far[1] - words)) if far is not None else 0.0
    return rare * (0.5 + 0.5 * known) + 0.25 * more


def _surprising(
    written: Written,
    pool: Pool,
    near: dict[int, tuple[float, frozenset[str]]],
    far: dict[int, tuple[float, frozenset[str]]],
    best: float,
) -> bool:
    """Whether an agreement is surprising among the values that share as many words."""
    numbers: set[object] = set()
    for index in near:
        slot = pool.slots[index]
        if _evidence(pool, slot, near[index], far.get(index)) >= _NEAR * best:
            numbers.update(value.number for value in slot.values)
            if len(numbers) > 2_000:
                return False
    width = max(written.high - written.low, 0.0)
    middle = abs(written.high + written.low) / 2
    if written.number.decimals <= 0 and not written.number.percent:
        width = max(width, 1.0)
    share = min(width / max(middle, 5 * width), 1.0) if width else 0.0
    if written.telling <= 0.15:
        share = max(share, 0.25)  # 0, 1 and 100 are where many measures end
    share *= len(written.windows())
    return share * len(numbers) < _BUDGET * (2 if best > 1.5 else 1)


def _alternatives(written: Written, scored: Sequence[tuple[float, Slot, Hit]], rule: str) -> list[Link]:
    """The best, and with it the places that say the same number under words as good."""
    best, first, _ = scored[0]
    links: list[Link] = []
    for score, slot, hit in scored:
        if score < best - 1e-6 and not (score >= 0.9 * best and slot.data == first.data and slot.single):
            continue
        if slot.data != first.data:
            continue
        links.append(make_link(written.claim, (hit,), Tier.LABELS, rule))
        if len(links) == _MAX_LINKS:
            break
    return links


# -------------------------------------------------------------------------------------------------- other evidence


def link_restated(written: Written, cells: Sequence[Restated]) -> list[Link]:
    """Link a sentence's number to what the table cell it restates was linked to."""
    words = frozenset(split_words(written.claim.text)) | frozenset(split_words(" ".join(written.claim.section)))
    scored: list[tuple[float, int]] = []
    for index, other in enumerate(cells):
        number = other.cell.number
        if number.value != written.number.value and not _covers(written, other.cell):
            continue
        row, header = _share(other.row, words), _share(other.header, words)
        if (row >= 0.5 and header >= 0.5) or (written.telling >= 0.8 and row + header >= 0.5):
            scored.append((row + header, index))
    if not scored:
        return []
    best = max(score for score, _ in scored)
    links: dict[tuple[str, ...], Link] = {}
    for score, index in scored:
        if score > best - 1e-6:
            for link in cells[index].links:
                note = f"restates table {cells[index].cell.claim.table}"
                made = make_link(written.claim, (), link.tier, "5.8 restates", note=note, operands=link.operands)
                made = _with_relation(made, link, same=cells[index].cell.number.value == written.number.value)
                links.setdefault(made.operands, made)
    return list(links.values())[:_MAX_LINKS]


def _with_relation(made: Link, link: Link, *, same: bool) -> Link:
    return structs.replace(made, relation=link.relation if same else Relation.ROUNDED, scale=link.scale)


def _covers(written: Written, cell: Written) -> bool:
    if written.number.percent != cell.number.percent:
        return False
    return written.low <= float(cell.number.value) <= written.high and written.telling >= 0.5


def _share(label: frozenset[str], words: frozenset[str]) -> float:
    return len(label & words) / len(label) if label else 0.0


def link_setting(written: Written, pool: Pool) -> list[Link]:
    """Link a setting to places whose key is what the manuscript calls it."""
    claim = written.claim
    before = claim.text[: max(claim.text.find(claim.written), 0)][-60:]
    words = frozenset(
        split_words(
            f"{claim.row or ''} {claim.header or ''}" if claim.table is not None else f"{before} {claim.written}"
        )
    )
    scored: list[tuple[float, Slot, Hit]] = []
    for slot, hits in _agreeing(written, pool).items():
        if slot.leaf and slot.leaf <= words and len(slot.values) <= 3:
            scored.append((float(len(slot.leaf)) + 0.1 * len(slot.words & words), slot, hits[0]))
    if not scored:
        return []
    scored.sort(key=_order)
    best = scored[0][0]
    kept = [item for item in scored if item[0] > best - 1e-6]
    return [make_link(claim, (hit,), Tier.LABELS, "5.8 setting") for _, _, hit in kept[:_MAX_LINKS]]


def link_alone(written: Written, pool: Pool) -> list[Link]:
    """Link a number by its value alone, where that is surprising enough."""
    if written.number.decimals <= 0 or written.number.significant < 3 or written.number.modifier:
        return []
    expected = sum(pool.expected_between(low, high) for low, high in written.exact_windows())
    if expected >= _BUDGET:
        return []
    agreeing = _agreeing(written, pool)
    if not agreeing or len({hit.value.number for hits in agreeing.values() for hit in hits}) > 3:
        return []
    scored = sorted(((0.0, slot, hits[-1]) for slot, hits in agreeing.items()), key=_order)
    kept = [item for item in scored if item[1].data == scored[0][1].data]
    return [make_link(written.claim, (hit,), Tier.LONE, "5.9 lone") for _, _, hit in kept[:_MAX_LINKS]]
