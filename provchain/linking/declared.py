"""What an author declares: the strongest tier, and held to what stands at the place that it names.

A declaration says where to look, not that it is true. So each place is looked up, and the number there is compared as any
other: by rounding, and as a percentage of a fraction. What is not there is said twice: as a problem, which a report shows as
a finding, and as a link without operands, which cannot hold.

Spec: docs/reference/matching.md, "Declared links"; schemas/claims.schema.json.
"""

from __future__ import annotations

import difflib
import hashlib
import posixpath
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from provchain.errors import NotANumberError
from provchain.events import Event
from provchain.events.logged import ClaimDeclared, ClaimWaived, DeclaredLink
from provchain.linking.declared_operands import (
    GIVE_OPERATION,
    Item,
    computed_of,
    cut,
    items_of,
    known_operation,
    rounded_of,
)
from provchain.linking.declared_places import Found, MissingPlaceError, Places, named
from provchain.linking.operations import OPERATIONS, Operation, Result, fit
from provchain.linking.words import split_words
from provchain.linking.written import Hit, Written, read_written
from provchain.model import Artifact, Claim, ClaimKind, Execution, Kind, Link, Operand, Place, Relation, Tier, Value
from provchain.numbers import Number, read_number

__all__ = ["OPERATIONS", "DeclaredLinks", "declared_links", "match_claim"]

RULE = "declared"
_TELLING = 3  # significant digits from which on a number can be looked for in a whole file
_MOST_OPERANDS = 10_000
_MOST_HINTS = 20  # problems for which similar claims are looked for: that is slow
_LONGEST_HINTED = 300  # characters
_HUNDRED = Decimal(100)
_AS_IN = 'operation = "relative-change", operands = [{ operation = "mean", ... }, { operation = "mean", ... }]'


class DeclaredLinks(NamedTuple):
    """What became of declarations.

    Attributes:
        links: The links, in the order of the declarations. One without operands cannot hold, and its note says why.
        problems: What is not as declared, each with the place of its declaration.
        values: The operands that are values, by their ids.
    """

    links: list[Link]
    problems: list[tuple[Place, str]]
    values: dict[str, Value]


def match_claim(declaration: ClaimDeclared | ClaimWaived, claims: Iterable[Claim]) -> list[Claim]:
    """Find the claims that a declaration or a waiver can mean: all that it says of its claim has to fit.

    Args:
        declaration: The declaration.
        claims: The claims of all manuscripts.

    Returns:
        The claims, in their order. One is as it should be.

    Example:
        >>> claim = Claim("c1", ClaimKind.NUMBER, "results.md", 18, 9, "0.9290", "knn reaches 0.9290")
        >>> waiver = ClaimWaived(at=Place("claims.toml"), reason="by hand", by="R. Viewer", written="0.9290")
        >>> [found.id for found in match_claim(waiver, [claim])]
        ['c1']
    """
    written = declaration.written.strip() if declaration.written is not None else None
    if not declaration.id and written is None and declaration.line is None:
        return []
    return [
        claim
        for claim in claims
        if (not declaration.id or claim.id == declaration.id)
        and (not declaration.paper or claim.path == declaration.paper)
        and (written is None or claim.written.strip() == written)
        and (declaration.line is None or claim.line == declaration.line)
        and (declaration.column is None or claim.column == declaration.column)
    ]


def declared_links(
    claims: Sequence[Claim],
    declarations: Iterable[Event],
    artifacts: Iterable[Artifact],
    values_of: Callable[[str], Sequence[Value]],
    executions: Iterable[Execution],
) -> DeclaredLinks:
    """Make links of what is declared.

    Args:
        claims: The claims of all manuscripts.
        declarations: The events; those that declare no claim are passed over.
        artifacts: Those of the study. A path means its last state; an artifact's id means that state.
        values_of: Gives the values of an artifact by its id; none where it holds no readable number.
        executions: Those of the study.

    Returns:
        The links and the problems. Of one claim several links are alternatives, so that one that holds is enough.

    Example:
        >>> from provchain.inspection.values import read_values
        >>> claim = Claim("c1", ClaimKind.NUMBER, "results.md", 18, 9, "0.93", "knn reaches 0.93")
        >>> artifact = Artifact("m.json#1", "m.json", 1, Kind.RESULT)
        >>> declared = ClaimDeclared(
        ...     at=Place("claims.toml", "claim[1]"), written="0.93", links=(DeclaredLink(artifact="m.json", selector="/knn"),)
        ... )
        >>> found = declared_links(
        ...     [claim], [declared], [artifact], lambda _: read_values("m.json#1", "m.json", '{"knn": 0.929}'), []
        ... )
        >>> [(link.operands, link.agrees) for link in found.links], found.problems
        ([(('m.json#1!/knn',), True)], [])
    """
    places = Places(artifacts, values_of, executions)
    result = DeclaredLinks([], [], {})
    known: set[str] = set()
    for declaration in declarations:
        if not isinstance(declaration, ClaimDeclared):
            continue
        matches = match_claim(declaration, claims)
        if len(matches) != 1:
            result.problems.append(
                (
                    declaration.at,
                    _no_single_claim(declaration, matches, claims, hint=len(result.problems) < _MOST_HINTS),
                )
            )
            continue
        for declared in declaration.links:
            try:
                link, values = _Linker(matches[0], places).link(declared)
            except MissingPlaceError as missing:
                message = str(missing)
                result.problems.append((declaration.at, f"{_name(matches[0])}: {message}"))
                link, values = _make(matches[0], (), _asked(declared), note=message), ()
            if link.id not in known:
                known.add(link.id)
                result.links.append(link)
                result.values.update((value.id, value) for value in values)
    return result


def _name(claim: Claim) -> str:
    return f"{claim.written!r} at {claim.path}:{claim.line}:{claim.column}"


def _no_single_claim(
    declaration: ClaimDeclared, matches: Sequence[Claim], claims: Sequence[Claim], *, hint: bool
) -> str:
    if matches:
        places = ", ".join(f"{claim.path}:{claim.line}:{claim.column}" for claim in matches[:5])
        more = ", ..." if len(matches) > 5 else ""
        missing = [key for key in ("paper", "line", "column") if not getattr(declaration, key)]
        add = f": add {' and '.join(missing)}" if missing else ""
        return f"it fits {len(matches)} claims ({places}{more}){add}"
    said = [f"{key} {value!r}" for key in ("id", "written", "line", "column") if (value := getattr(declaration, key))]
    paper = declaration.paper
    own = [claim for claim in claims if not paper or claim.path == paper]
    if not own:
        return f"no claim of {paper!r} is audited" if paper else "there is no claim"
    beside = [claim for claim in own if declaration.line is not None and claim.line == declaration.line]
    if not beside and declaration.written and hint and len(declaration.written) <= _LONGEST_HINTED:
        close = difflib.get_close_matches(declaration.written, dict.fromkeys(c.written for c in own[:2_000]), n=3)
        beside = [claim for claim in own[:2_000] if claim.written in close]
    near = f"; near it: {', '.join(_name(claim) for claim in beside[:3])}" if beside else ""
    return f"no claim fits {', '.join(said)}{f' in {paper!r}' if paper else ''}{near}"


def _asked(declared: DeclaredLink) -> str:
    """What a link declares, as one text: it keeps links apart that found nothing."""
    places: list[tuple[str, ...]] = [(declared.artifact, declared.selector, declared.execution)]
    for operand in declared.operands:
        places += [
            (one.artifact, one.selector, one.execution, *([one.operation] if one.operation else []))
            for one in (operand, *operand.operands)
        ]
    return "\x1e".join((declared.operation, *("\x1f".join(place) for place in places)))


def _make(
    claim: Claim,
    operands: tuple[str, ...],
    asked: str,
    *,
    relation: Relation = Relation.DECLARED,
    scale: int = 1,
    agrees: bool = True,
    note: str = "",
) -> Link:
    text = "\x1d".join((claim.id, RULE, *operands, asked))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return Link(digest[:16], claim.id, operands, relation, Tier.DECLARED, RULE, scale, agrees, note)


# -------------------------------------------------------------------------------------------------------- links


class _Linker:
    """Makes the links of one claim."""

    def __init__(self, claim: Claim, places: Places) -> None:
        self.claim = claim
        self.places = places

    def link(self, declared: DeclaredLink) -> tuple[Link, Sequence[Value]]:
        """Make the link that is declared, or raise what is missing."""
        asked = _asked(declared)
        operands = declared.operands or (Operand(declared.artifact, declared.selector, declared.execution),)
        if not all(operand.artifact or operand.execution or operand.operands for operand in operands):
            raise MissingPlaceError("the link names no file and no execution")
        if declared.operation:
            return self._computed(declared.operation, operands, asked)
        if any(operand.operation or operand.operands for operand in operands):
            raise MissingPlaceError(f"operands that are computed belong to an operation of the link: {_AS_IN}")
        if self.claim.kind is not ClaimKind.NUMBER:
            ids, values = self._whole(operands)
            return _make(self.claim, ids, asked), values
        written = self._written()
        spread = written.number.uncertainty
        if spread is not None and len(operands) == 2:
            return self._with_spread(written, operands, spread, asked)
        found = [self._single(written, operand) for operand in operands]
        values = tuple(value for _, own in found for value in own)
        agrees = all(link.agrees for link, _ in found)
        shown = [link for link, _ in found if link.agrees == agrees]
        notes = dict.fromkeys(link.note for link in shown if link.note)
        ids = tuple(dict.fromkeys(one for link, _ in found for one in link.operands))
        return _make(self.claim, ids, asked, scale=shown[0].scale, agrees=agrees, note="; ".join(notes)), values

    def _written(self) -> Written:
        written = read_written(self.claim)
        if written is not None:
            return written
        try:
            return Written(self.claim, read_number(self.claim.written))  # a bound: "< 0.05"
        except NotANumberError:
            raise MissingPlaceError("the claim holds no number that can be compared") from None

    def _whole(self, operands: Sequence[Operand]) -> tuple[tuple[str, ...], tuple[Value, ...]]:
        """What a figure or a statement rests on: whole artifacts, or values where a selector names them."""
        ids: list[str] = []
        values: list[Value] = []
        for operand in operands:
            if operand.execution:
                ids += [
                    artifact.id
                    for artifact in self._figure_among(self.places.generated(operand.execution, self.claim.path))
                ]
            elif operand.selector:
                own = self.places.numbers(operand, self.claim.path).values[:_MOST_OPERANDS]
                values += own
                ids += [value.id for value in own]
            else:
                ids.append(self.places.artifact(operand.artifact, self.claim.path).id)
        return tuple(dict.fromkeys(ids)), tuple(values)

    def _figure_among(self, artifacts: Sequence[Artifact]) -> Sequence[Artifact]:
        if self.claim.kind is not ClaimKind.FIGURE:
            return artifacts
        name = posixpath.basename(self.claim.written.replace("\\", "/"))
        figures = [artifact for artifact in artifacts if artifact.kind is Kind.FIGURE]
        same = [artifact for artifact in figures if posixpath.basename(artifact.path) == name]
        if figures and not same and len(figures) > 1:
            raise MissingPlaceError(f"of the {len(figures)} figures that the execution left none is called {name!r}")
        return same or figures or artifacts

    # ------------------------------------------------------------------------------------------------ one number

    def _single(self, written: Written, operand: Operand) -> tuple[Link, Sequence[Value]]:
        """Compare the number with what stands at one place."""
        found = self.places.numbers(operand, self.claim.path)
        hit = _best(written, found)
        if hit is None and not found.named:
            many = f"; name one of its {len(found.values)} numbers, {GIVE_OPERATION}" if operand.selector else ""
            raise MissingPlaceError(f"nothing in {found.place} says {written.claim.written}{many}")
        if hit is None:
            value = found.values[0]
            note = f"{value.path}:{value.selector} says {cut(value.lexical)}, not {written.claim.written}"
            return _make(self.claim, (value.id,), "", agrees=False, note=note), (value,)
        if not found.named and written.bare < _TELLING and not _shares_word(written, hit.value):
            raise MissingPlaceError(
                f"{written.claim.written} is too short to be found in {found.place} by its digits alone: "
                "name the file and the selector"
            )
        notes = [] if hit.exact else ["off by one in the last digit" if hit.kind == "last digit" else hit.kind]
        notes += [f"times {hit.scale}"] if hit.scale != 1 else []
        if not found.named:
            notes.append(f"one of {len(found.values)} numbers in {found.place}")
        values: tuple[Value, ...] = (hit.value,)
        agrees = True
        if written.number.uncertainty is not None:
            beside = named(found.values, hit.value.selector.removesuffix(";1"))[1:2]
            spread, note, agrees = self._spread_beside(written, hit, beside)
            values += spread
            notes = [note] if not agrees else [*notes, note] if note else notes
        ids = tuple(value.id for value in values)
        return _make(self.claim, ids, "", scale=hit.scale, agrees=agrees, note="; ".join(notes)), values

    def _spread_beside(
        self, written: Written, hit: Hit, beside: Sequence[Value]
    ) -> tuple[tuple[Value, ...], str, bool]:
        """Hold the spread of ``m ± s`` against the number that stands beside its mean."""
        spread = written.number.uncertainty
        if spread is None or not beside or beside[0].selector == hit.value.selector:
            return (), "its spread is not declared", True
        if _rounds(spread, beside[0].number * hit.scale):
            return (beside[0],), "", True
        return (beside[0],), f"its spread stands there as {cut(beside[0].lexical)}, not {spread}", False

    def _with_spread(
        self, written: Written, operands: Sequence[Operand], spread: Decimal, asked: str
    ) -> tuple[Link, Sequence[Value]]:
        """``m ± s`` with a place for each."""
        mean, deviation = (self.places.numbers(operand, self.claim.path) for operand in operands)
        hit = _best(written, mean)
        scale = hit.scale if hit is not None else 1
        fitting = [value for value in deviation.values if _rounds(spread, value.number * scale)]
        for found, fits, number in ((mean, hit is not None, written.number.value), (deviation, bool(fitting), spread)):
            if not fits and not found.named:
                raise MissingPlaceError(f"nothing in {found.place} says {number}")
        values = (hit.value if hit is not None else mean.values[0], (fitting or deviation.values)[0])
        wrong = [
            f"{value.path}:{value.selector} says {cut(value.lexical)}, not {number}"
            for value, fits, number in zip(
                values, (hit is not None, bool(fitting)), (written.number.value, spread), strict=True
            )
            if not fits
        ]
        ids = tuple(value.id for value in values)
        return _make(self.claim, ids, asked, scale=scale, agrees=not wrong, note="; ".join(wrong)), values

    # ------------------------------------------------------------------------------------------------ operations

    def _computed(self, name: str, operands: Sequence[Operand], asked: str) -> tuple[Link, Sequence[Value]]:
        """Compute what is declared, and compare the number with it."""
        operation = known_operation(name)
        if self.claim.kind is not ClaimKind.NUMBER:
            raise MissingPlaceError(f"{name} gives a number, and the claim is a {self.claim.kind.value}")
        items = items_of(operation, operands, self.places, self.claim.path)
        values = [value for item in items for value in item.values]
        written = self._written()
        number, percent = written.number, written.percent
        points = computed_of(operation, items)
        if not points:
            raise MissingPlaceError(f"{name} is not defined for what stands there")
        ids = tuple(dict.fromkeys(value.id for value in values))
        lexical = [item.lexical for item in items]
        for results, more in ((points, ""), (rounded_of(operation, items), ", within the rounding of its operands")):
            for result in results:
                if (fitting := fit(number, result, percent=percent)) is not None:
                    note = operation.describe(lexical, result.how) + (", written without its sign" * fitting.unsigned)
                    note += more + self._spread_of(operation, items, number, int(max(fitting.scale, Decimal(1))))
                    scale = 100 if fitting.scale == _HUNDRED else 1
                    return _make(self.claim, ids, asked, relation=Relation.DERIVED, scale=scale, note=note), values
        said = " or ".join(
            f"{operation.describe(lexical, one.how)} is {_shown(one, number, percent)}" for one in points
        )
        note = f"{said}, not {self.claim.written}{_instead(name, items, number, percent)}"
        return _make(self.claim, ids, asked, relation=Relation.DERIVED, agrees=False, note=note), values

    @staticmethod
    def _spread_of(operation: Operation, items: Sequence[Item], number: Number, scale: int) -> str:
        """Which deviation the spread of a mean is."""
        if number.uncertainty is None:
            return ""
        if operation.name == "mean":
            for result in computed_of(OPERATIONS["std"], items):
                if _rounds(number.uncertainty, result.low * scale):
                    return f" with its {result.how} standard deviation"
        return "; its spread is not what they give"


def _best(written: Written, found: Found) -> Hit | None:
    """The number at a place that agrees: by the rules of rounding, and in a search with more of the claim's words."""
    hits = written.matches(found.values)
    exact = [hit for hit in hits if hit.exact]
    if found.named:
        return next(iter(exact or hits), None) or _of_percentage(written, found)
    if not exact:
        return None
    words = _words_of(written)
    return max(exact, key=lambda hit: (len(words & _labels_of(hit.value)), not hit.value.selector.startswith("line=")))


def _of_percentage(written: Written, found: Found) -> Hit | None:
    """The percentage at a place that the manuscript writes as a fraction."""
    if not written.percent:
        for value in found.values:
            if value.percent and written.number.contains(value.number.scaleb(-2)):
                return Hit(value, "as a fraction", 1)
    return None


def _words_of(written: Written) -> frozenset[str]:
    return written.asked | frozenset(split_words(written.claim.text))


def _labels_of(value: Value) -> frozenset[str]:
    return frozenset(word for label in value.labels for word in split_words(label) if word.isalpha())


def _shares_word(written: Written, value: Value) -> bool:
    return not _words_of(written).isdisjoint(_labels_of(value))


def _rounds(written: Decimal, value: Decimal) -> bool:
    """Whether a value rounds to what is written."""
    exponent = written.as_tuple().exponent
    half = Decimal(5).scaleb(exponent - 1) if isinstance(exponent, int) else Decimal(0)
    return abs(value - written) <= half + Decimal(1).scaleb(-40)


def _instead(name: str, items: Sequence[Item], number: Number, percent: bool) -> str:
    """Points and relative percent are taken for each other more often than anything else: say so where they were."""
    other = {"relative-change": "difference", "difference": "relative-change"}.get(name)
    if other is None or not (percent or number.percent):
        return ""
    for result in computed_of(OPERATIONS[other], items):
        if fit(number, result, percent=percent) is not None:
            return "; it is their difference in points" if other == "difference" else "; it is their relative change"
    return ""


def _shown(result: Result, number: Number, percent: bool) -> str:
    in_percent = (percent or number.percent) and result.unit.value in ("fraction", "factor")
    return f"{float(result.low * 100):.6g} %" if in_percent else f"{float(result.low):.6g}"
