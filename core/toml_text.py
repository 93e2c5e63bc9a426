"""Reading TOML that somebody else wrote, in bounded time: `tomllib` takes the square of the number of parts that a
dotted key has, and for each key as many steps as its table has parts in its name. One line of a megabyte would hold up
a session for hours."""

from __future__ import annotations

import tomllib
from typing import Any

MOST_STEPS = 3_000_000
"""Of all lines: the parts of a key, times these and the parts of its table. Reading them takes seconds."""


def loads(text: str) -> dict[str, Any]:
    """The document. Raises as `tomllib.loads`: `TOMLDecodeError` also for one that would take too long,
    `RecursionError` for one that is nested too deeply, and `ValueError` for a value that there can't be."""
    steps = table = 0
    for line in text.split("\n"):
        parts = line.count(".")  # at most; with values that hold dots it is fewer
        if line.lstrip().startswith("["):
            table = parts
        steps += (parts + 1) * (parts + table)
    if steps > MOST_STEPS:
        raise tomllib.TOMLDecodeError("its keys have too many parts")
    return tomllib.loads(text)
