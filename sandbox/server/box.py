"""What each job gets afresh: a private folder, its own /dev/shm and an overlay over the project, all on one tmpfs whose
size and number of files are capped. Unmounting it is the clean-up."""

from __future__ import annotations

import os
import socket
import stat
from typing import NamedTuple

from treadle.sandbox.server import kernel, view

_BYTES_PER_FILE = 2048  # a cap on inodes too: many empty files would fill the memory without filling the disk
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_UPPER, _WORK, _HOME, _SHM = "upper", "work", "home", "shm"


class Box(NamedTuple):
    """`home` is the job's folder as the server reaches it, `shown` as the job sees it; `mounts` in order. Where there
    are none, `held` is a descriptor of the folder: under its name a job may have put something else."""

    home: str
    shown: str
    mounts: tuple[str, ...] = ()
    held: int | None = None

    @property
    def root(self) -> str | int:
        """The job's folder for those who read and write in it."""
        return self.home if self.held is None else self.held

    def is_full(self) -> bool:
        """Whether the job used up its disk or its files."""
        if not self.mounts:
            return False
        usage = os.statvfs(view.BOX)
        nearly = min(65536, usage.f_blocks * usage.f_bsize // 16)
        return usage.f_bfree * usage.f_bsize <= nearly or usage.f_ffree < 2


def environment(shown: str) -> dict[str, str]:
    """The variables by which a job finds its folder."""
    return dict.fromkeys(("HOME", "TMPDIR", "TREADLE_JOB"), shown)


def _escaped(path: str) -> str:
    """A path inside the option string of mount(2), which a comma would end."""
    return path.replace("\\", "\\\\").replace(",", "\\,")


def mounted(disk: int, job: str, overlay: str | None, kept_upper: str | None) -> Box:
    """A box of mounts. `job` and `overlay`: where in the view its folder and the project are; `kept_upper`: the host's
    folder that takes the writes, with a folder NAME.work beside it (None: they go with the box). Raises OSError."""
    mounts: list[str] = []
    try:
        files = max(64, disk // _BYTES_PER_FILE)
        options = f"size={disk},nr_inodes={files},mode=0755"
        kernel.mount("tmpfs", view.BOX, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, options)
        mounts.append(view.BOX)
        for name in (_HOME, _SHM) if overlay is None or kept_upper else (_HOME, _SHM, _UPPER, _WORK):
            os.mkdir(f"{view.BOX}/{name}", 0o700)
        for name, place in ((_HOME, job), (_SHM, "/dev/shm")):
            kernel.mount(f"{view.BOX}/{name}", view.NEW + place, None, kernel.MS_BIND)
            mounts.append(view.NEW + place)
        if overlay is not None:
            upper = view.OLD + kept_upper if kept_upper else f"{view.BOX}/{_UPPER}"
            work = upper + ".work" if kept_upper else f"{view.BOX}/{_WORK}"
            options = f"lowerdir={view.LOWER},upperdir={_escaped(upper)},workdir={_escaped(work)},userxattr"
            kernel.mount("overlay", view.NEW + overlay, "overlay", kernel.MS_NOSUID | kernel.MS_NODEV, options)
            mounts.append(view.NEW + overlay)
    except OSError:
        _unmount(mounts)
        raise
    return Box(view.NEW + job, job, tuple(mounts))


def try_overlay() -> None:
    """Mount one over the project's folder, and take it away again. Raises OSError with the kernel's reason."""
    kernel.mount("tmpfs", view.BOX, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=1m,mode=0755")
    try:
        for name in (_UPPER, _WORK, _HOME):
            os.mkdir(f"{view.BOX}/{name}")
        options = f"lowerdir={view.LOWER},upperdir={view.BOX}/{_UPPER},workdir={view.BOX}/{_WORK},userxattr"
        kernel.mount("overlay", f"{view.BOX}/{_HOME}", "overlay", 0, options)
        kernel.unmount(f"{view.BOX}/{_HOME}")
    finally:
        kernel.unmount(view.BOX)


def plain(parent: str) -> Box:
    """Without mounts: an ordinary folder below one that the harness made. Raises OSError, also when an earlier job has
    put a link in that one's place (nothing but Landlock keeps it from doing so here)."""
    name = f"job-{os.urandom(8).hex()}"
    holder = os.open(parent, _FOLDER)
    try:
        os.mkdir(name, 0o700, dir_fd=holder)
        held = os.open(name, _FOLDER, dir_fd=holder)
    finally:
        os.close(holder)
    return Box(f"{parent}/{name}", f"{parent}/{name}", held=held)


def _unmount(mounts: list[str] | tuple[str, ...]) -> None:
    for place in reversed(mounts):
        kernel.unmount(place)


def discard(box: Box) -> None:
    """Everything that the job wrote in its own folder is gone after this; a folder that it moved away is left there."""
    if box.held is None:
        _unmount(box.mounts)
    else:
        is_still_there = _is(box.home, box.held)
        os.close(box.held)
        if is_still_there:
            remove(box.home)
    _end_what_is_in_flight()


def _end_what_is_in_flight() -> None:
    """Have the kernel look for sockets that were sent over themselves. Nobody holds them, nor a file that was sent
    beside them, whose memory stays taken until then; it looks when some unix socket is closed."""
    for end in socket.socketpair():
        end.close()


def _is(name: str, held: int) -> bool:
    try:
        return os.path.samestat(os.lstat(name), os.fstat(held))
    except OSError:
        return False


def remove(folder: str) -> None:
    """Remove a folder into which a job may have written, or the link that it put there, which is not followed."""
    # A job can nest folders deeper than Python's own walks go, and make them unreadable; both programs cope. But chmod
    # follows the name that it is given.
    unlock = [["/bin/chmod", "-R", "u+rwx", folder]] if _is_folder(folder) else []
    for command in (*unlock, ["/bin/rm", "-rf", "--", folder]):
        null = os.open(os.devnull, os.O_WRONLY)
        quiet = [(os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
        pid = os.posix_spawn(command[0], command, {}, file_actions=quiet)
        os.close(null)
        os.waitpid(pid, 0)


def _is_folder(name: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(name).st_mode)
    except OSError:
        return False
