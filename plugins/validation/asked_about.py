"""Tests that a task speaks of: whatever the plan says, what a person names and what fails is what they want mended."""

from __future__ import annotations

import re
from collections.abc import Iterable

from treadle.core.records import Execution, Signal, Task
from treadle.core.testrun import report_of

_MOST_NAMED = 5


def still_failing(task: Task, execution: Iterable[Execution]) -> tuple[Signal, ...]:
    """A signal against a change of a `run` with which tests fail that its task names by their functions."""
    words = set(re.findall(r"\w+", task.text)) if task.kind == "run" else set()
    reports = (report_of(each) for each in execution)
    failing = {test.id: None for report in reports if report is not None for test in report.failing}
    named = [test for test in failing if (name := _function_of(test)).startswith("test_") and name in words]
    if not named:
        return ()
    more = f" and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
    fails = "fails" if len(named) == 1 else "fail"
    summary = f"what the task names still {fails}: {', '.join(named[:_MOST_NAMED])}{more}"
    return (Signal(kind="tests", ok=False, summary=summary, worse=len(named)),)


def _function_of(test: str) -> str:
    return test.rpartition("::")[2].partition("[")[0]
