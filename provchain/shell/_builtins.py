"""What the shell does itself: its state, the built-ins that change it, and answers that words alone decide."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from provchain.shell._words import MOST, START, Scope, join_path

__all__ = ["State", "evaluate", "inner_shell", "printed_text", "run_builtin"]

_SHELLS = ("bash", "sh", "zsh", "dash", "ksh")
_STARTERS = re.compile(
    "timeout|nohup|time|env|sudo|nice|ionice|stdbuf|setsid|exec|command|conda|mamba|micromamba|uv|poetry|pipenv|srun|"
    "xvfb-run|unbuffer|taskset|numactl"
)
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|0?([0-7]{1,3})|(.))", re.DOTALL)
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "f": "\f",
    "v": "\v",
    "\\": "\\",
    "c": "",
}
_DIRECTIVE = re.compile(r"%(?:%|[-+ #0]*\d{0,4}(?:\.\d{0,4})?([sdibqfgeuxc]))")


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


@dataclass(frozen=True, slots=True)
class InnerShell:
    """A text that a command hands to a shell of its own."""

    text: str
    arguments: tuple[str, ...] | None
    errexit: bool = False
    same: bool = False  # it runs in this very shell (``eval``)


def inner_shell(argv: list[str], stdin_text: str | None) -> InnerShell | None:
    """Find the text of ``bash -c TEXT``, ``timeout 60 sh -c TEXT``, ``eval TEXT`` or ``bash <<E``.

    Args:
        argv: The words of a command.
        stdin_text: The text on its standard input.

    Returns:
        The text, or ``None`` where the command starts no shell with a text.

    Example:
        >>> inner_shell(["bash", "-lc", "cd a && ls"], None).text, inner_shell(["bash", "run.sh"], None)
        ('cd a && ls', None)
    """
    if argv[0] == "eval" and len(argv) > 1:
        return InnerShell(" ".join(argv[1:]), None, same=True)
    names = [posixpath.basename(word) for word in argv[:12]]
    start = next((position for position, name in enumerate(names) if name in _SHELLS), None)
    if start is None or (start and not _STARTERS.fullmatch(names[0])):
        return None
    errexit = False
    words = argv[start + 1 :]
    while words and re.fullmatch(r"[-+]\w+|--\w+", words[0]):
        option = words.pop(0)
        if option.startswith("--"):
            continue
        errexit = errexit or (option[0] == "-" and "e" in option)
        if option[-1] in "oO" and words:
            words.pop(0)
        if "c" in option:
            return InnerShell(words[0], tuple(words[1:]) or ("",), errexit) if words else None
    if stdin_text is not None and words[:1] in ([], ["-"], ["/dev/stdin"]):
        return InnerShell(stdin_text, ("", *words[1:]), errexit)
    return None


def printed_text(argv: tuple[str, ...] | list[str], stdin_text: str | None = None) -> str | None:
    """Give what ``echo``, ``printf`` or a bare ``cat`` prints, where the command's words alone say it.

    Args:
        argv: The words of a command.
        stdin_text: The text given on its standard input.

    Returns:
        The text, in which unknown variables stand as written, or ``None`` for any other command.

    Example:
        >>> printed_text(["echo", "-n", "a", "b"]), printed_text(["printf", "%s=%d\\\\n", "a", "1", "b", "2"])
        ('a b', 'a=1\\nb=2\\n')
        >>> printed_text(["cat"], "body\\n"), printed_text(["cat", "file"])
        ('body\\n', None)
    """
    if not argv:
        return None
    name, words = posixpath.basename(argv[0]), list(argv[1:])
    if name == "echo":
        options = ""
        while words and re.fullmatch(r"-[neE]+", words[0]):
            options += words.pop(0)
        text = " ".join(words)
        return (_ESCAPE.sub(_unescape, text) if "e" in options else text) + ("" if "n" in options else "\n")
    if name == "printf" and words and not words[0].startswith("-v"):
        return _printf(words[1:] if words[0] == "--" else words)
    if name == "cat" and all(word == "-" for word in words):
        return stdin_text
    return None


def _unescape(found: re.Match[str]) -> str:
    if found[1] or found[2]:
        return chr(int(found[1], 16) if found[1] else int(found[2], 8) & 0xFF)
    return _ESCAPES.get(found[3], found[0])


def _printf(words: list[str]) -> str | None:
    if not words:
        return None
    form, values = _ESCAPE.sub(_unescape, words[0]), words[1:]
    used = len(re.findall(r"%[^%]", form))
    parts: list[str] = []
    for _ in range(max(1, -(-len(values) // used)) if used else 1):
        taken = iter([*values[:used], *[""] * used])
        values = values[used:]
        parts.append(_DIRECTIVE.sub(partial(_next_directive, taken), form))
    return "".join(parts)


def _next_directive(values: Iterator[str], found: re.Match[str]) -> str:
    return _directive(found, next(values) if found[1] else "")


def _directive(found: re.Match[str], value: str) -> str:
    if found[1] is None:
        return "%"
    try:
        if found[1] in "di":
            return (found[0][:-1] + "d") % int(value or 0)
        if found[1] in "fge":
            return found[0] % float(value or 0)
    except ValueError:
        return value
    return (found[0][:-1] + "s") % value if found[1] in "scux" else value
