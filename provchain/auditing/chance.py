"""How many of a manuscript's numbers would be found where they cannot come from: a control beside every report.

The same matching is run against a decoy. Either the values of another study; or, where none is given, the study's own places
with other digits: every number is moved by up to a tenth of itself, so that all labels and sizes are as before and no number
is what it was. What still agrees does so by chance.

Source: docs/reference/matching.md, 5.9.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path

import msgspec
from msgspec import Struct

from provchain.auditing.closure import Closure
from provchain.auditing.evidence import gather_evidence
from provchain.auditing.reading import read_study
from provchain.history import reconstruct
from provchain.linking import find_links
from provchain.model import Claim, ClaimKind, ClaimRole, Tier, Value

__all__ = ["OTHER_DIGITS", "ChanceMatch", "chance_match", "read_decoy"]

OTHER_DIGITS = "its own places under other digits"
_MOST_CLAIMS = 1_000
_MOST_VALUES = 20_000
_TENTH = Decimal("0.1")
_STEPS = 1_000


class ChanceMatch(Struct, frozen=True):
    """What the control found.

    Attributes:
        decoy: What was matched against.
        numbers: Numbers that report results and were matched.
        matched: How many of them agreed with something.

    Example:
        >>> ChanceMatch(OTHER_DIGITS, 200, 3).rate
        0.015
    """

    decoy: str
    numbers: int
    matched: int

    @property
    def rate(self) -> float:
        """The share that agreed; 0 where there was nothing to match."""
        return self.matched / self.numbers if self.numbers else 0.0


def chance_match(claims: Sequence[Claim], values: Iterable[Value], decoy: str = OTHER_DIGITS) -> ChanceMatch:
    """Match the numbers of a study against a decoy.

    Args:
        claims: The claims of its manuscripts.
        values: Its own values, or those of another study.
        decoy: Name of the other study; by default the values are the study's own, and their digits are changed.

    Returns:
        How many were matched, and how many agreed with something.

    Example:
        >>> claim = Claim("c", ClaimKind.NUMBER, "p.md", 1, 1, "0.9667", "The SVM reaches 0.9667.", measured=True)
        >>> value = Value("m.json#1!/svm", "m.json#1", "m.json", "/svm", "0.96667", Decimal("0.96667"), ("svm",))
        >>> chance_match([claim], [value]).matched, chance_match([claim], [value], "another study").matched
        (0, 1)
    """
    numbers = [
        claim
        for claim in claims
        if claim.measured and claim.kind is ClaimKind.NUMBER and claim.role is ClaimRole.RESULT
    ][:_MOST_CLAIMS]
    pool = list(values)[:_MOST_VALUES]
    if decoy == OTHER_DIGITS:
        pool = [_with_other_digits(value) for value in pool]
    links = find_links(numbers, pool, figures={})
    agreed = {link.claim for link in links if link.agrees and link.tier in (Tier.LABELS, Tier.LONE)}
    return ChanceMatch(decoy, len(numbers), len(agreed))


def read_decoy(path: Path) -> list[Value]:
    """Read the values that the executions of another study left.

    Args:
        path: The directory of its run.

    Returns:
        The values that claims of its manuscripts might rest on.

    Raises:
        SourceError: It could not be read.
    """
    reading = read_study(path, None)
    history = reconstruct(reading.sources, reading.traces, reading.files)
    return gather_evidence(history.study, history.texts, reading.papers, Closure(history.study)).found


def _with_other_digits(value: Value) -> Value:
    """A value that is off by up to a tenth, by at least one step of its last place, and the same on every machine."""
    number = value.number
    exponent = number.as_tuple().exponent
    step = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
    drawn = int.from_bytes(hashlib.sha256(value.id.encode("utf-8", "surrogatepass")).digest()[:4])
    share = Decimal(drawn % _STEPS + 1) / _STEPS
    away = max(abs(number) * _TENTH * share, step)
    other = number - away if drawn & 1 << 31 or 0 <= number <= 1 < number + away else number + away
    other = other.quantize(step) if exponent != other.as_tuple().exponent else other
    return msgspec.structs.replace(value, number=other, lexical=format(other, "f"))
