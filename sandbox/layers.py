"""Which layers hold on this machine: tried, not guessed."""

from __future__ import annotations

import functools
import os
import sys
from dataclasses import dataclass

from treadle.sandbox.policy import Policy
from treadle.sandbox.server_process import ServerDied, ServerProcess, Setup, start


@dataclass(frozen=True)
class Layer:
    """One layer. `why` says what makes it on, or what keeps it off; `meaning` what is lost without it."""

    name: str
    on: bool
    why: str
    meaning: str
    how_to_switch_on: str


# name: (what it does, what is lost without it, how to switch it on)
_KNOWN = {
    "session": (
        "each job has a session and a process group of its own",
        "a job could send signals to the terminal's other programs",
        "it belongs to every Unix",
    ),
    "rlimits": (
        "each process has hard limits of memory, processor time, open files and file size",
        "a job can use up the machine",
        "they belong to every Unix; remove `rlimits` from the layers that are left out",
    ),
    "no_new_privs": ("no program gains privileges by setuid", "setuid programs keep their power", "needs Linux 3.5"),
    "landlock": (
        "files, TCP, signals and abstract sockets outside are refused by the kernel",
        "only the mount namespace keeps files of the person from a job",
        "Linux 5.13 or newer with landlock in `lsm=` (see /sys/kernel/security/lsm)",
    ),
    "seccomp": (
        "sockets, ptrace, keyrings, bpf, io_uring and other dangerous calls are refused",
        "more of the kernel can be attacked",
        "a kernel with CONFIG_SECCOMP_FILTER on x86-64 or aarch64",
    ),
    "userns": (
        "jobs have a user namespace, and no capability in it",
        "there is no private view of files, processes and network, and none of the layers that need it",
        (
            "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu 24.04), "
            "kernel.unprivileged_userns_clone=1 (older Debian), user.max_user_namespaces above 0; in a container, a "
            "seccomp profile that allows unshare; WSL 1 has none: use WSL 2"
        ),
    ),
    "mountns": (
        "jobs see only what the policy names, read-only",
        (
            "paths outside can be seen by stat, the disk limit does not hold, and chmod and utime do nothing in a job "
            "while they say that they did: what gcc, or an installer, makes executable there can't be run"
        ),
        "needs `userns`, and Linux 5.12; a container may forbid mounts: --security-opt apparmor=unconfined",
    ),
    "overlay": (
        "jobs see the project at its own path and can't change it",
        "Treadle works in a copy of the project",
        "needs `mountns`, and Linux 5.11",
    ),
    "nobody": (
        "root's jobs run as uid 65534, but where they must write files of root",
        "jobs run as root, without its capabilities",
        "let uid 65534 read what the job needs, or start Treadle as an ordinary user",
    ),
    "netns": ("jobs have no network", "only seccomp and Landlock keep jobs from the network", "needs `userns`"),
    "pidns": (
        "every process of a job is killed at once, whatever it does",
        "processes are found by walking /proc",
        "needs `userns`",
    ),
    "ipcns": (
        "jobs have no System V shared memory, semaphores or message queues but their own",
        "only seccomp keeps jobs from those of other programs",
        "needs `userns`",
    ),
    "utsns": ("jobs can't change the machine's name", "only missing privileges keep jobs from it", "needs `userns`"),
    "memory": (
        "the memory and processor time of the whole tree is looked at every 25 ms",
        "only each process by itself is limited",
        "needs /proc with CONFIG_PROC_CHILDREN",
    ),
}


_NEED_PROC = ("userns", "memory")


def layers(policy: Policy | None = None) -> tuple[Layer, ...]:
    """Every layer, as it turned out when a server was started just now under the policy."""
    policy = policy or Policy()
    try:
        server = start(Setup(policy=policy, readable=policy.readable()))
    except ServerDied as error:
        return tuple(Layer(name, False, str(error), *_KNOWN[name][1:]) for name in _of_this_user())
    try:
        return tuple(_layer(name, server) for name in _of_this_user())
    finally:
        server.close()


def _of_this_user() -> list[str]:
    """The names of the layers that there can be: whoever is not root has no need of `nobody`."""
    return [name for name in _KNOWN if name != "nobody" or (sys.platform == "linux" and os.geteuid() == 0)]


def _layer(name: str, server: ServerProcess) -> Layer:
    does, lost, how = _KNOWN[name]
    if name in server.layers:
        version = f" (ABI {server.abi})" if name == "landlock" else ""
        return Layer(name, True, does + version, lost, how)
    why = server.off.get(name, "")
    if sys.platform != "linux" and name not in ("session", "rlimits"):
        how = "there is nothing to switch on: run Treadle in a Linux machine or container for it"
    elif name in _NEED_PROC and not os.path.exists("/proc/self"):
        how = "mount -t proc proc /proc"
    return Layer(name, False, why, lost, how)


@functools.cache
def has_layer(name: str) -> bool:
    """Whether a layer holds on this machine, looked up once in the life of this process."""
    return any(layer.name == name and layer.on for layer in layers())
