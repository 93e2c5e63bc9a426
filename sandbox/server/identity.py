"""Who the jobs run as, and which namespaces they get."""

from __future__ import annotations

import contextlib
import errno
import functools
import operator
import os
import socket
from collections.abc import Iterable

from treadle.sandbox.server import kernel, procfs

NOBODY = 65534
# What a user namespace may take of the things that the kernel counts by user: they are the person's own as well, whose
# editor would have no inotify left. Namespaces are at nought, should the filter ever be missing (namespaces(7)).
_MOST = {
    "inotify_instances": 32,
    "inotify_watches": 8192,
    **{f"{name}_namespaces": 0 for name in ("user", "mnt", "net", "pid", "ipc", "uts", "cgroup", "time")},
}
# Settings that keep user namespaces from ordinary users: those of Ubuntu 24.04 and of Debian's older kernels.
_REFUSES = {"kernel.apparmor_restrict_unprivileged_userns": "1", "kernel.unprivileged_userns_clone": "0"}

NAMESPACES = {
    "mountns": kernel.CLONE_NEWNS,
    "netns": kernel.CLONE_NEWNET,
    "pidns": kernel.CLONE_NEWPID,
    "ipcns": kernel.CLONE_NEWIPC,
    "utsns": kernel.CLONE_NEWUTS,
}
"""The layers that are namespaces inside of the user namespace, and their flags for unshare(2)."""


def nobody_suffices(readable: Iterable[str]) -> bool:
    """Whether uid 65534 can open all of these; tried in a fork, since only the kernel knows."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            _become_nobody()
            code = 0 if all(os.access(p, os.R_OK | (os.X_OK if os.path.isdir(p) else 0)) for p in readable) else 1
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def _become_nobody() -> None:
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def leave_root() -> None:
    """Become uid 65534 for good: RLIMIT_NPROC does not hold for root, and root owns too much."""
    _become_nobody()
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # else /proc/self/uid_map would belong to root


def enter_namespaces(wanted: Iterable[str]) -> None:
    """A user namespace of our own with those of `NAMESPACES` in it (that of pids holds the caller's next child); the
    caller keeps its uid and gid there. Raises OSError with the kernel's reason when it does not allow them.

    Root's namespace knows every user that root's own knows, each under its own number: files of a project that belong
    to somebody else can then be laid over. Whoever is not root may only bring themselves (user_namespaces(7)).
    """
    user, group = os.geteuid(), os.getegid()
    names = set(wanted)
    flags = functools.reduce(operator.or_, (NAMESPACES[name] for name in names), kernel.CLONE_NEWUSER)
    if user != 0 or not _unshare_with_all_users(flags):
        if user != 0:
            kernel.unshare(flags)
        procfs.write("/proc/self/setgroups", "deny")
        procfs.write("/proc/self/uid_map", f"{user} {user} 1")
        procfs.write("/proc/self/gid_map", f"{group} {group} 1")
    if {"netns", "utsns"} <= names:
        socket.sethostname("treadle")  # the machine's own name is none of a job's business


def why_refused(error: OSError) -> str:
    """What keeps the user namespace from us, as far as this machine's settings tell it."""
    if error.errno == errno.ENOSPC:
        return "there may be no further user namespace (user.max_user_namespaces)"
    if error.errno == errno.ENOENT and not os.path.exists("/proc/self"):
        return "/proc is not mounted, and a user namespace is set up through it"
    for setting, refuses in _REFUSES.items():
        with contextlib.suppress(OSError):
            if procfs.read(f"/proc/sys/{setting.replace('.', '/')}").strip() == refuses:
                return f"user namespaces are for root alone here ({setting} is {refuses})"
    return f"the kernel, or the container around this process, refused a user namespace: {error.strerror}"


def cap_the_namespace(proc: str) -> None:
    """Bound what the user namespace may take of the person's, once all mounts are made: each of them is a namespace of
    its own for a moment (open_tree(2)). `proc` is where the machine's /proc is."""
    for name, most in _MOST.items():
        # In a container /proc/sys may be read-only.
        with contextlib.suppress(OSError):
            procfs.write(f"{proc}/sys/user/max_{name}", str(most))


def _unshare_with_all_users(flags: int) -> bool:
    """Enter the namespaces, and have a process that stays outside map every user and group; False when it may not."""
    maps = {name: _same_numbers(procfs.read(f"/proc/self/{name}")) for name in ("uid_map", "gid_map")}
    wait, go = os.pipe()
    mapper = os.fork()
    if mapper == 0:
        code = 1
        try:
            os.close(go)
            if os.read(wait, 1):
                procfs.write(f"/proc/{os.getppid()}/setgroups", "deny")
                for name, text in maps.items():
                    procfs.write(f"/proc/{os.getppid()}/{name}", text)
                code = 0
        finally:
            os._exit(code)
    os.close(wait)
    try:
        kernel.unshare(flags)
        os.write(go, b"1")
    finally:
        os.close(go)
        mapped = os.waitstatus_to_exitcode(os.waitpid(mapper, 0)[1]) == 0
    return mapped


def _same_numbers(own_map: str) -> str:
    """A map that gives each number which this namespace knows to itself."""
    ranges = (line.split() for line in own_map.splitlines())
    return "".join(f"{inside} {inside} {count}\n" for inside, _, count in ranges)
