"""The plan presented as done: what a manuscript says in the numbers or the words of the proposal, and nothing that ran shows.

A proposal may well foresee what is done then: a planned setting that stands in a script or a configuration was used, and
a planned number that an execution printed was reached. Only what stands in the proposal and nowhere in code, artifacts and
output is told.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import accumulate

from msgspec import Struct

from provchain.auditing.links import Linked
from provchain.history import History
from provchain.linking.words import split_words
from provchain.model import (
    Artifact,
    Claim,
    ClaimKind,
    ClaimRole,
    Finding,
    Judgement,
    Kind,
    Place,
    Severity,
    Strength,
    Verdict,
)
from provchain.numbers import Number, find_numbers

__all__ = ["planned_findings"]

_MOST_TEXT = 400_000  # characters of a proposal that are read
_AROUND = 90  # characters on both sides of a number that say what it is
_MOST = 5  # findings of one kind
_TELLING = 3  # significant digits from which on a number is seldom met by chance
_NOTHING_SAID = frozenset(
    [
        "result",
        "method",
        "model",
        "approach",
        "experiment",
        "our",
        "show",
        "achieve",
        "about",
        "over",
        "up",
        "least",
        "more",
        "data",
        "dataset",
    ]
)
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


class _Planned(Struct, frozen=True):
    """A number of a proposal: where it stands, and the words around it."""

    place: Place
    number: Number
    words: frozenset[str]
    order: str


def planned_findings(
    history: History, judgements: Mapping[str, Judgement], linked: Linked, papers: Mapping[str, str]
) -> list[Finding]:
    """Find what manuscripts report in the numbers or the words of a proposal, and nothing on record holds.

    Args:
        history: What became of the study.
        judgements: The verdicts by claim id.
        linked: The values of the study.
        papers: Path of each manuscript to its text.

    Returns:
        The findings ``plan-presented-as-done``.

    Spec: docs/reference/verdicts.md, "Findings".
    """
    study = history.study
    if not history.recorded:
        return []
    proposals = _proposals(study.artifacts, history.texts)
    if not proposals:
        return []
    numbers = list(_numbers(history, judgements, linked, proposals))
    words = list(_sentences(history, proposals, papers))
    return [*numbers[:_MOST], *words[:_MOST]]


def _proposals(artifacts: Sequence[Artifact], texts: Mapping[str, str]) -> dict[str, str]:
    """The proposals, each in the first state that is known: what was added to it later is no plan."""
    found: dict[str, str] = {}
    for artifact in artifacts:
        if artifact.kind is Kind.PROPOSAL and artifact.id in texts:
            found.setdefault(artifact.path, texts[artifact.id][:_MOST_TEXT])
    return found


# ------------------------------------------------------------------------------------------------------ numbers


def _numbers(
    history: History, judgements: Mapping[str, Judgement], linked: Linked, proposals: Mapping[str, str]
) -> Iterator[Finding]:
    open_ones = [claim for claim in history.study.claims if _is_open(claim, judgements[claim.id])]
    if not open_ones:
        return
    planned: dict[Decimal, list[_Planned]] = defaultdict(list)
    for path, text in proposals.items():
        starts = [0, *(found.end() for found in re.finditer("\n", text))]
        for number in find_numbers(text):
            if number.shape == "number" and number.significant >= 2:
                place = Place(path, str(bisect_right(starts, number.start)))
                planned[number.value].append(_Planned(place, number, _around(text, number), path))
    shown: list[str] | None = None
    held: frozenset[Decimal] | None = None
    for claim in open_ones:
        number = find_numbers(claim.written)[0]
        found = next((p for p in planned.get(number.value, ()) if _is_same(p, number, claim)), None)
        if found is None:
            continue
        held = frozenset(value.number for value in linked.values.values()) if held is None else held
        if number.value in held or (number.percent and number.value / 100 in held):
            continue
        shown = _code_and_output(history) if shown is None else shown
        forms = _forms(number)
        if any(forms.search(text) for text in shown):
            continue
        sourceless = judgements[claim.id].verdict is Verdict.NO_SOURCE
        message = (
            f"{claim.written} stands in the proposal ({found.place}) as what was planned or expected, and "
            f"{claim.path} reports it; "
            "it stands in no script, configuration, result or output"
        )
        strength = Strength.STRONG if sourceless and number.significant >= _TELLING else Strength.HINT
        yield Finding(
            "plan-presented-as-done",
            Severity.WARNING,
            strength,
            message,
            (Place(claim.path, str(claim.line)), found.place),
        )


def _is_open(claim: Claim, judgement: Judgement) -> bool:
    """Whether a claim reports a result that nothing on record holds."""
    if claim.kind is not ClaimKind.NUMBER or claim.role is not ClaimRole.RESULT or judgement.evidence:
        return False
    if judgement.verdict not in (Verdict.NO_SOURCE, Verdict.AMBIGUOUS):
        return False
    found = find_numbers(claim.written)
    if len(found) != 1 or found[0].significant < 2 or found[0].modifier not in ("", "~"):
        return False
    if not (found[0].percent or found[0].decimals or found[0].unit in ("x", "pp")):
        return False  # a count may have been planned, and counted in data that no text shows
    return claim.table is not None or (_FORESEEN.search(claim.text) is None and _GOAL.search(claim.text) is None)


def _around(text: str, number: Number) -> frozenset[str]:
    near = text[max(0, number.start - _AROUND) : number.start] + " " + text[number.end : number.end + _AROUND]
    return frozenset(split_words(near)) - _NOTHING_SAID


def _is_same(planned: _Planned, number: Number, claim: Claim) -> bool:
    """Whether a number of a proposal is the same thing as one of a manuscript, by its unit and the words around both."""
    if planned.number.percent != number.percent or planned.number.unit != number.unit:
        return False
    if claim.table is not None:
        words = frozenset(split_words(f"{claim.row or ''} {claim.header or ''}")) - _NOTHING_SAID
    else:
        at = max(claim.text.find(claim.written), 0)
        near = (
            claim.text[max(0, at - _AROUND) : at]
            + " "
            + claim.text[at + len(claim.written) : at + len(claim.written) + _AROUND]
        )
        words = frozenset(split_words(near)) - _NOTHING_SAID
    shared = [word for word in words & planned.words if len(word) > 2 and not word.isdigit()]
    return len(shared) >= (1 if number.significant >= _TELLING else 2)


def _forms(number: Number) -> re.Pattern[str]:
    """The digits of a number, as code and output may write it: ``70``, ``70.0``, ``0.7``, ``0.70``."""
    values = [number.value, number.value / 100] if number.percent else [number.value]
    plain = [format(value.normalize(), "f") for value in values]
    exact = "|".join(re.escape(text) + (r"0*" if "." in text else r"(?:\.0+)?") for text in plain)
    return re.compile(rf"(?<![\w.])(?:{exact}|{re.escape(number.written)})(?![\d.]*\d)")


def _code_and_output(history: History) -> list[str]:
    kinds = (Kind.SCRIPT, Kind.CONFIG, Kind.STREAM, Kind.LOG)
    texts = [history.texts.get(a.id, "")[:_MOST_TEXT] for a in history.study.artifacts if a.kind in kinds]
    return [*dict.fromkeys(texts), *(execution.command for execution in history.study.executions)]


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
