"""Every question that ships gives the same, expected rows on two engines, and bad questions give clear errors."""

from __future__ import annotations

import contextlib
import csv
import json
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
import rdflib

from provchain.errors import (
    MissingParameterError,
    ProvchainError,
    QueryError,
    UnknownClaimError,
    UnknownQueryError,
)
from provchain.graph.store import Store
from provchain.queries import Column, Parameter, list_queries, load_query, parse_query, run_query
from provchain.resources import list_resources
from provchain.terms import PC, PROV

FIXTURES = Path(__file__).parent / "queries"
NAMES = [name.removesuffix(".rq") for name in list_resources("queries")]
TYPES = {"IRI", "string", "integer", "decimal", "boolean", "claim"}


def _params(name: str) -> dict[str, str]:
    file = FIXTURES / name / "params.json"
    return json.loads(file.read_text()) if file.is_file() else {}


def _expected(name: str) -> list[list[str]]:
    with (FIXTURES / name / "expected.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def _store(text: str) -> Store:
    store = Store.open()
    # two graphs say the same: a union must not count anything twice
    triples = list(ox.parse(text, format=ox.RdfFormat.TURTLE))
    for graph in ("urn:provchain:x:graph/1", "urn:provchain:y:graph/2"):
        store.add(ox.Quad(t.subject, t.predicate, t.object, ox.NamedNode(graph)) for t in triples)
    return store


def _text(value: object) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_there_are_queries() -> None:
    assert set(NAMES) >= {"claims", "broken-claims", "claim-chain", "executions-by-status", "derives-from-completed"}
    assert [query.name for query in list_queries()] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_oxigraph_gives_the_expected_rows(name: str) -> None:
    header, *rows = _expected(name)
    with _store((FIXTURES / name / "data.ttl").read_text(encoding="utf-8")) as store:
        found = run_query(store, name, **_params(name))
    assert list(found.columns) == header
    assert [[_text(cell) for cell in row] for row in found] == rows


@pytest.mark.parametrize("name", NAMES)
def test_rdflib_gives_the_expected_rows(name: str) -> None:
    header, *rows = _expected(name)
    graph = rdflib.Graph().parse(FIXTURES / name / "data.ttl")
    bindings: dict[str, Any] = {key: rdflib.URIRef(value) for key, value in _params(name).items()}
    found = graph.query(load_query(name).text, initBindings=bindings)
    assert [str(variable) for variable in found.vars or ()] == header
    assert [["" if cell is None else str(cell) for cell in row] for row in found] == rows  # type: ignore[union-attr]


@pytest.mark.parametrize("name", NAMES)
def test_header_says_everything(name: str) -> None:
    query = load_query(name)
    assert query.question.endswith("?")
    assert query.order
    assert query.columns
    assert {column.type for column in query.columns} <= TYPES
    assert {parameter.type for parameter in query.params} <= TYPES
    assert all(parameter.help for parameter in query.params)
    # a parameter can only be bound where it is selected
    assert {parameter.name for parameter in query.params} <= {column.name for column in query.columns}


@pytest.mark.parametrize("name", NAMES)
def test_query_runs_on_an_empty_store(name: str) -> None:
    with Store.open() as store:
        if load_query(name).params and not load_query(name).params[0].optional:
            with pytest.raises(MissingParameterError):
                run_query(store, name)
        else:
            assert list(run_query(store, name)) == []


def test_no_alternation_inside_a_repeated_path() -> None:
    """Virtuoso refuses it at scale, and rdflib takes minutes."""
    for query in list_queries():
        body = "\n".join(line for line in query.text.splitlines() if not line.startswith("#"))
        assert ")*" not in body.replace(" ", "")
        assert ")+" not in body.replace(" ", "")


def test_rows_are_typed_and_named() -> None:
    with _store((FIXTURES / "claims/data.ttl").read_text(encoding="utf-8")) as store:
        rows = run_query(store, "claims")
    assert rows[0].line == 90
    assert rows[0].verdict is None
    assert rows[3].written == "0.910"
    assert len(rows[1:3]) == 2


def test_optional_parameter_narrows_the_rows() -> None:
    with _store((FIXTURES / "broken-claims/data.ttl").read_text(encoding="utf-8")) as store:
        assert [row.written for row in run_query(store, "broken-claims", paper="paper.md")] == ["2", "3"]
        assert list(run_query(store, "broken-claims", paper='x" || true || "')) == []
        assert len(run_query(store, "broken-claims", paper=None)) == 3
    with _store((FIXTURES / "executions-by-status/data.ttl").read_text(encoding="utf-8")) as store:
        assert [row.status for row in run_query(store, "executions-by-status", status="failed")] == ["failed"]


def test_mistyped_claim_is_an_error() -> None:
    with _store((FIXTURES / "claim-chain/data.ttl").read_text(encoding="utf-8")) as store:
        for wrong in ("nope", "urn:provchain:s:value", "a b<>\ud800", ""):
            with pytest.raises(UnknownClaimError):
                run_query(store, "claim-chain", claim=wrong)


def test_claim_is_found_by_its_id_and_not_guessed() -> None:
    claim = f"<urn:provchain:{{}}:claim/a%20b> a <{PC.Claim}> ; <{PROV.wasDerivedFrom}> <urn:x> ."
    with _store(claim.format("s")) as store:
        assert len(run_query(store, "claim-chain", claim="a b")) == 1
    with (
        _store(claim.format("s") + claim.format("t")) as store,
        pytest.raises(UnknownClaimError, match="several studies"),
    ):
        run_query(store, "claim-chain", claim="a b")


def test_errors_name_what_exists(tmp_path: Path) -> None:
    with pytest.raises(UnknownQueryError) as caught:
        load_query("clams")
    assert "claims" in caught.value.hint
    with pytest.raises(UnknownQueryError):
        load_query("../queries/claims")
    with pytest.raises(UnknownQueryError):
        load_query(tmp_path / "none.rq")
    with Store.open() as store:
        with pytest.raises(MissingParameterError) as missing:
            run_query(store, "claim-chain")
        assert "claim" in missing.value.hint
        with pytest.raises(QueryError, match="no parameter"):
            run_query(store, "claims", colour="red")


def test_query_of_a_stranger_needs_no_header(tmp_path: Path) -> None:
    file = tmp_path / "mine.rq"
    file.write_text("\ufeffSELECT ?s (2 AS ?class) ?n { ?s <urn:p> ?n }", encoding="utf-8")
    with _store("<urn:a> <urn:p> 1.50 .") as store:
        assert next(tuple(row) for row in run_query(store, file))[1:] == (2, run_query(store, str(file))[0].n)
        assert run_query(store, file, s="urn:nowhere").columns == ("s", "class", "n")
        with pytest.raises(QueryError, match="could not be run"):
            run_query(store, file, other="x")
    file.write_bytes(b"\xff\xfe\x00SELECT")
    with Store.open() as store, pytest.raises(QueryError):
        run_query(store, file)


def test_other_forms_are_rows_too(tmp_path: Path) -> None:
    with _store("<urn:a> <urn:p> 'x' .") as store:
        assert run_query(store, parse_query("ask", "ASK { ?s ?p ?o }"))[0].answer is True
        assert list(run_query(store, parse_query("make", "CONSTRUCT { ?o <urn:q> ?s } { BIND(1 AS ?o) }"))) == []
        made = run_query(store, parse_query("make", "CONSTRUCT { ?s <urn:q> ?o } { ?s ?p ?o }"))
    assert [tuple(row) for row in made] == [("urn:a", "urn:q", "x")]


def test_header_is_read() -> None:
    query = parse_query(
        "x", "# question: Why?\n# params: ?a IRI (optional) — the first | ?b claim\n# columns: a IRI? | b string\n"
    )
    assert query.params == (Parameter("a", "IRI", True, "the first"), Parameter("b", "claim"))
    assert query.columns == (Column("a", "IRI", True), Column("b"))
    assert parse_query("y", "SELECT * {}").params == ()


def test_hostile_parameters_never_raise_anything_else() -> None:
    query = parse_query("x", "# params: ?s IRI (optional) | ?n integer (optional)\nSELECT ?s ?n { ?s ?p ?n }")
    with _store("<urn:a> <urn:p> 1 .") as store:
        for value in ("\ud800", "a b", "<>", "", "\x00", "9" * 50, True, 1.5):
            for name in ("s", "n"):
                with contextlib.suppress(ProvchainError):
                    run_query(store, query, **{name: value})


def test_cells_that_lie_about_their_type_stay_texts() -> None:
    text = "<urn:a> <urn:p> 'x'^^<http://www.w3.org/2001/XMLSchema#integer> ."
    with _store(text) as store:
        assert run_query(store, parse_query("x", "SELECT ?o { ?s ?p ?o }"))[0].o == "x"
