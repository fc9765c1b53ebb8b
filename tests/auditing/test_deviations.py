"""Data, models, measures, baselines, seeds and numbers of the plan against what ran, each with a study that is honest."""

from __future__ import annotations

from pathlib import Path

import pytest

import provchain
from provchain.auditing._deviations.differences import Difference
from provchain.auditing._deviations.told import sentences_of, told_of
from provchain.auditing.deviations import deviation_findings
from provchain.model import Deviation

PLAN = "# A study of sorting\n\n## Experiments\n\n"
SCRIPT = "from datasets import load_dataset\ndata = load_dataset('sortbench')\nprint(fit(data))\n"
DATASETS = PLAN + "### Datasets\n\n- SortBench and PileSort\n"


def deviations(
    folder: Path,
    plan: str,
    script: str = SCRIPT,
    paper: str = "It ran.",
    *,
    command: str = "python train.py",
    output: str = "done",
    status: str = "succeeded",
) -> list[Deviation]:
    """Audit a study in which one script ran, and give its deviations from the plan."""
    return audit(folder, plan, script, paper, command=command, output=output, status=status).study.deviations


def audit(
    folder: Path,
    plan: str,
    script: str = SCRIPT,
    paper: str = "It ran.",
    *,
    command: str = "python train.py",
    output: str = "done",
    status: str = "succeeded",
) -> provchain.Report:
    ending = "succeeded in 60s" if status == "succeeded" else "exited 1 in 60s"
    trace = (
        "[2026-01-02T09:00:00] OpenAI Codex v0.5.0 (research preview)\n--------\n"
        f"[2026-01-02T09:00:01] apply_patch auto_approved=true:\nA /w/train.py\n{script}"
        "[2026-01-02T09:00:01] apply_patch(auto_approved=true) exited 0 in 0ms:\n"
        "Success. Updated the following files:\nA /w/train.py\n"
        f"[2026-01-02T10:00:00] exec {command} in /w\n"
        f"[2026-01-02T10:01:00] {command} {ending}:\n{output}\n"
        "[2026-01-02T11:00:00] tokens used: 1\n"
    )
    for name, text in {
        "proposal.md": plan,
        "codex_log.log": trace,
        "train.py": script,
        "results.md": f"# Study\n\n## Results\n\n{paper}\n",
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    return provchain.audit(folder)


def told(found: list[Deviation]) -> list[tuple[str, str, str, str]]:
    states = {(False, False): "neither", (True, False): "recorded", (False, True): "disclosed", (True, True): "both"}
    return [(one.about, one.planned, one.ran, states[one.recorded, one.disclosed]) for one in found]


# ----------------------------------------------------------------------------------------------------- data sets


def test_a_planned_data_set_that_nothing_loads(tmp_path: Path) -> None:
    report = audit(tmp_path, DATASETS)
    (one,) = report.study.deviations
    assert (one.about, one.planned, one.ran) == ("data", "PileSort", "sortbench")
    assert [(place.path, place.locator) for place in one.at] == [("proposal.md", "7:17"), ("train.py", "2")]
    (finding,) = [finding for finding in report.findings if finding.rule == "undisclosed-deviation"]
    assert (finding.severity.value, finding.strength.value) == ("warning", "hint")
    assert "PileSort" in finding.message


@pytest.mark.parametrize(
    ("paper", "state"),
    [
        ("We sort.", "neither"),
        ("We evaluate on PileSort.", "neither"),
        ("PileSort was not available, so we leave it out.", "disclosed"),
        ("We use SortBench alone.", "disclosed"),  # it names what ran
        ("We use SortBench. On PileSort our method wins too.", "neither"),  # and claims what did not
        ("We use a single dataset.", "disclosed"),
        ("The items are synthetic data.", "disclosed"),
        ("Future work will use PileSort.", "disclosed"),
        ("Next steps are piles (PileSort).", "disclosed"),
        ("## Limitations\n\nThere is PileSort.", "disclosed"),
    ],
)
def test_what_a_manuscript_says_of_a_data_set(tmp_path: Path, paper: str, state: str) -> None:
    found = deviations(tmp_path, DATASETS, paper=paper)
    assert told(found) == [("data", "PileSort", "sortbench", state)]


def test_what_the_log_of_the_run_says_of_a_data_set(tmp_path: Path) -> None:
    found = deviations(tmp_path, DATASETS, output="PileSort could not be fetched, so it is skipped.\ndone")
    assert found == []  # its output names it, so it may have been tried in a way that the code does not show
    other = SCRIPT + "# PileSort\n"
    assert told(deviations(tmp_path, DATASETS, other)) == [("data", "PileSort", "sortbench", "neither")]


def test_what_the_record_tells_is_no_hidden_deviation() -> None:
    missing = Difference("data", "PileSort", "PileSort", "sortbench", (), ())
    own_words = sentences_of({"run.log": "Start.\nPileSort skipped.\nPileSort is big.\n"}, of_changes=True)
    assert told_of(missing, (), own_words).recorded == "run.log:2"
    recorded = Deviation("deviation:planned:1", "data", "it was skipped", recorded=True)
    hidden = Deviation("deviation:planned:2", "data", "it was hidden")
    found = [(one.rule, one.severity.value) for one in deviation_findings([recorded, hidden])]
    assert found == [("undisclosed-deviation", "warning"), ("recorded-deviation", "note")]
    assert list(deviation_findings([Deviation("d", "data", "told by the study", recorded=True)])) == []


@pytest.mark.parametrize(
    "plan",
    [
        PLAN + "### Datasets\n\n- SortBench\n\n## Related work\n\n- PileSort is a dataset of piles.\n",
        PLAN + "### Datasets\n\n- SortBench\n\n## Future work\n\n### Datasets\n\n- PileSort\n",
        PLAN + "### Datasets\n\nSortBench, and if time permits PileSort.\n",
        PLAN + "### Datasets\n\n- SortBench, unlike PileSort of earlier work\n",
        PLAN + "### Datasets\n\n- Datasets such as SortBench and PileSort\n",
        PLAN + "### Datasets\n\n- SortBench or PileSort\n",
        PLAN + "### Datasets\n\n- SortBench: tokenized with WordPieceX\n",
        PLAN + "### Datasets\n\n- SortBench\n- Training Set\n- Patient Records\n- JSON, GPUs and PyTorch\n",
        "# A study\n\n## Introduction\n\nDatasets: PileSort\n\n## Experiments\n\nWe sort.\n",
    ],
    ids=["related", "future", "optional", "unlike", "examples", "choice", "explained", "no-names", "introduction"],
)
def test_what_is_no_planned_data_set(tmp_path: Path, plan: str) -> None:
    assert deviations(tmp_path, plan) == []


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("CNN/DailyMail", "load_dataset('cnn_dailymail', '3.0.0')"),
        ("CIFAR-10", "torchvision.datasets.CIFAR10('.')"),
        ("Natural Questions", "load_dataset('nq_open')"),
        ("MS-COCO", "open('annotations/coco_val.json')"),
        ("HumanEval", "load_dataset('openai_humaneval')"),
    ],
)
def test_other_spellings_of_a_data_set(tmp_path: Path, name: str, code: str) -> None:
    plan = f"{PLAN}### Datasets\n\n- SortBench and {name}\n"
    assert deviations(tmp_path, plan, f"{SCRIPT}import torchvision\nmore = {code}\n") == []


def test_a_data_set_that_the_plan_does_not_name(tmp_path: Path) -> None:
    script = SCRIPT + "more = load_dataset('heapnews')\n"
    plan = PLAN + "### Datasets\n\n- SortBench\n"
    assert told(deviations(tmp_path, plan, script)) == [("data", "", "heapnews", "neither")]
    assert told(deviations(tmp_path, plan, script, "We add HeapNews.")) == [("data", "", "heapnews", "disclosed")]


@pytest.mark.parametrize(
    ("plan", "script"),
    [
        (PLAN + "We sort.\n", "more = load_dataset('heapnews')\n"),
        (PLAN + "### Datasets\n\n- SortBench\n", "if False:\n    more = load_dataset('heapnews')\n"),
        (PLAN + "### Datasets\n\n- SortBench\n", "def load(name='heapnews'):\n    return load_dataset(name)\n"),
        (PLAN + "### Datasets\n\n- SortBench\n\nHeapNews is a spare.\n", "more = load_dataset('heapnews')\n"),
    ],
    ids=["no-plan", "branch", "parameter", "named"],
)
def test_what_is_no_unplanned_data_set(tmp_path: Path, plan: str, script: str) -> None:
    assert deviations(tmp_path, plan, SCRIPT + script) == []


def test_a_list_of_examples_of_which_none_ran(tmp_path: Path) -> None:
    plan = PLAN + "### Datasets\n\nWe use existing datasets such as:\n\n- PileSort\n- HeapSet9\n"
    found = told(deviations(tmp_path, plan))
    assert ("data", "PileSort, HeapSet9 (one of them)", "sortbench", "neither") in found


# -------------------------------------------------------------------------------- models, measures and baselines


def test_a_planned_model(tmp_path: Path) -> None:
    plan = PLAN + "- Base model: GPT-2\n"
    script = "from transformers import AutoModel\nm = AutoModel.from_pretrained('distilbert-base-uncased')\n"
    assert told(deviations(tmp_path, plan, script)) == [("model", "GPT-2", "distilbert-base-uncased", "neither")]
    paper = "We fine-tune distilbert-base-uncased."
    assert told(deviations(tmp_path, plan, script, paper))[0][3] == "disclosed"
    assert deviations(tmp_path, plan, script.replace("distilbert-base-uncased", "openai-community/gpt2")) == []
    assert deviations(tmp_path, PLAN + "- Base model: a transformer (e.g., GPT-2)\n", script) == []
    assert deviations(tmp_path, PLAN + "GPT-2 is known to sort badly.\n", script) == []


def test_a_planned_measure(tmp_path: Path) -> None:
    plan = PLAN + "### Evaluation Metrics\n\n- BLEU for the text, and accuracy\n"
    assert told(deviations(tmp_path, plan)) == [("metric", "BLEU", "", "neither")]
    assert told(deviations(tmp_path, plan, paper="We did not compute BLEU."))[0][3] == "disclosed"
    assert deviations(tmp_path, plan, SCRIPT + "import sacrebleu\n") == []
    assert deviations(tmp_path, plan, output="bleu 0.31") == []
    assert deviations(tmp_path, PLAN + "BLEU was proposed for translation.\n") == []


def test_a_planned_baseline(tmp_path: Path) -> None:
    plan = PLAN + "Baselines:\n- HeapSHAP with 100 samples\n- PILE (Plain Insertion of Large Elements) by others\n"
    found = told(deviations(tmp_path, plan, SCRIPT + "plain_insertion_of_large_elements = 1\n"))
    assert found == [("baseline", "HeapSHAP", "", "neither")]
    assert deviations(tmp_path, plan, SCRIPT + "from pile import heap_shap\n") == []
    compared = PLAN + "Baselines: We compare OurSort against HeapSHAP\n"
    assert [one[1] for one in told(deviations(tmp_path, compared))] == ["HeapSHAP"]  # not the method itself
    said = deviations(tmp_path, plan, paper="There is only one baseline.")
    assert {one.disclosed for one in said} == {True}


def test_people_who_were_to_take_part(tmp_path: Path) -> None:
    plan = PLAN + "A user study with 20 persons rates the order.\n"
    assert told(deviations(tmp_path, plan)) == [("participants", "study with people", "", "neither")]
    paper = "Ratings by humans remain future work."
    assert told(deviations(tmp_path, plan, paper=paper))[0][3] == "disclosed"
    assert deviations(tmp_path, plan, SCRIPT + "participants = open('participants.csv').read()\n") == []


# --------------------------------------------------------------------------------------------- seeds and numbers

FIVE = PLAN + "Each experiment is run with 5 random seeds.\n"


def test_fewer_seeds_than_planned(tmp_path: Path) -> None:
    script = SCRIPT + "import torch\ntorch.manual_seed(42)\n"
    assert told(deviations(tmp_path, FIVE, script)) == [("seeds", "5", "1", "neither")]
    assert told(deviations(tmp_path, FIVE, script, "We use a single seed."))[0][3] == "disclosed"
    assert told(deviations(tmp_path, FIVE, SCRIPT + "for seed in [1, 2]:\n    fit(seed)\n"))[0][:3] == (
        "seeds",
        "5",
        "2",
    )


@pytest.mark.parametrize(
    ("plan", "script"),
    [
        (FIVE, "for seed in range(5):\n    torch.manual_seed(seed)\n"),
        (FIVE, "for seed in range(args.n):\n    torch.manual_seed(seed)\n"),
        (FIVE, "def run(seed):\n    torch.manual_seed(seed)\n"),
        (FIVE, "for number in items:\n    torch.manual_seed(number)\n"),
        (FIVE, "print(1)\n"),
        (PLAN + "Each is run with up to 5 seeds.\n", "torch.manual_seed(42)\n"),
        (PLAN + "Each is run with 3-5 seeds.\n", "torch.manual_seed(42)\n"),
        (PLAN + "We compare 5 baselines.\n", "torch.manual_seed(42)\n"),
        (PLAN + "Others averaged over 5 seeds (Doe et al., 2020), with 5 seeds.\n", "torch.manual_seed(42)\n"),
        ("# A\n\n## Future work\n\nRun with 5 seeds.\n\n## Experiments\n\nWe sort.\n", "torch.manual_seed(42)\n"),
    ],
    ids=["five", "argument", "function", "loop", "none", "up-to", "range", "baselines", "others", "future"],
)
def test_seeds_as_planned(tmp_path: Path, plan: str, script: str) -> None:
    assert deviations(tmp_path, plan, SCRIPT + "import torch\n" + script) == []


def test_other_numbers_than_planned(tmp_path: Path) -> None:
    plan = PLAN + "We train for 50 epochs with batch size 32 on 10k samples.\n"
    script = SCRIPT + "num_epochs = 3\nbatch_size = 32\nn_samples = 200\n"
    found = told(deviations(tmp_path, plan, script, "We train on 200 samples."))
    assert found == [("setting", "50", "3", "neither"), ("sample", "10k", "200", "disclosed")]
    assert deviations(tmp_path, plan, SCRIPT + "num_epochs = 50\nbatch_size = 32\nn_samples = 10_000\n") == []


def test_a_command_line_that_sets_another_number(tmp_path: Path) -> None:
    plan = PLAN + "We train for 50 epochs.\n"
    option = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--epochs', type=int, default=50)\n"
    assert deviations(tmp_path, plan, SCRIPT + option) == []
    found = told(deviations(tmp_path, plan, SCRIPT + option, command="python train.py --epochs 2"))
    assert found == [("setting", "50", "2", "neither")]
    one = deviations(tmp_path, plan, SCRIPT + option, command="python train.py --epochs 2")[0]
    assert one.at[-1].path == "codex_log.log"


@pytest.mark.parametrize(
    ("sentence", "setting"),
    [
        ("We train for up to 50 epochs.", "num_epochs = 3"),
        ("After 5 warm-up epochs the rate falls.", "num_epochs = 3"),
        ("We train for 50 epochs, then for 3 epochs.", "num_epochs = 3"),
        ("The transformer has 12 layers.", "num_layers = 2"),
        ("It uses $T=100$ samples.", "n_samples = 5"),
        ("We take 500 issues.", "n_samples = 5"),  # not said to be the same thing
        ("We train for 50 epochs.", "warmup_epochs = 3"),
        ("We train for 50 epochs.", "sizes = dict(a_epochs=1, b_epochs=2)"),
    ],
    ids=["up-to", "warm-up", "both", "layers", "symbol", "noun", "other-name", "others"],
)
def test_numbers_that_are_not_compared(tmp_path: Path, sentence: str, setting: str) -> None:
    assert deviations(tmp_path, f"{PLAN}{sentence}\n", f"{SCRIPT}{setting}\n") == []


# --------------------------------------------------------------------------------------------- what it may not do


def test_no_verdict_rests_on_it(tmp_path: Path) -> None:
    """The same study with and without a deviation has the same verdicts, outcome and action."""
    paper = "The accuracy is 0.8125.\n\n| method | accuracy |\n|---|---|\n| ours | 0.8125 |\n"
    honest = audit(tmp_path, PLAN + "### Datasets\n\n- SortBench\n", paper=paper, output="ours accuracy 0.8125")
    report = audit(tmp_path, DATASETS, paper=paper, output="ours accuracy 0.8125")
    assert [finding.rule for finding in report.findings if finding.rule == "undisclosed-deviation"]
    assert [one.verdict for one in report.claims] == [one.verdict for one in honest.claims]
    assert (report.outcome, report.action) == (honest.outcome, honest.action)


def test_what_failed_is_not_compared_as_if_it_had_run(tmp_path: Path) -> None:
    found = deviations(tmp_path, DATASETS, status="failed", output="Traceback (most recent call last):\nKeyError: 1")
    assert {one.planned for one in found} == {"SortBench", "PileSort"}


def test_nothing_is_said_where_the_code_is_not_on_record(tmp_path: Path) -> None:
    assert deviations(tmp_path, DATASETS, command="python -m sorting.train") == []


def test_the_report_has_them(tmp_path: Path) -> None:
    (one,) = audit(tmp_path, DATASETS).to_dict()["deviations"]
    assert one["at"][0] == {"path": "proposal.md", "locator": "7:17"}
    assert (one["about"], one["planned"], one["ran"], one["recorded"], one["disclosed"]) == (
        "data",
        "PileSort",
        "sortbench",
        False,
        False,
    )
