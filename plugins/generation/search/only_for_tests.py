"""Files beside the tests that only help them: builders, assertions, fixtures in modules of their own.

What is tested is imported by tests alone as well, wherever nothing else of the project uses it. So a file counts as a
help of tests where all of this holds: tests reach it and no other code does; it looks like a help (it lies in a folder
with tests, is written with pytest or unittest, or defines an assertion); and what is tested lies somewhere else, since
the file itself, or a test that imports it, imports other code of the project.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection

from treadle.core.errors import UnsafePath
from treadle.core.tree.workspace import Tree
from treadle.plugins.generation.search.imports import Imports
from treadle.plugins.generation.search.project import LARGEST_FILE

_WRITTEN_FOR_TESTS = re.compile(
    rb"^[ \t]*(?:(?:from|import)[ \t]+_?(?:pytest|unittest|hypothesis|mock)\b"
    rb"|(?:async[ \t]+)?def[ \t]+_?assert\w*[ \t]*\()",
    re.MULTILINE,
)
_ROOTS = ("src", "lib")
"""Folders that hold packages, and are none."""


class OnlyForTests:
    """The files of a project that only help its tests. `judges` says of a file whether it holds tests or belongs to
    them by its name; `tests` are the files in which tests were found."""

    def __init__(self, tree: Tree, imports: Imports, judges: Callable[[str], bool], tests: Collection[str]) -> None:
        self._tree = tree
        self._imports = imports
        self._judges = judges
        self._folders = frozenset(test.rpartition("/")[0] for test in tests) - {"", *_ROOTS}

    def has(self, path: str) -> bool:
        """Whether the file is one of them."""
        place = self._place(path)
        if place in self._folders:
            looks_so = not self._is_named_by_a_test(path)
        else:
            looks_so = _WRITTEN_FOR_TESTS.search(self._content(path)) is not None
        return looks_so and self._is_reached_by_tests_alone(path, set()) and self._is_beside_what_is_tested(path, place)

    def _place(self, path: str) -> str:
        """The folder of tests in which the file lies, else its top-level package or module."""
        folders = path.split("/")[:-1]
        for end in range(1, len(folders) + 1):
            if "/".join(folders[:end]) in self._folders:
                return "/".join(folders[:end])
        return _top(path)

    def _is_named_by_a_test(self, path: str) -> bool:
        """Whether a test beside it has its name in its own, as `test_parser.py` is of `parser.py`."""
        folder, _, name = path.rpartition("/")
        beside = (
            each for each in self._tree.python_files() if each.rpartition("/")[0] == folder and self._judges(each)
        )
        stem = name.removesuffix(".py")
        return any(stem in re.split(r"_|\.", each.rpartition("/")[2]) or each.endswith(f"_{name}") for each in beside)

    def _is_reached_by_tests_alone(self, path: str, known: set[str]) -> bool:
        known.add(path)
        importers = self._imports.importers(path)
        if not importers:
            return path.endswith("/__init__.py")
        return all(
            each in known or self._judges(each) or self._is_reached_by_tests_alone(each, known) for each in importers
        )

    def _is_beside_what_is_tested(self, path: str, place: str) -> bool:
        users = (each for each in self._imports.importers(path) if self._judges(each))
        imported = itertools.chain.from_iterable(map(self._imports.imported, (path, *users)))
        beside = (each for each in imported if not self._judges(each) and not f"{each}/".startswith(f"{place}/"))
        return any(_WRITTEN_FOR_TESTS.search(self._content(each)) is None for each in beside)

    def _content(self, path: str) -> bytes:
        try:
            return self._tree.read(path, LARGEST_FILE)
        except (OSError, UnsafePath):
            return b""


def _top(path: str) -> str:
    """The package, or module, at the top of the project in which a file lies."""
    parts = path.split("/")
    depth = 2 if parts[0] in _ROOTS and len(parts) > 1 else 1
    return "/".join(parts[:depth])
