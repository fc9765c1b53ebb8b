"""The judgement: closure, verdicts, outcomes, and the report that carries them.

`verdict.py` is the only place where a verdict is decided, `outcome.py` the only one where an outcome is.
"""
