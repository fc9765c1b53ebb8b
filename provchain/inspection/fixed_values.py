"""Results that a script fixes, whatever happens: a thing compared with itself, a number put in the place of an error.

``kendalltau(ours, theirs)`` is 1 where both are one array. And where ``except`` puts a number in the place of a result, that
number comes out whenever an error is caught. Both can stand in a file beside numbers that were really computed, so they are
found by the names that carry them, never by what a name or a comment says.

Only plain forms are followed: a name that is set once, from another name, in one function.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import partial

from msgspec import Struct

from provchain.inspection.handlers import SPEAKS, spoken_texts
from provchain.inspection.modules import called_name, parse_python

__all__ = ["FixedValue", "fixed_values"]

# Functions that compare their first two arguments.
_PAIRWISE = frozenset(
    """kendalltau spearmanr pearsonr weightedtau pointbiserialr accuracy_score balanced_accuracy_score f1_score precision_score
    recall_score jaccard_score cohen_kappa_score matthews_corrcoef roc_auc_score average_precision_score mean_squared_error
    root_mean_squared_error mean_absolute_error r2_score corrcoef cosine_similarity paired_cosine_distances allclose array_equal
    adjusted_rand_score normalized_mutual_info_score edit_distance levenshtein ssim psnr mse_loss l1_loss""".split()  # noqa: SIM905
)
_SAME = frozenset(
    ["copy", "deepcopy", "list", "tuple", "array", "asarray", "tolist", "float", "round", "int", "str", "item"]
)
_LEAST_SAID = 8  # characters of a message that are known again in an output
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_MOST = 200
_Test = Callable[[ast.expr], bool]


class FixedValue(Struct, frozen=True):
    """A result that is the same whatever happens.

    Attributes:
        line: The line of the script that fixes it.
        names: The names and keys that carry it, in lower case.
        number: The number, where the script says it; ``None`` for a comparison.
        said: What the script prints when it puts the number there, as far as it is plain text.
        what: In words.
    """

    line: int
    names: frozenset[str]
    number: Decimal | None
    said: str
    what: str


def fixed_values(text: str) -> list[FixedValue]:
    """Find the results that a Python script fixes.

    Args:
        text: The script.

    Returns:
        What it fixes, in the order of its lines; nothing for what is no Python.

    Example:
        >>> code = "a = load()\\nb = a\\ntau, _ = kendalltau(a, b)\\nout = {'tau': float(tau)}\\n"
        >>> [(found.line, sorted(found.names), found.what) for found in fixed_values(code)]
        [(3, ['tau'], 'kendalltau compares a with itself')]
        >>> code = "try:\\n    acc = run()\\nexcept Exception:\\n    acc = 0.853\\n"
        >>> [(found.line, str(found.number)) for found in fixed_values(code)]
        [(4, '0.853')]
    """
    tree = parse_python(text)
    if tree is None:
        return []
    found: list[FixedValue] = []
    scopes = [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))]
    for scope in scopes:
        nodes = list(_own(scope))
        found += _compared(nodes)
        found += _defaults(nodes)
        if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef) and (default := _returned_on_error(nodes)):
            found += _of_calls(tree, scope.name, *default)
    return sorted(found, key=lambda one: one.line)[:_MOST]


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, without those of functions and classes inside it."""
    stack: list[ast.AST] = list(ast.iter_child_nodes(scope))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _SCOPES):
            stack.extend(ast.iter_child_nodes(node))


# --------------------------------------------------------------------------------------------------- comparisons


def _compared(nodes: Sequence[ast.AST]) -> Iterator[FixedValue]:
    aliases = _aliases(nodes)
    for node in nodes:
        if not isinstance(node, ast.Call) or called_name(node) not in _PAIRWISE or len(node.args) < 2:
            continue
        first, second = (_root(argument, aliases) for argument in node.args[:2])
        if first is None or first != second:
            continue
        names = _carriers(nodes, partial(_holds, call=node))
        if names:
            what = f"{called_name(node)} compares {first} with itself"
            yield FixedValue(node.lineno, names, None, "", what)


def _aliases(nodes: Sequence[ast.AST]) -> dict[str, str]:
    """Names that stand for another name: set once, from it, and changed by nothing."""
    values: dict[str, list[ast.expr]] = defaultdict(list)
    changed: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                for name in _stored(target):
                    values[name].append(node.value if isinstance(target, ast.Name) else ast.Constant(None))
                if isinstance(target, ast.Subscript | ast.Attribute) and isinstance(target.value, ast.Name):
                    changed.add(target.value.id)
        elif isinstance(
            node, ast.AugAssign | ast.AnnAssign | ast.NamedExpr | ast.For | ast.AsyncFor | ast.comprehension
        ):
            targets = [node.target]
            changed.update(name for target in targets for name in _stored(target))
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript):
                changed.update(name.id for name in ast.walk(node.target.value) if isinstance(name, ast.Name))
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
        ):
            changed.update({node.func.value.id} if node.func.attr in _CHANGING else ())
    found: dict[str, str] = {}
    for name, given in values.items():
        source = _name_in(given[0]) if len(given) == 1 else None
        if source is not None and name not in changed and source not in changed and len(values.get(source, ())) <= 1:
            found[name] = source
    return found


_CHANGING = frozenset(
    ["append", "extend", "insert", "pop", "remove", "sort", "reverse", "shuffle", "fill", "put", "update"]
)


def _stored(target: ast.expr) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _root(node: ast.expr, aliases: dict[str, str]) -> str | None:
    name = _name_in(node)
    seen: set[str] = set()
    while name is not None and name in aliases and name not in seen:
        seen.add(name)
        name = aliases[name]
    return name


def _name_in(node: ast.expr) -> str | None:
    """The name that an expression hands on unchanged: ``x``, ``x.copy()``, ``np.array(x)``, ``x[:]``."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Call) and called_name(node) in _SAME:
        if isinstance(node.func, ast.Attribute) and not node.args:
            return _name_in(node.func.value)
        return _name_in(node.args[0]) if len(node.args) == 1 else None
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        bounds = (node.slice.lower, node.slice.upper, node.slice.step)
        return _name_in(node.value) if bounds == (None, None, None) else None
    return None


# ------------------------------------------------------------------------------------------------------ defaults


def _defaults(nodes: Sequence[ast.AST]) -> Iterator[FixedValue]:
    """Names that ``try`` sets from a call, and ``except`` from a number."""
    for node in nodes:
        if not isinstance(node, ast.Try):
            continue
        tried = {
            name
            for inner in _in(node.body)
            if isinstance(inner, ast.Assign)
            for t in inner.targets
            for name in _stored(t)
        }
        for handler in node.handlers:
            for inner in _in(handler.body):
                if isinstance(inner, ast.Assign) and _is_number(inner.value):
                    names = tried & {name for target in inner.targets for name in _stored(target)}
                    if names:
                        carriers = names.union(*(_carriers(nodes, _is_name(name)) for name in sorted(names)))
                        yield _default(inner.value, carriers, handler)


def _returned_on_error(nodes: Sequence[ast.AST]) -> tuple[ast.Constant, ast.ExceptHandler] | None:
    """The number that a function returns where it caught an error, if it returns something else where it did not."""
    for node in nodes:
        if isinstance(node, ast.Try) and any(
            isinstance(inner, ast.Return) for inner in _in([*node.body, *node.orelse])
        ):
            for handler in node.handlers:
                for inner in _in(handler.body):
                    if (
                        isinstance(inner, ast.Return)
                        and isinstance(inner.value, ast.Constant)
                        and _is_number(inner.value)
                    ):
                        return inner.value, handler
    return None


def _of_calls(tree: ast.Module, name: str, value: ast.Constant, handler: ast.ExceptHandler) -> Iterator[FixedValue]:
    """What carries the answers of a function that may be the number it returns on an error."""
    nodes = list(ast.walk(tree))
    names = _carriers(nodes, partial(_calls, name=name))
    if names:
        yield _default(value, names, handler)


def _calls(expression: ast.expr, name: str) -> bool:
    return any(isinstance(inner, ast.Call) and called_name(inner) == name for inner in ast.walk(expression))


def _default(value: ast.expr, names: frozenset[str] | set[str], handler: ast.ExceptHandler) -> FixedValue:
    number = Decimal(str(value.value)) if isinstance(value, ast.Constant) else Decimal(0)
    said = max(
        (text for inner in _in(handler.body) for text in spoken_texts(inner, SPEAKS, _LEAST_SAID)), key=len, default=""
    )
    what = f"{number} is put in the place of a result where an error is caught"
    return FixedValue(value.lineno, frozenset(map(str.lower, names)), number, said, what)


def _in(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    for statement in body:
        yield statement
        yield from _own(statement)


def _is_number(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool)


# ------------------------------------------------------------------------------------------------------ carriers


def _carriers(nodes: Sequence[ast.AST], holds: _Test) -> frozenset[str]:
    """The names and keys that carry an expression: what it is assigned to, and under which keys that is put."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Assign) and holds(node.value):
            names.update(name for target in node.targets for name in _stored(target) if name != "_")
            names.update(key for target in node.targets if (key := _key_of(target)))
        elif isinstance(node, ast.Dict):
            names.update(_keys(node, holds))
    own = {name for name in names if name.isidentifier()}
    for node in nodes:
        if isinstance(node, ast.Dict):
            names.update(_keys(node, lambda value: _name_in(value) in own))
        elif isinstance(node, ast.Assign) and _name_in(node.value) in own:
            names.update(key for target in node.targets if (key := _key_of(target)))
    return frozenset(map(str.lower, names))


def _keys(node: ast.Dict, holds: _Test) -> Iterator[str]:
    for key, value in zip(node.keys, node.values, strict=True):
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and holds(value):
            yield key.value


def _key_of(target: ast.expr) -> str:
    if (
        isinstance(target, ast.Subscript)
        and isinstance(target.slice, ast.Constant)
        and isinstance(target.slice.value, str)
    ):
        return target.slice.value
    return ""


def _is_name(name: str) -> _Test:
    return lambda value: _name_in(value) == name


def _holds(value: ast.expr, call: ast.Call) -> bool:
    """Whether an expression is a call, or takes a part of its answer: ``f(a, b)[0]``, ``float(f(a, b))``."""
    node = value
    while node is not call:
        if isinstance(node, ast.Subscript | ast.Attribute):
            node = node.value
        elif isinstance(node, ast.Call) and len(node.args) == 1 and called_name(node) in _SAME:
            node = node.args[0]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
            node = node.func.value
        else:
            return False
    return True
