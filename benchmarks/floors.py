"""Two tools that know nothing of chains, as the floor for any that does: they answer as `provchain audit --format json` would.

    python benchmarks/floors.py every|values audit RUN --format json

`every` says *supported* to every number and figure of every manuscript. `values` says it to those whose value stands anywhere
in the other files of the run but its trace (where every manuscript stands that the agent typed), rounded as it is written, and
*no-source* to all others. Neither looks at what was executed.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path

NUMBER = re.compile(r"(?<![\w.])[-+−]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?")
FIGURE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)")
TEXTS = {".csv", ".json", ".jsonl", ".log", ".md", ".out", ".tsv", ".txt", ".yaml", ".yml"}
FOR_THE_AGENT = {"task.md", "idea.md", "proposal.md", "related_work.md", "readme.md"}
TRACES = {"claude_output.json", "codex_log.log", "gemini_log.log"}
MOST_DECIMALS = 6
MAX_BYTES = 20_000_000

Report = dict[str, object]


def files(run: Path) -> Iterator[Path]:
    """All files below a run, in one order."""
    for folder, inner, names in os.walk(run):
        inner.sort()
        yield from (Path(folder) / name for name in sorted(names))


def manuscripts(run: Path) -> list[Path]:
    return [path for path in files(run) if path.suffix == ".md" and path.name.lower() not in FOR_THE_AGENT]


def decimal(text: str) -> Decimal | None:
    try:
        value = Decimal(text.replace(",", "").replace("−", "-"))
    except InvalidOperation:
        return None
    return value if abs(value.adjusted()) < 30 else None


def rounded(value: Decimal, decimals: int) -> Decimal:
    return abs(round(value, decimals))


def all_values(run: Path, without: set[Path]) -> dict[int, set[Decimal]]:
    """Every number of every other text of the run, as it looks at each count of decimals; fractions as percentages too."""
    tokens: set[str] = set()
    for path in files(run):
        if path not in without and path.name not in TRACES and path.suffix in TEXTS and path.stat().st_size < MAX_BYTES:
            tokens.update(NUMBER.findall(path.read_text(encoding="utf-8", errors="replace")))
    values = {value for token in tokens if (value := decimal(token)) is not None}
    values |= {value * 100 for value in values if abs(value) < 1}
    return {count: {rounded(value, count) for value in values} for count in range(MOST_DECIMALS + 1)}


def claims(run: Path, *, matching: bool) -> Iterator[Report]:
    papers = manuscripts(run)
    known = all_values(run, set(papers)) if matching else {}
    names = {path.name for path in files(run)}
    for paper in papers:
        for line, text in enumerate(paper.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
            place = {"path": paper.relative_to(run).as_posix(), "line": line, "text": text[:200]}
            for found in NUMBER.finditer(text):
                value = decimal(found.group())
                count = min(len(found.group().partition(".")[2]), MOST_DECIMALS)
                good = not matching or (value is not None and rounded(value, count) in known[count])
                yield {
                    **place,
                    "kind": "number",
                    "written": found.group(),
                    "column": found.start() + 1,
                    **answer(good=good),
                }
            for found in FIGURE.finditer(text):
                good = not matching or Path(found.group(1)).name in names
                yield {
                    **place,
                    "kind": "figure",
                    "written": found.group(1),
                    "column": found.start(1) + 1,
                    **answer(good=good),
                }


def answer(*, good: bool) -> dict[str, object]:
    if good:
        return {"verdict": "supported", "outcome": "passed", "evidence": []}
    return {"verdict": "no-source", "outcome": "failed", "evidence": []}


def report(run: Path, *, matching: bool) -> Report:
    """The report of a run: rejected if more than half of its numbers fail."""
    found = list(claims(run, matching=matching))
    failed = sum(claim["outcome"] == "failed" for claim in found)
    reject = failed * 2 > len(found)
    return {
        "format": "provchain-report/1",
        "outcome": "unsupported" if reject else "supported",
        "action": "reject" if reject else "accept",
        "claims": found,
        "executions": [],
        "authorings": [],
    }


def main() -> None:
    """Answer for one run."""
    parser = argparse.ArgumentParser(description="The floor: tools that know nothing of chains.")
    parser.add_argument("tool", choices=["every", "values"])
    parser.add_argument("command", choices=["audit"])
    parser.add_argument("run", type=Path)
    parser.add_argument("--format", choices=["json"], default="json")
    arguments = parser.parse_args()
    json.dump(report(arguments.run, matching=arguments.tool == "values"), sys.stdout)


if __name__ == "__main__":
    main()
