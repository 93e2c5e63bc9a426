"""What `treadle --plain` looks up in the project itself, beside the commands that it runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from treadle.core.conversations import outcome_of
from treadle.core.errors import UnknownSession
from treadle.core.records import Question
from treadle.tui.chosen_models import check_models
from treadle.tui.commands.options import open_project, show_notice
from treadle.tui.fitting import columns
from treadle.tui.story.line import Line

_WIDTH = 100
"""Cells of a line where there is no terminal that says how many it has."""


class Desk:
    """The project that holds the current folder, opened for each question anew: commands change it meanwhile. Its
    methods raise `TreadleError` where that can't be opened or answered."""

    def latest(self) -> str:
        """The id of the person's own last session, "" where there is none."""
        with open_project() as project, suppress(UnknownSession):
            return project.store.session("last").id
        return ""

    def came_to_something(self, session: str) -> bool:
        """Whether there is something in it that a conversation can go on from."""
        with open_project() as project:
            return outcome_of(project.store.events(session)) is not None

    def question(self, session: str) -> Question | None:
        """What it rests on, None where it does not, or is gone."""
        with open_project() as project, suppress(UnknownSession):
            row = project.store.session(session)
            return project.open_question(row.id) if row.state == "NEEDS_PERSON" else None
        return None

    def check_model(self, given: str, settings: dict[str, Any]) -> None:
        """Raise `UsageError` where the model that was given can't be asked; `settings` are what it stands for."""
        with open_project(**settings) as project:
            check_models(project, (given,), "/model")

    def save(self, session: str, name: str) -> Path:
        """Write the session as Markdown into a new file of that name, "": one named after it."""
        from treadle.tui.control.control import LogReader
        from treadle.tui.story.as_markdown import as_markdown, new_file
        from treadle.tui.story.story import Story

        with open_project() as project:
            row = project.store.session(session)
            story = Story(LogReader(lambda: project.store, row.id))
            story.fold_all(project.store.events(row.id))
            if project.store.interrupted(row):
                story.interrupt()
            return new_file(project.root, name or f"{row.id}.md", as_markdown(story))

    def memory(self) -> str:
        """The lessons that are kept."""
        from treadle.tui.pages.memory import lesson_line, lessons

        with open_project() as project:
            kept = lessons(project, "", show_notice)
        told = "\n".join(_rows([lesson_line(each) for each in kept], opens=True))
        return told or "No lessons. Each session that ends leaves some."

    def review(self) -> str:
        """What waits for the person."""
        from treadle.tui.pages.review import waiting

        with open_project() as project:
            lines = list(waiting(project))
        if not lines:
            return "Nothing waits for you: no question, no patch to accept, nothing cut off."
        way = "`treadle show ID` shows one of them, `treadle resume ID` goes on."
        return "\n".join([*_rows(lines, opens=False), way])


def _rows(lines: list[Line], *, opens: bool) -> Iterator[str]:
    from treadle.tui.widgets.layout import ASCII, rows_of

    return (row.text.rstrip() for row in rows_of(lines, columns() or _WIDTH, lambda line: opens, ASCII))
