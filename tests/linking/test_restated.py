"""Numbers of sentences that a table of the same manuscript holds, and where the labels of a cell lead."""

from __future__ import annotations

import pytest

from provchain.inspection.values import read_values
from provchain.linking import find_links
from provchain.linking.declared_places import MissingPlaceError, Places
from provchain.linking.derived import derived_links
from provchain.linking.nearest import places_of_labels
from provchain.model import Artifact, Claim, Kind, Link, Operand, Tier, Value
from provchain.papers import read_claims

TABLE = """# Sorting

## Results

| n | Insertion sort | Merge sort |
|---|---|---|
| 50 | 641.3 | 221.7 |
| 100 | 2571.2 | 541.0 |
| 200 | 10393.0 | 1280.2 |

"""
CSV = "n,insertion,merge\n50,641.3,221.7\n100,2571.2,541.0\n200,10393.0,1280.2\n"
JSON = (
    '{"insertion": {"50": 641.3, "100": 2571.2, "200": 10393.0}, "merge": {"50": 221.7, "100": 541.0, "200": 1280.2}}'
)
SENTENCE = "The mean number of comparisons fell from 10393.0 to 1280.2, a reduction of 87.7 %.\n"


def values_of(path: str, text: str) -> list[Value]:
    return list(read_values(f"{path}#1", path, text))


def linked(text: str, values: list[Value], table: str = TABLE) -> tuple[list[Claim], dict[str, list[Link]]]:
    """The claims of sentences below a table, and the links of each by what it says."""
    claims = read_claims("report.md", table + text)
    links = find_links(claims, values, figures={})
    links += derived_links(claims, links, {value.id: value for value in values})
    prose = [claim for claim in claims if claim.table is None]
    return claims, {c.written: [link for link in links if link.claim == c.id] for c in prose}


@pytest.mark.parametrize(("path", "text"), [("comparisons.csv", CSV), ("r.json", JSON)])
def test_a_number_of_the_own_table_is_known_again_by_its_digits(path: str, text: str) -> None:
    """The words ask for a mean, which no place of the file calls itself: only the table ties the number to it."""
    claims, found = linked(SENTENCE, values_of(path, text))
    cell = next(claim for claim in claims if claim.table is not None and claim.written == "10393.0")
    of_cell = next(
        link for link in find_links(claims, values_of(path, text), figures={}) if link.claim == cell.id and link.agrees
    )
    (link,) = found["10393.0"]
    assert (link.operands, link.rule, link.note) == (of_cell.operands, "5.8 restates", "restates table 1")
    assert link.tier is Tier.LONE
    assert found["87.7 %"][0].agrees


@pytest.mark.parametrize(
    "sentence",
    [
        "The mean number of comparisons fell from 10393.1.\n",  # another number
        "The mean number of comparisons was 10393.\n",  # fewer digits: it may be a count of its own
        "The mean of merge sort is 10393.0.\n",  # the words name another column
        "The mean time fell from 10393.0 ms.\n",  # another unit
    ],
)
def test_what_only_looks_like_a_number_of_the_table_is_left_alone(sentence: str) -> None:
    _, found = linked(sentence, values_of("r.json", JSON))
    assert not any("restates" in link.note for links in found.values() for link in links)


def test_digits_that_two_places_share_tell_nothing() -> None:
    table = TABLE.replace("1280.2", "10393.0")
    _, found = linked(
        "The mean number fell from 10393.0.\n", values_of("r.csv", CSV.replace("1280.2", "10393.0")), table
    )
    assert found["10393.0"] == []


def test_a_table_whose_cell_is_not_linked_gives_nothing() -> None:
    _, found = linked(SENTENCE, values_of("r.json", JSON.replace("10393.0", "9999.9")))
    assert found["10393.0"] == []


# ------------------------------------------------------------------------------------------------------------- leads


NAMED = '{"insertion sort": {"comparisons": 2571.2, "swaps": 2476}, "merge sort": {"comparisons": 541.0, "swaps": 0}}'
BY_NAME = """# Sorting

## Results

| Algorithm | Comparisons | Swaps |
|---|---|---|
| Insertion sort | 2571.2 | 2476 |
| Merge sort | 514.7 | 0 |
"""


def test_the_labels_of_a_cell_lead_to_the_one_place_that_fits_both() -> None:
    claims = read_claims("report.md", BY_NAME)
    found = places_of_labels(claims, values_of("r.json", NAMED))
    assert {claim.written: found[claim.id].selector for claim in claims if claim.id in found} == {
        "2571.2": "/insertion sort/comparisons",
        "2476": "/insertion sort/swaps",
        "514.7": "/merge sort/comparisons",
        "0": "/merge sort/swaps",
    }


def test_where_two_places_fit_the_labels_none_is_named() -> None:
    claims = read_claims("report.md", BY_NAME)
    twice = values_of("a.json", NAMED) + values_of("b.json", NAMED.replace("541.0", "540.0"))
    found = places_of_labels(claims, twice)
    assert [claim.written for claim in claims if claim.id not in found] == ["514.7"]  # the others say the same
    assert places_of_labels(claims, []) == {}
    assert places_of_labels(read_claims("report.md", "# R\n\n## Results\n\nMerge sort: 514.7\n"), twice) == {}


# -------------------------------------------------------------------------------------------------- declared places


def test_only_some_missing_places_are_compared_with_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each comparison is slow, and thousands of declarations may be wrong for one reason."""
    calls: list[str] = []

    def counted(word: str, others: object, **_: object) -> list[str]:
        calls.append(word)
        return []

    monkeypatch.setattr("provchain.linking.declared_places.difflib.get_close_matches", counted)
    places = Places([Artifact(f"d/f{n}.csv#1", f"d/f{n}.csv", 1, Kind.RESULT) for n in range(300)], lambda _: (), [])
    for number in range(300):
        for operand in (Operand(f"x/g{number}.csv", "/a"), Operand("", "", f"run-{number}")):
            with pytest.raises(MissingPlaceError):
                places.numbers(operand, "p.md")
    assert len(calls) <= 40


def test_a_file_of_that_name_in_another_folder_is_named_first() -> None:
    places = Places([Artifact("results/m.json#1", "results/m.json", 1, Kind.RESULT)], lambda _: (), [])
    for _ in range(100):
        with pytest.raises(MissingPlaceError, match=r"no file 'm\.json'; there is 'results/m\.json'"):
            places.artifact("m.json", "p.md")
