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
