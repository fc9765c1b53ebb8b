"""Findings stand on their places; a chain shows the break and what stands beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import provchain
from provchain.errors import ProvchainError, UnknownClaimError
from provchain.model import Severity, Verdict

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def broken() -> provchain.Report:
    return provchain.audit(EXAMPLES / "substituted")


@pytest.fixture(scope="module")
def good() -> provchain.Report:
    return provchain.audit(EXAMPLES / "repaired")


def test_the_findings_of_a_substituted_experiment(broken: provchain.Report) -> None:
    found = {finding.rule: finding for finding in broken.study.findings}
    assert set(found) == {
        "planned-step-not-completed",
        "made-up-values",
        "substitute",
        "undisclosed-deviation",
        "contradicted-testimony",
    }
    assert "ModuleNotFoundError" in found["planned-step-not-completed"].message
    assert found["planned-step-not-completed"].severity is Severity.ERROR
    assert all(finding.at for finding in found.values())


def test_a_repaired_experiment_has_no_error_among_its_findings(good: provchain.Report) -> None:
    assert not [finding for finding in good.study.findings if finding.severity is Severity.ERROR]


def test_a_broken_chain_marks_the_break_and_shows_the_failed_step(broken: provchain.Report) -> None:
    chain = broken.chain("results/results.md:18:9")
    kinds = {node.kind for node in chain.nodes}
    assert chain.nodes[0].id == chain.claim.id
    assert {"claim", "value", "result", "execution", "script", "step"} <= kinds
    assert [edge.why for edge in chain.edges if edge.broken]
    failed = [node for node in chain.nodes if node.status == "failed" and node.kind == "execution"]
    assert any("ModuleNotFoundError" in detail for node in failed for detail in node.details)
    known = {node.id for node in chain.nodes}
    assert all(edge.source in known and edge.target in known for edge in chain.edges)


def test_a_holding_chain_has_no_broken_edge_and_reaches_its_data(good: provchain.Report) -> None:
    chain = good.chain("results/results.md:17:22")
    assert not [edge for edge in chain.edges if edge.broken]
    assert any(node.external for node in chain.nodes)


@pytest.mark.parametrize(
    "name", ["nothing", "results/results.md", "results/results.md:0", "results/results.md:18:1", "", ":::", "x:1:2:3"]
)
def test_a_claim_that_is_not_there_is_an_error_with_a_hint(good: provchain.Report, name: str) -> None:
    with pytest.raises(UnknownClaimError) as caught:
        good.claim(name)
    assert caught.value.hint


def test_the_hint_names_the_claims_of_that_line_or_of_the_nearest(good: provchain.Report) -> None:
    with pytest.raises(UnknownClaimError) as caught:
        good.claim("results.md:17:23")
    assert caught.value.hint.startswith("on that line stand: results/results.md:17:")
    assert "results/results.md:17:22 (" in caught.value.hint
    with pytest.raises(UnknownClaimError) as caught:
        good.claim("results/results.md:19")
    assert caught.value.hint.startswith("the nearest are: results/results.md:")
    with pytest.raises(UnknownClaimError) as caught:
        good.claim("other.md:19")
    assert "provchain query claims" in caught.value.hint


def test_what_makes_values_up_is_told_the_way_out(broken: provchain.Report) -> None:
    (finding, *_) = [finding for finding in broken.findings if finding.rule == "made-up-values"]
    assert "simulation = true in plan-declared" in finding.message
    assert "heading of the proposal" in finding.message


SORTING = """# Sorting

## Results

| Algorithm | Comparisons |
|---|---|
| Insertion sort | 10393.0 |
| Merge sort | 1280.2 |
| Heap sort | 1514.7 |

The comparisons fell from 10393.0 to 1280.2 (-77.7 %).
"""


@pytest.fixture
def sorting(tmp_path: Path) -> provchain.Report:
    lines = [
        {"format": "provchain-study/1", "recorders": [{"id": "harness", "kind": "observer"}]},
        {"event": "execution-started", "execution": "e1", "command": "./sort"},
        {"event": "file-written", "execution": "e1", "path": "r.csv"},
        {"event": "execution-ended", "execution": "e1", "exit_code": 0},
    ]
    (tmp_path / "study.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    data = "algorithm,comparisons\ninsertion sort,10393.0\nmerge sort,1280.2\nheap sort,1541.0\n"
    (tmp_path / "r.csv").write_text(data, encoding="utf-8")
    (tmp_path / "report.md").write_text(SORTING, encoding="utf-8")
    return provchain.audit(tmp_path)


def test_a_wrong_change_is_contradicted_by_its_own_operands(sorting: provchain.Report) -> None:
    claim = sorting.claim("report.md:11:46")
    assert (claim.written, claim.verdict) == ("-77.7 %", Verdict.CONTRADICTED)
    assert claim.broken is not None
    assert claim.broken.why == "the relative change of 1280.2 against 10393.0 is -87.7 %, not -77.7 %"
    assert {operand.value for operand in claim.evidence} == {"10393.0", "1280.2"}
    chain = sorting.chain(claim)
    assert {edge.why for edge in chain.edges if edge.broken} == {"what is computed from it is another number"}


def test_a_number_without_source_says_where_its_labels_lead(sorting: provchain.Report) -> None:
    claim = next(claim for claim in sorting.claims if claim.written == "1514.7")
    assert claim.broken is not None
    assert "1541.0" in claim.broken.why
    assert "r.csv" in f"{claim.broken.why} {claim.broken.at}"


def test_a_claim_is_found_by_id_by_the_start_of_it_and_by_its_place(good: provchain.Report) -> None:
    claim = good.claim("results/results.md:17:22")
    assert good.claim(claim.id) == good.claim(claim.id[:8]) == good.claim("./results/results.md:17:22") == claim


def test_an_unknown_policy_is_an_error() -> None:
    with pytest.raises(ProvchainError):
        provchain.audit(EXAMPLES / "repaired", policy="whatever")


def test_a_study_is_added_to_a_store_on_the_way(tmp_path: Path) -> None:
    from provchain.graph.store import QuadStore

    report = provchain.audit(EXAMPLES / "repaired", store=tmp_path / "store")
    with QuadStore.open(tmp_path / "store") as store:
        assert len(store.studies()) == 1
        assert report.study.id in store.studies()[0]
