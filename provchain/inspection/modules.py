"""Python sources of a run: parsed once, and found again by the imports that name them.

A source tree is a plain mapping from a path (relative to the study, forward slashes) to the text of the file as it stood
when an execution ran. Nothing is imported or executed.
"""

from __future__ import annotations

import ast
import posixpath
import warnings
from collections.abc import Mapping
from functools import lru_cache

__all__ = ["SourceTree", "called_name", "imported_modules", "parse_python", "resolve_module"]

SourceTree = Mapping[str, str]

_MAX_SOURCE = 2_000_000  # characters; more than that is no script that a person or an agent wrote


@lru_cache(maxsize=512)
def parse_python(text: str) -> ast.Module | None:
    """Parse a Python source for inspection, or say that it cannot be parsed.

    Args:
        text: The source.

    Returns:
        Its syntax tree, or ``None`` where the text is no Python, is too deep or too long.

    Example:
        >>> parse_python("x = 1") is not None, parse_python("x = = 1")
        (True, None)
    """
    if len(text) > _MAX_SOURCE:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in somebody's script are not our warnings
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def called_name(call: ast.Call) -> str:
    """The last part of the name of what is called.

    Args:
        call: The call.

    Returns:
        Its name, or an empty string where what is called has none.

    Example:
        >>> [called_name(call) for call in ast.walk(ast.parse("np.mean(f(x)[0]())")) if isinstance(call, ast.Call)]
        ['mean', '', 'f']
    """
    func = call.func
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def resolve_module(tree: SourceTree, importer: str, module: str, level: int = 0) -> str | None:
    """Find the file of the run that an import names.

    Looks beside the importing file first, then in each folder above it up to the root, as a script's own folder and its
    ``sys.path`` additions would.

    Args:
        tree: The sources of the run.
        importer: Path of the importing file.
        module: Dotted name as it stands in the import.
        level: Number of leading dots.

    Returns:
        The path of the module's file in ``tree``, or ``None`` if it comes from elsewhere.

    Example:
        >>> resolve_module({"code/a.py": "", "code/lib/b.py": ""}, "code/a.py", "lib.b")
        'code/lib/b.py'
    """
    name = module.replace(".", "/")
    folder = posixpath.dirname(importer)
    for _ in range(max(level - 1, 0)):
        folder = posixpath.dirname(folder)
    while True:
        for candidate in (f"{name}.py", f"{name}/__init__.py") if name else ("__init__.py",):
            path = posixpath.normpath(posixpath.join(folder, candidate))
            if path in tree:
                return path
        if not folder or level:
            return None
        folder = posixpath.dirname(folder) if folder != "/" else ""


def imported_modules(tree: SourceTree, path: str) -> list[str]:
    """Find the files of the run that a Python file imports directly.

    Args:
        tree: The sources of the run.
        path: The importing file.

    Returns:
        Their paths, each once, in the order of the imports.

    Example:
        >>> imported_modules({"a.py": "import os\\nfrom lib import b", "lib/b.py": ""}, "a.py")
        ['lib/b.py']
    """
    found: dict[str, None] = {}
    for name, level in _import_names(tree.get(path, "")):
        if (target := resolve_module(tree, path, name, level)) is not None and target != path:
            found.setdefault(target)
    return list(found)


@lru_cache(maxsize=512)
def _import_names(text: str) -> tuple[tuple[str, int], ...]:
    """The dotted names that a source imports, each with its number of leading dots."""
    module = parse_python(text)
    names: dict[tuple[str, int], None] = {}
    for node in ast.walk(module) if module is not None else ():
        if isinstance(node, ast.Import):
            names.update(dict.fromkeys((alias.name, 0) for alias in node.names))
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if base:
                names.setdefault((base, node.level))
            names.update(dict.fromkeys((f"{base}.{alias.name}".lstrip("."), node.level) for alias in node.names))
    return tuple(names)
