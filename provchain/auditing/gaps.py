"""For which claims the record has a gap: what was cut off may have held their number, unless nothing on record makes it.

An output that is cut off, or a file that is missing, holds what its program can produce. Where a manuscript reports what
happens without a part of a method, and no script, configuration or command on record can leave that part out, the number is
in no part of the record that is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from provchain.history import History
from provchain.linking.words import split_words
from provchain.model import Claim, Kind

__all__ = ["RecordGap"]

_ABLATION = re.compile(r"\bablat\w*", re.IGNORECASE)
_LEFT_OUT = re.compile(
    r"(?:\bwithout|\bw/o|\bremov(?:ing|al of)|\bdisabling|\bomitting|\bdropping)\s+(?:the\s+|any\s+)?((?:[\w-]+[ -]?){1,4})",
    re.IGNORECASE,
)
_SWITCHES = ("no", "without", "wo", "use", "with", "disable", "skip", "remove", "drop", "enable", "ablate", "include")
_MOST_TEXT = 400_000


class RecordGap:
    """Says for each claim why the record may not hold what it rests on.

    Args:
        history: What became of the study.
    """

    def __init__(self, history: History) -> None:
        self._gap = history.gap if history.recorded else ""
        self._always = history.gap
        self._code = ""
        if self._gap:
            self._code = "\n".join(_code_of(history))
        self._ablates = _ABLATION.search(self._code) is not None

    def of(self, claim: Claim) -> str:
        """Why the record may not hold what a claim rests on, or empty."""
        if not self._gap or self._ablates:
            return self._always
        left_out = _left_out(claim)
        return self._always if not left_out or self._can_leave_out(left_out) else ""

    def _can_leave_out(self, words: frozenset[str]) -> bool:
        parts = "|".join(sorted(map(re.escape, words)))
        switch = rf"(?<![a-z])(?:{'|'.join(_SWITCHES)})[_\W]{{0,2}}(?:\w+_)?(?:{parts})"
        return re.search(switch, self._code, re.IGNORECASE) is not None


def _left_out(claim: Claim) -> frozenset[str]:
    """What a claim of an ablation study says was left out, in words."""
    if not any(_ABLATION.search(text) for text in (*claim.section[-2:], claim.caption or "", claim.text)):
        return frozenset()
    found = _LEFT_OUT.search(claim.row or claim.text)
    return frozenset(word for word in split_words(found[1]) if len(word) > 2) if found is not None else frozenset()


def _code_of(history: History) -> Iterable[str]:
    for artifact in history.study.artifacts:
        if artifact.kind in (Kind.SCRIPT, Kind.CONFIG) and artifact.id in history.texts:
            yield history.texts[artifact.id][:_MOST_TEXT]
    for execution in history.study.executions:
        yield execution.command
