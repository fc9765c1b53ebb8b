"""Numbers in JSON and JSON Lines, each at its JSON Pointer.

Spec: https://www.rfc-editor.org/rfc/rfc6901 (pointers), https://jsonlines.org
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from provchain.inspection.cells import is_counter, make_value, read_quantity
from provchain.model import Value

__all__ = ["is_json_lines", "read_json_lines", "read_json_values"]

_MAX_LABEL = 60  # characters; longer strings are content, not names
_MAX_NAMES = 4
_NAME_KEYS = tuple("name model method id label title type dataset task variant config metric".split())  # noqa: SIM905

_Labels = tuple[str, ...]


class _Token(str):
    """A number exactly as it stands in the file."""

    __slots__ = ()


def read_json_values(artifact_id: str, path: str, text: str, *, line: int = 0) -> Iterator[Value] | None:
    """Read every number of a JSON document.

    The labels of a number are the keys that lead to it, outermost first, array indices among them; after the key of
    an object come the short strings that the object itself holds (``"model": "svm"``) and its counters
    (``"epoch": 3``), because they name what its numbers are about.

    Args:
        artifact_id: The artifact's id.
        path: Its path.
        text: Its text.
        line: For JSON Lines: the line of the document, 1-based. The selector is then ``line=N`` and the pointer
            (``line=3/loss``).

    Returns:
        The values in the order of the file, or ``None`` if the text is no JSON (or too deep to be read as one).
    """
    try:
        document = json.loads(text, parse_float=_Token, parse_int=_Token, parse_constant=lambda _: None)
    except (ValueError, RecursionError, MemoryError):
        return None
    if line and not isinstance(document, dict | list):
        return None
    return _walk(artifact_id, path, document, f"line={line}" if line else "")


def is_json_lines(text: str) -> bool:
    r"""Whether a text is JSON Lines: its first two lines are an object or an array each.

    Example:
        >>> is_json_lines('{"a": 1}\n{"a": 2}\n'), is_json_lines('{\n"a": 1,\n}')
        (True, False)
    """
    lines = [line for line in text.split("\n", 3)[:3] if line.strip()][:2]
    if len(lines) < 2:
        return False
    try:
        return all(isinstance(json.loads(line), dict | list) for line in lines)
    except (ValueError, RecursionError, MemoryError):
        return False


def read_json_lines(artifact_id: str, path: str, text: str) -> Iterator[Value]:
    """Read every number of a JSON Lines file; lines that are no JSON object or array are passed over."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.lstrip()[:1] in ("{", "["):
            yield from read_json_values(artifact_id, path, line, line=number) or ()


def _walk(artifact: str, path: str, document: object, root: str) -> Iterator[Value]:
    """Visit a document in its own order without recursion."""
    stack: list[tuple[object, str, _Labels]] = [(document, root, ())]
    while stack:
        node, pointer, labels = stack.pop()
        if isinstance(node, str):
            yield from _read_string(artifact, path, node, pointer, labels)
        elif isinstance(node, dict):
            around = labels + _names_of(node, labels)
            for key in reversed(node):
                child = node[key]
                if child is not None and child is not True and child is not False:
                    stack.append((child, f"{pointer}/{_escape(key)}", (*around, key)))
        elif isinstance(node, list):
            columns = _indices(len(node))
            for index in range(len(node) - 1, -1, -1):
                child = node[index]
                if child is not None and child is not True and child is not False:
                    stack.append((child, f"{pointer}/{columns[index]}", (*labels, columns[index])))


def _indices(length: int) -> list[str]:
    return [str(index) for index in range(length)]


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key


def _read_string(artifact: str, path: str, node: str, pointer: str, labels: _Labels) -> Iterator[Value]:
    if isinstance(node, _Token):
        value = make_value(artifact, path, pointer, str(node), labels, percent=False)
        if value is not None:
            yield value
        return
    quantity = read_quantity(node)
    if quantity is None:
        return
    value = make_value(artifact, path, pointer, quantity.lexical, labels, percent=quantity.percent)
    if value is not None:
        yield value
    if quantity.spread:
        spread = make_value(artifact, path, f"{pointer};2", quantity.spread, (*labels, "std"), percent=quantity.percent)
        if spread is not None:
            yield spread


def _names_of(node: dict[str, object], known: _Labels) -> _Labels:
    """The strings and counters of an object that name what its numbers are about."""
    found: list[tuple[int, str]] = []
    for key, child in node.items():
        if isinstance(child, _Token):
            if is_counter(key) and "." not in child:
                found.append((1, f"{key} {child}"))
        elif isinstance(child, str) and _is_name(child) and child not in known:
            lowered = key.lower()
            found.append((0 if any(name in lowered for name in _NAME_KEYS) else 2, child))
    found.sort(key=lambda item: item[0])  # stable: the order of the file within a rank
    return tuple(text for _, text in found[:_MAX_NAMES])


def _is_name(text: str) -> bool:
    return 0 < len(text) <= _MAX_LABEL and any(map(str.isalpha, text)) and read_quantity(text) is None
