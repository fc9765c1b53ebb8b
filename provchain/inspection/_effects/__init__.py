"""The partial evaluator behind ``provchain.inspection.effects``: private, one idea per module.

``paths`` (texts with unknown pieces), ``values`` (what an expression can be), ``outline`` (what a statement mentions),
``evaluator`` (expressions), ``machine`` (statements, calls, modules), and models of the library that scripts use:
``strings``, ``files``, ``builtin``, ``arguments``, ``sinks``, ``outside``.
"""
