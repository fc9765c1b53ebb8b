"""Single numbers: in sentences, and in tables too small to be decided as a whole.

A number alone proves nothing: integers and short decimals occur in every run. It links by *words and value*: the
sentence shares words with the names of a place, and so few values share as many that one of them would hardly agree
by chance. Without shared words only a number that is surprising by itself links, and only as ``Tier.LONE``.

Spec: docs/reference/matching.md, 5.8 and 5.9.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from msgspec import structs

from provchain.linking.pool import Pool, Slot
from provchain.linking.words import split_words
from provchain.linking.written import MAX_LINKS, Hit, Written, clause_of, links_of_hits, make_link
from provchain.model import Claim, Link, Relation, Tier

__all__ = ["Restated", "link_alone", "link_by_words", "link_restated", "link_same_digits"]

_BUDGET = 0.1  # expected chance matches among the values that share as many words
_BUDGET_ALONE = 0.05  # the same among all values around the number

_TELLING = (
    3  # significant digits from which on a number says something by itself (rule 5.9 of docs/reference/matching.md)
)
_UNMISTAKABLE = 4  # the same, zeros at the end aside, from which on a number of a table is known again by its digits
_FROM = re.compile(r"\bfrom\s+(?:about\s+)?$", re.IGNORECASE)
_ROW, _HEADER = attrgetter("row"), attrgetter("header")
_THREE_DIGITS = 100
_NEAR = 0.75  # share of the best score that still counts as the same evidence


class Restated(NamedTuple):
    """A table cell of a manuscript and what it was linked to."""

    cell: Written
    row: frozenset[str]
    header: frozenset[str]
    links: tuple[Link, ...]


class _Words(NamedTuple):
    """The words around a number that the pool knows: right at it, in its sentence or labels, in the headings above."""

    close: frozenset[str]
    near: frozenset[str]
    far: frozenset[str]


def _words_around(claim: Claim, pool: Pool) -> _Words:
    if claim.table is not None:
        near = frozenset(pool.label(f"{claim.row or ''} {claim.header or ''}").hits)
        close = near
    else:
        near = frozenset(pool.label(_LOOSE.sub(" ", claim.text[:4000])).hits)
        close = frozenset(pool.label(_LOOSE.sub(" ", clause_of(claim))).hits) & near
    far = frozenset(pool.label(" ".join((*claim.section, claim.caption or ""))).hits)
    return _Words(close, near, far - near)


_LOOSE = re.compile(r"(?<![\w@.-])[-+]?\d[\d.,]*%?")  # numbers of their own are no words; the 1 of ROUGE-1 is


def _order(scored: tuple[float, Slot, Hit]) -> tuple[float, int, bool, int]:
    score, slot, _ = scored
    return (-round(score, 6), not slot.data, not slot.single, slot.index)


# ------------------------------------------------------------------------------------------------ words and value


def link_by_words(written: Written, pool: Pool, *, rule: str = "5.8 prose labels") -> list[Link]:
    """Link a number by the words around it and its value."""
    agreeing = _agreeing(written, pool)
    if not agreeing:
        return []
    words = _words_around(written.claim, pool)
    scored = [(_evidence(pool, slot, words), slot, hits[-1]) for slot, hits in agreeing.items()]
    if written.claim.table is not None and (row := written.claim.row) is not None and split_words(row):
        # A place that knows nothing of its row says something else of something else.
        named = pool.label(row).hits.keys()
        scored = [item for item in scored if not named.isdisjoint(item[1].words)]
    elif written.claim.table is None:
        subjects = _subjects(written.claim, pool)
        scored = [item for item in scored if not _is_of_another(pool, item[1], subjects)]
    if written.bare < _TELLING:
        # One or two digits agree with something in every run: what was measured must be named right at the number.
        scored = [item for item in scored if _is_measure(pool, item[1], words) or _is_verbatim(written, item[2])]
        if written.claim.table is None:
            scored = [item for item in scored if item[2].scale == 1 or _names_most(pool, item[1], words)]
    scored.sort(key=_order)
    if not scored or scored[0][0] <= 0:
        return []
    if not _surprising(written, pool, words, scored[0][0]):
        if written.claim.table is not None:
            return []
        scored = [item for item in scored if _is_singled_out(written, pool, item[1], words)]
        return _alternatives(written, scored, rule) if scored else []
    # What is printed again under fewer words is no evidence of its own, but belongs to what was found.
    scored = [item for item in scored if item[0] > 0 or item[1].words & words.near]
    return _alternatives(written, scored, rule)


def _agreeing(written: Written, pool: Pool) -> dict[Slot, list[Hit]]:
    """The slots with a value that agrees by the rules of rounding."""
    found: dict[Slot, list[Hit]] = {}
    seen: set[str] = set()
    for low, high in written.exact_windows():
        slack = 1e-12 * max(abs(low), abs(high))
        for value in pool.values_between(low - slack, high + slack):
            if value.id in seen:
                continue
            seen.add(value.id)
            hit = written.match(value)
            if hit is not None and hit.exact and pool.slot_of[value.id].can_mean(written.asked):
                found.setdefault(pool.slot_of[value.id], []).append(hit)
    return found


def _is_measure(pool: Pool, slot: Slot, words: _Words) -> bool:
    """Whether a place is of the measure that is named right at the number, or in its sentence if none is named there."""
    if slot.leaf <= words.close:
        return True
    return (
        bool(slot.leaf)
        and slot.leaf <= words.near
        and not any(leaf <= words.close for leaf in _leaves(pool)[slot.artifact])
    )


@lru_cache(maxsize=8)
def _leaves(pool: Pool) -> dict[str, frozenset[frozenset[str]]]:
    """The measures of each artifact."""
    found: dict[str, set[frozenset[str]]] = {}
    for slot in pool.slots:
        if slot.leaf:
            found.setdefault(slot.artifact, set()).add(slot.leaf)
    return {artifact: frozenset(leaves) for artifact, leaves in found.items()}


def _is_singled_out(written: Written, pool: Pool, slot: Slot, words: _Words) -> bool:
    """Whether a sentence names one place in full: the measure, and all that tells it from the other places of the measure.

    Then its digits have to agree with one value only, and few of them say enough.
    """
    if written.number.value in (0, 1, 100) or written.number.modifier or not _is_measure(pool, slot, words):
        return False
    shared, own = _siblings(pool)[slot.artifact, slot.leaf]
    telling = frozenset(word for word in slot.words - shared if not word.isdigit())
    if telling and own - shared and telling <= words.near:
        return True
    # Of two, the one that is not named is the one on the other side of a word of contrast.
    others = {word for word in own - shared - telling if not word.isdigit()}
    if not others or len(_rivals(pool)[slot.artifact, slot.leaf]) != 2 or not others <= words.near:
        return False
    return others.isdisjoint(_own_side(written.claim, pool))


def _own_side(claim: Claim, pool: Pool) -> frozenset[str]:
    """The words of a sentence on the side of a number: up to the words of contrast before and behind it."""
    text, start = claim.text[:4000], max(claim.start, 0)
    end = start + len(claim.written)
    begins = max((found.end() for found in _CONTRAST.finditer(text, 0, start)), default=0)
    ends = _CONTRAST.search(text, end)
    return frozenset(pool.label(_LOOSE.sub(" ", text[begins : ends.start() if ends else len(text)])).hits)


@lru_cache(maxsize=8)
def _rivals(pool: Pool) -> dict[tuple[str, frozenset[str]], set[frozenset[str]]]:
    """For each quantity of each artifact the places that it is given for, by their words."""
    found: dict[tuple[str, frozenset[str]], set[frozenset[str]]] = {}
    for slot in pool.slots:
        found.setdefault((slot.artifact, slot.leaf), set()).add(frozenset(slot.words))
    return found


def _evidence(pool: Pool, slot: Slot, words: _Words) -> float:
    """How much the words say for a slot; 0 where they do not even name what was measured."""
    near = slot.words & words.near
    if not near:
        return 0.0
    rarity = pool.rarity.__getitem__
    total = known = 0.0
    for word in slot.leaf:
        rare = pool.rarity[word]
        total += rare
        known += (
            rare if word in words.close else 0.6 * rare if word in near else 0.4 * rare if word in words.far else 0.0
        )
    if total <= 0 or known < 0.3 * total:
        return 0.0
    share = known / total
    return sum(map(rarity, near)) * (0.4 + 0.6 * share) + 0.25 * sum(map(rarity, slot.words & words.far))


def _names_most(pool: Pool, slot: Slot, words: _Words) -> bool:
    """Whether the words around a number say more than half of the labels of a place, not one of them.

    A round percentage meets a fraction in every run: that one of its keys occurs in the sentence is no reason.
    """
    rarity = pool.rarity
    value = slot.values[0]
    labels = {word for label in value.labels for word in split_words(label) if word in rarity}
    if "/" in value.selector:  # of a nested place its keys, not the names that stand beside them
        labels &= slot.hard - set(split_words(value.path)) | slot.leaf
    named = labels & (words.near | words.far)
    return 2 * sum(map(rarity.__getitem__, named)) > sum(map(rarity.__getitem__, labels))


def _surprising(written: Written, pool: Pool, words: _Words, best: float) -> bool:
    """Whether an agreement is surprising among the values that share as many words."""
    width = max(written.high - written.low, 0.0)
    middle = abs(written.high + written.low) / 2
    if written.number.exact:
        width = max(width, 1.0)
    share = min(width / max(middle, 5 * width), 1.0) if width else 0.0
    if written.telling <= 0.15:
        share = max(share, 0.25)  # 0, 1 and 100 are where many measures end
    share *= len(written.windows())
    allowed = _BUDGET * (2 if best > 1.5 else 1) / max(share, 1e-6)
    numbers: set[object] = set()
    least = _NEAR * best
    far = 0.25 * sum(map(pool.rarity.__getitem__, words.far))
    for index in pool.slots_sharing(words.near, least - far):
        slot = pool.slots[index]
        if _evidence(pool, slot, words) >= least:
            numbers |= slot.numbers
            if len(numbers) >= allowed:
                return False
    return True


def _alternatives(written: Written, scored: Sequence[tuple[float, Slot, Hit]], rule: str) -> list[Link]:
    """The best, and with it the places that say the same under words about as good; data files before logs."""
    best, first, hit = scored[0]
    telling = written.telling >= 0.8
    kept: list[tuple[bool, Hit]] = []
    for score, slot, other in scored:
        twin = slot.single and other.value.number == hit.value.number and score >= 0.5 * best
        printed = slot.single and first.data and not slot.data and telling
        if score >= best - 1e-6 or (slot.single and score >= 0.9 * best) or twin or printed:
            kept.append((slot.data, other))
    return links_of_hits(written, kept, rule, Tier.LABELS)


# -------------------------------------------------------------------------------------------------- other evidence


def link_restated(written: Written, cells: Sequence[Restated]) -> list[Link]:
    """Link a sentence's number to what the table cell it restates was linked to."""
    words = frozenset(split_words(written.claim.text)) | frozenset(split_words(" ".join(written.claim.section)))
    close = frozenset(split_words(clause_of(written.claim)))
    scored = [(score, index) for index, other in enumerate(cells) if (score := _restates(written, other, words, close))]
    best = max((score for score, _ in scored), default=0.0)
    return _as_cells(written, [cells[index] for score, index in scored if score > best - 1e-6])


def _as_cells(written: Written, cells: Sequence[Restated], tier: Tier | None = None) -> list[Link]:
    """Link a number to what cells are linked to."""
    links: dict[tuple[str, ...], Link] = {}
    for other in cells:
        cell = other.cell.claim
        note = f"restates table {cell.table}" + (f" of {cell.path}" if cell.path != written.claim.path else "")
        for link in other.links:
            made = make_link(written.claim, (), tier or link.tier, "5.8 restates", note=note, operands=link.operands)
            made = _with_relation(made, link, same=other.cell.number.value == written.number.value)
            links.setdefault(made.operands, made)
    return list(links.values())[:MAX_LINKS]


def link_same_digits(written: Written, cells: Sequence[Restated]) -> list[Link]:
    """Link a sentence's number to the cell of its own manuscript that says the same in so many digits that no words are needed.

    The sentence may call by an aggregate (``the mean number of comparisons``) what the table has under other labels. But
    where its words name another row or column of the table, that one is meant.
    """
    if written.bare < _UNMISTAKABLE or written.number.modifier:
        return []
    own = [other for other in cells if other.cell.claim.path == written.claim.path]
    same = [other for other in own if _is_written_alike(written, other.cell)]
    if not same or not set.intersection(*({link.operands for link in other.links} for other in same)):
        return []
    claim = written.claim
    close = frozenset(split_words(clause_of(claim)))
    before = claim.text[: max(claim.start, 0)][-40:]
    if not _FROM.search(before):  # what stands before "from" names what it became, not what it was
        beside = [other for other in own if other.cell.claim.table in {one.cell.claim.table for one in same}]
        for label in (_ROW, _HEADER):
            named = {label(other) for other in beside if label(other) and label(other) <= close}
            if named and not any(label(other) in named for other in same):
                return []
    return _as_cells(written, same, Tier.LONE)


def _is_written_alike(written: Written, cell: Written) -> bool:
    mine, theirs = written.number, cell.number
    alike = (mine.value, mine.decimals, mine.unit) == (theirs.value, theirs.decimals, theirs.unit)
    return alike and written.percent == cell.percent


def _restates(written: Written, other: Restated, words: frozenset[str], close: frozenset[str]) -> float:
    """How well a sentence names the row and the column of a cell that says the same; 0 where it restates another."""
    if other.cell.number.value != written.number.value and not _covers(written, other.cell):
        return 0.0
    elsewhere = other.cell.claim.path != written.claim.path
    row, header = _share(other.row, words), _share(other.header, words)
    near_row, near_header = _share(other.row, close), _share(other.header, close)
    if elsewhere:
        named = row == header == 1.0  # another manuscript of the study: every word of both labels
    elif written.number.exact and other.cell.number.decimals:
        named = max(row, header) == 1.0 and min(row, header) > 0  # rounded off
    elif written.number.modifier:
        named = near_row == 1.0 and header > 0  # "about 30" says little by its digits
    else:
        named = (row >= 0.5 and header >= 0.5) or (written.telling >= 0.8 and row + header >= 0.5)
    return row + header + 0.5 * near_header + 0.25 * near_row - 0.1 * elsewhere if named else 0.0


def _with_relation(made: Link, link: Link, *, same: bool) -> Link:
    return structs.replace(made, relation=link.relation if same else Relation.ROUNDED, scale=link.scale)


def _covers(written: Written, cell: Written) -> bool:
    if (written.telling < 0.5 and not written.number.modifier) or (cell.number.percent and not written.number.percent):
        return False
    scale = 100 if written.number.percent and not cell.percent else 1
    middle, slack = scale * (cell.low + cell.high) / 2, 1e-9 * abs(written.high)
    if (
        written.number.exact
        and cell.number.decimals
        and not cell.percent
        and abs(written.number.value) >= _THREE_DIGITS
    ):
        # "381" for the 380.5 of a table: what is measured with decimals is no count where it is rounded off.
        return abs(cell.number.value - written.number.value) <= Decimal("0.5")
    if not written.low - slack <= middle <= written.high + slack:
        return False
    return written.number.contains(cell.number.value, scale=scale)


def _share(label: frozenset[str], words: frozenset[str]) -> float:
    return len(label & words) / len(label) if label else 0.0


def link_alone(written: Written, pool: Pool) -> list[Link]:
    """Link a number by its value alone, where that is surprising enough."""
    if written.number.exact or written.number.significant < _TELLING or written.number.modifier:
        return []
    expected = sum(pool.expected_between(low, high) for low, high in written.exact_windows())
    if expected >= _BUDGET_ALONE:
        return []
    agreeing = _agreeing(written, pool)
    if written.bare < _TELLING:
        agreeing = {slot: hits for slot, hits in agreeing.items() if _is_verbatim(written, hits[-1])}
    if written.claim.table is None:
        subjects = _subjects(written.claim, pool)
        agreeing = {slot: hits for slot, hits in agreeing.items() if not _is_of_another(pool, slot, subjects)}
    if not agreeing or len({hit.value.number for hits in agreeing.values() for hit in hits}) > 3:
        return []
    scored = sorted(((0.0, slot, hits[-1]) for slot, hits in agreeing.items()), key=_order)
    return links_of_hits(written, [(slot.data, hit) for _, slot, hit in scored], "5.9 lone", Tier.LONE)


def _is_verbatim(written: Written, hit: Hit) -> bool:
    """Whether a value stands there digit by digit as written, zeros at the end included: then these say something too."""
    number = written.number
    same = hit.kind == "verbatim" and hit.scale == 1 and number.decimals >= 2 and written.bare >= 2
    return (
        same and number.significant >= _TELLING and hit.value.lexical.strip().lstrip("+") == number.written.lstrip("+")
    )


# What stands on the other side of these words is said of something else.
_CONTRAST = re.compile(
    r"[;:]|\.\s|\b(?:vs|versus|against|compared|than|while|whereas|unlike|over|relative to|in contrast|instead of)\b"
)


def _subjects(claim: Claim, pool: Pool) -> tuple[frozenset[str], ...]:
    """The words that may say whose a number is: what follows it and leads to it, then what leads to each number before it.

    Goes back no further than to a word of contrast: "A (0.5) against B (0.7)" says nothing of A behind ``against``.
    """
    text, start = claim.text[:4000], claim.start
    if start < 0:
        return (frozenset(pool.label(_LOOSE.sub(" ", text)).hits),)
    end = start + len(claim.written)
    after = _AFTER.search(text, end)
    contrast = max((found.end() for found in _CONTRAST.finditer(text, 0, start)), default=0)
    pieces = _LOOSE.split(text[contrast:start])
    pieces[-1] += " " + text[end : after.start() if after else end + 60]
    return tuple(frozenset(pool.label(piece).hits) for piece in reversed(pieces))


_AFTER = re.compile(r"[,;()]|\.\s|\d|\b(?:and|while|whereas|compared|versus|vs|against|than|but)\b")


def _is_of_another(pool: Pool, slot: Slot, subjects: Sequence[frozenset[str]]) -> bool:
    """Whether a sentence says that a number is of another place of the same kind (a method, a data set), and not of this."""
    shared, own = _siblings(pool)[slot.artifact, slot.leaf]
    for words in subjects:
        named = {word for word in (own - shared) & words if not word.isdigit()}
        if named:
            return named.isdisjoint(slot.words)
    return False


@lru_cache(maxsize=8)
def _siblings(pool: Pool) -> dict[tuple[str, frozenset[str]], tuple[frozenset[str], frozenset[str]]]:
    """For each quantity of each artifact: the words that all its places share, and those that any of them has."""
    found: dict[tuple[str, frozenset[str]], tuple[frozenset[str], frozenset[str]]] = {}
    for slot in pool.slots:
        key, words = (slot.artifact, slot.leaf), frozenset(slot.words)
        shared, own = found.get(key, (words, words))
        found[key] = (shared & words, own | words)
    return found
