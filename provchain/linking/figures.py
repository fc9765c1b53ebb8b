"""Figures of a manuscript against the figure files of a study."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from urllib.parse import unquote

from provchain.linking.written import make_link
from provchain.model import Claim, Link, Tier

__all__ = ["FigureFiles", "figure_title"]

RULE = "figure path"
_ALT = re.compile(r"!\[([^\]]{0,300})\]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_SUFFIXES = ("", ".pdf", ".png", ".jpg", ".jpeg", ".svg", ".eps")  # LaTeX leaves the suffix to the compiler


def figure_title(claim: Claim) -> str:
    """What a manuscript calls a figure where it shows it.

    Args:
        claim: The claim of the figure.

    Returns:
        Its alternative text, or an empty string.

    Example:
        >>> from provchain.model import ClaimKind
        >>> figure_title(Claim("c", ClaimKind.FIGURE, "p.md", 3, 1, "a.png", "![Loss of the SVM](a.png)"))
        'Loss of the SVM'
    """
    return " ".join(_ALT.findall(claim.text))


class FigureFiles:
    """The figure files of a study, to be found by what a manuscript calls them.

    Example:
        >>> files = FigureFiles({"results/figures/loss.png": "results/figures/loss.png#1"})
        >>> files.find("results/paper.md", "./figures/loss.png"), files.find("paper/paper.md", "plots/loss.png")
        ('results/figures/loss.png#1', 'results/figures/loss.png#1')
    """

    def __init__(self, figures: Mapping[str, str]) -> None:
        self._by_path = {posixpath.normpath(path.replace("\\", "/")): artifact for path, artifact in figures.items()}
        self._by_name: dict[str, list[str]] = {}
        for path in sorted(self._by_path):
            self._by_name.setdefault(posixpath.basename(path).lower(), []).append(path)

    def find(self, manuscript: str, target: str) -> str | None:
        """Find the artifact that a manuscript's figure target names.

        Looks relative to the manuscript's folder, then for the only file of its name or with the same end of path.
        """
        target = unquote(target.strip().strip("<>")).split("?", 1)[0].split("#", 1)[0].replace("\\", "/")
        if not target or "\0" in target or _SCHEME.match(target):
            return None
        for suffix in _SUFFIXES:
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(manuscript), target + suffix))
            if beside in self._by_path:
                return self._by_path[beside]
        for suffix in _SUFFIXES:
            name = posixpath.basename(target + suffix).lower()
            named = self._by_name.get(name, [])
            if len(named) > 1:
                tail = "/" + posixpath.normpath(target + suffix).lstrip("./")
                named = [path for path in named if ("/" + path).endswith(tail)]
            if len(named) == 1:
                return self._by_path[named[0]]
        return None

    def link(self, claim: Claim) -> list[Link]:
        """Link a figure claim to its file."""
        artifact = self.find(claim.path, claim.written)
        return [make_link(claim, (), Tier.LABELS, RULE, operands=(artifact,))] if artifact is not None else []
