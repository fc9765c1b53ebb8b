"""Models of builtins and of those standard modules through which paths and arguments pass."""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable

from provchain.inspection._effects.paths import WILD
from provchain.inspection._effects.strings import concat
from provchain.inspection._effects.values import (
    CAP,
    MISSING,
    UNKNOWN,
    Call,
    DictValue,
    Instance,
    Join,
    ListValue,
    Opaque,
    Partial,
    PathValue,
    alternatives,
    lift,
    many,
    texts,
)

__all__ = ["BUILTINS", "DICT_METHODS", "LIST_METHODS", "VALUE_FUNCTIONS", "dict_method", "list_method", "plain_dict"]


def _list(call: Call) -> object:
    """``list``, ``tuple``, ``set``, ``iter`` ...: the same elements."""
    value = call.arg(0, "iterable")
    if value is MISSING:
        return ListValue([])
    items, more = call.host.elements(value)
    if call.name.endswith("reversed"):
        items.reverse()
    if call.name.endswith("sorted") and not more and call.arg(None, "key", "reverse") is MISSING:
        known = [call.host.force(item) for item in items]
        if all(isinstance(item, str) for item in known):
            items = sorted(known, key=str)
    return ListValue(items, more)


def plain_dict(host_call: Call, value: object) -> DictValue | None:
    """A copy of a mapping, a list of pairs, or a namespace, as a dict."""
    if isinstance(value, DictValue):
        return DictValue(dict(value.entries), value.more)
    if isinstance(value, Instance):
        return DictValue(dict(value.attrs), value.more)
    if isinstance(value, ListValue):
        result = DictValue({}, value.more)
        for item in value.items:
            pair = host_call.host.force(item)
            key = host_call.host.force(pair.items[0]) if isinstance(pair, ListValue) and len(pair.items) == 2 else None
            if isinstance(key, (str, int)) and isinstance(pair, ListValue):
                result.entries[key] = pair.items[1]
            else:
                result.more = True
        return result
    return None


def _dict(call: Call) -> object:
    """``dict(...)`` and its many relatives."""
    value = call.arg(0)
    result = DictValue({}) if value is MISSING else plain_dict(call, value) or DictValue({}, more=True)
    result.entries.update(call.kwargs)
    result.more |= call.open_ended
    return result


def _namespace(call: Call) -> object:
    """``argparse.Namespace``, ``SimpleNamespace``, ``EasyDict`` ...: attributes and keys at once."""
    base = plain_dict(call, call.arg(0)) if call.args else DictValue({})
    entries = base.entries if base is not None else {}
    attrs = {str(key): _nested(call, item) for key, item in {**entries, **call.kwargs}.items()}
    return Instance(None, attrs, more=call.open_ended or base is None or base.more)


def _nested(call: Call, value: object) -> object:
    """OmegaConf and its kin turn inner dicts into namespaces too."""
    known = call.host.force(value) if "SimpleNamespace" not in call.name else value
    if isinstance(known, DictValue):
        return Instance(None, {str(key): _nested(call, item) for key, item in known.entries.items()}, known.more)
    return value


def _enumerate(call: Call) -> object:
    """``enumerate``."""
    items, more = call.host.elements(call.arg(0))
    start = call.arg(1, "start")
    first = start if isinstance(start, int) else 0
    pairs: list[object] = [
        ListValue([number if not more else UNKNOWN, item], fixed=True) for number, item in enumerate(items, first)
    ]
    return ListValue(pairs, more)


def _zip(call: Call) -> object:
    """``zip``: known while all columns are."""
    columns = [call.host.elements(call.host.force(arg)) for arg in call.args]
    if not columns:
        return ListValue([])
    if any(more for _, more in columns):
        joined: list[object] = [Join(tuple(items)) if items else UNKNOWN for items, _ in columns]
        known = [len(items) for items, more in columns if not more]
        if known and min(known) <= CAP:  # one side is known: keep its elements apart
            rows = [
                [
                    items[i] if not more and i < len(items) else joined[column]
                    for column, (items, more) in enumerate(columns)
                ]
                for i in range(min(known))
            ]
            return ListValue([ListValue(list(row), fixed=True) for row in rows])
        return ListValue([ListValue(joined, fixed=True)], more=True)
    return ListValue([ListValue(list(row), fixed=True) for row in zip(*(items for items, _ in columns), strict=False)])


def _product(call: Call) -> object:
    """``itertools.product``."""
    columns = [call.host.elements(call.host.force(arg)) for arg in call.args]
    size = 1
    for items, more in columns:
        size *= len(items) if not more else 10**6
    if columns and size <= 4 * CAP and call.arg(None, "repeat") is MISSING:
        rows = itertools.product(*(items for items, _ in columns))
        return ListValue([ListValue(list(row), fixed=True) for row in rows])
    return ListValue(
        [ListValue([Join(tuple(items)) if items else UNKNOWN for items, _ in columns], fixed=True)], more=True
    )


def _chain(call: Call) -> object:
    """``itertools.chain``."""
    found, open_ended = [], False
    for arg in call.args:
        items, more = call.host.elements(call.host.force(arg))
        found += items
        open_ended |= more
    return ListValue(found, open_ended)


def _range(call: Call) -> object:
    """``range`` where it is short, else one unknown number."""
    numbers = [call.host.force(arg) for arg in call.args]
    if all(isinstance(n, int) and not isinstance(n, bool) for n in numbers) and 1 <= len(numbers) <= 3:
        try:
            row = range(*(n for n in numbers if isinstance(n, int)))
        except ValueError:
            return ListValue([UNKNOWN], more=True)
        if 0 < len(row) <= CAP:
            return ListValue(list(row))
    return ListValue([UNKNOWN], more=True)


def _str(call: Call) -> object:
    """``str``, ``repr``."""
    value = call.arg(0, "object")
    return "" if value is MISSING else lift(lambda one: texts(one)[0], value)


def _number(kind: type[int] | type[float]) -> Callable[[Call], object]:
    """``int`` and ``float`` of something known."""

    def one(value: object) -> object:
        if isinstance(value, (str, int, float)) and len(str(value)) < 20 and WILD not in str(value):
            try:
                return kind(value)
            except (ValueError, OverflowError):
                return UNKNOWN
        return UNKNOWN

    return lambda call: lift(one, call.arg(0, "x"))


def _bool(call: Call) -> object:
    """``bool`` of a constant."""
    value = call.arg(0)
    return bool(value) if isinstance(value, (str, int, float, type(None))) and value != WILD else UNKNOWN


def _len(call: Call) -> object:
    """``len`` of what cannot grow."""
    value = call.arg(0)
    return len(value.items) if isinstance(value, ListValue) and value.fixed and not value.more else UNKNOWN


def _getattr(call: Call) -> object:
    """``getattr`` with a known name."""
    target, name = call.arg(0), call.arg(1)
    if not isinstance(name, str) or WILD in name:
        return UNKNOWN
    found = call.host.attribute(target, name)
    default = call.raw(2, "default")
    if found is MISSING or (isinstance(found, Opaque) and default is not MISSING):
        known = isinstance(target, Instance) and not target.more
        return default if default is not MISSING and known else many([call.host.force(default), UNKNOWN])
    return found


def _setattr(call: Call) -> object:
    """``setattr`` with a known name."""
    target, name = call.arg(0), call.arg(1)
    if isinstance(target, Instance):
        if isinstance(name, str) and WILD not in name:
            target.attrs[name] = call.raw(2, "value")
        else:
            target.more = True
    return None


def _hasattr(call: Call) -> object:
    """``hasattr``, where an absence is certain."""
    target, name = call.arg(0), call.arg(1)
    if isinstance(target, Instance) and target.cls is None and isinstance(name, str) and not target.more:
        return name in target.attrs
    return UNKNOWN


def _vars(call: Call) -> object:
    """``vars(args)``, ``asdict``."""
    value = call.arg(0)
    return DictValue(dict(value.attrs), value.more) if isinstance(value, Instance) else DictValue({}, more=True)


def _same(call: Call) -> object:
    """What only wraps its first argument: ``copy``, ``tqdm``, ``OrderedDict`` of a dict ..."""
    value = call.arg(0, "iterable", "x")
    if isinstance(value, DictValue):
        return DictValue(dict(value.entries), value.more)
    if isinstance(value, ListValue):
        return ListValue(list(value.items), value.more)
    if isinstance(value, Instance):
        return Instance(value.cls, dict(value.attrs), value.more)
    return UNKNOWN if value is MISSING else value


def _map(call: Call) -> object:
    """``map``: the function of each element."""
    function = call.arg(0)
    columns = [call.host.elements(call.host.force(arg)) for arg in call.args[1:]]
    if len(columns) != 1:
        return ListValue([UNKNOWN], more=True)
    items, more = columns[0]
    if more or len(items) > CAP:
        items, more = [Join(tuple(items))] if items else [UNKNOWN], True
    return ListValue([call.host.call(function, [item], {}, call.site) for item in items], more)


def _filter(call: Call) -> object:
    """``filter``: any of the elements."""
    items, more = call.host.elements(call.arg(1))
    return ListValue(items, more)


def _choice(call: Call) -> object:
    """``random.choice``, ``next``: one of the elements."""
    items, more = call.host.elements(call.arg(0))
    return many([*(call.host.force(item) for item in items), *([UNKNOWN] if more or not items else [])])


def _extreme(call: Call) -> object:
    """``max``, ``min``: one of the arguments, where all are known numbers the right one."""
    values = [call.host.force(arg) for arg in call.args]
    if len(values) > 1 and all(isinstance(value, int) for value in values):
        numbers = [value for value in values if isinstance(value, int)]
        return max(numbers) if call.name.endswith("max") else min(numbers)
    if len(values) == 1:
        return _choice(call)
    return UNKNOWN


def _partial(call: Call) -> object:
    """``functools.partial``."""
    return Partial(call.arg(0), call.args[1:], dict(call.kwargs))


def _replace(call: Call) -> object:
    """``dataclasses.replace``."""
    value = call.arg(0)
    if not isinstance(value, Instance):
        return UNKNOWN
    return Instance(value.cls, {**value.attrs, **call.kwargs}, value.more)


def _import_module(call: Call) -> object:
    """``importlib.import_module`` with a known name."""
    name = call.arg(0, "name")
    return call.host.load_module(name, call.site) if isinstance(name, str) and WILD not in name else UNKNOWN


def _field(call: Call) -> object:
    """``dataclasses.field``: its default."""
    default = call.raw(None, "default")
    factory = call.arg(None, "default_factory")
    if default is not MISSING:
        return default
    return call.host.call(factory, [], {}, call.site) if factory is not MISSING else MISSING


def _first(call: Call) -> object:
    """``typer.Option``: its default."""
    value = call.raw(0, "default")
    return UNKNOWN if value is MISSING or call.host.force(value) is ... else value


def _defaultdict(_: Call) -> object:
    """``collections.defaultdict``."""
    return DictValue({}, more=True)


def _words(call: Call) -> object:
    """``shlex.split`` of a text without quotes."""
    text = call.arg(0, "s")
    return ListValue(list(text.split()), more=WILD in text) if isinstance(text, str) else ListValue([WILD], more=True)


def _spaced(call: Call) -> object:
    """``shlex.join``."""
    items, more = call.host.elements(call.arg(0))
    result: object = ""
    for number, item in enumerate([*items[:64], *([UNKNOWN] if more else [])]):
        result = lift(concat, lift(concat, result, " " if number else ""), call.host.force(item))
    return result


BUILTINS = frozenset(dir(builtins))

VALUE_FUNCTIONS: dict[str, Callable[[Call], object]] = {
    **dict.fromkeys(
        ["list", "tuple", "set", "frozenset", "iter", "sorted", "reversed", "collections.deque", "random.sample"], _list
    ),
    **dict.fromkeys(["dict", "collections.OrderedDict"], _dict),
    **dict.fromkeys(
        [
            "argparse.Namespace",
            "types.SimpleNamespace",
            "easydict.EasyDict",
            "omegaconf.OmegaConf.create",
            "omegaconf.DictConfig",
            "munch.Munch",
            "box.Box",
            "addict.Dict",
            "ml_collections.ConfigDict",
            "ml_collections.config_dict.ConfigDict",
        ],
        _namespace,
    ),
    **dict.fromkeys(
        ["copy.copy", "copy.deepcopy", "tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.notebook.tqdm", "rich.progress.track"],
        _same,
    ),
    **dict.fromkeys(["str", "repr"], _str),
    "enumerate": _enumerate,
    "zip": _zip,
    "itertools.product": _product,
    "itertools.chain": _chain,
    "range": _range,
    "tqdm.trange": _range,
    "int": _number(int),
    "float": _number(float),
    "bool": _bool,
    "len": _len,
    "getattr": _getattr,
    "setattr": _setattr,
    "hasattr": _hasattr,
    "vars": _vars,
    "dataclasses.asdict": _vars,
    "dataclasses.replace": _replace,
    "dataclasses.field": _field,
    "pydantic.Field": _field,
    "typer.Option": _first,
    "typer.Argument": _first,
    "attr.ib": _field,
    "map": _map,
    "filter": _filter,
    "next": _choice,
    "random.choice": _choice,
    "max": _extreme,
    "min": _extreme,
    "functools.partial": _partial,
    "importlib.import_module": _import_module,
    "__import__": _import_module,
    "collections.defaultdict": _defaultdict,
    "shlex.split": _words,
    "shlex.quote": _str,
    "shlex.join": _spaced,
}


LIST_METHODS = frozenset(
    [
        "append",
        "extend",
        "insert",
        "add",
        "update",
        "pop",
        "copy",
        "index",
        "count",
        "sort",
        "remove",
        "reverse",
        "union",
    ]
)


def list_method(call: Call, target: ListValue, name: str) -> object:
    """Call a method of a list or set."""
    if name in ("append", "add") or (name == "insert" and len(call.args) > 1):
        if len(target.items) < 256:
            target.items.append(call.raw(1 if name == "insert" else 0))
        else:
            target.more = True
    elif name in ("extend", "update"):
        items, more = call.host.elements(call.arg(0))
        target.items.extend(items[:256])
        target.more |= more
    elif name in ("pop", "__getitem__"):
        return many([*(call.host.force(item) for item in target.items), *([UNKNOWN] if target.more else [])])
    elif name == "union":
        items, more = call.host.elements(call.arg(0))
        return ListValue([*target.items, *items], target.more or more)
    elif name == "copy":
        return ListValue(list(target.items), target.more)
    elif name == "remove":
        target.more = True
    return UNKNOWN if name in ("index", "count") else None


DICT_METHODS = frozenset(["get", "setdefault", "update", "items", "keys", "values", "pop", "copy"])


def dict_method(call: Call, target: DictValue, name: str) -> object:
    """Call a method of a dict."""
    if name in ("get", "setdefault", "pop"):
        return _lookup(call, target, name)
    if name == "update":
        other = plain_dict(call, call.arg(0)) if call.args else DictValue({})
        entries = {**(other.entries if other else {}), **call.kwargs}
        for key, value in entries.items():
            old = target.entries.get(key, MISSING)
            target.entries[key] = Join((old, value)) if call.host.unsure and old is not MISSING else value
        target.more |= other is None or other.more or call.open_ended
        return None
    if name == "keys":
        return ListValue(list(target.entries), target.more)
    if name == "values":
        return ListValue(list(target.entries.values()), target.more)
    if name == "items":
        return ListValue([ListValue([k, v], fixed=True) for k, v in target.entries.items()], target.more)
    return DictValue(dict(target.entries), target.more)


def _lookup(call: Call, target: DictValue, name: str) -> object:
    """``get``, ``setdefault``, ``pop``."""
    default = call.raw(1, "default")
    found: list[object] = []
    for key in alternatives(call.arg(0, "key")):
        known = isinstance(key, (str, int, float, bool, PathValue)) and not (isinstance(key, str) and WILD in key)
        if known and key in target.entries:
            found.append(call.host.force(target.entries[key]))
        elif known and not target.more:
            found.append(call.host.force(None if default is MISSING else default))
        else:
            found += [call.host.force(value) for value in ([] if known else list(target.entries.values())[:CAP])]
            found += [call.host.force(default) if default is not MISSING else UNKNOWN, UNKNOWN]
    if name == "setdefault" and isinstance(key := call.arg(0), str) and key not in target.entries:
        target.entries[key] = default if default is not MISSING else None
    return many(found)
