"""Which secrets a text loses: a model is not shown them, and who writes the file anew puts something in their place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from treadle.core.redaction import REDACTED, shown_by_line
from treadle.core.said import Said

_NAME = re.compile(r"[^\W\d][\w-]*")


def lost_secrets(old: str, now: Sequence[str], said: Said) -> Iterator[str]:
    """The secrets of the old text that are in none of the texts `now`, by what stands before each in its line; without
    those of which anything is said."""
    shown = shown_by_line(old)
    if shown == old:
        return
    for line, seen in zip(old.split("\n"), shown.split("\n"), strict=False):
        before, mark, behind = seen.partition(REDACTED)
        secret = line.removeprefix(before).partition(behind.partition(REDACTED)[0] or "\n")[0]
        if line == seen or not mark or not secret or any(secret in text for text in now):
            continue
        name = next(iter(_NAME.findall(before)), "")
        if not (name and said.speaks_of(name)):
            yield f"the secret of {name}" if name else "a secret"
