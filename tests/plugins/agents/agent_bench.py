"""Whole sessions of the real agents, on a real project and in the real sandbox, whose model is scripted by role."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path
from typing import Any

import msgspec

from tests.commands.conftest import write_project
from tests.loop.conftest import Bench
from treadle.core.config.settings import Settings
from treadle.core.contributions import Contribution, Model
from treadle.core.hooks import hookimpl
from treadle.core.models.messages import ModelFailure, ModelReply, ModelRequest, ToolCall
from treadle.core.plugin_host.plugin_manager import PluginManager
from treadle.core.plugin_host.shipped import BUILTINS
from treadle.core.plugin_host.state import PluginStates
from treadle.core.records import Task

USED = (
    *("workspace-copy", "plan-model", "code-model", "executor"),
    *("validate-tests", "test-model", "review-model", "reflect-model", "reflect"),
)
WRONG = "    return max(values) + min(values)"
RIGHT = "    return max(values) - min(values)"
PLAN: dict[str, object] = {
    "steps": ["Mend spread in stats.py"],
    "files": ["stats.py"],
    "difficulty": "complex",
    "mends_failing_tests": True,
}


def call(tool: str, /, **arguments: object) -> ModelReply:
    """A reply that calls one tool."""
    return ModelReply(calls=(ToolCall(id="c", name=tool, arguments=json.dumps(arguments)),), stop="tool calls")


def edit(search: str, replace: str) -> ModelReply:
    return call("edit", path="stats.py", search=search, replace=replace)


MEND = (edit(WRONG, RIGHT), call("finish", summary="The spread is a difference."))


class AgentBench(Bench):
    """`replies` are what the model says to each role, in order; `heard` is what it was asked, `unexpected` that
    for which there was no reply."""

    def __init__(self, tmp_path: Path, environment: Path) -> None:
        """`environment`: the Python environment of its project."""
        super().__init__(tmp_path)
        self.python = str(environment / "bin" / "python")
        self.project.rmdir()
        write_project(self.project)
        self.kind = "run"
        self.approval = "auto"
        self.plugin_settings: dict[str, dict[str, Any]] = {}
        self.replies: dict[str, list[ModelReply | ModelFailure]] = {}
        self.heard: list[ModelRequest] = []
        self.unexpected: list[ModelRequest] = []
        self.text = "mend the spread"

    def says(self, role: str, *replies: ModelReply | ModelFailure) -> None:
        self.replies.setdefault(role, []).extend(replies)

    def asked(self, role: str) -> list[ModelRequest]:
        """What the model was asked in that role."""
        return [request for request in self.heard if request.role == role]

    def openings(self, role: str) -> list[str]:
        """The first messages of the conversations in that role."""
        return [request.messages[0].text for request in self.asked(role) if len(request.messages) == 1]

    def task(self) -> Task:
        return Task(
            id="t",
            kind=self.kind,
            project=str(self.project),
            python=self.python,
            text=self.text,
            shows_plan=self.shows_plan,
        )

    def _answer(self, arguments: dict[str, Any]) -> ModelReply | ModelFailure:
        request = msgspec.convert(arguments["request"], ModelRequest)
        self.heard.append(request)
        left = self.replies.get(request.role, [])
        if not left:
            self.unexpected.append(request)
            return ModelFailure(trouble="refused", message="the test has no more replies")
        return left.pop(0)

    def _manager(self) -> PluginManager:
        script = types.ModuleType("scripted_model")

        def treadle_contributions() -> tuple[Contribution, ...]:
            return (Model(name="scripted", summary="Says what the test has it say."),)

        def treadle_call(kind: str, name: str, arguments: dict[str, Any]) -> object:
            return self._answer(arguments)

        for hook in (treadle_contributions, treadle_call):
            setattr(script, hook.__name__, hookimpl(hook))
        sys.modules[script.__name__] = script
        shipped = dict(BUILTINS)
        states = PluginStates(
            self.project, user_file=self.places.user_plugins, project_file=self.places.project_plugins
        )
        manager = PluginManager(
            states,
            Settings(plugins=self.plugin_settings),
            self._fault,
            builtins=(("scripted-model", script.__name__), *((name, shipped[name]) for name in USED)),
        )
        manager.load()
        unusable = [(plugin.name, plugin.why) for plugin in manager.plugins() if plugin.state != "enabled"]
        assert not unusable, unusable
        return manager
