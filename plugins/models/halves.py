r"""Halves of a character: JSON writes one beyond the first 65,536 as two escapes (`\ud83d\ude00`), and a service that
cuts its text by tokens may send them in two events, or one of them alone. msgspec reads no half; here they are read,
those that come together are one character again, and one that stays alone becomes the mark of a lost character."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

_ESCAPED = re.compile(r"\\u[dD][89a-fA-F]")
_HALF = re.compile("[\ud800-\udfff]")
_LOST = "\N{REPLACEMENT CHARACTER}"


def reader(kind: type[T]) -> Callable[[str | bytes], T]:
    """What reads one event of that kind, whose texts may then hold halves. It raises `ValueError` (which msgspec's
    errors are) and `RecursionError`."""
    decode = msgspec.json.Decoder(kind).decode

    def read(data: str | bytes) -> T:
        try:
            return decode(data)
        except msgspec.DecodeError:
            text = data.decode() if isinstance(data, bytes) else data
            if not _ESCAPED.search(text):
                raise
            return msgspec.convert(_counts_unread(json.loads(text)), kind)

    return read


def joined(pieces: Iterable[str]) -> str:
    """The pieces of a text as one, in which no half is left."""
    return _HALF.sub(_LOST, _paired("".join(pieces)))


def joined_json(pieces: Iterable[str]) -> str:
    """The pieces of a JSON text as one. Halves that are left are escaped again, for whoever reads it to refuse."""
    return _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", _paired("".join(pieces)))


def mended(value: Any) -> Any:
    """What JSON holds, without halves at any depth. Raises `ValueError` and `RecursionError`."""
    if isinstance(value, str):
        return joined((value,))
    text = json.dumps(value, ensure_ascii=False)
    return json.loads(joined((text,))) if _HALF.search(text) else value


def _paired(text: str) -> str:
    if not _HALF.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _counts_unread(event: Any) -> Any:
    """The event with what it tells of tokens as it came: that is read by itself, since it may be any nonsense."""
    for holder in (event, event.get("message")) if isinstance(event, dict) else ():
        if isinstance(holder, dict) and "usage" in holder:
            holder["usage"] = msgspec.Raw(json.dumps(holder["usage"]).encode())
    return event
