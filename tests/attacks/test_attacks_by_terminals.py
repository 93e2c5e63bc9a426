"""Input pushed into a terminal, which the person's shell would then run as if it had been typed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from treadle.sandbox import Policy, run
from treadle.sandbox.server.syscall_numbers import NUMBERS

Blocked = Callable[..., list[str]]
ROOT = Path(__file__).parents[2]

# A session of its own, whose controlling terminal is a new one; `confine` is the sandbox's own filter, or nothing.
WITH_A_TERMINAL = """
import errno, fcntl, os, sys, termios
server, terminal = os.openpty()
os.setsid()
fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
{confine}
try:
    for letter in b"id\\n":
        fcntl.ioctl(terminal, termios.TIOCSTI, bytes([letter]))
except OSError as error:
    print("BLOCKED", errno.errorcode[error.errno])
else:
    print("TYPED", os.read(terminal, 10))
"""
CONFINE = """
from treadle.sandbox.server import kernel, seccomp
kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
seccomp.enforce(seccomp.program(os.uname().machine, network={network}, pretend=False))
"""


def on_a_terminal(confine: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    argv = [sys.executable, "-c", WITH_A_TERMINAL.format(confine=confine)]
    done = subprocess.run(argv, capture_output=True, text=True, env=environment, cwd=ROOT, check=False)
    return done.stdout.strip() or done.stderr


@pytest.fixture
def plain() -> str:
    """What comes of it without the filter: the positive control."""
    said = on_a_terminal("")
    if said == "BLOCKED EIO":
        pytest.skip("this kernel refuses it to everybody without CAP_SYS_ADMIN (dev.tty.legacy_tiocsti is 0)")
    return said


@pytest.mark.skipif(os.uname().machine not in NUMBERS, reason="no table of system calls for this machine")
@pytest.mark.parametrize("network", [False, True])
def test_the_filter_refuses_it_on_a_real_terminal(plain: str, network: bool) -> None:
    assert plain == "TYPED b'id\\n'"
    assert on_a_terminal(CONFINE.format(network=network)) == "BLOCKED EPERM"


def test_the_call_is_refused_before_the_descriptor_is_looked_at(all_blocked: Blocked, prelude: str) -> None:
    # A job has no terminal, so the kernel by itself would answer ENOTTY. Bits above the request's 32 count for nothing.
    source = """
import fcntl
number = {"x86_64": 16, "aarch64": 29}[os.uname().machine]
attempt("TIOCSTI", lambda: fcntl.ioctl(0, 0x5412, b"x"))
attempt("TIOCLINUX", lambda: fcntl.ioctl(0, 0x541C, b"\\3"))
attempt("with high bits", lambda: syscall(number, 0, ctypes.c_long(0x100005412), b"x"))
"""
    assert set(all_blocked(source)) == {"EPERM"}
    policy = Policy(without=frozenset({"seccomp"}))
    said = run([sys.executable, "-c", prelude + source], policy=policy).stdout.data.decode()
    assert [line.split()[-1] for line in said.splitlines()] == ["ENOTTY"] * 3, said


def test_a_job_finds_no_terminal(all_blocked: Blocked, works_outside: Callable[[str], None]) -> None:
    pushes = """
attempt("a new one", lambda: os.openpty())
attempt("its server", lambda: os.open("/dev/ptmx", os.O_RDWR))
attempt("all", lambda: os.listdir("/dev/pts"))
"""
    works_outside(pushes)
    others = 'attempt("own", lambda: os.open("/dev/tty", os.O_RDWR))\nattempt("console", lambda: os.listdir("/dev"))'
    assert set(all_blocked(pushes + others)) <= {"ENOENT", "EACCES", "ENXIO"}
