"""A change of a model's that nearly holds: the search mends it for a few seconds, before another call is paid for.

The change is taken as it is, and its run of the checks as the baseline; what the search finds is laid over it.
"""

from __future__ import annotations

import msgspec

from treadle.core.records import Attempt, Candidate, Execution, FileChange, GenerateRequest
from treadle.core.testrun import report_of
from treadle.plugins.generation.search.settings import SearchSettings

MOST_FAILING = 3
"""Tests that may fail for an attempt to be a near miss."""


def as_repair(request: GenerateRequest) -> GenerateRequest | None:
    """The request to repair the last attempt, None when it was no near miss: it was denied, too much fails, nothing
    passes, a test fails that failed before already and need not pass, or a search has mended it once before."""
    last = request.attempts[-1] if request.attempts else None
    if last is None or last.verdict.state != "failed" or last.candidate.rank is not None or not last.candidate.files:
        return None
    failing = _failing(last.executions)
    if failing is None or not 1 <= len(failing) <= MOST_FAILING:
        return None
    if request.plan.goal == "change" and failing & (_failing(request.baseline) or frozenset()):
        return None
    laid = tuple(msgspec.structs.replace(job, files=job.files + last.candidate.files) for job in request.plan.checks)
    plan = msgspec.structs.replace(request.plan, checks=laid)
    return msgspec.structs.replace(request, plan=plan, baseline=last.executions, attempts=())


def limited(settings: SearchSettings) -> SearchSettings:
    """The settings for a repair between two calls."""
    return msgspec.structs.replace(
        settings, budget_s=settings.near_miss_s, max_candidates=min(settings.max_candidates, settings.near_miss)
    )


def laid_over(attempt: Attempt, found: Candidate) -> Candidate:
    """The attempt's change with what the search found in it, made from the files that the attempt was made from; so are
    the others that the person may choose."""
    why = f"{attempt.candidate.why} Mended by search: {found.why}"
    confidence = found.confidence
    if confidence is not None:
        rivals = (msgspec.structs.replace(each, files=_over(attempt, each.files)) for each in confidence.rivals)
        confidence = msgspec.structs.replace(confidence, rivals=tuple(rivals))
    return msgspec.structs.replace(found, files=_over(attempt, found.files), why=why, confidence=confidence)


def _over(attempt: Attempt, files: tuple[FileChange, ...]) -> tuple[FileChange, ...]:
    first = {change.path: change for change in attempt.candidate.files}
    mended = {change.path: change for change in files}
    return tuple(_joined(first.get(path), mended.get(path)) for path in dict.fromkeys((*first, *mended)))


def _joined(first: FileChange | None, mended: FileChange | None) -> FileChange:
    if first is None or mended is None:
        change = first or mended
        assert change is not None
        return change
    return msgspec.structs.replace(first, content=mended.content)


def _failing(executions: tuple[Execution, ...]) -> frozenset[str] | None:
    """The tests that fail, None where a run is not known to the end or nothing passes."""
    reports = [report_of(execution) for execution in executions]
    if not reports or any(report is None or not report.complete or not report.passing for report in reports):
        return None
    return frozenset(test.id for report in reports if report is not None for test in report.failing)
