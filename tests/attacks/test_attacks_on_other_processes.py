"""Signals, limits and priorities aimed at processes that are not the job's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import psutil
import pytest

from treadle.sandbox import Policy, Result, has_layer, run
from treadle.sandbox.server import landlock

Blocked = Callable[..., list[str]]
Control = Callable[..., None]
Run = Callable[..., Result]

NOBODY_S = 61_234
KEPT_APART = pytest.mark.skipif(
    not has_layer("pidns") and landlock.abi() < 6,
    reason="nothing keeps signals from others of this user here, and these would end the tests",
)
QUEUE = """
def queue(pid, number):
    if libc.sigqueue(pid, number, None):
        raise OSError(ctypes.get_errno(), "")
"""
KILLS = """
attempt("kill", lambda: os.kill({pid}, signal.{signal}))
attempt("kill its thread", lambda: syscall({tgkill}, {pid}, {pid}, signal.{signal}))
attempt("its group", lambda: os.killpg({pid}, signal.{signal}))
attempt("queue", lambda: queue({pid}, signal.{signal}))
"""
TGKILL = {"x86_64": 234, "aarch64": 131}.get(os.uname().machine, -1)

# Each is something that an ordinary user may do to their own processes.
TUNES = """
import resource
numbers = {numbers}[os.uname().machine]
batch = os.sched_param(0)
attributes = struct.pack("=IIQiIQQQ", 48, 3, 0, 19, 0, 0, 0, 0)
attempt("limits", lambda: resource.prlimit({pid}, resource.RLIMIT_CORE, (0, 0)))
attempt("read limits", lambda: resource.prlimit({pid}, resource.RLIMIT_CORE))
attempt("affinity", lambda: os.sched_setaffinity({pid}, {{0}}))
attempt("priority", lambda: os.setpriority(os.PRIO_PROCESS, {pid}, 19))
attempt("priority of its group", lambda: os.setpriority(os.PRIO_PGRP, {pid}, 19))
attempt("priority at the disk", lambda: syscall(numbers["ioprio_set"], 1, {pid}, 3 << 13))
attempt("scheduler", lambda: os.sched_setscheduler({pid}, os.SCHED_BATCH, batch))
attempt("parameters", lambda: os.sched_setparam({pid}, batch))
attempt("attributes", lambda: syscall(numbers["sched_setattr"], {pid}, attributes, 0))
"""
NUMBERS = {
    "x86_64": {"ioprio_set": 251, "sched_setattr": 314},
    "aarch64": {"ioprio_set": 30, "sched_setattr": 274},
}


@pytest.fixture
def victim() -> Iterator[subprocess.Popen[bytes]]:
    """A process of the same user, in a group of its own."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"], start_new_session=True)
    yield process
    process.kill()
    process.wait()


def kills(pid: int, number: str = "SIGKILL") -> str:
    return QUEUE + KILLS.format(pid=pid, signal=number, tgkill=TGKILL)


def tunes(pid: object) -> str:
    return TUNES.format(pid=pid, numbers=NUMBERS)


@KEPT_APART
@pytest.mark.parametrize("number", ["SIGKILL", "SIGSTOP", "SIGTERM"])
def test_neither_harness_nor_neighbour_is_killed(
    all_blocked: Blocked, victim: subprocess.Popen[bytes], number: str
) -> None:
    for pid in (victim.pid, os.getpid(), os.getppid()):
        assert set(all_blocked(kills(pid, number))) <= {"ESRCH", "EPERM"}
    assert victim.poll() is None
    assert psutil.Process(victim.pid).status() not in (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE)


@pytest.mark.parametrize("how", range(4))
def test_each_of_those_kills_in_a_plain_process(works_outside: Control, how: int) -> None:
    target = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"], start_new_session=True)
    try:
        works_outside(QUEUE + kills(target.pid).strip().splitlines()[how - 4])
        assert target.wait(20) == -signal.SIGKILL
    finally:
        target.kill()


@KEPT_APART
def test_the_parent_and_everybody_survive(all_blocked: Blocked, attack: Run) -> None:
    source = f"""
{kills(1)}
attempt("pidfd of the harness", lambda: os.pidfd_open({os.getpid()}))
attempt("the parent", lambda: os.kill(os.getppid(), signal.SIGTERM))
attempt("everybody", lambda: os.kill(-1, signal.SIGKILL))
"""
    assert set(all_blocked(source)) <= {"ESRCH", "EPERM"}
    assert attack("print('next')").stdout.data == b"next\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can take a user for whom `everybody` is nobody else")
def test_everybody_is_killed_in_a_plain_process() -> None:
    # A plain process of an ordinary user would kill these tests and all else of that user.
    if any(process.uids().real == NOBODY_S for process in psutil.process_iter()):
        pytest.skip("somebody has this uid")
    target = subprocess.Popen(["/bin/sleep", "120"], user=NOBODY_S, group=NOBODY_S, extra_groups=[])
    source = f"import os\nos.setresuid({NOBODY_S}, {NOBODY_S}, {NOBODY_S})\nos.getuid() and os.kill(-1, 9)"
    everybody = subprocess.Popen([sys.executable, "-c", source])
    assert (everybody.wait(20), target.wait(20)) == (0, -signal.SIGKILL)


@KEPT_APART
def test_everybody_is_the_job_s_own_children(attack: Run) -> None:
    # What `everybody` reaches, so that the rows above can fail: a child that the job has left.
    source = """
child = os.fork()
if child == 0:
    time.sleep(60)
os.kill(-1, signal.SIGKILL)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert attack(source).stdout.data == b"-9\n"


def test_limits_and_priorities_of_others_stay(
    all_blocked: Blocked, works_outside: Control, victim: subprocess.Popen[bytes]
) -> None:
    before = psutil.Process(victim.pid).nice()
    for pid in (victim.pid, os.getpid(), "os.getppid()", 1):
        assert set(all_blocked(tunes(pid))) == {"EPERM"}
    assert psutil.Process(victim.pid).nice() == before
    works_outside(tunes(victim.pid))
    assert psutil.Process(victim.pid).nice() == 19


def test_those_of_a_whole_user_stay(all_blocked: Blocked) -> None:
    # A number that nobody has, so that nothing happens to anybody if it is not refused; the kernel answers ESRCH then.
    source = f"""
attempt("user", lambda: os.setpriority(os.PRIO_USER, {NOBODY_S}, 19))
attempt("own group", lambda: os.setpriority(os.PRIO_PGRP, 0, 19))
"""
    assert set(all_blocked(source)) == {"EPERM"}
    with pytest.raises(ProcessLookupError):
        os.setpriority(os.PRIO_USER, NOBODY_S, 19)


def test_those_of_the_parent_change_without_the_filter(prelude: str) -> None:
    # The filter is all that holds here: the parent is in the same namespaces, and has the same user.
    policy = Policy(without=frozenset({"seccomp"}))
    result = run([sys.executable, "-c", prelude + tunes("os.getppid()")], policy=policy)
    said = result.stdout.data.decode()
    assert said.count("ESCAPED") >= 6, said


def test_a_job_may_still_tune_itself(attack: Run) -> None:
    source = """
os.setpriority(os.PRIO_PROCESS, 0, 5); os.sched_setaffinity(0, os.sched_getaffinity(0))
os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0)); print(os.nice(0))
"""
    started = time.monotonic()
    assert attack(source).stdout.data == b"5\n"
    assert time.monotonic() - started < 30
