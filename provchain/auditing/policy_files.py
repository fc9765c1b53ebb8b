"""Policies as files of TOML: those that ship with provchain, known by name, and a user's own.

::

    format = "provchain-policy/1"
    name = "our-workshop"
    base = "strict"

    [lines]
    known-to-accept = 0.9

A file says in what it differs from its base, ``default`` if it names none. It is written by hand, so a name that is not known
is an error: a line that a typing error left where it was would be missed by nobody.

Spec: schemas/policy.schema.json, docs/how-to/write-a-policy.md, https://toml.io/en/v1.0.0
"""

from __future__ import annotations

import difflib
import hashlib
import os
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, inspect, structs

from provchain.auditing.policy import FORMAT, Policy
from provchain.errors import MalformedSourceError, Problem, SourceError, UnknownPolicyError
from provchain.papers.declarations import decode_declarations, read_toml, shown
from provchain.resources import list_resources, read_resource

__all__ = [
    "DEFAULT",
    "LONGEST_NAME",
    "LONGEST_SUMMARY",
    "ChosenPolicy",
    "choose_policy",
    "list_policies",
    "load_policy",
]

DEFAULT = "default"
_HEAD = ("format", "name", "base", "summary")
LONGEST_NAME, LONGEST_SUMMARY = 60, 500
_LARGEST = 100_000  # bytes; a policy has some thirty lines
_A_FILE = "a file of one's own is named by its path, as in ./policy.toml"


class ChosenPolicy(Struct, frozen=True):
    """The policy of an audit.

    Attributes:
        policy: The policy.
        sha256: Digest of its file; of a `Policy` that was made in Python, of what `Policy.to_toml` writes; of one that ships
            with provchain ``None``: its name and the version of the program say which it is.
    """

    policy: Policy
    sha256: str | None = None


def list_policies() -> list[str]:
    """List the names of the policies that ship with provchain.

    Example:
        >>> list_policies()
        ['default', 'lenient', 'strict']
    """
    return [name.removesuffix(".toml") for name in list_resources("policies") if name.endswith(".toml")]


def load_policy(policy: str | os.PathLike[str] = DEFAULT) -> Policy:
    """Load a policy that ships with provchain, or one from a file.

    Args:
        policy: A name, ``"strict"``, ``"default"`` or ``"lenient"``, or the path of a TOML file.

    Returns:
        The policy, with what its base says where it says nothing.

    Raises:
        UnknownPolicyError: It is neither a known name nor the path of a file.
        SourceError: The file cannot be read.
        MalformedSourceError: It is not what the format says; all problems at once.

    Example:
        >>> load_policy("strict").lines.known_to_accept
        0.8
    """
    return choose_policy(policy).policy


def choose_policy(policy: str | os.PathLike[str] | Policy | None) -> ChosenPolicy:
    """Find the policy that a user means.

    Args:
        policy: A name, the path of a file, a policy that was made in Python, or ``None`` for ``default``.

    Returns:
        The policy, with a digest of what it says if it is a user's own.

    Raises:
        UnknownPolicyError: It is neither a known name nor the path of a file.
        SourceError: The file cannot be read.
        MalformedSourceError: It is not what the format says; all problems at once.
    """
    if policy is None:
        return ChosenPolicy(_shipped(DEFAULT))
    if isinstance(policy, Policy):
        return _made(policy)
    names = list_policies()
    if isinstance(policy, str) and policy in names:
        return ChosenPolicy(_shipped(policy))
    path = Path(policy)
    if isinstance(policy, str) and not (path.suffix or len(path.parts) > 1 or os.path.isfile(path)):  # noqa: PTH113 - also where a name is too long
        close = difflib.get_close_matches(policy.lower()[:LONGEST_NAME], names, n=1)
        meant = f"did you mean {close[0]!r}? " if close else ""
        hint = f"{meant}known policies: {', '.join(names)}; {_A_FILE}"
        raise UnknownPolicyError(f"no policy is called {shown(policy)}", hint=hint)
    return _from_file(path)


@cache
def _shipped(name: str) -> Policy:
    file = f"{name}.toml"
    return _Reader(file, shipped=True).read(read_toml(file, read_resource("policies", file)))


def _from_file(path: Path) -> ChosenPolicy:
    named = str(path)
    try:
        if not path.is_file():  # a device or a pipe would be read for ever
            what = "is no file" if path.exists() else "no such file"
            hint = f"known policies: {', '.join(list_policies())}; {_A_FILE}"
            raise SourceError(f"{named}: {what}", path=named, hint=hint)
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in a path
        said = getattr(error, "strerror", None) or error
        raise SourceError(f"{named}: {said}", path=named, hint="name a file that can be read") from error
    if len(data) > _LARGEST:
        problem = Problem(named, "", f"a policy of at most {_LARGEST} bytes")
        raise MalformedSourceError([problem], hint="is this the file that you meant?")
    document = read_toml(named, decode_declarations(named, data), hint='texts stand in quotes: base = "strict"')
    return ChosenPolicy(_Reader(named).read(document), hashlib.sha256(data).hexdigest())


def _made(policy: Policy) -> ChosenPolicy:
    """Take a policy that was made in Python, which checks nothing by itself."""
    if policy.name in list_policies() and policy == _shipped(policy.name):
        return ChosenPolicy(policy)
    plain = msgspec.json.decode(msgspec.json.encode(policy))
    held = {key: value for key, value in plain.items() if key != "summary" or value}
    checked = _Reader("policy").read({"format": FORMAT, **held})
    return ChosenPolicy(checked, hashlib.sha256(checked.to_toml().encode()).hexdigest())


class _Reader:
    """Checks a document as a whole and remembers everything that is wrong with it."""

    def __init__(self, path: str, *, shipped: bool = False) -> None:
        self._path = path
        self._shipped = shipped
        self._problems: list[Problem] = []
        self._hints: list[str] = []

    def read(self, document: Mapping[str, object]) -> Policy:
        """Read a policy, or raise with all that is wrong."""
        self._format(document)
        name = self._text(document, "name", LONGEST_NAME, needed=True)
        if name in list_policies() and not self._shipped:
            self._wrong("name", "a name of its own", f"{shown(name)}, which ships with provchain")
        summary = self._text(document, "summary", LONGEST_SUMMARY)
        base = self._base(document)
        sections = {one.encode_name: one.name for one in structs.fields(Policy) if one.encode_name not in _HEAD}
        self._known(document, (*_HEAD, *sections), "")
        held = {
            attribute: self._section(document[key], key, getattr(base, attribute))
            for key, attribute in sections.items()
            if key in document
        }
        if self._problems:
            hint = "; ".join([*dict.fromkeys(self._hints)][:5]) or "docs/reference/policies.md lists every parameter"
            raise MalformedSourceError(self._problems, hint=hint)
        return structs.replace(base, name=name, summary=summary, **held)

    def _format(self, document: Mapping[str, object]) -> None:
        version = document.get("format")
        if version != FORMAT:
            self._wrong("format", f'"{FORMAT}"', shown(version) if "format" in document else "nothing")
            if isinstance(version, str) and version.startswith("provchain-policy/"):
                self._hints.append(f"this version of provchain reads {FORMAT}")

    def _base(self, document: Mapping[str, object]) -> Policy:
        names = list_policies()
        base = document.get("base", DEFAULT)
        if base in names:
            # The shipped default says everything itself, and rests on what the classes say only to be read.
            return Policy(name="") if self._shipped and self._path == f"{DEFAULT}.toml" else _shipped(str(base))
        self._wrong("base", f"one of {', '.join(names)}", shown(base))
        self._suggest(base, names)
        return _shipped(DEFAULT)

    def _section(self, table: object, where: str, base: Struct) -> Struct:
        """Read one table over what the base says."""
        kind = inspect.type_info(type(base))
        if not isinstance(table, Mapping) or not isinstance(kind, inspect.StructType):
            self._wrong(where, f"a table that begins with [{where}]", shown(table))
            return base
        fields = {one.encode_name: one for one in kind.fields}
        self._known(table, fields, where)
        types = {one.encode_name: one.type for one in structs.fields(type(base))}
        held = {}
        for key, value in table.items():
            if key not in fields:
                continue
            try:
                held[fields[key].name] = msgspec.convert(value, types[key])
            except msgspec.ValidationError:
                self._misfit(value, fields[key].type, f"{where}.{key}")
        return structs.replace(base, **held)

    def _misfit(self, value: object, kind: inspect.Type, where: str) -> None:
        """Say what should have stood there; of a list, of which of its entries."""
        if isinstance(kind, inspect.VarTupleType) and isinstance(value, list):
            for number, one in enumerate(value, start=1):
                if not isinstance(one, str) or one not in _choices(kind.item_type):
                    self._misfit(one, kind.item_type, f"{where}[{number}]")
            return
        self._wrong(where, _expected(kind), shown(value))
        self._suggest(value, _choices(kind))

    def _text(self, document: Mapping[str, object], key: str, most: int, *, needed: bool = False) -> str:
        if key not in document and not needed:
            return ""
        value = document.get(key)
        # It stands in reports and on terminals: one line of characters that can be seen.
        if isinstance(value, str) and value.strip() and value.isprintable() and len(value) <= most:
            return value
        expected = f"a text in quotes, of one line and at most {most} characters"
        self._wrong(key, expected, shown(value) if key in document else "nothing")
        return ""

    def _known(self, table: Mapping[str, object], known: Iterable[str], where: str) -> None:
        for key in table:
            if key not in known:
                self._wrong(where or "the file", f"only {', '.join(known)}", shown(key))
                self._suggest(key, known)

    def _suggest(self, name: object, known: Iterable[str]) -> None:
        asked = name.lower().replace("_", "-")[:LONGEST_NAME] if isinstance(name, str) else ""
        close = difflib.get_close_matches(asked, list(known), n=1)
        if close:
            self._hints.append(f"did you mean {close[0]!r} instead of {shown(name)}?")

    def _wrong(self, where: str, expected: str, found: str) -> None:
        self._problems.append(Problem(self._path, where, expected, found))


def _choices(kind: inspect.Type) -> tuple[Any, ...]:
    return kind.values if isinstance(kind, inspect.LiteralType) else ()


def _expected(kind: inspect.Type) -> str:
    """Say in words what a parameter takes."""
    if isinstance(kind, inspect.LiteralType):
        return "one of " + ", ".join(f'"{one}"' for one in kind.values)
    if isinstance(kind, inspect.VarTupleType):
        return f"a list, each of it {_expected(kind.item_type)}"
    return "true or false" if isinstance(kind, inspect.BoolType) else "a number from 0 to 1"
