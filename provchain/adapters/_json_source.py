"""JSON files that others wrote: decoded whatever their encoding and oddities, or refused with a place and a hint."""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import Any

import msgspec

from provchain.errors import MalformedSourceError, Problem, SourceError

__all__ = ["read_bytes", "read_json", "shorten"]

_DECODER = msgspec.json.Decoder()


def read_bytes(source: Path) -> bytes:
    """Read a file, or say that it cannot be read.

    Args:
        source: The file.

    Returns:
        Its bytes.

    Raises:
        SourceError: It cannot be read.
    """
    try:
        return source.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise SourceError(f"{source}: {reason}", path=str(source), hint="check that it can be read") from error


def decode_text(data: bytes) -> str:
    """Decode a text file: UTF-8, or UTF-16 if its first bytes say so; what is neither is replaced.

    Example:
        >>> decode_text(b"\\xef\\xbb\\xbfa\\xff")
        'a\\ufffd'
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    return data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")


def read_json(source: Path) -> Any:
    """Read a JSON file.

    Args:
        source: The file.

    Returns:
        What it holds, as plain Python data.

    Raises:
        SourceError: It cannot be read.
        MalformedSourceError: It is no JSON; the problem names the line and the column.
    """
    data = read_bytes(source)
    if not data.strip():
        raise MalformedSourceError(
            [Problem(str(source), "line 1", "JSON", "an empty file")],
            hint="the recording was never written; leave it out",
        )
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass  # the lenient parser decides: it knows encodings, lone surrogates and raw control characters
    text = decode_text(data)
    try:
        return json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip("\0 \t\r\n")) - 1 or error.msg.startswith("Unterminated")
        hint = "the file looks cut off: copy it again, or leave it out" if cut else "the file is no valid JSON"
        found = "the end of the file" if cut else shorten(text[error.pos : error.pos + 40])
        where = f"line {error.lineno}, column {error.colno}"
        raise MalformedSourceError(
            [Problem(str(source), where, f"valid JSON ({error.msg})", found)], hint=hint
        ) from error
    except RecursionError as error:
        problem = Problem(str(source), "$", "JSON of a reasonable depth", "lists or objects nested beyond the limit")
        raise MalformedSourceError([problem], hint="no recorder writes such a file") from error
    except ValueError as error:  # an integer of thousands of digits
        raise MalformedSourceError([Problem(str(source), "$", "readable numbers", str(error))]) from error


def shorten(value: object, limit: int = 60) -> str:
    """Show a value of hostile origin in an error: one line, printable, short.

    Example:
        >>> shorten("a\\nb" * 100)
        "'a\\\\nba\\\\nba\\\\nba\\\\nba\\\\nba\\\\nba\\\\nba\\\\nba\\\\nba\\\\nba\\\\nba\\\\nba\\\\nba\\\\n..."
    """
    if isinstance(value, dict | list):
        kind = "an object" if isinstance(value, dict) else "a list"
        return f"{kind} of {len(value)}"
    text = repr(value[: limit * 2] if isinstance(value, str) else value)
    text = text.encode("ascii", "backslashreplace").decode() if not text.isprintable() else text
    return text if len(text) <= limit else text[: limit - 3] + "..."
