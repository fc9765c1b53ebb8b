"""A model of ``argparse`` (and of ``click`` options): what a script's arguments are, given its command line."""

from __future__ import annotations

from dataclasses import dataclass, field

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

__all__ = ["CLI_RUNNERS", "PARSER_METHODS", "Option", "Parser", "parse_words", "parser_method", "signature_arguments"]


@dataclass(slots=True)
class Option:
    """One argument that a parser knows."""

    dest: str
    flags: tuple[str, ...]
    default: object = None
    action: str = "store"
    nargs: object = None
    const: object = None
    kind: object = MISSING


@dataclass(eq=False, slots=True)
class Parser:
    """A parser under construction."""

    options: list[Option] = field(default_factory=list)
    presets: dict[str, object] = field(default_factory=dict)
    commands: dict[str, Parser] = field(default_factory=dict)
    command_dest: str = ""
    more: bool = False


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
    named = call.arg(None, "dest")
    long = next((flag for flag in flags if flag.startswith("--")), flags[0])
    dest = named if isinstance(named, str) else long.lstrip("-").replace("-", "_")
    action = call.arg(None, "action")
    what = (
        action
        if isinstance(action, str)
        else action.name.rpartition(".")[2]
        if isinstance(action, External)
        else "store"
    )
    default = call.raw(None, "default")
    if default is MISSING:
        default = {"store_true": False, "store_false": True, "count": 0}.get(what)
    nargs, const = call.arg(None, "nargs"), call.arg(None, "const")
    parser.options.append(Option(dest, flags, default, what, nargs, const, call.arg(None, "type")))


def parse_words(call: Call, parser: Parser, words: tuple[str, ...] | None) -> Instance:
    """Parse a command line as the parser would; options that it does not know are passed over.

    Args:
        call: The call that parses.
        parser: The parser.
        words: The words after the script, or ``None`` if they are not known.

    Returns:
        The namespace: the given values, else the defaults.
    """
    space = Instance(None, {}, more=parser.more)
    for option in parser.options:
        space.attrs[option.dest] = parser.presets.get(option.dest, _default(call, option))
    space.attrs.update({k: v for k, v in parser.presets.items() if k not in space.attrs})
    if words is None:
        for option in parser.options:
            space.attrs[option.dest] = many([call.host.force(space.attrs[option.dest]), UNKNOWN])
        return space
    positional = [option for option in parser.options if not option.flags[0].startswith("-")]
    at, only_positional = 0, False
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            only_positional = True
        elif not only_positional and word.startswith("-") and len(word) > 1 and not _is_number(word):
            at = _take_flag(call, parser, space, words, at)
        elif positional:
            option = positional.pop(0)
            wide = option.nargs in ("*", "+") or isinstance(option.nargs, int)
            at = _take(call, space, option, words, at - 1, wide=wide)
        elif parser.commands:
            if parser.command_dest:
                space.attrs[parser.command_dest] = word
            if (inner := parser.commands.get(word)) is not None:
                space.attrs.update(parse_words(call, inner, words[at:]).attrs)
            return space
    if parser.commands and parser.command_dest:
        space.attrs.setdefault(parser.command_dest, None)
    return space


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


def _default(call: Call, option: Option) -> object:
    """The value of an argument that is not given; argparse converts defaults that are texts."""
    if isinstance(option.default, str):
        return _convert(call, option, option.default)
    if option.flags[0][0] == "-" or option.nargs in ("?", "*") or option.default is not None:
        return option.default
    return UNKNOWN  # a positional that must be given


def _is_number(word: str) -> bool:
    """Whether a word that starts with a dash is a negative number."""
    return word[1:].replace(".", "", 1).isdecimal()


def _take_flag(call: Call, parser: Parser, space: Instance, words: tuple[str, ...], at: int) -> int:
    """Read one option and its values; gives the place of the next word."""
    name, equals, attached = words[at - 1].partition("=")
    option = _find(parser, name)
    if option is None and not name.startswith("--") and len(name) > 2:  # -ofile
        option, equals, attached = _find(parser, name[:2]), "=", words[at - 1][2:]
    if option is None:
        return at
    if option.action in ("store_true", "store_false"):
        space.attrs[option.dest] = option.action == "store_true"
    elif option.action == "BooleanOptionalAction":
        space.attrs[option.dest] = not name.startswith("--no-")
    elif option.action in ("store_const", "count", "append_const"):
        space.attrs[option.dest] = option.const if option.action == "store_const" else UNKNOWN
    elif equals:
        _store(call, space, option, [attached])
    else:
        wide = option.nargs in ("*", "+") or isinstance(option.nargs, int)
        return _take(call, space, option, words, at, wide=wide)
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


def _take(call: Call, space: Instance, option: Option, words: tuple[str, ...], at: int, *, wide: bool) -> int:
    """Read the values of an option from ``at`` on; gives the place after them."""
    end = at
    limit = option.nargs if isinstance(option.nargs, int) else len(words) if wide else 1
    while end < len(words) and end - at < limit and (not words[end].startswith("-") or _is_number(words[end])):
        end += 1
    if end == at:
        space.attrs[option.dest] = option.const if option.nargs == "?" else UNKNOWN
        return at
    _store(call, space, option, list(words[at:end]))
    return end


def _store(call: Call, space: Instance, option: Option, given: list[str]) -> None:
    """Convert and keep the values of an option."""
    values = [_convert(call, option, word) for word in given]
    listed = option.nargs in ("*", "+") or isinstance(option.nargs, int)
    value: object = ListValue(list(values), fixed=True) if listed else values[0]
    if option.action in ("append", "extend"):
        before = space.attrs.get(option.dest)
        kept = before.items if isinstance(before, ListValue) and before is not option.default else []
        value = ListValue([*kept, *(values if option.action == "extend" else [value])])
    space.attrs[option.dest] = value


def _convert(call: Call, option: Option, word: str) -> object:
    """Apply ``type=`` to a word."""
    text = word if "$" not in word and "`" not in word else WILD
    if option.kind is MISSING:
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
