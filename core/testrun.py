"""What a test run in the sandbox is asked, and what it reports: the language between planner, search and validators.

A planner puts a job with `script` (a test runner) into `Plan.checks`; whoever wants the same tests run in another
way (a few of them, traced, in another order) replaces the job's `stdin` by another `TestRequest`. The runner leaves
its `TestReport` as JSON in the collected file `REPORT`. A job that runs a plain command has no report: then the
exit code alone says whether it passed.

`__test__` keeps pytest from taking these records for test classes where a test imports them.
"""

from __future__ import annotations

import secrets
from typing import ClassVar, Literal

import msgspec

from treadle.core.records import Execution, Job, Record

REPORT = "report.json"
COMMAND_RUNNER = "command"
"""The `runner` of a report that is no test framework's but that of a plain command."""

RAN_OUT = "TestTimeout"
"""The `exception` of a test that was ended when its time was up."""

NO_SUCH_TEST = "NoSuchTest"
"""The `exception` of a problem: a name that a person gave, and none of the tests has."""

TestOutcome = Literal["passed", "failed", "error", "skipped", "xfailed", "xpassed"]


class Swap(Record, frozen=True, kw_only=True):
    """The statement of a file (portable relative path) that begins at a line, a function or a class of the file's own,
    gets another text in the place of the one it has."""

    path: str
    line: int
    old: str
    new: str


class Trial(Record, frozen=True, kw_only=True):
    """A change of what is inside of functions, to be tried with the chosen tests. `test_timeout_s`: seconds for each
    test (0: none)."""

    swaps: tuple[Swap, ...]
    test_timeout_s: float = 0.0


class TestRequest(Record, frozen=True, kw_only=True):
    """`select`: test ids to run, in this order (empty: all that are found). `args`: the runner's own arguments, as the
    person wrote them. `within`: no other tests than those of these places, each a file, a folder, or a file, `::` and
    the name of a test in it, of a class, or of a test without its parameters (empty: all); a name that no test has is
    a problem. `without`: none of the tests of these places. With `select` neither is asked. `trace`: report the lines
    that each test executed below `trace_root`. `fail_fast`: stop at the first test that does not pass.
    `test_timeout_s`: seconds for each test (0: none); one behind a test that used them up may get fewer, and is
    `skipped`, with the exception `RAN_OUT`, where these end it. `shuffle`: a seed for another order (None: the
    natural one). `outcomes_only`: how a failure is worded does not matter, so the runner may spare the work that goes
    into it. `nonce` comes back in the report.

    `trials`: do not run the tests once, but once for each of these changes, each in a process of its own that starts
    where the tests have been collected; all of it takes no more than `trials_s` seconds. A runner that knows no trials
    reports none. No function that an import has called may be changed like this: nobody calls it again."""

    __test__: ClassVar[bool] = False
    args: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    trace: bool = False
    trace_root: str = ""
    fail_fast: bool = False
    test_timeout_s: float = 0.0
    shuffle: int | None = None
    outcomes_only: bool = False
    trials: tuple[Trial, ...] = ()
    trials_s: float = 0.0
    nonce: str = ""


class TestResult(Record, frozen=True, kw_only=True):
    """One test. `lines` maps a file (portable relative path) to the lines executed, only when traced. `message` is the
    short reason of a failure, `exception` its type's name, `frames` the (file, line) places of its traceback, outermost
    first, those below the project only."""

    __test__: ClassVar[bool] = False
    id: str
    outcome: TestOutcome
    seconds: float = 0.0
    message: str = ""
    exception: str = ""
    frames: tuple[tuple[str, int], ...] = ()
    lines: dict[str, tuple[int, ...]] = {}


class TrialReport(Record, frozen=True, kw_only=True):
    """What came of a trial: the tests that ran, or why it was none (`untried`), and the change has to be tried by a run
    of its own."""

    tests: tuple[TestResult, ...] = ()
    untried: str = ""


class TestReport(Record, frozen=True, kw_only=True):
    """`complete` is False when the run was cut off (a crash, an exit, a time limit). `problems` are errors outside of
    any test: a file that can't be collected, a plugin that fails. `outside` are source files executed below none of the
    places the run was told of; `runner` names the test framework and its version. `imported` are the lines of a traced
    run that belong to no single test: what imports ran (module and class bodies) and what ran between tests. `trials`:
    one for each that was asked for, in their order."""

    __test__: ClassVar[bool] = False
    complete: bool
    tests: tuple[TestResult, ...] = ()
    problems: tuple[TestResult, ...] = ()
    outside: tuple[str, ...] = ()
    nonce: str = ""
    runner: str = ""
    imported: dict[str, tuple[int, ...]] = {}
    trials: tuple[TrialReport, ...] = ()

    @property
    def failing(self) -> tuple[TestResult, ...]:
        """The tests, and the problems outside of tests, that speak against the code."""
        return self.problems + tuple(t for t in self.tests if t.outcome in ("failed", "error"))

    @property
    def passing(self) -> tuple[TestResult, ...]:
        """The tests that passed."""
        return tuple(t for t in self.tests if t.outcome == "passed")

    @property
    def not_judged(self) -> tuple[TestResult, ...]:
        """The tests that were ended before their own time was up: they are told as skipped, and may pass or fail."""
        return tuple(t for t in self.tests if t.outcome == "skipped" and t.exception == RAN_OUT)


def ask(job: Job, request: TestRequest, job_id: str | None = None) -> Job:
    """The same test job, asked another way."""
    return msgspec.structs.replace(job, stdin=msgspec.json.encode(request), id=job_id or job.id)


def request_of(job: Job) -> TestRequest:
    """What a test job was asked. Raises `ValueError` or `RecursionError` for a job that is no
    test runner's."""
    return msgspec.json.decode(job.stdin, type=TestRequest)


class _Seal(msgspec.Struct):
    complete: bool
    nonce: str = ""


def seal(job: Job) -> tuple[Job, str]:
    """For whoever runs the job: the same job with a nonce of this one run, and the nonce; "" for a job that is asked no
    `TestRequest`."""
    if not is_test_job(job):
        return job, ""
    try:
        request = request_of(job)
    except (ValueError, RecursionError):
        return job, ""
    nonce = request.nonce or secrets.token_hex(16)
    return ask(job, msgspec.structs.replace(request, nonce=nonce)), nonce


def check_seal(execution: Execution, nonce: str) -> Execution:
    """The run as it can be trusted. A report that calls itself complete but lacks the run's nonce is taken out: the
    runner writes it at its end alone, so somebody else wrote that one. And an exit code 0 without any report is no
    success of tests."""
    if not nonce:
        return execution
    raw = execution.collected(REPORT)
    if raw is not None and not _is_forged(raw, nonce):
        return execution
    why = "the test run left no report" if raw is None else "the test report is not the test runner's own"
    return msgspec.structs.replace(
        execution,
        verdict="error" if execution.verdict == "ok" else execution.verdict,
        files=tuple(file for file in execution.files if file.name != REPORT),
        message=execution.message or why,
    )


def _is_forged(raw: bytes, nonce: str) -> bool:
    try:
        found = msgspec.json.decode(raw, type=_Seal)
    except (ValueError, RecursionError):
        return True
    return found.complete and not secrets.compare_digest(found.nonce.encode(), nonce.encode())


def is_test_job(job: Job) -> bool:
    """Whether the job leaves a test report (a plain command does not)."""
    return REPORT in job.collect


def report_of(execution: Execution) -> TestReport | None:
    """The report that the run left, None when it left none or one that can't be read: never a pass."""
    raw = execution.collected(REPORT)
    if raw is None:
        return None
    try:
        return msgspec.json.decode(raw, type=TestReport)
    except (ValueError, RecursionError):
        return None
