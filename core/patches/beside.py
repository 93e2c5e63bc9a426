"""What a patch makes in the project: a file beside the one that it will replace, and folders.

Mode, owner and attributes are set on what was opened, never by its name: who may write in the project could put a link
there meanwhile, and have somebody else's file changed.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from treadle.core.patches.journal import write_durably

_MODEL = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def write_beside(temporary: Path, content: bytes, place: Path, mode: int | None) -> None:
    """Write a file that is not there yet, with owner, extended attributes and permission bits (None: as the umask has
    them) of the one at `place`, which it will replace; where there is none, with the folder's owner. Raises `OSError`,
    which names the file."""
    write_durably(temporary, content, new=lambda file: _dress(file, place, mode))


def make_folder(place: Path) -> None:
    """Make a folder that belongs to whom the folder around it belongs to. Raises `OSError`."""
    place.mkdir()
    if os.geteuid() != 0:
        return
    owner = place.parent.stat()
    made = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        os.fchown(made, owner.st_uid, owner.st_gid)
    finally:
        os.close(made)


def _dress(file: int, place: Path, mode: int | None) -> None:
    try:
        model = os.open(place, _MODEL)
    except FileNotFoundError:
        _give_to(file, place.parent.stat())
    else:
        try:
            facts = os.fstat(model)
            if not stat.S_ISREG(facts.st_mode):
                raise OSError(errno.EINVAL, "it is no regular file any more", str(place))
            _give_to(file, facts)
            _copy_attributes(model, file)
        finally:
            os.close(model)
    if mode is not None:
        os.fchmod(file, mode)


def _give_to(file: int, owner: os.stat_result) -> None:
    mine = os.fstat(file)
    if (owner.st_uid, owner.st_gid) != (mine.st_uid, mine.st_gid) and os.geteuid() == 0:
        os.fchown(file, owner.st_uid, owner.st_gid)


def _copy_attributes(source: int, target: int) -> None:
    """Extended attributes (ACLs among them), as far as the file system has them and lets this user set them."""
    try:
        for name in os.listxattr(source):
            os.setxattr(target, name, os.getxattr(source, name))
    except OSError as error:
        if error.errno not in (errno.ENOTSUP, errno.EPERM, errno.EACCES):
            raise
