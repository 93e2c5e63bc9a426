"""A text within a fence of Markdown that nothing in it can end."""

from __future__ import annotations

import re

_RUNS = re.compile(r"`+|~+")


def fenced(info: str, text: str) -> str:
    """The text, whole lines, in a fence that begins with `info` and is longer than any run of its character within. It
    is made of backticks, unless `info` holds one, which Markdown would not read."""
    mark = "~" if "`" in info else "`"
    longest = max((len(run[0]) for run in _RUNS.finditer(text) if run[0][0] == mark), default=0)
    fence = mark * max(3, longest + 1)
    return f"{fence}{info}\n{text.rstrip(chr(10))}\n{fence}"
