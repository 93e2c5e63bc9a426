"""Failing tests that no change of the code mends: what they lack is not in the code."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from treadle.core.testrun import NO_SUCH_TEST, TestResult
from treadle.core.tree.workspace import Tree
from treadle.plugins.generation.search.localise import file_of_test, is_source
from treadle.plugins.generation.search.project import read_source
from treadle.plugins.generation.search.suite import Check

_INVALID = frozenset({SyntaxError.__name__, IndentationError.__name__, TabError.__name__})


def lacking(checks: Iterable[Check], tree: Tree) -> tuple[str, ...]:
    """What each required test that can't be mended lacks, a phrase each: a module that nobody has, a fixture, a run of
    pytest that gets as far as its tests."""
    found = (
        _lacking(test, tree, ran=bool(check.order))
        for check in checks
        for test in check.failing
        if test.id in check.required
    )
    return tuple(dict.fromkeys(what for what in found if what))


def no_python(checks: Iterable[Check], tree: Tree) -> tuple[str, ...]:
    """The files of the tests themselves, which no repair changes, that are no valid Python, a phrase each."""
    found = (_no_python(test, tree) for check in checks for test in check.failing if test.id in check.required)
    return tuple(dict.fromkeys(what for what in found if what))


def _no_python(test: TestResult, tree: Tree) -> str:
    """Only where nothing but imports leads there: what code of the project reads may be meant to be invalid."""
    if test.exception not in _INVALID or not test.frames:
        return ""
    own = frozenset({file_of_test(test.id)})
    *before, (file, line) = test.frames
    if any(is_source(path, own) for path, _ in test.frames) or not tree.exists(file):
        return ""
    if not all(_is_imported_always(tree, *frame) for frame in before):
        return ""
    return f"{file}, line {line}, is no valid Python ({test.message})"


def _lacking(test: TestResult, tree: Tree, *, ran: bool) -> str:
    if test.exception in ("FixtureLookupError", NO_SUCH_TEST):
        return f"{test.message} ({test.id})"
    if test.exception == "ModuleNotFoundError":
        file, line = test.frames[-1] if test.frames else (file_of_test(test.id), 0)
        if not is_source(file, frozenset({file_of_test(test.id)})) or _is_imported_always(tree, file, line):
            return f"{test.message.lower()} ({file}:{line}{_where_it_lies(test.message, tree)})"
    if not test.id and not test.frames and not ran:
        return f"the tests did not even start: {test.message}"
    return ""


def _where_it_lies(message: str, tree: Tree) -> str:
    """Where the project itself has the module that its tests do not find, as the end of a sentence."""
    name = message.partition("'")[2].partition("'")[0].partition(".")[0]
    if name and (tree.exists(f"src/{name}") or tree.exists(f"src/{name}.py")):
        return '; it lies in src/: install the project (pip install -e .), or set pythonpath = ["src"] for pytest'
    return ""


def _is_imported_always(tree: Tree, path: str, line: int) -> bool:
    """Whether an import stands on that line outside of any condition; one inside may only be the wrong branch."""
    file = read_source(tree, path)
    always = (ast.Import, ast.ImportFrom)
    return file is not None and any(
        isinstance(node, always) and node.lineno <= line <= (node.end_lineno or line) for node in file.tree.body
    )
