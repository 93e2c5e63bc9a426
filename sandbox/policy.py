"""What a job may see and touch."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

# What programs need to start at all. None of it holds anything of the person's.
SYSTEM_PATHS = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/localtime",
)
# What name lookups and TLS need besides, when the network is allowed.
NETWORK_PATHS = (
    "/etc/ca-certificates",
    "/etc/gai.conf",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/pki",
    "/etc/resolv.conf",
    "/etc/services",
    "/etc/ssl",
)
LAYERS = (
    "session",
    "rlimits",
    "no_new_privs",
    "landlock",
    "seccomp",
    "userns",
    "mountns",
    "overlay",
    "netns",
    "pidns",
    "ipcns",
    "utsns",
    "memory",
    "nobody",
)

_ALWAYS_ON = frozenset({"session", "no_new_privs"})


@dataclass(frozen=True)
class Overlay:
    """The job sees the folder `lower` at its own path and can write in it, but `lower` itself never changes. The writes
    go to the folder `upper` (a folder named UPPER.work beside it is the kernel's), or, when it is None, to memory
    within `Limits.disk`, and are gone with the job."""

    lower: str
    upper: str | None = None


@dataclass(frozen=True)
class Policy:
    """`read` and `write` are absolute paths besides the system's own and the interpreter's; a path that does not exist
    is passed over. Those of them that `exact` repeats are real ones: a run is refused where one is a link by then, or
    leads through one. `aliases` are pairs (name, path): a job can call the path by that name too, where the view has
    nothing else there. `network`: none at all, or the host's, by IP (no unix sockets). A run is refused when a layer of
    `require` is not on. `without` switches layers off: for tests, and for a person who says so."""

    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    exact: frozenset[str] = frozenset()
    aliases: tuple[tuple[str, str], ...] = ()
    overlay: Overlay | None = None
    network: Literal["none", "host"] = "none"
    require: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for name in ("read", "write", "exact", "aliases", "require", "without"):
            given = getattr(self, name)
            if isinstance(given, str):
                raise TypeError(f"{name} is a collection of texts, not the text {given!r}; write ({given!r},)")
            kind = frozenset if name in ("exact", "require", "without") else tuple
            object.__setattr__(self, name, kind(given))  # a list equals no tuple, and servers are found by that
        paths = [*self.read, *self.write, *self.exact]
        paths += [path for pair in self.aliases for path in pair]
        if self.overlay is not None and not isinstance(self.overlay, Overlay):
            raise TypeError(f"overlay is an Overlay, not {self.overlay!r}; write Overlay({self.overlay!r})")
        if self.overlay:
            paths += [self.overlay.lower, self.overlay.upper or "/"]
        for path in paths:
            if not isinstance(path, str):
                raise TypeError(f"a policy names paths as text, not {path!r}; write str(path)")
            if not os.path.isabs(path) or "\0" in path:
                raise ValueError(f"a policy names absolute paths only, not {path!r}")
        for layer in self.require | self.without:
            if layer not in LAYERS:
                raise ValueError(f"no layer is called {layer!r}; there are {', '.join(LAYERS)}")
        for layer in self.without & _ALWAYS_ON:
            raise ValueError(f"the layer {layer!r} can't be switched off")
        if self.network not in ("none", "host"):
            raise ValueError(f"the network is 'none' or 'host', not {self.network!r}")

    def readable(self, program_paths: Sequence[str] = ()) -> tuple[str, ...]:
        """All that a job under this policy may read, besides its own folder and the overlay."""
        network = NETWORK_PATHS if self.network == "host" else ()
        return tuple(dict.fromkeys((*SYSTEM_PATHS, *network, *program_paths, *self.read)))
