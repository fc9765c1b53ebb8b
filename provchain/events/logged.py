"""The events of a study file: what a recorder says outright, one line each, without anything to be worked out.

The classes are the format: the schema of a study file (`schemas/study.schema.json`) says the same, and a test holds the two
equal. Every event has an ``event`` with its name, and may have a ``time``, a ``recorder`` and any other fields, which are kept
as they are. The place and the unknown fields are filled in by the adapter.

Spec: docs/reference/study-files.md; https://www.w3.org/TR/prov-dm/ (activity, usage, generation, plan).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TypeAlias

from msgspec import Struct, field

from provchain.events import Event
from provchain.model import Operand, Place, RecorderKind, Role, Status

__all__ = [
    "ENDS",
    "LOGGED",
    "ClaimDeclared",
    "ClaimWaived",
    "DeclaredLink",
    "DeviationRecorded",
    "Ended",
    "ExecutionEnded",
    "ExecutionFailed",
    "ExecutionKilled",
    "ExecutionStarted",
    "ExecutionTimedOut",
    "FileAuthored",
    "FileFound",
    "HelpAsked",
    "InputRead",
    "LogCut",
    "Logged",
    "ManuscriptDeclared",
    "OtherLogged",
    "OutputWritten",
    "PlanDeclared",
    "RecorderDeclared",
    "StepDeclared",
    "StudyDeclared",
    "ValueLogged",
    "WorkGivenUp",
]


class Logged(Event, frozen=True, kw_only=True):
    """What all events of a study file have.

    Attributes:
        at: Its place: the line of a log, the JSON Pointer in a document.
        time: ISO 8601, if recorded.
        recorder: Id of the recorder that says so; empty for the one that the file names first.
        extra: The fields that this version does not know, as a JSON object, or empty.
    """

    at: Place
    time: str | None = None
    recorder: str = ""
    extra: str = ""


class StudyDeclared(Logged, frozen=True, kw_only=True, tag="study-declared"):
    """The header of a study file.

    Attributes:
        title: In words.
        root: The study's directory on the machine where it ran: absolute paths below it are the study's own.
    """

    title: str = ""
    root: str = ""


class RecorderDeclared(Logged, frozen=True, kw_only=True, tag="recorder-declared"):
    """A recorder attests events of this file.

    Attributes:
        id: Its name in the file.
        kind: An observer counts for a chain (a harness, a workflow engine); a testimony (the agent's own words) never does.
    """

    id: str
    kind: RecorderKind


class PlanDeclared(Logged, frozen=True, kw_only=True, tag="plan-declared"):
    """The study has a plan.

    Attributes:
        plan: Its id.
        title: In words.
        path: The proposal, if it is a file.
        simulation: The plan is itself a simulation study: made-up-looking values are its planned outcome.
    """

    plan: str
    title: str = ""
    path: str = ""
    simulation: bool = False


class StepDeclared(Logged, frozen=True, kw_only=True, tag="step-declared"):
    """The plan says that this will be run.

    Attributes:
        step: Its id.
        label: In words; the id if empty.
        plan: Id of the plan; the first one if empty.
        scripts: Paths of the scripts that carry it out, the entry point first: executions of them belong to the step.
    """

    step: str
    label: str = ""
    plan: str = ""
    scripts: tuple[str, ...] = ()


class ExecutionStarted(Logged, frozen=True, kw_only=True, tag="execution-started"):
    """A process was started, or a function of a workflow engine.

    Attributes:
        execution: Its id, unique in the file.
        command: The command, or the call in words.
        cwd: The working directory; relative paths of the command are relative to it.
        script: The script it runs, if the command does not tell.
        step: Id of the step that it carries out, if its script does not tell.
        in_place_of: Id of the step that it stands in for: a substitute.
    """

    execution: str
    command: str
    cwd: str = ""
    script: str | None = None
    step: str | None = None
    in_place_of: str | None = None


class ExecutionEnded(Logged, frozen=True, kw_only=True, tag="execution-ended"):
    """It came to its own end. An exit code or a status says how; without either its end is unknown.

    Attributes:
        execution: Its id.
        exit_code: Of the process.
        status: The recorder's word for it, where there is no exit code.
        output: What it printed, both streams, as far as recorded.
        output_cut: Part of the output was left out.
        error: The last line of what went wrong.
    """

    execution: str
    exit_code: int | None = None
    status: Status | None = None
    output: str | None = None
    output_cut: bool = False
    error: str | None = None


class ExecutionFailed(Logged, frozen=True, kw_only=True, tag="execution-failed"):
    """It failed.

    Attributes:
        execution: Its id.
        error: The last line of what went wrong.
        exit_code: Of the process.
        output: What it printed.
        output_cut: Part of the output was left out.
    """

    execution: str
    error: str | None = None
    exit_code: int | None = None
    output: str | None = None
    output_cut: bool = False


class ExecutionTimedOut(Logged, frozen=True, kw_only=True, tag="execution-timed-out"):
    """It was stopped at a time limit.

    Attributes:
        execution: Its id.
        limit: The limit, in seconds.
        output: What it had printed.
        output_cut: Part of the output was left out.
    """

    execution: str
    limit: Decimal | None = None
    output: str | None = None
    output_cut: bool = False


class ExecutionKilled(Logged, frozen=True, kw_only=True, tag="execution-killed"):
    """It was killed: by a person, a scheduler, the system.

    Attributes:
        execution: Its id.
        signal: Name or number of the signal (``"SIGKILL"``).
        reason: Why, in words (``"out of memory"``).
        output: What it had printed.
        output_cut: Part of the output was left out.
    """

    execution: str
    signal: str | None = None
    reason: str | None = None
    output: str | None = None
    output_cut: bool = False


class InputRead(Logged, frozen=True, kw_only=True, tag="file-read"):
    """An execution read a file.

    Attributes:
        execution: Its id.
        path: The file.
        sha256: Digest of what it read.
        role: What the input is to it; from the kind of the file if not given.
    """

    execution: str
    path: str
    sha256: str | None = None
    role: Role | None = None


class OutputWritten(Logged, frozen=True, kw_only=True, tag="file-written"):
    """An execution wrote a file.

    Attributes:
        execution: Its id.
        path: The file.
        sha256: Digest of what it left.
        size: In bytes.
        text: What it left, where the file itself is not kept.
    """

    execution: str
    path: str
    sha256: str | None = None
    size: int | None = None
    text: str | None = None


class FileAuthored(Logged, frozen=True, kw_only=True, tag="authored"):
    """An agent wrote the bytes of a file itself.

    Attributes:
        path: The file.
        tool: What it wrote with (``"edit"``, ``"apply_patch"``).
        sha256: Digest of what it left.
        text: What it left, where the file itself is not kept.
    """

    path: str
    tool: str = "authored"
    sha256: str | None = None
    text: str | None = None


class FileFound(Logged, frozen=True, kw_only=True, tag="file-found"):
    """A file lies in the study's directory: for a study that is carried in one file.

    Attributes:
        path: The file.
        text: What it holds.
    """

    path: str
    text: str


class ValueLogged(Logged, frozen=True, kw_only=True, tag="value-logged"):
    """An execution reported a number.

    Attributes:
        execution: Its id.
        name: What it is (``"test/accuracy"``).
        value: The number, its digits kept.
        labels: More that names it (``{"seed": "3"}``).
    """

    execution: str
    name: str
    value: Decimal
    labels: dict[str, str] = field(default_factory=dict)


class DeviationRecorded(Logged, frozen=True, kw_only=True, tag="deviation-recorded"):
    """What was done differs from what was planned, and the study says so.

    Attributes:
        about: Data, model, metric, sample, seeds, step.
        message: In words: what was planned, and what was done instead.
        executions: Ids of the executions that it concerns.
        step: Id of the step whose executions it concerns.
    """

    about: str
    message: str
    executions: tuple[str, ...] = ()
    step: str | None = None


class HelpAsked(Logged, frozen=True, kw_only=True, tag="help-asked"):
    """A person was asked.

    Attributes:
        question: In words.
        step: Id of the step that it is about.
        execution: Id of the execution that it is about.
    """

    question: str
    step: str | None = None
    execution: str | None = None


class WorkGivenUp(Logged, frozen=True, kw_only=True, tag="work-given-up"):
    """A step, or the whole work, was given up.

    Attributes:
        reason: In words.
        step: Id of the step; the whole work if not given.
    """

    reason: str
    step: str | None = None


class ManuscriptDeclared(Logged, frozen=True, kw_only=True, tag="manuscript-declared"):
    """A file is a manuscript of the study, whatever its name.

    Attributes:
        path: The file.
    """

    path: str


class DeclaredLink(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that a claim rests on, as its author declares it.

    Either operands, all of them needed; or for one operand ``artifact`` and ``selector`` by themselves; or an execution.

    Attributes:
        artifact: Path of a file.
        selector: The place in it: a JSON Pointer, ``cell=R,C`` or ``line=N``.
        execution: Id of an execution: the number stands in something that it left.
        operands: Several places, all needed.
        operation: How the number follows from its operands, one of those of `docs/how-to/declare-links.md`.
    """

    artifact: str = ""
    selector: str = ""
    execution: str = ""
    operands: tuple[Operand, ...] = ()
    operation: str = ""


class ClaimDeclared(Logged, frozen=True, kw_only=True, tag="claim-declared"):
    """What a claim of a manuscript rests on. The claim is singled out by as much of its place as is needed.

    Attributes:
        paper: The manuscript.
        written: Exactly as it stands there.
        line: 1-based.
        column: 1-based.
        id: The claim's id, as a report has it.
        links: What it rests on; alternatives, so that one that holds is enough.
    """

    paper: str = ""
    written: str | None = None
    line: int | None = None
    column: int | None = None
    id: str = ""
    links: tuple[DeclaredLink, ...] = ()


class ClaimWaived(Logged, frozen=True, kw_only=True, tag="claim-waived"):
    """A person takes the responsibility for a claim. It keeps its verdict, and is shown with both.

    Attributes:
        paper: The manuscript.
        written: Exactly as it stands there.
        line: 1-based.
        column: 1-based.
        id: The claim's id, as a report has it.
        reason: Why, in words.
        by: Who: a name.
    """

    reason: str
    by: str
    paper: str = ""
    written: str | None = None
    line: int | None = None
    column: int | None = None
    id: str = ""


class OtherLogged(Logged, frozen=True, kw_only=True, tag="other"):
    """An event that this version does not know: kept, and not used.

    Attributes:
        name: Its name in the file.
    """

    name: str


class LogCut(Logged, frozen=True, kw_only=True, tag="log-cut"):
    """The log ends within a line: what came after is not known.

    Attributes:
        text: The beginning of the line, shortened.
    """

    text: str = ""


Ended: TypeAlias = ExecutionEnded | ExecutionFailed | ExecutionTimedOut | ExecutionKilled
ENDS = (ExecutionEnded, ExecutionFailed, ExecutionTimedOut, ExecutionKilled)
"""The events that end an execution."""

LOGGED: tuple[type[Logged], ...] = (
    PlanDeclared,
    StepDeclared,
    ExecutionStarted,
    ExecutionEnded,
    ExecutionFailed,
    ExecutionTimedOut,
    ExecutionKilled,
    InputRead,
    OutputWritten,
    FileAuthored,
    FileFound,
    ValueLogged,
    DeviationRecorded,
    HelpAsked,
    WorkGivenUp,
    ManuscriptDeclared,
    ClaimDeclared,
    ClaimWaived,
)
"""The events that a study file can hold, in the order in which its documentation lists them; the header is none of them."""
