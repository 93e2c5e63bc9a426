"""The time limit of each test, and of each import of test files.

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only.
"""

from __future__ import annotations

import os
import signal
import time
from types import FrameType
from typing import Any

from treadle.plugins.test_runs.runners.endless import Look

GRACE_S = 2.0
"""Seconds of processor time that a test may go on for after its limit, before the process is ended."""
AFTER_A_HANG = 0.25
"""What is left of the limit for the next test, when one ran into it: what makes one test endless makes its neighbours
endless too, and all of them together shall not use up the time of the run. How a test ends that takes longer than that,
and might have gone on, is not known, and so it neither failed nor passed."""
LEAST_ENOUGH_S = 2.0
GLANCE_S = 0.5
"""The same where nothing is judged, and one that is known to run out of any time is looked at."""
IMPORT_S = 60.0
"""The least limit of an import: some take far longer than any test, and nothing is known of them beforehand."""
_FIRST_LOOK_S = 0.1
"""Seconds of the processor after which it is first asked whether a test can end at all."""
_SOON_S = 0.003
_TIMES_THE_SLOWEST = 4.0


def enough_s(slowest_s: float, least_s: float = LEAST_ENOUGH_S) -> float:
    """Seconds in which a test ends, as far as those tell that ended by themselves, the slowest of them after so long:
    many times over, since a run is seldom as long as the one before. It is `least_s` where they were quick."""
    return max(least_s, _TIMES_THE_SLOWEST * slowest_s)


class TestTimeout(BaseException):
    """The test took longer than its limit, or would never end (`never_ends`). Not an `Exception`, so that the code
    under test seldom catches it."""

    __test__ = False
    never_ends = False


_OWN_FILE = enough_s.__code__.co_filename


class TestClock:
    """Raises `TestTimeout` in a test that takes longer than `seconds` (0: never), which are fewer after one that did.
    `what` it is if it is no test; `tracer`: the trace function of the run's own.

    Signals and no watching thread: a second thread would make every `os.fork` of the code under test warn (Python
    3.12). Code in C that never lets the interpreter handle a signal is ended, with the process, by SIGPROF.
    """

    __test__ = False
    _running: TestClock | None = None

    def __init__(self, seconds: float, what: str = "test", tracer: Any = None) -> None:
        self.seconds = seconds
        self._what = what
        self._tracer = tracer
        self.ran_out = False
        self.early = False
        self._endless = False
        self._between_looks = 0.0
        self._full = seconds
        self._slowest = 0.0
        self._left = seconds
        self._begun = 0.0
        self._runs = False
        self._before: Any = signal.SIG_DFL

    def begin(self) -> None:
        """A new test: `ran_out` says at its end whether it was cut off, `early` whether a shorter limit than the one
        that was asked for is why it failed, so that nobody knows how it ends."""
        self.ran_out = self.early = self._endless = False
        self.reset()

    def reset(self) -> None:
        """All the time of a test lies before it."""
        self._left = self.seconds

    def why_unknown(self) -> str:
        """What to say of a test that was cut off early."""
        return (
            f"not judged: a test before it ran into the limit of {self._full:g} seconds, so this one was ended after "
            f"{self.seconds:g}"
        )

    def learn(self, seconds: float) -> None:
        """The test took so long."""
        if not self.ran_out:
            self._slowest = max(self._slowest, seconds)
            return
        if self._endless:
            return  # that took no long time
        shorter = max(AFTER_A_HANG * self.seconds, enough_s(self._slowest))
        self.seconds = min(self.seconds, shorter)

    def start(self) -> None:
        """Let the time run; it goes on from where `stop` left it. A test that has set an alarm of its own keeps it, and
        has no limit here: there is only one of each timer."""
        taken = signal.getitimer(signal.ITIMER_REAL)[0] > 0 or signal.getitimer(signal.ITIMER_PROF)[0] > 0
        self._runs = self.seconds > 0 and not taken
        TestClock._running = self
        if self._runs:
            left = max(self._left, 0.001)
            self._before = signal.signal(signal.SIGALRM, self._on_alarm)
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            self._begun = time.monotonic()
            # Again each second: the first one may be caught by the code under test.
            signal.setitimer(signal.ITIMER_REAL, left, 1.0)
            # This one ends the process, and so the run: never early.
            signal.setitimer(signal.ITIMER_PROF, left + self._full - self.seconds + GRACE_S)
            self._look_after(_FIRST_LOOK_S)

    def stop(self) -> None:
        """Let the time rest."""
        TestClock._running = None
        if self._runs:
            self._runs = False
            signal.setitimer(signal.ITIMER_PROF, 0)
            if signal.getsignal(signal.SIGVTALRM) == self._on_look:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
            if signal.getsignal(signal.SIGALRM) == self._on_alarm:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, self._before)
            self._left -= time.monotonic() - self._begun

    def _look_after(self, seconds: float) -> None:
        """Look then whether the test can end at all, and again after twice as long. The time is that of the processor:
        whoever waits for something is not interrupted."""
        self._between_looks = seconds
        is_free = signal.getsignal(signal.SIGVTALRM) in (signal.SIG_DFL, self._on_look)
        if seconds < self._left and is_free:
            signal.signal(signal.SIGVTALRM, self._on_look)
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds)

    def _on_look(self, number: int, frame: FrameType | None) -> None:
        if self._tracer is not None and frame is not None and frame.f_code.co_filename == _OWN_FILE:
            signal.setitimer(signal.ITIMER_VIRTUAL, _SOON_S)  # what is looked for is around the tracer
            return
        self._look_after(2.0 * self._between_looks)
        if frame is not None:
            own = (self._on_alarm, self._on_look)
            Look(frame, self._never_ends, own, self._tracer).begin()  # the last thing: it ends at the next call

    def _on_alarm(self, number: int, frame: FrameType | None) -> None:
        self.ran_out = True
        self.early = self.seconds < self._full
        raise TestTimeout(f"the {self._what} took longer than its limit of {self.seconds:g} seconds")

    def _never_ends(self, file: str, line: int) -> None:
        self._end(f"line {line} of {os.path.basename(file)} comes again and again with nothing changed")

    @classmethod
    def of_import(cls, test_s: float, tracer: Any) -> TestClock:
        """For imports, where tests have so many seconds."""
        return cls(max(IMPORT_S, 2.0 * test_s) if test_s else 0.0, "import", tracer)

    @classmethod
    def end_waiting(cls) -> None:
        """End the test that runs now, whose event loop nothing will wake."""
        (cls._running or cls(0.0))._end("its event loop waits for what nothing is there to bring")

    def _end(self, why: str) -> None:
        self.ran_out = self._endless = True
        error = TestTimeout(f"the {self._what} never ends: {why}")
        error.never_ends = True
        raise error
