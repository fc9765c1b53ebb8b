"""Which matches count: what is denied, supposed, planned, asked or told of other work says nothing of this study.

A match is judged by the clause that it stands in, and by what its sentence says before it.
"""

from __future__ import annotations

import re

from provchain.model import RemarkKind

__all__ = ["counts", "find_status"]

_I = re.IGNORECASE

_BOUNDARY = re.compile(
    r"[,;:|()—–] ?| - |\b(?:but|while|whereas|although|though|however|because|since|yet|so|which|and (?=(?:the"
    r"|all|we|our|it|I)"
    r" ))",
    _I,
)
_SUPPOSED = re.compile(
    r"\b(?:if|unless|until|once|when(?:ever)?|whether|in case|assum(?:e|es|ed|ing)|suppos(?:e|ing)|imagine"
    r"|provided that"
    r"|as soon as|before|should|would|will|may|might|can(?!not| only| not|'t)|could(?! only| not|n't)|must|shall"
    r"|let's|let us"
    r"|let me|we'll|I'll|going to|plans? to|planned to|(?:need|want|aim|intend|hope|try|attempt|expect)(?:s|ed)?"
    r" (?:to|that)"
    r"|ensur(?:e|es|ed|ing)|make sure|check (?:that|if|whether)|verify|wait(?:s|ed|ing)? for|to (?:be|run|create"
    r"|generate|use|make|test|show"
    r"|handle|avoid|prevent|see|simulate)|todo|e\.g\.?|such as|for example|for instance)\b(?!')",
    _I,
)
_DENIED = re.compile(
    r"(?<!\w)(?:not|never|no|none|neither|nor|without|hardly|nothing|nobody|avoid\w*|prevent\w*|unlike|zero|0(?="
    r" (?:of|out|runs"
    r"|seeds)))\b|n't\b",
    _I,
)
_DENIED_NEAR = re.compile(
    r"\b(?:not|no|never|without|unlike|beyond|than|avoid\w*|n't)(?: (?:a|an|the|any|just|only|using|use|merely"
    r"|be|being))*"
    r"(?: [\w-]+)? $",
    _I,
)
_ASKS = re.compile(r"\bplease\b", _I)
_LIMITED = re.compile(r"\b(?:only|partly|partially|almost|nearly|half|some|most|few|part of|just)\b", _I)
_SHARE = re.compile(
    r"(?<![\w.])([0-9]{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|none|zero) (?:of|out of)(?: the|"
    r" our| all)? "
    r"([0-9]{1,4}|one|two|three|four|five|six|seven|eight|nine|ten)(?: [\w-]+){0,3} ?$",
    _I,
)
_MEASURE = re.compile(
    r"(?:number|percentage|fraction|share|proportion|rate|amount|%|time|cost) (?:of|for) (?:[\w-]+ ){0,2}$", _I
)
# "in all experiments the baseline failed": the work is where it happened, not what it is said of.
_WITHIN = re.compile(
    r"\b(?:in|across|during|throughout|from|for|over|within|by|on|through|via|per)"
    r"(?: (?:the|our|all|these|this|both|each|every|any|some|most|its|their|a|an|[\w-]+)){0,2} $",
    _I,
)
_LATER = re.compile(r"\bfuture\b|\bnext steps?\b", _I)
_OTHERS = re.compile(
    r"\b(?:prior|previous|existing|earlier|other|related|traditional|conventional|many|recent)"
    r" (?:works?|stud(?:y|ies)|methods?|approach(?:es)?|papers?|research|researchers|authors?|literature|systems"
    r"|techniques)\b"
    r"|\bet al\b|\[[0-9]{1,3}(?:[,;–-] ?[0-9]{1,3}){0,20}\]|\((?:[A-Z][^()0-9]{1,80})?(?:19|20)[0-9]{2}[a-z]?\)"
    r"|\b(?:the literature|others have)\b",
    _I,
)
_OWN = re.compile(
    r"\b(?:we|our|ours|us|I|my|this (?:paper|work|study|experiment|report|run|evaluation)|the (?:present"
    r"|current) (?:study|work))\b",
    _I,
)
# After these a verb has its cause, its time or its end; before a noun it would be an adjective ("failed attempts").
_VERB_ENDS = re.compile(
    r" (?:after|due|because|with|at|on|in|during|to|and|but|when|before|since|for|again|early|\w+ly|twice|once"
    r"|so|as|while"
    r"|without|by|owing|midway|halfway|out|entirely|too|within|from|under|or|is|was)\b|[^\w ]|$| [-—–(]"
)
_BARE_VERB = re.compile(r"\b(?:failed|crashed|aborted|died|stalled|hung)$", _I)
_CONDITION_AFTER = re.compile(r" ?,? ?(?:if|unless|whenever|only if|only when)\b", _I)
_BY_OTHERS = re.compile(r" by (?!(?:us|the (?:script|pipeline|same)|[0-9]{1,2}:))", _I)
_PRESENT = re.compile(r"\b(?:is|are|has|have)\b", _I)
_COPULA = re.compile(r"\b(?:is|are)\b", _I)
_PATIENCE = re.compile(
    r"\b(?:early[- ]stop\w*|patience|plateau\w*|converge\w*|no improvement|validation (?:loss|accuracy))\b", _I
)
_NUMBERS = {"zero": 0, "none": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_NUMBERS |= {"eight": 8, "nine": 9, "ten": 10}

_STATUS_UNIT = re.compile(
    r"\b(?:status|experiments?|runs?|executions?|training|evaluations?|jobs?|scripts?|ablations?|steps?|stages?"
    r"|phases?|seeds?"
    r"|folds?|baselines?|pipelines?)\b|\ue000",
    _I,
)
_UNDONE_STATUS = re.compile(
    r"\W*(?:n/?a\W{0,4})?(?:failed|crashed|aborted|timed out|(?:was )?not (?:completed|finished|run|executed)"
    r"|did not (?:finish|complete"
    r"|run)|incomplete|unfinished|never (?:run|finished|completed)|out of memory|oom|killed|could not be (?:run"
    r"|completed))"
    r"(?:\W*| (?:after|due|because|with|at|on|in)\b.*)",
    _I,
)
_DONE_STATUS = re.compile(
    r"\W*(?:successfully )?(?:completed?|finished|succeeded)(?: successfully| without errors)?\W*", _I
)
_CELL = re.compile(r"[^|:—()]+")


def counts(kind: RemarkKind, view: str, match: re.Match[str]) -> bool:
    """Whether a match says of this study, as a fact, what its pattern is about.

    Args:
        kind: What the pattern is about.
        view: The sentence.
        match: A match in it.
    """
    if kind is RemarkKind.HELP_ASKED:
        return True
    if view.endswith("?"):
        return False
    start = match.start()
    for boundary in _BOUNDARY.finditer(view, 0, match.start()):
        start = boundary.end()
    before = view[start if start < match.start() or _ends_clause(view, match.start()) else 0 : match.start()]
    following = _BOUNDARY.search(view, match.end())
    clause = view[match.start() - len(before) : following.start() if following else len(view)]
    if _SUPPOSED.search(before) or _LATER.search(view, 0, match.start()) or _of_others(view, clause):
        return False
    if kind is RemarkKind.SIMPLIFIED:
        return _DENIED_NEAR.search(before) is None and _ASKS.search(view) is None
    if _DENIED.search(before):
        return False
    if "subject" in match.groupdict() and _WITHIN.search(before):
        return False
    after = view[match.end() : match.end() + 60]
    if kind is RemarkKind.NOT_COMPLETED:
        return _is_failure(view, match, before, after)
    if kind is RemarkKind.COMPLETED:
        return _is_completion(match, before, after)
    return not (kind is RemarkKind.REPAIRED and re.search(r"\b(?:will|going to|plan to|should|can)\b", after))


def _ends_clause(view: str, position: int) -> bool:
    return any(boundary.end() == position for boundary in _BOUNDARY.finditer(view, max(0, position - 12), position))


def _of_others(view: str, clause: str) -> bool:
    """Whether a clause tells of other work, or of what the study is about."""
    if _OTHERS.search(clause):
        return _OWN.search(clause) is None
    return _OTHERS.search(view) is not None and _OWN.search(view) is None


def _is_failure(view: str, match: re.Match[str], before: str, after: str) -> bool:
    found = match.groupdict()
    if found.get("n") and _number(found["n"]) >= _number(found["m"]):
        return False
    if _CONDITION_AFTER.match(after) or ((share := _SHARE.search(before)) and _number(share.group(1)) == 0):
        return False
    if _BARE_VERB.search(match.group()) and not _VERB_ENDS.match(after):
        return False
    return _MEASURE.search(before) is None and not ("stopped" in match.group().lower() and _PATIENCE.search(view))


def _is_completion(match: re.Match[str], before: str, after: str) -> bool:
    share = _SHARE.search(before)
    if share is not None and _number(share.group(1)) < _number(share.group(2)):
        return False
    if _LIMITED.search(before) or _MEASURE.search(before) or _BY_OTHERS.match(after):
        return False
    if re.search(r"\bafter\b", before, _I) and _PRESENT.search(match.group()):
        return False  # "save the results after all experiments have completed" is an instruction
    if _COPULA.search(match.group()) and not re.match(r"[^\w ]|$| and\b", after):
        return False  # "training is completed in two stages" describes
    return (
        re.match(r"[^.;]{0,20}\b(?:except|apart from|with the exception|but not|if|unless|when|once)\b", after, _I)
        is None
    )


def _number(written: str) -> int:
    return _NUMBERS[written.lower()] if written.lower() in _NUMBERS else int(written)


def find_status(kind: RemarkKind, view: str) -> int | None:
    """Find a status that stands by itself: a cell of a table (``| seed 4 | did not finish |``), ``Status: failed``.

    Args:
        kind: `RemarkKind.NOT_COMPLETED` or `RemarkKind.COMPLETED`.
        view: The sentence.

    Returns:
        The offset of the status in the sentence, or ``None``.
    """
    pattern = _UNDONE_STATUS if kind is RemarkKind.NOT_COMPLETED else _DONE_STATUS
    if not ("|" in view or ":" in view or "—" in view) or view.endswith("?"):
        return None
    cells = list(_CELL.finditer(view))
    named = next((cell for cell in cells if _STATUS_UNIT.search(cell.group())), None)
    if named is None:
        return None
    return next((c.start() for c in cells if c.start() > named.start() and pattern.fullmatch(c.group().strip())), None)
