"""The tests that judge candidates: which must come to pass, which must go on passing, and how they are run."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import msgspec

from treadle.core.records import Execution, FileChange, Job, Limits
from treadle.core.testrun import RAN_OUT, TestReport, TestResult, Trial, ask, is_test_job, report_of, request_of
from treadle.plugins.test_runs import known_times
from treadle.plugins.test_runs.runners.time_limit import GLANCE_S, enough_s

COMMAND = "command"
PARTIAL_LIMIT = 8
"""Up to so many failing tests, all are run for each candidate, to learn which of them it mends."""
WHOLE_LEAST_S = 5.0
WHOLE_SLOWDOWN = 2.5
"""How much slower a test may be in a whole run beside another one than it was."""
TRACE_SLOWDOWN = 7.5
"""And how much slower while `sys.settrace` hears of its lines."""
SLOW_S = 5.0
"""Seconds from which on a whole run is too much for what a few of its tests would refuse."""
NEAR_SHARE = 0.25
"""The part of a slow suite's seconds that those few may take."""
TRIAL_S = 0.5
"""What a trial may take besides the time limits of its tests, on average."""
TRIALS_SHARE = 0.8
"""The part of a run's time that its trials may take."""
_TOO_LONG = ("timeout", "cpu")

Place = tuple[str, Collection[int]]
"""Some lines of a file."""


@dataclass(frozen=True)
class Check:
    """One check of the plan with its baseline. `order` is the suite's own order of tests. A baseline that was cut off
    is not `complete`. `flaky` tests are set aside: they neither help nor harm a candidate.
    `natural`: its failing tests fail only when the whole suite runs in its own order. `only`: the tests that stand for
    the whole suite, empty: all of it. `unknown`: tests of which the baseline does not say how they end; with a repair
    they have to pass, but nobody asks for them before its whole run."""

    job: Job
    failing: tuple[TestResult, ...]
    passing: tuple[TestResult, ...]
    problems: frozenset[str]
    wall_s: float
    order: tuple[str, ...] = ()
    complete: bool = True
    flaky: frozenset[str] = frozenset()
    natural: bool = False
    only: tuple[str, ...] = ()
    unknown: frozenset[str] = frozenset()

    @property
    def required(self) -> frozenset[str]:
        """The failing tests that a repair has to mend."""
        return frozenset(t.id for t in self.failing) - self.flaky

    @property
    def slowest_s(self) -> float:
        """Seconds of the slowest passing test, 0 when none passes."""
        return known_times.slowest_s(self.passing)

    @property
    def slowest_of_all_s(self) -> float:
        """Seconds of the slowest test that ended by itself, whether it passes or fails; 0 when none did."""
        return known_times.slowest_s((*self.passing, *self.failing))

    def quick(self, job_id: str, files: tuple[FileChange, ...], timeout_s: float) -> Job:
        """A job that runs the failing tests; the whole suite where they fail only there, or where their files could not
        be collected, so that nobody knows which tests are in them."""
        if self.natural:
            return self.whole(job_id, files, fail_fast=False)
        select = self._in_turn()
        stop = self._unnamed or len(select) > PARTIAL_LIMIT
        wall = 10.0 + 2.0 * self.wall_s + 2.0 * timeout_s * len(select)
        return self._job(job_id, files, () if self._unnamed else select, stop, timeout_s, wall)

    @property
    def can_try(self) -> bool:
        """Whether its failing tests can be run again and again in forks of a process that has collected them."""
        return is_test_job(self.job) and not self.natural and not self._unnamed

    def trying(self, job_id: str, trials: tuple[Trial, ...]) -> Job:
        """A job that runs the failing tests, as `quick` does, for each of these changes."""
        select = self._in_turn()
        seconds = sum(TRIAL_S + trial.test_timeout_s * len(select) for trial in trials)
        job = self._job(job_id, (), select, len(select) > PARTIAL_LIMIT, 0.0, 10.0 + 2.0 * self.wall_s + seconds)
        most = job.limits.wall_s if job.limits and job.limits.wall_s else seconds
        request = msgspec.structs.replace(request_of(job), trials=trials, trials_s=min(seconds, TRIALS_SHARE * most))
        return ask(job, request, job_id)

    def _in_turn(self) -> tuple[str, ...]:
        """The failing tests in the suite's own order, since one may build on another; of many, of which the first that
        fails ends the run, the fastest first."""
        tests = [t for t in self.failing if t.id in self.required]
        if len(tests) > PARTIAL_LIMIT:
            return tuple(t.id for t in sorted(tests, key=lambda t: (t.seconds, t.id)))
        places = {test: place for place, test in enumerate(self.order)}
        return tuple(t.id for t in sorted(tests, key=lambda t: places.get(t.id, len(places))))

    @property
    def _unnamed(self) -> bool:
        """Whether files could not be collected in which tests are that have to pass."""
        return not self.problems.isdisjoint(self.required)

    def whole(self, job_id: str, files: tuple[FileChange, ...], *, fail_fast: bool = True, timeout_s: float = 0) -> Job:
        """A job that runs the whole suite, each test for `timeout_s` at most (0: generously)."""
        timeout = timeout_s or enough_s(WHOLE_SLOWDOWN * self.slowest_of_all_s, WHOLE_LEAST_S)
        if self.unknown and not timeout_s:
            timeout = max(timeout, request_of(self.job).test_timeout_s)
        stop = fail_fast and not self.flaky
        return self._job(job_id, files, self.only, stop, timeout, 30.0 + 10.0 * self.wall_s)

    def through(self, places: Iterable[Place], traced: TestReport | None) -> Check:
        """The same check with no more of its passing tests than those that were seen to execute a line of one of these
        places: none at all where each was seen to execute something else. Where the suite's own order matters, or too
        little was seen, the check as it is."""
        if traced is None or self.natural or self.problems or not self.order:
            return self
        near = {
            t.id
            for path, lines in places
            for t in traced.passing
            if any(line in lines for line in t.lines.get(path, ()))
        }
        required = self.required
        if not near and not required:
            seen = self.flaky | {t.id for t in traced.passing if t.lines}
            judging = self.unknown.union(t.id for t in self.passing)
            return replace(self, passing=(), only=()) if judging <= seen else self
        only = tuple(test for test in self.order if test in near or test in required)
        return replace(self, passing=tuple(t for t in self.passing if t.id in near), only=only)

    @property
    def asks_nothing(self) -> bool:
        """Whether no test of it could tell a repair from any other change."""
        return not self.passing and not self.failing

    def worth_before(self, whole: Check) -> bool:
        """Whether to run this part of a suite before the whole of it."""
        seconds, all_seconds = (sum(t.seconds for t in check.passing) for check in (self, whole))
        return bool(self.passing) and whole.wall_s >= SLOW_S and seconds <= NEAR_SHARE * all_seconds

    def traced(self, job_id: str, trace_s: float, trace_root: str) -> Job:
        """A job that runs the failing tests and, in the suite's own order, as many passing ones as fit, with lines. The
        passing tests of the files in which tests fail come first."""
        ran_out = any(t.exception == RAN_OUT for t in self.failing)
        least = 2.0 * GLANCE_S if ran_out else WHOLE_LEAST_S
        chosen = set(known_times.few_endless((t.id for t in self.failing), self.failing))
        failing_files = {t.id.partition("::")[0] for t in self.failing}
        near = sorted(self.passing, key=lambda t: t.id.partition("::")[0] not in failing_files)
        seconds = 0.0
        for test in near:
            seconds += test.seconds
            if seconds <= trace_s:
                chosen.add(test.id)
        everything = all(test in chosen for test in self.order)
        select = self.only if everything or self.problems else tuple(test for test in self.order if test in chosen)
        if not is_test_job(self.job):
            return msgspec.structs.replace(self.job, id=job_id)
        request = request_of(self.job)
        request = msgspec.structs.replace(
            request,
            select=select,
            trace=True,
            outcomes_only=True,
            trace_root=request.trace_root or trace_root,
            fail_fast=False,
            test_timeout_s=enough_s(TRACE_SLOWDOWN * self.slowest_of_all_s, least),
        )
        return ask(self.job, request, job_id)

    def report(self, execution: Execution) -> TestReport | None:
        """The report of a run of this check; for a plain command one is made of its exit code."""
        if is_test_job(self.job):
            return report_of(execution)
        outcome = TestResult(id=COMMAND, outcome="passed" if execution.exit_code == 0 else "failed")
        return TestReport(complete=execution.exit_code is not None, tests=(outcome,))

    def mended(self, execution: Execution) -> frozenset[str]:
        """The required tests that passed in this run."""
        report = self.report(execution)
        return self.mended_in(report) if report is not None else frozenset()

    def mended_in(self, report: TestReport) -> frozenset[str]:
        """The required tests that passed by this report."""
        passed = {t.id for t in report.passing}
        broken = {p.id for p in report.problems}
        failed = {t.id for t in report.failing}
        mended = set()
        for test in self.required:
            if test in self.problems:
                inside = [t for t in passed if t.startswith(test)]
                if inside and test not in broken and not any(f.startswith(test) for f in failed):
                    mended.add(test)
            elif test in passed:
                mended.add(test)
        return frozenset(mended)

    def holds(self, execution: Execution) -> bool:
        """Whether a run of the whole suite shows a repair: all that failed pass, nothing that passed fails or is
        missing, and the run came to its end."""
        report = self.report(execution)
        if report is None or not report.complete or self.mended(execution) != self.required:
            return False
        if {p.id for p in report.problems} - self.flaky:
            return False
        unknown = self.unknown.intersection(self.only or self.unknown) - self.flaky
        if not unknown <= {t.id for t in report.passing}:
            return False
        return self.keeps(execution)

    def keeps(self, execution: Execution) -> bool:
        """Whether everything that passed passes in this run too."""
        report = self.report(execution)
        passed = {t.id for t in report.passing} if report is not None else set()
        return all(t.id in passed for t in self.passing if t.id not in self.flaky)

    def too_long(self, execution: Execution) -> bool:
        """Whether the run ran into a time limit."""
        if execution.verdict in _TOO_LONG:
            return True
        report = self.report(execution)
        return report is not None and ran_out_of_time(report)

    def _job(
        self,
        job_id: str,
        files: tuple[FileChange, ...],
        select: tuple[str, ...],
        fail_fast: bool,
        timeout_s: float,
        wall_s: float,
    ) -> Job:
        job = msgspec.structs.replace(self.job, id=job_id, files=(*self.job.files, *files))
        limits = job.limits or Limits()
        wall = wall_s if limits.wall_s is None else min(wall_s, limits.wall_s)
        job = msgspec.structs.replace(job, limits=msgspec.structs.replace(limits, wall_s=wall))
        if not is_test_job(job):
            return job
        request = msgspec.structs.replace(
            request_of(job),
            select=select,
            trace=False,
            fail_fast=fail_fast,
            test_timeout_s=timeout_s,
            outcomes_only=True,
        )
        return ask(job, request, job_id)


def ran_out_of_time(report: TestReport) -> bool:
    """Whether a test ran into its time limit."""
    return any("timeout" in t.exception.lower() for t in report.failing)


def checks_of(jobs: Iterable[Job], baseline: Iterable[Execution]) -> tuple[Check, ...]:
    """The plan's checks with what their baselines showed; those without a readable report are left out."""
    found = (
        _with_baseline(Check(job, (), (), frozenset(), e.wall_s), e) for job, e in zip(jobs, baseline, strict=False)
    )
    return tuple(check for check in found if check is not None)


def guarding(job: Job, execution: Execution) -> Check | None:
    """A check that asks for nothing but that what passed in this run goes on passing; None where nothing did."""
    check = _with_baseline(Check(job, (), (), frozenset(), execution.wall_s), execution)
    if check is None or not check.passing:
        return None
    passing = tuple(test.id for test in check.passing)
    return replace(
        check, failing=(), problems=frozenset(), order=passing, only=passing, complete=True, unknown=frozenset()
    )


def completed(check: Check, execution: Execution) -> Check:
    """The check with a second baseline, of a run that limits each test, in the place of one that was cut off. What
    ran into the limit is unknown where the first says nothing of it and others fail: it may only be slow."""
    found = _with_baseline(replace(check, wall_s=execution.wall_s), execution) or check
    seen = {t.id for t in check.failing}
    slow = {t.id for t in found.failing if t.exception == RAN_OUT and t.id not in seen}
    failing = tuple(t for t in found.failing if t.id not in slow)
    return replace(found, failing=failing, unknown=found.unknown | slow) if failing else found


def _with_baseline(check: Check, execution: Execution) -> Check | None:
    report = check.report(execution)
    if report is None:
        return None
    return replace(
        check,
        failing=report.failing,
        passing=report.passing,
        problems=frozenset(p.id for p in report.problems),
        order=tuple(t.id for t in report.tests),
        complete=report.complete,
        unknown=frozenset(t.id for t in report.not_judged),
    )


def settled(check: Check, alone: TestReport | None, traced: TestReport | None, again: TestReport | None) -> Check:
    """The check after its failing tests ran alone, with tracing, and (where something differed) all once more: what
    changed its outcome between whole runs is flaky; what passed alone needs the suite's own order."""
    flaky: set[str] = set()
    ran = {t.id for t in traced.tests} if traced is not None else set()
    whole = traced if all(test in ran for test in check.order) else None
    for report in (whole, again):
        if report is not None:
            passed = {t.id for t in report.passing}
            flaky |= {t.id for t in check.failing if t.id in passed}
    if again is not None:
        failed = {t.id for t in again.failing}
        flaky |= {t.id for t in check.passing if t.id in failed}
    natural = any(t.id in check.required - flaky for r in (alone, traced) if r is not None for t in r.passing)
    return replace(check, flaky=frozenset(flaky), natural=natural)


def differs(check: Check, alone: TestReport | None, traced: TestReport | None) -> bool:
    """Whether a test had another outcome than in the baseline."""
    passing = {t.id for t in check.passing}
    return any(
        any(t.id in check.required for t in report.passing) or any(t.id in passing for t in report.failing)
        for report in (alone, traced)
        if report is not None
    )
