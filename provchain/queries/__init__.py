"""Questions about claims, kept as ``.rq`` files: their headers, their parameters and their rows.

A query file starts with a comment that says what it asks, what it needs and what it gives. The header drives the typing
of the rows, the listing of the command line and the documentation. This room holds no SPARQL; the texts are in the folder
``queries/`` beside the package (in a wheel they are put beside these modules), and users add folders of their own.

::

    # question: Which claims have a broken chain?
    # params:   ?paper string (optional) — only claims of this manuscript
    # columns:  claim IRI | paper string | line integer | at string?
    # order:    paper, line

A type is ``IRI``, ``string``, ``integer``, ``decimal``, ``boolean`` or, for a parameter, ``claim`` or ``record`` (an id or
an IRI, which must be in the store); ``?`` after it says that a row can go without.
"""

from provchain.queries._asking import run_query
from provchain.queries._catalogue import list_queries, load_query, query_folders
from provchain.queries._header import Column, Parameter, Query, parse_query
from provchain.queries._rows import Cell, Row, Rows

__all__ = [
    "Cell",
    "Column",
    "Parameter",
    "Query",
    "Row",
    "Rows",
    "list_queries",
    "load_query",
    "parse_query",
    "query_folders",
    "run_query",
]
