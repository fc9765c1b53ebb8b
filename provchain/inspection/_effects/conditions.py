"""Conditions and joins: what is certain of a comparison, and what names are after several branches."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from provchain.inspection._effects.evaluator import truth
from provchain.inspection._effects.paths import WILD
from provchain.inspection._effects.values import CAP, MISSING, UNKNOWN, DictValue, External, Instance, Join, ListValue

__all__ = ["compare", "is_plain", "merge", "ordered"]


def merge(env: dict[str, object], ends: Sequence[dict[str, object]]) -> None:
    """Set a scope to what it can be after any of several branches."""
    if len(ends) == 1:
        if env is not ends[0]:
            env.clear()
            env.update(ends[0])
        return
    first, *others = ends
    result = dict(first)
    for other in others:
        for name, value in other.items():
            mine = result.get(name, MISSING)
            if mine is MISSING:
                result[name] = value
            elif mine is not value:
                result[name] = _joined(mine, value)
    env.clear()
    env.update(result)


def _joined(left: object, right: object) -> object:
    """A join, kept flat and small."""
    sides = [
        *(left.sides if isinstance(left, Join) else (left,)),
        *(right.sides if isinstance(right, Join) else (right,)),
    ]
    unique = list({id(side): side for side in sides}.values())
    return unique[0] if len(unique) == 1 else Join(tuple(unique)) if len(unique) <= 4 * CAP else UNKNOWN


def is_plain(node: ast.expr) -> bool:
    """Whether an expression is a constant, or a few of them."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return len(node.elts) < 64 and all(isinstance(item, ast.Constant) for item in node.elts)
    return isinstance(node, ast.Constant)


def compare(op: ast.cmpop, left: object, right: object) -> bool | None:
    """Compare two constants."""
    if isinstance(op, (ast.Is, ast.IsNot)) or right is None or left is None:
        if right is None or left is None:
            known = truth(left) is not None or isinstance(left, (External, Instance, ListValue, DictValue))
            other = truth(right) is not None
            same = (left is None) is (right is None)
            return None if not (known and other) else same if isinstance(op, (ast.Is, ast.Eq)) else not same
        return (left is right) is isinstance(op, ast.Is) if isinstance(left, bool) and isinstance(right, bool) else None
    if isinstance(op, (ast.In, ast.NotIn)):
        if (
            isinstance(right, ListValue)
            and not right.more
            and _is_known(left)
            and all(_is_known(item) for item in right.items)
        ):
            return (left in right.items) is isinstance(op, ast.In)
        if isinstance(right, str) and isinstance(left, str) and WILD not in left + right:
            return (left in right) is isinstance(op, ast.In)
        return None
    if not _is_known(left) or not _is_known(right):
        return None
    if isinstance(op, (ast.Eq, ast.NotEq)):
        return (left == right) is isinstance(op, ast.Eq)
    return ordered(op, left, right)


def ordered(op: ast.cmpop, left: object, right: object) -> bool | None:
    """Compare two numbers by their order; ``None`` where one of them is none."""
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        if isinstance(op, ast.Lt):
            return left < right
        if isinstance(op, ast.LtE):
            return left <= right
        return left > right if isinstance(op, ast.Gt) else left >= right
    return None


def _is_known(value: object) -> bool:
    """Whether a value is a constant without unknown pieces."""
    return isinstance(value, (int, float, bool)) or (isinstance(value, str) and WILD not in value)
