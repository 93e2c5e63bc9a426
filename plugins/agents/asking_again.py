"""What an agent that came to nothing is asked about: the person says whether it is tried once more."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from treadle.core.context import Context
from treadle.core.records import Question
from treadle.plugins.agents.conversation import Ending
from treadle.plugins.agents.last_words import last_words
from treadle.plugins.agents.perseverance import how_it_ended

_AGAIN = "ask again"
_LONGEST = 200


def until_of_use(
    role: str,
    told: str,
    attempt: Callable[[str], Ending],
    context: Context,
    came_to_nothing: Callable[[Ending], bool],
) -> Ending:
    """The ending of the first of the agent's attempts, each with all its tries, of which something came; else of the
    last one, after which the person did not want another. What was heard before is read back when a session goes on,
    so without a new word to it the same would come of another model."""
    for more in itertools.count(1):
        ending = attempt(told if more == 1 else f"{told}\n\nThe person has asked for this again ({more}).")
        if not came_to_nothing(ending) or context.ask(_question(role, ending, more)) != _AGAIN:
            break
    return ending


def said_of(role: str, ending: Ending) -> str:
    """What is said of an agent that came to nothing."""
    words = last_words(ending.text)[:_LONGEST].rstrip(" .")
    return f"the {role} came to nothing: its last try {how_it_ended(ending.why)}{f': {words}' if words else ''}"


def _question(role: str, ending: Ending, more: int) -> Question:
    return Question(
        id=f"{role}-again-{more}",
        text=f"{said_of(role, ending)}. Ask it again?",
        options=(_AGAIN, "give up"),
        details=(
            f"another model is asked by `treadle resume --answer {_AGAIN!r} --model {role}=PROVIDER/MODEL`;",
            "`treadle models` lists those that there are",
        ),
        kind="choose",
    )
