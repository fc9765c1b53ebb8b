"""Numbers that follow from others: what the manuscript names is computed, and what only looks like it is not."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provchain.linking.derived import derived_links
from provchain.linking.operations import OPERATIONS, Interval, Unit, compute, fit
from provchain.linking.wrong_changes import what_it_would_be
from provchain.model import Claim, Link, Relation, Tier, Value
from provchain.numbers import read_number
from provchain.papers import read_claims

HEAD = "# Study\n\n## Results\n\n"
TABLE = """| Model | Accuracy | F1 |
|---|---|---|
| SVM | 0.80 | 0.70 |
| Random forest | 0.90 | 0.75 |
| Random forest large | 0.92 | 0.79 |

"""


def direct(claim: Claim, tier: Tier = Tier.LABELS) -> Link:
    operand = f"m.json#1!/{claim.written}@{claim.line}:{claim.column}"
    return Link(f"l-{claim.id}", claim.id, (operand,), Relation.QUOTED, tier, "5.7 table")


def derive(
    text: str, *open_numbers: str, tiers: Mapping[str, Tier] | None = None, values: Mapping[str, Value] | None = None
) -> dict[str, Link]:
    """Link all numbers but the open ones directly, and give what follows for those by what is written."""
    claims = read_claims("results.md", HEAD + text)
    assert set(open_numbers) <= {claim.written for claim in claims}
    given_links = [
        direct(claim, (tiers or {}).get(claim.written, Tier.LABELS))
        for claim in claims
        if claim.written not in open_numbers
    ]
    written = {claim.id: claim.written for claim in claims}
    return {written[link.claim]: link for link in derived_links(claims, given_links, values or {})}


def column(label: str, *rows: str, heads: str = "Baseline | Ours") -> str:
    lines = [f"| data{chr(97 + index)} | {row} |" for index, row in enumerate(rows)]
    return f"| Data | {heads} | {label} |\n|---|---|---|---|\n" + "\n".join(lines) + "\n"


SENTENCES = [
    ("Accuracy rose from 0.71 to 0.85 (+19.7 %).", "+19.7 %", "relative change of 0.85 against 0.71"),
    ("Accuracy rose from 0.71 to 0.85 (+14%).", "+14%", "difference of 0.85 and 0.71 in points"),
    ("Accuracy rose from 0.71 to 0.85 (14 points).", "14", "difference of 0.85 and 0.71 in points"),
    ("Accuracy rose from 71.0% to 85.0% (14.0 percentage points).", "14.0", "difference of 85.0% and 71.0% in points"),
    ("Accuracy rose from 71.0% to 85.0%, a 19.7% relative improvement.", "19.7%", "relative change of 85.0% against 71.0%"),
    ("Accuracy rose by 0.14, from 0.71 to 0.85.", "0.14", "difference of 0.85 and 0.71"),
    ("It went **0.71** → **0.85** (+19.7%).", "+19.7%", "relative change of 0.85 against 0.71"),
    ("The loss fell from 0.85 to 0.71 (a 16.5% reduction).", "16.5%", "relative change of 0.71 against 0.85"),
    ("A gain of 19.7%, from 0.71 to 0.85.", "19.7%", "relative change of 0.85 against 0.71"),
    ("Ours gets 0.90, an improvement of 12.5 % over the baseline's 0.80.", "12.5 %", "relative change of 0.90 against 0.80"),
    ("Ours gets 0.90 and improves by 12.5 % over the baseline's 0.80.", "12.5 %", "relative change of 0.90 against 0.80"),
    ("We get 0.853 vs. 0.80 (+6.6%).", "+6.6%", "relative change of 0.853 against 0.80"),
    ("Ours takes 1.98s, more than the baseline (1.50s), representing a 32% increase.", "32%", "relative change of 1.98s against 1.50s"),
    ("A 3.6% improvement in accuracy (0.543 vs. 0.524).", "3.6%", "relative change of 0.543 against 0.524"),
    ("Time dropped from 46.0 s to 20.0 s (2.3x faster).", "2.3x", "ratio of 46.0 to 20.0"),
    ("Sorting needs 10393.0 comparisons and merging 1280.2, a reduction of 87.7 %.", "87.7 %", "relative change of 1280.2 against 10393.0"),
    ("Merging needs 1280.2 comparisons and sorting 10393.0, a reduction of 87.7 %.", "87.7 %", "relative change of 1280.2 against 10393.0"),
    ("Sorting needs 10393.0 comparisons and merging 1280.2 (87.7 % fewer).", "87.7 %", "relative change of 1280.2 against 10393.0"),
    ("Merging needs 1280.2 comparisons and sorting 10393.0, an increase of 711.8 %.", "711.8 %", "relative change of 10393.0 against 1280.2"),
    ("The comparisons fell from 10393.0 to 1280.2, by 87.7 %.", "87.7 %", "relative change of 1280.2 against 10393.0"),
    ("The comparisons fell from 10393.0 to 1280.2, a reduction of 87.7 %.", "87.7 %", "relative change of 1280.2 against 10393.0"),
    ("12 of 40 (30 %) failed.", "30 %", "share of 12 in 40"),
    ("12/40 (30.0%) failed.", "30.0%", "share of 12 in 40"),
    ("30% of the runs (12 of 40) failed.", "30%", "share of 12 in 40"),
    ("It finds 55 out of 60 errors (91.7% recall).", "91.7%", "share of 55 in 60"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "written", "note"), SENTENCES, ids=[text for text, _, _ in SENTENCES])
def test_a_sentence_names_the_operands(text: str, written: str, note: str) -> None:
    found = derive(text, written)
    assert {written: note} == {name: link.note for name, link in found.items()}
    link = found[written]
    assert (link.relation, link.tier, link.rule, link.agrees) == (Relation.DERIVED, Tier.LABELS, "5.6 derived", True)
    assert len(link.operands) == 2


def test_a_second_change_of_the_same() -> None:
    text = "We get 0.90, which is 12.5% higher than A (0.80) and 20.0% higher than B (0.75)."
    assert {name: link.note for name, link in derive(text, "12.5%", "20.0%").items()} == {
        "12.5%": "relative change of 0.90 against 0.80",
        "20.0%": "relative change of 0.90 against 0.75",
    }


LOOK_ALIKES = [
    ("Accuracy rose from 0.71 to 0.85 using 19.7% of the data.", "19.7%"),
    ("Accuracy rose from 0.71 to 0.85 (19.7% of the data).", "19.7%"),
    ("Accuracy rose from 0.71 to 0.85 with 19.7% more parameters.", "19.7%"),
    ("Accuracy rose from 0.71 to 0.85, while the loss changed by 19.7%.", "19.7%"),
    ("Accuracy rose from 0.71 to 0.85. A gain of 19.7% was seen elsewhere.", "19.7%"),
    ("Accuracy fell from 0.71 to 0.85 (a 19.7% decrease).", "19.7%"),
    ("Accuracy rose from 0.71 to 0.85 (-19.7%).", "-19.7%"),
    ("Accuracy rose from 71.0% to 85.0%, a 14% relative improvement.", "14%"),
    ("Accuracy rose from 71.0% to 85.0% (19.7 percentage points).", "19.7"),
    ("The loss fell from 0.85 to 0.71 (14%).", "14%"),
    ("The loss fell from 0.85 to 0.71 (a 14% reduction).", "14%"),
    ("Time rose from 40 s to 52 s (12%).", "12%"),
    ("It took 46.0 s before and 20.0 s after (2.3x faster).", "2.3x"),
    ("Time dropped from 46.0 s to 25.0 s (2x faster).", "2x"),
    ("From 0.71 and 0.80 to 0.85 and 0.90 (19.7% and 12.5%), respectively.", "19.7%"),
    ("Of 12 seeds and 40 runs 30% failed.", "30%"),
    ("A needs 10393.0 and B 1280.2, a reduction of 87.7 % of the memory.", "87.7 %"),
    ("A needs 10393.0 and B 1280.2, an increase of 87.7 %.", "87.7 %"),
    ("A needs 10393.0 and B 1280.2 (87.7 % of the runs).", "87.7 %"),
    ("A needs 10393.0 and B 1280.2 (87.7 %).", "87.7 %"),
    ("B needs 1280.2 and A 10393.0 (87.7 % fewer).", "87.7 %"),
    ("A needs 10393.0, while B 1280.2, a reduction of 87.7 %.", "87.7 %"),
    ("A needs 10393.0 s. B and C take 1280.2, a reduction of 87.7 %.", "87.7 %"),
    ("The time fell from 10393.0 to 1280.2, by 87.7 % of the runs.", "87.7 %"),
    ("A ran from 10393.0 to 1280.2, by 87.7 %.", "87.7 %"),
    ("We have 12 of 40 left and 30% failed.", "30%"),
    ("40 of 12 (333 %) failed.", "333 %"),
    ("A score of 12.5 of 40 (31.25 %) is low.", "31.25 %"),
]


@pytest.mark.parametrize(("text", "written"), LOOK_ALIKES, ids=[text for text, _ in LOOK_ALIKES])
def test_what_only_looks_like_it_is_left_alone(text: str, written: str) -> None:
    assert derive(text, written) == {}


def test_what_does_not_come_out_is_no_contradiction() -> None:
    assert derive("Accuracy rose from 0.71 to 0.85 (+21.0 %).", "+21.0 %") == {}


WRONG = [
    ("The comparisons fell from 10393.0 to 1280.2 (-77.7 %).", "-77.7 %", "is -87.7 %, not -77.7 %"),
    ("The comparisons went 10393.0 → 1280.2 (−77.7 %).", "−77.7 %", "is -87.7 %, not −77.7 %"),
    ("The comparisons fell from 10393.0 to 1280.2 (a 77.7 % reduction).", "77.7 %", "is -87.7 %, not 77.7 %"),
    ("The comparisons fell from 10393.0 to 1280.2, a reduction of 77.7 %.", "77.7 %", "is -87.7 %, not 77.7 %"),
    ("Accuracy rose from 0.710 to 0.850 (+35.2 %).", "+35.2 %", "is +19.7 %, not +35.2 %"),
    ("Accuracy rose from 71.0% to 85.0% (+25.0 percentage points).", "+25.0", "is +14.0 points, not +25.0"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "written", "said"), WRONG, ids=[text for text, _, _ in WRONG])
def test_a_change_that_comes_out_in_no_way_is_wrong(text: str, written: str, said: str) -> None:
    link = derive(text, written)[written]
    assert (link.agrees, link.relation, link.rule, len(link.operands)) == (False, Relation.DERIVED, "5.6 derived", 2)
    assert said in link.note


MAYBE = [
    ("Accuracy rose from 0.71 to 0.85 (+21.0 %).", "+21.0 %"),  # the operands are rounded
    ("Accuracy rose from 0.710 to 0.850 (+14.0 %).", "+14.0 %"),  # points
    ("The error fell from 0.290 to 0.150 (-16.5 %).", "-16.5 %"),  # of what is left to the whole
    ("Accuracy rose from 0.710 to 0.850 (+48.3 %).", "+48.3 %"),  # the error that is left
    ("The comparisons fell from 10393.0 to 1280.2 (-711.8 %).", "-711.8 %"),  # against the other one
    ("The comparisons fell from 10393.0 to 1280.2 (-12.3 %).", "-12.3 %"),  # what is left of it
    ("The comparisons fell from 10393.0 to 1280.2 (+87.7 %).", "+87.7 %"),  # the sign alone
    ("The comparisons fell from 10393.0 to 1280.2 (+77.7 %).", "+77.7 %"),  # another way: of something else
    ("The comparisons fell from 10393.0 to 1280.2 (77.7 %).", "77.7 %"),  # no change at all, perhaps
    ("The comparisons fell from 10393.0 to 1280.2 (-77.7 % of the runs).", "-77.7 %"),
    ("The comparisons fell from 10393.0 to 1280.2 (77.7 % in the mean).", "77.7 %"),
    ("The comparisons fell from 10393.0 to 1280.2, a reduction of 77.7 % in time.", "77.7 %"),
    ("The comparisons fell from 10393.0 to 1280.2 (-9e1 %).", "-9e1 %"),  # one digit is no arithmetic
    ("The balance fell from 3.20 to -1.10 (-77.7 %).", "-77.7 %"),
    ("Sorting takes 10393.0 (vs. 1280.2 for merging, -77.7 %).", "-77.7 %"),
    ("Merging needs 1280.2, 77.7 % fewer than the 10393.0 of sorting.", "77.7 %"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "written"), MAYBE, ids=[text for text, _ in MAYBE])
def test_what_may_be_meant_in_another_way_is_not_called_wrong(text: str, written: str) -> None:
    assert not [link for link in derive(text, written).values() if not link.agrees]


@given(
    old=st.decimals(Decimal("0.01"), Decimal(99_999), places=2),
    new=st.decimals(Decimal("0.01"), Decimal(99_999), places=2),
)
def test_a_change_that_is_right_is_never_called_wrong(old: Decimal, new: Decimal) -> None:
    change = (new - old) / old * 100
    for written in (f"{change:+.1f} %", f"{change:+.3f} %", f"{abs(change):.1f} %", f"{change / 100:+.1%}"):
        number = read_number(written)
        direction = (new > old) - (new < old)
        assert what_it_would_be(number, read_number(f"{new}"), read_number(f"{old}"), direction) == ""


def test_operands_have_to_be_linked_and_to_agree() -> None:
    text = "Accuracy rose from 0.71 to 0.85 (+19.7 %)."
    assert derive(text, "0.71", "+19.7 %") == {}
    claims = read_claims("results.md", HEAD + text)
    low, high = (direct(claim) for claim in claims[:2])
    opposed = Link(low.id, low.claim, low.operands, low.relation, low.tier, low.rule, agrees=False)
    own = Link(low.id, low.claim, low.operands, low.relation, Tier.MANUSCRIPT, low.rule)
    empty = Link(low.id, low.claim, (), low.relation, Tier.DECLARED, "declared")
    assert len(derived_links(claims, [low, high], {})) == 1
    for other in (opposed, own, empty):
        assert derived_links(claims, [other, high], {}) == []


def test_a_claim_that_has_a_link_keeps_it() -> None:
    assert derive("Accuracy rose from 0.71 to 0.85 (+19.7 %).") == {}


def test_the_weakest_operand_gives_the_tier() -> None:
    found = derive(
        "Accuracy rose from 0.71 to 0.85 (+19.7 %).", "+19.7 %", tiers={"0.71": Tier.LONE, "0.85": Tier.DECLARED}
    )
    assert found["+19.7 %"].tier is Tier.LONE


def test_alternatives_of_an_operand_stay_alternatives() -> None:
    claims = read_claims("results.md", HEAD + "Accuracy rose from 0.71 to 0.85 (+19.7 %).")
    low, high = (direct(claim) for claim in claims[:2])
    other = Link("other", low.claim, ("run2.json#1!/x",), low.relation, low.tier, low.rule)
    weaker = Link("weaker", low.claim, ("run3.json#1!/x",), low.relation, Tier.LONE, "5.9 lone")
    found = derived_links(claims, [low, other, weaker, high], {})
    assert {link.operands for link in found} == {(*high.operands, *low.operands), (*high.operands, *other.operands)}


def test_what_was_computed_before_rounding_counts_by_the_values_behind() -> None:
    text = "Accuracy rose from 0.71 to 0.85 (+20.6 %)."
    assert derive(text, "+20.6 %") == {}
    claims = read_claims("results.md", HEAD + text)
    links = [direct(claim) for claim in claims[:2]]
    behind = {"0.71": "0.7051", "0.85": "0.8504"}
    values = {
        link.operands[0]: Value(link.operands[0], "m.json#1", "m.json", "/x", lexical, Decimal(lexical))
        for link, lexical in zip(links, behind.values(), strict=True)
    }
    (found,) = derived_links(claims, links, values)
    assert found.note == "relative change of 0.85 against 0.71, computed before rounding"


class TestLabels:
    @pytest.mark.parametrize(
        ("text", "written", "note"),
        [
            ("Random forest improves accuracy by 12.5% over SVM.", "12.5%", "relative change of 0.90 against 0.80"),
            ("Compared to SVM, random forest improves accuracy by 12.5%.", "12.5%", "relative change of 0.90 against 0.80"),
            ("Random forest large outperforms SVM by 15.0% in accuracy.", "15.0%", "relative change of 0.92 against 0.80"),
            ("Random forest outperforms SVM by 10 points in accuracy.", "10", "difference of 0.90 and 0.80 in points"),
        ],
    )  # fmt: skip
    def test_a_sentence_names_two_rows_and_a_column(self, text: str, written: str, note: str) -> None:
        assert {name: link.note for name, link in derive(TABLE + text, written).items()} == {written: note}

    @pytest.mark.parametrize(
        "text",
        [
            "SVM outperforms random forest by 12.5% in accuracy.",
            "Random forest outperforms SVM by 12.5%.",
            "Random forest outperforms SVM by 12.5% in accuracy and F1.",
            "Random forest outperforms MLP by 12.5% in accuracy.",
            "Random forest large outperforms SVM by 12.5% in accuracy.",
            "Random forest and random forest large beat SVM by 12.5% in accuracy.",
            "Random forest improves accuracy over SVM for 12.5% of the items.",
        ],
    )
    def test_what_is_not_named_is_not_guessed(self, text: str) -> None:
        assert derive(TABLE + text, "12.5%") == {}

    def test_two_tables_that_can_be_meant_are_none(self) -> None:
        other = TABLE.replace("0.90", "0.81")
        text = "Random forest improves accuracy by 12.5% over SVM."
        assert derive(TABLE + "And again:\n\n" + other + text, "12.5%") == {}

    def test_columns_can_be_compared_under_a_row(self) -> None:
        table = "| Metric | SVM | Forest |\n|---|---|---|\n| Accuracy | 0.80 | 0.90 |\n| F1 | 0.70 | 0.75 |\n\n"
        found = derive(table + "Forest improves accuracy by 12.5% over SVM.", "12.5%")
        assert found["12.5%"].note == "relative change of 0.90 against 0.80"


class TestColumns:
    @pytest.mark.parametrize(
        ("label", "rows", "heads", "notes"),
        [
            ("Improvement (%)", ["0.80 | 0.90 | +12.5", "0.71 | 0.85 | +19.7"], "Baseline | Ours",
             ["relative change of 0.90 against 0.80", "relative change of 0.85 against 0.71"]),
            ("Δ", ["0.80 | 0.90 | +0.10", "0.71 | 0.85 | +0.14"], "A | B",
             ["difference of 0.90 and 0.80", "difference of 0.85 and 0.71"]),
            ("Change", ["0.90 | 0.80 | +12.5%", "0.85 | 0.71 | +19.7%"], "Ours | Baseline",
             ["relative change of 0.90 against 0.80", "relative change of 0.85 against 0.71"]),
            ("Speedup", ["46.0 | 20.0 | 2.30x", "30.0 | 12.0 | 2.50x"], "Before | After",
             ["ratio of 46.0 to 20.0", "ratio of 30.0 to 12.0"]),
            ("Reduction", ["0.80 | 0.60 | 25.0%", "0.40 | 0.30 | 25.0%"], "Before | After",
             ["relative change of 0.60 against 0.80", "relative change of 0.30 against 0.40"]),
        ],
    )  # fmt: skip
    def test_a_column_of_changes(self, label: str, rows: list[str], heads: str, notes: list[str]) -> None:
        last = {row.rpartition(" | ")[2] for row in rows}
        claims = read_claims("results.md", HEAD + column(label, *rows, heads=heads))
        given_links = [direct(claim) for claim in claims if claim.written not in last]
        assert [link.note for link in derived_links(claims, given_links, {})] == notes

    def test_a_row_of_changes(self) -> None:
        text = "| Model | Accuracy | F1 |\n|---|---|---|\n| Baseline | 0.80 | 0.71 |\n| Ours | 0.90 | 0.85 |\n"
        found = derive(text + "| Improvement | +12.5% | +19.7% |\n", "+12.5%", "+19.7%")
        assert found["+19.7%"].note == "relative change of 0.85 against 0.71"

    def test_a_cell_that_does_not_come_out_is_left_open(self) -> None:
        rows = ["0.80 | 0.90 | +12.5%", "0.71 | 0.85 | +19.7%", "0.50 | 0.60 | +3.0%"]
        assert set(derive(column("Gain", *rows), "+12.5%", "+19.7%", "+3.0%")) == {"+12.5%", "+19.7%"}

    @pytest.mark.parametrize(
        "text",
        [
            column("Gain", "0.80 | 0.90 | +12.5%", "0.71 | 0.85 | +7.1%", "0.50 | 0.60 | +3.0%"),
            column("Gain", "0.80 | 0.90 | +12.5%", heads="A | B"),
            column("Score", "0.80 | 0.90 | +12.5%", "0.71 | 0.85 | +19.7%"),
            "| Data | Baseline | Ours | Best | Gain |\n|---|---|---|---|---|\n"
            "| a | 0.80 | 0.90 | 0.95 | +12.5% |\n| b | 0.71 | 0.85 | 0.95 | +19.7% |\n",
        ],
        ids=["one of three", "one row and no base", "no column of changes", "three that can be compared"],
    )
    def test_what_is_not_clear_is_left_open(self, text: str) -> None:
        open_numbers = [name for name in ("+12.5%", "+19.7%", "+7.1%", "+3.0%") if name in text]
        assert derive(text, *open_numbers) == {}


# --------------------------------------------------------------------------------------------------- operations

numbers = st.decimals(min_value=-1000, max_value=1000, places=3)
intervals = st.builds(lambda a, b: Interval(min(a, b), max(a, b)), numbers, numbers)


@given(st.sampled_from(sorted(OPERATIONS)), st.lists(intervals, min_size=2, max_size=6), st.data())
def test_what_the_operands_can_stand_for_gives_nothing_outside_of_the_result(
    name: str, operands: list[Interval], data: st.DataObject
) -> None:
    operation = OPERATIONS[name]
    operands = operands[: operation.most]
    points = [
        Interval.of(data.draw(st.decimals(min_value=each.low, max_value=each.high, places=3))) for each in operands
    ]
    for whole, point in zip(compute(operation, operands), compute(operation, points), strict=False):
        assert whole.how == point.how
        assert whole.low <= point.low
        assert point.high <= whole.high


@given(st.lists(numbers, min_size=2, max_size=8))
def test_the_operations_are_those_of_the_textbook(values: list[Decimal]) -> None:
    given_values = [Interval.of(value) for value in values]
    mean = sum(values, Decimal(0)) / len(values)
    squares = sum((value - mean) ** 2 for value in values)
    expected = {
        "sum": [sum(values)],
        "mean": [mean],
        "min": [min(values)],
        "max": [max(values)],
        "count": [Decimal(len(values))],
        "std": [(squares / (len(values) - 1)).sqrt(), (squares / len(values)).sqrt()],
    }
    for name, numbers_ in expected.items():
        for result, number in zip(compute(OPERATIONS[name], given_values), numbers_, strict=True):
            assert abs(result.low - number) < Decimal("1e-15")
            assert abs(result.high - number) < Decimal("1e-15")


def test_pairs_and_percentages() -> None:
    a, b = Interval.of(Decimal("0.90")), Interval.of(Decimal("0.80"))
    for name, low in {"difference": "0.10", "relative-change": "0.125", "ratio": "1.125", "percent": "112.5"}.items():
        (result,) = compute(OPERATIONS[name], [a, b])
        assert result.low == Decimal(low)
    percentages = [Interval.of(Decimal(number), percent=True) for number in (90, 80)]
    (points,) = compute(OPERATIONS["difference"], percentages)
    assert (points.low, points.unit) == (10, Unit.POINTS)
    (mixed,) = compute(OPERATIONS["difference"], [a, Interval.of(Decimal(80), percent=True)])
    assert mixed.low == Decimal("0.10")


def test_what_is_not_defined_has_no_result() -> None:
    one, around_zero = Interval.of(Decimal(1)), Interval(Decimal("-0.5"), Decimal("0.5"))
    assert compute(OPERATIONS["ratio"], [one, around_zero]) == ()
    assert compute(OPERATIONS["relative-change"], [one, Interval.of(Decimal(0))]) == ()
    assert compute(OPERATIONS["mean"], []) == ()
    assert compute(OPERATIONS["ratio"], [one]) == ()
    assert [result.how for result in compute(OPERATIONS["std"], [one])] == ["population"]
    assert compute(OPERATIONS["sum"], [one, Interval.of(Decimal("Infinity"))]) == ()


@pytest.mark.parametrize(
    ("written", "name", "operands", "fits"),
    [
        ("12.5 %", "relative-change", ["0.90", "0.80"], True),
        ("0.125", "relative-change", ["0.90", "0.80"], True),
        ("12.5", "relative-change", ["0.90", "0.80"], False),
        ("0.125 %", "relative-change", ["0.90", "0.80"], False),
        ("12.5 percentage points", "relative-change", ["0.90", "0.80"], False),
        ("10 percentage points", "difference", ["0.90", "0.80"], True),
        ("0.10", "difference", ["0.90", "0.80"], True),
        ("-0.10", "difference", ["0.80", "0.90"], True),
        ("0.10", "difference", ["0.80", "0.90"], True),
        ("+0.10", "difference", ["0.80", "0.90"], False),
        ("30 %", "percent", ["12", "40"], True),
        ("0.30", "percent", ["12", "40"], True),
        ("1.13x", "ratio", ["0.90", "0.80"], True),
        ("0.85", "mean", ["-0.80", "-0.90"], False),
        ("2", "count", ["0.90", "0.80"], True),
        ("3", "count", ["0.90", "0.80"], False),
    ],
)
def test_how_a_result_can_be_written(written: str, name: str, operands: list[str], fits: bool) -> None:
    results = compute(OPERATIONS[name], [Interval.of(Decimal(operand)) for operand in operands])
    assert any(fit(read_number(written), result) is not None for result in results) == fits


def test_the_deviation_of_rounded_values_holds_that_of_every_value_in_them() -> None:
    low, high = Decimal("0.000"), Decimal("0.001")
    (rounded, *_) = compute(OPERATIONS["std"], [Interval(low, high), Interval(low, high)])
    (one, *_) = compute(OPERATIONS["std"], [Interval.of(low), Interval.of(high)])
    assert rounded.low <= one.low <= one.high <= rounded.high


class TestFixedPairs:
    def test_a_drop_compares_the_first_column_with_the_last(self) -> None:
        heads, rows = "Clean | Noise 0.1 | Noise 0.2", ["86.7% | 83.0% | 73.7% | 13.0", "89.6% | 88.1% | 84.0% | 5.6"]
        lines = "\n".join(f"| d{at} | {row} |" for at, row in enumerate(rows))
        table = f"| Data | {heads} | Drop (pts) |\n|---|---|---|---|---|\n{lines}\n"
        found = derive(table, "13.0", "5.6")
        assert {written: link.note for written, link in found.items()} == {
            "13.0": "difference of 73.7% and 86.7% in points",
            "5.6": "difference of 84.0% and 89.6% in points",
        }
        # The first against the second is no drop of this column, and one row alone says nothing.
        assert not derive(table.replace("13.0", "3.7").replace("5.6", "1.5"), "3.7", "1.5")
        assert not derive(table.replace("13.0", "14.9"), "14.9", "5.6")

    def test_a_relative_row(self) -> None:
        text = "| Model | A | B |\n|---|---|---|\n| Base | 0.80 | 0.70 |\n| Ours | 0.90 | 0.77 |\n| Relative | +12.5% | +10.0% |\n"
        assert set(derive(text, "+12.5%", "+10.0%")) == {"+12.5%", "+10.0%"}
        assert not derive(text.replace("12.5", "14.5").replace("10.0", "19.0"), "+14.5%", "+19.0%")

    @pytest.mark.parametrize("ratio", ["1.15x that of", "1.15× that of", "1.15 times that of"])
    def test_times_that_of_names_a_ratio(self, ratio: str) -> None:
        sentence = f"The accuracy of the random forest large is {ratio} the SVM.\n"
        written = ratio.removesuffix(" that of").removesuffix(" times")
        assert derive(TABLE + sentence, written)[written].note == "ratio of 0.92 to 0.80"
        assert not derive(TABLE + sentence.replace("1.15", "1.51"), written.replace("1.15", "1.51"))
        assert not derive(TABLE + sentence.replace("accuracy", "speed"), written)


class TestMeanLines:
    ROWS = "| Data | SVM | KNN |\n|---|---|---|\n| Lake | 0.9733 | 0.9612 |\n| Pond | 0.9611 | 0.6913 |\n"

    def test_a_row_of_means(self) -> None:
        found = derive(self.ROWS + "| **Average** | 0.967 | 0.826 |\n", "0.967", "0.826")
        assert {written: link.note for written, link in found.items()} == dict.fromkeys(
            ("0.967", "0.826"), "mean of 2 cells"
        )
        assert len(found["0.967"].operands) == 2

    def test_a_column_of_means(self) -> None:
        text = "| Model | Lake | Pond | Avg. |\n|---|---|---|---|\n| SVM | 0.9733 | 0.9611 | 0.967 |\n"
        assert set(derive(text, "0.967")) == {"0.967"}

    @pytest.mark.parametrize(
        "row", ["| Average | 0.987 | 0.876 |", "| Total | 0.967 | 0.826 |", "| Average model | 0.967 | 0.826 |"]
    )
    def test_what_is_not_the_mean_or_not_called_so(self, row: str) -> None:
        written = [cell.strip() for cell in row.split("|")[2:4]]
        assert not derive(f"{self.ROWS}{row}\n", *written)

    def test_every_cell_has_to_be_linked_and_to_be_measured(self) -> None:
        assert not derive(self.ROWS + "| Average | 0.967 | 0.826 |\n", "0.967", "0.826", "0.9733", "0.6913")
        assert not derive(self.ROWS + "| Median | 0.967 | 0.826 |\n| Average | 0.967 | 0.826 |\n", "0.967", "0.826")
