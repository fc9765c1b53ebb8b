"""What ran, as far as it can be compared with a plan: names in code and output, what was loaded, how many of what.

Counted are executions that completed, or of which the end is not known, or that left files which are still there; none that
made its values up, and none that only copied. Comments, docstrings and prose in a script are no sign that something ran.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from provchain.auditing._deviations.known_names import SHORT_FORMS
from provchain.history import History
from provchain.inspection.loaded import Loaded, find_loaded, named_in_code
from provchain.inspection.seeds import seed_counts
from provchain.model import Artifact, Execution, Kind, Place, Role, Status

__all__ = ["LoadedAt", "Names", "WhatRan", "squeeze", "what_was_run"]

_MOST_TEXT = 400_000  # characters of one text
_SHORT = 4  # letters of a name up to which it has to stand as a word of its own
_OUTPUT = (Kind.RESULT, Kind.LOG, Kind.DATA, Kind.STREAM, Kind.CONFIG, Kind.OTHER)
_LEFT = (Kind.RESULT, Kind.DATA, Kind.FIGURE)
_ENDED_BADLY = (Status.FAILED, Status.ABORTED, Status.CONTRADICTED)
_WORD = re.compile(r"[a-z0-9]+")
_JOINED = re.compile(
    r"(?<![a-z0-9])[a-z0-9]{1,60}(?:[-_./][a-z0-9]{1,60}){1,3}"
)  # no word is longer that names something
_ELSEWHERE = re.compile(
    r"\bpython[\d.]*\s+(?:-\w\s+)*-m\s+(?!pip|venv|pytest|unittest|json|http|compileall|py_compile)\w"
    r"|^\s*(?:torchrun|accelerate|deepspeed|snakemake|nextflow|dvc|make|julia|matlab|Rscript|docker)\b"
)  # what runs code that no script on the command line is
_REPEATING = frozenset(
    ["runs", "trials", "repeats", "repetitions", "n_runs", "num_runs", "n_trials", "num_trials", "n_repeats"]
)
_DATA_OPTIONS = frozenset(
    ["dataset", "datasets", "dataset_name", "data_set", "env", "env_name", "env_id", "environment"]
)
_MODEL_OPTIONS = frozenset(["model", "model_name", "model_id", "base_model", "backbone", "model_name_or_path"])


class Names:
    """Names in a text, to be asked for in any spelling.

    Args:
        texts: The texts.

    Example:
        >>> names = Names(["ds = load_dataset('cnn_dailymail')"])
        >>> names.have("CNN/DailyMail"), names.have("XSum"), names.have("ELI5")
        (True, False, False)
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._squeezed: list[str] = []
        self._words: set[str] = set()
        for text in texts:
            lowered = text[:_MOST_TEXT].lower()
            words = _WORD.findall(lowered)
            self._words.update(words)
            self._words.update("".join(_WORD.findall(joined)) for joined in _JOINED.findall(lowered))
            self._squeezed.append("".join(words))

    def have(self, name: str) -> bool:
        """Whether a name, or a part of it that is a name itself, stands anywhere."""
        return _first_word(name) in self._words or any(self.have_word(spelled) for spelled in _spellings(name))

    def have_word(self, spelled: str) -> bool:
        """Whether letters and digits stand somewhere in this order: a word of its own, if they are few."""
        if len(spelled) <= _SHORT:
            return spelled in self._words
        return any(spelled in squeezed for squeezed in self._squeezed)

    def have_part(self, spelled: str) -> bool:
        """Whether letters and digits stand somewhere in this order; if they are few, at the start or the end of a word."""
        if len(spelled) >= _SHORT:
            return any(spelled in squeezed for squeezed in self._squeezed)
        return any(word.startswith(spelled) or word.endswith(spelled) for word in self._words)


def _spellings(name: str) -> Iterator[str]:
    """How code may spell a name: whole, without what is hung on to it, and each part that is a name itself."""
    whole = squeeze(name)
    yield whole
    yield from SHORT_FORMS.get(whole, ())
    if "-" in name and len(head := squeeze(name.rpartition("-")[0])) >= _SHORT:
        yield head
        yield from SHORT_FORMS.get(head, ())
    parts = [part for part in re.split(r"[\s/+@-]+", name) if part and part != name]
    for part in parts:
        capitals = sum(map(str.isupper, part))
        if len(part) == capitals == _SHORT - 1:
            yield squeeze(part)
        if len(part) >= _SHORT and (capitals >= 2 or (part.istitle() and "-" in name)):
            yield squeeze(part)


def _first_word(name: str) -> str:
    """Of a name of several plain words the first that tells: ``breast`` of ``Breast Cancer Wisconsin``."""
    words = name.split()
    plain = len(words) > 1 and not any(sum(map(str.isupper, word)) > 1 and len(word) > _SHORT for word in words)
    return next((word.lower() for word in words if len(word) >= _SHORT and word.isalpha()), "") if plain else ""


def squeeze(text: str) -> str:
    """Only the letters and digits of a name, as names are compared: ``CNN/DailyMail`` and ``cnn_dailymail`` are one."""
    return "".join(_WORD.findall(text.lower()))


class LoadedAt(Struct, frozen=True):
    """Something that was loaded by an execution.

    Attributes:
        loaded: What.
        place: Line of the script.
        execution: Id of the execution.
    """

    loaded: Loaded
    place: Place
    execution: str


class WhatRan(Struct):
    """What ran.

    Attributes:
        executions: Those that count.
        names: All names in their code, commands and output.
        loaded: What they loaded by name.
        seeds: With how many seeds they were repeated, or ``None`` if that cannot be told.
        seeds_at: Where that shows.
        at: The script of the last of them.
        is_known: The code of all of them is on record.
    """

    executions: list[Execution]
    names: Names
    loaded: list[LoadedAt]
    seeds: int | None
    seeds_at: tuple[Place, ...]
    at: tuple[Place, ...]
    is_known: bool


def what_was_run(history: History) -> WhatRan:
    """Gather what ran.

    Args:
        history: What became of the study.
    """
    artifacts = {artifact.id: artifact for artifact in history.study.artifacts}
    counted = [e for e in history.study.executions if _counts(e, artifacts)]
    code: dict[str, str] = {}
    loaded: list[LoadedAt] = []
    known = True
    for execution in counted:
        scripts = [artifacts[u.artifact] for u in execution.used if u.role is Role.CODE and u.artifact in artifacts]
        known = known and _is_known(execution, scripts, artifacts, history)
        for artifact in scripts:
            text = history.texts.get(artifact.id, "")[:_MOST_TEXT]
            if artifact.id not in code:
                code[artifact.id] = named_in_code(text) if artifact.path.endswith(".py") else text
            if execution.status not in _ENDED_BADLY:
                imported = any(u.artifact == artifact.id and u.known_from == "import" for u in execution.used)
                loaded += _loaded(execution, artifact, text, imported=imported)
        loaded += _commanded(execution) if execution.status not in _ENDED_BADLY else ()
        code[execution.id] = _command(execution)
    names = Names([*code.values(), *_around(history, counted, "\n".join(code.values()))])
    at = tuple(Place(e.script) for e in counted if e.script)[-1:]
    seeds, seeds_at = _seeds(history, counted, artifacts)
    return WhatRan(counted, names, loaded, seeds, seeds_at, at, known)


def _around(history: History, counted: Sequence[Execution], code: str) -> Iterator[str]:
    """What stands beside the code: output, results, the configurations that it names, and the names of files."""
    left = {identifier for execution in counted for identifier in execution.generated}
    used = {usage.artifact for execution in counted for usage in execution.used}
    for artifact in history.study.artifacts:
        is_config = artifact.kind is Kind.CONFIG and (artifact.id in used or PurePosixPath(artifact.path).name in code)
        if is_config or (artifact.id in left and artifact.kind in _OUTPUT):
            yield history.texts.get(artifact.id, "")
        if artifact.kind is not Kind.STREAM and (artifact.external or artifact.id in left or artifact.id in used):
            yield artifact.path


def _counts(execution: Execution, artifacts: dict[str, Artifact]) -> bool:
    if execution.made_up or execution.is_copy or (execution.script is None and not execution.generated):
        return False
    if execution.status not in _ENDED_BADLY:
        return True
    left = (artifacts[i] for i in execution.generated if i in artifacts)
    return any(one.on_disk and one.kind in _LEFT for one in left)


def _is_known(execution: Execution, code: Sequence[Artifact], artifacts: dict[str, Artifact], history: History) -> bool:
    """Whether what an execution ran is on record: its script, or the code that is typed into its command."""
    if execution.script is not None:
        return any(one.path == execution.script and history.texts.get(one.id) for one in code)
    if _ELSEWHERE.search(execution.command):
        return False
    left = any(artifacts[i].kind is not Kind.STREAM for i in execution.generated if i in artifacts)
    return not left or "\n" in execution.command.strip() or " -c " in execution.command


def _command(execution: Execution) -> str:
    """A command; of code that is typed into it only the names."""
    code = execution.command if execution.script is None else ""
    typed = re.search(r"-c\s+(['\"])(.+)\1", code, re.DOTALL)
    return named_in_code(typed[2]) if typed is not None else execution.command[:_MOST_TEXT]


def _loaded(execution: Execution, artifact: Artifact, text: str, *, imported: bool) -> Iterator[LoadedAt]:
    """What a script loads; what a module that it imports would load need not have been called."""
    if not artifact.path.endswith(".py"):
        return
    given = _options(execution)
    for loaded in find_loaded(text):
        name = given.get(loaded.option, loaded.name) if loaded.option else loaded.name
        renamed = Loaded(loaded.kind, name, loaded.call, loaded.line, loaded.option, loaded.conditional or imported)
        yield LoadedAt(renamed, Place(artifact.path, str(loaded.line)), execution.id)


def _commanded(execution: Execution) -> Iterator[LoadedAt]:
    """The data sets and models that a command line names."""
    for option, value in _options(execution).items():
        kind = "data set" if option in _DATA_OPTIONS else "model" if option in _MODEL_OPTIONS else ""
        if (
            kind
            and re.fullmatch(r"[A-Za-z][\w./-]*", value)
            and not value.endswith((".csv", ".json", ".txt", ".pt", "/"))
        ):
            yield LoadedAt(Loaded(kind, value, f"--{option}", 0), execution.at, execution.id)


def _options(execution: Execution) -> dict[str, str]:
    """The options that a command line gives: ``--dataset iris``."""
    try:
        words = shlex.split(execution.command) if len(execution.command) < 20_000 else []
    except ValueError:
        return {}
    found: dict[str, str] = {}
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word.startswith("--"):
            name, _, value = word[2:].partition("=")
            found[name.replace("-", "_")] = value or following
    return found


def _seeds(
    history: History, counted: Sequence[Execution], artifacts: dict[str, Artifact]
) -> tuple[int | None, tuple[Place, ...]]:
    """With how many seeds things were repeated, in a script or by running it again with another one."""
    counts: dict[int, Place] = {}
    commanded: dict[str, set[str]] = {}
    for execution in counted:
        if execution.script is None or execution.script.endswith(".sh"):
            continue
        seed = next((v for k, v in _options(execution).items() if k in ("seed", "random_seed")), "")
        if seed:
            commanded.setdefault(execution.script, set()).add(seed)
        elif any("seed" in name or name in _REPEATING for name in _options(execution)):
            return None, ()
        for usage in execution.used:
            artifact = artifacts.get(usage.artifact)
            if usage.role is not Role.CODE or artifact is None or PurePosixPath(artifact.path).suffix != ".py":
                continue
            found = seed_counts(history.texts.get(artifact.id, ""))
            if found is None:
                return None, ()
            for count in found:
                counts.setdefault(count, Place(artifact.path))
    if any(execution.script and execution.script.endswith(".sh") for execution in counted) or not counts:
        return None, ()
    most = max([*counts, *map(len, commanded.values())])
    return most, (counts.get(most, next(iter(counts.values()))),)
