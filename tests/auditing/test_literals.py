"""A number that was typed into a script as text is shown by its output, and measured by nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import provchain

from .traces import messages_of, ran, written

REAL = """import csv
rows = [float(row[0]) for row in csv.reader(open("data/d.csv"))]
value = sum(rows) / len(rows)
print(f"knn: accuracy {value:.4f}")
"""
TYPED = """import csv
rows = [float(row[0]) for row in csv.reader(open("data/d.csv"))]
print("knn: accuracy 0.9312")
"""


def make(folder: Path, script: str, output: str, report: str) -> provchain.Report:
    """A run whose report was typed from the output of a script."""
    for path, text in {
        "proposal.md": "# P",
        "data/d.csv": "0.9301\n0.9323\n",
        "run.py": script,
        "results.md": report,
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    calls = [written("run.py", script), ran("python run.py", output), written("results.md", report)]
    messages = messages_of(calls)
    (folder / "claude_output.json").write_text(json.dumps(messages), encoding="utf-8")
    return provchain.audit(folder)


@pytest.mark.parametrize(("script", "verdict"), [(REAL, "supported"), (TYPED, "authored")])
def test_what_a_program_shows_of_typed_text_stays_typed(tmp_path: Path, script: str, verdict: str) -> None:
    report = make(tmp_path, script, "knn: accuracy 0.9312", "# Results\n\nThe knn accuracy was 0.9312.\n")
    claim = next(c for c in report.study.claims if c.written == "0.9312")
    judgement = report.judgements[claim.id]
    assert judgement.verdict.value == verdict
    if verdict == "authored":
        assert judgement.broken is not None
        assert judgement.broken.at == "run.py:3"
        assert any(edge.broken and "run.py:3" in edge.why for edge in report.chain(claim).edges)
