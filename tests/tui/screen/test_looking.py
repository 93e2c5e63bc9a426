"""Looking at a session, and taking it elsewhere: views of the change, search, copies, files, help, themes, keys."""

from __future__ import annotations

from pathlib import Path

import pyperclip
import pytest
from textual import events

from tests.commands.scripted_agent import RIGHT, WRONG
from tests.tui.screen.screen_driver import Driven, drive
from treadle.core.config.screen_settings import ScreenSettings
from treadle.core.errors import UsageError
from treadle.tui.control.mailbox import Rested
from treadle.tui.screen.acts import Acts
from treadle.tui.spoken import file_name
from treadle.tui.story.as_markdown import new_file


async def opened(screen: Driven) -> None:
    screen.app.session_screen.open_session("last")
    await screen.shows("Fixed: stats.py")
    await screen.press("escape")


def test_the_change_as_a_diff_side_by_side_and_as_files(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        await opened(screen)
        await screen.shows("1 file changed  +1 -1 · diff", f"-{WRONG}", f"+{RIGHT}")
        await screen.press("d")
        await screen.shows("· side by side", f"  10-{WRONG}", f"  10+{RIGHT}")
        await screen.press("d")
        await screen.shows("· files", f"10+{RIGHT}", " 4 def mean(values):")
        assert WRONG not in screen.text
        line = screen.app.session_screen.pane("code").line
        assert line is not None
        assert line.title == RIGHT, "where the change begins"
        await screen.press("home", "down", "enter")
        await screen.until(lambda: f"10+{RIGHT}" not in screen.text)
        await screen.press("d")
        await screen.shows("· diff")

    drive(solved_here, play, (200, 48))


def test_the_files_of_a_session_that_has_come_to_nothing_yet_are_told_of(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        store = screen.app.control.project.store
        (done,) = store.sessions()
        begun = store.create_session(done.task).id
        for event in store.events(done.id):
            store.append(begun, event.kind, event.data, attempt=event.attempt)
            if event.kind == "attempt.ended":
                break
        screen.app.session_screen.open_session(begun)
        await screen.press("escape", "d", "d")
        await screen.shows("· files", "its text is kept no more, or not before the session rests")

    drive(solved_here, play, (200, 48))


def test_another_session_that_comes_to_rest_is_told_as_that_one(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        await opened(screen)
        screen.app.mailbox.put(Rested("20261128-004512-x7k2"))
        await screen.shows("Session 20261128-004512-x7k2 is at work no more; /sessions opens it.")
        assert "/accept applies this change" not in screen.text

    drive(solved_here, play)


def test_words_are_found_one_place_after_the_other(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        await opened(screen)
        await screen.press("ctrl+o", "ctrl+f", *"assert")
        activity = screen.app.session_screen.pane("activity")
        await screen.until(lambda: "assert" in activity.rows[activity.cursor].text.lower())
        first = activity.cursor
        await screen.press("enter")
        await screen.until(lambda: activity.cursor > first)
        await screen.press("up")
        await screen.until(lambda: activity.cursor == first)
        await screen.press(*"xyz")
        await screen.shows("not found in what is open")
        await screen.press("escape")
        await screen.until(lambda: "not found" not in screen.text)
        assert activity.has_focus

    drive(solved_here, play, (120, 60))


def test_a_line_is_copied_with_what_is_open_below_it(solved_here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_desktop: list[str] = []
    monkeypatch.setattr(pyperclip, "copy", on_desktop.append)

    async def play(screen: Driven) -> None:
        await opened(screen)
        await screen.press("home", "down", "down", "down", "enter")
        await screen.shows("AssertionError")
        await screen.press("c")
        await screen.shows("Copied: ")
        copied = screen.app.clipboard.splitlines()
        assert "Tests as they are" in copied[0]
        assert any("test_spread" in line for line in copied)
        assert not any("Attempt" in line for line in copied)
        await screen.until(lambda: on_desktop == [screen.app.clipboard])

    drive(solved_here, play, (120, 60))


def test_a_session_is_saved_as_markdown_and_nothing_is_overwritten(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        await opened(screen)
        await screen.send("/save story.md")
        await screen.shows("Saved: ")
        text = (solved_here / "story.md").read_text()
        assert text.startswith("# make the tests pass\n")
        assert "```diff\ndiff --git a/stats.py b/stats.py" in text
        assert "- ✗ Tests as they are: 3 of 5 fail" in text
        await screen.send('/save "my story.md"')
        await screen.until((solved_here / "my story.md").exists)
        await screen.send("/save 'no end")
        await screen.shows("'no end is no name of a file, as a shell reads it: No closing quotation")
        screen.app.session_screen.prompt.text = ""
        await screen.send("/save story.md")
        await screen.shows("is there already", "│ /save story.md")
        assert (solved_here / "story.md").read_text() == text

    drive(solved_here, play, (120, 40))


@pytest.mark.parametrize(
    ("written", "name"),
    [('"a b.md"', "a b.md"), ("'a\"b'.md", 'a"b.md'), (r"a\ b.md", "a b.md"), ("a b.md", "a b.md"), ("", "")],
)
def test_a_file_to_save_in_is_named_with_quotes_or_without(written: str, name: str) -> None:
    assert file_name(written) == name


def test_of_several_files_none_is_guessed() -> None:
    with pytest.raises(UsageError, match="names 2 files"):
        file_name('"a b" c')


def test_a_file_in_the_home_folder_is_named_as_in_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    assert new_file(tmp_path / "project", "~/told.md", "text") == home / "told.md"
    assert (home / "told.md").read_text() == "text"
    with pytest.raises(UsageError, match="the home folder of nobody"):
        new_file(tmp_path, "~nobody-of-that-name/told.md", "text")


def test_the_input_completes_commands_and_names_of_files(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        prompt = screen.app.session_screen.prompt
        await screen.press("slash")
        await screen.shows("> /fix")  # which leads somewhere: nothing is at work that could be stopped
        assert "/stop" not in screen.text
        await screen.press("tab", *"stats.p")
        await screen.shows("> stats.py")
        await screen.press("tab")
        await screen.until(lambda: prompt.text == "/fix stats.py ")
        prompt.text = ""
        await screen.press("slash", *"plan", "space", "@", *"stats.p")
        await screen.shows("> @stats.py")
        prompt.text = ""
        await screen.press(*"mend", "space", "@", *"sta")
        await screen.shows("> @stats.py", "@test_stats.py")
        await screen.press("down", "tab")
        await screen.until(lambda: prompt.text == "mend @test_stats.py ")
        await screen.until(lambda: "> @" not in screen.text)
        screen.app.session_screen._offer_to_go_on("mend @te", [("@late", "of what was written before")])
        assert not prompt.completing, "what was found for other words comes too late"

    drive(solved_here, play)


def test_a_tab_too_many_leaves_what_is_written_and_its_letters_are_no_keys(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        prompt = screen.app.session_screen.prompt
        await opened(screen)
        await screen.press("i", *"/rej")
        await screen.shows("> /reject  WORDS")
        await screen.press("tab")
        await screen.until(lambda: prompt.text == "/reject ")
        await screen.press("tab", *"all")
        await screen.until(lambda: prompt.text == "/reject all")
        prompt.text = ""
        await screen.press("tab")
        await screen.until(lambda: not prompt.has_focus)

    drive(solved_here, play)


def test_help_tells_of_what_has_the_focus(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.press("f1")
        await screen.shows("The input: a task in your words", "Send", "What the input takes now", "/fix [PATH|TEST]")
        await screen.press("f1")
        await screen.until(lambda: "What the input takes" not in screen.text)
        await opened(screen)
        await screen.press("f1")
        await screen.shows("The activity: what happened", "apply the patch")
        await screen.press("escape")
        await screen.shows("a Accept")

    drive(solved_here, play, (80, 48))


def test_the_palette_offers_what_is_possible_and_nothing_else(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.press("ctrl+p")
        await screen.shows("Sessions", "Fix")
        await screen.press(*"take back")
        await screen.shows("No matches found")
        await screen.press("escape")
        await opened(screen)
        await screen.press("ctrl+p")
        await screen.press(*"accept", "enter")
        await screen.shows("✓ Applied")

    drive(solved_here, play)


def test_other_colours_are_put_on(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        seen = {screen.app.screen.styles.background}
        for theme in ("light", "high-contrast"):
            await screen.send(f"/theme {theme}")
            await screen.until(lambda: screen.app.screen.styles.background not in seen)
            seen.add(screen.app.screen.styles.background)
        await screen.send("/theme drak")
        await screen.shows("there is no theme 'drak'; did you mean 'dark'?")

    drive(solved_here, play)


def test_keys_are_others_when_the_person_wants_it(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        await opened(screen)
        await screen.shows("y Accept")
        await screen.press("a")
        await screen.press("y")
        await screen.shows("✓ Applied")
        assert screen.text.count("✓ Applied") == 1

    drive(solved_here, play, preferences=ScreenSettings(keys={"session-accept": "y"}))


def test_nothing_moves_where_the_person_wants_no_motion(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        assert screen.app.animation_level == "none"
        assert not screen.app.session_screen.prompt.cursor_blink

    drive(solved_here, play, preferences=ScreenSettings(motion="reduced"))


def test_pages_are_scrolled_from_the_input(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        await opened(screen)
        await screen.press("ctrl+o", "home", "i")
        activity = screen.app.session_screen.pane("activity")
        assert screen.app.session_screen.prompt.has_focus
        await screen.press("pagedown")
        await screen.until(lambda: activity.cursor > 5)
        await screen.press("pageup")
        await screen.until(lambda: activity.cursor == 0)

    drive(solved_here, play, (80, 24))


@pytest.mark.parametrize("keys", ["i", "slash", "n", "ctrl+f"])
def test_letters_right_behind_the_key_to_a_text_field_do_nothing_but_stand_there(
    solved_here: Path, keys: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr(Acts, "accept", lambda self, words: done.append("accept"))
    monkeypatch.setattr(Acts, "edit", lambda self, words: done.append("edit"))

    async def play(screen: Driven) -> None:
        await opened(screen)
        await screen.until(lambda: screen.app.session_screen.query("FindBar Input"))  # it comes after the first paint
        for key in (keys, *"aeae"):  # all at once, as a fast terminal sends them
            screen.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await screen.shows("aeae")
        assert done == []

    drive(solved_here, play, (120, 40))


def test_what_comes_at_once_is_written_and_sent_as_it_came(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        await opened(screen)
        for key in ("i", *"/theme", "space", *"light", "enter"):
            character = " " if key == "space" else key if len(key) == 1 else "\r" if key == "enter" else None
            screen.app.post_message(events.Key("slash" if key == "/" else key, character))
        await screen.until(lambda: screen.app.theme == "textual-light")
        assert screen.app.session_screen.prompt.text == ""

    drive(solved_here, play, (120, 40))
