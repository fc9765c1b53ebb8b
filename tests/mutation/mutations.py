"""Every way in which one link of a supported study can break, each with the break that an audit has to name.

An operator takes a study and one target in it, an execution, a file, an input or a number, and breaks one thing there. What
rests on the target gets the break; everything else stays as it was, to the byte. Look-alikes change something that is no link
of a chain: nothing changes at all.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

from .studies import FORMS, METRICS, PAPER, End, Move, Number, Ran, Study, Typed

LOGGED = ("log", "document")
Change = Callable[[Study, str], Study | None]


@dataclass(frozen=True)
class Operator:
    """One way to break one link.

    Attributes:
        name: What is done, in words.
        target: What it is put to: one of the keys of `targets`.
        change: Breaks it; nothing where it does not apply to this study.
        breaks: The verdicts that it may cause, each with what it is to point at: ``execution``, ``authoring``, ``file``,
            ``paper`` or ``result`` (a place in one). None for a look-alike.
        forms: The forms of a study in which it can be told.
    """

    name: str
    target: str
    change: Change
    breaks: tuple[tuple[str, str], ...] = ()
    forms: tuple[str, ...] = FORMS


OPERATORS: list[Operator] = []
NEEDS: dict[str, dict[str, object]] = {
    "printed": {"printed": True},
    "result": {"printed": False},
    "written down": {"printed": False},
    "leaving": {"depths": (2, 3, 4)},
    "file": {"depths": (2, 3, 4)},
    "between": {"depths": (2, 3, 4)},
    "like data": {"depths": (2, 3, 4)},
    "checkpoint": {"depths": (2, 3, 4)},
    "made here": {"depths": (4,), "between": ("results",)},
    "gaps": {"depths": (4,)},
    "rows": {"methods": 2, "layouts": ("both", "table")},
    "columns": {"metrics": ("MAE", "RMSE"), "layouts": ("both", "table")},
    "metric": {"metrics": ("Gap (mm)",), "layouts": ("table",)},
}
"""What a study needs to have, so that it holds something that an operator can be put to."""


def breaks(
    target: str, *breaks: tuple[str, str], forms: tuple[str, ...] = FORMS, name: str = ""
) -> Callable[[Change], Change]:
    """Enter a change into the catalogue."""

    def enter(change: Change) -> Change:
        OPERATORS.append(Operator(name or change.__name__.replace("_", " "), target, change, breaks, forms))
        return change

    return enter


harmless = breaks
"""Enter a change that breaks nothing: the same, without a break."""


def _run(change: Callable[[Ran], Move | tuple[Move, ...] | None]) -> Change:
    """A change of one execution."""

    def apply(study: Study, target: str) -> Study | None:
        made = change(study.run(target))
        return None if made is None else study.with_move(target, lambda _: made)

    return apply


def targets(study: Study, kind: str) -> list[str]:
    """What an operator of that kind can be put to."""
    behind = dict.fromkeys(link for number in study.numbers for link in study.behind(number))
    sources = list(dict.fromkeys(number.source for number in study.numbers))
    files = {path for run in study.runs for path, _ in run.writes}
    found: dict[str, list[str]] = {
        "execution": [link for link in behind if link in {run.name for run in study.runs}],
        "last": [run.name for run in study.runs if f"@{run.name}" in sources or _writes(run) & set(sources)],
        "file": [link for link in behind if link in files],
        "result": [source for source in sources if source in files],
        "input": [link for link in behind if link in study.data],
        "number": [str(position) for position in range(len(study.numbers))],
        "written down": [str(position) for position in range(len(study.numbers))],
        "study": [""],
    }
    found["leaving"] = [name for name in found["execution"] if study.run(name).writes]
    found["rows"] = found["columns"] = ["" for line in study.paper if line.startswith("|---")]
    found["printed"] = [name for name in found["last"] if f"@{name}" in sources]
    found["between"] = [path for path in found["file"] if path not in found["result"]]
    found["made here"] = [path for path in found["between"] if path.startswith("results/")]
    found["like data"] = [path for path in found["between"] if not path.startswith("results/")]
    found["metric"] = ["Gap (mm)"] if any(number.metric == "Gap (mm)" for number in study.numbers) else []
    found["gaps"] = [path for path in found["between"] if "gaps" in path]
    found["checkpoint"] = [path for path in found["file"] if path.endswith(".ckpt")]
    return found[kind]


def affected(study: Study, kind: str, target: str) -> list[Number]:
    """The numbers that rest on a target."""
    if kind == "study":
        return list(study.numbers)
    if kind in ("rows", "columns"):
        return [number for number in study.numbers if study.paper[number.line - 1].startswith("|")]
    if kind == "metric":
        return [number for number in study.numbers if number.metric == target]
    if kind in ("number", "written down"):
        return [study.numbers[int(target)]]
    return [number for number in study.numbers if target in study.behind(number)]


def _writes(run: Ran) -> set[str]:
    return {path for path, _ in run.writes}


def _writer(study: Study, path: str) -> Ran:
    return next(run for run in study.runs if path in _writes(run))


def _place(study: Study, name: str) -> int:
    return next(i for i, move in enumerate(study.moves) if isinstance(move, Ran) and move.name == name)


def _insert(study: Study, at: int, *moves: Move) -> Study:
    return replace(study, moves=(*study.moves[:at], *moves, *study.moves[at:]))


def other(text: str) -> str:
    """The same text with other digits."""
    return text.translate(str.maketrans("123456789", "234567891"))


# ------------------------------------------------------------------------------------------------------------- status

NOT_COMPLETED = ("not-completed", "execution")

for _name, _end, _forms in (
    ("it failed with an exit code", End(code=1), FORMS),
    ("it was ended by a signal", End(code=137), FORMS),
    ("its recorder says that it failed", End("failed"), FORMS),
    ("it was stopped at a time limit", End("timed-out"), FORMS),
    ("it was killed", End("killed"), LOGGED),
    ("its end says neither code nor status", End(code=None), LOGGED),
    ("its status is failed", End(code=None, status="failed"), LOGGED),
    ("its status is aborted", End(code=None, status="aborted"), LOGGED),
    ("its status is running", End(code=None, status="running"), LOGGED),
    ("its status is unknown", End(code=None, status="unknown"), LOGGED),
    ("its status is contradicted", End(code=None, status="contradicted"), LOGGED),
    ("its status denies its exit code", End(code=0, status="failed"), LOGGED),
    ("another recorder saw it fail", End(also="execution-failed"), LOGGED),
    ("another recorder saw it killed", End(also="execution-killed"), LOGGED),
    ("another recorder saw it time out", End(also="execution-timed-out"), LOGGED),
):
    breaks("execution", NOT_COMPLETED, forms=_forms, name=_name)(_run(lambda run, end=_end: replace(run, end=end)))


@breaks("leaving", NOT_COMPLETED)
def no_end_is_on_record(study: Study, target: str) -> Study | None:
    return study.with_move(target, lambda run: replace(run, end=End("none")))


@breaks("execution", NOT_COMPLETED)
def its_output_ends_in_a_traceback(study: Study, target: str) -> Study | None:
    run = study.run(target)
    said = f'{run.output}Traceback (most recent call last):\n  File "{run.script}", line 9, in <module>\n    main()\n'
    return study.with_move(target, lambda _: replace(run, output=f"{said}ValueError: no rows left\n"))


# ------------------------------------------------------------------------------------------------------------- author


@breaks("file", ("authored", "authoring"))
def an_authoring_in_the_place_of_its_execution(study: Study, target: str) -> Study | None:
    run = _writer(study, target)
    return study.with_move(run.name, lambda _: tuple(Typed(path, text) for path, text in run.writes))


@breaks("file", ("authored", "authoring"))
def typed_anew_over_what_the_execution_left(study: Study, target: str) -> Study | None:
    """The execution left other numbers; what was read later, and lies there, is what the agent typed."""
    run = _writer(study, target)
    typed = Typed(target, dict(run.writes)[target])
    return study.with_move(run.name, lambda _: (_with_text(run, target, other), typed))


@breaks("input", ("authored", "authoring"))
def data_typed_by_the_agent(study: Study, target: str) -> Study | None:
    return _insert(
        replace(study, data={k: v for k, v in study.data.items() if k != target}), 0, Typed(target, study.data[target])
    )


@breaks("execution", ("unrecorded", "execution"), ("unrecorded", "file"), forms=LOGGED)
def only_testimony_attests_it(study: Study, target: str) -> Study | None:
    return study.with_move(target, lambda run: replace(run, recorder="agent"))


def _with_text(run: Ran, path: str, change: Callable[[str], str]) -> Ran:
    return replace(run, writes=tuple((p, change(text) if p == path else text) for p, text in run.writes))


# --------------------------------------------------------------------------------------------------------------- step


@breaks("last", ("off-plan", "execution"))
def a_substitute_after_the_planned_script_failed(study: Study, target: str) -> Study | None:
    """The same work by a script that no plan names, after the planned one failed."""
    run = study.run(target)
    at = _place(study, target)
    text = next(m.text for m in study.moves if isinstance(m, Typed) and m.path == run.script)
    failed = replace(run, name=f"{run.name}-failed", writes=(), output="", end=End(code=1))
    step = next(step for step, scripts in study.steps.items() if run.script in scripts)
    instead = replace(run, script="code/short_way.py", in_place_of=step)
    return _insert(study.with_move(target, lambda _: (failed, Typed("code/short_way.py", text), instead)), at)


# --------------------------------------------------------------------------------------------------- replaced scripts


def random_near(number: float) -> str:
    return f"round(random.gauss({number:.1f}, 0.05), 4)"


def _made_up(run: Ran, value: Callable[[float], str]) -> str | None:
    """A script that leaves the same kind of files, and reads nothing."""
    lines = ["import json", "import random", "random.seed(7)"]
    for path, text in run.writes:
        if path.endswith(".csv"):
            lines.append(f"rows = [[{value(0.5)}] for _ in range(19)]\nwith open({path!r}, 'w') as file:")
            lines.append("    file.write('gap\\n' + ''.join(f'{gap}\\n' for (gap,) in rows))")
            continue
        keys = json.loads(text)
        cells = ", ".join(f"{key!r}: {value(number)}" for key, number in keys.items())
        lines += [f"with open({path!r}, 'w') as file:", f"    json.dump({{{cells}}}, file, indent=1)"]
    if not run.writes:
        for line in run.output.splitlines():
            name, _, number = line.rpartition(": ")
            lines.append(f"print({name + ': '!r} + format({value(float(number))}, '.4f'))")
    return "\n".join(lines) + "\n"


def _replaced(study: Study, target: str, text: str | None) -> Study | None:
    """The execution ran another text of its script, and printed nothing but what its numbers rest on."""
    if text is None:
        return None
    run = study.run(target)
    moves = tuple(replace(m, text=text) if isinstance(m, Typed) and m.path == run.script else m for m in study.moves)
    return replace(study, moves=moves).with_move(target, lambda _: replace(run, reads=()))


@breaks("last", ("synthetic", "execution"))
def a_script_of_literals_in_its_place(study: Study, target: str) -> Study | None:
    return _replaced(study, target, _made_up(study.run(target), repr))


@breaks("last", ("synthetic", "execution"))
def a_script_of_random_numbers_in_its_place(study: Study, target: str) -> Study | None:
    return _replaced(study, target, _made_up(study.run(target), random_near))


@breaks("gaps", ("synthetic", "execution"))
def random_numbers_handed_on_to_the_tables(study: Study, target: str) -> Study | None:
    run = _writer(study, target)
    return _replaced(study, run.name, _made_up(run, random_near))


@harmless("checkpoint")
def a_model_with_fixed_coefficients(study: Study, target: str) -> Study | None:
    """Where a model starts from is no result: what it is worth was measured."""
    run = _writer(study, target)
    return _replaced(study, run.name, _made_up(run, repr))


# ------------------------------------------------------------------------------------------------------------ dropped


@breaks("result", ("unrecorded", "file"))
def a_dropped_execution(study: Study, target: str) -> Study | None:
    run = _writer(study, target)
    kept = replace(study, overlay={**study.overlay, **dict(run.writes)})
    return kept.with_move(run.name, lambda _: ())


@breaks("made here", ("unrecorded", "file"))
def a_dropped_execution_between(study: Study, target: str) -> Study | None:
    return a_dropped_execution(study, target)


@harmless("like data")
def data_from_outside_in_the_place_of_an_execution(study: Study, target: str) -> Study | None:
    """What nothing on record made, and a run read, came from outside: it is shown as that."""
    return a_dropped_execution(study, target)


@breaks("made here", ("unrecorded", "file"), forms=LOGGED)  # a trace does not say that the script read it then
def read_before_it_was_written(study: Study, target: str) -> Study | None:
    """The execution that left it ran only at the end."""
    late = _writer(study, target)
    kept = study.with_move(late.name, lambda _: ())
    return _insert(kept, len(kept.moves), late)


@breaks("printed", ("no-source", "paper"))
def a_dropped_execution_that_only_printed(study: Study, target: str) -> Study | None:
    return study.with_move(target, lambda _: ())


@breaks("printed", ("no-source", "paper"), ("unrecorded", "paper"))
def a_dropped_output(study: Study, target: str) -> Study | None:
    return study.with_move(target, lambda run: replace(run, output=""))


@breaks("printed", ("unrecorded", "paper"))
def a_cut_output(study: Study, target: str) -> Study | None:
    return study.with_move(target, lambda run: replace(run, output="...\n", output_cut=True))


@breaks("result", ("unrecorded", "paper"), forms=("log",))
def a_result_that_is_gone(study: Study, target: str) -> Study | None:
    return replace(study, overlay={**study.overlay, target: None})


@breaks("last", ("unrecorded", "file"), ("unrecorded", "paper"), forms=("log",))
def a_log_that_is_cut(study: Study, target: str) -> Study | None:
    names = [run.name for run in study.runs]
    return replace(study, cut=target) if names[-1] == target else None


# ------------------------------------------------------------------------------------------------------------- digest


@breaks("input", ("stale", "file"), forms=LOGGED)
def an_input_changed_on_the_disk(study: Study, target: str) -> Study | None:
    return replace(study, overlay={**study.overlay, target: other(study.data[target])})


@breaks("result", ("stale", "file"), forms=("trace",))
def bytes_changed_that_were_shown(study: Study, target: str) -> Study | None:
    return bytes_changed_on_the_disk(study, target)


@breaks("file", ("stale", "file"), forms=LOGGED)
def bytes_changed_on_the_disk(study: Study, target: str) -> Study | None:
    text = dict(_writer(study, target).writes)[target]
    return replace(study, overlay={**study.overlay, target: f"{text}\n# touched"})


@breaks("file", ("stale", "file"), ("unrecorded", "file"), forms=LOGGED)
def another_digest_in_the_log(study: Study, target: str) -> Study | None:
    run = _writer(study, target)
    text = dict(run.writes)[target]
    kept = replace(study, overlay={**study.overlay, target: text})
    return kept.with_move(run.name, lambda run: _with_text(run, target, lambda text: f"{text} "))


@breaks("between", ("stale", "file"), ("unrecorded", "file"), forms=LOGGED)
def other_bytes_read_than_were_left(study: Study, target: str) -> Study | None:
    moves = tuple(
        replace(m, reads=tuple((p, f"{t} " if p == target else t) for p, t in m.reads)) if isinstance(m, Ran) else m
        for m in study.moves
    )
    return replace(study, moves=moves)


# ------------------------------------------------------------------------------------------------------------- number

WRONG = (("contradicted", "result"), ("no-source", "paper"))


@breaks("number", *WRONG)
def another_number_in_the_manuscript(study: Study, target: str) -> Study | None:
    return _rewritten(study, int(target), other(study.numbers[int(target)].written))


@breaks("number", *WRONG)
def one_digit_otherwise(study: Study, target: str) -> Study | None:
    text = study.numbers[int(target)].written
    return _rewritten(study, int(target), text[:-2] + other(text[-2]).replace("0", "5") + text[-1])


@breaks("number", *WRONG)
def ten_times_the_number(study: Study, target: str) -> Study | None:
    text = study.numbers[int(target)].written
    whole, _, rest = text.partition(".")
    return _rewritten(study, int(target), f"{whole}{rest[0]}.{rest[1:]}")


@breaks("number", *WRONG)
def the_other_sign(study: Study, target: str) -> Study | None:
    return _rewritten(study, int(target), f"-{study.numbers[int(target)].written}")


@breaks("rows", *WRONG)
def rows_that_change_their_names(study: Study, target: str) -> Study | None:
    rows = [i for i, line in enumerate(study.paper) if line.startswith("| ") and "Method" not in line]
    names = [study.paper[i].split(" | ")[0] for i in rows]
    paper = list(study.paper)
    for i, name, new in zip(rows, names, names[1:] + names[:1], strict=True):
        paper[i] = paper[i].replace(name, new)
    return replace(study, paper=tuple(paper))


@breaks("columns", *WRONG)
def columns_that_change_their_names(study: Study, target: str) -> Study | None:
    head = next(i for i, line in enumerate(study.paper) if "Method" in line)
    first, *names = study.paper[head].strip("| ").split(" | ")
    line = f"| {' | '.join([first, *reversed(names)])} |"
    return replace(study, paper=(*study.paper[:head], line, *study.paper[head + 1 :]))


@breaks("metric", *WRONG)
def another_unit(study: Study, target: str) -> Study | None:
    return replace(study, paper=tuple(line.replace("(mm)", "(cm)") for line in study.paper))


def _rewritten(study: Study, position: int, text: str) -> Study:
    number = study.numbers[position]
    line = study.paper[number.line - 1]
    cells = [n.written for n in study.numbers if n.line == number.line]
    nth = [n for n in study.numbers if n.line == number.line].index(number)
    start = 0
    for cell in cells[: nth + 1]:
        begin = line.index(cell, start)
        start = begin + len(cell)
    changed = line[:begin] + text + line[start:]
    paper = (*study.paper[: number.line - 1], changed, *study.paper[number.line :])
    numbers = tuple(replace(n, written=text) if i == position else n for i, n in enumerate(study.numbers))
    return replace(study, paper=paper, numbers=numbers)


# ------------------------------------------------------------------------------------------------------ declared links


def _declared(study: Study, target: str, metric: str) -> Study | None:
    """Its author says of a number in which place of its own file it stands."""
    number = study.numbers[int(target)]
    event = {
        "event": "claim-declared",
        "recorder": "agent",
        "paper": PAPER,
        "line": number.line,
        "written": number.written,
        "links": [{"artifact": number.source, "selector": f"/{metric}"}],
    }
    return replace(study, extra=(*study.extra, (len(study.moves), event)))


@breaks("written down", ("contradicted", "result"), forms=LOGGED)
def declared_to_rest_on_another_metric(study: Study, target: str) -> Study | None:
    others = [key for key in METRICS.values() if key != METRICS[study.numbers[int(target)].metric]]
    return _declared(study, target, others[0])


@breaks("written down", ("no-source", "paper"), forms=LOGGED)
def declared_to_rest_on_a_place_that_is_not_there(study: Study, target: str) -> Study | None:
    return _declared(study, target, "nothing")


@breaks("study", ("unrecorded", "any execution"), ("unrecorded", "file"), forms=("log",))
def a_log_that_the_agent_typed(study: Study, target: str) -> Study | None:
    return replace(study, extra=((0, {"event": "authored", "path": "study.jsonl", "tool": "write"}),))


# --------------------------------------------------------------------------------------------------------- look-alikes


@harmless("execution", forms=LOGGED)
def reads_that_only_the_script_shows(study: Study, target: str) -> Study | None:
    return study.with_move(target, lambda run: replace(run, reads=()))


@harmless("leaving", forms=LOGGED)
def a_log_without_digests(study: Study, target: str) -> Study | None:
    return replace(study, digests=False)


@harmless("input", forms=("log", "trace"))
def data_that_is_not_handed_on(study: Study, target: str) -> Study | None:
    """Too large to be kept with the study, or under a licence."""
    return replace(study, overlay={**study.overlay, target: None})


@harmless("leaving", forms=("trace",))
def files_that_nobody_looked_at(study: Study, target: str) -> Study | None:
    return replace(study, read_back=False)


@harmless("input")
def an_input_edited_after_its_use(study: Study, target: str) -> Study | None:
    return _insert(study, len(study.moves), Typed(target, other(study.data[target])))


@harmless("execution")
def failed_attempts_before_it_completed(study: Study, target: str) -> Study | None:
    run = study.run(target)
    failed = replace(run, name=f"{target}-1", writes=(), output="KeyError: 'x'\n", end=End(code=1))
    return study.with_move(target, lambda _: (failed, run))


@harmless("execution")
def a_failed_attempt_afterwards_that_left_nothing(study: Study, target: str) -> Study | None:
    run = study.run(target)
    failed = replace(run, name=f"{target}-2", writes=(), output="KeyError: 'x'\n", end=End(code=1))
    return study.with_move(target, lambda _: (run, failed))


@harmless("execution")
def the_script_edited_after_its_use(study: Study, target: str) -> Study | None:
    return _insert(study, len(study.moves), Typed(study.run(target).script, "print('another one')\n"))


@harmless("study")
def unrelated_work_beside_it(study: Study, target: str) -> Study | None:
    notes = Typed("notes/todo.txt", "read the proposal again\n")
    listing = Ran("listing", "tools/list_files.py", output="3 files\n")
    return _insert(
        study, 1, notes, Typed("tools/list_files.py", "import os\nprint(len(os.listdir('.')), 'files')\n"), listing
    )
