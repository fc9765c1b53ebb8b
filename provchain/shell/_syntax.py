"""What a command text is made of: simple commands with their words, redirects and places."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["Command", "CommandLine", "Redirect"]


class Redirect(Struct, frozen=True):
    """One redirection of a stream.

    Attributes:
        fd: ``"0"``, ``"1"``, ``"2"``, another number, or ``"&"`` for both outputs.
        op: ``">"`` (also ``>|``), ``">>"``, ``"<"``, ``">&"``, ``"<<"`` or ``"<<<"``.
        target: The path, quotes removed, as the command would see it from its own directory; ``"&1"`` for a copy of a
            descriptor; empty for here-documents, whose text is the command's ``stdin_text``.
    """

    fd: str
    op: str
    target: str


class Command(Struct, frozen=True):
    """One simple command of a command text.

    Attributes:
        text: Its source without the bodies of here-documents; of a command unrolled from a loop or function, its words.
        argv: Its words: quotes removed, known variables filled in, unknown ones and globs as written. Empty for bare
            assignments and bare redirects.
        assignments: ``NAME=value`` before the command, or bare.
        cwd: The directory in which it runs, after every ``cd`` before it, joined to the start directory as given.
        connector: How it is joined to the one before: ``""`` (first, or on a new line), ``;``, ``&&``, ``||``, ``|``,
            ``|&``.
        background: It was started with ``&``.
        pipeline: Index of its pipeline in the text.
        position: Its position in that pipeline, 0-based.
        stdin_text: The text of a here-document or here-string, or what ``echo``, ``printf`` or ``cat`` pipes into it
            from words alone.
        redirects: Its redirects in order, those of the groups around it first.
        guarded: It stands in an ``if``, ``while``, ``case``, after ``||`` or in a function that nothing
            calls, so that it may not have run.
        last_in_pipeline: No other command of its pipeline comes after it.
        reader: The (first) command that reads its output through a pipe or ``>(...)``, with the reader of that one and
            so on, a few deep; it stands in :attr:`CommandLine.commands` too.
        hides_status: A failure of it does not show in the exit status of the whole text.
        substituted: Its output goes into the words of another command: it stands in ``$(...)``, backquotes or
            ``<(...)``.
        stdin_verbatim: Nothing in ``stdin_text`` is expanded by the shell, so that it is the exact text.
    """

    text: str
    argv: tuple[str, ...] = ()
    assignments: tuple[tuple[str, str], ...] = ()
    cwd: str = ""
    connector: str = ""
    background: bool = False
    pipeline: int = 0
    position: int = 0
    stdin_text: str | None = None
    redirects: tuple[Redirect, ...] = ()
    guarded: bool = False
    last_in_pipeline: bool = True
    reader: Command | None = None
    hides_status: bool = False
    substituted: bool = False
    stdin_verbatim: bool = True


class CommandLine(Struct, frozen=True):
    """All simple commands of a command text, in the order of their start.

    Attributes:
        commands: The commands; those of a substitution stand before the command whose words they make.
        cwd: The directory after it, for the next text of the same shell.
        complete: Whether the whole text was taken in: ``False`` if it was cut because of its size or nesting.
    """

    commands: tuple[Command, ...]
    cwd: str
    complete: bool = True
