"""Small studies that are supported, as hypothesis strategies: scripts that are really run, and a record that says so.

A study is told in moves: the agent typed a file, an execution ran. From its moves come the three forms in which it is recorded:
a log and a document of events (`provchain-study/1`), and the message list of an agent. A mutation changes a move, what lies on
the disk or the words of the manuscript, and so all forms alike.
"""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

IN_FULL = (".csv", ".ckpt")  # what is handed on between executions: no results
SCORED = re.compile(r"\b\d+\.\d+\b")
HOME = "/home/user/study"
PAPER = "results.md"
METHODS = ("ridge", "lasso", "spline", "kernel", "forest")
METRICS = {"MAE": "MAE", "RMSE": "RMSE", "Gap (mm)": "gap_mm"}  # as a column is headed, and as a result is called
FORMS = ("log", "document", "trace")

READ_CSV = """
def read(path):
    with open(path, newline="") as file:
        return [[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]
"""
FIT = """
def fit(rows):
    mean_x = sum(x for x, _ in rows) / len(rows)
    mean_y = sum(y for _, y in rows) / len(rows)
    across = sum((x - mean_x) * (y - mean_y) for x, y in rows)
    slope = across / (sum((x - mean_x) ** 2 for x, _ in rows) + {penalty})
    return {{"slope": slope, "intercept": mean_y - slope * mean_x}}
"""
SCORE = """
def score(gaps):
    return {
        "MAE": round(sum(gaps) / len(gaps), 4),
        "RMSE": round(math.sqrt(sum(gap * gap for gap in gaps) / len(gaps)), 4),
        "gap_mm": round((max(gaps) - min(gaps)) / 2, 4),
    }
"""
GAPS = "gaps = [abs(y - model['intercept'] - model['slope'] * x) for x, y in rows]\n"
PREPARE = "import csv\n{read}\nrows = [row for row in read('{source}') if abs(row[1]) < 50]\n{write}print('kept', len(rows), 'rows')\n"
WRITE_ROWS = """with open('{target}', 'w', newline='') as file:
    writer = csv.writer(file, lineterminator='\\n')
    writer.writerow(['x', 'y'])
    writer.writerows(rows)
"""
WRITE_GAPS = """with open('{target}', 'w', newline='') as file:
    writer = csv.writer(file, lineterminator='\\n')
    writer.writerow(['gap'])
    writer.writerows([[repr(gap)] for gap in gaps])
"""


# -------------------------------------------------------------------------------------------------------------- moves


@dataclass(frozen=True)
class End:
    """How an execution ended, as its recorder says.

    Attributes:
        kind: ``exit`` (with ``code``), ``failed``, ``timed-out``, ``killed``, ``none`` (no end is recorded) or ``status``.
        code: The exit code.
        status: The recorder's word, instead of the exit code or beside it.
        also: A second end that another observer recorded.
    """

    kind: str = "exit"
    code: int | None = 0
    status: str | None = None
    also: str | None = None


@dataclass(frozen=True)
class Typed:
    """The agent wrote a file itself."""

    path: str
    text: str


@dataclass(frozen=True)
class Ran:
    """An execution ran a script.

    Attributes:
        name: Unique in the study.
        script: The script.
        reads: Paths of the data and checkpoints that it read, each with what it held.
        writes: Paths of what it left, each with its text.
        output: What it printed.
        end: How it ended.
        recorder: Who attests it.
        in_place_of: Id of the step for which it stands in.
        output_cut: Part of its output is left out.
    """

    name: str
    script: str
    reads: tuple[tuple[str, str], ...] = ()
    writes: tuple[tuple[str, str], ...] = ()
    output: str = ""
    end: End = End()
    recorder: str = "harness"
    in_place_of: str | None = None
    output_cut: bool = False

    @property
    def command(self) -> str:
        return f"python {self.script}"


Move = Typed | Ran


@dataclass(frozen=True)
class Number:
    """A number of the manuscript: where it stands, and the file or output in which its value lies."""

    line: int
    written: str
    method: str
    metric: str
    source: str


@dataclass(frozen=True)
class Study:
    """A study with all that is known of it.

    Attributes:
        data: Files that were there before, by path.
        moves: What happened, in order.
        steps: The scripts of each planned step, the entry point first.
        paper: The lines of the manuscript.
        numbers: Its claims.
        overlay: What lies on the disk otherwise than the moves left it; ``None`` for a file that is gone.
        digests: The log says the digests of what was read and written.
        extra: More events of the log, each behind a move: its index, and the event.
        cut: The log ends within the line that starts the execution of that name.
        read_back: The agent looked at each file that an execution left (`cat`), so that a trace shows its bytes.
    """

    data: dict[str, str]
    moves: tuple[Move, ...]
    steps: dict[str, tuple[str, ...]]
    paper: tuple[str, ...]
    numbers: tuple[Number, ...]
    overlay: dict[str, str | None] = field(default_factory=dict)
    digests: bool = True
    extra: tuple[tuple[int, dict[str, Any]], ...] = ()
    cut: str | None = None
    read_back: bool = True

    @property
    def runs(self) -> tuple[Ran, ...]:
        return tuple(move for move in self.moves if isinstance(move, Ran))

    def run(self, name: str) -> Ran:
        return next(run for run in self.runs if run.name == name)

    def with_move(self, name: str, change: Callable[[Ran], Move | tuple[Move, ...]]) -> Study:
        """The same study, but for one execution."""
        moves: list[Move] = []
        for move in self.moves:
            new = change(move) if isinstance(move, Ran) and move.name == name else move
            moves.extend(new if isinstance(new, tuple) else (new,))
        return replace(self, moves=tuple(moves))

    def behind(self, number: Number) -> list[str]:
        """Names of the executions, and paths of the files, that a number rests on, the nearest first."""
        writers = {path: run for run in self.runs for path, _ in run.writes}
        writers |= {f"@{run.name}": run for run in self.runs}
        found, queue = [], [number.source]
        while queue:
            path = queue.pop(0)
            run = writers.get(path)
            found += [path] + ([run.name] if run is not None else [])
            queue += [path for path, _ in run.reads] if run is not None else []
        return list(dict.fromkeys(found))

    def disk(self) -> dict[str, str]:
        """What lies there at the end."""
        files = dict(self.data)
        for move in self.moves:
            files.update({move.path: move.text} if isinstance(move, Typed) else dict(move.writes))
        files[PAPER] = "\n".join(self.paper) + "\n"
        files["proposal.md"] = proposal(self)
        return {path: text for path, text in (files | self.overlay).items() if text is not None}


def proposal(study: Study) -> str:
    lines = ["# Proposal: predicting y from x", "", "## Experiments", ""]
    for step, scripts in study.steps.items():
        lines.append(f"- {step}: carried out by {', '.join(f'`{script}`' for script in scripts)}.")
    return "\n".join(lines) + "\n"


# -------------------------------------------------------------------------------------------------------------- forms


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def written(study: Study, form: str, folder: Path) -> Path:
    """Put a study into a folder in one of its forms."""
    files = study.disk()
    if form == "trace":
        files["claude_output.json"] = json.dumps(messages(study), indent=1)
    elif form == "log":
        files["study.jsonl"] = log_text(study)
    else:
        document = {
            **header(),
            "events": [*events(study), *({"event": "file-found", "path": p, "text": t} for p, t in files.items())],
        }
        files = {"study.json": json.dumps(document, indent=1)}
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    return folder


def header() -> dict[str, Any]:
    recorders = [("harness", "observer"), ("scheduler", "observer"), ("agent", "testimony")]
    return {
        "format": "provchain-study/1",
        "title": "Predicting y from x",
        "root": HOME,
        "recorders": [{"id": name, "kind": kind} for name, kind in recorders],
    }


def log_text(study: Study) -> str:
    lines = [json.dumps(header()), *map(json.dumps, events(study))]
    if study.cut is not None:
        first = next(i for i, line in enumerate(lines) if f'"execution": "{study.cut}"' in line)
        return "\n".join([*lines[:first], lines[first][: len(lines[first]) // 2]])
    return "\n".join(lines) + "\n"


def events(study: Study) -> list[dict[str, Any]]:
    """The events of a log, with a time each."""
    found: list[dict[str, Any]] = [{"event": "plan-declared", "plan": "p1", "path": "proposal.md"}]
    found += [{"event": "step-declared", "step": step, "scripts": list(s)} for step, s in study.steps.items()]
    for index, move in enumerate(study.moves):
        found += [event for at, event in study.extra if at == index]
        found += _typing(move) if isinstance(move, Typed) else _running(move, study.digests)
    found += [event for at, event in study.extra if at >= len(study.moves)]
    paper = "\n".join(study.paper) + "\n"
    found.append({"event": "authored", "path": PAPER, "tool": "write", "sha256": digest(paper)})
    return [
        {"time": f"2025-03-03T{9 + i // 60:02}:{i % 60:02}:00+00:00", "recorder": "harness", **event}
        for i, event in enumerate(found)
    ]


def _typing(move: Typed) -> list[dict[str, Any]]:
    return [{"event": "authored", "path": move.path, "tool": "write", "sha256": digest(move.text), "text": move.text}]


def _running(run: Ran, digests: bool) -> list[dict[str, Any]]:
    of = {"recorder": run.recorder, "execution": run.name}
    start = {"event": "execution-started", **of, "command": run.command}
    if run.in_place_of:
        start["in_place_of"] = run.in_place_of
    found: list[dict[str, Any]] = [start]
    for name, files in (("file-read", run.reads), ("file-written", run.writes)):
        for path, text in files:
            found.append({"event": name, **of, "path": path, **({"sha256": digest(text)} if digests else {})})
    return [*found, *_ends(run, of)]


def _ends(run: Ran, of: dict[str, Any]) -> list[dict[str, Any]]:
    end = run.end
    said: dict[str, Any] = {**of, **({"output": run.output} if run.output else {})}
    if run.output_cut:
        said["output_cut"] = True
    if end.kind == "none":
        return []
    if end.kind == "exit":
        said |= {key: value for key, value in (("exit_code", end.code), ("status", end.status)) if value is not None}
    name = {"exit": "execution-ended"}.get(end.kind, f"execution-{end.kind}")
    found = [{"event": name, **said}]
    if end.also is not None:
        found.append({"event": end.also, **of, "recorder": "scheduler"})
    return found


def messages(study: Study) -> list[dict[str, Any]]:
    """The message list of an agent that did the same."""
    found: list[dict[str, Any]] = [{"role": "user", "content": "Carry out the proposal and report in results.md."}]
    for move in study.moves:
        if isinstance(move, Typed):
            _call(found, "Write", {"file_path": f"{HOME}/{move.path}", "content": move.text}, "File written")
            continue
        _call(found, "Bash", {"command": move.command}, *_came_back(move))
        for path, text in move.writes if study.read_back else ():
            _call(found, "Bash", {"command": f"cat {path}"}, text)
    paper = "\n".join(study.paper) + "\n"
    _call(found, "Write", {"file_path": f"{HOME}/{PAPER}", "content": paper}, "File written")
    return found


def _came_back(run: Ran) -> tuple[str | None, bool]:
    output = run.output
    if run.output_cut:
        output = f"{output}\n\n... [400 lines truncated] ...\n\ndone"
    end = run.end
    if end.kind == "none":
        return None, False
    if end.kind == "timed-out":
        return f"Command timed out after 2m 0.0s {output}", True
    if end.kind == "failed" or end.code:
        return f"Exit code {end.code or 1}\n{output}", True
    return output, False


def _call(
    found: list[dict[str, Any]], tool: str, given: dict[str, str], output: str | None, is_error: bool = False
) -> None:
    key = f"toolu_{len(found):04}"
    block = {"type": "tool_use", "id": key, "name": tool, "input": given}
    found.append({"role": "assistant", "content": [block]})
    if output is not None:
        flag = {"is_error": True} if is_error else {}
        found.append(
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": key, "content": output, **flag}]}
        )


# ---------------------------------------------------------------------------------------------------------- executing


class _Files(io.StringIO):
    """A file that is kept in a dictionary when it is closed."""

    def __init__(self, text: str, keep: Callable[[str], None] | None = None) -> None:
        super().__init__(text)
        self._keep = keep

    def close(self) -> None:
        if self._keep is not None and not self.closed:
            self._keep(self.getvalue())
        super().close()


def execute(script: str, text: str, disk: dict[str, str], name: str) -> Ran:
    """Run a script on files in memory, and tell what it read, left and printed."""
    reads: dict[str, str] = {}
    writes: dict[str, str] = {}
    printed: list[str] = []

    def open_(path: str, mode: str = "r", newline: str | None = None) -> _Files:
        if mode == "r":
            reads[path] = {**disk, **writes}[path]
            return _Files(reads[path])
        return _Files("", lambda kept: writes.__setitem__(path, kept))

    def print_(*words: object) -> None:
        printed.append(" ".join(map(str, words)))

    exec(compile(text, script, "exec"), {"open": open_, "print": print_, "__name__": "__main__"})
    disk.update(writes)
    return Ran(name, script, tuple(reads.items()), tuple(writes.items()), "".join(f"{line}\n" for line in printed))


# ---------------------------------------------------------------------------------------------------------- generator


@dataclass(frozen=True)
class Shape:
    """What a study looks like.

    Attributes:
        seed: Of its data.
        depth: How many executions lie behind a number: 1 evaluate, 2 train first, 3 prepare first, 4 tables last.
        methods: One branch, and one planned step, each.
        metrics: The columns of its table.
        shared: All branches rest on one preparation, where there is one.
        printed: The numbers are only printed, not written to a file.
        layout: ``table``, ``prose`` or ``both``.
        places: Decimal places in the manuscript.
        between: The folder of what is handed on: what lies with the results was made here, whoever says what.
    """

    seed: int
    depth: int
    methods: tuple[str, ...]
    metrics: tuple[str, ...]
    shared: bool
    printed: bool
    layout: str
    places: int
    between: str = "work"


@st.composite
def shapes(
    draw: st.DrawFn,
    *,
    depths: tuple[int, ...] = (1, 2, 3, 4),
    methods: int = 1,
    metrics: tuple[str, ...] = (),
    printed: bool | None = None,
    layouts: tuple[str, ...] = ("both", "table", "prose"),
    between: tuple[str, ...] = ("work", "results"),
) -> Shape:
    """Shapes of studies: at least so many methods, at least these metrics, and a choice of everything else."""
    chosen = draw(st.lists(st.sampled_from(METHODS), min_size=methods, max_size=3, unique=True))
    least = 2 if len(chosen) == 1 else 1
    columns = draw(st.lists(st.sampled_from([*METRICS]), min_size=least, max_size=2, unique=True))
    return Shape(
        seed=draw(st.integers(0, 10**6)),
        depth=draw(st.sampled_from(depths)),
        methods=tuple(chosen),
        metrics=tuple(dict.fromkeys((*metrics, *columns)))[:2],
        shared=draw(st.booleans()),
        printed=draw(st.booleans()) if printed is None else printed,
        layout=draw(st.sampled_from(layouts)),
        places=draw(st.sampled_from([4, 3])),
        between=draw(st.sampled_from(between)),
    )


def studies(**needed: Any) -> st.SearchStrategy[Study]:
    """Supported studies: every number of their manuscript descends from completed executions alone."""
    return shapes(**needed).map(build).filter(_is_clear)


def _is_clear(study: Study) -> bool:
    """Whether no two values lie so close together that one could be read as the other, and each number has three digits."""
    texts = [text for run in study.runs for path, text in (*run.writes, ("", run.output)) if not path.endswith(IN_FULL)]
    values = sorted(float(value) for text in texts for value in SCORED.findall(text))
    apart = all(b - a > 0.02 for a, b in itertools.pairwise(values))
    return apart and all(len(n.written.replace(".", "").strip("0")) >= 3 for n in study.numbers)


def build(shape: Shape) -> Study:
    """Write the scripts of a study, run them, and report what came out."""
    data = _data(shape)
    disk = dict(data)
    moves: list[Move] = []
    steps: dict[str, tuple[str, ...]] = {}
    for method in shape.methods:
        scripts = dict(_scripts(shape, method))
        for path, text in scripts.items():
            if path not in disk:
                moves.append(Typed(path, text))
                disk[path] = text
                moves.append(execute(path, text, disk, Path(path).stem.replace("_", "-")))
        steps[f"{method} experiment"] = tuple(reversed(scripts))
    results = {method: _results(shape, method, moves) for method in shape.methods}
    paper, numbers = _paper(shape, results)
    return Study(data, tuple(moves), steps, tuple(paper), tuple(numbers))


def _data(shape: Shape) -> dict[str, str]:
    chance = random.Random(shape.seed)
    names = ["data/points.csv"] if shape.shared else [f"data/points_{method}.csv" for method in shape.methods]
    found = {}
    for name in names:
        rows = [(round(chance.uniform(-9, 9), 3), 0.0) for _ in range(19)]
        rows = [(x, round(0.8 * x + chance.gauss(0, 3), 3)) for x, _ in rows]
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["x", "y"])
        writer.writerows(rows)
        found[name] = out.getvalue()
    return found


def _scripts(shape: Shape, method: str) -> Iterator[tuple[str, str]]:
    """The scripts of one branch in the order in which they run."""
    rows = "data/points.csv" if shape.shared else f"data/points_{method}.csv"
    fit = FIT.format(penalty=150 * METHODS.index(method) + 0.25)
    model, gaps = f"models/{method}.ckpt", f"{shape.between}/gaps_{method}.csv"
    if shape.depth >= 3:
        clean = "work/clean.csv" if shape.shared else f"work/clean_{method}.csv"
        script = "code/prepare.py" if shape.shared else f"code/prepare_{method}.py"
        yield script, PREPARE.format(read=READ_CSV, source=rows, write=WRITE_ROWS.format(target=clean))
        rows = clean
    if shape.depth >= 2:
        train = f"import csv\nimport json\n{READ_CSV}{fit}\nmodel = fit(read('{rows}'))\n"
        train += f"with open('{model}', 'w') as file:\n    json.dump(model, file)\nprint('fitted {method}')\n"
        yield f"code/train_{method}.py", train
    head = f"import csv\nimport json\nimport math\n{READ_CSV}{SCORE}\n"
    evaluate = f"{head}{fit}\nrows = read('{rows}')\nmodel = fit(rows)\n{GAPS}"
    if shape.depth >= 2:
        evaluate = f"{head}\nrows = read('{rows}')\nwith open('{model}') as file:\n    model = json.load(file)\n{GAPS}"
    if shape.depth < 4:
        yield f"code/evaluate_{method}.py", f"{evaluate}{_report(shape, method)}"
        return
    yield f"code/evaluate_{method}.py", f"{evaluate}{WRITE_GAPS.format(target=gaps)}print('evaluated {method}')\n"
    yield f"code/tables_{method}.py", f"{head}\ngaps = [gap for (gap,) in read('{gaps}')]\n{_report(shape, method)}"


def _report(shape: Shape, method: str) -> str:
    if shape.printed:
        return f"for name, value in score(gaps).items():\n    print(f'{method} {{name}}: {{value:.4f}}')\n"
    return (
        f"with open('results/{method}.json', 'w') as file:\n    json.dump(score(gaps), file, indent=1)\nprint('done')\n"
    )


def _results(shape: Shape, method: str, moves: list[Move]) -> tuple[str, dict[str, float]]:
    """Where the numbers of a branch stand, and what they are."""
    last = [move for move in moves if isinstance(move, Ran) and method in move.script][-1]
    if shape.printed:
        lines = [line.split() for line in last.output.splitlines()]
        return f"@{last.name}", {name.rstrip(":"): float(value) for _, name, value in lines}
    path = f"results/{method}.json"
    return path, json.loads(dict(last.writes)[path])


def _paper(shape: Shape, results: dict[str, tuple[str, dict[str, float]]]) -> tuple[list[str], list[Number]]:
    lines = ["# Predicting y from x", "", "## Results", ""]
    numbers = []

    def number(method: str, metric: str) -> str:
        source, values = results[method]
        shown = f"{values[METRICS[metric]]:.{shape.places}f}"
        numbers.append(Number(len(lines) + 1, shown, method, metric, source))
        return shown

    if shape.layout != "prose":
        lines += [f"| Method | {' | '.join(shape.metrics)} |", "|---" * (len(shape.metrics) + 1) + "|"]
        for method in results:
            cells = [number(method, metric) for metric in shape.metrics]
            lines.append(f"| {method} | {' | '.join(cells)} |")
        lines.append("")
    if shape.layout != "table":
        for method in results:
            for metric in shape.metrics if shape.layout == "prose" else shape.metrics[:1]:
                lines += [f"The {metric} of {method} is {number(method, metric)}.", ""]
    return lines, numbers
