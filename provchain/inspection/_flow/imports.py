"""How modules of the run are found, run and imported from."""

from __future__ import annotations

import ast

from provchain.inspection._flow.exact import UNSURE, Variables
from provchain.inspection._flow.expressions import Expressions
from provchain.inspection._flow.libraries import meaning
from provchain.inspection._flow.machine import Frame
from provchain.inspection._flow.program import Module, nesting
from provchain.inspection._flow.values import Extern, Value
from provchain.inspection.modules import parse_python, resolve_module

__all__ = ["Imports"]

_MAX_NESTING = 60  # levels of the syntax tree that are followed; more is no script that a person or an agent wrote


class Imports(Expressions):
    """Importing modules."""

    root = ""

    def _fails(self, name: str, level: int, frame: Frame) -> bool:
        """Tell whether an import fails here: the record shows it, and the script goes on all the same."""
        missing = frame.guarded and not level and self.is_missing(name)
        if not missing or resolve_module(self.tree, frame.module.path, name, level) is not None:
            return False
        frame.import_failed = True
        return True

    def _import(self, node: ast.Import, frame: Frame) -> bool:
        for alias in node.names:
            if self._fails(alias.name, 0, frame):
                return False
            value = self.import_name(alias.name, 0, frame)
            if alias.asname:
                self.bind_name(alias.asname, value, frame)
            else:
                head = alias.name.partition(".")[0]
                self.bind_name(head, value if head == alias.name else self.import_name(head, 0, frame), frame)
        return True

    def _import_from(self, node: ast.ImportFrom, frame: Frame) -> bool:
        base = node.module or ""
        if self._fails(base, node.level, frame):
            return False
        module = self.import_name(base, node.level, frame) if base or node.level else 0
        for alias in node.names:
            if alias.name == "*":
                self._import_star(module, frame)
                continue
            found = 0
            exact: object = UNSURE
            inner = resolve_module(
                self.tree, frame.module.path, f"{base}.{alias.name}" if base else alias.name, node.level
            )
            for atom in self.domain.refs_of(module):
                if isinstance(atom, Module):
                    found |= (
                        self.module_name(atom, alias.name, node, frame)
                        if alias.name in atom.cells or inner is None
                        else 0
                    )
                    exact = atom.cells.known.get(alias.name, UNSURE) if module.bit_count() == 1 else UNSURE
                elif isinstance(atom, Extern) and inner is None:
                    found |= self.domain.extern(f"{atom.name}.{alias.name}")
                    exact = self.extern_exact(f"{atom.name}.{alias.name}")
            if not found and inner is not None:
                found = self._module_value(inner)
            self.bind_name(alias.asname or alias.name, found or self.missing(node, frame), frame, exact)
        return True

    def _import_star(self, module: Value, frame: Frame) -> None:
        for atom in self.domain.refs_of(module):
            if isinstance(atom, Module):
                for name, value in list(atom.cells.items()):
                    if not name.startswith("_"):
                        self.bind_name(name, value, frame, atom.cells.known.get(name, UNSURE))
                frame.module.stars.extend(s for s in atom.stars if s not in frame.module.stars)
            elif isinstance(atom, Extern) and atom.name not in frame.module.stars:
                frame.module.stars.append(atom.name)

    def import_name(self, name: str, level: int, frame: Frame) -> Value:
        """Import a module of the run or of a library."""
        path = resolve_module(self.tree, frame.module.path, name, level)
        if path is not None and path != frame.module.path:
            return self._module_value(path)
        # a folder without __init__ gives way to an installed library of that name
        if path is None and (
            level or (meaning(name) == "unknown" and any(f"/{name.replace('.', '/')}/" in f"/{p}" for p in self.tree))
        ):
            return self._namespace(name, level, frame)
        return self.domain.extern(name)

    def _namespace(self, name: str, level: int, frame: Frame) -> Value:
        """Stand for a folder of modules without an ``__init__``."""
        key = ("namespace", name, level, frame.module.path)
        known = self.domain.known(key)
        if known:
            return known
        module = Module(f"{name.replace('.', '/')}/" if name else frame.module.path, ast.Module([], []), "")
        return self.domain.add(key, module, callable_=False)

    def submodule(self, module: Module, name: str, frame: Frame) -> Value:
        """Find a module inside a package of the run."""
        if not module.path.endswith(("/", "__init__.py")):
            return 0
        folder = module.path.rpartition("/")[0]
        for path in (f"{folder}/{name}.py", f"{folder}/{name}/__init__.py"):
            if path in self.tree:
                return self._module_value(path)
        found = resolve_module(self.tree, frame.module.path, f"{folder.replace('/', '.')}.{name}")
        return self._module_value(found) if found else 0

    def _module_value(self, path: str) -> Value:
        """Run a module of the run, once a round, and return the reference to it."""
        module = self.load(path, self.tree[path])
        if module is None:
            return self.domain.extern(f"unreadable.{path}")
        self.run_module(module)
        key = ("module", path)
        return self.domain.known(key) or self.domain.add(key, module)

    def load(self, path: str, text: str) -> Module | None:
        """Parse a module."""
        if path not in self.modules:
            tree = parse_python(text)
            usable = tree is not None and nesting(tree) <= _MAX_NESTING
            self.modules[path] = Module(path, tree, text) if tree is not None and usable else None
        return self.modules[path]

    def run_module(self, module: Module) -> None:
        """Run a module's own statements."""
        if module.running or module.seen_in == self.round:
            return
        module.running, module.seen_in = True, self.round
        frame = Frame(module, ("module", module.path), Variables())
        frame.cells = module.cells
        try:
            self.run_block(module.tree.body, frame)
        finally:
            module.running = False

    def bind_name(self, name: str, value: Value, frame: Frame, exact: object = UNSURE) -> None:
        """Assign a variable."""
        raise NotImplementedError
