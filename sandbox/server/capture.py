"""What a job says on a stream: the beginning and the end are kept, the rest is counted."""

from __future__ import annotations

import os
from collections import deque

_READ_SIZE = 65536


class Capture:
    """One stream, read through a non-blocking descriptor."""

    def __init__(self, descriptor: int, keep: int) -> None:
        self.descriptor = descriptor
        self.keep = keep
        self.head = bytearray()
        self.total = 0
        self._tail: deque[bytes] = deque()
        self._tail_size = 0

    def read(self) -> bytes | None:
        """What there is to read now (b"" when nothing), None at the end of the stream."""
        try:
            data = os.read(self.descriptor, _READ_SIZE)
        except BlockingIOError:
            return b""
        if not data:
            return None
        self.total += len(data)
        room = self.keep - len(self.head)
        if room > 0:
            self.head += data[:room]
        self._push(data[max(room, 0) :])
        return data

    def _push(self, data: bytes) -> None:
        if not data or not self.keep:
            return
        self._tail.append(data)
        self._tail_size += len(data)
        while self._tail_size - len(self._tail[0]) >= self.keep:
            self._tail_size -= len(self._tail.popleft())

    @property
    def tail(self) -> bytes:
        """The last bytes that are not in the head."""
        return b"".join(self._tail)[-self.keep :] if self.keep else b""

    @property
    def dropped(self) -> int:
        """Bytes between head and tail."""
        return self.total - len(self.head) - len(self.tail)
