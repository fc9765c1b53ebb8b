"""Ask a query: its parameters are bound, never pasted into the text, and its answer becomes typed rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Protocol

from pyoxigraph import Literal, NamedNode

from provchain.errors import MissingParameterError, QueryError, UnknownClaimError
from provchain.graph.iris import clean_iri, clean_text, parse_iri
from provchain.graph.store import Answer, Binding, Term
from provchain.queries._catalogue import load_query
from provchain.queries._header import Column, Parameter, Query
from provchain.queries._rows import Cell, Rows
from provchain.terms import PC, PROV, XSD

__all__ = ["Asked", "run_query"]

_INTEGERS = frozenset((XSD.integer, XSD.int, XSD.long))
_NUMBERS = frozenset((XSD.decimal, XSD.double))
_TRUTHS: dict[str, Cell] = {"true": True, "1": True, "false": False, "0": False}
_INTEGER = re.compile(r"[+-]?[0-9]+")
# What stands beside a record under the record's own id: meant only where nothing else is called so.
_BESIDE = frozenset(("assertion", "path", "graph", "recorder", "agent", "activity"))


class Asked(Protocol):
    """What can be asked: a store, or anything that answers as one does."""

    def query(self, text: str, bindings: Mapping[str, Binding] | None = None) -> Answer:
        """Ask a query over the union of all graphs."""

    def instances(self, type_iri: str) -> Iterator[str]:
        """Iterate over the IRIs of everything of one class."""


def run_query(store: Asked, name: str | Path | Query, /, **params: object) -> Rows:
    """Ask a query of a store.

    Args:
        store: Where to ask.
        name: A query, its name, or a file of the user.
        **params: Values for its parameters, bound and never pasted into the text; ``None`` leaves one out.

    Returns:
        Its rows, typed by the header.

    Raises:
        UnknownQueryError: There is no such query.
        MissingParameterError: A parameter that it needs was not given.
        UnknownClaimError: No claim of the store has the id or IRI that was given.
        QueryError: It takes no such parameter, gives other columns than its header says, or cannot be run.

    Example:
        >>> from provchain.graph.store import QuadStore
        >>> with QuadStore.open() as store:
        ...     len(run_query(store, "claims"))
        0
    """
    query = name if isinstance(name, Query) else load_query(name)
    answer = store.query(query.text, _bindings(store, query, params))
    columns = _columns(query, answer.variables)
    types = [column.type for column in columns]
    return Rows(
        query.name, columns, ([_cell(t, type_) for t, type_ in zip(row, types, strict=True)] for row in answer.rows)
    )


def _columns(query: Query, variables: Iterable[str]) -> list[Column]:
    declared = {column.name: column for column in query.columns}
    columns = [declared.pop(variable, Column(variable, "", optional=True)) for variable in variables]
    if declared:
        missing = ", ".join(declared)
        raise QueryError(
            f"the header of {query.name} declares {missing}, which the query does not select",
            hint="correct its line '# columns:'",
        )
    return columns


def _bindings(store: Asked, query: Query, params: Mapping[str, object]) -> dict[str, Binding]:
    known = {parameter.name: parameter for parameter in query.params}
    bound: dict[str, Binding] = {}
    for name, value in params.items():
        if value is None:
            continue
        if name not in known and query.columns:
            takes = ", ".join(known) or "no parameter"
            raise QueryError(f"the query {query.name} takes no parameter {name!r}", hint=f"it takes {takes}")
        bound[name] = _bind(store, known.get(name, Parameter(name, "string")), value)
    for parameter in query.params:
        if not parameter.optional and parameter.name not in bound:
            hint = f"--param {parameter.name}=...: {parameter.help}"
            raise MissingParameterError(f"the query {query.name} needs {parameter.name!r}", hint=hint)
    return bound


def _bind(store: Asked, parameter: Parameter, value: object) -> Binding:
    if isinstance(value, NamedNode | Literal):
        return value
    text = str(value)
    if parameter.type == "claim":
        return _find_claim(store, text)
    if parameter.type == "record":
        return _find_record(store, text)
    if parameter.type == "IRI":
        return NamedNode(clean_iri(text))
    if parameter.type in ("integer", "boolean", "decimal"):
        text = text.lower() if parameter.type == "boolean" else text
        return Literal(clean_text(text), datatype=NamedNode(XSD.base + parameter.type))
    return Literal(clean_text(text))


def _find_claim(store: Asked, wanted: str) -> NamedNode:
    """Find a claim by its id or IRI: engines differ on a path that starts at a node that is not there."""
    claims = sorted(set(store.instances(PC.Claim)))
    if wanted in claims:
        return NamedNode(wanted)
    same_id = [iri for iri in claims if (name := parse_iri(iri)) is not None and name.id == wanted]
    if len(same_id) == 1:
        return NamedNode(same_id[0])
    if same_id:
        raise UnknownClaimError(f"several studies have a claim {wanted!r}", hint=f"name one by its IRI: {same_id[0]}")
    raise UnknownClaimError(f"no claim is called {wanted!r}", hint="provchain query claims lists them")


def _find_record(store: Asked, wanted: str) -> NamedNode:
    """Find anything that is on record by its id, by its kind and id (``execution/8.1``), or by its IRI."""
    records = sorted({iri for kind in (PROV.Entity, PROV.Activity, PROV.Agent) for iri in store.instances(kind)})
    if wanted in records:
        return NamedNode(wanted)
    names = [(iri, name) for iri in records if (name := parse_iri(iri)) is not None]
    found = (
        [iri for iri, name in names if name.id == wanted and name.kind not in _BESIDE]
        or [iri for iri, name in names if f"{name.kind}/{name.id}" == wanted]
        or [iri for iri, name in names if name.id == wanted]
    )
    if len(found) == 1:
        return NamedNode(found[0])
    if found:
        raise QueryError(f"several records are called {wanted!r}", hint=f"name one by its IRI: {', '.join(found[:5])}")
    hint = "name it by its id, by its kind and id (execution/8.1), or by its IRI"
    raise QueryError(f"no record is called {wanted!r}", hint=hint)


def _cell(term: Term | None, type_: str) -> Cell:
    """Read a cell as what the header says it is, or else, without a header, as what it says itself."""
    if term is None:
        return None
    if not isinstance(term, Literal):
        return term.value if isinstance(term, NamedNode) else str(term)
    datatype, text = term.datatype.value, term.value
    if type_ == "boolean" or (not type_ and datatype == XSD.boolean):
        return _TRUTHS.get(text, text)
    if type_ == "integer" or (not type_ and datatype in _INTEGERS):
        return _integer(text)
    if type_ == "decimal" or (not type_ and datatype in _NUMBERS):
        return _decimal(text)
    return text


def _integer(text: str) -> Cell:
    try:
        return int(text) if _INTEGER.fullmatch(text) else text
    except ValueError:  # more digits than Python reads
        return text


def _decimal(text: str) -> Cell:
    try:
        return text if "_" in text else Decimal(text)
    except InvalidOperation:  # the graph says it is a number; the text is not
        return text
