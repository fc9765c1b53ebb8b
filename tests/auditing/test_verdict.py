"""Each row of the verdict table, on the smallest study that shows it."""

from __future__ import annotations

from decimal import Decimal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provchain.auditing.case import Case
from provchain.auditing.closure import Closure
from provchain.auditing.outcome import Circumstances, action_for, decide_outcome, worst
from provchain.auditing.verdict import decide
from provchain.model import (
    Artifact,
    Authoring,
    Claim,
    ClaimKind,
    ClaimRole,
    Execution,
    Judgement,
    Kind,
    Link,
    Place,
    Relation,
    Role,
    Status,
    Study,
    StudyOutcome,
    Tier,
    Usage,
    Value,
    Verdict,
)

RUN = Execution(
    "1.1", "python run.py", Place("t", "1"), Status.COMPLETED, "tool flag", script="run.py", generated=("m.json#1",)
)
METRICS = Artifact("m.json#1", "m.json", 1, Kind.RESULT, writer="1.1", on_disk=True)
VALUE = Value("m.json#1!/acc", "m.json#1", "m.json", "/acc", "0.853", Decimal("0.853"))
CLAIM = Claim("c1", ClaimKind.NUMBER, "paper.md", 3, 5, "0.853", "accuracy 0.853", measured=True)
LINK = Link("l1", "c1", ("m.json#1!/acc",), Relation.QUOTED, Tier.LABELS, "5.7 table")


def case(study: Study, *, links: tuple[Link, ...] = (LINK,), claim: Claim = CLAIM, **more: object) -> Case:
    return Case(claim=claim, links=links, typed=(), values={VALUE.id: VALUE}, closure=Closure(study), **more)  # type: ignore[arg-type]


def study(run: Execution = RUN, metrics: Artifact = METRICS, *others: object) -> Study:
    made = Study("s", executions=[run], artifacts=[metrics])
    for other in others:
        if isinstance(other, Artifact):
            made.artifacts.append(other)
        elif isinstance(other, Authoring):
            made.authorings.append(other)
        elif isinstance(other, Execution):
            made.executions.append(other)
    return made


def changed(record: object, **fields: object) -> object:
    return msgspec.structs.replace(record, **fields)  # type: ignore[type-var]


def test_a_value_that_a_completed_execution_left_supports() -> None:
    judgement = decide(case(study()))
    assert judgement.verdict is Verdict.SUPPORTED
    assert judgement.broken is None
    assert [(e.path, e.selector, e.execution) for e in judgement.evidence] == [("m.json", "/acc", "1.1")]


@pytest.mark.parametrize("status", [s for s in Status if s is not Status.COMPLETED])
def test_any_other_status_supports_nothing(status: Status) -> None:
    judgement = decide(case(study(changed(RUN, status=status, error="E: x"))))  # type: ignore[arg-type]
    assert judgement.verdict is Verdict.NOT_COMPLETED
    assert judgement.broken is not None
    assert judgement.broken.at == "1.1"


def test_a_file_without_a_recorded_writer_is_unrecorded() -> None:
    assert decide(case(study(RUN, changed(METRICS, writer=None)))).verdict is Verdict.UNRECORDED  # type: ignore[arg-type]


def test_bytes_changed_after_the_execution_are_stale() -> None:
    assert decide(case(study(RUN, changed(METRICS, altered=True)))).verdict is Verdict.STALE  # type: ignore[arg-type]


def test_made_up_values_are_synthetic() -> None:
    assert decide(case(study(RUN, changed(METRICS, made_up=True)))).verdict is Verdict.SYNTHETIC  # type: ignore[arg-type]


def test_a_typed_input_breaks_the_chain_of_a_completed_plot_and_typed_code_does_not() -> None:
    typed = Artifact("d.json#1", "d.json", 1, Kind.DATA, writer="0.1")
    writing = Authoring("0.1", "Write", "d.json", Place("t", "0"), "d.json#1")
    as_data = changed(RUN, used=(Usage("d.json#1", Role.DATA),))
    as_code = changed(RUN, used=(Usage("d.json#1", Role.CODE),))
    assert decide(case(study(as_data, METRICS, typed, writing))).verdict is Verdict.AUTHORED  # type: ignore[arg-type]
    assert decide(case(study(as_code, METRICS, typed, writing))).verdict is Verdict.SUPPORTED  # type: ignore[arg-type]


def test_data_from_outside_holds() -> None:
    data = Artifact("d.csv#0", "d.csv", 0, Kind.DATA, external=True)
    run = changed(RUN, used=(Usage("d.csv#0", Role.DATA),))
    assert decide(case(study(run, METRICS, data))).verdict is Verdict.SUPPORTED  # type: ignore[arg-type]


def test_a_copy_stands_and_falls_with_its_original() -> None:
    copy = Artifact("out/m.json#1", "out/m.json", 1, Kind.RESULT, writer="2.1", copy_of="m.json#1", on_disk=True)
    copying = Execution("2.1", "cp m.json out/", Place("t", "2"), Status.COMPLETED, "tool flag", is_copy=True)
    link = changed(LINK, operands=("out/m.json#1",))
    holding = study(RUN, METRICS, copy, copying)
    broken = study(changed(RUN, status=Status.FAILED), METRICS, copy, copying)  # type: ignore[arg-type]
    assert decide(case(holding, links=(link,))).verdict is Verdict.SUPPORTED  # type: ignore[arg-type]
    assert decide(case(broken, links=(link,))).verdict is Verdict.NOT_COMPLETED  # type: ignore[arg-type]


def test_links_of_the_strongest_tier_must_agree() -> None:
    other = Artifact("n.json#1", "n.json", 1, Kind.RESULT, writer=None)
    elsewhere = changed(LINK, id="l2", operands=("n.json#1",))
    weaker = changed(elsewhere, tier=Tier.LONE)
    assert decide(case(study(RUN, METRICS, other), links=(LINK, elsewhere))).verdict is Verdict.AMBIGUOUS  # type: ignore[arg-type]
    assert decide(case(study(RUN, METRICS, other), links=(LINK, weaker))).verdict is Verdict.SUPPORTED  # type: ignore[arg-type]


def test_an_unfinished_attempt_at_the_same_step_does_not_make_a_completed_one_ambiguous() -> None:
    """A difficult execution is valid evidence: what its failed attempts left beside it changes nothing."""
    attempt = changed(RUN, id="0.1", status=Status.ABORTED, step="run.py", generated=("n.json#1",))
    other = Artifact("n.json#1", "n.json", 1, Kind.RESULT, writer="0.1")
    elsewhere = changed(LINK, id="l2", operands=("n.json#1",))
    same_step = study(changed(RUN, step="run.py"), METRICS, other, attempt)
    other_step = study(changed(RUN, step="else.py"), METRICS, other, attempt)
    assert decide(case(same_step, links=(LINK, elsewhere))).verdict is Verdict.SUPPORTED
    assert decide(case(other_step, links=(LINK, elsewhere))).verdict is Verdict.AMBIGUOUS


def test_one_declared_link_that_holds_is_enough() -> None:
    other = Artifact("n.json#1", "n.json", 1, Kind.RESULT, writer=None)
    good = changed(LINK, tier=Tier.DECLARED)
    bad = changed(LINK, id="l2", operands=("n.json#1",), tier=Tier.DECLARED)
    assert decide(case(study(RUN, METRICS, other), links=(good, bad))).verdict is Verdict.SUPPORTED  # type: ignore[arg-type]


def test_labels_that_single_out_another_value_contradict() -> None:
    judgement = decide(case(study(), links=(changed(LINK, agrees=False),)))  # type: ignore[arg-type]
    assert judgement.verdict is Verdict.CONTRADICTED
    assert judgement.broken is not None
    assert "0.853" in judgement.broken.why


def test_without_a_link_the_record_decides_between_no_source_and_unrecorded() -> None:
    assert decide(case(study(), links=())).verdict is Verdict.NO_SOURCE
    assert decide(case(study(), links=(), record_gap="cut off")).verdict is Verdict.UNRECORDED
    assert decide(case(study(), links=(), too_weak=True, seen_at=("a:/b",))).verdict is Verdict.AMBIGUOUS


def test_an_undisclosed_substitute_is_off_plan_and_a_disclosed_one_a_deviation() -> None:
    run = changed(RUN, substitute=True)
    undone = frozenset({"step:x"})
    assert decide(case(study(run), undone_steps=undone)).verdict is Verdict.OFF_PLAN  # type: ignore[arg-type]
    assert decide(case(study(run), undone_steps=undone, disclosed=True)).verdict is Verdict.SUPPORTED_WITH_DEVIATION  # type: ignore[arg-type]


def test_a_claim_in_a_manuscript_that_a_made_up_execution_wrote_breaks_there() -> None:
    paper = Artifact("paper.md#1", "paper.md", 1, Kind.MANUSCRIPT, writer="1.1", on_disk=True, made_up=True)
    own = Link("m", "c1", ("paper.md#1",), Relation.QUOTED, Tier.MANUSCRIPT, "manuscript")
    assert decide(case(study(RUN, METRICS, paper), links=(own,))).verdict is Verdict.SYNTHETIC


def test_a_failure_reported_as_a_failure_is_supported_by_its_own_record() -> None:
    stream = Artifact("o#1", "o", 1, Kind.STREAM, writer="1.1")
    failed = changed(RUN, status=Status.FAILED)
    claim = changed(CLAIM, text="The run failed after 0.853 s.")
    link = changed(LINK, operands=("o#1",))
    assert decide(case(study(failed, METRICS, stream), links=(link,), claim=claim)).verdict is Verdict.SUPPORTED  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("role", "verdict"),
    [
        (ClaimRole.NOT_A_RESULT, Verdict.NOT_A_RESULT),
        (ClaimRole.CITED, Verdict.CITED),
        (ClaimRole.ILLUSTRATIVE, Verdict.ILLUSTRATIVE),
    ],
)
def test_what_is_no_claim_of_a_result_is_not_judged(role: ClaimRole, verdict: Verdict) -> None:
    assert decide(case(study(), claim=changed(CLAIM, role=role))).verdict is verdict  # type: ignore[arg-type]


@given(st.integers(2, 40), st.data())
def test_a_chain_of_any_length_breaks_at_the_link_that_was_broken(length: int, data: st.DataObject) -> None:
    """Break one link and exactly that link is named."""
    where = data.draw(st.integers(0, length - 1))
    made = Study("s")
    for i in range(length):
        used = (Usage(f"f{i - 1}#1", Role.DATA),) if i else ()
        status = Status.FAILED if i == where else Status.COMPLETED
        made.executions.append(Execution(f"{i}.1", "x", Place("t", str(i)), status, "tool flag", used=used))
        made.artifacts.append(Artifact(f"f{i}#1", f"f{i}", 1, Kind.RESULT, writer=f"{i}.1"))
    standing = Closure(made).standing(f"f{length - 1}#1")
    assert (standing.verdict, standing.node) == (Verdict.NOT_COMPLETED, f"{where}.1")


def test_a_long_chain_and_a_cycle_do_not_recurse() -> None:
    made = Study("s")
    for i in range(20_000):
        made.executions.append(
            Execution(
                f"{i}", "x", Place("t", str(i)), Status.COMPLETED, "", used=(Usage(f"f{(i - 1) % 20_000}", Role.DATA),)
            )
        )
        made.artifacts.append(Artifact(f"f{i}", f"f{i}", 1, Kind.RESULT, writer=f"{i}"))
    assert Closure(made).standing("f19999").holds


def outcome(*verdicts: tuple[Verdict, int | None], **more: bool) -> StudyOutcome:
    claims, judgements = [], {}
    for i, (verdict, table) in enumerate(verdicts):
        claims.append(changed(CLAIM, id=str(i), table=table))
        judgements[str(i)] = Judgement(str(i), verdict)
    return decide_outcome(claims, judgements, circumstances=Circumstances(**more))  # type: ignore[arg-type]


def test_the_outcome_follows_the_table_of_the_design() -> None:
    good, bad, open_ = Verdict.SUPPORTED, Verdict.NO_SOURCE, Verdict.AMBIGUOUS
    assert outcome((good, 1), (open_, 1), (open_, 1)) is StudyOutcome.UNDETERMINED
    assert outcome((good, None), (bad, None), (bad, None)) is StudyOutcome.UNSUPPORTED
    assert outcome((good, 1), (good, 1), (good, 1), (bad, 2), (bad, 2)) is StudyOutcome.UNSUPPORTED
    assert outcome((good, 1), (good, 1), (bad, 1)) is StudyOutcome.MIXED
    assert outcome((good, 1), (Verdict.SUPPORTED_WITH_DEVIATION, 1)) is StudyOutcome.SUPPORTED_WITH_DEVIATIONS
    assert outcome((good, 1)) is StudyOutcome.SUPPORTED
    assert outcome(undone_step=True, reports_incomplete=True) is StudyOutcome.INCOMPLETE
    assert outcome() is StudyOutcome.UNDETERMINED


def test_a_study_takes_the_worst_outcome() -> None:
    assert worst([StudyOutcome.SUPPORTED, StudyOutcome.UNSUPPORTED, StudyOutcome.MIXED]) is StudyOutcome.UNSUPPORTED
    assert {action_for(o).value for o in StudyOutcome} == {"accept", "review", "reject", "report-incomplete"}
