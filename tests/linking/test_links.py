"""Which values stand behind which claims: whole tables, sentences, settings, figures, and what must not link."""

from __future__ import annotations

import random
from collections.abc import Sequence
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from provchain.linking import find_links
from provchain.linking.figures import FigureFiles
from provchain.linking.words import split_words
from provchain.model import Claim, ClaimKind, ClaimRole, Link, Relation, Tier, Value

MODELS = ("svm", "random_forest", "logistic_regression", "mlp")
METRICS = ("accuracy", "balanced_accuracy", "f1", "inference_time")
TITLES = ("Accuracy", "Balanced Acc.", "F1-Score", "Inference Time (s)")
NUMBERS = [
    ["0.93333333", "0.91234", "0.92871", "0.00523"],
    ["0.90125", "0.89917", "0.90243", "0.04871"],
    ["0.87654", "0.88123", "0.87011", "0.00081"],
    ["0.96671", "0.96662", "0.96973", "0.01234"],
]


def value(path: str, selector: str, lexical: str, *labels: str, percent: bool = False) -> Value:
    number = Decimal(lexical.replace(",", ""))
    return Value(f"{path}#1!{selector}", f"{path}#1", path, selector, lexical, number, labels, percent)


def results(path: str = "results/metrics.json", transposed: bool = False) -> list[Value]:
    found = []
    for row, model in enumerate(MODELS):
        for column, metric in enumerate(METRICS):
            keys = (metric, model) if transposed else (model, metric)
            found.append(value(path, "/" + "/".join(keys), NUMBERS[row][column], *keys))
    return found


def cell(
    written: str, row: str | None, header: str | None, place: tuple[int, int], table: int = 1, **more: object
) -> Claim:
    name = f"t{table}-{place[0]}-{place[1]}"
    return Claim(
        name, ClaimKind.NUMBER, "paper.md", 10 + place[0], 5 * place[1], written, f"| {row} | {written} |",
        row=row, header=header, table=table, cell=place, **more,  # type: ignore[arg-type]
    )  # fmt: skip


def table(
    changes: dict[tuple[int, int], str] | None = None, transposed: bool = False, places: str = "0.0001"
) -> list[Claim]:
    claims = []
    for row, model in enumerate(MODELS):
        for column, title in enumerate(TITLES):
            written = (changes or {}).get((row, column)) or str(Decimal(NUMBERS[row][column]).quantize(Decimal(places)))
            labels = (
                (title, model.replace("_", " ").title()) if transposed else (model.replace("_", " ").title(), title)
            )
            claims.append(cell(written, *labels, (column, row) if transposed else (row, column)))
    return claims


def prose(
    written: str, text: str, name: str = "p1", role: ClaimRole = ClaimRole.RESULT, section: Sequence[str] = ()
) -> Claim:
    return Claim(name, ClaimKind.NUMBER, "paper.md", 50, 1, written, text, role=role, section=tuple(section))


def link(claims: Sequence[Claim], values: Sequence[Value], **figures: str) -> dict[str, list[Link]]:
    found: dict[str, list[Link]] = {}
    for one in find_links(claims, values, figures=figures):
        found.setdefault(one.claim, []).append(one)
    return found


def operands(links: Sequence[Link]) -> set[str]:
    return {operand for one in links for operand in one.operands}


class TestTables:
    def test_every_cell_finds_its_place(self) -> None:
        for transposed_file in (False, True):
            for transposed_table in (False, True):
                found = link(table(transposed=transposed_table), results(transposed=transposed_file))
                assert len(found) == 16
                for row, model in enumerate(MODELS):
                    for column, metric in enumerate(METRICS):
                        name = f"t1-{column}-{row}" if transposed_table else f"t1-{row}-{column}"
                        keys = f"/{metric}/{model}" if transposed_file else f"/{model}/{metric}"
                        assert operands(found[name]) == {f"results/metrics.json#1!{keys}"}
                        assert all(
                            one.agrees and one.tier is Tier.LABELS and one.rule == "5.7 table" for one in found[name]
                        )

    def test_rounded_and_quoted(self) -> None:
        found = link(
            [cell("0.9333", "svm", "accuracy", (0, 0)), cell("0.91234", "svm", "balanced accuracy", (0, 1))], results()
        )
        assert found["t1-0-0"][0].relation is Relation.ROUNDED
        assert found["t1-0-1"][0].relation is Relation.QUOTED

    def test_one_cell_that_says_something_else_is_a_contradiction(self) -> None:
        found = link(table({(1, 0): "0.9512"}), results())
        assert [(one.agrees, one.operands) for one in found["t1-1-0"]] == [
            (False, ("results/metrics.json#1!/random_forest/accuracy",))
        ]
        assert "0.90125" in found["t1-1-0"][0].note
        assert sum(not one.agrees for links in found.values() for one in links) == 1

    def test_no_contradiction_without_joint_evidence(self) -> None:
        wrong = {(row, column): f"0.1{row}{column}7" for row in range(4) for column in range(4)}
        assert link(table(wrong), results()) == {}
        half = {place: number for place, number in wrong.items() if place[0] < 2}
        assert all(one.agrees for links in link(table(half), results()).values() for one in links)

    def test_no_contradiction_where_another_place_agrees(self) -> None:
        log = value("run.log", "line=7", "0.9512", "random forest accuracy")
        found = link(table({(1, 0): "0.9512"}), [*results(), log])
        assert [(one.agrees, one.operands) for one in found["t1-1-0"]] == [(True, (log.id,))]

    def test_models_in_file_names_and_in_rows_of_a_csv(self) -> None:
        by_file = [
            value(f"out/{model}_results.json", f"/metrics/{metric}", NUMBERS[row][column], "metrics", metric)
            for row, model in enumerate(MODELS)
            for column, metric in enumerate(METRICS)
        ]
        assert len(link(table(), by_file)) == 16
        by_row = [
            value("out/all.csv", f"cell={row + 2},{column + 2}", NUMBERS[row][column], model, metric)
            for row, model in enumerate(MODELS)
            for column, metric in enumerate(METRICS)
        ]
        found = link(table(), by_row)
        assert operands(found["t1-2-1"]) == {"out/all.csv#1!cell=4,3"}

    def test_a_log_can_be_the_source(self) -> None:
        log = [
            value(
                "run.log",
                f"line={4 * row + column}",
                NUMBERS[row][column],
                f"Evaluating {model}",
                f"{model} test {metric}",
            )
            for row, model in enumerate(MODELS)
            for column, metric in enumerate(METRICS)
        ]
        found = link(table(), log)
        assert operands(found["t1-3-2"]) == {"run.log#1!line=14"}

    def test_copies_are_alternatives_and_logs_come_last(self) -> None:
        log = value("run.log", "line=3", "0.9012", "random forest accuracy")
        found = link(table(), [log, *results(), *results("copy/metrics.json")])
        assert {one.operands[0] for one in found["t1-1-0"][:2]} == {
            "copy/metrics.json#1!/random_forest/accuracy",
            "results/metrics.json#1!/random_forest/accuracy",
        }
        assert found["t1-1-0"][2].operands == (log.id,)
        assert [bool(one.note) for one in found["t1-1-0"]] == [False, False, True]

    def test_the_section_tells_data_sets_apart(self) -> None:
        values = [*results("out/fever/metrics.json"), *results("out/truthful/metrics.json")]
        claims = [
            Claim(one.id, one.kind, one.path, one.line, one.column, one.written, one.text, section=("On Truthful",),
                  row=one.row, header=one.header, table=1, cell=one.cell)
            for one in table()
        ]  # fmt: skip
        assert link(claims, values)["t1-0-0"][0].operands == ("out/truthful/metrics.json#1!/svm/accuracy",)

    def test_percent_needs_a_reason(self) -> None:
        values = [
            value("m.json", f"/{model}/accuracy", NUMBERS[row][0], model, "accuracy")
            for row, model in enumerate(MODELS)
        ]
        percent = [
            cell(f"{100 * Decimal(NUMBERS[row][0]):.2f}%", model, "Accuracy", (row, 0))
            for row, model in enumerate(MODELS)
        ]
        found = link(percent, values)
        assert len(found) == 4
        assert {one.scale for links in found.values() for one in links} == {100}
        plain = [
            cell(f"{100 * Decimal(NUMBERS[row][0]):.2f}", model, "Height", (row, 0)) for row, model in enumerate(MODELS)
        ]
        assert link(plain, values) == {}

    def test_a_column_of_another_name_is_known_by_its_numbers(self) -> None:
        values = [
            value("m.json", f"/{model}/solved", str(40 + 7 * row), model, "solved") for row, model in enumerate(MODELS)
        ]
        claims = [cell(f"{40 + 7 * row}.00%", model, "Pass Rate", (row, 0)) for row, model in enumerate(MODELS)]
        found = link(claims, values)
        assert operands(found["t1-2-0"]) == {"m.json#1!/logistic_regression/solved"}

    def test_of_a_history_the_end_counts(self) -> None:
        history = [
            value(
                "h.csv", f"cell={10 * row + epoch},5", f"0.{5 + epoch}{row}{epoch}1", model, f"epoch {epoch}", "val_acc"
            )
            for row, model in enumerate(MODELS)
            for epoch in range(4)
        ]
        claims = [cell(f"0.8{row}31", model, "Final Val Accuracy", (row, 0)) for row, model in enumerate(MODELS)]
        found = link(claims, history)
        assert operands(found["t1-1-0"]) == {"h.csv#1!cell=13,5"}

    def test_mean_and_spread_are_both_operands(self) -> None:
        values = []
        for row, model in enumerate(MODELS):
            values.append(value("m.json", f"/{model}/avg_accuracy", NUMBERS[row][0], model, "avg_accuracy"))
            values.append(value("m.json", f"/{model}/std_accuracy", f"0.0{row + 1}234", model, "std_accuracy"))
        claims = [
            cell(f"{Decimal(NUMBERS[row][0]):.3f} ± 0.0{row + 1}2", model, "Accuracy", (row, 0))
            for row, model in enumerate(MODELS)
        ]
        found = link(claims, values)
        assert found["t1-2-0"][0].operands == (
            "m.json#1!/logistic_regression/avg_accuracy", "m.json#1!/logistic_regression/std_accuracy",
        )  # fmt: skip

    def test_a_weaker_kind_is_named(self) -> None:
        found = link(table({(0, 0): "0.9334", (3, 3): "0.0123"}), results())
        assert found["t1-0-0"][0].note == "off by one in the last digit"
        found = link(table({(1, 3): "0.0487"}, places="0.00001"), results())
        assert found["t1-1-3"][0].note == ""


class TestProse:
    def test_words_and_value(self) -> None:
        found = link([prose("0.9667", "The MLP reaches an accuracy of 0.9667.")], results())
        assert operands(found["p1"]) == {"results/metrics.json#1!/mlp/accuracy"}
        assert found["p1"][0].rule == "5.8 prose labels"

    def test_the_nearest_words_say_which_metric(self) -> None:
        values = [
            value("m.json", "/svm/accuracy", "0.6253", "svm", "accuracy"),
            value("m.json", "/svm/roc_auc", "0.7504", "svm", "roc_auc"),
            value("m.json", "/mlp/roc_auc", "0.6251", "mlp", "roc_auc"),
            *(value("m.json", f"/x{n}/z{n}", f"{n}.5", f"x{n}", f"z{n}") for n in range(20)),
        ]
        found = link([prose("0.625", "The SVM has an accuracy of 0.625 and a ROC AUC of 0.750.")], values)
        assert operands(found["p1"]) == {"m.json#1!/svm/accuracy"}

    def test_a_sentence_restates_a_cell(self) -> None:
        sentence = prose("0.93", "The SVM reached an accuracy of 0.93 here.")
        found = link([*table(), sentence], results())
        assert found["p1"][0].rule == "5.8 restates"
        assert found["p1"][0].operands == ("results/metrics.json#1!/svm/accuracy",)

    def test_about_restates_only_the_row_it_names(self) -> None:
        values = [
            value("m.json", f"/{model}/final_reward", str(31.25 - 9 * row), model, "final_reward")
            for row, model in enumerate(MODELS)
        ]
        claims = [cell(str(31.25 - 9 * row), model, "Final Reward", (row, 0)) for row, model in enumerate(MODELS)]
        sentence = "Compared with the MLP in reward (<10), the SVM reaches a stable level (~30)."
        assert operands(link([*claims, prose("30", sentence)], values)["p1"]) == {"m.json#1!/svm/final_reward"}
        sentence = "The MLP reaches a stable reward (~30)."
        assert "p1" not in link([*claims, prose("30", sentence)], values)

    def test_another_manuscript_is_restated_only_by_its_full_labels(self) -> None:
        def other(text: str) -> Claim:
            return Claim("o1", ClaimKind.NUMBER, "other.md", 9, 1, "0.9012", text)

        found = link([*table(), other("Its random forest has an accuracy of 0.9012.")], results())
        assert operands(found["o1"]) == {"results/metrics.json#1!/random_forest/accuracy"}
        assert "paper.md" in found["o1"][0].note

    def test_a_surprising_number_links_alone(self) -> None:
        found = link([prose("0.90243", "Nothing here names it: 0.90243.")], results())
        assert [(one.tier, one.rule) for one in found["p1"]] == [(Tier.LONE, "5.9 lone")]

    def test_a_common_number_does_not(self) -> None:
        dense = [value("h.json", f"/h/{n}", f"0.9{n:03}", "h", str(n)) for n in range(1000)]
        assert link([prose("0.902", "Nothing here names it: 0.902.")], dense) == {}

    def test_small_integers_and_round_numbers_never_link_alone(self) -> None:
        values = [
            value("a.json", f"/{n}", text, f"k{n}")
            for n, text in enumerate(("0", "1", "100", "42", "0.5", "0.500", "1.0"))
        ]
        for written in ("0", "1", "100", "42", "0.5", "0.500", "1.00", "100.0%"):
            assert link([prose(written, f"We saw {written} of something.")], values) == {}

    def test_bounds_are_no_values(self) -> None:
        assert link([prose("0.9667", "The MLP reaches an accuracy of < 0.9667.")], results()) == {}

    def test_other_roles_are_passed_over(self) -> None:
        for role in (ClaimRole.CITED, ClaimRole.ILLUSTRATIVE, ClaimRole.NOT_A_RESULT):
            assert link([prose("0.9667", "The MLP reaches an accuracy of 0.9667.", role=role)], results()) == {}


class TestFigures:
    def figure(self, target: str, path: str = "results/paper.md") -> Claim:
        return Claim("f1", ClaimKind.FIGURE, path, 3, 1, target, f"![]({target})")

    def test_beside_the_manuscript_then_by_name(self) -> None:
        figures = {"results/loss.png": "A", "other/loss.png": "B", "plots/acc curve.png": "C", "roc.pdf": "D"}
        for target, artifact in (("./loss.png", "A"), ("acc%20curve.png", "C"), ("../roc", "D"), ("figs/roc.pdf", "D")):
            links = find_links([self.figure(target)], [], figures=figures)
            assert [(one.operands, one.rule, one.relation) for one in links] == [
                ((artifact,), "figure path", Relation.QUOTED)
            ]

    def test_unknown_and_foreign_targets(self) -> None:
        files = FigureFiles({"a/loss.png": "A", "b/loss.png": "B"})
        for target in (
            "loss.png",
            "https://x.org/loss.png",
            "",
            "../../..",
            "\0",
            "data:image/png;base64,AA",
            "nothing.png",
        ):
            assert files.find("paper.md", target) is None
        assert files.find("paper.md", "b/loss.png") == "B"
        assert files.find("docs/paper.md", "x/../b/loss.png") == "B"


class TestWords:
    def test_notations_of_one_label(self) -> None:
        for left, right in (
            ("F1-Score", "f1_score"), ("ROUGE-1", "rouge1"), ("avgAccuracy", "mean acc"), ("LR", "learning_rate"),
            ("Kendall τ", r"kendall_$\tau$"), ("val_losses", "Validation Loss"), ("std. deviation", "std"),
        ):  # fmt: skip
            assert split_words(left) == split_words(right), (left, right)

    @given(st.text())
    def test_any_text(self, text: str) -> None:
        assert all(word == word.lower() or not word.isascii() for word in split_words(text))


def test_links_are_deterministic_and_capped() -> None:
    copies = [one for number in range(20) for one in results(f"copy{number}/metrics.json")]
    first = find_links(table(), copies, figures={})
    assert first == find_links(table(), copies, figures={})
    assert len({one.id for one in first}) == len(first) == 16 * 8


def test_chance_is_small() -> None:
    """A paper's numbers against values of another study that uses the same words."""
    source = random.Random(7)
    others = [
        value("m.json", f"/{model}/{metric}{number}", f"{source.random():.6f}", model, f"{metric}{number}")
        for model in MODELS
        for metric in METRICS
        for number in range(10)
    ]
    claims = [prose(f"{source.random():.3f}", "The svm has an accuracy and f1 of this.", f"p{n}") for n in range(300)]
    assert len(link(claims, others)) <= 9
    assert len(link(table(), others)) <= 1


def test_speed() -> None:
    source = random.Random(3)
    values = [
        value(
            "m.json", f"/series_{n // 1000}/items/{n}", f"{source.random():.6f}", f"series_{n // 1000}", "items", str(n)
        )
        for n in range(14_000)
    ]
    values += [one for number in range(60) for one in results(f"fold_{number}/metrics.json")]
    claims = table() + [
        prose(f"{source.random():.3f}", f"The svm reached {n} in accuracy.", f"p{n}") for n in range(584)
    ]
    find_links(claims, values, figures={})


@given(
    st.lists(st.tuples(st.text(max_size=12), st.text(max_size=8), st.text(max_size=8)), max_size=6),
    st.lists(st.decimals(allow_nan=False, allow_infinity=False, min_value=-9999, max_value=9999, places=3), max_size=6),
)
def test_any_claim_can_be_tried(texts: list[tuple[str, str, str]], numbers: list[Decimal]) -> None:
    values = [value("m.json", f"/{n}", str(number), f"k{n}") for n, number in enumerate(numbers)]
    claims = [prose(text, f"{text} {other}", f"p{n}") for n, (text, other, _) in enumerate(texts)]
    claims += [cell(text, row, header, (n, 0)) for n, (text, row, header) in enumerate(texts)]
    known = {one.id for one in values}
    for one in find_links(claims, values, figures={}):
        assert set(one.operands) <= known
