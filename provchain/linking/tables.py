"""Whole tables against the values of a study (rule 5.7 of docs/reference/matching.md).

What a row and a column label single out is found by words; which file a table was made from is found by numbers. Take
the words of a value's place and strike those that the cell's labels explain: what is left is the *rest*. All cells
that were filled from one place leave the same rest, in whatever order its keys are nested, and whether a model is a
key, a file name or a cell. So a table is decided by the rest under which most of its cells agree. Then a cell that
disagrees means something.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import islice
from typing import NamedTuple

from provchain.linking.pool import Pool, Slot
from provchain.linking.units import CONVERSIONS, units_differ
from provchain.linking.words import split_words
from provchain.linking.written import Hit, Written, links_of_hits, make_link
from provchain.model import Link, Tier

__all__ = ["full_places", "link_table"]

RULE = "5.7 table"
_DECIDED = 0.6  # share of the singled-out cells that must agree before one that does not is a contradiction
_CROWDED = 0.5  # values of a slot that a number would meet by chance, from which on it meeting one says nothing
_LEAST_DIFFERING = 4  # cells of a table of which none agrees, from which on a file with its labels contradicts it
_ONE_IN = 10  # cells of such a table of which one may still agree with something
_UNIT_ONLY = 0.011  # by which the labels fit better where a place names the unit as well
_MAX_CANDIDATES = 3_000  # places looked at for one cell

_Rest = frozenset[str]


class _Candidate(NamedTuple):
    """A place that a cell's labels may mean."""

    slot: Slot
    row: float
    column: float
    hits: tuple[Hit, ...]

    @property
    def score(self) -> float:
        return self.row + self.column


class _Choice(NamedTuple):
    """The places that a cell's labels single out under one rest, and whether they agree."""

    candidates: tuple[_Candidate, ...]
    agrees: bool
    single: bool


def link_table(cells: Sequence[Written], pool: Pool) -> dict[str, list[Link]]:
    """Link the numbers of one table, decided together.

    Args:
        cells: The numbers of the table, in its order.
        pool: The values.

    Returns:
        For each claim that could be linked: its links, the best first.
    """
    if not cells or not pool.slots:
        return {}
    choices = [_choices(cell, pool) for cell in cells]
    context = frozenset(split_words(_context(cells[0])))
    best: tuple[float, list[_Rest | None], dict[_Rest, tuple[int, int]]] | None = None
    for lines in (_whole, _by_column, _by_row):
        result = _decide(cells, choices, list(lines(cells)), context)
        if best is None or result[0] > best[0] + 1e-9:
            best = result
    assert best is not None  # noqa: S101  (three arrangements were tried)
    links: dict[str, list[Link]] = {}
    _, rests, tally = best
    _inherit(cells, choices, rests, tally)
    agreeing = sum(agree for agree, _ in tally.values())
    total = agreeing + sum(differ for _, differ in tally.values())
    decided = agreeing >= 3 and agreeing >= _DECIDED * total
    for cell, options, rest in zip(cells, choices, rests, strict=True):
        found = _link_cell(cell, options, rest, tally, decided=decided)
        if found:
            links[cell.claim.id] = found
    for header_known in (False, True):
        _recognise(cells, links, pool, header_known=header_known)
    return {**_wholly_differing(cells, choices), **links} if len(links) <= _by_chance(cells) else links


def _context(cell: Written) -> str:
    claim = cell.claim
    return " ".join((claim.path, claim.caption or "", *claim.section))


# ------------------------------------------------------------------------------------------------- what labels mean


def _choices(cell: Written, pool: Pool) -> dict[_Rest, _Choice]:
    """What the cell's labels single out, under each rest that is left."""
    groups: dict[_Rest, list[_Candidate]] = defaultdict(list)
    for candidate, rest in _candidates(cell, pool):
        groups[rest].append(candidate)
    return {rest: _best_of(group) for rest, group in groups.items()}


def _best_of(group: Sequence[_Candidate]) -> _Choice:
    top = max(candidate.score for candidate in group)
    kept = tuple(candidate for candidate in group if candidate.score > top - 1e-6)
    agreeing = tuple(candidate for candidate in kept if candidate.hits)
    single = all(candidate.slot.single for candidate in kept)
    return _Choice(agreeing or kept, bool(agreeing), single)


def _candidates(cell: Written, pool: Pool) -> Iterator[tuple[_Candidate, _Rest]]:
    rows = pool.coverage_of(cell.claim.row or "")
    columns = pool.coverage_of(cell.claim.header or "")
    if rows and columns:
        small, large = (rows, columns) if len(rows) <= len(columns) else (columns, rows)
        shared: Iterable[int] = (index for index in small if index in large)
    else:
        shared = rows or columns
    for index in islice(shared, _MAX_CANDIDATES):
        row, by_row = rows.get(index, (0.0, frozenset()))
        column, by_column = columns.get(index, (0.0, frozenset()))
        slot = pool.slots[index]
        if not slot.single and not (rows and columns) and cell.claim.row and cell.claim.header:
            continue  # half of the labels is unknown here: a history of values would agree with anything
        if not slot.can_mean(cell.asked) or units_differ(cell.unit, slot.unit):
            continue
        yield _Candidate(slot, row, column, _hits(cell, slot)), slot.hard - by_row - by_column


def _hits(cell: Written, slot: Slot) -> tuple[Hit, ...]:
    """The values of a slot that agree, if the slot does not hold so many that some one would agree anyway.

    The end of a history and its best are what tables report; of the others, each is one more chance.
    """
    hits = tuple(cell.matches(slot.values))
    if slot.single or not hits:
        return hits
    least, most = min(slot.numbers), max(slot.numbers)
    if any(hit.value.number in (least, most, slot.values[-1].number) for hit in hits):
        return hits
    if any(not _counters_of(hit).isdisjoint(cell.asked) for hit in hits):
        return hits
    width = (cell.high - cell.low) / hits[0].scale
    return hits if len(slot.numbers) * width < _CROWDED * float(most - least) else ()


def _counters_of(hit: Hit) -> set[str]:
    return {word for label in hit.value.labels for word in label.split() if word.isdigit()}


# ----------------------------------------------------------------------------------------------- which place it was


def _whole(cells: Sequence[Written]) -> Iterator[list[int]]:
    yield list(range(len(cells)))


def _by_column(cells: Sequence[Written]) -> Iterator[list[int]]:
    yield from _grouped([cell.claim.header or "" for cell in cells])


def _by_row(cells: Sequence[Written]) -> Iterator[list[int]]:
    yield from _grouped([cell.claim.row or "" for cell in cells])


def _grouped(keys: list[str]) -> Iterator[list[int]]:
    groups: dict[str, list[int]] = {}
    for index, key in enumerate(keys):
        groups.setdefault(key, []).append(index)
    yield from groups.values()


def _decide(
    cells: Sequence[Written], choices: list[dict[_Rest, _Choice]], lines: list[list[int]], context: frozenset[str]
) -> tuple[float, list[_Rest | None], dict[_Rest, tuple[int, int]]]:
    """Choose a rest for each line (the whole table, a column, a row), and count how often it agrees."""
    rests: list[_Rest | None] = [None] * len(cells)
    tally: dict[_Rest, tuple[int, int]] = {}
    used: set[_Rest] = set()
    total = 0.0
    for line in lines:
        scores: dict[_Rest, float] = defaultdict(float)
        for index in line:
            for rest, choice in choices[index].items():
                if choice.agrees:
                    weaker = 1.0 if any(hit.exact for one in choice.candidates for hit in one.hits) else 0.5
                    full = max(one.score for one in choice.candidates) / 2
                    scores[rest] += cells[index].telling * weaker * (1.0 if choice.single else 0.7) * (0.5 + 0.5 * full)
                elif choice.single:
                    scores[rest] -= 0.4
        if not scores:
            continue
        rest = max(scores, key=lambda item: (round(scores[item], 6), *_preference(item, choices, line, context)))
        if scores[rest] <= 0:
            continue
        total += scores[rest] - (0.3 if rest not in used else 0.0)
        used.add(rest)
        for index in line:
            rests[index] = rest
            choice_here = choices[index].get(rest)
            if choice_here is not None:
                agree, differ = tally.get(rest, (0, 0))
                tally[rest] = (agree + choice_here.agrees, differ + (not choice_here.agrees and choice_here.single))
    return total, rests, tally


def _inherit(
    cells: Sequence[Written],
    choices: Sequence[dict[_Rest, _Choice]],
    rests: list[_Rest | None],
    tally: dict[_Rest, tuple[int, int]],
) -> None:
    """Give cells of lines that agree nowhere the rest that decides the others, where their labels fit one place of it.

    A column of which nothing agrees costs less under no rest at all, but that a file has the column and says something
    else is no reason to look away. The decided cells must outnumber those that inherit two to one.
    """
    decided = [rest for rest, (agree, differ) in tally.items() if agree >= 3 and agree >= 2 * differ]
    for rest in sorted(decided, key=lambda rest: (-tally[rest][0], sorted(rest)))[:1]:
        heirs = [
            index
            for index, options in enumerate(choices)
            if rests[index] is None and rest in options and _is_opposing(cells[index], options[rest])
        ]
        if 2 * len(heirs) <= tally[rest][0]:
            for index in heirs:
                rests[index] = rest


def _is_opposing(cell: Written, choice: _Choice) -> bool:
    """Its labels fit one place in full, and that says one number, another one."""
    best = choice.candidates[0]
    fits = len(choice.candidates) == 1 and best.slot.single and min(best.row, best.column) > 0.99
    if not fits or choice.agrees or _is_scaled(cell, best.slot.values[0].number):
        return False
    return cell.unit in ("", "%", best.slot.unit) or not _is_of_another_unit(cell, best.slot.values[0].number)


def _is_scaled(cell: Written, there: Decimal) -> bool:
    """Whether a number is a fraction of one there in percent, or the other way round: that alone contradicts nothing."""
    return cell.number.contains(there * 100) or cell.number.contains(there / 100)


def _is_of_another_unit(cell: Written, there: Decimal) -> bool:
    """Whether a number can be the same in another unit: the label names a unit, and the place none."""
    return not _of_one_size(cell, there) or any(
        cell.number.contains(there * factor) or cell.number.contains(there / factor) for factor in CONVERSIONS
    )


def _wholly_differing(cells: Sequence[Written], choices: Sequence[dict[_Rest, _Choice]]) -> dict[str, list[Link]]:
    """A table of which nothing agrees, although one file has exactly its rows and columns, and says other numbers.

    That no cell agrees is no proof by itself: the table may have been made from another file. So every cell must fit one
    place in full, all in one data file and under one rest, which no other file offers; what another rest of that file
    offers must be the same numbers once more (by model, and by metric); and the numbers must be of one size.
    """
    agreeing = {index for index, options in enumerate(choices) if any(choice.agrees for choice in options.values())}
    if len(cells) < _LEAST_DIFFERING or len(agreeing) > _by_chance(cells):
        return {}
    if min(len({cell.claim.row for cell in cells}), len({cell.claim.header for cell in cells})) < 2:
        return {}
    offers = list(map(_by_file, choices))
    shared = set.intersection(*(set(options) for options in offers))
    fitting = [
        key
        for key in shared
        if all(
            index in agreeing or _is_opposing(cell, options[key])
            for index, (cell, options) in enumerate(zip(cells, offers, strict=True))
        )
    ]
    context = frozenset(split_words(_context(cells[0])))
    fitting.sort(key=lambda key: (-len(key[1] & context), len(key[1]), sorted(key[1])))
    told = {tuple(options[key].candidates[0].slot.values[0].number for options in offers) for key in fitting}
    if len(told) != 1 or len({artifact for artifact, _ in fitting}) != 1:
        return {}
    slots = [options[fitting[0]].candidates[0].slot for options in offers]
    if len({slot.index for slot in slots}) != len(slots) or not all(slot.data for slot in slots):
        return {}
    links: dict[str, list[Link]] = {}
    few = f"no more than {len(agreeing)} in {len(cells)} cells" if agreeing else "no cell"
    for index, (cell, slot) in enumerate(zip(cells, slots, strict=True)):
        value = slot.values[0]
        if not _of_one_size(cell, value.number):
            return {}
        if index in agreeing:
            continue
        note = f"its labels single out {value.lexical}, and {few} of the table agrees with a file"
        hit = Hit(value, "differs", 1)
        links[cell.claim.id] = [make_link(cell.claim, (hit,), Tier.LABELS, RULE, note=note, agrees=False)]
    return links


def _by_chance(cells: Sequence[Written]) -> int:
    """How many cells of a table may agree with something although the table was not made from it."""
    return len(cells) // _ONE_IN


def _by_file(options: dict[_Rest, _Choice]) -> dict[tuple[str, _Rest], _Choice]:
    """What a cell's labels single out in each file, under the rest without the words of the file's own path.

    Such a word may stand in one column's name and not in the other's (``peaks.csv`` holds ``peak_flow`` and ``mean_flow``).
    """
    found: dict[tuple[str, _Rest], list[_Candidate]] = defaultdict(list)
    for rest, choice in options.items():
        for candidate in choice.candidates:
            value = candidate.slot.values[0]
            found[candidate.slot.artifact, rest - frozenset(split_words(value.path))].append(candidate)
    return {key: _best_of(group) for key, group in found.items()}


def _of_one_size(cell: Written, there: Decimal) -> bool:
    """Whether two numbers are less than ten times apart: further apart they are rather of another unit."""
    here = cell.number.value
    return here * there > 0 and Decimal("0.1") < here / there < 10


def _preference(
    rest: _Rest, choices: list[dict[_Rest, _Choice]], line: list[int], context: frozenset[str]
) -> tuple[int, int, int, list[str]]:
    """Among rests that agree equally: the table's own context, data files before logs, few words, the alphabet."""
    data = next((choices[index][rest].candidates[0].slot.data for index in line if rest in choices[index]), False)
    return len(rest & context), int(data), -len(rest), sorted(rest)


def full_places(cell: Written, pool: Pool) -> set[int]:
    """The places that carry both labels of a cell in full, by their index."""
    rows, columns = pool.coverage_of(cell.claim.row or ""), pool.coverage_of(cell.claim.header or "")
    return {index for index in rows.keys() & columns.keys() if min(rows[index][0], columns[index][0]) > 0.99}


def _recognise(cells: Sequence[Written], links: dict[str, list[Link]], pool: Pool, *, header_known: bool) -> None:
    """Link columns whose header no place knows (or rows), where all else is known and the numbers agree.

    ``Pass Rate`` may be ``correct_samples`` in the file: what the words do not say, several agreeing numbers do.
    """
    for line in _by_row(cells) if header_known else _by_column(cells):
        missing = [cells[index] for index in line if cells[index].claim.id not in links]
        if len(missing) < max(2, _DECIDED * len(line)):
            continue
        found: dict[_Rest, dict[str, _Candidate]] = defaultdict(dict)
        for cell in missing:
            if full_places(cell, pool):
                continue  # its labels are known, and lead elsewhere: the numbers of another row are not its own
            known = pool.coverage_of((cell.claim.header if header_known else cell.claim.row) or "")
            for index, (share, words) in islice(known.items(), _MAX_CANDIDATES):
                slot = pool.slots[index]
                if (
                    share < 0.8
                    or not slot.single
                    or not slot.can_mean(cell.asked)
                    or units_differ(cell.unit, slot.unit)
                ):
                    continue
                hit = cell.match(slot.values[0])
                if hit is not None and hit.exact:
                    candidate = _Candidate(slot, share, share, (hit,))
                    best = found[slot.hard - words].setdefault(cell.claim.id, candidate)
                    if candidate.score > best.score:
                        found[slot.hard - words][cell.claim.id] = candidate
        telling = {cell.claim.id: cell.telling for cell in missing}
        scores = {rest: sum(telling[cell] for cell in group) for rest, group in found.items() if _holds(group, missing)}
        best_score = max(scores.values(), default=0.0)
        if best_score < 1.4:
            continue
        rests = sorted(
            (rest for rest, score in scores.items() if score > best_score - 1e-6),
            key=lambda rest: (len(rest), sorted(rest)),
        )
        for cell in missing:
            hits = [
                (one.slot.data, one.hits[0]) for rest in rests if (one := found[rest].get(cell.claim.id)) is not None
            ]
            if hits:
                links[cell.claim.id] = links_of_hits(cell, hits, RULE, Tier.LABELS)


def _holds(group: dict[str, _Candidate], missing: Sequence[Written]) -> bool:
    """Most cells of the line agree, each at a place of its own, with at least two different numbers."""
    places = {candidate.slot.index for candidate in group.values()}
    numbers = {candidate.hits[0].value.number for candidate in group.values()}
    return len(group) >= max(2, _DECIDED * len(missing)) and len(places) == len(group) and len(numbers) >= 2


# --------------------------------------------------------------------------------------------------------- links


def _link_cell(
    cell: Written,
    options: dict[_Rest, _Choice],
    rest: _Rest | None,
    tally: dict[_Rest, tuple[int, int]],
    *,
    decided: bool,
) -> list[Link]:
    chosen = options.get(rest) if rest is not None else None
    if chosen is not None and rest is not None and chosen.agrees:
        agree, _ = tally[rest]
        if agree >= 2 or decided or _is_sure(cell, chosen):
            others = [
                other for key, other in options.items() if key != rest and not _is_narrower(key, rest, other, chosen)
            ]
            return _links_of(cell, [chosen, *(other for other in others if other.agrees and _equals(other, chosen))])
    elsewhere = [choice for choice in options.values() if choice.agrees and _is_sure(cell, choice)]
    if elsewhere:
        return _links_of(cell, sorted(elsewhere, key=lambda choice: -choice.candidates[0].score)[:1])
    if chosen is None or rest is None or chosen.agrees or not decided:
        return []
    agree, differ = tally[rest]
    candidate = chosen.candidates[0]
    if (
        not _is_opposing(cell, chosen)
        or agree < 2
        or agree < _DECIDED * (agree + differ)
        or any(choice.agrees for choice in options.values())
    ):
        return []
    value = candidate.slot.values[0]
    note = f"its labels single out {value.lexical}"
    return [make_link(cell.claim, (Hit(value, "differs", 1),), Tier.LABELS, RULE, note=note, agrees=False)]


def _is_sure(cell: Written, choice: _Choice) -> bool:
    """One cell on its own: its labels are known in full, to one place, and the number is no common one."""
    best = choice.candidates[0]
    exact = any(hit.exact for hit in best.hits)
    return (
        exact
        and choice.single
        and min(best.row, best.column) > 0.99
        and len(choice.candidates) == 1
        and cell.telling >= 0.5
    )


def _is_narrower(key: _Rest, rest: _Rest, other: _Choice, chosen: _Choice) -> bool:
    """The same file names it with more words: that is another quantity (``balanced_accuracy``), not a second print."""
    mine, theirs = chosen.candidates[0].slot.values[0], other.candidates[0].slot.values[0]
    return key > rest and mine.artifact == theirs.artifact


def _equals(other: _Choice, chosen: _Choice) -> bool:
    """Copies and second prints of a result: they round to the same number, and fit the labels as well."""
    mine, theirs = chosen.candidates[0], other.candidates[0]
    if theirs.score < mine.score - _UNIT_ONLY or (mine.slot.single and not theirs.slot.single):
        return False
    return theirs.hits[-1].exact or mine.hits[-1].value.number == theirs.hits[-1].value.number


def _links_of(cell: Written, choices: Sequence[_Choice]) -> list[Link]:
    found = [(one.slot.data, _pick(cell, one)) for choice in choices for one in choice.candidates]
    return links_of_hits(cell, found, RULE, Tier.LABELS)


def _pick(cell: Written, candidate: _Candidate) -> Hit:
    """Of several values of one slot that agree: the one whose index the labels name, else the last of the history."""
    hits = [hit for hit in candidate.hits if hit.exact] or list(candidate.hits)
    if len(hits) > 1:
        for hit in hits:
            if not _counters_of(hit).isdisjoint(cell.asked):
                return hit
    return hits[-1]
