"""How a process ended, reconciled from everything that was recorded of it.

The tool's flag, an exit code, a time-out, a traceback in the output or in the log that took the output: each may be
missing, and the flag may be that of another process (`train.py | tee log` gives the flag of `tee`). Names the source that
decided. Knows only texts and flags.
"""

from __future__ import annotations

import re

from msgspec import Struct

from provchain.model import Status

__all__ = ["Ending", "failed_at_start", "last_error", "reconcile_status"]


class Ending(Struct, frozen=True):
    """How a process ended, and what says so.

    Attributes:
        status: The reconciled status.
        source: What decided it, in words for a reader.
        error: The last line of what went wrong, or ``None``.
        caught: An error that the process caught and survived, or ``None``.
        hidden: It had a status of its own, and that of another process stands in its place.
    """

    status: Status
    source: str
    error: str | None = None
    caught: str | None = None
    hidden: bool = False


_TRACEBACK = "Traceback (most recent call last):"
# The last line of a traceback: `ValueError: ...`, `pkg.mod.OddError`, also behind a logging prefix.
_RAISED = re.compile(
    r"^(?:\S.{0,160} - )?((?:[A-Za-z_]\w*\.)*[A-Z]\w*"
    r"(?:Error|Exception|Exit|Interrupt|Iteration|Warning|Expired|NotFound\w*)\b(?:: .*)?)$"
)
_ANY_RAISED = re.compile(r"^((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?:: .*)?$")
_SHELL_FAILURE = re.compile(
    r"^(?:(?:/bin/)?(?:ba|da|z)?sh: .*(?:command not found|No such file or directory|Permission denied|cannot execute.*)"
    r"|python\d?(?:\.\d+)?: can't open file .*"
    r"|.*: error: (?:unrecognized arguments|the following arguments are required|argument ).*"
    r"|(?:cp|mv|rm|rsync|install|ln): .*"
    r"|Segmentation fault.*|Killed.*|Aborted.*|Bus error.*|.*: core dumped.*)$"
)
_LEVEL = re.compile(r"(?:^|[\s\[\]:|-])(?:ERROR|CRITICAL|FATAL)(?:[\s\[\]:|-]|$)")
_RECORD = re.compile(r"^(?:\S+ ){0,4}\S* ?[-|:\[ ]*(?:ERROR|CRITICAL|FATAL)\b(?=[\s\]:|-])")
_TAIL = 20_000  # characters of an output that are searched for its end
_ERROR_LENGTH = 300
_LATE_RECORDS = 5  # last lines of a log, among which an error that ends it stands
_TELLING = 20  # characters of an error that are hardly said again by chance


def _shorten(line: str) -> str:
    line = " ".join(line.split())
    return line if len(line) <= _ERROR_LENGTH else line[: _ERROR_LENGTH - 1] + "…"


def last_error(text: str) -> tuple[str, int] | None:
    """Find the last error that a text reports: a traceback's last line, a syntax error, a failure of the shell.

    Args:
        text: Output or log of a process.

    Returns:
        The error's line and the number of non-empty lines after it, or ``None``.

    Example:
        >>> last_error("x\\nTraceback (most recent call last):\\n  File \\"a.py\\", line 1\\nKeyError: 'a'\\ndone")
        ("KeyError: 'a'", 1)
    """
    lines = text[-_TAIL * 10 :].split("\n")
    start = next((i for i in range(len(lines) - 1, -1, -1) if _TRACEBACK in lines[i]), None)
    found: tuple[str, int] | None = None
    if start is not None:
        for i in range(start + 1, len(lines)):
            line = lines[i].rstrip()
            if not line or line[0].isspace():
                continue
            if (raised := _RAISED.match(line) or _ANY_RAISED.match(line)) is not None:
                found = raised.group(1) if _RAISED.match(line) else line, i
            break
        else:
            found = _TRACEBACK, len(lines) - 1  # cut off inside the traceback
    for i in range(len(lines) - 1, (found[1] if found else -1), -1):
        line = lines[i].strip()
        if line.startswith(("SyntaxError:", "IndentationError:", "TabError:")) or _SHELL_FAILURE.match(line):
            found = line, i
            break
    if found is None:
        return None
    return _shorten(found[0]), sum(1 for line in lines[found[1] + 1 :] if line.strip())


def _logged_error(text: str) -> str | None:
    """What a process logged at level ERROR and went on from: how often, and the first of it."""
    records = [line for line in text[-_TAIL * 10 :].split("\n") if _RECORD.search(line[:200])]
    if not records:
        return None
    first = _shorten(records[0])
    return first if len(records) == 1 else f"{len(records)} errors logged, first: {first}"


def _ends_in_error(text: str) -> str | None:
    """The error with which a text ends: a traceback followed by hardly anything, or a last record of level ERROR."""
    if (error := last_error(text)) is not None and error[1] <= 2:
        return error[0]
    lines = [line for line in text[-_TAIL:].split("\n") if line.strip()]
    if lines and (_LEVEL.search(lines[-1]) or _tells_again(lines)):
        return _shorten(lines[-1])
    return None


def _tells_again(lines: list[str]) -> bool:
    """Whether the last line says once more what a record of level ERROR right before it said, under another level."""
    for line in lines[-_LATE_RECORDS:-1]:
        record = _RECORD.search(line[:200])
        if record is not None:
            said = line[record.end() :].partition(": ")[2].strip()
            if len(said) >= _TELLING and said in lines[-1]:
                return True
    return False


def reconcile_status(
    *,
    is_error: bool | None,
    exit_code: int | None = None,
    timed_out: bool = False,
    answered: bool = True,
    background: bool = False,
    hidden: bool = False,
    driver: bool = False,
    text: str = "",
    text_from: str = "output",
) -> Ending:
    """Decide how one process ended.

    Args:
        is_error: The tool's flag for the call, if this process decides it; ``None`` if it has none.
        exit_code: Its exit code, if recorded.
        timed_out: The tool stopped it at its time limit.
        answered: A result of the call is on record at all.
        background: It was left running.
        hidden: The flag is that of another process: a later one of the pipeline or of the command list.
        driver: It runs other programs (a shell script), so an error at the end of its output is one of theirs.
        text: Everything that it printed, as far as known.
        text_from: Where ``text`` stood, for a reader (``"output"``, ``"run.log"``).

    Returns:
        Its status, the source that decided, and the error.

    Example:
        >>> reconcile_status(is_error=False, hidden=True, text="Traceback (most recent call last):\\nKeyError: 'x'").status
        <Status.FAILED: 'failed'>
    """
    error = last_error(text)
    if timed_out:
        return Ending(Status.ABORTED, "time-out", error[0] if error else "stopped at its time limit")
    if not answered:
        return Ending(Status.UNKNOWN, "no result on record", error[0] if error else None)
    ending = _ends_in_error(text)
    caught = error[0] if error else _logged_error(text)
    if exit_code is not None and not hidden:
        if exit_code == 0 and ending is None:
            return Ending(Status.COMPLETED, "exit code", caught=caught)
        if exit_code > 128 or exit_code < 0:
            return Ending(Status.ABORTED, "exit code", error[0] if error else f"exit code {exit_code}")
        if exit_code != 0:
            return Ending(Status.FAILED, "exit code", error[0] if error else f"exit code {exit_code}")
    if is_error and not hidden:
        return Ending(Status.FAILED, "tool flag", error[0] if error else None)
    if ending is not None and not (driver and is_error is False and not hidden):
        return Ending(Status.FAILED, f"error at the end of its {text_from}", ending)
    if background:
        return Ending(Status.RUNNING, "left running in the background")
    if hidden:
        if error is not None and error[0].startswith(("ModuleNotFoundError", "ImportError", "SyntaxError")):
            return Ending(Status.FAILED, f"error in its {text_from}", error[0])
        if text.strip():
            return Ending(Status.COMPLETED, f"no error at the end of its {text_from}", caught=caught)
        return Ending(Status.UNKNOWN, "its own status is hidden by a later command", hidden=True)
    source = "tool flag" if is_error is False else "a result without an error flag"
    return Ending(Status.COMPLETED, source, caught=caught)


def failed_at_start(output: str) -> bool:
    """Whether a process died on its imports or arguments, before it could write anything.

    Example:
        >>> failed_at_start("ModuleNotFoundError: No module named 'torch'")
        True
    """
    tail = output[-4000:]
    return any(
        word in tail
        for word in (
            "ModuleNotFoundError:",
            "ImportError:",
            "SyntaxError:",
            "IndentationError:",
            "unrecognized arguments",
            "can't open file",
        )
    )
