"""What one command of a shell does to files, as far as its own words tell.

Knows words, not files: nothing is opened or run, and what a script does inside is the business of
``provchain.inspection.effects``. The distinction that counts is between a program that ran and bytes that the agent
typed (``echo ... > f``, ``cat > f <<EOF``): the latter are authored, whatever they say.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from provchain.inspection._commands.edits import edit_effect
from provchain.inspection._commands.file_programs import FILE_PROGRAMS, named_inputs, named_output
from provchain.inspection._commands.filters import FILTERS, LOOKS, filter_inputs, shown_files
from provchain.inspection._commands.git import EVERYTHING, git_effect
from provchain.inspection._commands.interpreters import (
    Run,
    is_python,
    is_shell,
    read_other,
    read_python,
    read_shell,
    runs_itself,
)
from provchain.inspection._commands.setup import is_look, is_setup
from provchain.inspection._commands.streams import Streams, follow_streams, is_fed, is_path
from provchain.inspection._commands.substitutions import substituted
from provchain.inspection._commands.words import program_name, sort_words, strip_wrappers, word_set
from provchain.shell import Command, join_path, printed_text

__all__ = ["CommandEffect", "command_effect", "substituted"]

_SUBSTITUTION = re.compile(r"\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`")
_SILENT = word_set("test [ [[ read let sleep wait true false : kill getopts mapfile readarray command")
_MADE_OF_WORDS = word_set("seq expr yes")  # programs that print what their words say
_EXPANDED = re.compile(r"\$[\w({@*]|`")
_OWN_PROGRAM = re.compile(r"(?!/)(?!(?:.*/)?\.?bin/).*/")  # a program of the study, not one that is installed
_SHOW_MODULES = word_set(  # modules of Python that only show the files that they are given
    "ast base64 csv dis gzip pprint pygments quopri rich.json rich.markdown tokenize markdown"
)
_ENVIRONMENT = re.compile(r"(?:^|/)(?:activate|[.\w-]*(?:rc|profile|env|environment|conda\.sh|setup\w*\.sh|venv\w*))$")


class CommandEffect(Struct, frozen=True):
    """What one simple command does to files. Paths are resolved against its directory; globs stay.

    Attributes:
        kind: ``"python"``; ``"script"`` (a shell or another interpreter); ``"program"`` (any other that does
            something); ``"copy"`` and ``"move"``; ``"author"`` (typed text goes into a file); ``"edit"`` (changes files
            where they lie: ``sed -i``, an editor, a patch, a formatter); ``"remove"``; ``"look"`` (shows what is there,
            or only tells its usage); ``"setup"`` (directories, packages, variables, versions).
        argv: Its words without wrappers (``timeout 60``, ``nohup``, ``uv run``, ``torchrun`` ...).
        script: The script that it runs.
        module: The module of ``python -m``.
        inline: Code given in words: ``python -c``, a here-document for ``python -``, ``Rscript -e``, the text of a
            ``bash -c`` that the parser did not take apart itself.
        script_argv: The arguments of the script, module or code.
        reads: Files that it reads; of a program that nobody looks into, those that its words name and that it may
            read. Of an edit, the files that it changes.
        writes: Files that it makes anew. Those of filters and ``tee`` behind its pipe are its own.
        appends: Files that it adds to.
        copies: ``(source, destination)``: a folder that is copied whole is ``dir/**``, the contents of a folder are
            ``dir/``; a destination that must be a folder ends in ``/``.
        authored: ``(path, text, append)`` of typed text. Expansions that are not known stand in it as written.
        removed: Files and folders that it deletes.
        stream_to: The file that takes its standard output unchanged, so that a trace does not show it.
        hides_status: A failure of it does not show in the exit status of the whole command text.
        approximate: The authored text is not exactly known: the shell expands something in it, or a filter changes it.
        shown: Files whose content its own output repeats, whole or in part, in whatever form: what ``cat``, ``grep``,
            ``jq``, ``diff`` and ``git diff`` name. Globs stay; all files below a folder are ``dir/**``.
        edits_unknown: It changes files of the study that its words do not name (``git stash pop``, a patch from a file).
    """

    kind: str
    argv: tuple[str, ...] = ()
    script: str | None = None
    module: str | None = None
    inline: str | None = None
    script_argv: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    appends: tuple[str, ...] = ()
    copies: tuple[tuple[str, str], ...] = ()
    authored: tuple[tuple[str, str, bool], ...] = ()
    removed: tuple[str, ...] = ()
    stream_to: str | None = None
    hides_status: bool = False
    approximate: bool = False
    shown: tuple[str, ...] = ()
    edits_unknown: bool = False


def command_effect(command: Command) -> CommandEffect:
    """Say what a command does to files.

    Args:
        command: A simple command of a parsed command text.

    Returns:
        Its effect.

    Example:
        >>> from provchain.shell import parse_command_line
        >>> line = parse_command_line("cd code && python a.py --x 1 2>&1 | tee ../log.txt")
        >>> effect = command_effect(line.commands[1])
        >>> effect.kind, effect.script, effect.script_argv, effect.stream_to, effect.hides_status
        ('python', 'code/a.py', ('--x', '1'), 'log.txt', True)
        >>> command_effect(parse_command_line("echo '{\\"acc\\": 0.9}' > r.json").commands[0]).authored
        (('r.json', '{"acc": 0.9}\\n', False),)
    """
    argv = strip_wrappers(command.argv)
    streams = follow_streams(command)
    effect = _effect(command, argv, streams)
    if "xargs" in map(posixpath.basename, command.argv[: len(command.argv) - len(argv)]):
        effect = _unnamed(effect, argv)
    return replace(effect, argv=argv, hides_status=command.hides_status)


def _unnamed(effect: CommandEffect, argv: tuple[str, ...]) -> CommandEffect:
    """The effect on files that only another command names, through ``xargs``."""
    if effect.kind == "edit":
        return replace(effect, edits_unknown=True)
    if effect.kind in ("python", "script"):  # words from elsewhere come behind those that stand here
        return replace(effect, script_argv=(*effect.script_argv, "$@"))
    return replace(effect, shown=(EVERYTHING,)) if program_name(argv) in FILTERS else effect


def _effect(command: Command, argv: tuple[str, ...], streams: Streams) -> CommandEffect:
    name = program_name(argv)
    if not argv:
        # `> f` empties a file; bare assignments do nothing
        emptied = tuple((path, "", append) for path, append in streams.files)
        if not emptied and streams.reads:  # $(< f)
            return CommandEffect("look", shown=tuple(streams.reads))
        return CommandEffect("author" if emptied else "setup", authored=emptied)
    changed = _changed(command, argv, streams)
    if changed is not None:
        return changed
    interpreted = _interpreted(command, argv, streams)
    if interpreted is not None:
        return interpreted
    if name in FILE_PROGRAMS:
        found = FILE_PROGRAMS[name](argv, command.cwd)
        if found is not None:
            return _with_streams(CommandEffect(**found), streams)
    if is_setup(argv):
        return CommandEffect("setup")
    typed = _typed(command, argv, streams)
    if typed is not None:
        return typed
    if name in FILTERS or name in LOOKS or is_look(argv):
        return _look(command, argv, streams)
    return _with_streams(_program(command, argv), streams)


def _changed(command: Command, argv: tuple[str, ...], streams: Streams) -> CommandEffect | None:
    """Read a call of a program that changes files where they lie, or of git; ``None`` for any other."""
    words = argv[2:] if is_python(program_name(argv)) and argv[1:2] == ("-m",) else argv
    if not words or _OWN_PROGRAM.match(words[0]):
        return None
    if program_name(words) == "git":
        found = git_effect(words, command.cwd, command.stdin_text)
    else:
        found = None if is_look(words) else edit_effect(words, command.cwd, command.stdin_text)
    if found is None:
        return None
    effect = CommandEffect(**found)
    if effect.kind == "look":
        return _showing(effect.shown, command, streams)
    exact = command.stdin_verbatim and not effect.approximate
    effect = replace(effect, approximate=bool(effect.authored) and not exact)
    connected = _with_streams(effect, streams)
    # what is on standard input tells an editor what to do: it is no file that it edits
    return replace(connected, reads=effect.reads) if effect.kind == "edit" else connected


# ------------------------------------------------------------------------------------------------- running something


def _interpreted(command: Command, argv: tuple[str, ...], streams: Streams) -> CommandEffect | None:
    """Read a call of an interpreter, or of a script by its path."""
    name = program_name(argv)
    cwd = command.cwd
    if name in ("source", "."):
        if len(argv) < 2 or _ENVIRONMENT.search(argv[1]):
            return CommandEffect("setup")
        return _with_streams(CommandEffect("script", script=join_path(cwd, argv[1]), script_argv=argv[2:]), streams)
    if name == "eval":
        return _with_streams(CommandEffect("script", inline=" ".join(argv[1:])), streams)
    if is_python(name):
        run = read_python(argv)
        if run is not None and run.module == "json.tool":
            return _with_streams(_reformatted(run, cwd), streams)
        if run is not None and run.module in _SHOW_MODULES:
            return _showing(_joined(cwd, sort_words(run.arguments).operands), command, streams)
        if run is not None and _only_tells(run):
            return _telling(run, cwd, streams)
        if run is None or (run.module and is_look(("python", "-m", run.module, *run.arguments))):
            return _look(command, argv, streams)
        if run.module and is_setup(("python", "-m", run.module, *run.arguments)):
            return CommandEffect("setup", module=run.module)
        return _with_streams(_running("python", run, command), streams)
    if is_shell(name):
        run = read_shell(argv)
        if run is None:
            return _look(command, argv, streams)
        if _only_tells(run):
            return _telling(run, cwd, streams)
        return _with_streams(_running("script", run, command), streams)
    kind = runs_itself(argv[0])
    if kind is not None and not (kind == "program" and argv[0].startswith(("/bin/", "/usr/", "/opt/", "/sbin/"))):
        run = Run(script=argv[0], arguments=argv[1:])
        if _only_tells(run):
            return _telling(run, cwd, streams)
        effect = _program(command, argv) if kind == "program" else CommandEffect(kind)
        return _with_streams(replace(effect, script=join_path(cwd, argv[0]), script_argv=argv[1:]), streams)
    other = read_other(argv)
    return None if other is None else _other(command, argv, other, streams)


def _other(command: Command, argv: tuple[str, ...], run: Run, streams: Streams) -> CommandEffect:
    """Read a call of an interpreter whose scripts nobody looks into: its words say what it may read."""
    if _only_tells(run):
        return _telling(run, command.cwd, streams)
    arguments = tuple(word for word in argv if word not in (run.script, run.inline))
    if run.script is not None:
        script = join_path(command.cwd, run.script)
        effect = CommandEffect("script", script=script, script_argv=run.arguments)
        return _with_streams(_with_inputs(effect, command, arguments), streams)
    if program_name(argv) in ("perl", "ruby") and any(re.fullmatch(r"-[0-9a-z]*[np][0-9a-z]*[eE]?", a) for a in argv):
        files = _joined(command.cwd, [word for word in arguments[1:] if not word.startswith("-")])
        return _showing(files, command, streams)  # a filter line by line, as sed is one
    return _with_streams(_with_inputs(CommandEffect("program", inline=run.inline), command, arguments), streams)


def _only_tells(run: Run) -> bool:
    """Whether a script is only asked for its usage or version, or told to do nothing."""
    words = run.arguments
    asked = "--help" in words or "--dry-run" in words or words[-1:] == ("-h",) or words == ("--version",)
    return asked and (run.script is not None or run.module is not None)


def _telling(run: Run, cwd: str, streams: Streams) -> CommandEffect:
    script = join_path(cwd, run.script) if run.script else None
    return _with_streams(CommandEffect("look", script=script, module=run.module, script_argv=run.arguments), streams)


def _reformatted(run: Run, cwd: str) -> CommandEffect:
    """`python -m json.tool in.json out.json`."""
    files = tuple(join_path(cwd, word) for word in sort_words(run.arguments).operands if word != "-")
    kind = "edit" if files[:1] == files[1:2] else "look"
    return CommandEffect(kind, module=run.module, reads=files[:1], writes=files[1:2], shown=files[:1])


def _running(kind: str, run: Run, command: Command) -> CommandEffect:
    """Say what an interpreter runs; code on its standard input counts as given in words."""
    script, inline = run.script, run.inline
    if script in ("/dev/stdin", "-"):
        script, run = None, run._replace(from_input=True)
    if run.from_input and inline is None:
        inline = command.stdin_text
        given = next((one.target for one in command.redirects if one.op == "<" and is_path(one.target)), None)
        script = given if inline is None else None
    resolved = join_path(command.cwd, script) if script else None
    return CommandEffect(kind, script=resolved, module=run.module, inline=inline, script_argv=run.arguments)


def _program(command: Command, argv: tuple[str, ...]) -> CommandEffect:
    output = named_output(argv)
    effect = CommandEffect("program", writes=(join_path(command.cwd, output),) if output else ())
    return _with_inputs(effect, command, argv)


def _with_inputs(effect: CommandEffect, command: Command, argv: tuple[str, ...]) -> CommandEffect:
    """Add the files that a program's words name and that it does not write: it may read them."""
    named = _joined(command.cwd, named_inputs(argv))
    return replace(effect, reads=_distinct((*effect.reads, *(path for path in named if path not in effect.writes))))


def _joined(cwd: str, words: Sequence[str]) -> tuple[str, ...]:
    return tuple(join_path(cwd, word) for word in words if word != "-")


def _with_streams(effect: CommandEffect, streams: Streams) -> CommandEffect:
    """Add the files that the shell connects to a command."""
    script = effect.script
    return replace(
        effect,
        reads=_distinct((*effect.reads, *(path for path in streams.reads if path != script))),
        writes=_distinct((*effect.writes, *streams.writes)),
        appends=_distinct((*effect.appends, *streams.appends)),
        stream_to=streams.plain,
    )


def _distinct(paths: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(paths))


# -------------------------------------------------------------------------------------------------- typing something


def _typed(command: Command, argv: tuple[str, ...], streams: Streams) -> CommandEffect | None:
    """Recognise text that is typed into a file: ``echo``, ``printf``, ``cat <<E``, ``tee <<E``, an empty source."""
    name = program_name(argv)
    cwd = command.cwd
    own = not is_fed(command)
    text: str | None = None
    files = list(streams.files)
    if name in (":", "true") or (name == "cat" and argv[1:] == ("/dev/null",)):
        text = "" if files else None
    elif name in ("tee", "sponge") and own and command.stdin_text is not None:
        words = sort_words(argv[1:])
        append = any("a" in option for option in words.options)
        files += [(join_path(cwd, path), append) for path in words.operands if is_path(path)]
        text = command.stdin_text
    elif own or name in ("echo", "printf"):
        text = printed_text(argv, command.stdin_text if own else None)
        if text is None and own:
            text = _said(command, argv, streams)
            streams.exact = streams.exact and text is None
    if text is None or not files:
        return None
    if _EXPANDED.search(text) and name in ("echo", "printf") and not re.search(r"\d", _SUBSTITUTION.sub("", text)):
        return None  # what a program answered, with words around it
    exact = streams.exact and not _EXPANDED.search(text)
    authored = tuple((path, text, append) for path, append in files)
    return CommandEffect("author", authored=authored, approximate=not exact)


def _said(command: Command, argv: tuple[str, ...], streams: Streams) -> str | None:
    """Give the typed text behind a filter's output, where it reads no file: ``jq . <<E``, ``awk 'BEGIN {print 1}'``."""
    name = program_name(argv)
    if name in FILTERS and not streams.reads and not filter_inputs(argv):
        if command.stdin_text is not None:
            return command.stdin_text
        if name.endswith("awk") or (name == "jq" and any(re.match(r"-\w*n|--null-input", word) for word in argv[1:])):
            return " ".join(argv[1:])
    return " ".join(argv[1:]) if name in _MADE_OF_WORDS else None


def _look(command: Command, argv: tuple[str, ...], streams: Streams) -> CommandEffect:
    """Say what a program that only shows something leaves: its output, where the shell sends it into a file."""
    name = program_name(argv)
    if name in _SILENT:
        return CommandEffect("look")
    shown = shown_files(argv, command.cwd, fed=is_fed(command) or command.stdin_text is not None)
    if is_fed(command):
        return CommandEffect("look", shown=shown)  # its files belong to the program whose output it passes on
    named = filter_inputs(argv) if name in FILTERS else []
    inputs = tuple(join_path(command.cwd, path) for path in named if is_path(path))
    output = named_output(argv) if name in ("sort", "shuf", "iconv") else None
    if name in ("uniq", "xxd") and len(named) == 2:
        output, inputs, shown = named[1], inputs[:1], shown[:1]
    if output:
        streams.writes.append(join_path(command.cwd, output))
    alone = len(inputs) == len(streams.writes) == 1 and not (streams.reads or streams.appends)
    if name == "cat" and len(argv) == 2 and alone and streams.exact and inputs[0] != streams.writes[0]:
        return CommandEffect("copy", copies=((inputs[0], streams.writes[0]),), shown=shown)
    return _showing(inputs, command, streams, shown)


def _showing(
    inputs: tuple[str, ...], command: Command, streams: Streams, shown: tuple[str, ...] | None = None
) -> CommandEffect:
    """Say what a program leaves that repeats files: its output, where it goes into one; into its own input, an edit."""
    shown = _distinct((*(inputs if shown is None else shown), *streams.reads))
    if is_fed(command) or not (streams.writes or streams.appends):
        return CommandEffect("look", shown=shown)
    kind = "edit" if {*inputs, *streams.reads} & {*streams.writes} else "look"
    return _with_streams(CommandEffect(kind, reads=inputs, shown=shown), streams)
