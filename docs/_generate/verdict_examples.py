"""The page with one example of each verdict: small studies that are really audited when the page is written.

Each example is a few files, the events of a study file, and a manuscript with the claim in question.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import provchain
from provchain import JudgedClaim, Verdict

__all__ = ["EXAMPLES", "Example", "audited"]

DATA = "x\n4.11\n4.26\n4.179\n"
MEASURE = """import csv, json
values = [float(row["x"]) for row in csv.DictReader(open("data.csv"))]
json.dump({"mean": round(sum(values) / len(values), 3)}, open("results.json", "w"))
"""
MADE_UP = """import json, random
json.dump({"mean": round(4 + random.random(), 3)}, open("results.json", "w"))
"""
TABLE = """import csv, json
rows = list(csv.DictReader(open("data.csv")))
json.dump({name: {key: 1.0 for key in ("recall", "precision")} for name in ("knn", "tree")}, open("results.json", "w"))
"""
REPORT = "# Results\n\nThe mean is 4.183.\n"
RESULTS = '{"mean": 4.183}\n'
CELLS = '{"knn": {"recall": 0.8123, "precision": 0.7719}, "tree": {"recall": 0.7742, "precision": 0.7461}}\n'

Event = dict[str, Any]


def plan(script: str) -> list[Event]:
    """The study plans to run a script."""
    return [
        {"event": "plan-declared", "plan": "p"},
        {"event": "step-declared", "step": "s", "label": script, "scripts": [script]},
    ]


def ran(name: str, script: str, *left: str, code: int = 0, **more: object) -> list[Event]:
    """A script ran, left files, and ended."""
    written = [{"event": "file-written", "execution": name, "path": path} for path in left]
    end = {"event": "execution-ended", "execution": name, "exit_code": code, **more}
    return [{"event": "execution-started", "execution": name, "command": f"python {script}"}, *written, end]


def typed(*paths: str) -> list[Event]:
    """The agent wrote files itself."""
    return [{"event": "authored", "path": path} for path in paths]


@dataclass(frozen=True)
class Example:
    """One small study and the verdict on one of its claims.

    Attributes:
        verdict: What the claim gets.
        story: What happened, in a sentence.
        claim: The claim as it stands in the manuscript.
        events: What the study file says; none at all if empty.
        files: What lies in the study's directory.
    """

    verdict: Verdict
    story: str
    claim: str
    events: Sequence[Event]
    files: dict[str, str] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """The line of the manuscript with the claim."""
        return next(line for line in self.files["report.md"].splitlines() if self.claim in line)


def measured(**files: str) -> dict[str, str]:
    """The files of a study that measures a mean, with those changed that are given by their stem."""
    changed = {"report.md" if name == "report" else name.replace("_", ".", 1): text for name, text in files.items()}
    return {"data.csv": DATA, "measure.py": MEASURE, "results.json": RESULTS, "report.md": REPORT} | changed


EXAMPLES: tuple[Example, ...] = (
    Example(
        Verdict.SUPPORTED,
        "The experiment failed once, was mended, and completed.",
        "4.183",
        [*plan("measure.py"), *ran("e1", "measure.py", code=1), *ran("e2", "measure.py", "results.json")],
        measured(),
    ),
    Example(
        Verdict.SUPPORTED_WITH_DEVIATION,
        "The planned script failed. Another was written and completed, and the report says that it stood in.",
        "4.183",
        [
            *plan("planned.py"),
            *typed("planned.py"),
            *ran("e1", "planned.py", code=1),
            *typed("measure.py"),
            *ran("e2", "measure.py", "results.json"),
        ],
        measured(
            planned_py="import heavy\n",
            report="# Results\n\nInstead of the planned script we used a simpler one. The mean is 4.183.\n",
        ),
    ),
    Example(
        Verdict.CONFIGURED,
        "The number is a setting, and a configuration file gives it.",
        "4711",
        [*plan("measure.py"), *ran("e1", "measure.py", "results.json")],
        measured(config_json='{"seed": 4711}\n', report="# Setup\n\nThe random seed is 4711.\n"),
    ),
    Example(
        Verdict.STALE,
        "The experiment completed. Afterwards somebody changed its result file.",
        "4.983",
        [
            *plan("measure.py"),
            {"event": "execution-started", "execution": "e1", "command": "python measure.py"},
            {"event": "file-written", "execution": "e1", "path": "results.json", "text": RESULTS},
            {"event": "execution-ended", "execution": "e1", "exit_code": 0},
        ],
        measured(results_json='{"mean": 4.983}\n', report="# Results\n\nThe mean is 4.983.\n"),
    ),
    Example(
        Verdict.CONTRADICTED,
        "Of the cells of a table one says something else than the file that the others are from.",
        "0.9461",
        [*plan("measure.py"), *ran("e1", "measure.py", "results.json")],
        measured(
            measure_py=TABLE,
            results_json=CELLS,
            report="# Results\n\n| model | recall | precision |\n|---|---|---|\n"
            "| knn | 0.8123 | 0.7719 |\n| tree | 0.7742 | 0.9461 |\n",
        ),
    ),
    Example(
        Verdict.AUTHORED,
        "The agent typed the result file.",
        "4.183",
        [*plan("measure.py"), *ran("e1", "measure.py", code=1), *typed("results.json")],
        measured(),
    ),
    Example(
        Verdict.SYNTHETIC,
        "A script completed that read nothing and drew random numbers.",
        "4.183",
        [
            *plan("measure.py"),
            *ran("e1", "measure.py", code=1),
            *typed("invent.py"),
            *ran("e2", "invent.py", "results.json"),
        ],
        measured(invent_py=MADE_UP),
    ),
    Example(
        Verdict.PARTIAL,
        "The experiment was to run over three seeds and crashed in the third. The report gives the value of the second.",
        "4.183",
        [*plan("measure.py"), *ran("e1", "measure.py", "results.json", code=1)],
        measured(
            results_json='{"seed 1": {"mean": 4.305}, "seed 2": {"mean": 4.183}}\n',
            report="# Results\n\nThe mean with seed 2 is 4.183.\n",
        ),
    ),
    Example(
        Verdict.NOT_COMPLETED,
        "The experiment crashed after it had written its file.",
        "4.183",
        [*plan("measure.py"), *ran("e1", "measure.py", "results.json", code=1)],
        measured(),
    ),
    Example(
        Verdict.OFF_PLAN,
        "The planned script failed. Another was written and completed, and the report does not say so.",
        "4.183",
        [
            *plan("planned.py"),
            *typed("planned.py"),
            *ran("e1", "planned.py", code=1),
            *typed("measure.py"),
            *ran("e2", "measure.py", "results.json"),
        ],
        measured(planned_py="import heavy\n"),
    ),
    Example(
        Verdict.AMBIGUOUS,
        "The number follows from others in a way that stands nowhere.",
        "12.41 %",
        [*plan("measure.py"), *ran("e1", "measure.py", "results.json")],
        measured(report="# Results\n\nThe mean improved by 12.41 % over the day before.\n"),
    ),
    Example(
        Verdict.UNRECORDED,
        "There is no trace: nothing shows who wrote the result file.",
        "4.183",
        [],
        measured(),
    ),
    Example(
        Verdict.NO_SOURCE,
        "The record is whole, and nothing in it holds the number.",
        "7.204",
        [*plan("measure.py"), *ran("e1", "measure.py", "results.json")],
        measured(report="# Results\n\nThe mean is 7.204.\n"),
    ),
    Example(
        Verdict.CITED,
        "The number is from other work, and the report says so.",
        "4.902",
        [*plan("measure.py"), *ran("e1", "measure.py", "results.json")],
        measured(report="# Related work\n\nSmith et al. (2019) report a mean of 4.902 [3].\n"),
    ),
    Example(
        Verdict.ILLUSTRATIVE,
        "The number is labelled as made up where it stands.",
        "4.500",
        [*plan("measure.py"), *ran("e1", "measure.py", "results.json")],
        measured(report="# Expected results\n\nWith synthetic placeholder data the mean would be 4.500.\n"),
    ),
    Example(
        Verdict.NOT_A_RESULT,
        "The number reports nothing.",
        "3.11",
        [*plan("measure.py"), *ran("e1", "measure.py", "results.json")],
        measured(report="# Setup\n\nWe used Python 3.11 and the data of 2023.\n"),
    ),
)


def audited() -> Iterator[tuple[Example, JudgedClaim]]:
    """Audit each example, and yield it with the answer for its claim."""
    for example in EXAMPLES:
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name) / "study"
            directory.mkdir()
            for path, text in example.files.items():
                (directory / path).write_text(text, encoding="utf-8")
            if example.events:
                header = {
                    "format": "provchain-study/1",
                    "title": "Example",
                    "recorders": [{"id": "harness", "kind": "observer"}],
                }
                events = [
                    {**event, "text": example.files[event["path"]]} if event["event"] == "authored" else event
                    for event in example.events
                ]
                lines = "".join(json.dumps(line) + "\n" for line in (header, *events))
                (directory / "study.jsonl").write_text(lines, encoding="utf-8")
            report = provchain.audit(directory)
        answer = next(one for one in report.claims if one.written == example.claim)
        yield example, answer
