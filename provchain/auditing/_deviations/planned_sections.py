"""Where in a proposal the set-up stands, and what each line of it lists: data, models, measures or baselines.

Headings are those of Markdown, numbered ones, lines in bold and short lines of their own. A label (``Baselines:``) says what
the lines below it list that are indented deeper, or that follow it as a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

__all__ = ["PlanLine", "plan_lines"]

_MOST_LINES = 5_000
_BOLD_LEVEL = 11  # of a heading that is only a line in bold
_LONGEST = 2_000  # characters of a line
_MOST_WORDS = 6
_HEADING = re.compile(r"(#{1,6})\s+(.{1,160})$")
_NUMBERED = re.compile(
    r"(\d{1,2}(?:\.\d{1,2}){1,3}(?=\.?\s+[A-Z][^.()]{0,100}$)|\d{1,2}(?=\.?\s+[A-Z][^.:()]{0,100}$))\.?\s+(.{1,110})$"
)
_ITEM = re.compile(r"\s*\d{1,2}[.)]\s")
_BOLD = re.compile(r"(?:\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+)?\*\*([^*]{1,120}?):?\*\*:?$")
_OTHER = re.compile(
    r"related|background|introduc|literature|prior work|motivat|expect|outcome|impact|future|limitation|timeline|referenc|"
    r"significan|conclu|abstract|objective|broader|discussion|ethic|contribut|bibliograph|appendix|deliverable|schedule|budget|"
    r"risk|resource|challenge|overview|summary|hypothes",
    re.IGNORECASE,
)
_SETUP = re.compile(
    r"experiment|evaluat|data ?set|benchmark|baseline|metric|set-?up|implementation|validation|method|protocol|design|"
    r"data\b|training|stud(?:y|ies)\b|tasks?\b|models?\b|corpora|statistic|compar",
    re.IGNORECASE,
)
_KINDS = (
    (
        "baseline",
        re.compile(r"\bbaselines?\b|\bcomparison methods?\b|\bcompeting methods?\b|\bcomparisons?\b", re.IGNORECASE),
    ),
    ("metric", re.compile(r"\bmetrics?\b|\bevaluation measures?\b", re.IGNORECASE)),
    ("data", re.compile(r"\bdata ?sets?\b|\bbenchmarks?\b|\bcorpora\b|\bcorpus\b|\bdata collection\b", re.IGNORECASE)),
    (
        "model",
        re.compile(
            r"\b(?:base |backbone |foundation |language )?(?:models?|llms?|backbones?|architectures?)\b", re.IGNORECASE
        ),
    ),
)
_LABEL = re.compile(
    r"(\s*)((?:[-*•–+◦]|\(?\d{1,2}[.)])\s+)?(?:\*\*)?([A-Z][^:*.]{1,60}?)(?:\*\*)?:(?:\*\*)?(?:\s|$)(.*)$"
)
_INTRODUCING = re.compile(
    r"(?:\bfollowing\b|\bagainst\b|\busing\b|\bon\b|\bsuch as\b|\be\.g\.)[^.:]{0,80}:\s*$|:\s*$", re.IGNORECASE
)
_SUCH = re.compile(r"\b(?:such as|e\.g\.|for example|including one of)\b[^.:]{0,40}:?\s*$", re.IGNORECASE)
_MARK = re.compile(r"\s*(?:[-*•–+◦]|\(?\d{1,2}[.)])\s+")


class PlanLine(Struct, frozen=True):
    """A line of the set-up of a plan.

    Attributes:
        number: Of the line, 1-based.
        text: The line.
        kind: What it lists: ``"data"``, ``"model"``, ``"metric"``, ``"baseline"``, or empty.
        examples: It belongs to a list of examples that this line introduces (``such as:``), as its number, or empty.
    """

    number: int
    text: str
    kind: str = ""
    examples: str = ""


class _Label(Struct, frozen=True):
    kind: str
    indent: int
    listed: bool  # it stands in a list itself, so what it introduces is indented deeper
    examples: str


def plan_lines(text: str) -> Iterator[PlanLine]:
    """Go through the lines of a proposal that say what will be run.

    Args:
        text: The proposal.

    Example:
        >>> text = "# Evaluation\\nBaselines:\\n- FooNet\\n\\n# Expected outcomes\\nBarNet wins.\\n"
        >>> [(line.number, line.kind) for line in plan_lines(text)]
        [(2, 'baseline'), (3, 'baseline')]
    """
    stack: list[tuple[int, str]] = []
    label: _Label | None = None
    lines = text.split("\n")[:_MOST_LINES]
    fenced = False
    for at, raw in enumerate(lines):
        line = raw[:_LONGEST].rstrip()
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if not line.strip() or fenced:
            continue
        heading = _heading(line, lines[at - 1] if at else "", lines[at + 1] if at + 1 < len(lines) else "")
        if heading is not None:
            level, title = heading
            while stack and stack[-1][0] >= level:
                stack.pop()
            stack.append((level, title))
            label = None
            continue
        if any(_OTHER.search(title) and not _kind_of(title) for _, title in stack) or not _is_setup(stack):
            continue
        label = _label_for(line, at + 1, label)
        kind = label.kind if label is not None and label.kind else _kind_under(stack)
        yield PlanLine(at + 1, line, kind, label.examples if label is not None else "")


def _kind_under(stack: list[tuple[int, str]]) -> str:
    """What the headings above a line say that it lists: the nearest, or the one that a heading in bold stands under."""
    for level, title in reversed(stack):
        if kind := _kind_of(title):
            return kind
        if level < _BOLD_LEVEL:
            break
    return ""


def _is_setup(stack: list[tuple[int, str]]) -> bool:
    return any(_SETUP.search(title) for _, title in stack)


def _heading(line: str, before: str, after: str) -> tuple[int, str] | None:
    bare = line.strip()
    if (found := _HEADING.match(bare)) is not None:
        return len(found[1]), found[2]
    in_list = _ITEM.match(bare) is not None and (_ITEM.match(before) or _ITEM.match(after))
    if (found := _NUMBERED.fullmatch(bare)) is not None and len(found[2].split()) <= _MOST_WORDS + 4 and not in_list:
        return 7 + found[1].count("."), found[2]
    if (found := _BOLD.fullmatch(bare)) is not None and not line.startswith((" ", "\t")):
        return _BOLD_LEVEL, found[1]
    is_short = len(bare.split()) <= _MOST_WORDS and bare[:1].isupper() and bare[-1:].isalpha() and "," not in bare
    if is_short and not line.startswith((" ", "\t", "|")) and not before.strip() and after.strip():
        return _BOLD_LEVEL + 1, bare
    if (
        is_short
        and line == bare
        and _OTHER.search(bare) is None
        and _kind_of(bare)
        and len(bare.split()) <= _MOST_WORDS - 2
    ):
        return _BOLD_LEVEL + 1, bare
    return None


def _kind_of(title: str) -> str:
    """What a heading or a label says is listed; nothing where it says several things."""
    kinds = [kind for kind, pattern in _KINDS if pattern.search(title)]
    if kinds[:1] == ["metric"] and re.search(r"experiment", title, re.IGNORECASE):
        return ""
    if "data" in kinds and "model" in kinds:
        kinds.remove("model")
    if len(kinds) == 1 and (kinds[0] != "model" or len(title.split()) <= 3):
        return kinds[0]
    return ""


def _label_for(line: str, number: int, label: _Label | None) -> _Label | None:
    """The label that a line stands under; its own, if it begins with one."""
    indent = len(line) - len(line.lstrip())
    listed = _MARK.match(line) is not None
    found = _LABEL.match(line)
    own = _kind_of(found[3]) if found is not None else ""
    examples = str(number) if _SUCH.search(line) else ""
    if own:
        return _Label(own, indent, listed, examples)
    if label is not None and (indent > label.indent or (listed and not label.listed)):
        return label if not examples else _Label(label.kind, label.indent, label.listed, examples)
    if _INTRODUCING.search(line) and (kind := _kind_of_sentence(line)):
        return _Label(kind, indent, listed, examples)
    return None


def _kind_of_sentence(line: str) -> str:
    """What a sentence that ends in a colon introduces, by the last such word in it."""
    found = [(match.start(), kind) for kind, pattern in _KINDS for match in pattern.finditer(line) if kind != "model"]
    return max(found)[1] if found and len(line) < 300 else ""
