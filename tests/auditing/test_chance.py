"""The control beside the report: what agrees with a decoy agrees by chance."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from provchain.auditing.chance import OTHER_DIGITS, _with_other_digits, chance_match
from provchain.model import Value
from provchain.papers import read_claims

NUMBERS = [
    ("svm", "accuracy", "0.9333"), ("svm", "f1", "0.9123"), ("mlp", "accuracy", "0.9012"), ("mlp", "f1", "0.8991"),
    ("knn", "accuracy", "0.8765"), ("knn", "f1", "0.8812"),
]  # fmt: skip
ROWS = "".join(
    f"| {model} | {NUMBERS[2 * at][2]} | {NUMBERS[2 * at + 1][2]} |\n" for at, model in enumerate(("svm", "mlp", "knn"))
)
CLAIMS = read_claims("results.md", f"# Study\n\n## Results\n\n| Model | Accuracy | F1 |\n|---|---|---|\n{ROWS}")


def value(lexical: str, *labels: str) -> Value:
    selector = "/" + "/".join(labels)
    return Value(f"m.json#1!{selector}", "m.json#1", "m.json", selector, lexical, Decimal(lexical), labels)


OWN = [value(lexical, model, metric) for model, metric, lexical in NUMBERS]


def test_the_studys_own_places_with_other_digits_hold_nothing() -> None:
    found = chance_match(CLAIMS, OWN)
    assert (found.decoy, found.numbers, found.matched) == (OTHER_DIGITS, 6, 0)


def test_another_study_is_taken_as_it_is() -> None:
    assert chance_match(CLAIMS, OWN, "elsewhere").matched == 6
    assert chance_match(CLAIMS, [value("541", "merge", "comparisons")], "elsewhere").matched == 0


def test_nothing_to_match() -> None:
    assert chance_match([], OWN).rate == 0.0


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=4))
def test_a_decoy_is_near_and_never_the_same(number: Decimal) -> None:
    decoy = _with_other_digits(value(format(number, "f"), "k"))
    assert decoy.number != number
    assert abs(decoy.number - number) <= max(abs(number) / 10, Decimal("0.0001")) + Decimal("0.0001")
    assert decoy.labels == ("k",)
    assert not (0 <= number <= 1 < decoy.number)
