"""The part of a context by which a plugin runs what plugins bring: the same within a session and outside of one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import msgspec

from treadle.core import reach
from treadle.core.contributions import Contribution
from treadle.core.errors import NoPlugin, PluginFault, UsageError
from treadle.core.plugin_host.brought import Brought

MOST_DEEP = 8
"""Contributions that may wait for each other: one that calls itself for ever is stopped here."""


@dataclass(frozen=True, kw_only=True)
class ContributionCalls(ABC):
    """`plugin` is who holds this copy of the context, `apart` whether from a process of its own; `waiting` are those
    whose calls wait for the one that holds it, the first of them first."""

    plugin: str = ""
    apart: bool = False
    waiting: tuple[str, ...] = ()

    @abstractmethod
    def brought(self) -> Brought:
        """What the plugins bring. Raises when the context is of no use any more."""

    def for_plugin(self, name: str, *, apart: bool = False) -> Self:
        """The same context, in the name of that plugin."""
        return replace(self, plugin=name, apart=apart)

    def contributions(self, kind: str) -> tuple[Contribution, ...]:
        """As `Context.contributions`."""
        return self.brought().of_kind(kind)

    def call(self, kind: str, name: str, arguments: dict[str, object]) -> object:
        """As `Context.call`."""
        if self.apart:
            try:
                owner = self.brought().owner(kind, name)
            except NoPlugin as error:  # a mistake of who asks, and nothing that the session has to say
                raise UsageError(str(error)) from None
            reach.check_call(kind, name, is_own=owner == self.plugin)
        self._check_depth(kind, name)
        return msgspec.to_builtins(self._run(kind, name, arguments), builtin_types=(bytes,))

    def run(self, kind: str, name: str, arguments: Mapping[str, object]) -> Any:
        """The record that is due, None when the plugin was at fault, or fails on what it was given. Raises as
        `Brought.run` does besides, and `PluginFault` when contributions call each other without an end."""
        self._check_depth(kind, name)
        try:
            return self._run(kind, name, arguments)
        except PluginFault:
            return None

    def _run(self, kind: str, name: str, arguments: Mapping[str, object]) -> Any:
        brought = self.brought()
        if self.waiting and brought.runs_apart(kind, name):
            owner = brought.owner(kind, name)
            waits = owner != self.plugin and owner in self.waiting
            if waits and not self._looks_for(owner):
                # Its process may end in this, and with it the call that waits.
                raise PluginFault(f"the {kind} {name!r} is of the plugin {owner}, which waits for {self.plugin}")
        return brought.run(kind, name, arguments, self.waited_for())

    def _looks_for(self, owner: str) -> bool:
        """Whether it is run for a question of that plugin's own, on what it has given itself."""
        return False

    def waited_for(self) -> Self:
        """The same context for those who are called now, while who holds this one waits for them."""
        return replace(self, waiting=(*self.waiting, self.plugin))

    def _check_depth(self, kind: str, name: str) -> None:
        if len(self.waiting) >= MOST_DEEP:
            raise PluginFault(f"the {kind} {name!r} was called by {MOST_DEEP} contributions that call each other")
