"""`treadle plugins` and `treadle plugin`: what is plugged in, and switching it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import click

from treadle.core import wire
from treadle.core.config.settings import plugin_name
from treadle.core.contributions import kind_of
from treadle.core.folded import MOST
from treadle.core.plugin_host.names import shown as shown_name
from treadle.core.plugin_host.needs import OWN
from treadle.core.plugin_host.plugin_manager import PluginInfo
from treadle.core.plugin_use import with_use
from treadle.tui.commands.develop_plugin import dev
from treadle.tui.commands.grants import granted
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
from treadle.tui.plugin_switching import switch_off, switch_on, wanted
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
    missing = [plugin for plugin in found if plugin.state == "missing"]
    untold = frozenset(plugin.name for plugin in missing[MOST:])
    width = max(len(shown_name(plugin.name)) for plugin in found if plugin.name not in untold)
    for plugin in found:
        if plugin.name in untold:
            continue
        why = f"({plugin.why})" if plugin.why else ""
        told = "  ".join(filter(None, (roles_of(plugin), why)))
        yield f"{clean_line(shown_name(plugin.name)).ljust(width)}  {plugin.state:<9} {clean_line(told)}".rstrip()
        if plugin.hooks and plugin.isolation == "process":
            may = "; ".join((*OWN, *plugin.may))
            yield f"{' ' * width}  in a process of its own; it may {clean_line(may)}"
        shown = [e for e in plugin.contributions if kind_of(e) in _SHOWN and not is_shadowed(kind_of(e), e.name)]
        if shown:
            names = ", ".join(f"{kind_of(each)} {each.name}" for each in shown)
            yield f"{' ' * width}  it brings the {clean_line(names)}"
    if untold:
        yield f"and {len(untold)} more that are missing; --json tells all"


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
        asked = wanted(project, name, user=user, inside=inside)
        if not granted(name, asked.asks, yes):
            return ExitCode.NOT_SOLVED
        told, *more = switch_on(project, asked, user=user)
        click.echo(told)
        for line in more:
            tell(line)
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
        told, *more = switch_off(project, name, user=user)
        click.echo(told)
        for line in more:
            tell(line)
    return 0
