"""Small studies, one for each way in which a study can go: each gets the answer that its story deserves."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
import rdflib
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.sparql import Query as PreparedQuery

import provchain
from provchain.auditing.graphs import report_quads
from provchain.auditing.report import Report
from provchain.cli.application import run
from provchain.graph.store import Binding, QuadStore
from provchain.graph.views import quads_to_dataset
from provchain.model import Execution, Verdict
from provchain.queries import Query, list_queries, load_query, run_query

STUDIES = Path(__file__).parent / "studies"
NAMES = sorted(path.name.removesuffix(".expected.toml") for path in STUDIES.glob("*.expected.toml"))
QUERIES = [query.name for query in list_queries()]
HOLDING = {Verdict.SUPPORTED, Verdict.SUPPORTED_WITH_DEVIATION, Verdict.OFF_PLAN}

each_study = pytest.mark.parametrize("name", NAMES)


@cache
def expected(name: str) -> dict[str, Any]:
    return tomllib.loads((STUDIES / f"{name}.expected.toml").read_text(encoding="utf-8"))


@cache
def audited(name: str) -> Report:
    return provchain.audit(STUDIES / name)


def files_below(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Carry out every study again, somewhere else."""
    into = tmp_path_factory.mktemp("studies")
    subprocess.run([sys.executable, STUDIES / "make_studies.py", "--into", into], check=True)
    return into


@each_study
def test_a_study_is_what_its_maker_makes(name: str, made: Path) -> None:
    """Nothing in a study is typed by hand, or depends on the machine or the hour."""
    assert files_below(made / name) == files_below(STUDIES / name)
    assert (made / f"{name}.expected.toml").read_bytes() == (STUDIES / f"{name}.expected.toml").read_bytes()


def test_every_study_is_made(made: Path) -> None:
    assert sorted(path.name for path in made.iterdir() if path.is_dir()) == NAMES


# ----------------------------------------------------------------------------------------------------------- answers


@each_study
def test_outcome_and_action(name: str) -> None:
    report, answer = audited(name), expected(name)
    assert (report.outcome.value, report.action.value) == (answer["outcome"], answer["action"])


@each_study
def test_claims(name: str) -> None:
    """Every named claim is there, with its verdict and the link at which it breaks."""
    report = audited(name)
    found, wanted = [], []
    for claim in expected(name).get("claim", ()):
        place = (claim["paper"], claim["line"], claim["written"])
        wanted.append((*place, claim["verdict"], claim.get("break")))
        own = [c for c in report.study.claims if (c.path, c.line, c.written) == place]
        for one in own:
            judgement = report.judgements[one.id]
            found.append((*place, judgement.verdict.value, judgement.broken.link if judgement.broken else None))
    assert found == wanted


@each_study
def test_findings(name: str) -> None:
    rules = {finding.rule for finding in audited(name).study.findings}
    assert rules >= set(expected(name).get("findings", ()))


@each_study
def test_exit_code(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """0 where the action is to accept, 1 for any other."""
    code = run(["audit", str(STUDIES / name)])
    assert code == (0 if expected(name)["action"] == "accept" else 1)
    assert expected(name)["outcome"].upper().replace("-", " ") in capsys.readouterr().out.replace("-", " ")


def files_of(execution: Execution) -> list[str]:
    """What it left, but for its output, which is called after the file that holds it."""
    return [artifact for artifact in execution.generated if "@" not in artifact]


def test_a_document_says_what_its_log_says() -> None:
    """The same study, once as a folder with a log and once as one file that carries everything."""
    answers = []
    for name in ("bug-fix-retries", "one-document"):
        report = audited(name)
        claims = [(c.path, c.line, c.column, c.written, report.judgements[c.id].verdict) for c in report.study.claims]
        executions = [(e.id, e.command, e.status, e.step, files_of(e)) for e in report.study.executions]
        answers.append((report.outcome, report.action, claims, executions))
    assert answers[0] == answers[1]
    assert answers[0][2]


def test_a_waiver_is_shown_and_leaves_the_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    report = audited("declared-links")
    (waiver,) = report.study.waivers
    assert waiver.counts
    assert report.judgements[waiver.claim].verdict is Verdict.NO_SOURCE
    run(["audit", str(STUDIES / "declared-links")])
    assert waiver.by in capsys.readouterr().out


def test_a_cut_log_is_said_to_be_cut() -> None:
    assert "study.jsonl" in next(f.message for f in audited("cut-log").study.findings if f.rule == "record-gap")


@pytest.mark.parametrize("name", ["testimony-only", "agent-typed-log"])
def test_testimony_supports_nothing(name: str) -> None:
    report = audited(name)
    assert report.study.claims
    assert not HOLDING.intersection(judgement.verdict for judgement in report.judgements.values())


# ----------------------------------------------------------------------------------------------------------- queries


@cache
def quads(name: str) -> tuple[ox.Quad, ...]:
    return tuple(report_quads(audited(name)))


@cache
def store_of(name: str) -> QuadStore:
    store = QuadStore.open()
    store.add(quads(name))
    return store


@cache
def dataset_of(name: str) -> rdflib.Dataset:
    """The same graphs for the second engine, every literal as it is written."""
    return quads_to_dataset(quads(name))


@cache
def prepared(query: str) -> PreparedQuery:
    """A query as the second engine reads it: reading it takes longer than answering it."""
    return prepareQuery(load_query(query).text)


def parameters(name: str, query: Query) -> Iterator[dict[str, Binding]]:
    """Values for what a query asks for: every one that the study has to offer, but for the claims, which are many."""
    report = audited(name)
    if not [parameter for parameter in query.params if not parameter.optional]:
        yield {}
        return
    study = report.study
    store = store_of(name)
    if query.name == "claim-chain":
        claims = sorted(store.instances("https://w3id.org/provchain/ns#Claim"))
        for claim in claims[:2]:
            yield {"claim": ox.NamedNode(claim)}
    elif query.name == "impact":
        things = dict.fromkeys(
            [e.script for e in study.executions if e.script]
            + [e.id for e in study.executions]
            + [a.path for a in study.artifacts if a.external]
        )
        for thing in list(things)[:6]:
            yield {"of": ox.Literal(thing)}
    elif query.name == "who-attests":
        for activity in sorted(store.instances("https://w3id.org/provchain/ns#Execution"))[:2]:
            yield {"of": ox.NamedNode(activity)}
    else:
        raise AssertionError(f"give {query.name} values from the studies")


def on_rdflib(dataset: rdflib.Dataset, query: Query, given: dict[str, Binding]) -> list[list[str]]:
    bindings: dict[str, Any] = {
        key: rdflib.URIRef(value.value) if isinstance(value, ox.NamedNode) else rdflib.Literal(value.value)
        for key, value in given.items()
    }
    found = dataset.query(prepared(query.name), initBindings=bindings)
    return [["" if cell is None else str(cell) for cell in row] for row in found]  # type: ignore[union-attr]


def on_oxigraph(store: QuadStore, query: Query, given: dict[str, Binding]) -> list[list[str]]:
    answer = store.query(query.text, given)
    return [["" if term is None else getattr(term, "value", str(term)) for term in row] for row in answer.rows]


@each_study
@pytest.mark.parametrize("query", list_queries(), ids=QUERIES)
def test_both_engines_give_the_same_rows(name: str, query: Query) -> None:
    for given in parameters(name, query):
        assert on_rdflib(dataset_of(name), query, given) == on_oxigraph(store_of(name), query, given)


@pytest.mark.parametrize("query", QUERIES)
def test_every_query_has_something_to_say(query: str) -> None:
    """The studies together show every question at work."""
    asked = next(one for one in list_queries() if one.name == query)
    rows = (on_oxigraph(store_of(name), asked, given) for name in NAMES for given in parameters(name, asked))
    assert any(rows)


@each_study
def test_the_query_decides_as_the_audit_does(name: str) -> None:
    """A claim about a failure is compared with its record, and a setting with a configuration: neither asks for a chain."""
    report = audited(name)
    asked = {row.claim.rpartition("/")[2]: row.holds for row in run_query(store_of(name), "derives-from-completed")}
    assert len(asked) == len(report.study.claims)
    for claim in report.study.claims:
        judgement = report.judgements[claim.id]
        if judgement.verdict is Verdict.CONFIGURED or "about the execution itself" in judgement.note:
            continue
        assert asked[claim.id] is (judgement.verdict in HOLDING), (claim, judgement)
