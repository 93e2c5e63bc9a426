"""A session with very many events, written into a project's log as a long search would."""

from __future__ import annotations

import msgspec

from treadle.core.project import Project
from treadle.core.records import Task


def write_long_session(project: Project, events: int) -> str:
    """The id of a session with at least so many events: attempt after attempt, each with its runs."""
    task = Task(id="t", kind="run", project=str(project.root), python="/usr/bin/python3", text="a long task")
    store = project.store
    session = store.create_session(task).id
    store.append(session, "session.created", {"task": msgspec.to_builtins(task), "choices": {}})
    attempt = written = 0
    while written < events:
        attempt += 1
        key = f"{attempt:03d}.generate"
        store.append(session, "stage.started", {"stage": "generate", "key": key}, attempt=attempt)
        for number in range(40):
            own = {"key": f"{key}/execute.{number}", "stage": "generate"}
            store.append(session, "execute.started", {**own, "jobs": 2}, attempt=attempt)
            done = {**own, "verdicts": {"ok": 1, "error": 1}, "result": []}
            store.append(session, "execute.finished", done, attempt=attempt)
            store.append(session, "plugin.search.tried", {"key": f"{key}/x{number}", "tried": 3}, attempt=attempt)
        done = {"stage": "generate", "key": key, "seconds": 1.0, "result": {}}
        store.append(session, "stage.finished", done, attempt=attempt)
        ended = {"number": attempt, "verdict": "failed", "reasons": ["no"], "diff": "", "key": f"attempt.{attempt}"}
        store.append(session, "attempt.ended", ended, attempt=attempt)
        written += 123
    return session
