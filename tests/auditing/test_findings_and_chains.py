"""Findings stand on their places; a chain shows the break and what stands beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

import provchain
from provchain.errors import ProvchainError, UnknownClaimError
from provchain.model import Severity

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def broken() -> provchain.Report:
    return provchain.audit(EXAMPLES / "substituted")


@pytest.fixture(scope="module")
def good() -> provchain.Report:
    return provchain.audit(EXAMPLES / "repaired")


def test_the_findings_of_a_substituted_experiment(broken: provchain.Report) -> None:
    found = {finding.rule: finding for finding in broken.study.findings}
    assert set(found) == {"planned-step-not-completed", "made-up-values", "substitute", "contradicted-testimony"}
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
