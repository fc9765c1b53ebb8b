"""Small turns of phrase between syntax nodes, words and records."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from tree_sitter import Node

from provchain.shell._syntax import Command, Redirect
from provchain.shell._tree import source_of
from provchain.shell._words import START

__all__ = ["file_redirect", "freeze", "join_nodes", "localise", "rebuild"]

_READERS = 6  # pipes behind a command that it knows of
_HAS_SPACE = re.compile(r"[\s'\"\\\\]")


def join_nodes(nodes: Iterable[Node]) -> list[str]:
    """Give the source of nodes as words: those without a blank between them are one word."""
    words: list[str] = []
    end = -1
    for node in nodes:
        text = source_of(node)
        if node.start_byte == end and words:
            words[-1] += text
        elif text.strip():
            words.append(text)
        end = node.end_byte
    return words


def file_redirect(descriptor: str, operator: str, target: str) -> Redirect:
    if operator.endswith("&-"):
        return Redirect(descriptor or "1", ">&", "&-")
    if operator in (">&", "<&"):
        if re.fullmatch(r"\d+-?|-", target):
            return Redirect(descriptor or ("1" if operator == ">&" else "0"), ">&", f"&{target}")
        return Redirect("&", ">", target)
    if operator.startswith("&>"):
        return Redirect("&", operator[1:], target)
    if operator.startswith("<"):
        return Redirect(descriptor or "0", "<", target)
    return Redirect(descriptor or "1", ">>" if operator == ">>" else ">", target)


def localise(text: str, cwd: str) -> str:
    """Write a path that begins at the unknown start as it is seen from ``cwd``."""
    if START not in text:
        return text
    if cwd.startswith(("/", "~", "$")):
        return text.replace(START, "$(pwd)")
    return text.replace(START, "/".join(".." for _ in cwd.split("/")) if cwd else ".")


def rebuild(argv: list[str], assignments: list[tuple[str, str]], redirects: list[Redirect]) -> str:
    words = [f"{name}={value}" for name, value in assignments]
    words += [_quote(word) for word in argv]
    for one in redirects:
        descriptor = "" if one.fd == {"<": "0"}.get(one.op[0], "1") else one.fd
        words.append(
            f"{descriptor}{one.op}{one.target}" if one.op == ">&" else f"{descriptor}{one.op} {_quote(one.target)}"
        )
    return " ".join(words).replace("&>&", ">&").replace(">&&", ">&")


def _quote(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'" if not word or _HAS_SPACE.search(word) else word


def freeze(notes: list[dict[str, Any]]) -> tuple[Command, ...]:
    """Turn the notes into records; the index of a reader becomes the reader itself, a few steps deep."""

    def make(index: int, depth: int) -> Command:
        note = dict(notes[index])
        reader = note.pop("pipes_to")
        note["reader"] = make(reader, depth + 1) if reader is not None and depth < _READERS else None
        return Command(**note)

    return tuple(make(index, 0) for index in range(len(notes)))
