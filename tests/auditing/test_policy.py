"""Policies: the shipped ones, files, and what each parameter moves; and what none of them can move."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import provchain
from provchain.auditing.outcome import (
    Circumstances,
    action_for,
    decide_outcome,
    findings_against,
    reasons_against,
    worst_action,
)
from provchain.auditing.policy import (
    Policy,
    PolicyActions,
    PolicyCounts,
    PolicyFindings,
    PolicyLines,
    PolicyResults,
    parameters,
)
from provchain.auditing.policy_files import choose_policy, list_policies, load_policy
from provchain.errors import MalformedSourceError, SourceError, UnknownPolicyError
from provchain.model import (
    Action,
    Claim,
    ClaimKind,
    ClaimRole,
    Finding,
    Judgement,
    Outcome,
    Severity,
    Strength,
    StudyOutcome,
    Verdict,
)
from provchain.resources import read_resource

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "schemas" / "policy.schema.json").read_text(encoding="utf-8"))
STRICT, DEFAULT, LENIENT = (load_policy(name) for name in ("strict", "default", "lenient"))
ORDER = [Action.REJECT, Action.REVIEW, Action.REPORT_INCOMPLETE, Action.ACCEPT]
GOOD, BAD, OPEN, GAP = Verdict.SUPPORTED, Verdict.NO_SOURCE, Verdict.AMBIGUOUS, Verdict.UNRECORDED
OFF_PLAN, DEVIATING = Verdict.OFF_PLAN, Verdict.SUPPORTED_WITH_DEVIATION


def policy(section: str, **parameters: object) -> Policy:
    """The default with some parameters of one table changed."""
    changed = msgspec.structs.replace(getattr(DEFAULT, section), **parameters)
    return msgspec.structs.replace(DEFAULT, name="moved", **{section: changed})


def claims_of(*results: tuple[Verdict, int | str | None]) -> tuple[list[Claim], dict[str, Judgement]]:
    """Results with their verdicts: of a table, a figure, or of prose."""
    claims, judgements = [], {}
    for number, (verdict, where) in enumerate(results):
        kind = ClaimKind.FIGURE if where == "figure" else ClaimKind.NUMBER
        table = where if isinstance(where, int) else None
        claims.append(Claim(f"c{number}", kind, "paper.md", number, 1, "0.8", "0.8", table=table, measured=True))
        judgements[f"c{number}"] = Judgement(f"c{number}", verdict)
    return claims, judgements


def outcome(lines: Policy, *results: tuple[Verdict, int | str | None], **more: Any) -> str:
    claims, judgements = claims_of(*results)
    return decide_outcome(claims, judgements, lines, Circumstances(**more)).value


# --------------------------------------------------------------------------------------------- the shipped policies


def test_the_default_is_the_design() -> None:
    """The file says every parameter, with the values of the classes, which are those of the tables."""
    assert msgspec.structs.replace(DEFAULT, summary="") == Policy(name="default")
    written = tomllib.loads(read_resource("policies", "default.toml"))
    assert [(table, key) for table, key, _ in parameters(DEFAULT)] == [
        (table, key) for table, held in written.items() if isinstance(held, dict) for key in held
    ]
    half = (DEFAULT.lines.known_to_accept, DEFAULT.lines.known_to_reject, DEFAULT.lines.failing_to_reject)
    assert (*half, DEFAULT.lines.known_of_table) == (0.5, 0.5, 0.5, 0.5)
    assert set(DEFAULT.lines.table_verdicts) == {"authored", "synthetic", "not-completed", "stale", "no-source"}
    assert {one.value: action_for(one).value for one in StudyOutcome} == {
        "undetermined": "review",
        "unsupported": "reject",
        "incomplete": "report-incomplete",
        "mixed": "review",
        "supported-with-deviations": "accept",
        "supported": "accept",
    }


def test_the_shipped_policies_fit_the_schema() -> None:
    assert list_policies() == ["default", "lenient", "strict"]
    for name in list_policies():
        document = {**tomllib.loads(read_resource("policies", f"{name}.toml")), "name": "renamed"}
        Draft202012Validator(SCHEMA).validate(document)


def test_the_schema_is_generated_from_the_classes() -> None:
    path = ROOT / "docs" / "_generate" / "policy_schema.py"
    spec = importlib.util.spec_from_file_location("policy_schema", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.policy_schema() == SCHEMA


# ------------------------------------------------------------------------------------------------------- parameters

ALL_HOLD = [(GOOD, 1), (GOOD, None)]


@pytest.mark.parametrize(
    ("moved", "results", "more", "before", "after"),
    [
        (policy("results", tables=False), [(BAD, 1), (BAD, 1), (GOOD, None)], {}, "unsupported", "mixed"),
        (policy("results", figures=False), [(BAD, "figure"), (BAD, "figure"), (GOOD, None)], {}, "unsupported", "mixed"),
        (policy("results", prose=False), [(BAD, None), (BAD, None), (GOOD, 1)], {}, "unsupported", "mixed"),
        (policy("lines", known_to_accept=0.6), [(GOOD, 1), (OPEN, 1)], {}, "supported", "undetermined"),
        (policy("lines", known_to_accept=0.3), [(GOOD, 1), (OPEN, 1), (OPEN, 1)], {}, "undetermined", "supported"),
        (policy("lines", known_to_reject=0.6), [(BAD, None), (OPEN, None)], {}, "unsupported", "mixed"),
        (policy("lines", failing_to_reject=0.3), [(GOOD, None), (BAD, None)], {}, "mixed", "unsupported"),
        (policy("lines", failing_to_reject=1.0), [(GOOD, None), *[(BAD, None)] * 2], {}, "unsupported", "mixed"),
        (policy("lines", failing_table_rejects=False), [*[(GOOD, 1)] * 3, (BAD, 2)], {}, "unsupported", "mixed"),
        (policy("lines", known_of_table=0.6), [*[(GOOD, 1)] * 3, (BAD, 2), (OPEN, 2)], {}, "unsupported", "mixed"),
        (policy("lines", table_verdicts=("authored",)), [*[(GOOD, 1)] * 3, (BAD, 2)], {}, "unsupported", "mixed"),
        (policy("counts", ambiguous="left-out"), [(GOOD, 1), *[(OPEN, 1)] * 2], {}, "undetermined", "supported"),
        (policy("counts", ambiguous="review"), [(GOOD, 1), (OPEN, 1)], {}, "supported", "mixed"),
        (policy("counts", ambiguous="fails"), [(GOOD, 1), *[(OPEN, 1)] * 2], {}, "undetermined", "unsupported"),
        (policy("counts", unrecorded="left-out"), [(GOOD, 1), *[(GAP, 1)] * 2], {}, "undetermined", "supported"),
        (policy("counts", unrecorded="review"), [(GOOD, 1), (GAP, 1)], {}, "supported", "mixed"),
        (policy("counts", unrecorded="fails"), [(GOOD, 1), (GAP, 1)], {}, "supported", "mixed"),
        (policy("counts", off_plan="holds"), [(GOOD, 1), (OFF_PLAN, 1)], {}, "mixed", "supported-with-deviations"),
        (policy("counts", off_plan="fails"), [(OFF_PLAN, 1)], {}, "mixed", "unsupported"),
        (
            policy("counts", undisclosed_deviation="holds"),
            [(DEVIATING, 1)],
            {"undisclosed_deviation": True},
            "mixed",
            "supported-with-deviations",
        ),
        (policy("counts", superseded="holds"), ALL_HOLD, {"superseded": 1}, "mixed", "supported"),
        (policy("counts", waived="review"), [(GOOD, 1), (BAD, 1)], {"waived": {"c1"}}, "supported", "mixed"),
        (policy("counts", waived="review"), [(GOOD, 1), (GOOD, 1)], {"waived": {"c1"}}, "supported", "supported"),
        (policy("counts", waived="counted"), [(GOOD, 1), *[(BAD, 1)] * 2], {"waived": {"c1", "c2"}}, "supported", "unsupported"),
    ],
)  # fmt: skip
def test_a_parameter_moves_its_line(
    moved: Policy, results: list[tuple[Verdict, int | str | None]], more: dict[str, Any], before: str, after: str
) -> None:
    assert (outcome(DEFAULT, *results, **more), outcome(moved, *results, **more)) == (before, after)


VERDICTS = st.sampled_from([v for v in Verdict if v.outcome is not Outcome.INAPPLICABLE])
# Of a few verdicts each, so that manuscripts come up in which nothing fails, and tables that fail as a whole.
RESULTS = st.lists(st.sampled_from([GOOD, OPEN, GAP]) | VERDICTS, min_size=1, max_size=3).flatmap(
    lambda few: st.lists(st.tuples(st.sampled_from(few), st.sampled_from([1, 2, "figure", None])), max_size=12)
)
MORE = st.just({"waived": set[str]()}) | st.fixed_dictionaries(
    {
        "undone_step": st.booleans(),
        "reports_incomplete": st.booleans(),
        "undisclosed_deviation": st.booleans(),
        "superseded": st.integers(0, 2),
        "waived": st.sets(st.sampled_from([f"c{number}" for number in range(12)]), max_size=4),
    }
)
# For each parameter, what has to be there for it to be able to move anything.
MATTERS = {
    ("counts", "ambiguous"): OPEN,
    ("counts", "unrecorded"): GAP,
    ("counts", "off_plan"): OFF_PLAN,
}


@given(RESULTS, MORE, st.data())
def test_a_parameter_moves_nothing_else(
    results: list[tuple[Verdict, int | str | None]], more: dict[str, Any], data: st.DataObject
) -> None:
    """Where nothing is there that a parameter speaks of, it changes nothing."""
    (section, key), verdict = data.draw(st.sampled_from(sorted(MATTERS.items())))
    value = data.draw(st.sampled_from(["left-out", "review", "fails"] if key != "off_plan" else ["holds", "fails"]))
    others = [(given, where) for given, where in results if given is not verdict]
    assert outcome(policy(section, **{key: value}), *others, **more) == outcome(DEFAULT, *others, **more)


@pytest.mark.parametrize("one", StudyOutcome)
def test_an_action_moves_alone(one: StudyOutcome) -> None:
    actions = policy("actions", **{one.value.replace("-", "_"): "review"})
    changed = {each for each in StudyOutcome if action_for(each, actions) is not action_for(each)}
    assert changed == ({one} if action_for(one) is not Action.REVIEW else set())


@pytest.mark.parametrize(
    ("held", "asks"),
    [
        ({}, ""),
        ({"review_from": "error"}, "E"),
        ({"review_from": "warning"}, "EW"),
        ({"review_from": "warning", "hints": True}, "EWH"),
        ({"review_from": "note"}, "EWN"),
        ({"hints": True}, ""),
    ],
)
def test_findings_ask_by_severity_and_strength(held: dict[str, Any], asks: str) -> None:
    findings = {
        "E": Finding("altered-artifact", Severity.ERROR, Strength.PROOF, "error"),
        "W": Finding("substitute", Severity.WARNING, Strength.STRONG, "warning"),
        "H": Finding("told-simplification", Severity.WARNING, Strength.HINT, "hint"),
        "N": Finding("record-gap", Severity.NOTE, Strength.PROOF, "note"),
    }
    moved = policy("findings", **held)
    assert "".join(key for key, one in findings.items() if findings_against([one], moved)) == asks


def test_what_is_labelled_as_an_example_asks_only_among_results() -> None:
    claim = Claim("c9", ClaimKind.NUMBER, "paper.md", 9, 1, "0.9", "0.9", section=("Results",), table=3)
    labelled = msgspec.structs.replace(claim, role=ClaimRole.ILLUSTRATIVE)
    elsewhere = msgspec.structs.replace(labelled, section=("Introduction",))
    claims, judgements = claims_of(*ALL_HOLD)
    judgements["c9"] = Judgement("c9", Verdict.ILLUSTRATIVE)
    moved = policy("counts", illustrative="review")
    assert decide_outcome([*claims, labelled], judgements, DEFAULT) is StudyOutcome.SUPPORTED
    assert decide_outcome([*claims, labelled], judgements, moved) is StudyOutcome.MIXED
    assert decide_outcome([*claims, elsewhere], judgements, moved) is StudyOutcome.SUPPORTED


def test_a_share_is_taken_as_it_is_written() -> None:
    """0.8 of 5 is 4, and 0.7 of 10 is 7, whatever binary fractions say."""
    assert outcome(policy("lines", known_to_accept=0.8), *[(GOOD, 1)] * 4, (OPEN, 1)) == "supported"
    assert outcome(policy("lines", known_to_accept=0.7), *[(GOOD, 1)] * 7, *[(OPEN, 1)] * 3) == "supported"
    assert outcome(policy("lines", failing_to_reject=0.1), *[(GOOD, None)] * 27, *[(BAD, None)] * 3) == "mixed"


# ----------------------------------------------------------------------------------------------------------- laws


def action(lines: Policy, claims: list[Claim], judgements: dict[str, Judgement], told: set[str], findings: list[Finding], more: dict[str, Any]) -> Action:  # fmt: skip
    """What a reader should do; values told as partial have the verdict that the policy gives them."""
    if lines.counts.told_partial == "fails":
        fails = {one: Judgement(one, Verdict.PARTIAL) for one in told if judgements[one].verdict is OPEN}
        judgements = {**judgements, **fails}
    circumstances = Circumstances(**more)
    found = decide_outcome(claims, judgements, lines, circumstances)
    against = [*reasons_against(claims, judgements, lines, circumstances), *findings_against(findings, lines)]
    return action_for(found, lines, asked=bool(against))


FINDINGS = st.lists(
    st.builds(Finding, st.just("a-rule"), st.sampled_from(Severity), st.sampled_from(Strength), st.just("said")),
    max_size=3,
)


@settings(max_examples=400)
@given(RESULTS, MORE, FINDINGS, st.data())
def test_strict_never_accepts_more_than_default_and_default_never_more_than_lenient(
    results: list[tuple[Verdict, int | str | None]], more: dict[str, Any], findings: list[Finding], data: st.DataObject
) -> None:
    claims, judgements = claims_of(*results)
    told = data.draw(st.sets(st.sampled_from([claim.id for claim in claims]))) if claims else set()
    roles = data.draw(st.lists(st.booleans(), min_size=len(claims), max_size=len(claims)))
    for number, illustrative in enumerate(roles):  # some of them are labelled as examples
        if illustrative and number % 4 == 0:
            one = claims[number]
            claims[number] = msgspec.structs.replace(one, role=ClaimRole.ILLUSTRATIVE, section=("Results",))
            judgements[one.id] = Judgement(one.id, Verdict.ILLUSTRATIVE)
    strict, default, lenient = (
        ORDER.index(action(lines, claims, judgements, told, findings, more)) for lines in (STRICT, DEFAULT, LENIENT)
    )
    assert strict <= default <= lenient


def test_a_table_that_fails_as_a_whole_does_so_under_strict_with_what_is_told_as_partial() -> None:
    """Where strict has a cell fail that default leaves open, the table must not look better by it."""
    claims, judgements = claims_of(*[(GOOD, 1)] * 8, (BAD, 2), (OPEN, 2))
    for lines in (DEFAULT, STRICT):
        assert action(lines, claims, judgements, {"c9"}, [], {}) is Action.REJECT


def values_of(kind: type[msgspec.Struct]) -> st.SearchStrategy[dict[str, Any]]:
    """Any values that the parameters of one table can have."""
    strategies: dict[str, st.SearchStrategy[Any]] = {}
    information = msgspec.inspect.type_info(kind)
    assert isinstance(information, msgspec.inspect.StructType)
    for one in information.fields:
        if isinstance(one.type, msgspec.inspect.LiteralType):
            strategies[one.name] = st.sampled_from(sorted(map(str, one.type.values)))
        elif isinstance(one.type, msgspec.inspect.VarTupleType):
            assert isinstance(one.type.item_type, msgspec.inspect.LiteralType)
            choices = st.sampled_from(sorted(map(str, one.type.item_type.values)))
            strategies[one.name] = st.lists(choices, unique=True).map(tuple)
        else:
            shares = st.integers(0, 20).map(lambda number: number / 20)
            strategies[one.name] = st.booleans() if isinstance(one.type, msgspec.inspect.BoolType) else shares
    return st.fixed_dictionaries(strategies)


KINDS = {
    "results": PolicyResults,
    "lines": PolicyLines,
    "counts": PolicyCounts,
    "findings": PolicyFindings,
    "actions": PolicyActions,
}
ANY_POLICY = st.fixed_dictionaries({key: values_of(kind).map(lambda held, kind=kind: kind(**held)) for key, kind in KINDS.items()}).map(lambda held: Policy(name="any", **held))  # type: ignore[misc]  # fmt: skip


@settings(max_examples=400)
@given(ANY_POLICY, RESULTS, MORE)
def test_no_policy_accepts_what_fails_or_what_nothing_is_known_of(
    lines: Policy, results: list[tuple[Verdict, int | str | None]], more: dict[str, Any]
) -> None:
    """A result that fails, and no person answers for, costs `accept`; so does a manuscript of which nothing holds."""
    claims, judgements = claims_of(*results)
    found = decide_outcome(claims, judgements, lines, Circumstances(**more))
    verdicts = [judgements[claim.id].verdict for claim in claims if claim.id not in more["waived"]]
    chain_holds = [verdict for verdict in verdicts if verdict.outcome is Outcome.PASSED or verdict is OFF_PLAN]
    supported = found in (StudyOutcome.SUPPORTED, StudyOutcome.SUPPORTED_WITH_DEVIATIONS)
    if any(verdict.outcome is Outcome.FAILED for verdict in verdicts):
        assert not supported
        assert action_for(found, lines) is not Action.ACCEPT
    if supported and not more["waived"]:
        assert chain_holds
    if not supported:
        assert action_for(found, lines) is not Action.ACCEPT


@given(ANY_POLICY)
def test_a_policy_written_as_toml_is_the_same_policy(lines: Policy) -> None:
    document = tomllib.loads(lines.to_toml())
    Draft202012Validator(SCHEMA).validate(document)
    chosen = choose_policy(lines)
    assert chosen.policy == lines
    assert chosen.sha256 == hashlib.sha256(lines.to_toml().encode()).hexdigest()


def test_of_several_actions_the_least_accepting_counts() -> None:
    assert worst_action([Action.ACCEPT, Action.REJECT, Action.REVIEW]) is Action.REJECT
    assert worst_action([Action.ACCEPT, Action.REPORT_INCOMPLETE]) is Action.REPORT_INCOMPLETE


# ----------------------------------------------------------------------------------------------------------- files


def write(path: Path, text: str, name: str = "policy.toml") -> Path:
    file = path / name
    file.write_text(text, encoding="utf-8")
    return file


HEAD = 'format = "provchain-policy/1"\nname = "ours"\n'


def test_a_file_says_in_what_it_differs_from_its_base(tmp_path: Path) -> None:
    file = write(tmp_path, f'{HEAD}base = "strict"\n[lines]\nknown-to-accept = 0.9\n')
    found = load_policy(file)
    assert found == load_policy(str(file))
    assert found.lines == msgspec.structs.replace(STRICT.lines, known_to_accept=0.9)
    assert (found.name, found.summary, found.counts) == ("ours", "", STRICT.counts)
    assert choose_policy(file).sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    assert load_policy(write(tmp_path, HEAD)).lines == DEFAULT.lines


def test_all_problems_are_told_at_once_with_close_names(tmp_path: Path) -> None:
    text = """
        format = "provchain-policy/1"
        name = "default"
        base = "strickt"
        [line]
        [lines]
        known_to_accept = 0.3
        failing-to-reject = "half"
        known-of-table = nan
        known-to-reject = 50
        failing-table-rejects = 1
        table-verdicts = ["sythetic", "stale", 3]
        [counts]
        ambiguous = "opn"
        off-plan = "left-out"
        [actions]
        mixed = "accept"
    """
    with pytest.raises(MalformedSourceError) as caught:
        load_policy(write(tmp_path, text))
    assert [problem.where for problem in caught.value.problems] == [
        "name",
        "base",
        "the file",
        "lines",
        "lines.failing-to-reject",
        "lines.known-of-table",
        "lines.known-to-reject",
        "lines.failing-table-rejects",
        "lines.table-verdicts[1]",
        "lines.table-verdicts[3]",
        "counts.ambiguous",
        "counts.off-plan",
        "actions.mixed",
    ]
    for meant in ("'strict'", "'lines'", "'known-to-accept'", "'synthetic'", "'open'"):
        assert f"did you mean {meant} instead of" in caught.value.hint
    assert "a number from 0 to 1, found 50" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        'name = "ours"',
        'format = "provchain-policy/2"\nname = "ours"',
        'format = "provchain-policy/1"',
        'format = "provchain-policy/1"\nname = ""',
        'format = "provchain-policy/1"\nname = "two\\nlines"',
        'format = "provchain-policy/1"\nname = "\\u001b[31mred"',
        f'format = "provchain-policy/1"\nname = "{"x" * 61}"',
        f"{HEAD}base = 3",
        f"{HEAD}base = []",
        f"{HEAD}lines = 3",
        f"{HEAD}[[lines]]\n",
        f'{HEAD}[lines]\ntable-verdicts = "stale"',
        f"{HEAD}[lines]\nknown-to-accept = true",
        f"{HEAD}[lines\n",
        f"{HEAD}name = 'twice'",
        "[" * 5_000,
        "# " + "x" * 100_001,
    ],
)
def test_what_is_no_policy_is_an_error_with_its_place(text: str, tmp_path: Path) -> None:
    with pytest.raises(MalformedSourceError) as caught:
        load_policy(write(tmp_path, text))
    assert "policy.toml" in str(caught.value)


def test_what_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.toml", tmp_path, Path("nowhere"), "no/where", tmp_path / "a\0b.toml"):
        with pytest.raises(SourceError) as caught:
            load_policy(path)
        assert caught.value.hint
    (tmp_path / "latin.toml").write_bytes('name = "é"'.encode("latin-1"))
    with pytest.raises(MalformedSourceError):
        load_policy(tmp_path / "latin.toml")


def test_a_name_comes_before_a_file_and_an_unknown_one_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, HEAD, "strict")
    write(tmp_path, HEAD, "without-suffix")
    assert load_policy("strict") == STRICT
    assert (
        load_policy("./strict").name == load_policy(Path("strict")).name == load_policy("without-suffix").name == "ours"
    )
    for name, meant in (("Strict", "strict"), ("lenent", "lenient")):
        with pytest.raises(UnknownPolicyError) as caught:
            load_policy(name)
        assert f"did you mean {meant!r}?" in caught.value.hint
    with pytest.raises(UnknownPolicyError) as caught:
        load_policy("")
    assert "default, lenient, strict" in caught.value.hint


def test_a_policy_made_in_python_is_checked_too() -> None:
    assert choose_policy(DEFAULT).sha256 is None
    wrong = Policy(name="ours", lines=PolicyLines(known_to_accept=3), counts=PolicyCounts(ambiguous="opn"))  # type: ignore[arg-type]
    with pytest.raises(MalformedSourceError) as caught:
        choose_policy(wrong)
    assert [problem.where for problem in caught.value.problems] == ["lines.known-to-accept", "counts.ambiguous"]
    with pytest.raises(MalformedSourceError):  # a name that ships means what ships
        choose_policy(policy("lines", known_to_accept=0).__class__(name="strict"))


# ----------------------------------------------------------------------------------------------------------- audits


@pytest.fixture
def partial(tmp_path: Path) -> Path:
    """An execution that was stopped, and a manuscript that tells its number as what it is."""
    lines = [
        {"format": "provchain-study/1", "title": "Cut short", "recorders": [{"id": "harness", "kind": "observer"}]},
        {"event": "execution-started", "execution": "e1", "command": "python sweep.py"},
        {"event": "file-written", "execution": "e1", "path": "folds.json"},
        {"event": "execution-ended", "execution": "e1", "exit_code": 1},
        {"event": "execution-started", "execution": "e2", "command": "python count.py"},
        {"event": "file-written", "execution": "e2", "path": "counts.json"},
        {"event": "execution-ended", "execution": "e2", "exit_code": 0},
    ]
    (tmp_path / "study.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (tmp_path / "folds.json").write_text('{"svm": {"accuracy": 0.8517}}', encoding="utf-8")
    (tmp_path / "counts.json").write_text('{"svm": {"seconds": 41.37}, "knn": {"seconds": 17.92}}', encoding="utf-8")
    report = """# Study

The sweep could not be completed: it crashed.

## Results

The svm took 41.37 seconds, the knn 17.92 seconds.

Partial accuracy of the svm, before the crash: 0.8517.
"""
    (tmp_path / "report.md").write_text(report, encoding="utf-8")
    return tmp_path


def test_told_partial_is_the_one_parameter_that_changes_a_verdict(partial: Path) -> None:
    told, fails = provchain.audit(partial), provchain.audit(partial, policy=policy("counts", told_partial="fails"))
    before = {claim.written: claim.verdict for claim in told.claims}
    after = {claim.written: claim.verdict for claim in fails.claims}
    assert (before["0.8517"], after["0.8517"]) == (Verdict.AMBIGUOUS, Verdict.NOT_COMPLETED)
    assert {key for key in before if before[key] != after[key]} == {"0.8517"}
    others = [policy("counts", told_partial="open"), LENIENT]
    assert all({c.written: c.verdict for c in provchain.audit(partial, policy=one).claims} == before for one in others)


def test_the_report_names_the_policy(partial: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    plain = provchain.audit(partial, policy="lenient").to_dict()
    assert (plain["policy"], plain["policy_sha256"]) == ("lenient", None)
    file = write(tmp_path_factory.mktemp("policies"), f'{HEAD}base = "strict"\n')
    own = provchain.audit(partial, policy=file)
    schema = json.loads(read_resource("schemas", "report.schema.json"))
    Draft202012Validator(schema).validate(json.loads(own.to_json()))
    assert (own.policy, own.policy_sha256) == ("ours", hashlib.sha256(file.read_bytes()).hexdigest())
    assert own.to_json() == provchain.audit(partial, policy=str(file)).to_json()


@pytest.mark.parametrize("name", ["substituted", "repaired"])
def test_an_example_has_the_same_answer_under_every_policy(name: str) -> None:
    """What was made up is never accepted, and a clean study always is."""
    actions = {provchain.audit(ROOT / "examples" / name, policy=one).action for one in list_policies()}
    assert actions == ({Action.REJECT} if name == "substituted" else {Action.ACCEPT})


def test_strict_says_what_speaks_against_accepting(tmp_path: Path) -> None:
    lines = [
        {"format": "provchain-study/1", "title": "Two runs", "recorders": [{"id": "harness", "kind": "observer"}]},
        {"event": "step-declared", "step": "train", "scripts": ["train.py"]},
    ]
    for run, shown in (("e1", "accuracy 0.8517"), ("e2", "accuracy 0.8493")):
        lines += [
            {"event": "execution-started", "execution": run, "command": "python train.py"},
            {"event": "execution-ended", "execution": run, "exit_code": 0, "output": shown},
        ]
    (tmp_path / "study.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (tmp_path / "report.md").write_text("# Results\n\nThe accuracy is 0.8517.\n", encoding="utf-8")
    strict, lenient = (provchain.audit(tmp_path, policy=one) for one in ("strict", "lenient"))
    assert (strict.outcome, strict.action) == (StudyOutcome.MIXED, Action.REVIEW)
    assert strict.papers[0].against == (
        "a later execution replaced the value of 1 claim",
        "1 finding of severity warning",
    )
    assert (lenient.outcome, lenient.action, lenient.papers[0].against) == (StudyOutcome.SUPPORTED, Action.ACCEPT, ())
