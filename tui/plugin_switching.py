"""Switching plugins on and off, and what a person is asked before and told after: the command and the screen do it."""

from __future__ import annotations

import os
from dataclasses import dataclass

from treadle.core.config.own_file import NoRoom
from treadle.core.config.settings import plugin_name
from treadle.core.errors import ConfigError, PluginError, PluginFault, UsageError
from treadle.core.plugin_host.finding import installed_apart
from treadle.core.plugin_host.needs import OWN, Needs
from treadle.core.plugin_host.reach import real_paths
from treadle.core.plugin_host.state import Permit, Scope
from treadle.core.project import Project
from treadle.tui.commands.grants import asks_of
from treadle.tui.safe_text import clean_line


@dataclass(frozen=True)
class Wanted:
    """A plugin that is to be switched on. `asks` is what it asks for beyond what all may, a line each; `permit` what it
    is given with that, None for a built-in, which needs none."""

    name: str
    asks: tuple[str, ...] = ()
    permit: Permit | None = None


def wanted(project: Project, name: str, *, user: bool, inside: bool = False) -> Wanted:
    """What switching it on takes, for this project or (`user`) for all of the person's; `inside`: it is to run within
    Treadle. No other plugin is imported, or waited for. Raises `UsageError` and `PluginError` for one that can't be
    enabled, with the reason."""
    if inside and plugin_name(name) in installed_apart(project.places.plugin_environments):
        raise UsageError(
            f"{name} has an environment of its own, whose packages can't be mixed with Treadle's: enable it "
            "without --inside, or install it with pip into Treadle's own environment"
        )
    manager = project.plugins_unloaded
    try:
        manifest = manager.look(plugin_name(name))
    except (PluginError, PluginFault) as error:
        raise PluginError(f"the plugin {name} can't be enabled: {error}") from None
    if manifest is None:
        return Wanted(name)
    needs = Needs() if inside else manifest.needs
    real = real_paths(needs)  # what is shown is what is granted
    permit = Permit(inside=inside, needs=needs, real=real, origin=manager.origin_of(plugin_name(name)))
    return Wanted(name, tuple(asks_of(needs, real, inside=inside, everywhere=user)), permit)


def switch_on(project: Project, plugin: Wanted, *, user: bool) -> list[str]:
    """Switch it on, with what it asks for, for this project or (`user`) for all of the person's; sentences on what
    holds then."""
    project.plugin_states.enable(plugin.name, scope=_scope(user), permit=plugin.permit)
    told = [f"{plugin.name} is switched on for {_whom(user)}.", *_other_choice(project, plugin.name, on=True)]
    real = plugin.permit.real if plugin.permit is not None else {}
    missing = (path for path, place in real.items() if not os.path.lexists(place))
    told += [f"{clean_line(path)} is not there: make it, and then the plugin sees it." for path in missing]
    if plugin.permit is not None and not plugin.permit.inside:
        told.append(f"It may always {' and '.join(OWN)}.")
    return told


def switch_off(project: Project, name: str, *, user: bool) -> list[str]:
    """Switch it off, as `switch_on`; its code is not even imported then."""
    try:
        project.plugin_states.disable(name, scope=_scope(user))
    except NoRoom as error:
        raise ConfigError(
            f"{error}. `treadle plugin remove` makes some, and `--off {name}` does without it for one run"
        ) from None
    return [f"{name} is switched off for {_whom(user)}.", *_other_choice(project, name, on=False)]


def _scope(user: bool) -> Scope:
    return "user" if user else "project"


def _whom(user: bool) -> str:
    return "all your projects" if user else "this project"


def _other_choice(project: Project, name: str, *, on: bool) -> list[str]:
    """Say so where it is not as wanted here: what was said for this project beats what is said for all."""
    choice = project.plugin_states.choice(name, built_in=False)
    if choice.enabled == on:
        return []
    stays, word = ("on", "disable") if choice.enabled else ("off", "enable")
    return [f"In this project it stays {stays}, {choice.why}: `treadle plugin {word} {name}` changes that."]
