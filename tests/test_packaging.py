"""What a user installs: the wheel holds the code, every schema and every query, and one version."""

import email
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RESOURCES = ("schemas", "queries", "policies")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as pip does."""
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = out.glob("provchain-*.whl")
    return built


@pytest.fixture(scope="module")
def contents(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def tracked(*folders: str) -> set[str]:
    """Name the files that git keeps, or would keep, in some folders."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *folders]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True).stdout
    return {name for name in listed.split("\0") if name and (ROOT / name).is_file()}


def test_schemas_and_queries_are_in_the_wheel(contents: set[str]) -> None:
    """Every schema and query of the checkout lands inside the package, and no other."""
    expected = {f"provchain/{name}" for name in tracked(*RESOURCES)}
    assert expected
    inside = {name for name in contents if name.startswith(tuple(f"provchain/{kind}/" for kind in RESOURCES))}
    assert {name for name in inside if not name.endswith(".py")} == expected  # the modules of queries/ lie there too


def test_the_code_is_in_the_wheel(contents: set[str]) -> None:
    """Every module and the mark of a typed package are there; tests and examples are not."""
    assert tracked("provchain") <= contents
    assert {name.split("/")[0] for name in contents if ".dist-info/" not in name} == {"provchain"}


def test_the_version_stands_in_one_place(wheel: Path) -> None:
    """The wheel's version is the one that the package states, and pyproject.toml states none."""
    source = (ROOT / "provchain" / "version.py").read_text(encoding="utf-8")
    (stated,) = re.findall(r'^__version__ = "([^"]+)"', source, re.MULTILINE)
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        assert email.message_from_bytes(archive.read(metadata))["Version"] == stated
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" not in project
    assert project["dynamic"] == ["version"]


def test_the_wheel_finds_its_resources(wheel: Path, tmp_path: Path) -> None:
    """The unpacked wheel alone, far from the checkout, reads its own schemas."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    code = "import provchain, importlib.resources as r; print(*((r.files(provchain) / 'schemas').iterdir()))"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "report.schema.json" in {Path(name).name for name in done.stdout.split()}
