"""What an executor is given as its context when it is asked without a session around it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Literal

from tests.bare_context import BareContext
from treadle.core.live_output import LiveOutput


class SessionContext(BareContext):
    """A session that can be stopped and owns a folder."""

    def __init__(self, folder: Path, settings: dict[str, object] | None = None) -> None:
        super().__init__(settings)
        self._folder = folder
        self.stopped = threading.Event()
        self.live_output: LiveOutput | None = None

    def cancelled(self) -> bool:
        return self.stopped.is_set()

    def folder(self, scope: Literal["project", "session"]) -> str:
        return str(self._folder)
