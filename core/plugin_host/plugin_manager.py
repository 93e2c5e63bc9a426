"""The plugin manager: loading the plugins that are on, and calling their hooks.

What is off is never imported, and what is broken stays out with a reason, while everything else goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Any, Literal

import msgspec
import pluggy

from treadle.core import hooks
from treadle.core.config.settings import Settings, plugin_name
from treadle.core.contributions import Contribution, ScanRule, Setting
from treadle.core.errors import ConfigError, PluginError, PluginFault
from treadle.core.folded import folded
from treadle.core.nearest import did_you_mean
from treadle.core.one_line import one_line
from treadle.core.plugin_host.author_run import AuthorRun
from treadle.core.plugin_host.brought import Bringer, Brought
from treadle.core.plugin_host.candidates import Candidate, Candidates, PluginState
from treadle.core.plugin_host.finding import Found
from treadle.core.plugin_host.guard import FAULTS_ALLOWED, Fault, Guard, Running
from treadle.core.plugin_host.loading import (
    FilesChanged,
    Incompatible,
    Loaded,
    NotGranted,
    Workshop,
    changed_files,
    load_here,
)
from treadle.core.plugin_host.manifest import Manifest
from treadle.core.plugin_host.names import shown
from treadle.core.plugin_host.reach import LedElsewhere
from treadle.core.plugin_host.settings import WrongSetting, merged
from treadle.core.plugin_host.shipped import BUILTINS, ON_REQUEST
from treadle.core.plugin_host.state import Permit, PluginStates
from treadle.core.plugin_host.tracing import Asked, Isolation, Tracing
from treadle.core.plugin_host.trusted_copy import TrustedCopy
from treadle.core.records import Record
from treadle.core.wall import TOLD


class PluginInfo(Record, frozen=True, kw_only=True):
    """One plugin as a person is shown it. `why` says who switched it off, or what is wrong with it; `warnings` what its
    author should look at; `may` what it was granted besides a folder of its own. `settings` and `contributions` are
    what it declares, and brings besides its hooks; `isolation` where it runs, or would if it were enabled. `calls` and
    times are those of this run, in milliseconds."""

    name: str
    version: str
    source: str
    module: str
    state: PluginState
    why: str = ""
    hooks: tuple[str, ...] = ()
    settings: tuple[Setting, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    isolation: Literal["in-process", "process"] = "in-process"
    calls: int = 0
    faults: int = 0
    p50_ms: float = 0.0
    p95_ms: float = 0.0
    warnings: tuple[str, ...] = ()
    may: tuple[str, ...] = ()


class Observer(msgspec.Struct, frozen=True):
    """A plugin that is told something, and the seconds in which it has to be done with that, with all that it calls;
    None where nothing but the session's own limit holds."""

    plugin: str
    limit_s: float | None


class _Plugin(msgspec.Struct, kw_only=True):
    """A candidate and what became of it."""

    candidate: Candidate
    guard: Guard | None = None
    loaded: Loaded | None = None
    settings: dict[str, Any] = {}
    bringer: Bringer | None = None

    @property
    def found(self) -> Found:
        return self.candidate.found

    def leave_out(self, state: PluginState, why: str) -> None:
        self.candidate = msgspec.structs.replace(self.candidate, state=state, why=why)


class PluginManager:
    """The plugins of one session; its faults are counted for as long as this object lives."""

    def __init__(
        self,
        states: PluginStates,
        settings: Settings,
        on_fault: Callable[[Fault], None],
        clock: Callable[[], float] = time.perf_counter,
        builtins: tuple[tuple[str, str], ...] = BUILTINS,
        on_request: tuple[tuple[str, str], ...] | None = None,
        workshop: Workshop | None = None,
        trusted: TrustedCopy | None = None,
        author: AuthorRun = AuthorRun(),  # noqa: B008 - it is frozen
    ) -> None:
        """`on_fault` is told of each fault as it happens, in the thread that called the hook. `on_request` None: those
        that ship with Treadle, when `builtins` are those too, else none. `workshop` makes the processes of third-party
        plugins; without one they run in this process. `trusted` is the copy of the project's own plugins, when the
        person trusts them as they are now. `author` is what somebody who writes plugins adds to this run."""
        self._states = states
        self._tracing = Tracing(author.tracer, clock) if author.tracer else None
        self._settings = settings
        self._on_fault = on_fault
        self._clock = clock
        self._workshop = workshop
        if on_request is None:
            on_request = ON_REQUEST if builtins is BUILTINS else ()
        developed = tuple(each.found for each in author.developed)
        self._candidates = Candidates(states, builtins, on_request, workshop, trusted, developed)
        self._plugins = {each.found.name: _Plugin(candidate=each) for each in self._candidates.built_ins}
        self.brought = Brought()
        self._pluggy = pluggy.PluginManager(hooks.PROJECT_NAME)
        self._pluggy.add_hookspecs(hooks)

    def load(self, *, at_any_rate: bool = False) -> None:
        """Import and register what is enabled. A plugin that can't be used is left out, with the reason in `plugins()`.
        Raises `ConfigError` when the settings for a plugin do not fit it; `at_any_rate`: it is left out for that."""
        built_in = list(self._plugins.values())
        others = [_Plugin(candidate=each) for each in self._candidates.third_party_enabled() if not each.pushed_out]
        self._plugins.update({plugin.found.name: plugin for plugin in others})
        if self._workshop:
            self._workshop.look_ahead(plugin.found for plugin in others if self._runs_apart(plugin))
        # pluggy asks those registered last first.
        for plugin in (*reversed(built_in), *reversed(others)):
            if plugin.candidate.state == "enabled":
                try:
                    self._load(plugin)
                except ConfigError as error:
                    if not at_any_rate:
                        raise
                    plugin.leave_out("faulty", str(error))
        self.brought = Brought(plugin.bringer for plugin in (*others, *built_in) if plugin.bringer)

    def close(self) -> None:
        """End the processes of plugins; they can't be called any more."""
        for plugin in self._plugins.values():
            if plugin.loaded and plugin.loaded.process:
                plugin.loaded.process.close()
        if self._workshop:
            self._workshop.close()

    def call(self, hook: str, **arguments: object) -> Any:
        """Call a hook: one answer or None for *first* hooks, a list of answers for *all* hooks. Only `Signalled` errors
        come out of it."""
        return getattr(self._pluggy.hook, hook)(**arguments)

    def observers(self, hook: str) -> tuple[Observer, ...]:
        """Those to be told by this hook: Treadle's own first, whose work the others' must not keep them from; besides
        in the order in which they are asked."""
        names = dict.fromkeys(each.plugin for each in self.order(hook) if not self._is_off(each.plugin, hook))
        plugins = sorted((self._plugins[name] for name in names), key=lambda plugin: not plugin.found.built_in)
        return tuple(Observer(plugin.found.name, _turn_s(plugin, hook)) for plugin in plugins)

    def tell(self, observer: Observer, hook: str, **arguments: object) -> None:
        """Call the hook of one plugin alone."""
        others = (plugin for name, plugin in self._pluggy.list_name_plugin() if name != observer.plugin)
        self._pluggy.subset_hook_caller(hook, others)(**arguments)

    def blame(self, plugin: str, hook: str, why: str) -> None:
        """Count as a fault what only its caller could see."""
        if (guard := self._plugins[plugin].guard) is not None:
            guard.blame(hook, PluginFault(why))

    def answerers(self, hook: str) -> tuple[str, ...]:
        """The plugins that answer this hook, in the order in which they are asked; those switched off are left out."""
        caller: pluggy.HookCaller = getattr(self._pluggy.hook, hook)
        names = [impl.plugin_name for impl in reversed(caller.get_hookimpls()) if not impl.wrapper]
        return tuple(name for name in names if not self._is_off(name, hook))

    def passed_over(self, hook: str) -> tuple[str, ...]:
        """The plugins that are on and would answer this hook, but are switched off for their faults. Who brings rules
        for the scan is missing in it, too."""
        return tuple(
            plugin.found.name
            for plugin in self._plugins.values()
            if plugin.guard and plugin.loaded and plugin.guard.off and _takes_part(plugin, hook)
        )

    def order(self, hook: str) -> tuple[Asked, ...]:
        """Those that pluggy asks for this hook, in its order: wrappers first, since they are around the others."""
        caller: pluggy.HookCaller = getattr(self._pluggy.hook, hook)
        return tuple(
            Asked(
                plugin=impl.plugin_name,
                isolation=self._isolation(self._plugins[impl.plugin_name]),
                marks=tuple(mark for mark in ("wrapper", "tryfirst", "trylast") if getattr(impl, mark)),
            )
            for impl in reversed(caller.get_hookimpls())
        )

    def isolation_of(self, name: str) -> Isolation | None:
        """Where the plugin runs; None when it is not loaded."""
        plugin = self._plugins.get(name)
        return self._isolation(plugin) if plugin is not None and plugin.loaded else None

    def count_faults(
        self, faults: Mapping[str, Mapping[str, int]], ended: Mapping[str, AbstractSet[str]] = MappingProxyType({})
    ) -> None:
        """Count the faults of the session's earlier runs, by plugin and hook, so that what was switched off stays off
        when it goes on; `ended` are the hooks that were called no more after one of them."""
        for plugin in self._plugins.values():
            if plugin.guard is not None:
                name = plugin.found.name
                plugin.guard.count_earlier(faults.get(name, {}), ended.get(name, frozenset()))

    def unusable_of_project(self) -> dict[str, str]:
        """The project's own plugins that can't run whoever trusts them, with the reasons: their names are no names, or
        are taken."""
        every = self._candidates.third_party()
        return {each.found.name: each.why for each in every if each.found.of_project and each.state == "faulty"}

    def look(self, name: str) -> Manifest | None:
        """What a third-party plugin says of itself, by its own word; None for a built-in, which needs nobody's grant.
        Raises `PluginError` and `PluginFault` for one that can't be used, with its reason."""
        candidate = self._candidates.named(name)
        if candidate is None or self._workshop is None:
            return None
        if candidate.state in ("faulty", "incompatible"):
            raise PluginError(candidate.why)
        untrusted = self._candidates.untrusted(candidate.found) or changed_files(candidate.found)
        if untrusted:
            raise PluginError(untrusted)
        return self._workshop.look(candidate.found)

    def origin_of(self, name: str) -> str:
        """Whom a grant for this name would be given to, as `Found.origin`; empty for a built-in."""
        candidate = self._candidates.named(name)
        return candidate.found.origin if candidate else ""

    def keeps_in(self, name: str) -> str:
        """The name of the folder of the plugin's own, as `Found.keeps_in`; of what is no plugin, its name."""
        plugin = self._plugins.get(name)
        return plugin.found.keeps_in if plugin else name

    def is_built_in(self, name: str) -> bool:
        """Whether the plugin of that name ships with Treadle."""
        return any(each.found.name == name for each in self._candidates.built_ins)

    def settings_of(self, name: str) -> dict[str, Any]:
        """The plugin's settings: its defaults with the person's values."""
        return dict(self._plugins[plugin_name(name)].settings)

    def running(self) -> tuple[Running, ...]:
        """The calls that have not ended, for whoever wants to name the plugin that hangs."""
        return tuple(call for p in self._plugins.values() if p.guard for call in p.guard.running())

    def use(self) -> dict[str, dict[str, float]]:
        """The calls and faults of each plugin that was called since it was loaded, and its times in milliseconds."""
        guards = (plugin.guard for plugin in self._plugins.values() if plugin.guard and plugin.guard.calls)
        return {guard.name: guard.use() for guard in guards}

    def names(self) -> frozenset[str]:
        """The names of all plugins that are here, on or off; none of them is imported for that, nor need be loaded."""
        everyone = (*self._candidates.built_ins, *self._candidates.third_party())
        return frozenset(each.found.name for each in everyone if each.state != "missing")

    def plugins(self) -> tuple[PluginInfo, ...]:
        """Every plugin: built-ins, installed ones, and those that somebody named and nobody installed. Each that is on
        is asked once for its contributions."""
        known = {(plugin.found.name, plugin.found.source) for plugin in self._plugins.values()}
        # One with the name of another is listed beside it, as the fault that it is.
        others = (p for p in self._candidates.third_party() if (p.found.name, p.found.source) not in known)
        return tuple(map(self._info, (*self._plugins.values(), *(_Plugin(candidate=each) for each in others))))

    def left_out(self) -> tuple[str, ...]:
        """Those that should take part and can't, or bring nothing for a fault, each with its reason: what somebody
        switched on, or the project asks for, which may be another version of what does take part. A project's own that
        were never trusted are not among them."""
        out = (p.candidate for p in self._plugins.values() if p.candidate.state not in ("enabled", "disabled"))
        told = [each for each in out if not self._candidates.untrusted(each.found)]
        # How many the project asks for that are not here, its own file says.
        by_person = frozenset(self._states.enabled_names())
        asked = [each for each in told if each.state == "missing" and each.found.name not in by_person]
        wanted = [each for each in told if each.state != "missing" or each.found.name in by_person]
        faults = (fault for p in self._plugins.values() if p.guard for fault in p.guard.faults)
        empty = (fault for fault in faults if fault.hook == "treadle_contributions")
        return (
            *map(_no_part, wanted),
            *folded(map(_no_part, asked), "plugins that the project requires are not installed here"),
            *(plugin.candidate.unmet for plugin in self._plugins.values() if plugin.candidate.unmet),
            *(f"what the plugin {fault.plugin} brings takes no part: {fault.error}" for fault in empty),
        )

    def of_projects_file(self) -> tuple[str, ...]:
        """What the project's `.treadle/plugins.toml` switches off, or may not: for the result as well."""
        untrusted = {name for name, plugin in self._plugins.items() if self._candidates.untrusted(plugin.found)}
        own = {name for name, plugin in self._plugins.items() if plugin.found.of_project}
        return self._states.notices(self._plugins.keys() - untrusted, own - untrusted)

    def notices(self) -> tuple[str, ...]:
        """What a person should be told: what the project's files switch off, and settings for plugins unknown here."""
        known = set(self._plugins)
        if not known.issuperset(self._settings.plugins):
            known |= self.names()
        unknown = (
            f"[plugins.{table}] is set, and there is no plugin {table!r}; {did_you_mean(table, sorted(known))}".rstrip(
                "; "
            )
            for table in self._settings.plugins
            if table not in known
        )
        return (*self.of_projects_file(), *unknown)

    # ------------------------------------------------------------ loading

    def _load(self, plugin: _Plugin) -> None:
        found = plugin.found
        traced = self._tracing.of(found.name) if self._tracing else None
        guard = Guard(found.name, lambda fault: self._faulty(plugin, fault), self._clock, traced)
        try:
            loaded = self._loaded(found, guard)
        except Incompatible as error:
            plugin.leave_out("incompatible", str(error))
        except (NotGranted, FilesChanged, LedElsewhere) as error:
            plugin.leave_out("untrusted", str(error))
        except (PluginError, PluginFault) as error:
            plugin.leave_out("faulty", _why_not(error, found))
        else:
            plugin.loaded = loaded  # so that it can be told which settings there are
            plugin.settings = self._merged_settings(found.name, loaded.settings)
            # Only now can it be called.
            plugin.guard, plugin.bringer = guard, Bringer(loaded, guard)
            self._pluggy.register(guard.proxy(loaded.implementations), found.name)

    def _loaded(self, found: Found, guard: Guard) -> Loaded:
        if self._workshop is not None and self._belongs_apart(found):
            return self._workshop.load(found, self._granted(found))
        try:
            return load_here(found, guard)
        except (KeyboardInterrupt, PluginError, PluginFault):
            raise
        except BaseException as error:  # the wall around a plugin: importing it here runs its code here
            raise PluginError(_not_imported(error, found)) from error

    def _granted(self, found: Found) -> Permit:
        permit = self._states.permit(found.name, found.origin)
        return permit if permit.origin == found.origin else Permit()

    def _runs_apart(self, plugin: _Plugin) -> bool:
        return plugin.candidate.state == "enabled" and self._belongs_apart(plugin.found)

    def _belongs_apart(self, found: Found) -> bool:
        return not found.built_in and not self._granted(found).inside

    def _faulty(self, plugin: _Plugin, fault: Fault) -> None:
        if plugin.guard and plugin.guard.off and plugin.loaded and plugin.loaded.process:
            plugin.loaded.process.close()
        self._on_fault(fault)

    def _merged_settings(self, name: str, settings: Iterable[Setting]) -> dict[str, Any]:
        prefix = f"plugins.{name}"
        try:
            return merged(settings, self._settings.plugins.get(name, {}), prefix)
        except WrongSetting as error:
            places = self._origins(error.key) or self._origins(prefix)
            mend = f"mend that there, or `treadle plugin disable {name}` does without the plugin"
            raise ConfigError(f"{' and '.join(places)}: {error}; {mend}") from None

    def _origins(self, dotted: str) -> list[str]:
        """Where that setting came from, or what is in it where it is a table."""
        origins = self._settings.origins
        if dotted in origins:
            return [str(origins[dotted])]
        return sorted({str(origin) for key, origin in origins.items() if key.startswith(f"{dotted}.")})

    # ------------------------------------------------------------ telling

    def _isolation(self, plugin: _Plugin) -> Isolation:
        """Where it runs, or would if it were switched on."""
        if plugin.loaded:
            return "process" if plugin.loaded.process else "in-process"
        return "process" if self._workshop is not None and self._belongs_apart(plugin.found) else "in-process"

    def _is_off(self, name: str, hook: str) -> bool:
        plugin = self._plugins[name]
        return plugin.guard is None or plugin.guard.is_off(hook)

    def _state(self, plugin: _Plugin) -> tuple[PluginState, str]:
        if plugin.guard and plugin.guard.off:
            faults = [fault for fault in plugin.guard.faults if fault.hook not in TOLD]
            last = f", the last: {faults[-1].error}" if faults else " of its earlier runs"
            return "faulty", f"switched off for this session after {FAULTS_ALLOWED} faults{last}"
        if plugin.candidate.state == "enabled" and (changed := changed_files(plugin.found)):
            return "untrusted", changed
        return plugin.candidate.state, plugin.candidate.why

    def _info(self, plugin: _Plugin) -> PluginInfo:
        guard, found, loaded = plugin.guard, plugin.found, plugin.loaded
        # Asked first: a fault in the answer belongs to what is told.
        brings = plugin.bringer.brings if plugin.bringer else ()
        state, why = self._state(plugin)
        return PluginInfo(
            name=found.name,
            version=found.version,
            source=found.source,
            module=found.entry,
            state=state,
            why=why,
            hooks=tuple(dict.fromkeys(i.hook.name for i in loaded.implementations)) if loaded else (),
            settings=loaded.settings if loaded else (),
            contributions=brings,
            warnings=loaded.warnings if loaded else (),
            isolation=self._isolation(plugin),
            may=tuple(loaded.needs.lines(loaded.real)) if loaded and loaded.process else (),
            **(guard.use() if guard else {}),
        )


def _turn_s(plugin: _Plugin, hook: str) -> float | None:
    process = plugin.loaded.process if plugin.loaded else None
    return process.turn_s(hook) if process else None


def _takes_part(plugin: _Plugin, hook: str) -> bool:
    hooks = {each.hook.name for each in plugin.loaded.implementations} if plugin.loaded else set()
    brings = plugin.bringer.brings if plugin.bringer and hook == "treadle_scan" else ()
    return hook in hooks or any(isinstance(each, ScanRule) for each in brings)


def _why_not(error: PluginError | PluginFault, found: Found) -> str:
    return str(error) if isinstance(error, PluginError) else _not_imported(error, found)


def _not_imported(error: BaseException, found: Found) -> str:
    mend = "install what it needs" if isinstance(error, ImportError) else "its author has to mend it"
    where = found.source if found.of_project else found.entry
    return f"can't be imported from {where}: {one_line(error)}; {mend}, or `treadle plugin disable {found.name}`"


def _no_part(candidate: Candidate) -> str:
    return f"the plugin {shown(candidate.found.name)} takes no part: {candidate.why}"
