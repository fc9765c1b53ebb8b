"""Numbers that a manuscript writes in another scale or unit than its files: only where that can be told."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import pytest

from provchain.linking import find_links
from provchain.model import Claim, ClaimKind, Link, Value

ROWS, COLUMNS = ("lake", "river", "pond"), ("tree", "ridge", "knn")
FRACTIONS = (("0.8756", "0.9778", "0.9467"), ("0.9644", "0.7312", "0.9790"), ("0.8891", "0.9472", "0.7364"))


def value(lexical: str, *keys: str, path: str = "out.json") -> Value:
    selector = "/" + "/".join(keys)
    return Value(f"{path}#1!{selector}", f"{path}#1", path, selector, lexical, Decimal(lexical), keys)


def values(inner: str = "mean") -> list[Value]:
    return [
        value(FRACTIONS[r][c], row, column, inner) for r, row in enumerate(ROWS) for c, column in enumerate(COLUMNS)
    ]


def table(numbers: Sequence[Sequence[str]], columns: Sequence[str] = COLUMNS) -> list[Claim]:
    return [
        Claim(
            f"{r},{c}", ClaimKind.NUMBER, "paper.md", 10 + r, 9 * c + 1, written, f"| {ROWS[r]} | {written} |",
            row=ROWS[r].title(), header=columns[c], table=1, cell=(r + 1, c + 2),
        )
        for r, line in enumerate(numbers) for c, written in enumerate(line)
    ]  # fmt: skip


def prose(text: str, written: str) -> Claim:
    return Claim(
        "p", ClaimKind.NUMBER, "paper.md", 3, text.index(written) + 1, written, text, offset=text.index(written)
    )


def link(claims: Sequence[Claim], pool: Sequence[Value]) -> dict[str, list[Link]]:
    found: dict[str, list[Link]] = {claim.id: [] for claim in claims}
    for one in find_links(claims, pool, figures={}):
        found[one.claim].append(one)
    return found


def percent(changes: dict[tuple[int, int], str] | None = None) -> list[list[str]]:
    numbers = [[str((Decimal(x) * 100).quantize(Decimal("0.1"))) for x in line] for line in FRACTIONS]
    for (r, c), written in (changes or {}).items():
        numbers[r][c] = written
    return numbers


class TestPercentWithoutASign:
    def test_a_table_that_is_a_hundred_times_its_file_is_read_in_percent(self) -> None:
        found = link(table(percent()), values())
        assert all(links and all(one.agrees and one.scale == 100 for one in links) for links in found.values())

    def test_a_wrong_cell_of_it_does_not_agree(self) -> None:
        found = link(table(percent({(1, 1): "93.7"})), values())
        assert not any(one.agrees for one in found["1,1"])
        assert all(one.agrees for place in ("0,0", "2,2") for one in found[place])

    def test_a_table_of_other_numbers_agrees_nowhere(self) -> None:
        other = [["81.2", "92.4", "77.3"], ["91.8", "85.5", "88.1"], ["93.3", "79.9", "84.7"]]
        assert not any(one.agrees for links in link(table(other), values()).values() for one in links)

    def test_a_table_that_agrees_as_written_is_not_tried_as_percentages(self) -> None:
        doubled = [*values(), *(value("0.0123", row, "slow", "mean") for row in ROWS)]
        numbers = [[*line, "1.23"] for line in FRACTIONS]
        found = link(table(numbers, (*COLUMNS, "slow")), doubled)
        assert all(one.agrees and one.scale == 1 for place in ("0,0", "1,2", "2,1") for one in found[place])
        assert not any(one.agrees for r in range(3) for one in found[f"{r},3"])

    def test_a_cell_without_the_sign_of_its_column_is_not_contradicted_by_the_scale(self) -> None:
        numbers = [[f"{x}%" for x in line] for line in percent()]
        numbers[2] = percent()[2]
        assert all(one.agrees for links in link(table(numbers), values()).values() for one in links)
        numbers[2][0] = "98.9"
        assert not any(one.agrees for one in link(table(numbers), values())["2,0"])


def sized(unit: str = "memory_bytes") -> list[Value]:
    return [value(number, row, unit) for row, number in zip(ROWS, ("81741", "319486", "204112"), strict=True)]


def column(header: str, numbers: Sequence[str]) -> list[Claim]:
    return table([[number] for number in numbers], (header,))


class TestUnits:
    @pytest.mark.parametrize(
        ("header", "key", "stored", "written"),
        [
            ("Memory (MB)", "memory_bytes", ("81741", "319486", "204112"), ("0.082", "0.319", "0.204")),
            ("Memory (MB)", "memory_bytes", ("32000000", "6400000", "480000"), ("30.52", "6.10", "0.46")),  # MiB
            ("Peak memory [kB]", "peak_memory_bytes", ("81741", "319486", "204112"), ("82", "319", "204")),
            ("Time [s]", "seconds", ("1.1997", "0.5124", "2.7310"), ("1.20", "0.51", "2.73")),
            ("Fit time (ms)", "fit_time_s", ("0.0412", "0.3127", "0.0984"), ("41.2", "312.7", "98.4")),
            ("Median time (µs)", "time_ms_median", ("0.3453", "0.1742", "0.2601"), ("345", "174", "260")),
            ("Time (min)", "train_seconds", ("124.2", "912.6", "66.6"), ("2.07", "15.21", "1.11")),
            ("Features (k)", "n_features", ("6206", "62138", "14411"), ("6.2", "62.1", "14.4")),
            ("Pairs (in millions)", "n_pairs", ("6206000", "62138000", "14411000"), ("6.2", "62.1", "14.4")),
        ],
    )
    def test_a_column_in_another_unit(
        self, header: str, key: str, stored: Sequence[str], written: Sequence[str]
    ) -> None:
        pool = [value(number, row, key) for row, number in zip(ROWS, stored, strict=True)]
        found = link(column(header, written), pool)
        assert [{operand for one in links for operand in one.operands} for links in found.values()] == [
            {one.id} for one in pool
        ]
        assert all(one.agrees for links in found.values() for one in links)

    def test_a_wrong_number_in_another_unit_finds_nothing(self) -> None:
        found = link(column("Memory (MB)", ("0.082", "0.391", "0.204")), sized())
        assert [bool(links) for links in found.values()] == [True, False, True]

    @pytest.mark.parametrize(
        ("header", "key"),
        [("Memory (MB)", "memory"), ("Memory", "memory_bytes"), ("Memory (MB)", "memory_s"), ("Time (s)", "bytes")],
    )
    def test_both_sides_have_to_name_units_of_one_kind(self, header: str, key: str) -> None:
        assert not any(link(column(header, ("0.082", "0.319", "0.204")), sized(key)).values())

    def test_other_rows_are_not_taken(self) -> None:
        assert not any(link(column("Memory (MB)", ("0.204", "0.082", "0.319")), sized()).values())

    def test_the_record_of_the_row_may_be_called_otherwise(self) -> None:
        pool = [
            value(number, "run", key, leaf)
            for key, accuracy, seconds in (("a1", "0.9611", "1.1997"), ("b2", "0.6913", "0.5124"))
            for leaf, number in (("accuracy", accuracy), ("seconds", seconds))
        ]
        cells = table([["0.9611", "1.20"], ["0.6913", "0.51"]], ("accuracy", "Time [s]"))
        found = link(cells, pool)
        assert [one.operands for place in ("0,1", "1,1") for one in found[place]] == [
            ("out.json#1!/run/a1/seconds",),
            ("out.json#1!/run/b2/seconds",),
        ]
        wrong = link(table([["0.9611", "1.32"], ["0.6913", "1.20"]], ("accuracy", "Time [s]")), pool)
        assert not wrong["0,1"]
        assert not wrong["1,1"]

    def test_a_sentence_in_another_unit(self) -> None:
        assert link([prose("The river model takes 319 kB of memory.", "319 kB")], sized())["p"]
        assert not link([prose("The river model takes 391 kB of memory.", "391 kB")], sized())["p"]
        assert not link([prose("The river model takes 319 ms.", "319 ms")], sized())["p"]


def test_an_integer_restates_a_cell_with_decimals_under_both_of_its_labels() -> None:
    pool = [value(number, row, "regret") for row, number in zip(ROWS, ("380.508", "337.204", "260.113"), strict=True)]
    cells = column("regret", ("380.5", "337.2", "260.1"))
    text = "The regret of the lake is high (381)."
    assert link([*cells, prose(text, "381")], pool)["p"]
    for wrong in (text.replace("381", "382"), text.replace("lake", "river"), text.replace("381", "379")):
        assert not link([*cells, prose(wrong, next(w for w in ("381", "382", "379") if w in wrong))], pool)["p"]


def test_a_cell_that_names_its_unit_itself() -> None:
    pool = [value(number, row, "fit_ms") for row, number in zip(ROWS, ("41.23", "312.71", "98.4"), strict=True)]
    assert all(link(column("Fit", ("0.04 s", "0.31 s", "0.10 s")), pool).values())
    assert not link(column("Fit", ("0.04 s", "0.13 s", "0.10 s")), pool)["1,0"]


class TestWholeNumbers:
    STORED = ("168.667", "229.333", "1204.5")

    def pool(self) -> list[Value]:
        return [value(number, row, "trees") for row, number in zip(ROWS, self.STORED, strict=True)]

    def test_cells_may_be_rounded_to_whole_numbers(self) -> None:
        assert all(link(column("trees", ("169", "229", "1205")), self.pool()).values())

    def test_a_whole_number_that_is_not_the_nearest_finds_nothing(self) -> None:
        found = link(column("trees", ("168", "229", "1205")), self.pool())
        assert [bool(links) for links in found.values()] == [False, True, True]

    def test_of_few_digits_they_are_counts(self) -> None:
        pool = [value(number, row, "trees") for row, number in zip(ROWS, ("16.67", "22.33", "12.45"), strict=True)]
        assert not any(link(column("trees", ("17", "22", "12")), pool).values())

    def test_counts_stay_exact(self) -> None:
        pool = [value(number, row, "trees") for row, number in zip(ROWS, ("168", "230", "1204"), strict=True)]
        assert not any(
            one.agrees for links in link(column("trees", ("169", "229", "1205")), pool).values() for one in links
        )
