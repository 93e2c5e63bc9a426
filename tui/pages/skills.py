"""The library of skills: found by words, read, copied, and their tests run."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType

from treadle import sandbox
from treadle import skills as room
from treadle.core.contributions import Skill
from treadle.core.errors import TreadleError
from treadle.tui.control.control import Control
from treadle.tui.control.outside_session import outside_session
from treadle.tui.pages import skill_lines, skill_tests
from treadle.tui.pages.page import Found, Page
from treadle.tui.pages.skill_lines import Listed
from treadle.tui.story.line import Line
from treadle.tui.widgets.layout import Glyphs
from treadle.tui.widgets.row_view import RowView

if TYPE_CHECKING:
    from treadle.core.project import Project


class SkillsPage(Page):
    """The skills that ship with Treadle, and those that plugins bring, which are asked for the code of one when it is
    opened."""

    NAME = "skills"
    SEARCHES = "What a skill should do, in a few words"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "copy", "Copy code", id="skills-copy"),
        Binding("t", "run_tests", "Run tests", id="skills-run-tests"),
    ]

    def __init__(self, control: Control, glyphs: Glyphs) -> None:
        super().__init__(control, glyphs)
        self._codes: dict[str, str] = {}
        self._runs: dict[str, Line] = {}
        self._leaving = threading.Event()

    def on_unmount(self) -> None:
        """Tests that still run are ended."""
        self._leaving.set()

    def read(self, project: Project, words: str) -> Found:
        """The skills by name, or those that fit the words, the best first."""
        known = [*skill_lines.all_shipped(), *self._brought(project)]
        column = max(len(skill.name) for skill in known)
        found = {skill.key: skill for skill in room.find(words, known)}
        lines = [skill_lines.line_of(skill, self._runs.get(skill.key), column) for skill in found.values()]
        return Found(lines, found)

    def _brought(self, project: Project) -> list[Listed]:
        try:
            brought = project.plugins.brought
        except TreadleError as error:  # Treadle's own are there all the same
            self.in_app(self.tell, str(error), grave=True)
            return []
        found = []
        for skill in brought.of_kind("skill"):
            if isinstance(skill, Skill):
                listed = skill_lines.brought(skill, brought.owner("skill", skill.name), None)
                found.append(skill_lines.brought(skill, listed.plugin, self._codes.get(listed.key)))
        return found

    @property
    def skill(self) -> Listed | None:
        """The skill on which the cursor stands."""
        return self.about.get(self.line.key) if self.lines and self.line is not None else None

    # ------------------------------------------------------------ what a plugin hands over

    @on(RowView.Toggled)
    def _wanted(self, message: RowView.Toggled) -> None:
        skill: Listed | None = self.about.get(message.line.key)
        if skill is not None and skill.code is None:
            self.do(lambda project: self._ask_for_code(project, skill))

    def _ask_for_code(self, project: Project, skill: Listed) -> str:
        def tell(text: str) -> None:
            self.in_app(self.tell, text)

        with outside_session(project, tell) as context:
            code = context.run("skill", skill.name, {})
        self._codes[skill.key] = code or ""
        return "" if code else f"The plugin {skill.plugin} is at fault; `treadle plugins {skill.plugin}` says more."

    # ------------------------------------------------------------ what the person does

    def action_copy(self) -> None:
        """Copy the code of the skill on which the cursor stands."""
        skill = self.skill
        if skill is None:
            return
        if not skill.code:
            self.tell(f"Open {skill.name} first, so that its plugin hands over the code.")
            return
        self.app.copy_to_clipboard(skill.code)
        self.tell(f"The code of {skill.name} is copied.")

    def action_run_tests(self) -> None:
        """Run the tests of the skill on which the cursor stands."""
        if self.skill is not None and self.skill.tests is not None:
            self.tell(f"The tests of {self.skill.name} run in the sandbox.")
            self._run(self.skill)

    @work(thread=True, exclusive=True, group="tests")
    def _run(self, skill: Listed) -> None:
        if skill.tests is None:
            return
        result = skill_tests.run_tests((skill.tests,), self._leaving)
        self._runs[skill.key] = skill_tests.line_of(skill.key, result)
        self.in_app(self._ran, skill, result)

    def _ran(self, skill: Listed, result: sandbox.Result) -> None:
        if not self.is_there:  # leaving has ended them
            return
        said = self._runs[skill.key].result
        self.tell(f"{skill.name}: {said}", grave=not result.ok)
        self.look()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what is possible now is offered."""
        if action == "copy":
            return self.skill is not None
        if action == "run_tests":
            return self.skill is not None and self.skill.tests is not None
        return super().check_action(action, parameters)
