"""The vocabulary defines every term that provchain writes, and says of each what it means."""

from __future__ import annotations

import re
from pathlib import Path

import pyoxigraph as ox
import pytest

from provchain import terms
from provchain.resources import list_resources, read_resource
from provchain.terms import EARL, PC, PREFIXES, PROV, RDF, RDFS, Namespace

TRIPLES = list(ox.parse(read_resource("schemas", "provchain.ttl"), format=ox.RdfFormat.TURTLE))
DEFINED = {t.subject.value for t in TRIPLES if t.predicate.value == RDF.type and t.subject.value.startswith(PC.base)}
SPACES = [space for space in vars(terms).values() if isinstance(space, Namespace)]


def _values(subject: str, predicate: str) -> list[str]:
    return [t.object.value for t in TRIPLES if t.subject.value == subject and t.predicate.value == predicate]


def test_every_term_of_ours_is_defined() -> None:
    assert set(PC) <= DEFINED
    assert len(list(PC)) == len(set(PC))


def test_every_definition_is_used() -> None:
    assert DEFINED - {PC.base} <= set(PC)


@pytest.mark.parametrize("term", sorted(DEFINED - {PC.base}))
def test_term_says_what_it_means(term: str) -> None:
    assert len(_values(term, RDFS.label)) == 1
    assert len(_values(term, RDFS.comment)[0].split()) >= 2
    assert _values(term, RDFS.isDefinedBy) == [PC.base]


def test_classes_and_properties_look_different() -> None:
    for term in DEFINED - {PC.base}:
        local = term.removeprefix(PC.base)
        types = _values(term, RDF.type)
        if RDFS.Class in types:
            assert re.fullmatch(r"[A-Z][A-Za-z]+", local)
        elif RDF.Property in types:
            assert re.fullmatch(r"[a-z][A-Za-z]+", local)


def test_execution_and_authoring_are_disjoint() -> None:
    assert _values(PC.Execution, "http://www.w3.org/2002/07/owl#disjointWith") == [PC.Authoring]


def test_unknown_term_raises_and_terms_are_fixed() -> None:
    with pytest.raises(AttributeError, match="pc:statsu"):
        _ = PC.statsu
    with pytest.raises(AttributeError, match="fixed"):
        PC.status = "x"
    assert PC.status == "https://w3id.org/provchain/ns#status"
    assert EARL.passed in set(EARL)


def test_prefixes_are_those_of_the_queries() -> None:
    assert {space.prefix: space.base for space in SPACES} == PREFIXES
    for name in list_resources("queries"):
        for prefix, base in re.findall(r"^PREFIX ([\w-]+): <(.*)>$", read_resource("queries", name), re.MULTILINE):
            assert PREFIXES[prefix] == base, name


def test_queries_use_terms_that_exist() -> None:
    known = {space.prefix: set(space) for space in SPACES}
    for name in list_resources("queries"):
        body = re.sub(r"^#.*$|<[^>]*>", "", read_resource("queries", name), flags=re.MULTILINE)
        for prefix, local in re.findall(r"\b([a-z][\w-]*):(\w+)", body):
            assert PREFIXES[prefix] + local in known[prefix], f"{name}: {prefix}:{local}"


def test_terms_import_nothing_heavy() -> None:
    text = Path(terms.__file__).read_text(encoding="utf-8")
    imports = re.findall(r"^(?:from|import) ([\w.]+)", text, re.MULTILINE)
    assert set(imports) == {"__future__", "collections.abc"}
    assert PROV.used.startswith(PROV.base)
