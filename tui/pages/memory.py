"""The lessons that are recalled in this project: looked through, read whole, reworded, forgotten and taken back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static, TextArea

from treadle.core.errors import TreadleError, UsageError
from treadle.core.records import Lesson
from treadle.tui.control.control import Control
from treadle.tui.control.outside_session import outside_session
from treadle.tui.pages.page import Found, Page
from treadle.tui.safe_text import clean
from treadle.tui.story.line import Line, State, text_lines
from treadle.tui.widgets.keys_that_fit import KeysThatFit
from treadle.tui.widgets.layout import Glyphs
from treadle.tui.widgets.told import Told
from treadle.tui.widgets.unsaved import Texts, Unsaved

if TYPE_CHECKING:
    from treadle.core.project import Project

MOST = 500
"""Lessons that are listed of each store; words find the others."""
_LABEL = 8


class MemoryPage(Page):
    """Answers with nothing: what is done here is done. It asks the plugins by the hooks `treadle_lessons` and
    `treadle_revise_lesson`, whoever keeps the lessons."""

    NAME = "memory"
    EMPTY = "No lessons. Each session that ends leaves some; /fix in the input starts one. Escape goes back."
    SEARCHES = "Words that a lesson holds"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "edit", "Edit", id="memory-edit"),
        Binding("x", "forget", "Forget", id="memory-forget"),
        Binding("z", "take_back", "Take it back", id="memory-take-back"),
    ]

    def __init__(self, control: Control, glyphs: Glyphs) -> None:
        super().__init__(control, glyphs)
        self._forgotten = control.taken_away.setdefault(self.NAME, [])

    def read(self, project: Project, words: str) -> Found:
        """The lessons of all stores, each store's latest first."""
        found = {each.id: each for each in lessons(project, words, self._note)}
        return Found([lesson_line(each) for each in found.values()], found)

    def _note(self, text: str) -> None:
        self.in_app(self.tell, text)

    @property
    def lesson(self) -> Lesson | None:
        """The lesson on which the cursor stands."""
        return self.about.get(self.line.key) if self.line is not None else None

    @work(exclusive=True, group="editing")
    async def action_edit(self) -> None:
        """Reword it."""
        lesson = self.lesson
        if lesson is not None:
            text = await self.app.push_screen_wait(LessonEditor(lesson))
            if text:
                self.do(partial(self._revise, lesson=lesson.id, text=text, told="The lesson has its new words."))

    def action_forget(self) -> None:
        """Recall it no more; that can be taken back."""
        lesson = self.lesson
        if lesson is not None:
            self.do(lambda project: self._forget(project, lesson.id))

    def _forget(self, project: Project, lesson: str) -> str:
        told = self._revise(project, lesson, forgotten=True, told="The lesson is forgotten; z takes that back.")
        self._forgotten.append(lesson)
        return told

    def action_take_back(self) -> None:
        """Take back what was forgotten last."""
        lesson = self._forgotten.pop()  # here: a key that is pressed twice takes back two
        self.do(lambda project: self._take_back(project, lesson))

    def _take_back(self, project: Project, lesson: str) -> str:
        try:
            return self._revise(project, lesson, told="The lesson is back.")
        except TreadleError:
            self._forgotten.append(lesson)
            raise

    def _revise(self, project: Project, lesson: str, text: str = "", *, forgotten: bool = False, told: str = "") -> str:
        """Raises `UsageError` where no plugin has done it."""
        with outside_session(project, self._note) as context:
            answers = context.plugins.call(
                "treadle_revise_lesson",
                project=str(project.root),
                lesson=lesson,
                text=project.heard(text),
                forgotten=forgotten,
                context=context,
            )
        if True not in answers:
            raise UsageError("no plugin that is on keeps this lesson any more; ctrl+r reads them again")
        return told

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what is possible now is offered."""
        if action in ("edit", "forget"):
            return bool(self.lines)
        return bool(self._forgotten) if action == "take_back" else super().check_action(action, parameters)


def lessons(project: Project, words: str, tell: Callable[[str], None]) -> list[Lesson]:
    """The lessons that hold these words, of all stores, each store's latest first; each once. `tell` is told what the
    plugins note."""
    with outside_session(project, tell) as context:
        answers = context.plugins.call(
            "treadle_lessons", project=str(project.root), words=words, most=MOST, context=context
        )
    found: dict[str, Lesson] = {}
    for lesson in (each for answer in answers for each in answer):
        found.setdefault(lesson.id, lesson)
    return list(found.values())


def lesson_line(lesson: Lesson) -> Line:
    """A lesson in a line, how often it helped, and below it all of it."""
    times = "once" if lesson.uses == 1 else f"{lesson.uses} times"
    helped = f"helped {lesson.successes} of {lesson.uses}" if lesson.successes else f"used {times}, never helped"
    state: State = "ok" if lesson.successes else "said"
    below = [
        _labelled(lesson, "when", lesson.signature),
        _labelled(lesson, "remedy", lesson.remedy or "none was found"),
    ]
    if "\n" in lesson.text:  # else the line itself shows it whole when it is open
        below += text_lines(f"{lesson.id}.text", lesson.text)
    return Line(lesson.id, "run", helped, state, lesson.text, children=below, column=_HELPED)


_HELPED = len("used 10 times, never helped")


def _labelled(lesson: Lesson, label: str, text: str) -> Line:
    return Line(f"{lesson.id}.{label}", "detail", label, "said", text, column=_LABEL)


class LessonEditor(Unsaved[str]):
    """Answers with the lesson's new text, "" when it stays as it is."""

    DEFAULT_CSS = """
    LessonEditor #about { height: auto; background: $panel; padding: 0 1; text-style: bold; }
    LessonEditor TextArea { height: 1fr; border: none; }
    """
    KEEPS = ", ctrl+s saves it"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "Save", priority=True, id="lesson-save"),
        Binding("escape", "leave", "Leave as it was", priority=True, id="lesson-leave"),
    ]

    def __init__(self, lesson: Lesson) -> None:
        super().__init__()
        self._text = clean(lesson.text)  # what a terminal would obey is no part of what can be kept

    def compose(self) -> ComposeResult:
        """What it is for, and the text."""
        yield Static(Content("What the next sessions are told"), id="about", markup=False)
        yield TextArea(self._text, soft_wrap=True)
        yield Told()
        yield KeysThatFit()

    def action_save(self) -> None:
        """Take the text as it is now, unless that is the same, or empty."""
        text = self.query_one(TextArea).text.strip()
        if not text:
            self.query_one(Told).tell("A lesson can't be empty: x in the list forgets it; escape leaves it as it was.")
        elif text == self._text.strip():
            self.query_one(Told).tell("Nothing is otherwise than before; escape leaves it.")
        else:
            self.dismiss(text)

    def action_leave(self) -> None:
        """Leave it as it was; what was written is not thrown away at the first key."""
        if self.may_be_left("escape"):
            self.dismiss("")

    def unsaved(self) -> Texts:
        """The new words, where they are not those that it had."""
        return [("lesson", area.text) for area in self.query(TextArea) if area.text != self._text]
