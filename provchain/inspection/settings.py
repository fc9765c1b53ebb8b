"""The settings that a script holds, and those that a command line gives it.

They are what a configuration file would say, written in code: named constants, entries of literal dictionaries, defaults of
arguments, literal arguments of calls. How much of something is taken is a setting too: the bound of a slice or a range, the
length of a literal list. Only literal numbers count; nothing is computed.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation

from provchain.inspection.modules import parse_python
from provchain.model import COUNT, Value

__all__ = ["argument_settings", "script_settings"]

_MOST = 2_000
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_FLAG = re.compile(r"--?([A-Za-z][\w.-]*)(?:=(.*))?", re.DOTALL)
_OVERRIDE = re.compile(r"\+{0,2}([A-Za-z_][\w./-]*)=(.+)", re.DOTALL)  # Hydra's form
_TAKEN = re.compile(r"(\w[\w.-]*)?\[:(\d{1,9})%?\]")  # the split of a data set: ``train[:500]``
_TAKING = frozenset(["range", "islice", "head", "take", "limit", "sample", "nrows", "choices", "sample_n"])

# What functions that everybody uses call their first arguments, which hardly anybody names.
_POSITIONAL: dict[str, tuple[str, ...]] = {
    "search": ("", "k"),
    "topk": ("k", "k"),
    "nlargest": ("n",),
    "KMeans": ("n_clusters",),
    "NearestNeighbors": ("n_neighbors",),
    "KNeighborsClassifier": ("n_neighbors",),
    "KNeighborsRegressor": ("n_neighbors",),
    "PCA": ("n_components",),
    "make_moons": ("n_samples",),
    "make_circles": ("n_samples",),
    "make_blobs": ("n_samples", "n_features", "centers"),
    "make_classification": ("n_samples", "n_features"),
    "make_regression": ("n_samples", "n_features"),
    "make_swiss_roll": ("n_samples",),
    "make_s_curve": ("n_samples",),
    "TSNE": ("n_components",),
    "KFold": ("n_splits",),
    "StratifiedKFold": ("n_splits",),
    "RandomForestClassifier": ("n_estimators",),
    "RandomForestRegressor": ("n_estimators",),
    "Linear": ("in_features", "out_features"),
    "Conv1d": ("in_channels", "out_channels", "kernel_size"),
    "Conv2d": ("in_channels", "out_channels", "kernel_size"),
    "Embedding": ("num_embeddings", "embedding_dim"),
    "LSTM": ("input_size", "hidden_size", "num_layers"),
    "GRU": ("input_size", "hidden_size", "num_layers"),
    "MultiheadAttention": ("embed_dim", "num_heads"),
    "manual_seed": ("seed",),
    "manual_seed_all": ("seed",),
    "seed": ("seed",),
    "default_rng": ("seed",),
    "set_seed": ("seed",),
}

_Found = tuple[tuple[str, ...], ast.expr, str]


def script_settings(artifact: str, path: str, text: str) -> list[Value]:
    """Read the settings of a Python script.

    Args:
        artifact: Id of the script's artifact.
        path: Its path.
        text: Its text.

    Returns:
        One value for each literal number that something names, its selector the line (``line=N``), its labels the names.

    Example:
        >>> [(v.labels, v.lexical) for v in script_settings("a#1", "a.py", "EPOCHS = 5\\nCFG = {'lr': 0.1}\\nf(seed=3)")]
        [(('EPOCHS',), '5'), (('CFG', 'lr'), '0.1'), (('seed',), '3')]
        >>> [(v.labels, v.lexical) for v in script_settings("a#1", "a.py", "queries = docs[:10]")]
        [(('queries', 'docs', 'number of'), '10')]
    """
    tree = parse_python(text)
    found: dict[str, Value] = {}
    lines = text.split("\n") if len(text) < 400_000 else []
    for labels, node, lexical in _named(tree) if tree is not None else ():
        selector = f"line={node.lineno}"
        identifier = f"{artifact}!{selector};{node.col_offset};{labels[-1][:40]}"
        if not lexical and isinstance(node, ast.Constant):
            lexical = _source(lines, node) or repr(node.value)  # noqa: PLW2901 - what the walk left to be read
        number = _decimal(lexical)
        if number is not None and len(found) < _MOST:
            found.setdefault(identifier, Value(identifier, artifact, path, selector, lexical, number, labels))
    return list(found.values())


def argument_settings(artifact: str, path: str, selector: str, argv: Sequence[str]) -> list[Value]:
    """Read the settings that a command line gives a script: ``--epochs 5``, ``--lr=0.1``, ``model.depth=3``.

    Args:
        artifact: Id of the artifact that the command line stands in.
        path: Its path.
        selector: Where in it.
        argv: The arguments, without the program.

    Returns:
        One value for each argument that is a number.

    Example:
        >>> [(v.labels, v.lexical) for v in argument_settings("t#1", "t", "line=3", ["--max_steps", "1000", "lr=1e-3"])]
        [(('max_steps',), '1000'), (('lr',), '1e-3')]
    """
    found: list[Value] = []
    name = ""
    for word in argv:
        flag = _FLAG.fullmatch(word) if not _NUMBER.fullmatch(word) else None
        given = flag or _OVERRIDE.fullmatch(word)
        if given is not None:
            name = given[1]
            lexical = given[2]
        else:
            lexical = word
        if lexical is None or not name:
            continue
        number = _decimal(lexical)
        if number is not None:
            label = name.replace("/", ".").rpartition(".")[2]
            identifier = f"{artifact}!{selector};{name[:80]};{len(found)}"
            found.append(Value(identifier, artifact, path, selector, lexical, number, (label,)))
        name = name if flag is not None and flag[2] is None and lexical is None else ""
    return found


def _source(lines: Sequence[str], node: ast.Constant) -> str:
    """What a literal number is written as; a line is cut by bytes, as the parser counts."""
    if not lines or node.end_lineno != node.lineno or node.end_col_offset is None or node.lineno > len(lines):
        return ""
    return lines[node.lineno - 1].encode()[node.col_offset : node.end_col_offset].decode(errors="replace")


def _decimal(lexical: str) -> Decimal | None:
    try:
        number = Decimal(lexical.replace("_", ""))
    except (InvalidOperation, ValueError):
        return None
    return number if number.is_finite() else None


def _named(tree: ast.Module) -> Iterator[_Found]:
    targets: dict[int, tuple[str, ...]] = {}  # of each expression, the names that it is bound to
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        names = targets.pop(id(node), ())
        for child, bound in _bindings(node, names):
            targets[id(child)] = bound
        yield from _at(node, names)
        stack.extend(reversed(list(ast.iter_child_nodes(node))))


def _bindings(node: ast.AST, names: tuple[str, ...]) -> Iterator[tuple[ast.AST, tuple[str, ...]]]:
    """The expressions inside a node that are bound to names, with these."""
    if isinstance(node, ast.Assign):
        yield node.value, tuple(name for target in node.targets[:1] if (name := _name(target)))
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
        yield node.value, (_name(node.target),)
    elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        yield node.iter, (_name(node.target),)
    elif isinstance(node, ast.keyword) and node.arg is not None:
        yield node.value, (node.arg,)
    elif isinstance(node, ast.Call):
        for inner in (*node.args, node.func):
            yield inner, names
        for keyword in node.keywords:
            yield keyword, names
    elif isinstance(node, ast.Attribute | ast.Subscript):
        yield node.value, names
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        for generator in node.generators:
            yield generator.iter, names


def _at(node: ast.AST, names: tuple[str, ...]) -> Iterator[_Found]:
    """The settings that a node itself holds."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            for one, value in _paired(target, node.value):
                yield from _bound(_name(one), value)
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        yield from _bound(_name(node.target), node.value)
    elif isinstance(node, ast.Call):
        yield from _of_call(node, names)
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        arguments = node.args.posonlyargs + node.args.args
        for argument, default in zip(arguments[::-1], node.args.defaults[::-1], strict=False):
            yield from _bound(argument.arg, default)
        for argument, keyword_default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
            if keyword_default is not None:
                yield from _bound(argument.arg, keyword_default)
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        bounds = node.slice
        if bounds.lower is None and bounds.step is None and _is_number(bounds.upper):
            yield (*filter(None, (*names, _name(node.value))), COUNT), bounds.upper or node, ""
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 200:
        for taken in _TAKEN.finditer(node.value):
            yield (*filter(None, (*names, taken[1])), COUNT), node, taken[2]


def _paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is assigned to what: each to its own in ``n, d = 100, 5``."""
    if isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
        if len(target.elts) == len(value.elts):
            yield from zip(target.elts, value.elts, strict=True)
    else:
        yield target, value


def _of_call(call: ast.Call, names: tuple[str, ...]) -> Iterator[_Found]:
    called = _name(call.func)
    for keyword in call.keywords:
        if keyword.arg == "default" and call.args:
            yield from _bound(_option(call.args[-1]), keyword.value)
        elif keyword.arg is not None:
            for labels, value, lexical in _bound(keyword.arg, keyword.value):
                yield (called, *labels) if called[:1].isupper() else labels, value, lexical
    if not called:
        return
    known = _POSITIONAL.get(called, ())
    for position, argument in enumerate(call.args[:6]):
        if _is_number(argument):
            name = known[position] if position < len(known) else ""
            own = (called, name) if name else (called,)
            yield (*filter(None, names), COUNT) if called in _TAKING else own, argument, ""


def _is_number(node: ast.expr | None) -> bool:
    if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
        return False
    return isinstance(node.value, int) or (isinstance(node.value, float) and math.isfinite(node.value))


def _bound(name: str, value: ast.expr) -> Iterator[_Found]:
    """The literal numbers that a name is bound to: itself, those of a literal dictionary under its keys, and of a list."""
    if not name:
        return
    stack: list[tuple[tuple[str, ...], ast.expr]] = [((name,), value)]
    while stack:
        labels, node = stack.pop()
        if _is_number(node):
            yield labels, node, ""
        elif isinstance(node, ast.Dict) and len(labels) < 5:
            entries = zip(node.keys, node.values, strict=True)
            inner = [((*labels, str(k.value)), v) for k, v in entries if isinstance(k, ast.Constant)]
            if len(inner) > 1:
                yield (*labels, COUNT), node, str(len(inner))
            stack.extend(inner)
        elif isinstance(node, ast.List | ast.Tuple | ast.Set) and len(labels) < 5:
            if not any(isinstance(inner, ast.Starred) for inner in node.elts):
                yield (*labels, COUNT), node, str(len(node.elts))
            stack.extend((labels, inner) for inner in node.elts[:50] if _is_number(inner))


def _name(target: ast.expr) -> str:
    if isinstance(target, ast.Name):
        return target.id
    if isinstance(target, ast.Call):
        return _name(target.func)
    return target.attr if isinstance(target, ast.Attribute) else ""


def _option(node: ast.expr) -> str:
    return str(node.value).lstrip("-") if isinstance(node, ast.Constant) else ""
