"""Write schemas/policy.schema.json from the parameters of a policy: `python docs/_generate/policy_schema.py`.

The classes of `provchain.auditing.policy` are the format; the schema says the same to editors and programs.
"""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

import msgspec

from provchain.auditing.policy import FORMAT, Policy
from provchain.auditing.policy_files import DEFAULT, LONGEST_NAME, LONGEST_SUMMARY, list_policies

__all__ = ["SCHEMA", "meanings", "policy_schema"]

SCHEMA = Path(__file__).resolve().parents[2] / "schemas" / "policy.schema.json"


def meanings(kind: type) -> dict[str, str]:
    """What a class says of each of its fields."""
    text = inspect.cleandoc(kind.__doc__ or "").partition("Attributes:")[2]
    found = re.findall(r"^ {4}(\w+): (.+(?:\n {6,}.+)*)", text, re.MULTILINE)
    return {name: " ".join(words.split()).replace("``", "`") for name, words in found}


def _section(kind: type[msgspec.Struct], schema: dict[str, Any]) -> dict[str, Any]:
    said = meanings(kind)
    properties = {
        one.encode_name: {"description": said[one.name], **_without_default(schema["properties"][one.encode_name])}
        for one in msgspec.structs.fields(kind)
    }
    first = inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0]
    about = " ".join(first.split()).replace("``", "`")
    return {"type": "object", "description": about, "properties": properties, "additionalProperties": False}


def _without_default(schema: dict[str, Any]) -> dict[str, Any]:
    """What a parameter takes; what it is where it is not given depends on the base."""
    return {key: value for key, value in schema.items() if key != "default"}


def policy_schema() -> dict[str, Any]:
    """The schema of what a policy's TOML holds."""
    _, definitions = msgspec.json.schema_components([Policy], ref_template="#/$defs/{name}")
    said = meanings(Policy)
    sections = {one.encode_name: one for one in msgspec.structs.fields(Policy) if one.name not in ("name", "summary")}
    properties: dict[str, Any] = {
        "format": {"const": FORMAT, "description": "Name and version of this format."},
        "name": {
            "type": "string",
            "minLength": 1,
            "maxLength": LONGEST_NAME,
            "not": {"enum": list_policies()},
            "description": said["name"],
        },
        "base": {
            "enum": list_policies(),
            "description": f"The policy that says what this one leaves open; `{DEFAULT}` if it is not given.",
        },
        "summary": {"type": "string", "minLength": 1, "maxLength": LONGEST_SUMMARY, "description": said["summary"]},
        **{key: {"$ref": f"#/$defs/{key}", "description": said[one.name]} for key, one in sections.items()},
    }
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://w3id.org/provchain/schemas/policy.schema.json",
        "title": "provchain policy",
        "description": "Where the lines run between the outcomes of a manuscript, and what follows from each. The schema is "
        "for the data that the TOML holds.",
        "type": "object",
        "required": ["format", "name"],
        "properties": properties,
        "additionalProperties": False,
        "$defs": {key: _section(_kind(one), definitions[_kind(one).__name__]) for key, one in sections.items()},
    }
    plain: dict[str, Any] = json.loads(json.dumps(schema))  # lists, as a reader of the file has them
    return plain


def _kind(field: msgspec.structs.FieldInfo) -> type[msgspec.Struct]:
    kind: type[msgspec.Struct] = field.type
    return kind


def main() -> None:
    """Write the schema."""
    SCHEMA.write_text(json.dumps(policy_schema(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
