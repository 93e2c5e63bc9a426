"""Reading TOML that somebody else wrote, in bounded time: `tomllib` takes the square of the number of parts that a
dotted key has, and for each key as many steps as its table has parts in its name. One line of a megabyte would hold up
a session for hours."""

from __future__ import annotations

import re
import tomllib
from typing import Any

MOST_STEPS = 3_000_000
"""Of all keys: the parts of one, times these and the parts of its table. Reading them takes seconds."""

# Each goes to the end of what it is in where its own is missing, so that nothing is looked at twice. No group is
# possessive: before Python 3.11.5 such a one could stop in the middle.
_TEXT_OR_COMMENT = re.compile(
    r'"""[^"\\]*(?:(?:\\.|"{1,2}(?!"))[^"\\]*)*(?:"{3,5}|\\?\Z)'
    r"|'''[^']*(?:'{1,2}(?!')[^']*)*(?:'{3,5}|\Z)"
    r'|"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"?'
    r"|'[^'\n]*+'?"
    r"|\#[^\n]*+",
    re.DOTALL,
)
_BETWEEN_KEYS = re.compile("[=,]")


def loads(text: str) -> dict[str, Any]:
    """The document. Raises as `tomllib.loads`: `TOMLDecodeError` also for one that would take too long,
    `RecursionError` for one that is nested too deeply, and `ValueError` for a value that there can't be."""
    steps = table = 0
    for line in _TEXT_OR_COMMENT.sub("", text).split("\n"):
        for place, part in enumerate(_BETWEEN_KEYS.split(line)):  # a key, a value, or one with the next behind it
            parts = part.count(".")
            if not place and line.lstrip().startswith("["):
                table = parts
            steps += (parts + 1) * (parts + table)
    if steps > MOST_STEPS:
        raise tomllib.TOMLDecodeError("its keys have too many parts")
    return tomllib.loads(text)
