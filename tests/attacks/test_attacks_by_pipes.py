"""The pipes that a job speaks through, given other sizes, modes and contents, and all pages that its user may have."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from treadle.sandbox import Command, Limits, Policy, Pool, Result, Script

Run = Callable[..., Result]
MB = 1 << 20
LIMITS = Limits.tier("quick", wall_s=15.0, output=4 * MB)

# Each speaks without a write: the kernel moves the bytes.
UNWRITTEN = {
    "sendfile": """
open(os.environ["HOME"] + "/zeros", "wb").truncate(60 << 20)
file = os.open(os.environ["HOME"] + "/zeros", os.O_RDONLY)
while os.sendfile(1, file, None, 1 << 20): pass
""",
    "splice": """
open(os.environ["HOME"] + "/zeros", "wb").truncate(60 << 20)
file = os.open(os.environ["HOME"] + "/zeros", os.O_RDONLY)
while os.splice(file, 1, 1 << 20): pass
""",
    "tee": """
read, write = os.pipe()
os.write(write, b"x" * 4096)
libc.tee.restype = ctypes.c_ssize_t
for _ in range(100_000): libc.tee(read, 1, ctypes.c_size_t(4096), 0)
""",
    "tee from its own output": """
again = os.open("/proc/self/fd/1", os.O_RDWR)
os.write(1, b"x" * 4096)
libc.tee.restype = ctypes.c_ssize_t
while True: libc.tee(again, 2, ctypes.c_size_t(4096), 2); os.write(1, b"x" * 4096)
""",
}


@pytest.mark.parametrize("how", UNWRITTEN)
def test_what_is_said_without_writing_counts(attack: Run, how: str) -> None:
    result = attack(UNWRITTEN[how] + "\nprint('ESCAPED')", LIMITS)
    assert result.verdict == "output", result
    assert b"ESCAPED" not in result.stdout.data


@pytest.mark.parametrize("how", sorted(UNWRITTEN.keys() - {"tee", "tee from its own output"}))
def test_under_a_higher_limit_all_of_it_comes(attack: Run, how: str) -> None:
    # The positive control; the two that are left out say the same for ever.
    result = attack(UNWRITTEN[how], Limits.tier("quick", wall_s=15.0, output=100 * MB))
    assert (result.verdict, result.stdout.dropped + 2 * 32768) == ("ok", 60 * MB), result


# Each is what stdout may become by its own hand: (fcntl's command, its value).
MODES = {
    "the least that a pipe holds": "fcntl.fcntl(1, 1031, 4096)",
    "the most that it holds": "fcntl.fcntl(1, 1031, 1 << 20)",
    "in packets": "fcntl.fcntl(1, fcntl.F_SETFL, os.O_DIRECT | os.O_WRONLY)",
    "with signals": "fcntl.fcntl(1, fcntl.F_SETOWN, 0); fcntl.fcntl(1, fcntl.F_SETFL, os.O_ASYNC)",
    "at the end": "fcntl.fcntl(1, fcntl.F_SETFL, os.O_APPEND)",
}


@pytest.mark.parametrize("how", MODES)
def test_a_pipe_in_another_mode_tells_all_the_same(attack: Run, how: str) -> None:
    # No positive control: it is asked that nothing is lost, and that the harness does not wait.
    source = f"""
import fcntl
try:
    {MODES[how]}
except OSError as error:
    print(error, file=sys.stderr)
for n in range(2000): os.write(1, b"%04d" % n * 100)
"""
    result = attack(source, Limits.tier("quick", wall_s=15.0, keep=MB))
    assert (result.verdict, result.stdout.data) == ("ok", b"".join(b"%04d" % n * 100 for n in range(2000)))
    assert attack("print('next')").stdout.data == b"next\n"


# 64 MB of pages for all programs of a user (fs.pipe-user-pages-soft); past that a new pipe is of one page.
HOARD = """
import fcntl, os, time
held = []
try:
    while len(held) < 120:
        held.append(os.pipe())
        try:
            fcntl.fcntl(held[-1][1], 1031, 1 << 20)
        except OSError:
            pass
except OSError:
    pass
print(min(fcntl.fcntl(write, 1032) for _, write in held), flush=True)
"""
BESIDES = "import sys\ntext = sys.stdin.read()\nprint(len(text), 'x' * 300_000)"


def test_a_job_beside_one_that_has_all_pages_works(policy: Policy, tmp_path: Path) -> None:
    # The control is what it prints: its last pipes are of one page, so that it had all that there are.
    # It has them from the moment that a folder of both says so until it is cancelled.
    full = tmp_path / "full"
    policy = replace(policy, write=(str(tmp_path),))
    tmp_path.chmod(0o777)
    enough = threading.Event()
    with Pool(workers=2, policy=policy, limits=Limits.tier("quick", wall_s=60.0, keep=MB)) as pool:
        pool.run_many([Script("0"), Script("0")])
        hoarder = pool.submit(Script(f"{HOARD}open({str(full)!r}, 'w')\ntime.sleep(300)"), cancel=enough)
        while not full.exists():
            assert not hoarder.done(), hoarder.result()
            time.sleep(0.01)
        besides = [pool.run(Script(BESIDES, stdin=b"y" * size)) for size in (10, 200_000) for _ in range(3)]
        command = pool.run(Command((sys.executable, "-c", BESIDES), stdin=b"y" * 5000))
        assert not hoarder.done()
        enough.set()
        assert hoarder.result().verdict == "killed", hoarder.result()
        after = pool.run(Script(BESIDES))
    assert int(hoarder.result().stdout.data) <= 8192, hoarder.result()
    assert [r.stdout.data for r in besides[:3]] == [b"10 " + b"x" * 300_000 + b"\n"] * 3
    assert [r.stdout.data for r in besides[3:]] == [b"200000 " + b"x" * 300_000 + b"\n"] * 3
    assert command.stdout.data.startswith(b"5000 x"), command
    assert after.stdout.data == b"0 " + b"x" * 300_000 + b"\n"


def test_the_streams_are_pipes_and_there_is_nothing_else(attack: Run) -> None:
    # Every number that a descriptor can have, by the kernel's own list; the last one is the list itself.
    source = """
import fcntl, resource, stat
listed = sorted(int(name) for name in os.listdir("/proc/self/fd")) if os.path.exists("/proc/self/fd") else [0, 1, 2, 3]
tried = [n for n in range(resource.getrlimit(resource.RLIMIT_NOFILE)[1]) if libc.fcntl(n, 1) >= 0]
kinds = [(stat.S_ISFIFO(os.fstat(n).st_mode), fcntl.fcntl(n, fcntl.F_GETFL) & os.O_ACCMODE) for n in tried]
print(listed, tried, kinds, {os.fstat(n).st_dev for n in tried} <= {os.fstat(os.pipe()[0]).st_dev})
"""
    result = attack(source, Limits.tier("quick", open_files=100_000))
    assert result.stdout.data == b"[0, 1, 2, 3] [0, 1, 2] [(True, 0), (True, 1), (True, 1)] True\n", result
    plain = Path("/proc/self/fd")
    # The positive control: this process itself has more.
    assert not plain.exists() or len(list(plain.iterdir())) > 4
