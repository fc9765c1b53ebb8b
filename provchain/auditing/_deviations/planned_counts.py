"""How many of what a proposal plans: seeds, epochs, samples, a batch size.

Only exact numbers in the set-up are read. What is planned ``up to`` or ``about`` a number, as a range, as an option or as an
example is no number that anything could deviate from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from msgspec import Struct

from provchain.auditing._deviations.planned_sections import plan_lines
from provchain.model import Place

__all__ = ["PlannedCount", "planned_counts"]

_MOST = 200  # numbers of one proposal


class PlannedCount(Struct, frozen=True):
    """How many of something a plan says.

    Attributes:
        noun: What is counted or set, as one word (``"seed"``, ``"epoch"``, ``"batch size"``, ``"participant"``).
        number: How many.
        written: As it stands there.
        place: Where, its locator ``line:column``.
    """

    noun: str
    number: Decimal
    written: str
    place: Place


_NUMBER = re.compile(
    r"(?<![\w.,^{_\\=<>≥≤~≈$-])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)([kKM])?\s+((?:[A-Za-z][\w-]*\s+){0,2}?)([A-Za-z][a-z-]{2,}s)\b"
)
_NUMBER_WORDS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
}
_SPELLED = re.compile(
    r"\b(two|three|four|five|six|seven|eight|nine|ten|twelve)\s+((?:[a-z][\w-]*\s+){0,2}?)"
    r"(seeds|runs|trials|folds|repetitions)\b",
    re.IGNORECASE,
)
_SET = re.compile(
    r"\b(batch size|learning rate)(?:\s+of|\s+is|\s+set to|\s*[:=])?\s+\$?(\d+(?:\.\d+)?(?:e-?\d+)?)"
    r"(?!\w|[,.]\d|\^|\s*[\\×–-])",
    re.IGNORECASE,
)
_INEXACT = re.compile(
    r"\b(?:figure|fig\.|table|section|step|phase|stage|equation|eq\.|round|version|chapter)\s*$"
    r"|(?:\b(?:up to|at (?:most|least)|about|approx\w*\.?|around|roughly|over|more than|less than|fewer than|under|between|from"
    r"|per|e\.\s?g\.,?|such as|first|last|every|within|top|or|and|to|next|minimum(?: of)?|maximum(?: of)?|for each"
    r"|of (?:the|these|those))|[~≈<>≥≤–-])\s*(?:the\s+|a\s+)?(?:\w+\s)?$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\b(?:et al|prior|previous(?:ly)?|existing work|typical\w*|literature|for example|e\.g\.|pilot|initial(?:ly)?|preliminary"
    r"|phase \d|optional\w*|could|may|might|expect\w*|anticipat\w*|warm-?up|patience|early stopping|pre-?train\w*|decay"
    r"|schedule|ablation|sweep|grid|tun(?:ed?|ing))\b",
    re.IGNORECASE,
)
_SEED_WORDS = frozenset(["seed", "run", "trial", "repetition", "repeat"])
_UNCOUNTED = frozenset(
    """month year week day hour minute second percent point time step-size layer head unit dimension token gpu cpu core
    parameter class option way level bit node author reference page section objective contribution component stage phase
    part kind type goal direction aspect factor question-type scenario axis axe dataset benchmark baseline model metric
    signal task method language domain condition category group modality repositorie repository star interview session metre
    meter line character word byte context""".split()  # noqa: SIM905
)


def planned_counts(proposals: Mapping[str, str]) -> list[PlannedCount]:
    """Find how many of what proposals say.

    Args:
        proposals: Path of each proposal to its text.

    Example:
        >>> text = "# Experiments\\nEach is run with 5 random seeds for up to 100 epochs, batch size 16.\\n"
        >>> [(one.noun, str(one.number), one.place.locator) for one in planned_counts({"proposal.md": text})]
        [('seed', '5', '2:18'), ('batch size', '16', '2:66')]
    """
    found: list[PlannedCount] = []
    for path, text in proposals.items():
        for line in plan_lines(text):
            for noun, number, written, start in _counts_of(line.text):
                if len(found) < _MOST:
                    found.append(PlannedCount(noun, number, written, Place(path, f"{line.number}:{start + 1}")))
    return found


def _counts_of(text: str) -> Iterator[tuple[str, Decimal, str, int]]:
    for match in _NUMBER.finditer(text):
        noun = _singular(match[4])
        if noun in _UNCOUNTED or _ASIDE.search(match[3]) or _is_inexact(text, match.start()):
            continue
        if noun in _SEED_WORDS and noun != "seed":
            if not re.search(r"seed|random|independent|repeat|averag", text, re.IGNORECASE):
                continue
            noun = "seed"
        number = Decimal(match[1].replace(",", "")) * {"k": 1000, "K": 1000, "M": 1_000_000}.get(match[2] or "", 1)
        if number == number.to_integral_value():
            yield noun, number, match[1] + (match[2] or ""), match.start()
    for match in _SPELLED.finditer(text):
        noun = _singular(match[3].lower())
        seeds = re.search(r"seed|random|independent|repeat|averag", text, re.IGNORECASE)
        if not _is_inexact(text, match.start()) and (seeds or noun == "fold"):
            number = Decimal(_NUMBER_WORDS[match[1].lower()])
            yield "seed" if noun in _SEED_WORDS else noun, number, match[1], match.start()
    for match in _SET.finditer(text):
        if not _is_inexact(text, match.start()):
            yield match[1].lower(), Decimal(match[2]), match[2], match.start(2)


def _is_inexact(text: str, start: int) -> bool:
    clause = re.split(r"[.;](?:\s|$)", text[:start])[-1]
    return _INEXACT.search(text[max(0, start - 40) : start]) is not None or _ASIDE.search(clause) is not None


def _singular(noun: str) -> str:
    word = noun.lower()
    return word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
