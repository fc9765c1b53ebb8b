"""What is known of a value exactly: the one constant that it is, where no other is possible.

Kept beside the sets of atoms, which say where values come from: a set cannot tell ``not True`` from ``True``. Whatever is not
said to be exact is :data:`UNSURE`, so that a place of the analysis that knows nothing of constants decides nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from provchain.inspection._effects.conditions import ordered
from provchain.inspection._flow.bits import Value

__all__ = [
    "FALSY",
    "TRUTHY",
    "UNSURE",
    "Fleeting",
    "Variables",
    "all_same",
    "both",
    "compared",
    "join",
    "kept",
    "of_text",
    "of_type",
    "sliced",
    "truth",
]


class _Unsure:
    """The type of :data:`UNSURE`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNSURE"


UNSURE = _Unsure()
"""Not one constant, or not known which."""


class _Counting:
    """A value of which only this is known: whether it counts as true."""

    __slots__ = ("true",)

    def __init__(self, *, true: bool) -> None:
        self.true = true

    def __repr__(self) -> str:
        return "TRUTHY" if self.true else "FALSY"


TRUTHY, FALSY = _Counting(true=True), _Counting(true=False)

_PLAIN = (bool, int, float, str)
_MAX_TEXT = 400  # a longer text is no setting


class Fleeting(tuple[object, ...]):
    """The items of a list that is spelt out: exact while nobody can have changed it, so never kept in a variable."""

    __slots__ = ()


def of_type(value: object) -> bool:
    """Tell whether a constant of a program is one that conditions are decided by.

    Example:
        >>> of_type(True), of_type("demo"), of_type(b"x")
        (True, True, False)
    """
    return value is None or (isinstance(value, _PLAIN) and not (isinstance(value, str) and len(value) > _MAX_TEXT))


def kept(exact: object) -> object:
    """Return what stays known once a value is stored where others can change it."""
    return UNSURE if isinstance(exact, Fleeting) else exact


def both(left: object, right: object) -> object:
    """Join what is known along two ways.

    Example:
        >>> both("demo", "demo"), both(True, 1)
        ('demo', UNSURE)
    """
    if left is right:
        return left
    # what is compared may hold one thing many times over, so only plain things are compared
    return left if type(left) is type(right) and isinstance(left, _PLAIN) and left == right else UNSURE


def truth(exact: object) -> bool | None:
    """Say whether a value counts as true; ``None`` if that is not known."""
    return None if exact is UNSURE else exact.true if isinstance(exact, _Counting) else bool(exact)


class Variables(dict[str, Value]):
    """Variables of a scope, with what is known of them exactly; a name that is missing there is unsure."""

    __slots__ = ("known",)

    def __init__(self, values: dict[str, Value] | None = None, known: dict[str, object] | None = None) -> None:
        super().__init__(values or {})
        self.known: dict[str, object] = dict(known or {})

    def fork(self) -> Variables:
        """Copy them for one of several branches."""
        return Variables(self, self.known)

    def bind(self, name: str, value: Value, exact: object) -> None:
        """Assign one."""
        self[name] = value
        if exact is UNSURE:
            self.known.pop(name, None)
        else:
            self.known[name] = exact

    def same(self, other: Variables) -> bool:
        """Tell whether nothing differs."""
        return self == other and self.known == other.known


def join(scopes: Sequence[Variables]) -> Variables:
    """Join the variables of branches."""
    if len(scopes) == 1:
        return scopes[0]
    out = scopes[0].fork()
    for scope in scopes[1:]:
        for name, value in scope.items():
            out[name] = out.get(name, 0) | value
        for name in [n for n, exact in out.known.items() if both(exact, scope.known.get(n, UNSURE)) is UNSURE]:
            del out.known[name]
    return out


def compared(op: ast.cmpop, left: object, right: object) -> object:
    """Compare two constants; unsure where one of them is, or Python would refuse.

    Example:
        >>> compared(ast.In(), "demo", ("full", "demo")), compared(ast.Gt(), 3, UNSURE)
        (True, UNSURE)
    """
    if left is UNSURE or right is UNSURE or isinstance(left, _Counting) or isinstance(right, _Counting):
        return UNSURE
    if isinstance(op, (ast.Is, ast.IsNot)):
        decided = left is None or right is None or (isinstance(left, bool) and isinstance(right, bool))
        return (left is right) is isinstance(op, ast.Is) if decided else UNSURE
    if isinstance(op, (ast.Eq, ast.NotEq)):
        return (left == right) is isinstance(op, ast.Eq)
    if isinstance(op, (ast.In, ast.NotIn)):
        if isinstance(right, tuple):
            found = left in right
            return found is isinstance(op, ast.In) if found or UNSURE not in right else UNSURE
        if isinstance(right, str) and isinstance(left, str):
            return (left in right) is isinstance(op, ast.In)
        return UNSURE
    said = ordered(op, left, right)
    return UNSURE if said is None else said


def sliced(items: tuple[object, ...], part: ast.Slice) -> object:
    """Cut a part out of items; unsure where its bounds are not spelt out."""
    bounds: list[int | None] = []
    for bound in (part.lower, part.upper):
        if bound is None:
            bounds.append(None)
        elif isinstance(bound, ast.Constant) and isinstance(bound.value, int):
            bounds.append(bound.value)
        else:
            return UNSURE
    return UNSURE if part.step is not None else type(items)(items[bounds[0] : bounds[1]])


def of_text(text: str, method: str, given: Sequence[object]) -> object:
    """Call a method of a text that only changes its form.

    Example:
        >>> of_text("Mock", "lower", ()), of_text("mock-1", "startswith", ("mock",))
        ('mock', True)
    """
    if not given and method in ("lower", "upper", "strip", "casefold", "title", "capitalize", "isdigit"):
        found: object = getattr(text, method)()
        return found
    if len(given) == 1 and isinstance(given[0], str):
        if method == "startswith":
            return text.startswith(given[0])
        if method == "endswith":
            return text.endswith(given[0])
    return UNSURE


def all_same(found: Iterable[object]) -> object:
    """Join what is known along many ways; unsure if there is none."""
    out: object = UNSURE
    for number, exact in enumerate(found):
        out = exact if number == 0 else both(out, exact)
        if out is UNSURE:
            break
    return out
