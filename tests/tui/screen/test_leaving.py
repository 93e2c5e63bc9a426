"""What is written and not saved when the screen is left, by the person or by somebody else."""

from __future__ import annotations

import resource
import string
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual import events

from tests.tui.screen.screen_driver import Driven, drive
from treadle.core.config.settings import Origin
from treadle.core.contributions import Setting
from treadle.core.places import Places
from treadle.core.records import FileChange, Lesson, Question
from treadle.tui.pages.memory import LessonEditor
from treadle.tui.pages.plugin_settings import Field, SettingsForm
from treadle.tui.pages.value_dialog import ValueDialog
from treadle.tui.screen.app import TreadleApp
from treadle.tui.screen.edit_screen import EditScreen
from treadle.tui.screen.kept import keep
from treadle.tui.widgets import question_dialog
from treadle.tui.widgets.question_dialog import QuestionDialog
from treadle.tui.widgets.unsaved import Texts, Unsaved

FILES = (FileChange(path="a.py", content=b"x = 1\n"),)
EDITED = (FileChange(path="a.py", content=b"mine = 1\n"),)
QUESTION = Question(id="q", text="Which of the two?", options=("one", "other"), with_words=("one",))
TASK = "a task of more than a few words, which nobody writes twice"

Make = Callable[[], Unsaved[Any]]
each_screen = pytest.mark.parametrize(
    "make",
    [
        lambda: EditScreen(FILES),
        lambda: LessonEditor(Lesson(id="i", signature="s", text="old")),
        lambda: ValueDialog("a.setting", "It is for this.", "old", lambda text: None),
        lambda: SettingsForm(
            "acme", [Field(Setting(name="words", default="old"), "old", Origin())], Path("config.toml")
        ),
        lambda: QuestionDialog(QUESTION),
    ],
    ids=["files", "lesson", "value", "settings", "answer"],
)


def kept(project: Path) -> list[str]:
    return [file.read_text() for file in sorted(Places.find(project).unsaved.glob("*/*"))]


def type_at_once(app: TreadleApp, *keys: str) -> None:
    for key in keys:
        app.post_message(events.Key(key, key if len(key) == 1 else None))


async def left(screen: Driven) -> None:
    await screen.until(lambda: screen.app._exit)


# ------------------------------------------------------------ somebody else ends it


@each_screen
def test_what_was_typed_before_it_is_ended_is_kept(project: Path, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question_dialog, "NO_ANSWER_S", 0.0)

    async def play(screen: Driven) -> None:
        await screen.app.push_screen(make())
        await screen.press(*("1" if isinstance(screen.app.screen, QuestionDialog) else ""))
        type_at_once(screen.app, *string.ascii_lowercase)
        screen.app.call_later(screen.app.leave_behind_keys)
        await left(screen)

    assert drive(project, play).return_code == 130
    (text,) = kept(project)
    assert string.ascii_lowercase in text


def test_what_can_not_be_read_any_more_takes_nothing_else_with_it(project: Path) -> None:
    class Broken(EditScreen):
        def unsaved(self) -> Texts:
            raise KeyError("gone")

    async def play(screen: Driven) -> None:
        screen.app.session_screen.prompt.text = "mine"
        await screen.app.push_screen(Broken(FILES))
        screen.app.leave_at_once()

    lost, held = drive(project, play).kept
    assert lost == "Something that you had written could not be read any more (KeyError: 'gone')."
    assert held.endswith(": 1-task")
    assert kept(project) == ["mine"]


def test_what_was_kept_is_told_at_the_next_start_and_not_again(project: Path) -> None:
    keep(project, [("task", "mine")])
    (folder,) = Places.find(project).unsaved.iterdir()

    async def told(screen: Driven) -> None:
        await screen.shows(f"· Something that you had written and not saved is kept in {folder}: 1-task")

    async def untold(screen: Driven) -> None:
        await screen.until(lambda: not screen.app.workers)
        assert "is kept in" not in screen.text

    drive(project, told, (400, 24))
    drive(project, untold, (400, 24))


def test_what_is_kept_at_the_end_of_a_start_waits_for_the_next_one(project: Path) -> None:
    async def play(screen: Driven) -> None:
        keep(project, [("task", "mine")])  # as by another screen of the project that is left now
        screen.app._tell_of_kept()
        await screen.until(lambda: not screen.app.workers)
        assert "is kept in" not in screen.text

    drive(project, play, (400, 24))
    assert kept(project) == ["mine"]


def test_so_is_a_task_that_was_not_sent_and_one_behind_what_was_sent_before(project: Path) -> None:
    async def play(screen: Driven) -> None:
        prompt = screen.app.session_screen.prompt
        prompt.remember(("sent",))
        type_at_once(screen.app, *"draft", "up", "end", *"!")
        screen.app.call_later(screen.app.leave_behind_keys)
        type_at_once(screen.app, *"late")
        await left(screen)
        await screen.settle()
        assert prompt.text == "sent!", "what comes behind it is for nobody"

    drive(project, play)
    assert kept(project) == ["sent!", "draft"]


def test_what_was_sent_is_not(project: Path) -> None:
    async def play(screen: Driven) -> None:
        screen.app.session_screen.prompt.remember(("sent",))
        await screen.press("up")
        screen.app.leave_at_once()

    assert drive(project, play).kept == []


def test_keys_that_nobody_takes_keep_it_no_longer_than_they_may(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treadle.tui.screen.app.KEYS_TAKE_S", 0.01)

    async def play(screen: Driven) -> None:
        screen.app.session_screen.prompt.text = "mine"
        screen.app._keys.rest()
        await screen.app.leave_behind_keys()
        await left(screen)

    drive(project, play)
    assert kept(project) == ["mine"]


@each_screen
@pytest.mark.parametrize("leave", [TreadleApp.leave, TreadleApp.leave_at_once])
def test_a_screen_that_is_not_there_yet_keeps_nobody(
    project: Path, make: Make, leave: Callable[[TreadleApp], None]
) -> None:
    async def play(screen: Driven) -> None:
        def both() -> None:
            screen.app.push_screen(make())
            leave(screen.app)

        screen.app.call_later(both)
        await left(screen)

    app = drive(project, play, survives=True)
    assert app.crash is None
    assert kept(project) == []


def test_what_it_has_from_an_editor_before_is_kept_as_well(project: Path) -> None:
    async def play(screen: Driven) -> None:
        def both() -> None:
            screen.app.push_screen(EditScreen(FILES, EDITED))
            screen.app.leave_at_once()

        screen.app.call_later(both)
        await left(screen)

    drive(project, play, survives=True)
    assert kept(project) == ["mine = 1\n"]


# ------------------------------------------------------------ where it is kept


def leaves_something(project: Path) -> str:
    """What is said at the end."""

    async def play(screen: Driven) -> None:
        screen.app.session_screen.prompt.text = "mine"
        screen.app.leave_at_once()

    (told,) = drive(project, play).kept
    return told


def test_where_the_state_can_not_be_written_it_is_kept_among_temporary_files(
    project: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "projects").write_text("no folder")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    told = leaves_something(project)
    (folder,) = (tmp_path / "temporary").iterdir()
    assert told == f"What you had written and not saved is kept in {folder}: 1-task"
    assert (folder / "1-task").read_text() == "mine"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_where_it_can_be_kept_nowhere_that_is_told(
    project: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "projects").write_text("no folder")
    monkeypatch.setattr(tempfile, "tempdir", str(home / "projects"))
    assert leaves_something(project) == "What you had written and not saved could be kept nowhere: Not a directory"


def test_of_what_can_not_be_kept_whole_no_part_is_left(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))  # as where the disk is full by then
    try:
        with pytest.raises(OSError, match="File too large"):
            keep(project, [("first", "short"), ("second", "long" * 100)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not [*(tmp_path / "temporary").iterdir(), *Places.find(project).unsaved.iterdir()]


def test_nobody_waits_for_the_project_to_be_opened(project: Path) -> None:
    async def play(screen: Driven) -> None:
        screen.app.session_screen.prompt.text = "mine"
        with screen.app.control._opening:
            screen.app.leave_at_once()
            assert kept(project) == ["mine"]

    drive(project, play)


# ------------------------------------------------------------ the person leaves


def test_a_task_that_is_not_sent_is_left_at_the_second_time(project: Path) -> None:
    async def play(screen: Driven) -> None:
        screen.app.session_screen.prompt.text = TASK
        await screen.press("f10")
        await screen.shows("approval")
        await screen.press("ctrl+q")
        await screen.shows(
            "You have not sent what you wrote: leaving once more throws that away, enter sends it.", TASK
        )
        assert not screen.app._exit
        await screen.press("ctrl+q")
        await left(screen)

    drive(project, play)
    assert kept(project) == []


def test_of_all_that_would_be_lost_nothing_is_before_the_person_leaves(project: Path) -> None:
    async def play(screen: Driven) -> None:
        screen.app.session_screen.prompt.text = TASK
        editor = EditScreen(FILES, EDITED)
        await screen.app.push_screen(editor)
        await screen.press("f1")
        await screen.press("ctrl+q")
        await screen.shows("You have changed it. You have not sent what you wrote: leaving once more throws that away.")
        assert screen.app.screen is editor
        await screen.press("x")
        await screen.press("ctrl+q")
        assert not screen.app._exit, "they have written on"
        assert screen.app.screen is editor
        await screen.press("ctrl+q")
        await left(screen)

    drive(project, play)


def test_a_screen_warns_as_soon_as_it_is_there(project: Path) -> None:
    async def play(screen: Driven) -> None:
        def both() -> None:
            screen.app.push_screen(EditScreen(FILES, EDITED))
            screen.app.leave()

        screen.app.call_later(both)
        await screen.shows("You have changed it: leaving once more throws that away, ctrl+s has it tried.")
        screen.app.leave()
        await left(screen)

    assert drive(project, play, survives=True).crash is None


def test_a_few_words_keep_nobody(project: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.press(*"why", "ctrl+q")
        await left(screen)

    drive(project, play)


@pytest.mark.parametrize("command", ["/reject ", "/retry 1 "])
def test_words_for_a_command_are_not_thrown_away_at_the_first_key(project: Path, command: str) -> None:
    async def play(screen: Driven) -> None:
        screen.app.session_screen.prompt.text = command
        assert not screen.app.session_screen.at_stake(), "it has no words yet"
        screen.app.session_screen.prompt.text = f"{command}too slow"
        await screen.press("ctrl+q")
        await screen.shows("You have not sent what you wrote: leaving once more throws that away")
        assert not screen.app._exit
        await screen.press("ctrl+q")
        await left(screen)

    drive(project, play)


def test_words_for_an_answer_are_not_thrown_away_at_the_first_key(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_dialog, "NO_ANSWER_S", 0.0)
    answers: list[object] = []

    async def play(screen: Driven) -> None:
        screen.app.push_screen(QuestionDialog(QUESTION), answers.append)
        await screen.shows("1 one")
        await screen.press("1", *"mine", "escape", "2")
        await screen.shows("You have written words for an answer: 2 once more throws that away.")
        await screen.press("escape")
        await screen.shows("You have written words for an answer: escape (later) once more", "throws that away.")
        await screen.press("ctrl+q")
        await screen.shows("You have written words for an answer: leaving once more throws that", "away.")
        await screen.press("1")
        await screen.shows("mine")
        assert answers == []
        await screen.press("escape", "escape", "escape")
        await screen.until(lambda: answers == [None])

    drive(project, play, (80, 24))


@pytest.mark.parametrize("leave", [TreadleApp.leave, TreadleApp.leave_at_once])
def test_an_edit_that_waits_for_the_next_editor_is_kept(project: Path, leave: Callable[[TreadleApp], None]) -> None:
    async def play(screen: Driven) -> None:
        shown = screen.app.session_screen
        shown.kept_edit = EditScreen(FILES, EDITED)
        assert shown._acts._kept_of(EDITED) == EDITED, "they are those of another change"
        leave(screen.app)

    drive(project, play)
    assert kept(project) == ["mine = 1\n"]


def test_the_next_editor_has_it(project: Path) -> None:
    async def play(screen: Driven) -> None:
        shown = screen.app.session_screen
        shown.kept_edit = EditScreen(FILES, EDITED)
        assert shown._acts._kept_of(FILES) == EDITED
        assert shown.kept_edit is None

    drive(project, play)
