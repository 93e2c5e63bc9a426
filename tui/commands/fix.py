"""`treadle fix`: repair a project whose tests fail."""

from __future__ import annotations

from pathlib import Path

import click

from treadle.core.errors import UsageError
from treadle.tui.before_work import look_after_files
from treadle.tui.commands.options import json_option, open_project, python_option, test_option, with_run_options
from treadle.tui.run_session import Show, run_session
from treadle.tui.tasks import file_of, fix_task

EXHAUSTIVE = (
    "plugins.search.rivals=20",
    "plugins.search.trust_s=240",
    "plugins.search.trust_candidates=3000",
)
"""What `--exhaustive` sets."""


@click.command()
@click.argument("places", nargs=-1, metavar="[PATH|TEST]...", type=click.Path())
@test_option
@click.option("--apply", is_flag=True, help="Apply the patch when one is found, without asking.")
@click.option("--exhaustive", is_flag=True, help="Look for other repairs as long as the budget of the search lasts.")
@json_option
@with_run_options
@python_option
def fix(
    places: tuple[str, ...],
    test: str | None,
    apply: bool,
    exhaustive: bool,
    as_json: bool,
    python: str | None,
    sets: tuple[str, ...],
    on: tuple[str, ...],
    off: tuple[str, ...],
) -> int:
    """Repair the project at PATH (a folder, or a file of it to search in) whose tests fail; or make those TESTs pass,
    by the names that pytest gives them (tests/test_a.py::test_b), with every other one that passes.

    The tests are run in a sandbox, the fault is located, and small changes are tried until every test passes and none
    that passed fails. The patch is shown with its evidence; nothing of yours is changed before you accept it.
    """
    sets = (*(EXHAUSTIVE if exhaustive else ()), *sets)
    for place in places:
        if not Path(file_of(place)).exists():
            raise UsageError(f"there is no {place!r}: name a file, a folder, or a test as FILE::TEST")
    with open_project(
        file_of(places[0]) if places else ".", python=python, sets=sets, on=on, off=off, test_command=test
    ) as project:
        look_after_files(project, begins=True)
        task = fix_task(project, places, test)
        return run_session(project, project.start(task), Show(as_json=as_json, apply=apply))
