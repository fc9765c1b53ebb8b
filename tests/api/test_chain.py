"""A chain prints as a tree, and is a graph of networkx."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import provchain
from provchain import Break, Chain, ChainEdge, ChainNode, Claim, Judgement, Report, Verdict
from provchain.model import ClaimKind

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ANY = st.text(st.characters(exclude_categories=()), max_size=20)
CLAIM = Claim("c1", ClaimKind.NUMBER, "results.md", 18, 9, "0.9290", "knn reaches 0.9290")


@pytest.fixture(scope="module")
def broken() -> Report:
    return provchain.audit(EXAMPLES / "substituted")


def chain_of(nodes: list[ChainNode], edges: list[ChainEdge], broken: Break | None = None) -> Chain:
    first = ChainNode("c1", "entity", "claim", "0.9290")
    return Chain(CLAIM, Judgement("c1", Verdict.SYNTHETIC, broken=broken), (first, *nodes), tuple(edges))


def execution(name: str, label: str = "python run.py") -> ChainNode:
    return ChainNode(name, "activity", "execution", label, status="failed")


def test_a_claim_prints_its_place_and_what_stands_there() -> None:
    assert str(CLAIM) == 'results.md:18:9 "0.9290"'
    hostile = Claim("c1", ClaimKind.NUMBER, "a\n\x1b.md", 1, 1, "\u202e1" * 500, "")
    assert str(hostile).isprintable()
    assert len(str(hostile)) < 120


def test_a_chain_prints_as_a_tree_with_its_break(broken: Report) -> None:
    assert str(broken.chain("results/results.md:18:9")).splitlines()[:6] == [
        'results/results.md:18:9 "0.9290": synthetic',
        "- wasDerivedFrom value 0.92901 (at /knn/accuracy/mean)",
        "  - wasDerivedFrom result results/metrics.json",
        "    BREAK: the values were made up: nothing read, trained, run or answered",
        "    - wasGeneratedBy execution [completed] python make_tables.py (at claude_output.json:21; made its values up)",
        "      - used script code/make_tables.py",
    ]


def test_what_stands_beside_a_chain_is_printed_after_it(broken: Report) -> None:
    assert "\nbeside it: execution [failed] python run_experiment.py" in str(broken.chain("results/results.md:18:9"))


def test_every_chain_of_a_report_prints_each_thing_once(broken: Report) -> None:
    for claim in broken.claims:
        chain = broken.chain(claim)
        lines = str(chain).splitlines()
        assert len(lines) == 1 + len(chain.edges) + sum(edge.broken for edge in chain.edges) + str(chain).count(
            "beside it"
        )
        assert ("BREAK" in str(chain)) is (chain.broken is not None)


def test_the_broken_edge_is_the_one_that_decided() -> None:
    nodes = [execution("1.1"), execution("2.1")]
    edges = [ChainEdge("c1", node.id, "wasGeneratedBy", broken=True, why=node.id) for node in nodes]
    assert chain_of(nodes, edges, Break("synthetic", "2.1", "")).broken == edges[1]
    assert chain_of(nodes, edges, Break("synthetic", "elsewhere", "")).broken == edges[0]
    assert chain_of(nodes, edges).broken == edges[0]
    assert chain_of(nodes, [ChainEdge("c1", "1.1", "wasGeneratedBy")]).broken is None


def test_a_chain_is_a_graph_with_everything_it_holds(broken: Report) -> None:
    chain = broken.chain("results/results.md:18:9")
    graph = chain.graph()
    assert isinstance(graph, nx.MultiDiGraph)
    assert list(graph) == [node.id for node in chain.nodes]
    for node in chain.nodes:
        assert graph.nodes[node.id] == {
            "type": node.type,
            "kind": node.kind,
            "label": node.label,
            "details": node.details,
            "status": node.status,
            "external": node.external,
        }
    assert {(s, t, k) for s, t, k in graph.edges(keys=True)} == {(e.source, e.target, e.relation) for e in chain.edges}
    assert [(s, t) for s, t, at in graph.edges(data="broken") if at] == [(chain.broken.source, chain.broken.target)]  # type: ignore[union-attr]
    assert graph.graph == {"claim": chain.claim.id, "verdict": "synthetic"}
    assert nx.is_directed_acyclic_graph(graph)
    assert "21.1" in nx.descendants(graph, chain.claim.id)


def test_two_relations_between_two_things_are_two_edges() -> None:
    edges = [ChainEdge("c1", "1.1", "used"), ChainEdge("c1", "1.1", "in place of")]
    graph = chain_of([execution("1.1")], edges).graph()
    assert graph.number_of_edges("c1", "1.1") == 2
    assert graph.edges["c1", "1.1", "used"]["relation"] == "used"


def test_long_wide_cyclic_and_torn_chains_print() -> None:
    long = [execution(str(number)) for number in range(5000)]
    edges = [ChainEdge("c1", "0", "used")] + [ChainEdge(str(n), str(n + 1), "used") for n in range(4999)]
    said = str(chain_of(long, edges)).splitlines()
    assert len(said) < 70
    assert said[-1] == "... and 4940 more lines"
    assert max(map(len, said)) < 100
    circle = [ChainEdge("c1", "1", "used"), ChainEdge("1", "2", "used"), ChainEdge("2", "1", "used")]
    assert str(chain_of(long[:3], circle)).splitlines()[3].endswith("(see above)")
    torn = [ChainEdge("c1", "not there", "used"), ChainEdge("not there", "1", "used")]
    assert "not there" not in str(chain_of(long[:2], torn))
    assert str(Chain(CLAIM, Judgement("c1", Verdict.STALE), (), ())) == 'results.md:18:9 "0.9290": stale'


@given(ANY)
def test_labels_are_data_in_a_graph_and_harmless_in_print(text: str) -> None:
    node = ChainNode(text, "entity", text, text, (text,), text)
    chain = chain_of([node], [ChainEdge("c1", text, text, broken=True, why=text)])
    assert all(line.isprintable() for line in str(chain).split("\n"))
    assert len(str(chain).split("\n")) in (1, 2, 3)
    assert repr(chain).isprintable()
    graph = chain.graph()
    if text != "c1":
        assert graph.nodes[text]["label"] == text
        assert graph.edges["c1", text, text]["why"] == text
