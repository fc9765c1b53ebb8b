"""Which handlers of errors ran, as far as the output shows it: ``print("Falling back to simulated results")``.

Only a ``try`` that is run once is looked at: of one in a loop nothing tells which of its rounds failed.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

from provchain.inspection.modules import SourceTree, called_name, parse_python

__all__ = ["SPEAKS", "handlers_that_ran", "spoken_texts"]

SPEAKS = frozenset(["print", "warning", "error", "exception", "info", "debug", "critical", "warn", "write"])
"""Functions and methods that print, log or write what they are given."""
_SPEAKS_HERE = SPEAKS | {"log"}
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
    modules = {path: module for path in paths if (module := parse_python(tree.get(path, ""))) is not None}
    heard = {
        (path, handler.lineno): (node, texts)
        for path, module in modules.items()
        for node in ast.walk(module)
        if isinstance(node, ast.Try)
        for handler in node.handlers
        if (texts := {text for text in _said_in(handler.body) if text in said})
    }
    if not heard:
        return frozenset()
    everywhere = Counter(text for module in modules.values() for text in _said_in([module]))
    once = {path: _Once(modules[path]) for path in {path for path, _ in heard}}
    return frozenset(
        place
        for place, (node, texts) in heard.items()
        if once[place[0]].is_run_once(node) and any(everywhere[text] == 1 for text in texts)
    )


def _said_in(nodes: Sequence[ast.AST]) -> Iterator[str]:
    for node in nodes:
        for inner in ast.walk(node):
            yield from spoken_texts(inner, _SPEAKS_HERE, _LEAST_SAID)


def spoken_texts(node: ast.AST, speaks: Collection[str], least: int) -> Iterator[str]:
    """Find the plain pieces of what a call prints or logs.

    Args:
        node: Any node; what is no such call says nothing.
        speaks: The names of the functions that print or log.
        least: Characters that a piece must have at least.

    Yields:
        The pieces, without blanks around them.

    Example:
        >>> list(spoken_texts(ast.parse("print(f'failed: {e}, going on')", mode="eval").body, SPEAKS, 8))
        [', going on']
    """
    if isinstance(node, ast.Call) and called_name(node) in speaks:
        for argument in node.args:
            for inner in ast.walk(argument):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    text = inner.value.strip()
                    if len(text) >= least:
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
