"""Plugins that run in this process and in one of their own, and what they did there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.core.plugin_workshop import Workshop
from treadle.core import errors
from treadle.core.config.settings import Settings
from treadle.core.places import Places
from treadle.core.plugin_host.loading import Workshop as Processes
from treadle.core.plugin_host.needs import Needs
from treadle.core.plugin_host.plugin_manager import PluginManager
from treadle.core.plugin_host.state import Permit
from treadle.core.records import Execution, Job, ModelReply, ModelRequest, Question, Task

TASK = Task(id="t", kind="fix", project="/project", python="/usr/bin/python3")


class Witness:
    """A context that remembers what is asked of it."""

    def __init__(self, settings: dict[str, object] | None = None) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.own_settings = settings or {}
        self.stop = False

    def emit(self, kind: str, data: dict[str, object]) -> None:
        self.asked.append(("emit", kind, data))

    def note(self, text: str) -> None:
        self.asked.append(("note", text))

    def progress(self, done: int, total: int | None, text: str) -> None:
        self.asked.append(("progress", done, total, text))

    def cancelled(self) -> bool:
        return self.stop

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        self.asked.append(("execute", jobs))
        return tuple(Execution(job=job.id, verdict="ok") for job in jobs)

    def complete(self, request: ModelRequest) -> ModelReply:
        self.asked.append(("complete", request))
        raise errors.NoPlugin("no language model is configured")

    def ask(self, question: Question) -> str:
        self.asked.append(("ask", question))
        raise errors.NeedsPerson(question.text)

    def settings(self) -> dict[str, object]:
        return dict(self.own_settings)

    def folder(self, scope: str) -> str:
        self.asked.append(("folder", scope))
        return f"/folders/{scope}"

    def log(self, level: str, message: str, **fields: object) -> None:
        self.asked.append(("log", level, message, fields))


class Apart(Workshop):
    """A workshop whose installed plugins are enabled, and run where a test says."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(folder, monkeypatch)
        self.places = Places(folder / "home", self.project).make()
        self.managers: list[PluginManager] = []

    def enabled(self, name: str, source: str, *, needs: Needs | None = None, **arguments: str) -> str:
        """Install a plugin and switch it on."""
        module = self.installed(name, source, **arguments)
        self.states().enable(name, permit=Permit(needs=needs or Needs()))
        return module

    def start(self, *, apart: bool = True, deadlines_s: dict[str, float] | None = None) -> PluginManager:
        """A loaded manager whose third-party plugins run in processes of their own, or in this one."""
        manager = PluginManager(
            self.states(),
            Settings(),
            self.faults.append,
            builtins=tuple(self.builtins),
            workshop=Processes(self.places, deadlines_s) if apart else None,
        )
        self.managers.append(manager)
        manager.load()
        return manager

    def said_by(self, name: str) -> str:
        """What the plugin wrote to its standard output and error."""
        return (self.places.logs / f"plugin-{name}.log").read_text()


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Apart]:
    made = Apart(tmp_path, monkeypatch)
    yield made
    for manager in made.managers:
        manager.close()


@pytest.fixture
def witness() -> Callable[..., Witness]:
    return Witness
