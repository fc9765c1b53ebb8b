"""Which row or column a few words mean: ``"our GNN model"``, ``"the baseline"``, ``"all other methods except kNN"``, ``"it"``.

Every word has to be found in a label or be one that names nothing. Words that fit several labels mean all of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from msgspec import Struct

from provchain.linking.words import split_words
from provchain.model import Claim

__all__ = ["Named", "is_variant", "name_others", "name_subject"]

_GENERIC_WORDS = """
model method approach variant agent algorithm technique system framework strategy network based detector
classifier encoder learner configuration version one both proposed baseline alone mechanism solution setup
pipeline all fine tuning
"""
_GENERIC = frozenset(_GENERIC_WORDS.split())
_PLAIN_WORDS = """
traditional standard naive simple conventional vanilla plain existing strong basic full main
"""
_PLAIN = frozenset(_PLAIN_WORDS.split())
# What a table shows as a bound for others, and no rival of what is proposed.
_CEILINGS_WORDS = """
oracle upper bound human truth ceiling ideal supervised full gold skyline centralized expert original
"""
_CEILINGS = frozenset(_CEILINGS_WORDS.split())
_GROUP = re.compile(
    r"(?P<all>(?:all|both|each|every|any)\s)?(?:of\s)?(?:the\s|our\s|its\s)?(?:(?:other|remaining|existing|prior"
    r"|previous|competing|alternative"
    r"|considered|evaluated|tested|compared|single|three|four|five|two)\s){0,3}"
    r"(?P<what>baselines?(?:\s(?:methods|models|approaches|systems|variants|algorithms))?|methods|models|approaches"
    r"|competitors|alternatives"
    r"|techniques|variants|configurations|systems|algorithms|strategies|others|rest)(?:\s(?:tested|considered"
    r"|evaluated|compared))?"
    r"(?:,?\s(?:except|besides|apart from|other than)(?:\sfor)?\s(?P<but>.{1,60}))?",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"(?:it|they|this|which|this (?:method|model|approach|variant)|the (?:method|model|approach))?", re.IGNORECASE
)
_LIST = re.compile(r"\s*(?:,\s*and\s|,|\band\b|\bor\b|\bas well as\b)\s*", re.IGNORECASE)
_OURS = re.compile(
    r"(?:our|the proposed|the full)(?: proposed| full)? (?:method|model|approach|system|framework)|ours", re.IGNORECASE
)
_SEVERAL = re.compile(r"(?:all|both|each|every|these|those|the (?:two|three|four))\s", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?\b")
_STANDS_IN = re.compile(r"\b(?:it|they|which|this (?:method|model|approach|variant))\b", re.IGNORECASE)
_GOES_ON = re.compile(r"(?<=\w )while\b|(?<=, )\w+ing\b", re.IGNORECASE)
_PROPOSES = re.compile(r"\b(?:we|paper|work|study)\s(?:\w+\s)?(?:propose|introduce|present)s?\b", re.IGNORECASE)
_PART = re.compile(r"[.;:]\s|\n\s*\n|\s\|")
_BEGINNING = 30_000  # characters in which a manuscript says what it proposes
_REACH = 400  # characters before a pronoun where what it stands for is looked up
_BREAK = re.compile(r"\n\s*\n")


class Named(Struct, frozen=True):
    """What some words mean.

    Attributes:
        labels: The labels.
        left: The words that are in none of them: they may say in which measure.
        group: Not these labels are named, but everything of a kind.
        all: ... and all of it is said.
    """

    labels: tuple[str, ...]
    left: tuple[str, ...] = ()
    group: bool = False
    all: bool = False


def name_subject(words: str, names: Sequence[str], claim: Claim, paper: str) -> Named | None:
    """Say what a sentence compares.

    Args:
        words: The words for it; empty or a pronoun where it was named before.
        names: The labels.
        claim: The sentence.
        paper: The text of its manuscript.

    Returns:
        What is meant, or ``None`` where that is not clear.

    Example:
        >>> from provchain.papers import read_claims
        >>> claim = read_claims("results.md", "Ours is better than kNN.")[0]
        >>> name_subject("the GNN model", ["GNN", "kNN"], claim, "").labels
        ('GNN',)
    """
    words = words.strip()
    if _PRONOUN.fullmatch(words):
        return _before(claim, names, paper)
    if _OURS.fullmatch(words):
        own = [
            name
            for name in names
            if {"ours", "our", "proposed"} & set(name.lower().replace("(", " ").replace(")", " ").split())
        ]
        if not own and claim.section:  # the method that the title names
            title = frozenset(split_words(claim.section[0]))
            own = [name for name in names if (telling := _words(name) - _GENERIC - _PLAIN) and telling <= title]
        own = own or _proposed(paper, names)
        return Named(tuple(own)) if len(own) == 1 else None
    if _GROUP.fullmatch(words):
        return None
    found = _named(_POSSESSIVE.sub(" ", words), tuple(names))
    several = _SEVERAL.match(words) is not None
    return None if found is not None and several and len(found.labels) < 2 else found


def name_others(words: str, names: Sequence[str], subject: Named, *, superlative: bool = False) -> Named | None:
    """Say with what something is compared.

    Args:
        words: The words for it.
        names: The labels.
        subject: What is compared.
        superlative: With everything else.

    Returns:
        What is meant, or ``None`` where that is not clear.

    Example:
        >>> name_others("all other methods except kNN", ["GNN", "kNN", "SVM"], Named(("GNN",))).labels
        ('SVM',)
    """
    rest = [name for name in names if name not in subject.labels]
    if superlative:
        return Named(tuple(name for name in rest if not _CEILINGS & _words(name)), group=True, all=True)
    words = _POSSESSIVE.sub(" ", words).strip()
    group = _GROUP.fullmatch(words)
    if group is not None:
        return _group(group, rest)
    if set(split_words(words)) - _PLAIN == {"baseline"}:
        own = [name for name in rest if "baseline" in _words(name)]
        own = own or (rest if len(rest) == 1 else [])
        return Named(tuple(own)) if len(own) == 1 else None
    found = _named(words, tuple(names))
    if found is None or set(found.labels) & set(subject.labels):
        return None
    return found


def _group(group: re.Match[str], rest: Sequence[str]) -> Named | None:
    plural = not group["what"].lower().startswith("baseline") or "s" in group["what"].lower()[8:]
    called = [name for name in rest if "baseline" in _words(name)]
    if group["what"].lower().startswith("baseline") and called:
        rest = called
    if not plural and len(rest) != 1:
        return None
    left_out: tuple[str, ...] = ()
    if group["but"]:
        but = _named(group["but"], tuple(rest))
        if but is None or but.left:
            return None
        left_out = but.labels
    meant = tuple(name for name in rest if name not in left_out and not _CEILINGS & _words(name))
    return Named(meant, group=plural, all=bool(group["all"])) if meant else None


def is_variant(label: str, subject: Sequence[str], names: Sequence[str]) -> bool:
    """Whether a label may be another form of what is compared: the two share a word that not all labels have.

    Example:
        >>> is_variant("GNN w/o attention", ["GNN"], ["GNN", "GNN w/o attention", "SVM"])
        True
    """
    shared = frozenset.intersection(*(_words(name) for name in names)) | _GENERIC
    return any((_words(label) & _words(own)) - shared for own in subject)


def _before(claim: Claim, names: Sequence[str], paper: str) -> Named | None:
    """The one label that is named before the comparison, in its sentence or its paragraph."""
    starts = _line_starts(paper)
    if not 0 < claim.line <= len(starts):
        return None
    at = starts[claim.line - 1] + claim.column - 1
    earlier = _BREAK.split(paper[max(0, at - _REACH) : at])[-1].split("\n#")[-1]
    place = _STANDS_IN.search(claim.text) or _GOES_ON.search(claim.text)
    own = claim.text[: place.start()] if place is not None else ""
    for text in (own, earlier.strip().rstrip(".").rsplit(". ", 1)[-1]):
        mentioned = _mentioned(text, tuple(names))
        if mentioned:
            return Named(mentioned) if len(mentioned) == 1 else None
    return None


@lru_cache(maxsize=4)
def _line_starts(paper: str) -> tuple[int, ...]:
    return (0, *(found.end() for found in re.finditer("\n", paper)))


def _proposed(paper: str, names: Sequence[str]) -> list[str]:
    """The label that a manuscript names first where it says what it proposes; none where it names several there."""
    for place in islice(_PROPOSES.finditer(paper[:_BEGINNING]), 3):
        held = frozenset(split_words(_PART.split(paper[place.end() : place.end() + 160])[0].lower()))
        own = [name for name in names if (words := _words(name.lower()) - _GENERIC - _PLAIN) and words <= held]
        if own:
            return own if len(own) == 1 else []
    return []


@lru_cache(maxsize=4096)
def _mentioned(text: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The labels of which a text holds a distinguishing word."""
    held = frozenset((*split_words(text), *split_words(text.lower())))
    own = [_words(name.lower()) - _GENERIC for name in names]
    whole = tuple(name for name, words in zip(names, own, strict=True) if words and words <= held)
    if whole:
        return whole
    found = []
    for at, words in enumerate(own):
        telling = words - frozenset(word for i, other in enumerate(own) if i != at for word in other)
        if telling & held:
            found.append(names[at])
    return tuple(found)


@lru_cache(maxsize=4096)
def _named(words: str, names: tuple[str, ...]) -> Named | None:
    """What words name: one label or several, by all of their words."""
    whole = _one(words, names)
    if whole is not None:
        return whole
    pieces = [piece for piece in _LIST.split(words) if piece]
    if len(pieces) < 2:
        return None
    found = [_one(piece, names) for piece in pieces]
    labels: list[str] = []
    left: list[str] = []
    for each in found:
        if each is None:
            return None
        labels += each.labels
        left += each.left
    return Named(tuple(dict.fromkeys(labels)), tuple(left)) if len(set(labels)) >= len(pieces) else None


def _one(words: str, names: Sequence[str]) -> Named | None:
    """What words name, read as they stand in small letters (``LoRA`` is ``lora``), else by the parts of joined words."""
    return _matching(words.lower(), {name: _words(name.lower()) for name in names}) or _matching(
        words, {name: _words(name) for name in names}
    )


def _matching(words: str, labels: dict[str, frozenset[str]]) -> Named | None:
    known = frozenset(word for own in labels.values() for word in own)
    asked = frozenset(word for word in split_words(words) if word in known or word not in _GENERIC | _PLAIN)
    for dropped in (frozenset[str](), _GENERIC, _GENERIC | _PLAIN):
        said = asked - dropped
        if not said:
            continue
        exact = [name for name, own in labels.items() if own - dropped == said or own == said]
        if exact:
            return Named((exact[0],)) if len(exact) == 1 else None
        wider = [name for name, own in labels.items() if said <= own]
        if wider:
            return Named(tuple(wider))
    said = asked - _GENERIC - _PLAIN
    inner = [
        (name, own - _GENERIC - _PLAIN)
        for name, own in labels.items()
        if own - _GENERIC - _PLAIN <= said and own - _GENERIC - _PLAIN
    ]
    top = [(name, own) for name, own in inner if not any(own < other for _, other in inner)]
    if len(top) != 1:
        return None
    name, own = top[0]
    left = said - own
    if left & known:
        return None  # a word of another label
    return Named((name,), tuple(word for word in split_words(words) if word in left))


@lru_cache(maxsize=4096)
def _words(label: str) -> frozenset[str]:
    return frozenset(split_words(label))
