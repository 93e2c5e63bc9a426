"""The question that a session rests on, and the person's answer to it: both are events."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from treadle.core.errors import UsageError
from treadle.core.events import Event
from treadle.core.journal import Log
from treadle.core.records import Question


def open_question(events: Iterable[Event]) -> tuple[str, Question] | None:
    """The key and the first question without an answer, which says the plugin that asks it; None when there is none."""
    waiting: dict[str, Question] = {}
    for event in events:
        if event.kind == "question.asked":
            question = msgspec.convert(event.data["question"], Question)
            if plugin := event.data.get("plugin"):
                question = msgspec.structs.replace(question, text=f"{plugin} asks: {question.text}")
            waiting[event.data["key"]] = question
        elif event.kind == "question.answered":
            waiting.pop(event.data["key"], None)
    return next(iter(waiting.items()), None)


def answer(log: Log, session: str, text: str) -> None:
    """Log the person's answer. Raises `UsageError` when nothing was asked, or the answer is none of the options."""
    found = open_question(log.events(session))
    if found is None:
        raise UsageError(f"session {session} has no open question; `treadle resume {session}` needs no answer")
    key, question = found
    if text not in question.options:
        raise UsageError(f"{text!r} is no answer to {question.text!r}; answer one of: {', '.join(question.options)}")
    log.append(session, "question.answered", {"key": key, "answer": text})
