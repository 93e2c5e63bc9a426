"""How a batch of variants meets the failing tests: by trials of one run where that can be, else by a run for each."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from treadle.core.records import Execution, FileChange, Job
from treadle.core.testrun import Swap, TestReport, Trial, TrialReport
from treadle.plugins.generation.search.suite import Check, ran_out_of_time

RUNS = min(os.cpu_count() or 1, 8)
"""The trials of a batch are shared out among so many runs, which go on at the same time."""
LEAST_TRIALS = 4
"""So many trials, at least, make up for the start of a run of their own."""
_SWAP_COST = 0.08
"""What it costs to try a change beside others in one run, its tests apart, by the cost of a run of its own."""
_START_S = 0.1
"""What a run takes besides its tests, about."""

Execute = Callable[[list[Job]], tuple[Execution, ...]]


@dataclass(frozen=True)
class Try:
    """A change to be tried, each test for so many seconds at most. `swaps`: the change as such, where it can be."""

    name: str
    changes: tuple[FileChange, ...]
    swaps: tuple[Swap, ...]
    timeout_s: float


@dataclass(frozen=True)
class Outcome:
    """The failing tests that pass with a change, each with the number of its check; whether one ran into its limit; why
    nothing may run, empty where it may."""

    mended: frozenset[tuple[int, str]]
    too_long: bool
    held: str = ""


class FailingTests:
    """The failing tests of the checks, each with its number."""

    def __init__(self, failing: tuple[tuple[int, Check], ...], execute: Execute) -> None:
        self._failing = failing
        self._execute = execute
        self._can_share = all(check.can_try for _, check in failing)
        seconds = sum(test.seconds for _, check in failing for test in check.failing)
        self._shared_cost = min(1.0, _SWAP_COST + seconds / (_START_S + seconds))

    def cost(self, swaps: tuple[Swap, ...]) -> float:
        """About what it costs to try a change, by the cost of a run of its own."""
        return self._shared_cost if swaps and self._can_share else 1.0

    def outcomes(self, tries: list[Try]) -> list[Outcome]:
        """What came of each, in their order."""
        found: dict[str, Outcome] = {}
        shared = [each for each in tries if each.swaps]
        if self._can_share and len(shared) >= LEAST_TRIALS:
            found = self._by_trials(shared)
            # What keeps all of these from being tried (the tests start programs, or the runner knows no trials) will
            # keep the next ones from it too.
            self._can_share = bool(found)
        found |= self._by_runs([each for each in tries if each.name not in found])
        return [found[each.name] for each in tries]

    def _by_trials(self, tries: list[Try]) -> dict[str, Outcome]:
        """What came of those that could be tried like this, by their names."""
        shares = [tries[start::RUNS] for start in range(min(RUNS, len(tries)))]
        asked = [(i, check, share) for share in shares for i, check in self._failing]
        jobs = [check.trying(f"search-{share[0].name}-{i}-trials", _trials(share)) for i, check, share in asked]
        came: dict[str, list[tuple[int, Check, TrialReport]]] = {}
        for (i, check, share), execution in zip(asked, self._execute(jobs), strict=True):
            report = check.report(execution)
            for each, trial in zip(share, report.trials if report else (), strict=False):
                if not trial.untried:
                    came.setdefault(each.name, []).append((i, check, trial))
        return {name: _outcome(parts) for name, parts in came.items() if len(parts) == len(self._failing)}

    def _by_runs(self, tries: list[Try]) -> dict[str, Outcome]:
        """What came of each in runs of its own, by their names."""
        jobs = [
            check.quick(f"search-{each.name}-{i}", each.changes, each.timeout_s)
            for each in tries
            for i, check in self._failing
        ]
        answers = iter(self._execute(jobs) if jobs else ())
        found = {}
        for each in tries:
            runs = [(i, check, next(answers)) for i, check in self._failing]
            found[each.name] = Outcome(
                mended=frozenset((i, test) for i, check, execution in runs for test in check.mended(execution)),
                too_long=any(check.too_long(execution) for _, check, execution in runs),
                held=next((execution.not_run for _, _, execution in runs if execution.not_run), ""),
            )
        return found


def _trials(tries: list[Try]) -> tuple[Trial, ...]:
    return tuple(Trial(swaps=each.swaps, test_timeout_s=each.timeout_s) for each in tries)


def _outcome(parts: list[tuple[int, Check, TrialReport]]) -> Outcome:
    reports = [(i, check, TestReport(complete=True, tests=trial.tests)) for i, check, trial in parts]
    return Outcome(
        mended=frozenset((i, test) for i, check, report in reports for test in check.mended_in(report)),
        too_long=any(ran_out_of_time(report) for _, _, report in reports),
    )
