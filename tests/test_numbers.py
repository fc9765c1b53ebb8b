"""Numbers are read exactly where they stand, as the interval they stand for."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from provchain.errors import NotANumberError, ProvchainError
from provchain.numbers import Match, Number, find_numbers, match_number, read_number

NOTATION = st.text(alphabet=" 0123456789.,%-+−–±~<>=()[]{}|*_$\\^/:eExXkMB×\n\u2009\u00a0aFé中&;#@'\"`⁻³", max_size=60)


def written(text: str, shape: str = "number") -> list[str]:
    return [number.written for number in find_numbers(text) if number.shape == shape]


@pytest.mark.parametrize(
    ("text", "value", "decimals", "significant"),
    [
        ("0.910", "0.910", 3, 3),
        ("0.0052", "0.0052", 4, 2),
        (".5", "0.5", 1, 1),
        ("100", "100", 0, 3),
        ("1,234", "1234", 0, 4),
        ("1,234,567.8", "1234567.8", 1, 8),
        ("12\u2009345", "12345", 0, 5),
        ("12\u202f345.6", "12345.6", 1, 6),
        ("1.2e-3", "0.0012", 1, 2),
        ("5E+3", "5000", 0, 1),
        ("1e−05", "0.00001", 0, 1),
        (r"1.2 \times 10^{-3}", "0.0012", 1, 2),
        (r"5\!\times\!10^{-5}", "0.00005", 0, 1),
        ("1.2×10⁻³", "0.0012", 1, 2),
        ("3.1 x 10^4", "31000", 1, 2),
        ("10<sup>-3</sup>", "0.001", 0, 1),
        ("10^{-3}", "0.001", 0, 1),
        ("-0.2512", "-0.2512", 4, 4),
        ("−0.25", "-0.25", 2, 2),
        ("&minus;0.25", "-0.25", 2, 2),
        ("+5.2", "5.2", 1, 2),
        ("5k", "5000", 0, 1),
        ("1.3B", "1300000000", 1, 2),
        ("1 M", "1000000", 0, 1),
        ("1.5 million", "1500000", 1, 2),
    ],
)
def test_value(text: str, value: str, decimals: int, significant: int) -> None:
    """Every notation gives its exact value, and all of it is what was written."""
    number = read_number(text)
    assert (number.written, number.value) == (text, Decimal(value))
    assert (number.decimals, number.significant) == (decimals, significant)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("0.85", "0.845", "0.855"),
        ("0.850", "0.8495", "0.8505"),
        ("-0.5", "-0.55", "-0.45"),
        ("94", "94", "94"),
        ("1,234", "1234", "1234"),
        ("1.2e-3", "0.00115", "0.00125"),
        ("5k", "4500", "5500"),
        ("1.3B", "1250000000", "1350000000"),
        ("85%", "84.5", "85.5"),
        ("290s", "289.5", "290.5"),
        ("about 300", "270", "330"),
        ("~85", "84.5", "85.5"),
        ("< 0.001", "-Infinity", "0.001"),
        ("≥60%", "60", "Infinity"),
        ("up to 5", "-Infinity", "5"),
    ],
)
def test_interval(text: str, low: str, high: str) -> None:
    """A number stands for the values that round to it; a count is exact; a bound is open on one side."""
    number = read_number(text)
    assert (number.low, number.high) == (Decimal(low), Decimal(high))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.915 ± 0.008", "0.008"),
        (r"$0.9 \pm 0.1$", "0.1"),
        ("**0.85** ± 0.02", "0.02"),
        ("85.3% ± 1.2%", "1.2"),
        ("0.85 (±0.02)", "0.02"),
        ("0.85 +/- 0.02", "0.02"),
        (r"0.85_{\pm0.02}", "0.02"),
        ("0.853(3)", "0.003"),
        ("(1.2 ± 0.3) × 10^{-3}", "0.0003"),
        ("0.85&plusmn;0.02", "0.02"),
    ],
)
def test_uncertainty(text: str, expected: str) -> None:
    """A value with its spread is one number."""
    numbers = find_numbers(text)
    assert len(numbers) == 1
    assert numbers[0].uncertainty == Decimal(expected)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("70-85% and 50–70%", [("70", True), ("85%", True), ("50", True), ("70%", True)]),
        ("between 70 and 85%", [("70", True), ("85%", True)]),
        ("from 20% to 13%", [("20%", True), ("13%", True)]),
        ("3 and 85%", [("3", False), ("85%", True)]),
        ("85.3 % of 12", [("85.3 %", True), ("12", False)]),
        (r"85.3\% of 12", [(r"85.3\%", True), ("12", False)]),
        ("30 percent", [("30 percent", True)]),
        ("5.2 percentage points", [("5.2", False)]),
    ],
)
def test_percent(text: str, numbers: list[tuple[str, bool]]) -> None:
    """The percent sign belongs to the number before it, and to both ends of a range."""
    assert [(number.written, number.percent) for number in find_numbers(text)] == numbers


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("7.83 seconds", "s"),
        ("24.1ms", "ms"),
        ("1297.63 MB", "MB"),
        ("2.3x", "x"),
        ("2.3×", "x"),
        ("x2.3", "x"),
        ("4× speedups", "x"),
        (r"$4\times$ faster", "x"),
        ("224×224", ""),
        ("5 samples", ""),
        ("10-20 ms", "ms"),
    ],
)
def test_unit(text: str, unit: str) -> None:
    """A unit is recognised glued or after a space; a product of dimensions is no factor."""
    assert read_number(text).unit == unit


@pytest.mark.parametrize(
    ("text", "modifier"),
    [
        ("~0.9", "~"),
        ("≈23%", "~"),
        (r"$\approx 5$", "~"),
        ("approximately 40", "~"),
        ("<10", "<"),
        ("p &lt; 0.05", "<"),
        ("at least 3", ">="),
        ("no more than 3", "<="),
        ("-> 0.85", ""),
        ("<b>0.85</b>", ""),
        ("over 5 seeds", ""),
    ],
)
def test_modifier(text: str, modifier: str) -> None:
    """Estimates and bounds are read from signs and words; an arrow or a tag is none."""
    assert read_number(text).modifier == modifier


@pytest.mark.parametrize(
    ("text", "shape", "expected"),
    [
        ("GPT-4 Llama-3.1-8B F1 precision@10 top-5 R2D2 x_{12} mnist_784 A100", "number", []),
        ("https://x.org/1/2.3 arXiv:2307.04349 fig_3.png results/run_1/5.json", "number", []),
        ("claude-3-7-sonnet-20250219", "number", []),
        ("3D 1st 10th", "number", []),
        (
            "k=5, T=0.2, 5-fold, 12-layer, 80/10/10, 6 vs. 8",
            "number",
            ["5", "0.2", "5", "12", "80", "10", "10", "6", "8"],
        ),
        ("1.2.3 and Python 3.11, version 2", "version", ["1.2.3", "3.11", "2"]),
        ("2014-09-29, 2025-05-07T19:44:02Z, May 7, 2025", "date", ["2014-09-29", "2025-05-07T19:44:02Z", "7", "2025"]),
        ("at 19:44:02 or 1m32s", "time", ["19:44:02", "1m32s"]),
        ("in 2024, 2019–2023, the 1990s (Smith et al., 2020)", "year", ["2024", "2019", "2023", "1990s", "2020"]),
        ("2000 samples of 2048 tokens", "number", ["2000", "2048"]),
        ("准确率0.95", "number", ["0.95"]),
    ],
)
def test_shape(text: str, shape: str, expected: list[str]) -> None:
    """Digits of names, versions, dates, times and years are told apart from numbers."""
    assert written(text, shape) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(-0.25)", ["-0.25"]),
        ("| -0.25 |", ["-0.25"]),
        ("a –0.5 b", ["–0.5"]),
        ("10 – 20", ["10", "20"]),
        ("10-20", ["10", "20"]),
        ("$30", ["30"]),
        ("- 5", ["5"]),
        ("It is 5.", ["5"]),
        ("1,23", ["1", "23"]),
        ("10,100,1000", ["10", "100", "1000"]),
        ("1:10", ["1", "10"]),
    ],
)
def test_extent(text: str, expected: list[str]) -> None:
    """A sign is part of a number and a hyphen, a bullet or a currency sign is not."""
    assert written(text) == expected


@pytest.mark.parametrize("text", ["", "no number", "GPT-4", "2014-09-29", "1e999999999"])
def test_not_a_number(text: str) -> None:
    """A text without a number is an error of ours, and a ValueError."""
    with pytest.raises(NotANumberError) as caught:
        read_number(text)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, ProvchainError)


@pytest.mark.parametrize("text", ["1e999999999", "1" * 1000, "1e-400", "9" * 41 + ".5"])
def test_absurd_sizes(text: str) -> None:
    """Digests and absurd exponents are no numbers, whatever their digits."""
    assert written(text) == []


@pytest.mark.parametrize(
    ("text", "value", "percent", "expected"),
    [
        ("0.910", "0.91", False, Match("verbatim", 1)),
        ("0.85", "0.8449999", False, None),
        ("0.85", "0.8549", False, Match("rounded", 1)),
        ("0.85", "0.855", False, Match("rounded", 1)),
        ("0.85", "0.845", False, Match("rounded", 1)),
        ("0.85", "0.8599", False, Match("truncated", 1)),
        ("0.853", "0.8542", False, Match("last digit", 1)),
        ("0.853", "0.856", False, None),
        ("85.3 %", "0.8531", True, Match("rounded", 100)),
        ("85.3 %", "85.31", True, Match("rounded", 1)),
        ("85.3 %", "0.8531", False, None),
        ("85.3 %", "0.8539", True, None),
        ("94", "94.0", False, Match("verbatim", 1)),
        ("94", "93.6", False, None),
        ("94", "95", False, None),
        ("94", "94.7", False, Match("truncated", 1)),
        ("-0.25", "-0.2512", False, Match("rounded", 1)),
        ("-0.25", "0.2512", False, None),
        ("5k", "5200", False, Match("rounded", 1)),
        ("< 0.05", "0.03", False, Match("rounded", 1)),
        ("< 0.05", "0.06", False, None),
        ("0.85", "NaN", True, None),
        ("0.85", "Infinity", True, None),
        ("0.85", "1e999999", True, None),
    ],
)
def test_match(text: str, value: str, percent: bool, expected: Match | None) -> None:
    """Identity before scale, rounding before weaker kinds, and never a weaker kind with a scale."""
    assert match_number(read_number(text), Decimal(value), percent_allowed=percent) == expected


DECIMALS = st.decimals(min_value=-(10**9), max_value=10**9, allow_nan=False, allow_infinity=False, places=9)


@given(value=DECIMALS, digits=st.integers(1, 6), rounding=st.sampled_from([ROUND_HALF_UP, ROUND_HALF_EVEN]))
def test_what_is_rounded_contains_what_it_was(value: Decimal, digits: int, rounding: str) -> None:
    """Rounding a value and writing it gives a number that the value fits."""
    rounded = value.quantize(Decimal(1).scaleb(-digits), rounding, Context(prec=40))
    number = read_number(f"{rounded:f}")
    assert number.value == rounded
    assert number.contains(value)
    found = match_number(number, value, percent_allowed=False)
    assert found is not None
    assert found.kind in ("verbatim", "rounded")


@given(value=DECIMALS, digits=st.integers(0, 3))
def test_percentages_contain_their_fraction(value: Decimal, digits: int) -> None:
    """A fraction written in percent fits with the scale of 100."""
    percent = (value * 100).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP, Context(prec=40))
    number = read_number(f"{percent:f}%")
    assert number.percent
    assert number.contains(value, scale=100)


def check(text: str) -> list[Number]:
    numbers = find_numbers(text)
    position = 0
    for number in numbers:
        assert text[number.start : number.end] == number.written
        assert number.written
        assert "\n" not in number.written
        assert number.start >= position, "numbers do not overlap"
        position = number.end
        assert number.low <= number.high
        assert number.value.is_finite()
    return numbers


@given(st.one_of(NOTATION, st.text(max_size=80)))
@example("10^{-3}")
@example("±0")
@example("\ud800 0.5 \udfff")
@example("1\x000.5")
def test_any_text(text: str) -> None:
    """No text makes reading fail, and every number stands where it says."""
    check(text)


@given(NOTATION)
def test_reading_again(text: str) -> None:
    """What was written reads as the same value on its own."""
    for number in check(text):
        if number.shape == "number":
            again = [other for other in find_numbers(number.written) if other.shape in ("number", "year")]
            assert any(other.value == number.value for other in again), number


@pytest.mark.parametrize(
    "unit", ["1,111", "1.", "1/2/", "a-1-", "1 ± ", "1e", "10^{", "(1)", "x1", "2020-", "1 to ", "<1", "[1]("]
)
def test_long_lines_are_read_to_their_end(unit: str) -> None:
    """A long line of anything is read to its end: what grew with its square would not come back here."""
    text = unit * 8000
    assert all(text[number.start : number.end] == number.written for number in find_numbers(text))
