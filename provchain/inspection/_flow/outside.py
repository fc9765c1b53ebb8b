"""Calls that leave the run's own code: what a library's function or method does with the values it gets."""

from __future__ import annotations

import ast

from provchain.inspection._flow.libraries import drop_sizes, meaning, method_meaning, words
from provchain.inspection._flow.machine import Arguments, Frame
from provchain.inspection._flow.values import Bound, Class, Func, Obj, Value
from provchain.inspection._flow.writers import Writers

__all__ = ["Outside"]

# functions of pure libraries whose first or later arguments are sizes, too
_SIZED = words(
    """zeros ones empty full zeros_like ones_like empty_like full_like arange eye identity tri linspace logspace
    geomspace tile repeat"""
)
_FORMULAS = words(
    """linspace logspace geomspace arange exp log log2 log10 sqrt sin cos tan tanh power cumsum sigmoid sign exp2 expm1"""
)
# pure libraries whose objects have methods of their own that matter here
_TYPED = (
    "pandas.",
    "polars.",
    "rich.",
    "io.",
    "dataclasses.field",
    "functools.",
    "scipy.stats",
    "torch.distributions",
    "joblib.",
    "threading.",
)
# matrix products and distances: what hand-written learning is made of
_PRODUCTS = words(
    "dot matmul einsum outer inner tensordot vdot mm bmm cdist pdist pairwise_distances euclidean_distances"
)
_RANDOM_FILL = words("rvs normal_ uniform_ bernoulli_ random_ exponential_ log_normal_ geometric_ cauchy_")
_GROWING = words(
    """append update extend add insert fill put setdefault write send appendleft copy_ add_ masked_fill_ index_add_
    itemset"""
)
_LOADING = ("read_", "load_", "from_csv", "from_json", "from_file", "fetch", "download")
_LOADED = ("json.", "pickle.", "dill.", "cloudpickle.", "tomllib.")  # whose load() takes a file
_HARMLESS = words(
    """mkdir cp mv ln rm ls chmod pip pip3 nvidia-smi which git touch echo cd unzip tar wget curl uname apt apt-get
    conda"""
)
_READING = words("read_text read_bytes iterdir glob rglob readline readlines read load_dataset")
_CONDITION_ONLY = words(
    """exists is_file is_dir mkdir unlink rmdir touch chmod rename resolve absolute expanduser as_posix"""
)
_RECEIVED = words("stat getsize")


class Outside(Writers):
    """Library calls."""

    def call_extern(self, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call a function or class of a library."""
        if name.startswith(("importlib.import_module", "builtins.__import__")):
            return self.dynamic_import(node, frame)
        if name in (
            "functools.identity",
            "joblib.delayed",
            "torch.compile",
            "tensorflow.function",
            "numba.jit",
            "copy.replace",
        ):
            return args.get(0) or self.domain.extern("functools.identity")
        if name == "dataclasses.asdict":
            return self.derive(node, frame, args.get(0))
        given = self.written_by_function(name, args, node, frame)
        if given is not None:
            return given
        built = self.builtin(name, args, node, frame)
        if built is not None:
            return built
        returned = self.call_back(args, node, frame)
        what = meaning(name)
        short = name.rpartition(".")[2]
        if what == "plot":
            return self.plot(name, args, node, frame)
        if what == "nothing":
            return self.make("extern", node, frame, name).bit if short == "getLogger" else 0
        if what == "setting":
            return self.setting(name, args, node, frame)
        if what == "clock":
            return self.domain.mark("clock", frame.module.path, node)
        kept = returned | self.kept(short, args, sized=what == "random" or short in _SIZED)
        if what == "pure":
            return self.pure(name, short, kept, args, node, frame)
        return self.observed(name, what, kept, args, node, frame)

    def kept(self, short: str, args: Arguments, *, sized: bool) -> Value:
        """Join the arguments that leave a trace in the result."""
        if not sized:
            return args.joined()
        out = args.star
        for index, value in enumerate(args.positional):
            if not drop_sizes(short, index):
                out |= value
        for key, value in args.named.items():
            if not drop_sizes(short, key):
                out |= value
        return out

    def pure(self, name: str, short: str, kept: Value, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call something that only computes."""
        if short in _FORMULAS and not self.domain.sample(kept) & self.domain.real:
            kept |= self.domain.mark("formula", frame.module.path, node)
        if name in ("numpy.random.shuffle", "heapq.heappush", "bisect.insort") and len(args.positional) > 1:
            self.taint(args.positional[0], args.positional[1])
        if short in _PRODUCTS:
            kept |= self.domain.mark("product", "", node, "product")
        if "out" in args.named:
            self.taint(args.named["out"], kept)
        if short == "load" and name.startswith(_LOADED) and not self.domain.sample(kept) & self.domain.real:
            kept |= self.origin("read", node, frame)
        scalar = name.startswith(("math.", "cmath.", "builtins.", "statistics.", "operator."))
        if scalar:
            return self.derive(node, frame, kept)
        # an object of its own even if nothing is in it yet: an array, a queue, a frame can be filled later
        made = self.make("extern", node, frame, name if name.startswith(_TYPED) else "", "derived")
        self.domain.put(made, kept)
        return made.bit

    def setting(self, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call something that only says how the program is set up: paths, platform, command line."""
        mark = self.domain.mark("literal", frame.module.path, node, "setting")
        inside = args.joined()
        real = self.domain.sample(inside) & (self.domain.real | self.domain.masks["unknown"])
        made = self.make("extern", node, frame, name)
        self.domain.put(made, mark | (inside if real else inside & ~self.domain.refs))
        return made.bit

    def observed(self, name: str, what: str, kept: Value, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call something that reads, measures, trains, runs, asks, draws random numbers, or is not known."""
        made = self.make("extern", node, frame, name)
        mark = 0
        if what == "learning":
            fits = name.rpartition(".")[2] in ("train", "cv", "minimize", "fmin", "fit")
            mark = self.origin("trained", node, frame) if fits else 0
        elif what == "run" and self.harmless(node):
            mark = self.domain.mark("unknown", frame.module.path, node)
        elif what in ("answered", "trained", "run", "read", "measured"):
            constructs = what == "answered" and name.rpartition(".")[2][:1].isupper()
            mark = 0 if constructs else self.origin(what, node, frame)  # a client is no answer yet
        elif what == "random":
            mark = self.domain.mark("random", frame.module.path, node)
            if name.rpartition(".")[2] == "shuffle":
                return 0
        else:
            mark = self.origin("unknown", node, frame)
            self.taint(args.joined(), mark)
        if what in ("read", "run"):  # a path or a command says nothing about what comes out
            kept = self.domain.sample(kept) & (self.domain.real | self.domain.masks["unknown"])
        self.domain.put(made, kept | mark)
        return made.bit

    def harmless(self, node: ast.AST) -> bool:
        """Tell whether a process only handles files or installs things, as far as its literal command says."""
        if not isinstance(node, ast.Call) or not node.args:
            return False
        command = node.args[0]
        if isinstance(command, (ast.List, ast.Tuple)) and command.elts:
            command = command.elts[0]
        if not isinstance(command, ast.Constant) or not isinstance(command.value, str):
            return False
        words = command.value.split()
        return bool(words) and words[0] in _HARMLESS and not any(c in command.value for c in ";|&")

    def dynamic_import(self, node: ast.AST, frame: Frame) -> Value:
        """Import a module by name, if the name is spelt out."""
        spelt = node.args[0] if isinstance(node, ast.Call) and node.args else None
        if isinstance(spelt, ast.Constant) and isinstance(spelt.value, str):
            return self.import_name(spelt.value, 0, frame)
        return self.origin("unknown", node, frame)

    def import_name(self, name: str, level: int, frame: Frame) -> Value:
        """Import a module of the run or of a library."""
        raise NotImplementedError

    def taint(self, target: Value, value: Value) -> None:
        """Put a value into every object that another value points to."""
        for atom in self.domain.refs_of(target):
            if isinstance(atom, Obj):
                self.domain.put(atom, value)

    def taint_reachable(self, target: Value, value: Value) -> None:
        """Put a value into every object that can be reached: an optimiser's step changes all weights it was given."""
        seen, todo = 0, target & self.domain.refs
        while todo:
            low = todo & -todo
            todo ^= low
            seen |= low
            atom = self.domain.atoms[low.bit_length() - 1]
            if isinstance(atom, Obj):
                todo |= atom.content & self.domain.refs & ~seen
                if not atom.sample & self.domain.masks["trained"]:
                    self.domain.put(atom, value)

    def call_back(self, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call the run's functions that are handed to a library (a thread's target, a mapped function)."""
        functions = self.bits_of(args.joined() & self.domain.code, (Func, Bound))
        if not functions:
            return 0
        others = self.values_in(args.joined() & ~functions)
        others |= self.values_in(others)
        return self.call_value(functions, Arguments([], star=others & ~functions, spread=True), node, frame)

    def extern_method(self, obj: Obj, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call a method of a library's object, an open file or a figure."""
        done = self.written_by_method(obj, name, args, node, frame)
        if done is not None:
            return done
        if obj.kind == "file":
            return self.origin("read", node, frame) if obj.writes and name.startswith("read") else obj.content
        if obj.kind == "figure":
            return self.draw(obj.bit, name, args)
        if name == "stat" and meaning(obj.type or "builtins") == "setting":
            return self.origin("measured", node, frame)
        if name in _READING and (not obj.type or meaning(obj.type) == "setting"):
            return self.derive(node, frame, self.origin("read", node, frame), "open")
        what = method_meaning(obj.type, name)
        if what == "alias":
            return obj.bit
        if what == "pure" and name.startswith(_LOADING):
            what = "read"
        kept = args.joined() | self.call_back(args, node, frame)
        if what in ("trained", "read", "run", "answered", "measured", "unknown"):
            return self.method_result(obj, name, what, kept, node, frame)
        if what == "random":
            kept = self.kept(name, args, sized=True) | self.domain.mark("random", frame.module.path, node)
            return self.derive(node, frame, kept | obj.content, "numpy.random")
        if what == "nothing":
            return 0
        if obj.type == "argparse.ArgumentParser" and name.startswith("add_"):
            return obj.bit
        if meaning(obj.type) == "plot":
            self.taint(obj.bit | frame.env.get("%figure", 0), kept)
            return obj.bit
        if name in _GROWING:
            self.domain.put(obj, self.influenced(kept, frame.control, node, frame))
        if name in _PRODUCTS:
            kept |= self.domain.mark("product", "", node, "product")
        self.shown_by_method(obj, name, frame)
        return self.derive(node, frame, obj.bit | kept, obj.type if obj.type.startswith(("pandas", "polars")) else "")

    def method_result(self, obj: Obj, name: str, what: str, kept: Value, node: ast.AST, frame: Frame) -> Value:
        """Return what a method observed, and leave its trace in the object."""
        mark = self.origin(what, node, frame)
        if what == "trained":
            self.domain.put(obj, mark | kept)
            if name == "step":
                self.taint_reachable(obj.bit, mark)
        if what == "read" and not name.startswith(("from_", "load")):
            self.domain.put(obj, kept)
        fluent = (
            obj.bit
            if name in ("fit", "from_pretrained", "create", "connect", "cursor", "execute", "chat", "session")
            else 0
        )
        return fluent | self.derive(node, frame, mark | kept | (obj.bit if what == "unknown" else 0), "numpy.asarray")

    def look_through(self, holders: Value, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call a method also on the run's own instances, and on models, that library objects hold."""
        domain = self.domain
        inside = 0
        for atom in domain.refs_of(holders):
            inside |= atom.content if isinstance(atom, Obj) else 0
        instances, out = 0, 0
        for atom in domain.refs_of(inside & domain.methods & ~holders):
            if not isinstance(atom, Obj):
                continue
            if atom.kind == "instance":
                instances |= atom.bit if self.find_method(atom, name) else 0
            elif method_meaning(atom.type, name) == "trained":
                out |= self.method_result(atom, name, "trained", args.joined(), node, frame)
        return out | self.call_method(instances, name, args, node, frame) if instances else out

    def shown_by_method(self, obj: Obj, name: str, frame: Frame) -> None:
        """Note that a data frame or a result object draws itself on the current figure."""
        if name in (
            "plot",
            "hist",
            "boxplot",
            "bar",
            "barh",
            "line",
            "scatter",
            "pie",
            "area",
            "kde",
            "density",
            "hexbin",
        ):
            self.taint(frame.env.get("%figure", 0), obj.bit)

    def plain_method(self, value: Value, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call a method of a plain value: a number, a text, something whose type is not known."""
        plain = self.make("extern", node, frame, "", "plain")
        done = self.written_by_method(plain, name, args, node, frame, value)
        if done is not None:
            return done
        if (name in _READING and name != "read") or name.startswith(_LOADING):
            return self.derive(node, frame, self.origin("read", node, frame), "open")
        if name == "backward":
            return self.origin("trained", node, frame)
        if name in _CONDITION_ONLY:
            return value
        returned = self.call_back(args, node, frame)
        if name in _RANDOM_FILL:
            mark = self.domain.mark("random", frame.module.path, node)
            self.taint(value, mark)
            return self.derive(node, frame, value | self.kept(name, args, sized=True) | mark)
        if name in _GROWING:
            self.taint(value, self.influenced(args.joined(), frame.control, node, frame))
        if name in _PRODUCTS:
            returned |= self.domain.mark("product", "", node, "product")
        return self.derive(node, frame, value | args.joined() | returned)

    def call_object(self, obj: Obj, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call a library's object: a layer, a loss, a pipeline, a parallel runner."""
        what = meaning(obj.type) if obj.type else "pure"
        inside = self.bits_of(obj.content & self.domain.code & ~obj.bit, (Func, Bound, Class, Obj))
        through = self.call_value(inside, args, node, frame) if inside else 0
        if obj.type == "functools.identity":
            return args.get(0)
        if what in ("learning", "trained") or (what == "read" and obj.type.partition(".")[0] not in ("glob", "os")):
            return through | self.derive(
                node, frame, self.origin("trained", node, frame) | args.joined() | obj.content, "numpy.asarray"
            )
        if what in ("random", "unknown", "answered", "run"):
            return through | self.derive(node, frame, self.origin(what, node, frame) | args.joined(), "numpy.asarray")
        return through | self.derive(node, frame, obj.bit | args.joined())
