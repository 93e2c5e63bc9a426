"""The two encodings of a record: msgpack for the log and the wire, JSON for people."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

_to_msgpack = msgspec.msgpack.Encoder(order="deterministic")
_to_json = msgspec.json.Encoder(order="deterministic")


def pack(value: object) -> bytes:
    """The value as msgpack; the same value always gives the same bytes."""
    return _to_msgpack.encode(value)


def unpack(data: bytes, kind: type[T] | Any) -> T:
    """The value of that type. Raises `msgspec.ValidationError` or `msgspec.DecodeError` when the bytes do not fit."""
    value: T = msgspec.msgpack.decode(data, type=kind)
    return value


def to_json(value: object) -> bytes:
    """The value as one line of JSON, bytes as base64."""
    return _to_json.encode(value)
