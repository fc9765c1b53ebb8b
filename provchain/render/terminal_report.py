"""The report of an audit, for a terminal: the answer first, then the claims it rests on, then everything else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from provchain.render.labels import shorten, shorten_middle, visible
from provchain.render.report_groups import (
    Group,
    group_claims,
    group_executions,
    headline_reason,
    is_result,
    is_waived,
    outcome_words,
    uncounted_kind,
)
from provchain.render.terminal_text import OUTCOME_STYLES, foreign, path_text, plain_box, ruled, symbol
from provchain.render.words import ACTION_WORDS, VERDICT_WORDS

__all__ = ["print_report"]

_WIDE = 110  # columns from which what breaks and what it rests on stand side by side
_MOST_EXECUTIONS = 15
_MOST_ALIKE = 3  # findings of one rule
_ACTION_STYLES = {
    "accept": "bold green",
    "review": "bold yellow",
    "reject": "bold red",
    "report-incomplete": "bold yellow",
}
_STATUS_OUTCOMES = {"completed": "passed", "failed": "failed", "aborted": "failed", "contradicted": "failed"}
_SEVERITIES = (("error", "failed"), ("warning", "cantTell"), ("note", "inapplicable"))


def print_report(report: Mapping[str, Any], console: Console, *, everything: bool = False) -> None:
    """Print the report of an audit.

    Args:
        report: A report in the format ``provchain-report/1``.
        console: Where to print.
        everything: Print each claim and execution instead of folding those that are alike.

    Example:
        >>> import io
        >>> console = Console(file=io.StringIO(), width=80)
        >>> print_report({"outcome": "mixed", "action": "review"}, console)
        >>> console.file.getvalue().splitlines()[0]
        'MIXED: some of its results hold, some do not.'
    """
    _print_headline(report, console)
    _print_claims(report, console, everything=everything)
    _print_executions(report, console, everything=everything)
    _print_deviations(report, console)
    _print_findings(report, console, everything=everything)
    _print_coverage(report, console)


# ------------------------------------------------------------------------------------------------------- headline


def _print_headline(report: Mapping[str, Any], console: Console) -> None:
    outcome, action = str(report.get("outcome", "")), str(report.get("action", ""))
    style = _ACTION_STYLES.get(action, "bold")
    study = report.get("study") or {}
    if title := study.get("title") or study.get("id"):
        console.print(foreign(title, console, style="bold", most=console.width))
    line = foreign(outcome.upper(), console, style=style)
    line.append_text(foreign(f": {outcome_words(report)}.", console))
    console.print(line)
    console.print(
        foreign("Action: ", console).append_text(foreign(ACTION_WORDS.get(action, action), console, style=style))
    )
    console.print(foreign(f"Why: {headline_reason(report)}", console))
    policy, digest = str(report.get("policy") or "default"), str(report.get("policy_sha256") or "")
    if policy != "default" or digest:
        said = f"{visible(policy)} (sha256 {digest[:12]})" if digest else visible(policy)
        console.print(foreign(f"Policy: {said}", console, most=120))
    papers = report.get("papers") or []
    if len(papers) > 1:
        for paper in papers:
            text = path_text(paper.get("path", ""), console, console.width // 2, style="cyan")
            text.append_text(foreign(f": {paper.get('outcome', '')} ({paper.get('action', '')})", console))
            console.print(Padding(text, (0, 0, 0, 2), expand=False))


# --------------------------------------------------------------------------------------------------------- claims


def _print_claims(report: Mapping[str, Any], console: Console, *, everything: bool) -> None:
    by_paper: dict[str, list[Mapping[str, Any]]] = {}
    for claim in report.get("claims") or []:
        by_paper.setdefault(str(claim.get("path", "")), []).append(claim)
    for path, claims in by_paper.items():
        console.print()
        console.print(ruled(path, console))
        console.print(_tally(claims, console))
        groups, others = group_claims(claims)
        if groups:
            console.print(_claim_table(groups, console, everything=everything))
        if others:
            counts = Counter(map(uncounted_kind, others)).most_common()
            said = ", ".join(f"{number} {kind.replace('settings', 'setting', number == 1)}" for kind, number in counts)
            console.print(foreign(f"Not counted as results: {said}.", console, style="dim"))
            if everything:
                console.print(_table_of_others(others, console))


def _table_of_others(claims: Sequence[Mapping[str, Any]], console: Console) -> Table:
    """What is no result, with why: settings, citations, years."""
    table = Table(box=plain_box(console), pad_edge=False, show_edge=False, header_style="bold", expand=False)
    table.add_column("place", no_wrap=True, style="cyan")
    table.add_column("written", max_width=18, overflow="fold")
    table.add_column("verdict", overflow="fold")
    table.add_column("why", ratio=1, overflow="fold")
    for claim in claims:
        verdict = str(claim.get("verdict", ""))
        table.add_row(
            foreign(f"{claim.get('line', '?')}:{claim.get('column', '?')}", console, most=12),
            _written_text(claim, console, 18),
            foreign(verdict, console),
            foreign(visible(_why(claim) or VERDICT_WORDS.get(verdict, "")), console, style="dim", most=160),
        )
    return table


def _tally(claims: Sequence[Mapping[str, Any]], console: Console) -> Text:
    """How many results have each verdict, in lines that break only between two of them."""
    results = [(str(claim.get("verdict", "")), str(claim.get("outcome", ""))) for claim in claims if is_result(claim)]
    text, filled = Text(), 0
    for (verdict, outcome), number in Counter(results).most_common():
        style = OUTCOME_STYLES.get(outcome, "")
        item = foreign(f"{symbol(outcome, console)} {number} {verdict}", console, style=style)
        if filled and filled + 3 + item.cell_len > console.width:
            text.append("\n")
            filled = 0
        text.append("   " if filled else "").append_text(item)
        filled += item.cell_len + 3
    return text or foreign("no results", console, style="dim")


def _claim_table(groups: Sequence[Group], console: Console, *, everything: bool) -> Table:
    wide = console.width >= _WIDE
    table = Table(box=plain_box(console), pad_edge=False, show_edge=False, header_style="bold", expand=False)
    table.add_column("place", no_wrap=True, style="cyan")
    table.add_column("written", max_width=_written_width(console), overflow="fold")
    table.add_column("verdict", width=None if wide else 17, no_wrap=wide)
    if wide:
        table.add_column("breaks at", ratio=3, overflow="fold")
        table.add_column("evidence", ratio=3, overflow="fold")
    else:
        table.add_column("evidence, and where it breaks", ratio=1, overflow="fold")
    for group in groups:
        _add_group(table, group, console, wide=wide, everything=everything)
    return table


def _add_group(table: Table, group: Group, console: Console, *, wide: bool, everything: bool) -> None:
    shown = group.claims if everything else group.claims[: group.shown]
    style = OUTCOME_STYLES.get(group.outcome, "")
    said: str | None = None
    for claim in shown:
        place = foreign(f"{claim.get('line', '?')}:{claim.get('column', '?')}", console, most=12)
        written = _written_text(claim, console, _written_width(console))
        verdict = foreign(f"{symbol(group.outcome, console)} {_parted(group.verdict, wide=wide)}", console, style=style)
        where = _break_text(claim, console, short=_why(claim) == said)
        evidence = _evidence_text(claim, console)
        if is_waived(claim):
            verdict.append_text(foreign(" waived", console, style="bold"))
        if not (where or evidence or _why(claim) == said):
            why = _why(claim) or VERDICT_WORDS.get(group.verdict, "")
            where = foreign(visible(why), console, style="dim", most=160)
        said = _why(claim)
        if wide:
            table.add_row(place, written, verdict, where, evidence)
        else:
            table.add_row(place, written, verdict, Text("\n").join(each for each in (evidence, where) if each))
    hidden = len(group.claims) - len(shown)
    if hidden:
        table.add_row("", foreign("…", console), *_folded(group, hidden, console, wide=wide))


def _why(claim: Mapping[str, Any]) -> str:
    """The reason that a claim has in words: what equals the one above it is not written again."""
    return str((claim.get("break") or {}).get("why") or claim.get("note") or "")


def _written_width(console: Console) -> int:
    return 18 if console.width >= _WIDE else 14


def _written_text(claim: Mapping[str, Any], console: Console, width: int) -> Text:
    """What a claim says; the name of a figure's file is cut in its middle and keeps its ending."""
    if claim.get("kind") == "figure":
        return path_text(claim.get("written", ""), console, width)
    return foreign(claim.get("written", ""), console, most=60)


def _folded(group: Group, hidden: int, console: Console, *, wide: bool) -> tuple[Text, ...]:
    text = foreign(f"… {hidden} more {group.noun(hidden)} {group.same}", console, style="italic")
    lines = foreign(group.where(), console, style="dim")
    if wide:
        return (Text(""), text, lines)
    return (Text(""), Text(" ").join((text, lines)) if lines else text)


def _parted(verdict: str, *, wide: bool) -> str:
    """A verdict that is too long for its column breaks at a hyphen."""
    return verdict if wide or len(verdict) <= 15 else verdict.replace("-with-", "-with- ")


def _break_text(claim: Mapping[str, Any], console: Console, *, short: bool) -> Text:
    broken = claim.get("break")
    if not broken:
        return Text("")
    at, why = broken.get("at", ""), broken.get("why", "")
    if at == claim.get("path"):  # the manuscript itself is where the claim stands, not where a chain was followed to
        return foreign("" if short else visible(why), console, most=160)
    text = foreign("breaks at ", console, style="dim") if console.width < _WIDE else Text("")
    text.append_text(path_text(at, console, 60, style="red"))
    if not short:
        why = why or VERDICT_WORDS.get(str(broken.get("link", "")), "")
        text.append_text(foreign(f": {visible(why)}" if why else "", console, most=160))
    return text


def _evidence_text(claim: Mapping[str, Any], console: Console) -> Text:
    operands = claim.get("evidence") or []
    if not operands:
        return Text("")
    first = operands[0]
    text = path_text(first.get("path", ""), console, 48)
    note = str(claim.get("note") or "")
    if note and first.get("relation") in ("aggregated", "derived"):  # no operand says what the claim says
        text.append_text(foreign(f": {note}", console, most=100))
        if execution := first.get("execution"):
            text.append_text(foreign(f" (by {visible(execution)})", console, style="dim", most=24))
        return text
    selector, value, execution = first.get("selector"), first.get("value"), first.get("execution")
    if selector:
        text.append(" ").append_text(path_text(selector, console, 32, style="dim"))
    if value and value != claim.get("written"):
        text.append_text(foreign(f" = {shorten(visible(value), 24)}", console))
    if execution:
        text.append_text(foreign(f" (by {visible(execution)})", console, style="dim", most=24))
    if len(operands) > 1:
        text.append_text(foreign(f" and {len(operands) - 1} more", console))
    return text


# ----------------------------------------------------------------------------------------------------- executions


def _print_executions(report: Mapping[str, Any], console: Console, *, everything: bool) -> None:
    executions = report.get("executions") or []
    if not executions:
        return
    tries = group_executions(report, everything=everything)
    wide = console.width >= _WIDE
    console.print()
    console.print(ruled(f"executions ({len(executions)})", console))
    table = Table(box=plain_box(console), pad_edge=False, show_edge=False, header_style="bold")
    table.add_column("id", overflow="fold", max_width=12, style="cyan")
    table.add_column("status", width=14)
    table.add_column("command" if wide else "command, and what it left", ratio=3, overflow="fold")
    if wide:
        table.add_column("step", ratio=1, overflow="fold")
        table.add_column("generated", ratio=2, overflow="fold")
    shown = tries if everything else tries[:_MOST_EXECUTIONS]
    for alike in shown:
        _add_execution(table, alike, console, wide=wide)
    if shown:
        console.print(table)
    if hidden := len(executions) - sum(map(len, shown)):
        seen = Counter(str(each.get("status", "unknown")) for each in executions)
        seen.subtract(Counter(str(each.get("status", "unknown")) for alike in shown for each in alike))
        said = ", ".join(f"{number} {status}" for status, number in seen.most_common() if number)
        console.print(foreign(f"… {hidden} more, on which no claim rests: {said}", console, style="dim"))


def _add_execution(table: Table, alike: Sequence[Mapping[str, Any]], console: Console, *, wide: bool) -> None:
    execution = alike[0]
    status = str(execution.get("status", "unknown"))
    outcome = _STATUS_OUTCOMES.get(status, "cantTell")
    if not execution.get("observed", True):
        status, outcome = f"{status}?", "untested"  # only its own author says so
    command = foreign(execution.get("command", ""), console, most=140 if wide else 100)
    lines = [command]
    if error := execution.get("error"):
        lines.append(foreign(error, console, style="dim", most=110))
    if len(alike) > 1:
        others = [visible(each.get("id", "")) for each in alike[1:]]
        said = f"{others[0]} to {others[-1]}" if len(others) > 2 else " and ".join(others)
        lines.append(foreign(f"… and {len(others)} more like it ({said})", console, style="italic", most=110))
    step = foreign(execution.get("step") or "", console, most=48)
    if step and not execution.get("planned", True):
        step.append_text(foreign(" (not planned)", console, style="dim"))
    generated = [path for each in alike for path in each.get("generated") or []]
    left = [path_text(path, console, 48) for path in generated[:2]]
    if len(generated) > 2:
        left.append(foreign(f"… {len(generated) - 2} more", console, style="dim"))
    head = (
        foreign(execution.get("id", ""), console, most=24),
        foreign(f"{symbol(outcome, console)} {status}", console, style=OUTCOME_STYLES[outcome]),
    )
    if wide:
        table.add_row(*head, Text("\n").join(lines), step, Text("\n").join(left))
        return
    if step:
        lines.append(foreign("step: ", console, style="dim").append_text(step))
    if left:
        lines.append(foreign("left ", console, style="dim").append_text(Text(", ").join(left)))
    table.add_row(*head, Text("\n").join(lines))


# ------------------------------------------------------------------------------------------- findings and coverage


def _print_deviations(report: Mapping[str, Any], console: Console) -> None:
    """How many deviations from the plan there are of what, and who is told; those that nobody tells of are findings."""
    deviations = report.get("deviations") or []
    if not deviations:
        return
    console.print()
    console.print(ruled(f"deviations from the plan ({len(deviations)})", console))
    told: dict[str, Counter[str]] = {}
    for one in deviations:
        state = "disclosed" if one.get("disclosed") else "only recorded" if one.get("recorded") else "neither"
        told.setdefault(str(one.get("about", "")), Counter())[state] += 1
    for about, counts in told.items():
        said = ", ".join(
            f"{counts[state]} {state}" for state in ("disclosed", "only recorded", "neither") if counts[state]
        )
        line = foreign(f"{visible(about)}: ", console, style="bold", most=60)
        console.print(line.append_text(foreign(said, console)))


def _print_findings(report: Mapping[str, Any], console: Console, *, everything: bool) -> None:
    findings = report.get("findings") or []
    if not findings:
        return
    console.print()
    console.print(ruled(f"findings ({len(findings)})", console))
    for severity, outcome in _SEVERITIES:
        by_rule: dict[str, list[Mapping[str, Any]]] = {}
        for finding in findings:
            if finding.get("severity") == severity:
                by_rule.setdefault(str(finding.get("rule", "")), []).append(finding)
        for rule, those in by_rule.items():
            most = len(those) if everything or len(those) <= _MOST_ALIKE + 1 else _MOST_ALIKE
            for finding in those[:most]:
                _print_finding(finding, severity, OUTCOME_STYLES[outcome], console)
            if len(those) > most:
                console.print(foreign(f"… {len(those) - most} more {severity}s of {rule}", console, style="dim"))


def _print_finding(finding: Mapping[str, Any], severity: str, style: str, console: Console) -> None:
    text = foreign(f"{severity} ", console, style=style)
    text.append_text(foreign(finding.get("rule", ""), console, style="bold", most=60))
    strength = finding.get("strength", "")
    text.append_text(foreign(f" ({strength})" if strength else "", console, style="dim"))
    console.print(text)
    body = foreign(finding.get("message", ""), console, most=600)
    if places := _places(finding.get("at") or [], console):
        body.append(" ").append_text(places)
    console.print(Padding(body, (0, 0, 0, 2), expand=False))


def _places(places: Sequence[Mapping[str, Any]], console: Console) -> Text:
    shown = [
        f"{shorten_middle(visible(place.get('path', '')), 48)}"
        + (f":{shorten(visible(place['locator']), 24)}" if place.get("locator") else "")
        for place in places[:3]
    ]
    more = f" and {len(places) - 3} more" if len(places) > 3 else ""
    return foreign(f"[{', '.join(shown)}{more}]" if shown else "", console, style="cyan")


def _print_coverage(report: Mapping[str, Any], console: Console) -> None:
    coverage = report.get("coverage") or {}
    if not coverage:
        return
    console.print()
    console.print(ruled("what was looked at", console))
    counts = [(coverage[name], one, more) for name, one, more in _COVERAGE if isinstance(coverage.get(name), int)]
    said = [f"{count} {one if count == 1 else more}" for count, one, more in counts]
    console.print(foreign(", ".join(said) + "." if said else "", console))
    _print_chance(coverage.get("chance_match"), console)
    not_checked: Iterable[object] = coverage.get("not_checked") or []
    for number, what in enumerate(not_checked):
        if not number:
            console.print(foreign("Not checked:", console, style="bold"))
        console.print(Padding(foreign(f"- {visible(what)}", console, most=300), (0, 0, 0, 2), expand=False))
    console.print(foreign("Completed and matched is not the same as correct.", console, style="dim"))


def _print_chance(chance: Mapping[str, Any] | None, console: Console) -> None:
    """How many numbers agree with a decoy: what so many agreements are worth."""
    if not chance or not chance.get("numbers"):
        return
    numbers, matched = int(chance["numbers"]), int(chance["matched"])
    share = f"{100 * matched / numbers:.1f} %"
    said = f"By chance: {matched} of {numbers} numbers ({share}) agree with {chance['decoy']}."
    console.print(foreign(said, console, most=300))


_COVERAGE = (  # what is counted, and what one and several of it are called
    ("claims", "claim", "claims"),
    ("results", "of them a result", "of them results"),
    ("decided", "decided", "decided"),
    ("abstained", "left open", "left open"),
)
