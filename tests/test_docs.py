"""The documentation tells the truth: its commands exist, its links lead somewhere, its words are the model's words."""

import ast
import json
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import provchain
from provchain import cli, model

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
PAGES = [README, ROOT / "CHANGELOG.md", ROOT / "examples" / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())

CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
CALL = re.compile(r"(?:^|[\s`/])provchain ((?:[a-z][a-z-]*\b ?)+)")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
GLOSSARY = "study plan step execution authoring status artifact value selector manuscript claim link deviation finding"
GLOSSARY += " chain break verdict recorder observer testimony role operand remark waiver"


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
    explained = " ".join(re.findall(r"\*\*(.+?)\*\*", text_of(ROOT / "docs" / "reference" / "glossary.md"))).lower()
    assert [word for word in GLOSSARY.split() if not re.search(rf"\b{word}\b", explained)] == []


@pytest.mark.parametrize("page", ["README.md", "docs/reference/verdicts.md", "docs/explanation/verdicts-by-example.md"])
def test_every_verdict_is_explained(page: str) -> None:
    """A reader can look up each verdict, outcome and action that a report may hold."""
    told = set(re.findall(r"`([a-z-]+)`", text_of(ROOT / page)))
    assert {verdict.value for verdict in model.Verdict} - told == set()
    assert {outcome.value for outcome in model.StudyOutcome} - told == set()
    assert {action.value for action in model.Action} - told == set()


def test_every_finding_is_explained() -> None:
    """Each rule that can give a finding stands in the table of findings, and no other."""
    given = {kind.value for kind in (model.RemarkKind.HELP_ASKED, model.RemarkKind.GIVEN_UP)}  # called like the remark
    for module in Path(provchain.__file__).parent.glob("**/*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Finding":
                given |= {argument.value for argument in node.args[:1] if isinstance(argument, ast.Constant)}
    table = text_of(ROOT / "docs" / "reference" / "verdicts.md").partition("## Findings")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)) == given


def test_the_site_describes_the_promise() -> None:
    """Every name that the package exports stands once in the Python reference, and no other."""
    named = re.findall(r"^::: provchain\.(\S+)$", text_of(ROOT / "docs" / "reference" / "python.md"), re.MULTILINE)
    assert sorted(named) == sorted(set(provchain.__all__) - {"__version__"})


def test_every_page_can_be_reached() -> None:
    """The navigation of the site names every page, and no page that is not there."""
    named = re.findall(r": ([\w/-]+\.md)$", text_of(ROOT / "mkdocs.yml"), re.MULTILINE)
    assert sorted(named) == sorted(
        path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").glob("**/*.md")
    )


def test_every_room_is_explained() -> None:
    """The page on the architecture names each room of the code in its layer."""
    page = text_of(ROOT / "docs" / "explanation" / "architecture.md")
    layers = runpy.run_path(str(ROOT / "tests" / "test_architecture.py"))["LAYERS"]
    rows = re.findall(r"^\| (\d+) \| `([\w/]+?)/?` \|", page, re.MULTILINE)
    assert {room.removeprefix("provchain/__init__"): int(layer) for layer, room in rows} == layers


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
