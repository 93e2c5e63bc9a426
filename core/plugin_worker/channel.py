"""One end of the wire, used by several threads at once without a thread of its own.

Whoever waits and finds nobody reading, reads: what is for others is laid in their slot, and they are woken. So a call
that is alone, as nearly all are, costs no switch of threads.
"""

from __future__ import annotations

import socket
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from treadle.core.plugin_worker import messages

M = TypeVar("M", bound=messages.Message)


MOST_WAITING = 64
"""Messages that may wait for those that do not read: as many as the process of a plugin may have threads, each of which
waits for an answer before it asks again. All of them are no larger than one may be."""


class HungUp(Exception):
    """The other side has gone, or says what nobody understands; its text says which."""


class Channel(Generic[M]):
    """`kind` is what may come, in messages of up to `most` bytes. `address` says in which slot a message belongs; a
    message for a slot that nobody opened is nonsense. `is_trusted`: the other side is Treadle."""

    def __init__(
        self,
        connection: socket.socket,
        kind: Any,
        address: Callable[[M], int],
        most: int = messages.MOST,
        *,
        is_trusted: bool = False,
    ) -> None:
        self._connection = connection
        self.expect(kind, most)
        self._address = address
        self._is_trusted = is_trusted
        self._sending = threading.Lock()
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._slots: dict[int, deque[tuple[M, int]]] = {}  # with the bytes of each
        self._waiting = self._waiting_bytes = 0
        self._reading = False
        self._gone = ""

    def expect(self, kind: Any, most: int) -> None:
        """Take messages of this kind and size from now on; while nobody reads."""
        self._decoder: msgspec.msgpack.Decoder[M] = msgspec.msgpack.Decoder(kind)
        self._most = most

    def open(self, slot: int) -> None:
        """Take messages for this slot from now on."""
        with self._lock:
            self._slots[slot] = deque()

    def close(self, slot: int) -> None:
        """Take none any more."""
        with self._lock:
            for _, size in self._slots.pop(slot, ()):
                self._count(-1, -size)

    def send(self, message: messages.Message) -> None:
        """Raises `HungUp`, and `ValueError` for a message that is too large, or holds a text that is not UTF-8: nothing
        of it is sent then."""
        self.send_frame(messages.encode(message))

    def send_frame(self, frame: bytes) -> None:
        """Send a message that has been encoded. Raises `HungUp`."""
        with self._sending:
            try:
                self._connection.sendall(frame)
            except OSError as error:
                raise HungUp(self._gone or str(error.strerror or error)) from None

    def wait(self, *slots: int) -> M:
        """The next message for one of these slots. Raises `HungUp`."""
        with self._lock:
            while True:
                for slot in slots:
                    if self._slots[slot]:
                        message, size = self._slots[slot].popleft()
                        self._count(-1, -size)
                        return message
                if self._gone:
                    raise HungUp(self._gone)
                if not self._reading:
                    self._reading = True
                    break
                self._changed.wait()
        # A message of which only a part was read leaves nothing behind it that could be understood.
        gone = "reading from it was broken off"
        try:
            message = self._next(slots)
            gone = ""
            return message
        except HungUp as error:
            gone = str(error)
            raise
        finally:
            with self._lock:
                self._gone = gone
                self._reading = False
                self._changed.notify_all()

    def _next(self, slots: tuple[int, ...]) -> M:
        while True:
            message, size = self._read()
            slot = self._address(message)
            with self._lock:
                if slot not in self._slots:
                    raise HungUp(f"it sent a {type(message).__name__} that nobody waits for")
                if slot in slots:
                    return message
                self._slots[slot].append((message, size))
                self._count(1, size)
                if not self._is_trusted and (self._waiting > MOST_WAITING or self._waiting_bytes > self._most):
                    raise HungUp("it goes on to send for calls that wait for others")
                self._changed.notify_all()

    def _count(self, number: int, size: int) -> None:
        self._waiting += number
        self._waiting_bytes += size

    def _read(self) -> tuple[M, int]:
        try:
            body = messages.receive(self._connection, self._most)
            if body is not None:
                return self._decoder.decode(body), len(body)
        except (msgspec.MsgspecError, ValueError, OSError, RecursionError, MemoryError) as error:
            raise HungUp(f"it sent what can't be understood: {error}") from None
        raise HungUp("it closed the connection")
