"""Which of the project's files import each other, by the names in their import statements."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from itertools import chain

from treadle.core.errors import UnsafePath
from treadle.core.tree.workspace import Tree
from treadle.plugins.generation.search.project import LARGEST_FILE, read_source

_STATEMENT = re.compile(
    rb"^[ \t]*(?:from\b[^\n(]*\([^)]*\)|(?:from|import)\b[^\n]*"
    rb"|pytest_plugins\b[^\n\[(]*(?:\([^)]*\)|\[[^\]]*\]|[^\n]*))",
    re.MULTILINE,
)
_NAME = re.compile(r"\w+")


class Imports:
    """Who imports what in this project."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._importers: dict[str, tuple[str, ...]] = {}
        self._imported: dict[str, tuple[str, ...]] = {}

    def names_module_of(self, path: str) -> bool:
        """Whether any import statement holds the last part of the module's name."""
        return any(_module_of(path) in names for names in self._names.values())

    def importers(self, path: str) -> tuple[str, ...]:
        """The other files that import this one, or some other one of its name."""
        if path not in self._importers:
            module = _module_of(path)
            likely = (other for other, names in self._names.items() if module in names and other != path)
            self._importers[path] = tuple(each for each in likely if imported_files(self._tree, each, (path,)))
        return self._importers[path]

    def imported(self, importer: str) -> tuple[str, ...]:
        """The other files that this one imports."""
        if importer not in self._imported:
            others = tuple(each for each in self._names if each != importer)
            self._imported[importer] = imported_files(self._tree, importer, others)
        return self._imported[importer]

    @cached_property
    def _names(self) -> dict[str, frozenset[str]]:
        """All names in the import statements of each file: by the look of the text, since parsing a whole project takes
        long."""
        found: dict[str, frozenset[str]] = {}
        for path in self._tree.python_files():
            try:
                statements = _STATEMENT.findall(self._tree.read(path, LARGEST_FILE))
            except (OSError, UnsafePath):
                continue
            found[path] = frozenset(chain(*(_NAME.findall(each.decode("utf-8", "replace")) for each in statements)))
        return found


def imported_files(tree: Tree, importer: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the known files that a file imports, by the names in its import statements, or has pytest import."""
    file = read_source(tree, importer)
    if file is None:
        return ()
    found: dict[str, None] = {}
    for module in dict.fromkeys(chain(*map(_modules, ast.walk(file.tree)))):
        stem = module.replace(".", "/")
        for path in known:
            if any(path == end or path.endswith("/" + end) for end in (f"{stem}.py", f"{stem}/__init__.py")):
                found.setdefault(path)
    return tuple(found)


def _modules(node: ast.AST) -> Iterator[str]:
    """The modules that a statement may mean."""
    if isinstance(node, ast.Import):
        yield from (a.name for a in node.names)
    elif isinstance(node, ast.ImportFrom):
        inside = f"{node.module}." if node.module else ""
        yield from (node.module,) if node.module else ()
        yield from (inside + a.name for a in node.names)
    elif isinstance(node, ast.Assign) and any(
        isinstance(t, ast.Name) and t.id == "pytest_plugins" for t in node.targets
    ):
        named = (part.value for part in ast.walk(node.value) if isinstance(part, ast.Constant))
        yield from (name for name in named if isinstance(name, str))


def _module_of(path: str) -> str:
    """The last part of the module's name."""
    return path.removesuffix(".py").removesuffix("/__init__").rpartition("/")[2]
