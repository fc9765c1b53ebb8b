"""Means, medians, extremes and deviations of repetitions, computed (rule 5.5 of docs/reference/matching.md).

The labels of a cell, or the words of a sentence, must name one group of repetitions in full; of its values none is left out.
What the manuscript calls a mean is compared with the mean only, and so is what it only says to be over so many repetitions.
Where it says nothing, a number that is exactly one of mean, median, highest and lowest links with a note. No set of values is
searched for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache
from typing import NamedTuple

from msgspec import structs

from provchain.linking.counts import COUNT_WORDS, HOW_MANY, Counts, read_count
from provchain.linking.pool import Pool
from provchain.linking.repeats import REPEATS, Repeats, in_copies, names_repetition
from provchain.linking.spread import rounds_to
from provchain.linking.units import without_unit
from provchain.linking.words import split_words
from provchain.linking.written import MAX_LINKS, PRINTED_TOO, Written, clause_of, make_link
from provchain.model import Claim, Link, Relation, Tier

__all__ = [
    "NAMED_QUANTITY",
    "RULE",
    "Aggregate",
    "aggregates_behind",
    "bare_kinds",
    "group_named",
    "link_aggregate",
    "names_measure",
    "results_of",
    "shown",
    "without_picked",
]

RULE = "5.5 aggregate"
"""The rule of these links."""
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
    "deviation": r"st(?:an)?d?\.?\s?dev(?:s|iations?)?|standard deviations?|std|stdev|stddev|sd|s\.\s?d",
}
_SAYS = {kind: re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE) for kind, words in _KINDS.items()}
_SILENT = ("mean", "median", "highest", "lowest")
_OF_REPEATS = re.compile(rf"(?<![A-Za-z])(?:{REPEATS})s?(?![A-Za-z])|cross-?\s?validat", re.IGNORECASE)
# What a header says about how its numbers were made from repetitions, not about what was measured.
_HOW = re.compile(
    rf"(?<![\w-])(?:{'|'.join(_KINDS.values())})(?![\w-])\.?|±|\+/-|\\pm\b|(?<!\w)[(\[]?\bn\s*=\s*\d+[)\]]?"
    rf"|(?:\b(?:over|across|of|from|for|all|the)\b\s*)*(?<![\w.])(?:\d{{1,4}}|{'|'.join(COUNT_WORDS)})?[\s-]*"
    rf"(?:random|independent|different)?\s*\b(?:{REPEATS})s?\b|\bcross-?\s?validat\w+|(?<!\w)cv\b",
    re.IGNORECASE,
)
_STANDARD_ERROR = re.compile(r"\bstandard errors?\b|\bs\.?e\.?m\b", re.IGNORECASE)


class _Said(NamedTuple):
    """What a manuscript says about how a number was made: from what, and from how many (0: it does not say).

    ``near`` holds the counts of its section and of the method as well, with what is repeated; ``anywhere`` those of the
    whole manuscript.
    """

    kinds: frozenset[str]
    number: int
    repeats: bool
    near: Mapping[int, str]
    anywhere: Mapping[int, str]


class Aggregate(NamedTuple):
    """An aggregate of a group that agrees.

    Attributes:
        group: The repetitions.
        kind: Which aggregate: ``mean``, or ``mean and sample deviation``.
        scale: What it was multiplied with.
        results: What it comes to, without the scale; for ``m ± s`` both.
    """

    group: Repeats
    kind: str
    scale: int
    results: tuple[Decimal, ...]


def link_aggregate(written: Written, pool: Pool, counts: Counts) -> list[Link]:
    """Link a number to the repetitions that it is the mean, median, highest, lowest or deviation of.

    Args:
        written: The number, in a table or in a sentence; of ``m ± s`` both have to come out.
        pool: The values.
        counts: How many repetitions the manuscripts speak of.

    Returns:
        The link with all repetitions as operands; several where copies of them stand in several places. None where the
        labels allow groups that say different things, or so many that one of them would agree by chance.
    """
    fits, said = _behind(written, pool, counts)
    return _links(written, fits, said)


def aggregates_behind(written: Written, pool: Pool, counts: Counts) -> list[Aggregate]:
    """The aggregates that `link_aggregate` makes links of."""
    return _behind(written, pool, counts)[0]


def group_named(written: Written, pool: Pool, counts: Counts) -> tuple[Repeats | None, frozenset[str]]:
    """The one group of repetitions that the labels of a cell name in full, and which aggregates of it they can mean.

    Args:
        written: The number of a cell.
        pool: The values.
        counts: How many repetitions the manuscripts speak of.

    Returns:
        The group, ``None`` where they name none or several with different numbers; the kinds, none where nothing says so.
        The manuscript's name for what is repeated goes into a group that is a plain list.
    """
    said = _said_of(written.claim, counts)
    if written.number.uncertainty is not None:
        said = said._replace(kinds=frozenset(["mean"]))
    named, in_full = _named(written, pool, said)
    families = in_copies(named) if in_full and len(named) <= _MOST_GROUPS else []
    if len(families) != 1:
        return None, said.kinds
    group = families[0][0]
    implied = frozenset(["mean"]) if len(group.values) in said.near else frozenset()
    return group._replace(name=group.name_by({**said.anywhere, **said.near})), said.kinds or implied


def _behind(written: Written, pool: Pool, counts: Counts) -> tuple[list[Aggregate], _Said]:
    """The aggregates that agree, and what the manuscript says of them."""
    said = _said_of(written.claim, counts)
    if written.number.exact and abs(written.number.value) < 10:
        return [], said
    if written.number.uncertainty is not None:
        said = said._replace(kinds=frozenset(["mean"]))
    named, in_full = _named(written, pool, said)
    if not named or len(named) > _MOST_GROUPS or not (said.kinds or in_full):
        return [], said
    sure = in_full and written.number.significant >= 2
    if said.kinds:
        return _fitting(written, named, sorted(said.kinds), _BUDGET, sure=sure), said
    over = [group for group in named if len(group.values) in said.near]
    fits = _fitting(written, over, ["mean"], _BUDGET_SILENT, sure=sure and written.claim.table is not None)
    if fits:
        return fits, said._replace(kinds=frozenset(["mean"]))
    return _fitting(written, [group for group in named if not group.plain], _SILENT, _BUDGET_SILENT, sure=False), said


def _fitting(
    written: Written, named: Sequence[Repeats], kinds: Sequence[str], budget: float, *, sure: bool
) -> list[Aggregate]:
    """Those of the named groups' aggregates that agree, if they say one thing and not by chance."""
    fits = [fit for group in named for kind in kinds for fit in _fits(written, group, kind)]
    if not fits or len(in_copies(fit.group for fit in fits)) > 1:
        return []
    families = in_copies(named)
    return fits if (sure and len(families) == 1) or _chance(written, families, kinds) <= budget else []


def without_picked(links: Sequence[Link], written: Written, pool: Pool, counts: Counts) -> Sequence[Link]:
    """Replace links to one repetition, where the manuscript says that the number is made of all of them.

    Args:
        links: The links that were found.
        written: The number.
        pool: The values.
        counts: How many repetitions the manuscripts speak of.

    Returns:
        The link to all repetitions, if that comes out; else the links, without those that take one of them for the mean.
    """
    if not links or not all(link.agrees and len(link.operands) == 1 for link in links):
        return links
    claim = written.claim
    said = _said_of(claim, counts)
    if claim.table is None:
        said = said._replace(kinds=_kinds_in(_clause_of(claim)))
    if not said.kinds or _names_one(claim):
        return links
    picked = [link for link in links if _is_picked(link, pool, said)]
    if not picked:
        return links
    found = link_aggregate(written, pool, counts)
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


def _links(written: Written, fits: Sequence[Aggregate], said: _Said) -> list[Link]:
    by_group: dict[tuple[str, ...], list[Aggregate]] = {}
    data = any(fit.group.data for fit in fits)
    for fit in sorted(fits, key=lambda fit: not fit.group.data):
        by_group.setdefault(tuple(value.id for value in fit.group.values), []).append(fit)
    links = []
    for ids, found in by_group.items():
        count = len(ids)
        name = found[0].group.name_by({**said.anywhere, **said.near})
        what = f"{' and '.join(dict.fromkeys(fit.kind for fit in found))} of {count} {name}s"
        digits = written.number.last_place - 2
        results = " and ".join(shown(result * found[0].scale, digits) for result in found[0].results)
        note = f"{what}: {results}"
        if not said.kinds:
            also = "they are the same" if len(found) > 1 else "none of the other aggregates is"
            note = f"equals the {what} ({results}), which the manuscript does not say; {also}"
        if said.number and said.number != count:
            note += f"; the manuscript says {said.number}"
        if data and not found[0].group.data:
            note = PRINTED_TOO
        link = make_link(written.claim, (), Tier.LABELS, RULE, note=note, operands=ids)
        links.append(structs.replace(link, relation=Relation.AGGREGATED, scale=found[0].scale))
    return links[:MAX_LINKS]


def shown(result: Decimal, place: int) -> str:
    """Write a result rounded to a decimal place.

    Example:
        >>> shown(Decimal("0.790633"), -5), shown(Decimal("1234.5"), 1)
        ('0.79063', '1235')
    """
    try:
        return f"{result.quantize(Decimal(1).scaleb(min(place, 0)), ROUND_HALF_UP):f}"
    except InvalidOperation:  # more digits than a number can have
        return f"{result:.6g}"


# ------------------------------------------------------------------------------------------------ what is asked for


def _said_of(claim: Claim, counts: Counts) -> _Said:
    """What the words at a number say, the nearest first."""
    if claim.table is not None:
        row = claim.row or ""
        near: tuple[str, ...] = (claim.header or "", row if not split_words(_HOW.sub(" ", row)) else "")
        texts = (" ".join(near), claim.caption or "", *claim.section[-1:])
    else:
        texts = (_clause_of(claim), claim.text, *claim.section[-1:])
    kinds = next(filter(None, map(_kinds_in, texts)), frozenset())
    counted = next(filter(None, map(HOW_MANY.search, texts)), None)
    number = read_count(counted) if counted is not None else 0
    around: Mapping[int, str] = {number: (counted["what"] or "").lower()} if counted is not None else counts.near(claim)
    return _Said(kinds, number, number > 0 or any(map(_OF_REPEATS.search, texts)), around, counts.anywhere(claim))


def _clause_of(claim: Claim) -> str:
    """The words at a number, of which how many repetitions there are ends none ("the best of 3 runs has")."""
    text = HOW_MANY.sub(lambda found: "".join("n" if mark.isdigit() else mark for mark in found[0]), claim.text[:4000])
    return clause_of(structs.replace(claim, text=text))


@lru_cache(maxsize=4096)
def _kinds_in(text: str) -> frozenset[str]:
    text = without_unit(text[:2000])
    found = {kind for kind, says in _SAYS.items() if says.search(text)}
    # "mean ± std" is a mean; a deviation is asked for only where nothing else is.
    return frozenset(found - {"deviation"} if "mean" in found or "±" in text else found) or (
        frozenset(["mean"]) if "±" in text else frozenset()
    )


def bare_kinds(header: str) -> frozenset[str]:
    """The aggregates that a header names.

    Example:
        >>> sorted(bare_kinds("St. dev.")), sorted(bare_kinds("s.d.")), sorted(bare_kinds("RMSE"))
        (['deviation'], ['deviation'], [])
    """
    return _kinds_in(header)


def names_measure(header: str) -> bool:
    """Whether a header says what was measured, and not only how its numbers were made.

    Example:
        >>> names_measure("RMSE (mean)"), names_measure("mean ± std over 3 seeds"), names_measure("n = 3")
        (True, False, False)
    """
    return bool(split_words(_HOW.sub(" ", header)))


# ------------------------------------------------------------------------------------------------- what is named


def _named(written: Written, pool: Pool, said: _Said) -> tuple[list[Repeats], bool]:
    """The groups that the words name, and whether they say all that the labels of the groups say."""
    claim = written.claim
    return _named_by_labels(claim, pool, said) if claim.table is not None else _named_by_words(claim, pool, said)


def _can_repeat(group: Repeats, said: _Said) -> bool:
    """A list of numbers is one of repetitions only where the manuscript says so, and how many."""
    count = len(group.values)
    if not group.plain or (not said.kinds and count in said.near):
        return True
    told = count == said.number or (not said.number and (said.repeats or count in said.anywhere))
    return bool(said.kinds) and told


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


def _fits(written: Written, group: Repeats, kind: str) -> Iterator[Aggregate]:
    numbers = [value.number for value in group.values]
    spread = written.number.uncertainty
    scales = (1, 100) if _may_be_percent(written, group) else (1,)
    for name, result in results_of(kind, numbers):
        for scale in scales:
            if not written.number.contains(result, scale=scale):
                continue
            if spread is None:
                yield Aggregate(group, name, scale, (result,))
                return
            for other, deviation in _deviations(numbers, written.claim):
                if deviation and rounds_to(deviation * scale, spread):
                    yield Aggregate(group, f"{name} and {other}", scale, (result, deviation))
                    return


def _may_be_percent(written: Written, group: Repeats) -> bool:
    return written.percent or (written.rate and all(0 <= value.number <= 1 for value in group.values))


def results_of(kind: str, numbers: Sequence[Decimal]) -> Iterator[tuple[str, Decimal]]:
    """What one kind of aggregate comes to, with its full name; a deviation in both ways."""
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
