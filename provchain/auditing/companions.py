"""What a reader wants to see beside what decided a verdict: the data behind a rendered number or a figure.

A claim may rest on a manuscript that an execution wrote, on a figure, or on a configuration. The files that the same
execution left or read often hold the number, or the series that was drawn, under the same names. They are shown with the
evidence; no verdict rests on them, and none changes.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

import msgspec
from msgspec import Struct

from provchain.auditing.case import MAX_EVIDENCE
from provchain.auditing.closure import Closure, original
from provchain.auditing.links import Linked
from provchain.linking import link_settings
from provchain.linking.figures import figure_title
from provchain.linking.words import split_words
from provchain.linking.written import Written, read_written
from provchain.model import Claim, ClaimKind, Evidence, Judgement, Kind, Relation, Tier, Value, Verdict

__all__ = ["with_companions"]

_MOST_PLACES = 3
_SHORT = 1  # significant digits: such a number needs its column's name too, or to be the only one of its row
_DRAWING = frozenset(
    split_words("figure plot curve curves comparison chart graph png pdf svg jpg jpeg img image results")
)
# The indices at the end of a pointer (of a matrix: two), else the last one in it; the row of a cell, the number of a line.
_LAST_INDEX = re.compile(r"(?:/\d+)+$|(?<=/)\d+(?=/[^/]*\D[^/]*$)|(?<=line=)\d+|(?<=cell=)\d+")
_AXIS = frozenset(split_words("iteration iterations epoch epochs step steps index round x time"))
_MEAN = frozenset(["mean"])


class _Series(Struct):
    """Values under the same names that only an index tells apart.

    Attributes:
        words: Those of its names.
        values: The values, in their order.
    """

    words: frozenset[str]
    values: list[Value]


def with_companions(
    judgements: Mapping[str, Judgement],
    claims: Sequence[Claim],
    found: Sequence[Value],
    linked: Linked,
    closure: Closure,
) -> dict[str, Judgement]:
    """Show with the evidence of claims what lies behind a manuscript, a figure or a configuration that decided them.

    Args:
        judgements: The verdicts by claim id.
        claims: The claims.
        found: The values that executions left.
        linked: The links of the claims.
        closure: The standing of artifacts.

    Returns:
        The same verdicts, some with more evidence.
    """
    behind = _Behind(found, closure)
    shown = dict(judgements)
    operands = {link.id: link.operands for link in (*linked.links, *linked.typed)}
    for claim in claims:
        judgement = judgements[claim.id]
        if not judgement.evidence or judgement.verdict is Verdict.CONTRADICTED:
            continue
        if claim.kind is ClaimKind.FIGURE:
            places: list[Value] = behind.figure(claim, judgement.evidence)
        elif claim.kind is ClaimKind.NUMBER and all(behind.is_rendered(e) for e in judgement.evidence):
            told = [linked.values[o] for link in judgement.links for o in operands.get(link, ()) if o in linked.values]
            places = behind.number(claim, judgement.evidence, told)
        else:
            continue
        shown[claim.id] = _with_values(judgement, places, closure)
    return _confirmed_settings(shown, claims, found, closure)


def _confirmed_settings(
    judgements: dict[str, Judgement], claims: Sequence[Claim], found: Sequence[Value], closure: Closure
) -> dict[str, Judgement]:
    """Settings that a result or a log repeats under their whole name."""
    configured = [claim for claim in claims if judgements[claim.id].verdict is Verdict.CONFIGURED]
    by_id = {value.id: value for value in found} if configured else {}
    for link in link_settings(configured, found, results=True) if configured else ():
        values = [by_id[operand] for operand in link.operands]
        if link.agrees and all(closure.standing(value.artifact).holds for value in values):
            judgements[link.claim] = _with_values(judgements[link.claim], values, closure, most=1)
    return judgements


def _with_values(
    judgement: Judgement, values: Sequence[Value], closure: Closure, most: int = _MOST_PLACES
) -> Judgement:
    """Add places before the scripts that close the evidence; those already shown are not shown again."""
    have = {(e.path, e.selector) for e in judgement.evidence}
    more: dict[tuple[str, str], Evidence] = {}
    for value in values:
        selector = value.selector.partition(";")[0]
        if (value.path, selector) not in have and len(more) < most:
            writer = original(closure.artifacts[value.artifact], closure.artifacts).writer
            relation = Relation.DERIVED.value
            more[value.path, selector] = Evidence(
                value.path, selector, value.lexical, relation, Tier.LABELS.value, writer
            )
    if not more:
        return judgement
    # A file of which a place is shown now need not be shown as a whole too.
    files = {path for path, _ in more}
    kept = [e for e in judgement.evidence if e.selector or e.path not in files]
    scripts = [e for e in kept if e.path.endswith(".py") and not e.value]
    rest = [e for e in kept if e not in scripts]
    room = MAX_EVIDENCE - len(scripts) - len(more)
    return msgspec.structs.replace(judgement, evidence=(*rest[: max(room, 0)], *more.values(), *scripts))


class _Behind:
    """Finds the values in the files that the execution behind a piece of evidence left or read."""

    def __init__(self, found: Sequence[Value], closure: Closure) -> None:
        self._closure = closure
        self._by_artifact: dict[str, list[Value]] = defaultdict(list)
        for value in found:
            self._by_artifact[value.artifact].append(value)
        self._by_execution: dict[str, list[str]] = defaultdict(list)
        for identifier in self._by_artifact:
            artifact = closure.artifacts.get(identifier)
            if artifact is not None and artifact.kind is not Kind.STREAM:
                self._by_execution[original(artifact, closure.artifacts).writer or ""].append(identifier)
        self._manuscripts = {a.path for a in closure.artifacts.values() if a.kind is Kind.MANUSCRIPT}
        self._series: dict[str, list[_Series]] = {}

    def is_rendered(self, evidence: Evidence) -> bool:
        """Whether a piece of evidence is a manuscript that an execution wrote, or the script that did."""
        return evidence.path in self._manuscripts or (evidence.path.endswith(".py") and not evidence.value)

    def _near(self, evidence: Iterable[Evidence]) -> list[str]:
        """Artifacts with values which the executions behind some evidence left, or read."""
        executions = dict.fromkeys(e.execution for e in evidence if e.execution in self._closure.executions)
        near: dict[str, None] = {}
        for execution in executions:
            used = [usage.artifact for usage in self._closure.executions[execution or ""].used]
            near.update(dict.fromkeys((*self._by_execution.get(execution or "", ()), *used)))
        return [identifier for identifier in near if identifier in self._by_artifact]

    def number(self, claim: Claim, evidence: Sequence[Evidence], told: Sequence[Value]) -> list[Value]:
        """Places that hold a number under the name of its row; a series whose mean it is."""
        written = read_written(claim)
        if written is None:
            return []
        labels = [(claim.row or "", claim.header or "")] if claim.row else []
        labels += [(value.labels[-2], value.labels[-1]) for value in told if len(value.labels) > 1]
        for row, column in labels:
            rows, columns = frozenset(split_words(row)), frozenset(split_words(column))
            fitting = [
                (len(columns & words), -len(words), value)
                for artifact in self._near(evidence)
                for value in self._by_artifact[artifact]
                if written.match(value) is not None
                and rows <= (words := frozenset(w for label in value.labels for w in split_words(label)))
                and rows
            ]
            if fitting:
                best = max(score for score, _, _ in fitting)
                if not best and written.bare <= _SHORT and len({value.labels[-1] for _, _, value in fitting}) > 1:
                    continue
                ranked = sorted((f for f in fitting if f[0] == best), key=lambda f: -f[1])
                return [value for _, _, value in ranked]
            called = columns | frozenset(split_words(claim.caption or ""))
            if _MEAN & called and (series := self._mean(written, rows, columns, evidence)):
                return series
        return []

    def _mean(
        self, written: Written, rows: frozenset[str], columns: frozenset[str], evidence: Sequence[Evidence]
    ) -> list[Value]:
        """Where a series of the column's name begins whose mean is the number: its own name begins that of the row."""
        fitting = []
        for artifact in self._near(evidence):
            for series in self._series_of(artifact):
                own = series.words - columns
                if len(series.values) < 2 or not series.words & (columns - _MEAN):
                    continue
                mean = sum((value.number for value in series.values), Decimal(0)) / len(series.values)
                if _agrees(written, series.values[0], mean) and any(_abbreviates(a, b) for a in own for b in rows):
                    fitting.append(series)
        return [series.values[0] for series in fitting]

    def _series_of(self, artifact: str) -> list[_Series]:
        if artifact not in self._series:
            grouped: dict[str, list[Value]] = defaultdict(list)
            for value in self._by_artifact[artifact]:
                grouped["*".join(_LAST_INDEX.split(value.selector, maxsplit=1))].append(value)
            self._series[artifact] = [
                _Series(
                    frozenset(w for label in values[0].labels for w in split_words(label) if not w.isdigit()), values
                )
                for values in grouped.values()
            ]
        return self._series[artifact]

    def figure(self, claim: Claim, evidence: Sequence[Evidence]) -> list[Value]:
        """The first and the last of the series whose name says what a figure shows."""
        alt = figure_title(claim)
        asked = frozenset(split_words(f"{posixpath.basename(claim.written)} {alt} {claim.caption or ''}")) - _DRAWING
        drawn = [e for e in evidence if not e.path.endswith(".py")]
        scored: dict[tuple[Decimal, ...], tuple[tuple[int, int], _Series]] = {}
        for artifact in self._near(drawn):
            path = self._closure.artifacts[artifact].path
            if path in self._manuscripts or self._closure.artifacts[artifact].kind is Kind.LOG:
                continue
            of_file = frozenset(split_words(posixpath.basename(path)))
            for series in self._series_of(artifact):
                own = asked & series.words
                if own and 2 * len(own) >= len(series.words) and not _is_axis(series):
                    score = (len(asked & (series.words | of_file)), len(own) - len(series.words))
                    same = tuple(value.number for value in series.values)
                    scored[same] = max(scored.get(same, (score, series)), (score, series), key=lambda one: one[0])
        best = max((score for score, _ in scored.values()), default=None)
        leading = [series for score, series in scored.values() if score == best]
        if len(leading) > _MOST_PLACES - 1:
            return []
        return [value for series in leading for value in (series.values[0], series.values[-1])]


def _is_axis(series: _Series) -> bool:
    """Whether a series counts steps, against which others are drawn."""
    named = [label for label in series.values[0].labels if not label.isdigit()]
    return bool(named) and not _AXIS.isdisjoint(split_words(named[-1]))


def _agrees(written: Written, sample: Value, mean: Decimal) -> bool:
    return written.match(msgspec.structs.replace(sample, number=mean)) is not None


def _abbreviates(short: str, long: str) -> bool:
    """Whether a column's word is a row's, or its beginning: ``ret`` for ``retrieval``."""
    return len(short) >= 3 and long.startswith(short)
