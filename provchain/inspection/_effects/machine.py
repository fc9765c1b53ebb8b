"""Branches and loops: what is certain is followed, the rest is taken every way and joined.

Short loops over known elements are unrolled; a loop over anything else stands for all its turns at once.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from provchain.inspection._effects.conditions import compare, is_plain, merge
from provchain.inspection._effects.evaluator import truth
from provchain.inspection._effects.outline import EMPTY, stored_names
from provchain.inspection._effects.paths import WILD
from provchain.inspection._effects.statements import BREAKS, ENDS, GOES_ON, Frame, Statements
from provchain.inspection._effects.values import (
    CAP,
    UNKNOWN,
    Instance,
    Join,
    Opaque,
    PathValue,
    Scope,
    alternatives,
    texts,
)

__all__ = ["Machine"]

_BUILDERS = frozenset({"append", "extend", "add", "update", "setdefault", "setattr", "add_argument"})
_PATIENCE = 12_000  # expressions worked out before the rest of a loop is taken together
_UNROLLED = 64  # times that nested loops may multiply a body
_TESTABLE_CALLS = frozenset(
    ["len", "hasattr", "getattr", "bool", "startswith", "endswith", "get", "lower", "any", "all", "isinstance"]
)


class Machine(Statements):
    """Goes through statements with their branches and loops."""

    soft_limit = 60_000  # expressions worked out before loops are no longer unrolled

    def __init__(self, home: str, cwd: str, argv: tuple[str, ...]) -> None:
        super().__init__(home, cwd, argv)
        self.handlers |= {
            ast.If: self._if,
            ast.For: self._for,
            ast.AsyncFor: self._for,
            ast.While: self._while,
            ast.With: self._with,
            ast.AsyncWith: self._with,
            ast.Try: self._try,
            ast.TryStar: self._try,
            ast.Match: self._match,
        }

    # ------------------------------------------------------------------------------------------------------ branches

    def decide(self, test: ast.expr, scope: Scope) -> bool | None:
        """Whether a condition holds, where that is certain whatever else happened."""
        if isinstance(test, ast.Constant):
            return bool(test.value)
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            holds = self.decide(test.operand, scope)
            return None if holds is None else not holds
        if isinstance(test, ast.BoolOp):
            sides = [self.decide(part, scope) for part in test.values]
            settles = isinstance(test.op, ast.Or)
            return settles if settles in sides else None if None in sides else not settles
        if isinstance(test, ast.Compare):
            return self._decide_comparison(test, scope)
        if isinstance(test, (ast.Name, ast.Attribute, ast.Subscript)):
            return None if self._is_volatile(test, scope) else truth(self.force(self.eval(test, scope)))
        if isinstance(test, ast.Call):
            function = test.func
            name = (
                function.id
                if isinstance(function, ast.Name)
                else function.attr
                if isinstance(function, ast.Attribute)
                else ""
            )
            value = self.force(self.eval(test, scope))
            return truth(value) if name in _TESTABLE_CALLS and isinstance(value, bool) else None
        self.eval(test, scope)
        return None

    def _is_volatile(self, node: ast.expr, scope: Scope) -> bool:
        """Whether a name or attribute may have changed in ways that were not followed."""
        while isinstance(node, ast.Subscript):
            return True
        volatile = self.frames[-1].outline.volatile if self.frames else set()
        if isinstance(node, ast.Name):
            return node.id in volatile and node.id not in scope.env
        if isinstance(node, ast.Attribute) and node.attr in volatile:
            owner = self.force(self.eval(node.value, scope))
            return not (isinstance(owner, Instance) and owner.cls is None)
        return False

    def _decide_comparison(self, test: ast.Compare, scope: Scope) -> bool | None:
        """Compare constants; anything else is not certain."""
        if len(test.ops) != 1:
            return None
        left, op, right = test.left, test.ops[0], test.comparators[0]
        if (
            not (is_plain(left) or is_plain(right))
            or self._is_volatile_in(left, scope)
            or self._is_volatile_in(right, scope)
        ):
            return None
        a, b = self.force(self.eval(left, scope)), self.deep(self.force(self.eval(right, scope)))
        answers = {compare(op, one, other) for one in alternatives(a) for other in alternatives(b)}
        return answers.pop() if len(answers) == 1 else None

    def _is_volatile_in(self, node: ast.expr, scope: Scope) -> bool:
        if isinstance(node, ast.Call):
            return any(self._is_volatile_in(arg, scope) for arg in node.args)
        return isinstance(node, (ast.Name, ast.Attribute)) and self._is_volatile(node, scope)

    def _if(self, node: ast.If, frame: Frame) -> int:
        holds = self.decide(node.test, frame.scope)
        if holds is not None:
            return self.block(node.body if holds else node.orelse, frame)
        return self._branches(frame, [node.body, node.orelse])

    def _branches(self, frame: Frame, bodies: Sequence[Sequence[ast.stmt]]) -> int:
        """Take every branch from the same start, and join what they leave."""
        env = frame.scope.env
        before = dict(env)
        ends: list[dict[str, object]] = []
        codes: list[int] = []
        for number, body in enumerate(bodies):
            if number:
                env.clear()
                env.update(before)
            self.doubt += 1
            code = self.block(body, frame) if body else GOES_ON
            self.doubt -= 1
            codes.append(code)
            if code == GOES_ON:
                ends.append(dict(env))
        if ends:
            merge(env, ends)
        return GOES_ON if ends else min(codes)

    def _match(self, node: ast.Match, frame: Frame) -> int:
        bodies: list[Sequence[ast.stmt]] = [case.body for case in node.cases]
        return self._branches(frame, [*bodies, []])

    def _try(self, node: ast.Try, frame: Frame) -> int:
        env = frame.scope.env
        before = dict(env)
        code = self.block(node.body, frame)
        ends: list[dict[str, object]] = []
        if code == GOES_ON:
            code = self.block(node.orelse, frame)
        if code == GOES_ON:
            ends.append(dict(env))
        after = dict(env)
        for handler in node.handlers:
            env.clear()
            env.update(before)
            merge(env, [dict(before), after])
            if handler.name:
                env[handler.name] = UNKNOWN
            self.doubt += 1
            if self.block(handler.body, frame) == GOES_ON:
                ends.append(dict(env))
                code = GOES_ON
            self.doubt -= 1
        merge(env, ends or [after])
        last = self.block(node.finalbody, frame)
        return last if last != GOES_ON else code

    def _with(self, node: ast.With | ast.AsyncWith, frame: Frame) -> int:
        for item in node.items:
            before, self.hint = self.hint, self.hint_of(node, frame)
            value = self.force(self.eval(item.context_expr, frame.scope))
            self.hint = before
            if item.optional_vars is not None:
                if isinstance(value, Instance) and value.cls is not None:
                    enter = self.force(self.call(self.attribute(value, "__enter__"), [], {}, self.site(node, frame)))
                    value = value if isinstance(enter, Opaque) else enter
                self.store(item.optional_vars, value, frame)
        return self.block(node.body, frame)

    # --------------------------------------------------------------------------------------------------------- loops

    def _for(self, node: ast.For | ast.AsyncFor, frame: Frame) -> int:
        items, more = self.elements(self.force(self.run_event(node, node.iter, frame)))
        covered = more and any(isinstance(item, (str, PathValue)) and WILD in texts(item)[0] for item in items)
        short = not more and 0 < len(items) <= CAP and len(items) * self.unrolled <= _UNROLLED
        if short and self.steps < self.soft_limit and self._is_busy(node, frame):
            return self._unrolled_for(node, items, frame)
        hidden = (more and not covered) or not items
        return self._joined_for(node, [*items[:64], *([UNKNOWN] if hidden else [])], frame)

    def _joined_for(self, node: ast.For | ast.AsyncFor, items: list[object], frame: Frame) -> int:
        """Run a loop's body once, for all elements together."""
        env = frame.scope.env
        self._forget(node, frame)
        before = dict(env)
        self.store(node.target, Join(tuple(items)), frame)
        frame.escapes.append([])
        self.doubt += 1
        code = self.block(node.body, frame)
        self.doubt -= 1
        left = frame.escapes.pop()
        merge(env, [before, *([dict(env)] if code == GOES_ON else []), *left])
        return self.block(node.orelse, frame) if node.orelse else GOES_ON

    def _unrolled_for(self, node: ast.For | ast.AsyncFor, items: list[object], frame: Frame) -> int:
        """Run a loop's body once for each known element; those that are left when patience ends, together."""
        env = frame.scope.env
        self.unrolled *= len(items)
        left: list[dict[str, object]] = []
        code = GOES_ON
        for number, item in enumerate(items):
            if self.steps > _PATIENCE and number < len(items) - 1:
                code = self._joined_for(node, items[number:], frame)
                merge(env, [dict(env), *left])
                break
            self.store(node.target, item, frame)
            frame.escapes.append([])
            code = self.block(node.body, frame)
            here = frame.escapes.pop()
            left += here
            if code in (BREAKS, ENDS):
                break
            if here:
                merge(env, [*([dict(env)] if code == GOES_ON else []), *here])
        self.unrolled //= len(items)
        merge(env, [dict(env), *left])
        if code == ENDS:
            return ENDS
        return self.block(node.orelse, frame) if node.orelse and code != BREAKS else GOES_ON

    def _is_busy(self, loop: ast.AST, frame: Frame) -> bool:
        """Whether the body of a loop can touch files, or builds lists and tables that may name them."""
        words: set[str] = set()
        builds = False
        stack: list[ast.AST] = list(getattr(loop, "body", ()))
        while stack:
            node = stack.pop()
            words |= frame.outline.facts.get(node, EMPTY).words
            builds |= isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
            builds |= isinstance(node, (ast.Return, ast.ImportFrom))
            for name in ("body", "orelse", "finalbody"):
                stack.extend(getattr(node, name, ()))
            for name in ("handlers", "cases"):
                for branch in getattr(node, name, ()):
                    stack.extend(branch.body)
        if not self.emitting.isdisjoint(words):
            return True
        return (builds or not _BUILDERS.isdisjoint(words)) and self.changing.isdisjoint(words - _BUILDERS)

    def _forget(self, loop: ast.AST, frame: Frame) -> None:
        """Before a body that stands for many turns: what it sets may already be set by an earlier turn."""
        env = frame.scope.env
        for name in stored_names(frame.outline, loop):
            if name in env:
                env[name] = Join((env[name], UNKNOWN))

    def _while(self, node: ast.While, frame: Frame) -> int:
        self._forget(node, frame)
        holds = self.decide(node.test, frame.scope)
        if holds is False:
            return self.block(node.orelse, frame)
        env = frame.scope.env
        before = dict(env)
        frame.escapes.append([])
        self.doubt += holds is not True
        code = self.block(node.body, frame)
        self.doubt -= holds is not True
        left = frame.escapes.pop()
        merge(env, [*([] if holds and left else [before]), *([dict(env)] if code == GOES_ON else []), *left])
        return ENDS if code == ENDS and holds and not left else GOES_ON
