"""Repetitions: values that differ by nothing but the number of a seed, a fold, a run, a trial (rule 5.5).

The number may be a key (``seed_3``), a key under one that says so (``/seeds/3``), a column of a CSV row or a field of an
object (``"seed": 3``), the position in a list that says so (``cv_scores``), part of the file's path (``seed_3.json``), or in a
printed line, before or behind what was measured (``rmse 1.51 (seed 3)``).
A list of bare numbers may be repetitions as well, if the manuscript says that there are some.

Spec: docs/reference/matching.md, 5.5.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from provchain.linking.words import split_words
from provchain.model import Value

__all__ = ["REPEATS", "Repeats", "find_repeats", "in_copies", "names_repetition"]

REPEATS = "seed|fold|run|trial|repeat|repetition|replicate|rep"
_NUMBERED = re.compile(
    rf"(?<![A-Za-z])({REPEATS})s?(?:[ _](?:id|idx|index|no|number))?[ _=-]{{0,2}}(\d{{1,6}})(?!\d|\.\d)", re.IGNORECASE
)
_SAYS_REPEATS = re.compile(rf"(?:^|[^A-Za-z])(?:{REPEATS})s?(?:$|[^A-Za-z])|(?:^|[^A-Za-z])scores$", re.IGNORECASE)
_COUNTER = re.compile(rf"(?:^|[^A-Za-z])({REPEATS})(?: (?:id|index|no|number))?$", re.IGNORECASE)
_DECIMAL = re.compile(r"\d\.\d")
_NAME = re.compile(rf"(?<![A-Za-z])({REPEATS})(?![A-Za-z]{{2}})", re.IGNORECASE)
_COUNTING = frozenset([*REPEATS.split("|"), "cv"])
_MOST = 1_000  # repetitions; more are a series
_FEWEST = 2
_UNNAMED = "value"


class Repeats(NamedTuple):
    """The repetitions of one measurement.

    Attributes:
        name: What is repeated (``fold``), or ``value`` where only a list of numbers stands there.
        values: The values, in the order of the file.
        words: The words of their place, without those that count.
        leaf: The words of its innermost label.
    """

    name: str
    values: tuple[Value, ...]
    words: frozenset[str]
    leaf: frozenset[str]

    @property
    def numbers(self) -> tuple[Decimal, ...]:
        """The numbers, in their order of size."""
        return tuple(sorted(value.number for value in self.values))

    @property
    def data(self) -> bool:
        """Whether they stand in a data file, and not in a log."""
        return all(not value.selector.startswith("line=") or "/" in value.selector for value in self.values)

    @property
    def plain(self) -> bool:
        """Whether only the manuscript can say that these are repetitions."""
        return self.name == _UNNAMED

    def name_by(self, said: Mapping[int, str]) -> str:
        """What is repeated; of a plain list, what the manuscript says that there are so many of."""
        return (said.get(len(self.values)) or self.name) if self.plain else self.name


class _Place(NamedTuple):
    """The place of a value with the counting numbers taken out."""

    path: str
    labels: tuple[str, ...]
    column: str
    plain: bool


def find_repeats(values: Iterable[Value]) -> list[Repeats]:
    """Group the values that repeat each other.

    Args:
        values: The values.

    Returns:
        The groups of two and more, each repetition once. Where one is given twice with different numbers, something else
        differs as well, and the group is none.

    Example:
        >>> from decimal import Decimal
        >>> values = [
        ...     Value(f"m.json#1!/seed_{n}/acc", "m.json#1", "m.json", f"/seed_{n}/acc", x, Decimal(x), (f"seed_{n}", "acc"))
        ...     for n, x in ((1, "0.8"), (2, "0.9"))
        ... ]
        >>> [(group.name, len(group.values), sorted(group.words)) for group in find_repeats(values)]
        [('seed', 2, ['accuracy', 'm'])]
    """
    groups: dict[_Place, dict[tuple[str, ...], Value]] = defaultdict(dict)
    names: dict[_Place, str] = {}
    broken: set[_Place] = set()
    values = list(values)
    printed = _printed_counters(values)
    for value in values:
        found = _place_of(value, printed.get(_line_of(value), ()))
        if found is None:
            continue
        place, numbers, name = found
        names.setdefault(place, name)
        known = groups[place].setdefault(numbers, value)
        if known.number != value.number:
            broken.add(place)
    return [
        _made(place, names[place], group)
        for place, group in groups.items()
        if place not in broken and _FEWEST <= len(group) <= _MOST
    ]


def names_repetition(text: str) -> bool:
    """Whether a text names one repetition by its number.

    Example:
        >>> names_repetition("Seed 3"), names_repetition("3 seeds"), names_repetition("out/fold_2.json")
        (True, False, True)
    """
    return bool(_without_numbers(text)[1])


def in_copies(groups: Iterable[Repeats]) -> list[list[Repeats]]:
    """Put groups together that give the same numbers: copies of a file, and what a log printed of it, perhaps rounded.

    Args:
        groups: Groups of repetitions.

    Returns:
        The groups in families, by the size of their numbers; data files come first in each.
    """
    families: list[list[Repeats]] = []
    for group in sorted(groups, key=lambda group: (len(group.values), sum(group.numbers), not group.data)):
        if families and _is_copy(families[-1][0], group):
            families[-1].append(group)
        else:
            families.append([group])
    for family in families:
        family.sort(key=lambda group: not group.data)
    return families


def _is_copy(one: Repeats, other: Repeats) -> bool:
    if len(one.values) != len(other.values):
        return False
    return all(_rounds(a, b) for a, b in zip(one.numbers, other.numbers, strict=True))


def _rounds(one: Decimal, other: Decimal) -> bool:
    """Whether one of two numbers is the other, rounded to at least three digits."""
    exponents = [number.as_tuple().exponent for number in (one, other)]
    place = max(exponent for exponent in exponents if isinstance(exponent, int))
    digits = min(number.adjusted() for number in (one, other)) - place + 1
    return one == other or (digits >= 3 and abs(one - other) <= Decimal(5).scaleb(place - 1))


def _made(place: _Place, name: str, group: Mapping[tuple[str, ...], Value]) -> Repeats:
    labels = [label for label in place.labels if not _counts_only(label)]
    words = _words_of(place.path).union(*map(_words_of, labels))
    return Repeats(name, tuple(group.values()), words, _words_of(labels[-1]) if labels else frozenset())


def _line_of(value: Value) -> tuple[str, str]:
    """The artifact and the line of a printed value; an empty line for any other."""
    line, _, number = value.selector.partition(";")
    return value.artifact, line if number and line.startswith("line=") and "/" not in line else ""


def _printed_counters(values: Sequence[Value]) -> dict[tuple[str, str], tuple[str, str]]:
    """By the line: the one number in it that counts repetitions, and what it counts."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for value in values:
        counts = _COUNTER.search(value.labels[-1]) if value.labels and value.lexical.isdigit() else None
        if counts is not None and (line := _line_of(value))[1]:
            found[line].append((value.lexical, counts[1].lower()))
    return {line: counters[0] for line, counters in found.items() if len(counters) == 1}


def _is_printed_line(label: str) -> bool:
    """Whether a label is the line before, which is one of a repetition as well, and no heading."""
    return _DECIMAL.search(label) is not None and bool(_without_numbers(label)[1])


def _place_of(value: Value, printed: tuple[str, ...]) -> tuple[_Place, tuple[str, ...], str] | None:
    """A value's place without the counting numbers, those numbers, and what they count; ``None`` where nothing counts.

    ``printed`` is the counter in the value's line and what it counts: it may stand behind the value.
    """
    path, numbers, name = _without_numbers(value.path)
    selector = value.selector
    pointer = selector[selector.index("/") :] if "/" in selector else ""
    keys = set(pointer.split("/"))
    labels: list[str] = []
    counted = list(numbers)
    for at, label in enumerate(value.labels):
        if (
            at == 0
            and not pointer
            and len(value.labels) > 1
            and selector.startswith("line=")
            and _is_printed_line(label)
        ):
            continue
        if label.isdigit():
            if labels and _says_repeats(labels[-1]):
                counted.append(label)
                name = name or _named(labels[-1])
            else:
                labels.append(label)
            continue
        masked, inside, of = _without_numbers(label)
        if inside and pointer and label not in keys:
            _drop_position(labels, keys)
        counted += inside
        name = name or of
        labels.append(masked)
    column = selector.partition(",")[2] if selector.startswith("cell=") else selector.partition(";")[2]
    if printed and not counted and value.lexical != printed[0]:
        counted, name = [printed[0]], printed[1]
    if counted:
        return _Place(path, tuple(labels), column, False), tuple(counted), name
    if pointer and len(labels) > 1 and labels[-1].isdigit() and not labels[-2].isdigit():
        return _Place(path, tuple(labels[:-1]), column, True), (labels[-1],), _UNNAMED
    return None


def _drop_position(labels: list[str], keys: set[str]) -> None:
    """Drop the position of the object that a counter belongs to: its name follows the key of the object at once."""
    for at in range(len(labels) - 1, -1, -1):
        if labels[at] in keys:
            if labels[at].isdigit():
                del labels[at]
            return


@lru_cache(maxsize=65536)
def _without_numbers(text: str) -> tuple[str, tuple[str, ...], str]:
    found = _NUMBERED.findall(text)
    if not found:
        return text, (), ""
    return _NUMBERED.sub(r"\1", text), tuple(number for _, number in found), found[0][0].lower()


@lru_cache(maxsize=4096)
def _says_repeats(key: str) -> bool:
    return _SAYS_REPEATS.search(key) is not None


def _named(key: str) -> str:
    found = _NAME.search(key)
    return found[1].lower() if found is not None else "score"


@lru_cache(maxsize=4096)
def _counts_only(label: str) -> bool:
    """Whether a label says only that something is repeated (``seeds``, ``per_seed``), not what."""
    return not _words_of(label)


@lru_cache(maxsize=65536)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(split_words(text)) - _COUNTING
