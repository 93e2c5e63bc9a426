"""Tests that a task speaks of: whatever the plan says, what a person names and what fails is what they want mended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from treadle.core.records import Execution, Signal, Task
from treadle.core.same_test import same_id
from treadle.core.testrun import TestReport, report_of
from treadle.core.tree.workspace import Tree
from treadle.plugins.test_runs.hindered import hindered
from treadle.plugins.validation.renamed_tests import under
from treadle.plugins.validation.things_to_mend import tests_of, things_to_mend
from treadle.plugins.validation.wants_mended import wants_mended

_NONE: Mapping[str, str] = MappingProxyType({})
_MOST_NAMED = 5
_STILL = "what failed before still"
_MENDS = frozenset({"pass", "passes", "fix", "fixed", "mend", "repair", "green"})


def still_failing(
    task: Task,
    baseline: Iterable[Execution],
    execution: Iterable[Execution],
    tree: Tree,
    renamed: Mapping[str, str] = _NONE,
) -> tuple[Signal, ...]:
    """A signal against a change of a `run` with which tests fail that its task names by their functions; where it names
    none and says that failing tests are to pass, those that failed before; and where it says what is to be mended,
    those of it, if none of them passes now. Of those that the change has `renamed`, new ids by old ones, the old names
    are spoken of; a task that names both, and says nothing of mending, wants just that. The `tree` is read, as it was
    before the change."""
    if task.kind != "run":
        return ()
    before, now = _reports(baseline), _reports(under({new: old for old, new in renamed.items()}, tuple(execution)))
    failing = {test.id: None for report in now for test in report.failing}
    words = set(re.findall(r"\w+", task.text))
    wanted = wants_mended(task.text)
    functions = {_function_of(test.id) for report in now for test in (*report.tests, *report.failing)}
    if any(name.startswith("test_") for name in functions & words):
        named = [test for test in failing if (name := _function_of(test)).startswith("test_") and name in words]
        is_mending = bool(wanted or words & _MENDS)
        only_renamed = {old for old, new in renamed.items() if _function_of(new) in words and not is_mending}
        left = [test for test in named if test.partition("[")[0] not in only_renamed]
        return _against("what the task names still", left)
    failed, fails = _failed(before), _failed(now)
    if not wanted:
        of_it = tests_of(things_to_mend(task.text), failed.values(), tree)
        left = [test for same, test in failed.items() if test in of_it and same in fails]
        return (
            _against(f"the task names what these tests are of, and {_STILL}", left) if len(left) == len(of_it) else ()
        )
    spoken_of = [test for test in failed if _is_in(test, _places(task))]
    left = [test for same, test in fails.items() if same in failed or _was_hidden(same, before)]
    left = [test for test in left if not spoken_of or _is_in(test, _places(task))]
    is_enough = wanted == "one" and len(left) < len(spoken_of or failed)
    return () if is_enough else _against(f"the task is to mend failing tests, and {_STILL}", left)


def _reports(executions: Iterable[Execution]) -> list[TestReport]:
    return [report for report in map(report_of, executions) if report is not None]


def _failed(reports: Iterable[TestReport]) -> dict[str, str]:
    """What failed, by what its id is in any run; not for what the sandbox does not let it do, which nobody can mend."""
    found: dict[str, str] = {}
    for report in reports:
        kept = hindered(report)
        found |= {same_id(test.id): test.id for test in report.failing if test.id not in kept}
    return found


def _was_hidden(test: str, before: Iterable[TestReport]) -> bool:
    """Whether the test may have been there without being run: something could not be imported, which hid others."""
    ran = (same_id(each.id) for report in before for each in report.tests)
    return any(report.problems for report in before) and test not in ran


def _places(task: Task) -> tuple[str, ...]:
    """Files and folders that the task speaks of, as far as their names tell that they are such."""
    said = (word.strip("`'\"()[],:;.!?") for word in task.text.split())
    return (*task.files, *(word.rstrip("/") for word in said if "/" in word or word.endswith(".py")))


def _is_in(test: str, places: tuple[str, ...]) -> bool:
    file = f"/{test.partition('::')[0]}/"
    return any(f"/{place}/" in file for place in places if place)


def _against(what: str, failing: list[str]) -> tuple[Signal, ...]:
    if not failing:
        return ()
    more = f" and {len(failing) - _MOST_NAMED} more" if len(failing) > _MOST_NAMED else ""
    summary = f"{what} fail{'s' if len(failing) == 1 else ''}: {', '.join(failing[:_MOST_NAMED])}{more}"
    return (Signal(kind="tests", ok=False, summary=summary, worse=len(failing)),)


def _function_of(test: str) -> str:
    return test.rpartition("::")[2].partition("[")[0]
