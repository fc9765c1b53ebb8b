r"""Numbers as people write them: where they stand, what they stand for, which value could have been written so.

Knows notation only, no manuscript and no result file. Everything is :class:`~decimal.Decimal`; a binary float would
turn ``0.85`` into something that rounds elsewhere. Reading is linear in the text and never fails on any text.

Spec: docs/reference/matching.md, 5.1 to 5.4 (reading, intervals, scale, uncertainty).
"""

from __future__ import annotations

import re
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_DOWN, Context, Decimal
from typing import Literal

from msgspec import Struct, structs

from provchain.errors import NotANumberError
from provchain.numbers._context import Shape, Surroundings

__all__ = ["Match", "Number", "find_numbers", "match_number", "read_number"]

_MAX_DIGITS = 40  # longer runs of digits are digests and keys, not measurements
_MAX_EXPONENT = 330  # beyond what a binary double holds nobody measured anything
# Wide enough for every number that the two limits admit, so that sums and products are exact; signals never raise.
_EXACT = Context(prec=min(2000, MAX_PREC), Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
_CUT = Context(prec=min(2000, MAX_PREC), rounding=ROUND_DOWN, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])

MatchKind = Literal["verbatim", "rounded", "truncated", "last digit"]


class Number(Struct, frozen=True):
    """A number exactly as it stands in a text, and what it stands for.

    Attributes:
        written: The exact substring, from the sign to the percent sign, scale word or glued unit.
        value: Its value in its own unit: ``85.3`` for ``85.3%``, ``5000`` for ``5k``.
        decimals: Digits after the point, as written.
        significant: Significant digits as written; trailing zeros count.
        percent: A percent sign stands after it, or after the range that it begins.
        unit: ``""``, ``s``, ``ms``, ``min``, ``h``, ``MB``, ``GB``, ``x``, ``k``, ``M`` ...
        modifier: ``""``, ``~``, ``<``, ``>``, ``<=`` or ``>=``, from a sign or from words before it.
        uncertainty: What stands after ± or in ``(3)``.
        start: Offset of ``written`` in the text.
        end: Offset behind it.
        shape: ``number``, or why it is none: ``version``, ``date``, ``time``, ``year``, ``identifier``.
        last_place: The power of ten of the last digit written: -2 for ``0.85``, 3 for ``5k``, -4 for ``1.2e-3``.

    Example:
        >>> number = find_numbers("accuracy rose to 85.3 % (about)")[0]
        >>> number.written, number.low, number.high
        ('85.3 %', Decimal('85.25'), Decimal('85.35'))

    Spec: docs/reference/matching.md, 5.1, 5.2.
    """

    written: str
    value: Decimal
    decimals: int
    significant: int
    percent: bool
    unit: str
    modifier: str
    uncertainty: Decimal | None
    start: int
    end: int
    shape: Shape = "number"
    last_place: int = 0

    @property
    def exact(self) -> bool:
        """Whether it stands for one value, being a count. With a percent sign or a unit it is a measurement."""
        return self.last_place == 0 and self.decimals == 0 and not (self.percent or self.unit) and self.modifier != "~"

    @property
    def half_width(self) -> Decimal:
        """Half of the interval of values that round to it."""
        if self.exact:
            return Decimal(0)
        half = Decimal(5).scaleb(self.last_place - 1)
        if self.modifier == "~" and self.decimals == 0 and self.value:
            # "about 300" does not promise its zeros; a tenth of the value is the most that "about" is good for.
            digits = f"{abs(self.value):f}".partition(".")[0]
            zeros = len(digits) - len(digits.rstrip("0"))
            loose = min(Decimal(5).scaleb(max(zeros, self.last_place) - 1), _EXACT.divide(abs(self.value), Decimal(10)))
            half = max(half, loose)
        return half

    @property
    def low(self) -> Decimal:
        """The lowest value that can be written so; without a lower bound for ``<`` and ``<=``."""
        if self.modifier in ("<", "<="):
            return Decimal("-Infinity")
        return self.value if self.modifier in (">", ">=") else _EXACT.subtract(self.value, self.half_width)

    @property
    def high(self) -> Decimal:
        """The highest value that can be written so; without an upper bound for ``>`` and ``>=``."""
        if self.modifier in (">", ">="):
            return Decimal("Infinity")
        return self.value if self.modifier in ("<", "<=") else _EXACT.add(self.value, self.half_width)

    def contains(self, value: Decimal, *, scale: int = 1) -> bool:
        """Decide whether a value could have been written so, both ends of the interval included.

        Args:
            value: The value, as a result file has it.
            scale: What to multiply it with first (100 for a fraction written in percent).

        Returns:
            Whether it lies in the interval; never for NaN and infinities.

        Example:
            >>> read_number("0.85").contains(Decimal("0.845")), read_number("85%").contains(Decimal("0.853"), scale=100)
            (True, True)
        """
        return value.is_finite() and self.low <= _EXACT.multiply(value, Decimal(scale)) <= self.high


class Match(Struct, frozen=True):
    """How a value fits a number as written; ``truncated`` and ``last digit`` are weaker kinds and to be reported.

    Attributes:
        kind: How it fits.
        scale: What the value was multiplied with.
    """

    kind: MatchKind
    scale: Literal[1, 100]


# ------------------------------------------------------------------------------------------------------- notation

_SP = r"[ \t\u00a0\u2007\u2009\u200a\u202f]"
_GROUP = r"(?:,|\{,\}|\\,|[\u00a0\u2009\u202f])"
_MARK = r"(?:\*\*|__|\*|_)?"
_DIGIT = re.compile(r"[0-9]")
_CORE = re.compile(
    # Each alternative is possessive or bounded: no text makes it look at a character more than a few times.
    r"(?P<date>(?<![\w.])(?:[0-9]{4}(?P<sep>[-/.])[0-9]{1,2}(?P=sep)[0-9]{1,2}"
    r"(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
    r"|[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}|(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])(?!-))(?![\w]))"
    r"|(?P<time>(?<![\w.:])(?:[01][0-9]|2[0-4]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?(?![\w:])"
    r"|(?<![\w.])[0-9]{1,4}[hm][0-9]{1,2}(?:m[0-9]{1,2})?(?:\.[0-9]{1,3})?[ms]\b)"
    r"|(?P<version>[0-9]++(?:\.[0-9]++){2,})"
    rf"|(?P<number>(?:(?<![0-9],)[1-9][0-9]{{0,2}}(?:{_GROUP}[0-9]{{3}}){{1,8}}(?![0-9]|,[0-9])|[0-9]++)(?:\.[0-9]++)?"
    r"|(?<![\w.)\]])\.[0-9]++)"
)
_LEADING_DIGITS = re.compile(r"[0-9]{1,40}")
_NOTHING_FOLLOWS = ("", "\n", "|", ",", ".", ";", ":", "]", "/")
_NOT_DIGIT = re.compile(r"[^0-9.]")
_EXPONENT = re.compile(r"[eE]([+\-−]?[0-9]++)(?![A-Za-z0-9_])")
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−–", "0123456789-+--")
_POWER_OF_TEN = (
    rf"(?:\^\{{?{_SP}?(?P<caret>[+\-−–]?[0-9]{{1,6}})\}}?|(?P<raised>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,6}})"
    r"|<sup>(?P<html>[+\-−–]?[0-9]{1,6})</sup>)"
)
_POWER = re.compile(_POWER_OF_TEN)
_TIMES_POWER = re.compile(
    rf"{_SP}{{0,2}}\$?(?:\\[!,;])?{_SP}?(?:\\times|\\cdot|[×·⋅∙*x]){_SP}{{0,2}}(?:\\[!,;])?{_SP}?\$?\{{?10{_SP}?{_POWER_OF_TEN}"
)
_PERCENT = re.compile(rf"(?:{_MARK}\}}?\$?{_SP}?(?:\\[,;])?\\?[%％]|{_SP}per ?cent(?:age)?\b(?!{_SP}point))")
_PLUS_MINUS = re.compile(
    rf"{_MARK}[ \t\u00a0\u2009\u202f$]{{0,4}}(?P<open>\(|_?\{{)?{_SP}?(?:±|\\pm|\+/[-−–]|\+-|&plusmn;|&pm;|&#177;)"
    rf"(?:\{{\}})?[ \t\u00a0\u2009\u202f$]{{0,4}}{_MARK}(?P<size>[0-9]{{1,20}}(?:\.[0-9]{{1,20}})?|\.[0-9]{{1,20}})"
    r"(?P<power>[eE][+-]?[0-9]{1,3})?(?![0-9A-Za-z_.][0-9A-Za-z])"
)
_CONCISE = re.compile(r"\(([0-9]{1,2})\)(?![A-Za-z0-9])")
_SCALES = {"k": 3, "K": 3, "M": 6, "B": 9, "T": 12, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_SCALE_UNIT = {3: "k", 6: "M", 9: "B", 12: "T"}
_SCALE = re.compile(rf"(?:([kKMBT])|{_SP}([MB])|{_SP}(thousand|million|billion|trillion))(?![A-Za-z0-9_=/]|{_SP}=)")
_UNITS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), "ms"),
    **dict.fromkeys(("us", "µs", "μs", "microseconds"), "us"),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("day", "days"), "d"),
    "x": "x",
    **dict.fromkeys(("pp", "percentage points", "percentage point"), "pp"),
    **{
        unit: unit
        for unit in ("kB", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "Hz", "kHz", "MHz", "GHz", "W", "kWh")
    },
    **{
        unit: unit
        for unit in ("J", "kJ", "dB", "fps", "FPS", "FLOPs", "GFLOPs", "TFLOPs", "kg", "mm", "cm", "km", "px")
    },
}
_ONLY_GLUED = {"x", "h", "W", "J"}  # with a space these are as often a letter as a unit
_UNIT_NAMES = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_UNIT = re.compile(rf"({_SP}?)({_UNIT_NAMES})(?![A-Za-z0-9_])")
_FOLD = re.compile(rf"{_SP}?\$?(?:×|\\times)\$?(?![0-9A-Za-z_\\{{(]|{_SP}[0-9A-Z\\{{(])")
_RANGE = re.compile(rf"{_MARK}\$?(?:{_SP}?(?:--?|[‐‑‒–—−]){_SP}?|{_SP}to{_SP}|{_SP}and{_SP})\$?~?{_MARK}")


def find_numbers(text: str) -> list[Number]:
    r"""Find every number of a text, in order, with the exact place where it stands.

    Digits that belong to a name, version, date, time, year, URL or file are returned too, with a ``shape`` that says
    so: the caller decides. A range gives two numbers that share its percent sign and unit; ``m ± s`` gives one.

    Args:
        text: Plain text, Markdown or TeX.

    Returns:
        The numbers, not overlapping. ``text[n.start:n.end] == n.written`` for each.

    Example:
        >>> [(n.written, n.percent, n.shape) for n in find_numbers("F1 of **70-85%**")]
        [('1', False, 'identifier'), ('70', True, 'number'), ('85%', True, 'number')]

    Spec: docs/reference/matching.md, 5.1.
    """
    return _Reader(text).read()


def read_number(text: str) -> Number:
    """Read the first number of a short text.

    Args:
        text: A number as written, markup and unit included.

    Returns:
        The number.

    Raises:
        NotANumberError: The text holds no number.

    Example:
        >>> read_number("0.915 ± 0.008").uncertainty
        Decimal('0.008')
    """
    for number in find_numbers(text):
        if number.shape in ("number", "year"):
            return number
    raise NotANumberError(
        f"no number in {text[:60]!r}", hint="a number is digits with an optional sign, point and exponent"
    )


def match_number(written: Number, value: Decimal, *, percent_allowed: bool) -> Match | None:
    """Decide whether a value could have been written as this number, and how.

    The identity is tried before the scale of 100, and rounding before the weaker kinds; a weaker kind is never combined
    with a scale. Both ends of the interval belong to it, so half-up and half-even rounding are both covered.

    Args:
        written: The number as it stands in a manuscript.
        value: The value, as a result file has it.
        percent_allowed: Whether the text or its labels say percent, so that a fraction may stand behind it.

    Returns:
        How it matched, or ``None``.

    Example:
        >>> match_number(read_number("85.3 %"), Decimal("0.8531"), percent_allowed=True)
        Match(kind='rounded', scale=100)

    Spec: docs/reference/matching.md, 5.2, 5.3.
    """
    if not value.is_finite():
        return None
    scales: tuple[Literal[1, 100], ...] = (1, 100) if percent_allowed else (1,)
    for scale in scales:
        if _EXACT.multiply(value, Decimal(scale)) == written.value and written.modifier not in ("<", ">"):
            return Match("verbatim", scale)
        if written.contains(value, scale=scale):
            return Match("rounded", scale)
    if written.modifier not in ("", "~") or abs(value.adjusted()) > _MAX_EXPONENT:
        return None
    place = Decimal(1).scaleb(written.last_place)
    if _CUT.quantize(value, place) == written.value:
        return Match("truncated", 1)
    # One unit in the last place of two digits is a different result, and a count is never off by one.
    if not written.exact and written.significant >= 3:
        off = abs(_EXACT.subtract(value, written.value))
        if off <= _EXACT.multiply(place, Decimal("1.5")):
            return Match("last digit", 1)
    return None


# -------------------------------------------------------------------------------------------------------- reading


class _Reader:
    """Reads the numbers of one text from left to right, each digit once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._around = Surroundings(text)
        self._found: list[Number] = []
        self._after_name_at = -1  # where the last digits that belong to a name ended

    def read(self) -> list[Number]:
        """Read them all."""
        text, position = self._text, 0
        while (digit := _DIGIT.search(text, position)) is not None:
            at = digit.start()
            core = _CORE.match(text, at - 1) if at > position and text[at - 1] == "." else None
            core = core or _CORE.match(text, at)
            if core is None:  # cannot be: a digit is a number; but a loop must end whatever a pattern does
                position = at + 1
                continue
            number = self._read_plain(core) if core.lastgroup == "number" else self._read_composite(core)
            position = core.end()
            if number is not None:
                position = max(position, number.end)
                if number.shape in ("identifier", "version"):
                    self._after_name_at = number.end
                elif self._found and number.start <= self._found[-1].end + 8:
                    self._share_range(number)
                self._found.append(number)
        return self._found

    def _read_composite(self, core: re.Match[str]) -> Number:
        """Read a date, a time of day, a duration or a version as one thing."""
        start, end = core.span()
        shape: Shape = "date" if core.lastgroup == "date" else "time" if core.lastgroup == "time" else "version"
        if self._around.is_identifier(start, end, after_name_at=self._after_name_at):
            shape = "identifier"
        digits = _LEADING_DIGITS.match(core.group())
        value = Decimal(digits.group() if digits else 0)
        return Number(core.group(), value, 0, 1, False, "", "", None, start, end, shape)

    def _read_plain(self, core: re.Match[str]) -> Number | None:
        """Read a number: digits, exponent, sign, and what follows them."""
        digits = _NOT_DIGIT.sub("", core.group())
        if len(digits) > _MAX_DIGITS:
            return None
        exponent, end = _read_exponent(self._text, core.end(), digits)
        if abs(exponent) > _MAX_EXPONENT:
            return None
        if digits == "10" and end > core.end() and _POWER.match(self._text, core.end()):
            digits = "1"  # 10^{-3} stands for 1 times it
        return self._finish(core.start(), end, digits, exponent)

    def _finish(self, digits_start: int, end: int, digits: str, exponent: int) -> Number:
        """Add percent sign, uncertainty, scale and unit, and decide what the digits are."""
        text = self._text
        start = self._around.sign_start(digits_start)
        whole, _, fraction = digits.partition(".")
        percent, unit = False, ""
        uncertainty: Decimal | None = None
        if text[end : end + 1] not in _NOTHING_FOLLOWS:
            if (found := _PERCENT.match(text, end)) is not None:
                percent, end = True, found.end()
            uncertainty, power, percent_after, end = _read_uncertainty(text, end, fraction, exponent)
            exponent += power
            percent = percent or percent_after
            if not percent:
                unit, exponent, end = _read_unit(text, end, exponent)
        factor = self._around.is_factor(digits_start, end, has_fraction=bool(fraction))
        negative = "-" if text[start] in "-−–﹣－&" else ""
        return Number(
            written=text[start:end],
            value=Decimal(f"{negative}{whole or '0'}{'.' if fraction else ''}{fraction}").scaleb(exponent, _EXACT),
            decimals=len(fraction),
            significant=len((whole + fraction).lstrip("0")) or 1,
            percent=percent,
            unit=unit or ("x" if factor else ""),
            modifier=self._around.modifier(start),
            uncertainty=uncertainty,
            start=start,
            end=end,
            shape="number" if factor else self._shape(digits_start, end, digits, unit),
            last_place=exponent - len(fraction),
        )

    def _shape(self, start: int, end: int, digits: str, unit: str) -> Shape:
        """Decide whether digits are a number, or part of a name, version, date or year."""
        if self._around.is_identifier(start, end, after_name_at=self._after_name_at):
            return "identifier"
        whole, point, fraction = digits.partition(".")
        if not point and (shape := self._around.calendar_shape(start, end, digits, unit)) != "number":
            return shape
        if len(whole) == 4 and len(fraction) in (4, 5) and self._around.is_preprint_id(start):
            return "identifier"
        if len(whole) <= 2 and not unit and self._around.is_version(start):
            return "version"
        return "number"

    def _share_range(self, number: Number) -> None:
        """Let the first number of a range share the percent sign or unit of the second, as in ``70-85%``."""
        first = self._found[-1]
        if first.shape != "number" or number.shape != "number" or not (number.percent or number.unit):
            return
        gap = self._text[first.end : number.start]
        if _RANGE.fullmatch(gap) is None:
            return
        before = self._text[max(0, first.start - 16) : first.start]
        if " and " in gap and not before.rstrip(" ~*$").endswith("between"):
            return
        if not first.unit and not first.percent and number.unit not in _SCALE_UNIT.values():
            self._found[-1] = structs.replace(first, percent=number.percent, unit=number.unit)


def _read_exponent(text: str, end: int, digits: str) -> tuple[int, int]:
    r"""Read ``e-3``, ``\times 10^{-3}`` or the power of a bare 10 behind the digits."""
    following = text[end : end + 1]
    if following in ("e", "E"):
        found = _EXPONENT.match(text, end)
        if found is None:
            return 0, end
        power = found.group(1).translate(_SUPERSCRIPT)
        return (int(power) if len(power) <= 6 else _MAX_EXPONENT + 1), found.end()
    if following in _NOTHING_FOLLOWS or following == ")":
        return 0, end
    found = _TIMES_POWER.match(text, end) or (_POWER.match(text, end) if digits == "10" else None)
    return (_power_of(found), found.end()) if found else (0, end)


def _power_of(found: re.Match[str]) -> int:
    """Give the exponent that a power of ten was written with."""
    power = found.group("caret") or found.group("raised") or found.group("html")
    return int(power.translate(_SUPERSCRIPT))


def _read_uncertainty(text: str, end: int, fraction: str, exponent: int) -> tuple[Decimal | None, int, bool, int]:
    """Read ``± s`` or ``(3)``: the size, a power of ten for both numbers, a percent sign, and the new end."""
    if fraction and (short := _CONCISE.match(text, end)) is not None:
        return Decimal(int(short.group(1))).scaleb(exponent - len(fraction)), 0, False, short.end()
    found = _PLUS_MINUS.match(text, end)
    if found is None:
        return None, 0, False, end
    size, end = Decimal(found.group("size") + (found.group("power") or "")), found.end()
    percent = _PERCENT.match(text, end)
    end = percent.end() if percent else end
    if found.group("open") and text[end : end + 1] in (")", "}"):
        end += 1
    scaled = _TIMES_POWER.match(text, end + (text[end : end + 1] == ")"))
    if scaled is None or abs(_power_of(scaled)) > _MAX_EXPONENT - abs(exponent):
        return size, 0, percent is not None, end
    return size.scaleb(_power_of(scaled)), _power_of(scaled), percent is not None, scaled.end()


def _read_unit(text: str, end: int, exponent: int) -> tuple[str, int, int]:
    """Read a scale (it changes the value and belongs to what is written) or a unit (it does so where it is glued)."""
    if (scale := _SCALE.match(text, end)) is not None:
        power = _SCALES[scale.group(1) or scale.group(2) or scale.group(3)]
        return _SCALE_UNIT[power], exponent + power, scale.end()
    if (fold := _FOLD.match(text, end)) is not None:
        return "x", exponent, fold.end()
    if (unit := _UNIT.match(text, end)) is not None and not (unit.group(1) and unit.group(2) in _ONLY_GLUED):
        return _UNITS[unit.group(2)], exponent, end if unit.group(1) else unit.end()
    return "", exponent, end
