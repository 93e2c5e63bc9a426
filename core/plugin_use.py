"""How plugins were used in a project's sessions, read from the event log.

It joins what `plugin_host` and `store` know: neither of the two knows the other.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from treadle.core.events import Event
from treadle.core.forks import without_copies
from treadle.core.plugin_host.plugin_manager import PluginInfo
from treadle.core.store.store import Store


def with_use(infos: Iterable[PluginInfo], store: Store) -> tuple[PluginInfo, ...]:
    """The plugins with the calls and faults of all sessions that are kept, and the times of the latest in which each
    was called."""
    used = _used(without_copies(store.events_of(("session.created", "plugins.called"))))
    return tuple(msgspec.structs.replace(info, **used.get(info.name, {})) for info in infos)


def _used(events: Iterable[Event]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for event in sorted(events, key=lambda each: each.time):
        for plugin, use in event.data.get("plugins", {}).items():
            before = found.get(plugin, {"calls": 0, "faults": 0})
            sums = {name: before[name] + use[name] for name in ("calls", "faults")}
            found[plugin] = sums | {name: use[name] for name in ("p50_ms", "p95_ms")}
    return found
