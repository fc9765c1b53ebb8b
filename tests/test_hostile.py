"""Everything inside traces, papers and folders is hostile: a clear error or a correct result, never a traceback."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import provchain
from provchain.cli.application import run
from provchain.render.figure import chain_dot, chain_png, chain_svg

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
EVIL = [
    "<script>alert(1)</script>",
    '"];node [shape=box',
    "\\input{/etc/passwd}",
    "\\write18{ls}",
    "{{7*7}}",
    "]]>",
    "a\x1b[2Jb",
    "\u202eevil",
    "x" * 5000,
]


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLES / "substituted", tmp_path / "run"))


def trace(study: Path) -> Path:
    return study / "claude_output.json"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (
            b'[{"role": "user", "content": "go"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "na',
            "line 1",
        ),
        (b'{"role": "user"}', ""),
        (b"[" * 5000, ""),
        (b'[{"role": 3, "content": 4}, {"role": "user", "content": 5}]', "$[1]"),
    ],
)
def test_a_broken_trace_is_a_clear_error_or_no_trace(
    study: Path, data: bytes, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    trace(study).write_bytes(data)
    code = run(["audit", str(study)])
    streams = capsys.readouterr()
    assert code in (1, 3)
    assert "Traceback" not in streams.err
    if code == 3:
        assert said in streams.err
        assert "claude_output.json" in streams.err


def test_bytes_that_are_not_utf8_and_control_characters_are_read(study: Path) -> None:
    paper = study / "results" / "results.md"
    paper.write_bytes(b"# Results\n\xff\xfe\x00 accuracy 0.9290 \x1b[2J\x07 end\n")
    (study / "results" / "odd.json").write_bytes(b'{"acc": "\x00\xff", "b": 0.5}')
    report = provchain.audit(study)
    json.loads(report.to_json())
    assert any(claim.written == "0.9290" for claim in report.study.claims)


def test_lone_surrogates_in_a_trace_do_not_break_the_report(study: Path) -> None:
    messages = json.loads(trace(study).read_text(encoding="utf-8"))
    messages.insert(1, {"role": "assistant", "content": [{"type": "text", "text": "\ud800 odd"}]})
    messages.append(
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "z", "name": "Bash", "input": {"command": "echo \ud800 > odd\ud800.txt"}}
            ],
        }
    )
    trace(study).write_text(json.dumps(messages), encoding="utf-8")
    assert provchain.audit(study).to_json().encode("utf-8")


def test_symlink_loops_and_links_out_of_the_directory_are_not_followed(study: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"knn": {"accuracy": 0.9290}}', encoding="utf-8")
    (study / "loop").symlink_to(study, target_is_directory=True)
    (study / "results" / "stolen.json").symlink_to(secret)
    (study / "dangling").symlink_to(study / "nowhere")
    report = provchain.audit(study)
    paths = {artifact.path for artifact in report.study.artifacts}
    assert not any(path.startswith("loop/") or "stolen" in path for path in paths)


def test_paths_that_climb_out_are_kept_as_names_and_never_opened(study: Path) -> None:
    paper = study / "results" / "results.md"
    paper.write_text(
        "# Results\n\n![x](../../../../etc/passwd)\n\n![y](/etc/hosts)\n\n![z](file:///etc/passwd)\n", encoding="utf-8"
    )
    messages = json.loads(trace(study).read_text(encoding="utf-8"))
    call = {
        "type": "tool_use",
        "id": "z",
        "name": "Write",
        "input": {"file_path": "/home/user/study/../../../etc/shadow", "content": "x"},
    }
    done = {"type": "tool_result", "tool_use_id": "z", "content": "File created successfully"}
    messages += [{"role": "assistant", "content": [call]}, {"role": "user", "content": [done]}]
    trace(study).write_text(json.dumps(messages), encoding="utf-8")
    report = provchain.audit(study)
    assert {report.judgements[c.id].verdict.value for c in report.study.claims} <= {"no-source", "unrecorded"}
    assert all(not artifact.on_disk for artifact in report.study.artifacts if artifact.path.startswith("/"))


@pytest.mark.parametrize("evil", EVIL)
def test_hostile_labels_come_through_every_output_harmless(
    study: Path, evil: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cell = evil.replace("|", "/").replace("\x1b", "")
    paper = study / "results" / "results.md"
    paper.write_text(
        f"# Results of {evil}\n\n| Method | accuracy |\n|---|---|\n| {cell} | 0.9290 |\n| b | 0.5 |\n", encoding="utf-8"
    )
    (study / "results" / "run.log").write_text(
        f"Traceback (most recent call last):\nValueError: {evil}\n", encoding="utf-8"
    )
    report = provchain.audit(study)
    claim = next(c for c in report.study.claims if c.written == "0.9290")
    chain = report.chain(claim)
    svg = chain_svg(chain)
    root = ET.fromstring(svg.encode())
    assert not [e for e in root.iter() if e.tag.rpartition("}")[2] in ("script", "a", "foreignObject", "image", "use")]
    assert not re.search(r"\son\w+=", svg)
    assert chain_png(chain).startswith(b"\x89PNG")
    assert chain_dot(chain)
    assert json.loads(report.to_json())
    run(["audit", str(study)])
    run(["chain", claim.id, str(study)])
    printed = capsys.readouterr()
    assert "\x1b[2J" not in printed.out
    assert "\u202e" not in printed.out


def test_hostile_names_of_files_are_only_names(study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ('a"];b.json', "<script>.json", "$(touch pwned).json", "-rf.json", "new\nline.json", "\\input.json"):
        (study / "results" / name).write_text('{"x": 0.123456}', encoding="utf-8")
    target = tmp_path / "out.json"
    assert run(["audit", str(study), "--format", "json"]) == 1
    assert run(["export", str(study), "-o", str(target)]) == 0
    assert json.loads(target.read_text(encoding="utf-8"))
    assert not (study / "pwned").exists()


def test_an_empty_directory_and_a_directory_without_a_manuscript_are_undetermined(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    report = provchain.audit(empty)
    assert (report.outcome.value, report.action.value, report.papers) == ("undetermined", "review", [])


def test_a_file_that_cannot_be_read_is_named(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    (study / "results" / "run.log").chmod(0)
    assert run(["audit", str(study)]) == 3
    assert "run.log" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("where", ["trace", "paper", "result", "output"])
def test_fifty_megabytes_on_one_line(study: Path, where: str) -> None:
    """Read or refused within a bounded time, without a traceback."""
    big = "0.123 " * (50_000_000 // 6)
    if where == "trace":
        trace(study).write_text(json.dumps([{"role": "user", "content": big}]), encoding="utf-8")
    elif where == "paper":
        (study / "results" / "results.md").write_text(big, encoding="utf-8")
    elif where == "result":
        (study / "results" / "metrics.json").write_text(f'{{"a": "{big}"}}', encoding="utf-8")
    else:
        messages = json.loads(trace(study).read_text(encoding="utf-8"))
        call = {"type": "tool_use", "id": "z", "name": "Bash", "input": {"command": "python code/make_tables.py"}}
        done = {"type": "tool_result", "tool_use_id": "z", "content": big, "is_error": False}
        messages += [{"role": "assistant", "content": [call]}, {"role": "user", "content": [done]}]
        trace(study).write_text(json.dumps(messages), encoding="utf-8")
    command = [sys.executable, "-m", "provchain", "audit", str(study), "--format", "json"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode in (0, 1, 3), ended.stderr[-2000:]
    assert "Traceback" not in ended.stderr


def test_lone_surrogates_in_a_script_that_runs_are_only_text(study: Path) -> None:
    messages = json.loads(trace(study).read_text(encoding="utf-8"))
    write = {
        "type": "tool_use",
        "id": "w",
        "name": "Write",
        "input": {"file_path": "/home/user/study/odd.py", "content": "x = '\ud800'\n"},
    }
    done = {"type": "tool_result", "tool_use_id": "w", "content": "File created successfully"}
    ran = {"type": "tool_use", "id": "r", "name": "Bash", "input": {"command": "cd /home/user/study && python odd.py"}}
    said = {"type": "tool_result", "tool_use_id": "r", "content": "\udfff ok", "is_error": False}
    for use, answer in ((write, done), (ran, said)):
        messages += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [answer]}]
    trace(study).write_text(json.dumps(messages), encoding="utf-8")
    assert provchain.audit(study).to_json().encode("utf-8")


@pytest.mark.slow
def test_ten_thousand_calls_take_seconds_and_not_minutes(study: Path) -> None:
    messages = json.loads(trace(study).read_text(encoding="utf-8"))
    for number in range(10_000):
        use = {
            "type": "tool_use",
            "id": f"n{number}",
            "name": "Bash",
            "input": {"command": f"python code/make_tables.py > out{number}.txt"},
        }
        done = {"type": "tool_result", "tool_use_id": f"n{number}", "content": "ok", "is_error": False}
        messages += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [done]}]
    trace(study).write_text(json.dumps(messages), encoding="utf-8")
    command = [sys.executable, "-m", "provchain", "audit", str(study), "--format", "json"]
    assert subprocess.run(command, capture_output=True, timeout=120, check=False).returncode == 1
