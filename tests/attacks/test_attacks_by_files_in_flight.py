"""Files of a job's own memory, kept alive past its end by descriptors that nobody holds."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import pytest

from treadle.sandbox import Limits, Overlay, Policy, Pool, Script

MB = 1 << 20

# Sockets that are sent over themselves, with a large file beside them: only the kernel's own collector ends that.
IN_FLIGHT = """
import array, os, socket
name = os.environ["HOME"] + "/large"
large = os.open(name, os.O_RDWR | os.O_CREAT)
for _ in range(50): os.write(large, b"x" * (1 << 20))
a, b = socket.socketpair()
for over in (a, b):
    rights = array.array("i", [a.fileno(), b.fileno(), large])
    over.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
print("sent", flush=True)
os._exit(0)
"""
MAPPED = """
import mmap, os
large = os.open("/dev/shm/large", os.O_RDWR | os.O_CREAT)
os.truncate(large, 50 << 20)
memory = mmap.mmap(large, 50 << 20)
memory[:] = b"x" * (50 << 20)
os.unlink("/dev/shm/large")
if os.fork() == 0:
    os.setsid()
    import time
    time.sleep(60)
print("sent", flush=True)
os._exit(0)
"""


def shared_memory() -> int:
    """What all memory file systems of the machine hold."""
    found = re.search(r"^Shmem: +(\d+) kB", Path("/proc/meminfo").read_text(), re.MULTILINE)
    assert found
    return int(found[1]) * 1024


@pytest.mark.skipif(sys.platform != "linux", reason="it is about Linux' own")
@pytest.mark.parametrize("source", [IN_FLIGHT, MAPPED], ids=["in flight", "mapped"])
def test_its_memory_is_given_back(project: Path, source: str) -> None:
    limits = Limits.tier("quick", disk=100 * MB, wall_s=20.0)
    with Pool(workers=1, policy=Policy(overlay=Overlay(str(project))), limits=limits) as pool:
        assert pool.run(Script("0")).verdict == "ok"
        # The positive control: while such a job runs, the memory is taken.
        before = taken = shared_memory()
        held = pool.submit(Script(source.replace("os._exit(0)", "import time; time.sleep(0.5); os._exit(0)")))
        while not held.done():
            taken = max(taken, shared_memory())
            time.sleep(0.02)
        assert taken - before > 25 * MB, (taken, before)
        for _ in range(6):
            result = pool.run(Script(source))
            assert (result.verdict, result.stdout.data) == ("ok", b"sent\n"), result
        # It would be 350 MB; the collector takes its time, and other tests take memory as well.
        limit = time.monotonic() + 5
        while time.monotonic() < limit and shared_memory() > before + 150 * MB:
            time.sleep(0.02)
        assert shared_memory() <= before + 150 * MB
