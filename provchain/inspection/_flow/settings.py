"""What a command line and an environment make of a script's settings, as far as the record says it.

A variable that the record does not set is unknown, not unset: whatever started the command may have set it.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from provchain.inspection._flow.exact import UNSURE, Fleeting, all_same, of_text, truth
from provchain.inspection._flow.machine import Arguments, Frame
from provchain.inspection._flow.outside import Outside
from provchain.inspection._flow.values import Extern, Func, Obj, Value
from provchain.inspection.argument_parsing import ABSENT, Option, Parser, name_option, parse_words
from provchain.inspection.modules import SourceTree

__all__ = ["Settings"]

_PARSERS = ("argparse.ArgumentParser",)
_FROM_ELSEWHERE = frozenset({"parents", "argument_default", "fromfile_prefix_chars", "prefix_chars"})
_PARSES = ("parse_args", "parse_known_args", "parse_intermixed_args")
_GROUPS = ("add_argument_group", "add_mutually_exclusive_group", "add_subparsers")
_ENVIRONMENT = ("os.environ", "os.environb")
_READS = ("index", "count", "copy", "get", "items", "keys", "values")
_INERT = frozenset({"print_help", "print_usage", "format_help", "format_usage", "error", "exit", "register"})


class Settings(Outside):
    """Arguments and the environment."""

    def __init__(self, tree: SourceTree) -> None:
        super().__init__(tree)
        self.argv: tuple[str, ...] | None = None  # the words after the script
        self.environment: Mapping[str, str] = {}
        self.missing_modules: frozenset[str] = frozenset()
        self.caught: frozenset[tuple[str, int]] = frozenset()
        self.parsers: dict[Value, Parser] = {}
        self._added: dict[object, Option] = {}
        self._own_environment: set[object] = set()  # variables that the scripts set themselves

    def set_up(
        self,
        argv: Sequence[str] | None,
        environment: Mapping[str, str],
        missing: frozenset[str],
        caught: frozenset[tuple[str, int]],
    ) -> None:
        """Say how the script was started.

        Args:
            argv: The words after the script, or ``None`` if they are not known.
            environment: The variables that the command sets.
            missing: Modules that cannot be imported.
            caught: Path and line of handlers that ran.
        """
        self.caught = caught
        before = ("", *(argv or ()))
        # an expansion that is no option's value can stand for any number of words
        loose = any(
            _expands(word.partition("=")[0]) and (word.startswith("-") or not last.startswith("-"))
            for last, word in zip(before, argv or (), strict=False)
        )
        self.argv = None if argv is None or loose else tuple(argv)
        self.environment = {name: value for name, value in environment.items() if not _expands(value)}
        self.missing_modules = missing

    def is_missing(self, name: str) -> bool:
        """Tell whether a module, or a package that holds it, cannot be imported."""
        parts = name.split(".")
        return any(".".join(parts[:n]) in self.missing_modules for n in range(1, len(parts) + 1))

    # what the system says

    def extern_exact(self, name: str) -> object:
        """Return the constant that a name of a library is."""
        if name == "sys.argv" and self.argv is not None:
            return (UNSURE, *(UNSURE if _expands(word) else word for word in self.argv))
        return UNSURE

    def forget_extern(self, value: Value, key: object = UNSURE) -> None:
        """Note that the scripts change what the system says."""
        name = self._only_name(value)
        if name == "sys.argv":
            self.argv = None
        elif name in _ENVIRONMENT and key not in self._own_environment:
            self._own_environment.add(key)
            self.domain.touch()

    def changed_by_method(self, target: Value, name: str, args: Arguments) -> None:
        """Note that a method changes what the system says: ``os.environ.update``, ``sys.argv.remove``."""
        if self._only_name(target) in ("sys.argv", *_ENVIRONMENT) and name not in _READS:
            self.forget_extern(target, args.exact(0) if name in ("setdefault", "pop") else UNSURE)

    def variable_exact(self, name: object) -> object:
        """Return the value of a variable of the environment."""
        if not isinstance(name, str) or UNSURE in self._own_environment or name in self._own_environment:
            return UNSURE
        return self.environment.get(name, UNSURE)

    def is_set(self, name: object, container: Value, op: ast.cmpop) -> object:
        """Tell whether a variable of the environment is set, for ``name in os.environ``."""
        if self._only_name(container) not in _ENVIRONMENT or self.variable_exact(name) is UNSURE:
            return UNSURE
        return isinstance(op, ast.In)

    def item_exact(self, base: Value, items: object, key: object) -> object:
        """Return the constant that stands under a key of a container."""
        if key is UNSURE:
            return UNSURE
        if isinstance(items, tuple):
            inside = isinstance(key, int) and -len(items) <= key < len(items)
            return items[key] if inside and isinstance(key, int) else UNSURE
        if self._only_name(base) in _ENVIRONMENT:
            return self.variable_exact(key)
        if not isinstance(key, (str, int)) or not base or base & ~self.domain.refs or base.bit_count() > 8:
            return UNSURE
        return all_same(atom.exact(key) if isinstance(atom, Obj) else UNSURE for atom in self.domain.refs_of(base))

    def _only_name(self, value: Value) -> str:
        """Return the name of a library that a value is, if it is nothing else."""
        if value.bit_count() != 1 or not value & self.domain.refs:
            return ""
        atom = self.domain.atoms[value.bit_length() - 1]
        return atom.name if isinstance(atom, Extern) else ""

    # calls

    def method_exact(self, target: Value, itself: object, name: str, args: Arguments) -> object:
        """Return the constant that a method of a text, a dictionary or a library gives."""
        if isinstance(itself, str):
            return of_text(itself, name, [args.exact(place) for place in range(len(args.positional))])
        if name == "get" and self._only_name(target) in _ENVIRONMENT:
            return self.variable_exact(args.exact(0, "key"))
        if name == "get":
            return self._got(target, args)
        library = self._only_name(target)
        return self.library_exact(f"{library}.{name}", args) if library else UNSURE

    def function_exact(self, callee: Value, args: Arguments) -> object:
        """Return the constant that a function of a library gives."""
        name = self._only_name(callee)
        return self.library_exact(name, args) if name else UNSURE

    def library_exact(self, name: str, args: Arguments) -> object:
        """Return the constant that a call of a library gives, by the name of what is called."""
        if name in ("os.getenv", "os.environ.get"):
            return self.variable_exact(args.exact(0, "key"))
        if name == "importlib.util.find_spec":
            module = args.exact(0, "name")
            return None if isinstance(module, str) and self.is_missing(module) else UNSURE
        first, second = args.exact(0), args.exact(1)
        if name == "builtins.getattr":
            return self.attribute_exact(args.get(0), second) if isinstance(second, str) else UNSURE
        if first is UNSURE or args.named:
            return UNSURE
        if name == "builtins.bool":
            return truth(first)
        if name == "builtins.str":
            return first if isinstance(first, str) else UNSURE
        if name in ("builtins.int", "builtins.float") and len(args.positional) == 1:
            return _number(first, name)
        return len(first) if name == "builtins.len" and isinstance(first, (tuple, str)) else UNSURE

    def attribute_exact(self, value: Value, name: str) -> object:
        """Return the constant that an attribute is, whichever of its objects a value is."""
        raise NotImplementedError

    def _got(self, target: Value, args: Arguments) -> object:
        """``settings.get(key, default)``."""
        key = args.exact(0)
        if not isinstance(key, str) or not target or target & ~self.domain.refs or target.bit_count() > 8:
            return UNSURE
        default = args.exact(1, "default") if args.given(1, "default") else None
        found = []
        for atom in self.domain.refs_of(target):
            if not isinstance(atom, Obj) or atom.kind != "dict":
                return UNSURE
            if key in atom.fields or atom.loose:
                found.append(atom.exact(key))
            else:  # whoever puts something in later contradicts what was read here
                atom.known[key] = UNSURE
                found.append(default)
        return all_same(found)

    # argument parsers

    def setting(self, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call something that only says how the program is set up."""
        value = super().setting(name, args, node, frame)
        for atom in self.domain.refs_of(value if name in _PARSERS else 0):
            if isinstance(atom, Obj):
                parser = self.parsers.setdefault(atom.bit, Parser())
                elsewhere = not _FROM_ELSEWHERE.isdisjoint(args.named)
                parser.more = parser.more or args.spread or elsewhere  # it knows more than is seen here
        return value

    def extern_method(self, obj: Obj, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call a method of a library's object, an open file or a figure."""
        found = self.parser_method(obj, name, args, node, frame) if obj.type in _PARSERS else None
        return super().extern_method(obj, name, args, node, frame) if found is None else found

    def parser_method(self, obj: Obj, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value | None:
        """Call a method of an argument parser; ``None`` if it is an ordinary one."""
        parser = self.parsers.setdefault(obj.bit, Parser())
        if name == "add_argument":
            self._add_argument(parser, obj, args, node, frame)
            return None
        if name == "add_parser":
            return self._subcommand(parser, obj, args, node, frame)
        if name == "add_subparsers":
            dest = args.known.get("dest", "")
            parser.command_dest = dest if isinstance(dest, str) else ""
        elif name == "set_defaults":
            parser.more = parser.more or args.spread
            for key in args.named:
                parser.presets[key] = args.known.get(key, UNSURE)
        elif name in _PARSES:
            return self._parsed(parser, obj, args, node, frame)
        elif name not in _GROUPS and name not in _INERT:
            parser.more = True
        return None

    def _add_argument(self, parser: Parser, obj: Obj, args: Arguments, node: ast.AST, frame: Frame) -> None:
        flags = [args.exact(place) for place in range(len(args.positional))]
        names = [flag for flag in flags if isinstance(flag, str) and flag]
        if not names or len(names) < len(flags) or args.spread:
            parser.more = True
            return
        action = args.known.get("action", UNSURE if "action" in args.named else "store")
        what = action if isinstance(action, str) else self._only_name(args.named["action"]).rpartition(".")[2]
        default = args.known.get("default", UNSURE if "default" in args.named else ABSENT)
        option = name_option(names, args.known.get("dest"), what, default)
        for setting in ("nargs", "const"):
            if setting in args.named:
                setattr(option, setting, args.known.get(setting, UNSURE))
        option.kind = self._only_name(args.named["type"]) if "type" in args.named else "builtins.str"
        if not what or option.nargs is UNSURE or ("dest" in args.named and "dest" not in args.known):
            parser.more = True
        self._note_option(parser, (id(node), frame.key, obj.bit), option)

    def _note_option(self, parser: Parser, key: object, option: Option) -> None:
        """Add an option once; if it looks different when it is met again, it is not known."""
        known = self._added.get(key)
        if known is None:
            self._added[key] = option
            parser.options.append(option)
        elif known != option:
            parser.more = True

    def _subcommand(self, parser: Parser, obj: Obj, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        made = self.make("extern", node, frame, obj.type, "subcommand")
        self.domain.put(obj, made.bit)
        inner = self.parsers.setdefault(made.bit, Parser())
        title = args.exact(0, "name")
        if isinstance(title, str) and "aliases" not in args.named and "parents" not in args.named:
            parser.commands[title] = inner
        else:
            parser.more = True
        return made.bit

    def _parsed(self, parser: Parser, obj: Obj, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Make the namespace of a command line."""
        space = self.make("extern", node, frame, "", "namespace")
        self.domain.put(space, obj.content | obj.bit | args.joined(), "%given", named=True)
        words: object = self.argv
        if args.given(0, "args") and args.exact(0, "args") is not None:
            words = args.exact(0, "args")
        usable = not (parser.more or args.spread or "namespace" in args.named or len(args.positional) > 1)
        usable = usable and not any(inner.more for inner in parser.commands.values())
        given = words if usable and isinstance(words, tuple) else None
        plain = [word for word in given or () if isinstance(word, str)]
        found = parse_words(parser, plain if given is not None and len(plain) == len(given) else None, _Constants())
        for name, exact in found.items():
            self.domain.learn(space, name, exact, first=name not in space.fields)
            space.fields.setdefault(name, 0)
        return space.bit

    # commands by decorators

    def command_exact(self, func: Func, args: Arguments) -> dict[str, object]:
        """Return what the command line gives to a function that is a command by its decorators (``click``)."""
        parser = func.command
        if parser is None or parser.more or args.positional or args.named or args.spread:
            return {}
        return parse_words(parser, self.argv, _Constants())

    def command_option(self, func: Func, callee: Value, args: Arguments) -> None:
        """Note an option that a decorator adds to a function (``@click.option``)."""
        name = self._only_name(callee)
        if name not in ("click.option", "click.argument"):
            return
        parser = func.command = func.command or Parser()
        option = self._click_option(args)
        if option is None or (name == "click.argument" and any(o.flags[0][0] != "-" for o in parser.options)):
            parser.more = True
        elif option not in parser.options:
            parser.options.append(option)

    def _click_option(self, args: Arguments) -> Option | None:
        flags = [args.exact(place) for place in range(len(args.positional))]
        names = [flag for flag in flags if isinstance(flag, str) and flag]
        unseen = {"multiple", "callback", "envvar", "cls", "nargs", "flag_value", "prompt"}
        if not names or len(names) < len(flags) or args.spread or not unseen.isdisjoint(args.named):
            return None
        shown = [flag for flag in names if flag.startswith("-")]
        dest = next((flag for flag in names if not flag.startswith("-")), None)
        is_flag = args.known.get("is_flag", UNSURE if "is_flag" in args.named else False)
        on, both_ways, off = shown[0].partition("/") if shown else ("", "", "")
        if is_flag is UNSURE or (both_ways and (len(shown) > 1 or off.strip() != f"--no-{on.lstrip('-')}")):
            return None
        action = "BooleanOptionalAction" if both_ways else "store_true" if is_flag else "store"
        absent = False if is_flag or both_ways else None
        default = args.known.get("default", UNSURE if "default" in args.named else absent)
        option = name_option([on.strip()] if both_ways else shown or names, dest, action, default)
        option.dest = option.dest.lower().replace("-", "_")
        guessed = f"builtins.{type(default).__name__}" if isinstance(default, (int, float)) else "builtins.str"
        option.kind = self._kind(args.named["type"]) if "type" in args.named else guessed
        return option

    def _kind(self, value: Value) -> str:
        """Name what converts a word; a choice leaves it a text."""
        atoms = list(self.domain.refs_of(value))
        choice = len(atoms) == 1 and isinstance(atoms[0], Obj) and atoms[0].type == "click.Choice"
        return "builtins.str" if choice else self._only_name(value)


class _Constants:
    """What the words of a command line are as constants."""

    unknown: object = UNSURE

    def convert(self, option: Option, word: str) -> object:
        """Apply ``type=`` to a word."""
        if _expands(word):
            return UNSURE
        if option.kind in ("builtins.str", "str"):
            return word
        if option.kind in ("builtins.int", "builtins.float"):
            return _number(word, str(option.kind))
        return bool(word) if option.kind == "builtins.bool" else UNSURE

    def several(self, values: list[object]) -> object:
        """Make the list of an option with ``nargs``."""
        return Fleeting(values)

    def added(self, option: Option, before: object, values: list[object]) -> object:
        """Add to what an option has been given before."""
        del option, before, values
        return UNSURE

    def perhaps(self, value: object) -> object:
        """A value that the command line may have replaced."""
        del value
        return UNSURE


def _expands(word: str) -> bool:
    """Tell whether the shell would have put something else in the place of a word."""
    return any(mark in word for mark in "$`*")


def _number(value: object, name: str) -> object:
    """Convert a constant as ``int`` and ``float`` do."""
    if not isinstance(value, (bool, int, float, str)):
        return UNSURE
    try:
        return int(value) if name.endswith("int") else float(value)
    except (ValueError, OverflowError):
        return UNSURE
