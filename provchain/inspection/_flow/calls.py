"""Calls that stay in the run: functions, methods, classes, and the attributes through which they are found."""

from __future__ import annotations

import ast

from provchain.inspection._flow.attributes import Attributes, decorators, is_property
from provchain.inspection._flow.exact import UNSURE, Variables, all_same, kept
from provchain.inspection._flow.libraries import meaning, method_meaning, words
from provchain.inspection._flow.machine import Arguments, Context, Frame
from provchain.inspection._flow.program import ClassInfo, Module
from provchain.inspection._flow.values import Bound, Class, Extern, Func, Obj, Super, Value

__all__ = ["Calls"]

_MAX_DEPTH = 16  # nested calls followed at once; deeper ones are queued
_MAX_RERUNS = 4
_MAX_CONTEXTS = 12  # shapes of arguments told apart for one function
_MAX_CONSTANTS = 8  # and, for each shape, constants that may decide something in it
_LAYERS = (
    "torch",
    "pytorch_lightning",
    "lightning",
    "tensorflow",
    "keras",
    "flax",
    "haiku",
    "transformers",
    "torch_geometric",
    "dgl",
    "gpytorch",
)
_CONTAINER_BASES = ("builtins.dict", "builtins.list", "builtins.set", "collections.")
_DICTS = words("__dict__ _asdict asdict dict model_dump to_dict")


class Calls(Attributes):
    """Calls into the run's own code."""

    def call_value(self, callee: Value, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call whatever a value may be."""
        self.domain.work += 4 * (callee & self.domain.refs).bit_count()
        out = 0
        todo = callee & self.domain.refs & ~self.domain.inert
        plain = callee ^ todo
        if plain:
            out |= self.derive(node, frame, plain | args.joined())
        elif not callee:
            return self._unresolved(node, frame)
        while todo:
            low = todo & -todo
            todo ^= low
            atom = self.domain.atoms[low.bit_length() - 1]
            if isinstance(atom, Func):
                out |= self.invoke(atom, args, frame)
            elif isinstance(atom, Extern):
                out |= self.call_extern(atom.name, args, node, frame)
            elif isinstance(atom, Class):
                out |= self.instantiate(atom.info, args, node, frame)
            elif isinstance(atom, Bound):
                out |= self.call_value(atom.func, args.after(*atom.args, named=dict(atom.kwargs)), node, frame)
            elif isinstance(atom, Obj):
                out |= self._call_object(atom, args, node, frame)
        return out

    def _unresolved(self, node: ast.AST, frame: Frame) -> Value:
        return self.origin("unknown", node, frame) if self.strict else 0

    def _call_object(self, atom: Obj, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        if atom.kind != "instance" or atom.cls is None:
            # a container that is called is a method of it, taken as a value: ``key=scores.get``
            return self.call_object(atom, args, node, frame) if atom.kind == "extern" else atom.content
        if self.find_method(atom, "__call__"):
            return self.call_method(atom.bit, "__call__", args, node, frame)
        for base in self.extern_bases(atom.cls):
            if base.startswith(_LAYERS):  # a network that is called computes with its weights
                inner = "forward" if self.find_method(atom, "forward") else "call"
                got = (
                    self.call_method(atom.bit, inner, args, node, frame)
                    if self.find_method(atom, inner)
                    else args.joined()
                )
                return got | self.origin("trained", node, frame)
        return self.missing(node, frame)

    def calls_one(self, target: Value, name: str = "") -> bool:
        """Tell whether calling a value, or a method of it, is a call of one function of the run and of nothing else."""
        if target.bit_count() != 1 or not target & self.domain.refs:
            return False
        atom = self.domain.atoms[target.bit_length() - 1]
        if isinstance(atom, Bound) and not name:
            return self.calls_one(atom.func)
        found = target
        if name and isinstance(atom, Obj):
            found = 0 if name in atom.fields else self.find_method(atom, name)
        elif name and isinstance(atom, Class):
            found = self.lookup_class(atom.info, name)
        elif name:
            found = atom.cells.get(name, 0) if isinstance(atom, Module) else 0
        if found.bit_count() != 1 or not found & self.domain.refs:
            return False
        func = self.domain.atoms[found.bit_length() - 1]
        return isinstance(func, Func) and not is_property(func)

    # functions

    def invoke(self, func: Func, args: Arguments, frame: Frame) -> Value:
        """Call a function of the run and return what it returns."""
        self.step()
        params, known = self.bind(func, args, frame)
        figure = frame.env.get("%figure", 0) if func.info.module.plots else 0
        ctx = self.context(func, params, figure, known)
        fresh = ctx.round != self.round and not ctx.running
        if fresh:
            ctx.params = params
        else:
            for name, value in params.items():
                if value & ~ctx.params.get(name, 0):
                    ctx.params[name] = ctx.params.get(name, 0) | value
                    ctx.round = 0  # run it (again) with what is new
        ctx.figure_in = figure if fresh else ctx.figure_in | figure
        for _ in range(_MAX_RERUNS if not ctx.running else 0):  # a recursive call can add to the parameters meanwhile
            if ctx.round == self.round:
                break
            if self.depth >= _MAX_DEPTH:
                self.deferred.append(ctx)
                break
            self.run_context(ctx)
        self.effects |= ctx.effects
        if func.info.module.plots and ctx.figure_out:
            frame.env["%figure"] = ctx.figure_out
        self.exact = ctx.exact
        return ctx.ret

    def context(self, func: Func, params: dict[str, Value], figure: Value, known: dict[str, object]) -> Context:
        """Find the context for arguments of this shape.

        The shape is what they point to, whether they are real or unknown, and those constants that may decide something.
        """
        domain = self.domain
        unknown = domain.masks["unknown"]
        shape = []
        for value in params.values():
            marks = domain.sample(value)
            shape.append((domain.sites_of(value), bool(marks & domain.real), bool(marks & unknown)))
        drawn = domain.sample(figure)
        shape.append((frozenset(), bool(drawn & domain.real), bool(drawn & unknown)))
        key: object = (func.bit, tuple(shape))
        found = self.contexts.get(key)
        fan = self.fanout.setdefault(func.bit, set())
        if key not in fan:
            if len(fan) >= _MAX_CONTEXTS:
                key = (func.bit, "all others")
                found = self.contexts.get(key)
            fan.add(key)
        deciding = self._deciding(func, known) if key != (func.bit, "all others") else {}
        if deciding:
            exact_key = (key, tuple((name, type(exact), exact) for name, exact in deciding.items()))
            told_apart = self.constant_fanout.setdefault(key, set())
            if exact_key in told_apart or len(told_apart) < _MAX_CONSTANTS:
                told_apart.add(exact_key)
                key = exact_key
                found = self.contexts.get(key)
            else:
                deciding = {}
        if found is None:
            found = self.contexts[key] = Context(func, (func.bit, len(self.contexts)))
            found.known = deciding
            self.domain.touch()
        return found

    def _deciding(self, func: Func, known: dict[str, object]) -> dict[str, object]:
        """Return the constants that may decide something: what a condition asks for, and settings that are handed on."""
        out = {}
        for name, here in func.info.deciding.items():
            exact = known.get(name, UNSURE)
            if exact is not UNSURE and (here or exact is None or isinstance(exact, (bool, str))):
                out[name] = exact
        return out

    def run_context(self, ctx: Context) -> None:
        """Analyse a function in a context once more."""
        func = ctx.func
        frame = Frame(func.info.module, ctx.key, Variables(ctx.params, ctx.known))
        frame.scopes = func.scopes
        frame.info = func.info
        frame.ctx = ctx
        frame.owner = func.owner
        first = func.info.positional[:1]
        frame.self_value = ctx.params.get(first[0], 0) if first else 0
        if func.info.inner:
            frame.cells = ctx.cells
            for name, value in ctx.params.items():
                self.grow(ctx.cells, name, value, ctx.known.get(name, UNSURE))
        frame.env["%figure"] = ctx.figure_in
        items = self.domain.masks["item"]
        frame.counting = bool(items) and any(self.domain.sample(value) & items for value in ctx.params.values())
        outside, self.effects = self.effects, 0
        ctx.running, ctx.round = True, self.round
        self.depth += 1
        try:
            if isinstance(func.info.node, ast.Lambda):
                frame.ret = self.evaluate(func.info.node.body, frame)
                frame.exact.append(kept(self.exact))
            elif self.run_block(func.info.body, frame):
                frame.fig_out |= frame.env.get("%figure", 0)
                frame.exact.append(None)
        finally:
            self.depth -= 1
            ctx.running = False
            new = self.effects & ~ctx.effects
            ctx.effects |= self.effects
            self.effects |= outside
        result = frame.ret
        self._returned(ctx, frame)
        if func.info.generator:
            result = self.collect("list", frame.yields, func.info.node, frame, "yields").bit
        if (result & ~ctx.ret) or new:
            ctx.ret |= result
            self.domain.touch()
        ctx.figure_out |= frame.fig_out

    def _returned(self, ctx: Context, frame: Frame) -> None:
        """Note the constant that a function returns in a context; another one in a later round leaves it unsure."""
        exact = UNSURE if ctx.func.info.generator else all_same(frame.exact)
        if frame.exact and ctx.returned and all_same((ctx.exact, exact)) is not ctx.exact:
            ctx.exact = UNSURE
            self.domain.touch()
        elif frame.exact and not ctx.returned:
            ctx.exact, ctx.returned = exact, True

    def bind(self, func: Func, args: Arguments, frame: Frame) -> tuple[dict[str, Value], dict[str, object]]:
        """Match arguments with parameters: their values, and the constants that some of them are."""
        info = func.info
        params: dict[str, Value] = {}
        known: dict[str, object] = {}
        rest = 0
        for index, value in enumerate(args.positional):
            if index < len(info.positional):
                params[info.positional[index]] = value
                known[info.positional[index]] = args.known.get(index, UNSURE)
            else:
                rest |= value
        loose: dict[str, Value] = {}
        for name, value in args.named.items():
            if name in info.names:
                known[name] = UNSURE if name in params else args.known.get(name, UNSURE)
                params[name] = params.get(name, 0) | value
            else:
                loose[name] = value
        spread = dict(self._spread(args.star_named))
        for name in info.names:
            if name not in params:
                given = args.star if name in info.positional else 0
                given |= spread.get(name, spread.get("", 0))
                params[name] = given | func.defaults.get(name, 0)
                known[name] = UNSURE if args.spread else func.known.get(name, UNSURE)
        if info.vararg:
            params[info.vararg] = self.collect("list", rest | args.star, info.node, frame, "varargs").bit
        if info.kwarg:
            made = self.make("dict", info.node, frame, "", "kwargs")
            for name, value in (*loose.items(), *((k, v) for k, v in spread.items() if k not in info.names)):
                self.domain.put(made, value, name, named=True) if name else self.domain.put(made, value)
            params[info.kwarg] = made.bit
        if func.command is not None:
            known.update(self.command_exact(func, args))
        return params, {name: kept(exact) for name, exact in known.items()}

    def _spread(self, value: Value) -> list[tuple[str, Value]]:
        out: dict[str, Value] = {}
        rest = value & ~self.domain.refs
        for atom in self.domain.refs_of(value):
            if isinstance(atom, Obj):
                for key, inside in atom.fields.items():
                    name = key if isinstance(key, str) else ""
                    out[name] = out.get(name, 0) | inside
                rest |= atom.elems
        if rest:
            for name in out:
                out[name] |= rest
            out[""] = out.get("", 0) | rest
        return list(out.items())

    # classes

    def instantiate(self, info: ClassInfo, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Make an instance of a class of the run."""
        made = self.make("instance", node, frame, f"{info.module.path}:{info.name}")
        made.cls = info
        self.domain.place(made.bit, id(node))
        if self.is_exception(info):
            return made.bit
        if any(base.startswith("enum.") for base in self.extern_bases(info)):
            return args.joined()
        init = self.lookup_class(info, "__init__")
        if init:
            self.call_value(
                self.functions_of(init),
                args.after(made.bit),
                node,
                frame,
            )
        elif any(c.record for c in info.order):
            self._fill_record(made, info, args, node, frame)
            post = self.lookup_class(info, "__post_init__")
            if post:
                self.call_value(post, Arguments([made.bit]), node, frame)
        else:
            self.call_back(args, node, frame)
            if args.joined():
                self.domain.put(made, args.joined())
        return made.bit

    def _fill_record(self, made: Obj, info: ClassInfo, args: Arguments, node: ast.AST, frame: Frame) -> None:
        names = [name for c in reversed(info.order) for name in c.fields]
        for index, name in enumerate(dict.fromkeys(names)):
            value = (
                args.positional[index]
                if index < len(args.positional)
                else args.named.get(name, args.star | args.star_named)
            )
            exact = args.exact(index, name)
            default = self.lookup_class(info, name)
            if not args.given(index, name):
                exact = UNSURE if args.spread else self.class_exact(info, name)
            for atom in self.domain.refs_of(0 if value else default):
                if isinstance(atom, Obj) and atom.type == "dataclasses.field":
                    factory = atom.content & (self.domain.calls | self.domain.refs)
                    made_default = self.call_value(factory, Arguments(), node, frame) if factory else 0
                    value |= made_default | (atom.content & ~self.domain.refs)
            self.domain.put(made, value or (default & ~self.domain.refs), name, named=True, exact=exact)

    def is_exception(self, info: ClassInfo) -> bool:
        """Tell whether a class is an exception."""
        return any(
            base.startswith("builtins.") and base.endswith(("Error", "Exception")) for base in self.extern_bases(info)
        )

    def functions_of(self, value: Value) -> Value:
        """Return what can be called among the values of a class attribute."""
        return value & self.domain.calls or value

    def call_method(self, target: Value, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call a method of whatever a value may be."""
        self.domain.work += 4 * (target & self.domain.refs).bit_count()
        domain = self.domain
        out = 0
        todo = target & domain.refs & ~domain.inert
        plain = target ^ todo
        if plain:
            out |= self.plain_method(plain, name, args, node, frame)
        groups: dict[Value, Value] = {}  # instances that share a method answer together
        while todo:
            low = todo & -todo
            todo ^= low
            atom = domain.atoms[low.bit_length() - 1]
            if isinstance(atom, Extern):
                out |= self.call_extern(f"{atom.name}.{name}", args, node, frame)
            elif isinstance(atom, Obj):
                shared = 0 if name in atom.fields else self.find_method(atom, name)
                if shared:
                    groups[shared] = groups.get(shared, 0) | low
                else:
                    out |= self._object_method(atom, name, args, node, frame)
            elif isinstance(atom, Module):
                out |= self.call_value(self.module_name(atom, name, node, frame), args, node, frame)
            elif isinstance(atom, Class):
                out |= self._class_method(atom, low, name, args, node, frame)
            elif isinstance(atom, Super):
                out |= self._super_method(atom, name, args, node, frame)
        if target & domain.holding:
            out |= self.look_through(target & domain.holding, name, args, node, frame)
        for method, self_value in groups.items():
            first = domain.atoms[self_value.bit_length() - 1]
            if isinstance(first, Obj) and first.cls is not None:
                out |= self._bound_call(method, self_value, first.cls, args, node, frame)
        return out

    def _object_method(self, atom: Obj, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        if atom.kind in ("dict", "list", "tuple", "set"):
            return self.container_method(atom, name, args, node, frame)
        if atom.kind != "instance" or atom.cls is None:
            return self.extern_method(atom, name, args, node, frame)
        stored = atom.fields.get(name, 0)
        if stored:
            return self.call_value(stored, args, node, frame)
        return self.inherited(atom, atom.cls, name, args, node, frame)

    def _bound_call(
        self, method: Value, self_value: Value, info: ClassInfo, args: Arguments, node: ast.AST, frame: Frame
    ) -> Value:
        out = 0
        for bit, atom in self.domain.bits_and_refs(method):
            if isinstance(atom, Func):
                first: list[Value] = [self_value]
                if "staticmethod" in decorators(atom):
                    first = []
                elif "classmethod" in decorators(atom):
                    first = [info.bit]
                elif is_property(atom):
                    got = self.invoke(atom, Arguments([self_value]), frame)
                    out |= self.call_value(got, args, node, frame)
                    continue
                out |= self.invoke(atom, args.after(*first), frame)
            elif isinstance(atom, (Extern, Class, Bound)) or (isinstance(atom, Obj) and atom.kind != "extern"):
                out |= self.call_value(bit, args, node, frame)
            elif isinstance(atom, Obj):
                out |= self.call_object(atom, args.after(self_value), node, frame)
        return out

    def inherited(self, atom: Obj, info: ClassInfo, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call a method that only a library base can have."""
        bases = self.extern_bases(info)
        if name in _DICTS and any(c.record for c in info.order):
            return self.derive(node, frame, atom.bit)
        if any(base.startswith(_CONTAINER_BASES) for base in bases):
            return self.container_method(atom, name, args, node, frame)
        out = 0
        for base in bases:
            if base.startswith(_LAYERS):
                what = method_meaning(base, name)
                if what == "trained" or meaning(base) == "read":
                    mark = self.origin("trained", node, frame)
                    self.domain.put(atom, mark)
                    out |= self.derive(node, frame, mark | args.joined())
                else:
                    out |= atom.bit
            elif meaning(base) == "learning":
                out |= (
                    self.extern_method(self.make("extern", node, frame, base, "base"), name, args, node, frame)
                    | atom.bit
                )
            elif meaning(base) == "unknown":
                out |= self.origin("unknown", node, frame)
            else:
                out |= self.derive(node, frame, atom.bit | args.joined())
        done = self.written_by_method(atom, name, args, node, frame) if bases else None
        return out | (done or 0) if bases else self._unresolved(node, frame)

    def _class_method(self, atom: Class, bit: Value, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        method = self.lookup_class(atom.info, name)
        out = 0
        for inner_bit, inner in self.domain.bits_and_refs(method):
            if isinstance(inner, Func):
                first = [bit] if "classmethod" in decorators(inner) else []
                out |= self.invoke(inner, args.after(*first), frame)
            else:
                out |= self.call_value(inner_bit, args, node, frame)
        if not method:
            bases = self.extern_bases(atom.info)
            for base in bases:
                out |= self.call_extern(f"{base}.{name}", args, node, frame)
            if not bases:
                out |= self._unresolved(node, frame)
        return out

    def _super_method(self, atom: Super, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        out = 0
        done: set[Value] = set()
        for inner in self.domain.refs_of(atom.self_value):
            info = inner.cls if isinstance(inner, Obj) else inner.info if isinstance(inner, Class) else None
            if info is None:
                continue
            method = self.lookup_class(info, name, atom.after)
            if method in done:
                continue
            if method:
                done.add(method)
                out |= self._bound_call(method, atom.self_value, info, args, node, frame)
            elif name not in (
                "__init__",
                "__init_subclass__",
                "__setattr__",
                "__new__",
                "__enter__",
                "__exit__",
            ) and isinstance(inner, Obj):
                out |= self.inherited(inner, atom.after, name, args, node, frame)
            elif (
                name == "__init__"
                and any(b.startswith("builtins.") for b in self.extern_bases(info))
                and isinstance(inner, Obj)
            ):
                for value in args.positional:
                    self.update(inner, value, node, frame)
        return out
