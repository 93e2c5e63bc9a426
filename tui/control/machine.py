"""How busy the machine is: processor, memory, and the disk of the project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ALERT_PERCENT = 90.0


@dataclass(frozen=True)
class Load:
    """Percent in use, each from 0 to 100."""

    cpu: float
    memory: float
    disk: float

    def told(self) -> str:
        """In a few words what there is room left of; the rest are `alerts`."""
        named = (("cpu", self.cpu), ("mem", self.memory), ("disk", self.disk))
        return " · ".join(f"{name} {percent:.0f} %" for name, percent in named if percent < ALERT_PERCENT)

    def alerts(self) -> tuple[str, ...]:
        """What is nearly used up."""
        named = (("cpu", self.cpu), ("memory", self.memory), ("disk", self.disk))
        return tuple(f"{name} {percent:.0f} %" for name, percent in named if percent >= ALERT_PERCENT)


def load_now(folder: Path) -> Load:
    """The load since the last call (of the processor), and now. Zeros for what the system does not tell."""
    import psutil  # with the first look, which is after the first paint

    def told(ask: Callable[[], float]) -> float:
        try:
            return float(ask())
        except (OSError, RuntimeError, AttributeError):
            return 0.0

    return Load(
        cpu=told(psutil.cpu_percent),
        memory=told(lambda: psutil.virtual_memory().percent),
        disk=told(lambda: psutil.disk_usage(str(folder)).percent),
    )
