"""The values of a study, made ready for questions by number and by word.

Values that differ only by an index or a counter (the epochs of a history, the items of a list) share a *slot*: what a
label can single out is a slot, and most slots hold one value. Two sorted lists answer which values lie in an interval
and how dense they lie there; inverted lists answer which slots know a word.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import NamedTuple

from provchain.linking.repeats import Repeats, find_repeats, in_copies
from provchain.linking.units import key_unit, split_unit, unit_words, units_differ
from provchain.linking.words import AGGREGATES, initials, split_words
from provchain.model import Value

__all__ = ["LEAST_SHARE", "Label", "Pool", "Slot"]

_MAX_HITS = 400  # values looked at for one number; more share it only where the number says nothing
LEAST_SHARE = 0.5
"""Share of a label that a place must know to be what it means."""
_UNKNOWN = 0.15  # weight of a label's word that no place knows
_WITHOUT_UNIT = 0.995  # of the share of a place that does not name the unit of a label
_MEANS = frozenset(["mean", "std", "error", "standard"])
_COUNTERS = frozenset(
    ["epoch", "step", "iteration", "fold", "round", "seed", "trial", "run", "batch", "episode", "sample", "example"]
)


class Slot:
    """One place that labels can single out.

    Attributes:
        index: Its number in the pool.
        hard: Words that its place is built of: keys, column header, the phrase on the line, and its path.
        soft: Words that only stand near it: names beside the keys, cells of its row, headings above.
        leaf: Words of its innermost label.
        values: What stands there, in the order of the file.
        numbers: Their numbers, each once.
        data: It is a data file (a JSON Pointer or a cell), not a line of a log.
        counted: Words with digits that set it apart from others that are called the same (``problem_54``).
        unit: The unit that its innermost label names, or empty.
    """

    __slots__ = ("artifact", "counted", "data", "hard", "index", "leaf", "numbers", "soft", "unit", "values", "words")

    def __init__(
        self, index: int, value: Value, hard: frozenset[str], soft: frozenset[str], leaf: frozenset[str]
    ) -> None:
        self.index = index
        self.artifact = value.artifact
        self.hard = hard
        self.soft = soft
        self.leaf = leaf
        self.words = hard | soft
        self.values = [value]
        self.data = not value.selector.startswith("line=") or "/" in value.selector
        self.numbers: frozenset[Decimal] = frozenset([value.number])
        self.counted: frozenset[str] = frozenset()
        self.unit = key_unit(value.labels[-1]) if value.labels else ""

    @property
    def single(self) -> bool:
        """Whether one number stands here (perhaps several times)."""
        return len(self.numbers) == 1

    def can_mean(self, asked: frozenset[str]) -> bool:
        """Whether it can be what a label with these words asks for: no one of many values is their mean or total."""
        if not (asked & AGGREGATES) - self.words:
            return True
        return self.single and (not self.counted or self.counted <= asked)


class Family(NamedTuple):
    """Repetitions of one measurement, with their copies.

    Attributes:
        apart: The words that set it apart from others of the same quantity.
        copies: The groups.
    """

    apart: frozenset[str]
    copies: tuple[Repeats, ...]


class Label:
    """A label of a claim, translated into the words that the pool knows.

    Attributes:
        words: Its words, without those of its unit.
        weight: Of all its words that the pool knows, without those of its unit; 0 where it knows none.
        hits: Pool word to the positions of the label's words that it stands for.
        weights: Of each of the label's words; 0 where the pool does not know it, or it belongs to the unit.
        unknown: How many of its words the pool does not know.
        unit: Its unit in one spelling: a place that names none is meant as well, one that names another is not.
    """

    __slots__ = ("hits", "unit", "unknown", "weight", "weights", "words")

    def __init__(self, words: tuple[str, ...], hits: dict[str, int], weights: list[float], unit: str = "") -> None:
        self.words = words
        self.hits = hits
        self.weights = weights
        self.weight = sum(weights)
        self.unknown = sum(not weight for weight in weights)
        self.unit = unit

    def sum_of(self, mask: int) -> float:
        """The weight of the words whose bits are set."""
        return sum(weight for position, weight in enumerate(self.weights) if mask >> position & 1)


class Pool:
    """All values that a study's claims are compared with."""

    def __init__(self, values: Iterable[Value]) -> None:
        self.slots: list[Slot] = []
        self.slot_of: dict[str, Slot] = {}
        self._fill(values)
        self.posting: dict[str, list[int]] = {}
        for slot in self.slots:
            if len(slot.values) > 1:
                slot.numbers = frozenset(value.number for value in slot.values)
            for word in slot.words:
                self.posting.setdefault(word, []).append(slot.index)
        self._count_families()
        self._vocabulary = sorted(self.posting)
        ordered = sorted(
            ((_as_float(value), position, value) for position, value in enumerate(self._values)), key=_by_number
        )
        self._numbers = [item[0] for item in ordered]
        self._ordered = [item[2] for item in ordered]
        self._distinct = sorted(set(self._numbers))
        self._labels: dict[str, Label] = {}
        self.rarity = self._rate_words()
        self._coverage: dict[str, dict[int, tuple[float, frozenset[str]]]] = {}

    def _fill(self, values: Iterable[Value]) -> None:
        slots: dict[object, Slot] = {}
        self._values: list[Value] = []
        for value in values:
            self._values.append(value)
            key = (value.artifact, *_place_of(value))
            slot = slots.get(key)
            if slot is None:
                hard, soft, leaf = _words_of(value)
                slot = slots[key] = Slot(len(self.slots), value, hard, soft, leaf)
                self.slots.append(slot)
            else:
                slot.values.append(value)
            self.slot_of[value.id] = slot

    def _count_families(self) -> None:
        """Find the places that a number in their names sets apart from others, as ``item_1`` from ``item_2``."""
        families: dict[object, list[Slot]] = {}
        for slot in self.slots:
            labels = _place_of(slot.values[0])
            if any(map(_has_digit, labels)):
                families.setdefault((slot.artifact, *map(_without_digits, labels)), []).append(slot)
        for family in families.values():
            if len(family) > 1:
                for slot in family:
                    names = frozenset().union(*map(_set_of, _place_of(slot.values[0])))
                    slot.counted = frozenset(filter(_has_digit, names))

    def _rate_words(self) -> dict[str, float]:
        """How telling each word is: 1 for a word of one slot, near 0 for a word of all of them."""
        total = len(self.slots) + 1
        scale = math.log(total) if total > 1 else 1.0
        return {word: max(math.log(total / len(slots)) / scale, 0.05) for word, slots in self.posting.items()}

    @cached_property
    def repeats(self) -> list[Repeats]:
        """The repetitions among the values."""
        return find_repeats(self._values)

    @cached_property
    def repeats_at(self) -> dict[int, list[Repeats]]:
        """The repetitions by the slot that the first of them stands in."""
        found: dict[int, list[Repeats]] = {}
        for group in self.repeats:
            found.setdefault(self.slot_of[group.values[0].id].index, []).append(group)
        return found

    @cached_property
    def repeats_of(self) -> dict[str, Repeats]:
        """The repetitions that a value is one of, by its id."""
        return {value.id: group for group in self.repeats for value in group.values}

    @cached_property
    def repeats_by_leaf(self) -> dict[str, list[tuple[frozenset[str], list[Family]]]]:
        """The repetitions by the words of what was measured, kept under the rarest of them."""
        groups: dict[frozenset[str], list[Repeats]] = {}
        for group in self.repeats:
            if group.leaf:
                groups.setdefault(group.leaf, []).append(group)
        found: dict[str, list[tuple[frozenset[str], list[Family]]]] = {}
        for leaf, members in groups.items():
            families = [
                (frozenset.intersection(*(group.words for group in family)), family) for family in in_copies(members)
            ]
            shared = frozenset.intersection(*(words for words, _ in families))
            apart = [Family(words - shared, tuple(family)) for words, family in families]
            found.setdefault(min(leaf, key=lambda word: len(self.posting.get(word, ()))), []).append((leaf, apart))
        return found

    # ------------------------------------------------------------------------------------------------- numbers

    def values_between(self, low: float, high: float) -> Sequence[Value]:
        """The values of an interval, both ends included, at most a few hundred."""
        start = bisect_left(self._numbers, low)
        return self._ordered[start : min(bisect_right(self._numbers, high), start + _MAX_HITS)]

    def expected_between(self, low: float, high: float) -> float:
        """How many distinct values would lie in an interval by chance, from how dense they lie around it.

        The densest of several neighbourhoods counts, since values cluster. The interval's own values are left out.
        """
        width = high - low
        middle = (low + high) / 2
        own = bisect_right(self._distinct, high) - bisect_left(self._distinct, low)
        most = 0.0
        for reach in (50 * width, 0.1 * abs(middle), 0.5 * abs(middle)):
            if reach > width:
                around = (
                    bisect_right(self._distinct, middle + reach) - bisect_left(self._distinct, middle - reach) - own
                )
                most = max(most, max(around, 0.5) * width / (2 * reach))
        return most

    def spreads_of(self, mean: Slot) -> list[Slot]:
        """The places of the same artifact that differ from a mean's only by being its spread."""
        found: list[Slot] = []
        plain = mean.words - _MEANS
        for index in self.posting.get("std", ()):
            slot = self.slots[index]
            if slot.artifact == mean.artifact and slot.words - _MEANS == plain:
                found.append(slot)
        return found

    # --------------------------------------------------------------------------------------------------- words

    def label(self, text: str) -> Label:
        """Translate a label into the pool's words."""
        known = self._labels.get(text)
        if known is None:
            core, unit = split_unit(text)
            words = split_words(core)
            known = self._translate(words or split_words(text))
            if unit and words:
                known.unit = unit
                # A place that names the unit is known by it as well, but no place has to name it.
                mask = 1 << len(known.words)
                for word in split_words(unit_words(unit)):
                    if word in self.posting and word not in known.hits:
                        known.hits[word] = mask
                known.weights.append(0.0)
            self._labels[text] = known
        return known

    def _translate(self, words: tuple[str, ...]) -> Label:
        words = tuple(dict.fromkeys(words))[:60]
        hits: dict[str, int] = {}
        weights = [0.0] * len(words)

        def hit(word: str, mask: int) -> None:
            hits[word] = hits.get(word, 0) | mask

        for position, word in enumerate(words):
            if word in self.posting:
                hit(word, 1 << position)
            else:
                for other in self._akin(word):
                    hit(other, 1 << position)
            for length in (2, 3):
                joined = words[position : position + length]
                if len(joined) == length:
                    mask = ((1 << length) - 1) << position
                    for compound in ("".join(joined), initials(joined)):
                        if len(compound) > 1 and compound in self.posting and compound not in words:
                            hit(compound, mask)
        short = initials(words)
        if len(short) > 3 and short in self.posting:
            hit(short, (1 << len(words)) - 1)
        for word, mask in hits.items():
            rare = self.rarity[word]
            for position in range(len(words)):
                if mask >> position & 1:
                    weights[position] = max(weights[position], rare)
        return Label(words, hits, weights)

    def _akin(self, word: str) -> Iterator[str]:
        """Pool words that abbreviate a word, or that it abbreviates (at least three letters)."""
        if len(word) < 3 or word.isdigit():
            return
        start = bisect_left(self._vocabulary, word)
        for index in range(start, min(start + 4, len(self._vocabulary))):
            if self._vocabulary[index].startswith(word):
                yield self._vocabulary[index]
        for length in range(max(3, len(word) - 8), len(word)):
            if word[:length] in self.posting:
                yield word[:length]

    def slots_sharing(self, words: Iterable[str], least: float, gains: Mapping[str, float] | None = None) -> set[int]:
        """The slots that can share words that weigh ``least`` in all: they must know one of the heavier words.

        Args:
            words: The words.
            least: What the shared ones must weigh at least.
            gains: What each weighs; its rarity, if not given.
        """
        weights = self.rarity if gains is None else gains
        ordered = sorted(words, key=lambda word: (-weights[word], word))
        rest = sum(map(weights.__getitem__, ordered)) + 1e-9
        found: set[int] = set()
        for word in ordered:
            if rest < least:
                break
            found.update(self.posting[word])
            rest -= weights[word]
        return found

    def coverage_of(self, text: str) -> dict[int, tuple[float, frozenset[str]]]:
        """``coverage`` of a text, kept for the other claims that share it (a row, a column, a sentence)."""
        known = self._coverage.get(text)
        if known is None:
            known = self._coverage[text] = self.coverage(self.label(text))
        return known

    def coverage(self, label: Label) -> dict[int, tuple[float, frozenset[str]]]:
        """For each slot that knows at least half of a label: the share it knows, and which of its words did."""
        full = label.weight + _UNKNOWN * label.unknown
        sums: dict[int, float] = {}
        found: dict[int, tuple[float, frozenset[str]]] = {}
        known = frozenset(label.hits)
        # A word of a place may stand for several of the label, which another place made heavier ("knn", "k nearest").
        gains = {word: label.sum_of(mask) for word, mask in label.hits.items()}
        for index in sorted(self.slots_sharing(known, LEAST_SHARE * full, gains)):
            words = self.slots[index].words & known
            mask = 0
            for word in words:
                mask |= label.hits[word]
            share = sums.get(mask)
            if share is None:
                share = sums[mask] = label.sum_of(mask) / full
            if label.unit:
                unit = self.slots[index].unit
                if units_differ(label.unit, unit):
                    continue
                if label.unit not in (unit, "%"):
                    share *= _WITHOUT_UNIT
            if share >= LEAST_SHARE:
                found[index] = (share, words)
        return found


def _by_number(item: tuple[float, int, Value]) -> tuple[float, int]:
    return item[:2]


def _as_float(value: Value) -> float:
    return float(value.number)


def _place_of(value: Value) -> tuple[str, ...]:
    """The labels of a value without indices and counters: what stays equal along a history or a list."""
    return tuple(filter(None, map(_uncounted, value.labels)))


@lru_cache(maxsize=65536)
def _uncounted(label: str) -> str:
    """A label without its index or counter: nothing of ``epoch 3``, the model of ``linear seed 1``."""
    if label.isdigit():
        return ""
    name, _, number = label.rpartition(" ")
    before, _, counter = name.rpartition(" ")
    if name and number.isdigit() and counter.lower() in _COUNTERS:
        return before
    return label


_DIGITS = re.compile(r"\d+(?:\.\d+)?")


@lru_cache(maxsize=65536)
def _has_digit(text: str) -> bool:
    return _DIGITS.search(text) is not None


@lru_cache(maxsize=65536)
def _without_digits(label: str) -> str:
    return _DIGITS.sub("#", label)


@lru_cache(maxsize=65536)
def _set_of(text: str) -> frozenset[str]:
    return frozenset(split_words(text))


_NOTHING: frozenset[str] = frozenset()


def _words_of(value: Value) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The hard, soft and innermost words of a value."""
    labels = _place_of(value)
    path = _set_of(value.path)
    leaf = _set_of(labels[-1]) if labels else _NOTHING
    selector = value.selector
    pointer = selector[selector.index("/") :] if "/" in selector else ""
    if pointer:
        keys = {key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")}
        hard = path.union(leaf, *(_set_of(label) for label in labels if label in keys))
        soft = _NOTHING.union(*(_set_of(label) for label in labels if label not in keys))
    else:
        hard = path | leaf
        soft = _NOTHING.union(*map(_set_of, labels[:-1]))
    return hard, soft - hard, leaf
