"""Labels of tables: units, words of a file's own name, numbers that name rows."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from provchain.inspection.values import read_values
from provchain.linking import find_links
from provchain.linking.units import key_unit, split_unit, without_unit
from provchain.model import Claim, ClaimKind, Link, Value

CODECS = ("zstd", "lz4", "brotli")
MEDIANS, TAILS = ("12.664", "4.664", "33.544"), ("14.570", "5.556", "39.544")


def read(path: str, text: str) -> list[Value]:
    return read_values(f"{path}#1", path, text)


def grid(rows: Sequence[str], columns: Sequence[str], numbers: Sequence[Sequence[str]]) -> list[Claim]:
    return [
        Claim(f"{row}/{column}", ClaimKind.NUMBER, "paper.md", 9 + at, 5, numbers[at][place], f"| {row} |", row=row,
              header=column, table=1, cell=(at, place))
        for at, row in enumerate(rows) for place, column in enumerate(columns)
    ]  # fmt: skip


def link(claims: Sequence[Claim], values: Sequence[Value]) -> dict[str, list[Link]]:
    found: dict[str, list[Link]] = {}
    for one in find_links(claims, values, figures={}):
        found.setdefault(one.claim, []).append(one)
    return found


class TestUnits:
    @pytest.mark.parametrize(
        ("label", "unit"),
        [
            ("latency (ms)", "ms"),
            ("latency [ms]", "ms"),
            ("latency[ms]", "ms"),
            ("latency, ms", "ms"),
            ("latency in ms", "ms"),
            ("latency in milliseconds ↓", "ms"),
            ("latency (ms, lower is better)", "ms"),
            ("latency (s)", "s"),
            ("latency (%)", "%"),
            ("latency, in %", "%"),
            ("latency (kg/m³)", "kg / m3"),
            ("latency (tokens/s)", "tokens / s"),
            ("latency ($)", "usd"),
            ("latency (lower is better)", ""),
            ("latency", ""),
        ],
    )
    def test_a_unit_is_no_part_of_the_name(self, label: str, unit: str) -> None:
        assert split_unit(label) == ("latency", unit)

    @pytest.mark.parametrize(
        "label", ["Accuracy (images)", "Params (M)", "Panel (a)", "Model(s)", "top in class", "F1, macro"]
    )
    def test_what_only_looks_like_one_stays(self, label: str) -> None:
        assert without_unit(label) == label

    @pytest.mark.parametrize(
        ("key", "unit"), [("t_ms", "ms"), ("size_mb", "mb"), ("acc_pct", "%"), ("loss_min", ""), ("ms", "")]
    )
    def test_units_of_keys(self, key: str, unit: str) -> None:
        assert key_unit(key) == unit

    def table(self, headers: tuple[str, str], wrong: str = "9.113") -> list[Claim]:
        tails = (TAILS[0], wrong, TAILS[2])
        return grid(CODECS, headers, list(zip(MEDIANS, tails, strict=True)))

    def values(self, columns: str = "median_latency,p95_latency") -> list[Value]:
        lines = map(",".join, zip(CODECS, MEDIANS, TAILS, strict=True))
        return read("bench/table.csv", "\n".join([f"codec,{columns}", *lines]))

    @pytest.mark.parametrize(
        "form", ["{}", "{} (ms)", "{} [ms]", "{}, ms", "{} in ms", "{} (ms) ↓", "{} (lower is better)"]
    )
    def test_another_number_under_a_label_with_a_unit_is_a_contradiction(self, form: str) -> None:
        headers = (form.format("median latency"), form.format("p95 latency"))
        found = link(self.table(headers), self.values())
        assert [one.agrees for one in found[f"lz4/{headers[1]}"]] == [False]
        assert all(one.agrees for key, links in found.items() if key != f"lz4/{headers[1]}" for one in links)
        assert len(found) == 6

    def test_units_on_both_sides_must_agree(self) -> None:
        named = self.values("median_latency_ms,p95_latency_ms")
        assert len(link(self.table(("median latency (ms)", "p95 latency (ms)")), named)) == 6
        assert link(self.table(("median latency (s)", "p95 latency (s)")), named) == {}

    @pytest.mark.parametrize("written", ["0.005556", "5.289", "0.0926"])
    def test_the_same_in_another_unit_is_no_contradiction(self, written: str) -> None:
        found = link(self.table(("median latency (ms)", "p95 latency (ms)"), written), self.values())
        assert "lz4/p95 latency (ms)" not in found or written == "5.289"


class TestWordsOfTheFileName:
    ROWS = ("Aare", "Emme", "Simme")

    def values(self, path: str = "out/peaks.csv") -> list[Value]:
        return read(path, "station,peak_flow,mean_flow\nAare,65.421,46.146\nEmme,19.887,14.656\nSimme,30.691,21.183")

    def table(self, *numbers: tuple[str, str]) -> list[Claim]:
        return grid(self.ROWS, ("Peak flow (m³/s)", "Mean flow (m³/s)"), numbers)

    DIFFERENT = (("73.93", "49.377"), ("22.47", "15.682"), ("34.68", "22.666"))

    def test_a_table_of_which_nothing_agrees(self) -> None:
        found = link(self.table(*self.DIFFERENT), self.values())
        assert [one.agrees for links in found.values() for one in links] == [False] * 6

    def test_not_where_another_file_has_the_same_rows_and_columns(self) -> None:
        other = [*self.values(), *self.values("out/peak_test.csv")]
        assert link(self.table(*self.DIFFERENT), other) == {}

    def test_not_where_the_numbers_are_of_another_size(self) -> None:
        assert link(self.table(("7393", "4937"), *self.DIFFERENT[1:]), self.values()) == {}


class TestATableOfWhichNothingAgrees:
    """Against a file that has exactly its rows and columns, by row and by column once more."""

    ROWS = tuple(f"site {letter}" for letter in "abcdefghij")
    COLUMNS = ("cover", "height")

    def numbers(self, more: float = 0.0) -> list[list[str]]:
        return [[f"{0.31 + at / 37 + more:.4f}", f"{0.87 - at / 41 - more:.4f}"] for at in range(len(self.ROWS))]

    def values(self, *, second: float = 0.0) -> list[Value]:
        by_row = {
            row: dict(zip(self.COLUMNS, map(float, own), strict=True))
            for row, own in zip(self.ROWS, self.numbers(), strict=True)
        }
        by_column = {key: {row: own[key] + second for row, own in by_row.items()} for key in self.COLUMNS}
        return read("out/plots.json", json.dumps({"raw": by_row, "compared": by_column}))

    def test_two_ways_to_say_the_same_single_it_out(self) -> None:
        found = link(grid(self.ROWS, self.COLUMNS, self.numbers(0.057)), self.values())
        assert [one.agrees for links in found.values() for one in links] == [False] * 20

    def test_two_ways_that_differ_do_not(self) -> None:
        assert link(grid(self.ROWS, self.COLUMNS, self.numbers(0.057)), self.values(second=0.013)) == {}

    @pytest.mark.parametrize(("by_chance", "contradicted"), [(1, 19), (2, 18), (3, 0)])
    def test_a_few_cells_may_agree_by_chance(self, by_chance: int, contradicted: int) -> None:
        numbers = self.numbers(0.057)
        for other, own in list(zip(numbers, self.numbers(), strict=True))[:by_chance]:
            other[0] = own[0]
        found = link(grid(self.ROWS, self.COLUMNS, numbers), self.values())
        assert sum(not one.agrees for links in found.values() for one in links) == contradicted

    def test_an_honest_table_of_it_agrees(self) -> None:
        found = link(grid(self.ROWS, self.COLUMNS, self.numbers()), self.values())
        assert len(found) == 20
        assert all(one.agrees for links in found.values() for one in links)


class TestNumbersThatNameRows:
    def test_a_first_column_of_whole_numbers(self) -> None:
        values = read("out/win.csv", "window,mse,lag\n5,0.9,20.6\n10,1.0,11.0\n20,1.3,6.5")
        assert values[1].labels == ("window 5", "mse")
        table = grid(("5", "10", "20"), ("MSE", "lag"), (("0.9", "20.6"), ("1.0", "11.0"), ("1.3", "6.5")))
        found = link(table, values)
        assert {key: [one.operands[0].partition("!")[2] for one in links] for key, links in found.items()} == {
            f"{row}/{header}": [f"cell={at},{place}"]
            for at, row in enumerate(("5", "10", "20"), start=2)
            for place, header in enumerate(("MSE", "lag"), start=2)
        }

    @pytest.mark.parametrize(
        "text",
        [
            "x,y\n5,1.5\n5,2.5",  # not distinct
            "size,name,y\n5,a,1.5\n10,b,2.5",  # a text names the rows
            "7,y\n5,1.5\n10,2.5",  # no word
            "ratio,y\n0.5,1.5\n1.0,2.5",  # measured
            "\n".join(["t,y", *(f"{t},{t * 1.5}" for t in range(20))]),  # a series
            "\n".join(["t,y", *(f"{t * t},{t * 1.5}" for t in range(60))]),
        ],
    )
    def test_other_columns_name_nothing(self, text: str) -> None:
        column = text.partition(",")[0]
        assert not any(label.startswith(f"{column} ") for value in read("a.csv", text) for label in value.labels)
