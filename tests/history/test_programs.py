"""What the scripts of a command do to files: what they type, show and start."""

from __future__ import annotations

import pytest

from provchain.events import CommandRun
from provchain.history.calls import read_session
from provchain.history.programs import Footprint, footprint
from provchain.model import Place

ROOT = "/home/u/study"


def trail(command: str, **sources: str) -> Footprint:
    """The footprint of a command; scripts are given by their name, the suffix behind two underscores."""
    run = CommandRun(Place("t.jsonl", "1"), f"cd {ROOT} && {command}", None, cwd=ROOT)
    session = read_session([run], [])
    texts = {name.replace("__", "."): text for name, text in sources.items()}
    return footprint(session.calls[0][-1], texts, session.root or ROOT)


def typed(found: Footprint) -> list[tuple[str, str, str, str, int]]:
    return [(one.pattern, one.mode, one.how, one.path, one.line) for one in found.typed]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("python a.py\necho '{\"acc\": 0.9}' > r.json\n", ("r.json", "write", "echo", "run.sh", 2)),
        ("cat > r.json <<'E'\n0.9\nE\n", ("r.json", "write", "heredoc", "run.sh", 1)),
        ("set -e\n\nprintf '%s\\n' 0.9 >> out/r.csv\n", ("out/r.csv", "append", "echo", "run.sh", 3)),
        ('acc=$(python e.py)\necho "1,$acc" >> r.csv\n', ("r.csv", "append", "echo and more", "run.sh", 2)),
        ("bash -c 'echo 0.9 > r.json'\n", ("r.json", "write", "echo", "run.sh", 1)),
        ("python a.py\nsed -i 's/0.5/0.9/' r.json\n", ("r.json", "write", "edit", "run.sh", 2)),
    ],
)
def test_text_that_a_shell_script_puts_into_a_file_is_typed_and_written(
    text: str, expected: tuple[str, str, str, str, int]
) -> None:
    found = trail("bash run.sh", run__sh=text)
    assert typed(found) == [expected]
    assert set(found.typed) <= set(found.writes)


@pytest.mark.parametrize(
    "text",
    [
        "python a.py > r.json\n",
        "touch r.json\n",
        ": > r.json\n",
        'echo "$(python e.py)" > r.json\n',
        "jq . a.json > r.json\n",
        "black r.json\n",
    ],
)
def test_what_programs_put_into_a_file_is_not_typed(text: str) -> None:
    assert trail("bash run.sh", run__sh=text).typed == ()


def test_a_script_without_a_suffix_of_a_shell_is_followed_where_a_shell_runs_it() -> None:
    assert typed(trail("bash run.txt", run__txt="echo 0.9 > r.json\n")) == [("r.json", "write", "echo", "run.txt", 1)]


def test_commands_that_a_python_script_starts_type_too() -> None:
    code = 'import subprocess\n\nsubprocess.run("echo 0.9 > r.json", shell=True)\n'
    found = trail("python a.py", a__py=code)
    assert typed(found) == [("r.json", "write", "echo", "a.py", 3)]
    assert "r.json" in {effect.pattern for effect in found.writes}


def test_scripts_that_scripts_start_are_followed() -> None:
    found = trail("bash run.sh", run__sh="bash inner.sh\n", inner__sh="#!/bin/bash\necho 0.9 > r.json\n")
    assert typed(found) == [("r.json", "write", "echo", "inner.sh", 2)]


@pytest.mark.parametrize(
    "text", ["cat a.json\n", "jq . a.json > r.json\n", "./sim a.json\n", "grep acc a.json | head\n"]
)
def test_files_that_a_shell_script_shows_or_hands_on_are_read(text: str) -> None:
    assert "a.json" in {effect.pattern for effect in trail("bash run.sh", run__sh=text).reads}


def test_a_usage_run_inside_a_script_runs_no_program() -> None:
    found = trail("bash run.sh", run__sh="python a.py --help\n", a__py="open('r.json', 'w')\n")
    assert (found.programs, found.writes) == ((), ())
