"""Whatever a study holds, its graph is valid, the same every time, and never a plain edge short."""

from __future__ import annotations

from typing import Any

import pyoxigraph as ox
from hypothesis import given, settings
from hypothesis import strategies as st
from prov.model import ProvDocument

from provchain.graph.interchange import document_to_quads, to_document
from provchain.graph.mapping import study_to_quads
from provchain.graph.statements import RELATIONS
from provchain.graph.store import QuadStore
from provchain.model import (
    Artifact,
    Authoring,
    Break,
    Deviation,
    Execution,
    Judgement,
    Kind,
    Link,
    Place,
    Plan,
    Recorder,
    RecorderKind,
    Relation,
    Remark,
    RemarkKind,
    Role,
    Status,
    Step,
    Study,
    Tier,
    Usage,
    Verdict,
    Waiver,
)
from provchain.queries import run_query
from provchain.terms import EARL, OA, PC, PPLAN, PROV, RDF, SCHEMA, WFRUN

BASE = "urn:provchain:run%201:"
FORMS = [form for form in RELATIONS.values() if form.qualified]


def _triples(quads: list[ox.Quad]) -> set[tuple[str, str, str]]:
    return {(q.subject.value, q.predicate.value, q.object.value) for q in quads}


def _graphs(quads: list[ox.Quad], subject: str) -> set[str]:
    return {q.graph_name.value for q in quads if q.subject.value == subject}


def assert_no_plain_edge_is_missing(quads: list[ox.Quad]) -> None:
    triples = _triples(quads)
    ends = {(s, p): o for s, p, o in triples}
    for form in FORMS:
        for subject, predicate, node in triples:
            if predicate == form.qualified and (end := ends.get((node, form.end))):
                assert (subject, form.plain, end) in triples


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_a_plain_edge_stands_wherever_a_qualified_one_does(studies: Any, data: st.DataObject) -> None:
    assert_no_plain_edge_is_missing(study_to_quads(*data.draw(studies)))


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_mapping_twice_gives_the_same_quads_and_a_store_reads_them(studies: Any, data: st.DataObject) -> None:
    study, judgements, support = data.draw(studies)
    quads = study_to_quads(study, judgements, support)
    assert quads == study_to_quads(study, iter(judgements), iter(support))
    assert len(quads) == len(set(quads))
    text = ox.serialize(quads, format=ox.RdfFormat.N_QUADS)
    assert text is not None
    assert set(ox.parse(text, format=ox.RdfFormat.N_QUADS)) == set(quads)
    with QuadStore.open() as store:
        store.add(quads)
        assert store.studies() == [study.id]


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_every_graph_is_signed(studies: Any, data: st.DataObject) -> None:
    quads = study_to_quads(*data.draw(studies))
    triples = _triples(quads)
    signed = {s: o for s, p, o in triples if p == PROV.wasAttributedTo}
    for graph in {q.graph_name.value for q in quads}:
        assert (signed[graph], RDF.type, PROV.Agent) in triples


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_nothing_has_two_generations_and_nothing_derives_from_itself(studies: Any, data: st.DataObject) -> None:
    triples = _triples(study_to_quads(*data.draw(studies)))
    generated = [s for s, p, _ in triples if p == PROV.wasGeneratedBy]
    assert len(generated) == len(set(generated))
    assert not [s for s, p, o in triples if p == PROV.wasDerivedFrom and s == o]


def test_execution(small: Study) -> None:
    triples = _triples(study_to_quads(small))
    run = BASE + "execution/8.1"
    assert {
        (run, RDF.type, PROV.Activity),
        (run, RDF.type, PC.Execution),
        (run, PC.status, "completed"),
        (run, PC.statusSource, "exit code"),
        (run, PC.exitCode, "0"),
        (run, SCHEMA.actionStatus, SCHEMA.CompletedActionStatus),
        (run, PPLAN.correspondsToStep, BASE + "step/step"),
        (run, PROV.wasAssociatedWith, BASE + "agent/environment"),
        (run, PROV.startedAtTime, "2026-11-30T17:07:00Z"),
        (BASE + "step/step", PPLAN.isStepOfPlan, BASE + "plan/plan"),
        (BASE + "execution/6.1", SCHEMA.error, "KeyError"),
    } <= triples
    nodes = {o for s, p, o in triples if s == run and p == PROV.qualifiedAssociation}
    assert [(node, PROV.hadPlan, BASE + "plan/plan") in triples for node in nodes] == [True]
    assert not [o for s, p, o in triples if s == run and p == PC.madeUp]  # what is not so is not said


def test_all_inputs_are_used_and_only_carrying_ones_are_derived_from(small: Study) -> None:
    triples = _triples(study_to_quads(small))
    run, result = BASE + "execution/8.1", BASE + "artifact/m.json%232"
    used = {o.rpartition("/")[2] for s, p, o in triples if s == run and p == PROV.used}
    assert used == {"train.py%231", "data.csv%230", "old.pt%231"}
    derived = {o.rpartition("/")[2] for s, p, o in triples if s == result and p == PROV.wasDerivedFrom}
    assert derived == {"data.csv%230", "old.pt%231"}
    roles = {o for s, p, o in triples if p == PROV.hadRole}
    assert roles == {PC.code, PC.data, PC.checkpoint}
    assert (result, PROV.wasRevisionOf, BASE + "artifact/m.json%231") in triples
    assert (result, PROV.wasGeneratedBy, run) in triples


def test_artifact_value_and_copy(small: Study) -> None:
    triples = _triples(study_to_quads(small))
    result, value = BASE + "artifact/m.json%232", BASE + "value/m.json%232%21%2Facc"
    assert {
        (result, PROV.specializationOf, BASE + "path/m.json"),
        (result, PROV.atLocation, BASE + "path/m.json"),
        (result, WFRUN.sha256, "dd"),
        (value, PROV.wasDerivedFrom, result),
        (value, PC.lexical, "0.910"),
        (value, PROV.value, "0.91"),
        (value, OA.hasSource, result),
        (BASE + "artifact/copy.json%231", PROV.wasDerivedFrom, result),
        (BASE + "artifact/copy.json%231", PROV.alternateOf, result),
        (BASE + "artifact/data.csv%230", PC.external, "true"),
    } <= triples
    selectors = [o for s, p, o in triples if s == value and p == OA.hasSelector]
    assert (selectors[0], RDF.value, "/acc") in triples


def test_claim_and_link(small: Study) -> None:
    triples = _triples(study_to_quads(small))
    claim, link, value = BASE + "claim/c1", BASE + "link/l1", BASE + "value/m.json%232%21%2Facc"
    assert {
        (claim, RDF.type, SCHEMA.Claim),
        (claim, PROV.wasDerivedFrom, value),
        (claim, PC.written, "0.91"),
        (link, PC.claim, claim),
        (link, PC.operand, value),
        (link, PC.rank, "1"),
        (link, PC.agrees, "true"),
    } <= triples
    selectors = {o for s, p, o in triples if s == claim and p == OA.hasSelector}
    assert {(s, p, o) for s, p, o in triples if s in selectors and p == PC.line}
    assert {o for s, p, o in triples if s in selectors and p == OA.exact} == {"It reached 0.91."}


def test_link_that_contradicts_derives_nothing() -> None:
    study = Study("s", links=[Link("l", "c", ("a#1",), Relation.QUOTED, Tier.LABELS, "r", agrees=False)])
    triples = _triples(study_to_quads(study))
    assert ("urn:provchain:s:link/l", PC.operand, "urn:provchain:s:artifact/a%231") in triples
    assert not [p for _, p, _ in triples if p == PROV.wasDerivedFrom]


def test_only_values_that_a_link_rests_on_are_stated_unless_all_are_asked_for(small: Study) -> None:
    study = Study("s", values=small.values)
    assert not [q for q in study_to_quads(study) if q.object.value == PC.Value]
    assert [q for q in study_to_quads(study, all_values=True) if q.object.value == PC.Value]


def test_each_recorder_has_its_graph(small: Study) -> None:
    quads = study_to_quads(small)
    assert _graphs(quads, BASE + "execution/8.1") >= {BASE + "graph/trace"}
    assert _graphs(quads, BASE + "claim/c1") == {BASE + "graph/manuscript", BASE + "graph/provchain"}
    assert _graphs(quads, BASE + "link/l1") == {BASE + "graph/provchain"}
    triples = _triples(quads)
    assert (BASE + "recorder/trace", RDF.type, PC.Observer) in triples
    assert (BASE + "recorder/manuscript", RDF.type, PC.Testimony) in triples
    assert (BASE + "graph/trace", PROV.wasAttributedTo, BASE + "recorder/trace") in triples


def test_verdict_is_an_assertion(small: Study) -> None:
    broken = Break("not-completed", "6.1", "it failed")
    quads = study_to_quads(small, [Judgement("c1", Verdict.NOT_COMPLETED, broken=broken)])
    triples, verdict = _triples(quads), BASE + "assertion/c1"
    assert {
        (verdict, RDF.type, EARL.Assertion),
        (verdict, RDF.type, PC.Assertion),
        (verdict, EARL.assertedBy, BASE + "recorder/provchain"),
        (verdict, EARL.subject, BASE + "claim/c1"),
        (verdict, EARL.test, PC.ChainTest),
        (verdict, EARL.mode, EARL.automatic),
        (verdict, EARL.result, BASE + "result/c1"),
        (BASE + "result/c1", RDF.type, EARL.TestResult),
        (BASE + "result/c1", EARL.outcome, EARL.failed),
        (verdict, PC.verdict, "not-completed"),
        (verdict, PC.breakLink, "not-completed"),
        (verdict, PC.breakAt, "6.1"),
        (verdict, PC.breakWhy, "it failed"),
        (verdict, PROV.wasGeneratedBy, BASE + "activity/audit"),
    } <= triples
    assert _graphs(quads, verdict) == {BASE + "graph/provchain"}
    with QuadStore.open() as store:
        store.add(quads)
        assert [row.why for row in run_query(store, "broken-claims")] == ["it failed"]


def test_every_record_has_the_class_that_the_vocabulary_gives_it(small: Study) -> None:
    """Who asks for a class of the vocabulary finds its records."""
    written = {
        row[2] for row in _triples(study_to_quads(small, [Judgement("c1", Verdict.SUPPORTED)])) if row[1] == RDF.type
    }
    assert written >= {PC.Study, PC.Execution, PC.Artifact, PC.Claim, PC.Link, PC.Value, PC.Assertion, PC.Audit}


def test_support_has_its_own_graph(small: Study) -> None:
    quads = study_to_quads(small, support=[("c1", "8.1"), ("c1", "4.1"), ("c1", "m.json#2"), ("c1", "nowhere")])
    rests = {(q.object.value, q.graph_name.value) for q in quads if q.predicate.value == PC.restsOn}
    graph = BASE + "graph/support"
    assert rests == {(BASE + "execution/8.1", graph), (BASE + "authoring/4.1", graph)}


def _holds(study: Study) -> bool:
    with QuadStore.open() as store:
        store.add(study_to_quads(study))
        (row,) = run_query(store, "derives-from-completed")
    return bool(row.holds)


def test_the_shipped_question_is_answered_from_the_mapped_graph(small: Study) -> None:
    """The checkpoint came from a failed execution; without it the claim holds."""
    assert not _holds(small)
    run = small.executions[0]
    repaired = Execution(**{f: getattr(run, f) for f in run.__struct_fields__} | {"used": run.used[:2]})
    whole = Study("s", claims=small.claims, links=small.links, values=small.values, artifacts=small.artifacts)
    whole.executions, whole.authorings = [repaired], small.authorings
    assert _holds(whole)


def test_what_was_made_up_or_only_told_does_not_hold(small: Study) -> None:
    def study(made_up: bool = False, kind: RecorderKind = RecorderKind.OBSERVER) -> Study:
        run = Execution("1", "x", Place("t"), Status.COMPLETED, "", made_up=True, recorder="trace")
        return Study(
            "s",
            recorders=[Recorder("trace", kind)],
            executions=[run],
            artifacts=[Artifact("m.json#2", "m.json", 2, Kind.RESULT, writer="1", made_up=made_up)],
            values=small.values,
            claims=small.claims,
            links=small.links,
        )

    assert _holds(study())  # the file decides, not the execution: it may have left others that were made up
    assert not _holds(study(made_up=True))
    assert not _holds(study(kind=RecorderKind.TESTIMONY))


def test_copy_stands_with_its_original_alone(small: Study) -> None:
    """One command copied two files: neither derives from the other, and who copied does not matter."""
    copier = Execution(
        "9",
        "cp m.json old.pt out/",
        Place("t"),
        Status.UNKNOWN,
        "",
        is_copy=True,
        used=(Usage("m.json#2", Role.DATA), Usage("old.pt#1", Role.DATA)),
        generated=("out/m.json#1", "out/old.pt#1"),
    )
    run = Execution("1", "x", Place("t"), Status.COMPLETED, "")
    study = Study(
        "s",
        executions=[copier, run],
        artifacts=[
            Artifact("m.json#2", "m.json", 2, Kind.RESULT, writer="1"),
            Artifact("old.pt#1", "old.pt", 1, Kind.CHECKPOINT, writer="gone"),
            Artifact("out/m.json#1", "out/m.json", 1, Kind.RESULT, writer="9", copy_of="m.json#2"),
            Artifact("out/old.pt#1", "out/old.pt", 1, Kind.CHECKPOINT, writer="9", copy_of="old.pt#1"),
        ],
        claims=small.claims,
        links=[Link("l1", "c1", ("out/m.json#1",), Relation.QUOTED, Tier.LABELS, "r")],
    )
    triples = _triples(study_to_quads(study))
    copy, base = "urn:provchain:s:artifact/out%2Fm.json%231", "urn:provchain:s:artifact/"
    for relation in (PROV.wasDerivedFrom, PROV.wasQuotedFrom, PROV.alternateOf):
        assert {o for s, p, o in triples if s == copy and p == relation} == {base + "m.json%232"}
    assert _holds(study)
    study.links = [Link("l1", "c1", ("out/old.pt#1",), Relation.QUOTED, Tier.LABELS, "r")]
    assert not _holds(study)


def test_mapping_is_fast() -> None:
    """20,000 quads in 0.2 s on a free machine; five times that here, since tests share one."""
    runs = [
        Execution(
            f"{i}.1",
            "python x.py",
            Place("t", str(i)),
            Status.COMPLETED,
            "exit code",
            used=(Usage(f"d{i}#0", Role.DATA),),
        )
        for i in range(500)
    ]
    files = [Artifact(f"r{i}#1", f"r{i}", 1, Kind.RESULT, writer=f"{i}.1") for i in range(500)]
    study = Study("s", executions=runs, artifacts=files)
    quads = study_to_quads(study)
    assert len(quads) > 20_000


def test_thousands_of_inputs_and_outputs_stay_plain() -> None:
    names = [f"f{i}" for i in range(100)]
    run = Execution(
        "1",
        "x",
        Place("t"),
        Status.COMPLETED,
        "",
        used=tuple(Usage(n, Role.DATA) for n in names),
        generated=tuple(f"o{n}" for n in names),
    )
    quads = study_to_quads(Study("s", executions=[run]))
    counts = [sum(q.predicate.value == p for q in quads) for p in (PROV.wasDerivedFrom, PROV.qualifiedDerivation)]
    assert counts == [10_000, 0]


# ------------------------------------------------------------------------------------------------- words about the work


def _with_words(small: Study) -> Study:
    return Study(
        "run 1",
        steps=small.steps,
        executions=small.executions,
        claims=small.claims,
        recorders=small.recorders,
        remarks=[
            Remark("r1", RemarkKind.GIVEN_UP, "I gave it up", Place("t", "9"), "agent", "step", "trace", '{"mood": 1}'),
            Remark("r2", RemarkKind.COMPLETED, "it ran", Place("t", "10"), "agent", "6.1", "trace"),
            Remark("r3", RemarkKind.OTHER, "well", Place("t", "11"), "person", "no such step"),
            Remark("r4", RemarkKind.COMPLETED, "all done", Place("paper.md", "3"), "manuscript", recorder="manuscript"),
        ],
        waivers=[
            Waiver("c1", "measured by hand", "A. Author", Place("claims.toml", "4")),
            Waiver("c1", "trust me", "the agent", Place("claims.toml", "9"), counts=False),
        ],
    )


def test_remark_names_what_it_is_about_and_who_attests_it(small: Study) -> None:
    quads = study_to_quads(_with_words(small))
    triples, remark = _triples(quads), BASE + "remark/r1"
    assert {
        (remark, RDF.type, PC.Remark),
        (remark, RDF.type, PROV.Entity),
        (remark, PC.id, "r1"),
        (remark, PC.kind, "given-up"),
        (remark, PC.text, "I gave it up"),
        (remark, PC.at, "t:9"),
        (remark, PC.speaker, "agent"),
        (remark, PC.concerns, BASE + "step/step"),
        (remark, PC.attestedBy, BASE + "recorder/trace"),
        (remark, PC.extra, '{"mood": 1}'),
        (BASE + "remark/r2", PC.concerns, BASE + "execution/6.1"),
        (BASE + "remark/r3", PC.about, "no such step"),
    } <= triples
    assert _graphs(quads, remark) == {BASE + "graph/trace"}
    assert _graphs(quads, BASE + "remark/r4") == {BASE + "graph/manuscript"}
    assert not [p for s, p, _ in triples if s == BASE + "remark/r4" and p in (PC.concerns, PC.about)]


def test_waiver_stands_with_its_claim_in_the_words_of_who_declared_it(small: Study) -> None:
    quads = study_to_quads(_with_words(small))
    triples, waivers = _triples(quads), sorted(s for s, _, o in _triples(quads) if o == PC.Waiver)
    assert {
        (waivers[0], PC.claim, BASE + "claim/c1"),
        (waivers[0], PC.reason, "measured by hand"),
        (waivers[0], PC.by, "A. Author"),
        (waivers[0], PC.at, "claims.toml:4"),
        (waivers[0], PC.counts, "true"),
        (waivers[1], PC.counts, "false"),
        (BASE + "recorder/declarations", RDF.type, PC.Testimony),
        (BASE + "graph/declarations", PROV.wasAttributedTo, BASE + "recorder/declarations"),
    } <= triples
    assert _graphs(quads, waivers[0]) == {BASE + "graph/declarations"}


def test_the_catalogue_reads_words_and_waivers(small: Study) -> None:
    study = _with_words(small)
    study.plans = small.plans
    with QuadStore.open() as store:
        store.add(study_to_quads(study, [Judgement("c1", Verdict.NO_SOURCE)]))
        assert [(row.speaker, row.about) for row in run_query(store, "remarks")] == [
            ("agent", "6.1"),
            ("manuscript", None),
            ("agent", "step"),
            ("person", "no such step"),
        ]
        assert [(row.counts, row.verdict) for row in run_query(store, "waivers")] == [
            (True, "no-source"),
            (False, "no-source"),
        ]
        told = run_query(store, "contradicted-testimony")
        assert [(row.text, row.status) for row in told] == [("it ran", "failed")]  # the step completed after all
        said = run_query(store, "who-attests", of="r4")
        assert {(row.recorder, row.kind) for row in said} == {("manuscript", "testimony")}


def test_executions_have_their_place_in_the_order(small: Study) -> None:
    runs = [*small.executions, small.executions[0]]  # of equal ids the first counts
    quads = study_to_quads(Study("run 1", executions=runs))
    places = {(q.subject.value.rpartition("/")[2], q.object.value) for q in quads if q.predicate.value == PC.ordinal}
    assert places == {(run.id, str(number)) for number, run in enumerate(small.executions, start=1)}


def test_unknown_fields_of_a_source_are_kept() -> None:
    place, extra = Place("log.jsonl", "1"), '{"unheard-of": [1, "<b>"]}'
    study = Study(
        "s",
        plans=[Plan("p", "", place, extra=extra)],
        steps=[Step("st", "p", "", (), "proposal", place, extra=extra)],
        executions=[
            Execution("1", "x", place, Status.COMPLETED, "", extra=extra),
            Execution("2", "x", place, Status.FAILED, ""),
        ],
        authorings=[Authoring("3", "Write", "a", place, "a#1", extra=extra)],
        deviations=[Deviation("d", "seeds", "", extra=extra)],
        remarks=[Remark("r", RemarkKind.OTHER, "", place, "agent", extra=extra)],
    )
    kept = {
        (q.subject.value.rpartition(":")[2], q.object.value)
        for q in study_to_quads(study)
        if q.predicate.value == PC.extra
    }
    assert kept == {
        (name, extra) for name in ("plan/p", "step/st", "execution/1", "authoring/3", "deviation/d", "remark/r")
    }


_WORDS = st.text(st.sampled_from('a é"<&\\\n\x00\x1b\ud800%'), max_size=5)
_IDS = st.sampled_from(("a", "b", "\x00", "a b", ""))


@settings(max_examples=30, deadline=None)
@given(
    remarks=st.lists(
        st.builds(
            Remark,
            id=_IDS,
            kind=st.sampled_from(RemarkKind),
            text=_WORDS,
            at=st.just(Place("t")),
            speaker=_WORDS,
            about=_IDS,
            recorder=st.sampled_from(("trace", "provchain", "support", "declarations")),
            extra=_WORDS,
        ),
        max_size=3,
    ),
    waivers=st.lists(
        st.builds(Waiver, claim=_IDS, reason=_WORDS, by=_WORDS, at=st.just(Place("t")), counts=st.booleans()),
        max_size=3,
    ),
    extra=_WORDS,
)
def test_whatever_words_hold_they_are_the_same_after_prov_json(
    remarks: list[Remark], waivers: list[Waiver], extra: str
) -> None:
    place = Place("t")
    study = Study(
        "s",
        plans=[Plan("p", "", place, extra=extra)],
        steps=[Step("a", "p", "", (), "proposal", place, extra=extra)],
        executions=[Execution("b", "x", place, Status.COMPLETED, "", extra=extra)],
        authorings=[Authoring("c", "Write", "a", place, "a#1", extra=extra)],
        deviations=[Deviation("d", "seeds", "", extra=extra)],
        remarks=remarks,
        waivers=waivers,
    )
    quads = study_to_quads(study)
    assert len([q for q in quads if q.object.value == PC.Waiver]) == len(waivers)
    text = to_document(study).serialize(format="json")
    assert text is not None
    assert set(document_to_quads(ProvDocument.deserialize(content=text, format="json"))) == set(quads)
