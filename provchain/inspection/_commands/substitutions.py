"""What `sed -i` and `perl -pi -e` leave of a text: substitutions and deletions whose patterns are simple enough to be sure.

A pattern of another's making is matched by our own engine only if it cannot take long: no groups, at most one
repetition, short lines. Everything else stays unknown.

Spec: POSIX.1-2017, sed; https://pubs.opengroup.org/onlinepubs/9699919799/utilities/sed.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from provchain.inspection._commands.words import program_name, sort_words

__all__ = ["substituted"]

_MAX_TEXT = 400_000
_MAX_LINE = 500  # where a pattern repeats something
_ADDRESS = re.compile(r"(?:(\d{1,6})(?:,(\d{1,6}|\$))?|(\$)|/((?:[^/\\\n]|\\.){1,200})/)?\s*")
_REPEATS = "*+?"
_REPEATED = re.compile(r"(?<!\\)[*+?]")
_OPTION = re.compile(r"-[A-Za-z]+(?:\..*)?|--[a-z-]+(?:=.*)?")
_KNOWN_OPTION = re.compile(r"-[Er]?i(?:\..*)?|-[Ere]|--in-place(?:=.*)?|--regexp-extended|--expression(?:=.*)?")
_EXTENDED = re.compile(r"-[Er]i?(?:\..*)?|--regexp-extended")
_PERL_OPTION = re.compile(r"-p?i(?:\.[a-z]+)?|-p?i?e|-p")
_PERL_FILLED = re.compile(r"\$(?!/|$)|@")  # variables, in the pattern or in what is put
_CLASS = re.compile(r"\[\^?[\w.,: /-]+\]")


class _Edit(NamedTuple):
    """One command of a script: on which lines, what it looks for, and what it puts there; no pattern deletes the line."""

    first: int | None
    last: int | None
    where: re.Pattern[str] | None
    pattern: re.Pattern[str] | None
    put: str
    most: int


def substituted(argv: Sequence[str], text: str) -> str | None:
    """Say what an in-place `sed`, or a `perl` like it, leaves of a text.

    Args:
        argv: The words of the command.
        text: What stood in the file.

    Returns:
        What stands there now, or ``None`` where that is not sure.

    Example:
        >>> substituted(("sed", "-i", "s/n=200/n=10/", "a.py"), "run(n=200)\\n")
        'run(n=10)\\n'
        >>> substituted(("sed", "-i", "s/\\\\(a\\\\)b/\\\\1/", "a.py"), "ab\\n") is None
        True
    """
    name = program_name(tuple(argv))
    if name not in ("sed", "gsed", "perl") or len(text) > _MAX_TEXT:
        return None
    edits = _edits(argv) if name != "perl" else _perl_edits(argv)
    if edits is None:
        return None
    lines = text.split("\n")
    last = len(lines) - (lines[-1] == "")
    kept: list[str] = []
    for number, line in enumerate(lines, 1):
        left: str | None = line
        for edit in edits:
            if left is None or number > last:
                break
            if len(left) > _MAX_LINE and any(found and _REPEATED.search(found.pattern) for found in edit[2:4]):
                return None
            left = _applied(edit, left, number, last)
        if left is not None:
            kept.append(left)
    return "\n".join(kept)


def _applied(edit: _Edit, line: str, number: int, last: int) -> str | None:
    first = last if edit.first == -1 else edit.first
    end = last if edit.last == -1 else edit.last
    if first is not None and not first <= number <= (end if end is not None else first):
        return line
    if edit.where is not None and edit.where.search(line) is None:
        return line
    if edit.pattern is None:
        return None
    return edit.pattern.sub(lambda found: edit.put.replace("\0", found.group()), line, count=edit.most)


def _edits(argv: Sequence[str]) -> list[_Edit] | None:
    words = list(argv[1:])
    options = [word for word in words if _OPTION.fullmatch(word)]
    if not all(_KNOWN_OPTION.fullmatch(word) for word in options):
        return None
    scripts = [words[at + 1] for at, word in enumerate(words[:-1]) if word in ("-e", "--expression")]
    scripts += [word.partition("=")[2] for word in words if word.startswith("--expression=")]
    if not scripts:
        scripts = [word for word in sort_words(words).operands if word][:1]
    extended = any(map(_EXTENDED.fullmatch, options))
    found: list[_Edit] = []
    for script in scripts:
        for edit in _commands(script, extended):
            if edit is None:
                return None
            found.append(edit)
    return found or None


def _perl_edits(argv: Sequence[str]) -> list[_Edit] | None:
    """The substitutions of ``perl -pi -e``; what Perl would fill in or read in its own way is not understood."""
    words = list(argv[1:])
    options = [word for word in words if word.startswith("-")]
    if not options or not all(_PERL_OPTION.fullmatch(word) for word in options) or options[-1][-1] != "e":
        return None
    at = words.index(options[-1]) + 1
    if not any("p" in word.partition(".")[0] for word in options) or at >= len(words):
        return None
    script = words[at]
    if _PERL_FILLED.search(script) or "&" in script:
        return None
    found = [edit for edit in _commands(script, extended=True) if edit is None or edit.pattern is not None]
    edits = [edit for edit in found if edit is not None and edit.first is None and edit.where is None]
    return edits if edits and len(edits) == len(list(_commands(script, extended=True))) else None


def _commands(script: str, extended: bool) -> Iterator[_Edit | None]:
    """The commands of a script; ``None`` for one that is not understood, and nothing behind it."""
    at = 0
    while at < len(script):
        if script[at] in "; \n\t":
            at += 1
            continue
        address = _ADDRESS.match(script, at)
        where: re.Pattern[str] | None = None
        first: int | None = None
        last: int | None = None
        if address is not None:
            at = address.end()
            first = int(address[1]) if address[1] else -1 if address[3] else None
            last = -1 if address[2] == "$" else int(address[2]) if address[2] else None
            if address[4] and (where := _pattern(address[4], extended)) is None:
                yield None
                return
        if script[at : at + 1] == "d":
            yield _Edit(first, last, where, None, "", 0)
            at += 1
            continue
        edit, at = _substitution(script, at, extended)
        if edit is None:
            yield None
            return
        yield edit._replace(first=first, last=last, where=where)


def _substitution(script: str, at: int, extended: bool) -> tuple[_Edit | None, int]:
    """Read ``s/pattern/put/flags`` and say where it ends."""
    mark = script[at + 1 : at + 2]
    if script[at : at + 1] != "s" or not mark or mark in "\\\n":
        return None, at
    pieces: list[str] = []
    piece = ""
    at += 2
    while at < len(script) and len(pieces) < 2:
        if script[at] == "\\" and at + 1 < len(script):
            piece += script[at + 1] if script[at + 1] == mark else script[at : at + 2]
            at += 2
            continue
        if script[at] == mark:
            pieces.append(piece)
            piece = ""
        else:
            piece += script[at]
        at += 1
    end = at + (script[at : at + 1] == "g")
    if len(pieces) < 2 or script[end : end + 1] not in ("", ";", "\n", " "):
        return None, at
    pattern, put = _pattern(pieces[0], extended), _put(pieces[1])
    if pattern is None or put is None:
        return None, at
    return _Edit(None, None, None, pattern, put, 0 if end > at else 1), end


def _put(text: str) -> str | None:
    """The text that is put in, the whole match as NUL; no groups, no case."""
    done = ""
    at = 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            following = text[at + 1 : at + 2]
            if following.isalnum() and following != "n":
                return None
            done += "\n" if following == "n" else following
            at += 2
            continue
        done += "\0" if char == "&" else char
        at += 1
    return done


def _pattern(text: str, extended: bool) -> re.Pattern[str] | None:
    """A basic or extended regular expression as ours, if it has no groups and repeats at most once."""
    done, repeats, at = "", 0, 0
    while at < len(text):
        char = text[at]
        following = text[at + 1 : at + 2]
        if char == "\\":
            if following and following in "+?" and not extended and done:
                done, repeats = done + following, repeats + 1
            elif following.isalnum() or not following or (following in "(){}|" and not extended):
                return None
            else:
                done += re.escape(following)
            at += 2
            continue
        if char == "[":
            found = _CLASS.match(text, at)
            if found is None:
                return None
            done, at = done + found.group(), found.end()
            continue
        if char in _REPEATS and done and (char == "*" or extended):
            done, repeats = done + char, repeats + 1
        elif extended and char in "(){}|":
            return None
        else:
            anchor = (char == "^" and at == 0) or (char == "$" and at == len(text) - 1)
            done += char if anchor or char == "." else re.escape(char)
        at += 1
    try:
        return re.compile(done) if repeats <= 1 and done else None
    except re.error:
        return None
