"""`treadle resume`: go on with a session, answer what it rests on, or apply its patch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import click

from treadle.core.errors import TreadleError
from treadle.core.project import Project
from treadle.core.states import SETTLED
from treadle.tui.before_work import look_after_files
from treadle.tui.chosen_models import check_models, model_settings
from treadle.tui.commands.model_option import model_option
from treadle.tui.commands.options import json_option, open_project, show_notice, with_run_options
from treadle.tui.run_session import Show, run_session


@click.command()
@click.argument("session", default="last")
@click.option("--answer", metavar="TEXT", help="The answer to the question that the session rests on.")
@click.option("--words", metavar="WORDS", help="With an answer such as deny: why, or what to do instead.")
@click.option(
    "--reject",
    metavar="WORDS",
    help="Why its last attempt, or the plan or change that it asks about, will not do; another one is made.",
)
@click.option("--another", is_flag=True, help="With --reject, or alone: by another approach.")
@click.option(
    "--from",
    "attempt",
    type=click.IntRange(min=1),
    metavar="N",
    help="Go on from attempt N as if those after it had not been: alone, one that had passed before you spoke against "
    "it holds again, and after any other another one is made; with --reject if you have something to say.",
)
@click.option(
    "--choose",
    type=click.IntRange(min=1),
    metavar="N",
    help="Take change N of those that every test passes with, as the result lists them; it is tried.",
)
@click.option("--keep-example", is_flag=True, help="With --choose: the example by which they differ becomes a test.")
@click.option("--fork", is_flag=True, help="Go on in a copy of the session, which stays as it is itself.")
@model_option
@click.option("--apply", is_flag=True, help="Apply the patch when there is one, without asking.")
@click.option(
    "--merge", is_flag=True, help="With --apply: onto files that have changed since, where that is in other lines."
)
@json_option
@with_run_options
def resume(
    session: str,
    answer: str | None,
    words: str | None,
    reject: str | None,
    another: bool,
    attempt: int | None,
    choose: int | None,
    keep_example: bool,
    fork: bool,
    models: tuple[str, ...],
    apply: bool,
    merge: bool,
    as_json: bool,
    sets: tuple[str, ...],
    on: tuple[str, ...],
    off: tuple[str, ...],
) -> int:
    """Go on with SESSION (its id, the beginning of it, or "last").

    What it has finished is not done again, and what --model, --set, --on, --off and the like said at its start still
    holds unless said otherwise now. A session that has ended shows its result once more, and can be applied.
    """
    if merge and not apply:
        raise click.UsageError("--merge goes with --apply")
    if words is not None and answer is None:
        raise click.UsageError("--words goes with --answer")
    if keep_example and choose is None:
        raise click.UsageError("--keep-example goes with --choose")
    rejects = reject is not None or another or attempt is not None
    if rejects and choose is not None:
        raise click.UsageError("--reject, --another and --from don't go together with --choose")
    speaks = rejects or choose is not None
    if speaks and answer is not None:
        raise click.UsageError("--reject, --another and --from don't go together with --answer, nor does --choose")
    chosen = model_settings(models)
    with open_project() as found:
        row = found.store.session(session)
        earlier = found.choices_of(row.id)
    with open_project(sets=sets, on=on, off=off, earlier=earlier, **chosen) as project:
        check_models(project, models)
        look_after_files(project)
        project.check_plugins()  # before there is a copy, or something that was said
        if fork:
            original, row = row, project.fork(row.id)
            show_notice(f"session {row.id} goes on as a copy of {original.id}, which stays as it is")
        with _not_left_behind(project, row.id) if fork else nullcontext():
            if answer is not None:
                project.answer(row.id, answer, words or "")
            if choose is not None:
                project.choose(row.id, choose, keeps_example=keep_example)
            elif speaks:
                project.give_feedback(row.id, reject or "", attempt=attempt, another=another)
        if row.state in SETTLED and not speaks and (models or sets or on or off):
            show_notice(
                f"session {row.id} has ended, so what you have chosen changes nothing: with --another or --reject "
                f'WORDS another attempt is made with it, and so does `treadle run "TASK" --continue {row.id}`'
            )
        # What has ended was shown before: who names it again knows what its notes say.
        show = Show(as_json=as_json, apply=apply, merge=merge, looked_at=row.state in SETTLED and not speaks)
        return run_session(project, project.resume(row.id), show)


@contextmanager
def _not_left_behind(project: Project, copy: str) -> Iterator[None]:
    """Delete the copy where what was to be said in it can't be: nobody has anything from it then."""
    try:
        yield
    except TreadleError:
        project.store.delete(copy)
        raise
