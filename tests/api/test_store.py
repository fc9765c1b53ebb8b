"""`provchain.Store`: what goes in comes out, again replaces, and nothing foreign is ever run."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from prov.model import ProvDocument
from rdflib import RDF, Literal, URIRef

import provchain
from provchain import Store
from provchain.errors import QueryError, SourceError, StoreError, StoreLockedError, UnknownQueryError
from provchain.graph.interchange import write_provjson
from provchain.terms import PC

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
VERDICTS = f"SELECT ?verdict {{ ?a <{PC.verdict}> ?verdict }}"
ANYTHING = "SELECT ?s ?p ?o { ?s ?p ?o }"


@pytest.fixture(scope="module")
def broken() -> provchain.Report:
    return provchain.audit(EXAMPLES / "substituted")


@pytest.fixture(scope="module")
def good() -> provchain.Report:
    return provchain.audit(EXAMPLES / "repaired")


def foreign(text: str) -> ProvDocument:
    document = ProvDocument()
    document.add_namespace("ex", "http://example.org/")
    document.entity("ex:data", {"ex:says": text})
    return document


# -------------------------------------------------------------------------------------------------------------- keeping


def test_a_directory_keeps_its_studies(tmp_path: Path, good: provchain.Report) -> None:
    with Store.open(tmp_path / "store") as store:
        store.add(good)
        size = len(store)
        with pytest.raises(StoreLockedError):
            Store.open(tmp_path / "store")
    with Store.open(str(tmp_path / "store")) as store:
        assert store.studies() == [good.study.id]
        assert len(store) == size > 0
        assert store.path == tmp_path / "store"
        assert "store" in repr(store)


def test_an_empty_store_is_a_store() -> None:
    with Store.open() as store:
        assert store
        assert len(store) == 0
        assert store.path is None
        assert repr(store) == "<Store in memory>"
        assert store.document().get_records() == []
        assert len(store.graph()) == 0


def test_a_closed_store_says_so(good: provchain.Report) -> None:
    store = Store.open()
    store.close()
    store.close()
    assert repr(store)
    for use in (lambda: store.add(good), store.studies, store.graph, store.document, lambda: store.query("claims")):
        with pytest.raises(StoreError, match="closed"):
            use()


# --------------------------------------------------------------------------------------------------------------- adding


def test_a_report_a_path_and_a_document_say_the_same(tmp_path: Path, good: provchain.Report) -> None:
    write_provjson(good.document(), tmp_path / "study.json")
    answers = []
    for study in (good, EXAMPLES / "repaired", str(EXAMPLES / "repaired"), good.document(), tmp_path / "study.json"):
        with Store.open() as store:
            store.add(study)
            assert store.studies() == [good.study.id]
            answers.append(Counter(row.verdict for row in store.query("claims")))
    assert answers[0].total() == len(good.claims)
    assert all(answer == answers[0] for answer in answers)


def test_a_trace_inside_a_run_is_the_run(good: provchain.Report) -> None:
    with Store.open() as store:
        store.add(EXAMPLES / "repaired" / "claude_output.json")
        assert store.studies() == [good.study.id]


def test_adding_a_study_again_replaces_it_and_nothing_else(
    broken: provchain.Report, good: provchain.Report, tmp_path: Path
) -> None:
    first = good.claims[0]
    changed = {**good.judgements, first.id: provchain.Judgement(first.id, provchain.Verdict.STALE)}
    second = msgspec.structs.replace(good, judgements=changed)
    with Store.open() as store:
        for study in (broken, good, second, good.document(), second.document()):
            store.add(study)
        assert store.studies() == sorted([broken.study.id, good.study.id])
        said = Counter(row.verdict for row in store.sparql(VERDICTS))
        stale = [row for row in store.query("claims") if row.verdict == "stale"]
    assert said.total() == len(broken.claims) + len(good.claims)
    assert len(stale) == 1


def test_a_document_from_a_file_is_replaced_when_the_file_changes(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        write_provjson(foreign(f"first of {folder}"), tmp_path / folder / "prov.json")
    with Store.open() as store:
        store.add(tmp_path / "one" / "prov.json")
        store.add(tmp_path / "two" / "prov.json")
        write_provjson(foreign("second of one"), tmp_path / "one" / "prov.json")
        store.add(tmp_path / "two" / ".." / "one" / "prov.json")
        said = sorted(row.o for row in store.sparql(ANYTHING, p=URIRef("http://example.org/says")))
        everything = str([[str(cell) for cell in quad] for quad in store.graph().quads()])
    assert said == ["first of two", "second of one"]
    assert str(tmp_path) not in everything  # where a file lay is nobody's business


@pytest.mark.parametrize("thing", [None, 3, b"examples", {"study": 1}, ["examples"], object()])
def test_what_is_no_study_is_an_error_that_says_what_to_do(thing: object) -> None:
    with Store.open() as store:
        with pytest.raises(SourceError) as caught:
            store.add(thing)  # type: ignore[arg-type]
        assert "ProvDocument" in caught.value.hint
        assert len(store) == 0


@pytest.mark.parametrize("text", ["", "[", "[]", '{"entity": 3}', '"x"', "\x00"])
def test_a_file_that_is_no_prov_is_an_error_and_leaves_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text, encoding="utf-8")
    for path in (tmp_path / "x.json", tmp_path / "nowhere", tmp_path / "nowhere.json", "a\x00b", "a\ud800.json"):
        with Store.open() as store:
            with pytest.raises(SourceError):
                store.add(path)
            assert len(store) == 0


# --------------------------------------------------------------------------------------------------------------- asking


def test_a_query_of_the_catalogue_gives_typed_rows(broken: provchain.Report) -> None:
    with Store.open() as store:
        store.add(broken)
        rows = store.query("broken-claims", paper="results/results.md")
        assert {row.claim.rpartition("/")[2] for row in rows} >= {claim.id for claim in broken.broken}
        assert all(isinstance(row.line, int) and isinstance(row.written, str) for row in rows)
        assert not store.query("broken-claims", paper="other.md")
        assert not store.query("broken-claims", paper='results/results.md" } #')
        assert len(store.query("broken-claims", paper=None)) == len(rows)


def test_a_query_of_ones_own_runs_from_a_file(tmp_path: Path, good: provchain.Report) -> None:
    file = tmp_path / "papers.rq"
    file.write_text(
        "# question: Which papers are there?\n# params: ?paper string (optional)\n# columns: paper string\n"
        f"SELECT DISTINCT ?paper {{ ?c a <{PC.Claim}> ; <{PC.path}> ?paper }}\n"
    )
    with Store.open() as store:
        store.add(good)
        assert [row.paper for row in store.query(file)] == ["results/results.md"]
        assert [row.paper for row in store.query(str(file), paper="results/results.md")] == ["results/results.md"]
        assert [row.paper for row in store.query(provchain.load_query(file))] == ["results/results.md"]


def test_a_query_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with Store.open() as store:
        for name in ("nonsense", tmp_path / "nowhere.rq"):
            with pytest.raises(UnknownQueryError):
                store.query(name)


def test_values_are_bound_and_never_pasted(good: provchain.Report) -> None:
    lines = f"SELECT ?claim ?line {{ ?claim <{PC.line}> ?line }}"
    with Store.open() as store:
        store.add(good)
        size = len(store)
        claim = good.claims[0]
        assert {row.line for row in store.sparql(lines, line=claim.line)} == {claim.line}
        assert {row.line for row in store.sparql(lines, line=Literal(claim.line))} == {claim.line}
        iri = next(row.claim for row in store.query("claims") if row.claim.endswith(claim.id))
        assert [row.line for row in store.sparql(lines, claim=URIRef(iri))] == [claim.line]
        for hostile in ('" } DROP ALL #', "\ud800\x00", URIRef("x> } #"), True, 1.5):
            assert len(store.sparql(lines, line=hostile)) == 0
        assert len(store.sparql(lines, line=None)) == len(store.sparql(lines)) > len(good.claims)
        with pytest.raises(QueryError):
            store.sparql(lines, line=10**5000)
        for refused in ("DROP ALL", "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", "", "DESCRIBE <urn:x>"):
            with pytest.raises(QueryError):
                store.sparql(refused)
        assert len(store) == size


# ------------------------------------------------------------------------------------------------------------- carrying


def test_the_dataset_is_a_copy_and_its_default_is_the_union(good: provchain.Report) -> None:
    with Store.open() as store:
        store.add(good)
        store.add(foreign("outside of any bundle"))
        size = len(store)
        dataset = store.graph()
        assert len(set(dataset.quads())) == size
        claims = set(dataset.subjects(RDF.type, URIRef(PC.Claim)))
        assert len(claims) == len(good.claims)
        assert (None, None, Literal("outside of any bundle")) in dataset
        names = {graph.identifier for graph in dataset.graphs()}
        assert URIRef(f"urn:provchain:{good.study.id}:graph/provchain") in names
        dataset.add((URIRef("urn:x"), URIRef("urn:p"), Literal("mine")))
        assert len(store) == size
        assert (None, None, Literal("mine")) not in store.graph()


def test_the_dataset_answers_as_the_store_does(good: provchain.Report) -> None:
    with Store.open() as store:
        store.add(good)
        ours = Counter(row.verdict for row in store.sparql(VERDICTS))
        theirs = Counter(str(row[0]) for row in store.graph().query(VERDICTS))
    assert ours == theirs


def test_a_document_carries_everything_into_another_store(broken: provchain.Report, good: provchain.Report) -> None:
    with Store.open() as one, Store.open() as two:
        one.add(broken)
        one.add(good)
        document = one.document()
        two.add(document)
        assert two.studies() == one.studies()
        for name in ("claims", "broken-claims", "executions-by-status"):
            assert list(map(str, two.query(name))) == list(map(str, one.query(name)))
        assert len(list(document.bundles)) >= 2
        assert not one.document(flat=True).has_bundles()
        assert json.loads(document.serialize())["bundle"]
