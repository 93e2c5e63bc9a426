"""Descriptors in flight, timers, event polls, the pipes again in another mode: what the kernel keeps for a job."""

from __future__ import annotations

import sys
from collections.abc import Callable

from treadle.sandbox import Limits, Policy, Pool, Result, Script, run

Run = Callable[..., Result]
Survivors = Callable[[], list[str]]
Blocked = Callable[..., list[str]]
Control = Callable[..., None]


def test_a_stream_in_flight_does_not_hold_the_result_up(attack: Run, survivors: Survivors) -> None:
    # Sockets that were sent over themselves, with the streams beside them: only the kernel's own collector ends them,
    # and a harness that waits for the end of a pipe would wait for that.
    # Few, since the kernel counts those in flight for all that a user runs, until that collector has run.
    source = """
import array
for _ in range(6):
    a, b = socket.socketpair()
    rights = array.array("i", [a.fileno(), b.fileno(), 1, 2])
    a.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
    b.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
    a.detach(), b.detach()
print("sent", flush=True)
os._exit(0)
"""
    result = attack(source, Limits.tier("quick", wall_s=15.0))
    assert (result.verdict, result.stdout.data) == ("ok", b"sent\n"), result
    assert survivors() == []
    assert attack("print('next')").stdout.data == b"next\n"


def test_a_descriptor_is_handed_to_a_child_alone(all_blocked: Blocked, attack: Run) -> None:
    # The positive control is the way that remains: between processes of one job.
    alone = """
import array
a, b = socket.socketpair()
sent = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [1]))]
if os.fork() == 0:
    b.sendmsg([b"x"], sent)
    os._exit(0)
data, rights, _, _ = a.recvmsg(1, 64)
os.write(array.array("i", rights[0][2])[0], b"handed on")
"""
    assert attack(alone).stdout.data == b"handed on"
    others = """
import array
rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [1]))]
def to(number): return socket.socket(fileno=os.dup(number)).sendmsg([b"x"], rights)
attempt("over its input", lambda: to(0))
attempt("over its output", lambda: to(1))
attempt("over its errors", lambda: to(2))
attempt("over the zygote's socket", lambda: [to(number) for number in range(3, 1024)])
attempt("by the parent's table", lambda: os.open(f"/proc/{os.getppid()}/fd/3", os.O_RDWR))
"""
    assert set(all_blocked(others)) <= {"ENOTSOCK", "EBADF", "ENOENT", "EACCES", "EPERM"}


def test_two_jobs_at_once_find_no_socket_of_each_other(policy: Policy) -> None:
    # What both can name is the same text, and leads to different things or nowhere.
    source = """
import os, socket, time
said = []
for name in ("\\0treadle-meeting", os.environ["HOME"] + "/meeting", "/dev/shm/meeting"):
    for act in ("bind", "connect"):
        try:
            a, b = socket.socketpair()
            getattr(a, act)(name)
            said.append(name)
        except OSError:
            pass
os.mkdir("/dev/shm/" + os.environ["MINE"])
time.sleep(0.5)
print(said, sorted(os.listdir("/dev/shm")) == [os.environ["MINE"]])
"""
    with Pool(workers=2, policy=policy) as pool:
        results = pool.run_many([Script(source, env={"MINE": name}) for name in ("a", "b")])
    assert [result.stdout.data for result in results] == [b"[] True\n"] * 2, results


def test_the_pipes_in_another_mode_are_the_job_s_own_loss(attack: Run) -> None:
    # It may read what it said itself, and write to its own input; the harness gets what is left of it.
    source = """
out = os.open("/proc/self/fd/1", os.O_RDONLY | os.O_NONBLOCK)
back = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
os.write(back, b"to itself")
os.write(1, b"a" * 100)
try:
    os.read(out, 100)
except BlockingIOError:
    pass
print("end")
"""
    result = attack(source, stdin=b"given")
    assert result.verdict == "ok", result
    assert result.stdout.data.endswith(b"end\n")
    assert attack("print(sys.stdin.read())", stdin=b"next").stdout.data == b"next\n"


TIMERS = """
count = 0
event = struct.pack("=QiiQQQQQQ", 0, 34, 0, 0, 0, 0, 0, 0, 0)
number = {"x86_64": 222, "aarch64": 107}[os.uname().machine]
while count < 5000 and libc.syscall(number, 1, event, ctypes.byref(ctypes.c_int())) == 0:
    count += 1
print(count)
"""


def test_the_person_s_timers_are_left(attack: Run, prelude: str) -> None:
    # They count as queued signals, of which a user has a number for all programs together.
    assert int(attack(TIMERS).stdout.data) <= 1024
    free = run([sys.executable, "-c", prelude + TIMERS], policy=Policy(without=frozenset({"rlimits"})))
    assert int(free.stdout.data) == 5000


def test_polls_of_polls_do_no_harm(attack: Run) -> None:
    source = """
import select
chain = [select.epoll() for _ in range(100)]
try:
    for outer, inner in zip(chain, chain[1:]):
        outer.register(inner.fileno(), select.EPOLLIN)
except OSError as error:
    print(errno.errorcode[error.errno])
"""
    # The kernel allows no more than five, one below the other.
    assert attack(source).stdout.data == b"ELOOP\n"
    assert attack("print('next')").stdout.data == b"next\n"


def test_all_threads_of_a_job_end_with_it(attack: Run, survivors: Survivors) -> None:
    source = """
import threading
for _ in range(30):
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
if os.fork() == 0:
    threading.Thread(target=lambda: [os.fork() or time.sleep(600) for _ in range(3)]).start()
    time.sleep(600)
time.sleep(0.1)
print(len(os.listdir("/proc/self/task")) if os.path.exists("/proc/self/task") else 31)
"""
    result = attack(source, Limits.tier("quick", wall_s=15.0))
    assert (result.verdict, result.stdout.data) == ("ok", b"31\n"), result
    assert survivors() == []


# No positive controls for the last ones: they are no way to anything, and what is asked is that no harm is done.


def test_barriers_over_the_whole_machine_are_its_own(attack: Run) -> None:
    # MEMBARRIER_CMD_GLOBAL waits for every processor and disturbs none; restartable sequences are per thread.
    source = """
number = {"x86_64": 324, "aarch64": 283}[os.uname().machine]
for _ in range(20):
    libc.syscall(number, 1, 0, 0)
print(libc.syscall({"x86_64": 334, "aarch64": 293}[os.uname().machine], None, 0, 0, 0))
"""
    result = attack(source, Limits.tier("quick", wall_s=15.0))
    assert (result.verdict, result.stdout.data) == ("ok", b"-1\n"), result
