"""Which limit ended a job: decided from what was seen, by plain values."""

from __future__ import annotations

import os
import signal
from typing import NamedTuple

# Limits that a program meets as an error of its own, in the words of Python, libc, Node.js and C++; the last two in
# those of a shell that tells of its command's end.
_WORDS = (
    ("memory", (b"MemoryError", b"Cannot allocate memory", b"std::bad_alloc", b"heap out of memory")),
    ("files", (b"Too many open files", b"File too large", b"No space left on device")),
    ("processes", (b"Resource temporarily unavailable", b"can't start new thread", b"Cannot fork")),
    ("cpu", (b"CPU time limit exceeded", b"Cputime limit exceeded")),
    ("files", (b"File size limit exceeded", b"Filesize limit exceeded")),
)
_LAST_WORDS = 2048  # bytes at the end of stderr in which they count


class Seen(NamedTuple):
    """What the server saw of a job. `ended_by` is the limit for which the server itself ended it ("" when it ended
    alone), `status` is wait(2)'s."""

    ended_by: str
    status: int
    cpu_s: float
    cpu_limit: float
    box_full: bool
    most_processes: int
    process_limit: int
    last_words: bytes


def decide(seen: Seen) -> tuple[str, int | None, int | None]:
    """The verdict, the exit code (None when a signal ended it) and the signal."""
    code = os.waitstatus_to_exitcode(seen.status)
    exit_code, number = (code, None) if code >= 0 else (None, -code)
    if seen.ended_by:
        return seen.ended_by, exit_code, number
    if code == 0:
        return "ok", exit_code, number
    return _why_failed(seen, number), exit_code, number


def _why_failed(seen: Seen, number: int | None) -> str:
    if number == signal.SIGXCPU or (number == signal.SIGKILL and seen.cpu_s >= seen.cpu_limit):
        return "cpu"
    if number == signal.SIGXFSZ or seen.box_full:
        return "files"
    if seen.most_processes > seen.process_limit:
        return "processes"
    words = seen.last_words[-_LAST_WORDS:]
    return next((verdict for verdict, texts in _WORDS if any(text in words for text in texts)), "error")
