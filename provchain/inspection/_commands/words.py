"""The words of a command sorted: wrappers taken off, options told from operands."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Parts", "looks_like_file", "program_name", "sort_words", "strip_wrappers", "word_set"]

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_MOST_WRAPPERS = 12


def word_set(words: str) -> frozenset[str]:
    """Give the words of a text as a set.

    Example:
        >>> sorted(word_set("-o -a"))
        ['-a', '-o']
    """
    return frozenset(words.split())


# name: (options that take the next word, operands before the command)
_WRAPPERS: dict[str, tuple[frozenset[str], int]] = {
    "timeout": (word_set("-s --signal -k --kill-after"), 1),
    "gtimeout": (word_set("-s --signal -k --kill-after"), 1),
    "nohup": (frozenset(), 0),
    "time": (word_set("-o --output -f --format"), 0),
    "env": (word_set("-u --unset -C --chdir"), 0),
    "sudo": (word_set("-u --user -g --group -h -p -C -r -t -D -R -T"), 0),
    "nice": (word_set("-n --adjustment"), 0),
    "ionice": (word_set("-c -n --class --classdata"), 0),
    "stdbuf": (word_set("-i -o -e --input --output --error"), 0),
    "unbuffer": (frozenset(), 0),
    "setsid": (frozenset(), 0),
    "exec": (word_set("-a"), 0),
    "command": (frozenset(), 0),
    "builtin": (frozenset(), 0),
    "xvfb-run": (word_set("-s -n -e -f -p -w --server-args --server-num --error-file --auth-file"), 0),
    "taskset": (frozenset(), 1),
    "numactl": (word_set("-N -m -C -i -p"), 0),
    "mpirun": (word_set("-np -n -N -c -H --host --hostfile -x --map-by --bind-to -mca"), 0),
    "mpiexec": (word_set("-np -n -N -c -H --host --hostfile -x --map-by --bind-to -mca"), 0),
    "srun": (word_set("-n -N -c -p -t -A -J -w -G -o -e --mem --gres"), 0),
    "flock": (word_set("-w --wait --timeout -E"), 1),
    "strace": (word_set("-o -e -p -s -u"), 0),
    "xargs": (word_set("-n -I -L -P -d -a -s -E --max-args --max-procs --delimiter --arg-file"), 0),
    "caffeinate": (word_set("-t -w"), 0),
    "catchsegv": (frozenset(), 0),
    "proxychains": (word_set("-f"), 0),
    "watch": (word_set("-n --interval"), 0),
    "npx": (word_set("-p --package"), 0),
    "bunx": (frozenset(), 0),
    "uvx": (word_set("--from --with -p --python"), 0),
}
_RUNNERS: dict[tuple[str, str], frozenset[str]] = {
    ("pnpm", "dlx"): frozenset(),
    ("pnpm", "exec"): frozenset(),
    ("npm", "exec"): word_set("-p --package"),
    ("bun", "x"): frozenset(),
    ("pipx", "run"): word_set("--spec --python"),
    ("conda", "run"): word_set("-n --name -p --prefix --cwd"),
    ("mamba", "run"): word_set("-n --name -p --prefix --cwd"),
    ("micromamba", "run"): word_set("-n --name -p --prefix --cwd"),
    ("poetry", "run"): frozenset(),
    ("pipenv", "run"): frozenset(),
    ("pdm", "run"): word_set("-p --project"),
    ("rye", "run"): frozenset(),
    ("hatch", "run"): frozenset(),
    ("pixi", "run"): word_set("-e --environment --manifest-path"),
    ("uv", "run"): word_set(
        "--with --with-editable --with-requirements -p --python --project --directory --extra --group --env-file "
        "--index --package --script"
    ),
    ("dotenv", "run"): word_set("-f --file"),
    ("coverage", "run"): word_set("--source --rcfile --include --omit --data-file --context --concurrency"),
}
# Launchers of Python scripts: the script is the first word that looks like one, since their options are many.
_LAUNCHERS = word_set("accelerate torchrun deepspeed kernprof horovodrun colossalai composer")


_FILE = re.compile(r"[^\s=,;|<>()'\"]*\.(?=\w*[A-Za-z])\w{1,12}")


def looks_like_file(word: str) -> bool:
    """Say whether a word can be the path of a file: it ends in a suffix, and is neither a number nor an address.

    Example:
        >>> [word for word in ("data/a.csv", "*.json", "0.5", "v1.2", "https://x.org/a.csv", "all") if looks_like_file(word)]
        ['data/a.csv', '*.json']
    """
    return "://" not in word and not word.startswith("-") and _FILE.fullmatch(word) is not None


class Parts(NamedTuple):
    """The words after a program's name."""

    options: tuple[str, ...]
    values: dict[str, str]
    operands: tuple[str, ...]


def program_name(argv: Sequence[str]) -> str:
    """Give the name of the program without its directory.

    Example:
        >>> program_name(["/usr/bin/python3", "a.py"]), program_name([])
        ('python3', '')
    """
    return posixpath.basename(argv[0]).removesuffix(".exe") if argv else ""


def strip_wrappers(argv: Sequence[str]) -> tuple[str, ...]:
    """Take off what only starts another command: ``timeout 60``, ``nohup``, ``env A=b``, ``uv run``, ``torchrun`` ...

    Args:
        argv: The words of a command.

    Returns:
        The words of the command that does the work; those given where nothing but a wrapper is there.

    Example:
        >>> strip_wrappers(["nohup", "env", "A=1", "timeout", "-k", "5", "60", "python", "x.py"])
        ('python', 'x.py')
        >>> strip_wrappers(["accelerate", "launch", "--num_processes", "2", "train.py", "--lr", "1"])
        ('python', 'train.py', '--lr', '1')
    """
    words = tuple(argv)
    for _ in range(_MOST_WRAPPERS):
        inner = _inner(words)
        if not inner or inner == words:
            break
        words = inner
    return words


def _inner(words: tuple[str, ...]) -> tuple[str, ...]:
    name = program_name(words)
    if name in _LAUNCHERS:
        return _launched(words[1:]) or words
    if name == "command" and words[1:2] in (("-v",), ("-V",)):
        return words
    if name in _WRAPPERS:
        valued, operands = _WRAPPERS[name]
        return _after(words, 1, valued, operands)
    if len(words) > 1 and (name, words[1]) in _RUNNERS:
        rest = _after(words, 2, _RUNNERS[name, words[1]], 0)
        if name == "coverage" or (name == "uv" and rest[:1] and rest[0].endswith(".py")):
            return ("python", *rest)
        return rest
    return words


def _after(words: tuple[str, ...], start: int, valued: frozenset[str], operands: int) -> tuple[str, ...]:
    position = start
    while position < len(words):
        word = words[position]
        if word == "--":
            position += 1
            break
        if word in valued:
            position += 2
        elif (word.startswith("-") and len(word) > 1) or _ASSIGNMENT.match(word):
            if word == "-m":  # `coverage run -m module`
                break
            position += 1
        else:
            break
    return words[position + operands :]


def _launched(words: tuple[str, ...]) -> tuple[str, ...]:
    for position, word in enumerate(words):
        if (
            word in ("-m", "--module")
            and position + 1 < len(words)
            and re.fullmatch(r"[A-Za-z_][\w.]*", words[position + 1])
        ):
            return ("python", "-m", *words[position + 1 :])
        if word.endswith(".py") and not word.startswith("-"):
            return ("python", *words[position:])
    return ()


def sort_words(words: Sequence[str], valued: frozenset[str] = frozenset()) -> Parts:
    """Tell options from operands.

    Args:
        words: The words after the program's name.
        valued: Options that take the next word.

    Returns:
        The options, the values of those that have one, and the operands.

    Example:
        >>> sort_words(["-n", "5", "-v", "--out=a", "b"], frozenset(["-n"]))
        Parts(options=('-n', '-v', '--out'), values={'-n': '5', '--out': 'a'}, operands=('b',))
    """
    options: list[str] = []
    values: dict[str, str] = {}
    operands: list[str] = []
    position = 0
    while position < len(words):
        word = words[position]
        position += 1
        if word == "--":
            operands += words[position:]
            break
        if not word.startswith("-") or word == "-":
            operands.append(word)
        elif word.startswith("--") and "=" in word:
            name, _, value = word.partition("=")
            options.append(name)
            values[name] = value
        elif word in valued and position < len(words):
            options.append(word)
            values[word] = words[position]
            position += 1
        elif word[:2] in valued and len(word) > 2 and not word.startswith("--"):
            options.append(word[:2])
            values[word[:2]] = word[2:]
        else:
            options.append(word)
    return Parts(tuple(options), values, tuple(operands))
