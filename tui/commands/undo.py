"""`treadle undo`: take an applied patch back."""

from __future__ import annotations

import click

from treadle.core.acceptance import Acceptance, last_applied, unlogged
from treadle.core.errors import UsageError
from treadle.core.patches import patch as patches
from treadle.tui.commands.options import open_project
from treadle.tui.safe_text import clean_line


@click.command()
@click.argument("session", default="")
def undo(session: str) -> int:
    """Take back the patch that SESSION applied; without SESSION the one that was applied last.

    Refuses when one of its files has changed since, so that nobody's work is lost.
    """
    with open_project() as project:
        name = session or last_applied(project.store, project.places, project.root)
        lost = unlogged(project.store, project.places) if name is None else None
        if lost is not None:
            for path in patches.undo(lost).files:
                click.echo(f"restored  {clean_line(path)}")
            click.echo("A patch of which the event log knows nothing any more is taken back.")
            return 0
        if name is None:
            raise UsageError("no applied patch was found in this project; `treadle sessions` lists what was done")
        row = project.store.session(name)
        taken = Acceptance(project.store, project.places, project.root, row.id).undo()
        for path in taken.files:
            click.echo(f"restored  {clean_line(path)}")
        click.echo(f"The patch of session {row.id} is taken back.")
    return 0
