"""The lock of a session: one program works on a session at a time, and the kernel frees the lock of a dead one.

The lock is a `flock(2)` on a file that belongs to the session. It is held by the open file, not by the process, so
that two threads exclude each other as well, and it is gone the moment its holder is, `kill -9` included.
"""

from __future__ import annotations

import fcntl
import os
import re
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from treadle.core.errors import StoreBusy, StoreError, UnknownSession
from treadle.core.paths import encode
from treadle.core.places import private_folder

# A look at a lock takes it in shared mode for an instant; whoever wants it then has to try again for a moment.
PATIENCE_S = 0.25
_PAUSE_S = 0.01

_held: set[int] = set()


def _let_go_in_child() -> None:
    # A forked child inherits the open file and with it the lock, which would outlive a parent that is killed.
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


os.register_at_fork(after_in_child=_let_go_in_child)


class FileLocks:
    """The locks of one project's sessions on this machine, as files in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def hold(self, session: str) -> AbstractContextManager[None]:
        """Hold the session. Raises `StoreBusy`, naming the process that does."""
        return file_lock(self.file(session), f"session {session}")

    def is_held(self, session: str) -> bool:
        """Whether some program on this machine holds the session."""
        return is_locked(self.file(session))

    def file(self, session: str) -> Path:
        """The file that a session's lock is held on. Raises `UnknownSession` for what can't be an id."""
        if not re.fullmatch(r"[A-Za-z0-9-]+", session):
            raise UnknownSession(f"{session!r} is no session's id")
        return self._folder / f"{session}.lock"


@contextmanager
def file_lock(path: Path, what: str, patience_s: float = PATIENCE_S) -> Iterator[None]:
    """Hold the lock file `path`; raises `StoreBusy`, naming the process that holds it, after `patience_s` seconds.

    `what` says in the message what the lock is for. The file is created when it is missing, and stays.
    """
    private_folder(path.parent)
    descriptor = _take(path, what, time.monotonic() + patience_s)
    _held.add(descriptor)
    try:
        with suppress(OSError):  # as of a full disk: the lock is held all the same, by a process that is not named
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, b"%d\n" % os.getpid(), 0)
        yield
    finally:
        if descriptor in _held:
            _held.discard(descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_UN)
            os.close(descriptor)


def is_locked(path: Path) -> bool:
    """Whether some process holds the lock file; never waits."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreError(f"the lock file {encode(path)} can't be read: {error.strerror}") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError as error:
        raise _no_lock(path, error) from error
    finally:
        os.close(descriptor)
    return False


def _take(path: Path, what: str, deadline: float) -> int:
    while True:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreError(f"the lock file {encode(path)} can't be opened: {error.strerror}") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_still(path, descriptor):
                return descriptor
        except OSError as error:
            if not isinstance(error, BlockingIOError):
                os.close(descriptor)
                raise _no_lock(path, error) from error
            if time.monotonic() >= deadline:
                holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
                os.close(descriptor)
                by = f"process {holder}" if holder.isdigit() else "another program"
                raise StoreBusy(
                    f"{what} is in use by {by}. Wait until it has ended, or stop it, then try again."
                ) from None
        os.close(descriptor)
        time.sleep(_PAUSE_S)


def _no_lock(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"the lock file {encode(path)} can't be locked: {error.strerror}. Some network file systems have no locks; "
        "name a folder on another one with TREADLE_HOME."
    )


def _is_still(path: Path, descriptor: int) -> bool:
    # Between opening and locking, the file may have been removed together with its session.
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
