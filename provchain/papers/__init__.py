"""Manuscripts: text in, claims with their exact places out. One module for each format, loaded when it is needed.

Knows texts, not directories or runs: whether a claim holds is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import PurePosixPath

from provchain.errors import SourceError, UnknownFormatError
from provchain.model import Claim

__all__ = ["is_manuscript", "read_claims"]

_READERS = {
    ".markdown": "provchain.papers.markdown:read_markdown",
    ".md": "provchain.papers.markdown:read_markdown",
}

_LONGEST_MANUSCRIPT = 10_000_000  # characters; a book has a tenth of them

# The last word of a name says what a file is, but some words veto anywhere: "related_work_summary" sums up other work.
_MANUSCRIPT_WORD = re.compile(
    r"abstract|analys[ei]s|article|conclusions?|discussion|draft|evaluation|findings|manuscript|outcomes|paper|preprint"
    r"|reports?|results?|study|summary|thesis|writeup"
)
_OTHER_WORD = re.compile(
    r"agents|card|checklist|contributing|description|guide|guidelines|instructions|log|notes|outline|overview|plans?"
    r"|prompt|references|requirements|reviews?|rubric|setup|spec|template|todo|usage"
)
_VETO = re.compile(
    r"readme|change-?log|licen[cs]e|proposal|template|literature|related[-_ ]?works?|(?:lit|peer)[-_ ]?review"
    r"|(?:^|[-_ ])ideas?(?:$|[-_ ])|^tasks?$|^task[-_ ](?:description|summary|report)|^claude$|^agents$"
)


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

    Spec: matching rules 5.8.
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
    """Whether a file reports the outcome of a study, going by its name alone.

    Args:
        path: Its path, with forward slashes.

    Returns:
        Whether its format has a reader and its name says results, paper, report, summary and the like, and not plan,
        proposal, task or read-me.

    Example:
        >>> is_manuscript("out/results.md"), is_manuscript("README.md"), is_manuscript("related_work.md")
        (True, False, False)
    """
    name = PurePosixPath(path)
    stem = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.stem).lower()
    if name.suffix.lower() not in _READERS or _VETO.search(stem):
        return False
    stem = stem.replace("write-up", "writeup").replace("write_up", "writeup")
    said = [
        word for word in re.split(r"[^a-z]+", stem) if _MANUSCRIPT_WORD.fullmatch(word) or _OTHER_WORD.fullmatch(word)
    ]
    return bool(said) and _MANUSCRIPT_WORD.fullmatch(said[-1]) is not None
