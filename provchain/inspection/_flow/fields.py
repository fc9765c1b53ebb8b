"""What a written value says under each of its names: the entries of dictionaries and of instances, down to plain values."""

from __future__ import annotations

from collections.abc import Iterator

from provchain.inspection._flow.values import Domain, Obj, Value

__all__ = ["named_leaves"]

_MOST_OBJECTS = 2_000
_NAMING = ("dict", "instance")


def named_leaves(domain: Domain, value: Value) -> Iterator[tuple[str, Value]]:
    """Walk over the named plain values inside a value.

    Args:
        domain: The atoms of the analysis.
        value: What is written.

    Yields:
        The name, and all marks of what stands under it; a name that several objects have comes several times.
    """
    todo, seen, visited = value & domain.refs, 0, 0
    while todo and visited < _MOST_OBJECTS:
        low = todo & -todo
        todo ^= low
        seen |= low
        visited += 1
        atom = domain.atoms[low.bit_length() - 1]
        if not isinstance(atom, Obj):
            continue
        if atom.kind in _NAMING:
            for key, inner in atom.fields.items():
                if isinstance(key, str) and not _names_more(domain, inner):
                    yield key, domain.deep(inner)
        todo |= atom.content & domain.refs & ~seen


def _names_more(domain: Domain, value: Value) -> bool:
    """Whether a value holds something with names of its own."""
    todo, seen, visited = value & domain.refs, 0, 0
    while todo and visited < _MOST_OBJECTS:
        low = todo & -todo
        todo ^= low
        seen |= low
        visited += 1
        atom = domain.atoms[low.bit_length() - 1]
        if isinstance(atom, Obj):
            if atom.kind in _NAMING and atom.fields:
                return True
            todo |= atom.content & domain.refs & ~seen
    return False
