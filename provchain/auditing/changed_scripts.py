"""Scripts that were changed after the execution on which claims rest, and never run again.

The file that lies in the study is then not the program that made the results: whoever reads or runs it sees another one. It
changes no verdict; a change of comments or layout alone is none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from provchain.auditing.closure import original
from provchain.auditing.links import Linked
from provchain.history import History
from provchain.inspection.modules import parse_python
from provchain.model import Artifact, Finding, Judgement, Outcome, Place, Role, Severity, Strength

__all__ = ["changed_script_findings"]

_OTHER = ": what lies there is not what ran"


def changed_script_findings(history: History, judgements: Mapping[str, Judgement], linked: Linked) -> Iterator[Finding]:
    """Find scripts whose last state is not what the results were made with.

    Args:
        history: What became of the study.
        judgements: The verdicts by claim id.
        linked: The links and all values of the study.

    Yields:
        The findings ``changed-after-run``.
    """
    study = history.study
    by_id = {artifact.id: artifact for artifact in study.artifacts}
    operands = {link.id: link.operands for link in linked.links}
    artifacts = {
        linked.values[o].artifact if o in linked.values else o
        for judgement in judgements.values()
        if judgement.outcome is Outcome.PASSED
        for link in judgement.links
        for o in operands.get(link, ())
    }
    writers = {original(by_id[i], by_id).writer for i in artifacts if i in by_id}
    last = {artifact.path: artifact for artifact in study.artifacts}
    run = {usage.artifact for execution in study.executions for usage in execution.used if usage.role is Role.CODE}
    told: set[str] = set()
    for execution in study.executions:
        if execution.id not in writers or execution.is_copy:
            continue
        scripts = [by_id[u.artifact] for u in execution.used if u.role is Role.CODE and u.artifact in by_id]
        for ran, now in ((script, last[script.path]) for script in scripts):
            if now.id not in run and now.path not in told and _differ(ran, now, history.texts):
                told.add(now.path)
                message = f"{now.path} was changed after it made the results, and never run again"
                places = (execution.at, Place(now.path))
                yield Finding("changed-after-run", Severity.WARNING, Strength.STRONG, f"{message}{_OTHER}", places)


def _differ(ran: Artifact, now: Artifact, texts: Mapping[str, str]) -> bool:
    """Whether two states of a script are different programs, as far as both are known."""
    if ran.id == now.id or ran.id not in texts or now.id not in texts:
        return False
    trees = [parse_python(texts[one.id]) for one in (ran, now)]
    if trees[0] is None or trees[1] is None:
        return False
    return ast.dump(trees[0]) != ast.dump(trees[1])
