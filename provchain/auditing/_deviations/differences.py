"""Differences between the set-up that a plan names and what ran: names that nothing has, numbers that are other ones.

A difference is told only where the code of all that ran is on record. That a name stands nowhere in code, commands and output
is no proof that the thing was not used, so everything that is told here is a hint.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from msgspec import Struct

from provchain.auditing._deviations.known_names import GENERIC_PARTS, MEASURES, MODELS, PEOPLE_IN_CODE
from provchain.auditing._deviations.planned_counts import PlannedCount, planned_counts
from provchain.auditing._deviations.planned_setup import PlannedName, planned_names
from provchain.auditing._deviations.ran import Names, WhatRan, squeeze
from provchain.model import Place, Value

__all__ = ["Difference", "find_differences"]

_SEEDS = "seed"
_NAMED_AS = {
    "batch size": ("batch size", "train batch size", "per device train batch size"),
    "learning rate": ("lr", "learning rate"),
    "fold": ("n split", "n fold", "k fold", "num fold", "cv"),
}
_COUNTERS = frozenset(["n", "num", "number", "max", "maximum", "total", "count", "train", "training", "of"])
_STEPS = frozenset(["step", "iteration", "timestep"])
_SAMPLES = frozenset(["sample", "example", "instance"])
_MOST_VALUES = 3  # other values that one name may have in code; of more nobody knows which is meant


class Difference(Struct, frozen=True):
    """One thing that ran otherwise than planned.

    Attributes:
        about: ``"data"``, ``"model"``, ``"metric"``, ``"baseline"``, ``"participants"``, ``"sample"``, ``"seeds"`` or
            ``"setting"``.
        thing: What it is about: a name, or what is counted.
        planned: What the plan says; empty where it does not name what ran.
        ran: What ran instead; empty where nothing did.
        plan_at: Where the plan says it.
        ran_at: Where that ran.
        executions: Ids of the executions.
    """

    about: str
    thing: str
    planned: str
    ran: str
    plan_at: tuple[Place, ...]
    ran_at: tuple[Place, ...]
    executions: tuple[str, ...] = ()


def find_differences(proposals: Mapping[str, str], ran: WhatRan, settings: Sequence[Value]) -> list[Difference]:
    """Compare the set-up that proposals name with what ran.

    Args:
        proposals: Path of each proposal to its text.
        ran: What ran.
        settings: The values of the configurations and command lines of what ran.

    Returns:
        The differences: names first, then numbers.

    Spec: docs/reference/verdicts.md, "Deviations from the plan".
    """
    if not ran.is_known:
        return []
    names = planned_names(proposals)
    found = [*_missing(names, ran), *_unplanned(names, proposals, ran)]
    counts = planned_counts(proposals)
    return [*found, *_other_seeds(counts, ran), *_other_counts(counts, settings, ran)]


# -------------------------------------------------------------------------------------------------------- names


def _missing(planned: Sequence[PlannedName], ran: WhatRan) -> Iterator[Difference]:
    """What is planned and stands nowhere in what ran; of a list of examples all together."""
    groups: dict[str, list[PlannedName]] = defaultdict(list)
    for one in planned:
        groups[f"{one.about} {one.group}" if one.group else f"{one.about} {one.name} {one.place}"].append(one)
    instead = {"data": _told(ran, "data set", "generated"), "model": _told(ran, "model")}
    seen: set[str] = set()
    for members in groups.values():
        about = members[0].about
        if any(_has(ran.names, one) for one in members) or (about == "participants" and "people" in seen):
            continue
        seen.add("people" if about == "participants" else about)
        chosen = members[0].group.rpartition(":")[2].startswith("or ")
        if members[0].group and (len(members) < 2 or not (about == "data" or (chosen and about == "model"))):
            continue  # an example, and what it stands for may well have been used
        words, places = instead.get(about, ("", ()))
        thing = ", ".join(one.name for one in members)
        planned_as = f"{thing} (one of them)" if members[0].group else thing
        at = tuple(one.place for one in members)
        yield Difference(about, thing, planned_as, words, at, places or ran.at, tuple(e.id for e in ran.executions))


def _has(names: Names, planned: PlannedName) -> bool:
    if planned.about == "participants":
        return any(names.have_part(spelled) for spelled in PEOPLE_IN_CODE)
    if planned.about == "metric":
        return any(names.have_part(spelled) for spelled in MEASURES[planned.name][1])
    if planned.about == "model" and planned.name in MODELS:
        return names.have_part(re.sub(r"\W+", "", planned.name.lower()))
    return names.have(planned.name) or any(names.have_part(spelled) for spelled in planned.also)


def _told(ran: WhatRan, *kinds: str) -> tuple[str, tuple[Place, ...]]:
    """What was loaded of some kinds, in words, and where."""
    loaded = {one.loaded.name: one.place for one in ran.loaded if one.loaded.kind in kinds and one.loaded.name}
    return ", ".join(list(loaded)[:3]), tuple(loaded.values())[:3]


def _unplanned(planned: Sequence[PlannedName], proposals: Mapping[str, str], ran: WhatRan) -> Iterator[Difference]:
    """Data sets that were loaded whatever happened, and that no plan mentions, where a plan names others."""
    own = [one for one in planned if one.about == "data"]
    plan = Names(proposals.values())
    seen: set[str] = set()
    for one in ran.loaded if own else ():
        name = one.loaded.name
        if one.loaded.kind != "data set" or not name or one.loaded.conditional or name in seen:
            continue
        seen.add(name)
        parts = [part for part in re.split(r"[/_\s.:-]+", name.lower()) if len(part) > 2 and part not in GENERIC_PARTS]
        named = Names([name])
        if any(named.have(other.name) for other in own):
            continue
        if plan.have_word(squeeze(name)) or any(plan.have_word(part) for part in parts):
            continue
        yield Difference("data", name, "", name, (own[0].place,), (one.place,), (one.execution,))


# ------------------------------------------------------------------------------------------------------ numbers


def _other_seeds(counts: Sequence[PlannedCount], ran: WhatRan) -> Iterator[Difference]:
    """Fewer seeds than planned."""
    planned = [one for one in counts if one.noun == _SEEDS and 1 < one.number < 1000]
    if not planned or ran.seeds is None or any(one.number <= ran.seeds for one in planned):
        return
    first = planned[0]
    executions = tuple(execution.id for execution in ran.executions)
    yield Difference("seeds", "seeds", first.written, str(ran.seeds), (first.place,), ran.seeds_at, executions)


def _other_counts(counts: Sequence[PlannedCount], settings: Sequence[Value], ran: WhatRan) -> Iterator[Difference]:
    """Numbers that the plan gives to what code and command lines set to others, and never to that one."""
    by_noun: dict[str, list[PlannedCount]] = defaultdict(list)
    for one in counts:
        if one.noun != _SEEDS:
            by_noun[one.noun].append(one)
    read = [(value, _words_of(value)) for value in settings if value.labels]
    for noun, planned in by_noun.items():
        own = [value for value, words in read if _is_named(noun, words, planned[0].number)]
        numbers = {value.number for value in own}
        if not numbers or len(numbers) > _MOST_VALUES or numbers & {one.number for one in planned}:
            continue
        if any(number <= 0 for number in numbers):
            continue
        about = "sample" if noun in _SAMPLES or noun not in (*_NAMED_AS, *_STEPS, "epoch") else "setting"
        ran_as = " or ".join(dict.fromkeys(value.lexical for value in own))
        places = tuple(_place_of(value) for value in own)[:3]
        executions = tuple(execution.id for execution in ran.executions)
        thing = noun if noun in ("batch size", "learning rate") else f"{noun}s"
        yield Difference(about, thing, planned[0].written, ran_as, (planned[0].place,), places, executions)


def _words_of(value: Value) -> tuple[str, ...]:
    """The words of the last label of a value, each without the ``s`` of a plural."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", value.labels[-1])
    return tuple(word.rstrip("s") or word for word in re.findall(r"[a-z]+", spaced.lower()))


def _is_named(noun: str, words: tuple[str, ...], planned: Decimal) -> bool:
    if noun in _NAMED_AS:
        return " ".join(words) in _NAMED_AS[noun]
    if not words:
        return False
    rest = words[:-1]
    if noun in _STEPS:
        counts = not {"max", "total", "train", "training"}.isdisjoint(rest) or words[-1] == "timestep"
        return words[-1] in _STEPS and counts and set(rest) <= _COUNTERS and planned >= 100
    same = words[-1] == noun.rstrip("s") or (noun in _SAMPLES and words[-1] in _SAMPLES)
    if not same or not set(rest) <= _COUNTERS:
        return False
    return bool(rest) or noun in ("epoch", "episode")


def _place_of(value: Value) -> Place:
    locator = value.selector.removeprefix("line=").partition(";")[0].removeprefix("/")
    return Place(value.path, locator)
