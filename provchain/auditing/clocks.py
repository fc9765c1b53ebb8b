"""Logs against the record: times and machines that the executions which wrote them deny.

A log without a zone may be off by whole and half hours, so only what is left of an offset counts, and how long things took. A
log to which several executions wrote is held against all of them together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from provchain.auditing.closure import original
from provchain.inspection.clocks import LogClock, accelerators, long_claims, read_clock
from provchain.model import Artifact, Execution, Finding, Kind, Place, RecorderKind, Severity, Status, Strength, Study

__all__ = ["clock_findings"]

_SLACK = timedelta(seconds=3)
_HALF_HOUR = timedelta(minutes=30)
_BACKWARDS = timedelta(seconds=2)
_LEAST_STAMPS = 3
_LEAST_EPOCHS = 3
_LEAST_SECONDS = 5.0  # of an epoch: shorter ones may be what a stamp rounds off
_LOGS = (".log", ".txt", ".out")


def clock_findings(study: Study, texts: Mapping[str, str], papers: Mapping[str, str]) -> list[Finding]:
    """Find what logs and manuscripts say of time and machine that the record denies.

    Args:
        study: The study.
        texts: What its artifacts hold.
        papers: Path of each manuscript to its text.

    Returns:
        The findings ``log-longer-than-execution``, ``log-outside-execution``, ``log-runs-backwards``,
        ``durations-deny-stamps``, ``longer-than-session`` and ``other-machine``.
    """
    found: list[Finding] = []
    by_id = {artifact.id: artifact for artifact in study.artifacts}
    testimony = {recorder.id for recorder in study.recorders if recorder.kind is RecorderKind.TESTIMONY}
    executions = {e.id: e for e in study.executions if e.recorder not in testimony}
    seen: set[str] = set()
    for artifact in study.artifacts:
        if (
            artifact.kind not in (Kind.LOG, Kind.RESULT)
            or not artifact.on_disk
            or not artifact.path.lower().endswith(_LOGS)
        ):
            continue
        text = texts.get(artifact.id)
        if not text or artifact.sha256 in seen:
            continue
        seen.add(artifact.sha256 or "")
        clock = read_clock(text)
        source = original(artifact, by_id)
        writers = [executions[w] for w in _writers(source, study.artifacts) if w in executions]
        # An attempt that failed may have written to the log first, whether or not the record shows it.
        scripts = {e.script for e in writers if e.script}
        tried = [e for e in executions.values() if e in writers or e.script in scripts]
        found += _of_log(artifact, clock, tried, alone=len(tried) == 1)
    session = _session(list(executions.values()))
    if session is not None:
        found += _of_papers(papers, session)
    return [*found, *_machines(study, texts, papers, executions)]


def _writers(artifact: Artifact, artifacts: Sequence[Artifact]) -> list[str]:
    """Who wrote a path up to this state of it."""
    return [
        a.writer
        for a in artifacts
        if a.path == artifact.path and a.ordinal <= artifact.ordinal and a.writer is not None
    ]


def _time(text: str | None) -> datetime | None:
    if not text:
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else time


def _window(executions: Sequence[Execution]) -> tuple[datetime, datetime] | None:
    """From the first start to the last end of some executions, if all of them are on record."""
    starts, ends = [_time(e.started) for e in executions], [_time(e.ended) for e in executions]
    if not executions or any(time is None for time in (*starts, *ends)):
        return None
    first, last = min(t for t in starts if t), max(t for t in ends if t)
    return (first, last) if first <= last else None


def _of_log(log: Artifact, clock: LogClock, writers: Sequence[Execution], *, alone: bool) -> Iterator[Finding]:
    yield from _backwards(log, clock, alone=alone)
    yield from _durations(log, clock)
    window = _window(writers)
    if window is None:
        return
    length = window[1] - window[0]
    by, at = (writers[0].script or writers[0].command[:60], writers[0].at)
    if len(clock.stamps) >= _LEAST_STAMPS:
        if clock.span > length + _SLACK:
            message = f"{log.path} spans {_said(clock.span)}, and {by}, which wrote it, took {_said(length)}"
            places = (Place(log.path, str(clock.stamps[-1].line)), at)
            yield Finding("log-longer-than-execution", Severity.WARNING, Strength.STRONG, message, places)
        elif not _inside(clock, window):
            begins = f"{clock.stamps[0].time:%H:%M:%S}"
            message = f"no zone brings the times of {log.path} ({begins}) into those of {by}, which wrote it"
            places = (Place(log.path, str(clock.stamps[0].line)), at)
            yield Finding("log-outside-execution", Severity.WARNING, Strength.STRONG, message, places)
    total = timedelta(seconds=sum(seconds for _, seconds in clock.took))
    if len(clock.took) >= _LEAST_EPOCHS and total > length * 1.2 + _SLACK:
        own = f"the steps of {log.path} took {_said(total)} by its own words"
        message = f"{own}, and {by}, which wrote it, took {_said(length)}"
        places = (Place(log.path, str(clock.took[0][0])), at)
        yield Finding("log-longer-than-execution", Severity.WARNING, Strength.STRONG, message, places)


def _inside(clock: LogClock, window: tuple[datetime, datetime]) -> bool:
    """Whether an offset of half hours (none where the log says its zone) puts all stamps into a window."""
    first, last = (pick(stamp.time for stamp in clock.stamps) for pick in (min, max))
    start, end = window[0] - _SLACK, window[1] + _SLACK
    if all(stamp.zoned for stamp in clock.stamps):
        return start <= first and last <= end
    steps = round((start - first) / _HALF_HOUR)
    return any(start <= first + k * _HALF_HOUR and last + k * _HALF_HOUR <= end for k in range(steps - 2, steps + 3))


def _backwards(log: Artifact, clock: LogClock, *, alone: bool) -> Iterator[Finding]:
    """Of a log that one execution began and ended, without workers that write side by side."""
    if not alone:
        return
    turns = [b for a, b in pairwise(clock.stamps) if b.time < a.time - _BACKWARDS]
    if 0 < len(turns) <= max(1, len(clock.stamps) // 20):
        message = f"the times of {log.path} run backwards, and one execution wrote it"
        yield Finding(
            "log-runs-backwards", Severity.WARNING, Strength.HINT, message, (Place(log.path, str(turns[0].line)),)
        )


def _durations(log: Artifact, clock: LogClock) -> Iterator[Finding]:
    """Epochs of half a minute whose stamps follow each other at once."""
    times = {stamp.line: stamp.time for stamp in clock.stamps}
    timed = [
        (line, seconds, times[line]) for line, seconds in clock.took if line in times and seconds >= _LEAST_SECONDS
    ]
    short = [
        later
        for earlier, later in pairwise(timed)
        if timedelta(0) <= later[2] - earlier[2] < timedelta(seconds=later[1] / 2)
    ]
    if len(short) >= _LEAST_EPOCHS - 1 and 2 * len(short) > len(timed) - 1:
        took = f"{short[0][1]:.4g} s"
        message = (
            f"steps of {log.path} that took {took} by its own words follow each other within less than half of that"
        )
        yield Finding(
            "durations-deny-stamps", Severity.WARNING, Strength.STRONG, message, (Place(log.path, str(short[0][0])),)
        )


def _session(executions: Sequence[Execution]) -> timedelta | None:
    times = [t for e in executions for t in (_time(e.started), _time(e.ended)) if t is not None]
    every = all(e.started and e.ended for e in executions if e.script is not None and e.status is Status.COMPLETED)
    return max(times) - min(times) if len(times) >= 2 and every else None


def _of_papers(papers: Mapping[str, str], session: timedelta) -> Iterator[Finding]:
    for path, text in papers.items():
        for line, seconds, said in long_claims(text):
            if timedelta(seconds=seconds) > session * 1.5 + timedelta(minutes=10):
                message = f"“{' '.join(said.split())[:120]}”, and everything on record took {_said(session)}"
                yield Finding(
                    "longer-than-session", Severity.WARNING, Strength.STRONG, message, (Place(path, str(line)),)
                )
                break


def _machines(
    study: Study, texts: Mapping[str, str], papers: Mapping[str, str], executions: Mapping[str, Execution]
) -> Iterator[Finding]:
    """Accelerators that manuscripts and logs name, where what executions printed names only others."""
    shown: dict[str, Place] = {}
    for artifact in study.artifacts:
        if artifact.kind is Kind.STREAM and artifact.writer is not None and artifact.writer in executions:
            for name in accelerators(texts.get(artifact.id, "")):
                shown.setdefault(name, executions[artifact.writer].at)
    if not shown:
        return
    for path, text in papers.items():
        for name, line in accelerators(text).items():
            if not any(name in other or other in name for other in shown):
                at = next(iter(shown.values()))
                message = f"{path} names {name}; the machine on record shows {', '.join(shown)}"
                yield Finding("other-machine", Severity.WARNING, Strength.HINT, message, (Place(path, str(line)), at))


def _said(length: timedelta) -> str:
    seconds = length.total_seconds()
    if seconds < 120:
        return f"{seconds:.3g} s"
    return f"{seconds / 60:.3g} min" if seconds < 7200 else f"{seconds / 3600:.3g} h"
