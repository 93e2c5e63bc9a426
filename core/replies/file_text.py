"""Between a file's bytes and the text that a model is shown and sends: line endings, encodings and marks are kept.

A Python source that declares its encoding (PEP 263) is text in that encoding, everything else in UTF-8. Bytes that do
not fit are lone surrogates in the text, and come back as the bytes that they were; `as_shown` makes them visible. The
mark of UTF-8 at a file's beginning, which nobody sees, is no part of its text.
"""

from __future__ import annotations

import codecs
import functools
import re

from treadle.core.errors import ReplyError, SourceError
from treadle.core.redaction import shown_by_line, valid_text
from treadle.core.tree.sources import encoding_of, is_python

REPLACEMENT = "\ufffd"
"""What a model is shown in place of a byte that is no text."""
_LONE = re.compile("[\ud800-\udfff]")
_ASCII = bytes(range(128))
_NO_CHARACTER_SETS = frozenset({"unicode_escape", "raw_unicode_escape", "punycode", "idna", "utf_7", "utf_8_sig"})
"""Codecs that Python takes for a source and that are no character set: two texts of theirs can be the same bytes."""


def as_shown(text: str) -> str:
    """The whole text of a file as a model may be shown it, in as many lines: secrets are taken out, and what was no
    text shows as U+FFFD."""
    return valid_text(shown_by_line(text))


def text_of(path: str, content: bytes) -> str:
    """What the file holds, with line feeds; bytes that do not fit its encoding as surrogate escapes."""
    text = decoded(path, content)
    return text.replace("\r\n", "\n") if has_crlf(content) else text


def decoded(path: str, content: bytes) -> str:
    """The same with the line endings that it has."""
    text = _declared_text(path, content)
    return content.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape") if text is None else text


def content_of(path: str, text: str, like: bytes | None) -> bytes:
    """The text as the file's content, in the line endings and the encoding of `like`, and with its byte order mark:
    what it held before (None: there was no such file), or in the encoding that the text declares itself. Raises
    `ReplyError` for characters that it can't hold."""
    added = _encoded(path, text, like)
    if like is not None and has_crlf(like):
        added = added.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    if like is None or not like.startswith(codecs.BOM_UTF8):
        return added
    has_its_own = added.startswith(codecs.BOM_UTF8) and not text_of(path, like).startswith("\ufeff")
    return added if has_its_own else codecs.BOM_UTF8 + added


def has_crlf(content: bytes) -> bool:
    """Whether every line of a text with lines ends with CR LF."""
    return b"\r\n" in content and content.count(b"\r\n") == content.count(b"\n")


def _encoded(path: str, text: str, like: bytes | None) -> bytes:
    try:
        added = text.encode("utf-8", "surrogateescape")
    except UnicodeError:
        raise ReplyError(f"the text for {path} holds half of a surrogate pair: send valid Unicode") from None
    if _LONE.search(text):
        if like is None or not _LONE.search(text_of(path, like)):
            raise ReplyError(f"the text for {path} holds half of a surrogate pair: send valid Unicode")
        if any(c > "\x7f" and not _LONE.match(c) for c in text):
            raise _not_in(path, "UTF-8")
        return added
    marked = like is not None and like.startswith(codecs.BOM_UTF8)
    encoding = None if marked else _declared(path, added)
    if encoding is None:
        if like is not None and not text.isascii() and _LONE.search(text_of(path, like)):
            raise _not_in(path, "UTF-8")
        return added
    try:
        return text.encode(encoding)
    except UnicodeError as error:
        # Which of its characters it is, is what a model can act on.
        wrong = f": it can't hold {error.object[error.start]!r}" if isinstance(error, UnicodeEncodeError) else ""
        raise ReplyError(f"{path} is written in {encoding} by its first lines{wrong}; use other characters") from None


def _not_in(path: str, encoding: str) -> ReplyError:
    return ReplyError(
        f"{path} is not {encoding}, and the text for it holds other characters: use ASCII only in it, and edit no line "
        f"that shows {REPLACEMENT}, which stands for a byte that is no text"
    )


def _declared_text(path: str, content: bytes) -> str | None:
    """The text by the encoding that the file declares; None when it declares none, or not what it holds."""
    encoding = _declared(path, content)
    if encoding is None:
        return None
    try:
        text = content.decode(encoding)
        same = text.encode(encoding) == content
    except (UnicodeError, ValueError):
        return None
    return text if same and not _LONE.search(text) else None


def _declared(path: str, content: bytes) -> str | None:
    """The character set other than UTF-8 that a Python source declares."""
    if not is_python(path, content):
        return None
    try:
        encoding = encoding_of(content)
    except SourceError:
        return None
    return encoding if _is_character_set(encoding) else None


@functools.cache
def _is_character_set(encoding: str) -> bool:
    """Whether it is a character set that holds ASCII as it is, as sources need it; UTF-8 is none of those meant."""
    try:
        name = codecs.lookup(encoding).name.replace("-", "_")
        return name not in _NO_CHARACTER_SETS and name != "utf_8" and _ASCII.decode(encoding) == _ASCII.decode("ascii")
    except (LookupError, UnicodeError, ValueError):
        return False
