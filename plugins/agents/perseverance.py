"""An agent that came to nothing is asked again after a while: with a word on what went wrong, then as the next stronger
model. One that was offered tools and called none is asked for text: some services take tools, and no model is told of
them.

A model's service that fails is not what this is about: it is asked again, with growing waits, below `context.complete`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

from treadle.core.context import Context
from treadle.plugins.agents.conversation import CIRCLES, MOST_TURNS, Brief, Ending, Why
from treadle.plugins.agents.last_words import last_words

TRIES = 3
"""Conversations with the same model. One with the next stronger model follows."""

FIRST_WAIT_S = 0.2
"""Before the second conversation. Each wait is twice as long as the one before: a service that is short of room gives
empty and cut replies before it gives errors."""

_LONGEST = 300
"""Characters of a reason."""

_WENT_WRONG: Mapping[Why, str] = {
    "refused": "It was declined. Do the part of the task that can be done, and say plainly what can't, and why.",
    "cut off": "Its replies were cut off at their limit again and again. Do one small step in each reply.",
    "repeated itself": "Its replies said the same again and again. Say each thing once, in small steps.",
    CIRCLES: "It made the same call over and over, or only looked, and nothing came of it. Decide with what you know.",
    "too many turns": f"It took {MOST_TURNS} turns and came to no end. Look at less, and end your work early.",
    "spoke": "It ended in words of which nothing could be taken. End your work as you were told to.",
    "finished": "It ended without a result. End your work with one, as you were told to.",
}


def persevere(
    brief: Brief,
    told: str,
    speak: Callable[[Brief, str], Ending],
    context: Context,
    *,
    came_to_nothing: Callable[[Ending], bool] = lambda ending: ending.failed,
    at_last: frozenset[Why] = frozenset(),
    why_not: Callable[[], str] = str,
) -> Ending:
    """The ending of the first conversation of which something came, else that of the last, with a note for the person.
    `speak` has one conversation from its beginning, `told` being its opening; after an ending `at_last` there is no
    other one, and no note. `why_not` is why nothing could be taken of the last one, where that is known."""
    ending = speak(brief, told)
    wrong: dict[str, None] = {}
    in_text = False
    for number in range(2, TRIES + 2):
        if not came_to_nothing(ending) or ending.why in at_last:
            return ending
        wrong[_WENT_WRONG[ending.why]] = None
        in_text = in_text or (ending.why in ("spoke", "cut off", "repeated itself") and not ending.called)
        later = dataclasses.replace(brief, after_s=FIRST_WAIT_S * 2 ** (number - 2))
        stronger = dataclasses.replace(later, step=brief.step + 1)  # of which it is not known whether it calls tools
        ours = dataclasses.replace(later, in_text=in_text) if number <= TRIES else stronger
        earlier = f"## Earlier tries\n\nThis is try {number} of {TRIES + 1}. {' '.join(wrong)}"
        ending = speak(ours, f"{told}\n\n{earlier}")
    if came_to_nothing(ending) and ending.why not in at_last:
        last = last_words(ending.text)[:200]
        words = f", and its last words were: {last}" if last else ""
        reason = f" ({' '.join(why_not().split())[:_LONGEST]})" if ending.why == "spoke" and why_not() else ""
        told = f"{how_it_ended(ending.why)}{reason}{words}"
        tries = f"{TRIES} tries and one more, by the next stronger model that there is"
        context.note(f"the {brief.role} was given up after {tries}: the last one {told}")
    return ending


def how_it_ended(why: Why) -> str:
    """What is said of a conversation that came to nothing, behind whoever had it."""
    other = {
        "refused": "was declined",
        "cut off": "was cut off",
        "too many turns": f"took more than {MOST_TURNS} turns",
        "spoke": "said nothing that could be used",
    }
    return other.get(why, why)
