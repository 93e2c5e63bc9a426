"""A job's own filters, domains and namespaces: none loosens what holds it, and none harms who supervises it."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from treadle.sandbox import Limits, Result, has_layer
from treadle.sandbox.server.syscall_numbers import NUMBERS

Run = Callable[..., Result]
Blocked = Callable[..., list[str]]
Control = Callable[..., None]
MACHINE = os.uname().machine
pytestmark = pytest.mark.skipif(MACHINE not in NUMBERS, reason=f"no table of system calls for {MACHINE}")
N = NUMBERS.get(MACHINE, NUMBERS["x86_64"])
SECCOMP = {"x86_64": 317, "aarch64": 277}.get(MACHINE, -1)
WRITE = {"x86_64": 1, "aarch64": 64}.get(MACHINE, -1)

# A filter of the job's own: `code` is classic BPF, `flags` 8 asks for a listener (seccomp_unotify(2)).
OWN_FILTER = f"""
libc.prctl(38, 1, 0, 0, 0)
def install(flags, *code):
    text = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in code))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(code), ctypes.addressof(text)))
    return syscall({SECCOMP}, 1, flags, program)
ALLOW, NOTIFY = 0x7FFF0000, 0x7FC00000
"""


def test_a_filter_that_allows_all_allows_nothing_more(all_blocked: Blocked, works_outside: Control) -> None:
    source = f"""
{OWN_FILTER}
install(0, (6, 0, 0, ALLOW))
attempt("memory", lambda: syscall({N["memfd_create"]}, b"x", 0))
attempt("trace", lambda: syscall({N["ptrace"]}, 0, 0, 0, 0))
"""
    works_outside(source)
    assert set(all_blocked(source)) == {"EPERM"}


def test_a_listener_of_its_own_is_not_asked(all_blocked: Blocked, works_outside: Control) -> None:
    # In a plain process whoever listens may let the call through; the sandbox's refusal goes before.
    source = f"""
{OWN_FILTER}
import threading, fcntl
trap = {N["memfd_create"]}
listener = install(8, (0x20, 0, 0, 0), (0x15, 0, 1, trap), (6, 0, 0, NOTIFY), (6, 0, 0, ALLOW))
def let_through():
    asked = bytearray(80)
    fcntl.ioctl(listener, 0xC0502100, asked)
    fcntl.ioctl(listener, 0xC0182101, asked[:8] + struct.pack("=qiI", 0, 0, 1))
threading.Thread(target=let_through, daemon=True).start()
attempt("memory", lambda: syscall(trap, b"x", 0))
"""
    works_outside(source)
    assert all_blocked(source) == ["EPERM"]


def test_who_waits_for_an_answer_of_its_own_is_ended(attack: Run, survivors: Callable[[], list[str]]) -> None:
    source = f"""
{OWN_FILTER}
print("waits", flush=True)
listener = install(8, (0x20, 0, 0, 0), (0x15, 0, 1, {WRITE}), (6, 0, 0, NOTIFY), (6, 0, 0, ALLOW))
os.write(1, b"ESCAPED")
"""
    result = attack(source, Limits.tier("quick", wall_s=1.5))
    assert (result.verdict, result.stdout.data) == ("timeout", b"waits\n"), result
    assert survivors() == []


def test_domains_up_to_the_limit_do_no_harm(attack: Run) -> None:
    if not has_layer("landlock"):
        pytest.skip("this machine has no Landlock")
    source = """
libc.prctl(38, 1, 0, 0, 0)
attributes = ctypes.create_string_buffer(struct.pack("=QQ", 1 << 13, 0))
entered = 0
try:
    while True:
        ruleset = syscall(444, attributes, 16, 0)
        syscall(446, ruleset, 0)
        os.close(ruleset)
        entered += 1
except OSError as error:
    print(errno.errorcode[error.errno], entered)
attempt("read", lambda: open("/etc/passwd"))
"""
    result = attack(source)
    # Sixteen are the kernel's limit; the sandbox has taken two of them.
    assert result.stdout.data == b"E2BIG 14\nBLOCKED read ENOENT\n", result
    assert attack("print('next')").stdout.data == b"next\n"


MOUNTS = f"""
attempt("new file system", lambda: syscall({N["fsopen"]}, b"tmpfs", 0))
attempt("copy of a tree", lambda: syscall({N["open_tree"]}, -100, b"/", 0x8001))
attempt("attributes", lambda: syscall({N["mount_setattr"]}, -100, b"/", 0, struct.pack("=4Q", 2, 0, 0, 0), 32))
attempt("another's namespace", lambda: syscall({N["setns"]}, os.open("/proc/self/ns/uts", os.O_RDONLY), 0x4000000))
"""


def test_no_part_of_a_mount_is_made_and_no_namespace_entered(all_blocked: Blocked, works_outside: Control) -> None:
    if has_layer("userns"):
        # The positive control has namespaces of its own (user, mount, uts), where it may. A job can't make those.
        works_outside("libc.unshare(0x10000000 | 0x20000 | 0x4000000)\n" + MOUNTS)
    assert set(all_blocked(MOUNTS)) == {"EPERM"}


def test_what_is_run_by_descriptor_is_held_as_well(attack: Run) -> None:
    # A program without a name, and one by a descriptor that may not even read: each runs, and gains nothing.
    source = """
number = {"x86_64": 322, "aarch64": 281}[os.uname().machine]
def run(descriptor):
    if os.fork() == 0:
        names = (ctypes.c_char_p * 4)(b"python", b"-c", b"import os; os.memfd_create('x')", None)
        libc.syscall(number, descriptor, b"", names, (ctypes.c_char_p * 1)(None), 0x1000)
        os._exit(99)
    print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
run(os.open(os.path.realpath(sys.executable), os.O_PATH))
own = os.open(os.environ["HOME"] + "/program", os.O_WRONLY | os.O_CREAT, 0o700)
os.write(own, open(os.path.realpath(sys.executable), "rb").read())
os.close(own)
unnamed = os.open(os.environ["HOME"] + "/program", os.O_PATH)
os.unlink(os.environ["HOME"] + "/program")
run(unnamed)
"""
    result = attack(source, Limits.tier("quick", file_size=256 << 20, disk=512 << 20))
    first, second = (int(word) for word in result.stdout.data.split())
    assert first == 1, result
    # A copy without its library beside it may find no modules; whatever it is, it is no success.
    assert second != 0, result
    assert b"PermissionError" in result.stderr.data, result


def test_more_power_over_itself_is_refused(all_blocked: Blocked, works_outside: Control) -> None:
    source = f"""
deadline = struct.pack("=IIQiIQQQ", 48, 6, 0, 0, 0, 10**6, 10**7, 10**7)
def layout():
    if libc.prctl(35, 7, ctypes.c_ulong(1 << 20), 0, 0):
        raise OSError(ctypes.get_errno(), "")
attempt("deadline", lambda: syscall({N["sched_setattr"]}, 0, deadline, 0))
attempt("real time", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))
attempt("locked memory", lambda: syscall({{"x86_64": 151, "aarch64": 230}}[os.uname().machine], 3))
attempt("layout", layout)
"""
    if os.geteuid() == 0:  # only root may do these in a plain process
        works_outside(source.replace('attempt("layout", layout)', ""))
    assert set(all_blocked(source)) <= {"EPERM", "EACCES", "ENOMEM", "EINVAL"}
