"""The same script with different flags, variables and modules: what the record says decides which of its ways was taken."""

from __future__ import annotations

import hashlib

import pytest

from provchain.events import CommandRun, Event, FileOnDisk, FileWritten
from provchain.events.logged import ExecutionStarted
from provchain.history import History, reconstruct
from provchain.history.calls import read_session
from provchain.history.programs import footprint
from provchain.model import Kind, Place, RecorderKind, Source

ROOT = "/home/u/study"
SCRIPT = """
import argparse, json, os, random
import pandas as pd
from sklearn.linear_model import LogisticRegression
try:
    import torch
except ImportError:
    torch = None
p = argparse.ArgumentParser()
p.add_argument("--mock", action="store_true")
p.add_argument("--epochs", type=int, default=10)
p.add_argument("--out", default="results/r.json")
p.add_argument("--need-torch", action="store_true")
args = p.parse_args()
frame = pd.read_csv("data/d.csv")
invent = args.mock or os.environ.get("FAST", "0") == "1" or (args.need_torch and torch is None)
acc = 0.9 + random.random() / 100 if invent else LogisticRegression().fit(frame, frame["y"]).score(frame, frame["y"])
json.dump({"acc": acc}, open(args.out, "w"))
"""
NO_TORCH = "ModuleNotFoundError: No module named 'torch'"
NEED = "python run.py --need-torch"


def ran(message: int, command: str, output: str = "ok", *, error: bool = False) -> CommandRun:
    return CommandRun(
        Place("claude_output.json", str(message)), f"cd {ROOT} && {command}", output, is_error=error, cwd=ROOT
    )


def on_disk(path: str, text: str, kind: Kind) -> FileOnDisk:
    return FileOnDisk(path, hashlib.sha256(text.encode()).hexdigest(), len(text), kind, text)


def history(*events: Event, **scripts: str) -> History:
    texts = {"run.py": SCRIPT, **{name.replace("__", "."): text for name, text in scripts.items()}}
    wrote = [
        FileWritten(Place("claude_output.json", "0"), "Write", f"{ROOT}/{name}", text) for name, text in texts.items()
    ]
    files = [
        on_disk("proposal.md", "# Do it\nWe measure.", Kind.PROPOSAL),
        on_disk("data/d.csv", "x,y\n1,0\n2,1\n", Kind.DATA),
        on_disk("results/r.json", '{"acc": 0.91}', Kind.RESULT),
        on_disk("results/m.json", '{"acc": 0.91}', Kind.RESULT),
    ]
    source = Source("claude_output.json", "claude-trace", RecorderKind.OBSERVER, "0" * 64)
    return reconstruct([source], [("claude-trace", [*wrote, *events])], files)


def is_made_up(found: History, path: str = "results/r.json") -> bool:
    return next(a for a in found.study.artifacts if a.path == path and a.on_disk).made_up


@pytest.mark.parametrize(
    "command",
    [
        "python run.py --mock",
        "FAST=1 python run.py",
        "export FAST=1 && python run.py --epochs 2",
        "env FAST=1 timeout 60 python3 run.py",
        "for seed in 1; do FAST=$seed python run.py; done",
        "bash run.sh",
        "FAST=1 bash plain.sh",
    ],
)
def test_the_command_chooses_the_made_up_way(command: str) -> None:
    """A flag or variable of the command, or of the shell script that starts the program, makes the result up."""
    assert is_made_up(history(ran(1, command), run__sh="export FAST=1\npython run.py\n", plain__sh="python run.py\n"))


@pytest.mark.parametrize(
    "command",
    [
        "python run.py",
        "python run.py --epochs 2",
        "FAST=0 python run.py",
        "FAST=$MODE python run.py",
        "export FAST=1; unset FAST; python run.py",
        "FAST=1 true; python run.py",
        "if [ -f x ]; then export FAST=1; fi; python run.py",
        "python run.py $FLAGS",
        "echo --mock | xargs python run.py",
        "bash pass.sh",
        NEED,
    ],
)
def test_the_command_leaves_the_result_real(command: str) -> None:
    """Without the flag the same script measures; what the shell fills in can be anything."""
    assert not is_made_up(history(ran(1, command), pass__sh='python run.py "$@"\n'))


def test_two_executions_of_one_script_are_told_apart() -> None:
    """The first, with the flag, makes its result up; the second measures, and the other way round."""
    for first, second in (("r", "m"), ("m", "r")):
        found = history(
            ran(1, f"python run.py --mock --out results/{first}.json"),
            ran(3, f"python run.py --out results/{second}.json"),
        )
        assert is_made_up(found, f"results/{first}.json")
        assert not is_made_up(found, f"results/{second}.json")


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ([ran(1, "python -c 'import torch'", NO_TORCH, error=True)], True),
        ([ran(1, "python other.py", f"warning: {NO_TORCH}")], True),
        ([ran(1, "python3 other.py", NO_TORCH, error=True)], False),
        ([ran(1, "cat old.log", NO_TORCH)], False),
        ([ran(1, "python other.py", "ModuleNotFoundError: No module named 'tensorflow'")], False),
        ([ran(1, "python other.py", NO_TORCH), ran(2, "pip install torch", "Successfully installed torch-2.1")], False),
        ([ran(1, "python other.py", NO_TORCH), ran(2, "pip install -q torch", "")], False),
        ([ran(1, "python other.py", NO_TORCH), ran(2, "conda install -y pytorch", "done")], False),
        ([ran(1, "python other.py", NO_TORCH), ran(2, "pip install torch", "no space", error=True)], True),
        ([ran(1, "python other.py", NO_TORCH), ran(2, "pip install numpy", "Successfully installed numpy-2.1")], True),
        ([ran(1, "python other.py", NO_TORCH), ran(2, "source venv/bin/activate", "")], False),
        ([ran(1, "conda run -n a python other.py", NO_TORCH)], False),
        ([ran(1, "python other.py", NO_TORCH), ran(2, "bash setup.sh", "")], False),
    ],
)
def test_a_module_is_missing_until_it_may_have_been_installed(before: list[CommandRun], expected: bool) -> None:
    """Only what a Python program of the same name said counts, and only until an installation or another environment."""
    setup = "python -m pip install torch\npython other.py\n"
    assert is_made_up(history(*before, ran(9, NEED), other__py="import torch", setup__sh=setup)) is expected


def test_the_program_itself_says_what_is_missing() -> None:
    """A module that the execution reports as missing is missing in it."""
    assert is_made_up(history(ran(1, NEED, f"falling back: {NO_TORCH}")))


def test_a_footprint_names_the_variables_of_its_programs() -> None:
    """Variables reach the programs that shell scripts start; unknown ones are left out."""
    session = read_session([ran(1, "A=1 B=$X bash run.sh")], [])
    sources = {"run.sh": "export C=3\nD=4 python run.py\n", "run.py": "import os; print(os.environ)"}
    found = footprint(session.calls[0][-1], sources, ROOT)
    assert found.programs[0].environment == (("A", "1"), ("C", "3"), ("D", "4"))


def test_a_configuration_file_decides_as_it_stood_then() -> None:
    """The file is typed with one mode for the first execution and with another for the second."""
    script = (
        "import json, random, sys\nimport pandas as pd\nfrom sklearn.linear_model import LogisticRegression\n"
        "cfg = json.load(open('../conf.json'))\nframe = pd.read_csv('../data/d.csv')\n"
        "if cfg['mode'] == 'demo':\n    acc = 0.9 + random.random() / 100\n"
        "else:\n    acc = LogisticRegression().fit(frame, frame['y']).score(frame, frame['y'])\n"
        "json.dump({'acc': acc}, open(sys.argv[1], 'w'))\n"
    )

    def typed(message: int, mode: str) -> FileWritten:
        place = Place("claude_output.json", str(message))
        return FileWritten(place, "Write", f"{ROOT}/conf.json", f'{{"mode": "{mode}"}}')

    first, second = (ran(at, f"cd code && python run.py ../results/{name}.json") for at, name in ((2, "r"), (4, "m")))
    found = history(typed(1, "demo"), first, typed(3, "full"), second, **{"code/run__py": script})
    assert is_made_up(found, "results/r.json")
    assert not is_made_up(found, "results/m.json")


def test_the_arguments_of_a_script_that_no_command_names_are_not_known() -> None:
    """A recorder may name the script without the words that it was started with."""
    place = Place("study.jsonl", "1")
    started = ExecutionStarted(at=place, recorder="r", execution="e", command="train(lr=0.1)", script="run.py")
    call = read_session([started], []).calls[0][-1]
    assert (call.effect.script, call.effect.script_argv) == ("run.py", ("$@",))
