"""Where the output of a command goes: redirects, and the filters and ``tee`` behind its pipe.

What ``python a.py | grep loss | tee log`` leaves comes from ``a.py``: files that filters write belong to the first
program of the pipeline that is no filter.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from provchain.inspection._commands.filters import FILTERS, filter_inputs
from provchain.inspection._commands.words import program_name, sort_words, strip_wrappers
from provchain.shell import Command, join_path

__all__ = ["Streams", "follow_streams", "is_fed", "is_path"]

_DEVICES = ("/dev/", "/proc/", "&")


@dataclass(slots=True)
class Streams:
    """The files that a command reads and writes by way of the shell.

    Attributes:
        writes: Files that are made anew.
        appends: Files that are added to.
        reads: Files on standard input, and those that a filter behind the pipe mixes in.
        plain: The first file that takes the standard output unchanged.
        exact: Every file takes the output unchanged.
    """

    writes: list[str] = field(default_factory=list)
    appends: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    plain: str | None = None
    exact: bool = True

    @property
    def files(self) -> tuple[tuple[str, bool], ...]:
        """All files that are written, and whether they are added to."""
        return (*((path, False) for path in self.writes), *((path, True) for path in self.appends))


def is_path(target: str) -> bool:
    """Say whether a redirect goes to a file, not to a device or another stream."""
    return bool(target) and not target.startswith(_DEVICES)


def is_fed(command: Command) -> bool:
    """Say whether a command reads what another one of its pipeline prints, so that it only passes that on."""
    fed = command.position > 0 or command.substituted
    return fed and not any(one.op in ("<", "<<", "<<<") for one in command.redirects)


def follow_streams(command: Command) -> Streams:
    """Work out where a command's input comes from and its output goes.

    Args:
        command: The command.

    Returns:
        The files involved, resolved against the directories of their commands.
    """
    streams = Streams()
    _redirects(command, streams, unchanged=True)
    unchanged = True
    reader = None if _redirected(command) else command.reader
    while reader is not None:
        argv = strip_wrappers(reader.argv)
        name = program_name(argv)
        if name in ("tee", "sponge"):
            words = sort_words(argv[1:])
            append = any(option in ("-a", "--append") or "a" in option.strip("-") for option in words.options)
            for target in words.operands:
                _note(streams, join_path(reader.cwd, target), append=append, unchanged=unchanged)
        elif name in FILTERS:
            inputs = filter_inputs(argv)
            streams.reads += [join_path(reader.cwd, path) for path in inputs if is_path(path)]
            unchanged = unchanged and name in ("cat", "pv") and not inputs
        else:
            break
        _redirects(reader, streams, unchanged=unchanged)
        reader = None if _redirected(reader) else reader.reader
    return streams


def _redirected(command: Command) -> bool:
    """Whether its standard output goes elsewhere than into the pipe."""
    return any(one.fd in ("1", "&") and one.op in (">", ">>") for one in command.redirects)


def _redirects(command: Command, streams: Streams, *, unchanged: bool) -> None:
    for one in command.redirects:
        if one.op == "<" and is_path(one.target):
            streams.reads.append(join_path(command.cwd, one.target))
        elif one.op in (">", ">>"):
            path = join_path(command.cwd, one.target)
            own = unchanged and one.fd in ("1", "&")
            _note(streams, path, append=one.op == ">>", unchanged=own, other=one.fd not in ("1", "&"))


def _note(streams: Streams, path: str, *, append: bool, unchanged: bool, other: bool = False) -> None:
    if not is_path(path):
        return
    target = streams.appends if append else streams.writes
    if path not in target:
        target.append(path)
    if unchanged and streams.plain is None:
        streams.plain = path
    streams.exact = streams.exact and (unchanged or other)
