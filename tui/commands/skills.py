"""`treadle skills`: find a verified skill."""

from __future__ import annotations

import click

from treadle import skills as room
from treadle.core import wire
from treadle.core.records import Record
from treadle.tui.commands.options import json_option
from treadle.tui.exit_codes import ExitCode
from treadle.tui.safe_text import clean_line


class Listed(Record, frozen=True, kw_only=True):
    """One skill in `treadle skills --json`. `tests` is empty where they are not installed."""

    name: str
    summary: str
    words: tuple[str, ...]
    module: str
    signature: str
    path: str
    tests: str


@click.command()
@click.argument("words", nargs=-1)
@click.option("--code", is_flag=True, help="Print the code of the one skill that fits best.")
@json_option
def skills(words: tuple[str, ...], code: bool, as_json: bool) -> int:
    """List the verified skills, or those that fit WORDS best."""
    found = room.find(" ".join(words)) if words else room.catalogue()
    if code and not words:
        raise click.UsageError("--code prints the one skill that fits WORDS best; name some")
    if not found and not as_json:
        click.echo(f"no skill fits {clean_line(' '.join(words))!r}; `treadle skills` lists them all", err=True)
        return ExitCode.NOT_SOLVED
    if as_json:
        click.echo(wire.to_json([_listed(skill) for skill in found]).decode())
    elif code:
        click.echo(found[0].code, nl=False)
    else:
        width = max(len(skill.name) for skill in found)
        for skill in found:
            click.echo(f"{skill.name:<{width}}  {skill.summary}")
    return 0


def _listed(skill: room.Skill) -> Listed:
    return Listed(
        name=skill.name,
        summary=skill.summary,
        words=skill.words,
        module=skill.module,
        signature=skill.signature,
        path=str(skill.path),
        tests=str(skill.tests or ""),
    )
