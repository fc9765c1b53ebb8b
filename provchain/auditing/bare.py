"""Bare numbers, labels aside: to tell "stands nowhere" from "stands somewhere, who knows why"."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from provchain.model import Claim
from provchain.numbers import find_numbers

__all__ = ["BareNumbers", "is_weak"]

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


def is_weak(claim: Claim) -> bool:
    """Whether a claim's number is too short to be searched for by its value alone.

    Example:
        >>> from provchain.model import ClaimKind
        >>> [is_weak(Claim("c", ClaimKind.NUMBER, "p.md", 1, 1, text, "")) for text in ("40%", "1.000", "0.853")]
        [True, True, False]
    """
    found = find_numbers(claim.written)
    return bool(found) and len(found[0].value.normalize().as_tuple().digits) < _TELLING
