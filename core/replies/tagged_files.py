"""Files and edits between tags, as some agents have their models write them: a path, and the file or its edits.

<write_to_file>
<path>a.py</path>
<content>
x = 1
</content>
</write_to_file>
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

OPENS = re.compile(r"[ \t]*<(?P<tag>write_to_file|replace_in_file|apply_diff)>(?P<rest>.*)")
_PATH = re.compile(r"<path>(?P<path>[^<>]*+)</path>")
_HELD = {
    name: re.compile(rf"<{name}>[ \t]*\n?(?P<held>.*?)\n?</{name}>(?=\s*(?:<\w+>|\Z))", re.DOTALL)
    for name in ("content", "diff")
}


class TaggedFile(NamedTuple):
    """A file, and its lines, or those of edits to it."""

    path: str
    lines: tuple[str, ...]
    is_whole: bool


def tagged_file(lines: Sequence[str]) -> TaggedFile | None:
    """What the lines within such a tag mean; None where they lack a path, or what it shall hold."""
    text = "\n".join(lines).strip()
    path = _PATH.search(text)
    for name, pattern in _HELD.items():
        if path and path["path"].strip() and (held := pattern.search(text, path.end())):
            return TaggedFile(
                path["path"].strip(), tuple(held["held"].split("\n")) if held["held"] else (), name == "content"
            )
    return None
