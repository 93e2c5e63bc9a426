"""What a person has sent from the input: a task in their words, or a command that begins with a slash."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from treadle.core.errors import UsageError
from treadle.core.nearest import did_you_mean

COMMANDS: Mapping[str, str] = {
    "fix": "repair failing tests, in all of the project or at a path",
    "accept": "apply the patch",
    "reject": "say why the last attempt will not do; another one is made",
    "another": "have it tried by another approach",
    "edit": "change the last attempt yourself; it is tried again",
    "undo": "take the patch back",
    "stop": "stop the session that is at work",
    "resume": "go on with the session, or answer what it asks",
    "sessions": "find an earlier session, and open it",
    "help": "the keys, and what they do",
    "quit": "leave; what is at work stops, and can be resumed",
}


@dataclass(frozen=True)
class Spoken:
    """A command and what stands after it. A task in words is the command `run`."""

    word: str
    rest: str = ""


def understood(text: str) -> Spoken:
    """What it means. Raises `UsageError` for a command that there is none of. Two slashes at the beginning stand for
    one that begins a task."""
    if text.startswith("//"):
        return Spoken("run", text[1:])
    if not text.startswith("/"):
        return Spoken("run", text)
    word, _, rest = text[1:].partition(" ")
    if word not in COMMANDS:
        listed = ", ".join(f"/{name}" for name in COMMANDS)
        raise UsageError(f"there is no command /{word}; {did_you_mean(word, COMMANDS)}there are {listed}")
    return Spoken(word, rest.strip())
