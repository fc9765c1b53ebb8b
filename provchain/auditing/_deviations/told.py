"""Whether a study tells of a deviation: where a manuscript, or the run's own words, say what was done otherwise.

A manuscript discloses a deviation where it gives the value that ran, names what ran instead, or says of the thing itself
that it was left out, replaced or reduced; unless it also speaks of the planned thing as done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation

from msgspec import Struct

from provchain.auditing._deviations.differences import Difference
from provchain.auditing._deviations.known_names import GENERIC_PARTS, MEASURES, MODELS, PEOPLE
from provchain.auditing._deviations.ran import Names, squeeze

__all__ = ["Sentence", "Told", "sentences_of", "told_of"]

_MOST_TEXT = 400_000
_LONGEST = 600
_DEEP = 9  # level of a heading that is none of Markdown
_END = re.compile(r"(?<=[.!?;])\s+")
_CHANGED = re.compile(
    r"\b(?:instead of|rather than|in place of|replac\w*|substitut\w*|omit\w*|exclud\w*|left out|leav\w+ out|skipp\w*"
    r"|unavailab\w*|not|no|unable|fail\w*|only|limit\w*|simplif\w*|dropp\w*|beyond|synthetic\w*|simulat\w*|mock\w*"
    r"|prox(?:y|ies)|reduc\w*|subset\w*|planned|originally|without|cannot|future|will|further|focus\w*|broader|remain\w*"
    r"|would|scal\w+ (?:up|to)|larger|need\w*|next steps?|upcoming|ongoing|later|aim\w* to|plan\w* to|intend\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_POSSIBLE = re.compile(r"\b(?:can|could|may|might|should|e\.g\.|such as|propos\w+)", re.IGNORECASE)
_LIMITED = {
    about: re.compile(rf"\b(?:{few})\b[^.]{{0,40}}\b(?:{things})\b", re.IGNORECASE)
    for about, few, things in (
        ("data", "only|single|one|two|limited|small|few", "data ?sets?|benchmarks?|corpora|tasks?|domains?"),
        ("baseline", "only|single|one|two|limited|few", "baselines?"),
        ("metric", "only|single|limited|few", "metrics?"),
        ("model", r"only|single|small\w*|limited|simplified|toy|one", "models?|backbones?|architectures?"),
        ("participants", r"no|without|lack\w*|absence of", "humans?|users?|people|participants?|stud(?:y|ies)"),
    )
}
_SIMPLE_MODEL = re.compile(
    r"\b(?:simplif\w+|toy|proof-of-concept|surrogate)\b[^.]{0,30}\b(?:models?|architectures?|networks?|encoders?|implementation)\b"
    r"|\b(?:models?|architectures?|networks?|encoders?) (?:is|are|was|were) (?:\w+ )?(?:simplified|simple)\b",
    re.IGNORECASE,
)
_MADE = re.compile(
    r"\b(?:synthetic|simulated|artificial(?:ly)?|toy|dummy|mock)\b[^.]{0,40}\b(?:data\w*|examples?|samples?|tasks?"
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
_NOT_YET = re.compile(r"future|limitation|outlook|next steps", re.IGNORECASE)
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


class Sentence(Struct, frozen=True):
    """A sentence of a text, or a row of one of its tables.

    Attributes:
        place: Where, ``path:line``.
        text: It, a row with the first one of its table.
        section: The headings above it.
        names: The names in it.
    """

    place: str
    text: str
    section: str
    names: Names


def told_of(difference: Difference, manuscripts: Sequence[Sentence], own_words: Sequence[Sentence]) -> Told:
    """Find where a study tells of a difference.

    Args:
        difference: The difference.
        manuscripts: The sentences of the manuscripts.
        own_words: Those in logs and notes of the run that tell of a change.
    """
    recorded = next((sentence.place for sentence in own_words if _names(difference, sentence)), "")
    if difference.about in _LIMITED and difference.planned:
        return _told_of_name(difference, manuscripts, recorded)
    disclosed = next((sentence.place for sentence in manuscripts if _gives_what_ran(difference, sentence)), "")
    return Told(recorded, disclosed)


def _told_of_name(difference: Difference, manuscripts: Sequence[Sentence], recorded: str) -> Told:
    disclosed = instead = general = claimed = replaced = ""
    others = [name for name in difference.ran.split(", ") if name]
    for sentence in manuscripts:
        place, text = sentence.place, sentence.text
        if _names(difference, sentence):
            if _CHANGED.search(text) or _MADE.search(text) or _NOT_YET.search(sentence.section):
                disclosed = disclosed or place
            elif not _NOT_DONE_HERE.search(sentence.section) and not _POSSIBLE.search(text):
                claimed = claimed or place
        if any(_has_any_part(other, sentence.names) for other in others):
            instead = instead or place
        if not replaced and _is_replaced(difference.about, text):
            replaced = place
        if not general and _is_limited(difference.about, text):
            general = place
    disclosed = disclosed or replaced
    if disclosed or claimed:
        return Told(recorded, disclosed, "" if disclosed else claimed)
    return Told(recorded, instead or general)


def _is_replaced(about: str, text: str) -> bool:
    """Whether a sentence says of what stood in the place of all things of a kind that it is made up, or a simple one."""
    if about == "model":
        return _SIMPLE_MODEL.search(text) is not None
    return about in ("data", "participants") and (_MADE.search(text) is not None or _IS_MADE.search(text) is not None)


def _is_limited(about: str, text: str) -> bool:
    """Whether a sentence says of all things of a kind that few were used, or that they were made up."""
    if _LIMITED[about].search(text):
        return True
    if about == "participants" and _ANY_PEOPLE.search(text) and _CHANGED.search(text):
        return True
    return about == "model" and _MADE.search(text) is not None


def _names(difference: Difference, sentence: Sentence) -> bool:
    about, text = difference.about, sentence.text
    if about == "participants":
        return PEOPLE.search(text) is not None
    for thing in difference.thing.split(", "):
        pattern = MEASURES[thing][0] if about == "metric" else MODELS[thing] if about == "model" else None
        if (
            pattern.search(text)
            if pattern is not None
            else about in ("data", "baseline") and sentence.names.have(thing)
        ):
            return True
    return False


def _has_any_part(name: str, names: Names) -> bool:
    parts = [part for part in re.split(r"[/_\s-]+", name.lower()) if len(part) > 3 and part not in GENERIC_PARTS]
    return names.have_word(squeeze(name)) or any(names.have_word(part) for part in parts)


def _gives_what_ran(difference: Difference, told: Sentence) -> bool:
    """Whether a sentence has the value that ran beside the thing, or names what was loaded."""
    sentence = told.text
    if difference.about == "data":
        return _has_any_part(difference.ran, told.names)
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


def sentences_of(texts: Mapping[str, str], *, of_changes: bool = False) -> list[Sentence]:
    """Split texts into their sentences and the rows of their tables.

    Args:
        texts: Path of each text to it.
        of_changes: Only those that tell of a change.

    Example:
        >>> [(one.place, one.text) for one in sentences_of({"p.md": "# A\\nIt ran. It did not end."}, of_changes=True)]
        [('p.md:2', 'It did not end.')]
    """
    found: list[Sentence] = []
    for path, text in texts.items():
        stack: list[tuple[int, str]] = []
        header = ""
        for number, line in enumerate(text[:_MOST_TEXT].split("\n"), 1):
            bare = line.strip()
            if len(bare) < _LONGEST and (heading := _HEADING.fullmatch(bare)) is not None:
                level = bare.index(" ") if bare.startswith("#") else _DEEP
                stack = [one for one in stack if one[0] < level]
                stack.append((level, next(filter(None, heading.groups()), "")))
            # What a row says of its columns stands in the first row of its table.
            header = (header or bare) if bare.startswith("|") else ""
            row = f"{header} {bare}" if header and header != bare else bare
            for sentence in [row] if header else _END.split(row):
                if sentence and (not of_changes or _CHANGED.search(sentence[:_LONGEST])):
                    cut = sentence[:_LONGEST]
                    found.append(Sentence(f"{path}:{number}", cut, " / ".join(t for _, t in stack), Names([cut])))
    return found
