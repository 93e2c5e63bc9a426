"""Words as PostgreSQL's full-text search stores and asks for them.

Its own parser is not used: it takes `src/calendar.py` for one word and drops what its dictionary calls noise. Words are
what SQLite's FTS5 makes of a text: runs of letters and digits, without accents, small and capital letters alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_WORD = re.compile(r"[^\W_]+")
_LONGEST_WORD = 200  # characters; PostgreSQL refuses words of more than 2046 bytes
_LONGEST_TEXT = 100_000  # characters; it refuses vectors of more than a megabyte
_EXCERPT = 12  # words
_BEFORE = 3  # of them stand before the first one that was looked for


def words_of(text: str) -> list[str]:
    """The words of a text, in order."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text[:_LONGEST_TEXT]) if not unicodedata.combining(c))
    return [word[:_LONGEST_WORD] for word in _WORD.findall(plain.casefold()[:_LONGEST_TEXT])]


def vector(text: str) -> str:
    """A text's words and their places, to be cast to `tsvector`."""
    # Nothing needs an escape between the quotes: words are letters and digits.
    return " ".join(f"'{word}':{place}" for place, word in enumerate(words_of(text), 1))


def phrase(text: str) -> str:
    """What finds a text's words one after the other, the last one also as a beginning; to be cast to `tsquery`."""
    pieces = [f"'{word}'" for word in words_of(text)]
    return " <-> ".join([*pieces[:-1], f"{pieces[-1]}:*"]) if pieces else ""


def any_of(queries: Iterable[str]) -> str:
    """What finds what any of the queries finds."""
    return " | ".join(f"({query})" for query in queries if query)


def excerpt(text: str, words: Iterable[str]) -> str:
    """The place of a text that holds the first of the words, or of those that begin so, with square brackets."""
    wanted = tuple(piece for word in words for piece in words_of(word))
    found = list(_WORD.finditer(text))
    hits = [any(word.startswith(wanted) for word in words_of(match.group())) for match in found]
    first = max(0, hits.index(True) - _BEFORE) if any(hits) else 0
    shown, ends = found[first : first + _EXCERPT], first + _EXCERPT >= len(found)
    start = shown[0].start() if shown and first else 0
    stop = len(text) if ends or not shown else shown[-1].end()
    pieces, place = [], start
    for match, hit in zip(shown, hits[first:], strict=False):
        if hit:
            pieces += [text[place : match.start()], f"[{match.group()}]"]
            place = match.end()
    return ("…" if start else "") + "".join(pieces) + text[place:stop] + ("" if ends else "…")
