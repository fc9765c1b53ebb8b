"""How many repetitions a manuscript speaks of, and where: ``over three seeds``, ``seeds 1, 2 and 3``, ``5-fold``.

A header rarely says that its column holds means. What says it stands above the table, in its section, or where the
method is told. Sentences are read for their counts only; what was repeated is for the labels to say.

Spec: docs/reference/matching.md, 5.5.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from provchain.linking.repeats import REPEATS
from provchain.model import Claim

__all__ = ["COUNT_WORDS", "HOW_MANY", "Counts", "counts_in", "read_count"]

COUNT_WORDS = tuple("two three four five six seven eight nine ten".split())  # noqa: SIM905
"""Counts in words, from two on."""
HOW_MANY = re.compile(
    rf"(?<![\w.])(?P<count>\d{{1,4}}|{'|'.join(COUNT_WORDS)})[\s-]+(?:(?!and\b|of\b)[a-z]+[\s-]+){{0,2}}(?P<what>{REPEATS})s?\b"
    rf"|\bn\s*=\s*(?P<n>\d{{1,4}})",
    re.IGNORECASE,
)
"""Says how many repetitions there are, as ``count`` or ``n``, and perhaps ``what`` is repeated."""
_LISTED = re.compile(
    rf"(?<![A-Za-z])(?P<what>{REPEATS})s?\s{{0,3}}[:=]?\s{{0,3}}[\[({{]?(?P<all>\d{{1,6}}(?:(?:\s?,\s?(?:and\s)?|\s(?:and|&)\s)\d{{1,6}}){{1,50}})"
    r"(?![\d.]\d|\s?%)",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_METHOD = re.compile(r"\b(?:methods?|methodology|set-?\s?up|protocol|procedure|design|approach|experiments?)\b", re.I)
_MOST_LINES = 20_000
_LONGEST_LINE = 4_000


class Counts:
    """The counts of repetitions that manuscripts give.

    Args:
        claims: Claims, whose captions and sentences are read.
        papers: The whole text of manuscripts by their path, as far as it is at hand.

    Example:
        >>> from provchain.model import ClaimKind
        >>> claim = Claim("c", ClaimKind.NUMBER, "r.md", 9, 3, "0.79", "", section=("R", "Results"))
        >>> text = "# R\\n## Method\\nEach with three seeds.\\n## Results\\n0.79\\n## Other\\nOver 5 runs."
        >>> counts = Counts([claim], {"r.md": text})
        >>> counts.near(claim), counts.anywhere(claim)
        ({3: 'seed'}, {3: 'seed', 5: 'run'})
    """

    def __init__(self, claims: Iterable[Claim], papers: Mapping[str, str]) -> None:
        self._by_section: dict[tuple[str, str], dict[int, str]] = {}
        self._of_method: dict[str, dict[int, str]] = {}
        self._anywhere: dict[str, dict[int, str]] = {}
        for claim in claims:
            for text in {claim.caption or "", claim.text if claim.table is None else ""}:
                self._add(claim.path, claim.section, text)
        for path, text in papers.items():
            for section, line in _lines(text):
                self._add(path, section, line)

    def _add(self, path: str, section: tuple[str, ...], text: str) -> None:
        counts = counts_in(text)
        if not counts:
            return
        self._anywhere.setdefault(path, {}).update(counts)
        self._by_section.setdefault((path, section[-1] if section else ""), {}).update(counts)
        if any(map(_METHOD.search, section)):
            self._of_method.setdefault(path, {}).update(counts)

    def near(self, claim: Claim) -> Mapping[int, str]:
        """The counts of a claim's caption; else those of the method and of its section and the ones around it."""
        own = counts_in(claim.caption or "")
        if own:
            return own
        found = dict(self._of_method.get(claim.path, {}))
        for heading in claim.section or ("",):
            found |= self._by_section.get((claim.path, heading), {})
        return found

    def anywhere(self, claim: Claim) -> Mapping[int, str]:
        """The counts that a claim's manuscript gives in any place."""
        return self._anywhere.get(claim.path, {})


def _lines(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """The paragraphs' lines with the headings above them; a sentence may go on in the next line."""
    above: list[tuple[int, str]] = []
    previous = ""
    for line in (one[:_LONGEST_LINE] for one in text.splitlines()[:_MOST_LINES]):
        heading = _HEADING.match(line)
        if heading is not None:
            level = len(heading[1])
            above = [*(one for one in above if one[0] < level), (level, heading[2])]
            previous = ""
        section = tuple(title for _, title in above)
        yield section, line if heading is not None else f"{previous} {line}"
        previous = line if heading is None and line.strip() else ""


@lru_cache(maxsize=4096)
def counts_in(text: str) -> Mapping[int, str]:
    """The counts of repetitions that a text gives, of two and more, and what it says is repeated.

    Example:
        >>> counts_in("over 5 random seeds, each with three folds"), counts_in("seeds 1, 2, 3 and 4"), counts_in("n = 7")
        ({5: 'seed', 3: 'fold'}, {4: 'seed'}, {7: ''})
    """
    text = text[: 2 * _LONGEST_LINE]
    found = {len(re.findall(r"\d+", one["all"])): one["what"].lower() for one in _LISTED.finditer(text)}
    found |= {read_count(one): (one["what"] or "").lower() for one in HOW_MANY.finditer(text)}
    return {count: what for count, what in found.items() if count > 1}


def read_count(found: re.Match[str]) -> int:
    """The count that `HOW_MANY` found."""
    text = found["count"] or found["n"]
    return int(text) if text.isdigit() else COUNT_WORDS.index(text.lower()) + 2
