"""The site is built without a warning, and its pages load nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# What a browser fetches by itself; a link that a reader clicks is another thing.
LOADED = re.compile(
    r"""<(?:script|img|iframe|source|audio|video|embed)\b[^>]*?\bsrc=["']?(?:https?:)?//[^>]*>"""
    r"""|<link\b(?![^>]*rel=["']?canonical)[^>]*?\bhref=["']?(?:https?:)?//[^>]*>"""
    r"""|@import\s+["'(]|url\(\s*["']?(?:https?:)?//""",
    re.IGNORECASE,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        find_spec("mkdocs") is None or find_spec("mkdocstrings") is None or find_spec("material") is None,
        reason="the site is built with the extra docs: pip install '.[docs]'",
    ),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as `make docs` does."""
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return out


def test_every_page_is_built(site: Path) -> None:
    """Each page of docs/ is a page of the site, with a title."""
    pages = [page.relative_to(ROOT / "docs") for page in (ROOT / "docs").glob("**/*.md")]
    built = [site / page.with_suffix(".html") for page in pages]
    assert [page for page in built if "<h1" not in page.read_text(encoding="utf-8")] == []


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    """No font, script, style or image comes over the network when a page is read."""
    texts = {path: path.read_text(encoding="utf-8") for path in site.rglob("*") if path.suffix in (".html", ".css")}
    found = {path.name: LOADED.findall(text)[:3] for path, text in texts.items() if LOADED.search(text)}
    assert found == {}


def test_nothing_of_the_generator_is_published(site: Path) -> None:
    """Programs that write pages are no pages."""
    assert [path.name for path in site.rglob("*.py")] == []


@pytest.mark.parametrize(
    "text",
    [
        '<script async src="https://cdn.example/x.js"></script>',
        "<link rel=stylesheet href=//fonts.example/css>",
        "a { background: url(https://x.example/y.png) }",
        '@import "other.css"',
    ],
)
def test_a_foreign_resource_would_be_seen(text: str) -> None:
    """The search can find what it looks for."""
    assert LOADED.search(text)
    assert not LOADED.search('<a href="https://www.w3.org/TR/prov-o/">PROV</a> <script src="x.js"></script>')
