"""Where each call ran, when nothing says so."""

from __future__ import annotations

from provchain.events import CommandRun
from provchain.history.directories import Directories
from provchain.model import Place

ROOT = "/h/s"
PATHS = ["code/run.py", "results/a.json"]


def run(command: str, *, error: bool = False, cwd: str | None = None) -> CommandRun:
    return CommandRun(Place("t", "1"), command, "", error, cwd=cwd)


def where(directories: Directories, event: CommandRun) -> str:
    return directories.parse(event).commands[-1].cwd


def test_a_directory_persists_from_call_to_call() -> None:
    directories = Directories(ROOT, PATHS)
    assert where(directories, run("cd code && python run.py")) == "/h/s/code"
    assert where(directories, run("python run.py")) == "/h/s/code"


def test_after_a_failure_the_directory_is_the_one_before() -> None:
    directories = Directories(ROOT, PATHS)
    assert where(directories, run("cd code && python run.py", error=True)) == "/h/s/code"
    assert where(directories, run("cd code && python run.py")) == "/h/s/code"


def test_where_a_script_does_not_exist_the_directories_before_are_tried() -> None:
    directories = Directories(ROOT, PATHS)
    directories.parse(run("cd results"))
    assert where(directories, run("python code/run.py")) == "/h/s"


def test_a_session_may_begin_above_the_study() -> None:
    assert where(Directories(ROOT, PATHS), run("cd s/code && python run.py")) == "/h/s/code"


def test_what_the_source_says_of_the_directory_counts() -> None:
    assert where(Directories(ROOT, PATHS), run("python run.py", cwd="/h/s/code")) == "/h/s/code"
