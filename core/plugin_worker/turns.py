"""Whose turn it is to be worked on by a plugin's process, and how long each call has been worked on.

A process works on one call at a time, or on one inside of another while that one waits for its context. So a call is
sent when its turn has come, and its clock runs only while it is what the process works on: nobody is held to what
another took.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator

from treadle.core.context import Context
from treadle.core.durations import in_seconds

GIVEN_UP_S = 2.0
"""Seconds that a call may still work when its context has asked it to stop, or wait for its turn."""


class NotBegun(Exception):
    """The process has ended, or is about to, before the call's turn came."""


class Left(Exception):
    """The call's context was cancelled, and its turn did not come."""


class Turn:
    """One call: how long it may be worked on, in seconds, and how long it has been. `what` is what is said to take too
    long, and `mend` what helps; one that `is_patient` waits for its turn although its context is cancelled."""

    def __init__(
        self,
        limit_s: float,
        context: Context | None = None,
        what: str = "it",
        mend: str = "",
        *,
        is_patient: bool = False,
    ) -> None:
        self.limit_s = limit_s
        self.context = context
        self.what = what
        self.mend = f"; {mend}" if mend else ""
        self.is_patient = is_patient
        self.worked_s = 0.0
        self.since: float | None = None  # its clock runs since then
        self.asks = False  # it waits for its context
        self.told_at_s: float | None = None  # what it had worked when its context first asked it to stop
        self.lost_since: float | None = None  # its context was cancelled then, and it has not begun
        self.is_left = False

    def worked(self, now: float) -> float:
        """Seconds until `now`."""
        return self.worked_s + (0.0 if self.since is None else now - self.since)


class Turns:
    """The calls to one run of a process, from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._waiting: deque[Turn] = deque()
        self._begun: list[Turn] = []  # the last is worked on, those before it wait for their contexts
        self._is_over = False

    def begin(self, turn: Turn) -> None:
        """Wait for its turn. Raises `NotBegun`, and `Left`."""
        with self._lock:
            self._waiting.append(turn)
            with contextlib.ExitStack() as on_failure:
                on_failure.callback(self._changed.notify_all)
                on_failure.callback(self._waiting.remove, turn)
                while not self._may_begin(turn):
                    self._changed.wait()
                on_failure.pop_all()
            self._waiting.popleft()
            self._begun.append(turn)
            turn.since = self._clock()

    def end(self, turn: Turn) -> None:
        """It has ended, however it did. The clock of the one that it was made in goes on."""
        with self._lock:
            self._stop_clock(turn)
            self._begun.remove(turn)
            if self._begun and not self._begun[-1].asks and self._begun[-1].since is None:
                self._begun[-1].since = self._clock()
            if self._waiting:
                self._changed.notify_all()

    @property
    def is_idle(self) -> bool:
        """Whether no call has begun that has not ended."""
        with self._lock:
            return not self._begun

    @contextlib.contextmanager
    def asking(self, turn: Turn) -> Iterator[None]:
        """Within the block its context works; another call may be worked on inside of it."""
        with self._lock:
            self._stop_clock(turn)
            turn.asks = True
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._lock:
                turn.asks = False
                if self._begun[-1] is turn:
                    turn.since = self._clock()

    def close(self) -> None:
        """Let none begin any more."""
        with self._lock:
            self._is_over = True
            self._changed.notify_all()

    def overdue(self) -> str:
        """Why the process has to be ended, if it has; those that wait in vain are sent away. Raises what a context does
        that can't tell whether it is cancelled."""
        with self._lock:
            at_work, waiting = self._begun[-1:], tuple(self._waiting)
        # Asked outside of the lock: a context is the session's.
        lost = [turn for turn in waiting if not turn.is_patient and _is_cancelled(turn)]
        told = [turn for turn in at_work if not turn.asks and _is_cancelled(turn)]
        with self._lock:
            now = self._clock()
            for turn in lost:
                turn.lost_since = now if turn.lost_since is None else turn.lost_since
                turn.is_left = now - turn.lost_since > GIVEN_UP_S
            self._changed.notify_all()
            for turn in at_work:
                if turn.since is None:
                    continue
                if turn.worked(now) > turn.limit_s:
                    return f"{turn.what} took longer than {in_seconds(turn.limit_s)}{turn.mend}"
                if turn in told:
                    turn.told_at_s = turn.worked(now) if turn.told_at_s is None else turn.told_at_s
                    if turn.worked(now) - turn.told_at_s > GIVEN_UP_S:
                        return "it did not stop when it was asked to"
        return ""

    def _may_begin(self, turn: Turn) -> bool:
        if self._is_over:
            raise NotBegun
        if turn.is_left:
            raise Left("the plugin had not started, or was at another call, when nobody waited for this one any more")
        return self._waiting[0] is turn and (not self._begun or self._begun[-1].asks)

    def _stop_clock(self, turn: Turn) -> None:
        turn.worked_s, turn.since = turn.worked(self._clock()), None


def _is_cancelled(turn: Turn) -> bool:
    return turn.context is not None and turn.context.cancelled()
