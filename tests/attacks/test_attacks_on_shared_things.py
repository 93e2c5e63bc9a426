"""What the kernel counts for a user or for the whole machine, and what it tells everybody of the machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import pytest

from treadle.sandbox import Policy, Result, has_layer, run

Run = Callable[..., Result]
Blocked = Callable[..., list[str]]
Control = Callable[..., None]


def test_the_machine_s_name_is_not_told(attack: Run) -> None:
    source = "print(os.uname().nodename, socket.gethostname())"
    assert attack(source).stdout.data == b"treadle treadle\n"
    if os.uname().nodename != "treadle":
        named = run(
            [sys.executable, "-c", f"import os, socket\n{source}"], policy=Policy(without=frozenset({"userns"}))
        )
        assert os.uname().nodename in named.stdout.data.decode()


def test_most_inotify_instances_are_left_to_the_person(attack: Run) -> None:
    if not has_layer("userns"):
        pytest.skip("they are counted by user namespace")
    source = "count = 0\nwhile libc.inotify_init() >= 0: count += 1\nprint(count)"
    assert int(attack(source).stdout.data) <= 32
    argv = [sys.executable, "-c", "import ctypes\nlibc = ctypes.CDLL(None)\n" + source]
    assert int(run(argv, policy=Policy(without=frozenset({"userns"}))).stdout.data) > 32


def test_requests_of_the_whole_machine_can_not_be_taken(all_blocked: Blocked, works_without: Control) -> None:
    source = """
context = ctypes.c_long(0)
attempt("io_setup", lambda: syscall({"x86_64": 206, "aarch64": 0}[os.uname().machine], 1, ctypes.byref(context)))
"""
    works_without(source, "seccomp")
    assert all_blocked(source) == ["EPERM"]


def test_the_person_s_queue_of_signals_stays_free(attack: Run) -> None:
    source = """
signal.pthread_sigmask(signal.SIG_BLOCK, {40})
count = 0
while count < 5000 and libc.sigqueue(os.getpid(), 40, None) == 0: count += 1
print(count)
"""
    assert int(attack(source).stdout.data) <= 1024
    prelude = "import ctypes, os, signal\nlibc = ctypes.CDLL(None)\n"
    free = run([sys.executable, "-c", prelude + source], policy=Policy(without=frozenset({"rlimits"})))
    assert int(free.stdout.data) == 5000


def test_no_namespace_even_without_the_filter(works_outside: Control) -> None:
    # A namespace of its own would give a job capabilities, and with them most of the kernel to attack.
    source = "attempt('user', lambda: syscall({'x86_64': 272, 'aarch64': 97}[os.uname().machine], 0x10000000))"
    if not has_layer("userns"):
        pytest.skip("this machine has no user namespaces")
    works_outside(source)
    prelude = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
print(libc.unshare(0x10000000), ctypes.get_errno())
"""
    result = run([sys.executable, "-c", prelude], policy=Policy(without=frozenset({"seccomp"})))
    assert result.stdout.data.split() in ([b"-1", b"28"], [b"-1", b"1"]), result  # ENOSPC; EPERM in a chroot


def test_a_process_can_not_be_made_weaker_for_others(all_blocked: Blocked, works_outside: Control) -> None:
    source = """
libc.prctl(4, 1, 0, 0, 0)
libc.prctl(0x59616D61, ctypes.c_ulong(-1 & (2**64 - 1)), 0, 0, 0)
def personality(flags):
    if libc.personality(ctypes.c_ulong(flags)) < 0:
        raise OSError(ctypes.get_errno(), "")
attempt("no random addresses", lambda: personality(0x0040000))
attempt("all that is read runs", lambda: personality(0x0400000))
"""
    works_outside(source)
    assert set(all_blocked(source)) == {"EPERM"}
