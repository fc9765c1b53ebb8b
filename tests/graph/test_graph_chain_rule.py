"""The shipped question follows its written rule, on every graph and on both engines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyoxigraph as ox
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

from provchain.graph.mapping import study_to_quads
from provchain.graph.store import QuadStore
from provchain.model import Study
from provchain.queries import load_query, run_query
from provchain.terms import PC, PROV, RDF

NAME = "derives-from-completed"


class Rule:
    """The header of the query, read by another reader."""

    def __init__(self, quads: Iterable[ox.Quad]) -> None:
        self.said: dict[tuple[str, str], set[str]] = {}
        for quad in quads:
            self.said.setdefault((quad.subject.value, quad.predicate.value), set()).add(quad.object.value)
        self.subjects = {subject for subject, _ in self.said}

    def get(self, subject: str, predicate: str) -> set[str]:
        return self.said.get((subject, predicate), set())

    def reached(self, start: str) -> set[str]:
        found, todo = set[str](), [start]
        while todo:
            for source in self.get(todo.pop(), PROV.wasDerivedFrom) - found:
                found.add(source)
                todo.append(source)
        return found

    def is_broken_by(self, writer: str) -> bool:
        if self.get(writer, PC.status) != {"completed"} or PC.Execution not in self.get(writer, RDF.type):
            return True
        if PC.Authoring in self.get(writer, RDF.type):
            return True
        return any(PC.Testimony in self.get(recorder, RDF.type) for recorder in self.get(writer, PC.attestedBy))

    def is_broken(self, source: str) -> bool:
        if "true" in self.get(source, PC.altered) | self.get(source, PC.madeUp):
            return True
        writers = self.get(source, PROV.wasGeneratedBy)
        if writers and self.get(source, PROV.wasQuotedFrom):
            return False
        if writers or "true" in self.get(source, PC.external):
            return any(self.is_broken_by(writer) for writer in writers)
        return not self.get(source, PROV.wasDerivedFrom) or source in self.reached(source)

    def link_holds(self, link: str) -> bool:
        operands = self.get(link, PC.operand)
        sources = set().union(*({operand} | self.reached(operand) for operand in operands))
        return "false" not in self.get(link, PC.agrees) and bool(operands) and not any(map(self.is_broken, sources))

    def answer(self) -> dict[str, bool]:
        answers = {s: False for s in self.subjects if PC.Claim in self.get(s, RDF.type)}
        for claim in answers:
            links = [s for s in self.subjects if claim in self.get(s, PC.claim)]
            if links:
                ranks = {link: int(*self.get(link, PC.rank)) for link in links}
                best = min(ranks.values())
                top = [link for link, rank in ranks.items() if rank == best and "true" in self.get(link, PC.agrees)]
                held = [self.link_holds(link) for link in top]
                answers[claim] = any(held) if best == 0 else bool(held) and all(held)
        return answers


@st.composite
def graphs(draw: st.DrawFn) -> list[ox.Quad]:
    """Any small graph of the terms that the rule reads, likely or not."""
    node = ox.NamedNode
    entities, activities = [f"urn:e{i}" for i in range(5)], [f"urn:a{i}" for i in range(3)]
    entity, activity = st.sampled_from(entities), st.sampled_from(activities)
    true = ox.Literal(True)

    def some(*parts: Any, most: int = 4) -> list[Any]:
        return draw(st.lists(st.tuples(*parts), max_size=most))

    quads = [ox.Quad(node(a), node(RDF.type), node(PC.Execution)) for a in activities]
    quads += [ox.Quad(node(a), node(PROV.wasDerivedFrom), node(b)) for a, b in some(entity, entity, most=7)]
    quads += [ox.Quad(node(a), node(PROV.wasGeneratedBy), node(b)) for a, b in some(entity, activity, most=6)]
    quads += [ox.Quad(node(a), node(PC.status), ox.Literal("completed")) for a in activities[: draw(st.integers(1, 3))]]
    quads += [ox.Quad(node(a), node(PC.status), ox.Literal("failed")) for (a,) in some(activity, most=1)]
    quads += [ox.Quad(node(a), node(RDF.type), node(PC.Authoring)) for (a,) in some(activity, most=1)]
    quads += [ox.Quad(node(a), node(PROV.wasQuotedFrom), node(b)) for a, b in some(entity, entity, most=2)]
    quads += [ox.Quad(node(a), node(PC.madeUp), true) for (a,) in some(entity, most=1)]
    quads += [ox.Quad(node(a), node(PC.external), true) for (a,) in some(entity)]
    quads += [ox.Quad(node(a), node(PC.altered), true) for (a,) in some(entity, most=1)]
    for number in range(3):
        claim = node(f"urn:c{number}")
        quads.append(ox.Quad(claim, node(RDF.type), node(PC.Claim)))
        for index, (rank, agrees, operands) in enumerate(
            some(st.integers(0, 2), st.sampled_from((True, True, True, False)), st.lists(entity, max_size=2), most=3)
        ):
            link = node(f"urn:l{number}-{index}")
            quads.append(ox.Quad(link, node(RDF.type), node(PC.Link)))
            quads.append(ox.Quad(link, node(PC.claim), claim))
            quads.append(ox.Quad(link, node(PC.rank), ox.Literal(rank)))
            quads.append(ox.Quad(link, node(PC.agrees), ox.Literal(agrees)))
            quads += [ox.Quad(link, node(PC.operand), node(operand)) for operand in operands]
    return quads


def _ask(quads: list[ox.Quad]) -> dict[str, bool]:
    with QuadStore.open() as store:
        store.add(quads)
        return {row.claim: row.holds for row in run_query(store, NAME)}


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_oxigraph_follows_the_rule(quads: list[ox.Quad]) -> None:
    assert _ask(quads) == Rule(quads).answer()


@settings(max_examples=8, deadline=None)
@given(graphs())
def test_rdflib_follows_the_rule(quads: list[ox.Quad]) -> None:
    text = ox.serialize([quad.triple for quad in quads], format=ox.RdfFormat.N_TRIPLES)
    assert text is not None
    graph = rdflib.Graph().parse(data=text.decode("utf-8"), format="nt")
    rows: Any = graph.query(load_query(NAME).text)
    assert {str(row.claim): bool(row.holds) for row in rows} == Rule(quads).answer()


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_mapped_studies_follow_the_rule(studies: Any, data: st.DataObject) -> None:
    quads = study_to_quads(*data.draw(studies))
    assert _ask(quads) == Rule(quads).answer()


def test_a_long_chain_is_no_problem() -> None:
    """2,000 steps and 200 claims: a path for each source would take minutes."""
    node = ox.NamedNode
    done = node("urn:done")
    quads = [ox.Quad(done, node(RDF.type), node(PC.Execution)), ox.Quad(done, node(PC.status), ox.Literal("completed"))]
    for step in range(2000):
        quads.append(ox.Quad(node(f"urn:e{step}"), node(PROV.wasGeneratedBy), done))
        quads.append(ox.Quad(node(f"urn:e{step + 1}"), node(PROV.wasDerivedFrom), node(f"urn:e{step}")))
    quads.append(ox.Quad(node("urn:e2000"), node(PROV.wasGeneratedBy), done))
    for number in range(200):
        claim, link = node(f"urn:c{number}"), node(f"urn:l{number}")
        quads.append(ox.Quad(claim, node(RDF.type), node(PC.Claim)))
        quads.append(ox.Quad(link, node(RDF.type), node(PC.Link)))
        quads.append(ox.Quad(link, node(PC.claim), claim))
        quads.append(ox.Quad(link, node(PC.rank), ox.Literal(1)))
        quads.append(ox.Quad(link, node(PC.agrees), ox.Literal(True)))
        quads.append(ox.Quad(link, node(PC.operand), node("urn:e2000")))
    assert all(_ask(quads).values())


def test_an_empty_study_claims_nothing() -> None:
    assert _ask(study_to_quads(Study("s"))) == {}
