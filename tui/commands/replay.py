"""`treadle replay`: a session once more, with what its models said then, and whether it comes to the same."""

from __future__ import annotations

import click

from treadle.core.acceptance import Acceptance
from treadle.core.counting import counted
from treadle.core.project import Project
from treadle.tui.before_work import look_after_files
from treadle.tui.commands.options import json_option, open_project
from treadle.tui.exit_codes import ExitCode
from treadle.tui.fitting import tell
from treadle.tui.run_session import Show, run_session

_HEARD = ("complete.finished", "complete.failed")


@click.command()
@click.argument("session", default="last")
@json_option
def replay(session: str, as_json: bool) -> int:
    """Do the task of SESSION (its id, the beginning of it, or "last") again, with what the models said then.

    No model is asked; the tests are run anew. No network is needed, but to install packages for the sandbox whose
    folder is kept no longer. It says whether the same came of it: exit code 0 when it did, 1 when not. `treadle
    sessions` marks it as a replay, and "last" goes on meaning the session of your own.
    """
    with open_project() as found:
        before = found.store.session(session)
        choices = found.choices_of(before.id)
    with open_project(earlier=choices) as project:
        look_after_files(project)
        again = project.replay(before.id)
        code = run_session(project, again, Show(as_json=as_json, offers=False))
        after = project.store.session(again.id)
        heard = sum(event.kind in _HEARD for event in project.store.events(again.id))
        came = "the same state and the same patch"
        if before.state != after.state:
            came = f"{after.state}, where it was {before.state}"
        elif _diff(project, before.id) != _diff(project, again.id):
            came = f"{after.state} as before, with another patch (`treadle show {again.id}`)"
        same = came.startswith("the same")
        if not as_json:
            tell(f"\nReplayed {counted(heard, 'request')} of session {before.id}: it came to {came}.")
            if not same and Acceptance(project.store, project.places, project.root, before.id).is_applied():
                why = "Its patch is applied, so that the files are not as then"
                tell(f"{why}; to compare, take it back first: treadle undo {before.id}")
    if again.stopping:
        return code
    return ExitCode.OK if same else ExitCode.NOT_SOLVED


def _diff(project: Project, session: str) -> str:
    return Acceptance(project.store, project.places, project.root, session).diff()
