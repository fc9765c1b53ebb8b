"""What the commands of git show, change and carry of the files in its folder."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from typing import Any

from provchain.inspection._commands.edits import edited, patched
from provchain.inspection._commands.file_programs import remove, transfer
from provchain.inspection._commands.words import looks_like_file, sort_words, word_set
from provchain.shell import join_path

__all__ = ["EVERYTHING", "git_effect"]

Found = dict[str, Any]
EVERYTHING = "**"  # any file of the study: the words do not say which
_VALUED = word_set("-C -c --git-dir --work-tree --namespace --exec-path")
_SHOWS = word_set("diff show blame annotate grep difftool range-diff cat-file whatchanged diff-tree diff-index")
_CHANGES = word_set("merge pull rebase cherry-pick revert am clean bisect filter-branch sparse-checkout")
_VALUED_OF = word_set("-m -s --source -b -B -e -n -U -L -S -G --pathspec-from-file --conflict -A --orphan -c")


def git_effect(argv: tuple[str, ...], cwd: str, given: str | None = None) -> Found | None:
    """Say what a git command does to files; ``None`` where it does not touch or show any.

    Args:
        argv: Its words.
        cwd: Its directory.
        given: The text on its standard input, where the command says it.

    Returns:
        The fields of its effect.

    Example:
        >>> git_effect(("git", "show", "HEAD~1:r.json"), ""), git_effect(("git", "diff"), "code")
        ({'kind': 'look', 'shown': ('r.json',)}, {'kind': 'look', 'shown': ('**',)})
        >>> git_effect(("git", "checkout", "--", "r.md"), "")["writes"], git_effect(("git", "stash", "pop"), "")
        (('r.md',), {'kind': 'edit', 'edits_unknown': True})
        >>> git_effect(("git", "commit", "-m", "x"), "")
    """
    words = list(argv[1:])
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option in _VALUED and words:
            value = words.pop(0)
            cwd = join_path(cwd, value) if option == "-C" else cwd
    if not words:
        return None
    command, rest = words[0], tuple(words[1:])
    if command in _SHOWS or (command == "log" and _logs_content(rest)) or (command, *rest[:1]) == ("stash", "show"):
        return {"kind": "look", "shown": _shown(command, rest, cwd)}
    if command in _CHANGES:
        return edited("", [])
    return _COMMANDS[command](rest, cwd, given) if command in _COMMANDS else None


def _logs_content(words: tuple[str, ...]) -> bool:
    return any(
        word in ("-p", "-u", "--patch", "--full-diff", "--cc") or word.startswith(("-L", "-U")) for word in words
    )


# ------------------------------------------------------------------------------------------------------- what it shows


def _shown(command: str, words: tuple[str, ...], cwd: str) -> tuple[str, ...]:
    """The files whose content a command shows: those named, by a path or as ``HEAD:path``; else any."""
    parts = sort_words(words, word_set("-e -f -A -B -C -m -S -G -n -O"))
    named = list(words[words.index("--") + 1 :]) if "--" in words else []
    operands = [word for word in parts.operands if word not in named]
    if command == "grep" and "-e" not in parts.values:
        operands = operands[1:]
    paths: list[str] = []
    for word in operands:
        revision, colon, path = word.partition(":")
        if colon and revision and path:
            paths += _from_above(path, cwd)
        elif looks_like_file(word) or (word == operands[-1] and command in ("blame", "annotate")):
            named.append(word)
    for word in named:
        path = join_path(cwd, word)
        paths += [path] if looks_like_file(word) and word not in (".", "..") else [path, posixpath.join(path, "**")]
    return tuple(dict.fromkeys(paths)) or (EVERYTHING,)


def _from_above(path: str, cwd: str) -> list[str]:
    """A path from the top of the repository, which may be any folder above the directory."""
    if path.startswith(("./", "../")):
        return [join_path(cwd, path)]
    folders = [cwd]
    while posixpath.dirname(folders[-1]) not in ("", folders[-1]):
        folders.append(posixpath.dirname(folders[-1]))
    if cwd and not cwd.startswith("/"):
        folders.append("")
    return [posixpath.join(folder, path) for folder in folders if folder != "/"]


# ----------------------------------------------------------------------------------------------------- what it changes


def _restored(files: list[str], cwd: str) -> Found:
    """The files that are put back to an earlier state; a folder is all that lies below it."""
    folders = {word for word in files if word in (".", "..") or not looks_like_file(word)}
    named = [one for word in files for one in ((word, posixpath.join(word, "**")) if word in folders else (word,))]
    return edited(cwd, [word for word in named if word not in (".", "..")])


def _checkout(words: tuple[str, ...], cwd: str, _given: str | None) -> Found | None:
    parts = sort_words(words, _VALUED_OF)
    if "--" in words:
        return _restored(list(words[words.index("--") + 1 :]), cwd)
    if any(option in parts.values for option in ("-b", "-B", "-c", "--orphan")):
        return edited("", []) if parts.operands else None  # a new branch from here changes no file
    if not parts.operands:
        return None
    first = next((n for n, word in enumerate(parts.operands) if looks_like_file(word) or n > 0), None)
    return edited("", []) if first is None else _restored(list(parts.operands[first:]), cwd)


def _restore(words: tuple[str, ...], cwd: str, _given: str | None) -> Found | None:
    parts = sort_words(words, word_set("-s --source --pathspec-from-file --conflict"))
    index_only = {"--staged", "-S"} & {*parts.options} and not {"--worktree", "-W"} & {*parts.options}
    return None if index_only else _restored(list(parts.operands), cwd)


def _stash(words: tuple[str, ...], _cwd: str, _given: str | None) -> Found | None:
    return None if words[:1] and words[0] in ("list", "drop", "clear", "create", "store") else edited("", [])


def _reset(words: tuple[str, ...], _cwd: str, _given: str | None) -> Found | None:
    return edited("", []) if {"--hard", "--merge", "--keep"} & {*words} else None


def _apply(words: tuple[str, ...], cwd: str, given: str | None) -> Found | None:
    parts = sort_words(words, word_set("-p --directory --exclude --include --whitespace -C"))
    if {"--stat", "--numstat", "--summary", "--check"} & {*parts.options} and "--apply" not in parts.options:
        return {"kind": "look", "shown": tuple(join_path(cwd, word) for word in parts.operands)}
    if "--cached" in parts.options:
        return None
    folder = join_path(cwd, parts.values.get("--directory", ""))
    number = parts.values.get("-p", "1")
    known = given if not any(word != "-" for word in parts.operands) else None
    return patched(known or "", folder, int(number) if re.fullmatch(r"[0-9]{1,3}", number) else 1)


_COMMANDS: dict[str, Callable[[tuple[str, ...], str, str | None], Found | None]] = {
    "checkout": _checkout,
    "switch": _checkout,
    "restore": _restore,
    "stash": _stash,
    "reset": _reset,
    "apply": _apply,
    "mv": lambda words, cwd, _given: transfer(("mv", *words), cwd),
    "rm": lambda words, cwd, _given: None if "--cached" in words else remove(("rm", *words), cwd),
}
