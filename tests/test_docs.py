"""The documentation tells the truth: its commands exist, its links lead somewhere, its words are the model's words."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from provchain import cli, model
from provchain.cli.application import run

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
PAGES = [README, ROOT / "CHANGELOG.md", ROOT / "examples" / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())

CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
CALL = re.compile(r"(?:^|[\s`/])provchain ((?:[a-z][a-z-]*\b ?)+)")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
GLOSSARY = "study plan step execution authoring status artifact value selector manuscript claim link deviation finding"
GLOSSARY += " chain break verdict recorder observer testimony role"


def commands(group: Any = None, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield every command of the command line with its words."""
    node = group or get_command(cli.app)
    for name, command in getattr(node, "commands", {}).items():
        if not command.hidden:
            yield " ".join((*words, name)), command
            yield from commands(command, (*words, name))


COMMANDS = dict(commands())


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@every_page
def test_documented_commands_exist(page: Path) -> None:
    """What a page shows as a command is one."""
    called = {words.split()[0] for code in CODE.findall(text_of(page)) for words in CALL.findall(code)}
    assert called - {name.split()[0] for name in COMMANDS} == set()


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_documented_and_has_help(name: str) -> None:
    """A command that exists has help and stands in the README."""
    assert (COMMANDS[name].help or "").strip()
    assert re.search(rf"provchain {re.escape(name)}\b", text_of(README))


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_option_has_help(name: str) -> None:
    """No option is a riddle."""
    silent = [p.name for p in COMMANDS[name].params if p.param_type_name == "option" and not (p.help or "").strip()]
    assert silent == []


def test_the_python_of_the_readme_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What the README shows of Python does what it says."""
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", text_of(README), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("unsupported reject\n")


def test_the_output_in_the_readme_is_real(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The README shows what the program prints; PROVCHAIN_ACCEPT=1 writes it anew."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")
    run(["audit", "examples/substituted"])
    printed = "\n".join(line.rstrip() for line in capsys.readouterr().out.strip().splitlines())
    shown = f"<!-- demo-output -->\n\n```\n{printed}\n```\n\n<!-- /demo-output -->"
    block = re.compile(r"<!-- demo-output -->.*?<!-- /demo-output -->", re.DOTALL)
    if os.environ.get("PROVCHAIN_ACCEPT"):
        README.write_text(block.sub(lambda _: shown, text_of(README)), encoding="utf-8")
    assert block.findall(text_of(README)) == [shown]


@every_page
def test_local_links_lead_somewhere(page: Path) -> None:
    """A link to a file of ours names one that exists."""
    targets = [link.split("#")[0] for link in LINK.findall(CODE.sub("", text_of(page)))]
    local = [target for target in targets if target and "://" not in target and not target.startswith("mailto:")]
    assert [target for target in local if not (page.parent / target).exists()] == []


@every_page
def test_pages_hold_no_path_of_one_machine(page: Path) -> None:
    """Documentation is about any machine."""
    assert re.findall(r"(?<![\w.:/])/(?:root|work|tmp|Users|mnt)/\S+", text_of(page)) == []


def test_the_glossary_explains_every_word() -> None:
    """Each word of the model stands in the glossary, in bold where it is explained."""
    explained = " ".join(re.findall(r"\*\*(.+?)\*\*", text_of(ROOT / "docs" / "glossary.md"))).lower()
    assert [word for word in GLOSSARY.split() if not re.search(rf"\b{word}\b", explained)] == []


@pytest.mark.parametrize("page", ["README.md", "docs/verdicts.md"])
def test_every_verdict_is_explained(page: str) -> None:
    """A reader can look up each verdict, outcome and action that a report may hold."""
    told = set(re.findall(r"`([a-z-]+)`", text_of(ROOT / page)))
    assert {verdict.value for verdict in model.Verdict} - told == set()
    assert {outcome.value for outcome in model.StudyOutcome} - told == set()
    assert {action.value for action in model.Action} - told == set()


def test_the_report_schema_speaks_the_models_words() -> None:
    """The words that the schema allows are those of the model, in the same order."""
    definitions = json.loads(text_of(ROOT / "schemas" / "report.schema.json"))["$defs"]
    claim, evidence, finding = (definitions[name]["properties"] for name in ("claim", "evidence", "finding"))
    allowed = {
        model.Verdict: definitions["verdict"],
        model.StudyOutcome: definitions["studyOutcome"],
        model.Action: definitions["action"],
        model.Status: definitions["status"],
        model.Outcome: claim["outcome"],
        model.ClaimKind: claim["kind"],
        model.Relation: evidence["relation"],
        model.Tier: evidence["tier"],
        model.Severity: finding["severity"],
        model.Strength: finding["strength"],
        model.RecorderKind: definitions["source"]["properties"]["recorder"],
    }
    for words, schema in allowed.items():
        assert sorted(schema["enum"]) == sorted(word.value for word in words), words.__name__
