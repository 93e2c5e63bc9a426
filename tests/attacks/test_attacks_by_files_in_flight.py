"""Files of a job's own memory, kept alive past its end by descriptors that nobody holds.

All memory of the machine is no measure of that, since other tests take and give back more of it. The number of the
job's memory file system is: the kernel gives the lowest free one, and none while a file of that system is still held.
"""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attacks.strays import VARIABLES
from treadle.sandbox import Limits, Overlay, Policy, Pool, Script, has_layer, run

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="it is about Linux' own"),
    pytest.mark.skipif(not has_layer("mountns"), reason="jobs have no memory file system of their own here"),
]
MB = 1 << 20
LIMITS = Limits.tier("quick", disk=100 * MB, wall_s=20.0)
MOST_JOBS = 40  # as many are run before it is a leak; a user may have 256 descriptors in flight, of which each takes 6

TELL = """
import os
print(os.stat(os.environ["HOME"]).st_dev, flush=True)
"""
# Sockets that are sent over themselves, with a large file beside them: only the kernel's own collector ends that.
IN_FLIGHT = f"""{TELL}
import array, socket
name = os.environ["HOME"] + "/large"
large = os.open(name, os.O_RDWR | os.O_CREAT)
os.write(large, b"x" * (1 << 20))
a, b = socket.socketpair()
for over in (a, b):
    rights = array.array("i", [a.fileno(), b.fileno(), large])
    over.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
os._exit(0)
"""
MAPPED = f"""{TELL}
import mmap
large = os.open("/dev/shm/large", os.O_RDWR | os.O_CREAT)
os.truncate(large, 1 << 20)
memory = mmap.mmap(large, 1 << 20)
memory[:] = b"x" * (1 << 20)
os.unlink("/dev/shm/large")
if os.fork() == 0:
    os.setsid()
    import time
    time.sleep(60)
os._exit(0)
"""
# Sent over its input, and so held for as long as we do not look at what came.
SENT_TO_US = f"""{TELL}
import socket
large = os.open(os.environ["HOME"] + "/large", os.O_RDWR | os.O_CREAT)
socket.send_fds(socket.socket(fileno=0), [b"x"], [large])
"""


def until_they_come_again(next_number: Callable[[], int]) -> bool:
    """Whether five of the jobs have a number that an earlier one had; others on the machine may take some between."""
    met: set[int] = set()
    for count in range(1, MOST_JOBS + 1):
        met.add(next_number())
        if count - len(met) == 5:
            return True
    return False


@pytest.mark.parametrize("source", [IN_FLIGHT, MAPPED], ids=["in flight", "mapped"])
def test_its_memory_is_given_back(project: Path, source: str, survivors: Callable[[], list[str]]) -> None:
    policy = Policy(overlay=Overlay(str(project)))
    with Pool(workers=1, policy=policy, limits=LIMITS, env=VARIABLES) as pool:

        def next_number() -> int:
            result = pool.run(Script(source))
            assert result.verdict == "ok", result
            return int(result.stdout.data)

        assert until_they_come_again(next_number)
        assert survivors() == []


def test_a_file_that_is_held_shows_in_the_numbers(project: Path) -> None:
    # The positive control: what a leak would look like, and that it ends with whoever holds the files.
    policy = Policy(overlay=Overlay(str(project)))
    held: list[socket.socket] = []

    def next_number() -> int:
        ours, theirs = socket.socketpair()
        held.append(ours)
        with theirs:
            result = run([sys.executable, "-I", "-S", "-c", SENT_TO_US], stdin=theirs, policy=policy, limits=LIMITS)
        assert result.verdict == "ok", result
        return int(result.stdout.data)

    try:
        numbers = [next_number() for _ in range(20)]
        assert len(set(numbers)) == 20, numbers
    finally:
        for ours in held:
            ours.close()
    limit = time.monotonic() + 30
    while next_number() not in numbers:
        held.pop().close()
        assert time.monotonic() < limit
    held.pop().close()
