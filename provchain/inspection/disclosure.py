"""What a manuscript says of itself: that something was done otherwise than planned, or could not be done.

Words of a manuscript are testimony. They never support a result; they only tell whether a reader was told.
"""

from __future__ import annotations

import re

__all__ = ["discloses_change", "reports_incomplete"]

_CHANGE = re.compile(
    r"\b(?:simplif(?:ied|ication|y)\w*|scaled[- ]down|reduced (?:version|scale|set|number)|smaller[- ]scale|subset of"
    r"|instead of the (?:planned|proposed|full)|in place of|fallback|proxy (?:for|task|model)|surrogate|substitut\w+"
    r"|deviat\w+ from|(?:time|resource|comput\w+|hardware|memory|budget) constraints?"
    r"|limited (?:time|resources|compute|budget)|due to (?:limited|time|comput\w+|resource))\b",
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
