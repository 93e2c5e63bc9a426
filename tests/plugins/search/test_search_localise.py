"""Localisation: what tests executed, and what tracebacks say."""

from __future__ import annotations

import math
from pathlib import Path

from treadle.core import testrun
from treadle.core.records import GenerateRequest, Job, Plan, Task, Workspace
from treadle.core.tree.workspace import Tree
from treadle.plugins.generation.search import localise
from treadle.plugins.generation.search.judging import Judges
from treadle.plugins.generation.search.left_alone import LeftAlone
from treadle.plugins.generation.search.plugin import suspicious_files
from treadle.plugins.generation.search.source import Suspicious, load
from treadle.plugins.generation.search.suite import Check


def result(name, outcome, lines, frames=()):
    return testrun.TestResult(id=name, outcome=outcome, lines={"m.py": tuple(lines)}, frames=frames)


def everything(path):
    return True


def test_ochiai_is_the_coefficient_of_the_paper():
    failing = [result("a", "failed", [1, 2]), result("b", "failed", [2])]
    passing = [result("c", "passed", [1, 2, 3]), result("d", "passed", [3])]
    scores = localise.ochiai(failing, passing, everything)
    assert scores == {"m.py": {1: 1 / math.sqrt(2 * 2), 2: 2 / math.sqrt(2 * 3)}}


def test_a_line_that_no_failing_test_executed_is_not_suspected():
    scores = localise.ochiai([result("a", "failed", [1])], [result("c", "passed", [2])], everything)
    assert 2 not in scores["m.py"]


def test_the_innermost_frame_is_raised_most():
    failing = [result("a", "failed", [1, 5, 9], frames=(("m.py", 5), ("m.py", 9), ("other.py", 1)))]
    scores = localise.ochiai(failing, [], everything)
    localise.boost_frames(scores, failing, lambda path: path == "m.py")
    assert scores["m.py"][9] > scores["m.py"][5] > scores["m.py"][1]
    assert "other.py" not in scores


def test_a_statement_on_several_lines_is_as_suspicious_as_its_worst_line():
    file = load("m.py", b"x = f(\n    a,\n    b,\n)\ny = 1\n")
    assert file is not None
    scores = localise.statement_scores(file, {1: 0.5, 3: 0.9})
    assert scores[file.tree.body[0]] == 0.9
    assert file.tree.body[1] not in scores


def test_a_block_is_not_suspicious_for_its_body():
    file = load("m.py", b"if a:\n    b = 1\n    c = 2\n")
    assert file is not None
    scores = localise.statement_scores(file, {1: 0.2, 3: 0.8})
    assert scores[file.tree.body[0]] == 0.2


def test_a_constant_is_suspected_with_those_who_use_it():
    file = load("m.py", b"RATE = 3\nOTHER = 4\n\n\ndef f(x):\n    return x * RATE\n")
    assert file is not None
    scores = localise.statement_scores(file, {6: 1.0})
    assert scores[file.tree.body[0]] == localise.USED_DEFINITION
    assert file.tree.body[1] not in scores


def test_tests_and_installed_files_are_no_source():
    for path in (
        "test_a.py",
        "a_test.py",
        "pkg/conftest.py",
        "tests/data.py",
        ".venv/lib/x.py",
        "lib/site-packages/x.py",
        "build/lib/pkg/x.py",
        "../x.py",
        "/abs/x.py",
        "notes.txt",
    ):
        assert not localise.is_source(path, frozenset())
    assert not localise.is_source("checks.py", frozenset({"checks.py"}))
    for path in ("src/pkg/testing_tools.py", "game/env/grid.py", "tools/build/rules.py"):
        assert localise.is_source(path, frozenset())


def test_the_scope_holds_files_and_folders():
    assert localise.in_scope("src/a.py", ())
    assert localise.in_scope("src/a.py", ("src",))
    assert localise.in_scope("src/a.py", ("src/a.py",))
    assert not localise.in_scope("srcs/a.py", ("src",))


def test_functions_are_ranked_by_their_worst_line():
    file = load("m.py", b"def f():\n    return 1\n\n\nclass A:\n    def g(self):\n        return 2\n")
    assert file is not None
    scores = localise.statement_scores(file, {2: 0.3, 7: 0.8})
    ranked = localise.rank_functions([(file, scores)])
    assert [(s.function, s.line) for s in ranked] == [("A.g", 7), ("f", 2)]


def test_what_was_executed_goes_before_what_only_has_a_name_that_a_test_speaks_of(tmp_path):
    stores = [f"store_{n}.py" for n in range(5)]
    for path in stores:
        (tmp_path / path).write_text("def get(key):\n    return key\n")
    (tmp_path / "zoo.py").write_text("def feed(x):\n    return x\n\n\ndef get(x):\n    return 1\n")
    imports = "".join(f"import {path.removesuffix('.py')}\n" for path in (*stores, "zoo.py"))
    (tmp_path / "test_zoo.py").write_text(imports)
    found = suspected(tmp_path, {"zoo.py": (2,)}, {"get"})
    assert [file.path for file, _ in found] == ["zoo.py", *stores[:4]]
    lines = {statement.lineno: score for statement, score in found[0][1].items()}
    assert lines[2] == 0.5 > lines[5]


def test_a_table_that_a_test_names_is_looked_at_however_many_files_were_executed(tmp_path):
    executed = [f"store_{n}.py" for n in range(6)]
    for path in executed:
        (tmp_path / path).write_text("def get(key):\n    return key\n")
    (tmp_path / "rates.py").write_text("class Rates:\n    OLD = {}\n    NEW = {\n        1: 2,\n    }\n")
    (tmp_path / "test_zoo.py").write_text("from rates import Rates\n")
    found = suspected(tmp_path, dict.fromkeys(executed, (2,)), {"NEW", "Rates"})
    assert [file.path for file, _ in found] == [*executed[:4], "rates.py"]
    assert [statement.lineno for statement in found[-1][1]] == [3]


def suspected(folder: Path, lines: dict[str, tuple[int, ...]], named: set[str]) -> Suspicious:
    """The five most suspicious files, where one failing test and three others executed these lines."""
    failing = testrun.TestResult(id="test_zoo.py::test_x", outcome="failed", lines=lines)
    passing = tuple(testrun.TestResult(id=f"t{n}", outcome="passed", lines=lines) for n in range(3))
    workspace = Workspace(id="w", kind="overlay", project=str(folder), root=str(folder), upper="")
    checks = (Check(Job(id="tests"), (failing,), passing, frozenset(), 1.0),)
    request = GenerateRequest(
        task=Task(id="t", project=str(folder), kind="fix", python=""),
        plan=Plan(steps=(), checks=()),
        workspace=workspace,
        baseline=(),
        attempts=(),
        lessons=(),
    )
    tree = Tree(workspace)
    left_alone = LeftAlone(request, Judges(checks, tree), tree)
    traced = (testrun.TestReport(complete=True, tests=(failing, *passing)),)
    return suspicious_files(checks, traced, tree, left_alone, 5, named)
