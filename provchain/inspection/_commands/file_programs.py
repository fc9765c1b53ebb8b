"""Programs whose words name the files that they copy, change, delete, fetch, pack or convert."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from typing import Any

from provchain.inspection._commands.edits import edit_effect, edited
from provchain.inspection._commands.filters import FILTERS
from provchain.inspection._commands.words import Parts, looks_like_file, program_name, sort_words, word_set
from provchain.shell import join_path

__all__ = ["FILE_PROGRAMS", "named_inputs", "named_output", "remove", "transfer"]

Found = dict[str, Any]
_OUTPUTS = ("-o", "--output", "--out", "--output-file", "-output", "--output-document", "--output-path", "--save")


def named_output(argv: tuple[str, ...]) -> str | None:
    """Name the file after ``-o`` or ``--output``.

    Example:
        >>> named_output(("gcc", "-O2", "a.c", "-o", "a.out")), named_output(("make", "all"))
        ('a.out', None)
    """
    values = sort_words(argv[1:], frozenset(_OUTPUTS)).values
    return next(
        (values[option] for option in _OUTPUTS if option in values and not values[option].startswith("/dev/")), None
    )


_TAKES_OUTPUT = re.compile(r"-o$|out|save|dest|target|export|write|log|dump|report|result", re.IGNORECASE)
_CODE = word_set("c cc cpp cxx h hpp cu f f90 go rs java class jar js ts py ipynb sh jl r R rb pl o a so mk cmake smk")
# Programs that build or run code: the code that their words name is no input of what they put out.
_RUN_CODE = word_set(
    "gcc g++ cc c++ clang clang++ nvcc gfortran rustc javac java tsc make gmake cmake ninja bazel pytest py.test tox nox "
    "docker podman singularity apptainer kubectl snakemake nextflow mlflow dvc cython mypy flake8 pylint cargo go npm yarn"
)


def named_inputs(argv: tuple[str, ...]) -> list[str]:
    """Name the files that a program may read: its words that look like files and are not said to be its output.

    Example:
        >>> named_inputs(("simulate", "a.json", "--config=b.toml", "--out", "c.csv", "-n", "0.5", "lr=0.1", "d=e.csv"))
        ['a.json', 'b.toml', 'e.csv']
        >>> named_inputs(("gcc", "-O2", "a.c", "-o", "a.out"))
        []
    """
    runs_code = program_name(argv) in _RUN_CODE
    found: dict[str, None] = {}
    taken = False  # the word before says that this one is an output
    for word in argv[1:]:
        option, equals, value = word.partition("=")
        is_output = _TAKES_OUTPUT.search(option) is not None
        is_operand = bool(equals) or not (word.startswith("-") or taken)
        candidate = "" if not is_operand or (equals and is_output) else value or word
        taken = word.startswith("-") and not equals and is_output
        if looks_like_file(candidate) and not (runs_code and candidate.rpartition(".")[2] in _CODE):
            found.setdefault(candidate)
    return list(found)


def _paths(cwd: str, words: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return tuple(join_path(cwd, word) for word in words)


def _has(parts: Parts, letters: str, *names: str) -> bool:
    """Whether an option is given, as a letter of a cluster or by its name."""
    return any(
        option in names or (re.fullmatch(r"-\w+", option) and any(letter in option[1:] for letter in letters))
        for option in parts.options
    )


# ------------------------------------------------------------------------------------------------------------ copies


def _source(cwd: str, word: str, *, whole: bool, contents: bool) -> str:
    path = join_path(cwd, word)
    if word.endswith("/.") or (contents and word.endswith("/")):
        return f"{path}/" if path else "./"
    return f"{path}/**" if whole and path else path or "**"


def _destination(cwd: str, word: str, *, folder: bool) -> str:
    path = join_path(cwd, word)
    folder = folder or word.endswith(("/", "/.", "/..")) or word in (".", "..")
    return f"{path or '.'}/" if folder else path


def transfer(argv: tuple[str, ...], cwd: str) -> Found | None:
    """`cp`, `mv`, `rsync`, `install`, `scp`, `ln`: sources, then a destination."""
    name = program_name(argv)
    valued = word_set("-t --target-directory -S --suffix -m -o -g -e --exclude --include --rsh -P -i --backup")
    parts = sort_words(argv[1:], valued - {"-P", "-i"} if name != "scp" else valued)
    if name == "install" and _has(parts, "d", "--directory"):
        return {"kind": "setup"}
    operands = [word for word in parts.operands if ":" not in word or name not in ("scp", "rsync")]
    target = parts.values.get("-t") or parts.values.get("--target-directory")
    if target is None:
        if name == "ln" and len(operands) == 1:
            operands.append(".")
        if len(operands) < 2:
            return {"kind": "program" if name in ("scp", "rsync") else "setup"}
        target = operands.pop()
        folder = len(operands) > 1 or any(re.search(r"[*?\[]", word) for word in operands)
    else:
        folder = True
    if name == "cp" and operands == ["/dev/null"]:
        return {"kind": "author", "authored": ((join_path(cwd, target), "", False),)}
    whole = name in ("cp", "scp", "rsync") and _has(parts, "rRa", "--recursive", "--archive")
    destination = _destination(cwd, target, folder=folder)
    base = cwd
    if name == "ln" and _has(parts, "s", "--symbolic"):
        base = destination.rstrip("/") if destination.endswith("/") else posixpath.dirname(destination)
    sources = [_source(base, word, whole=whole, contents=name == "rsync") for word in operands]
    return {"kind": "move" if name == "mv" else "copy", "copies": tuple((source, destination) for source in sources)}


def _dd(argv: tuple[str, ...], cwd: str) -> Found | None:
    values = dict(word.split("=", 1) for word in argv[1:] if "=" in word)
    source, target = values.get("if"), values.get("of")
    if not target:
        return {"kind": "look"}
    if source and not source.startswith("/dev/"):
        return {"kind": "copy", "copies": ((join_path(cwd, source), join_path(cwd, target)),)}
    return {"kind": "program", "writes": (join_path(cwd, target),)}


# ---------------------------------------------------------------------------------------------- changes and removals


def remove(argv: tuple[str, ...], cwd: str) -> Found | None:
    parts = sort_words(argv[1:])
    paths = _paths(cwd, parts.operands)
    if program_name(argv) == "rm" and _has(parts, "rR", "--recursive"):
        paths = tuple(path for one in paths for path in (one, f"{one}/**"))
    return {"kind": "remove", "removed": paths}


def _touch(argv: tuple[str, ...], cwd: str) -> Found | None:
    parts = sort_words(argv[1:], word_set("-d -t -r --date --reference"))
    return {"kind": "author", "authored": tuple((path, "", True) for path in _paths(cwd, parts.operands))}


def _truncate(argv: tuple[str, ...], cwd: str) -> Found | None:
    parts = sort_words(argv[1:], word_set("-s --size -r"))
    if parts.values.get("-s") not in ("0", None):
        return edited(cwd, list(parts.operands))
    return {"kind": "author", "authored": tuple((path, "", False) for path in _paths(cwd, parts.operands))}


def _find(argv: tuple[str, ...], cwd: str) -> Found | None:
    """`find a -name '*.json' -delete` or `-exec rm|cp|mv {} ...`."""
    words = list(argv[1:])
    folders: list[str] = []
    while words and not words[0].startswith(("-", "(", "!")):
        folders.append(words.pop(0))
    name = next((words[n + 1] for n, word in enumerate(words[:-1]) if word in ("-name", "-iname")), "*")
    patterns = tuple(posixpath.join(join_path(cwd, folder), "**", name) for folder in folders or ["."])
    if "-delete" in words:
        return {"kind": "remove", "removed": patterns}
    position = next((n for n, word in enumerate(words) if word in ("-exec", "-execdir")), None)
    if position is None:
        return None
    inner = [word for word in words[position + 1 :] if word not in (";", "+", "\\;")]
    if inner[:1] == ["rm"]:
        return {"kind": "remove", "removed": patterns}
    if inner[:1] in (["cp"], ["mv"]) and len(inner) > 2:
        target = _destination(cwd, next((word for word in reversed(inner) if word != "{}"), "."), folder=True)
        kind = "copy" if inner[0] == "cp" else "move"
        return {"kind": kind, "copies": tuple((pattern, target) for pattern in patterns)}
    change = edit_effect(tuple(inner), cwd)
    if change is not None and change["kind"] == "edit":
        return {"kind": "edit", "reads": patterns, "writes": patterns}
    if inner[:1] and (inner[0] in FILTERS or inner[0] in ("ls", "echo", "stat", "file")):
        return {"kind": "look", "shown": patterns if inner[0] in FILTERS else ()}
    return {"kind": "program", "reads": patterns}


# ------------------------------------------------------------------------------------- fetching, packing, converting


def _fetch(argv: tuple[str, ...], cwd: str) -> Found | None:
    name = program_name(argv)
    valued = word_set("-o -O -P -d -H -A -e -u -X -T -x -b -c --output --output-document --directory-prefix")
    if name == "curl":
        valued = (valued - {"-O", "-P", "-c"}) | {"-F", "--data", "--header", "--request", "-m", "--max-time"}
    parts = sort_words(argv[1:], valued)
    target = next(
        (parts.values[one] for one in ("-o", "-O", "--output", "--output-document") if one in parts.values), None
    )
    folder = next((parts.values[one] for one in ("-P", "--directory-prefix", "-d") if one in parts.values), "")
    url = next((word for word in parts.operands if "://" in word), "")
    if target is None and (name in ("wget", "aria2c") or _has(parts, "O", "--remote-name")):
        target = posixpath.basename(re.sub(r"[?#].*", "", url))
        target = posixpath.join(folder, target) if target and name != "curl" else target
    writes = (join_path(cwd, target),) if target and target != "-" else ()
    local = tuple(join_path(cwd, word.removeprefix("file://")) for word in parts.operands if word.startswith("file://"))
    return {"kind": "program", "reads": local, "writes": writes, "shown": local}


def _pack(argv: tuple[str, ...], cwd: str) -> Found | None:
    """`tar`, `zip`, `gzip`, `unzip`: an archive and its members."""
    name = program_name(argv)
    words = list(argv[1:])
    if name == "tar":
        if words and re.fullmatch(r"[A-Za-z]+", words[0]):
            words[0] = "-" + words[0]
        clusters = [word for word in words if re.fullmatch(r"-\w+", word)]
        letters = "".join(clusters)
        archive = next((words[n + 1] for n, w in enumerate(words[:-1]) if re.fullmatch(r"-\w*f", w)), None)
        members = [word for word in words if not word.startswith("-") and word != archive]
        if archive is None:
            return {"kind": "program"}
        if "c" in letters or "--create" in words:
            return {"kind": "program", "reads": _paths(cwd, members), "writes": _paths(cwd, [archive])}
        content = _paths(cwd, [archive]) if "O" in letters or "--to-stdout" in words else ()
        return {"kind": "look" if "t" in letters else "program", "reads": _paths(cwd, [archive]), "shown": content}
    parts = sort_words(words, word_set("-d -x -o -i") if name in ("unzip", "zip") else frozenset())
    if name == "unzip":
        packed = _paths(cwd, parts.operands[:1])
        shown = packed if _has(parts, "p") else ()
        return {"kind": "look" if _has(parts, "l") else "program", "reads": packed, "shown": shown}
    if name == "zip":
        return {
            "kind": "program",
            "reads": _paths(cwd, parts.operands[1:]),
            "writes": _paths(cwd, parts.operands[:1]),
        }
    if _has(parts, "c", "--stdout", "--to-stdout"):
        packed = _paths(cwd, parts.operands)
        return {"kind": "program", "reads": packed, "shown": packed}
    undone = name in ("gunzip", "bunzip2", "unxz") or _has(parts, "d", "--decompress")
    suffix = {"g": ".gz", "b": ".bz2", "x": ".xz", "z": ".zst"}[name.removeprefix("un")[0]]
    written = [word.removesuffix(suffix) if undone else word + suffix for word in parts.operands]
    return {"kind": "program", "reads": _paths(cwd, parts.operands), "writes": _paths(cwd, written)}


def _convert(argv: tuple[str, ...], cwd: str) -> Found | None:
    """Programs that turn the files of their operands into another one: after ``-o``, or the last."""
    name = program_name(argv)
    valued = word_set("-o -i -f -t -T -r -s -K -V --from --to --output --template -p -d -crf -vf")
    parts = sort_words(argv[1:], valued)
    target = parts.values.get("-o") or parts.values.get("--output")
    operands = list(parts.operands)
    if target is None and name in ("convert", "magick", "ffmpeg", "papermill") and len(operands) > (name != "ffmpeg"):
        target = operands.pop(1 if name == "papermill" and len(operands) > 1 else -1)
    reads = operands[:1] if name == "papermill" else operands
    reads += [parts.values["-i"]] if "-i" in parts.values and name == "ffmpeg" else []
    found: Found = {"kind": "program", "reads": _paths(cwd, reads), "writes": _paths(cwd, [target] if target else [])}
    if name == "pandoc":
        found["shown"] = found["reads"]
    if name == "papermill" and reads:
        found["script"] = join_path(cwd, reads[0])
    return found


def _latex(argv: tuple[str, ...], cwd: str) -> Found | None:
    source = next((word for word in argv[1:] if not word.startswith("-")), None)
    if source is None:
        return {"kind": "program"}
    stem = posixpath.basename(source).removesuffix(".tex")
    folder = next(
        (w.partition("=")[2] for w in argv if w.startswith(("-output-directory=", "--output-directory="))), ""
    )
    path = join_path(cwd, source if source.endswith(".tex") else f"{source}.tex")
    return {"kind": "program", "reads": (path,), "writes": (join_path(cwd, posixpath.join(folder, f"{stem}.pdf")),)}


def _jupyter(argv: tuple[str, ...], cwd: str) -> Found | None:
    if "nbconvert" not in argv[1:2] and not program_name(argv).endswith("nbconvert"):
        return {"kind": "program"}
    parts = sort_words(argv[1:], word_set("--to --output --output-dir --config"))
    notebook = next((word for word in parts.operands if word.endswith(".ipynb")), None)
    if notebook is None:
        return {"kind": "program"}
    path = join_path(cwd, notebook)
    output = path if "--inplace" in parts.options else None
    if "--output" in parts.values:
        folder = parts.values.get("--output-dir") or posixpath.dirname(notebook)
        output = join_path(cwd, posixpath.join(folder, parts.values["--output"]))
    executed = "--execute" in parts.options
    found: Found = {"kind": "program", "reads": (path,), "writes": (output,) if output else ()}
    if executed:
        found["script"] = path
    else:
        found["shown"] = (path,)
    return found


FILE_PROGRAMS: dict[str, Callable[[tuple[str, ...], str], Found | None]] = {
    **dict.fromkeys(("cp", "mv", "rsync", "install", "scp", "ln"), transfer),
    **dict.fromkeys(("rm", "rmdir", "unlink", "shred"), remove),
    **dict.fromkeys(("wget", "curl", "aria2c"), _fetch),
    **dict.fromkeys(
        ("tar", "zip", "unzip", "gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd"), _pack
    ),
    **dict.fromkeys(("convert", "magick", "pandoc", "ffmpeg", "papermill"), _convert),
    **dict.fromkeys(("pdflatex", "xelatex", "lualatex", "latex", "latexmk", "tectonic"), _latex),
    **dict.fromkeys(("jupyter", "jupyter-nbconvert"), _jupyter),
    "dd": _dd,
    "touch": _touch,
    "truncate": _truncate,
    "find": _find,
}
