"""Whom a trace is of, and what of the plugins it still has to tell."""

from __future__ import annotations

from collections.abc import Iterator

from treadle.core.config.settings import plugin_name
from treadle.core.errors import UsageError
from treadle.core.hook_types import hook_types
from treadle.core.nearest import did_you_mean
from treadle.core.plugin_host.plugin_manager import PluginManager
from treadle.core.plugin_host.tracing import Asked

Order = dict[str, tuple[Asked, ...]]
"""The plugins that are asked for each hook, in their order."""

_OF_ONE = frozenset({"treadle_settings", "treadle_contributions", "treadle_call"})  # it is always known of whom


class Wanted:
    """The plugins that are traced: those of these names, all when there are none."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = tuple(dict.fromkeys(map(plugin_name, names)))

    def __contains__(self, plugin: str) -> bool:
        return not self.names or plugin in self.names

    def order(self, plugins: PluginManager) -> Order:
        """Who is asked, for each hook that one of these answers."""
        orders = {hook: plugins.order(hook) for hook in hook_types() if hook not in _OF_ONE}
        return {hook: order for hook, order in orders.items() if any(each.plugin in self for each in order)}

    def notices(self, plugins: PluginManager) -> Iterator[str]:
        """Why some of these will not be called. Raises `UsageError` for a name that is no plugin's."""
        for name in (name for name in self.names if not plugins.isolation_of(name)):
            infos = {each.name: each for each in plugins.plugins()}
            info = infos.get(name)
            if info is None or info.state == "missing":
                near = did_you_mean(name, infos)
                raise UsageError(f"there is no plugin {name!r} to trace; {near}`treadle plugins` lists them")
            yield f"{name} will not be called: it is {info.state}{f' ({info.why})' if info.why else ''}"


class Untold:
    """Who is asked for each hook, as far as it has not been told. A command may open its project twice."""

    def __init__(self) -> None:
        self._order: Order = {}
        self._told: set[str] = set()

    def add(self, order: Order) -> None:
        """Remember an order."""
        self._order |= order

    def take(self, hook: str) -> tuple[Asked, ...]:
        """Who is asked for it; nobody when that is told already, or nobody that is traced."""
        return () if self.is_told(hook) else self._order.get(hook, ())

    def is_told(self, what: str) -> bool:
        """Whether this was asked before."""
        known = what in self._told
        self._told.add(what)
        return known
