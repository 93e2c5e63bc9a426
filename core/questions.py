"""The question that a session rests on, and the person's answer to it: both are events."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from treadle.core.errors import UsageError
from treadle.core.events import Event, held
from treadle.core.journal import Journal, Log
from treadle.core.records import Question


def open_question(events: Iterable[Event]) -> tuple[str, Question] | None:
    """The key and the first question without an answer; None when there is none."""
    return next(iter(open_questions(events).items()), None)


def open_questions(events: Iterable[Event]) -> dict[str, Question]:
    """Those without an answer by their keys, in order; each says the plugin that asks it. What was asked of one plan is
    asked no more once the same is asked of another, nor what was asked before the session `has_gone_on`."""
    waiting: dict[str, Question] = {}
    for event in events:
        if event.kind == "question.asked":
            question: Question = held(event, "question", Question)
            if plugin := event.data.get("plugin"):
                question = msgspec.structs.replace(question, text=f"{plugin} asks: {question.text}")
            key = str(event.data["key"])
            waiting = {other: asked for other, asked in waiting.items() if _same(other) != _same(key)}
            waiting[key] = question
        elif event.kind == "question.answered":
            waiting.pop(event.data["key"], None)
        elif has_gone_on(event):
            waiting.clear()
    return waiting


def has_gone_on(event: Event) -> bool:
    """Whether the session goes another way with it than where it waited for an answer: what the person says of an
    attempt takes it there, or it began a stage without the answer, as other settings have let it. That it was over its
    budget is remembered where it waits."""
    return event.kind == "feedback.given" or (event.kind == "stage.started" and event.data["stage"] != "remember")


def asked_since(journal: Journal, key: str) -> int:
    """The `seq` after which the question of that key has to be asked to be open now."""
    ways = (*journal.all_of("feedback.given"), *journal.all_of("stage.started"))
    closing = [*filter(has_gone_on, ways), journal.find("question.answered", key)]
    return max((event.seq for event in closing if event is not None), default=0)


def _same(key: str) -> str:
    """Who asks what, wherever in the session they do: as of `SessionContext.question_key`."""
    return key.partition("/ask.")[2] or key


def answer(
    log: Log, session: str, text: str, words: str = "", *, before: Callable[[Question], None] = lambda question: None
) -> None:
    """Log the person's answer, with what they say besides. `before` is called with the question before that. Raises
    `UsageError` when nothing was asked, the answer is none of the options, or one that takes no words."""
    events = tuple(log.events(session))
    found = open_question(events)
    if found is None:
        raise UsageError(f"session {session} has no open question; `treadle resume {session}` needs no answer")
    key, question = found
    if text not in question.options:
        raise UsageError(f"{text!r} is no answer to {question.text!r}; answer one of: {', '.join(question.options)}")
    words = words.strip()
    if words and text not in question.with_words:
        takes = f"; with {' or '.join(map(repr, question.with_words))} they do" if question.with_words else ""
        raise UsageError(f"words don't go with the answer {text!r} to {question.text!r}: nobody would read them{takes}")
    before(question)
    said = "; ".join(filter(None, (_said_before(events, key, text), words)))
    log.append(session, "question.answered", {"key": key, "answer": text} | ({"words": said} if said else {}))


def _said_before(events: Iterable[Event], key: str, answer: str) -> str:
    """What the person has said with the same answer to this question: nothing came of it, so that they are asked again,
    and it holds still."""
    given = [event for event in events if event.kind == "question.answered" and event.data["key"] == key]
    return words_of(given[-1]) if given and given[-1].data["answer"] == answer else ""


def words_of(answered: Event | None) -> str:
    """What the person said with an answer; empty where that was nothing."""
    return str(answered.data.get("words", "")) if answered is not None else ""
