"""What a person says of an attempt that has ended: the session goes on from there.

It is an event, as an answer is. The loop reads it where the attempt ends: an attempt that was spoken against does not
hold, whatever the validators said, and what comes next is what the person wants.
"""

from __future__ import annotations

import msgspec

from treadle.core.errors import UsageError
from treadle.core.events import Event
from treadle.core.journal import Log
from treadle.core.records import Attempt, Candidate, Feedback, Outcome, Reflection, Verdict

KIND = "feedback.given"


def key_of(attempt: int) -> str:
    """The key of the feedback on that attempt: what was said last counts."""
    return f"feedback.{attempt}"


def turn_of(event: Event) -> str:
    """What tells the steps that follow this feedback from those that followed the attempt, and from those that followed
    what was said of it before."""
    return str(event.data.get("turn", f"f{event.attempt}"))


def give(log: Log, session: str, outcome: Outcome | None, feedback: Feedback) -> Event:
    """Log what the person says of the last attempt. `outcome` is what the session came to. Raises `UsageError` for any
    other attempt, and for feedback that says nothing."""
    last = outcome.attempts[-1] if outcome is not None and outcome.attempts else None
    if last is None:
        raise UsageError(f"session {session} has made no attempt yet that something could be said of")
    if feedback.attempt != last.number:
        raise UsageError(
            f"attempt {feedback.attempt} is not the last one of session {session}, which is {last.number}; what is "
            "said of an attempt leads to the one after it"
        )
    if not (feedback.words.strip() or feedback.files or feedback.another):
        raise UsageError("say what should be otherwise: the words are empty")
    before = sum(1 for event in log.events(session) if event.kind == KIND and event.attempt == feedback.attempt)
    about = {
        "key": key_of(feedback.attempt),
        "turn": f"f{feedback.attempt}" + (f".{before + 1}" if before else ""),
        "feedback": msgspec.to_builtins(feedback, builtin_types=(bytes,)),
    }
    return log.append(session, "feedback.given", about, attempt=feedback.attempt)


def of_event(event: Event | None) -> Feedback | None:
    """The feedback that an event holds."""
    return msgspec.convert(event.data["feedback"], Feedback) if event is not None else None


def spoken_against(attempt: Attempt, feedback: Feedback) -> Attempt:
    """The attempt as it counts from now on."""
    words = feedback.words.strip()
    wrong = f"the person says: {words}" if words else "the person wants another one"
    return msgspec.structs.replace(
        attempt,
        verdict=Verdict(state="failed", reasons=(wrong,)),
        reflection=Reflection(
            wrong=wrong, advice=words or "find another way", next="another" if feedback.another else "repair"
        ),
    )


def edited(feedback: Feedback, attempt: Attempt) -> Candidate:
    """The candidate that the person made of the attempt's."""
    assert feedback.files is not None
    why = f"edited by you, after attempt {attempt.number}: {attempt.candidate.why}"
    return Candidate(files=feedback.files, why=why, remedy="edited")
