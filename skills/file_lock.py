"""Hold a lock that other processes and other threads respect, and that the kernel frees when the holder dies.

`flock(2)` on a file of its own. The file stays when the lock is freed: removing it would let one process lock the old
file while another locks the new one of the same name. Advisory: only those who ask for the lock are kept out.

Thread safety: safe; every use opens the file anew, so threads exclude each other as processes do. Not re-entrant: a
thread that asks for a lock it holds waits for itself. A child made by `fork` without `exec` shares the lock until both
have let go of it. POSIX only.

Words: lock, file, process, exclusive, mutex, flock, concurrent, single, instance.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Callable, Iterator

__all__ = ["file_lock"]


@contextlib.contextmanager
def file_lock(
    path: str | os.PathLike[str],
    *,
    timeout_s: float | None = None,
    poll_s: float = 0.05,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[None]:
    """Hold the lock for the length of the `with` block. `timeout_s` None waits without limit, 0 tries once; between
    tries it sleeps `poll_s` seconds. The file is created when missing; its content is never touched.

    Raises `TimeoutError` when somebody else still holds it after `timeout_s` seconds; `OSError` when the file cannot be
    opened (a symbolic link is refused, so that nobody can plant one in a shared folder); `ValueError` for times below
    zero.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     name = os.path.join(folder, "job.lock")
    ...     with file_lock(name):
    ...         try:
    ...             with file_lock(name, timeout_s=0):
    ...                 print("both")
    ...         except TimeoutError:
    ...             print("one at a time")
    one at a time
    """
    if not poll_s > 0 or (timeout_s is not None and not timeout_s >= 0):
        raise ValueError("poll_s must be above 0, and timeout_s not below 0")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    try:
        if timeout_s is None:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        else:
            _poll(descriptor, os.fspath(path), timeout_s, poll_s, sleep, clock)
        yield
    finally:
        os.close(descriptor)


def _poll(
    descriptor: int,
    name: str,
    timeout_s: float,
    poll_s: float,
    sleep: Callable[[float], None],
    clock: Callable[[], float],
) -> None:
    give_up = clock() + timeout_s
    while True:
        with contextlib.suppress(BlockingIOError):
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        left = give_up - clock()
        if left <= 0:
            raise TimeoutError(f"another process or thread still holds {name!r} after {timeout_s} s")
        sleep(min(poll_s, left))
