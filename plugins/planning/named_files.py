"""Which files of a project a text names: what a person wants changed, or what a plan says of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from treadle.core.errors import ReplyError
from treadle.core.replies.file_names import safe_name

_QUOTED = re.compile(r"`([^`]+)`")
_AROUND = ".,;:!?()[]{}<>\"'`*"
_RUN = re.compile(r"[\w./-]+")
"""Within a word: `stats.py` of `stats.py:8`."""


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

    def in_text(self, text: str) -> tuple[str, ...]:
        """Those that the text names, each once."""
        words = (*words_of(text), *_RUN.findall(text))
        found = (self.called(path) for path in map(writable_name, words) if path is not None)
        return tuple(dict.fromkeys(name for name in found if name is not None))


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
