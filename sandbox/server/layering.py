"""The server's own start: which layers this machine allows, entered in the order that each needs, and why others are
off."""

from __future__ import annotations

import os
import resource
import sys
from typing import Any

from treadle.sandbox.links import read_link, resolve
from treadle.sandbox.server import box, identity, kernel, landlock, procfs, view
from treadle.sandbox.server.confine import Confinement
from treadle.sandbox.server.syscall_numbers import AUDIT_ARCH

_LINUX = sys.platform == "linux"
_ASKED_OFF = "switched off for this run"
_NOT_LINUX = f"{os.uname().sysname} has no such layer; the rlimits are what holds here"


class LayerFailed(Exception):
    """A layer that seemed possible failed half-way; the server has to start again without it."""

    def __init__(self, layer: str, why: str) -> None:
        super().__init__(f"{layer}: {why}")
        self.layer = layer
        self.why = why


class Layers:
    """What is on, and for what is off the reason. `proc` is where the machine's /proc is, `readable` and `writable`
    are real paths as jobs see them, `overlay` and `job` are where they see the project and their own folder."""

    def __init__(self, *, network: bool) -> None:
        self.network = network
        self.on = {"session"}
        self.off: dict[str, str] = {}
        self.landlock_abi = 0
        self.machine = ""
        self.proc = "/proc"
        self.overlay: str | None = None
        self.job = ""
        self.readable: tuple[str, ...] = ()
        self.writable: tuple[str, ...] = ()

    def set(self, layer: str, why_not: str = "") -> bool:
        """Note a layer as on, or as off for a reason; True when it is on."""
        if why_not:
            self.off[layer] = why_not
            return False
        self.on.add(layer)
        return True

    @property
    def root(self) -> str:
        """What comes before a job's path to make it the server's."""
        return view.NEW if "mountns" in self.on else ""

    def lasting_rules(self) -> list[tuple[str, int]]:
        """The (path, rights) that every job gets, as the server sees the paths once the zygote has mounted /proc."""
        rules = [(self.root + path, landlock.READ) for path in self.readable]
        rules += [(self.root + path, landlock.WRITE) for path in self.writable]
        rules += [(f"{self.root}/dev/{name}", landlock.DEVICE) for name in ("null", "zero", "full")]
        rules += [(f"{self.root}/dev/{name}", landlock.READ) for name in ("random", "urandom")]
        if self.root:
            rules.append((f"{self.root}/proc", landlock.READ))
        return rules

    def own_rules(self, home: str) -> list[tuple[str, int]]:
        """The (path, rights) over what is mounted or made for one job alone; `home` is its folder."""
        rules = [(home, landlock.WRITE)]
        if self.root:
            rules.append((f"{self.root}/dev/shm", landlock.WRITE))
            if self.overlay:
                rules.append((self.root + self.overlay, landlock.WRITE))
        return rules

    def confinement(self, parent: str) -> Confinement:
        """What the zygote enters: all that any job may get, since a job can only give up more."""
        rules = [(view.NEW, landlock.WRITE)] if self.root else self.lasting_rules() + self.own_rules(parent)
        return Confinement(
            new_root=bool(self.root),
            pid_namespace="pidns" in self.on,
            capabilities="userns" in self.on or os.geteuid() == 0,
            landlock_abi=self.landlock_abi,
            rules=tuple(rules),
            machine=self.machine,
            network=self.network,
        )


def enter(config: dict[str, Any]) -> Layers:
    """Enter the layers that belong to the server, and find out about those that come later. Raises LayerFailed, and
    `LeadsElsewhere`, for which there is no doing without a layer."""
    without = {layer: config["without"].get(layer, "") or _ASKED_OFF for layer in config["without"]}
    layers = Layers(network=config["network"] == "host")
    layers.set("rlimits", without.get("rlimits", ""))
    layers.set("no_new_privs", "" if _LINUX else _NOT_LINUX)
    _find_landlock(layers, without)
    _find_seccomp(layers, without)
    _leave_root(layers, config, without)
    _enter_namespaces(layers, config, without)
    layers.set("memory", without.get("memory", "") or _why_no_meter(layers))
    return layers


def _why_no_meter(layers: Layers) -> str:
    if not _LINUX:
        return _NOT_LINUX
    readable = os.path.exists(f"{layers.proc}/self/task/{os.getpid()}/children")
    return "" if readable else "/proc is not there, or does not name the children of a process"


def _find_landlock(layers: Layers, without: dict[str, str]) -> None:
    why = without.get("landlock", "") or ("" if _LINUX else _NOT_LINUX)
    abi = 0 if why else landlock.abi()
    if not why and not abi:
        why = "this kernel has no Landlock, or it is missing from its lsm= list"
    if layers.set("landlock", why):
        layers.landlock_abi = abi


def _find_seccomp(layers: Layers, without: dict[str, str]) -> None:
    machine = os.uname().machine
    why = without.get("seccomp", "") or ("" if _LINUX else _NOT_LINUX)
    if not why and (machine not in AUDIT_ARCH or sys.maxsize < 2**32):
        why = f"no table of system calls for {machine} yet"
    if layers.set("seccomp", why):
        layers.machine = machine


def _leave_root(layers: Layers, config: dict[str, Any], without: dict[str, str]) -> None:
    if not _LINUX or os.geteuid() != 0:
        return
    if "nobody" in without:
        layers.off["nobody"] = without["nobody"]
    elif config["overlay"] or config["writable"] or config["upper"] or config["parent"]:
        layers.off["nobody"] = "the job must be able to write files of root"
    elif not identity.nobody_suffices([path for path in config["readable"] if os.path.exists(path)]):
        layers.off["nobody"] = "uid 65534 can't read what the job needs"
    else:
        identity.leave_root()
        layers.on.add("nobody")


def _enter_namespaces(layers: Layers, config: dict[str, Any], without: dict[str, str]) -> None:
    why = without.get("userns", "") or ("" if _LINUX else _NOT_LINUX)
    kept_out = {"netns": "the policy allows the host's network"} if config["network"] == "host" else {}
    needs = "it needs `userns`" if why and _LINUX else why
    why_not = {name: needs or without.get(name, "") or kept_out.get(name, "") for name in identity.NAMESPACES}
    if not why:
        try:
            identity.enter_namespaces(name for name, reason in why_not.items() if not reason)
        except OSError as error:
            raise LayerFailed("userns", identity.why_refused(error)) from error
    layers.set("userns", why)
    for name, reason in why_not.items():
        layers.set(name, reason)
    if "mountns" in layers.on:
        try:
            _build_view(layers, config)
        except OSError as error:
            raise LayerFailed("mountns", f"{error.filename or 'mount'}: {error.strerror or error}") from error
    else:
        exact = frozenset(config["exact"])
        layers.readable = _real_paths(config["readable"], exact)
        layers.writable = _real_paths(config["writable"], exact)
    if "userns" in layers.on:
        identity.cap_the_namespace(layers.proc)
    layers.set("overlay", without.get("overlay", "") or _why_no_overlay(layers))


def _why_no_overlay(layers: Layers) -> str:
    if not layers.root:
        return "it needs `mountns`"
    try:
        box.try_overlay()
    except OSError as error:
        return f"the kernel refused the mount: {error.strerror}"
    return ""


def _real_paths(paths: list[str], exact: frozenset[str]) -> tuple[str, ...]:
    return view.outermost(
        view.real_path(path, exact, read_link) if path in exact else os.path.realpath(path) for path in paths
    )


def _build_view(layers: Layers, config: dict[str, Any]) -> None:
    view.enter_base()
    layers.proc = view.OLD + "/proc"
    readable = [*config["readable"]]
    if config["overlay"]:
        real = resolve(config["overlay"], view.read_host_link)[0]
        kernel.bind(view.OLD + real, view.LOWER)
        layers.overlay = real
        readable.append(config["overlay"])
    layers.job, layers.readable, layers.writable = view.build(
        view.Wanted(
            readable=tuple(readable),
            writable=tuple(config["writable"]),
            exact=frozenset(config["exact"]),
            aliases=tuple((name, target) for name, target in config["aliases"]),
            folders=tuple(config["folders"]),
        )
    )


def process_limit_counts_all(layers: Layers) -> bool:
    """Whether RLIMIT_NPROC counts what else this uid runs: always without a user namespace, and before Linux 5.14."""
    release = tuple(int(part) for part in os.uname().release.split("-")[0].split(".")[:2] if part.isdigit())
    return "userns" not in layers.on or release < (5, 14)


def protect_from_oom(pid: int, proc: str) -> None:
    """Let the kernel take the jobs first when memory runs out, and never hold the server for it."""
    if _LINUX:
        try:
            procfs.write(f"{proc}/{pid}/oom_score_adj", "900")
        except OSError:
            return


def undo_soft_limits() -> None:
    """A harness with a low soft limit of open files must not lower what jobs may ask for."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
