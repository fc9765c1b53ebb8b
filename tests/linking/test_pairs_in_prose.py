"""Numbers that a sentence sets side by side: whose each is, and the rival that it does not name."""

from __future__ import annotations

from decimal import Decimal

from provchain.linking import find_links
from provchain.linking.derived import derived_links
from provchain.model import Link, Relation, Tier, Value
from provchain.papers import read_claims

HEAD = "# Study\n\n## Results\n\n"


def value(lexical: str, *labels: str) -> Value:
    selector = "/" + "/".join(labels)
    return Value(f"m.json#1!{selector}", "m.json#1", "m.json", selector, lexical, Decimal(lexical), labels)


VALUES = [
    value("6", "macp", "cyclomatic_complexity"),
    value("8", "single_agent", "cyclomatic_complexity"),
    value("0.7547", "baseline", "f1"),
    value("0.6621", "head_only", "f1"),
    value("0.74", "baseline", "accuracy"),
    value("0.51", "head_only", "accuracy"),
    value("13", "static", "errors", "syntax"),
    value("20", "plain", "errors", "syntax"),
    value("31", "static", "errors", "type"),
    value("33", "plain", "errors", "type"),
]


def found(prose: str) -> dict[str, set[str]]:
    claims = read_claims("results.md", HEAD + prose + "\n")
    by_id = {claim.id: claim.written for claim in claims}
    links: dict[str, set[str]] = {}
    for link in find_links(claims, VALUES, figures={}):
        if link.agrees:
            links.setdefault(by_id[link.claim], set()).update(one.partition("!")[2] for one in link.operands)
    return links


def test_the_other_number_of_a_pair_is_its_rivals() -> None:
    """Both are small, and alone neither would say anything."""
    assert found("The MACP solution has a lower cyclomatic complexity (6 vs. 8).") == {
        "6": {"/macp/cyclomatic_complexity"},
        "8": {"/single_agent/cyclomatic_complexity"},
    }


def test_what_it_was_before_is_a_rival_too() -> None:
    assert found("Static checks reduced syntax errors (from 20 to 13).") == {
        "13": {"/static/errors/syntax"},
        "20": {"/plain/errors/syntax"},
    }


def test_each_number_of_a_pair_needs_its_own_place() -> None:
    assert found("The MACP solution has a lower cyclomatic complexity (6 vs. 9).").keys() == {"6"}
    assert "7" not in found("The MACP solution has a lower cyclomatic complexity (7 vs. 8).")


def test_behind_a_word_of_contrast_another_one_is_meant() -> None:
    prose = (
        "Head-only training underperforms (accuracy 0.51, F1 0.66) against full fine-tuning (accuracy 0.74, F1 0.75)."
    )
    assert found(prose) == {
        "0.51": {"/head_only/accuracy"},
        "0.66": {"/head_only/f1"},
        "0.74": {"/baseline/accuracy"},
        "0.75": {"/baseline/f1"},
    }


def test_without_one_the_sentence_still_speaks_of_the_same() -> None:
    assert found("Head-only training reaches an accuracy of 0.51 and an F1 of 0.75.") == {
        "0.51": {"/head_only/accuracy"}
    }


TABLE = "| Method | Pass rate | Errors |\n|---|---|---|\n| Baseline | 0.40 | 21 |\n| Dynamic | 0.52 | 17 |\n\n"


def derived(prose: str) -> dict[str, str]:
    claims = read_claims("results.md", HEAD + TABLE + prose + "\n")
    links = [
        Link(claim.id, claim.id, (f"m.json#1!/{claim.written}",), Relation.QUOTED, Tier.LABELS, "5.7 table")
        for claim in claims
        if claim.table is not None or claim.written in ("0.8833", "0.8592")
    ]
    by_id = {claim.id: claim.written for claim in claims}
    return {by_id[link.claim]: link.note for link in derived_links(claims, links, {})}


def test_a_gain_without_a_base_is_over_the_baseline_of_the_table() -> None:
    assert derived("Dynamic improved the pass rate by 30% and reduced errors by 19%.") == {
        "30%": "relative change of 0.52 against 0.40",
        "19%": "relative change of 17 against 21",
    }


def test_a_gain_that_does_not_come_out_is_none() -> None:
    assert derived("Dynamic improved the pass rate by 45%.") == {}


def test_this_is_the_change_that_the_sentence_before_compares() -> None:
    compared = "Dynamic reaches an F1 of 0.8833 compared to the best baseline at 0.8592. "
    assert (
        derived(compared + "This represents a 2.8% improvement.")["2.8%"] == "relative change of 0.8833 against 0.8592"
    )
    assert "2.8%" not in derived(compared + "The data set holds 2.8% of all users.")
