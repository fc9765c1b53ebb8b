"""The schema of the report accepts what the design shows and refuses what it does not."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from provchain.model import Verdict

SCHEMA = json.loads(
    (Path(__file__).resolve().parents[1] / "schemas" / "report.schema.json").read_text(encoding="utf-8")
)
VALIDATOR = Draft202012Validator(SCHEMA)

REPORT: dict[str, Any] = {
    "format": "provchain-report/1",
    "tool": "provchain 0.1.0",
    "policy": "default",
    "policy_sha256": None,
    "study": {
        "id": "s1",
        "title": "A study",
        "sources": [
            {"path": "claude_output.json", "adapter": "claude-trace", "recorder": "observer", "sha256": "0" * 64},
        ],
    },
    "outcome": "unsupported",
    "action": "reject",
    "papers": [{"path": "results/results.md", "outcome": "unsupported", "action": "reject", "against": []}],
    "claims": [
        {
            "id": "c1",
            "kind": "number",
            "text": "| model | 0.7279 |",
            "written": "0.7279",
            "path": "results/results.md",
            "line": 38,
            "column": 19,
            "table": None,
            "measured": True,
            "note": "",
            "waiver": None,
            "verdict": "synthetic",
            "outcome": "failed",
            "break": {"link": "synthetic", "at": "76.1", "why": "nothing was read"},
            "evidence": [
                {
                    "path": "results/metrics.json",
                    "selector": "/model/mAP",
                    "value": "0.7279",
                    "relation": "quoted",
                    "tier": "labels",
                    "execution": "76.1",
                }
            ],
        }
    ],
    "executions": [
        {
            "id": "76.1",
            "command": "python run.py",
            "status": "failed",
            "status_source": "tool flag",
            "observed": True,
            "exit_code": None,
            "step": None,
            "planned": True,
            "started": None,
            "ended": None,
            "at": {"path": "claude_output.json", "locator": "76"},
            "generated": ["results/metrics.json"],
            "error": "ModuleNotFoundError: No module named 'x'",
        }
    ],
    "authorings": [
        {"id": "85.1", "tool": "Write", "path": "x.py", "at": {"path": "claude_output.json", "locator": "85"}}
    ],
    "deviations": [
        {
            "about": "data",
            "planned": "PileSort",
            "ran": "sortbench",
            "message": "the planned data set PileSort: nothing that ran loads it; sortbench was loaded",
            "recorded": False,
            "disclosed": False,
            "executions": [],
            "at": [{"path": "proposal.md", "locator": "7:17"}],
        }
    ],
    "findings": [
        {
            "rule": "planned-step-not-completed",
            "severity": "error",
            "strength": "proof",
            "message": "no execution of the step completed",
            "at": [{"path": "claude_output.json", "locator": "76"}],
        }
    ],
    "coverage": {
        "claims": 1,
        "results": 1,
        "decided": 1,
        "abstained": 0,
        "chance_match": {"decoy": "another study", "numbers": 10, "matched": 0},
        "not_checked": [],
    },
}


def drop(*place: str | int) -> Callable[[dict[str, Any]], None]:
    def change(report: Any) -> None:
        for key in place[:-1]:
            report = report[key]
        del report[place[-1]]

    return change


def put(value: Any, *place: str | int) -> Callable[[dict[str, Any]], None]:
    def change(report: Any) -> None:
        for key in place[:-1]:
            report = report[key]
        report[place[-1]] = value

    return change


def test_the_schema_is_one() -> None:
    """It is valid JSON Schema 2020-12 and says where it lives."""
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"] == "https://w3id.org/provchain/schemas/report.schema.json"


def test_every_object_is_closed_and_described() -> None:
    """No object accepts keys that nobody has defined, and every field is explained."""
    objects = [SCHEMA, *(part for part in SCHEMA["$defs"].values() if part.get("type") == "object")]
    assert all(part["additionalProperties"] is False for part in objects)
    assert all(part["required"] == list(part["properties"]) for part in objects)
    fields = [field for part in objects for field in part["properties"].values()]
    assert all("description" in field or "$ref" in field for field in fields)


def test_the_report_of_the_design_is_valid() -> None:
    """The report that the documentation shows passes."""
    assert list(VALIDATOR.iter_errors(REPORT)) == []


@pytest.mark.parametrize("verdict", Verdict)
def test_a_verdict_has_one_outcome(verdict: Verdict) -> None:
    """A verdict with its own outcome passes, with another it does not."""
    report = copy.deepcopy(REPORT)
    report["claims"][0] |= {"verdict": verdict.value, "outcome": verdict.outcome.value, "break": None}
    assert VALIDATOR.is_valid(report)
    report["claims"][0]["outcome"] = "passed" if verdict.outcome.value != "passed" else "failed"
    assert not VALIDATOR.is_valid(report)


@pytest.mark.parametrize(
    "change",
    [
        drop("outcome"),
        drop("claims", 0, "break"),
        put("provchain-report/2", "format"),
        put("fabricated", "claims", 0, "verdict"),
        put(0, "claims", 0, "line"),
        put("done", "executions", 0, "status"),
        put({"path": "x", "locator": 76}, "executions", 0, "at"),
        put("A" * 64, "study", "sources", 0, "sha256"),
        put(-1, "coverage", "decided"),
        put("extra", "coverage", "extra"),
    ],
)
def test_what_is_not_a_report_is_refused(change: Callable[[dict[str, Any]], None]) -> None:
    """A missing field, an unknown word, a wrong type or an unknown key is an error."""
    report = copy.deepcopy(REPORT)
    change(report)
    assert not VALIDATOR.is_valid(report)
