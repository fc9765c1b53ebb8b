"""The graph in the words of rdflib says what the quads said, term by term."""

from __future__ import annotations

import logging
from decimal import Decimal

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID

from provchain.graph.iris import clean_iri, clean_text
from provchain.graph.views import is_document, quads_to_dataset, to_term
from provchain.terms import XSD

ANY = st.text(st.characters(exclude_categories=()), max_size=20)
IRIS = ANY.map(lambda text: ox.NamedNode(clean_iri("urn:x:" + text)))
KINDS = st.sampled_from([XSD.string, XSD.integer, XSD.decimal, XSD.boolean, XSD.dateTime, XSD.double, "urn:x:kind"])
LITERALS = st.builds(lambda text, kind: ox.Literal(clean_text(text), datatype=ox.NamedNode(kind)), ANY, KINDS)
NAMES = st.one_of(st.just(ox.DefaultGraph()), IRIS)
QUADS = st.builds(ox.Quad, IRIS, IRIS, st.one_of(IRIS, LITERALS), NAMES)


def shown(dataset: rdflib.Dataset) -> set[tuple[str, ...]]:
    """The quads of a dataset as texts that can be compared."""
    found = set()
    for subject, predicate, value, graph in dataset.quads():
        kind = ""
        if isinstance(value, rdflib.Literal):
            kind = value.language or str(value.datatype or XSD.string)
        home = graph in (None, DATASET_DEFAULT_GRAPH_ID)
        found.add((str(subject), str(predicate), str(value), kind, "" if home else str(graph)))
    return found


@given(st.lists(QUADS, max_size=4))
def test_a_dataset_says_what_the_quads_say(quads: list[ox.Quad]) -> None:
    expected = set()
    for quad in quads:
        kind = quad.object.datatype.value if isinstance(quad.object, ox.Literal) else ""
        name = "" if isinstance(quad.graph_name, ox.DefaultGraph) else quad.graph_name.value
        expected.add((quad.subject.value, quad.predicate.value, quad.object.value, kind, name))
    assert shown(quads_to_dataset(quads)) == expected


def test_languages_blank_nodes_and_blank_graphs_come_along() -> None:
    quads = [
        ox.Quad(ox.BlankNode("b"), ox.NamedNode("urn:p"), ox.Literal("ja", language="de"), ox.BlankNode("g")),
        ox.Quad(ox.NamedNode("urn:x"), ox.NamedNode("urn:p"), ox.BlankNode("b"), ox.BlankNode("g")),
    ]
    dataset = quads_to_dataset(quads)
    assert shown(dataset) == {("b", "urn:p", "ja", "de", "g"), ("urn:x", "urn:p", "b", "", "g")}
    assert all(isinstance(s, rdflib.BNode) for s in dataset.subjects(None, rdflib.Literal("ja", lang="de")))


def test_what_rdf_has_no_word_for_in_rdflib_is_left_out() -> None:
    triple = ox.Triple(ox.NamedNode("urn:x"), ox.NamedNode("urn:p"), ox.Literal("1"))
    assert len(quads_to_dataset([ox.Quad(ox.NamedNode("urn:x"), ox.NamedNode("urn:p"), triple)])) == 0


def test_a_literal_that_lies_about_its_type_is_kept_and_is_no_noise(caplog: pytest.LogCaptureFixture) -> None:
    texts = ["abc", "9" * 5000, "0.910"]
    quads = [
        ox.Quad(ox.NamedNode("urn:x"), ox.NamedNode("urn:p"), ox.Literal(text, datatype=ox.NamedNode(kind)))
        for text in texts
        for kind in (XSD.integer, XSD.decimal, XSD.dateTime)
    ]
    with caplog.at_level(logging.DEBUG):
        dataset = quads_to_dataset(quads)
    assert {str(value) for value in dataset.objects()} == set(texts)
    assert not caplog.records
    assert not logging.getLogger("rdflib.term").filters


@given(ANY)
def test_any_text_becomes_a_term_that_says_it(text: str) -> None:
    assert to_term(text) == ox.Literal(clean_text(text))
    assert to_term(rdflib.Literal(text)) == ox.Literal(clean_text(text))
    assert isinstance(to_term(rdflib.URIRef("urn:x:" + text)), ox.NamedNode)


@pytest.mark.parametrize(
    ("value", "lexical", "kind"),
    [
        (18, "18", XSD.integer),
        (True, "true", XSD.boolean),
        (Decimal("0.910"), "0.910", XSD.decimal),
        (Decimal("1E-7"), "0.0000001", XSD.decimal),
        (Decimal("NaN"), "NaN", XSD.string),
        (rdflib.Literal("0.910", datatype=rdflib.XSD.decimal), "0.910", XSD.decimal),
        (10**400, "1" + "0" * 400, XSD.integer),
    ],
)
def test_numbers_keep_their_value_and_type(value: object, lexical: str, kind: str) -> None:
    term = to_term(value)
    assert isinstance(term, ox.Literal)
    assert (term.value, term.datatype.value) == (lexical, kind)


def test_terms_pass_as_they_are() -> None:
    for term in (ox.NamedNode("urn:x"), ox.Literal("x", language="de")):
        assert to_term(term) is term
    assert to_term(rdflib.Literal("x", lang="de")) == ox.Literal("x", language="de")
    assert not is_document({})
