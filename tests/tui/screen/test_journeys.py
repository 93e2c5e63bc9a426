"""What a person does on the screen, from the first key to the last, on real projects."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.scripted_agent import EDIT, FINISH, PLAN, RIGHT, WRONG, calls
from tests.plugins.models.scripted_service import Service
from tests.tui.screen.screen_driver import Driven, drive, narrow_and_wide
from treadle.tui.widgets import question_dialog


@narrow_and_wide
def test_failing_tests_are_repaired_the_patch_accepted_and_taken_back(project: Path, size: tuple[int, int]) -> None:
    before = (project / "stats.py").read_text()

    async def play(screen: Driven) -> None:
        await screen.shows("What should change?")
        await screen.send("/fix")
        await screen.shows("Tests as they are", "3 of 5 fail")
        await screen.shows("Fixed: stats.py", "/accept applies this change")
        await screen.press("escape")
        await screen.shows("a Accept")
        assert (project / "stats.py").read_text() == before, "nothing is changed before it is accepted"
        await screen.press("a")
        await screen.shows("✓ Applied", "u Take back")
        assert (project / "stats.py").read_text() == before.replace(WRONG, RIGHT)
        await screen.press("u")
        await screen.shows("Taken back")
        assert (project / "stats.py").read_text() == before

    drive(project, play, size)


def test_the_change_is_shown_beside_it_or_behind_a_key(project: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.send("/fix")
        await screen.shows("Fixed: stats.py")
        assert f"+{RIGHT}" not in screen.text, "80 columns have room for one pane"
        await screen.press("f2")
        await screen.shows("stats.py  +1 -1", f"-{WRONG}", f"+{RIGHT}")
        await screen.pilot.resize_terminal(160, 48)
        await screen.shows("Fixed: stats.py", f"+{RIGHT}")

    drive(project, play, (80, 24))


def test_a_stage_discloses_its_details(project: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.send("/fix")
        await screen.shows("Fixed: stats.py", "/accept applies")
        assert "test_spread" not in screen.text.split("Fixed")[0]
        await screen.press("escape", "home", "down", "down", "down", "enter")
        await screen.shows("test_stats.py::test_spread[values0-4]", "AssertionError")
        await screen.press("enter")
        await screen.until(lambda: "AssertionError" not in screen.text)
        await screen.press("ctrl+o")
        await screen.shows("AssertionError", "runs in the sandbox")

    drive(project, play, (120, 60))


def test_what_tests_print_is_shown_while_they_run(project: Path, home: Path, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    gate.mkdir()
    (home / "config.toml").write_text(f"[sandbox]\nread = ['{gate}']\n")
    with (project / "pyproject.toml").open("a") as file:
        file.write('[tool.pytest.ini_options]\naddopts = "-s"\n')
    (project / "test_slow.py").write_text(SLOW.format(gate=str(gate)))

    async def play(screen: Driven) -> None:
        await screen.send("/fix")
        await screen.shows("▸ ● Tests as they are")
        await screen.press("f2", "f2", "f2", "end", "enter")
        await screen.shows("halfway there", "more lines")
        assert "\x1b" not in screen.text
        (gate / "one").touch()
        await screen.shows("nearly there")
        assert "✗ Tests as they are" not in screen.text, "it still runs"
        (gate / "two").touch()
        await screen.shows("Fixed: stats.py", "test_stats.py::test_spread[values0-4]")
        assert "halfway there" not in screen.text, "what it printed is behind a line of its own by now"

    drive(project, play, (120, 60))


def test_a_run_of_tests_has_a_bar_while_it_goes_on(project: Path, home: Path, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    gate.mkdir()
    (home / "config.toml").write_text(f"[sandbox]\nread = ['{gate}']\n")
    (project / "test_zzz.py").write_text(SLOW.format(gate=str(gate)))
    (gate / "one").touch()

    async def play(screen: Driven) -> None:
        await screen.send("/fix")
        await screen.shows("Tests as they are  ━━━━━━╌╌ 5 / 6")
        (gate / "two").touch()
        await screen.shows("Fixed: stats.py")
        assert "╌" not in screen.text.partition("Fixed")[0], "there is no bar of what is over"

    drive(project, play, (120, 60))


SLOW = """
import os, time

def wait_for(name):
    while not os.path.exists(os.path.join({gate!r}, name)):
        time.sleep(0.01)

def test_slow():
    print("more lines\\n" * 1000, end="")
    print("\\x1b[32mhalfway there\\x1b[0m", flush=True)
    wait_for("one")
    print("nearly there", flush=True)
    wait_for("two")
"""


@narrow_and_wide
def test_a_model_does_a_task(project: Path, service: Service, size: tuple[int, int]) -> None:
    for answer in (calls("submit_plan", **PLAN), EDIT, FINISH):
        service.will(answer)

    async def play(screen: Driven) -> None:
        await screen.send("mend the spread")
        await screen.shows("Done: ", "$0.00 / $5.00", "/accept applies")
        assert ("claude-sonnet-5-5" in screen.text) == (size[0] > 100), "what it costs has room before who did it"
        await screen.press("escape")
        await screen.press("a")
        await screen.shows("✓ Applied")

    drive(project, play, size)
    assert RIGHT in (project / "stats.py").read_text()


def test_a_question_is_put_and_nothing_is_taken_for_an_answer(
    project: Path, service: Service, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_dialog, "NO_ANSWER_S", 3600.0)
    with (home / "config.toml").open("a") as file:
        file.write("[paths]\nask = ['stats.py']\n")
    config = (home / "config.toml").read_text()
    (home / "config.toml").write_text(f'approval = "ask"\n{config}')
    for answer in (calls("submit_plan", **PLAN), EDIT, FINISH):
        service.will(answer)

    async def play(screen: Driven) -> None:
        await screen.send("mend the spread")
        await screen.shows("May this code run in the sandbox?", "1 allow", "2 deny", "stats.py")
        await screen.press("1")
        assert "May this code run" in screen.text, "who was writing when it came has not answered"
        await screen.press("escape")
        await screen.shows("/resume asks again")
        monkeypatch.setattr(question_dialog, "NO_ANSWER_S", 0.01)
        await screen.send("/resume")
        await screen.shows("1 allow")
        await screen.pilot.pause(0.5)
        await screen.press("enter", "space")
        assert "May this code run" in screen.text, "neither is an answer"
        await screen.press("1")
        await screen.shows("Done: ")
        await screen.press("ctrl+o")
        await screen.shows("you:", "allow")

    drive(project, play, (120, 80))


@narrow_and_wide
def test_a_session_is_stopped_and_goes_on(project: Path, service: Service, size: tuple[int, int]) -> None:
    service.will("hang")

    async def play(screen: Driven) -> None:
        await screen.send("mend the spread")
        assert await _reached(screen, service)
        await screen.press("escape")
        await screen.shows("Stopped", "esc Panes")
        await screen.press("escape")
        await screen.shows("r Go on")
        for answer in (calls("submit_plan", **PLAN), EDIT, FINISH):
            service.will(answer)
        await screen.press("r")
        await screen.shows("Resumed", "Done: ")

    drive(project, play, size)


def test_a_question_waits_for_who_is_writing(project: Path, service: Service, home: Path) -> None:
    config = (home / "config.toml").read_text()
    (home / "config.toml").write_text(f'approval = "ask"\n{config}')
    for answer in (calls("submit_plan", **PLAN), EDIT, FINISH):
        service.will(answer)

    async def play(screen: Driven) -> None:
        await screen.send("mend the spread")
        await screen.press(*"and")
        await screen.shows("It needs you: May this code run in the sandbox?", "│ and")
        assert "1 allow" not in screen.text
        await screen.press("backspace", "backspace", "backspace")
        await screen.send("/resume")
        await screen.shows("1 allow")

    drive(project, play, (120, 40))


async def _reached(screen: Driven, service: Service) -> bool:
    await screen.until(service.reached.is_set)
    return True


def test_without_a_model_it_says_how_to_get_one(project: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.send("make it nicer")
        await screen.shows("ANTHROPIC_API_KEY")

    drive(project, play, (120, 40))


def test_what_can_not_be_sent_is_not_lost(project: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.send("/fixx")
        await screen.shows("✗ there is no command /fixx; did you mean '/fix'? /help lists", "│ /fixx")
        screen.app.session_screen.prompt.text = ""
        await screen.send("/fix nofile.py")
        await screen.shows("/fix nofile.py: there is no such file", "│ /fix nofile.py")
        assert screen.app.session_screen.story is None
        assert "there is no command" not in screen.text, "what came of the last thing is told"
        await screen.send("")

    drive(project, play)


def test_a_project_that_can_not_be_opened_is_told(project: Path, home: Path) -> None:
    (home / "config.toml").write_text("loop = 3\n")

    async def play(screen: Driven) -> None:
        await screen.send("/fix")
        await screen.shows("config.toml")

    drive(project, play)


@narrow_and_wide
def test_what_is_rejected_with_words_is_made_anew(project: Path, service: Service, size: tuple[int, int]) -> None:
    wanted = f"{RIGHT}  # the range"
    for answer in (
        calls("submit_plan", **PLAN), EDIT, FINISH,
        calls("edit", path="stats.py", search=RIGHT, replace=wanted), FINISH,
    ):  # fmt: skip
        service.will(answer)

    async def play(screen: Driven) -> None:
        await screen.send("mend the spread")
        await screen.shows("Done: ", "/accept applies")
        await screen.press("escape")
        await screen.shows("n Reject")
        await screen.press("n")
        await screen.press(*(char if char != " " else "space" for char in "say what it is"), "enter")
        await screen.shows("✗ Attempt 1", "✓ Attempt 2", "/accept applies")
        assert "say what it is" in str(service.asked[-1].body)
        await screen.send("/accept")
        await screen.shows("✓ Applied")

    drive(project, play, size)
    assert wanted in (project / "stats.py").read_text()


@narrow_and_wide
def test_a_candidate_is_edited_tried_again_and_accepted(solved_here: Path, size: tuple[int, int]) -> None:
    async def play(screen: Driven) -> None:
        screen.app.session_screen.open_session("last")
        await screen.shows("Fixed: stats.py")
        await screen.press("escape")
        await screen.shows("e Edit")
        await screen.press("e")
        await screen.shows("Your change is tried like any other", "def mean(values):")
        await screen.press("ctrl+s")
        await screen.shows("Nothing is otherwise than before")
        await screen.press(*["up"] * 20, "home", *"#mine", "enter", "ctrl+s")
        await screen.shows("✗ Attempt 1", "✓ Attempt 2", "edited by you", "/accept applies")
        await screen.send("/accept")
        await screen.shows("✓ Applied")

    drive(solved_here, play, size)
    text = (solved_here / "stats.py").read_text()
    assert text.startswith("#mine\n")
    assert RIGHT in text


@narrow_and_wide
def test_a_change_is_denied_with_words_that_the_next_attempt_reads(
    project: Path, service: Service, home: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.setattr(question_dialog, "NO_ANSWER_S", 0.01)
    with (home / "config.toml").open("a") as file:
        file.write("[paths]\nask = ['stats.py']\n")
    for answer in (calls("submit_plan", **PLAN), EDIT, FINISH, EDIT, FINISH):
        service.will(answer)

    async def play(screen: Driven) -> None:
        await screen.send("mend the spread")
        await screen.shows("May this code run", "1 allow", "2 allow in this session", "3 allow here always", "4 deny")
        await screen.pilot.pause(0.5)
        await screen.press("4")
        await screen.shows("Why, or what instead?")
        await screen.press("escape")
        await screen.shows("1 allow")
        await screen.press("4", *"keep", "space", *"it", "enter")
        await screen.shows("May this code run", "1 allow")
        assert "keep it" in str(service.asked[-1].body)
        await screen.pilot.pause(0.5)
        await screen.press("2")
        await screen.shows("Done: ")

    drive(project, play, size)


def test_a_plan_is_objected_to_in_words(project: Path, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question_dialog, "NO_ANSWER_S", 0.01)
    for number in range(4):
        service.will(calls("submit_plan", **{**PLAN, "steps": [f"Plan {number}"]}))

    def heard() -> str:
        return str(service.asked[-1].body["messages"])

    async def play(screen: Driven) -> None:
        await screen.send("/plan mend the spread")
        await screen.shows("Follow this plan?", "1. Plan 0", "files: stats.py", "2 plan anew")
        await screen.pilot.pause(0.5)
        await screen.press("2", *"no", "enter")
        await screen.shows("1. Plan 1", "2 plan anew")
        assert "The person says: no" in heard()
        await screen.press("escape")
        await screen.shows("/reject WORDS says what should be otherwise")
        await screen.send("/reject never")
        await screen.shows("1. Plan 2", "2 plan anew")
        assert "The person says: never" in heard()
        await screen.press("escape")
        await screen.send("smaller")
        await screen.shows("That waits for an answer, or its number: 1 go on, 2 plan anew, 3 stop")
        await screen.send(", and with a dict")
        await screen.shows("1. Plan 3", "2 plan anew")
        assert "The person says: smaller, and with a dict" in heard()

    drive(project, play)


def test_no_letter_of_the_next_task_accepts_anything(project: Path) -> None:
    before = (project / "stats.py").read_text()

    async def play(screen: Driven) -> None:
        await screen.send("/fix")
        await screen.shows("Fixed: stats.py", "/accept applies")
        await screen.press(*"another")
        await screen.shows("│ another")
        await screen.press("escape", "slash")
        await screen.shows("│ another")
        assert (project / "stats.py").read_text() == before

    drive(project, play)


def test_a_slash_in_a_pane_begins_a_command(project: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.press("escape", "slash", *"fix", "enter")
        await screen.shows("Fixed: stats.py")

    drive(project, play)
