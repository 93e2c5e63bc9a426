"""What judges a repair, and so is never changed by one: the files of tests, and that by which a plain command checks.

pytest names the file of each test. A plain command names nothing, so there the files say it: those with tests in them,
the script that the command runs where it has other files to check, and what asserts and is imported by nobody. What
only helps the tests judges with them (`only_for_tests`).
"""

from __future__ import annotations

import ast
import itertools
import re
import shlex
from collections.abc import Iterable, Iterator
from functools import cached_property

from treadle.core.errors import UnsafePath
from treadle.core.testrun import is_test_job, request_of
from treadle.core.tree.workspace import Tree
from treadle.plugins.generation.search.imports import Imports, imported_files
from treadle.plugins.generation.search.localise import file_of_test, is_source
from treadle.plugins.generation.search.only_for_tests import OnlyForTests
from treadle.plugins.generation.search.source import FUNCTIONS, SourceFile
from treadle.plugins.generation.search.suite import COMMAND, Check
from treadle.plugins.test_runs.test_places import holds_tests, is_of_tests

_BETWEEN_COMMANDS = re.compile(r"&&|\|\||[;|&\n]")
_CHECKING = (ast.Expr, ast.If, ast.For, ast.While, ast.With, ast.Try)
"""What a script does at its top level, as opposed to what it defines there."""


class Judges:
    """What judges here, of the project's files as they are."""

    def __init__(self, checks: Iterable[Check], tree: Tree) -> None:
        checks = tuple(checks)
        self._tree = tree
        self._commands = tuple(check for check in checks if check.order == (COMMAND,))
        every_test = (t.id for check in checks for t in (*check.failing, *check.passing))
        self._files = frozenset(file_of_test(test) for test in every_test)
        self._imports = Imports(tree)
        self._helps = OnlyForTests(tree, self._imports, self.holds_tests, self._files)
        self._known: dict[str, bool] = {}

    def has(self, path: str) -> bool:
        """Whether the file is one of the tests, or of what only helps them, or, of a plain command, one that it checks
        the others by."""
        if path not in self._known:
            known = not is_source(path, self._files) or self._checks(path) or self._helps.has(path)
            self._known[path] = known
        return self._known[path]

    def only_helps(self, path: str) -> bool:
        """Whether it judges for no other reason than that it looks like a help of tests: a person may know better."""
        return self.has(path) and is_source(path, self._files) and not self._checks(path)

    def checks_by(self, path: str) -> bool:
        """Whether a plain command checks by the file, which is no test by its name."""
        return is_source(path, self._files) and self._checks(path)

    def holds_tests(self, path: str) -> bool:
        """Whether tests are in the file, or it belongs to them by its name."""
        return path in self._files or is_of_tests(path) or self._checks(path)

    def statements(self, file: SourceFile) -> frozenset[ast.stmt]:
        """The statements of a file that is checked and checks at once by which it does the latter: the assertions, and
        what a script does when it runs. Without them a plain command passes, and says nothing."""
        if not self._commands:
            return frozenset()
        checking = [
            each for node in ast.walk(file.tree) if isinstance(node, ast.Assert) for each in _around(file, node)
        ]
        if file.path in self._scripts:
            doing = (node for node in file.tree.body if isinstance(node, _CHECKING))
            checking += (node for each in doing for node in ast.walk(each) if isinstance(node, ast.stmt))
        return frozenset(checking)

    def _checks(self, path: str) -> bool:
        if not self._commands:
            return False
        try:
            content = self._tree.read(path)
        except (OSError, UnsafePath):
            return False
        if holds_tests(content):
            return True
        asserts = b"assert" in content and not self._imports.names_module_of(path)
        others = (each for each in self._tree.python_files() if each != path)
        return (asserts or path in self._scripts) and bool(imported_files(self._tree, path, tuple(others)))

    @cached_property
    def _scripts(self) -> frozenset[str]:
        """The files of the project that the commands run by name."""
        args = (request_of(check.job).args for check in self._commands if is_test_job(check.job))
        return frozenset(script for words in args for script in scripts_of(words))


def _around(file: SourceFile, assertion: ast.Assert) -> Iterator[ast.stmt]:
    """The assertion, and what of its function runs it: the loop or condition around it."""
    yield assertion
    inside = itertools.takewhile(lambda node: not isinstance(node, FUNCTIONS), file.ancestors(assertion))
    yield from (node for node in inside if isinstance(node, ast.stmt) and not isinstance(node, ast.ClassDef))


def scripts_of(words: tuple[str, ...]) -> Iterator[str]:
    """The portable paths of the Python files that a command runs by their names, or as modules. They need not exist."""
    for command in _commands(words):
        if "-m" in command[:-1]:
            module = command[command.index("-m") + 1].replace(".", "/")
            yield from (f"{module}.py", f"{module}/__main__.py", f"src/{module}.py", f"src/{module}/__main__.py")
        else:
            yield from itertools.islice((word.removeprefix("./") for word in command if word.endswith(".py")), 1)


def _commands(words: tuple[str, ...]) -> Iterator[list[str]]:
    if words[:1] not in (("sh",), ("bash",)):
        yield list(words)
        return
    for command in _BETWEEN_COMMANDS.split(words[-1]):
        try:
            yield shlex.split(command)
        except ValueError:  # a quoted separator; what it runs is not known then
            continue
