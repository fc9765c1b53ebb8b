"""Which queries there are: those that ship with provchain, and those in folders of the user."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from provchain.errors import QueryError, UnknownQueryError
from provchain.queries._header import Query, parse_query
from provchain.resources import list_resources, read_resource

__all__ = ["list_queries", "load_query", "query_folders"]

_SUFFIX = ".rq"
_VARIABLE = "PROVCHAIN_QUERIES"


def list_queries(folder: str | Path | None = None) -> list[Query]:
    """List the queries that ship with provchain, or those of a folder, by name.

    Args:
        folder: A folder of the user, or ``None`` for those that ship.

    Raises:
        QueryError: The folder cannot be read, one of its headers is wrong, or one of its files has the name of a query
            that ships.

    Example:
        >>> "claims" in [query.name for query in list_queries()]
        True
    """
    if folder is None:
        return [_shipped(name) for name in _shipped_names()]
    return [_load_file(file) for file in _files(Path(folder)).values()]


def load_query(name: str | Path, folders: Iterable[str | Path] = ()) -> Query:
    """Load a query by the name it ships under, by its name in a folder of the user, or from a file.

    Args:
        name: ``"broken-claims"``, or a path that ends in ``.rq``.
        folders: Where to look beside those that ship and those that the environment variable ``PROVCHAIN_QUERIES`` names.

    Raises:
        UnknownQueryError: There is no such query; the hint lists those that exist.
        QueryError: A file or folder cannot be read, a header is wrong, or two queries share the name.

    Example:
        >>> [parameter.name for parameter in load_query("broken-claims").params]
        ['paper']
    """
    text = str(name)
    if text.endswith(_SUFFIX) or isinstance(name, Path):
        return _load_file(Path(text))
    own: dict[str, Path] = {}
    for folder in query_folders(folders):
        for stem, file in _files(folder).items():
            if stem == text and stem in own:
                raise QueryError(f"{own[stem]} and {file} share the name {stem!r}", hint="rename one, or name its path")
            own.setdefault(stem, file)
    if text in own:
        return _load_file(own[text])
    shipped = _shipped_names()
    if text in shipped:
        return _shipped(text)
    known = ", ".join((*shipped, *sorted(own)))
    raise UnknownQueryError(f"no query is called {text!r}", hint=f"queries: {known}; or a file {_SUFFIX}")


def query_folders(folders: Iterable[str | Path] = ()) -> list[Path]:
    """List the folders of the user's own queries: those given, then those that ``PROVCHAIN_QUERIES`` names.

    Args:
        folders: Folders that stand first.

    Returns:
        Each once. Several in the variable are parted as in ``PATH``.

    Example:
        >>> [folder.name for folder in query_folders(["mine", "mine"])][:1]
        ['mine']
    """
    named = [folder for folder in os.environ.get(_VARIABLE, "").split(os.pathsep) if folder.strip()]
    return list({os.path.realpath(folder): Path(folder) for folder in reversed([*folders, *named])}.values())[::-1]


def _shipped_names() -> list[str]:
    return [name.removesuffix(_SUFFIX) for name in list_resources("queries") if name.endswith(_SUFFIX)]


def _shipped(name: str) -> Query:
    return parse_query(name, read_resource("queries", name + _SUFFIX))


def _files(folder: Path) -> dict[str, Path]:
    """Find the query files of a folder by their names; none may hide a query that ships."""
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix == _SUFFIX and file.is_file())
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        hint = f"name a folder that holds {_SUFFIX} files, with --queries or in {_VARIABLE}"
        raise QueryError(f"{folder} is no folder of queries: {error}", hint=hint) from error
    shipped = set(_shipped_names())
    for file in files:
        if file.stem in shipped:
            hint = f"rename it; a query that ships cannot be hidden, but {file} can be asked by its path"
            raise QueryError(f"{file} has the name of a query that ships with provchain", hint=hint)
    return {file.stem: file for file in files}


def _load_file(path: Path) -> Query:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise UnknownQueryError(f"there is no file {path}", hint="provchain queries lists those that ship") from error
    except (OSError, ValueError) as error:  # ValueError: not UTF-8, or a NUL in the path
        raise QueryError(f"{path} could not be read: {error}") from error
    return parse_query(path.stem, text, str(path))
