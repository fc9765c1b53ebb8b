"""The chain of one claim as a small graph, with the link at which it breaks: what `render` draws and nothing more."""

from __future__ import annotations

from provchain.auditing.closure import Closure
from provchain.model import (
    Artifact,
    Authoring,
    Chain,
    ChainEdge,
    ChainNode,
    Claim,
    ClaimKind,
    Execution,
    Judgement,
    Relation,
    Role,
    Status,
    Study,
    Tier,
    Verdict,
)

__all__ = ["build_chain"]

_NOTHING = "nothing on record"
_SHORT = {
    Verdict.SYNTHETIC: "the values were made up: nothing read, trained, run or answered",
    Verdict.AUTHORED: "typed by the agent, no execution produced it",
    Verdict.STALE: "changed after its execution",
    Verdict.UNRECORDED: "no execution on record produced it",
    Verdict.NO_SOURCE: "nothing on record holds it",
    Verdict.OFF_PLAN: "a substitute for a planned step, not disclosed",
}


class _Builder:
    """Collects nodes and edges once each, in the order in which a reader meets them."""

    def __init__(self, study: Study, closure: Closure, judgement: Judgement) -> None:
        self.study = study
        self.closure = closure
        self.judgement = judgement
        self.values = {value.id: value for value in study.values}
        self.steps = {step.id: step for step in study.steps}
        self.nodes: dict[str, ChainNode] = {}
        self.edges: dict[tuple[str, str, str], ChainEdge] = {}
        self.broken: set[str] = set()

    def artifact_of(self, operand: str) -> str:
        """Id of the artifact that an operand is, or in which it stands."""
        value = self.values.get(operand)
        return value.artifact if value is not None else operand

    def node(self, node: ChainNode) -> str:
        self.nodes.setdefault(node.id, node)
        return node.id

    def edge(self, source: str, target: str, relation: str, *, broken: bool = False) -> None:
        why = self.reason(source) if broken else ""
        self.edges.setdefault((source, target, relation), ChainEdge(source, target, relation, broken, why))

    def reason(self, source: str) -> str:
        """Why the chain breaks behind a node, in few words: a figure has room for no more. The verdict has the sentence."""
        value = self.values.get(source)
        if value is not None and value.typed_in:
            return f"typed as text into {value.typed_in}"
        if value is not None and value.fixed_in:
            return f"fixed whatever happens by {value.fixed_in}"
        standing = self.closure.standing(source) if source in self.closure.artifacts else None
        verdict = standing.verdict if standing is not None else None
        if verdict is None:
            verdict = self.judgement.verdict
        if verdict is Verdict.CONTRADICTED and any(
            c.id == self.judgement.claim and c.kind is ClaimKind.STATEMENT for c in self.study.claims
        ):
            return "these values say the opposite"
        if verdict is Verdict.CONTRADICTED and any(
            e.relation == Relation.DERIVED.value for e in self.judgement.evidence
        ):
            return "what is computed from it is another number"
        if verdict is Verdict.CONTRADICTED and self.judgement.evidence:
            return f"it says {self.judgement.evidence[0].value}"
        execution = self.closure.executions.get(standing.node) if standing is not None else None
        if execution is not None and verdict is Verdict.NOT_COMPLETED:
            return f"the execution was not completed ({execution.status.value})"
        return _SHORT.get(verdict, verdict.value)

    def claim(self, claim: Claim) -> str:
        verdict = self.judgement.verdict
        computed = {link.relation for link in self.study.links if link.id in self.judgement.links}
        details: tuple[str, ...] = (f"{claim.path}:{claim.line}", f"verdict: {verdict.value}")
        if self.judgement.note and computed & {Relation.AGGREGATED, Relation.DERIVED}:
            details = (*details, self.judgement.note)
        return self.node(ChainNode(claim.id, "entity", "claim", f"“{claim.written}”", details, verdict.outcome.value))

    def operand(self, source: str, operand: str, *, broken: bool) -> str:
        """Add an operand and return the id of the artifact it is or stands in."""
        value = self.values.get(operand)
        if value is None:
            self.artifact(operand)
            self.edge(source, operand, "wasDerivedFrom", broken=broken or operand in self.broken)
            return operand
        self.node(ChainNode(value.id, "entity", "value", value.lexical, (f"at {value.selector.partition(';')[0]}",)))
        self.edge(source, value.id, "wasDerivedFrom", broken=broken)
        self.artifact(value.artifact)
        self.edge(
            value.id,
            value.artifact,
            "wasDerivedFrom",
            broken=value.artifact in self.broken or bool(value.typed_in or value.fixed_in),
        )
        return value.artifact

    def artifact(self, artifact_id: str) -> str:
        artifact = self.closure.artifacts[artifact_id]
        return self.node(
            ChainNode(
                artifact.id,
                "entity",
                artifact.kind.value,
                artifact.path,
                _artifact_details(artifact),
                external=artifact.external,
            )
        )

    def follow(self, artifact_id: str) -> None:
        """Add what an artifact rests on, breadth first, up to the data it starts from."""
        queue, seen = [artifact_id], {artifact_id}
        while queue:
            current = queue.pop(0)
            artifact = self.closure.artifacts[current]
            if artifact.copy_of is not None and artifact.copy_of in self.closure.artifacts:
                self.artifact(artifact.copy_of)
                self.edge(current, artifact.copy_of, "wasDerivedFrom", broken=artifact.copy_of in self.broken)
                following = [artifact.copy_of]
            else:
                following = self.writer(artifact)
            for identifier in following:
                if identifier not in seen:
                    seen.add(identifier)
                    queue.append(identifier)

    def writer(self, artifact: Artifact) -> list[str]:
        """Add the activity that left an artifact; return the inputs through which the chain goes on."""
        authoring = self.closure.authorings.get(artifact.writer or "")
        if authoring is not None:
            self.authoring(authoring)
            self.edge(artifact.id, authoring.id, "wasGeneratedBy", broken=authoring.id in self.broken)
            return []
        execution = self.closure.executions.get(artifact.writer or "")
        if execution is None:
            return []
        self.execution(execution)
        self.edge(artifact.id, execution.id, "wasGeneratedBy", broken=execution.id in self.broken)
        return [
            usage.artifact
            for usage in execution.used
            if usage.role.carries and usage.artifact in self.closure.artifacts
        ]

    def authoring(self, authoring: Authoring) -> None:
        agent = self.node(ChainNode("agent", "agent", "agent", "AI agent"))
        self.node(
            ChainNode(
                authoring.id, "activity", "authoring", f"typed by the agent ({authoring.tool})", (str(authoring.at),)
            )
        )
        self.edge(authoring.id, agent, "wasAssociatedWith")

    def execution(self, execution: Execution) -> None:
        if execution.id in self.nodes:
            return
        details = [f"at {execution.at}"] + ([execution.error] if execution.error else [])
        if execution.made_up:
            details.append("made its values up")
        self.node(
            ChainNode(execution.id, "activity", "execution", execution.command, tuple(details), execution.status.value)
        )
        for usage in execution.used:
            artifact = self.closure.artifacts.get(usage.artifact)
            if artifact is None or not (
                usage.role.carries or (usage.role is Role.CODE and artifact.path == execution.script)
            ):
                continue
            self.artifact(artifact.id)
            standing = self.closure.standing(artifact.id)
            broken = usage.role.carries and artifact.id in self.broken and not standing.holds
            self.edge(execution.id, artifact.id, "used", broken=broken)
        self.plan(execution)

    def plan(self, execution: Execution) -> None:
        """Add the step an execution belongs to, or the failed step in whose place it ran, with its failed attempts."""
        step = self.steps.get(execution.step or "")
        if step is None and (execution.substitute or execution.made_up):
            attempts = [e for e in self.study.executions if e.planned and e.status in (Status.FAILED, Status.ABORTED)]
            step = self.steps.get(attempts[-1].step or "") if attempts else next(iter(self.steps.values()), None)
            if step is None:
                return
            self.step(step.id)
            self.edge(execution.id, step.id, "in place of")
        elif step is not None:
            self.step(step.id)
            self.edge(execution.id, step.id, "correspondsToStep")
        else:
            return
        for attempt in self.study.executions:
            if (
                attempt.step == step.id
                and attempt.id not in self.nodes
                and attempt.status in (Status.FAILED, Status.ABORTED)
            ):
                details = (f"at {attempt.at}", *((attempt.error,) if attempt.error else ()))
                self.node(
                    ChainNode(attempt.id, "activity", "execution", attempt.command, details, attempt.status.value)
                )
                self.edge(attempt.id, step.id, "correspondsToStep")

    def step(self, step_id: str) -> None:
        step = self.steps[step_id]
        done = any(
            e.step == step_id and e.planned and e.status is Status.COMPLETED and not e.made_up
            for e in self.study.executions
        )
        state = "completed" if done else "never completed"
        self.node(ChainNode(step.id, "entity", "step", f"planned: {step.label}", (state,), state))


def _artifact_details(artifact: Artifact) -> tuple[str, ...]:
    details = []
    if artifact.external:
        details.append("from outside the study")
    if artifact.altered:
        details.append("changed after its execution")
    if not artifact.on_disk and artifact.kind.value != "stream":
        details.append("not among the files")
    return tuple(details)


def build_chain(study: Study, closure: Closure, claim: Claim, judgement: Judgement) -> Chain:
    """Build the chain of one claim.

    Args:
        study: The study.
        closure: The standing of its artifacts.
        claim: The claim.
        judgement: Its verdict; its evidence says which links are drawn.

    Returns:
        The chain, the claim's node first, the first break marked on its edge.
    """
    builder = _Builder(study, closure, judgement)
    node = builder.claim(claim)
    links = [link for link in study.links if link.id in set(judgement.links)]
    # Where a value was found, that the same execution wrote the manuscript too adds nothing to the picture.
    links = [link for link in links if link.tier is not Tier.MANUSCRIPT] or links
    operands = _one_a_source(builder, [operand for link in links for operand in link.operands])
    contradicted = judgement.verdict is Verdict.CONTRADICTED
    if judgement.broken is not None and not contradicted:
        standings = [closure.standing(builder.artifact_of(operand)) for operand in operands]
        builder.broken = {standing.node for standing in standings if standing.verdict is not None}
    for operand in operands:
        builder.follow(builder.operand(node, operand, broken=contradicted))
    if not operands and judgement.broken is not None:
        what = "no figure on record" if claim.kind is ClaimKind.FIGURE else _NOTHING
        builder.node(ChainNode("nothing", "entity", "missing", what, (judgement.broken.why,)))
        builder.edge(node, "nothing", "wasDerivedFrom", broken=True)
    return Chain(claim, judgement, tuple(builder.nodes.values()), tuple(builder.edges.values()))


def _one_a_source(builder: _Builder, operands: list[str]) -> list[str]:
    """Of operands that come to the same from the same activity (a log and the output it was printed to), the first."""
    chosen: dict[tuple[str, str, str], str] = {}
    for operand in dict.fromkeys(operands):
        value = builder.values.get(operand)
        artifact = builder.closure.artifacts[builder.artifact_of(operand)]
        standing = builder.closure.standing(artifact.id)
        number = value.lexical if value is not None else artifact.path
        chosen.setdefault((artifact.writer or artifact.id, standing.node, number), operand)
    return list(chosen.values())
