"""How often a script repeats its experiment with another seed, as far as its text alone says.

A list or a range of seeds, runs, trials or repetitions says how many. A script that sets one seed, and has nothing that could
repeat it, ran once.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from provchain.inspection.modules import called_name, parse_python

__all__ = ["seed_counts"]

_REPEATED = re.compile(
    r"(?:^|_)(?:seeds?|runs?|trials?|rep|reps|repeats?|repetitions?|replicates?)(?:_|$|\d)", re.IGNORECASE
)
_SEEDS = re.compile(
    r"(?:^|_)seeds(?:_|$)|(?:^|_)(?:n|num|number_of)_(?:\w+_)?(?:seeds|runs|trials|repeats|repetitions)$"
)
_SETTERS = frozenset(
    ["seed", "manual_seed", "manual_seed_all", "set_seed", "seed_everything", "default_rng", "RandomState"]
)


def seed_counts(text: str) -> set[int] | None:
    """Say with how many seeds a script repeats its experiment.

    Args:
        text: The script.

    Returns:
        The numbers that it names; ``{1}`` where it sets a seed and repeats nothing; empty where it says nothing of seeds;
        ``None`` where how often cannot be told.

    Example:
        >>> seed_counts("for seed in [1, 2, 3]:\\n    train(seed)"), seed_counts("torch.manual_seed(0)\\ntrain()")
        ({3}, {1})
        >>> seed_counts("for seed in range(args.n):\\n    train(seed)") is None, seed_counts("train()")
        (True, set())
        >>> seed_counts("SEEDS = [1, 2]\\nfor seed in SEEDS:\\n    train(seed)")
        {2}
    """
    tree = parse_python(text)
    if tree is None:
        return None
    counts: set[int] = set()
    sets_one = False
    if _hands_on(tree):
        return None
    known = _numbers_bound(tree)
    for node in ast.walk(tree):
        for value in _bindings(node):
            count = _count(value, known)
            if count is None:
                return None
            counts.add(count)
        if isinstance(node, ast.Call):
            sets_one = sets_one or called_name(node) in _SETTERS
    return counts or ({1} if sets_one else set())


def _hands_on(tree: ast.Module) -> bool:
    """Whether a seed is handed to something that may run several times: in a loop over other things, or to a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and "seed" not in node.name.lower():
            arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
            if node.name != "__init__" and any("seed" in argument.arg.lower() for argument in arguments):
                return True
        elif isinstance(node, ast.For) and not _repeats(node.target) and _sets_seed_in(node.body):
            return True
    return False


def _repeats(target: ast.expr) -> bool:
    return any(isinstance(node, ast.Name) and _REPEATED.search(node.id) for node in ast.walk(target))


def _sets_seed_in(body: list[ast.stmt]) -> bool:
    return any(_sets_seed(node) for statement in body for node in ast.walk(statement))


def _sets_seed(node: ast.AST) -> bool:
    if isinstance(node, ast.keyword):
        return node.arg is not None and "seed" in node.arg.lower()
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and "-seed" in node.value
    return isinstance(node, ast.Call) and _name(node.func) in _SETTERS


def _numbers_bound(tree: ast.Module) -> dict[str, int]:
    """What names are bound to, once in the whole script, as a number or as how many a list holds."""
    found: dict[str, list[int | None]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                found.setdefault(_name(target), []).append(_count(node.value, {}))
    return {name: counts[0] for name, counts in found.items() if len(counts) == 1 and counts[0] is not None}


def _bindings(node: ast.AST) -> Iterator[ast.expr]:
    """What seeds, or how many of them, are bound to."""
    if isinstance(node, ast.For | ast.comprehension):
        for target in ast.walk(node.target):
            if isinstance(target, ast.Name) and _REPEATED.search(target.id):
                yield node.iter
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            if _SEEDS.search(_name(target).lower()):
                yield node.value
    elif isinstance(node, ast.keyword) and node.arg and _SEEDS.search(node.arg.lower()):
        yield node.value
    elif isinstance(node, ast.Call) and node.args:
        first = node.args[0]
        if isinstance(first, ast.Constant) and isinstance(first.value, str) and first.value.startswith("--"):
            option = first.value.lstrip("-").replace("-", "_").lower()
            if _SEEDS.search(option):
                yield next((k.value for k in node.keywords if k.arg == "default"), first)
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and _SEEDS.search(key.value.lower()):
                yield value


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _count(node: ast.expr, known: Mapping[str, int]) -> int | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, int) and not isinstance(node.value, bool):
        return node.value
    if isinstance(node, ast.List | ast.Tuple) and not any(isinstance(one, ast.Starred) for one in node.elts):
        return len(node.elts)
    if isinstance(node, ast.Name | ast.Attribute):
        return known.get(_name(node))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        return _count(node.args[0], known) if node.func.id in ("range", "enumerate", "tqdm", "list") else None
    return None
