"""Processes that hide from whoever looks at them: closed to /proc, run from what nobody may read, never the same."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from treadle.sandbox import Limits, Overlay, Policy, Result, run

Run = Callable[..., Result]
MB = 1 << 20
WALL_S = 20.0
LIMITS = Limits.tier("quick", wall_s=WALL_S, memory=128 * MB, processes=40)

# HOLD_S is how long the memory is held: until the wall limit, so that a meter that comes late on a busy machine comes,
# and the verdict is another only without one; not for long in the controls.
# Shared memory that is in no page table: only its mappings tell of it, and those are for whoever may trace a process.
FORGOTTEN = """
import mmap, time
memory = mmap.mmap(-1, 256 << 20)
for at in range(0, 256 << 20, 16 << 20):
    memory[at : at + (16 << 20)] = b"x" * (16 << 20)
    memory.madvise(mmap.MADV_DONTNEED, at, 16 << 20)
time.sleep(HOLD_S)
print("held", flush=True)
"""
HOARD = """
ready, tell = os.pipe()
def hoard():
    for _ in range(3):
        if os.fork() == 0:
            held = bytearray(b"x") * (60 << 20)
            os.write(tell, b"x")
            time.sleep(HOLD_S)
            os._exit(0)
def wait_until_all_hoard():
    for _ in range(3):
        os.read(ready, 1)
    time.sleep(HOLD_S)
"""
# PR_SET_DUMPABLE is 4, 0 closes /proc/PID.
HIDDEN = {
    "closed to all that look": "libc.prctl(4, 0, 0, 0, 0)" + FORGOTTEN,
    "closed and opened again": f"""
if os.fork() == 0:
    while True:
        libc.prctl(4, 0, 0, 0, 0); libc.prctl(4, 1, 0, 0, 0)
def again():
    while True:
        libc.prctl(4, 0, 0, 0, 0); libc.prctl(4, 1, 0, 0, 0); time.sleep(0.001)
import threading
threading.Thread(target=again, daemon=True).start()
{FORGOTTEN}
os._exit(0)
""",
    "closed in each of several processes": f"""
libc.prctl(4, 0, 0, 0, 0)
{HOARD}
hoard()
wait_until_all_hoard()
print("held", flush=True)
""",
    # The kernel gives such a process to the user namespace outside, whose master the server is not.
    "a program that nobody may read": f"""
import shutil
program = os.environ["HOME"] + "/program"
shutil.copy(os.path.realpath(sys.executable), program)
os.chmod(program, 0o111)
os.environ.update(PYTHONHOME=sys.base_prefix, LD_LIBRARY_PATH=sys.base_prefix + "/lib")
os.execv(program, [program, "-c", {FORGOTTEN!r}])
""",
    # The children of a thread become another's when it ends, and the first one of all tells of no memory.
    "threads that are replaced all the time": f"""
import _thread, threading
sys.setswitchinterval(1e-5)
def churn():
    _thread.start_new_thread(churn, ())
{HOARD}
def begin():
    hoard()
    for _ in range(3): churn()
if os.fork() == 0:
    threading.Thread(target=begin).start()
    libc.syscall({{"x86_64": 60, "aarch64": 93}}[os.uname().machine], 0)
wait_until_all_hoard()
print("held", flush=True)
os._exit(0)
""",
}
LARGE_PROGRAM = Limits.tier("quick", wall_s=WALL_S, memory=128 * MB, processes=40, file_size=256 * MB, disk=300 * MB)


def holding(how: str, seconds: float) -> str:
    return HIDDEN[how].replace("HOLD_S", str(seconds))


@pytest.mark.parametrize("how", HIDDEN)
def test_who_hides_is_counted(attack: Run, survivors: Callable[[], list[str]], how: str) -> None:
    result = attack(holding(how, WALL_S), LARGE_PROGRAM if "program" in how else LIMITS)
    assert result.verdict == "memory", result
    assert survivors() == []


@pytest.mark.parametrize("without", ["userns", "pidns"])
@pytest.mark.parametrize("how", ["closed to all that look", "closed in each of several processes"])
def test_that_needs_no_namespace(project: object, prelude: str, how: str, without: str) -> None:
    # Without a user namespace of its own, the server may not look into such a process: it counts with all it may have.
    policy = Policy(without=frozenset({without}))
    result = run([sys.executable, "-c", prelude + holding(how, WALL_S)], policy=policy, limits=LIMITS)
    assert result.verdict == "memory", result


@pytest.mark.parametrize("how", HIDDEN)
def test_without_the_meter_all_of_it_is_held(project: object, prelude: str, how: str) -> None:
    policy = Policy(overlay=Overlay(str(project)), without=frozenset({"memory"}))
    limits = LARGE_PROGRAM if "program" in how else LIMITS
    argv = [sys.executable, "-c", prelude + holding(how, 0.4)]
    result = run(argv, cwd=str(project), policy=policy, limits=limits)
    assert result.stdout.data == b"held\n", result


def test_threads_that_never_stay_do_not_hide_their_number(attack: Run, survivors: Callable[[], list[str]]) -> None:
    # No positive control: what is counted here is refused by nobody else to a job of root's. The kernel's own limit may
    # come first for an ordinary user's, whose threads then die out.
    source = """
import _thread
_thread.stack_size(65536)
refused = []
def churn():
    time.sleep(0.002)
    try:
        _thread.start_new_thread(churn, ())
        _thread.start_new_thread(churn, ())
    except RuntimeError:
        refused.append(True)
churn()
time.sleep(5)
print("refused by the kernel" if refused else "ESCAPED")
"""
    result = attack(source, LIMITS)
    assert b"ESCAPED" not in result.stdout.data, result
    assert result.verdict in ("processes", "memory") or b"refused by the kernel" in result.stdout.data, result
    assert survivors() == []
