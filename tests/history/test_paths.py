"""Paths of the original machine, and what copies carry where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provchain.history.copying import copied_paths, copy_sources
from provchain.history.outputs import files_named
from provchain.history.root import find_root, paths_in, relative_to_root
from provchain.history.world import match_paths


def test_the_root_is_where_the_longest_endings_agree() -> None:
    absolute = ["/home/u/other/config.py", "/home/u/study/code/config.py", "/home/u/study/results/a.json"]
    assert find_root(absolute, ["code/config.py", "results/a.json"]) == "/home/u/study"


def test_no_file_in_common_gives_no_root() -> None:
    assert find_root(["/x/y.py"], ["a.py"]) == ""


@pytest.mark.parametrize(
    ("path", "cwd", "expected"),
    [
        ("/h/s/a/b.py", "", "a/b.py"),
        ("../r/x", "code", "r/x"),
        ("x", "/h/s/code", "code/x"),
        ("../../etc/passwd", "", "/etc/passwd"),
        ("/h/s", "", ""),
        ("/h/sother/x", "", "/h/sother/x"),
    ],
)
def test_paths_are_written_relative_to_the_study(path: str, cwd: str, expected: str) -> None:
    assert relative_to_root(path, "/h/s", cwd) == expected


SEGMENT = st.text("abcxyz_", min_size=1, max_size=4)


@given(st.lists(SEGMENT, min_size=1, max_size=4), st.lists(SEGMENT, min_size=1, max_size=4))
def test_below_the_root_a_path_comes_back_as_it_went_in(root: list[str], tail: list[str]) -> None:
    base, relative = "/" + "/".join(root), "/".join(tail)
    assert relative_to_root(f"{base}/{relative}", base) == relative


def test_paths_are_found_in_commands_and_outputs() -> None:
    assert paths_in('python /h/s/a.py --out "/h/s/r" > /h/s/log.txt 2>&1') == ["/h/s/a.py", "/h/s/r", "/h/s/log.txt"]


@pytest.mark.parametrize(
    ("pattern", "target", "recursive", "expected"),
    [
        ("r/*", "out/", False, [("r/a.json", "out/a.json"), ("r/b.png", "out/b.png")]),
        ("r/*", "out/", True, [("r/a.json", "out/a.json"), ("r/b.png", "out/b.png"), ("r/s/c.json", "out/s/c.json")]),
        ("r/a.json", "x.json", False, [("r/a.json", "x.json")]),
        (
            "r/**",
            "out",
            True,
            [("r/a.json", "out/r/a.json"), ("r/b.png", "out/r/b.png"), ("r/s/c.json", "out/r/s/c.json")],
        ),
        ("r/.", "out", True, [("r/a.json", "out/a.json"), ("r/b.png", "out/b.png"), ("r/s/c.json", "out/s/c.json")]),
    ],
)
def test_a_copy_carries_what_its_pattern_names(
    pattern: str, target: str, recursive: bool, expected: list[tuple[str, str]]
) -> None:
    sources = ["r/a.json", "r/b.png", "r/s/c.json", "z.txt"]
    assert copied_paths(pattern, target, sources, ["out/old.txt"], recursive=recursive) == expected


def test_what_lies_at_a_target_names_what_was_at_the_source() -> None:
    assert copy_sources("code/r/*", "r/", ["r/a.png", "r/s/b.png"]) == {"code/r/a.png", "code/r/s/b.png"}


def test_an_output_names_what_was_written_and_what_was_read() -> None:
    output = "INFO Saved plot to /h/s/r/a.png.\nLoading data from d.csv\nsee also r/b.json"
    known = {"r/a.png", "d.csv", "r/b.json"}
    assert files_named(output, known, lambda p: relative_to_root(p, "/h/s")) == (["r/a.png"], ["d.csv"])


def test_a_star_stays_in_its_folder() -> None:
    assert match_paths("r/*_x.json", ["r/a_x.json", "r/s/a_x.json"]) == ["r/a_x.json"]
    assert match_paths("r/**", ["r/a", "r/s/b", "q/a"]) == ["r/a", "r/s/b"]


def test_what_a_copy_carries_comes_in_one_order() -> None:
    """Whoever asks may hold the paths in a set: the report is the same bytes each time."""
    pairs = copied_paths("a", "out/", ["a/z.json", "a/c/b.json", "a/b.json"], ["out/x"], recursive=True)
    assert [source for source, _ in pairs] == ["a/b.json", "a/c/b.json", "a/z.json"]
