"""Statements in the order in which they would run: assignments, definitions, imports, calls.

A statement whose words cannot lead to a file is not worked out: its value is kept lazy, with the names that it saw.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from provchain.inspection._effects.calls import Caller
from provchain.inspection._effects.outline import EMPTY, ModuleOutline
from provchain.inspection._effects.paths import WILD
from provchain.inspection._effects.values import (
    CAP,
    MISSING,
    UNKNOWN,
    ClassValue,
    DictValue,
    External,
    Function,
    Instance,
    Join,
    Lazy,
    ListValue,
    ModuleValue,
    Opaque,
    Pick,
    Scope,
    Site,
    alternatives,
)

__all__ = ["BREAKS", "CONTINUES", "ENDS", "GOES_ON", "Frame", "Statements"]

GOES_ON, CONTINUES, BREAKS, ENDS = range(4)  # how a block is left
_QUITTERS = frozenset({"exit", "quit", "_exit", "abort"})


@dataclass(slots=True)
class Frame:
    """One module or function at work."""

    scope: Scope
    outline: ModuleOutline
    returns: list[object] = field(default_factory=list)
    yields: list[object] = field(default_factory=list)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    escapes: list[list[dict[str, object]]] = field(default_factory=list)


class Statements(Caller):
    """Goes through statements; branches and loops are the machine's."""

    def __init__(self, home: str, cwd: str, argv: tuple[str, ...]) -> None:
        super().__init__(home, cwd, argv)
        self.frames: list[Frame] = []
        self.unrolled = 1  # times that the loops around multiply what stands inside
        self.mentioned: set[str] = set()  # words of the statements gone through
        self.functions: dict[ast.AST, Function] = {}
        self.handlers: dict[type[ast.stmt], Callable[..., int]] = {
            ast.Assign: self._assign,
            ast.AnnAssign: self._annotated,
            ast.AugAssign: self._augmented,
            ast.Expr: self._expression,
            ast.Return: self._return,
            ast.Raise: self._raise,
            ast.Break: lambda _, frame: self._leave(frame, BREAKS),
            ast.Continue: lambda _, frame: self._leave(frame, CONTINUES),
            ast.FunctionDef: self._function,
            ast.AsyncFunctionDef: self._function,
            ast.ClassDef: self._class,
            ast.Import: self._import,
            ast.ImportFrom: self._import_from,
            ast.Global: self._global,
            ast.Nonlocal: self._nonlocal,
            ast.Delete: lambda *_: GOES_ON,
            ast.Assert: self._assert,
        }

    def import_names(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        """Bind what an import brings: supplied by the loader of modules."""
        raise NotImplementedError

    # -------------------------------------------------------------------------------------------------------- blocks

    def block(self, body: Sequence[ast.stmt], frame: Frame) -> int:
        """Go through statements until one of them leaves the block."""
        before = self.doubt, self.unrolled, self.hint, len(frame.escapes)
        for node in body:
            handler = self.handlers.get(type(node))
            if handler is None:
                continue
            if (facts := frame.outline.facts.get(node)) is not None and facts.words:
                self.mentioned |= facts.words
            try:
                code = handler(node, frame)
            except RecursionError:  # too deep to follow: what it began is undone, the next statement goes on
                self.doubt, self.unrolled, self.hint, loops = before
                del frame.escapes[loops:]
                code = GOES_ON
            if code != GOES_ON:
                return code
        return GOES_ON

    def is_event(self, node: ast.AST, frame: Frame) -> bool:
        """Whether a statement calls something that may touch a file or change an object."""
        return not self.hot.isdisjoint(frame.outline.facts.get(node, EMPTY).words)

    def _is_hidden(self, value: ast.expr, frame: Frame) -> bool:
        """Whether an expression calls a function that matters by another name (``steps[name](out)``)."""
        if isinstance(value, ast.Await):
            value = value.value
        if not isinstance(value, ast.Call):
            return False
        function, env = value.func, frame.scope.env
        if isinstance(function, ast.Name):
            target = self.lookup(function.id, frame.scope)
            if isinstance(target, Lazy) and not isinstance(
                target.node, (ast.Subscript, ast.Attribute, ast.Name, type(None))
            ):
                return False
        elif isinstance(function, ast.Attribute):
            base = env.get(function.value.id) if isinstance(function.value, ast.Name) else None
            base = self.force(base) if isinstance(base, Lazy) and base.node is None else base
            target = base.attrs.get(function.attr) if isinstance(base, Instance) else None
        else:
            target = self.eval(function, frame.scope) if isinstance(function, (ast.Subscript, ast.Lambda)) else None
        if target is None or isinstance(target, (Opaque, External)):
            return False
        return any(self.matters(one) for one in alternatives(self.force(target)))

    def _later(self, node: ast.stmt, value: ast.expr, frame: Frame) -> object:
        """The value of an expression: at once if it is an event or a constant, else lazy with the names it sees."""
        kind = type(value)
        if kind is ast.Constant or self.is_event(node, frame) or self._is_hidden(value, frame):
            before, self.hint = self.hint, self.hint_of(node, frame)
            result = self.eval(value, frame.scope)
            self.hint = before
            return result
        if kind is ast.Name:
            return self.eval(value, frame.scope)
        return self._lazy(node, value, frame)

    def _lazy(self, node: ast.stmt, value: ast.expr, frame: Frame) -> Lazy:
        """An expression with a snapshot of the names, and of the attributes of known objects, that it mentions."""
        env = frame.scope.env
        facts = frame.outline.facts.get(node, EMPTY)
        seen: dict[tuple[str, str], object] = {}
        for name, attr in facts.attrs:
            base = env.get(name)
            if isinstance(base, Instance) and attr in base.attrs:
                seen[name, attr] = base.attrs[attr]
        snapshot = {name: env[name] for name in facts.loads if name in env}
        scope = frame.scope
        return Lazy(value, Scope(snapshot, scope.module, scope.outer, scope.function, seen or None))

    def hint_of(self, node: ast.AST, frame: Frame) -> str:
        """The words around a call: the names it is assigned to, and the function it stands in."""
        words = [frame.scope.function.name] if frame.scope.function is not None else []
        words += [
            target.id if isinstance(target, ast.Name) else target.attr if isinstance(target, ast.Attribute) else ""
            for target in getattr(node, "targets", ())
        ]
        return " ".join(words)

    def site(self, node: ast.stmt, frame: Frame) -> Site:
        """The place of a statement."""
        return Site(frame.scope.module.path, node.lineno, self.hint)

    def run_event(self, node: ast.stmt, value: ast.expr | None, frame: Frame) -> object:
        """Work an expression out for what it does."""
        if value is None:
            return None
        before, self.hint = self.hint, self.hint_of(node, frame)
        result = self.eval(value, frame.scope)
        self.hint = before
        return result

    # --------------------------------------------------------------------------------------------------- assignments

    def _assign(self, node: ast.Assign, frame: Frame) -> int:
        value = self._later(node, node.value, frame)
        for target in node.targets:
            self.store(target, value, frame)
        return GOES_ON

    def _annotated(self, node: ast.AnnAssign, frame: Frame) -> int:
        if node.value is not None:
            self.store(node.target, self._later(node, node.value, frame), frame)
        return GOES_ON

    def _augmented(self, node: ast.AugAssign, frame: Frame) -> int:
        joined = ast.BinOp(left=node.target, op=node.op, right=node.value)
        ast.copy_location(joined, node)
        self.store(node.target, self._later(node, joined, frame), frame)
        return GOES_ON

    def store(self, target: ast.expr, value: object, frame: Frame) -> None:
        """Store a value where a target says."""
        scope = frame.scope
        if isinstance(target, ast.Name):
            if target.id in frame.globals:
                old = scope.module.env.get(target.id, MISSING)
                scope.module.env[target.id] = Join((old, value)) if self.unsure and old is not MISSING else value
            elif target.id in frame.nonlocals and scope.outer is not None:
                scope.outer.env[target.id] = Join((scope.outer.env.get(target.id, UNKNOWN), value))
            else:
                scope.env[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            for number, part in enumerate(target.elts):
                self.store(part.value if isinstance(part, ast.Starred) else part, Pick(value, number), frame)
        elif isinstance(target, ast.Attribute):
            for owner in alternatives(self.force(self.eval(target.value, scope))):
                self._store_attribute(owner, target.attr, value)
        elif isinstance(target, ast.Subscript):
            self._store_item(target, value, frame)

    def _store_attribute(self, owner: object, name: str, value: object) -> None:
        """Store an attribute; where it is not certain that this runs, the old value stays possible."""
        if isinstance(owner, Instance):
            table = owner.attrs
        elif isinstance(owner, (ModuleValue, ClassValue)):
            table = owner.env
        elif isinstance(owner, Opaque) and owner not in (UNKNOWN, MISSING):
            owner.attrs = table = owner.attrs if owner.attrs is not None else {}
        else:
            return
        old = table.get(name, MISSING)
        table[name] = Join((old, value)) if self.unsure and old is not MISSING else value

    def _store_item(self, target: ast.Subscript, value: object, frame: Frame) -> None:
        """Store an element of a mapping."""
        if isinstance(value, Lazy) and value.node is not None and _mentions_item(value.node):
            value = self.force(value)  # cfg["out"] = join(cfg["out"], name)
        bases = alternatives(self.force(self.eval(target.value, frame.scope)))
        for base in bases:
            entries = base.entries if isinstance(base, DictValue) else None
            if isinstance(base, Instance) and base.cls is None:
                entries = dict[object, object]()
                key = self.force(self.eval(target.slice, frame.scope))
                self._store_attribute(base, str(key), value)
                continue
            if isinstance(base, ListValue):
                base.more = True
            if entries is None or not isinstance(base, DictValue) or isinstance(target.slice, ast.Slice):
                continue
            for key in alternatives(self.force(self.eval(target.slice, frame.scope))):
                if (
                    isinstance(key, (str, int, float, bool))
                    and not (isinstance(key, str) and WILD in key)
                    and len(entries) < 512
                ):
                    old = entries.get(key, MISSING)
                    weak = old is not MISSING and (self.unsure or len(bases) > 1)
                    entries[key] = Join((old, value)) if weak else value
                else:
                    base.more = True

    # ---------------------------------------------------------------------------------------------- plain statements

    def _expression(self, node: ast.Expr, frame: Frame) -> int:
        value = node.value
        if type(value) is ast.Constant:
            return GOES_ON
        if isinstance(value, (ast.Yield, ast.YieldFrom)) or self.is_event(node, frame) or self._is_hidden(value, frame):
            self.run_event(node, value, frame)
        call = value.value if isinstance(value, ast.Await) else value
        if isinstance(call, ast.Call):
            function = call.func
            name = (
                function.attr
                if isinstance(function, ast.Attribute)
                else function.id
                if isinstance(function, ast.Name)
                else ""
            )
            owner = (
                function.value.id
                if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name)
                else ""
            )
            if name in _QUITTERS and (not isinstance(function, ast.Attribute) or owner in ("sys", "os")):
                return ENDS
        return GOES_ON

    def _return(self, node: ast.Return, frame: Frame) -> int:
        frame.returns.append(None if node.value is None else self._later(node, node.value, frame))
        return ENDS

    def _raise(self, node: ast.Raise, frame: Frame) -> int:
        if self.is_event(node, frame) and node.exc is not None:
            self.run_event(node, node.exc, frame)
        return ENDS

    def _assert(self, node: ast.Assert, frame: Frame) -> int:
        if self.is_event(node, frame):
            self.run_event(node, node.test, frame)
        return GOES_ON

    def _leave(self, frame: Frame, code: int) -> int:
        if frame.escapes:
            frame.escapes[-1].append(dict(frame.scope.env))
        return code

    def _global(self, node: ast.Global, frame: Frame) -> int:
        frame.globals.update(node.names)
        return GOES_ON

    def _nonlocal(self, node: ast.Nonlocal, frame: Frame) -> int:
        frame.nonlocals.update(node.names)
        return GOES_ON

    def _import(self, node: ast.Import, frame: Frame) -> int:
        self.import_names(node, frame.scope)
        return GOES_ON

    def _import_from(self, node: ast.ImportFrom, frame: Frame) -> int:
        self.import_names(node, frame.scope)
        return GOES_ON

    # --------------------------------------------------------------------------------------------------- definitions

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> int:
        scope = frame.scope
        outer = scope if scope.function is not None else None
        function = Function(node.name, node, Scope({}, scope.module, outer, scope.function))
        function.marks = frozenset(_last(one) for one in node.decorator_list)
        arguments = node.args
        named = [*arguments.posonlyargs, *arguments.args]
        for arg, default in zip(named[len(named) - len(arguments.defaults) :], arguments.defaults, strict=True):
            function.defaults[arg.arg] = self._later(node, default, frame)
        for arg, one in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if one is not None:
                function.defaults[arg.arg] = self._later(node, one, frame)
        self.functions[node] = function
        self.store(ast.Name(node.name), self._decorated(function, node, frame), frame)
        return GOES_ON

    def _decorated(self, function: Function, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> object:
        """A function after the decorators that the run defines; those from outside change nothing that matters here."""
        result: object = function
        for decorator in reversed(node.decorator_list):
            name = _last(decorator)
            if name in ("property", "staticmethod", "classmethod", "setter", "dataclass", "wraps"):
                continue
            wrapper = self.force(self.eval(decorator, frame.scope))
            if isinstance(wrapper, (Function, Instance, ClassValue)):
                made = self.force(self.call(wrapper, [result], {}, self.site(node, frame)))
                if isinstance(made, Function):
                    made.name, made.owner = function.name, function.owner
                    made.marks |= function.marks
                    result = made
        return result

    def _class(self, node: ast.ClassDef, frame: Frame) -> int:
        scope = frame.scope
        bases = tuple(self.eval(base, scope) for base in node.bases)
        cls = ClassValue(node.name, node, scope, bases, marks=frozenset(_last(one) for one in node.decorator_list))
        outer = scope if scope.function is not None else None
        inner = Frame(Scope(cls.env, scope.module, outer, scope.function), frame.outline)
        self.frames.append(inner)
        self.block(node.body, inner)
        self.frames.pop()
        for value in cls.env.values():
            if isinstance(value, Function):
                value.owner = value.owner or cls
        self.store(ast.Name(node.name), cls, frame)
        return GOES_ON

    def yielded(self, value: object) -> None:
        """Note what the running generator yields."""
        if self.frames and len(self.frames[-1].yields) < 4 * CAP:
            self.frames[-1].yields.append(value)


def _last(node: ast.expr) -> str:
    """The last name of a decorator."""
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _mentions_item(node: ast.expr) -> bool:
    """Whether an expression that builds a text reads an element of something."""
    if not isinstance(node, (ast.JoinedStr, ast.BinOp, ast.Call, ast.Subscript)):
        return False
    return any(isinstance(one, ast.Subscript) for one in ast.walk(node))
