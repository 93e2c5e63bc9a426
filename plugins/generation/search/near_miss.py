"""A change of a model's that nearly holds: the search mends it for a few seconds, before another call is paid for.

The change is taken as it is, and its run of the checks as the baseline; what the search finds is laid over it.
"""

from __future__ import annotations

import msgspec

from treadle.core.errors import UnsafePath
from treadle.core.patches.diff import lines_of
from treadle.core.patches.matching import opcodes
from treadle.core.records import Attempt, Candidate, Execution, FileChange, GenerateRequest
from treadle.core.same_test import same_id
from treadle.core.testrun import TestReport, report_of
from treadle.core.tree.workspace import Tree
from treadle.plugins.generation.search.settings import SearchSettings
from treadle.plugins.test_runs.test_places import is_of_tests

MOST_FAILING = 3
"""Tests that may fail for an attempt to be a near miss."""


def as_repair(request: GenerateRequest) -> GenerateRequest | None:
    """The request to repair the last attempt, None when it was no near miss: it was denied, too much fails, nothing
    passes, a test fails that failed before already and need not pass, a search has mended it once before, or old tests
    contradict it."""
    last = request.attempts[-1] if request.attempts else None
    if last is None or last.verdict.state != "failed" or last.candidate.rank is not None or not last.candidate.files:
        return None
    failing = _failing(last.executions)
    if failing is None or not 1 <= len(failing) <= MOST_FAILING:
        return None
    if request.plan.goal == "change" and failing & (_failing(request.baseline) or frozenset()):
        return None
    if _is_contradicted(last, request.baseline):
        return None
    laid = tuple(msgspec.structs.replace(job, files=job.files + last.candidate.files) for job in request.plan.checks)
    plan = msgspec.structs.replace(request.plan, checks=laid)
    return msgspec.structs.replace(request, plan=plan, baseline=last.executions, attempts=())


def _is_contradicted(attempt: Attempt, before: tuple[Execution, ...]) -> bool:
    """Whether a test that held before asserts what is no longer so, and none speaks for the change: whether that was
    asked for, or is a slip, is not for a search to say. A slip alone raises something else."""
    asserts = any(
        test.exception == AssertionError.__name__ for each in _reports(attempt.executions) for test in each.failing
    )
    return asserts and not _is_spoken_for(attempt, before)


def _is_spoken_for(attempt: Attempt, before: tuple[Execution, ...]) -> bool:
    """Whether a test that ran with the attempt did not pass before it."""
    passed = {same_id(test.id) for report in _reports(before) for test in report.passing}
    ran = (test for report in _reports(attempt.executions) for test in (*report.passing, *report.failing))
    return any(same_id(test.id) not in passed for test in ran)


def limited(settings: SearchSettings) -> SearchSettings:
    """The settings for a repair between two calls."""
    return msgspec.structs.replace(
        settings, budget_s=settings.near_miss_s, max_candidates=min(settings.max_candidates, settings.near_miss)
    )


class TakingBack:
    """What makes a place of the attempt's change what it was in `tree`, the project without that change, of which
    `before` are the runs.

    With it all that ran passes, and yet it may be no mend: what was asked for may have been just that place. It is none
    where nothing is left of the change but its tests. Where something is left, the tests decide whether that is any of
    what was asked for: where one passes with it (as all do that ran with the attempt) that did not pass before, it is,
    and what had to go was wrong, as the tests say that failed for it. Where each of them passed before, as it does now,
    the remainder is shown to do nothing: an import, a note, what only the other place would have used."""

    def __init__(self, attempt: Attempt, before: tuple[Execution, ...], tree: Tree) -> None:
        self._changed = tuple(change for change in attempt.candidate.files if not is_of_tests(change.path))
        self._tree = tree
        self._does_something = _is_spoken_for(attempt, before)
        self.seen = False

    def is_by(self, files: tuple[FileChange, ...]) -> bool:
        """Whether this mend does so; then one was `seen`."""
        gone, left = self._places(files)
        takes_back = gone > 0 and not (left > 0 and self._does_something)
        self.seen = self.seen or takes_back
        return takes_back

    def _places(self, files: tuple[FileChange, ...]) -> tuple[int, int]:
        """How many places of the attempt's change are what they were, and how many are not."""
        mended = {change.path: change for change in files}
        gone = left = 0
        for tried in self._changed:
            now = mended.get(tried.path, tried)
            try:
                before = self._tree.read(tried.path)
            except (OSError, UnsafePath):
                before = None
            if before is None or tried.content is None or now.content is None:
                left += 1  # a file that is new, or gone
                continue
            unlike = _unlike(before, now.content)
            for place in _unlike(before, tried.content):
                if any(_touch(place, other) for other in unlike):
                    left += 1
                else:
                    gone += 1
        return gone, left


def _reports(executions: tuple[Execution, ...]) -> list[TestReport]:
    return [report for report in map(report_of, executions) if report is not None]


def _unlike(before: bytes, after: bytes) -> list[tuple[int, int]]:
    """The lines of the first, from one to another, that are otherwise in the second; none where some are put in."""
    codes = opcodes(lines_of(before), lines_of(after))
    return [(start, end) for tag, start, end, _, _ in codes if tag != "equal"]


def _touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
    if one[0] == one[1] or other[0] == other[1]:
        return max(one[0], other[0]) <= min(one[1], other[1])
    return max(one[0], other[0]) < min(one[1], other[1])


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
