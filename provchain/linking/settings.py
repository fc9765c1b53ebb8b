"""Settings against the configuration: what a manuscript says was used, and what the code and its command lines say.

A setting is found by its name and its number: ``lr = 1e-3``, ``1,000 samples`` and ``n_samples=1000``, ``80% / 20%`` and
``test_size=0.2``. It is contradicted only by what bears exactly its name and never has its number.

Spec: docs/reference/matching.md, 5.8 (hyperparameters are declared, not measured).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from msgspec import Struct

from provchain.linking.words import split_words
from provchain.linking.written import MAX_LINKS, Hit, Written, make_link, read_written
from provchain.model import COUNT, Claim, ClaimKind, ClaimRole, Link, Tier, Value

__all__ = ["link_settings"]

_AGREES = "5.8 setting"
_OPPOSES = "5.8 setting, another value"
_COUNTING = frozenset(["number", "maximum", "minimum", "total", "n", "size", "length", "len", "limit", "mean"])
_COUNT_WORDS = frozenset(split_words(COUNT))
# Words for the units of data, any of which says how much data there was.
_DATA_WORDS = """
sample example instance item image document doc query question prompt article text sentence record row datapoint
case task problem pair episode trial trajectory dataset data subset review tweet passage user node graph sequence
"""
_FULL = 3.0
_DATA = frozenset(_DATA_WORDS.split())
_SPELLINGS = {
    "timestep": "step",
    "iteration": "step",
    "learning": "learning",
    "discount": "gamma",
    "example": "sample",
    "instance": "sample",
    "datapoint": "sample",
    "doc": "document",
    "sd": "seed",
    "topk": "k",
    "layer": "layer",
    "hid": "hidden",
    "head": "head",
    "token": "token",
    "run": "run",
    "epsilon": "eps",
    "restart": "init",
    "initialization": "init",
    "repeat": "run",
    "repetition": "run",
    "trial": "run",
}
_SPLITS = frozenset(["split", "test", "training", "validation", "holdout"])
_BOUND = re.compile(r"(?:[=:≈]|\\approx|\bis|\bof|\bto|\bwas|\bat)[\s$({\\]*$")
_NAMED = re.compile(r"([A-Za-z\\](?:[\w.\\{}^]|\\_){0,50}?)\}?\$?\s{0,2}=\s{0,2}[${(]?$")
_AFTER_END = re.compile(
    r"[,;:.()/|\[\]]|\b(?:and|with|for|from|in|on|per|to|of|at|using|over|by|each|or|as|were|was|are)\b|\d"
)
_CLAUSE_START = re.compile(r"[,;./|]|\d|\b(?:and|with|using)\b")
_PART_START = re.compile(r"[,;.()/|\[\]]|\d|\b(?:and|with|using)\b")


class _Setting(Struct):
    """A value of a configuration, its labels read.

    Attributes:
        value: The value.
        names: The words of its own name; of a count, those of each thing that it may count.
        around: The words of all its labels.
        counts: It says how many.
    """

    value: Value
    names: tuple[frozenset[str], ...]
    around: frozenset[str]
    counts: bool


class _Asked(Struct):
    """What a manuscript calls a setting.

    Attributes:
        written: Its number.
        before: The words before it, up to the clause's start.
        after: The words of what it counts.
        symbol: The words of the name it is equated to (``lr = 0.1``), or none.
        sentence: All words of its sentence or row.
        cell: It stands in a table, under these words.
    """

    written: Written
    before: frozenset[str]
    after: tuple[str, ...]
    symbol: frozenset[str]
    sentence: frozenset[str]
    cell: bool

    @property
    def words(self) -> frozenset[str]:
        return self.before | frozenset(self.after) | self.symbol


def link_settings(claims: Sequence[Claim], values: Sequence[Value], *, results: bool = False) -> list[Link]:
    """Link settings to the configuration.

    Args:
        claims: The claims; those that tell no setting are passed over.
        values: The values of the configurations that completed executions used.
        results: The values stand in results, which repeat some settings among much else: only the whole name counts, and
            what stands there contradicts no setting.

    Returns:
        The links in the order of the claims; those to a value that says otherwise do not agree.

    Example:
        >>> value = Value("a.py#1!line=2", "a.py#1", "a.py", "line=2", "1000", Decimal(1000), ("n_samples",))
        >>> claims = [Claim(str(n), ClaimKind.NUMBER, "p.md", 3, 1, w, f"We use {w} samples.", role=ClaimRole.SETTING)
        ...           for n, w in enumerate(("1,000", "500"))]
        >>> [(link.claim, link.agrees) for link in link_settings(claims, [value])]
        [('0', True), ('1', False)]
    """
    settings = [_read(value) for value in values]
    links: list[Link] = []
    for claim in claims:
        if claim.role is not ClaimRole.SETTING or claim.kind is not ClaimKind.NUMBER:
            continue
        written = read_written(claim)
        if written is not None:
            asked = _asked(written)
            links += _agreeing(asked, settings, results) or ([] if results else _opposing(asked, settings))
    return links


def _read(value: Value) -> _Setting:
    labels = [frozenset(_spelled(split_words(label))) for label in value.labels if label != COUNT]
    counted = len(labels) < len(value.labels)
    names = labels if counted else labels[-1:]
    around = frozenset(word for label in labels for word in label)
    counts = counted or any(not name.isdisjoint(_COUNTING) for name in names)
    return _Setting(value, tuple(name - _COUNTING or name for name in names if name), around, counts)


def _spelled(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        yield _SPELLINGS.get(word, word)


def _asked(written: Written) -> _Asked:
    claim = written.claim
    before, after = _around(claim)
    named = _NAMED.search(before[-80:])
    symbol = frozenset(_spelled(split_words(named[1]))) if named else frozenset()
    counted = tuple(_spelled(split_words(after)))[:3]
    sentence = frozenset(_spelled(split_words(claim.text)))
    if claim.table is not None:
        words = frozenset(_spelled(split_words(f"{claim.row or ''} {claim.header or ''}")))
        return _Asked(written, words, counted, symbol, sentence, cell=True)
    bound = _BOUND.search(before) is not None
    starts = (_CLAUSE_START if bound else _PART_START).finditer(before)
    own = tuple(_spelled(split_words(before[max((found.end() for found in starts), default=0) :])))
    return _Asked(written, frozenset(own if bound else own[-3:]), counted, symbol, sentence, cell=False)


def _around(claim: Claim) -> tuple[str, str]:
    """The words before a number and those of what it counts, up to the end of its clause."""
    text = claim.text[:4000]
    at = claim.start
    if at < 0:
        return "", ""
    # A number in a cell may itself be a list: ``1000 samples, 20 features``.
    after = text[at + len(claim.written) :][:60]
    end = _AFTER_END.search(after)
    return text[max(0, at - 120) : at], after[: end.start()] if end else after


def _agreeing(asked: _Asked, settings: Sequence[_Setting], results: bool) -> list[Link]:
    least = _FULL if results else 0
    scored = [
        (score, setting, hit)
        for setting in settings
        if (score := _likeness(asked, setting)) > least and (hit := _hit(asked, setting)) is not None
    ]
    if not scored:
        return []
    best = max(score for score, _, _ in scored)
    if not results and best < _FULL and _opposing(asked, settings):
        return []  # another setting has this number, and the one of this name has another
    kept = [hit for score, _, hit in scored if score > best - 1e-6]
    links = {
        (link := make_link(asked.written.claim, (hit,), Tier.LABELS, _AGREES)).id: link for hit in kept[:MAX_LINKS]
    }
    return list(links.values())


def _likeness(asked: _Asked, setting: _Setting) -> float:
    """How well the name of a setting fits what the manuscript says; 0 where it does not."""
    fits = max((_name_fits(asked, name) for name in setting.names), default=0.0)
    if fits:
        return fits + 0.01 * len(setting.around & asked.words)
    if setting.counts and not _DATA.isdisjoint(asked.after) and _is_data(setting):
        return 2.0 + 0.1 * len(setting.around & asked.words)
    if _is_split(setting) and not _SPLITS.isdisjoint(asked.words | asked.sentence) and asked.written.number.percent:
        return 2.0
    return 0.0


def _name_fits(asked: _Asked, name: frozenset[str]) -> float:
    near = name & asked.words
    if asked.symbol and name == asked.symbol:
        return _FULL + 1
    if near == name and len("".join(name)) > 1:
        return _FULL + 0.1 * len(name)
    if near and name <= asked.sentence:
        return 2.5
    return 1.0 + len(near) / len(name) if near and asked.written.bare >= 2 else 0.0


def _is_data(setting: _Setting) -> bool:
    """Whether a count says how much data was taken: what it counts is called so, or its bound is all that is known."""
    words = setting.around - _COUNTING
    return not words.isdisjoint(_DATA | _SPLITS | {"x", "y", "ds", "df", "i"}) or len(words) == 0


def _hit(asked: _Asked, setting: _Setting) -> Hit | None:
    """The value, where it fits the number; the share that a split leaves is one minus the share that it takes."""
    hit = asked.written.match(setting.value)
    if hit is not None and (hit.kind == "verbatim" or asked.written.number.modifier or _is_equal(asked, hit)):
        return hit
    if not asked.written.number.percent:
        return None
    value = setting.value
    if _is_split(setting):
        rest = Decimal(1) - value.number
        if asked.written.low <= float(rest * 100) <= asked.written.high:
            return Hit(value, "the rest of the split", 1)
    return None


def _is_equal(asked: _Asked, hit: Hit) -> bool:
    """A setting is chosen, not measured: 0.95 is not written as 0.9."""
    return hit.value.number * hit.scale == asked.written.number.value


def _is_split(setting: _Setting) -> bool:
    """Whether a setting says which share of the data is held out (``test_size=0.2``)."""
    return 0 < setting.value.number < 1 and "size" in setting.around and not setting.around.isdisjoint(_SPLITS)


def _opposing(asked: _Asked, settings: Sequence[_Setting]) -> list[Link]:
    """What bears exactly the name that the manuscript gives the number, and always has another one."""
    if asked.written.number.modifier:
        return []
    named = [setting for setting in settings if _is_named(asked, setting)]
    numbers = {setting.value.number for setting in named}
    if not named or len(numbers) > 2:
        return []
    words = {word for setting in named for word in setting.around} - _COUNTING
    meant = named if asked.symbol else [s for s in settings if not s.around.isdisjoint(words)]
    if any(_hit(asked, setting) for setting in meant):
        return []
    claim = asked.written.claim
    links = (make_link(claim, (Hit(s.value, "verbatim", 1),), Tier.LABELS, _OPPOSES, agrees=False) for s in named)
    return list({link.id: link for link in links}.values())[:MAX_LINKS]


def _is_named(asked: _Asked, setting: _Setting) -> bool:
    """Whether a setting has the very name of what is asked, and the name is one that hardly anything else has."""
    if asked.symbol:
        return asked.symbol in setting.names and (len(asked.symbol) > 1 or len(next(iter(asked.symbol))) > 2)
    if asked.cell or not asked.after or not asked.written.number.exact or asked.written.number.percent:
        return False
    if 0 < setting.value.number < 1 < asked.written.number.value:
        return False  # a share of the data says nothing of a count of it
    return (
        setting.counts
        and frozenset(asked.after[:1]) in setting.names
        and len(asked.after[0]) > 3
        and asked.after[0] not in _COUNTING
    )
