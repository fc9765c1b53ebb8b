"""Which numbers read as means of what is on record, so that their own absence from every file proves nothing."""

from __future__ import annotations

from decimal import Decimal

import pytest

from provchain.auditing.derived import Quantities, is_derived
from provchain.model import Claim, ClaimKind, Value


def on_record(*numbers: str, label: str = "rmse") -> Quantities:
    return Quantities(
        Value(f"m.csv#1!cell={at},2", "m.csv#1", "m.csv", f"cell={at},2", number, Decimal(number), ("cnn", label))
        for at, number in enumerate(numbers, start=2)
    )


def cell(header: str = "RMSE", row: str = "cnn", caption: str = "", section: str = "") -> Claim:
    return Claim("c", ClaimKind.NUMBER, "p.md", 1, 1, "0.871", "| cnn | 0.871 |", header=header, row=row,
                 caption=caption or None, table=1, section=(section,) if section else ())  # fmt: skip


def prose(text: str) -> Claim:
    return Claim("c", ClaimKind.NUMBER, "p.md", 1, 1, "0.871", text)


MEANS = [
    cell(header="Mean RMSE"),
    cell(header="RMSE (avg)"),
    cell(row="Average"),
    cell(caption="Mean over 5 seeds"),
    cell(caption="All numbers are averaged across three runs."),
    cell(caption="RMSE (mean ± std)"),
    cell(section="Mean of 5 folds"),
    prose("Averaged over five folds, the RMSE is 0.871."),
    prose("The mean RMSE over three seeds is 0.871."),
    prose("On average it reaches an RMSE of 0.871."),
]


@pytest.mark.parametrize("claim", MEANS)
def test_a_mean_of_what_stands_several_times(claim: Claim) -> None:
    assert on_record("0.85", "0.91").may_be_mean(claim)


@pytest.mark.parametrize("claim", MEANS)
def test_a_mean_of_what_stands_nowhere_or_once_is_none(claim: Claim) -> None:
    assert not on_record().may_be_mean(claim)
    assert not on_record("0.85").may_be_mean(claim)
    assert not on_record("0.85", "0.85").may_be_mean(claim)
    assert not on_record("0.85", "0.91", label="accuracy").may_be_mean(claim)


@pytest.mark.parametrize(
    "claim",
    [
        cell(),
        cell(row="mean_model"),
        cell(header="RMSE, meaning"),
        cell(caption="The mean model."),
        cell(caption="Results. Mean values are not shown; over all, it works."),
        prose("The mean RMSE was 0.871."),
        prose("This means that the RMSE is 0.871."),
    ],
)
def test_what_is_only_called_so_is_none(claim: Claim) -> None:
    assert not on_record("0.85", "0.91").may_be_mean(claim)


def test_the_name_of_a_quantity_is_no_mean_of_it() -> None:
    """Mean absolute error is what was measured, not what was made of several measurements."""
    rows = [
        Value(f"m#1!{i}", "m#1", "m.json", f"/{i}/mae", f"0.{i}", Decimal(f"0.{i}"), ("mean absolute error",))
        for i in (1, 2)
    ]
    claim = Claim(
        "c", ClaimKind.NUMBER, "p.md", 1, 1, "0.77", "| a | 0.77 |", table=1, row="a", header="mean absolute error"
    )
    assert not Quantities(rows).may_be_mean(claim)


def at(text: str, written: str, row: str | None = None, header: str | None = None) -> Claim:
    table = 1 if row or header else None
    return Claim("c", ClaimKind.NUMBER, "p.md", 1, 1, written, text, row=row, header=header, table=table,
                 offset=text.rindex(written))  # fmt: skip


@pytest.mark.parametrize(
    "claim",
    [
        at("It reduces the depth by 43.2%, 51.0% and 63.4%.", "51.0%"),
        at("It reduces the depth by 43.2%, 51.0% and 63.4%.", "63.4%"),
        at("The depth is 7.94x that of the lake.", "7.94x"),
        at("| a | 5.6 |", "5.6", header="Drop (pts)"),
        at("| Relative | +39.0% |", "+39.0%", row="Relative"),
    ],
)
def test_what_follows_from_others_by_its_form(claim: Claim) -> None:
    assert is_derived(claim)


@pytest.mark.parametrize(
    "claim",
    [
        at("It reduces the depth to 43.2%, 51.0% and 63.4%.", "63.4%"),
        at("The accuracy is 43.2%, 51.0% and 63.4%.", "63.4%"),
        at("It drops by 12.5% and the accuracy is 63.4%.", "63.4%"),
        at("| a | 0.56 |", "0.56", header="Dropout"),
        at("| a | 0.56 |", "0.56", header="Relative error"),
    ],
)
def test_what_is_measured_does_not(claim: Claim) -> None:
    assert not is_derived(claim)
