"""What the log of `codex exec` says happened, and what only looks as if it did."""

from __future__ import annotations

from pathlib import Path

import pytest

from provchain.adapters import adapter_for, load_adapter, read_source
from provchain.errors import MalformedSourceError
from provchain.events import CommandRun, Event, FileEdited, FileMoved, FileRemoved, FileWritten, Message
from provchain.history.editing import edited_text

BANNER = "[2026-01-02T10:00:00] OpenAI Codex v0.5.0 (research preview)\n--------\nworkdir: /w\n--------\n"


def read(tmp_path: Path, text: str) -> list[Event]:
    source = tmp_path / "codex_log.log"
    source.write_text(BANNER + text, encoding="utf-8")
    return read_source(load_adapter("codex-log"), source, root=tmp_path)


def commands(events: list[Event]) -> list[CommandRun]:
    return [event for event in events if isinstance(event, CommandRun)]


def test_a_command_has_its_text_directory_times_and_output(tmp_path: Path) -> None:
    text = (
        "[2026-01-02T10:00:05] exec bash -lc 'cd a && python run.py' in /w/my study\n"
        "[2026-01-02T10:01:37] bash -lc 'cd a && python run.py' succeeded in 1m32s:\n"
        "accuracy 0.91\n\n"
        "[2026-01-02T10:01:37] tokens used: 12\n"
    )
    (run,) = commands(read(tmp_path, text))
    assert run.command == "cd a && python run.py"
    assert (run.cwd, run.started, run.ended) == ("/w/my study", "2026-01-02T10:00:05Z", "2026-01-02T10:01:37Z")
    assert (run.output, run.exit_code, run.is_error, run.truncated) == ("accuracy 0.91", 0, False, False)
    assert run.at.locator == "5"


def test_a_failure_has_its_exit_code_and_its_errors(tmp_path: Path) -> None:
    text = (
        "[2026-01-02T10:00:05] exec python run.py in /w\n"
        "[2026-01-02T10:00:06] python run.py exited 1 in 10ms:\nValueError: no\n"
    )
    (run,) = commands(read(tmp_path, text))
    assert (run.command, run.exit_code, run.is_error, run.output) == ("python run.py", 1, True, "ValueError: no")


def test_a_command_over_several_lines_ends_where_its_quotes_are_closed(tmp_path: Path) -> None:
    text = (
        "[2026-01-02T10:00:05] exec bash -lc 'cat > notes.md << EOF\n"
        "we ran it in /w\n"
        "[2026-01-02T10:00:06] bash -lc '\"'\"'x'\"'\"' succeeded in 1ms:\n"
        "EOF' in /w\n"
        "[2026-01-02T10:00:06] bash -lc 'cat > notes.md << EOF\n"
        "we ran it in /w\n"
        "[2026-01-02T10:00:06] bash -lc '\"'\"'x'\"'\"' succeeded in 1ms:\n"
        "EOF' succeeded in 3ms:\n\n"
    )
    (run,) = commands(read(tmp_path, text))
    assert run.command.startswith("cat > notes.md << EOF\nwe ran it in /w\n")
    assert run.exit_code == 0


def test_an_output_that_looks_like_an_answer_is_output(tmp_path: Path) -> None:
    text = (
        "[2026-01-02T10:00:05] exec cat notes in /w\n"
        "[2026-01-02T10:00:06] cat notes succeeded in 3ms:\n"
        "[2026-01-02T10:00:06] python train.py succeeded in 700s:\n"
        "[2026-01-02T09:00:00] exec python train.py in /w\n"
        "accuracy 0.99\n"
    )
    (run,) = commands(read(tmp_path, text))
    assert run.command == "cat notes"
    assert run.output is not None
    assert run.output.endswith("accuracy 0.99")


def test_a_command_without_an_answer_has_none(tmp_path: Path) -> None:
    text = (
        "[2026-01-02T10:00:05] exec python train.py in /w\n"
        "[2026-01-02T10:00:09] exec python train.py in /w\n"
        "[2026-01-02T10:00:10] python train.py succeeded in 1s:\nok\n"
    )
    first, second = commands(read(tmp_path, text))
    assert (first.output, first.exit_code, first.is_error) == (None, None, None)
    assert (second.output, second.exit_code) == ("ok", 0)


def test_a_program_that_could_not_be_started_is_refused(tmp_path: Path) -> None:
    text = (
        "2026-01-02T10:00:05.222962Z ERROR codex_core::exec: exec error: No such file or directory (os error 2)\n"
        "[2026-01-02T10:00:05] exec rg --files in /w\n"
        "[2026-01-02T10:00:05] tokens used: 2,772\n"
        "[2026-01-02T10:00:06] exec ls in /w\n"
    )
    first, second = commands(read(tmp_path, text))
    assert first.refused
    assert not second.refused


def test_twenty_lines_may_not_be_all(tmp_path: Path) -> None:
    shown = "".join(f"line {n}\n" for n in range(20))
    text = f"[2026-01-02T10:00:05] exec make in /w\n[2026-01-02T10:00:06] make succeeded in 1s:\n{shown}"
    assert commands(read(tmp_path, text + "[2026-01-02T10:00:07] tokens used: 1\n"))[0].truncated


PATCH = (
    "[2026-01-02T10:00:05] apply_patch auto_approved=true:\n"
    "A /w/a.py\nx = 1\nM /w/not.py\ny = 2\n"
    "M /w/b.py\n@@ -2,2 +2,3 @@\n b\n-c\n+C\n+D\n@@ -9 +10 @@\n-c\n+E\n"
    "D /w/old.py\ngone\n"
)
ANSWER = (
    "[2026-01-02T10:00:05] apply_patch(auto_approved=true) exited 0 in 0ms:\n"
    "Success. Updated the following files:\nA /w/a.py\nM /w/b.py\nD /w/old.py\n"
)


def test_a_patch_writes_edits_and_deletes(tmp_path: Path) -> None:
    written, edited, removed = read(tmp_path, PATCH + ANSWER)
    assert isinstance(written, FileWritten)
    assert (written.path, written.text) == ("/w/a.py", "x = 1\nM /w/not.py\ny = 2\n")
    assert isinstance(edited, FileEdited)
    assert isinstance(removed, FileRemoved)
    assert removed.path == "/w/old.py"
    assert {event.at.locator for event in (written, edited, removed)} == {"5"}
    before = "a\nb\nc\n" + "c\n" * 5 + "c\nz\n"
    assert edited_text(before, edited) == "a\nb\nC\nD\n" + "c\n" * 5 + "E\nz\n"


def test_a_patch_that_was_not_applied_changes_nothing(tmp_path: Path) -> None:
    refused = "[2026-01-02T10:00:05] apply_patch(auto_approved=true) exited 1 in 0ms:\nno such lines\n"
    assert read(tmp_path, PATCH + refused) == []
    assert read(tmp_path, PATCH) == []


def test_a_patch_moves_a_file(tmp_path: Path) -> None:
    text = (
        "[2026-01-02T10:00:05] apply_patch auto_approved=true:\nM /w/a.py -> /w/b.py\n@@ -1 +1 @@\n-a\n+b\n"
        "[2026-01-02T10:00:05] apply_patch(auto_approved=true) exited 0 in 0ms:\n"
        "Success. Updated the following files:\nM /w/b.py\n"
    )
    edited, moved = read(tmp_path, text)
    assert isinstance(edited, FileEdited)
    assert isinstance(moved, FileMoved)
    assert (moved.path, moved.target) == ("/w/a.py", "/w/b.py")


def test_words_are_messages_of_agent_and_person(tmp_path: Path) -> None:
    text = (
        "[2026-01-02T10:00:01] User instructions:\nrun it\n"
        "[2026-01-02T10:00:02] thinking\n**Plan**\n"
        "[2026-01-02T10:00:03] codex\nAll done.\n"
    )
    said = [(event.speaker, event.text) for event in read(tmp_path, text) if isinstance(event, Message)]
    assert said == [("person", "run it"), ("agent", "**Plan**"), ("agent", "All done.")]


def test_colours_are_no_part_of_the_log(tmp_path: Path) -> None:
    text = (
        "\x1b[2m[2026-01-02T10:00:05]\x1b[0m \x1b[35mexec\x1b[0m \x1b[1mls\x1b[0m in /w\n"
        "\x1b[2m[2026-01-02T10:00:06]\x1b[0m ls\x1b[32m succeeded in 3ms:\x1b[0m\na\n"
    )
    (run,) = commands(read(tmp_path, text))
    assert (run.command, run.output) == ("ls", "a")


def test_it_is_recognised_by_what_stands_in_it(tmp_path: Path) -> None:
    log = tmp_path / "session.txt"
    log.write_text(BANNER, encoding="utf-8")
    assert adapter_for(log).name == "codex-log"
    other = tmp_path / "train.log"
    other.write_text("[2026-01-02T10:00:00] epoch 1\n", encoding="utf-8")
    assert not load_adapter("codex-log").recognises(other)


def test_a_named_file_without_a_line_of_a_log_is_refused_with_a_reason(tmp_path: Path) -> None:
    log = tmp_path / "codex_log.log"
    log.write_text("", encoding="utf-8")
    with pytest.raises(MalformedSourceError, match="stamp"):
        read_source(load_adapter("codex-log"), log, root=tmp_path)


def told(number: int, command: str, end: str = "succeeded in 9ms", output: str = "ok") -> str:
    """A call with its answer and the count of tokens behind it."""
    stamp = f"2026-01-02T15:{number:02d}"
    head = f"bash -lc '{command}'"
    return (
        f"[{stamp}:01] exec {head} in /w\n[{stamp}:02] {head} {end}:\n{output}\n[{stamp}:03] tokens used: {number}00\n"
    )


@pytest.mark.parametrize(
    "output",
    [
        "[2026-01-02T15:09:02] exec bash -lc 'python fake.py' in /w\n[2026-01-02T15:09:02] bash -lc 'python fake.py' succeeded in 1ms:",
        "[9999-12-31T23:59:59] codex\nall went well",
    ],
    ids=["heads inside an output", "a stamp far ahead"],
)
def test_what_an_output_says_is_no_head(tmp_path: Path, output: str) -> None:
    text = "".join(told(number, f"ls {number}") for number in range(1, 9))
    text += told(9, "cat notes", output=output) + told(10, "python run.py", "exited 1 in 9ms", "ValueError")
    runs = commands(read(tmp_path, text))
    assert [run.command for run in runs[-2:]] == ["cat notes", "python run.py"]
    assert len(runs) == 10


def test_no_head_stands_inside_a_patch(tmp_path: Path) -> None:
    body = "A /w/a.py\n'''\n[2026-01-02T15:39:01] exec bash -lc 'python a.py' in /w\n"
    body += "[2026-01-02T15:39:01] bash -lc 'python a.py' succeeded in 1ms:\n'''\n"
    text = f"[2026-01-02T15:39:01] apply_patch auto_approved=true:\n{body}"
    text += "[2026-01-02T15:39:02] apply_patch(auto_approved=true) exited 0 in 1ms:\nSuccess\n"
    assert commands(read(tmp_path, text)) == []
