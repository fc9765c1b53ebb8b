"""Schemas and queries are found in a checkout and in a wheel, and nothing else is."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from provchain import resources
from provchain.resources import list_resources, read_resource

PACKAGE = Path(resources.__file__).parent
CHECKOUT = Path(__file__).parents[1]


def test_checkout_is_read_live() -> None:
    for kind in ("policies", "queries", "schemas"):
        names = list_resources(kind)
        assert names == sorted(names)
        assert names
        for name in names:
            assert read_resource(kind, name)


def test_missing_and_hostile_names_are_not_found() -> None:
    for kind, name in (
        ("queries", "none.rq"),
        ("queries", "../pyproject.toml"),
        ("..", "pyproject.toml"),
        ("queries", "/etc/passwd"),
        ("queries/..", "pyproject.toml"),
        ("queries", ""),
        ("queries", "a\x00b"),
        ("queries", "claims.rq\n"),
    ):
        with pytest.raises(FileNotFoundError):
            read_resource(kind, name)
    assert list_resources("../provchain") == []
    assert list_resources("nothing") == []


def _ask(site: Path) -> str:
    code = (
        "from provchain.resources import *; "
        "print(list_resources('queries'), read_resource('queries', 'one.rq'), list_resources('schemas'))"
    )
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(site)!r}); {code}"]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=site).stdout.strip()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of our own shape, laid down as an installer would."""
    package = tmp_path / "provchain"
    package.mkdir()
    (package / "__init__.py").touch()
    shutil.copy(PACKAGE / "resources.py", package)
    return package


def _put(folder: Path, text: str) -> None:
    folder.mkdir(parents=True)
    (folder / "one.rq").write_text(text, encoding="utf-8")


def test_wheel_layout(package: Path, tmp_path: Path) -> None:
    _put(package / "queries", "inside")
    _put(tmp_path / "queries", "a stranger's, beside us in site-packages")
    _put(tmp_path / "schemas", "a stranger's")
    assert _ask(tmp_path) == "['one.rq'] inside []"


def test_checkout_layout(package: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    _put(tmp_path / "queries", "beside")
    assert _ask(tmp_path) == "['one.rq'] beside []"
