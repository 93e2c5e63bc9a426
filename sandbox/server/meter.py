"""What a tree of processes uses at this moment, read from /proc: memory, processor time, number of processes.

It is a meter that looks every now and then, so a job can overshoot between two looks; the rlimits are what holds each
process hard. RssShmem is counted with RssAnon, since shared memory escapes RLIMIT_DATA.
"""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Usage:
    """Bytes, seconds (of living processes and of the children they waited for), processes."""

    memory: int = 0
    cpu_s: float = 0.0
    processes: int = 0


def descendants(proc: str, root: int) -> list[int]:
    """The processes below `root`, by the host's numbers; `proc` is where the host's /proc is."""
    found: list[int] = []
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        try:
            for task in os.listdir(f"{proc}/{pid}/task"):
                with open(f"{proc}/{pid}/task/{task}/children") as file:
                    children = [int(word) for word in file.read().split()]
                found += children
                waiting += children
        except OSError:
            continue  # it has ended meanwhile
    return found


def _read(path: str) -> str:
    with open(path) as file:
        return file.read()


def measure(proc: str, root: int) -> Usage:
    """What all processes below `root` use."""
    memory, ticks = 0, 0
    pids = descendants(proc, root)
    for pid in pids:
        try:
            for line in _read(f"{proc}/{pid}/status").splitlines():
                if line.startswith(("RssAnon:", "RssShmem:")):
                    memory += int(line.split()[1]) * 1024
            # The name in parentheses may hold anything; utime, stime, cutime, cstime are fields 14 to 17 of proc(5).
            fields = _read(f"{proc}/{pid}/stat").rpartition(")")[2].split()
            ticks += sum(int(field) for field in fields[11:15])
        except (OSError, IndexError, ValueError):
            continue
    return Usage(memory, ticks / _TICKS, len(pids))


def kill_below(proc: str, root: int) -> None:
    """Kill all below `root`: first stop them, so that none can fork away, then kill."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        seen: set[int] = set()
        while fresh := [pid for pid in descendants(proc, root) if pid not in seen]:
            for pid in fresh:
                seen.add(pid)
                try:
                    os.kill(pid, number)
                except ProcessLookupError:
                    continue
