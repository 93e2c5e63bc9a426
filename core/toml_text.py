"""Reading TOML that somebody else wrote, in bounded time: `tomllib` takes the square of the number of parts that a
dotted key has, and one line of a megabyte would hold up a session for hours."""

from __future__ import annotations

import tomllib
from typing import Any

MOST_STEPS = 10_000_000
"""Squares of the dots of each line, together: reading them takes seconds."""


def loads(text: str) -> dict[str, Any]:
    """The document. Raises as `tomllib.loads`: `TOMLDecodeError` also for one that would take too long,
    `RecursionError` for one that is nested too deeply, and `ValueError` for a value that there can't be."""
    if sum(line.count(".") ** 2 for line in text.split("\n")) > MOST_STEPS:
        raise tomllib.TOMLDecodeError("its keys have too many parts")
    return tomllib.loads(text)
