"""Study files: what a recorder writes when it wants to be read without an adapter of its own.

One JSON document that holds all events, or an append-only log with one JSON object a line. Both begin with the same header::

    {"format": "provchain-study/1", "title": "...", "recorders": [{"id": "harness", "kind": "observer"}]}

A document has the events in its list ``events``; in a log each stands on a line of its own. Fields and events that are not
known are kept as they are. A log whose last line is cut off is read up to there, and the report says so.

The events are the classes of `provchain.events.logged`.

Spec: schemas/study.schema.json, docs/reference/study-files.md
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import msgspec

from provchain.adapters._json_source import decode_text, read_bytes, shorten
from provchain.adapters._log_order import order_problems
from provchain.errors import MalformedSourceError, Problem
from provchain.events import Event
from provchain.events.logged import LOGGED, LogCut, Logged, OtherLogged, RecorderDeclared, StudyDeclared
from provchain.model import Place, RecorderKind

__all__ = ["FORMAT", "StudyFile"]

FORMAT = "provchain-study/1"
_SUFFIXES = (".json", ".jsonl", ".ndjson")
_MARK = re.compile(rb'"format"\s*:\s*"provchain-study\\?/')
_REMAINS = re.compile(rb'provchain-study|"event"\s*:\s*"(?:execution-|file-written"|authored"|(?:plan|step)-declared")')
_CHUNK = 1 << 20  # bytes searched at once: a writer that sorts its keys puts the format behind the events
_NAMES = ("study.json", "study.jsonl", "study.ndjson")  # what is called so and holds nothing is a record that was lost
_LONGEST_MARK = 200  # bytes that a mark can stand across two of them
_MOST_PROBLEMS = 1_000
_TOO_LARGE = "it holds a number beyond all measure"
_MOST_CUT = 200  # characters shown of a line that is cut off
_KEEPING_DIGITS = msgspec.json.Encoder(decimal_format="number", order="sorted")
_OWN_FIELDS = frozenset(("at", "extra", "event"))

_TYPES: Mapping[str, type[Logged]] = {str(kind.__struct_config__.tag): kind for kind in LOGGED}


class StudyFile:
    """Read a study file; who attests its events stands in the file.

    Example:
        >>> StudyFile().name
        'provchain-json'
    """

    name = "provchain-json"
    recorder = RecorderKind.OBSERVER

    def recognises(self, source: Path) -> bool:
        """Say whether a file names the format of study files: a log in its first line, a document anywhere.

        What is called ``study.jsonl`` and lost its header, or all that it held, is recognised too: it must not be passed over.
        """
        if source.suffix.lower() not in _SUFFIXES:
            return False
        try:
            return source.is_file() and (_names_format(source) or _lost_header(source))
        except OSError:
            return False

    def read(self, source: Path, *, root: Path) -> Iterator[Event]:
        """Read the events in the order of the file.

        Args:
            source: The document or log.
            root: The audited directory.

        Yields:
            The study and its recorders first, then the events.

        Raises:
            SourceError: It cannot be read.
            MalformedSourceError: It is not what the format says; all problems at once.
        """
        text = decode_text(read_bytes(source))
        path = source.relative_to(root).as_posix() if source.is_relative_to(root) else source.as_posix()
        reading = _Reading(path)
        entries = list(_entries(reading, text))
        events = [event for event in (reading.event(*entry) for entry in entries) if event is not None]
        reading.problems += order_problems(path, events)
        if reading.problems:
            hint = "schemas/study.schema.json says what a study file holds"
            raise MalformedSourceError(reading.problems[:_MOST_PROBLEMS], hint=hint)
        yield from events


def _lost_header(source: Path) -> bool:
    """Whether a file has the name of a study file, and is empty, or holds its events or its format in some other way."""
    if source.name.lower() not in _NAMES:
        return False
    with source.open("rb") as stream:
        head = stream.read(_CHUNK)
    return not head.strip(b"\0 \t\r\n") or _REMAINS.search(head.replace(b"\0", b"")) is not None


def _names_format(source: Path) -> bool:
    """Search a file for the format, as far as it can stand: of a log the first line, which may be long."""
    log = source.suffix.lower() != ".json"
    with source.open("rb") as stream:
        head = stream.read(_CHUNK)
        coded = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        if coded:  # a text of that encoding has a zero in every letter
            return _MARK.search(decode_text(head + stream.read()).encode("utf-8", "replace")) is not None
        if not head.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{"):
            return False
        while head:
            line, ended, _ = head.lstrip().partition(b"\n")
            over = log and bool(ended) and line.strip() != b"{"  # else it is a document that is called like a log
            if _MARK.search(line if over else head):
                return True
            more = b"" if over else stream.read(_CHUNK)
            head = head[-_LONGEST_MARK:] + more if more else b""
    return False


class _Reading:
    """One file being read: its recorders, and what is wrong with it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self.recorders: set[str] = set()

    def problem(self, where: str, expected: str, found: object) -> None:
        self.problems.append(Problem(self.path, where, expected, found if isinstance(found, str) else shorten(found)))

    def event(self, where: str, raw: object) -> Logged | None:
        """Make one event of what stands at one place."""
        if isinstance(raw, Logged):
            return raw
        if not isinstance(raw, dict):
            self.problem(where, "an object", raw)
            return None
        name = raw.get("event")
        if not isinstance(name, str):
            self.problem(where, 'the name of an event in "event"', name if name is not None else "none")
            return None
        given = {str(key): value for key, value in raw.items() if value is not None and key not in _OWN_FIELDS}
        kind = _TYPES.get(name)
        known = set() if kind is None else set(kind.__struct_fields__) - _OWN_FIELDS
        common = {"time", "recorder"}
        extra = {key: value for key, value in given.items() if key not in known | common}
        fields: dict[str, Any] = {key: value for key, value in given.items() if key in known | common}
        fields |= {"at": Place(self.path, where.removeprefix("line ")), "extra": _json(extra) if extra else ""}
        if kind is None:
            kind, fields["name"] = OtherLogged, name
        try:
            event = msgspec.convert(fields, kind)
        except msgspec.ValidationError as error:
            message, _, place = str(error).partition(" - at `$")
            field = place.rstrip("`").lstrip(".")
            self.problem(f"{where}.{field}" if field else where, f"{name}: {message}", "")
            return None
        if event.recorder and event.recorder not in self.recorders:
            known_ones = ", ".join(sorted(self.recorders)) or "none is declared"
            self.problem(f"{where}.recorder", f"one of its recorders ({known_ones})", event.recorder)
            return None
        return event

    def header(self, where: str, raw: object) -> Iterator[tuple[str, object]]:
        """Read the header: the study, then its recorders."""
        if not isinstance(raw, dict):
            self.problem(where, "the header, an object", raw)
            return
        if raw.get("format") != FORMAT:
            self.problem(f"{where}.format", f'"{FORMAT}" (what this version of provchain reads)', raw.get("format"))
            return
        at = Place(self.path, where.removeprefix("line "))
        extra = {k: v for k, v in raw.items() if k not in ("format", "title", "root", "recorders", "events")}
        for field in ("title", "root"):
            if not isinstance(raw.get(field, ""), str):
                self.problem(f"{where}.{field}", "a text", raw[field])
                return
        yield (
            where,
            StudyDeclared(
                at=at, title=raw.get("title", ""), root=raw.get("root", ""), extra=_json(extra) if extra else ""
            ),
        )
        recorders = raw.get("recorders")
        if not isinstance(recorders, list) or not recorders:
            expected = 'a list of who attests the events: [{"id": "harness", "kind": "observer"}]'
            self.problem(f"{where}.recorders", expected, recorders if recorders is not None else "none")
            return
        for number, one in enumerate(recorders):
            place = f"{where}.recorders[{number}]"
            name, kind = (one.get("id"), one.get("kind")) if isinstance(one, dict) else (None, None)
            if not isinstance(name, str) or not name or not isinstance(kind, str) or kind not in set(RecorderKind):
                self.problem(place, '"id": a name, "kind": "observer" or "testimony"', one)
            elif name in self.recorders:
                self.problem(place, "a name that no other recorder has", name)
            else:
                self.recorders.add(name)
                more = {k: v for k, v in one.items() if k not in ("id", "kind")}
                yield (
                    place,
                    RecorderDeclared(at=at, id=name, kind=RecorderKind(kind), extra=_json(more) if more else ""),
                )


def _entries(reading: _Reading, text: str) -> Iterator[tuple[str, object]]:
    """Take a file apart: the header's events, then ``(place, raw event)`` of each."""
    if not text.strip():
        reading.problem("line 1", "a header", "an empty file")
        return
    document = _document(text)
    if isinstance(document, dict) and ("events" in document or "\n" in text.strip()):
        yield from reading.header("$", document)
        events = document.get("events", [])
        if not isinstance(events, list):
            reading.problem("$.events", "a list of events", events)
            return
        for number, raw in enumerate(events):
            yield f"/events/{number}", raw
        return
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    last = lines[-1][0]
    for position, (number, line) in enumerate(lines):
        where = f"line {number}"
        try:
            raw = _decode(line)
        except (ValueError, RecursionError) as error:
            if number == last and position > 0 and not text.endswith("\n"):
                yield where, LogCut(at=Place(reading.path, str(number)), text=line[:_MOST_CUT])
            else:
                reading.problem(where, f"one JSON object ({_reason(error)})", line[:_MOST_CUT])
            continue
        if position == 0:
            yield from reading.header(where, raw)
        else:
            yield where, raw


def _document(text: str) -> object:
    """The whole text as one JSON value, or ``None`` where it is a log or is broken."""
    try:
        return _decode(text)
    except (ValueError, RecursionError):
        return None


def _decode(text: str) -> object:
    """Decode JSON; numbers with a point keep their digits, and NaN, which many write, is a number."""
    return json.loads(text, parse_int=_whole, parse_float=_number, parse_constant=Decimal, strict=False)


def _number(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:  # 1e9999999999999999999999
        raise ValueError(_TOO_LARGE) from None


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:  # Python reads no more than some thousand digits
        raise ValueError(_TOO_LARGE) from None


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return error.msg
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _json(value: object) -> str:
    """Write what is not known as it was: the digits of its numbers, too."""
    try:
        return _KEEPING_DIGITS.encode(value).decode()
    except UnicodeEncodeError:  # a lone surrogate
        return json.dumps(value, default=str, sort_keys=True)
