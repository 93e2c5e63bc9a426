"""`treadle show`: what happened in a session, and what came of it."""

from __future__ import annotations

import click
import msgspec

from treadle.core import wire
from treadle.core.acceptance import Acceptance
from treadle.core.errors import UsageError
from treadle.core.events import Event
from treadle.core.nearest import did_you_mean
from treadle.core.records import Execution, Outcome
from treadle.core.session import worked_seconds
from treadle.tui.commands.options import json_option, open_project
from treadle.tui.fitting import columns
from treadle.tui.progress import line_of
from treadle.tui.result import result_of, to_text
from treadle.tui.safe_text import clean, clean_line

SHOWN_JOBS = 8


def last_execution(events: list[Event], job: str) -> Execution:
    """The last run of the job that the events tell of. Raises `UsageError` when there is none."""
    ran: dict[str, Execution] = {}
    for event in events:
        if event.kind == "execute.finished":
            done = msgspec.convert(event.data["result"], tuple[Execution, ...])
            ran.update({execution.job: execution for execution in done})
    if job not in ran:
        names = ", ".join(list(ran)[:SHOWN_JOBS]) or "none"
        raise UsageError(f"no job {job!r} ran in this session; {did_you_mean(job, ran)}those that ran: {names}")
    return ran[job]


@click.command()
@click.argument("session", default="last")
@click.option("--events", is_flag=True, help="Every event, a line each.")
@click.option("--output", "job", metavar="JOB", help="What a job printed when it ran last, for example: tests.")
@json_option
def show(session: str, events: bool, job: str | None, as_json: bool) -> int:
    """Show SESSION (its id, the beginning of it, or "last"): its stages, its result and its patch."""
    if job is not None and (events or as_json):
        raise click.UsageError("--output prints what a job printed; it goes with neither --events nor --json")
    with open_project() as project:
        row = project.store.session(session)
        logged = list(project.store.events(row.id))
        if job is not None:
            execution = last_execution(logged, job)
            for stream in (execution.stdout, execution.stderr):
                whole = project.store.get_output(stream.ref) if stream.ref else None
                click.echo(clean(whole or stream.text), nl=False)
            return 0
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
            click.echo("\n" + to_text(shown, width=columns()), nl=False)
    return 0
