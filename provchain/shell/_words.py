"""Expand words of the shell as far as their text alone allows: quotes, braces, known variables.

What is not known stays as it was written: ``$HOME/x`` where nothing set ``HOME``, globs, ``$(python a.py)``.

Spec: https://www.gnu.org/software/bash/manual/bash.html#Shell-Expansions.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from provchain.shell._lex import end_of

__all__ = ["MOST", "START", "Scope", "expand_braces", "expand_text", "expand_word", "join_path"]

START = "\0"  # stands for the unknown directory in which a text starts; no text holds it
MOST = 64  # words of one brace expansion, values of one loop
_LONGEST_VALUE = 100_000  # characters of a variable's value; guards against doubling
_PIECE = re.compile(r"\\.|\$?'|\$?\"|`|\$\(|\$\{|[<>]\(|\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])", re.DOTALL)
_QUOTED_PIECE = re.compile(r"\\.|`|\$\(|\$\{|\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])", re.DOTALL)
_PARAMETER = re.compile(r"\$\{(!?)([A-Za-z_]\w*|[0-9]+|[@*#?$!-])(?:\[([^\]]*)\])?(.*)\}", re.DOTALL)
_ANSI = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v", "\\": "\\", "'": "'"}
_ANSI |= {'"': '"', "?": "?"}
_ANSI_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|([0-7]{1,3})|(.))", re.DOTALL)
_RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?|([A-Za-z])\.\.([A-Za-z])")


def _nothing(_command: str) -> str | None:
    return None


@dataclass(slots=True)
class Scope:
    """What is known of the variables where a word stands."""

    values: dict[str, str] = field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    positional: tuple[str, ...] | None = None
    substitute: Callable[[str], str | None] = _nothing

    def look_up(self, name: str) -> tuple[str, ...] | None:
        """Find the value of a parameter, as a list for those that hold several."""
        if name in ("@", "*"):
            return self.positional[1:] if self.positional is not None else None
        if name == "#":
            return (str(len(self.positional) - 1),) if self.positional is not None else None
        if name.isdigit():
            if self.positional is None or (int(name) == 0 and not self.positional[0]):
                return None
            return (self.positional[int(name)],) if int(name) < len(self.positional) else ("",)
        if name in self.values:
            return (self.values[name],)
        return self.lists[name][:1] if self.lists.get(name) else None


def join_path(cwd: str, target: str) -> str:
    """Give the path that ``target`` names when the working directory is ``cwd``.

    Args:
        cwd: Directory, relative to the start; empty for the start itself.
        target: A path as written. One that begins with ``/``, ``~`` or a variable is taken as a root of its own.

    Returns:
        The normalised path; empty for the start itself. A ``..`` never steps out of what is not known.

    Example:
        >>> join_path("code", "../results/a.json"), join_path("a", "/tmp//x/../y"), join_path("a", "$OUT/b")
        ('results/a.json', '/tmp/y', '$OUT/b')
    """
    if target.startswith(START):
        cwd, target = "", target[1:].lstrip("/")
    rooted = target.startswith(("/", "~", "$", "`")) or re.match(r"[A-Za-z]:[\\/]", target)
    whole = target if rooted or not cwd else f"{cwd}/{target}"
    parts: list[str] = []
    for part in whole.split("/"):
        if part in ("", "."):
            continue
        if part == ".." and parts and parts[-1] != ".." and not re.search(r"[$`*?]|^~", parts[-1]):
            parts.pop()
        elif part != ".." or parts or not whole.startswith("/"):
            parts.append(part)
    return ("/" if whole.startswith("/") else "") + "/".join(parts)


def expand_braces(word: str, most: int = MOST) -> list[str]:
    """Expand ``a{b,c}{1..3}`` into its words; what would be more than ``most`` stays as written.

    Args:
        word: An unquoted word (quoted parts are expected to be taken out before).
        most: Limit of the number of words.

    Returns:
        At least one word.

    Example:
        >>> expand_braces("x{a,b{1..2}}.py")
        ['xa.py', 'xb1.py', 'xb2.py']
    """
    done: list[str] = []
    todo = [word]
    while todo:
        current = todo.pop()
        parts = _first_braces(current) if "{" in current else None
        if parts is None:
            done.append(current)
        else:
            before, choices, after = parts
            todo += [before + choice + after for choice in reversed(choices)]
        if len(done) + len(todo) > most:
            return [word]
    return done


def _first_braces(word: str) -> tuple[str, list[str], str] | None:
    """Find the first brace expression of a word: what is before, its choices, what is after."""
    if len(word) > 2000:
        return None
    opened: list[tuple[int, list[int]]] = []
    closed: list[tuple[int, int, list[int]]] = []
    skip = False
    for index, char in enumerate(word):
        if skip:
            skip = False
        elif char == "\\":
            skip = True
        elif char == "{":
            opened.append((index, []))
        elif char == "," and opened:
            opened[-1][1].append(index)
        elif char == "}" and opened:
            start, commas = opened.pop()
            if start == 0 or word[start - 1] != "$":
                closed.append((start, index, commas))
    for start, end, commas in sorted(closed):
        inner = word[start + 1 : end]
        if commas:
            cuts = [start, *commas, end]
            choices = [word[one + 1 : two] for one, two in pairwise(cuts)]
        else:
            choices = _range(inner)
        if choices:
            return word[:start], choices, word[end + 1 :]
    return None


def _range(inner: str) -> list[str]:
    found = _RANGE.fullmatch(inner)
    if found is None:
        return []
    if found[4]:
        first, last, step, width = ord(found[4]), ord(found[5]), 1, 0
    else:
        first, last, step = int(found[1]), int(found[2]), abs(int(found[3] or 1)) or 1
        padded = any(len(text.lstrip("-")) > 1 and text.lstrip("-")[0] == "0" for text in (found[1], found[2]))
        width = max(len(found[1]), len(found[2])) if padded else 0
    if abs(last - first) // step >= MOST:
        return []
    numbers = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
    return [chr(number) if found[4] else str(number).zfill(width) for number in numbers]


def expand_word(raw: str, scope: Scope) -> list[str]:
    """Remove the quotes of one word and fill in what is known.

    Args:
        raw: The word as it stands in the source.
        scope: The known variables.

    Returns:
        The words that come of it: none for an unquoted empty variable, several where an unquoted value holds blanks.

    Example:
        >>> expand_word('"$A"/x\\\\ y$B', Scope({"A": "a b", "B": "1 2"}))
        ['a b/x y1', '2']
        >>> expand_word("$C", Scope())
        ['$C']
    """
    return _Expansion(scope).split(raw)


def expand_text(raw: str, scope: Scope) -> str:
    """Expand the value of an assignment or a redirect target, which is never split into words.

    Args:
        raw: The text as it stands in the source.
        scope: The known variables.

    Returns:
        The expanded text.

    Example:
        >>> expand_text("$A/'b c'", Scope({"A": "x y"}))
        'x y/b c'
    """
    return " ".join(_Expansion(scope, split=False).split(raw))[:_LONGEST_VALUE]


class _Expansion:
    """One word while it is being expanded."""

    def __init__(self, scope: Scope, *, split: bool = True) -> None:
        self.scope = scope
        self.splits = split
        self.words: list[str] = []
        self.current: list[str] = []
        self.begun = False

    def split(self, raw: str) -> list[str]:
        position = 0
        while position < len(raw):
            found = _PIECE.search(raw, position)
            if found is None:
                self._literal(raw[position:])
                break
            self._literal(raw[position : found.start()])
            position = self._piece(raw, found)
        self._finish()
        return self.words

    def _literal(self, text: str) -> None:
        if text:
            self.begun = True
            self.current.append(text)

    def _finish(self) -> None:
        if self.begun:
            self.words.append("".join(self.current))
        self.current, self.begun = [], False

    def _value(self, value: str) -> None:
        """Add the value of an unquoted expansion: blanks in it split the word."""
        if not self.splits or not re.search(r"\s", value) or re.search(r"\$\(|`", value):  # an open answer is one word
            self._literal(value)
            return
        if value[0].isspace():
            self._finish()
        parts = value.split()
        for index, part in enumerate(parts):
            if index:
                self._finish()
            self._literal(part)
        if value[-1].isspace():
            self._finish()

    def _piece(self, raw: str, found: re.Match[str]) -> int:
        piece, start = found[0], found.start()
        if piece[0] == "\\":
            self._literal(piece[1].replace("\n", ""))
            return found.end()
        if len(piece) > 1 and piece[0] == "$" and piece[1] not in "'\"({":
            values = self.scope.look_up(piece[1:])
            self._value(piece if values is None else " ".join(values))
            return found.end()
        end = end_of(raw, start)
        inside = raw[start + len(piece) : end]
        closed = inside[:-1] if inside and inside[-1] == {"(": ")", "{": "}"}.get(piece[-1], piece[-1]) else inside
        if piece == "'":
            self.begun = True
            self.current.append(closed)
        elif piece == "$'":
            self.begun = True
            self.current.append(_ANSI_ESCAPE.sub(_decode, closed))
        elif piece[-1] == '"':
            self.begun = True
            self._quoted(closed)
        elif piece[0] in "<>":
            self._literal(raw[start:end])
        else:
            for index, value in enumerate(self._expand(raw[start:end], closed)):
                if index:
                    self._finish()
                self._value(value)
        return end

    def _quoted(self, text: str) -> None:
        position = 0
        while position < len(text):
            found = _QUOTED_PIECE.search(text, position)
            if found is None:
                self.current.append(text[position:])
                return
            self.current.append(text[position : found.start()])
            piece, position = found[0], found.end()
            if piece[0] == "\\":
                self.current.append(piece[1].replace("\n", "") if piece[1] in '$`"\\\n' else piece)
                continue
            if piece[-1] in "({`":
                position = end_of(text, found.start())
                piece = text[found.start() : position]
                values: tuple[str, ...] | list[str] = self._expand(
                    piece, piece[2:-1] if piece[0] == "$" else piece[1:-1]
                )
                several = "[@]" in piece
            else:
                looked = self.scope.look_up(piece[1:])
                values, several = (piece,) if looked is None else looked, piece == "$@"
            if several:
                for index, value in enumerate(values):
                    if index:
                        self._finish()
                        self.begun = True
                    self.current.append(value)
            else:
                self.current.append(" ".join(values))

    def _expand(self, raw: str, inner: str) -> list[str]:
        """Expand ``${...}``, ``$(...)`` or backquotes; what is not known stays as it is written."""
        if raw.startswith("$(("):
            return [raw]
        if raw.startswith("${"):
            return self._parameter(raw)
        command = inner if raw[0] == "$" else re.sub(r"\\([$`\\])", r"\1", inner)
        answer = self.scope.substitute(command)
        return [raw if answer is None else answer]

    def _parameter(self, raw: str) -> list[str]:
        found = _PARAMETER.fullmatch(raw)
        if found is None or found[1]:
            return [raw]
        name, index, operation = found[2], found[3], found[4]
        values = self.scope.look_up(name)
        if index is not None:
            values = _element(self.scope.lists.get(name), index)
        if operation[:2] in (":-", ":=") or operation[:1] in ("-", "="):
            default = operation.lstrip(":")[1:]
            if values is None or (operation[0] == ":" and values == ("",)):
                # a variable that nothing here sets has its default, unless the environment sets it
                return [expand_text(default, self.scope)] if len(default) < len(raw) else [raw]
            return list(values)
        if values is None:
            return [raw]
        if not operation:
            return list(values)
        if operation[0] in "%#" and len(operation) > 1:
            pattern = expand_text(operation.lstrip("%#"), self.scope)
            return [_trim(value, operation, pattern) for value in values]
        return [raw]


def _element(values: tuple[str, ...] | None, index: str) -> tuple[str, ...] | None:
    if values is None:
        return None
    if index in ("@", "*"):
        return values
    return (values[int(index)],) if index.isdigit() and len(index) < 6 and int(index) < len(values) else None


def _trim(value: str, operation: str, pattern: str) -> str:
    """Do ``${value%pattern}``, ``%%``, ``#`` and ``##``."""
    if len(value) > 1000:
        return value
    greedy = operation[:2] in ("%%", "##")
    cuts = range(len(value) + 1)
    if operation[0] == "%":
        order = cuts if greedy else reversed(cuts)
        return next((value[:cut] for cut in order if fnmatch.fnmatchcase(value[cut:], pattern)), value)
    order = reversed(cuts) if greedy else cuts
    return next((value[cut:] for cut in order if fnmatch.fnmatchcase(value[:cut], pattern)), value)


def _decode(found: re.Match[str]) -> str:
    if found[1] or found[2]:
        return chr(int(found[1] or found[2], 16))
    if found[3]:
        return chr(int(found[3], 8) & 0xFF)
    return _ANSI.get(found[4], found[0])
