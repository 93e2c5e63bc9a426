"""How fast 164 short programs with checks are judged: by the pool with all layers, by one fork each as public
harnesses do it, and by one interpreter each. Two programs run at a time, and the ways take turns, so that whatever
else the machine does meets all of them.

Run it with `python tests/benchmarks/bench_programs.py [ROUNDS]` from the project's folder. It ends with 1 when one of
them calls a program right that is wrong, or the other way about.
"""

from __future__ import annotations

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

from tests.benchmarks import forking_harness
from tests.benchmarks.programs import Program, programs
from treadle.sandbox import Limits, Overlay, Policy, Pool, Script
from treadle.sandbox.policy import LAYERS

AT_A_TIME = 2
SECONDS = 30.0
POOL = "the pool, all layers"
Judge = Callable[[list[str]], list[bool]]


def in_threads(passes: Callable[[str], bool]) -> Judge:
    """Judge several programs at a time, one in each thread."""

    def judge(texts: list[str]) -> list[bool]:
        with ThreadPoolExecutor(AT_A_TIME) as threads:
            return list(threads.map(passes, texts))

    return judge


def passes_in_interpreter(text: str, folder: str) -> bool:
    """Run the program in an interpreter of its own, without any protection."""
    done = subprocess.run([sys.executable, "-c", text], cwd=folder, capture_output=True, timeout=SECONDS, check=False)
    return done.returncode == 0


def wrong_verdicts(all_programs: tuple[Program, ...], verdicts: list[bool]) -> list[str]:
    """The programs about which a verdict is wrong."""
    return [
        f"{program.name} {'fails' if program.passes else 'passes'}"
        for program, verdict in zip(all_programs, verdicts, strict=True)
        if verdict != program.passes
    ]


def pool_over(folder: str) -> Pool:
    """A pool with all layers, and with the same modules imported ahead as the harness that forks."""
    return Pool(
        preload=forking_harness.USUAL_IMPORTS,
        workers=AT_A_TIME,
        policy=Policy(overlay=Overlay(folder)),
        limits=Limits.tier("quick", wall_s=SECONDS),
    )


def ways(pool: Pool, folder: str) -> dict[str, Judge]:
    """The ways to judge programs, by their names."""
    return {
        "a fork each, verdict by a manager": in_threads(lambda text: forking_harness.passes_by_manager(text, SECONDS)),
        "a fork each, verdict by a queue": in_threads(lambda text: forking_harness.passes_by_queue(text, SECONDS)),
        "an interpreter each": in_threads(lambda text: passes_in_interpreter(text, folder)),
        POOL: lambda texts: [result.ok for result in pool.run_many([Script(text) for text in texts])],
    }


def report(seconds: dict[str, list[float]]) -> None:
    """One line for each way, with how many times as long as the pool it takes."""
    pooled = statistics.median(seconds[POOL])
    print(f"{'median of a round':<36} {'seconds':>8} {'to the pool':>12} {'least':>8} {'most':>8}")
    for name, measured in seconds.items():
        median = statistics.median(measured)
        print(f"{name:<36} {median:8.3f} {median / pooled:12.2f} {min(measured):8.3f} {max(measured):8.3f}")


def main(rounds: int) -> int:
    """Measure, print, and return the exit code."""
    all_programs = programs()
    texts = [program.whole for program in all_programs]
    print(f"Python {platform.python_version()}, {platform.platform()}")
    print(f"{len(texts)} programs, {AT_A_TIME} at a time, {rounds} rounds of each")
    seconds: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder, pool_over(folder) as pool:
        started = time.perf_counter()
        pool.run_many([Script("pass")] * AT_A_TIME * 2)
        print(f"the pool's start, once: {time.perf_counter() - started:.3f} s")
        print(f"layers that this machine lacks: {', '.join(sorted(set(LAYERS) - set(pool.warm()))) or 'none'}")
        judges = ways(pool, folder)
        for name in [*judges] * rounds:
            started = time.perf_counter()
            verdicts = judges[name](texts)
            seconds.setdefault(name, []).append(time.perf_counter() - started)
            print(f"  {name}: {seconds[name][-1]:.3f} s", flush=True)
            wrong = wrong_verdicts(all_programs, verdicts)
            if wrong:
                print(f"WRONG: {name} says: {', '.join(wrong)}")
                return 1
    report(seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
