"""System calls that a program never needs and an attacker likes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from treadle.sandbox import Result
from treadle.sandbox.server.syscall_numbers import NUMBERS

Blocked = Callable[..., list[str]]
MACHINE = os.uname().machine

# name, arguments; what a plain process may do is in the control below
CALLS = {
    "unshare": "0x10000000",
    "clone3": "None, 0",
    "io_uring_setup": "1, None",
    "bpf": "0, None, 0",
    "keyctl": "0, -3, 1",
    "add_key": "b'user', b'x', b'y', 1, -3",
    "userfaultfd": "0",
    "perf_event_open": "None, 0, -1, -1, 0",
    "memfd_create": "b'x', 0",
    "shmget": "0, 4096, 0o1600",
    "msgget": "0, 0o1600",
    "semget": "0, 1, 0o1600",
    "mount": "None, b'/', None, 0, None",
    "umount2": "b'/', 2",
    "pivot_root": "b'/', b'/'",
    "setns": "0, 0",
    "open_by_handle_at": "0, None, 0",
    "ptrace": "0, 0, 0, 0",
    "process_vm_readv": "1, None, 0, None, 0, 0",
    "fsopen": "b'tmpfs', 0",
    "open_tree": "-100, b'/', 1",
    "chroot": "b'/'",
    "sethostname": "b'x', 1",
    "swapon": "b'/x', 0",
    "reboot": "0, 0, 0, None",
    "fanotify_init": "0, 0",
    "kcmp": "1, 1, 0, 0, 0",
    "pidfd_getfd": "0, 0, 0",
}


@pytest.mark.skipif(MACHINE not in NUMBERS, reason=f"no table of system calls for {MACHINE}")
@pytest.mark.parametrize("name", sorted(CALLS))
def test_a_dangerous_call_is_answered_by_an_error(all_blocked: Blocked, name: str) -> None:
    source = f'attempt("{name}", lambda: syscall({NUMBERS[MACHINE][name]}, {CALLS[name]}))'
    expected = {"ENOSYS"} if name in ("clone3", "io_uring_setup") else {"EPERM"}
    assert set(all_blocked(source)) == expected


@pytest.mark.skipif(MACHINE not in NUMBERS, reason=f"no table of system calls for {MACHINE}")
def test_those_calls_work_in_a_plain_process(works_outside: Callable[[str], int]) -> None:
    # Those that any user may make anywhere; the others need privileges that this test may not have.
    numbers = NUMBERS[MACHINE]
    source = f"""
attempt("memfd", lambda: syscall({numbers["memfd_create"]}, b"x", 0))
attempt("shmget", lambda: syscall({numbers["shmget"]}, 0, 4096, 0o1600))
attempt("ptrace", lambda: syscall({numbers["ptrace"]}, 0, 0, 0, 0))
"""
    assert works_outside(source) == 3


@pytest.mark.skipif(MACHINE != "x86_64", reason="these are other tables of x86-64 alone")
def test_calls_through_another_table_kill(attack: Callable[..., Result]) -> None:
    x32 = attack("syscall(0x40000000 + 39)\nprint('ESCAPED')")
    assert (x32.signal, x32.stdout.data) == (signal.SIGSYS, b"")
    # mov eax, 20 (getpid in the 32-bit table); int 0x80; ret
    thirty_two = attack("""
import mmap
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes([0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3]))
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
print('ESCAPED')
""")
    assert thirty_two.signal in (signal.SIGSYS, signal.SIGSEGV), thirty_two
    assert thirty_two.stdout.data == b""


def test_a_job_has_no_capability_even_after_exec(attack: Callable[..., Result]) -> None:
    result = attack("""
probe = '''
import ctypes, struct
header, sets = struct.pack("=Ii", 0x20080522, 0), ctypes.create_string_buffer(24)
print(ctypes.CDLL(None).capget(header, sets), any(sets.raw))
'''
exec(probe)
sys.stdout.flush()
subprocess.run([sys.executable, "-c", probe])
""")
    assert result.stdout.data.split() == [b"0", b"False"] * 2, result
