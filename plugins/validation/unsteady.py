"""Tests that pass and fail on the unchanged project: how they end with a change says nothing of it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from treadle.core.context import Context
from treadle.core.records import Execution, Job
from treadle.core.testrun import TestReport, is_test_job, report_of
from treadle.plugins.test_runs.known_times import within_known_times

RUNS = 2
"""How often the unchanged suite runs once more: a test that fails every other time is found seven times of eight."""


def unsteady(
    checks: Iterable[Job], baseline: tuple[Execution, ...], execution: tuple[Execution, ...], context: Context
) -> tuple[frozenset[str], ...]:
    """For each check its unsteady tests, of those that failed with the change. Whole suites are run, since a test may
    need the others before it."""

    def named(job: Job, number: int) -> Job:
        return msgspec.structs.replace(job, id=f"{job.id}-unsteady-{number}")

    suspected = [_failing(run) & _known(before) for before, run in zip(baseline, execution, strict=True)]
    runs = [
        (place, within_known_times(named(job, number), report_of(baseline[place]), report_of(execution[place])))
        for place, job in enumerate(checks)
        if suspected[place] and is_test_job(job)
        for number in range(RUNS)
    ]
    found: list[set[str]] = [set() for _ in suspected]
    answers = context.execute(tuple(job for _, job in runs)) if runs else ()
    for (place, _), again in zip(runs, answers, strict=True):
        failed, known = _failing(baseline[place]), _known(again)
        found[place] |= {test for test in suspected[place] & known if (test in failed) != (test in _failing(again))}
    return tuple(map(frozenset, found))


def _failing(run: Execution) -> frozenset[str]:
    report = report_of(run)
    return frozenset(test.id for test in report.failing if test.id) if report else frozenset()


def _known(run: Execution) -> frozenset[str]:
    """The tests that the run has put to the proof; one that was skipped says nothing."""
    report = report_of(run) or TestReport(complete=False)
    return frozenset(test.id for test in (*report.failing, *report.passing) if test not in report.problems)
