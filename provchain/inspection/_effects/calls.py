"""Calls and attributes: of objects of the run, of library objects, of plain values."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable

from provchain.inspection._effects.arguments import (
    CLI_RUNNERS,
    PARSER_METHODS,
    Parser,
    parser_method,
    signature_arguments,
)
from provchain.inspection._effects.builtin import (
    DICT_METHODS,
    LIST_METHODS,
    VALUE_FUNCTIONS,
    dict_method,
    list_method,
)
from provchain.inspection._effects.evaluator import Evaluator
from provchain.inspection._effects.files import FILE_FUNCTIONS, PATH_METHODS, path_attribute, path_method
from provchain.inspection._effects.outside import command_call, outside_call, pretrained
from provchain.inspection._effects.paths import WILD
from provchain.inspection._effects.report import Report
from provchain.inspection._effects.sinks import METHOD_NAMES, sink_function, sink_method
from provchain.inspection._effects.strings import STRING_METHODS, format_with, string_method
from provchain.inspection._effects.values import (
    CAP,
    MISSING,
    UNKNOWN,
    Bound,
    Call,
    ClassValue,
    DictValue,
    Draft,
    External,
    FileValue,
    Function,
    Instance,
    Join,
    Lazy,
    ListValue,
    Many,
    ModuleValue,
    Opaque,
    Partial,
    PathValue,
    Scope,
    Site,
    Super,
    alternatives,
    lift,
    many,
)
from provchain.model import Role

__all__ = ["Caller"]

_CONSTANTS: dict[str, object] = {
    "os.sep": "/",
    "os.path.sep": "/",
    "os.curdir": ".",
    "os.pardir": "..",
    "sys.executable": "python",
    "os.devnull": Opaque("io.devnull"),
    "sys.stdout": Opaque("sys.stdout"),
    "sys.stderr": Opaque("sys.stderr"),
}
_NOT_CALLED_BACK = frozenset({"print", "isinstance", "issubclass", "hasattr", "type", "callable", "id", "super"})


class Caller(Evaluator):
    """Works out calls and attributes; what a function of the run does is the machine's to say."""

    def __init__(self, home: str, cwd: str, argv: tuple[str, ...]) -> None:
        super().__init__()
        self.home, self.cwd, self.argv = home, cwd, argv
        self.report = Report(home)
        self.hot: set[str] = set()  # words of calls that touch files or change objects
        self.changing: set[str] = set()  # functions of the run that only change objects
        self.emitting: set[str] = set()  # those that touch files
        self.doubt = 0
        self.hint = ""

    # --------------------------------------------------------------------------------------- supplied by the machine

    @abstractmethod
    def run_function(
        self, function: Function, args: list[object], kwargs: dict[str, object], *, open_ended: bool
    ) -> object:
        """Run a function of the run."""

    @abstractmethod
    def instantiate(
        self, cls: ClassValue, args: list[object], kwargs: dict[str, object], site: Site, *, open_ended: bool
    ) -> object:
        """Make an object of a class of the run."""

    @abstractmethod
    def load_module(self, name: str, site: Site) -> object:
        """Import a module by its dotted name."""

    @abstractmethod
    def superclass(self, scope: Scope) -> object:
        """What ``super()`` stands for."""

    @abstractmethod
    def content(self, path: str) -> str | None:
        """The text of a file of the run, if it is known."""

    @abstractmethod
    def in_run(self, text: str) -> bool:
        """Whether a path lies among the files of the run, or was written by it."""

    # -------------------------------------------------------------------------------------------- what a Host offers

    @property
    def unsure(self) -> bool:
        """Whether the statement at hand may not run."""
        return self.doubt > 0

    def emit(self, mode: str, value: object, how: str, site: Site, role: Role | None = None) -> list[Draft]:
        """Report a file effect."""
        return self.report.add(mode, self.force(value), how, site, role=role, cwd=self.cwd)

    def copy(self, source: object, target: object, how: str, site: Site) -> None:
        """Report that a file is copied."""
        self.report.copy(self.force(source), self.force(target), how, site, self.cwd)

    def outside(self, what: str) -> None:
        """Report something loaded from outside the study."""
        self.report.external.setdefault(what)

    def command(self, site: Site, words: tuple[str, ...] | str) -> None:
        """Report a command that is started."""
        self.report.commands.setdefault((site.path, site.line, words))

    # ---------------------------------------------------------------------------------------------------- attributes

    def attribute(self, target: object, name: str) -> object:
        """Take an attribute of a value; a method comes with its object."""
        if isinstance(target, Instance):
            return self._instance_attribute(target, name)
        if isinstance(target, ModuleValue):
            found = target.env.get(name, MISSING)
            return (
                found
                if found is not MISSING
                else self.load_module(name, Site(target.path, 0))
                if target.path.endswith("/")
                else UNKNOWN
            )
        if isinstance(target, External):
            dotted = f"{target.name}.{name}"
            if dotted == "sys.argv":
                return ListValue([self.script_name(), *self.argv], fixed=True)
            return _CONSTANTS[dotted] if dotted in _CONSTANTS else External(dotted)
        if isinstance(target, PathValue):
            found = path_attribute(target, name)
            return Bound(target, None, name) if found is MISSING else found
        if isinstance(target, ClassValue):
            return self._class_attribute(target, target, name)
        if isinstance(target, Super):
            above = [one.env[name] for one in self.lineage(target.below)[1:] if name in one.env]
            if above and isinstance(above[0], Function):
                return Bound(target.target, above[0], name)
            return above[0] if above else Bound(UNKNOWN, None, name)
        if isinstance(target, str) and name == "value":
            return target
        if isinstance(target, (Function, ClassValue)) and name == "__name__":
            return target.name
        if isinstance(target, FileValue) and name == "name":
            return target.text
        if isinstance(target, Opaque) and target.attrs and name in target.attrs:
            return target.attrs[name]
        if isinstance(target, Bound) and target.function is None:
            target = UNKNOWN
        if isinstance(target, Many):
            return many([self.force(self.attribute(one, name)) for one in target.values])
        return Bound(target, None, name)

    def script_name(self) -> str:
        """``sys.argv[0]``."""
        return WILD

    def _instance_attribute(self, target: Instance, name: str) -> object:
        """An attribute of an object of the run, or a namespace."""
        if name in target.attrs:
            return target.attrs[name]
        if target.cls is None:
            if name in DICT_METHODS or name in ("__dict__", "to_dict"):
                return DictValue(target.attrs, target.more) if name == "__dict__" else Bound(target, None, name)
            return UNKNOWN if target.more else MISSING
        if name == "__dict__":
            return DictValue(target.attrs, target.more)
        if name == "__class__":
            return target.cls
        return self._class_attribute(target.cls, target, name)

    def _class_attribute(self, cls: ClassValue, target: object, name: str) -> object:
        """Find a name in a class and its bases, and bind it to the object it was asked of."""
        if name == "__name__":
            return cls.name
        for one in self.lineage(cls):
            if name not in one.env:
                continue
            found = one.env[name]
            if not isinstance(found, Function):
                return found
            if "staticmethod" in found.marks:
                return found
            if found.marks & {"property", "cached_property"} and isinstance(target, Instance):
                return self.run_function(found, [target], {}, open_ended=False)
            if "classmethod" in found.marks:
                return Bound(target.cls if isinstance(target, Instance) else target, found, name)
            return Bound(target, found, name) if isinstance(target, Instance) else found
        return Bound(target, None, name)

    def lineage(self, cls: ClassValue) -> list[ClassValue]:
        """A class and its bases of the run, nearest first."""
        found: list[ClassValue] = []
        waiting: list[object] = [cls]
        while waiting and len(found) < 32:
            one = self.force(waiting.pop(0))
            if isinstance(one, ClassValue) and one not in found:
                found.append(one)
                waiting = [*one.bases, *waiting]
        return found

    # --------------------------------------------------------------------------------------------------------- calls

    def call_node(self, node: ast.Call, scope: Scope, *, now: bool) -> object:
        """Work a call out, or leave it lazy where no file can depend on it but through its result."""
        function = node.func
        if type(function) is ast.Name and function.id == "super" and not node.args:
            return self.superclass(scope)
        if type(function) is ast.Name and function.id in ("globals", "locals"):
            return DictValue(dict(scope.module.env if function.id == "globals" else scope.env), more=True)
        targets: list[object] = []
        if type(function) is ast.Attribute:
            seen = (
                scope.seen.get((function.value.id, function.attr))
                if scope.seen and type(function.value) is ast.Name
                else None
            )
            if seen is not None:
                targets.append(self.force(seen))
            else:
                owner = self.force(self.eval(function.value, scope))
                targets += [
                    self.force(self.attribute(one, function.attr)) for one in alternatives(owner) if one is not None
                ]
        else:
            targets.append(self.force(self.eval(function, scope)))
        known = [one for target in targets for one in alternatives(target)]
        if not now and known and all(self._can_wait(one) for one in known) and not self._hands_over(node):
            return Lazy(node, Scope(dict(scope.env), scope.module, scope.outer, scope.function, scope.seen))
        args, kwargs, open_ended = self._arguments(node, scope)
        site = Site(scope.module.path, node.lineno, self.hint)
        if len(known) > 1:
            self.doubt += 1
        results = [
            self._call_one(target, list(args), dict(kwargs), site, open_ended=open_ended) for target in known[:CAP]
        ]
        if len(known) > 1:
            self.doubt -= 1
            return many([self.force(result) for result in results])
        return results[0] if results else UNKNOWN

    def _can_wait(self, target: object) -> bool:
        """Whether a call of the run matters only through its result."""
        inner = target.function if isinstance(target, Bound) else target
        return isinstance(inner, (Function, ClassValue)) and not self.matters(target)

    def matters(self, target: object) -> bool:
        """Whether a callable of the run can touch files, or change objects that name files."""
        if isinstance(target, Partial):
            return True
        if isinstance(target, Instance):
            return target.cls is not None and not self.hot.isdisjoint(("__call__", "forward"))
        inner = target.function if isinstance(target, Bound) else target
        return isinstance(inner, (Function, ClassValue)) and (inner.name in self.hot or inner.name == "<lambda>")

    def _hands_over(self, node: ast.Call) -> bool:
        """Whether a call is given a function that matters."""
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        return any(isinstance(one, ast.Lambda) or (isinstance(one, ast.Name) and one.id in self.hot) for one in given)

    def _arguments(self, node: ast.Call, scope: Scope) -> tuple[list[object], dict[str, object], bool]:
        """The arguments of a call, and whether a star hides further ones."""
        args: list[object] = []
        kwargs: dict[str, object] = {}
        open_ended = False
        for item in node.args:
            if isinstance(item, ast.Starred):
                items, more = self.elements(self.eval(item.value, scope))
                args += items
                open_ended |= more
            else:
                args.append(self.eval(item, scope))
        for keyword in node.keywords:
            if keyword.arg is not None:
                kwargs[keyword.arg] = self.eval(keyword.value, scope)
                continue
            value = self.force(self.eval(keyword.value, scope))
            if isinstance(value, DictValue):
                kwargs.update({key: item for key, item in value.entries.items() if isinstance(key, str)})
                open_ended |= value.more
            else:
                open_ended = True
        return args, kwargs, open_ended

    def call(self, target: object, args: list[object], kwargs: dict[str, object], site: Site) -> object:
        """Call a value."""
        results = [self._call_one(one, list(args), dict(kwargs), site) for one in alternatives(self.force(target))]
        return many([self.force(result) for result in results])

    def _call_one(
        self, target: object, args: list[object], kwargs: dict[str, object], site: Site, *, open_ended: bool = False
    ) -> object:
        """Call one value without alternatives."""
        if isinstance(target, Function):
            return self.run_function(target, args, kwargs, open_ended=open_ended)
        if isinstance(target, ClassValue):
            return self.instantiate(target, args, kwargs, site, open_ended=open_ended)
        if isinstance(target, Partial):
            return self.call(target.target, [*target.args, *args], {**target.kwargs, **kwargs}, site)
        if isinstance(target, Bound):
            if target.function is not None:
                return self.run_function(target.function, [target.target, *args], kwargs, open_ended=open_ended)
            return self._method(target, Call(self, target.name, args, kwargs, site, open_ended))
        if isinstance(target, External):
            return self._external(Call(self, target.name, args, kwargs, site, open_ended))
        if isinstance(target, Instance) and target.cls is not None:
            for name in ("__call__", "forward"):
                method = self.attribute(target, name)
                if isinstance(method, Bound) and method.function is not None:
                    return self.run_function(method.function, [target, *args], kwargs, open_ended=open_ended)
        self._call_back(Call(self, "", args, kwargs, site))
        return UNKNOWN

    def _external(self, call: Call) -> object:
        """Call a function or class from outside the run."""
        name = call.name
        if name in ("argparse.ArgumentParser", "configargparse.ArgParser", "argparse.ArgumentDefaultsHelpFormatter"):
            return Parser()
        if name in CLI_RUNNERS and call.args and isinstance(main := call.arg(0), Function):
            return self.run_function(main, [], signature_arguments(call, main, self.argv), open_ended=False)
        for table in (VALUE_FUNCTIONS, FILE_FUNCTIONS):
            function: Callable[[Call], object] | None = table.get(name)
            if function is not None:
                return function(call)
        if name.startswith("os.environ"):
            return UNKNOWN
        for model in (sink_function, command_call, outside_call):
            result = model(call)
            if result is not MISSING:
                if model is sink_function:
                    outside_call(call)
                return result
        if name.endswith(".from_pretrained"):
            return pretrained(call)
        if name not in _NOT_CALLED_BACK:
            self._call_back(call)
        last = name.rpartition(".")[2]
        if (
            last in METHOD_NAMES
            and not last[:1].isupper()
            and (done := sink_method(call, UNKNOWN, last)) is not MISSING
        ):
            return done
        made = Opaque(name)
        if last[:1].isupper():  # an object that most likely keeps its settings (``TrainingArguments(output_dir=...)``)
            made.attrs = dict(call.kwargs)
        return made

    def _method(self, bound: Bound, call: Call) -> object:
        """Call a method of something that is not an object of the run."""
        target, name = bound.target, bound.name
        if isinstance(target, Parser):
            return parser_method(call, target, name) if name in PARSER_METHODS else UNKNOWN
        if isinstance(target, PathValue):
            return path_method(call, target, name) if name in PATH_METHODS else UNKNOWN
        if isinstance(target, str):
            return self._text_method(call, target, name)
        if isinstance(target, Instance) and target.cls is None:
            target = DictValue(target.attrs, target.more)
        if isinstance(target, DictValue):
            return dict_method(call, target, name) if name in DICT_METHODS else UNKNOWN
        if isinstance(target, ListValue):
            return list_method(call, target, name) if name in LIST_METHODS else UNKNOWN
        if isinstance(target, FileValue):
            return (
                WILD
                if name in ("read", "readline")
                else ListValue([WILD], more=True)
                if name == "readlines"
                else UNKNOWN
            )
        if name == "from_pretrained":
            owner = target.name if isinstance(target, ClassValue) else ""
            call.name = f"{owner}.from_pretrained" if owner else name
            return pretrained(call)
        if isinstance(target, Opaque) and target.kind.endswith("ConfigParser") and name == "read":
            call.name = "configparser.read"
            return sink_function(call)
        if name in METHOD_NAMES:
            result = sink_method(call, target, name)
            if result is not MISSING:
                return result
        if not name.startswith("assert"):
            call.name = name
            self._call_back(call)
        return UNKNOWN

    def _text_method(self, call: Call, text: str, name: str) -> object:
        """Call a method of a text."""
        args = [self.deep(self.force(arg)) for arg in call.args]
        if name == "format":
            return format_with(text, args, {key: self.force(value) for key, value in call.kwargs.items()})
        if name == "format_map":
            known = args[0] if args else UNKNOWN
            return format_with(
                text, [], {str(k): v for k, v in known.entries.items()} if isinstance(known, DictValue) else {}
            )
        if name not in STRING_METHODS:
            return UNKNOWN
        return lift(lambda *plain: string_method(text, name, plain), *args)

    def _call_back(self, call: Call) -> None:
        """Call the functions of the run that are handed to something outside it."""
        given: list[tuple[object, list[object]]] = []
        for position, arg in enumerate(call.args):
            value = self.force(arg) if isinstance(arg, (Join, Lazy)) and not _is_heavy(arg) else arg
            if isinstance(value, (Function, Partial)) or (isinstance(value, Bound) and value.function is not None):
                given.append((value, self._handed(call, position)))
        for key, arg in call.kwargs.items():
            value = arg
            if isinstance(value, (Function, Partial)) or (isinstance(value, Bound) and value.function is not None):
                args = self.elements(call.kwargs["args"])[0] if key == "target" and "args" in call.kwargs else []
                given.append((value, args))
        for function, args in given:
            self.doubt += 1
            self.call(function, args, {}, call.site)
            self.doubt -= 1

    def _handed(self, call: Call, position: int) -> list[object]:
        """What the function at a position will be called with."""
        name = call.name.rpartition(".")[2]
        rest = call.args[position + 1 :]
        if name in ("submit", "run_in_executor", "spawn", "call_soon", "register"):
            return rest
        if name in ("map", "imap", "imap_unordered", "starmap") and rest:
            items, more = self.elements(rest[0])
            joined = many([*(self.force(item) for item in items[: CAP + 1]), *([UNKNOWN] if more else [])])
            return self.elements(joined)[0] if name == "starmap" else [joined]
        if name in ("apply", "apply_async") and rest:
            return self.elements(rest[0])[0]
        return []


def _is_heavy(value: object) -> bool:
    """Whether working a value out may run functions of the run."""
    return (
        isinstance(value, Lazy)
        and value.node is not None
        and not isinstance(value.node, (ast.Name, ast.Attribute, ast.Lambda))
    )
