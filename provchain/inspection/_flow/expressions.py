"""Expressions for the value-flow analysis."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable

from provchain.inspection._flow.calls import Calls
from provchain.inspection._flow.containers import constant_key
from provchain.inspection._flow.libraries import meaning, words
from provchain.inspection._flow.machine import Arguments, Frame
from provchain.inspection._flow.program import ClassInfo, FunctionInfo, Module
from provchain.inspection._flow.values import Class, Extern, Func, Obj, Super, Value
from provchain.inspection.modules import SourceTree

__all__ = ["Expressions"]

_BUILTINS = frozenset(dir(builtins))
_DUNDERS = words("__file__ __name__ __doc__ __package__ __spec__ __builtins__ __debug__ __annotations__")


class Expressions(Calls):
    """Evaluate expressions."""

    def __init__(self, tree: SourceTree) -> None:
        super().__init__(tree)
        self.nonlocals: set[str] = set()  # names that some function assigns in a scope around it
        self._table: dict[type[ast.expr], Callable[..., Value]] = {
            ast.Constant: self.constant,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Subscript: self._subscript,
            ast.Call: self._call,
            ast.BinOp: self._binary,
            ast.UnaryOp: self._unary,
            ast.BoolOp: self._any_of,
            ast.Compare: self._compare,
            ast.IfExp: self._either,
            ast.JoinedStr: self._formatted,
            ast.FormattedValue: self._formatted_value,
            ast.Dict: self._dict,
            ast.List: self._list,
            ast.Set: self._list,
            ast.Tuple: self._tuple,
            ast.ListComp: self._comprehension,
            ast.SetComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.DictComp: self._comprehension,
            ast.Lambda: self._lambda,
            ast.Starred: self._starred,
            ast.NamedExpr: self._walrus,
            ast.Await: self._inner,
            ast.Yield: self._yield,
            ast.YieldFrom: self._yield,
            ast.Slice: self._slice,
        }

    def evaluate(self, node: ast.expr, frame: Frame) -> Value:
        """Return the value of an expression."""
        handler = self._table.get(type(node))
        return handler(node, frame) if handler is not None else 0

    # names

    def _name(self, node: ast.Name, frame: Frame) -> Value:
        name = node.id
        found = frame.env.get(name)
        if found is not None:
            if frame.info is None:  # a function may have assigned it through ``global``
                return found | frame.module.written.get(name, 0)
            if frame.cells is not None and name in self.nonlocals:
                return found | frame.cells.get(name, 0)
            return found
        for cells in frame.scopes:
            found = cells.get(name)
            if found is not None:
                return found
        return self.module_name(frame.module, name, node, frame)

    def module_name(self, module: Module, name: str, node: ast.AST, frame: Frame) -> Value:
        """Read a name of a module of the run."""
        found = module.cells.get(name)
        if found is not None:
            return found
        inner = self.submodule(module, name, frame)
        if inner:
            return inner
        if name in _BUILTINS:
            return self.domain.extern(f"builtins.{name}")
        if name in _DUNDERS:
            return self.domain.mark("literal", module.path, node, "setting")
        for library in module.stars:
            if meaning(library) != "unknown":
                return self.domain.extern(f"{library}.{name}")
        return self.missing(node, frame)

    def submodule(self, module: Module, name: str, frame: Frame) -> Value:
        """Find a module inside a package of the run."""
        raise NotImplementedError

    def _attribute(self, node: ast.Attribute, frame: Frame) -> Value:
        return self.attribute(self.evaluate(node.value, frame), node.attr, node, frame)

    # parts

    def _subscript(self, node: ast.Subscript, frame: Frame) -> Value:
        base = self.evaluate(node.value, frame)
        index = self.evaluate(node.slice, frame)
        if isinstance(node.slice, ast.Slice):
            return base
        key = constant_key(node.slice)
        out = self.at_key(base, key, known=key is not None)
        for atom in self.domain.refs_of(base & self.domain.code):
            if isinstance(atom, Obj) and self.find_method(atom, "__getitem__"):
                out = (out & ~atom.bit) | self.call_method(atom.bit, "__getitem__", Arguments([index]), node, frame)
        if base & self.domain.holding:
            out |= self.items_inside(base, node, frame)
        if index and key is None:  # names[prediction]: which one was picked says what the prediction says
            control = self.control_of(node.slice, index)
            if control:
                out = self.influenced(out, control, node, frame)
        return out

    def _slice(self, node: ast.Slice, frame: Frame) -> Value:
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.evaluate(part, frame)
        return 0

    # operators

    def _binary(self, node: ast.BinOp, frame: Frame) -> Value:
        chain = [node]
        while isinstance(chain[-1].left, ast.BinOp):
            chain.append(chain[-1].left)
        value = self.evaluate(chain[-1].left, frame)
        for step in reversed(chain):
            value = self.combine(value, step.op, self.evaluate(step.right, frame), step, frame)
        return value

    def combine(self, left: Value, op: ast.operator, right: Value, node: ast.AST, frame: Frame) -> Value:
        """Combine two values with an operator."""
        domain = self.domain
        clocks = domain.masks["clock"]
        if clocks and isinstance(op, ast.Sub) and domain.sample(left) & clocks and domain.sample(right) & clocks:
            rest = (domain.sample(left) | domain.sample(right)) & domain.real
            return self.origin("measured", node, frame) | rest
        if isinstance(op, ast.Mult):  # [0.0] * n: how often says nothing about what
            for this in (left, right):
                if this & domain.refs and self._is_list(this):
                    return this
        if isinstance(op, ast.Add) and left & domain.refs and self._is_list(left) and self._is_list(right):
            return self.collect("list", self.values_in(left) | self.values_in(right), node, frame).bit
        both = left if self._is_share(left, op, right) else left | right
        if isinstance(op, ast.MatMult):
            both |= domain.mark("product", "", node, "product")
        return self.derive(node, frame, both) if both & domain.refs else both

    def _is_share(self, left: Value, op: ast.operator, right: Value) -> bool:
        """Whether what chance made up is divided by how many real things there are: a share of nothing real."""
        real = self.domain.sample(right) & self.domain.real
        only_counted = bool(real) and not real & ~self.domain.masks["measured"]
        return isinstance(op, ast.Div) and only_counted and bool(self.chance_in(left))

    def _is_list(self, value: Value) -> bool:
        refs = value & self.domain.refs
        return (
            bool(refs)
            and refs == value
            and all(isinstance(a, Obj) and a.kind in ("list", "tuple") for a in self.domain.refs_of(refs))
        )

    def _unary(self, node: ast.UnaryOp, frame: Frame) -> Value:
        value = self.evaluate(node.operand, frame)
        return self.derive(node, frame, value) if value & self.domain.refs else value

    def _any_of(self, node: ast.BoolOp, frame: Frame) -> Value:
        out = 0
        for part in node.values:
            out |= self.evaluate(part, frame)
        return out

    def _compare(self, node: ast.Compare, frame: Frame) -> Value:
        out = self.evaluate(node.left, frame)
        for part in node.comparators:
            out |= self.evaluate(part, frame)
        if isinstance(node.ops[0], ast.Eq | ast.NotEq) and self.is_computed(out):
            out |= self.origin(
                "measured", node, frame
            )  # what a model of the run's own says, against what it should say
        return self.derive(node, frame, out) if out & self.domain.refs else out

    def _either(self, node: ast.IfExp, frame: Frame) -> Value:
        control = self.control_of(node.test, self.evaluate(node.test, frame))
        value = self.evaluate(node.body, frame) | self.evaluate(node.orelse, frame)
        return self.influenced(value, control, node, frame) if control else value

    # texts

    def _formatted(self, node: ast.JoinedStr, frame: Frame) -> Value:
        out = 0
        for part in node.values:
            out |= self.evaluate(part, frame)
        return self.derive(node, frame, out) if out & self.domain.refs else out

    def _formatted_value(self, node: ast.FormattedValue, frame: Frame) -> Value:
        value = self.evaluate(node.value, frame)
        for atom in self.domain.refs_of(value):
            if isinstance(atom, Obj) and atom.kind == "instance" and self.find_method(atom, "__str__"):
                value |= self.call_method(atom.bit, "__str__", Arguments(), node, frame)
        return value

    # displays

    def _dict(self, node: ast.Dict, frame: Frame) -> Value:
        made = self.make("dict", node, frame)
        for key, item in zip(node.keys, node.values, strict=True):
            value = self.evaluate(item, frame)
            if key is None:
                self.update(made, value, node, frame)
                continue
            self.put_keys(made, self.evaluate(key, frame))
            known = constant_key(key)
            if known is not None:
                self.domain.put(made, value, known, named=True)
            else:
                self.domain.put(made, value)
        return made.bit

    def _list(self, node: ast.List | ast.Set, frame: Frame) -> Value:
        made = self.make("list" if isinstance(node, ast.List) else "set", node, frame)
        out = 0
        for item in node.elts:
            out |= self.evaluate(item, frame)
        if out:
            self.domain.put(made, out)
        return made.bit

    def _tuple(self, node: ast.Tuple, frame: Frame) -> Value:
        values = [self.evaluate(item, frame) for item in node.elts]
        if len(values) > 16 or any(isinstance(item, ast.Starred) for item in node.elts):
            out = 0
            for value in values:
                out |= value
            return self.collect("tuple", out, node, frame).bit
        return self.tuple_of(values, node, frame)

    def _starred(self, node: ast.Starred, frame: Frame) -> Value:
        return self.items(self.evaluate(node.value, frame), node, frame)

    def _walrus(self, node: ast.NamedExpr, frame: Frame) -> Value:
        value = self.evaluate(node.value, frame)
        self.assign(node.target, value, frame)
        return value

    def _inner(self, node: ast.Await, frame: Frame) -> Value:
        return self.evaluate(node.value, frame)

    def _yield(self, node: ast.Yield | ast.YieldFrom, frame: Frame) -> Value:
        value = self.evaluate(node.value, frame) if node.value is not None else 0
        if isinstance(node, ast.YieldFrom):
            value = self.items(value, node, frame)
        frame.yields |= self.influenced(value, frame.control, node, frame)
        return 0

    def assign(self, target: ast.expr, value: Value, frame: Frame) -> None:
        """Assign a value to a target."""
        raise NotImplementedError

    # comprehensions and functions

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, frame: Frame) -> Value:
        saved = dict(frame.env)
        control = frame.control
        each = 0
        for generator in node.generators:
            source = self.evaluate(generator.iter, frame)
            item = self.looped(source, generator.iter, frame)
            each |= item & self.domain.masks["item"]
            self.assign(generator.target, item, frame)
            for test in generator.ifs:
                asked = self.evaluate(test, frame)
                each = 0 if self.chance_in(asked) else each
                frame.control |= self.control_of(test, asked)
        if isinstance(node, ast.DictComp):
            made = self.make("dict", node, frame)
            self.put_keys(made, self.evaluate(node.key, frame))
            value = self.evaluate(node.value, frame)
        else:
            made = self.make("set" if isinstance(node, ast.SetComp) else "list", node, frame)
            value = self.evaluate(node.elt, frame)
        if frame.control != control:
            value = self.influenced(value, frame.control, node, frame)
        if each and isinstance(node, ast.GeneratorExp) and isinstance(node.elt, ast.Constant) and node.elt.value == 1:
            value = self.counted(value, node, frame)  # sum(1 for line in file)
        if value:
            self.domain.put(made, value)
        frame.control = control
        figure = frame.env.get("%figure", 0)
        frame.env = saved
        frame.env["%figure"] = figure
        return made.bit

    def looped(self, source: Value, node: ast.expr, frame: Frame) -> Value:
        """Return what a loop variable holds, marked as one item of many where the source is real."""
        value = self.items(source, node, frame)
        if self.domain.sample(value) & self.domain.real:
            value |= self.domain.mark("item", "", node, "item")
        return value

    def _lambda(self, node: ast.Lambda, frame: Frame) -> Value:
        return self.function(node, frame).bit

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, frame: Frame) -> Func:
        """Return the function that a definition makes in this frame."""
        key = ("func", id(node), frame.key)
        bit = self.domain.known(key)
        if bit:
            found = self.domain.atoms[bit.bit_length() - 1]
            assert isinstance(found, Func)  # noqa: S101 - the key says so
        else:
            info = self.infos.get(id(node))
            if info is None:
                info = self.infos[id(node)] = FunctionInfo(node, frame.module)
                self.nonlocals |= info.nonlocals
            scopes = (frame.cells, *frame.scopes) if frame.cells is not None else frame.scopes
            owner = frame.owner if isinstance(frame.owner, ClassInfo) else None
            found = Func(info, scopes, owner)
            found.bit = self.domain.add(key, found, callable_=True)
            self.domain.place(found.bit, id(node))
        spec = node.args
        plain = [*spec.posonlyargs, *spec.args]
        pairs = list(zip(plain[len(plain) - len(spec.defaults) :], spec.defaults, strict=True))
        pairs += [(a, d) for a, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if d is not None]
        for arg, default in pairs:
            found.defaults[arg.arg] = found.defaults.get(arg.arg, 0) | self.evaluate(default, frame)
        return found

    # calls

    def _call(self, node: ast.Call, frame: Frame) -> Value:
        func = node.func
        if isinstance(func, ast.Name) and func.id == "super" and "super" not in frame.env:
            return self._super(frame, node)
        target = self.evaluate(func.value, frame) if isinstance(func, ast.Attribute) else 0
        positional: list[Value] = []
        star = star_named = 0
        for item in node.args:
            if isinstance(item, ast.Starred) or star:  # after *args, places are not known
                star |= self.evaluate(item, frame)
            else:
                positional.append(self.evaluate(item, frame))
        named: dict[str, Value] = {}
        for keyword in node.keywords:
            value = self.evaluate(keyword.value, frame)
            if keyword.arg is None:
                star_named |= value
            else:
                named[keyword.arg] = value
        args = Arguments(positional, named, star, star_named)
        if isinstance(func, ast.Attribute):
            out = self.call_method(target, func.attr, args, node, frame)
            if not target & self.domain.refs and func.attr in ("append", "update", "extend", "add", "fill", "insert"):
                self.grow_root(func.value, args.joined(), frame)
            return out
        callee = self.evaluate(func, frame)
        self._set_attribute(callee, args, node)
        return self.call_value(callee, args, node, frame)

    def _set_attribute(self, callee: Value, args: Arguments, node: ast.Call) -> None:
        for atom in self.domain.refs_of(callee):
            if isinstance(atom, Extern) and atom.name == "builtins.setattr" and len(args.positional) == 3:
                key = constant_key(node.args[1])
                for obj in self.domain.refs_of(args.positional[0]):
                    if isinstance(obj, Obj):
                        self.domain.put(obj, args.positional[2], key, named=key is not None)

    def grow_root(self, node: ast.expr, value: Value, frame: Frame) -> None:
        """Join a value into the variable at the root of ``a.b[c]``, where it points to no object that could hold it."""
        while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
            node = node.func if isinstance(node, ast.Call) else node.value
        if isinstance(node, ast.Name) and node.id in frame.env:
            frame.env[node.id] |= value

    def _super(self, frame: Frame, node: ast.Call) -> Value:
        if not isinstance(frame.owner, ClassInfo):
            return self.missing(node, frame)
        key = ("super", frame.owner.bit, frame.self_value)
        return self.domain.known(key) or self.domain.add(key, Super(frame.owner, frame.self_value))

    def class_atom(self, info: ClassInfo, key: object) -> Value:
        """Return the reference to a class."""
        known = self.domain.known(key)
        if not known:
            known = self.domain.add(key, Class(info), callable_=True)
            self.domain.place(known, id(info.node))
        return known
