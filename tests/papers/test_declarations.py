"""``claims.toml``: what it can say, and everything that is wrong with one at once."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from provchain.errors import MalformedSourceError
from provchain.events.logged import ClaimDeclared, ClaimWaived, DeclaredLink
from provchain.model import Operand, Place
from provchain.papers.declarations import OPERAND_OPERATIONS, OPERATION_NAMES, is_declarations, read_declarations

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "schemas" / "claims.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
HOW_TO = (ROOT / "docs" / "how-to" / "declare-links.md").read_text(encoding="utf-8")
HEAD = 'format = "provchain-claims/1"\n'
LINKS = 'links = [{ artifact = "m.json", selector = "/a" }]\n'
WAIVED = '[[waiver]]\nwritten = "1"\nreason = "r"\nby = "b"\n'

FULL = (
    HEAD
    + """
[[claim]]
paper = "results.md"
written = "0.9290"
line = 18
column = 4
links = [
  { artifact = "results/metrics.json", selector = "/svm/accuracy" },
  { execution = "21.1" },
  { operation = "ratio", operands = [{ artifact = "a.csv", selector = "cell=2,3" }, { artifact = "b.log", selector = "line=7;2" }] },
]
[[claim]]
id = "0123456789ab"
links = [{ operands = [{ artifact = "a.json" }, { execution = "4.1" }] }]
[[waiver]]
written = "0.77"
reason = "reproduced by hand"
by = "R. Viewer"
"""
)


def in_operand(keys: str) -> str:
    return HEAD + f"[[claim]]\nwritten='1'\nlinks=[{{operation='sum',operands=[{{{keys}}}]}}]\n"


BROKEN = {
    "no format": "[[claim]]\nwritten='1'\n" + LINKS,
    "another version": 'format = "provchain-claims/2"\n',
    "format of another type": "format = 1\n",
    "unknown top key": HEAD + "claims = []\n",
    "claim is no list": HEAD + 'claim = "x"\n',
    "claim is one table": HEAD + "[claim]\nwritten='1'\n" + LINKS,
    "entry is no table": HEAD + "claim = [1]\n",
    "unknown key of a claim": HEAD + "[[claim]]\nwriten='1'\nwritten='1'\n" + LINKS,
    "a number without quotes": HEAD + "[[claim]]\nwritten=0.9290\n" + LINKS,
    "nothing that singles it out": HEAD + "[[claim]]\npaper='results.md'\n" + LINKS,
    "only a column": HEAD + "[[claim]]\ncolumn=3\n" + LINKS,
    "line 0": HEAD + "[[claim]]\nline=0\n" + LINKS,
    "line is a truth value": HEAD + "[[claim]]\nline=true\n" + LINKS,
    "no links": HEAD + "[[claim]]\nwritten='1'\n",
    "empty links": HEAD + "[[claim]]\nwritten='1'\nlinks=[]\n",
    "a link is no table": HEAD + "[[claim]]\nwritten='1'\nlinks=['m.json']\n",
    "an empty link": HEAD + "[[claim]]\nwritten='1'\nlinks=[{}]\n",
    "two ways at once": HEAD + "[[claim]]\nwritten='1'\nlinks=[{artifact='a',execution='1.1'}]\n",
    "selector of nothing": HEAD + "[[claim]]\nwritten='1'\nlinks=[{execution='1.1',selector='/a'}]\n",
    "selector beside operands": HEAD + "[[claim]]\nwritten='1'\nlinks=[{operands=[{artifact='a'}],selector='/a'}]\n",
    "an odd selector": HEAD + "[[claim]]\nwritten='1'\nlinks=[{artifact='a',selector='svm.accuracy'}]\n",
    "an operation without operands": HEAD + "[[claim]]\nwritten='1'\nlinks=[{artifact='a',operation='mean'}]\n",
    "an unknown operation": HEAD
    + "[[claim]]\nwritten='1'\nlinks=[{operation='avg',operands=[{artifact='a',selector='/a'}]}]\n",
    "a mean of a whole file": HEAD + "[[claim]]\nwritten='1'\nlinks=[{operation='mean',artifact='a'}]\n",
    "a mean of an execution": HEAD + "[[claim]]\nwritten='1'\nlinks=[{operation='mean',execution='1.1'}]\n",
    "an operand that is a pair": in_operand("operation='ratio',artifact='a',selector='/a'"),
    "an operand of an unknown operation": in_operand("operation='avg',artifact='a',selector='/a'"),
    "an operand with operands and no operation": in_operand("operands=[{artifact='a',selector='/a'}]"),
    "an operand of both": in_operand("operation='mean',artifact='a',selector='/a',operands=[{artifact='a',selector='/a'}]"),
    "an operand of nothing": in_operand("operation='mean',operands=[]"),
    "an operand three deep": in_operand(
        "operation='mean',operands=[{operation='mean',artifact='a',selector='/a'}]"
    ),
    "a computed operand of no operation": HEAD
    + "[[claim]]\nwritten='1'\nlinks=[{operands=[{operation='mean',artifact='a',selector='/a'}]}]\n",
    "an operand without selector": HEAD
    + "[[claim]]\nwritten='1'\nlinks=[{operation='mean',operands=[{artifact='a'}]}]\n",
    "an operand of two": HEAD + "[[claim]]\nwritten='1'\nlinks=[{operands=[{artifact='a',execution='1.1'}]}]\n",
    "an operand that is unknown": HEAD + "[[claim]]\nwritten='1'\nlinks=[{operands=[{file='a'}]}]\n",
    "an absolute path": HEAD + "[[claim]]\nwritten='1'\nlinks=[{artifact='/etc/passwd'}]\n",
    "a drive": HEAD + "[[claim]]\nwritten='1'\nlinks=[{artifact='C:\\a'}]\n",
    "a folder": HEAD + "[[claim]]\nwritten='1'\nlinks=[{artifact='results/'}]\n",
    "an empty text": HEAD + "[[claim]]\nwritten=' '\n" + LINKS,
    "a waiver without a reason": HEAD + "[[waiver]]\nwritten='1'\nby='b'\n",
    "a waiver without a name": HEAD + "[[waiver]]\nwritten='1'\nreason='r'\n",
    "a waiver of nothing": HEAD + "[[waiver]]\nreason='r'\nby='b'\n",
    "a waiver with links": HEAD + WAIVED + LINKS,
}  # fmt: skip


def problems(text: str, path: str = "claims.toml") -> MalformedSourceError:
    with pytest.raises(MalformedSourceError) as caught:
        read_declarations(path, text)
    return caught.value


def test_everything_that_can_be_said_is_read() -> None:
    first, second, waiver = read_declarations("paper/claims.toml", FULL)
    assert first == ClaimDeclared(
        at=Place("paper/claims.toml", "claim[1]"),
        paper="paper/results.md",
        written="0.9290",
        line=18,
        column=4,
        links=(
            DeclaredLink(artifact="paper/results/metrics.json", selector="/svm/accuracy"),
            DeclaredLink(execution="21.1"),
            DeclaredLink(
                operation="ratio",
                operands=(Operand("paper/a.csv", "cell=2,3"), Operand("paper/b.log", "line=7;2")),
            ),
        ),
    )
    assert isinstance(second, ClaimDeclared)
    assert (second.id, second.links[0].operands[1]) == ("0123456789ab", Operand(execution="4.1"))
    assert isinstance(waiver, ClaimWaived)
    assert (str(waiver.at), waiver.reason, waiver.by) == (
        "paper/claims.toml:waiver[1]",
        "reproduced by hand",
        "R. Viewer",
    )


def test_an_empty_file_of_the_format_declares_nothing() -> None:
    assert read_declarations("claims.toml", "\ufeff" + HEAD) == []


@pytest.mark.parametrize("name", BROKEN)
def test_what_the_code_refuses_the_schema_refuses(name: str) -> None:
    assert problems(BROKEN[name]).problems
    assert not VALIDATOR.is_valid(tomllib.loads(BROKEN[name]))


def test_the_schema_accepts_what_the_code_reads() -> None:
    VALIDATOR.check_schema(SCHEMA)
    examples = re.findall(r"```toml\n(.*?)```", HOW_TO, re.DOTALL)
    assert len(examples) >= 4
    for text in (FULL, HEAD, HEAD + WAIVED, *examples):
        read_declarations("claims.toml", text)
        assert list(VALIDATOR.iter_errors(tomllib.loads(text))) == []


def test_schema_and_code_know_the_same_operations() -> None:
    assert tuple(SCHEMA["$defs"]["link"]["properties"]["operation"]["enum"]) == OPERATION_NAMES
    assert tuple(SCHEMA["$defs"]["operand"]["properties"]["operation"]["enum"]) == OPERAND_OPERATIONS


@pytest.mark.parametrize(
    ("keys", "operand"),
    [
        ("operation='mean',artifact='a.json',selector='/a'", Operand("p/a.json", "/a", operation="mean")),
        (
            "operation='max',operands=[{artifact='a.json',selector='/a'},{artifact='../b.json',selector='/b'}]",
            Operand(operation="max", operands=(Operand("p/a.json", "/a"), Operand("b.json", "/b"))),
        ),
    ],
)
def test_an_operand_can_be_computed_itself(keys: str, operand: Operand) -> None:
    (event,) = read_declarations("p/claims.toml", in_operand(keys))
    assert isinstance(event, ClaimDeclared)
    assert event.links[0].operands == (operand,)
    assert VALIDATOR.is_valid(tomllib.loads(in_operand(keys)))


def test_all_problems_come_at_once_with_their_places() -> None:
    text = HEAD + "[[claim]]\nwritten=1\nlinks=[{artifct='a'},{artifact='b',selector='x'}]\n[[waiver]]\nwritten='1'\n"
    places = [problem.where for problem in problems(text).problems]
    assert places == [
        "claim[1].written",
        "claim[1].links[1]",
        "claim[1].links[1]",
        "claim[1].links[2].selector",
        "waiver[1].reason",
        "waiver[1].by",
    ]


def test_a_misspelt_key_is_told_which_it_may_be() -> None:
    assert "'artifact'" in problems(HEAD + "[[claim]]\nwritten='1'\nlinks=[{artifct='a'}]\n").hint
    assert (
        "'relative-change'"
        in problems(
            HEAD
            + "[[claim]]\nwritten='1'\nlinks=[{operation='relative_change',operands=[{artifact='a',selector='/b'}]}]\n"
        ).hint
    )


@pytest.mark.parametrize("text", ["format = ", HEAD + "[[claim]\n", "x = " + "[" * 5_000, "x = " + "1" * 5_000])
def test_what_is_no_toml_is_told_with_its_line(text: str) -> None:
    error = problems(text)
    assert error.problems[0].path == "claims.toml"
    assert "TOML" in str(error)


def test_a_broken_line_is_named() -> None:
    assert problems(HEAD + "\nwritten = 0.9.0\n").where == "line 3"


@pytest.mark.parametrize(
    ("folder", "written", "meant"),
    [
        ("", "a/./b.json", "a/b.json"),
        ("paper", "../run/b.json", "run/b.json"),
        ("paper/deep", "../../b.json", "b.json"),
        ("paper", "..\\run\\b.json", "run/b.json"),
    ],
)
def test_paths_are_relative_to_the_folder_of_the_file(folder: str, written: str, meant: str) -> None:
    text = HEAD + f"[[claim]]\nwritten='1'\nlinks=[{{artifact='{written}'}}]\n"
    (declared,) = read_declarations(f"{folder}/claims.toml".lstrip("/"), text)
    assert isinstance(declared, ClaimDeclared)
    assert declared.links[0].artifact == meant


@given(st.lists(st.sampled_from(["..", ".", "a", "b.json"]), min_size=1, max_size=8).map("/".join))
def test_no_path_leaves_the_directory(written: str) -> None:
    text = HEAD + f"[[claim]]\nwritten='1'\nlinks=[{{artifact='{written}'}}]\n"
    try:
        (declared,) = read_declarations("paper/claims.toml", text)
    except MalformedSourceError:
        return
    assert isinstance(declared, ClaimDeclared)
    assert not {"..", "."} & set(declared.links[0].artifact.split("/"))
    assert not declared.links[0].artifact.startswith("/")


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    told: tuple[object, ...] = ()
    read = None
    try:
        read = read_declarations("claims.toml", HEAD + text)
    except MalformedSourceError as error:
        told = error.problems
    assert (read is None) == bool(told)


def test_only_the_name_makes_a_file_one_of_declarations() -> None:
    assert [
        is_declarations(path) for path in ("claims.toml", "a/claims.toml", "a/my-claims.toml", "claims.toml/x")
    ] == [
        True,
        True,
        False,
        False,
    ]
