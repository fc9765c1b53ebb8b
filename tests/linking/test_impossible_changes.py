"""Changes in prose that no two cells of the measure they name come to, and the honest ones that some two cells do."""

from __future__ import annotations

import pytest

from provchain.linking.impossible_changes import impossible_changes
from provchain.model import Link, Relation, Tier
from provchain.papers import read_claims

TABLES = """# Study

## Results

| Method | Accuracy | Error rate | Memory Usage (MB) | Latency (s) |
|---|---|---|---|---|
| SCLM | 0.543 | 0.457 | 1297.6 | 1.98 |
| Zero-shot baseline | 0.524 | 0.476 | 2970.9 | 1.49 |
| Retrieval | 0.452 | 0.548 | 2469.3 | 2.73 |

"""


def opposed(prose: str, links: tuple[Link, ...] = ()) -> list[str]:
    claims = read_claims("results.md", TABLES + prose + "\n")
    by_id = {claim.id: claim for claim in claims}
    return [by_id[link.claim].written for link in impossible_changes(claims, links)]


@pytest.mark.parametrize(
    ("prose", "written"),
    [
        ("SCLM achieves a 30-40% higher accuracy compared to the zero-shot baseline.", ["30", "40%"]),
        ("It comes with about 70-85% memory reduction.", ["70", "85%"]),
        ("SCLM reduces memory by 70% over all baselines.", ["70%"]),
        ("SCLM has a 2-3 times higher latency than the zero-shot baseline.", ["2", "3"]),
        ("We see an average improvement of 60% in accuracy.", ["60%"]),
    ],
)
def test_what_no_two_cells_come_to(prose: str, written: list[str]) -> None:
    assert opposed(prose) == written


@pytest.mark.parametrize(
    "prose",
    [
        "SCLM achieves a 20% higher accuracy than retrieval.",  # relative
        "SCLM has a 9.1% higher accuracy than retrieval.",  # points
        "SCLM reduces memory by 56% compared to the zero-shot baseline.",
        "Memory is reduced by 47-56% by ours.",
        "The latency is 1.3 times higher than that of the zero-shot baseline.",
        "Throughput is 80% higher.",  # nothing measures it
        "Prior work reported a 60% higher accuracy.",
        "We expect a 60% higher accuracy with more data.",
        "Accuracy improved from 30% to 60%.",  # two values, no change
        "Accuracy may be up to 60% higher elsewhere.",
        "It uses 75% fewer parameters, and accuracy holds.",  # of something else
        "Half of the samples (60%) were easier, at higher accuracy.",
    ],
)
def test_what_may_be_so_stays_open(prose: str) -> None:
    assert opposed(prose) == []


def test_what_rests_on_something_is_not_asked() -> None:
    prose = "We see an average improvement of 60% in accuracy."
    claims = read_claims("results.md", TABLES + prose + "\n")
    claim = next(claim for claim in claims if claim.written == "60%")
    own = Link("l", claim.id, ("m.json#1!/gain",), Relation.QUOTED, Tier.LABELS, "5.8 prose labels")
    assert opposed(prose, (own,)) == []


def test_it_rests_on_what_the_nearest_cells_rest_on() -> None:
    claims = read_claims("results.md", TABLES + "SCLM reduces memory by 70% against the zero-shot baseline.\n")
    cells = {claim.written: claim for claim in claims if claim.table is not None}
    links = [
        Link(written, claim.id, (f"m.json#1!/{written}",), Relation.QUOTED, Tier.LABELS, "5.7 table")
        for written, claim in cells.items()
    ]
    (found,) = impossible_changes(claims, links)
    assert set(found.operands) == {"m.json#1!/1297.6", "m.json#1!/2970.9"}
    assert not found.agrees
    assert "56.3%" in found.note
