"""What a script loads by name: data sets, environments and pretrained models, as the calls of well-known libraries say.

Names are followed through imports (``from torchvision import datasets as ds``) and to the one literal that a variable or an
option is bound to; what is computed, or handed to a function, stays unknown. Nothing is imported or run.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping

from msgspec import Struct

from provchain.inspection.modules import parse_python

__all__ = ["Loaded", "LoadedKind", "find_loaded", "named_in_code"]

LoadedKind = str
_DATA, _MODEL, _GENERATED = "data set", "model", "generated"
_MOST = 200
_MOST_WORDS = 8  # words of a literal that may still be a name; more are prose: a prompt, a report
_NO_NAMES = frozenset(
    ["ImageFolder", "DatasetFolder", "FakeData", "VisionDataset", "TUDataset", "Planetoid", "Dataset"]
)
# Classes of data sets that are told by their constructor, by the module that they stand in.
_DATA_MODULES = (
    "torchvision.datasets",
    "torchtext.datasets",
    "torchaudio.datasets",
    "torch_geometric.datasets",
    "ogb.graphproppred",
)
# Functions that take the name of what they load, with the positions of its parts and the keyword of the first.
_DATA_CALLS: Mapping[str, tuple[tuple[int, ...], str]] = {
    "datasets.load_dataset": ((0, 1), "path"),
    "tensorflow_datasets.load": ((0,), "name"),
    "sklearn.datasets.fetch_openml": ((0,), "name"),
    "openml.datasets.get_dataset": ((0,), "dataset_id"),
    "seaborn.load_dataset": ((0,), "name"),
    "gym.make": ((0,), "id"),
    "gymnasium.make": ((0,), "id"),
    "torch_geometric.datasets.Planetoid": ((1,), "name"),
    "torch_geometric.datasets.TUDataset": ((1,), "name"),
}
_MODEL_CALLS: Mapping[str, tuple[tuple[int, ...], str]] = {
    "timm.create_model": ((0,), "model_name"),
    "sentence_transformers.SentenceTransformer": ((0,), "model_name_or_path"),
    "sentence_transformers.CrossEncoder": ((0,), "model_name"),
    "transformers.pipeline": ((1,), "model"),
    "torch.hub.load": ((1,), "model"),
}


class Loaded(Struct, frozen=True):
    """Something that a script loads.

    Attributes:
        kind: ``"data set"``, ``"model"``, or ``"generated"``: data that a library makes up (``make_classification``).
        name: What it is called, its parts joined by ``/`` (``"glue/sst2"``); empty where it is computed.
        call: The function that loads it.
        line: Where, 1-based.
        option: The option of the command line that names it, or empty; ``name`` is its default then.
        conditional: It stands in a branch that need not have been taken.
    """

    kind: LoadedKind
    name: str
    call: str
    line: int
    option: str = ""
    conditional: bool = False


def find_loaded(text: str) -> list[Loaded]:
    """Find what a Python script loads by name.

    Args:
        text: The script.

    Returns:
        What it loads, in the order of its lines; nothing where the text is no Python.

    Example:
        >>> script = "from datasets import load_dataset\\nNAME = 'glue'\\nds = load_dataset(NAME, 'sst2')\\n"
        >>> [(one.kind, one.name, one.line) for one in find_loaded(script)]
        [('data set', 'glue/sst2', 3)]
    """
    tree = parse_python(text)
    if tree is None:
        return []
    reader = _Reader(tree)
    found = [loaded for call, conditional in _calls(tree) if (loaded := reader.read(call, conditional)) is not None]
    return sorted(found[:_MOST], key=lambda one: one.line)


def named_in_code(text: str) -> str:
    """All names and short literals of a Python script, without its comments, its docstrings and prose.

    Args:
        text: The script.

    Returns:
        Them, separated by blanks; the text itself where it is no Python.

    Example:
        >>> named_in_code("# not MNIST\\ndata = load('cifar10')")
        'data load cifar10'
    """
    tree = parse_python(text)
    if tree is None:
        return text
    docs = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return " ".join(name for node in ast.walk(tree) if id(node) not in docs for name in _names_of(node))


def _names_of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.arg | ast.keyword):
        yield node.arg or ""
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.alias):
        yield node.name
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value.split()) <= _MOST_WORDS:
        yield node.value


def _calls(tree: ast.Module) -> Iterator[tuple[ast.Call, bool]]:
    """All calls, each with whether it stands in a branch that need not have been taken."""
    stack: list[tuple[ast.AST, bool]] = [(tree, False)]
    while stack:
        node, conditional = stack.pop()
        if isinstance(node, ast.Call):
            yield node, conditional
        inside = conditional or isinstance(node, ast.ExceptHandler) or (isinstance(node, ast.If) and not _is_main(node))
        stack.extend((child, inside) for child in ast.iter_child_nodes(node))


def _is_main(node: ast.If) -> bool:
    return any(isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(node.test))


class _Reader:
    """Reads the calls of one script: what its names are imported as, and which literals they are bound to."""

    def __init__(self, tree: ast.Module) -> None:
        self._imported: dict[str, str] = {}
        self._bound: dict[str, set[str | None]] = defaultdict(set)
        self._options: dict[str, str] = {}
        self._parameters: set[str] = set()
        for node in ast.walk(tree):
            self._learn(node)

    def _learn(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                self._imported[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                self._imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                self._bind(target, node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._bind(node.target, node.value)
        elif isinstance(node, ast.For):
            self._bind(node.target, node.iter)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            plain = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
            self._parameters.update(argument.arg for argument in plain)
        elif isinstance(node, ast.Call):
            self._learn_option(node)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._bound[target.id].add(_text(value))
        elif isinstance(target, ast.Attribute):
            self._bound[target.attr].add(_text(value))

    def _learn_option(self, call: ast.Call) -> None:
        if isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument" and call.args:
            flag = next((f for one in call.args if (f := _text(one)) is not None and f.startswith("--")), None)
            default = next((_text(k.value) for k in call.keywords if k.arg == "default"), None)
            if flag is not None:
                self._options[flag.lstrip("-").replace("-", "_")] = default or ""

    def read(self, call: ast.Call, conditional: bool) -> Loaded | None:
        """What one call loads, if anything."""
        called = self._called(call.func)
        if not called:
            return None
        for kind, known in ((_DATA, _DATA_CALLS), (_MODEL, _MODEL_CALLS)):
            if called in known:
                positions, keyword = known[called]
                return self._named(kind, call, called, positions, keyword, conditional)
        last = called.rpartition(".")[2]
        if last == "from_pretrained" and "." in called:
            return self._named(_MODEL, call, called, (0,), "pretrained_model_name_or_path", conditional)
        module = called.rpartition(".")[0]
        if module in _DATA_MODULES and last[:1].isupper() and last not in _NO_NAMES:
            return Loaded(_DATA, last, called, call.lineno, conditional=conditional)
        if module == "sklearn.datasets":
            head, _, name = last.partition("_")
            if head in ("load", "fetch") and name not in ("svmlight_file", "files", "svmlight_files"):
                return Loaded(_DATA, name, called, call.lineno, conditional=conditional)
            if head == "make":
                return Loaded(_GENERATED, last, called, call.lineno, conditional=conditional)
        if last == "load_data" and ".datasets." in called and "keras" in called:
            return Loaded(_DATA, module.rpartition(".")[2], called, call.lineno, conditional=conditional)
        if module == "torchvision.models" and last.islower() and last != "get_model":
            return Loaded(_MODEL, last, called, call.lineno, conditional=conditional)
        return None

    def _named(
        self, kind: str, call: ast.Call, called: str, positions: tuple[int, ...], keyword: str, conditional: bool
    ) -> Loaded | None:
        arguments = [call.args[position] for position in positions if position < len(call.args)]
        if not arguments:
            arguments = [k.value for k in call.keywords if k.arg == keyword]
        if not arguments:
            return None if kind == _MODEL else Loaded(kind, "", called, call.lineno, conditional=conditional)
        first, option = self._literal(arguments[0])
        more = [name for argument in arguments[1:] if (name := self._literal(argument)[0])]
        name = "/".join([first, *more]) if first else ""
        return Loaded(kind, name, called, call.lineno, option, conditional)

    def _called(self, node: ast.expr) -> str:
        """The full dotted name of what is called, its first part followed through the imports."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self._imported:
            return ""
        return ".".join([self._imported[node.id], *parts[::-1]])

    def _literal(self, node: ast.expr) -> tuple[str, str]:
        """The literal that an argument is bound to, and the option of the command line that sets it."""
        text = _text(node)
        if text is not None:
            return text, ""
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if isinstance(node, ast.Attribute) and name in self._options:
            return self._options[name], name
        given = self._bound.get(name, set()) - {None} if name not in self._parameters else set()
        option = name if name in self._options else ""
        if len(given) == 1 and name:
            return next(iter(given)) or "", option
        return (self._options.get(name, ""), option) if not given else ("", option)


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
