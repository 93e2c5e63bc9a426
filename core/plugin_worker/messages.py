"""What Treadle and the process of a plugin say to each other: msgpack behind a length, nothing pickled.

Treadle opens with `Start`, the process answers `Ready`. Then `Call` is answered by `Done`; while it works on a call the
process may `Ask` for a method of its context, which is answered by `Reply`. Values inside stay raw until somebody knows
their type: a hook's argument or answer, or a context method's.
"""

from __future__ import annotations

import socket
import struct
from typing import Annotated, Any

import msgspec

from treadle.core import wire

PROTOCOL = 1
"""The version of this language; both sides say theirs first."""

MOST = 64 << 20
"""Bytes of one message."""
MOST_TOLD = 1 << 20
"""Bytes that a plugin may say of itself at its start, and in each hook that asks about itself: they are kept."""

NOTHING = msgspec.Raw(msgspec.msgpack.encode(None))
"""The value None, as it is sent."""

_LENGTH = struct.Struct("=I")


class Message(msgspec.Struct, frozen=True, array_like=True, tag_field="kind", tag=str.lower):
    """The root of all messages."""


class Start(Message, frozen=True):
    """Load this plugin. `entry` is what its entry point names, `module` or `module:attribute`, or a file."""

    protocol: int
    api_version: int
    name: str
    entry: str


class Hook(msgspec.Struct, frozen=True):
    """One hook that the plugin answers: its marked function by `name`, the arguments that it takes, its marks."""

    hook: str
    name: str
    arguments: tuple[str, ...]
    tryfirst: bool = False
    trylast: bool = False
    wrapper: bool = False


class Ready(Message, frozen=True):
    """The plugin has been looked at. `failed` is why it could not be loaded at all, in one line, with its `trace`;
    `needs` is any value; the rest is as in `core.plugin_check.Checked`. `import_s` is the time that its own import
    took."""

    protocol: int
    api_version: int
    import_s: float
    hooks: tuple[Hook, ...] = ()
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    incompatible: str = ""
    needs: msgspec.Raw = NOTHING
    failed: str = ""
    trace: str = ""

    def what_it_needs(self) -> object:
        """Its needs, as they have been looked at by `incoming.ready_of`."""
        return wire.unpack(self.needs, Any)


class Call(Message, frozen=True):
    """Call the function of this name; `arguments` in the order in which it takes them, the context left out.
    `contribution` is the kind of what `treadle_call` runs: its answer is looked at where it still is a record."""

    id: int
    hook: str
    name: str
    arguments: tuple[msgspec.Raw, ...]
    contribution: str = ""


class Raised(msgspec.Struct, frozen=True):
    """An exception: the name of its class, what it says in one line, its traceback."""

    kind: str
    text: str
    trace: str = ""


class Done(Message, frozen=True):
    """The answer to a call, or what it raised."""

    id: int
    answer: msgspec.Raw
    raised: Raised | None = None


class Ask(Message, frozen=True):
    """A method of the context that belongs to this call. None takes as many arguments as there may be."""

    id: int
    call: int
    method: Annotated[str, msgspec.Meta(max_length=64)]
    arguments: Annotated[tuple[msgspec.Raw, ...], msgspec.Meta(max_length=8)]


class Reply(Message, frozen=True):
    """What the method of the context answered or raised."""

    id: int
    answer: msgspec.Raw
    raised: Raised | None = None


FromTreadle = Start | Call | Reply
AtWork = Done | Ask
"""What a plugin's process says once it is `Ready`."""

_encoder = msgspec.msgpack.Encoder()


def encode(message: Message) -> bytes:
    """The message as it is sent. Raises `ValueError` when it is larger than `MOST`."""
    body = _encoder.encode(message)
    if len(body) > MOST:
        raise ValueError(f"{len(body) >> 20} MB are more than a message may hold ({MOST >> 20} MB)")
    return _LENGTH.pack(len(body)) + body


def receive(connection: socket.socket, most: int) -> bytearray | None:
    """The next message's body; None when the other side has gone. Raises `ValueError` for one of more bytes."""
    head = _exactly(connection, _LENGTH.size)
    if head is None:
        return None
    length = _LENGTH.unpack(head)[0]
    if length > most:
        raise ValueError(f"a message of {length >> 10} kB was announced, and {most >> 10} kB are the most here")
    return _exactly(connection, length)


def _exactly(connection: socket.socket, count: int) -> bytearray | None:
    data = bytearray(count)
    rest = memoryview(data)
    while rest:
        try:
            got = connection.recv_into(rest)
        except ConnectionError:
            return None
        if not got:
            return None
        rest = rest[got:]
    return data
