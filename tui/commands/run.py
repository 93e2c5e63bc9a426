"""`treadle run`: a language model plans and writes a change, which is checked and mended before you see it."""

from __future__ import annotations

import math
import re
import shlex
from typing import Any

import click

from treadle.tui.before_work import look_after_files
from treadle.tui.chosen_models import check_models, check_set_models, model_settings
from treadle.tui.commands.model_option import model_option
from treadle.tui.commands.options import json_option, open_project, python_option, test_option, with_run_options
from treadle.tui.run_session import Show, run_session
from treadle.tui.tasks import run_task, said_before

_SESSION = re.compile(r"\d{8}-\d{6}(-[a-z0-9]{0,4})?")


class Dollars(click.ParamType[float]):
    """An amount of money: a number, 0 or more."""

    name = "dollars"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        try:
            dollars = float(value)
        except ValueError:
            dollars = math.nan
        if not 0 <= dollars < math.inf:
            self.fail(f"{value!r} is not a number of US dollars, such as 0.50", param, ctx)
        return dollars


@click.command()
@click.argument("words", metavar="TASK", nargs=-1)
@test_option
@click.option("--file", "files", multiple=True, type=click.Path(exists=True), help="A file or folder that it is about.")
@model_option
@click.option("--budget", type=Dollars(), metavar="USD", help="What models may cost in this session.")
@click.option("--attempts", type=click.IntRange(min=1), metavar="N", help="Attempts in all before it ends by itself.")
@click.option("--approve", type=click.Choice(["ask", "review", "auto", "read-only"]), help="What you are asked about.")
@click.option(
    "--continue",
    "earlier",
    is_flag=False,
    flag_value="last",
    metavar="[SESSION]",
    help="Go on from what was said in a session, the last one unless it is named.",
)
@click.option("--plan", "shows_plan", is_flag=True, help="Show the plan, and go on only when you say so.")
@click.option("--apply", is_flag=True, help="Apply the patch when one is found, without asking.")
@json_option
@with_run_options
@python_option
def run(
    words: tuple[str, ...],
    test: str | None,
    files: tuple[str, ...],
    models: tuple[str, ...],
    budget: float | None,
    attempts: int | None,
    approve: str | None,
    earlier: str | None,
    shows_plan: bool,
    apply: bool,
    as_json: bool,
    python: str | None,
    sets: tuple[str, ...],
    on: tuple[str, ...],
    off: tuple[str, ...],
) -> int:
    """Have TASK done by a language model: a change of the code, or the answer to a question about it.

    The plan is shown, the change is written in a workspace of its own, scanned, run in the sandbox against the tests,
    and mended until it holds. The patch is shown with its evidence; nothing of yours is changed before you accept it.
    `treadle models` lists the models that can be asked.
    """
    task = " ".join(words)
    if len(words) > 1:
        raise click.UsageError(f"put the task in quotation marks: treadle run {shlex.quote(task)}")
    if earlier is not None and not task.strip():
        earlier, task = "last", earlier  # --continue "TASK": what follows was meant as the task
    if not task.strip() or task == "last" or _SESSION.fullmatch(task.strip()):
        raise click.UsageError('say what is to be done: treadle run "TASK"')
    chosen: dict[str, Any] = {"budget.usd": budget, "loop.max_attempts": attempts, "approval": approve}
    chosen |= model_settings(models)
    with open_project(python=python, sets=sets, on=on, off=off, test_command=test, **chosen) as project:
        check_models(project, models)
        check_set_models(project)
        look_after_files(project, begins=True)
        said = said_before(project, earlier) if earlier is not None else ()
        asked = run_task(project, task, files, shows_plan=shows_plan, earlier=said)
        return run_session(project, project.start(asked), Show(as_json=as_json, apply=apply))
