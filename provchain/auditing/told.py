"""Whether a study tells of a deviation: where a manuscript, or the run's own words, say what was done otherwise.

A manuscript discloses a deviation where it gives the value that ran, names what ran instead, or says of the thing itself
that it was left out, replaced or reduced; unless it also speaks of the planned thing as done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation

from msgspec import Struct

from provchain.auditing.differences import Difference
from provchain.auditing.known_names import MEASURES, MODELS, PEOPLE
from provchain.auditing.ran import Names, squeeze

__all__ = ["Told", "told_of"]

_MOST_TEXT = 400_000
_LONGEST = 600
_CHANGED = re.compile(
    r"\b(?:instead of|rather than|in place of|replac\w*|substitut\w*|omit\w*|exclud\w*|left out|leav\w+ out|skipp\w*"
    r"|unavailab\w*|not|no|unable|fail\w*|only|limit\w*|simplif\w*|dropp\w*|beyond|synthetic\w*|simulat\w*|mock\w*"
    r"|prox(?:y|ies)|reduc\w*|subset\w*|planned|originally|without|cannot|future|will|further|focus\w*|broader|remain\w*"
    r"|would|scal\w+ (?:up|to)|larger|need\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_POSSIBLE = re.compile(r"\b(?:can|could|may|might|should|e\.g\.|such as|propos\w+)", re.IGNORECASE)
_LIMITED = {
    "data": r"(?:only|single|one|two|limited|small|few)\b[^.]{0,40}\b(?:data ?sets?|benchmarks?|corpora|tasks?|domains?)\b",
    "baseline": r"(?:only|single|one|two|limited|few)\b[^.]{0,40}\bbaselines?\b",
    "metric": r"(?:only|single|limited|few)\b[^.]{0,40}\bmetrics?\b",
    "model": r"(?:only|single|small\w*|limited|simplified|toy|one)\b[^.]{0,40}\b(?:models?|backbones?|architectures?)\b",
    "participants": r"(?:no|without|lack\w*|absence of)\b[^.]{0,40}\b(?:humans?|users?|people|participants?|stud(?:y|ies))\b",
}
_MADE = re.compile(
    r"\b(?:synthetic|simulated|artificial(?:ly)?|toy|generated|dummy|mock)\b[^.]{0,40}\b(?:data\w*|examples?|samples?|tasks?"
    r"|environments?|users?|scenarios?|agents?|humans?|experts?|feedback|participants?)\b",
    re.IGNORECASE,
)
_IS_MADE = re.compile(
    r"\b(?:data\w*|examples|samples|users|participants|feedback|demonstrations|preferences) (?:is|are|was|were) (?:\w+ )?"
    r"(?:synthetic|simulated|artificial|generated)",
    re.IGNORECASE,
)
_ANY_PEOPLE = re.compile(
    r"\b(?:humans?|users?|participants?|people|practitioners|developers|annotators|experts)\b", re.IGNORECASE
)
_NOT_DONE_HERE = re.compile(
    r"related|introduc|background|referenc|abstract|motivat|literature|future|limitation|conclu|discussion|bibliograph",
    re.IGNORECASE,
)
_HEADING = re.compile(r"#{1,6}\s+(.*)|\*\*([^*]{1,80})\*\*:?\s*|\d{1,2}(?:\.\d{1,2})*\.?\s+([A-Z][^.:|]{0,80})")
_NUMBERS = {w: n for n, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())}  # noqa: SIM905
_ONE = re.compile(
    r"\b(?:single|one|fixed|same|a) (?:random )?(?:seed|run|trial)\b|\b(?:random )?seed\w*\W{1,4}(?:of |to |is |set )*\d+\b",
    re.IGNORECASE,
)


class Told(Struct, frozen=True):
    """What a study says of a deviation.

    Attributes:
        recorded: Where the run's own words say it, or empty.
        disclosed: Where a manuscript says it, or empty.
        claimed: Where a manuscript speaks of the planned thing as done, or empty.
    """

    recorded: str = ""
    disclosed: str = ""
    claimed: str = ""


def told_of(difference: Difference, manuscripts: Mapping[str, str], own_words: Mapping[str, str]) -> Told:
    """Find where a study tells of a difference.

    Args:
        difference: The difference.
        manuscripts: Path of each manuscript to its text.
        own_words: Path of each log or note of the run to its text.
    """
    recorded = next(
        (place for place, s, _ in _sentences(own_words) if _names(difference, s) and _CHANGED.search(s)), ""
    )
    if difference.about in _LIMITED and difference.planned:
        return _told_of_name(difference, manuscripts, recorded)
    for place, sentence, _ in _sentences(manuscripts):
        if _gives_what_ran(difference, sentence):
            return Told(recorded, place)
    return Told(recorded)


def _told_of_name(difference: Difference, manuscripts: Mapping[str, str], recorded: str) -> Told:
    disclosed = instead = general = claimed = ""
    limited = re.compile(rf"\b{_LIMITED[difference.about]}", re.IGNORECASE)
    others = [name for name in difference.ran.split(", ") if name]
    for place, sentence, section in _sentences(manuscripts):
        if _names(difference, sentence):
            if _CHANGED.search(sentence) or _MADE.search(sentence):
                disclosed = disclosed or place
            elif not _NOT_DONE_HERE.search(section) and not _POSSIBLE.search(sentence):
                claimed = claimed or place
        elif difference.about == "participants" and _ANY_PEOPLE.search(sentence) and _CHANGED.search(sentence):
            general = general or place
        if any(_has_any_part(other, sentence) for other in others):
            instead = instead or place
        if limited.search(sentence) or (
            difference.about in ("data", "model", "participants")
            and (_MADE.search(sentence) or _IS_MADE.search(sentence))
        ):
            general = general or place
    if disclosed or claimed:
        return Told(recorded, disclosed, "" if disclosed else claimed)
    return Told(recorded, instead or general)


def _names(difference: Difference, sentence: str) -> bool:
    if difference.about == "participants":
        return PEOPLE.search(sentence) is not None
    names = Names([sentence])
    for thing in difference.thing.split(", "):
        if difference.about == "metric" and thing in MEASURES:
            if MEASURES[thing][0].search(sentence):
                return True
        elif difference.about == "model" and thing in MODELS:
            if MODELS[thing].search(sentence):
                return True
        elif difference.about in ("data", "baseline") and names.have(thing):
            return True
    return False


def _has_any_part(name: str, sentence: str) -> bool:
    names = Names([sentence])
    parts = [part for part in re.split(r"[/_\s-]+", name.lower()) if len(part) > 3]
    return names.have_word(squeeze(name)) or any(names.have_word(part) for part in parts)


def _gives_what_ran(difference: Difference, sentence: str) -> bool:
    """Whether a sentence has the value that ran beside the thing, or names what was loaded."""
    if difference.about == "data":
        return _has_any_part(difference.ran, sentence)
    if difference.about == "seeds" and difference.ran == "1" and _ONE.search(sentence):
        return True
    noun = difference.thing.rstrip("s").lower()
    aliases = {"learning rate": ("learning rate", "lr"), "seed": ("seed", "run", "trial", "repetition")}.get(
        noun, (noun,)
    )
    if noun in ("sample", "example", "instance") or difference.about == "sample":
        aliases = (*aliases, "sample", "example", "instance", "item")
    if not any(re.search(rf"(?<![a-z]){re.escape(alias)}", sentence, re.IGNORECASE) for alias in aliases):
        return False
    stated = {*_numbers(sentence)}
    return any(_decimal(value) in stated for value in difference.ran.split(" or "))


def _numbers(sentence: str) -> Iterator[Decimal]:
    for found in re.finditer(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?", sentence):
        yield _decimal(found[0].replace(",", ""))
    for power in re.finditer(r"(\d+(?:\.\d+)?)\s*(?:\\times|×|x|\*)\s*10\s*\^?\{?\s*([-−]?\d+)", sentence):
        yield _decimal(f"{power[1]}e{power[2].replace('−', '-')}")
    for word in re.findall(r"[a-z]+", sentence.lower()):
        if word in _NUMBERS:
            yield Decimal(_NUMBERS[word])


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text.replace("_", ""))
    except InvalidOperation:
        return Decimal(-1)


def _sentences(texts: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """The sentences and rows of texts, each with its place and the heading above it."""
    for path, text in texts.items():
        section = header = ""
        for number, line in enumerate(text[:_MOST_TEXT].split("\n"), 1):
            bare = line.strip()
            heading = _HEADING.fullmatch(bare)
            if heading is not None:
                section = next(filter(None, heading.groups()), "")
                header = ""
            if not bare.startswith("|"):
                header = ""
            elif not header:
                header = bare
            # What a row says of its columns stands in the first row of its table.
            row = f"{header} {bare}" if bare.startswith("|") and header != bare else bare
            for sentence in re.split(r"(?<=[.!?;])\s+", row) if not bare.startswith("|") else [row]:
                if sentence:
                    yield f"{path}:{number}", sentence[:_LONGEST], section
