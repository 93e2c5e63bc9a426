from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.bare_context import BareContext
from treadle.core import testrun
from treadle.core.records import CollectedFile, Execution, Signal
from treadle.plugins.validation import resources

MIB = 1 << 20


def run(cpu_s: float, mib: float = 50, *, passing: tuple[str, ...] = ("a",), verdict: Any = "ok") -> Execution:
    tests = tuple(testrun.TestResult(id=name, outcome="passed") for name in passing)
    report = msgspec.json.encode(testrun.TestReport(complete=True, tests=tests))
    return Execution(
        job="tests",
        verdict=verdict,
        cpu_s=cpu_s,
        peak_memory=int(mib * MIB),
        files=(CollectedFile(name=testrun.REPORT, content=report),),
    )


def judged(before: Execution, after: Execution, **settings: object) -> tuple[Signal, ...]:
    named = {setting.name: setting.default for setting in resources.treadle_settings()} | settings
    return resources.treadle_validate((after,), (before,), BareContext(named))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (run(0.1), run(2.0)),  # a factor of 20, and no two seconds
        (run(10), run(29)),
        (run(1, 50), run(1, 240)),
        (run(1, 500), run(1, 1400)),
        (run(1), run(30, verdict="timeout")),  # validate-tests tells of it
        (run(1, 0), run(1, 900)),  # it could not be measured
    ],
)
def test_what_is_within_the_bounds_is_nothing_to_tell(before: Execution, after: Execution) -> None:
    assert judged(before, after) == ()


def test_far_more_time_or_memory_for_the_same_tests_speaks_against_it() -> None:
    (slower,) = judged(run(1), run(3.5))
    assert (slower.ok, slower.worse) == (False, 1)
    assert slower.summary == "tests: 3.5 s of processor time, 1.0 s before"
    (larger,) = judged(run(1, 60), run(1, 300))
    assert not larger.ok and "300 MiB of memory, 60 MiB before" in larger.summary
    assert judged(run(1), run(3.5), slower_factor=4) == ()
    assert judged(run(1, 60), run(1, 300), memory_mib=500) == ()


def test_where_other_tests_pass_now_it_is_only_told() -> None:
    (signal,) = judged(run(1), run(9, passing=("a", "b")))
    assert signal.ok and signal.worse == 0 and "not the same that passes" in signal.summary
