"""`treadle plugin new` and `treadle plugin check`: for those who write plugins."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from treadle.core import wire
from treadle.core.counting import counted
from treadle.core.plugin_kit.author_check import Look, look_at
from treadle.core.plugin_kit.new_plugin import write_plugin
from treadle.tui.commands.options import json_option
from treadle.tui.commands.shadowed import with_shadowed_errors
from treadle.tui.exit_codes import ExitCode
from treadle.tui.safe_text import clean, clean_line


@click.command()
@click.argument("name")
@click.option("--folder", type=click.Path(path_type=Path), help="Where to write it; treadle-NAME when left out.")
def new(name: str, folder: Path | None) -> int:
    """Write the package of a new plugin NAME: one hook, its test, a CI workflow.

    The folder must be empty, or not there yet.
    """
    place, files = write_plugin(name, folder)
    click.echo(f"Written to {clean_line(str(place))}:")
    for file in files:
        click.echo(f"  {file}")
    click.echo(f"Next: cd {clean_line(shlex.quote(str(place)))}, then `treadle plugin check` and `python -m pytest`.")
    return 0


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path), default=Path())
@json_option
def check(path: Path, as_json: bool) -> int:
    """Say all that is wrong with the plugin in PATH, a project's folder (this one when left out) or a Python file.

    It is imported in a process of its own, in the sandbox, with nothing granted, as Treadle does when you enable it.
    Exits with 1 when there is an error; what is only a warning keeps nothing out.
    """
    look = with_shadowed_errors(look_at(path))
    click.echo(wire.to_json(look).decode() if as_json else "\n".join(lines_of(look)))
    return ExitCode.NOT_SOLVED if look.errors else 0


def lines_of(look: Look) -> list[str]:
    """What was found, as a person is told."""
    lines = [f"error    {clean(error)}" for error in look.errors]
    lines += [f"warning  {clean(warning)}" for warning in look.warnings]
    lines += [f"It asks to {clean_line(line)}." for line in look.may]
    if look.errors:
        number = len(look.errors)
        return [*lines, f"{counted(number, 'error')}: Treadle would not use it as it is."]
    return [*lines, f"{clean_line(', '.join(look.plugins))}: fine; it answers {clean_line(', '.join(look.hooks))}."]
