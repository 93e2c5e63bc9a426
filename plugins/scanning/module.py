"""One parsed module as the checks see it: its nodes, what encloses each of them, and the text of a node."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from treadle.plugins.scanning.dangers import TEST_FILE
from treadle.plugins.scanning.names import Names
from treadle.plugins.scanning.places import Places

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Hit(NamedTuple):
    """A rule that holds at a line (from 1; 0: the whole file). `snippet` tells equal findings from new ones."""

    rule: str
    line: int
    snippet: str


class Module:
    """A parsed module. `nodes` are all its nodes, breadth first; `defined` its functions and classes by their names."""

    def __init__(self, path: str, text: str, tree: ast.Module) -> None:
        self.path = path
        self.tree = tree
        self.is_test = TEST_FILE.search(path) is not None
        self.nodes: list[ast.AST] = []
        self._lines = text.split("\n")
        self._parents: dict[ast.AST, ast.AST] = {}
        self._endless: dict[ast.While, bool] = {}
        self._called_in: dict[ast.AST, frozenset[str]] = {}
        self._assigned: dict[str, list[ast.expr]] = {}
        self._called: frozenset[str] | None = None
        self.defined: dict[str, list[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]] = {}
        for node in ast.walk(tree):
            self.nodes.append(node)
            for child in ast.iter_child_nodes(node):
                self._parents.setdefault(child, node)
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                self.defined.setdefault(node.name, []).append(node)
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self._assigned.setdefault(target.id, []).append(node.value)
        self.names = Names(tree, self.nodes)
        self.paths = self._names_of_paths()
        self._places = Places(self.names, self._assigned, self.nodes)

    def assigned(self, name: str) -> list[ast.expr]:
        """What is assigned to a name anywhere in the module, at most twenty of them."""
        return self._assigned.get(name, [])[:20]

    def place(self, node: ast.AST | None) -> str | None:
        """Where a path leads, `?` for the parts that are not known; None when nothing is known of it."""
        return self._places.of(node)

    @property
    def called(self) -> frozenset[str]:
        """The full names of all that the module calls."""
        if self._called is None:
            calls = (self.names.dotted(node.func) for node in self.nodes if isinstance(node, ast.Call))
            self._called = frozenset(name for name in calls if name)
        return self._called

    def _names_of_paths(self) -> frozenset[str]:
        """The names that anywhere hold a Path."""
        found: set[str] = set()
        for _ in range(3):
            for name, values in self._assigned.items():
                if name not in found and any(self.is_path(value, found) for value in values[:20]):
                    found.add(name)
        return frozenset(found)

    def is_path(self, node: ast.AST, known: frozenset[str] | set[str] | None = None) -> bool:
        """Whether an expression makes a Path (a text has methods of the same names)."""
        known = self.paths if known is None else known
        return any(
            (isinstance(inner, ast.Call) and (self.names.dotted(inner.func) or "").startswith("pathlib."))
            or (isinstance(inner, ast.Name) and inner.id in known)
            for inner in ast.walk(node)
        )

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node around this one."""
        return self._parents.get(node)

    def around(self, node: ast.AST, most: int = 300) -> Iterator[ast.AST]:
        """The nodes around this one, innermost first, at most so many."""
        current = self._parents.get(node)
        while current is not None and most:
            yield current
            current = self._parents.get(current)
            most -= 1

    def function_around(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The innermost function that the node is in."""
        return next((n for n in self.around(node) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)), None)

    def runs_on_import(self, node: ast.AST) -> bool:
        """Whether the node runs when the module is imported: in no function, and not only as a main program."""
        return not any(isinstance(n, _FUNCTIONS) or _is_main_guard(n) for n in self.around(node))

    def in_endless_loop(self, node: ast.AST) -> bool:
        """Whether the node is in a `while` over something that is always true, with no way out of it."""
        for around in self.around(node):
            if isinstance(around, _FUNCTIONS):
                return False
            if isinstance(around, ast.While):
                if around not in self._endless:
                    self._endless[around] = is_endless(around)
                if self._endless[around]:
                    return True
        return False

    def called_in(self, node: ast.AST) -> frozenset[str]:
        """The last parts of the names of all that is called in a node; told once for each, since many may ask."""
        if node not in self._called_in:
            functions = (n.func for n in ast.walk(node) if isinstance(n, ast.Call))
            last = (f.attr if isinstance(f, ast.Attribute) else getattr(f, "id", "") for f in functions)
            self._called_in[node] = frozenset(last)
        return self._called_in[node]

    def hit(self, rule: str, node: ast.AST) -> Hit:
        """A finding at this node."""
        return Hit(rule, getattr(node, "lineno", 0), self._snippet(node))

    def _snippet(self, node: ast.AST) -> str:
        """The node's own text with its spaces evened out, so that moving and reformatting keep it the same."""
        first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0) or 0
        if not first:
            return type(node).__name__
        lines = self._lines[first - 1 : min(last, first + 40)]
        if not lines:
            return type(node).__name__
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            return f"{type(node).__name__} {node.name}"
        raw = [line.encode("utf-8", "surrogatepass") for line in lines]
        if last <= first + 40:
            raw[-1] = raw[-1][: getattr(node, "end_col_offset", None)]
        raw[0] = raw[0][getattr(node, "col_offset", 0) :]
        return "".join(b"".join(raw).decode("utf-8", "replace").split()).replace('"', "'")[:2000]


def is_endless(loop: ast.While) -> bool:
    """`while True` and the like, without a `break` or `return` of its own."""
    if not (isinstance(loop.test, ast.Constant) and bool(loop.test.value)):
        return False
    return not any(isinstance(node, ast.Break | ast.Return) for node in ast.walk(loop))


def _is_main_guard(node: ast.AST) -> bool:
    if not isinstance(node, ast.If) or not isinstance(node.test, ast.Compare):
        return False
    return isinstance(node.test.left, ast.Name) and node.test.left.id == "__name__"
