"""Finding the adapter for a source."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import provchain.adapters as registry
from provchain.adapters import Adapter, adapter_for, find_sources, load_adapter, read_source
from provchain.errors import MalformedSourceError, ProvchainError, SourceError, UnknownFormatError
from provchain.events import CommandRun, Event
from provchain.events.logged import (
    ExecutionEnded,
    ExecutionStarted,
    InputRead,
    OutputWritten,
    RecorderDeclared,
    ValueLogged,
)
from provchain.model import Place, RecorderKind

TRACE = json.dumps(
    [{"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "Bash", "input": {"command": "ls"}}]}]
)


def test_a_source_finds_its_adapter(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(TRACE, encoding="utf-8")
    assert adapter_for(tmp_path).name == "run-folder"
    assert adapter_for(tmp_path / "t.json").name == "claude-trace"


def test_an_unknown_format_names_those_that_were_tried(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"\0\1")
    with pytest.raises(UnknownFormatError, match=r"claude-trace.*run-folder"):
        adapter_for(tmp_path / "a.bin")
    with pytest.raises(SourceError, match="no such file"):
        adapter_for(tmp_path / "none")
    with pytest.raises(UnknownFormatError) as caught:
        load_adapter("nonsense")
    assert "run-folder" in caught.value.hint


def test_the_sources_of_a_directory(tmp_path: Path) -> None:
    for name in ("t.json", "b/t.json", "a/t.json", "a/deep/t.json", ".git/t.json", "metrics.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(TRACE if name.endswith("t.json") else "{}", encoding="utf-8")
    found = [(adapter.name, path.relative_to(tmp_path).as_posix()) for adapter, path in find_sources(tmp_path)]
    assert found == [
        ("run-folder", "."),
        ("claude-trace", "t.json"),
        ("claude-trace", "a/t.json"),
        ("claude-trace", "b/t.json"),
    ]
    with pytest.raises(SourceError, match="not a directory"):
        find_sources(tmp_path / "t.json")


def test_other_packages_bring_adapters(monkeypatch: pytest.MonkeyPatch) -> None:
    good = EntryPoint("mine", "provchain.adapters.run_folder:RunFolder", "provchain.adapters")
    broken = EntryPoint("broken", "no.such.module:Thing", "provchain.adapters")
    monkeypatch.setattr(registry, "_plugins", lambda: {"mine": good, "broken": broken})
    assert isinstance(load_adapter("mine"), Adapter)
    with pytest.raises(ProvchainError, match=r"'broken'.*cannot be loaded"):
        load_adapter("broken")


AT = Place("a.book", "7")
HARNESS = RecorderDeclared(at=AT, id="h", kind=RecorderKind.OBSERVER)
STARTED = ExecutionStarted(at=AT, execution="e1", command="python a.py")


class Book:
    """An adapter of another package, which gives what it was made with."""

    name = "book"
    recorder = RecorderKind.OBSERVER

    def __init__(self, *events: object, fails: Exception | None = None) -> None:
        self.events = events
        self.fails = fails

    def recognises(self, source: Path) -> bool:
        if self.fails is not None:
            raise self.fails
        return source.suffix == ".book"

    def read(self, source: Path, *, root: Path) -> Iterator[Event]:
        if self.fails is not None:
            raise self.fails
        yield from self.events  # type: ignore[misc]  # a plug-in may give anything


def read(directory: Path, book: Book) -> list[Event]:
    return read_source(book, directory / "a.book", root=directory)


def test_a_plug_in_that_keeps_its_promises_is_read(tmp_path: Path) -> None:
    events = [HARNESS, STARTED, ExecutionEnded(at=AT, execution="e1", exit_code=0), CommandRun(AT, "ls")]
    assert read(tmp_path, Book(*events)) == events


@pytest.mark.parametrize("error", [ValueError("int('x')"), KeyError("e9"), RecursionError(), UnicodeError("bad")])
def test_the_mistake_of_a_plug_in_is_an_error_that_names_it(
    tmp_path: Path, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SourceError, match=r"a\.book: the adapter 'book' failed: " + type(error).__name__) as caught:
        read(tmp_path, Book(fails=error))
    assert "adapter" in caught.value.hint
    monkeypatch.setattr(registry, "_adapters", lambda: iter([Book(fails=error)]))
    (tmp_path / "a.book").write_text("x", encoding="utf-8")
    for find in (lambda: adapter_for(tmp_path / "a.book"), lambda: find_sources(tmp_path)):
        with pytest.raises(SourceError, match="the adapter 'book' failed"):
            find()


def test_an_error_of_ours_passes_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"^no such page$"):
        read(tmp_path, Book(fails=SourceError("no such page")))


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([HARNESS, OutputWritten(at=AT, execution="e9", path="a.csv")], "execution that stands before it, found e9"),
        ([HARNESS, ValueLogged(at=AT, execution="e1", name="a", value=1)], "execution that stands before it"),  # type: ignore[arg-type]
        ([HARNESS, STARTED, STARTED], "an id that no other execution of this file has"),
        ([STARTED], "a recorder-declared event before it"),
        ([HARNESS, ExecutionStarted(at=AT, execution="e1", command="a", recorder="x")], "one of its recorders"),
        ([HARNESS, STARTED, InputRead(at=AT, execution="e1", path="a", sha256="d41d8cd9")], "64 hexadecimal digits"),
    ],
)  # fmt: skip
def test_the_events_of_every_adapter_fit_together(tmp_path: Path, events: list[Event], said: str) -> None:
    with pytest.raises(MalformedSourceError, match=said) as caught:
        read(tmp_path, Book(*events))
    assert "'book'" in caught.value.hint


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ("a line", "str, which is no event"),
        (CommandRun(AT, "ls", exit_code="1"), "CommandRun: Expected `int | null`"),  # type: ignore[arg-type]
        (CommandRun(AT, None), "CommandRun: Expected `str`"),  # type: ignore[arg-type]
        (CommandRun("line 7", "ls"), "CommandRun: Expected `object`"),  # type: ignore[arg-type]
    ],
)
def test_the_fields_of_a_plug_ins_events_are_checked(tmp_path: Path, event: object, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        read(tmp_path, Book(event))


def test_a_plug_in_that_fails_while_it_is_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("odd", "provchain.adapters:find_sources", "provchain.adapters")
    monkeypatch.setattr(registry, "_plugins", lambda: {"odd": entry})
    with pytest.raises(ProvchainError, match=r"'odd'.*cannot be loaded: TypeError"):
        load_adapter("odd")
