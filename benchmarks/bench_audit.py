"""Measure how long `provchain audit` takes, next to a peer measured in the same minutes on the same machine.

    python benchmarks/bench_audit.py [--repeat N] [STUDY...]

Without a study it takes the two examples, and, if PROVCHAIN_CORPUS names a directory, every run directory below it (one
that holds a proposal or a trace). Seconds depend on the machine, so what counts is the ratio: the peer is what a user
of the plain libraries pays, start Python, import prov and rdflib, and read the same study's PROV-JSON. Where no
PROV-JSON can be exported the peer is the start alone, marked with a star.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
MARKS = ("proposal.md", "claude_output.json", "codex_log.log", "gemini_log.log")
PROVCHAIN = [sys.executable, "-c", "import sys; from provchain.cli import main; sys.exit(main())"]
START = "import prov.model, rdflib"
READ = f"{START}, sys; prov.model.ProvDocument.deserialize(sys.argv[1])"
TIME_LIMIT_S = 300


def run_directories(corpus: Path) -> Iterator[Path]:
    """Yield the directories below a corpus that look like a run, outermost first."""
    for folder, inner, files in os.walk(corpus):
        if any(mark in files for mark in MARKS):
            inner.clear()
            yield Path(folder)


def seconds(command: Sequence[str], repeat: int, allowed: tuple[int, ...] = (0,)) -> tuple[float, str] | None:
    """Return the best time of several calls and the last output, or nothing where a call fails."""
    times = []
    output = ""
    for _ in range(repeat):
        began = time.perf_counter()
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
        except subprocess.TimeoutExpired:
            return None
        times.append(time.perf_counter() - began)
        if done.returncode not in allowed:
            return None
        output = done.stdout
    return min(times), output


def peer(study: Path, repeat: int, start: float) -> tuple[float, str]:
    """Time the plain libraries on the exported study."""
    with tempfile.TemporaryDirectory() as folder:
        exported = Path(folder) / "study.json"
        written = seconds([*PROVCHAIN, "export", str(study), "-o", str(exported)], 1)
        read = seconds([sys.executable, "-c", READ, str(exported)], repeat) if written and exported.exists() else None
    return (read[0], "") if read else (start, "*")


def megabytes(study: Path) -> float:
    return sum(path.stat().st_size for path in study.rglob("*") if path.is_file()) / 1e6


def measure(studies: Sequence[Path], repeat: int) -> list[float]:
    """Print one line for each study and return the ratios."""
    start = seconds([sys.executable, "-c", START], repeat)
    if start is None:
        sys.exit("the peer, prov and rdflib, does not start")
    print(f"{'study':40} {'MB':>7} {'claims':>7} {'audit s':>8} {'peer s':>8} {'ratio':>7}")
    ratios = []
    for study in studies:
        name = "/".join(study.parts[-2:])
        audited = seconds([*PROVCHAIN, "audit", str(study), "--format", "json"], repeat, allowed=(0, 1))
        if audited is None or not audited[1].startswith("{"):
            print(f"{name:40} {megabytes(study):7.2f} could not be audited")
            continue
        took, output = audited
        peer_took, mark = peer(study, repeat, start[0])
        ratios.append(took / peer_took)
        claims = len(json.loads(output)["claims"])
        print(
            f"{name:40} {megabytes(study):7.2f} {claims:7} {took:8.3f} {peer_took:7.3f}{mark or ' '} {ratios[-1]:7.2f}"
        )
    return ratios


def main() -> None:
    """Measure and sum up."""
    parser = argparse.ArgumentParser(description="Time provchain audit against the plain PROV libraries.")
    parser.add_argument("studies", nargs="*", type=Path, help="run directories (default: the examples and the corpus)")
    parser.add_argument("--repeat", type=int, default=3, help="calls of which the fastest counts (default: 3)")
    arguments = parser.parse_args()
    corpus = os.environ.get("PROVCHAIN_CORPUS")
    found = sorted(run_directories(Path(corpus))) if corpus else []
    studies = arguments.studies or [EXAMPLES / "substituted", EXAMPLES / "repaired", *found]
    ratios = measure(studies, max(1, arguments.repeat))
    if not ratios:
        sys.exit("no study could be audited")
    print(f"\nratio: median {statistics.median(ratios):.2f}, worst {max(ratios):.2f}")
    print(f"{len(ratios)} of {len(studies)} studies audited")
    print("* start of the libraries alone")


if __name__ == "__main__":
    main()
