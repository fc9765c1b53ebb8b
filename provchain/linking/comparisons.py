"""Sentences that compare: what is compared with what, in which measure, and which way.

Reads one sentence, knows no table. Only plain forms are read ("A outperforms B on F1", "A has a lower loss than B", "A
achieves the highest accuracy", "A is not better than B"). A sentence that hedges, sets a condition or compares in another way
gives nothing: what is not read in full is left to a reader.

Spec: docs/reference/matching.md, 5.10.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec import Struct

__all__ = ["Comparison", "Reading", "read_comparisons"]

Way = Literal["quality", "size", "speed", "near"]


class Comparison(Struct, frozen=True):
    """One comparison of a sentence.

    Attributes:
        subject: The words for what is compared; empty or a pronoun where the sentence says it earlier.
        other: The words for what it is compared with; empty where that is everything else.
        phrases: The words that say in which measure, on which data: all of them have to be understood.
        beside: What the main clause says of the subject: to be understood only if it speaks of what the table measures.
        way: Compared by how good it is, by the size of the number, by its speed, or said to be near.
        sign: 1 for better, higher, faster; -1 for worse, lower, slower.
        superlative: It is said to be the first or the last of all.
        negated: It is said not to be so.
        every: It is said to be so everywhere.
        strong: It is said to be so by far.
        slight: It is said to be so by little.
    """

    subject: str
    other: str
    phrases: tuple[str, ...]
    way: Way
    sign: int
    beside: tuple[str, ...] = ()
    superlative: bool = False
    negated: bool = False
    every: bool = False
    strong: bool = False
    slight: bool = False


class Reading(Struct, frozen=True):
    """What was read of a sentence.

    Attributes:
        comparisons: In their order.
        complete: Every comparison in it was read; only then can the sentence as a whole be said to follow.
    """

    comparisons: tuple[Comparison, ...] = ()
    complete: bool = False


_LONGEST = 600  # characters; a longer sentence says more than one comparison
_I = re.IGNORECASE
_LEAD_IN = re.compile(r"^[^:.]{1,60}(?:\*\*:|:\*\*)\s*")
_MARKUP = re.compile(r"\*\*|\*|`|^\s*[-•>#]\s+")
_REFERENCE = re.compile(
    r"\s?\((?:see |cf\. )?(?:Table|Figure|Fig\.|Section|Tab\.)[^()]{0,40}\)|\s?\([A-Z][\w+ -]{0,20}\)", _I
)
_HEDGE = re.compile(
    r"\b(?:sometimes|often|occasionally|generally|typically|usually|mostly|largely|partly|partially|nearly|almost"
    r"|roughly"
    r"|approximately|unless|likely|seems?|seemed|appears?|appeared|tends?|tended|early|initial(?:ly)?|eventually|if"
    r"|whether|when"
    r"|once|until|one of|among the|second|third|runner-up|next-best|not (?:only|significantly|always|necessarily|all"
    r"|every)"
    r"|trade-?offs?|balance|per|may|might|could|would|should|can|will|expect\w*|hypothesi\w+|never|neither|nor"
    r"|hardly|barely"
    r"|without|instead|rather|only|even|some|several|most|many|certain|relationship|ones?)\b",
    _I,
)
_STRONG = re.compile(
    r"\b(?:significant|substantial|dramatic|marked|considerabl|vast|drastic)(?:ly|y|)\b|\b(?:far|much|clearly)\b", _I
)
_SLIGHT = re.compile(r"\b(?:slight|marginal|modest)(?:ly)?\b", _I)
_MARGIN = re.compile(r",? by (?:an? )?(?:(?:very )?\w+ )?(?:margins?|gaps?)\b", _I)
_EVERY = re.compile(
    r"\b(?:consistently|uniformly|always|invariably)\b|\b(?:across|on|in|for|over|under) (?:all|every|each|both"
    r"|the entire|the full)\b",
    _I,
)
_THAT = re.compile(
    r"^(?:[\w'’ -]{0,80}\b)?(?:results?|experiments?|evaluations?|findings?|tables?(?: \d+)?|figures?(?: \d+)?|we"
    r"|analys[ei]s|studies|study"
    r"|comparisons?|it)\b[\w'’ -]{0,60}\b(?:show|demonstrat|indicat|reveal|confirm|suggest|find|found|observ|see|saw"
    r"|report|conclud"
    r"|establish|not)(?:e?s|ed?|ing)? (?:clearly |strongly )?that ",
    _I,
)
_OPENING = re.compile(
    r"^(?:overall|notably|importantly|interestingly|surprisingly|unexpectedly|remarkably|in contrast|by contrast"
    r"|however|moreover"
    r"|furthermore|additionally|in addition|finally|specifically|in particular|in summary|in conclusion|as expected"
    r"|as anticipated"
    r"|conversely|similarly|thus|therefore|hence|first|secondly|here|again|indeed|also|in fact|unsurprisingly"
    r"|(?:contrary to|as (?:shown|seen|illustrated|reported|can be seen|depicted|summari[sz]ed)|according to"
    r"|from) [^,]{0,60}),\s*",
    _I,
)
# What a comparison is said to mean is no part of what can be looked up.
_MEANING = re.compile(
    r",? (?:thereby |thus |clearly )?(?:indicat|suggest|demonstrat|confirm|highlight|validat|underscor|illustrat"
    r"|reveal|reflect|imply|prov"
    r"|support|emphasi[sz]|establish|mak|signify|lead)ing\b(?:(?!,? (?:while|but|whereas)\b).)*|,? (?:due|thanks"
    r"|owing) to\b.*$|,? as (?:shown|seen"
    r"|illustrated|reported|depicted|summari[sz]ed|measured|evidenced)\b.*$|,? (?:because|since|which (?:suggest"
    r"|indicat|show|demonstrat|confirm|highlight|validat)\w*)\b.*$",
    _I,
)
_CLAUSE = re.compile(
    r"\s*(?:;|,?\s(?:but|while|whereas|although|though|despite|yet)\s|\s[–—]\s|—"
    r"|,\s(?=(?:out|under)performing\b|(?:surpass|beat|achiev|yield|show|exhibit|attain)ing\b|with\s))\s*",
    _I,
)
_IN_THIS = re.compile(r"^(?:in|on|for|under|at|with)\s(.{1,60})\s(it|they)$", _I)
_CONCESSION = re.compile(r"^(?:while|although|though|despite|whereas|even though)\s+([^,]{1,160}),\s+", _I)
_LEADING = re.compile(
    r"^(?:(?:compared|relative) (?:to|with)\s+(?P<other>[^,]{1,80})"
    r"|(?:on|in|for|at|under|with|across|among|in terms of|regarding|within)\s+(?P<where>[^,]{1,80})),\s+",
    _I,
)
_KEY = re.compile(
    r"\b(?:(?P<verb>(?:out|under)perform(?:s|ed|ing)?|surpass(?:es|ed|ing)?|beats?|improv(?:es?|ed|ing) (?:over|upon))"
    r"|(?P<better>better|worse|superior|inferior|improved|improv(?:es|ing)|(?:improvement|gain)s?(?= (?:over|in|on"
    r"|compared|relative)\b))"
    r"|(?P<size>higher|lower|larger|smaller|greater|fewer|reduc(?:es|ed|ing)|increas(?:es|ed|ing))|(?P<speed>faster"
    r"|slower)"
    r"|(?P<best>best|worst)(?:[- ]performing)?|(?P<most>highest|lowest|largest|smallest)|(?P<fastest>fastest|slowest)"
    r"|(?P<near>comparabl[ey]|competitive(?:ly)?|similar(?:ly)?|on par))\b(?!-(?!performing))",
    _I,
)
_DOWN = re.compile(r"underperform|worse|inferior|lower|smaller|fewer|reduc|slower|worst|lowest|smallest|slowest", _I)
_CONNECTOR = re.compile(r"\b(?:than|(?:as )?compared (?:to|with)|relative to|versus|vs\.?|over|with|to)(?:\s|$)", _I)
_WHERE = re.compile(
    r"(?:^|\s)(?:in terms of|with respect to|in|on|for|across|at|under|during|using|with|within|among|of|by|over"
    r"|from)\s",
    _I,
)
_VERB = re.compile(
    r"\b(?:achiev|yield|show|exhibit|demonstrat|obtain|attain|reach|produc|provid|maintain|deliver|display|record"
    r"|offer|perform|remain|stay"
    r"|rank|show?n?|hav|giv|result|lead|ke?pt|keep)(?:e[sdn]?|s|ed|ing|t|)?\b|\b(?:has|had|is|are|was|were|be|been"
    r"|being|gave|led|do|does|did"
    r"|fail(?:s|ed)?)\b",
    _I,
)
_NOT = re.compile(
    r"\b(?:do|does|did|is|are|was|were|has|have) not\b|n['’]t\b|\bfail(?:s|ed)? to\b|\bno (?=better|worse|faster"
    r"|higher|lower)",
    _I,
)
_ANY_NOT = re.compile(r"\b(?:not|no|fail\w*)\b|n['’]t\b", _I)
_SPARE = re.compile(
    r"\b(?:an?|the|its|their|to|not|no|in|itself|also|still|again|overall|very|as|of|at|by|it|they|this|clear|strong"
    r"|notable"
    r"|significant|substantial|slight|marginal|modest|small|minor|far|much|\w+ly)\b|[,()]",
    _I,
)


def read_comparisons(sentence: str) -> Reading:
    """Read the comparisons of a sentence.

    Args:
        sentence: The sentence, with or without markup.

    Returns:
        What it compares, as far as it is read.

    Example:
        >>> reading = read_comparisons("Overall, **Ours** outperforms the SVM on F1, indicating better features.")
        >>> reading.complete, [(c.subject, c.other, c.phrases, c.sign) for c in reading.comparisons]
        (True, [('Ours', 'the SVM', ('F1',), 1)])
        >>> read_comparisons("Ours is often better than the SVM.").comparisons
        ()
    """
    if len(sentence) > _LONGEST or "…" in sentence:
        return Reading()
    text = _MARKUP.sub("", _LEAD_IN.sub("", sentence, count=1)).strip().rstrip(".:!")
    text = _MEANING.sub("", _REFERENCE.sub("", text))
    if _HEDGE.search(text) is not None or "(" in text:
        return Reading()
    text = _introduced(text)
    conceded = _CONCESSION.match(text)
    complete = True
    if conceded is not None:
        complete = _KEY.search(conceded[1]) is None
        text = _introduced(text[conceded.end() :])
    leading = _LEADING.match(text)
    if leading is not None:
        text = text[leading.end() :]
    against, where = (leading["other"] or "", leading["where"] or "") if leading is not None else ("", "")
    found: list[Comparison] = []
    main = ""
    for clause in _CLAUSE.split(text):
        own = list(_of_clause(clause, against, where, found[-1] if found else None))
        if own and main and not own[0].subject and f", {clause}" in text:  # "A has a high F1, outperforming B"
            subject, said = _subject_of(main)
            own = [msgspec.structs.replace(each, subject=subject, beside=tuple(said)) for each in own]
        main = "" if own else clause
        complete = complete and bool(own)
        found += own
    return Reading(tuple(found), complete and bool(found))


def _introduced(text: str) -> str:
    """Take off what leads up to the comparison."""
    for _ in range(3):
        shorter = _THAT.sub("", _OPENING.sub("", text, count=1), count=1)
        if shorter == text:
            break
        text = shorter
    return text


def _of_clause(clause: str, other: str, where: str, before: Comparison | None) -> Iterator[Comparison]:
    keys = list(_KEY.finditer(clause))
    if not keys:
        return
    left = clause[: keys[0].start()]
    negated = _NOT.search(left) is not None
    if len(_ANY_NOT.findall(clause)) > negated:
        return  # denied in another way, or twice
    subject, own = _subject_of(left)
    rest = clause[keys[-1].end() :]
    superlative = any(key.lastgroup in ("best", "most", "fastest") for key in keys)
    if keys[0].lastgroup == "verb":
        if len(keys) > 1:
            return
        named, phrases = _split(rest)
    elif superlative:
        named, phrases = "", [piece for piece in (part.strip() for part in _WHERE.split(rest)) if piece]
    else:
        connector = _CONNECTOR.search(rest)
        if connector is None and not other:
            return
        if connector is not None:
            named, phrases = _split(rest[connector.end() :])
            phrases = [*_pieces(rest[: connector.start()]), *phrases]
        else:
            named, phrases = "", _pieces(rest)
    if named and other:
        return
    shared = Comparison(
        subject,
        named.strip() or other.strip(),
        tuple(p for p in (*own, where.strip(), *phrases) if p),
        "quality",
        1,
        superlative=superlative,
        negated=negated,
        every=_EVERY.search(clause) is not None or _EVERY.search(f"in {where}") is not None,
        strong=_STRONG.search(clause) is not None or _MARGIN.search(clause) is not None,
        slight=_SLIGHT.search(clause) is not None,
    )
    if not subject and before is not None and not left.strip():  # "... but lower than B": of the same thing
        shared = msgspec.structs.replace(shared, subject=before.subject, phrases=shared.phrases or before.phrases)
    if not superlative and not shared.other:
        return
    yield from _each(clause, keys, shared)


def _each(clause: str, keys: list[re.Match[str]], shared: Comparison) -> Iterator[Comparison]:
    """One comparison for each word that compares: ``a higher F1 and lower loss than B`` are two."""
    for at, key in enumerate(keys):
        phrases = shared.phrases
        if len(keys) > 1:
            end = keys[at + 1].start() if at + 1 < len(keys) else key.end()
            between = re.sub(r"(?:,|\band\b|\bor\b|\ban?\b|\bthe\b|\s)+$", "", clause[key.end() : end]).strip()
            if at + 1 < len(keys):
                if not between:
                    return
                phrases = (between, *_after(clause, keys[-1], shared))
        group = key.lastgroup or ""
        way: Way = {"size": "size", "most": "size", "speed": "speed", "fastest": "speed", "near": "near"}.get(
            group, "quality"
        )  # type: ignore[assignment]
        yield msgspec.structs.replace(shared, way=way, sign=-1 if _DOWN.match(key[0]) else 1, phrases=phrases)


def _after(clause: str, last: re.Match[str], shared: Comparison) -> tuple[str, ...]:
    """The phrases that stand behind what a comparison is made with, and so belong to all words that compare."""
    connector = _CONNECTOR.search(clause, last.end())
    tail = clause[connector.end() :] if connector is not None else ""
    return tuple(phrase for phrase in shared.phrases if phrase in tail)


def _subject_of(left: str) -> tuple[str, list[str]]:
    """What stands before the word that compares: the subject, and what is said of the measure behind its verb."""
    left = _MARGIN.sub("", left)
    verb = _VERB.search(left)
    subject, behind = (left[: verb.start()], left[verb.start() :]) if verb is not None else (left, "")
    between = _SPARE.sub(" ", _VERB.sub(" ", behind))
    subject = re.sub(r"\b(?:\w+ly|also|still|far|much|clear)\b\s*$", "", subject.strip().rstrip(","), flags=_I).strip()
    subject = re.sub(r"\s\w+ly$", "", subject, flags=_I)
    words = " ".join(between.split())
    phrases = [words] if words else []
    subject = re.sub(r"^with ", "", subject.strip(" ,"), flags=_I)
    placed = _IN_THIS.match(subject)
    return (placed[2], [placed[1], *phrases]) if placed is not None else (subject, phrases)


def _split(rest: str) -> tuple[str, list[str]]:
    """Split what stands behind ``than`` into what is compared with, and where."""
    rest = _MARGIN.sub("", rest)
    rest = re.sub(r"^\s*(?:that|those) of\b", "", rest, flags=_I)
    named, *others = _WHERE.split(rest.strip())
    named = re.sub(r"(?:\s\w+ly)+$", "", named, flags=_I)
    return named.strip(" ,"), [piece for piece in (other.strip(" ,") for other in others) if piece]


def _pieces(text: str) -> list[str]:
    return [piece for piece in (part.strip(" ,") for part in _WHERE.split(_MARGIN.sub("", text))) if piece]
