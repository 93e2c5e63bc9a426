"""What is done with the project where nothing is drawn: changed settings hold at once, and what crashes is logged."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from treadle.core.errors import ConfigError, UsageError
from treadle.core.project import Project
from treadle.core.records import RunChoices, Task
from treadle.tui.control.control import Control
from treadle.tui.control.mailbox import Interrupted, Mailbox, Notice, Rested
from treadle.tui.pages.plugins import PluginsPage
from treadle.tui.pages.settings import SettingsPage
from treadle.tui.tasks import fix_task
from treadle.tui.widgets.layout import UNICODE


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the person's state."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("TREADLE_HOME", str(folder))
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An empty project."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def test_settings_and_plugins_are_read_anew(home: Path, root: Path) -> None:
    with Control(root, Mailbox()).closing() as control:
        project = control.project
        before = {each.name: each.state for each in project.plugins.plugins()}
        assert before["scan-bandit"] == "enabled"
        project.plugin_states.disable("scan-bandit")
        (home / "config.toml").write_text("[plugins.search]\nbatch = 3\n")
        assert control.reload()
        after = {each.name: each.state for each in control.project.plugins.plugins()}
        assert after == {**before, "scan-bandit": "disabled"}
        assert control.project.plugins.settings_of("search")["batch"] == 3

        (home / "config.toml").write_text("nonsense = 3\n")
        with pytest.raises(ConfigError, match="nonsense"):
            control.reload()
        assert control.project.plugins.settings_of("search")["batch"] == 3, "all is as it was"


def test_one_that_another_program_goes_on_with_just_then_is_not_interrupted(
    home: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mailbox = Mailbox()
    with Control(root, mailbox).closing() as control:
        store = control.project.store
        task = Task(id="t", kind="fix", project=str(root), python="python")
        session = store.create_session(task).id
        control.follow(session, 0)

        def resumed(of: str) -> bool:  # and ended, both between this look and the next
            store.append(session, "session.resumed", {})
            return False

        with monkeypatch.context() as patched:
            patched.setattr(store, "is_locked", resumed)
            control.catch_up(looks_for_its_end=True)
        assert [getattr(item, "kind", item) for item in mailbox.take()] == ["session.resumed"]
        control.catch_up(looks_for_its_end=True)
        assert mailbox.take() == [Interrupted(session)]


def test_a_session_that_crashes_is_told_and_its_traceback_is_logged(
    home: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-api03-planted")
    mailbox = Mailbox()

    def makes_none(project: Project) -> Task:
        raise ZeroDivisionError("it [broke] here", os.environ["ANTHROPIC_API_KEY"])

    with Control(root, mailbox).closing() as control:
        control.start(makes_none)
        assert control.wait(60)
    (rested,) = (mail for mail in mailbox.take() if isinstance(mail, Rested))
    assert rested.error.startswith("the session crashed: ZeroDivisionError: ('it [broke] here'")
    logged = "".join(file.read_text() for file in home.rglob("*.jsonl"))
    assert "the session crashed" in logged
    assert "in makes_none" in logged
    assert "sk-ant-api03-planted" not in logged


def test_what_changes_while_a_session_works_holds_from_the_next_one_on(home: Path, root: Path) -> None:
    own, mailbox = home / "config.toml", Mailbox()
    works, goes_on = threading.Event(), threading.Event()
    attempts: list[int] = []

    def make(project: Project) -> Task:
        attempts.append(project.settings.loop.max_attempts)
        works.set()
        assert goes_on.wait(60)
        raise UsageError("no more")

    with Control(root, mailbox).closing() as control:
        control.start(make)
        assert works.wait(60)
        opened = control.project
        told = SettingsPage(control, UNICODE)._write(own, "loop.max_attempts", "7")
        assert told == f"loop.max_attempts is written into {own}; it holds from the next session on."
        said = PluginsPage(control, UNICODE)._switched(["It is off."])
        assert said == "It is off. The session at work goes on as it began; this holds from the next one on."
        assert control.project is opened, "what it works with is as it was"
        goes_on.set()
        assert control.wait(60)
        control.start(make)
        assert control.wait(60)
        assert attempts == [15, 7]
        assert SettingsPage(control, UNICODE)._write(own, "loop.max_attempts", "8").endswith(f"into {own}.")
        assert control.project.settings.loop.max_attempts == 8


def test_what_the_person_should_know_before_anything_runs_is_told_when_a_session_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").mkdir()
    settings = tmp_path / "project" / ".treadle" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('python = "/bin/evil"\n')
    monkeypatch.setenv("TREADLE_HOME", str(tmp_path / "home"))
    mailbox = Mailbox()
    with Control(settings.parents[1], mailbox).closing() as control:
        control.start(fix_task)
        control.stop()
        assert control.wait(60)
    notices = [mail.text for mail in mailbox.take() if isinstance(mail, Notice)]
    assert any("a project may not set it" in text for text in notices), notices


def test_projects_of_earlier_choices_do_not_stay_open_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[Project] = []
    close = Project.close
    monkeypatch.setattr(Project, "close", lambda self: (closed.append(self), close(self))[1])
    monkeypatch.setenv("TREADLE_HOME", str(tmp_path / "home"))
    with Control(tmp_path, Mailbox()).closing() as control:
        opened = [control.project]
        for usd in range(1, 5):
            control.choose({"budget.usd": float(usd)})
            opened.append(control.project)
        assert closed == opened[:2], "two stay open for whoever is reading from them"
    assert sorted(map(id, closed)) == sorted(map(id, opened))


def test_a_project_stays_open_for_whoever_is_at_work_with_it(
    home: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[Project] = []
    close = Project.close
    monkeypatch.setattr(Project, "close", lambda self: (closed.append(self), close(self))[1])
    begun: list[Project] = []
    works, goes_on = threading.Event(), threading.Event()

    def make(project: Project) -> Task:
        begun.append(project)
        works.set()
        assert goes_on.wait(60)
        raise UsageError("no more")

    with Control(root, Mailbox()).closing() as control:
        with control.using() as used:
            for usd in range(1, 5):
                control.choose({"budget.usd": float(usd)})
            assert used not in closed
            assert len(closed) == 1, "of the others two stay open"
        assert used in closed
        control.start(make)
        assert works.wait(60)
        for usd in range(5, 9):
            control.choose({"budget.usd": float(usd)})
        assert begun[0] not in closed
        goes_on.set()
        assert control.wait(60)
        assert begun[0] in closed


def test_nobody_waits_for_a_project_that_is_about_to_take_the_place_of_another(
    home: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_opening, goes_on = threading.Event(), threading.Event()
    made = Control._made

    def slow(self: Control, choices: RunChoices) -> Project:
        is_opening.set()
        goes_on.wait(20)
        return made(self, choices)

    with Control(root, Mailbox()).closing() as control:
        opened = control.project
        monkeypatch.setattr(Control, "_made", slow)
        reloads = threading.Thread(target=control.reload)
        reloads.start()
        assert is_opening.wait(60)
        assert control.project is opened
        goes_on.set()
        reloads.join()
        assert control.project is not opened


def test_a_project_whose_folder_is_gone_is_said_to_be_once(home: Path, root: Path) -> None:
    mailbox = Mailbox()
    with Control(root, mailbox).closing() as control:
        assert control.project.root == root
        root.rmdir()
        control.start(lambda project: fix_task(project, ""))
        assert control.wait(60)
        assert control.project.store.session_ids() == set()
    told = [mail.error if isinstance(mail, Rested) else mail for mail in mailbox.take()]
    assert [text for text in told if isinstance(text, str)] == [
        f"the project's folder {root} is gone; nothing was begun"
    ]
    assert not [text for text in told if isinstance(text, Notice) and "mount" in str(text)]
