"""`treadle --plain`: the work of the screen line by line, in a terminal that keeps each line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Treadle
from tests.tui.resting import asking, rests
from tests.tui.terminal import Terminal, needs_tmux
from treadle.core.acceptance import OtherLines
from treadle.core.errors import PatchConflict, UsageError
from treadle.core.project import Project
from treadle.core.records import Question
from treadle.tui.actions import ACTIONS
from treadle.tui.cli import run
from treadle.tui.plain import conversation
from treadle.tui.plain.conversation import Conversation, told
from treadle.tui.plain.desk import Desk
from treadle.tui.ways import Ways, in_conversation


@needs_tmux
def test_tests_are_repaired_accepted_and_taken_back_line_by_line(
    treadle: Treadle,
    terminals: list[Terminal],
    tmp_path: Path,
) -> None:
    terminal = Terminal(tmp_path / "s", treadle, (100, 60), "--plain")
    terminals.append(terminal)
    terminal.shows("A task in your words, or /fix, /help, /quit.", "treadle>")
    terminal.keys("/fix", "Enter")
    terminal.shows("Nothing was changed yet. Apply it with: /accept", "treadle>")
    terminal.keys("/accept", "Enter")
    terminal.shows("Applied")
    terminal.keys("/undo", "Enter")
    terminal.shows("taken back")
    terminal.keys("/edit", "Enter")
    terminal.shows("/edit needs the full screen")
    terminal.keys("/fixx", "Enter")
    terminal.shows("there is no command /fixx")
    terminal.keys("/quit", "Enter")
    terminal.shows("left with 0")
    assert "\x1b[2K" not in terminal.escapes


def test_what_is_accepted_is_not_shown_again_and_the_ways_on_are_what_can_be_written(
    solved: Treadle, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TREADLE_HOME", str(solved.home))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.chdir(solved.folder)
    lines = iter(("/resume", "/accept", "/undo", "/quit"))
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    conversation.converse(lambda words: run(["--plain", *words], told))
    shown, _, after = capfd.readouterr().out.partition("Apply it with: /accept\n")
    assert "Fixed: " in shown
    assert after.startswith("Applied. Take it back with: /undo\nrestored  stats.py\n")


ASKED = Question(id="q", text="Which one?", options=("this one", "that one"), with_words=("that one",))


class Scripted(Desk):
    """A desk of no project: each task or fork begins another session, unless its words say that none begins. One whose
    last words are "which?" rests on a question."""

    def __init__(self) -> None:
        self.commands: list[list[str]] = []
        self.began = 0

    def run(self, words: list[str]) -> int:
        self.commands.append(words)
        self.began += (words[0] in ("run", "fix") or "--fork" in words) and "begins none" not in words
        return 0

    def latest(self) -> str:
        return f"s{self.began}" if self.began else ""

    def came_to_something(self, session: str) -> bool:
        return "comes to nothing" not in self.commands[-1]

    def question(self, session: str) -> Question | None:
        return ASKED if session and self.commands[-1][-1].endswith("which?") else None

    def check_model(self, given: str, settings: dict[str, Any]) -> None:
        if "nobody/" in given:
            raise UsageError("nobody brings it")

    def save(self, session: str, name: str) -> Path:
        return Path("there", session, name)

    def memory(self) -> str:
        return "the lessons"

    def review(self) -> str:
        return "what waits"


def heard(*texts: str) -> list[list[str]]:
    desk = Scripted()
    conversation = Conversation(desk.run, desk)
    for text in texts:
        assert conversation.hear(text)
    return desk.commands


def test_what_is_written_goes_on_from_what_was_said() -> None:
    said = heard("add a discount", "and a test", "/plan and name it", "/new", "something else")
    assert said == [
        ["run", "--", "add a discount"],
        ["run", "--continue", "s1", "--", "and a test"],
        ["run", "--plan", "--continue", "s2", "--", "and name it"],
        ["run", "--", "something else"],
    ]


def test_nothing_goes_on_from_what_has_not_begun_or_came_to_nothing() -> None:
    assert heard("begins none", "comes to nothing", "do it", "begins none", "more") == [
        ["run", "--", "begins none"],
        ["run", "--", "comes to nothing"],
        ["run", "--", "do it"],
        ["run", "--continue", "s2", "--", "begins none"],
        ["run", "--continue", "s2", "--", "more"],
    ]


def test_what_is_done_next_is_done_with_the_session_that_began_here() -> None:
    assert heard("/undo", "/accept", "do it", "/accept", "/undo", "/fork", "/merge", "and more", "/fix", "/diff") == [
        ["undo"],
        ["resume", "last", "--apply"],
        ["run", "--", "do it"],
        ["resume", "s1", "--apply"],
        ["undo", "s1"],
        ["resume", "s1", "--fork"],
        ["resume", "s2", "--apply", "--merge"],
        ["run", "--continue", "s2", "--", "and more"],
        ["fix"],
        ["show", "s4", "--diff"],
    ]


def test_what_was_shown_is_what_is_done_something_with_whatever_else_begins(
    capsys: pytest.CaptureFixture[str],
) -> None:
    desk = Scripted()
    desk.began = 1
    conversation = Conversation(desk.run, desk)
    for text in (
        "/doctor",
        "/diff",
        "/accept",
        "/undo",
        "/choose 2 test",
        "/choose",
        "/choose 2 tset",
        "/reject which?",
        "1",
    ):
        desk.began += 1  # by another program
        assert conversation.hear(text)
    assert desk.commands == [
        ["doctor"],
        ["show", "s3", "--diff"],
        ["resume", "s3", "--apply"],
        ["undo", "s3"],
        ["resume", "s3", "--choose", "2", "--keep-example"],
        ["resume", "s3", "--reject", "which?"],
        ["resume", "s3", "--answer=this one"],
    ]
    wrong = "/choose NUMBER [test]: which of the changes that the result lists?\n"
    assert capsys.readouterr().err == wrong * 2, "there is no cursor here"


def test_the_line_after_a_question_answers_it_or_is_told_not_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert heard("do it: which?", "2 since it is shorter", "more") == [
        ["run", "--", "do it: which?"],
        ["resume", "s1", "--answer=that one", "--words=since it is shorter"],
        ["run", "--continue", "s1", "--", "more"],
    ]
    assert heard("which?", "this one")[1:] == [["resume", "s1", "--answer=this one"]]
    assert heard("which?", "1")[1:] == [["resume", "s1", "--answer=this one"]]
    capsys.readouterr()
    for no_answer in ("another task", "3", "1 since it has no words"):
        assert heard("which?", no_answer)[1:] == []
        assert "Which one? That waits for an answer, or its number: 1 this one, 2 that one." in capsys.readouterr().err
    assert heard("which?", "/new", "another task")[1:] == [["run", "--", "another task"]]


def test_what_a_session_rests_on_says_that_the_next_line_answers_it() -> None:
    ways = Ways("treadle", "s1")
    assert ways.answers(ASKED.options) == ["Answer with: treadle resume s1 --answer 'this one'"]
    assert ways.answers(ASKED.options, ASKED.with_words)[1].endswith('treadle resume s1 --reject "WORDS"')
    with in_conversation():
        first, second = ways.answers(ASKED.options, ASKED.with_words)
        assert first.endswith("by its number or in words: 1 this one, 2 that one")
        assert second == "2 WORDS says what should be otherwise"
        assert ways.answers(()) == ["Then go on with: /resume"]


def test_a_task_that_begins_with_a_dash_is_no_option() -> None:
    assert heard("- mend the parser", "/fix -x") == [["run", "--", "- mend the parser"], ["fix", "--", "-x"]]


def test_choices_hold_for_all_that_comes_after(capsys: pytest.CaptureFixture[str]) -> None:
    said = heard(
        "/model coder=ollama/a",
        "/model coder=ollama/b",
        "/model coder=nobody/c",
        "/model foo",
        "/budget $2",
        "do it",
        "/reject not so",
        "/retry 2",
        "/resume",
        "/fix",
    )
    sets = ["--set", 'models.coder.use=["ollama/b"]', "--set", "budget.usd=2.0"]
    assert said == [
        ["run", *sets, "--", "do it"],
        ["resume", "s1", "--reject", "not so", *sets],
        ["resume", "s1", "--from", "2", *sets],
        ["resume", "s1", *sets],
        ["fix", *sets],
    ]
    shown = capsys.readouterr()
    assert "nobody brings it" in shown.err
    assert "/model foo: name the model as PROVIDER/MODEL" in shown.err
    assert "foo is asked" not in shown.out


def test_its_help_speaks_of_what_there_is_without_a_screen(capsys: pytest.CaptureFixture[str]) -> None:
    heard("/help")
    shown = capsys.readouterr().out
    for word in ("cursor", "side by side", "pane", "/edit", "/theme"):
        assert word not in shown
    for word in ("/retry NUMBER [WORDS]", "/save [FILE]", "/memory", "/review", "/merge", "/fork"):
        assert f"  {word}: " in shown


@pytest.mark.parametrize("word", [action.name for action in ACTIONS if action.name != "quit"])
def test_every_action_is_done_or_said_to_need_the_screen(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    takes = next(action.takes for action in ACTIONS if action.name == word)
    commands = heard(f"/{word} {'1' if takes else ''}".strip())
    out = capsys.readouterr()
    said = f"/{word} needs the full screen" in out.err or (word == "model" and "PROVIDER/MODEL" in out.err)
    assert commands or out.out or said


@pytest.fixture
def desk(solved: Treadle, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("TREADLE_HOME", str(solved.home))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.chdir(solved.folder)
    return Desk()


def test_the_desk_finds_what_there_is_in_the_project(desk: Desk, solved: Treadle) -> None:
    session = desk.latest()
    assert solved("sessions", "--json").lines[0][0]["id"] == session
    assert desk.came_to_something(session)
    assert "A patch to accept: stats.py" in desk.review()
    assert session in desk.review()
    saved = desk.save("last", "")
    assert saved == solved.folder / f"{session}.md"
    assert "## Patch" in saved.read_text()
    assert "arithmetic-operator" in desk.memory()
    with pytest.raises(UsageError, match="/model nobody/x"):
        desk.check_model("nobody/x", {"models.coder.use": ["nobody/x"]})


def test_the_desk_finds_what_a_session_rests_on(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREADLE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(project)
    assert Desk().question("last") is None
    session = rests(project, tmp_path / "home", asking("setup.cfg: a dependency"))
    assert Desk().question(session) == Desk().question("last") == asking("setup.cfg: a dependency")
    with Project(project) as opened:
        opened.store.append(session, "session.state", {"state": "STOPPED"})
    assert Desk().question(session) is None


def test_where_there_is_nothing_the_desk_says_so(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TREADLE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(project)
    assert Desk().latest() == ""
    assert "No lessons" in Desk().memory()
    assert Desk().review().startswith("Nothing waits for you")


def test_what_can_be_merged_is_so_by_a_command_of_this_conversation() -> None:
    error = OtherLines(PatchConflict("a.py has changed since"), "s1")
    assert told(error) == (
        "a.py has changed since; that is in other lines than the patch's, and both go together: /merge applies it so"
    )
    assert told(UsageError("nobody brings it")) == "nobody brings it"


def test_errors_of_commands_are_told_as_the_conversation_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TREADLE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    heard = iter(["/accept", "/quit"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(heard))
    monkeypatch.setattr(conversation, "told", lambda error: f"as it is told here: {type(error).__name__}")
    assert run(["--plain"]) == 0
    assert "treadle: as it is told here: " in capsys.readouterr().err


def test_quit_leaves() -> None:
    assert not Conversation(lambda words: 0, Scripted()).hear("/quit")
