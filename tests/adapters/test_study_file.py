"""Study files: what anyone can write is read whole, and what cannot be read is named, all of it."""

from __future__ import annotations

import importlib.util
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provchain.adapters import adapter_for
from provchain.adapters.study_file import StudyFile
from provchain.errors import MalformedSourceError
from provchain.events.logged import (
    LOGGED,
    ExecutionEnded,
    ExecutionStarted,
    LogCut,
    Logged,
    OtherLogged,
    RecorderDeclared,
    StudyDeclared,
    ValueLogged,
)
from provchain.model import RecorderKind

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "schemas" / "study.schema.json").read_text(encoding="utf-8"))
HEADER = {
    "format": "provchain-study/1",
    "title": "t",
    "recorders": [{"id": "harness", "kind": "observer"}, {"id": "agent", "kind": "testimony"}],
}
STARTED = {"event": "execution-started", "execution": "e1", "command": "python a.py"}
ENDED = {"event": "execution-ended", "execution": "e1", "exit_code": 0}


def log(*events: Any, header: Any = HEADER) -> str:
    return "".join(json.dumps(line) + "\n" for line in (header, *events))


def read(directory: Path, text: str, name: str = "study.jsonl") -> list[Logged]:
    path = directory / name
    path.write_text(text, encoding="utf-8")
    assert adapter_for(path).name == "provchain-json"
    return [event for event in StudyFile().read(path, root=directory) if isinstance(event, Logged)]


def problems(directory: Path, text: str, name: str = "study.jsonl") -> str:
    path = directory / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MalformedSourceError) as caught:
        list(StudyFile().read(path, root=directory))
    assert caught.value.hint
    return str(caught.value)


def test_a_log_is_read_in_order_with_places(tmp_path: Path) -> None:
    events = read(tmp_path, log(STARTED, ENDED))
    assert [type(event) for event in events] == [
        StudyDeclared,
        RecorderDeclared,
        RecorderDeclared,
        ExecutionStarted,
        ExecutionEnded,
    ]
    assert [event.at.locator for event in events] == ["1", "1", "1", "2", "3"]
    assert isinstance(events[2], RecorderDeclared)
    assert events[2].kind is RecorderKind.TESTIMONY


def test_a_document_says_the_same_as_a_log(tmp_path: Path) -> None:
    document = json.dumps({**HEADER, "events": [STARTED, ENDED]}, indent=1, sort_keys=True)
    found = read(tmp_path, document, "study.json")
    assert [type(event) for event in found] == [type(event) for event in read(tmp_path, log(STARTED, ENDED))]
    assert found[-1].at.locator == "/events/1"


def test_numbers_keep_their_digits(tmp_path: Path) -> None:
    line = '{"event": "value-logged", "execution": "e1", "name": "acc", "value": 0.910}\n'
    value = read(tmp_path, log(STARTED) + line)[-1]
    assert isinstance(value, ValueLogged)
    assert str(value.value) == "0.910"
    nan = read(tmp_path, log(STARTED) + line.replace("0.910", "NaN"))[-1]
    assert isinstance(nan, ValueLogged)
    assert nan.value.is_nan()


def test_what_is_not_known_is_kept(tmp_path: Path) -> None:
    events = read(
        tmp_path,
        log({**STARTED, "gpu": "H100", "share": 0.5}, {"event": "coffee-made", "cups": 2}, header={**HEADER, "lab": 7}),
    )
    assert json.loads(events[0].extra) == {"lab": 7}
    assert json.loads(events[3].extra) == {"gpu": "H100", "share": 0.5}
    assert isinstance(events[4], OtherLogged)
    assert (events[4].name, json.loads(events[4].extra)) == ("coffee-made", {"cups": 2})


def test_digits_of_unknown_numbers_are_kept(tmp_path: Path) -> None:
    line = '{"event": "execution-started", "execution": "e1", "command": "a", "rate": 0.10}\n'
    assert read(tmp_path, log() + line)[-1].extra == '{"rate":0.10}'


def test_a_cut_last_line_is_accepted_and_said(tmp_path: Path) -> None:
    text = log(STARTED, ENDED)
    events = read(tmp_path, text[:-10])
    assert isinstance(events[-1], LogCut)
    assert events[-1].at.locator == "3"
    assert isinstance(events[-2], ExecutionStarted)


@given(st.integers(0, 400))
def test_wherever_a_log_is_cut_what_stands_before_is_read(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    """Every whole line before the cut is read; only the line that is cut is not."""
    text = log(STARTED, {"event": "file-read", "execution": "e1", "path": "ä.csv"}, ENDED)
    first = text.index("\n") + 1
    kept = text[: min(first + cut, len(text))]
    events = read(tmp_path_factory.mktemp("log"), kept)
    whole = [event for event in events if not isinstance(event, LogCut | StudyDeclared | RecorderDeclared)]
    # A last line that lacks nothing but its end of line is whole.
    lines = kept.split("\n")[1:]
    expected = sum(bool(line) for line in lines[:-1]) + (lines[-1].endswith("}") if lines else 0)
    assert len(whole) == expected


def test_a_broken_line_in_the_midst_is_no_cut(tmp_path: Path) -> None:
    assert "line 2" in problems(tmp_path, log() + '{"event": "exec\n' + json.dumps(STARTED) + "\n")
    assert "line 2" in problems(tmp_path, log() + '{"event": "exec\n')


def test_all_problems_come_at_once(tmp_path: Path) -> None:
    text = problems(
        tmp_path,
        log(
            {"event": "execution-started", "execution": 3, "command": "a"},
            {"event": "execution-started", "execution": "e1"},
            ["no object"],
            {"no": "event"},
            {**STARTED, "recorder": "stranger"},
            {"event": "file-read", "execution": "e1", "path": "a", "role": "fuel"},
        ),
    )
    for place in ("line 2.execution", "line 3", "line 4", "line 5", "line 6.recorder", "line 7.role"):
        assert place in text
    assert "harness" in text


@pytest.mark.parametrize(
    ("events", "place"),
    [
        ([ENDED], "line 2.execution"),
        ([STARTED, STARTED], "line 3.execution"),
        ([{**STARTED, "step": "s"}], "line 2.step"),
        ([{"event": "step-declared", "step": "s", "plan": "p"}], "line 2.plan"),
        ([{"event": "deviation-recorded", "about": "data", "message": "m", "executions": ["x"]}], "line 2.executions"),
        ([{"event": "work-given-up", "reason": "r", "step": "s"}], "line 2.step"),
    ],
)
def test_nothing_refers_to_what_was_never_declared(tmp_path: Path, events: list[Any], place: str) -> None:
    assert place in problems(tmp_path, log(*events))


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ({**HEADER, "format": "provchain-study/2"}, "provchain-study/1"),
        ({"format": "provchain-study/1"}, "recorders"),
        ({**HEADER, "recorders": []}, "recorders"),
        ({**HEADER, "recorders": [{"id": "a", "kind": "friend"}]}, "observer"),
        ({**HEADER, "recorders": [{"id": "a", "kind": "observer"}] * 2}, "no other recorder"),
        ({**HEADER, "title": 3}, "title"),
        ([HEADER], "header"),
    ],
)
def test_a_header_says_who_attests(tmp_path: Path, header: Any, said: str) -> None:
    assert said in problems(tmp_path, log(STARTED, header=header))


def test_an_empty_file_is_named() -> None:
    assert not StudyFile().recognises(Path("nowhere.jsonl"))


def test_null_is_nothing(tmp_path: Path) -> None:
    event = read(tmp_path, log({**STARTED, "step": None, "cwd": None}))[-1]
    assert isinstance(event, ExecutionStarted)
    assert (event.step, event.cwd) == (None, "")


def test_the_schema_is_the_code() -> None:
    """The schema is written from the classes; docs/_generate/study_schema.py writes it anew."""
    path = ROOT / "docs" / "_generate" / "study_schema.py"
    spec = importlib.util.spec_from_file_location("study_schema", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.study_schema() == SCHEMA
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_accepts_and_refuses_what_the_adapter_does(tmp_path: Path) -> None:
    check = jsonschema.Draft202012Validator(SCHEMA)
    good = {**HEADER, "events": [STARTED, ENDED, {"event": "new"}]}
    bad = {**HEADER, "events": [{"event": "execution-started", "execution": "e1"}]}
    assert check.is_valid(good)
    assert read(tmp_path, json.dumps(good), "study.json")
    assert not check.is_valid(bad)
    assert "command" in problems(tmp_path, json.dumps(bad), "study.json")


_SAMPLES: dict[str, Any] = {"number": 0.5, "integer": 3, "string": "x", "boolean": True, "array": [], "object": {}}


@pytest.mark.parametrize("kind", LOGGED, ids=lambda kind: kind.__struct_config__.tag)
def test_every_event_can_be_written_from_its_schema(kind: type[Logged], tmp_path: Path) -> None:
    """What the schema says is required is enough, and is needed."""
    name = kind.__struct_config__.tag
    schema = SCHEMA["$defs"][name]
    event: dict[str, Any] = {"event": name}
    for field in schema["required"][1:]:
        types = schema["properties"][field]["type"]
        event[field] = _SAMPLES[types if isinstance(types, str) else types[0]]
    before = [{**STARTED, "execution": "x"}] if "execution" in event and kind is not ExecutionStarted else []
    found = read(tmp_path, log(*before, event))[-1]
    assert type(found) is kind
    for field in schema["required"][1:]:
        less = {key: value for key, value in event.items() if key != field}
        assert field in problems(tmp_path, log(*before, less))


@given(st.dictionaries(st.text(min_size=1).filter(lambda k: k not in ("event", "time", "recorder")), st.text()))
def test_any_unknown_fields_survive(tmp_path_factory: pytest.TempPathFactory, fields: dict[str, str]) -> None:
    known = set(ExecutionStarted.__struct_fields__)
    fields = {key: value for key, value in fields.items() if key not in known}
    event = read(tmp_path_factory.mktemp("log"), log({**STARTED, **fields}))[-1]
    assert (json.loads(event.extra) if event.extra else {}) == fields


def test_a_value_can_be_a_text_of_a_number(tmp_path: Path) -> None:
    event = read(tmp_path, log(STARTED, {"event": "value-logged", "execution": "e1", "name": "a", "value": "0.10"}))[-1]
    assert isinstance(event, ValueLogged)
    assert event.value == Decimal("0.10")


# ------------------------------------------------------------------------------------------------------ hostile files


@pytest.mark.parametrize("kind", [["observer"], {"a": 1}, None, 3])
def test_a_kind_that_is_no_text_is_a_problem(tmp_path: Path, kind: Any) -> None:
    header = {"format": "provchain-study/1", "recorders": [{"id": "h", "kind": kind}]}
    assert "recorders[0]" in problems(tmp_path, log(header=header))


@pytest.mark.parametrize("value", ["1e9999999999999999999999", "1" * 5_000])
def test_a_number_beyond_all_measure_is_a_problem(tmp_path: Path, value: str) -> None:
    line = f'{{"event": "value-logged", "execution": "e1", "name": "a", "value": {value}}}\n'
    said = problems(tmp_path, log(STARTED) + line)
    assert "line 3: expected one JSON object (it holds a number beyond all measure)" in said


def test_nesting_is_told_from_numbers(tmp_path: Path) -> None:
    assert "nested too deeply" in problems(tmp_path, log() + '{"a":' + "[" * 100_000 + "\n" + log(STARTED))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_a_log_in_another_encoding_is_read(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "study.jsonl"
    path.write_bytes(log(STARTED, ENDED).encode(encoding))
    assert adapter_for(path).name == "provchain-json"
    assert len(list(StudyFile().read(path, root=tmp_path))) == 5


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-32"])
def test_a_log_in_an_encoding_that_nobody_names_is_refused(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "study.jsonl"
    path.write_bytes(log(STARTED).encode(encoding))
    assert adapter_for(path).name == "provchain-json"
    with pytest.raises(MalformedSourceError):
        list(StudyFile().read(path, root=tmp_path))


@pytest.mark.parametrize(("name", "many"), [("study.jsonl", 3_000_000), ("run.json", 3_000_000)])
def test_the_format_is_found_behind_megabytes(tmp_path: Path, name: str, many: int) -> None:
    header = {"title": "x" * many, **HEADER, "notes": "y" * many}
    text = log(STARTED, header=header) if name.endswith("l") else json.dumps({**header, "events": [STARTED]})
    assert [type(event) for event in read(tmp_path, text, name)][-1] is ExecutionStarted


def test_the_format_inside_of_a_later_line_makes_no_study_of_a_log(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"a": "' + "x" * 2_000_000 + '"}\n' + log(), encoding="utf-8")
    assert not StudyFile().recognises(path)


@pytest.mark.parametrize("text", ["", " \n\n", "\0\0", log(STARTED).partition("\n")[2], '{"format": "provchain-study'])
def test_a_study_log_that_lost_its_header_is_refused_and_not_passed_over(tmp_path: Path, text: str) -> None:
    assert "line 1" in problems(tmp_path, text)
    assert adapter_for(tmp_path / "study.jsonl").name == "provchain-json"
    (tmp_path / "other.jsonl").write_text(text, encoding="utf-8")
    assert not StudyFile().recognises(tmp_path / "other.jsonl")


DIGEST = "9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08"


@pytest.mark.parametrize("digest", [DIGEST, DIGEST.lower(), f"sha256:{DIGEST}", f"SHA256:{DIGEST} "])
def test_a_digest_may_say_what_it_is(tmp_path: Path, digest: str) -> None:
    written = {"event": "file-written", "execution": "e1", "path": "a.csv", "sha256": digest}
    assert len(read(tmp_path, log(STARTED, written))) == 5


@pytest.mark.parametrize(
    "digest",
    [DIGEST[:-1], DIGEST + "0", "d41d8cd98f00b204e9800998ecf8427e", "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
     f"sha256-{DIGEST}", f"md5:{DIGEST}", "x" * 64, "\u0661" * 64],
)  # fmt: skip
@pytest.mark.parametrize("event", ["file-read", "file-written", "authored"])
def test_a_digest_that_is_none_is_a_problem(tmp_path: Path, event: str, digest: str) -> None:
    one = {"event": event, "execution": "e1", "path": "a.csv", "sha256": digest}
    said = problems(tmp_path, log(STARTED, {k: v for k, v in one.items() if event != "authored" or k != "execution"}))
    assert "line 3.sha256: expected a SHA-256 digest: 64 hexadecimal digits" in said
