"""Which lines of a script say what a claim reports, by the labels of the claim."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from provchain.inspection.named_expressions import named_expressions
from provchain.linking.words import split_words
from provchain.model import Claim, ClaimKind, Study

__all__ = ["ScriptLines"]

_MOST_LINES = 3
_NOTHING_SAID = frozenset(
    ["figure", "plot", "curve", "comparison", "chart", "result", "value", "png", "pdf", "svg", "jpg"]
)


class ScriptLines:
    """Finds the lines of scripts that give a name to what claims report.

    Args:
        study: The study.
        texts: What its artifacts hold.
    """

    def __init__(self, study: Study, texts: Mapping[str, str]) -> None:
        self._texts = {a.path: texts[a.id] for a in study.artifacts if a.path.endswith(".py") and a.id in texts}
        self._read: dict[str, list[tuple[frozenset[str], int]]] = {}

    def of(self, script: str, claim: Claim) -> tuple[int, ...]:
        """The lines, the best first; none where the script does not name it in full.

        Args:
            script: Path of the script.
            claim: The claim: a cell by its row and column, a figure by its name.
        """
        asked = _asked(claim)
        if not asked:
            return ()
        if script not in self._read:
            found = named_expressions(self._texts.get(script, ""))
            self._read[script] = [
                (frozenset(w for label in one.labels for w in split_words(label)), one.line) for one in found
            ]
        whole = claim.kind is not ClaimKind.FIGURE
        fitting = [
            (len(words - asked), line)
            for words, line in self._read[script]
            if words and (asked <= words if whole else words - _NOTHING_SAID and words - _NOTHING_SAID <= asked)
        ]
        return tuple(dict.fromkeys(line for _, line in sorted(fitting)))[:_MOST_LINES]


def _asked(claim: Claim) -> frozenset[str]:
    if claim.kind is ClaimKind.FIGURE:
        return frozenset(split_words(posixpath.basename(claim.written))) - _NOTHING_SAID
    if claim.table is None or not claim.row or not claim.header:
        return frozenset()
    return frozenset(split_words(f"{claim.row} {claim.header}"))
