"""Units in labels: ``latency (ms)``, ``latency [ms]``, ``latency, ms``, ``share in %``, ``density (kg/m³)``.

A unit says how a quantity is written, not which quantity it is. A label that a manuscript gives a unit still means the
key that has none; where both have one, they must be the same.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

__all__ = ["CONVERSIONS", "key_unit", "split_unit", "unit_words", "units_differ", "without_unit"]

CONVERSIONS = tuple(map(Decimal, ("1.024", "1.048576", "1.073741824", "1.609344", "3.6")))
"""Factors below ten by which a number in one unit differs from the same in another (MiB and MB, miles, km/h)."""

_MAX_LABEL = 200  # characters of a label; what is longer is a sentence

# One spelling for many. What stands in no bracket is a unit only by one of these, too.
_SPELLINGS = {
    "%": "percent pct percentage",
    "s": "sec secs second seconds",
    "ms": "msec msecs millisecond milliseconds",
    "us": "usec microsecond microseconds",
    "ns": "nsec nanosecond nanoseconds",
    "min": "mins minute minutes",
    "h": "hr hrs hour hours",
    "day": "days",
    "bytes": "byte",
    "kb": "kilobyte kilobytes kib",  # who writes MB often counts MiB
    "mb": "megabyte megabytes mib",
    "gb": "gigabyte gigabytes gib",
    "tb": "terabyte terabytes tib",
    "m": "meter meters metre metres",
    "km": "kilometer kilometers kilometre kilometres",
    "kg": "kilogram kilograms",
    "g": "gram grams",
    "degc": "celsius",
    "usd": "$ dollar dollars",
    "eur": "€ euro euros",
    "gbp": "£",
    "db": "decibel decibels",
}
_OTHERS = """
hz khz mhz ghz cm mm um nm mg ug ml dl kw mw wh kwh mwh kj mj ev kev mev mv ma pa hpa kpa mpa mbar bar mol mmol
umol chf jpy fps flops gflops tflops pp rpm ppm ppb degf degk lux
"""
_KNOWN = frozenset(_SPELLINGS) | frozenset(_OTHERS.split())
_ALIASES = {written: unit for unit, spellings in _SPELLINGS.items() for written in spellings.split()}
# Single letters are as often a name, a panel or a multiplier (M) as a unit.
_LETTERS = frozenset("s h m g W V J".split())  # noqa: SIM905
# Only as a part: "tokens/s" is a unit, "(tokens)" says what was counted.
_PARTS_WORDS = """
l n k a v w j b c t d token tok sample img image frame it iter step request req query op item point year yr ha person
capita
"""
_PARTS = frozenset(_PARTS_WORDS.split())
_PLAIN = str.maketrans(
    {"²": "2", "³": "3", "⁻": "-", "¹": "1", "µ": "u", "μ": "u", "°": "deg", "·": " ", "^": "", "*": " "}
)
_PART = re.compile(r"([a-z%$€£]+)(-?\d)?")

_BRACKETS = re.compile(r"(?<=[\s_])[(\[]\s*([^()\[\]]{1,24}?)\s*[)\]]|(?<=\w)\[\s*([^()\[\]]{1,24}?)\s*\]")
_BEHIND = re.compile(r"(?:\s*,\s*(?:in\s+)?|\s+in\s+|\s+/\s+)([^\s,]{1,16})\s*$")
_BETTER = re.compile(
    r"\(\s*(?:{0})\s*(?:is|=|are)\s*better\s*\)|[,;]?\s*\b(?:{0})\s*(?:is|=|are)\s*better\b"
    r"|[,;]?\s*(?:[↑↓↗↘⬆⬇]|\\(?:up|down)arrow\b)".format("higher|lower|larger|smaller|bigger|more|less|fewer|greater"),
    re.IGNORECASE,
)
_KEY_WORD = re.compile(r"(?:^|.*[_\W])([A-Za-z]+|%)\W*$|.*[a-z](Ms|Mb|Gb|Kb|Pct|MB|GB|KB)$")
_PER = re.compile(r"(?:^|[_\W])(?:per|[a-z]+\d)[_\W]+[A-Za-z]+\W*$")  # tokens_per_s, flow_m3_s
_STATISTIC = re.compile(r"[_\W]+(?:mean|median|avg|average|std|sd|min|max|total|p\d\d?)$", re.IGNORECASE)
# A key that is nothing but one of these words says its unit; "second" counts as often, and "s" is a name.
_WHOLE_KEYS = frozenset("seconds secs milliseconds microseconds nanoseconds bytes kilobytes megabytes".split())  # noqa: SIM905
_NO_KEY_UNITS = frozenset(["min", "m", "g", "h", "bar", "pp", "day"])  # loss_min is a minimum


@lru_cache(maxsize=16384)
def _canonical(text: str) -> str:
    """The one spelling of a unit, or empty where a text is none."""
    text = text.strip()
    if len(text) == 1 and text.isalpha():
        return text.lower() if text in _LETTERS else ""
    lowered = text.translate(_PLAIN).lower().strip()
    plain = _ALIASES.get(lowered, lowered)
    if plain in _KNOWN:
        return plain
    parts: list[str] = []
    for side in re.split(r"\s*/\s*|\s+per\s+", lowered)[:3]:
        words = side.split()
        if not 1 <= len(words) <= 3:
            return ""
        for word in words:
            found = _PART.fullmatch(word)
            if found is None:
                return ""
            name = _ALIASES.get(found[1], found[1])
            if name not in _KNOWN and name not in _PARTS and name.removesuffix("s") not in _PARTS:
                return ""
            parts.append(name + (found[2] or ""))
        parts.append("/")
    parts.pop()
    return " ".join(parts) if len(parts) > 1 or parts[0][-1].isdigit() else ""


@lru_cache(maxsize=16384)
def split_unit(label: str) -> tuple[str, str]:
    """Split a label into what it names and its unit, in one spelling; the unit is empty where it gives none.

    Marks of the better direction go as well.

    Example:
        >>> split_unit("median latency [ms]"), split_unit("share in %"), split_unit("Peak flow (m³/s) ↑")
        (('median latency', 'ms'), ('share', '%'), ('Peak flow', 'm3 / s'))
        >>> split_unit("accuracy (images)"), split_unit("Params (M)")
        (('accuracy (images)', ''), ('Params (M)', ''))
    """
    if len(label) > _MAX_LABEL:
        return label, ""
    text = _BETTER.sub(" ", label).strip()
    for found in _BRACKETS.finditer(text):
        unit = _canonical(found[1] or found[2])
        if unit:
            return f"{text[: found.start()]} {text[found.end() :]}".strip(), unit
    behind = _BEHIND.search(text)
    if behind is not None and (unit := _canonical(behind[1])):
        return text[: behind.start()].strip(), unit
    return text, ""


def without_unit(label: str) -> str:
    """What a label names, without its unit and the mark of the better direction.

    Example:
        >>> without_unit("Error rate (%, lower is better)"), without_unit("Density, kg/m3")
        ('Error rate', 'Density')
    """
    return split_unit(label)[0]


@lru_cache(maxsize=16384)
def key_unit(label: str) -> str:
    """The unit that a key or a column of a data file names: in brackets, or as its last word but for a statistic.

    Example:
        >>> key_unit("latency_ms"), key_unit("time (s)"), key_unit("loss_min"), key_unit("s"), key_unit("tokens_per_s")
        ('ms', 's', '', '', '')
        >>> key_unit("time_us_median"), key_unit("seconds"), key_unit("min")
        ('us', 's', '')
    """
    unit = split_unit(label)[1]
    if unit or len(label) > _MAX_LABEL:
        return unit
    label = _STATISTIC.sub("", label)
    found = _KEY_WORD.match(label)
    if found is None:
        return ""
    word = (found[1] or found[2]).lower()
    if (word == label.strip().lower() and word not in _WHOLE_KEYS) or _PER.search(label):
        return ""
    unit = _ALIASES.get(word, word)
    return unit if unit in _KNOWN | {"s"} and word not in _NO_KEY_UNITS else ""


def units_differ(label: str, key: str) -> bool:
    """Whether a label names another unit than a place does.

    Args:
        label: The unit of the label, or empty.
        key: The unit of the place, or empty.

    Example:
        >>> units_differ("ms", "s"), units_differ("ms", ""), units_differ("tokens / s", "s")
        (True, False, False)
    """
    return bool(label and key) and label != key and " " not in label and " " not in key


@lru_cache(maxsize=1024)
def unit_words(unit: str) -> str:
    """All spellings of a simple unit, to be looked for among the words of a key.

    Example:
        >>> unit_words("ms"), unit_words("m3 / s")
        ('ms msec msecs millisecond milliseconds', '')
    """
    return " ".join((unit, _SPELLINGS.get(unit, ""))).strip() if unit in _KNOWN else ""
