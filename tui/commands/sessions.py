"""`treadle sessions`: what was done in this project, and which of it is kept."""

from __future__ import annotations

import time
from collections.abc import Callable

import click
from click.core import ParameterSource

from treadle.core import wire
from treadle.core.project import Project
from treadle.core.records import Record
from treadle.core.store.session_finder import SessionRow
from treadle.core.store.store import Store
from treadle.tui.commands.options import json_option, open_project
from treadle.tui.half_applied import tell_of_half_applied
from treadle.tui.safe_text import clean_line


class Listed(Record, frozen=True, kw_only=True):
    """One session in `treadle sessions --json`. Moments are Unix time; `running` says that a program works on it now,
    `interrupted` that the program that worked on it is gone, `half_applied` that only a part of its patch is in the
    files, since the apply, or undo, was cut off. `forked_from` is the session that it is a copy of, `replays` the one
    that it does again, "" for none."""

    id: str
    task: str
    kind: str
    state: str
    started: float
    ended: float | None
    starred: bool
    running: bool
    interrupted: bool
    half_applied: bool
    forked_from: str = ""
    replays: str = ""


CHANGES: dict[str, tuple[Callable[[Store, str], SessionRow], str]] = {
    "--star": (Store.star, "is kept for good"),
    "--unstar": (lambda store, name: store.star(name, False), "is kept no longer than others"),
    "--delete": (Store.delete, "is deleted; --undelete takes it back for a week"),
    "--undelete": (Store.undelete, "is back"),
}
"""What each option does to the session that it names, and what is said then."""


@click.command()
@click.option("--search", metavar="WORDS", help="Only sessions in whose text these words occur.")
@click.option("--limit", type=click.IntRange(1, 1_000_000), default=20, show_default=True, help="How many at the most.")
@click.option("--all", "all_of_them", is_flag=True, help="All of them.")
@click.option("--star", metavar="ID", help="Keep this session for good.")
@click.option("--unstar", metavar="ID", help="Keep it no longer than others.")
@click.option("--delete", metavar="ID", help="Delete this session; --undelete takes it back for a week.")
@click.option("--undelete", metavar="ID", help="Take a deletion back.")
@json_option
def sessions(
    search: str | None,
    limit: int,
    all_of_them: bool,
    star: str | None,
    unstar: str | None,
    delete: str | None,
    undelete: str | None,
    as_json: bool,
) -> int:
    """List the sessions of this project, the latest first; a * marks those that are kept for good.

    With --star, --unstar, --delete or --undelete nothing is listed: that one session is changed.
    """
    named = {"--star": star, "--unstar": unstar, "--delete": delete, "--undelete": undelete}
    asked = [(option, name) for option, name in named.items() if name is not None]
    _refuse_to_mix([option for option, _ in asked])
    with open_project() as project:
        for option, name in asked:
            change, done = CHANGES[option]
            click.echo(f"Session {change(project.store, name).id} {done}.")
            return 0
        half_applied = tell_of_half_applied(project)
        rows = project.store.sessions(limit=None if all_of_them else limit, search=search)
        listed = [_listed(project, row, half_applied=row.id in half_applied) for row in rows]
        if as_json:
            click.echo(wire.to_json(listed).decode())
        elif not listed and search:
            click.echo("No session holds these words. `treadle sessions` lists all of them.")
        elif not listed:
            click.echo('No sessions here yet. Start one with: treadle run "TASK", or treadle fix')
        else:
            for session in listed:
                click.echo(_line(session))
    return 0


def _refuse_to_mix(changes: list[str]) -> None:
    """Raise `click.UsageError` for two changes at once, or one together with an option for the list."""
    context = click.get_current_context()
    given = [name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if changes and len(given) > 1:
        raise click.UsageError(f"{changes[0]} ID changes one session and lists none; use it without other options")


def _listed(project: Project, row: SessionRow, *, half_applied: bool) -> Listed:
    running = project.store.is_locked(row.id)
    return Listed(
        id=row.id,
        task=row.title,
        kind=row.task.kind,
        state=row.state,
        started=row.started,
        ended=row.ended,
        starred=row.starred,
        running=running,
        interrupted=not running and project.store.interrupted(row),
        half_applied=half_applied,
        forked_from=row.parent or "",
        replays=row.replays,
    )


def _line(session: Listed) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(session.started))
    state = "running" if session.running else "interrupted" if session.interrupted else session.state.lower()
    state = "half-applied" if session.half_applied else state
    star = "*" if session.starred else " "
    origin = f"  (replays {session.replays})" if session.replays else ""
    origin = f"  (forked from {session.forked_from})" if session.forked_from else origin
    return f"{session.id}{star} {when}  {state:<12} {session.kind:<6} {clean_line(session.task)}{origin}"
