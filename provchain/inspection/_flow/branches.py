"""Branches, loops and handlers for the value-flow analysis.

A condition that constants decide (a flag of the command line, a default, a literal) is decided here too, and only its branch is
run; any other condition is open, and the variables of both branches are joined.
"""

from __future__ import annotations

import ast

from provchain.inspection._flow.exact import UNSURE, Variables, compared, join, truth
from provchain.inspection._flow.imports import Imports
from provchain.inspection._flow.machine import Frame
from provchain.inspection._flow.values import Value

__all__ = ["Branches"]

_MAX_LOOPS = 4  # runs of a loop's body until its variables settle
_CATCH_IMPORTS = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
_ENDING = frozenset({"exit", "quit", "_exit", "abort"})


class Branches(Imports):
    """Run statements that choose or repeat others."""

    def _if(self, node: ast.If, frame: Frame) -> bool:
        control = frame.control
        outs: list[Variables] = []
        abrupt = 0
        current, rest = node, None
        while True:  # an elif chain can be long: walk it, do not recurse
            self.step()
            if _is_main(current.test):
                if frame.info is None and frame.key != ("module", self.root):
                    break
                return self.run_block(current.body, frame)
            if _is_typing(current.test):
                break
            value = self.evaluate(current.test, frame)
            decided = truth(self.exact)
            if decided:
                rest = current.body
                break
            if decided is None:
                test = self.control_of(current.test, value)
                frame.control |= test
                before, chance = frame.env.fork(), frame.chance
                frame.chance = chance | self.chance_in(value)
                if self.run_block(current.body, frame):
                    outs.append(frame.env)
                else:
                    abrupt |= test
                frame.env, frame.chance = before, chance
            if len(current.orelse) == 1 and isinstance(current.orelse[0], ast.If):
                current = current.orelse[0]
                continue
            break
        if rest is None:
            chained = len(current.orelse) == 1 and isinstance(current.orelse[0], ast.If)
            rest = [] if chained else current.orelse
        if not rest or self.run_block(rest, frame):
            outs.append(frame.env)
        if outs:
            frame.env = join(outs)
        # after a guard that left (``if wrong: continue``) what follows runs only if it did not hold
        frame.control = control | abrupt
        return bool(outs)

    def _match(self, node: ast.Match, frame: Frame) -> bool:
        subject = self.evaluate(node.subject, frame)
        exact = self.exact
        control = frame.control
        before = frame.env
        outs: list[Variables] = []
        open_end = True  # no case surely matched
        for case in node.cases:
            decided = None if case.guard is not None else self._matches(case.pattern, exact, frame)
            if decided is False:
                continue
            frame.control = control if decided and not outs else control | self.control_of(node.subject, subject)
            frame.env = before.fork()
            for pattern in ast.walk(case.pattern):
                name = getattr(pattern, "name", None) or getattr(pattern, "rest", None)
                if isinstance(name, str):
                    self.bind_name(name, subject | self.values_in(subject), frame)
            if self.run_block(case.body, frame):
                outs.append(frame.env)
            if decided:
                open_end = False
                break
        if open_end:
            outs.append(before)
        if outs:
            frame.env = join(outs)
        frame.control = control
        return bool(outs)

    def _matches(self, pattern: ast.pattern, exact: object, frame: Frame) -> bool | None:
        """Tell whether a constant matches a pattern; ``None`` if that is not known."""
        if exact is UNSURE:
            return None
        if isinstance(pattern, ast.MatchAs) and pattern.pattern is None:
            return True
        if isinstance(pattern, ast.MatchOr):
            found = [self._matches(one, exact, frame) for one in pattern.patterns]
            return True if True in found else None if None in found else False
        if isinstance(pattern, ast.MatchSingleton):
            return truth(compared(ast.Is(), exact, pattern.value))
        if isinstance(pattern, ast.MatchValue):
            self.evaluate(pattern.value, frame)
            return truth(compared(ast.Eq(), exact, self.exact))
        return None

    # loops

    def _for(self, node: ast.For | ast.AsyncFor, frame: Frame) -> bool:
        self._loop(node, frame)
        return self.run_block(node.orelse, frame) if node.orelse else True

    def _while(self, node: ast.While, frame: Frame) -> bool:
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        left = self._loop(node, frame)
        if endless and not left:
            return False
        return self.run_block(node.orelse, frame) if node.orelse else True

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, frame: Frame) -> bool:
        control, counting = frame.control, frame.counting
        exits: list[Variables] = []
        frame.exits.append(exits)
        for _ in range(_MAX_LOOPS):
            before = frame.env.fork()
            if isinstance(node, ast.While):
                test = self.evaluate(node.test, frame)
                if truth(self.exact) is False:  # for sure not even once
                    break
                frame.control = control | self.control_of(node.test, test)
            else:
                source = self.evaluate(node.iter, frame)
                value = self.looped(source, node.iter, frame)
                self.assign(node.target, value, frame)
                frame.counting = counting or bool(value & self.domain.masks["item"])
            falls = self.run_block(node.body, frame)
            frame.env = join([before, *([frame.env] if falls else []), *exits])
            frame.control = control
            if frame.env.same(before):
                break
        frame.exits.pop()
        frame.counting = counting
        return bool(exits)

    def _exit(self, _node: ast.Break | ast.Continue, frame: Frame) -> bool:
        if frame.exits:
            frame.exits[-1].append(frame.env.fork())
        return False

    # handlers

    def _try(self, node: ast.Try | ast.TryStar, frame: Frame) -> bool:
        control, before = frame.control, frame.env.fork()
        outer, self.effects = self.effects, 0
        catching = next((handler for handler in node.handlers if _catches_imports(handler.type)), None)
        # the execution completed: it cannot have met a handler that gives up
        usable = catching is not None and not _gives_up(catching)
        falls = self.guarded_block(node.body, frame, guarded=usable or (catching is None and frame.guarded))
        handlers = node.handlers
        if frame.import_failed and usable and not falls:
            handlers = [handler for handler in node.handlers if handler is catching]
            frame.import_failed = False
        if ran := [handler for handler in handlers if (frame.module.path, handler.lineno) in self.caught]:
            handlers, falls = ran, False  # its message was printed: what was tried did not come to its end
        happened = self.effects & (self.domain.real | self.domain.masks["unknown"]) & ~self.domain.masks["measured"]
        self.effects |= outer
        self._succeeded([*node.body, *node.orelse], happened & ~self.domain.masks["read"], frame)
        started = join([before, frame.env])
        outs: list[Variables] = []
        if falls and (not node.orelse or self.run_block(node.orelse, frame)):
            outs.append(frame.env)
        for handler in handlers:
            frame.env = started.fork()
            if handler.name:
                self.bind_name(handler.name, self.domain.deep(happened), frame)
            # whether a real call failed decides what a counter in the handler says
            frame.control = control | (happened & ~self.domain.masks["read"])
            if self.run_block(handler.body, frame):
                outs.append(frame.env)
            frame.control = control
        frame.env = join(outs) if outs else started
        reaches = bool(outs)
        if node.finalbody and not self.run_block(node.finalbody, frame):
            return False
        return reaches

    def guarded_block(self, body: list[ast.stmt], frame: Frame, *, guarded: bool) -> bool:
        """Run statements from which a failing import may come out, or not."""
        outside, frame.guarded, frame.import_failed = frame.guarded, guarded, False
        falls = self.run_block(body, frame)
        frame.guarded = outside
        return falls

    def _succeeded(self, body: list[ast.stmt], happened: Value, frame: Frame) -> None:
        """Let ``passed += 1`` after a real call that may fail say what the call says."""
        for statement in body if happened else ():
            if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
                name = statement.target.id
                frame.env[name] = self.influenced(frame.env.get(name, 0), happened, statement, frame)

    def bind_name(self, name: str, value: Value, frame: Frame, exact: object = UNSURE) -> None:
        """Assign a variable."""
        raise NotImplementedError


def _catches_imports(kind: ast.expr | None) -> bool:
    """Tell whether a handler catches what a failing import raises."""
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(one is None or getattr(one, "id", getattr(one, "attr", "")) in _CATCH_IMPORTS for one in kinds)


def _gives_up(handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler ends the program or raises again."""
    for node in ast.walk(handler):
        if isinstance(node, ast.Raise):
            return True
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in _ENDING:
            return True
    return False


def _is_main(test: ast.expr) -> bool:
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Name)
        and test.left.id == "__name__"
        and isinstance(test.ops[0], ast.Eq)
    )


def _is_typing(test: ast.expr) -> bool:
    return getattr(test, "id", getattr(test, "attr", "")) == "TYPE_CHECKING"
