"""Which scripts are planned steps, which executions carry them out, and what stands in for them."""

from __future__ import annotations

import hashlib

import pytest

from provchain.events import CommandRun, Event, FileOnDisk, FileWritten
from provchain.history import History, reconstruct
from provchain.model import Kind, Place

ROOT = "/home/u/study"
MAIN = "if __name__ == '__main__':\n    print(1)\n"


def wrote(n: int, path: str, text: str = MAIN) -> Event:
    return FileWritten(Place("t.json", str(n)), "Write", f"{ROOT}/{path}", text)


def ran(n: int, command: str, *, error: bool = False) -> Event:
    return CommandRun(Place("t.json", str(n)), command, "Error" if error else "ok", error)


def history(*events: Event, proposal: str = "# Plan\nWe measure.") -> History:
    data = proposal.encode()
    plan = FileOnDisk("proposal.md", hashlib.sha256(data).hexdigest(), len(data), Kind.PROPOSAL, proposal)
    return reconstruct([], [("claude-trace", [ran(0, f"cd {ROOT}"), *events])], [plan])


def steps(found: History) -> list[str]:
    return [step.id for step in found.study.steps]


def test_the_proposal_names_the_steps_where_it_names_scripts() -> None:
    found = history(wrote(1, "a.py"), wrote(2, "b.py"), ran(3, "python b.py"), proposal="# Plan\nRun `a.py`.")
    assert steps(found) == ["a.py"]
    assert found.study.steps[0].origin == "proposal"
    assert found.undone == {"a.py"}


def test_a_readme_that_says_how_to_run_names_the_entry_points_and_not_every_file() -> None:
    readme = "Files: `model.py`, `data.py`.\n\n```\npython train.py --fast\n```\n"
    found = history(wrote(1, "model.py"), wrote(2, "data.py"), wrote(3, "train.py"), wrote(4, "README.md", readme))
    assert steps(found) == ["train.py"]


def test_modules_and_started_scripts_belong_to_the_step_of_their_entry_point() -> None:
    train = "import model\nimport subprocess\nsubprocess.run(['python', 'plot.py'])\n"
    events = [
        wrote(1, "model.py", "x = 1"),
        wrote(2, "plot.py"),
        wrote(3, "train.py", train),
        wrote(4, "all.sh", "python train.py\n"),
    ]
    found = history(*events, ran(5, "bash all.sh"))
    assert steps(found) == ["all.sh"]
    assert set(found.study.steps[0].scripts) == {"all.sh", "train.py", "model.py", "plot.py"}
    assert found.undone == frozenset()


def test_a_module_run_by_itself_does_not_complete_the_step() -> None:
    train = "import config\n" + MAIN
    events = [wrote(1, "config.py", "print(1)"), wrote(2, "train.py", train), ran(3, "python train.py", error=True)]
    assert history(*events, ran(4, "python config.py")).undone == {"train.py"}
    assert history(*events, ran(4, "python train.py")).undone == frozenset()


def test_inline_code_that_uses_a_module_is_not_the_step() -> None:
    events = [
        wrote(1, "util.py", "x = 1"),
        wrote(2, "train.py", "import util\n" + MAIN),
        ran(3, "python train.py", error=True),
    ]
    found = history(*events, ran(4, 'python -c "import util; print(util.x)"'))
    assert found.undone == {"train.py"}
    assert [(e.step, e.planned, e.substitute) for e in found.study.executions][1] == (None, False, False)


def test_a_new_driver_of_the_entry_point_repairs_the_step_and_a_stranger_replaces_it() -> None:
    events = [wrote(1, "train.py"), ran(2, "python train.py", error=True)]
    driver = history(*events, wrote(3, "again.py", "import train\n"), ran(4, "python again.py"))
    stranger = history(*events, wrote(3, "tables.py"), ran(4, "python tables.py"))
    assert driver.undone == frozenset()
    assert not driver.study.executions[1].substitute
    assert stranger.undone == {"train.py"}
    assert stranger.study.executions[1].substitute


def test_of_several_entry_points_that_a_driver_imports_the_first_step_is_its_own() -> None:
    found = history(
        wrote(1, "second.py"),
        wrote(2, "first.py"),
        wrote(3, "both.py", "import second\nimport first\nfirst.run()\n"),
        ran(4, "python both.py"),
        proposal="# Plan\nWe run first.py, then second.py.",
    )
    (execution,) = found.study.executions
    assert (execution.step, execution.planned, execution.substitute) == ("first.py", True, False)


def test_what_runs_after_the_step_has_completed_replaces_nothing() -> None:
    events = [wrote(1, "train.py"), ran(2, "python train.py", error=True), ran(3, "python train.py")]
    found = history(*events, wrote(4, "plot.py"), ran(5, "python plot.py"))
    assert not found.study.executions[2].substitute


def test_tests_are_no_steps() -> None:
    found = history(
        wrote(1, "test_a.py"), wrote(2, "train.py"), ran(3, "python test_a.py", error=True), ran(4, "python train.py")
    )
    assert steps(found) == ["train.py"]


def test_a_proposal_that_plans_a_simulation_is_one() -> None:
    assert history(proposal="# P\nEvaluation by simulation studies.").study.plans[0].simulation
    assert history(proposal="# P\n## Simulation Studies\nAgents act.").study.plans[0].simulation


@pytest.mark.parametrize(
    "text",
    [
        "We drop 5% of weights to simulate pruning.",
        "Uncertainty by Monte Carlo dropout is evaluated.",
        "Unlike simulated users, real people evaluate the method.",
        "Experiments with simulated environments are not used here.",
    ],
)
def test_a_word_does_not_make_a_plan_a_simulation(text: str) -> None:
    assert not history(proposal=f"# P\n{text}").study.plans[0].simulation
