"""The shape of the package: layers, cycles, sizes, names. Lazy imports count as imports."""

import ast
import re
from pathlib import Path

import networkx as nx
import pytest

import provchain

PACKAGE = Path(provchain.__file__).parent

# A module imports only from lower layers; a package is one room and does not import its neighbours of the same layer.
LAYERS = {
    "errors": 0,
    "version": 0,
    "terms": 0,
    "resources": 0,
    "numbers": 0,
    "plaintext": 0,
    "model": 1,
    "events": 2,
    "shell": 2,
    "kinds": 2,
    "adapters": 3,
    "papers": 3,
    "inspection": 4,
    "linking": 4,
    "graph": 4,
    "history": 5,
    "queries": 5,
    "auditing": 6,
    "render": 7,
    "store": 7,
    "cli": 8,
    "": 9,  # provchain/__init__.py: the promise may name anything
    "__main__": 10,
}
ANYWHERE = "errors"  # imports nothing, so that any layer can raise any of its errors
FROM_THE_PACKAGE = {"__version__"}  # the only names that our own modules may take from provchain/__init__.py

MAX_MODULE_LINES = 500
MAX_FUNCTION_LINES = 60
LONG_MODULES: dict[str, str] = {  # path: why it is better in one piece
    "model.py": "the records and their words, plain data with documentation: one place to look them up",
}
LONG_FUNCTIONS: dict[str, str] = {}  # "graph/store.py:load": why it is better in one piece

VAGUE_NAMES = {"utils", "util", "helpers", "common", "base", "manager", "handler", "misc"}
SPARQL = re.compile(r"\b(SELECT|CONSTRUCT|ASK|DESCRIBE|INSERT|DELETE)\b[^{}]*\{|\bPREFIX\s+\w*:\s*<")

MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
every_module = pytest.mark.parametrize("module", MODULES, ids=str)


def dotted(module: Path) -> str:
    """Name a module inside the package; the package itself is the empty name."""
    parts = module.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {dotted(module) for module in MODULES}


def tree_of(module: Path) -> ast.Module:
    return ast.parse((PACKAGE / module).read_text(encoding="utf-8"))


def resolve(name: str) -> str:
    """Cut a dotted name down to the module that holds it."""
    while name and name not in NAMES:
        name = name.rpartition(".")[0]
    return name


def imports(module: Path, tree: ast.Module) -> set[str]:
    """Name every module of ours that a module imports, at the top or inside a function."""
    package = list(module.parts[:-1])
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            found |= {resolve(name[len("provchain.") :]) for name in names if name.startswith("provchain.")}
            found |= {"" for name in names if name == "provchain"}
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                start = package[: len(package) - node.level + 1]
                origin = ".".join(["provchain", *start, *([node.module] if node.module else [])])
            else:
                origin = node.module or ""
            if origin.split(".")[0] == "provchain":
                inner = origin[len("provchain") :].lstrip(".")
                for alias in node.names:
                    if not inner and alias.name in FROM_THE_PACKAGE:
                        continue
                    found.add(resolve(f"{inner}.{alias.name}".lstrip(".")))
    return found - {dotted(module)}


def room(name: str) -> str:
    """Name the room of a module: its first name below the package."""
    return name.partition(".")[0]


@every_module
def test_every_module_has_a_layer(module: Path) -> None:
    """A new module or package gets its place in the table of this file."""
    assert room(dotted(module)) in LAYERS


@every_module
def test_imports_point_downwards(module: Path) -> None:
    """A module imports only what lies below it, or what shares its room."""
    name = dotted(module)
    mine = LAYERS[room(name)]
    wrong = [
        other or "provchain"
        for other in sorted(imports(module, tree_of(module)))
        if room(other) not in (room(name), ANYWHERE) and LAYERS[room(other)] >= mine
    ]
    assert wrong == []


def test_there_is_no_cycle() -> None:
    """No chain of imports leads back to where it began, lazy ones included."""
    graph = nx.DiGraph((dotted(module), other) for module in MODULES for other in imports(module, tree_of(module)))
    assert [sorted(group) for group in nx.strongly_connected_components(graph) if len(group) > 1] == []


@every_module
def test_modules_are_short(module: Path) -> None:
    """A module holds at most 500 lines, or stands in the list with its reason, and leaves the list when it shrinks."""
    lines = len((PACKAGE / module).read_text(encoding="utf-8").splitlines())
    assert (lines > MAX_MODULE_LINES) == (module.as_posix() in LONG_MODULES), f"{lines} lines"


@every_module
def test_functions_are_short(module: Path) -> None:
    """A function holds at most 60 lines, or stands in the list with its reason, and leaves the list when it shrinks."""
    functions = (node for node in ast.walk(tree_of(module)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    sizes = {f"{module.as_posix()}:{node.name}": (node.end_lineno or 0) - node.lineno + 1 for node in functions}
    listed = {name for name in LONG_FUNCTIONS if name.startswith(f"{module.as_posix()}:")}
    assert {name: size for name, size in sizes.items() if size > MAX_FUNCTION_LINES and name not in listed} == {}
    assert {name for name in listed if sizes.get(name, 0) <= MAX_FUNCTION_LINES} == set()


def test_exceptions_carry_a_reason() -> None:
    """An exception says why, and names a module that exists."""
    exceptions = LONG_MODULES | LONG_FUNCTIONS
    assert all(reason.strip() for reason in exceptions.values())
    assert {name.split(":")[0] for name in exceptions} <= {module.as_posix() for module in MODULES}


@every_module
def test_queries_live_in_their_own_files(module: Path) -> None:
    """A SPARQL query is a file in queries/, so that it has a question, parameters and a test of its own."""
    tree = tree_of(module)
    scopes = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    examples = {
        id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, scopes) and ast.get_docstring(node)
    }
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in examples]
    texts = [node.value for node in constants]
    assert [text for text in texts if isinstance(text, str) and SPARQL.search(text)] == []


@every_module
def test_names_say_what_is_inside(module: Path) -> None:
    """A module is called by what it knows, never by what its author could not name."""
    assert not {part.strip("_") for part in module.with_suffix("").parts} & VAGUE_NAMES


def test_the_rules_can_fail(tmp_path: Path) -> None:
    """The reading of imports sees relative, lazy and plain ones alike."""
    source = (
        "import provchain.cli\ndef f():\n    from provchain import errors, __version__\n    from ..model import Claim\n"
    )
    found = imports(Path("graph/made_up.py"), ast.parse(source))
    assert found == {"cli", "errors", "model"}
    assert SPARQL.search("SELECT ?claim\nWHERE { ?claim a ?type }")
    assert not SPARQL.search("Select a claim and ASK for its chain")
