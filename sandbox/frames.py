"""The language between harness and server: JSON with raw bytes beside it, length first. Nothing is unpickled."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Sequence
from typing import Any

Header = dict[str, Any]
Frame = tuple[Header, list[bytes]]

_PREFIX = struct.Struct("=II")
_BLOBS = "blobs"
_MARK = b"D"


def encode(header: Header, blobs: Sequence[bytes] = ()) -> bytes:
    """One frame. `header` must be plain JSON values and may not use the key `blobs`."""
    text = json.dumps({**header, _BLOBS: [len(blob) for blob in blobs]}).encode()
    return b"".join((_PREFIX.pack(len(text), sum(map(len, blobs))), text, *blobs))


def read(connection: socket.socket) -> Frame | None:
    """The next frame, waiting for it; None when the other side has closed the connection."""
    prefix = _read_exactly(connection, _PREFIX.size)
    if prefix is None:
        return None
    text_size, blob_size = _PREFIX.unpack(prefix)
    body = _read_exactly(connection, text_size + blob_size)
    if body is None:
        return None
    header: Header = json.loads(body[:text_size])
    blobs, start = [], text_size
    for size in header.pop(_BLOBS):
        blobs.append(bytes(body[start : start + size]))
        start += size
    return header, blobs


def send_descriptor(connection: socket.socket, descriptor: int) -> None:
    """Hand a descriptor over, beside a byte of its own so that no reader of frames can lose it."""
    socket.send_fds(connection, [_MARK], [descriptor])


def receive_socket(connection: socket.socket) -> socket.socket:
    """The socket whose descriptor was handed over. Raises ConnectionError when there is none."""
    _, descriptors, _, _ = socket.recv_fds(connection, len(_MARK), 1)
    if not descriptors:
        raise ConnectionError("the job's socket did not arrive: too many files are open")
    received = socket.socket(fileno=descriptors[0])
    received.setblocking(True)  # as standard inputs are; a timeout of whoever sent it has made it another
    return received


def _read_exactly(connection: socket.socket, count: int) -> bytearray | None:
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
