"""What of a session is worth finding again by its words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from treadle.core.paths import encode
from treadle.core.records import Task
from treadle.core.wire import as_text

_LONGEST = 4000  # characters of one event

_WORTH_SEARCHING: dict[str, tuple[str, ...]] = {
    "candidate.proposed": ("files", "why", "remedy"),
    "scan.found": ("findings",),
    "attempt.ended": ("verdict", "reasons"),
    "question.asked": ("question",),
    "question.answered": ("answer", "words"),
    "feedback.given": ("feedback",),
    "patch.applied": ("files",),
    "plugin.fault": ("plugin", "hook", "error"),
    "session.rests": ("reason",),
    "session.ended": ("reason",),
    "session.failed": ("error",),
}
# Names of fields inside lists of records: what a person would remember, not ids and digests.
_INNER = ("path", "rule", "message", "advice", "text", "details", "words")


def event_text(kind: str, data: dict[str, Any]) -> str:
    """The words of an event that a search should find, empty when there are none."""
    found = (piece for field in _WORTH_SEARCHING.get(kind, ()) for piece in _strings(data.get(field)))
    return "\n".join(found)[:_LONGEST]


def task_text(task: Task) -> str:
    """The words of a task that a search should find."""
    return "\n".join(filter(None, (task.kind, task.text, *task.files, " ".join(task.test_command))))


def title(task: Task) -> str:
    """One line that tells this session from others: the task's own words, or what it is about."""
    said = next((line.strip() for line in task.text.splitlines() if line.strip()), "")
    what = ", ".join(task.files) or encode(PurePosixPath(task.project).name)
    whole = as_text(said or f"{task.kind} {what}")
    return whole if len(whole) <= 80 else whole[:79].rstrip() + "…"


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for field in _INNER:
            yield from _strings(value.get(field))
