"""A study as a W3C PROV graph: one named graph for each recorder, verdicts in provchain's own.

The words of docs/reference/glossary.md are the mapping. Four rules hold everywhere: a plain edge stands wherever a
qualified one does; an output derives from the inputs that carry the chain on (data and checkpoint) and from no other; a byte
copy derives from its original alone, and is quoted from it (``prov:wasQuotedFrom``); an overwritten state is revised
(``prov:wasRevisionOf``), which by itself derives nothing. What stands in a node of its own in RDF (a
selector, a test result) also stands in flat ``pc:`` attributes, so that queries are short and PROV-JSON loses nothing.

Spec: https://www.w3.org/TR/prov-o/
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from pyoxigraph import Quad

from provchain.graph._activities import activity_statements, plan_statements
from provchain.graph._entities import artifact_statements, claim_statements, link_statements, value_statements
from provchain.graph._names import Names
from provchain.graph._verdicts import (
    deviation_statements,
    signature_statements,
    support_statements,
    verdict_statements,
    word_statements,
)
from provchain.graph.quads import QuadWriter
from provchain.graph.statements import Statement
from provchain.model import Judgement, Study

__all__ = ["study_to_quads", "study_to_statements"]


def study_to_statements(
    study: Study,
    judgements: Iterable[Judgement] = (),
    support: Iterable[tuple[str, str]] = (),
    *,
    all_values: bool = False,
) -> dict[str, list[Statement]]:
    """Say in PROV what a study's records say, sorted by who attests it.

    Args:
        study: The records.
        judgements: The verdicts, if it was audited.
        support: For each claim the ids of all records on its chain, as pairs; the activities among them are stated.
        all_values: State all values; else only those that a link rests on, since a run can hold a hundred thousand.

    Returns:
        IRI of the named graph to its statements: one graph for each recorder, ``.../graph/provchain`` always, and
        ``.../graph/support`` where there is support.

    Example:
        >>> list(study_to_statements(Study("s")))
        ['urn:provchain:s:graph/provchain']
    """
    names = Names(study)
    wanted = None if all_values else {operand for link in study.links for operand in link.operands}
    verdicts = tuple(judgements)
    signed = chain(
        plan_statements(names),
        activity_statements(names),
        artifact_statements(names),
        value_statements(names, wanted),
        claim_statements(names),
        link_statements(names),
        deviation_statements(names),
        word_statements(names),
        verdict_statements(names, verdicts) if verdicts else (),
    )
    graphs: dict[str, list[Statement]] = {"provchain": []}
    for recorder, statement in signed:
        graphs.setdefault(recorder, []).append(statement)
    rests_on = list(support_statements(names, support))
    if rests_on:
        graphs["support"] = [*graphs.get("support", ()), *rests_on]
    graphs["provchain"][:0] = signature_statements(names, tuple(graphs))
    return {names.graph(recorder): statements for recorder, statements in graphs.items()}


def study_to_quads(
    study: Study,
    judgements: Iterable[Judgement] = (),
    support: Iterable[tuple[str, str]] = (),
    *,
    all_values: bool = False,
) -> list[Quad]:
    """Map a study to the quads of its PROV graph, each once, in the order of its records.

    Args:
        study: The records.
        judgements: The verdicts, if it was audited.
        support: For each claim the ids of all records on its chain, as pairs; the activities among them are stated.
        all_values: State all values; else only those that a link rests on.

    Example:
        >>> from provchain.model import Claim, ClaimKind
        >>> claim = Claim("c1", ClaimKind.NUMBER, "paper.md", 3, 7, "0.91", "It reached 0.91.")
        >>> any('"0.91"' in str(quad) for quad in study_to_quads(Study("s", claims=[claim])))
        True
    """
    return list(dict.fromkeys(_quads(study_to_statements(study, judgements, support, all_values=all_values))))


def _quads(graphs: dict[str, list[Statement]]) -> Iterator[Quad]:
    writer = QuadWriter()
    for graph, statements in graphs.items():
        yield from writer.write(statements, graph)
