"""The tests beside those that a person has named: what passed of them before a change passes with it too."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from treadle.core.context import Context
from treadle.core.records import Candidate, GenerateRequest, Job, Signal
from treadle.core.testrun import TestReport, TestResult, ask, report_of, request_of
from treadle.plugins.test_runs.named_tests import others_job

_MOST_TOLD = 20


def judged(candidate: Candidate, request: GenerateRequest, context: Context) -> Iterable[Signal]:
    """One signal of kind `others` for each check of named tests, none where the whole suite is run anyway."""
    if request.task.kind != "fix":
        return
    for number, check in enumerate(request.plan.checks):
        job = others_job(check, request.task, f"others-{number}")
        signal = _judged(job, candidate, context) if job is not None else None
        if signal is not None:
            yield signal


def _judged(job: Job, candidate: Candidate, context: Context) -> Signal | None:
    changed = msgspec.structs.replace(job, files=(*job.files, *candidate.files))
    now = _report(changed, "now", context)
    passing, broken = _ids(now.passing), frozenset[str]()
    if now.failing or not now.complete:
        # The failing ones alone; where it is not known which tests these are, all of them.
        failing = _ids(now.failing) if now.complete and not now.problems else frozenset()
        before = _report(_only(job, failing), "before", context)
        ran = passing | _ids(now.failing)
        broken = _ids(before.passing) - passing
        if not (now.complete or before.complete):
            broken &= ran  # the time ended both; those behind are unknown
        if broken:
            again = _report(_only(changed, broken), "again", context)
            broken -= _ids(again.passing) | _ids(again.not_judged)
    if not broken:
        summary = f"none of the other tests is broken; {len(passing)} of them pass"
        return Signal(kind="others", ok=True, summary=summary) if passing else None
    told = tuple(f"passed before, and does not now: {test}" for test in sorted(broken)[:_MOST_TOLD])
    summary = f"{len(broken)} of the other tests passed before and {'do' if len(broken) > 1 else 'does'} not now"
    return Signal(kind="others", ok=False, summary=summary, details=told, worse=len(broken))


def _report(job: Job, name: str, context: Context) -> TestReport:
    (execution,) = context.execute((msgspec.structs.replace(job, id=f"{job.id}-{name}"),))
    return report_of(execution) or TestReport(complete=False)


def _only(job: Job, tests: Collection[str]) -> Job:
    return ask(job, msgspec.structs.replace(request_of(job), select=tuple(sorted(tests))))


def _ids(tests: Iterable[TestResult]) -> frozenset[str]:
    return frozenset(test.id for test in tests)
