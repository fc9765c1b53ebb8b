"""The report of an audit: one object in Python, one JSON document for scripts.

Spec: `schemas/report.schema.json` (`provchain-report/1`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from provchain.auditing.answers import JudgedClaim, PaperOutcome
from provchain.auditing.chain import build_chain
from provchain.auditing.chance import ChanceMatch
from provchain.auditing.closure import Closure
from provchain.auditing.graphs import report_document, report_quads
from provchain.auditing.outcome import is_measured
from provchain.auditing.summary import summary_html, summary_text
from provchain.errors import UnknownClaimError
from provchain.model import (
    Action,
    Chain,
    Claim,
    Deviation,
    Execution,
    Finding,
    Judgement,
    Outcome,
    Place,
    RecorderKind,
    Status,
    Study,
    StudyOutcome,
)
from provchain.plaintext import one_line

if TYPE_CHECKING:
    from prov.model import ProvDocument
    from rdflib import Dataset

__all__ = ["JudgedClaim", "PaperOutcome", "Report"]

_FORMAT = "provchain-report/1"
_HOW_TO_NAME = "a claim is named by its id or by path:line[:column]; `provchain query claims` lists them"
_MOST_NEAR = 8  # claims that a hint names


class Report(Struct):
    """What an audit found: the study's outcome, a verdict for each claim, and what they rest on.

    Attributes:
        study: All records.
        judgements: The verdict of each claim, by claim id.
        outcome: The study's outcome: the worst of its manuscripts'.
        action: What a reader should do.
        papers: The outcome of each manuscript.
        policy: Name of the policy that drew the lines.
        not_checked: What the audit did not look at, in words.
        tool: Name and version of the program.
        policy_sha256: Digest of the policy, if it is none of those that ship with provchain.
        chance: How many of the manuscripts' numbers agree with a decoy, or ``None`` if that was not tried.

    Example:
        >>> from provchain import audit
        >>> report = audit("examples/substituted")
        >>> report.outcome.value, report.action.value, len(report.claims), len(report.broken)
        ('unsupported', 'reject', 17, 16)
        >>> for claim in report.broken:
        ...     if claim.line == 18:
        ...         print(claim.written, claim.verdict, claim.broken.at)
        0.9290 synthetic 21.1
        0.0121 synthetic 21.1
        0.9125 synthetic 21.1
        0.0072 synthetic 21.1
        >>> report.chain("results/results.md:18:9").broken.relation
        'wasGeneratedBy'
    """

    study: Study
    judgements: Mapping[str, Judgement]
    outcome: StudyOutcome
    action: Action
    papers: Sequence[PaperOutcome]
    policy: str = "default"
    not_checked: Sequence[str] = ()
    tool: str = "provchain"
    policy_sha256: str | None = None
    chance: ChanceMatch | None = None

    def __str__(self) -> str:
        """Write the answer in a few lines: outcome, manuscripts, verdicts, first breaks."""
        return summary_text(self._title, self.outcome, self.action, self.papers, self.claims)

    def __repr__(self) -> str:
        """Write which study it is of, and its outcome."""
        answer = f"{self.outcome.value} ({self.action.value})"
        counts = f"{len(self.study.claims)} claims, {len(self.broken)} of them fail"
        return f"<Report of {one_line(self._title, 60)!r}: {answer}, {counts}>"

    def _repr_html_(self) -> str:
        """Write the answer for a notebook, everything escaped."""
        return summary_html(self._title, self.outcome, self.action, self.papers, self.claims)

    @property
    def _title(self) -> str:
        return self.study.title or self.study.id

    @property
    def claims(self) -> list[JudgedClaim]:
        """All claims with their verdicts, in the order of their manuscripts."""
        return [JudgedClaim(claim, self.judgements[claim.id]) for claim in self.study.claims]

    @property
    def broken(self) -> list[JudgedClaim]:
        """The claims that fail: their chain does not hold, or the record says something else.

        Also those that the outcome does not count: settings that stand in a manuscript which fails as a whole, waived claims.
        """
        return [claim for claim in self.claims if claim.outcome is Outcome.FAILED]

    @property
    def executions(self) -> list[Execution]:
        """All executions on record, in the order in which they were tried."""
        return list(self.study.executions)

    @property
    def findings(self) -> list[Finding]:
        """The facts that rules established."""
        return list(self.study.findings)

    def claim(self, name: str) -> JudgedClaim:
        """Find a claim, with its verdict, by its id, the start of it, or its place ``path:line[:column]``.

        Args:
            name: The id or place.

        Returns:
            The claim; at a place with several, the first result among them.

        Raises:
            UnknownClaimError: No claim has that id or stands there.
        """
        # An id also comes as `claim/ID` or as the IRI that queries give.
        name = name.rpartition("claim/")[2] or name
        same = [c for c in self.study.claims if c.id == name] or [
            c for c in self.study.claims if len(name) >= 6 and c.id.startswith(name)
        ]
        if not same:
            path, line, column = _place(name)
            same = [
                c
                for c in self.study.claims
                if c.line == line
                and (column is None or c.column == column)
                and (c.path == path or c.path.endswith("/" + path))
            ]
        if not same:
            hint = _near(self.study.claims, *_place(name)[:2]) or _HOW_TO_NAME
            raise UnknownClaimError(f"no claim {name!r}", hint=hint)
        found = min(same, key=lambda c: (not is_measured(c), c.column))
        return JudgedClaim(found, self.judgements[found.id])

    def chain(self, claim: JudgedClaim | Claim | str) -> Chain:
        """The chain of one claim, with its first break marked.

        Args:
            claim: The claim, with or without its verdict, its id, or its place ``path:line[:column]``.

        Raises:
            UnknownClaimError: No claim has that id or stands there.
        """
        found = self.claim(claim if isinstance(claim, str) else claim.id)
        return build_chain(self.study, Closure(self.study), found.claim, found.judgement)

    def graph(self) -> Dataset:
        """The study with its verdicts as a dataset of rdflib, one named graph for each recorder.

        Example:
            >>> from provchain import audit
            >>> names = [graph.identifier.rpartition("/")[2] for graph in audit("examples/repaired").graph().graphs()]
            >>> "provchain" in names
            True
        """
        from provchain.graph.views import quads_to_dataset  # noqa: PLC0415 - rdflib is loaded when it is needed

        return quads_to_dataset(report_quads(self))

    def document(self, *, flat: bool = False) -> ProvDocument:
        """The study with its verdicts as a PROV document of `prov`.

        Args:
            flat: Leave out the bundles of the recorders.

        Returns:
            The whole chain at its top level, and a bundle for each recorder.

        Example:
            >>> from provchain import audit
            >>> document = audit("examples/repaired").document()
            >>> any(bundle.identifier.localpart == "graph/provchain" for bundle in document.bundles)
            True
        """
        return report_document(self, flat=flat)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, in the shape of its JSON Schema."""
        study = self.study
        paths = {artifact.id: artifact.path for artifact in study.artifacts if artifact.kind.value != "stream"}
        testimony = {recorder.id for recorder in study.recorders if recorder.kind is RecorderKind.TESTIMONY}
        return {
            "format": _FORMAT,
            "tool": self.tool,
            "policy": self.policy,
            "policy_sha256": self.policy_sha256,
            "study": {"id": study.id, "title": study.title, "sources": [msgspec.to_builtins(s) for s in study.sources]},
            "outcome": self.outcome.value,
            "action": self.action.value,
            "papers": [msgspec.to_builtins(paper) for paper in self.papers],
            "claims": [self._claim(claim) for claim in study.claims],
            "executions": [_execution(execution, paths, testimony) for execution in study.executions],
            "authorings": [{"id": a.id, "tool": a.tool, "path": a.path, "at": _at(a.at)} for a in study.authorings],
            "deviations": [_deviation(deviation) for deviation in study.deviations],
            "findings": [
                {
                    "rule": f.rule,
                    "severity": f.severity.value,
                    "strength": f.strength.value,
                    "message": f.message,
                    "at": [_at(place) for place in f.at],
                }
                for f in study.findings
            ],
            "coverage": self._coverage(),
        }

    def to_json(self) -> str:
        """The report as a JSON document; the same input gives the same bytes."""
        text = msgspec.json.encode(_clean(self.to_dict()))
        return msgspec.json.format(text, indent=1).decode() + "\n"

    def _claim(self, claim: Claim) -> dict[str, Any]:
        judgement = self.judgements[claim.id]
        broken = judgement.broken
        return {
            "id": claim.id,
            "kind": claim.kind.value,
            "text": claim.text,
            "written": claim.written,
            "path": claim.path,
            "line": claim.line,
            "column": claim.column,
            "table": claim.table,
            "measured": is_measured(claim),
            "verdict": judgement.verdict.value,
            "outcome": judgement.outcome.value,
            "break": {"link": broken.link, "at": broken.at, "why": broken.why} if broken is not None else None,
            "note": judgement.note,
            "waiver": self._waiver(claim.id),
            "evidence": [msgspec.to_builtins(evidence) for evidence in judgement.evidence],
        }

    def _waiver(self, claim: str) -> dict[str, Any] | None:
        waiver = next((waiver for waiver in self.study.waivers if waiver.claim == claim), None)
        if waiver is None:
            return None
        return {"reason": waiver.reason, "by": waiver.by, "at": _at(waiver.at), "counts": waiver.counts}

    def _coverage(self) -> dict[str, Any]:
        results = [claim for claim in self.study.claims if is_measured(claim)]
        outcomes = [self.judgements[claim.id].outcome for claim in results]
        decided = sum(outcome in (Outcome.PASSED, Outcome.FAILED) for outcome in outcomes)
        return {
            "claims": len(self.study.claims),
            "results": len(results),
            "decided": decided,
            "abstained": len(results) - decided,
            "chance_match": self._chance_match(),
            "not_checked": list(self.not_checked),
        }

    def _chance_match(self) -> dict[str, Any] | None:
        chance = self.chance
        return None if chance is None else {"decoy": chance.decoy, "numbers": chance.numbers, "matched": chance.matched}


def _near(claims: Sequence[Claim], path: str, line: int | None) -> str:
    """What stands at a line, or at the nearest ones, where the name of a claim has the right file and no claim's place."""
    own = [claim for claim in claims if claim.path == path or claim.path.endswith("/" + path)]
    if line is None or not own:
        return ""
    least = min(abs(claim.line - line) for claim in own)
    near = [claim for claim in own if abs(claim.line - line) == least]
    shown = ", ".join(f"{c.path}:{c.line}:{c.column} ({one_line(c.written, 20)})" for c in near[:_MOST_NEAR])
    more = f" and {len(near) - _MOST_NEAR} more" if len(near) > _MOST_NEAR else ""
    return f"{'on that line stand' if least == 0 else 'the nearest are'}: {shown}{more}"


def _place(name: str) -> tuple[str, int | None, int | None]:
    head, _, last = name.rpartition(":")
    path, _, middle = head.rpartition(":")
    if path and middle.isdigit() and last.isdigit():
        return path.removeprefix("./"), int(middle), int(last)
    if head and last.isdigit():
        return head.removeprefix("./"), int(last), None
    return name, None, None


def _at(place: Place) -> dict[str, str]:
    return {"path": place.path, "locator": place.locator}


def _deviation(deviation: Deviation) -> dict[str, Any]:
    return {
        "about": deviation.about,
        "planned": deviation.planned,
        "ran": deviation.ran,
        "message": deviation.message,
        "recorded": deviation.recorded,
        "disclosed": deviation.disclosed,
        "executions": list(deviation.executions),
        "at": [_at(place) for place in deviation.at],
    }


def _execution(execution: Execution, paths: Mapping[str, str], testimony: Collection[str]) -> dict[str, Any]:
    return {
        "id": execution.id,
        "command": execution.command,
        "status": execution.status.value,
        "status_source": execution.status_source,
        "observed": execution.recorder not in testimony,
        "exit_code": execution.exit_code,
        "step": execution.step,
        "planned": execution.planned,
        "started": execution.started,
        "ended": execution.ended,
        "at": _at(execution.at),
        "generated": list(dict.fromkeys(paths[i] for i in execution.generated if i in paths)),
        "error": execution.error if execution.status is not Status.COMPLETED else None,
    }


def _clean(value: Any) -> Any:
    """The same data with lone surrogates replaced, which no JSON document can hold."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_clean(item) for item in value]
    return value
