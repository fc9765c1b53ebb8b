"""The contract of the command line: what scripts rely on."""

from __future__ import annotations

import hashlib
import json
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from provchain.cli.application import run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
BROKEN, GOOD = EXAMPLES / "substituted", EXAMPLES / "repaired"


@pytest.fixture
def substituted(tmp_path: Path) -> Path:
    return Path(shutil.copytree(BROKEN, tmp_path / "substituted"))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["audit", str(GOOD)], 0),
        (["audit", str(BROKEN)], 1),
        (["audit", str(GOOD), str(BROKEN)], 1),
        (["audit"], 2),
        (["audit", str(GOOD), "--format", "yaml"], 2),
        (["audit", str(GOOD), str(BROKEN), "--format", "json"], 2),
        (["nonsense"], 2),
        (["audit", "/nowhere/at/all"], 3),
        (["audit", str(GOOD), "--paper", "nowhere.md"], 3),
        (["audit", str(GOOD), "--policy", "strict"], 0),
        (["audit", str(GOOD), "--policy", "strickt"], 2),
        (["audit", str(GOOD), "--policy", "/nowhere/policy.toml"], 3),
        (["audit", str(GOOD), "--policy", str(EXAMPLES / "README.md")], 3),
        (["chain", "no-such-claim", str(GOOD)], 2),
        (["chain", "results/results.md:99999", str(GOOD)], 2),
        (["chain", "results/results.md:17", str(GOOD), "-o", "figure.tiff"], 2),
        (["chain", "results/results.md:17", str(GOOD), "--width", "0"], 2),
        (["audit", str(EXAMPLES / "README.md")], 3),
        (["import", str(EXAMPLES / "README.md"), "--store", "/nowhere/x"], 3),
        (["audit", str(GOOD / "claude_output.json")], 0),
        (["query", "no-such-query", str(GOOD)], 2),
        (["query", "claims"], 2),
        (["query", "claims", "--store", "/nowhere/at/all"], 3),
        (["export", "-o", "x.json"], 2),
        (["export", str(GOOD), "-o", "x.odt"], 2),
        (["audit", str(EXAMPLES)], 3),
        (["queries"], 0),
        (["--version"], 0),
        (["--help"], 0),
    ],
)
def test_exit_codes(arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    """0 accept, 1 any other action, 2 usage, 3 something could not be read; never a traceback."""
    assert run(arguments) == code
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    if code in (2, 3):
        assert said.err.strip()


def test_the_report_is_the_same_bytes_wherever_the_run_lies(
    substituted: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["audit", str(BROKEN), "--format", "json"])
    first = capsys.readouterr().out
    monkeypatch.chdir(substituted.parent)
    run(["audit", "substituted/", "--format", "json"])
    assert capsys.readouterr().out == first
    assert json.loads(first)["format"] == "provchain-report/1"
    assert str(EXAMPLES) not in first


def test_one_paper_alone_is_audited(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    elsewhere = tmp_path / "submission.md"
    elsewhere.write_text("# Results\n\nThe accuracy of knn was 0.1234.\n", encoding="utf-8")
    assert run(["audit", str(GOOD), "--paper", str(elsewhere), "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert [paper["path"] for paper in report["papers"]] == [elsewhere.as_posix()]
    assert [c["verdict"] for c in report["claims"]] == ["no-source"]


@pytest.mark.parametrize("suffix", [".svg", ".png", ".dot"])
def test_a_chain_is_drawn_into_a_file(tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"chain{suffix}"
    assert run(["chain", "results/results.md:18:9", str(BROKEN), "-o", str(target)]) == 0
    data = target.read_bytes()
    if suffix == ".svg":
        assert "BREAK" in " ".join(ET.fromstring(data).itertext())
    elif suffix == ".png":
        assert data.startswith(b"\x89PNG")
    else:
        assert data.startswith(b"digraph")
    again = tmp_path / f"again{suffix}"
    run(["chain", "results/results.md:18:9", str(BROKEN), "-o", str(again)])
    assert again.read_bytes() == data


def test_a_chain_is_printed_with_its_break(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["chain", "results/results.md:18:9", str(BROKEN)]) == 0
    said = capsys.readouterr().out
    assert "BREAK" in said
    assert "ModuleNotFoundError" in said


def test_a_store_is_filled_and_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "store"
    assert run(["import", str(BROKEN), str(GOOD), "--store", str(store)]) == 0
    assert run(["audit", str(BROKEN), "--store", str(store)]) == 1
    capsys.readouterr()
    assert run(["query", "broken-claims", "--store", str(store), "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["link"] for row in rows} >= {"synthetic"}
    assert {row["study"] for row in rows} == {rows[0]["study"]} != {None}
    assert run(["query", "claims", "--store", str(store)]) == 0
    assert "study" in capsys.readouterr().out  # of two studies each row says whose it is
    assert run(["query", "claims", str(GOOD)]) == 0
    assert "study" not in capsys.readouterr().out.splitlines()[0]
    assert run(["query", "claims", str(GOOD), "--format", "csv"]) == 0
    assert capsys.readouterr().out.startswith("claim,")


def test_provenance_goes_out_as_prov_json_and_comes_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from prov.model import ProvDocument

    target, store = tmp_path / "study.json", tmp_path / "store"
    assert run(["export", str(BROKEN), "-o", str(target)]) == 0
    document = ProvDocument.deserialize(target, format="json")
    assert document.get_records()
    assert document.bundles
    assert run(["import", str(target), "--store", str(store)]) == 0
    capsys.readouterr()
    assert run(["query", "executions-by-status", "--store", str(store), "--format", "json"]) == 0
    assert {row["status"] for row in json.loads(capsys.readouterr().out)} == {"completed", "failed"}
    assert run(["export", str(BROKEN), "-o", str(tmp_path / "flat.json"), "--flat"]) == 0
    assert not list(ProvDocument.deserialize(tmp_path / "flat.json", format="json").bundles)


@pytest.mark.parametrize("suffix", [".nq", ".trig", ".ttl", ".provn", ".provx"])
def test_provenance_goes_out_in_other_formats(tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"study{suffix}"
    assert run(["export", str(GOOD), "-o", str(target)]) == 0
    assert target.stat().st_size > 1000


def test_a_file_that_cannot_be_written_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["chain", "results/results.md:17", str(GOOD), "-o", "/nowhere/at/all/x.svg"]) == 3
    assert "cannot be written" in capsys.readouterr().err


def test_the_policy_decides_the_exit_code_and_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of one's own draws the lines; the report names it with its digest."""
    file = tmp_path / "policy.toml"
    head = 'format = "provchain-policy/1"\nname = "no-repairs"\n'
    file.write_text(head + '[actions]\nsupported = "review"\n', encoding="utf-8")
    assert run(["audit", str(GOOD), "--policy", str(file)]) == 1
    printed = capsys.readouterr().out
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    assert f"Policy: no-repairs (sha256 {digest[:12]})" in printed
    assert "Action: review" in printed
    assert run(["audit", str(GOOD), "--policy", str(file), "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["policy"], report["policy_sha256"], report["outcome"]) == ("no-repairs", digest, "supported")
    assert run(["audit", str(GOOD)]) == 0
    assert "Policy:" not in capsys.readouterr().out
