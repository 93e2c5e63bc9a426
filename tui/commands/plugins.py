"""`treadle plugins` and `treadle plugin`: what is plugged in, and switching it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import click

from treadle.core import wire
from treadle.core.config.own_file import NoRoom
from treadle.core.config.settings import plugin_name
from treadle.core.contributions import kind_of
from treadle.core.errors import ConfigError, PluginError, PluginFault, UsageError
from treadle.core.plugin_host.finding import installed_apart
from treadle.core.plugin_host.names import shown as shown_name
from treadle.core.plugin_host.needs import OWN, Needs
from treadle.core.plugin_host.plugin_manager import PluginInfo
from treadle.core.plugin_host.reach import real_paths
from treadle.core.plugin_host.state import Permit
from treadle.core.plugin_use import with_use
from treadle.core.project import Project
from treadle.tui.commands.develop_plugin import dev
from treadle.tui.commands.grants import asks_of, granted
from treadle.tui.commands.install_plugins import install, remove, update
from treadle.tui.commands.options import (
    check_known_names,
    check_plugin_names,
    json_option,
    open_project,
    show_notice,
)
from treadle.tui.commands.plugin_authors import check, new
from treadle.tui.commands.shadowed import is_shadowed, with_shadowed
from treadle.tui.commands.trace_plugins import trace
from treadle.tui.commands.trust import trust
from treadle.tui.exit_codes import ExitCode
from treadle.tui.fitting import tell
from treadle.tui.plugin_card import card, roles_of
from treadle.tui.safe_text import clean_line

_SHOWN = ("command", "panel", "model", "tool", "agent", "language")  # what a person can call for by its name


@click.command()
@click.argument("name", required=False)
@json_option
def plugins(name: str | None, as_json: bool) -> int:
    """List the plugins: their state, what they do in a session, and what those may do that run apart.

    With NAME, tell all of that plugin: where it comes from, what it answers, brings and takes, and how it was used.
    """
    with open_project() as project:
        for left_out in project.left_out_files():
            show_notice(left_out)
        manager = project.plugins_at_any_rate()
        found = tuple(map(with_shadowed, with_use(manager.plugins(), project.store)))
        if name is not None:
            check_plugin_names(project, [name])
            found = tuple(each for each in found if each.name == plugin_name(name))
        if as_json:
            click.echo(wire.to_json(found).decode())
        elif name is not None:
            for each in found:
                values = manager.settings_of(each.name) if each.hooks else {}
                click.echo("\n".join(card(each, values, shutil.get_terminal_size().columns)))
        else:
            tell("\n".join(_listed(found)))
    return 0


def _listed(found: tuple[PluginInfo, ...]) -> Iterator[str]:
    width = max(len(shown_name(plugin.name)) for plugin in found)
    for plugin in found:
        why = f"({plugin.why})" if plugin.why else ""
        told = "  ".join(filter(None, (roles_of(plugin), why)))
        yield f"{clean_line(shown_name(plugin.name)).ljust(width)}  {plugin.state:<9} {clean_line(told)}".rstrip()
        if plugin.isolation == "process":
            may = "; ".join((*OWN, *plugin.may))
            yield f"{' ' * width}  in a process of its own; it may {clean_line(may)}"
        shown = [e for e in plugin.contributions if kind_of(e) in _SHOWN and not is_shadowed(kind_of(e), e.name)]
        if shown:
            names = ", ".join(f"{kind_of(each)} {each.name}" for each in shown)
            yield f"{' ' * width}  it brings the {clean_line(names)}"


@click.group()
def plugin() -> None:
    """Install plugins, switch them on or off for this project, or with --user for all of yours.

    For those who write one: `new`, `check`, `dev` and `trace`.
    """


for _command in (install, update, remove, trust, new, check, dev, trace):
    plugin.add_command(_command)


@plugin.command()
@click.argument("name")
@click.option("--user", is_flag=True, help="For all projects of yours.")
@click.option("--inside", is_flag=True, help="Run it inside of Treadle itself, where nothing holds it back.")
@click.option("--yes", is_flag=True, help="Grant what it asks for without a question.")
def enable(name: str, user: bool, inside: bool, yes: bool) -> int:
    """Switch the plugin NAME on.

    One that does not ship with Treadle runs in a process of its own, in the sandbox, and may reach its own folder and
    what you grant it here.
    """
    with open_project() as project:
        check_plugin_names(project, [name])
        if inside and plugin_name(name) in installed_apart(project.places.plugin_environments):
            raise UsageError(
                f"{name} has an environment of its own, whose packages can't be mixed with Treadle's: enable it "
                "without --inside, or install it with pip into Treadle's own environment"
            )
        manager = project.plugins_unloaded  # no other one is imported, or waited for
        permit = None
        try:
            manifest = manager.look(plugin_name(name))
        except (PluginError, PluginFault) as error:
            raise PluginError(f"the plugin {name} can't be enabled: {error}") from None
        if manifest is not None:
            needs = Needs() if inside else manifest.needs
            real = real_paths(needs)  # what is shown is what is granted
            missing = [path for path, place in real.items() if not os.path.lexists(place)]
            if not granted(name, asks_of(needs, real, inside=inside, everywhere=user), yes):
                return ExitCode.NOT_SOLVED
            for path in missing:
                tell(f"{clean_line(path)} is not there: make it, and then the plugin sees it.")
            permit = Permit(inside=inside, needs=needs, real=real, origin=manager.origin_of(plugin_name(name)))
        project.plugin_states.enable(name, scope="user" if user else "project", permit=permit)
        click.echo(f"{name} is switched on for {'all your projects' if user else 'this project'}.")
        _tell_other_choice(project, name, wanted=True)
        if manifest is not None and not inside:
            tell(f"It may always {' and '.join(OWN)}.")
    return 0


@plugin.command()
@click.argument("name")
@click.option("--user", is_flag=True, help="For all projects of yours.")
def disable(name: str, user: bool) -> int:
    """Switch the plugin NAME off; its code is not even imported then.

    One that you had enabled and that is gone can be switched off as well.
    """
    with open_project() as project:
        check_known_names(project, [name])
        try:
            project.plugin_states.disable(name, scope="user" if user else "project")
        except NoRoom as error:
            raise ConfigError(
                f"{error}. `treadle plugin remove` makes some, and `--off {name}` does without it for one run"
            ) from None
        click.echo(f"{name} is switched off for {'all your projects' if user else 'this project'}.")
        _tell_other_choice(project, name, wanted=False)
    return 0


def _tell_other_choice(project: Project, name: str, *, wanted: bool) -> None:
    """Say so where it is not as wanted here: what was said for this project beats what is said for all."""
    choice = project.plugin_states.choice(name, built_in=False)
    if choice.enabled != wanted:
        stays, word = ("on", "disable") if choice.enabled else ("off", "enable")
        tell(f"In this project it stays {stays}, {choice.why}: `treadle plugin {word} {name}` changes that.")
