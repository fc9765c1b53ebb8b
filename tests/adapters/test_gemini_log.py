"""What the narration of `gemini` says, and what only looks like one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import provchain
from provchain.adapters import adapter_for, load_adapter, read_source
from provchain.adapters.gemini_log import GeminiLog
from provchain.errors import MalformedSourceError
from provchain.events import Message
from provchain.model import RecorderKind, Verdict

OPENING = "Okay, I will read the proposal first."


def said(tmp_path: Path, text: str, name: str = "gemini_log.log") -> list[tuple[str, str]]:
    source = tmp_path / name
    source.write_text(text, encoding="utf-8", newline="")
    messages = []
    for event in read_source(load_adapter("gemini-log"), source, root=tmp_path):
        assert isinstance(event, Message)
        assert (event.speaker, event.at.path) == ("agent", name)
        messages.append((event.at.locator, event.text))
    return messages


def recognised(tmp_path: Path, text: str, name: str = "gemini_log.log") -> bool:
    source = tmp_path / name
    source.write_text(text, encoding="utf-8")
    return GeminiLog().recognises(source)


class TestTurns:
    def test_one_a_paragraph_at_its_line(self, tmp_path: Path) -> None:
        assert said(tmp_path, f"\n{OPENING}\nThen I go on.\n\n\n1.  data\n2.  model\n") == [
            ("2", f"{OPENING}\nThen I go on."),
            ("6", "1.  data\n2.  model"),
        ]

    def test_turns_that_are_glued_together(self, tmp_path: Path) -> None:
        text = f"{OPENING}Now I will run `run.py`.The script failed.\nI see why:I'll mend it.## Plan\n**Next**"
        assert [words for _, words in said(tmp_path, text)] == [
            OPENING,
            "Now I will run `run.py`.",
            "The script failed.\nI see why:",
            "I'll mend it.",
            "## Plan\n**Next**",
        ]
        assert [line for line, _ in said(tmp_path, text)] == ["1", "1", "1", "2", "2"]

    @pytest.mark.parametrize(
        "text",
        [
            "I will call `torch.Tensor is` and `a.I b`.",
            "I need version 2.1.3 of scikit-learn, i.e. the one of U.S. mirrors.",
            "I see results.md and Node.js there.",
        ],
    )
    def test_a_point_inside_of_a_sentence_ends_no_turn(self, tmp_path: Path, text: str) -> None:
        assert said(tmp_path, text) == [("1", text)]

    def test_a_loop_is_given_once_and_a_second_attempt_twice(self, tmp_path: Path) -> None:
        loop = "Accepted papers will be presented as posters, and all of them will be shown to everybody who comes.\n\n"
        messages = said(tmp_path, OPENING + "\n\n" + loop * 50 + "I will run it again.\n\nI will run it again.\n")
        assert [line for line, _ in messages] == ["1", "3", "103", "105"]

    def test_line_ends_of_any_system(self, tmp_path: Path) -> None:
        assert said(tmp_path, f"{OPENING}\r\n\r\nI am done.\r\n") == [("1", OPENING), ("3", "I am done.")]

    @given(
        st.lists(
            st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0\ufeff"), min_size=1, max_size=79).filter(
                str.strip
            ),
            min_size=1,
            max_size=8,
        )
    )
    def test_no_word_is_lost_and_every_line_is_right(
        self, tmp_path_factory: pytest.TempPathFactory, parts: list[str]
    ) -> None:
        lines = "\n\n".join(parts).split("\n")
        messages = said(tmp_path_factory.mktemp("log"), "\n".join(lines))
        assert "".join("".join(words for _, words in messages).split()) == "".join("".join(lines).split())
        for line, words in messages:
            assert words.split("\n")[0] in lines[int(line) - 1]


class TestRecognition:
    @pytest.mark.parametrize(
        "name", ["gemini_log.log", "gemini-cli.log", "gemini_cli_output.txt", "gemini.log", "Gemini-Log.txt"]
    )
    def test_its_own(self, tmp_path: Path, name: str) -> None:
        assert recognised(tmp_path, OPENING + "Then I'll run it.\n", name)
        assert adapter_for(tmp_path / name).name == "gemini-log"

    @pytest.mark.parametrize("name", ["log.txt", "train.log", "codex_log.log", "gemini_answers.txt", "gemini_log.md"])
    def test_not_by_words_alone(self, tmp_path: Path, name: str) -> None:
        assert not recognised(tmp_path, OPENING, name)

    @pytest.mark.parametrize(
        "text",
        [
            "epoch 1 loss 0.31\nepoch 2 loss 0.22\n",
            "2026-01-02 10:00:00 INFO prompt: I will answer in one word\n" * 3,
            "[2026-01-02T10:00:00] OpenAI Codex v0.5.0\nI will read it.\n[2026-01-02T10:00:05] exec ls in /w\n",
            "INFO: answer 1: Let me think\nINFO: answer 2: I am sure\n",
            json.dumps([{"role": "user", "content": "I will go"}]),
            '{"prompt": "a", "answer": "I will go"}\n{"prompt": "b", "answer": "I am here"}\n',
            "Let me see\0\n",
        ],
    )
    def test_not_by_its_name_alone(self, tmp_path: Path, text: str) -> None:
        assert not recognised(tmp_path, text)

    def test_an_empty_one_says_what_to_do(self, tmp_path: Path) -> None:
        assert recognised(tmp_path, " \n")
        with pytest.raises(MalformedSourceError) as caught:
            said(tmp_path, " \n")
        assert "leave it out" in (caught.value.hint or "")


class TestInAnAudit:
    """The words of the agent are kept as its own, and support nothing."""

    NARRATION = (
        "I will now run `run.py`.The experiment has completed successfully!I simplified the model to save time.\n\n"
        "All planned steps were completed.\n"
    )

    def study(self, folder: Path, written: str, held: float) -> Path:
        (folder / "results").mkdir(parents=True)
        (folder / "proposal.md").write_text(
            "# P\n\n## Experiment\n\nIt is carried out by `run.py`.\n", encoding="utf-8"
        )
        (folder / "run.py").write_text("print(1)\n", encoding="utf-8")
        (folder / "gemini_log.log").write_text(self.NARRATION, encoding="utf-8")
        scores = {
            name: {"accuracy": held + n / 50, "recall": held - n / 70} for n, name in enumerate(("oak", "ash"), 1)
        }
        (folder / "results" / "scores.json").write_text(json.dumps(scores), encoding="utf-8")
        rows = "".join(
            f"| {name} | {float(written) + n / 50:.4f} | {float(written) - n / 70:.4f} |\n"
            for n, name in enumerate(("oak", "ash"), 1)
        )
        text = f"# Results\n\n| tree | accuracy | recall |\n|---|---|---|\n{rows}"
        (folder / "results.md").write_text(text, encoding="utf-8")
        return folder

    def test_files_that_agree_are_named_and_prove_nothing(self, tmp_path: Path) -> None:
        report = provchain.audit(self.study(tmp_path / "run", "0.7113", 0.7113))
        judged = [report.judgements[claim.id] for claim in report.study.claims if claim.measured]
        assert {one.verdict for one in judged} == {Verdict.UNRECORDED}
        assert [one.evidence[0].selector for one in judged] == [
            "/oak/accuracy",
            "/oak/recall",
            "/ash/accuracy",
            "/ash/recall",
        ]
        assert report.action.value == "review"

    def test_files_that_disagree_contradict(self, tmp_path: Path) -> None:
        report = provchain.audit(self.study(tmp_path / "run", "0.8519", 0.7113))
        judged = {report.judgements[claim.id].verdict for claim in report.study.claims if claim.measured}
        assert judged == {Verdict.CONTRADICTED}
        assert report.action.value == "reject"

    def test_what_is_found_and_what_is_not(self, tmp_path: Path) -> None:
        report = provchain.audit(self.study(tmp_path / "run", "0.7113", 0.7113))
        rules = {finding.rule for finding in report.study.findings}
        assert "no-command-record" in rules
        # Where no command is on record, nobody can say that a step was not run, or that the agent's word is wrong.
        assert not rules & {"planned-step-not-completed", "contradicted-testimony", "record-gap"}
        kinds = {recorder.id: recorder.kind for recorder in report.study.recorders}
        assert kinds["gemini-log"] is RecorderKind.TESTIMONY
        assert {remark.at.path for remark in report.study.remarks if remark.recorder == "gemini-log"} == {
            "gemini_log.log"
        }

    def test_beside_a_trace_that_was_observed_it_hides_nothing(self, tmp_path: Path) -> None:
        folder = self.study(tmp_path / "run", "0.7113", 0.7113)
        call = {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "python run.py"}}
        back = {"type": "tool_result", "tool_use_id": "1", "content": "ValueError: no", "is_error": True}
        trace = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [back]}]
        (folder / "trace.json").write_text(json.dumps(trace), encoding="utf-8")
        report = provchain.audit(folder)
        rules = {finding.rule for finding in report.study.findings}
        assert "planned-step-not-completed" in rules
        assert "no-command-record" not in rules
