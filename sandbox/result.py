"""What came of a job."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Verdict = Literal["ok", "error", "timeout", "cpu", "memory", "output", "files", "processes", "killed", "refused"]


@dataclass(frozen=True)
class Stream:
    """The beginning and the end of what was said, and how many bytes between them were dropped."""

    head: bytes = b""
    tail: bytes = b""
    dropped: int = 0

    @property
    def data(self) -> bytes:
        """Both ends, with a line between them that counts what is missing."""
        if not self.dropped:
            return self.head + self.tail
        return b"%s\n[... %d bytes left out ...]\n%s" % (self.head, self.dropped, self.tail)


@dataclass(frozen=True)
class Result:
    """`verdict` names the limit that ended the job; `ok` and `error` go by the exit code, `killed` means cancelled,
    `refused` that it never started. `message` says why it was refused or could not be executed, or which files were too
    large to be collected. Times in seconds, `peak_memory` in bytes: the most that the whole tree was seen to use, or
    one process by its own account. `layers` are those that were really on; `files` what was collected."""

    verdict: Verdict
    exit_code: int | None = None
    signal: int | None = None
    stdout: Stream = Stream()
    stderr: Stream = Stream()
    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_memory: int = 0
    layers: tuple[str, ...] = ()
    files: dict[str, bytes] = field(default_factory=dict)
    message: str = ""

    @property
    def ok(self) -> bool:
        """Whether the job ended by itself with exit code 0. That code is the job's own word: what it computed has to be
        checked outside of it."""
        return self.verdict == "ok"
