"""From events to records: what ran, in what order, what each activity read and left, and what that was to the plan.

Adapters say what one source holds; only here are all sources of a study put together. Knows no manuscripts' claims and
decides no verdict.
"""

from provchain.history.declared import UNKNOWN_EVENT
from provchain.history.origins import Invented
from provchain.history.reconstruct import History, reconstruct

__all__ = ["UNKNOWN_EVENT", "History", "Invented", "reconstruct"]
