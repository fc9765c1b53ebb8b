"""The plan presented as done: what a manuscript says in the numbers or the words of the proposal, and nothing that ran shows.

A proposal may well foresee what is done then: a planned setting that stands in a script or a configuration was used, and
a planned number that an execution printed was reached. Only what stands in the proposal and nowhere in code, artifacts and
output is told.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from provchain.auditing.planned_numbers import PlannedNumbers, proposals_of, what_ran
from provchain.history import History
from provchain.linking.words import split_words
from provchain.model import (
    Claim,
    ClaimRole,
    Finding,
    Judgement,
    Kind,
    Place,
    Severity,
    Strength,
    Verdict,
)

__all__ = ["planned_findings"]

_MOST_TEXT = 400_000  # characters of a proposal that are read
_MOST = 5  # findings of one kind
_TELLING = 3  # significant digits from which on a number is seldom met by chance
_RAN = (Kind.SCRIPT, Kind.CONFIG, Kind.RESULT, Kind.DATA, Kind.LOG, Kind.STREAM, Kind.OTHER)
_DONE = re.compile(
    r"\bwe (?:\w+ )?(?:train|trained|evaluate|evaluated|run|ran|collect|collected|annotate|annotated|fine-?tune"
    r"|fine-?tuned|construct"
    r"|constructed|compare|compared|tested|measured|recruit|recruited|sampled|benchmark|benchmarked|conduct"
    r"|conducted)\b",
    re.IGNORECASE,
)
_FORESEEN = re.compile(
    r"\b(?:will|would|plan|plans|planned|future|propose|could|may|might|should|intend|aim|not)\b", re.IGNORECASE
)
_GOAL = re.compile(
    r"[≥≤<>]|\b(?:designed|targets?|targeted|goals?|expect\w*|anticipat\w*|hypothesi\w+|hope|projected)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z][\w-]{2,60}")
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_TITLE = re.compile(r"\d{1,2}(?:\.\d{1,2})*\.?\s[A-Z][^.!?]{0,80}")  # a numbered heading without its mark
_LONGEST = 600  # characters of a sentence
_LEAST_WORDS = 12
_ALIKE = 0.6  # of the words of a sentence that stand in one of the proposal too


def planned_findings(history: History, judgements: Mapping[str, Judgement], papers: Mapping[str, str]) -> list[Finding]:
    """Find what manuscripts report in the numbers or the words of a proposal, and nothing on record holds.

    Args:
        history: What became of the study.
        judgements: The verdicts by claim id.
        papers: Path of each manuscript to its text.

    Returns:
        The findings ``plan-presented-as-done``.

    Spec: docs/reference/verdicts.md, "Findings".
    """
    study = history.study
    if not history.recorded:
        return []
    proposals = proposals_of(study.artifacts, history.texts)
    if not proposals:
        return []
    numbers = list(_numbers(study.claims, judgements, PlannedNumbers(proposals, lambda: what_ran(history))))
    words = list(_sentences(history, proposals, papers))
    return [*numbers[:_MOST], *words[:_MOST]]


# ------------------------------------------------------------------------------------------------------ numbers


def _numbers(
    claims: Sequence[Claim], judgements: Mapping[str, Judgement], planned: PlannedNumbers
) -> Iterator[Finding]:
    """The results that stand in the proposal, and of which nothing that ran says anything."""
    for claim in claims:
        if claim.role is not ClaimRole.RESULT or judgements[claim.id].verdict is not Verdict.NO_SOURCE:
            continue
        found = planned.of(claim)
        if (
            found is None
            or not (found.number.percent or found.number.unit == "x" or found.number.decimals)
            or _GOAL.search(claim.text)
            or _FORESEEN.search(claim.text)
        ):
            continue
        message = (
            f"{claim.written} stands in the proposal ({found.place}) as what was planned or expected, and {claim.path} "
            "reports it; no code, configuration, result or output on record has it of the same thing"
        )
        strength = Strength.STRONG if found.number.significant >= _TELLING else Strength.HINT
        places = (Place(claim.path, str(claim.line)), found.place)
        yield Finding("plan-presented-as-done", Severity.WARNING, strength, message, places)


# -------------------------------------------------------------------------------------------------------- words


def _sentences(history: History, proposals: Mapping[str, str], papers: Mapping[str, str]) -> Iterator[Finding]:
    """Sentences on what was done that stand in the proposal nearly as they are, about things that nothing that ran names."""
    planned: list[tuple[Place, frozenset[str]]] | None = None
    ran: str | None = None
    for path, text in papers.items():
        for line, sentence in _split(text):
            if _DONE.search(sentence) is None or _FORESEEN.search(sentence) is not None:
                continue
            words, names = frozenset(split_words(sentence)), dict.fromkeys(filter(_is_name, _WORD.findall(sentence)))
            if len(words) < _LEAST_WORDS or not names:
                continue
            planned = _planned_sentences(proposals) if planned is None else planned
            place = next((p for p, other in planned if len(words & other) >= _ALIKE * len(words)), None)
            if place is None:
                continue
            ran = _what_ran(history) if ran is None else ran
            if any(_plain(name) in ran for name in names):
                continue
            message = (
                f"{path} says as done, nearly in the words of the proposal: “{' '.join(sentence.split())[:160]}”; no "
                f"script, configuration "
                f"or output names {', '.join(names)[:80]}"
            )
            yield Finding(
                "plan-presented-as-done", Severity.NOTE, Strength.HINT, message, (Place(path, str(line)), place)
            )


def _planned_sentences(proposals: Mapping[str, str]) -> list[tuple[Place, frozenset[str]]]:
    return [
        (Place(path, str(line)), frozenset(split_words(sentence)))
        for path, text in proposals.items()
        for line, sentence in _split(text)
    ]


def _split(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of the paragraphs of a text, each with the line that it begins in; headings and tables hold none."""
    lines: list[tuple[int, str]] = []
    for at, line in enumerate([*text[:_MOST_TEXT].split("\n"), ""], 1):
        bare = line.strip()
        if bare and not bare.startswith(("#", "|", "```", "![")):
            if _TITLE.fullmatch(bare):
                yield from _of_paragraph(lines)
                lines = []
                continue
            if bare.startswith(("- ", "* ", "• ")):
                yield from _of_paragraph(lines)
                lines = []
            lines.append((at, bare))
        elif lines:
            yield from _of_paragraph(lines)
            lines = []


def _of_paragraph(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    whole = " ".join(line for _, line in lines)
    starts = list(accumulate((len(line) + 1 for _, line in lines), initial=0))[:-1]
    at = 0
    for end in (*(found.end() for found in _END.finditer(whole)), len(whole)):
        if at < end:
            yield lines[bisect_right(starts, at) - 1][0], whole[at:end][:_LONGEST].strip()
        at = end


def _is_name(word: str) -> bool:
    """Whether a word is written like the name of a thing: ``MovieLens``, ``IssuePR-1M``, ``SST2``, ``BERT``."""
    letters = sum(map(str.isupper, word))
    return letters >= 2 and (len(word) >= 4 or any(map(str.isdigit, word)))


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())


def _what_ran(history: History) -> str:
    """All that code, artifacts and output say, without what separates words."""
    texts = (history.texts.get(a.id, "") for a in history.study.artifacts if a.kind in _RAN)
    return " ".join(
        [_plain(text[:_MOST_TEXT]) for text in texts] + [_plain(e.command) for e in history.study.executions]
    )
