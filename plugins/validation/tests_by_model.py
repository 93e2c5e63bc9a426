"""test-model: a language model writes tests for the task, before the change is written and without ever seeing it.

They are written when the plan is made, and go with it (`Plan.tests`). Whether they may speak against a change is the
person's to say, as the setting `approval` has it; until then they are tried, and what comes of it is shown. The files
lie in the plugin's folder of the session, to be taken into the project by whoever likes them. It costs a conversation
and a run of tests for each attempt, so it is off until the setting `when` is changed.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import msgspec

from treadle.core.authorship import WRITTEN_TESTS
from treadle.core.context import Context
from treadle.core.contributions import Setting
from treadle.core.errors import BudgetExceeded, NoModel
from treadle.core.hooks import hookimpl
from treadle.core.paths import on_disk, relative_to
from treadle.core.records import Candidate, Execution, FileChange, GenerateRequest, Plan, Signal, Task, Workspace
from treadle.core.testrun import report_of
from treadle.core.tree.remove_tree import remove_tree
from treadle.core.walking import make_folders, walk
from treadle.plugins.agents.asked_when import When, asked_when, is_asked
from treadle.plugins.agents.prompts import PROMPT
from treadle.plugins.test_runs.test_jobs import has_pytest, written_tests_job
from treadle.plugins.validation.test_writer import TestWriter

WHEN: When = "never"
_FOLDER = "tests"
_DETAILS = 20


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """Its prompt, and when it is asked."""
    return (PROMPT, asked_when(WHEN))


@hookimpl(wrapper=True)
def treadle_plan(task: Task, workspace: Workspace, context: Context) -> Generator[None, Plan | None, Plan | None]:
    """The plan of another plugin, with tests for it. A later plan of the same session keeps those of the first."""
    plan = yield
    if plan is None or plan.answer or task.kind != "run" or plan.tests or not is_asked(context, WHEN, plan):
        return plan
    if not has_pytest(task):
        context.note(f"no tests were written for the task: {task.python} has no pytest")
        return plan
    folder = Path(context.folder("session")) / _FOLDER
    tests = _kept(folder)
    if not tests:
        tests = _written(task, plan, workspace, context)
        _keep(tests, folder)
    if not tests:
        return plan
    context.note(f"the tests that were written for the task lie in {folder}, as they would in the project")
    return msgspec.structs.replace(plan, tests=tests)


@hookimpl
def treadle_validate(
    candidate: Candidate, workspace: Workspace, request: GenerateRequest, context: Context
) -> tuple[Signal, ...] | None:
    """What the written tests say of the candidate."""
    job = written_tests_job(request.plan, request.task, workspace, candidate.files)
    if job is None:
        return None
    try:
        (execution,) = context.execute((job,))
    except BudgetExceeded as error:
        if request.plan.tests_count:
            raise
        context.note(f"the written tests, which are advice only, were not run: {error}")
        return None
    return (judged(execution, counts=request.plan.tests_count),)


def judged(execution: Execution, *, counts: bool) -> Signal:
    """The signal of a run of the written tests, which speaks against the change only where they count."""
    report = report_of(execution)
    advice = "" if counts else "; they are advice only"
    if report is None or not report.complete:
        said = f"the written tests did not run to their end ({execution.message or execution.verdict}){advice}"
        return Signal(kind=WRITTEN_TESTS, ok=not counts, summary=said, worse=int(counts))
    failing = report.failing
    if not failing:
        said = f"{len(report.passing)} of {len(report.tests)} written tests pass"
        return Signal(kind=WRITTEN_TESTS, ok=True, summary=said)
    named = [
        f"{test.id or 'a file'} ({(test.message or test.exception).strip().partition(chr(10))[0]})" for test in failing
    ]
    said = f"{len(failing)} of {len(report.tests)} written tests fail{advice}"
    if not counts:
        said += f": {'; '.join(named[:3])}"
    details = tuple(f"fails: {name}" for name in named[:_DETAILS])
    return Signal(kind=WRITTEN_TESTS, ok=not counts, summary=said, details=details, worse=len(failing) if counts else 0)


def _written(task: Task, plan: Plan, workspace: Workspace, context: Context) -> tuple[FileChange, ...]:
    try:
        return TestWriter(task, plan, workspace, context).tests()
    except (BudgetExceeded, NoModel) as error:
        context.note(f"no tests were written for the task: {error}")
        return ()


def _keep(tests: tuple[FileChange, ...], folder: Path) -> None:
    """Put the files into the folder, all of them or none: a session that is killed here finds none when it goes on."""
    new = folder.with_name(f"{folder.name}.new")
    remove_tree(folder.parent, new.name)
    for change in tests:
        place = on_disk(new, change.path)
        make_folders(place.parent)
        place.write_bytes(change.content or b"")
    if tests:
        new.rename(folder)


def _kept(folder: Path) -> tuple[FileChange, ...]:
    every = (folder / inner / name for inner, _, names in walk(folder) for name in names)
    files = sorted(path for path in every if path.is_file())
    return tuple(FileChange(path=relative_to(folder, path), content=path.read_bytes()) for path in files)
