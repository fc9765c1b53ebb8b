"""Numbers of a manuscript that stand in the proposal already, said of the same thing.

A number that was planned may well have been used or reached: that shows where code, output or files hold it. Here only the
proposal is looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal

from msgspec import Struct

from provchain.history import History
from provchain.linking.words import split_words
from provchain.model import Artifact, Claim, ClaimKind, Kind, Place
from provchain.numbers import Number, find_numbers

__all__ = ["PlannedNumber", "PlannedNumbers", "proposals_of", "what_ran"]

_MOST_TEXT = 400_000  # characters of a proposal that are read
_RAN = (Kind.SCRIPT, Kind.CONFIG, Kind.RESULT, Kind.DATA, Kind.LOG, Kind.STREAM, Kind.OTHER)
_AROUND = 90  # characters on both sides of a number that say what it is
_TELLING = 3  # significant digits from which on a number is seldom met by chance
_NOTHING_SAID = frozenset(
    """result method model approach experiment our show achieve about over up least more data dataset with using used we
    based each per all from into than other such can will""".split()  # noqa: SIM905
)


class PlannedNumber(Struct, frozen=True):
    """A number of a proposal.

    Attributes:
        place: Where it stands.
        number: The number.
        words: The words around it.
        before: The word right before it.
        after: The two words right behind it.
    """

    place: Place
    number: Number
    words: frozenset[str]
    before: str = ""
    after: tuple[str, ...] = ()


def what_ran(history: History) -> str:
    """Everything that ran and what came of it, as text: code, configurations, commands, results and output.

    Args:
        history: What became of the study.
    """
    texts = (history.texts.get(a.id, "")[:_MOST_TEXT] for a in history.study.artifacts if a.kind in _RAN)
    return "\n".join([*dict.fromkeys(texts), *(execution.command for execution in history.study.executions)])


def proposals_of(artifacts: Iterable[Artifact], texts: Mapping[str, str]) -> dict[str, str]:
    """The proposals, each in the first state that is known: what was added to it later is no plan.

    Args:
        artifacts: The artifacts of a study.
        texts: What they hold.

    Returns:
        Path of each proposal to its text.
    """
    found: dict[str, str] = {}
    for artifact in artifacts:
        if artifact.kind is Kind.PROPOSAL and artifact.id in texts:
            found.setdefault(artifact.path, texts[artifact.id][:_MOST_TEXT])
    return found


class PlannedNumbers:
    """Finds the numbers of manuscripts in the proposals.

    Args:
        proposals: Path of each proposal to its text.
        ran: Everything that ran, as text: code, commands, output. A count of what it names may come from the data.

    Example:
        >>> planned = PlannedNumbers({"proposal.md": "Hardware: 16 A100 GPUs for training."})
        >>> claim = Claim("c", ClaimKind.NUMBER, "p.md", 1, 18, "16", "We trained on the 16 A100 GPUs of our cluster.")
        >>> planned.of(claim).place.locator
        '1'
    """

    def __init__(self, proposals: Mapping[str, str], ran: Callable[[], str] = str) -> None:
        self._read = ran
        self._ran: str | None = None
        self._by_value: dict[Decimal, list[PlannedNumber]] = defaultdict(list)
        for path, text in proposals.items():
            starts = [0, *(found.end() for found in re.finditer("\n", text))]
            for number in find_numbers(text):
                if number.shape == "number":
                    place = Place(path, str(bisect_right(starts, number.start)))
                    sides = text[max(0, number.start - _AROUND) : number.start], text[number.end :][:_AROUND]
                    self._by_value[number.value].append(PlannedNumber(place, number, _words(*sides), *_beside(*sides)))

    def of(self, claim: Claim) -> PlannedNumber | None:
        """The planned number that a claim repeats: the same digits and unit, and enough of the words around it."""
        if claim.kind is not ClaimKind.NUMBER or not self._by_value:
            return None
        numbers = find_numbers(claim.written)
        if len(numbers) != 1:
            return None
        number = numbers[0]
        if number.significant < 2 and not (number.percent or number.unit):
            return None
        if claim.table is not None:
            words = frozenset(split_words(f"{claim.row or ''} {claim.header or ''}")) - _NOTHING_SAID
            beside: tuple[str, tuple[str, ...]] = ("", ())
        else:
            at = max(claim.start, 0)
            sides = claim.text[max(0, at - _AROUND) : at], claim.text[at + len(claim.written) :][:_AROUND]
            if _PER.search(sides[0]):
                return None  # a unit of measure, and nothing that was planned
            words, beside = _words(*sides), _beside(*sides)
        asked = PlannedNumber(Place(claim.path, str(claim.line)), number, words, *beside)
        found = next((p for p in self._by_value.get(number.value, ()) if _is_same(p, asked)), None)
        counts = number.decimals == 0 and not number.percent and number.unit in ("", "k", "M")
        return None if found is None or (counts and self._is_at_hand(claim, number)) else found

    def _is_at_hand(self, claim: Claim, number: Number) -> bool:
        """Whether what ran names all that a number counts, or is given the number itself (``make_moons(2000)``)."""
        counted = _NAME.findall(_CLAUSE.split(claim.text[claim.start + len(claim.written) :])[0])[:2]
        called = [word for word in _NAME.findall(claim.text) if not word[1:].islower()]
        if self._ran is None:
            self._ran = self._read().lower()
        if number.significant >= _TELLING and re.search(
            rf"[=(,\[] ?{number.value:f}(?![\d.])", self._ran.replace("_", "")
        ):
            return True
        return any(words and all(w.lower().rstrip("s") in self._ran for w in words) for words in (counted, called))

    def place_of(self, claim: Claim) -> str:
        """Where that number stands, ``path:line``, or empty."""
        found = self.of(claim)
        return f"{found.place.path}:{found.place.locator}" if found is not None else ""


_PER = re.compile(r"\bper\s+$", re.IGNORECASE)


def _is_same(planned: PlannedNumber, asked: PlannedNumber) -> bool:
    number = asked.number
    if planned.number.percent != number.percent or planned.number.unit != number.unit:
        return False
    shared = [word for word in asked.words & planned.words if len(word) > 2 and not word.isdigit()]
    if not number.exact or number.percent or number.unit:
        return len(shared) >= (1 if number.significant >= _TELLING else 2)
    # Of a count the very thing that is counted, or set, must be the same.
    if len(asked.after) == 2 and asked.after == planned.after:
        return True
    counted = bool(asked.after) and asked.after[:1] == planned.after[:1]
    named = bool(asked.before) and asked.before == planned.before
    return (counted or named) and len(shared) >= (1 if number.significant >= _TELLING else 2)


def _beside(before: str, after: str) -> tuple[str, tuple[str, ...]]:
    """The word right before a number, and the two right behind it, where no other clause begins between."""
    left = _CLAUSE.split(before)[-1]
    right = _CLAUSE.split(after)[0]
    return next(iter(reversed(split_words(left))), ""), split_words(right)[:2]


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]{2,}")
_CLAUSE = re.compile(r"[,;:()\[\]|]|\.\s|\n")


def _words(before: str, after: str) -> frozenset[str]:
    return frozenset(split_words(f"{before} {after}")) - _NOTHING_SAID
