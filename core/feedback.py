"""What a person says of an attempt that has ended: the session goes on from there.

It is an event, as an answer is. The loop reads it where the attempt ends: an attempt that was spoken against does not
hold, whatever the validators said, and what comes next is what the person wants.
"""

from __future__ import annotations

import msgspec

from treadle.core.errors import UsageError
from treadle.core.events import Event, held
from treadle.core.journal import Log
from treadle.core.records import Attempt, Candidate, Feedback, Outcome, Reflection, Verdict
from treadle.core.states import SETTLED

KIND = "feedback.given"


def key_of(attempt: int, turn: str) -> str:
    """The key of what is said of the attempt of that number which was made in that turn: what counts was said last."""
    return f"feedback.{attempt}{turn}"


def turn_of(event: Event) -> str:
    """What tells the steps that follow this feedback from those that followed the attempt, and from those that followed
    what was said of it before."""
    return str(event.data.get("turn", f"f{event.attempt}"))


def give(log: Log, session: str, outcome: Outcome | None, feedback: Feedback, *, named: bool = False) -> Event:
    """Log what the person says of an attempt: the last one, or an earlier one, from which the session goes on as if
    those after it had not been. `outcome` is what the session came to; `named`: the person has named the attempt, which
    says already that they want to go on from there. Where they say no more, an attempt that had passed and was spoken
    against holds again, and of any other what they have said of it before is what they want still. Whoever calls this
    holds the session's lock. Raises `UsageError` for an attempt that is none of its attempts, and for feedback that
    says nothing."""
    made = [attempt.number for attempt in outcome.attempts] if outcome is not None else []
    if not made:
        raise UsageError(
            f"session {session} has made no attempt yet that something could be said of; {_way_on(session, outcome)}"
        )
    if feedback.attempt not in made:
        aside = sum(event.kind == "attempt.ended" for event in log.events(session)) - len(made)
        beside = f", beside {aside} that {'was' if aside == 1 else 'were'} set aside" if aside > 0 else ""
        raise UsageError(
            f"session {session} has no attempt {feedback.attempt}; it has made "
            + (f"those from 1 to {made[-1]}" if made[-1] > 1 else "one")
            + beside
            + f"; `treadle show {session}` tells of them"
        )
    is_last = feedback.attempt == made[-1]
    if is_last and not (named or feedback.words.strip() or feedback.files or feedback.another):
        raise no_words(session)
    turns, given, passed = "", 0, False
    earlier: Feedback | None = None
    for event in log.events(session):
        if event.kind == "attempt.ended" and event.data["number"] == feedback.attempt:
            turns = str(event.data["key"]).removeprefix(f"attempt.{feedback.attempt}")
            passed, earlier = event.data["verdict"] == "passed", None
        elif event.kind == KIND:
            given += 1
            earlier = of_event(event) if event.attempt == feedback.attempt else earlier
    if earlier is not None and not (feedback.words.strip() or feedback.files or feedback.another):
        if passed and not earlier.restores:
            feedback = msgspec.structs.replace(feedback, restores=True)
        else:
            feedback = msgspec.structs.replace(feedback, words=earlier.words)
    about = {
        "key": key_of(feedback.attempt, turns),
        "turn": f"f{given + 1}",
        "feedback": msgspec.to_builtins(feedback, builtin_types=(bytes,)),
    }
    return log.append(session, "feedback.given", about, attempt=feedback.attempt)


def no_words(session: str) -> UsageError:
    """What is said to a person who speaks against something, and says nothing."""
    return UsageError(f'the words are empty; say what should be otherwise: `treadle resume {session} --reject "WORDS"`')


def _way_on(session: str, outcome: Outcome | None) -> str:
    """What can be done with a session of which no attempt can be spoken of."""
    if outcome is None or outcome.state not in SETTLED:
        return f"`treadle resume {session}` goes on with it, and shows what it asks"
    return f'`treadle run "TASK" --continue {session}` goes on from it in other words'


def of_event(event: Event | None) -> Feedback | None:
    """The feedback that an event holds."""
    feedback: Feedback | None = held(event, "feedback", Feedback) if event is not None else None
    return feedback


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
    if feedback.chosen:
        # The person has read of it in the words of who made it, whose it stays.
        rivals = attempt.candidate.confidence.rivals if attempt.candidate.confidence is not None else ()
        remedy = next((r.remedy for r in rivals if feedback.files[: len(r.files)] == r.files), attempt.candidate.remedy)
        why = f"chosen by you: {feedback.words}"
        return Candidate(files=feedback.files, why=why, remedy=remedy, by=attempt.candidate.by)
    why = f"edited by you, after attempt {attempt.number}: {attempt.candidate.why}"
    return Candidate(files=feedback.files, why=why, remedy="edited")
