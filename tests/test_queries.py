"""Every question that ships gives the same, expected rows on two engines, and bad questions give clear errors."""

from __future__ import annotations

import contextlib
import copy
import csv
import dataclasses
import json
import os
import pickle
import re
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from provchain.cli.application import run
from provchain.errors import (
    MissingExtraError,
    MissingParameterError,
    ProvchainError,
    QueryError,
    UnknownClaimError,
    UnknownQueryError,
)
from provchain.graph.store import QuadStore
from provchain.queries import (
    Column,
    Parameter,
    Row,
    Rows,
    list_queries,
    load_query,
    parse_query,
    query_folders,
    run_query,
)
from provchain.resources import list_resources
from provchain.terms import PC, PROV, XSD

FIXTURES = Path(__file__).parent / "queries"
NAMES = [name.removesuffix(".rq") for name in list_resources("queries")]
TYPES = {"IRI", "string", "integer", "decimal", "boolean"}


def _params(name: str) -> dict[str, str]:
    file = FIXTURES / name / "params.json"
    return json.loads(file.read_text()) if file.is_file() else {}


def _expected(name: str) -> list[list[str]]:
    with (FIXTURES / name / "expected.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def _store(text: str) -> QuadStore:
    store = QuadStore.open()
    # two graphs say the same: a union must not count anything twice
    triples = list(ox.parse(text, format=ox.RdfFormat.TURTLE))
    for graph in ("urn:provchain:x:graph/1", "urn:provchain:y:graph/2"):
        store.add(ox.Quad(t.subject, t.predicate, t.object, ox.NamedNode(graph)) for t in triples)
    return store


def _fixture(name: str) -> QuadStore:
    """The data of one question: Turtle, or TriG where it matters who says what."""
    file = FIXTURES / name / "data.trig"
    if not file.is_file():
        return _store(file.with_suffix(".ttl").read_text(encoding="utf-8"))
    store = QuadStore.open()
    store.add(ox.parse(file.read_text(encoding="utf-8"), format=ox.RdfFormat.TRIG))
    return store


def _rdflib(name: str) -> rdflib.Dataset:
    dataset = rdflib.Dataset(default_union=True)
    with _fixture(name) as store:
        quads = ox.serialize(store.quads(), format=ox.RdfFormat.N_QUADS)
    assert quads is not None
    dataset.parse(data=quads.decode("utf-8"), format="nquads")
    return dataset


def _text(value: object) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.fixture(autouse=True)
def no_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PROVCHAIN_QUERIES", raising=False)


def test_there_are_queries() -> None:
    assert set(NAMES) >= {"claims", "broken-claims", "claim-chain", "executions-by-status", "derives-from-completed"}
    assert [query.name for query in list_queries()] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_oxigraph_gives_the_expected_rows(name: str) -> None:
    header, *rows = _expected(name)
    with _fixture(name) as store:
        found = run_query(store, name, **_params(name))
    assert list(found.columns) == header
    assert [[_text(cell) for cell in row] for row in found] == rows


@pytest.mark.parametrize("name", NAMES)
def test_rdflib_gives_the_expected_rows(name: str) -> None:
    header, *rows = _expected(name)
    query = load_query(name)
    terms = {
        parameter.name: rdflib.Literal if parameter.type == "string" else rdflib.URIRef for parameter in query.params
    }
    bindings: dict[str, Any] = {key: terms[key](value) for key, value in _params(name).items()}
    found = _rdflib(name).query(query.text, initBindings=bindings)
    assert [str(variable) for variable in found.vars or ()] == header
    assert [["" if cell is None else str(cell) for cell in row] for row in found] == rows  # type: ignore[union-attr]


@pytest.mark.parametrize("name", NAMES)
def test_header_says_everything(name: str) -> None:
    query = load_query(name)
    assert query.question.endswith("?")
    assert query.order
    assert query.columns
    assert {column.type for column in query.columns} <= TYPES
    assert {parameter.type for parameter in query.params} <= TYPES | {"claim", "record"}
    assert all(parameter.help for parameter in query.params)
    # the order is total: it ends in something that tells two rows apart
    last = re.search(r"ORDER BY .*\?(\w+)\n*$", query.text)
    assert last is not None
    assert last[1] in {column.name for column in query.columns}
    # a parameter can only be bound where it is selected
    assert {parameter.name for parameter in query.params} <= {column.name for column in query.columns}


@pytest.mark.parametrize("name", NAMES)
def test_query_runs_on_an_empty_store(name: str) -> None:
    with QuadStore.open() as store:
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
        assert not re.search(r"\bSERVICE\b", body)


def test_rows_are_typed_and_named() -> None:
    with _store((FIXTURES / "claims/data.ttl").read_text(encoding="utf-8")) as store:
        rows = run_query(store, "claims")
    assert rows[0].line == 90
    assert rows[0].verdict is None
    assert rows[4].written == "0.910"
    assert len(rows[1:3]) == 2


def test_optional_parameter_narrows_the_rows() -> None:
    with _store((FIXTURES / "broken-claims/data.ttl").read_text(encoding="utf-8")) as store:
        assert [row.written for row in run_query(store, "broken-claims", paper="paper.md")] == ["2", "2", "3"]
        assert list(run_query(store, "broken-claims", paper='x" || true || "')) == []
        assert len(run_query(store, "broken-claims", paper=None)) == 4
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
    with QuadStore.open() as store:
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
    with QuadStore.open() as store, pytest.raises(QueryError):
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


# ---------------------------------------------------------------------------------------------------------- parameters


def test_a_record_is_found_by_its_id_its_kind_and_its_iri() -> None:
    text = f"""
        <urn:provchain:s:claim/c1> a <{PROV.Entity}> . <urn:provchain:s:assertion/c1> a <{PROV.Entity}> .
        <urn:provchain:s:plan/p> a <{PROV.Entity}> . <urn:provchain:s:step/p> a <{PROV.Entity}> .
        <urn:provchain:s:execution/8.1> a <{PROV.Activity}> .
    """
    with _store(text) as store:
        store.add([])

        def found(name: str) -> Any:
            query = parse_query("x", "# params: ?of record\nSELECT DISTINCT ?of { GRAPH ?g { ?of ?p ?o } }")
            (row,) = run_query(store, query, of=name)
            return row.of

        assert found("c1") == "urn:provchain:s:claim/c1"  # what stands beside a record is not meant
        assert found("assertion/c1") == "urn:provchain:s:assertion/c1"
        assert found("8.1") == found("urn:provchain:s:execution/8.1") == "urn:provchain:s:execution/8.1"
        assert found("step/p") == "urn:provchain:s:step/p"
        with pytest.raises(QueryError, match="several records"):
            found("p")
        with pytest.raises(QueryError, match="no record"):
            found("9.1")


def test_what_is_not_there_has_no_impact() -> None:
    with _fixture("impact") as store:
        assert {row.claim for row in run_query(store, "impact", of="8.1")} == {f"urn:provchain:s:c{n}" for n in (1, 2)}
        assert {row.claim for row in run_query(store, "impact", of="data.csv")} == {
            f"urn:provchain:s:c{n}" for n in (1, 2)
        }
        assert list(run_query(store, "impact", of="elsewhere.py")) == []
        assert list(run_query(store, "impact", of='x" . ?s ?p ?o')) == []


def test_claims_are_narrowed_by_manuscript_and_kept_apart_by_study() -> None:
    with _fixture("claims") as store:
        assert [row.line for row in run_query(store, "claims", paper="draft.md")] == [90]
        assert list(run_query(store, "claims", paper="none.md")) == []
        studies = {row.written: row.study for row in run_query(store, "claims", paper="paper.md")}
    assert (studies["40.0%"], studies["41.0%"]) == ("urn:provchain:s:study", "urn:provchain:s:study-2")


def test_words_are_narrowed_by_kind_and_speaker() -> None:
    with _fixture("remarks") as store:
        assert [row.text for row in run_query(store, "remarks", kind="repaired")] == ["fixed the import"]
        assert [row.kind for row in run_query(store, "remarks", speaker="person")] == ["completed"]
    with _fixture("artifacts-without-execution") as store:
        assert [row.path for row in run_query(store, "artifacts-without-execution", kind="log")] == ["log.txt"]


# ---------------------------------------------------------------------------------------------------------------- rows


def test_each_query_has_a_dataclass_made_from_its_header() -> None:
    with _fixture("claims") as store:
        first, again = run_query(store, "claims"), run_query(store, "claims")
    assert first.row_type is again.row_type
    assert first.row_type.__name__ == "ClaimsRow"
    assert {field.name: field.type for field in dataclasses.fields(first.row_type)} == {
        "claim": str,
        "verdict": str | None,
        "outcome": str | None,
        "paper": str,
        "line": int,
        "written": str,
        "study": str | None,
    }
    assert first[0] == again[0]
    assert isinstance(first[0], Row)
    assert len({*first, *again}) == len(first)
    claim, *_, written, _ = first[0]
    assert (claim, written) == (first[0].claim, first[0].written)
    with pytest.raises(dataclasses.FrozenInstanceError):
        first[0].line = 4


def test_rows_are_a_sequence_that_can_be_cut_copied_and_sent() -> None:
    rows = Rows("a-b", [Column("x", "integer")], [[number] for number in range(4)])
    assert [row.x for row in rows[1:3]] == [1, 2]
    assert rows[1:3].columns == ("x",)
    assert rows[-1].x == 3
    assert rows[2] in rows
    assert pickle.loads(pickle.dumps(rows[0])) == copy.deepcopy(rows[0]) == rows[0]
    assert rows.to_dicts()[3] == {"x": 3}


@given(st.lists(st.from_regex(r"\w+", fullmatch=True), unique=True, max_size=6))
def test_any_column_becomes_a_field(names: list[str]) -> None:
    names += [name for name in ("class", "__init__", "__slots__", "made_from", "1", "_1", "self") if name not in names]
    rows = Rows("x", [Column(name) for name in names], [[str(number) for number in range(len(names))]])
    fields = [field.name for field in dataclasses.fields(rows.row_type)]
    assert all(field.isidentifier() for field in fields)
    assert tuple(rows[0]) == tuple(getattr(rows[0], field) for field in fields) == tuple(map(str, range(len(names))))
    assert rows.to_dicts() == [dict(zip(names, rows[0], strict=True))]
    assert rows.columns == tuple(names)


@pytest.mark.parametrize("name", ["1-2", "", "über-x", "a b/c", "\x00"])
def test_a_query_of_any_name_has_a_dataclass(name: str) -> None:
    assert Rows(name, [Column("x")], []).row_type.__name__.isidentifier()


def test_cells_are_what_the_header_says_or_texts() -> None:
    def cells(type_: str, *terms: str) -> list[Any]:
        query = parse_query("x", f"# columns: o {type_}\nSELECT ?o {{ ?s <urn:p> ?o }} ORDER BY ?s")
        with _store("".join(f"<urn:{n}> <urn:p> {term} ." for n, term in enumerate(terms))) as store:
            return [row.o for row in run_query(store, query)][::2]  # each stands in two graphs

    assert cells("integer", "1", '"x"', f"'1_0'^^<{XSD.integer}>", "1.5", "<urn:x>") == [1, "x", "1_0", "1.5", "urn:x"]
    assert cells("boolean", "true", "'0'", "'perhaps'") == [True, False, "perhaps"]
    assert cells("decimal", "1.50", "'1_0'", "'x'") == [Decimal("1.50"), "1_0", "x"]
    assert cells("string", "1", "true") == ["1", "true"]
    assert cells("IRI", "<urn:x>", "1") == ["urn:x", "1"]
    assert cells("integer", f"'{'9' * 5000}'") == ["9" * 5000]


HOSTILE = Rows(
    "<script>",
    [
        Column("a", "string", True),
        Column("n", "integer", True),
        Column("b", "boolean", True),
        Column("d", "decimal", True),
    ],
    [["<b>&\x1b[31m\nx", 1, True, Decimal("0.910")], [None, None, None, None]],
)


def test_rows_print_well_and_steer_nothing() -> None:
    shown = repr(HOSTILE)
    assert shown.splitlines()[0] == "<script>: 2 rows"
    assert "0.910" in shown
    assert "\x1b" not in shown
    assert len(shown.splitlines()) == 4
    many = Rows("many", [Column("iri", "IRI")], [[f"urn:provchain:{'s' * 60}:claim/{number}"] for number in range(99)])
    assert "claim/3" in repr(many)
    assert repr(many).endswith("... and 89 more")
    assert "claim/12" not in repr(many)
    assert "... and 39 more" in many._repr_html_()
    assert repr(many[:0]) == "many: 0 rows\niri"


def test_a_notebook_shows_cells_escaped() -> None:
    shown = HOSTILE._repr_html_()
    assert "<script>" not in shown
    assert "<b>" not in shown
    assert "&lt;b&gt;&amp;" in shown
    assert "<td>true</td>" in shown


def test_pandas_gets_columns_of_their_types() -> None:
    pandas = pytest.importorskip("pandas")
    frame = HOSTILE.to_pandas()
    assert list(frame.columns) == ["a", "n", "b", "d"]
    assert [str(kind) for kind in frame.dtypes] == ["string", "Int64", "boolean", "object"]
    assert frame["n"].sum() == 1
    assert frame["d"][0] == Decimal("0.910")
    assert bool(pandas.isna(frame["n"][1]))
    lies = Rows("x", [Column("n", "integer")], [[1], ["one"], [2**70]]).to_pandas()
    assert list(lies["n"]) == [1, "one", 2**70]
    empty = Rows("x", [Column("n", "integer")], []).to_pandas()
    assert (list(empty.columns), str(empty["n"].dtype), len(empty)) == (["n"], "Int64", 0)


def test_arrow_gets_columns_of_their_types() -> None:
    arrow = pytest.importorskip("pyarrow")
    table = HOSTILE.to_arrow()
    types = [arrow.string(), arrow.int64(), arrow.bool_(), arrow.decimal128(38, 18)]
    assert [field.type for field in table.schema] == types
    assert table.column("d").to_pylist() == [Decimal("0.910"), None]
    assert HOSTILE[:0].to_arrow().schema == table.schema
    columns = [Column("n", "integer"), Column("d", "decimal"), Column("x", "")]
    lies = Rows("x", columns, [["one", Decimal("1E+99"), 7], [2**70, Decimal(1), True]]).to_arrow()
    assert lies.to_pylist() == [
        {"n": "one", "d": "1E+99", "x": "7"},
        {"n": str(2**70), "d": "1", "x": "true"},
    ]


@pytest.mark.parametrize(("module", "extra"), [("pandas", "pandas"), ("pyarrow", "arrow")])
def test_a_missing_extra_is_named(module: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError) as caught:
        HOSTILE.to_pandas() if extra == "pandas" else HOSTILE.to_arrow()
    assert caught.value.extra == extra


# ------------------------------------------------------------------------------------------------- headers and folders


@pytest.mark.parametrize(
    ("header", "line", "expected"),
    [
        ("# columns: claim URL", 1, "types: IRI"),
        ("# question: Why?\n# columns: claim IRI | at", 2, "write name type"),
        ("# columns: a claim", 1, "types: IRI"),
        ("# columns: a IRI | a string", 1, "declare each once"),
        ("# params: paper string", 1, "write ?name type"),
        ("# params: ?paper string (maybe)", 1, "write ?name type"),
        ("# params: ?paper text", 1, "types: IRI"),
        ("# question: Why?\n#\n# question: Why not?", 3, "say each once"),
    ],
)
def test_a_wrong_header_is_told_with_its_line(header: str, line: int, expected: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.rq"
    file.write_text(header + "\nSELECT ?s { ?s ?p ?o }", encoding="utf-8")
    with pytest.raises(QueryError, match=rf"mine\.rq, line {line}:") as caught:
        load_query(file)
    assert expected in caught.value.hint


def test_other_comments_declare_nothing() -> None:
    query = parse_query("x", "# by me\n#question:Why?\r\n# columns: none\n\nSELECT * {}\n# params: no more header")
    assert (query.question, query.columns, query.params) == ("Why?", (), ())


def test_a_column_that_is_not_selected_is_an_error() -> None:
    query = parse_query("x", "# columns: s IRI | n integer\nSELECT ?s { ?s ?p ?o }")
    with _store("<urn:a> <urn:p> 1 .") as store, pytest.raises(QueryError, match="declares n,"):
        run_query(store, query)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    text = "# question: What is \x1b[31mthere?\n# columns: s IRI\nSELECT DISTINCT ?s { ?s a ?t } ORDER BY ?s LIMIT 2"
    (folder / "what-is-there.rq").write_text(text, encoding="utf-8")
    (folder / "notes.txt").write_text("no query", encoding="utf-8")
    return folder


def test_a_folder_of_ones_own_is_asked_by_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [query.name for query in list_queries(folder)] == ["what-is-there"]
    assert load_query("what-is-there", [folder]).columns == (Column("s", "IRI"),)
    assert load_query("claims", [folder]).name == "claims"
    with pytest.raises(UnknownQueryError):
        load_query("what-is-there")
    with pytest.raises(UnknownQueryError) as caught:
        load_query("no-such", [str(folder)])
    assert "what-is-there" in caught.value.hint
    monkeypatch.setenv("PROVCHAIN_QUERIES", os.pathsep.join((str(folder), "", str(folder / ".." / "mine"))))
    assert len(query_folders([folder])) == 1
    with _store("<urn:a> a <urn:t> .") as store:
        assert [row.s for row in run_query(store, "what-is-there")] == ["urn:a"]


def test_no_query_is_hidden_by_another(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "what-is-there.rq").write_text("SELECT * {}", encoding="utf-8")
    with pytest.raises(QueryError, match="share the name"):
        load_query("what-is-there", [folder, other])
    (folder / "claims.rq").write_text("SELECT * {}", encoding="utf-8")
    for ask in (lambda: load_query("claims", [folder]), lambda: list_queries(folder)):
        with pytest.raises(QueryError, match="name of a query that ships") as caught:
            ask()
        assert "rename" in caught.value.hint
    assert load_query(folder / "claims.rq").text == "SELECT * {}"


@pytest.mark.parametrize("name", ["nowhere", "a\x00b", "mine/notes.txt"])
def test_what_is_no_folder_is_told(name: str, folder: Path) -> None:
    with pytest.raises(QueryError, match="no folder of queries") as caught:
        list_queries(folder.parent / name)
    assert "PROVCHAIN_QUERIES" in caught.value.hint


# -------------------------------------------------------------------------------------------------- on the command line


def test_the_command_line_lists_questions_and_ones_own_apart(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["queries", "--queries", str(folder)]) == 0
    shown = capsys.readouterr().out
    shipped, own = shown.split("Your own, in ")
    for query in list_queries():
        assert f"{query.question}\n  provchain query {query.name} ..." in shipped
    assert "provchain query what-is-there ..." in own
    assert "\x1b" not in own
    assert run(["queries"]) == 0
    assert "Your own" not in capsys.readouterr().out
    monkeypatch.setenv("PROVCHAIN_QUERIES", str(folder))
    assert run(["queries"]) == 0
    assert "what-is-there" in capsys.readouterr().out


def test_the_command_line_asks_ones_own(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = tmp_path / "store"
    with QuadStore.open(where) as store:
        store.add(
            ox.Quad(t.subject, t.predicate, t.object)
            for t in ox.parse("<urn:a> a <urn:t> .", format=ox.RdfFormat.TURTLE)
        )
    for form, expected in (("csv", "s\nurn:a\n"), ("json", '[\n {\n  "s": "urn:a"\n }\n]\n')):
        arguments = ["query", "what-is-there", "--store", str(where), "--queries", str(folder), "--format", form]
        assert run(arguments) == 0
        assert capsys.readouterr().out == expected
    assert run(["query", "what-is-there", "--store", str(where), "--queries", str(folder)]) == 0
    assert "urn:a" in capsys.readouterr().out
    assert run(["query", "what-is-there", "--store", str(where)]) == 2
    assert run(["query", "claims", "--store", str(where), "--queries", str(folder / "none")]) == 2
