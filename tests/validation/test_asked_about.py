"""Whether tests that still fail speak against a change of a task that spoke of them in general words."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.validation.test_validate_tests import run
from treadle.core.records import Execution, Task, Workspace
from treadle.core.tree.workspace import Tree
from treadle.plugins.validation.asked_about import still_failing
from treadle.plugins.validation.wants_mended import wants_mended

BEFORE = (run({"a.py::test_x": "failed", "b/b.py::test_y": "failed", "a.py::test_z": "passed"}),)
ONE_LEFT = (run({"a.py::test_x": "passed", "b/b.py::test_y": "failed", "a.py::test_z": "passed", "new": "failed"}),)


def tree_at(place: str) -> Tree:
    return Tree(Workspace(id="w", kind="copy", project=place, root=place, upper=""))


NO_FILES = tree_at("/nowhere")


def summaries(text: str, after: tuple[Execution, ...] = ONE_LEFT) -> list[str]:
    task = Task(id="t", kind="run", project="/p", python="python", text=text)
    return [signal.summary for signal in still_failing(task, BEFORE, after, NO_FILES)]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "fix the failing tests",
            "Make the tests pass",
            "mend all broken unit tests",
            "get the test suite green again",
        ),
        *("The tests fail. Fix that.", "Why do 3 tests fail? Mend them", "fix whatever makes the tests fail"),
        "The tests fail, fix the parser's error handling",
    ],
)
def test_who_wants_failing_tests_mended_is_not_done_while_one_of_them_fails(text: str) -> None:
    assert summaries(text) == ["the task is to mend failing tests, and what failed before still fails: b/b.py::test_y"]


@pytest.mark.parametrize(
    "text",
    [
        *("add a test that fails when x is 0", "write failing tests for parse", "why does the test fail?"),
        *("fix parse() and add a failing test first", "fix the error messages of failing tests"),
        *("do not fix the failing tests", "Rename f; make sure that all tests pass", "fix the tests' imports"),
        *("add a test that fails when x is 0 and fix it", "fix the failing test runner", "make a test that passes"),
        *("fix the tests to use fixtures", "rename f without fixing the broken tests"),
        *("The tests fail. Do not even try to fix them, say why", "The tests are red. Please fix the typo in README"),
        *("The tests fail; fix the docs", "All tests fail here, fix the misleading docstring of f"),
        *("Fix tests/conftest.py: the fixture leaks", "fix tests.py, whose lines are too long"),
    ],
)
def test_other_words_of_failing_tests_want_nothing_mended(text: str) -> None:
    assert wants_mended(text) == ""
    assert summaries(text) == []


def test_what_an_import_hid_before_is_to_pass_as_well() -> None:
    before = (run({"b.py::test_y": "failed"}, problems=("a.py",)),)
    after = (run({"a.py::test_x": "failed", "b.py::test_y": "passed"}),)
    task = Task(id="t", kind="run", project="/p", python="python", text="make the tests pass")
    (signal,) = still_failing(task, before, after, NO_FILES)
    assert signal.summary.endswith("fails: a.py::test_x")
    elsewhere = msgspec.structs.replace(task, text="fix the failing tests in b.py")
    assert still_failing(elsewhere, before, after, NO_FILES) == ()


def test_what_is_wanted_is_as_much_as_was_said() -> None:
    assert summaries("fix the failing test") == []  # one of them
    assert len(summaries("fix the failing test", BEFORE)) == 1
    assert summaries("fix the failing tests in `a.py`, please") == []
    assert len(summaries("fix the failing tests in b/")) == 1


OF_STATS = """
import shop
from stats import Stack, mean as average

def test_mean():
    assert average([1]) == 1

class TestStack:
    def test_pop(self):
        assert Stack([1]).pop() == 1

def test_price(items=0):
    assert shop.price(items) == 2
"""
MEAN, POP, PRICE = "test_stats.py::test_mean", "test_stats.py::TestStack::test_pop", "test_stats.py::test_price[1]"


@pytest.mark.parametrize(
    ("text", "still"),
    [
        *(
            ("Fix mean", MEAN),
            ("please repair the bug in `mean()`, it ignores zeros", MEAN),
            ("Correct Stack.pop", POP),
        ),
        *(
            ("fix price so that shop.price is right", PRICE),
            ("Fix shop.py", PRICE),
            ("fix the bug in src/shop.py.", PRICE),
        ),
        *(("fix the docstring of mean", ""), ("Don't fix mean, write what it does", ""), ("Fix the list command", "")),
        *(("fix other and document mean", ""), ("fix the pop of other.py", ""), ("Fix median in stats.py", "")),
        *(("mean is wrong, fix it", MEAN), ("stats.mean([1]) gives 2, it should give 1", MEAN)),
        *(("There is a bug in the function mean", MEAN), ("`mean([1])` returns 2 but 1 is expected", MEAN)),
        *(("What is wrong with mean? Write it down", ""), ("Make mean return 0 instead of 1", "")),
        *(("add mean to stats.py", ""), ("fix the total without touching price", "")),
    ],
)
def test_what_is_to_be_mended_by_its_name_is_not_while_all_its_tests_fail(
    tmp_path: Path, text: str, still: str
) -> None:
    (tmp_path / "test_stats.py").write_text(OF_STATS)
    task = Task(id="t", kind="run", project="/p", python="python", text=text)
    failing = (run({MEAN: "failed", POP: "failed", PRICE: "failed"}),)
    signals = still_failing(task, failing, failing, tree_at(str(tmp_path)))
    assert [signal.summary.rpartition("fails: ")[2] for signal in signals] == ([still] if still else [])
    mended = (run({MEAN: "passed", POP: "passed", PRICE: "passed"}),)
    assert still_failing(task, failing, mended, tree_at(str(tmp_path))) == ()
