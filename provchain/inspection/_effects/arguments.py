"""A model of ``argparse`` (and of ``click`` options): what a script's arguments are, given its command line."""

from __future__ import annotations

from provchain.inspection._effects.paths import WILD
from provchain.inspection._effects.values import (
    MISSING,
    UNKNOWN,
    Call,
    External,
    Function,
    Instance,
    ListValue,
    PathValue,
    lift,
    many,
    texts,
)
from provchain.inspection.argument_parsing import ABSENT, Option, Parser, name_option
from provchain.inspection.argument_parsing import parse_words as parse_by

__all__ = ["CLI_RUNNERS", "PARSER_METHODS", "Option", "Parser", "parse_words", "parser_method", "signature_arguments"]


CLI_RUNNERS = frozenset({"typer.run", "fire.Fire", "tyro.cli", "jsonargparse.CLI", "defopt.run"})
PARSER_METHODS = frozenset(
    [
        "add_argument",
        "add_argument_group",
        "add_mutually_exclusive_group",
        "add_subparsers",
        "add_parser",
        "set_defaults",
        "parse_args",
        "parse_known_args",
        "parse_intermixed_args",
    ]
)


def parser_method(call: Call, parser: Parser, name: str) -> object:
    """Call a method of a parser."""
    if name == "add_argument":
        _add(call, parser)
        return UNKNOWN
    if name in ("add_argument_group", "add_mutually_exclusive_group"):
        return parser
    if name == "add_subparsers":
        dest = call.arg(None, "dest")
        parser.command_dest = dest if isinstance(dest, str) else ""
        return parser
    if name == "add_parser":
        inner = Parser()
        title = call.arg(0, "name")
        if isinstance(title, str):
            parser.commands[title] = inner
        else:
            parser.more = True
        return inner
    if name == "set_defaults":
        parser.presets.update(call.kwargs)
        return None
    if name in ("parse_args", "parse_known_args", "parse_intermixed_args"):
        namespace = parse_words(call, parser, _given(call))
        return namespace if name != "parse_known_args" else ListValue([namespace, ListValue([], more=True)], fixed=True)
    return UNKNOWN


def _given(call: Call) -> tuple[str, ...] | None:
    """The words to parse: those handed over, else those of the command line; ``None`` if they are not known."""
    value = call.arg(0, "args")
    if value is MISSING or value is None:
        return call.host.argv
    if isinstance(value, ListValue) and not value.more:
        return tuple(texts(call.host.force(item))[0] for item in value.items)
    return None


def _add(call: Call, parser: Parser) -> None:
    """``add_argument``."""
    flags = tuple(flag for arg in call.args if isinstance(flag := call.host.force(arg), str) and flag)
    if not flags:
        parser.more = True
        return
    action = call.arg(None, "action")
    what = (
        action
        if isinstance(action, str)
        else action.name.rpartition(".")[2]
        if isinstance(action, External)
        else "store"
    )
    default = call.raw(None, "default")
    option = name_option(flags, call.arg(None, "dest"), what, ABSENT if default is MISSING else default)
    option.nargs, option.const, option.kind = call.arg(None, "nargs"), call.arg(None, "const"), call.arg(None, "type")
    parser.options.append(option)


class _Values:
    """What the words of a command line are to the evaluation."""

    unknown: object = UNKNOWN

    def __init__(self, call: Call) -> None:
        self._call = call

    def convert(self, option: Option, word: str) -> object:
        """Apply ``type=`` to a word."""
        return _convert(self._call, option, word)

    def several(self, values: list[object]) -> object:
        """Make the list of an option with ``nargs``."""
        return ListValue(list(values), fixed=True)

    def added(self, option: Option, before: object, values: list[object]) -> object:
        """Add to what an option has been given before."""
        kept = before.items if isinstance(before, ListValue) and before is not option.default else []
        return ListValue([*kept, *values])

    def perhaps(self, value: object) -> object:
        """A value that the command line may have replaced."""
        return many([self._call.host.force(value), UNKNOWN])


def parse_words(call: Call, parser: Parser, words: tuple[str, ...] | None) -> Instance:
    """Parse a command line as the parser would; options that it does not know are passed over.

    Args:
        call: The call that parses.
        parser: The parser.
        words: The words after the script, or ``None`` if they are not known.

    Returns:
        The namespace: the given values, else the defaults.
    """
    return Instance(None, parse_by(parser, words, _Values(call)), more=parser.more)


def signature_arguments(call: Call, function: Function, words: tuple[str, ...]) -> dict[str, object]:
    """The arguments that a command line gives to a function whose signature is the interface (``typer``, ``fire``)."""
    parser = Parser()
    arguments = function.node.args
    for arg in (*arguments.args, *arguments.kwonlyargs):
        flags = [f"--{arg.arg.replace('_', '-')}", f"--{arg.arg}"]
        default = call.host.force(function.defaults.get(arg.arg, UNKNOWN))
        action = "BooleanOptionalAction" if isinstance(default, bool) else "store"
        kind = External("int") if isinstance(default, int) else External("str")
        parser.options.append(Option(arg.arg, tuple(flags), default, action, kind=kind))
        if arg.arg not in function.defaults:  # given by its place
            parser.options.append(Option(arg.arg, (arg.arg,), UNKNOWN, kind=kind))
    return parse_words(call, parser, words).attrs


def _convert(call: Call, option: Option, word: str) -> object:
    """Apply ``type=`` to a word."""
    text = word if "$" not in word and "`" not in word else WILD
    if option.kind is MISSING or option.kind is ABSENT:
        return text
    if isinstance(option.kind, External):
        if option.kind.name == "str":
            return text
        if option.kind.name in ("pathlib.Path", "pathlib.PurePath"):
            return PathValue(text)
        if option.kind.name == "bool":
            return bool(text) if text != WILD else UNKNOWN
        if option.kind.name == "argparse.FileType":
            return UNKNOWN
    return lift(lambda one: one, call.host.force(call.host.call(option.kind, [text], {}, call.site)))
