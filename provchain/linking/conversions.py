"""Numbers that a manuscript gives in another unit than its files: milliseconds for seconds, MB for bytes, thousands, ones.

Only where both sides name units of one kind (of counts, where the manuscript says thousands or millions), and only for what
nothing else was found for. The values are converted and asked once more; labels and rounding decide as they always do.

Spec: docs/reference/matching.md, 5.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache

from msgspec import structs

from provchain.linking.pool import Pool
from provchain.linking.prose import link_by_words
from provchain.linking.tables import link_table
from provchain.linking.units import key_unit, split_unit, unit_words
from provchain.linking.written import Written, links_of_hits
from provchain.model import Link, Relation, Tier, Value

__all__ = ["link_converted"]

_TIMES = {"ns": Decimal("1e-9"), "us": Decimal("1e-6"), "ms": Decimal("1e-3"), "s": Decimal(1)}
_TIMES |= {"min": Decimal(60), "h": Decimal(3600)}
_SIZES = ("bytes", "kb", "mb", "gb", "tb")
_COUNTS = {"k": 3, "m": 6, "thousand": 3, "thousands": 3, "million": 6, "millions": 6}
_IN_COUNTS = re.compile(r"\s*[(\[]\s*(?:in )?(k|M|thousands?|millions?)\s*[)\]]|,?\s+in (thousands?|millions?)\b")
_NUMBER_UNITS = {"kb": "kb", "mb": "mb", "gb": "gb", "tb": "tb", "kib": "kb", "mib": "mb", "gib": "gb"}
_RULE = "5.7 table"
_LEAST_WHOLE = 100  # of fewer digits too many values round to it
_LEAST_COUNT = 1000
_MOST_UNITS = 8  # different units of one manuscript's open numbers
_ONES = "1"  # cells of whole numbers, for values with decimals: a mean of 168.7 trees is written as 169
_QUANTITIES = {"time": "time", "size": "memory size"}


def link_converted(
    numbers: Sequence[Written], found: Mapping[str, Sequence[Link]], values: Sequence[Value]
) -> dict[str, list[Link]]:
    """Find values in other units for the numbers that have no link yet.

    Args:
        numbers: All numbers.
        found: Their links by the claim's id.
        values: The values.

    Returns:
        Links by the claim's id; each says that the unit was converted.
    """
    asked: dict[str, list[Written]] = {}
    for written in numbers:
        if not found.get(written.claim.id) and (unit := _unit_asked(written)):
            asked.setdefault(unit, []).append(_as_measure(written, unit))
    links: dict[str, list[Link]] = {}
    for unit, open_ones in list(asked.items())[:_MOST_UNITS]:
        for binary in (False, True) if unit in _SIZES else (False,):
            converted = list(_converted(values, unit, binary=binary))
            left = [written for written in open_ones if written.claim.id not in links]
            if converted and left:
                links |= _link(left, converted, unit)
                links |= _of_one_record(
                    [one for one in left if one.claim.id not in links], numbers, found, converted, unit
                )
    return links


def _unit_asked(written: Written) -> str:
    """The unit of a number: its own, that of its labels, or that of what introduces its table."""
    claim = written.claim
    own = written.number.unit
    if claim.table is None or own:
        return own if own in _TIMES or own in ("k", "M") else _NUMBER_UNITS.get(own.lower(), "")
    if written.percent:
        return ""
    labels = (claim.header or "", claim.row or "", claim.caption or "", *claim.section[-1:])
    for label in labels:
        unit = split_unit(label)[1]
        if unit in _TIMES or unit in _SIZES:
            return unit
        if label in labels[:2] and (counted := _IN_COUNTS.search(label)):
            return "k" if _COUNTS[(counted[1] or counted[2]).lower()] == 3 else "M"
        if unit:
            return ""
    return _ONES if written.number.exact and abs(written.number.value) >= _LEAST_WHOLE else ""


def _as_measure(written: Written, unit: str) -> Written:
    """The number as one with a unit, which is no exact count; its labels without a mark of thousands."""
    number, claim = written.number, written.claim
    if claim.table is None or number.unit:
        if unit in ("k", "M"):  # its value is read in ones already
            power = -_COUNTS[unit.lower()]
            places = number.last_place + power
            number = structs.replace(number, value=number.value.scaleb(power), last_place=places)
        return Written(claim, number)
    if unit in ("k", "M"):
        header, row = (_IN_COUNTS.sub("", label or "") or None for label in (claim.header, claim.row))
        claim = structs.replace(claim, header=header, row=row)
    return Written(claim, structs.replace(number, unit=unit))


def _converted(values: Iterable[Value], unit: str, *, binary: bool) -> Iterator[Value]:
    """The values of the kind of a unit in that unit, their labels saying so."""
    for value in values:
        if unit == _ONES:
            if value.number != value.number.to_integral_value():
                yield value
            continue
        if unit in ("k", "M"):
            if abs(value.number) >= _LEAST_COUNT and value.number == value.number.to_integral_value() and value.labels:
                yield structs.replace(value, number=value.number.scaleb(-_COUNTS[unit.lower()]))
            continue
        label = value.labels[-1] if value.labels else ""
        there = key_unit(label)
        factor = _factor(there, unit, binary)
        if factor is not None:
            labels = (*value.labels[:-1], _relabelled(label, there, unit))
            yield structs.replace(value, number=value.number * factor, labels=labels)


def _factor(there: str, unit: str, binary: bool) -> Decimal | None:
    """What a number in one unit is multiplied with to be in another of the same kind."""
    if there in _TIMES and unit in _TIMES:
        return _TIMES[there] / _TIMES[unit]
    if there in _SIZES and unit in _SIZES:
        return Decimal(1024 if binary else 1000) ** (_SIZES.index(there) - _SIZES.index(unit))
    return None


@lru_cache(maxsize=4096)
def _relabelled(label: str, there: str, unit: str) -> str:
    """A label with another unit; one that names nothing but its unit says what kind of quantity that is."""
    core = split_unit(label)[0]
    spelled = "|".join(map(re.escape, sorted(unit_words(there).split(), key=len, reverse=True)))
    core = re.sub(rf"(?<![A-Za-z])(?:{spelled})(?![A-Za-z])", " ", core, flags=re.IGNORECASE).strip(" _-")
    quantity = _QUANTITIES["time" if unit in _TIMES else "size"]
    named = any(word in core.lower() for word in (*quantity.split(), "latency", "duration"))
    return f"{core if named else f'{core} {quantity}'} ({unit})"


def _link(written: Sequence[Written], converted: Sequence[Value], unit: str) -> dict[str, list[Link]]:
    """Ask tables and sentences once more, of the converted values; only what rounds to the number counts."""
    pool, values = Pool(converted), {value.id: value for value in converted}
    found: dict[str, list[Link]] = {}
    tables: dict[tuple[str, int], list[Written]] = {}
    for one in written:
        if one.claim.table is not None:
            tables.setdefault((one.claim.path, one.claim.table), []).append(one)
        elif unit not in ("k", "M") or one.bare > 1:
            found[one.claim.id] = link_by_words(one, pool)
    for cells in tables.values():
        found |= link_table(cells, pool)
    links: dict[str, list[Link]] = {}
    for one in written:
        for link in found.get(one.claim.id, ()):
            hit = one.match(values[link.operands[0]])
            if link.agrees and hit is not None and hit.exact:
                links.setdefault(one.claim.id, []).append(_noted(link, unit))
    return links


def _of_one_record(
    cells: Sequence[Written],
    numbers: Sequence[Written],
    found: Mapping[str, Sequence[Link]],
    converted: Sequence[Value],
    unit: str,
) -> dict[str, list[Link]]:
    """Link cells to the record that the rest of their row was filled from, if only one place of it is of this kind.

    Then nothing has to be known by the words of the row: ``seconds`` beside the ``mean`` that the row's accuracy is.
    """
    if unit in ("k", "M", _ONES):
        return {}
    records: dict[tuple[str, int | None, int], set[tuple[str, str]]] = {}
    for other in numbers:
        if other.claim.cell is not None:
            operands = (one for link in found.get(other.claim.id, ()) if link.agrees for one in link.operands)
            records.setdefault(_row_of(other), set()).update(_record_of(operand) for operand in operands)
    inside: dict[tuple[str, str], list[Value]] = {}
    for value in converted:
        inside.setdefault(_record_of(value.id), []).append(value)
    links: dict[str, list[Link]] = {}
    for cell in cells:
        if cell.claim.cell is None or not (cell.number.unit or split_unit(cell.claim.header or "")[1]):
            continue
        own = [inside[record] for record in sorted(records.get(_row_of(cell), ())) if record in inside]
        hits = [hit for one in own if len(one) == 1 for hit in cell.matches(one) if hit.exact]
        if hits and len(hits) == len(own):
            links[cell.claim.id] = [
                _noted(link, unit) for link in links_of_hits(cell, [(True, hit) for hit in hits], _RULE, Tier.LABELS)
            ]
    return links


def _row_of(written: Written) -> tuple[str, int | None, int]:
    claim = written.claim
    return claim.path, claim.table, claim.cell[0] if claim.cell else 0


def _record_of(identifier: str) -> tuple[str, str]:
    """The artifact of a value and what it stands in there: the object of a key, the row of a cell."""
    artifact, _, selector = identifier.partition("!")
    return artifact, selector.rpartition("/" if "/" in selector else ",")[0]


def _noted(link: Link, unit: str) -> Link:
    """A link that says that what stands there was converted."""
    note = f"converted to {unit}" if unit != _ONES else "rounded to a whole number"
    return structs.replace(link, relation=Relation.ROUNDED, note=f"{link.note}; {note}" if link.note else note)
