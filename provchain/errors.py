"""Everything provchain raises, in one tree.

An error says that provchain *could not look*. A broken chain is data, never an exception.

::

    ProvchainError                    .hint says what the user can do
    ├── SourceError                   an input could not be read; .path, .where
    │   ├── UnknownFormatError        no adapter recognises it
    │   └── MalformedSourceError      all problems at once in .problems
    ├── InvalidGraphError             a PROV document does not say what it must
    ├── StoreError                    a store could not be opened or written
    │   └── StoreLockedError          another process writes to it
    ├── QueryError                    a query could not be run
    │   ├── UnknownQueryError         no query of that name
    │   └── MissingParameterError     a parameter that the query needs was not given
    ├── UnknownClaimError             no claim has that id or stands at that place
    ├── UnknownPolicyError            no policy of that name
    ├── NotANumberError               a text holds no number (also a ValueError)
    └── MissingExtraError             an optional dependency is not installed

This module imports nothing of ours, so that any layer can raise any of these.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = [
    "InvalidGraphError",
    "MalformedSourceError",
    "MissingExtraError",
    "MissingParameterError",
    "NotANumberError",
    "Problem",
    "ProvchainError",
    "QueryError",
    "SourceError",
    "StoreError",
    "StoreLockedError",
    "UnknownClaimError",
    "UnknownFormatError",
    "UnknownPolicyError",
    "UnknownQueryError",
]


class ProvchainError(Exception):
    """Say that provchain could not look, and in ``hint`` what the user can do about it.

    Example:
        >>> ProvchainError("no such file", hint="check the path").hint
        'check the path'
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class SourceError(ProvchainError):
    """An input could not be read.

    Attributes:
        path: The input, as the user named it.
        where: The place inside it (``"message 4"``, ``"line 41"``), or empty.

    Example:
        >>> import provchain
        >>> try:
        ...     provchain.audit("nowhere")
        ... except provchain.SourceError as error:
        ...     print(error.path, "-", error.hint)
        nowhere - name the directory of a run
    """

    def __init__(self, message: str, *, path: str = "", where: str = "", hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.path = path
        self.where = where


class UnknownFormatError(SourceError):
    """No adapter recognises the input.

    Example:
        >>> import provchain
        >>> try:
        ...     provchain.audit("examples/README.md")
        ... except provchain.UnknownFormatError as error:
        ...     print(error.path)
        examples/README.md
    """


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with an input.

    Attributes:
        path: The input file.
        where: The place inside it, in the words of its format (``"$[4].content"``, ``"line 41"``).
        expected: What should have stood there.
        found: What stood there, shortened.

    Example:
        >>> print(Problem("trace.json", "$[0].role", "a string", "12"))
        trace.json: $[0].role: expected a string, found 12
    """

    path: str
    where: str
    expected: str
    found: str = ""

    def __str__(self) -> str:
        """Write the problem as one line."""
        place = f"{self.path}: {self.where}" if self.where else self.path
        return f"{place}: expected {self.expected}" + (f", found {self.found}" if self.found else "")


class MalformedSourceError(SourceError):
    """An input is not what its format says; ``problems`` holds *all* of them.

    Example:
        >>> error = MalformedSourceError([Problem("a.json", "$", "a list")])
        >>> len(error.problems)
        1
    """

    def __init__(self, problems: Iterable[Problem], *, hint: str = "") -> None:
        self.problems = tuple(problems)
        first = self.problems[0] if self.problems else Problem("", "", "a readable input")
        super().__init__(
            "\n".join(map(str, self.problems)) or str(first), path=first.path, where=first.where, hint=hint
        )


class InvalidGraphError(ProvchainError):
    """A PROV document could not be read, or does not say what it must.

    Example:
        >>> issubclass(InvalidGraphError, ProvchainError)
        True
    """


class StoreError(ProvchainError):
    """A store could not be opened, read or written.

    Example:
        >>> import provchain
        >>> try:
        ...     provchain.Store.open("examples")
        ... except provchain.StoreError as error:
        ...     print(error.hint)
        name an empty or a new directory
    """


class StoreLockedError(StoreError):
    """Another process holds the store open for writing.

    Example:
        >>> import provchain, tempfile
        >>> with tempfile.TemporaryDirectory() as folder, provchain.Store.open(folder):
        ...     try:
        ...         provchain.Store.open(folder)
        ...     except provchain.StoreLockedError as error:
        ...         print(error.hint)
        close the other provchain that uses it, or name another directory
    """


class QueryError(ProvchainError):
    """A query could not be run.

    Example:
        >>> import provchain
        >>> with provchain.Store.open() as store:
        ...     try:
        ...         store.sparql("DROP ALL")
        ...     except provchain.QueryError as error:
        ...         print(error, "-", error.hint)
        this is a DROP, not a query - ask with SELECT, ASK or CONSTRUCT
    """


class UnknownQueryError(QueryError):
    """No query has that name; the hint lists those that exist.

    Example:
        >>> import provchain
        >>> try:
        ...     provchain.load_query("everything")
        ... except provchain.UnknownQueryError as error:
        ...     print(error)
        no query is called 'everything'
    """


class MissingParameterError(QueryError):
    """A parameter that the query needs was not given.

    Example:
        >>> import provchain
        >>> with provchain.Store.open() as store:
        ...     try:
        ...         store.query("claim-chain")
        ...     except provchain.MissingParameterError as error:
        ...         print(error)
        the query claim-chain needs 'claim'
    """


class UnknownClaimError(ProvchainError):
    """No claim has that id, or stands at that place.

    Example:
        >>> import provchain
        >>> try:
        ...     provchain.audit("examples/repaired").claim("results.md:1")
        ... except provchain.UnknownClaimError as error:
        ...     print(error)
        no claim 'results.md:1'
    """


class UnknownPolicyError(ProvchainError):
    """No policy has that name, and no file is there; the hint lists those that ship with provchain.

    Example:
        >>> import provchain
        >>> try:
        ...     provchain.load_policy("strikt")
        ... except provchain.UnknownPolicyError as error:
        ...     print(error, "-", error.hint.partition("?")[0])
        no policy is called 'strikt' - did you mean 'strict'
    """


class NotANumberError(ProvchainError, ValueError):
    """A text holds no number."""


class MissingExtraError(ProvchainError):
    """An optional dependency is not installed.

    Example:
        >>> MissingExtraError("latex").hint
        "install it where provchain was installed from, such as pip install '.[latex]' in a clone"
    """

    def __init__(self, extra: str) -> None:
        super().__init__(
            f"this needs the extra {extra!r}",
            hint=f"install it where provchain was installed from, such as pip install '.[{extra}]' in a clone",
        )
        self.extra = extra
