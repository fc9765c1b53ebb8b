"""Statements that rest on cells, results that a manuscript leaves out or had too early, and plans that it reports as done."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

import provchain
from provchain.model import Finding, Strength, Verdict

PROPOSAL = """\
# Proposal: gulls

The experiment is carried out by `code/run.py`. We train on the GullBank collection of 40 thousand labelled songs from twelve islands.
We expect a recall of 91.4% on unseen songs and 70% less memory on small devices. The depth is 12.
"""
CODE = "import csv\nimport sys\n\n\ndef main():\n    print(len(list(csv.reader(open('data/gulls.csv')))))\n\n\nmain()\n"


class Study:
    """A study in the making: files that lie there, and the log of what was seen."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.events: list[dict[str, object]] = []
        self.runs = 0
        self.put("proposal.md", PROPOSAL)
        self.put("data/gulls.csv", "length,kind\n3.1,a\n")
        self.emit("plan-declared", plan="p1", title="gulls", path="proposal.md")
        self.emit("step-declared", step="run", plan="p1", scripts=["code/run.py"])
        self.author("code/run.py", CODE)

    def put(self, path: str, text: str) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")

    def emit(self, event: str, **fields: object) -> None:
        time = f"2025-03-03T09:{len(self.events):02d}:00+00:00"
        self.events.append({"event": event, "time": time, "recorder": "harness", **fields})

    def author(self, path: str, text: str) -> None:
        self.put(path, text)
        self.emit("authored", path=path, tool="write", sha256=hashlib.sha256(text.encode()).hexdigest(), text=text)

    def run(
        self,
        scores: dict[str, dict[str, float]],
        arguments: str = "",
        path: str = "results/metrics.json",
        code: int = 0,
    ) -> None:
        """Log that the script ran and left scores."""
        self.runs += 1
        name, text = f"e{self.runs}", json.dumps(scores)
        self.emit("execution-started", execution=name, command=f"python code/run.py {arguments}".strip())
        digest = hashlib.sha256((self.folder / "data/gulls.csv").read_bytes()).hexdigest()
        self.emit("file-read", execution=name, path="data/gulls.csv", sha256=digest)
        self.put(path, text)
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        self.emit("file-written", execution=name, path=path, sha256=sha256, size=len(text), text=text)
        self.emit("execution-ended", execution=name, exit_code=code, output="read 1\n")

    def audit(self) -> provchain.Report:
        header = {"format": "provchain-study/1", "title": "gulls", "root": "/home/user/study"}
        header["recorders"] = [{"id": "harness", "kind": "observer"}]  # type: ignore[assignment]
        self.put("study.jsonl", "".join(json.dumps(line) + "\n" for line in (header, *self.events)))
        return provchain.audit(self.folder)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return Study(tmp_path)


SCORES = {"forest": {"recall": 0.8137, "f1": 0.7921}, "ridge": {"recall": 0.7264, "f1": 0.7718}}
OTHERS = {"forest": {"recall": 0.6011, "f1": 0.5822}, "ridge": {"recall": 0.8453, "f1": 0.8391}}


def report(scores: dict[str, dict[str, float]], *sentences: str) -> str:
    rows = "".join(f"| {name} | {own['recall']:.4f} | {own['f1']:.4f} |\n" for name, own in scores.items())
    prose = "".join(f"\n{sentence}\n" for sentence in sentences)
    return f"# Gulls\n\n## Results\n\n| method | recall | F1 |\n|---|---|---|\n{rows}{prose}"


def verdict(report: provchain.Report) -> Verdict:
    (claim,) = (claim for claim in report.study.claims if claim.kind == "statement")
    return report.judgements[claim.id].verdict


def found(report: provchain.Report, rule: str) -> list[Finding]:
    return [finding for finding in report.study.findings if finding.rule == rule]


# --------------------------------------------------------------------------------------------------- statements


def test_a_statement_that_follows_is_supported_as_its_cells_are(study: Study) -> None:
    study.run(SCORES)
    study.author("results.md", report(SCORES, "Forest outperforms Ridge on recall."))
    audited = study.audit()
    assert verdict(audited) is Verdict.SUPPORTED
    (claim,) = (claim for claim in audited.study.claims if claim.kind == "statement")
    assert {row.selector for row in audited.judgements[claim.id].evidence} == {"/forest/recall", "/ridge/recall"}
    chain = audited.chain(f"{claim.path}:{claim.line}:{claim.column}")
    assert chain.broken is None
    assert {"value", "execution"} <= {node.kind for node in chain.nodes}


def test_a_statement_that_its_cells_deny_is_contradicted_at_the_cell(study: Study) -> None:
    study.run(SCORES)
    study.author("results.md", report(SCORES, "Ridge achieves the highest recall."))
    audited = study.audit()
    assert verdict(audited) is Verdict.CONTRADICTED
    (judgement,) = (j for j in audited.judgements.values() if j.verdict is Verdict.CONTRADICTED)
    assert judgement.broken is not None
    assert judgement.broken.at == "results.md:8"
    assert "0.7264" in judgement.broken.why
    assert "0.8137" in judgement.broken.why
    (claim,) = (claim for claim in audited.study.claims if claim.kind == "statement")
    chain = audited.chain(f"{claim.path}:{claim.line}:{claim.column}")
    assert {edge.why for edge in chain.edges if edge.broken} == {"these values say the opposite"}


def test_a_statement_breaks_where_its_cells_break(study: Study) -> None:
    study.run(SCORES, code=1)
    study.author("results.md", report(SCORES, "Forest outperforms Ridge on recall."))
    assert verdict(study.audit()) is Verdict.NOT_COMPLETED


def test_a_statement_on_a_falsified_cell_is_left_open(study: Study) -> None:
    """The cell is what is wrong; the sentence may be right of what was measured."""
    study.run({**SCORES, "tree": {"recall": 0.7011, "f1": 0.7102}})
    wrong = {
        "forest": {"recall": 0.6137, "f1": 0.7921},
        "ridge": SCORES["ridge"],
        "tree": {"recall": 0.7011, "f1": 0.7102},
    }
    study.author("results.md", report(wrong, "Forest outperforms Ridge on recall."))
    audited = study.audit()
    assert Verdict.CONTRADICTED in {audited.judgements[c.id].verdict for c in audited.study.claims if c.table}
    assert verdict(audited) is Verdict.AMBIGUOUS


# ---------------------------------------------------------------------------------------------------- selection


def test_another_seed_that_says_otherwise_and_is_not_told(study: Study) -> None:
    study.run(OTHERS, "--seed 1", "results/seed_a.json")
    study.run(SCORES, "--seed 2", "results/seed_b.json")
    study.author("results.md", report(SCORES))
    (finding,) = found(study.audit(), "left-out-results")
    assert finding.strength is Strength.STRONG
    assert "e1" in finding.message
    assert {place.path for place in finding.at} == {"study.jsonl", "results/seed_a.json"}


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("--epochs 1", "--epochs 20", ()),  # a trial on a smaller scale
        ("--quick", "", ()),
        ("--seed 1", "--seed 2", ("With another seed, Forest has 0.6011 and 0.5822, and Ridge 0.8453 and 0.8391.",)),
    ],
)
def test_trials_and_what_is_told_are_not_left_out(study: Study, first: str, second: str, told: tuple[str, ...]) -> None:
    study.run(OTHERS, first, "results/a.json")
    study.run(SCORES, second, "results/b.json")
    study.author("results.md", report(SCORES, *told))
    assert found(study.audit(), "left-out-results") == []


def test_a_failed_attempt_is_not_left_out(study: Study) -> None:
    study.run(OTHERS, "--seed 1", "results/a.json", code=1)
    study.run(SCORES, "--seed 2", "results/b.json")
    study.author("results.md", report(SCORES))
    assert found(study.audit(), "left-out-results") == []


def test_a_run_before_the_code_was_changed_is_only_a_hint(study: Study) -> None:
    study.run(OTHERS, "", "results/a.json")
    study.author("code/run.py", CODE.replace("len(list", "len(tuple"))
    study.run(SCORES, "", "results/b.json")
    study.author("results.md", report(SCORES))
    assert [finding.strength for finding in found(study.audit(), "left-out-results")] in ([], [Strength.HINT])


def test_numbers_that_were_typed_before_their_execution(study: Study) -> None:
    study.author("results.md", report(SCORES))
    study.run(SCORES)
    (finding,) = found(study.audit(), "written-before-results")
    assert "e1" in finding.message


def test_a_report_that_was_brought_up_to_date_is_not_early(study: Study) -> None:
    study.author("results.md", report(OTHERS))
    study.run(SCORES)
    study.author("results.md", report(SCORES))
    assert found(study.audit(), "written-before-results") == []


def test_a_report_that_may_have_been_corrected_by_hand_is_not_early(study: Study) -> None:
    """Where the record does not say what was typed, the file may hold what came later."""
    study.put("results.md", report(SCORES))
    study.emit("authored", path="results.md", tool="write")
    study.run(SCORES)
    assert found(study.audit(), "written-before-results") == []


def test_numbers_of_an_earlier_run_that_came_out_again_are_not_early(study: Study) -> None:
    study.run(SCORES)
    study.author("results.md", report(SCORES))
    study.run(SCORES)
    assert found(study.audit(), "written-before-results") == []


# --------------------------------------------------------------------------------------------------------- plan


def test_an_expected_number_that_is_reported_as_reached(study: Study) -> None:
    study.run(SCORES)
    study.author("results.md", report(SCORES, "Forest reaches a recall of 91.4% on unseen songs."))
    audited = study.audit()
    (finding,) = found(audited, "plan-presented-as-done")
    assert [str(place) for place in finding.at] == ["results.md:10", "proposal.md:4"]
    (claim,) = (claim for claim in audited.study.claims if claim.written == "91.4%")
    assert audited.judgements[claim.id].verdict is Verdict.NO_SOURCE


@pytest.mark.parametrize(
    "sentence",
    [
        "The method is designed to reach a recall of 91.4% on unseen songs.",
        "The depth is 12.",
        "The share of 91.4% is how many feathers were white.",
    ],
)
def test_goals_and_other_numbers_are_no_plan_presented_as_done(study: Study, sentence: str) -> None:
    study.run(SCORES)
    study.author("results.md", report(SCORES, sentence))
    assert found(study.audit(), "plan-presented-as-done") == []


def test_a_planned_number_that_was_reached_is_no_plan(study: Study) -> None:
    study.run({**SCORES, "unseen": {"recall": 0.914, "f1": 0.9}})
    study.author("results.md", report(SCORES, "Forest reaches a recall of 91.4% on unseen songs."))
    assert found(study.audit(), "plan-presented-as-done") == []


COPIED = "We train on the GullBank collection of 40 thousand labelled songs from twelve different islands in the north."


def test_words_of_the_plan_about_what_nothing_names_are_a_hint(study: Study) -> None:
    study.run(SCORES)
    study.author("results.md", report(SCORES, COPIED))
    (finding,) = found(study.audit(), "plan-presented-as-done")
    assert finding.strength is Strength.HINT
    assert "GullBank" in finding.message


def test_words_of_the_plan_about_what_was_run_are_none(study: Study) -> None:
    study.author("code/run.py", CODE.replace("data/gulls.csv", "data/gullbank/gulls.csv"))
    study.run(SCORES)
    study.author("results.md", report(SCORES, COPIED))
    assert found(study.audit(), "plan-presented-as-done") == []
