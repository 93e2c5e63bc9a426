"""What is done with the project where nothing is drawn: changed settings hold at once, and what crashes is logged."""

from __future__ import annotations

from pathlib import Path

import pytest

from treadle.core.errors import ConfigError
from treadle.core.project import Project
from treadle.core.records import Task
from treadle.tui.control.control import Control
from treadle.tui.control.mailbox import Mailbox, Rested


def test_settings_and_plugins_are_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, root = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    root.mkdir()
    monkeypatch.setenv("TREADLE_HOME", str(home))
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


def test_a_session_that_crashes_is_told_and_its_traceback_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, root = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    root.mkdir()
    monkeypatch.setenv("TREADLE_HOME", str(home))
    mailbox = Mailbox()

    def makes_none(project: Project) -> Task:
        raise ZeroDivisionError("it [broke] here")

    with Control(root, mailbox).closing() as control:
        control.start(makes_none)
        assert control.wait(60)
    assert Rested("", "the session crashed: ZeroDivisionError: it [broke] here") in mailbox.take()
    logged = "".join(file.read_text() for file in home.rglob("*.jsonl"))
    assert "the session crashed" in logged
    assert "in makes_none" in logged


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
