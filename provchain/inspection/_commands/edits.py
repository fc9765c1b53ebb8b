"""Programs that change files where they lie: editors, patches, formatters, stream editors in place."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from provchain.inspection._commands.patches import read_patch
from provchain.inspection._commands.words import looks_like_file, program_name, sort_words, word_set
from provchain.shell import join_path

__all__ = ["edit_effect", "edited", "patched"]

Found = dict[str, Any]

# ---------------------------------------------------------------------------------------------------- rewriting tools


class _Rewriter(NamedTuple):
    """How a tool is told to rewrite files, and which of its words are files."""

    on: frozenset[str] = frozenset()  # options with which it rewrites; none: it always does
    off: frozenset[str] = frozenset()  # options with which it only shows or checks
    folder: tuple[str, ...] = ()  # suffixes of the files that it rewrites below a folder
    valued: frozenset[str] = frozenset()  # options that take the next word
    before: int | None = 0  # operands before the files; None: the operands that look like files


_PYTHON = ("py", "pyi")
_PRETTY = (
    "json",
    "md",
    "mdx",
    "yaml",
    "yml",
    "js",
    "jsx",
    "ts",
    "tsx",
    "mjs",
    "cjs",
    "css",
    "scss",
    "less",
    "html",
    "vue",
)
_SHOWN = word_set("--check --diff -d --dry-run --stdout --verify --lint")
_REWRITERS: dict[str, _Rewriter] = {
    "prettier": _Rewriter(
        word_set("--write -w"), frozenset(), _PRETTY, word_set("--config --parser --tab-width --print-width --plugin")
    ),
    "black": _Rewriter(off=_SHOWN, folder=_PYTHON, valued=word_set("-l --line-length -t --target-version --config -W")),
    "isort": _Rewriter(
        off=_SHOWN | word_set("-c --check-only"), folder=_PYTHON, valued=word_set("--profile -l --line-length --sp")
    ),
    "ruff format": _Rewriter(off=_SHOWN, folder=_PYTHON, valued=word_set("--config --line-length --target-version")),
    "ruff check": _Rewriter(
        word_set("--fix --fix-only"), word_set("--diff"), _PYTHON, word_set("--config --select --ignore")
    ),
    "autopep8": _Rewriter(word_set("-i --in-place"), folder=_PYTHON, valued=word_set("--max-line-length --select")),
    "yapf": _Rewriter(word_set("-i --in-place"), folder=_PYTHON, valued=word_set("--style -e -l -p")),
    "autoflake": _Rewriter(word_set("-i --in-place"), folder=_PYTHON),
    "pyupgrade": _Rewriter(),
    "nbstripout": _Rewriter(off=word_set("-t --textconv --dry-run --status --install")),
    "clang-format": _Rewriter(word_set("-i"), valued=word_set("--style")),
    "gofmt": _Rewriter(word_set("-w"), folder=("go",), valued=word_set("-r")),
    "goimports": _Rewriter(word_set("-w"), folder=("go",)),
    "rustfmt": _Rewriter(off=_SHOWN | word_set("--emit"), valued=word_set("--edition --config --emit")),
    "shfmt": _Rewriter(word_set("-w --write"), folder=("sh", "bash"), valued=word_set("-i -ln")),
    "mdformat": _Rewriter(off=_SHOWN, folder=("md",), valued=word_set("--wrap")),
    "latexindent": _Rewriter(word_set("-w --overwrite -wd"), valued=word_set("-l -y")),
    "eslint": _Rewriter(word_set("--fix"), word_set("--fix-dry-run"), _PRETTY, word_set("-c --config --ext")),
    "markdownlint": _Rewriter(word_set("--fix -f"), folder=("md",), valued=word_set("-c --config")),
    "biome format": _Rewriter(word_set("--write --fix"), folder=_PRETTY),
    "biome check": _Rewriter(word_set("--write --fix --apply"), folder=_PRETTY),
    "taplo fmt": _Rewriter(off=_SHOWN, folder=("toml",)),
    "taplo format": _Rewriter(off=_SHOWN, folder=("toml",)),
    "codespell": _Rewriter(word_set("-w --write-changes"), folder=("*",), valued=word_set("-L -S -I -D")),
    "dos2unix": _Rewriter(off=word_set("-n --newfile -i --info -O --to-stdout")),
    "unix2dos": _Rewriter(off=word_set("-n --newfile -i --info -O --to-stdout")),
    "sd": _Rewriter(off=word_set("-p --preview"), valued=word_set("-n -f"), before=2),
    "rpl": _Rewriter(before=2),
    "awk": _Rewriter(word_set("inplace --in-place"), valued=word_set("-F -v -f"), before=1),
    "yq": _Rewriter(word_set("-i --inplace --in-place"), before=None),
    "mlr": _Rewriter(word_set("-I"), before=None),
    "xmlstarlet": _Rewriter(word_set("-L --inplace"), before=None),
    "crudini": _Rewriter(word_set("--set --del --merge"), before=None),
    "exiftool": _Rewriter(word_set("-overwrite_original"), before=None),
}
_ALSO = {"gawk": "awk", "mawk": "awk", "prettierd": "prettier", "xml": "xmlstarlet", "standardjs": "eslint"}


def edit_effect(argv: tuple[str, ...], cwd: str, given: str | None = None) -> Found | None:
    """Say what a program that changes files in place does to them.

    Args:
        argv: Its words.
        cwd: Its directory.
        given: The text on its standard input, where the command says it.

    Returns:
        The fields of its effect: an ``"edit"``; a ``"look"`` with the files ``shown`` where it is told to show only;
        ``None`` for any other program.

    Example:
        >>> edit_effect(("black", "-q", "a.py"), "code")
        {'kind': 'edit', 'reads': ('code/a.py',), 'writes': ('code/a.py',)}
        >>> edit_effect(("prettier", "--check", "p.md"), ""), edit_effect(("ls",), "")
        ({'kind': 'look', 'shown': ('p.md',)}, None)
    """
    name = program_name(argv)
    if name in _EDITORS:
        return _EDITORS[name](argv, cwd, given)
    name = re.sub(r"(?<=\w)@.*", "", name)  # npx prettier@3
    name = _ALSO.get(name, name)
    for key, rest in ((" ".join((name, *argv[1:2])), argv[2:]), (name, argv[1:])):
        if key in _REWRITERS:
            return _rewritten(key, rest, cwd)
    return None


def _rewritten(key: str, words: tuple[str, ...], cwd: str) -> Found | None:
    tool = _REWRITERS[key]
    parts = sort_words(words, tool.valued)
    said = {*parts.options, *(words if key == "awk" else ())}
    operands = [word for word in parts.operands if word not in ("-", "inplace")]
    writes = (not tool.on or bool(tool.on & said)) and not tool.off & said
    if not writes and tool.before != 0:
        return None  # a filter like any other
    named = operands[tool.before :] if tool.before is not None else [word for word in operands if looks_like_file(word)]
    files = [file for word in named for file in _files(join_path(cwd, word), word, tool.folder)]
    if not files or not writes:
        return {"kind": "look", "shown": tuple(files)}
    return edited("", files)


def _files(path: str, word: str, suffixes: tuple[str, ...]) -> list[str]:
    """A file as it is; of a folder, the files below it that a tool rewrites."""
    if not suffixes or (looks_like_file(word) and word not in (".", "..")):
        return [path]
    return [posixpath.join(path, "**", f"*.{suffix}" if suffix != "*" else "*") for suffix in suffixes]


def edited(cwd: str, files: list[str]) -> Found:
    """Give the effect of an edit of files; without any, it is not known which it changes.

    Example:
        >>> edited("d", ["a.md"]), edited("", [])
        ({'kind': 'edit', 'reads': ('d/a.md',), 'writes': ('d/a.md',)}, {'kind': 'edit', 'edits_unknown': True})
    """
    paths = tuple(join_path(cwd, word) for word in files)
    return {"kind": "edit", "reads": paths, "writes": paths} if paths else {"kind": "edit", "edits_unknown": True}


# ------------------------------------------------------------------------------------------- stream editors in place


def _sed(argv: tuple[str, ...], cwd: str, _given: str | None) -> Found | None:
    in_place = any(re.match(r"-[nErsuz]*i|--in-place", word) for word in argv[1:])
    if not in_place:
        return None
    parts = sort_words(argv[1:], word_set("-e -f --expression --file"))
    scripted = any(option in parts.values for option in ("-e", "-f", "--expression", "--file"))
    operands = [word for word in parts.operands if word]  # BSD: sed -i ''
    return edited(cwd, operands if scripted else operands[1:])


def _perl(argv: tuple[str, ...], cwd: str, _given: str | None) -> Found | None:
    """`perl -pi -e code files`, `ruby -i.bak -pe code files`, `perl -i script files`."""
    words = list(argv[1:])
    in_place, coded = False, False
    while words and words[0].startswith("-") and words[0] != "-":
        word = words.pop(0)
        if word == "--":
            break
        if re.match(r"-[MmICxFdDrK]", word):  # their text is no cluster of options
            if word in ("-I", "-r") and words:
                words.pop(0)
            continue
        in_place = in_place or re.match(r"-[0-9acflnpsStTuUvwWX]*i", word) is not None
        if re.fullmatch(r"-[0-9acfilnpsStTuUvwWX]*[eE]", word):
            coded = True
            words[:1] = []
    if not in_place:
        return None
    return edited(cwd, words if coded else words[1:])


# --------------------------------------------------------------------------------------------------- patches, editors


def patched(text: str, cwd: str, strip: int | None) -> Found:
    """Give the effect of a patch whose text is known.

    Example:
        >>> patched("--- a/r.md\\n+++ b/r.md\\n", "code", 1)["writes"]
        ('code/r.md',)
    """
    found = read_patch(text, strip)
    if not (found.changed or found.added or found.removed):
        return {"kind": "edit", "edits_unknown": True}
    effect: Found = edited(cwd, found.changed) if found.changed else {"kind": "edit"}
    effect["authored"] = tuple((join_path(cwd, path), body, False) for path, body in found.added.items())
    effect["removed"] = tuple(join_path(cwd, path) for path in found.removed)
    return effect


def _patch(argv: tuple[str, ...], cwd: str, given: str | None) -> Found | None:
    valued = word_set("-i --input -d --directory -o --output -r -p --strip -D -F -Y -z -B -V")
    parts = sort_words(argv[1:], valued)
    if "--dry-run" in parts.options or "-C" in parts.options:
        return {"kind": "look"}
    folder = join_path(cwd, parts.values.get("-d") or parts.values.get("--directory") or "")
    output = parts.values.get("-o") or parts.values.get("--output")
    if output or parts.operands:
        return edited(folder, [output] if output else list(parts.operands[:1]))
    number = parts.values.get("-p") or parts.values.get("--strip") or ""
    return patched(given or "", folder, int(number) if re.fullmatch(r"\d{1,3}", number) else None)


def _apply_patch(argv: tuple[str, ...], cwd: str, given: str | None) -> Found | None:
    text = next((word for word in argv[1:] if "***" in word), given or "")
    return patched(text, cwd, 0)


def _ed(argv: tuple[str, ...], cwd: str, given: str | None) -> Found | None:
    parts = sort_words(argv[1:], word_set("-p"))
    effect = edited(cwd, list(parts.operands[:1]))
    typed = _inserted(given or "")
    if typed and parts.operands:
        effect |= {"authored": ((join_path(cwd, parts.operands[0]), typed, False),), "approximate": True}
    return effect


def _inserted(script: str) -> str:
    """The lines that an ``ed`` script types: after ``a``, ``i`` or ``c``, up to a lone dot."""
    text: list[str] = []
    typing = False
    for line in script.split("\n"):
        if typing:
            typing = line != "."
            text += [f"{line}\n"] if typing else []
        else:
            typing = re.fullmatch(r"[\d,.$+;%/\w-]*[aic]", line.strip()) is not None
    return "".join(text)


def _vim(argv: tuple[str, ...], cwd: str, _given: str | None) -> Found | None:
    """`vim -es -c '%s/a/b/' -c wq f`, `ex -s f`, `emacs --batch f --eval ...`, `nano f`."""
    name = program_name(argv)
    valued = {"-c", "--cmd", "-S", "-u", "-U", "-i", "-T", "-w", "-W", "--eval", "-f", "-l", "-L", "-q", "-t"}
    if name not in ("ex", "emacs", "nano") and not any(re.match(r"-\w*[eE]", word) for word in argv[1:]):
        valued.add("-s")  # a file of keys; after -e, silence
    words = ["-c" if re.fullmatch(r"-[esEnNZ]*c", word) else word for word in argv[1:]]  # `ex -sc '%s/a/b/|x' f`
    parts = sort_words(words, frozenset(valued))
    return edited(cwd, [word for word in parts.operands if not word.startswith("+") and word != "-"])


_EDITORS: dict[str, Callable[[tuple[str, ...], str, str | None], Found | None]] = {
    **dict.fromkeys(("sed", "gsed"), _sed),
    **dict.fromkeys(("perl", "ruby"), _perl),
    **dict.fromkeys(("patch", "gpatch"), _patch),
    **dict.fromkeys(("apply_patch", "applypatch"), _apply_patch),
    **dict.fromkeys(("ed", "red"), _ed),
    **dict.fromkeys(("ex", "vi", "vim", "nvim", "emacs", "nano"), _vim),
}
