"""`treadle undo`: take an applied patch back."""

from __future__ import annotations

import os

import click

from treadle.core.acceptance import cut_off, last_applied, unlogged
from treadle.core.errors import UsageError
from treadle.core.paths import decode, shown
from treadle.core.project import Project
from treadle.tui.commands.options import open_project
from treadle.tui.safe_text import clean_line
from treadle.tui.where_it_stands import interruptible, tell_interruption


@click.command()
@click.argument("session", default="")
@click.option(
    "--force",
    is_flag=True,
    help="Leave files in which the same lines have changed since as they are, and take back the rest.",
)
def undo(session: str, force: bool) -> int:
    """Take back the patch that SESSION applied; without SESSION one whose apply was cut off, or the one that was
    applied last.

    Other lines that you have changed in its files since stay as they are. Where its own lines have changed, it refuses,
    so that nobody's work is lost; --force keeps such files as they are now, and takes back the others. Files of which
    you took it back yourself stay as they are.
    """
    with open_project() as project:
        half = [each.session for each in cut_off(project.store, project.places)]
        if session not in ("", *half):
            return _undo(project, project.store.session(session).id, force=force)
        if half:
            return _undo(project, session or half[-1], force=force, half=True)
        name = last_applied(project.store, project.places, project.root) or unlogged(project.store, project.places)
        if name is None:
            raise UsageError("no applied patch was found in this project; `treadle sessions` lists what was done")
        return _undo(project, name, force=force)


def _undo(project: Project, session: str, *, force: bool, half: bool = False) -> int:
    acceptance = project.acceptance(session)
    try:
        with interruptible():
            taken = acceptance.undo(force=force)
    except KeyboardInterrupt:
        stands = "is still there" if acceptance.is_applied() else "was taken back before that, all of it"
        return tell_interruption(f"the patch of session {session} {stands}")
    if taken.already:
        click.echo(
            f"There is nothing to take back of the patch of session {session}: nothing of it is in its files any more. "
            "It counts as undone."
        )
        return 0
    for path in taken.files:
        is_there = os.path.lexists(project.root / decode(path))
        also = " (with other lines as they were changed since)" if path in taken.merged else ""
        click.echo(f"{'restored' if is_there else 'removed '}  {clean_line(shown(path))}{also}")
    for path in taken.kept:
        click.echo(f"kept      {clean_line(shown(path))} (it has changed since)")
    for path in taken.kept_folders:
        click.echo(f"kept      {clean_line(shown(path))}/ (it holds other files)")
    known = session in project.store.session_ids()
    of = f"of session {session}" if known else "of a session of which the event log knows nothing any more"
    if taken.kept and not taken.files:
        click.echo(f"Nothing was taken back of the patch {of}: what it changed has changed since. It counts as undone.")
        return 0
    click.echo(f"The patch {of} is taken back{', the part that was written before it was cut off' if half else ''}.")
    return 0
