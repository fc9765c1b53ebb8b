"""Operands that a manuscript names: the numbers that stand beside one in its sentence, and cells by their labels.

What is recognised is narrow on purpose. In a sentence three numbers that follow each other, with words between them that say
how they belong together: ``from 0.71 to 0.85 (+19.7 %)``, ``0.90, an improvement of 12.5 % over the baseline's 0.80``,
``12 of 40 (30 %)``. In a table a column or row of changes beside the two that it compares. And a sentence that names two rows
of a table and one of its columns, with the one that is compared with behind ``over``, ``than`` and the like.

Spec: docs/reference/matching.md, 5.6.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from provchain.linking.units import without_unit
from provchain.linking.words import split_words
from provchain.model import Claim, ClaimKind, ClaimRole
from provchain.numbers import Number, find_numbers

__all__ = [
    "BASE",
    "COMPARED",
    "CUE_AFTER",
    "CUE_BEFORE",
    "MARKUP",
    "NOUNS",
    "VERBS",
    "Beside",
    "Cells",
    "Mention",
    "Named",
    "columns_beside",
    "has_letter",
    "mentions_of",
    "named_before",
    "named_in_sentence",
    "phrases_in",
    "tables_of",
]

_MOST_SENTENCE = 4_000  # characters; papers.quote gives far fewer


class Mention(NamedTuple):
    """A number of a sentence, with its claim where it is one of those that were asked about."""

    number: Number
    claim: Claim | None


class Named(NamedTuple):
    """A claim with the operands that its sentence names.

    Attributes:
        claim: The claim.
        left: What is compared, or counted.
        right: What it is compared with, or counted among.
        share: It is a share of counts; else a change or a ratio.
        around: The words right at the claim, for its direction.
        strict: The words have to say which way it goes, and it has to go that way.
        explicit: It can follow from nothing but these two: what does not come out is wrong.
    """

    claim: Claim
    left: Claim
    right: Claim
    share: bool
    around: str
    strict: bool = False
    explicit: bool = False


class Beside(NamedTuple):
    """A column or a row of changes, with the two that it compares.

    Attributes:
        cells: For each of its claims the two cells beside it: the later one first, if the order is not known.
        base_known: The second is what the first is compared with; else it can be the other way round.
        label: The label of the column or row.
    """

    cells: tuple[tuple[Claim, Claim, Claim], ...]
    base_known: bool
    label: str


# -------------------------------------------------------------------------------------------------------- words

NOUNS = r"improvement|increase|decrease|reduction|gain|drop|rise|jump|decline|boost|change|difference|speed-?up|saving"
_QUALITIES = r"higher|lower|better|worse"
# Of these what is more or less may be something else: "with 12 % fewer parameters".
_AMOUNTS = (
    r"(?:more|less|fewer|larger|smaller|greater|shorter|longer|cheaper|faster|slower)(?=\s+than\b|\s*(?:[),.;]|$))"
)
VERBS = (
    r"improv\w+|increas\w+|decreas\w+|reduc\w+|gain\w*|drop\w*|fell|falls?|rose|rises?|grew|grows?|outperform\w*|exceed\w*"
    r"|chang\w+|surpass\w*|declin\w+|boost\w*|shr[aiu]nks?"
)
CUE_AFTER = re.compile(
    r"\s*-?(?:(?:percentage |absolute )?points?|pp|times|fold|x|×)?\s*(?:(?:relative|absolute|overall)\s+)?"
    rf"(?:(?:{NOUNS}|{_QUALITIES})\b|{_AMOUNTS})|\s*(?:relative|absolute)\b",
    re.IGNORECASE,
)
CUE_BEFORE = re.compile(
    rf"\b(?:{NOUNS}|{VERBS}|margin|gap)\b(?:\s+(?!to\b|at\b|from\b|than\b)[\w'’-]+){{0,4}}?"
    r"\s+(?:by|of|is|was)\s+(?:(?:about|roughly|nearly|approximately|an?|relative|absolute)\s+){0,2}[(~+]?\s*$",
    re.IGNORECASE,
)
_OTHER_CLAUSE = re.compile(r"[;]|:\s|\b(?:while|whereas|but|although|though|however|respectively)\b", re.IGNORECASE)
MARKUP = re.compile(r"[*`$]|\\[,;! ]")
COMPARED = r"compared (?:to|with)|versus|vs\.?|against|relative to|over|than|above|below"

# Between the two numbers that are compared.
_FROM = re.compile(r"\bfrom\b(?:\s+[\w'’-]+){0,4}\s*[(~]?\s*$", re.IGNORECASE)
_TO = re.compile(r"(?:\s*\([^()]{0,30}\)|(?:\s+[\w'’-]+){0,2})?\s+to\s+(?:[\w'’-]+\s+){0,3}~?$", re.IGNORECASE)
_ARROW = re.compile(r"\s*(?:→|⟶|-{1,2}>|=>|\\to|\\rightarrow)\s*")
_AGAINST = re.compile(rf"\)?[^.()]{{0,60}}[\s(](?:{COMPARED})(?:\s[^.()]{{0,50}})?[\s(]\s*~?$", re.IGNORECASE)
_VERSUS = re.compile(
    r"(?:\s[^.()]{0,20})?\s(?:compared (?:to|with)|versus|vs\.?|against)\s+(?:[\w'’-]+\s+){0,3}~?$", re.IGNORECASE
)
_BEHIND = re.compile(rf"[^.()]{{0,60}}\b(?:{COMPARED})\s[^.()]{{0,50}}[(]?\s*~?$", re.IGNORECASE)
# From the second of them to the number that follows from both, and what closes it.
_OPENED = re.compile(
    rf"(?:\s+[\w'’-]+){{0,5}}\)?\s*[(\[]\s*(?:(?:i\.e\.,?|an?|or|that is,?|by|=|≈|Δ\s*=?)\s+)?"
    rf"(?:(?:relative|absolute)\s+)?(?:(?:{NOUNS})\s+(?:of\s+)?)?[~=]?\s*$",
    re.IGNORECASE,
)
_LISTED = re.compile(r"[^.()]{0,50},\s*$")
_CLOSED = re.compile(r"\s*-?(?:(?:(?:percentage |absolute )?points?|pp|times|fold|x|×)\s*)?[)\],;]", re.IGNORECASE)
_SAID = re.compile(
    r"\)?(?:(?:\s+[\w'’-]+){0,4},\s*(?:(?:an?|or|i\.e\.,?|which is|that is,?|about|roughly|representing|corresponding to"
    r"|yielding|giving|for)\s+){0,3}"
    r"|(?:\s+[\w'’-]+){0,3}\s+(?:for|representing|corresponding to|yielding|giving)\s+(?:an?\s+)?)"
    rf"(?:(?:relative|absolute)\s+)?(?:(?:{NOUNS})\s+of\s+|(?:{VERBS})\s+by\s+)?[~+]?\s*$",
    re.IGNORECASE,
)
_ALSO = re.compile(r"\)?(?:\s*[^\s.()]{1,12})?\)?,?\s+and\s+(?:(?:an?|by|about|roughly)\s+){0,2}~?$", re.IGNORECASE)
# "from 46.0 to 20.0, by 56.5 %": the verb stands before all three.
_BY_ITSELF = re.compile(
    r"(?:\s+[\w'’-]+){0,3},?\s+by\s+(?:(?:about|roughly|nearly|approximately|some)\s+)?~?$", re.IGNORECASE
)
_MOVED = re.compile(rf"\b(?:{VERBS}|went|goes|moved|lower\w*|cut|cuts)\b", re.IGNORECASE)
# "A needs 46.0 and B 20.0, a reduction of 56.5 %", "A needs 46.0 and B 20.0 (56.5 % fewer)".
_AND = re.compile(r"(?:\s+[^\s.();:,]+){0,5},?\s+and\s+(?:[^\s.();:,]+\s+){0,5}~?$", re.IGNORECASE)
_ONE_WAY = r"reduction|decrease|drop|decline|saving|increase|rise|gain|jump"
_AMOUNTING = re.compile(
    rf"(?:\s+[\w'’-]+){{0,3}},\s*(?:(?:which is|that is,?|i\.e\.,?)\s+)?(?:an?|the)\s+(?:relative\s+)?(?:{_ONE_WAY})\s+of"
    r"\s+(?:(?:about|roughly|nearly|approximately|some)\s+)?~?$",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"(?:\s+[\w'’-]+){0,3}\s*[(\[]\s*~?$", re.IGNORECASE)
_LESS_CLOSED = re.compile(
    r"\s*(?:more|less|fewer|larger|smaller|greater|shorter|longer|cheaper|higher|lower)\s*[)\]]", re.IGNORECASE
)
_ENDED = re.compile(r"\s*(?:[),;]|\.(?:\s|$)|$)")
_ONLY_CHANGE = re.compile(
    rf"\s*[(\[]\s*(?:(?:an?|the)\s+)?(?P<noun>(?:relative\s+)?(?:{_ONE_WAY})\s+of\s+)?$", re.IGNORECASE
)
_NOUN_CLOSED = re.compile(rf"\s*(?:relative\s+)?(?:{_ONE_WAY})\s*[)\]]", re.IGNORECASE)
_CHANGE_CLOSED = re.compile(r"\s*(?:-?(?:percentage |absolute )?points?\s*)?[)\]]", re.IGNORECASE)
_SIGNS = "+-−–"
# Shares of counts.
_OF = re.compile(
    r"\s*/\s*|(?:\s+[\w-]+){0,2}\s+(?:out\s+)?of\s+(?:(?:the|all|our|these|a total of)\s+){0,2}", re.IGNORECASE
)
_SHARE_OPENED = re.compile(r"(?:\s+[\w-]+){0,4}\s*[(\[]\s*(?:i\.e\.,?\s*|=\s*)?|\s*=\s*")
_SHARE_CLOSED = re.compile(
    r"\s*(?:(?:accuracy|recall|precision|coverage|success|pass|failure|error)(?: rate)?\s*)?[)\],;]", re.IGNORECASE
)
_COUNTS_OPENED = re.compile(r"(?:\s+(?!and\b|or\b)[\w-]+){0,5}\s*[(\[]\s*")
_COUNTS_CLOSED = re.compile(r"(?:\s+[\w-]+){0,3}\s*[)\],;]")


# ---------------------------------------------------------------------------------------------------- sentences


def mentions_of(claims: Iterable[Claim]) -> Iterator[tuple[str, list[Mention]]]:
    """Go through the sentences of manuscripts, each with its numbers and their claims.

    Args:
        claims: The claims; those of tables and those that hold no number are passed over.

    Yields:
        The text of a sentence that is quoted as a whole, and its numbers in order.
    """
    prose = [claim for claim in claims if claim.kind is ClaimKind.NUMBER and claim.table is None]
    prose.sort(key=lambda claim: (claim.path, claim.line, claim.column))
    at = 0
    while at < len(prose):
        path, text = prose[at].path, prose[at].text
        mentions: list[Mention] = []
        first = at
        for number in find_numbers(text[:_MOST_SENTENCE]):
            claim = None
            own = at < len(prose) and (prose[at].path, prose[at].text) == (path, text)
            if own and _stands_for(prose[at].written, number):
                claim = prose[at]
                at += 1
            if number.shape == "number":
                mentions.append(Mention(number, claim))
        if at == first:  # its numbers are not found again in its quote
            at += 1
        elif not text.startswith("… ") and not text.endswith(" …"):
            yield text, mentions


def _stands_for(written: str, number: Number) -> bool:
    return " ".join(written.split()) == " ".join(number.written.split())


def named_in_sentence(text: str, mentions: Sequence[Mention]) -> Iterator[Named]:
    """Find the claims of a sentence whose operands stand beside them.

    Args:
        text: The sentence.
        mentions: Its numbers.

    Yields:
        A claim with its operands, as often as three numbers in a row can be read so.
    """
    for at in range(len(mentions) - 2):
        first, second, third = (mention.claim for mention in mentions[at : at + 3])
        if first is None or second is None or third is None:
            continue
        gaps = _gaps(text, mentions, at)
        _, one, two, after = gaps
        yield from _shares(first, second, third, one, two, after)
        if not _OTHER_CLAUSE.search(one) and not _OTHER_CLAUSE.search(two):
            yield from _changes(first, second, third, gaps)
            yield from _also(text, mentions, at, gaps)


_REPRESENTS = re.compile(
    r"\W*(?:This|That|It|The (?:former|difference|change))\s+(?:represents?|is|was|corresponds to|amounts to|marks|means"
    r"|constitutes|translates (?:in)?to|equates to|equals)\s+(?:an?\s+|the\s+)?"
    r"(?:(?:about|roughly|nearly|approximately|relative|absolute)\s+){0,2}~?$",
    re.IGNORECASE,
)
_COMPARES = re.compile(rf"\b(?:{COMPARED})(?!\w)", re.IGNORECASE)


def named_before(sentences: Sequence[tuple[str, Sequence[Mention]]]) -> Iterator[Named]:
    """Find the claims whose operands are the two that the sentence before compares: ``This is a 2.8 % improvement``.

    Args:
        sentences: The sentences with their numbers, in their order.

    Yields:
        A claim with its operands.
    """
    for (earlier, compared), (text, mentions) in pairwise(sentences):
        if len(compared) != 2 or len(mentions) != 1:
            continue
        claim, left, right = mentions[0].claim, compared[0].claim, compared[1].claim
        if claim is None or left is None or right is None or (claim.path, claim.line) != (right.path, right.line):
            continue
        number = mentions[0].number
        between = earlier[compared[0].number.end : compared[1].number.start]
        follows = _REPRESENTS.fullmatch(text[: number.start]) and CUE_AFTER.match(text[number.end :])
        if follows and _COMPARES.search(between):
            yield Named(claim, left, right, False, f" | {text[number.end :][:40]}")


def _gaps(text: str, mentions: Sequence[Mention], at: int) -> tuple[str, str, str, str]:
    """What stands before, between and behind three numbers, up to the numbers beside them."""
    begin = mentions[at - 1].number.end if at else 0
    end = mentions[at + 3].number.start if at + 3 < len(mentions) else len(text)
    numbers = [mention.number for mention in mentions[at : at + 3]]
    edges = [begin, *(edge for number in numbers for edge in (number.start, number.end)), end]
    before, one, two, after = (MARKUP.sub("", text[edges[i] : edges[i + 1]])[:300] for i in (0, 2, 4, 6))
    return before[-120:], one, two, after[:80]


def _shares(first: Claim, second: Claim, third: Claim, one: str, two: str, after: str) -> Iterator[Named]:
    if _OF.fullmatch(one) and _SHARE_OPENED.fullmatch(two) and (_SHARE_CLOSED.match(after) or two.strip() == "="):
        yield Named(third, first, second, True, "")
    if _COUNTS_OPENED.fullmatch(one) and _OF.fullmatch(two) and _COUNTS_CLOSED.match(after):
        yield Named(first, second, third, True, "")


def _changes(first: Claim, second: Claim, third: Claim, gaps: tuple[str, str, str, str]) -> Iterator[Named]:
    before, one, two, after = gaps
    moved = _ARROW.fullmatch(one) is not None or (_TO.fullmatch(one) is not None and _FROM.search(before) is not None)
    against = not moved and _AGAINST.fullmatch(one) is not None
    if moved or against:
        said = CUE_AFTER.match(after) is not None or CUE_BEFORE.search(two) is not None
        bracketed = _OPENED.fullmatch(two) is not None and (_CLOSED.match(after) is not None or said)
        # A sign makes a change of what stands in a list: "(vs. 0.80 for the baseline, +12.5 %)".
        listed = _LISTED.fullmatch(two) is not None and third.written[:1] in "+-−–" and _CLOSED.match(after) is not None
        by_itself = moved and _MOVED.search(before) and _BY_ITSELF.fullmatch(two) and _ENDED.match(after)
        if bracketed or listed or by_itself or (said and _SAID.fullmatch(two)):
            left, right = (second, first) if moved else (first, second)
            explicit = moved and _is_explicit(third, two, after)
            yield Named(third, left, right, False, f"{two[-60:]} | {after[:40]}", explicit=explicit)
    elif _AND.fullmatch(one):
        yield from _of_two(first, second, third, two, after)
    # The change first: "by 19.7 %, from 0.71 to 0.85".
    changed = CUE_AFTER.match(one) is not None or CUE_BEFORE.search(before) is not None
    from_to = _TO.fullmatch(two) is not None and _FROM.search(one) is not None and len(one) <= 60
    arrow = _ARROW.fullmatch(two) is not None and one.rstrip().endswith("(") and len(one) <= 60
    if changed and (from_to or arrow):
        yield Named(first, third, second, False, f"{before[-60:]} | {one[:40]}")
    versus = one.rstrip().endswith("(") and len(one) <= 60 and _VERSUS.fullmatch(two) is not None
    if changed and versus:
        yield Named(first, second, third, False, f"{before[-60:]} | {one[:40]}")
    if _is_between(one, two):
        yield Named(second, first, third, False, f"{one[-60:]} | {two[:40]}")


def _is_explicit(third: Claim, two: str, after: str) -> bool:
    """Whether a number is the change from one number to the next and nothing else: ``from 46.0 to 20.0 (-56.5 %)``."""
    if _AMOUNTING.fullmatch(two):
        return _ENDED.match(after) is not None
    found = _ONLY_CHANGE.fullmatch(two)
    if found is None:
        return False
    said = third.written[:1] in _SIGNS or found["noun"] is not None
    return (said and _CHANGE_CLOSED.match(after) is not None) or _NOUN_CLOSED.match(after) is not None


def _of_two(first: Claim, second: Claim, third: Claim, two: str, after: str) -> Iterator[Named]:
    """What two things that are set side by side differ by, where a word says which way."""
    around = f"{two[-60:]} | {after[:40]}"
    if _AMOUNTING.fullmatch(two) and _ENDED.match(after):
        # Which of them is the base follows from the word: what is reduced was more.
        yield Named(third, second, first, False, around, strict=True)
        yield Named(third, first, second, False, around, strict=True)
    elif _IN_BRACKETS.fullmatch(two) and _LESS_CLOSED.match(after):
        yield Named(third, second, first, False, around, strict=True)


def _is_between(one: str, two: str) -> bool:
    """The change between: ``0.90, an improvement of 12.5 % over the baseline's 0.80``."""
    changed = CUE_AFTER.match(two) is not None or CUE_BEFORE.search(one) is not None
    return changed and len(one) <= 80 and _BEHIND.fullmatch(two) is not None


def _also(text: str, mentions: Sequence[Mention], at: int, gaps: tuple[str, str, str, str]) -> Iterator[Named]:
    """A second change of the same: ``0.90, 12.5 % higher than A (0.80) and 20.0 % higher than B (0.75)``."""
    if at + 4 >= len(mentions) or not _is_between(gaps[1], gaps[2]):
        return
    subject, change, base = (mentions[index].claim for index in (at, at + 3, at + 4))
    _, joint, behind, _ = _gaps(text, mentions, at + 2)
    said = CUE_AFTER.match(behind) and _BEHIND.fullmatch(behind) and _ALSO.fullmatch(joint)
    if said and subject is not None and change is not None and base is not None:
        yield Named(change, subject, base, False, f"{joint[-60:]} | {behind[:40]}")


# ---------------------------------------------------------------------------------------------- columns of changes

Cells = dict[tuple[int, int], Claim]


def tables_of(claims: Iterable[Claim]) -> dict[tuple[str, int], Cells]:
    """The cells that report results, table by table: what only names or sets something is compared with nothing."""
    tables: dict[tuple[str, int], Cells] = {}
    for claim in claims:
        if claim.table is not None and claim.cell is not None and claim.role is ClaimRole.RESULT:
            tables.setdefault((claim.path, claim.table), {}).setdefault(claim.cell, claim)
    return tables


def has_letter(words: tuple[str, ...]) -> bool:
    """Whether words say something that is no number."""
    return any(map(str.isalpha, "".join(words)))


def phrases_in(words: tuple[str, ...], phrases: dict[tuple[int, int], tuple[str, ...]]) -> set[tuple[int, int]]:
    """The phrases that words hold, the longest first: what names ``BERT large`` does not name ``BERT``."""
    taken = [False] * len(words)
    found = set()
    for key, phrase in sorted(phrases.items(), key=lambda item: (-len(item[1]), item[0])):
        for start in range(len(words) - len(phrase) + 1):
            end = start + len(phrase)
            if words[start:end] == phrase and not any(taken[start:end]):
                taken[start:end] = [True] * len(phrase)
                found.add(key)
    return found


_OF_CHANGES = re.compile(rf"\b(?:{NOUNS}|delta|diff|improv)s?\b|Δ|∆|^\W*relative\W*$", re.IGNORECASE)
_MOST_BESIDE = 100  # columns beside a column of changes: of more nobody compares two
BASE = frozenset("baseline base before original control default without vanilla initial old reference".split())  # noqa: SIM905


def columns_beside(claims: Iterable[Claim]) -> Iterator[Beside]:
    """Find the columns and rows of changes, with the two that they compare: named in the label, or the only others.

    Args:
        claims: All claims.

    Yields:
        One for each such column or row.
    """
    for cells in tables_of(claims).values():
        yield from _beside({place: (claim, claim.header or "") for place, claim in cells.items()})
        yield from _beside({(c, r): (claim, claim.row or "") for (r, c), claim in cells.items()})


def _beside(cells: dict[tuple[int, int], tuple[Claim, str]]) -> Iterator[Beside]:
    labels: dict[int, str] = {}
    rows: dict[int, list[int]] = {}
    for (row, column), (_, label) in sorted(cells.items(), key=lambda item: item[0]):
        labels.setdefault(column, label)
        rows.setdefault(column, []).append(row)
    others = {
        index: split_words(without_unit(label)) for index, label in labels.items() if not _OF_CHANGES.search(label)
    }
    if len(others) > _MOST_BESIDE:
        return
    phrases = {(0, index): words for index, words in others.items() if has_letter(words)}
    for column, label in labels.items():
        if column in others:
            continue
        named = sorted(index for _, index in phrases_in(split_words(without_unit(label)), phrases))
        # Of more than two the first is compared with the last: "Clean | Noise 0.1 | Noise 0.2 | Drop".
        ends = sorted(others)[:1] + sorted(others)[-1:] if len(others) >= 2 and not named else []
        pair = named if len(named) == 2 else ends
        if len(pair) != 2:
            continue
        based = [not BASE.isdisjoint(others[index]) for index in pair]
        # The first column is the base, if none says that it is.
        right, left = pair if not based[1] or based[0] else (pair[1], pair[0])
        found = [
            (cells[row, column][0], cells[row, left][0], cells[row, right][0])
            for row in rows[column]
            if (row, left) in cells and (row, right) in cells
        ]
        if found:
            yield Beside(tuple(found), based[0] != based[1], label)
