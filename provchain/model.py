"""The records: what provchain knows of a study, in the words of the glossary.

`provchain.history` works them out from the events of all sources together (`provchain.events`): executions with a status,
artifacts with their writers; later come values, links and verdicts. Everything is plain data (msgspec structs), hashable where
it is frozen, and knows nothing of graphs, files or rendering.

Spec: https://www.w3.org/TR/prov-dm/ (entity, activity, agent), http://purl.org/net/p-plan (plan, step),
https://www.w3.org/TR/EARL10-Schema/ (outcomes).
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct, field

from provchain.plaintext import one_line

if TYPE_CHECKING:
    import networkx as nx

# --------------------------------------------------------------------------------------------------- vocabularies


class RecorderKind(StrEnum):
    """Who attests a statement: an observer counts for a chain, a testimony is shown and never counted."""

    OBSERVER = "observer"
    TESTIMONY = "testimony"


class Status(StrEnum):
    """How an execution ended. Unknown supports nothing; contradicted supports nothing until resolved.

    Example:
        >>> Status("failed") is Status.FAILED
        True
    """

    COMPLETED = "completed"
    FAILED = "failed"
    ABORTED = "aborted"
    RUNNING = "running"
    UNKNOWN = "unknown"
    CONTRADICTED = "contradicted"


class Role(StrEnum):
    """What an input is to its execution. Data and checkpoint carry the chain on; code, config and log do not."""

    DATA = "data"
    CHECKPOINT = "checkpoint"
    CODE = "code"
    CONFIG = "config"
    LOG = "log"

    @property
    def carries(self) -> bool:
        """Whether the chain of an output runs on through an input of this role."""
        return self in (Role.DATA, Role.CHECKPOINT)


class Kind(StrEnum):
    """What a file of a study is."""

    PROPOSAL = "proposal"
    MANUSCRIPT = "manuscript"
    SCRIPT = "script"
    CONFIG = "config"
    DATA = "data"
    CHECKPOINT = "checkpoint"
    LOG = "log"
    RESULT = "result"
    FIGURE = "figure"
    TRACE = "trace"
    STREAM = "stream"
    DOCUMENT = "document"
    OTHER = "other"


class Outcome(StrEnum):
    """EARL outcome of one claim.

    Example:
        >>> Verdict.SYNTHETIC.outcome
        <Outcome.FAILED: 'failed'>
    """

    PASSED = "passed"
    FAILED = "failed"
    CANT_TELL = "cantTell"
    INAPPLICABLE = "inapplicable"
    UNTESTED = "untested"


class Verdict(StrEnum):
    """The answer for one claim; of several breaks the one that stands first here decides (docs/reference/verdicts.md).

    Example:
        >>> print(Verdict.NO_SOURCE, Verdict.NO_SOURCE.outcome)
        no-source failed
    """

    NOT_A_RESULT = "not-a-result"
    CITED = "cited"
    ILLUSTRATIVE = "illustrative"
    CONFIGURED = "configured"
    STALE = "stale"
    CONTRADICTED = "contradicted"
    AMBIGUOUS = "ambiguous"
    SUPPORTED = "supported"
    SUPPORTED_WITH_DEVIATION = "supported-with-deviation"
    AUTHORED = "authored"
    SYNTHETIC = "synthetic"
    PARTIAL = "partial"
    NOT_COMPLETED = "not-completed"
    OFF_PLAN = "off-plan"
    UNRECORDED = "unrecorded"
    NO_SOURCE = "no-source"

    @property
    def outcome(self) -> Outcome:
        """The EARL outcome that this verdict stands for."""
        return _OUTCOMES[self]


_OUTCOMES = {
    Verdict.NOT_A_RESULT: Outcome.INAPPLICABLE,
    Verdict.CITED: Outcome.INAPPLICABLE,
    Verdict.ILLUSTRATIVE: Outcome.INAPPLICABLE,
    Verdict.CONFIGURED: Outcome.PASSED,
    Verdict.STALE: Outcome.FAILED,
    Verdict.CONTRADICTED: Outcome.FAILED,
    Verdict.AMBIGUOUS: Outcome.CANT_TELL,
    Verdict.SUPPORTED: Outcome.PASSED,
    Verdict.SUPPORTED_WITH_DEVIATION: Outcome.PASSED,
    Verdict.AUTHORED: Outcome.FAILED,
    Verdict.SYNTHETIC: Outcome.FAILED,
    Verdict.PARTIAL: Outcome.FAILED,
    Verdict.NOT_COMPLETED: Outcome.FAILED,
    Verdict.OFF_PLAN: Outcome.CANT_TELL,
    Verdict.UNRECORDED: Outcome.UNTESTED,
    Verdict.NO_SOURCE: Outcome.FAILED,
}


class StudyOutcome(StrEnum):
    """The answer for a manuscript, or for the study as a whole.

    Example:
        >>> print(StudyOutcome.SUPPORTED_WITH_DEVIATIONS)
        supported-with-deviations
    """

    UNDETERMINED = "undetermined"
    UNSUPPORTED = "unsupported"
    INCOMPLETE = "incomplete"
    MIXED = "mixed"
    SUPPORTED_WITH_DEVIATIONS = "supported-with-deviations"
    SUPPORTED = "supported"


class Action(StrEnum):
    """What the reader of a report should do.

    Example:
        >>> [action.value for action in Action]
        ['accept', 'review', 'reject', 'report-incomplete']
    """

    ACCEPT = "accept"
    REVIEW = "review"
    REJECT = "reject"
    REPORT_INCOMPLETE = "report-incomplete"


class ClaimKind(StrEnum):
    """What a claim is made of."""

    NUMBER = "number"
    FIGURE = "figure"
    STATEMENT = "statement"


class ClaimRole(StrEnum):
    """What a claim is for, as far as the manuscript alone tells.

    ``RESULT`` reports an outcome; ``SETTING`` a configuration (seed, epochs, batch size); the others are no claim of a
    result and say why.
    """

    RESULT = "result"
    SETTING = "setting"
    CITED = "cited"
    ILLUSTRATIVE = "illustrative"
    NOT_A_RESULT = "not-a-result"


class Tier(StrEnum):
    """How strong a link is. Of a claim's links only the strongest tier counts."""

    DECLARED = "declared"
    LABELS = "labels"
    LONE = "lone"
    MANUSCRIPT = "manuscript"  # the claim's own manuscript was written by an execution: weaker than any found value


class Relation(StrEnum):
    """How a claim's written form follows from its operands."""

    DECLARED = "declared"
    QUOTED = "quoted"
    ROUNDED = "rounded"
    AGGREGATED = "aggregated"
    DERIVED = "derived"


class RemarkKind(StrEnum):
    """What words about the work say. Words are testimony: they are kept, shown and compared, and support nothing."""

    HELP_ASKED = "help-asked"
    GIVEN_UP = "given-up"
    NOT_COMPLETED = "not-completed"
    COMPLETED = "completed"
    REPAIRED = "repaired"
    SIMPLIFIED = "simplified"
    SYNTHETIC = "synthetic"
    OTHER = "other"


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Strength(StrEnum):
    """How much a finding proves."""

    PROOF = "proof"
    STRONG = "strong"
    HINT = "hint"


# -------------------------------------------------------------------------------------------------------- places


class Place(Struct, frozen=True, order=True):
    """Where something stands in a source.

    Attributes:
        path: The source, relative to the audited directory, with forward slashes.
        locator: The place the format itself has: a message index, a line number (1-based), a JSON Pointer.

    Example:
        >>> print(Place("claude_output.json", "21"))
        claude_output.json:21
    """

    path: str
    locator: str = ""

    def __str__(self) -> str:
        """Write the place as ``path:locator``."""
        return f"{self.path}:{self.locator}" if self.locator else self.path


class Recorder(Struct, frozen=True):
    """Who attests statements: one named graph each.

    Attributes:
        id: A short name, unique in the study (``"claude-trace"``, ``"run-folder"``, ``"provchain"``).
        kind: Whether its statements count for a chain.
        path: The source it read, or empty.
    """

    id: str
    kind: RecorderKind
    path: str = ""


class Source(Struct, frozen=True):
    """One input that was read.

    Attributes:
        path: Relative to the audited directory.
        adapter: The adapter that read it.
        recorder: Whether what it says is observed or testified.
        sha256: Lower-case hex digest of its bytes.
    """

    path: str
    adapter: str
    recorder: RecorderKind
    sha256: str


# ------------------------------------------------------------------------------------------------------- records


class Plan(Struct, frozen=True):
    """What the study set out to do (``p-plan:Plan``).

    Attributes:
        id: Unique in the study.
        title: Its first heading, or its file name.
        at: Where it stands.
        simulation: The plan itself is a simulation study, so made-up-looking values are its planned outcome.
        recorder: Who attests it.
        extra: Fields of its source that this version does not know, as JSON.
    """

    id: str
    title: str
    at: Place
    simulation: bool = False
    recorder: str = "provchain"
    extra: str = ""


class Step(Struct, frozen=True):
    """One thing that the plan says will be run (``p-plan:Step``).

    Attributes:
        id: Unique in the study.
        plan: The plan's id.
        label: What it is called.
        scripts: Paths of the scripts that carry it out, the entry point first.
        origin: ``"proposal"``, or ``"entry point"`` where the proposal names no step.
        at: Where it is named.
        recorder: Who attests it.
        extra: Fields of its source that this version does not know, as JSON.
    """

    id: str
    plan: str
    label: str
    scripts: tuple[str, ...]
    origin: str
    at: Place
    recorder: str = "provchain"
    extra: str = ""


class Usage(Struct, frozen=True):
    """An execution read an artifact (``prov:Usage``).

    Attributes:
        artifact: The artifact's id.
        role: What the input is to the execution.
        known_from: ``"command"``, ``"output"``, ``"script"`` (its text names the file) or ``"import"``.
    """

    artifact: str
    role: Role
    known_from: str = "command"


class Execution(Struct, frozen=True):
    """A process that ran, or was tried (``pc:Execution``).

    Attributes:
        id: ``"76.1"``: the locator of its call and its number within it.
        command: The one command it is, of the call's text.
        at: The place of its call.
        status: How it ended, reconciled from everything recorded.
        status_source: What decided that (``"tool flag"``, ``"exit code"``, ``"traceback in output"``, ``"time-out"`` ...).
        cwd: Its working directory, relative to the audited directory where it lies inside.
        exit_code: If recorded.
        error: The last line of what went wrong, or ``None``.
        started: ISO 8601, if recorded.
        ended: ISO 8601, if recorded.
        script: Path of the script it ran, if any.
        step: The planned step it belongs to, if any.
        planned: Whether it belongs to a planned step.
        substitute: Whether it ran in the place of a planned step that had failed.
        made_up: Inspection found that everything it wrote rests on nothing read, trained, run or answered.
        is_copy: It only carried files elsewhere (``cp``, ``mv``, ``rsync``).
        used: What it read.
        generated: Ids of the artifacts it left.
        recorder: Who attests it.
        extra: Fields of its source that this version does not know, as JSON.

    Example:
        >>> at = Place("claude_output.json", "16")
        >>> execution = Execution("16.1", "python run.py", at, Status.FAILED, "exit code", exit_code=1)
        >>> execution.status is Status.COMPLETED
        False
    """

    id: str
    command: str
    at: Place
    status: Status
    status_source: str
    cwd: str = ""
    exit_code: int | None = None
    error: str | None = None
    started: str | None = None
    ended: str | None = None
    script: str | None = None
    step: str | None = None
    planned: bool = False
    substitute: bool = False
    made_up: bool = False
    is_copy: bool = False
    used: tuple[Usage, ...] = ()
    generated: tuple[str, ...] = ()
    recorder: str = "provchain"
    extra: str = ""


class Authoring(Struct, frozen=True):
    """An agent wrote bytes itself (``pc:Authoring``, disjoint with execution).

    Attributes:
        id: ``"85.1"``.
        tool: The tool's name, or ``"heredoc"``, ``"echo"``, ``"inline code"``, ``"in-place edit"``.
        path: The path written, relative to the audited directory.
        at: The place of its call.
        generated: Id of the artifact it left.
        used: Id of the artifact that it changed, for an edit.
        recorder: Who attests it.
        extra: Fields of its source that this version does not know, as JSON.
    """

    id: str
    tool: str
    path: str
    at: Place
    generated: str
    used: str | None = None
    recorder: str = "provchain"
    extra: str = ""


class Artifact(Struct, frozen=True):
    """One state of one path (``prov:Entity``), with at most one generation.

    Attributes:
        id: ``"results/metrics.json#2"``: the path and the ordinal of its writing, 1-based; 0 is the state found at the start.
        path: Relative to the audited directory; absolute where it lies outside.
        ordinal: Which writing of the path this is.
        kind: What it is.
        sha256: Digest, where the bytes are known.
        size: In bytes, where known.
        writer: Id of the execution or authoring that left it, or ``None`` if none is on record.
        known_from: How the writer is known: ``"tool"``, ``"command"``, ``"output"``, ``"script"`` or ``""``.
        revision_of: Id of the state of the same path before it.
        copy_of: Id of the artifact whose bytes it carries.
        on_disk: Whether this is the state that lies in the audited directory.
        external: It came from outside the study: it was there before the first event, or lies outside the directory.
        altered: The bytes on the disk are not those that its writer left.
        made_up: Inspection found that what was written there rests on nothing read, trained, run or answered.
        recorder: Who attests it.
    """

    id: str
    path: str
    ordinal: int
    kind: Kind
    sha256: str | None = None
    size: int | None = None
    writer: str | None = None
    known_from: str = ""
    revision_of: str | None = None
    copy_of: str | None = None
    on_disk: bool = False
    external: bool = False
    altered: bool = False
    made_up: bool = False
    recorder: str = "provchain"


COUNT = "number of"
"""Label of a value that says how many: a bound of a slice or a range, the length of a list."""


class Value(Struct, frozen=True):
    """A number at a place inside an artifact (``pc:Value``).

    Attributes:
        id: ``"<artifact id>!<selector>"``.
        artifact: The artifact's id.
        path: The artifact's path.
        selector: A JSON Pointer, ``cell=R,C`` or ``line=N`` (1-based; ``line=N;I`` names the I-th number of a line).
        lexical: The number exactly as it stands there.
        number: Its value.
        labels: The words that name it, outermost first: keys, row and column headers, the words before it on its line.
        percent: Whether its place says that it is a percentage.
        typed_in: Where it stands as text in the script that wrote it (``"code/report.py:12"``): typed, not measured.
        fixed_in: Where that script fixes it whatever happens (``"code/run.py:40"``), and in ``fixed_by`` how.
        fixed_by: How, in words (``"kendalltau compares a with itself"``).
        denied_by: What the counts beside it in its own file come to, where that is another number.
        recorder: Who attests it.
    """

    id: str
    artifact: str
    path: str
    selector: str
    lexical: str
    number: Decimal
    labels: tuple[str, ...] = ()
    percent: bool = False
    typed_in: str = ""
    fixed_in: str = ""
    fixed_by: str = ""
    denied_by: str = ""
    recorder: str = "provchain"


class Claim(Struct, frozen=True):
    """A number, figure or statement in a manuscript that reports something (``pc:Claim``).

    Attributes:
        id: A short hash of (manuscript path, quote, occurrence): stable when other lines change.
        kind: Number, figure or statement.
        path: The manuscript, relative to the audited directory.
        line: 1-based, counted by ``\\n``.
        column: 1-based, in characters, where ``written`` starts.
        written: Exactly as it stands there (``"0.7279"``, ``"40.0%"``, ``"./loss.png"``).
        text: The quote around it: its sentence, or its table row.
        role: What it is for, as far as the manuscript alone tells.
        why: The rule that gave it a role other than result.
        section: The headings above it, outermost first.
        row: The label of its table row.
        header: The label of its table column.
        caption: The sentence that introduces its table.
        table: Number of its table in the manuscript, 1-based; ``None`` in prose.
        cell: Its 1-based (row, column) in the table's body.
        measured: It counts for the outcome of the study: a cell of a result table, a figure, a number in a results section.
        recorder: Who attests it: a manuscript, always testimony.
        offset: Where in ``text`` the claim's own ``written`` begins, which may stand there several times; -1 if not known.

    Example:
        >>> print(Claim("c1", ClaimKind.NUMBER, "results.md", 18, 9, "0.9290", "knn reaches 0.9290"))
        results.md:18:9 "0.9290"
    """

    id: str
    kind: ClaimKind
    path: str
    line: int
    column: int
    written: str
    text: str
    role: ClaimRole = ClaimRole.RESULT
    why: str = ""
    section: tuple[str, ...] = ()
    row: str | None = None
    header: str | None = None
    caption: str | None = None
    table: int | None = None
    cell: tuple[int, int] | None = None
    measured: bool = False
    recorder: str = "manuscript"
    offset: int = -1

    @property
    def start(self) -> int:
        """Where in ``text`` the claim's own ``written`` begins; -1 where it does not stand there."""
        if self.offset >= 0 and self.text.startswith(self.written, self.offset):
            return self.offset
        return self.text.find(self.written)

    def __str__(self) -> str:
        """Write the claim as its place and what stands there."""
        return f'{one_line(self.path)}:{self.line}:{self.column} "{one_line(self.written, 80)}"'


class Link(Struct, frozen=True):
    """A claim rests on these operands, all of them (``pc:Link``). Alternatives are several links.

    Attributes:
        id: Unique in the study.
        claim: The claim's id.
        operands: Ids of values, or of artifacts for a figure or a whole manuscript.
        relation: How the written form follows from the operands.
        tier: How strong the link is.
        rule: The rule that found it, by its name in docs/reference/matching.md (``"5.7 table"``).
        scale: What the operand was multiplied with (1 or 100).
        agrees: ``False``: the place that the claim's labels single out says something else, so it contradicts the claim.
        note: What a reader should know (``"off by one in the last digit"``).
        recorder: Always provchain.
    """

    id: str
    claim: str
    operands: tuple[str, ...]
    relation: Relation
    tier: Tier
    rule: str
    scale: int = 1
    agrees: bool = True
    note: str = ""
    recorder: str = "provchain"


class Operand(Struct, frozen=True, forbid_unknown_fields=True):
    """A place that a declared link names.

    Attributes:
        artifact: Path of a file.
        selector: The place in it; the whole file if empty.
        execution: Id of an execution, instead of a file.
        operation: It is computed from all numbers there (``"mean"``), as an operand of another operation.
        operands: The places that it is computed from, instead of one.

    Example:
        >>> Operand("results.json", "/ours/rmse", operation="mean").operation
        'mean'
    """

    artifact: str = ""
    selector: str = ""
    execution: str = ""
    operation: str = ""
    operands: tuple[Operand, ...] = ()


class Waiver(Struct, frozen=True):
    """A person takes the responsibility for a claim. The claim keeps its verdict, and the report shows both.

    Attributes:
        claim: The claim's id.
        reason: Why, in words.
        by: Who.
        at: Where it stands.
        counts: Whether it may count: not if the agent itself wrote it.
        recorder: Who attests it: always testimony.
    """

    claim: str
    reason: str
    by: str
    at: Place
    counts: bool = True
    recorder: str = "declarations"


class Remark(Struct, frozen=True):
    """Words about how the work went (``pc:Remark``): that help was asked, a step given up, something simplified or completed.

    Attributes:
        id: Unique in the study.
        kind: What the words say.
        text: The words.
        at: Where they stand.
        speaker: ``"agent"``, ``"person"``, ``"manuscript"`` or ``"recorder"``.
        about: Id of the step or execution that they name, or empty: the work as a whole.
        recorder: Who attests that they were said.
        extra: Fields of its source that this version does not know, as JSON.
    """

    id: str
    kind: RemarkKind
    text: str
    at: Place
    speaker: str
    about: str = ""
    recorder: str = "provchain"
    extra: str = ""


class Deviation(Struct, frozen=True):
    """What was done differs from what was planned (``pc:Deviation``).

    Attributes:
        id: Unique in the study.
        about: Data, model, metric, baseline, sample, seeds, setting, participants, step.
        message: In words.
        at: Where it shows: the plan first, if it is one from a plan.
        executions: Ids of the executions on whose chains it lies.
        recorded: The study's own record says so.
        disclosed: The manuscript says so.
        recorder: Who attests it.
        extra: Fields of its source that this version does not know, as JSON.
        planned: What the plan says, if provchain compared it with what ran; empty where it names nothing of the kind.
        ran: What ran instead, if anything.
    """

    id: str
    about: str
    message: str
    at: tuple[Place, ...] = ()
    executions: tuple[str, ...] = ()
    recorded: bool = False
    disclosed: bool = False
    recorder: str = "provchain"
    extra: str = ""
    planned: str = ""
    ran: str = ""


class Finding(Struct, frozen=True):
    """A fact that a rule established (``pc:Finding``).

    Attributes:
        rule: kebab-case name of the rule.
        severity: How much it matters.
        strength: How much it proves.
        message: In words, for a reader.
        at: The places it rests on.

    Example:
        >>> finding = Finding("made-up-values", Severity.ERROR, Strength.STRONG, "nothing was read", (Place("run.py"),))
        >>> finding.rule, str(finding.at[0])
        ('made-up-values', 'run.py')
    """

    rule: str
    severity: Severity
    strength: Strength
    message: str
    at: tuple[Place, ...] = ()


# ------------------------------------------------------------------------------------------- verdicts and chains


class Break(Struct, frozen=True):
    """The first link of a chain that does not hold.

    Attributes:
        link: The verdict it causes (``"synthetic"``, ``"not-completed"`` ...).
        at: What it breaks at: the id of an execution, the place of an authoring, the path of an artifact or manuscript.
        why: In words.

    Example:
        >>> Break("not-completed", "16.1", "python run.py failed").at
        '16.1'
    """

    link: str
    at: str
    why: str


class Evidence(Struct, frozen=True):
    """One operand of a claim, as the report shows it.

    Attributes:
        path: The artifact.
        selector: The place inside it, or empty.
        value: The number as it stands there, or empty.
        relation: How the claim follows from it.
        tier: How strong the link is.
        execution: Id of the execution or authoring that left the artifact, or ``None``.

    Example:
        >>> Evidence("m.json", "/knn/accuracy", "0.92901", "rounded", "labels", "21.1").value
        '0.92901'
    """

    path: str
    selector: str
    value: str
    relation: str
    tier: str
    execution: str | None


class Judgement(Struct, frozen=True):
    """The verdict for one claim and what decided it.

    Attributes:
        claim: The claim's id.
        verdict: The verdict.
        evidence: The operands it rests on, as the report shows them.
        broken: Where its chain breaks first.
        note: What a reader should know.
        links: Ids of the links that decided it.

    Example:
        >>> Judgement("c1", Verdict.NOT_COMPLETED, broken=Break("not-completed", "16.1", "it failed")).outcome
        <Outcome.FAILED: 'failed'>
    """

    claim: str
    verdict: Verdict
    evidence: tuple[Evidence, ...] = ()
    broken: Break | None = None
    note: str = ""
    links: tuple[str, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """The EARL outcome of the verdict."""
        return self.verdict.outcome


class ChainNode(Struct, frozen=True):
    """One thing on a chain.

    Attributes:
        id: The record's id.
        type: ``"entity"``, ``"activity"`` or ``"agent"``, the three of PROV.
        kind: Claim, value, artifact, execution, authoring, step, recorder ...
        label: Its name for a reader: hostile text, to be escaped by the renderer.
        details: Further lines for a reader.
        status: Of an execution; else empty.
        external: It comes from outside the study.

    Example:
        >>> ChainNode("16.1", "activity", "execution", "python run.py", status="failed").status
        'failed'
    """

    id: str
    type: str
    kind: str
    label: str
    details: tuple[str, ...] = ()
    status: str = ""
    external: bool = False


class ChainEdge(Struct, frozen=True):
    """One PROV relation on a chain, from what depends to what it depends on.

    Attributes:
        source: Id of the node that depends.
        target: Id of the node it depends on.
        relation: The PROV term without prefix (``"wasGeneratedBy"``).
        broken: The chain breaks here.
        why: In words, where it is broken.

    Example:
        >>> ChainEdge("m.json#1", "16.1", "wasGeneratedBy", broken=True, why="it failed").why
        'it failed'
    """

    source: str
    target: str
    relation: str
    broken: bool = False
    why: str = ""


class Chain(Struct, frozen=True):
    """Everything that one claim rests on, in PROV's direction, with the first break marked.

    Attributes:
        claim: The claim it is of.
        judgement: Its verdict.
        nodes: The claim first.
        edges: From what depends to what it depends on.

    Example:
        >>> claim = Claim("c1", ClaimKind.NUMBER, "results.md", 18, 9, "0.9290", "knn reaches 0.9290")
        >>> nodes = (
        ...     ChainNode("c1", "entity", "claim", "0.9290"),
        ...     ChainNode("m.json#1", "entity", "result", "m.json"),
        ...     ChainNode("21.1", "activity", "execution", "python run.py", status="failed"),
        ... )
        >>> edges = (
        ...     ChainEdge("c1", "m.json#1", "wasDerivedFrom"),
        ...     ChainEdge("m.json#1", "21.1", "wasGeneratedBy", broken=True, why="it failed"),
        ... )
        >>> chain = Chain(claim, Judgement("c1", Verdict.NOT_COMPLETED), nodes, edges)
        >>> print(chain)
        results.md:18:9 "0.9290": not-completed
        - wasDerivedFrom result m.json
          BREAK: it failed
          - wasGeneratedBy execution [failed] python run.py
        >>> chain.broken.target
        '21.1'
        >>> sorted(chain.graph().successors("c1"))
        ['m.json#1']
    """

    claim: Claim
    judgement: Judgement
    nodes: tuple[ChainNode, ...]
    edges: tuple[ChainEdge, ...]

    def __str__(self) -> str:
        """Write the chain as an indented tree, with the break marked and each thing once."""
        return "\n".join([f"{self.claim}: {self.judgement.verdict.value}", *_tree(self)])

    def __repr__(self) -> str:
        """Write which chain it is, and how large."""
        return (
            f"<Chain of {self.claim}: {self.judgement.verdict.value}, {len(self.nodes)} nodes, {len(self.edges)} edges>"
        )

    @property
    def broken(self) -> ChainEdge | None:
        """The edge at which the chain breaks, or ``None`` if it holds: of several the one that decided the verdict."""
        broken = [edge for edge in self.edges if edge.broken]
        at = self.judgement.broken.at if self.judgement.broken is not None else ""
        return next((edge for edge in broken if edge.target == at), broken[0] if broken else None)

    def graph(self) -> nx.MultiDiGraph:
        """The chain as a graph of networkx, from what depends to what it depends on.

        Returns:
            A new graph. Nodes are named by their ids and carry ``type``, ``kind``, ``label``, ``details``, ``status``
            and ``external``; edges are keyed by their relation and carry ``relation``, ``broken`` and ``why``; the graph
            itself carries ``claim`` and ``verdict``. Labels are foreign text as it was found.
        """
        import networkx as nx  # noqa: PLC0415 - it costs 0.1 s, and an audit does not need it

        graph = nx.MultiDiGraph(claim=self.claim.id, verdict=self.judgement.verdict.value)
        for node in self.nodes:
            graph.add_node(
                node.id,
                type=node.type,
                kind=node.kind,
                label=node.label,
                details=node.details,
                status=node.status,
                external=node.external,
            )
        for edge in self.edges:
            graph.add_edge(
                edge.source, edge.target, edge.relation, relation=edge.relation, broken=edge.broken, why=edge.why
            )
        return graph


_MOST_LINES = 60
_DEEPEST = 12  # levels that still move to the right: a deeper chain goes on below itself


def _tree(chain: Chain) -> list[str]:
    """The lines below the head: what the claim rests on, then what stands beside its chain."""
    nodes = {node.id: node for node in chain.nodes}
    edges = [edge for edge in chain.edges if edge.source in nodes and edge.target in nodes]
    below: dict[str, list[ChainEdge]] = {}
    for edge in edges:
        below.setdefault(edge.source, []).append(edge)
    pointed = {edge.target for edge in edges}
    claim = chain.nodes[0].id if chain.nodes else ""
    shown = {claim}
    lines = list(_branches(below.get(claim, []), nodes, below, shown))
    for beside in sorted(nodes.values(), key=lambda node: node.id in pointed):
        if beside.id not in shown:
            shown.add(beside.id)
            lines.append(f"beside it: {_named(beside)}")
            lines.extend(_branches(below.get(beside.id, []), nodes, below, shown))
    more = len(lines) - _MOST_LINES
    return lines if more <= 0 else [*lines[:_MOST_LINES], f"... and {more} more lines"]


def _branches(
    start: list[ChainEdge],
    nodes: dict[str, ChainNode],
    below: dict[str, list[ChainEdge]],
    shown: set[str],
) -> Iterator[str]:
    """Depth first and without recursion: a chain can be thousands of links long."""
    stack = [(edge, 0) for edge in reversed(start)]
    while stack:
        edge, depth = stack.pop()
        before = "  " * min(depth, _DEEPEST)
        if edge.broken:
            yield f"{before}BREAK: {one_line(edge.why)}" if edge.why else f"{before}BREAK"
        line = f"{before}- {one_line(edge.relation, 40)} {_named(nodes[edge.target])}"
        if edge.target in shown:
            yield f"{line} (see above)"
            continue
        shown.add(edge.target)
        yield line
        stack.extend((each, depth + 1) for each in reversed(below.get(edge.target, [])))


def _named(node: ChainNode) -> str:
    kind = f"external {node.kind}" if node.external else node.kind
    status = f" [{one_line(node.status, 40)}]" if node.status else ""
    details = "; ".join(one_line(detail, 120) for detail in node.details[:3])
    return f"{one_line(kind, 40)}{status} {one_line(node.label, 120)}" + (f" ({details})" if details else "")


# --------------------------------------------------------------------------------------------------------- study


class Study(Struct):
    """One proposal, its executions, artifacts and papers: all records together, in the order of their making.

    Example:
        >>> from provchain import audit
        >>> study = audit("examples/repaired").study
        >>> [source.path for source in study.sources]
        ['.', 'claude_output.json']
    """

    id: str
    title: str = ""
    sources: list[Source] = field(default_factory=list)
    recorders: list[Recorder] = field(default_factory=list)
    plans: list[Plan] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    executions: list[Execution] = field(default_factory=list)
    authorings: list[Authoring] = field(default_factory=list)
    artifacts: list[Artifact] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    deviations: list[Deviation] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    waivers: list[Waiver] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
