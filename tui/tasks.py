"""The tasks that a person asks for, made from what they gave: the same for a command and for the screen."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from treadle.core.errors import UsageError
from treadle.core.paths import relative_to
from treadle.core.records import Exchange, Task
from treadle.core.tree.hidden_names import why_hidden

if TYPE_CHECKING:
    from treadle.core.project import Project


def file_of(place: str) -> str:
    """The file or folder of a place that a person names: without the name of a test in it, where it has one."""
    return place if os.path.lexists(place) else place.partition("::")[0]


def places_in(words: str, folder: str | os.PathLike[str] = "") -> tuple[str, ...]:
    """The places that a person has written in a line, below that folder: each word, where each is one, else all that is
    written, since names may have spaces in them."""
    each = [os.path.join(folder, word) for word in words.split()]  # noqa: PTH118 - as it is written
    if len(each) > 1 and not all(os.path.lexists(file_of(place)) for place in each):
        each = [os.path.join(folder, words)]  # noqa: PTH118
    return tuple(each)


def fix_task(project: Project, places: Sequence[str] = (), test: str | None = None) -> Task:
    """To repair the project, or what is at these places, files, folders and tests; `test` is how to test, in the
    person's words."""
    return Task(
        id=project.new_task_id(),
        kind="fix",
        project=str(project.root),
        python=project.interpreter().path,
        text=f"make the tests pass{f' ({test})' if test else ''}",
        files=tuple(named for place in places if (named := _named(project, place))),
        test_command=project.settings.test_command,
    )


def _named(project: Project, place: str) -> str:
    """The place as a task names it; empty for the project itself."""
    file = file_of(place)
    path = Path(file).resolve()
    return relative_to(project.root, path) + place[len(file) :] if path != project.root else ""


def run_task(
    project: Project,
    text: str,
    files: tuple[str, ...] = (),
    *,
    shows_plan: bool = False,
    earlier: tuple[Exchange, ...] = (),
) -> Task:
    """To have it done by a model. Raises `UsageError` for a file that lies outside of the project, or that models
    don't get to see."""
    return Task(
        id=project.new_task_id(),
        kind="run",
        project=str(project.root),
        python=project.interpreter().path,
        text=text,
        files=tuple(_inside(project, file) for file in files),
        test_command=project.settings.test_command,
        shows_plan=shows_plan,
        earlier=earlier,
    )


def said_before(project: Project, name: str) -> tuple[Exchange, ...]:
    """What was said before in the session of that name. Raises `UsageError` for one that has come to nothing yet."""
    # Not at the top: the screen's first paint does not wait for them.
    from treadle.core.conversations import going_on_from, outcome_of
    from treadle.core.forking import applied_by

    row = project.store.session(name)
    outcome = outcome_of(project.store.events(row.id))
    if outcome is None:
        raise UsageError(f"session {row.id} has come to nothing yet; `treadle resume {row.id}` goes on with it")
    applied = applied_by(project.store, project.places, project.root, row.id) is not None
    return going_on_from(row.id, row.task, outcome, applied=applied)


def _inside(project: Project, file: str) -> str:
    place = Path(file).resolve()
    if not place.is_relative_to(project.root):
        raise UsageError(f"--file {file}: it lies outside of the project {project.root}")
    relative = relative_to(project.root, place)
    if why := why_hidden(relative):
        raise UsageError(f"--file {file}: it is hidden from models: {why}")
    return relative
