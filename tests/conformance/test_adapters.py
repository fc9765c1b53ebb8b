"""What every adapter promises, whatever its format."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from provchain.adapters import ADAPTERS, Adapter, adapter_for, load_adapter
from provchain.errors import ProvchainError
from provchain.events import CommandRun, Event, FileOnDisk
from provchain.model import Place, RecorderKind


def _claude_trace(directory: Path) -> Path:
    source = directory / "trace.json"
    call = {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "python a.py"}}
    back = {"type": "tool_result", "tool_use_id": "1", "content": "accuracy 0.9", "is_error": False}
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [back]},
    ]
    source.write_text(json.dumps(messages), encoding="utf-8")
    return source


def _codex_log(directory: Path) -> Path:
    source = directory / "codex_log.log"
    lines = [
        "[2026-01-02T10:00:00] OpenAI Codex v0.5.0 (research preview)",
        "[2026-01-02T10:00:05] exec bash -lc 'python a.py' in /w",
        "[2026-01-02T10:00:06] bash -lc 'python a.py' succeeded in 1s:",
        "accuracy 0.9",
    ]
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return source


def _gemini_log(directory: Path) -> Path:
    source = directory / "gemini_log.log"
    source.write_text("Okay, I will run it.Now I'll report.\n\nThe experiment is done.\n", encoding="utf-8")
    return source


def _run_folder(directory: Path) -> Path:
    (directory / "results").mkdir()
    (directory / "results" / "metrics.json").write_text('{"a": 0.9}', encoding="utf-8")
    (directory / "results.md").write_text("a is 0.9\n", encoding="utf-8")
    return directory


def _study_file(directory: Path) -> Path:
    source = directory / "study.jsonl"
    recorders = [{"id": "harness", "kind": "observer"}]
    lines: list[dict[str, object]] = [
        {"format": "provchain-study/1", "recorders": recorders},
        {"event": "execution-started", "execution": "e1", "command": "python a.py", "more": 1},
        {"event": "value-logged", "execution": "e1", "name": "accuracy", "value": 0.9},
        {"event": "execution-ended", "execution": "e1", "exit_code": 0},
    ]
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return source


# Each makes a small source of its format in an empty directory and returns its path.
SAMPLES: dict[str, Callable[[Path], Path]] = {
    "claude-trace": _claude_trace,
    "codex-log": _codex_log,
    "gemini-log": _gemini_log,
    "provchain-json": _study_file,
    "run-folder": _run_folder,
}
every_adapter = pytest.mark.parametrize("name", sorted(SAMPLES))


def read(adapter: Adapter, source: Path, root: Path) -> list[Event]:
    return list(adapter.read(source, root=root))


def test_every_registered_adapter_has_a_sample() -> None:
    """What the registry names is held to the promises below."""
    missing = sorted(ADAPTERS.keys() - SAMPLES.keys())
    assert not missing, f"no sample for {', '.join(missing)}: add a function that makes one to SAMPLES in {__file__}"
    unknown = sorted(SAMPLES.keys() - ADAPTERS.keys())
    assert not unknown, f"a sample for {', '.join(unknown)}, but provchain.adapters.ADAPTERS names no such adapter"


@every_adapter
def test_it_is_what_the_protocol_says(name: str) -> None:
    adapter = load_adapter(name)
    assert isinstance(adapter, Adapter)
    assert adapter.name == name
    assert adapter.recorder in set(RecorderKind)
    assert name in ADAPTERS


@every_adapter
def test_it_recognises_its_own_and_the_registry_finds_it(name: str, tmp_path: Path) -> None:
    source = SAMPLES[name](tmp_path)
    assert load_adapter(name).recognises(source)
    assert adapter_for(source).name == name


@every_adapter
def test_it_recognises_nothing_else_and_never_fails_at_it(name: str, tmp_path: Path) -> None:
    adapter = load_adapter(name)
    for number, raw in enumerate((b"", b"\0\1\2", b"[]", b"{}", b"# text\n", b"\xff\xfe", b"[" * 10_000)):
        for suffix in (".json", ".log", ".txt", ".jsonl", ""):
            path = tmp_path / f"f{number}{suffix}"
            path.write_bytes(raw)
            assert adapter.recognises(path) is False
    assert adapter.recognises(tmp_path / "missing") is False


@every_adapter
def test_events_are_records_with_places_and_survive_serialisation(name: str, tmp_path: Path) -> None:
    source = SAMPLES[name](tmp_path)
    events = read(load_adapter(name), source, tmp_path)
    assert events
    for event in events:
        place = getattr(event, "at", None)
        if isinstance(event, FileOnDisk):
            assert not event.path.startswith(("/", "./", "../"))
        else:
            assert isinstance(place, Place)
            assert place.path == source.relative_to(tmp_path).as_posix()
            assert place.locator
        assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) == event


@every_adapter
def test_reading_twice_gives_the_same(name: str, tmp_path: Path) -> None:
    source = SAMPLES[name](tmp_path)
    assert read(load_adapter(name), source, tmp_path) == read(load_adapter(name), source, tmp_path)


@every_adapter
def test_a_missing_source_is_an_error_with_a_hint(name: str, tmp_path: Path) -> None:
    with pytest.raises(ProvchainError) as caught:
        read(load_adapter(name), tmp_path / "missing", tmp_path)
    assert caught.value.hint


def test_what_a_command_answered_is_in_the_event(tmp_path: Path) -> None:
    events = read(load_adapter("claude-trace"), _claude_trace(tmp_path), tmp_path)
    (command,) = [event for event in events if isinstance(event, CommandRun)]
    assert (command.command, command.output, command.is_error) == ("python a.py", "accuracy 0.9", False)
