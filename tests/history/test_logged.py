"""Study files replayed: what a recorder says stands, what only testimony says does not, and the rest is worked out."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

import provchain
from provchain.auditing.report import Report
from provchain.model import Claim, Execution, RemarkKind, Role, Status, StudyOutcome, Verdict

RECORDERS = [
    {"id": "harness", "kind": "observer"},
    {"id": "agent", "kind": "testimony"},
    {"id": "scheduler", "kind": "observer"},
]
PAPER = "# Results\n\n| model | accuracy |\n|---|---|\n| svm | 0.9137 |\n"
METRICS = '{"svm": {"accuracy": 0.9137}}\n'


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def started(execution: str = "e1", command: str = "python run.py", **more: Any) -> dict[str, Any]:
    return {"event": "execution-started", "execution": execution, "command": command, **more}


def ended(execution: str = "e1", exit_code: int | None = 0, **more: Any) -> dict[str, Any]:
    return {"event": "execution-ended", "execution": execution, "exit_code": exit_code, **more}


def wrote(
    path: str = "results/metrics.json", execution: str = "e1", text: str = METRICS, **more: Any
) -> dict[str, Any]:
    return {"event": "file-written", "execution": execution, "path": path, "sha256": sha(text), **more}


def study(directory: Path, *events: dict[str, Any], files: dict[str, str] | None = None) -> Report:
    header = {"format": "provchain-study/1", "title": "t", "recorders": RECORDERS}
    lines = "".join(json.dumps(line) + "\n" for line in (header, *events))
    for path, text in {"results.md": PAPER, "study.jsonl": lines, **(files or {})}.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")
    return provchain.audit(directory)


def claim(report: Report, written: str = "0.9137") -> Claim:
    return next(c for c in report.study.claims if c.written == written)


def verdict(report: Report, written: str = "0.9137") -> Verdict:
    return report.judgements[claim(report, written).id].verdict


def execution(report: Report, name: str = "e1") -> Execution:
    return next(e for e in report.study.executions if e.id == name)


KEPT = {"results/metrics.json": METRICS}


def test_what_a_completed_execution_is_logged_to_have_written_supports(tmp_path: Path) -> None:
    report = study(tmp_path, started(), wrote(), ended(), files=KEPT)
    assert (report.outcome, verdict(report)) == (StudyOutcome.SUPPORTED, Verdict.SUPPORTED)
    assert report.judgements[claim(report).id].evidence[0].execution == "e1"


def test_other_bytes_than_were_logged_are_stale(tmp_path: Path) -> None:
    report = study(tmp_path, started(), wrote(text="other"), ended(), files=KEPT)
    assert verdict(report) is Verdict.STALE


def test_each_way_to_end_is_its_own_status(tmp_path: Path) -> None:
    report = study(
        tmp_path,
        started("failed"),
        {"event": "execution-failed", "execution": "failed", "error": "OSError: disk full"},
        started("late"),
        {"event": "execution-timed-out", "execution": "late", "limit": 60},
        started("shot"),
        {"event": "execution-killed", "execution": "shot", "signal": "SIGKILL", "reason": "out of memory"},
        started("said"),
        {"event": "execution-ended", "execution": "said", "status": "completed"},
        started("crashed"),
        ended("crashed", 1, output="Traceback (most recent call last):\nKeyError: 'x'"),
        started("silent"),
        ended("silent", None),
        started("open"),
    )
    found = {e.id: (e.status, e.error) for e in report.study.executions}
    assert found == {
        "failed": (Status.FAILED, "OSError: disk full"),
        "late": (Status.ABORTED, "stopped at its time limit of 60 s"),
        "shot": (Status.ABORTED, "killed: SIGKILL out of memory"),
        "said": (Status.COMPLETED, None),
        "crashed": (Status.FAILED, "KeyError: 'x'"),
        "silent": (Status.UNKNOWN, None),
        "open": (Status.RUNNING, None),
    }


def test_no_end_and_no_completed_one_support_nothing(tmp_path: Path) -> None:
    assert verdict(study(tmp_path, started(), wrote(), files=KEPT)) is Verdict.NOT_COMPLETED
    assert verdict(study(tmp_path, started(), wrote(), ended(exit_code=3), files=KEPT)) is Verdict.NOT_COMPLETED


def test_an_exit_code_that_is_another_process_s_hides_no_failure(tmp_path: Path) -> None:
    report = study(
        tmp_path,
        started(command="python run.py | tee run.log"),
        wrote(),
        ended(output="Traceback (most recent call last):\nKeyError: 'x'"),
        files=KEPT,
    )
    assert execution(report).status is Status.FAILED


def test_observers_that_disagree_leave_no_status_standing(tmp_path: Path) -> None:
    failed = {"event": "execution-failed", "execution": "e1", "recorder": "scheduler"}
    report = study(tmp_path, started(), wrote(), ended(), failed, files=KEPT)
    assert execution(report).status is Status.CONTRADICTED
    assert verdict(report) is Verdict.NOT_COMPLETED


def test_testimony_changes_no_status_and_is_kept(tmp_path: Path) -> None:
    failed = {"event": "execution-failed", "execution": "e1", "error": "boom"}
    report = study(tmp_path, started(), wrote(), failed, ended(recorder="agent"), files=KEPT)
    assert execution(report).status is Status.FAILED
    said = [r for r in report.study.remarks if r.kind is RemarkKind.COMPLETED]
    assert [(r.about, r.speaker) for r in said] == [("e1", "agent")]
    assert "contradicted-testimony" in {f.rule for f in report.study.findings}


def test_what_only_testimony_knows_supports_nothing(tmp_path: Path) -> None:
    events = [{**event, "recorder": "agent"} for event in (started(), wrote(), ended())]
    report = study(tmp_path, *events, files=KEPT)
    assert verdict(report) is Verdict.UNRECORDED
    assert report.outcome is StudyOutcome.UNDETERMINED


def test_testimony_puts_no_value_and_no_file_into_an_observed_execution(tmp_path: Path) -> None:
    value = {"event": "value-logged", "execution": "e1", "name": "svm accuracy", "value": 0.9137, "recorder": "agent"}
    written = wrote(text=METRICS, recorder="agent")
    report = study(tmp_path, started(), value, {**written, "text": METRICS}, ended())
    assert verdict(report) is Verdict.NO_SOURCE
    assert len([r for r in report.study.remarks if r.kind is RemarkKind.OTHER]) == 2


def test_a_logged_value_is_evidence_with_its_digits(tmp_path: Path) -> None:
    value = {
        "event": "value-logged",
        "execution": "e1",
        "name": "accuracy",
        "value": 0.9137,
        "labels": {"model": "svm"},
    }
    report = study(tmp_path, started(), value, ended())
    assert verdict(report) is Verdict.SUPPORTED
    assert report.judgements[claim(report).id].evidence[0].value == "0.9137"


def test_a_number_in_the_output_is_evidence(tmp_path: Path) -> None:
    assert verdict(study(tmp_path, started(), ended(output="svm accuracy 0.9137\n"))) is Verdict.SUPPORTED


def test_a_cut_output_leaves_it_open(tmp_path: Path) -> None:
    assert verdict(study(tmp_path, started(), ended(output="svm ac", output_cut=True))) is Verdict.UNRECORDED


def test_typed_input_breaks_the_chain_of_what_was_made_from_it(tmp_path: Path) -> None:
    typed = {"event": "authored", "path": "numbers.json", "text": METRICS, "tool": "edit"}
    read = {"event": "file-read", "execution": "e1", "path": "numbers.json", "sha256": sha(METRICS)}
    report = study(tmp_path, typed, started(), read, wrote(), ended(), files={**KEPT, "numbers.json": METRICS})
    assert verdict(report) is Verdict.AUTHORED


def test_an_input_that_is_not_what_stood_there_has_no_known_origin(tmp_path: Path) -> None:
    first = [started("e0"), wrote("data.csv", "e0", "a"), ended("e0")]
    read = {"event": "file-read", "execution": "e1", "path": "data.csv", "sha256": sha("b"), "role": "data"}
    report = study(tmp_path, *first, started(), read, wrote(), ended(), files={**KEPT, "data.csv": "b"})
    assert verdict(report) is Verdict.UNRECORDED


def test_data_from_outside_holds(tmp_path: Path) -> None:
    read = {"event": "file-read", "execution": "e1", "path": "data/train.csv", "sha256": sha("b")}
    report = study(tmp_path, started(), read, wrote(), ended(), files={**KEPT, "data/train.csv": "b"})
    assert verdict(report) is Verdict.SUPPORTED
    assert execution(report).used[0].role is Role.DATA


def test_a_heredoc_inside_a_logged_command_is_typing(tmp_path: Path) -> None:
    command = f"mkdir -p results && cat > results/metrics.json <<'EOF'\n{METRICS}EOF\n"
    report = study(tmp_path, started(command=command), {**wrote(), "text": METRICS}, ended(), files=KEPT)
    assert verdict(report) is Verdict.AUTHORED


def test_scripts_are_read_where_the_recorder_says_nothing_of_files(tmp_path: Path) -> None:
    script = "import json, random\njson.dump({'svm': {'accuracy': 0.9 + random.random() / 100}}, open('results/metrics.json', 'w'))\n"
    report = study(tmp_path, started(), ended(), files={**KEPT, "run.py": script})
    assert verdict(report) is Verdict.SYNTHETIC
    report = study(
        tmp_path, started(command="train()", script="run.py"), wrote(), ended(), files={**KEPT, "run.py": script}
    )
    assert verdict(report) is Verdict.SYNTHETIC


def test_executions_stand_in_the_order_of_their_start(tmp_path: Path) -> None:
    typed = {"event": "authored", "path": "x.py", "text": ""}
    report = study(tmp_path, started("b"), started("a"), typed, ended("a"), ended("b"))
    assert [e.id for e in report.study.executions] == ["b", "a"]


def test_names_of_activities_never_meet(tmp_path: Path) -> None:
    typed = {"event": "authored", "path": "x.txt", "text": "x"}
    report = study(tmp_path, started("3.1"), typed, ended("3.1"))
    assert len({*(e.id for e in report.study.executions), *(a.id for a in report.study.authorings)}) == 2


def test_a_log_that_the_agent_typed_is_testimony_whatever_it_says(tmp_path: Path) -> None:
    header = {"format": "provchain-study/1", "recorders": RECORDERS}
    text = "".join(json.dumps(line) + "\n" for line in (header, started(), wrote(), ended()))
    call = {"type": "tool_use", "id": "1", "name": "Write", "input": {"file_path": "/r/study.jsonl", "content": text}}
    back = {"type": "tool_result", "tool_use_id": "1", "content": "ok", "is_error": False}
    trace = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [back]}]
    report = study(tmp_path, started(), wrote(), ended(), files={**KEPT, "claude_output.json": json.dumps(trace)})
    assert verdict(report) is Verdict.UNRECORDED


def test_a_declared_step_is_the_plan(tmp_path: Path) -> None:
    plan = [
        {"event": "plan-declared", "plan": "p", "title": "The plan"},
        {"event": "step-declared", "step": "train", "plan": "p"},
        {"event": "step-declared", "step": "ablate", "plan": "p", "scripts": ["ablate.py"]},
    ]
    report = study(tmp_path, *plan, started(step="train"), wrote(), ended(), files=KEPT)
    assert execution(report).planned
    undone = [f for f in report.study.findings if f.rule == "planned-step-not-completed"]
    assert len(undone) == 1
    assert "ablate" in undone[0].message


def test_a_substitute_is_what_its_recorder_says(tmp_path: Path) -> None:
    plan = [{"event": "plan-declared", "plan": "p"}, {"event": "step-declared", "step": "train"}]
    failed = {"event": "execution-failed", "execution": "e0"}
    stand_in = started("e1", "python other.py", in_place_of="train")
    report = study(tmp_path, *plan, started("e0", step="train"), failed, stand_in, wrote(), ended(), files=KEPT)
    assert verdict(report) is Verdict.OFF_PLAN


def test_work_given_up_with_nothing_claimed_is_incomplete(tmp_path: Path) -> None:
    plan = [{"event": "plan-declared", "plan": "p"}, {"event": "step-declared", "step": "train"}]
    failed = {"event": "execution-failed", "execution": "e0"}
    for end in (
        {"event": "work-given-up", "reason": "no GPU", "step": "train"},
        {"event": "help-asked", "question": "May I rent a GPU?", "step": "train"},
    ):
        report = study(
            tmp_path,
            *plan,
            started("e0", step="train"),
            failed,
            end,
            files={"results.md": "# Results\n\nNothing yet.\n"},
        )
        assert report.outcome is StudyOutcome.INCOMPLETE


def test_unknown_fields_reach_the_graph(tmp_path: Path) -> None:
    report = study(tmp_path, started(gpu="H100"), wrote(), ended(), files=KEPT)
    assert execution(report).extra == '{"gpu":"H100"}'


def test_a_study_can_be_carried_in_one_file(tmp_path: Path) -> None:
    events = [
        {"event": "file-found", "path": "results.md", "text": PAPER},
        {"event": "file-found", "path": "results/metrics.json", "text": METRICS},
        started(),
        wrote(),
        ended(),
    ]
    document = {"format": "provchain-study/1", "recorders": RECORDERS, "events": events}
    (tmp_path / "one.json").write_text(json.dumps(document), encoding="utf-8")
    (tmp_path / "another.json").write_text(json.dumps(document | {"events": []}), encoding="utf-8")
    report = provchain.audit(tmp_path / "one.json")
    assert verdict(report) is Verdict.SUPPORTED
    assert [source.path for source in report.study.sources] == [".", "one.json"]


def test_a_declared_manuscript_is_read_whatever_its_name(tmp_path: Path) -> None:
    declared = {"event": "manuscript-declared", "path": "notes/x.md"}
    report = study(tmp_path, declared, started(), wrote(), ended(), files={**KEPT, "notes/x.md": PAPER + "\n"})
    assert {paper.path for paper in report.papers} == {"notes/x.md", "results.md"}


def test_a_script_whose_authoring_is_logged_without_its_text_is_read_from_the_disk(tmp_path: Path) -> None:
    script = "import json, random\njson.dump({'svm': {'accuracy': 0.9 + random.random() / 100}}, open('results/metrics.json', 'w'))\n"
    for more in ({}, {"sha256": sha(script)}):
        typed = {"event": "authored", "path": "run.py", **more}
        report = study(tmp_path, typed, started(), wrote(), ended(), files={**KEPT, "run.py": script})
        assert verdict(report) is Verdict.SYNTHETIC


def test_a_plan_without_a_file_names_no_script(tmp_path: Path) -> None:
    """The study file is no proposal: the scripts that its events name are not planned by that."""
    plan = [{"event": "plan-declared", "plan": "p"}, {"event": "step-declared", "step": "train", "scripts": ["run.py"]}]
    files = {**KEPT, "run.py": "print(1)\n", "other.py": "print(2)\n"}
    report = study(
        tmp_path, *plan, started(), wrote(), ended(), started("e2", "python other.py"), ended("e2"), files=files
    )
    assert [step.id for step in report.study.steps] == ["train"]


# ------------------------------------------------------------------- bytes that only pass through an execution


TYPED = {"event": "authored", "path": "typed.json", "text": METRICS}


@pytest.mark.parametrize(
    "command",
    [
        "cat typed.json",
        "jq . typed.json",
        "python -m json.tool typed.json",
        "grep -r accuracy .",
        "git diff",
        "cd . && cat typed.json",
    ],
)
def test_showing_typed_bytes_measures_nothing(tmp_path: Path, command: str) -> None:
    shown = ended(output=METRICS)
    report = study(tmp_path, TYPED, started(command=command), shown, files={"typed.json": METRICS})
    assert verdict(report) in (Verdict.AUTHORED, Verdict.NO_SOURCE)


def test_what_was_shown_beside_a_run_is_not_its_output(tmp_path: Path) -> None:
    text = '{"svm accuracy": 0.9137}\n'
    typed = {**TYPED, "text": text}
    both = ended(output=text + "tree accuracy 0.8012\n")
    paper = PAPER + "| tree | 0.8012 |\n"
    report = study(
        tmp_path,
        typed,
        started(command="cat typed.json; python run.py"),
        both,
        files={"typed.json": text, "results.md": paper},
    )
    assert verdict(report, "0.8012") is Verdict.SUPPORTED
    assert verdict(report) is not Verdict.SUPPORTED


@pytest.mark.parametrize("command", ["cp typed.json results/metrics.json", "mv typed.json results/metrics.json"])
def test_a_copy_stands_or_falls_with_its_original(tmp_path: Path, command: str) -> None:
    for more in ([wrote()], []):
        report = study(tmp_path / str(len(more)), TYPED, started(command=command), *more, ended(), files=KEPT)
        assert verdict(report) is Verdict.AUTHORED


def test_the_same_bytes_as_were_typed_are_those_bytes(tmp_path: Path) -> None:
    report = study(tmp_path, TYPED, started(command="./publish"), wrote(), ended(), files=KEPT)
    assert verdict(report) is Verdict.AUTHORED


@pytest.mark.parametrize(
    "command",
    ["sed -i s/0.5/0.9137/ results/metrics.json", "perl -pi -e s/0.5/0.9137/ results/metrics.json"],
)
def test_editing_what_was_measured_is_typing(tmp_path: Path, command: str) -> None:
    measured = [started("e0"), wrote(execution="e0", text='{"svm": {"accuracy": 0.5}}\n'), ended("e0")]
    for more in ([wrote()], []):
        report = study(tmp_path / str(len(more)), *measured, started(command=command), *more, ended(), files=KEPT)
        assert verdict(report) in (Verdict.AUTHORED, Verdict.STALE)


@pytest.mark.parametrize("late", [False, True])
def test_typing_inside_a_command_is_typing_whenever_it_is_logged(tmp_path: Path, late: bool) -> None:
    command = f"cat > results/metrics.json <<'EOF'\n{METRICS}EOF\n"
    events = [ended(), wrote()] if late else [wrote(), ended()]
    assert verdict(study(tmp_path, started(command=command), *events, files=KEPT)) is Verdict.AUTHORED


def test_a_shell_script_that_types_its_results_made_them_up(tmp_path: Path) -> None:
    script = '#!/bin/bash\nmkdir -p results\necho \'{"svm": {"accuracy": 0.9137}}\' > results/metrics.json\n'
    typed = {"event": "authored", "path": "make.sh", "text": script}
    report = study(
        tmp_path, typed, started(command="bash make.sh"), wrote(), ended(), files={**KEPT, "make.sh": script}
    )
    assert verdict(report) in (Verdict.SYNTHETIC, Verdict.AUTHORED)


def test_a_script_is_read_as_it_stood_when_it_started(tmp_path: Path) -> None:
    fake = "import json, random\njson.dump({'svm': {'accuracy': 0.9 + random.random() / 100}}, open('results/metrics.json', 'w'))\n"
    real = "import csv, json\njson.dump({'svm': {'accuracy': float(next(csv.reader(open('d.csv')))[0])}}, open('results/metrics.json', 'w'))\n"
    typed = [{"event": "authored", "path": "run.py", "text": text} for text in (fake, real)]
    report = study(
        tmp_path, typed[0], started(), typed[1], wrote(), ended(), files={**KEPT, "run.py": real, "d.csv": "0.9137\n"}
    )
    assert verdict(report) is Verdict.SYNTHETIC


def test_what_cannot_write_wrote_nothing(tmp_path: Path) -> None:
    report = study(tmp_path, started(command="ls -la"), wrote(), ended(), files=KEPT)
    assert verdict(report) is Verdict.UNRECORDED


def test_rings_break_as_a_whole(tmp_path: Path) -> None:
    read = {"event": "file-read"}
    events = [
        {**TYPED, "text": "[]"},
        started("a", "./a"),
        started("b", "./b"),
        {**read, "execution": "a", "path": "typed.json"},
        wrote("x.json", "b", "x"),
        {**read, "execution": "a", "path": "x.json"},
        wrote("y.json", "a", "y"),
        {**read, "execution": "b", "path": "y.json"},
        wrote("results/metrics.json", "b"),
        ended("a"),
        ended("b"),
    ]
    report = study(tmp_path, *events, files={**KEPT, "typed.json": "[]", "x.json": "x", "y.json": "y"})
    assert verdict(report) is Verdict.AUTHORED


# --------------------------------------------------------------------------------------------- who speaks where


def test_testimony_puts_nothing_in_the_place_of_what_was_observed(tmp_path: Path) -> None:
    said = [{**event, "recorder": "agent"} for event in (started("t"), wrote(execution="t"), ended("t"))]
    assert verdict(study(tmp_path, started(), wrote(), ended(), *said, files=KEPT)) is Verdict.SUPPORTED


def test_testimony_makes_no_gap(tmp_path: Path) -> None:
    said = [
        {**event, "recorder": "agent"}
        for event in (started("t"), wrote("gone.json", "t"), ended("t", output="", output_cut=True))
    ]
    assert verdict(study(tmp_path, started(), ended(), *said)) is Verdict.NO_SOURCE


@pytest.mark.parametrize("first", ["plan", "run"])
def test_testimony_plans_no_simulation(tmp_path: Path, first: str) -> None:
    script = "import json, random\njson.dump({'svm': {'accuracy': 0.9 + random.random() / 100}}, open('results/metrics.json', 'w'))\n"
    plan = [
        {"event": "plan-declared", "plan": "p", "simulation": True, "recorder": "agent"},
        {"event": "step-declared", "step": "s", "scripts": ["run.py"], "recorder": "agent"},
    ]
    run = [started(), wrote(), ended()]
    events = [*plan, *run] if first == "plan" else [*run, *plan]
    assert verdict(study(tmp_path, *events, files={**KEPT, "run.py": script})) is Verdict.SYNTHETIC
    observed = [{**event, "recorder": "harness"} for event in plan]
    late = study(tmp_path / "late", *run, *observed, files={**KEPT, "run.py": script})
    early = study(tmp_path / "early", *observed, *run, files={**KEPT, "run.py": script})
    assert (verdict(late), verdict(early)) == (Verdict.SYNTHETIC, Verdict.SUPPORTED)


def test_a_log_that_another_record_saw_being_made_is_testimony(tmp_path: Path) -> None:
    header = {"format": "provchain-study/1", "recorders": RECORDERS}
    forged = "".join(json.dumps(line) + "\n" for line in (header, started(), wrote(), ended()))
    for number, made in enumerate(
        (
            [started("m", "python make_log.py"), wrote("b.jsonl", "m", forged), ended("m")],
            [started("m", "cp /tmp/other.jsonl b.jsonl"), wrote("b.jsonl", "m", forged), ended("m")],
        )
    ):
        report = study(tmp_path / str(number), *made, files={**KEPT, "b.jsonl": forged})
        assert verdict(report) is Verdict.UNRECORDED


def test_a_recorder_may_see_its_own_log_change(tmp_path: Path) -> None:
    assert verdict(study(tmp_path, started(), wrote(), wrote("study.jsonl", text="x"), ended(), files=KEPT)) is (
        Verdict.SUPPORTED
    )


def test_ids_of_two_logs_never_meet(tmp_path: Path) -> None:
    header = {"format": "provchain-study/1", "recorders": RECORDERS[1:2]}
    said = "".join(
        json.dumps(line) + "\n" for line in (header, started("2:e1"), wrote(execution="2:e1"), ended("2:e1"))
    )
    report = study(tmp_path, started("e1", "./other"), ended("e1"), files={**KEPT, "a.jsonl": said})
    assert len({e.id for e in report.study.executions}) == 2
    assert verdict(report) is Verdict.UNRECORDED


# -------------------------------------------------------------------------------------------------- fair to all


@pytest.mark.parametrize(
    "command",
    [
        "set -e\npython run.py\necho done",
        "for s in 1 2 3; do python run.py --seed $s; done",
        "if [ -f run.py ]; then python run.py; fi",
        "Trainer(cfg).fit(data[:100], epochs=3)",
        "print(train())",
        "In [3]: model.fit(X, y)",
        "SELECT avg(x) FROM t; COMMIT",
        "train(lr=0.1)",
    ],
)
def test_an_exit_code_counts_where_no_output_is_recorded(tmp_path: Path, command: str) -> None:
    assert verdict(study(tmp_path, started(command=command), wrote(), ended(), files=KEPT)) is Verdict.SUPPORTED


def test_a_code_that_is_another_s_does_not(tmp_path: Path) -> None:
    for command in ("python run.py | tee run.log", "python run.py; true; ls"):
        report = study(tmp_path / str(len(command)), started(command=command), wrote(), ended(), files=KEPT)
        assert execution(report).status is Status.UNKNOWN


def test_a_record_that_contradicts_itself_supports_nothing(tmp_path: Path) -> None:
    report = study(tmp_path, started(), wrote(), ended(status="failed"), files=KEPT)
    assert execution(report).status is Status.CONTRADICTED


def test_events_may_come_late(tmp_path: Path) -> None:
    value = {
        "event": "value-logged",
        "execution": "e1",
        "name": "accuracy",
        "value": 0.9137,
        "labels": {"model": "svm"},
    }
    assert verdict(study(tmp_path / "value", started(), ended(), value)) is Verdict.SUPPORTED
    assert verdict(study(tmp_path / "file", started(), ended(), wrote(), files=KEPT)) is Verdict.SUPPORTED
    read = {"event": "file-read", "execution": "e1", "path": "results/metrics.json"}
    assert verdict(study(tmp_path / "own", started(), read, wrote(), ended(), files=KEPT)) is Verdict.SUPPORTED


def test_a_failed_rerun_that_changes_nothing_takes_nothing_away(tmp_path: Path) -> None:
    again = [started("e2"), wrote(execution="e2"), ended("e2", 1)]
    assert verdict(study(tmp_path, started(), wrote(), ended(), *again, files=KEPT)) is Verdict.SUPPORTED


def test_a_failure_elsewhere_in_the_sentence_excuses_no_result(tmp_path: Path) -> None:
    paper = "# Results\n\nWhile earlier methods failed, our svm reaches an accuracy of 0.9137.\n"
    crashed = ended(exit_code=1, output="svm accuracy 0.9137\nTraceback (most recent call last):\nKeyError: 'x'")
    assert verdict(study(tmp_path, started(), crashed, files={"results.md": paper})) is Verdict.NOT_COMPLETED
    honest = "# Results\n\nThe run failed after 7.83 s with a KeyError.\n"
    timed = ended(exit_code=1, output="stopped after 7.83 s\nTraceback (most recent call last):\nKeyError: 'x'")
    report = study(tmp_path / "honest", started(), timed, files={"results.md": honest})
    assert verdict(report, "7.83") is Verdict.SUPPORTED


def test_what_somebody_else_did_not_finish_excuses_no_fold(tmp_path: Path) -> None:
    paper = "# Results\n\nThe planned user study could not be completed.\n\n| fold | accuracy |\n|---|---|\n| fold 1 | 0.9137 |\n| fold 2 | 0.9034 |\n"
    folds = '{"fold 1": {"accuracy": 0.9137}, "fold 2": {"accuracy": 0.9034}}\n'
    crashed = [started(), wrote(text=folds), ended(exit_code=1)]
    report = study(tmp_path, *crashed, files={"results/metrics.json": folds, "results.md": paper})
    assert verdict(report) is Verdict.PARTIAL
    assert report.action.value == "reject"


def test_how_long_it_took_to_fail_need_not_be_on_record(tmp_path: Path) -> None:
    plan = [{"event": "plan-declared", "plan": "p"}, {"event": "step-declared", "step": "train"}]
    paper = "# Results\n\nThe experiment could not be completed: the job crashed after 0.41 seconds. No results are reported.\n"
    failed = {"event": "execution-failed", "execution": "e1", "error": "KeyError: 'x'"}
    report = study(tmp_path, *plan, started(step="train"), failed, files={"results.md": paper})
    assert (verdict(report, "0.41"), report.outcome) == (Verdict.AMBIGUOUS, StudyOutcome.INCOMPLETE)


@pytest.mark.parametrize(
    "command",
    [
        "jq '.svm.accuracy=0.9137' raw.json > results/metrics.json",
        "sed s/0.5/0.9137/ raw.json > results/metrics.json",
        'python -c "import json; d = json.load(open(1)); d[0] = 0.9137; json.dump(d, open(2))"',
        "ACCURACY=0.9137 ./publish",
        "./publish svm 0.9137",
    ],
)
def test_a_number_that_stands_in_the_command_was_typed(tmp_path: Path, command: str) -> None:
    raw = '{"svm": {"accuracy": 0.5}}\n'
    measured = [started("e0"), wrote("raw.json", "e0", raw), ended("e0")]
    report = study(tmp_path, *measured, started(command=command), wrote(), ended(), files={**KEPT, "raw.json": raw})
    assert verdict(report) in (Verdict.AUTHORED, Verdict.SYNTHETIC)


def test_an_option_may_be_equal_to_a_result(tmp_path: Path) -> None:
    report = study(tmp_path, started(command="./train --threshold 0.9137"), wrote(), ended(), files=KEPT)
    assert verdict(report) is Verdict.SUPPORTED


def test_what_is_echoed_beside_a_run_is_not_its_output(tmp_path: Path) -> None:
    said = ended(output="done\nsvm accuracy 0.9137\n")
    report = study(tmp_path, started(command="python run.py && echo 'svm accuracy 0.9137'"), said)
    assert verdict(report) is not Verdict.SUPPORTED


def test_the_same_bytes_typed_elsewhere_take_nothing_away(tmp_path: Path) -> None:
    typed = {"event": "authored", "path": "a/expected.json", "text": METRICS}
    report = study(tmp_path, started(), wrote(), ended(), typed, files={**KEPT, "a/expected.json": METRICS})
    assert verdict(report) is Verdict.SUPPORTED


SWAPPED = [
    "| model | accuracy |\n|---|---|\n| svm | 0.8012 |\n| tree | 0.9137 |\n",
    "| model | accuracy |\n|---|---|\n| tree | 0.9137 |\n",
    "| model | accuracy | f1 |\n|---|---|---|\n| svm | 0.8899 | 0.9137 |\n| tree | 0.7755 | 0.8012 |\n",
    "The tree reaches an accuracy of 0.9137.\n",
]


@pytest.mark.parametrize("text", SWAPPED)
def test_the_number_of_another_row_is_not_its_own(tmp_path: Path, text: str) -> None:
    metrics = '{"svm": {"accuracy": 0.9137, "f1": 0.8899}, "tree": {"accuracy": 0.8012, "f1": 0.7755}}\n'
    files = {"results/metrics.json": metrics, "results.md": f"# Results\n\n{text}"}
    report = study(tmp_path, started(), wrote(text=metrics), ended(), files=files)
    assert report.action.value != "accept"


def test_files_that_one_command_edits_stand_in_one_order(tmp_path: Path) -> None:
    """The same input gives the same report, whatever order a set would have."""
    names = [f"notes/{name}.txt" for name in "hgfedcba"]
    report = study(tmp_path, started(command="sed -i s/a/b/ notes/*.txt"), ended(), files=dict.fromkeys(names, "a\n"))
    edited = [authoring.path for authoring in report.study.authorings]
    assert edited == sorted(names)
