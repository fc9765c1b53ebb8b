"""Manuscripts: text in, claims with their exact places out. One module for each format, loaded when it is needed.

Knows texts, not directories or runs: whether a claim holds is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import PurePosixPath

import msgspec

from provchain.errors import SourceError, UnknownFormatError
from provchain.kinds import kind_of
from provchain.model import Claim, ClaimKind, ClaimRole, Kind
from provchain.papers._roles import CITING_ROW, without_citations
from provchain.papers._sections import SectionKind, kind_of_section

__all__ = [
    "as_result",
    "is_cited_row",
    "is_manuscript",
    "is_readable",
    "read_claims",
    "stands_among_results",
    "without_citations",
]

_READERS = {
    ".markdown": "provchain.papers.markdown:read_markdown",
    ".md": "provchain.papers.markdown:read_markdown",
    ".txt": "provchain.papers.markdown:read_markdown",  # a plain text is Markdown too; only one that is declared is read
}

_LONGEST_MANUSCRIPT = 10_000_000  # characters; a book has a tenth of them


def read_claims(path: str, text: str) -> list[Claim]:
    """Read what a manuscript claims.

    Args:
        path: The manuscript, relative to the audited directory; its suffix names the format.
        text: Its text.

    Returns:
        Its claims in the order of their places, each with the quote, the labels and the role that the manuscript alone
        gives it.

    Raises:
        UnknownFormatError: No reader knows the suffix.
        SourceError: The text is longer than any manuscript.

    Example:
        >>> [claim.written for claim in read_claims("results.md", "Accuracy reached **91.5%** on 10 seeds.")]
        ['91.5%', '10']

    Spec: docs/reference/matching.md, 5.8.
    """
    suffix = PurePosixPath(path).suffix.lower()
    target = _READERS.get(suffix)
    if target is None:
        known = ", ".join(sorted(_READERS))
        raise UnknownFormatError(f"no reader for manuscripts like {path!r}", path=path, hint=f"known suffixes: {known}")
    if len(text) > _LONGEST_MANUSCRIPT:
        raise SourceError(f"{path!r} is too long for a manuscript", path=path, hint="name the manuscript with --paper")
    module, _, function = target.partition(":")
    reader: Callable[[str, str], list[Claim]] = getattr(import_module(module), function)
    return reader(path, text)


def is_manuscript(path: str) -> bool:
    """Say whether a file is a manuscript that can be read, by its name alone.

    Args:
        path: The file.

    Returns:
        Whether its name is that of a manuscript and its suffix that of a known format.

    Example:
        >>> [is_manuscript(path) for path in ("results/results.md", "README.md", "paper_v2.md", "results/results.json")]
        [True, False, True, False]
    """
    return is_readable(path) and kind_of(path) is Kind.MANUSCRIPT


def is_readable(path: str) -> bool:
    """Say whether a file could be read as a manuscript, by its suffix.

    Args:
        path: The file.

    Example:
        >>> is_readable("notes.md"), is_readable("notes.docx")
        (True, False)
    """
    return PurePosixPath(path).suffix.lower() in _READERS


def is_cited_row(claim: Claim) -> bool:
    """Say whether a claim is a cell that is cited for no other reason than a citation in the label of its row.

    Args:
        claim: The claim.

    Returns:
        Whether it is. What the citation stands for, the number or only the method, the manuscript alone does not tell.

    Example:
        >>> text = "| Model | mAP |\\n|---|---|\\n| GNN [4] | 0.7279 |"
        >>> [is_cited_row(claim) for claim in read_claims("results.md", text) if claim.written == "0.7279"]
        [True]
    """
    return claim.role is ClaimRole.CITED and claim.cell is not None and claim.why == CITING_ROW


def as_result(claim: Claim) -> Claim:
    """Give a cell the role of a result, where more is known of it than its manuscript tells.

    Args:
        claim: A cell of a table.

    Returns:
        The same claim as a result; it counts as measured where other results of a table at its place do.

    Example:
        >>> text = "# Results\\n\\n| Model | mAP |\\n|---|---|\\n| GNN [4] | 0.7279 |"
        >>> cell = read_claims("results.md", text)[-1]
        >>> cell.measured, as_result(cell).measured
        (False, True)
    """
    measured = kind_of_section(claim.section) not in (SectionKind.FUTURE, SectionKind.INTRODUCTION)
    return msgspec.structs.replace(claim, role=ClaimRole.RESULT, why="", measured=measured)


def stands_among_results(claim: Claim) -> bool:
    """Say whether a claim stands where results are reported, whatever it is itself.

    Args:
        claim: The claim.

    Returns:
        Whether its section reports results; for a table or a figure a section that says nothing is enough.

    Example:
        >>> text = "# Method\\n\\nAccuracy is 0.71.\\n\\n# Results\\n\\nAccuracy is 0.73."
        >>> [stands_among_results(claim) for claim in read_claims("paper.md", text)]
        [False, True]
    """
    kind = kind_of_section(claim.section)
    shown = claim.table is not None or claim.kind is ClaimKind.FIGURE
    return kind is SectionKind.RESULTS or (shown and kind is SectionKind.UNKNOWN)
