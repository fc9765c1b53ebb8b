"""provchain: does each claim of a paper descend from an execution that completed, and if not, where does the chain break?

The names below are the promise; everything else may change. They are imported when they are first used, so that
`provchain --version` and small scripts start at once.

Example:
    >>> import provchain
    >>> report = provchain.audit("examples/substituted")
    >>> print(report.outcome, report.action)
    unsupported reject
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from provchain.version import __version__

if TYPE_CHECKING:
    from provchain.auditing.answers import JudgedClaim, PaperOutcome
    from provchain.auditing.audit import audit
    from provchain.auditing.policy import Policy
    from provchain.auditing.policy_files import load_policy
    from provchain.auditing.report import Report
    from provchain.errors import (
        InvalidGraphError,
        MalformedSourceError,
        MissingExtraError,
        MissingParameterError,
        Problem,
        ProvchainError,
        QueryError,
        SourceError,
        StoreError,
        StoreLockedError,
        UnknownClaimError,
        UnknownFormatError,
        UnknownPolicyError,
        UnknownQueryError,
    )
    from provchain.model import (
        Action,
        Break,
        Chain,
        ChainEdge,
        ChainNode,
        Claim,
        Evidence,
        Execution,
        Finding,
        Judgement,
        Outcome,
        Place,
        Status,
        Study,
        StudyOutcome,
        Verdict,
    )
    from provchain.queries import Query, Rows, list_queries, load_query
    from provchain.store import Store

__all__ = [
    "Action",
    "Break",
    "Chain",
    "ChainEdge",
    "ChainNode",
    "Claim",
    "Evidence",
    "Execution",
    "Finding",
    "InvalidGraphError",
    "JudgedClaim",
    "Judgement",
    "MalformedSourceError",
    "MissingExtraError",
    "MissingParameterError",
    "Outcome",
    "PaperOutcome",
    "Place",
    "Policy",
    "Problem",
    "ProvchainError",
    "Query",
    "QueryError",
    "Report",
    "Rows",
    "SourceError",
    "Status",
    "Store",
    "StoreError",
    "StoreLockedError",
    "Study",
    "StudyOutcome",
    "UnknownClaimError",
    "UnknownFormatError",
    "UnknownPolicyError",
    "UnknownQueryError",
    "Verdict",
    "__version__",
    "audit",
    "list_queries",
    "load_policy",
    "load_query",
]

_MODULES = {
    "provchain.auditing.answers": "JudgedClaim PaperOutcome",
    "provchain.auditing.audit": "audit",
    "provchain.auditing.policy": "Policy",
    "provchain.auditing.policy_files": "load_policy",
    "provchain.auditing.report": "Report",
    "provchain.errors": "InvalidGraphError MalformedSourceError MissingExtraError MissingParameterError Problem"
    " ProvchainError QueryError SourceError StoreError StoreLockedError UnknownClaimError UnknownFormatError"
    " UnknownPolicyError UnknownQueryError",
    "provchain.model": "Action Break Chain ChainEdge ChainNode Claim Evidence Execution Finding Judgement Outcome Place"
    " Status Study StudyOutcome Verdict",
    "provchain.queries": "Query Rows list_queries load_query",
    "provchain.store": "Store",
}
_LAZY = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Import a promised name when it is first used."""
    if name in _LAZY:
        thing = globals()[name] = getattr(import_module(_LAZY[name]), name)
        return thing
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Show only the promise."""
    return __all__
