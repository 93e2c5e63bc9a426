"""What an executor is given as its context when it is asked without a session around it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Literal

from treadle.core.contributions import Contribution
from treadle.core.records import Execution, Job, ModelReply, ModelRequest, Question


class SessionContext:
    """A session that can be stopped and owns a folder."""

    def __init__(self, folder: Path, settings: dict[str, object] | None = None) -> None:
        self._folder = folder
        self._settings = settings or {}
        self.stopped = threading.Event()
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)

    def emit(self, kind: str, data: dict[str, object]) -> None:
        raise AssertionError("the executor logs no events of its own")

    def progress(self, done: int, total: int | None, text: str) -> None:
        raise AssertionError("the executor shows nothing")

    def cancelled(self) -> bool:
        return self.stopped.is_set()

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        raise AssertionError("the executor does not ask itself")

    def complete(self, request: ModelRequest) -> ModelReply:
        raise AssertionError("the executor asks no model")

    def ask(self, question: Question) -> str:
        raise AssertionError("the executor asks no person")

    def contributions(self, kind: str) -> tuple[Contribution, ...]:
        return ()

    def call(self, kind: str, name: str, arguments: dict[str, object]) -> object:
        raise AssertionError("no other plugin brings anything")

    def settings(self) -> dict[str, object]:
        return self._settings

    def folder(self, scope: Literal["project", "session"]) -> str:
        return str(self._folder)

    def log(self, level: str, message: str, **fields: object) -> None:
        return
