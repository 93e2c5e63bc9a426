"""What the sandbox costs, as ratios to a plain `python -c pass` on the same machine in the same minute.

Run it with `python tests/benchmarks/bench_sandbox.py [JOBS]` from the project's folder. `--long JOBS` looks instead
whether anything stays behind after so many jobs in a row (10000 take some minutes), and ends with 1 when it does.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.benchmarks.long_run import long_run
from treadle.sandbox import Overlay, Policy, Pool, Script, run

EMPTY = [sys.executable, "-c", "pass"]
EMPTY_SCRIPT = Script("pass")
ROUNDS = 5
# Other people's plugins cost what they cost, in both ways.
NO_PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
PYTEST = "import pytest, sys; sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', 'test_one.py']))"


def plain(argv: list[str], folder: str) -> None:
    subprocess.run(argv, cwd=folder, capture_output=True, check=True, env={**os.environ, **NO_PLUGINS})


def times(action: Callable[[], object], count: int) -> list[float]:
    """Seconds of each call, one after the other."""
    found = []
    for _ in range(count):
        started = time.perf_counter()
        action()
        found.append(time.perf_counter() - started)
    return found


def rate(action: Callable[[], object], count: int, at_a_time: int) -> float:
    """Calls a second, so many at a time."""
    started = time.perf_counter()
    with ThreadPoolExecutor(at_a_time) as threads:
        list(threads.map(lambda _: action(), range(count)))
    return count / (time.perf_counter() - started)


def rates(policy: Policy, folder: str, count: int, at_a_time: int) -> None:
    """Jobs a second with all cores busy. The two ways take turns, so that what else the machine does meets both."""
    plain_rates, warm_rates = [], []
    with Pool(policy=policy, workers=at_a_time) as pool:
        pool.run_many([EMPTY_SCRIPT] * 2 * at_a_time)
        for _ in range(ROUNDS):
            plain_rates.append(rate(lambda: plain(EMPTY, folder), max(1, count // 3), at_a_time))
            started = time.perf_counter()
            pool.run_many([EMPTY_SCRIPT] * count)
            warm_rates.append(count / (time.perf_counter() - started))
    outside, inside = statistics.median(plain_rates), statistics.median(warm_rates)
    ratio = statistics.median(warm / plain for warm, plain in zip(warm_rates, plain_rates, strict=True))
    print(f"{at_a_time} at a time: {outside:.0f} plain, {inside:.0f} warm jobs a second: {ratio:.2f}")


def line(name: str, seconds: float, reference: float) -> None:
    print(f"{name:<58} {seconds * 1000:8.1f} ms  {seconds / reference:6.2f}")


def main(count: int) -> None:
    print(f"Python {platform.python_version()}, {platform.platform()}, {count} jobs each")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_one.py").write_text("def test_one():\n    assert 1 + 1 == 2\n")
        policy = Policy(overlay=Overlay(folder))
        reference = statistics.median(times(lambda: plain(EMPTY, folder), count))
        line("python -c pass, plain", reference, reference)

        started = time.perf_counter()
        run(EMPTY, cwd=folder, policy=policy)
        line("run: the first, which starts a server", time.perf_counter() - started, reference)
        cold = statistics.median(times(lambda: run(EMPTY, cwd=folder, policy=policy), count))
        line("run: the same through the running server, all layers", cold, reference)

        with Pool(policy=policy) as pool:
            pool.run_many([EMPTY_SCRIPT] * 4)
            warm = sorted(times(lambda: pool.run(EMPTY_SCRIPT), count))
            line("pool: an empty script, median", statistics.median(warm), reference)
            line("pool: an empty script, p99", warm[int(0.99 * (len(warm) - 1))], reference)
        for at_a_time in (2, 3):
            rates(policy, folder, count, at_a_time)

        test = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_one.py"]
        few = max(3, count // 20)
        outside = statistics.median(times(lambda: plain(test, folder), few))
        line("pytest on one test, plain", outside, reference)
        with Pool(preload=("pytest",), policy=policy) as pool:
            one_test = Script(PYTEST, env=NO_PLUGINS)
            pool.run_many([one_test] * 4)
            inside = statistics.median(times(lambda: pool.run(one_test), few))
            line("pytest on one test, in the pool with pytest imported", inside, reference)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--long"]:
        sys.exit(long_run(int(sys.argv[2]) if len(sys.argv) > 2 else 10_000))
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
