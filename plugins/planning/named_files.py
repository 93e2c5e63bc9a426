"""Which files of a project a text names: what a person wants changed, or what a plan says of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from treadle.core.errors import ReplyError
from treadle.core.records import Workspace
from treadle.core.replies.file_names import safe_name

_QUOTED = re.compile(r"`([^`]+)`")
_AROUND = ".,;:!?()[]{}<>\"'`*，。、；：！？（）【】《》「」“”"
_RUN = re.compile(r"[\w./-]+")
"""Within a word: `stats.py` of `stats.py:8`."""
_ASCII_RUN = re.compile(_RUN.pattern, re.ASCII)
"""The same in a language that has no blanks between its words."""
_MOST_PARTS = 500
"""As many as a name that may be written has at most; a text of a megabyte is no name, and to try all its ends takes
minutes."""
_ABSOLUTE = re.compile(r"/|~[/\\]|[A-Za-z]:[/\\]")


class NamedFiles:
    """The files of a project, to be found by what they are called."""

    def __init__(self, files: Iterable[str]) -> None:
        self.known = frozenset(files)
        self._by_last: dict[str, list[str]] = {}
        for name in self.known:  # in any order: only what is there once is asked for
            self._by_last.setdefault(name.rpartition("/")[2], []).append(name)

    def called(self, path: str) -> str | None:
        """The file of that path, or the only one whose path ends so."""
        if path in self.known:
            return path
        found = [name for name in self._by_last.get(path.rpartition("/")[2], ()) if name.endswith(f"/{path}")]
        return found[0] if len(found) == 1 else None

    def at_the_end_of(self, absolute: str) -> str | None:
        """The file to which the most of the last parts of an absolute path lead, of whatever machine it is."""
        if not _ABSOLUTE.match(absolute):
            return None
        parts = re.split(r"[/\\]", absolute)[1:][-_MOST_PARTS:]
        ends = ("/".join(parts[first:]) for first in range(len(parts)))
        return next((end for end in ends if end in self.known), None)

    def in_text(self, text: str) -> tuple[str, ...]:
        """Those that the text names, each once."""
        words = (*words_of(text), *_RUN.findall(text), *([] if text.isascii() else _ASCII_RUN.findall(text)))
        found = (self.called(path) for path in map(writable_name, words) if path is not None)
        return tuple(dict.fromkeys(name for name in found if name is not None))


def without_place(text: str, workspace: Workspace) -> str:
    """The text with the project's own files named by their paths within it, where it says their whole paths."""
    # The longer one first: one may lie in the other.
    for place in sorted({workspace.project, workspace.root} - {"/", ""}, key=len, reverse=True):
        text = re.sub(rf"(?<![\w./~-]){re.escape(place.rstrip('/'))}/(?=[\w.])", "", text)
    return text


def words_of(text: str) -> Iterator[str]:
    """What may be a name: what stands in backquotes, blanks and all, and each word."""
    yield from _QUOTED.findall(text)
    yield from filter(None, (word.rstrip(_AROUND).lstrip(_AROUND.replace(".", "")) for word in text.split()))


def writable_name(word: str) -> str | None:
    """The normal name of the file that the word would be, None for what nobody may change."""
    try:
        return safe_name(word)
    except ReplyError:
        return None
