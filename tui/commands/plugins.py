"""`treadle plugins` and `treadle plugin`: what is plugged in, and switching it."""

from __future__ import annotations

import click

from treadle.core import wire
from treadle.core.config.settings import plugin_name
from treadle.core.errors import UsageError
from treadle.core.plugin_host.finding import installed_apart
from treadle.core.plugin_host.needs import Needs
from treadle.core.plugin_host.state import Permit
from treadle.tui.commands.install_plugins import install, remove, update
from treadle.tui.commands.options import check_plugin_names, json_option, open_project
from treadle.tui.commands.plugin_authors import check, new
from treadle.tui.commands.trust import trust
from treadle.tui.exit_codes import ExitCode
from treadle.tui.safe_text import clean_line


@click.command()
@json_option
def plugins(as_json: bool) -> int:
    """List the plugins: their state, the hooks that they answer, and what those may do that run apart."""
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
            if plugin.isolation == "process":
                may = ("read and write its own folder", *plugin.may)
                click.echo(" " * width + clean_line(f"  in a process of its own; it may {'; '.join(may)}"))
    return 0


@click.group()
def plugin() -> None:
    """Install plugins, switch them on or off for this project, or with --user for all of yours; write and check one."""


for _command in (install, update, remove, trust, new, check):
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
        manifest = project.plugins.look(plugin_name(name))
        permit = None
        if manifest is not None:
            asks = ["do whatever you can do yourself, inside of Treadle"] if inside else list(manifest.needs.lines())
            if not _granted(name, asks, yes):
                return ExitCode.NOT_SOLVED
            permit = Permit(inside=inside, needs=Needs() if inside else manifest.needs)
        project.plugin_states.enable(name, scope="user" if user else "project", permit=permit)
        click.echo(f"{name} is switched on for {'all your projects' if user else 'this project'}.")
    return 0


def _granted(name: str, asks: list[str], yes: bool) -> bool:
    if not asks:
        return True
    click.echo(f"{clean_line(name)} wants to:")
    for line in asks:
        click.echo(f"  {clean_line(line)}")
    return yes or click.confirm("Grant it?", default=False)


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
