"""Expressions: what they can be, worked out from the names that they see.

The evaluator knows no statements; the machine built on it supplies calls of the run's functions and modules.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable

from provchain.inspection._effects.builtin import BUILTINS
from provchain.inspection._effects.paths import WILD
from provchain.inspection._effects.strings import binary, concat, format_value
from provchain.inspection._effects.values import (
    CAP,
    MISSING,
    UNKNOWN,
    Bound,
    ClassValue,
    DictValue,
    External,
    FileValue,
    Function,
    Instance,
    Join,
    Lazy,
    ListValue,
    Many,
    ModuleValue,
    PathValue,
    Pick,
    Scope,
    alternatives,
    lift,
    many,
)

__all__ = ["Evaluator", "OutOfBudget", "truth"]


class OutOfBudget(Exception):  # noqa: N818 - it ends the evaluation, it reports no error
    """The work allowed for one script is used up: what is known so far stands."""


class Evaluator(ABC):
    """Works expressions out."""

    hard_limit = 160_000  # expressions worked out for one script, at the very most

    def __init__(self) -> None:
        self.steps = 0
        self._by_type: dict[type[ast.expr], Callable[..., object]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.JoinedStr: self._joined,
            ast.FormattedValue: self._formatted,
            ast.BinOp: self._binary,
            ast.BoolOp: self._either,
            ast.IfExp: self._conditional,
            ast.UnaryOp: self._unary,
            ast.Compare: self._compare,
            ast.Subscript: self._subscript,
            ast.List: self._sequence,
            ast.Tuple: self._sequence,
            ast.Set: self._sequence,
            ast.Dict: self._dict,
            ast.ListComp: self._comprehension,
            ast.SetComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.DictComp: self._dict_comprehension,
            ast.Lambda: self._lambda,
            ast.NamedExpr: self._named,
            ast.Starred: lambda node, scope: self.eval(node.value, scope),
            ast.Await: lambda node, scope: self.eval(node.value, scope),
            ast.Yield: self._yield,
            ast.YieldFrom: self._yield,
        }

    # --------------------------------------------------------------------------------------- supplied by the machine

    @abstractmethod
    def attribute(self, target: object, name: str) -> object:
        """Take an attribute of a value."""

    @abstractmethod
    def call_node(self, node: ast.Call, scope: Scope, *, now: bool) -> object:
        """Work a call out, or leave it lazy unless it is wanted now."""

    @abstractmethod
    def yielded(self, value: object) -> None:
        """Note what the running generator yields."""

    @abstractmethod
    def decide(self, test: ast.expr, scope: Scope) -> bool | None:
        """Whether a condition holds, where that is certain."""

    # ---------------------------------------------------------------------------------------------------------- core

    def eval(self, node: ast.expr, scope: Scope) -> object:
        """What an expression is; parts of it may still be lazy."""
        self.steps += 1
        if self.steps > self.hard_limit:
            raise OutOfBudget
        handler = self._by_type.get(type(node))
        return handler(node, scope) if handler is not None else UNKNOWN

    def force(self, value: object) -> object:
        """Work a value out."""
        kind = type(value)
        if kind is Lazy:
            return self._force_lazy(value)  # type: ignore[arg-type]
        if kind is Join:
            return many([self.force(side) for side in value.sides])  # type: ignore[attr-defined]
        if kind is Pick:
            return self._pick(value)  # type: ignore[arg-type]
        return value

    def _force_lazy(self, lazy: Lazy) -> object:
        """Work a lazy expression out, once; one that needs itself is unknown."""
        if lazy.node is None:
            return lazy.value
        if lazy.busy or lazy.scope is None:
            return UNKNOWN
        lazy.busy = True
        try:
            if type(lazy.node) is ast.Call:
                value = self.force(self.call_node(lazy.node, lazy.scope, now=True))
            else:
                value = self.force(self.eval(lazy.node, lazy.scope))
        except RecursionError:
            value = UNKNOWN
        lazy.busy = False
        lazy.value, lazy.node, lazy.scope = value, None, None
        return value

    def _pick(self, pick: Pick) -> object:
        """One element of a sequence."""

        def one(whole: object) -> object:
            if isinstance(whole, ListValue) and pick.index < len(whole.items):
                return self.force(whole.items[pick.index])
            return UNKNOWN

        return many([one(side) for side in alternatives(self.force(pick.whole))])

    def elements(self, value: object) -> tuple[list[object], bool]:
        """The elements of an iterable, and whether there may be more."""
        value = self.force(value)
        if isinstance(value, ListValue):
            return list(value.items), value.more
        if isinstance(value, DictValue):
            return list(value.entries), value.more
        if isinstance(value, ClassValue):  # an enumeration
            return [item for name, item in value.env.items() if not name.startswith("_")], True
        if isinstance(value, Many):
            found: list[object] = []
            for one in value.values:
                found += self.elements(one)[0]
            return found, True
        if isinstance(value, PathValue) or (isinstance(value, str) and len(value) > CAP):
            return [UNKNOWN], True
        if isinstance(value, str) and WILD not in value:
            return list(value), False
        if isinstance(value, FileValue):
            return [WILD], True
        return [UNKNOWN], True

    # --------------------------------------------------------------------------------------------------- expressions

    def _constant(self, node: ast.Constant, _: Scope) -> object:
        value = node.value
        if isinstance(value, bytes):
            return value.decode("latin-1")
        return value if isinstance(value, (str, int, float, bool, type(None))) else UNKNOWN

    def _name(self, node: ast.Name, scope: Scope) -> object:
        return self.lookup(node.id, scope)

    def lookup(self, name: str, scope: Scope) -> object:
        """What a name stands for."""
        at: Scope | None = scope
        while at is not None:
            if name in at.env:
                return at.env[name]
            at = at.outer
        if name in scope.module.env:
            return scope.module.env[name]
        return External(name) if name in BUILTINS else UNKNOWN

    def _attribute(self, node: ast.Attribute, scope: Scope) -> object:
        base = node.value
        if scope.seen is not None and type(base) is ast.Name:
            found = scope.seen.get((base.id, node.attr), MISSING)
            if found is not MISSING:
                return found
        value = self.force(self.eval(base, scope))
        results = [self.attribute(one, node.attr) for one in alternatives(value) if one is not None]
        if len(results) == 1:
            result = results[0]
            return UNKNOWN if result is MISSING or (isinstance(result, Bound) and result.function is None) else result
        return many(
            [
                UNKNOWN
                if result is MISSING or (isinstance(result, Bound) and result.function is None)
                else self.force(result)
                for result in results or [UNKNOWN]
            ]
        )

    def _call(self, node: ast.Call, scope: Scope) -> object:
        return self.call_node(node, scope, now=False)

    def _joined(self, node: ast.JoinedStr, scope: Scope) -> object:
        result: object = ""
        for part in node.values:
            result = lift(concat, result, self.force(self.eval(part, scope)))
        return result

    def _formatted(self, node: ast.FormattedValue, scope: Scope) -> object:
        spec = "" if node.format_spec is None else self.force(self.eval(node.format_spec, scope))
        value = self.force(self.eval(node.value, scope))
        return format_value(value, spec if isinstance(spec, str) else WILD)

    def _binary(self, node: ast.BinOp, scope: Scope) -> object:
        left, right = self.force(self.eval(node.left, scope)), self.force(self.eval(node.right, scope))
        if isinstance(node.op, ast.Mod):
            right = self.deep(right)
        return lift(lambda a, b: binary(type(node.op), a, b), left, right)

    def deep(self, value: object) -> object:
        """A value with the elements of a list, or the entries of a dict, worked out too."""
        if isinstance(value, ListValue):
            return ListValue(
                [self.force(item) for item in value.items[:64]], value.more or len(value.items) > 64, value.fixed
            )
        if isinstance(value, DictValue):
            return DictValue({key: self.force(item) for key, item in list(value.entries.items())[:64]}, value.more)
        return value

    def _either(self, node: ast.BoolOp, scope: Scope) -> object:
        found: list[object] = []
        stop_at = isinstance(node.op, ast.Or)
        for number, part in enumerate(node.values):
            value = self.force(self.eval(part, scope))
            if number == len(node.values) - 1:
                found.append(value)
                break
            found += [one for one in alternatives(value) if truth(one) is not (not stop_at)]
            if truth(value) is stop_at:
                break
        return many(found)

    def _conditional(self, node: ast.IfExp, scope: Scope) -> object:
        holds = self.decide(node.test, scope)
        if holds is not None:
            return self.eval(node.body if holds else node.orelse, scope)
        return Join((self.eval(node.body, scope), self.eval(node.orelse, scope)))

    def _unary(self, node: ast.UnaryOp, scope: Scope) -> object:
        value = self.force(self.eval(node.operand, scope))
        if isinstance(node.op, ast.Not):
            holds = truth(value)
            return UNKNOWN if holds is None else not holds
        if isinstance(node.op, ast.USub) and isinstance(value, (int, float)):
            return -value
        return UNKNOWN

    def _compare(self, node: ast.Compare, scope: Scope) -> object:
        holds = self.decide(node, scope)
        if holds is None:  # for the calls inside it
            for part in (node.left, *node.comparators):
                self.eval(part, scope)
        return UNKNOWN if holds is None else holds

    def _subscript(self, node: ast.Subscript, scope: Scope) -> object:
        base = self.force(self.eval(node.value, scope))
        if isinstance(node.slice, ast.Slice):
            return many([self._slice(one, node.slice, scope) for one in alternatives(base)])
        key = self.force(self.eval(node.slice, scope))
        return many([self._item(one, index) for one in alternatives(base) for index in alternatives(key)])

    def _item(self, base: object, key: object) -> object:
        """One element by its index or key."""
        if isinstance(base, Instance) and base.cls is None:
            base = DictValue(dict(base.attrs), base.more)
        if isinstance(base, DictValue):
            if isinstance(key, (str, int, float, bool)) and not (isinstance(key, str) and WILD in key):
                return self.force(base.entries[key]) if key in base.entries else UNKNOWN
            values = [self.force(value) for value in list(base.entries.values())[: CAP + 1]]
            return many([*values, *([UNKNOWN] if base.more or not values or len(base.entries) > CAP else [])])
        if isinstance(base, ListValue):
            if isinstance(key, int):
                known = key < len(base.items) if key >= 0 else -key <= len(base.items) and not base.more
                return self.force(base.items[key]) if known else UNKNOWN
            items = [self.force(item) for item in base.items[: CAP + 1]]
            return many([*items, *([UNKNOWN] if base.more or not items or len(base.items) > CAP else [])])
        if isinstance(base, str) and isinstance(key, int) and WILD not in base and -len(base) <= key < len(base):
            return base[key]
        return UNKNOWN

    def _slice(self, base: object, node: ast.Slice, scope: Scope) -> object:
        """A slice with constant ends."""
        ends = [
            None if end is None else self.force(self.eval(end, scope)) for end in (node.lower, node.upper, node.step)
        ]
        if not all(end is None or isinstance(end, int) for end in ends):
            return ListValue(list(base.items), more=True) if isinstance(base, ListValue) else WILD
        cut = slice(*(end for end in ends if end is None or isinstance(end, int)))
        if cut.step == 0:
            return UNKNOWN
        if isinstance(base, ListValue):
            return ListValue(list(base.items[cut]), base.more, base.fixed)
        if isinstance(base, str):
            return base[cut] if WILD not in base else WILD
        return UNKNOWN

    def _sequence(self, node: ast.List | ast.Tuple | ast.Set, scope: Scope) -> object:
        result = ListValue([], fixed=isinstance(node, ast.Tuple))
        if len(node.elts) > 256:  # a table of numbers
            return ListValue([UNKNOWN], more=True)
        for item in node.elts:
            if isinstance(item, ast.Starred):
                items, more = self.elements(self.eval(item.value, scope))
                result.items += items
                result.more |= more
            else:
                result.items.append(self.eval(item, scope))
        return result

    def _dict(self, node: ast.Dict, scope: Scope) -> object:
        result = DictValue({}, more=len(node.keys) > 512)
        for key, value in list(zip(node.keys, node.values, strict=True))[:512]:
            if key is None:
                other = self.force(self.eval(value, scope))
                if isinstance(other, DictValue):
                    result.entries.update(other.entries)
                    result.more |= other.more
                else:
                    result.more = True
                continue
            name = self.force(self.eval(key, scope))
            item = self.eval(value, scope)
            if isinstance(name, (str, int, float, bool, type(None))):
                result.entries[name] = item
            else:
                result.more = True
        return result

    # ------------------------------------------------------------------------------------------------ comprehensions

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, scope: Scope) -> object:
        found: list[object] = []
        more = self._generate(
            node.generators, scope, lambda inner: found.append(self.force(self.eval(node.elt, inner)))
        )
        return ListValue(found, more)

    def _dict_comprehension(self, node: ast.DictComp, scope: Scope) -> object:
        result = DictValue({})

        def add(inner: Scope) -> None:
            key = self.force(self.eval(node.key, inner))
            if isinstance(key, (str, int, float)) and not (isinstance(key, str) and WILD in key):
                result.entries[key] = self.force(self.eval(node.value, inner))
            else:
                result.more = True

        result.more |= self._generate(node.generators, scope, add)
        return result

    def _generate(self, generators: list[ast.comprehension], scope: Scope, visit: Callable[[Scope], object]) -> bool:
        """Run through comprehension loops; gives whether there may be more than what was visited."""
        inner = Scope(dict(scope.env), scope.module, scope.outer, scope.function, scope.seen)
        first, *rest = generators
        items, more = self.elements(self.eval(first.iter, inner))
        if isinstance(first.target, ast.Name) and first.target.id == "_" and items:
            items, more = items[:1], True  # the same again and again
        if more or len(items) > CAP:
            items, more = [Join(tuple(items[:64])) if items else UNKNOWN], True
        for item in items:
            self.bind(first.target, item, inner)
            holds = [self.decide(test, inner) for test in first.ifs]
            if False in holds:
                continue
            more |= None in holds
            if rest:
                more |= self._generate(rest, inner, visit)
            else:
                visit(inner)
        return more

    def bind(self, target: ast.expr, value: object, scope: Scope) -> None:
        """Bind names of a comprehension."""
        if isinstance(target, ast.Name):
            scope.env[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            for number, part in enumerate(target.elts):
                self.bind(part, Pick(value, number), scope)

    def _lambda(self, node: ast.Lambda, scope: Scope) -> object:
        inner = Scope(dict(scope.env), scope.module, scope.outer, scope.function)
        return Function("<lambda>", node, inner)

    def _named(self, node: ast.NamedExpr, scope: Scope) -> object:
        value = self.eval(node.value, scope)
        scope.env[node.target.id] = value
        return value

    def _yield(self, node: ast.Yield | ast.YieldFrom, scope: Scope) -> object:
        value = None if node.value is None else self.eval(node.value, scope)
        if isinstance(node, ast.Yield):
            self.yielded(value)
        else:
            for item in self.elements(value)[0]:
                self.yielded(item)
        return UNKNOWN


def truth(value: object) -> bool | None:
    """Whether a worked-out value counts as true, where that is certain."""
    if value is None or isinstance(value, (bool, int, float)):
        return bool(value)
    if isinstance(value, str):
        return bool(value) if WILD not in value else (True if value.strip(WILD) else None)
    if isinstance(value, (PathValue, Function, ClassValue, ModuleValue, FileValue)):
        return True
    if isinstance(value, ListValue):
        return True if value.items else False if value.fixed and not value.more else None
    if isinstance(value, DictValue):
        return True if value.entries else None
    if isinstance(value, Many):
        sides = {truth(one) for one in value.values}
        return sides.pop() if len(sides) == 1 else None
    return None
