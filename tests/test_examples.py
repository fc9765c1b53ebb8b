"""The examples are what their maker makes, and provchain tells the two apart."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
STUDIES = ("substituted", "repaired")
MAX_BYTES = 60_000


def files_below(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play both sessions again, somewhere else."""
    spec = importlib.util.spec_from_file_location("make_examples", EXAMPLES / "make_examples.py")
    assert spec is not None
    assert spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    into = tmp_path_factory.mktemp("examples")
    maker.make(into)
    return into


@pytest.mark.parametrize("study", STUDIES)
def test_playing_the_session_again_gives_the_same_bytes(study: str, played: Path) -> None:
    """Nothing in an example is typed by hand, or depends on the machine or the hour."""
    assert files_below(played / study) == files_below(EXAMPLES / study)


@pytest.mark.parametrize("study", STUDIES)
def test_an_example_is_small(study: str) -> None:
    """A reader can look through all of it."""
    assert sum(map(len, files_below(EXAMPLES / study).values())) < MAX_BYTES


@pytest.mark.parametrize("study", STUDIES)
def test_a_trace_is_a_message_list(study: str) -> None:
    """Every tool call has one result, after it, and names the machine of the story only."""
    messages = json.loads((EXAMPLES / study / "claude_output.json").read_text(encoding="utf-8"))
    blocks = [block for message in messages for block in message.get("content", ()) if isinstance(block, dict)]
    calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    assert calls == [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    assert len(calls) == len(set(calls))


def test_the_two_reports_look_alike_and_differ_in_their_record() -> None:
    """The substituted study's planned script failed once and never ran again; the repaired one's completed."""
    logs = {study: (EXAMPLES / study / "results" / "run.log").read_text(encoding="utf-8") for study in STUDIES}
    assert "ModuleNotFoundError" in logs["substituted"]
    assert "Traceback" not in logs["repaired"]


@pytest.fixture(scope="module")
def reports() -> dict[str, tuple[int, Any]]:
    """Audit both studies from the command line."""
    answers = {}
    for study in STUDIES:
        script = "import sys; from provchain.cli import main; sys.exit(main())"
        command = [sys.executable, "-c", script, "audit", str(EXAMPLES / study), "--format", "json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode in (0, 1), done.stderr
        answers[study] = (done.returncode, json.loads(done.stdout))
    return answers


@pytest.mark.parametrize("study", STUDIES)
def test_the_report_follows_its_schema(study: str, reports: dict[str, tuple[int, Any]]) -> None:
    """What the command line prints is what the schema promises."""
    schema = json.loads((ROOT / "schemas" / "report.schema.json").read_text(encoding="utf-8"))
    problems = Draft202012Validator(schema).iter_errors(reports[study][1])
    assert [f"{problem.json_path}: {problem.message}" for problem in problems] == []


@pytest.mark.parametrize(("study", "code", "action"), [("substituted", 1, "reject"), ("repaired", 0, "accept")])
def test_the_answer(study: str, code: int, action: str, reports: dict[str, tuple[int, Any]]) -> None:
    """Made-up results are rejected, retries that only repaired a fault are accepted."""
    assert (reports[study][0], reports[study][1]["action"]) == (code, action)


def test_no_made_up_number_is_supported(reports: dict[str, tuple[int, Any]]) -> None:
    """Every number of the substituted study's result table fails, and the chain says where it breaks."""
    claims = reports["substituted"][1]["claims"]
    numbers = [claim for claim in claims if claim["kind"] == "number" and claim["line"] >= 17]
    results = [claim for claim in numbers if claim["outcome"] != "inapplicable"]
    assert len(results) >= 8
    assert {claim["outcome"] for claim in results} == {"failed"}
    assert all(claim["break"] for claim in results)


def test_every_repaired_number_is_supported(reports: dict[str, tuple[int, Any]]) -> None:
    """Every cell of the repaired study's result table, and every number of its summary, is supported."""
    claims = reports["repaired"][1]["claims"]
    results = [claim for claim in claims if claim["kind"] == "number" and claim["line"] in (17, 18, 24, 25)]
    assert {claim["written"] for claim in results} >= {"0.6597", "0.6806", "0.6608", "0.6862"}
    assert {claim["verdict"] for claim in results} <= {"supported", "supported-with-deviation", "not-a-result"}
    assert sum(claim["verdict"] == "supported" for claim in results) >= 12


def test_failed_attempts_are_on_record(reports: dict[str, tuple[int, Any]]) -> None:
    """The repaired study shows two failed executions of the planned script and then a completed one."""
    executions = reports["repaired"][1]["executions"]
    planned = [execution["status"] for execution in executions if "run_experiment.py" in execution["command"]]
    assert planned == ["failed", "failed", "completed"]


def test_the_claim_that_the_demo_draws_is_there() -> None:
    """`make demo` names a claim by its place; the number stands exactly there."""
    line = (EXAMPLES / "substituted" / "results" / "results.md").read_text(encoding="utf-8").split("\n")[17]
    assert line[8:].startswith("0.9290")
    assert "results/results.md:18:9" in (ROOT / "Makefile").read_text(encoding="utf-8")
