"""The layers that hold from the zygote on down: entered between its fork and its first own instruction."""

from __future__ import annotations

import os
import signal
from typing import NamedTuple

from treadle.sandbox.server import kernel, landlock, seccomp, view

# Only its own processes are shown, and nothing of the machine (proc(5): hidepid, subset).
_PROC_OPTIONS = "hidepid=ptraceable,subset=pid"


class Confinement(NamedTuple):
    """What to enter. `capabilities`: whether there are any to drop. `landlock_abi` 0 and `machine` "" leave those out;
    `rules` are (path, rights) as the server sees the paths."""

    new_root: bool
    pid_namespace: bool
    capabilities: bool
    landlock_abi: int
    rules: tuple[tuple[str, int], ...]
    machine: str
    network: bool


def enter(confinement: Confinement) -> None:
    """Enter all of it, in the order in which each still allows the next. Raises OSError."""
    ruleset = -1
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    if confinement.landlock_abi:
        rules = landlock.hold_all(confinement.rules, confinement.landlock_abi)
        ruleset = landlock.build(confinement.landlock_abi, rules, tcp=not confinement.network)
    if confinement.new_root:
        if confinement.pid_namespace:
            _mount_proc()
        os.chroot(view.NEW)
        os.chdir("/")
    if confinement.capabilities:
        kernel.drop_capabilities()
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    if ruleset >= 0:
        landlock.restrict_self(ruleset)
        os.close(ruleset)
    if confinement.machine:
        pretend = not confinement.new_root
        seccomp.enforce(seccomp.program(confinement.machine, network=confinement.network, pretend=pretend))


def _mount_proc() -> None:
    """A /proc of this pid namespace. Where the machine's own is partly hidden (containers) the kernel refuses it; jobs
    then have none."""
    flags = kernel.MS_RDONLY | kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
    try:
        kernel.mount("proc", view.NEW + "/proc", "proc", flags, _PROC_OPTIONS)
    except OSError:
        return


def signals_are_scoped(outsider: int) -> bool:
    """Whether Landlock keeps this process from a process of the same uid outside: only then is kill(-1) safe. A domain
    is never left, so looking once is enough."""
    try:
        os.kill(outsider, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return False
