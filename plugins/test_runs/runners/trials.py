"""Several changes of the project, each tried in a fork of the process that has collected the tests.

To start pytest and to import the project and its tests takes ten times as long as most tests do. In a fork all of that
is done already: the functions that a change touches get their new code, and the tests run. What one fork did is unknown
to the next: each has a folder of its own for temporary files (which goes with the job), and one in which something is
done that lasts (`Watch`) does not count; its change has to be tried by a run of its own.

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import tempfile
import threading
import time
from typing import Any, Callable

from treadle.plugins.test_runs.runners.lasting import Watch
from treadle.plugins.test_runs.runners.live_code import LiveCode, Unswappable
from treadle.plugins.test_runs.runners.report_file import result_of
from treadle.plugins.test_runs.runners.time_limit import TestTimeout

_LEAST_S = 2.0
"""What a fork may take besides the time limits of its tests."""


def trial(asked: Any, live: LiveCode, run: Callable[[float], list[Any]], tests: int, until: float, shared: str) -> Any:
    """What came of one trial: the results of its `tests` as far as they came, or, as `untried`, why it was none.
    `run(seconds)` runs the tests, each for so many seconds at most (0: any); `until`, by `time.monotonic`, it is over.
    `shared`: what forks would share, empty where that is nothing.
    """
    try:
        if threading.active_count() > 1:
            raise Unswappable("threads run already when the tests begin")
        if shared:
            raise Unswappable(shared)
        if time.monotonic() >= until:
            raise Unswappable("the time of all trials is up")
        swaps = [pair for each in asked["swaps"] for pair in live.swap(**each)]
        files = {name for each in asked["swaps"] for name in live.files[each["path"]]}
    except Unswappable as error:
        return {"untried": str(error)}
    limit = asked.get("test_timeout_s", 0.0)
    deadline = min(until, time.monotonic() + _LEAST_S + limit * tests) if limit else until
    folder = tempfile.mkdtemp()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        _in_fork(swaps, files, folder, write, lambda: run(limit))
    os.close(write)
    try:
        said = _heard(read, child, deadline)
    finally:
        os.close(read)
        with contextlib.suppress(OSError):  # it left something there, or took it away
            os.rmdir(folder)
    try:
        answer = json.loads(said)
    except (ValueError, RecursionError):
        late = time.monotonic() >= deadline
        if late and deadline == until:
            return {"untried": "the time of all trials was up before its own was"}
        message = "the tests were ended" if late else "the process ended while a test ran"
        exception = TestTimeout.__name__ if late else ""
        return {"tests": [result_of("", "error", message=message, exception=exception)]}
    return answer


def _heard(read: int, child: int, deadline: float) -> bytes:
    """What the fork writes in one line; it is over after that, with all that it started."""
    said = bytearray()
    ended = False
    while not said.endswith(b"\n") and time.monotonic() < deadline:
        if select.select([read], [], [], 0.05)[0]:
            more = os.read(read, 1 << 16)
            if not more:
                break
            said += more
        elif ended:
            break
        else:
            ended = _is_over(child, os.WNOHANG)
    _end(child, ended)
    return bytes(said)


def _end(child: int, ended: bool) -> None:
    for kill in (os.killpg, os.kill)[: 1 if ended else 2]:
        with contextlib.suppress(OSError):
            kill(child, signal.SIGKILL)
    if not ended:
        _is_over(child, 0)


def _is_over(child: int, how: int) -> bool:
    try:
        return os.waitpid(child, how)[0] != 0
    except ChildProcessError:
        return True  # the project ignores what becomes of children, and so they are gone at once


def _in_fork(swaps: list[Any], files: set[str], folder: str, write: int, run: Callable[[], list[Any]]) -> None:
    """Run the tests with the new code, write what came of them, and end."""
    answer: dict[str, Any] = {"untried": "something was raised around the tests"}
    dumps, write_all, leave, getpid, own = json.dumps, os.write, os._exit, os.getpid, os.getpid()
    try:
        os.setsid()
        watch = Watch(folder, files)
        os.environ["TMPDIR"] = folder
        tempfile.tempdir = None
        for function, code in swaps:
            function.__code__ = code
        watch.begin()
        tests = run()
        answer = {"untried": watch.seen} if watch.seen else {"tests": tests}
    finally:
        # What a test has forked, and forgot to end, comes here as well.
        data = memoryview(dumps(answer).encode("ascii") + b"\n" if getpid() == own else b"")
        while data:
            data = data[write_all(write, data) :]
        leave(0)
