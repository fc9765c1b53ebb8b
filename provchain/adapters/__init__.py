"""Read what a study left behind: one adapter per source format turns bytes on disk into events.

An adapter knows files, not graphs. The registry names adapters by strings, so that a format is imported only when it is
asked for; other packages add theirs under the entry point group ``provchain.adapters``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Protocol, runtime_checkable

import msgspec

from provchain.adapters._log_order import order_problems, recorder_problems
from provchain.errors import MalformedSourceError, ProvchainError, SourceError, UnknownFormatError
from provchain.events import Event
from provchain.events.logged import Logged
from provchain.model import RecorderKind

__all__ = ["ADAPTERS", "Adapter", "adapter_for", "find_sources", "load_adapter", "read_source"]

ADAPTERS = {
    "claude-trace": "provchain.adapters.claude_trace:ClaudeTrace",
    "codex-log": "provchain.adapters.codex_log:CodexLog",
    "gemini-log": "provchain.adapters.gemini_log:GeminiLog",
    "provchain-json": "provchain.adapters.study_file:StudyFile",
    "run-folder": "provchain.adapters.run_folder:RunFolder",
}
_GROUP = "provchain.adapters"
_DEEPEST = 2  # a trace lies in the directory, or in a folder of it
_MOST_FILES = 20_000  # files that are asked for their format
_MOST_PROBLEMS = 1_000
SKIPPED_FOLDERS = frozenset({".git", ".venv", "__pycache__", "node_modules", ".ipynb_checkpoints"})


@runtime_checkable
class Adapter(Protocol):
    """What reads one source format.

    Attributes:
        name: As it stands in the registry.
        recorder: Whether what the format says is observed or testified.
    """

    name: str
    recorder: RecorderKind

    def recognises(self, source: Path) -> bool:
        """Say whether the source is of this format, from its name and first bytes."""

    def read(self, source: Path, *, root: Path) -> Iterator[Event]:
        """Read the source, in its own order.

        Args:
            source: The file or directory.
            root: The audited directory, which places are relative to.
        """


@lru_cache(maxsize=1)
def _plugins() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in sorted(entry_points(group=_GROUP), key=lambda entry: entry.name)}


def load_adapter(name: str) -> Adapter:
    """Import an adapter by its name.

    Args:
        name: A name of the registry or of an entry point.

    Returns:
        The adapter.

    Raises:
        UnknownFormatError: No adapter has that name.
        ProvchainError: An installed adapter cannot be imported.

    Example:
        >>> load_adapter("run-folder").recorder.value
        'observer'
    """
    if name in ADAPTERS:
        module, _, attribute = ADAPTERS[name].partition(":")
        adapter: Adapter = getattr(import_module(module), attribute)()
        return adapter
    plugins = _plugins()
    if name not in plugins:
        known = ", ".join([*ADAPTERS, *plugins])
        raise UnknownFormatError(f"no adapter is called {name!r}", hint=f"known are: {known}")
    try:
        loaded: Adapter = plugins[name].load()()
    except Exception as error:
        raise ProvchainError(
            f"the adapter {name!r} ({plugins[name].value}) cannot be loaded: {_said(error)}",
            hint="upgrade or uninstall the package that brings it",
        ) from error
    return loaded


def _adapters() -> Iterator[Adapter]:
    for name in [*ADAPTERS, *(name for name in _plugins() if name not in ADAPTERS)]:
        yield load_adapter(name)


def adapter_for(path: Path) -> Adapter:
    """Find the adapter that reads a source.

    Args:
        path: A file or a directory.

    Returns:
        The first adapter that recognises it.

    Raises:
        SourceError: There is no such file or directory.
        UnknownFormatError: No adapter recognises it; the message names those that were tried.

    Example:
        >>> adapter_for(Path(".")).name
        'run-folder'
    """
    if not path.exists():
        raise SourceError(f"{path}: no such file or directory", path=str(path), hint="check the path")
    tried: list[str] = []
    for adapter in _adapters():
        if _recognises(adapter, path):
            return adapter
        tried.append(adapter.name)
    raise UnknownFormatError(
        f"{path}: no adapter recognises it (tried: {', '.join(tried)})",
        path=str(path),
        hint="give the directory of the run, or a trace in one of these formats",
    )


def find_sources(directory: Path) -> list[tuple[Adapter, Path]]:
    """Find everything in a directory that an adapter can read.

    Args:
        directory: The directory of a run.

    Returns:
        The directory itself with the adapter of its files, then each recognised trace in it or in a folder of it.

    Raises:
        SourceError: It is no directory.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as name:
        ...     [adapter.name for adapter, _ in find_sources(Path(name))]
        ['run-folder']
    """
    if not directory.is_dir():
        raise SourceError(f"{directory}: not a directory", path=str(directory), hint="give the directory of a run")
    adapters = list(_adapters())
    found: list[tuple[Adapter, Path]] = [(one, directory) for one in adapters if _recognises(one, directory)]
    for path in _files(directory):
        recogniser = next((adapter for adapter in adapters if _recognises(adapter, path)), None)
        if recogniser is not None:
            found.append((recogniser, path))
    return found


def read_source(adapter: Adapter, source: Path, *, root: Path) -> list[Event]:
    """Read a source, and hold what its adapter gives to what every adapter promises.

    Args:
        adapter: The adapter.
        source: The file or directory.
        root: The audited directory.

    Returns:
        Its events, in its own order. Whatever a logged event refers to stands before it.

    Raises:
        SourceError: It could not be read, or the adapter failed; the message names both.
        MalformedSourceError: Its events do not fit together; all problems at once.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as name:
        ...     read_source(load_adapter("run-folder"), Path(name), root=Path(name))
        []
    """
    try:
        events = list(adapter.read(source, root=root))
    except ProvchainError:
        raise
    except Exception as error:
        raise _mistake(adapter, source, _said(error)) from error
    if adapter.name not in ADAPTERS:
        for event in events:
            _check_types(adapter, source, event)
    logged = [event for event in events if isinstance(event, Logged)]
    path = source.relative_to(root).as_posix() if source.is_relative_to(root) else source.as_posix()
    if problems := [*recorder_problems(path, logged), *order_problems(path, logged)]:
        hint = f"the adapter {adapter.name!r} gives these events; docs/reference/study-files.md says what they need"
        raise MalformedSourceError(problems[:_MOST_PROBLEMS], hint=hint)
    return events


def _recognises(adapter: Adapter, path: Path) -> bool:
    try:
        return adapter.recognises(path)
    except ProvchainError:
        raise
    except Exception as error:
        raise _mistake(adapter, path, _said(error)) from error


def _check_types(adapter: Adapter, source: Path, event: object) -> None:
    """Nothing checks the fields of an event when it is made: what a plug-in puts there is checked before it is used."""
    if not isinstance(event, Event):
        raise _mistake(adapter, source, f"it gave {type(event).__name__}, which is no event of provchain.events")
    try:
        msgspec.convert(msgspec.to_builtins(event), type(event))
    except (msgspec.ValidationError, TypeError) as error:
        raise _mistake(adapter, source, f"{type(event).__name__}: {error}") from error


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error)[:200]}"


def _mistake(adapter: Adapter, source: Path, what: str) -> SourceError:
    hint = "this is a mistake of the adapter: tell the package that brings it, or take the file out of the directory"
    return SourceError(f"{source}: the adapter {adapter.name!r} failed: {what}", path=str(source), hint=hint)


def _files(directory: Path) -> list[Path]:
    """List the plain files that may be traces, nearest first; links are not followed."""
    files: list[Path] = []
    folders = [directory]
    for _ in range(_DEEPEST):
        deeper: list[Path] = []
        for folder in folders:
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError:
                continue  # the adapter of the directory itself reports what cannot be read
            for entry in entries:
                if entry.is_file(follow_symlinks=False):
                    files.append(Path(entry.path))
                elif entry.is_dir(follow_symlinks=False) and entry.name not in SKIPPED_FOLDERS:
                    deeper.append(Path(entry.path))
        folders = deeper
    return files[:_MOST_FILES]
