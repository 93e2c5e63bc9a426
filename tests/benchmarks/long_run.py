"""Whether anything stays behind after thousands of jobs: processes, descriptors, temporary files, memory."""

from __future__ import annotations

import gc
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from treadle.sandbox import Limits, Overlay, Policy, Pool, Result, Script

MOST_GROWTH = 0.05
SETTLED_AFTER = 500
_BLOCK = 100
_AHEAD = ("pathlib", "tempfile", "threading")
_WITH_THREAD = """
import pathlib, tempfile, threading
pathlib.Path("thread.txt").write_text("x" * 4096)
pathlib.Path(tempfile.mkdtemp(), "note").write_text("y")
thread = threading.Thread(target=pathlib.Path("second.txt").write_text, args=("z",))
thread.start()
thread.join()
"""
# The child outlives its job: the sandbox has to end it.
_WITH_CHILD = """
import os, pathlib, tempfile, time
pathlib.Path("child.txt").write_text("x" * 4096)
pathlib.Path(tempfile.mkdtemp(), "note").write_text("y")
if os.fork() == 0:
    time.sleep(3600)
"""


@dataclass(frozen=True)
class Usage:
    """What the harness and all that runs under it hold at one moment."""

    harness_memory: int
    harness_descriptors: int
    memory: dict[int, int] = field(default_factory=dict)
    descriptors: dict[int, int] = field(default_factory=dict)

    @property
    def servers_memory(self) -> int:
        """Bytes of all processes of the servers together."""
        return sum(self.memory.values())

    @property
    def all_descriptors(self) -> int:
        """Open descriptors of harness and servers together."""
        return self.harness_descriptors + sum(self.descriptors.values())


def usage() -> Usage:
    """The usage now."""
    gc.collect()
    harness = psutil.Process()
    memory, descriptors = {}, {}
    for process in harness.children(recursive=True):
        memory[process.pid] = process.memory_info().rss
        try:
            descriptors[process.pid] = process.num_fds()
        except psutil.AccessDenied:
            continue  # an ordinary user may not look into the process that jobs are forked from
    return Usage(harness.memory_info().rss, harness.num_fds(), memory, descriptors)


def long_run(count: int) -> int:
    """Run so many jobs, print what is left of them, and return 1 when anything is, or when a job did not end well.

    The first half, 500 at most, is for the pool to settle; under 40 jobs there is nothing to compare.
    """
    if count < 40:
        raise ValueError(f"{count} jobs are too few to compare the end with what was before: at least 40")
    temporary = tempfile.gettempdir()
    with tempfile.TemporaryDirectory() as folder:
        project, own_temporary = Path(folder, "project"), Path(folder, "temporary")
        project.mkdir()
        own_temporary.mkdir()
        # Others use the machine's folder for temporary files as well: what is found in this one is ours.
        tempfile.tempdir = str(own_temporary)
        try:
            settled, end, bad, known = _run_jobs(count, str(project))
        finally:
            tempfile.tempdir = temporary
        files = [str(path.relative_to(folder)) for path in Path(folder).rglob("*")]
    left = sorted(set(files) - {"project", "temporary"})
    alive = [pid for pid in known if psutil.pid_exists(pid)]
    return _report(count, settled, end, bad, left, alive)


def _run_jobs(count: int, project: str) -> tuple[Usage, Usage, list[Result], set[int]]:
    """The usage when the pool has settled and at the end, what did not end well, the processes seen."""
    bad: list[Result] = []
    settled = None
    block = min(_BLOCK, count // 4)  # so that even a short run is looked at before its end
    settled_after = min(SETTLED_AFTER, count // 2)
    policy = Policy(overlay=Overlay(project))
    with Pool(preload=_AHEAD, policy=policy, limits=Limits.tier("quick")) as pool:
        for start in range(0, count, block):
            if settled is None and start >= settled_after:
                settled = usage()
            jobs = [Script(_WITH_CHILD if number % 2 else _WITH_THREAD) for number in range(min(block, count - start))]
            if start % 1000 == 0:
                print(f"{start} jobs, {len(bad)} of them ended badly", flush=True)
            bad += [result for result in pool.run_many(jobs) if not result.ok]
        end = usage()
    assert settled is not None
    return settled, end, bad, settled.memory.keys() | end.memory.keys()


def _report(count: int, settled: Usage, end: Usage, bad: list[Result], left: list[str], alive: list[int]) -> int:
    harness = end.harness_memory / settled.harness_memory - 1
    servers = end.servers_memory / settled.servers_memory - 1
    processes = len(end.memory) - len(settled.memory)
    descriptors = end.all_descriptors - settled.all_descriptors
    unseen = len(end.memory) - len(end.descriptors)
    print(f"{count} jobs, of which {len(bad)} did not end well")
    for result in bad[:5]:
        print(
            f"  {result.verdict}, exit code {result.exit_code}, {result.message} {result.stderr.data.decode()[-300:]}"
        )
    print(f"processes: {len(end.memory)} under the pool, {processes:+d}; after its end {len(alive)}")
    print(f"descriptors: {end.all_descriptors}, {descriptors:+d}; of {unseen} processes they can't be seen")
    print(f"temporary files: {len(left)} {left[:5]}")
    print(f"memory of the harness: {end.harness_memory >> 10} KB, {harness:+.1%}")
    print(f"memory of the servers: {end.servers_memory >> 10} KB, {servers:+.1%}")
    leaked = bad or processes or descriptors or left or alive or max(harness, servers) > MOST_GROWTH
    print("FAILED" if leaked else "nothing stays behind")
    return 1 if leaked else 0
