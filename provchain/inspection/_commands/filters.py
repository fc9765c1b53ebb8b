"""Programs that look: they show what is there and leave no file unless the shell sends their output into one."""

from __future__ import annotations

from collections.abc import Sequence

from provchain.inspection._commands.words import program_name, sort_words, word_set

__all__ = ["FILTERS", "LOOKS", "filter_inputs"]


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
}
LOOKS = word_set(
    "ls ll dir find fd pwd which whereis type file cmp stat tree du df echo printf ps top htop free uname lscpu lsblk "
    "lsb_release nproc hostname whoami id groups date uptime basename dirname realpath readlink test [ [[ true false : "
    "sleep wait jobs seq expr history help man tput clear printenv nvidia-smi nvcc rocm-smi ag ack bat exa tee locale "
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
    valued, before = FILTERS.get(program_name(argv), (frozenset(), 0))
    parts = sort_words(argv[1:], valued)
    if any(option in parts.values for option in ("-e", "-f", "--expression", "--regexp", "--file", "--from-file")):
        before = 0
    return [word for word in parts.operands[before:] if word != "-" and not word.startswith(("<(", ">("))]
