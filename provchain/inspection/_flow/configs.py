"""Settings that a script loads from a configuration file whose text is known: they decide conditions as literals do.

Where they come from stays as it is: they were read.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Mapping

from provchain.inspection._effects.configs import read_config
from provchain.inspection._effects.values import DictValue
from provchain.inspection._flow.exact import UNSURE, of_type
from provchain.inspection._flow.machine import Arguments, Frame
from provchain.inspection._flow.settings import Settings
from provchain.inspection._flow.values import Obj, Value
from provchain.inspection.modules import SourceTree

__all__ = ["Configs"]

_JSON = frozenset({"json.load", "simplejson.load", "ujson.load"})
_YAML = frozenset({"yaml.safe_load", "yaml.load", "yaml.full_load"})
_OPENS = frozenset({"builtins.open", "io.open", "codecs.open"})
_PATH = "%path"  # under this name an open file keeps the path that it was opened by
_MAX_DEPTH = 8


class Configs(Settings):
    """Loading configuration files."""

    def __init__(self, tree: SourceTree) -> None:
        super().__init__(tree)
        self.configs: Mapping[str, str] = {}  # texts by path, as the script names them

    def written_by_function(self, name: str, args: Arguments, node: ast.AST, frame: Frame) -> Value | None:
        """Handle a library function that writes or opens; ``None`` if it does neither."""
        found = super().written_by_function(name, args, node, frame)
        for atom in self.domain.refs_of(found or 0) if name in _OPENS else ():
            if isinstance(atom, Obj) and atom.kind == "file":
                self.domain.learn(atom, _PATH, args.exact(0, "file"), first=_PATH not in atom.fields)
                atom.fields.setdefault(_PATH, 0)
        return found

    def pure(self, name: str, short: str, kept: Value, args: Arguments, node: ast.AST, frame: Frame) -> Value:
        """Call something that only computes, or parses a configuration file."""
        value = super().pure(name, short, kept, args, node, frame)
        if not self.configs or name not in _JSON | _YAML:
            return value
        text = self._text(args.get(0))
        data = read_config(text, is_json=name in _JSON) if text is not None else None
        return self._settings(data, self.domain.deep(value), node, frame, ()) if isinstance(data, DictValue) else value

    def _text(self, file: Value) -> str | None:
        """Return the text of an open file, if it is one file whose path and text are known."""
        atoms = list(self.domain.refs_of(file))
        if len(atoms) != 1 or file & ~self.domain.refs or not isinstance(atoms[0], Obj) or atoms[0].writes:
            return None
        path = atoms[0].known.get(_PATH, UNSURE)
        return self.configs.get(posixpath.normpath(path)) if isinstance(path, str) and path else None

    def _settings(self, data: DictValue, marks: Value, node: ast.AST, frame: Frame, at: tuple[object, ...]) -> Value:
        """Make the dictionary of a file; what is not plain in it is unsure."""
        made = self.make("dict", node, frame, "", ("config", at))
        self.put_keys(made, marks)
        if data.more:
            self.domain.put(made, marks)
        for key, item in data.entries.items():
            if not isinstance(key, (str, int)):
                continue
            inner = marks
            if isinstance(item, DictValue) and len(at) < _MAX_DEPTH:
                inner = self._settings(item, marks, node, frame, (*at, key))
            self.domain.put(made, inner, key, named=True, exact=item if of_type(item) else UNSURE)
        return made.bit
