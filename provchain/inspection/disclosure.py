"""What a manuscript says of itself: that something was done otherwise than planned, or could not be done.

Words of a manuscript are testimony. They never support a result; they only tell whether a reader was told.
"""

from __future__ import annotations

import re

__all__ = ["discloses_change", "reports_incomplete"]

# What was changed must be the experiment, its model, data or scale: "simplified correlations" is no disclosure.
_WHAT = (
    r"(?:[\w-]+ ){0,2}(?:versions?|experiments?|experimental|implementations?|settings?|setups?|models?|architectures?"
    r"|pipelines?|evaluations?|demonstrations?|demos?|runs?|configurations?|scale|datasets?|data sets?|subsets?|samples?"
    r"|number of|training)"
)
_CHANGE = re.compile(
    rf"\b(?:(?:simplified|scaled[- ]down|small(?:er)?[- ]scale|down-?scaled|toy|proxy) {_WHAT}"
    r"|reduced (?:versions?|scale|setup|setting|configuration|number of|subset)"
    r"|instead of (?:the|our|running|using) (?:[\w-]+ ){0,3}(?:planned|proposed|full|original|complete|intended)"
    r"|in place of the (?:planned|proposed|full|original)|(?:deviat|differ)\w* from (?:the|our) (?:plan|proposal|protocol)"
    r"|(?:due to|because of|given|owing to|under) (?:the )?(?:limited |our )?"
    r"(?:time|resource|comput\w+|hardware|memory|budget|gpu)\b"
    r"[\w ]{0,20}(?:constraints?|limits?|limitations?|restrictions?|budget|resources?)"
    r"|could not (?:run|complete|execute|train|use) (?:the|our)"
    r"|not (?:run|evaluated|trained|tested) (?:on|with) (?:the )?(?:full|real|original)"
    r"|only (?:ran|trained|evaluated|used|tested)"
    r" (?:on |with )?(?:a|an|one|two|three|\d+)\b)",
    re.IGNORECASE,
)
_INCOMPLETE = re.compile(
    r"\b(?:could not (?:be )?(?:complete|run|execute|finish|obtain|train|evaluate)\w*"
    r"|(?:was|were) (?:unable|not able) to (?:complete|run|execute|finish|obtain)"
    r"|(?:was|were) not (?:completed|executed|run)\b|did not (?:complete|finish|run)|failed to (?:complete|run|finish|execute)"
    r"|no (?:experimental )?results (?:are|were|could be) (?:available|obtained|reported)"
    r"|(?:experiment|execution|run)s? (?:failed|crashed|timed out|aborted))",
    re.IGNORECASE,
)


def _line_of(expression: re.Pattern[str], text: str) -> int | None:
    match = expression.search(text)
    return text.count("\n", 0, match.start()) + 1 if match else None


def discloses_change(text: str) -> int | None:
    """The first line in which a manuscript says that it did something otherwise than planned.

    Example:
        >>> discloses_change("# R\\nWe used simplified models due to time constraints.")
        2
    """
    return _line_of(_CHANGE, text)


def reports_incomplete(text: str) -> int | None:
    """The first line in which a manuscript says that an experiment could not be completed.

    Example:
        >>> reports_incomplete("The experiment could not be completed.")
        1
    """
    return _line_of(_INCOMPLETE, text)
