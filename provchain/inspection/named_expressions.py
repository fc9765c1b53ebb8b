"""Where a script gives something a name: entries of dictionaries, and what is assigned.

For a value that a script made up this is the line that a reader wants to see: where it says what ``accuracy`` of ``svm`` is.

Nothing is computed, and no name says anything of where a value comes from: that is decided elsewhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice
from math import isfinite

from msgspec import Struct

from provchain.inspection.modules import parse_python

__all__ = ["NamedExpression", "named_expressions"]

_MOST = 5_000
_DEEPEST = 6
_MOST_INSIDE = 60


class NamedExpression(Struct, frozen=True):
    """An expression of a script, by the names that lead to it.

    Attributes:
        labels: The names, outermost first.
        line: Its line.
        names: The names that the expression itself uses.
        numbers: The literal numbers in it, as ``Decimal`` reads them.
    """

    labels: tuple[str, ...]
    line: int
    names: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()


def named_expressions(text: str) -> list[NamedExpression]:
    """Find what a Python script gives a name.

    Args:
        text: The script.

    Returns:
        The expressions in the order of their lines; nothing for what is no Python.

    Example:
        >>> code = "base = 0.7\\nmetrics = {'svm': {'f1': base + 0.02}}\\nout['mlp']['f1'] = base\\n"
        >>> [(found.labels, found.line) for found in named_expressions(code)]
        [(('base',), 1), (('metrics', 'svm', 'f1'), 2), (('out', 'mlp', 'f1'), 3)]
    """
    tree = parse_python(text)
    found: list[NamedExpression] = []
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets[:1]:
                if labels := _path(target):
                    found += _leaves(labels, node.value)
        elif isinstance(node, ast.Return | ast.Expr) and isinstance(node.value, ast.Dict):
            found += _leaves((), node.value)
        elif isinstance(node, ast.Call):
            for argument in node.args:
                if isinstance(argument, ast.Dict):  # results.append({...})
                    found += _leaves((), argument)
        if len(found) >= _MOST:
            break
    return sorted(dict.fromkeys(found), key=lambda one: one.line)[:_MOST]


def _leaves(labels: tuple[str, ...], value: ast.expr) -> Iterator[NamedExpression]:
    stack: list[tuple[tuple[str, ...], ast.expr]] = [(labels, value)]
    while stack:
        names, node = stack.pop()
        if isinstance(node, ast.Dict) and len(names) < _DEEPEST:
            for key, inner in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant):
                    stack.append(((*names, str(key.value)), inner))
        elif names:
            inside = list(islice(ast.walk(node), _MOST_INSIDE))
            used = tuple(dict.fromkeys(part.id for part in inside if isinstance(part, ast.Name)))
            yield NamedExpression(names, node.lineno, used, tuple(dict.fromkeys(filter(None, map(_number, inside)))))


def _number(node: ast.AST) -> str:
    value = node.value if isinstance(node, ast.Constant) else None
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) else ""


def _path(target: ast.expr) -> tuple[str, ...]:
    """The names of an assignment's target: ``out['mlp']['f1']`` is ``out``, ``mlp``, ``f1``."""
    names: list[str] = []
    while isinstance(target, ast.Subscript | ast.Attribute):
        if isinstance(target, ast.Attribute):
            names.append(target.attr)
        elif isinstance(target.slice, ast.Constant):
            names.append(str(target.slice.value))
        target = target.value
    if not isinstance(target, ast.Name):
        return ()
    return (target.id, *reversed(names))
