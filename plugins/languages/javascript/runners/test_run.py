"""Runs a package's tests under Node and leaves a `TestReport` (`treadle.core.testrun`).

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only. A `TestRequest` comes as
JSON on stdin; its `args` are appended to the command. Of the rest `select` is obeyed (all run, the named ones are
reported) and `test_timeout_s` for a script, as it is one test; lines are not traced, nor is the order changed.

The tests run in processes of their own and this one reads what their runner wrote to a file, which tests that mean to
cheat could write to as well. What they can't do is leave the report itself: it carries the run's nonce. The exit code
is the runner's own, 127 or 126 when it can't be started, as shells say it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

from treadle.plugins.languages.javascript.runners.report_readers import READERS, Results, last_error, printable

SCRIPT_TEST = "script"
"""The id of the one test that a script is which no reader understands."""
MOST_SAID = 20_000
"""Bytes of the runner's error stream that are looked at and passed on."""


def command_line(runner: str, command: list[str], args: list[str], job: str, reporter: str) -> tuple[list[str], str]:
    """The whole command, and the file to which the runner writes its report ("" when it writes none)."""
    written = os.path.join(job, "tests.json")
    if runner == "node":
        source = os.path.join(job, "reporter.mjs")
        with open(source, "w", encoding="utf-8") as file:
            file.write(reporter)
        options = ["--test", "--test-reporter=" + source, "--test-reporter-destination=" + written]
        return [*command, *options, *args], written
    if runner == "vitest":
        return [*command, "run", "--reporter=json", "--outputFile=" + written, *args], written
    if runner == "jest":
        cache = "--cacheDirectory=" + os.path.join(job, "jest")
        options = ["--json", "--outputFile=" + written, "--ci", "--watchman=false", cache]
        return [*command, *options, *args], written
    if runner == "mocha":
        return [*command, "--reporter", "json", "--reporter-option", "output=" + written, *args], written
    return [*command, *args], ""


def start(argv: list[str], folder: str, errors: str, limit_s: float | None) -> tuple[int, str]:
    """Run to the end, with its error stream in the file `errors`; the exit code, and what to say when it can't be
    started or did not end."""
    environment = {**os.environ, "CI": "1", "NO_COLOR": "1", "FORCE_COLOR": "0"}
    environment.pop("TREADLE_JOB", None)
    try:
        with open(errors, "wb") as stderr:
            process = subprocess.Popen(
                argv, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stderr=stderr, start_new_session=True
            )
    except FileNotFoundError:
        return 127, f"there is no program {argv[0]!r} in the sandbox"
    except OSError as error:
        return 126, f"the program {argv[0]!r} can't be started: {error.strerror}"
    try:
        code = process.wait(limit_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return 124, f"the script took longer than its limit of {limit_s:g} seconds"
    return (code, "") if code >= 0 else (128 - code, f"signal {-code} ended the test runner")


def end_of(name: str) -> str:
    """The last part of what a program wrote into that file."""
    with open(name, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - MOST_SAID))
        return file.read().decode("utf-8", "replace")


def results_of(
    runner: str, written: str, code: int, said: str, errors: str, seconds: float, root: str
) -> tuple[Results, bool]:
    """The tests and problems, and whether the run is complete."""
    if runner == "script":
        message = said or f"the script ended with exit code {code}"
        test = {"id": SCRIPT_TEST, "outcome": "failed" if code else "passed", "seconds": round(seconds, 6)}
        return ([{**test, "message": message} if code else test], []), True
    said_last = last_error(errors)
    why = said or f"{runner} ended with exit code {code} and left no report of its tests"
    why += f": {said_last}" if said_last and not said else ""
    try:
        with open(written, encoding="utf-8", errors="replace") as file:
            tests, problems = READERS[runner](file.read(), root)
    except FileNotFoundError:
        return ([], [{"id": "", "outcome": "error", "message": why}]), code < 126
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        why = f"the report of {runner} can't be read ({type(error).__name__}: {error})"
        return ([], [{"id": "", "outcome": "error", "message": why}]), False
    if said:
        problems.append({"id": "", "outcome": "error", "message": said})
    return (tests, problems), code < 124


def chosen(results: Results, select: list[str]) -> Results:
    """The selected tests, in that order; one that is not there is a problem."""
    if not select:
        return results
    by_id: dict[str, list[dict[str, Any]]] = {}
    for test in results[0]:
        by_id.setdefault(test["id"], []).append(test)
    missing = [{"id": name, "outcome": "error", "message": "no test has this id"} for name in select]
    problems = [problem for problem in missing if problem["id"] not in by_id]
    return [test for name in select for test in by_id.get(name, ())], [*results[1], *problems]


def leave_report(folder: str, report: dict[str, Any]) -> None:
    """Write the report in one go, in the place of whatever has its name."""
    new = os.path.join(folder, "report.json.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        json.dump(report, file)
    os.replace(new, os.path.join(folder, "report.json"))


def main() -> int:
    """Run the tests as the request on stdin asks, and leave the report in the folder `$TREADLE_JOB`."""
    runner, folder, reporter, *command = sys.argv[1:]
    with open(0, "rb", closefd=False) as stdin:
        request = json.load(stdin)
    job, root = os.environ["TREADLE_JOB"], os.getcwd()
    argv, written = command_line(runner, command, list(request.get("args", ())), job, reporter)
    limit_s = request.get("test_timeout_s") if runner == "script" else None
    begun = time.monotonic()
    kept = os.path.join(job, "errors.txt")
    code, said = start(argv, folder, kept, limit_s or None)
    seconds = time.monotonic() - begun
    errors = end_of(kept)
    print(printable("\n".join(filter(None, (errors, said)))), file=sys.stderr)
    results, complete = results_of(runner, written, code, said, errors, seconds, root)
    tests, problems = chosen(results, list(request.get("select", ())))
    leave_report(
        job,
        {
            "complete": complete,
            "nonce": request.get("nonce", ""),
            "runner": runner,
            "tests": tests,
            "problems": problems,
        },
    )
    return code


if __name__ == "__main__":
    raise SystemExit(main())
