"""The state of one value-flow analysis, and what every part of the evaluator needs of it.

The evaluator is one class, cut into layers that build on each other: ``Machine`` (state), ``Containers`` (built-in types),
``Writers`` and ``Outside`` (calls that leave the run), ``Settings`` and ``Configs`` (command line, environment, configuration
files), ``Attributes`` and ``Calls`` (functions and classes of the run), ``Expressions``, ``Imports``, ``Branches``,
``Statements``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from provchain.inspection._flow.exact import UNSURE, Variables, of_type
from provchain.inspection._flow.program import FunctionInfo, Module
from provchain.inspection._flow.values import Class, Domain, Extern, Func, Key, Obj, Value
from provchain.inspection.modules import SourceTree

__all__ = ["BudgetError", "Context", "Frame", "Machine", "Written"]

_MAX_STEPS = 30_000  # statements: about a second; a script of a thousand lines needs 2,000 to 8,000

_REFS_A_STEP = 32  # looking at so many references costs about as much as a statement


class BudgetError(Exception):
    """The script is too large to follow in reasonable time."""


class Context:
    """One function, called with arguments of one shape: analysed once a round."""

    __slots__ = (
        "cells",
        "effects",
        "exact",
        "figure_in",
        "figure_out",
        "func",
        "key",
        "known",
        "params",
        "ret",
        "returned",
        "round",
        "running",
    )

    def __init__(self, func: Func, key: object) -> None:
        self.func = func
        self.key = key
        self.params: dict[str, Value] = {}
        self.known: dict[str, object] = {}  # parameters that are one constant in this context
        self.ret: Value = 0
        self.exact: object = UNSURE  # the constant that it returns
        self.returned = False
        self.figure_in: Value = 0
        self.figure_out: Value = 0
        self.effects: Value = 0
        self.cells = Variables()  # variables that inner functions can see
        self.round = 0
        self.running = False


class Frame:
    """The variables of one running body: a module, a function in a context, or a class."""

    __slots__ = (
        "cells",
        "chance",
        "control",
        "counting",
        "ctx",
        "env",
        "exact",
        "exits",
        "fig_out",
        "guarded",
        "import_failed",
        "info",
        "key",
        "module",
        "owner",
        "ret",
        "scopes",
        "self_value",
        "yields",
    )

    def __init__(self, module: Module, key: object, env: Variables) -> None:
        self.module = module
        self.key = key
        self.env = env
        self.scopes: tuple[Variables, ...] = ()
        self.cells: Variables | None = None
        self.info: FunctionInfo | None = None
        self.ctx: Context | None = None
        self.owner: object = None  # the class whose method this is, for super()
        self.self_value: Value = 0
        self.control: Value = 0  # real origins that decide whether the current statement runs
        self.chance: Value = (
            0  # under a condition that random numbers alone decide: what is counted there is nothing real
        )
        self.counting = False  # in a loop over real things, where += 1 counts them
        self.ret: Value = 0
        self.exact: list[object] = []  # what it returned, as far as each is one constant
        self.yields: Value = 0
        self.fig_out: Value = 0
        self.exits: list[list[Variables]] = []
        self.guarded = False  # inside a ``try`` that catches what a failing import raises
        self.import_failed = False


class Written:
    """What reaches one writer in one context."""

    __slots__ = ("how", "line", "path", "round", "value")

    def __init__(self, path: str, line: int, how: str) -> None:
        self.path = path
        self.line = line
        self.how = how
        self.value: Value = 0
        self.round = 0


class Machine:
    """State of the analysis and the operations on values that all layers share."""

    def __init__(self, tree: SourceTree) -> None:
        self.tree = tree
        self.domain = Domain()
        self.modules: dict[str, Module | None] = {}
        self.constants: dict[int, Value] = {}
        self.infos: dict[int, FunctionInfo] = {}
        self.contexts: dict[object, Context] = {}
        self.fanout: dict[int, set[object]] = {}
        self.constant_fanout: dict[object, set[object]] = {}
        self.deferred: list[Context] = []
        self.written: dict[object, Written] = {}
        self.round = 0
        self.strict = False  # in the last rounds, what is still missing is unknown
        self.depth = 0
        self.steps = 0
        self.effects: Value = 0
        self.exact: object = UNSURE  # the constant that the expression evaluated last is

    # the layers above fill these in

    def evaluate(self, node: ast.expr, frame: Frame) -> Value:
        """Return the value of an expression."""
        raise NotImplementedError

    def run_block(self, body: list[ast.stmt], frame: Frame) -> bool:
        """Run statements; tell whether control reaches their end."""
        raise NotImplementedError

    def call_value(self, callee: Value, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call whatever a value may be."""
        raise NotImplementedError

    def call_method(self, target: Value, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call a method of whatever a value may be."""
        raise NotImplementedError

    # marks

    def origin(self, kind: str, node: ast.AST, frame: Frame, rank: str = "") -> Value:
        """Return the mark of an origin here, and remember that something real or unknown happened."""
        bit = self.domain.mark(kind, frame.module.path, node, rank)
        if bit & (self.domain.real | self.domain.masks["unknown"]):
            self.effects |= bit
        return bit

    def missing(self, node: ast.AST, frame: Frame) -> Value:
        """Say what stands for something not found: nothing as yet, unknown once all else has settled."""
        return self.domain.mark("unknown", frame.module.path, node) if self.strict else 0

    def constant(self, node: ast.Constant, frame: Frame) -> Value:
        """Return the mark of a literal."""
        known = self.constants.get(id(node))
        if known is None:
            known = (
                0
                if node.value is None or node.value is ...
                else self.domain.mark("literal", frame.module.path, node, _rank(node.value))
            )
            self.constants[id(node)] = known
        self.exact = node.value if of_type(node.value) else UNSURE
        return known

    # objects

    def make(self, kind: str, node: ast.AST, frame: Frame, type_: str = "", tag: object = "") -> Obj:
        """Return the object that this place makes in this context."""
        return self.domain.obj((id(node), frame.key, kind, type_, tag), kind, type_)

    def bits_of(self, value: Value, kinds: tuple[type, ...]) -> Value:
        """Return the references of a value that are of some kinds."""
        out, todo = 0, value & self.domain.refs
        while todo:
            low = todo & -todo
            todo ^= low
            out |= low if isinstance(self.domain.atoms[low.bit_length() - 1], kinds) else 0
        return out

    def derive(self, node: ast.AST, frame: Frame, value: Value, type_: str = "") -> Value:
        """Return a new value that says what others say, without being them."""
        if not value & self.domain.refs and not type_:
            return value
        made = self.make("extern", node, frame, type_, "derived")
        self.domain.put(made, value)
        return made.bit

    def items(self, value: Value, node: ast.AST, frame: Frame) -> Value:
        """Return what a loop over a value sees."""
        domain = self.domain
        refs = value & domain.refs & ~domain.things
        out = value ^ refs
        for atom in domain.refs_of(refs):
            if not isinstance(atom, Obj):
                out |= self.items_of_name(atom, node, frame)
            elif atom.kind == "dict":
                out |= atom.keys
            elif atom.kind == "instance":
                out |= self.items_of_instance(atom, node, frame)
            else:
                out |= atom.content
        return out | self.items_inside(value, node, frame) if value & domain.holding else out

    def items_of_name(self, atom: object, node: ast.AST, frame: Frame) -> Value:
        """Return what a loop over a library's name or over a class (an enumeration) sees."""
        if isinstance(atom, Extern):
            return self.origin("read", node, frame) if atom.name == "sys.stdin" else self.domain.extern(atom.name)
        out = 0
        if isinstance(atom, Class):
            for value in atom.info.attributes.values():
                out |= value & ~self.domain.code
        return out

    def items_of_instance(self, atom: Obj, node: ast.AST, frame: Frame) -> Value:
        """Return what a loop over an instance of the run sees: its own iterator's word."""
        for name in ("__iter__", "__next__", "__getitem__"):
            if atom.cls is not None and self.find_method(atom, name):
                got = self.call_method(atom.bit, name, Arguments(), node, frame)
                return (
                    self.domain.deep(got)
                    if got & atom.bit
                    else self.items(got, node, frame)
                    if name == "__iter__"
                    else got
                )
        return atom.content

    def items_inside(self, value: Value, node: ast.AST, frame: Frame) -> Value:
        """Look through a library's wrapper (a data loader) at the run's own data set inside."""
        out = 0
        inside = 0
        for atom in self.domain.refs_of(value & self.domain.holding):
            inside |= atom.content if isinstance(atom, Obj) else 0
        for inner in self.domain.refs_of(inside & self.domain.code):
            if isinstance(inner, Obj) and self.find_method(inner, "__getitem__"):
                out |= self.call_method(inner.bit, "__getitem__", Arguments(), node, frame)
        return out

    def find_method(self, atom: Obj, name: str) -> Value:
        """Find an attribute of an instance's class."""
        raise NotImplementedError

    def values_in(self, value: Value) -> Value:
        """Return everything directly inside a value, dictionary values rather than keys."""
        boxes = value & self.domain.boxes
        out = value ^ boxes
        for atom in self.domain.refs_of(boxes):
            out |= atom.content if isinstance(atom, Obj) else 0
        return out

    def at_key(self, value: Value, key: Key, *, known: bool) -> Value:
        """Return what stands under a key."""
        boxes = value & self.domain.boxes
        out = value ^ boxes
        for atom in self.domain.refs_of(boxes):
            if isinstance(atom, Obj):
                found = known and (key in atom.fields or atom.kind == "dict")
                out |= atom.fields.get(key, 0) | atom.elems if found else atom.content
        return out

    # control

    def control_of(self, test: ast.expr, value: Value) -> Value:
        """Return the real origins that a condition lets through to what it guards.

        ``if prediction == label: correct += 1`` makes a count that rests on the prediction. A setting that was read and only
        picks a branch (``if config["fast"]``) lets nothing through.
        """
        domain = self.domain
        marks = domain.sample(value)
        real = marks & domain.real
        if not real:
            return marks & domain.masks["unknown"]
        if not marks & domain.masks["item"]:
            if not real & ~domain.masks["measured"]:
                return 0
            if not real & ~(domain.masks["read"] | domain.masks["measured"]) and _picks(test):
                return 0
        return real

    def influenced(self, value: Value, control: Value, node: ast.AST, frame: Frame) -> Value:
        """Return a value assigned under a condition: a code (1, True, "yes") then says what the condition says.

        A quantity (0.87) does not become an observation by standing under a condition, but neither is it surely made up.
        """
        if not control:
            return value
        domain = self.domain
        marks = domain.sample(value)
        if marks & (domain.real | domain.masks["unknown"] | domain.masks["random"]):
            return value
        if marks & domain.amounts:
            return value | domain.mark("unknown", frame.module.path, node)
        return value | control

    def counted(self, value: Value, node: ast.AST, frame: Frame) -> Value:
        """Return an increment made once for each real thing: it is a count of them."""
        domain = self.domain
        marks = domain.sample(value)
        if not marks or marks & (domain.real | domain.masks["unknown"] | domain.masks["random"] | domain.amounts):
            return value
        return value | self.origin("measured", node, frame)

    def chance_in(self, value: Value) -> Value:
        """The random numbers that decide a condition, where nothing else does."""
        marks = self.domain.sample(value)
        solid = self.domain.real | self.domain.masks["unknown"] | self.domain.masks["product"]
        return 0 if marks & solid else marks & self.domain.masks["random"]

    def is_computed(self, value: Value) -> bool:
        """Whether a value comes out of matrix products or distances of data that nothing else grounds."""
        products = self.domain.masks["product"]
        return bool(products) and bool(self.domain.sample(value) & products)

    # sinks

    def write(self, how: str, value: Value, node: ast.AST, frame: Frame) -> None:
        """Note that a value is written out here."""
        key = (id(node), frame.key, how)
        sink = self.written.get(key)
        if sink is None:
            sink = self.written[key] = Written(frame.module.path, getattr(node, "lineno", 1), how)
        sink.round = self.round
        sink.value |= value

    # budgets

    def step(self) -> None:
        """Count a statement."""
        self.steps += 1
        if self.steps + self.domain.work // _REFS_A_STEP > _MAX_STEPS:
            raise BudgetError


class Arguments:
    """The arguments of a call, evaluated."""

    __slots__ = ("known", "named", "positional", "spread", "star", "star_named")

    def __init__(
        self,
        positional: Iterable[Value] = (),
        named: dict[str, Value] | None = None,
        star: Value = 0,
        star_named: Value = 0,
        *,
        known: dict[int | str, object] | None = None,
        spread: bool = False,
    ) -> None:
        self.positional = list(positional)
        self.named = named or {}
        self.star = star
        self.star_named = star_named
        self.known: dict[int | str, object] = known or {}  # by place or name: the constant that an argument is
        self.spread = spread or bool(
            star or star_named
        )  # a parameter that is not given by place or name may be all the same

    def after(self, *first: Value, named: dict[str, Value] | None = None) -> Arguments:
        """Return them with others before them: the object of a method, what a partial call has given already."""
        shifted = {place + len(first) if isinstance(place, int) else place: e for place, e in self.known.items()}
        return Arguments(
            [*first, *self.positional],
            {**(named or {}), **self.named},
            self.star,
            self.star_named,
            known=shifted,
            spread=self.spread,
        )

    def exact(self, position: int, name: str = "") -> object:
        """Return the constant that an argument is, by place or by name; unsure if absent."""
        return self.known.get(position if position < len(self.positional) else name, UNSURE)

    def given(self, position: int, name: str = "") -> bool:
        """Tell whether an argument was given, by place or by name."""
        return position < len(self.positional) or name in self.named

    def joined(self) -> Value:
        """Return all arguments as one value."""
        out = self.star | self.star_named
        for value in self.positional:
            out |= value
        for value in self.named.values():
            out |= value
        return out

    def get(self, position: int, name: str = "") -> Value:
        """Return one argument, by place or by name; 0 if absent."""
        if position < len(self.positional):
            return self.positional[position]
        return self.named.get(name, 0) | self.star


def _rank(value: object) -> str:
    """Say what a literal can be: a quantity, a code, or text with or without figures in it."""
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, (int, float, complex)):
        # larger whole numbers are counts that somebody typed rather than classes or increments
        code = isinstance(value, (int, float)) and -20 <= value <= 20 and value == int(value)
        return "count" if code else "amount"
    digits = any("0" <= c <= "9" for c in value) if isinstance(value, str) else False
    return "figures" if digits else "text"


def _picks(test: ast.expr) -> bool:
    """Tell whether a condition can be the choice of a branch by a setting: by truth, equality or membership."""
    todo = [test]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.BoolOp):
            todo.extend(node.values)
        elif isinstance(node, ast.UnaryOp):
            todo.append(node.operand)
        elif isinstance(node, ast.Compare) and any(
            isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for op in node.ops
        ):
            return False
    return True
