"""The modules, functions and classes of a run's own code, as the value-flow analysis meets them."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterator

from provchain.inspection._flow.bits import Value
from provchain.inspection._flow.exact import Variables

__all__ = ["ClassInfo", "FunctionInfo", "Module", "linear_mro", "nesting"]

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_BUILTINS = frozenset(dir(builtins))
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class Module:
    """One source file of the run."""

    __slots__ = ("cells", "lines", "path", "plots", "running", "seen_in", "stars", "tree", "written")

    def __init__(self, path: str, tree: ast.Module, text: str) -> None:
        self.path = path
        self.tree = tree
        self.lines = text.split("\n")
        self.cells = Variables()  # each global, joined over all its assignments: what functions see
        self.written = Variables()  # what functions assigned through ``global``
        self.stars: list[str] = []  # libraries whose names were all imported
        self.running = False
        self.seen_in = 0  # the round in which it was last run
        self.plots = any(word in text for word in ("matplotlib", "seaborn", "plt.", ".plot"))


class FunctionInfo:
    """What the text of a function says before it is called."""

    __slots__ = (
        "args",
        "body",
        "deciding",
        "generator",
        "globals",
        "inner",
        "kwarg",
        "module",
        "name",
        "names",
        "node",
        "nonlocals",
        "positional",
        "vararg",
    )

    def __init__(self, node: FunctionNode, module: Module) -> None:
        self.node = node
        self.module = module
        self.name = getattr(node, "name", "<lambda>")
        spec = node.args
        self.positional = [a.arg for a in (*spec.posonlyargs, *spec.args)]
        self.names = [*self.positional, *(a.arg for a in spec.kwonlyargs)]
        self.vararg = spec.vararg.arg if spec.vararg else None
        self.kwarg = spec.kwarg.arg if spec.kwarg else None
        self.generator = False
        self.inner = False
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.body: list[ast.stmt] = [] if isinstance(node, ast.Lambda) else node.body
        self.deciding: dict[str, bool] = {}  # parameters that may decide something; whether right here
        self._scan(node)
        if self.inner:  # what its inner functions ask for is not looked up
            self.deciding = {name: self.deciding.get(name, False) for name in self.names}
        self.deciding = {name: here for name, here in sorted(self.deciding.items()) if name in self.names}

    def _scan(self, node: FunctionNode) -> None:
        todo: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
        while todo:
            item = todo.pop()
            if isinstance(item, (ast.Yield, ast.YieldFrom)):
                self.generator = True
            elif isinstance(item, ast.Global):
                self.globals.update(item.names)
            elif isinstance(item, ast.Nonlocal):
                self.nonlocals.update(item.names)
            for part in _handed_on(item):
                self.deciding.setdefault(part, False)
            for part in _asked(item):
                self.deciding[part] = True
            if isinstance(item, _SCOPES):
                self.inner = True
            else:
                todo.extend(ast.iter_child_nodes(item))


def _asked(node: ast.AST) -> Iterator[str]:
    """Name the variables that a condition, a choice of a key or an alternative asks for."""
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        parts: list[ast.AST] = [node.test]
    elif isinstance(node, ast.BoolOp):
        parts = list(node.values)
    elif isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        parts = [node.operand]
    elif isinstance(node, ast.Match):
        parts = [node.subject]
    elif isinstance(node, ast.Subscript):
        parts = [node.slice]
    else:
        return
    for part in parts:
        root = part
        while isinstance(root, (ast.Attribute, ast.Call)):  # mode.lower() == "demo"
            root = root.func if isinstance(root, ast.Call) else root.value
        if isinstance(root, ast.Name):
            yield root.id


def _handed_on(node: ast.AST) -> Iterator[str]:
    """Name the variables that a call, an assignment or a return hands on as they are."""
    if isinstance(node, ast.Call):
        parts: list[ast.expr | None] = [*node.args, *(keyword.value for keyword in node.keywords)]
        if (
            isinstance(node.func, ast.Name)
            and node.func.id in _BUILTINS
            and not (node.func.id == "open" and len(parts) == 1)
        ):
            return  # a file that is opened to be read may hold settings
    elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.Return)):
        parts = [node.value]
    elif isinstance(node, ast.Dict):
        parts = list(node.values)
    else:
        return
    yield from (part.id for part in parts if isinstance(part, ast.Name))


class ClassInfo:
    """A class of the run: its attributes, its own bases and those from libraries."""

    __slots__ = (
        "assigned",
        "attributes",
        "bases",
        "bit",
        "externs",
        "fields",
        "module",
        "name",
        "node",
        "order",
        "record",
    )

    def __init__(self, node: ast.ClassDef, module: Module) -> None:
        self.node = node
        self.module = module
        self.name = node.name
        self.attributes = Variables()
        self.bases: list[ClassInfo] = []
        self.externs: list[str] = []  # dotted names of library bases
        self.fields: list[str] = []  # annotated names, in order: the parameters of a dataclass
        self.record = False  # a dataclass or a named tuple
        self.bit: Value = 0
        stored = [n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)]
        self.assigned = Counter(stored)  # how often its methods assign to a field
        self.order: list[ClassInfo] = [self]  # the class and its bases of the run, nearest first


def linear_mro(info: ClassInfo) -> list[ClassInfo]:
    """List a class and its bases of the run, nearest first; cycles and repetitions end it."""
    out: list[ClassInfo] = []
    todo = [info]
    while todo and len(out) < 64:
        head = todo.pop(0)
        if head not in out:
            out.append(head)
            todo.extend(head.bases)
    return out


def _children(node: ast.AST) -> Iterator[tuple[ast.AST, int]]:
    """List the children of a node with the levels they cost the evaluator: chains it walks in a loop cost none."""
    for child in ast.iter_child_nodes(node):
        chain = (isinstance(node, ast.BinOp) and child is node.left) or (
            isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]
        )
        yield child, 0 if chain else 1


def nesting(tree: ast.AST) -> int:
    """Measure how deep a tree is nested, without recursion."""
    deepest = 0
    todo: list[tuple[ast.AST, int]] = [(tree, 0)]
    while todo:
        node, depth = todo.pop()
        deepest = max(deepest, depth)
        todo.extend((child, depth + cost) for child, cost in _children(node))
    return deepest
