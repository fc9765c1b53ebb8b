"""How the attributes of instances, classes, modules and library objects are found."""

from __future__ import annotations

import ast

from provchain.inspection._flow.configs import Configs
from provchain.inspection._flow.exact import UNSURE, Variables, all_same, both
from provchain.inspection._flow.libraries import meaning
from provchain.inspection._flow.machine import Arguments, Frame
from provchain.inspection._flow.program import ClassInfo, Module
from provchain.inspection._flow.values import Bound, Class, Extern, Func, Obj, Super, Value

__all__ = ["Attributes", "decorators", "is_property"]


_PASSIVE_BASES = frozenset(
    {
        "abc.ABC",
        "builtins.object",
        "pydantic.BaseModel",
        "typing.Generic",
        "typing.NamedTuple",
        "typing.Protocol",
        "typing.TypedDict",
    }
)
_MAX_LOOKED_AT = 8  # objects that one value may be


class Attributes(Configs):
    """Reading attributes."""

    def extern_bases(self, info: ClassInfo) -> list[str]:
        """List the library bases of a class, also those of its bases."""
        return [base for c in info.order for base in c.externs]

    def lookup_class(self, info: ClassInfo, name: str, after: ClassInfo | None = None) -> Value:
        """Find an attribute on a class or its bases."""
        order = info.order
        if after is not None and after in order:
            order = order[order.index(after) + 1 :]
        for candidate in order:
            found = candidate.attributes.get(name)
            if found is not None:
                return found
        return 0

    def find_method(self, atom: Obj, name: str) -> Value:
        """Find an attribute of an instance's class."""
        return self.lookup_class(atom.cls, name) if atom.cls is not None else 0

    def attribute(self, value: Value, name: str, node: ast.AST, frame: Frame) -> Value:
        """Read an attribute of whatever a value may be."""
        self.domain.work += 4 * (value & self.domain.refs).bit_count()
        domain = self.domain
        active = value & domain.refs & ~domain.things
        out = value ^ active
        active |= value & domain.holding
        if name == "grad" and value:
            out |= self.origin("trained", node, frame)
        for atom in domain.refs_of(active):
            if isinstance(atom, Extern):
                out |= domain.extern(f"{atom.name}.{name}") if len(atom.name) < 200 else self.missing(node, frame)
            elif isinstance(atom, Module):
                out |= self.module_name(atom, name, node, frame)
            elif isinstance(atom, Class):
                out |= self._class_attribute(atom, name, node, frame)
            elif isinstance(atom, Super):
                out |= self.attribute(atom.self_value, name, node, frame)
            elif isinstance(atom, Obj):
                out |= self._object_attribute(atom, name, node, frame)
        self.exact = self.attribute_exact(value, name)
        return out

    def attribute_exact(self, value: Value, name: str) -> object:
        """Return the constant that an attribute is, whichever of its objects a value is."""
        if not value or value & ~self.domain.refs or value.bit_count() > _MAX_LOOKED_AT:
            return UNSURE
        return all_same(self._exact_in(atom, name) for atom in self.domain.refs_of(value))

    def _exact_in(self, atom: object, name: str) -> object:
        if isinstance(atom, Module):
            return atom.cells.known.get(name, UNSURE)
        if isinstance(atom, Class):
            return self.class_exact(atom.info, name)
        if isinstance(atom, Extern):
            return self.extern_exact(f"{atom.name}.{name}")
        if not isinstance(atom, Obj):
            return UNSURE
        if atom.cls is None:
            return atom.exact(name)
        info = atom.cls
        if self.is_foreign(info) and (name not in atom.fields or info.assigned.get(name, 0) > 1):
            return UNSURE  # the library sets fields, or calls methods that set them
        if name in atom.fields and (
            any(c.record and name in c.fields for c in info.order) or not self.find_method(atom, name)
        ):
            return atom.exact(name)  # a dataclass has a field of its own for each name that its class gives a default
        if name in atom.fields:
            return both(atom.exact(name), self.class_exact(info, name))
        return UNSURE if atom.loose else self.class_exact(info, name)

    def class_exact(self, info: ClassInfo, name: str) -> object:
        """Return the constant that an attribute of a class is."""
        owner = next((c for c in info.order if name in c.attributes), None)
        return UNSURE if owner is None or self.is_foreign(info) else owner.attributes.known.get(name, UNSURE)

    def is_foreign(self, info: ClassInfo) -> bool:
        """Tell whether a class has a library's class among its bases that may do more than its text shows."""
        return any(base not in _PASSIVE_BASES for base in self.extern_bases(info))

    def set_attribute(self, callee: Value, args: Arguments) -> None:
        """Follow ``setattr(target, name, value)``."""
        if len(args.positional) != 3 or self.domain.extern("builtins.setattr") & ~callee:
            return
        name = args.exact(1)
        for atom in self.domain.refs_of(args.positional[0]):
            if isinstance(atom, Obj):
                key = name if isinstance(name, str) else None
                self.domain.put(atom, args.positional[2], key, named=key is not None, exact=args.exact(2))
            elif isinstance(atom, (Module, Class)):
                cells = atom.cells if isinstance(atom, Module) else atom.info.attributes
                for one in [name] if isinstance(name, str) else list(cells):
                    self.grow(cells, one, args.positional[2], args.exact(2))

    def grow(self, cells: Variables, name: str, value: Value, exact: object = UNSURE) -> None:
        """Join a value into a variable that others can see."""
        old = cells.get(name)
        if old is None and exact is not UNSURE:
            cells.known[name] = exact
        elif name in cells.known and both(cells.known[name], exact) is UNSURE:
            del cells.known[name]
            self.domain.touch()
        if old is None or value & ~old:
            cells[name] = (old or 0) | value
            self.domain.touch()

    def _class_attribute(self, atom: Class, name: str, node: ast.AST, frame: Frame) -> Value:
        found = self.lookup_class(atom.info, name)
        if found or name.startswith("__"):
            return found
        return 0 if atom.info.externs else self.missing(node, frame)

    def _object_attribute(self, atom: Obj, name: str, node: ast.AST, frame: Frame) -> Value:
        domain = self.domain
        if atom.kind != "instance" or atom.cls is None:
            out = atom.bit
            for inner in domain.refs_of(atom.content & domain.calls):
                if (
                    isinstance(inner, Obj)
                    and inner.kind == "instance"
                    and (name in inner.fields or self.find_method(inner, name))
                ):
                    out |= self._object_attribute(inner, name, node, frame)
            return out
        if name == "__dict__":
            return atom.content
        stored = atom.fields.get(name)
        out = (stored or 0) | atom.elems
        shared = self.find_method(atom, name)
        for inner_bit, inner in domain.bits_and_refs(shared):
            if not isinstance(inner, Func):
                out |= inner_bit
            elif is_property(inner):
                out |= self.call_value(inner.bit, Arguments([atom.bit]), node, frame)
            elif "staticmethod" in decorators(inner):
                out |= inner.bit
            else:
                first = atom.cls.bit if "classmethod" in decorators(inner) else atom.bit
                key = ("bound", inner.bit, first)
                bit = domain.known(key)
                if not bit:
                    bit = domain.add(key, Bound(inner.bit, (first,)), callable_=True)
                    domain.place(bit, (domain.sites.get(inner.bit), domain.sites.get(first)))
                out |= bit
        out |= shared & ~domain.refs
        if stored is None and not shared and not out and not name.startswith("__"):
            hooked = self.find_method(atom, "__getattr__")
            if hooked:
                return self.call_method(atom.bit, "__getattr__", Arguments(), node, frame)
            bases = self.extern_bases(atom.cls)
            return atom.bit if bases and not any(meaning(b) == "unknown" for b in bases) else self.missing(node, frame)
        return out

    def module_name(self, module: Module, name: str, node: ast.AST, frame: Frame) -> Value:
        """Read a name of a module of the run."""
        raise NotImplementedError


def decorators(func: Func) -> set[str]:
    """Return the last names of the decorators of a function."""
    nodes = getattr(func.info.node, "decorator_list", [])
    return {n.id if isinstance(n, ast.Name) else n.attr if isinstance(n, ast.Attribute) else "" for n in nodes}


def is_property(func: Func) -> bool:
    """Tell whether a method is read like an attribute."""
    return not decorators(func).isdisjoint(("property", "cached_property", "setter", "lazy_property"))
