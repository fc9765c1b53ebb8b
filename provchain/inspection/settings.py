"""The settings that a script holds: named constants, entries of literal dictionaries, defaults of arguments.

They are what a configuration file would say, written in code. Only names with a literal number count; nothing is computed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from decimal import Decimal

from provchain.inspection.modules import parse_python
from provchain.model import Value

__all__ = ["script_settings"]

_MOST = 2_000


def script_settings(artifact: str, path: str, text: str) -> list[Value]:
    """Read the settings of a Python script.

    Args:
        artifact: Id of the script's artifact.
        path: Its path.
        text: Its text.

    Returns:
        One value for each named literal number, its selector the line (``line=N``), its labels the names.

    Example:
        >>> [(v.labels, v.lexical) for v in script_settings("a#1", "a.py", "EPOCHS = 5\\nCFG = {'lr': 0.1}\\nf(seed=3)")]
        [(('EPOCHS',), '5'), (('CFG', 'lr'), '0.1'), (('seed',), '3')]
    """
    tree = parse_python(text)
    found: dict[str, Value] = {}
    for labels, node in _named(tree) if tree is not None else ():
        lexical = ast.get_source_segment(text, node) if len(text) < 400_000 else repr(node.value)
        selector = f"line={node.lineno}"
        identifier = f"{artifact}!{selector};{node.col_offset}"
        number = Decimal(str(node.value))
        if lexical is not None and number.is_finite() and len(found) < _MOST:
            found.setdefault(identifier, Value(identifier, artifact, path, selector, lexical, number, labels))
    return list(found.values())


def _named(tree: ast.Module) -> Iterator[tuple[tuple[str, ...], ast.Constant]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _bound(_name(target), node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            yield from _bound(_name(node.target), node.value)
        elif isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg == "default" and node.args:
                    yield from _bound(_option(node.args[-1]), keyword.value)
                elif keyword.arg is not None:
                    yield from _bound(keyword.arg, keyword.value)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = node.args.posonlyargs + node.args.args
            for argument, default in zip(arguments[::-1], node.args.defaults[::-1], strict=False):
                yield from _bound(argument.arg, default)


def _bound(name: str, value: ast.expr) -> Iterator[tuple[tuple[str, ...], ast.Constant]]:
    """The literal numbers that a name is bound to, those of a literal dictionary under its keys."""
    if not name:
        return
    stack: list[tuple[tuple[str, ...], ast.expr]] = [((name,), value)]
    while stack:
        labels, node = stack.pop()
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
            yield labels, node
        elif isinstance(node, ast.Dict) and len(labels) < 5:
            entries = zip(node.keys, node.values, strict=True)
            stack.extend(((*labels, str(k.value)), v) for k, v in entries if isinstance(k, ast.Constant))


def _name(target: ast.expr) -> str:
    if isinstance(target, ast.Name):
        return target.id
    return target.attr if isinstance(target, ast.Attribute) else ""


def _option(node: ast.expr) -> str:
    return str(node.value).lstrip("-") if isinstance(node, ast.Constant) else ""
