"""Statements for the value-flow analysis: variables are followed in order through assignments, blocks and definitions."""

from __future__ import annotations

import ast
from collections.abc import Callable

from provchain.inspection._flow.branches import Branches
from provchain.inspection._flow.exact import UNSURE, Variables, join, kept
from provchain.inspection._flow.machine import Arguments, Frame
from provchain.inspection._flow.program import ClassInfo, Module, linear_mro
from provchain.inspection._flow.values import Class, Extern, Func, Obj, Value
from provchain.inspection.modules import SourceTree

__all__ = ["Statements"]


class Statements(Branches):
    """Run statements."""

    def __init__(self, tree: SourceTree) -> None:
        super().__init__(tree)
        self.classes: dict[object, ClassInfo] = {}
        self._handlers: dict[type[ast.stmt], Callable[..., bool | None]] = {
            ast.Expr: self._expr,
            ast.Assign: self._assign,
            ast.AnnAssign: self._annotated,
            ast.AugAssign: self._augmented,
            ast.For: self._for,
            ast.AsyncFor: self._for,
            ast.While: self._while,
            ast.If: self._if,
            ast.With: self._with,
            ast.AsyncWith: self._with,
            ast.Try: self._try,
            ast.TryStar: self._try,
            ast.Return: self._return,
            ast.Raise: self._raise,
            ast.Break: self._exit,
            ast.Continue: self._exit,
            ast.FunctionDef: self._define,
            ast.AsyncFunctionDef: self._define,
            ast.ClassDef: self._class,
            ast.Import: self._import,
            ast.ImportFrom: self._import_from,
            ast.Match: self._match,
            ast.Assert: self._assert,
            ast.Delete: self._delete,
        }

    def run_block(self, body: list[ast.stmt], frame: Frame) -> bool:
        """Run statements; tell whether control reaches their end."""
        control = frame.control
        for statement in body:
            self.step()
            handler = self._handlers.get(type(statement))
            if handler is not None and handler(statement, frame) is False:
                frame.control = control
                return False
        frame.control = control
        return True

    # variables

    def assign(self, target: ast.expr, value: Value, frame: Frame, exact: object = UNSURE) -> None:
        """Assign a value to a target."""
        exact = kept(exact)
        if isinstance(target, ast.Name):
            self.bind_name(target.id, value, frame, exact)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value, frame)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, self.collect("list", value, target, frame).bit, frame)
        elif isinstance(target, ast.Attribute):
            self._store(self.evaluate(target.value, frame), value, target, frame, exact)
        elif isinstance(target, ast.Subscript):
            self._store_item(target, value, frame, exact)

    def bind_name(self, name: str, value: Value, frame: Frame, exact: object = UNSURE) -> None:
        """Assign a variable."""
        info = frame.info
        if info is not None:
            if name in info.globals:
                self.grow(frame.module.cells, name, value, exact)
                self.grow(frame.module.written, name, value, exact)
                return
            if name in info.nonlocals:
                for cells in frame.scopes:
                    if name in cells:
                        self.grow(cells, name, value, exact)
                        break
                return
        frame.env.bind(name, value, exact)
        if frame.cells is not None:
            self.grow(frame.cells, name, value, exact)

    def _unpack(self, target: ast.Tuple | ast.List, value: Value, frame: Frame) -> None:
        starred = any(isinstance(item, ast.Starred) for item in target.elts)
        item_mark = value & self.domain.masks["item"]
        every = self.items(value, target, frame) if starred else 0
        for index, item in enumerate(target.elts):
            if starred:
                self.assign(item, every, frame)
                continue
            got = value & ~self.domain.refs
            for atom in self.domain.refs_of(value):
                if not isinstance(atom, Obj):
                    continue
                if atom.kind == "tuple" and atom.fields:
                    got |= atom.fields.get(index, 0) | atom.elems
                else:
                    got |= self.items(atom.bit, target, frame)
            self.assign(item, got | item_mark, frame)

    def _store(self, base: Value, value: Value, target: ast.Attribute, frame: Frame, exact: object) -> None:
        name = target.attr
        if name == "argv":
            self.forget_extern(self.domain.known(("extern", "sys.argv")) if base == self.domain.extern("sys") else 0)
        value = self.influenced(value, frame.control, target, frame)
        for atom in self.domain.refs_of(base):
            if isinstance(atom, Obj):
                if atom.kind == "instance" and atom.cls is not None and self._setter(atom, name, value, target, frame):
                    continue
                fields = atom.kind == "instance" or "%given" in atom.fields  # a namespace of arguments
                self.domain.put(atom, value, name, named=fields, exact=exact)
            elif isinstance(atom, Class):
                self.grow(atom.info.attributes, name, value, exact)
            elif isinstance(atom, Module):
                self.grow(atom.cells, name, value, exact)
        if base & ~self.domain.refs or not base:
            self.grow_root(target.value, value, frame)

    def _setter(self, atom: Obj, name: str, value: Value, node: ast.AST, frame: Frame) -> bool:
        found = self.find_method(atom, f"{name}.setter")
        if found:
            self.call_value(found, Arguments([atom.bit, value]), node, frame)
        return bool(found)

    def _store_item(self, target: ast.Subscript, value: Value, frame: Frame, exact: object) -> None:
        base = self.evaluate(target.value, frame)
        keys = self.evaluate(target.slice, frame)
        self.forget_extern(base, self.exact)
        value = self.influenced(value, frame.control, target, frame)
        real_key = (
            frame.counting
            and not frame.chance
            and not isinstance(target.slice, ast.Constant)
            and self.domain.sample(keys) & self.domain.real
        )
        if real_key:
            value = self.counted(value, target, frame)
        key = (
            target.slice.value
            if isinstance(target.slice, ast.Constant) and isinstance(target.slice.value, (str, int))
            else None
        )
        for atom in self.domain.refs_of(base):
            if not isinstance(atom, Obj):
                continue
            if atom.kind == "dict":
                self.put_keys(atom, keys)
                self.domain.put(atom, value, key, named=key is not None, exact=exact)
            elif atom.kind == "instance" and self.find_method(atom, "__setitem__"):
                self.call_method(atom.bit, "__setitem__", Arguments([keys, value]), target, frame)
            else:
                self.domain.put(atom, value)
        if base & ~self.domain.refs or not base:
            self.grow_root(target.value, value, frame)

    def _expr(self, node: ast.Expr, frame: Frame) -> None:
        if not isinstance(node.value, ast.Constant):
            self.evaluate(node.value, frame)

    def _assign(self, node: ast.Assign, frame: Frame) -> None:
        if isinstance(node.value, ast.Tuple) and any(isinstance(target, ast.Tuple) for target in node.targets):
            parts = []
            for part in node.value.elts:
                value = self.evaluate(part, frame)
                parts.append((self.influenced(value, frame.control, node, frame), self.exact))
            for target in node.targets:  # a, b = x, y: each by itself
                if isinstance(target, ast.Tuple) and _pairs_up(target, node.value):
                    for item, (value, exact) in zip(target.elts, parts, strict=True):
                        self.assign(item, value, frame, exact)
                else:
                    self.assign(target, self.evaluate(node.value, frame), frame)
            return
        value = self.evaluate(node.value, frame)
        exact = self.exact
        value = self.influenced(value, frame.control, node, frame)
        if isinstance(node.value, ast.BinOp) and _is_same(node.targets[0], node.value.left):  # w = w - rate * gradient
            value |= self._learnt(0, node.value.op, value, node, frame)
        for target in node.targets:
            self.assign(target, value, frame, exact)

    def _annotated(self, node: ast.AnnAssign, frame: Frame) -> None:
        if node.value is not None:
            value = self.evaluate(node.value, frame)
            exact = self.exact
            self.assign(node.target, self.influenced(value, frame.control, node, frame), frame, exact)

    def _augmented(self, node: ast.AugAssign, frame: Frame) -> None:
        given = self.influenced(self.evaluate(node.value, frame), frame.control, node, frame)
        if frame.chance:
            given |= frame.chance
        elif frame.counting:
            given = self.counted(given, node, frame)
        old = self.evaluate(node.target, frame)  # a target reads like an expression
        lists = [a for a in self.domain.refs_of(old) if isinstance(a, Obj) and a.kind in ("list", "set", "dict")]
        if lists and isinstance(node.op, (ast.Add, ast.BitOr)):
            for atom in lists:  # in place: everybody who holds the list sees it
                self.update(atom, given, node, frame)
            if len(lists) == len(list(self.domain.refs_of(old))):
                self.assign(node.target, old, frame)
                return
        learnt = self._learnt(old, node.op, given, node, frame)
        if not learnt and _is_corrected(node):  # q[s, a] += rate * (target - q[s, a])
            learnt = self.origin("trained", node, frame)
            self.taint(old, learnt)
            self.taint(self.evaluate(node.target.value, frame) if isinstance(node.target, ast.Subscript) else 0, learnt)
        self.assign(node.target, self.combine(old, node.op, given, node, frame) | learnt, frame)

    def _learnt(self, old: Value, op: ast.operator, given: Value, node: ast.AST, frame: Frame) -> Value:
        """Say that weights were trained which a step changes that matrix products went into: hand-written learning."""
        if not isinstance(op, ast.Add | ast.Sub) or not self.is_computed(given):
            return 0
        mark = self.origin("trained", node, frame)
        self.taint(old, mark)  # an array is changed in place, for all who hold it
        return mark

    # blocks

    def _with(self, node: ast.With | ast.AsyncWith, frame: Frame) -> bool:
        before = frame.env.fork()
        for item in node.items:
            value = self.evaluate(item.context_expr, frame)
            entered = value & ~self.domain.refs
            for atom in self.domain.refs_of(value):
                if isinstance(atom, Obj) and atom.kind == "instance" and self.find_method(atom, "__enter__"):
                    entered |= self.call_method(atom.bit, "__enter__", Arguments(), node, frame)
                elif isinstance(atom, Obj) and atom.kind == "list":  # a generator made a context manager
                    entered |= atom.content
                elif isinstance(atom, Obj):
                    entered |= atom.bit
            if item.optional_vars is not None:
                self.assign(item.optional_vars, entered, frame)
        if not any(_suppresses(item.context_expr) for item in node.items):
            return self.run_block(node.body, frame)
        if self.guarded_block(node.body, frame, guarded=True) or not frame.import_failed:
            frame.env = join([before, frame.env])
        return True

    def _return(self, node: ast.Return, frame: Frame) -> bool:
        exact: object = None
        if node.value is not None:
            value = self.evaluate(node.value, frame)
            exact = kept(self.exact)
            frame.ret |= self.influenced(value, frame.control, node, frame)
        frame.exact.append(exact)
        frame.fig_out |= frame.env.get("%figure", 0)
        return False

    def _raise(self, node: ast.Raise, frame: Frame) -> bool:
        if node.exc is not None:
            self.evaluate(node.exc, frame)
        return False

    def _assert(self, node: ast.Assert, frame: Frame) -> None:
        self.evaluate(node.test, frame)

    def _delete(self, node: ast.Delete, frame: Frame) -> None:
        """Deleting takes no value away from what was written; what is left under a key is not followed."""
        for target in node.targets:
            if isinstance(target, (ast.Subscript, ast.Attribute)):
                base = self.evaluate(target.value, frame)
                self.forget_extern(base)
                for atom in self.domain.refs_of(base):
                    if isinstance(atom, Obj):
                        self.domain.put(atom, 0)

    # definitions

    def _define(self, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> None:
        func = self.function(node, frame)
        value = func.bit
        name = node.name
        for decorator in reversed(node.decorator_list):
            if isinstance(decorator, ast.Attribute) and decorator.attr == "setter":
                name = f"{node.name}.setter"
                continue
            if isinstance(decorator, ast.Call):
                callee = self.evaluate(decorator.func, frame)
                self.command_option(func, callee, self.given(decorator, frame))
            applied = self.evaluate(decorator, frame)
            value = self._decorated(applied, value, decorator, frame)
        self.bind_name(name, value, frame)

    def _decorated(self, applied: Value, value: Value, node: ast.AST, frame: Frame) -> Value:
        out = 0
        for atom in self.domain.refs_of(applied):
            if isinstance(atom, (Extern, Obj)) and not (isinstance(atom, Obj) and atom.kind == "instance"):
                if isinstance(atom, Obj):  # an application that is called later calls what was registered with it
                    self.taint(atom.bit | atom.content, value)
                out |= value  # a decorator of a library: registers, caches or wraps the function as it is
            elif isinstance(atom, (Func, Class, Obj)):
                bit = applied & self.domain.refs
                out |= self.call_value(bit, Arguments([value]), node, frame)
        return out or value

    def _class(self, node: ast.ClassDef, frame: Frame) -> None:
        key = ("class", id(node), frame.key)
        info = self.classes.get(key)
        if info is None:
            info = self.classes[key] = ClassInfo(node, frame.module)
        bit = self.class_atom(info, key)
        info.bit = bit
        for base in node.bases:
            for atom in self.domain.refs_of(self.evaluate(base, frame)):
                if isinstance(atom, Class) and atom.info is not info and atom.info not in info.bases:
                    info.bases.append(atom.info)
                elif isinstance(atom, Extern) and atom.name not in info.externs:
                    info.externs.append(atom.name)
        info.order = linear_mro(info)
        names = {n.func if isinstance(n, ast.Call) else n for n in node.decorator_list}
        info.record = any(
            getattr(n, "id", getattr(n, "attr", "")) in ("dataclass", "define", "attrs", "frozen", "s") for n in names
        ) or any(b.rpartition(".")[2] in ("NamedTuple", "BaseModel", "Struct", "TypedDict") for b in info.externs)
        info.fields = [
            s.target.id for s in node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
        ]
        inner = Frame(
            frame.module, ("class", id(node), frame.key), frame.env.fork() if frame.info is None else Variables()
        )
        inner.scopes = (frame.cells, *frame.scopes) if frame.cells is not None else frame.scopes
        inner.owner = info
        before = inner.env.fork()
        self.run_block(node.body, inner)
        for name, value in inner.env.items():
            if before.get(name) != value or name in info.fields:
                self.grow(info.attributes, name, value, inner.env.known.get(name, UNSURE))
        self.bind_name(node.name, bit, frame)


def _pairs_up(target: ast.Tuple, value: ast.Tuple) -> bool:
    return len(target.elts) == len(value.elts) and not any(
        isinstance(e, ast.Starred) for e in (*target.elts, *value.elts)
    )


def _is_same(target: ast.expr, value: ast.expr) -> bool:
    """Whether an expression reads what a target writes: the same name, attribute or entry."""
    if isinstance(target, ast.Name) and isinstance(value, ast.Name):
        return target.id == value.id
    kinds = (ast.Attribute, ast.Subscript)
    return isinstance(target, kinds) and isinstance(value, kinds) and ast.unparse(target) == ast.unparse(value)


def _suppresses(context: ast.expr) -> bool:
    """Tell whether a context manager swallows exceptions (``contextlib.suppress``)."""
    func = context.func if isinstance(context, ast.Call) else None
    return getattr(func, "id", getattr(func, "attr", "")) == "suppress"


def _is_corrected(node: ast.AugAssign) -> bool:
    """Whether an entry of a table is moved by its own error: what agents do that learn from feedback."""
    target = node.target
    if not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Constant):
        return False
    root: ast.expr = target
    while isinstance(root, ast.Subscript):
        root = root.value
    name = ast.unparse(root)
    return isinstance(node.op, ast.Add | ast.Sub) and any(
        isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub) and _mentions(part, name)
        for part in ast.walk(node.value)
    )


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(part, ast.Subscript) and ast.unparse(part.value).startswith(name) for part in ast.walk(node))
