"""What an evaluation has found so far: effects, commands and outside sources, each once."""

from __future__ import annotations

import posixpath
import re

from provchain.inspection._effects.paths import blur_texts, resolve, show
from provchain.inspection._effects.values import (
    MISSING,
    Draft,
    FileValue,
    Instance,
    ListValue,
    Opaque,
    Site,
    alternatives,
    texts,
)
from provchain.model import Role

__all__ = ["Report", "role_of"]

_PER_CALL = 64  # patterns of one call; a call with more is told by what they have in common
_CONFIG = re.compile(r"config|settings?|hparams?|hyper_?param|(?<![a-z])(?:args|cfg|conf)(?![a-z])", re.IGNORECASE)
_MODEL = re.compile(
    r"model|checkpoint|ckpt|weight|state_dict|estimator|classifier|scaler|encoder|policy|agent", re.IGNORECASE
)
_LOG = re.compile(r"\.log\Z|(?:\A|[/_.-])logs?(?:[_.-][^/]*)?\.(?:txt|out|jsonl?)\Z", re.IGNORECASE)
_CODE = (".py", ".sh", ".ipynb", ".r", ".jl", ".cpp", ".c", ".js")
_CONFIG_FORMATS = ("yaml.", "json.", "toml.", "tomllib.", "configparser")


class Report:
    """Collects what a script does to files, in the order in which it is met."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.drafts: dict[tuple[str, str, str, int, str | None], Draft] = {}
        self.commands: dict[tuple[str, int, tuple[str, ...] | str], None] = {}
        self.external: dict[str, None] = {}
        self.folders: set[str] = set()  # made by the script
        self._per_call: dict[tuple[str, int, str], list[str]] = {}

    def add(self, mode: str, value: object, how: str, site: Site, *, role: Role | None, cwd: str) -> list[Draft]:
        """Note a file effect for each path that a value can be."""
        if value is MISSING or value is None:
            return []
        found: list[Draft] = []
        for one in alternatives(value):
            if one is None or isinstance(one, (FileValue, Instance, bool, int, float)):
                continue
            if isinstance(one, Opaque) and one.kind.startswith(("io.", "sys.", "tempfile.")):
                continue
            if isinstance(one, ListValue):
                continue
            for text in texts(one):
                draft = self._one(mode, text, how, site, role=role, cwd=cwd)
                if draft is not None:
                    found.append(draft)
        return found

    def _one(self, mode: str, text: str, how: str, site: Site, *, role: Role | None, cwd: str) -> Draft | None:
        """Note one effect, once."""
        if "://" in text:
            if mode == "read":
                self.external.setdefault(f"{how}({show(text)[:120]})")
            return None
        if not text or "\n" in text:
            return None
        pattern = resolve(text, cwd, self.home)
        if mode == "mkdir":
            self.folders.add(pattern)
        key = (pattern, mode, site.path, site.line, None)
        if key in self.drafts:
            return self.drafts[key]
        known = self._per_call.setdefault((site.path, site.line, mode), [])
        if len(known) >= _PER_CALL:
            pattern = show(blur_texts([*known, pattern]))
            key = (pattern, mode, site.path, site.line, None)
        known.append(pattern)
        return self.drafts.setdefault(key, Draft(pattern, mode, how, site.path, site.line, role, None, site.hint))

    def copy(self, source: object, target: object, how: str, site: Site, cwd: str) -> None:
        """Note that a file is carried elsewhere, also into a folder of unknown kind."""
        for origin in alternatives(source):
            for left in texts(origin):
                came_from = resolve(left, cwd, self.home) if left else "*"
                for place in alternatives(target):
                    for right in texts(place):
                        pattern = self._landing(came_from, resolve(right, cwd, self.home), right, how)
                        key = (pattern, "copy", site.path, site.line, came_from)
                        self.drafts.setdefault(key, Draft(pattern, "copy", how, site.path, site.line, None, came_from))

    def _landing(self, source: str, target: str, written: str, how: str) -> str:
        """Where a copy lands: inside the target, if that is a folder."""
        if how == "shutil.copytree":
            return f"{target}/*"
        base = source.rpartition("/")[2]
        folder = written.endswith(("/", "/.")) or written in (".", "..") or target in self.folders
        plain = "." in base and "." not in target.rpartition("/")[2] and "*" not in target.rpartition("/")[2]
        return posixpath.normpath(f"{target}/{base}") if (folder or plain) and how != "shutil.copyfile" else target

    def written(self) -> set[str]:
        """The patterns written or made so far."""
        return {draft.pattern for draft in self.drafts.values() if draft.mode not in ("read", "delete")}


def role_of(draft: Draft) -> Role | None:
    """What a file that is read is to the execution; ``None`` for anything but a read."""
    if draft.mode != "read":
        return None
    if draft.role not in (None, Role.DATA):
        return draft.role
    path = draft.pattern
    folder, _, base = path.rpartition("/")
    named = folder if folder.rpartition("/")[2].lower() in ("config", "configs", "conf", "cfg", "settings") else ""
    words = f"{named} {base} {draft.hint}"
    lower = path.lower()
    if lower.endswith(_CODE):
        return Role.CODE
    if lower.endswith((".ini", ".cfg", ".toml", ".env")) or (
        (draft.how.startswith(_CONFIG_FORMATS) or lower.endswith((".yaml", ".yml", ".json"))) and _CONFIG.search(words)
    ):
        return Role.CONFIG
    if _LOG.search(path):
        return Role.LOG
    if draft.how.startswith(("pickle.", "dill.", "cloudpickle.")) and _MODEL.search(words):
        return Role.CHECKPOINT
    if lower.endswith((".pt", ".pth", ".ckpt", ".safetensors")):
        return Role.CHECKPOINT
    return Role.DATA
