"""Declared links: looked up, compared, and never believed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from provchain.events.logged import ClaimDeclared, ClaimWaived, DeclaredLink
from provchain.inspection.values import read_values
from provchain.linking.declared import DeclaredLinks, declared_links, match_claim
from provchain.linking.operations import OPERATIONS
from provchain.model import (
    Artifact,
    Claim,
    ClaimKind,
    Execution,
    Kind,
    Link,
    Operand,
    Place,
    Relation,
    Status,
    Tier,
    Value,
)
from provchain.papers import read_claims
from provchain.papers.declarations import OPERATION_NAMES, read_declarations

AT = Place("claims.toml", "claim[1]")
METRICS = '{"svm": {"accuracy": 0.929, "error": 0.071}, "knn": {"accuracy": 0.88, "seeds": [0.90, 0.86, 0.88]}}'
FILES = {
    "metrics.json#1": ("metrics.json", Kind.RESULT, '{"svm": {"accuracy": 0.5}}'),
    "metrics.json#2": ("metrics.json", Kind.RESULT, METRICS),
    "table.csv#1": ("table.csv", Kind.RESULT, "model,accuracy,share\nsvm,0.929,45%\nknn,0.915 ± 0.008,50%\n"),
    "run.log#1": ("run.log", Kind.LOG, "start\naccuracy 0.9291 loss 0.31\nloss 7\n"),
    "loss.png#1": ("loss.png", Kind.FIGURE, ""),
    "roc.png#1": ("roc.png", Kind.FIGURE, ""),
    "results.md#1": ("results.md", Kind.MANUSCRIPT, "The accuracy of the SVM is 0.9290.\n"),
}
ARTIFACTS = [
    Artifact(name, path, int(name[-1]), kind, sha256=name if kind is Kind.MANUSCRIPT else None)
    for name, (path, kind, _) in FILES.items()
]
EXECUTIONS = [
    Execution("21.1", "python a.py", Place("t.json", "21"), Status.COMPLETED, "exit code", generated=("metrics.json#2", "run.log#1")),
    Execution("22.1", "python b.py", Place("t.json", "22"), Status.FAILED, "exit code"),
    Execution("23.1", "python c.py", Place("t.json", "23"), Status.COMPLETED, "exit code", generated=("loss.png#1", "roc.png#1")),
    Execution("24.1", "python d.py", Place("t.json", "24"), Status.COMPLETED, "exit code", generated=("results.md#1",)),
]  # fmt: skip


def values_of(artifact: str) -> Sequence[Value]:
    path, _, text = FILES[artifact]
    return read_values(artifact, path, text)


def claim(written: str, text: str = "", kind: ClaimKind = ClaimKind.NUMBER, line: int = 18, name: str = "c1") -> Claim:
    return Claim(name, kind, "results.md", line, 9, written, text or f"The accuracy of the SVM is {written}.")


def declare(of: Claim, *links: DeclaredLink) -> DeclaredLinks:
    event = ClaimDeclared(at=AT, paper=of.path, written=of.written, links=links)
    return declared_links([of], [event], ARTIFACTS, values_of, EXECUTIONS)


def one(of: Claim, *links: DeclaredLink) -> Link:
    found = declare(of, *links)
    assert found.problems == []
    (link,) = found.links
    return link


def at(artifact: str, selector: str = "") -> DeclaredLink:
    return DeclaredLink(artifact=artifact, selector=selector)


def computed(operation: str, *selectors: str) -> DeclaredLink:
    return DeclaredLink(operation=operation, operands=tuple(Operand("metrics.json", each) for each in selectors))


def of(operation: str) -> Operand:
    return Operand("metrics.json", "/knn/seeds", operation=operation)


def mean_of(selector: str) -> Operand:
    return Operand("metrics.json", selector, operation="mean")


def several(*selectors: str) -> Operand:
    return Operand(operation="mean", operands=tuple(Operand("metrics.json", each) for each in selectors))


def changed(new: Operand, old: Operand, operation: str = "relative-change") -> DeclaredLink:
    return DeclaredLink(operation=operation, operands=(new, old))


def assert_missing(found: DeclaredLinks, words: str) -> None:
    """The problem is told with its place, and the link cannot hold."""
    ((place, message),) = found.problems
    assert place == AT
    assert words in message
    (link,) = found.links
    assert (link.operands, link.agrees, link.tier) == ((), True, Tier.DECLARED)
    assert words in link.note


class TestPlaces:
    @pytest.mark.parametrize(
        ("written", "link", "operand"),
        [
            ("0.9290", at("metrics.json", "/svm/accuracy"), "metrics.json#2!/svm/accuracy"),
            ("0.93", at("metrics.json", "/svm/accuracy"), "metrics.json#2!/svm/accuracy"),
            ("92.9%", at("metrics.json", "/svm/accuracy"), "metrics.json#2!/svm/accuracy"),
            ("0.929", at("table.csv", "cell=2,2"), "table.csv#1!cell=2,2"),
            ("0.9291", at("run.log", "line=2"), "run.log#1!line=2;1"),
            ("0.31", at("run.log", "line=2"), "run.log#1!line=2;2"),
            ("7", at("run.log", "line=3"), "run.log#1!line=3"),
            ("0.5", at("metrics.json#1", "/svm/accuracy"), "metrics.json#1!/svm/accuracy"),
            ("0.929", at("metrics.json", "/svm"), "metrics.json#2!/svm/accuracy"),
            ("0.929", at("metrics.json"), "metrics.json#2!/svm/accuracy"),
            ("0.9291", DeclaredLink(execution="21.1"), "run.log#1!line=2;1"),
            ("0.45", at("table.csv", "cell=2,3"), "table.csv#1!cell=2,3"),
            ("< 0.08", at("metrics.json", "/svm/error"), "metrics.json#2!/svm/error"),
        ],
    )  # fmt: skip
    def test_a_place_that_says_it(self, written: str, link: DeclaredLink, operand: str) -> None:
        found = one(claim(written), link)
        assert (found.operands, found.agrees, found.rule) == ((operand,), True, "declared")
        assert (found.tier, found.relation) == (Tier.DECLARED, Relation.DECLARED)

    def test_the_values_come_along(self) -> None:
        found = declare(claim("0.9290"), at("metrics.json", "/svm/accuracy"))
        assert {name: value.lexical for name, value in found.values.items()} == {
            "metrics.json#2!/svm/accuracy": "0.929"
        }

    @pytest.mark.parametrize(
        ("written", "link", "there"),
        [
            ("0.9390", at("metrics.json", "/svm/accuracy"), "0.929"),
            ("9.29", at("metrics.json", "/svm/accuracy"), "0.929"),
            ("0.77", at("run.log", "line=2"), "0.9291"),
        ],
    )
    def test_a_place_that_says_something_else(self, written: str, link: DeclaredLink, there: str) -> None:
        found = one(claim(written), link)
        assert not found.agrees
        assert len(found.operands) == 1
        assert f"says {there}, not {written}" in found.note

    @pytest.mark.parametrize(
        ("link", "words"),
        [
            (at("metrix.json", "/svm/accuracy"), "there is 'metrics.json'"),
            (at("metrics.json", "/svm/acuracy"), "there is '/svm/accuracy'"),
            (at("metrics.json", "/mlp"), "holds no number at '/mlp'"),
            (at("metrics.json", "/kn"), "holds no number at '/kn'"),
            (at("metrics.json", "/knn"), "nothing in metrics.json:/knn says 0.9290"),
            (at("loss.png"), "no number can be read"),
            (DeclaredLink(execution="99.1"), "no execution '99.1'"),
            (DeclaredLink(execution="22.1"), "left nothing"),
            (DeclaredLink(execution="23.1"), "says 0.9290"),
            (DeclaredLink(), "names no file"),
        ],
    )
    def test_what_is_not_there(self, link: DeclaredLink, words: str) -> None:
        assert_missing(declare(claim("0.9290"), link), words)

    @pytest.mark.parametrize("link", [at("results.md", "line=1"), at("results.md#1"), DeclaredLink(execution="24.1")])
    def test_a_manuscript_is_no_evidence_for_itself(self, link: DeclaredLink) -> None:
        (made,) = declare(claim("0.9290"), link).links
        assert made.operands == ()

    def test_a_short_number_is_found_in_an_output_only_with_a_word(self) -> None:
        assert_missing(declare(claim("7", "We saw 7 of them."), DeclaredLink(execution="21.1")), "too short")
        assert one(claim("7", "The loss ends at 7."), DeclaredLink(execution="21.1")).agrees

    def test_a_search_does_not_accept_what_is_nearly_it(self) -> None:
        assert_missing(declare(claim("0.9292"), DeclaredLink(execution="21.1")), "nothing in what execution")

    def test_alternatives_are_several_links(self) -> None:
        found = declare(claim("0.9290"), at("nowhere.json"), at("metrics.json", "/svm/accuracy"), at("elsewhere.json"))
        assert [bool(link.operands) for link in found.links] == [False, True, False]
        assert len({link.id for link in found.links}) == 3
        assert len(found.problems) == 2

    def test_the_same_declaration_twice_is_one_link(self) -> None:
        link = at("metrics.json", "/svm/accuracy")
        assert len(declare(claim("0.9290"), link, link).links) == 1


class TestSpreads:
    def test_a_spread_beside_its_mean(self) -> None:
        found = one(claim("0.915 ± 0.008"), at("table.csv", "cell=3,2"))
        assert (found.operands, found.agrees) == (("table.csv#1!cell=3,2", "table.csv#1!cell=3,2;2"), True)
        assert not one(claim("0.915 ± 0.002"), at("table.csv", "cell=3,2")).agrees

    def test_a_place_for_each(self) -> None:
        operands = (Operand("table.csv", "cell=3,2"), Operand("table.csv", "cell=3,2;2"))
        assert one(claim("0.915 ± 0.008"), DeclaredLink(operands=operands)).agrees
        assert not one(claim("0.915 ± 0.929"), DeclaredLink(operands=operands)).agrees

    def test_a_mean_alone_is_said_to_be_one(self) -> None:
        assert "spread is not declared" in one(claim("0.929 ± 0.004"), at("metrics.json", "/svm/accuracy")).note


class TestOperations:
    @pytest.mark.parametrize(
        ("written", "link", "note"),
        [
            ("5.6 %", computed("relative-change", "/svm/accuracy", "/knn/accuracy"), "relative change of 0.929 against 0.88"),
            ("0.056", computed("relative-change", "/svm/accuracy", "/knn/accuracy"), "relative change of 0.929 against 0.88"),
            ("4.9 percentage points", computed("difference", "/svm/accuracy", "/knn/accuracy"), "difference of 0.929 and 0.88"),
            ("1.06x", computed("ratio", "/svm/accuracy", "/knn/accuracy"), "ratio of 0.929 to 0.88"),
            ("0.88", computed("mean", "/knn/seeds"), "mean of 3 values"),
            ("0.90", computed("max", "/knn/seeds/0", "/knn/seeds/1"), "largest of 2 values"),
            ("3", computed("count", "/knn/seeds"), "number of 3 values"),
            ("0.0200", computed("std", "/knn/seeds"), "sample standard deviation of 3 values"),
            ("0.0163", computed("std", "/knn/seeds"), "population standard deviation of 3 values"),
            ("0.88 ± 0.02", computed("mean", "/knn/seeds"), "mean of 3 values with its sample standard deviation"),
            ("0.88 ± 0.05", computed("mean", "/knn/seeds"), "mean of 3 values; its spread is not what they give"),
            ("5.3 %", computed("relative-change", "/knn/accuracy", "/svm/accuracy"), "relative change of 0.88 against 0.929, written without its sign"),
        ],
    )  # fmt: skip
    def test_what_comes_out(self, written: str, link: DeclaredLink, note: str) -> None:
        found = one(claim(written), link)
        assert (found.agrees, found.relation, found.note) == (True, Relation.DERIVED, note)
        assert found.operands

    @pytest.mark.parametrize(
        ("written", "link", "note"),
        [
            ("7.7 %", computed("relative-change", "/svm/accuracy", "/knn/accuracy"), "is 5.56818 %, not 7.7 %"),
            ("4.9 %", computed("relative-change", "/svm/accuracy", "/knn/accuracy"), "it is their difference in points"),
            ("5.57 %", computed("difference", "/svm/accuracy", "/knn/accuracy"), "it is their relative change"),
            ("+5.3 %", computed("relative-change", "/knn/accuracy", "/svm/accuracy"), "not +5.3 %"),
            ("0.0250", computed("std", "/knn/seeds"), "sample standard deviation of 3 values is 0.02 or population"),
        ],
    )  # fmt: skip
    def test_what_does_not(self, written: str, link: DeclaredLink, note: str) -> None:
        found = one(claim(written), link)
        assert (found.agrees, found.relation) == (False, Relation.DERIVED)
        assert note in found.note

    @pytest.mark.parametrize(
        ("link", "words"),
        [
            (computed("avrage", "/knn/seeds"), "no operation 'avrage'"),
            (computed("ratio", "/svm/accuracy"), "needs 2 operands, not 1"),
            (computed("ratio", "/svm/accuracy", "/knn/seeds"), "holds 3 numbers: name one of them"),
            (computed("std", "/svm/accuracy", "/nowhere"), "holds no number at '/nowhere'"),
            (
                DeclaredLink(operation="mean", operands=(Operand(execution="21.1"),)),
                "needs a file and a selector",
            ),
        ],
    )
    def test_what_cannot_be_computed(self, link: DeclaredLink, words: str) -> None:
        assert_missing(declare(claim("0.9290"), link), words)

    @pytest.mark.parametrize(
        ("written", "link", "note"),
        [
            (
                "5.6 %",
                changed(mean_of("/svm"), mean_of("/knn/seeds")),
                "relative change of mean of 2 values (0.5) against mean of 3 values (0.88)",
            ),
            ("0.88", DeclaredLink("metrics.json", "/knn/seeds", operation="mean"), "mean of 3 values"),
            ("0.04", changed(of("max"), of("min"), "difference"), "difference of largest of 3 values (0.9) and least"),
            ("0.0227", changed(of("std"), of("mean"), "ratio"), "ratio of standard deviation of 3 values (0.02) to mean"),
            ("0.0186", changed(of("std"), of("mean"), "ratio"), "ratio of standard deviation of 3 values (0.02) to mean"),
            ("1.76", changed(of("mean"), of("median"), "sum"), "sum of 2 values"),
            ("43.2 %", changed(mean_of("/svm"), mean_of("/knn/seeds")), "against mean of 3 values (0.88), written without"),
            (
                "1.056",
                changed(Operand("metrics.json", "/svm/accuracy"), several("/knn/seeds/0", "/knn/seeds/1"), "ratio"),
                "ratio of 0.929 to mean of 2 values (0.88)",
            ),
        ],
    )  # fmt: skip
    def test_an_operand_can_be_computed(self, written: str, link: DeclaredLink, note: str) -> None:
        found = one(claim(written), link)
        assert found.relation is Relation.DERIVED
        assert found.agrees == (written != "5.6 %")
        assert note in found.note

    @pytest.mark.parametrize(
        ("link", "words"),
        [
            (changed(of("avrage"), of("mean")), "no operation 'avrage'"),
            (changed(of("ratio"), of("mean")), "and no ratio"),
            (
                changed(Operand("metrics.json", "/knn/seeds"), of("mean")),
                'or give an operation, as in operation = "mean"',
            ),
            (at("metrics.json", "/knn/seeds"), 'one of its 3 numbers, or give an operation, as in operation = "mean"'),
            (DeclaredLink(operands=(of("mean"),)), "belong to an operation of the link"),
            (changed(mean_of("/nowhere"), of("mean")), "holds no number at '/nowhere'"),
            (changed(Operand(operation="std", artifact="metrics.json"), of("mean")), "needs a file and a selector"),
            (
                changed(Operand(operation="mean", operands=(of("mean"),)), of("mean")),
                "no operation of their own",
            ),
        ],
    )
    def test_an_operand_that_cannot(self, link: DeclaredLink, words: str) -> None:
        assert_missing(declare(claim("0.9290"), link), words)

    def test_operands_that_were_rounded_themselves(self) -> None:
        link = DeclaredLink(
            operation="ratio", operands=(Operand("table.csv", "cell=2,2"), Operand("table.csv", "cell=3,2"))
        )
        assert one(claim("1.0153"), link).note == "ratio of 0.929 to 0.915"
        assert one(claim("1.0160"), link).note == "ratio of 0.929 to 0.915, within the rounding of its operands"
        assert not one(claim("1.0170"), link).agrees

    def test_rounded_operands_whose_result_says_nothing_do_not_count(self) -> None:
        link = DeclaredLink(
            operation="difference", operands=(Operand("table.csv", "cell=2,2"), Operand("table.csv", "cell=3,2"))
        )
        assert one(claim("0.0140"), link).agrees
        assert not one(claim("0.0145"), link).agrees

    def test_the_file_format_knows_the_operations(self) -> None:
        assert tuple(OPERATIONS) == OPERATION_NAMES


class TestFiguresAndStatements:
    def test_a_figure_rests_on_a_file_or_on_what_drew_it(self) -> None:
        figure = claim("figures/loss.png", kind=ClaimKind.FIGURE)
        assert one(figure, at("loss.png")).operands == ("loss.png#1",)
        assert one(figure, DeclaredLink(execution="23.1")).operands == ("loss.png#1",)
        assert_missing(
            declare(claim("x.png", kind=ClaimKind.FIGURE), DeclaredLink(execution="23.1")), "none is called 'x.png'"
        )

    def test_a_statement_rests_on_all_that_an_execution_left(self) -> None:
        statement = claim("The SVM is best.", kind=ClaimKind.STATEMENT)
        assert one(statement, DeclaredLink(execution="21.1")).operands == ("metrics.json#2", "run.log#1")
        assert one(statement, at("metrics.json", "/svm/accuracy")).operands == ("metrics.json#2!/svm/accuracy",)
        assert_missing(declare(statement, computed("mean", "/knn/seeds")), "gives a number")


class TestMatching:
    CLAIMS = (
        claim("0.9290", name="a"),
        claim("0.9290", line=30, name="b"),
        claim("92.9%", line=30, name="c"),
    )

    def matched(self, **said: object) -> str:
        event = ClaimWaived(at=AT, reason="r", by="b", **said)  # type: ignore[arg-type]
        return "".join(found.id for found in match_claim(event, self.CLAIMS))

    def test_all_that_is_said_has_to_fit(self) -> None:
        assert self.matched(written="0.9290") == "ab"
        assert self.matched(written="0.9290", line=30) == "b"
        assert self.matched(line=30, column=9) == "bc"
        assert self.matched(id="c") == "c"
        assert self.matched(id="c", written="0.9290") == ""
        assert self.matched(written="0.9290", paper="other.md") == ""
        assert self.matched(paper="results.md") == ""
        assert self.matched(written="0.929") == ""

    @pytest.mark.parametrize(
        ("said", "words"),
        [
            ({"written": "0.9290"}, "it fits 2 claims (results.md:18:9, results.md:30:9): add paper and line and column"),
            ({"written": "92.9", "line": 30}, "near it: '0.9290' at results.md:30:9, '92.9%' at results.md:30:9"),
            ({"written": "0.929"}, "near it: '0.9290'"),
            ({"id": "zz"}, "no claim fits id 'zz'"),
            ({"written": "1", "paper": "other.md"}, "no claim of 'other.md' is audited"),
        ],
    )  # fmt: skip
    def test_a_declaration_without_its_one_claim_is_a_problem(self, said: dict[str, object], words: str) -> None:
        event = ClaimDeclared(at=AT, links=(at("metrics.json", "/svm/accuracy"),), **said)  # type: ignore[arg-type]
        found = declared_links(self.CLAIMS, [event], ARTIFACTS, values_of, EXECUTIONS)
        assert found.links == []
        ((place, message),) = found.problems
        assert place == AT
        assert words in message


def test_from_a_file_and_a_manuscript_to_links() -> None:
    manuscript = "# R\n\n## Results\n\nThe SVM reaches 0.9290, which is 5.6 % better than the 0.88 of kNN.\n"
    text = """
format = "provchain-claims/1"
[[claim]]
written = "0.9290"
links = [{ artifact = "../metrics.json", selector = "/svm/accuracy" }]
[[claim]]
written = "5.6 %"
[[claim.links]]
operation = "relative-change"
operands = [
  { artifact = "../metrics.json", selector = "/svm/accuracy" },
  { artifact = "../metrics.json", selector = "/knn/accuracy" },
]
[[waiver]]
written = "0.88"
reason = "from the notebook"
by = "R. Viewer"
"""
    events = read_declarations("paper/claims.toml", text)
    claims = read_claims("paper/results.md", manuscript)
    found = declared_links(claims, events, ARTIFACTS, values_of, EXECUTIONS)
    assert found.problems == []
    assert [(len(link.operands), link.agrees) for link in found.links] == [(1, True), (2, True)]
