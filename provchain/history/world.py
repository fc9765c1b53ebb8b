"""The files of a study as they were at each moment: which state of which path stood there, and who had left it.

A state is an artifact: (path, ordinal of its writing). Texts are kept beside the artifacts where they are known, so that a
script can be read as it stood when it ran. Knows nothing of traces or commands.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from provchain.events import FileOnDisk
from provchain.kinds import kind_of
from provchain.model import Artifact, Kind

__all__ = ["MADE_INSIDE", "World", "digest", "in_folder", "match_paths"]

_SCRIPTS = (".py", ".sh", ".bash")
MADE_INSIDE = (Kind.RESULT, Kind.LOG, Kind.FIGURE, Kind.MANUSCRIPT, Kind.STREAM)
"""Kinds of files that somebody in the study must have made: they never come from outside."""


def digest(text: str) -> str:
    """Hash a text as the bytes that a file of it would hold.

    Example:
        >>> digest("")[:8]
        'e3b0c442'
    """
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class World:
    """The state of every path, changed by what happens and asked by what reads.

    Args:
        files: What lies in the audited directory at the end.
    """

    def __init__(self, files: Iterable[FileOnDisk]) -> None:
        self.disk = {file.path: file for file in files}
        self.told: set[str] = set()  # testimony says that it was made here: it came from somebody, and not from outside
        self.artifacts: dict[str, Artifact] = {}
        self.texts: dict[str, str] = {}
        self.unseen: set[str] = set()  # what they held is known from the disk alone, where it may have changed since
        self._current: dict[str, str] = {}
        self._ordinals: dict[str, int] = {}
        self._scripts: dict[str, str] = {}
        self._sources: dict[str, str] | None = None
        self._attested: dict[str, str] = {}  # digests that a recorder took itself

    def current(self, path: str) -> Artifact | None:
        """The state that stands at a path now, or ``None`` if nothing is known to."""
        identifier = self._current.get(path)
        return self.artifacts[identifier] if identifier is not None else None

    def text(self, path: str) -> str | None:
        """The text that stands at a path now, where it is known."""
        identifier = self._current.get(path)
        return self.texts.get(identifier) if identifier is not None else None

    def paths(self) -> Iterator[str]:
        """All paths at which something stands now."""
        return iter(self._current)

    def sources(self) -> Mapping[str, str]:
        """The texts of all scripts as they stand now; the same object as long as none has changed."""
        if self._sources is None:
            self._sources = {path: self.texts[i] for path, i in self._scripts.items() if i in self.texts}
        return self._sources

    def write(
        self,
        path: str,
        *,
        writer: str | None,
        known_from: str = "",
        text: str | None = None,
        recorder: str = "provchain",
        copy_of: str | None = None,
        external: bool = False,
        sha256: str | None = None,
    ) -> Artifact:
        """Put a new state at a path.

        Args:
            path: Relative to the study.
            writer: Id of the activity that left it.
            known_from: How that is known.
            text: What it holds, where known.
            recorder: Who attests it.
            copy_of: Id of the artifact whose bytes it carries.
            external: It comes from outside the study.
            sha256: Digest of what was left, where a recorder took it.

        Returns:
            The artifact.
        """
        before = self._current.get(path)
        ordinal = self._ordinals.get(path, 0) + (0 if external and path not in self._ordinals else 1)
        self._ordinals[path] = ordinal
        if text is None and copy_of is not None:
            text = self.texts.get(copy_of)
        known = self.disk.get(path)
        artifact = Artifact(
            id=f"{path}#{ordinal}",
            path=path,
            ordinal=ordinal,
            kind=known.kind if known else kind_of(path),
            sha256=sha256 or (digest(text) if text is not None else None),
            size=len(text.encode("utf-8", "surrogatepass")) if text is not None else None,
            writer=writer,
            known_from=known_from,
            revision_of=before,
            copy_of=copy_of,
            external=external,
            recorder=recorder,
        )
        if sha256 is not None:
            self._attested[artifact.id] = sha256
        self.artifacts[artifact.id] = artifact
        self._current[path] = artifact.id
        if path.endswith(_SCRIPTS):
            self._scripts[path] = artifact.id
            self._sources = None
        if text is not None:
            self.texts[artifact.id] = text
        return artifact

    def learn(self, identifier: str, text: str) -> None:
        """Take what an artifact was seen to hold as its text."""
        self.texts[identifier] = text
        self._sources = None

    def found(self, path: str) -> Artifact | None:
        """The state at a path, taking a file of the disk that nothing has touched so far as there from the start.

        Results, logs, figures and manuscripts do not come from outside: where nothing is known to have written them, nothing
        is known to stand there yet.
        """
        if (artifact := self.current(path)) is not None:
            return artifact
        file = self.disk.get(path)
        if file is None or path in self._ordinals or file.kind in MADE_INSIDE:
            return None
        given = path not in self.told
        return self.write(path, writer=None, text=file.text, external=given, recorder="run-folder")

    def remove(self, path: str) -> None:
        """Take away what stands at a path, or below it."""
        for known in [p for p in self._current if p == path or p.startswith(path + "/")]:
            del self._current[known]
            if self._scripts.pop(known, None) is not None:
                self._sources = None

    def replace(self, artifact: Artifact) -> None:
        """Put a corrected record in the place of the one with the same id."""
        self.artifacts[artifact.id] = artifact

    def is_superseded(self, identifier: str) -> bool:
        """Whether a later state was put in the place of this one."""
        return self._current.get(self.artifacts[identifier].path) != identifier

    def forget(self, identifier: str) -> None:
        """Take back a state that turned out never to have been; the states after it keep their ordinals."""
        gone = self.artifacts.pop(identifier)
        for other in list(self.artifacts.values()):
            if other.revision_of == identifier:
                self.replace(msgspec.structs.replace(other, revision_of=gone.revision_of))

    def settle(self) -> None:
        """Compare the last state of each path with what lies on the disk, once all events are played.

        Marks the states that lie there, gives them the digest of the disk, and notes where bytes that the record knows are
        not those on the disk. Files that no event touched become states of their own, with no writer.
        """
        for path, file in self.disk.items():
            artifact = self.current(path)
            if artifact is None:
                given = file.kind in (Kind.PROPOSAL, Kind.DOCUMENT) and path not in self._ordinals
                artifact = self.write(path, writer=None, text=file.text, external=given, recorder="run-folder")
            known = self.texts.get(artifact.id)
            altered = known is not None and file.text is not None and not _same_text(known, file.text)
            if (attested := self._attested.get(artifact.id)) is not None:
                altered = attested != file.sha256
            if altered or (known is None and attested is None):
                self.unseen.add(artifact.id)
            if file.text is not None:
                self.texts[artifact.id] = file.text
            self.replace(
                msgspec.structs.replace(
                    artifact, sha256=file.sha256, size=file.size, on_disk=True, altered=altered, kind=file.kind
                )
            )
        self._compare_copies()
        self._find_originals()

    def _compare_copies(self) -> None:
        """Mark copies on the disk whose bytes are not those of the original that they carry."""
        for artifact in list(self.artifacts.values()):
            original = self.artifacts.get(artifact.copy_of or "")
            if not artifact.on_disk or artifact.altered or original is None or original.altered:
                continue
            known, here = original.sha256, artifact.sha256
            texts = self.texts.get(original.id), self.texts.get(artifact.id)
            same = texts[0] is not None and texts[1] is not None and _same_text(texts[0], texts[1])
            # A process that copies its own log goes on writing it: the copy holds what stood there by then.
            own = artifact.writer is not None and artifact.writer == original.writer
            same = same or (own and bool(texts[1]) and (texts[0] or "").startswith(texts[1] or ""))
            if known is not None and here is not None and known != here and not same:
                self.replace(msgspec.structs.replace(artifact, altered=True))

    def _find_originals(self) -> None:
        """A file that nobody is seen to have written, with the bytes of one that somebody did, is a copy of it."""
        first: dict[str, Artifact] = {}
        for artifact in self.artifacts.values():
            if artifact.writer is not None and artifact.sha256 and artifact.size != 0 and not artifact.altered:
                first.setdefault(artifact.sha256, artifact)
        for artifact in list(self.artifacts.values()):
            if artifact.writer is None and not artifact.external and artifact.copy_of is None and artifact.on_disk:
                original = first.get(artifact.sha256 or "")
                if original is not None:
                    self.replace(msgspec.structs.replace(artifact, copy_of=original.id))


def _same_text(one: str, other: str) -> bool:
    """Whether two texts are the same but for line ends and white space at the end, which tools add and take."""
    if one == other:
        return True
    return [line.rstrip() for line in one.rstrip().splitlines()] == [
        line.rstrip() for line in other.rstrip().splitlines()
    ]


def match_paths(pattern: str, paths: Iterable[str]) -> list[str]:
    """The paths that a glob pattern names; ``*`` stays within a folder, ``**`` does not.

    Example:
        >>> match_paths("r/*.json", ["r/a.json", "r/s/b.json", "x.json"])
        ['r/a.json']
    """
    if not any(char in pattern for char in "*?"):
        return [path for path in paths if path == pattern]
    expression = re.compile(_translate(pattern))
    return sorted(path for path in paths if expression.fullmatch(path))


def _translate(pattern: str) -> str:
    wild = {"**": ".*", "**/": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join(wild.get(piece, re.escape(piece)) for piece in re.split(r"(\*\*/?|\*|\?)", pattern))


def in_folder(path: str, folder: str) -> bool:
    """Whether a path lies below a folder; the empty folder is the study itself.

    Example:
        >>> in_folder("a/b", "a"), in_folder("ab", "a"), in_folder("/tmp/a", "")
        (True, False, False)
    """
    return not path.startswith("/") if not folder else path.startswith(folder.rstrip("/") + "/")
