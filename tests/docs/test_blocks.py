"""Every code block of the documentation does what the page says.

The blocks of one page run in order, in one folder that holds a copy of examples/, and share what they leave there:

- ``python`` runs, in one namespace for the page; ``<!-- output -->`` above the next block says that it shows what was printed;
- ``console`` holds lines ``$ command`` and what they print; a line ``...`` stands for any lines, ``...`` in a line for any text;
  so a last line ``...`` leaves only the beginning of an output to be shown;
- ``bash`` runs and succeeds;
- ``json``, ``jsonl``, ``toml``, ``turtle`` and ``sparql`` are read;
- with ``title="name"`` a block is a file, which is written for the blocks after it; sources and data are also read;
- anything else needs ``<!-- not run: why -->`` above it, and a place in the list ``NOT_RUN``.

`pip install .` is played: without the network it lays the modules and entry points of a page's package into a folder.

`PROVCHAIN_ACCEPT=1 pytest tests/docs` writes what is really printed into the pages: for blocks without ``...``, and of an output
of which only the beginning is shown as many lines as there were.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from rdflib import Graph
from rdflib.plugins.sparql import prepareQuery

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "examples" / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]

# What is not run, page by page in the order of its blocks, and why: a mark that stands in a page and not here is an error.
NOT_RUN: dict[str, list[str]] = {
    "README.md": ["sets up a virtual environment", "needs the network"],
    "examples/README.md": ["needs the folder under version control; a test of its own plays the sessions"],
    "docs/explanation/architecture.md": ["a drawing"],
    "docs/how-to/audit-in-ci.md": ["needs a CI service"],
    "docs/how-to/put-a-chain-into-a-paper.md": [
        "needs librsvg or Inkscape",
        "needs LaTeX",
        "needs LaTeX",
        "needs LaTeX",
        "needs Graphviz",
    ],
    "docs/reference/graph.md": ["a drawing"],
    "docs/tutorial/first-audit.md": ["sets up a virtual environment"],
}

MARK = re.compile(r"<!-- (output|not run: .+) -->")
TITLE = re.compile(r'title="([^"]+)"')
END = "\N{INFORMATION SEPARATOR TWO}"
PLAIN_FILES = ("csv", "markdown", "text")
INSTALLED = "site-packages"  # the folder, beside examples/, for what a page installs

PIP = f"""#!{sys.executable}
import pathlib, shutil, sys, tomllib
assert sys.argv[1:] == ["install", "."], "only `pip install .` can be played"
package = tomllib.loads(pathlib.Path("pyproject.toml").read_text())
name, version = package["project"]["name"], package["project"]["version"]
info = pathlib.Path({INSTALLED!r}, name.replace("-", "_") + "-" + version + ".dist-info")
info.mkdir(parents=True)
for module in package["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]:
    shutil.copy(module, info.parent)
(info / "METADATA").write_text(f"Name: {{name}}\\nVersion: {{version}}\\n")
with open(info / "entry_points.txt", "w") as points:
    for group, names in package["project"]["entry-points"].items():
        print(f"[{{group}}]", *(f"{{key}} = {{value}}" for key, value in names.items()), sep="\\n", file=points)
"""

# Runs the Python of one page: a process of its own, so that what a page imports is gone with it.
INTERPRETER = """
import contextlib, io, json, os, sys, traceback
names = {"__name__": "__main__"}
sys.path.insert(0, "")
for line in sys.stdin:
    block, out, error = json.loads(line), io.StringIO(), ""
    os.chdir(block["folder"])
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(block["code"], block["page"], "exec"), names)
    except Exception:
        error = traceback.format_exc()
    print(json.dumps({"printed": out.getvalue(), "error": error}), flush=True)
"""


@dataclass
class Block:
    """A fenced block: where it stands, what it is, and the mark above it."""

    language: str
    title: str
    text: str
    first: int  # 1-based line of its first line of text
    last: int
    mark: str = ""
    reason: str = ""


def blocks_of(page: Path) -> Iterator[Block]:
    """Yield the blocks of a page in order."""
    text = page.read_text(encoding="utf-8")
    lines = text.splitlines()
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "fence" and token.map:
            above = next((line.strip() for line in reversed(lines[: token.map[0]]) if line.strip()), "")
            mark = MARK.fullmatch(above)
            language = token.info.split()[0] if token.info.split() else ""
            title = TITLE.search(token.info)
            kind, _, rest = mark[1].partition(": ") if mark else ("", "", "")
            span = token.map[0] + 2, token.map[1] - 1
            yield Block(language, title[1] if title else "", token.content, *span, kind, rest)


def as_pattern(shown: str) -> re.Pattern[str]:
    """Make a pattern of an output that a page shows, with its dots for what is left out."""
    parts = []
    for line in shown.splitlines():
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(r"[^\n]*?".join(re.escape(piece) for piece in line.rstrip().split("...")) + r"\n")
    return re.compile("".join(parts))


def beginning_of(real: str, shown: str) -> str:
    """What a page would show of an output: all, or as many lines of its beginning as it showed before a last line of dots."""
    lines = shown.splitlines()
    if lines[-1:] != ["..."]:
        return real
    return "".join(f"{line}\n" for line in [*real.splitlines()[: len(lines) - 1], "..."])


def has_dots_inside(shown: str) -> bool:
    """Whether dots stand for something else than the end of an output: what that was, a program cannot tell."""
    return "..." in shown.removesuffix("...\n")


def tidy(printed: str) -> str:
    """Drop what nobody sees: spaces at the ends of lines, empty lines at either end."""
    lines = "\n".join(line.rstrip() for line in printed.splitlines()).strip("\n")
    return lines + "\n" if lines else ""


def calls_of(text: str) -> list[tuple[str, str]]:
    """Take a session apart: each command, with what is shown below it."""
    calls: list[tuple[list[str], list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            calls.append(([line[2:]], []))
        elif calls and not calls[-1][1] and line.startswith("> "):
            calls[-1][0].append(line[2:])
        elif calls:
            calls[-1][1].append(line)
        else:
            raise AssertionError(f"a session begins with a command: {line!r}")
    return [("\n".join(command), tidy("\n".join(shown))) for command, shown in calls]


@dataclass
class Reader:
    """Someone who follows a page from its beginning to its end."""

    page: Path
    folder: Path
    printed: str = ""
    interpreter: subprocess.Popen[str] | None = None
    found: dict[int, tuple[int, str]] = field(default_factory=dict)  # first line: (last line, what is really printed)

    def __post_init__(self) -> None:
        self.home = self.folder
        pip = self.home / ".bin" / "pip"
        pip.parent.mkdir()
        pip.write_text(PIP, encoding="utf-8")
        pip.chmod(0o755)

    def follow(self, block: Block) -> None:
        """Do what one block says."""
        if block.mark == "not run":
            return
        if block.mark == "output":
            self.compare(block, self.printed)
        elif block.title:
            self.write(block)
        else:
            actions: dict[str, Callable[[Block], None]] = {
                "python": self.run_python,
                "console": self.run_session,
                "bash": self.run_script,
            }
            action = actions.get(block.language, read_data)
            action(block)

    def write(self, block: Block) -> None:
        path = self.folder / block.title
        assert path.resolve().is_relative_to(self.home.resolve())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")
        if block.language == "python":
            compile(block.text, block.title, "exec")
        elif block.language != "bash" and block.language not in PLAIN_FILES:
            read_data(block)

    def run_python(self, block: Block) -> None:
        if self.interpreter is None:
            command = [sys.executable, "-c", INTERPRETER]
            self.interpreter = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                env=self.environment(),
            )
        assert self.interpreter.stdin
        assert self.interpreter.stdout
        code = "\n" * (block.first - 1) + block.text  # so that an error names the line of the page
        request = {"code": code, "page": str(self.page), "folder": str(self.folder)}
        self.interpreter.stdin.write(json.dumps(request) + "\n")
        self.interpreter.stdin.flush()
        answer = json.loads(self.interpreter.stdout.readline())
        assert not answer["error"], answer["error"]
        self.printed = answer["printed"]

    def close(self) -> None:
        if self.interpreter is not None:
            self.interpreter.communicate()

    def run_script(self, block: Block) -> None:
        self.printed = self.bash("set -euo pipefail\n" + block.text, expected=0)

    def run_session(self, block: Block) -> None:
        calls = calls_of(block.text)
        script = "".join(f"{command}\n__code=$?; printf '\\036'; (exit $__code)\n" for command, _ in calls)
        printed = [tidy(part) for part in self.bash(script).split(END)[: len(calls)]]
        shown = [text for _, text in calls]
        if all(as_pattern(one).fullmatch(other) for one, other in zip(shown, printed, strict=True)):
            return
        prompts = ["$ " + command.replace("\n", "\n> ") + "\n" for command, _ in calls]
        new = [beginning_of(one, old) for one, old in zip(printed, shown, strict=True)]
        real = "".join(prompt + one for prompt, one in zip(prompts, new, strict=True))
        self.differ(block, real, open_ended=any(map(has_dots_inside, shown)))

    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.pathsep.join(
                [str(self.home / ".bin"), str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]
            ),
            "PYTHONPATH": str(self.home / INSTALLED),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "COLUMNS": "80",
            "TERM": "dumb",
        }

    def bash(self, script: str, expected: int | None = None) -> str:
        """Run a script where the page has come to; it goes on where the script ends."""
        end = self.home / ".end"
        done = subprocess.run(
            ["bash", "-c", f"trap 'pwd > {end}' EXIT\n{script}"],
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )
        assert expected is None or done.returncode == expected, done.stdout
        self.folder = Path(end.read_text(encoding="utf-8").strip())
        return done.stdout

    def compare(self, block: Block, printed: str) -> None:
        if not as_pattern(tidy(block.text)).fullmatch(tidy(printed)):
            shown = tidy(block.text)
            self.differ(block, beginning_of(tidy(printed), shown), open_ended=has_dots_inside(shown))

    def differ(self, block: Block, real: str, *, open_ended: bool) -> None:
        crashed = "Traceback (most recent call last)" in real
        accepted = os.environ.get("PROVCHAIN_ACCEPT") and not open_ended and not crashed
        assert accepted, f"{self.page.name}:{block.first} shows\n{block.text}\nbut what is printed is\n{real}"
        self.found[block.first] = (block.last, real)

    def accept(self) -> None:
        """Write what was really printed into the page."""
        lines = self.page.read_text(encoding="utf-8").splitlines()
        for first, (last, real) in sorted(self.found.items(), reverse=True):
            lines[first - 1 : last] = real.splitlines()
        if self.found:
            self.page.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_data(block: Block) -> None:
    """Read a block of data or of a query language; no other language can be checked."""
    readers: dict[str, Callable[[str], object]] = {
        "json": json.loads,
        "jsonl": lambda text: [json.loads(line) for line in text.splitlines()],
        "toml": tomllib.loads,
        "turtle": lambda text: Graph().parse(data=text, format="turtle"),
        "sparql": prepareQuery,
    }
    assert block.language in readers, (
        f"line {block.first}: {block.language or 'no language'} needs a mark with a reason"
    )
    readers[block.language](block.text)


def follow(reader: Reader, blocks: Iterable[Block]) -> None:
    try:
        for block in blocks:
            try:
                reader.follow(block)
            except Exception as error:
                raise AssertionError(f"{reader.page.name}:{block.first}: {error}") from error
    finally:
        reader.close()
    reader.accept()


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_block_does_what_the_page_says(page: Path, tmp_path: Path) -> None:
    """A reader who follows a page from top to bottom sees what it shows."""
    blocks = list(blocks_of(page))
    if blocks:
        shutil.copytree(ROOT / "examples", tmp_path / "examples")
    follow(Reader(page, tmp_path), blocks)


def test_what_is_not_run_stands_in_the_list() -> None:
    """A block is left out on purpose, with a reason, and the list is as short as it can be."""
    marks = {
        name: [block.reason for block in blocks_of(page) if block.mark == "not run"]
        for name, page in zip(NAMES, PAGES, strict=True)
    }
    assert {name: reasons for name, reasons in marks.items() if reasons} == NOT_RUN


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_code_stands_in_fences(page: Path) -> None:
    """An indented block has no language, so nothing would check it."""
    tokens = MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8"))
    assert [token.content for token in tokens if token.type == "code_block"] == []


def ends_a_list(lines: list[str], number: int) -> bool:
    """Whether a line would end the list that it stands in, or not begin the entry that it should, on the site."""
    above = number - 1
    if re.match(r" {1,3}(?:[-*]|\d+\.) ", lines[number]):
        return True  # less than four spaces nest nothing
    if re.match(r" {1,3}\S", lines[number]) and not lines[above].strip():
        return True  # nor do they keep a paragraph in its entry
    while lines[above].startswith(" ") and lines[above - 1].strip():
        above -= 1
    paragraph = lines[above].startswith("    ") and not re.match(r" +(?:[-*]|\d+\.) ", lines[above])
    return paragraph and re.match(r"(?:[-*]|\d+\.) ", lines[number]) is not None  # needs an empty line before it


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_lists_are_lists_on_the_site_too(page: Path) -> None:
    """The site reads the lists of Markdown more strictly than GitHub does."""
    lines = ["", *page.read_text(encoding="utf-8").splitlines()]
    fences = {number for block in blocks_of(page) for number in range(block.first - 1, block.last + 2)}
    assert [line for number, line in enumerate(lines) if number not in fences and ends_a_list(lines, number)] == []


@pytest.mark.parametrize(
    "text",
    ["1. a\n   - b", "1. a\n\n   more", "1. a\n\n    more\n2. b", "1. a\n\n    more\n    and more\n2. b"],
)
def test_a_list_that_ends_too_soon_is_seen(text: str) -> None:
    """The check can fail."""
    lines = ["", *text.splitlines()]
    assert any(ends_a_list(lines, number) for number in range(1, len(lines)))
    assert not any(ends_a_list(["", "1. a", "    - b", "", "    more", "", "2. b"], number) for number in range(1, 7))


def page_with(tmp_path: Path, text: str) -> Reader:
    tmp_path.mkdir(exist_ok=True)
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    reader = Reader(page, tmp_path)
    follow(reader, blocks_of(page))
    return reader


@pytest.mark.parametrize(
    "text",
    [
        "```python\nraise ValueError\n```\n",
        "```python\nprint(1)\n```\n\n<!-- output -->\n\n```text\n2\n```\n",
        "```console\n$ echo one\ntwo\n```\n",
        "```console\n$ echo one; echo two\none\n```\n",
        "```bash\nfalse\n```\n",
        "```json\n{\n```\n",
        "```toml\na =\n```\n",
        "```turtle\na b\n```\n",
        "```sparql\nSELECT ?a\n```\n",
        "```latex\n\\today\n```\n",
        "```\nno language\n```\n",
        '```python title="a.py"\nif\n```\n',
    ],
)
def test_a_block_that_is_not_true_is_seen(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check can fail, for each kind of block."""
    monkeypatch.delenv("PROVCHAIN_ACCEPT", raising=False)
    with pytest.raises(AssertionError, match=r"page\.md:\d+"):
        page_with(tmp_path, text)


def test_blocks_share_what_they_leave(tmp_path: Path) -> None:
    """Names, files and the folder go on from block to block, and dots stand for what is left out."""
    text = (
        '```csv title="in/a.csv"\nx\n1\n```\n\n```console\n$ cd in\n$ cat a.csv\n...\n1\n$ false\n$ echo $?\n1\n```\n\n'
        "```python\nfrom pathlib import Path\nx = Path('a.csv').read_text()\n```\n\n```python\nprint(x, 'and more')\n```\n\n"
        "<!-- output -->\n\n```text\nx\n1\n and...\n```\n"
    )
    page_with(tmp_path, text)


def test_real_output_can_be_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed takes the place of what was shown, and nothing else changes."""
    monkeypatch.setenv("PROVCHAIN_ACCEPT", "1")
    reader = page_with(tmp_path, "# A\n\n```console\n$ echo one\ntwo\n$ echo three\n```\n\nEnd\n")
    assert reader.page.read_text() == "# A\n\n```console\n$ echo one\none\n$ echo three\nthree\n```\n\nEnd\n"


def test_a_shown_beginning_stays_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an output whose end is left out the beginning is still held to, and only the beginning is written anew."""
    page = "```console\n$ seq 5\n1\n{}\n...\n$ echo end\nend\n```\n"
    monkeypatch.delenv("PROVCHAIN_ACCEPT", raising=False)
    page_with(tmp_path / "right", page.format(2))
    with pytest.raises(AssertionError, match=r"page\.md:\d+"):
        page_with(tmp_path / "wrong", page.format(7))
    monkeypatch.setenv("PROVCHAIN_ACCEPT", "1")
    reader = page_with(tmp_path / "mended", page.format(7))
    assert reader.page.read_text() == page.format(2)


def test_dots_inside_an_output_are_not_accepted_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where dots stand inside, a person has to look."""
    monkeypatch.setenv("PROVCHAIN_ACCEPT", "1")
    with pytest.raises(AssertionError, match=r"page\.md:\d+"):
        page_with(tmp_path, "```console\n$ seq 5\n1\n...\n7\n```\n")
