"""A small harness that carries out an agent's moves in a folder and logs what it sees as a study file.

Scripts are really run, with a clock that stands still, so that the same bytes come out on any machine. The folder stands for
`/home/user/study`, and the Python that runs the scripts sees its standard library alone.
"""

import hashlib
import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

HOME = "/home/user/study"
START = datetime(2025, 3, 3, 9, 0, tzinfo=UTC)
MATERIAL = Path(__file__).resolve().parent / "material"
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LC_ALL": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONNODEBUGRANGES": "1",  # the marks below a traceback's lines differ between versions of Python
}
# Runs a script and stops it as a time limit does, right behind the line that holds a given text: a clock would not stop
# it at the same place twice.
STOPPED = """
import builtins, os, runpy, sys
after, script = sys.argv[1], sys.argv[2]
say = builtins.print
def stop(*words, **more):
    say(*words, **more, flush=True)
    if after in " ".join(map(str, words)):
        os._exit(124)
builtins.print, sys.argv = stop, sys.argv[2:]
runpy.run_path(script, run_name="__main__")
"""

Json = dict[str, object]


def material(name: str) -> str:
    """Read a script that studies are made of."""
    return (MATERIAL / name).read_text(encoding="utf-8")


def digest(data: bytes) -> str:
    """The SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()


class Study:
    """One study in the making: its folder, its log, and what an audit is expected to say of it."""

    def __init__(self, folder: Path, title: str, recorders: dict[str, str] | None = None) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True)
        known = recorders or {"harness": "observer", "agent": "testimony"}
        self.header: Json = {
            "format": "provchain-study/1",
            "title": title,
            "root": HOME,
            "recorders": [{"id": name, "kind": kind} for name, kind in known.items()],
        }
        self.events: list[Json] = []
        self.expected: list[str] = []
        self.claims: list[str] = []
        self._executions = 0

    # ------------------------------------------------------------------------------------------------------ files

    def read(self, path: str) -> str:
        """The text of a file."""
        return (self.folder / path).read_text(encoding="utf-8")

    def results(self, path: str = "results/metrics.json") -> dict[str, dict[str, float]]:
        """A file of results."""
        found: dict[str, dict[str, float]] = json.loads(self.read(path))
        return found

    def put(self, path: str, text: str) -> None:
        """Leave a file that nobody logs: it was there before, or came without a record."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")

    def author(self, path: str, text: str, tool: str = "write") -> None:
        """The agent writes a file itself."""
        self.put(path, text)
        self.emit("authored", path=path, tool=tool, sha256=digest(text.encode()), text=text)

    # ----------------------------------------------------------------------------------------------------- events

    def emit(self, event: str, recorder: str = "harness", **fields: object) -> None:
        """Log one event."""
        time = (START + timedelta(seconds=20 * len(self.events))).isoformat()
        given = {key: value for key, value in fields.items() if value is not None}
        self.events.append({"event": event, "time": time, "recorder": recorder, **given})

    def plan(self, *scripts: str, label: str = "", simulation: bool | None = None) -> None:
        """Declare the proposal, and a step for each script."""
        title = self.read("proposal.md").splitlines()[0].removeprefix("# ")
        self.emit("plan-declared", plan="p1", title=title, path="proposal.md", simulation=simulation)
        for script in scripts:
            step = Path(script).stem.replace("_", "-")
            self.emit("step-declared", step=step, plan="p1", label=label or None, scripts=[script])

    def start(self, command: str, recorder: str = "harness", **fields: object) -> str:
        """Log the start of an execution."""
        self._executions += 1
        execution = f"e{self._executions}"
        self.emit("execution-started", recorder, execution=execution, command=command, **fields)
        return execution

    def left(self, execution: str, path: str, recorder: str = "harness") -> None:
        """Log that an execution wrote a file that lies there."""
        data = (self.folder / path).read_bytes()
        self.emit(
            "file-written", recorder, execution=execution, path=path, sha256=digest(data), size=len(data),
            text=data.decode(),
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------------- executions

    def run(
        self,
        command: str,
        *,
        reads: tuple[str, ...] = (),
        stop_after: str = "",
        cut: int | None = None,
        recorder: str = "harness",
        **fields: object,
    ) -> str:
        """Run a command of the form `python SCRIPT ARGUMENT...` and log what is seen.

        Args:
            command: The command.
            reads: Files that the harness sees it read.
            stop_after: Stop it at its time limit, behind the line of output that holds this.
            cut: Keep only so many of the last characters of its output.
            recorder: Who logs it.
            **fields: More fields of its start.

        Returns:
            Its output.
        """
        execution = self.start(command, recorder, **fields)
        for path in reads:
            sha256 = digest((self.folder / path).read_bytes())
            self.emit("file-read", recorder, execution=execution, path=path, sha256=sha256)
        (self.folder / "results").mkdir(exist_ok=True)
        before = self._files()
        code, output = self._carry_out(command.split()[1:], stop_after)
        for path, state in self._files().items():
            if before.get(path) != state:
                self.left(execution, path, recorder)
        said: Json = {"output": output if cut is None else output[-cut:], "output_cut": True if cut else None}
        if stop_after:
            self.emit("execution-timed-out", recorder, execution=execution, limit=600, **said)
        else:
            self.emit("execution-ended", recorder, execution=execution, exit_code=code, **said)
        return output

    def _carry_out(self, arguments: list[str], stop_after: str) -> tuple[int, str]:
        first = [sys.executable, "-S"]
        done = subprocess.run(
            [*first, "-c", STOPPED, stop_after, *arguments] if stop_after else [*first, *arguments],
            cwd=self.folder,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        here = (os.path.realpath(self.folder), str(self.folder))
        output = done.stdout
        for name in here:
            output = output.replace(name, HOME)
        return done.returncode, output

    def _files(self) -> dict[str, str]:
        found = {}
        for path in sorted(self.folder.rglob("*")):
            if path.is_file():
                found[path.relative_to(self.folder).as_posix()] = digest(path.read_bytes())
        return found

    # ----------------------------------------------------------------------------------------------- expectations

    def expect(self, row: str, outcome: str, action: str, *, findings: tuple[str, ...] = ()) -> None:
        """Say what the study is, and what an audit says of it.

        Args:
            row: What the study is, in words.
            outcome: Of the study.
            action: Of the study.
            findings: Rules of findings that have to be there.
        """
        self.expected = [f"# {row}", "", f'outcome = "{outcome}"', f'action = "{action}"']
        if findings:
            self.expected.append(f"findings = {json.dumps(list(findings))}")

    def claim(self, paper: str, written: str, verdict: str, *, link: str = "", within: str = "") -> None:
        """Say what an audit says of a claim.

        Args:
            paper: The manuscript.
            written: The claim as it stands there.
            verdict: Its verdict.
            link: Where it breaks, the word of that link.
            within: More of its line, where several lines hold it.
        """
        lines = self.read(paper).split("\n")
        line = next(number for number, text in enumerate(lines, 1) if written in text and within in text)
        rows = ["", "[[claim]]", f'paper = "{paper}"', f"written = {json.dumps(written)}", f"line = {line}"]
        rows.append(f'verdict = "{verdict}"')
        if link:
            rows.append(f'break = "{link}"')
        self.claims += rows

    def broken(self, paper: str, verdict: str, *written: str) -> None:
        """Say that claims break, at a link that is called as their verdict."""
        for one in written:
            self.claim(paper, one, verdict, link=verdict)

    def supported(self, paper: str, *written: str) -> None:
        """Say that claims are supported."""
        for one in written:
            self.claim(paper, one, "supported")

    # ------------------------------------------------------------------------------------------------------ ends

    def finish(self, *, log: str = "study.jsonl", document: str = "") -> None:
        """Write everything down.

        Args:
            log: Name of the log; empty for none.
            document: Name of the one document that carries the whole study instead.
        """
        events = [self._without_what_is_there(event) for event in self.events]
        if document:
            # What was there before stands first, what the study left behind it: the order in which things happened.
            found = [{"event": "file-found", "path": path, "text": self.read(path)} for path in self._files()]
            for path in self._files():
                (self.folder / path).unlink()
            for folder in sorted(self.folder.rglob("*"), reverse=True):
                folder.rmdir()
            self.put(document, json.dumps({**self.header, "events": [*self.events, *found]}, indent=1) + "\n")
        elif log:
            self.put(log, "".join(json.dumps(line) + "\n" for line in (self.header, *events)))
        expected = "\n".join([*self.expected, *self.claims]) + "\n"
        (self.folder.parent / f"{self.folder.name}.expected.toml").write_text(expected, encoding="utf-8", newline="\n")

    def _without_what_is_there(self, event: Json) -> Json:
        """A text is logged only where the file that lies there is another: the digest says the rest."""
        path = event.get("path")
        if not isinstance(path, str) or "text" not in event or not (self.folder / path).is_file():
            return event
        same = digest((self.folder / path).read_bytes()) == event.get("sha256")
        return {key: value for key, value in event.items() if not (same and key == "text")}
