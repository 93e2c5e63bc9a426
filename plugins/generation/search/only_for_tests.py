"""Files beside the tests that only help them: builders, assertions, fixtures in modules of their own.

What is tested is imported by tests alone as well, wherever nothing else of the project uses it. So a file counts as a
help of tests where all of this holds: it looks like one (it lies in a folder with tests and none of them has its name,
is written with pytest or unittest, or defines an assertion); tests and other helps import it, and no other code does;
and what is tested lies somewhere else, since a test that imports it, or the file itself where it is written for tests,
imports other code of the project. In doubt it is no help: a repair that may not be made is never found, one that was
made is shown.
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
        return self._helps(path, set())

    def _helps(self, path: str, known: set[str]) -> bool:
        """`known`: the files that are being asked about; those that import each other in a circle stand or fall
        together."""
        known.add(path)
        place = self._place(path)
        looks_so = not self._is_named_by_a_test(path) if place in self._folders else self._is_written_for_tests(path)
        return looks_so and self._is_used_by_tests_alone(path, known) and self._is_beside_what_is_tested(path, place)

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
        stem = f"_{name.removesuffix('.py').strip('_')}_"
        return any(stem in f"_{each.rpartition('/')[2].removesuffix('.py')}_" for each in beside)

    def _is_used_by_tests_alone(self, path: str, known: set[str]) -> bool:
        """Whether tests and other helps import it and nothing else does. What the package around it hands on is used
        by those who import the package."""
        importers = set(self._imports.importers(path))
        package = f"{path.rpartition('/')[0]}/__init__.py"
        if package in importers and package != path:
            importers.update(self._imports.importers(package))
            importers -= {package, path}
        return bool(importers) and all(
            each in known or self._judges(each) or self._helps(each, known) for each in importers
        )

    def _is_beside_what_is_tested(self, path: str, place: str) -> bool:
        asked = [each for each in self._imports.importers(path) if self._judges(each)]
        asked += [path] if self._is_written_for_tests(path) else []
        imported = itertools.chain.from_iterable(map(self._imports.imported, asked))
        beside = (each for each in imported if not self._judges(each) and not f"{each}/".startswith(f"{place}/"))
        return any(not self._is_written_for_tests(each) for each in beside)

    def _is_written_for_tests(self, path: str) -> bool:
        return _WRITTEN_FOR_TESTS.search(self._content(path)) is not None

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
