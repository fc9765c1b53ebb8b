"""The experimental set-up that a proposal names: data sets, models, measures, baselines, people who take part.

Only what stands where a plan says what will be run is read: not its introduction, related work, expected outcomes, limits or
future work. What is named as an example (``e.g.``, ``such as``) belongs to a group of which one is enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from provchain.auditing._deviations.known_names import ACRONYMS, MEASURES, MODELS, PEOPLE
from provchain.auditing._deviations.planned_sections import PlanLine, plan_lines
from provchain.model import Place

__all__ = ["PlannedName", "planned_names"]

_MOST_WORDS = 3  # of a name
_ACRONYM = 3  # letters
_SMALL = frozenset(["of", "the", "and", "for", "a", "an", "in", "on", "to", "with"])
_MOST = 200  # names, or counts, of one proposal


class PlannedName(Struct, frozen=True):
    """A thing that a plan names as part of its set-up.

    Attributes:
        about: ``"data"``, ``"model"``, ``"metric"``, ``"baseline"`` or ``"participants"``.
        name: What the plan calls it.
        place: Where, its locator ``line:column``.
        group: Place of the list that it stands in, of which one is enough (its line marked with ``or`` if that is a choice,
            else a list of examples); empty if it is planned itself.
        also: What it is short for, where the line says so.
    """

    about: str
    name: str
    place: Place
    group: str = ""
    also: tuple[str, ...] = ()


# -------------------------------------------------------------------------------------------------------- names

_LIST_LABEL = re.compile(
    r"\s*(?:[-*•–+]|\(?\d{1,2}[.)]|[a-z]\))?\s*(\*\*[^*]{1,80}\*\*:?|`[^`]{1,60}`:?|[^:.]{1,60}?:)(?=\s|$)"
)
_EXAMPLES = re.compile(r"\be\.\s?g\.|\bsuch as\b|\bfor example\b|\bfor instance\b|\blike\b|\bone of\b", re.IGNORECASE)
_OPTIONAL = re.compile(
    r"\b(?:optional(?:ly)?|possibly|potentially|if time|time permitting|may also|might|could|future|later|in addition we may|"
    r"not|without|unlike|instead of|inspired by|similar to|following|proposed by|as in|et al)\b",
    re.IGNORECASE,
)
_PIECE = re.compile(r"[,;()\[\]]|\band\b|\bor\b|\bplus\b|\bwith\b|/\s|\s/|\bvs\.?\b|:\s|\s[-–—]\s|\.\s|\.$|\*\*|&")
_TOKEN = re.compile(r"[A-Za-z][\w+'’]*(?:[-‐‑.@][\w+]+)*")
_MARKER = re.compile(r"\s*(?:[-*•–+]|\(?\d{1,2}[.)])\s+")
_CITATION = re.compile(r"\s*(?:\[\d[\d,\s-]*\]|\([^()]{0,60}(?:19|20)\d\d[a-z]?\))")
_COMPARED = re.compile(r"\b[Cc]ompar\w*\b.{0,80}?\b(?:against|with|to)\b|\bagainst\b")
_HANDLING = re.compile(
    r"process|token|clean|normali|augment|split|annotat|label|format|filter|stor(?:e|age)|tool|pipeline|collect|index|embed|extract|"
    r"feature|encod|partition|quality|licen|privacy|retriev|hardware|software",
    re.IGNORECASE,
)
_NO_DATA = re.compile(r"(?:Error|Exception|Hub|API)$|[→←]|\d[Bb]\b")
_LED = re.compile(
    r"[^.:;]{0,120}?\b(?:[Ee]valuat\w+ (?:\w+ ){0,2}on|[Uu]s(?:e|ing|e of)|[Ee]xperiments? (?:\w+ )?on|[Tt]rain\w* on"
    r"|[Tt]est\w* on)\s+"
)
_GENERIC = re.compile(
    r"(?:\s+(?:v\d[\d.]*|datasets?|data sets?|benchmarks?|corpus|corpora|splits?|subsets?|tasks?|test sets?"
    r"|(?:test|train|validation|dev)\b(?:\s+splits?)?))+$",
    re.IGNORECASE,
)
_INTENDED = re.compile(
    r"\b(?:will|we)\b[^.]{0,120}\b(?:us\w+|evaluat\w+|train\w*|experiment\w*|utili\w+|conduct\w*)\b|\b[Uu]sing\b"
    r"|\b[Ee]valuat\w+ on\b"
)
_DATASET = re.compile(r"((?:[A-Z][\w+’'-]*\s){0,2}[A-Z][\w+’'-]*)\s+(?:[Dd]ata\s?set|[Bb]enchmark|[Cc]orpus)s?\b")
_PLAIN_WORDS = frozenset(
    """the this our a an each all every existing synthetic base custom standard real-world public open large small new full main
    training test validation evaluation target source input raw clean original final these those such several multiple two three
    long short visual textual image text audio video code medical legal scientific we using evaluate dataset benchmark data
    held-out multi-modal multimodal cross-domain in on for of by and or with from to its their question answering classification
    summarization generation language vision robustness task domain model agent system project human user study expert
    issues reasoning dialogue""".split()  # noqa: SIM905
)
_CHOSEN = re.compile(
    r"\b(?:us(?:e|ing)|employ\w*|adopt\w*|fine-?tun\w+|initiali[sz]\w+|based on|built on|implement\w*|deploy\w*|train\w*|"
    r"experiments? with)\b[^.;:]{0,80}$",
    re.IGNORECASE,
)


def planned_names(proposals: Mapping[str, str]) -> list[PlannedName]:
    """Find the things that proposals name as part of their set-up.

    Args:
        proposals: Path of each proposal to its text.

    Returns:
        Each name once, where it stands first.

    Example:
        >>> text = "# Experiments\\n\\n## Datasets\\n- MultiWOZ and XSum\\n\\n## Related work\\nSQuAD is a dataset.\\n"
        >>> [(one.about, one.name, one.place.locator) for one in planned_names({"proposal.md": text})]
        [('data', 'MultiWOZ', '4:3'), ('data', 'XSum', '4:16')]
    """
    found: dict[tuple[str, str], PlannedName] = {}
    for path, text in proposals.items():
        for line in plan_lines(text):
            for about, name, start in _names_of(line):
                key = (about, re.sub(r"\W+", "", name.lower()))
                group = _group(line, start)
                if group is not None and len(found) < _MOST:
                    place = Place(path, f"{line.number}:{start + 1}")
                    also = _long_forms(name, line.text) if about in ("data", "baseline") else ()
                    if about == "baseline" and len(name.split()[-1]) == _ACRONYM and not also:
                        continue  # three letters, of which nobody knows what code calls them
                    planned = PlannedName(about, name, place, f"{path}:{group}" if group else "", also)
                    found.setdefault(key, planned)
    return list(found.values())


def _long_forms(name: str, text: str) -> tuple[str, ...]:
    """The words in a line that an acronym is made of: ``JTT (Just Train Twice)``."""
    short = name.rsplit(maxsplit=1)[-1]
    if not short.isupper():
        return ()
    words = re.findall(r"[A-Za-z]+", text)
    telling = [at for at, word in enumerate(words) if word.lower() not in _SMALL]
    initials = "".join(words[at][0].upper() for at in telling)
    found = (match.start() for match in re.finditer(f"(?={re.escape(short)})", initials))
    spans = ((telling[at], telling[at + len(short) - 1] + 1) for at in found)
    return tuple("".join(words[first:end]).lower() for first, end in spans)


def _group(line: PlanLine, start: int) -> str | None:
    """The list of examples that a name stands in, or empty; ``None`` where it is an option, or said of something else."""
    before = line.text[:start]
    clause = re.split(r"[.;](?:\s|$)", before)[-1]
    if _OPTIONAL.search(clause):
        return None
    if line.examples:
        return line.examples
    if _EXAMPLES.search(clause):
        return str(line.number)
    around = line.text[max(0, start - 60) : start + 60]
    return f"or {line.number}" if re.search(r"\b(?:or|either)\b", around) else ""


def _names_of(line: PlanLine) -> Iterator[tuple[str, str, int]]:
    if (people := PEOPLE.search(line.text)) is not None:
        yield "participants", "study with people", people.start()
    if line.kind == "metric":
        for name, (pattern, _) in MEASURES.items():
            if (found := pattern.search(line.text)) is not None:
                yield "metric", name, found.start()
        return
    taken: set[int] = set()
    for name, pattern in MODELS.items():
        found = pattern.search(line.text)
        if found is not None and found.start() not in taken and _is_chosen(line, found.start()):
            taken.add(found.start())
            yield "model", name, found.start()
    listed = list(_listed(line.text)) if line.kind == "data" else []
    if listed:
        yield from (("data", name, start) for name, start in listed)
    elif line.kind == "baseline":
        yield from (("baseline", name, start) for name, start in _labelled(line.text) if start not in taken)
    elif line.kind != "model":
        for found in _DATASET.finditer(line.text):
            the = line.text[: found.start()].rstrip().lower().endswith("the")
            run = _run(found[1], whole=False) or (_alone(found[1]) if the else "")
            if run and _INTENDED.search(line.text[: found.start()]):
                yield "data", run, found.start() + found[1].index(run)


def _is_chosen(line: PlanLine, start: int) -> bool:
    """Whether a line says that a model will be used: it lists models or baselines, or has a verb that says so."""
    return line.kind in ("model", "baseline") or _CHOSEN.search(line.text[:start]) is not None


def _listed(text: str) -> Iterator[tuple[str, int]]:
    """The names of data sets in a line of a list of them: before its colon, or else in the pieces behind it."""
    label = _LIST_LABEL.match(text)
    marker = _MARKER.match(text)
    at = marker.end() if marker else 0
    if label is not None:
        cited = _CITATION.search(label[1])
        called = _CITATION.sub("", label[1]).strip(" :*`-•–+")
        own = _cited_name(called) if cited is not None else _run(called, whole=False)
        if own:
            yield own, text.index(own.split()[0], label.start(1))
        if own or _HANDLING.search(label[1]):
            return
        at = label.end()
    led = _LED.match(text, at)
    pieces = list(_pieces(text, led.end() if led is not None else at))
    runs = [(_run(_GENERIC.sub("", piece), whole=True), start, piece) for piece, start in pieces]
    named = any(any(map(_is_name, run.split())) for run, _, _ in runs)
    runs = [(run if named else "", start, piece) for run, start, piece in runs]
    alias = False
    for run, start, piece in runs:
        alone = _alone(piece) if named or text[max(0, start - 2) : start] == "**" else ""
        name = run or alone
        if not name and not alias:
            return  # what is named further on stands in an explanation
        if name and not (alias and text[:start].rstrip().endswith("(")):
            yield name, start + piece.index(name)
        alias = bool(name)


def _cited_name(words: str) -> str:
    """The name that a label with a citation is: a few capitalised words, or what is written like a name."""
    plain = 1 < len(words.split()) <= _MOST_WORDS and all(word[:1].isupper() for word in words.split())
    return words if plain and not any(map(_is_other, words.split())) else _run(words, whole=True)


def _alone(piece: str) -> str:
    """The one capitalised word that a piece of a list is, where its neighbours are written like names."""
    words = [word for word in piece.strip("*` ").split() if word.lower() not in _PLAIN_WORDS]
    if len(words) == 1 and words[0][:1].isupper() and words[0].isalpha() and len(words[0]) > 2:
        return words[0] if words[0].lower() not in ACRONYMS else ""
    return ""


def _labelled(text: str) -> Iterator[tuple[str, int]]:
    """The names of methods in a line of a list of them: the first thing that it says, before any words of explanation."""
    label = _LIST_LABEL.match(text)
    if label is not None and not re.search(r"\b[Bb]aselines?\b|[Cc]ompar", label[1]):
        yield from list(_inner_names(label[1], label.start(1)))[:2]
        return
    marker = _MARKER.match(text)
    if label is None and marker is None:
        return
    at = max(label.end() if label is not None else 0, marker.end() if marker else 0)
    if (compared := _COMPARED.search(text, at)) is not None:
        at = compared.end()  # what stands before is what is compared, and no baseline
    for piece, start in _pieces(text, at):
        for name, offset in _inner_names(piece, start):
            yield name, offset
            break


def _pieces(text: str, at: int) -> Iterator[tuple[str, int]]:
    for found in [*_PIECE.finditer(text, at), None]:
        end = found.start() if found is not None else len(text)
        piece = text[at:end]
        if piece.strip():
            yield piece.strip(), at + len(piece) - len(piece.lstrip())
        at = found.end() if found is not None else end


def _inner_names(text: str, at: int) -> Iterator[tuple[str, int]]:
    for token in _TOKEN.finditer(text):
        if _is_name(token[0]):
            yield token[0], at + token.start()
        elif len(token[0]) == 3 and token[0].isupper() and token[0].lower() not in ACRONYMS:
            before = re.search(r"(?<!\S)(?!The |A |An |Our )[A-Z][a-z]+ $", text[: token.start()])  # ``Group DRO``
            start = before.start() if before is not None else token.start()
            yield text[start : token.end()], at + start


def _run(piece: str, *, whole: bool) -> str:
    """The name that a piece of a list begins with.

    Words written like names; or, where the piece is nothing else, two or three capitalised words.
    """
    words = piece.split()
    while words and words[0].lower().strip("*`") in _PLAIN_WORDS and not _is_name(words[0]):
        words = words[1:]
    run: list[str] = []
    for word in words:
        bare = word.strip("*`’'.:")
        if not bare[:1].isalpha() or not (bare[:1].isupper() or _is_name(bare)) or len(run) == _MOST_WORDS:
            break
        run.append(bare)
    name = " ".join(run)
    if not run or name not in piece or any(_is_other(word) for word in run) or _NO_DATA.search(name):
        return ""
    if any(map(_is_name, run)):
        return name
    plain = whole and len(run) == len(words) and len(run) >= 2
    return name if plain and all(word.lower() not in _PLAIN_WORDS for word in run) else ""


def _is_other(word: str) -> bool:
    """Whether a word names what no data set is: a platform, a technique, a kind of error, a model."""
    return (word.lower() in ACRONYMS and len(word) > 3) or any(pattern.search(word) for pattern in MODELS.values())


def _is_name(word: str) -> bool:
    """Whether a word is written like the name of a thing: ``MovieLens``, ``SQuAD``, ``SST2``, ``MS-COCO``, ``CIFAR-10``."""
    bare = word.strip("*`").rstrip("s")
    if bare.lower() in ACRONYMS or word.strip("*`").lower() in ACRONYMS or len(bare) < 4:
        return False
    parts = re.split(r"[-‐‑]", bare)
    if len(parts) > 1 and all(p.lower() in ACRONYMS or p.istitle() or p.islower() for p in parts):
        return False
    capitals = sum(map(str.isupper, bare))
    return (capitals >= 2 and any(map(str.isupper, bare[1:]))) and not bare.istitle()
