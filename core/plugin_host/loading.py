"""Bringing a found plugin to life: in this process, or in one of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from treadle.core import contributions
from treadle.core.contributions import Contribution, Setting
from treadle.core.durations import in_seconds
from treadle.core.errors import ConfigError, PluginError, PluginFault
from treadle.core.hook_types import hook_types, unknown_hook
from treadle.core.keys import KEY_VARIABLE, USUAL
from treadle.core.places import Places
from treadle.core.plugin_check import NEEDS_NAME, Implementation, check
from treadle.core.plugin_host import installed, start_files
from treadle.core.plugin_host.environment_use import EnvironmentsInUse
from treadle.core.plugin_host.finding import Found
from treadle.core.plugin_host.guard import Guard
from treadle.core.plugin_host.manifest import Manifest, Manifests, fingerprint
from treadle.core.plugin_host.needs import NO_PATHS, Needs, needs_of
from treadle.core.plugin_host.off_limits import OffLimits
from treadle.core.plugin_host.reach import Reach, reach, refuse
from treadle.core.plugin_host.settings import option_problems, problems
from treadle.core.plugin_host.state import Permit
from treadle.core.plugin_worker.messages import Hook, Ready
from treadle.core.plugin_worker.process import Launch, PluginProcess
from treadle.core.plugin_worker.run import START_S
from treadle.core.records import Limits

AT_ONCE = 2
"""Plugins that are started side by side to be looked at."""
_LOG_MOST = 1 << 20  # bytes that one run of a plugin may say in its log


class Incompatible(PluginError):
    """It was written for another version of the hooks."""


class NotGranted(PluginError):
    """It needs what the person has not granted."""

    def __init__(self, name: str, missing: Needs) -> None:
        wants = "; ".join(missing.lines())
        super().__init__(f"it wants to {wants}: `treadle plugin enable {name}` asks you for it")


class FilesChanged(PluginFault):
    """The files of its environment are others than were installed."""


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """A plugin that can be called. `contributions` None: it is to be asked. `real` is where the paths of its
    needs led to when they were granted. `process` is its own, if it has one."""

    implementations: tuple[Implementation, ...]
    settings: tuple[Setting, ...]
    warnings: tuple[str, ...] = ()
    contributions: tuple[Contribution, ...] | None = None
    needs: Needs = Needs()
    real: Mapping[str, str] = NO_PATHS
    process: PluginProcess | None = None


def load_here(found: Found, guard: Guard) -> Loaded:
    """Import it into this process. Raises whatever its import raises, `Incompatible`, and `PluginError` for what can't
    be a plugin."""
    module = found.load()
    looked = check(module)
    if looked.incompatible:
        raise Incompatible(looked.incompatible)
    if looked.errors:
        raise PluginError("; ".join(looked.errors))
    return Loaded(
        implementations=looked.implementations,
        settings=_settings(guard, looked.implementations),
        warnings=looked.warnings,
        needs=needs_of(getattr(module, NEEDS_NAME, None)),
    )


def _settings(guard: Guard, implementations: Iterable[Implementation]) -> tuple[Setting, ...]:
    own = own_hook(implementations, "treadle_settings")
    settings: tuple[Setting, ...] = (guard.ask(own) if own else None) or ()
    if guard.faults:
        raise PluginError(f"treadle_settings: {guard.faults[-1].error}")
    _raise_any(problems(settings))
    return settings


def _raise_any(found: Iterable[str]) -> None:
    if told := "; ".join(found):
        raise PluginError(told)


def own_hook(implementations: Iterable[Implementation], hook: str) -> Implementation | None:
    """The plugin's own answer to a hook, None when it has none or only wraps those of others."""
    return next((i for i in implementations if i.hook.name == hook and not i.wrapper), None)


class Workshop:
    """Makes processes for plugins: knows the project that they serve, and what the person's state keeps for them."""

    def __init__(
        self,
        places: Places,
        deadlines_s: Mapping[str, float] | None = None,
        env: Mapping[str, str] = os.environ,
        start_s: float = START_S,
        on_wait: Callable[[str], None] = lambda text: None,
        withheld: Callable[[str], frozenset[str]] = lambda name: USUAL,
        python: str | None = None,
        limits: Limits = Limits(),  # noqa: B008 - it is frozen
    ) -> None:
        """`deadlines_s` are the seconds of one call, by hook, `start_s` those of a start. `on_wait` is told, in any
        thread, which plugin is waited for when it takes long to start. `withheld` names the variables that no grant
        gives to the plugin of that name: keys of services that are others' to use. `python` is the interpreter that was
        asked for the project, which no plugin may write, `limits` are as of `PluginProcess`."""
        if unknown := unknown_hook(deadlines_s or {}):
            raise ConfigError(f"hook_timeouts_s: {unknown}")
        self._places = places
        self._deadlines_s = deadlines_s or {}
        self._env = env
        self._start_s = start_s
        self._on_wait = on_wait
        self._withheld = withheld
        self._asked: dict[str, Future[Manifest]] = {}
        self._manifests = Manifests(places.plugin_manifests)
        self.index_file = places.plugin_index
        self.environments = places.plugin_environments
        self._in_use = EnvironmentsInUse()
        self._state = (places.home, places.user_config.parent)
        self._job_limits = limits
        self._off_limits = OffLimits(places.project, self._state, python, env)

    def close(self) -> None:
        """Let go of the environments; the processes are ended."""
        self._in_use.release(self._is_named)

    def _is_named(self, folder: Path) -> bool:
        try:
            return folder.name in {entry.folder for entry in installed.read(self.environments).values()}
        except ConfigError:  # it can't be read: nobody knows
            return True

    def load(self, found: Found, permit: Permit) -> Loaded:
        """The plugin in a process of its own, which starts with its first call. It is started here only when it has
        never been looked at as it is now. Raises `PluginFault` for one that can't be started, `LedElsewhere`,
        `Incompatible`, `NotGranted`, and `PluginError` for what can't be a plugin."""
        manifest, granted = self._known(found), permit.needs
        missing = manifest.needs.missing(granted)
        if missing != Needs():
            refuse(manifest.needs, self._off_limits)  # it would be asked for in vain
            raise NotGranted(found.name, missing)
        self._reach(found.name, permit)
        process = self.process(found, permit, lambda ready: self._compare(found, manifest, ready))
        return Loaded(
            implementations=tuple(_implementation(hook, process) for hook in manifest.hooks),
            settings=manifest.settings,
            warnings=(*manifest.warnings, *self._kept_from(found.name, granted)),
            contributions=manifest.contributions,
            needs=manifest.needs,
            real=permit.real,
            process=process,
        )

    def look(self, found: Found) -> Manifest:
        """What the plugin says of itself, by its own word: it is run for that, with nothing granted. Raises as `load`
        does, and `PluginError` for needs that can't be granted."""
        manifest = self._known(found)
        refuse(manifest.needs, self._off_limits)
        return manifest

    def _known(self, found: Found) -> Manifest:
        mark = fingerprint(found)
        known = self._manifests.get(mark)
        if known is None:
            asked = self._asked.pop(mark, None)
            known = asked.result() if asked else self._ask(found, self.process(found))
            self._manifests.put(mark, known)
        return known

    def _reach(self, name: str, permit: Permit) -> Reach:
        return reach(name, permit.needs, permit.real, self._places.project, self._off_limits)

    def look_ahead(self, founds: Iterable[Found]) -> None:
        """Have those started that `look` would have to start, `AT_ONCE` at a time: one that hangs, or is slow, holds up
        less. What comes of each is told by `look`."""
        unknown = {mark: found for found in founds if self._manifests.get(mark := fingerprint(found)) is None}
        if len(unknown) < 2:
            return
        processes = {mark: self.process(found) for mark, found in unknown.items()}
        with ThreadPoolExecutor(AT_ONCE, "treadle-look-ahead") as pool, ExitStack() as on_failure:
            # A Ctrl-C is not held up by those that are being waited for.
            for process in processes.values():
                on_failure.callback(process.close)
            for mark, found in unknown.items():
                self._asked[mark] = pool.submit(self._ask, found, processes[mark])
            wait(self._asked.values())
            on_failure.pop_all()

    def _compare(self, found: Found, manifest: Manifest, ready: Ready) -> None:
        """What a process says at its start is newer than what is known of the plugin."""
        if ready.hooks != manifest.hooks or ready.incompatible:
            self._manifests.drop(fingerprint(found))

    def _ask(self, found: Found, process: PluginProcess) -> Manifest:
        try:
            ready = process.start()
            if ready.incompatible:
                raise Incompatible(ready.incompatible)
            errors = (*ready.errors, *self.wrappers(found, ready.hooks))
            if errors:
                raise PluginError("; ".join(errors))
            settings = self.answer(process, ready.hooks, "treadle_settings") or ()
            brought = self.answer(process, ready.hooks, "treadle_contributions") or ()
            _raise_any(self.problems(settings, brought, ready.hooks))
            return Manifest(
                hooks=ready.hooks,
                warnings=ready.warnings,
                settings=settings,
                contributions=brought,
                needs=needs_of(ready.what_it_needs()),
                import_s=ready.import_s,
            )
        finally:
            process.close()

    @staticmethod
    def wrappers(found: Found, hooks: tuple[Hook, ...]) -> tuple[str, ...]:
        """What is wrong with those that wrap, where they can't."""
        return tuple(
            f"{hook.name}: wraps what other plugins answer, which it can only do inside of Treadle's own process: "
            f"`treadle plugin enable {found.name} --inside`"
            for hook in hooks
            if hook.wrapper
        )

    @staticmethod
    def problems(
        settings: tuple[Setting, ...], brought: tuple[Contribution, ...], hooks: tuple[Hook, ...]
    ) -> Iterator[str]:
        """What is wrong with a plugin's settings, and with what it brings."""
        yield from problems(settings)
        yield from option_problems(brought)
        yield from contributions.problems(brought, answers_calls=any(hook.hook == "treadle_call" for hook in hooks))

    @staticmethod
    def answer(process: PluginProcess, hooks: tuple[Hook, ...], name: str) -> Any:
        """What the plugin answers to a hook without arguments, None when it has none. Raises `PluginFault`."""
        hook = next((each for each in hooks if each.hook == name), None)
        if hook is None:
            return None
        try:
            return process.function(hook)()
        except PluginFault as error:
            raise PluginFault(f"{name}: {error}", error.trace) from None

    def process(
        self,
        found: Found,
        permit: Permit = Permit(),  # noqa: B008 - it is frozen
        after_start: Callable[[Ready], None] = lambda ready: None,
    ) -> PluginProcess:
        """A process for the plugin that may reach what was granted; it starts when it is asked for something, and then
        `after_start` is told what it says of itself. Where the granted paths lead is looked at whenever it starts."""
        if found.environment is not None:
            self._in_use.hold(self.environments / found.environment.folder)
        granted = permit.needs
        known = [name for name in granted.environment if name not in self._withheld(found.name)]
        launch = Launch(
            name=found.name,
            entry=found.entry,
            interpreter=found.interpreter,
            paths=(str(found.place.parent),) if found.place else (),
            code=(self._code(found, found.place),) if found.place else (),
            in_development=found.in_development,
            folder=str(self._places.plugin_folder(found.keeps_in)),
            network=granted.network,
            start_s=self._start_s,
            environment={name: self._env[name] for name in known if name in self._env},
        )
        log = _Log(self._places.logs / f"plugin-{found.name}.log")
        before_start, waits = partial(self._before_start, found, permit), partial(self._waits_for, found.name)
        return PluginProcess(launch, log.write, self._deadlines_s, before_start, after_start, waits, self._job_limits)

    def _code(self, found: Found, place: Path) -> str:
        """What the plugin can read to be imported: what lies beside its package or module as well, but for a lone file
        under development, and where that would be far more, which nobody has granted."""
        real = Path(os.path.realpath(place.parent))
        home = start_files.home()
        held = (*((home,) if home else ()), *(Path(os.path.realpath(own)) for own in self._state))
        is_alone = found.in_development and found.entry == str(place) and not found.is_among_plugins
        if is_alone or any(each.is_relative_to(real) for each in held):
            return str(place)
        return str(place.parent)

    def _before_start(self, found: Found, permit: Permit, launch: Launch) -> Launch:
        """The launch with what the plugin may reach, as the machine is now."""
        _check_files(found)
        try:
            may = self._reach(found.name, permit)
        except PluginError as error:
            raise PluginFault(str(error)) from None
        return msgspec.structs.replace(launch, read=may.read, write=may.write, aliases=may.aliases)

    def _kept_from(self, name: str, granted: Needs) -> Iterator[str]:
        for variable in granted.environment:
            if variable in self._withheld(name):
                yield (
                    f"{variable} holds the key of another plugin's service and is kept from it; where it is meant for "
                    f"this one, name it in [plugins.{name}] as {KEY_VARIABLE}"
                )

    def _waits_for(self, name: str) -> None:
        self._on_wait(
            f"waiting for the plugin {name} to be imported, for {in_seconds(self._start_s)} at the most; "
            f"`treadle plugin disable {name}` does without it"
        )


def _check_files(found: Found) -> None:
    if told := changed_files(found):
        raise FilesChanged(told)


def changed_files(found: Found) -> str:
    """Why a plugin with an environment of its own must not be run: its files are others than were installed; else
    empty. Looking at them takes time."""
    entry, environments = found.environment, found.environments
    if entry is None or environments is None or not entry.is_changed(environments):
        return ""
    where = environments / entry.folder
    mend = f"`treadle plugin update {entry.distribution}` makes it anew"
    return f"the files of its environment, {where}, are others than were installed: {mend}"


class _Log:
    """What a plugin says on its standard output and error, up to a size."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._written = 0

    def write(self, data: bytes) -> None:
        kept = data[: max(0, _LOG_MOST - self._written)]
        if not kept:
            return
        self._written += len(kept)
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            mode = "ab" if self._written > len(kept) else "wb"
            with self._file.open(mode) as file:
                file.write(kept)
        except OSError:
            return


def _implementation(hook: Hook, process: PluginProcess) -> Implementation:
    options = {"tryfirst": hook.tryfirst, "trylast": hook.trylast}
    function = process.function(hook)
    return Implementation(
        name=hook.name,
        hook=hook_types()[hook.hook],
        function=function,
        options=options,
        remote=True,
        sent=hook.arguments,
    )
