"""Columns whose header says how their numbers were made, and leaves what was measured to the column before.

``RMSE | std`` is the RMSE and its deviation; ``±`` and ``s.d.`` say the same. ``mean | std`` leaves both to the caption.

Spec: docs/reference/matching.md, 5.5.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from provchain.linking.aggregates import bare_kinds, names_measure
from provchain.model import Claim

__all__ = ["with_measures"]

_SIGNS = ("±", "+/-", r"\pm", "σ", r"\sigma")
_CENTRES = frozenset(["mean", "median"])


def with_measures(claims: Sequence[Claim]) -> list[Claim]:
    """Give each bare deviation column the measure of the nearest column to its left that names one.

    Args:
        claims: The claims of manuscripts.

    Returns:
        The claims in their order; the header of a cell in such a column says ``std`` and the measure.

    Example:
        >>> from provchain.model import ClaimKind
        >>> cells = [
        ...     Claim(header, ClaimKind.NUMBER, "r.md", 9, 3, "0.7", "", row="cnn", header=header, table=1, cell=(1, at))
        ...     for at, header in enumerate(("RMSE", "seeds", "s.d."), start=2)
        ... ]
        >>> [claim.header for claim in with_measures(cells)]
        ['RMSE', 'seeds', 'std RMSE']
    """
    columns: dict[tuple[str, int], dict[int, str]] = {}
    for claim in claims:
        if claim.table is not None and claim.cell is not None:
            columns.setdefault((claim.path, claim.table), {}).setdefault(claim.cell[1], claim.header or "")
    return [_with_measure(claim, columns) for claim in claims]


def _with_measure(claim: Claim, columns: dict[tuple[str, int], dict[int, str]]) -> Claim:
    if claim.table is None or claim.cell is None or not _is_bare_deviation(claim.header or ""):
        return claim
    table = columns[claim.path, claim.table]
    for column in sorted((one for one in table if one < claim.cell[1]), reverse=True):
        header = table[column]
        if names_measure(header):
            return structs.replace(claim, header=f"std {header}")
        if bare_kinds(header) & _CENTRES:
            break
    return claim


def _is_bare_deviation(header: str) -> bool:
    return header.strip(" ()[]$") in _SIGNS or (not names_measure(header) and "deviation" in bare_kinds(header))
