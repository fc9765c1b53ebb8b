"""Abstract values for the value-flow analysis: sets of atoms, one bit each, and the objects they point to.

A value is a plain ``int`` used as a bit set, because a script of a thousand lines joins values a hundred thousand times. An
atom is either a *mark* (an origin: a literal, a random call, a file that was read ...) or a *reference* (to a container, an
instance, a function, a class, a module, or a name of a library).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from provchain.inspection._flow.bits import Value
from provchain.inspection._flow.exact import UNSURE, Variables, both, kept
from provchain.inspection._flow.libraries import meaning
from provchain.inspection.argument_parsing import Parser

if TYPE_CHECKING:
    from provchain.inspection._flow.program import ClassInfo, FunctionInfo, Module

__all__ = ["Bound", "Class", "Domain", "Extern", "Func", "Mark", "Obj", "Origin", "Super", "Value"]

_SILENT = ("pure", "plot", "nothing", "setting", "random", "learning", "clock")
Key = str | int | float | bytes | bool | None

REAL_KINDS = ("read", "trained", "run", "answered", "measured")
# clock: a point in time, which says nothing; two of them subtracted are a measurement
# product: a matrix product or a distance, with which hand-written learning works; by itself it says nothing
_DECIDING = (*REAL_KINDS, "random", "clock", "unknown", "item", "product")
MARK_KINDS = (*REAL_KINDS, "literal", "random", "formula", "clock", "unknown", "item", "product")


class Origin(msgspec.Struct, frozen=True):
    """Where a written value comes from.

    Attributes:
        kind: ``read``, ``trained``, ``run``, ``answered`` or ``measured`` (real); ``literal``, ``random`` or ``formula`` (not);
            ``unknown`` where the analysis cannot see.
        path: The source file that holds the expression.
        line: Its line, 1-based.
        text: The expression as it stands there, shortened.
    """

    kind: str
    path: str
    line: int
    text: str


class Mark:
    """One origin, before it is written out for people."""

    __slots__ = ("kind", "line", "node", "path", "rank")

    def __init__(self, kind: str, path: str, node: ast.AST, rank: str) -> None:
        self.kind = kind
        self.path = path
        self.line: int = getattr(node, "lineno", 1)
        self.node = node
        self.rank = rank


class Obj:
    """A container, instance, open file, figure or library object, one for each place (and context) that makes it."""

    __slots__ = (
        "bit",
        "cls",
        "content",
        "elems",
        "fields",
        "holders",
        "keys",
        "kind",
        "known",
        "loose",
        "sample",
        "type",
        "writes",
    )

    def __init__(self, kind: str, type_: str, bit: Value) -> None:
        self.kind = kind  # dict list tuple set instance extern file figure
        self.type = type_  # dotted name of the library call that made it
        self.bit = bit
        self.cls: ClassInfo | None = None
        self.fields: dict[Key, Value] = {}
        self.elems: Value = 0
        self.keys: Value = 0
        self.content: Value = 0  # union of fields and elems: what anybody who looks inside can find
        self.sample: Value = 0  # one mark of each kind that can be reached, to answer questions at once
        self.holders: Value = 0  # objects that hold this one
        self.writes = False  # an open file that is (also) written
        self.known: dict[Key, object] = {}  # what stands under a key, where it is one constant
        self.loose = False  # something was put in under no known key: nothing is sure any more

    def exact(self, key: Key) -> object:
        """Return the constant that stands under a key, as far as it is known."""
        return UNSURE if self.loose else self.known.get(key, UNSURE)


class Extern:
    """A name of a library: ``numpy.random.normal``."""

    __slots__ = ("mark", "name")

    def __init__(self, name: str, mark: Value) -> None:
        self.name = name
        self.mark = mark  # what the name says when it is used as a value


class Func:
    """A function of the run together with the scopes it closes over."""

    __slots__ = ("bit", "command", "decorated", "defaults", "info", "known", "owner", "scopes")

    def __init__(self, info: FunctionInfo, scopes: tuple[Variables, ...], owner: ClassInfo | None) -> None:
        self.info = info
        self.scopes = scopes
        self.owner = owner
        self.defaults: dict[str, Value] = {}
        self.known: dict[str, object] = {}  # the defaults that are one constant
        self.command: Parser | None = None  # what its decorators take from the command line
        self.decorated = False
        self.bit: Value = 0


class Class:
    """A class of the run, as a value."""

    __slots__ = ("info",)

    def __init__(self, info: ClassInfo) -> None:
        self.info = info


class Bound:
    """A method taken from an object, or a function with some arguments already given."""

    __slots__ = ("args", "func", "kwargs")

    def __init__(self, func: Value, args: tuple[Value, ...], kwargs: tuple[tuple[str, Value], ...] = ()) -> None:
        self.func = func
        self.args = args
        self.kwargs = kwargs


class Super:
    """What ``super()`` gives: the classes after ``after``, bound to ``self``."""

    __slots__ = ("after", "self_value")

    def __init__(self, after: ClassInfo, self_value: Value) -> None:
        self.after = after
        self.self_value = self_value


Atom = Mark | Obj | Extern | Func | Class | Bound | Super


class Domain:
    """All atoms of one analysis, and masks that answer questions about whole values at once."""

    def __init__(self) -> None:
        self.atoms: list[Atom | Module] = []
        self._interned: dict[object, Value] = {}
        self.masks: dict[str, Value] = dict.fromkeys(MARK_KINDS, 0)
        self.real: Value = 0
        self.refs: Value = 0
        self.calls: Value = 0  # references that can be called, or hold methods of the run
        self.amounts: Value = 0  # literals that are quantities (0.87), not codes (1, True, "yes")
        self.numbers: Value = 0  # literals with a number in them
        self.texts: Value = 0
        self.changed = False
        self.work = 0  # references looked at, for the budget
        self.sites: dict[Value, object] = {}  # where a function, class or instance of the run was written down
        self.code: Value = 0  # the references that have a site
        self.boxes: Value = 0  # built-in containers
        self.things: Value = 0  # objects of libraries, files and figures
        self.holding: Value = 0  # those of them that hold models, or functions or instances of the run
        self.methods: Value = 0  # instances of the run and models: what is looked for inside other objects
        self.inert: Value = 0  # plain results: objects without a type that matters, holding nothing that can be called

    def add(self, key: object, atom: Atom | Module, *, ref: bool = True, callable_: bool = False) -> Value:
        """Give an atom its bit."""
        bit = 1 << len(self.atoms)
        self.atoms.append(atom)
        self._interned[key] = bit
        if ref:
            self.refs |= bit
        if callable_:
            self.calls |= bit
        return bit

    def place(self, bit: Value, site: object) -> None:
        """Note where a function, class or instance of the run was written down."""
        self.sites[bit] = site
        self.code |= bit

    def sites_of(self, value: Value) -> frozenset[object]:
        """Return the places of the functions, classes and instances that a value points to."""
        todo = value & self.code
        out = []
        while todo:
            low = todo & -todo
            todo ^= low
            out.append(self.sites[low])
        return frozenset(out)

    def known(self, key: object) -> Value:
        """Return the bit that a key was given, or 0."""
        return self._interned.get(key, 0)

    def mark(self, kind: str, path: str, node: ast.AST, rank: str = "") -> Value:
        """Return the mark of an origin; one for each kind, file and line is enough for people."""
        key = (kind, path, getattr(node, "lineno", 1), rank)
        bit = self._interned.get(key)
        if bit is None:
            bit = self.add(key, Mark(kind, path, node, rank), ref=False)
            self.masks[kind] |= bit
            if kind in REAL_KINDS:
                self.real |= bit
            if rank == "amount":
                self.amounts |= bit
            if rank in ("amount", "count", "figures"):
                self.numbers |= bit
            if rank in ("figures", "text"):
                self.texts |= bit
        return bit

    def extern(self, name: str) -> Value:
        """Return the reference to a name of a library."""
        key = ("extern", name)
        known = self._interned.get(key)
        if known:
            return known
        mark = 0
        if meaning(name) not in _SILENT:  # data that a library holds cannot be seen from here
            mark = self.mark("unknown", "", ast.Pass(), name)
        return self.add(key, Extern(name, mark), callable_=True)

    def obj(self, key: object, kind: str, type_: str = "") -> Obj:
        """Return the object of a place, made on first sight."""
        bit = self._interned.get(key)
        if bit is not None:
            found = self.atoms[bit.bit_length() - 1]
            assert isinstance(found, Obj)  # noqa: S101 - keys hold the kind, so this cannot fail
            return found
        made = Obj(kind, type_, 0)
        plain = kind == "extern" and not type_
        made.bit = self.add(key, made, callable_=kind == "instance" or (kind == "extern" and not plain))
        if plain:
            self.inert |= made.bit
        if kind == "instance" or (type_ and meaning(type_) == "learning"):
            self.methods |= made.bit
        if kind in ("dict", "list", "tuple", "set"):
            self.boxes |= made.bit
        elif kind != "instance":
            self.things |= made.bit
        return made

    def refs_of(self, value: Value) -> Iterator[Atom | Module]:
        """Walk over what a value points to."""
        todo = value & self.refs
        while todo:
            low = todo & -todo
            todo ^= low
            yield self.atoms[low.bit_length() - 1]

    def bits_and_refs(self, value: Value) -> Iterator[tuple[Value, Atom | Module]]:
        """Walk over what a value points to, with the bits."""
        todo = value & self.refs
        while todo:
            low = todo & -todo
            todo ^= low
            yield low, self.atoms[low.bit_length() - 1]

    def marks_of(self, value: Value) -> Iterator[Mark]:
        """Walk over the marks of a value."""
        todo = value & ~self.refs
        while todo:
            low = todo & -todo
            todo ^= low
            atom = self.atoms[low.bit_length() - 1]
            if isinstance(atom, Mark):
                yield atom

    def deep(self, value: Value) -> Value:
        """Return all marks that a value holds, however deep inside its objects."""
        todo = value & self.refs
        out = value ^ todo
        seen = todo
        while todo:
            low = todo & -todo
            todo ^= low
            atom = self.atoms[low.bit_length() - 1]
            if type(atom) is Obj:
                content = atom.content
                refs = content & self.refs
                out |= content ^ refs
                refs &= ~seen
                seen |= refs
                todo |= refs
            elif type(atom) is Extern:
                out |= atom.mark
        return out

    def sample(self, value: Value) -> Value:
        """Return the marks of a value, and one of each kind for what its objects hold: enough to decide by."""
        todo = value & self.refs
        out = value ^ todo
        self.work += todo.bit_count()
        while todo:
            low = todo & -todo
            todo ^= low
            atom = self.atoms[low.bit_length() - 1]
            if type(atom) is Obj:
                out |= atom.sample
            elif type(atom) is Extern:
                out |= atom.mark
        return out

    def put(self, obj: Obj, value: Value, key: Key = None, *, named: bool = False, exact: object = UNSURE) -> None:
        """Put a value into an object, under a known key or anywhere; what was there stays."""
        if named:
            self.learn(obj, key, exact, first=key not in obj.fields)
            old = obj.fields.get(key)
            if old is None or value & ~old:
                obj.fields[key] = (old or 0) | value
                self.changed = True
        else:
            if not obj.loose:
                obj.loose = True
                self.changed = self.changed or bool(obj.known)
            if value & ~obj.elems:
                obj.elems |= value
                self.changed = True
        new = value & ~obj.content
        if new:
            obj.content |= new
            if new & self.calls:
                self.inert &= ~obj.bit
            if new & (self.code | self.methods) and obj.bit & self.things:
                self.holding |= obj.bit
            self._spread(obj, new)

    def learn(self, obj: Obj, key: Key, exact: object, *, first: bool = False) -> None:
        """Note the constant under a key; if another value stood there before, nothing is known of it any more."""
        exact = kept(exact)
        if first and key not in obj.known:
            if exact is not UNSURE:
                obj.known[key] = exact
            return
        old = obj.known.get(key, UNSURE)
        if old is not UNSURE and both(old, exact) is UNSURE:
            obj.known[key] = UNSURE
            self.changed = True

    def _spread(self, obj: Obj, new: Value) -> None:
        """Tell everybody who holds an object what kinds of marks can now be found in it."""
        refs = new & self.refs
        marks = new ^ refs
        while refs:
            low = refs & -refs
            refs ^= low
            atom = self.atoms[low.bit_length() - 1]
            if type(atom) is Obj:
                atom.holders |= obj.bit
                marks |= atom.sample
            elif type(atom) is Extern:
                marks |= atom.mark
        todo = [(obj, marks)]
        while todo:
            target, found = todo.pop()
            self.work += 1
            gained = 0
            for mask in self.kinds():
                if found & mask and not target.sample & mask:
                    only = found & mask
                    gained |= only & -only
            if not gained:
                continue
            target.sample |= gained
            holders = target.holders
            while holders:
                low = holders & -holders
                holders ^= low
                self.work += 1
                atom = self.atoms[low.bit_length() - 1]
                if type(atom) is Obj:
                    todo.append((atom, gained))

    def kinds(self) -> list[Value]:
        """List the masks of the kinds that decisions ask for."""
        masks = self.masks
        return [masks[kind] for kind in _DECIDING] + [self.amounts]

    def touch(self) -> None:
        """Note that something grew, so that another round is needed."""
        self.changed = True
