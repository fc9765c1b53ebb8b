"""A study exported as a PROV document and read back says what it said, and bad documents give clear errors."""

from __future__ import annotations

import contextlib
import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import prov.model
import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prov.model import ProvDocument

from provchain.errors import MalformedSourceError, MissingExtraError, ProvchainError, SourceError, UnknownFormatError
from provchain.graph._provjson import loads
from provchain.graph.interchange import (
    SUFFIXES,
    document_to_quads,
    quads_to_document,
    read_provjson,
    to_document,
    write,
    write_provjson,
)
from provchain.graph.mapping import study_to_quads
from provchain.graph.store import QuadStore
from provchain.model import Study
from provchain.queries import run_query
from provchain.terms import DCTERMS, EARL, OA, PC, PROV, RDF

EX = "http://example.org/"
NESTED = {OA.hasSelector, EARL.result}


def _triples(quads: list[ox.Quad]) -> set[tuple[str, str, str]]:
    return {(str(q.subject), str(q.predicate), str(q.object)) for q in quads}


def _without_nested(quads: list[ox.Quad]) -> set[ox.Quad]:
    nested = {q.object.value for q in quads if q.predicate.value in NESTED}
    return {q for q in quads if q.predicate.value not in NESTED and q.subject.value not in nested}


def _edges(quads: list[ox.Quad], relation: str) -> list[tuple[str, str]]:
    return [(q.subject.value, q.object.value) for q in quads if q.predicate.value == relation]


@pytest.fixture
def document() -> ProvDocument:
    document = ProvDocument()
    document.add_namespace("ex", EX)
    return document


# ------------------------------------------------------------------------------------------------------ round trips


@settings(max_examples=25, deadline=None)
@given(data=st.data(), flat=st.booleans())
def test_provjson_comes_back_as_it_was(studies: Any, data: st.DataObject, flat: bool) -> None:
    document = to_document(*data.draw(studies), flat=flat)
    text = document.serialize(format="json")
    assert text is not None
    assert loads(text.encode("utf-8"), "x.json").unified() == document.unified()
    assert ProvDocument.deserialize(content=text, format="json").unified() == document.unified()


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_quads_of_a_document_are_the_quads_of_its_study(studies: Any, data: st.DataObject) -> None:
    drawn = data.draw(studies)
    quads = study_to_quads(*drawn)
    back = document_to_quads(to_document(*drawn))
    assert set(back) == _without_nested(quads)
    flat = document_to_quads(to_document(*drawn, flat=True))
    assert _triples(flat) == _triples(back)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_document_of_quads_is_the_document_of_their_study(studies: Any, data: st.DataObject) -> None:
    drawn = data.draw(studies)
    again = document_to_quads(quads_to_document(study_to_quads(*drawn)))
    assert set(again) == set(document_to_quads(to_document(*drawn)))


def test_provn_holds_the_same_records(small: Study, tmp_path: Path) -> None:
    document = to_document(small, flat=True)
    write(document, tmp_path / "x.provn")
    again = prov.model.ProvDocument.deserialize(tmp_path / "x.provn", format="provn")
    assert len(again.get_records()) == len(document.get_records())


def test_bundles_hold_each_attestation(small: Study) -> None:
    document = to_document(small)
    names = {bundle.identifier.localpart for bundle in document.bundles if bundle.identifier}
    assert names == {"graph/trace", "graph/folder", "graph/manuscript", "graph/provchain"}
    assert not to_document(small, flat=True).has_bundles()
    attested = sum(len(bundle.get_records()) for bundle in document.bundles)
    assert len(document.get_records()) == attested


def test_the_shipped_question_has_the_same_answer_after_a_round_trip(small: Study, tmp_path: Path) -> None:
    write_provjson(to_document(small), tmp_path / "x.json")
    answers = []
    for quads in (study_to_quads(small), document_to_quads(read_provjson(tmp_path / "x.json"))):
        with QuadStore.open() as store:
            store.add(quads)
            answers.append([tuple(row) for row in run_query(store, "derives-from-completed")])
    assert answers[0] == answers[1] != []


# -------------------------------------------------------------------------------------- pitfalls of peers.md, as tests


def test_plain_edges_survive_whatever_a_relation_says(document: ProvDocument) -> None:
    """Pitfall 1: the RDF writer of prov drops them."""
    when = "2026-11-30T17:07:00Z"
    document.usage("ex:run", "ex:data", when, identifier="ex:u", other_attributes={"prov:role": "ex:input"})
    document.generation("ex:out", "ex:run", when)
    document.derivation("ex:out", "ex:data", activity="ex:run")
    document.association("ex:run", "ex:me", plan="ex:plan")
    document.revision("ex:v2", "ex:v1")
    document.quotation("ex:q", "ex:book")
    document.primary_source("ex:p", "ex:letter")
    document.start("ex:run", "ex:signal", "ex:other", when)
    document.delegation("ex:me", "ex:boss", "ex:run")
    quads = document_to_quads(document)
    for relation, ends in (
        (PROV.used, ("run", "data")),
        (PROV.wasGeneratedBy, ("out", "run")),
        (PROV.wasAssociatedWith, ("run", "me")),
        (PROV.wasRevisionOf, ("v2", "v1")),
        (PROV.wasQuotedFrom, ("q", "book")),
        (PROV.hadPrimarySource, ("p", "letter")),
        (PROV.wasStartedBy, ("run", "signal")),
        (PROV.actedOnBehalfOf, ("me", "boss")),
    ):
        assert _edges(quads, relation) == [(EX + ends[0], EX + ends[1])]
    derived = set(_edges(quads, PROV.wasDerivedFrom))
    assert derived == {(EX + a, EX + b) for a, b in (("out", "data"), ("v2", "v1"), ("q", "book"), ("p", "letter"))}
    assert (f"<{EX}run>", f"<{PROV.qualifiedUsage}>", f"<{EX}u>") in _triples(quads)
    for relation, value in ((PROV.hadPlan, "plan"), (PROV.hadActivity, "run"), (PROV.hadActivity, "other")):
        assert EX + value in {end for _, end in _edges(quads, relation)}


def test_undeclared_prefix_is_an_error_and_not_a_lost_end(tmp_path: Path) -> None:
    """Pitfall 2."""
    text = {"prefix": {"ex": EX}, "used": {"_:u": {"prov:activity": "ex:run", "prov:entity": "nope:data"}}}
    assert "nope:data" in str(_error(json.dumps(text)))
    blank = {"prefix": {"ex": EX}, "used": {"_:u": {"prov:activity": "ex:run", "prov:entity": "_:b"}}}
    assert "$.used._:u.prov:entity" in str(_error(json.dumps(blank)))
    loads(json.dumps({"prefix": {"ex": EX}, "used": {"_:u": {"prov:activity": EX + "run"}}}).encode(), "full IRI")


@pytest.mark.parametrize("time", ["2026-11-30", "2026-11-30 17:07:00", "2026-11-30T17:07:60", "yesterday", 7, None])
def test_time_that_is_none_is_an_error(time: object) -> None:
    """Pitfall 3."""
    text = {"prefix": {"ex": EX}, "activity": {"ex:a": {"prov:startTime": time}}}
    assert "$.activity.ex:a.prov:startTime" in str(_error(json.dumps(text)))


def test_same_id_as_entity_and_agent_stays_both(document: ProvDocument) -> None:
    """Pitfall 6."""
    document.entity("ex:x", {"ex:colour": "red"})
    document.agent("ex:x")
    document.usage("ex:run", None, identifier="ex:u")
    quads = document_to_quads(document)
    assert {o for s, o in _edges(quads, RDF.type) if s == EX + "x"} == {PROV.Entity, PROV.Agent}
    assert (f"<{EX}run>", f"<{PROV.qualifiedUsage}>", f"<{EX}u>") in _triples(quads)
    assert _edges(quads, PROV.used) == []


def test_hostile_values_become_valid_literals(document: ProvDocument) -> None:
    """Pitfalls 5 and 7."""
    literal = prov.model.Literal
    space = prov.model.Namespace("odd", "http://example.org/a b<>#")
    document.add_namespace(space)
    with pytest.warns(prov.model.ProvFutureRejectionWarning):
        document.entity(
            space["x\\ y"], {"ex:tag": literal("mot", langtag="fr_FR"), "ex:lost": literal("x", langtag="!!")}
        )
    document.entity("ex:y", {"ex:a": "\x00\ud800", "ex:n": float("nan"), "ex:i": float("inf"), "ex:d": 10**30})
    quads = document_to_quads(document)
    values = {q.predicate.value.removeprefix(EX): q.object for q in quads if isinstance(q.object, ox.Literal)}
    assert values["tag"].language == "fr-fr"
    assert values["a"].value == "\ufffd\ufffd"
    assert (values["n"].value, values["i"].value, values["d"].value) == ("NaN", "INF", str(10**30))
    assert "http://example.org/a%20b%3C%3E#x%5C%20y" in {q.subject.value for q in quads}


def test_bundles_become_named_graphs(document: ProvDocument) -> None:
    """Pitfall 12."""
    bundle = document.bundle("ex:b")
    bundle.usage("ex:run", "ex:data")
    document.mention("ex:m", "ex:g", "ex:b")
    quads = document_to_quads(document, graph="urn:top")
    assert {q.graph_name.value for q in quads} == {EX + "b", "urn:top"}
    assert (EX + "b", PROV.Bundle) in _edges(quads, RDF.type)
    assert _edges(quads, PROV.asInBundle) == [(EX + "m", EX + "b")]


def test_overwritten_state_of_ours_derives_nothing_and_a_revision_of_others_does(small: Study) -> None:
    quads = document_to_quads(to_document(small, flat=True))
    (revision,) = _edges(quads, PROV.wasRevisionOf)
    assert revision not in _edges(quads, PROV.wasDerivedFrom)


# ------------------------------------------------------------------------------------------------------- bad documents


def _error(text: str | bytes) -> MalformedSourceError:
    with pytest.raises(MalformedSourceError) as caught:
        loads(text if isinstance(text, bytes) else text.encode("utf-8"), "x.json")
    return caught.value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1, column 1"),
        ('{"entity": {', "line 1"),
        ("[]", "an object, found a list"),
        ("7", "an object, found a number"),
        (b"\xff\xfe{}", "byte 0"),
        ('{"entity": {"ex:a": {}, "ex:a": {}}}', "ex:a: expected each key once"),
        ('{"prefix": {"ex": "x:"}, "entity": {"ex:a": {"ex:v": NaN}}}', "NaN"),
        ('{"prefix": {"ex": "x:"}, "bundle": {"ex:b": {"bundle": {}}}}', "no bundle inside a bundle"),
        ('{"bundle": []}', "$.bundle"),
        ('{"bundle": {"nope:b": {}}}', "declared prefix"),
        ('{"entity": []}', "$.entity: expected an object"),
        ('{"entity": {"ex:a": 1}}', "$.entity.ex:a: expected an object"),
        ('{"prefix": {"ex": 1}}', "$.prefix.ex: expected an IRI"),
        ('{"prefix": 1}', "$.prefix"),
        ('{"entitty": {}}', "a kind of PROV record, found entitty"),
        ('{"entity": {"nope:a": {}}}', "nope:a"),
        ('{"used": {"_:u": {"prov:entity": 5}}}', "an id, found a number"),
        ('{"prefix": {"ex": "x:"}, "entity": {"ex:a": {"ex:v": {"type": "xsd:int"}}}}', "$"),
        ('{"n": ' + "9" * 5000 + "}", "sensible length"),
        ('{"entity": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
    ],
)
def test_malformed_document_is_one_clear_error(text: str | bytes, said: str) -> None:
    assert said in str(_error(text))


def test_all_problems_at_once() -> None:
    text = {"used": {"_:u": {"prov:activity": "a:x", "prov:entity": "b:y"}}, "odd": {}}
    assert len(_error(json.dumps(text)).problems) == 3


def test_byte_order_mark_and_dialects_are_accepted() -> None:
    text = {
        "@context": "x",
        "prefix": {"ex": EX},
        "activity": {"ex:a": {"prov:startedAtTime": "2026-11-30T17:07:00Z"}},
        "bundle": {"ex:b": {"@id": "ex:b", "entity": {"ex:e": {}}}},
    }
    document = loads(b"\xef\xbb\xbf" + json.dumps(text).encode(), "x.json")
    quads = document_to_quads(document)
    assert [end for _, end in _edges(quads, PROV.startedAtTime)] == ["2026-11-30T17:07:00Z"]


def test_unreadable_file_is_an_error(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json", tmp_path / "a\x00b"):
        with pytest.raises(SourceError):
            read_provjson(path)


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    (
                        "entity",
                        "used",
                        "prefix",
                        "bundle",
                        "prov:entity",
                        "prov:type",
                        "ex:a",
                        "ex",
                        "default",
                        "$",
                        "type",
                        "lang",
                        "",
                    )
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_no_json_raises_anything_but_our_errors(value: object) -> None:
    with contextlib.suppress(ProvchainError):
        document_to_quads(loads(json.dumps(value).encode(), "x.json"))


# ------------------------------------------------------------------------------------------------------------- writing


@pytest.mark.parametrize("suffix", [suffix for suffix in SUFFIXES if suffix != ".provx"])
@pytest.mark.parametrize("make", [to_document, study_to_quads])
def test_every_format_is_written_the_same_twice(
    small: Study, tmp_path: Path, suffix: str, make: Callable[[Study], Any]
) -> None:
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix.upper()}"
    write(make(small), first)
    write(make(small), second)
    assert first.read_bytes() == second.read_bytes() != b""


def test_rdf_formats_hold_the_same_graph(small: Study, tmp_path: Path) -> None:
    quads = study_to_quads(small)
    for suffix, form in ((".nq", ox.RdfFormat.N_QUADS), (".trig", ox.RdfFormat.TRIG)):
        write(reversed(quads), tmp_path / f"x{suffix}")
        assert set(ox.parse(path=tmp_path / f"x{suffix}", format=form)) == set(quads)
    write(quads, tmp_path / "x.ttl")
    found = list(ox.parse(path=tmp_path / "x.ttl", format=ox.RdfFormat.TURTLE))
    assert {(str(t.subject), str(t.predicate), str(t.object)) for t in found} == _triples(quads)
    assert DCTERMS.isPartOf in {t.predicate.value for t in found}


def test_unknown_suffix_names_the_known_ones(small: Study, tmp_path: Path) -> None:
    for name in ("x.rdf", "x", "x.csv"):
        with pytest.raises(UnknownFormatError) as caught:
            write(study_to_quads(small), tmp_path / name)
        assert all(suffix in caught.value.hint for suffix in SUFFIXES)


def test_place_that_cannot_be_written_is_an_error(small: Study, tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        write(study_to_quads(small), tmp_path / "none" / "x.nq")
    with pytest.raises(SourceError):
        write_provjson(to_document(small), tmp_path)


def test_provxml_is_written_or_says_what_to_install(small: Study, tmp_path: Path) -> None:
    if importlib.util.find_spec("lxml") is None:
        with pytest.raises(MissingExtraError, match="xml"):
            write(to_document(small), tmp_path / "x.provx")
    else:
        write(to_document(small), tmp_path / "x.provx")
        assert (tmp_path / "x.provx").read_bytes().startswith(b"<?xml")


def test_terms_of_ours_keep_their_prefix(small: Study, tmp_path: Path) -> None:
    write(to_document(small, flat=True), tmp_path / "x.json")
    found = json.loads((tmp_path / "x.json").read_text())
    assert found["prefix"]["pc"] == PC.base
    assert found["prefix"]["study"] == "urn:provchain:run%201:"
    assert found["entity"]["study:claim/c1"]["pc:written"] == "0.91"
