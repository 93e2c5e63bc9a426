"""Which interpreter runs a job that names none."""

from __future__ import annotations

import threading

from treadle.core.records import Job


class Interpreters:
    """What is known of the interpreters of a session and of its workspaces. Safe for several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: dict[str, str] = {}
        self._of_session = ""

    def begin(self, python: str) -> None:
        """A session begins, whose interpreter this is."""
        with self._lock:
            self._of_session = python

    def of(self, job: Job) -> str:
        """The job's interpreter, or for a job that names none the one last used in its workspace, or the session's
        ("" when no session has begun)."""
        with self._lock:
            return job.python or self._last.get(_workspace(job), self._of_session)

    def used(self, job: Job, python: str) -> None:
        """The job was found an interpreter that can be used."""
        if python:
            with self._lock:
                self._last[_workspace(job)] = python

    def forget(self, workspace: str | None = None) -> None:
        """Forget what was used in one workspace, or in all."""
        with self._lock:
            for name in [name for name in self._last if workspace in (None, name)]:
                del self._last[name]


def _workspace(job: Job) -> str:
    return job.workspace.id if job.workspace else ""
