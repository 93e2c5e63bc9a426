"""`treadle skills`: find a verified skill."""

from __future__ import annotations

from collections.abc import Callable

import click

from treadle import skills as room
from treadle.core import contributions, wire
from treadle.core.records import Record
from treadle.tui.commands.brought import context_of
from treadle.tui.commands.options import json_option, open_project
from treadle.tui.exit_codes import ExitCode
from treadle.tui.safe_text import clean, clean_line


class Listed(Record, frozen=True, kw_only=True):
    """One skill in `treadle skills --json`: one that ships with Treadle (`module`, `path`, and `tests` where they are
    installed), or one that a plugin brings."""

    name: str
    summary: str
    words: tuple[str, ...]
    signature: str
    module: str = ""
    path: str = ""
    tests: str = ""
    plugin: str = ""


@click.command()
@click.argument("words", nargs=-1)
@click.option("--code", is_flag=True, help="Print the code of the one skill that fits best.")
@json_option
def skills(words: tuple[str, ...], code: bool, as_json: bool) -> int:
    """List the verified skills, or those that fit WORDS best; those that plugins bring, too."""
    if code and not words:
        raise click.UsageError("--code prints the one skill that fits WORDS best; name some")
    with open_project() as project, context_of(project) as context:
        brought = [each for each in context.contributions("skill") if isinstance(each, contributions.Skill)]
        known: list[room.Skill | contributions.Skill] = [*room.catalogue(), *brought]
        found = room.find(" ".join(words), known)
        if not found and not as_json:
            click.echo(f"no skill fits {clean_line(' '.join(words))!r}; `treadle skills` lists them all", err=True)
            return ExitCode.NOT_SOLVED
        if as_json:
            owner = context.brought().owner
            click.echo(wire.to_json([_listed(skill, owner) for skill in found]).decode())
        elif code:
            best = found[0]
            text = best.code if isinstance(best, room.Skill) else context.run("skill", best.name, {})
            if text is None:
                return ExitCode.NOT_SOLVED
            click.echo(clean(text).rstrip("\n"))
        else:
            width = max(len(skill.name) for skill in found)
            for skill in found:
                click.echo(f"{clean_line(skill.name):<{width}}  {clean_line(skill.summary)}")
    return 0


def _listed(skill: room.Skill | contributions.Skill, owner: Callable[[str, str], str]) -> Listed:
    if isinstance(skill, contributions.Skill):
        return Listed(
            name=skill.name,
            summary=skill.summary,
            words=skill.words,
            signature=skill.signature,
            plugin=owner("skill", skill.name),
        )
    return Listed(
        name=skill.name,
        summary=skill.summary,
        words=skill.words,
        module=skill.module,
        signature=skill.signature,
        path=str(skill.path),
        tests=str(skill.tests or ""),
    )
