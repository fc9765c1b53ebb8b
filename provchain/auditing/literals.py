"""Numbers that were typed into a script as text: `print("accuracy 0.93")` shows a number, it measures none.

A program that completes and prints what somebody wrote into it has produced nothing. So a number in a line of output, of a
log or of a manuscript that a script wrote is looked for in the script's own text, together with the words beside it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from provchain.auditing.closure import original
from provchain.inspection.named_constants import NamedConstant, named_constants
from provchain.inspection.values import read_values
from provchain.linking.words import split_words
from provchain.model import Artifact, Execution, Kind, Role, Study, Value

__all__ = ["Literals"]

_WINDOWS = (28, 18, 12)  # characters beside the number that must stand in the script with it
_TELLING = 3  # digits from which on a number in a command is no coincidence
_DATA = (".json", ".jsonl", ".csv", ".tsv", ".yaml", ".yml", ".toml")
_FEW = 2  # so many tell only where two names are the same
_OPTION = re.compile(r"--?[\w-]+[= ]['\"]?$")
_NUMBERS = re.compile(r"(?<![\w.])\d*\.\d{2,}(?!\w)")
_LETTERS = 3  # fewer letters beside it say nothing


class Literals:
    """The texts of the scripts behind each artifact.

    Args:
        study: The study.
        texts: What its artifacts hold.
    """

    def __init__(self, study: Study, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._artifacts: dict[str, Artifact] = {artifact.id: artifact for artifact in study.artifacts}
        self._executions: dict[str, Execution] = {execution.id: execution for execution in study.executions}
        self._scripts: dict[str, list[tuple[str, str]]] = {}
        self._authorings = {authoring.id for authoring in study.authorings}
        self._typed: dict[str, list[Value]] = {}
        self._constants: dict[str, Mapping[Decimal, list[NamedConstant]]] = {}

    def place(self, artifact: Artifact, line: int, lexical: str, column: int | None = None) -> str:
        """Where a number of a line stands as typed text in a script that wrote the line.

        Args:
            artifact: The artifact.
            line: The line, 1-based.
            lexical: The number as it stands there.
            column: Where it starts, 1-based, if known.

        Returns:
            ``path:line`` of the script, or an empty string.
        """
        if "." not in lexical and sum(char.isdigit() for char in lexical) < 3:
            return ""
        lines = self._texts.get(artifact.id, "").split("\n")
        if not 0 < line <= len(lines):
            return ""
        text = lines[line - 1]
        start = column - 1 if column is not None else text.find(lexical)
        if start < 0 or not text.startswith(lexical, start):
            return ""
        for window in _windows(text, start, start + len(lexical)):
            for path, script in self._scripts_of(artifact):
                found = script.find(window)
                if found >= 0:
                    return f"{path}:{script.count(chr(10), 0, found) + 1}"
        return ""

    def command_place(self, artifact: Artifact, lexical: str) -> str:
        """Where a number of a data file stands in the command that left the file, or in a script of it that is no Python.

        What Python scripts make of their literals is followed elsewhere. An option can hold a number that a result happens to
        have, so one that stands behind an option counts only together with another one.

        Args:
            artifact: The file.
            lexical: The number as it stands there.

        Returns:
            The place of the command, or ``path:line`` of the script, or an empty string.
        """
        if "." not in lexical or len(lexical.replace(".", "").strip("-+0")) < _TELLING:
            return ""
        number = re.compile(rf"(?<![\w.]){re.escape(lexical)}(?![\w.]*\d)")
        for path, text in self._scripts_of(artifact):
            found = number.search(text) if not path.endswith(".py") else None
            if found is None:
                continue
            writer = self._execution_of(artifact)
            if writer is None or text != writer.command:
                return f"{path}:{text.count(chr(10), 0, found.start()) + 1}"
            if not _OPTION.search(text[: found.start()]) or len(_NUMBERS.findall(text)) > 1:
                return path
        return ""

    def constant_place(self, artifact: Artifact, value: Value) -> str:
        """Where a value of a file was typed: a constant of the script that wrote it, or in a typed file that was read.

        Args:
            artifact: The file.
            value: The value: its labels are what the names are held against.

        Returns:
            ``path:line`` of the script or ``path:selector`` of the typed file, or an empty string.
        """
        digits = len(value.number.normalize().as_tuple().digits)
        if original(artifact, self._artifacts).made_up:
            return ""  # the whole of it is no result, and that says more
        if digits < _FEW or value.number == value.number.to_integral_value():
            return ""
        labels = [_words(label) for label in value.labels if not label.isdigit()]
        least = 1 if digits >= _TELLING else 2
        for path, text in self._scripts_of(artifact):
            if path.endswith(".py"):
                for constant in self._constants_of(text).get(value.number, ()):
                    if _shared(labels, constant.names) >= least:
                        return f"{path}:{constant.line}"
        for typed in self._typed_inputs_of(artifact):
            if typed.number == value.number and _shared(labels, typed.labels) >= least:
                return f"{typed.path}:{typed.selector.partition(';')[0]}"
        return ""

    def _typed_inputs_of(self, artifact: Artifact) -> list[Value]:
        """The values of the files that an execution read and the agent had typed."""
        execution = self._execution_of(artifact)
        if execution is None:
            return []
        if execution.id not in self._typed:
            read = [self._artifacts[u.artifact] for u in execution.used if u.artifact in self._artifacts]
            typed = [original(a, self._artifacts) for a in read if a.kind not in (Kind.SCRIPT, Kind.LOG, Kind.STREAM)]
            self._typed[execution.id] = [
                value
                for a in typed
                if a.writer in self._authorings and a.id in self._texts and a.path.lower().endswith(_DATA)
                for value in read_values(a.id, a.path, self._texts[a.id])
            ]
        return self._typed[execution.id]

    def _constants_of(self, text: str) -> Mapping[Decimal, list[NamedConstant]]:
        if text not in self._constants:
            found: dict[Decimal, list[NamedConstant]] = defaultdict(list)
            for constant in named_constants(text):
                found[constant.number].append(constant)
            self._constants[text] = found
        return self._constants[text]

    def _execution_of(self, artifact: Artifact) -> Execution | None:
        return self._executions.get(original(artifact, self._artifacts).writer or "")

    def _scripts_of(self, artifact: Artifact) -> list[tuple[str, str]]:
        execution = self._execution_of(artifact)
        if execution is None:
            return []
        if execution.id not in self._scripts:
            code = [u.artifact for u in execution.used if u.role is Role.CODE and u.artifact in self._texts]
            scripts = [(self._artifacts[i].path, self._texts[i]) for i in code if i in self._artifacts]
            self._scripts[execution.id] = [*scripts, (str(execution.at), execution.command)]
        return self._scripts[execution.id]


def _shared(labels: Sequence[frozenset[str]], names: Iterable[str]) -> int:
    """How many labels say the same as one of some names."""
    called = [_words(name) for name in names]
    return sum(any(label <= words or words <= label for words in called) for label in labels)


def _words(name: str) -> frozenset[str]:
    """The words of a name; one of which all words are empty (``ours``) is a word itself."""
    return frozenset(split_words(name)) or frozenset([name.lower()])


def _windows(text: str, start: int, end: int) -> list[str]:
    """Pieces of a line around a number, the longest first, that hold enough letters to be recognised."""
    found = []
    for size in _WINDOWS:
        before, after = text[max(start - size, 0) : start], text[end : end + size]
        for piece, window in ((before, before + text[start:end]), (after, text[start:end] + after)):
            if sum(char.isalpha() for char in piece) >= _LETTERS and len(piece.strip()) >= _LETTERS:
                found.append(window.strip())
    return list(dict.fromkeys(found))
