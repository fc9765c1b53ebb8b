"""Read PROV-JSON that nobody checked, and say everything that is wrong with it at once.

`prov` reads leniently: a relation whose end has an undeclared prefix loses that end, a time that is none is dropped, a
repeated key loses its first value, each with a warning at most. A chain with an end missing is a chain that breaks
where nothing broke, so all of that is an error here.

Only `interchange` may import this, and only on use: `prov` costs 0.1 s, and an audit does not need it.

Spec: https://openprovenance.org/prov-json/
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from prov import Error
from prov.constants import PROV_ATTRIBUTE_QNAMES, PROV_RECORD_IDS_MAP
from prov.model import ProvDocument, parse_xsd_datetime
from prov.serializers.provjson import decode_json_document

from provchain.errors import MalformedSourceError, Problem, SourceError

_BUILT_IN = frozenset(("prov", "xsd", "xsi"))
_TIMES = frozenset(("prov:startTime", "prov:endTime", "prov:time"))
_ELEMENTS = frozenset(("entity", "activity", "agent"))
_DIALECT = {"prov:startedAtTime": "prov:startTime", "prov:endedAtTime": "prov:endTime"}
_MOST_PROBLEMS = 100  # a wrong prefix in a large file is one mistake, not a million


def load(path: Path) -> ProvDocument:
    """Read a PROV-JSON file.

    Raises:
        MalformedSourceError: It is no PROV-JSON, or reading it would lose something.
        SourceError: The file cannot be read.
    """
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} could not be read: {error}", path=str(path)) from error
    return loads(data, str(path))


def loads(data: bytes, name: str) -> ProvDocument:
    """Read the bytes of a PROV-JSON file called ``name``."""
    container = _parse(data, name)
    problems = list(_Lint(name, container).problems())
    if problems:
        raise MalformedSourceError(problems[:_MOST_PROBLEMS])
    return _decode(container, name)


def _parse(data: bytes, name: str) -> dict[str, Any]:
    problems: list[Problem] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            keys = [key for key, _ in items]
            twice = sorted({key for key in keys if keys.count(key) > 1}) if len(keys) < 1000 else []
            problems.append(Problem(name, _short(", ".join(twice)), "each key once in an object", "a key repeated"))
        return found

    def constant(text: str) -> None:
        problems.append(Problem(name, "", 'a JSON number, or {"$": "NaN", "type": "xsd:double"}', text))

    try:
        container = json.loads(data.decode("utf-8-sig"), object_pairs_hook=pairs, parse_constant=constant)
    except UnicodeDecodeError as error:
        raise _malformed(name, f"byte {error.start}", "UTF-8", f"byte {data[error.start]:#04x}") from error
    except json.JSONDecodeError as error:
        raise _malformed(name, f"line {error.lineno}, column {error.colno}", "JSON", error.msg) from error
    except RecursionError as error:
        raise _malformed(name, "", "JSON of a sensible depth", "objects or lists nested too deeply") from error
    except ValueError as error:  # a whole number of more digits than Python turns into one
        raise _malformed(name, "", "numbers of a sensible length", str(error)) from error
    if problems:
        raise MalformedSourceError(problems[:_MOST_PROBLEMS])
    if not isinstance(container, dict):
        raise _malformed(name, "$", "an object", _type(container))
    return container


def _decode(container: dict[str, Any], name: str) -> ProvDocument:

    document = ProvDocument()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what would be lost is an error above; the rest is style
            decode_json_document(container, document)
    except (Error, ValueError, TypeError, AttributeError, KeyError, OverflowError, RecursionError) as error:
        raise _malformed(name, "", "PROV-JSON", str(error) or type(error).__name__) from error
    return document


class _Lint:
    """Find what would be lost, container by container."""

    def __init__(self, name: str, container: dict[str, Any]) -> None:

        self._name = name
        self._container = container
        self._sections = frozenset(PROV_RECORD_IDS_MAP) - {"bundle"}
        self._ends = frozenset(str(attribute) for attribute in PROV_ATTRIBUTE_QNAMES)

    def problems(self) -> Iterator[Problem]:
        """Yield every problem of the document and its bundles, and mend the dialects on the way."""
        bundles = self._container.get("bundle", {})
        yield from self._one(self._container, "$", {}, top=True)
        if not isinstance(bundles, dict):
            yield self._problem("$.bundle", "an object", bundles)
            return
        spaces = _spaces(self._container)
        for key, bundle in bundles.items():
            where = f"$.bundle.{_short(key)}"
            if not isinstance(bundle, dict):
                yield self._problem(where, "an object", bundle)
                continue
            if not _resolves(key, {**spaces, **_spaces(bundle)}):
                yield Problem(self._name, where, "an id with a declared prefix", _short(key))
            yield from self._one(bundle, where, spaces, top=False)

    def _one(self, container: dict[str, Any], where: str, outer: dict[str, str], *, top: bool) -> Iterator[Problem]:
        for key in [key for key in container if key.startswith("@")]:
            del container[key]  # JSON-LD's words in a PROV-JSON file say nothing that PROV-JSON knows
        spaces = {**outer, **_spaces(container)}
        for section, content in container.items():
            place = f"{where}.{_short(section)}"
            if section == "bundle":
                if not top:
                    yield Problem(self._name, place, "no bundle inside a bundle", "a bundle")
            elif section == "prefix":
                yield from self._prefixes(content, place)
            elif section not in self._sections:
                yield Problem(self._name, place, "a kind of PROV record", _short(section))
            elif not isinstance(content, dict):
                yield self._problem(place, "an object", content)
            else:
                for key, record in content.items():
                    if section in _ELEMENTS and not _resolves(key, spaces):
                        yield Problem(self._name, place, "ids with a declared prefix", _short(key))
                    yield from self._record(record, f"{place}.{_short(key)}", spaces)

    def _prefixes(self, content: Any, place: str) -> Iterator[Problem]:
        if not isinstance(content, dict):
            yield self._problem(place, "an object", content)
            return
        for prefix, iri in content.items():
            if not isinstance(iri, str):
                yield self._problem(f"{place}.{_short(prefix)}", "an IRI", iri)

    def _record(self, record: Any, place: str, spaces: dict[str, str]) -> Iterator[Problem]:
        instances = record if isinstance(record, list) else [record]
        for instance in instances:
            if not isinstance(instance, dict):
                yield self._problem(place, "an object", instance)
                continue
            for dialect, proper in _DIALECT.items():
                if dialect in instance and proper not in instance:
                    instance[proper] = instance.pop(dialect)
            for name, value in instance.items():
                if name in self._ends:
                    yield from self._end(value, f"{place}.{name}", spaces)
                elif name in _TIMES:
                    yield from self._time(value, f"{place}.{name}")

    def _end(self, value: Any, place: str, spaces: dict[str, str]) -> Iterator[Problem]:
        for name in value if isinstance(value, list) else [value]:
            text = name.get("$") if isinstance(name, dict) else name
            if not isinstance(text, str):
                yield self._problem(place, "an id", name)
            elif not _resolves(text, spaces):
                yield Problem(self._name, place, "an id with a declared prefix", _short(text))

    def _time(self, value: Any, place: str) -> Iterator[Problem]:

        text = value.get("$") if isinstance(value, dict) else value
        if isinstance(text, list) and len(text) == 1:
            text = text[0]
        if not isinstance(text, str) or parse_xsd_datetime(text) is None:
            yield self._problem(place, "a time such as 2026-11-30T17:07:00Z", text)

    def _problem(self, place: str, expected: str, found: Any) -> Problem:
        return Problem(self._name, place, expected, _short(found) if isinstance(found, str) else _type(found))


def _spaces(container: dict[str, Any]) -> dict[str, str]:
    prefixes = container.get("prefix")
    if not isinstance(prefixes, dict):
        return {}
    return {prefix: iri for prefix, iri in prefixes.items() if isinstance(iri, str)}


def _resolves(text: str, spaces: dict[str, str]) -> bool:
    prefix, colon, _ = text.partition(":")
    if not colon:
        return bool(text) and "default" in spaces
    if prefix in spaces or prefix in _BUILT_IN:
        return True
    return prefix != "_" and any(text.startswith(iri) for iri in spaces.values() if iri)


def _malformed(name: str, where: str, expected: str, found: str) -> MalformedSourceError:
    return MalformedSourceError([Problem(name, where, expected, _short(found, 300))])


def _type(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def _short(text: str, longest: int = 80) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
