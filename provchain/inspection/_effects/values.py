"""What an expression of a script can be: constants, texts with unknown pieces, objects of the run, or unknown.

Values are lazy where they can be (``Lazy``: an expression and the names it saw), so that what no path depends on is
never worked out. Several alternatives stand side by side in ``Many``, up to ``CAP``; more are blurred into one.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from provchain.inspection._effects.paths import WILD, blur_texts
from provchain.model import Role

__all__ = [
    "CAP",
    "MISSING",
    "UNKNOWN",
    "Bound",
    "Call",
    "ClassValue",
    "DictValue",
    "Draft",
    "External",
    "FileValue",
    "Function",
    "Host",
    "Instance",
    "Join",
    "Lazy",
    "ListValue",
    "Many",
    "ModuleValue",
    "Opaque",
    "Partial",
    "PathValue",
    "Pick",
    "Scope",
    "Site",
    "Super",
    "alternatives",
    "blur",
    "lift",
    "many",
    "texts",
]

CAP = 16  # alternatives kept apart
MAX_TEXT = 4096  # characters of one text; a longer one is no path


class Opaque:
    """A value of which nothing is known but, at best, what made it."""

    __slots__ = ("attrs", "kind")

    def __init__(self, kind: str = "") -> None:
        self.kind = kind
        self.attrs: dict[str, object] | None = None


UNKNOWN = Opaque()
MISSING = Opaque("missing")  # no such name, argument or attribute


@dataclass(frozen=True, slots=True)
class External:
    """A module, class or function from outside the run, by its dotted name."""

    name: str


@dataclass(frozen=True, slots=True)
class PathValue:
    """A ``pathlib`` path."""

    text: str


@dataclass(frozen=True, slots=True)
class Many:
    """One of several values, none of them a ``Many``."""

    values: tuple[object, ...]


@dataclass(eq=False, slots=True)
class ListValue:
    """A list, tuple, set or iterator; ``more`` says that it may hold further elements."""

    items: list[object]
    more: bool = False
    fixed: bool = False  # a tuple or sys.argv: nothing can be added behind our back


@dataclass(eq=False, slots=True)
class DictValue:
    """A mapping; ``more`` says that it may hold further entries."""

    entries: dict[Any, object]
    more: bool = False


@dataclass(eq=False, slots=True)
class ModuleValue:
    """A file of the run as a module, or a folder of it as a package."""

    path: str
    env: dict[str, object] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Scope:
    """Where names are looked up: the names seen, then the enclosing functions, then the module."""

    env: dict[str, object]
    module: ModuleValue
    outer: Scope | None = None
    function: Function | None = None
    seen: dict[tuple[str, str], object] | None = None  # attributes as they were when the expression was met


class Lazy:
    """An expression that is worked out when somebody asks."""

    __slots__ = ("busy", "node", "scope", "value")

    def __init__(self, node: ast.expr, scope: Scope) -> None:
        self.node: ast.expr | None = node
        self.scope: Scope | None = scope
        self.value: object = UNKNOWN
        self.busy = False


@dataclass(eq=False, slots=True)
class Pick:
    """One element of something that is not yet worked out."""

    whole: object
    index: int


@dataclass(eq=False, slots=True)
class Join:
    """What a name is after two branches, not yet worked out."""

    sides: tuple[object, ...]


@dataclass(eq=False, slots=True)
class Function:
    """A function of the run."""

    name: str
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    scope: Scope
    owner: ClassValue | None = None
    defaults: dict[str, object] = field(default_factory=dict)
    marks: frozenset[str] = frozenset()  # last names of its decorators


@dataclass(eq=False, slots=True)
class ClassValue:
    """A class of the run."""

    name: str
    node: ast.ClassDef
    scope: Scope
    bases: tuple[object, ...]
    env: dict[str, object] = field(default_factory=dict)
    marks: frozenset[str] = frozenset()


@dataclass(eq=False, slots=True)
class Instance:
    """An object of a class of the run, or (without a class) a plain namespace."""

    cls: ClassValue | None
    attrs: dict[str, object] = field(default_factory=dict)
    more: bool = False


@dataclass(eq=False, slots=True)
class Bound:
    """A method with the object it was taken from; ``name`` for a method that is not of the run."""

    target: object
    function: Function | None
    name: str


@dataclass(eq=False, slots=True)
class Super:
    """``super()``: an object seen from above one of its classes."""

    target: object
    below: ClassValue


@dataclass(eq=False, slots=True)
class Partial:
    """``functools.partial``."""

    target: object
    args: list[object]
    kwargs: dict[str, object]


@dataclass(slots=True)
class Draft:
    """An effect under construction: what is done with an opened file can still say more about it."""

    pattern: str
    mode: str
    how: str
    path: str
    line: int
    role: Role | None = None
    source: str | None = None
    hint: str = ""


@dataclass(eq=False, slots=True)
class FileValue:
    """An opened file, with the effects of its opening."""

    drafts: list[Draft]
    text: str


@dataclass(frozen=True, slots=True)
class Site:
    """Where a call stands, and the words around it that say what it is for."""

    path: str
    line: int
    hint: str = ""


@dataclass(slots=True)
class Call:
    """A call of something outside the run."""

    host: Host
    name: str
    args: list[object]
    kwargs: dict[str, object]
    site: Site
    open_ended: bool = False  # a starred argument hides further ones

    def raw(self, position: int | None, *names: str) -> object:
        """An argument by position or name, as it was given, or ``MISSING``."""
        for name in names:
            if name in self.kwargs:
                return self.kwargs[name]
        if position is not None and position < len(self.args):
            return self.args[position]
        return MISSING

    def arg(self, position: int | None, *names: str) -> object:
        """An argument by position or name, worked out, or ``MISSING``."""
        return self.host.force(self.raw(position, *names))


class Host(Protocol):
    """What a model of a library may ask of the machine."""

    cwd: str
    home: str
    argv: tuple[str, ...]

    @property
    def unsure(self) -> bool:
        """Whether the statement at hand may not run."""

    def force(self, value: object) -> object:
        """Work a value out."""

    def call(self, target: object, args: list[object], kwargs: dict[str, object], site: Site) -> object:
        """Call a value."""

    def attribute(self, target: object, name: str) -> object:
        """Take an attribute of a value."""

    def elements(self, value: object) -> tuple[list[object], bool]:
        """The elements of an iterable, and whether there may be more."""

    def emit(self, mode: str, value: object, how: str, site: Site, role: Role | None = None) -> list[Draft]:
        """Report a file effect."""

    def copy(self, source: object, target: object, how: str, site: Site) -> None:
        """Report that a file is copied."""

    def outside(self, what: str) -> None:
        """Report something loaded from outside the study."""

    def command(self, site: Site, words: tuple[str, ...] | str) -> None:
        """Report a command that is started."""

    def load_module(self, name: str, site: Site) -> object:
        """Import a module by its dotted name."""

    def in_run(self, text: str) -> bool:
        """Whether a path lies among the files of the run, or was written by it."""

    def content(self, path: str) -> str | None:
        """The text of a file of the run, if it is known."""


def alternatives(value: object) -> tuple[object, ...]:
    """The values that a worked-out value can be."""
    return value.values if isinstance(value, Many) else (value,)


def _key(value: object) -> object:
    """What makes two alternatives the same."""
    if isinstance(value, (str, int, float, bool, type(None), PathValue, External)):
        return (type(value), value)
    return UNKNOWN if isinstance(value, Opaque) and not value.kind else id(value)


def many(values: Iterable[object]) -> object:
    """One value for several alternatives: themselves up to ``CAP``, else what they have in common."""
    found: dict[object, object] = {}
    for value in values:
        for one in alternatives(value):
            if one is not MISSING:
                found.setdefault(_key(one), one)
    if not found:
        return MISSING
    if len(found) == 1:
        return next(iter(found.values()))
    kept = tuple(found.values())
    return Many(kept) if len(kept) <= CAP else blur(Many(kept))


def blur(value: object) -> object:
    """One value without alternatives that covers all alternatives of a value."""
    if not isinstance(value, Many):
        return value
    kept = [one for one in value.values if one is not None]
    if kept and all(isinstance(one, (str, int, float, PathValue)) for one in kept):
        text = blur_texts([text for one in kept for text in texts(one)])
        return PathValue(text) if any(isinstance(one, PathValue) for one in kept) else text
    if kept and all(isinstance(one, ListValue) for one in kept):
        lists = [one for one in kept if isinstance(one, ListValue)]
        width = min(len(one.items) for one in lists)
        same = all(len(one.items) == width and not one.more for one in lists)
        return ListValue([Join(tuple(one.items[i] for one in lists)) for i in range(width)], more=not same)
    return UNKNOWN


def lift(function: Callable[..., object], *values: object) -> object:
    """Apply a function to worked-out values, alternative by alternative while they are few."""
    if not any(isinstance(value, Many) for value in values):
        return function(*values)
    columns = [alternatives(value) for value in values]
    size = 1
    for column in columns:
        size *= len(column)
    if size > CAP:
        return function(*(blur(value) for value in values))
    return many(function(*row) for row in itertools.product(*columns))


def texts(value: object) -> Sequence[str]:
    """The texts that a worked-out value reads as."""
    if isinstance(value, str):
        return (value if len(value) <= MAX_TEXT else WILD,)
    if isinstance(value, PathValue):
        return (value.text,)
    if isinstance(value, Many):
        return tuple(dict.fromkeys(text for one in value.values for text in texts(one)))
    if value is None or isinstance(value, (bool, float)):
        return (str(value),)
    if isinstance(value, int):
        return (str(value) if abs(value) < 10**18 else WILD,)
    return (WILD,)
