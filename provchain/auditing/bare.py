"""Bare numbers, labels aside: to tell "stands nowhere" from "stands somewhere, who knows why"."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from decimal import Decimal

from provchain.linking.words import split_words
from provchain.model import Claim, Value
from provchain.numbers import Number, find_numbers

__all__ = ["BareNumbers", "RoundedNumbers", "is_weak"]

_MOST = 5  # places named for one number
_TELLING = 3  # significant digits from which on a number can be searched for by value


class BareNumbers:
    """Where numbers stand.

    Args:
        places: Each number with its place in words.

    Example:
        >>> from provchain.model import ClaimKind
        >>> claim = Claim("c", ClaimKind.NUMBER, "p.md", 1, 1, "0.50", "")
        >>> BareNumbers([(Decimal("0.5"), "a.json:/x")]).places(claim)
        ('a.json:/x',)
    """

    def __init__(self, places: Iterable[tuple[Decimal, str]]) -> None:
        self._places: dict[Decimal, list[str]] = {}
        for number, place in places:
            known = self._places.setdefault(number, [])
            if len(known) < 2 * _MOST:
                known.append(place)

    def places(self, claim: Claim) -> tuple[str, ...]:
        """The places at which a claim's number stands, exactly as it is or as the fraction of a percentage."""
        found = find_numbers(claim.written)
        if not found:
            return ()
        value = found[0].value
        same = self._places.get(value, ()) or (self._places.get(value / 100, ()) if found[0].percent else ())
        return tuple(same)


class RoundedNumbers:
    """Where a measure stands with a value that rounds to a number, so that a short number may be that value.

    Args:
        values: The values on record.

    Example:
        >>> from provchain.model import ClaimKind
        >>> value = Value("v", "m", "m.csv", "cell=2,3", "0.7547", Decimal("0.7547"), ("full", "f1"))
        >>> claim = Claim("c", ClaimKind.NUMBER, "p.md", 1, 1, "0.75", "Fine-tuning achieves an F1 of 0.75.")
        >>> RoundedNumbers([value]).places(claim)
        ('m.csv:cell=2,3',)
    """

    def __init__(self, values: Iterable[Value]) -> None:
        named = ((value, _names_of(value)) for value in values if value.labels)
        self._values = sorted(((v.number, v.id, v, names) for v, names in named if names), key=lambda item: item[:2])
        self._numbers = [item[0] for item in self._values]

    def stands_somewhere(self, claim: Claim) -> bool:
        """Whether any value on record rounds to a claim's number, whatever it is of."""
        found = find_numbers(claim.written)
        if not found or found[0].exact:
            return False
        return any(low < high for low, high in self._spans(found[0]))

    def _spans(self, number: Number) -> Iterator[tuple[int, int]]:
        """From where to where the values stand that round to a number, as it is and as the fraction of a percentage."""
        for scale in (1, 100) if number.percent else (1,):
            yield bisect_left(self._numbers, number.low / scale), bisect_right(self._numbers, number.high / scale)

    def places(self, claim: Claim) -> tuple[str, ...]:
        """The places whose measure, or whose row, stands in the claim's sentence, and whose value rounds to its number."""
        found = find_numbers(claim.written)
        if not found or claim.table is not None or found[0].exact:
            return ()
        number, words = found[0], frozenset(split_words(claim.text))
        places: dict[str, None] = {}
        for low, high in self._spans(number):
            for _, _, value, names in self._values[low:high]:
                if any(name <= words for name in names) and len(places) < _MOST:
                    places[f"{value.path}:{value.selector.partition(';')[0]}"] = None
        return tuple(places)


def _names_of(value: Value) -> list[frozenset[str]]:
    """The words of a value's measure, and those of the things it is of that have more than one word."""
    labels = [frozenset(split_words(label)) for label in value.labels]
    return [words for at, words in enumerate(labels) if words and (at == len(labels) - 1 or len(words) > 1)]


def is_weak(claim: Claim) -> bool:
    """Whether a claim's number is too short to be searched for by its value alone.

    Example:
        >>> from provchain.model import ClaimKind
        >>> [is_weak(Claim("c", ClaimKind.NUMBER, "p.md", 1, 1, text, "")) for text in ("40%", "1.000", "0.853")]
        [True, True, False]
    """
    found = find_numbers(claim.written)
    return bool(found) and len(found[0].value.normalize().as_tuple().digits) < _TELLING
