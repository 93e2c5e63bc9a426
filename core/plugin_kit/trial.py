"""One plugin on trial: loaded inside of the tests' process or in one of its own, and called as a session would."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
import pluggy

from treadle.core import hooks
from treadle.core.config.settings import plugin_name
from treadle.core.errors import PluginError, PluginFault
from treadle.core.hook_types import call_of, hook_types
from treadle.core.nearest import did_you_mean
from treadle.core.places import Places, private_folder
from treadle.core.plugin_check import parameters
from treadle.core.plugin_host.finding import Found
from treadle.core.plugin_host.guard import Guard
from treadle.core.plugin_host.loading import Loaded, Workshop, load_here, own_hook
from treadle.core.plugin_host.reach import real_paths
from treadle.core.plugin_host.settings import merged
from treadle.core.plugin_host.state import Permit
from treadle.core.plugin_kit.witness import Witness
from treadle.core.plugin_worker import boot
from treadle.core.records import Workspace

Where = Literal["inside", "apart"]


class Trial:
    """A loaded plugin. `witness` is the context of its calls, `where` the place in which it runs."""

    def __init__(self, name: str, where: Where, loaded: Loaded, guard: Guard) -> None:
        self.where = where
        self.witness = Witness()
        self._loaded = loaded
        self._guard, self._faults = guard, guard.faults
        self._name = name
        self._pluggy = pluggy.PluginManager(hooks.PROJECT_NAME)
        self._pluggy.add_hookspecs(hooks)
        self._pluggy.register(guard.proxy(loaded.implementations), name)

    @property
    def hooks(self) -> tuple[str, ...]:
        """The hooks that it answers."""
        return tuple(dict.fromkeys(each.hook.name for each in self._loaded.implementations))

    def call(self, hook: str, **arguments: object) -> Any:
        """The plugin's own answer. Arguments that it does not take may be left out, and the context is the witness
        unless another is given. Raises `PluginFault` with the plugin's traceback for what a session would count as a
        fault, and what a session is meant to see (`NeedsPerson`, say) as it is."""
        kind = hook_types().get(hook)
        if kind is None:
            near = did_you_mean(hook, hook_types(), prefix="treadle_")
            raise PluginError(f"there is no hook {hook!r}; {near}docs/reference/hooks.md lists all hooks")
        self._check_arguments(hook, list(kind.arguments), arguments)
        given = {**dict.fromkeys(kind.arguments), **arguments}
        if "context" in kind.arguments and "context" not in arguments:
            given["context"] = self.witness
        self.witness.held_to = _session_of(arguments) if self.where == "apart" else None
        self._faults.clear()  # so that it is never switched off
        answer = self._answer(hook, given)
        if self._faults:
            fault = self._faults[0]
            raise PluginFault(f"{fault.hook}: {fault.error}\n{fault.trace}".rstrip(), fault.trace)
        return answer if kind.first else next(iter(answer), None)

    def _answer(self, hook: str, given: Mapping[str, Any]) -> Any:
        own = own_hook(self._loaded.implementations, hook) if hook == "treadle_call" else None
        if own is None:
            return getattr(self._pluggy.hook, hook)(**given)
        # What is due depends on the kind of contribution, which pluggy does not know.
        return self._guard.ask(msgspec.structs.replace(own, hook=call_of(str(given["kind"]))), **given)

    def close(self) -> None:
        """End its process, if it has one."""
        if self._loaded.process:
            self._loaded.process.close()

    def _check_arguments(self, hook: str, due: list[str], given: Mapping[str, object]) -> None:
        own = [each for each in self._loaded.implementations if each.hook.name == hook]
        if not own:
            raise PluginError(f"{self._name} has no {hook}; it has {', '.join(self.hooks)}")
        for name in given:
            if name not in due:
                raise PluginError(f"{hook} has no argument {name!r}; it takes {', '.join(due)}")
        missing = {name for each in own for name in parameters(each.function)} - {"context", *given}
        if missing:
            raise PluginError(f"{self._name} takes {', '.join(sorted(missing))} of {hook}: give it to the call")


def _session_of(arguments: Mapping[str, Any]) -> tuple[Workspace | None, str]:
    """The workspace and the interpreter of the session that a hook would be called in with these arguments."""
    request = arguments.get("request")
    task = arguments.get("task") or getattr(request, "task", None)
    workspace = arguments.get("workspace") or getattr(request, "workspace", None)
    return workspace, task.python if task else ""


def try_plugin(
    entry: str | os.PathLike[str], where: Where, places: Places, settings: Mapping[str, object] | None = None
) -> Trial:
    """Load a plugin by its module, what its entry point names, or its file. It is granted what it needs. Raises
    `PluginError` and `PluginFault` for one that can't be loaded, and inside whatever its import raises."""
    found = _found(os.fspath(entry))
    guard = Guard(found.name, lambda fault: None, time.perf_counter)  # it keeps the faults itself
    if where == "inside":
        loaded = load_here(found, guard)
    else:
        workshop = Workshop(places.make())
        needs = workshop.look(found).needs
        loaded = workshop.load(found, Permit(needs=needs, real=real_paths(needs)))
    trial = Trial(found.name, where, loaded, guard)
    trial.witness.own_settings = merged(loaded.settings, settings or {}, f"plugins.{found.name}")
    trial.witness.own_folder = private_folder(places.plugin_folder(found.keeps_in))
    return trial


def _found(entry: str) -> Found:
    if entry.endswith(".py"):
        file = Path(entry).resolve()
        name = plugin_name(file.stem)
        return Found(name=name, version="", source=entry, entry=str(file), place=file, in_development=True)
    place = boot.place_of(entry)
    if place is None:
        top = boot.top_name(entry)
        raise PluginError(
            f"there is no module {top!r} on the import path of {sys.executable}; install the plugin "
            '(`pip install --editable .`), or set pythonpath = ["src"] in [tool.pytest.ini_options]'
        )
    name = plugin_name(entry.partition(":")[0].rpartition(".")[2])
    return Found(name=name, version="", source=entry, entry=entry, place=place, in_development=True)
