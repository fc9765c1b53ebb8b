"""The tools that a benchmark compares with answer as they promise, and a benchmark without its data says so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


def ran(script: str, *arguments: str, **environment: str) -> str:
    command = [sys.executable, str(BENCHMARKS / script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **environment}).stdout


@pytest.mark.parametrize(
    ("tool", "verdicts"),
    [
        ("every", {"0.85": "supported", "41.3%": "supported", "0.77": "supported", "a.png": "supported"}),
        ("values", {"0.85": "supported", "41.3%": "supported", "0.77": "no-source", "a.png": "no-source"}),
    ],
)
def test_the_floor_knows_numbers_and_no_chain(tmp_path: Path, tool: str, verdicts: dict[str, str]) -> None:
    (tmp_path / "results.md").write_text(
        "# Results\n\nIt was 0.85 or 41.3% and 0.77.\n\n![a](a.png)\n", encoding="utf-8"
    )
    (tmp_path / "metrics.json").write_text('{"a": 0.8493, "b": 0.4131}', encoding="utf-8")
    (tmp_path / "claude_output.json").write_text("0.77", encoding="utf-8")
    report: dict[str, Any] = json.loads(ran("floors.py", tool, "audit", str(tmp_path), "--format", "json"))
    text = (tmp_path / "results.md").read_text(encoding="utf-8").split("\n")
    for claim in report["claims"]:
        assert text[claim["line"] - 1][claim["column"] - 1 :].startswith(claim["written"])
    assert {claim["written"]: claim["verdict"] for claim in report["claims"]} == {
        written.removesuffix("%"): verdict for written, verdict in verdicts.items()
    }


def test_without_the_runs_nothing_is_measured(tmp_path: Path) -> None:
    said = ran("mlrbench.py", PROVCHAIN_MLRBENCH=str(tmp_path), PROVCHAIN_EVALUATOR=str(tmp_path / "none.py"))
    assert said.startswith("Nothing is measured")
    assert "PROVCHAIN_MLRBENCH" in said
