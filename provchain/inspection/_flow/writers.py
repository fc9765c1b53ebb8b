"""Places where a script writes something out: open files, writers of libraries, figures, the standard output, logs."""

from __future__ import annotations

import ast

from provchain.inspection._flow.containers import Containers
from provchain.inspection._flow.libraries import words
from provchain.inspection._flow.machine import Arguments, Frame
from provchain.inspection._flow.values import Obj, Value

__all__ = ["Writers"]

_OPENERS = words(
    """builtins.open io.open codecs.open gzip.open bz2.open lzma.open os.fdopen fsspec.open aiofiles.open h5py.File
    zipfile.ZipFile tarfile.open tempfile.NamedTemporaryFile tempfile.TemporaryFile"""
)
# name of the function → position and keyword of the value that it writes
_FUNCTIONS: dict[str, tuple[int, str]] = {
    "json.dump": (0, "obj"),
    "pickle.dump": (0, "obj"),
    "joblib.dump": (0, "value"),
    "torch.save": (0, "obj"),
    "yaml.dump": (0, "data"),
    "yaml.safe_dump": (0, "data"),
    "toml.dump": (0, "o"),
    "cloudpickle.dump": (0, "obj"),
    "dill.dump": (0, "obj"),
    "marshal.dump": (0, "value"),
    "numpy.save": (1, "arr"),
    "numpy.savetxt": (1, "X"),
    "scipy.io.savemat": (1, "mdict"),
    "scipy.sparse.save_npz": (1, "matrix"),
    "cv2.imwrite": (1, "img"),
    "imageio.imwrite": (1, "im"),
    "imageio.mimsave": (1, "ims"),
    "matplotlib.pyplot.imsave": (1, "arr"),
    "torchvision.utils.save_image": (0, "tensor"),
    "networkx.write_gexf": (0, "G"),
    "networkx.write_graphml": (0, "G"),
    "tomli_w.dump": (0, "obj"),
    "safetensors.torch.save_file": (0, "tensors"),
    "pyarrow.parquet.write_table": (0, "table"),
    "tifffile.imwrite": (1, "data"),
    "skimage.io.imsave": (1, "arr"),
    "soundfile.write": (1, "data"),
    "simplejson.dump": (0, "obj"),
    "ujson.dump": (0, "obj"),
}
_EVERYTHING = words(
    """numpy.savez numpy.savez_compressed wandb.log wandb.summary.update mlflow.log_metric mlflow.log_metrics
    mlflow.log_param mlflow.log_params mlflow.log_dict neptune.log comet_ml.log"""
)
_PRINTS = words(
    """builtins.print rich.print pprint.pprint click.echo typer.echo tqdm.write tqdm.tqdm.write tqdm.auto.tqdm.write
    sys.stdout.write IPython.display.display termcolor.cprint"""
)
_LEVELS = words("debug info warning warn error critical exception log success trace fatal")
# methods of data frames that write if they are told where, and return a text otherwise
_FRAME_WRITERS = words(
    """to_csv to_json to_excel to_parquet to_pickle to_hdf to_feather to_sql to_latex to_html to_markdown to_string
    to_stata to_netcdf write_csv write_json write_parquet write_excel"""
)
_SAVERS = words(
    """savefig write_image write_html save save_pretrained save_model save_weights tofile dump_model save_to_disk
    to_file imsave"""
)
_SCALARS = words("add_scalar add_scalars add_histogram add_image add_text add_figure log_metric log_metrics")
# titles, ticks and limits say how a figure looks, not what it shows
_DECOR = words(
    """title xlabel ylabel suptitle legend grid xlim ylim axis xticks yticks tight_layout subplots_adjust xscale yscale
    colorbar sca margins tick_params set_title set_xlabel set_ylabel set_xlim set_ylim set_xticks set_yticks
    set_xticklabels set_yticklabels set_axis_off set_aspect set_facecolor invert_yaxis invert_xaxis autofmt_xdate
    get_legend set_zlabel set_theta_offset set_theta_direction set_rlabel_position set_thetagrids set_xscale
    set_yscale set_size_inches set update_layout update_xaxes update_yaxes update_traces twinx get_figure"""
)
_NEW_FIGURE = words("figure subplots subplot_mosaic")
_END_FIGURE = words("close clf")


class Writers(Containers):
    """Everything that writes."""

    def written_by_function(self, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value | None:
        """Handle a library function that writes or opens; ``None`` if it does neither."""
        if name in _OPENERS:
            return self.open_file(node, frame, 1, "w" if name.startswith("tempfile.") else "r")
        if name in _PRINTS:
            self.print_out(args, node, frame)
            return 0
        if name.startswith(("logging.", "loguru.logger.", "absl.logging.")) and name.rpartition(".")[2] in _LEVELS:
            self.write("log", args.joined(), node, frame)
            return 0
        if name in ("csv.writer", "csv.DictWriter", "jsonlines.Writer"):
            made = self.make("extern", node, frame, name)
            made.fields.setdefault("%file", 0)
            self.domain.put(made, self.files_in(args.get(0)), "%file", named=True)
            return made.bit
        if name in _FUNCTIONS:
            position, keyword = _FUNCTIONS[name]
            others = args.joined()
            self.write_to(self.files_in(others), args.get(position, keyword), name, node, frame)
            return 0
        if name in _EVERYTHING:
            self.write(name, args.joined(), node, frame)
            return 0
        files = (
            self.files_in(args.joined())
            if any(v & self.domain.refs for v in (*args.positional, *args.named.values()))
            else 0
        )
        for atom in self.domain.refs_of(files):
            if isinstance(atom, Obj) and atom.writes:  # a file handed to an unknown writer
                self.domain.put(atom, args.joined() & ~files)
        return None

    def open_file(self, node: ast.AST, frame: Frame, place: int, default: str = "r") -> Value:
        """Open a file: what is read from it is real, what is written to it is a sink at this line."""
        mode = _mode(node, place, default)
        made = self.make("file", node, frame, "open")
        made.writes = mode is None or not set(mode).isdisjoint("wax+")
        if made.writes:
            self.write("open", made.bit, node, frame)
        else:
            self.domain.put(made, self.origin("read", node, frame))
        return made.bit

    def files_in(self, value: Value) -> Value:
        """Return the open files among a value's objects."""
        out = 0
        for atom in self.domain.refs_of(value):
            if isinstance(atom, Obj) and atom.kind == "file":
                out |= atom.bit
        return out

    def write_to(self, files: Value, value: Value, how: str, node: ast.AST, frame: Frame) -> None:
        """Write a value to open files, or, where no file is known, here."""
        if not files:
            self.write(how, value, node, frame)
        for atom in self.domain.refs_of(files):
            if isinstance(atom, Obj) and atom.writes:
                self.domain.put(atom, value)

    def print_out(self, args: Arguments, node: ast.AST, frame: Frame) -> None:
        """Print, to the standard output or to a file."""
        value = args.star
        for item in args.positional:
            value |= item
        target = self.files_in(args.named.get("file", 0))
        self.write_to(target, value, "print", node, frame)

    def written_by_method(
        self, obj: Obj, name: str, args: Arguments, node: ast.AST, frame: Frame, value: Value | None = None
    ) -> Value | None:
        """Handle a method that writes or opens; ``None`` if it does neither."""
        content = obj.bit if value is None else value
        if obj.kind == "file" and name in ("write", "writelines", "writestr", "create_dataset", "dump"):
            if obj.writes:
                self.domain.put(obj, args.joined())
            return 0
        if name in ("write_text", "write_bytes"):
            self.write(name, args.get(0, "data"), node, frame)
            return 0
        if name in _FRAME_WRITERS:
            return self._frame_writer(name, content, args, node, frame)
        if name in _SAVERS and (args.positional or args.named):
            files = self.files_in(args.joined())
            saved = content if name not in ("save", "imsave") or obj.kind != "extern" or obj.content or value else 0
            self.write_to(files, saved, name, node, frame)
            return 0
        if name in _SCALARS:
            self.write(name, args.joined(), node, frame)
            return 0
        if name == "open" and obj.kind != "file":
            return self.open_file(node, frame, 0)
        if name in _LEVELS and obj.type.startswith(("logging", "loguru", "structlog", "absl", "colorlog")):
            self.write("log", args.joined(), node, frame)
            return 0
        if name in ("print", "print_json", "rule") and obj.type.startswith("rich"):
            self.write("print", args.joined(), node, frame)
            return 0
        if name in ("writerow", "writerows", "write", "write_all") and "%file" in obj.fields:
            self.write_to(obj.fields["%file"], args.joined(), name, node, frame)
            return 0
        if name == "writeheader":
            return 0
        if name in ("write", "writelines") and obj.type != "io.StringIO" and not obj.type.startswith("io."):
            self.write("write", args.joined(), node, frame)
            return 0
        return None

    def _frame_writer(self, name: str, content: Value, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        told = bool(args.positional or args.star) or any(
            k in args.named for k in ("path_or_buf", "path", "buf", "excel_writer", "con", "name")
        )
        if not told or (
            isinstance(node, ast.Call)
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and node.args[0].value is None
        ):
            return self.derive(node, frame, content)
        self.write_to(self.files_in(args.joined()), content, f"DataFrame.{name}", node, frame)
        return 0

    # figures

    def plot(self, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call a plotting function: it draws on the current figure, starts one or saves it."""
        short = name.rpartition(".")[2]
        current = frame.env.get("%figure", 0)
        if name.startswith("matplotlib.pyplot."):
            if short in _NEW_FIGURE:
                made = self.make("figure", node, frame, "figure")
                frame.env["%figure"] = made.bit
                return made.bit
            if short in _END_FIGURE:
                frame.env["%figure"] = 0
                return 0
        elif not name.startswith("seaborn."):  # a library that hands its figures around
            made = self.make("figure", node, frame, "figure")
            self.domain.put(made, args.joined())
            return made.bit
        if not current:
            current = self.make("figure", node, frame, "figure").bit
            frame.env["%figure"] = current
        if short == "savefig":
            self.write_to(self.files_in(args.joined()), current, "savefig", node, frame)
            return 0
        shown = 0
        for value in (*args.positional, args.star, *args.named.values()):
            shown |= self.figures_in(value)
        return self.draw(shown or current, short, args)

    def figures_in(self, value: Value) -> Value:
        """Return the figures among a value's objects."""
        out = 0
        for atom in self.domain.refs_of(value):
            if isinstance(atom, Obj) and atom.kind == "figure":
                out |= atom.bit
        return out

    def draw(self, figures: Value, name: str, args: Arguments) -> Value:
        """Draw values on figures."""
        given = 0
        if name not in _DECOR and not name.startswith("get_"):
            given = args.joined() & ~figures
        for atom in self.domain.refs_of(figures):
            if isinstance(atom, Obj) and given & ~atom.bit:
                self.domain.put(atom, given & ~atom.bit)
        return figures


def _mode(node: ast.AST, place: int, default: str) -> str | None:
    """Return the mode a file is opened with, ``None`` if only the running program knows."""
    if not isinstance(node, ast.Call):
        return None
    given: ast.expr | None = node.args[place] if len(node.args) > place else None
    for keyword in node.keywords:
        if keyword.arg == "mode":
            given = keyword.value
    if given is None:
        return default
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else None
