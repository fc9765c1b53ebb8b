"""What an interpreter is given to run: a script file, a module, or code on the command line or on standard input."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from provchain.inspection._commands.words import program_name, word_set

__all__ = ["Run", "is_python", "is_shell", "read_other", "read_python", "read_shell", "runs_itself"]

_PYTHON = re.compile(r"(?:python|pypy)[\d.]*[tw]?|ipython3?|\$\{?PYTHON\w*(?::-[^}]*)?\}?|bpython|sage")
_SHELLS = word_set("sh bash zsh dash ksh ash")
_SHELL_SUFFIXES = (".sh", ".bash", ".zsh")
# Modules that run the script named after their own options.
_SCRIPT_MODULES = word_set(
    "cProfile profile pdb trace runpy coverage scalene memory_profiler line_profiler debugpy torch.distributed.launch "
    "torch.distributed.run accelerate.commands.launch deepspeed kernprof"
)
# name: options after which code or an expression comes, and options that take any other word
_OTHERS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "Rscript": (frozenset(["-e"]), frozenset()),
    "R": (frozenset(["-e"]), frozenset(["-g"])),
    "julia": (frozenset(["-e", "-E"]), word_set("-p -t -L -J -C")),
    "node": (word_set("-e -p --eval --print"), word_set("-r --require --loader")),
    "deno": (frozenset(), frozenset()),
    "bun": (frozenset(["-e"]), frozenset()),
    "perl": (frozenset(["-e", "-E"]), frozenset(["-I"])),
    "ruby": (frozenset(["-e"]), frozenset(["-I", "-r"])),
    "php": (frozenset(["-r"]), frozenset(["-d", "-c"])),
    "lua": (frozenset(["-e"]), frozenset(["-l"])),
    "octave": (frozenset(["--eval"]), frozenset()),
    "matlab": (frozenset(["-batch", "-r"]), frozenset(["-sd", "-logfile"])),
    "stata": (frozenset(), frozenset()),
    "sas": (frozenset(), frozenset()),
    "gnuplot": (frozenset(["-e"]), frozenset()),
    "tclsh": (frozenset(), frozenset()),
    "ts-node": (frozenset(["-e"]), frozenset()),
    "tsx": (frozenset(["-e"]), frozenset()),
}


class Run(NamedTuple):
    """What an interpreter runs; all empty where it only tells its version or waits for input."""

    script: str | None = None
    module: str | None = None
    inline: str | None = None
    arguments: tuple[str, ...] = ()
    from_input: bool = False


def is_python(name: str) -> bool:
    """Say whether a program is a Python interpreter."""
    return _PYTHON.fullmatch(name) is not None


def is_shell(name: str) -> bool:
    """Say whether a program is a shell."""
    return name in _SHELLS


def read_python(argv: Sequence[str]) -> Run | None:
    """Read the words of a Python call.

    Args:
        argv: Its words, the interpreter first.

    Returns:
        What it runs, or ``None`` where it runs nothing (``--version``).

    Example:
        >>> read_python(["python", "-u", "-W", "ignore", "a.py", "--x"])[:4]
        ('a.py', None, None, ('--x',))
        >>> read_python(["python", "-m", "cProfile", "-o", "p.out", "a.py"])[0], read_python(["python3", "-V"])
        ('a.py', None)
    """
    words = list(argv[1:])
    while words:
        word = words.pop(0)
        if word in ("--version", "-V", "-VV", "--help", "-h", "--help-all"):
            return None
        if word == "-":
            return Run(arguments=tuple(words), from_input=True)
        if not word.startswith("-"):
            return Run(script=word, arguments=tuple(words))
        if word.startswith("--"):
            if word in ("--check-hash-based-pycs", "--matplotlib", "--profile", "--pylab") and words:
                words.pop(0)
            continue
        cluster = word[1:]
        for position, letter in enumerate(cluster):
            rest = cluster[position + 1 :]
            if letter == "c":
                code = rest or (words.pop(0) if words else "")
                return Run(inline=code, arguments=tuple(words))
            if letter == "m":
                module = rest or (words.pop(0) if words else "")
                return _module(module, words)
            if letter in "WX":
                if not rest and words:
                    words.pop(0)
                break
    return Run(from_input=True)


def _module(module: str, words: list[str]) -> Run:
    if module in _SCRIPT_MODULES:
        for position, word in enumerate(words):
            if word == "-m" and position + 1 < len(words) and module != "torch.distributed.run":
                return _module(words[position + 1], words[position + 2 :])
            if word.endswith(".py") and not word.startswith("-"):
                return Run(script=word, arguments=tuple(words[position + 1 :]))
    return Run(module=module, arguments=tuple(words))


def read_shell(argv: Sequence[str]) -> Run | None:
    """Read the words of a call of a shell.

    Args:
        argv: Its words, the shell first.

    Returns:
        What it runs, or ``None`` where it runs nothing.

    Example:
        >>> read_shell(["bash", "-lc", "ls; pwd"]).inline, read_shell(["bash", "-x", "run.sh", "1"])[::3]
        ('ls; pwd', ('run.sh', ('1',)))
    """
    words = list(argv[1:])
    code = False
    while words and words[0][:1] in ("-", "+") and len(words[0]) > 1:
        word = words.pop(0)
        if word in ("--version", "--help"):
            return None
        if word == "--":
            break
        if word.startswith("--"):
            if word in ("--rcfile", "--init-file") and words:
                words.pop(0)
            continue
        code = code or "c" in word[1:]
        if word[1:].endswith(("o", "O")) and words:  # -o pipefail, -euo pipefail
            words.pop(0)
    if code:
        return Run(inline=words[0], arguments=tuple(words[1:])) if words else None
    if not words or words[0] == "-":
        return Run(arguments=tuple(words[1:]), from_input=True)
    return Run(script=words[0], arguments=tuple(words[1:]))


def read_other(argv: Sequence[str]) -> Run | None:
    """Read the words of a call of another interpreter; ``None`` where the program is none.

    Example:
        >>> read_other(["Rscript", "--vanilla", "fit.R", "7"])[::3], read_other(["gcc", "a.c"])
        (('fit.R', ('7',)), None)
    """
    name = program_name(argv)
    if name == "R" and tuple(argv[1:3]) == ("CMD", "BATCH"):
        files = [word for word in argv[3:] if not word.startswith("-")]
        return Run(script=files[0]) if files else None
    if name == "java" and "-jar" in argv[:-1]:
        position = list(argv).index("-jar") + 1
        return Run(script=argv[position], arguments=tuple(argv[position + 1 :]))
    if name not in _OTHERS:
        return None
    code, valued = _OTHERS[name]
    words = list(argv[1:])
    if name in ("deno", "bun") and words[:1] == ["run"]:
        words.pop(0)
    while words:
        word = words.pop(0)
        if word in code or (name in ("perl", "ruby") and re.fullmatch(r"-\w*[eE]", word)):
            return Run(inline=words[0] if words else "")
        if word in valued and words:
            words.pop(0)
        elif not word.startswith("-"):
            return Run(script=word, arguments=tuple(words))
    return Run(from_input=True)


def runs_itself(word: str) -> str | None:
    """Say by what a file runs that is called by its path: ``python``, ``script``, ``program``; ``None`` for a name.

    Example:
        >>> runs_itself("./run.sh"), runs_itself("code/a.py"), runs_itself("./a.out"), runs_itself("make")
        ('script', 'python', 'program', None)
    """
    if "/" not in word:
        return "script" if word.endswith(_SHELL_SUFFIXES) else None
    if word.endswith(".py"):
        return "python"
    return "script" if word.endswith((*_SHELL_SUFFIXES, ".R", ".r", ".jl", ".pl", ".rb")) else "program"
