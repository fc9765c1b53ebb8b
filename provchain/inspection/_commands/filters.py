"""Programs that look: they show what is there and leave no file unless the shell sends their output into one."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from provchain.inspection._commands.words import looks_like_file, program_name, sort_words, word_set
from provchain.shell import join_path

__all__ = ["FILTERS", "LOOKS", "filter_inputs", "shown_files"]


_GREP = word_set(
    "-e -f -m -A -B -C --include --exclude --exclude-dir --regexp --file --max-count --color -g -t -T --glob"
)
# name: (options that take the next word, operands before the files)
FILTERS: dict[str, tuple[frozenset[str], int]] = {
    "cat": (frozenset(), 0),
    "tac": (frozenset(), 0),
    "rev": (frozenset(), 0),
    "head": (word_set("-n -c --lines --bytes"), 0),
    "tail": (word_set("-n -c --lines --bytes --pid -s"), 0),
    "grep": (_GREP, 1),
    "egrep": (_GREP, 1),
    "fgrep": (_GREP, 1),
    "zgrep": (_GREP, 1),
    "rg": (_GREP, 1),
    "sed": (word_set("-e -f --expression --file -l"), 1),
    "awk": (word_set("-F -v -f --field-separator --assign --file"), 1),
    "gawk": (word_set("-F -v -f --field-separator --assign --file"), 1),
    "mawk": (word_set("-F -v -f"), 1),
    "jq": (word_set("-f --from-file --indent -L --tab"), 1),
    "yq": (word_set("-o -p -I"), 1),
    "sort": (word_set("-k -t -o -S -T --key --field-separator --output"), 0),
    "uniq": (word_set("-f -s -w"), 0),
    "cut": (word_set("-d -f -c -b --delimiter --fields"), 0),
    "tr": (frozenset(), 2),
    "wc": (frozenset(), 0),
    "nl": (word_set("-b -w -s -v -n"), 0),
    "paste": (word_set("-d"), 0),
    "join": (word_set("-t -1 -2 -o -j -e -a -v"), 0),
    "comm": (frozenset(), 0),
    "diff": (word_set("-U -C -I -x"), 0),
    "column": (word_set("-s -o -N -c"), 0),
    "fold": (word_set("-w"), 0),
    "fmt": (word_set("-w"), 0),
    "od": (word_set("-t -N -A -j -w"), 0),
    "xxd": (word_set("-g -l -s -c"), 0),
    "hexdump": (word_set("-n -s -e"), 0),
    "strings": (word_set("-n"), 0),
    "zcat": (frozenset(), 0),
    "bzcat": (frozenset(), 0),
    "xzcat": (frozenset(), 0),
    "base64": (word_set("-w"), 0),
    "iconv": (word_set("-f -t"), 0),
    "expand": (word_set("-t"), 0),
    "csvcut": (word_set("-c -C"), 0),
    "csvsort": (word_set("-c"), 0),
    "pv": (frozenset(), 0),
    "less": (frozenset(), 0),
    "more": (frozenset(), 0),
    "ts": (frozenset(), 1),
    "md5sum": (frozenset(), 0),
    "sha256sum": (frozenset(), 0),
    "sha1sum": (frozenset(), 0),
    "shuf": (word_set("-n -i -o"), 0),
    "bc": (frozenset(), 0),
    "ag": (_GREP, 1),
    "ack": (_GREP, 1),
    "bat": (word_set("-l --language --style --theme -r --line-range -H --color --paging"), 0),
    "batcat": (word_set("-l --language --style --theme -r --line-range -H --color --paging"), 0),
    "cmp": (word_set("-n -i"), 0),
    "sdiff": (word_set("-w -I -o"), 0),
    "colordiff": (word_set("-U -C -I -x"), 0),
    "wdiff": (frozenset(), 0),
    "csvlook": (word_set("-d -q -y --max-rows --max-columns"), 0),
    "csvstat": (word_set("-c -d"), 0),
    "csvgrep": (word_set("-c -m -r -f"), 0),
    "csvjson": (word_set("-i -k"), 0),
    "csvformat": (word_set("-D -Q -U"), 0),
    "csvjoin": (word_set("-c"), 0),
    "csvstack": (word_set("-g -n"), 0),
    "in2csv": (word_set("-f -s -k"), 0),
    "mlr": (word_set("--from --ifs --ofs --fs"), 0),
    "xsv": (word_set("-s -d -n -c"), 1),
    "qsv": (word_set("-s -d -n -c"), 1),
    "datamash": (word_set("-t"), 0),
    "gron": (frozenset(), 0),
    "jello": (frozenset(), 1),
    "dasel": (word_set("-f --file -r -w"), 0),
    "xq": (frozenset(), 1),
    "tomlq": (frozenset(), 1),
    "xmllint": (word_set("--xpath --schema"), 0),
    "xmlstarlet": (frozenset(), 0),
    "glow": (word_set("-w -s"), 0),
    "mdcat": (frozenset(), 0),
    "pygmentize": (word_set("-l -f -O -P"), 0),
    "zless": (frozenset(), 0),
    "zmore": (frozenset(), 0),
    "hd": (word_set("-n -s -e"), 0),
    "pr": (word_set("-l -w -h"), 0),
    "numfmt": (frozenset(), 0),
    "base32": (word_set("-w"), 0),
    "sha512sum": (frozenset(), 0),
    "cksum": (frozenset(), 0),
    "html2text": (frozenset(), 0),
    "docx2txt": (frozenset(), 0),
    "h5dump": (word_set("-d -a -g"), 0),
    "ncdump": (word_set("-v"), 0),
    "parquet-tools": (frozenset(), 1),
}
_LOOSE = word_set(
    "mlr xmlstarlet datamash numfmt dasel"
)  # programs with words of their own: files are what looks like one
_BINDINGS = {
    "--arg": 0,
    "--argjson": 0,
    "--slurpfile": 2,
    "--rawfile": 2,
}  # jq: option, name, value; where a file stands
_RECURSIVE = word_set("rg ag ack")
LOOKS = word_set(
    "ls ll dir find fd pwd which whereis type file stat tree du df echo printf ps top htop free uname lscpu lsblk "
    "lsb_release nproc hostname whoami id groups date uptime basename dirname realpath readlink test [ [[ true false : "
    "sleep wait jobs seq expr history help man tput clear printenv nvidia-smi nvcc rocm-smi exa tee sponge locale "
    "env time command let read mapfile readarray getopts lsof netstat ss ping dig nslookup cloc squeue sinfo sacct "
    "vmstat iostat mount kill pkill killall"
)


def filter_inputs(argv: Sequence[str]) -> list[str]:
    """Name the files that a filter reads, as written; none if it reads standard input.

    Args:
        argv: Its words.

    Returns:
        The files.

    Example:
        >>> filter_inputs(["grep", "-n", "-A", "2", "loss", "a.log", "b.log"])
        ['a.log', 'b.log']
        >>> filter_inputs(["sed", "-e", "s/a/b/", "f"])
        ['f']
    """
    name = program_name(argv)
    words, files = _unbound(argv[1:]) if name == "jq" else (list(argv[1:]), [])
    valued, before = FILTERS.get(name, (frozenset(), 0))
    parts = sort_words(words, valued)
    if any(option in parts.values for option in ("-e", "-f", "--expression", "--regexp", "--file", "--from-file")):
        before = 0
    operands = list(parts.operands)
    if name == "yq":
        operands = operands[1:] if operands[:1] in (["e"], ["eval"], ["ea"], ["eval-all"]) else operands
        before = 0 if len(operands) == 1 and looks_like_file(operands[0]) else before
    if name in ("dasel", "mlr"):
        files += [parts.values[option] for option in ("-f", "--file", "--from") if option in parts.values]
    named = [word for word in operands[before:] if name not in _LOOSE or looks_like_file(word)]
    return files + [word for word in named if word != "-" and not word.startswith(("<(", ">("))]


def _unbound(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Take the options off that bind a name (``--arg n v``, ``--slurpfile n f``), and name the files among them."""
    rest: list[str] = []
    files: list[str] = []
    position = 0
    while position < len(words):
        word = words[position]
        if word in _BINDINGS and position + 2 < len(words):
            files += [words[position + 2]] if _BINDINGS[word] else []
            position += 3
        else:
            rest.append(word)
            position += 1
    return rest, files


def shown_files(argv: Sequence[str], cwd: str, *, fed: bool = False) -> tuple[str, ...]:
    """Name the files whose content a filter repeats, in whatever form; a search through a folder shows all below it.

    Args:
        argv: Its words.
        cwd: Its directory.
        fed: It reads what another command prints, where it names no file.

    Returns:
        Paths and globs; an unknown word stands as ``*``.

    Example:
        >>> shown_files(["grep", "-rn", "acc", "results"], "code"), shown_files(["rg", "acc"], "")
        (('code/results', 'code/results/**'), ('**',))
        >>> shown_files(["cat", "$F", "out/$N.json"], "")
        ('**', 'out/*.json')
    """
    name = program_name(argv)
    letters = "".join(word for word in argv[1:] if re.fullmatch(r"-[A-Za-z]+", word))
    recursive = name in _RECURSIVE or (
        (name.endswith("grep") or name in ("diff", "colordiff"))
        and ("r" in letters or ("R" in letters and name != "diff") or "--recursive" in argv)
    )
    named = filter_inputs(argv) if name in FILTERS else []
    paths: dict[str, None] = {}
    for word in named:
        path = _unknown_as_glob(join_path(cwd, word))
        if not path.startswith("/dev/"):
            paths |= dict.fromkeys([path] if path else [])
            paths |= dict.fromkeys([posixpath.join(path, "**")] if recursive else [])
    if recursive and not named and not fed:
        paths[posixpath.join(cwd, "**")] = None
    return tuple(paths)


def _unknown_as_glob(path: str) -> str:
    """Write what the shell alone knows as ``*``: ``$x``, ``${x}``, ``$(...)``; at the beginning it may be any path."""
    glob = re.sub(r"\$\([^()]*(?:\([^()]*\)[^()]*)*\)|`[^`]*`|\$\{[^}]*\}|\$\w+|\$[@*#?!-]", "*", path)
    return "*" + glob if glob.startswith("*") and path[:1] in "$`" else glob
