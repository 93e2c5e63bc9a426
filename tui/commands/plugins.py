"""`treadle plugins` and `treadle plugin enable|disable`: what is plugged in, and switching it."""

from __future__ import annotations

import click

from treadle.core import wire
from treadle.tui.commands.options import check_plugin_names, json_option, open_project
from treadle.tui.safe_text import clean_line


@click.command()
@json_option
def plugins(as_json: bool) -> int:
    """List the plugins: their state, and the hooks that they answer."""
    with open_project() as project:
        found = project.plugins.plugins()
        if as_json:
            click.echo(wire.to_json(found).decode())
            return 0
        width = max(len(plugin.name) for plugin in found)
        for plugin in found:
            hooks = ", ".join(hook.removeprefix("treadle_") for hook in plugin.hooks)
            why = f"  ({plugin.why})" if plugin.why else ""
            click.echo(clean_line(f"{plugin.name}").ljust(width) + f"  {plugin.state:<9}" + clean_line(f"{hooks}{why}"))
    return 0


@click.group()
def plugin() -> None:
    """Switch a plugin on or off for this project, or with --user for all of yours."""


@plugin.command()
@click.argument("name")
@click.option("--user", is_flag=True, help="For all projects of yours.")
def enable(name: str, user: bool) -> int:
    """Switch the plugin NAME on."""
    with open_project() as project:
        check_plugin_names(project, [name])
        project.plugin_states.enable(name, scope="user" if user else "project")
        click.echo(f"{name} is switched on for {'all your projects' if user else 'this project'}.")
    return 0


@plugin.command()
@click.argument("name")
@click.option("--user", is_flag=True, help="For all projects of yours.")
def disable(name: str, user: bool) -> int:
    """Switch the plugin NAME off; its code is not even imported then."""
    with open_project() as project:
        check_plugin_names(project, [name])
        project.plugin_states.disable(name, scope="user" if user else "project")
        click.echo(f"{name} is switched off for {'all your projects' if user else 'this project'}.")
    return 0
