"""Settings that stand in code: literal numbers under a name, and nothing that is computed."""

from __future__ import annotations

from provchain.inspection.settings import argument_settings, script_settings
from provchain.model import COUNT


def found(text: str) -> list[tuple[tuple[str, ...], str, str]]:
    return [(value.labels, value.lexical, value.selector) for value in script_settings("a#1", "a.py", text)]


def test_constants_dictionaries_defaults_and_keywords() -> None:
    text = (
        "SEED: int = 42\n"
        "CONFIG = {'train': {'lr': 1e-3, 'epochs': 10}}\n"
        "parser.add_argument('--batch-size', type=int, default=32)\n"
        "def fit(model, rate=0.5): ...\n"
        "class A:\n    def __init__(self):\n        self.depth = 3\n"
        "train(steps=100)\n"
    )
    assert [one for one in sorted(found(text)) if COUNT not in one[0]] == [
        (("CONFIG", "train", "epochs"), "10", "line=2"),
        (("CONFIG", "train", "lr"), "1e-3", "line=2"),
        (("SEED",), "42", "line=1"),
        (("batch-size",), "32", "line=3"),
        (("depth",), "3", "line=7"),
        (("rate",), "0.5", "line=4"),
        (("steps",), "100", "line=8"),
    ]


def test_what_is_computed_or_no_number_is_no_setting() -> None:
    assert found("a = 1 + 2\nb = True\nc = 'x'\ne = float('nan')\nf = 1e999\n") == []


def test_how_much_is_taken_is_a_setting() -> None:
    text = (
        "seeds = [1, 2, 3]\n"
        "docs = load(split='train[:500]')\n"
        "small = data.select(range(300))\n"
        "for episode in range(5): pass\n"
        "queries = docs[:10]\n"
        "rest = docs[10:]\n"
    )
    counts = [(labels, lexical) for labels, lexical, _ in found(text) if labels[-1] == COUNT]
    assert counts == [
        (("seeds", COUNT), "3"),
        (("split", "train", COUNT), "500"),
        (("small", COUNT), "300"),
        (("episode", COUNT), "5"),
        (("queries", "docs", COUNT), "10"),
    ]


def test_arguments_of_a_class_say_whose_they_are() -> None:
    assert found("Forest(n_estimators=10)\nnn.Dropout(0.5)\n") == [
        (("Forest", "n_estimators"), "10", "line=1"),
        (("Dropout",), "0.5", "line=2"),
    ]


def test_what_a_command_line_gives() -> None:
    argv = ["run.py", "--n-samples", "5", "--lr=1e-3", "--fast", "model.depth=3", "-k", "2", "--shift", "-0.5", "7"]
    values = argument_settings("t#1", "t.log", "line=9", argv)
    assert [(value.labels[-1], value.lexical) for value in values] == [
        ("n-samples", "5"),
        ("lr", "1e-3"),
        ("depth", "3"),
        ("k", "2"),
        ("shift", "-0.5"),
    ]


def test_what_is_no_python_has_none() -> None:
    assert found("this is not = = python") == []


def test_positions_of_well_known_functions_have_names() -> None:
    assert found("index.search(q, 5)\nKMeans(8)\nother(q, 5)\n") == [
        (("search", "k"), "5", "line=1"),
        (("KMeans", "n_clusters"), "8", "line=2"),
        (("other",), "5", "line=3"),
    ]


def test_what_is_assigned_together_goes_each_to_its_own_name() -> None:
    assert found("n, d = 800, 48\n[a] = [3]\nx, y = 1, 2, 3\n(u, v), w = (1, 2), 5\n") == [
        (("n",), "800", "line=1"),
        (("d",), "48", "line=1"),
        (("a",), "3", "line=2"),
        (("w",), "5", "line=4"),
    ]
