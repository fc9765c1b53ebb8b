"""What a few lines of Python make of a file that they read, change by literal replacements and write back.

Agents mend scripts so (``s = open(p).read().replace("a", "b"); open(p, "w").write(s)``). Only programs that do nothing else are
understood: whatever else stands in them, what they leave is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from provchain.inspection.modules import parse_python

__all__ = ["rewritten"]

_MOST = 400_000  # characters of a text


def rewritten(program: str, text: str, is_file: Callable[[str], bool]) -> str | None:
    """Say what a program leaves of a file.

    Args:
        program: Its text.
        text: What stood in the file.
        is_file: Whether a path in the program is that file.

    Returns:
        What stands there now, or ``None`` where that is not sure.

    Example:
        >>> rewritten("s = open('a.py').read()\\nopen('a.py', 'w').write(s.replace('n=9', 'n=1'))", "f(n=9)", "a.py".__eq__)
        'f(n=1)'
    """
    tree = parse_python(program)
    if tree is None or len(text) > _MOST:
        return None
    rewriter = _Rewriter(text, is_file)
    return rewriter.left if all(map(rewriter.follow, tree.body)) else None


class _Rewriter:
    """Follows the statements; each says whether it was understood."""

    def __init__(self, text: str, is_file: Callable[[str], bool]) -> None:
        self._is_file = is_file
        self._now = text
        self._names: dict[str, str] = {}
        self._handles: dict[str, tuple[str, bool]] = {}  # path and whether it is written to
        self.left: str | None = None

    def follow(self, node: ast.stmt) -> bool:
        """Follow one statement."""
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Assert):
            return True
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = self._string(node.value)
            if value is not None:
                self._names[node.targets[0].id] = value
            return value is not None
        if isinstance(node, ast.With) and len(node.items) == 1:
            opened, name = self._opened(node.items[0].context_expr), node.items[0].optional_vars
            if opened is None or not isinstance(name, ast.Name):
                return False
            self._handles[name.id] = opened
            return all(map(self.follow, node.body))
        return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and self._call(node.value)

    def _call(self, call: ast.Call) -> bool:
        if isinstance(call.func, ast.Name):
            return call.func.id == "print"
        if not isinstance(call.func, ast.Attribute) or len(call.args) != 1:
            return False
        target = self._target(call.func.value, call.func.attr)
        value = self._string(call.args[0])
        if target is None or value is None or not self._is_file(target):
            return False
        self._now = self.left = value
        return True

    def _target(self, node: ast.expr, method: str) -> str | None:
        """The path that a call writes to: ``open(p, "w").write``, ``handle.write``, ``Path(p).write_text``."""
        if method == "write_text":
            return self._path(node)
        opened = self._opened(node)
        return opened[0] if method == "write" and opened is not None and opened[1] else None

    def _opened(self, node: ast.expr) -> tuple[str, bool] | None:
        if isinstance(node, ast.Name):
            return self._handles.get(node.id)
        if not (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open" and node.args
        ):
            return None
        path = self._path(node.args[0])
        modes = [*node.args[1:2], *(keyword.value for keyword in node.keywords if keyword.arg == "mode")]
        mode = self._string(modes[0]) if modes else "r"
        return (path, mode == "w") if path is not None and mode in ("r", "w", "rt", "wt") else None

    def _path(self, node: ast.expr) -> str | None:
        """A path as text, or in ``Path(...)``."""
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            named = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            return self._string(node.args[0]) if named == "Path" else None
        return self._string(node)

    def _string(self, node: ast.expr) -> str | None:
        """The text that an expression stands for: a literal, a name, the file, what replacements make of them."""
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name):
            return self._names.get(node.id)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._path(node)  # p = Path("a.py")
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None
        method, inner = node.func.attr, node.func.value
        if method in ("read", "read_text") and not node.args:
            opened = self._opened(inner) if method == "read" else None
            path = (
                (opened[0] if opened is not None and not opened[1] else None) if method == "read" else self._path(inner)
            )
            return self._now if path is not None and self._is_file(path) else None
        text = self._string(inner) if method == "replace" and len(node.args) in (2, 3) else None
        if text is None:
            return None
        old, new = self._string(node.args[0]), self._string(node.args[1])
        times = node.args[2] if len(node.args) == 3 else ast.Constant(-1)
        count = times.value if isinstance(times, ast.Constant) else None
        if not old or new is None or not isinstance(count, int) or len(text) > _MOST or len(new) > _MOST:
            return None
        grown = len(text) + text.count(old) * len(new)
        return text.replace(old, new, count) if grown <= 2 * _MOST else None
