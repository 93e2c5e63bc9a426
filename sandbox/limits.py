"""What a job may use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

Tier = Literal["quick", "standard", "heavy"]

_MB = 1 << 20
LEAST_MEMORY = 4 * _MB
"""Below this not even a shell starts."""
MOST = 1 << 53
"""A larger number is no bound any more."""
MOST_SECONDS = 604_800.0
"""A week; the kernel's own timeouts end after 24 days (poll(2) counts milliseconds in 31 bits)."""


@dataclass(frozen=True)
class Limits:
    """Seconds and bytes. `memory` bounds each process (RLIMIT_DATA, hard) and the whole tree (a meter that looks every
    25 ms); `processes` all processes, each counted as often as it has threads; `disk` all that the job writes where it
    sees mounts of its own; `output` both streams together, of which the first and last `keep` bytes of each are brought
    back."""

    cpu_s: float = 240.0
    wall_s: float = 120.0
    memory: int = 2048 * _MB
    processes: int = 256
    open_files: int = 1024
    file_size: int = 512 * _MB
    disk: int = 1024 * _MB
    output: int = 32 * _MB
    keep: int = 32 * 1024

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            seconds = name.endswith("_s")
            least = 0.001 if seconds else LEAST_MEMORY if name == "memory" else 0 if name == "keep" else 1
            most = MOST_SECONDS if seconds else MOST
            if not seconds and type(value) is not int:
                raise ValueError(f"the limit {name} is {value!r}; it must be a whole number")
            if not least <= value <= most:
                raise ValueError(f"the limit {name} is {value}; it must lie between {least} and {most}")

    @staticmethod
    def tier(name: Tier, **overrides: Any) -> Limits:
        """The limits of a tier, some of them overridden: quick (1 core, 512 MB, 30 s), standard (2, 2 GB, 120 s), heavy
        (4, 8 GB, 600 s). Cores bound the processor time of the whole tree: cores times seconds. Raises ValueError
        for a name that is no tier, TypeError for one that is no limit."""
        if name not in _TIERS:
            raise ValueError(f"no tier is called {name!r}; there are {', '.join(_TIERS)}")
        return replace(_TIERS[name], **overrides)


_TIERS: dict[str, Limits] = {
    "quick": Limits(30.0, 30.0, 512 * _MB, 64, 256, 64 * _MB, 128 * _MB, 8 * _MB),
    "standard": Limits(),
    "heavy": Limits(2400.0, 600.0, 8192 * _MB, 1024, 4096, 2048 * _MB, 4096 * _MB, 64 * _MB),
}
