"""What a person decides of a change and of what comes next: some of it, another one, other models, other amounts."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.widgets import TextArea

from tests.commands.scripted_agent import EDIT, FINISH, PLAN, RIGHT, WRONG, calls
from tests.plugins.models.rejections import COUNT_TOKENS
from tests.plugins.models.scripted_service import Service, whole
from tests.tui.screen.screen_driver import Driven, drive
from treadle.core.project import Project
from treadle.core.records import FileChange
from treadle.core.tree.reading import LARGEST
from treadle.tui.screen.edit_screen import EditScreen
from treadle.tui.widgets.layout import Row

SUM = "    return sum(values) / len(values)"
SUM_OTHERWISE = "    return sum(values) / max(1, len(values))"


def to(text: str) -> bytes:
    """A call that puts this in the place of what is wrong."""
    return calls("edit", path="stats.py", search=WRONG, replace=text)


def from_(text: str, other: str) -> bytes:
    return calls("edit", path="stats.py", search=text, replace=other)


def answers(service: Service, *given: bytes) -> None:
    for answer in given:
        service.will(answer)


def asked_last(service: Service) -> str:
    return str(service.asked[-1].body)


# ------------------------------------------------------------ some of it


def test_one_of_two_hunks_is_taken_tried_again_and_accepted(project: Path, service: Service) -> None:
    answers(service, calls("submit_plan", **PLAN), EDIT, from_(SUM, SUM_OTHERWISE), FINISH)

    async def play(screen: Driven) -> None:
        await screen.send("mend the spread")
        await screen.shows("Done: ", "/accept applies")
        await screen.send("/hunks")
        await screen.shows("stats.py:5  taken", "stats.py:10  taken", f"-{WRONG}", f"+{RIGHT}", f"+{SUM_OTHERWISE}")
        await screen.press("ctrl+s")
        await screen.shows("All are taken, which is the change as it is")
        await screen.press("home", "space")
        await screen.shows("■ stats.py:5  left out", "✓ stats.py:10  taken")
        await screen.press("end", "space")
        await screen.shows("■ stats.py:10  left out")
        await screen.press("ctrl+s")
        await screen.shows("None is taken; escape leaves the change as it was")
        assert "All are taken" not in screen.text
        await screen.press("space", "ctrl+s")
        await screen.shows("✗ Attempt 1  you: your own edit", "✓ Attempt 2", "/accept applies")
        await screen.send("/accept")
        await screen.shows("✓ Applied")

    before = (project / "stats.py").read_text()
    app = drive(project, play, (120, 44))
    assert (project / "stats.py").read_text() == before.replace(WRONG, RIGHT)
    story = app.session_screen.story
    assert story is not None
    stages = {line.title for line in story.attempts[1].children}
    assert {"Scan", "Run the tests", "Validate"} <= stages, "it went the way of any other change"


def test_hunks_that_are_left_leave_the_change_as_it_was(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        screen.app.session_screen.open_session("last")
        await screen.shows("Fixed: stats.py")
        await screen.press("escape", "m")
        await screen.shows("takes a hunk or leaves it", "stats.py:10  taken")
        await screen.press("space", "escape")
        await screen.shows("Fixed: stats.py", "a Accept")
        assert "Attempt 2" not in screen.text

    drive(solved_here, play)


def test_an_edit_is_left_and_what_was_written_not_at_the_first_key(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        app = screen.app
        app.session_screen.open_session("last")
        await screen.shows("Fixed: stats.py")
        await screen.press("escape", "e")
        await screen.shows("stats.py  Your change is tried like any other")
        editor = app.screen
        assert isinstance(editor, EditScreen)
        text = editor.query_one(TextArea)
        assert text.document.get_line(text.cursor_location[0]) == RIGHT, "it opens where the change is"
        assert text.theme == "css", "and has the colours of the screen"
        await screen.press("escape")
        await screen.shows("a Accept")
        await screen.press("e")
        await screen.shows("Your change is tried like any other")
        await screen.press("x", "escape")
        await screen.shows("You have changed it: escape once more throws that away")
        await screen.press("y", "escape")
        await screen.shows("xy", "You have changed it")
        await screen.press("f1", "ctrl+q")
        await screen.shows("You have changed it: leaving once more throws that away, ctrl+s has it tried.")
        await screen.press("escape", "escape")
        await screen.shows("Fixed: stats.py", "a Accept")
        assert "Attempt 2" not in screen.text
        await screen.press("e")
        await screen.shows("Your change is tried like any other")
        await screen.press("z")
        app.leave_at_once()

    app = drive(solved_here, play)
    assert app.return_code == 130
    (kept,) = Path(os.environ["TREADLE_HOME"]).glob("projects/*/unsaved/*/*")
    assert kept.name == "1-stats.py"
    assert f"z{RIGHT}" in kept.read_text()


def test_an_edit_stays_until_the_session_has_taken_it(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        app = screen.app
        app.session_screen.open_session("last")
        await screen.shows("Fixed: stats.py")
        await screen.press("escape", "e")
        await screen.shows("Your change is tried like any other")
        with Project(solved_here) as other, other.store.lock(other.store.session("last").id):
            await screen.press("#", "ctrl+s")
            await screen.shows(
                "is in use by process", "What you had changed in the editor is kept: /edit goes on with it"
            )
        assert [f"#{RIGHT}" in text for _, text in app.session_screen.kept_texts()] == [True]
        await screen.press("e")
        await screen.shows("Your change is tried like any other", f"#{RIGHT}")
        await screen.press("ctrl+s")
        await screen.shows("✗ Attempt 1  you: your own edit", "Attempt 2")
        assert not app.session_screen.kept_texts()
        assert "/edit goes on with it" not in screen.text

    drive(solved_here, play, (160, 48))


def test_an_edit_that_another_one_makes_room_for_is_kept_in_a_file(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        app = screen.app
        app.session_screen.open_session("last")
        await screen.shows("Fixed: stats.py")
        await screen.press("escape", "e")
        await screen.shows("Your change is tried like any other")
        change = FileChange(path="other.py", content=b"a = 1\n")
        app.session_screen.kept_edit = EditScreen((change,), (FileChange(path="other.py", content=b"a = 2\n"),))
        await screen.press("#", "ctrl+s")
        await screen.shows("What you had written and not saved is kept in", "1-other.py")

    drive(solved_here, play, (160, 48))
    (kept,) = Path(os.environ["TREADLE_HOME"]).glob("projects/*/unsaved/*/*")
    assert kept.read_text() == "a = 2\n"


def test_hunks_stay_as_they_were_taken_until_the_session_has_them(project: Path, service: Service) -> None:
    answers(service, calls("submit_plan", **PLAN), EDIT, from_(SUM, SUM_OTHERWISE), FINISH)

    async def play(screen: Driven) -> None:
        await screen.send("mend the spread")
        await screen.shows("Done: ", "/accept applies")
        await screen.send("/hunks")
        await screen.shows("stats.py:10  taken")
        await screen.press("home", "space")
        await screen.shows("stats.py:5  left out")
        with Project(project) as other, other.store.lock(other.store.session("last").id):
            await screen.press("ctrl+s")
            await screen.shows("is in use by process", "The hunks that you took are kept: /hunks goes on with them")
        await screen.send("/hunks")
        await screen.shows("stats.py:5  left out", "stats.py:10  taken")
        await screen.press("ctrl+s")
        await screen.shows("✗ Attempt 1  you: your own edit", "✓ Attempt 2", "/accept applies")
        assert screen.app.session_screen.kept_hunks is None

    drive(project, play, (120, 44))


def _a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _more_than_is_read(file: Path) -> None:
    os.truncate(file, LARGEST + 1)


def _no_ones(file: Path) -> None:
    file.chmod(0)


@pytest.mark.parametrize("becomes", [_a_folder, _more_than_is_read, _no_ones])
def test_it_is_edited_whatever_became_of_the_files_of_the_person(
    solved_here: Path, becomes: Callable[[Path], None]
) -> None:
    async def play(screen: Driven) -> None:
        screen.app.session_screen.open_session("last")
        await screen.shows("Fixed: stats.py")
        becomes(solved_here / "stats.py")
        await screen.press("escape", "e")
        await screen.shows("stats.py  Your change is tried like any other", RIGHT.strip())

    drive(solved_here, play)


def test_a_file_of_which_no_hunks_can_be_taken_is_told(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        screen.app.session_screen.open_session("last")
        await screen.shows("Fixed: stats.py")
        _more_than_is_read(solved_here / "stats.py")
        await screen.press("escape", "m")
        await screen.shows("a file of yours can't be read", "MiB are not read")
        assert screen.app.crash is None

    drive(solved_here, play)


@pytest.mark.parametrize("text", ["a\fb\n", "a\rb\n", "a\u2028b", "a\x85b\n"])
def test_what_the_field_would_change_by_itself_can_not_be_edited(text: str) -> None:
    assert not EditScreen((FileChange(path="a.py", content=text.encode()),))._texts


@pytest.mark.parametrize("text", ["", "\n", "a", "a\r\nb\r\n", "\n\na\n\n"])
def test_any_other_text_can(text: str) -> None:
    assert EditScreen((FileChange(path="a.py", content=text.encode()),))._texts


@pytest.mark.parametrize(
    ("text", "edited", "comes_back"),
    [
        ("a\r\nb\r\n", "a\nc\n", "a\r\nc\r\n"),
        ("a\nb\n", "a\nc\n", "a\nc\n"),
        ("a\r\nb\r\nc\n", "a\nc\n", "a\r\nc\r\n"),
        ("a\r\nb\nc\n", "a\nb\nd\n", "a\nb\nd\n"),
        ("a\r\nb\nc\n", "a\nb\nc\n", "a\r\nb\nc\n"),
    ],
    ids=["all are CRLF", "none is", "most are", "few are", "it is not edited"],
)
def test_lines_that_are_edited_end_as_most_did_before(text: str, edited: str, comes_back: str) -> None:
    change = FileChange(path="a.py", content=text.encode())
    screen = EditScreen((change,))
    assert "\r" not in screen._texts["a.py"]
    screen._texts["a.py"] = edited
    assert screen._edited(change).content == comes_back.encode()


# ------------------------------------------------------------ another one


def test_it_goes_on_from_an_earlier_attempt(project: Path, service: Service) -> None:
    first, second, third, last = (f"{RIGHT}  # {word}" for word in ("first", "second", "third", "last"))
    answers(service, calls("submit_plan", **PLAN), to(first), FINISH)

    async def play(screen: Driven) -> None:
        await screen.send("mend the spread")
        await screen.shows("Done: ", "/accept applies")
        answers(service, from_(first, second), FINISH)
        await screen.send("/reject otherwise please")
        await screen.shows("✓ Attempt 2", "/accept applies")
        answers(service, from_(first, third), FINISH)
        await screen.send("/retry 1 from the first")
        await screen.shows("■ Attempt 2, set aside", "✓ Attempt 2  ", "/accept applies")
        assert "from the first" in asked_last(service)
        assert "otherwise please" not in asked_last(service), "as if it had not been"
        await screen.until(lambda: "# third" in screen.text)
        assert "# second" not in screen.text

        screen.app.session_screen.pane("outline").focus()
        await screen.press(*_to(screen, "Attempt 1"), "t")
        await screen.until(lambda: sum("■ Attempt 2, set aside" in row.text for row in _outline(screen)) == 2)
        await screen.shows("✓ Attempt 1", "/accept applies")
        await screen.until(lambda: "# first" in screen.text)
        answers(service, from_(first, last), FINISH)
        await screen.send("/retry 1")
        await screen.shows("✓ Attempt 2  ", "/accept applies")
        screen.app.session_screen.pane("outline").focus()
        await screen.press(*_to(screen, "Attempt 2, set aside"), "t")
        await screen.shows("that attempt was set aside")
        await screen.send("/retry 7 no")
        await screen.shows("has no attempt 7; it has made those from 1 to 2", "│ /retry 7 no")
        screen.app.session_screen.prompt.text = ""
        await screen.send("/accept")
        await screen.shows("✓ Applied")

    drive(project, play, (160, 60))
    assert last in (project / "stats.py").read_text()


def _to(screen: Driven, title: str) -> list[str]:
    """The keys that go to the first line of the outline with that title."""
    return ["home", *["down"] * next(n for n, row in enumerate(_outline(screen)) if title in row.text)]


def _outline(screen: Driven) -> list[Row]:
    return screen.app.session_screen.pane("outline").rows


def test_the_change_of_an_attempt_that_was_set_aside_is_still_shown(project: Path, service: Service) -> None:
    first, second, third = (f"{RIGHT}  # {word}" for word in ("first", "second", "third"))
    answers(service, calls("submit_plan", **PLAN), to(first), FINISH)

    async def play(screen: Driven) -> None:
        await screen.send("mend the spread")
        await screen.shows("Done: ", "/accept applies")
        answers(service, from_(first, second), FINISH)
        await screen.send("/reject otherwise")
        await screen.shows("✓ Attempt 2", "/accept applies")
        answers(service, from_(first, third), FINISH)
        await screen.send("/retry 1 again")
        await screen.shows("■ Attempt 2, set aside", "+1 -1 · diff", "# third")
        screen.app.session_screen.pane("outline").focus()
        await screen.press(*_to(screen, "Attempt 2, set aside"))
        await screen.shows("# second")
        await screen.until(lambda: "# third" not in screen.text)
        screen.app.session_screen.view.change.mode = "files"
        await screen.press("up", "down")
        await screen.shows("its text is kept no more")

    drive(project, play, (200, 60))


def test_another_approach_is_tried(project: Path, service: Service) -> None:
    answers(service, calls("submit_plan", **PLAN), EDIT, FINISH)

    async def play(screen: Driven) -> None:
        await screen.send("mend the spread")
        await screen.shows("Done: ", "/accept applies")
        answers(service, to(f"{RIGHT}  # otherwise"), FINISH)
        await screen.send("/another")
        await screen.shows("✗ Attempt 1  you: another approach", "✓ Attempt 2", "/accept applies")
        await screen.send("/accept")
        await screen.shows("✓ Applied")

    drive(project, play, (120, 40))
    assert "# otherwise" in (project / "stats.py").read_text()


# ------------------------------------------------------------ other models, other amounts


NO_MODELS = {
    "nobody/some-model": "/model nobody/some-model: ",
    "codr=anthropic/claude-haiku": "there is no role 'codr'; did you mean 'coder'?",
    "claude": "name the model as PROVIDER/MODEL",
}


def test_a_model_that_nobody_brings_is_told_and_nothing_changes(project: Path, service: Service) -> None:
    answers(service, calls("submit_plan", **PLAN), EDIT, FINISH)

    async def play(screen: Driven) -> None:
        before = screen.app.control.choices
        for given, told in NO_MODELS.items():
            await screen.send(f"/model {given}")
            await screen.shows(told, f"│ /model {given}")
            assert screen.app.control.choices == before
            screen.app.session_screen.prompt.text = ""
        await screen.send("mend the spread")
        await screen.shows("Done: ")

    drive(project, play, (140, 40))
    assert {asked.body["model"] for asked in service.asked} == {"claude-sonnet-5-5"}


def test_another_model_is_asked_when_it_goes_on(project: Path, service: Service) -> None:
    service.will("hang")

    async def play(screen: Driven) -> None:
        await screen.send("mend the spread")
        await screen.until(service.reached.is_set)
        await screen.send("/budget 3")
        await screen.shows("Stop it first (esc), then send /budget again", "then /resume goes on", "│ /budget 3")
        screen.app.session_screen.prompt.text = ""
        await screen.press("escape")
        await screen.shows("Stopped")
        await screen.until(lambda: screen.app.session_screen.can("resume"))
        await screen.send("/model anthropic/claude-haiku-4-5")
        await screen.shows("From now on anthropic/claude-haiku-4-5 is asked")
        answers(service, calls("submit_plan", **PLAN), EDIT, FINISH)
        await screen.send("/resume")
        await screen.shows("Done: ")

    drive(project, play)
    models = [asked.body["model"] for asked in service.asked]
    assert models[0] == "claude-sonnet-5-5"
    assert set(models[1:]) == {"claude-haiku-4-5"}


def test_a_budget_that_is_used_up_is_raised_and_it_goes_on(project: Path, service: Service, home: Path) -> None:
    with (home / "config.toml").open("a") as file:
        file.write("[budget]\nusd = 0.0001\n")
    service.standing[COUNT_TOKENS] = (whole(200, {"input_tokens": 1000}),)
    answers(service, calls("submit_plan", **PLAN), EDIT, FINISH)

    async def play(screen: Driven) -> None:
        await screen.send("mend the spread")
        await screen.shows("budget.usd", "Over budget", "/budget USD raises what models may cost, /resume goes on")
        await screen.send("/budget none")
        await screen.shows("takes an amount of money", "│ /budget none")
        screen.app.session_screen.prompt.text = ""
        await screen.send("/budget $2")
        await screen.shows("From now on a session may cost $2.00; /resume goes on with it.")
        await screen.send("/resume")
        await screen.shows("Done: ", "/ $2.00")

    drive(project, play, (140, 40))


# ------------------------------------------------------------ what comes next


def test_what_is_written_next_goes_on_from_the_session_that_is_shown(project: Path, service: Service) -> None:
    answers(service, calls("submit_plan", **PLAN), EDIT, FINISH)

    async def play(screen: Driven) -> None:
        await screen.send("mend the spread")
        await screen.shows("Done: ", "/accept applies")
        await screen.send("/accept")
        await screen.shows("✓ Applied")
        answers(service, calls("submit_plan", **PLAN), from_(SUM, SUM_OTHERWISE), FINISH)
        before = len(service.asked)
        await screen.send("now the mean")
        await screen.shows("now the mean", "Done: ", "/accept applies")
        said = str(service.asked[before].body)
        assert "mend the spread" in said
        assert "The person has accepted it" in said

    drive(project, play, (120, 40))


def test_after_new_it_does_not(project: Path, service: Service) -> None:
    answers(service, calls("submit_plan", **PLAN), EDIT, FINISH)

    async def play(screen: Driven) -> None:
        await screen.send("mend the spread")
        await screen.shows("Done: ", "/accept applies")
        await screen.send("/new")
        await screen.shows("What should change? Or send /fix")
        await screen.until(lambda: "Done: " not in screen.text)
        assert screen.app.session_screen.story is None
        assert "/accept" not in screen.text
        answers(service, calls("submit_plan", **PLAN), EDIT, FINISH)
        before = len(service.asked)
        await screen.send("another thing")
        await screen.shows("another thing", "Done: ")
        assert "mend the spread" not in str(service.asked[before].body)

    drive(project, play, (120, 40))


def test_a_patch_that_no_longer_fits_says_what_can_be_done(solved_here: Path) -> None:
    stats = solved_here / "stats.py"
    changed = stats.read_text().replace(WRONG, "    return 0")
    stats.write_text(changed)

    async def play(screen: Driven) -> None:
        screen.app.session_screen.open_session("last")
        await screen.shows("Fixed: stats.py")
        await screen.send("/accept")
        await screen.shows("nothing was applied", "stats.py", "looks for another", "│ /accept")
        assert "Applied" not in screen.text

    drive(solved_here, play, (100, 30))
    assert stats.read_text() == changed
