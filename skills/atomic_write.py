"""Write a whole file so that a reader, and a crash at any moment, finds the old content or the new, never a mixture.

The new content goes to a file beside the target, reaches the disk (`fsync`), takes the target's name (`rename(2)`), and
then the folder reaches the disk, so that the new name survives a power loss as well.

A target that is a symbolic link is followed, as `open(path, "w")` does: the link stays and the file that it names is
replaced. Hard links are parted (other names keep the old content); ACLs and extended attributes are not carried over.

Thread safety: safe; of several writers the last rename wins, and no reader sees a mixture. POSIX only.

Words: atomic, write, file, replace, rename, fsync, durable, crash, save.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from pathlib import Path

__all__ = ["atomic_write"]


def atomic_write(path: str | os.PathLike[str], data: bytes | str, *, mode: int | None = None) -> None:
    """Make `data` the content of the file; text is encoded as UTF-8 with its line ends as they are.

    The permissions are `mode` when given, else those of the file that is replaced (without set-user-id, set-group-id
    and sticky bits), else those of any new file (0o666 less the umask). The owner is kept where the caller may set it.

    Raises `OSError` when the file cannot be written: the target is then as it was, and nothing is left beside it. The
    one exception is an error while the folder is synced: the new content is in place, but may not outlive a crash.
    `OSError` with `EINVAL` also when the target is a device, a pipe or a socket; `IsADirectoryError` for a folder;
    `UnicodeEncodeError` for text that UTF-8 cannot hold, before anything is touched.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = pathlib.Path(folder, "settings.toml")
    ...     atomic_write(target, "colour = true\\n")
    ...     atomic_write(target, "colour = false\\n")
    ...     target.read_text(), os.listdir(folder)
    ('colour = false\\n', ['settings.toml'])
    """
    content = data.encode("utf-8") if isinstance(data, str) else data
    # Not Path.resolve, which raises RuntimeError for a circle of links before Python 3.13.
    target = Path(os.path.realpath(path))
    old = _replaceable(target)
    if mode is None and old is not None:
        mode = old.st_mode & 0o777

    # Never more open than the final mode, not even for a moment: the umask can only take bits away.
    temporary, descriptor = _create_beside(target, 0o666 if mode is None else mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if old is not None and (old.st_uid, old.st_gid) != _owner(descriptor):
                with contextlib.suppress(PermissionError):
                    os.fchown(descriptor, old.st_uid, old.st_gid)
            if mode is not None:
                os.fchmod(descriptor, mode)
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _replaceable(target: Path) -> os.stat_result | None:
    """What lies at the target, None for nothing. Raises when it is something that must not become a plain file."""
    try:
        found = target.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "not a regular file, so it is not replaced", str(target))
    return found


def _create_beside(target: Path, mode: int) -> tuple[Path, int]:
    """A new file of our own. Its name does not grow with the target's, which may be as long as names can be."""
    while True:
        name = target.with_name(f".atomic-{secrets.token_hex(8)}")
        with contextlib.suppress(FileExistsError):
            return name, os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)


def _owner(descriptor: int) -> tuple[int, int]:
    found = os.fstat(descriptor)
    return found.st_uid, found.st_gid


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some network and FUSE file systems cannot sync a folder and say so in this way.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)
