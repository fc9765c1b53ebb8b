"""A store of quads, in memory or in a directory, that answers SPARQL over the union of its graphs.

A chain crosses recorders, so a query always sees all graphs as one. Adding a study's graphs again replaces them: a
second audit never leaves the first one's verdicts beside its own. No query leaves this machine, and none changes the
store.

Spec: https://www.w3.org/TR/sparql11-query/
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

import pyoxigraph as ox
from msgspec import Struct

from provchain.errors import QueryError, StoreError, StoreLockedError
from provchain.graph._guard import is_overlong, query_form, reaches_network
from provchain.graph.iris import clean_iri, clean_text, parse_iri
from provchain.graph.quads import sorted_quads
from provchain.terms import PC, RDF

__all__ = ["Answer", "Binding", "QuadStore", "Term"]

Term: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
Binding: TypeAlias = ox.NamedNode | ox.Literal

_FORMS = ("SELECT", "ASK", "CONSTRUCT")


class Answer(Struct, frozen=True):
    """What a query gave.

    Attributes:
        variables: The columns; ``subject``, ``predicate``, ``object`` for CONSTRUCT, ``answer`` for ASK.
        rows: One tuple for each solution, ``None`` where a variable is unbound.
    """

    variables: tuple[str, ...]
    rows: list[tuple[Term | None, ...]]


class QuadStore:
    """Quads, kept and asked: what `provchain.Store` and the command line stand on.

    Use it as a context manager: leaving it lets go of the directory.

    Example:
        >>> with QuadStore.open() as store:
        ...     store.add([ox.Quad(ox.NamedNode("urn:x"), ox.NamedNode("urn:p"), ox.Literal("1"))])
        ...     store.query("SELECT ?o { ?s ?p ?o }").rows[0][0].value
        '1'
    """

    def __init__(self, store: ox.Store, path: Path | None) -> None:
        self._store: ox.Store | None = store
        self.path = path

    @classmethod
    def open(cls, path: str | Path | None = None) -> QuadStore:
        """Open a store in a directory, made if it is not there, or a new one in memory.

        Args:
            path: The directory, or ``None`` for memory.

        Raises:
            StoreLockedError: Another process (or an earlier handle) has it open.
            StoreError: It cannot be opened.
        """
        if path is None:
            return cls(ox.Store(), None)
        folder = Path(path)
        try:
            _check_folder(folder)
            return cls(ox.Store(str(folder)), folder)
        except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: the files in it are damaged
            raise _opening_error(folder, str(error)) from error

    def __enter__(self) -> QuadStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write everything out and let go of the directory; closing twice does nothing."""
        if self._store is not None and self.path is not None:
            try:
                self._store.flush()
            except OSError as error:
                raise StoreError(f"{self.path} could not be written: {error}") from error
            finally:
                self._store = None
        self._store = None

    @property
    def _open(self) -> ox.Store:
        if self._store is None:
            raise StoreError("the store is closed", hint="open it again")
        return self._store

    def add(self, quads: Iterable[ox.Quad]) -> None:
        """Add quads; a named graph among them, and every graph of a study among them, is replaced as a whole.

        Args:
            quads: Of one or several studies or documents.

        Raises:
            StoreError: They could not be written.
        """
        store, new = self._open, list(quads)
        graphs = {quad.graph_name for quad in new if isinstance(quad.graph_name, ox.NamedNode)}
        studies = {name.study for graph in graphs if (name := parse_iri(graph.value)) and name.kind == "graph"}
        try:
            stale = [graph for graph in store.named_graphs() if graph in graphs or _study_of(graph) in studies]
            for graph in stale:
                store.remove_graph(graph)
            store.extend(new)
        except (OSError, RuntimeError) as error:
            raise StoreError(f"the store could not be written: {error}") from error

    def query(self, text: str, bindings: Mapping[str, Binding] | None = None) -> Answer:
        """Ask a SELECT, ASK or CONSTRUCT query over the union of all graphs.

        Args:
            text: SPARQL.
            bindings: Values for variables that the query selects; they are bound, never pasted into the text.

        Raises:
            QueryError: The text is no such query, would leave this machine, or does not select a bound variable.
            StoreError: The store could not be read.
        """
        _check(text)
        substitutions: dict[ox.Variable, ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple] = {}
        for name, value in (bindings or {}).items():
            substitutions[_variable(name)] = value
        try:
            found = self._open.query(text, use_default_graph_as_union=True, substitutions=substitutions)
            return _answer(found)
        except SyntaxError as error:
            raise QueryError(f"this is no SPARQL: {error}") from error
        except OSError as error:
            raise StoreError(f"the store could not be read: {error}") from error
        except (RuntimeError, ValueError) as error:
            raise QueryError(f"the query could not be run: {error}") from error

    def quads(self, graph: str | None = None) -> list[ox.Quad]:
        """List quads in one order for all time, for writing.

        Args:
            graph: IRI of one named graph, or ``None`` for all of them.
        """
        name = None if graph is None else ox.NamedNode(clean_iri(graph))
        return sorted_quads(self._open.quads_for_pattern(None, None, None, name))

    def studies(self) -> list[str]:
        """List the ids of the studies in the store, sorted."""
        found = (parse_iri(iri) for iri in self.instances(PC.Study))
        return sorted({name.study for name in found if name is not None})

    def instances(self, type_iri: str) -> Iterator[str]:
        """Iterate over the IRIs of everything of one class, once for each graph that says so."""
        pattern = self._open.quads_for_pattern(None, ox.NamedNode(RDF.type), ox.NamedNode(type_iri), None)
        return (quad.subject.value for quad in pattern if isinstance(quad.subject, ox.NamedNode))

    def __len__(self) -> int:
        """Count the quads."""
        return len(self._open)


def literal(text: str) -> ox.Literal:
    """Make a text that can be bound to a variable."""
    return ox.Literal(clean_text(text))


def _study_of(graph: ox.NamedNode | ox.BlankNode) -> str | None:
    name = parse_iri(graph.value)
    return name.study if name is not None and name.kind == "graph" else None


def _check_folder(folder: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "CURRENT").is_file():  # RocksDB's own mark
        raise StoreError(f"{folder} holds other files and no store", hint="name an empty or a new directory")


def _opening_error(folder: Path, message: str) -> StoreError:
    if "lock" in message.lower():
        hint = "close the other provchain that uses it, or name another directory"
        return StoreLockedError(f"{folder} is open in another process", hint=hint)
    return StoreError(
        f"{folder} could not be opened as a store: {message}", hint="name a directory that can be written"
    )


def _check(text: str) -> None:
    if "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise QueryError("this is no SPARQL: it holds characters that no text may hold")
    if is_overlong(text):
        raise QueryError("this query is too long or too deeply nested", hint="ask in several shorter queries")
    form = query_form(text)
    if form not in _FORMS:
        raise QueryError(f"this is a {form or 'text'}, not a query", hint="ask with SELECT, ASK or CONSTRUCT")
    if reaches_network(text):
        raise QueryError("SERVICE would ask another machine", hint="import what it holds into the store first")


def _variable(name: str) -> ox.Variable:
    try:
        return ox.Variable(name)
    except ValueError as error:
        raise QueryError(f"{name!r} is no name of a variable") from error


def _answer(found: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples) -> Answer:
    if isinstance(found, ox.QueryBoolean):
        return Answer(("answer",), [(ox.Literal(bool(found)),)])
    if isinstance(found, ox.QueryTriples):
        triples = sorted({(t.subject, t.predicate, t.object) for t in found}, key=str)
        return Answer(("subject", "predicate", "object"), list(triples))
    variables = tuple(variable.value for variable in found.variables)
    return Answer(variables, [tuple(solution) for solution in found])
