"""Several changes of the project, tried one after the other in forks of the process that has collected the tests.

To start pytest and to import the project and its tests takes ten times as long as most tests do. In a fork all of that
is done already: the functions that a change touches get their new code, and the tests run. A fork costs several times
what a quick test does, so that one fork tries some changes in turn, as long as each leaves the project's memory as it
found it (`Remembered`) and no file behind; after one that does not, the next one begins in a fork of its own, as they
all do where the first change comes to another end when it is tried once more behind others.

What one fork did is unknown to the next: each has a folder of its own for temporary files (which goes with the job),
and one in which something is done that lasts (`Watch`) does not count; its change has to be tried by a run of its own.

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only.
"""

from __future__ import annotations

import contextlib
import copy
import json
import os
import select
import signal
import tempfile
import threading
import time
from typing import Any, Callable, Iterator

from treadle.plugins.test_runs.runners.lasting import Watch
from treadle.plugins.test_runs.runners.live_code import LiveCode, Unswappable
from treadle.plugins.test_runs.runners.remembered import Remembered
from treadle.plugins.test_runs.runners.report_file import result_of
from treadle.plugins.test_runs.runners.time_limit import TestTimeout

_LEAST_S = 2.0
"""What a trial may take besides the time limits of its tests."""
_IN_ONE_FORK = 16
"""So many share the cost of a fork: with more it is too small to matter, and what nobody sees adds up."""
_PROVEN_BEHIND = 4
"""The first change is tried once more behind so many, itself among them; until that was seen none counts that was tried
behind another."""
_WORTH_A_LOOK = 4
"""With fewer changes than this nobody looks whether they can share a fork."""
_PATIENCE = 3
"""After so many forks in turn that served one change alone, none is shared any more."""


class _Change:
    """A change that is to be tried: the functions to swap, each with its new code, in which files, and the limit of
    each test."""

    def __init__(self, asked: Any, live: LiveCode) -> None:
        self.swaps = [pair for each in asked["swaps"] for pair in live.swap(**each)]
        self.files = {name for each in asked["swaps"] for name in live.files[each["path"]]}
        self.limit_s: float = asked.get("test_timeout_s", 0.0)
        self.answer: dict[str, Any] = {}

    def once_more(self) -> _Change:
        """The same one, to be tried again."""
        return copy.copy(self)


class Trials:
    """Tries changes with the `tests` (their number) that `run(seconds)` runs, each for so many seconds at most (0:
    any); that answers with their results, and whether the next run can begin where this one has ended. `until`, by
    `time.monotonic`, all is over. `memory` is what the changes of one fork share, None where none can be shared."""

    def __init__(
        self, run: Callable[[float], tuple[list[Any], bool]], tests: int, until: float, memory: Remembered | None
    ) -> None:
        self._run = run
        self._tests = tests
        self._until = until
        self._memory = memory if memory is not None and not memory.unknown else None
        self._alone = 0
        self._is_proven = False

    def answers(self, asked: list[Any], live: LiveCode, shared: str) -> list[dict[str, Any]]:
        """What came of each: the results of its tests as far as they came, or, as `untried`, why it was none. `shared`:
        what forks would share, empty where that is nothing."""
        if threading.active_count() > 1:
            shared = "threads run already when the tests begin"
        all_asked: list[_Change | str] = []
        for each in asked:
            try:
                if shared:
                    raise Unswappable(shared)
                all_asked.append(_Change(each, live))
            except Unswappable as error:
                all_asked.append(str(error))
        changes = [each for each in all_asked if isinstance(each, _Change)]
        if len(changes) < _WORTH_A_LOOK:
            self._memory = None
        left = changes
        while left:
            left = left[self._some(left) :]
        return [each.answer if isinstance(each, _Change) else {"untried": each} for each in all_asked]

    def _some(self, changes: list[_Change]) -> int:
        """Try the first of these, and how many of them were."""
        if self._memory is None or self._alone >= _PATIENCE:
            return self._in_one_fork(changes[:1])
        if self._is_proven:
            return self._in_one_fork(changes[:_IN_ONE_FORK])
        together = changes[:_PROVEN_BEHIND]
        once_more = changes[0].once_more()
        if self._in_one_fork([*together, once_more]) <= len(together):
            return 1
        self._is_proven = _end_of(once_more.answer) == _end_of(changes[0].answer)
        if not self._is_proven:
            self._memory = None
        return len(together) if self._is_proven else 1

    def _in_one_fork(self, changes: list[_Change]) -> int:
        """Try these in a fork, and how many of them were."""
        if time.monotonic() >= self._until:
            changes[0].answer = {"untried": "the time of all trials is up"}
            return 1
        folder = tempfile.mkdtemp()
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            self._try_all(changes, folder, write)
        os.close(write)
        fork = _Fork(child, read)
        try:
            tried = self._heard(fork, changes)
        finally:
            fork.end()
            with contextlib.suppress(OSError):  # it left something there, or took it away
                os.rmdir(folder)
        self._alone = self._alone + 1 if tried == 1 else 0
        return tried

    def _heard(self, fork: _Fork, changes: list[_Change]) -> int:
        """Note what the fork says of its changes, and how many it tried."""
        for number, change in enumerate(changes, start=1):
            limit = change.limit_s
            deadline = min(self._until, time.monotonic() + _LEAST_S + limit * self._tests) if limit else self._until
            try:
                said = json.loads(fork.line(deadline))
                change.answer = said["answer"]
            except (ValueError, RecursionError):
                late = time.monotonic() >= deadline
                if number > 1 and not late:
                    return number - 1  # what ended the process may be what those before have left
                change.answer = self._unsaid(late, deadline)
                return number
            if said["is_over"]:
                return number
        return len(changes)

    def _unsaid(self, late: bool, deadline: float) -> dict[str, Any]:
        if late and deadline == self._until:
            return {"untried": "the time of all trials was up before its own was"}
        message = "the tests were ended" if late else "the process ended while a test ran"
        exception = TestTimeout.__name__ if late else ""
        return {"tests": [result_of("", "error", message=message, exception=exception)]}

    def _try_all(self, changes: list[_Change], folder: str, write: int) -> None:
        """In the fork: run the tests with each change, write what came of it in a line, and end."""
        dumps, write_all, leave, getpid, own = json.dumps, os.write, os._exit, os.getpid, os.getpid()
        listdir, memory = os.listdir, self._memory
        answer: dict[str, Any] = {"untried": "something was raised around the tests"}
        is_over = True

        def say() -> None:
            said = dumps({"answer": answer, "is_over": is_over})
            # What a test has forked, and forgot to end, comes here as well.
            data = memoryview(said.encode("ascii") + b"\n" if getpid() == own else b"")
            while data:
                data = data[write_all(write, data) :]

        try:
            os.setsid()
            watch = Watch(folder, {file for change in changes for file in change.files})
            os.environ["TMPDIR"] = folder
            tempfile.tempdir = None
            if memory is not None and len(changes) > 1:
                memory.begin()
            watch.begin()
            for change in changes:
                answer, is_over = {"untried": "something was raised around the tests"}, True
                with _swapped(change.swaps):
                    tests, is_clean = self._run(change.limit_s)
                answer = {"untried": watch.seen} if watch.seen else {"tests": tests}
                if change is changes[-1]:
                    break
                is_over = bool(watch.seen or not is_clean or listdir(folder) or _has_children())
                is_over = is_over or memory is None or not memory.is_as_it_was()
                if is_over or getpid() != own:
                    break
                say()
        finally:
            try:
                say()
            finally:
                leave(0)


class _Fork:
    """A process that says something in lines."""

    def __init__(self, process: int, read: int) -> None:
        self._process = process
        self._read = read
        self._said = bytearray()
        self._is_over = False

    def line(self, deadline: float) -> bytes:
        """The next one, or what there is of it when the process is over or the deadline has come."""
        while b"\n" not in self._said and time.monotonic() < deadline:
            if select.select([self._read], [], [], 0.05)[0]:
                more = os.read(self._read, 1 << 16)
                if not more:
                    break
                self._said += more
            elif self._is_over:
                break
            else:
                self._is_over = self._ended(os.WNOHANG)
        line, _, rest = self._said.partition(b"\n")
        self._said = rest
        return bytes(line)

    def end(self) -> None:
        """It is over after that, with all that it started."""
        os.close(self._read)
        for kill in (os.killpg, os.kill)[: 1 if self._is_over else 2]:
            with contextlib.suppress(OSError):
                kill(self._process, signal.SIGKILL)
        if not self._is_over:
            self._ended(0)

    def _ended(self, how: int) -> bool:
        try:
            return os.waitpid(self._process, how)[0] != 0
        except ChildProcessError:
            return True  # the project ignores what becomes of children, and so they are gone at once


@contextlib.contextmanager
def _swapped(swaps: list[Any]) -> Iterator[None]:
    """With these functions' new code."""
    before = [function.__code__ for function, _ in swaps]
    for function, code in swaps:
        function.__code__ = code
    yield
    for (function, _), code in zip(swaps, before):
        function.__code__ = code


def _has_children() -> bool:
    """Whether a process that this one has started goes on, or nobody has asked how it ended."""
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return False
    return True


def _end_of(answer: dict[str, Any]) -> str:
    """How the tests ended, without how long they took and how it is worded."""
    return repr([(test["id"], test["outcome"], test.get("exception")) for test in answer.get("tests", ())])
