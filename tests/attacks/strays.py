"""Which processes of jobs still run, wherever they hang: they are found by a mark, and not by their parents alone.

A job that was given `VARIABLES` has them for all its processes in /proc, whatever these do, but only root may read that
of another user; one whose text begins with `NAMED` gives its own name to all processes that it forks, and everybody may
read that. What waits for the next job has the variables too, and is left out: it is a server's first child.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

import psutil

MARK = f"tj{os.getpid()}x{secrets.token_hex(2)}"  # a process's name has 15 bytes at most
VARIABLES = {"TREADLE_TEST_MARK": MARK}
NAMED = f"import ctypes; ctypes.CDLL(None).prctl(15, b{MARK!r}, 0, 0, 0)\n"


def strays() -> list[str]:
    """Each process of a job of ours: its number, and what it is. The dead count that none of our servers has waited
    for; those that hang elsewhere are for others to wait for."""
    found = {process for process in psutil.process_iter() if _is_marked(process.pid)}
    for server in filter(_is_server, psutil.Process().children()):
        found |= set(_children(server, recursive=True))
        found -= set(sorted(_children(server), key=psutil.Process.create_time)[:1])
    return [_described(process) for process in found]


def _is_server(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return any("treadle.sandbox.server.main" in argument for argument in process.cmdline())
    return False


def _children(process: psutil.Process, recursive: bool = False) -> list[psutil.Process]:
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.children(recursive)
    return []


def _is_marked(pid: int) -> bool:
    with contextlib.suppress(OSError):
        place = Path(f"/proc/{pid}")
        state = (place / "stat").read_bytes().rpartition(b")")[2].split()[0]
        if state in b"ZX":
            return False
        name_and_arguments = (place / "comm").read_bytes() + (place / "cmdline").read_bytes()
        return MARK.encode() in name_and_arguments or MARK.encode() in (place / "environ").read_bytes()
    return False


def _described(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.Error):
        return f"{process.pid} {process.status()} {process.name()} {process.cmdline()} below {process.ppid()}"
    return f"{process.pid} ended just now"
