"""Several changes of the project, each tried in a fork of the process that has collected the tests.

To start pytest and to import the project and its tests takes ten times as long as most tests do. In a fork all of that
is done already: the functions that a change touches get their new code, and the tests run. What one fork did is unknown
to the next: each has a folder of its own for temporary files (which goes with the job), and one that writes anywhere
else, or starts a program (which would read the files as they are), does not count; its change has to be tried by a run
of its own.

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import sys
import tempfile
import threading
import time
from typing import Any, Callable

from treadle.plugins.test_runs.runners.live_code import LiveCode, Unswappable
from treadle.plugins.test_runs.runners.report_file import result_of

_LEAST_S = 2.0
"""What a fork may take besides the time limits of its tests."""
_LEAVES = {
    "os.link",
    "os.mkdir",
    "os.mkfifo",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.symlink",
    "os.truncate",
    "shutil.rmtree",
    "sqlite3.connect",
}
"""Audit events of what the next fork would find: the first argument is a path."""
_STARTS = {"os.exec", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn", "socket.bind", "subprocess.Popen"}
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_KEPT_BETWEEN_RUNS = "/.hypothesis/"
"""What hypothesis keeps is no part of what a test sees."""


def trial(asked: Any, live: LiveCode, run: Callable[[float], list[Any]], tests: int, until: float) -> Any:
    """What came of one trial: the results of its `tests` as far as they came, or, as `untried`, why it was none.
    `run(seconds)` runs the tests, each for so many seconds at most (0: any); `until`, by `time.monotonic`, it is over.
    """
    try:
        if threading.active_count() > 1:
            raise Unswappable("threads run already when the tests begin")
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
    try:
        answer = json.loads(said)
    except (ValueError, RecursionError):
        late = time.monotonic() >= deadline
        message = "the tests were ended" if late else "the process ended while a test ran"
        return {"tests": [result_of("", "error", message=message, exception="TestTimeout" if late else "")]}
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
        elif os.waitpid(child, os.WNOHANG)[0]:
            ended = True
    _end(child, ended)
    return bytes(said)


def _end(child: int, ended: bool) -> None:
    for kill in (os.killpg, os.kill)[: 1 if ended else 2]:
        with contextlib.suppress(OSError):
            kill(child, signal.SIGKILL)
    if not ended:
        os.waitpid(child, 0)


def _in_fork(swaps: list[Any], files: set[str], folder: str, write: int, run: Callable[[], list[Any]]) -> None:
    """Run the tests with the new code, write what came of them, and end."""
    answer: dict[str, Any] = {"untried": "something was raised around the tests"}
    dumps, write_all, leave = json.dumps, os.write, os._exit
    try:
        os.setsid()
        watch = _Watch(folder, files)
        os.environ["TMPDIR"] = folder
        tempfile.tempdir = None
        for function, code in swaps:
            function.__code__ = code
        sys.addaudithook(watch.heard)
        tests = run()
        answer = {"untried": watch.seen} if watch.seen else {"tests": tests}
    finally:
        data = memoryview(dumps(answer).encode("ascii") + b"\n")
        while data:
            data = data[write_all(write, data) :]
        leave(0)


class _Watch:
    """Hears what the code under test does, and notes what makes its fork no trial."""

    def __init__(self, own: str, files: set[str]) -> None:
        self.seen = ""
        self._own = (os.path.realpath(own) + "/", own + "/")
        self._files = files

    def heard(self, event: str, arguments: Any) -> None:
        """An audit hook."""
        if self.seen or event in ("import", "object.__getattr__"):
            return
        if event == "open":
            path, _, flags = arguments
            writes = isinstance(flags, int) and bool(flags & _WRITES)
            if writes and not isinstance(path, int):
                self._note("it writes", path)
        elif event == "exec":
            code = arguments[0]
            if getattr(code, "co_filename", None) in self._files:
                self.seen = "it imports the file anew"
        elif event in _LEAVES:
            self._note("it changes", arguments[0])
        elif event in _STARTS:
            self.seen = f"its tests use {event}"

    def _note(self, what: str, path: Any) -> None:
        try:
            full = os.path.abspath(os.fsdecode(path))
        except (TypeError, ValueError):
            return
        if not f"{full}/".startswith(self._own) and not full.startswith("/dev/") and _KEPT_BETWEEN_RUNS not in full:
            self.seen = f"{what} {full}"
