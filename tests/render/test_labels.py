"""Foreign text: whatever goes in, what comes out is short, visible and harmless."""

from __future__ import annotations

import unicodedata
from xml.etree import ElementTree

from hypothesis import example, given
from hypothesis import strategies as st

from provchain.render.labels import display_width, shorten, shorten_middle, visible, wrap

anything = st.text(st.characters(), max_size=200)


@given(anything)
def test_visible_text_holds_nothing_that_acts(text: str) -> None:
    shown = visible(text)
    assert not [char for char in shown if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    shown.encode("utf-8")
    assert ElementTree.fromstring(f"<a>{shown.replace('&', '&amp;').replace('<', '&lt;')}</a>") is not None


@given(anything)
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert visible(visible(text)) == visible(text)


def test_direction_marks_and_controls_are_shown_not_dropped() -> None:
    assert visible("a\u202eb\x07\ud800") == "a<U+202E>b<U+0007><U+D800>"
    assert visible("pass\u200bword") == "password"
    assert visible("z" + "\u0301" * 50) == "z" + "\u0301" * 3


def test_an_endless_text_is_cut_before_it_costs_anything() -> None:
    assert len(visible("\x1b" * 50_000_000)) < 50_000


@given(anything, st.integers(1, 60))
def test_shortened_texts_fit(text: str, width: int) -> None:
    text = visible(text)
    assert display_width(shorten(text, width)) <= width
    assert display_width(shorten_middle(text, width)) <= width
    if display_width(text) <= width:
        assert shorten(text, width) == shorten_middle(text, width) == text


@example("000 00:0", 3, 2)  # a full line has no room for the beginning of a long word
@given(anything, st.integers(2, 40), st.integers(1, 5))
def test_wrapped_lines_fit_and_say_when_something_is_missing(text: str, width: int, lines: int) -> None:
    text = visible(text)
    wrapped = wrap(text, width, lines)
    assert 1 <= len(wrapped) <= lines
    assert all(display_width(line) <= width for line in wrapped)
    if not wrapped[-1].endswith("…"):
        assert "".join(wrapped).replace(" ", "") == text.replace(" ", "")


def test_a_path_keeps_its_file_name() -> None:
    short = shorten_middle("experiments/results/ablation/run_17/metrics.json", 28)
    assert short.endswith("/metrics.json")
    assert short.startswith("exp")
