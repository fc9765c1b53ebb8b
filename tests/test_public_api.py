"""What provchain promises to those who import it. A name is added here on purpose, never by accident."""

import importlib
import inspect
import pkgutil
from types import ModuleType

import pytest

import provchain

PROMISE = ["ProvchainError", "Report", "__version__", "audit"]  # sorted as ruff (RUF022) sorts `__all__`


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
