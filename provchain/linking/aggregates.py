"""Means, medians, extremes and deviations of repetitions, computed (rule 5.5 of docs/reference/matching.md).

The labels of a cell, or the words of a sentence, must name one group of repetitions in full; of its values none is left out.
What the manuscript calls a mean is compared with the mean only. Where it says nothing, a number that is exactly one of
mean, median, highest and lowest links with a note. No set of values is searched for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from msgspec import structs

from provchain.linking.pool import Pool
from provchain.linking.repeats import REPEATS, Repeats, in_copies, names_repetition
from provchain.linking.spread import rounds_to
from provchain.linking.units import without_unit
from provchain.linking.words import split_words
from provchain.linking.written import MAX_LINKS, PRINTED_TOO, Written, clause_of, make_link
from provchain.model import Claim, Link, Relation, Tier

__all__ = ["NAMED_QUANTITY", "link_aggregate", "without_picked"]

RULE = "5.5 aggregate"
_BUDGET = 0.05  # numbers that would agree by chance, of all that the words allow
_BUDGET_SILENT = 0.02  # the same where nothing says that the number is a mean of anything
_RANGE = Decimal("0.2")  # of a mean: within that, numbers that were made up would lie
_MOST_GROUPS = 200  # that one claim's labels may name before they name none

NAMED_QUANTITY = (
    r"(?!\s+(?:absolute|squared?|averaged?|reciprocal|per\s?cent(?:age)?|opinion|intersection|iou|precision|rank|log|bias"
    r"|signed|relative|errors?|field|normali[sz]ed)\b)"
)
"""What does not follow a word that means an aggregate, in a regular expression: "mean absolute error" names a quantity."""

_KINDS = {
    "mean": rf"(?:means?|averag(?:e[ds]?|ing)|avg){NAMED_QUANTITY}",
    "median": r"medians?",
    "highest": r"max(?:imum|imal)?|highest|best|largest|worst|peak",
    "lowest": r"min(?:imum|imal)?|lowest|best|smallest|worst",
    "deviation": r"std\.?\s?dev(?:iations?)?|standard deviations?|std|stdev|sd|s\.d",
}
_SAYS = {kind: re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE) for kind, words in _KINDS.items()}
_SILENT = ("mean", "median", "highest", "lowest")
_COUNTS = "two three four five six seven eight nine ten".split()  # noqa: SIM905
_COUNT = re.compile(
    rf"(?<![\w.])(\d{{1,4}}|{'|'.join(_COUNTS)})[\s-]+(?:(?!and\b|of\b)[a-z]+[\s-]+){{0,2}}(?:{REPEATS})s?\b"
    rf"|\bn\s*=\s*(\d{{1,4}})",
    re.IGNORECASE,
)
_OF_REPEATS = re.compile(rf"(?<![A-Za-z])(?:{REPEATS})s?(?![A-Za-z])|cross-?\s?validat", re.IGNORECASE)
# What a header says about how its numbers were made from repetitions, not about what was measured.
_HOW = re.compile(
    rf"(?<![\w-])(?:{'|'.join(_KINDS.values())})(?![\w-])\.?|±|\+/-|\\pm\b|(?<!\w)[(\[]?\bn\s*=\s*\d+[)\]]?"
    rf"|(?:\b(?:over|across|of|from|for|all|the)\b\s*)*(?<![\w.])(?:\d{{1,4}}|{'|'.join(_COUNTS)})?[\s-]*"
    rf"(?:random|independent|different)?\s*\b(?:{REPEATS})s?\b|\bcross-?\s?validat\w+|(?<!\w)cv\b",
    re.IGNORECASE,
)
_STANDARD_ERROR = re.compile(r"\bstandard errors?\b|\bs\.?e\.?m\b", re.IGNORECASE)


class _Said(NamedTuple):
    """What a manuscript says about how a number was made: from what, and from how many (0: it does not say)."""

    kinds: frozenset[str]
    number: int
    repeats: bool


class _Fit(NamedTuple):
    """An aggregate of a group that agrees."""

    group: Repeats
    kind: str
    scale: int


def link_aggregate(written: Written, pool: Pool) -> list[Link]:
    """Link a number to the repetitions that it is the mean, median, highest, lowest or deviation of.

    Args:
        written: The number, in a table or in a sentence; of ``m ± s`` both have to come out.
        pool: The values.

    Returns:
        The link with all repetitions as operands; several where copies of them stand in several places. None where the
        labels allow groups that say different things, or so many that one of them would agree by chance.
    """
    if written.number.exact and abs(written.number.value) < 10:
        return []
    said = _said_of(written.claim)
    if written.number.uncertainty is not None:
        said = said._replace(kinds=frozenset(["mean"]))
    named, in_full = _named(written, pool, said)
    if not named or len(named) > _MOST_GROUPS:
        return []
    kinds = sorted(said.kinds) or list(_SILENT)
    if not said.kinds and not in_full:
        return []
    fits = [fit for group in named for kind in kinds for fit in _fits(written, group, kind)]
    if not fits or len(in_copies(fit.group for fit in fits)) > 1:
        return []
    families = in_copies(named)
    sure = bool(said.kinds) and in_full and len(families) == 1 and written.number.significant >= 2
    if not sure and _chance(written, families, kinds) > (_BUDGET if said.kinds else _BUDGET_SILENT):
        return []
    return _links(written, fits, said)


def without_picked(links: Sequence[Link], written: Written, pool: Pool) -> Sequence[Link]:
    """Replace links to one repetition, where the manuscript says that the number is made of all of them.

    Args:
        links: The links that were found.
        written: The number.
        pool: The values.

    Returns:
        The link to all repetitions, if that comes out; else the links, without those that take one of them for the mean.
    """
    if not links or not all(link.agrees and len(link.operands) == 1 for link in links):
        return links
    claim = written.claim
    said = _said_of(claim)
    if claim.table is None:
        said = said._replace(kinds=_kinds_in(_clause_of(claim)))
    if not said.kinds or _names_one(claim):
        return links
    picked = [link for link in links if _is_picked(link, pool, said)]
    if not picked:
        return links
    found = link_aggregate(written, pool)
    if found or not said.kinds <= {"mean", "median"}:
        return found or links
    return [link for link in links if link not in picked]


def _names_one(claim: Claim) -> bool:
    """Whether a claim is about one repetition: ``seed 3`` in its sentence, or a row or column of the table."""
    labels = (claim.row or "", claim.header or "") if claim.table is not None else (claim.text,)
    return any(label.strip().isdigit() or names_repetition(label) for label in labels)


def _is_picked(link: Link, pool: Pool, said: _Said) -> bool:
    group = pool.repeats_of.get(link.operands[0])
    if group is None or not _can_repeat(group, said):
        return False
    return len(set(group.numbers)) > 1 and said.kinds.isdisjoint(group.words)


def _links(written: Written, fits: Sequence[_Fit], said: _Said) -> list[Link]:
    by_group: dict[tuple[str, ...], list[_Fit]] = {}
    data = any(fit.group.data for fit in fits)
    for fit in sorted(fits, key=lambda fit: not fit.group.data):
        by_group.setdefault(tuple(value.id for value in fit.group.values), []).append(fit)
    links = []
    for ids, found in by_group.items():
        count, name = len(ids), found[0].group.name
        of = f"{count} {name}s"
        note = f"{' and '.join(dict.fromkeys(fit.kind for fit in found))} of {of}"
        if not said.kinds:
            also = "they are the same" if len(found) > 1 else "none of the other aggregates is"
            note = f"equals the {note}, which the manuscript does not say; {also}"
        if said.number and said.number != count:
            note += f"; the manuscript says {said.number}"
        if data and not found[0].group.data:
            note = PRINTED_TOO
        link = make_link(written.claim, (), Tier.LABELS, RULE, note=note, operands=ids)
        links.append(structs.replace(link, relation=Relation.AGGREGATED, scale=found[0].scale))
    return links[:MAX_LINKS]


# ------------------------------------------------------------------------------------------------ what is asked for


def _said_of(claim: Claim) -> _Said:
    """What the words at a number say, the nearest first."""
    if claim.table is not None:
        row = claim.row or ""
        near: tuple[str, ...] = (claim.header or "", row if not split_words(_HOW.sub(" ", row)) else "")
        texts = (" ".join(near), claim.caption or "", *claim.section[-1:])
    else:
        texts = (_clause_of(claim), claim.text, *claim.section[-1:])
    kinds = next(filter(None, map(_kinds_in, texts)), frozenset())
    counted = next(filter(None, map(_COUNT.search, texts)), None)
    number = _count_of(counted[1] or counted[2]) if counted is not None else 0
    return _Said(kinds, number, number > 0 or any(map(_OF_REPEATS.search, texts)))


def _clause_of(claim: Claim) -> str:
    """The words at a number, of which how many repetitions there are ends none ("the best of 3 runs has")."""
    text = _COUNT.sub(lambda found: "".join("n" if mark.isdigit() else mark for mark in found[0]), claim.text[:4000])
    return clause_of(structs.replace(claim, text=text))


@lru_cache(maxsize=4096)
def _kinds_in(text: str) -> frozenset[str]:
    text = without_unit(text[:2000])
    found = {kind for kind, says in _SAYS.items() if says.search(text)}
    # "mean ± std" is a mean; a deviation is asked for only where nothing else is.
    return frozenset(found - {"deviation"} if "mean" in found or "±" in text else found) or (
        frozenset(["mean"]) if "±" in text else frozenset()
    )


def _count_of(text: str) -> int:
    return int(text) if text.isdigit() else _COUNTS.index(text.lower()) + 2


# ------------------------------------------------------------------------------------------------- what is named


def _named(written: Written, pool: Pool, said: _Said) -> tuple[list[Repeats], bool]:
    """The groups that the words name, and whether they say all that the labels of the groups say."""
    claim = written.claim
    return _named_by_labels(claim, pool, said) if claim.table is not None else _named_by_words(claim, pool, said)


def _can_repeat(group: Repeats, said: _Said) -> bool:
    """A list of numbers is one of repetitions only where the manuscript says so, and how many."""
    return not group.plain or (bool(said.kinds) and said.repeats and said.number in (0, len(group.values)))


def _named_by_labels(claim: Claim, pool: Pool, said: _Said) -> tuple[list[Repeats], bool]:
    header, row = claim.header or "", claim.row or ""
    for text in (row, _HOW.sub(" ", row)):
        found = _with_labels(text, header, claim, pool, said)
        if found:
            return found, True
    if not any(pool.label(row).weights):
        # Nothing on record is called like the row: what the column names in full may be all there is.
        found = _with_labels("", header, claim, pool, said)
        return (found, False) if len(in_copies(found)) == 1 else ([], False)
    return [], False


def _with_labels(row: str, header: str, claim: Claim, pool: Pool, said: _Said) -> list[Repeats]:
    """The groups that a row and a column label name in full; a label without words leaves it to the other."""
    bare = _HOW.sub(" ", header)
    columns = [_in_full(text, pool) for text in dict.fromkeys((header, bare)) if split_words(text)]
    named = set().union(*columns)
    if split_words(row):
        rows = _in_full(row, pool)
        named = named & rows if columns else rows
    around: frozenset[str] | None = None
    if not split_words(bare):  # "mean ± std": what was measured stands above the table, or names the row
        around = frozenset(pool.label(" ".join((claim.row or "", claim.caption or "", *claim.section))).hits)
        named = named | _in_full(row, pool) if split_words(row) else named
    return [
        group
        for slot in sorted(named & pool.repeats_at.keys())
        for group in pool.repeats_at[slot]
        if _can_repeat(group, said) and (around is None or (group.leaf and group.leaf <= around))
    ]


def _in_full(text: str, pool: Pool) -> set[int]:
    return {slot for slot, (share, _) in pool.coverage_of(text).items() if share > 0.99}


def _named_by_words(claim: Claim, pool: Pool, said: _Said) -> tuple[list[Repeats], bool]:
    """The groups of which a sentence says all that sets them apart from others of the same measurement."""
    near = frozenset(pool.label(_LOOSE.sub(" ", claim.text[:4000])).hits)
    words = near | frozenset(pool.label(" ".join(claim.section)).hits)
    found = [
        usable
        for word in sorted(near & pool.repeats_by_leaf.keys())
        for leaf, families in pool.repeats_by_leaf[word]
        if leaf <= near
        for family in families
        if family.apart <= words and (usable := [group for group in family.copies if _can_repeat(group, said)])
    ]
    return [group for family in found for group in family], len(found) == 1


_LOOSE = re.compile(r"(?<![\w@.-])[-+]?\d[\d.,]*%?")


# ------------------------------------------------------------------------------------------------- what comes out


def _fits(written: Written, group: Repeats, kind: str) -> Iterator[_Fit]:
    numbers = [value.number for value in group.values]
    spread = written.number.uncertainty
    scales = (1, 100) if _may_be_percent(written, group) else (1,)
    for name, result in _results(kind, numbers):
        for scale in scales:
            if not written.number.contains(result, scale=scale):
                continue
            if spread is None:
                yield _Fit(group, name, scale)
                return
            for other, deviation in _deviations(numbers, written.claim):
                if deviation and rounds_to(deviation * scale, spread):
                    yield _Fit(group, f"{name} and {other}", scale)
                    return


def _may_be_percent(written: Written, group: Repeats) -> bool:
    return written.percent or (written.rate and all(0 <= value.number <= 1 for value in group.values))


def _results(kind: str, numbers: Sequence[Decimal]) -> Iterator[tuple[str, Decimal]]:
    if kind == "mean":
        yield kind, sum(numbers, Decimal(0)) / len(numbers)
    elif kind == "median":
        ordered, middle = sorted(numbers), len(numbers) // 2
        yield kind, ordered[middle] if len(numbers) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
    elif kind == "deviation":
        yield from _spreads(numbers)
    else:
        yield kind, max(numbers) if kind == "highest" else min(numbers)


def _spreads(numbers: Sequence[Decimal]) -> Iterator[tuple[str, Decimal]]:
    count = len(numbers)
    mean = sum(numbers, Decimal(0)) / count
    squares = sum(((number - mean) ** 2 for number in numbers), Decimal(0))
    for name, divisor in (("sample", count - 1), ("population", count)):
        yield f"{name} deviation", (squares / divisor).sqrt()


def _deviations(numbers: Sequence[Decimal], claim: Claim) -> Iterator[tuple[str, Decimal]]:
    """What may stand behind ``±``: a deviation, or its standard error where the manuscript calls it that."""
    around = " ".join((claim.header or "", claim.caption or "", claim.text if claim.table is None else ""))
    if _STANDARD_ERROR.search(around):
        sample = next(_spreads(numbers))[1]
        yield "standard error", sample / Decimal(len(numbers)).sqrt()
    else:
        yield from _spreads(numbers)


def _chance(written: Written, families: Sequence[Sequence[Repeats]], kinds: Sequence[str]) -> float:
    """How many of the aggregates that the words allow a made-up number of that size would equal."""
    width = Decimal(1) if written.number.exact else written.number.high - written.number.low
    expected = 0.0
    for group, *_ in families:
        numbers = group.numbers
        scale = 100 if _may_be_percent(written, group) and abs(written.number.value) > numbers[-1] * 10 else 1
        mean = abs(sum(numbers, Decimal(0)) / len(numbers))
        around = max(numbers[-1] - numbers[0], _RANGE * mean) * scale
        expected += len(kinds) * min(1.0, float(width / around)) if around else 1.0
    return expected * (0.05 if written.number.uncertainty is not None else 1.0)
