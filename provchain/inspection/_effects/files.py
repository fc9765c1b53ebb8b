"""Models of ``os``, ``os.path``, ``pathlib``, ``shutil`` and ``glob``: what they give and what they do to files."""

from __future__ import annotations

import posixpath
from collections.abc import Callable

from provchain.inspection._effects.paths import WILD, normalise
from provchain.inspection._effects.strings import join_paths
from provchain.inspection._effects.values import (
    MISSING,
    UNKNOWN,
    Call,
    FileValue,
    ListValue,
    Opaque,
    PathValue,
    lift,
    texts,
)

__all__ = ["FILE_FUNCTIONS", "PATH_METHODS", "open_file", "path_attribute", "path_method"]


def _pure(function: Callable[[Call, str], object]) -> Callable[[Call], object]:
    """A function of one path text, alternative by alternative."""

    def run(call: Call) -> object:
        value = call.arg(0, "path", "p", "s", "filename")
        return UNKNOWN if value is MISSING else lift(lambda one: function(call, texts(one)[0]), value)

    return run


def _absolute(call: Call, text: str) -> str:
    """``os.path.abspath``: an unknown start stays unknown."""
    return normalise(text if text.startswith((WILD, "~")) else posixpath.join(call.host.cwd, text))


def _folder(_: Call, text: str) -> str:
    """``os.path.dirname``: the folder of an unknown path is unknown."""
    return WILD if WILD in text.split("/", 1)[0] else posixpath.dirname(text)


def _split_extension(_: Call, text: str) -> object:
    """``os.path.splitext``."""
    stem, extension = posixpath.splitext(text)
    return ListValue([stem, extension if extension or WILD not in stem else WILD], fixed=True)


def _join(call: Call) -> object:
    """``os.path.join``."""
    parts = [call.host.force(arg) for arg in call.args]
    if not parts:
        return WILD
    result: object = lift(lambda one: texts(one)[0], parts[0])
    for part in parts[1:]:
        result = lift(lambda left, right: posixpath.join(left, texts(right)[0]), result, part)
    return lift(lambda left: posixpath.join(left, WILD), result) if call.open_ended else result


def _path(call: Call) -> object:
    """``Path(...)``."""
    result: object = PathValue("")
    for arg in call.args:
        result = lift(lambda left, right: join_paths(left.text, texts(right)[0]), result, call.host.force(arg))
    return result


def _mkdir(call: Call) -> object:
    """``os.makedirs``."""
    call.host.emit("mkdir", call.arg(0, "name", "path"), call.name, call.site)
    return None


def _delete(call: Call) -> object:
    """``os.remove``, ``shutil.rmtree``."""
    call.host.emit("delete", call.arg(0, "path", "name"), call.name, call.site)
    return None


def _copy(call: Call) -> object:
    """``shutil.copy`` and its kin, ``os.rename``: a move also deletes its source."""
    source, target = call.arg(0, "src"), call.arg(1, "dst")
    call.host.copy(source, target, call.name, call.site)
    if call.name in ("shutil.move", "os.rename", "os.replace", "os.renames"):
        call.host.emit("delete", source, call.name, call.site)
    return target


def _listing(call: Call) -> object:
    """``os.listdir``, ``os.scandir``, ``os.walk``: names of a folder that are not known."""
    folder = call.arg(0, "path", "top")
    base = PathValue(".") if folder is MISSING else folder
    call.host.emit("read", lift(lambda one: join_paths(texts(one)[0], WILD), base), call.name, call.site)
    if call.name == "os.walk":
        row: list[object] = [lift(lambda one: texts(one)[0] + WILD, base), _names(), _names()]
        return ListValue([ListValue(row, fixed=True)], more=True)
    return _names() if call.name == "os.listdir" else ListValue([Opaque("os.DirEntry")], more=True)


def _names() -> ListValue:
    """Some unknown names."""
    return ListValue([WILD], more=True)


def _glob(call: Call) -> object:
    """``glob.glob``."""
    value = call.arg(0, "pathname")
    root = call.arg(None, "root_dir")
    if root is not MISSING:
        value = lift(lambda left, right: posixpath.join(texts(left)[0], texts(right)[0]), root, value)
    call.host.emit("read", lift(_star, value), call.name, call.site)
    return ListValue([lift(_star, value)], more=True)


def _star(value: object) -> str:
    """A glob with its wild cards as unknown pieces."""
    return texts(value)[0].replace("**", WILD).replace("*", WILD).replace("?", WILD)


def _chdir(call: Call) -> object:
    """``os.chdir``: where relative paths start from now on."""
    text = lift(lambda one: _absolute(call, texts(one)[0]), call.arg(0, "path"))
    call.host.cwd = text if isinstance(text, str) else WILD
    return None


def _environ_get(call: Call) -> object:
    """``os.environ.get``: the default, as no value is on record."""
    default = call.arg(1, "default")
    return UNKNOWN if default is MISSING or default is None else default


def open_file(call: Call, path: object, position: int) -> object:
    """Report what an ``open`` with this mode does, and give the file."""
    if isinstance(path, (FileValue, int)) or (isinstance(path, Opaque) and path.kind.startswith("io.")):
        return path
    mode = call.arg(position, "mode")
    drafts = []
    for kind in dict.fromkeys(one for text in texts("r" if mode is MISSING else mode) for one in _modes(text)):
        drafts += call.host.emit(kind, path, call.name.removeprefix("builtins."), call.site)
    text = lift(lambda one: texts(one)[0], path)
    return FileValue(drafts, text if isinstance(text, str) else WILD)


def _modes(mode: str) -> list[str]:
    """What a mode of ``open`` lets a script do."""
    if WILD in mode:
        return ["read", "write"]
    if "w" in mode or "x" in mode:
        return ["write"]
    if "a" in mode:
        return ["append"]
    return ["read", "append"] if "+" in mode else ["read"]


def _open(call: Call) -> object:
    """``open`` and the openers with its signature."""
    return open_file(call, call.arg(0, "file", "filename", "name"), 1)


FILE_FUNCTIONS: dict[str, Callable[[Call], object]] = {
    "os.path.join": _join,
    "posixpath.join": _join,
    "os.path.abspath": _pure(_absolute),
    "os.path.realpath": _pure(_absolute),
    "os.path.normpath": _pure(lambda _, text: normalise(text)),
    "os.path.dirname": _pure(_folder),
    "os.path.basename": _pure(lambda _, text: posixpath.basename(text)),
    "os.path.splitext": _pure(_split_extension),
    "os.path.split": _pure(lambda c, text: ListValue([_folder(c, text), posixpath.basename(text)], fixed=True)),
    "os.path.expanduser": _pure(lambda _, text: text),
    "os.path.expandvars": _pure(lambda _, text: text),
    "os.fspath": _pure(lambda _, text: text),
    "os.path.relpath": _pure(_absolute),
    "os.getcwd": lambda call: call.host.cwd,
    "os.chdir": _chdir,
    "os.getenv": _environ_get,
    "os.environ.get": _environ_get,
    "os.environ.setdefault": _environ_get,
    "pathlib.Path": _path,
    "pathlib.PurePath": _path,
    "pathlib.PosixPath": _path,
    "pathlib.PurePosixPath": _path,
    "pathlib.Path.cwd": lambda call: PathValue(call.host.cwd),
    "pathlib.Path.home": lambda _: PathValue("~"),
    "os.makedirs": _mkdir,
    "os.mkdir": _mkdir,
    "os.remove": _delete,
    "os.unlink": _delete,
    "os.rmdir": _delete,
    "shutil.rmtree": _delete,
    **dict.fromkeys(
        [
            "shutil.copy",
            "shutil.copy2",
            "shutil.copyfile",
            "shutil.copytree",
            "shutil.move",
            "os.rename",
            "os.renames",
            "os.replace",
            "os.symlink",
            "os.link",
        ],
        _copy,
    ),
    "os.listdir": _listing,
    "os.scandir": _listing,
    "os.walk": _listing,
    "glob.glob": _glob,
    "glob.iglob": _glob,
    **dict.fromkeys(
        [
            "open",
            "io.open",
            "codecs.open",
            "gzip.open",
            "bz2.open",
            "lzma.open",
            "builtins.open",
            "smart_open.open",
            "fsspec.open",
        ],
        _open,
    ),
}


def path_attribute(path: PathValue, name: str) -> object:
    """An attribute of a path, or ``MISSING``."""
    text = path.text
    base = posixpath.basename(text)
    stem, extension = posixpath.splitext(base)
    if name == "parent":
        return _parent(text)
    if name == "parents":
        found: list[object] = []
        while len(found) < 8:
            path = _parent(path.text)
            found.append(path)
        return ListValue(found, more=True)
    if name == "parts":
        return ListValue(list(text.split("/")), fixed=True)
    known: dict[str, object] = {"name": base, "stem": stem, "suffix": extension, "anchor": UNKNOWN, "drive": ""}
    return known.get(name, MISSING)


def _parent(text: str) -> PathValue:
    """The folder of a path."""
    return PathValue(text if text == WILD else posixpath.dirname(normalise(text)) or _above(text))


def _above(text: str) -> str:
    """The parent of a path of one piece."""
    return ".." if normalise(text) in (".", "..") else "."


PATH_METHODS = frozenset(
    [
        "absolute",
        "as_posix",
        "exists",
        "expanduser",
        "glob",
        "is_dir",
        "is_file",
        "iterdir",
        "joinpath",
        "mkdir",
        "open",
        "read_bytes",
        "read_text",
        "relative_to",
        "rename",
        "replace",
        "resolve",
        "rglob",
        "rmdir",
        "touch",
        "unlink",
        "with_name",
        "with_stem",
        "with_suffix",
        "write_bytes",
        "write_text",
    ]
)
_EFFECTS = {
    "read_bytes": "read",
    "read_text": "read",
    "write_bytes": "write",
    "write_text": "write",
    "touch": "write",
    "mkdir": "mkdir",
    "unlink": "delete",
    "rmdir": "delete",
}


def path_method(call: Call, path: PathValue, name: str) -> object:
    """Call a method of a path."""
    host, text = call.host, path.text
    if name in _EFFECTS:
        host.emit(_EFFECTS[name], path, f"Path.{name}", call.site)
        return WILD if name == "read_text" else None
    if name == "open":
        return open_file(call, path, 0)
    if name in ("absolute", "resolve"):
        return PathValue(_absolute(call, text))
    if name in ("as_posix", "__str__", "__fspath__"):
        return text
    if name == "joinpath":
        return _path(Call(host, "pathlib.Path", [path, *call.args], {}, call.site))
    if name in ("glob", "rglob", "iterdir"):
        return _path_glob(call, path, name)
    if name in ("rename", "replace"):
        host.copy(path, call.arg(0, "target"), f"Path.{name}", call.site)
        host.emit("delete", path, f"Path.{name}", call.site)
        return call.arg(0, "target")
    if name in ("with_suffix", "with_name", "with_stem"):
        return lift(lambda one: _renamed(text, name, texts(one)[0]), call.arg(0, "suffix", "name", "stem"))
    if name == "expanduser":
        return path
    if name == "relative_to":
        return lift(lambda one: _relative(call, text, texts(one)[0]), call.arg(0, "other"))
    return UNKNOWN


def _relative(call: Call, text: str, other: str) -> object:
    """``Path.relative_to`` where both ends are known."""
    here, base = _absolute(call, text), _absolute(call, other)
    return PathValue(here[len(base) + 1 :]) if here.startswith(f"{base}/") else PathValue(WILD)


def _renamed(text: str, method: str, new: str) -> PathValue:
    """``with_suffix``, ``with_name``, ``with_stem``."""
    folder, _, base = text.rpartition("/")
    stem, extension = posixpath.splitext(base)
    name = stem + new if method == "with_suffix" else new if method == "with_name" else new + extension
    return PathValue(f"{folder}/{name}" if "/" in text else name)


def _path_glob(call: Call, path: PathValue, name: str) -> ListValue:
    """The unknown members of a folder that a path lists."""
    pattern = call.arg(0, "pattern")
    inner = WILD if name == "iterdir" or pattern is MISSING else lift(_star, pattern)
    if name == "rglob":
        inner = lift(lambda one: f"{WILD}/{one}", inner)
    found = lift(lambda one: join_paths(path.text, one), inner)
    call.host.emit("read", found, f"Path.{name}", call.site)
    return ListValue([found], more=True)
