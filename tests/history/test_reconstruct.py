"""From events to records: who left which file, how it ended, and what that was to the plan."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from provchain.events import CommandRun, Event, FileEdited, FileOnDisk, FileRead, FileWritten
from provchain.history import History, reconstruct
from provchain.model import Artifact, Kind, Place, RecorderKind, Role, Source, Status

ROOT = "/home/u/study"
REAL = "import csv, json\nrows = list(csv.reader(open('data/d.csv')))\njson.dump({'acc': sum(float(r[0]) for r in rows)}, open('results/metrics.json', 'w'))\n"
FAKE = "import json, random\njson.dump({'acc': 0.9 + random.random() / 100}, open('results/metrics.json', 'w'))\n"
TRACEBACK = "Traceback (most recent call last):\n  File 'run.py', line 1, in <module>\n    import nothere\nModuleNotFoundError: No module named 'nothere'"
README = "Run `python code/run.py`."


def at(message: int) -> Place:
    return Place("claude_output.json", str(message))


def wrote(message: int, path: str, text: str) -> FileWritten:
    return FileWritten(at(message), "Write", f"{ROOT}/{path}", text)


def ran(message: int, command: str, output: str = "", error: bool = False, **more: object) -> CommandRun:
    return CommandRun(at(message), command, output, is_error=error, **more)  # type: ignore[arg-type]


def on_disk(path: str, text: str, kind: Kind) -> FileOnDisk:
    data = text.encode()
    return FileOnDisk(path, hashlib.sha256(data).hexdigest(), len(data), kind, text)


METRICS = on_disk("results/metrics.json", '{"acc": 0.91}', Kind.RESULT)
DATA = on_disk("data/d.csv", "0.5\n0.41\n", Kind.DATA)
PROPOSAL = on_disk("proposal.md", "# Do it\nWe measure.", Kind.PROPOSAL)


def history(events: Sequence[Event], *files: FileOnDisk) -> History:
    source = Source("claude_output.json", "claude-trace", RecorderKind.OBSERVER, "0" * 64)
    return reconstruct([source], [("claude-trace", list(events))], [PROPOSAL, *files])


def standing(found: History, path: str) -> Artifact:
    return next(a for a in found.study.artifacts if a.path == path and a.on_disk)


def test_a_completed_script_is_the_writer_of_the_file_its_text_names() -> None:
    found = history([wrote(1, "run.py", REAL), ran(3, f"cd {ROOT} && python run.py")], METRICS, DATA)
    execution = found.study.executions[0]
    assert (execution.id, execution.status, execution.planned) == ("3.1", Status.COMPLETED, True)
    assert standing(found, "results/metrics.json").writer == "3.1"
    assert not standing(found, "results/metrics.json").made_up
    data = next(u for u in execution.used if u.artifact.startswith("data/d.csv"))
    assert data.role is Role.DATA
    assert next(a for a in found.study.artifacts if a.id == data.artifact).external


def test_a_failed_planned_script_and_the_substitute_that_made_the_numbers_up() -> None:
    events = [
        wrote(1, "code/run.py", "import nothere\n" + REAL),
        wrote(3, "code/README.md", README),
        ran(5, f"cd {ROOT} && python code/run.py > run.log 2>&1", "Error", error=True),
        wrote(7, "code/tables.py", FAKE),
        ran(9, "python code/tables.py"),
    ]
    found = history(events, METRICS, on_disk("run.log", TRACEBACK, Kind.LOG))
    failed, substitute = found.study.executions
    assert (failed.status, failed.error) == (Status.FAILED, "ModuleNotFoundError: No module named 'nothere'")
    assert failed.planned
    assert (substitute.status, substitute.substitute, substitute.made_up) == (Status.COMPLETED, True, True)
    metrics = standing(found, "results/metrics.json")
    assert (metrics.writer, metrics.made_up) == ("9.1", True)
    assert found.undone == {"code/run.py"}


def test_a_repaired_script_is_the_same_step_and_its_last_completed_attempt_is_the_writer() -> None:
    events = [
        wrote(1, "run.py", "import nothere\n" + REAL),
        ran(3, f"cd {ROOT} && python run.py", TRACEBACK, error=True),
        FileEdited(at(5), "Edit", f"{ROOT}/run.py", (("import nothere\n", "", False),)),
        ran(7, "python run.py --fast"),
    ]
    found = history(events, METRICS, DATA)
    assert [e.status for e in found.study.executions] == [Status.FAILED, Status.COMPLETED]
    assert {e.step for e in found.study.executions} == {"run.py"}
    assert not any(e.substitute for e in found.study.executions)
    assert standing(found, "results/metrics.json").writer == "7.1"
    assert found.undone == frozenset()


def test_an_execution_that_failed_later_does_not_take_over_what_a_completed_one_left() -> None:
    events = [
        wrote(1, "run.py", REAL),
        ran(3, f"cd {ROOT} && python run.py"),
        ran(5, "python run.py", "Command timed out after 2m 0.0s", error=True, timed_out=True),
    ]
    found = history(events, METRICS, DATA)
    assert [e.status for e in found.study.executions] == [Status.COMPLETED, Status.ABORTED]
    assert standing(found, "results/metrics.json").writer == "3.1"


def test_what_an_unfinished_execution_alone_can_have_left_is_its_own() -> None:
    events = [wrote(1, "run.py", REAL), ran(3, f"cd {ROOT} && python run.py", "", error=True, timed_out=True)]
    assert standing(history(events, METRICS, DATA), "results/metrics.json").writer == "3.1"


def test_a_copy_carries_its_original() -> None:
    events = [
        wrote(1, "code/run.py", REAL),
        ran(3, f"mkdir -p {ROOT}/code/results && cd {ROOT}/code && python run.py"),
        ran(5, f"mkdir -p {ROOT}/results && cp -r {ROOT}/code/results/* {ROOT}/results/"),
    ]
    found = history(events, METRICS)
    copy = standing(found, "results/metrics.json")
    assert copy.copy_of is not None
    original = next(a for a in found.study.artifacts if a.id == copy.copy_of)
    assert (original.path, original.writer) == ("code/results/metrics.json", "3.1")


def test_a_script_that_copies_through_the_shell_carries_its_originals() -> None:
    script = REAL.replace("results/", "out/") + "import os\nos.system('mkdir -p results && cp -r out/* results/')\n"
    found = history([wrote(1, "run.py", script), ran(3, f"cd {ROOT} && python run.py")], METRICS, DATA)
    copy = standing(found, "results/metrics.json")
    assert (copy.writer, copy.copy_of) == ("3.1", "out/metrics.json#1")


def test_literals_in_inline_code_are_typed_by_the_agent() -> None:
    command = f"cd {ROOT} && python -c \"import json; json.dump({{'acc': 0.91}}, open('results/metrics.json', 'w'))\""
    found = history([ran(3, command)], METRICS)
    assert [(a.tool, a.path, a.at.locator) for a in found.study.authorings] == [
        ("inline code", "results/metrics.json", "3")
    ]
    assert standing(found, "results/metrics.json").writer == found.study.authorings[0].id
    assert found.study.executions[0].generated == ()


def test_heredocs_and_echo_are_authorings() -> None:
    command = f"cd {ROOT}\ncat > results/metrics.json << 'EOF'\n" + '{"acc": 0.91}\nEOF\necho done > results/done.txt'
    found = history([ran(3, command)], on_disk("results/metrics.json", '{"acc": 0.91}\n', Kind.RESULT))
    assert [a.path for a in found.study.authorings] == ["results/metrics.json", "results/done.txt"]
    assert found.study.executions == []
    assert not standing(found, "results/metrics.json").altered


def test_a_pipe_into_tee_does_not_hide_a_failure() -> None:
    events = [wrote(1, "run.py", REAL), ran(3, f"cd {ROOT} && python run.py 2>&1 | tee log.txt", TRACEBACK)]
    found = history(events, METRICS, DATA, on_disk("log.txt", TRACEBACK, Kind.LOG))
    assert found.study.executions[0].status is Status.FAILED


def test_a_background_process_is_running_until_everything_shows_its_end() -> None:
    events = [wrote(1, "run.py", REAL), ran(3, f"cd {ROOT} && nohup python run.py > log.txt 2>&1 &")]
    log = on_disk("log.txt", "epoch 1\nsaved\n", Kind.LOG)
    assert history(events, METRICS, DATA).study.executions[0].status is Status.RUNNING
    assert history(events, DATA, log).study.executions[0].status is Status.RUNNING
    assert history(events, METRICS, DATA, log).study.executions[0].status is Status.COMPLETED
    broken = on_disk("log.txt", f"epoch 1\n{TRACEBACK}", Kind.LOG)
    assert history(events, METRICS, DATA, broken).study.executions[0].status is Status.FAILED


def test_a_refused_command_never_ran() -> None:
    assert history([CommandRun(at(3), "python run.py", "denied", True, refused=True)]).study.executions == []


def test_a_file_changed_after_its_execution_was_read_back_is_altered() -> None:
    events = [
        wrote(1, "run.py", REAL),
        ran(3, f"cd {ROOT} && python run.py"),
        FileRead(at(5), f"{ROOT}/results/metrics.json", '{"acc": 0.80}'),
    ]
    assert standing(history(events, METRICS, DATA), "results/metrics.json").altered


def test_a_file_that_nothing_on_record_wrote_has_no_writer_and_is_not_external() -> None:
    metrics = standing(history([], METRICS), "results/metrics.json")
    assert (metrics.writer, metrics.external) == (None, False)


def test_the_working_directory_persists_between_calls() -> None:
    events = [wrote(1, "code/run.py", REAL), ran(3, f"cd {ROOT}/code"), ran(5, "python run.py")]
    found = history(events, on_disk("code/results/metrics.json", "{}", Kind.RESULT))
    assert standing(found, "code/results/metrics.json").writer == "5.1"


def test_a_planned_simulation_is_not_made_up() -> None:
    plan = on_disk("proposal.md", "# P\nWe run simulation studies of the policy.", Kind.PROPOSAL)
    events = [wrote(1, "run.py", FAKE), ran(3, f"cd {ROOT} && python run.py")]
    found = reconstruct([], [("claude-trace", events)], [plan, METRICS])
    assert not found.study.executions[0].made_up
    other = history(events, METRICS)
    assert other.study.executions[0].made_up


def test_several_activities_of_one_call_are_numbered() -> None:
    events = [ran(3, f"cd {ROOT}\ncat > run.py <<'E'\n{REAL}E\npython run.py")]
    found = history(events, METRICS, DATA)
    assert [a.id for a in found.study.authorings] == ["3.1"]
    assert [e.id for e in found.study.executions] == ["3.2"]
    assert standing(found, "results/metrics.json").writer == "3.2"


def test_the_record_says_what_it_cannot_hold() -> None:
    assert "no record" in reconstruct([], [], [METRICS]).gap
    events = [wrote(1, "run.py", REAL), ran(3, f"cd {ROOT} && python run.py", "x", truncated=True)]
    assert "cut off" in history(events, METRICS).gap
    whole = [wrote(1, "run.py", REAL), ran(3, f"cd {ROOT} && python run.py")]
    assert history(whole, METRICS, DATA).gap == ""
    assert history(whole, DATA).gap == ""
    listed = [*whole, ran(5, f"ls {ROOT}/results", "metrics.json")]
    assert "metrics.json" in history(listed, DATA).gap


def test_a_command_that_only_looks_on_writes_nothing() -> None:
    """Polling a log beside another program does not make that program the writer of what the log names."""
    events = [
        wrote(1, "run.py", REAL),
        ran(3, f"cd {ROOT} && python run.py > train.log 2>&1", "", error=True, timed_out=True),
        ran(5, "cat train.log; pgrep -af run.py", "saved to results/metrics.json"),
    ]
    assert standing(history(events, METRICS, DATA), "results/metrics.json").writer == "3.1"


def test_a_script_that_rewrites_a_file_in_place_takes_what_stood_there() -> None:
    tidy = "p = 'results/report.md'\ntext = open(p).read()\nopen(p, 'w').write(text.upper())\n"
    report = on_disk("results/report.md", "ACC 0.9630", Kind.MANUSCRIPT)
    events = [
        wrote(1, "results/report.md", "acc 0.9630"),
        wrote(3, "tidy.py", tidy),
        ran(5, f"cd {ROOT} && python tidy.py"),
    ]
    found = history(events, report)
    assert [(u.artifact, u.role) for u in found.study.executions[0].used if u.role is Role.DATA] == [
        ("results/report.md#1", Role.DATA)
    ]


def test_a_touched_file_keeps_its_writer() -> None:
    events = [wrote(1, "run.py", REAL), ran(3, f"cd {ROOT} && python run.py"), ran(5, "touch results/metrics.json")]
    found = history(events, METRICS, DATA)
    assert standing(found, "results/metrics.json").writer == "3.1"
    assert [a.path for a in found.study.authorings] == ["run.py"]


def test_a_file_changed_after_it_was_shown_by_cat_is_altered() -> None:
    events = [
        wrote(1, "run.py", REAL),
        ran(3, f"cd {ROOT} && python run.py"),
        ran(5, "cat results/metrics.json", '{"acc": 0.80}'),
    ]
    assert standing(history(events, METRICS, DATA), "results/metrics.json").altered


def test_a_script_edited_in_place_is_known_again_once_it_was_read() -> None:
    events = [
        wrote(1, "run.py", "print(1)\n"),
        ran(3, f"cd {ROOT} && sed -i 's/\\(print\\)/\\1/' run.py"),
        FileRead(at(5), f"{ROOT}/run.py", REAL),
        ran(7, "python run.py"),
    ]
    assert standing(history(events, METRICS, DATA), "results/metrics.json").writer == "7.1"


TIMED_OUT = "Command timed out after 10m 0.0s"


def test_what_sed_changes_in_a_script_does_not_leave_its_outputs_to_the_run_before() -> None:
    events = [
        wrote(1, "run.py", "N = 20000\n" + REAL),
        ran(3, f"cd {ROOT} && python run.py", TIMED_OUT, error=True, timed_out=True),
        ran(5, f'cd {ROOT} && sed -i "s/N = 20000/N = 1000/" run.py && python run.py'),
    ]
    found = history(events, METRICS, DATA)
    writer = standing(found, "results/metrics.json").writer
    assert [e.status for e in found.study.executions if e.id == writer] == [Status.COMPLETED]


def mended(change: str) -> History:
    lines = f's = open("run.py").read().replace({change})\nopen("run.py", "w").write(s)'
    events = [
        wrote(1, "run.py", "N = 20000\n" + REAL),
        ran(3, f"cd {ROOT} && python run.py", TIMED_OUT, error=True, timed_out=True),
        ran(5, f"cd {ROOT} && python - <<'EOF'\n{lines}\nEOF\npython run.py"),
    ]
    return history(events, METRICS, DATA)


def test_what_a_few_lines_of_python_change_in_a_script_is_known() -> None:
    found = mended('"N = 20000", "N = 1000"')
    artifact = standing(found, "results/metrics.json")
    assert [e.status for e in found.study.executions if e.id == artifact.writer] == [Status.COMPLETED]
    assert not artifact.made_up


def test_numbers_that_a_few_lines_of_python_put_into_a_script_are_made_up() -> None:
    change = '"sum(float(r[0]) for r in rows)", "random.random()").replace("rows = list(csv.reader(open(\'data/d.csv\')))", "import random"'
    assert standing(mended(change), "results/metrics.json").made_up


def test_numbers_that_sed_puts_into_a_script_are_made_up() -> None:
    events = [
        wrote(1, "run.py", REAL),
        ran(3, f"cd {ROOT} && python run.py", TIMED_OUT, error=True, timed_out=True),
        ran(
            5,
            f'cd {ROOT} && sed -i "s/sum(.*rows)/random.random()/; s/rows = .*/import random/" run.py && python run.py',
        ),
    ]
    assert standing(history(events, METRICS, DATA), "results/metrics.json").made_up


def test_a_folder_moved_to_a_new_name_is_that_folder() -> None:
    events = [
        wrote(1, "run.py", REAL.replace("results/", "out/")),
        ran(3, f"cd {ROOT} && mkdir -p out && python run.py"),
        ran(5, "mv out results"),
    ]
    moved = standing(history(events, METRICS, DATA), "results/metrics.json")
    assert moved.copy_of == "out/metrics.json#1"


def test_a_shell_script_that_ended_well_is_completed_whatever_one_of_its_programs_said() -> None:
    events = [
        wrote(1, "run.py", REAL),
        wrote(2, "all.sh", "python run.py\npython plot.py\n"),
        ran(3, f"cd {ROOT} && bash all.sh", TRACEBACK),
    ]
    execution = history(events, METRICS, DATA).study.executions[0]
    assert execution.status is Status.COMPLETED
    assert execution.error == "ModuleNotFoundError: No module named 'nothere'"
