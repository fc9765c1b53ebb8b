"""Which variables of the environment the commands of a text set for one another and for themselves.

Only what the text itself says is known: a variable that it does not set may have been set by whatever started the shell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from provchain.inspection._commands.words import program_name, strip_wrappers
from provchain.shell import Command

__all__ = ["Environment", "environments"]

Environment = tuple[tuple[str, str], ...]
"""Names and values, ordered by name."""

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_UNKNOWN = ("$", "`")
_SETTING = frozenset({"export", "declare", "typeset"})


def environments(commands: Sequence[Command], inherited: Environment = ()) -> list[Environment]:
    """Say for each command which variables are set when it starts.

    Args:
        commands: The commands of one text, in order.
        inherited: What is set before the first.

    Returns:
        For each command the variables and their values; those whose value is not known are left out.

    Example:
        >>> from provchain.shell import parse_command_line
        >>> line = parse_command_line("export A=1 && B=2 env C=$D timeout 60 python x.py; python y.py")
        >>> environments(line.commands)[1:]
        [(('A', '1'), ('B', '2')), (('A', '1'),)]
    """
    exported = dict(inherited)
    plain: dict[str, str] = {}
    out = []
    for command in commands:
        if not command.argv:
            plain.update(command.assignments)
            for name in exported.keys() & dict(command.assignments).keys():  # an exported variable stays one
                exported[name] = "$" if command.guarded else plain[name]
        elif command.argv[0] in _SETTING or command.argv[0] == "unset":
            _declare(command, exported, plain)
        own = {**exported, **dict(command.assignments), **_given_by_env(command.argv)}
        out.append(_known(own))
    return out


def _declare(command: Command, exported: dict[str, str], plain: Mapping[str, str]) -> None:
    """Follow ``export``, ``declare -x`` and ``unset``; what may not have run leaves its variables unknown."""
    name, words = command.argv[0], command.argv[1:]
    if name in ("declare", "typeset") and not any(word.startswith("-") and "x" in word for word in words):
        return
    for word in words:
        found = _ASSIGNMENT.fullmatch(word)
        variable = found[1] if found else word
        if name == "unset" or command.guarded or "-n" in words:
            exported[variable] = "$"
        else:
            exported[variable] = found[2] if found else plain.get(word, "$")


def _given_by_env(argv: Sequence[str]) -> dict[str, str]:
    """The variables that ``env A=1 python x.py`` sets, and those that it takes away."""
    before = argv[: len(argv) - len(strip_wrappers(argv))]
    if "env" not in {program_name([word]) for word in before}:
        return {}
    found = {match[1]: match[2] for word in before if (match := _ASSIGNMENT.fullmatch(word))}
    removed = {name: "$" for flag, name in pairwise(before) if flag in ("-u", "--unset")}
    return found | removed


def _known(variables: Mapping[str, str]) -> Environment:
    pairs: Iterable[tuple[str, str]] = variables.items()
    return tuple(sorted((name, value) for name, value in pairs if not any(mark in value for mark in _UNKNOWN)))
