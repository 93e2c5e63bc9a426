"""A session's own time and jobs: it stops before the step that would pass them, and the person is warned before."""

from __future__ import annotations

import pytest

from treadle.core.budget import Budget
from treadle.core.errors import BudgetExceeded
from treadle.core.store.spending import Level


class Desk:
    """A budget of 10 jobs and 100 s, with a clock that a test sets."""

    def __init__(self, spent_s: float = 0.0) -> None:
        self.now = 5000.0
        self.warned: list[Level] = []
        self.budget = Budget(
            jobs=10,
            wall_s=100.0,
            spent_s=spent_s,
            clock=lambda: self.now,
            counted={},
            warn=self.warned.append,
        )

    @property
    def told(self) -> list[tuple[str, str]]:
        return [(level.key, level.warning) for level in self.warned]


def test_who_has_worked_for_most_of_the_time_is_warned() -> None:
    desk = Desk(spent_s=30.0)
    desk.now += 49
    desk.budget.check_time()
    assert desk.told == []
    desk.now += 1.04
    desk.budget.check_time()
    assert desk.told == [
        ("budget.wall_s", "80 of 100 seconds of work are used up this session; `--set budget.wall_s=200` allows more")
    ]
    desk.now += 20
    with pytest.raises(BudgetExceeded, match=r"budget\.wall_s"):
        desk.budget.check_time()
    assert len(desk.told) == 1, "who is over it is told that alone"


def test_who_has_run_most_of_the_jobs_is_warned() -> None:
    desk = Desk()
    desk.budget.spend_jobs("a", 7)
    assert desk.told == []
    desk.budget.spend_jobs("b", 1)
    text = "8 of 10 sandboxed jobs are used up, or set aside for the next step, this session; "
    text += "`--set budget.jobs=20` allows more"
    assert desk.told == [("budget.jobs", text)]
    desk.budget.spend_jobs("b", 1)
    with pytest.raises(BudgetExceeded, match=r"budget\.jobs"):
        desk.budget.spend_jobs("c", 3)
    assert len(desk.told) == 1
