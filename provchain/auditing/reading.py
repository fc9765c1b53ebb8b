"""Everything that an audit reads: the files of a run, its traces, its manuscripts and what is declared beside them."""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from provchain.adapters import Adapter, adapter_for, find_sources, read_source
from provchain.errors import MalformedSourceError, Problem, SourceError, UnknownFormatError
from provchain.events import Event, FileOnDisk
from provchain.events.logged import (
    ClaimDeclared,
    ClaimWaived,
    FileFound,
    Logged,
    ManuscriptDeclared,
    RecorderDeclared,
)
from provchain.kinds import kind_of
from provchain.model import Finding, Kind, Place, RecorderKind, Severity, Source, Strength, Study
from provchain.papers import is_manuscript, is_readable
from provchain.papers.declarations import FILE_NAME, decode_declarations, is_declarations, read_declarations

__all__ = ["Reading", "read_study", "study_title"]

_STUDY_FILES = ("study.json", "study.jsonl", "study.ndjson")
_LOGS = (".jsonl", ".ndjson")
_DEEPEST = 1  # folders above a file that an adapter is asked about
_MOST_NAMED = 5  # files that a finding names
# What the logs of agents and harnesses have in their first line, and results seldom.
_LIKE_A_LOG = re.compile(
    r'\s*\{.{0,400}?"(?:event|event_type|role|command|tool|tool_name|session_id|sessionId)"\s*:', re.DOTALL
)
_CALLED_A_LOG = re.compile(
    r"(?:^|[_.-])(?:trace|transcript|session|events|conversation|trajectory)(?=[_.-])", re.IGNORECASE
)


class Reading(Struct):
    """What was read.

    Attributes:
        sources: The inputs, for the report.
        traces: For each trace, its recorder's name and its events in order.
        files: What lies in the directory, or is carried in a study file.
        manuscripts: Text of each manuscript to audit, by path, in order.
        papers: Paths of all manuscripts, also of those that are not audited: evidence for none of their own claims.
        declarations: What claims are declared to rest on, and which of them are waived.
        problems: Files that look like records, and that nothing could read.
    """

    sources: list[Source]
    traces: list[tuple[str, list[Event]]]
    files: list[FileOnDisk]
    manuscripts: dict[str, str]
    papers: set[str]
    declarations: list[Logged]
    problems: list[Finding] = []


def read_study(path: Path, papers: Sequence[str | os.PathLike[str]] | None) -> Reading:
    """Read a run.

    Args:
        path: Its directory, or a trace inside one.
        papers: Manuscripts to audit, instead of all that it holds.

    Returns:
        Everything that was read.

    Raises:
        SourceError: Something could not be read.
        MalformedSourceError: An input is not what its format says.
    """
    if not os.path.exists(path):  # noqa: PTH110 - also where a name is longer than any file may have
        raise SourceError(f"{path}: no such file or directory", path=str(path), hint="name the directory of a run")
    root = path if path.is_dir() else path.parent
    if not path.is_dir() and adapter_for(path).name == "run-folder":
        raise UnknownFormatError(f"{path}: no trace that is known", path=str(path), hint="name the run's directory")
    reading = Reading([], [], [], {}, set(), [])
    for adapter, source in _one_run(root, find_sources(root), path):
        _read_source(reading, adapter, source, root)
    reading.problems = _unread_records(reading, root)
    _choose_manuscripts(reading, root, papers)
    _read_declarations(reading, root)
    return reading


def study_title(study: Study, path: Path) -> str:
    """The title of a study; the name of its folder, where neither a study file nor a plan gives one.

    Args:
        study: The study.
        path: Its directory, or a trace inside one.

    Example:
        >>> study_title(Study("s"), Path("runs/forecast/trace.json"))
        'forecast'
    """
    named = any(plan.at.path and plan.title == study.title for plan in study.plans)
    if study.title and (named or study.title not in {plan.title for plan in study.plans}):
        return study.title
    return (path if path.is_dir() else path.parent).resolve().name or study.title


def _read_source(reading: Reading, adapter: Adapter, source: Path, root: Path) -> None:
    events = read_source(adapter, source, root=root)
    if source == root:
        reading.files = [event for event in events if isinstance(event, FileOnDisk)]
        listing = "".join(f"{f.path}\0{f.sha256}\n" for f in reading.files)
        state = hashlib.sha256(listing.encode("utf-8", "replace")).hexdigest()
        reading.sources.append(Source(".", adapter.name, adapter.recorder, state))
        return
    relative = source.relative_to(root).as_posix()
    name = adapter.name if not reading.traces else f"{adapter.name}-{len(reading.traces) + 1}"
    reading.traces.append((name, events))
    digests = {file.path: file.sha256 for file in reading.files}
    sha256 = digests.get(relative) or hashlib.sha256(source.read_bytes()).hexdigest()
    reading.sources.append(Source(relative, adapter.name, adapter.recorder, sha256))
    reading.files = _with_found(reading.files, events, relative)


def _with_found(files: Sequence[FileOnDisk], events: Sequence[Event], trace: str) -> list[FileOnDisk]:
    """The files of a study: a trace is none that could be evidence, and a study file can carry files itself."""
    known = [msgspec.structs.replace(file, kind=Kind.TRACE) if file.path == trace else file for file in files]
    paths = {file.path for file in known}
    observers = {e.id for e in events if isinstance(e, RecorderDeclared) and e.kind is RecorderKind.OBSERVER}
    first = next((e.id for e in events if isinstance(e, RecorderDeclared)), "")
    for event in events:
        if not isinstance(event, FileFound) or (path := posixpath.normpath(event.path)) in paths:
            continue
        if is_declarations(path):
            continue  # it speaks for a person: it must lie where a person put it
        # Testimony may hand over what it wrote itself, a manuscript; it cannot put evidence into the directory.
        if (event.recorder or first) in observers or is_manuscript(path):
            data = event.text.encode("utf-8", "surrogatepass")
            kind = kind_of(path, data[:4096])
            known.append(FileOnDisk(path, hashlib.sha256(data).hexdigest(), len(data), kind, event.text))
            paths.add(path)
    return known


def _one_run(root: Path, found: Sequence[tuple[Adapter, Path]], named: Path) -> list[tuple[Adapter, Path]]:
    """The sources of one run: traces that lie in different folders are different runs.

    Who names one trace means that one: others of its format beside it are other runs.

    Raises:
        SourceError: The directory holds several runs.
    """
    if named != root:
        own = next((adapter.name for adapter, source in found if source == named), "")
        found = [(a, source) for a, source in found if source in (root, named) or a.name != own]
    folders = {source.parent for _, source in found if source != root}
    nearest = min(folders, key=lambda folder: len(folder.parts), default=root)
    if len(folders) > 1 and nearest != root:
        names = ", ".join(sorted(folder.relative_to(root).as_posix() for folder in folders)[:4])
        raise SourceError(f"{root} holds several runs ({names})", path=str(root), hint="audit them one by one")
    return [(adapter, source) for adapter, source in found if source == root or source.parent == nearest]


def _unread_records(reading: Reading, root: Path) -> list[Finding]:
    """Name the files that look like records of executions, and that no adapter recognises.

    Raises:
        MalformedSourceError: A folder has the name of a file that would be read.
    """
    folders = [name for name in (*_STUDY_FILES, FILE_NAME) if (root / name).is_dir()]
    if folders:
        problems = [Problem(name, "", "a file", "a folder") for name in folders]
        raise MalformedSourceError(problems, hint="give the folder another name")
    known = {source.path for source in reading.sources}
    found: dict[str, str] = {}
    for file in reading.files:
        if file.path in known or file.path.count("/") > _DEEPEST:
            continue
        name, text = posixpath.basename(file.path).lower(), (file.text or "")[:1_000]
        if name in _STUDY_FILES:
            found[file.path] = "it has the name of a study file, and its first line is no header of one"
        elif not reading.traces and name.endswith(_LOGS) and (_LIKE_A_LOG.match(text) or _CALLED_A_LOG.search(name)):
            found[file.path] = "it looks like a log, and no adapter that is installed reads it"
        elif not reading.traces and name.endswith(".json") and _CALLED_A_LOG.search(name):
            found[file.path] = "it is called like a log, and no adapter that is installed reads it"
    findings = []
    for why in dict.fromkeys(found.values()):
        paths = [path for path, reason in found.items() if reason == why]
        named = ", ".join(paths[:_MOST_NAMED]) + (
            f" and {len(paths) - _MOST_NAMED} more" if paths[_MOST_NAMED:] else ""
        )
        message = f"{named}: not recognised: {why}"
        places = tuple(Place(path) for path in paths[:_MOST_NAMED])
        findings.append(Finding("unread-record", Severity.WARNING, Strength.HINT, message, places))
    return findings


# ---------------------------------------------------------------------------------------------------- manuscripts


def _choose_manuscripts(reading: Reading, root: Path, papers: Sequence[str | os.PathLike[str]] | None) -> None:
    """Choose the manuscripts: those named, else all that the run holds or declares, identical bytes once."""
    by_path = {file.path: file for file in reading.files}
    reading.papers = {file.path for file in reading.files if file.kind is Kind.MANUSCRIPT}
    if papers is not None:
        for paper in papers:
            name, text = _named_manuscript(root, Path(paper), by_path)
            reading.manuscripts[name] = text
    else:
        declared = _declared_manuscripts(reading, by_path)
        seen: set[str] = set()
        chosen = []
        for file in sorted(reading.files, key=lambda f: (f.path.count("/"), f.path)):
            if (is_manuscript(file.path) or file.path in declared) and file.sha256 not in seen:
                seen.add(file.sha256)
                chosen.append(file.path)
        reading.manuscripts = {name: _text_of(root / name, by_path[name]) for name in sorted(chosen)}
    reading.papers |= reading.manuscripts.keys()


def _declared_manuscripts(reading: Reading, by_path: Mapping[str, FileOnDisk]) -> set[str]:
    """Files that a study file says are manuscripts; one that is not there or cannot be read is a problem of the study."""
    declared: set[str] = set()
    for _, events in reading.traces:
        for event in events:
            if not isinstance(event, ManuscriptDeclared):
                continue
            path = posixpath.normpath(event.path)
            if path in by_path and is_readable(path):
                declared.add(path)
                continue
            what = (
                "no file of that name is there" if path not in by_path else "manuscripts of its format are not read yet"
            )
            message = f"{path[:200]} is declared as a manuscript, but {what}: its claims were not audited"
            reading.problems.append(
                Finding("manuscript-not-read", Severity.ERROR, Strength.PROOF, message, (event.at, Place(path[:200])))
            )
    return declared


def _named_manuscript(root: Path, paper: Path, by_path: Mapping[str, FileOnDisk]) -> tuple[str, str]:
    for candidate in (paper, root / paper):
        if candidate.is_file():
            resolved = candidate.resolve()
            base = root.resolve()
            name = resolved.relative_to(base).as_posix() if resolved.is_relative_to(base) else candidate.as_posix()
            return name, _text_of(candidate, by_path.get(name))
    if (carried := by_path.get(paper.as_posix())) is not None and carried.text is not None:
        return carried.path, carried.text
    raise SourceError(
        f"{paper}: no such manuscript", path=str(paper), hint="--paper takes a path, relative to here or to the run"
    )


def _text_of(path: Path, file: FileOnDisk | None) -> str:
    """The text of a manuscript, whatever its bytes: what is no text in it is replaced, and every other place stays."""
    if file is not None and file.text is not None:
        return file.text
    try:
        return path.read_bytes().decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
    except OSError as error:
        raise SourceError(f"{path}: cannot be read: {error.strerror}", path=str(path)) from error


# --------------------------------------------------------------------------------------------------- declarations


def _read_declarations(reading: Reading, root: Path) -> None:
    """Read what claims are declared to rest on: in study files, and in `claims.toml` beside a manuscript."""
    for _, events in reading.traces:
        reading.declarations += [e for e in events if isinstance(e, ClaimDeclared | ClaimWaived)]
    files = []
    for file in reading.files:
        if is_declarations(file.path):
            reading.declarations += read_declarations(file.path, _declarations_in(root / file.path, file))
            file = msgspec.structs.replace(file, kind=Kind.TRACE)  # noqa: PLW2901 - it says what rests on what, and is no evidence
        files.append(file)
    reading.files = files
    # What is declared of a manuscript that is not audited now is neither right nor wrong.
    reading.declarations = [e for e in reading.declarations if _paper_of(e) in ("", *reading.manuscripts)]


def _declarations_in(path: Path, file: FileOnDisk) -> str:
    """The text of a file of declarations: of one on the disk from its bytes, which may be no text at all."""
    if not os.path.isfile(path):  # noqa: PTH113
        return file.text or ""  # carried in a study file
    try:
        return decode_declarations(file.path, path.read_bytes())
    except OSError as error:
        raise SourceError(f"{path}: cannot be read: {error.strerror}", path=str(path)) from error


def _paper_of(event: Logged) -> str:
    return event.paper if isinstance(event, ClaimDeclared | ClaimWaived) else ""
