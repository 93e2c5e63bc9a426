"""Runs a test command that is not pytest and leaves a `TestReport` (`treadle.core.testrun`) with one test, `command`.

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only. A `TestRequest` comes as
JSON on stdin; its `args` are the command. The exit code is the command's own, 128 + N when signal N ended it, 124 when
it took longer than `test_timeout_s`, 126 or 127 when it can't be started, as shells and `timeout` say it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

from treadle.plugins.test_runs.runners.child_traces import ChildTraces, child_tracer_source, sorted_lines
from treadle.plugins.test_runs.runners.report_file import ReportFile, printable, result_of

COMMAND_TEST = "command"
"""The id of the one test."""


def run_command(argv: list[str], environment: dict[str, str], limit_s: float) -> tuple[int, str]:
    """Run to the end; the exit code, and a message when it is not 0."""
    try:
        process = subprocess.Popen(argv, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)
    except FileNotFoundError:
        return 127, f"there is no command {argv[0]!r} in the sandbox"
    except OSError as error:
        return 126, f"the command {argv[0]!r} can't be started: {error.strerror}"
    try:
        code = process.wait(limit_s or None)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return 124, f"the command took longer than its limit of {limit_s:g} seconds"
    if code < 0:
        return 128 - code, f"signal {-code} ended the command"
    return code, f"the command ended with exit code {code}" if code else ""


def run_and_report(request: dict[str, Any], folder: str, traces: ChildTraces) -> int:
    """Run the command that the request names, and leave the report in `folder`."""
    report = ReportFile(folder, "command")
    for test in request.get("select", ()):
        if printable(test) != COMMAND_TEST:
            report.add_problem(result_of(test, "error", message="a plain command has only the test 'command'"))
    report.begin(COMMAND_TEST)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PATH"] = os.path.dirname(sys.executable) + os.pathsep + environment.get("PATH", os.defpath)
    traces.prepare(environment)
    begun = time.monotonic()
    code, message = run_command(list(request.get("args", ())), environment, request.get("test_timeout_s", 0.0))
    seconds = time.monotonic() - begun
    lines, imported, outside = traces.take()
    outcome = "failed" if code else "passed"
    report.add(result_of(COMMAND_TEST, outcome, seconds, message, lines=sorted_lines(lines)))
    report.finish(True, request.get("nonce", ""), outside, sorted_lines(imported))
    return code


def run_from_stdin() -> int:
    """Read the request from stdin, run its command, and answer the exit code."""
    with open(0, "rb", closefd=False) as stdin:
        request = json.load(stdin)
    folder = os.environ["TREADLE_JOB"]
    source = child_tracer_source(sys.argv[1:]) if request.get("trace") else ""
    return run_and_report(request, folder, ChildTraces(folder, source, request.get("trace_root", "")))


if __name__ == "__main__":
    raise SystemExit(run_from_stdin())
