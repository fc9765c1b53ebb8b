"""Whether sentences that compare follow from the tables of their own manuscript.

A table is looked at with what its rows or its columns name as the things compared; the other side says in which measure.
Every word of a comparison has to be understood: the things by the labels of one side, the measure and the data by those of
the other side or by the caption. What is left over, a measure without a known direction, a tie within rounding, tables that
disagree: nothing is said then.

Spec: docs/reference/matching.md, 5.10.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product

import msgspec
from msgspec import Struct

from provchain.linking._grid import Grid, Place, Side, read_grids
from provchain.linking.comparisons import Comparison, read_comparisons
from provchain.linking.directions import direction_of
from provchain.linking.naming import Named, is_variant, name_others, name_subject
from provchain.linking.words import initials, names_rate, split_words
from provchain.model import Claim, ClaimKind, ClaimRole

__all__ = ["Compared", "compare_statements"]

_REFERS = re.compile(
    r"\b(?:this|that|these|those|latter|former|such)\s(?:metrics?|measures?|data ?sets?|tasks?|benchmarks?|groups?"
    r"|splits?|regards?|respects?"
    r"|aspects?|categor\w+|cases?|dimensions?)\b",
    re.IGNORECASE,
)
_BOTH = re.compile(r"\bboth\s(?:metrics|measures)\b", re.IGNORECASE)
_DATA = r"(?:data ?sets|tasks|benchmarks|settings|scenarios|splits|domains|environments)\b"
_BOTH_DATA = re.compile(rf"\bboth\s(?:\w+\s)?{_DATA}", re.IGNORECASE)
_ALL_DATA = re.compile(rf"\b(?:all|both|every|each|across)\s(?:the\s)?(?:\w+\s){{0,2}}{_DATA}", re.IGNORECASE)
_MOST_STATEMENTS = 500  # of one manuscript
_MOST_CELLS = 40  # that one answer names
_FAR = 0.05  # of the larger number: what is called significant is at least so much
_LITTLE = 0.5  # ... and what is called slight at most so much
_NOT_NEAR = 2.0  # times: what is called comparable is not so far off
_NO_FILTER_WORDS = """
performance result quality effectiveness outcome metric measure number figure dataset data benchmark task
setting setup experiment experimental study evaluation test small scale overall all every each both these those
our this considered tested evaluated table general main final terms respect method model approach baseline
variant system among other across scenario different various entire full whole rate considered current
present simplified preliminary particular same condition under capability ability level domain reported
comparison competing low high good strong great competitive
"""
_NO_FILTER = frozenset(_NO_FILTER_WORDS.split())


class Compared(Struct, frozen=True):
    """What the tables say of one sentence.

    Attributes:
        claim: The id of its claim.
        follows: Whether it follows from the cells, or they say the opposite.
        cells: The ids of the claims that are those cells.
        why: In words.
    """

    claim: str
    follows: bool
    cells: tuple[str, ...]
    why: str


class _Answer(Struct, frozen=True):
    """What a table says; ``follows`` is not known where it shows what is compared, and does not decide."""

    follows: bool | None
    cells: tuple[tuple[Claim, Claim], ...]  # the subject's and the other's
    label: str
    spans: int = 1  # on how many data it was looked at, as far as the labels tell


def compare_statements(claims: Sequence[Claim], papers: Mapping[str, str]) -> list[Compared]:
    """Check the sentences that compare against the tables of their manuscripts.

    Args:
        claims: All claims.
        papers: Path of each manuscript to its text, where a pronoun is looked up.

    Returns:
        One entry for each statement that its tables decide.

    Example:
        >>> from provchain.papers import read_claims
        >>> text = "# Results\\n\\n| | F1 |\\n|---|---|\\n| Ours | 0.71 |\\n| SVM | 0.74 |\\n\\nOurs outperforms the SVM."
        >>> [(found.follows, found.why) for found in compare_statements(read_claims("results.md", text), {})]
        [(False, 'in F1 Ours has 0.71 (line 5) and SVM 0.74 (line 6)')]
    """
    grids = read_grids(claims)
    found = []
    asked: Counter[str] = Counter()
    for claim in claims:
        if claim.kind is not ClaimKind.STATEMENT or claim.role is not ClaimRole.RESULT or claim.path not in grids:
            continue
        asked[claim.path] += 1
        if asked[claim.path] > _MOST_STATEMENTS:
            continue
        answer = _of_statement(claim, grids[claim.path], papers.get(claim.path, ""))
        if answer is not None:
            found.append(answer)
    return found


def _of_statement(claim: Claim, grids: Sequence[Grid], paper: str) -> Compared | None:
    reading = read_comparisons(claim.text)
    answers = [_of_comparison(comparison, claim, grids, paper) for comparison in reading.comparisons]
    wrong = [answer for answer in answers if answer is not None and answer.follows is False]
    if wrong:
        return _compared(claim, wrong[0])
    right = [answer for answer in answers if answer is not None]
    if not right or not reading.complete or len(right) < len(answers):
        return None
    cells = tuple(pair for answer in right for pair in answer.cells)
    return _compared(claim, _Answer(True, cells, right[0].label))


def _compared(claim: Claim, answer: _Answer) -> Compared:
    shown = []
    for own, other in answer.cells[:2]:
        mine, theirs, where = _said(own, other, answer.label)
        shown.append(
            f"in {where} {mine} has {own.written} (line {own.line}) and {theirs} {other.written} (line {other.line})"
        )
    cells = dict.fromkeys(cell.id for pair in answer.cells for cell in pair)
    more = len(answer.cells) - len(shown)
    why = "; ".join(shown) + (f"; and so in {more} more" if more > 0 else "")
    return Compared(claim.id, answer.follows is True, tuple(cells)[:_MOST_CELLS], why)


def _said(own: Claim, other: Claim, side: str) -> tuple[str, str, str]:
    if side == "row":
        return str(own.row), str(other.row), str(own.header)
    return str(own.header), str(other.header), str(own.row)


def _of_comparison(comparison: Comparison, claim: Claim, grids: Sequence[Grid], paper: str) -> _Answer | None:
    """What the tables say together: those of the sentence's own section alone, if they show what it compares."""
    near = [grid for grid in grids if grid.section == claim.section]
    where = " ; ".join(comparison.phrases)
    for some in (grids,) if _ALL_DATA.search(where) is not None else (near, grids):
        sole = some is near or len(grids) == 1
        told = [_of_grid(comparison, grid, claim, paper, sole=sole) for grid in some]
        answers = [answer for answer in told if answer is not None]
        if answers:
            cells = tuple(pair for answer in answers for pair in answer.cells)
            same = len({answer.follows for answer in answers}) == 1 and answers[0].follows is not None
            if _BOTH_DATA.search(where) is not None and sum(answer.spans for answer in answers) != 2:
                return None
            return _Answer(answers[0].follows, cells, answers[0].label) if same else None
    return None


def _of_grid(comparison: Comparison, grid: Grid, claim: Claim, paper: str, *, sole: bool) -> _Answer | None:
    told = [_of_side(comparison, side, claim, paper, sole=sole) for side in grid.sides]
    answers = [answer for answer in told if answer is not None]
    if not answers:
        return None
    return answers[0] if len({answer.follows for answer in answers}) == 1 else _Answer(None, (), "")


def _of_side(comparison: Comparison, side: Side, claim: Claim, paper: str, *, sole: bool) -> _Answer | None:
    """What one table says, with the things compared on one of its sides; ``None`` where it does not show them."""
    subject = name_subject(comparison.subject, side.names, claim, paper)
    if subject is None:
        return None
    others = name_others(comparison.other, side.names, subject, superlative=comparison.superlative)
    if others is None or not others.labels:
        return None
    places = _places(comparison, side, (*subject.left, *others.left))
    if places is None:
        return None
    undecided = _Answer(None, (), side.kind)
    if not places:
        return undecided
    if comparison.way == "near":
        return _near(comparison, side, subject, others, places) or undecided
    answer = _ordered(comparison, side, subject, others, places, sole=sole) or undecided
    spans = len(places) if not any(side.names_measure(place) for place in places) else 1
    return msgspec.structs.replace(answer, spans=spans)


# ------------------------------------------------------------------------------------------------------- places


def _places(comparison: Comparison, side: Side, left: tuple[str, ...]) -> dict[Place, int] | None:
    """The places to compare at, each with the sign that the sentence gives it.

    Returns:
        None of them where one has no known direction; ``None`` where a word leads nowhere in this table.
    """
    chosen = list(side.places)
    measured = False
    beside = [phrase for phrase in comparison.beside if _concerns(phrase, side)]
    pairs = False
    for phrase in (*comparison.phrases, *beside, *([" ".join(left)] if left else [])):
        if _REFERS.search(phrase) is not None:
            return None
        pairs = pairs or _BOTH.search(phrase) is not None
        picked: list[Place] = []
        filtered = False
        for item in _items(phrase):
            found = _at(item, side)
            if found is None:
                return None
            measured = True
            if found:
                filtered = True
                picked += found
        if filtered:
            chosen = [place for place in chosen if place in picked]
    signs: dict[Place, int] = {}
    for place in chosen:
        known = side.direction(place)
        if comparison.way == "size" and measured:
            signs[place] = comparison.sign
        elif comparison.way == "speed":
            if known.speed:
                signs[place] = comparison.sign * known.speed
        elif (measured or not known.cost) and not (known.better == 0 and side.is_constant(place)):
            if known.better == 0 and comparison.way == "near":
                continue
            if known.better == 0:
                return {}
            signs[place] = comparison.sign * known.better
    return None if not signs or (pairs and len(signs) != 2) else signs


def _concerns(phrase: str, side: Side) -> bool:
    """Whether words speak of what a table measures, or of any measure."""
    words = frozenset(split_words(phrase))
    seen = frozenset(word for place in side.places for word in side.all_words(place))
    known = direction_of(phrase)
    return bool(words & (seen | side.about)) or known.named or known.cost


def _items(phrase: str) -> list[tuple[str, ...]]:
    """The things that a phrase enumerates, as words; what only says "all metrics" asks for nothing."""
    pieces = (
        phrase.replace(", and ", ",")
        .replace(" and ", ",")
        .replace(" or ", ",")
        .replace("/", ",")
        .replace("&", ",")
        .split(",")
    )
    items = [tuple(word for word in split_words(piece) if word not in _NO_FILTER) for piece in pieces]
    return [item for item in items if item]


def _at(item: tuple[str, ...], side: Side) -> list[Place] | None:
    """The places that words lead to; empty where they are those of the caption; ``None`` where they lead nowhere."""
    asked, short = frozenset(item), initials(item)
    exact = [place for place in side.places if any(side.words(part) in (asked, {short}) for part in place)]
    if exact:
        return exact
    held = [place for place in side.places if asked <= side.all_words(place)]
    if held:
        return held
    if not asked <= side.about:
        return None
    if direction_of(" ".join(item)).named:  # a measure of the caption: not of the columns that name their own
        return [place for place in side.places if not side.names_measure(place)] or None
    return []


# ------------------------------------------------------------------------------------------------------ answers


def _ordered(
    comparison: Comparison, side: Side, subject: Named, others: Named, places: Mapping[Place, int], *, sole: bool
) -> _Answer | None:
    """Whether the subject is on the right side of the others, or on the wrong one, at all places."""
    relations: dict[tuple[str, str, Place], int | None] = {
        (mine, theirs, place): side.order(mine, theirs, place, sign)
        for mine, theirs, (place, sign) in product(subject.labels, others.labels, places.items())
    }
    pairs = tuple(
        (side.cells[mine, place][0], side.cells[theirs, place][0])
        for mine, theirs, place in relations
        if (mine, place) in side.cells and (theirs, place) in side.cells
    )
    if not pairs:
        return None
    whole = None not in relations.values()
    if whole and set(relations.values()) == {1}:
        if comparison.negated:
            return None if others.group else _Answer(False, pairs, side.kind)
        return _Answer(True, pairs, side.kind) if _by_as_much(comparison, pairs) else None
    if comparison.negated:
        wrong = whole and 1 not in relations.values() and not others.group
        return _Answer(True, pairs, side.kind) if wrong else None
    rivals = [label for label in others.labels if not (others.group and is_variant(label, subject.labels, side.names))]

    def loses(rival: str, at: Sequence[Place]) -> bool:
        return all(relations[mine, rival, place] == -1 for mine in subject.labels for place in at)

    at = list(places)
    if others.group and not (others.all or comparison.superlative):
        losing = (
            rivals if rivals and len(rivals) == len(others.labels) and all(loses(rival, at) for rival in rivals) else []
        )
    else:
        losing = [rival for rival in rivals if loses(rival, at)]
    lost_at = at
    if not losing and comparison.every and sole and not (others.group and not others.all):
        losing, lost_at = next((([r], [p]) for r in rivals for p in at if loses(r, [p])), ([], at))
    if not losing:
        return None
    shown = tuple(
        (side.cells[mine, place][0], side.cells[losing[0], place][0]) for place in lost_at for mine in subject.labels
    )
    return _Answer(False, shown, side.kind)


def _by_as_much(comparison: Comparison, pairs: Sequence[tuple[Claim, Claim]]) -> bool:
    """Whether differences are as large as "significantly" says, or as small as "slightly"."""
    if not (comparison.strong or comparison.slight):
        return True
    shares = []
    for mine, theirs in pairs:
        one, two = (abs(float(Side.number_of(cell).value)) for cell in (mine, theirs))
        shares.append(abs(one - two) / max(one, two) if max(one, two) else 0.0)
    return not (comparison.strong and min(shares) < _FAR) and not (comparison.slight and max(shares) > _LITTLE)


def _near(
    comparison: Comparison, side: Side, subject: Named, others: Named, places: Mapping[Place, int]
) -> _Answer | None:
    """Only that something is not near can be said: worst of all, and less than half of it, in scores between 0 and 1 or 100."""
    if comparison.negated or comparison.superlative or len(subject.labels) != 1 or len(others.labels) != 1:
        return None
    mine, theirs = subject.labels[0], others.labels[0]
    far = []
    for place in places:
        own, other = side.cells.get((mine, place)), side.cells.get((theirs, place))
        if not names_rate(side.all_words(place)) or side.direction(place).better != 1:
            continue
        if own is None or other is None:
            return None
        everyone = [label for label in side.names if (label, place) in side.cells and label != mine]
        if any(side.order(mine, label, place, 1) != -1 for label in everyone):
            return None
        whole = 100 if max(own[1].value, other[1].value) > 1 else 1
        if float(other[1].value) >= 0.2 * whole and float(own[1].value) * _NOT_NEAR <= float(other[1].value):
            far.append((own[0], other[0]))
    return _Answer(False, tuple(far), side.kind) if far else None
