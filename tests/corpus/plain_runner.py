"""Runs plain test functions without pytest's session and leaves a `TestReport`: a run costs the tests' own time.

The script of a test job, no module; the search can't tell it from the real runner. It knows `select`, `fail_fast`,
`test_timeout_s` and `trace`, test files named `test_*.py` at the root, and `most_steps`: how many lines and calls each
test may run, which ends an endless loop at the same place on every machine, and the run with it.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import time
from pathlib import Path


class TestTimeout(BaseException):
    """The test took longer than its limit, in seconds or in steps."""


def _expire(number, frame):
    raise TestTimeout


def main():
    """Run the tests as the request on stdin asks."""
    request = json.load(sys.stdin)
    sys.dont_write_bytecode = True
    root = str(Path.cwd())
    sys.path.insert(0, root)
    functions, problems, tests = {}, [], []
    for path in sorted(each.name for each in Path().glob("test_*.py")):
        try:
            module = importlib.import_module(path[:-3])
        except Exception as error:  # noqa: BLE001 - whatever the project raises is a problem of its own
            problems.append({"id": path, "outcome": "error", **_failure(error, root)})
            continue
        for name, value in vars(module).items():
            if name.startswith("test_") and callable(value):
                functions[f"{path}::{name}"] = value
    signal.signal(signal.SIGALRM, _expire)
    for test in request.get("select") or functions:
        lines = {}
        result = {"id": test, "outcome": "passed"}
        begun = time.perf_counter()
        try:
            signal.setitimer(signal.ITIMER_REAL, request.get("test_timeout_s") or 2.0)
            if request.get("trace"):
                sys.settrace(_tracer(root, lines))
            elif request.get("most_steps"):
                sys.settrace(_counter(root, request["most_steps"]))
            functions[test]()
        except BaseException as error:  # noqa: BLE001 - a test fails by whatever it raises
            result.update(outcome="failed", **_failure(error, root))
        finally:
            sys.settrace(None)
            signal.setitimer(signal.ITIMER_REAL, 0)
        result["seconds"] = time.perf_counter() - begun
        result["lines"] = {name: sorted(found) for name, found in lines.items()}
        tests.append(result)
        if result["outcome"] == "failed" and request.get("fail_fast"):
            break
        if request.get("most_steps") and result.get("exception") == TestTimeout.__name__:
            break
    report = {"complete": True, "tests": tests, "problems": problems, "nonce": request.get("nonce", "")}
    Path(os.environ["TREADLE_JOB"], "report.json").write_text(json.dumps(report))
    os._exit(any(t["outcome"] == "failed" for t in tests) or bool(problems))


def _failure(error, root):
    frames, step = [], error.__traceback__
    while step is not None:
        name = step.tb_frame.f_code.co_filename
        if name.startswith(root + "/"):
            frames.append((name[len(root) + 1 :], step.tb_lineno))
        step = step.tb_next
    return {"exception": type(error).__name__, "message": str(error)[:200], "frames": frames}


def _tracer(root, lines):
    def on_call(frame, event, argument):
        name = frame.f_code.co_filename
        if not name.startswith(root + "/") or name.rpartition("/")[2].startswith("test_"):
            return None
        found = lines.setdefault(name[len(root) + 1 :], set())

        def on_line(inner, event, argument):
            if event == "line":
                found.add(inner.f_lineno)
            return on_line

        return on_line

    return on_call


def _counter(root, most):
    left = most

    def on_step(frame, event, argument):
        nonlocal left
        left -= 1
        if left < 0:
            raise TestTimeout
        return on_step if frame.f_code.co_filename.startswith(root + "/") else None

    return on_step


main()
