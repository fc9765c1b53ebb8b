"""Syntax trees of skeletons: tree-sitter with the grammar of bash, kept within bounds.

The grammar is GLR with error recovery whose cost grows with the square of what it cannot read, so that a long skeleton
is cut into chunks at line ends, and only a few unreadable chunks are allowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

__all__ = ["Item", "flatten", "parse_skeleton", "source_of"]

_CHUNK = 4_000  # characters: unreadable text of this length costs about 0.1 s
_MOST_TEXT = 400_000  # characters of skeleton: quotes and here-documents are not in it
_MOST_UNREADABLE = 4
_OPENING = re.compile(r"(?:^|[\s;&|({])(if|case|do|done|fi|esac|\{|\}|\(|\))(?=$|[\s;&|(){}])|([(){}])", re.MULTILINE)
_DEPTH = {"if": 1, "case": 1, "do": 1, "{": 1, "(": 1, "fi": -1, "esac": -1, "done": -1, "}": -1, ")": -1}
_OTHER = re.compile(r"[^\x01-\x7f]")
_CODE = re.compile(r"_u([0-9a-f]{1,6})_")
_OPERATORS = ("&&", "||", "|", "|&", ";", "&")


@lru_cache(maxsize=1)
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))


class Item:
    """A unit of an and-or list: a command or compound with the operator before it and its redirects."""

    __slots__ = ("negated", "node", "operator", "redirects")

    def __init__(self, operator: str, node: Node | None) -> None:
        self.operator = operator
        self.node = node
        self.redirects: list[Node] = []
        self.negated = False


def source_of(node: Node) -> str:
    """Give the skeleton text of a node."""
    return _CODE.sub(lambda found: chr(int(found[1], 16)), (node.text or b"").decode("ascii", "replace"))


def _encode(text: str) -> bytes:
    """Write a skeleton in ASCII letters: the grammar's scanner reads beyond its tables on other characters and crashes."""
    plain = text.replace("_u", "_u5f_u")
    return (plain if plain.isascii() else _OTHER.sub(lambda found: f"_u{ord(found[0]):x}_", plain)).encode("ascii")


def parse_skeleton(text: str) -> Iterator[Node | None]:
    """Parse a skeleton into the roots of its chunks; ``None`` at the end says that text was left out."""
    unreadable = 0
    for chunk in _chunks(text[:_MOST_TEXT]):
        root = _parser().parse(_encode(chunk)).root_node
        yield root
        unreadable += root.has_error and len(chunk) > _CHUNK // 4
        if unreadable >= _MOST_UNREADABLE:
            yield None
            return
    if len(text) > _MOST_TEXT:
        yield None


def _chunks(text: str) -> Iterator[str]:
    """Cut a long text at line ends, where no compound command is open as far as counting tells."""
    if len(text) <= _CHUNK:
        yield text
        return
    lines: list[str] = []
    size = depth = 0
    for line in text.splitlines(keepends=True):
        for start in range(0, len(line), 2 * _CHUNK):
            piece = line[start : start + 2 * _CHUNK]
            lines.append(piece)
            size += len(piece)
            depth += sum(_DEPTH[found[1] or found[2]] for found in _OPENING.finditer(piece))
            if size >= _CHUNK and (depth <= 0 or size >= 2 * _CHUNK):
                yield "".join(lines)
                lines, size, depth = [], 0, 0
    if lines:
        yield "".join(lines)


def flatten(statement: Node) -> list[Item]:
    """Turn a statement into the items of its and-or list, in source order.

    The grammar nests ``a && b | c`` as ``(a && b) | c`` and hangs redirects on whole lists; bash binds both to the last
    command. The order of the source is enough to set that right.
    """
    items: list[Item] = []
    operator = ""
    negated = False
    todo: list[Node | tuple[Node, int]] = [statement]
    while todo:
        entry = todo.pop()
        if isinstance(entry, tuple):  # a redirect, and the number of items before its statement
            if len(items) == entry[1]:
                items.append(Item(operator, None))
                operator = ""
            items[-1].redirects.append(entry[0])
        elif entry.type in ("list", "pipeline", "negated_command"):
            todo += reversed(entry.children)
        elif entry.type == "redirected_statement":
            for child in reversed(entry.children):
                todo.append((child, len(items)) if child.type.endswith("_redirect") else child)
        elif entry.type in _OPERATORS:
            operator = entry.type
        elif entry.type == "!":
            negated = True
        elif entry.type != "comment":
            items.append(Item(operator, entry))
            items[-1].negated = negated
            operator, negated = "", False
    return items
