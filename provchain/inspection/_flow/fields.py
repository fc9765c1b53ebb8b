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
        The name, and all marks of what stands under it; a name that several objects have comes several times. Where
        something without names can stand in the place of the object that has them (``fit()`` or ``{"accuracy": 0.9}``), its
        marks count too.
    """
    todo: list[tuple[Value, Value]] = [(value, 0)]
    seen: dict[Value, Value] = {}
    visited = 0
    while todo and visited < _MOST_OBJECTS:
        held, taint = todo.pop()
        naming, others = _split(domain, held)
        taint |= others
        for low, atom in naming:
            visited += 1
            if low in seen and not taint & ~seen[low]:
                continue
            seen[low] = seen.get(low, 0) | taint
            for key, inner in atom.fields.items():
                if isinstance(key, str) and not _names_more(domain, inner):
                    yield key, domain.deep(inner) | taint
                else:
                    todo.append((inner, taint))
            if atom.elems:
                todo.append((atom.elems, taint))


def _split(domain: Domain, value: Value) -> tuple[list[tuple[Value, Obj]], Value]:
    """The objects with names that a value may be, also inside lists, and the marks of what else it may be."""
    naming: list[tuple[Value, Obj]] = []
    others, todo, seen = value & ~domain.refs, value & domain.refs, 0
    while todo:
        low = todo & -todo
        todo ^= low
        seen |= low
        atom = domain.atoms[low.bit_length() - 1]
        if not isinstance(atom, Obj):
            continue
        if atom.kind in _NAMING:
            naming.append((low, atom))
        elif _names_more(domain, atom.content):
            todo |= atom.content & domain.refs & ~seen
            others |= atom.content & ~domain.refs
        else:
            others |= domain.deep(atom.content)
    return naming, others if naming else 0


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
