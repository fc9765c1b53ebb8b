"""The partial evaluator behind ``provchain.inspection.effects``: private, one idea per module.

From the ground up: ``paths`` (texts with unknown pieces), ``values`` (what an expression can be), ``outline`` (what
each statement mentions); models of the library that scripts use in ``strings``, ``files``, ``builtin``,
``arguments``, ``sinks``, ``outside``; ``report`` (what was found), ``heat`` (which words matter), ``evaluator``
(expressions), ``calls``, ``statements``, ``machine`` (branches and loops), ``session`` (functions, modules, one run).
"""
