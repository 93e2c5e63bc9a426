"""A context without a session around it, for what is called outside of the loop."""

from __future__ import annotations

import functools
import tempfile
from typing import Literal

from treadle.core.contributions import Contribution
from treadle.core.models.messages import ModelReply, ModelRequest
from treadle.core.records import Execution, Job, Question


class OwnFolder:
    """The folder of a context whose plugin keeps something; it goes with the context."""

    @functools.cached_property
    def _own(self) -> tempfile.TemporaryDirectory[str]:
        return tempfile.TemporaryDirectory()

    def folder(self, scope: Literal["project", "session"]) -> str:
        return self._own.name


class BareContext:
    """Implements `treadle.Context`: keeps notes, knows the settings that it was given, and no other plugin. To be asked
    anything else fails the test; derive from it, and answer what may be asked."""

    def __init__(self, settings: dict[str, object] | None = None) -> None:
        self.notes: list[str] = []
        self._settings = settings or {}

    def emit(self, kind: str, data: dict[str, object]) -> None:
        raise AssertionError(f"nobody expected an event: {kind} {data}")

    def note(self, text: str) -> None:
        self.notes.append(text)

    def progress(self, done: int, total: int | None, text: str) -> None:
        raise AssertionError(f"nobody expected progress to be shown: {text}")

    def delta(self, text: str, thinking: bool) -> None:
        raise AssertionError(f"nobody expected a model to speak: {text}")

    def cancelled(self) -> bool:
        return False

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        raise AssertionError(f"nobody expected jobs: {jobs}")

    def complete(self, request: ModelRequest) -> ModelReply:
        raise AssertionError(f"nobody expected a model to be asked: {request}")

    def contributions(self, kind: str) -> tuple[Contribution, ...]:
        return ()

    def call(self, kind: str, name: str, arguments: dict[str, object]) -> object:
        raise AssertionError(f"no other plugin brings anything: {kind} {name}")

    def ask(self, question: Question) -> str:
        raise AssertionError(f"nobody expected the person to be asked: {question}")

    def settings(self) -> dict[str, object]:
        return self._settings

    def folder(self, scope: Literal["project", "session"]) -> str:
        raise AssertionError(f"nobody expected a folder to be wanted: {scope}")

    def log(self, level: str, message: str, **fields: object) -> None:
        return
