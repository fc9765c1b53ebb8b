"""Built-in types for the value-flow analysis: lists, dictionaries, strings, and the built-in functions over them."""

from __future__ import annotations

import ast

from provchain.inspection._flow.exact import UNSURE
from provchain.inspection._flow.libraries import words
from provchain.inspection._flow.machine import Arguments, Frame, Machine
from provchain.inspection._flow.values import Bound, Key, Obj, Value

__all__ = ["Containers"]

_ADDING = words("append add appendleft push put put_nowait send add_")
_MERGING = words("extend update extendleft union_update subtract intersection_update difference_update")
_QUIET = words(
    """sort reverse clear remove discard rotate task_done join_thread close flush seek move_to_end truncate"""
)
# built-ins that hand on elements of what they get, and those that collect them
_ELEMENT = words("next max min")
_COLLECTING = words(
    "list set frozenset sorted reversed iter cycle islice takewhile dropwhile permutations combinations deque"
)
_PAIRING = words("enumerate zip product zip_longest pairwise")
_REFLECTING = words("getattr vars slice wraps lru_cache cache cached_property total_ordering singledispatch")
_EMPTY_RESULT = words(
    """isinstance issubclass hasattr callable print id type help breakpoint object property staticmethod classmethod
    memoryview Exception ValueError TypeError KeyError RuntimeError NotImplementedError IndexError AttributeError
    ImportError OSError StopIteration FileNotFoundError AssertionError KeyboardInterrupt SystemExit BaseException
    ZeroDivisionError TimeoutError"""
)


class Containers(Machine):
    """Operations on containers."""

    def collect(self, kind: str, value: Value, node: ast.AST, frame: Frame, tag: str = "") -> Obj:
        """Make a container that holds a value somewhere."""
        made = self.make(kind, node, frame, "", tag)
        if value:
            self.domain.put(made, value)
        return made

    def tuple_of(self, values: list[Value], node: ast.AST, frame: Frame, tag: object = "") -> Value:
        """Make a tuple."""
        made = self.make("tuple", node, frame, "", tag)
        for index, value in enumerate(values):
            self.domain.put(made, value, index, named=True)
        return made.bit

    def clone(self, value: Value, node: ast.AST, frame: Frame) -> Value:
        """Copy containers one level deep; everything else stands for itself."""
        out = value & ~self.domain.refs
        for atom in self.domain.refs_of(value):
            if isinstance(atom, Obj) and atom.kind in ("dict", "list", "tuple", "set"):
                made = self.make(atom.kind, node, frame, "", "clone")
                self.merge(made, atom)
                out |= made.bit
            elif isinstance(atom, Obj) and atom.kind == "extern":
                out |= self.derive(node, frame, atom.bit, atom.type)
            elif isinstance(atom, Obj):
                out |= atom.bit
        return out

    def merge(self, made: Obj, source: Obj) -> None:
        """Put everything of one container into another, under the same keys."""
        if made is source:
            return
        for key, value in list(source.fields.items()):
            self.domain.put(made, value, key, named=True, exact=source.exact(key))
        if source.elems or source.loose:
            self.domain.put(made, source.elems)
        self.put_keys(made, source.keys)

    def put_keys(self, obj: Obj, keys: Value) -> None:
        """Note the keys of a dictionary."""
        if keys & ~obj.keys:
            obj.keys |= keys
            self.domain.touch()

    def update(self, obj: Obj, value: Value, node: ast.AST, frame: Frame) -> None:
        """Merge a value into a container, as ``update`` and ``extend`` do."""
        rest = value & ~self.domain.refs
        seen = bool(value) and not rest
        for atom in self.domain.refs_of(value):
            if isinstance(atom, Obj) and atom.kind == "dict" and obj.kind in ("dict", "instance"):
                self.merge(obj, atom)
                continue
            seen = False
            if isinstance(atom, Obj):
                rest |= self.items(atom.bit, node, frame)
        if rest or not seen:
            self.domain.put(obj, rest)

    def container_method(self, obj: Obj, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call a method of a list, dictionary, set or tuple."""
        domain = self.domain
        if name in ("pop", "popitem", "clear") and obj.kind == "dict":
            domain.put(obj, 0)  # whether a key is still there is not followed
        if name in _ADDING or name == "insert":
            given = args.positional[-1] if args.positional else args.joined()
            domain.put(obj, self.influenced(given, frame.control, node, frame))
            return 0
        if name in _MERGING:
            for value in (*args.positional, args.star, args.star_named):
                self.update(obj, value, node, frame)
            for given_name, value in args.named.items():
                domain.put(obj, value, given_name, named=True, exact=args.known.get(given_name, UNSURE))
            return 0
        if name in ("get", "pop", "setdefault", "__getitem__", "popitem", "popleft"):
            key = constant_key(node.args[0]) if isinstance(node, ast.Call) and node.args else None
            known = key is not None and obj.kind == "dict"
            default = args.get(1, "default") if len(args.positional) > 1 else 0
            if name == "setdefault" and default:
                self.put_keys(obj, args.get(0))
                domain.put(obj, default, key, named=True) if known else domain.put(obj, default)
            return (obj.fields.get(key, 0) | obj.elems if known else obj.content) | default
        if name == "items":
            pair = self.tuple_of([obj.keys, obj.content], node, frame, obj.bit)
            return self.collect("list", pair, node, frame, f"items{obj.bit:x}").bit
        if name == "values":
            return self.collect("list", obj.content, node, frame, f"values{obj.bit:x}").bit
        if name == "keys":
            return self.collect("list", obj.keys, node, frame, f"keys{obj.bit:x}").bit
        if name in ("copy", "union", "difference", "intersection", "symmetric_difference"):
            copied = self.clone(obj.bit, node, frame)
            for atom in domain.refs_of(copied if args.positional else 0):
                if isinstance(atom, Obj):
                    for value in args.positional:
                        self.update(atom, value, node, frame)
            return copied
        if name in _QUIET:
            return 0
        # index, count, most_common, numpy-like methods: what they say is what is inside
        return self.derive(node, frame, obj.bit | obj.keys | args.joined()) if name != "fromkeys" else obj.bit

    def builtin(self, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value | None:
        """Call a built-in function or a wrapper of the standard library that works like one; ``None`` if it is none."""
        short = name.rpartition(".")[2]
        if name.startswith(
            ("builtins.", "itertools.", "collections.", "copy.", "functools.", "tqdm", "rich.progress.track")
        ):
            return self._builtin(short, args, node, frame)
        return None

    def _builtin(self, short: str, args: Arguments, node: ast.AST, frame: Frame) -> Value | None:
        first = args.get(0)
        if short in ("range", "trange"):
            return self.domain.mark("formula", frame.module.path, node)
        if short in ("tqdm", "track"):
            return args.get(0, "iterable")
        if short == "len":
            marks = self.domain.sample(first)
            return (
                self.origin("measured", node, frame)
                if marks & self.domain.real
                else marks & self.domain.masks["unknown"]
            )
        if short in _EMPTY_RESULT:
            return 0
        if short in _PAIRING:
            return self.paired(short, args, node, frame)
        if short in _COLLECTING:
            return self.collect("set" if "set" in short else "list", self.items(first, node, frame), node, frame).bit
        if short == "tuple":
            plain = self._only(first, "tuple")
            return (
                self.clone(first, node, frame)
                if plain
                else self.collect("tuple", self.items(first, node, frame), node, frame).bit
            )
        if short in ("chain", "from_iterable"):
            return self.chained(short, args, node, frame)
        if short in ("dict", "OrderedDict", "defaultdict", "Counter", "ChainMap"):
            return self.dictionary(short, args, node, frame)
        if short in _ELEMENT and args.positional:
            key = args.named.get("key", 0)
            inside = self.items(first, node, frame) if len(args.positional) == 1 else args.joined() & ~key
            if key:  # which one is the largest says what the key says
                said = self.domain.sample(self.call_value(key, Arguments([inside]), node, frame)) & self.domain.real
                inside = self.influenced(inside, said, node, frame)
            return inside | args.named.get("default", 0)
        if short in ("copy", "deepcopy"):
            return self.clone(first, node, frame)
        if short == "partial" and args.positional:
            return self.partial(args, node, frame)
        if short in ("map", "filter", "starmap", "accumulate", "reduce", "groupby", "filterfalse"):
            return self.mapped(short, args, node, frame)
        if short in _REFLECTING:
            return self.reflected(short, args, node, frame)
        return None

    def paired(self, short: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Make the tuples of ``zip``, ``enumerate`` and their like."""
        if args.star and not args.positional:  # zip(*pairs): each column sees everything
            rows = self.values_deep(args.star, node, frame)
            return self.collect("list", self.collect("list", rows, node, frame, "column").bit, node, frame).bit
        inner = [self.items(v, node, frame) for v in args.positional]
        if args.star:
            inner.append(self.items(args.star, node, frame))
        if short == "enumerate":
            inner = [0, *inner[:1]]
        elif short == "pairwise" or (short == "product" and "repeat" in args.named):
            inner = inner[:1] * 2
        return self.collect("list", self.tuple_of(inner, node, frame), node, frame).bit

    def chained(self, short: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Make the list of what several iterables hold."""
        inside = self.values_deep(args.star, node, frame) if args.star else 0
        for value in args.positional:
            got = self.items(value, node, frame)
            inside |= self.items(got, node, frame) if short == "from_iterable" else got
        return self.collect("list", inside, node, frame).bit

    def partial(self, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Make a function with some arguments already given."""
        rest, named = tuple(args.positional[1:]), tuple(args.named.items())
        key = ("partial", id(node), frame.key, args.positional[0], rest, named)
        bit = self.domain.known(key)
        if not bit:
            bit = self.domain.add(key, Bound(args.positional[0], rest, named), callable_=True)
            self.domain.place(bit, id(node))
        return bit

    def values_deep(self, value: Value, node: ast.AST, frame: Frame) -> Value:
        """Return what the rows of a table hold."""
        return self.items(self.items(value, node, frame), node, frame)

    def dictionary(self, short: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Make a dictionary from what its constructor gets."""
        made = self.make("dict", node, frame)
        positional = args.positional
        if short == "defaultdict":
            if positional:
                self.domain.put(made, self.call_value(positional[0], Arguments(), node, frame))
            positional = positional[1:]
        for value in (*positional, args.star_named):
            for atom in self.domain.refs_of(value):
                if isinstance(atom, Obj) and atom.kind == "dict":
                    self.merge(made, atom)
                elif isinstance(atom, Obj) and atom.kind != "instance" and short != "Counter":
                    pairs = self.items(atom.bit, node, frame)
                    self.put_keys(made, self.at_key(pairs, 0, known=True))
                    self.domain.put(made, self.at_key(pairs, 1, known=True))
                elif isinstance(atom, Obj):  # how often things occur says what things there are
                    inside = self.items(atom.bit, node, frame)
                    self.put_keys(made, inside)
                    self.domain.put(made, inside)
            if value & ~self.domain.refs:
                self.domain.put(made, value & ~self.domain.refs)
        if args.spread or any(not self._only(value, "dict") for value in positional):
            self.domain.put(made, 0)  # what else it holds is not known
        for key, value in args.named.items():
            self.domain.put(made, value, key, named=True, exact=args.known.get(key, UNSURE))
        return made.bit

    def mapped(self, short: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Apply a function to the elements of iterables."""
        if short == "accumulate" or not args.positional:
            return self.derive(node, frame, args.joined())
        elements = [self.items(v, node, frame) for v in args.positional[1:]]
        if short == "starmap":
            elements = [0] if not elements else [self.values_in(elements[0])] * 2
        got = self.call_value(args.positional[0], Arguments(elements), node, frame)
        if short in ("filter", "filterfalse"):
            got = elements[0] if elements else 0
        if short == "reduce":
            return got | self.derive(node, frame, args.joined())
        return self.collect("list", got, node, frame).bit

    def reflected(self, short: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Answer ``getattr``, ``vars`` and the decorators of ``functools``."""
        first = args.get(0)
        if short == "getattr":
            key = constant_key(node.args[1]) if isinstance(node, ast.Call) and len(node.args) > 1 else None
            default = args.get(2)
            if isinstance(key, str):
                return self.attribute(first, key, node, frame) | default
            return self.any_attribute(first, node, frame) | default
        if short == "wraps":
            return self.domain.extern("functools.identity")
        return first

    def combine(self, left: Value, op: ast.operator, right: Value, node: ast.AST, frame: Frame) -> Value:
        """Combine two values with an operator."""
        domain = self.domain
        clocks = domain.masks["clock"]
        if clocks and isinstance(op, ast.Sub) and domain.sample(left) & clocks and domain.sample(right) & clocks:
            rest = (domain.sample(left) | domain.sample(right)) & domain.real
            return self.origin("measured", node, frame) | rest
        if isinstance(op, ast.Mult):  # [0.0] * n: how often says nothing about what
            for this in (left, right):
                if this & domain.refs and self._is_list(this):
                    return this
        if isinstance(op, ast.Add) and left & domain.refs and self._is_list(left) and self._is_list(right):
            return self.collect("list", self.values_in(left) | self.values_in(right), node, frame).bit
        both = left if self._is_share(left, op, right) else left | right
        if isinstance(op, ast.MatMult):
            both |= domain.mark("product", "", node, "product")
        return self.derive(node, frame, both) if both & domain.refs else both

    def _is_share(self, left: Value, op: ast.operator, right: Value) -> bool:
        """Whether what chance made up is divided by how many real things there are: a share of nothing real."""
        real = self.domain.sample(right) & self.domain.real
        only_counted = bool(real) and not real & ~self.domain.masks["measured"]
        return isinstance(op, ast.Div) and only_counted and bool(self.chance_in(left))

    def _is_list(self, value: Value) -> bool:
        refs = value & self.domain.refs
        return (
            bool(refs)
            and refs == value
            and all(isinstance(a, Obj) and a.kind in ("list", "tuple") for a in self.domain.refs_of(refs))
        )

    def attribute(self, value: Value, name: str, node: ast.AST, frame: Frame) -> Value:
        """Read an attribute."""
        raise NotImplementedError

    def any_attribute(self, value: Value, node: ast.AST, frame: Frame) -> Value:
        """Read an attribute whose name only the running program knows."""
        out = value & ~self.domain.refs
        for atom in self.domain.refs_of(value):
            out |= atom.content if isinstance(atom, Obj) and atom.kind == "instance" else self.missing(node, frame)
        return out

    def _only(self, value: Value, kind: str) -> bool:
        return (
            bool(value)
            and all(isinstance(atom, Obj) and atom.kind == kind for atom in self.domain.refs_of(value))
            and not value & ~self.domain.refs
        )


def constant_key(node: ast.expr) -> Key:
    """Return the key that an expression spells out, or ``None``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, int)):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return None  # counted from the end: any element
    return None
