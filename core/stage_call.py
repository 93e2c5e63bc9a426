"""A stage at work in a thread of its own, so that one that hangs is left behind and the session goes on."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from treadle.core.durations import in_seconds
from treadle.core.errors import StageTimeout, Stopped

T = TypeVar("T")

STOP_GRACE_S = 0.5
"""How long a stage may take to come back by itself once the session was asked to stop."""


class StageCall(Generic[T]):
    """One call of a stage. `closed` becomes True when nobody waits for its answer any more; whoever still works for it
    (a plugin that hangs in its thread) gets an error from every further use of its context."""

    def __init__(
        self,
        stage: str,
        do: Callable[[], T],
        limit_s: float,
        clock: Callable[[], float],
        *,
        in_all: bool = False,
        left_behind: Callable[[], None] = lambda: None,
    ) -> None:
        """`in_all`: the limit is for all of it, also for what it waits for. `left_behind` is called when it is, before
        anything of it hears of that: what its further uses of the context come to is known to be no other fault."""
        self.stage = stage
        self._in_all = in_all
        self._left_behind = left_behind
        self.limit_s = limit_s
        self._do = do
        self._clock = clock
        self._deadline = clock() + limit_s
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._result: list[T] = []
        self._error: BaseException | None = None
        self.closed = False

    def out_of_time(self) -> bool:
        """True once the stage has passed its limit: it is asked (`context.cancelled`) to come back."""
        return self._clock() > self._deadline

    @contextlib.contextmanager
    def waiting(self, limit_s: float) -> Iterator[None]:
        """The time in the block, in which the stage waits for somebody who is held to a limit of their own, is not the
        stage's, as long as it is no more than `limit_s`."""
        if self._in_all:
            yield
            return
        began = self._clock()
        self._deadline += limit_s
        try:
            yield
        finally:
            self._deadline -= limit_s - min(limit_s, self._clock() - began)

    def abandon(self, error: BaseException) -> None:
        """Leave the call behind: `wait` raises the error, and what the stage still answers is thrown away."""
        with self._lock:
            if not self.closed:
                self._left_behind()
                self._close([], error)

    def _settle(self, result: list[T], error: BaseException | None) -> None:
        with self._lock:
            if not self.closed:
                self._close(result, error)

    def _close(self, result: list[T], error: BaseException | None) -> None:
        self.closed = True
        self._result = result
        self._error = error
        self._over.set()

    def _work(self) -> None:
        try:
            result = self._do()
        except BaseException as error:  # noqa: BLE001 - handed to the session's thread, which raises it
            self._settle([], error)
        else:
            self._settle([result], None)

    def wait(self, stop: threading.Event) -> T:
        """Run the stage and give its answer, or raise what it raised: `StageTimeout` when the supervisor gave it up,
        `Stopped` when the session was asked to stop and the stage did not come back within `STOP_GRACE_S`."""
        threading.Thread(target=self._work, name=f"treadle-{self.stage}", daemon=True).start()
        while not self._over.wait(0.05):
            if stop.is_set() and not self._over.wait(STOP_GRACE_S):
                self.abandon(Stopped("the session was asked to stop"))
        if stop.is_set():
            # A stage that heard of the stop may have come back with half an answer; it is run again by a resume.
            raise Stopped("the session was asked to stop")
        if self._error is not None:
            raise self._error
        return self._result[0]


class Supervisor:
    """Looks every `every_s` seconds whether a stage is overdue, and gives it up. A stage that is asked to come back
    gets until the next look; so what is stuck is settled within two looks of its limit."""

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._calls: dict[StageCall[Any], bool] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="treadle-supervisor", daemon=True)

    def __enter__(self) -> Supervisor:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    @contextlib.contextmanager
    def watching(self, call: StageCall[Any]) -> Iterator[None]:
        """Watch the call while the block runs."""
        with self._lock:
            self._calls[call] = False
        try:
            yield
        finally:
            with self._lock:
                del self._calls[call]

    def _watch(self) -> None:
        while not self._ended.wait(self._every_s):
            with self._lock:
                overdue = [call for call in self._calls if call.out_of_time()]
                given_up = [call for call in overdue if self._calls[call]]
                self._calls.update(dict.fromkeys(overdue, True))
            for call in given_up:
                took = f"took longer than {in_seconds(call.limit_s)}"
                call.abandon(StageTimeout(f"the stage {call.stage!r} {took}, and did not stop when asked"))
