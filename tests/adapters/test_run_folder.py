"""The directory of a run: every file once, with what it is and what it says."""

from __future__ import annotations

import hashlib
import os
import socket
from pathlib import Path

import pytest

from provchain.adapters import run_folder
from provchain.adapters.run_folder import RunFolder
from provchain.errors import SourceError
from provchain.events import FileOnDisk
from provchain.kinds import kind_of
from provchain.model import Kind


def read(directory: Path, root: Path | None = None) -> dict[str, FileOnDisk]:
    events = list(RunFolder().read(directory, root=root or directory))
    assert all(isinstance(event, FileOnDisk) for event in events)
    found = {event.path: event for event in events if isinstance(event, FileOnDisk)}
    assert list(found) == sorted(found)
    assert len(found) == len(events)
    return found


def fill(directory: Path, **files: str | bytes) -> Path:
    for name, content in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return directory


def test_every_file_has_its_digest_size_and_text(tmp_path: Path) -> None:
    fill(
        tmp_path,
        **{
            "a.md": "# é\r\n",
            "r/m.json": "{}",
            "r/x.png": b"\x89PNG\0",
            "b.txt": b"\xff\xfe text",
            "c": b"a\0b",
            "e.py": "",
        },
    )
    found = read(tmp_path)
    assert list(found) == ["a.md", "b.txt", "c", "e.py", "r/m.json", "r/x.png"]
    assert found["a.md"].text == "# é\r\n"
    assert found["a.md"].sha256 == hashlib.sha256("# é\r\n".encode()).hexdigest()
    assert found["a.md"].size == 6
    assert (found["r/x.png"].text, found["c"].text) == (None, None)
    assert found["e.py"].text == ""
    assert read(tmp_path) == found


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    fill(tmp_path, **{"a.log": "loss 1 \xff".encode("latin-1") + b"." * 50, "b.log": bytes(range(128, 256)) * 4})
    found = read(tmp_path)
    assert found["a.log"].text == "loss 1 \N{REPLACEMENT CHARACTER}" + "." * 50
    assert found["b.log"].text is None


def test_large_files_have_a_digest_and_no_text(tmp_path: Path) -> None:
    data = b"x" * 8_000_001
    fill(tmp_path, **{"big.txt": data, "fits.txt": data[:-1]})
    found = read(tmp_path)
    assert (found["big.txt"].text, found["big.txt"].sha256) == (None, hashlib.sha256(data).hexdigest())
    assert found["fits.txt"].text is not None


def test_folders_of_tools_are_skipped(tmp_path: Path) -> None:
    skipped = [".git/a", ".venv/a", "x/__pycache__/a", "node_modules/a", ".ipynb_checkpoints/a"]
    fill(tmp_path, **dict.fromkeys([*skipped, ".hidden/b"], "x"))
    assert list(read(tmp_path)) == [".hidden/b"]


def test_links_stay_inside_and_loops_end(tmp_path: Path) -> None:
    outside = fill(tmp_path / "outside", **{"secret.txt": "s"})
    run = fill(tmp_path / "run", **{"data/a.txt": "a", "z.txt": "z"})
    (run / "out").symlink_to(outside)
    (run / "out.txt").symlink_to(outside / "secret.txt")
    (run / "gone").symlink_to(run / "nothing")
    (run / "self").symlink_to("self")
    (run / "loop").symlink_to(run)
    (run / "data" / "up").symlink_to("..")
    (run / "latest").symlink_to("data")
    (run / "copy.txt").symlink_to("data/a.txt")
    assert list(read(run)) == ["copy.txt", "data/a.txt", "latest/a.txt", "z.txt"]


def test_what_is_no_file_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, **{"a.txt": "a"})
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("sock")
        assert list(read(tmp_path)) == ["a.txt"]


def test_names_that_are_no_text_are_made_readable(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"a\xff.txt")).write_text("x", encoding="utf-8")
    (found,) = read(tmp_path).values()
    assert found.path == "a\N{REPLACEMENT CHARACTER}.txt"
    assert found.text == "x"


def test_all_unreadable_files_are_named_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, **{"a.txt": "a", "b.txt": "b", "c.txt": "c"})
    whole = run_folder._file

    def refuse(relative: str, path: str) -> FileOnDisk:
        if relative != "b.txt":
            raise PermissionError(13, "Permission denied")
        return whole(relative, path)

    monkeypatch.setattr(run_folder, "_file", refuse)
    with pytest.raises(SourceError) as caught:
        read(tmp_path)
    assert "2 of its files" in str(caught.value)
    assert "a.txt: Permission denied" in str(caught.value)
    assert "c.txt: Permission denied" in str(caught.value)
    assert caught.value.hint


def test_a_file_is_no_run_folder(tmp_path: Path) -> None:
    fill(tmp_path, **{"a.txt": "a"})
    with pytest.raises(SourceError, match="not a directory"):
        read(tmp_path / "a.txt")
    assert not RunFolder().recognises(tmp_path / "a.txt")
    assert RunFolder().recognises(tmp_path)


def test_a_deep_tree_is_walked_without_recursion(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["d"] * 50)
    fill(deep, **{"a.txt": "a"})
    assert list(read(tmp_path)) == ["d/" * 50 + "a.txt"]


@pytest.mark.parametrize(
    ("paths", "kind"),
    [
        ("proposal.md idea.md research_plan.md codex/experiment_plan.md", Kind.PROPOSAL),
        (
            "results.md paper_v2.md results/results.md report.md findings.md analysis.md final_report.tex paper.pdf",
            Kind.MANUSCRIPT,
        ),
        ("README.md related_work.md task.md CHANGELOG.md LICENSE notes.md", Kind.DOCUMENT),
        ("a.py run.sh fit.R nb.ipynb Makefile CMakeLists.txt src/x.cpp", Kind.SCRIPT),
        ("c.yaml config.json configs/default.json train_config.json requirements.txt pyproject.toml", Kind.CONFIG),
        ("log.txt run.log results/log.txt experiment_output.txt stdout.txt log_2.txt nohup.out slurm.err", Kind.LOG),
        (
            "results/a.json out/b.csv metrics.json eval_scores.csv results.jsonl eval/x.tsv training_history.json",
            Kind.RESULT,
        ),
        ("data/train.csv dataset.json train.jsonl inputs/x.json x.parquet y.npy", Kind.DATA),
        ("a.png figures/b.pdf x.svg figures/report.pdf results/c.jpg", Kind.FIGURE),
        ("m.pt ckpt/best.ckpt model.safetensors x.pkl w.h5 z.joblib", Kind.CHECKPOINT),
        ("claude_output.json codex_log.log gemini_log.log", Kind.TRACE),
        ("x unknown.xyz", Kind.OTHER),
    ],
)
def test_kinds_by_name_and_place(paths: str, kind: Kind) -> None:
    assert {path: kind_of(path) for path in paths.split()} == dict.fromkeys(paths.split(), kind)


def test_kinds_by_first_bytes() -> None:
    assert kind_of("run", b"#!/bin/bash\n") is Kind.SCRIPT
    assert kind_of("any.json", b'[{"role": "user"') is Kind.TRACE
    assert kind_of("any.log", b"[2025-05-10T08:00:00] OpenAI Codex v0.1") is Kind.TRACE
