"""Expressions for the value-flow analysis."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable

from provchain.inspection._flow.calls import Calls
from provchain.inspection._flow.containers import constant_key
from provchain.inspection._flow.exact import FALSY, TRUTHY, UNSURE, Fleeting, both, compared, kept, sliced, truth
from provchain.inspection._flow.libraries import meaning, words
from provchain.inspection._flow.machine import Arguments, Frame
from provchain.inspection._flow.program import ClassInfo, FunctionInfo, Module
from provchain.inspection._flow.values import Class, Func, Obj, Super, Value
from provchain.inspection.modules import SourceTree

__all__ = ["Expressions"]

_BUILTINS = frozenset(dir(builtins))
# expressions that can hand on one constant; whatever else is evaluated leaves nothing sure
_EXACT = frozenset(
    {
        ast.Attribute,
        ast.Await,
        ast.BoolOp,
        ast.Call,
        ast.Compare,
        ast.Constant,
        ast.IfExp,
        ast.List,
        ast.Name,
        ast.NamedExpr,
        ast.Set,
        ast.Subscript,
        ast.Tuple,
        ast.UnaryOp,
    }
)
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
        kind = type(node)
        handler = self._table.get(kind)
        value = handler(node, frame) if handler is not None else 0
        if kind not in _EXACT:
            self.exact = UNSURE
        return value

    # names

    def _name(self, node: ast.Name, frame: Frame) -> Value:
        name = node.id
        found = frame.env.get(name)
        if found is not None:
            self.exact = frame.env.known.get(name, UNSURE)
            shared = frame.module.written if frame.info is None else None  # assigned through ``global``
            if shared is None and frame.cells is not None and name in self.nonlocals:
                shared = frame.cells
            if shared and name in shared:
                self.exact = both(self.exact, shared.known.get(name, UNSURE))
                return found | shared[name]
            return found
        for cells in frame.scopes:
            found = cells.get(name)
            if found is not None:
                self.exact = cells.known.get(name, UNSURE)
                return found
        return self.module_name(frame.module, name, node, frame)

    def module_name(self, module: Module, name: str, node: ast.AST, frame: Frame) -> Value:
        """Read a name of a module of the run."""
        found = module.cells.get(name)
        if found is not None:
            self.exact = module.cells.known.get(name, UNSURE)
            return found
        self.exact = UNSURE
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
        items = self.exact
        index = self.evaluate(node.slice, frame)
        place = self.exact
        self.exact = UNSURE
        if isinstance(node.slice, ast.Slice):
            if isinstance(items, tuple):
                self.exact = sliced(items, node.slice)
            return base
        key = constant_key(node.slice)
        if key is None and isinstance(place, str):  # MODELS[args.model]
            key = place
        found = self.item_exact(base, items, place if key is None else key)
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
        self.exact = found
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

    def _unary(self, node: ast.UnaryOp, frame: Frame) -> Value:
        value = self.evaluate(node.operand, frame)
        known = self.exact
        self.exact = UNSURE
        if known is not UNSURE and isinstance(node.op, ast.Not):
            self.exact = not known
        elif isinstance(known, (int, float)) and isinstance(node.op, ast.USub):
            self.exact = -known
        return self.derive(node, frame, value) if value & self.domain.refs else value

    def _any_of(self, node: ast.BoolOp, frame: Frame) -> Value:
        """``and`` and ``or``: what comes after the operand that decides is not evaluated, as in Python."""
        out = 0
        stops = isinstance(node.op, ast.Or)
        sure = True  # every operand up to here was surely passed over
        for part in node.values:
            value = self.evaluate(part, frame)
            decided = truth(self.exact)
            if decided is stops:
                self.exact = kept(self.exact) if sure else TRUTHY if stops else FALSY
                return out | value
            if decided is None or part is node.values[-1]:  # an operand that is passed over is not the result
                out |= value
                sure = sure and decided is not None
        self.exact = kept(self.exact) if sure else UNSURE
        return out

    def _compare(self, node: ast.Compare, frame: Frame) -> Value:
        out = self.evaluate(node.left, frame)
        left = self.exact
        said: object = True
        for op, part in zip(node.ops, node.comparators, strict=True):
            value = self.evaluate(part, frame)
            found = compared(op, left, self.exact)
            if found is UNSURE and isinstance(op, (ast.In, ast.NotIn)):
                found = self.is_set(left, value, op)
            said = found if said is True or found is False else said
            left = self.exact
            out |= value
        if isinstance(node.ops[0], ast.Eq | ast.NotEq) and self.is_computed(out):
            out |= self.origin("measured", node, frame)  # what a model of its own says, against what it should say
        self.exact = said
        if not out & self.domain.refs:
            return out
        out = self.derive(node, frame, out)
        self.exact = said
        return out

    def _either(self, node: ast.IfExp, frame: Frame) -> Value:
        test = self.evaluate(node.test, frame)
        decided = truth(self.exact)
        if decided is not None:
            return self.evaluate(node.body if decided else node.orelse, frame)
        control = self.control_of(node.test, test)
        value = self.evaluate(node.body, frame)
        said = self.exact
        value |= self.evaluate(node.orelse, frame)
        self.exact = both(kept(said), kept(self.exact))
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
            exact = self.exact
            if key is None:
                self.update(made, value, node, frame)
                continue
            self.put_keys(made, self.evaluate(key, frame))
            known = constant_key(key)
            if known is not None:
                self.domain.put(made, value, known, named=True, exact=exact)
            else:
                self.domain.put(made, value)
        return made.bit

    def _list(self, node: ast.List | ast.Set, frame: Frame) -> Value:
        made = self.make("list" if isinstance(node, ast.List) else "set", node, frame)
        out = 0
        known = []
        for item in node.elts:
            out |= self.evaluate(item, frame)
            known.append(kept(self.exact))
        if out:
            self.domain.put(made, out)
        self.exact = UNSURE if UNSURE in known else Fleeting(known)
        return made.bit

    def _tuple(self, node: ast.Tuple, frame: Frame) -> Value:
        values, known = [], []
        for item in node.elts:
            values.append(self.evaluate(item, frame))
            known.append(kept(self.exact))
        self.exact = UNSURE if UNSURE in known else tuple(known)
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
        exact = self.exact
        self.assign(node.target, value, frame, exact)
        self.exact = kept(exact)
        return value

    def _inner(self, node: ast.Await, frame: Frame) -> Value:
        return self.evaluate(node.value, frame)

    def _yield(self, node: ast.Yield | ast.YieldFrom, frame: Frame) -> Value:
        value = self.evaluate(node.value, frame) if node.value is not None else 0
        if isinstance(node, ast.YieldFrom):
            value = self.items(value, node, frame)
        frame.yields |= self.influenced(value, frame.control, node, frame)
        return 0

    def assign(self, target: ast.expr, value: Value, frame: Frame, exact: object = UNSURE) -> None:
        """Assign a value to a target."""
        raise NotImplementedError

    # comprehensions and functions

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, frame: Frame) -> Value:
        saved = frame.env.fork()
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
            value = self.evaluate(default, frame)
            first = arg.arg not in found.defaults
            found.known[arg.arg] = kept(self.exact) if first else both(found.known[arg.arg], kept(self.exact))
            found.defaults[arg.arg] = found.defaults.get(arg.arg, 0) | value
        return found

    # calls

    def _call(self, node: ast.Call, frame: Frame) -> Value:
        func = node.func
        if isinstance(func, ast.Name) and func.id == "super" and "super" not in frame.env:
            self.exact = UNSURE
            return self._super(frame, node)
        target: Value = 0
        itself: object = UNSURE
        if isinstance(func, ast.Attribute):
            target = self.evaluate(func.value, frame)
            itself = self.exact
        args = self.given(node, frame)
        if isinstance(func, ast.Attribute):
            if func.attr == "__setattr__":
                self.set_attribute(self.domain.extern("builtins.setattr"), args)
            out = self.call_method(target, func.attr, args, node, frame)
            self.exact = self.exact if self.calls_one(target, func.attr) else UNSURE
            if self.exact is UNSURE:
                self.exact = self.method_exact(target, itself, func.attr, args)
            if not target & self.domain.refs and func.attr in ("append", "update", "extend", "add", "fill", "insert"):
                self.grow_root(func.value, args.joined(), frame)
            if isinstance(itself, tuple) and isinstance(func.value, ast.Name):
                frame.env.known.pop(func.value.id, None)  # argv.remove("--mock")
            self.changed_by_method(target, func.attr, args)
            return out
        callee = self.evaluate(func, frame)
        self.set_attribute(callee, args)
        out = self.call_value(callee, args, node, frame)
        self.exact = self.exact if self.calls_one(callee) else self.function_exact(callee, args)
        return out

    def given(self, node: ast.Call, frame: Frame) -> Arguments:
        """Evaluate the arguments of a call."""
        positional: list[Value] = []
        named: dict[str, Value] = {}
        known: dict[int | str, object] = {}
        star = star_named = 0
        spread = False
        for item in node.args:
            if isinstance(item, ast.Starred) or spread:  # after *args, places are not known
                star |= self.evaluate(item, frame)
                spread = True
            else:
                positional.append(self.evaluate(item, frame))
                if self.exact is not UNSURE:
                    known[len(positional) - 1] = self.exact
        for keyword in node.keywords:
            value = self.evaluate(keyword.value, frame)
            if keyword.arg is None:
                star_named |= value
                spread = True
            else:
                named[keyword.arg] = value
                if self.exact is not UNSURE:
                    known[keyword.arg] = self.exact
        return Arguments(positional, named, star, star_named, known=known, spread=spread)

    def grow_root(self, node: ast.expr, value: Value, frame: Frame) -> None:
        """Join a value into the variable at the root of ``a.b[c]``, where it points to no object that could hold it."""
        while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
            node = node.func if isinstance(node, ast.Call) else node.value
        if isinstance(node, ast.Name) and node.id in frame.env:
            frame.env.bind(node.id, frame.env[node.id] | value, UNSURE)

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
