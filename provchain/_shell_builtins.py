"""What the shell does itself: its state, the built-ins that change it, and answers that words alone decide."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from provchain._shell_words import MOST, START, Scope, join_path

__all__ = ["State", "evaluate", "run_builtin"]


@dataclass(slots=True)
class State:
    """What the shell remembers from one command to the next."""

    cwd: str = ""
    previous: str | None = None
    stack: tuple[str, ...] = ()
    scope: Scope = field(default_factory=Scope)
    errexit: bool = False
    pipefail: bool = False
    streams: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        self.scope.values["PWD"] = self.directory

    @property
    def directory(self) -> str:
        """The working directory as ``pwd`` would print it."""
        if self.cwd.startswith(("/", "~", "$")):
            return self.cwd
        return f"{START}/{self.cwd}" if self.cwd else START

    def fork(self) -> State:
        """Copy it for a subshell, or for a branch that may not be taken."""
        scope = replace(self.scope, values=dict(self.scope.values), lists=dict(self.scope.lists))
        return replace(self, scope=scope)

    def bind(self, substitute: Callable[[str], str | None]) -> None:
        """Say how substitutions are answered here."""
        self.scope.substitute = substitute

    def remember(self, name: str, value: str) -> None:
        """Set a variable; one that holds the answer of a program is not known."""
        self.scope.lists.pop(name, None)
        if value.startswith(("$(", "`")):
            self.scope.values.pop(name, None)
        else:
            self.scope.values[name] = value

    def enter(self, directory: str) -> None:
        """Change the working directory."""
        self.previous, self.cwd = self.cwd, directory
        self.scope.values["PWD"] = self.directory

    def merge(self, branches: list[State], *, keep_cwd: bool = False) -> None:
        """Go on after branches of which one was taken: what they do not agree on is not known."""
        first, rest = branches[0], branches[1:]
        for mine, others in (
            (first.scope.values, [branch.scope.values for branch in rest]),
            (first.scope.lists, [branch.scope.lists for branch in rest]),
        ):
            agreed = {name: value for name, value in mine.items() if all(other.get(name) == value for other in others)}
            target: dict[str, Any] = self.scope.values if mine is first.scope.values else self.scope.lists
            target.clear()
            target.update(agreed)
        if not keep_cwd:  # a directory that one branch enters is where the text meant to go
            entered = next((branch.cwd for branch in branches if branch.cwd != self.cwd), None)
            if entered is not None:
                self.enter(entered)
        self.scope.values["PWD"] = self.directory


def run_builtin(argv: list[str], state: State) -> None:
    """Let a command change the state of the shell, if it is one that does."""
    name = argv[0]
    words = [word for word in argv[1:] if word not in ("-P", "-L", "-e", "--")]
    if name == "cd":
        target = words[0] if words else "~"
        if target == "-":
            state.enter(state.previous if state.previous is not None else state.cwd)
        else:
            state.enter(join_path(state.cwd, target) if target else state.cwd)
    elif name == "pushd" and words and not re.fullmatch(r"[+-]\d+", words[0]):
        state.stack = (*state.stack, state.cwd)
        state.enter(join_path(state.cwd, words[0]))
    elif name == "popd" and state.stack:
        state.enter(state.stack[-1])
        state.stack = state.stack[:-1]
    elif name == "set":
        _set_options(argv[1:], state)
    elif name in ("unset", "read", "mapfile", "readarray"):
        for word in words:
            state.scope.values.pop(word, None)
            state.scope.lists.pop(word, None)
    elif name == "shift" and state.scope.positional and len(words) == 0:
        state.scope.positional = (state.scope.positional[0], *state.scope.positional[2:])


def _set_options(words: list[str], state: State) -> None:
    for index, word in enumerate(words):
        if word == "--":
            return
        if not re.fullmatch(r"[-+][A-Za-z]+", word):
            continue
        on = word[0] == "-"
        if "e" in word:
            state.errexit = on
        if "o" in word and index + 1 < len(words):
            state.pipefail = on if words[index + 1] == "pipefail" else state.pipefail
            state.errexit = on if words[index + 1] == "errexit" else state.errexit


def evaluate(commands: list[dict[str, Any]]) -> str | None:
    """Give what a substitution prints, where its words alone decide it: ``pwd``, ``dirname a/b``, ``seq 3`` ...

    Args:
        commands: The notes of its commands.

    Returns:
        The answer without its line end, or ``None``.
    """
    if not commands or len(commands) > 8:
        return None
    for command in commands:
        if command["connector"] not in ("", ";", "&&") or not command["argv"]:
            return None
        if any(one.target not in ("/dev/null", "&1") for one in command["redirects"]):
            return None
    if any(command["argv"][0] != "cd" for command in commands[:-1]):
        return None
    return _answer(commands[-1]["argv"], commands[-1]["cwd"])


def _answer(argv: tuple[str, ...], cwd: str) -> str | None:
    name, words = argv[0], list(argv[1:])
    if name == "pwd":
        return State(cwd).directory
    if any(re.search(r"[*?`]|\$\(", word) for word in words):
        return None
    if name == "echo" and not (words and words[0].startswith("-")):
        return " ".join(words)
    if name == "dirname" and len(words) == 1 and not words[0].startswith("$"):
        return posixpath.dirname(words[0].rstrip("/")) or "."
    if name == "basename" and len(words) in (1, 2):
        base = posixpath.basename(words[0].rstrip("/"))
        return base.removesuffix(words[1]) if len(words) == 2 and base != words[1] else base
    if name in ("realpath", "readlink") and len(words) in (1, 2) and words[:-1] in ([], ["-f"]):
        return State(join_path(cwd, words[-1])).directory
    if name == "seq" and 1 <= len(words) <= 3 and all(re.fullmatch(r"-?\d{1,9}", word) for word in words):
        numbers = [int(word) for word in words]
        first, step, last = {1: (1, 1, numbers[-1]), 2: (numbers[0], 1, numbers[-1])}.get(
            len(numbers), (numbers[0], numbers[1] if len(numbers) > 2 else 1, numbers[-1])
        )
        if step == 0 or abs(last - first) // abs(step) >= MOST:
            return None
        return "\n".join(str(number) for number in range(first, last + (1 if step > 0 else -1), step))
    return None
