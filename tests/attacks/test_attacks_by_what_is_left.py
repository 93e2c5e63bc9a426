"""Processes that a job leaves: none of them may run on, or hold its result up, whichever layer would end them."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

import psutil
import pytest

from treadle.sandbox import Limits, Policy, Pool, Script

Survivors = Callable[[], list[str]]

LEFT = {
    "a daemon": """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: time.sleep(600)
    os._exit(0)
""",
    "a deaf daemon that holds the pipe": """
if os.fork() == 0:
    os.setsid()
    for number in (1, 2, 15): signal.signal(number, signal.SIG_IGN)
    while True: time.sleep(600)
""",
    "a stopped daemon": "if os.fork() == 0:\n    os.setsid(); os.kill(os.getpid(), signal.SIGSTOP)",
    "a daemon under a daemon": """
if os.fork() == 0:
    libc.prctl(36, 1, 0, 0, 0)  # it takes its orphans itself
    os.setsid()
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork(): os._exit(0)
            time.sleep(600)
    time.sleep(600)
""",
    "a sibling": """
if libc.syscall({"x86_64": 56, "aarch64": 220}[os.uname().machine], 0x8000 | 17, None, None, None, None) == 0:
    os.setsid()
    time.sleep(600)
""",
    "forks without end": """
for _ in range(4):
    if os.fork() == 0:
        while True:
            os.setsid()
            if os.fork(): os._exit(0)
""",
}
START = "import ctypes, os, signal, time\nlibc = ctypes.CDLL(None)\n"
LIMITS = Limits.tier("quick", wall_s=20.0)


@pytest.mark.parametrize("without", ["", "pidns", "userns", "pidns,landlock", "userns,landlock"])
def test_nothing_that_is_left_runs_on_or_delays(survivors: Survivors, without: str) -> None:
    # The last two have neither kill(-1) of a namespace nor that of a Landlock domain: the server has to walk /proc.
    with Pool(workers=1, policy=Policy(without=frozenset(without.split(",")) - {""}), limits=LIMITS) as pool:
        for how, source in LEFT.items():
            result = pool.run(Script(f"{START}{source}\ntime.sleep(0.1)\nprint('done')"))
            # Held up, it would be a timeout.
            assert (result.verdict, result.stdout.data) == ("ok", b"done\n"), (how, result)
            assert survivors() == [], how
        assert pool.run(Script("print('next')")).stdout.data == b"next\n"


@pytest.mark.parametrize("how", sorted(set(LEFT) - {"forks without end"}))
def test_they_run_on_after_a_plain_process(how: str) -> None:
    # The one that is left out could not be ended again without a sandbox.
    mark = f"left by a test at {time.monotonic_ns()}"
    source = f"{START}{LEFT[how]}\ntime.sleep(0.1)"
    subprocess.run([sys.executable, "-c", source, mark], check=True, timeout=20)
    left = [process for process in psutil.process_iter() if is_marked(process, mark)]
    for process in left:
        process.kill()
    assert left


def is_marked(process: psutil.Process, mark: str) -> bool:
    try:
        return mark in process.cmdline()
    except psutil.Error:
        return False
