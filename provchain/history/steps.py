"""The plan: what the study set out to run, and which executions carry it out or stand in for it.

Steps are those the proposal names; where it names none, the entry points that were authored before the first experiment
failed and that a README, a shell script or a command names. A script that a step's script imports or starts belongs to it.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Collection, Mapping, Sequence

import msgspec
from msgspec import Struct

from provchain.events import FileOnDisk
from provchain.inspection.modules import imported_modules, parse_python
from provchain.model import Authoring, Execution, Kind, Place, Plan, Status, Step

__all__ = ["PlanReading", "read_plan"]

# Looked for from its end: from its beginning, a text of one long word would be gone through again and again.
_SUFFIX = re.compile(r"\.(?:py|sh|R|jl|ipynb)\b")
_STEM = re.compile(r"[\w./-]*[\w-]$")
_LONGEST_PATH = 300  # characters
_RUN = re.compile(
    r"(?:\b(?:python[\d.]*|bash|sh|Rscript|julia)\s+(?:-\S+\s+){0,9}|\./)([\w./-]{1,300}\.(?:py|sh|R|jl))\b"
)
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$", re.MULTILINE)
# A plan that is itself a simulation says so of its method, in a heading or in a sentence about its evaluation; a technique
# of that name (Monte Carlo dropout) or a sentence that denies it is none. The plan owns the forecast: its own words decide.
_SIMULATION = re.compile(
    r"\bsimulation[- ](?:stud(?:y|ies)|experiments?|based(?! inference)|framework|environments?)\b"
    r"|\bsimulated (?:environments?|experiments?|agents?|users?|participants?|populations?)\b"
    r"|\bwe (?:will |shall )?simulate\b|\bin simulations?\b|\bMonte[- ]Carlo (?:simulation|stud|experiment)\w*"
    r"|\bagent-based (?:model|simulation)"
    r"|\bgrid-?worlds?\b|\bsimulated (?:[\w-]+ )?(?:bandits?|environments?|MDPs?)\b|\bBernoulli bandits?\b"
    r"|\b(?:numerical|stochastic|discrete[- ]event|event[- ]driven|computer|computational) simulations?\b"
    r"|\bnumerical (?:experiments?|stud(?:y|ies))\b[^.;]{0,60}\b(?:generated|simulated|synthetic|random)\b"
    r"|\brandomly[- ]generated (?:[\w-]+ )?(?:instances?|problems?|inputs?|data|matrices|graphs|networks|games"
    r"|queues|systems)\b"
    r"|\b(?:experiments?|evaluation|stud(?:y|ies)|analysis|comparison|investigation)\b[^.;]{0,40}\b(?:is|are|will be"
    r"|consists? of"
    r"|uses?|rests on|relies on|based on|by|by means of|through|via|on)"
    r" (?:an? |the |pure |purely |only )*(?:[\w-]+ )?simulations?\b(?![\w-])(?! (?:loss|module|layer|head|model"
    r"|engine|software|toolkit)\b)",
    re.IGNORECASE,
)
# Enough by themselves: the title says what the study is, or the sentence what is done. What is only disturbed or played in
# the training of a model ("we simulate label noise") is no simulation study.
_SIMULATION_TITLE = re.compile(
    r"\b(?:a|the|computer|stochastic|numerical) simulations? of\b|^\W*simulating\b", re.IGNORECASE
)
_SIMULATES = re.compile(
    r"\b(?:we (?:will |shall )?(?:then )?simulate|(?:this|the|our) (?:study|work|project|plan) (?:is a|simulates))\b",
    re.IGNORECASE,
)
_PLAYED = re.compile(
    r"\b(?:nois\w*|corrupt\w*|missing\w*|dropp?\w*|flip\w*|mask\w*|attack\w*|advers\w*|shift\w*|drift\w*|annotat\w*"
    r"|labels?"
    r"|clients?|federated|feedback|imbalanc\w*|prun\w*|fail\w*|fault\w*|delay\w*|users?|humans?|experts?"
    r"|low[- ]resource|real[- ]world"
    r"|realistic|data ?sets?|corpus|models?|train\w*|fine-?tun\w*|stream\w*|agents?|environments?|perturb\w*"
    r"|prompts?)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|no|never|without|instead of|rather than|beyond|unlike|avoid\w*|future|prior|previous|existing|et al)\b",
    re.IGNORECASE,
)
_EVALUATED = re.compile(
    r"\b(?:evaluat\w*|experiment\w*|stud(?:y|ies)|test\w*|assess\w*|validat\w*|compar\w*|method\w*)\b", re.IGNORECASE
)
_BAD = (Status.FAILED, Status.ABORTED)


class PlanReading(Struct, frozen=True):
    """What the plan is and what became of it.

    Attributes:
        plans: The plans.
        steps: Their steps.
        executions: The executions, each tied to its step or marked as a substitute.
    """

    plans: tuple[Plan, ...]
    steps: tuple[Step, ...]
    executions: dict[str, Execution]


def read_plan(
    activities: Sequence[Execution | Authoring],
    files: Sequence[FileOnDisk],
    texts: Mapping[str, str],
    sources: Mapping[str, str],
    modules: Mapping[str, Sequence[str]],
    declared: tuple[Sequence[Plan], Sequence[Step]] = ((), ()),
    testimony: Collection[str] = (),
) -> PlanReading:
    """Read the plan and tie the executions to it.

    A study that declares its steps has those, and the ones that its proposal names beside them.

    Args:
        activities: Executions and authorings in the order of the record.
        files: What lies in the audited directory.
        texts: What each authored artifact holds, by artifact id.
        sources: The scripts of the run as they stood at the end, by path.
        modules: For each execution, the files of the run that it executed or imported.
        declared: Plans and steps that the study declares.
        testimony: Ids of recorders whose word completes no step.

    Returns:
        Plans, steps, and the executions with ``step``, ``planned`` and ``substitute`` filled in.
    """
    known = {a.path for a in activities if isinstance(a, Authoring) and _is_script(a.path)}
    known |= {f.path for f in files if f.kind is Kind.SCRIPT}
    failure = _first_failure(activities, known)
    early = _without_late(files, activities, failure)
    plans = tuple(declared[0]) or (_plan(early),)
    plan = plans[0]
    # A plan that only an event declares stands in the study file, which names every script and plans none by that.
    proposal = "" if declared[0] and plan.at.locator else plan.at.path
    if declared[0] and proposal and not plan.simulation:
        text = next((file.text or "" for file in early if file.path == proposal), "")
        plans = (msgspec.structs.replace(plan, simulation=_is_simulation(text)), *plans[1:])
        plan = plans[0]
    named = _scripts_named(next((f.text or "" for f in files if f.path == proposal), ""), known)
    own = {script for step in declared[1] for script in step.scripts}
    origin, entries = "proposal", [script for script in named if script not in own]
    if not entries and not declared[1]:
        origin, entries = "entry point", _entry_points(activities, texts, files, failure)
    steps = [*declared[1], *_group(plan, entries, origin, sources, activities)]
    entries += [step.scripts[0] for step in declared[1] if step.scripts]
    return _tie(plans, steps, activities, entries, failure, modules, testimony)


def _without_late(
    files: Sequence[FileOnDisk], activities: Sequence[Execution | Authoring], failure: int
) -> list[FileOnDisk]:
    """The files without those that were first typed after the first failure: nobody plans after the fact."""
    early = {a.path for a in activities[:failure] if isinstance(a, Authoring)}
    late = {a.path for a in activities[failure:] if isinstance(a, Authoring)} - early
    return [file for file in files if file.path not in late]


def _plan(files: Sequence[FileOnDisk]) -> Plan:
    proposals = [f for f in files if f.kind is Kind.PROPOSAL and f.text]
    if not proposals:
        return Plan(id="plan", title="the experiments as first written", at=Place("", ""))
    # The proposal proper before an idea or a task, the longest of equals.
    best = max(proposals, key=lambda f: ("proposal" in f.path.lower() or "plan" in f.path.lower(), len(f.text or "")))
    text = best.text or ""
    heading = _HEADING.search(text)
    title = heading.group(1).strip("*_ ") if heading else posixpath.basename(best.path)
    return Plan(
        id="plan",
        title=title[:200],
        at=Place(best.path, ""),
        simulation=_is_simulation(text),
        recorder="run-folder",
    )


def _is_simulation(text: str) -> bool:
    """Whether a plan says of its own evaluation that it is a simulation."""
    for line in text.split("\n"):
        heading = line.lstrip().startswith("#")
        for sentence in [line] if heading else re.split(r"(?<=[.!?;])\s+", line):
            if _DENIED.search(sentence):
                continue
            evaluated = heading or _EVALUATED.search(sentence) is not None
            if (evaluated and _SIMULATION.search(sentence)) or (heading and _SIMULATION_TITLE.search(sentence)):
                return True
            if _SIMULATES.search(sentence) and not _PLAYED.search(sentence):
                return True
    return False


def _is_script(path: str) -> bool:
    return path.endswith((".py", ".sh", ".bash", ".R", ".jl", ".ipynb"))


def _scripts_named(text: str, known: set[str]) -> list[str]:
    """The known scripts that a text names by path, or by a file name that only one of them has."""
    by_name: dict[str, list[str]] = {}
    for path in known:
        by_name.setdefault(posixpath.basename(path), []).append(path)
    found: dict[str, None] = {}
    for match in _SUFFIX.finditer(text):
        stem = _STEM.search(text[max(0, match.start() - _LONGEST_PATH) : match.start()])
        if stem is None:
            continue
        word = (stem.group() + match.group()).lstrip("./")
        hits = [p for p in by_name.get(posixpath.basename(word), []) if p == word or p.endswith("/" + word)]
        if len(hits) == 1:
            found.setdefault(hits[0])
    return list(found)


def _first_failure(activities: Sequence[Execution | Authoring], known: set[str]) -> int:
    """Index of the first experiment that failed; the number of activities if none did."""
    for index, activity in enumerate(activities):
        if not isinstance(activity, Execution) or activity.status not in _BAD:
            continue
        if activity.script in known and not _is_test(activity.script or ""):
            return index
    return len(activities)


def _entry_points(
    activities: Sequence[Execution | Authoring], texts: Mapping[str, str], files: Sequence[FileOnDisk], failure: int
) -> list[str]:
    early = activities[: failure + 1]
    authored = {a.path: a for a in early if isinstance(a, Authoring)}
    candidates = {path for path in authored if _is_script(path)}
    candidates |= {
        f.path
        for f in files
        if f.kind is Kind.SCRIPT and f.path not in {a.path for a in activities if isinstance(a, Authoring)}
    }
    found: dict[str, None] = {}
    for activity in early:
        if isinstance(activity, Execution) and activity.script in candidates:
            found.setdefault(activity.script or "")
    for path, authoring in authored.items():
        name = posixpath.basename(path).lower()
        text = texts.get(authoring.generated, "")
        if path.endswith((".sh", ".bash")) or name == "makefile":
            named = _scripts_named(text, candidates)
        elif name.startswith("readme"):
            # A README that says how to run scripts names its entry points; one that only lists files names them all.
            named = _scripts_named(" ".join(_RUN.findall(text)), candidates) or _scripts_named(text, candidates)
        else:
            continue
        for script in named:
            if _is_runnable(script, texts.get(authored[script].generated) if script in authored else None):
                found.setdefault(script)
    return [path for path in found if not _is_test(path)]


def _is_runnable(path: str, text: str | None) -> bool:
    """Whether a script does something when it is run: a README lists modules too."""
    tree = parse_python(text) if text is not None and path.endswith(".py") else None
    return tree is None or any(_acts(node) for node in tree.body)


def _acts(node: ast.stmt) -> bool:
    """Whether a statement at the top of a module does more than define, import or configure."""
    if isinstance(node, ast.If):
        return "__name__" in ast.unparse(node.test)
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant) and "logging" not in ast.unparse(node.value)
    passive = (
        ast.Import,
        ast.ImportFrom,
        ast.FunctionDef,
        ast.AsyncFunctionDef,
        ast.ClassDef,
        ast.Assign,
        ast.AnnAssign,
    )
    return not isinstance(node, (*passive, ast.Try, ast.Pass))


def _is_test(path: str) -> bool:
    """Whether a script tests the code, by the convention that test runners follow."""
    name = posixpath.basename(path)
    return name.startswith("test_") or name.endswith("_test.py") or name in ("setup.py", "conftest.py", "__init__.py")


def _group(
    plan: Plan,
    entries: Sequence[str],
    origin: str,
    sources: Mapping[str, str],
    activities: Sequence[Execution | Authoring],
) -> list[Step]:
    """One step an entry point, but for those that another one imports or starts."""
    reached = {entry: _reached(entry, sources) for entry in entries}
    places = {a.path: a.at for a in reversed(activities) if isinstance(a, Authoring)}
    steps = []
    for entry in entries:
        if any(
            entry in reached[other] and not (other in reached[entry] and other > entry)
            for other in entries
            if other != entry
        ):
            continue
        scripts = (entry, *sorted(reached[entry] - {entry}))
        steps.append(
            Step(
                id=entry,
                plan=plan.id,
                label=posixpath.basename(entry),
                scripts=scripts,
                origin=origin,
                at=plan.at if origin == "proposal" else places.get(entry, Place(entry, "")),
            )
        )
    return steps


def _reached(entry: str, sources: Mapping[str, str]) -> set[str]:
    """The scripts that an entry point imports or names, and those that they do."""
    seen: set[str] = set()
    stack = [entry]
    while stack:
        path = stack.pop()
        if path in seen or path not in sources:
            continue
        seen.add(path)
        text = sources[path]
        if path.endswith(".py"):
            stack.extend(imported_modules(sources, path))
        stack.extend(_scripts_named(text, set(sources)))
    return seen | {entry}


def _tie(
    plans: tuple[Plan, ...],
    steps: Sequence[Step],
    activities: Sequence[Execution | Authoring],
    entries: Sequence[str],
    failure: int,
    modules: Mapping[str, Sequence[str]],
    testimony: Collection[str],
) -> PlanReading:
    """Tie each execution to the step that it carries out, or mark it as a substitute for one that had failed."""
    owner = {script: step for step in reversed(steps) for script in step.scripts}
    owner.update({step.scripts[0]: step for step in steps if step.scripts})
    of_entry = {step.scripts[0]: (place, step) for place, step in reversed([*enumerate(steps)]) if step.scripts}
    by_id = {step.id: step for step in steps}
    first: dict[str, int] = {}
    for index, activity in enumerate(activities):
        if isinstance(activity, Authoring):
            first.setdefault(activity.path, index)
    tied: dict[str, Execution] = {}
    waiting: set[str] = set()  # steps that have failed and not completed since
    for activity in activities:
        if not isinstance(activity, Execution):
            continue
        if activity.step in by_id or activity.substitute:  # its recorder says what it carries out, or stands in for
            tied[activity.id] = msgspec.structs.replace(activity, planned=activity.step in by_id)
            _note_ending(tied[activity.id], waiting, testimony)
            continue
        late = first.get(activity.script or "", -1) > failure
        step = owner.get(activity.script or "")
        driven = _driven(modules.get(activity.id, ()), of_entry)
        if step is not None or driven is not None:
            # What carries a step out runs its entry point; a module of it that is run by itself belongs to it all the same.
            carries = driven is not None or activity.script in entries
            tied[activity.id] = msgspec.structs.replace(activity, step=(step or driven or steps[0]).id, planned=carries)
            _note_ending(tied[activity.id], waiting, testimony)
        else:
            related = any(module in owner for module in {*modules.get(activity.id, ())} - {activity.script})
            # What imports modules of a step builds on it, and replaces nothing.
            substitute = bool(waiting) and late and not related and not activity.is_copy
            tied[activity.id] = msgspec.structs.replace(activity, substitute=substitute)
    return PlanReading(plans, tuple(steps), tied)


def _note_ending(execution: Execution, waiting: set[str], testimony: Collection[str]) -> None:
    """Keep the set of steps that have failed and not completed since, as observers saw it."""
    if execution.recorder in testimony:
        return
    if execution.planned and execution.status in _BAD:
        waiting.add(execution.step or "")
    elif execution.planned and execution.status is Status.COMPLETED:
        waiting.discard(execution.step or "")


def _driven(modules: Sequence[str], of_entry: Mapping[str, tuple[int, Step]]) -> Step | None:
    """The first step whose entry point an execution runs or imports, under whatever name: it repairs or drives that step."""
    return min((of_entry[module] for module in modules if module in of_entry), default=(0, None), key=lambda it: it[0])[
        1
    ]
