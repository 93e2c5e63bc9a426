"""What a person has sent from the input: a task in their words, or a command that begins with a slash."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

from treadle.core.errors import UsageError
from treadle.core.nearest import did_you_mean
from treadle.tui.actions import BY_NAME


@dataclass(frozen=True)
class Spoken:
    """A command and what stands after it. A task in words is the command `run`."""

    word: str
    rest: str = ""


def understood(text: str) -> Spoken:
    """What it means. Raises `UsageError` for a command that there is none of, or that is not given as it should be. Two
    slashes at the beginning stand for one that begins a task."""
    if text.startswith("//"):
        return Spoken("run", text[1:])
    if not text.startswith("/"):
        return Spoken("run", text)
    word, _, rest = re.sub(r"\s+", " ", text[1:], count=1).partition(" ")
    rest = rest.strip()
    if word not in BY_NAME:
        near = did_you_mean(f"/{word}", (f"/{name}" for name in BY_NAME), prefix="/")
        raise UsageError(f"there is no command /{word}; {near}/help lists those that there are")
    takes = BY_NAME[word].takes
    if rest and not takes:
        raise UsageError(f"/{word} takes no words after it")
    if not rest and takes and not takes.startswith("["):
        raise UsageError(f"/{word} {takes}: {BY_NAME[word].what}")
    return Spoken(word, rest)


def numbered(rest: str) -> tuple[int | None, str]:
    """The number that the words begin with, None where they begin with none, and what is behind it."""
    first, _, words = rest.partition(" ")
    return (int(first), words.strip()) if first.isdecimal() and len(first) <= 4 else (None, rest)


def file_name(rest: str) -> str:
    """The one file that is named, with quotes as a shell takes them; blanks in a name without quotes are a part of it.
    Raises `UsageError` for quotes that have no end, and for several names."""
    try:
        names = shlex.split(rest)
    except ValueError as error:
        raise UsageError(f"{rest} is no name of a file, as a shell reads it: {error}") from None
    if len(names) > 1 and any(mark in rest for mark in "\"'\\"):
        raise UsageError(f"{rest} names {len(names)} files: name one")
    return names[0] if len(names) == 1 else rest


def usd(rest: str) -> str:
    """The amount of money that was given, as settings take it. Raises `UsageError` where it is none."""
    amount = rest.removeprefix("$")
    if not amount.replace(".", "", 1).isdecimal():
        raise UsageError(f"/budget USD takes an amount of money, like 0.50, not {rest!r}")
    return amount
