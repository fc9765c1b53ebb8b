"""What a script does to files, worked out from its text and the modules of the run that it uses.

A trace shows ``cd code && python main.py --out ../results``; nothing records which files the process read and wrote.
This module says so by partial evaluation of the syntax trees: constants, arguments, paths and calls are
followed, nothing is executed or opened, and what cannot be known becomes ``*`` in the pattern.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from provchain.inspection._effects.paths import literal_weight, match_effect
from provchain.inspection._effects.report import role_of
from provchain.inspection._effects.session import Session
from provchain.inspection._effects.values import Draft
from provchain.inspection.modules import SourceTree
from provchain.model import Role

__all__ = ["FileEffect", "ScriptEffects", "literal_weight", "match_effect", "script_effects"]


class FileEffect(msgspec.Struct, frozen=True):
    """One thing that a script does to one file, or to files of one pattern.

    Attributes:
        pattern: The path: relative to the study root, or absolute outside it; ``*`` for each piece that is unknown.
        mode: ``"read"``, ``"write"``, ``"append"``, ``"copy"``, ``"delete"`` or ``"mkdir"``.
        how: The call, as scripts write it (``"open"``, ``"json.dump"``, ``"DataFrame.to_csv"``, ``"savefig"`` ...).
        path: The file of the run in which the call stands.
        line: 1-based line of the call; for what is done with an opened file, of the ``open`` call.
        role: What the file is to the execution, for reads; ``None`` for all else.
        source: For a copy, the pattern it copies from.
    """

    pattern: str
    mode: str
    how: str
    path: str
    line: int
    role: Role | None
    source: str | None = None


class ScriptEffects(msgspec.Struct, frozen=True):
    """What a script reads, writes, imports, starts and loads from outside.

    Attributes:
        reads: Effects of mode ``"read"``.
        writes: All other effects.
        modules: Files of the run that it imports, transitively, the script first.
        commands: ``(path, line, argv words or shell text)`` of the commands it starts; ``*`` for unknown words.
        external: What it loads from outside the study (``"datasets.load_dataset(truthful_qa)"``).
    """

    reads: tuple[FileEffect, ...] = ()
    writes: tuple[FileEffect, ...] = ()
    modules: tuple[str, ...] = ()
    commands: tuple[tuple[str, int, tuple[str, ...] | str], ...] = ()
    external: tuple[str, ...] = ()


def script_effects(
    tree: SourceTree, script: str, *, argv: Sequence[str] = (), cwd: str = "", inline: str | None = None, root: str = ""
) -> ScriptEffects:
    """Work out what a script does to files when it is run.

    Args:
        tree: The sources of the run as they stood then, by path relative to the study root.
        script: The script, as a path of ``tree``.
        argv: The words after the script on its command line.
        cwd: The working directory, relative to the study root (or absolute, outside it).
        inline: The code itself, for ``python -c`` and heredocs; ``script`` is then a made-up path in ``cwd``.
        root: The absolute path that the study root had on the machine of the run.

    Returns:
        Its effects, in the order in which they are met; empty for a script that is not in the tree or is no Python.

    Example:
        >>> code = "import sys\\nfor n in ('a', 'b'):\\n    open(f'../out/{n}_{sys.argv[1]}.txt', 'w')"
        >>> [e.pattern for e in script_effects({"code/x.py": code}, "code/x.py", argv=["7"], cwd="code").writes]
        ['out/a_7.txt', 'out/b_7.txt']
    """
    text = tree.get(script) if inline is None else inline
    if text is None:
        return ScriptEffects()
    session = Session(tree, script, tuple(argv), cwd, root)
    session.run(text)
    drafts = list(session.report.drafts.values())
    return ScriptEffects(
        reads=tuple(_effect(draft) for draft in drafts if draft.mode == "read"),
        writes=tuple(_effect(draft) for draft in drafts if draft.mode != "read"),
        modules=tuple(session.reached),
        commands=tuple(session.report.commands),
        external=tuple(session.report.external),
    )


def _effect(draft: Draft) -> FileEffect:
    """An effect as it is handed out."""
    return FileEffect(draft.pattern, draft.mode, draft.how, draft.path, draft.line, role_of(draft), draft.source)
