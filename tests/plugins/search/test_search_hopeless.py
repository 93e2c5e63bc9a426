"""When a search is not worth beginning: what failing tests lack is not in the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from treadle.core.records import Job, Workspace
from treadle.core.testrun import TestResult
from treadle.core.tree.workspace import Tree
from treadle.plugins.generation.search.hopeless import lacking, no_python
from treadle.plugins.generation.search.suite import Check


def tree_of(project: Path) -> Tree:
    return Tree(Workspace(id="w", kind="overlay", project=str(project), root=str(project), upper=""))


@pytest.mark.parametrize("order", [(), ("test_a.py::test_first",)])
def test_a_run_without_any_test_did_not_start_and_one_that_was_cut_off_did(
    tmp_path: Path, order: tuple[str, ...]
) -> None:
    problem = TestResult(id="", outcome="error", message="exit code 2")
    check = Check(Job(id="tests"), (problem,), (), frozenset({""}), 1.0, order)
    said = lacking((check,), tree_of(tmp_path))
    assert said == (() if order else ("the tests did not even start: exit code 2",))


@pytest.mark.parametrize(
    ("frames", "said"),
    [
        ((("conftest.py", 1),), ("conftest.py, line 1, is no valid Python (expected ':')",)),
        ((("test_a.py", 1), ("tests/help.py", 3)), ("tests/help.py, line 3, is no valid Python (expected ':')",)),
        ((("test_a.py", 4), ("tests/help.py", 3)), ()),
        ((("test_a.py", 4), ("a.py", 2), ("tests/help.py", 3)), ()),
        ((("a.py", 1),), ()),
    ],
)
def test_tests_that_are_no_python_are_told_unless_it_is_the_code_that_reads_them(
    tmp_path: Path, frames: tuple[tuple[str, int], ...], said: tuple[str, ...]
) -> None:
    (tmp_path / "tests").mkdir()
    for name in ("conftest.py", "a.py", "tests/help.py"):
        (tmp_path / name).write_text("def invalid()\n")
    (tmp_path / "test_a.py").write_text("import tests.help\n\ndef test_a():\n    assert tests.help\n")
    failed = TestResult(id="test_a.py", outcome="error", message="expected ':'", exception="SyntaxError", frames=frames)
    check = Check(Job(id="tests"), (failed,), (), frozenset({"test_a.py"}), 1.0)
    assert no_python((check,), tree_of(tmp_path)) == said
