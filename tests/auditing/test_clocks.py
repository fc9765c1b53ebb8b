"""Logs and manuscripts against the times and machines that the record has."""

from __future__ import annotations

from pathlib import Path

import pytest

import provchain

SCRIPT = (
    "import logging\n"
    "logging.basicConfig(filename='run.log', format='%(asctime)s %(message)s')\n"
    "data = open('data.csv').read()\n"
    "for epoch in range(3):\n"
    "    logging.warning('Epoch %d', fit(data))\n"
)


def rules(
    folder: Path, log: str, took: int = 60, output: str = "done", paper: str = "", again: bool = False
) -> list[str]:
    """Audit a study in which a script ran from 10:00:00 UTC on, and left a log."""
    patched = "".join(f"{line}\n" for line in SCRIPT.splitlines())
    end = f"2026-01-02T10:{took // 60:02d}:{took % 60:02d}"
    trace = (
        "[2026-01-02T09:00:00] OpenAI Codex v0.5.0 (research preview)\n--------\n"
        f"[2026-01-02T09:00:01] apply_patch auto_approved=true:\nA /w/train.py\n{patched}"
        "[2026-01-02T09:00:01] apply_patch(auto_approved=true) exited 0 in 0ms:\n"
        "Success. Updated the following files:\nA /w/train.py\n"
        + (
            "[2026-01-02T09:58:00] exec python train.py in /w\n[2026-01-02T09:58:20] python train.py exited 1 in 20s:\nno\n"
            if again
            else ""
        )
        + "[2026-01-02T10:00:00] exec python train.py in /w\n"
        f"[{end}] python train.py succeeded in {took}s:\n{output}\n"
        "[2026-01-02T11:00:00] tokens used: 1\n"
    )
    for name, text in {
        "codex_log.log": trace,
        "train.py": SCRIPT,
        "data.csv": "a\n1\n",
        "run.log": log,
        "results.md": f"# Study\n\n## Results\n\n{paper or 'It ran.'}\n",
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    ours = ("log-", "durations-", "longer-than", "other-machine")
    return [finding.rule for finding in provchain.audit(folder).findings if finding.rule.startswith(ours)]


def log(*stamps: str, text: str = "Epoch 1") -> str:
    return "".join(f"2026-01-02 {stamp},120 - INFO - {text}\n" for stamp in stamps)


@pytest.mark.parametrize(
    "stamps",
    [
        ("10:00:02", "10:00:30", "10:00:58"),
        ("18:00:02", "18:00:30", "18:00:58"),  # eight hours east
        ("15:30:02", "15:30:30", "15:30:58"),  # five and a half
    ],
)
def test_a_log_of_its_execution_in_any_zone(tmp_path: Path, stamps: tuple[str, ...]) -> None:
    assert rules(tmp_path, log(*stamps)) == []


def test_a_log_that_spans_more_than_its_execution(tmp_path: Path) -> None:
    assert rules(tmp_path, log("10:00:02", "10:20:00", "10:40:00")) == ["log-longer-than-execution"]


def test_an_attempt_before_may_have_begun_the_log(tmp_path: Path) -> None:
    assert rules(tmp_path, log("09:58:02", "10:00:10", "10:00:50"), again=True) == []


def test_a_log_that_no_zone_brings_into_its_execution(tmp_path: Path) -> None:
    assert rules(tmp_path, log("18:12:02", "18:12:20", "18:12:40")) == ["log-outside-execution"]


def test_epochs_that_take_longer_than_the_execution(tmp_path: Path) -> None:
    text = "".join(f"Epoch {n}/3 - loss 0.{n} (95.0s)\n" for n in (1, 2, 3))
    assert rules(tmp_path, text) == ["log-longer-than-execution"]
    assert rules(tmp_path, text.replace("95.0s", "19.0s")) == []


def test_epochs_that_take_no_time(tmp_path: Path) -> None:
    took = "Epoch 1/9 took 42.5s"
    assert rules(tmp_path, log("10:00:02", "10:00:02", "10:00:03", text=took), took=200) == ["durations-deny-stamps"]
    assert rules(tmp_path, log("10:00:42", "10:01:25", "10:02:08", text=took), took=200) == []


def test_times_that_run_backwards(tmp_path: Path) -> None:
    assert rules(tmp_path, log("10:00:02", "10:00:40", "10:00:20", "10:00:50")) == ["log-runs-backwards"]


def test_a_manuscript_that_trained_longer_than_anything_on_record(tmp_path: Path) -> None:
    good = log("10:00:02", "10:00:30", "10:00:58")
    assert rules(tmp_path, good, paper="Training took about 12 hours.") == ["longer-than-session"]
    assert rules(tmp_path, good, paper="Each run took about one minute.") == []


def test_another_machine_than_the_record_shows(tmp_path: Path) -> None:
    good, shown = log("10:00:02", "10:00:30", "10:00:58"), "GPU: NVIDIA GeForce RTX 3090"
    assert rules(tmp_path, good, output=shown, paper="We trained on 8 NVIDIA A100 GPUs.") == ["other-machine"]
    assert rules(tmp_path, good, output=shown, paper="We trained on one RTX 3090 GPU.") == []
    assert rules(tmp_path, good, output="done", paper="We trained on 8 NVIDIA A100 GPUs.") == []
