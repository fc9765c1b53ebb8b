"""Which handlers of errors ran, as far as the output shows it: ``print("Falling back to simulated results")``.

Only a ``try`` that is run once is looked at: of one in a loop nothing tells which of its rounds failed.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator

from provchain.inspection.modules import SourceTree, parse_python

__all__ = ["handlers_that_ran"]

_SPEAKS = frozenset(["print", "warning", "error", "exception", "info", "debug", "critical", "warn", "write", "log"])
_LEAST_SAID = 10  # characters of a message that are known again in an output
_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def handlers_that_ran(tree: SourceTree, paths: Collection[str], said: str) -> frozenset[tuple[str, int]]:
    """Find the handlers of errors whose message an execution printed.

    Args:
        tree: The Python sources of the run, as they stood when it ran.
        paths: The files that it executed or imported.
        said: What it printed and logged.

    Returns:
        Path and line of each such handler whose ``try`` is run once, if no other place of the code says the same.

    Example:
        >>> code = "try:\\n    acc = run()\\nexcept Exception:\\n    print('using default values')\\n    acc = 0.9\\n"
        >>> handlers_that_ran({"a.py": code}, ["a.py"], "epoch 1\\nusing default values\\n")
        frozenset({('a.py', 3)})
    """
    if not said.strip():
        return frozenset()
    found: dict[tuple[str, int], set[str]] = {}
    everywhere: Counter[str] = Counter()
    for path in paths:
        module = parse_python(tree.get(path, ""))
        if module is None:
            continue
        everywhere.update(text for node in ast.walk(module) for text in _said(node))
        once = _Once(module)
        for node in ast.walk(module):
            if isinstance(node, ast.Try) and once.is_run_once(node):
                for handler in node.handlers:
                    texts = {text for part in handler.body for inner in ast.walk(part) for text in _said(inner)}
                    found[path, handler.lineno] = texts
    return frozenset(
        place for place, texts in found.items() if any(text in said and everywhere[text] == 1 for text in texts)
    )


def _said(node: ast.AST) -> Iterator[str]:
    """The plain pieces of what a statement prints or logs."""
    if not isinstance(node, ast.Call):
        return
    func = node.func
    name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
    if name in _SPEAKS:
        for argument in node.args:
            for inner in ast.walk(argument):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    text = inner.value.strip()
                    if len(text) >= _LEAST_SAID:
                        yield text


class _Once:
    """Says of the nodes of a module whether they are run once: in no loop, in no function that is called again."""

    def __init__(self, module: ast.Module) -> None:
        self._parents = {child: node for node in ast.walk(module) for child in ast.iter_child_nodes(node)}
        self._mentions: dict[str, list[ast.AST]] = defaultdict(list)
        for node in ast.walk(module):
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                self._mentions[node.id if isinstance(node, ast.Name) else node.attr].append(node)

    def is_run_once(self, node: ast.AST) -> bool:
        seen: set[str] = set()
        current: ast.AST | None = node
        while current is not None:
            if isinstance(current, (*_LOOPS, ast.Lambda)):
                return False
            if isinstance(current, _FUNCTIONS):
                places = self._mentions.get(current.name, [])
                if len(places) != 1 or current.name in seen:
                    return False
                seen.add(current.name)
                current = places[0]
                continue
            current = self._parents.get(current)
        return True
