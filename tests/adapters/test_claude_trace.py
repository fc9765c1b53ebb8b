"""Claude Code message lists: what is an event, what is not, and what is refused with a reason."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provchain.adapters.claude_trace import ClaudeTrace
from provchain.errors import MalformedSourceError, ProvchainError, SourceError
from provchain.events import CommandRun, Event, FileEdited, FileRead, FileWritten, Message
from provchain.model import Place

AT = Place("trace.json", "1")


def call(name: str, key: str = "t1", **given: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": [{"type": "tool_use", "id": key, "name": name, "input": given}]}


def answer(content: Any, key: str = "t1", is_error: bool | None = None) -> dict[str, Any]:
    flag = {} if is_error is None else {"is_error": is_error}
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": key, "content": content, **flag}]}


def read(tmp_path: Path, *messages: Any, raw: bytes | None = None) -> list[Event]:
    source = tmp_path / "trace.json"
    source.write_bytes(json.dumps(list(messages)).encode() if raw is None else raw)
    return list(ClaudeTrace().read(source, root=tmp_path))


def one(tmp_path: Path, *messages: Any) -> Any:
    """The only event besides words; the call is message 1."""
    events = [e for e in read(tmp_path, {"role": "user", "content": "go"}, *messages) if not isinstance(e, Message)]
    assert len(events) == 1
    return events[0]


# --------------------------------------------------------------------------------------------------------- commands


@pytest.mark.parametrize(
    ("result", "is_error", "expected"),
    [
        ("loss 1", None, {"output": "loss 1", "is_error": None}),
        ("loss 1", False, {"output": "loss 1", "is_error": False}),
        ("Traceback", True, {"output": "Traceback", "is_error": True}),
        ("Error", True, {"output": "", "is_error": True}),
        ("Exit code 2\nusage", True, {"output": "usage", "is_error": True, "exit_code": 2}),
        ("Command timed out after 2m 0.0s step 1\nstep 2", True, {"output": "step 1\nstep 2", "timed_out": True}),
        ("Command timed out after 5m 0.0s", True, {"output": "", "timed_out": True}),
        ("Exit code 143\nCommand timed out after 3s\nstep 1", True, {"output": "step 1", "exit_code": 143}),
        ("Command timed out after 2m 0.0s", False, {"timed_out": False}),
        ("a\n\n... [46383 characters truncated] ...\n\nb", True, {"truncated": True}),
        ("a\n\n... [25 lines truncated] ...\n\nb", None, {"truncated": True}),
        ("a ... [truncated]", None, {"truncated": False}),
        ([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}], None, {"output": "a\nb"}),
        (None, None, {"output": ""}),
        ("", None, {"output": ""}),
        ("The user doesn't want to proceed with this tool use. The tool use was rejected", True, {"refused": True}),
        ("Permission to use Bash with command x has been denied.", True, {"refused": True}),
        ("<tool_use_error>InputValidationError: no</tool_use_error>", True, {"refused": True}),
        ("This command requires approval", True, {"refused": True}),
        ("bash: permission denied: ./x", True, {"refused": False}),
        ("The user doesn't want to proceed", False, {"refused": False}),
    ],
)
def test_what_came_back_from_a_command(
    tmp_path: Path, result: Any, is_error: bool | None, expected: dict[str, Any]
) -> None:
    event = one(tmp_path, call("Bash", command="python a.py"), answer(result, is_error=is_error))
    assert isinstance(event, CommandRun)
    assert event.command == "python a.py"
    assert event.at == AT
    assert {name: getattr(event, name) for name in expected} == expected


def test_a_call_without_an_answer_has_no_output(tmp_path: Path) -> None:
    event = one(tmp_path, call("Bash", command="python a.py"))
    assert event == CommandRun(AT, "python a.py")


def test_an_answer_before_its_call_answers_nothing(tmp_path: Path) -> None:
    events = read(tmp_path, answer("early"), call("Bash", command="a"))
    assert [event.output for event in events if isinstance(event, CommandRun)] == [None]


def test_an_id_that_is_used_twice_is_answered_in_order(tmp_path: Path) -> None:
    messages = [call("Bash", command="a"), answer("1"), call("Bash", command="b"), answer("2")]
    assert [event.output for event in read(tmp_path, *messages) if isinstance(event, CommandRun)] == ["1", "2"]


def test_several_calls_in_one_message_share_its_place(tmp_path: Path) -> None:
    both = {
        "role": "assistant",
        "content": call("Bash", "x", command="a")["content"] + call("Bash", "y", command="b")["content"],
    }
    back = {"role": "user", "content": answer("Y", "y")["content"] + answer("X", "x")["content"]}
    events = read(tmp_path, both, back)
    assert events == [CommandRun(Place("trace.json", "0"), "a", "X"), CommandRun(Place("trace.json", "0"), "b", "Y")]


def test_a_background_command_gets_the_output_that_is_fetched_later(tmp_path: Path) -> None:
    events = read(
        tmp_path,
        call("Bash", "t1", command="python a.py", run_in_background=True),
        answer("Command running in background with ID: bash_1", "t1"),
        call("BashOutput", "t2", bash_id="bash_1"),
        answer("<status>running</status>\n<stdout>\nstep 1\n</stdout>", "t2"),
        call("BashOutput", "t3", bash_id="bash_1"),
        answer("<status>failed</status>\n<exit_code>1</exit_code>\n<stdout>\nstep 2\n</stdout>", "t3"),
    )
    assert events == [
        CommandRun(Place("trace.json", "0"), "python a.py", "step 1\nstep 2", exit_code=1, background=True)
    ]
    started = read(
        tmp_path, call("Bash", command="a", run_in_background=True), answer("Command running in background with ID: b")
    )
    assert [(event.output, event.background) for event in started if isinstance(event, CommandRun)] == [(None, True)]


def test_a_reset_of_the_directory_is_no_output_and_says_where_the_next_command_runs(tmp_path: Path) -> None:
    events = read(
        tmp_path,
        call("Bash", "t1", command="cd /tmp && ls"),
        answer("a\nShell cwd was reset to /home/u/study", "t1"),
        call("Bash", "t2", command="ls"),
        answer("b", "t2"),
    )
    assert [(e.output, e.cwd) for e in events if isinstance(e, CommandRun)] == [("a", None), ("b", "/home/u/study")]


# ------------------------------------------------------------------------------------------------------------ files


def test_files_written_and_edited(tmp_path: Path) -> None:
    written = one(
        tmp_path, call("Write", file_path="/s/a.py", content="x = 1\n"), answer("File created successfully at: /s/a.py")
    )
    assert written == FileWritten(AT, "Write", "/s/a.py", "x = 1\n")
    edited = one(
        tmp_path, call("Edit", file_path="a", old_string="x", new_string="y", replace_all=True), answer("updated")
    )
    assert edited == FileEdited(AT, "Edit", "a", (("x", "y", True),))
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d", "replace_all": True}]
    several = one(tmp_path, call("MultiEdit", file_path="a", edits=edits), answer("Applied 2 edits"))
    assert several == FileEdited(AT, "MultiEdit", "a", (("a", "b", False), ("c", "d", True)))
    made = one(tmp_path, call("Edit", file_path="a", old_string="", new_string="new"), answer("created"))
    assert made == FileWritten(AT, "Edit", "a", "new")
    cell = one(
        tmp_path, call("NotebookEdit", notebook_path="n.ipynb", cell_id="c", new_source="x"), answer("Updated cell")
    )
    assert (cell.path, cell.edits[0][1]) == ("n.ipynb", "x")


@pytest.mark.parametrize(
    ("text", "is_error"),
    [
        ("File has not been read yet. Read it first before writing to it.", True),
        ("<tool_use_error>File has not been read yet.</tool_use_error>", True),
        ("String to replace not found in file.", True),
        ("String to replace not found in file.", None),
        ("Found 3 matches of the string to replace, but replace_all is false.", None),
        ("No changes to make: old_string and new_string are exactly the same.", None),
        ("File does not exist.", True),
        ("The user doesn't want to proceed with this tool use.", True),
        ("Claude requested permissions to write to /s/a.py, but you haven't granted it yet.", True),
        ("anything else", True),
    ],
)
@pytest.mark.parametrize("tool", ["Write", "Edit", "MultiEdit"])
def test_a_refused_change_is_no_event(tmp_path: Path, tool: str, text: str, is_error: bool | None) -> None:
    given = {"file_path": "a", "content": "b", "old_string": "a", "new_string": "b", "edits": []}
    assert read(tmp_path, call(tool, **given), answer(text, is_error=is_error)) == []


def test_a_change_without_an_answer_is_no_event(tmp_path: Path) -> None:
    assert read(tmp_path, call("Write", file_path="a", content="b")) == []


@pytest.mark.parametrize(
    ("given", "shown", "text", "complete"),
    [
        ({}, "     1\ta\n     2\t\n     3\t b", "a\n\n b", True),
        ({}, "     1→a\n     2→b\n\n<system-reminder>\nlook\n</system-reminder>\n", "a\nb", True),
        ({"limit": 2}, "     1\ta\n     2\tb", "a\nb", False),
        ({"offset": 5}, "     5\ta", "a", False),
        ({}, "     1\ta\n\n... [9 lines truncated] ...\n\n    11\tb", None, False),
        ({}, "     1\t" + "x" * 2500, "x" * 2500, False),
        ({}, "\n".join(f"{n:>6}\tx" for n in range(1, 2001)), "\n".join(["x"] * 2000), False),
        ({}, "<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>", "", True),
    ],
)
def test_text_that_was_read_back(
    tmp_path: Path, given: dict[str, Any], shown: str, text: str | None, complete: bool
) -> None:
    event = one(tmp_path, call("Read", file_path="a", **given), answer(shown))
    assert isinstance(event, FileRead)
    assert event.complete is complete
    if text is not None:
        assert event.text == text


@pytest.mark.parametrize("shown", ["File does not exist.", "PDF file read: a.pdf", [{"type": "image", "source": {}}]])
def test_what_is_no_text_of_a_file_is_not_read(tmp_path: Path, shown: Any) -> None:
    assert read(tmp_path, call("Read", file_path="a"), answer(shown)) == []


# ------------------------------------------------------------------------------------------------- batches and tasks


def texts(*parts: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": part} for part in parts]


def test_a_batch_is_its_invocations(tmp_path: Path) -> None:
    invocations = [
        {"tool_name": "Read", "input": {"file_path": "a.md"}},
        {"tool_name": "Bash", "input": {"command": "ls"}},
        {"tool_name": "Write", "input": {"file_path": "b", "content": "x"}},
        {"tool_name": "Write", "input": {"file_path": "c", "content": "y"}},
        {"tool_name": "Bash", "input": {"command": "pwd"}},
    ]
    back = texts(
        "Read(file_path: a.md):", "     1\thello", "Bash(command: ls):", "Read(this is output)", "more",
        "Write(file_path: b,content: x):", "File created successfully at: b",
        "Write(file_path: c,content: y):", "File has not been read yet. Read it first before writing to it.",
    )  # fmt: skip
    events = read(tmp_path, {"role": "user", "content": "go"}, call("Batch", invocations=invocations), answer(back))
    assert events[1:] == [
        FileRead(AT, "a.md", "hello"),
        CommandRun(AT, "ls", "Read(this is output)\nmore"),
        FileWritten(AT, "Write", "b", "x"),
        CommandRun(AT, "pwd"),
    ]
    refused = read(
        tmp_path, call("Batch", invocations=invocations), answer("<tool_use_error>no</tool_use_error>", is_error=True)
    )
    assert [(type(e), getattr(e, "refused", None)) for e in refused] == [(CommandRun, True)] * 2
    assert [type(e) for e in read(tmp_path, call("Batch", invocations=invocations))] == [CommandRun] * 2
    assert read(tmp_path, call("Batch", invocations="x"), answer("y")) == []


def test_the_conversation_of_a_task_is_read_at_the_place_of_the_task(tmp_path: Path) -> None:
    inner = [call("Bash", "in", command="python b.py"), answer("done", "in"), {"type": "text", "text": "summary"}]
    events = read(tmp_path, call("Task", prompt="do"), answer(inner))
    assert [e for e in events if isinstance(e, CommandRun)] == [
        CommandRun(Place("trace.json", "1"), "python b.py", "done")
    ]


def test_words_are_messages(tmp_path: Path) -> None:
    events = read(
        tmp_path,
        {"role": "user", "content": "do it"},
        {"role": "assistant", "content": [{"type": "text", "text": "doing"}, {"type": "thinking", "thinking": "hm"}]},
        {"role": "system", "result": "all done", "cost_usd": 1, "duration_ms": 2},
    )
    assert [(e.speaker, e.text) for e in events if isinstance(e, Message)] == [
        ("person", "do it"),
        ("agent", "doing"),
        ("agent", "all done"),
    ]


def test_a_file_that_the_harness_shows_after_a_change_was_read(tmp_path: Path) -> None:
    """It comes as two messages without a tool call: a note that names the file, then what stands in it."""
    note = (
        "Note: /h/s/log.txt was modified, either by the user or by a linter. So that you don't need to re-read the file, "
        "here's the result of running `cat -n` on a snippet of the edited file:"
    )
    messages = [
        {"role": "user", "content": text} for text in ("Read log.txt (2 lines)", note, "KeyError: 'x'\n", "go on")
    ]
    events = read(tmp_path, *messages)
    assert [e for e in events if isinstance(e, FileRead)] == [
        FileRead(Place("trace.json", "2"), "/h/s/log.txt", "KeyError: 'x'\n", complete=True)
    ]
    assert events[-1] == Message(Place("trace.json", "3"), "person", "go on")


def test_the_envelopes_of_the_newer_stream_are_opened(tmp_path: Path) -> None:
    messages = [
        {"type": "system", "subtype": "init", "cwd": "/s"},
        {"type": "assistant", "message": call("Bash", command="a")},
        {"type": "user", "message": answer("b")},
        {"type": "result", "subtype": "success", "result": "fine"},
    ]
    assert [type(event) for event in read(tmp_path, *messages)] == [CommandRun, Message]


# --------------------------------------------------------------------------------------------------------- bad input


def test_all_problems_of_a_malformed_trace_are_named_at_once(tmp_path: Path) -> None:
    bad = [
        7,
        {"content": "x"},
        {"role": 3, "content": {}},
        {"role": "user", "content": [1, {"type": "tool_use", "id": "a", "name": None, "input": []}]},
        {"role": "user", "content": [{"type": "never heard of"}, {"no": "type"}, "words"]},
    ]
    with pytest.raises(MalformedSourceError) as caught:
        read(tmp_path, *bad)
    assert [problem.where for problem in caught.value.problems] == [
        "$[0]",
        "$[1].role",
        "$[2].role",
        "$[2].content",
        "$[3].content[0]",
        "$[3].content[1].name",
        "$[3].content[1].input",
    ]
    assert caught.value.hint


@pytest.mark.parametrize(
    ("raw", "where", "hint"),
    [
        (b"", "line 1", "never written"),
        (b" \n", "line 1", "never written"),
        (b'[{"role": "user",\n "content": "cut', "line 2, column 13", "cut off"),
        (b'[{"role": "user"}', "line 1, column 18", "cut off"),
        (b"[{'role': 1}]", "line 1, column 3", "no valid JSON"),
        (b'{"role": "user"}', "$", "not a message list"),
        (b'"text"', "$", "not a message list"),
        (b"[" * 5000 + b"]" * 5000, None, ""),
        (b'[{"role": "user", "content": ' + b"[" * 200_000, None, ""),
        (b"[" + b"9" * 10_000 + b"]", None, ""),
        (b"\0" * 100, None, ""),
        (bytes(range(256)), None, ""),
    ],
    ids=lambda given: repr(given)[:30],
)
def test_what_is_no_trace_is_refused_with_a_place_and_a_hint(
    tmp_path: Path, raw: bytes, where: str | None, hint: str
) -> None:
    with pytest.raises(MalformedSourceError) as caught:
        read(tmp_path, raw=raw)
    assert str(tmp_path / "trace.json") in str(caught.value)
    assert where is None or caught.value.where == where
    assert hint in caught.value.hint
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    "raw",
    [
        b'\xef\xbb\xbf[{"role": "user", "content": "x"}]',
        b'[{"role": "user", "content": "\xff x"}]',
        '[{"role": "user", "content": "x"}]'.encode("utf-16"),
        b'[{"role": "user", "content": "\\ud800 x"}]',
        b'[{"role": "user", "content": "a\tb\x00 x"}]',
        b'[{"role": "user", "content": "x", "n": NaN}]',
        b'[{"role": "user", "content": "x", "deep": ' + b"[" * 500 + b"]" * 500 + b"}]",
    ],
    ids=lambda given: repr(given)[:30],
)
def test_oddly_written_traces_are_read(tmp_path: Path, raw: bytes) -> None:
    events = read(tmp_path, raw=raw)
    assert isinstance(events[0], Message)
    assert "x" in events[0].text


def test_a_huge_line_is_read(tmp_path: Path) -> None:
    big = "x" * 5_000_000
    event = one(tmp_path, call("Bash", command="cat big"), answer(big))
    assert len(event.output) == len(big)


def test_a_missing_file_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="No such file"):
        list(ClaudeTrace().read(tmp_path / "none.json", root=tmp_path))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "content", "type", "id", "name", "input", "tool_use_id", "message"]), inner
        )
    ),
    max_leaves=8,
)


@given(st.lists(JSON | st.fixed_dictionaries({"role": st.text(max_size=3), "content": JSON}), max_size=4))
@settings(max_examples=100, deadline=None)
def test_any_json_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, messages: list[Any]) -> None:
    source = tmp_path_factory.getbasetemp() / "any.json"
    source.write_text(json.dumps(messages), encoding="utf-8")
    with contextlib.suppress(ProvchainError):
        list(ClaudeTrace().read(source, root=source.parent))


CONTENT = (
    st.text(max_size=8)
    | st.none()
    | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": JSON}), max_size=3)
)
CALL = st.builds(
    lambda name, key, given: {"type": "tool_use", "id": key, "name": name, "input": given},
    st.sampled_from(["Bash", "Write", "Edit", "MultiEdit", "Read", "Batch", "NotebookEdit", "BashOutput", "Task"]),
    st.sampled_from(["a", "b"]) | JSON,
    st.dictionaries(
        st.sampled_from(
            ["command", "file_path", "content", "old_string", "new_string", "edits", "invocations", "bash_id"]
        ),
        JSON,
    ),
)
BACK = st.builds(
    lambda key, content, flag: {"type": "tool_result", "tool_use_id": key, "content": content, "is_error": flag},
    st.sampled_from(["a", "b"]) | JSON,
    CONTENT | JSON,
    st.booleans() | JSON,
)


@given(st.lists(st.lists(CALL | BACK, max_size=3), max_size=5))
@settings(max_examples=100, deadline=None)
def test_any_calls_and_answers_are_read(tmp_path_factory: pytest.TempPathFactory, blocks: list[list[Any]]) -> None:
    source = tmp_path_factory.getbasetemp() / "calls.json"
    source.write_text(json.dumps([{"role": "assistant", "content": list(given)} for given in blocks]), encoding="utf-8")
    for event in ClaudeTrace().read(source, root=source.parent):
        assert isinstance(event, Event)


# ------------------------------------------------------------------------------------------------------- recognition


@pytest.mark.parametrize(
    ("name", "raw", "ours"),
    [
        ("any.json", json.dumps([call("Bash", command="a")]), True),
        ("any.json", json.dumps([{"role": "user", "content": "x" * 300_000}, call("Bash", command="a")]), True),
        ("any.json", json.dumps([{"role": "user", "content": "hi"}]), False),
        ("any.json", json.dumps([{"role": "user", "content": "hi"}, {"role": "system", "cost_usd": 1}]), True),
        ("claude_output.json", json.dumps([{"role": "user", "content": "hi"}]), True),
        ("claude_output.json", "", True),
        ("claude_output.json", '[{"role": "user", "content": "cut', True),
        ("claude_output.json", '{"accuracy": 0.9}', False),
        ("metrics.json", "[1, 2]", False),
        ("metrics.json", "", False),
        ("any.txt", json.dumps([call("Bash", command="a")]), False),
    ],
)
def test_recognition_goes_by_content(tmp_path: Path, name: str, raw: str, ours: bool) -> None:
    (tmp_path / name).write_text(raw, encoding="utf-8")
    assert ClaudeTrace().recognises(tmp_path / name) is ours
    assert not ClaudeTrace().recognises(tmp_path)
    assert not ClaudeTrace().recognises(tmp_path / "none.json")
