"""Claims of Markdown manuscripts stand where they say, carry their labels, and are told apart by what they are for."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from provchain.errors import SourceError, UnknownFormatError
from provchain.model import Claim, ClaimKind, ClaimRole
from provchain.papers import is_manuscript, read_claims

RESULT, SETTING, CITED = ClaimRole.RESULT, ClaimRole.SETTING, ClaimRole.CITED
ILLUSTRATIVE, NOTHING = ClaimRole.ILLUSTRATIVE, ClaimRole.NOT_A_RESULT


def read(text: str, path: str = "results.md") -> list[Claim]:
    """Read claims, and hold what must hold for every one of them."""
    claims = read_claims(path, text)
    lines = text.split("\n")
    for claim in claims:
        assert claim.path == path
        assert claim.written
        assert lines[claim.line - 1][claim.column - 1 :].startswith(claim.written), claim
        assert len(claim.text) < 700
        assert claim.role is RESULT or claim.why
        assert claim.role is RESULT or not claim.measured
    assert len({(claim.line, claim.column, claim.kind) for claim in claims}) == len(claims)
    assert len({claim.id for claim in claims}) == len(claims)
    return claims


def places(claims: list[Claim]) -> list[tuple[str, int, int]]:
    return [(claim.written, claim.line, claim.column) for claim in claims]


def roles(text: str, path: str = "paper.md") -> dict[str, ClaimRole]:
    return {claim.written: claim.role for claim in read(text, path) if claim.kind is ClaimKind.NUMBER}


TABLE = """\
# Results

The following table shows retrieval performance:

| Model | precision@1 | mAP |
|:------|------------:|:---:|
| GNN \\| full | **0.7279** | *0.6987* |
| [PCA](pca.md) | 0.5279<br>0.5 | `0.4987` |
| MLP | nan | - |
"""


def test_a_table() -> None:
    """Each cell has its place, its row, its column and the sentence that introduces its table."""
    claims = [claim for claim in read(TABLE) if claim.role is RESULT]
    assert places(claims) == [
        ("0.7279", 7, 19),
        ("0.6987", 7, 31),
        ("0.5279", 8, 19),
        ("0.5", 8, 29),
        ("0.4987", 8, 36),
    ]
    first = claims[0]
    assert (first.row, first.header, first.table, first.cell) == ("GNN \\| full", "precision@1", 1, (1, 2))
    assert first.caption == "The following table shows retrieval performance:"
    assert first.section == ("Results",)
    assert first.text == "| GNN \\| full | **0.7279** | *0.6987* |"
    assert all(claim.measured for claim in claims)
    assert claims[2].row == "PCA"


@pytest.mark.parametrize(
    ("prefix", "ending", "head"),
    [
        ("", "\r\n", ""),
        ("> ", "\n", ""),
        ("> > ", "\n", ""),
        ("  ", "\n", "- item\n\n"),
        ("", "\n", "\ufeff\n"),
        ("   ", "\n", ""),
    ],
)
def test_tables_in_containers(prefix: str, ending: str, head: str) -> None:
    """Quotes, lists, CRLF, a byte order mark and indentation change columns, and nothing else."""
    rows = ["| Model | Accuracy |", "|---|---|", "| A | 0.9123 |", "| A | 0.9123 |"]
    claims = read(head + "".join(f"{prefix}{row}{ending}" for row in rows))
    first = 3 + head.count("\n")
    assert places(claims) == [("0.9123", first, 7 + len(prefix)), ("0.9123", first + 1, 7 + len(prefix))]
    assert [claim.row for claim in claims] == ["A", "A"]


def test_a_table_that_begins_in_its_list_item() -> None:
    """The marker of a list item is no part of the table that begins behind it."""
    claims = read("1. | Model | Accuracy |\n   |---|---|\n   | A 1 | 0.9 |\n")
    assert places([claim for claim in claims if claim.role is RESULT]) == [("0.9", 3, 12)]


def test_two_tables() -> None:
    """Tables are counted, and a numbered caption above or below wins over other sentences."""
    text = (
        "Table 1: Accuracy.\n\n| M | Acc |\n|---|---|\n| A | 0.91 |\n\nSome words.\n\n"
        "| M | Acc |\n|---|---|\n| A | 0.92 |\n*Table 2: On the test set.*\n"
    )
    claims = [claim for claim in read(text) if claim.cell]
    assert [(claim.written, claim.table) for claim in claims] == [("0.91", 1), ("0.92", 2)]
    assert claims[0].caption == "Table 1: Accuracy."
    assert claims[1].caption == "Table 2: On the test set."


def test_cells_with_several_numbers() -> None:
    """Each number of a cell is a claim; digits of names in it are none."""
    claims = read("| Statistic | Value |\n|---|---|\n| by type | vision: 58, cifar10: 28 |\n")
    assert [(claim.written, claim.role) for claim in claims] == [("58", RESULT), ("28", RESULT)]
    assert {claim.cell for claim in claims} == {(1, 2)}


def test_digits_of_a_name_claim_nothing() -> None:
    """They would only stand beside the numbers of their line, and mean nothing."""
    assert [claim.written for claim in read("## Results\n\nOn SST-2 GPT-4 reaches an F1 of 0.91.\n")] == ["0.91"]


def test_a_number_knows_where_it_stands_in_its_sentence() -> None:
    """A number may stand there several times, and each claim is about its own."""
    claims = read("## Results\n\nFirst.  Weights of\n0.5 and recall of 0.5 were met.\n")
    assert [claim.text[: claim.start] for claim in claims] == ["Weights of ", "Weights of 0.5 and recall of "]


def test_row_labels() -> None:
    """Leading text cells name a row together; an empty first cell continues the row above."""
    text = "| Data | Model | F1 |\n|---|---|---|\n| iris (61) | forest | 0.91 |\n| | tree | 0.82 |\n"
    claims = {claim.written: claim for claim in read(text)}
    assert claims["0.91"].row == "iris (61) / forest"
    assert claims["0.82"].row == "iris (61) / tree"
    assert claims["61"].role is NOTHING
    assert "1" not in claims


def test_rows_may_be_short_or_long() -> None:
    """Cells that are missing are missing, and cells beyond the header are not shown."""
    claims = read("| M | A | B |\n|---|---|---|\n| x | 0.51 |\n| y | 0.61 | 0.62 | 0.63 |\n")
    assert [claim.written for claim in claims] == ["0.51", "0.61", "0.62"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("## Hyperparameters\n\n| Parameter | Value |\n|---|---|\n| hidden_dim | 128 |\n", "128"),
        ("| Key | Value |\n|---|---|\n| learning_rate | 0.001 |\n| Batch size | 16 |\n", "0.001"),
        ("# Results\n\nTraining configuration:\n\n| Name | Value |\n|---|---|\n| foo | 128 |\n", "128"),
        ("# Results\n\n| Model | Epochs | Accuracy |\n|---|---|---|\n| A | 50 | 0.91 |\n", "50"),
        ("# Results\n\n| k | Accuracy |\n|---|---|\n| 5 | 0.91 |\n| 10 | 0.93 |\n", "10"),
        ("## Experimental Setup\n\n| Dataset | Train |\n|---|---|\n| SST | 200 |\n", "200"),
    ],
)
def test_tables_of_settings(text: str, written: str) -> None:
    """Settings are told by the caption, the section, the headers, or the names in the first column."""
    assert roles(text)[written] is SETTING


def test_results_beside_settings() -> None:
    """A column of settings does not make settings of the columns beside it."""
    assert roles("# Results\n\n| Seed | Accuracy |\n|---|---|\n| 1 | 0.91 |\n| 2 | 0.93 |\n")["0.91"] is RESULT


@pytest.mark.parametrize(
    "row", ["| BERT [12] |", "| BERT (Devlin et al., 2019) |", "| BERT† |", "| BERT, reported by X |"]
)
def test_cited_rows(row: str) -> None:
    """A row that cites other work holds somebody else's numbers; the row below it does not."""
    found = roles(f"# Results\n\n| Model | Accuracy |\n|---|---|\n{row} 0.911 |\n| Ours | 0.922 |\n")
    assert found["0.911"] is CITED
    assert found["0.922"] is RESULT


@pytest.mark.parametrize(
    ("caption", "role"),
    [
        ("Table 1: Illustrative numbers only.", ILLUSTRATIVE),
        ("Table 1: Hypothetical scores.", ILLUSTRATIVE),
        ("Table 1: Simulated results.", ILLUSTRATIVE),
        ("Table 1: Accuracy on the synthetic dataset.", RESULT),
        ("Table 1: Accuracy in simulated environments.", RESULT),
    ],
)
def test_labelled_tables(caption: str, role: ClaimRole) -> None:
    """A caption that calls the numbers made up is honoured; one that names synthetic data is not such a label."""
    assert roles(f"# Results\n\n{caption}\n\n| M | Acc |\n|---|---|\n| A | 0.911 |\n")["0.911"] is role


@pytest.mark.parametrize(
    ("sentence", "written", "role"),
    [
        ("Accuracy reached 91.5% on the test set.", "91.5%", RESULT),
        ("It scored 0.915 ± 0.008 overall.", "0.915 ± 0.008", RESULT),
        ("On the synthetic dataset it scored 0.91.", "0.91", RESULT),
        ("For example, accuracy rose to 0.91.", "0.91", RESULT),
        ("The effect is significant (p = 0.031).", "0.031", RESULT),
        ("Expected Calibration Error (ECE) fell to 0.05.", "0.05", RESULT),
        ("The agents exchanged 32 messages.", "32", RESULT),
        ("It converged after 24 epochs.", "24", RESULT),
        ("The loss is flat around epoch 30.", "30", RESULT),
        ("It yields $D=0.96$ here.", "0.96", RESULT),
        ("Different choices in 2/5 cases.", "2", RESULT),
        ("We tried different ranks (5, 10, 20).", "10", SETTING),
        ("BERT [3] scored 0.91 in our runs.", "0.91", RESULT),
        ("The reduction of 29% exceeds the target of 20%.", "29%", RESULT),
        ("The reduction of 29% exceeds the target of 20%.", "20%", ILLUSTRATIVE),
        ("These numbers are illustrative: 0.91.", "0.91", ILLUSTRATIVE),
        ("We use synthetic values such as 0.91 here.", "0.91", ILLUSTRATIVE),
        ("It is expected to reach 0.91 later.", "0.91", ILLUSTRATIVE),
        ("The models were trained for 50 epochs.", "50", SETTING),
        ("We used a learning rate of 0.001.", "0.001", SETTING),
        ("We evaluated on 100 samples.", "100", SETTING),
        ("With k=5 it is best.", "5", SETTING),
        ("Averaged over 3 random seeds.", "3", SETTING),
        ("The data was split 80/10/10 for train, validation and test.", "80", SETTING),
        ("Smith et al. (2020) reported 0.91.", "0.91", CITED),
        ("As reported in [4], accuracy is 0.91.", "0.91", CITED),
        ("See Table 2 and Section 3.1.", "3.1", NOTHING),
        ("As Figures 4-6 show, it works.", "6", NOTHING),
        ("This was known [12].", "12", NOTHING),
        ("It lies in [0, 1] always.", "1", NOTHING),
        ("Published in 2019 by others.", "2019", NOTHING),
        ("We used Python 3.11 throughout.", "3.11", NOTHING),
        ("See https://example.org/run/5 for all.", "5", NOTHING),
        ("We ask (1) whether and (2) why.", "2", NOTHING),
    ],
)
def test_roles_in_results(sentence: str, written: str, role: ClaimRole) -> None:
    """In a results section everything is a result unless its own words say otherwise."""
    assert roles(f"# Title\n\n## 5. Results\n\n{sentence}\n")[written] is role


@pytest.mark.parametrize(
    ("section", "role", "measured"),
    [
        ("Results", RESULT, True),
        ("6. Analysis", RESULT, True),
        ("Abstract", RESULT, True),
        ("Conclusion", RESULT, True),
        ("Experimental Setup", SETTING, False),
        ("3.2 Evaluation Metrics", SETTING, False),
        ("Methodology", SETTING, False),
        ("Related Work", CITED, False),
        ("Introduction", CITED, False),
        ("Expected Results", ILLUSTRATIVE, False),
        ("Limitations", RESULT, False),
        ("References", NOTHING, False),
        ("Something Else", RESULT, False),
    ],
)
def test_sections(section: str, role: ClaimRole, measured: bool) -> None:
    """A section says what its numbers are for, and whether they count for the outcome of the study."""
    claims = read(f"# A Title\n\n## {section}\n\nThe rate was 0.917 there.\n", "paper.md")
    claim = next(claim for claim in claims if claim.written == "0.917")
    assert (claim.role, claim.measured) == (role, measured)


def test_sections_nest() -> None:
    """A heading that only sounds like results gives way to the section it stands in."""
    (claim,) = read("# T\n\n## Related Work\n\n### Holistic Evaluation\n\nThe rate was 0.917 there.\n", "paper.md")
    assert claim.role is CITED
    (claim,) = read("# T\n\n## Experiments\n\n### Setup\n\nThe rate was 0.917 there.\n", "paper.md")
    assert claim.role is SETTING


def test_results_files_count_everywhere() -> None:
    """A file named after its results reports them under any heading but those of setup, background and future."""
    assert read("# X\n\n## GNN\n\nIt scored 0.917.\n", "out/results.md")[0].measured
    assert not read("# X\n\n## GNN\n\nIt scored 0.917.\n", "out/paper.md")[0].measured
    assert not read("# X\n\n## Future Work\n\nIt scored 0.917.\n", "out/results.md")[0].measured


@pytest.mark.parametrize(
    "text",
    [
        "Title: X\n\n5. Experiment Results  \nAccuracy was 0.917.\n",
        "**5. Results**\n\nAccuracy was 0.917.\n",
        "Abstract\nAccuracy was 0.917.\n",
        "Title: X\n\n4. Experiment Setup\nWe ran it.\n\n5. Experiment Results\n5.1 Accuracy\nAccuracy was 0.917.\n",
    ],
)
def test_headings_without_syntax(text: str) -> None:
    """Headings written as bold or plain lines open sections too."""
    claims = {claim.written: claim for claim in read(text, "paper.md")}
    assert claims["0.917"].measured
    assert "5" not in claims or claims["5"].role is NOTHING


def test_lists_are_not_headings() -> None:
    """An ordered list of words in a text with headings stays a list."""
    (claim,) = read("# T\n\n## Results\n\n## A\n\n## B\n\n## Results\n\n1. Method\n2. It scored 0.917.\n", "paper.md")
    assert claim.section == ("T", "Results")
    assert claim.measured


def test_figures() -> None:
    """A picture is a claim at its target; numbers in its alternative text and its target are none."""
    text = (
        "# Results\n\n![Loss at 0.5](./loss 1.png)\n*Figure 1: Loss.*\n\n"
        '![b](<b 2.png> "t 3")  and <img width=30 src="c4.svg">\n\n'
        "![d][ref]\n\n[![e](e5.png)](x6.html)\n\n![f](https://img.shields.io/b7.svg)\n\n[ref]: plots/d.png\n"
    )
    claims = read(text)
    figures = [claim for claim in claims if claim.kind is ClaimKind.FIGURE]
    assert sorted((claim.written, claim.line, claim.measured) for claim in figures) == [
        ("./loss 1.png", 3, True),
        ("b 2.png", 6, True),
        ("c4.svg", 6, True),
        ("e5.png", 10, True),
        ("https://img.shields.io/b7.svg", 12, False),
        ("plots/d.png", 14, True),
    ]
    assert figures[0].caption == "Figure 1: Loss."
    assert [claim.written for claim in claims if claim.kind is ClaimKind.NUMBER] == ["1"]


def test_code_and_formulas() -> None:
    """Code blocks hold no claims, formulas no results, and a value in code or between dollars is a value."""
    text = (
        "# Results\n\n```python\nx = 0.111\n```\n\n    y = 0.222\n\nIt gave `0.333` and `acc=0.444` by `f(0.555)`.\n\n"
        "$$A = 1 - \\frac{0.666}{2}$$\n\n"
        "It reached $0.777$, $85.3\\%$ and $\\alpha + 0.888$.\n\n$$\nx = 0.999\n= y\n$$\n"
    )
    found = roles(text)
    assert not {"0.111", "0.222"} & set(found)
    assert {found[key] for key in ("0.333", "0.444", "0.777", "85.3\\%")} == {RESULT}
    assert {found[key] for key in ("0.555", "0.666", "0.888", "0.999", "1")} == {NOTHING}


def test_settings_in_formulas() -> None:
    """An assignment between dollars is a value of its section."""
    assert roles("# T\n\n## Setup\n\nWe used $\\tau_{\\text{warn}}=0.5$ here.\n")["0.5"] is SETTING


def test_markup_is_not_text() -> None:
    """Comments, front matter, link targets, tags, footnote marks and raised marks hold no claims."""
    text = (
        "---\nyear: 2020\nscore: 0.11\n---\n# Results\n\n<!-- 0.22 -->\n\n"
        "It <b style='x:3'>scored</b> [0.91](x.md#4)[^5]"
        "<sup>6</sup> &nbsp;or ~~0.92~~ \\* __0.93__ and ***0.94***.\n"
    )
    claims = [claim for claim in read(text) if claim.kind is ClaimKind.NUMBER]
    assert [claim.written for claim in claims] == ["0.91", "0.92", "0.93", "0.94"]
    assert {claim.role for claim in claims} == {RESULT}


def test_statements() -> None:
    """A comparison without a number is a statement; one that only might be, or that has its number, is not."""
    text = (
        "# Results\n\nOur method outperforms\nall baselines. It may outperform others. It is better than B by 0.3.\n\n"
        "> - The GNN is significantly better than PCA.\n"
    )
    claims = [claim for claim in read(text) if claim.kind is ClaimKind.STATEMENT]
    assert places(claims) == [("Our method outperforms", 3, 1), ("The GNN is significantly better than PCA.", 6, 5)]
    assert claims[0].text == "Our method outperforms all baselines."
    assert not any(claim.measured for claim in claims)


def test_statements_stand_in_results_only() -> None:
    """What related work is said to do is no statement of this study."""
    assert read("# T\n\n## Related Work\n\nX outperforms all baselines.\n", "paper.md") == []


def test_html() -> None:
    """Numbers and pictures in HTML blocks are read without their tags."""
    claims = read('# Results\n\n<div width="300">\n<img src="a1.png"> Accuracy was 0.91.\n</div>\n')
    assert [(claim.kind.value, claim.written) for claim in claims] == [("figure", "a1.png"), ("number", "0.91")]


def test_ids_outlive_edits_elsewhere() -> None:
    """The id of a claim does not change when other lines do, and differs between equal numbers of one sentence."""
    before = {claim.written: claim.id for claim in read("# Results\n\nA scored 0.91 and B 0.92.\n")}
    after = {claim.written: claim.id for claim in read("# Results\n\nA new line.\n\nA scored 0.91 and B 0.92.\n")}
    assert before == after
    twins = read("# Results\n\nA scored 0.91 and B scored 0.91.\n")
    assert len({claim.id for claim in twins}) == 2
    assert all(len(claim.id) == 12 for claim in twins)
    assert read("0.91", "a.md")[0].id != read("0.91", "b.md")[0].id


def test_long_rows_quote_what_they_claim() -> None:
    """The quote of a very long row shows the cell that is claimed."""
    width = 400
    header = "|" + "|".join(f" c{index} " for index in range(width)) + "|"
    row = "|" + "|".join(f" 0.{index:04d} " for index in range(width)) + "|"
    claims = [claim for claim in read(f"{header}\n{'|---' * width}|\n{row}\n") if claim.cell]
    assert len(claims) == width
    assert all(claim.written in claim.text for claim in claims)


def test_unknown_format() -> None:
    """A format that nobody reads is an error that says what is read."""
    with pytest.raises(UnknownFormatError) as caught:
        read_claims("paper.docx", "x")
    assert ".md" in caught.value.hint


def test_endless_text() -> None:
    """A text that no person could read is refused, with an error of ours."""
    with pytest.raises(SourceError):
        read_claims("results.md", "x" * 10_000_001)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("results/results.md", True),
        ("paper.md", True),
        ("paper_some-model-20250101.md", True),
        ("results_summary.md", True),
        ("final_report.MD", True),
        ("FinalReport.md", True),
        ("write-up.md", True),
        ("analysis.markdown", True),
        ("README.md", False),
        ("CHANGELOG.md", False),
        ("proposal.md", False),
        ("idea.md", False),
        ("task.md", False),
        ("experimental_plan.md", False),
        ("analysis_plan.md", False),
        ("related_work.md", False),
        ("related_work_summary.md", False),
        ("results.json", False),
        ("notes.md", False),
        ("results", False),
    ],
)
def test_names_of_manuscripts(path: str, expected: bool) -> None:
    """A manuscript is known by its name alone."""
    assert is_manuscript(path) is expected


PIECES = st.sampled_from(
    [
        *(
            "# Results\n",
            "\n",
            "\n\n",
            "| a | b |\n",
            "|---|---|\n",
            "| x | 0.5 |\n",
            "0.91",
            "**0.5**",
            "> ",
            "- ",
            "1. ",
        ),
        *(
            "    ",
            "\t",
            "\r\n",
            "\r",
            "```\n",
            "$$",
            "$0.5$",
            "`0.5`",
            "![a](b.png)",
            "[0.5](c)",
            "[1]",
            "<br>",
            "<!--",
            "-->",
        ),
        *(
            "&nbsp;",
            " ± ",
            "%",
            "It is better than B. ",
            "\ufeff",
            "\0",
            "\u2028",
            "\x0b",
            "\ud800",
            "---\n",
            "===\n",
            "|",
        ),
        *(
            "\\|",
            "*",
            "_",
            "~~",
            "<img src='d.png'>",
            "Table 1: X\n",
            "\\[",
            "\\]",
            "[r]: e.png\n",
            "![g][r]",
            "<div>\n",
        ),
        *("5. Experiment Results\n", "é中"),
    ]
)


@given(st.one_of(st.lists(PIECES, max_size=25).map("".join), st.text(max_size=80)))
@example("\ufeff# Results\r\n\r\n| a | b |\r\n|---|---|\r\n| x | 0.5 |\r\n")
@example("> - | a | b |\n>   |---|---|\n>   | x | 0.5 |\n")
def test_any_text(text: str) -> None:
    """Whatever the text, every claim stands where it says, once; and reading twice gives the same."""
    assert read(text) == read(text)


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "> ",
            "- ",
            "*",
            "[",
            "![",
            "](",
            "`",
            "``` ",
            "$",
            "$$",
            "<",
            "<a ",
            "<!--",
            "|",
            "| 1 ",
            "1. ",
            "0.5 ",
            "\\[",
        ),
        *("&", "_a", "a. 5 ", "(1) ", "[1]", "\t", "<sup>", "Table 1 ", "[a](b ", "5 ± ", "outperforms the "),
    ],
)
def test_a_long_run_of_any_markup_is_read_to_its_end(unit: str) -> None:
    """What grew with the square of its length would not come back here."""
    text = unit * 3000 + "\n"
    lines = text.split("\n")
    assert all(lines[c.line - 1][c.column - 1 :].startswith(c.written) for c in read_claims("results.md", text))
