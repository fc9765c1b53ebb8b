"""Numbers that a manuscript writes in another scale or unit than its files: only where that can be told."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from provchain.linking import find_links
from provchain.model import Claim, ClaimKind, Link, Value

ROWS, COLUMNS = ("lake", "river", "pond"), ("tree", "ridge", "knn")
FRACTIONS = (("0.8756", "0.9778", "0.9467"), ("0.9644", "0.7312", "0.9790"), ("0.8891", "0.9472", "0.7364"))


def value(lexical: str, *keys: str, path: str = "out.json") -> Value:
    selector = "/" + "/".join(keys)
    return Value(f"{path}#1!{selector}", f"{path}#1", path, selector, lexical, Decimal(lexical), keys)


def values(inner: str = "mean") -> list[Value]:
    return [
        value(FRACTIONS[r][c], row, column, inner) for r, row in enumerate(ROWS) for c, column in enumerate(COLUMNS)
    ]


def table(numbers: Sequence[Sequence[str]], columns: Sequence[str] = COLUMNS) -> list[Claim]:
    return [
        Claim(
            f"{r},{c}", ClaimKind.NUMBER, "paper.md", 10 + r, 9 * c + 1, written, f"| {ROWS[r]} | {written} |",
            row=ROWS[r].title(), header=columns[c], table=1, cell=(r + 1, c + 2),
        )
        for r, line in enumerate(numbers) for c, written in enumerate(line)
    ]  # fmt: skip


def prose(text: str, written: str) -> Claim:
    return Claim(
        "p", ClaimKind.NUMBER, "paper.md", 3, text.index(written) + 1, written, text, start=text.index(written)
    )


def link(claims: Sequence[Claim], pool: Sequence[Value]) -> dict[str, list[Link]]:
    found: dict[str, list[Link]] = {claim.id: [] for claim in claims}
    for one in find_links(claims, pool, figures={}):
        found[one.claim].append(one)
    return found


def percent(changes: dict[tuple[int, int], str] | None = None) -> list[list[str]]:
    numbers = [[str((Decimal(x) * 100).quantize(Decimal("0.1"))) for x in line] for line in FRACTIONS]
    for (r, c), written in (changes or {}).items():
        numbers[r][c] = written
    return numbers


class TestPercentWithoutASign:
    def test_a_table_that_is_a_hundred_times_its_file_is_read_in_percent(self) -> None:
        found = link(table(percent()), values())
        assert all(links and all(one.agrees and one.scale == 100 for one in links) for links in found.values())

    def test_a_wrong_cell_of_it_does_not_agree(self) -> None:
        found = link(table(percent({(1, 1): "93.7"})), values())
        assert not any(one.agrees for one in found["1,1"])
        assert all(one.agrees for place in ("0,0", "2,2") for one in found[place])

    def test_a_table_of_other_numbers_agrees_nowhere(self) -> None:
        other = [["81.2", "92.4", "77.3"], ["91.8", "85.5", "88.1"], ["93.3", "79.9", "84.7"]]
        assert not any(one.agrees for links in link(table(other), values()).values() for one in links)

    def test_a_table_that_agrees_as_written_is_not_tried_as_percentages(self) -> None:
        doubled = [*values(), *(value("0.0123", row, "slow", "mean") for row in ROWS)]
        numbers = [[*line, "1.23"] for line in FRACTIONS]
        found = link(table(numbers, (*COLUMNS, "slow")), doubled)
        assert all(one.agrees and one.scale == 1 for place in ("0,0", "1,2", "2,1") for one in found[place])
        assert not any(one.agrees for r in range(3) for one in found[f"{r},3"])

    def test_a_cell_without_the_sign_of_its_column_is_not_contradicted_by_the_scale(self) -> None:
        numbers = [[f"{x}%" for x in line] for line in percent()]
        numbers[2] = percent()[2]
        assert all(one.agrees for links in link(table(numbers), values()).values() for one in links)
        numbers[2][0] = "98.9"
        assert not any(one.agrees for one in link(table(numbers), values())["2,0"])
