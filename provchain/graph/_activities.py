"""Plans, steps, executions and authorings as PROV statements."""

from __future__ import annotations

from collections.abc import Iterator

from provchain.graph._names import Names, first_of_each, given, label, time_of
from provchain.graph.statements import Element, Iri, Relation, Statement
from provchain.model import Authoring, Execution, Plan, Status, Step
from provchain.terms import DCTERMS, PC, PPLAN, PROV, RDFS, SCHEMA

Signed = tuple[str, Statement]  # a statement, and the id of the recorder that attests it

# schema.org has no word for "unknown" and "contradicted", so they get none
_ACTION_STATUS = {
    Status.COMPLETED: Iri(SCHEMA.CompletedActionStatus),
    Status.FAILED: Iri(SCHEMA.FailedActionStatus),
    Status.ABORTED: Iri(SCHEMA.FailedActionStatus),
    Status.RUNNING: Iri(SCHEMA.ActiveActionStatus),
}
# One output of thousands of files made from thousands would be millions of qualified nodes that say the same thing.
_QUALIFIED_DERIVATIONS = 4096


def plan_statements(names: Names) -> Iterator[Signed]:
    """State the plans and their steps."""
    for plan in first_of_each(names.study.plans):
        yield plan.recorder, _plan(names, plan)
    for step in first_of_each(names.study.steps):
        yield step.recorder, _step(names, step)


def activity_statements(names: Names) -> Iterator[Signed]:
    """State the executions and authorings, what they used and who ran them."""
    plans = {step.id: step.plan for step in names.study.steps}
    # Many traces tell no times; what came before what is known all the same.
    for ordinal, execution in enumerate(first_of_each(names.study.executions), start=1):
        for statement in _execution(names, execution, ordinal, plans.get(execution.step or "")):
            yield execution.recorder, statement
    for authoring in first_of_each(names.study.authorings):
        for statement in _authoring(names, authoring):
            yield authoring.recorder, statement


def _plan(names: Names, plan: Plan) -> Element:
    about = given(
        (PC.id, plan.id),
        (RDFS.label, label(plan.title)),
        (PC.at, str(plan.at)),
        (PC.simulation, plan.simulation),
        (DCTERMS.isPartOf, names("study", names.study.id)),
        (PC.extra, plan.extra),
    )
    return Element("entity", names("plan", plan.id), (PROV.Plan, PPLAN.Plan), about)


def _step(names: Names, step: Step) -> Element:
    about = given(
        (PC.id, step.id),
        (RDFS.label, label(step.label)),
        (PPLAN.isStepOfPlan, names("plan", step.plan)),
        *((PC.script, script) for script in step.scripts),
        (PC.origin, step.origin),
        (PC.at, str(step.at)),
        (PC.extra, step.extra),
    )
    return Element("entity", names("step", step.id), (PPLAN.Step,), about)


def _execution(names: Names, execution: Execution, ordinal: int, plan: str | None) -> Iterator[Statement]:
    iri = names("execution", execution.id)
    started, ended = time_of(execution.started), time_of(execution.ended)
    about = given(
        (PC.id, execution.id),
        (RDFS.label, label(execution.command)),
        (PC.attestedBy, names("recorder", execution.recorder)),
        (PC.ordinal, ordinal),
        (PC.command, execution.command),
        (PC.workingDirectory, execution.cwd),
        (PC.script, execution.script),
        (PC.at, str(execution.at)),
        (PC.status, execution.status.value),
        (PC.statusSource, execution.status_source),
        (PC.exitCode, execution.exit_code),
        (SCHEMA.actionStatus, _ACTION_STATUS.get(execution.status)),
        (SCHEMA.error, execution.error),
        (PROV.startedAtTime, started),
        (PROV.endedAtTime, ended),
        (PC.started, execution.started if started is None else None),
        (PC.ended, execution.ended if ended is None else None),
        (PPLAN.correspondsToStep, names("step", execution.step) if execution.step else None),
        (PC.planned, execution.planned),
        (PC.substitute, execution.substitute),
        (PC.madeUp, execution.made_up),
        (PC.isCopy, execution.is_copy),
        (PC.extra, execution.extra),
    )
    yield Element("activity", iri, (PC.Execution,), about)
    association = given((PROV.hadPlan, names("plan", plan) if plan else None))
    yield Relation("wasAssociatedWith", iri, names("agent", "environment"), association)
    for usage in execution.used:
        how = given((PROV.hadRole, Iri(PC.base + usage.role.value)), (PC.knownFrom, usage.known_from))
        yield Relation("used", iri, names("artifact", usage.artifact), how)
    yield from _derivations(names, execution)


def _derivations(names: Names, execution: Execution) -> Iterator[Relation]:
    """Derive each output from each input that carries the chain on; code, config and log do not.

    A copy derives from its original alone, whatever else the same command carried elsewhere.
    """
    iri = names("execution", execution.id)
    inputs = list(dict.fromkeys(usage.artifact for usage in execution.used if usage.role.carries))
    outputs = [o for o in outputs_of(names, execution.id, execution.generated) if names.original(o) is None]
    plain = len(inputs) * len(outputs) > _QUALIFIED_DERIVATIONS
    how = () if plain else ((PROV.hadActivity, iri),)
    for output in outputs:
        for source in inputs:
            if output != source:
                yield Relation("wasDerivedFrom", names("artifact", output), names("artifact", source), how, plain=plain)


def outputs_of(names: Names, activity: str, generated: tuple[str, ...]) -> list[str]:
    """List what an activity left: an artifact's own record decides, since it has one writer at most."""
    mine = dict.fromkeys(names.written_by.get(activity, ()))
    for output in generated:
        artifact = names.artifacts.get(output)
        if artifact is None or artifact.writer in (None, activity):
            mine[output] = None
    return list(mine)


def _authoring(names: Names, authoring: Authoring) -> Iterator[Statement]:
    iri = names("authoring", authoring.id)
    about = given(
        (PC.id, authoring.id),
        (RDFS.label, label(f"{authoring.tool} {authoring.path}")),
        (PC.attestedBy, names("recorder", authoring.recorder)),
        (PC.tool, authoring.tool),
        (PC.path, authoring.path),
        (PC.at, str(authoring.at)),
        (PC.extra, authoring.extra),
    )
    yield Element("activity", iri, (PC.Authoring,), about)
    yield Relation("wasAssociatedWith", iri, names("agent", "author"))
    if authoring.used is None:
        return
    before = names("artifact", authoring.used)
    yield Relation("used", iri, before)
    if authoring.generated != authoring.used and names.original(authoring.generated) is None:
        yield Relation("wasDerivedFrom", names("artifact", authoring.generated), before, ((PROV.hadActivity, iri),))
