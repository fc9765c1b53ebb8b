"""A report reads well, in Python, in a terminal and in a notebook, whatever stands in a paper."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import provchain
from provchain import Action, Break, Claim, JudgedClaim, Judgement, Outcome, PaperOutcome, Report, Study, StudyOutcome
from provchain.model import ClaimKind, Verdict
from provchain.plaintext import one_line

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ANY = st.text(st.characters(exclude_categories=()), max_size=40)
HOSTILE = "<script>alert(1)</script>\x1b[2J\u202e\ud800&\"'\nsecond line"


@pytest.fixture(scope="module")
def broken() -> Report:
    return provchain.audit(EXAMPLES / "substituted")


@pytest.fixture(scope="module")
def good() -> Report:
    return provchain.audit(EXAMPLES / "repaired")


def made(text: str, verdict: Verdict = Verdict.SYNTHETIC, claims: int = 1) -> Report:
    """A report in which everything foreign is one text."""
    said = [Claim(f"c{i}", ClaimKind.NUMBER, text, 3, 1, text, text, measured=True) for i in range(claims)]
    judged = {c.id: Judgement(c.id, verdict, broken=Break(text, text, text), note=text) for c in said}
    paper = PaperOutcome(text, StudyOutcome.UNSUPPORTED, Action.REJECT)
    return Report(
        Study(text, text, claims=said), judged, StudyOutcome.UNSUPPORTED, Action.REJECT, [paper], not_checked=[text]
    )


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.depth = 0
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.opened.append(tag)
        self.depth += 1
        assert not attrs

    def handle_endtag(self, tag: str) -> None:
        self.depth -= 1

    def handle_data(self, data: str) -> None:
        self.text += data


# --------------------------------------------------------------------------------------------------------------- asking


def test_claims_come_with_their_verdicts(broken: Report) -> None:
    assert [claim.id for claim in broken.claims] == [claim.id for claim in broken.study.claims]
    for claim in broken.claims:
        judgement = broken.judgements[claim.id]
        assert (claim.verdict, claim.broken, claim.outcome) == (judgement.verdict, judgement.broken, judgement.outcome)
        assert (claim.evidence, claim.note) == (judgement.evidence, judgement.note)
        record = claim.claim
        said = (claim.path, claim.line, claim.column, claim.written, claim.text)
        assert said == (record.path, record.line, record.column, record.written, record.text)
    assert sum(claim.measured for claim in broken.claims) == broken.to_dict()["coverage"]["results"]


def test_broken_claims_are_those_that_fail(broken: Report, good: Report) -> None:
    assert good.broken == []
    assert broken.broken == [claim for claim in broken.claims if claim.outcome is Outcome.FAILED]
    assert broken.broken


def test_a_claim_is_looked_up_and_its_chain_drawn_from_it(broken: Report) -> None:
    claim = broken.claim("results/results.md:18:9")
    assert isinstance(claim, JudgedClaim)
    assert str(claim) == 'results/results.md:18:9 "0.9290": synthetic'
    assert repr(claim) == f"<JudgedClaim {claim}>"
    assert broken.chain(claim) == broken.chain(claim.claim) == broken.chain(claim.id) == broken.chain("results.md:18:9")
    with pytest.raises(provchain.UnknownClaimError):
        broken.chain(msgspec.structs.replace(claim.claim, id="another study's"))


def test_executions_and_findings_are_at_hand_and_not_the_records_themselves(broken: Report) -> None:
    assert [execution.status.value for execution in broken.executions] == ["failed", "completed"]
    assert "made-up-values" in {finding.rule for finding in broken.findings}
    broken.executions.clear()
    broken.findings.clear()
    broken.claims.clear()
    assert broken.executions
    assert broken.findings
    assert broken.claims


def test_the_graph_and_the_document_hold_every_claim(broken: Report) -> None:
    from rdflib import RDF, URIRef

    from provchain.terms import PC

    assert len(set(broken.graph().subjects(RDF.type, URIRef(PC.Claim)))) == len(broken.claims)
    document = broken.document()
    claims = [r for r in document.get_records() if any(t.uri == PC.Claim for t in r.get_asserted_types())]
    assert len({record.identifier for record in claims}) == len(broken.claims)
    assert document.has_bundles()
    assert not broken.document(flat=True).has_bundles()


# ------------------------------------------------------------------------------------------------------------- printing


def test_a_report_prints_its_answer_in_a_few_lines(broken: Report) -> None:
    lines = str(broken).splitlines()
    assert lines[:4] == [
        "unsupported (reject): Proposal: which simple classifier tells file fragments apart?",
        "  results/results.md: unsupported (reject)",
        "    12 results: 12 synthetic",
        "    5 other claims: 4 synthetic, 1 unrecorded",
    ]
    assert lines[4] == "  first breaks:"
    assert "and 15 more at the same place" in lines[5]
    assert "21.1: code/make_tables.py" in lines[6]
    assert len(lines) < 20


def test_a_report_that_holds_names_no_break(good: Report) -> None:
    assert "break" not in str(good)
    assert str(good).startswith("supported (accept): ")
    assert repr(good).startswith("<Report of 'Proposal: ")
    assert repr(good).endswith("supported (accept), 18 claims, 0 of them fail>")
    assert len(repr(good)) < 200


def test_a_report_without_manuscripts_prints_too() -> None:
    empty = Report(Study("s"), {}, StudyOutcome.UNDETERMINED, Action.REVIEW, [])
    assert str(empty) == "undetermined (review): s\n  no manuscript"
    assert "no manuscript" in empty._repr_html_()
    assert empty.claims == empty.broken == []


def test_a_report_of_thousands_of_claims_prints_short() -> None:
    report = made("a.md", claims=3000)
    assert len(str(report).splitlines()) < 12
    assert "and 2999 more at the same place" in str(report)
    assert report._repr_html_().count("<tr>") < 60
    assert "and 2960 more claims" in report._repr_html_()


def test_hostile_text_steers_neither_a_terminal_nor_a_notebook() -> None:
    report = made(HOSTILE)
    for shown in (str(report), repr(report)):
        assert all(char.isprintable() or char == "\n" for char in shown)
    page = Tags()
    page.feed(report._repr_html_())
    page.close()
    assert set(page.opened) <= {"div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    assert "<script>alert(1)</script>" in page.text  # shown as text
    assert all(char.isprintable() for char in page.text)


@given(ANY)
def test_any_text_is_printed_and_escaped(text: str) -> None:
    report = made(text)
    page = Tags()
    page.feed(report._repr_html_())
    page.close()
    assert page.depth == 0
    assert page.opened.count("td") == 4 + 5
    assert str(report).encode("utf-8")
    assert len(str(report).splitlines()) == 6


@given(ANY, st.integers(1, 50))
def test_one_line_is_one_printable_line_within_its_bounds(text: str, most: int) -> None:
    shown = one_line(text, most)
    assert len(shown) <= most
    assert all(char.isprintable() for char in shown)
    assert one_line(shown, most) == shown
