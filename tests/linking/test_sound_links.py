"""What must not link although the digits agree, each beside an honest look-alike that must."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import pytest

from provchain.linking import find_links
from provchain.linking.words import split_words
from provchain.model import Claim, ClaimKind, Link, Relation, Tier, Value


def value(path: str, selector: str, lexical: str, *labels: str) -> Value:
    return Value(f"{path}#1!{selector}", f"{path}#1", path, selector, lexical, Decimal(lexical), labels)


def keyed(path: str, lexical: str, *keys: str) -> Value:
    return value(path, "/" + "/".join(keys), lexical, *keys)


def cell(written: str, row: str, header: str, place: tuple[int, int], **more: str) -> Claim:
    name = f"{place[0]}-{place[1]}"
    text = f"| {row} | {written} |"
    return Claim(name, ClaimKind.NUMBER, "paper.md", 10 + place[0], 5 * place[1] + 1, written, text, row=row,
                 header=header, table=1, cell=place, **more)  # type: ignore[arg-type]  # fmt: skip


def prose(written: str, text: str) -> Claim:
    return Claim("p", ClaimKind.NUMBER, "paper.md", 50, 1, written, text)


def link(claims: Sequence[Claim], values: Sequence[Value]) -> dict[str, list[Link]]:
    found: dict[str, list[Link]] = {}
    for one in find_links(claims, values, figures={}):
        found.setdefault(one.claim, []).append(one)
    return found


def grid(rows: Sequence[str], columns: Sequence[str], numbers: Sequence[Sequence[str]]) -> list[Claim]:
    return [
        cell(numbers[row][column], name, header, (row, column))
        for row, name in enumerate(rows)
        for column, header in enumerate(columns)
    ]


class TestOneOfManyIsNoAverage:
    MODELS = ("knn", "tree")
    AVERAGES = ("Time (avg)", "Mean Margin", "Overall Cost")

    def items(self, index: str, key: str = "{}") -> list[Value]:
        return [
            keyed("all.json", f"{0.31 * item + model:.4f}", name, "items", index.format(item), key.format(metric))
            for model, name in enumerate(self.MODELS)
            for item in range(40)
            for metric in ("time", "margin", "cost")
        ]

    @pytest.mark.parametrize("index", ["{}", "problem_{}"])
    def test_an_item_is_no_average(self, index: str) -> None:
        table = grid(self.MODELS, self.AVERAGES, [["6.20", "3.10", "9.3"], ["7.20", "4.1", "10.3"]])
        assert link(table, self.items(index)) == {}
        assert link([prose("6.20", "The average time of knn is 6.20 here.")], self.items(index)) == {}

    def test_a_history_of_averages_is(self) -> None:
        values = self.items("{}", "mean_{}")
        table = grid(self.MODELS, ("Time (avg)", "Mean Margin"), [["12.09", "12.09"], ["13.09", "13.09"]])
        assert len(link(table, values)) == 4

    def test_an_item_that_is_named_is(self) -> None:
        table = [cell("6.20", "knn", "Time (avg) of problem 20", (0, 0))]
        assert [one.operands for one in link(table, self.items("problem_{}"))["0-0"]] == [
            ("all.json#1!/knn/items/problem_20/time",)
        ]

    def test_an_average_that_stands_alone_is(self) -> None:
        values = [*self.items("problem_{}"), keyed("all.json", "6.2123", "knn", "time")]
        found = link([cell("6.21", "knn", "Average Time", (0, 0))], values)
        assert [one.operands for one in found["0-0"]] == [("all.json#1!/knn/time",)]

    def test_a_crowded_list_says_nothing_but_its_end_does(self) -> None:
        values = [keyed("h.json", f"{0.5 + 0.004 * n:.4f}", "knn", "accuracy", str(n)) for n in range(100)]
        values += [keyed("h.json", f"{0.4 + 0.004 * n:.4f}", "tree", "accuracy", str(n)) for n in range(100)]
        middle = [cell("0.62", "knn", "Accuracy", (0, 0)), cell("0.58", "tree", "Accuracy", (1, 0))]
        assert link(middle, values) == {}
        end = [cell("0.896", "knn", "Accuracy", (0, 0)), cell("0.796", "tree", "Accuracy", (1, 0))]
        assert [one.operands[0] for links in link(end, values).values() for one in links] == [
            "h.json#1!/knn/accuracy/99", "h.json#1!/tree/accuracy/99",
        ]  # fmt: skip


class TestSpread:
    MODELS = ("knn", "tree", "mlp")
    MEANS = ("0.71273", "0.75312", "0.81234")
    STDS = ("0.04051", "0.08021", "0.01777")

    def values(self, *kinds: str) -> list[Value]:
        numbers = {"mean": self.MEANS, "std": self.STDS}
        return [
            keyed("m.json", numbers[kind][row], name, f"accuracy_{kind}")
            for row, name in enumerate(self.MODELS)
            for kind in kinds
        ]

    def table(self, first: str = "0.0405", **more: str) -> list[Claim]:
        spreads = (first, "0.0802", "0.0178")
        return [
            cell(f"{float(self.MEANS[row]):.4f} ± {spreads[row]}", name, "Accuracy", (row, 0), **more)
            for row, name in enumerate(self.MODELS)
        ]

    def test_both_hold(self) -> None:
        for links in link(self.table(), self.values("mean", "std")).values():
            assert [(one.agrees, len(one.operands)) for one in links] == [(True, 2)]

    def test_an_invented_spread_is_opposed_by_the_one_beside_the_mean(self) -> None:
        (one,) = link(self.table("0.0021"), self.values("mean", "std"))["0-0"]
        assert not one.agrees
        assert "0.04051" in one.note

    def test_the_other_divisor_is_no_contradiction(self) -> None:
        sample = float(self.STDS[0]) * (5 / 4) ** 0.5
        (one,) = link(self.table(f"{sample:.4f}"), self.values("mean", "std"))["0-0"]
        assert one.agrees
        assert "0.04051" in one.note

    def test_a_confidence_interval_is_no_deviation(self) -> None:
        (one,) = link(self.table("0.0021", caption="Accuracy with 95% CI"), self.values("mean", "std"))["0-0"]
        assert one.agrees

    def test_without_any_spread_the_mean_is_noted(self) -> None:
        (one,) = link(self.table("0.0021"), self.values("mean"))["0-0"]
        assert (one.agrees, one.operands) == (True, ("m.json#1!/knn/accuracy_mean",))
        assert "0.0021" in one.note

    def seeds(self, numbers: Sequence[str] = ("0.6721", "0.7273", "0.7535")) -> list[Value]:
        return [
            keyed(f"out/seed_{seed}.json", str(Decimal(number) + Decimal(row) / 10), name, "accuracy")
            for seed, number in enumerate(numbers)
            for row, name in enumerate(self.MODELS)
        ]

    def test_one_seed_carries_no_spread(self) -> None:
        table = [cell(f"0.{7 + row}273 ± 0.0021", name, "Accuracy", (row, 0)) for row, name in enumerate(self.MODELS)]
        assert link(table, self.seeds()) == {}
        plain = [cell(f"0.{7 + row}273", name, "Accuracy", (row, 0)) for row, name in enumerate(self.MODELS)]
        assert len(link(plain, self.seeds())) == 3

    @pytest.mark.parametrize(("spread", "kind"), [("0.0416", "sample"), ("0.0339", "population")])
    def test_mean_and_deviation_of_seeds_are_computed(self, spread: str, kind: str) -> None:
        (one,) = link([cell(f"0.7176 ± {spread}", "knn", "Accuracy", (0, 0))], self.seeds())["0-0"]
        assert (one.relation, one.tier, len(one.operands)) == (Relation.AGGREGATED, Tier.LABELS, 3)
        assert kind in one.note
        assert link([cell("0.7176 ± 0.0500", "knn", "Accuracy", (0, 0))], self.seeds()) == {}


class TestColumnThatAgreesNowhere:
    COLUMNS = ("Recall@1", "Recall@5", "Data Reduction", "Relative Time")
    ROWS = ("Influence", "Random", "Full")
    FILE = (("10.5", "47.5", "29.25", "0.0"), ("30.5", "67.5", "20.75", "0.0"), ("32.5", "72.5", "0.5", "0.0"))

    def values(self, columns: int = 4) -> list[Value]:
        return [
            value("summary.csv", f"cell={row + 2},{column + 2}", self.FILE[row][column], name, header)
            for row, name in enumerate(self.ROWS)
            for column, header in enumerate(self.COLUMNS[:columns])
        ]

    def table(self, agreeing: int = 3) -> list[Claim]:
        invented = ("0.71", "0.83", "1.27")
        numbers = [
            [self.FILE[row][column] if column < agreeing else f"{column}{invented[row][1:]}" for column in range(4)]
            for row in range(3)
        ]
        return grid(self.ROWS, self.COLUMNS, numbers)

    def test_it_is_opposed_by_the_file_that_has_the_column(self) -> None:
        found = link(self.table(), self.values())
        opposed = {name: links for name, links in found.items() if not links[0].agrees}
        assert sorted(opposed) == ["0-3", "1-3", "2-3"]
        assert all("single out 0.0" in links[0].note for links in opposed.values())

    def test_not_where_the_file_lacks_the_column(self) -> None:
        found = link(self.table(), self.values(columns=3))
        assert len(found) == 9
        assert all(one.agrees for links in found.values() for one in links)

    def test_not_without_the_joint_evidence_of_the_other_cells(self) -> None:
        found = link(self.table(agreeing=1), self.values())
        assert all(one.agrees for links in found.values() for one in links)

    def test_not_where_the_number_stands_elsewhere_under_its_labels(self) -> None:
        other = [value("time.csv", f"cell={row + 2},2", number, name, "Relative Time")
                 for row, (name, number) in enumerate(zip(self.ROWS, ("3.71", "3.83", "3.27"), strict=True))]  # fmt: skip
        found = link(self.table(), [*self.values(), *other])
        assert all(one.agrees for links in found.values() for one in links)
        assert found["1-3"][0].operands == ("time.csv#1!cell=3,2",)


def test_a_compound_in_a_log_hides_no_place() -> None:
    """One rare ``influencespace`` makes both words of the label heavy; places that know them apart count no less."""
    rows = ("InfluenceSpace", "Random Sampling", "Full")
    values = [keyed("m.json", f"0.{row + 3}4721", name, "recall") for row, name in enumerate(rows)]
    values += [keyed("x.json", f"{n}.5", "influence", "space", f"z{n}") for n in range(40)]
    values += [value("run.log", "line=1", "7", "influencespace pairs")]
    found = link([cell(f"0.{row + 3}472", name, "Recall", (row, 0)) for row, name in enumerate(rows)], values)
    assert [(one.operands, one.rule) for one in found["0-0"]] == [(("m.json#1!/InfluenceSpace/recall",), "5.7 table")]


class TestCellsOfAnotherPlace:
    def test_the_header_alone_ties_no_cell_to_a_toy_test(self) -> None:
        toy = value("run.log", "line=3", "0.76667", "recall")
        others = [keyed("x.json", f"{n}.5", f"x{n}", f"z{n}") for n in range(20)]
        table = [cell("0.76667", "centroid", "Recall", (0, 0))]
        named = value("run.log", "line=4", "0.76667", "centroid recall")
        knows = keyed("c.json", "5", "centroid", "size")
        assert all(one.tier is Tier.LONE for one in link(table, [toy, knows, *others]).get("0-0", ()))
        assert {one.tier for one in link(table, [named, *others])["0-0"]} == {Tier.LABELS}

    def test_no_lone_number_in_a_table_made_from_another_file(self) -> None:
        rows, columns = ("knn", "tree"), ("Accuracy", "Recall")
        values = [
            keyed("m.json", f"0.{row + 5}{column + 3}721", name, header.lower())
            for row, name in enumerate(rows)
            for column, header in enumerate(columns)
        ]
        stray = value("other.log", "line=9", "0.12348", "checksum")
        numbers = [["0.53721", "0.54721"], ["0.63721", "0.64721"]]
        table = [*grid(rows, columns, numbers), cell("0.12348", "knn", "Depth", (0, 2))]
        found = link(table, [*values, stray])
        assert sorted(found) == ["0-0", "0-1", "1-0", "1-1"]
        alone = link([cell("0.12348", "knn", "Depth", (0, 2))], [*values, stray])
        assert [one.tier for one in alone["0-2"]] == [Tier.LONE]


class TestRoundPercentages:
    VALUES = (
        keyed("card.json", "0.4", "use_case_weights", "resource_constrained", "accuracy"),
        keyed("card.json", "0.31", "use_case_weights", "real_time", "accuracy"),
        keyed("m.json", "0.97", "svm", "accuracy"),
        keyed("m.json", "0.913", "mlp", "accuracy"),
        *(keyed("x.json", f"{n}.5", f"x{n}", f"z{n}") for n in range(20)),
    )

    def test_one_key_in_the_sentence_is_not_enough(self) -> None:
        text = "This differs from accuracy-focused approaches in 40% of the use cases."
        assert link([prose("40%", text)], self.VALUES) == {}

    def test_a_place_that_is_named_is(self) -> None:
        found = link([prose("97%", "The SVM reaches an accuracy of 97% here.")], self.VALUES)
        assert [(one.operands, one.scale) for one in found["p"]] == [(("m.json#1!/svm/accuracy",), 100)]


class TestOneFormForAProperty:
    def test_adjectives_verbs_and_nouns_meet(self) -> None:
        for left, right in (
            ("stable", "Stability"), ("converges", "convergence"), ("converged", "convergence"),
            ("robust", "Robustness"), ("accurate", "Accuracy"), ("precise", "precision"), ("reliable", "reliability"),
            ("consistent", "consistency"), ("efficient", "efficiency"), ("diverse", "diversity"),
        ):  # fmt: skip
            assert split_words(left) == split_words(right), (left, right)

    def test_what_differs_stays_apart(self) -> None:
        for left, right in (
            ("loss", "los"), ("accuracy", "balanced accuracy"), ("table", "tability"), ("different", "difference"),
            ("variable", "variability"), ("adaptive", "adaptation"), ("bias", "bia"), ("recall", "precision"),
            ("weight", "weighted"), ("learned", "learning"), ("agent", "agency"),
        ):  # fmt: skip
            assert split_words(left) != split_words(right), (left, right)
        assert split_words("losses") == ("loss",)

    def test_a_sentence_with_the_adjective_restates_the_cell(self) -> None:
        rows, columns = ("static", "tuned"), ("Stability", "Accuracy")
        numbers = [["0.8937", "0.7661"], ["0.8123", "0.9152"]]
        values = [
            keyed("m.json", numbers[row][column], name, header.lower())
            for row, name in enumerate(rows)
            for column, header in enumerate(columns)
        ]
        sentence = prose("0.8937", "The static model, while rather stable (0.8937), is behind.")
        found = link([*grid(rows, columns, numbers), sentence], values)
        assert [one.operands for one in found["p"]] == [("m.json#1!/static/stability",)]
