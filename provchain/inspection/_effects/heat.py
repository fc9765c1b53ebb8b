"""Which words matter: calls that touch files, functions of the run that lead to them, those that change objects."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from provchain.inspection._effects.arguments import PARSER_METHODS
from provchain.inspection._effects.outline import AMBIGUOUS, FunctionOutline, ModuleOutline
from provchain.inspection._effects.outside import OUTSIDE_WORDS, comes_from_outside
from provchain.inspection._effects.sinks import SINK_WORDS

__all__ = ["Heat", "dotted_name", "find_heat", "label_of"]

_FILE_WORDS = frozenset(
    [
        "open",
        "makedirs",
        "mkdir",
        "remove",
        "unlink",
        "rmdir",
        "rmtree",
        "copy",
        "copy2",
        "copyfile",
        "copytree",
        "move",
        "rename",
        "renames",
        "replace",
        "symlink",
        "link",
        "listdir",
        "scandir",
        "walk",
        "glob",
        "iglob",
        "rglob",
        "iterdir",
        "chdir",
        "write_text",
        "write_bytes",
        "read_text",
        "read_bytes",
        "touch",
        "FileHandler",
        "run_path",
    ]
)
_IMPORTED = frozenset(SINK_WORDS | OUTSIDE_WORDS | _FILE_WORDS)
SINKING = frozenset({f"@{word}" for word in AMBIGUOUS} | (_IMPORTED - AMBIGUOUS))
_CHANGING = frozenset(
    {
        "append",
        "extend",
        "insert",
        "add",
        "update",
        "setdefault",
        "pop",
        "setattr",
        "ArgumentParser",
        "super",
        "__init__",
        "__post_init__",
        "sys",
        *PARSER_METHODS,
    }
)
_LEADING = ("load_", "fetch_", "read_", "write_")  # of library calls on files


@dataclass(frozen=True, slots=True)
class Heat:
    """The words of calls, by what they can do.

    Attributes:
        sinking: Functions and classes of the run that lead to a call on files.
        changing: Those that only change objects, which may name files.
        emitting: ``sinking``, and the library calls on files themselves.
        hot: All of them, and the calls that change lists, tables and parsers.
    """

    sinking: set[str]
    changing: set[str]
    emitting: set[str]
    hot: set[str]


def find_heat(outlines: list[ModuleOutline]) -> Heat:
    """Find the words that matter in the modules of a run."""
    functions = [function for outline in outlines for function in outline.functions]
    base = _base(outlines)
    sinking = _closure(functions, {one for one in functions if not one.words.isdisjoint(base)})
    heated = _closure(functions, {one for one in functions if one.stores or label_of(one) & sinking})
    classes = {name: bases for outline in outlines for name, bases in outline.classes.items()}
    for names in (sinking, heated):
        for _ in range(4):  # a class whose base is hot is hot
            names |= {name for name, bases in classes.items() if not names.isdisjoint(bases)}
    emitting = base | sinking
    return Heat(sinking, heated - emitting, emitting, emitting | heated | _CHANGING)


def _base(outlines: list[ModuleOutline]) -> set[str]:
    """The words of library calls that matter, and the names under which modules import them."""
    base = set(SINKING)
    for outline in outlines:
        base |= {word for word in outline.words if word.startswith(_LEADING)}
        for node, _ in outline.imports:
            if isinstance(node, ast.ImportFrom):
                base |= {
                    alias.asname or alias.name
                    for alias in node.names
                    if alias.name in _IMPORTED or comes_from_outside(dotted_name(node.module, alias.name))
                }
    return base


def _closure(functions: list[FunctionOutline], start: set[FunctionOutline]) -> set[str]:
    """The names of functions that lead to some of them."""
    names: set[str] = set()
    for one in start:
        names |= label_of(one)
    waiting = [one for one in functions if one not in start]
    while True:
        led = [one for one in waiting if not one.words.isdisjoint(names)]
        if not led:
            return names
        for one in led:
            names |= label_of(one)
        reached = set(led)
        waiting = [one for one in waiting if one not in reached]


def label_of(function: FunctionOutline) -> frozenset[str]:
    """The name under which a function is called: that of its class for a constructor."""
    if function.name in ("__init__", "__post_init__", "__new__") and function.owner:
        return frozenset({function.owner})
    return frozenset({function.name})


def dotted_name(module: str | None, name: str) -> str:
    """A submodule's name."""
    return f"{module}.{name}" if module else name
