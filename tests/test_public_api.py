"""What provchain promises to those who import it. A name is added here on purpose, never by accident."""

import doctest
import importlib
import inspect
import pkgutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import provchain

ROOT = Path(__file__).resolve().parents[1]
PROMISE = [  # sorted as ruff (RUF022) sorts `__all__`
    "Action",
    "Break",
    "Chain",
    "ChainEdge",
    "ChainNode",
    "Claim",
    "Evidence",
    "Execution",
    "Finding",
    "InvalidGraphError",
    "JudgedClaim",
    "Judgement",
    "MalformedSourceError",
    "MissingExtraError",
    "MissingParameterError",
    "Outcome",
    "PaperOutcome",
    "Place",
    "Policy",
    "Problem",
    "ProvchainError",
    "Query",
    "QueryError",
    "Report",
    "Rows",
    "SourceError",
    "Status",
    "Store",
    "StoreError",
    "StoreLockedError",
    "Study",
    "StudyOutcome",
    "UnknownClaimError",
    "UnknownFormatError",
    "UnknownPolicyError",
    "UnknownQueryError",
    "Verdict",
    "__version__",
    "audit",
    "list_queries",
    "load_policy",
    "load_query",
]
THINGS = [name for name in PROMISE if name != "__version__"]
SPECIAL = ("__enter__", "__getitem__", "__init__", "__iter__", "__len__", "__str__")
NEEDED_ON_USE = ("msgspec", "networkx", "prov", "pyoxigraph", "rdflib", "rich", "typer")


def public_modules() -> list[str]:
    """Name every module of ours that has no underscore anywhere in its path."""
    names = [module.name for module in pkgutil.walk_packages(provchain.__path__, "provchain.")]
    return sorted(name for name in names if not any(part.startswith("_") for part in name.split(".")))


def names_of(module: ModuleType) -> list[str]:
    return list(getattr(module, "__all__", ()))


def test_the_promise() -> None:
    """The package exports what is promised, in sorted order, and nothing else."""
    assert provchain.__all__ == PROMISE
    assert [name for name in PROMISE if not hasattr(provchain, name)] == []


def test_the_promise_names_what_every_error_and_answer_is() -> None:
    """Whatever provchain raises for a user can be caught by a promised name."""
    errors = importlib.import_module("provchain.errors")
    raised = {name for name in errors.__all__ if name != "NotANumberError"}  # raised to those who read numbers alone
    assert raised <= set(PROMISE)


def test_a_name_that_is_not_promised_is_an_attribute_error() -> None:
    """A mistyped name says so."""
    with pytest.raises(AttributeError, match="Stroe"):
        provchain.Stroe  # noqa: B018


def test_importing_the_package_imports_nothing_else() -> None:
    """`provchain --version` starts at once: what a name needs is imported when the name is used."""
    code = f"import sys, provchain; print([name for name in {NEEDED_ON_USE} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_the_package_says_that_it_is_typed() -> None:
    """PEP 561: a type checker reads our annotations."""
    assert (Path(provchain.__file__).parent / "py.typed").is_file()


def callables(thing: Any) -> Iterator[tuple[str, Any]]:
    """Yield a function, or the public functions of a class, with their names."""
    if inspect.isfunction(thing):
        yield thing.__qualname__, thing
    elif inspect.isclass(thing):
        for name, member in vars(thing).items():
            inner = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
            ours = inspect.isfunction(inner) and inner.__module__.startswith("provchain")
            if ours and (not name.startswith("_") or name in SPECIAL):
                yield f"{thing.__qualname__}.{name}", inner


def is_annotated(function: Any) -> bool:
    signature = inspect.signature(function)
    named = [parameter for parameter in signature.parameters.values() if parameter.name not in ("self", "cls")]
    missing = inspect.Parameter.empty
    return signature.return_annotation is not missing and all(each.annotation is not missing for each in named)


@pytest.mark.parametrize("name", THINGS)
def test_what_is_promised_is_typed(name: str) -> None:
    """Every parameter, every return and every field of the promise has a type."""
    assert [named for named, function in callables(getattr(provchain, name)) if not is_annotated(function)] == []


@pytest.mark.parametrize("name", THINGS)
def test_what_is_promised_is_explained(name: str) -> None:
    """Every public method of the promise says what it is for."""
    functions = [
        each for each in callables(getattr(provchain, name)) if not each[0].endswith(("__enter__", "__init__"))
    ]
    assert [named for named, function in functions if not function.__doc__] == []


@pytest.mark.parametrize("name", THINGS)
def test_what_is_promised_has_an_example_that_runs(name: str) -> None:
    """Every promised name shows how it is used; the suite runs each example as a doctest."""
    examples = doctest.DocTestParser().get_examples(inspect.getdoc(getattr(provchain, name)) or "")
    assert examples
    assert not [example.source for example in examples if doctest.SKIP in example.options]


def test_the_suite_runs_the_examples() -> None:
    """What the test above relies on."""
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    assert "--doctest-modules" in options["addopts"]
    assert "provchain" in options["testpaths"]


def test_the_checks_can_fail() -> None:
    """A function without a type or an example is seen."""

    def bare(value):  # type: ignore[no-untyped-def]
        return value

    assert not is_annotated(bare)
    assert not doctest.DocTestParser().get_examples("Nothing shown.")
    assert is_annotated(public_modules)


def test_the_package_shows_the_promise_alone() -> None:
    """Completion in an editor or a shell offers the promised names."""
    assert set(PROMISE) <= set(dir(provchain))


def test_audit_is_called_as_documented() -> None:
    """A path comes first; papers, policy and store can be given by name."""
    parameters = inspect.signature(provchain.audit).parameters
    assert list(parameters)[:4] == ["path", "papers", "policy", "store"]
    assert all(parameters[name].default is None for name in ("papers", "policy", "store"))


@pytest.mark.parametrize("name", public_modules())
def test_exports_exist(name: str) -> None:
    """Where a module says what it exports, the list is without doubles, and true; ruff keeps it sorted."""
    module = importlib.import_module(name)
    exported = names_of(module)
    assert len(exported) == len(set(exported))
    assert [export for export in exported if not hasattr(module, export)] == []


@pytest.mark.parametrize("name", public_modules())
def test_exports_are_explained(name: str) -> None:
    """Every exported function and class says what it is for."""
    module = importlib.import_module(name)
    exported = [getattr(module, export) for export in names_of(module)]
    things = [thing for thing in exported if inspect.isfunction(thing) or inspect.isclass(thing)]
    assert [thing.__qualname__ for thing in things if not (thing.__doc__ or "").strip()] == []
