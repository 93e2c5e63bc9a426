"""Runs a project's pytest suite and leaves a `TestReport` (`treadle.core.testrun`): the script of a test job.

Runs in the sandbox under the person's Python (3.8 or newer) and pytest (6 or newer), with nothing of Treadle: the
text of this file and of those it imports is the job's script. A `TestRequest` comes as JSON on stdin.

The project's own configuration holds (ini files, `conftest.py`, `addopts`), except for what would hinder one process
from running chosen tests and from seeing their lines; `OVERRIDES` and `_Run` name each of those.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import random
import signal
import sys
import time
import types
from typing import Any, Callable, Iterator

import pytest

from treadle.plugins.test_runs.runners.child_traces import ChildTraces, add_lines, child_tracer_source, sorted_lines
from treadle.plugins.test_runs.runners.failure import NO_SUCH_TEST, Failure, Place, failure_of, kind_of_failure
from treadle.plugins.test_runs.runners.item_places import Places, nearest
from treadle.plugins.test_runs.runners.lasting import held_open, open_files
from treadle.plugins.test_runs.runners.line_tracer import LineTracer, SourceFiles, line_tracer
from treadle.plugins.test_runs.runners.live_code import LiveCode
from treadle.plugins.test_runs.runners.remembered import Remembered
from treadle.plugins.test_runs.runners.report_file import KeptResults, ReportFile, printable, result_of
from treadle.plugins.test_runs.runners.run_again import can_be_run_again, forget_reports, kept_beside, tear_down_all
from treadle.plugins.test_runs.runners.time_limit import TestClock, TestTimeout
from treadle.plugins.test_runs.runners.trials import Trials
from treadle.plugins.test_runs.runners.waiting import end_what_waits_for_nothing

PATH_FLAG = "--cwd-on-path"
"""Among the script's arguments: put the working folder on the import path, as `python -m pytest` does."""

OVERRIDES: dict[str, Any] = {
    # pytest-xdist, pytest-forked: the tests run in this process.
    "numprocesses": None,
    "maxprocesses": None,
    "dist": "no",
    "tx": [],
    "looponfail": False,
    "forked": False,
    # Nobody is at the keyboard, and nothing leaves the machine.
    "usepdb": False,
    "trace": False,
    "pastebin": None,
    # What was left by the last run does not choose today's tests.
    "lf": False,
    "failedfirst": False,
    "newfirst": False,
    "cacheshow": None,
    "stepwise": False,
    "stepwise_skip": False,
    # pytest-randomly: the natural order, or the one asked for by `shuffle`, and always the same seed.
    "randomly_reorganize": False,
    # pytest-benchmark: once each.
    "benchmark_disable": True,
    # Reports for other readers.
    "xmlpath": None,
    "htmlpath": None,
    "durations": None,
    "reportchars": "",
}
"""Options of pytest and of widespread plugins that are set whatever `addopts` or the arguments say. pytest-cov is not
among them, since it starts before the options are complete; `pytest_load_initial_conftests` sees to it."""

_PASSING = ("passed", "xpassed", "skipped", "xfailed")


class _Run:
    """The plugin that steers one run of pytest and reports it."""

    def __init__(self, request: dict[str, Any], report: ReportFile, children: ChildTraces) -> None:
        self._request = request
        self._report = report
        self._results: ReportFile | KeptResults = report
        self._select: list[str] = [printable(test) for test in request.get("select", ())]
        self._fail_fast: bool = request.get("fail_fast", False)
        self._sources = SourceFiles(request.get("trace_root", ""))
        self._tracer: LineTracer | None = line_tracer(self._sources) if request.get("trace") else None
        self._trace_function = self._tracer.trace_function if self._tracer is not None else None
        self._clock = TestClock(request.get("test_timeout_s", 0.0), tracer=self._trace_function)
        self._importing: TestClock | None = None
        self._children = children
        self._imported_by_children: dict[str, set[int]] = {}
        self._planned: list[str] | None = None
        self._failed = False
        self._phases: list[Any] = []
        self._called: bool | None = None
        self._setup_cut = False
        self._failure_of: Callable[[BaseException, Place], Failure] = failure_of
        self._open_before = open_files() if request.get("trials") else {}

    def start(self) -> None:
        """Begin to trace, if that was asked for."""
        if self._tracer is not None:
            self._children.prepare(os.environ)
            self._tracer.tell_in_forks(self._children.of_forks())
            self._tracer.start()

    def end(self, code: int, nonce: str) -> int:
        """Write the final report; the exit code says 0 only for a complete run without a failure."""
        if self._tracer is not None:
            self._tracer.stop()
            self._tracer.take_as_imported()
        done = len(self._report.tests)
        planned = self._planned or []
        all_done = done >= len(planned) or self._stopped_early() or self._report.trials
        complete = code in (0, 1, 5) and self._planned is not None and bool(all_done)
        if not complete and not self._report.problems:
            self._problem("", f"the run ended early: exit code {code} after {done} of {len(planned)} tests")
        elif complete and not planned and not self._report.problems and not self._request.get("without"):
            self._problem("", "pytest found no tests")
        imported = self._imported_by_children
        if self._tracer is not None:
            add_lines(imported, self._tracer.imported())
        self._report.finish(complete, nonce, self._sources.outside, sorted_lines(imported))
        clean = complete and not self._report.problems and not self._failed
        return 0 if clean else code or 1

    def _stopped_early(self) -> bool:
        return self._fail_fast and (self._failed or bool(self._report.problems))

    def _problem(self, place: str, message: str, failure: Failure | None = None) -> None:
        if failure is None:
            self._report.add_problem(result_of(place, "error", message=message))
        else:
            self._report.add_problem(result_of(place, "error", 0.0, failure.message, failure.exception, failure.frames))

    def _problem_of(self, place: str, error: BaseException) -> None:
        failure = failure_of(error, self._sources.place)
        self._problem(place, failure.message, failure)

    # ------------------------------------------------------------ before the tests

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_load_initial_conftests(self, early_config: Any) -> Iterator[None]:
        options = early_config.known_args_namespace
        if hasattr(options, "cov_source"):
            # An empty list is what pytest-cov takes for "not asked for".
            options.cov_source = []
            options.no_cov = True
        with self._import_limited():
            outcome: Any = yield
        if outcome.excinfo is not None:
            self._problem_of("", outcome.excinfo[1])

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_cmdline_parse(self) -> Iterator[None]:
        outcome: Any = yield
        if outcome.excinfo is not None:
            if not self._report.problems:
                self._problem_of("", outcome.excinfo[1])
            return
        option = outcome.get_result().option
        for name, value in OVERRIDES.items():
            if hasattr(option, name):
                setattr(option, name, value)
        # Trials stop by themselves: pytest can't be told to go on after that.
        option.maxfail = 1 if self._fail_fast and not self._request.get("trials") else 0
        option.continue_on_collection_errors = not self._fail_fast
        if self._fail_fast or self._request.get("outcomes_only"):
            option.tbstyle = "no"
        elif option.tbstyle in ("auto", "long"):
            option.tbstyle = "short"
        has_limits = self._request.get("test_timeout_s") or self._request.get("trials")
        if has_limits and hasattr(option, "timeout"):
            option.timeout = 0
        if getattr(option, "randomly_seed", None) == "default":
            option.randomly_seed = 0

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_cmdline_main(self) -> Iterator[None]:
        outcome: Any = yield
        if outcome.excinfo is not None and not self._report.problems:
            self._problem_of("", outcome.excinfo[1])

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: Any) -> None:
        for name in ("lfplugin", "nfplugin", "stepwiseplugin"):
            plugin = config.pluginmanager.get_plugin(name)
            if plugin is not None:
                config.pluginmanager.unregister(plugin)
        self._sources.add_tests(config.getini("python_files"))
        if self._select:
            # The files of the chosen tests take the place of the arguments only now, so that the root folder, by which
            # pytest names tests, and the first conftest files are those of the whole run.
            files = dict.fromkeys(test.split("::")[0] for test in self._select)
            found = [os.path.join(str(config.rootdir), file) for file in files]
            config.args = [file for file in found if os.path.exists(file)] or [str(config.rootdir)]
            config.option.pyargs = False

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_make_collect_report(self, collector: Any) -> Iterator[None]:
        with self._import_limited():
            outcome: Any = yield
        if outcome.excinfo is not None:
            return
        report = outcome.get_result()
        call = report.__dict__.get("call")
        if report.failed and call is not None and call.excinfo is not None:
            self._problem_of(collector.nodeid, call.excinfo.value)
        elif report.failed:
            self._problem(collector.nodeid, str(report.longrepr))

    @contextlib.contextmanager
    def _import_limited(self) -> Iterator[None]:
        """With a limit for what is imported here; one inside of another has its own time."""
        around = self._importing
        if around is not None:
            around.stop()
        self._importing = TestClock.of_import(self._request.get("test_timeout_s", 0.0), self._trace_function)
        self._importing.start()
        try:
            yield
        finally:
            self._importing.stop()
            self._importing = around
            if around is not None:
                around.start()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> Iterator[None]:
        yield
        without, within = (self._request.get(name, ()) for name in ("without", "within"))
        if self._select:
            # These were found at the right places by the run that named them, and their files alone are collected.
            by_id = {printable(item.nodeid): item for item in items}
            for test in self._select:
                if test not in by_id:
                    self._problem(test, "no test has this id")
            items[:] = [by_id[test] for test in self._select if test in by_id]
        elif without or within:
            places = Places(str(config.invocation_params.dir))
            for place in places.without_any((place for place in within if "::" in place), items):
                why = f"there is no such test{nearest(place, items)}"
                self._problem(printable(place), why, Failure(NO_SUCH_TEST, why, []))
            items[:] = [i for i in items if not places.hold(without, i) and (not within or places.hold(within, i))]
        seed = self._request.get("shuffle")
        if seed is not None:
            items.sort(key=lambda item: _shuffled(item.nodeid, seed))
        self._planned = [item.nodeid for item in items]

    # ------------------------------------------------------------ the tests

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool | None:
        asked = self._request.get("trials")
        if not asked or session.testsfailed:
            return None
        live = LiveCode(self._sources.place)
        shared = held_open(self._open_before)
        memory = None
        # Others are used up by a run: an example in a docstring forgets its names.
        if all(isinstance(item, pytest.Function) for item in session.items):
            memory = Remembered(live.modules(), kept_beside(session), live.own)
        # What is there stays as it is, in this process as in the forks: nobody needs to look through it for garbage.
        gc.freeze()
        until = time.monotonic() + self._request["trials_s"]
        trials = Trials(lambda limit: self._outcomes(session, limit), len(session.items), until, memory)
        self._report.trials += trials.answers(asked, live, shared)
        return True

    def _outcomes(self, session: Any, limit_s: float) -> tuple[list[dict[str, Any]], bool]:
        """Run all tests in this process, a fork, whose report is not the run's, and whether they can be run again. How
        they fail is not worded: of an endless recursion that takes longer than the test."""
        self._failure_of = kind_of_failure
        kept = self._results = KeptResults()
        self._clock = TestClock(limit_s)
        for item, after in zip(session.items, [*session.items[1:], None]):
            item.repr_failure = _unworded
            forget_reports(item)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            bad = kept.tests and kept.tests[-1]["outcome"] not in _PASSING
            if (bad and self._clock.ran_out) or session.shouldfail or session.shouldstop:
                return kept.tests, False
            if bad and self._fail_fast:
                break
        return kept.tests, (after is None or tear_down_all(session, self._clock)) and can_be_run_again(session)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        self._phases, self._called = [], None
        self._clock.begin()
        self._results.begin(item.nodeid)
        if self._tracer is not None:
            self._tracer.take_as_imported()
            self._tracer.resume()
        outcome: Any = yield
        lines = self._take_lines()
        if outcome.excinfo is None:
            result = _merged(item.nodeid, self._phases, self._called, lines)
            bad = result["outcome"] not in _PASSING
            self._failed = self._failed or bad
            if bad and self._clock.early:
                result.update(outcome="skipped", message=self._clock.why_unknown(), exception=TestTimeout.__name__)
            self._clock.learn(result.get("seconds", 0.0))
            self._results.add(result)

    def _take_lines(self) -> dict[str, list[int]]:
        if self._tracer is None:
            return {}
        lines, imported, outside = self._children.take()
        add_lines(lines, self._tracer.take())
        add_lines(self._imported_by_children, imported)
        self._sources.outside |= outside
        return sorted_lines(lines)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_setup(self) -> Iterator[None]:
        self._clock.start()
        outcome: Any = yield
        self._clock.stop()
        # Who shares a fixture that was cut off gets the same error again, or one of pytest's own.
        self._setup_cut = self._setup_cut or self._clock.early
        if outcome.excinfo is not None and self._setup_cut:
            self._clock.early = True

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        self._clock.start()
        outcome: Any = yield
        self._clock.stop()
        self._called = outcome.excinfo is None

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_teardown(self) -> Iterator[None]:
        self._clock.reset()
        self._clock.start()
        yield
        self._clock.stop()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, call: Any) -> Iterator[None]:
        outcome: Any = yield
        if outcome.excinfo is None and call.excinfo is not None:
            report = outcome.get_result()
            if report is not None and report.failed:
                report.treadle_failure = self._failure_of(call.excinfo.value, self._sources.place)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.outcome == "rerun":
            self._phases = []
        else:
            self._phases.append(report)

    # ------------------------------------------------------------ what goes wrong around them

    def pytest_internalerror(self, excinfo: Any) -> None:
        self._problem_of("", excinfo.value)

    def pytest_keyboard_interrupt(self, excinfo: Any) -> None:
        self._problem_of("", excinfo.value)


class _Unworded:
    """In place of the words in which pytest tells a person of a failure, for the project's hooks that look at them."""

    reprcrash = reprtraceback = types.SimpleNamespace(path="", lineno=0, message="", reprentries=[])

    def __str__(self) -> str:
        return ""

    def toterminal(self, _: Any) -> None:
        """Say nothing."""


def _unworded(*_: Any, **__: Any) -> _Unworded:
    return _Unworded()


def _shuffled(node_id: str, seed: int) -> tuple[float, ...]:
    """A sort key that shuffles files, classes in files, and tests in classes, so that shared fixtures stay shared."""
    parts = node_id.split("::")
    return tuple(random.Random(f"{seed} {'::'.join(parts[: n + 1])}").random() for n in range(len(parts)))


def _merged(node_id: str, phases: list[Any], called: bool | None, lines: Any) -> dict[str, Any]:
    """One result from the reports of a test's phases: the first that is not a plain pass says what came of it."""
    seconds = sum(getattr(phase, "duration", 0.0) for phase in phases)
    outcome, message, failure = "passed", "", None
    for phase in phases:
        phase_outcome, phase_message = _outcome_of(phase)
        if phase_outcome != "passed" and (outcome not in ("failed", "error")):
            outcome, message = phase_outcome, phase_message
            failure = getattr(phase, "treadle_failure", None)
    if outcome == "passed" and (called is None or not any(phase.when == "call" for phase in phases)):
        outcome, message = "error", "pytest reported no call of this test"
    elif outcome == "passed" and called is False:
        outcome, message = "error", "the test raised, but its report was changed to a pass"
    if failure is not None:
        return result_of(node_id, outcome, seconds, failure.message, failure.exception, failure.frames, lines)
    return result_of(node_id, outcome, seconds, message, lines=lines)


def _outcome_of(phase: Any) -> tuple[str, str]:
    expected = getattr(phase, "wasxfail", None)
    if phase.skipped:
        if expected is not None:
            return "xfailed", str(expected)
        reason = phase.longrepr
        return "skipped", str(reason[2] if isinstance(reason, tuple) else reason)
    if phase.passed:
        return ("passed", "") if expected is None else ("xpassed", str(expected))
    return ("failed" if phase.when == "call" else "error"), str(phase.longrepr or "")


def main() -> int:
    """Run the tests as the request on stdin asks, and leave the report in the folder `$TREADLE_JOB`."""
    with open(0, "rb", closefd=False) as stdin:
        request = json.load(stdin)
    nonce = request.pop("nonce", "")
    folder = os.environ["TREADLE_JOB"]
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.path[:] = [place for place in sys.path if place]
    script_arguments = sys.argv[1:]
    if PATH_FLAG in script_arguments:
        sys.path.insert(0, os.getcwd())
    arguments = [*request.get("args", ()), "-o", "cache_dir=" + os.path.join(folder, "pytest_cache")]
    # A plugin that was imported ahead can't be rewritten any more, which is no fault of the project's.
    arguments += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    if request.get("outcomes_only"):
        # Rewriting assertions, which can't be cached here, takes most of a short run's time and only words failures
        # better. What counts in the end is a run with it.
        arguments += ["--assert=plain"]
    sys.argv = ["pytest", *request.get("args", ())]
    # Under the name of the main program the tests' own code would find this one, and could change how it judges them.
    sys.modules["__main__"] = types.ModuleType("__main__")
    report = ReportFile(folder, f"pytest {pytest.__version__}")
    source = child_tracer_source(script_arguments) if request.get("trace") else ""
    run = _Run(request, report, ChildTraces(folder, source, request.get("trace_root", "")))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    end_what_waits_for_nothing()
    run.start()
    try:
        code = int(pytest.main(arguments, plugins=[run]))
    except (SystemExit, TestTimeout):
        # A conftest file or a plugin asked to exit, perhaps with 0, or would never have been imported.
        code = int(pytest.ExitCode.INTERRUPTED)
    return run.end(code, nonce)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    # Threads that the tests left behind, and what the project registered for the exit, have no say any more.
    os._exit(status)
