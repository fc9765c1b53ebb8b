"""From claims and values to links.

In this order, because each uses what the one before found: whole tables (5.7), cells and sentences by words and value
(5.8), sentences that restate a cell (5.8), and what is surprising by its value alone (5.9).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from provchain.linking.aggregates import link_aggregate, without_picked
from provchain.linking.columns import with_measures
from provchain.linking.conversions import link_converted
from provchain.linking.counterparts import link_counterparts
from provchain.linking.counts import Counts
from provchain.linking.figures import FigureFiles
from provchain.linking.pool import Pool, Slot
from provchain.linking.prose import Restated, link_alone, link_by_words, link_restated, link_same_digits
from provchain.linking.spread import with_spreads
from provchain.linking.tables import full_places, link_table
from provchain.linking.units import units_differ, without_unit
from provchain.linking.words import split_words
from provchain.linking.written import Written, read_written
from provchain.linking.wrong_aggregates import oppose_aggregates
from provchain.model import Claim, ClaimKind, ClaimRole, Link, Tier, Value

__all__ = ["find_links"]

_FEW = 0.3  # share of a table's cells that agree as written, up to which it is tried as percentages
_MOST = 0.6  # share of its cells that must agree as percentages then
_HUNDRED = 100


def find_links(
    claims: Sequence[Claim],
    values: Sequence[Value],
    *,
    figures: Mapping[str, str],
    papers: Mapping[str, str] | None = None,
) -> list[Link]:
    """Find what the claims of a study's manuscripts rest on.

    Several links of one claim are alternatives: places that say the same under words that fit as well, data files
    before logs that print the number again. Which of them count is for the caller to decide.

    Args:
        claims: The claims; those that report no result are passed over.
        values: The values they may rest on, without those of the manuscripts themselves.
        figures: Path of each figure file to its artifact's id.
        papers: Path of each manuscript to its text, where what it says of its repetitions is looked up.

    Returns:
        The links, in the order of the claims, at most eight each.

    Example:
        >>> from decimal import Decimal
        >>> from provchain.model import ClaimKind
        >>> value = Value("m.json#1!/svm/accuracy", "m.json#1", "m.json", "/svm/accuracy", "0.96667",
        ...               Decimal("0.96667"), ("svm", "accuracy"))
        >>> claim = Claim("c1", ClaimKind.NUMBER, "paper.md", 3, 5, "0.9667", "The SVM reaches an accuracy of 0.9667.")
        >>> [(link.operands, str(link.relation)) for link in find_links([claim], [value], figures={})]
        [(('m.json#1!/svm/accuracy',), 'rounded')]

    Spec: docs/reference/matching.md, 5.3, 5.4, 5.5, 5.7, 5.8, 5.9.
    """
    pool = Pool(values)
    counts = Counts(claims, papers or {})
    found: dict[str, list[Link]] = _of_figures(claims, FigureFiles(figures))
    numbers = _numbers_of(claims)
    sources = _link_tables(numbers, pool, found)
    for written in numbers:
        found[written.claim.id] = list(without_picked(found.get(written.claim.id, ()), written, pool, counts))
        tabled = written.claim.table is not None or written.number.uncertainty is not None
        if tabled and not found.get(written.claim.id):
            found[written.claim.id] = link_aggregate(written, pool, counts)
    restated, rows = _restated(numbers, found), _rows_of(numbers)
    for written in numbers:
        if not found.get(written.claim.id):
            rivals = rows.get((written.claim.path, written.claim.table), frozenset())
            links = _link_single(written, pool, counts, restated, sources.get(written.claim.id, frozenset()), rivals)
            found[written.claim.id] = list(without_picked(links, written, pool, counts))
    cells = _restated(numbers, found)  # now with the cells that stand alone
    for written in numbers:
        if written.claim.table is None and not found.get(written.claim.id):
            found[written.claim.id] = link_same_digits(written, cells)
    found.update(link_counterparts(numbers, found, pool))
    for written in numbers:
        if written.number.uncertainty is not None:
            found[written.claim.id] = _of_mean_and_spread(found[written.claim.id], written, pool, counts)
    found.update(oppose_aggregates(numbers, found, pool, counts))
    found.update(link_converted(numbers, found, values))
    return [link for claim in claims for link in found.get(claim.id, ())]


def _names_another(written: Written, pool: Pool, slot: Slot) -> bool:
    """Whether the labels of a cell lead in full to another place: then its number is not this one's, whatever its digits."""
    full = full_places(written, pool)
    return bool(full) and slot.index not in full


def _of_figures(claims: Sequence[Claim], files: FigureFiles) -> dict[str, list[Link]]:
    figures = (claim for claim in claims if claim.kind is ClaimKind.FIGURE and claim.role is ClaimRole.RESULT)
    return {claim.id: files.link(claim) for claim in figures}


def _numbers_of(claims: Sequence[Claim]) -> list[Written]:
    """The numbers that can rest on a value, with the measure that a bare deviation column leaves to its neighbour."""
    results = (claim for claim in with_measures(claims) if claim.role is ClaimRole.RESULT)
    numbers = (claim for claim in results if claim.kind is ClaimKind.NUMBER)
    return [written for written in map(read_written, numbers) if written is not None]


def _link_tables(results: Sequence[Written], pool: Pool, found: dict[str, list[Link]]) -> dict[str, frozenset[str]]:
    """Link whole tables; the artifacts that each was filled from, by the ids of its cells."""
    sources: dict[str, frozenset[str]] = {}
    for table in _tables_of(results):
        linked = _link_table(table, pool)
        found.update(linked)
        sources.update(dict.fromkeys((written.claim.id for written in table), _sources(linked, len(table))))
    return sources


def _link_table(table: Sequence[Written], pool: Pool) -> dict[str, list[Link]]:
    """Link a table; one of which little agrees is tried as percentages without a sign, and read so if most of it agrees then.

    That every cell is a hundred times what both of its labels lead to is no chance. A cell without the sign that the other
    cells of its column have may be a percentage as well.
    """
    signed = {cell.claim.header for cell in table if cell.number.percent}
    for cell in table:
        cell.rate = cell.rate or (cell.claim.header in signed and not cell.unit)
    linked = link_table(table, pool)
    plain = _agreeing(linked)
    unsigned = [cell for cell in table if not cell.percent and not cell.rate and cell.number.decimals and not cell.unit]
    if not unsigned or plain > _FEW * len(table):
        return linked
    for cell in unsigned:
        cell.rate = True
    tried = link_table(table, pool)
    scaled = sum(
        any(link.scale == _HUNDRED and _carries(link, cell, pool) for link in tried.get(cell.claim.id, ()))
        for cell in unsigned
    )
    if scaled >= max(3, _MOST * len(unsigned)) and _agreeing(tried) > plain:
        return tried
    for cell in unsigned:
        cell.rate = False
    return linked


def _carries(link: Link, cell: Written, pool: Pool) -> bool:
    """Whether the place that agrees with a cell is known by its row and by its column."""
    labels = (pool.coverage_of(text or "") for text in (cell.claim.row, cell.claim.header))
    return link.agrees and all(pool.slot_of[link.operands[0]].index in known for known in labels)


def _agreeing(linked: Mapping[str, Sequence[Link]]) -> int:
    return sum(any(link.agrees for link in links) for links in linked.values())


def _of_mean_and_spread(links: Sequence[Link], written: Written, pool: Pool, counts: Counts) -> list[Link]:
    links = with_spreads(links, written, pool)
    agreed = any(link.agrees and len(link.operands) > 1 for link in links)
    return links if agreed else link_aggregate(written, pool, counts) or links


def _tables_of(numbers: Sequence[Written]) -> list[list[Written]]:
    tables: dict[tuple[str, int], list[Written]] = {}
    for written in numbers:
        if written.claim.table is not None:
            tables.setdefault((written.claim.path, written.claim.table), []).append(written)
    return list(tables.values())


def _restated(numbers: Sequence[Written], found: Mapping[str, list[Link]]) -> list[Restated]:
    """The linked cells of all manuscripts, for sentences to refer to."""
    cells: list[Restated] = []
    for written in numbers:
        links = tuple(link for link in found.get(written.claim.id, ()) if link.agrees)
        if written.claim.table is not None and links:
            labels = (without_unit(text or "") for text in (written.claim.row, written.claim.header))
            row, header = map(frozenset, map(split_words, labels))
            cells.append(Restated(written, row, header, links))
    return cells


def _sources(linked: Mapping[str, list[Link]], cells: int) -> frozenset[str]:
    """The artifacts that a table was filled from, where most of its cells say so."""
    agreeing = [link for links in linked.values() for link in links if link.agrees]
    if len({link.claim for link in agreeing}) < max(3, cells / 2):
        return frozenset()
    return frozenset(operand.partition("!")[0] for link in agreeing for operand in link.operands)


def _rows_of(numbers: Sequence[Written]) -> dict[tuple[str, int | None], frozenset[frozenset[str]]]:
    """The words of the rows of each table."""
    rows: dict[tuple[str, int | None], set[frozenset[str]]] = {}
    for written in numbers:
        if written.claim.table is not None and (words := frozenset(split_words(written.claim.row or ""))):
            rows.setdefault((written.claim.path, written.claim.table), set()).add(words)
    return {table: frozenset(found) for table, found in rows.items()}


def _is_of_another_row(written: Written, slot: Slot, rows: frozenset[frozenset[str]]) -> bool:
    """Whether a place names another row of the table, and not the row of the cell."""
    own = frozenset(split_words(written.claim.row or ""))
    others = any(row != own and row <= slot.words for row in rows)
    return others and not (own and own <= slot.words)


def _link_single(
    written: Written,
    pool: Pool,
    counts: Counts,
    cells: Sequence[Restated],
    sources: frozenset[str],
    rows: frozenset[frozenset[str]],
) -> list[Link]:
    if written.claim.table is not None:
        lone = link_by_words(written, pool, rule="5.7 cell labels") or link_alone(written, pool)
        # What its labels do not tie to a place, in a table made from known files, did not come from another file.
        return [
            link
            for link in lone
            if (slot := pool.slot_of[link.operands[0]])
            and (link.tier is not Tier.LONE or not sources or slot.artifact in sources)
            and not _names_another(written, pool, slot)
            and not (link.tier is Tier.LONE and _is_of_another_row(written, slot, rows))
            and not units_differ(written.unit, slot.unit)
        ]
    return (
        link_restated(written, cells)
        or link_by_words(written, pool)
        or link_aggregate(written, pool, counts)
        or link_alone(written, pool)
    )
