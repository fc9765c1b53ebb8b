"""What a section of a manuscript is for, told from its heading alone.

Format-neutral: any reader of manuscripts uses it. The innermost heading that says something decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

__all__ = ["SectionKind", "is_section_name", "kind_of_heading", "kind_of_section"]


class SectionKind(StrEnum):
    """What the text under a heading does."""

    RESULTS = "results"
    SETUP = "setup"
    METHOD = "method"
    BACKGROUND = "background"
    INTRODUCTION = "introduction"
    FUTURE = "future"
    EXPECTED = "expected"
    PLANNED = "planned"
    REFERENCES = "references"
    UNKNOWN = "unknown"


# The first pattern that fits decides, so the narrow ones stand first: "Evaluation Metrics" is no evaluation.
_PATTERNS: tuple[tuple[SectionKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (SectionKind.REFERENCES, r"^(?:references?|bibliography|works cited|acknowledge?ments?|citations?)\b"),
        (
            SectionKind.EXPECTED,
            r"\b(?:expected|anticipated|projected)"
            r" (?:\w+ )?(?:results?|outcomes?|findings|impact|contributions?|timeline)\b"
            r"|\b(?:planned|proposed) (?:impact|contributions?|timeline)\b"
            r"|\b(?<!on )(?:hypothetical|illustrative) (?:(?:performance|experimental|numerical|evaluation|quantitative) )?"
            r"(?:results?|outcomes?|findings|values|numbers|figures|scores|data(?! ?sets?\b)|tables?)$"
            r"|^(?:an? )?(?:hypothetical|illustrative) (?:worked )?examples?$"
            r"|(?:^|[(\[:,–—] ?)(?:purely )?(?:hypothetical|illustrative)(?: only)?\W*$",
        ),
        # "Results of the planned experiments" are results, and so is the evaluation of what is proposed.
        (
            SectionKind.PLANNED,
            r"^(?!.*\bresults (?:of|from)\b).*\b(?:planned|proposed) (?:experimental |empirical )?"
            r"(?:evaluation|experiments?)\b",
        ),
        (SectionKind.RESULTS, r"\b(?:conclusions?|concluding|summary of (?:results|findings))\b"),
        (
            SectionKind.FUTURE,
            r"\b(?:limitations?|future|threats to validity|broader impacts?|ethic\w*|societal|next steps|outlook"
            r"|roadmap|recommendations?)\b",
        ),
        (
            SectionKind.BACKGROUND,
            r"\b(?:related works?|background|literature|prior works?|previous work|state of the art)\b",
        ),
        (
            SectionKind.INTRODUCTION,
            r"\b(?:introduction|motivation|problem (?:statement|definition|formulation)|preliminar\w+)\b",
        ),
        (
            SectionKind.RESULTS,
            r"\b(?:results?|findings?|ablations?|discussion|takeaways?|insights?|observations?|outcomes?"
            r"|comparisons?)\b",
        ),
        (
            SectionKind.SETUP,
            r"\b(?:set-?ups?|settings?|configurations?|hyper-?parameters?|implementation|protocols?|environment"
            r"|hardware"
            r"|infrastructure|reproducibility|compute resources|computational resources|evaluation (?:metrics?"
            r"|criteria)"
            r"|(?:models?|methods?|systems?|baselines?|datasets?|tasks?|benchmarks?) "
            r"(?:compared|evaluated|used|tested|and (?:baselines?|datasets?|tasks?|models?|preprocessing|metrics))"
            r"|(?:training|experiment(?:al)?|implementation|data(?:set)?|model) "
            r"(?:details?|design|description|procedure|parameters?|preparation|preprocessing|split\w*|generation"
            r"|sources?)"
            r"|baseline (?:methods?|models?|systems?))\b"
            r"|^(?:evaluation |performance |experimental )?(?:metrics?|datasets?|data|baselines?|models?|methods"
            r"|tasks?)"
            r"(?: and (?:metrics?|datasets?|data|baselines?|models?|tasks?))?$|\b(?:scenarios?|dimensions?)$",
        ),
        (
            SectionKind.RESULTS,
            r"\b(?:evaluations?|analys[ei]s|performance|abstract|executive summary|summary|experiments?"
            r"|visuali[sz]ations?"
            r"|figures?|curves?|statistics|scores?|effectiveness|robustness|accuracy|efficiency|case stud(?:y|ies)"
            r"|latency"
            r"|training (?:history|dynamics)|error analysis)\b",
        ),
        (
            SectionKind.METHOD,
            r"\b(?:method(?:s|ology|ologies)?|approach(?:es)?|frameworks?|architectures?|algorithms?|formulations?"
            r"|notation"
            r"|theor\w+|proofs?|proposed|components?|modules?|objectives?|loss functions?|pipelines?|design|workflow"
            r"|overview of (?:the )?(?:method|approach|system))\b",
        ),
    )
)
# Words that report an outcome wherever they stand; the others of the results patterns name a topic as often.
_STRONG_RESULTS = re.compile(
    r"\b(?:results?|findings?|ablations?|discussion|takeaways?|insights?|abstract|conclusions?|concluding"
    r"|executive summary"
    r"|comparisons?|experiments)\b",
    re.IGNORECASE,
)
_NUMBERING = re.compile(
    r"^(?:(?:section|appendix|part|chapter)\s+)?(?:[0-9]{1,3}(?:\.[0-9]{1,3}){0,4}|[A-Z]|[IVX]{1,5})[.):]?\s+", re.I
)
_NAMES = re.compile(
    r"^(?:title and abstract|abstract|introduction|related works?|background|method(?:s|ology)?|approach"
    r"|experiment(?:s|al)?"
    r"(?: (?:set-?up|settings?|results?|design|details))?|results?(?: and (?:discussion|analysis))?|evaluation|analysis"
    r"(?: and discussion)?|discussion|conclusions?(?: and future work)?|limitations(?: and future work)?|future work"
    r"|references|bibliography|acknowledge?ments|appendix|ablation stud(?:y|ies))$",
    re.IGNORECASE,
)


def _plain(heading: str) -> str:
    """Take numbering and decoration off a heading."""
    return _NUMBERING.sub("", heading.strip(" \t#*_:.-"), count=1).strip(" \t#*_:.-")


@lru_cache(maxsize=4096)
def kind_of_heading(heading: str) -> SectionKind:
    """Tell what the text under one heading does; a heading that names only a topic is unknown."""
    plain = _plain(heading[:200])
    for kind, pattern in _PATTERNS:
        if pattern.search(plain):
            return kind
    return SectionKind.UNKNOWN


def kind_of_section(headings: Sequence[str]) -> SectionKind:
    """Tell what a section does from the headings above it, outermost first.

    The title of the document says nothing about a part of it, so the outermost heading counts only where it stands
    alone or is itself the name of a section. "Evaluation Approaches" under "Related Work" is no evaluation: a heading
    that only sounds like results gives way to one above it that says something else.

    Example:
        >>> kind_of_section(["A Title", "2. Related Work", "2.1 Evaluation"]).value
        'background'
    """
    inner = SectionKind.UNKNOWN
    for heading in reversed(headings):
        if heading is headings[0] and len(headings) > 1 and not is_section_name(heading):
            break
        kind = kind_of_heading(heading)
        if kind is SectionKind.UNKNOWN:
            continue
        if kind is not SectionKind.RESULTS or _STRONG_RESULTS.search(_plain(heading[:200])):
            return kind
        inner = kind
    return inner


def is_section_name(heading: str) -> bool:
    """Whether a line is one of the names that sections of papers have (``5. Experiment Results``)."""
    return len(heading) <= 80 and _NAMES.match(_plain(heading)) is not None
