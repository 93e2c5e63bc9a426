"""The two encodings of a record: msgpack for the log and the wire, JSON for people.

Paths of the operating system may hold bytes that are not UTF-8, which Python shows as surrogates and which neither
encoding allows in a string. In msgpack such a string becomes an extension value and comes back exactly; in JSON it is
percent-encoded as `core.paths` does it.
"""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

_to_msgpack = msgspec.msgpack.Encoder(order="deterministic")
_to_json = msgspec.json.Encoder(order="deterministic")

_making = threading.Lock()

_STRING = 1  # an extension: the string in UTF-8 with surrogates
_DICT = 2  # an extension: the pairs of a dict, some key of which is such a string
STRING, PAIRS = bytes([_STRING]), bytes([_DICT])
"""Their codes as they are sent. Only in that of pairs there are further values."""


def pack(value: object) -> bytes:
    """The value as msgpack; the same value always gives the same bytes. Raises `TypeError` or `OverflowError` for what
    is no plain value (a key that is no string, an integer of more than 64 bits)."""
    try:
        return _to_msgpack.encode(value)
    except UnicodeEncodeError:
        return _to_msgpack.encode(_without_surrogates(value, _extended, _extended_pairs))


def unpack(data: bytes | msgspec.Raw, kind: type[T] | Any) -> T:
    """The value of that type. Raises `msgspec.ValidationError` or `msgspec.DecodeError` when the bytes do not fit."""
    try:
        value: T = _decoder(kind).decode(data)  # type: ignore[arg-type]
    except msgspec.ValidationError:
        # A field declared as a string refuses the extension before the hook sees it.
        met: list[int] = []

        def hook(code: int, content: memoryview) -> object:
            met.append(code)
            return _restored(code, content)

        plain = msgspec.msgpack.decode(data, ext_hook=hook)
        if not met:
            raise
        value = msgspec.convert(plain, kind, builtin_types=(bytes,))
    return value


@functools.cache
def _decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    # Making one takes longer than most values do. Made in two threads at once for kinds that hold the same record, the
    # process can crash (seen with msgspec 0.22): what is known of a record is shared before it is complete.
    with _making:
        return msgspec.msgpack.Decoder(kind, ext_hook=_restored)


# In UTF-8; outside of strings JSON has none of them.
_OBEYED = re.compile(rb"\x7f|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]|\xe2\x81[\xa6-\xa9]")


def to_json(value: object) -> bytes:
    """The value as one line of JSON, bytes as base64. What a terminal obeys (DEL, C1 controls, line separators and
    overrides of the writing direction) is escaped, as JSON itself asks of C0 controls alone."""
    try:
        plain = _to_json.encode(value)
    except UnicodeEncodeError:
        plain = _to_json.encode(_without_surrogates(value, _shown, lambda pairs: {_shown(k): v for k, v in pairs}))
    return plain if plain.isascii() and b"\x7f" not in plain else _OBEYED.sub(_escaped, plain)


def _escaped(found: re.Match[bytes]) -> bytes:
    return b"\\u%04x" % ord(found[0].decode())


def _without_surrogates(
    value: object, string: Callable[[str], object], pairs: Callable[[list[tuple[str, object]]], object]
) -> object:
    def walk(each: object) -> object:
        if isinstance(each, str):
            return each if _is_utf8(each) else string(each)
        if isinstance(each, list | tuple):
            return [walk(item) for item in each]
        if isinstance(each, dict):
            if all(map(_is_utf8, each)):
                return {key: walk(item) for key, item in each.items()}
            return pairs([(key, walk(item)) for key, item in each.items()])
        return each

    return walk(msgspec.to_builtins(value, builtin_types=(bytes,), order="deterministic"))


def as_text(text: str) -> str:
    """The string as JSON shows it: itself, where UTF-8 can hold it."""
    return text if _is_utf8(text) else _shown(text)


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(text: str) -> str:
    from treadle.core.paths import encode  # for people; the wire between processes does without

    try:
        return encode(text)
    except UnicodeEncodeError:  # half of a surrogate pair, which comes from no file name
        return text.encode("utf-8", "backslashreplace").decode()


def _extended(text: str) -> msgspec.msgpack.Ext:
    return msgspec.msgpack.Ext(_STRING, text.encode("utf-8", "surrogatepass"))


def _extended_pairs(pairs: list[tuple[str, object]]) -> msgspec.msgpack.Ext:
    listed = [(key if _is_utf8(key) else _extended(key), value) for key, value in pairs]
    return msgspec.msgpack.Ext(_DICT, _to_msgpack.encode(listed))


def _restored(code: int, content: memoryview) -> object:
    if code == _STRING:
        return str(content, "utf-8", "surrogatepass")
    if code == _DICT:
        # Of the content itself, not of a copy: they may lie within each other.
        return dict(msgspec.msgpack.decode(content, ext_hook=_restored))
    raise msgspec.DecodeError(f"msgpack extension {code} is unknown")
