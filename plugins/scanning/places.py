"""Where a path leads as far as it can be told: where only some of its parts are known, the others are written `?`."""

from __future__ import annotations

import ast
import posixpath
import sys
from collections.abc import Iterator, Mapping

from treadle.plugins.scanning.names import Names

_DEPTH = 20
_LONGEST = 500
_JOINERS = frozenset({"os.path.join", "pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath", "posixpath.join"})
_SAME_PLACE = frozenset(
    {"str", "os.fspath", "os.fsencode", "os.path.expanduser", "os.path.abspath", "os.path.realpath", "os.path.normpath"}
)
_SAME_PLACE_METHODS = frozenset({"expanduser", "resolve", "absolute", "as_posix", "strip", "rstrip"})
_LISTS = frozenset({"os.listdir", "os.scandir", "os.walk", "glob.glob", "glob.iglob", "sorted", "list", "reversed"})
_LIST_METHODS = frozenset({"glob", "rglob", "iterdir", "walk"})
_OF_PYTHON = ("site.getsitepackages", "site.getusersitepackages", "site.USER_SITE", "sysconfig.get_path", "sys.prefix")
_PYTHON = "/usr/lib/python3/site-packages"


class Places:
    """The places of one module. `assigned` are the values of its names."""

    def __init__(self, names: Names, assigned: Mapping[str, list[ast.expr]], nodes: list[ast.AST]) -> None:
        self._names = names
        self._assigned = assigned
        self._over = dict(_loops(nodes))
        self._seen: dict[ast.AST, str | None] = {}

    def of(self, node: ast.AST | None, depth: int = 0) -> str | None:
        """The path that an expression stands for, `?` for what is not known of it; None when nothing is."""
        if node is None or depth > _DEPTH:
            return None
        if node not in self._seen:
            self._seen[node] = None
            text = self._names.text(node)
            found = text if text is not None else self._partly(node, depth + 1)
            self._seen[node] = found[:_LONGEST] if found else None
        return self._seen[node]

    def _partly(self, node: ast.AST, depth: int) -> str | None:
        dotted = self._names.dotted(node.value if isinstance(node, ast.Subscript) else node) or ""
        if isinstance(node, ast.Call | ast.Subscript):
            inner = node.value if isinstance(node, ast.Subscript) else node
            called = self._names.dotted(inner.func) if isinstance(inner, ast.Call) else None
            dotted = called or dotted
        if dotted.startswith(_OF_PYTHON):
            return _PYTHON
        if dotted.endswith(".__file__") and dotted.partition(".")[0] in sys.stdlib_module_names:
            return f"{posixpath.dirname(_PYTHON)}/{dotted.partition('.')[0]}.py"
        if isinstance(node, ast.Name):
            return self._of_name(node.id, depth) or self._gravest(self._names.given(node), depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            return self._joined((node.left, node.right), depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left, right = self.of(node.left, depth), self.of(node.right, depth)
            return f"{left}{right or '?'}" if left else None
        if isinstance(node, ast.JoinedStr) and node.values:
            parts = [self.of(v.value if isinstance(v, ast.FormattedValue) else v, depth) for v in node.values]
            return "".join(part or "?" for part in parts) if parts[0] else None
        if isinstance(node, ast.Attribute) and node.attr == "parent":
            return _above(self.of(node.value, depth))
        if isinstance(node, ast.Attribute) and node.attr == "path":  # of an entry of `os.scandir`
            return self.of(node.value, depth)
        return self._of_call(node, depth) if isinstance(node, ast.Call) else None

    def _of_name(self, name: str, depth: int) -> str | None:
        """Where a name leads that is bound once, or goes over the content of a folder, or over paths written out."""
        values = self._assigned.get(name, [])
        if len(values) == 1:
            return self.of(values[0], depth)
        over = self._over.get(name) if not values else None
        if isinstance(over, ast.Name) and len(self._assigned.get(over.id, [])) == 1:
            over = self._assigned[over.id][0]
        if isinstance(over, ast.List | ast.Tuple | ast.Set):
            return self._gravest(over.elts[:50], depth)
        below = self._listed(over, depth) if over is not None else None
        return f"{below.rstrip('/')}/?" if below else None

    def _gravest(self, paths: list[ast.expr], depth: int) -> str | None:
        """Of several places the one to judge by: the first that is outside of the project, if there is one."""
        places = [place for each in paths if (place := self.of(each, depth))]
        return next((place for place in places if place.startswith(("/", "~"))), next(iter(places), None))

    def _of_call(self, node: ast.Call, depth: int) -> str | None:
        called = self._names.dotted(node.func)
        if called in _JOINERS:
            return self._joined(tuple(node.args), depth)
        if called == "os.path.dirname" and node.args:
            return _above(self.of(node.args[0], depth))
        if called in _SAME_PLACE and node.args:
            return self.of(node.args[0], depth)
        if isinstance(node.func, ast.Attribute):
            if node.func.attr in _SAME_PLACE_METHODS:
                return self.of(node.func.value, depth)
            if node.func.attr == "joinpath":
                return self._joined((node.func.value, *node.args), depth)
            if node.func.attr == "with_name" and node.args:
                above, name = _above(self.of(node.func.value, depth)), self.of(node.args[0], depth)
                return posixpath.join(above, name or "?") if above else None
        return None

    def _joined(self, parts: tuple[ast.expr, ...], depth: int) -> str | None:
        places = [self.of(part, depth) for part in parts]
        return posixpath.join(*(place or "?" for place in places)) if places and places[0] else None

    def _listed(self, over: ast.AST, depth: int) -> str | None:
        """The folder whose content an expression lists."""
        if not isinstance(over, ast.Call) or depth > _DEPTH:
            return None
        called = self._names.dotted(over.func)
        if called in _LISTS and over.args:
            inner = over.args[0]
            return self._listed(inner, depth + 1) if called in ("sorted", "list", "reversed") else self.of(inner, depth)
        if isinstance(over.func, ast.Attribute) and over.func.attr in _LIST_METHODS:
            return self.of(over.func.value, depth)
        return None


def _above(place: str | None) -> str | None:
    """The folder that a path is in."""
    if not place:
        return None
    return {".": "..", "~": "/home"}.get(place) or posixpath.dirname(place) or None


def _loops(nodes: list[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    """The names that loops and comprehensions bind, each with what it goes over. Of `os.walk` it is the first that is a
    path; the others are bare names and, without their folder, lead nowhere."""
    for node in nodes:
        if isinstance(node, ast.For | ast.comprehension):
            target = node.target.elts[0] if isinstance(node.target, ast.Tuple) and node.target.elts else node.target
            if isinstance(target, ast.Name):
                yield target.id, node.iter
