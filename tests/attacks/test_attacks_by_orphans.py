"""What a job has left, when the process that it was forked from is killed: by the kernel for want of memory, say."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import psutil
import pytest

from treadle.sandbox import Limits, Policy, Pool, Result, Script

LIMITS = Limits.tier("quick", wall_s=20.0)
WEAK = ["", "pidns", "userns", "userns,landlock"]

# Two that ignore all, have a session of their own, and no parent whose death ends them; one more that is stopped.
LEAVE = """
import ctypes, os, signal, sys, time
libc = ctypes.CDLL(None)
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
for n in range(3):
    if os.fork() == 0:
        os.setsid()
        libc.prctl(1, 0, 0, 0, 0)
        if os.fork() == 0:
            libc.prctl(1, 0, 0, 0, 0)
            if n == 2: os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(60)
        os._exit(0)
libc.prctl(1, 0, 0, 0, 0)
print("up", flush=True)
time.sleep(60)
"""
MANY = 7


def newest_server() -> psutil.Process:
    return max(psutil.Process().children(), key=lambda process: process.create_time())


def lives(process: psutil.Process) -> bool:
    """Whether it runs: psutil itself says so of the dead that nobody has waited for."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    return False


def wait_for(condition: Callable[[], bool]) -> None:
    limit = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.01)


@pytest.mark.parametrize("without", WEAK)
def test_they_end_with_a_zygote_that_is_killed(without: str) -> None:
    policy = Policy(without=frozenset(without.split(",")) - {""})
    with Pool(workers=1, policy=policy, limits=LIMITS) as pool:
        assert pool.run(Script("print('up')")).verdict == "ok"
        server = newest_server()
        (zygote,) = server.children()
        running = pool.submit(Script(LEAVE))
        wait_for(lambda: len(zygote.children(recursive=True)) == MANY)
        family = [server, *server.children(recursive=True)]
        zygote.kill()
        result: Result = running.result()
        assert result.verdict == "killed", result
        assert result.message
        assert pool.run(Script("print('next')")).stdout.data == b"next\n"
        assert psutil.wait_procs(family, timeout=5)[1] == []


@pytest.mark.parametrize("without", WEAK)
def test_a_zygote_that_ends_while_it_waits_is_replaced(without: str) -> None:
    # No positive control: nothing is attacked, and the job after it asks for nothing.
    policy = Policy(without=frozenset(without.split(",")) - {""})
    with Pool(workers=1, policy=policy, limits=LIMITS) as pool:
        for _ in range(2):
            assert pool.run(Script("print('up')")).stdout.data == b"up\n"
            server = newest_server()
            family = [server, *server.children(recursive=True)]
            family[1].kill()
            assert psutil.wait_procs(family[1:], timeout=5)[1] == []
            wait_for(lambda ended=server: ended.status() == psutil.STATUS_ZOMBIE)
        assert pool.run(Script("print('next')")).stdout.data == b"next\n"
        assert not lives(server)


def test_cancelling_comes_too_late_for_a_dead_zygote() -> None:
    cancel = threading.Event()
    with Pool(workers=1, policy=Policy(without=frozenset({"pidns"})), limits=LIMITS) as pool:
        assert pool.run(Script("0")).verdict == "ok"
        server = newest_server()
        (zygote,) = server.children()
        running = pool.submit(Script(LEAVE), cancel=cancel)
        wait_for(lambda: len(zygote.children(recursive=True)) == MANY)
        zygote.suspend()
        family = zygote.children(recursive=True)
        cancel.set()
        assert running.result().verdict == "killed"
        assert psutil.wait_procs([zygote, *family], timeout=5)[1] == []


def test_they_live_on_after_a_plain_process() -> None:
    # The positive control: the same text, started by a process that is killed.
    parent = "import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', sys.argv[1]])\ntime.sleep(60)"
    harness = subprocess.Popen([sys.executable, "-c", parent, LEAVE], stdout=subprocess.PIPE)
    assert harness.stdout is not None
    assert harness.stdout.readline() == b"up\n"
    left = psutil.Process(harness.pid).children(recursive=True)
    try:
        wait_for(lambda: len(psutil.Process(harness.pid).children(recursive=True)) == MANY)
        left = psutil.Process(harness.pid).children(recursive=True)
        harness.kill()
        harness.wait()
        time.sleep(0.2)
        assert len(left) == MANY
        assert all(lives(process) for process in left)
    finally:
        for process in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        harness.stdout.close()
