"""`treadle show`: what happened in a session, and what came of it."""

from __future__ import annotations

import click
import msgspec

from treadle.core import wire
from treadle.core.acceptance import Acceptance
from treadle.core.records import Outcome
from treadle.core.session import worked_seconds
from treadle.tui.commands.options import json_option, open_project
from treadle.tui.progress import line_of
from treadle.tui.result import result_of, to_text
from treadle.tui.safe_text import clean_line


@click.command()
@click.argument("session", default="last")
@click.option("--events", is_flag=True, help="Every event, a line each.")
@json_option
def show(session: str, events: bool, as_json: bool) -> int:
    """Show SESSION (its id, the beginning of it, or "last"): its stages, its result and its patch."""
    with open_project() as project:
        row = project.store.session(session)
        logged = list(project.store.events(row.id))
        if as_json:
            for event in logged:
                click.echo(wire.to_json(event).decode())
            return 0
        click.echo(clean_line(f"{row.id}  {row.state.lower()}  {row.title}"))
        for event in logged:
            line = f"{event.seq:>5}  {event.kind}" if events else line_of(event)
            if line is not None:
                click.echo(f"  {clean_line(line)}")
        ended = next((e for e in reversed(logged) if e.kind in ("session.ended", "session.rests")), None)
        if ended is not None:
            acceptance = Acceptance(project.store, project.places, project.root, row.id)
            shown = result_of(
                row.id,
                msgspec.convert(ended.data["outcome"], Outcome),
                patch=acceptance.diff(),
                seconds=worked_seconds(logged),
                applied=acceptance.is_applied(),
            )
            click.echo("\n" + to_text(shown), nl=False)
    return 0
