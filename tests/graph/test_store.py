"""A store keeps what it is given, answers over all graphs, and lets no query out or change anything."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provchain.errors import ProvchainError, QueryError, StoreError, StoreLockedError
from provchain.graph._guard import reaches_network
from provchain.graph.iris import clean_iri, clean_text, make_iri, parse_iri
from provchain.graph.mapping import study_to_quads
from provchain.graph.quads import QuadWriter
from provchain.graph.store import QuadStore
from provchain.model import Judgement, Study, Verdict
from provchain.terms import PC

ALL = "SELECT ?s ?p ?o { ?s ?p ?o }"


def _quad(text: str, graph: str | None = None) -> ox.Quad:
    name = ox.DefaultGraph() if graph is None else ox.NamedNode(graph)
    return ox.Quad(ox.NamedNode("urn:x"), ox.NamedNode("urn:p"), ox.Literal(text), name)


# ---------------------------------------------------------------------------------------------------------------- names


@given(st.text(), st.sampled_from(("claim", "artifact")), st.text(st.characters(exclude_categories=())))
def test_iri_is_valid_and_reads_back(study: str, kind: str, text: str) -> None:
    study = study.encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass")
    iri = make_iri(study, kind, text)
    assert ox.NamedNode(iri).value == iri == clean_iri(iri)
    assert parse_iri(iri) == (study, kind, text)


@given(st.text(st.characters(exclude_categories=())))
def test_any_identifier_becomes_a_valid_iri(text: str) -> None:
    for iri in (clean_iri(text), clean_iri("http://example.org/" + text), clean_iri("urn:x:" + text)):
        ox.NamedNode(iri)


@given(st.sampled_from(("urn:x:", "http:", "http://", "http://[", "x://a@")), st.text("#%[]?/:@.1af é\\<"))
def test_any_punctuation_becomes_a_valid_iri(start: str, text: str) -> None:
    iri = clean_iri(start + text)
    assert ox.NamedNode(iri).value == iri == clean_iri(iri)


@pytest.mark.parametrize(
    "iri", ["http://u:p@h:80/x?a=b#f", "http://[::1]/x", "http://[2001:db8::1]:80/#f", "urn:x:a%20b", "mailto:a@b"]
)
def test_an_iri_that_is_valid_stays_as_it_is(iri: str) -> None:
    assert clean_iri(iri) == iri


def test_a_second_hash_is_no_second_fragment() -> None:
    assert clean_iri("urn:x:a#b#c") == "urn:x:a#b%23c"
    assert clean_iri("http://a:b/") == "urn:provchain:relative/http%3A%2F%2Fa%3Ab%2F"


@given(st.text(st.characters(exclude_categories=())))
def test_any_identifier_becomes_a_node(text: str) -> None:
    for iri in (text, "http://" + text, "http://x:" + text, "HTTP:" + text):
        assert QuadWriter().node(iri).value


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_becomes_a_valid_literal(text: str) -> None:
    clean = clean_text(text)
    assert ox.Literal(clean).value == clean
    assert len(clean) == len(text)
    clean.encode("utf-8")


@pytest.mark.parametrize(
    "iri", ["http://x/", "urn:provchain:", "urn:provchain:s", "urn:provchain:s:claim", "urn:provchain:%ff:claim/x"]
)
def test_iri_of_others_is_not_ours(iri: str) -> None:
    assert parse_iri(iri) is None


# -------------------------------------------------------------------------------------------------------------- keeping


def test_a_directory_keeps_what_was_added(tmp_path: Path) -> None:
    with QuadStore.open(tmp_path / "store") as store:
        store.add([_quad("1"), _quad("2", "urn:g")])
    with QuadStore.open(str(tmp_path / "store")) as store:
        assert len(store) == 2
        assert [quad.object.value for quad in store.quads("urn:g")] == ["2"]
        assert len(store.quads()) == 2


def test_a_second_handle_is_told_that_the_store_is_locked(tmp_path: Path) -> None:
    with QuadStore.open(tmp_path / "store"):
        with pytest.raises(StoreLockedError) as caught:
            QuadStore.open(tmp_path / "store")
        assert "close" in caught.value.hint
        code = f"from provchain.graph.store import QuadStore; QuadStore.open({str(tmp_path / 'store')!r})"
        other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert "StoreLockedError" in other.stderr
    QuadStore.open(tmp_path / "store").close()


def test_a_place_that_is_no_store_is_an_error_and_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "notes.md").write_text("x")
    for place in (file, tmp_path / "folder", file / "inside", tmp_path / "a\x00b", Path("/proc/none/here")):
        with pytest.raises(StoreError):
            QuadStore.open(place)
    assert [entry.name for entry in (tmp_path / "folder").iterdir()] == ["notes.md"]


def test_a_damaged_store_is_an_error(tmp_path: Path) -> None:
    QuadStore.open(tmp_path / "store").close()
    (tmp_path / "store" / "CURRENT").write_text("rubbish")
    with pytest.raises(StoreError):
        QuadStore.open(tmp_path / "store")


def test_a_closed_store_says_so() -> None:
    store = QuadStore.open()
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.query(ALL)
    with pytest.raises(StoreError, match="closed"):
        store.add([])


def test_adding_a_study_again_replaces_it_and_nothing_else(small: Study) -> None:
    other = Study("other", claims=small.claims)
    with QuadStore.open() as store:
        store.add(study_to_quads(other))
        store.add(study_to_quads(small, [Judgement("c1", Verdict.SUPPORTED)], [("c1", "8.1")]))
        store.add(study_to_quads(small, [Judgement("c1", Verdict.SYNTHETIC)]))
        verdicts = store.query(f"SELECT ?v {{ ?a <{PC.verdict}> ?v }}").rows
        assert [row[0] for row in verdicts] == [ox.Literal("synthetic")]
        assert not store.query(f"SELECT ?a {{ ?a <{PC.restsOn}> ?b }}").rows
        assert store.studies() == ["other", "run 1"]


def test_quads_come_in_one_order(small: Study) -> None:
    quads = study_to_quads(small)
    with QuadStore.open() as one, QuadStore.open() as two:
        one.add(quads)
        two.add(reversed(quads))
        assert [str(quad) for quad in one.quads()] == [str(quad) for quad in two.quads()]


# --------------------------------------------------------------------------------------------------------------- asking


def test_a_query_sees_all_graphs_as_one() -> None:
    with QuadStore.open() as store:
        store.add([_quad("1"), _quad("2", "urn:g"), _quad("3", "urn:h")])
        assert len(store.query(ALL).rows) == 3


def test_bindings_are_values_and_never_text() -> None:
    with QuadStore.open() as store:
        store.add([_quad("1"), _quad('" } #')])
        assert len(store.query(ALL, {"o": ox.Literal('" } #')}).rows) == 1
        for name in ("not there", "nowhere", ""):
            with pytest.raises(QueryError):
                store.query(ALL, {name: ox.Literal("1")})


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
        "SELECT * { service silent ?where { ?s ?p ?o } }",
        "PREFIX e: <http://127.0.0.1:9/> SELECT * { SERVICE e:x { ?s ?p ?o } }",
        "PREFIX : <http://127.0.0.1:9/> SELECT * { SERVICE:x{?s ?p ?o} }",
        "SELECT * { ?s ?p 5SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
        "SELECT * { ?s ?p trueSERVICE<http://127.0.0.1:9/>{ ?s ?p ?o } }",
        "SELECT * { SERVICE#\n<http://127.0.0.1:9/> # {\n{ ?s ?p ?o } }",
        r"PREFIX e: <urn:x:> SELECT * { ?s e:a\# ?o . SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
        r"PREFIX e: <urn:x:> SELECT * { ?s e:a\' ?o . SERVICE <http://127.0.0.1:9/> { ?s e:b\' ?o } }",
        r"SELECT * { \u0053ERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
        r"SELECT * { ?s ?p 'a\u0027 . SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } . ?s ?p 'b' }",
        'SELECT * { ?s ?p """ " """ . SERVICE <http://127.0.0.1:9/> { ?s ?p "" } }',
        "ASK { FILTER NOT EXISTS { { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } } } }",
        "CONSTRUCT { ?s ?p ?o } WHERE { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    ],
)
def test_no_query_leaves_this_machine(text: str) -> None:
    with QuadStore.open() as store, pytest.raises(QueryError, match="another machine"):
        store.query(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { ?service <urn:SERVICE> 'SERVICE <x> {' }",
        "# SERVICE <x> {\nSELECT * { ?s ?p '''it's SERVICE <x> {''' }",
        "PREFIX e: <urn:x#> SELECT * { ?s e:service ?o . ?s <http://x/SERVICE#a> ?service }",
        "SELECT * { ?s ?p ?o FILTER(?o<3 && ?o>1) }",
        'SELECT * { ?s ?p "SERVICE <x> { \\" {" }',
    ],
)
def test_words_that_only_look_like_it_are_no_service(text: str) -> None:
    with QuadStore.open() as store:
        assert store.query(text).rows == []


def test_the_guard_is_linear() -> None:
    for text in (
        "'" * 200_000,
        '"""' + '"' * 200_000,
        "<" * 200_000,
        "service " * 50_000,
        "service" + " " * 200_000,
        "\\" * 200_001,
    ):
        reaches_network(text)


@pytest.mark.parametrize(
    "text",
    [
        "INSERT DATA { <urn:a> <urn:b> 1 }",
        "DROP ALL",
        "LOAD <http://127.0.0.1:9/>",
        "DESCRIBE <urn:x>",
        "",
        "SELECT",
        "SELECT * {",
        "\x00",
        "SELECT * { ?s ?p '\ud800' }",
        "SELECT * {" + "{" * 5000 + "}" * 5001,
        "SELECT * { FILTER(1" + "+1" * 20_000 + ") }",
        "SELECT (1 AS ?s) { ?s ?p ?o }",
    ],
)
def test_what_is_no_question_is_an_error_and_changes_nothing(text: str) -> None:
    with QuadStore.open() as store:
        store.add([_quad("1")])
        with pytest.raises(QueryError):
            store.query(text)
        assert len(store) == 1


@given(st.text(max_size=60))
def test_any_text_is_an_answer_or_an_error_of_ours(text: str) -> None:
    with QuadStore.open() as store:
        for form in (text, "SELECT * {" + text + "}"):
            with contextlib.suppress(ProvchainError):
                store.query(form)
