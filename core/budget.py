"""How long one session may work and how many jobs it may run, and the stop before the step that would pass it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from treadle.core.counting import counted
from treadle.core.durations import in_seconds
from treadle.core.store.spending import Level


class Budget:
    """Counts sandboxed jobs and working seconds of one session. Safe to use from several threads.

    `spent_s` and `counted` are what earlier runs of the same session took, from its log: resting costs nothing. `warn`
    is told, each time, of a budget that is near its end.
    """

    def __init__(
        self,
        *,
        jobs: int,
        wall_s: float,
        spent_s: float,
        clock: Callable[[], float],
        counted: Mapping[str, int],
        warn: Callable[[Level], object],
    ) -> None:
        self._jobs = jobs
        self._wall_s = wall_s
        self._counted = dict(counted)
        self._began = clock() - spent_s
        self._clock = clock
        self._warn = warn
        self._lock = threading.Lock()

    def spend_jobs(self, key: str, count: int) -> None:
        """Take a batch of jobs from the budget, before they run. Raises `BudgetExceeded`, and takes nothing, when they
        would pass it. A batch is known by its key and is counted once, however often the session is resumed."""
        with self._lock:
            if key in self._counted:
                return
            used = sum(self._counted.values()) + count
            if used > self._jobs:
                level = Level(scope="session", what="jobs", used=used, limit=self._jobs)
                raise level.passed(f"the budget of {counted(self._jobs, 'sandboxed job')} for this session is used up")
            self._counted[key] = count
        self._warn_of("jobs", used, self._jobs)

    @property
    def left_s(self) -> float:
        """Working seconds that are left; below 0 when it is overdrawn."""
        return self._wall_s - (self._clock() - self._began)

    def check_time(self) -> None:
        """Raises `BudgetExceeded` when the session has worked for as long as it may, and warns before."""
        took = self._clock() - self._began
        if took >= self._wall_s:
            level = Level(scope="session", what="wall_s", used=took + self._wall_s, limit=self._wall_s)
            raise level.passed(
                f"the session has worked for {in_seconds(took)} and its budget is {in_seconds(self._wall_s)}"
            )
        self._warn_of("wall_s", round(took, 1), self._wall_s)

    def _warn_of(self, what: str, used: float, limit: float) -> None:
        level = Level(scope="session", what=what, used=used, limit=limit)
        if level.is_near:
            self._warn(level)
