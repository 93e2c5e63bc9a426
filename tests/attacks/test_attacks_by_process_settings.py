"""What a process may say of itself to the kernel (prctl, personality, limits), and what it gains by that: nothing."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attacks.strays import VARIABLES
from treadle.sandbox import Limits, Policy, Pool, Result, Script

Run = Callable[..., Result]
Survivors = Callable[[], list[str]]
Blocked = Callable[..., list[str]]
Control = Callable[..., None]

PRCTL = """
def prctl(option, *arguments):
    result = libc.prctl(option, *[ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]])
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
"""


def test_a_limit_is_never_raised(attack: Run) -> None:
    # No positive control: only a superuser raises one anywhere.
    source = """
import resource
NAMES = "DATA NPROC NOFILE FSIZE CPU CORE MEMLOCK STACK NICE RTPRIO SIGPENDING MSGQUEUE"
for name in NAMES.split():
    which = getattr(resource, "RLIMIT_" + name)
    soft, hard = resource.getrlimit(which)
    for more in (hard + 1, resource.RLIM_INFINITY):
        try:
            resource.setrlimit(which, (soft, more))
            print("raised", name, hard, more)
        except ValueError:
            pass
print("end")
"""
    assert attack(source).stdout.data == b"end\n"


def test_memory_is_laid_out_as_everywhere(all_blocked: Blocked, works_outside: Control) -> None:
    source = """
def personality(value):
    if libc.personality(value) < 0:
        raise OSError(ctypes.get_errno(), "")
attempt("addresses that are known", lambda: personality(0x0040000))
attempt("all that is read can run", lambda: personality(0x0400000))
attempt("pages at nought", lambda: personality(0x0100000))
attempt("32 bits", lambda: personality(0x0000008))
"""
    works_outside(source)
    assert set(all_blocked(source)) == {"EPERM"}


def test_what_was_given_up_is_not_taken_back(all_blocked: Blocked) -> None:
    # No positive control: two are one-way in every process, and the others a superuser's.
    source = f"""
{PRCTL}
attempt("new privileges", lambda: prctl(38, 0))
attempt("no filter", lambda: prctl(22, 0))
attempt("ambient capability", lambda: prctl(47, 2, 21))
attempt("secure bits", lambda: prctl(28, 0))
attempt("bounding set", lambda: prctl(24, 21))
attempt("writes without a limit", lambda: prctl(57, 1))
attempt("own brk", lambda: prctl(35, 7, 1 << 20))
"""
    assert set(all_blocked(source)) <= {"EPERM", "EINVAL"}


def test_who_lets_itself_be_traced_is_not(all_blocked: Blocked, works_outside: Control) -> None:
    # PR_SET_PTRACER with everybody; ptrace(PTRACE_SEIZE), then through /proc.
    source = f"""
{PRCTL}
prctl(4, 1)
try:
    prctl(0x59616D61, 2 ** 64 - 1)
except OSError:
    pass  # a kernel without Yama
parent = os.getpid()
if os.fork() == 0:
    attempt("seize", lambda: syscall({{"x86_64": 101, "aarch64": 117}}[os.uname().machine], 0x4206, parent, None, None))
    os._exit(0)
os.wait()
"""
    works_outside(source)
    assert all_blocked(source) == ["EPERM"]


TOKEN = secrets.token_hex(2)  # is in all their names
DISGUISED_IN_ALL = 7

# No parent whose death would end it, a reaper of its own, a name like the kernel's, and closed to all that look.
DISGUISED = f"""
import ctypes, os, signal, time
libc = ctypes.CDLL(None, use_errno=True)
{PRCTL}
up, tell = os.pipe()
def disguise(name):
    prctl(1, 0), prctl(36, 1), libc.prctl(15, name, 0, 0, 0), prctl(4, 0)
    os.write(tell, b"x")
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGCHLD):
        signal.signal(number, signal.SIG_IGN)
disguise(b"kthreadd{TOKEN}")
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        disguise(b") Z 1 1({TOKEN}")
        if os.fork() == 0:
            disguise(b"\\n{TOKEN}")
        time.sleep(300)
for _ in range({DISGUISED_IN_ALL}):
    os.read(up, 1)
"""


def disguised() -> list[int]:
    """Those that live, wherever they hang: nobody but root may read more than the name of what is closed."""
    found = []
    for name in Path("/proc").glob("[0-9]*/comm"):
        with contextlib.suppress(OSError):
            state = (name.parent / "stat").read_bytes().rpartition(b")")[2].split()[0]
            if TOKEN.encode() in name.read_bytes() and state not in (b"Z", b"X"):
                found.append(int(name.parent.name))
    return found


@pytest.mark.parametrize("ends", ["", "time.sleep(300)"])
@pytest.mark.parametrize("without", ["", "pidns", "userns", "userns,landlock"])
def test_whoever_is_disguised_ends_with_the_job(survivors: Survivors, without: str, ends: str) -> None:
    policy = Policy(without=frozenset(without.split(",")) - {""})
    limits = Limits.tier("quick", wall_s=0.7 if ends else 20.0)
    with Pool(workers=1, policy=policy, limits=limits, env=VARIABLES) as pool:
        result = pool.run(Script(DISGUISED + ends))
        assert result.verdict == ("timeout" if ends else "ok"), result
        assert survivors() == []
        assert disguised() == []
        assert pool.run(Script("print('next')")).stdout.data == b"next\n"


def test_whoever_is_disguised_runs_on_after_a_plain_process() -> None:
    # The positive control, of the search as well.
    subprocess.run([sys.executable, "-c", DISGUISED], check=True, timeout=60)
    left = disguised()
    for process in left:
        os.kill(process, signal.SIGKILL)
    assert len(left) == DISGUISED_IN_ALL - 1


def test_a_reaper_that_reaps_nobody_meets_the_limit(attack: Run, survivors: Survivors) -> None:
    # No positive control: that the dead count as processes is what the kernel does as well.
    source = f"""
{PRCTL}
prctl(36, 1)
signal.signal(signal.SIGCHLD, signal.SIG_DFL)
for _ in range(100):
    if os.fork() == 0:
        os.fork()
        os._exit(0)
time.sleep(5)
print("ESCAPED")
"""
    result = attack(source, Limits.tier("quick", wall_s=10.0, processes=40))
    assert (result.verdict, result.stdout.data) == ("processes", b""), result
    assert survivors() == []
