"""The harness is killed while a job runs: nothing of it may be left, and soon."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

Start = Callable[[str, str], tuple["subprocess.Popen[bytes]", list[psutil.Process]]]

HARNESS = """
import sys, time
import psutil
from treadle.sandbox import Policy, Pool, Script, run
how, without = sys.argv[1:]
source = '''
import os, signal, time
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
if os.fork() == 0: os.setsid()
os.write(1, f"up{os.linesep}".encode())  # in one piece, since two of them say it
time.sleep(300)
'''
def say(stream, data):
    print(data.decode(), flush=True)
policy = Policy(without=frozenset(without.split(",")) - {""})
if how == "cold":
    run([sys.executable, "-c", source], policy=policy, on_output=say)
else:
    # A pool hands on no output while a job runs: server, zygote, job and daemon are there.
    pool = Pool(workers=1, policy=policy)
    running = pool.submit(Script(source))
    while len(psutil.Process().children(recursive=True)) < 4:
        time.sleep(0.01)
    print("up", flush=True)
    running.result()
"""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a harness with a job that has left a daemon, and looks up everything below it."""
    started: list[subprocess.Popen[bytes]] = []

    def begin(how: str, without: str) -> tuple[subprocess.Popen[bytes], list[psutil.Process]]:
        root = Path(__file__).parents[2]
        path = f"{root}:{os.environ.get('PYTHONPATH', '')}"
        harness = subprocess.Popen(
            [sys.executable, "-c", HARNESS, how, without],
            stdout=subprocess.PIPE,
            env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": path},
            cwd="/",
        )
        started.append(harness)
        assert harness.stdout is not None
        assert harness.stdout.readline().strip() == b"up"
        family = psutil.Process(harness.pid).children(recursive=True)
        assert len(family) >= 3, family
        return harness, family

    yield begin
    for harness in started:  # those that a failed test has left
        harness.kill()
        harness.wait()


def runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def seconds_to_end(harness: subprocess.Popen[bytes], family: list[psutil.Process]) -> float:
    """Kill the harness; seconds until the last of its family has ended."""
    started = time.monotonic()
    harness.send_signal(signal.SIGKILL)
    left = family
    while left and time.monotonic() - started < 20:
        left = [process for process in left if runs(process)]
        time.sleep(0.001)
    ended = time.monotonic() - started
    harness.wait()
    assert harness.stdout is not None
    harness.stdout.close()
    assert not left, left
    return ended


@pytest.mark.parametrize("without", ["", "pidns", "userns", "userns,landlock"])
def test_nothing_outlives_a_killed_harness(start: Start, without: str, tmp_path: Path) -> None:
    seconds_to_end(*start("cold", without))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("how", ["cold", "pool"])
def test_all_of_it_ends_soon(start: Start, how: str, capsys: pytest.CaptureFixture[str]) -> None:
    took = [seconds_to_end(*start(how, "")) for _ in range(5)]
    with capsys.disabled():
        print(f"\n{how}: all has ended {statistics.median(took) * 1000:.0f} ms after the harness (median of 5)")
    # A busy machine takes what it takes; on a free one it is some hundredths of a second.
    assert statistics.median(took) < 2


def test_a_plain_job_outlives_its_harness() -> None:
    # The positive control: the same job, started by a plain process.
    source = HARNESS.split("'''")[1].replace("time.sleep(300)", "time.sleep(30)")
    parent = "import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', sys.argv[1]])\ntime.sleep(60)"
    harness = subprocess.Popen([sys.executable, "-c", parent, source], stdout=subprocess.PIPE)
    assert harness.stdout is not None
    assert harness.stdout.readline() == b"up\n"
    family = psutil.Process(harness.pid).children(recursive=True)
    harness.kill()
    harness.wait()
    harness.stdout.close()
    _, alive = psutil.wait_procs(family, timeout=0.5)
    for process in alive:
        process.kill()
    assert len(alive) == len(family) == 2
