"""Running the tests and scripts, on the draft, in the sandbox."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from treadle.core import paths
from treadle.core.packages import undeclared
from treadle.core.records import Execution, Job
from treadle.core.testrun import ask, is_test_job, report_of, request_of
from treadle.plugins.agents.tools.capped import capped, stable
from treadle.plugins.agents.tools.test_reports import Narrowed, report_text
from treadle.plugins.agents.tools.tool import Arguments, Desk, OwnTool, ToolError

_STREAM = 5_000
"""Characters of a stream that are shown."""
_NOT_AGAIN = "Nothing has changed since these tests were run, so they were not run again; they came to this:"


class RunTestsArguments(Arguments, frozen=True, kw_only=True):
    """Run the project's tests on the draft, in a sandbox, and report which fail and why."""

    tests: Annotated[
        tuple[str, ...],
        Meta(description="Only these, by id as in tests/test_a.py::test_b, or all of a file or class. Without it, all"),
    ] = ()


class RunPythonArguments(Arguments, frozen=True, kw_only=True):
    """Run a Python script in the project's folder, on the draft, in a sandbox without network, and show what it prints.
    The project can be imported. What the script writes is thrown away."""

    code: Annotated[str, Meta(description="The script", min_length=1)]


def _run_tests(arguments: RunTestsArguments, desk: Desk) -> str:
    changes = desk.draft.changes()
    checks = tuple(msgspec.structs.replace(job, files=job.files + changes) for job in desk.checks)
    if not checks:
        raise ToolError("the plan has no checks: there are no tests to run")
    tests = tuple(map(desk.named, arguments.tests))
    narrowed = Narrowed(tests)
    if not tests or desk.known.holds(checks):
        return _report(desk, checks, narrowed)
    checks = tuple(job for job in checks if is_test_job(job))
    if not checks:
        raise ToolError("the plan's checks are commands, of which no single tests can be run: call it without tests")
    if all("::" in test for test in tests):
        chosen = tuple(ask(job, msgspec.structs.replace(request_of(job), select=tests)) for job in checks)
        again = desk.known.holds(chosen)
        executions = desk.known.run(chosen, desk.context)
        if _all_found(executions, tests):
            return _told(again, _joined(desk, chosen, executions, Narrowed()))
    # Names of files and classes are no ids: of a whole run, only what they mean is reported.
    return _report(desk, checks, narrowed)


def _all_found(executions: tuple[Execution, ...], tests: tuple[str, ...]) -> bool:
    reports = [report for execution in executions if (report := report_of(execution)) is not None]
    found = {test.id for report in reports for test in report.tests}
    return found.issuperset(tests)


def _report(desk: Desk, jobs: tuple[Job, ...], narrowed: Narrowed) -> str:
    again = desk.known.holds(jobs)
    return _told(again, _joined(desk, jobs, desk.known.run(jobs, desk.context), narrowed))


def _told(again: bool, report: str) -> str:
    return f"{_NOT_AGAIN}\n\n{report}" if again else report


def _joined(desk: Desk, jobs: tuple[Job, ...], executions: tuple[Execution, ...], narrowed: Narrowed) -> str:
    if all(execution.not_run for execution in executions):
        raise ToolError(executions[0].message)
    reports = [report_of(execution) for execution in executions]
    narrowed.refuse_unknown(report for report in reports if report is not None)
    texts = []
    for job, execution, report in zip(jobs, executions, reports, strict=True):
        if execution.not_run:
            text = execution.message
        elif report is None:
            text = f"{_ending(execution)}; it left no report of tests\n{_streams(desk, execution)}"
        else:
            text = report_text(report, desk.draft, narrowed)
            if not report.complete:
                text += f"\nthe run was cut off: {_ending(execution)}\n{_streams(desk, execution)}"
        texts.append(f"{job.id}: {text}" if len(jobs) > 1 else text)
    texts += filter(None, [undeclared.advice(undeclared.not_found(desk.draft.changes(), "\n".join(texts)))])
    return stable("\n\n".join(texts), desk.draft.workspace.root)


def _run_python(arguments: RunPythonArguments, desk: Desk) -> str:
    workspace = desk.draft.workspace
    roots = [str(paths.on_disk(workspace.root, root)) for root in workspace.roots]
    job = Job(
        id="script",
        script=arguments.code,
        by_model=True,
        python=desk.task.python,
        workspace=workspace,
        files=desk.draft.changes(),
        env=(("PYTHONPATH", ":".join(roots)),) if roots else (),
    )
    (execution,) = desk.context.execute((job,))
    if execution.not_run:
        raise ToolError(execution.message)
    said = f"{_ending(execution)}\n{_streams(desk, execution)}"
    advice = undeclared.advice(undeclared.not_found(desk.draft.changes(), said))
    return stable("\n\n".join(filter(None, (said, advice))), workspace.root)


def _ending(execution: Execution) -> str:
    if execution.verdict in ("ok", "error"):
        how = f"exit code {execution.exit_code}" if execution.signal is None else f"ended by signal {execution.signal}"
        return f"{how}: {execution.message}" if execution.message else how
    return f"ended by the sandbox ({execution.verdict})" + (f": {execution.message}" if execution.message else "")


def _streams(desk: Desk, execution: Execution) -> str:
    more = "print less"
    streams = (("stdout", execution.stdout.text), ("stderr", execution.stderr.text))
    said = [f"{name}:\n{capped(text.rstrip(), more, _STREAM)}" for name, text in streams if text.strip()]
    return "\n".join(said) or "it printed nothing"


RUN_TESTS = OwnTool("run_tests", RunTestsArguments, _run_tests, more="run fewer tests")
RUN_PYTHON = OwnTool("run_python", RunPythonArguments, _run_python, more="print less")
