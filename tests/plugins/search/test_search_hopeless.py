"""When a search is not worth beginning: what failing tests lack is not in the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from treadle.core.records import Job, Workspace
from treadle.core.testrun import TestResult
from treadle.core.tree.workspace import Tree
from treadle.plugins.generation.search.hopeless import lacking
from treadle.plugins.generation.search.suite import Check


@pytest.mark.parametrize("order", [(), ("test_a.py::test_first",)])
def test_a_run_without_any_test_did_not_start_and_one_that_was_cut_off_did(
    tmp_path: Path, order: tuple[str, ...]
) -> None:
    problem = TestResult(id="", outcome="error", message="exit code 2")
    check = Check(Job(id="tests"), (problem,), (), frozenset({""}), 1.0, order)
    workspace = Workspace(id="w", kind="overlay", project=str(tmp_path), root=str(tmp_path), upper="")
    said = lacking((check,), Tree(workspace))
    assert said == (() if order else ("the tests did not even start: exit code 2",))
