"""What a log says of time and of its machine: stamps, durations of epochs, the names of accelerators.

Reads only. Whether it agrees with the record of who wrote the log is decided by the caller.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from msgspec import Struct

__all__ = ["LogClock", "Stamp", "accelerators", "long_claims", "read_clock"]

_MOST_LINES = 50_000
_MOST_LINE = 400
_STAMP = re.compile(
    r"^[\[(\s]{0,3}(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,6}))?\s?(Z|[+-]\d\d:?\d\d)?"
)
_EPOCH = re.compile(r"\b(?:epoch|step|iter(?:ation)?|fold|seed|run)s?\b", re.IGNORECASE)
_TOOK = re.compile(
    r"(?:\btime(?: taken| elapsed)?\s?[:=]?\s?|\btook\s|\bin\s|\bduration\s?[:=]?\s?|[(\[\s-])"
    r"(\d{1,6}(?:\.\d{1,4})?)\s?(ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)(?![\w/])",
    re.IGNORECASE,
)
_ACCELERATOR = re.compile(
    r"\b(?:(?:NVIDIA|Tesla|GeForce|Quadro)\s+)*(?:(?:Tesla\s+)?([AHVPLBTK]\d{1,4}0?[a-z]?|RTX\s?(?:A?\d{4})(?:\s?Ti)?"
    r"|GTX\s?\d{3,4}(?:\s?Ti)?|GH200|TITAN\s\w+|TPU(?:\s?v\d\w?)?|MI\d{3}X?))(?:[- ](?:SXM\d?|PCIE|NVL|\d{2,3}\s?GB)\b)*",
)
_NAMED = re.compile(r"\b(?:NVIDIA|Tesla|GeForce|GPUs?|CUDA|accelerators?|TPUs?)\b", re.IGNORECASE)
_LONG = re.compile(
    r"\b(?:train(?:ed|ing)?|ran|run(?:s|ning)?|took|takes|experiments?|fine-?tun\w+|comput\w+)\b[^.;]{0,80}?"
    r"\b(?:for|took|takes|in|about|approximately|roughly|of|over)\s+(?:about\s+|approximately\s+|roughly\s+|~\s?)?"
    r"(\d{1,4}(?:\.\d+)?)\s+(?:GPU[- ])?(hours?|days?)\b",
    re.IGNORECASE,
)
_SECONDS = {
    "ms": 0.001,
    "s": 1,
    "sec": 1,
    "second": 1,
    "m": 60,
    "min": 60,
    "minute": 60,
    "h": 3600,
    "hour": 3600,
    "day": 86400,
}


class Stamp(Struct, frozen=True):
    """A time that a line of a log begins with.

    Attributes:
        line: 1-based.
        time: As written, without a zone.
        zoned: It says its zone; ``time`` is then in UTC.
    """

    line: int
    time: datetime
    zoned: bool


class LogClock(Struct, frozen=True):
    """The times of a log.

    Attributes:
        stamps: Its stamps in order.
        took: ``(line, seconds)`` of the durations that lines on epochs, steps and the like give.
    """

    stamps: tuple[Stamp, ...]
    took: tuple[tuple[int, float], ...]

    @property
    def span(self) -> timedelta:
        """From the earliest stamp to the latest."""
        times = [stamp.time for stamp in self.stamps]
        return max(times) - min(times) if times else timedelta(0)


def read_clock(text: str) -> LogClock:
    """Read the times of a log.

    Args:
        text: The log.

    Returns:
        Its stamps and durations; those of lines that begin with no time are none.

    Example:
        >>> lines = ("2026-01-02 10:00:05,120 - INFO - Epoch 1/2 (35.2s)", "2026-01-02 10:00:06 - Epoch 2/2 took 34s")
        >>> clock = read_clock("\\n".join(lines))
        >>> clock.span.total_seconds(), clock.took
        (0.88, ((1, 35.2), (2, 34.0)))
    """
    stamps: list[Stamp] = []
    took: list[tuple[int, float]] = []
    for number, line in enumerate(text.split("\n")[:_MOST_LINES], 1):
        head = line[:_MOST_LINE]
        if (found := _STAMP.match(head)) is not None and (stamp := _stamp(number, found)) is not None:
            stamps.append(stamp)
            head = head[found.end() :]
        if _EPOCH.search(head) and (duration := _TOOK.search(head)) is not None:
            took.append((number, _seconds(duration[1], duration[2])))
    return LogClock(tuple(stamps), tuple(took))


def _stamp(line: int, found: re.Match[str]) -> Stamp | None:
    year, month, day, hour, minute, second = (int(part) for part in found.groups()[:6])
    micro = int((found[7] or "0").ljust(6, "0"))
    try:
        time = datetime(year, month, day, hour, minute, second, micro)  # noqa: DTZ001 - the zone is applied below
    except ValueError:
        return None
    zone = found[8]
    if zone and zone != "Z":
        digits = zone[1:].replace(":", "")
        away = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
        time = time - away if zone[0] == "+" else time + away
    return Stamp(line, time, bool(zone))


def _seconds(number: str, unit: str) -> float:
    name = unit.lower()
    name = name if name in _SECONDS else name.rstrip("s")
    return float(number) * _SECONDS.get(name, 1)


def accelerators(text: str) -> dict[str, int]:
    """Find the accelerators that a text names, each with the line that names it first.

    Args:
        text: A log, an output or a manuscript.

    Returns:
        The models in plain spelling.

    Example:
        >>> accelerators("We trained on 4 NVIDIA A100 GPUs.\\nFigure A1 shows it.\\nGPU: GeForce RTX 3090\\n")
        {'A100': 1, 'RTX3090': 3}
    """
    found: dict[str, int] = {}
    for number, line in enumerate(text.split("\n")[:_MOST_LINES], 1):
        head = line[:_MOST_LINE]
        if _NAMED.search(head):
            for match in _ACCELERATOR.finditer(head):
                name = re.sub(r"\s", "", match[1]).upper()
                if (any(map(str.isdigit, name)) and len(name) > 2) or name in ("T4", "L4", "P4", "K80"):
                    found.setdefault(name, number)
    return found


def long_claims(text: str) -> Iterator[tuple[int, float, str]]:
    """Find where a manuscript says how many hours or days something ran.

    Args:
        text: The manuscript.

    Yields:
        The line, the seconds, and what is said.

    Example:
        >>> [(line, seconds) for line, seconds, _ in long_claims("Training took about 12 hours on one machine.")]
        [(1, 43200.0)]
    """
    for number, line in enumerate(text.split("\n")[:_MOST_LINES], 1):
        for match in _LONG.finditer(line[:4_000]):
            yield number, _seconds(match[1], match[2]), match[0]
