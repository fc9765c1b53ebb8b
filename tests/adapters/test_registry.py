"""Finding the adapter for a source."""

from __future__ import annotations

import json
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import provchain.adapters as registry
from provchain.adapters import Adapter, adapter_for, find_sources, load_adapter
from provchain.errors import ProvchainError, SourceError, UnknownFormatError

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
