"""What an audit reads: nothing that was meant as a record or a declaration is passed over in silence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import provchain
from provchain.auditing.reading import read_study, study_title
from provchain.errors import MalformedSourceError
from provchain.events.logged import ClaimWaived
from provchain.model import Place, Plan, Study

PAPER = "# R\n\n## Results\n\nThe accuracy is 0.93121.\n"
HEADER = '{"format": "provchain-study/1", "recorders": [{"id": "h", "kind": "observer"}]}\n'
CLAIMS = 'format = "provchain-claims/1"\n# é\n[[waiver]]\nwritten = "0.93121"\nreason = "known"\nby = "R. Viewer"\n'


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "forecast"
    folder.mkdir()
    (folder / "paper.md").write_text(PAPER, encoding="utf-8")
    return folder


def unread(study: Path) -> dict[str, str]:
    return {place.path: f.message for f in read_study(study, None).problems for place in f.at}


# ------------------------------------------------------------------------------------------------------ declarations


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_declarations_are_utf_8(study: Path, encoding: str) -> None:
    (study / "claims.toml").write_bytes(CLAIMS.encode(encoding))
    assert [type(event) for event in read_study(study, None).declarations] == [ClaimWaived]


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (CLAIMS.encode("utf-16"), "line 1: expected UTF-8 text, found UTF-16"),
        (CLAIMS.encode("latin-1"), "line 2: expected UTF-8 text, found the byte 0xe9"),
        (CLAIMS.encode() + b"\n\0", "line 8: expected UTF-8 text, found a NUL character"),
        (CLAIMS.encode("utf-16-le"), "line 2: expected UTF-8 text"),
        (CLAIMS.replace("é", "e").encode("utf-16-le"), "line 1: expected UTF-8 text, found a NUL character"),
        (b"\xff" * 10_000_000, "line 1: expected UTF-8 text, found the byte 0xff"),
    ],
)
def test_declarations_in_another_encoding_are_refused(study: Path, data: bytes, where: str) -> None:
    """They were read with replaced letters, or not at all, and a waiver was lost without a word."""
    (study / "claims.toml").write_bytes(data)
    with pytest.raises(MalformedSourceError) as caught:
        read_study(study, None)
    assert f"claims.toml: {where}" in str(caught.value)
    assert caught.value.hint == "save the file as UTF-8"


@pytest.mark.parametrize("name", ["claims.toml", "study.jsonl", "study.json"])
def test_a_folder_in_the_place_of_a_file_is_named(study: Path, name: str) -> None:
    (study / name).mkdir()
    with pytest.raises(MalformedSourceError, match=f"{name}: expected a file, found a folder"):
        read_study(study, None)


# ----------------------------------------------------------------------------------------------------------- records


@pytest.mark.parametrize("text", ["null", "[1, 2]", '{"format": 1}\n', '{"accuracy": 0.9}'])
def test_a_study_file_without_its_header_is_named(study: Path, text: str) -> None:
    (study / "study.jsonl").write_text(text, encoding="utf-8")
    assert "study.jsonl: not recognised" in unread(study)["study.jsonl"]
    report = provchain.audit(study)
    (finding,) = [finding for finding in report.findings if finding.rule == "unread-record"]
    assert finding.at == (Place("study.jsonl"),)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("agent.jsonl", '{"ts": 1, "type": 2, "event": "tool_call"}\n'),
        ("logs/agent.ndjson", '{"role": "assistant", "content": "x"}\n'),
        ("session_3.jsonl", "{}\n"),
        ("full-trace.json", "[]"),
    ],
)
def test_a_log_that_no_adapter_knows_is_named(study: Path, name: str, text: str) -> None:
    (study / name).parent.mkdir(exist_ok=True)
    (study / name).write_text(text, encoding="utf-8")
    assert "no adapter that is installed reads it" in unread(study)[name]
    (study / "study.jsonl").write_text(HEADER, encoding="utf-8")
    assert unread(study) == {}  # something else tells what ran


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("predictions.jsonl", '{"id": 1, "predicted": 3, "label": 3}\n'),
        ("metrics.json", '{"event": 1}'),
        ("tracery.json", "{}"),
        ("a/b/session.jsonl", '{"event": 1}\n'),
        ("events.csv", "event,time\n"),
    ],
)
def test_results_are_no_records(study: Path, name: str, text: str) -> None:
    (study / name).parent.mkdir(parents=True, exist_ok=True)
    (study / name).write_text(text, encoding="utf-8")
    assert unread(study) == {}


def test_events_of_any_adapter_come_in_order(study: Path) -> None:
    event = {"event": "file-written", "execution": "e9", "path": "a.csv"}
    (study / "study.jsonl").write_text(HEADER + json.dumps(event) + "\n", encoding="utf-8")
    with pytest.raises(MalformedSourceError, match=r"line 2\.execution"):
        provchain.audit(study)


# ------------------------------------------------------------------------------------------------------------- title


def test_a_study_is_called_by_its_title_its_plan_or_its_folder(study: Path) -> None:
    assert provchain.audit(study).study.title == "forecast"
    assert provchain.audit(study / "." / ".." / "forecast").study.title == "forecast"
    (study / "proposal.md").write_text("# Rain of tomorrow\n\nWe will run forecast.py.\n", encoding="utf-8")
    assert provchain.audit(study).study.title == "Rain of tomorrow"
    (study / "study.jsonl").write_text(HEADER.replace("{", '{"title": "Rain", ', 1), encoding="utf-8")
    assert provchain.audit(study).study.title == "Rain"


def test_a_declared_plan_gives_its_title(tmp_path: Path) -> None:
    plan = Plan(id="p", title="Measure", at=Place("study.jsonl", "2"))
    assert study_title(Study("s", title="Measure", plans=[plan]), tmp_path) == "Measure"
