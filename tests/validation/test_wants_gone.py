"""Which tests may be gone, by the words of the task."""

from __future__ import annotations

import pytest

from tests.validation.test_validate_tests import run
from treadle.core.records import Task
from treadle.plugins.validation.tests import compared
from treadle.plugins.validation.wants_gone import wants_gone

TEST = "tests/test_stats.py::TestMean::test_mean[1-2]"


@pytest.mark.parametrize(
    "text",
    [
        *("Rename test_mean to test_average", "delete the obsolete tests", "Remove the function mean and its tests"),
        *("Merge `test_mean` and test_sum into one, please", "move tests/test_stats.py to tests/unit/"),
        *("Add median. Delete TestMean, which tests nothing", "drop the slow tests of stats.py"),
        *("Move the tests to tests/unit", "Rename TestMean::test_mean", "delete the tests directory"),
    ],
)
def test_what_such_a_verb_is_about_may_be_gone(text: str) -> None:
    assert wants_gone(text, TEST)


@pytest.mark.parametrize(
    "text",
    [
        *("Fix test_mean", "remove the print from tests/test_stats.py", "rename mean and update the tests"),
        *("Do not delete the tests", "delete test_meaning", "remove the test data", "remove duplication in the tests"),
        *("Rename mean to average so that test_mean passes", "Replace the loop in mean. Run the tests", ""),
        *("Nobody may delete the tests", "Under no circumstances delete test_mean", "Never, ever, delete the tests"),
        *("Delete mean, not the tests", "remove all but the tests", "move the function, and then adapt the tests"),
        *("Do not, under any circumstances, delete the tests", "Rather than delete the tests, mend them"),
        *("Add a command to delete tests", "The user can delete tests there", "Don't rename or delete test_mean"),
        *("drop Python 3.8, adapt tests", "Move mean above test_mean", "Remove everything except the tests"),
    ],
)
def test_every_other_test_is_to_stay(text: str) -> None:
    assert not wants_gone(text, TEST)


def test_a_test_that_is_gone_as_asked_is_no_worse_and_is_told() -> None:
    before, after = (run({TEST: "passed", "b": "passed"}),), (run({"b": "passed", "c": "passed"}),)
    task = Task(id="t", kind="run", project="/p", python="python", text="rename test_mean to c")
    (signal,) = compared(after, before, task)
    assert (signal.ok, signal.summary.endswith(f"gone, as the task asks: {TEST}")) == (True, True)
    assert not compared(after, before)[0].ok
