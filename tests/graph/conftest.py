"""Small studies: one that a person can read, and thousands that nobody would write."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import strategies as st

from provchain.model import (
    Artifact,
    Authoring,
    Break,
    Claim,
    ClaimKind,
    Deviation,
    Execution,
    Finding,
    Judgement,
    Kind,
    Link,
    Place,
    Plan,
    Recorder,
    RecorderKind,
    Relation,
    Role,
    Severity,
    Source,
    Status,
    Step,
    Strength,
    Study,
    Tier,
    Usage,
    Value,
    Verdict,
)

# What traces and papers really hold: markup, quotes, escapes, control characters, halves of emoji.
_TEXTS = st.sampled_from(
    (
        "a",
        "b",
        "results/m.json#1",
        "a b",
        'say "x"',
        "<script>",
        "a\\b",
        "%20",
        "%zz",
        "\x00\x1b[0m",
        "\ud800",
        "é😀",
        "",
        *(
            "study:x",
            "x:y",
            "/",
            "a\nb",
            "\r",
            "_:b",
            "{}|^`",
            "\ufffe",
            "prov:used",
            "http://x/ y",
            "-",
            ".",
            "-.a=;,()",
        ),
    )
)
_TIMES = st.sampled_from(
    (None, "2026-11-30T17:07:00Z", "2026-11-30", "2026-11-30T17:07:60", "2026-11-30T17:07:00.5+15:00")
)
_NUMBERS = st.sampled_from(
    tuple(Decimal(text) for text in ("0.910", "-3", "1E+400", "1E-30", "NaN", "Infinity", "0", "5E+25"))
)
_PLACE = Place("trace.json", "4")


@st.composite
def _studies(draw: st.DrawFn) -> tuple[Study, list[Judgement], list[tuple[str, str]]]:
    ids = draw(st.lists(_TEXTS, min_size=1, max_size=5))
    pick, flag = st.sampled_from(ids), st.booleans()
    recorder = st.sampled_from(("provchain", "trace", "words", "unlisted", "support"))
    few = {"max_size": 3}
    usage = st.builds(Usage, artifact=pick, role=st.sampled_from(Role))
    execution = st.builds(
        Execution,
        id=pick,
        command=_TEXTS,
        at=st.just(_PLACE),
        status=st.sampled_from(Status),
        status_source=_TEXTS,
        exit_code=st.none() | st.integers(-(2**70), 2**70),
        error=st.none() | _TEXTS,
        started=_TIMES,
        ended=_TIMES,
        step=st.none() | pick,
        made_up=flag,
        used=st.lists(usage, **few).map(tuple),
        generated=st.lists(pick, **few).map(tuple),
        recorder=recorder,
    )
    authoring = st.builds(
        Authoring, id=pick, tool=_TEXTS, path=_TEXTS, at=st.just(_PLACE), generated=pick, used=st.none() | pick
    )
    artifact = st.builds(
        Artifact,
        id=pick,
        path=_TEXTS,
        ordinal=st.integers(0, 3),
        kind=st.sampled_from(Kind),
        sha256=st.sampled_from((None, "00", "11")),
        size=st.none() | st.integers(0, 5),
        writer=st.none() | pick,
        revision_of=st.none() | pick,
        copy_of=st.none() | pick,
        external=flag,
        altered=flag,
        recorder=recorder,
    )
    value = st.builds(
        Value,
        id=pick,
        artifact=pick,
        path=_TEXTS,
        selector=_TEXTS,
        lexical=_TEXTS,
        number=_NUMBERS,
        labels=st.just(("x",)),
    )
    claim = st.builds(
        Claim,
        id=pick,
        kind=st.sampled_from(ClaimKind),
        path=_TEXTS,
        line=st.just(3),
        column=st.just(1),
        written=_TEXTS,
        text=_TEXTS,
    )
    link = st.builds(
        Link,
        id=pick,
        claim=pick,
        operands=st.lists(pick, **few).map(tuple),
        relation=st.sampled_from(Relation),
        tier=st.sampled_from(Tier),
        rule=_TEXTS,
        agrees=flag,
    )
    study = Study(
        draw(_TEXTS),
        title=draw(_TEXTS),
        sources=[Source("trace.json", "claude-trace", RecorderKind.OBSERVER, "00")],
        recorders=[Recorder("trace", RecorderKind.OBSERVER, "t"), Recorder("words", RecorderKind.TESTIMONY)],
        plans=draw(st.lists(st.builds(Plan, id=pick, title=_TEXTS, at=st.just(_PLACE), simulation=flag), max_size=2)),
        steps=draw(
            st.lists(
                st.builds(
                    Step,
                    id=pick,
                    plan=pick,
                    label=_TEXTS,
                    scripts=st.just(("a.py",)),
                    origin=_TEXTS,
                    at=st.just(_PLACE),
                ),
                max_size=2,
            )
        ),
        executions=draw(st.lists(execution, **few)),
        authorings=draw(st.lists(authoring, max_size=2)),
        artifacts=draw(st.lists(artifact, max_size=4)),
        values=draw(st.lists(value, max_size=2)),
        claims=draw(st.lists(claim, **few)),
        links=draw(st.lists(link, **few)),
        deviations=draw(st.lists(st.builds(Deviation, id=pick, about=_TEXTS, message=_TEXTS), max_size=1)),
        findings=[Finding("made-up", Severity.ERROR, Strength.PROOF, draw(_TEXTS), (_PLACE,))],
    )
    broken = st.none() | st.builds(Break, link=st.just("synthetic"), at=pick, why=_TEXTS)
    judgements = draw(
        st.lists(st.builds(Judgement, claim=pick, verdict=st.sampled_from(Verdict), broken=broken), max_size=2)
    )
    return study, judgements, draw(st.lists(st.tuples(pick, pick), **few))


@pytest.fixture(scope="session")
def studies() -> st.SearchStrategy[tuple[Study, list[Judgement], list[tuple[str, str]]]]:
    """Studies with hostile ids and labels, their judgements and support edges."""
    return _studies()


@pytest.fixture(scope="session")
def small() -> Study:
    """A script was written, ran on data from outside, and its result was copied and claimed."""
    return Study(
        "run 1",
        title="Does it work?",
        sources=[Source("trace.json", "claude-trace", RecorderKind.OBSERVER, "ab")],
        recorders=[Recorder("trace", RecorderKind.OBSERVER, "trace.json"), Recorder("folder", RecorderKind.OBSERVER)],
        plans=[Plan("plan", "Proposal", Place("idea.md"))],
        steps=[Step("step", "plan", "train", ("train.py",), "proposal", Place("idea.md", "3"))],
        executions=[
            Execution(
                "8.1",
                "python train.py",
                Place("trace.json", "8"),
                Status.COMPLETED,
                "exit code",
                exit_code=0,
                started="2026-11-30T17:07:00Z",
                script="train.py",
                step="step",
                planned=True,
                used=(
                    Usage("train.py#1", Role.CODE),
                    Usage("data.csv#0", Role.DATA),
                    Usage("old.pt#1", Role.CHECKPOINT),
                ),
                generated=("m.json#2",),
                recorder="trace",
            ),
            Execution(
                "6.1",
                "python old.py",
                Place("trace.json", "6"),
                Status.FAILED,
                "tool flag",
                error="KeyError",
                recorder="trace",
            ),
        ],
        authorings=[
            Authoring("4.1", "Write", "train.py", Place("trace.json", "4"), "train.py#1", recorder="trace"),
            Authoring("5.1", "Write", "m.json", Place("trace.json", "5"), "m.json#1", recorder="trace"),
        ],
        artifacts=[
            Artifact("train.py#1", "train.py", 1, Kind.SCRIPT, writer="4.1", known_from="tool", recorder="folder"),
            Artifact("data.csv#0", "data.csv", 0, Kind.DATA, sha256="cc", external=True, recorder="folder"),
            Artifact("old.pt#1", "old.pt", 1, Kind.CHECKPOINT, writer="6.1", recorder="folder"),
            Artifact("m.json#1", "m.json", 1, Kind.RESULT, writer="5.1", recorder="folder"),
            Artifact(
                "m.json#2",
                "m.json",
                2,
                Kind.RESULT,
                "dd",
                9,
                "8.1",
                "output",
                "m.json#1",
                on_disk=True,
                recorder="folder",
            ),
            Artifact("copy.json#1", "copy.json", 1, Kind.RESULT, "dd", copy_of="m.json#2", recorder="folder"),
        ],
        values=[Value("m.json#2!/acc", "m.json#2", "m.json", "/acc", "0.910", Decimal("0.910"), ("acc",))],
        claims=[Claim("c1", ClaimKind.NUMBER, "paper.md", 3, 7, "0.91", "It reached 0.91.")],
        links=[Link("l1", "c1", ("m.json#2!/acc",), Relation.ROUNDED, Tier.LABELS, "5.7 table")],
        deviations=[Deviation("d1", "sample", "fewer", (Place("train.py", "3"),), ("8.1",))],
    )
