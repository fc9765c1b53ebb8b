"""What each statement of a module mentions, collected once per text: which names it reads, which words its calls use.

The machine skips, and keeps lazy, every statement whose words cannot lead to a file.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import lru_cache

from provchain.inspection.modules import parse_python

__all__ = ["AMBIGUOUS", "EMPTY", "Facts", "FunctionOutline", "ModuleOutline", "outline_of", "stored_names"]

AMBIGUOUS = frozenset({"copy", "move", "remove", "rename", "replace", "run", "call"})  # noted as "@copy" where they fit
_LIBRARIES = frozenset({"os", "shutil", "subprocess", "sp", "sh"})
_Functions = (ast.FunctionDef, ast.AsyncFunctionDef)
_Definition = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Facts:
    """What the expressions of one statement mention (not those of statements inside it)."""

    loads: tuple[str, ...] = ()
    attrs: tuple[tuple[str, str], ...] = ()  # ("self", "out") for self.out
    words: frozenset[str] = frozenset()  # names and attributes, where a call stands among them


EMPTY = Facts()


@dataclass(eq=False, slots=True)
class FunctionOutline:
    """What one function mentions, functions inside it included."""

    name: str
    node: _Definition
    owner: str  # its class, or ""
    words: set[str] = field(default_factory=set)
    stores: bool = False  # changes objects or globals that its caller can see
    globals: set[str] = field(default_factory=set)


@dataclass(eq=False, slots=True)
class ModuleOutline:
    """One module, seen once."""

    tree: ast.Module
    facts: dict[ast.AST, Facts] = field(default_factory=dict)
    functions: list[FunctionOutline] = field(default_factory=list)
    by_node: dict[ast.AST, FunctionOutline] = field(default_factory=dict)
    classes: dict[str, tuple[str, ...]] = field(default_factory=dict)  # name -> last names of its bases
    imports: list[tuple[ast.Import | ast.ImportFrom, bool]] = field(
        default_factory=list
    )  # and whether only as a script
    words: set[str] = field(default_factory=set)  # of all its calls
    volatile: set[str] = field(default_factory=set)  # attributes and globals that change after their first setting
    loops: dict[ast.AST, tuple[str, ...]] = field(default_factory=dict)


@lru_cache(maxsize=256)
def outline_of(text: str) -> ModuleOutline | None:
    """Outline a module, or say that it cannot be parsed."""
    tree = parse_python(text)
    if tree is None:
        return None
    outline = ModuleOutline(tree)
    stack: list[tuple[ast.AST, tuple[FunctionOutline, ...], str, bool]] = [(tree, (), "", False)]
    while stack:
        block, owners, cls, main = stack.pop()
        for node in _statements(block):
            if isinstance(node, _Functions):
                inner = FunctionOutline(node.name, node, cls)
                outline.functions.append(inner)
                outline.by_node[node] = inner
                outline.facts[node] = facts = _facts(
                    [*node.decorator_list, *node.args.defaults, *node.args.kw_defaults]
                )
                _note(owners, facts)
                stack.append((node, (*owners, inner), "", main))
                continue
            outline.facts[node] = facts = _facts(_expressions(node))
            outline.words |= facts.words
            _note(owners, facts)
            _note_stores(outline, owners, node)
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                outline.imports.append((node, main))
            elif isinstance(node, ast.ClassDef):
                outline.classes[node.name] = tuple(_last(base) for base in node.bases)
                stack.append((node, owners, node.name, main))
            elif isinstance(
                node, (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)
            ) or (hasattr(ast, "TryStar") and isinstance(node, ast.TryStar)):
                stack.append((node, owners, cls, main or _is_main(node)))
    return outline


def _statements(block: ast.AST) -> list[ast.stmt]:
    """The statements directly inside a block, of all its branches."""
    found: list[ast.stmt] = []
    for name in ("body", "orelse", "finalbody"):
        found.extend(getattr(block, name, ()))
    for name in ("handlers", "cases"):
        for branch in getattr(block, name, ()):
            found.extend(branch.body)
    return found


def _expressions(node: ast.stmt) -> list[ast.AST | None]:
    """The expressions that belong to a statement itself."""
    if isinstance(node, (ast.Expr, ast.Return)):
        return [node.value]
    if isinstance(node, ast.Match):
        return [node.subject]
    found: list[ast.AST | None] = []
    for name in node._fields:
        if name in ("body", "orelse", "finalbody", "handlers", "cases"):
            continue
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found.extend(item for item in value if isinstance(item, ast.AST))
    return found


def _facts(roots: list[ast.AST | None]) -> Facts:
    """Walk expressions and note what they mention."""
    loads: dict[str, None] = {}
    attrs: dict[tuple[str, str], None] = {}
    words: set[str] = set()
    called = False
    stack = [root for root in roots if root is not None]
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind is ast.Name:
            loads[node.id] = None  # type: ignore[attr-defined]
        elif kind is ast.Attribute:
            words.add(node.attr)  # type: ignore[attr-defined]
            value: ast.expr = node.value  # type: ignore[attr-defined]
            if type(value) is ast.Name:
                loads[value.id] = None
                attrs[value.id, node.attr] = None  # type: ignore[attr-defined]
            else:
                stack.append(value)
        elif kind is ast.Call:
            called = True
            if _is_file_call(node):  # type: ignore[arg-type]
                words.add(f"@{node.func.attr}")  # type: ignore[attr-defined]
            stack.append(node.func)  # type: ignore[attr-defined]
            stack.extend(node.args)  # type: ignore[attr-defined]
            stack.extend(keyword.value for keyword in node.keywords)  # type: ignore[attr-defined]
        elif kind is not ast.Constant:
            for name in node._fields:
                child = getattr(node, name, None)
                if child.__class__ is list:
                    stack.extend(item for item in child if isinstance(item, ast.AST))
                elif isinstance(child, (ast.expr, ast.comprehension, ast.withitem, ast.keyword, ast.slice)):
                    stack.append(child)
    if not loads and not words:
        return EMPTY
    return Facts(tuple(loads), tuple(attrs), frozenset(words | loads.keys()) if called else frozenset())


def _is_file_call(node: ast.Call) -> bool:
    """Whether a call by a name that texts, lists and tables have too looks like that of a library on files."""
    function = node.func
    if not isinstance(function, ast.Attribute) or function.attr not in AMBIGUOUS:
        return False
    if isinstance(function.value, ast.Name) and function.value.id in _LIBRARIES:
        return True
    return function.attr in ("replace", "rename") and len(node.args) == 1 and not node.keywords


def _is_main(node: ast.AST) -> bool:
    """Whether a statement is ``if __name__ == ...``."""
    test = node.test if isinstance(node, ast.If) else None
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def _note(owners: tuple[FunctionOutline, ...], facts: Facts) -> None:
    """Credit the words of a statement to the functions around it."""
    if facts.words:
        for owner in owners:
            owner.words |= facts.words


def _note_stores(outline: ModuleOutline, owners: tuple[FunctionOutline, ...], node: ast.stmt) -> None:
    """Note what a statement changes beyond the names of its own function."""
    if isinstance(node, ast.Global) and owners:
        owners[-1].globals.update(node.names)
        outline.volatile.update(node.names)
        for owner in owners:
            owner.stores = True
        return
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = list(node.targets)
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        targets = [node.target]
    while targets:
        target = targets.pop()
        if isinstance(target, (ast.Tuple, ast.List)):
            targets.extend(target.elts)
        elif isinstance(target, ast.Attribute):
            if not owners or owners[-1].name != "__init__":
                outline.volatile.add(target.attr)
            for owner in owners:
                owner.stores = True
        elif isinstance(target, ast.Subscript) and owners and _is_shared(target.value, owners[-1], outline):
            for owner in owners:
                owner.stores = True


def _is_shared(base: ast.expr, function: FunctionOutline, outline: ModuleOutline) -> bool:
    """Whether the object at the root of an expression can belong to the caller."""
    while isinstance(base, (ast.Subscript, ast.Attribute)):
        if isinstance(base, ast.Attribute):
            return True
        base = base.value
    if not isinstance(base, ast.Name):
        return False
    return base.id not in stored_names(outline, function.node)  # a parameter, or a name from further out


def _last(node: ast.expr) -> str:
    """The last name of a dotted expression."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def stored_names(outline: ModuleOutline, loop: ast.AST) -> tuple[str, ...]:
    """The plain names that the body of a loop sets, found once per loop."""
    known = outline.loops.get(loop)
    if known is not None:
        return known
    names: dict[str, None] = {}
    stack: list[ast.AST] = [*getattr(loop, "body", ())]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                names[node.id] = None
        elif isinstance(node, (*_Functions, ast.ClassDef)):
            names[node.name] = None
        elif isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            stack.extend(node.targets if isinstance(node, ast.Assign) else [node.target])
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            stack.append(node.target)
            stack.extend(_statements(node))
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            stack.extend(item.optional_vars for item in node.items if item.optional_vars is not None)
            stack.extend(_statements(node))
        elif isinstance(node, (ast.Tuple, ast.List)):
            stack.extend(node.elts)
        elif isinstance(node, ast.Starred):
            stack.append(node.value)
        elif isinstance(node, ast.stmt):
            stack.extend(_statements(node))
    outline.loops[loop] = tuple(names)
    return outline.loops[loop]
