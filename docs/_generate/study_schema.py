"""Write schemas/study.schema.json from the events of study files: `python docs/_generate/study_schema.py`.

The classes of `provchain.events.logged` are the format; the schema says the same to programs that do not speak Python.
"""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

import msgspec

from provchain.adapters.study_file import FORMAT
from provchain.events.logged import LOGGED, Logged
from provchain.model import RecorderKind

__all__ = ["SCHEMA", "study_schema"]

SCHEMA = Path(__file__).resolve().parents[2] / "schemas" / "study.schema.json"
_FILLED_IN = ("at", "extra")  # by the adapter


def _said(kind: type) -> dict[str, str]:
    """What a class says of each of its fields."""
    text = inspect.cleandoc(kind.__doc__ or "").partition("Attributes:")[2]
    return {name: " ".join(words.split()) for name, words in re.findall(r"^ {4}(\w+): (.+(?:\n {6,}.+)*)", text, re.M)}


def _event(kind: type[Logged], schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of one event: unknown fields are allowed, and ``null`` is the same as nothing."""
    said = _said(Logged) | _said(kind)
    required = [name for name in schema["required"] if name not in _FILLED_IN and name != "event"]
    properties: dict[str, Any] = {"event": {"const": kind.__struct_config__.tag}}
    for name in kind.__struct_fields__:
        if name in _FILLED_IN:
            continue
        field = {key: value for key, value in schema["properties"][name].items() if key != "default"}
        if field.get("format") == "decimal":
            field = {"type": ["number", "string"]}
        if name not in required and "anyOf" not in field:
            field = {"anyOf": [field, {"type": "null"}]}
        properties[name] = {"description": said[name], **field}
    first = inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0]
    return {
        "type": "object",
        "description": " ".join(first.split()),
        "required": ["event", *required],
        "properties": properties,
        "additionalProperties": True,
    }


def study_schema() -> dict[str, Any]:
    """The schema of a study file that is one document; each line of a log is the header, or one event."""
    _, definitions = msgspec.json.schema_components(LOGGED, ref_template="#/$defs/{name}")
    events = {str(kind.__struct_config__.tag): _event(kind, definitions[kind.__name__]) for kind in LOGGED}
    others = {name: schema for name, schema in definitions.items() if name not in {kind.__name__ for kind in LOGGED}}
    others.pop("Place", None)
    recorder = {
        "type": "object",
        "required": ["id", "kind"],
        "properties": {
            "id": {"type": "string", "minLength": 1, "description": "Its name in this file."},
            "kind": {
                "enum": [kind.value for kind in RecorderKind],
                "description": "An observer counts for a chain; a testimony, such as the agent's own word, never does.",
            },
        },
        "additionalProperties": True,
    }
    header = {
        "format": {"const": FORMAT, "description": "Name and version of this format."},
        "title": {"type": "string", "description": "The study, in words."},
        "root": {
            "type": "string",
            "description": "The study's directory on the machine where it ran: absolute paths below it are the study's own.",
        },
        "recorders": {
            "type": "array",
            "minItems": 1,
            "items": {"$ref": "#/$defs/recorder"},
            "description": "Who attests the events; the first one attests those that name none.",
        },
    }
    schema: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://w3id.org/provchain/schemas/study.schema.json",
        "title": "provchain study file",
        "description": "A whole study in one document. As an append-only log (JSON Lines) the first line is the same header "
        "without `events`, and every further line is one event. Fields and events that are not listed here are kept.",
        "type": "object",
        "required": ["format", "recorders", "events"],
        "properties": {**header, "events": {"type": "array", "items": {"$ref": "#/$defs/event"}}},
        "additionalProperties": True,
        "$defs": {
            "header": {
                "type": "object",
                "description": "The first line of a log.",
                "required": ["format", "recorders"],
                "properties": header,
                "additionalProperties": True,
            },
            "recorder": recorder,
            "event": {
                "type": "object",
                "required": ["event"],
                "properties": {"event": {"type": "string"}},
                "allOf": [
                    {"if": {"properties": {"event": {"const": name}}}, "then": {"$ref": f"#/$defs/{name}"}}
                    for name in events
                ],
            },
            **events,
            **others,
        },
    }
    plain: dict[str, Any] = json.loads(json.dumps(schema))  # lists, as a reader of the file has them
    return plain


def main() -> None:
    """Write the schema."""
    SCHEMA.write_text(json.dumps(study_schema(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
