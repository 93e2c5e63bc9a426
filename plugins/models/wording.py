"""What a service says, made fit to be shown to a person."""

from __future__ import annotations

from treadle.core.one_line import printable
from treadle.core.redaction import Redactor

KEPT = 300
"""Characters of what a service says that are handed on."""


def clean(text: str, key: str) -> str:
    """In one line without secrets and without what could move a cursor: the service may say anything."""
    told = Redactor({"TREADLE_API_KEY": key} if key else {}).text(text)
    line = "".join(character for character in " ".join(told.split()) if character.isprintable())
    return printable(line if len(line) <= KEPT else f"{line[:KEPT].rstrip()}…").rstrip(".")
