"""SPARQL asks the question, the pass only answers it faster: both give the same answer on every study."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import provchain
from provchain.auditing.graphs import report_quads
from provchain.auditing.report import Report
from provchain.graph.store import QuadStore
from provchain.model import Verdict
from provchain.queries import run_query

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("PROVCHAIN_CORPUS", ROOT.parent / "shared" / "corpus" / "mlrbench" / "runs"))
HOLDING = {Verdict.SUPPORTED, Verdict.SUPPORTED_WITH_DEVIATION, Verdict.OFF_PLAN}
# A setting is compared with a configuration and a claim about a failure with the record of that failure: neither asks
# whether a chain holds.
NOT_ABOUT_A_CHAIN = {Verdict.CONFIGURED}


def check(report: Report) -> int:
    with QuadStore.open() as store:
        store.add(report_quads(report))
        rows = run_query(store, "derives-from-completed")
    asked = {row.claim.rpartition("/")[2]: row.holds for row in rows}
    assert len(asked) == len(report.study.claims)
    for claim in report.study.claims:
        judgement = report.judgements[claim.id]
        if judgement.verdict in NOT_ABOUT_A_CHAIN or "about the execution itself" in judgement.note:
            continue
        assert asked[claim.id] is (judgement.verdict in HOLDING), (claim, judgement)
    return sum(asked.values())


@pytest.mark.parametrize(("name", "some_hold"), [("substituted", False), ("repaired", True)])
def test_the_query_decides_as_the_audit_does(name: str, some_hold: bool) -> None:
    assert (check(provchain.audit(ROOT / "examples" / name)) > 0) is some_hold


@pytest.mark.parametrize(
    "run",
    [
        "stepwise-claude/wsl",
        "stepwise-claude/mldpr",
        "end2end-claude/scsl",
        "end2end-claude/dl4c",
        "end2end-claude/question",
    ],
)
def test_the_query_decides_as_the_audit_does_on_real_runs(run: str) -> None:
    if not (CORPUS / run).is_dir():
        pytest.skip(f"no corpus of real runs at {CORPUS}")
    check(provchain.audit(CORPUS / run))
