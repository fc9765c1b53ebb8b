"""Numbers that stand as constants in a script, by the names that lead to them.

``results["ours"] = {"accuracy": 0.953}``, ``DEFAULTS = {"svm": 0.948}``, ``m.get("accuracy", 0.9586)``, ``return 0.91`` in
``def score()``: a value of a result file that is exactly such a constant, under the same names, was typed and not measured.
A constant that is computed with (``0.5 * x``) is left out: what comes out is another number.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from provchain.inspection.modules import called_name, parse_python

__all__ = ["NamedConstant", "named_constants"]

_MOST = 5_000
_DEFAULTING = frozenset(["get", "setdefault", "pop", "getattr", "get_param"])
_HANDING_ON = frozenset(["round", "float", "int", "str", "item", "max", "min", "clip"])
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class NamedConstant(Struct, frozen=True):
    """A number of a script.

    Attributes:
        number: The number.
        line: Its line.
        names: Keys, variables, attributes, functions and compared words around it, the nearest first.
    """

    number: Decimal
    line: int
    names: tuple[str, ...]


def named_constants(text: str) -> list[NamedConstant]:
    """Find the decimal constants of a Python script that something names.

    Args:
        text: The script.

    Returns:
        The constants in the order of their lines; nothing for what is no Python.

    Example:
        >>> code = "if name == 'ours':\\n    acc = 0.953\\nout['svm']['f1'] = 0.91\\nx = 0.5 * y\\n"
        >>> [(str(found.number), found.names) for found in named_constants(code)]
        [('0.953', ('acc', 'ours')), ('0.91', ('out', 'svm', 'f1'))]
    """
    tree = parse_python(text)
    if tree is None:
        return []
    carried = _carried(tree)
    found: list[NamedConstant] = []
    stack: list[tuple[ast.AST, tuple[str, ...]]] = [(tree, ())]
    while stack and len(found) < _MOST:
        node, names = stack.pop()
        if isinstance(node, ast.Constant):
            if isinstance(node.value, float) and names:
                found.append(NamedConstant(Decimal(str(node.value)), node.lineno, tuple(dict.fromkeys(names))))
        elif not isinstance(node, ast.BinOp | ast.Compare | ast.JoinedStr):
            stack.extend((child, (*own, *names)) for child, own in _children(node, carried))
    return sorted(found, key=lambda one: one.line)


def _children(node: ast.AST, carried: dict[str, tuple[str, ...]]) -> Iterator[tuple[ast.AST, tuple[str, ...]]]:
    """The parts of a node, each with the names that the node gives it."""
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            yield value, (str(key.value),) if isinstance(key, ast.Constant) else ()
    elif isinstance(node, ast.Assign):
        names = [name for target in node.targets for name in _path(target)]
        yield node.value, (*names, *(name for own in names for name in carried.get(own, ())))
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        names = list(_path(node.target))
        yield node.value, (*names, *(name for own in names for name in carried.get(own, ())))
    elif isinstance(node, ast.List | ast.Tuple):  # a row: what is it of?
        said = tuple(one.value for one in node.elts if isinstance(one, ast.Constant) and isinstance(one.value, str))
        yield from ((part, said[:3]) for part in node.elts)
    elif isinstance(node, ast.keyword):
        yield node.value, (node.arg,) if node.arg else ()
    elif isinstance(node, ast.If):
        yield from ((part, _compared(node.test)) for part in node.body)
        yield from ((part, ()) for part in node.orelse)
    elif isinstance(node, ast.IfExp):
        yield from ((part, ()) for part in (node.body, node.orelse))
    elif isinstance(node, _FUNCTIONS):
        own = (node.name, *carried.get(node.name, ()))
        arguments = [*node.args.posonlyargs, *node.args.args]
        for argument, default in zip(arguments[::-1], node.args.defaults[::-1], strict=False):
            yield default, (argument.arg,)
        yield from ((part, own) for part in node.body)
    elif isinstance(node, ast.ClassDef):
        yield from ((part, (node.name,)) for part in node.body)
    elif isinstance(node, ast.Call):
        first = node.args[0] if node.args else None
        named = called_name(node) in _DEFAULTING and isinstance(first, ast.Constant) and isinstance(first.value, str)
        own = (str(first.value),) if named and isinstance(first, ast.Constant) else ()
        yield from ((part, own) for part in (*node.args, *node.keywords))
    else:
        yield from ((part, ()) for part in ast.iter_child_nodes(node))


def _carried(tree: ast.Module) -> dict[str, tuple[str, ...]]:
    """For each function the names that its answers are given, and for each variable the keys it is put under."""
    found: dict[str, list[str]] = defaultdict(list)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            pairs = [(node.value, tuple(name for target in node.targets for name in _path(target)))]
        elif isinstance(node, ast.Dict):
            pairs = [
                (value, (str(key.value),))
                for key, value in zip(node.keys, node.values, strict=True)
                if isinstance(key, ast.Constant)
            ]
        else:
            continue
        for value, names in pairs:
            source = _source(value)
            if source and names:
                found[source].extend(names)
    once = {name: dict.fromkeys(names) for name, names in found.items()}
    twice = {
        name: {**names, **{far: None for near in names for far in once.get(near, ())}} for name, names in once.items()
    }
    return {name: tuple(names)[:20] for name, names in twice.items()}


def _source(value: ast.expr) -> str:
    """The function whose answer, or the variable whose value, an expression hands on: ``round(float(acc), 4)``."""
    while True:
        if isinstance(value, ast.Name):
            return value.id
        if isinstance(value, ast.Subscript):
            value = value.value
        elif isinstance(value, ast.Call):
            if called_name(value) not in _HANDING_ON or not value.args:
                return called_name(value)
            value = value.args[0]
        else:
            return ""


def _compared(test: ast.expr) -> tuple[str, ...]:
    """The words that a condition compares with."""
    words = (node.value for node in ast.walk(test) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return tuple(words)[:5]


def _path(target: ast.expr) -> tuple[str, ...]:
    """The names of a target: ``out['svm']['f1']`` is ``out``, ``svm``, ``f1``."""
    names: list[str] = []
    todo = [target]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name):
            names.append(node.id)
        elif isinstance(node, ast.Attribute):
            names.append(node.attr)
            todo.append(node.value)
        elif isinstance(node, ast.Subscript):
            inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            names.extend(str(one.value) for one in inner if isinstance(one, ast.Constant))
            todo.append(node.value)
        elif isinstance(node, ast.Tuple | ast.List):
            todo.extend(node.elts)
    return tuple(reversed(names)) if not isinstance(target, ast.Tuple | ast.List) else tuple(names)
