"""How one number is spelled in a data file, and when its place says that it is a percentage.

The reading of numbers in *manuscripts* (``provchain.numbers``) has to understand prose; files written by programs are
plainer, and there are many more of them, so this stays one regular expression and no more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import NamedTuple

from provchain.model import Value

__all__ = ["Quantity", "is_counter", "is_percent_label", "make_value", "read_decimal", "read_quantity"]

_MAX_LENGTH = 48  # characters of one number; more is a digest, a key or an attack
_MAX_EXPONENT = 300  # beyond that nothing is a measurement, and arithmetic on it is no longer bounded

# A whole cell: a number, perhaps with its spread, a percent sign and a short unit. Possessive: no backtracking.
_QUANTITY = re.compile(
    r"\s*+(?P<number>[-+\u2212]?+(?:\d++(?:,\d{3})*+(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?+\d++)?+)"
    r"(?:\s*+(?:\u00b1|\+/-|\\pm)\s*+(?P<spread>\d++(?:\.\d*+)?+(?:[eE][-+]?+\d++)?+))?+"
    r"\s*+(?P<percent>%)?+\s*+(?:[A-Za-z\u00b5]{1,4}+(?:/[A-Za-z]{1,4}+)?+)?+\s*+"
)
_PERCENT = re.compile(r"%|percent|(?:^|[_\W])pct(?:$|[_\W])", re.IGNORECASE)
_COUNTERS_WORDS = """
epoch epochs step steps iter iteration iterations fold round seed trial run batch episode generation example
sample replicate repeat checkpoint
"""
_COUNTERS = frozenset(_COUNTERS_WORDS.split())
_COUNTED_BEFORE = re.compile(r"(?:random|rng|cv|outer|inner|train(?:ing)?)[ _-]")  # random_seed, cv_fold


class Quantity(NamedTuple):
    """A cell that holds a number: as written, its spread (or empty), and whether a percent sign follows."""

    lexical: str
    spread: str
    percent: bool


def read_quantity(text: str) -> Quantity | None:
    """Read a cell or a string that is a number as a whole.

    Example:
        >>> read_quantity("0.915 ± 0.008")
        Quantity(lexical='0.915', spread='0.008', percent=False)
        >>> read_quantity("Model 3") is None
        True
    """
    if not text or len(text) > 2 * _MAX_LENGTH or not any("0" <= letter <= "9" for letter in text[:_MAX_LENGTH]):
        return None
    found = _QUANTITY.fullmatch(text)
    if found is None:
        return None
    return Quantity(found["number"], found["spread"] or "", bool(found["percent"]))


def read_decimal(lexical: str) -> Decimal | None:
    """Turn a number's spelling into its value; ``None`` for infinities, digests and absurd exponents.

    Example:
        >>> read_decimal("1,234.50"), read_decimal("1e999999")
        (Decimal('1234.50'), None)
    """
    if len(lexical) > _MAX_LENGTH:
        return None
    try:
        number = Decimal(lexical.replace(",", "").replace("\u2212", "-"))
    except (InvalidOperation, ValueError):
        return None
    if not number.is_finite() or (number and abs(number.adjusted()) > _MAX_EXPONENT):
        return None
    return number


@lru_cache(maxsize=4096)
def is_percent_label(label: str) -> bool:
    """Whether a key or header says that its numbers are percentages.

    Example:
        >>> is_percent_label("data_reduction_pct"), is_percent_label("accuracy")
        (True, False)
    """
    return _PERCENT.search(label) is not None


def is_counter(name: str) -> bool:
    """Whether numbers of that name count things off (epoch, seed, fold) rather than measure them."""
    name = _COUNTED_BEFORE.sub("", name.strip().lower(), count=1)
    return name in _COUNTERS or name.endswith(("_id", " id", "_idx", "_index"))


def make_value(
    artifact: str, path: str, selector: str, lexical: str, labels: Sequence[str], *, percent: bool
) -> Value | None:
    """Make the record of one number, or ``None`` where its spelling is no finite number."""
    number = read_decimal(lexical)
    if number is None:
        return None
    return Value(
        id=f"{artifact}!{selector}",
        artifact=artifact,
        path=path,
        selector=selector,
        lexical=lexical,
        number=number,
        labels=tuple(labels),
        percent=percent or (bool(labels) and is_percent_label(labels[-1])),
    )
