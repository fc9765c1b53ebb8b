"""What each artifact rests on, and where that breaks first.

An artifact holds if its writer is a completed execution that did not make its values up, its bytes are those that the
writer left, and every data or checkpoint input of that execution holds in turn. One pass over the derivation graph, each
artifact looked at once; no recursion, so a chain may be any length.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from provchain.model import Artifact, Authoring, Execution, RecorderKind, Status, Study, Verdict

__all__ = ["Closure", "Standing", "original"]


def original(artifact: Artifact, by_id: Mapping[str, Artifact]) -> Artifact:
    """The artifact whose bytes a copy carries, copies of copies followed back; an artifact that is no copy is its own.

    Args:
        artifact: The artifact.
        by_id: All artifacts.

    Example:
        >>> from provchain.model import Kind
        >>> one = Artifact(id="a#1", path="a", ordinal=1, kind=Kind.DATA)
        >>> two = Artifact(id="b#1", path="b", ordinal=1, kind=Kind.DATA, copy_of="a#1")
        >>> original(two, {"a#1": one, "b#1": two}).path
        'a'
    """
    seen: set[str] = set()
    while artifact.copy_of is not None and artifact.copy_of in by_id and artifact.id not in seen:
        seen.add(artifact.id)
        artifact = by_id[artifact.copy_of]
    return artifact


class Standing(Struct, frozen=True):
    """Whether an artifact holds, and if not, what breaks it.

    Attributes:
        verdict: ``None`` if it holds; else the verdict that its break causes.
        node: Id of the record at which it breaks.
        at: That record, as a report names it: the id of an execution, the place of an authoring, the path of an artifact.
        why: In words.
    """

    verdict: Verdict | None = None
    node: str = ""
    at: str = ""
    why: str = ""

    @property
    def holds(self) -> bool:
        """Whether nothing breaks it."""
        return self.verdict is None


_HOLDS = Standing()


class Closure:
    """The support of every artifact of a study.

    Args:
        study: Its executions, authorings and artifacts.

    Example:
        >>> from provchain.model import Artifact, Kind
        >>> study = Study(id="s", artifacts=[Artifact(id="a#1", path="a", ordinal=1, kind=Kind.DATA, external=True)])
        >>> Closure(study).standing("a#1").holds
        True
    """

    def __init__(self, study: Study) -> None:
        self.artifacts: dict[str, Artifact] = {artifact.id: artifact for artifact in study.artifacts}
        self.executions: dict[str, Execution] = {execution.id: execution for execution in study.executions}
        self.authorings: dict[str, Authoring] = {authoring.id: authoring for authoring in study.authorings}
        self._testimony = {r.id for r in study.recorders if r.kind is RecorderKind.TESTIMONY}
        self._standings: dict[str, Standing] = {}

    def inputs(self, artifact_id: str) -> list[str]:
        """Ids of the artifacts whose standing decides that of this one: its original, or its writer's carrying inputs."""
        artifact = self.artifacts[artifact_id]
        if artifact.copy_of is not None:
            return [artifact.copy_of] if artifact.copy_of in self.artifacts else []
        execution = self.executions.get(artifact.writer or "")
        if execution is None:
            return []
        return [usage.artifact for usage in execution.used if usage.role.carries and usage.artifact in self.artifacts]

    def standing(self, artifact_id: str) -> Standing:
        """Decide whether an artifact holds."""
        stack = [artifact_id]
        open_now: set[str] = set()
        while stack:
            current = stack[-1]
            if current in self._standings:
                stack.pop()
                continue
            waiting = [i for i in self.inputs(current) if i not in self._standings and i != current]
            if current not in open_now:
                open_now.add(current)
                if open_now.intersection(waiting):
                    self._decide_rings(current)
                    continue
                if waiting:
                    stack.extend(waiting)
                    continue
            self._standings[current] = self._decide(current)
            stack.pop()
        return self._standings[artifact_id]

    def _decide_rings(self, start: str) -> None:
        """Decide everything behind an artifact that leads back to itself: who is in a ring stands or falls with all of it."""
        import networkx as nx  # noqa: PLC0415 - rings are rare, and an audit should start at once

        graph = nx.DiGraph()
        todo = [start]
        while todo:
            current = todo.pop()
            if current not in self._standings and not graph.nodes.get(current, {}).get("seen"):
                graph.add_node(current, seen=True)
                following = [i for i in self.inputs(current) if i not in self._standings]
                graph.add_edges_from((current, other) for other in following)
                todo.extend(following)
        ring_of = nx.condensation(graph)
        for ring in reversed(list(nx.topological_sort(ring_of))):
            members = sorted(ring_of.nodes[ring]["members"])
            own = next((found for member in members if not (found := self._decide(member)).holds), _HOLDS)
            for member in members:
                mine = self._own_break(self.artifacts[member])
                self._standings[member] = mine if mine is not None else own

    def _decide(self, artifact_id: str) -> Standing:
        """The standing of an artifact whose inputs are decided; one that is still open is in the same ring and adds nothing."""
        artifact = self.artifacts[artifact_id]
        own = self._own_break(artifact)
        if own is not None:
            return own
        for identifier in self.inputs(artifact_id):
            standing = self._standings.get(identifier, _HOLDS)
            if not standing.holds:
                return standing
        return _HOLDS

    def _own_break(self, artifact: Artifact) -> Standing | None:
        path = artifact.path
        if (authoring := self.authorings.get(artifact.writer or "")) is not None and artifact.copy_of is None:
            why = f"{path} was typed by the agent ({authoring.tool}); no execution produced it"
            return Standing(Verdict.AUTHORED, authoring.id, str(authoring.at), why)
        if artifact.altered:
            why = f"{path} is not what the execution left: its bytes were changed afterwards"
            return Standing(Verdict.STALE, artifact.id, path, why)
        if artifact.copy_of is not None and artifact.copy_of in self.artifacts:
            return None
        if artifact.external:
            return None
        execution = self.executions.get(artifact.writer or "")
        if execution is None:
            return Standing(Verdict.UNRECORDED, artifact.id, path, f"no execution on record produced {path}")
        if execution.recorder in self._testimony:
            why = f"only testimony says what left {path} ({execution.recorder}); no observer recorded it"
            return Standing(Verdict.UNRECORDED, execution.id, execution.id, why)
        if execution.status is not Status.COMPLETED:
            error = f": {execution.error}" if execution.error else ""
            why = f"the execution that left {path} {_ENDED[execution.status]}{error}"
            return Standing(Verdict.NOT_COMPLETED, execution.id, execution.id, why)
        if artifact.made_up:
            script = execution.script or "the command"
            why = (
                f"{script} wrote {path} from literals, formulas and random numbers alone: "
                "nothing was read, trained, run or answered"
            )
            return Standing(Verdict.SYNTHETIC, execution.id, execution.id, why)
        return None

    def ancestry(self, artifact_id: str) -> Iterator[str]:
        """Ids of everything that an artifact rests on, itself first: artifacts and the activities that left them."""
        seen: set[str] = set()
        stack = [artifact_id]
        while stack:
            current = stack.pop()
            if current in seen or current not in self.artifacts:
                continue
            seen.add(current)
            yield current
            writer = self.artifacts[current].writer
            if writer is not None and writer not in seen:
                seen.add(writer)
                yield writer
            stack.extend(reversed(self.inputs(current)))


_ENDED = {
    Status.FAILED: "failed",
    Status.ABORTED: "was stopped before its end",
    Status.RUNNING: "was still running when the record ends",
    Status.UNKNOWN: "has no recorded end",
    Status.CONTRADICTED: "has contradicting records of its end",
}
