"""`treadle approvals`: what the person is not asked about any more in this project."""

from __future__ import annotations

import click

from treadle.core import wire
from treadle.core.paths import shown
from treadle.tui.commands.options import json_option, open_project
from treadle.tui.fitting import tell
from treadle.tui.safe_text import clean_line


@click.command()
@click.option("--remove", "number", type=click.IntRange(min=1), metavar="N", help="Take the rule of this number back.")
@json_option
def approvals(number: int | None, as_json: bool) -> int:
    """Show what you have allowed here always, or take one of it back.

    Each is a rule of your own: you are not asked about what RULE says of the files that PATH fits, and the log says so
    where it holds. What is denied is never allowed by it. It is kept in a file of yours, which you can edit.
    """
    with open_project() as project:
        rules = project.allow_rules
        if number is not None:
            gone = rules.remove(number)
            if not as_json:
                tell(clean_line(f"You are asked again about {gone.rule} in {shown(gone.path)}."))
                return 0
        there = rules.read()
        if as_json:
            click.echo(wire.to_json(there).decode())
            return 0
        if not there:
            tell("You have allowed nothing here always.")
        for place, rule in enumerate(there, 1):
            tell(clean_line(f"{place}. {rule.rule} in {shown(rule.path)}"))
            if rule.why:
                tell(f"   when you were asked: {clean_line(rule.why)}")
        click.echo(f"\nThe file: {clean_line(str(rules.file))}{'' if rules.file.is_file() else ', not there yet'}")
    return 0
