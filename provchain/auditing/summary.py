"""A report in a few lines: what `print` and a notebook show. The whole of it is for `provchain.render`.

All names and quotes are foreign text: each is made one clean line, and escaped where the output is HTML.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

from provchain.auditing.answers import JudgedClaim, PaperOutcome
from provchain.model import Action, Outcome, StudyOutcome
from provchain.plaintext import one_line

__all__ = ["summary_html", "summary_text"]

_MOST_BREAKS = 3
_MOST_ROWS = 40


def summary_text(
    title: str,
    outcome: StudyOutcome,
    action: Action,
    papers: Sequence[PaperOutcome],
    claims: Sequence[JudgedClaim],
) -> str:
    """Write a report as a few lines of plain text.

    Args:
        title: Of the study.
        outcome: Its outcome.
        action: What a reader should do.
        papers: The outcome of each manuscript.
        claims: All claims with their verdicts.

    Returns:
        The outcome; for each manuscript its outcome and how many claims have which verdict; the first breaks.

    Example:
        >>> print(summary_text("Proposal", StudyOutcome.UNDETERMINED, Action.REVIEW, [], []))
        undetermined (review): Proposal
          no manuscript
    """
    lines = [f"{outcome.value} ({action.value}): {one_line(title)}"]
    for paper in papers:
        lines.append(f"  {one_line(str(paper))}")
        lines.extend(f"    {count}" for count in _counts([c for c in claims if c.path == paper.path]))
    if not papers:
        lines.append("  no manuscript")
    groups = _by_break(claims)
    if groups:
        lines.append("  first breaks:")
    for group in groups[:_MOST_BREAKS]:
        first, more = group[0], len(group) - 1
        lines.append(f"    {first}" + (f" (and {more} more at the same place)" if more else ""))
        if first.broken is not None:
            lines.append(f"      {_where(first)}: {one_line(first.broken.why)}")
    if len(groups) > _MOST_BREAKS:
        lines.append(f"    ... and {len(groups) - _MOST_BREAKS} more places")
    return "\n".join(lines)


def summary_html(
    title: str,
    outcome: StudyOutcome,
    action: Action,
    papers: Sequence[PaperOutcome],
    claims: Sequence[JudgedClaim],
) -> str:
    """Write a report as a small piece of HTML, for a notebook.

    Args:
        title: Of the study.
        outcome: Its outcome.
        action: What a reader should do.
        papers: The outcome of each manuscript.
        claims: All claims with their verdicts.

    Returns:
        Headings and tables without scripts, styles or links, everything foreign escaped.

    Example:
        >>> "<script>" in summary_html("<script>", StudyOutcome.UNDETERMINED, Action.REVIEW, [], [])
        False
    """
    shown = [claim for claim in claims if claim.measured or claim.broken is not None]
    shown.sort(key=lambda claim: not claim.measured)
    papers_table = _table(
        ("manuscript", "outcome", "action", "claims"),
        (
            (
                paper.path,
                paper.outcome.value,
                paper.action.value,
                "; ".join(_counts([c for c in claims if c.path == paper.path])),
            )
            for paper in papers
        ),
    )
    claims_table = _table(("place", "written", "verdict", "breaks at", "why"), map(_row, shown[:_MOST_ROWS]))
    rest = len(claims) - len(shown[:_MOST_ROWS])
    parts = (
        f"<p><strong>{outcome.value}</strong> ({action.value}): {escape(one_line(title))}</p>",
        papers_table if papers else "<p>no manuscript</p>",
        claims_table if shown else "",
        f"<p>and {rest} more claims</p>" if rest and shown else "",
    )
    return "<div>" + "".join(parts) + "</div>"


def _row(claim: JudgedClaim) -> tuple[str, ...]:
    broken = claim.broken
    place = f"{claim.path}:{claim.line}:{claim.column}"
    return (place, claim.written, claim.verdict.value, _where(claim), broken.why if broken is not None else claim.note)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    body = ("<tr>" + "".join(f"<td>{escape(one_line(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(body)}</tbody></table>"


def _counts(claims: Sequence[JudgedClaim]) -> list[str]:
    """How many results, and how many other claims, have which verdict."""
    groups = (
        ("result", [claim for claim in claims if claim.measured]),
        ("other claim", [claim for claim in claims if not claim.measured]),
    )
    lines = []
    for noun, members in groups:
        verdicts = Counter(claim.verdict.value for claim in members).most_common()
        if verdicts:
            counted = ", ".join(f"{number} {verdict}" for verdict, number in verdicts)
            lines.append(f"{len(members)} {noun}{'' if len(members) == 1 else 's'}: {counted}")
    return lines or ["no claim"]


def _by_break(claims: Sequence[JudgedClaim]) -> list[list[JudgedClaim]]:
    """Claims that fail or break, those with the same break together; results come before what counts for no outcome."""
    groups: dict[tuple[str, str, str], list[JudgedClaim]] = {}
    for claim in sorted(claims, key=lambda each: not each.measured):
        if claim.broken is not None:
            groups.setdefault((claim.path, claim.broken.link, claim.broken.at), []).append(claim)
        elif claim.outcome is Outcome.FAILED:
            groups.setdefault((claim.path, claim.verdict.value, ""), []).append(claim)
    return list(groups.values())


def _where(claim: JudgedClaim) -> str:
    return one_line(claim.broken.at) if claim.broken is not None else ""
