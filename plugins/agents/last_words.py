"""The last sentence or so of what a model said, for a person: words alone, nothing of blocks, edits and diffs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from treadle.core.replies.reading import read_parts
from treadle.core.replies.reply_parts import Part, Prose
from treadle.core.replies.thoughts import UnclosedThought

_LONGEST = 400
_NO_WORDS = re.compile(r"(?:<{5,9} ?SEARCH|={5,9}|>{5,9} ?REPLACE|`{3,}.*|~{3,}.*|#{1,6} .*|-{3,}|\*{3,})\s*")
"""A marker, a heading or a rule."""
_LEADS_ON = (":", "\uff1a")
_DIFF_OPENS = ("diff --git ", "--- ")
_DIFF_GOES_ON = (
    *(" ", "+", "-", "@@", "\\", "diff --git ", "index ", "new file ", "deleted file ", "old mode ", "new mode "),
    *("rename ", "similarity "),
)


def last_words(text: str) -> str:
    """The last paragraph in words on one line, cut at 400 characters; empty when there is none. What leads to something
    that follows ("Then run:") says nothing by itself, nor does a heading."""
    try:
        parts = list(read_parts(text))
    except UnclosedThought:
        return ""
    paragraphs = "\n".join(_words(parts)).split("\n\n")
    said = [" ".join(each.split()) for each in paragraphs if each.strip()]
    whole = [each for each in said if not each.rstrip("*_ ").endswith(_LEADS_ON)]
    return whole[-1][:_LONGEST] if whole else ""


def _words(parts: Iterable[Part]) -> Iterator[str]:
    """The lines of prose; a blank one where something else stood."""
    for part, following in pairwise((*parts, None)):
        if not isinstance(part, Prose):
            yield ""
            continue
        lines = list(_without_diffs(part.lines))
        if following is not None and lines and _is_name(named := next(filter(str.strip, reversed(lines)), "")):
            lines.remove(named)  # what comes next is for that file
        yield from ("" if _NO_WORDS.fullmatch(line) or not line.strip() else line for line in lines)
        yield ""


def _without_diffs(lines: Iterable[str]) -> Iterator[str]:
    inside = False
    for line in lines:
        inside = line.startswith(_DIFF_OPENS) or (inside and (not line.strip() or line.startswith(_DIFF_GOES_ON)))
        yield "" if inside else line


def _is_name(line: str) -> bool:
    words = line.strip().strip("*#:\uff1a` ").split()
    return len(words) == 1 and ("." in words[0] or "/" in words[0])
