"""Settings that stand in code: literal numbers under a name, and nothing that is computed."""

from __future__ import annotations

from provchain.inspection.settings import script_settings


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
    assert sorted(found(text)) == [
        (("CONFIG", "train", "epochs"), "10", "line=2"),
        (("CONFIG", "train", "lr"), "1e-3", "line=2"),
        (("SEED",), "42", "line=1"),
        (("batch-size",), "32", "line=3"),
        (("depth",), "3", "line=7"),
        (("rate",), "0.5", "line=4"),
        (("steps",), "100", "line=8"),
    ]


def test_what_is_computed_or_no_number_is_no_setting() -> None:
    assert found("a = 1 + 2\nb = True\nc = 'x'\nd = [1, 2]\ne = float('nan')\nf = 1e999\n") == []


def test_what_is_no_python_has_none() -> None:
    assert found("this is not = = python") == []
