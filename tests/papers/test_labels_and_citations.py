"""What a manuscript says beside its numbers: that they are made up for show, or that a row that cites is its own."""

from __future__ import annotations

import pytest

from provchain.model import ClaimKind, ClaimRole
from provchain.papers import is_cited_row, read_claims
from provchain.papers._roles import labels_itself

RESULT, CITED, ILLUSTRATIVE = ClaimRole.RESULT, ClaimRole.CITED, ClaimRole.ILLUSTRATIVE
TABLE = "| name | height |\n|---|---|\n| A | 31.37 |\n"
LABEL = "Dummy data, not measurements."

LABELS = [
    "Synthetic data, used to test the plotting code only",
    "Toy data for checking the plot",
    "Dummy data, not measurements",
    "Table 2: illustrative example",
    "mock values",
    "placeholder numbers",
    "made-up numbers to show the layout",
    "simulated values for illustration",
    "Dummy data used solely to check the layout of the chart; these are not measurements.",
    "Layout check with dummy data",
    "The values in the next table are toy numbers generated to verify that the chart renders correctly, not results.",
    "Toy chart",
    "Synthetic data to exercise the plotting script.",
    "Fake data for the template",
    "Random numbers used only to test the figure.",
    "Randomly generated values to check the table layout",
    "The numbers below do not come from an experiment.",
    "Artificial data (not measured)",
    "Simulated data, not real measurements",
    "Test data for checking the plot",
    "These figures are invented values.",
    "Numbers in this table are to be replaced.",
    "Example data to demonstrate the format of the table",
    "The data in this figure are synthetic and only test the axis labels.",
    "Synthetic points just to illustrate the legend",
    "These are not results but placeholders.",
    "Table 2: Accuracy (illustrative)",
    "Table 2 (hypothetical): Accuracy by model",
    "Table 2. Placeholder, to be replaced",
    "Placeholders for the final numbers",
    "Hypothetical performance results",
    "Illustrative accuracy values per model",
    "The values in Table 2 are purely illustrative and were not measured.",
    "All numbers are placeholders until the runs end.",
    "Table 2 is hypothetical.",
    "Comparison based on made-up numbers",
    "Accuracy per model, for illustration only.",
    "The scores are shown for illustrative purposes.",
]
NO_LABELS = [
    "Accuracy on the synthetic dataset",
    "We train on synthetic data, not real data.",
    "Models are trained on synthetic data to test generalisation",
    "We test the plot detector on synthetic data for figure classification, evaluated on",
    "Results with simulated annealing",
    "Simulation results of the queue",
    "Mean waiting time from the simulation, 1000 runs",
    "Accuracy on toy data",
    "Toy example: regression on two moons",
    "Results on test data for the chart question task",
    "These are not placeholder numbers.",
    "No dummy values are used.",
    "Unlike hypothetical scores, these were measured.",
    "Results on dummy data sets",
    "Dummy variables for regions",
    "Table 3: Accuracy on test data for chart understanding",
    "Performance on generated data",
    "Random data augmentation improves the figure classifier",
    "Test results for plotting",
    "The model generates synthetic data for tables",
    "Test scores for chart captioning",
    "Example outputs for table QA",
    "Synthetic data improve chart understanding",
    "Results of the simulated queue at three loads",
    "Test data for the figure QA benchmark",
    "Table 2: Accuracy on hypothetical questions.",
    "Accuracy on fictional stories",
    "Accuracy with placeholder tokens masked",
    "Accuracy. CIFAR was chosen for demonstration purposes.",
    "Results on CIFAR, chosen for demonstration purposes",
    "For illustrative purposes we chose two tasks, where our method reaches 0.9432 accuracy.",
    "Table 2: Illustrative comparison of accuracy on CIFAR-10",
    "Accuracy with fictitious play",
    "With fictitious play the accuracy rises to 0.9871.",
    "With hypothetical labels (i.e. no noise) it even reaches 0.9871 accuracy.",
    "Hypothetical reasoning",
    "On detecting fake results our method reaches an accuracy of 0.9871.",
    "Accuracy on the invented values benchmark",
    "On synthetic values our method reaches an accuracy of 0.9871.",
    "The results are better on hypothetical questions.",
    "Results for questions that are hypothetical in nature",
    "The scores of the per-example scores model",
]


@pytest.mark.parametrize("text", LABELS)
def test_what_is_there_for_show_says_so(text: str) -> None:
    assert labels_itself(text)


@pytest.mark.parametrize("text", NO_LABELS)
def test_data_that_were_worked_on_are_no_label(text: str) -> None:
    assert labels_itself(text) == ""


def role(text: str, written: str = "31.37") -> ClaimRole:
    return next(claim.role for claim in read_claims("paper.md", text) if claim.written == written)


@pytest.mark.parametrize(
    "text",
    [
        f"## Results\n\n{LABEL}\n\n{TABLE}",
        f"## Results\n\nThe table shows how the chart will look. {LABEL}\n\n{TABLE}",
        f"## Results\n\nDummy data for the layout. They have two columns.\n\n{TABLE}",
        f"## Results\n\n{LABEL}\n\nTable 1: Heights.\n\n{TABLE}".replace("\n\nTable 1", " \nTable 1"),
        f"## Results\n\n{LABEL}\n\n**Table 1: Heights.**\n\n{TABLE}",
        f"# P\n\n## Layout check with dummy data\n\nHeights.\n\n{TABLE}",
        "# P\n\n## Plotting test\n\nThe highest is 31.37.\n",
        "## Results\n\n| name | height (made up) |\n|---|---|\n| A | 31.37 |\n",
    ],
)
def test_a_label_counts_where_it_stands(text: str) -> None:
    assert role(text) is ILLUSTRATIVE


@pytest.mark.parametrize(
    "text",
    [
        f"## Results\n\n{LABEL}\n\n## Heights\n\nAs measured:\n\n{TABLE}",
        f"## Results\n\nAs measured:\n\n{TABLE}\n{LABEL}\n",
        f"# P\n\n## Runs\n\nWe had five hypothetical users. These heights were measured.\n\n{TABLE}",
        f"# P\n\n## Placeholder detection\n\nHeights.\n\n{TABLE}",
        "## Results\n\n| name | simulated values |\n|---|---|\n| A | 31.37 |\n",
        "## Results\n\n| name | dummy classifier |\n|---|---|\n| A | 31.37 |\n",
        "## Results\n\n| name | fake news accuracy |\n|---|---|\n| A | 31.37 |\n",
        "## Results\n\n| name | fake |\n|---|---|\n| A | 31.37 |\n",
        "## Results\n\n| name | fictional stories |\n|---|---|\n| A | 31.37 |\n",
        f"# P\n\n## Results\n\nDetecting made-up records needs care, and fake records are filtered to test robustness.\n\n{TABLE}",
        f"# P\n\n## Results\n\nIt was trained with synthetic examples.\n\n{TABLE}",
        f"# P\n\n## Results\n\n### Toy examples\n\n{TABLE}",
    ],
)
def test_a_label_elsewhere_does_not(text: str) -> None:
    assert role(text) is RESULT


@pytest.mark.parametrize("header", ["height (illustrative)", "hypothetical values", "height, placeholder", "Made-up"])
def test_a_column_says_that_its_numbers_are_made_up(header: str) -> None:
    assert role(f"## Results\n\n| name | {header} |\n|---|---|\n| A | 31.37 |\n") is ILLUSTRATIVE


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Hypothetical reasoning", RESULT),
        ("Evaluation of hypothetical reasoning", RESULT),
        ("Illustrative comparison", RESULT),
        ("Results of the planned experiments", RESULT),
        ("Planned experiments", RESULT),
        ("Proposed model experiments", RESULT),
        ("Proposed evaluation", RESULT),
        ("Expected results", ILLUSTRATIVE),
        ("Anticipated outcomes of the planned experiments", ILLUSTRATIVE),
        ("Hypothetical results", ILLUSTRATIVE),
        ("Results (illustrative)", ILLUSTRATIVE),
    ],
)
def test_a_heading_makes_forecasts_of_measured_decimals_only_if_it_says_so(heading: str, expected: ClaimRole) -> None:
    claim = next(
        c for c in read_claims("paper.md", f"# P\n\n## Results\n\n### {heading}\n\n{TABLE}") if c.written == "31.37"
    )
    assert (claim.role, claim.measured) == (expected, expected is RESULT)


def test_whole_numbers_of_planned_experiments_are_plans() -> None:
    assert role(f"# P\n\n## Planned experiments\n\n{TABLE}".replace("31.37", "250"), "250") is ILLUSTRATIVE


def test_the_caption_of_the_next_table_labels_only_that() -> None:
    text = f"## Results\n\n{TABLE}\nTable 2: Made-up values.\n\n{TABLE.replace('31.37', '62.81')}"
    claims = {c.written: c for c in read_claims("paper.md", text) if c.cell is not None}
    assert (claims["31.37"].role, claims["62.81"].role) == (RESULT, ILLUSTRATIVE)
    assert claims["31.37"].caption == "Results"
    assert role(f"## Results\n\n{TABLE}\nTable 1: Made-up values.\n\nText.\n\n{TABLE}") is ILLUSTRATIVE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## Results\n\n![Layout check with dummy data](a.svg)\n", ILLUSTRATIVE),
        ("## Results\n\n![Toy chart](a.svg)\n", ILLUSTRATIVE),
        ("## Results\n\nSynthetic data, used to test the plotting code only:\n\n![c](a.svg)\n", ILLUSTRATIVE),
        ("# P\n\n## Rendering test\n\n![c](a.svg)\n", ILLUSTRATIVE),
        ("## Results\n\nThe values in the next table are toy numbers.\n\n![c](a.svg)\n", RESULT),
        ("## Results\n\n![Accuracy on toy data](a.svg)\n", RESULT),
    ],
)
def test_figures_are_labelled_like_tables(text: str, expected: ClaimRole) -> None:
    assert [claim.role for claim in read_claims("paper.md", text) if claim.kind is ClaimKind.FIGURE] == [expected]


def row(label: str, header: str = "height", before: str = "") -> str:
    return f"## Results\n\n{before}\n\n| name | {header} |\n|---|---|\n| {label} | 31.37 |\n"


@pytest.mark.parametrize(
    "text",
    [
        row("Reuss (ours, gauge of [4])"),
        row("SVM [4], our reproduction"),
        row("SVM [4] (re-run)"),
        row("SVM (Kunz et al., 2014), re-implemented"),
        row("CIFAR-10 [4]", "Ours"),
        row("Simme [4]", before="We measured all three stations ourselves."),
        row("SVM [4]", before="All baselines were re-run by us."),
    ],
)
def test_a_row_that_says_it_is_own_is_a_result_whatever_it_cites(text: str) -> None:
    assert role(text) is RESULT


@pytest.mark.parametrize(
    ("text", "open_to_evidence"),
    [
        (row("SVM [4]"), True),
        (row("SVM (Kunz et al., 2014)"), True),
        (row("SVM, our previous work [4]"), True),
        (row("SVM (reproduced from [4])"), False),
        (row("SVM as reported in [4]"), False),
        (row("SVM [4]", before="We list all three."), True),
    ],
)
def test_a_row_that_cites_is_cited_until_the_files_know_better(text: str, open_to_evidence: bool) -> None:
    assert role(text) is CITED
    assert [is_cited_row(c) for c in read_claims("paper.md", text) if c.written == "31.37"] == [open_to_evidence]
