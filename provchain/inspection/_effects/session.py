"""One evaluation of one script: its modules, the functions it calls, and what was only mentioned, last."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Mapping

from provchain.inspection._effects.arguments import Parser, parse_words, parser_method
from provchain.inspection._effects.evaluator import OutOfBudget
from provchain.inspection._effects.heat import dotted_name, find_heat, label_of
from provchain.inspection._effects.machine import Machine
from provchain.inspection._effects.outline import FunctionOutline, ModuleOutline, outline_of
from provchain.inspection._effects.paths import HOME, resolve
from provchain.inspection._effects.statements import GOES_ON, Frame
from provchain.inspection._effects.values import (
    MISSING,
    UNKNOWN,
    Call,
    ClassValue,
    DictValue,
    External,
    Function,
    Instance,
    Join,
    ListValue,
    ModuleValue,
    Scope,
    Site,
    Super,
)
from provchain.inspection.modules import resolve_module

__all__ = ["Session"]

_DEPTH = 24  # calls inside calls; each takes a dozen frames of the interpreter that runs us
_RECORD_BASES = frozenset({"NamedTuple", "BaseModel", "Struct", "BaseSettings"})


class Session(Machine):
    """Evaluates one script of a source tree."""

    def __init__(self, tree: Mapping[str, str], script: str, argv: tuple[str, ...], cwd: str, root: str) -> None:
        home = posixpath.normpath(root) if root.startswith("/") else HOME
        super().__init__(home, posixpath.normpath(posixpath.join(home, cwd)), argv)
        self.tree, self.script = tree, script
        self.modules: dict[str, ModuleValue] = {}
        self.outlines: dict[str, ModuleOutline] = {}
        self.reached: dict[str, None] = {}
        self.ran: set[ast.AST] = set()
        self.sinking: set[str] = set()
        self._active: dict[ast.AST, int] = {}
        self._blurred: set[ast.AST] = set()
        self._instances: dict[ast.AST, Instance] = {}
        self._wide_search = any("sys.path" in text or "PYTHONPATH" in text for text in tree.values())
        self._found: dict[tuple[str, str, int], str | None] = {}

    def run(self, text: str) -> None:
        """Evaluate the script, whose text this is."""
        self._gather(text)
        self._heat()
        try:
            self.execute(self.script, text, "__main__")
            self._rest()
        except (OutOfBudget, RecursionError):
            pass  # what is known so far stands

    # ------------------------------------------------------------------------------------------------------- modules

    def _gather(self, text: str) -> None:
        """Outline the modules that the script can import."""
        waiting = [(self.script, text)]
        self.reached[self.script] = None
        while waiting and len(self.reached) < 512:
            path, source = waiting.pop(0)
            outline = outline_of(source)
            if outline is None:
                continue
            self.outlines[path] = outline
            for node, main_only in outline.imports:
                if main_only and path != self.script:
                    continue
                for found in self._imported(node, path):
                    if found not in self.reached:
                        self.reached[found] = None
                        waiting.append((found, self.tree[found]))

    def _imported(self, node: ast.Import | ast.ImportFrom, path: str) -> list[str]:
        """The files of the run that an import loads."""
        names: list[tuple[str, int]] = []
        for alias in node.names:
            if isinstance(node, ast.Import):
                parts = alias.name.split(".")
                names += [(".".join(parts[: end + 1]), 0) for end in range(len(parts))]
            else:
                names += [(node.module or "", node.level), (dotted_name(node.module, alias.name), node.level)]
        found = [self._find(path, name, level) for name, level in dict.fromkeys(names) if name or level]
        return [one for one in found if one is not None]

    def _find(self, importer: str, name: str, level: int) -> str | None:
        """The file of a module: as imports find it, else, with changed search paths, the only one of its name."""
        key = (posixpath.dirname(importer), name, level)
        if key in self._found:
            return self._found[key]
        path = resolve_module(self.tree, importer, name, level)
        if path is None and not level and self._wide_search and name:
            tail = name.replace(".", "/")
            ends = (f"/{tail}.py", f"/{tail}/__init__.py")
            close = [one for one in self.tree if f"/{one}".endswith(ends)]
            path = close[0] if len(close) == 1 else None
        self._found[key] = path
        return path

    def execute(self, path: str, text: str, name: str) -> ModuleValue:
        """Run a module's own statements, once."""
        if path in self.modules:
            return self.modules[path]
        place = posixpath.join(self.home, path)
        module = ModuleValue(path, {"__name__": name, "__file__": place, "__doc__": None})
        self.modules[path] = module
        outline = self.outlines.get(path)
        if outline is None:  # imported in a way that was not foreseen
            outline = outline_of(text)
            if outline is None:
                return module
            self.outlines[path] = outline
            self.reached.setdefault(path)
            self._heat()
        before = self.doubt, self.unrolled, self.hint
        self.doubt, self.unrolled, self.hint = 0, 1, ""
        frame = Frame(Scope(module.env, module), outline)
        self.frames.append(frame)
        try:
            self.block(outline.tree.body, frame)
        finally:
            self.frames.pop()
            self.doubt, self.unrolled, self.hint = before
        return module

    def _load(self, path: str) -> ModuleValue:
        """The module of a file of the run."""
        name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        return self.execute(path, self.tree[path], name)

    def load_module(self, name: str, site: Site) -> object:
        """Import a module by its dotted name."""
        importer, level = site.path, 0
        if importer.endswith("/"):
            importer, level = f"{importer}__init__.py", 1
        path = self._find(importer, name.lstrip("."), level)
        return self._load(path) if path is not None else UNKNOWN if level else External(name)

    def import_names(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        """Bind what an import brings."""
        importer = scope.module.path
        if isinstance(node, ast.Import):
            for alias in node.names:
                self._importdotted_name(alias, scope, importer)
            return
        name, level = node.module or "", node.level
        base = self._find(importer, name, level) if name or level else None
        module = self._load(base) if base is not None else None
        for alias in node.names:
            bound = alias.asname or alias.name
            if alias.name == "*":
                if module is not None:
                    scope.env.update({k: v for k, v in module.env.items() if not k.startswith("_")})
                continue
            if module is not None and alias.name in module.env:
                scope.env[bound] = module.env[alias.name]
                continue
            path = self._find(importer, dotted_name(name, alias.name), level)
            if path is not None:
                scope.env[bound] = self._load(path)
            elif module is not None or level:
                scope.env[bound] = UNKNOWN
            else:
                scope.env[bound] = External(f"{name}.{alias.name}")

    def _importdotted_name(self, alias: ast.alias, scope: Scope, importer: str) -> None:
        """``import a.b.c``, with or without ``as``."""
        parts = alias.name.split(".")
        paths = [self._find(importer, ".".join(parts[: end + 1]), 0) for end in range(len(parts))]
        if all(path is None for path in paths):
            scope.env[alias.asname or parts[0]] = External(alias.name if alias.asname else parts[0])
            return
        values: list[ModuleValue] = []
        for part, path in zip(parts, paths, strict=True):
            value = self._load(path) if path is not None else ModuleValue(f"{part}/")
            if values:
                values[-1].env[part] = value
            values.append(value)
        scope.env[alias.asname or parts[0]] = values[-1] if alias.asname else values[0]

    def _heat(self) -> None:
        """Find the words whose calls can touch files, or change objects that name files."""
        heat = find_heat([outline for path, outline in self.outlines.items() if path in self.reached])
        self.sinking, self.changing = heat.sinking, heat.changing
        self.emitting, self.hot = heat.emitting, heat.hot

    # -------------------------------------------------------------------------------------------- functions, classes

    def run_function(
        self, function: Function, args: list[object], kwargs: dict[str, object], *, open_ended: bool
    ) -> object:
        """Run a function of the run."""
        node = function.node
        if isinstance(node, ast.Lambda):
            env = self._parameters(function, args, kwargs, open_ended=open_ended)
            return self.eval(node.body, Scope(env, function.scope.module, function.scope, function.scope.function))
        if len(self.frames) > _DEPTH or self._active.get(node, 0) >= 2:
            return UNKNOWN
        tired = self.steps > self.soft_limit
        if tired and node in self._blurred:
            return UNKNOWN
        outline = self.outlines.get(function.scope.module.path)
        if outline is None:
            return UNKNOWN
        self.ran.add(node)
        self.steps += 5
        if not args and not kwargs and "command" in function.marks:
            kwargs = self._click(function)
        env = self._parameters(function, args, kwargs, open_ended=open_ended)
        if tired:  # once more, with anything for its arguments
            self._blurred.add(node)
            env = {name: value if name == "self" else UNKNOWN for name, value in env.items()}
        frame = Frame(Scope(env, function.scope.module, function.scope.outer, function), outline)
        self._active[node] = self._active.get(node, 0) + 1
        self.frames.append(frame)
        before = self.hint
        try:
            code = self.block(node.body, frame)
        finally:
            self.frames.pop()
            self._active[node] -= 1
            self.hint = before
        if frame.yields:
            return (
                Join(tuple(frame.yields)) if "contextmanager" in function.marks else ListValue(frame.yields, more=True)
            )
        results = [*frame.returns, *([None] if code == GOES_ON else [])]
        return results[0] if len(results) == 1 else Join(tuple(results)) if results else UNKNOWN

    def _parameters(
        self, function: Function, args: list[object], kwargs: dict[str, object], *, open_ended: bool
    ) -> dict[str, object]:
        """Bind arguments to parameters; what a star hides can be anything."""
        arguments = function.node.args
        positional = [arg.arg for arg in (*arguments.posonlyargs, *arguments.args)]
        env: dict[str, object] = dict(zip(positional, args, strict=False))
        rest = dict(kwargs)
        for name in [*positional, *(arg.arg for arg in arguments.kwonlyargs)]:
            if name in rest:
                env[name] = rest.pop(name)
            elif name not in env:
                default = function.defaults.get(name, MISSING)
                if default is MISSING and isinstance(function.node, ast.Lambda):
                    default = UNKNOWN
                env[name] = UNKNOWN if default is MISSING else Join((default, UNKNOWN)) if open_ended else default
        if arguments.vararg is not None:
            env[arguments.vararg.arg] = ListValue(args[len(positional) :], more=open_ended, fixed=True)
        if arguments.kwarg is not None:
            env[arguments.kwarg.arg] = DictValue(dict(rest), more=open_ended)
        return env

    def _click(self, function: Function) -> dict[str, object]:
        """The arguments of a ``click`` command, from its decorators and the command line."""
        parser = Parser()
        site = Site(function.scope.module.path, function.node.lineno)
        for one in getattr(function.node, "decorator_list", ()):
            if (
                isinstance(one, ast.Call)
                and isinstance(one.func, ast.Attribute)
                and one.func.attr in ("option", "argument")
            ):
                args, kwargs, _ = self._arguments(one, function.scope)
                flag = kwargs.pop("is_flag", False)
                if flag is True:
                    kwargs["action"] = "store_true"
                parser_method(
                    Call(self, "add_argument", args, {**kwargs, "type": External("str")}, site), parser, "add_argument"
                )
        return parse_words(Call(self, "click", [], {}, site), parser, self.argv).attrs

    def instantiate(
        self, cls: ClassValue, args: list[object], kwargs: dict[str, object], site: Site, *, open_ended: bool
    ) -> object:
        """Make an object of a class of the run."""
        lineage = self.lineage(cls)
        if any(isinstance(base, External) and "Enum" in base.name for one in lineage for base in one.bases):
            return UNKNOWN
        made = Instance(cls)
        if cls.node not in self._instances:
            self._instances[cls.node] = made
        maker = next((one.env["__init__"] for one in lineage if "__init__" in one.env), None)
        if isinstance(maker, Function):
            self.run_function(maker, [made, *args], kwargs, open_ended=open_ended)
            return made
        names = [
            node.target.id
            for one in reversed(lineage)
            for node in one.node.body
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        ]
        made.attrs.update({name: self.fresh(cls, name, site) for name in names})
        made.attrs.update(dict(zip(names, args, strict=False)))
        made.attrs.update(kwargs)
        if open_ended:
            made.attrs = {name: Join((value, UNKNOWN)) for name, value in made.attrs.items()}
        after = next((one.env["__post_init__"] for one in lineage if "__post_init__" in one.env), None)
        if isinstance(after, Function):
            self.run_function(after, [made], {}, open_ended=False)
        return made

    def fresh(self, cls: ClassValue, name: str, site: Site) -> object:
        """The default of a field; a ``default_factory`` makes a new one for each object."""
        del site
        for one in self.lineage(cls):
            if name in one.env:
                value = self.force(one.env[name])
                if isinstance(value, DictValue):
                    return DictValue(dict(value.entries), value.more)
                if isinstance(value, ListValue):
                    return ListValue(list(value.items), value.more)
                return UNKNOWN if value is MISSING else value
        return UNKNOWN

    def superclass(self, scope: Scope) -> object:
        """What ``super()`` stands for."""
        function = scope.function
        if function is None or function.owner is None or isinstance(function.node, ast.Lambda):
            return UNKNOWN
        first = function.node.args.args[:1]
        return Super(scope.env.get(first[0].arg, UNKNOWN) if first else UNKNOWN, function.owner)

    def script_name(self) -> str:
        """``sys.argv[0]``."""
        return posixpath.join(self.home, self.script)

    def content(self, path: str) -> str | None:
        """The text of a file of the run, if it is known and the script has not changed it."""
        return None if path in self.report.written() else self.tree.get(path)

    def in_run(self, text: str) -> bool:
        """Whether a path lies among the files of the run, or was written by it."""
        pattern = resolve(text, self.cwd, self.home)
        return any(path.startswith(f"{pattern}/") for path in self.tree) or any(
            one == pattern or one.startswith(f"{pattern}/") for one in self.report.written()
        )

    # --------------------------------------------------------------------------------------- what was only mentioned

    def _rest(self) -> None:
        """Run, with unknown arguments, what was not reached though its name is mentioned and it can touch files."""
        self.doubt += 1
        for _ in range(8):
            found = [one for one in self._unreached() if one.node not in self.ran]
            if not found:
                return
            for one in found:
                self.ran.add(one.node)
                if (function := self.functions.get(one.node)) is not None:
                    self._run_unknown(function)

    def _unreached(self) -> list[FunctionOutline]:
        """Functions of loaded modules that did not run, can touch files, and can be meant by something that ran."""
        found: list[FunctionOutline] = []
        for path in self.modules:
            outline = self.outlines.get(path)
            for one in outline.functions if outline is not None else ():
                if one.node in self.ran or not (label_of(one) & self.sinking):
                    continue
                bases = outline.classes.get(one.owner, ()) if outline is not None and one.owner else ()
                hooked = one.owner in self.mentioned and (bool(bases) or one.name.startswith("__"))
                if one.name in self.mentioned or hooked:
                    found.append(one)
        return found

    def _run_unknown(self, function: Function) -> None:
        """Run a function with anything for its arguments."""
        args: list[object] = []
        names = [arg.arg for arg in function.node.args.args]
        if function.owner is not None and "staticmethod" not in function.marks:
            owner: object = function.owner
            if "classmethod" not in function.marks:
                known = self._instances.get(function.owner.node)
                owner = known or self.instantiate(function.owner, [], {}, Site("", 0), open_ended=True)
            args.append(owner)
            names = names[1:]
        kwargs: dict[str, object] = {
            name: Join((function.defaults[name], UNKNOWN)) if name in function.defaults else UNKNOWN for name in names
        }
        self.run_function(function, args, kwargs, open_ended=True)
