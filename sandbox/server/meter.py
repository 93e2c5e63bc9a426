"""What a tree of processes uses at this moment, read from /proc: memory, processor time, processes and threads.

It is a meter that looks every now and then, so a job can overshoot between two looks; the rlimits are what holds each
process hard. RssShmem is counted with RssAnon, since shared memory escapes RLIMIT_DATA.
"""

from __future__ import annotations

import os
import re
import signal
from typing import NamedTuple

from treadle.sandbox.server import procfs

_TICKS = os.sysconf("SC_CLK_TCK")
_NOT_SHARED = ("VmData", "VmStk", "VmExe", "VmLib")
_SOCKET_HOLDS = 212_992  # net.core.wmem_default: what a socket takes before a writer has to wait
_MOST_OF_MAPS = 1 << 20
_SIZES = re.compile(r"^(Rss\w+|Vm\w+):\s+(\d+) kB$", re.MULTILINE)
_SHARED = re.compile(rb"^([0-9a-f]+)-([0-9a-f]+) ..[-x]s \S+ \S+ (\d+) +/dev/zero \(deleted\)$", re.MULTILINE)


class Usage(NamedTuple):
    """Bytes, seconds (of living processes and of the children they waited for), and processes, of which each counts as
    often as it has threads, as RLIMIT_NPROC counts them."""

    memory: int = 0
    cpu_s: float = 0.0
    processes: int = 0


def descendants(proc: str, root: int, most: int | None = None) -> dict[int, int]:
    """The processes below `root`, by the host's numbers, each with how many threads it has; `proc` is where the host's
    /proc is. Past `most` threads it ends: where they come faster than it goes, it would never."""
    found: dict[int, int] = {}
    count = 0
    waiting = [root]
    while waiting and (most is None or count + len(waiting) <= most + 1):
        pid = waiting.pop()
        try:
            threads = os.listdir(f"{proc}/{pid}/task")
            if pid != root:
                found[pid] = len(threads)
                count += len(threads)
        except OSError:
            continue  # it has ended meanwhile
        for thread in threads:
            waiting += [int(word) for word in procfs.read_if_there(f"{proc}/{pid}/task/{thread}/children").split()]
    found.update(dict.fromkeys(waiting, 1))
    return found


def measure(proc: str, root: int, most_processes: int, most_memory: int, own_network: bool) -> Usage:
    """What all processes below `root` use; the processor time also of those that `root` has reaped, since an orphan's
    counts nowhere else. Nothing but their number when it is more than `most_processes`. `own_network`: whether the
    sockets of this network namespace are all theirs."""
    memory, shared, cpu_s = 0, 0, waited_for(proc, root)
    elsewhere: dict[int, int] = {}
    found = descendants(proc, root, most_processes)
    processes = sum(found.values())
    if processes > most_processes:
        return Usage(cpu_s=cpu_s, processes=processes)
    for pid in found:
        try:
            sizes = _sizes(procfs.read(f"{_with_memory(proc, pid)}/status"))
            memory += sizes.get("RssAnon", 0) + sizes.get("VmPTE", 0)
            shared += sizes.get("RssShmem", 0)
            elsewhere[pid] = sizes.get("VmSize", 0) - sum(sizes.get(name, 0) for name in _NOT_SHARED)
            cpu_s += sum(_times(procfs.read(f"{proc}/{pid}/stat"))) / _TICKS
        except (OSError, IndexError, ValueError):
            continue
    if sum(elsewhere.values()) > most_memory:
        shared = max(shared, _mapped_shared(proc, elsewhere))
    if own_network:
        memory += _SOCKET_HOLDS * _sockets(proc, root)
    return Usage(memory + shared, cpu_s, processes)


def _with_memory(proc: str, pid: int) -> str:
    """Where /proc tells of the process's memory: under its number, or, when its first thread has ended before the
    others, under that of one of those. Raises OSError."""
    place = f"{proc}/{pid}"
    threads = os.listdir(f"{place}/task")
    if len(threads) == 1 or "VmSize" in procfs.read(f"{place}/status"):
        return place
    places = (f"{place}/task/{thread}" for thread in threads)
    return next((other for other in places if "VmSize" in procfs.read_if_there(f"{other}/status")), place)


def waited_for(proc: str, pid: int) -> float:
    """The processor time of all children that a process has reaped."""
    try:
        return sum(_times(procfs.read(f"{proc}/{pid}/stat"))[2:]) / _TICKS
    except (OSError, IndexError, ValueError):
        return 0.0


def _sizes(status: str) -> dict[str, int]:
    """The sizes of /proc/PID/status, in bytes. Its first line is a name that the process chooses."""
    return {name: int(size) * 1024 for name, size in _SIZES.findall(status)}


def _times(stat: str) -> list[int]:
    """utime, stime, cutime, cstime: fields 14 to 17 of proc(5). The name before them may hold anything."""
    return [int(field) for field in stat.rpartition(")")[2].split()[11:15]]


def _mapped_shared(proc: str, elsewhere: dict[int, int]) -> int:
    """The size of all shared memory without a file. RssShmem tells only of what is in the page tables, and a job can
    empty those (MADV_DONTNEED, or a fork whose parent ends) while the memory stays taken; so here it counts as mapped.
    A process that can't be looked at, or not in time, counts with all that it may have (`elsewhere`)."""
    found: dict[bytes, int] = {}
    unknown = 0
    for pid, most in elsewhere.items():
        try:
            with open(f"{_with_memory(proc, pid)}/maps", "rb") as file:
                text = file.read(_MOST_OF_MAPS)
        except PermissionError:
            text = b"x" * _MOST_OF_MAPS
        except OSError:
            continue
        if len(text) == _MOST_OF_MAPS:
            unknown += most
            continue
        for start, end, inode in _SHARED.findall(text):
            size = int(end, 16) - int(start, 16)
            found[inode] = max(size, found.get(inode, 0))
    return sum(found.values()) + unknown


def _sockets(proc: str, pid: int) -> int:
    try:
        return int(procfs.read(f"{proc}/{pid}/net/sockstat").split(maxsplit=3)[2])  # sockets: used N
    except (OSError, IndexError, ValueError):
        return 0


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
