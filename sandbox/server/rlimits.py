"""From the limits of a job to setrlimit(2)'s numbers."""

from __future__ import annotations

import math
import os
import resource
import sys
from typing import Any

_STACK = 8 << 20, 64 << 20  # soft and hard; the soft one is also what each new thread reserves
_SERVER_PROCESSES = 4  # the server and the process that jobs are forked from count against the job


def rlimits(limits: dict[str, Any], *, other_processes: int) -> list[tuple[str, int, int]]:
    """(name, soft, hard) for each. `other_processes` run under the same uid and would count against the job.

    There is no RLIMIT_AS: V8 and threads reserve much address space that they never use. RLIMIT_DATA counts what is
    private and writable. Past the soft cpu limit SIGXCPU comes, a second later SIGKILL.
    """
    cpu = max(1, math.ceil(limits["cpu_s"]))
    processes = limits["processes"] + _SERVER_PROCESSES + other_processes
    wanted = [
        # 1 and not 0: with 0 the kernel still starts the program that core_pattern names.
        ("RLIMIT_CORE", 1, 1),
        ("RLIMIT_CPU", cpu, cpu + 1),
        ("RLIMIT_FSIZE", limits["file_size"], limits["file_size"]),
        ("RLIMIT_NOFILE", limits["open_files"], limits["open_files"]),
        ("RLIMIT_MEMLOCK", 0, 0),
        # What a machine's settings allow its people, a job has no need of: a higher priority, or real time.
        ("RLIMIT_NICE", 0, 0),
        ("RLIMIT_RTPRIO", 0, 0),
        ("RLIMIT_STACK", *_STACK),
        ("RLIMIT_MSGQUEUE", 0, 0),
        # Queued signals count against the uid outside as well, whose own programs would get no more.
        ("RLIMIT_SIGPENDING", 1024, 1024),
        ("RLIMIT_DATA", limits["memory"], limits["memory"]),
        ("RLIMIT_NPROC", processes, processes),
    ]
    return [(name, soft, hard) for name, soft, hard in wanted if hasattr(resource, name)]


def processes_of_this_uid() -> int:
    """How many processes and threads this uid has that count together with a job's: none inside a user namespace of a
    kernel that counts them by namespace (5.14 on)."""
    if sys.platform != "linux":
        return 0
    uid, count = os.getuid(), 0
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == uid:
                count += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue
    return count
