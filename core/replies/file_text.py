"""Between a file's bytes and the text that a model is shown and sends: line endings and encodings are kept."""

from __future__ import annotations

from treadle.core.errors import ReplyError


def text_of(content: bytes) -> str:
    """What the file holds, with line feeds; bytes that are not UTF-8 as surrogate escapes."""
    text = content.decode("utf-8", "surrogateescape")
    return text.replace("\r\n", "\n") if has_crlf(content) else text


def content_of(path: str, text: str, like: bytes | None) -> bytes:
    """The text as the file's content, in the line endings and the encoding of `like`, what it held before (None: there
    was no such file). Raises `ReplyError` for characters that it can't hold."""
    try:
        added = text.encode("utf-8", "surrogateescape")
    except UnicodeError:
        raise ReplyError(f"the text for {path} holds half of a surrogate pair: send valid Unicode") from None
    if like is not None and has_crlf(like):
        added = added.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    stray = any("\udc80" <= c <= "\udcff" for c in text)
    if like is None or _is_utf8(like):
        if stray:
            raise ReplyError(f"the text for {path} holds half of a surrogate pair: send valid Unicode")
    elif any(c > "\x7f" and not "\udc80" <= c <= "\udcff" for c in text):
        raise ReplyError(f"{path} is not UTF-8, and the text for it holds other characters: use ASCII only in it")
    return added


def has_crlf(content: bytes) -> bool:
    """Whether every line of a text with lines ends with CR LF."""
    return b"\r\n" in content and content.count(b"\r\n") == content.count(b"\n")


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeError:
        return False
    return True
