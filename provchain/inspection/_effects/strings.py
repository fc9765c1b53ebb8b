"""Text operations on texts with unknown pieces: formatting, concatenation, the methods of ``str``."""

from __future__ import annotations

import ast
import operator
import re
import string
from collections.abc import Callable, Sequence

from provchain.inspection._effects.paths import WILD
from provchain.inspection._effects.values import (
    MAX_TEXT,
    MISSING,
    UNKNOWN,
    DictValue,
    ListValue,
    Opaque,
    PathValue,
    lift,
    texts,
)

__all__ = ["STRING_METHODS", "binary", "format_percent", "format_value", "format_with", "string_method"]

_SAFE_SPEC = re.compile(r"[<>=^]?[-+ ]?#?0?\d{0,2},?(?:\.\d{1,2})?[a-zA-Z%]?\Z")
_PERCENT = re.compile(
    r"%(?:\((?P<name>[^()]*)\))?(?P<spec>[-+ #0]*\d{0,2}(?:\.\d{0,2})?)[hlL]?(?P<kind>[diouxXeEfFgGcrsa%])"
)


def text_of(value: object) -> str:
    """The one text of a value without alternatives."""
    return texts(value)[0]


def format_value(value: object, spec: str) -> object:
    """What ``format(value, spec)`` gives."""
    if not spec:
        return lift(text_of, value)
    if WILD in spec or not _SAFE_SPEC.match(spec):
        return WILD

    def one(item: object) -> object:
        if isinstance(item, (str, int, float)) and WILD not in str(item):
            try:
                return format(item, spec)
            except (ValueError, TypeError, OverflowError):
                return WILD
        return WILD

    return lift(one, value)


def format_percent(template: str, value: object) -> object:
    """What ``template % value`` gives."""
    items = list(value.items) if isinstance(value, ListValue) else [value]
    named = value.entries if isinstance(value, DictValue) else {}

    def piece(match: re.Match[str]) -> str:
        if match["kind"] == "%":
            return "%"
        following = items.pop(0) if items and match["name"] is None else UNKNOWN
        item = named.get(match["name"], UNKNOWN) if match["name"] is not None else following
        if match["kind"] in "sra" and not match["spec"]:
            return text_of(item)
        if isinstance(item, (int, float, str)) and WILD not in str(item):
            try:
                return f"%{match['spec']}{match['kind']}" % item
            except (ValueError, TypeError, OverflowError):
                return WILD
        return WILD

    return _PERCENT.sub(piece, template)


def format_with(template: str, args: Sequence[object], kwargs: dict[str, object]) -> object:
    """What ``template.format(*args, **kwargs)`` gives."""
    try:
        pieces = list(string.Formatter().parse(template))
    except ValueError:
        return WILD
    result: object = ""
    automatic = 0
    for literal, name, spec, _conversion in pieces:
        result = lift(concat, result, literal)
        if name is None:
            continue
        field = name
        if not field:
            field, automatic = str(automatic), automatic + 1
        if field.isdecimal() and len(field) < 4:
            value = args[int(field)] if int(field) < len(args) else UNKNOWN
        else:
            value = kwargs.get(field, UNKNOWN)
        result = lift(concat, result, format_value(value, spec or ""))
    return result


def concat(left: object, right: object) -> object:
    """Two texts in a row."""
    joined = text_of(left) + text_of(right)
    return joined if len(joined) <= MAX_TEXT else WILD


_NUMERIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


def binary(kind: type[ast.operator], left: object, right: object) -> object:
    """An operator on two worked-out values without alternatives."""
    if isinstance(left, bool) or isinstance(right, bool):
        return UNKNOWN
    if isinstance(left, int) and isinstance(right, int):
        function = _NUMERIC.get(kind)
        if function is None or abs(left) > 10**12 or abs(right) > 10**12:
            return UNKNOWN
        return UNKNOWN if right == 0 and kind in (ast.FloorDiv, ast.Mod) else function(left, right)
    if kind is ast.Div and (isinstance(left, PathValue) or isinstance(right, PathValue)):
        return join_paths(text_of(left), text_of(right))
    if kind is ast.Div and isinstance(left, Opaque) and isinstance(right, str):
        return join_paths(WILD, right)  # an unknown divided by a text can only be a path
    if kind is ast.Add:
        if isinstance(left, ListValue) and isinstance(right, ListValue):
            return ListValue([*left.items, *right.items], left.more or right.more, left.fixed and right.fixed)
        if isinstance(left, ListValue) or isinstance(right, ListValue):
            known = left if isinstance(left, ListValue) else right
            return ListValue(list(known.items), more=True) if isinstance(known, ListValue) else UNKNOWN
        if isinstance(left, str) or isinstance(right, str):
            return concat(left, right)
    if kind is ast.Mod and isinstance(left, str):
        return format_percent(left, right)
    if kind is ast.Mult and isinstance(left, str) and isinstance(right, int) and len(left) * max(right, 0) <= MAX_TEXT:
        return left * right
    if kind is ast.BitOr and isinstance(left, DictValue) and isinstance(right, DictValue):
        return DictValue({**left.entries, **right.entries}, left.more or right.more)
    return UNKNOWN


def join_paths(left: str, right: str) -> PathValue:
    """What ``Path(left) / right`` gives."""
    if right.startswith("/"):
        return PathValue(right)
    if left in ("", "."):
        return PathValue(right)
    return PathValue(f"{left.rstrip('/')}/{right}" if right else left)


STRING_METHODS = frozenset(
    [
        "capitalize",
        "casefold",
        "encode",
        "decode",
        "endswith",
        "format",
        "format_map",
        "join",
        "lower",
        "lstrip",
        "partition",
        "removeprefix",
        "removesuffix",
        "replace",
        "rpartition",
        "rsplit",
        "rstrip",
        "split",
        "splitlines",
        "startswith",
        "strip",
        "swapcase",
        "title",
        "upper",
        "zfill",
        "isdigit",
        "isupper",
    ]
)
_PLAIN = frozenset(
    [
        "capitalize",
        "casefold",
        "lower",
        "lstrip",
        "removeprefix",
        "removesuffix",
        "replace",
        "rstrip",
        "strip",
        "swapcase",
        "title",
        "upper",
    ]
)


def string_method(text: str, name: str, args: Sequence[object]) -> object:
    """What a method of ``str`` gives, its arguments worked out and without alternatives."""
    plain = [arg for arg in args if isinstance(arg, str)]
    if name in _PLAIN:
        if len(plain) != len([arg for arg in args if not isinstance(arg, int)]) or any(
            WILD in arg for arg in plain[: 1 if name == "replace" else None]
        ):
            return WILD
        try:
            result = getattr(text, name)(*args)
        except (TypeError, ValueError):
            return WILD
        return result if len(result) <= MAX_TEXT else WILD
    if name in ("encode", "decode"):
        return text
    if name in ("split", "rsplit", "splitlines", "partition", "rpartition"):
        return _split(text, name, args)
    if name in ("startswith", "endswith"):
        return _edge(text, name, args)
    if name == "zfill" and args and isinstance(args[0], int) and args[0] < 64:
        return text.zfill(args[0]) if WILD not in text else WILD
    if name == "join" and args:
        return _join(text, args[0])
    return UNKNOWN if name.startswith("is") else WILD


def _split(text: str, name: str, args: Sequence[object]) -> object:
    """The pieces of a text; an unknown piece may hide further separators."""
    if any(not isinstance(arg, (str, int, type(None))) or (isinstance(arg, str) and WILD in arg) for arg in args):
        return ListValue([WILD], more=True)
    try:
        items: list[object] = list(getattr(text, name)(*args))
    except (TypeError, ValueError):
        return ListValue([WILD], more=True)
    return ListValue(items, more=WILD in text, fixed=True)


def _edge(text: str, name: str, args: Sequence[object]) -> object:
    """Whether a text starts or ends with another, where that is certain."""
    tails = args[0].items if args and isinstance(args[0], ListValue) else args[:1]
    if not tails or any(not isinstance(tail, str) or WILD in tail for tail in tails):
        return UNKNOWN
    piece = text.split(WILD, maxsplit=1)[0] if name == "startswith" else text.rsplit(WILD, maxsplit=1)[-1]
    known = tuple(str(tail) for tail in tails)
    if getattr(piece, name)(known):
        return True
    if WILD not in text or all(len(piece) >= len(tail) for tail in known):
        return False
    return UNKNOWN


def _join(separator: str, value: object) -> object:
    """What ``separator.join(value)`` gives."""
    if not isinstance(value, ListValue) or not value.items:
        return WILD
    result: object = ""
    for number, item in enumerate(value.items[:64]):
        result = lift(concat, result, separator if number else "")
        result = lift(concat, result, item if item is not MISSING else UNKNOWN)
    return result if not value.more and len(value.items) <= 64 else lift(concat, result, WILD)
