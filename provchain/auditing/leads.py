"""What a reader can look at next, where a number of a table has no source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from provchain.linking.nearest import places_of_labels
from provchain.model import Claim, Judgement, Value, Verdict

__all__ = ["with_leads"]


def with_leads(
    judgements: Mapping[str, Judgement], claims: Sequence[Claim], values: Sequence[Value]
) -> dict[str, Judgement]:
    """Say where the row and the column of a number without a source lead, if one place fits both.

    Args:
        judgements: The verdicts by claim id.
        claims: The claims.
        values: What the artifacts of the study hold.

    Returns:
        The same judgements, some with more words; no verdict changes.
    """
    open_ones = [claim for claim in claims if judgements[claim.id].verdict is Verdict.NO_SOURCE]
    led = dict(judgements)
    for identifier, value in places_of_labels(open_ones, values).items():
        judgement = judgements[identifier]
        if judgement.broken is not None:
            there = f"{value.path}:{value.selector.partition(';')[0]}"
            why = f"{judgement.broken.why}; its row and column lead to {value.lexical} at {there}"
            led[identifier] = msgspec.structs.replace(
                judgement, broken=msgspec.structs.replace(judgement.broken, why=why)
            )
    return led
