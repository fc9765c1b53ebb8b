"""Means and other aggregates of repetitions: computed from all of them, and never from some."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provchain.inspection.values import read_values
from provchain.linking import find_links
from provchain.linking.repeats import find_repeats, in_copies
from provchain.model import Claim, ClaimKind, Link, Relation, Tier, Value
from provchain.papers import read_claims

NUMBERS = ("26.5897", "26.9836", "29.6874")
MEAN, SPREAD, MEDIAN, HIGHEST = "27.754", "1.686", "26.984", "29.687"


def read(path: str, text: str) -> list[Value]:
    return read_values(f"{path}#1", path, text)


def rows(*models: str, numbers: Sequence[str] = NUMBERS, shift: int = 1, head: str = "model,seed,rmse") -> list[Value]:
    """A row for each model and seed; the numbers of each further model are higher by ``shift``."""
    lines = [
        f"{model},{seed},{float(number) + shift * index:.4f}"
        for index, model in enumerate(models)
        for seed, number in enumerate(numbers, start=1)
    ]
    return read("out/m.csv", "\n".join([head, *lines]))


def cell(written: str, row: str = "cnn", header: str = "RMSE", caption: str = "", section: str = "") -> Claim:
    return Claim("c", ClaimKind.NUMBER, "paper.md", 9, 5, written, f"| {row} | {written} |", row=row, header=header,
                 caption=caption or None, table=1, cell=(1, 2), section=(section,) if section else ())  # fmt: skip


def prose(text: str, written: str = MEAN) -> Claim:
    return Claim("c", ClaimKind.NUMBER, "paper.md", 9, text.index(written) + 1, written, text)


def link(claim: Claim, values: Sequence[Value]) -> list[Link]:
    return find_links([claim], values, figures={})


def aggregated(claim: Claim, values: Sequence[Value]) -> Link:
    (found,) = [one for one in link(claim, values) if one.note != "printed in a log too"]
    assert (found.relation, found.tier, found.agrees) == (Relation.AGGREGATED, Tier.LABELS, True)
    return found


def as_json(document: object, path: str = "out/m.json") -> list[Value]:
    return read(path, json.dumps(document))


ONE, TWO, THREE = map(float, NUMBERS)
PLACES = {
    "column": rows("cnn"),
    "keys": as_json({"cnn": {f"seed_{n}": {"rmse": x} for n, x in enumerate((ONE, TWO, THREE))}}),
    "keys-inside": as_json({"cnn": {"rmse": {f"seed{n}": x for n, x in enumerate((ONE, TWO, THREE))}}}),
    "keys-under": as_json({"cnn": {"seeds": {str(n): {"rmse": x} for n, x in enumerate((ONE, TWO, THREE))}}}),
    "objects": as_json([{"model": "cnn", "seed": n, "rmse": x} for n, x in enumerate((ONE, TWO, THREE))]),
    "list": as_json({"cnn": {"rmse": [ONE, TWO, THREE]}}),
    "list-that-says-so": as_json({"cnn": {"rmse_per_seed": [ONE, TWO, THREE]}}),
    "list-of-objects": as_json({"cnn": {"runs": [{"rmse": ONE}, {"rmse": TWO}, {"rmse": THREE}]}}),
    "files": [v for n, x in enumerate((ONE, TWO, THREE)) for v in as_json({"cnn": {"rmse": x}}, f"out/seed_{n}.json")],
    "folders": [
        v for n, x in enumerate((ONE, TWO, THREE)) for v in as_json({"cnn": {"rmse": x}}, f"out/seed-{n}/m.json")
    ],
    "random-seed": rows("cnn", head="model,random_seed,rmse"),
}


@pytest.mark.parametrize("values", PLACES.values(), ids=PLACES)
class TestWhereRepetitionsStand:
    @pytest.mark.parametrize(
        "claim",
        [
            cell(MEAN, caption="Mean over three seeds:"),
            cell(MEAN, header="Mean RMSE (3 seeds)"),
            cell(f"{MEAN} ± {SPREAD}", header="RMSE (mean ± std over 3 seeds)"),
            prose(f"Averaged over three seeds, cnn reaches an RMSE of {MEAN}."),
            prose(f"Over 3 seeds the cnn has an average RMSE of {MEAN}."),
        ],
        ids=["caption", "header", "spread", "sentence", "average"],
    )
    def test_the_mean_is_computed_from_all_of_them(self, values: list[Value], claim: Claim) -> None:
        found = aggregated(claim, values)
        assert len(found.operands) == 3
        assert "mean" in found.note
        assert "of 3" in found.note

    @pytest.mark.parametrize(
        "claim",
        [
            cell("27.755", caption="Mean over three seeds:"),
            cell("28.335", header="Mean RMSE (3 seeds)"),  # of two of them
            cell(f"{MEAN} ± 0.120", caption="Mean over three seeds:"),
            prose("Averaged over three seeds, cnn reaches an RMSE of 28.335.", "28.335"),
        ],
        ids=["last-digit", "of-two", "another-spread", "sentence-of-two"],
    )
    def test_what_only_comes_near_is_none(self, values: list[Value], claim: Claim) -> None:
        assert link(claim, values) == []


@pytest.mark.parametrize("written", [HIGHEST, MEDIAN, "26.590"])
@pytest.mark.parametrize("place", ["column", "keys", "objects", "list", "list-that-says-so", "files"])
def test_one_of_them_is_no_mean(place: str, written: str) -> None:
    for claim in (cell(written, caption="Mean over three seeds:"), cell(written, header="Mean RMSE (3 seeds)")):
        assert link(claim, PLACES[place]) == []


@pytest.mark.parametrize(
    ("header", "written", "kind"),
    [
        ("Median RMSE", MEDIAN, "median"),
        ("RMSE (std)", SPREAD, "sample deviation"),
        ("Std. dev. of RMSE", "1.377", "population deviation"),
    ],
)
def test_what_the_header_says_is_computed(header: str, written: str, kind: str) -> None:
    assert kind in aggregated(cell(written, header=header), rows("cnn")).note


def test_the_best_of_them() -> None:
    found = aggregated(
        prose("The best of 3 runs of cnn has an RMSE of 26.590.", "26.590"), rows("cnn", head="model,run,rmse")
    )
    assert "lowest of 3 runs" in found.note


def test_a_standard_error_is_no_deviation() -> None:
    assert "standard error" in aggregated(cell(f"{MEAN} ± 0.974", caption="Mean and standard error"), rows("cnn")).note
    assert link(cell(f"{MEAN} ± {SPREAD}", caption="Mean and standard error"), rows("cnn")) == []


class TestSilence:
    def test_a_number_that_is_only_the_mean_links_with_a_note(self) -> None:
        assert "does not say" in aggregated(cell(MEAN), rows("cnn", "mlp")).note

    def test_a_list_of_numbers_is_no_repetition(self) -> None:
        assert link(cell(MEAN), PLACES["list"]) == []
        assert link(cell(MEAN, header="Mean RMSE"), PLACES["list"]) == []

    def test_nor_where_their_number_is_another(self) -> None:
        assert link(cell(MEAN, caption="Mean over five seeds"), PLACES["list"]) == []

    def test_elsewhere_another_number_of_them_is_noted(self) -> None:
        assert "the manuscript says 5" in aggregated(cell(MEAN, caption="Mean over five seeds"), rows("cnn")).note

    def test_short_numbers_equal_some_aggregate_of_anything(self) -> None:
        values = rows("cnn", numbers=("0.7912", "0.8134", "0.9045"))
        assert link(cell("0.8"), values) == []
        assert link(cell("0.84"), values) == []
        assert "mean" in aggregated(cell("0.84", header="Mean RMSE"), values).note


class TestWhichGroup:
    def test_of_two_models_the_one_that_is_named(self) -> None:
        values = rows("cnn", "mlp")
        found = aggregated(prose(f"Averaged over three seeds, cnn reaches an RMSE of {MEAN}."), values)
        assert all(operand.startswith("out/m.csv#1!cell=") for operand in found.operands)
        assert link(prose(f"Averaged over three seeds, mlp reaches an RMSE of {MEAN}."), values) == []
        assert link(cell(MEAN, row="mlp", caption="Mean over three seeds"), values) == []

    def test_the_metric_has_to_be_named(self) -> None:
        assert link(prose(f"Averaged over three seeds, cnn needs {MEAN} seconds."), rows("cnn", "mlp")) == []
        assert link(cell(MEAN, header="Accuracy", caption="Mean over three seeds"), rows("cnn", "mlp")) == []

    def test_a_row_that_nothing_is_called_like_needs_the_only_group(self) -> None:
        values = read("out/cv.csv", "fold,rmse\n1,26.5897\n2,26.9836\n3,29.6874")
        claim = cell(f"{MEAN} ± {SPREAD}", row="our model")
        assert "3 folds" in aggregated(claim, values).note
        other = read("out/cv2.csv", "fold,rmse\n1,16.5897\n2,16.9836\n3,19.6874")
        assert link(claim, [*values, *other]) == []

    def test_rows_that_differ_by_more_are_no_repetitions(self) -> None:
        text = "model,size,seed,rmse\ncnn,10,1,26.5897\ncnn,20,1,26.9836\ncnn,10,2,29.6874\ncnn,20,2,25.0"
        assert [group for group in find_repeats(read("m.csv", text)) if "rmse" in group.leaf] == []

    @pytest.mark.parametrize("row", ["Mean", "Average", "mean over folds"])
    def test_a_row_of_means_below_the_folds(self, row: str) -> None:
        values = read("out/cv.csv", "fold,rmse\n1,26.5897\n2,26.9836\n3,29.6874")
        assert "mean of 3 folds" in aggregated(cell(MEAN, row=row), values).note
        assert link(cell("27.755", row=row), values) == []

    def test_copies_are_one_group(self) -> None:
        printed = [
            value
            for n, x in enumerate(("26.59", "26.98", "29.69"), 1)
            for value in read("run.log", f"seed {n}: cnn rmse {x}")
        ]
        values = [*rows("cnn"), *PLACES["objects"], *printed]
        assert len(in_copies(group for group in find_repeats(values) if "rmse" in group.leaf)) == 1
        found = link(cell(MEAN, caption="Mean over three seeds"), values)
        assert {one.operands[0].partition("!")[0] for one in found} == {"out/m.csv#1", "out/m.json#1"}

    def test_an_epoch_is_no_repetition(self) -> None:
        text = "epoch,rmse\n1,26.5897\n2,26.9836\n3,29.6874"
        assert link(cell(MEAN, header="Mean RMSE"), read("out/cnn.csv", text)) == []


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=9), st.randoms())
def test_the_order_of_repetitions_is_nothing(numbers: list[int], random: object) -> None:
    lines = [f"cnn,{seed},{number}.5" for seed, number in enumerate(numbers)]
    (group,) = (g for g in find_repeats(read("m.csv", "\n".join(["model,seed,rmse", *lines]))) if "rmse" in g.leaf)
    random.shuffle(lines)  # type: ignore[attr-defined]
    (again,) = (g for g in find_repeats(read("m.csv", "\n".join(["model,seed,rmse", *lines]))) if "rmse" in g.leaf)
    assert group.numbers == again.numbers == tuple(sorted(group.numbers))
    assert len(group.values) == len(numbers)


LISTS = {"linear": {"rmse": [1.5131, 1.4992, 1.5520]}, "quadratic": {"rmse": [0.7901, 0.7712, 0.8106]}}
CUBIC = LISTS | {"cubic": {"rmse": [0.6012, 0.6431, 0.6105]}}
PRINTED = {
    "before": "{model} seed {seed} rmse {number}",
    "key-and-value": "seed={seed} model={model} rmse={number}",
    "behind": "{model} rmse {number} (seed {seed})",
    "bare": "{model}, seed={seed}: rmse {number}",
}


def printed(line: str, document: dict[str, dict[str, list[float]]] = LISTS) -> list[Value]:
    lines = [
        line.format(model=model, seed=seed, number=number)
        for model, measured in document.items()
        for seed, number in enumerate(measured["rmse"], start=1)
    ]
    return read("run.log", "\n".join(lines))


def report(
    *rows: str, head: str = "Model | RMSE", above: str = "Test error over 3 seeds:", method: str = ""
) -> list[Claim]:
    line = f"|{'---|' * (head.count('|') + 1)}"
    table = "\n".join([f"| {head} |", line, *(f"| {row} |" for row in rows)])
    text = f"# Report\n\n## Method\n\n{method}\n\n## Results\n\n{above}\n\n{table}\n"
    return [claim for claim in read_claims("report.md", text) if claim.table is not None]


def told(
    claims: Sequence[Claim], values: Sequence[Value], papers: dict[str, str] | None = None
) -> dict[str, tuple[bool, str]]:
    links = find_links(claims, values, figures={}, papers=papers)
    return {c.written: (one.agrees, one.note) for c in claims for one in links if one.claim == c.id}


class TestColumns:
    @pytest.mark.parametrize("header", ["std", "sd", "s.d.", "St. dev.", "stdev", "±", "Std. (3 seeds)"])
    def test_a_bare_deviation_is_of_the_column_before(self, header: str) -> None:
        claims = report("linear | 1.5214 | 0.0274", "quadratic | 0.7906 | 0.0197", head=f"Model | RMSE | {header}")
        assert told(claims, as_json(LISTS)) == {
            "1.5214": (True, "mean of 3 seeds: 1.521433"),
            "0.0274": (True, "sample deviation of 3 seeds: 0.027369"),
            "0.7906": (True, "mean of 3 seeds: 0.790633"),
            "0.0197": (True, "sample deviation of 3 seeds: 0.019705"),
        }

    def test_of_another_divisor_is_said(self) -> None:
        claims = report("linear | 1.5214 | 0.0223", head="Model | RMSE | std")
        assert told(claims, as_json(LISTS))["0.0223"] == (True, "population deviation of 3 seeds: 0.022346")

    def test_the_nearest_column_counts(self) -> None:
        document = {"linear": {"rmse": LISTS["linear"]["rmse"], "mae": [1.2021, 1.1002, 1.3511]}}
        claims = report("linear | 1.5214 | 1.2178 | 0.1262 | 0.0274", head="Model | RMSE | MAE | std | sd")
        found = told(claims, as_json(document))
        assert found["0.1262"] == (True, "sample deviation of 3 seeds: 0.126185")
        assert "0.0274" not in found

    def test_a_deviation_of_nothing_on_record_is_none(self) -> None:
        claims = report("linear | 1.5214 | 0.0311", head="Model | RMSE | std")
        assert "0.0311" not in told(claims, as_json(LISTS))

    def test_a_standard_error_column_is_no_deviation(self) -> None:
        claims = report("linear | 1.5214 | 0.0274", head="Model | RMSE | SE")
        assert "0.0274" not in told(claims, as_json(LISTS))


class TestWhatIsSaidElsewhere:
    @pytest.mark.parametrize(
        ("above", "method"),
        [
            ("Test error over 3 seeds:", ""),
            ("Test error, seeds 1, 2 and 3:", ""),
            ("Test error (n = 3):", ""),
            ("We ran three random seeds each.\n\nThe errors:", ""),
            ("The errors:", "Each model is fitted with three seeds (1, 2 and 3)."),
            ("The errors:", "Each model is fitted with three\nseeds."),
        ],
    )
    def test_over_so_many_means_their_mean(self, above: str, method: str) -> None:
        claims = report("linear | 1.5214", "quadratic | 0.7906", above=above, method=method)
        papers = {"report.md": f"# Report\n## Method\n{method}\n## Results\n{above}\n"}
        what = "values" if "n =" in above else "seeds"
        assert told(claims, as_json(LISTS), papers) == {
            "1.5214": (True, f"mean of 3 {what}: 1.521433"),
            "0.7906": (True, f"mean of 3 {what}: 0.790633"),
        }

    @pytest.mark.parametrize("above", ["The errors:", "Test error over 5 seeds:", "Test error over 3 datasets:"])
    def test_of_another_count_or_of_nothing_it_says_nothing(self, above: str) -> None:
        assert told(report("linear | 1.5214", "quadratic | 0.7906", above=above), as_json(LISTS)) == {}

    def test_it_is_no_median_and_no_other_number(self) -> None:
        assert told(report("linear | 1.5130", "quadratic | 0.7907"), as_json(LISTS)) == {}

    def test_another_section_counts_where_a_mean_is_called_one(self) -> None:
        papers = {"report.md": "# Report\n## Outlook\nWe spent 3 seeds.\n## Results\nThe errors:\n"}
        plain = report("linear | 1.5214", above="The errors:")
        assert told(plain, as_json(LISTS), papers) == {}
        named = report("linear | 1.5214", head="Model | Mean RMSE", above="The errors:")
        assert told(named, as_json(LISTS), papers) == {"1.5214": (True, "mean of 3 seeds: 1.521433")}

    def test_the_row_has_to_name_the_list(self) -> None:
        assert told(report("linear | 0.7906", "quadratic | 1.5214"), as_json(LISTS)) == {}
        assert told(report("linear | 1.5214", head="Model | MAE"), as_json(LISTS)) == {}


class TestPrinted:
    @pytest.mark.parametrize("line", PRINTED.values(), ids=PRINTED)
    def test_lines_that_differ_by_the_counter_are_repetitions(self, line: str) -> None:
        claims = report("linear | 1.5214 | 0.0274", "quadratic | 0.7906 | 0.0197", head="Model | RMSE | std")
        found = told(claims, printed(line))
        assert found["1.5214"] == (True, "mean of 3 seeds: 1.521433")
        assert found["0.0197"] == (True, "sample deviation of 3 seeds: 0.019705")

    @pytest.mark.parametrize(
        "lines",
        [
            "linear seed 1 rmse 1.5131\nlinear seed 2 mae 1.4992\nlinear seed 3 rmse 1.5520",  # another measure
            "linear epoch 1 rmse 1.5131\nlinear epoch 2 rmse 1.4992\nlinear epoch 3 rmse 1.5520",
            "linear seed 1 rmse 1.5131\nlinear seed 1 rmse 1.4992\nlinear seed 1 rmse 1.5520",  # one seed, thrice
            "linear rmse 1.5131 (seed 42)\nlinear rmse 1.4992 (seed 42)\nlinear rmse 1.5520 (seed 42)",
        ],
    )
    def test_other_lines_are_none(self, lines: str) -> None:
        assert told(report("linear | 1.5214"), read("run.log", lines)) == {}


class TestWrongMeans:
    def test_the_rest_of_the_column_says_what_it_has_to_be(self) -> None:
        claims = report("linear | 1.5214", "quadratic | 0.7206", "cubic | 0.6183")
        assert told(claims, as_json(CUBIC))["0.7206"] == (False, "the mean of 3 seeds is 0.7906")
        (opposing,) = [one for one in find_links(claims, as_json(CUBIC), figures={}) if not one.agrees]
        assert (opposing.relation, opposing.tier, len(opposing.operands)) == (Relation.AGGREGATED, Tier.LABELS, 3)

    def test_its_own_deviation_says_it(self) -> None:
        claims = report("quadratic | 0.7206 | 0.0197", head="Model | RMSE | std")
        assert told(claims, as_json(CUBIC))["0.7206"] == (False, "the mean of 3 seeds is 0.7906")

    @pytest.mark.parametrize("line", PRINTED.values(), ids=PRINTED)
    def test_of_printed_ones_too(self, line: str) -> None:
        claims = report("linear | 1.5214", "quadratic | 0.7206", "cubic | 0.6183")
        assert told(claims, printed(line, CUBIC))["0.7206"] == (False, "the mean of 3 seeds is 0.7906")

    def test_so_is_a_deviation(self) -> None:
        rows_of = ("linear | 1.5214 | 0.0274", "quadratic | 0.7906 | 0.0597", "cubic | 0.6183 | 0.0220")
        found = told(report(*rows_of, head="Model | RMSE | std"), as_json(CUBIC))
        assert found["0.0597"] == (False, "the sample deviation of 3 seeds is 0.0197")

    @pytest.mark.parametrize(
        "written",
        [
            "0.7901",  # one of them
            "0.7907",  # rounded up
            "0.8106",  # the highest
            "0.79",  # rounded by hand
            "0.0197",  # their deviation
            "0.0114",  # its error
            "790.63",  # thousandths
            "79.06",
            "72.06",  # perhaps of another unit
        ],
    )
    def test_what_may_be_meant_otherwise_is_not_opposed(self, written: str) -> None:
        found = told(report("linear | 1.5214", f"quadratic | {written}", "cubic | 0.6183"), as_json(CUBIC))
        assert found.get(written, (True, ""))[0]

    def test_nor_where_several_groups_fit(self) -> None:
        document = {"run_a": CUBIC, "run_b": CUBIC | {"quadratic": {"rmse": [0.7011, 0.7212, 0.7105]}}}
        found = told(report("linear | 1.5214", "quadratic | 0.7206", "cubic | 0.6183"), as_json(document))
        assert "0.7206" not in found

    def test_nor_where_the_units_differ(self) -> None:
        claims = report("linear | 1.5214", "quadratic | 0.7206", "cubic | 0.6183", head="Model | RMSE (ms)")
        assert "0.7206" not in told(claims, as_json(CUBIC))

    def test_nor_where_the_rest_of_the_column_says_nothing(self) -> None:
        document = CUBIC | {"flat": {"rmse": [2.1012, 2.0431, 2.0105]}}
        claims = report("linear | 1.4214", "quadratic | 0.7206", "cubic | 0.6183", "flat | 2.1516")
        assert told(claims, as_json(document)).keys() == {"0.6183"}

    def test_nor_a_row_that_is_called_otherwise(self) -> None:
        found = told(report("linear | 1.5214", "quadratic (tuned) | 0.7206", "cubic | 0.6183"), as_json(CUBIC))
        assert "0.7206" not in found
