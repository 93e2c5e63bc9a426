"""Tests that a change only renames: under its new name each is the test that it was, whether it passed or failed."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator, Mapping

import msgspec

from treadle.core.errors import SourceError, UnsafePath
from treadle.core.records import Candidate, CollectedFile, Execution, FileChange, Workspace
from treadle.core.testrun import REPORT, report_of
from treadle.core.tree.renames import renames, with_new_names
from treadle.core.tree.shapes import shape
from treadle.core.tree.sources import decode_source, is_python, parse
from treadle.core.tree.workspace import Tree
from treadle.plugins.test_runs.functions_of_tests import functions_of_tests


def renamed_by(candidate: Candidate, workspace: Workspace) -> dict[str, str]:
    """The new ids of the tests that have another one since the change, by their old ones; of a test with parameters
    without these."""
    tree = Tree(workspace)
    things = renames(candidate.files, workspace)
    return {old: new for change in candidate.files for old, new in _renamed(change, tree, things)}


def under(names: Mapping[str, str], executions: tuple[Execution, ...]) -> tuple[Execution, ...]:
    """The runs, with the tests of these ids under the others."""
    return tuple(_under(names, execution) for execution in executions) if names else executions


def _under(names: Mapping[str, str], execution: Execution) -> Execution:
    report = report_of(execution)
    if report is None:
        return execution
    tests = tuple(msgspec.structs.replace(test, id=_called(test.id, names)) for test in report.tests)
    said = CollectedFile(name=REPORT, content=msgspec.json.encode(msgspec.structs.replace(report, tests=tests)))
    return msgspec.structs.replace(
        execution, files=tuple(said if file.name == REPORT else file for file in execution.files)
    )


def _called(test: str, names: Mapping[str, str]) -> str:
    function, bracket, parameters = test.partition("[")
    return f"{names.get(function, function)}{bracket}{parameters}"


def _renamed(change: FileChange, tree: Tree, things: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The tests of one file; those of `things` that have another name too speak of them by it."""
    if change.content is None or not is_python(change.path, change.content):
        return
    try:
        before = _tests(change.path, with_new_names(parse(decode_source(tree.read(change.path))), things))
        after = _tests(change.path, parse(decode_source(change.content)))
    except (OSError, UnsafePath, SyntaxError, SourceError):
        return
    alike: dict[object, deque[str]] = {}
    for test, content in after.items():
        if test not in before:
            alike.setdefault((test.rpartition("::")[0], content), deque()).append(test)
    for test, content in before.items():
        new = alike.get((test.rpartition("::")[0], content))
        if test not in after and new:
            yield test, new.popleft()


def _tests(path: str, tree: ast.Module) -> dict[str, tuple[object, ...]]:
    """All of each test but its name, by its id."""
    found = functions_of_tests(tree)
    return {f"{path}::{test}": shape([each.args, each.body, each.decorator_list]) for test, each in found.items()}
