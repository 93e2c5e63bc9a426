"""What players type."""

from __future__ import annotations

from typing import NamedTuple

from subject.world import OPPOSITE

VERBS = {
    "go": "go",
    "walk": "go",
    "take": "take",
    "get": "take",
    "drop": "drop",
    "leave": "drop",
    "look": "look",
    "l": "look",
    "inventory": "inventory",
    "i": "inventory",
}
FILLERS = {"the", "a", "an", "to", "some"}
NEEDS_NOUN = {"go", "take", "drop"}


class Unknown(ValueError):
    """Words that mean nothing here."""


class Command(NamedTuple):
    """What to do, and with what."""

    verb: str
    noun: str = ""


def direction(word: str) -> str | None:
    """The direction of a word or its first letter."""
    return next((name for name in OPPOSITE if word in (name, name[0])), None)


def parse(text: str) -> Command:
    """The command; a direction alone is to go there."""
    words = [word for word in text.lower().split() if word not in FILLERS]
    if not words:
        raise Unknown("say something")
    if len(words) == 1 and (way := direction(words[0])):
        return Command("go", way)
    verb = VERBS.get(words[0])
    if verb is None:
        raise Unknown(f"I don't know how to {words[0]}")
    noun = " ".join(words[1:])
    if verb in NEEDS_NOUN and not noun:
        raise Unknown(f"{verb} what?")
    if verb == "go":
        noun = direction(noun) or noun
    return Command(verb, noun)
