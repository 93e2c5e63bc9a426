"""Turn any title into a short name of a-z, 0-9 and a separator, fit for a URL, a file or a branch.

Thread safety: safe; there is no state.

Words: slug, url, name, file, branch, ascii, title, normalize.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["slugify"]

# Latin letters that Unicode does not decompose into a base letter and a mark.
_LATIN = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ı": "i", "ŋ": "n", "ŧ": "t"}
)
_APOSTROPHES = str.maketrans("", "", "'\u2019\u02bc`")


def slugify(text: str, *, separator: str = "-", max_length: int | None = None, fallback: str = "") -> str:
    """Accents are dropped (NFKD), capitals become small, apostrophes vanish, and every other run of characters becomes
    one separator. Never begins or ends with the separator, and a slug's slug is itself.

    Letters of other scripts have no ASCII form here and are left out; when nothing is left, `fallback` is the answer
    as it stands. `max_length` cuts after a whole word where the first word fits, else inside it.

    Raises `ValueError` when `max_length` is below 1, or when the separator is not one of `- _ . ~` (the ASCII
    punctuation that a URL carries unescaped, RFC 3986 section 2.3).

    >>> slugify("  Don't panic: Crème brûlée & Straße! ")
    'dont-panic-creme-brulee-strasse'
    >>> slugify("one two three", max_length=9), slugify("你好", fallback="untitled")
    ('one-two', 'untitled')
    """
    if separator not in ("-", "_", ".", "~"):
        raise ValueError(f"the separator must be one of - _ . ~, not {separator!r}")
    if max_length is not None and max_length < 1:
        raise ValueError(f"max_length must be at least 1, not {max_length}")
    plain = text.translate(_APOSTROPHES).casefold().translate(_LATIN)
    decomposed = unicodedata.normalize("NFKD", plain)
    # Folded again, since NFKD itself yields capitals and apostrophes (from ™ or ŉ, for example).
    ascii_text = "".join(c for c in decomposed if not unicodedata.combining(c)).translate(_APOSTROPHES).casefold()
    words = re.findall(r"[a-z0-9]+", ascii_text.translate(_LATIN))
    return separator.join(_fitting(words, max_length, len(separator))) or fallback


def _fitting(words: list[str], max_length: int | None, gap: int) -> list[str]:
    """As many whole words as fit; of a first word that does not fit, its beginning."""
    if max_length is None or not words:
        return words
    length = -gap
    for count, word in enumerate(words):
        length += gap + len(word)
        if length > max_length:
            return words[:count] or [words[0][:max_length]]
    return words
