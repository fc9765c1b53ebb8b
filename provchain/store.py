"""Studies in one place, to be asked together: what `provchain.Store` is.

It stands on the store of quads and knows what goes in (a report, a run, a PROV document) and what comes out (rows, a
dataset of rdflib, a PROV document).

Spec: https://www.w3.org/TR/sparql11-query/, https://www.w3.org/TR/prov-dm/
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from provchain.adapters import adapter_for
from provchain.auditing.audit import audit
from provchain.auditing.graphs import report_quads
from provchain.auditing.report import Report
from provchain.errors import QueryError, SourceError, UnknownFormatError
from provchain.graph.interchange import document_to_quads, quads_to_document, read_provjson
from provchain.graph.iris import clean_iri
from provchain.graph.store import QuadStore
from provchain.graph.views import is_document, quads_to_dataset, to_term
from provchain.plaintext import one_line
from provchain.queries import Query, Rows, parse_query, run_query

if TYPE_CHECKING:
    from prov.model import ProvDocument
    from pyoxigraph import Quad
    from rdflib import Dataset

__all__ = ["Store", "is_prov_file"]

_DOCUMENT = "urn:provchain:document/"


class Store:
    """Studies with their verdicts, kept in memory or in a directory, and asked together.

    Use it as a context manager: leaving it lets go of the directory. One process at a time has a directory open.

    Example:
        >>> from provchain import Store
        >>> with Store.open() as store:
        ...     store.add("examples/substituted")
        ...     store.add("examples/repaired")
        ...     rows = store.query("broken-claims", paper="results/results.md")
        ...     [(row.written, row.link, row.at) for row in rows if row.line == 18][:2]
        ...     len(store.studies())
        [('0.9290', 'synthetic', '21.1'), ('0.0121', 'synthetic', '21.1')]
        2
    """

    def __init__(self, quads: QuadStore) -> None:
        self._quads = quads

    @classmethod
    def open(cls, path: str | os.PathLike[str] | None = None) -> Store:
        """Open a store in a directory, made if it is not there, or a new one in memory.

        Args:
            path: The directory, or ``None`` for memory.

        Raises:
            StoreLockedError: Another process, or an earlier handle, has it open.
            StoreError: It cannot be opened.

        Example:
            >>> with Store.open() as store:
            ...     len(store)
            0
        """
        return cls(QuadStore.open(None if path is None else Path(path)))

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write everything out and let go of the directory; closing twice does nothing."""
        self._quads.close()

    @property
    def path(self) -> Path | None:
        """The directory, or ``None`` for a store in memory."""
        return self._quads.path

    def __len__(self) -> int:
        """Count the statements (quads) of all graphs."""
        return len(self._quads)

    def __bool__(self) -> bool:
        """A store is a store, with nothing in it too."""
        return True

    def __repr__(self) -> str:
        """Write where the store is."""
        return f"<Store in {'memory' if self.path is None else one_line(str(self.path))}>"

    def studies(self) -> list[str]:
        """List the ids of the studies in the store, sorted."""
        return self._quads.studies()

    def add(self, study: Report | ProvDocument | str | os.PathLike[str]) -> None:
        """Add a study; adding it again replaces all that was said of it before.

        Args:
            study: A report; the path of a run, which is audited first; a PROV document, or the path of a PROV-JSON file
                of any producer. A document's bundles are replaced one by one; what stands outside of them is replaced
                where the document comes from a file, and otherwise added to what is there.

        Raises:
            SourceError: It could not be read, or is none of these.
            StoreError: The store could not be written.

        Example:
            >>> from provchain import audit
            >>> report = audit("examples/repaired")
            >>> with Store.open() as store:
            ...     store.add(report)
            ...     store.add(report.document())
            ...     len(store.studies())
            1
        """
        if isinstance(study, Report):
            self._quads.add(report_quads(study))
        elif not isinstance(study, str | os.PathLike):
            self._quads.add(_document_quads(study))
        elif is_prov_file(Path(study)):
            self._quads.add(document_to_quads(read_provjson(Path(study)), _graph_of(Path(study))))
        else:
            self._quads.add(report_quads(audit(study)))

    def query(self, query: str | Path | Query, /, **params: object) -> Rows:
        """Ask a question of all studies.

        Args:
            query: The name of a query that ships with provchain (`list_queries`), or a file of your own: a path that
                ends in ``.rq``.
            **params: Values for its parameters, bound and never pasted into the text; ``None`` leaves one out.

        Returns:
            Its rows, with cells typed by the header of the query.

        Raises:
            UnknownQueryError: There is no such query.
            MissingParameterError: A parameter that it needs was not given.
            UnknownClaimError: No claim of the store has the id or IRI that was given.
            QueryError: It takes no such parameter, or cannot be run.

        Example:
            >>> with Store.open() as store:
            ...     store.add("examples/repaired")
            ...     len(store.query("broken-claims"))
            0
        """
        return run_query(self._quads, query, **params)

    def sparql(self, text: str, /, **bindings: object) -> Rows:
        """Ask a question in SPARQL: SELECT, ASK or CONSTRUCT over the union of all graphs.

        Args:
            text: The query. It cannot change the store, and cannot ask another machine.
            **bindings: Values for variables that it selects, bound and never pasted into the text: a Python value, or a
                term of rdflib or pyoxigraph (`rdflib.URIRef` for an IRI); ``None`` leaves one out.

        Returns:
            Its rows; without a header, cells are what the graph says they are.

        Raises:
            QueryError: It is no such query, or cannot be run.

        Example:
            >>> with Store.open() as store:
            ...     store.add("examples/repaired")
            ...     text = "PREFIX pc: <https://w3id.org/provchain/ns#> SELECT DISTINCT ?verdict { ?a pc:verdict ?verdict }"
            ...     sorted(row.verdict for row in store.sparql(text))
            ['configured', 'supported', 'unrecorded']
        """
        try:
            terms = {name: to_term(value) for name, value in bindings.items() if value is not None}
        except ValueError as error:  # a number of thousands of digits, a language that is none
            raise QueryError(f"a value cannot be bound: {error}") from error
        return run_query(self._quads, parse_query("query", text), **terms)

    def graph(self) -> Dataset:
        """Copy everything into a dataset of rdflib.

        Returns:
            A dataset in memory with every named graph; its default graph is the union of all.

        Example:
            >>> with Store.open() as store:
            ...     store.add("examples/repaired")
            ...     graphs = list(store.graph().graphs())
            >>> any(graph.identifier.endswith(":graph/provchain") for graph in graphs)
            True
        """
        return quads_to_dataset(self._quads.quads())

    def document(self, *, flat: bool = False) -> ProvDocument:
        """Write everything as one PROV document of `prov`.

        Args:
            flat: Leave out the bundles.

        Returns:
            The whole chain of every study at its top level, and a bundle for each named graph.

        Example:
            >>> with Store.open() as store:
            ...     store.add("examples/repaired")
            ...     store.document(flat=True).has_bundles()
            False
        """
        return quads_to_document(self._quads.quads(), flat=flat)


def _document_quads(study: object) -> list[Quad]:
    if not is_document(study):
        hint = "add a Report, the path of a run or of a PROV-JSON file, or a prov.model.ProvDocument"
        raise SourceError(f"{type(study).__name__} is no study", hint=hint)
    return document_to_quads(study)


def is_prov_file(path: Path) -> bool:
    """Tell whether a path is a PROV-JSON file rather than a run or a trace of one.

    Args:
        path: Anything.

    Returns:
        Whether it is a ``.json`` file that no adapter knows.

    Example:
        >>> is_prov_file(Path("examples/substituted/claude_output.json"))
        False
    """
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    try:
        return adapter_for(path).name == "run-folder"
    except UnknownFormatError:
        return True


def _graph_of(path: Path) -> str:
    """Name the graph of a file: two files of one name are two, and a digest tells nobody where they lay."""
    place = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:12]
    return clean_iri(f"{_DOCUMENT}{place}/{path.name}")
