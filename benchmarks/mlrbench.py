"""Score audits of 25 real agent runs against hand-made labels, beside two tools that know nothing of chains.

    python benchmarks/mlrbench.py [--only SUBSTRING] [--others N] [--output FILE]

PROVCHAIN_MLRBENCH names the folder that holds the runs and their labels (`runs/`, `labels/`), PROVCHAIN_EVALUATOR the script
that scores a tool on them; without them they are looked for beside this checkout. Where they are not, nothing is measured, and
a line says so.

The table has a row for each figure with its bar, the same figure of a tool that says *supported* to every number (`every`), and
of one that says it to those whose value stands in any file (`values`). Seconds depend on the machine: beside them stands the
ratio to `values`, timed by the same script in the same minutes. A chance match is a number of one run's manuscripts that is
linked to the files of a run of another task, where nothing can be its source.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from floors import TRACES

import provchain
from provchain.auditing.report import Report

HERE = Path(__file__).resolve().parent
BESIDE = HERE.parents[1] / "shared"
MLRBENCH = Path(os.environ.get("PROVCHAIN_MLRBENCH", BESIDE / "corpus" / "mlrbench"))
EVALUATOR = Path(os.environ.get("PROVCHAIN_EVALUATOR", BESIDE / "tools" / "evaluate_mlrbench.py"))
OUTPUT = HERE / "results" / "mlrbench.json"
PROVCHAIN = [sys.executable, "-m", "provchain"]
FLOORS = {name: [sys.executable, str(HERE / "floors.py"), name] for name in ("every", "values")}
SECONDS = re.compile(r"^seconds\s+median ([\d.]+)\s+max ([\d.]+)$", re.MULTILINE)

Figures = dict[str, float]


@dataclass(frozen=True)
class Bar:
    """One line of the table.

    Attributes:
        what: In words.
        part: Name of the figure.
        whole: Name of what it is a share of; empty for a count.
        least: It is to be at least this share; a count, if `whole` is empty.
        most: It is to be at most this.
        in_counts: The bar is given as a count of the whole ("7/8").
    """

    what: str
    part: str
    whole: str = ""
    least: float | None = None
    most: float | None = None
    in_counts: bool = False

    def value(self, figures: Figures) -> float | None:
        part = figures.get(self.part)
        if part is None or not self.whole or self.in_counts:
            return part
        whole = figures.get(self.whole, 0)
        return part / whole if whole else None

    def shown(self, figures: Figures) -> str:
        part, value = figures.get(self.part), self.value(figures)
        if part is None or value is None:
            return "-"
        if not self.whole:
            return f"{value:g}"
        return f"{part:g}/{figures[self.whole]:g}" + ("" if self.in_counts else f" = {value:.1%}")

    def bar(self) -> str:
        sign, bar = (">=", self.least) if self.least is not None else ("<=", self.most or 0)
        return f"{sign} {bar:.0%}" if self.whole and not self.in_counts else f"{sign} {bar:g}"

    def holds(self, figures: Figures) -> bool | None:
        value = self.value(figures)
        if value is None:
            return None
        return value >= self.least if self.least is not None else value <= (self.most or 0)


BARS = (
    Bar("synthetic runs rejected", "synthetic_rejected", "synthetic", least=7, in_counts=True),
    Bar("real runs rejected", "real_rejected", "real", most=0, in_counts=True),
    Bar("failed executions found", "failed_found", "failed", least=0.95),
    Bar("failed called completed", "failed_called_completed", most=0),
    Bar("completed called failed", "completed_called_failed", most=0),
    Bar("producers found", "producing_found", "producing", least=0.95),
    Bar("files tied to them", "files_tied", "files", least=0.85),
    Bar("numbers right", "numbers_right", "numbers", least=0.85),
    Bar("good numbers called bad", "good_called_bad", "good", most=0.02),
    Bar("numbers missed", "numbers_missed", "numbers", most=0.04),
    Bar("narration: numbers right", "narration_right", "narration", least=0.85),
    Bar("source file named", "sources_file", "sources", least=0.92),
    Bar("place named", "sources_place", "places", least=0.85),
    Bar("misplaced", "misplaced", most=0),
    Bar("duplicates", "duplicates", most=0),
    Bar("outcomes that do not fit", "misfit_outcomes", most=0),
    Bar("audits that err", "errors", most=0),
    Bar("chance matches", "chance_matched", "chance_numbers", most=0.03),
    Bar("seconds an audit, median", "seconds_median", most=2),
    Bar("seconds an audit, longest", "seconds_longest", most=6),
)
# What a tool without executions and links has no figure for.
ABOUT_EXECUTIONS = {
    "failed_found",
    "producing_found",
    "files_tied",
    "failed_called_completed",
    "completed_called_failed",
    "sources_file",
    "sources_place",
}


def evaluate(command: Sequence[str], only: str) -> Figures:
    """Let the evaluator score a tool.

    Raises:
        SystemExit: It could not.
    """
    call = [sys.executable, str(EVALUATOR), "--labels", str(MLRBENCH / "labels"), "--runs", str(MLRBENCH / "runs")]
    tool = " ".join(f"'{word}'" for word in command)
    done = subprocess.run([*call, "--only", only, "--provchain", tool], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{EVALUATOR} failed:\n{done.stderr[-2000:]}")
    figures: Figures = json.loads(done.stdout.strip().splitlines()[-1])
    for bar in BARS:
        if not bar.whole and not bar.part.startswith("seconds"):
            figures.setdefault(bar.part, 0)  # what was never counted is not named
    found = SECONDS.search(done.stdout)
    if found is not None:
        figures |= {"seconds_median": float(found.group(1)), "seconds_longest": float(found.group(2))}
    return figures


# ------------------------------------------------------------------------------------------------------ chance matches


def run_folders(only: str) -> list[Path]:
    names = [path.stem for path in sorted((MLRBENCH / "labels").glob("*.json")) if only in path.stem]
    return [folder for name in names if (folder := MLRBENCH / "runs" / Path(*name.split("__"))).is_dir()]


def foreign(papers: Sequence[Path], run: Path, own: Path, folder: Path) -> Path:
    """A folder with the manuscripts of one run and the files of another, without its manuscripts and its trace."""

    def ignore(_: str, names: list[str]) -> set[str]:
        return {name for name in names if name in TRACES or name.endswith((".md", ".tex", ".pdf"))}

    shutil.copytree(own, folder, ignore=ignore)
    for paper in papers:
        target = folder / paper.relative_to(run)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(paper, target)
    return folder


def count_linked(report: Report) -> tuple[int, int]:
    """Measured numbers, and those that are linked to a place by their labels or their value alone."""
    numbers = [claim for claim in report.to_dict()["claims"] if claim["measured"] and claim["kind"] == "number"]
    linked = [c for c in numbers if any(e["tier"] in ("labels", "lone") for e in c["evidence"])]
    return len(numbers), len(linked)


def chance_matches(runs: Sequence[Path], others: int, say: Callable[[str], None]) -> Figures:
    """Audit the manuscripts of each run against the files of the next runs of other tasks."""
    figures: Figures = {"chance_numbers": 0, "chance_matched": 0, "chance_pairs": 0, "own_numbers": 0, "own_matched": 0}
    for position, run in enumerate(runs):
        papers = [run / paper.path for paper in provchain.audit(run).papers]
        with tempfile.TemporaryDirectory() as folder:
            numbers, linked = count_linked(provchain.audit(foreign(papers, run, run, Path(folder) / "run")))
        figures["own_numbers"] += numbers
        figures["own_matched"] += linked
        following = [other for other in (*runs[position + 1 :], *runs[:position]) if other.name != run.name]
        for other in following[:others]:
            say(f"{run.parent.name}/{run.name} against {other.parent.name}/{other.name}")
            with tempfile.TemporaryDirectory() as folder:
                mixed = foreign(papers, run, other, Path(folder) / "run")
                numbers, linked = count_linked(provchain.audit(mixed))
            figures["chance_numbers"] += numbers
            figures["chance_matched"] += linked
            figures["chance_pairs"] += 1
    return figures


# --------------------------------------------------------------------------------------------------------------- table


def table(measured: Figures, floors: dict[str, Figures]) -> list[str]:
    lines = [f"{'figure':27} {'bar':>7} {'measured':>18}  {'':11} {'every':>18} {'values':>18}"]
    for bar in BARS:
        holds = bar.holds(measured)
        told = {True: "holds", False: "falls short", None: "-"}[holds]
        shown = [bar.shown({} if bar.part in ABOUT_EXECUTIONS else floor) for floor in floors.values()]
        lines.append(f"{bar.what:27} {bar.bar():>7} {bar.shown(measured):>18}  {told:11} {shown[0]:>18} {shown[1]:>18}")
    ratios = {
        name: measured[name] / floors["values"][name]
        for name in ("seconds_median", "seconds_longest")
        if floors["values"].get(name) and name in measured
    }
    told = ", ".join(f"{name.removeprefix('seconds_')} {ratio:.1f}" for name, ratio in ratios.items())
    lines += ["", f"seconds as a ratio to `values`: {told}"]
    if measured.get("chance_pairs"):
        own = f"{measured['own_matched']:g} of {measured['own_numbers']:g}"
        pairs = f"{measured['chance_pairs']:g} pairs of a run's manuscripts and another task's files"
        lines.append(f"chance matches: {pairs}, without a trace; of their own files without one, {own} match")
    return lines


def main() -> None:
    """Measure, print the table, and keep the figures."""
    parser = argparse.ArgumentParser(description="Score audits of real agent runs against hand-made labels.")
    parser.add_argument("--only", default="", help="only runs whose name holds this")
    parser.add_argument("--others", type=int, default=3, help="foreign runs for each manuscript (default: 3)")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="where the figures are kept")
    arguments = parser.parse_args()
    for what, path in (("labels", MLRBENCH / "labels"), ("runs", MLRBENCH / "runs"), ("the evaluator", EVALUATOR)):
        if not path.exists():
            print(f"Nothing is measured: {what} not found at {path}. Set PROVCHAIN_MLRBENCH and PROVCHAIN_EVALUATOR.")
            return

    def say(words: str) -> None:
        print(f"  {words}", file=sys.stderr)

    say("scoring provchain")
    measured = evaluate(PROVCHAIN, arguments.only)
    floors = {}
    for name, command in FLOORS.items():
        say(f"scoring the floor `{name}`")
        floors[name] = evaluate(command, arguments.only)
    measured |= chance_matches(run_folders(arguments.only), max(0, arguments.others), say)
    lines = table(measured, floors)
    print("\n".join(lines))
    bars = [
        {"figure": bar.what, "bar": bar.bar(), "measured": bar.shown(measured), "holds": bar.holds(measured)}
        for bar in BARS
    ]
    kept = {"runs": measured.get("runs"), "bars": bars, "provchain": measured, "floors": floors}
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"The figures are kept in {arguments.output}")


if __name__ == "__main__":
    main()
