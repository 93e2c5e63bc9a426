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

OPENS = re.compile(r"[ \t]*<(?P<tag>write_to_file|replace_in_file|apply_diff)>(?P<rest>[ \t]*+(?:<.*)?)")
_PATH = re.compile(r"<path>(?P<path>[^<>]*+)</path>")
_BEGINS, _ENDS = (
    {name: re.compile(pattern.format(name)) for name in ("content", "diff")}
    for pattern in (r"<{}>[ \t]*\n?", r"\n?</{}>(?=\s*(?:<\w+>|\Z))")
)


class TaggedFile(NamedTuple):
    """A file, and its lines, or those of edits to it."""

    path: str
    lines: tuple[str, ...]
    is_whole: bool


class UnclearTag(ValueError):
    """Nobody can tell what the file shall hold: why, and what to do."""


def tagged_file(tag: str, lines: Sequence[str]) -> TaggedFile | None:
    """What the lines within such a tag mean; None where they name no path, so that they may be words about the tag.
    Raises `UnclearTag` where what the file shall hold is not there, or may end at several places."""
    text = "\n".join(lines).strip()
    path = _PATH.search(text)
    name = "content" if tag == "write_to_file" else "diff"
    if path is None or not path["path"].strip():
        if _ENDS[name].search(text):
            raise UnclearTag("names no file: send it again, with its <path>")
        return None
    begins = _BEGINS[name].search(text, path.end())
    ends = list(_ENDS[name].finditer(text, begins.end())) if begins else []
    if begins is None or len(ends) != 1:
        what = "more than one end" if ends else "no end, or no beginning,"
        raise UnclearTag(f"has {what} of <{name}>: send it again in a fence that begins with the file's path")
    held = text[begins.end() : ends[0].start()]
    return TaggedFile(path["path"].strip(), tuple(held.split("\n")) if held else (), name == "content")
