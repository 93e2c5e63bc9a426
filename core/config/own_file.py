"""A file that the program owns: written whole or not at all, by one program at a time."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from treadle.core.errors import ConfigError


def rewrite(path: Path, content: Callable[[], bytes]) -> None:
    """Put what `content` makes of the file as it is in its place, in one step; whoever else does so meanwhile waits.
    Raises `ConfigError` when it can't be written, and what `content` raises."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path.parent):
            _replace(path, content())
    except OSError as error:
        raise ConfigError(f"{path}: can't be written ({error.strerror}); mend the permissions of its folder") from None


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold a lock on the folder itself, so that no lock file is left in a project."""
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _replace(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # Whoever may read it is the person's to say; a new one is theirs alone, as it was made.
        with contextlib.suppress(FileNotFoundError):
            Path(name).chmod(stat.S_IMODE(path.stat().st_mode))
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)  # it is there only when it could not be put in place
