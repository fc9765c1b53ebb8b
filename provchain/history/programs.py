"""What the scripts of one command do to files, shell scripts and started programs followed.

Joins the words of a command with the text of the scripts that it runs: a shell script is parsed like the command line it
is, a Python script is read by `inspection.effects`, and what either starts is followed in turn.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from provchain.history.calls import Call, relative_effect
from provchain.history.root import relative_to_root
from provchain.inspection.commands import CommandEffect, command_effect
from provchain.inspection.effects import FileEffect, script_effects
from provchain.inspection.environment import Environment, environments
from provchain.model import Place, Role
from provchain.shell import Command, parse_command_line

__all__ = ["Footprint", "Program", "as_far_as_asked", "asked_for", "footprint", "rewritten_in_place"]

_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "source", ".", "eval"})
_SHELL_SUFFIXES = (".sh", ".bash", ".zsh", ".ksh")
# Editors whose words say what they put in: what they leave is no longer what a program left.
_EDITORS = frozenset(
    {"sed", "gsed", "perl", "ruby", "ed", "ex", "vi", "vim", "nvim", "emacs", "patch", "apply_patch", "git"}
)
_EDITORS |= {"awk", "gawk", "jq", "yq", "sd", "rpl"}
_EXPANDED = re.compile(r"\$[\w({@*?#!]|`|\*")  # `*` stands for what is unknown in commands that a Python script starts
_MAX_DEPTH = 4
_MAX_PROGRAMS = 40


_ARGUMENTS = re.compile(
    r"\b(?:argv|argparse|ArgumentParser|parse_args|click|typer|fire|absl|docopt|hydra|getopt|optparse|tyro|jsonargparse|plac"
    r"|invoke|cli|flags|orig_argv|commandArgs|ARGS)\b|\$[1-9@*#{]"
)

_ENVIRONMENT = re.compile(r"\b(?:environb?|getenv\w*|auto_envvar_prefix|BaseSettings)\b")


class Program(Struct, frozen=True):
    """One Python program that a command runs, directly or through others.

    Attributes:
        script: Its path, or a pseudo path for inline code.
        inline: Its text where it was given on the command line.
        argv: Its arguments.
        environment: The variables that the command sets for it; any other is unknown.
    """

    script: str
    inline: str | None
    argv: tuple[str, ...]
    environment: Environment = ()


class Footprint(Struct, frozen=True):
    """What the scripts of a command do to files.

    Attributes:
        script: The script the command itself runs.
        modules: All files of the run that it executes or imports, its own script first.
        programs: The Python programs it runs.
        reads: What they read.
        writes: What they write.
        copies: What they copy.
        external: What they load from outside.
        typed: Those of ``writes`` that put text into a file that stands in a script or command itself; the same records.
            ``how`` is ``"echo"`` or ``"heredoc"``, with `` and more`` behind it where the shell fills in something that
            is not known from the text; ``"edit"`` where an editor changes a file (``sed -i``).
    """

    script: str | None
    modules: tuple[str, ...]
    programs: tuple[Program, ...]
    reads: tuple[FileEffect, ...]
    writes: tuple[FileEffect, ...]
    copies: tuple[FileEffect, ...]
    external: tuple[str, ...]
    typed: tuple[FileEffect, ...] = ()


def asked_for(sources: Mapping[str, str]) -> frozenset[str]:
    """What any script of a run may ask for; where none does, calls that differ in it do the same.

    Returns:
        ``"arguments"`` and ``"environment"``, those of them that some text asks for.

    Example:
        >>> sorted(asked_for({"a.py": "import sys; print(sys.argv)"})), sorted(asked_for({"a.py": "print(1)"}))
        (['arguments'], [])
    """
    asked = {"arguments": _ARGUMENTS, "environment": _ENVIRONMENT}
    return frozenset(what for what, words in asked.items() if any(words.search(text) for text in sources.values()))


def as_far_as_asked(call: Call, asked: frozenset[str]) -> Call:
    """A call without the arguments and variables that nothing asks for; code in words may ask for either."""
    if call.effect.inline is not None:
        return call
    if call.effect.script_argv and "arguments" not in asked:
        call = replace(call, effect=replace(call.effect, script_argv=()))
    return replace(call, environment=()) if call.environment and "environment" not in asked else call


def footprint(call: Call, sources: Mapping[str, str], root: str) -> Footprint:
    """Work out what the scripts of a command do to files.

    Args:
        call: The command.
        sources: The scripts as they stood when it ran.
        root: The study's directory on the original machine.

    Returns:
        Its footprint; empty where it runs no script of the study.
    """
    collector = _Collector(sources, root)
    collector.command(call.effect, call.cwd, 0, call.environment)
    return Footprint(
        script=call.effect.script or _module_path(call.effect.module, call.cwd, sources),
        modules=tuple(collector.modules),
        programs=tuple(collector.programs),
        reads=tuple(collector.reads),
        writes=tuple(collector.writes),
        copies=tuple(collector.copies),
        external=tuple(dict.fromkeys(collector.external)),
        typed=tuple(collector.typed),
    )


def _module_path(module: str | None, cwd: str, sources: Mapping[str, str]) -> str | None:
    """The file that `python -m pkg.mod` runs."""
    if not module:
        return None
    base = f"{cwd}/" if cwd else ""
    name = module.replace(".", "/")
    return next((p for p in (f"{base}{name}.py", f"{base}{name}/__main__.py") if p in sources), None)


def _is_for_shell(script: str, effect: CommandEffect) -> bool:
    """Whether a script is one of a shell: by its name, or by what runs it."""
    return script.endswith(_SHELL_SUFFIXES) or posixpath.basename(effect.argv[0] if effect.argv else "") in _SHELLS


def _line_of(command: Command, text: str, start: int) -> int:
    """The line of a script in which a command stands, at or after a line; that line itself where it is not found."""
    first = command.text.split("\n", 1)[0].rstrip("\\ ")
    lines = text.split("\n")
    found = [number for number, line in enumerate(lines, 1) if first and first in line]
    return next((number for number in found if number >= start), found[0] if found else start)


class _Collector:
    def __init__(self, sources: Mapping[str, str], root: str) -> None:
        self.sources = sources
        self.root = root
        self.modules: dict[str, None] = {}
        self.programs: dict[Program, None] = {}
        self.reads: dict[FileEffect, None] = {}
        self.writes: dict[FileEffect, None] = {}
        self.copies: dict[FileEffect, None] = {}
        self.external: list[str] = []
        self.typed: dict[FileEffect, None] = {}

    def command(self, effect: CommandEffect, cwd: str, depth: int, environment: Environment) -> None:
        """Follow one command."""
        if depth > _MAX_DEPTH or len(self.programs) > _MAX_PROGRAMS:
            return
        script = effect.script or _module_path(effect.module, cwd, self.sources)
        if effect.kind == "python" and effect.inline is not None:
            place = f"{cwd}/<inline>" if cwd else "<inline>"
            self.python(Program(place, effect.inline, effect.script_argv, environment), cwd, depth)
        elif effect.kind == "python" and script is not None:
            self.python(Program(script, None, effect.script_argv, environment), cwd, depth)
        elif effect.kind == "script":
            text = effect.inline if effect.inline is not None else self.sources.get(script or "")
            if script is not None and script in self.sources:
                self.modules.setdefault(script)
            if text is not None and (script is None or _is_for_shell(script, effect)):
                self.shell(text, script or "", effect.script_argv, cwd, depth, environment)

    def shell(
        self, text: str, script: str, argv: tuple[str, ...], cwd: str, depth: int, environment: Environment
    ) -> None:
        """Follow the commands of a shell text."""
        base = f"{self.root}/{cwd}" if not cwd.startswith("/") else cwd
        arguments = (f"{self.root}/{script}", *argv) if script else None
        line = 1
        commands = parse_command_line(text, base, arguments=arguments).commands
        for command, own in zip(commands, environments(commands, environment), strict=True):
            line = _line_of(command, text, line)
            self.started(command, Place(script, str(line)), depth, own)

    def started(self, command: Command, at: Place, depth: int, environment: Environment = ()) -> None:
        """Follow one command that a script starts."""
        effect = relative_effect(command_effect(command), self.root)
        line = int(at.locator)
        program = effect.argv[0] if effect.argv else "redirect"
        edits = effect.kind == "edit" and posixpath.basename(program) in _EDITORS
        for path in (*effect.writes, *effect.appends):
            written = FileEffect(path, "write", "edit" if edits else "redirect", at.path, line, None)
            self.writes.setdefault(written)
            if edits:
                self.typed.setdefault(written)
        for path, text, append in effect.authored:
            if text.strip():
                how = "heredoc" if command.stdin_text is not None else "echo"
                how = f"{how} and more" if _EXPANDED.search(text) else how
                typed = FileEffect(path, "append" if append else "write", how, at.path, line, None)
                self.typed.setdefault(typed)
                self.writes.setdefault(typed)
        if effect.kind != "edit":
            for path in dict.fromkeys((*effect.reads, *effect.shown)):
                self.reads.setdefault(FileEffect(path, "read", program, at.path, line, Role.DATA))
        for source, target in effect.copies:
            self.copies.setdefault(FileEffect(target, "copy", program, at.path, line, None, source))
        self.command(effect, relative_to_root(command.cwd, self.root), depth + 1, environment)

    def python(self, program: Program, cwd: str, depth: int) -> None:
        """Follow one Python program."""
        if program in self.programs or (program.inline is None and program.script not in self.sources):
            return
        self.programs.setdefault(program)
        found = script_effects(
            self.sources, program.script, argv=program.argv, cwd=cwd, inline=program.inline, root=self.root
        )
        for module in found.modules:
            if module in self.sources:
                self.modules.setdefault(module)
        for effect in found.reads:
            self.reads.setdefault(effect)
        for effect in found.writes:
            (
                self.copies if effect.mode == "copy" else self.writes if effect.mode in ("write", "append") else {}
            ).setdefault(effect)
        self.external.extend(found.external)
        for path, line, words in found.commands:
            try:
                text = words if isinstance(words, str) else shlex.join(words)
            except ValueError:
                continue
            for command in parse_command_line(text, f"{self.root}/{cwd}" if not cwd.startswith("/") else cwd).commands:
                self.started(command, Place(path, str(line)), depth)


def rewritten_in_place(trail: Footprint) -> set[str]:
    """Files that a script reads before it writes them: what stood there is its input."""
    firsts = {(effect.path, effect.pattern): effect.line for effect in reversed(trail.writes)}
    return {e.pattern for e in trail.reads if "*" not in e.pattern and e.line < firsts.get((e.path, e.pattern), 0)}
