"""Numbers that a service tells. What makes no sense counts as not told, and takes nothing away from what it says."""

from __future__ import annotations

from typing import Annotated, TypeVar

import msgspec

T = TypeVar("T")

_MOST = 2**53
"""What any reader of JSON can hold exactly; far more than anything that is counted here."""

Count = Annotated[int, msgspec.Meta(ge=0, le=_MOST)]
"""How many of something."""
NOTHING = msgspec.Raw(b"null")
"""A part of an answer that was not there."""


def told(part: msgspec.Raw, kind: type[T]) -> T | None:
    """A part of an answer, None where it makes no sense."""
    try:
        return msgspec.json.decode(part, type=kind)
    except (msgspec.MsgspecError, RecursionError):
        return None


def room(value: object) -> int | None:
    """The tokens that there is room for, None where the value is no such number."""
    try:
        return msgspec.convert(value, Count) or None
    except msgspec.ValidationError:
        return None
