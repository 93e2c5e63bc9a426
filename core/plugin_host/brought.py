"""What the plugins that are on bring besides their hooks: finding it by kind and name, and running it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import msgspec

from treadle.core import type_names
from treadle.core.called_for import for_nobody
from treadle.core.contributions import KINDS, SERVED, SPOKEN, Contribution, kind_of, plain, problems
from treadle.core.errors import NoPlugin, PluginFault, UsageError
from treadle.core.hook_types import call_of
from treadle.core.plugin_host.guard import Guard
from treadle.core.plugin_host.loading import Loaded, own_hook
from treadle.core.plugin_host.settings import option_problems


class Bringer:
    """One plugin that is on."""

    def __init__(self, loaded: Loaded, guard: Guard) -> None:
        self.name = guard.name
        self._loaded = loaded
        self._guard = guard
        self._call = own_hook(loaded.implementations, "treadle_call")

    @cached_property
    def brings(self) -> tuple[Contribution, ...]:
        """What it brings; it is asked the first time only. Nothing when there is something wrong with it."""
        if self._loaded.contributions is not None:
            return self._loaded.contributions  # looked at when it was loaded
        own = own_hook(self._loaded.implementations, "treadle_contributions")
        with for_nobody():
            brought: tuple[Contribution, ...] = (self._guard.ask(own) if own else None) or ()
            found = (*problems(brought, answers_calls=self._call is not None), *option_problems(brought))
            wrong = "; ".join(found)
            if wrong:
                self._guard.blame("treadle_contributions", PluginFault(wrong))
        return () if wrong else brought

    @property
    def runs_apart(self) -> bool:
        """Whether it has a process of its own."""
        return self._loaded.process is not None

    def run(self, kind: str, name: str, arguments: Mapping[str, object], context: object) -> Any:
        """The record that is due of that kind, None when it is at fault. Raises as `Brought.run` does."""
        if self._call is None:
            return None
        about = f"the {kind} {name!r}"
        faults = len(self._guard.faults)
        call = msgspec.structs.replace(self._call, hook=call_of(kind))
        answer = self._guard.ask(call, about, kind=kind, name=name, arguments=plain(arguments), context=context)
        if len(self._guard.faults) > faults or self._guard.off:
            return None
        due = SPOKEN[kind].answers
        try:
            return msgspec.convert(answer, due, builtin_types=(bytes,))
        except msgspec.ValidationError as error:
            told = f"{about} answered with the wrong type: {type_names.mismatch(due, answer, error)}"
            self._guard.blame("treadle_call", PluginFault(told), about)
            return None


def _check_type(what: str, argument: str, value: object, due: Any) -> None:
    """Raises `UsageError` for a value of another type, which is its caller's fault and not the one of who is called."""
    if isinstance(due, type) and isinstance(value, due):
        return
    try:
        msgspec.convert(value, due, builtin_types=(bytes,))
    except msgspec.ValidationError as error:
        raise UsageError(f"{what} was given the wrong {argument}: {type_names.mismatch(due, value, error)}") from None


class Brought:
    """All of it, by plugins in the order in which they are asked."""

    def __init__(self, bringers: Iterable[Bringer] = ()) -> None:
        self._bringers = tuple(bringers)

    def of_kind(self, kind: str) -> tuple[Contribution, ...]:
        """The descriptors of that kind; where two have one name, the first. Raises `UsageError` for a kind that there
        is not."""
        return tuple(descriptor for descriptor, _ in self._by_name(kind).values())

    def owner(self, kind: str, name: str) -> str:
        """The plugin that brings it. Raises `NoPlugin` when none does, and `UsageError` as `of_kind` does."""
        return self._find(kind, name)[1].name

    def runs_apart(self, kind: str, name: str) -> bool:
        """Whether the plugin that brings it has a process of its own. Raises as `owner` does."""
        return self._find(kind, name)[1].runs_apart

    def run(self, kind: str, name: str, arguments: Mapping[str, object], context: object) -> Any:
        """Have its plugin run it: the record that is due of that kind (`contributions.SPOKEN`), None when the plugin
        was at fault. Raises `NoPlugin` as `owner` does, `UsageError` for what can't be run, or not with these
        arguments, and `PluginFault` where it fails on what another plugin has given it, whose fault that is."""
        _, bringer = self._find(kind, name)
        spoken = SPOKEN.get(kind)
        if spoken is None:
            raise UsageError(f"a contribution of the kind {kind!r} is data, and can't be run")
        if spoken.takes is not None and set(arguments) - set(spoken.may_take) != set(spoken.takes):
            due = ", ".join(spoken.takes) or "nothing"
            raise UsageError(f"the {kind} {name!r} takes {due}, and was given {', '.join(arguments) or 'nothing'}")
        for argument, due in {**(spoken.takes or {}), **spoken.may_take}.items():
            if argument in arguments:
                _check_type(f"the {kind} {name!r}", argument, arguments[argument], due)
        return bringer.run(kind, name, arguments, context)

    def _find(self, kind: str, name: str) -> tuple[Contribution, Bringer]:
        found = self._by_name(kind).get(name) if kind in KINDS or kind not in SERVED else None
        if found is None and kind in SERVED:
            found = self._by_name("provider").get(name.partition("/")[0])
        if found is None:
            raise NoPlugin(f"no enabled plugin brings the {kind} {name!r}; `treadle plugins` lists what there is")
        return found

    def _by_name(self, kind: str) -> dict[str, tuple[Contribution, Bringer]]:
        if kind not in KINDS:
            raise UsageError(f"there is no kind of contribution {kind!r}; there are {', '.join(KINDS)}")
        found: dict[str, tuple[Contribution, Bringer]] = {}
        for bringer in self._bringers:
            for descriptor in bringer.brings:
                if kind_of(descriptor) == kind:
                    found.setdefault(descriptor.name, (descriptor, bringer))
        return found
