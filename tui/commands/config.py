"""`treadle config`: each setting, its value and where it came from."""

from __future__ import annotations

import click

from treadle.core import wire
from treadle.core.counting import counted
from treadle.core.errors import ConfigError
from treadle.core.project import Project
from treadle.tui.commands.options import json_option, open_project
from treadle.tui.safe_text import clean_line


@click.command()
@json_option
def config(as_json: bool) -> int:
    """Show each setting of this project, its value and where it came from."""
    with open_project() as project:
        settings = project.settings
        rows = settings.explain()
        if as_json:
            click.echo(
                wire.to_json([{"key": key, "value": value, "source": source} for key, value, source in rows]).decode()
            )
            return 0
        width = max(len(key) for key, _, _ in rows)
        for key, value, source in rows:
            shown = "not set" if value is None else clean_line(wire.to_json(value).decode())
            click.echo(f"{key:<{width}}  {shown}  ({clean_line(source)})")
        own = project.places.user_config
        missing = "" if own.is_file() else ", which is not there yet"
        click.echo(f"\nYour own settings: {clean_line(str(own))}{missing}")
        _tell_rules(project)
        for notice in settings.notices:
            click.echo(f"note: {clean_line(notice)}", err=True)
    return 0


def _tell_rules(project: Project) -> None:
    """What the person is not asked about here."""
    try:
        number = len(project.allow_rules.read())
    except ConfigError as error:
        click.echo(f"note: {clean_line(str(error))}", err=True)
        return
    if number:
        rules = counted(number, "rule")
        click.echo(f"What you allow here always: {rules}, `treadle approvals` shows them")
