"""Memory where the usual numbers do not show it: the machine has no other limit for all processes of a job together."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from treadle.sandbox import Limits, Overlay, Policy, Result, run

Run = Callable[..., Result]
MB = 1 << 20
LIMITS = Limits.tier("quick", wall_s=20.0, memory=128 * MB)

THREE_HOLD_60_MB = """
blocks = []
for _ in range(3):
    if os.fork() == 0:
        blocks.append(bytearray(b"x") * (60 << 20)); time.sleep(1); os._exit(0)
for _ in range(3):
    os.wait()
"""
# Each of them ends with `held` when nobody stops it.
HIDDEN = {
    # What is no longer in the page tables is not in RssShmem, but it stays taken.
    "shared memory, forgotten by its process": """
memory = mmap.mmap(-1, 256 << 20)
for at in range(0, 256 << 20, 16 << 20):
    memory[at : at + (16 << 20)] = b"x" * (16 << 20)
    memory.madvise(mmap.MADV_DONTNEED, at, 16 << 20)
""",
    # A fork does not copy the page tables of shared memory.
    "shared memory, left to a child": """
for _ in range(8):
    if os.fork() == 0:
        memory = mmap.mmap(-1, 32 << 20)
        memory[:] = bytes(32 << 20)
        if os.fork() == 0:
            time.sleep(2)
        os._exit(0)
    os.wait()
""",
    # One page of zeros, in 256 GB of addresses: only the page tables grow.
    "page tables": """
memory = mmap.mmap(-1, 256 << 30, flags=mmap.MAP_PRIVATE | 0x4000, prot=mmap.PROT_READ)
for at in range(0, 256 << 30, 2 << 20):
    memory[at]
""",
    "sockets that nobody reads": """
pairs = []
for _ in range(6):
    if os.fork() == 0:
        for _ in range(100):
            pairs.append(socket.socketpair())
            for end in pairs[-1]:
                end.setblocking(False)
                try:
                    while True:
                        end.send(bytes(65536))
                except BlockingIOError:
                    pass
        time.sleep(1)
        os._exit(0)
for _ in range(6):
    os.wait()
""",
    "a name that is a size without a number": 'libc.prctl(15, b"x kB", 0, 0, 0)' + THREE_HOLD_60_MB,
    # /proc tells nothing of the memory of a process whose first thread has ended.
    "behind a first thread that has ended": """
import platform, threading
def hoard():
    time.sleep(0.1)
    held = bytearray(b"x") * (60 << 20)
    time.sleep(1)
    os._exit(0)
for _ in range(3):
    if os.fork() == 0:
        threading.Thread(target=hoard).start()
        libc.syscall({"x86_64": 60, "aarch64": 93}[platform.machine()], 0)
for _ in range(3):
    os.wait()
""",
    "a name that looks like the numbers": r'libc.prctl(15, b"a) R 1 1\nRssAnon: 0", 0, 0, 0)' + THREE_HOLD_60_MB,
}


@pytest.mark.parametrize("how", HIDDEN)
def test_hidden_memory_counts(attack: Run, how: str) -> None:
    result = attack("import mmap\n" + HIDDEN[how] + "print('held')", LIMITS)
    assert result.verdict == "memory", result
    assert b"held" not in result.stdout.data


@pytest.mark.parametrize("how", sorted(set(HIDDEN) - {"page tables", "sockets that nobody reads"}))
def test_without_the_meter_it_is_held(how: str) -> None:
    # The two that are left out would take gigabytes of a kernel that nobody stops.
    source = "import os, sys, time, mmap, ctypes\nlibc = ctypes.CDLL(None)\n" + HIDDEN[how] + "print('held')"
    policy = Policy(without=frozenset({"memory"}))
    assert run([sys.executable, "-c", source], policy=policy, limits=LIMITS).stdout.data == b"held\n"


def test_pages_can_not_be_given_to_a_pipe(
    all_blocked: Callable[..., list[str]], works_without: Callable[..., None]
) -> None:
    source = """
ends = os.pipe()
page = ctypes.create_string_buffer(4096)
vector = struct.pack("PN", ctypes.addressof(page), 4096)
libc.vmsplice.restype = ctypes.c_ssize_t
def gift():
    if libc.vmsplice(ends[1], vector, ctypes.c_size_t(1), 0) < 0:
        raise OSError(ctypes.get_errno(), "")
attempt("vmsplice", gift)
"""
    works_without(source, "seccomp")
    assert all_blocked(source) == ["EPERM"]


def test_a_large_input_is_no_store(attack: Run, project: object) -> None:
    # It lies in a file without a name, which the job holds: whatever it wrote there would count nowhere.
    source = "attempt('write', lambda: os.write(0, bytes(1 << 20)))\nattempt('grow', lambda: os.truncate(0, 1 << 30))"
    assert b"ESCAPED" not in attack(source, stdin=b"x" * 100_000).stdout.data
    policy = Policy(overlay=Overlay(str(project)))
    whole = run(["wc", "-c"], policy=policy, stdin=b"x" * 100_000)
    assert whole.stdout.data.split() == [b"100000"], whole


# Each is reaped by another than the job, and ends before a limit of its own.
ORPHANS = """
for _ in range(8):
    ends = os.pipe()
    if os.fork() == 0:
        if os.fork() == 0:
            while time.process_time() < 0.3: pass
            os.write(ends[1], b"x")
        os._exit(0)
    os.wait(); os.read(ends[0], 1)
print("burnt")
"""


def test_processor_time_of_orphans_counts(attack: Run) -> None:
    result = attack(ORPHANS, Limits.tier("quick", wall_s=30.0, cpu_s=1.0))
    assert (result.verdict, result.stdout.data) == ("cpu", b""), result


def test_processor_time_of_orphans_is_free_where_nobody_looks_at_the_whole_job() -> None:
    policy = Policy(without=frozenset({"memory"}))
    argv = [sys.executable, "-c", "import os, time\n" + ORPHANS]
    free = run(argv, policy=policy, limits=Limits.tier("quick", wall_s=30.0, cpu_s=1.0))
    assert free.stdout.data == b"burnt\n", free
