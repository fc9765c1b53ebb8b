"""Which of a script's written values rest on something read, trained, run, measured or answered, and which on nothing.

Decided by following values through the syntax tree, and through the run's own modules; never by names, comments or words,
and without executing anything. A *sink* is a place where the script writes: an open file, ``to_csv``, ``savefig``, ``print``.
It is grounded if anything real lies upstream of the values written there. Conditions do not ground a quantity:
``if os.path.exists(x): accuracy = 0.9`` stays made up; counting does: ``if prediction == label: correct += 1``.
A condition that arguments, variables of the command, a literal or a missing module decide is decided (``if args.mock``): what
the other branch would have done says nothing about this execution.

The answer is about origins, not about truth: a value with a real origin can still be wrong, and a simulation that iterates over
random numbers is made up by this rule. Whether that is fine is for the caller, who knows the plan.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Mapping, Sequence

import msgspec

from provchain.inspection._flow.fields import named_leaves
from provchain.inspection._flow.machine import BudgetError, Written
from provchain.inspection._flow.statements import Statements
from provchain.inspection._flow.values import REAL_KINDS, Mark, Origin, Value
from provchain.inspection.modules import SourceTree

__all__ = ["Origin", "Sink", "ValueOrigins", "value_origins"]

_MAX_ROUNDS = 12
_MAX_ORIGINS = 24
_MAX_EVIDENCE = 60
_MAX_TEXT = 100
_SPEECH = ("print", "log")  # what only talks about the run


class Sink(msgspec.Struct, frozen=True):
    """One place where a script writes something out, for one way of getting there.

    Attributes:
        path: The source file that holds the writing call.
        line: The line where the ``open(...)`` or the direct writer call begins.
        how: ``open``, ``DataFrame.to_csv``, ``savefig``, ``print``, ``log`` ...
        grounded: True if a real origin lies upstream; False if only literals, formulas and random numbers do; None if that
            cannot be known. A helper that is called with real and with made-up values has a sink for each.
        origins: What lies upstream, the real ones first, capped.
        invented: What random numbers and literals alone make up although other values written here are real: the name of
            the entry, and where it is drawn.
    """

    path: str
    line: int
    how: str
    grounded: bool | None
    origins: tuple[Origin, ...] = ()
    invented: tuple[tuple[str, Origin], ...] = ()


class ValueOrigins(msgspec.Struct, frozen=True):
    """Where the values that a script writes come from.

    Attributes:
        sinks: All places where it writes.
        made_up: True if it writes numbers or figures and none of them has a real origin; None if that cannot be known.
        evidence: The literals, random calls and formulas that reach the sinks, for a person to look at.
    """

    sinks: tuple[Sink, ...] = ()
    made_up: bool | None = None
    evidence: tuple[Origin, ...] = ()


def value_origins(
    tree: SourceTree,
    script: str,
    *,
    inline: str | None = None,
    argv: Sequence[str] | None = None,
    environment: Mapping[str, str] | None = None,
    missing: frozenset[str] = frozenset(),
    caught: frozenset[tuple[str, int]] = frozenset(),
    configs: Mapping[str, str] | None = None,
) -> ValueOrigins:
    """Decide for each place where a script writes whether anything real lies upstream of the values.

    Args:
        tree: The Python sources of the run, as they stood when the script ran.
        script: The script's path in ``tree``; for inline code, the place its imports are resolved from.
        inline: The code itself, where it came on the command line (``python -c``).
        argv: The script's arguments, or ``None`` if they are not known. They are settings and ground nothing, but a condition
            that they decide (``if args.mock``) is decided: only its branch is followed.
        environment: The variables that the command sets; any other is unknown.
        missing: Modules that the record shows not to be installed: importing one fails where the script catches that.
        caught: Path and line of handlers of errors that are known to have run: what was tried there did not come to its end.
        configs: Texts of configuration files, by the path that opens them from the directory in which the script runs.

    Returns:
        The sinks with their origins. Without sinks, and with ``made_up=None``, if the script is not there or cannot be parsed.

    Example:
        >>> found = value_origins({"a.py": "import json\\njson.dump({'f1': 0.91}, open('r.json', 'w'))"}, "a.py")
        >>> found.made_up, found.sinks[0].how, found.evidence[0].text
        (True, 'open', '0.91')
    """
    text = inline if inline is not None else tree.get(script)
    if text is None:
        return ValueOrigins()
    if inline is not None and script in tree:  # the code stands beside that file; it is not the file
        script = posixpath.join(posixpath.dirname(script), "-c")
    analysis = Statements(tree)
    analysis.set_up(argv, environment or {}, missing, caught)
    analysis.configs = configs or {}
    module = analysis.load(script, text)
    if module is None:
        return ValueOrigins()
    analysis.root = script
    settled = _run(analysis, script)
    return _answer(analysis, settled=settled)


def _run(analysis: Statements, script: str) -> bool:
    """Repeat until nothing grows; then once more with everything still missing taken as unknown."""
    module = analysis.modules[script]
    if module is None:
        return False
    try:
        for _ in range(_MAX_ROUNDS):
            analysis.round += 1
            analysis.domain.changed = False
            analysis.effects = 0
            analysis.fanout.clear()
            analysis.constant_fanout.clear()
            analysis.run_module(module)
            while analysis.deferred:
                ctx = analysis.deferred.pop()
                if not ctx.running and ctx.round != analysis.round:
                    analysis.run_context(ctx)
            if not analysis.domain.changed:
                if analysis.strict:
                    return True
                analysis.strict = True
    except (BudgetError, RecursionError):
        return False
    return False


def _answer(analysis: Statements, *, settled: bool) -> ValueOrigins:
    sinks: dict[tuple[str, int, str, bool | None], Value] = {}
    last = analysis.round
    fields = _Fields(analysis)
    for written in analysis.written.values():
        if written.round < last - (0 if settled else 1):
            continue
        marks = analysis.domain.deep(written.value)
        if not marks and written.how == "open":
            continue
        key = (written.path, written.line, written.how, _grounded(analysis, written, marks, settled=settled))
        sinks[key] = sinks.get(key, 0) | marks
        if settled and written.how not in _SPEECH:
            fields.add(written, marks)
    ordered = sorted(sinks.items(), key=lambda item: (item[0][0], item[0][1], item[0][2], str(item[0][3])))
    out = tuple(
        Sink(*key, origins=_origins(analysis, marks), invented=fields.invented(key[0], key[1]))
        for key, marks in ordered
    )
    made_up = _made_up(analysis, sinks, settled=settled)
    evidence = 0
    for key, marks in sinks.items():
        if key[2] not in _SPEECH:
            evidence |= marks
    if not evidence:
        for marks in sinks.values():
            evidence |= marks
    return ValueOrigins(out, made_up, _evidence(analysis, evidence))


class _Fields:
    """Collects what is written under each name, and says which names hold only what was made up.

    Random numbers that a model was trained on, or that something real was computed with, are a data set: what else is said
    of them is a property of the data.
    """

    def __init__(self, analysis: Statements) -> None:
        self._analysis = analysis
        self._by_place: dict[tuple[str, int], dict[str, list[Value]]] = {}
        self._used: Value = 0

    def add(self, written: Written, marks: Value) -> None:
        """Note what one writer was given."""
        domain = self._analysis.domain
        place = self._by_place.setdefault((written.path, written.line), {})
        leaves = list(named_leaves(domain, written.value))
        for name, value in leaves:
            place.setdefault(name, []).append(value)
        for value in [value for _, value in leaves] or [marks]:
            if value & (domain.real | domain.masks["product"]):
                self._used |= value & domain.masks["random"]

    def invented(self, path: str, line: int) -> tuple[tuple[str, Origin], ...]:
        """The names under which a place writes random numbers that nothing real was computed with."""
        domain = self._analysis.domain
        solid = domain.real | domain.masks["unknown"] | domain.masks["product"]
        found = []
        for name, values in self._by_place.get((path, line), {}).items():
            marks = 0
            for value in values:
                marks |= value
            drawn = marks & domain.masks["random"]
            every = all(value & domain.masks["random"] for value in values)
            if drawn and every and not marks & solid and not drawn & self._used:
                origins = [o for mark in domain.marks_of(drawn) if (o := _origin(self._analysis, mark)) is not None]
                found.append((name, min(origins, key=lambda o: (o.path, o.line))))
        return tuple(sorted(found, key=lambda one: one[0]))


def _grounded(analysis: Statements, written: Written, marks: Value, *, settled: bool) -> bool | None:
    if marks & analysis.domain.real:
        return True
    if not settled or marks & analysis.domain.masks["unknown"]:
        return None
    return None if not marks and written.how in ("savefig", "write_image", "write_html") else False


def _made_up(
    analysis: Statements, sinks: dict[tuple[str, int, str, bool | None], Value], *, settled: bool
) -> bool | None:
    domain = analysis.domain
    invented = domain.numbers | domain.masks["random"] | domain.masks["formula"]
    artifacts = {key: marks for key, marks in sinks.items() if key[2] not in _SPEECH}
    decisive = []
    mixed = False
    for key, marks in sinks.items():
        speech = key[2] in _SPEECH
        real = marks & domain.real
        timed = bool(real) and not real & ~domain.masks["measured"]
        # a duration grounds itself: beside invented numbers, or in a message, it says nothing about the others
        if timed and (artifacts if speech else marks & domain.masks["random"]):
            mixed = mixed or not speech
            continue
        numbers = marks & invented & ~(domain.texts if speech else 0)
        if numbers or real or key[3] is None or key[2] == "savefig":
            decisive.append(key[3])
    if any(grounded is True for grounded in decisive):
        return False
    if not decisive:
        return None if mixed or not settled else False
    if not settled or any(grounded is None for grounded in decisive):
        return None
    # something real or unseen happened and reached no sink that we see: it may have written on its own
    happened = domain.masks["trained"] | domain.masks["answered"] | domain.masks["run"] | domain.masks["unknown"]
    return None if analysis.effects & happened else True


def _origins(analysis: Statements, marks: Value) -> tuple[Origin, ...]:
    found = sorted(analysis.domain.marks_of(marks), key=_importance)
    return tuple(origin for mark in found if (origin := _origin(analysis, mark)) is not None)[:_MAX_ORIGINS]


def _evidence(analysis: Statements, marks: Value) -> tuple[Origin, ...]:
    wanted = [m for m in analysis.domain.marks_of(marks) if m.kind == "random" or m.rank in ("amount", "figures")]
    wanted += [m for m in analysis.domain.marks_of(marks) if m.rank == "count" or m.kind == "formula"]
    origins = [origin for mark in wanted if (origin := _origin(analysis, mark)) is not None]
    kept = dict.fromkeys(origins)
    return tuple(sorted(list(kept)[:_MAX_EVIDENCE], key=lambda o: (o.path, o.line, o.kind, o.text)))


def _importance(mark: Mark) -> tuple[int, str, int]:
    order = (*REAL_KINDS, "unknown", "random")
    rank = order.index(mark.kind) if mark.kind in order else len(order) + (mark.rank not in ("amount", "figures"))
    return (rank, mark.path, mark.line)


def _origin(analysis: Statements, mark: Mark) -> Origin | None:
    if mark.kind in ("item", "product"):
        return None
    module = analysis.modules.get(mark.path)
    kind = "formula" if mark.kind == "clock" else mark.kind
    text = _excerpt(module.lines, mark.node) if module else mark.rank
    return Origin(kind, mark.path, mark.line, text)


def _excerpt(lines: list[str], node: ast.AST) -> str:
    """Return an expression as it stands in its source, on one line and shortened."""
    line, end = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
    if not 0 < line <= len(lines):
        return ""
    text = lines[line - 1]
    if text.isascii():
        stop = getattr(node, "end_col_offset", None) if end == line else None
        text = text[getattr(node, "col_offset", 0) : stop]
    text = " ".join(text.split())
    return text if len(text) <= _MAX_TEXT else text[: _MAX_TEXT - 1] + "…"
