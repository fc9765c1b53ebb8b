"""Numbers inside artifacts: places, spelling and labels, and no way to make the reader fail."""

from __future__ import annotations

import csv
import io
import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provchain.inspection.values import MAX_VALUES, read_values
from provchain.model import Value


def read(path: str, text: str) -> dict[str, Value]:
    values = read_values(f"{path}#1", path, text)
    places = {value.selector: value for value in values}
    assert len(places) == len(values), "every value has a place of its own"
    return places


def labels(path: str, text: str) -> dict[str, tuple[str, ...]]:
    return {selector: value.labels for selector, value in read(path, text).items()}


class TestJson:
    def test_spelling_survives(self) -> None:
        values = read("m.json", '{"a": 0.910, "b": 1E-5, "c": 12345678901234567890123}')
        assert [value.lexical for value in values.values()] == ["0.910", "1E-5", "12345678901234567890123"]
        assert values["/a"].id == "m.json#1!/a"
        assert values["/a"].number == Decimal("0.91")

    def test_pointers_are_escaped_and_indices_are_labels(self) -> None:
        assert labels("m.json", '{"a/b": {"x~y": [1, {"": 2}]}}') == {
            "/a~1b/x~0y/0": ("a/b", "x~y", "0"),
            "/a~1b/x~0y/1/": ("a/b", "x~y", "1", ""),
        }

    def test_names_beside_the_keys_are_labels(self) -> None:
        found = labels("m.json", '[{"model_name": "svm", "metrics": {"acc": 0.9}, "epoch": 3}]')
        assert found["/0/metrics/acc"] == ("0", "svm", "epoch 3", "metrics", "acc")

    def test_long_strings_are_content_and_no_names(self) -> None:
        assert labels("m.json", json.dumps({"answer": "word " * 40, "score": 1}))["/score"] == ("score",)

    def test_numbers_in_strings(self) -> None:
        values = read("m.json", '{"a": "85.3%", "b": "0.91 ± 0.02", "c": "3-4", "d": "1,234", "e": "2.5 s"}')
        assert {place: value.lexical for place, value in values.items()} == {
            "/a": "85.3", "/b": "0.91", "/b;2": "0.02", "/d": "1,234", "/e": "2.5",
        }  # fmt: skip
        assert values["/a"].percent
        assert values["/b;2"].labels == ("b", "std")
        assert values["/d"].number == 1234

    def test_percent_by_key(self) -> None:
        assert read("m.json", '{"reduction_percent": 29, "rate": 0.3}')["/reduction_percent"].percent
        assert not read("m.json", '{"reduction_percent": 29, "rate": 0.3}')["/rate"].percent

    def test_no_numbers(self) -> None:
        assert read("m.json", '{"a": NaN, "b": Infinity, "c": true, "d": null, "e": "nan", "f": 1e999999999}') == {}

    def test_broken_document_is_read_by_lines(self) -> None:
        found = labels("m.json", '{\n "svm": {\n  "accuracy": 0.93,\n  "f1": 0.')
        assert found["line=3"][-2:] == ("svm", "accuracy")

    def test_json_in_a_stream(self) -> None:
        assert "/accuracy" in read("stdout", '{"accuracy": 0.5}\n')

    def test_json_lines(self) -> None:
        assert labels("h.jsonl", '{"loss": 1.5}\nnot json\n{"loss": 0.5, "step": 2}\n') == {
            "line=1/loss": ("loss",),
            "line=3/loss": ("step 2", "loss"),
            "line=3/step": ("step 2", "step"),
        }

    def test_depth_is_no_error(self) -> None:
        deep = "[" * 100_000 + "0.5" + "]" * 100_000
        assert all(value.lexical == "0.5" for value in read_values("a", "a.json", deep))
        assert read("a.json", "[" * 400 + "0.5" + "]" * 400)["/0" * 400].lexical == "0.5"


class TestTables:
    def test_cells_count_the_header(self) -> None:
        values = read("m.csv", "model,accuracy,f1\nsvm,0.910,0.9\n\nmlp,0.8,85%\n")
        assert {place: value.labels for place, value in values.items()} == {
            "cell=2,2": ("svm", "accuracy"),
            "cell=2,3": ("svm", "f1"),
            "cell=4,2": ("mlp", "accuracy"),
            "cell=4,3": ("mlp", "f1"),
        }
        assert values["cell=2,2"].lexical == "0.910"
        assert values["cell=4,3"].percent

    def test_quoted_line_breaks_are_one_record(self) -> None:
        assert labels("m.csv", 'code,passed\n"a,\nb",3\nx,4\n') == {
            "cell=2,2": ("a,\nb", "passed"),
            "cell=3,2": ("x", "passed"),
        }

    def test_counters_are_labels(self) -> None:
        found = labels("m.csv", "epoch,seed,loss\n1,42,0.5\n")
        assert found["cell=2,3"] == ("epoch 1", "seed 42", "loss")

    def test_spread(self) -> None:
        assert labels("m.csv", "m,acc\na,0.9 ± 0.1\n")["cell=2,2;2"] == ("a", "acc", "std")

    def test_tabs_semicolons_and_no_header(self) -> None:
        assert labels("m.tsv", "m\tacc\na\t1.5\n") == {"cell=2,2": ("a", "acc")}
        assert labels("m.csv", "m;acc\na;1.5\n") == {"cell=2,2": ("a", "acc")}
        assert list(labels("m.csv", "1,2\n3,4\n")) == ["cell=1,1", "cell=1,2", "cell=2,1", "cell=2,2"]

    def test_giant_field_falls_back_to_lines(self) -> None:
        assert read_values("a", "m.csv", "a,b\n" + "x" * 200_000 + ",0.5\nacc: 0.75\n")[-1].lexical == "0.75"


class TestLines:
    def test_logging_prefixes_are_no_numbers(self) -> None:
        lines = [
            "2025-05-10 16:29:21,471 - demo.run - INFO - OOD test accuracy: 0.9880",
            "2025-05-10T16:29:21.471Z INFO OOD test accuracy: 0.9880",
            "[2025-05-10 16:29:21] INFO: OOD test accuracy: 0.9880",
            "INFO:root:OOD test accuracy: 0.9880",
            "16:29:21 OOD test accuracy = 0.9880",
            "2025-05-10 16:29:21.471 | INFO     | __main__:train:12 - OOD test accuracy: 0.9880",
        ]
        for line in lines:
            assert labels("log.txt", line) == {"line=1": ("OOD test accuracy",)}, line

    def test_epoch_lines(self) -> None:
        found = labels("log.txt", "Epoch 2/10 - val_loss: 0.34, val_acc=0.9")
        assert found["line=1;3"] == ("Epoch 2", "val_loss")
        assert found["line=1;4"] == ("Epoch 2", "val_acc")

    def test_opening_words_hold_for_the_whole_line(self) -> None:
        found = labels("log.txt", "Baseline acc=0.8500, f1=0.8400\niris: age_days=4132, S_cite=1.000")
        assert found["line=1;2"] == ("Baseline", "f1")
        assert found["line=2;1"] == ("iris", "age_days")
        assert found["line=2;2"] == ("iris", "S_cite")

    def test_headings(self) -> None:
        text = "--- Run GNN ---\nResults for GNN:\n  Accuracy: 0.5\n  Recall: 0.1\nResults for MLP:\n  Accuracy: 0.6\n"
        found = labels("log.txt", text)
        assert found["line=3"] == ("Run GNN", "Results for GNN", "Accuracy")
        assert found["line=4"] == ("Run GNN", "Results for GNN", "Recall")
        assert found["line=6"] == ("Run GNN", "Results for MLP", "Accuracy")

    def test_yaml(self) -> None:
        found = labels("c.yaml", "model:\n  lr: 5e-5\n  dropout: 0.1\nseed: 42\n")
        assert found == {"line=2": ("model", "lr"), "line=3": ("model", "dropout"), "line=4": ("seed",)}

    def test_words_after_a_count(self) -> None:
        assert labels("log.txt", "Loaded 100 samples from disk.") == {"line=1": ("Loaded samples from disk",)}

    def test_digits_that_are_no_numbers(self) -> None:
        text = "resnet18 v1.2.3 https://a.b/9 2025-01-02 10:22 ./out/run_3/x7.pt 0xff 3rd ViT-B/32 torch==2.0.1"
        assert read("log.txt", text) == {}

    def test_only_line_feeds_count_lines(self) -> None:
        text = "a\rb\x0bc\u2028d\x85e\n 50%|████  | 5/10 [00:01<00:01, 9.8it/s]\r{'loss': 0.25}\nacc: 0.5"
        found = read("log.txt", text)
        assert found["line=2"].lexical == "0.25"
        assert found["line=3"].lexical == "0.5"

    def test_signs_units_and_percent(self) -> None:
        values = read("log.txt", "pass rate: 85.3%\ndrift: -0.25\ntime: 8.70s\nn: 1,234,567\n\u0394: \u22120.5")
        assert [value.number for value in values.values()] == [
            Decimal(x) for x in ("85.3", "-0.25", "8.70", "1234567", "-0.5")
        ]
        assert values["line=1"].percent

    @pytest.mark.parametrize(
        "text",
        [
            "            precision    recall  f1-score\n\n   class a       0.91      0.92      0.93\n",
            "| method  | precision | recall | f1-score |\n|---|---|---|---|\n\n| class a | 0.91 | **0.92** | 0.93 |\n",
        ],
    )  # fmt: skip
    def test_printed_tables(self, text: str) -> None:
        found = {value.lexical: value.labels[-2:] for value in read("log.txt", text).values()}
        assert found["0.92"] == ("class a", "recall")
        assert found["0.93"] == ("class a", "f1-score")

    def test_spread_on_a_line(self) -> None:
        assert labels("log.txt", "acc: 0.91 ± 0.02")["line=1;2"] == ("acc", "std")


class TestLimits:
    def test_programs_hold_no_data(self) -> None:
        assert read("run.py", "acc = 0.9") == {}
        assert read("plot.svg", "<path d='1 2 3'/>") == {}

    def test_number_of_values_is_bounded(self) -> None:
        assert len(read_values("a", "a.json", "[" + "1," * (MAX_VALUES + 5) + "1]")) == MAX_VALUES

    @pytest.mark.parametrize(
        "text",
        [
            "1" * 3_000_000,
            "1" * 3_000_000 + "z",
            "1." * 1_500_000,
            "-" * 3_000_000,
            "a" * 3_000_000 + "1",
            " " * 3_000_000 + "1",
            "1,234" * 500_000,
            "a-" * 1_500_000,
            "%|" * 1_000_000,
            "|" * 3_000_000,
            "[" * 3_000_000,
            "1%|" * 700_000,
            "\r" * 3_000_000,
            '{"a":' * 500_000,
            "2025-01-01 " * 200_000,
        ],
    )
    @pytest.mark.parametrize("path", ["a.log", "a.csv", "a.json"])
    def test_time_is_bounded(self, path: str, text: str) -> None:
        read_values("a", path, text[:1_000_000])


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=8)
)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


def resolve(document: object, pointer: str) -> object:
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        document = document[int(key)] if isinstance(document, list) else document[key]  # type: ignore[index]
    return document


@given(st.dictionaries(st.text(max_size=4), DOCUMENTS, max_size=4))
def test_every_pointer_leads_to_its_number(document: dict[str, object]) -> None:
    for value in read_values("a", "a.json", json.dumps(document)):
        if not value.selector.endswith(";2"):
            stands = resolve(document, value.selector)
            if isinstance(stands, int | float):
                assert Decimal(repr(stands)) == value.number
            else:
                assert value.lexical in str(stands)


@given(st.lists(st.lists(st.text(max_size=6) | st.floats(-9, 9).map(str), min_size=1, max_size=4), max_size=5))
def test_every_cell_holds_its_number(rows: list[list[str]]) -> None:
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    written = list(csv.reader(io.StringIO(stream.getvalue(), newline="")))
    for value in read_values("a", "a.csv", stream.getvalue()):
        if value.selector.startswith("cell=") and ";" not in value.selector:
            row, column = map(int, value.selector.removeprefix("cell=").split(","))
            if len(written[row - 1]) >= column:
                assert (
                    value.lexical in written[row - 1][column - 1]
                    or ";" in stream.getvalue()
                    or "\t" in stream.getvalue()
                )


@given(st.text(max_size=200), st.sampled_from(["a.json", "a.jsonl", "a.csv", "a.log", "a.md", "a.yaml", ""]))
def test_any_text_can_be_read(text: str, path: str) -> None:
    lines = text.split("\n")
    for value in read_values("a", path, text):
        assert value.number.is_finite()
        if value.selector.startswith("line="):
            line = int(value.selector.removeprefix("line=").split(";")[0].split("/")[0])
            assert value.lexical in lines[line - 1]


def test_json_lines_under_the_name_of_one_document() -> None:
    text = '{"model": "svm", "f1": 0.91}\n{"model": "mlp", "f1": 0.92}\n'
    found = [(value.selector, value.lexical) for value in read_values("r#1", "results.json", text)]
    assert found == [("line=1/f1", "0.91"), ("line=2/f1", "0.92")]
