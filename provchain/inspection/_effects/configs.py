"""Configuration files of the run as values: JSON, and the plain part of YAML (mappings, lists, scalars in blocks)."""

from __future__ import annotations

import json
import re

from provchain.inspection._effects.values import UNKNOWN, DictValue, ListValue

__all__ = ["read_config"]

_MAX_TEXT = 100_000  # a longer file holds data, not settings
_ENTRY = re.compile(r"(?P<indent> *)(?P<dash>- +)?(?:(?P<key>[\w.\-]+|\"[^\"]*\"|'[^']*') *:(?: +|\Z))?(?P<value>.*)\Z")
_WORDS: dict[str, object] = {
    "": None, "~": None, "null": None, "None": "None", "true": True, "True": True, "false": False, "False": False,
}  # fmt: skip


def read_config(text: str, *, is_json: bool) -> object:
    """Read a configuration file as far as it is plain.

    Args:
        text: Its content.
        is_json: Whether it is JSON, else YAML.

    Returns:
        A mapping or list of the evaluation, or ``UNKNOWN``.
    """
    if len(text) > _MAX_TEXT:
        return UNKNOWN
    if not is_json:
        return _read_yaml(text)
    try:
        return _value(json.loads(text))
    except (ValueError, RecursionError):
        return UNKNOWN


def _value(item: object) -> object:
    """A JSON value in terms of the evaluation."""
    if isinstance(item, dict):
        return DictValue({key: _value(inner) for key, inner in item.items()})
    if isinstance(item, list):
        return ListValue([_value(inner) for inner in item[:256]], more=len(item) > 256)
    return item


def _read_yaml(text: str) -> object:
    """Read nested mappings with scalars and lists of scalars; anything else is unknown where it stands."""
    root = DictValue({})
    open_at: list[tuple[int, DictValue]] = [(-1, root)]
    last: tuple[DictValue, str, int] | None = None  # the entry that a block below it belongs to
    for line in text.split("\n"):
        bare = line.split(" #")[0].rstrip()
        if not bare.strip() or bare.lstrip().startswith(("#", "---", "%")):
            continue
        match = _ENTRY.match(bare)
        if match is None:
            return UNKNOWN
        indent = len(match["indent"])
        if match["dash"]:
            if last is None or match["key"]:
                return root if last is None else _spoil(root, last)
            known = last[0].entries.get(last[1])
            if not isinstance(known, ListValue):
                last[0].entries[last[1]] = known = ListValue([])
            known.items.append(_scalar(match["value"]))
            continue
        if not match["key"]:
            continue  # the rest of a longer text
        if last is not None and indent > last[2] and last[0].entries.get(last[1]) is None:
            inner = DictValue({})
            last[0].entries[last[1]] = inner
            open_at.append((last[2], inner))
        while len(open_at) > 1 and open_at[-1][0] >= indent:
            open_at.pop()
        key = match["key"].strip("'\"")
        open_at[-1][1].entries[key] = _scalar(match["value"])
        last = (open_at[-1][1], key, indent)
        if len(open_at) > 32:
            return UNKNOWN
    return root


def _spoil(root: DictValue, last: tuple[DictValue, str, int]) -> DictValue:
    """A list of mappings is not followed."""
    last[0].entries[last[1]] = UNKNOWN
    root.more = True
    return root


def _scalar(text: str) -> object:
    """A plain scalar, or a flow list of them."""
    text = text.strip()
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]:
        return text[1:-1]
    if text.startswith("[") and text.endswith("]"):
        return ListValue([_scalar(part) for part in text[1:-1].split(",")[:256] if part.strip()])
    if text[0] in "{[&*!|>":
        return UNKNOWN
    if re.fullmatch(r"[-+]?\d{1,17}", text):
        return int(text)
    return float(text) if re.fullmatch(r"[-+]?\d{1,17}(?:\.\d{0,17})?(?:[eE][-+]?\d{1,2})?", text) else text
