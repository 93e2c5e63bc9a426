"""`treadle metrics`: what the sessions of this project came to."""

from __future__ import annotations

import click
import msgspec

from treadle.core import wire
from treadle.core.metrics import measure
from treadle.tui.commands.options import json_option, open_project
from treadle.tui.safe_text import clean_line


@click.command()
@json_option
def metrics(as_json: bool) -> int:
    """Show what the sessions of this project came to, read from their events."""
    with open_project() as project:
        found = measure(project.store)
    if as_json:
        click.echo(wire.to_json(found).decode())
        return 0
    for name, value in msgspec.structs.asdict(found).items():
        click.echo(f"{name.replace('_', ' '):<22} {clean_line(_shown(value))}")
    return 0


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_shown(each)}" for key, each in value.items()) or "-"
    if isinstance(value, float):
        return f"{value:.2f}"
    return "-" if value is None else str(value)
