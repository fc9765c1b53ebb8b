"""Calls of known libraries that read or write files: which argument is the path, and what is done to it.

Functions are known by their dotted name; methods by their last name, as the object they belong to is seldom known.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from provchain.inspection._effects.configs import read_config
from provchain.inspection._effects.files import open_file
from provchain.inspection._effects.paths import WILD
from provchain.inspection._effects.strings import join_paths
from provchain.inspection._effects.values import (
    MISSING,
    UNKNOWN,
    Call,
    External,
    FileValue,
    Instance,
    ListValue,
    Opaque,
    PathValue,
    alternatives,
    lift,
    texts,
)
from provchain.model import Role

__all__ = ["METHOD_NAMES", "SINK_WORDS", "sink_function", "sink_method"]


@dataclass(frozen=True, slots=True)
class _Sink:
    """Which argument is the path, what happens to it, and what the library adds to its name."""

    mode: str
    position: int
    names: tuple[str, ...] = ()
    role: Role | None = None
    suffix: str = ""  # added where the path has no extension
    inside: str = ""  # the files lie in this folder, under unknown names


def _write(position: int, names: str = "", suffix: str = "", inside: str = "") -> _Sink:
    return _Sink("write", position, tuple(names.split()), None, suffix, inside)


def _read(position: int, names: str = "", role: Role = Role.DATA, inside: str = "") -> _Sink:
    return _Sink("read", position, tuple(names.split()), role, "", inside)


_IMAGE = _write(0, "uri filename fname fp path")
_EVENTS = f"events.out.tfevents.{WILD}"
_FUNCTIONS: dict[str, _Sink] = {
    "numpy.save": _write(0, "file", ".npy"),
    "numpy.savez": _write(0, "file", ".npz"),
    "numpy.savez_compressed": _write(0, "file", ".npz"),
    "numpy.savetxt": _write(0, "fname"),
    "numpy.load": _read(0, "file"),
    "numpy.loadtxt": _read(0, "fname"),
    "numpy.genfromtxt": _read(0, "fname"),
    "numpy.fromfile": _read(0, "file"),
    "pandas.ExcelFile": _read(0, "path_or_buffer"),
    "pandas.ExcelWriter": _write(0, "path"),
    "torch.save": _write(1, "f"),
    "torch.load": _read(0, "f", Role.CHECKPOINT),
    "torch.jit.save": _write(1, "f"),
    "torch.jit.load": _read(0, "f", Role.CHECKPOINT),
    "torch.onnx.export": _write(2, "f"),
    "joblib.dump": _write(1, "filename"),
    "joblib.load": _read(0, "filename", Role.CHECKPOINT),
    "safetensors.torch.save_file": _write(1, "filename"),
    "safetensors.torch.load_file": _read(0, "filename", Role.CHECKPOINT),
    "tensorflow.keras.models.load_model": _read(0, "filepath", Role.CHECKPOINT),
    "keras.models.load_model": _read(0, "filepath", Role.CHECKPOINT),
    "tensorflow.keras.models.save_model": _write(1, "filepath"),
    "keras.models.save_model": _write(1, "filepath"),
    "tensorflow.saved_model.save": _write(1, "export_dir", inside=WILD),
    "matplotlib.pyplot.savefig": _write(0, "fname", ".png"),
    "pylab.savefig": _write(0, "fname", ".png"),
    "matplotlib.pyplot.imsave": _write(0, "fname"),
    "matplotlib.image.imsave": _write(0, "fname"),
    "matplotlib.pyplot.imread": _read(0, "fname"),
    "matplotlib.image.imread": _read(0, "fname"),
    "cv2.imwrite": _write(0, "filename"),
    "cv2.imread": _read(0, "filename"),
    "cv2.VideoWriter": _write(0, "filename"),
    "cv2.VideoCapture": _read(0, "filename"),
    **dict.fromkeys(
        [
            "imageio.imwrite",
            "imageio.imsave",
            "imageio.mimsave",
            "imageio.mimwrite",
            "imageio.v2.imwrite",
            "imageio.v2.mimsave",
            "imageio.v3.imwrite",
            "imageio.get_writer",
            "imageio.v2.get_writer",
            "skimage.io.imsave",
            "tifffile.imwrite",
        ],
        _IMAGE,
    ),
    **dict.fromkeys(
        ["imageio.imread", "imageio.v2.imread", "imageio.v3.imread", "skimage.io.imread"], _read(0, "uri fname")
    ),
    "PIL.Image.open": _read(0, "fp"),
    "torchvision.utils.save_image": _write(1, "fp"),
    "torchvision.io.read_image": _read(0, "path"),
    "torchaudio.save": _write(0, "uri filepath"),
    "torchaudio.load": _read(0, "uri filepath"),
    "soundfile.write": _write(0, "file"),
    "soundfile.read": _read(0, "file"),
    "librosa.load": _read(0, "path"),
    "scipy.io.savemat": _write(0, "file_name", ".mat"),
    "scipy.io.loadmat": _read(0, "file_name"),
    "scipy.io.wavfile.write": _write(0, "filename"),
    "scipy.sparse.save_npz": _write(0, "file", ".npz"),
    "scipy.sparse.load_npz": _read(0, "file"),
    "logging.FileHandler": _Sink("append", 0, ("filename",)),
    "logging.handlers.RotatingFileHandler": _Sink("append", 0, ("filename",)),
    "logging.handlers.TimedRotatingFileHandler": _Sink("append", 0, ("filename",)),
    "loguru.logger.add": _Sink("append", 0, ("sink",)),
    "torch.utils.tensorboard.SummaryWriter": _write(0, "log_dir", inside=_EVENTS),
    "tensorboardX.SummaryWriter": _write(0, "log_dir logdir", inside=_EVENTS),
    "tensorflow.summary.create_file_writer": _write(0, "logdir", inside=WILD),
    "urllib.request.urlretrieve": _write(1, "filename"),
    "wget.download": _write(1, "out"),
    "gdown.download": _write(1, "output"),
    "datasets.load_from_disk": _read(0, "dataset_path", inside=WILD),
    "sqlite3.connect": _Sink("append", 0, ("database",)),
    "torchvision.datasets.ImageFolder": _read(0, "root", inside=WILD),
    "nibabel.load": _read(0, "filename"),
    "nibabel.save": _write(1, "filename"),
    "configparser.read": _read(0, "filenames", Role.CONFIG),
    "omegaconf.OmegaConf.load": _read(0, "file_", Role.CONFIG),
    "omegaconf.OmegaConf.save": _write(1, "f"),
    "dotenv.load_dotenv": _read(0, "dotenv_path", Role.CONFIG),
    "shutil.unpack_archive": _read(0, "filename"),
    "shutil.make_archive": _Sink("write", 0, ("base_name",), None, "." + WILD),
    "sklearn.datasets.load_svmlight_file": _read(0, "f"),
    "sklearn.datasets.load_files": _read(0, "container_path", inside=WILD),
    "runpy.run_path": _read(0, "path_name", Role.CODE),
}
_READ_PREFIXES = (
    "pandas.read_",
    "networkx.read_",
    "polars.read_",
    "polars.scan_",
    "geopandas.read_",
    "pyreadr.read_",
    "open3d.io.read_",
)
_WRITE_PREFIXES = {"networkx.write_": 1, "plotly.io.write_": 1, "open3d.io.write_": 0}
_READ_NAMES = ("filepath_or_buffer", "path_or_buf", "path_or_buffer", "io", "path", "source", "filename")
_NO_FILE_READERS = frozenset(
    {"pandas.read_sql", "pandas.read_sql_query", "pandas.read_sql_table", "pandas.read_clipboard", "pandas.read_gbq"}
)
_OPENERS = frozenset(
    {"h5py.File", "zipfile.ZipFile", "tarfile.open", "tarfile.TarFile", "netCDF4.Dataset", "zarr.open"}
)
_STREAMED = {  # what is done with an opened file: position of the file, role
    "json.load": 0, "json.dump": 1, "pickle.load": 0, "pickle.dump": 1, "dill.load": 0, "dill.dump": 1,
    "cloudpickle.load": 0, "cloudpickle.dump": 1, "yaml.safe_load": 0, "yaml.load": 0, "yaml.full_load": 0,
    "yaml.dump": 1, "yaml.safe_dump": 1, "csv.reader": 0, "csv.DictReader": 0, "csv.writer": 0, "csv.DictWriter": 0,
    "toml.load": 0, "toml.dump": 1, "tomllib.load": 0, "jsonlines.Reader": 0, "jsonlines.Writer": 0,
    "marshal.dump": 1, "numpy.save": 0, "torch.save": 1, "orjson.loads": 0,
}  # fmt: skip

_CONFIG_READERS = frozenset({"json.load", "yaml.safe_load", "yaml.load", "yaml.full_load"})
_TABLE = _write(0, "path_or_buf path buf excel_writer fname path_or_buffer")
_METHODS: dict[str, _Sink] = {
    **dict.fromkeys(
        [
            "to_csv",
            "to_json",
            "to_excel",
            "to_parquet",
            "to_pickle",
            "to_feather",
            "to_hdf",
            "to_latex",
            "to_markdown",
            "to_html",
            "to_stata",
            "to_xml",
            "to_orc",
            "to_netcdf",
            "to_file",
            "write_csv",
            "write_parquet",
            "write_json",
            "write_excel",
            "write_ipc",
            "write_ndjson",
        ],
        _TABLE,
    ),
    "savefig": _write(0, "fname", ".png"),
    "write_html": _write(0, "file"),
    "write_image": _write(0, "file"),
    "save_pretrained": _write(0, "save_directory", inside=WILD),
    "save_to_disk": _write(0, "dataset_path", inside=WILD),
    "save_weights": _write(0, "filepath"),
    "save_model": _write(0, "output_dir fname filepath"),
    "load_weights": _read(0, "filepath", Role.CHECKPOINT),
    "load_model": _read(0, "fname filepath", Role.CHECKPOINT),
    "tofile": _write(0, "fid"),
    "extractall": _write(0, "path members", inside=WILD),
    "export_chrome_trace": _write(0, "path"),
    "write_video": _write(0, "filename"),
    "write_videofile": _write(0, "filename"),
    "FileHandler": _Sink("append", 0, ("filename",)),
}
# Names that many objects have: only a path with known text, or an opened file, makes them file calls.
_LOOSE_METHODS: dict[str, _Sink] = {
    "save": _write(0, "fp filename path filepath save_path file"),
    "dump": _write(0, "file"),
    "save_file": _write(0, "filename path"),
    "export": _write(0, "path"),
    "render": _write(0, "filename outfile"),
    "to_disk": _write(0, "path"),
}
_PATH_LIKE_METHODS = {"write_text": "write", "write_bytes": "write", "read_text": "read", "read_bytes": "read"}
METHOD_NAMES = frozenset(_METHODS) | frozenset(_LOOSE_METHODS) | frozenset(_PATH_LIKE_METHODS) | {"open"}
SINK_WORDS = (
    METHOD_NAMES
    | {name.rpartition(".")[2] for name in (*_FUNCTIONS, *_STREAMED, *_OPENERS)} - {"read", "render", "export"}
    | {
        "basicConfig",
        "dictConfig",
        "read_csv",
        "read_json",
        "read_excel",
        "read_parquet",
        "read_pickle",
        "read_table",
        "read_feather",
    }
    | {
        "read_hdf",
        "read_html",
        "read_edgelist",
        "read_graphml",
        "write_gml",
        "write_graphml",
        "write_gexf",
        "write_edgelist",
    }
)


def sink_function(call: Call) -> object:
    """Report what a library function does to files.

    Returns:
        What the call gives, or ``MISSING`` if it is none of ours.
    """
    name = call.name
    if (position := _STREAMED.get(name)) is not None and _stream(call, position):
        if name in _CONFIG_READERS and (known := _config(call)) is not UNKNOWN:
            return known
        return None if name.endswith(("dump", "save")) else Opaque(name)
    if name in _OPENERS:
        return open_file(call, call.arg(0, "name", "file", "filename"), 1)
    if name == "logging.basicConfig":
        if (file := call.arg(None, "filename")) is not MISSING:
            call.host.emit("append", file, name, call.site)
        _handlers(call)
        return None
    sink = _FUNCTIONS.get(name)
    if sink is None and name.startswith(_READ_PREFIXES) and name not in _NO_FILE_READERS:
        sink = _Sink("read", 0, _READ_NAMES, Role.DATA)
    if sink is None:
        prefix = next((prefix for prefix in _WRITE_PREFIXES if name.startswith(prefix)), None)
        sink = _Sink("write", _WRITE_PREFIXES[prefix], ("path", "file", "filename")) if prefix else None
    if sink is None:
        return MISSING
    _apply(call, sink, _short(name))
    return Opaque(name)


def _config(call: Call) -> object:
    """What a configuration file of the run holds, where its text is known."""
    stream = call.arg(0, "fp", "stream", "f")
    if not isinstance(stream, FileValue) or len(stream.drafts) != 1:
        return UNKNOWN
    text = call.host.content(stream.drafts[0].pattern)
    return UNKNOWN if text is None else read_config(text, is_json=call.name == "json.load")


def _short(name: str) -> str:
    """A dotted name as scripts write it."""
    for long, short in (("numpy.", "np."), ("pandas.", "pd."), ("matplotlib.pyplot.savefig", "savefig")):
        if name.startswith(long):
            return short + name[len(long) :]
    return name


def _handlers(call: Call) -> None:
    """Work out the handlers given to ``basicConfig``: those that write files report themselves."""
    handlers = call.arg(None, "handlers")
    if isinstance(handlers, ListValue):
        for item in handlers.items:
            call.host.force(item)


def _stream(call: Call, position: int) -> bool:
    """Say more about the opened file that a call uses; whether there is one."""
    stream = call.arg(position, "fp", "f", "file", "stream", "csvfile")
    for one in alternatives(stream):
        if isinstance(one, FileValue):
            for draft in one.drafts:
                if draft.how in ("open", "Path.open", "io.open"):
                    draft.how = call.name
                    draft.hint += f" {call.site.hint}"
    return any(isinstance(one, FileValue) for one in alternatives(stream))


def _apply(call: Call, sink: _Sink, how: str, *, loose: bool = False) -> bool:
    """Report the effect of a sink; whether there was a path."""
    value = call.arg(sink.position if sink.position < 90 else None, *sink.names)
    if value is MISSING:
        if sink.inside and how.endswith("SummaryWriter"):
            call.host.emit(sink.mode, f"runs/{WILD}/{_EVENTS}", how, call.site, sink.role)
            return True
        return False
    paths = [one for one in alternatives(value) if _is_path(one, loose=loose)]
    for one in paths:
        if isinstance(one, ListValue):
            for item in one.items:
                call.host.emit(sink.mode, call.host.force(item), how, call.site, sink.role)
            continue
        path = lift(lambda item: _named(item, sink), one)
        call.host.emit(sink.mode, path, how, call.site, sink.role)
    return bool(paths)


def _is_path(value: object, *, loose: bool) -> bool:
    """Whether a value can be a path at all."""
    if isinstance(value, (FileValue, External, Instance)) or value is None or isinstance(value, (bool, int, float)):
        return False
    if isinstance(value, Opaque):
        return not loose and not value.kind.startswith(("io.", "sys.")) and not value.kind.endswith("Writer")
    if loose:
        text = texts(value)[0] if isinstance(value, (str, PathValue)) else ""
        return isinstance(value, PathValue) or "/" in text or posixpath.splitext(text)[1] not in ("", f".{WILD}")
    return isinstance(value, (str, PathValue, ListValue))


def _named(value: object, sink: _Sink) -> object:
    """The path with what the library adds to it."""
    text = texts(value)[0]
    if sink.inside:
        return join_paths(text, sink.inside)
    base = posixpath.basename(text)
    if sink.suffix == ".png":  # matplotlib looks at what follows the last dot
        known = posixpath.splitext(base)[1] or base.endswith(WILD)
        return text if known else text + sink.suffix
    if sink.suffix in (".npy", ".npz", ".mat") and not base.endswith((sink.suffix, WILD)):
        return text + sink.suffix
    return text + sink.suffix if sink.suffix.startswith(f".{WILD}") else text


def sink_method(call: Call, receiver: object, name: str) -> object:
    """Report what a method of an object that is not of the run does to files, or ``MISSING``."""
    call.name = how = f"DataFrame.{name}" if name.startswith("to_") else name
    if isinstance(receiver, FileValue):
        return receiver if name in ("__enter__", "open") else UNKNOWN
    if name in _METHODS:
        return Opaque(how) if _apply(call, _METHODS[name], how) else MISSING
    if name in _LOOSE_METHODS:
        return Opaque(how) if _apply(call, _LOOSE_METHODS[name], how, loose=True) else MISSING
    if name in _PATH_LIKE_METHODS and isinstance(receiver, Opaque):
        call.host.emit(_PATH_LIKE_METHODS[name], UNKNOWN, f"Path.{name}", call.site)
        return WILD
    if name == "open" and isinstance(receiver, Opaque) and not receiver.kind and len(call.args) <= 1:
        mode = call.arg(0, "mode")
        if isinstance(mode, str) and set(mode) <= set("rwabxt+"):
            call.name = "Path.open"
            return open_file(call, UNKNOWN, 0)
    return MISSING
