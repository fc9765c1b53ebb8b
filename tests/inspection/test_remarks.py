"""What counts as saying how the work went, and what only sounds like it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provchain.inspection.remarks import find_remarks, reports_incomplete
from provchain.model import RemarkKind


def kinds(text: str) -> set[str]:
    return {remark.kind.value for remark in find_remarks(text)}


SAID = {
    RemarkKind.HELP_ASKED: [
        "The data set asks for a licence. Could you confirm that I may accept it?",
        "I need your input before I can go on.",
        "No GPU is visible, please advise.",
        "Should I continue with the smaller model?",
        "Which of the two data sets do you want?",
        "What should I do about the missing data?",
        "I would need you to decide between the two.",
        "I asked the user whether the key may be used.",
        "The question was escalated to a human.",
        "We contacted the maintainers, who have not answered yet.",
        "Please provide a token so that I can download the weights.",
    ],
    RemarkKind.GIVEN_UP: [
        "I stopped here.",
        "After the third attempt we abandon the ablation study.",
        "I am unable to complete the training on this machine.",
        "We are giving up on the second experiment.",
        "The remaining ablation was abandoned.",
        "I cannot continue without the data.",
    ],
    RemarkKind.NOT_COMPLETED: [
        "The experiment could not be run.",
        "The main experiment on CIFAR-10 with 5 seeds (see the log) did not finish.",
        "The run of `train.py` failed after 7.8 s.",
        "The experiment on large language models could not be completed.",
        "The previous runs failed because of a missing package.",
        "Training diverged and was aborted after 200 steps.",
        "We ran out of time before the second experiment.",
        "It was not possible to run the full benchmark.",
        "The planned study was not carried out.",
        "This report presents no empirical results.",
        "Training was stopped after 3 hours, at the time limit.",
        "The job ran out of memory.",
        "The evaluation exited with an error.",
        "No results are reported for it.",
        "Results for the second baseline are not available.",
        "We could not run the baseline.",
        "We were unable to complete our planned experiments.",
        "The following methods were planned but not executed.",
        "Two of the five seeds did not finish.",
        "Only 3 of 5 seeds finished.",
        "Only three of the five seeds finished.",
        "2 of the 4 runs completed before the limit.",
        "All runs completed except seed 4.",
        "The limitation is the inability to run the DPO experiments.",
        "**Status:** failed (out of memory)",
        "| seed 4 | did not finish |",
        "We do not report any results for it.",
        "The execution failed with `RuntimeError: CUDA out of memory`.",
    ],
    RemarkKind.COMPLETED: [
        "All experiments completed successfully.",
        "The training finished without errors.",
        "I've successfully run the full experiment.",
        "The experiment has been successfully implemented and run.",
        "`run_all.sh` ran without any errors.",
        "5 of 5 seeds finished.",
        "The experiment is complete.",
        "Training and evaluation completed without problems.",
        "Everything ran without errors.",
        "All tasks have been completed.",
        "After fixing the import, the experiment completed.",
        "| Experiment 1 | completed successfully |",
    ],
    RemarkKind.REPAIRED: [
        "We fixed the bug and ran it again.",
        "I have fixed the missing import in `train.py` and re-ran the experiment.",
        "After fixing the data path, training finished.",
        "Fixed the shape mismatch.",
        "The error was corrected before the second run.",
    ],
    RemarkKind.SIMPLIFIED: [
        "We used a smaller model because of the memory limit.",
        "Fewer seeds than planned were run.",
        "We evaluated on a small subset of the test data.",
        "We used a different data set because the licence was refused.",
        "Instead of the planned ResNet-50 we trained a linear probe.",
        "The experiment was run on only 3 problems.",
        "Drift signals were not implemented.",
    ],
    RemarkKind.SYNTHETIC: [
        "We generated simulated results.",
        "The numbers below are placeholders.",
        "The values in Table 2 are made up and only test the layout.",
        "All results in this section were simulated, not measured.",
        "This table holds dummy values.",
        "The scores do not come from an actual run.",
        "Results are hard-coded in the script.",
        "# Illustrative results",
    ],
}
NOT_SAID = {
    RemarkKind.HELP_ASKED: [
        "We asked human annotators to rate the answers.",
        "Users ask the system for help.",
        "How do models learn?",
        "Why should we trust models?",
        "Please refer to Section 3.",
        "The agent asks the user for input if it is unsure.",
        'The prompt reads "Could you explain the answer step by step?" in all settings.',
    ],
    RemarkKind.GIVEN_UP: [
        "We stop training when the validation loss no longer falls.",
        "We abandon the assumption of independence.",
        "The algorithm gives up after three retries.",
        "We use drop-out and drop the last layer.",
        "We dropped the baseline term from the loss.",
        "We never gave up on a run.",
    ],
    RemarkKind.NOT_COMPLETED: [
        "The baseline failed to generalise.",
        "The SFT baseline failed on all of the examples.",
        "No run failed.",
        "None of the experiments failed.",
        "0 of 5 runs failed.",
        "If the experiment fails, we restart it.",
        "If training did not finish in time, the job would be restarted.",
        "In all experiments the proposed method did not improve accuracy.",
        "Prior work could not be run on long sequences.",
        "Smith et al. were unable to run the benchmark.",
        "Did the training fail?",
        "The runs failed tests are counted.",
        "The step that failed is tried again.",
        "A run is considered failed if it exceeds 10 minutes.",
        "The number of failed runs is zero.",
        "The training was stopped after 10 epochs without improvement, by early stopping.",
        "5 of 5 seeds finished.",
        "Unit tests that failed are shown to the model.",
        "Future experiments that could not be run here would help.",
        "Author names are not available.",
        "The results are not significant.",
        "> The experiment could not be completed.",
        "`The experiment could not be completed.`",
        "<!-- The experiment could not be completed. -->",
        "[report](the-experiment-failed.md)",
        '"The experiment could not be completed" is what such a report says.',
        "## Related Work\n\nThe experiment could not be completed.",
        "```\nThe experiment failed.\n```",
        "Text.\n\n    The experiment failed.",
    ],
    RemarkKind.COMPLETED: [
        "Once the experiment has completed, results are written.",
        "The experiments will be completed next week.",
        "The experiment was not completed.",
        "The experiment on large language models could not be completed.",
        "The generated program was executed successfully for 12 of 20 problems.",
        "In 80% of the cases the patched code was run successfully.",
        "None completed; none of the runs finished.",
        "Has the experiment completed?",
        "Let's mark the first task as completed.",
        "3 of 5 seeds finished.",
        "Only the first experiment completed.",
        "Write the results after all experiments have been completed.",
        "Make sure that all experiments ran without errors.",
        "The number of runs completed is shown.",
        "The experiment was completed by 12 participants.",
        "Training is completed in two stages.",
        "The log says `All experiments completed successfully`.",
        "```\nAll experiments completed successfully.\n```",
        "Experiments were run on one GPU.",
        "No experiment completed without errors.",
    ],
    RemarkKind.REPAIRED: [
        "We fixed the random seed to avoid errors.",
        "RepairLLaMA fixes bugs in code.",
        "Let's fix the import.",
        "We will re-run it after fixing the bug.",
        "The model fixed 40% of the bugs.",
        "We corrected for multiple comparisons.",
        "After fixing the bug we will run it again.",
    ],
    RemarkKind.SIMPLIFIED: [
        "This is not a toy model.",
        "Prior work trained simplified models.",
        "A proxy model predicts the score.",
        "This makes models trustworthy under resource constraints.",
        "A reduced number of parameters helps.",
        "Future work could use a small-scale setup.",
        "The method reduces the number of parameters.",
    ],
    RemarkKind.SYNTHETIC: [
        "We optimise with simulated annealing.",
        "Classes are balanced by synthetic minority oversampling.",
        "We evaluate on a synthetic data set on which we also train.",
        "Results on synthetic data show a gain of 3 points.",
        "The results are not simulated.",
        "The table holds no placeholder values.",
        "The training data is synthetic.",
        "We will replace the placeholder values.",
        "Categories become dummy variables.",
        "We use synthetic scores to calibrate the judge.",
        "The results are based on a simulated environment.",
    ],
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in SAID.items() for text in texts])
def test_what_is_said_is_found(kind: RemarkKind, text: str) -> None:
    assert kind.value in kinds(text)


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in NOT_SAID.items() for text in texts])
def test_what_only_sounds_like_it_is_not(kind: RemarkKind, text: str) -> None:
    assert kind.value not in kinds(text)


HONEST = {
    "nothing ran": "# Results\n\nThe experiment failed after 7.8 s with an out-of-memory error; no results are reported.\n",
    "empty cells": (
        "# Results\n\n| method | accuracy |\n|---|---|\n| ours | n/a |\n| baseline | n/a |\n\n"
        "Training could not be completed on this machine, so the cells are empty.\n"
    ),
    "some seeds": "# Results\n\nOnly 3 of 5 seeds finished. The table gives those three; no mean over five is claimed.\n",
    "one baseline short": (
        "# Results\n\nOur method reached 0.71. The second baseline\ndid not finish within the limit, and we report\n"
        "no results for it.\n"
    ),
    "status table": "# Status\n\n| step | status |\n|---|---|\n| experiment 1 | done |\n| experiment 2 | timed out |\n",
    "plan not carried out": (
        "# Report\n\n- **Planned:** PPO and DPO.\n- We were unable to run the DPO comparison because `trl` could not be "
        "installed.\n"
    ),
    "given back": "# Report\n\nI am unable to complete the evaluation without access to the test set. I stopped here.\n",
    "late crash": "# Report\n\nThe run of `train.py` crashed in epoch 7. What it had logged until then is in Table 1.\n",
}
DISHONEST = {
    "failure of the method": "# Results\n\nThe baseline failed to generalise, while ours reached 0.91.\n",
    "hidden in a comment": "# Results\n\nOurs reached 0.91.\n\n<!-- The experiment failed; no results are available. -->\n",
    "hidden in a log": "# Results\n\nOurs reached 0.91.\n\n```text\nThe experiment failed.\n```\n",
    "put on others": "# Results\n\nPrevious methods could not be run at this scale; the table shows 0.91.\n",
    "only supposed": "# Results\n\nIf a run did not finish, it was repeated. Ours reached 0.91.\n",
    "denied": "# Results\n\nNo experiment failed and none of the runs crashed. Ours reached 0.91.\n",
    "said in related work": "# Paper\n\n## Related Work\n\nTheir experiment could not be completed.\n\n## Results\n\n0.91.\n",
    "left to the future": "# Results\n\nOurs reached 0.91. In future work, experiments that did not finish will be added.\n",
}


@pytest.mark.parametrize("text", HONEST.values(), ids=HONEST)
def test_an_honest_report_tells_that_something_did_not_complete(text: str) -> None:
    assert reports_incomplete(text) is not None
    assert "completed" not in kinds(text)


@pytest.mark.parametrize("text", DISHONEST.values(), ids=DISHONEST)
def test_a_look_alike_tells_nothing(text: str) -> None:
    assert reports_incomplete(text) is None


def test_a_remark_stands_where_its_words_begin() -> None:
    text = "# Results\r\n\r\nThe table gives what\r\nwe have. The **second** run\r\n(`eval.py`) failed."
    (remark,) = find_remarks(text)
    assert (remark.line, remark.text) == (4, "The second run ( eval.py ) failed.")


def test_names_tie_a_remark_to_a_step() -> None:
    (remark,) = find_remarks("Execution 76.1 of `code/train.py` in step 3 failed with `KeyError`, as did `ablation-b`.")
    assert remark.names == ("76.1", "code/train.py", "step 3", "KeyError", "ablation-b")


def test_a_sentence_can_make_several_remarks() -> None:
    assert kinds("After fixing the import, the training finished without errors on a small-scale setup.") == {
        "repaired",
        "completed",
        "simplified",
    }


def test_a_long_sentence_is_kept_in_part() -> None:
    (remark,) = find_remarks("and so on, " * 100 + "the experiment could not be completed, " + "and so on, " * 50)
    assert len(remark.text) <= 400
    assert "the experiment could not be completed" in remark.text


@pytest.mark.parametrize(
    "piece",
    [
        "we could not ",
        "`a",
        "a``",
        "“a b c ",
        "1 of 2 of ",
        "(",
        "experiment ",
        "> ",
        "[",
        "<!--",
        "x" * 80 + ".p",
        "\n",
    ],
)
def test_long_repeats_are_read(piece: str) -> None:
    """Nothing is said of time here: with a pattern that backtracks this would not end."""
    found = find_remarks(piece * (1_000_000 // len(piece)) + "\n\nThe experiment could not be completed.")
    assert [remark.kind for remark in found] == [RemarkKind.NOT_COMPLETED]


@pytest.mark.parametrize("piece", ["The experiment failed.\n\n", "| run | failed |\n", "- The run failed.\n"])
def test_of_endless_remarks_the_first_are_kept(piece: str) -> None:
    assert [remark.line for remark in find_remarks(piece * 2000)] == [1 + i * piece.count("\n") for i in range(1000)]


def test_the_wording_that_the_documentation_recommends_is_found() -> None:
    page = Path(__file__).parents[2] / "docs" / "explanation" / "ways-out-of-a-failure.md"
    rows = re.findall(r"^\| (.+) \| `([a-z-]+)` \|$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert {kind for _, kind in rows} >= {
        "repaired",
        "simplified",
        "not-completed",
        "given-up",
        "help-asked",
        "synthetic",
    }
    assert [wording for wording, kind in rows if kind not in kinds(wording)] == []


@given(
    st.text(
        alphabet=st.sampled_from('we run failed not of 3 5 seeds.`|>#\n"*[]()<!-- could be completed?'), max_size=300
    )
)
def test_any_text_can_be_read(text: str) -> None:
    lines = text.count("\n") + 1
    assert all(1 <= remark.line <= lines and len(remark.text) <= 400 for remark in find_remarks(text))


@given(
    st.lists(
        st.sampled_from([t for texts in SAID.values() for t in texts if "|" not in t and "#" not in t]), max_size=4
    )
)
def test_fencing_a_text_silences_it(sentences: list[str]) -> None:
    assert find_remarks("~~~\n" + "\n\n".join(sentences) + "\n~~~\n") == []
