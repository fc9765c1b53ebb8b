"""A model of ``argparse`` (and of ``click`` options): which arguments a command line gives to which names.

The values are those of whoever asks: :class:`Terms` says how a word becomes one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

__all__ = ["ABSENT", "Option", "Parser", "Terms", "name_option", "parse_words"]


class _Absent:
    """The type of :data:`ABSENT`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()
"""What an option has no default of: its action says which."""

_DEFAULTS = {"store_true": False, "store_false": True, "count": 0}


@dataclass(slots=True)
class Option:
    """One argument that a parser knows.

    Attributes:
        dest: The name under which it can be read.
        flags: How it is given: ``-o``, ``--out``; one word without dashes for an argument that is given by its place.
        default: What it is otherwise.
        action: As in ``argparse``, or the last name of a class.
        nargs: As in ``argparse``.
        const: As in ``argparse``.
        kind: Its ``type=``, in the terms of whoever asks.
    """

    dest: str
    flags: tuple[str, ...]
    default: object = None
    action: str = "store"
    nargs: object = None
    const: object = None
    kind: object = ABSENT


@dataclass(eq=False, slots=True)
class Parser:
    """A parser under construction.

    Attributes:
        options: What it knows, in order.
        presets: What ``set_defaults`` says.
        commands: The parsers of its subcommands.
        command_dest: The name under which the subcommand can be read.
        more: It knows options that are not known from its text.
    """

    options: list[Option] = field(default_factory=list)
    presets: dict[str, object] = field(default_factory=dict)
    commands: dict[str, Parser] = field(default_factory=dict)
    command_dest: str = ""
    more: bool = False


class Terms(Protocol):
    """How words become values."""

    unknown: object

    def convert(self, option: Option, word: str) -> object:
        """Apply ``type=`` to a word."""

    def several(self, values: list[object]) -> object:
        """Make the list of an option with ``nargs``."""

    def added(self, option: Option, before: object, values: list[object]) -> object:
        """Add to what an option with ``append`` or ``extend`` has been given before."""

    def perhaps(self, value: object) -> object:
        """A value that the command line may have replaced."""


def name_option(flags: Sequence[str], dest: object, action: str, default: object) -> Option:
    """Make an option from what ``add_argument`` is given.

    Args:
        flags: Its names, at least one.
        dest: The name under which it can be read, where that is given as a text.
        action: What it does.
        default: Its default, or :data:`ABSENT`.

    Returns:
        The option, its other settings left as they are without them.

    Example:
        >>> option = name_option(["-q", "--quick-run"], None, "store_true", ABSENT)
        >>> option.dest, option.default
        ('quick_run', False)
    """
    long = next((flag for flag in flags if flag.startswith("--")), flags[0])
    name = dest if isinstance(dest, str) else long.lstrip("-").replace("-", "_")
    return Option(name, tuple(flags), _DEFAULTS.get(action) if default is ABSENT else default, action)


def parse_words(parser: Parser, words: Sequence[str] | None, terms: Terms) -> dict[str, object]:
    """Parse a command line as the parser would; options that it does not know are passed over.

    Args:
        parser: The parser.
        words: The words after the script, or ``None`` if they are not known.
        terms: How words become values.

    Returns:
        For each name the given value, else the default.
    """
    found: dict[str, object] = {}
    for option in parser.options:
        if option.dest not in found:  # of several options with one name the first says the default
            found[option.dest] = parser.presets.get(option.dest, _default(option, terms))
    found.update({k: v for k, v in parser.presets.items() if k not in found})
    if words is None:
        for option in parser.options:
            found[option.dest] = terms.perhaps(found[option.dest])
        return found
    positional = [option for option in parser.options if not option.flags[0].startswith("-")]
    at, only_positional = 0, False
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            only_positional = True
        elif not only_positional and word.startswith("-") and len(word) > 1 and not _is_number(word):
            at = _take_flag(parser, found, words, at, terms)
        elif positional:
            option = positional.pop(0)
            at = _take(found, option, words, at - 1, terms)
        elif parser.commands:
            if parser.command_dest:
                found[parser.command_dest] = word
            if (inner := parser.commands.get(word)) is not None:
                found.update(parse_words(inner, words[at:], terms))
            return found
    if parser.commands and parser.command_dest:
        found.setdefault(parser.command_dest, None)
    return found


def _default(option: Option, terms: Terms) -> object:
    """The value of an argument that is not given; argparse converts defaults that are texts."""
    if isinstance(option.default, str):
        return terms.convert(option, option.default)
    if option.flags[0][0] == "-" or option.nargs in ("?", "*") or option.default is not None:
        return option.default
    return terms.unknown  # a positional that must be given


def _is_number(word: str) -> bool:
    """Whether a word that starts with a dash is a negative number."""
    return word[1:].replace(".", "", 1).isdecimal()


def _take_flag(parser: Parser, found: dict[str, object], words: Sequence[str], at: int, terms: Terms) -> int:
    """Read one option and its values; gives the place of the next word."""
    name, equals, attached = words[at - 1].partition("=")
    option = _find(parser, name)
    if option is None and not name.startswith("--") and len(name) > 2:  # -ofile
        option, equals, attached = _find(parser, name[:2]), "=", words[at - 1][2:]
    if option is None:
        return at
    if option.action in ("store_true", "store_false"):
        found[option.dest] = option.action == "store_true"
    elif option.action == "BooleanOptionalAction":
        found[option.dest] = not name.startswith("--no-")
    elif option.action in ("store_const", "count", "append_const"):
        found[option.dest] = option.const if option.action == "store_const" else terms.unknown
    elif equals:
        _store(found, option, [attached], terms)
    else:
        return _take(found, option, words, at, terms)
    return at


def _find(parser: Parser, name: str) -> Option | None:
    """The option of a flag, also by an unambiguous abbreviation."""
    exact = [option for option in parser.options if name in option.flags]
    if exact or not name.startswith("--"):
        return exact[0] if exact else None
    plain = "--" + name[5:] if name.startswith("--no-") else name
    negated = [o for o in parser.options if o.action == "BooleanOptionalAction" and plain in o.flags]
    close = [option for option in parser.options if any(flag.startswith(name) for flag in option.flags)]
    return negated[0] if negated else close[0] if len(close) == 1 else None


def _take(found: dict[str, object], option: Option, words: Sequence[str], at: int, terms: Terms) -> int:
    """Read the values of an option from ``at`` on; gives the place after them."""
    end = at
    wide = option.nargs in ("*", "+") or isinstance(option.nargs, int)
    limit = option.nargs if isinstance(option.nargs, int) else len(words) if wide else 1
    while end < len(words) and end - at < limit and (not words[end].startswith("-") or _is_number(words[end])):
        end += 1
    if end == at:
        found[option.dest] = option.const if option.nargs == "?" else terms.unknown
        return at
    _store(found, option, list(words[at:end]), terms)
    return end


def _store(found: dict[str, object], option: Option, given: list[str], terms: Terms) -> None:
    """Convert and keep the values of an option."""
    values = [terms.convert(option, word) for word in given]
    listed = option.nargs in ("*", "+") or isinstance(option.nargs, int)
    value = terms.several(values) if listed else values[0]
    if option.action in ("append", "extend"):
        value = terms.added(option, found.get(option.dest), values if option.action == "extend" else [value])
    found[option.dest] = value
