"""Signals, parents and children turned against what supervises the job."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from treadle.sandbox import Limits, Policy, Pool, Result, Script

Run = Callable[..., Result]
Survivors = Callable[[], list[str]]
LIMITS = Limits.tier("quick", wall_s=20.0)


@pytest.fixture(params=["", "landlock"])
def weak_pool(request: pytest.FixtureRequest) -> Callable[[], Pool]:
    return lambda: Pool(workers=1, policy=Policy(without=frozenset({request.param} - {""})), limits=LIMITS)


def test_no_signal_ends_the_parent(weak_pool: Callable[[], Pool]) -> None:
    # Landlock refuses them; without it the kernel keeps from pid 1 what it does not handle itself.
    source = """
import os, signal
for number in range(1, 65):
    for send in (lambda: os.kill(1, number), lambda: signal.pidfd_send_signal(os.pidfd_open(1), number)):
        try:
            send()
        except (OSError, AttributeError):
            pass
"""
    with weak_pool() as pool:
        assert pool.run(Script("print(1)")).verdict == "ok"
        sent = pool.run(Script(source))
        assert sent.verdict == "ok", sent
        assert pool.run(Script("print(2)")).stdout.data == b"2\n"


def test_no_signal_comes_by_way_of_a_descriptor(weak_pool: Callable[[], Pool]) -> None:
    source = """
import fcntl, os, signal, socket
for number in (2, 9, 15, 17, 19):
    a, b = socket.socketpair()
    try:
        fcntl.fcntl(a, fcntl.F_SETOWN, os.getppid())
        fcntl.fcntl(a, 10, number)  # F_SETSIG
        fcntl.fcntl(a, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    except OSError:
        continue
    b.send(b"x")
"""
    with weak_pool() as pool:
        assert pool.run(Script(source)).verdict == "ok"
        assert pool.run(Script("print(2)")).stdout.data == b"2\n"


STORMS = {
    "children that end": "for _ in range(300):\n    if os.fork() == 0: os._exit(0)\n    os.wait()",
    "orphans that end": """
for _ in range(300):
    if os.fork() == 0:
        if os.fork() == 0: time.sleep(0.001)
        os._exit(0)
    os.wait()
""",
    "zombies that nobody waits for": """
for _ in range(40):
    if os.fork() == 0: os._exit(0)
time.sleep(0.2)
""",
    "stops and goes": """
child = os.fork()
if child == 0: time.sleep(60)
for _ in range(2000):
    os.kill(child, signal.SIGSTOP); os.kill(child, signal.SIGCONT)
""",
    "siblings by CLONE_PARENT": """
number = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
for _ in range(20):
    if libc.syscall(number, 0x8000 | 17, None, None, None, None) == 0:
        time.sleep(60); os._exit(0)
""",
    "the signal of the parent's death changed": """
if os.fork() == 0:
    libc.prctl(1, 0, 0, 0, 0); libc.prctl(36, 1, 0, 0, 0); os.setsid()
    if os.fork() == 0: time.sleep(60)
    time.sleep(60)
time.sleep(0.1)
""",
}


@pytest.mark.parametrize("how", STORMS)
def test_a_storm_of_children_does_no_harm(attack: Run, survivors: Survivors, how: str) -> None:
    result = attack(STORMS[how] + "\nprint('end')", LIMITS)
    assert (result.verdict, result.stdout.data) == ("ok", b"end\n"), result
    assert survivors() == []


@pytest.mark.parametrize(
    "source",
    [
        "os.fork(); os.fork()\nos.killpg(0, signal.SIGSTOP)",
        "while True:\n    if os.fork() == 0: os.setsid(); os._exit(0) if os.fork() else None",
        "if os.fork() == 0:\n    os.kill(os.getppid(), signal.SIGSTOP); time.sleep(60)\ntime.sleep(60)",
        "if os.fork() == 0:\n    libc.vfork(); time.sleep(60)\nlibc.vfork(); time.sleep(60)",
    ],
    ids=["its whole group stopped", "forks all the time", "stopped by a child", "waits in vfork"],
)
def test_what_can_not_be_asked_to_end_is_ended(attack: Run, survivors: Survivors, source: str) -> None:
    started = time.monotonic()
    result = attack(source, Limits.tier("quick", wall_s=1.0, processes=40))
    assert result.verdict in ("timeout", "processes"), result
    assert time.monotonic() - started < 15
    assert survivors() == []


def test_a_job_that_forks_while_it_is_cancelled(pool: Pool, survivors: Survivors) -> None:
    source = "import os\nwhile True:\n    if os.fork() == 0: os.setsid()\n    else: os.waitpid(-1, os.WNOHANG)"
    for _ in range(3):
        cancel = threading.Event()
        threading.Timer(0.1, cancel.set).start()
        result = pool.run(Script(source, limits=LIMITS), cancel=cancel)
        assert result.verdict in ("killed", "processes", "memory"), result
        assert survivors() == []


def test_two_hundred_threads_meet_the_limit(attack: Run) -> None:
    """The kernel holds it where the job is not root; the meter, which takes a moment, everywhere."""
    source = """
import threading
for _ in range(200):
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
time.sleep(10)
print("ESCAPED")
"""
    result = attack(source, Limits.tier("quick", processes=40))
    assert (result.verdict, result.stdout.data) == ("processes", b""), result


def test_both_streams_are_flooded_while_no_signal_is_heard(attack: Run, survivors: Survivors) -> None:
    source = """
signal.signal(signal.SIGPIPE, signal.SIG_IGN)
stream = 1 + (os.fork() == 0)
while True:
    try:
        os.write(stream, b"x" * 65536)
    except OSError:
        pass
"""
    result = attack(source, Limits.tier("quick", output=4 << 20))
    assert result.verdict == "output", result
    assert survivors() == []
