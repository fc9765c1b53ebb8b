"""Read a shell command text into the simple commands it is made of. Nothing is run, nothing is opened.

Knows the words of the shell, not what programs do with theirs: that is the business of
``provchain.inspection.commands``.

The text is first reduced to a skeleton without quotes, substitutions and here-documents (``_lex``), which the
grammar of tree-sitter parses (``_tree``); a walk over it follows directories, variables, loops and functions
(``_walk``) and expands the words (``_words``).

Spec: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html, with what bash adds.
"""

from __future__ import annotations

from collections.abc import Sequence

from provchain.shell._builtins import State, printed_text
from provchain.shell._notes import freeze
from provchain.shell._syntax import Command, CommandLine, Redirect
from provchain.shell._walk import Walker
from provchain.shell._words import Scope, expand_braces, join_path

__all__ = ["Command", "CommandLine", "Redirect", "expand_braces", "join_path", "parse_command_line", "printed_text"]


def parse_command_line(text: str, cwd: str = "", *, arguments: Sequence[str] | None = None) -> CommandLine:
    """Take a command text apart into its simple commands, in the order in which they start.

    Loops over known words are unrolled, calls of functions are replaced by their bodies, commands in substitutions are
    listed too (``substituted``) unless their words alone decide the answer (``$(pwd)``, ``$(seq 3)``). Broken syntax
    gives what can be read of it; a text that is absurdly long or deep gives its beginning, and ``complete`` says so.

    Args:
        text: What was given to the shell: one line, or a whole script.
        cwd: The directory in which it starts; empty if it is not known, and all paths are relative to it then.
        arguments: ``$0``, ``$1`` ... where they are known, for a script.

    Returns:
        The commands, and the directory in which the shell is afterwards.

    Example:
        >>> line = parse_command_line("cd code && for s in 1 2; do python a.py --seed $s; done | tee ../log.txt")
        >>> [(command.cwd, " ".join(command.argv)) for command in line.commands[1:]]
        [('code', 'python a.py --seed 1'), ('code', 'python a.py --seed 2'), ('code', 'tee ../log.txt')]
        >>> line.commands[1].reader.argv, line.cwd
        (('tee', '../log.txt'), 'code')
    """
    clean = text.replace("\0", "")
    scope = Scope(positional=tuple(word.replace("\0", "") for word in arguments) if arguments is not None else None)
    if arguments:
        scope.lists["BASH_SOURCE"] = (scope.positional or ("",))[:1]
    state = State(join_path("", cwd.replace("\0", "")), scope=scope)
    walker = Walker()
    walker.walk(clean, state)
    return CommandLine(freeze(walker.commands), state.cwd, walker.complete)
